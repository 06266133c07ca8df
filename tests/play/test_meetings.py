"""Many meetings at once: each must come out as the one simulation of two policies does.

The play loop and its tally are judged elsewhere by the oracle; here they are the reference, one
pairing at a time.
"""

from __future__ import annotations

import threading
from dataclasses import replace

import numpy as np
import pytest

from gin_sim.errors import InputError
from gin_sim.payoff.payoff import PriceTable
from gin_sim.play import run
from gin_sim.play.games import LEAD_IN_GAMES
from gin_sim.play.meetings import MAX_GROUPS, Prices
from gin_sim.play.pairings import GamePairingsPlan, PairingsPlan
from gin_sim.play.plans import GamePlan, Plan
from gin_sim.play.run import simulate
from gin_sim.play.tallies import LEAD_IN_POINTS, LEAD_WITH_BOXES
from gin_sim.play.threshold_walk import PathsPlan
from gin_sim.policies.catalogue import parse_policy
from gin_sim.rules import PRESETS, parse_rules

LEADS = {"points": LEAD_IN_POINTS, "points+boxes": LEAD_WITH_BOXES}


STANDARD = parse_rules("standard")


def priced(rules, objective="points"):
    return PriceTable.of_points(rules, objective).whole_numbers


POINTS = priced(STANDARD)


def policies(*specs):
    return tuple(parse_policy(spec) for spec in specs)


def thresholds(name, *limits):
    return policies(*(f"{name}:knock={limit}" for limit in limits))


def cells(plan, threads=2):
    """Leads and squares of each meeting, summed over the groups."""
    tally = simulate(plan, threads).tally[0]
    assert tally.faults == 0
    assert tally.units == tally.counts.sum() == plan.n_units
    assert len(tally.counts) == min(plan.n_units, MAX_GROUPS)
    assert np.ptp(tally.counts) <= 1
    return tally.sums.sum(0).tolist(), tally.squares.tolist()


def one_by_one(plan, objective="points"):
    """The same from one simulation for each meeting."""
    sums, squares = [], []
    for pairing in plan.pairings:
        tally = simulate(Plan(pairing, plan.rules, plan.size, plan.seed, plan.mirrored)).tally[0]
        sums.append(int(tally.leads[LEADS[objective]]))
        squares.append(int(tally.lead_squares[LEADS[objective]]))
    return sums, squares


# ------------------------------------------------------------------ pairings


@pytest.mark.parametrize("mirrored", [True, False])
@pytest.mark.parametrize("objective", LEADS)
@pytest.mark.parametrize("rules", ["standard", "oklahoma", "openspiel"])
def test_each_meeting_is_the_simulation_of_its_two_policies(rules, objective, mirrored):
    names = policies("greedy", "simple:knock=3", "random", "heisenbot")
    pairings = tuple((a, b) for a in names for b in names[:2])
    rules = parse_rules(rules)
    plan = PairingsPlan(pairings, rules, 400, priced(rules, objective), seed=8, mirrored=mirrored)
    sums, squares = cells(plan)
    assert (sums, squares) == one_by_one(plan, objective)
    assert len(set(sums)) > 5


@pytest.mark.parametrize("mirrored", [True, False])
def test_meetings_of_games_are_the_games_of_their_two_policies(mirrored):
    names = policies("greedy", "simple", "two-threshold", "greedy:knock=2")
    pairings = tuple((a, b) for a in names for b in names if a is not b)
    plan = GamePairingsPlan(pairings, parse_rules("eaai"), 60, seed=3, mirrored=mirrored)
    sums, squares = cells(plan)
    for number, pairing in enumerate(pairings):
        played = simulate(GamePlan(pairing, plan.rules, 60, 3, mirrored)).tally[0]
        assert sums[number] == played.leads[LEAD_IN_GAMES]
        assert squares[number] == played.lead_squares[LEAD_IN_GAMES]
    assert len(set(sums)) > 5


def test_a_deal_belongs_to_the_group_of_its_number():
    pairing = (policies("greedy", "random"),)
    tally = simulate(PairingsPlan(pairing, STANDARD, 4600, POINTS, seed=2)).tally[0]
    assert len(tally.counts) == MAX_GROUPS == 1000
    assert tally.counts.tolist() == [3] * 300 + [2] * 700
    single = Plan(pairing[0], parse_rules("standard"), 4600, seed=2)
    for group in (0, 299, 300, 999):
        lead = sum(
            int(single.play(deal, 1).leads[0][LEAD_IN_POINTS]) for deal in range(group, 2300, 1000)
        )
        assert tally.sums[group, 0] == lead


# --------------------------------------------------------------- in one pass

KNOCKS = ("0", "3", "10", "6-10", "10/8/4/0", "4|2-9|0/10|5|0")


@pytest.mark.long
def test_every_threshold_against_every_other_in_one_walk():
    """The cells of the issue: 11 x 11, each exactly as its own simulation."""
    rows = thresholds("greedy", *range(11))
    for objective in LEADS:
        plan = PathsPlan(((rows, rows),), STANDARD, 1000, priced(STANDARD, objective), seed=4)
        sums, squares = cells(plan)
        assert (sums, squares) == one_by_one(plan, objective)
        matrix = np.array(sums).reshape(11, 11)
        assert (matrix == -matrix.T).all()
        assert len(set(sums)) > 90


@pytest.mark.long
@pytest.mark.parametrize("rules", sorted(PRESETS))
@pytest.mark.parametrize("mirrored", [True, False])
def test_in_one_pass_under_every_rule_set(rules, mirrored):
    rules = parse_rules(rules)
    plan = PathsPlan(
        ((thresholds("greedy", *KNOCKS), thresholds("simple", "2", "50")),),
        rules,
        600,
        priced(rules, "points+boxes"),
        seed=5,
        mirrored=mirrored,
    )
    assert cells(plan) == one_by_one(plan, "points+boxes")


@pytest.mark.long
@pytest.mark.parametrize("name", ["marjj", "strong", "gin-only:slip=0.2", "two-threshold"])
def test_in_one_pass_with_every_kind_of_play(name):
    """Play with noise too, and a knock that counts gin outs."""
    if name == "two-threshold":
        rows = policies(*(f"{name}:early={early}" for early in (0, 4, 10)))
    else:
        joint = "," if ":" in name else ":"
        rows = policies(*(f"{name}{joint}knock={knock}" for knock in KNOCKS))
    plan = PathsPlan(((rows, policies("simple")),), STANDARD, 300, POINTS, seed=6)
    assert cells(plan) == one_by_one(plan)
    rules = parse_rules("openspiel")
    both = PathsPlan(((rows, rows),), rules, 100, priced(rules), seed=7)
    assert cells(both) == one_by_one(both)


@pytest.mark.parametrize(
    "rows", [("heisenbot", "simple", "simple:knock=0"), ("random", "random"), ("heisenbot",)]
)
def test_in_one_pass_with_rules_of_the_knock_that_are_no_table(rows):
    """A coin may refuse big gin and gin, and the hand goes on for those that refuse."""
    rows = policies(*rows)
    plan = PathsPlan(((rows, policies("random", "random")),), STANDARD, 2000, POINTS, seed=9)
    assert cells(plan) == one_by_one(plan)


def test_in_one_pass_with_a_knock_from_a_file(tmp_path):
    file = tmp_path / "mine.py"
    file.write_text(
        "from typing import NamedTuple\n"
        'base = "greedy"\n'
        "class P(NamedTuple):\n    limit: int = 5\n"
        "def should_knock(view, p):\n"
        "    return view.deadwood <= p.limit and view.turn != 3\n"
    )
    rows = policies(*(f"{file}:limit={limit}" for limit in (0, 4, 9)))
    columns = thresholds("greedy", 10, 0)
    plan = PathsPlan(((rows, columns),), STANDARD, 400, POINTS, seed=9)
    assert cells(plan) == one_by_one(plan)


def test_one_walk_for_both_legs_is_as_good_as_two():
    rows = thresholds("greedy", 0, 5, 10)
    plan = PathsPlan(((rows, rows),), STANDARD, 2000, POINTS, seed=1)
    doubled = PathsPlan((((*rows, rows[0]), rows),), STANDARD, 2000, POINTS, seed=1)
    assert cells(plan)[0] == cells(doubled)[0][:9]


def test_several_blocks_are_walked_on_the_same_deals():
    rows = thresholds("greedy", 0, 5, 10)
    blocks = (
        (rows, policies("simple")),
        (thresholds("simple", 2, 8), rows),
        (rows, rows),
        (policies("strong"), policies("random")),
    )
    plan = PathsPlan(blocks, STANDARD, 500, POINTS, seed=1)
    assert len(plan.pairings) == 3 + 6 + 9 + 1
    assert cells(plan) == one_by_one(plan)


# ------------------------------------------------ one result, however split


def plans():
    rows = thresholds("greedy", 0, 5, 10)
    pairings = (policies("greedy", "simple"), policies("random", "greedy"))
    return [
        PathsPlan(((rows, policies("simple")),), STANDARD, 3000, POINTS, seed=2),
        PairingsPlan(pairings, STANDARD, 3000, POINTS, seed=2),
        GamePairingsPlan(pairings, STANDARD, 200, seed=2),
    ]


@pytest.mark.long
@pytest.mark.parametrize("number", range(3))
def test_threads_and_chunks_change_nothing(monkeypatch, number):
    plan = plans()[number]
    whole = simulate(plan, 1).tally.tobytes()
    for size in (1, 7, 1000):
        monkeypatch.setattr(run, "CHUNK_UNITS", size)
        for threads in (1, 3):
            assert simulate(plan, threads).tally.tobytes() == whole


@pytest.mark.parametrize(
    "plan", [*plans(), Plan(policies("greedy", "simple"), parse_rules("eaai"), 30_000)]
)
def test_a_stopping_rule_stops_at_the_same_unit_whatever_the_threads(plan):
    """It looks after fixed numbers of units, each look with exactly the units before it."""
    found = set()
    for threads in (1, 2, 5):
        looks = []

        def enough(tally, looks=looks):
            looks.append(int(tally.hands[0]))
            return len(looks) == 2

        played = simulate(plan, threads, enough=enough)
        assert played.enough
        assert not played.partial
        assert len(looks) == 2
        found.add((tuple(looks), played.tally.tobytes()))
    assert len(found) == 1


def test_a_stopping_rule_that_is_never_content_plays_the_plan():
    plan = plans()[0]
    played = simulate(plan, 2, enough=lambda tally: False)
    assert not played.enough
    assert not played.partial
    assert played.tally.tobytes() == simulate(plan).tally.tobytes()


def test_a_stop_keeps_what_is_finished():
    plan = PathsPlan(
        ((thresholds("greedy", 0, 5), policies("simple")),),
        STANDARD,
        10**9,
        POINTS,
        seed=1,
    )
    stop = threading.Event()

    def stop_soon(tally):
        if tally.units[0] > 10_000:
            stop.set()

    played = simulate(plan, 2, stop, stop_soon)
    assert played.partial
    tally = played.tally[0]
    assert tally.units == tally.counts.sum() > 10_000
    whole = PathsPlan(plan.blocks, plan.rules, 2 * int(tally.units), POINTS, seed=1)
    assert simulate(whole).tally[0].sums.sum(0).tolist() == tally.sums.sum(0).tolist()


@pytest.mark.parametrize("number", range(3))
def test_an_illegal_step_is_an_error(number, tmp_path):
    file = tmp_path / "cheat.py"
    file.write_text('base = "simple"\ndef choose_discard(view, p):\n    return 51\n')
    plan = plans()[number]
    bad = parse_policy(str(file))
    if number == 0:
        plan = replace(plan, blocks=(*plan.blocks, (plan.blocks[0][0], (bad,))), size=100)
    else:
        plan = replace(plan, pairings=(*plan.pairings, (bad, bad)), size=100)
    with pytest.raises(InputError, match=r"cheat\.py asked for an illegal step in \d+ of "):
        simulate(plan)


@pytest.mark.parametrize(
    ("prices", "words"),
    [
        (replace(POINTS, tables=POINTS.tables[0]), r"of shape \(2, 3, \d+\): give \(tables, 2, 3"),
        (replace(POINTS, tables=POINTS.tables[..., :50]), r"up to \d+ points under standard rules"),
        (replace(POINTS, priced_by=(0, 1)), r"priced_by is \(0, 1\) for 1 of 1 tables"),
        (replace(POINTS, priced_by=(1,)), r"priced_by is \(1,\) for 1 of 1 tables"),
    ],
)
def test_prices_that_do_not_fit(prices, words):
    with pytest.raises(InputError, match=words):
        PairingsPlan((policies("greedy", "simple"),), STANDARD, 100, prices)


def test_more_hands_than_can_be_summed_are_refused():
    dear = Prices(POINTS.tables * 1024, 1024)
    assert 10**6 < dear.most_hands < 10**9
    most = dear.most_hands - dear.most_hands % 2
    pairing = (policies("greedy", "simple"),)
    blocks = (((pairing[0][0],), (pairing[0][1],)),)
    for plan, meetings in ((PairingsPlan, pairing), (PathsPlan, blocks)):
        plan(meetings, STANDARD, most, dear)
        with pytest.raises(InputError, match=r"hands are too many to be priced by this table"):
            plan(meetings, STANDARD, most + 2, dear)
