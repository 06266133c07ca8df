"""The chart of a round robin: the ranking with its intervals, and each pair's difference.

Both share their rows, so that a policy's name stands once; the columns have ranks instead.
"""

from __future__ import annotations

import math

from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.lines import Line2D

from gin_sim.report.charts.frame import (
    BLUE,
    GREY,
    VERMILION,
    chart_decimals,
    draw_interval,
    keys_of_signs,
    lead_label,
    study_frame,
    wrapped,
)
from gin_sim.report.charts.heatmap import (
    draw_cells,
    half_width_words,
    hatch,
    hatch_key,
    write_numbers,
)
from gin_sim.results.common import NO_ESTIMATE, Estimate
from gin_sim.results.ranking import Ranking

_NAME_WIDTH = 26  # characters


def ranking_chart(ranking: Ranking) -> Figure:
    """Draw the ranking, left, and the matrix of differences, right.

    Left: each policy's mean lead over the others with its interval; a bracket joins neighbours
    between which no difference is found.  Right: the lead of the row's policy over the column's,
    hatched where the interval spans zero.
    """
    n = len(ranking.ranking)
    names = _names(ranking)
    row_height = max(0.36, 0.05 + 0.15 * max(name.count("\n") + 1 for name in names))
    matrix = _matrix(ranking)
    says = (
        "Ranking: mean lead over the field, which is all policies, each counted once. Matrix: "
        f"the row's policy against the column's; {half_width_words([matrix])}."
    )
    figure = study_frame(
        ranking,
        f"{n} {'policy' if n == 1 else 'policies'} compared",
        says,
        1.9 + row_height * max(n, 3),
        9 + max(0.0, 0.45 * (n - 9)),
    )
    grid = figure.add_gridspec(
        2, 2, width_ratios=(3, 3 + max(0.0, 0.4 * (n - 6))), height_ratios=(1, 0.02)
    )
    places, differences = (figure.add_subplot(grid[0, column]) for column in range(2))
    ranking_panel(ranking, places)
    cells = draw_cells(differences, matrix, around_zero=True)
    for row, figures in enumerate(matrix):
        for column, difference in enumerate(figures):
            if not math.isnan(difference.estimate) and difference.spans_zero:
                hatch(cells, row, column)
    ranks = [str(rank) for rank in range(1, n + 1)]
    differences.set_xticks(range(n), ranks)
    differences.set_yticks(range(n), ranks)
    differences.set_xlabel("against, by rank")
    differences.set_title("Lead of the row over the column", fontsize=9)
    bar = figure.colorbar(cells.mesh, ax=differences, pad=0.03)
    bar.set_label(lead_label(ranking), fontsize=8)
    bar.outline.set_visible(False)
    keys = [
        Line2D([], [], color=VERMILION, lw=1.6, label="neighbours: no difference found"),
        hatch_key("interval spans zero: no difference found"),
    ]
    keys_of_signs(figure.add_subplot(grid[1, :]), keys, 2)
    write_numbers(figure, [cells])
    return figure


def _names(ranking: Ranking) -> list[str]:
    """Return the policies in their order, with their ranks."""
    return [
        wrapped(f"{rank}  {row.policy}", _NAME_WIDTH) for rank, row in enumerate(ranking.ranking, 1)
    ]


def _matrix(ranking: Ranking) -> list[list[Estimate]]:
    """Return the lead of each row's policy over each column's, in the order of the ranking."""
    leads: dict[tuple[str, str], Estimate] = {}
    for pair in ranking.differences:
        lead = ranking.shown(pair.lead)
        leads[pair.policy, pair.against] = lead
        leads[pair.against, pair.policy] = lead.negated()
    specs = [row.policy for row in ranking.ranking]
    return [[leads.get((row, column), NO_ESTIMATE) for column in specs] for row in specs]


def ranking_panel(ranking: Ranking, axes: Axes) -> None:
    """Draw each policy's mean lead over the field with its interval, the best on top."""
    names = _names(ranking)
    figures = [ranking.shown(row.lead) for row in ranking.ranking]
    axes.axvline(0, color=GREY, lw=1, ls="--", zorder=0)
    ends = [0.0]
    for row, figure in enumerate(figures):
        if math.isnan(figure.estimate):
            continue
        ends.append(figure.estimate)
        axes.plot(figure.estimate, row, marker="o", ms=5.5, color=BLUE, zorder=3)
        words = f"{figure.estimate:+.2f}"
        if not math.isnan(figure.low):
            ends += [figure.low, figure.high]
            draw_interval(axes, row, figure, BLUE)
            decimals = chart_decimals(figure.half_width)
            words = f"{figure.estimate:+.{decimals}f} ±{figure.half_width:.{decimals}f}"
        axes.annotate(
            words,
            (1, row),
            xycoords=axes.get_yaxis_transform(),
            xytext=(4, 0),
            textcoords="offset points",
            va="center",
            fontsize=8,
        )
    room = 0.06 * (max(ends) - min(ends)) or 1.0
    axes.set_xlim(min(ends) - room, max(ends) + 2.5 * room)
    axes.set_yticks(range(len(names)), names)
    axes.set_ylim(len(names) - 0.5, -0.5)
    axes.set_xlabel(lead_label(ranking))
    axes.set_title("Ranking", fontsize=9)
    for upper, pair in enumerate(ranking.neighbours):
        if pair.in_ranking.spans_zero:
            lower = upper + 1
            axes.plot(
                [0.965, 0.985, 0.985, 0.965],
                [upper + 0.1, upper + 0.1, lower - 0.1, lower - 0.1],
                transform=axes.get_yaxis_transform(),
                color=VERMILION,
                lw=1.6,
                solid_joinstyle="miter",
                gid="bracket",
            )
