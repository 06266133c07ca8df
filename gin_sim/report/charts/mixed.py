"""The chart of an equilibrium of the knock game: the mixed rule, and how near it is to one.

The rule's heatmaps have one panel for each class of what the mover sees; beside them stands what
the best answer to the rule gains, by rounds.
"""

from __future__ import annotations

import math

from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.lines import Line2D
from matplotlib.ticker import MaxNLocator

from gin_sim.analysis.stats import Estimate
from gin_sim.report.charts.frame import (
    BLUE,
    GREY,
    VERMILION,
    chart_decimals,
    keys_of_signs,
    say_nothing_shown,
    study_frame,
)
from gin_sim.report.charts.heatmap import dot, dot_key, draw_cells, write_numbers
from gin_sim.report.charts.knock import (
    class_title,
    label_cells,
    panel_axes,
    size_of_panels,
)
from gin_sim.report.saved import KnockChance, SavedKnockEquilibrium

#: Knocks below which no chance is shown.
CHANCES_FROM = 50
_BESIDE = 3.6  # inches


def equilibrium_chart(found: SavedKnockEquilibrium, command: str) -> Figure:
    """Draw the chance to knock by own turn and deadwood, a panel a class, and how it converged.

    Cells that fewer than :data:`CHANCES_FROM` knocks come to are dotted, without any they are
    blank.  Right: what the best answer gains, with its interval, and the line below which that is
    enough.
    """
    names = found.by.classes
    shown = {each.place: each for each in found.chances if is_shown(each)}
    met = [each.turn for each in found.chances if each.knocks]
    last = max([turn for turn, _, _ in shown] or met or [1])
    turns = list(range(1, last + 1))
    deadwoods = list(range(1, max(each.deadwood for each in found.chances) + 1))
    width, height, n_columns = size_of_panels(len(names), len(turns), len(deadwoods))
    width = max(9.0, 0.8 * width + _BESIDE)
    figure = study_frame(
        found,
        f"Equilibrium of the knock for {found.play} against itself",
        "Cells: chance to knock, %. An equilibrium of the knock game for these draws and discards, "
        f"not of gin rummy.{_left_words(found)}",
        command,
        height + 1.9,
        width,
    )
    heatmaps, beside = figure.subfigures(1, 2, width_ratios=(width - _BESIDE, _BESIDE))
    grid, axes = panel_axes(heatmaps, len(names), n_columns)
    drawn = []
    for number, (panel, name) in enumerate(zip(axes, names, strict=True)):
        figures = [
            [_chance(shown.get((turn, name, deadwood))) for deadwood in deadwoods] for turn in turns
        ]
        cells = draw_cells(
            panel, figures, around_zero=False, limits=(0.0, 100.0), signed=False, decimals=0
        )
        few = [
            (each.turn - 1, each.deadwood - 1)
            for each in found.chances
            if each.class_name == name and each.knocks and each.place not in shown
        ]
        dot(cells, [place for place in few if place[0] < last])
        if not any(each[1] == name for each in shown):
            say_nothing_shown(panel, "too few knocks to show")
        class_title(panel, found, name, 36)
        label_cells(panel, turns, deadwoods, number, n_columns, len(names))
        drawn.append(cells)
    bar = heatmaps.colorbar(
        drawn[0].mesh, cax=heatmaps.add_subplot(grid[-1, 0]), orientation="horizontal"
    )
    bar.set_label("chance to knock, %", fontsize=8)
    bar.outline.set_visible(False)
    bar.ax.tick_params(labelsize=8)
    keys_of_signs(
        heatmaps.add_subplot(grid[-1, -1]), [dot_key(f"fewer than {CHANCES_FROM} knocks")], 1
    )
    _draw_steps(beside, found)
    write_numbers(figure, drawn)
    return figure


def is_shown(each: KnockChance) -> bool:
    """Whether the rule comes to a cell often enough for its chance to be shown."""
    return each.chance is not None and each.knocks >= CHANCES_FROM


def _chance(each: KnockChance | None) -> Estimate:
    percent = math.nan if each is None or each.chance is None else 100 * each.chance
    return Estimate(percent, math.nan, math.nan)


def _left_words(found: SavedKnockEquilibrium) -> str:
    left = found.exploitability.figure(found.scale)
    if math.isnan(left.estimate):
        return ""
    if math.isnan(left.low):
        return f" The best answer gains {left.estimate:+.2f} {found.shown_unit}."
    decimals = max(2, chart_decimals(left.half_width))
    return (
        f" The best answer gains {left.estimate:+.{decimals}f} {found.shown_unit} "
        f"[{left.low:+.{decimals}f}, {left.high:+.{decimals}f}]."
    )


def _draw_steps(figure, found: SavedKnockEquilibrium) -> None:
    grid = figure.add_gridspec(2, 1, height_ratios=(1, 0.03))
    axes: Axes = figure.add_subplot(grid[0])
    enough = found.enough * found.scale
    axes.axhline(0, color=GREY, lw=1, ls="--", zorder=0)
    axes.axhline(enough, color=VERMILION, lw=1.4, ls=":", zorder=1)
    steps = sorted(found.steps, key=lambda step: step.rounds)
    figures = [step.figure(found.scale) for step in steps]
    known = [
        (step.rounds, figure)
        for step, figure in zip(steps, figures, strict=True)
        if not math.isnan(figure.estimate)
    ]
    axes.plot(
        [rounds for rounds, _ in known],
        [figure.estimate for _, figure in known],
        marker="o",
        color=BLUE,
        ms=4.5,
        lw=1.4,
        zorder=3,
    )
    for rounds, reach in known:
        if not math.isnan(reach.low):
            axes.vlines(rounds, reach.low, reach.high, color=BLUE, lw=1.4, zorder=2)
    if not known:
        say_nothing_shown(axes, "not measured")
    axes.set_xlim(0, 1.08 * max((rounds for rounds, _ in known), default=0) or 1.0)
    axes.xaxis.set_major_locator(MaxNLocator(nbins=6, integer=True))
    axes.set_title("Exploitability", fontsize=9, loc="left")
    axes.set_xlabel("rounds")
    axes.set_ylabel(f"gain of the best answer,\n{found.shown_unit}")
    keys = [
        Line2D(
            [],
            [],
            color=BLUE,
            marker="o",
            ms=4.5,
            label=f"with its {found.confidence:.0%} interval",
        ),
        Line2D([], [], color=VERMILION, ls=":", lw=1.4, label=f"enough: below {enough:g}"),
    ]
    keys_of_signs(figure.add_subplot(grid[1]), keys, 1)
