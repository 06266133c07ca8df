"""Charts of results: which charts a kind of result has, drawn from the result alone.

Nothing else goes in, so that a result read from disk gives the same
chart as a fresh one, byte for byte with the same libraries.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

from matplotlib.axes import Axes
from matplotlib.figure import Figure

from gin_sim.errors import InputError
from gin_sim.report.charts.advice import advice_chart, advice_panel
from gin_sim.report.charts.calibration import predictions_panel, reliability_chart
from gin_sim.report.charts.equilibrium import equilibrium_chart, equilibrium_panel
from gin_sim.report.charts.equity import equity_chart, equity_panel
from gin_sim.report.charts.gains import deadwood_chart, gain_chart, undercut_chart
from gin_sim.report.charts.match import games_chart, games_panel, match_chart, match_panel
from gin_sim.report.charts.ranking import ranking_chart, ranking_panel
from gin_sim.report.charts.solution import knock_chart, knock_panel, score_chart
from gin_sim.report.charts.sweep import sweep_chart, sweep_panel
from gin_sim.report.charts.value_matrix import matrix_chart, matrix_panel
from gin_sim.results.common import Result
from gin_sim.words import listed


class Drawn(NamedTuple):
    """How a kind of result is drawn.

    Parameters
    ----------
    charts : dict
        What draws each chart, by file name without ending; the first is the main one.
    panel : callable or None
        Draws the main panel of the main chart into a caller's axes.
    """

    charts: dict[str, Callable[[Any], Figure]]
    panel: Callable[[Any, Axes], None] | None = None


#: By kind of result, as its JSON names it.
DRAWN: dict[str, Drawn] = {
    "advice": Drawn({"advice": advice_chart}, advice_panel),
    "calibration": Drawn({"reliability": reliability_chart}, predictions_panel),
    "equilibrium": Drawn({"equilibrium": equilibrium_chart}, equilibrium_panel),
    "equity": Drawn({"equity": equity_chart}, equity_panel),
    "games": Drawn({"games": games_chart}, games_panel),
    "match": Drawn({"match": match_chart}, match_panel),
    "ranking": Drawn({"ranking": ranking_chart}, ranking_panel),
    "several-scores": Drawn({"knock_by_score": score_chart}),
    "solution": Drawn(
        {
            "knock_chart": knock_chart,
            "gain_by_turn": gain_chart,
            "undercuts": undercut_chart,
            "opponent_deadwood": deadwood_chart,
        },
        knock_panel,
    ),
    "sweep": Drawn({"sweep": sweep_chart}, sweep_panel),
    "value-matrix": Drawn({"value_matrix": matrix_chart}, matrix_panel),
}


def draw_charts(result: Result) -> dict[str, Figure]:
    """Draw all charts of a result, by file name without ending; none where its kind has none."""
    drawn = DRAWN.get(result.kind)
    return {} if drawn is None else {name: draw(result) for name, draw in drawn.charts.items()}


def draw_chart(result: Result, name: str | None = None, ax: Axes | None = None) -> Figure | Axes:
    """Draw one chart of a result; see :meth:`gin_sim.results.common.Result.chart`."""
    drawn = DRAWN.get(result.kind)
    if drawn is None:
        raise InputError(f"a result of the kind '{result.kind}' has no charts.")
    main = next(iter(drawn.charts))
    if (name or main) not in drawn.charts:
        raise InputError(f"there is no chart '{name}' of it: give {listed(drawn.charts)}.")
    if ax is None:
        return drawn.charts[name or main](result)
    if drawn.panel is None or name not in (None, main):
        raise InputError(
            f"the chart '{name or main}' has several panels: leave ax out to have it as a figure."
        )
    drawn.panel(result, ax)
    return ax
