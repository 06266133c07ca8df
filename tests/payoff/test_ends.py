"""Hands that were played out, priced by how they ended and for how much: by hand."""

from __future__ import annotations

import numpy as np
import pytest

from gin_sim.payoff.ends import values_of, with_bonuses
from gin_sim.payoff.payoff import points_table
from gin_sim.play.actions import END_NAMES, NOBODY_WON, WON_BY_BIG_GIN, WON_BY_KNOCK
from gin_sim.rules import parse_rules

ENDS = np.arange(9, dtype=np.int8)  # won by a knock, gin, big gin, an undercut; lost; nobody won
POINTS = np.array([12, 40, 50, 30, -12, -40, -50, -30, 0], np.int16)


def test_each_end_is_worth_what_the_table_says_of_who_won():
    assert [name.partition(" ")[0] for name in END_NAMES] == ["won"] * 4 + ["lost"] * 4 + ["wash"]
    assert values_of(points_table(60)[0], POINTS, ENDS).tolist() == POINTS.tolist()
    boxed = values_of(points_table(60, box=25)[1], POINTS, ENDS)
    assert boxed.tolist() == [37, 65, 75, 55, -37, -65, -75, -55, 0]


def test_a_hand_won_for_nothing_is_not_a_wash():
    prices = np.array([[0.6, 0.7], [0.4, 0.3], [0.5, 0.5]])
    ends = np.array([WON_BY_KNOCK, NOBODY_WON])
    assert values_of(prices, np.zeros(2, np.int16), ends).tolist() == [0.6, 0.5]


def test_every_end_is_priced_anew():
    """Bonuses of 25, priced at 20 for gin and 10 for an undercut; big gin keeps its distance."""
    rules = parse_rules("standard")
    found = with_bonuses(POINTS, ENDS, rules, 20, 10, doubled=False)
    assert found.tolist() == [12, 35, 45, 15, -12, -35, -45, -15, 0]
    found = with_bonuses(2 * POINTS, ENDS, rules, 20, 10, doubled=True)
    assert found.tolist() == [24, 70, 90, 30, -24, -70, -90, -30, 0]


@pytest.mark.parametrize(("scored", "expected"), [(41, 0), (90, 15)])
def test_big_gin_is_not_priced_below_nothing(scored, expected):
    rules = parse_rules("standard:gin_bonus=100")
    ends = np.array([WON_BY_BIG_GIN], np.int8)
    assert with_bonuses(np.array([scored]), ends, rules, 25, 25, False).tolist() == [expected]
