"""Charts of saved results: which chart a kind of result has, drawn from its object alone.

Nothing but the object and the command goes in, so that a result read from disk gives the same
chart as a fresh one, byte for byte with the same libraries.
"""

from __future__ import annotations

from typing import Any

from matplotlib.figure import Figure

from gin_sim.report.charts.compare import comparison_chart
from gin_sim.report.charts.head_to_head import games_chart, hands_chart
from gin_sim.report.charts.payoffs import payoffs_chart
from gin_sim.report.charts.sweep import sweep_chart
from gin_sim.report.saved import read_saved

# kind: (file name without ending, what draws it)
_CHARTS = {
    "simulate": ("simulate", hands_chart),
    "games": ("simulate", games_chart),
    "compare": ("compare", comparison_chart),
    "sweep": ("sweep", sweep_chart),
    "payoffs": ("payoffs", payoffs_chart),
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
    name, chart = _CHARTS[kind]
    return {name: chart(saved, command)}
