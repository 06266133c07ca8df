"""The values of a policy against each other: the matrix and its equilibrium."""

from __future__ import annotations

from rich.console import Console

from gin_sim.report.text.matchups import (
    cell_text,
    footer,
    heading,
    interval_text,
    lead_text,
    objective_words,
    rests_on,
    within_words,
)
from gin_sim.report.wording import aligned, value_text
from gin_sim.results.common import Estimate
from gin_sim.results.objective import Unit
from gin_sim.results.value_matrix import ValueMatrix
from gin_sim.stats.matrix_games import BOOTSTRAP_DRAWS
from gin_sim.words import listed

_BOOTSTRAP = (
    "Leads over the equilibrium take its mixture as exact. "
    f"Weights have 95% intervals from {BOOTSTRAP_DRAWS:,} bootstrap samples of the deals. It is an "
    "equilibrium among these values for this play, not of gin rummy."
)


def summary(found: ValueMatrix) -> str:
    """Return what both play in equilibrium, and what that rests on, in a line."""
    equilibrium, _, _ = found.verdict.partition(". ")
    return (
        f"{_title(found)}: {equilibrium[:1].lower()}{equilibrium[1:].rstrip('.')}, by "
        f"{objective_words(found.objective, found.rules)}; {rests_on(found, ' per cell')}"
    )


def show(found: ValueMatrix, console: Console, more: bool = True) -> None:
    """Print the matrix, the replies, the equilibrium, the verdict and what it all rests on."""
    goal = objective_words(found.objective, found.rules)
    console.print(heading(found, _title(found), goal))
    for lines in (_matrix(found), _replies(found), _equilibrium(found)):
        for line in lines:
            console.print(line.rstrip())
        console.print()
    console.print(found.verdict)
    if more:
        for line in footer(found, [f"95% intervals {found.correction}. {_BOOTSTRAP}"]):
            console.print(line)


def _title(found: ValueMatrix) -> str:
    return f"{found.play.spec} by {found.parameter.name}, each against each"


def _matrix(found: ValueMatrix) -> list[str]:
    unit = found.shown_unit
    names = list(map(value_text, found.parameter.values))
    rows = [["  row over column", *names]]
    for name, row in zip(names, found.matrix, strict=True):
        rows.append([f"  {name}", *(_cell(figure, unit) for figure in row)])
    figures = [cell.lead for cell in found.cells]
    return [*aligned(rows), *within_words(figures, unit, "; ~ no difference found")]


def _cell(figure: Estimate, unit: Unit) -> str:
    if figure.estimate == figure.low == figure.high == 0:
        return ". "
    return f"{cell_text(figure, unit)}{'~' if figure.spans_zero else ' '}"


def _replies(found: ValueMatrix) -> list[str]:
    rows = [["  against", "best response", "lead", "tied with it"]]
    for reply in found.best_replies:
        others = [value_text(value) for value in reply.among_best if value != reply.best]
        rows.append(
            [
                f"  {value_text(reply.to)}",
                value_text(reply.best),
                lead_text(reply.lead, found.shown_unit),
                listed(others, "and") if others else "-",
            ]
        )
    return aligned(rows)


def _equilibrium(found: ValueMatrix) -> list[str]:
    unit = found.shown_unit
    dominated = {each.value: each for each in found.dominated}
    rows = [["  equilibrium", "weight", "lead over it", ""]]
    for part, payoff in zip(found.equilibrium.mixture, found.equilibrium.payoffs, strict=True):
        note = "-"
        if part.value in dominated:
            by = [
                value_text(other.value) + (f" ({other.weight:.0%})" if other.weight < 1 else "")
                for other in dominated[part.value].by
            ]
            note = f"dominated by {listed(by, 'and')}"
        lead = interval_text(payoff.lead, unit)
        rows.append([f"  {value_text(part.value)}", _weight_text(part.weight), lead, note])
    value = found.equilibrium.value
    words = interval_text(value, unit)
    if value.low == value.high == 0:
        words = "0, since both sides choose from the same values"
    return [*aligned(rows), f"  value of the game to the row player: {words}"]


def _weight_text(weight: Estimate) -> str:
    if not weight.is_known:
        return f"{weight.estimate:.0%}"
    return f"{weight.estimate:.0%} [{weight.low:.0%}, {weight.high:.0%}]"
