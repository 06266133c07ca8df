"""Charts of a sweep: a line for one parameter, a heatmap for two, a panel for each opponent.

Opponents differ far more than the values of a parameter do, so each panel has a scale of its own:
the chart answers which value is best against whom, and by how much.
"""

from __future__ import annotations

import itertools
import math
from typing import Any

from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.lines import Line2D
from matplotlib.patches import Patch
from matplotlib.ticker import MaxNLocator

from gin_sim.report.charts.frame import (
    BLACK,
    BLUE,
    GREEN,
    GREY,
    PURPLE,
    SKY,
    VERMILION,
    chart_decimals,
    keys_of_signs,
    lead_label,
    runs_text,
    sentence,
    study_frame,
    wrapped,
)
from gin_sim.report.charts.heatmap import (
    Cells,
    draw_cells,
    half_width_words,
    hatch,
    hatch_key,
    outline,
    outline_key,
    parameter_axis,
    write_numbers,
)
from gin_sim.report.wording import counted_words, played_words, value_text
from gin_sim.results.common import Estimate
from gin_sim.results.parameter import Parameter
from gin_sim.results.sweep import Sweep, SweepTable
from gin_sim.words import counted, listed

# One for each panel in turn: colour, marker, line.
_STYLES = [
    (BLUE, "o", "-"),
    (VERMILION, "s", "--"),
    (GREEN, "^", "-."),
    (PURPLE, "D", (0, (5, 1, 1, 1, 1, 1))),
    (SKY, "v", (0, (1, 1))),
]
_MEAN_STYLE = (BLACK, "P", (0, (3, 1)))
_MOST_TICKS = 12


def sweep_chart(sweep: Sweep) -> Figure:
    """Draw the lead by one parameter's values, or by two parameters' values."""
    return _lines(sweep) if len(sweep.parameters) == 1 else _heatmaps(sweep)


def sweep_panel(sweep: Sweep, axes: Axes) -> None:
    """Draw the lead by one parameter's values, a line for each opponent, or the first heatmap."""
    if len(sweep.parameters) > 1:
        cells = _draw_heatmap(axes, sweep, sweep.by_opponent[0])
        axes.set_title(_panel_words(sweep, sweep.by_opponent[0], 1), fontsize=9, loc="left")
        write_numbers(axes.get_figure(), [cells])
        return
    (parameter,) = sweep.parameters
    figures = []
    for number, table in enumerate(sweep.by_opponent):
        _draw_line(axes, sweep, table, _style(number, table), _against(table))
        figures += _figures(sweep, table)
    _scale(axes, figures)
    _ticks(axes, parameter, 110)
    axes.set_ylabel(_label(sweep))
    axes.set_xlabel(parameter.label)
    if len(sweep.by_opponent) > 1:
        axes.legend(frameon=False, fontsize=8)
    else:
        axes.set_title(_panel_words(sweep, sweep.by_opponent[0], 1), fontsize=9, loc="left")


def _frame(sweep: Sweep, says: str, height: float, width: float = 9.0) -> Figure:
    """Return the empty figure, which names the score and the hands that the game follows from."""
    goal, sample = None, None
    if sweep.score is not None:
        goal = f"{sweep.shown_unit.shown} at {sweep.score.words}"
        later = [counted_words(each.hands, each.scores) for each in sweep.later_hands]
        sample = (
            f"{played_words(sweep.sample)}, the rest of the game from "
            f"{listed(list(dict.fromkeys(later)), 'and')}"
        )
    return study_frame(sweep, _title(sweep), says, height, width, goal, sample)


def _title(sweep: Sweep) -> str:
    names = " and ".join(parameter.name for parameter in sweep.parameters)
    against = ""
    if len(sweep.by_opponent) == 1:
        against = f", {_against(sweep.by_opponent[0])}"
    return f"{sweep.play.spec} by {names}{against}"


def _against(table: SweepTable) -> str:
    return "mean over all opponents" if table.against is None else f"against {table.against}"


def _meanings(sweep: Sweep) -> str:
    says = [f"{p.name}: {p.meaning.rstrip('.')}." for p in sweep.parameters if p.meaning]
    if sweep.score:
        says.append("Intervals are those of the hands of this sweep alone.")
    return " ".join(says)


def _label(sweep: Sweep) -> str:
    """Return what an axis says of the figures."""
    return sweep.shown_unit.shown if sweep.score else lead_label(sweep)


def _figures(sweep: Sweep, table: SweepTable) -> list[Estimate]:
    return [sweep.shown(cell.figure) for cell in table.cells]


def _panels(figure: Figure, n: int, n_columns: int) -> tuple[list, Axes]:
    """Return the axes of n panels, row by row, and those of the legend below them."""
    n_rows = math.ceil(n / n_columns)
    grid = figure.add_gridspec(n_rows + 1, n_columns, height_ratios=[1] * n_rows + [0.02])
    places = itertools.product(range(n_rows), range(n_columns))
    panels = [figure.add_subplot(grid[place]) for place in itertools.islice(places, n)]
    return panels, figure.add_subplot(grid[n_rows, :])


def _best_words(sweep: Sweep, table: SweepTable) -> str:
    """Return what a panel's second line says: the best value, and those tied with it."""
    figure = sweep.shown(table.best_cell.figure)
    if math.isnan(figure.estimate):
        return "nothing played"
    decimals = 2 if math.isnan(figure.low) else chart_decimals(figure.half_width)
    reach = "" if math.isnan(figure.low) else f" ±{figure.half_width:.{decimals}f}"
    where = value_text(table.best[0])
    if len(table.best) > 1:
        values = zip(sweep.parameters, table.best, strict=True)
        where = ", ".join(f"{parameter.name} {value_text(value)}" for parameter, value in values)
    sign = "" if sweep.has_chances else "+"
    words = f"best at {where}: {figure.estimate:{sign}.{decimals}f}{reach}"
    others = [cell.values for cell in table.tied]
    if not others:
        return words
    if len(table.best) > 1:
        return f"{words}; tied: {counted(len(others), 'cell')}"
    tried = sweep.parameters[0].values
    return f"{words}; tied: {runs_text([values[0] for values in others], tried)}"


def _panel_words(sweep: Sweep, table: SweepTable, n_columns: int) -> str:
    """Return the title of one of several panels side by side, or of the only one."""
    words = [] if len(sweep.by_opponent) == 1 else [_against(table)]
    words.append(_best_words(sweep, table))
    return "\n".join(wrapped(each, 102 // n_columns) for each in words)


# ----------------------------------------------------------- one parameter


def _lines(sweep: Sweep) -> Figure:
    n = len(sweep.by_opponent)
    n_columns = {1: 1, 2: 2, 3: 3, 4: 2}.get(n, 3)
    n_rows = math.ceil(n / n_columns)
    (parameter,) = sweep.parameters
    scales = " Each panel has a scale of its own." if n > 1 else ""
    height = 1.3 + (3.2 if n_rows == 1 else 2.6 * n_rows)
    figure = _frame(sweep, f"{_meanings(sweep)}{scales}".strip(), height)
    panels, legend = _panels(figure, n, n_columns)
    for number, (axes, table) in enumerate(zip(panels, sweep.by_opponent, strict=True)):
        _draw_line(axes, sweep, table, _style(number, table))
        _scale(axes, _figures(sweep, table))
        _ticks(axes, parameter, 110 // n_columns)
        axes.set_title(_panel_words(sweep, table, n_columns), fontsize=9, loc="left")
        if number % n_columns == 0:
            axes.set_ylabel(_label(sweep))
        if number + n_columns >= n:
            axes.set_xlabel(parameter.label)
    _write_keys(legend, sweep, _is_connected(parameter))
    return figure


def _is_connected(parameter: Parameter) -> bool:
    """Whether the values are joined by a line."""
    return parameter.is_numeric and len(parameter.values) > 1


def _places(parameter: Parameter) -> list[Any]:
    """Return where the values stand: numbers at their own size, others side by side."""
    return parameter.values if parameter.is_numeric else list(range(len(parameter.values)))


def _style(number: int, table: SweepTable) -> tuple[str, str, Any]:
    """Return colour, marker and line of a table."""
    return _MEAN_STYLE if table.against is None else _STYLES[number % len(_STYLES)]


def _draw_line(
    axes: Axes,
    sweep: Sweep,
    table: SweepTable,
    style: tuple[str, str, Any],
    label: str | None = None,
) -> None:
    """Draw a table's figures by value with their intervals; those among the best are filled."""
    colour, marker, line = style
    (parameter,) = sweep.parameters
    figures, places = _figures(sweep, table), _places(parameter)
    if _is_connected(parameter):
        order = sorted(range(len(places)), key=places.__getitem__)
        along = [places[i] for i in order]
        estimates = [figures[i].estimate for i in order]
        axes.plot(along, estimates, color=colour, ls=line, lw=1.4, zorder=2, label=label)
        axes.fill_between(
            along,
            [figures[i].low for i in order],
            [figures[i].high for i in order],
            color=colour,
            alpha=0.25,
            lw=0,
            zorder=1,
        )
    else:
        if label:
            axes.plot([], [], color=colour, marker=marker, ls="none", label=label)
        for place, figure in zip(places, figures, strict=True):
            if not math.isnan(figure.low):
                axes.vlines(place, figure.low, figure.high, color=colour, lw=1.4, zorder=1)
    for place, figure, cell in zip(places, figures, table.cells, strict=True):
        axes.plot(
            place,
            figure.estimate,
            marker=marker,
            ms=5.5,
            color=colour,
            mfc=colour if cell.among_best or cell.values == table.best else "white",
            zorder=3,
        )
        if cell.values == table.best:
            axes.plot(
                place, figure.estimate, marker="o", ms=12, mfc="none", mec=BLACK, mew=1.3, zorder=4
            )


def _scale(axes: Axes, figures: list[Estimate]) -> None:
    """Take zero in where it is near, so that the shape still fills half of the panel."""
    ends = [end for f in figures for end in (f.estimate, f.low, f.high) if not math.isnan(end)]
    low, high = (min(ends), max(ends)) if ends else (0.0, 0.0)
    width = high - low
    if low - width <= 0 <= high + width:
        axes.axhline(0, color=GREY, lw=1, ls="--", zorder=0)
        low, high = min(low, 0.0), max(high, 0.0)
    room = 0.1 * (high - low) or 1.0
    axes.set_ylim(low - room, high + room)


def _ticks(axes: Axes, parameter: Parameter, n_characters: int) -> None:
    """Write the values along the axis, in a panel that is so many characters wide."""
    places, values = _places(parameter), parameter.values
    room = 0.06 * (max(places) - min(places)) or 0.5
    axes.set_xlim(min(places) - room, max(places) + room)
    if not parameter.is_numeric:
        texts = [wrapped(value_text(value), 16) for value in values]
        widest = max(len(line) for text in texts for line in text.splitlines())
        long = (widest + 1) * len(texts) > n_characters
        axes.set_xticks(places, texts, fontsize=8, rotation=90 if long else 0)
        return
    gaps = [b - a for a, b in itertools.pairwise(sorted(places))]
    even = not gaps or min(gaps) * (_MOST_TICKS - 1) >= max(places) - min(places)
    if len(places) <= _MOST_TICKS and even:
        axes.set_xticks(places, [value_text(value) for value in values])
    else:
        whole = all(float(place).is_integer() for place in places)
        axes.xaxis.set_major_locator(MaxNLocator(nbins=8, integer=whole))


def _write_keys(axes: Axes, sweep: Sweep, connected: bool) -> None:
    grey: dict[str, Any] = {"color": "#444444", "ls": "none", "marker": "o"}
    share = f"{sweep.confidence:.0%} interval"
    keys = [
        Line2D([], [], marker="o", ls="none", ms=10, mfc="none", mec=BLACK, mew=1.3, label="best"),
        Line2D([], [], label="tied with the best", ms=5.5, **grey),
        Line2D([], [], label="found worse than another", ms=5.5, mfc="white", **grey),
        Patch(color="#444444", alpha=0.25, lw=0, label=share)
        if connected
        else Line2D([], [], color="#444444", lw=1.4, label=share),
    ]
    keys_of_signs(axes, keys, 4)


# ---------------------------------------------------------- two parameters


def _heatmaps(sweep: Sweep) -> Figure:
    n = len(sweep.by_opponent)
    rows, columns = sweep.parameters
    n_columns = 1 if n == 1 or len(columns.values) > 12 else 2
    n_rows = math.ceil(n / n_columns)
    grids = [_grid(sweep, table) for table in sweep.by_opponent]
    height = 1.2 + n_rows * (min(9, max(1.6, 0.36 * len(rows.values))) + 0.9)
    width = min(16, 9 + max(0, 0.46 * len(columns.values) * n_columns - 7.5))
    scales = " Each panel has colours of its own." if n > 1 else ""
    says = f"{_meanings(sweep)} {sentence(half_width_words(grids))}{scales}".strip()
    figure = _frame(sweep, says, height, width)
    panels, legend = _panels(figure, n, n_columns)
    drawn = []
    for number, (axes, table) in enumerate(zip(panels, sweep.by_opponent, strict=True)):
        at_left, at_bottom = number % n_columns == 0, number + n_columns >= n
        cells = _draw_heatmap(axes, sweep, table, at_left, at_bottom)
        axes.set_title(_panel_words(sweep, table, n_columns), fontsize=9, loc="left")
        drawn.append(cells)
    keys = [outline_key("best"), hatch_key("tied with the best")]
    keys_of_signs(legend, keys, 2)
    write_numbers(figure, drawn)
    return figure


def _draw_heatmap(
    axes: Axes,
    sweep: Sweep,
    table: SweepTable,
    at_left: bool = True,
    at_bottom: bool = True,
) -> Cells:
    """Draw a table as cells, with the parameters' names where it stands at the left or bottom."""
    rows, columns = sweep.parameters
    grid = _grid(sweep, table)
    cells = draw_cells(axes, grid, around_zero=False, signed=not sweep.has_chances)
    _mark_best(cells, table, len(columns.values))
    parameter_axis(axes.yaxis, rows, None if at_left else "")
    parameter_axis(axes.xaxis, columns, None if at_bottom else "")
    bar = axes.get_figure().colorbar(cells.mesh, ax=axes, pad=0.02)
    bar.set_label(_label(sweep), fontsize=8)
    bar.outline.set_visible(False)
    return cells


def _grid(sweep: Sweep, table: SweepTable) -> list[list[Estimate]]:
    figures = _figures(sweep, table)
    n = len(sweep.parameters[1].values)
    return [figures[start : start + n] for start in range(0, len(figures), n)]


def _mark_best(cells: Cells, table: SweepTable, n_columns: int) -> None:
    for place, cell in enumerate(table.cells):
        row, column = divmod(place, n_columns)
        if math.isnan(cells.figures[row][column].estimate):
            continue
        if cell.values == table.best:
            outline(cells, row, column)
        elif cell.among_best:
            hatch(cells, row, column)
