"""What lies behind a knock chart: gains by turn, undercuts, and the opponent's deadwood by turn.

It draws what the result holds and counts nothing anew but percentiles and a share.
"""

from __future__ import annotations

import math

import numpy as np
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
    VERMILION,
    keys_of_signs,
    say_nothing_shown,
)
from gin_sim.report.charts.heatmap import dot, dot_key, draw_cells, write_numbers
from gin_sim.report.charts.knocks import (
    TURN_LABEL,
    class_title,
    knocks_frame,
    label_cells,
    panel_axes,
    shown_places,
    size_of_panels,
)
from gin_sim.results.common import NO_ESTIMATE, Estimate
from gin_sim.results.knocks import DeadwoodCounts
from gin_sim.results.solution import KnockCell, Solution
from gin_sim.stats.intervals import Moments, rate_estimate
from gin_sim.words import counted

#: Deadwoods that have a line, as far as they are there.
LINES = (1, 3, 5, 7, 10)
_STYLES = [
    (BLUE, "o", "-"),
    (VERMILION, "s", "--"),
    (GREEN, "^", "-."),
    (PURPLE, "D", (0, (5, 1, 1, 1, 1, 1))),
    (BLACK, "v", (0, (1, 1))),
]
#: Knocks below which no chance of an undercut is shown: its interval would reach ±10 % and more.
UNDERCUTS_FROM = 100
#: Hands still open below which a turn's deadwood is not shown.
HANDS_FROM = 100
LOW_DEADWOOD = 10  # what a knock is allowed with under common rules


def gain_chart(solution: Solution) -> Figure:
    """Draw the gain of a knock against own turn for some deadwoods, a panel a class.

    Bands are intervals; a point is hollow where its interval spans zero.  Turns with too few
    knocks are left out.
    """
    names = solution.by.classes
    turns, _ = shown_places(solution.cells)
    known = sorted({cell.deadwood for cell in solution.cells})
    deadwoods = [deadwood for deadwood in LINES if deadwood in known] or known[: len(LINES)]
    _, _, n_columns = size_of_panels(len(names), 1, 1)
    n_rows = math.ceil(len(names) / n_columns)
    figure = knocks_frame(
        solution,
        f"{solution.play.spec} against {solution.against.spec}, gain of a knock by turn",
        "Above zero a knock is worth more, below it playing on by the solved rule. "
        "Turns with too few knocks are left out.",
        1.3 + (3.4 if n_rows == 1 else 2.7 * n_rows),
        9.0 if n_columns == 1 else 12.0,
    )
    grid, axes = panel_axes(figure, len(names), n_columns)
    cells = [cell for cell in solution.cells if cell.is_shown and cell.deadwood in deadwoods]
    ends = _scale([cell.shown_gain.scaled(solution.shown_unit.scale) for cell in cells])
    for number, (panel, name) in enumerate(zip(axes, names, strict=True)):
        panel.axhline(0, color=GREY, lw=1, ls="--", zorder=0)
        for style, deadwood in zip(_STYLES, deadwoods, strict=False):
            wanted = [c for c in cells if c.class_name == name and c.deadwood == deadwood]
            _draw_line(panel, solution, sorted(wanted, key=lambda cell: cell.turn), style)
        if not any(cell.class_name == name for cell in cells):
            say_nothing_shown(panel, "too few knocks to show")
        panel.set_xlim(0.5, turns[-1] + 0.5)
        panel.set_ylim(*ends)
        panel.xaxis.set_major_locator(MaxNLocator(nbins=10, integer=True, min_n_ticks=1))
        class_title(panel, solution, name, 100 // n_columns)
        if number % n_columns == 0:
            panel.set_ylabel(f"gain of a knock,\n{solution.shown_unit.shown}")
        if number + n_columns >= len(names):
            panel.set_xlabel(TURN_LABEL)
    keys = [
        Line2D([], [], color=colour, marker=marker, ls=line, ms=5, lw=1.4, label=f"deadwood {d}")
        for (colour, marker, line), d in zip(_STYLES, deadwoods, strict=False)
    ]
    keys += [
        Line2D([], [], color="#444444", marker="o", ls="none", mfc="white", label="too close"),
        Patch(color="#444444", alpha=0.2, lw=0, label=f"{solution.confidence:.0%} interval"),
    ]
    keys_of_signs(figure.add_subplot(grid[-1, :]), keys, len(keys))
    return figure


def _draw_line(axes: Axes, solution: Solution, cells: list[KnockCell], style) -> None:
    colour, marker, line = style
    figures = {cell.turn: cell.shown_gain.scaled(solution.shown_unit.scale) for cell in cells}
    if not figures:
        return
    along = range(min(figures), max(figures) + 1)  # a turn without a figure is a gap
    shown = [figures.get(turn, NO_ESTIMATE) for turn in along]
    axes.plot(along, [f.estimate for f in shown], color=colour, ls=line, lw=1.4, zorder=2)
    ends = [f.low for f in shown], [f.high for f in shown]
    axes.fill_between(along, *ends, color=colour, alpha=0.2, lw=0, zorder=1)
    for cell in cells:
        estimate = figures[cell.turn].estimate
        if not {cell.turn - 1, cell.turn + 1} & figures.keys():  # a band of no breadth
            ends = figures[cell.turn].low, figures[cell.turn].high
            axes.vlines(cell.turn, *ends, color=colour, alpha=0.5, lw=2, zorder=1)
        face = "white" if cell.decision == "too close" else colour
        axes.plot(cell.turn, estimate, marker=marker, ms=4.5, color=colour, mfc=face, zorder=3)


def _scale(figures: list[Estimate]) -> tuple[float, float]:
    """Return the ends of an axis that holds zero, all estimates and most of the intervals."""
    estimates = [figure.estimate for figure in figures] or [0.0]
    lows, highs = ([getattr(f, end) for f in figures] or [0.0] for end in ("low", "high"))
    low = min(0.0, *estimates, float(np.percentile(lows, 5)))
    high = max(0.0, *estimates, float(np.percentile(highs, 95)))
    room = 0.06 * (high - low) or 1.0
    return low - room, high + room


# -------------------------------------------------------------- undercuts


def undercut_chart(solution: Solution) -> Figure:
    """Draw how often a knock is undercut by own turn and deadwood, in percent.

    Cells with fewer than :data:`UNDERCUTS_FROM` knocks are dotted, without any they are blank.
    """
    found = {(each.turn, each.deadwood): each for each in solution.undercuts}
    shown = {
        place: each.chance.scaled(100)
        for place, each in found.items()
        if each.knocks >= UNDERCUTS_FROM and not math.isnan(each.chance.estimate)
    }
    turns = list(range(1, max((turn for turn, _ in shown or found), default=1) + 1))
    deadwoods = list(range(1, max((deadwood for _, deadwood in found), default=10) + 1))
    figures = [[shown.get((turn, d), NO_ESTIMATE) for d in deadwoods] for turn in turns]
    _, height, _ = size_of_panels(1, len(turns), len(deadwoods))
    reaches = [each.half_width for each in shown.values() if not math.isnan(each.low)]
    most = f"; no interval is wider than ±{max(reaches):.1f}" if reaches else ""
    says = f"Share of the knocks with that deadwood at that turn, %{most}."
    title = f"{solution.play.spec} against {solution.against.spec}, chance that a knock is undercut"
    figure = knocks_frame(solution, title, says, height + 1.6, by_objective=False)
    grid, (axes,) = panel_axes(figure, 1, 1)
    values = [each.estimate for each in shown.values()]
    cells = draw_cells(
        axes,
        figures,
        around_zero=False,
        limits=(0.0, max(values, default=0.0) or 1.0),
        signed=False,
    )
    few = [
        (turns.index(turn), deadwoods.index(deadwood))
        for (turn, deadwood), each in found.items()
        if (turn, deadwood) not in shown and turn in turns and each.knocks
    ]
    dot(cells, few)
    if not shown:
        say_nothing_shown(axes, "too few knocks to show")
    label_cells(axes, turns, deadwoods, 0, 1, 1)
    bar = figure.colorbar(cells.mesh, ax=axes, pad=0.02)
    bar.set_label("undercut, % of knocks", fontsize=8)
    bar.outline.set_visible(False)
    key = dot_key(f"fewer than {UNDERCUTS_FROM} knocks")
    keys_of_signs(figure.add_subplot(grid[-1, :]), [key], 1)
    write_numbers(figure, [cells])
    return figure


# --------------------------------------------------------------- deadwood


def percentiles(counts: list[int], shares: tuple[float, ...]) -> list[int]:
    """Return the least deadwood that a share of the turns do not exceed, for each share (0-1)."""
    below = np.cumsum(counts)
    return [int(np.searchsorted(below, share * below[-1] * (1 - 1e-12))) for share in shares]


def deadwood_chart(solution: Solution) -> Figure:
    """Draw how the opponent's deadwood goes down turn by turn while the hand is open.

    Left: median and middle bands of its deadwood at the end of those of its turns on which it did
    not knock, so of what a player faces who is to decide.  Right: the share of the
    turns that end with 10 or less, in percent, with its interval.
    """
    known = sorted(
        (each for each in solution.opponent_deadwood if sum(each.counts) >= HANDS_FROM),
        key=lambda each: each.turn,
    )
    figure = knocks_frame(
        solution,
        f"Deadwood of {solution.against.spec} against {solution.play.spec}, by turn",
        "At the end of the opponent's turns, if it did not knock. The player knocks only with "
        "gin here. Turns with fewer than "
        f"{counted(HANDS_FROM, 'hand')} are left out.",
        4.6,
        by_objective=False,
    )
    grid = figure.add_gridspec(2, 2, height_ratios=(1, 0.03))
    left, right = (figure.add_subplot(grid[0, column]) for column in range(2))
    _draw_bands(left, known)
    _draw_low(right, known, solution.confidence)
    for axes in (left, right):
        last = known[-1].turn if known else 1
        axes.set_xlim(0.5, last + 0.5)
        axes.set_ylim(bottom=0)
        axes.xaxis.set_major_locator(MaxNLocator(nbins=12, integer=True, min_n_ticks=1))
        axes.set_xlabel("the opponent's turn")
    keys = [
        Line2D([], [], color=BLACK, marker="o", ms=4, label="median"),
        Patch(color=BLUE, alpha=0.55, lw=0, label="middle half of the hands"),
        Patch(color=BLUE, alpha=0.25, lw=0, label="10 % to 90 %"),
    ]
    keys_of_signs(figure.add_subplot(grid[1, 0]), keys, 3)
    share = f"share with its {solution.confidence:.0%} interval"
    keys = [Line2D([], [], color=VERMILION, marker="s", ms=4, label=share)]
    keys_of_signs(figure.add_subplot(grid[1, 1]), keys, 1)
    return figure


def _draw_bands(axes: Axes, known: list[DeadwoodCounts]) -> None:
    axes.set_title("Distribution", fontsize=9, loc="left")
    axes.set_ylabel("deadwood, pips")
    axes.axhline(LOW_DEADWOOD, color=GREY, lw=1, ls="--", zorder=0)
    if not known:
        axes.set_ylim(0, 1)
        say_nothing_shown(axes, "too few hands to show")
        return
    turns = [each.turn for each in known]
    shares = (0.1, 0.25, 0.5, 0.75, 0.9)
    tenth, quarter, middle, three, nine = zip(
        *(percentiles(each.counts, shares) for each in known), strict=True
    )
    if len(turns) == 1:
        axes.vlines(turns, tenth, nine, color=BLUE, alpha=0.25, lw=14)
        axes.vlines(turns, quarter, three, color=BLUE, alpha=0.45, lw=14)
    axes.fill_between(turns, tenth, nine, color=BLUE, alpha=0.25, lw=0)
    axes.fill_between(turns, quarter, three, color=BLUE, alpha=0.4, lw=0)
    axes.plot(turns, middle, color=BLACK, marker="o", ms=4, lw=1.6)


def _draw_low(axes: Axes, known: list[DeadwoodCounts], confidence: float) -> None:
    axes.set_title(f"Deadwood of {LOW_DEADWOOD} or less", fontsize=9, loc="left")
    axes.set_ylabel("share of the hands, %")
    axes.set_ylim(0, 1)
    if not known:
        say_nothing_shown(axes, "too few hands to show")
        return
    turns = [each.turn for each in known]
    shares = [low_share(each, confidence).scaled(100) for each in known]
    axes.plot(turns, [s.estimate for s in shares], color=VERMILION, marker="s", ms=4, lw=1.6)
    for turn, share in zip(turns, shares, strict=True):
        axes.vlines(turn, share.low, share.high, color=VERMILION, lw=1.2)
    axes.set_ylim(0, 1.06 * max(1.0, *(share.high for share in shares)))


def low_share(each: DeadwoodCounts, confidence: float) -> Estimate:
    """Return the share of the turns that end with 10 or less, 0-1, with Wilson's interval."""
    n_low = sum(each.counts[: LOW_DEADWOOD + 1])
    return rate_estimate(Moments(sum(each.counts), n_low, n_low), 1, confidence)
