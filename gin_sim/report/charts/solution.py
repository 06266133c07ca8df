"""The knock chart: by own turn and deadwood, what a knock gains over playing on, and what to do.

A panel for each class of what the mover sees, or for each of several results; all panels have the
same rows, columns and colours.  Colours end well below the greatest gains: the decision is made
near zero, and there it must be seen.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Sequence
from statistics import median

from matplotlib.axes import Axes
from matplotlib.figure import Figure

from gin_sim.errors import InputError
from gin_sim.report.charts.frame import (
    chart_decimals,
    framed,
    keys_of_signs,
    say_nothing_shown,
    sentence,
    study_frame,
    wrapped,
)
from gin_sim.report.charts.heatmap import (
    Cells,
    border_key,
    dot,
    dot_key,
    draw_border,
    draw_cells,
    half_width_words,
    hatch,
    hatch_key,
    tick_values,
    write_numbers,
)
from gin_sim.report.saved import (
    KnockCell,
    KnockPlace,
    SavedKnocks,
    SavedKnocksByScore,
    SavedSolution,
)
from gin_sim.stats.intervals import Estimate
from gin_sim.words import listed

#: Axes of every heatmap of knocks.
TURN_LABEL, DEADWOOD_LABEL = "own turn", "deadwood, pips"
_CELLS_WORDS = (
    "Cells: what a knock is worth more than playing on, each half of the deals judging the "
    "best rule "
    "of the other"
)
_LINE_WORDS = (
    "The line is the solved rule: what a cell says where that is clear, and the choice of all "
    "deals where it is too close. "
)
_COLUMNS = {1: 1, 2: 2, 4: 2}  # of panels, by their number; otherwise 3


def knock_chart(solution: SavedSolution, command: str) -> Figure:
    """Draw what a knock is worth more than playing on by turn and deadwood, a panel a class.

    Numbers and colours are the gain; cells are hatched where its interval spans zero, dotted where
    there are too few knocks to show it, and blank where there is none.  A thick line is drawn where
    the solved rule changes from knocking to going on, between cells with a gain: it follows the
    sign of every gain that is clear.
    """
    names = solution.by.classes
    turns, deadwoods = shown_places(solution.cells)
    panels = [_Panel(solution, name, turns, deadwoods) for name in names]
    width, height, n_columns = size_of_panels(len(names), len(turns), len(deadwoods))
    limit = _limit(panels)
    told = (
        f"{_CELLS_WORDS}; {half_width_words([panel.figures for panel in panels])}. "
        f"{_LINE_WORDS}{_limit_words(limit)}"
        f"{_later_words(solution.cells, turns)}{_worth_words(solution)}"
    )
    title = f"{solution.play} against {solution.against}, when to knock"
    figure = study_frame(solution, title, told, command, height + 1.9, width)
    grid, axes = panel_axes(figure, len(names), n_columns)
    drawn = []
    for number, (place, panel) in enumerate(zip(axes, panels, strict=True)):
        drawn.append(panel.draw(place, limit))
        class_title(place, solution, names[number], n_columns * 40 // len(axes[:n_columns]))
        label_cells(place, turns, deadwoods, number, n_columns, len(names))
    _write_bar(figure, grid, drawn[0], solution.shown_unit, limit)
    _write_keys(figure.add_subplot(grid[-1, -1]))
    write_numbers(figure, drawn)
    return figure


def compare_charts(
    charts: Sequence[tuple[str, SavedSolution]],
    command: str,
    title: str,
    class_name: str | None = None,
) -> Figure:
    """Draw knock charts of several results side by side: by opponent, objective or rules.

    Parameters
    ----------
    charts : sequence of (label, SavedSolution)
        In the order of the panels.  Where all have one unit they share their colours; otherwise
        each has its own.
    command, title : str
    class_name : str, optional
        The class that is drawn.  Not needed where each result has one only.

    Raises
    ------
    InputError
        If there is no result, or one of them lacks the class.
    """
    if not charts:
        raise InputError("no solved result was given to be compared: give one at least.")
    named = [_class_of(label, solution, class_name) for label, solution in charts]
    solutions = [solution for _, solution in charts]
    some = [
        cell
        for solution, name in zip(solutions, named, strict=True)
        for cell in solution.cells
        if cell.class_name == name
    ]
    turns, deadwoods = shown_places(some)
    panels = [
        _Panel(solution, name, turns, deadwoods)
        for solution, name in zip(solutions, named, strict=True)
    ]
    n = len(panels)
    width, height, n_columns = size_of_panels(n, len(turns), len(deadwoods))
    shared = len({solution.unit for solution in solutions}) == 1
    limits = [_limit(panels)] * n if shared else [_limit([panel]) for panel in panels]
    samples = dict.fromkeys(f"{each.sample}, seed {each.seed}" for each in solutions)
    levels = dict.fromkeys(f"{each.confidence:.0%}" for each in solutions)
    stopped = " (some stopped early)" if any(each.is_cut for each in solutions) else ""
    of_class = dict.fromkeys(
        f"{solution.by.meaning}: {name}"
        for solution, name in zip(solutions, named, strict=True)
        if len(solution.by.classes) > 1
    )
    colours = _limit_words(limits[0]) if shared else "Each panel has colours of its own. "
    told = (
        f"{'; '.join(samples)}{stopped}; {listed(list(levels), 'and')} intervals of each figure "
        f"by itself. {_CELLS_WORDS}; {half_width_words([panel.figures for panel in panels])}. "
        f"{_LINE_WORDS}{colours}"
        "Above each panel: what the solved rule gains over the policy's own. "
        f"{sentence('; '.join(of_class))}"
    )
    figure = framed(title, told, command, height + 1.9, width)
    grid, axes = panel_axes(figure, n, n_columns)
    drawn = []
    for number, (place, panel) in enumerate(zip(axes, panels, strict=True)):
        drawn.append(panel.draw(place, limits[number]))
        words = [wrapped(charts[number][0], 46), _gain_words(panel.solution)]
        place.set_title("\n".join(word for word in words if word), fontsize=9, loc="left")
        label_cells(place, turns, deadwoods, number, n_columns, n)
        if not shared:
            bar = figure.colorbar(drawn[-1].mesh, ax=place, pad=0.02, extend="both")
            bar.set_label(panel.solution.shown_unit, fontsize=8)
            bar.outline.set_visible(False)
    if shared:
        _write_bar(figure, grid, drawn[0], solutions[0].shown_unit, limits[0])
    _write_keys(figure.add_subplot(grid[-1, -1] if shared else grid[-1, :]))
    write_numbers(figure, drawn)
    return figure


def score_chart(found: SavedKnocksByScore, command: str) -> Figure:
    """Draw the knock charts of several scores side by side."""
    title = (
        f"{found.play} against {found.against}, when to knock by score: {found.shown_unit}, "
        f"{found.rules.name} rules"
    )
    return compare_charts([(panel.score.words, panel) for panel in found.panels], command, title)


# ------------------------------------------------------ heatmaps of knocks


def shown_places(cells: Sequence[KnockPlace]) -> tuple[list[int], list[int]]:
    """Return the turns and the deadwoods that a heatmap has, from 1 without a gap.

    Turns end where in no later one a cell can be shown; where none can, with the last knock.
    """
    shown = [cell.turn for cell in cells if getattr(cell, "is_shown", cell.knocks > 0)]
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


def class_title(axes: Axes, knocks: SavedKnocks, name: str, n_characters: int) -> None:
    """Write a panel's class above it, if there is more than one."""
    if len(knocks.by.classes) > 1:
        words = wrapped(f"{knocks.by.meaning}: {name}", n_characters)
        axes.set_title(words, fontsize=9, loc="left")


class _Panel:
    """One class of one result as rows of cells."""

    def __init__(
        self, solution: SavedSolution, name: str, turns: list[int], deadwoods: list[int]
    ) -> None:
        self.solution = solution
        found = {
            (cell.turn, cell.deadwood): cell for cell in solution.cells if cell.class_name == name
        }
        self.rows: list[list[KnockCell | None]] = [
            [found.get((turn, deadwood)) for deadwood in deadwoods] for turn in turns
        ]
        missing = Estimate(math.nan, math.nan, math.nan)
        self.figures = [
            [cell.figure(solution.scale) if cell else missing for cell in row] for row in self.rows
        ]

    @property
    def has_figures(self) -> bool:
        return any(not math.isnan(figure.estimate) for row in self.figures for figure in row)

    def draw(self, axes: Axes, limit: float) -> Cells:
        cells = draw_cells(axes, self.figures, around_zero=True, limits=(-limit, limit))
        few = []
        for row, line in enumerate(self.rows):
            for column, cell in enumerate(line):
                if cell and cell.decision == "too close":
                    hatch(cells, row, column)
                elif cell and not cell.is_shown and cell.knocks:
                    few.append((row, column))
        dot(cells, few)
        if not self.has_figures:
            say_nothing_shown(axes, "too few knocks to show")
        draw_border(
            cells,
            [
                [cell.rule == "knock" if cell and cell.is_shown else None for cell in line]
                for line in self.rows
            ],
        )
        return cells


def _limit(panels: list[_Panel]) -> float:
    """Return where colours end: half the median of the gains' sizes, rounded up to one figure."""
    sizes = [
        abs(figure.estimate)
        for panel in panels
        for row in panel.figures
        for figure in row
        if not math.isnan(figure.estimate)
    ]
    middle = median(sizes) / 2 if sizes else 0.0
    if not middle:
        return max(sizes, default=0.0) or 1.0
    step = 10.0 ** math.floor(math.log10(middle))
    return math.ceil(middle / step) * step


def _limit_words(limit: float) -> str:
    return f"Colours end at ±{limit:g}. "


def _later_words(cells: Sequence[KnockCell], turns: list[int]) -> str:
    later = any(cell.knocks for cell in cells if cell.turn > turns[-1])
    return f"After turn {turns[-1]} too few knocks everywhere. " if later else ""


def _worth_words(solution: SavedSolution) -> str:
    words = _gain_words(solution)
    return f"The solved rule gains {words} over the policy's own." if words else ""


def _gain_words(solution: SavedSolution) -> str:
    """Return what the solved rule gains: "+0.83 points per hand [+0.79, +0.87]"."""
    gain = solution.gain.figure(solution.scale)
    if math.isnan(gain.estimate):
        return ""
    if math.isnan(gain.low):
        return f"{gain.estimate:+.2f} {solution.shown_unit}"
    decimals = max(2, chart_decimals(gain.half_width))
    low, high = (f"{end:+.{decimals}f}" for end in (gain.low, gain.high))
    return f"{gain.estimate:+.{decimals}f} {solution.shown_unit} [{low}, {high}]"


def _class_of(label: str, solution: SavedSolution, class_name: str | None) -> str:
    names = solution.by.classes
    if class_name is None and len(names) == 1:
        return names[0]
    if class_name not in names:
        asked = "no class was named" if class_name is None else f"it has no class '{class_name}'"
        raise InputError(
            f"'{label}' cannot be compared by one class, {asked}: name {listed(names)}."
        )
    return class_name


def _write_bar(figure: Figure, grid, cells: Cells, unit: str, limit: float) -> None:
    bar = figure.colorbar(
        cells.mesh, cax=figure.add_subplot(grid[-1, 0]), orientation="horizontal", extend="both"
    )
    bar.set_label(
        f"play on   \N{LEFTWARDS ARROW}   {unit}   \N{RIGHTWARDS ARROW}   knock", fontsize=8
    )
    bar.outline.set_visible(False)
    bar.set_ticks([-limit, -limit / 2, 0, limit / 2, limit])
    bar.ax.tick_params(labelsize=8)


def _write_keys(axes: Axes) -> None:
    keys = [
        border_key("decision line of the solved rule"),
        hatch_key("too close to call: interval spans zero"),
        dot_key("too few knocks to show"),
    ]
    keys_of_signs(axes, keys, 1)
