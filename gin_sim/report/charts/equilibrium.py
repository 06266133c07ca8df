"""The chart of an equilibrium of the knock game: the mixed rule, and how near it is to one.

The rule's heatmaps have one panel for each class of what the mover sees; beside them stands what
the best response to the rule gains, by rounds.
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
    keys_of_signs,
    say_nothing_shown,
)
from gin_sim.report.charts.heatmap import Cells, dot, dot_key, draw_cells, write_numbers
from gin_sim.report.charts.knocks import (
    class_title,
    knocks_frame,
    label_cells,
    panel_axes,
    shown_places,
    signed_words,
    size_of_panels,
)
from gin_sim.results.common import Estimate
from gin_sim.results.equilibrium import Equilibrium, KnockChance
from gin_sim.results.knocks import SHOWN_FROM

_BESIDE = 3.6  # inches
# Of the two figures of what the best response gains.
LOW = {"color": BLUE, "marker": "o", "ls": "-"}
HIGH = {"color": PURPLE, "marker": "^", "ls": "--"}


def equilibrium_chart(found: Equilibrium) -> Figure:
    """Draw the chance to knock by own turn and deadwood, a panel a class, and how it converged.

    Cells that fewer than :data:`SHOWN_FROM` knocks come to are dotted, without any they are blank.
    Right: what the best response gains on deals that did not choose it and on those that did, with
    their intervals, and the line below which both are enough.
    """
    names = found.by.classes
    turns, deadwoods = shown_places(found.chances)
    width, height, n_columns = size_of_panels(len(names), len(turns), len(deadwoods))
    width = max(9.0, 0.8 * width + _BESIDE)
    figure = knocks_frame(
        found,
        f"Equilibrium of the knock for {found.play.spec} against itself",
        "Cells: chance to knock, %. An equilibrium of the knock game for these draws and discards, "
        f"not of gin rummy.{_whose_words(found)}{_left_words(found)}",
        height + 1.9,
        width,
    )
    heatmaps, beside = figure.subfigures(1, 2, width_ratios=(width - _BESIDE, _BESIDE))
    grid, axes = panel_axes(heatmaps, len(names), n_columns)
    drawn = []
    for number, (place, name) in enumerate(zip(axes, names, strict=True)):
        drawn.append(_draw_chances(place, found, name, turns, deadwoods))
        class_title(place, found, name, 36)
        label_cells(place, turns, deadwoods, number, n_columns, len(names))
    bar = heatmaps.colorbar(
        drawn[0].mesh, cax=heatmaps.add_subplot(grid[-1, 0]), orientation="horizontal"
    )
    bar.set_label("chance to knock, %", fontsize=8)
    bar.outline.set_visible(False)
    bar.ax.tick_params(labelsize=8)
    keys_of_signs(
        heatmaps.add_subplot(grid[-1, -1]), [dot_key(f"fewer than {SHOWN_FROM} knocks")], 1
    )
    _draw_steps(beside, found)
    write_numbers(figure, drawn)
    return figure


def equilibrium_panel(found: Equilibrium, axes: Axes) -> None:
    """Draw the chances of the first class into a caller's axes, without bar and keys."""
    name = found.by.classes[0]
    turns, deadwoods = shown_places(found.chances)
    cells = _draw_chances(axes, found, name, turns, deadwoods)
    class_title(axes, found, name, 40)
    label_cells(axes, turns, deadwoods, 0, 1, 1)
    write_numbers(axes.figure.figure, [cells])


def _draw_chances(
    axes: Axes, found: Equilibrium, name: str, turns: list[int], deadwoods: list[int]
) -> Cells:
    """Draw the chances to knock of a class, in percent."""
    some = [each for each in found.chances if each.class_name == name]
    shown = {(each.turn, each.deadwood): each for each in some if each.is_shown}
    figures = [[_chance(shown.get((turn, d))) for d in deadwoods] for turn in turns]
    cells = draw_cells(
        axes, figures, around_zero=False, limits=(0.0, 100.0), signed=False, decimals=0
    )
    few = [each for each in some if each.knocks and (each.turn, each.deadwood) not in shown]
    dot(cells, [(each.turn - 1, each.deadwood - 1) for each in few if each.turn <= turns[-1]])
    if not shown:
        say_nothing_shown(axes, "too few knocks to show")
    return cells


def _whose_words(found: Equilibrium) -> str:
    """Say whose rule is drawn, where the sides have one each."""
    if found.opponent_chances is None:
        return ""
    return (
        " The score is not even, so the two sides have different rules: this is the player's, "
        "whose score is given first."
    )


def _chance(each: KnockChance | None) -> Estimate:
    percent = math.nan if each is None or each.chance is None else 100 * each.chance
    return Estimate(percent, math.nan, math.nan)


def _left_words(found: Equilibrium) -> str:
    """Return what the best response gains, on other deals and on those that chose it."""
    left, most = found.exploitability, found.exploitability_at_most
    if math.isnan(left.estimate) or math.isnan(most.estimate):
        return ""
    unit = found.shown_unit
    gains = signed_words(left.scaled(unit.scale)), signed_words(most.scaled(unit.scale))
    return (
        f" The best response gains {gains[0]} {unit.shown} on deals that did not choose it, a "
        f"little low, and {gains[1]} on those that did, a little high."
    )


def _draw_steps(figure, found: Equilibrium) -> None:
    grid = figure.add_gridspec(2, 1, height_ratios=(1, 0.03))
    axes: Axes = figure.add_subplot(grid[0])
    unit = found.shown_unit
    enough = found.enough * unit.scale
    axes.axhline(0, color=GREY, lw=1, ls="--", zorder=0)
    axes.axhline(enough, color=VERMILION, lw=1.4, ls=":", zorder=1)
    steps = sorted(found.steps, key=lambda step: step.rounds)
    drawn = [
        _draw_gains(axes, [(step.rounds, step.at_most.scaled(unit.scale)) for step in steps], HIGH),
        _draw_gains(
            axes, [(step.rounds, step.exploitability.scaled(unit.scale)) for step in steps], LOW
        ),
    ]
    last = max(drawn)
    if not last:
        say_nothing_shown(axes, "not measured")
    axes.set_xlim(0, 1.08 * last or 1.0)
    axes.xaxis.set_major_locator(MaxNLocator(nbins=6, integer=True))
    axes.set_title("Exploitability", fontsize=9, loc="left")
    axes.set_xlabel("rounds")
    axes.set_ylabel(f"gain of the best response,\n{unit.shown}")
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
