"""Plans and how they are played: the same sums however the work is split, and stopping part-way.

What a hand is worth, and that it is played by the rules, is the business of test_round.py.
"""

from __future__ import annotations

import threading
import tracemalloc

import numpy as np
import pytest

from gin_sim.contests.match import match_of
from gin_sim.errors import InputError
from gin_sim.play import run, tallies
from gin_sim.play.plans import MAX_HANDS, Plan, whole_pairs
from gin_sim.play.record import play_recorded
from gin_sim.play.run import simulate
from gin_sim.play.tallies import merge, new_tally
from gin_sim.policies.catalogue import parse_policy
from gin_sim.rules import PRESETS, parse_rules

PAIRINGS = [
    ("greedy", "greedy:knock=5", "standard"),
    ("simple", "greedy:knock=0", "eaai"),
    ("random", "simple", "oklahoma"),
    ("random", "greedy:knock=3", "openspiel"),
]


def plan_of(first, second, hands, rules="standard", **more) -> Plan:
    return Plan((parse_policy(first), parse_policy(second)), parse_rules(rules), hands, **more)


def sums_of(played) -> dict[str, list]:
    tally = played.tally[0]
    return {name: np.asarray(tally[name]).tolist() for name in tally.dtype.names}


def lead(played) -> list[int]:
    return played.tally[0].leads.tolist()


# ------------------------------------------------------------------- plans


@pytest.mark.parametrize("hands", [0, -2, MAX_HANDS + 2])
def test_a_plan_has_at_least_a_hand_and_an_end(hands):
    with pytest.raises(InputError, match=f"^{hands} hands cannot be played: ask for 1 to "):
        plan_of("greedy", "greedy", hands)


def test_mirrored_hands_come_in_pairs():
    with pytest.raises(InputError, match=r"^1,001 hands are not whole mirrored pairs"):
        plan_of("greedy", "greedy", 1001)
    assert plan_of("greedy", "greedy", 1001, mirrored=False).n_units == 1001
    assert plan_of("greedy", "greedy", 1002).n_units == 501


@pytest.mark.parametrize(("hands", "whole"), [(1, 2), (2, 2), (7, 8), (1_000_000, 1_000_000)])
def test_sizes_are_rounded_up_to_whole_pairs(hands, whole):
    assert whole_pairs(hands) == whole


@pytest.mark.parametrize("seed", [-1, 2**63])
def test_a_seed_is_63_bits(seed):
    with pytest.raises(InputError, match=f"^the seed is {seed}: it is a whole number from 0 to"):
        plan_of("greedy", "greedy", 2, seed=seed)


def test_the_greatest_seed_plays():
    played = simulate(plan_of("greedy", "simple", 20, seed=2**63 - 1), 1)
    assert played.tally.hands[0] == 20


# -------------------------------------------- one result, however it is split


@pytest.mark.long
@pytest.mark.parametrize("mirrored", [True, False])
@pytest.mark.parametrize(("first", "second", "rules"), PAIRINGS)
def test_threads_and_chunks_change_nothing(monkeypatch, first, second, rules, mirrored):
    plan = plan_of(first, second, 400, rules, seed=5, mirrored=mirrored)
    whole = simulate(plan, 1)
    assert not whole.partial
    assert whole.tally.hands[0] == 400
    assert whole.tally.deals[0] == plan.n_units
    assert whole.tally.faults[0] == 0
    for chunk_deals in (1, 7, 150):
        monkeypatch.setattr(run, "CHUNK_UNITS", chunk_deals)
        for threads in (1, 2, 7):
            assert sums_of(simulate(plan, threads)) == sums_of(whole)


@pytest.mark.jitless
def test_chunks_of_any_size_add_up(monkeypatch):
    monkeypatch.setattr(run, "CHUNK_UNITS", 2)
    plan = plan_of("greedy", "simple", 10)
    by_chunks = simulate(plan, 2)
    monkeypatch.setattr(run, "CHUNK_UNITS", 4096)
    assert sums_of(by_chunks) == sums_of(simulate(plan, 1))


def test_the_first_part_of_a_longer_plan_is_the_shorter_plan():
    short = simulate(plan_of("greedy", "random", 600, seed=9))
    rest = new_tally()
    merge(rest, plan_of("greedy", "random", 1000, seed=9).play(300, 200))
    long = simulate(plan_of("greedy", "random", 1000, seed=9))
    merge(rest, short.tally)
    assert rest.tobytes() == long.tally.tobytes()


def test_another_seed_is_another_sample():
    one, two = (simulate(plan_of("greedy", "simple", 200, seed=seed)) for seed in (1, 2))
    assert sums_of(one) != sums_of(two)


@pytest.mark.parametrize("mirrored", [True, False])
def test_the_tally_is_of_the_hands_that_are_recorded(mirrored):
    plan = plan_of("greedy:knock=7", "simple", 400, "standard", seed=3, mirrored=mirrored)
    played = simulate(plan).tally[0]
    points, won, turns = [0, 0], [0, 0], 0
    records = play_recorded(plan.policies, plan.rules, 3, 400, mirrored=mirrored)
    for record in records:
        turns += sum(turn.draw != "pass" for turn in record.turns)
        for seat in range(2):
            side = seat ^ record.leg
            points[side] += record.end.points[seat]
            won[side] += record.end.points[seat] > 0
    assert played.sums[tallies.POINTS].tolist() == points
    assert played.sums[tallies.HANDS_WON].tolist() == won
    assert played.shared[tallies.TURNS] == turns
    assert played.leads[tallies.LEAD_IN_POINTS] == points[0] - points[1]


@pytest.mark.parametrize("rules", PRESETS)
def test_every_hand_is_won_or_washed_or_ties(rules):
    played = simulate(plan_of("greedy", "greedy:knock=2", 4000, rules)).tally[0]
    ended = played.sums[[tallies.KNOCKS, tallies.GINS, tallies.BIG_GINS]].sum()
    assert ended + played.shared[tallies.WASHES] == 4000
    won = played.sums[tallies.HANDS_WON].sum()
    assert won <= ended
    if rules != "openspiel":  # there a tie scores nothing
        assert won == ended
    box = PRESETS[rules].box_bonus
    boxes = played.sums[tallies.POINTS_WITH_BOXES] - played.sums[tallies.POINTS]
    assert boxes.tolist() == (box * played.sums[tallies.HANDS_WON]).tolist()


# ---------------------------------------------------------------- mirroring


@pytest.mark.parametrize(("first", "second", "rules"), PAIRINGS)
def test_exchanging_the_sides_turns_the_sign(first, second, rules):
    one = simulate(plan_of(first, second, 4000, rules))
    other = simulate(plan_of(second, first, 4000, rules))
    assert lead(one) == [-points for points in lead(other)]
    assert one.tally[0].sums[:, 0].tolist() == other.tally[0].sums[:, 1].tolist()
    assert one.tally[0].lead_squares.tolist() == other.tally[0].lead_squares.tolist()
    first_way, other_way = match_of(one), match_of(other)
    for objective, difference in first_way.difference.items():
        against = other_way.difference[objective]
        assert difference.estimate == -against.estimate
        assert difference.low == pytest.approx(-against.high, abs=1e-12)
        assert difference.high == pytest.approx(-against.low, abs=1e-12)


@pytest.mark.parametrize("policy", ["greedy", "simple", "random"])
def test_mirrored_self_play_is_level_to_the_point(policy):
    result = match_of(simulate(plan_of(policy, policy, 10_000)))
    for difference in result.difference.values():
        assert (difference.estimate, difference.low, difference.high) == (0, 0, 0)
        assert difference.variance_reduction is None
    assert result.verdict.startswith("No difference in points per hand is found: both sides are")


@pytest.mark.parametrize("policy", ["greedy", "simple"])
def test_plain_self_play_spans_zero(policy):
    results = [
        match_of(simulate(plan_of(policy, policy, 4000, seed=seed, mirrored=False)))
        for seed in range(40)
    ]
    for objective in ("points", "points+boxes"):
        # Each of the forty 95% intervals, but for about two.
        assert sum(result.difference[objective].spans_zero for result in results) >= 34
        assert all(result.difference[objective].variance_reduction is None for result in results)


def test_mirrored_and_plain_play_agree_and_mirroring_saves():
    mirrored, plain = (
        match_of(simulate(plan_of("greedy", "greedy:knock=5", 100_000, mirrored=mirrored)))
        for mirrored in (True, False)
    )
    assert (mirrored.deals, plain.deals) == (50_000, 100_000)
    for objective, near in mirrored.difference.items():
        factor, far = near.variance_reduction, plain.difference[objective]
        assert abs(near.estimate - far.estimate) < near.half_width + far.half_width
        # What is said to be saved is what the plain hands' interval is wider by.
        assert factor == pytest.approx((far.half_width / near.half_width) ** 2, rel=0.05)
        assert factor > 1.5


def test_odd_plain_hands():
    played = simulate(plan_of("greedy", "simple", 4097, mirrored=False))
    assert (played.tally.hands[0], played.tally.deals[0]) == (4097, 4097)


# ------------------------------------------------------------ stopping early


def test_a_plan_stopped_beforehand_plays_nothing():
    stop = threading.Event()
    stop.set()
    played = simulate(plan_of("greedy", "greedy", 10_000), 2, stop)
    assert played.partial
    assert played.tally.hands[0] == 0
    assert sums_of(played) == sums_of(type(played)(played.plan, new_tally(), 0.0, True))


@pytest.mark.parametrize("threads", [1, 2])
@pytest.mark.parametrize("n_calls", [1, 3])
def test_what_is_finished_is_the_start_of_the_plan(monkeypatch, threads, n_calls):
    monkeypatch.setattr(run, "CHUNK_UNITS", 50)
    stop = threading.Event()
    seen = []

    def watch(tally):
        seen.append(int(tally.deals[0]))
        if len(seen) == n_calls:
            stop.set()

    played = simulate(plan_of("greedy", "simple", 10**6), threads, stop, watch)
    assert played.partial
    assert seen == [50 * (i + 1) for i in range(n_calls)]
    deals = int(played.tally.deals[0])
    assert 50 * n_calls <= deals < 50 * (n_calls + 1 + run._CHUNKS_AHEAD * threads)
    shorter = simulate(plan_of("greedy", "simple", 2 * deals))
    assert not shorter.partial
    assert sums_of(played) == sums_of(shorter)


def test_a_stop_after_the_last_hand_does_not_make_it_partial():
    stop = threading.Event()

    def watch(tally):
        if tally.hands[0] == 100:
            stop.set()

    played = simulate(plan_of("greedy", "greedy", 100), 1, stop, watch)
    assert not played.partial
    assert played.tally.hands[0] == 100


def test_progress_is_reported_after_each_chunk(monkeypatch):
    monkeypatch.setattr(run, "CHUNK_UNITS", 5)
    seen = []
    main = threading.get_ident()

    def watch(tally):
        assert threading.get_ident() == main
        seen.append(int(tally.hands[0]))

    simulate(plan_of("greedy", "greedy", 200), 2, on_progress=watch)
    assert seen == list(range(10, 210, 10))


def test_an_error_in_the_watcher_is_passed_on(monkeypatch):
    monkeypatch.setattr(run, "CHUNK_UNITS", 10)

    def watch(tally):
        raise OSError("the terminal is gone")

    with pytest.raises(OSError, match="the terminal is gone"):
        simulate(plan_of("greedy", "greedy", 10_000), 2, on_progress=watch)


# -------------------------------------------------------------------- faults


@pytest.mark.parametrize("chunk_at_fault", [0, 2])
def test_an_illegal_step_of_a_policy_is_an_error(monkeypatch, chunk_at_fault):
    plan = plan_of("greedy:knock=4", "simple", 1000)
    play = Plan.play

    def play_badly(plan, first_deal, n_deals):
        tally = play(plan, first_deal, n_deals)
        tally.faults[0] = 3 * (first_deal == 10 * chunk_at_fault)
        return tally

    monkeypatch.setattr(run, "CHUNK_UNITS", 10)
    monkeypatch.setattr(Plan, "play", play_badly)
    with pytest.raises(InputError) as error:
        simulate(plan, 2)
    hands = 20 * (chunk_at_fault + 1)
    assert str(error.value).startswith(
        f"greedy:knock=4 or simple asked for an illegal step in 3 of {hands} hands"
    )


# -------------------------------------------------------------------- memory


@pytest.mark.long
def test_memory_does_not_grow_with_the_hands():
    def peak(hands: int) -> int:
        tracemalloc.start()
        simulate(plan_of("greedy", "simple", hands), 2)
        most = tracemalloc.get_traced_memory()[1]
        tracemalloc.stop()
        return most

    peak(10_000)
    # Threads and waiting chunks may fall out differently; an int a hand would be 8 MB.
    assert peak(1_000_000) < peak(100_000) + 500_000
