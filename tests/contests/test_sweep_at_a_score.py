"""Hands at a score, priced by tables: many meetings at once, and sweeps judged by the game.

One meeting alone, priced by one table, is payoff/test_payoff.py's business; here it is the
reference.
"""

from __future__ import annotations

from functools import cache

import numpy as np
import pytest

from gin_sim.contests.estimates import Leads, lead_moments
from gin_sim.contests.stopping_rules import watch_for
from gin_sim.contests.sweep import plan_sweep, sweep_of
from gin_sim.payoff.equity import Equity, Results
from gin_sim.payoff.payoff import GRAIN, PriceTable
from gin_sim.payoff.score import State
from gin_sim.play.hand_results import GROUPS, ResultsPlan
from gin_sim.play.pairings import PairingsPlan
from gin_sim.play.plans import Plan
from gin_sim.play.run import Played, simulate
from gin_sim.play.tallies import HANDS_WON, WASHES
from gin_sim.play.threshold_walk import PathsPlan
from gin_sim.policies.catalogue import parse_policy
from gin_sim.policies.variations import parse_grid
from gin_sim.rules import parse_rules

STATES = {
    "either deals": ("standard", State(90, 75, -1)),
    "the player deals": ("standard", State(0, 60, -3, 0)),
    "the opponent deals": ("eaai", State(45, 20, 0, 1)),
    "boxes at once": ("palace", State(60, 0)),
}


@cache
def equity_between(play, against, rules, hands=2000):
    plan = ResultsPlan((parse_policy(play), parse_policy(against)), parse_rules(rules), hands, 3)
    return Equity(Results(plan, np.array(simulate(plan).tally[0].counts), hands))


def prices_of(base, opponents, rules, state, objective="win"):
    return [
        PriceTable.of_game(equity_between(base, each, rules), state, objective)
        for each in opponents
    ]


def swept(sweeping, grid, against, prices):
    """A sweep that is played to its end."""
    leads = Leads(simulate(sweeping.plan))
    return sweep_of(leads, grid, against, sweeping.meetings, prices)


def one_by_one(plan, tables, pairings, size):
    """Leads and squares of each meeting from a plan of that meeting alone."""
    sums, squares = [], []
    for (policy, opponent), prices in zip(pairings, tables, strict=True):
        alone = PairingsPlan(
            ((policy, opponent),), plan.rules, size, prices.whole_numbers, plan.seed,
            plan.mirrored, prices.start,
        )  # fmt: skip
        tally = simulate(alone).tally[0]
        sums += tally.sums.sum(0).tolist()
        squares += tally.squares.tolist()
    return sums, squares


def planned(base, params, opponents, rules, state, objective="win", size=600, **options):
    grid = parse_grid(base, params)
    against = [parse_policy(each) for each in opponents]
    prices = prices_of(base, opponents, rules, state, objective)
    plan = plan_sweep(grid, against, parse_rules(rules), size, prices, seed=4, **options)
    return plan, grid, against, prices


# ----------------------------------------------------------- each cell is its own meeting


@pytest.mark.long
@pytest.mark.parametrize("mirrored", [True, False])
@pytest.mark.parametrize("objective", ["win", "stakes"])
@pytest.mark.parametrize("where", STATES)
def test_each_cell_is_its_meeting_priced_alone(where, objective, mirrored):
    """In one walk and cell by cell: the same sums of leads and of squares, to the last one."""
    rules, state = STATES[where]
    opponents = ("simple", "greedy", "marjj")
    made = {}
    for one_pass in (True, False):
        sweeping, grid, against, prices = planned(
            "greedy", ["knock=0,4,10"], opponents, rules, state, objective,
            mirrored=mirrored, one_pass=one_pass,
        )  # fmt: skip
        plan = sweeping.plan
        assert isinstance(plan, PathsPlan if one_pass else PairingsPlan)
        tally = simulate(plan).tally[0]
        made[one_pass] = tally.sums.sum(0)[sweeping.meetings], tally.squares[sweeping.meetings]
    pairings = [(policy, other) for other in against for policy in grid.policies]
    of_each = [each for each in prices for _ in grid.policies]
    expected = one_by_one(plan, of_each, pairings, 600)
    for sums, squares in made.values():
        assert (sums.ravel().tolist(), squares.ravel().tolist()) == expected
    assert len(set(expected[0])) == 9


@pytest.mark.parametrize("params", [["close_within=0,30"], ["knock=2,8", "ahead_more=0,4"]])
def test_policies_that_read_the_score_are_walked_at_it(params):
    base = "strong:ahead=10,behind=10,behind_more=-2,close_within=10"
    made = []
    for one_pass in (True, False):
        sweeping, *_ = planned(
            base, params, ["simple"], "standard", State(75, 20, 0), size=400, one_pass=one_pass
        )
        assert isinstance(sweeping.plan, PathsPlan) is one_pass
        tally = simulate(sweeping.plan).tally[0]
        made.append((tally.sums.sum(0)[sweeping.meetings]).tolist())
    assert made[0] == made[1]
    assert len(set(made[0][0])) > 1


@pytest.mark.long
def test_several_numbers_of_which_one_changes_the_draws():
    opponents = ("simple", "marjj")
    made = []
    for one_pass in (True, False):
        sweeping, *_ = planned(
            "strong", ["knock=0,10", "temperature=0,2"], opponents, "standard", State(90, 75),
            size=200, one_pass=one_pass,
        )  # fmt: skip
        assert isinstance(sweeping.plan, PathsPlan) is one_pass
        made.append(simulate(sweeping.plan).tally[0].sums.sum(0)[sweeping.meetings].tolist())
    assert made[0] == made[1]


@pytest.mark.parametrize("mirrored", [True, False])
@pytest.mark.parametrize("state", [State(90, 20, 3), State(0, 0), State(0, 0, 0, 1)])
def test_players_of_one_kind_are_walked_in_either_seat(state, mirrored):
    """The score stays with its side, so that no walk of one leg serves the other."""
    rules = parse_rules("standard")
    prices = prices_of("greedy", ["greedy"], "standard", state)[0]
    whole = prices.whole_numbers
    players = tuple(parse_policy(f"greedy:knock={limit}") for limit in (0, 10))
    pairings = tuple((row, column) for row in players for column in players)
    tallies = [
        simulate(plan).tally[0]
        for plan in (
            PathsPlan(((players, players),), rules, 400, whole, 1, mirrored, prices.start),
            PairingsPlan(pairings, rules, 400, whole, 1, mirrored, prices.start),
        )
    ]
    assert tallies[0].sums.tolist() == tallies[1].sums.tolist()
    assert tallies[0].squares.tolist() == tallies[1].squares.tolist()
    assert tallies[0].squares[1] > 0


# ------------------------------------------------------------------------------- by hand


def certain_equity(rules):
    """The equity of a game of which every later hand is won by 10, by either side as often."""
    plan = ResultsPlan((parse_policy("greedy"), parse_policy("greedy")), parse_rules(rules), 1000)
    counts = plan.new_tally().counts[0]
    counts[:GROUPS, :, :, :2, 10] = 1
    return Equity(Results(plan, counts, 1000))


@pytest.mark.parametrize("one_pass", [True, False])
def test_where_any_hand_won_wins_the_game_the_chance_is_the_share_of_hands_won(one_pass):
    """To 10 without boxes, at 9-9: whoever wins the hand wins; a wash leaves 1/2.

    So each value's chance is its hands won, and half its washes, over all hands.
    """
    rules, size = parse_rules("eaai:target=10"), 2000
    grid, simple = parse_grid("greedy", ["knock=0,5,10"]), parse_policy("simple")
    prices = PriceTable.of_game(certain_equity("eaai:target=10"), State(9, 9))
    sweeping = plan_sweep(grid, [simple], rules, size, [prices], seed=2, one_pass=one_pass)
    found = sweep_of(Leads(simulate(sweeping.plan)), grid, [simple], sweeping.meetings, [prices])
    (table,) = found.by_opponent
    n_washes = 0
    for policy, cell in zip(grid.policies, table.cells, strict=True):
        tally = simulate(Plan((policy, simple), rules, size, 2)).tally[0]
        wins, washes = int(tally.sums[HANDS_WON, 0]), int(tally.shared[WASHES])
        n_washes += washes
        assert cell.figure.estimate == pytest.approx((wins + washes / 2) / size, abs=1e-11)
        assert cell.figure.low < cell.figure.estimate < cell.figure.high
    assert n_washes > 0
    best = max(table.cells, key=lambda cell: cell.figure.estimate)
    for cell in table.cells:
        expected = cell.figure.estimate - best.figure.estimate
        assert cell.to_best.estimate == pytest.approx(expected, abs=1e-9)


def test_stakes_of_a_game_that_the_hand_ends_are_what_is_settled():
    """To 10, no boxes, no bonuses: at 9-9 the winner of the hand for n settles 9 + n less 9."""
    rules, size = parse_rules("eaai:target=10"), 1000
    assert (rules.game_bonus, rules.box_bonus) == (0, 0)
    grid, simple = parse_grid("greedy", ["knock=10"]), parse_policy("simple")
    prices = PriceTable.of_game(certain_equity("eaai:target=10"), State(9, 9), "stakes")
    sweeping = plan_sweep(grid, [simple], rules, size, [prices], seed=2)
    played = simulate(sweeping.plan)
    cell = (
        sweep_of(Leads(played), grid, [simple], sweeping.meetings, [prices]).by_opponent[0].cells[0]
    )
    whole = PriceTable.of_points(rules).whole_numbers
    points = simulate(PairingsPlan(((grid.policies[0], simple),), rules, size, whole, seed=2))
    (expected,) = Leads(points).meetings
    assert cell.figure.estimate == pytest.approx(expected.estimate, abs=1e-9)
    assert cell.figure.half_width == pytest.approx(expected.half_width, rel=1e-9)


def test_a_policy_is_not_level_with_itself_at_an_uneven_score():
    """Each hand is played twice with the sides swapped, and the score stays with the side."""
    sweeping, grid, against, prices = planned(
        "greedy", ["knock=10,0"], ["greedy"], "standard", State(90, 20, 3)
    )
    found = sweep_of(Leads(simulate(sweeping.plan)), grid, against, sweeping.meetings, prices)
    own = found.by_opponent[0].cells[0].figure
    assert own.estimate > 0.8
    assert own.low < own.estimate < own.high <= 1


def test_the_mean_over_opponents_is_of_chances_by_their_own_tables():
    sweeping, grid, against, prices = planned(
        "greedy", ["knock=0,10"], ["simple", "marjj"], "standard", State(60, 75, -1)
    )
    found = sweep_of(Leads(simulate(sweeping.plan)), grid, against, sweeping.meetings, prices)
    one, two, mean = found.by_opponent
    assert mean.against is None
    for first, second, both in zip(one.cells, two.cells, mean.cells, strict=True):
        expected = (first.figure.estimate + second.figure.estimate) / 2
        assert both.figure.estimate == pytest.approx(expected)
    # Priced by the other opponent's table it would be another chance.
    assert prices[0].table[0, 0, 10] != prices[1].table[0, 0, 10]


# ------------------------------------------------------------------- stopping and errors


def test_until_is_in_the_unit_of_the_prices():
    sweeping, grid, against, prices = planned(
        "greedy", ["knock=0,10"], ["simple"], "standard", State(60, 60), size=10**6
    )
    plan = sweeping.plan
    watch = watch_for(plan, lead_moments, "points", 2, 2.0)
    found = set()
    for threads in (1, 2):
        watch = watch_for(plan, lead_moments, "points", 2, 2.0)
        played = simulate(plan, threads, enough=watch)
        assert played.enough
        cells = (
            sweep_of(Leads(played, watch), grid, against, sweeping.meetings, prices)
            .by_opponent[0]
            .cells
        )
        assert all(0.01 < cell.figure.half_width <= 0.02 for cell in cells)
        found.add(int(played.tally[0].units))
    assert len(found) == 1


def test_a_partial_sweep_is_that_of_its_units():
    sweeping, grid, against, prices = planned(
        "greedy", ["knock=0,10"], ["simple"], "standard", State(60, 60), size=400
    )
    tally = sweeping.plan.play(0, 100)
    found = sweep_of(
        Leads(Played(sweeping.plan, tally, 1.0, True)), grid, against, sweeping.meetings,
        prices,
    )  # fmt: skip
    half = planned("greedy", ["knock=0,10"], ["simple"], "standard", State(60, 60), size=200)[0]
    expected = simulate(half.plan).tally[0].sums.sum(0) / 200 / GRAIN + 50
    estimates = [cell.figure.estimate for cell in found.by_opponent[0].cells]
    assert estimates == pytest.approx((expected / 100).tolist())
