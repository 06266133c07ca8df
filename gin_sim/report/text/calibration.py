"""How far hand reading can be trusted, as tables on the terminal."""

from __future__ import annotations

from rich.console import Console

from gin_sim.report.wording import aligned, shown
from gin_sim.results.calibration import METHODS, Calibration, Reliability
from gin_sim.words import counted

#: Columns of the tables, as METHODS.
METHOD_WORDS = ("belief", "learned weights", "uniform")
_MISSES = "!"  # beside a chance that is not within the interval of the true share


def show(result: Calibration, console: Console, more: bool = True) -> None:
    """Print the tables, the verdict and what they rest on; or the undercuts alone."""
    partial = " · PARTIAL: stopped early" if result.partial else ""
    console.print(
        f"How well hand reading works against {result.against.spec} · {result.rules.name} rules · "
        f"{result.sample}{partial}\n"
    )
    groups = [("stock draws", result.by_draws)]
    if result.by_opponent:
        groups.insert(0, ("opponent", result.by_opponent))
    for name, lines in groups:
        tables = [_undercut_table(name, lines), _deadwood_table(name, lines), _score_table(lines)]
        shown_tables = tables if name == "stock draws" else tables[:2]
        for table in shown_tables if more else shown_tables[:1]:
            _print(table, console)
    if more:
        _print(_prediction_table(result.by_prediction.belief), console)
    console.print(result.verdict)
    for line in _footer(result):
        console.print(line)


def summary(result: Calibration) -> str:
    """Return the verdict in a line, and what it rests on."""
    words = result.verdict.rstrip(".")
    return (
        f"{words[:1].lower()}{words[1:]}; against {result.against.spec}, {result.rules.name} "
        f"rules, {result.sample}, seed {result.seed}"
    )


def _print(table: list[str], console: Console) -> None:
    for line in table:
        console.print(line.rstrip())
    console.print()


def _undercut_table(name: str, groups: list[Reliability]) -> list[str]:
    rows = [[f"  {name}", "positions", "undercut if knocked", *METHOD_WORDS, "belief - true"]]
    for group in groups:
        predicted = [group.by(method) for method in METHODS]
        chances = [
            f"{100 * each.undercut.estimate:.1f} %{' ' if each.agrees else _MISSES}"
            for each in predicted
        ]
        true = shown(group.undercut, True, 1)
        excess = shown(group.belief.undercut_excess, True, 1)
        rows.append([f"  {group.name}", f"{group.positions:,}", true, *chances, excess])
    return aligned(rows)


def _deadwood_table(name: str, groups: list[Reliability]) -> list[str]:
    rows = [[f"  {name}", "its true deadwood, pips", *METHOD_WORDS, "belief - true"]]
    for group in groups:
        pips = [f"{group.by(method).deadwood.estimate:.1f}" for method in METHODS]
        excess = shown(group.belief.deadwood_excess, False, 2)
        rows.append([f"  {group.name}", shown(group.deadwood, False, 1), *pips, excess])
    return aligned(rows)


def _score_table(groups: list[Reliability]) -> list[str]:
    rows = [["  stock draws", "log score per unseen card:", *METHOD_WORDS]]
    for group in groups:
        scores = [shown(group.by(method).log_score, False, 3) for method in METHODS]
        rows.append([f"  {group.name}", "", *scores])
    return aligned(rows)


def _prediction_table(groups: list[Reliability]) -> list[str]:
    rows = [["  belief predicts", "positions", "mean prediction", "undercut if knocked"]]
    for group in groups:
        low, high = (100 * float(end) for end in group.name.split("-"))
        mean = f"{100 * group.belief.undercut.estimate:.1f} %"
        true = shown(group.undercut, True, 1)
        rows.append([f"  {low:g}-{high:g} %", f"{group.positions:,}", mean, true])
    return aligned(rows)


def _footer(result: Calibration) -> list[str]:
    unconverged = result.positions_with_unconverged_chains
    rates = result.deviation
    return [
        f"{_MISSES}: outside the {result.confidence:.0%} interval of the true share. "
        "All positions of a hand count as one observation.",
        result.selection,
        f"Chance of a deviation that is allowed for: takes {100 * rates.take:g} %, discards "
        f"{100 * rates.discard:g} %, knocks {100 * rates.knock:g} %. {result.worlds:,} sampled "
        f"deals per position, as good as {result.effective_worlds:,.0f} independent ones (median); "
        f"unconverged chains at {counted(unconverged, 'position')}.",
        f"seed {result.seed} · {result.seconds.get('ask', 0.0):.1f} s",
    ]
