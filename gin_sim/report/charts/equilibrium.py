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

from gin_sim.report.charts.frame import (
    BLUE,
    GREY,
    PURPLE,
    VERMILION,
    chart_decimals,
    keys_of_signs,
    say_nothing_shown,
    study_frame,
)
from gin_sim.report.charts.heatmap import dot, dot_key, draw_cells, write_numbers
from gin_sim.report.charts.solution import (
    class_title,
    label_cells,
    panel_axes,
    size_of_panels,
)
from gin_sim.report.saved import KnockChance, SavedKnockEquilibrium
from gin_sim.stats.intervals import Estimate

#: Knocks below which no chance is shown.
CHANCES_FROM = 50
_BESIDE = 3.6  # inches
# Of the two figures of what the best answer gains.
LOW = {"color": BLUE, "marker": "o", "ls": "-"}
HIGH = {"color": PURPLE, "marker": "^", "ls": "--"}


def equilibrium_chart(found: SavedKnockEquilibrium, command: str) -> Figure:
    """Draw the chance to knock by own turn and deadwood, a panel a class, and how it converged.

    Cells that fewer than :data:`CHANCES_FROM` knocks come to are dotted, without any they are
    blank.  Right: what the best answer gains on deals that did not choose it and on those that did,
    with their intervals, and the line below which both are enough.
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
        f"not of gin rummy.{_whose_words(found)}{_left_words(found)}",
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


def _whose_words(found: SavedKnockEquilibrium) -> str:
    """Say whose rule is drawn, where the sides have one each."""
    if found.opponent_chances is None:
        return ""
    return (
        " The score is not even, so that each side has a rule of its own: this is the player's, "
        "whose score is given first."
    )


def is_shown(each: KnockChance) -> bool:
    """Whether the rule comes to a cell often enough for its chance to be shown."""
    return each.chance is not None and each.knocks >= CHANCES_FROM


def _chance(each: KnockChance | None) -> Estimate:
    percent = math.nan if each is None or each.chance is None else 100 * each.chance
    return Estimate(percent, math.nan, math.nan)


def _left_words(found: SavedKnockEquilibrium) -> str:
    """Return what the best answer gains, on other deals and on those that chose it."""
    left = found.exploitability.figure(found.scale)
    most = found.exploitability_at_most.figure(found.scale)
    if math.isnan(left.estimate) or math.isnan(most.estimate):
        return ""
    return (
        f" The best answer gains {_gain_words(left)} {found.shown_unit} on deals that did not "
        f"choose it, a little low, and at most {_gain_words(most)} on those that did, a little "
        "high."
    )


def _gain_words(gain: Estimate) -> str:
    if math.isnan(gain.low):
        return f"{gain.estimate:+.2f}"
    decimals = max(2, chart_decimals(gain.half_width))
    low, high = (f"{end:+.{decimals}f}" for end in (gain.low, gain.high))
    return f"{gain.estimate:+.{decimals}f} [{low}, {high}]"


def _draw_steps(figure, found: SavedKnockEquilibrium) -> None:
    grid = figure.add_gridspec(2, 1, height_ratios=(1, 0.03))
    axes: Axes = figure.add_subplot(grid[0])
    enough = found.enough * found.scale
    axes.axhline(0, color=GREY, lw=1, ls="--", zorder=0)
    axes.axhline(enough, color=VERMILION, lw=1.4, ls=":", zorder=1)
    steps = sorted(found.steps, key=lambda step: step.rounds)
    drawn = [
        _draw_gains(
            axes, [(step.rounds, step.at_most.figure(found.scale)) for step in steps], HIGH
        ),
        _draw_gains(axes, [(step.rounds, step.figure(found.scale)) for step in steps], LOW),
    ]
    last = max(drawn)
    if not last:
        say_nothing_shown(axes, "not measured")
    axes.set_xlim(0, 1.08 * last or 1.0)
    axes.xaxis.set_major_locator(MaxNLocator(nbins=6, integer=True))
    axes.set_title("Exploitability", fontsize=9, loc="left")
    axes.set_xlabel("rounds")
    axes.set_ylabel(f"gain of the best answer,\n{found.shown_unit}")
    keys = [
        Line2D([], [], ms=4.5, lw=1.4, **HIGH, label="at most: on deals that chose it"),
        Line2D([], [], ms=4.5, lw=1.4, **LOW, label="on deals that did not"),
        Line2D([], [], color=VERMILION, ls=":", lw=1.4, label=f"enough: both below {enough:g}"),
    ]
    keys_of_signs(figure.add_subplot(grid[1]), keys, 1)


def _draw_gains(axes: Axes, gains: list[tuple[int, Estimate]], style: dict[str, str]) -> int:
    """Draw gains by rounds with their intervals; return the last rounds drawn, 0 for none."""
    known = [(rounds, gain) for rounds, gain in gains if not math.isnan(gain.estimate)]
    along = [rounds for rounds, _ in known]
    axes.plot(along, [gain.estimate for _, gain in known], ms=4.5, lw=1.4, zorder=3, **style)
    for rounds, gain in known:
        if not math.isnan(gain.low):
            axes.vlines(rounds, gain.low, gain.high, color=style["color"], lw=1.4, zorder=2)
    return max(along, default=0)
