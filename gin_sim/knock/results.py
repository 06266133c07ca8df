"""Solved rules and equilibria as the results that users get: plain values, chances as shares (0-1).

Rules are found and judged in the unit of their prices, which is percent for the chance to win.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from gin_sim.knock import equilibrium as mixed
from gin_sim.knock.best_response import Solved
from gin_sim.knock.cells import Classes
from gin_sim.knock.regression import FeatureRule
from gin_sim.knock.self_consistent import Round
from gin_sim.knock.several_scores import SMALL, ByScore
from gin_sim.knock.tracing import Traced
from gin_sim.knock.validation import (
    Proof,
    left_out,
    opponent_deadwood,
    table_text,
    undercut_chances,
)
from gin_sim.payoff.payoff import PriceTable
from gin_sim.payoff.results import score_of
from gin_sim.results import solution
from gin_sim.results.common import Estimate
from gin_sim.results.equilibrium import Equilibrium, EquilibriumStep, KnockChance
from gin_sim.results.knocks import DeadwoodCounts, KnockClasses
from gin_sim.results.objective import unit_of
from gin_sim.results.several_scores import ScoreDifference, SeveralScores
from gin_sim.results.solution import Solution


class _Scale:
    """What brings figures in the unit of prices to the unit of a result."""

    def __init__(self, prices: PriceTable) -> None:
        unit = unit_of(prices.objective, prices.state is not None)
        self.unit = unit.name
        self._percent = unit.scale

    def number(self, value: float) -> float:
        """Return a number in the unit of prices as data have it."""
        return float(value) / self._percent

    def figure(self, figure: Estimate) -> Estimate:
        """Return an estimate in the unit of prices as data have it."""
        return Estimate(*map(self.number, (figure.estimate, figure.low, figure.high)))


def solution_of(
    found: Solved,
    proof: Proof | None = None,
    features: FeatureRule | None = None,
    rounds: Sequence[Round] = (),
    cut: Sequence[str] = (),
    seconds: float = 0.0,
) -> Solution:
    """Return a solved rule as a result.

    Parameters
    ----------
    found : Solved
    proof : Proof, optional
    features : FeatureRule, optional
        The rule by features, where it was wanted.
    rounds : sequence of Round
        Of solving for the equity of the rule's own play.
    cut : sequence of str
        What is missing or not whole, because it was stopped.
    seconds : float
    """
    scale = _Scale(found.prices)
    base, opponent = found.traced.plan.policies
    knock = table_text(found)
    return Solution(
        **_shared(found.traced, found.classes, found.prices, cut, seconds),
        against=opponent.info(),
        cells=_cells(found, scale),
        knock=knock,
        left_out=[] if knock is None else left_out(base, found),
        value=scale.figure(found.value),
        own=scale.figure(found.own),
        gain=scale.figure(found.gain),
        over_best_threshold=scale.figure(found.over_best_threshold),
        thresholds=[
            solution.ThresholdValue(threshold, scale.figure(figure))
            for threshold, figure in enumerate(found.thresholds)
        ],
        features=None if features is None else _features(features, found, scale),
        proof=None if proof is None else _proof(proof, scale),
        undercuts=[
            solution.UndercutChance(turn, deadwood, n, chance)
            for turn, deadwood, chance, n in undercut_chances(found.traced)
        ],
        iterated=[
            solution.IteratedRound(
                place, scale.number(each.start), each.changed, each.clearly, each.settled
            )
            for place, each in enumerate(rounds, 1)
        ],
    )


def _shared(
    traced: Traced, classes: Classes, prices: PriceTable, cut: Sequence[str], seconds: float
) -> dict[str, Any]:
    """Return what every answer to when to knock says of itself, by field."""
    plan = traced.plan
    return {
        "rules": plan.rules,
        "seed": plan.seed,
        "partial": bool(cut),
        "seconds": {"all": round(seconds, 3)},
        "objective": prices.objective,
        "unit": _Scale(prices).unit,
        "score": score_of(prices),
        "deals": len(traced.ends),
        "play": plan.policies[0].info(),
        "by": KnockClasses(classes.name, classes.meaning, list(classes.names)),
        "opponent_deadwood": [
            DeadwoodCounts(turn, counts) for turn, counts in opponent_deadwood(traced)
        ],
        "cut": list(cut),
    }


def _cells(found: Solved, scale: _Scale) -> list[solution.KnockCell]:
    return [
        solution.KnockCell(
            turn=turn + 1,
            class_name=found.classes.names[place],
            deadwood=deadwood + 1,
            knocks=cell.n,
            gain=scale.figure(cell.gain),
            decision=cell.decision,
            rule="knock" if found.rule[turn, place, deadwood + 1] else "play on",
        )
        for turn, classes in enumerate(found.chart)
        for place, cells in enumerate(classes)
        for deadwood, cell in enumerate(cells)
    ]


def _features(rule: FeatureRule, found: Solved, scale: _Scale) -> solution.FeaturesValue:
    return solution.FeaturesValue(
        scale.figure(rule.value),
        scale.figure(rule.in_sample),
        scale.figure(rule.over(found.values)),
    )


def _proof(proof: Proof, scale: _Scale) -> solution.Proof:
    return solution.Proof(
        proof.hands,
        scale.figure(proof.solved),
        scale.figure(proof.own),
        scale.figure(proof.difference),
    )


# ---------------------------------------------------------------------------- several scores


def several_scores_of(found: ByScore, cut: Sequence[str], seconds: float) -> SeveralScores:
    """Return rules solved at several scores as a result."""
    panels = [_panel(found, number, cut) for number in range(len(found.solved))]
    first = found.solved[0]
    plan = first.traced.plan
    play, against = (policy.info() for policy in plan.policies)
    return SeveralScores(
        rules=plan.rules,
        seed=plan.seed,
        partial=bool(cut),
        seconds={"all": round(seconds, 3)},
        objective=first.prices.objective,
        unit=panels[0].unit,
        play=play,
        against=against,
        small_knock=SMALL,
        least_undercut=max(1, plan.rules.undercut_bonus),
        panels=panels,
        differences=[
            ScoreDifference(
                panel,
                each.turn,
                each.deadwood,
                "knock" if each.here.decision == "knock" else "play on",
            )
            for panel in range(1, len(panels))
            for each in found.differences(panel)
        ],
        cut=list(cut),
    )


def _panel(found: ByScore, number: int, cut: Sequence[str]) -> Solution:
    solved, plain = found.solved[number], found.plain[number]
    scale = _Scale(solved.prices)
    panel = solution_of(solved, cut=cut)
    panel.undercuts, panel.opponent_deadwood = [], []  # of the trace, not of the score
    panel.seconds = {}
    panel.endings = {
        name: solution.Ending(scale.number(ending.worth), ending.over)
        for name, ending in found.endings[number].items()
    }
    panel.plain = solution.PlainWays(
        scale.figure(plain.knock_less_gin),
        scale.figure(plain.over_knock),
        scale.figure(plain.over_gin),
    )
    return panel


# ------------------------------------------------------------------------------- equilibria


def equilibrium_of(
    found: mixed.Equilibrium, cut: Sequence[str] = (), seconds: float = 0.0
) -> Equilibrium:
    """Return a mixed rule of the knock as a result."""
    scale = _Scale(found.prices)
    best = found.best
    return Equilibrium(
        **_shared(found.traced, found.classes, found.prices, cut, seconds),
        chances=_chances(found.classes, found.sides[0]),
        opponent_chances=None if found.is_even else _chances(found.classes, found.sides[1]),
        steps=[
            EquilibriumStep(
                step.rounds, scale.figure(step.exploitability), scale.figure(step.at_most)
            )
            for step in found.steps
        ],
        exploitability=scale.figure(best.exploitability),
        exploitability_at_most=scale.figure(best.at_most),
        enough=scale.number(mixed.ENOUGH),
        value=scale.figure(found.value),
    )


def _chances(classes: Classes, rule: mixed.MixedRule) -> list[KnockChance]:
    return [
        KnockChance(
            turn=int(turn) + 1,
            class_name=classes.names[place],
            deadwood=int(deadwood),
            knocks=round(float(rule.weights[turn, place, deadwood])),
            chance=float(rule.chances[turn, place, deadwood]),
        )
        for turn, place, deadwood in np.ndindex(rule.chances.shape)
        if deadwood
    ]
