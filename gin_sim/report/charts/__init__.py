"""Charts of saved results: which chart a kind of result has, drawn from its object alone.

Nothing but the object and the command goes in, so that a result read from disk gives the same
chart as a fresh one, byte for byte with the same libraries.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from matplotlib.figure import Figure

from gin_sim.report.charts.calibration import reliability_chart
from gin_sim.report.charts.equilibrium import equilibrium_chart
from gin_sim.report.charts.equity import equity_chart
from gin_sim.report.charts.gains import defender_chart, ev_chart, undercut_chart
from gin_sim.report.charts.match import games_chart, hands_chart
from gin_sim.report.charts.ranking import comparison_chart
from gin_sim.report.charts.solution import knock_chart, score_chart
from gin_sim.report.charts.sweep import sweep_chart
from gin_sim.report.charts.value_matrix import payoffs_chart
from gin_sim.report.saved import read_saved

# kind: what draws each chart, by file name without ending
_CHARTS: dict[str, dict[str, Callable[[Any, str], Figure]]] = {
    "simulate": {"simulate": hands_chart},
    "games": {"simulate": games_chart},
    "compare": {"compare": comparison_chart},
    "sweep": {"sweep": sweep_chart},
    "payoffs": {"payoffs": payoffs_chart},
    "solve": {
        "knock_chart": knock_chart,
        "gain_by_turn": ev_chart,
        "undercuts": undercut_chart,
        "opponent_deadwood": defender_chart,
    },
    "equilibrium": {"equilibrium": equilibrium_chart},
    "equity": {"equity": equity_chart},
    "calibration": {"reliability": reliability_chart},
    "scores": {"knock_by_score": score_chart},
}


def draw_charts(kind: str, result: dict[str, Any], command: str) -> dict[str, Figure]:
    """Draw the charts of a result.

    Parameters
    ----------
    kind : str
        One of :data:`gin_sim.report.saved.KINDS`.
    result : dict
        The object that the command prints with ``--json`` and keeps in its manifest.
    command : str
        What the user typed; it ends the caption.

    Returns
    -------
    dict of str to Figure
        By file name without ending.

    Raises
    ------
    InputError
        If the kind has no charts, or the object lacks what they show.
    """
    saved = read_saved(kind, result)
    return {name: chart(saved, command) for name, chart in _CHARTS[kind].items()}
