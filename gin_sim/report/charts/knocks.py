"""What heatmaps of knocks share: their frame, how large they are, and what stands along them."""

from __future__ import annotations

import itertools
import math
from collections.abc import Sequence

from matplotlib.axes import Axes
from matplotlib.figure import Figure

from gin_sim.report.charts.frame import chart_decimals, framed, objective_words, wrapped
from gin_sim.report.charts.heatmap import tick_values
from gin_sim.report.wording import sample_words
from gin_sim.results.common import Estimate
from gin_sim.results.equilibrium import KnockChance
from gin_sim.results.knocks import OfKnocks
from gin_sim.results.objective import Unit
from gin_sim.results.solution import KnockCell

#: Axes of every heatmap of knocks.
TURN_LABEL, DEADWOOD_LABEL = "own turn", "deadwood, pips"
_COLUMNS = {1: 1, 2: 2, 4: 2}  # of panels, by their number; otherwise 3


def knocks_frame(
    found: OfKnocks,
    title: str,
    says: str,
    height: float,
    width: float = 9.0,
    by_objective: bool = True,
) -> Figure:
    """Return the empty figure of an answer to when to knock.

    Parameters
    ----------
    found : OfKnocks
    title, says : str
        The rules follow the title, and the sample goes before what the caption says.
    height, width : float
        Inches, see :func:`framed`.
    by_objective : bool
        Whether what is drawn depends on the objective, so that the title names it.
    """
    stopped = " (stopped early)" if found.is_cut else ""
    says = (
        f"{sample_words(found)}{stopped}, seed {found.seed}; {found.confidence:.0%} intervals "
        f"of each figure by itself. {says}"
    )
    about = f"{found.rules.name} rules"
    if by_objective:
        goal = objective_words(found.objective)
        if found.score is not None:
            goal = f"{found.shown_unit.shown} at {found.score.words}"
        about = f"{goal}, {about}"
    return framed(f"{title}: {about}", says, found.command, height, width)


def signed_words(gain: Estimate, unit: Unit | None = None) -> str:
    """Return a gain for a caption: "+0.83 points per hand [+0.79, +0.87]"; nothing for none."""
    shown = gain.scaled(1 if unit is None else unit.scale)
    name = "" if unit is None else f" {unit.shown}"
    if math.isnan(shown.estimate):
        return ""
    if math.isnan(shown.low):
        return f"{shown.estimate:+.2f}{name}"
    decimals = max(2, chart_decimals(shown.half_width))
    low, high = (f"{end:+.{decimals}f}" for end in (shown.low, shown.high))
    return f"{shown.estimate:+.{decimals}f}{name} [{low}, {high}]"


def shown_places(cells: Sequence[KnockCell] | Sequence[KnockChance]) -> tuple[list[int], list[int]]:
    """Return the turns and the deadwoods that a heatmap has, from 1 without a gap.

    Turns end where in no later one a cell can be shown; where none can, with the last knock.
    """
    shown = [cell.turn for cell in cells if cell.is_shown]
    met = [cell.turn for cell in cells if cell.knocks]
    last = max(shown or met or [1])
    return list(range(1, last + 1)), list(range(1, max(cell.deadwood for cell in cells) + 1))


def size_of_panels(n: int, n_turns: int, n_deadwoods: int) -> tuple[float, float, int]:
    """Return the width and height in inches that n heatmaps take, and the columns of panels."""
    n_columns = _COLUMNS.get(n, 3)
    width = n_columns * (0.4 * n_deadwoods + 0.35) + 0.4
    height = math.ceil(n / n_columns) * (max(1.3, 0.24 * n_turns) + 0.7)
    return min(16.0, max(9.0, width)), height, n_columns


def panel_axes(figure: Figure, n: int, n_columns: int) -> tuple:
    """Return a grid whose last row is for the keys, and the axes of n panels, row by row."""
    n_rows = math.ceil(n / n_columns)
    grid = figure.add_gridspec(n_rows + 1, max(2, n_columns), height_ratios=[1] * n_rows + [0.03])
    places = itertools.islice(itertools.product(range(n_rows), range(n_columns)), n)
    whole = n_columns == 1
    return grid, [
        figure.add_subplot(grid[row, :] if whole else grid[row, column]) for row, column in places
    ]


def label_cells(
    axes: Axes, turns: list[int], deadwoods: list[int], number: int, n_columns: int, n: int
) -> None:
    """Write turns and deadwoods along a panel; what they are, at the outer panels only."""
    tick_values(axes.yaxis, turns)
    tick_values(axes.xaxis, deadwoods)
    axes.set_ylabel(TURN_LABEL if number % n_columns == 0 else "")
    axes.set_xlabel(DEADWOOD_LABEL if number + n_columns >= n else "")


def class_title(axes: Axes, knocks: OfKnocks, name: str, n_characters: int) -> None:
    """Write a panel's class above it, if there is more than one."""
    if len(knocks.by.classes) > 1:
        words = wrapped(f"{knocks.by.meaning}: {name}", n_characters)
        axes.set_title(words, fontsize=9, loc="left")
