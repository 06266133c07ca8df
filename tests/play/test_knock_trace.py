"""Traced paths against hands that were really played, and against the slow oracle.

Every noted knock is played for real: the mover's knock is set to that turn and deadwood alone.  The
record of that hand, replayed card by card, then says what the trace ought to have noted.
"""

from __future__ import annotations

import re
import threading
from dataclasses import replace
from functools import cache
from pathlib import Path

import naive
import numpy as np
import pytest

from gin_sim.errors import InputError
from gin_sim.knock import tracing
from gin_sim.knock.tracing import check_memory, trace
from gin_sim.play.knock_trace import TracePlan
from gin_sim.play.record import play_recorded
from gin_sim.policies.catalogue import parse_policy
from gin_sim.policies.specs import read_spec
from gin_sim.rules import PRESETS, parse_rules

#: A rule that differs by turn and by class of gin outs, and what it says in plain numbers.
OWN_RULE = "4|6|8/10/5|0|10"
OWN_LIMITS = ((4, 6, 8), (10, 10, 10), (5, 0, 10))

CASES = {
    "standard": ("greedy", "simple", "standard", True),
    "standard, strong play": ("strong", "marjj", "standard", True),
    "eaai": ("simple", "greedy", "eaai", True),
    "oklahoma": ("greedy", "strong", "oklahoma", True),
    "openspiel, with its wall": ("greedy", "greedy:knock=0", "openspiel", True),
    "layoffs on gin": ("greedy", "heisenbot", "standard:layoff_on_gin=yes", True),
    "nobody stops": ("greedy", "greedy", "standard", False),
    "nobody stops, unlike": ("strong", "simple", "oklahoma", False),
    "nobody stops at the wall": ("simple", "greedy", "openspiel", False),
}
DEALS = 40


@cache
def policy_of(base, knock=None):
    spec = base if knock is None else read_spec(base).changed({"knock": knock})
    return parse_policy(spec)


def plan_of(case, deals=DEALS, seed=3):
    play, opponent, rules, stops = CASES[case]
    knock = OWN_RULE if play == "greedy" else None
    policies = (policy_of(play, knock), policy_of(opponent))
    return TracePlan(policies, parse_rules(rules), deals, seed, stops)


def slow_rules(rules):
    """The oracle's rules of a case: those of its preset, and what was changed."""
    name, _, change = rules.partition(":")
    return {**naive.PRESETS[name], **({"layoff_on_gin": True} if change else {})}


def played(plan, deal, knock=None):
    """The record of a deal on which nobody knocks but for gin, or one side does in one cell."""
    only = {} if knock is None else {knock.side: one_knock(knock.turn, knock.deadwood)}
    policies = []
    for side, policy in enumerate(plan.policies):
        as_it_is = plan.stops and side == 1
        policies.append(policy if as_it_is else policy_of(policy.spec, only.get(side, "0")))
    records = play_recorded(
        tuple(policies), plan.rules, plan.seed, 1, first_deal=deal, mirrored=False
    )
    return next(records)


def one_knock(turn, deadwood):
    assert turn < 20, "the last turn of a knock table serves all later ones"
    return "/".join(["0"] * (turn - 1) + [f"{deadwood}-{deadwood}", "0"])


class Replay:
    """A record, card by card: hands, pile, and what each player took from the pile."""

    def __init__(self, record):
        self.hands = [set(hand) for hand in record.deal]
        self.pile = [record.upcard]
        self.took = [set(), set()]
        self.turns = [0, 0]
        self.stock = len(record.stock)
        self.record = record

    def steps(self):
        """Yield after each discard who made it and whether it was a knock."""
        for turn in self.record.turns:
            if turn.draw == "pass":
                continue
            side = turn.player
            self.turns[side] += 1
            if turn.draw == "stock":
                self.stock -= 1
            else:
                assert self.pile.pop() == turn.card
                self.took[side].add(turn.card)
            self.hands[side].add(turn.card)
            if turn.big_gin:
                return
            self.hands[side].remove(turn.discard)
            self.pile.append(turn.discard)
            yield side, turn.knock

    def known(self, side):
        """Cards that a side knows its opponent to hold."""
        return self.took[1 - side] & self.hands[1 - side]

    def hidden(self, side):
        """Cards that a side has not seen: in the stock or in the opponent's hand."""
        return set(naive.DECK) - self.hands[side] - set(self.pile) - self.known(side)


def knocked(record):
    """The replay of a record at its knock."""
    replay = Replay(record)
    for side, knocks in replay.steps():
        if knocks:
            return replay, side
    raise AssertionError("nobody knocks in this hand")


@pytest.mark.long
@pytest.mark.parametrize("case", CASES)
def test_every_noted_knock_is_the_knock_that_is_played(case):
    plan = plan_of(case)
    rules = slow_rules(CASES[case][2])
    knocks, *_ = plan.trace(0, plan.deals)
    assert len(knocks) >= DEALS // 2
    for knock in knocks:
        record = played(plan, knock.path, knock)
        replay, side = knocked(record)
        hand, defender = (naive.hand_of(replay.hands[each]) for each in (side, 1 - side))
        known = replay.known(side)
        unseen = replay.hidden(side) | known
        assert (side, replay.turns[side]) == (knock.side, knock.turn)
        assert knock.deadwood == naive.deadwood(hand)
        assert knock.defender == naive.deadwood(defender)
        assert knock.stock_left == replay.stock
        assert knock.takes == len(replay.took[1 - side])
        settled = naive.settle(
            hand, defender, rules, unseen=unseen, known_defender=known,
            spade_upcard=record.upcard[1] == "s",
        )  # fmt: skip
        points = settled.knocker_points - settled.defender_points
        assert record.end.points[side] - record.end.points[1 - side] == points == knock.points
        won = {"knock": 1, "undercut": -1}[settled.kind]
        assert knock.won == (0 if settled.kind == "knock" and points == 0 else won)
        spread = naive.best_spreads(hand, unseen, known)[0]
        assert knock.loose == len(naive.loose(hand, spread))
        layoff = float(naive.layoff_expectation(spread, unseen, known))
        assert knock.layoff == pytest.approx(layoff, rel=1e-6, abs=1e-9)


@pytest.mark.long
@pytest.mark.parametrize("case", CASES)
def test_no_knock_is_missed_and_paths_end_as_played(case):
    plan = plan_of(case, deals=150)
    rules = slow_rules(CASES[case][2])
    knocks, ends, seen, _ = plan.trace(0, plan.deals)
    noted = [tuple(knock) for knock in knocks[["path", "side", "turn", "deadwood"]].tolist()]
    expected = []
    counted = np.zeros_like(seen)
    for deal, end in enumerate(ends):
        record = played(plan, deal)
        limit = naive.knock_limit(rules, record.upcard)
        replay = Replay(record)
        side = 1 - record.dealer
        # The hand went on after every step but the last.
        before = None
        for side, knocks_here in replay.steps():
            if before:
                counted[before] += 1
            deadwood = naive.deadwood(replay.hands[side])
            before = side, replay.turns[side] - 1, deadwood
            own_rule = plan.stops and side == 1
            if not own_rule and not knocks_here and deadwood <= limit:
                expected.append((deal, side, replay.turns[side], deadwood))
        points = record.end.points
        assert end.points == points[0] - points[1]
        gin = record.end.kind in ("gin", "big_gin", "knock", "undercut")
        winner = record.end.knocker if record.end.kind != "undercut" else 1 - record.end.knocker
        assert end.won == (0 if not gin or points == (0, 0) else 1 if winner == 0 else -1)
        at_wall = rules.get("wall") == "knock_upcard" and record.end.kind == "wash"
        if before and (at_wall or record.end.kind == "big_gin"):
            counted[before] += 1
        if at_wall:
            # At the wall the next player may take the upcard if some discard lets it knock then.
            side = 1 - side
            if plan.stops and side == 1:
                continue
            least, _ = naive.best_discards(replay.hands[side] | {replay.pile[-1]})
            assert least > 0
            if least <= limit:
                expected.append((deal, side, replay.turns[side] + 1, least))
    assert sorted(noted) == sorted(expected)
    np.testing.assert_array_equal(seen, counted)


def test_the_wall_is_met():
    """At OpenSpiel's wall a knock with the upcard is noted, with two cards left in the stock."""
    knocks, *_ = plan_of("openspiel, with its wall", deals=150).trace(0, 150)
    assert 0 < np.sum(knocks.stock_left == 2) < len(knocks)


def slow_outs(hand, unseen, deadwood):
    """How many unseen cards would give gin, and how many would leave a lower deadwood."""
    after = [naive.best_discards(hand | {card})[0] for card in unseen]
    return sum(left == 0 for left in after), sum(left < deadwood for left in after)


@pytest.mark.parametrize(
    "case", ["standard", "oklahoma", "openspiel, with its wall", "nobody stops, unlike"]
)
def test_outs_and_the_movers_own_rule(case):
    plan = plan_of(case)
    knocks, *_ = plan.trace(0, plan.deals)
    # Every fifth, and with them knocks of every class.
    chosen = sorted({*range(0, len(knocks), 5), *np.flatnonzero(knocks.outs >= 3)[:5].tolist()})
    classes = set()
    for knock in knocks[chosen[:30]]:
        replay, side = knocked(played(plan, knock.path, knock))
        hand = naive.hand_of(replay.hands[side])
        outs, lower = slow_outs(hand, replay.hidden(side), knock.deadwood)
        assert (knock.outs, knock.lower) == (outs, lower)
        place = 0 if outs == 0 else 1 if outs <= 2 else 2
        classes.add(place)
        if plan.policies[side].spec == policy_of("greedy", OWN_RULE).spec:
            limit = OWN_LIMITS[min(knock.turn, 3) - 1][place]
            assert knock.knocks == (knock.deadwood <= limit)
    assert len(classes) == 3


@pytest.mark.parametrize("case", ["standard", "standard, strong play", "eaai", "oklahoma"])
def test_the_first_flagged_knock_is_where_the_own_rule_ends_a_hand(case):
    plan = plan_of(case, deals=150)
    knocks, ends, *_ = plan.trace(0, plan.deals)
    records = play_recorded(plan.policies, plan.rules, plan.seed, plan.deals, mirrored=False)
    ended = 0
    for deal, record in enumerate(records):
        own = knocks[(knocks.path == deal) & (knocks.knocks == 1)]
        points = record.end.points[0] - record.end.points[1]
        if not len(own):
            assert points == ends.points[deal]
            continue
        replay, side = knocked(record)
        assert side == 0
        assert (replay.turns[0], naive.deadwood(replay.hands[0])) == (own[0].turn, own[0].deadwood)
        assert points == own[0].points
        ended += 1
    assert ended > 10


def test_big_gin_ends_a_path():
    """A hand of eleven melded cards is laid down by a side that never knocks, and by one that does.

    Without a big gin bonus the same hand is ordinary gin, worth 6 less.
    """
    plan = plan_of("standard", deals=3000)
    _, ends, *_ = plan.trace(0, plan.deals)
    ordinary = replace(plan, rules=replace(PRESETS["standard"], big_gin_bonus=None))
    _, others, *_ = ordinary.trace(0, plan.deals)
    differ = np.flatnonzero(ends.points != others.points)
    assert len(differ) > 5
    sides = set()
    for deal in differ:
        record = played(plan, int(deal))
        assert record.end.kind == "big_gin"
        sides.add(record.end.knocker)
        assert abs(int(ends.points[deal])) - abs(int(others.points[deal])) == 6
    assert sides == {0, 1}


# ---------------------------------------------------------------------------- threads and parts


@pytest.mark.parametrize("stops", [True, False])
def test_threads_change_nothing(stops):
    plan = replace(plan_of("standard", deals=10_000), stops=stops)
    one, three = trace(plan, threads=1), trace(plan, threads=3)
    assert not one.partial
    assert not three.partial
    for field in ("knocks", "ends", "seen"):
        assert getattr(one, field).tobytes() == getattr(three, field).tobytes()
    # Nor does it matter how the deals are cut.
    knocks, ends, seen, _ = plan.trace(0, plan.deals)
    assert knocks.tobytes() == one.knocks.tobytes()
    assert ends.tobytes() == one.ends.tobytes()
    assert np.array_equal(seen, one.seen)


class StopsAfter(threading.Event):
    """Is set once it has been asked so often."""

    def __init__(self, asked):
        super().__init__()
        self.left = asked

    def is_set(self):
        self.left -= 1
        return self.left < 0


def test_a_trace_that_is_stopped_keeps_its_first_paths():
    plan = plan_of("standard", deals=10_000)
    whole, part = trace(plan, threads=1), trace(plan, threads=1, stop=StopsAfter(2))
    n_paths = len(part.ends)
    assert part.partial
    assert 0 < n_paths < plan.deals
    assert part.ends.tobytes() == whole.ends[:n_paths].tobytes()
    kept = whole.knocks[whole.knocks["path"] < n_paths]
    assert part.knocks.tobytes() == kept.tobytes()
    assert part.starts.tolist() == whole.starts[: n_paths + 1].tolist()
    # What was counted is of those paths alone.
    assert np.array_equal(part.seen, replace(plan, deals=n_paths).trace(0, n_paths)[2])


def test_a_path_of_a_hundred_knocks_has_room():
    """Strong players who hand the same upcards back and forth until the stall rule ends it."""
    strong = parse_policy("strong")
    plan = TracePlan((strong, strong), parse_rules("openspiel"), 4000, 1, stops=False)
    knocks, _, _, faults = plan.trace(1930, 1)
    assert (len(knocks), faults) == (102, 0)
    assert knocks["turn"].max() == 60


def test_a_stop_before_the_first_deal_is_an_empty_trace():
    stop = threading.Event()
    stop.set()
    found = trace(plan_of("standard"), 1, stop)
    assert found.partial
    assert len(found.ends) == len(found.knocks) == 0


# -------------------------------------------------------------------------------- memory


def test_a_trace_without_the_memory_for_it_is_refused(monkeypatch):
    monkeypatch.setattr(tracing, "memory_there", lambda: 2 * 10**9)
    check_memory(plan_of("standard", deals=1_000_000))
    with pytest.raises(InputError) as refused:
        check_memory(plan_of("standard", deals=10**8))
    said = re.fullmatch(
        r"100,000,000 deals need about (\d+)\.\d GB of memory here, and there are 2\.0 GB: give "
        r"--deals ([\d.]+e\d) or fewer\.",
        str(refused.value),
    )
    assert 20 < int(said[1]) < 200
    most = int(float(said[2]))
    assert 1_000_000 <= most < 10**7
    check_memory(plan_of("standard", deals=most))
    with pytest.raises(InputError):
        check_memory(plan_of("standard", deals=most * 12 // 10))
    monkeypatch.setattr(tracing, "memory_there", lambda: None)  # not known: as it was asked for
    check_memory(plan_of("standard", deals=10**8))


def test_more_is_needed_for_more_knocks_and_for_features(monkeypatch):
    monkeypatch.setattr(tracing, "memory_there", lambda: 1)

    def needed(case, features=False):
        with pytest.raises(InputError) as refused:
            check_memory(plan_of(case, deals=10**8), features)
        return float(str(refused.value).split("about ")[1].split()[0])

    table = needed("standard")
    assert needed("standard", features=True) > 1.5 * table
    assert needed("nobody stops") > 1.5 * table


def test_the_memory_there_is_this_machines_or_what_it_is_limited_to(monkeypatch):
    resource = pytest.importorskip("resource")
    monkeypatch.setattr(resource, "getrlimit", lambda kind: (resource.RLIM_INFINITY,) * 2)
    physical = tracing.memory_there()
    for line in Path("/proc/meminfo").read_text().splitlines():
        if line.startswith("MemTotal:"):
            assert physical == int(line.split()[1]) * 1024
    monkeypatch.setattr(resource, "getrlimit", lambda kind: (3_000_000,) * 2)
    assert tracing.memory_there() == 3_000_000
