"""The knock chart: by own turn and deadwood, what a knock gains over playing on, and what to do.

A panel for each class of what the mover sees, or for each of several results; all panels have the
same rows, columns and colours.  Colours end well below the greatest gains: the decision is made
near zero, and there it must be seen.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from statistics import median

from matplotlib.axes import Axes
from matplotlib.figure import Figure

from gin_sim.errors import InputError
from gin_sim.report.charts.frame import framed, keys_of_signs, say_nothing_shown, sentence, wrapped
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
    write_numbers,
)
from gin_sim.report.charts.knocks import (
    class_title,
    knocks_frame,
    label_cells,
    panel_axes,
    shown_places,
    signed_words,
    size_of_panels,
)
from gin_sim.report.wording import sample_words
from gin_sim.results.common import NO_ESTIMATE
from gin_sim.results.objective import Unit
from gin_sim.results.several_scores import SeveralScores
from gin_sim.results.solution import KnockCell, Solution
from gin_sim.words import listed

_CELLS_WORDS = (
    "Cells: how much more a knock is worth than playing on; each half of the deals judges the rule "
    "found on the other half"
)
_LINE_WORDS = (
    "The line is the solved rule: it follows every clear cell, and all deals together where a cell "
    "is too close. "
)


def knock_chart(solution: Solution) -> Figure:
    """Draw how much more a knock is worth than playing on, by turn and deadwood, a panel per class.

    Numbers and colours are the gain; cells are hatched where its interval spans zero, dotted where
    there are too few knocks to show it, and blank where there is none.  A thick line is drawn where
    the solved rule changes from knocking to playing on, between cells with a gain: it follows the
    sign of every gain that is clear.
    """
    names = solution.by.classes
    turns, deadwoods = shown_places(solution.cells)
    panels = [_Panel(solution, name, turns, deadwoods) for name in names]
    width, height, n_columns = size_of_panels(len(names), len(turns), len(deadwoods))
    limit = _limit(panels)
    says = (
        f"{_CELLS_WORDS}; {half_width_words([panel.figures for panel in panels])}. "
        f"{_LINE_WORDS}{_limit_words(limit)}"
        f"{_later_words(solution.cells, turns)}{_gain_sentence(solution)}"
    )
    title = f"{solution.play.spec} against {solution.against.spec}, when to knock"
    figure = knocks_frame(solution, title, says, height + 1.9, width)
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


def knock_panel(solution: Solution, axes: Axes) -> None:
    """Draw the chart of the first class into a caller's axes, without bar and keys."""
    name = solution.by.classes[0]
    turns, deadwoods = shown_places(solution.cells)
    panel = _Panel(solution, name, turns, deadwoods)
    cells = panel.draw(axes, _limit([panel]))
    class_title(axes, solution, name, 40)
    label_cells(axes, turns, deadwoods, 0, 1, 1)
    write_numbers(axes.figure.figure, [cells])


def compare_charts(
    charts: Sequence[tuple[str, Solution]],
    command: str,
    title: str,
    class_name: str | None = None,
) -> Figure:
    """Draw knock charts of several results side by side: by opponent, objective or rules.

    Parameters
    ----------
    charts : sequence of (label, Solution)
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
    says = _comparison_words(panels, limits[0] if shared else None)
    figure = framed(title, says, command, height + 1.9, width)
    grid, axes = panel_axes(figure, n, n_columns)
    drawn = []
    for number, (place, panel) in enumerate(zip(axes, panels, strict=True)):
        drawn.append(panel.draw(place, limits[number]))
        words = [wrapped(charts[number][0], 46), _gain_words(panel.solution)]
        place.set_title("\n".join(word for word in words if word), fontsize=9, loc="left")
        label_cells(place, turns, deadwoods, number, n_columns, n)
        if not shared:
            bar = figure.colorbar(drawn[-1].mesh, ax=place, pad=0.02, extend="both")
            bar.set_label(panel.solution.shown_unit.shown, fontsize=8)
            bar.outline.set_visible(False)
    if shared:
        _write_bar(figure, grid, drawn[0], solutions[0].shown_unit, limits[0])
    _write_keys(figure.add_subplot(grid[-1, -1] if shared else grid[-1, :]))
    write_numbers(figure, drawn)
    return figure


def _comparison_words(panels: list[_Panel], limit: float | None) -> str:
    """Return what the caption says of panels; the limit is where their shared colours end."""
    solutions = [panel.solution for panel in panels]
    samples = dict.fromkeys(f"{sample_words(each)}, seed {each.seed}" for each in solutions)
    levels = dict.fromkeys(f"{each.confidence:.0%}" for each in solutions)
    stopped = " (some stopped early)" if any(each.is_cut for each in solutions) else ""
    of_class = dict.fromkeys(
        f"{panel.solution.by.meaning}: {panel.name}"
        for panel in panels
        if len(panel.solution.by.classes) > 1
    )
    colours = "Each panel has colours of its own. " if limit is None else _limit_words(limit)
    return (
        f"{'; '.join(samples)}{stopped}; {listed(list(levels), 'and')} intervals of each figure "
        f"by itself. {_CELLS_WORDS}; {half_width_words([panel.figures for panel in panels])}. "
        f"{_LINE_WORDS}{colours}"
        "Above each panel: what the solved rule gains over the policy's own. "
        f"{sentence('; '.join(of_class))}"
    )


def score_chart(found: SeveralScores) -> Figure:
    """Draw the knock charts of several scores side by side."""
    title = (
        f"{found.play.spec} against {found.against.spec}, when to knock by score: "
        f"{found.shown_unit.shown}, {found.rules.name} rules"
    )
    charts = [(panel.score.words if panel.score else "", panel) for panel in found.panels]
    return compare_charts(charts, found.command, title)


class _Panel:
    """One class of one result as rows of cells."""

    def __init__(
        self, solution: Solution, name: str, turns: list[int], deadwoods: list[int]
    ) -> None:
        self.solution = solution
        self.name = name
        found = {
            (cell.turn, cell.deadwood): cell for cell in solution.cells if cell.class_name == name
        }
        self.rows: list[list[KnockCell | None]] = [
            [found.get((turn, deadwood)) for deadwood in deadwoods] for turn in turns
        ]
        scale = solution.shown_unit.scale
        self.figures = [
            [cell.shown_gain.scaled(scale) if cell else NO_ESTIMATE for cell in row]
            for row in self.rows
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


def _gain_sentence(solution: Solution) -> str:
    words = _gain_words(solution)
    return f"The solved rule gains {words} over the policy's own." if words else ""


def _gain_words(solution: Solution) -> str:
    """Return what the solved rule gains: "+0.83 points per hand [+0.79, +0.87]"."""
    return signed_words(solution.gain, solution.shown_unit)


def _class_of(label: str, solution: Solution, class_name: str | None) -> str:
    names = solution.by.classes
    if class_name is None and len(names) == 1:
        return names[0]
    if class_name not in names:
        asked = "no class was named" if class_name is None else f"it has no class '{class_name}'"
        raise InputError(
            f"'{label}' cannot be compared by one class, {asked}: name {listed(names)}."
        )
    return class_name


def _write_bar(figure: Figure, grid, cells: Cells, unit: Unit, limit: float) -> None:
    bar = figure.colorbar(
        cells.mesh, cax=figure.add_subplot(grid[-1, 0]), orientation="horizontal", extend="both"
    )
    bar.set_label(
        f"play on   \N{LEFTWARDS ARROW}   {unit.shown}   \N{RIGHTWARDS ARROW}   knock", fontsize=8
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
