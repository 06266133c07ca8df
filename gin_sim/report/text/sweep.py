"""A sweep of one or two numbers as tables."""

from __future__ import annotations

from rich.console import Console

from gin_sim.report.text.knocks import equity_notes
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
from gin_sim.results.sweep import Sweep, SweepTable

_SIGN = "*"  # beside the values among the best


def summary(found: Sweep) -> str:
    """Return the best values against whom, and what that rests on, in a line."""
    unit = found.shown_unit
    said = []
    for table in found.by_opponent:
        names = zip(found.parameters, table.best, strict=True)
        best = ", ".join(f"{parameter.name}={value_text(value)}" for parameter, value in names)
        figure = _signed(interval_text(table.best_cell.figure, unit), found)
        tied = f" ({len(table.tied)} tied)" if table.tied else ""
        said.append(f"{against_words(table)} {best}{tied} {figure}")
    return (
        f"{_title(found)}: {'; '.join(said)}, {_goal_words(found)}; {rests_on(found, ' per cell')}"
    )


def show(found: Sweep, console: Console, more: bool = True) -> None:
    """Print a table for one number, or a grid for each opponent; the verdict; what it rests on."""
    console.print(heading(found, _title(found), _goal_words(found)))
    table_lines = _line_table if len(found.parameters) == 1 else _grid_table
    for table in found.by_opponent:
        for line in table_lines(found, table):
            console.print(line.rstrip())
        console.print()
    console.print(found.verdict)
    if not more:
        return
    lines = [
        f"{_SIGN} the best value and those tied with it, all comparisons allowed for.",
        f"95% intervals {found.correction}, and likewise behind the best.",
        *equity_notes(found.later_hands, found.objective, "the hands of this sweep"),
    ]
    for line in footer(found, lines):
        console.print(line)


def _goal_words(found: Sweep) -> str:
    if found.score is not None:
        return f"{found.shown_unit.shown} at {found.score.words}"
    return objective_words(found.objective, found.rules)


def _title(found: Sweep) -> str:
    """Return what is varied: "greedy by knock"."""
    return f"{found.play.spec} by {' and '.join(each.name for each in found.parameters)}"


def against_words(table: SweepTable) -> str:
    """Return whom a table is against."""
    return f"against {table.against}" if table.against else "mean against all"


def _line_table(found: Sweep, table: SweepTable) -> list[str]:
    (parameter,) = found.parameters
    unit = found.shown_unit
    rows = [[f"  {parameter.name}", against_words(table), "", "behind the best"]]
    for cell in table.cells:
        is_best = cell.values == table.best
        rows.append(
            [
                f"  {value_text(cell.values[0])}",
                _signed(lead_text(cell.figure, unit), found),
                _SIGN if cell.among_best else "",
                "best" if is_best else interval_text(cell.to_best, unit),
            ]
        )
    return aligned(rows)


def _grid_table(found: Sweep, table: SweepTable) -> list[str]:
    down, across = found.parameters
    unit = found.shown_unit
    n_across = len(across.values)
    rows = [[f"  {down.name} \\ {across.name}", *map(value_text, across.values)]]
    for row, value in enumerate(down.values):
        cells = table.cells[row * n_across : row * n_across + n_across]
        texts = [
            _signed(cell_text(cell.figure, unit), found) + (_SIGN if cell.among_best else " ")
            for cell in cells
        ]
        rows.append([f"  {value_text(value)}", *texts])
    lines = [f"  {against_words(table)}", *aligned(rows)]
    return [*lines, *within_words([cell.figure for cell in table.cells], unit)]


def _signed(text: str, found: Sweep) -> str:
    """Return a figure's text; a chance has no sign."""
    return text.replace("+", "") if found.has_chances else text
