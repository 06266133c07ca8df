"""The same position with one thing otherwise: other opponents, other bonuses, other scores.

Other opponents are asked about anew; bonuses and scores price the hands that were played.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from gin_sim.advice.contest import Question
from gin_sim.advice.objectives import prices_at
from gin_sim.advice.playouts import Results
from gin_sim.payoff.ends import with_bonuses
from gin_sim.payoff.equity import Equity
from gin_sim.payoff.payoff import box_of, points_table
from gin_sim.policies.catalogue import parse_policy
from gin_sim.policies.contract import Policy
from gin_sim.policies.score_classes import hands_possible
from gin_sim.policies.shipped.knock_table import parse_knock
from gin_sim.policies.specs import read_spec
from gin_sim.positions import Position
from gin_sim.results.actions import Variant, Verdict
from gin_sim.results.objective import OF_THE_HAND, unit_of
from gin_sim.rules import Rules

#: Knock rules of the panel: at ten or less always, on the first three turns, and gin alone.
_KNOCK_RULES = ("10", "10/10/10/0", "0")
_UP_TO_TEN = (1 << 11) - 1  # bits of deadwood 0 to 10

#: How far before the target a side stands that is close to winning, points.
_CLOSE = 10


def variant_of(name: str, verdict: Verdict, objective: str) -> Variant:
    """Return a verdict with what is otherwise in it."""
    return Variant(
        action=verdict.action,
        card=verdict.card,
        answer=verdict.answer,
        margin=verdict.margin,
        name=name,
        unit=unit_of(objective, at_a_score=True).name,
    )


# ---------------------------------------------------------------------------------------------
# Opponents


def knock_rules(opponent: Policy) -> tuple[Policy, ...]:
    """Return the opponent with other knock rules: always at ten or less, early only, gin only."""
    if not any(parameter.name == "knock" for parameter in opponent.kind.parameters):
        return ()
    spec = read_spec(opponent.spec)
    others = [parse_policy(spec.changed({"knock": rule})) for rule in _KNOCK_RULES]
    own = _knocks(opponent)
    return tuple(other for other in others if (_knocks(other) != own).any())


def _knocks(policy: Policy) -> np.ndarray:
    """Return what a policy knocks with, masks of deadwood up to the usual limit."""
    return parse_knock(policy.values["knock"], policy.spec) & _UP_TO_TEN


# ---------------------------------------------------------------------------------------------
# Bonuses


class Bonuses(NamedTuple):
    """Points for gin, for an undercut, and for a hand won."""

    gin: int
    undercut: int
    box: int

    @property
    def name(self) -> str:
        """The bonuses in words."""
        text = f"{self.gin} for gin and {self.undercut} for an undercut"
        return f"{text}, {self.box} for a hand won" if self.box else text


#: Bonuses that the verdict is given for too.
_BONUSES = (Bonuses(25, 25, 0), Bonuses(20, 10, 0), Bonuses(25, 25, 25))


def under_other_bonuses(question: Question, objective: str) -> list[Variant]:
    """Return the verdict in points under other bonuses: the finalists' hands, priced anew."""
    position = question.position
    found = []
    for bonuses in other_bonuses(position.rules, objective):
        results = repriced(question.results, position, bonuses)
        prices = points_table(int(np.abs(results.points).max()), bonuses.box)[0]  # any dealer's
        verdict = question.verdict(results.values(prices))
        found.append(variant_of(bonuses.name, verdict, "points"))
    return found


def other_bonuses(rules: Rules, objective: str) -> list[Bonuses]:
    """Return the bonuses to give the verdict for beside those that the objective counts."""
    own = None
    if objective in OF_THE_HAND:
        own = Bonuses(rules.gin_bonus, rules.undercut_bonus, box_of(objective, rules))
    return [bonuses for bonuses in _BONUSES if bonuses != own]


def repriced(results: Results, position: Position, bonuses: Bonuses) -> Results:
    """Return played hands with other bonuses for gin and undercut."""
    rules = position.rules
    doubled = rules.spade_doubles and position.seen.first_upcard < 13
    points = with_bonuses(
        results.points, results.ends, rules, bonuses.gin, bonuses.undercut, doubled
    )
    return Results(points, results.ends)


# ---------------------------------------------------------------------------------------------
# Scores


def at_other_scores(question: Question, objective: str, equity: Equity | None) -> list[Variant]:
    """Return the verdict at other scores: the finalists' hands, and what they lead to there."""
    if equity is None:
        return []
    return [
        variant_of(name, question.verdict(question.results.values(prices)), objective)
        for name, prices in prices_by_score(objective, question.position, equity)
    ]


def prices_by_score(
    objective: str, position: Position, equity: Equity
) -> list[tuple[str, np.ndarray]]:
    """Return the prices of the hand at four scores: the start, and where one side or both are near.

    Each side that has points has as few boxes as they take; where no hands make a score near the
    target, the start is the only one.
    """
    rules = position.rules
    near = max(rules.target - _CLOSE, 0)
    fewest, most = hands_possible(near, rules)
    near -= fewest * rules.box_bonus if rules.boxes_count_at_once else 0
    found = []
    for score in ((0, 0), (near, 0), (0, near), (near, near)):
        boxes = (fewest if score[0] else 0, fewest if score[1] else 0)
        name = f"{score[0]}-{score[1]}"
        if rules.box_bonus and any(boxes):
            name += f" with boxes {boxes[0]}-{boxes[1]}"
        if not found or (near and fewest <= most):
            found.append((name, prices_at(objective, position, equity, score, boxes)))
    return found
