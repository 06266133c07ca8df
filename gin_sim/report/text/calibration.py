"""How far beliefs can be trusted, as tables on the terminal, plain values and flat tables."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
from rich.console import Console

from gin_sim.belief.calibration import (
    BELIEF,
    METHODS,
    Ask,
    Line,
    lines_by_draws,
    lines_by_opponent,
    lines_by_prediction,
)
from gin_sim.belief.test_positions import BUCKET_NAMES, Decision
from gin_sim.policies.contract import Policy
from gin_sim.report.wording import aligned, estimate_object, number, shown
from gin_sim.rules import Rules
from gin_sim.stats.intervals import CONFIDENCE

if TYPE_CHECKING:
    import pandas as pd

#: Columns of the tables, as METHODS.
METHOD_WORDS = ("belief", "learned weights", "uniform")
_MISSES = "!"  # beside a chance that is not within the interval of the true share


@dataclass(frozen=True)
class Calibration:
    """Beliefs tried at decisions.

    Parameters
    ----------
    ask : Ask
    decisions : list of Decision
    rows : array of ROW
        Of the first decisions, in order.
    rules : Rules
    player : Policy or None
        Whose decisions they are; None for recorded hands.
    records : str or None
        The file of the recorded hands.
    wanted : int
        Positions that were asked for.
    seconds : float
    """

    ask: Ask
    decisions: list[Decision]
    rows: np.ndarray
    rules: Rules
    player: Policy | None
    records: str | None
    wanted: int
    seconds: float

    @property
    def partial(self) -> bool:
        """Whether it was stopped early."""
        return len(self.rows) < len(self.decisions)

    @property
    def sample(self) -> str:
        """How many positions there are, and of which hands."""
        n_hands = len(np.unique(self.rows["hand"]))
        kind = "recorded hands" if self.player is None else "hands"
        return f"{len(self.rows):,} positions of {n_hands:,} {kind}"

    @property
    def selection(self) -> str:
        """Which positions are tried."""
        if self.player is None:
            return (
                "Every own turn of either player at which the discard that leaves least "
                "would allow "
                "a knock without gin."
            )
        return (
            f"{self.player.spec} draws and discards against {self.ask.opponent.spec}. One position "
            "a hand: the first at which it could knock without gin, from a number of draws on that "
            "is fixed before the hand, if it lies in the hand's bucket of draws."
        )


def print_calibration(found: Calibration, console: Console) -> None:
    """Print the tables, the verdict and what they rest on."""
    partial = " · PARTIAL: stopped early" if found.partial else ""
    console.print(
        f"What {found.ask.opponent.spec} may hold, as believed and as it was · {found.rules.name} "
        f"rules · {found.sample}{partial}\n"
    )
    by_draws = lines_by_draws(found.rows)
    groups = [("stock draws", by_draws)]
    if found.player is None:
        groups.insert(0, ("opponent", lines_by_opponent(found.rows, found.decisions)))
    for name, lines in groups:
        tables = (_undercut_table(name, lines), _deadwood_table(name, lines), _score_table(lines))
        for table in tables if name == "stock draws" else tables[:2]:
            for line in table:
                console.print(line.rstrip())
            console.print()
    for line in _prediction_table(lines_by_prediction(found.rows, BELIEF)):
        console.print(line.rstrip())
    console.print()
    console.print(verdict(by_draws))
    for line in _footer(found):
        console.print(line)


def verdict(lines: list[Line]) -> str:
    """Return in how many groups each belief's undercut chance is within the true interval."""
    groups = [line for line in lines if line.name != "all"]
    found = [sum(line.agrees(method) for line in groups) for method in range(len(METHODS))]
    told = ", ".join(
        f"{words} in {n} of {len(groups)}" for words, n in zip(METHOD_WORDS, found, strict=True)
    )
    return f"The undercut chance is within the interval of the true share by draws: {told}."


def _undercut_table(name: str, lines: list[Line]) -> list[str]:
    rows = [[f"  {name}", "positions", "undercut if knocked", *METHOD_WORDS, "belief - true"]]
    for line in lines:
        chances = [
            f"{100 * each.estimate:.1f} %{' ' if line.agrees(method) else _MISSES}"
            for method, each in enumerate(line.predicted_undercut)
        ]
        true = shown(line.undercut, True, 1)
        excess = shown(line.excess_undercut[BELIEF], True, 1)
        rows.append([f"  {line.name}", f"{line.n:,}", true, *chances, excess])
    return aligned(rows)


def _deadwood_table(name: str, lines: list[Line]) -> list[str]:
    rows = [[f"  {name}", "its deadwood, pips", *METHOD_WORDS, "belief - true"]]
    for line in lines:
        pips = [f"{each.estimate:.1f}" for each in line.predicted_deadwood]
        excess = shown(line.excess_deadwood[BELIEF], False, 2)
        rows.append([f"  {line.name}", shown(line.deadwood, False, 1), *pips, excess])
    return aligned(rows)


def _score_table(lines: list[Line]) -> list[str]:
    rows = [["  stock draws", "log score per unseen card:", *METHOD_WORDS]]
    for line in lines:
        scores = [shown(each, False, 3) for each in line.log_score]
        rows.append([f"  {line.name}", "", *scores])
    return aligned(rows)


def _prediction_table(lines: list[Line]) -> list[str]:
    rows = [["  belief says", "positions", "mean said", "undercut if knocked"]]
    for line in lines:
        low, high = (100 * float(end) for end in line.name.split("-"))
        mean = f"{100 * line.predicted_undercut[BELIEF].estimate:.1f} %"
        true = shown(line.undercut, True, 1)
        rows.append([f"  {low:g}-{high:g} %", f"{line.n:,}", mean, true])
    return aligned(rows)


def _footer(found: Calibration) -> list[str]:
    rows, ask = found.rows, found.ask
    lost = int((rows["n_lost"] > 0).sum())
    stray = ask.stray
    return [
        f"{_MISSES} is not within the 95% interval of the true share. Intervals take a hand's "
        "positions as one draw.",
        found.selection,
        f"Departures allowed for: takes {stray.take:g}, discards {stray.discard:g}, knocks "
        f"{stray.knock:g}. {ask.n_worlds:,} worlds a position, worth "
        f"{_median_effective(rows):,.0f} independent ones (median); chains lost at {lost:,} "
        f"position{'' if lost == 1 else 's'}.",
        f"seed {ask.seed} · {found.seconds:.1f} s",
    ]


def _median_effective(rows: np.ndarray) -> float:
    known = rows["effective"][np.isfinite(rows["effective"])]
    return float(np.median(known)) if len(known) else 0.0


# ---------------------------------------------------------------------------------------------
# Plain values


def calibration_json(found: Calibration) -> dict[str, Any]:
    """Return the result as plain values; timing stands under ``seconds`` alone."""
    rows, ask = found.rows, found.ask
    by_draws = lines_by_draws(rows)
    by_opponent = [] if found.player else lines_by_opponent(rows, found.decisions)
    return {
        "opponent": ask.opponent.spec,
        "opponent_policy": ask.opponent.as_dict(),
        "player": found.player and found.player.spec,
        "records": found.records,
        "rules": found.rules.as_dict(),
        "sample": found.sample,
        "positions": len(rows),
        "hands": len(np.unique(rows["hand"])),
        "wanted": found.wanted,
        "selection": found.selection,
        "worlds": ask.n_worlds,
        "stray": ask.stray._asdict(),
        "seed": ask.seed,
        "confidence": CONFIDENCE,
        "by_draws": [_line_object(line) for line in by_draws],
        "by_opponent": [_line_object(line) for line in by_opponent],
        "by_prediction": {
            name: [_line_object(line) for line in lines_by_prediction(rows, method)]
            for method, name in enumerate(METHODS)
        },
        "effective_worlds": _median_effective(rows),
        "positions_with_lost_chains": int((rows["n_lost"] > 0).sum()),
        "verdict": verdict(by_draws),
        "partial": found.partial,
        "seconds": {"ask": round(found.seconds, 3)},
    }


def _line_object(line: Line) -> dict[str, Any]:
    return {
        "name": line.name,
        "positions": line.n,
        "hands": line.n_hands,
        "undercut": estimate_object(line.undercut),
        "deadwood": estimate_object(line.deadwood),
        **{
            name: {
                "undercut": estimate_object(line.predicted_undercut[method]),
                "undercut_excess": estimate_object(line.excess_undercut[method]),
                "deadwood": estimate_object(line.predicted_deadwood[method]),
                "deadwood_excess": estimate_object(line.excess_deadwood[method]),
                "log_score": estimate_object(line.log_score[method]),
                "agrees": line.agrees(method),
            }
            for method, name in enumerate(METHODS)
        },
    }


def calibration_tables(found: Calibration) -> dict[str, pd.DataFrame]:
    """Return flat tables by file name without ending.

    ``reliability`` has a row for each group and belief, ``positions`` one for each position.
    Chances are 0-1, deadwood is in pips, the log score is a mean over the unseen cards.
    """
    import pandas as pd

    groups = [("stock draws", lines_by_draws(found.rows))]
    if found.player is None:
        groups.append(("opponent", lines_by_opponent(found.rows, found.decisions)))
    table = [
        _flat(by, line, method)
        for by, lines in groups
        for line in lines
        for method in range(len(METHODS))
    ]
    for method in range(len(METHODS)):
        table += [
            _flat("predicted chance", line, method)
            for line in lines_by_prediction(found.rows, method)
        ]
    return {"reliability": pd.DataFrame(table), "positions": pd.DataFrame(_positions(found))}


def _flat(by: str, line: Line, method: int) -> dict[str, Any]:
    return {
        "by": by,
        "group": line.name,
        "belief": METHODS[method],
        "positions": line.n,
        "hands": line.n_hands,
        "undercut_share": line.undercut.estimate,
        "undercut_low_95": line.undercut.low,
        "undercut_high_95": line.undercut.high,
        "predicted_undercut_share": line.predicted_undercut[method].estimate,
        "deadwood_pips": line.deadwood.estimate,
        "predicted_deadwood_pips": line.predicted_deadwood[method].estimate,
        "log_score": line.log_score[method].estimate,
        "agrees": line.agrees(method),
    }


def _positions(found: Calibration) -> list[dict[str, Any]]:
    return [
        {
            "hand": int(row["hand"]),
            "opponent": decision.opponent,
            "turn": int(row["turn"]),
            "stock_draws": int(row["n_draws"]),
            "bucket": BUCKET_NAMES[row["bucket"]],
            "undercut": bool(row["undercut"]),
            "deadwood_pips": int(row["deadwood"]),
            **{
                f"{name}_{what}": float(row[field][method])
                for method, name in enumerate(METHODS)
                for what, field in (
                    ("undercut_share", "predicted_undercut"),
                    ("deadwood_pips", "predicted_deadwood"),
                    ("log_score", "log_score"),
                )
            },
            "effective_worlds": number(float(row["effective"])),
            "lost_chains": int(row["n_lost"]),
            "position": decision.position.text(),
        }
        for decision, row in zip(found.decisions, found.rows, strict=False)
    ]
