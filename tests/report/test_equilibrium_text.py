"""What is said of an equilibrium of the knock: whether it is near enough."""

from __future__ import annotations

import pytest

from gin_sim.report.text.equilibrium import reached_words
from gin_sim.results.common import Estimate, PolicyInfo
from gin_sim.results.equilibrium import Equilibrium, EquilibriumStep, KnockChance
from gin_sim.results.knocks import KnockClasses
from gin_sim.rules import parse_rules


def equilibrium(gains, at_most, **more):
    """An equilibrium whose best response gains (low, high), and on its own deals at most that."""
    left, most = (Estimate((low + high) / 2, low, high) for low, high in (gains, at_most))
    return Equilibrium(
        rules=parse_rules("standard"),
        seed=1,
        **{"objective": "points", "unit": "points per hand", "enough": 0.05, **more},
        score=None,
        deals=1000,
        play=PolicyInfo("greedy", "greedy", {}),
        by=KnockClasses("none", "own turn and deadwood alone", ["all"]),
        opponent_deadwood=[],
        cut=[],
        chances=[KnockChance(turn=1, class_name="all", deadwood=1, knocks=100, chance=0.5)],
        steps=[EquilibriumStep(5, left, most)],
        exploitability=left,
        exploitability_at_most=most,
        value=Estimate(0.0, -0.1, 0.1),
    )


@pytest.mark.parametrize(
    ("gains", "at_most", "sentence"),
    [
        (
            (-0.1, 0.01),
            (0.0, 0.04),
            "The best response found gains less than 0.05 points per hand.",
        ),
        (
            (-0.1, 0.01),
            (0.11, 0.2),
            "The best response found gains less than 0.05 points per hand on deals that did not "
            "choose it, but another might gain more: trace more deals.",
        ),
        (
            (0.06, 0.2),
            (0.1, 0.3),
            "The best response found gains more than 0.05 points per hand: no equilibrium yet.",
        ),
        (
            (0.0, 0.06),
            (0.01, 0.2),
            "Too close to call whether a best response gains 0.05 points per hand: trace more "
            "deals.",
        ),
    ],
)
def test_an_equilibrium_is_near_enough_by_both_figures(gains, at_most, sentence):
    assert reached_words(equilibrium(gains, at_most)) == sentence


def test_the_rule_is_that_of_the_step_with_the_least_gain_on_its_own_deals():
    found = equilibrium((0.0, 0.1), (0.1, 0.2))
    zero = Estimate(0.0, -0.1, 0.1)
    found.steps = [
        EquilibriumStep(rounds, zero, Estimate(most, most - 0.1, most + 0.1))
        for rounds, most in ((5, 0.3), (10, 0.1), (20, 0.2))
    ]
    assert found.rounds == 10
