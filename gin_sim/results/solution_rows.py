"""The tables of a solution: what each of their columns holds."""

from __future__ import annotations

from gin_sim.results.common import Estimate, Row
from gin_sim.results.score import ScoreRow


class CellRow(ScoreRow, kw_only=True):
    """What a knock gains at a place of the chart.

    Parameters
    ----------
    play_points, against_points, box_difference, dealer
        The score; empty where only the hand counts.
    turn : int
        Own turn, from 1; the last also stands for all later ones.
    by : str
        What the rule looks at in addition to turn and deadwood: ``outs``, ``none`` …
    class_name : str
        The class, such as ``1-2``.
    deadwood : int
        Pips that the knock would leave.
    objective : str
        What is judged.
    figure : Estimate
        How much more a knock is worth than playing on: columns ``estimate``, ``low`` and ``high``,
        without an interval where there are too few knocks.
    unit : str
        Of the figure.
    knocks : int
        Knocks that it rests on.
    decision : {"knock", "play on", "too close", "few"}
        What the figure says.
    rule : {"knock", "play on"}
        What the solved rule does.
    """

    turn: int
    by: str
    class_name: str
    deadwood: int
    objective: str
    figure: Estimate
    unit: str
    knocks: int
    decision: str
    rule: str


class ThresholdRow(Row, kw_only=True):
    """What a single threshold for all turns wins.

    Parameters
    ----------
    deadwood : int
        Greatest pips to knock with; 0 is gin only.
    objective : str
        What is judged.
    figure : Estimate
        Columns ``estimate``, ``low`` and ``high``.
    unit : str
        Of the figure.
    """

    deadwood: int
    objective: str
    figure: Estimate
    unit: str


class UndercutRow(Row, kw_only=True):
    """How often a knock is undercut.

    Parameters
    ----------
    turn : int
        Own turn, from 1.
    deadwood : int
        Pips of the knock.
    figure : Estimate
        Share of the knocks, 0-1: columns ``estimate``, ``low`` and ``high``.
    knocks : int
        Knocks that it rests on.
    """

    turn: int
    deadwood: int
    figure: Estimate
    knocks: int
