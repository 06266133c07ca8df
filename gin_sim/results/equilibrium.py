"""The mixed knock rule that nobody gains by leaving, as ``solve --equilibrium`` finds it."""

from __future__ import annotations

from typing import ClassVar

from msgspec import Struct

from gin_sim.results.common import Count, Estimate, Row, Share
from gin_sim.results.knocks import (
    SHOWN_FROM,
    DeadwoodRow,
    KnockPlace,
    OfKnocks,
    ValueRow,
    deadwood_rows,
)
from gin_sim.results.score import score_columns


class KnockChance(KnockPlace, kw_only=True):
    """How often the mixed rule knocks at a place of the chart.

    Parameters
    ----------
    turn, class_name, deadwood, knocks
        As in every place: own turn, class (``class`` in JSON), pips, and the knocks that the rule
        comes to there.
    chance : float or None
        To knock, 0-1.
    """

    chance: Share | None

    @property
    def is_shown(self) -> bool:
        """Whether the rule comes here often enough for its chance to be shown."""
        return self.chance is not None and self.knocks >= SHOWN_FROM


class EquilibriumStep(Struct):
    """How near the mixed rule is to an equilibrium after some rounds.

    Parameters
    ----------
    rounds : int
        Of regret matching.
    exploitability : Estimate
        What the best response gains per hand, judged on deals that did not choose it: a little low.
    at_most : Estimate
        The same judged on the deals that chose it: a little high.
    """

    rounds: Count
    exploitability: Estimate
    at_most: Estimate


class ChanceRow(Row, kw_only=True):
    """How often the mixed rule knocks at a place of the chart.

    Parameters
    ----------
    turn : int
        Own turn, from 1; the last also stands for all later ones.
    by : str
        What the rule looks at in addition to turn and deadwood: ``outs``, ``none`` …
    class_name : str
        The class, such as ``1-2``.
    deadwood : int
        Pips that the knock would leave.
    chance : float or None
        To knock, 0-1.
    knocks : int
        Knocks that the rule comes to there.
    """

    turn: int
    by: str
    class_name: str
    deadwood: int
    chance: float | None
    knocks: int


class StepRow(Row, kw_only=True):
    """How near the mixed rule is to an equilibrium after some rounds.

    Parameters
    ----------
    rounds : int
        Of regret matching.
    objective : str
        What is judged.
    figure : Estimate
        What the best response gains on deals that did not choose it: columns ``estimate``, ``low``
        and ``high``.
    at_most : Estimate
        The same on the deals that chose it: columns ``at_most_estimate``, ``at_most_low`` and
        ``at_most_high``.
    unit : str
        Of both.
    """

    rounds: int
    objective: str
    figure: Estimate
    at_most: Estimate
    unit: str


class Equilibrium(OfKnocks, kw_only=True, tag="equilibrium"):
    """The equilibrium of the knock for given draws and discards, not of gin rummy.

    Parameters
    ----------
    rules, seed, confidence, partial, command, seconds
        As in every result.
    objective, unit
        What is judged, and the unit of every estimate.
    score, deals, play, by, opponent_deadwood, cut
        As in every answer to when to knock; see :class:`gin_sim.results.knocks.OfKnocks`.  Both
        sides draw and discard like ``play``.
    chances : list of KnockChance
        The player's rule, which is the opponent's too where the score is even.
    opponent_chances : list of KnockChance or None
        The opponent's rule at a score that is not even.
    steps : list of EquilibriumStep
        As the rule converged.
    exploitability, exploitability_at_most : Estimate
        Of the rule shown: what the best response to it gains on deals that did not
        choose it, and on those that did.
    enough : float
        What the best response may gain where the rule counts as an equilibrium.
    value : Estimate
        What a hand is worth to the first side where both follow the rule.
    """

    chances: list[KnockChance]
    opponent_chances: list[KnockChance] | None = None
    steps: list[EquilibriumStep]
    exploitability: Estimate
    exploitability_at_most: Estimate
    enough: float
    value: Estimate

    TABLES: ClassVar[dict[str, type[Row]]] = {
        "chances": ChanceRow,
        "opponent_chances": ChanceRow,
        "steps": StepRow,
        "values": ValueRow,
        "opponent_deadwood": DeadwoodRow,
    }

    def __post_init__(self) -> None:
        super().__post_init__()
        self.check_places(self.chances)

    @property
    def rounds(self) -> int | None:
        """Of the rule shown: those after which its best response gains least, at most."""
        if not self.steps:
            return None
        return min(self.steps, key=lambda step: step.at_most.estimate).rounds

    def rows(self) -> dict[str, list[Row]]:
        """Return the rows of each table; the opponent's chances where it has a rule of its own."""
        tables: dict[str, list[Row]] = {"chances": self._chance_rows(self.chances)}
        if self.opponent_chances is not None:
            tables["opponent_chances"] = self._chance_rows(self.opponent_chances)
        tables["steps"] = [
            StepRow(
                rounds=step.rounds,
                objective=self.objective,
                figure=step.exploitability,
                at_most=step.at_most,
                unit=self.unit,
            )
            for step in self.steps
        ]
        tables["values"] = [
            ValueRow(
                what=what,
                deals="traced",
                objective=self.objective,
                figure=figure,
                unit=self.unit,
                **score_columns(self.score),
            )
            for what, figure in (
                ("exploitability", self.exploitability),
                ("exploitability at most", self.exploitability_at_most),
                ("value to the first player", self.value),
            )
        ]
        tables["opponent_deadwood"] = deadwood_rows(self)
        return tables

    def _chance_rows(self, chances: list[KnockChance]) -> list[Row]:
        return [
            ChanceRow(
                turn=each.turn,
                by=self.by.name,
                class_name=each.class_name,
                deadwood=each.deadwood,
                chance=each.chance,
                knocks=each.knocks,
            )
            for each in chances
        ]
