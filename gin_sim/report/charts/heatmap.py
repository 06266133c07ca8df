"""Cells of estimates as colours with numbers, for any chart that has a matrix.

Colours are cividis (Nuñez, Anderton and Renslow, PLOS ONE 13, 2018), even in lightness and the
same to the colour-blind, made paler so that numbers read on it; in a matrix around zero its
middle, a grey, is zero, blue and darker is below, yellow and lighter is above.  What it decides is
how much fits into a cell.
"""

from __future__ import annotations

import itertools
import math
import re
from dataclasses import dataclass, field
from statistics import median

import matplotlib as mpl
import numpy as np
from matplotlib.axes import Axes
from matplotlib.collections import LineCollection, QuadMesh
from matplotlib.colors import ListedColormap, Normalize
from matplotlib.figure import Figure
from matplotlib.lines import Line2D
from matplotlib.patches import Patch, Rectangle

from gin_sim.contests.figures import decimals_for
from gin_sim.report.charts.frame import BLACK, GREY, chart_decimals, wrapped
from gin_sim.report.wording import value_text
from gin_sim.results.common import Estimate, Value
from gin_sim.results.parameter import Parameter

_PALER = 0.25  # the part of white in each colour
COLOURS = ListedColormap(
    [
        [(1 - _PALER) * part + _PALER for part in colour]
        for colour in mpl.colormaps["cividis"].colors
    ],
    name="pale cividis",
)
_HATCH = "////"
# Sizes of a cell's number in points, the one that is tried first in front, and of the half-width.
_SIZES = ((9, 7), (8, 6.5), (7, 6), (6.5, 6), (6, 6))
_MOST_TICKS = 50  # along an axis of cells
_ROOM = 0.84  # of a cell's width and height that its numbers may take


@dataclass(frozen=True)
class Cells:
    """A drawn matrix that waits for its numbers.

    Parameters
    ----------
    axes : Axes
    figures : list of rows of Estimate
        As shown: in the unit of the chart; a nan has no cell.
    mesh : QuadMesh
        What a colour bar is made for.
    signed : bool
        Whether numbers above zero have a plus.
    decimals : int or None
        None: as the intervals allow.
    hatched : set of (row, column)
    """

    axes: Axes
    figures: list[list[Estimate]]
    mesh: QuadMesh
    signed: bool = True
    decimals: int | None = None
    hatched: set[tuple[int, int]] = field(default_factory=set)


def draw_cells(
    axes,
    figures: list[list[Estimate]],
    around_zero: bool,
    limits: tuple[float, float] | None = None,
    signed: bool = True,
    decimals: int | None = None,
) -> Cells:
    """Draw a matrix as coloured cells, the first row on top, cell centres at whole numbers.

    Parameters
    ----------
    axes : Axes
    figures : list of rows of Estimate
    around_zero : bool
        Whether zero has the middle of the colours.
    limits : pair of float, optional
        Where the colours end, in place of the least and the greatest estimate.
    signed, decimals
        See :class:`Cells`.
    """
    values = np.ma.masked_invalid([[figure.estimate for figure in row] for row in figures])
    n_rows, n_columns = values.shape
    low, high = (float(values.min()), float(values.max())) if values.count() else (0.0, 0.0)
    if around_zero:
        high = max(-low, high)
        low = -high
    low, high = limits or (low, high)
    if low == high:
        low, high = low - 0.5, high + 0.5
    mesh = axes.pcolormesh(
        np.arange(n_columns + 1) - 0.5,
        np.arange(n_rows + 1) - 0.5,
        values,
        cmap=COLOURS,
        norm=Normalize(low, high),
        edgecolors="white",
        linewidth=0.6,
    )
    axes.set_xlim(-0.5, n_columns - 0.5)
    axes.set_ylim(n_rows - 0.5, -0.5)
    axes.tick_params(length=0)
    for spine in axes.spines.values():
        spine.set_visible(False)
    return Cells(axes, figures, mesh, signed, decimals)


def hatch(cells: Cells, row: int, column: int) -> None:
    """Hatch a cell."""
    cells.hatched.add((row, column))
    cells.axes.add_patch(
        Rectangle(
            (column - 0.5, row - 0.5),
            1,
            1,
            fill=False,
            hatch=_HATCH,
            linewidth=0,
            edgecolor=_ink(cells, row, column),
            alpha=0.45,
        )
    )


def outline(cells: Cells, row: int, column: int, dashed: bool = False) -> None:
    """Draw a frame inside a cell's edge, black on white so that it shows on any colour."""
    n_rows, n_columns = len(cells.figures), len(cells.figures[0])
    across, down = (min(0.05, 0.005 * n) for n in (n_columns, n_rows))
    styles = [("white", 3.2, "-"), (BLACK, 1.6, "-")]
    if dashed:
        styles = [("white", 2.2, "-"), (BLACK, 1.1, (0, (2.5, 1.5)))]
    for colour, width, style in styles:
        cells.axes.add_patch(
            Rectangle(
                (column - 0.5 + across, row - 0.5 + down),
                1 - 2 * across,
                1 - 2 * down,
                fill=False,
                edgecolor=colour,
                linewidth=width,
                linestyle=style,
                zorder=3,
            )
        )


def dot(cells: Cells, places: list[tuple[int, int]]) -> None:
    """Put a dot into the cells of some rows and columns that have no colour."""
    for row, column in places:
        cells.axes.plot(column, row, marker=".", ms=3, color=GREY, ls="none", zorder=2)


def dot_key(label: str) -> Line2D:
    """Return the legend's sign for dotted cells."""
    return Line2D([], [], marker=".", ms=4, color=GREY, ls="none", label=label)


def draw_border(cells: Cells, inside: list[list[bool | None]]) -> None:
    """Draw a thick line along the edges between cells that are inside and cells that are not.

    Black on white so that it shows on any colour.  None is neither; where both cells of an edge
    are blank there is no line.
    """
    known = [[not math.isnan(figure.estimate) for figure in row] for row in cells.figures]
    n_rows, n_columns = len(inside), len(inside[0])
    edges = []
    for row, column in itertools.product(range(n_rows), range(n_columns)):
        for down, across in ((0, 1), (1, 0)):
            other = row + down, column + across
            if other[0] == n_rows or other[1] == n_columns:
                continue
            sides = inside[row][column], inside[other[0]][other[1]]
            if None in sides or sides[0] == sides[1]:
                continue
            if known[row][column] or known[other[0]][other[1]]:
                x, y = column + 0.5, row + 0.5
                start = (x, y - 1) if across else (x - 1, y)
                edges.append((start, (x, y)))
    for colour, width in (("white", 4.4), (BLACK, 2.2)):
        cells.axes.add_collection(
            LineCollection(
                edges,
                colors=colour,
                linewidths=width,
                capstyle="projecting",
                zorder=3,
                gid="border",
            ),
            autolim=False,
        )


def border_key(label: str) -> Line2D:
    """Return the legend's sign for a border."""
    return Line2D([], [], color=BLACK, lw=2.2, label=label)


def outline_key(label: str, dashed: bool = False) -> Patch:
    """Return the legend's sign for outlined cells."""
    style = (0, (2.5, 1.5)) if dashed else "-"
    return Patch(
        fill=False, edgecolor=BLACK, linewidth=1.6 - 0.5 * dashed, linestyle=style, label=label
    )


def hatch_key(label: str) -> Patch:
    """Return the legend's sign for hatched cells."""
    return Patch(facecolor="white", edgecolor="#666666", hatch=_HATCH, linewidth=0.5, label=label)


def tick_values(axis, values: list[Value], turned: bool = False) -> None:
    """Write values at 0, 1, 2 …, one a cell; ``turned`` for long ones under columns.

    Of very many values only each second, third … is written.
    """
    step = math.ceil(len(values) / _MOST_TICKS)
    texts = [wrapped(value_text(value), 16) for value in values[::step]]
    long = turned and max(map(len, texts)) * len(texts) > 60
    axis.set_ticks(range(0, len(values), step), texts, fontsize=8, rotation=90 if long else 0)


def parameter_axis(axis, parameter: Parameter, label: str | None = None) -> None:
    """Write a parameter's values along an axis of cells, with its name and unit."""
    tick_values(axis, parameter.values, turned=axis.axis_name == "x")
    axis.set_label_text(parameter.label if label is None else label)


def half_width_words(matrices: list[list[list[Estimate]]]) -> str:
    """Return how far intervals reach: "intervals of ±0.02 to ±0.03"."""
    reaches = [
        figure.half_width
        for rows in matrices
        for row in rows
        for figure in row
        if figure.half_width >= 0  # not nan
    ]
    reaches = [reach for reach in reaches if reach] or reaches  # but of a policy against itself
    if not reaches:
        return "too few hands for intervals"
    decimals = decimals_for(min(reaches), 2)
    least, most = f"intervals of ±{min(reaches):.{decimals}f}", f"±{max(reaches):.{decimals}f}"
    return f"{least} in each cell" if least.endswith(most) else f"{least} to {most} in each cell"


def write_numbers(figure: Figure, cells: list[Cells]) -> None:
    """Write into all cells alike their estimates, and their half-widths where there is room.

    To be called when everything else is drawn: the cells' size decides.
    """
    figure.draw_without_rendering()
    numbers = [_numbers(part) for part in cells]
    texts = [text for part in numbers for row in part for pair in row for text in pair if text]
    if not texts:
        return
    room = [
        _ROOM * min(size(part) for part in cells)
        for size in (
            lambda part: part.axes.bbox.width / len(part.figures[0]),
            lambda part: part.axes.bbox.height / len(part.figures),
        )
    ]
    firsts = [first for part in numbers for row in part for first, _ in row if first]
    seconds = [second for part in numbers for row in part for _, second in row if second]
    choices = [(size, small) for size, small in _SIZES if seconds]
    for size, small in [*choices, *((size, None) for size, _ in _SIZES)]:
        shown = [(firsts, size), *([(seconds, small)] if small else [])]
        extents = [_extent(figure, part, points) for part, points in shown]
        if max(e[0] for e in extents) <= room[0] and sum(e[1] for e in extents) <= room[1]:
            for part, written in zip(cells, numbers, strict=True):
                _write(part, written, size, small)
            return


def _numbers(cells: Cells) -> list[list[tuple[str, str]]]:
    figures = [figure for row in cells.figures for figure in row]
    reaches = [figure.half_width for figure in figures if figure.half_width > 0]
    decimals = cells.decimals
    if decimals is None:
        decimals = chart_decimals(median(reaches)) if reaches else 2

    def texts(figure: Estimate) -> tuple[str, str]:
        if math.isnan(figure.estimate):
            return "", ""
        number = f"{figure.estimate:+.{decimals}f}"
        if not cells.signed or float(number) == 0:
            number = number[1:]
        reach = f"±{figure.half_width:.{decimals}f}" if figure.half_width > 0 else ""
        return number, reach

    return [[texts(figure) for figure in row] for row in cells.figures]


def _extent(figure: Figure, texts: list[str], points: float) -> tuple[float, float]:
    """Return the width of the widest text and the height of a line, in pixels."""
    shapes = sorted({re.sub(r"\d", "0", text) for text in texts})  # digits are equally wide
    shown = [figure.text(0, 0, text, fontsize=points) for text in shapes]
    boxes = [text.get_window_extent() for text in shown]
    for text in shown:
        text.remove()
    return max(box.width for box in boxes), points * figure.dpi / 72 * 1.15


def _write(
    cells: Cells, numbers: list[list[tuple[str, str]]], size: float, small: float | None
) -> None:
    for row, texts in enumerate(numbers):
        for column, (number, reach) in enumerate(texts):
            if not number:
                continue
            two = bool(small and reach)
            under = {"facecolor": _colour(cells, row, column), "edgecolor": "none", "pad": 0.4}
            for text, points, above in [
                (number, size, "bottom" if two else "center"),
                *([(reach, small, "top")] if two else []),
            ]:
                cells.axes.text(
                    column,
                    row,
                    text,
                    fontsize=points,
                    ha="center",
                    va=above,
                    color=_ink(cells, row, column),
                    zorder=2,
                    bbox=under if (row, column) in cells.hatched else None,
                )


def _colour(cells: Cells, row: int, column: int) -> tuple[float, float, float, float]:
    return COLOURS(cells.mesh.norm(cells.figures[row][column].estimate))


def _ink(cells: Cells, row: int, column: int) -> str:
    """Return black on light cells and white on dark ones (luma of Rec. 709)."""
    red, green, blue, _ = _colour(cells, row, column)
    return BLACK if 0.2126 * red + 0.7152 * green + 0.0722 * blue > 0.5 else "white"
