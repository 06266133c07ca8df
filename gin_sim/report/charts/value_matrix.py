"""The chart of a matrix: each value of a parameter against each, and the equilibrium.

The rows are shared: beside its leads a value has its part of the equilibrium mixture, and what
it wins from that mixture.
"""

from __future__ import annotations

import math

from matplotlib.axes import Axes
from matplotlib.figure import Figure

from gin_sim.report.charts.frame import (
    BLACK,
    BLUE,
    GREY,
    ORANGE,
    VERMILION,
    draw_interval,
    keys_of_signs,
    lead_label,
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
from gin_sim.results.common import Estimate
from gin_sim.results.value_matrix import ValueMatrix


def matrix_chart(found: ValueMatrix) -> Figure:
    """Draw the matrix, the equilibrium mixture and each value's lead over it.

    Left: the lead of the row's value over the column's, hatched where the interval spans zero,
    each column's best response outlined.  Right: the share of the mixture that each value has, and
    what the value wins from the mixture, with their intervals.
    """
    parameter = found.parameter
    n = len(parameter.values)
    meaning = f"{parameter.name}: {parameter.meaning.rstrip('.')}. " if parameter.meaning else ""
    says = (
        f"{meaning}Matrix: the row's value against the column's; "
        f"{half_width_words([_shown_matrix(found)])}."
    )
    height = min(9.0, 0.36 * max(n, 4))  # inches
    wider = min(6.0, max(0.0, 0.45 * (n - 11)))
    figure = study_frame(
        found,
        f"{found.play.spec} against itself by {parameter.name}",
        says,
        2.4 + height,
        9 + wider,
    )
    axes = figure.subplot_mosaic(
        [["matrix", "mixture", "payoffs"], ["bar", "keys", "keys"]],
        width_ratios=(3.4 + wider, 1, 1.3),
        height_ratios=(height, 0.12),
    )
    cells = _draw_matrix(axes["matrix"], found)
    bar = figure.colorbar(cells.mesh, cax=axes["bar"], orientation="horizontal")
    bar.set_label(lead_label(found), fontsize=8)
    bar.outline.set_visible(False)
    _draw_mixture(axes["mixture"], found)
    _draw_payoffs(axes["payoffs"], found)
    for right in (axes["mixture"], axes["payoffs"]):
        parameter_axis(right.yaxis, parameter, "")
        right.set_ylim(n - 0.5, -0.5)
    keys = [
        outline_key("best response to the column"),
        outline_key("tied with it", dashed=True),
        hatch_key("interval spans zero"),
    ]
    keys_of_signs(axes["keys"], keys, 1)
    write_numbers(figure, [cells])
    return figure


def matrix_panel(found: ValueMatrix, axes: Axes) -> None:
    """Draw the matrix of leads with its best replies."""
    write_numbers(axes.get_figure(), [_draw_matrix(axes, found)])


def _shown_matrix(found: ValueMatrix) -> list[list[Estimate]]:
    return [[found.shown(figure) for figure in row] for row in found.matrix]


def _draw_matrix(axes: Axes, found: ValueMatrix) -> Cells:
    cells = draw_cells(axes, _shown_matrix(found), around_zero=True)
    _mark(cells, found)
    parameter_axis(axes.xaxis, found.parameter, f"against {found.parameter.label}")
    parameter_axis(axes.yaxis, found.parameter)
    axes.set_title("Lead of the row over the column", fontsize=9)
    return cells


def _mark(cells: Cells, found: ValueMatrix) -> None:
    place = found.parameter.values.index
    for row, figures in enumerate(cells.figures):
        for column, figure in enumerate(figures):
            if not math.isnan(figure.estimate) and figure.spans_zero:
                hatch(cells, row, column)
    for reply in found.best_replies:
        if math.isnan(reply.lead.estimate):
            continue
        for value in reply.among_best:
            if value != reply.best:
                outline(cells, place(value), place(reply.to), dashed=True)
        outline(cells, place(reply.best), place(reply.to))


def _draw_mixture(axes: Axes, found: ValueMatrix) -> None:
    most = 0.0
    for row, part in enumerate(found.equilibrium.mixture):
        share = part.weight.scaled(100)
        axes.barh(row, share.estimate, height=0.6, color=ORANGE, edgecolor=BLACK, lw=0.5)
        most = max(most, share.estimate)
        if not math.isnan(share.low) and share.high > 0:
            draw_interval(axes, row, share, BLACK)
            most = max(most, share.high)
    axes.set_xlim(0, 1.08 * most or 1.0)
    axes.set_xlabel("share of the mixture, %")
    axes.set_title("Equilibrium mixture", fontsize=9)


def _draw_payoffs(axes: Axes, found: ValueMatrix) -> None:
    value = found.shown(found.equilibrium.value)
    axes.axvline(0, color=GREY, lw=1, ls="--", zorder=0)
    ends = [0.0]
    if not math.isnan(value.estimate) and value.estimate:
        axes.axvline(value.estimate, color=VERMILION, lw=1, ls=":", zorder=0)
        ends.append(value.estimate)
    for row, payoff in enumerate(found.equilibrium.payoffs):
        figure = found.shown(payoff.lead)
        if math.isnan(figure.estimate):
            continue
        axes.plot(figure.estimate, row, marker="o", ms=4.5, color=BLUE, zorder=3)
        ends.append(figure.estimate)
        if not math.isnan(figure.low):
            draw_interval(axes, row, figure, BLUE)
            ends += [figure.low, figure.high]
    room = 0.08 * (max(ends) - min(ends)) or 1.0
    axes.set_xlim(min(ends) - room, max(ends) + room)
    axes.set_xlabel(wrapped(f"lead, {found.shown_unit.shown}", 20))
    axes.set_title("Against the mixture", fontsize=9)
