"""The best knock rule against an opponent, as ``solve`` finds it."""

from __future__ import annotations

from typing import ClassVar, Literal

from msgspec import Struct

from gin_sim.results.common import NO_ESTIMATE, Count, Estimate, PolicyInfo, Row, check_once
from gin_sim.results.knocks import (
    DeadwoodRow,
    Decision,
    KnockDeadwood,
    KnockPlace,
    OfKnocks,
    Turn,
    ValueRow,
    deadwood_rows,
)
from gin_sim.results.score import score_columns
from gin_sim.results.solution_rows import CellRow, ThresholdRow, UndercutRow


class KnockCell(KnockPlace, kw_only=True):
    """A place of the chart with what a knock gains there and what the rule does.

    Parameters
    ----------
    turn, class_name, deadwood, knocks
        As in every place: own turn, class (``class`` in JSON), pips, and the knocks it rests on.
    gain : Estimate
        How much more a knock is worth than playing on, in the unit of the result; without an
        interval where there are too few knocks.  Each half of the deals judges the rule of the
        other.
    decision : {"knock", "play on", "too close", "few"}
        What the gain says: its interval spans zero where it is too close; few knocks have none.
    rule : {"knock", "play on"}
        What the solved rule does: as the decision where that is clear.
    """

    gain: Estimate
    decision: Decision
    rule: Literal["knock", "play on"]

    def __post_init__(self) -> None:
        if self.is_shown and not self.gain.is_known:
            raise ValueError(f"a decision '{self.decision}' has a gain with an interval")

    @property
    def is_shown(self) -> bool:
        """Whether there are enough knocks to show the gain."""
        return self.decision != "few"

    @property
    def shown_gain(self) -> Estimate:
        """The gain; none where there are too few knocks."""
        return self.gain if self.is_shown else NO_ESTIMATE


class ThresholdValue(Struct):
    """What a single threshold for all turns wins.

    Parameters
    ----------
    knock : int
        Greatest deadwood to knock with, pips; 0 is gin only.
    value : Estimate
        In the unit of the result.
    """

    knock: Count
    value: Estimate


class Proof(Struct):
    """The solved rule and the policy's own, played on deals that neither was fitted to.

    Parameters
    ----------
    hands : int
        Fresh mirrored hands of each rule.
    solved, own : Estimate
        What either wins, in the unit of the result.
    difference : Estimate
        The first less the second on the same deals.
    """

    hands: Count
    solved: Estimate
    own: Estimate
    difference: Estimate


class FeaturesValue(Struct):
    """The rule by all that the mover sees, found by regression.

    Parameters
    ----------
    value : Estimate
        What it wins, judged on the half of the deals that did not choose it.
    in_sample : Estimate
        The same on the deals that chose it: too large.
    over_rule : Estimate
        How much more it wins than the solved rule, on the same deals.
    """

    value: Estimate
    in_sample: Estimate
    over_rule: Estimate


class UndercutChance(Struct):
    """How often a knock is undercut.

    Parameters
    ----------
    turn : int
        Own turn, from 1.
    deadwood : int
        Pips of the knock.
    knocks : int
        Knocks that it rests on.
    chance : Estimate
        Share of those knocks, 0-1.
    """

    turn: Turn
    deadwood: KnockDeadwood
    knocks: Count
    chance: Estimate


class IteratedRound(Struct):
    """A round of ``--iterate``, whose later hands are played by the rule of the round before.

    Parameters
    ----------
    round : int
        From 1.
    value_at_0_0 : float
        What the game is worth at 0-0 to the rule that plays it, in the unit of the result.
    changed : int or None
        Cells in which the rule differs from the last round's; None in the first.
    clearly_changed : int or None
        Those of them in which both rounds' charts are clear.
    settled : bool
        Whether the rule no longer changed.
    """

    round: int
    value_at_0_0: float
    changed: int | None
    clearly_changed: int | None
    settled: bool


class Ending(Struct):
    """What a result of the hand leads to.

    Parameters
    ----------
    value : float
        What the game is then worth, in the unit of the result; the mean over who dealt.
    game_over : bool
        Whether the game ends with it.
    """

    value: float
    game_over: bool


class PlainWays(Struct):
    """Knocking as soon as the rules allow and waiting for gin, against each other and the rule.

    Parameters
    ----------
    knock_less_gin : Estimate
        How much more always knocking wins than waiting for gin, in the unit of the result.
    over_knock, over_gin : Estimate
        How much more the solved rule wins than either.
    """

    knock_less_gin: Estimate
    over_knock: Estimate
    over_gin: Estimate


class Solution(OfKnocks, kw_only=True, tag="solution"):
    """The best knock rule against an opponent, for given draws and discards.

    Parameters
    ----------
    rules, seed, confidence, partial, command, seconds
        As in every result.
    objective, unit
        What is judged, and the unit of every estimate that does not name another.
    score, deals, play, by, opponent_deadwood, cut
        As in every answer to when to knock; see :class:`gin_sim.results.knocks.OfKnocks`.
    against : PolicyInfo
        The opponent.
    cells : list of KnockCell
        The chart: every turn, class and deadwood.
    knock : str or None
        The rule as the text of a knock table; None where a table does not know its classes.
    left_out : list of str
        The policy's offsets by the score that are set to 0 when the rule is played or saved, since
        they would change what the table says at this score.
    value, own : Estimate
        What the solved rule and the policy's own win.
    gain : Estimate
        The first less the second, on the same deals.
    over_best_threshold : Estimate
        The solved rule less the single threshold that does best.
    thresholds : list of ThresholdValue
        Every single threshold, from 0.
    features : FeaturesValue or None
        The rule by everything that the player sees, where it was asked for.
    proof : Proof or None
        The rule played on fresh hands, where it was.
    undercuts : list of UndercutChance
        How often a knock is undercut, by turn and deadwood.
    iterated : list of IteratedRound
        The rounds of ``--iterate``; empty without it.
    endings : dict of str to Ending, or None
        At one of several scores: what a ``small knock``, an ``undercut`` and a hand won by
        ``nobody`` lead to.
    plain : PlainWays or None
        At one of several scores: the two plain ways to play.
    saved : str or None
        The policy file that the rule was saved in.
    """

    against: PolicyInfo
    cells: list[KnockCell]
    knock: str | None
    left_out: list[str]
    value: Estimate
    own: Estimate
    gain: Estimate
    over_best_threshold: Estimate
    thresholds: list[ThresholdValue]
    features: FeaturesValue | None
    proof: Proof | None
    undercuts: list[UndercutChance]
    iterated: list[IteratedRound]
    endings: dict[str, Ending] | None = None
    plain: PlainWays | None = None
    saved: str | None = None

    TABLES: ClassVar[dict[str, type[Row]]] = {
        "cells": CellRow,
        "values": ValueRow,
        "thresholds": ThresholdRow,
        "undercuts": UndercutRow,
        "opponent_deadwood": DeadwoodRow,
    }

    def __post_init__(self) -> None:
        super().__post_init__()
        self.check_places(self.cells)
        check_once([(each.turn, each.deadwood) for each in self.undercuts], "chance of undercut")
        if not self.thresholds:
            raise ValueError("there is no threshold")

    @property
    def best_threshold(self) -> int:
        """The single threshold that does best, in pips."""
        return max(self.thresholds, key=lambda each: each.value.estimate).knock

    def cells_of(self, class_name: str) -> list[KnockCell]:
        """Return the cells of a class."""
        return [cell for cell in self.cells if cell.class_name == class_name]

    def rows(self) -> dict[str, list[Row]]:
        """Return the rows of each table."""
        judged = {"objective": self.objective, "unit": self.unit}
        tables: dict[str, list[Row]] = {
            "cells": self._cell_rows(),
            "values": self._value_rows(),
            "thresholds": [
                ThresholdRow(deadwood=each.knock, figure=each.value, **judged)
                for each in self.thresholds
            ],
            "undercuts": [
                UndercutRow(
                    turn=each.turn, deadwood=each.deadwood, figure=each.chance, knocks=each.knocks
                )
                for each in self.undercuts
            ],
            "opponent_deadwood": deadwood_rows(self),
        }
        return tables

    def _cell_rows(self) -> list[Row]:
        return [
            CellRow(
                turn=cell.turn,
                by=self.by.name,
                class_name=cell.class_name,
                deadwood=cell.deadwood,
                objective=self.objective,
                figure=cell.gain,
                unit=self.unit,
                knocks=cell.knocks,
                decision=cell.decision,
                rule=cell.rule,
                **score_columns(self.score),
            )
            for cell in self.cells
        ]

    def _value_rows(self) -> list[Row]:
        figures = [
            ("solved rule", "traced", self.value),
            ("own rule", "traced", self.own),
            ("solved less own rule", "traced", self.gain),
            ("solved less best threshold", "traced", self.over_best_threshold),
        ]
        if self.features is not None:
            figures += [
                ("rule by features", "traced", self.features.value),
                ("by features less solved rule", "traced", self.features.over_rule),
            ]
        if self.proof is not None:
            figures += [
                ("solved rule", "fresh", self.proof.solved),
                ("own rule", "fresh", self.proof.own),
                ("solved less own rule", "fresh", self.proof.difference),
            ]
        if self.plain is not None:
            figures += [
                ("always knocking less only gin", "traced", self.plain.knock_less_gin),
                ("solved less always knocking", "traced", self.plain.over_knock),
                ("solved less only gin", "traced", self.plain.over_gin),
            ]
        return [
            ValueRow(
                what=what,
                deals=deals,
                objective=self.objective,
                figure=figure,
                unit=self.unit,
                **score_columns(self.score),
            )
            for what, deals, figure in figures
        ]
