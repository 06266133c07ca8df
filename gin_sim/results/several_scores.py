"""The best knock rules at several scores of a game, side by side, as ``solve --by score`` finds."""

from __future__ import annotations

from typing import ClassVar, Literal

from msgspec import Struct

from gin_sim.results.common import Count, OfAnObjective, PolicyInfo, Row, check_once
from gin_sim.results.knocks import KnockDeadwood, Turn, ValueRow
from gin_sim.results.score import ScoreRow, score_columns
from gin_sim.results.solution import Solution
from gin_sim.results.solution_rows import CellRow


class ScoreDifference(Struct):
    """A decision that is clear at a score, and clearly the other one at the first score.

    Parameters
    ----------
    panel : int
        Which of the panels it is in, from 0.
    turn : int
        Own turn, from 1.
    deadwood : int
        Pips of the knock.
    decision : {"knock", "play on"}
        What is right at that panel's score.
    """

    panel: Count
    turn: Turn
    deadwood: KnockDeadwood
    decision: Literal["knock", "play on"]


class EndingRow(ScoreRow, kw_only=True):
    """What a result of the hand leads to at a score.

    Parameters
    ----------
    play_points, against_points, box_difference, dealer
        The score before the hand.
    result : {"small knock", "undercut", "nobody"}
        How the hand ends: a small knock wins, the knock is undercut, or nobody wins.
    objective : str
        What is judged.
    estimate : float
        What the game is then worth.
    unit : str
        Of the estimate.
    game_over : bool
        Whether the game ends with it.
    """

    result: str
    objective: str
    estimate: float
    unit: str
    game_over: bool


class DifferenceRow(ScoreRow, kw_only=True):
    """A place of the chart whose clear decision is clearly the other one at the first score.

    Parameters
    ----------
    play_points, against_points, box_difference, dealer
        The score.
    turn : int
        Own turn, from 1.
    deadwood : int
        Pips of the knock.
    decision : {"knock", "play on"}
        What is right at this score.
    """

    turn: int
    deadwood: int
    decision: str


class SeveralScores(OfAnObjective, kw_only=True, tag="several-scores"):
    """The best knock rules at several scores, and where they differ from the first score's.

    Parameters
    ----------
    rules, seed, confidence, partial, command, seconds
        As in every result.
    objective, unit
        What is judged, and the unit of every estimate.
    play, against : PolicyInfo
        The policy that draws and discards, and its opponent.
    small_knock, least_undercut : int
        Hand points of the ``small knock`` and of the ``undercut`` among each panel's endings.
    panels : list of Solution
        The solution at each score, with its endings and plain ways to play; the first is the one
        that the others are compared with.  What does not depend on the score, undercuts and the
        opponent's deadwood, is left out.
    differences : list of ScoreDifference
        Where a score's clear decision is clearly the other one at the first score.
    cut : list of str
        What is missing or unfinished, because it was stopped early.
    """

    play: PolicyInfo
    against: PolicyInfo
    small_knock: Count
    least_undercut: Count
    panels: list[Solution]
    differences: list[ScoreDifference]
    cut: list[str]

    TABLES: ClassVar[dict[str, type[Row]]] = {
        "cells": CellRow,
        "values": ValueRow,
        "endings": EndingRow,
        "differences": DifferenceRow,
    }

    def __post_init__(self) -> None:
        super().__post_init__()
        if not self.panels:
            raise ValueError("there is no score")
        scores = [panel.score for panel in self.panels if panel.score and panel.plain]
        if len(scores) < len(self.panels):
            raise ValueError("each panel has a score and what the plain ways to play win")
        check_once([score.words for score in scores], "score")
        if any(each.panel >= len(self.panels) for each in self.differences):
            raise ValueError("a difference is of a panel that is not there")

    @property
    def is_cut(self) -> bool:
        """Whether what the charts rest on is unfinished."""
        return bool(self.cut)

    def differing(self, panel: int, decision: str) -> list[ScoreDifference]:
        """Return where a decision is right in a panel and the other one in the first."""
        return [
            each for each in self.differences if (each.panel, each.decision) == (panel, decision)
        ]

    def rows(self) -> dict[str, list[Row]]:
        """Return the rows of each table."""
        tables: dict[str, list[Row]] = {name: [] for name in self.TABLES}
        for panel in self.panels:
            rows = panel.rows()
            tables["cells"] += rows["cells"]
            tables["values"] += rows["values"]
            tables["endings"] += [
                EndingRow(
                    result=name,
                    objective=self.objective,
                    estimate=ending.value,
                    unit=self.unit,
                    game_over=ending.game_over,
                    **score_columns(panel.score),
                )
                for name, ending in (panel.endings or {}).items()
            ]
        tables["differences"] += [
            DifferenceRow(
                turn=each.turn,
                deadwood=each.deadwood,
                decision=each.decision,
                **score_columns(self.panels[each.panel].score),
            )
            for each in self.differences
        ]
        return tables
