"""Each proposal over hidden cards keeps every possible history as likely as another.

A flow is counted from states drawn uniformly: as many steps must lead from one state to another as
lead back, whichever kind of move makes them.  Nothing is weighed here but legality.
"""

from __future__ import annotations

import math
from collections import Counter
from itertools import combinations, permutations

import numpy as np
import pytest
from scipy import stats

from gin_sim.belief.deviation import ALIKE, KNOWN, Deviation
from gin_sim.belief.likelihood import EVENT, NO_DEADLINE, Slots, draw_prior
from gin_sim.belief.proposals import (
    count_melds,
    next_word,
    nth_meld,
    propose_break,
    propose_cards,
    propose_meld,
    propose_swaps,
    uniform,
)
from gin_sim.belief.replica_exchange import (
    BREAK,
    CARDS,
    MELD,
    N_RUNGS,
    SWAPS,
    Model,
    inverse_temperatures,
    new_chain,
    run_chain,
    start_chain,
)
from gin_sim.cards import mask_of, parse_cards
from gin_sim.engine.jit import jit
from gin_sim.engine.table import rule_record
from gin_sim.engine.view import VIEW
from gin_sim.policies.catalogue import parse_policy
from gin_sim.policies.decide import players_of
from gin_sim.rules import parse_rules


def slots_of(unseen, known, discarded, draws, turn_discards):
    """Places for cards by name; ``discarded`` by card and event, ``draws`` their events."""
    deadlines = np.full(52, NO_DEADLINE)
    for card, event in discarded:
        deadlines[parse_cards(card)] = event
    return Slots(
        10 + len(draws),
        mask_of(parse_cards(unseen)),
        mask_of(parse_cards(known)),
        np.array([-1] * 10 + draws),
        np.array([-1] * 10 + [parse_cards(card)[0] for card in turn_discards]),
        deadlines,
        np.array([parse_cards(card)[0] for card, _ in discarded]),
    )


#: Seven hidden cards of nine, with melds about, a known pair, and two draws that could be many a
#: card; in the second, late discards only; in the third no draw at all.
SETTINGS = {
    "melds": slots_of(
        "2c3c4c5c 9h 9s Kd 7d 8d", "9d Ac", [("Js", 0), ("Qh", 1), ("4h", 2), ("5s", 3), ("8c", 3)],
        [1, 3], ["Qh", "8c"],
    ),
    "few held": slots_of(
        "6c7c8c 3h3s3d Td Qs", "3c 9c Ac Ah As 2h Jd", [("Js", 0), ("Qh", 1), ("4h", 2), ("5s", 3),
        ("8s", 4), ("Kc", 5), ("Kh", 6), ("Ks", 6), ("2d", 7)], [3, 7], ["5s", "2d"],
    ),
    # Eight known cards and two hidden: a meld of three finds too few to go for it.
    "two held": slots_of(
        "2c3c4c 9h9s9d Jd", "5d 6d 8h Jh Js Ac 2h Kd", [("Qh", 0), ("4h", 1), ("5s", 2), ("8s", 3),
        ("Kc", 4), ("Kh", 5), ("Ks", 6), ("2d", 7), ("Tc", 8)], [1], ["4h"],
    ),
    "none drawn": slots_of(
        "6c7c8c 3h3s3d Td Qs", "3c 9c Ac Ah", [("Js", 0), ("Qh", 1), ("4h", 2), ("5s", 3)], [], [],
    ),
}  # fmt: skip


def label(places, slots):
    """A history as far as it matters: the cards dealt, and each draw."""
    return frozenset(int(card) for card in places[:10]), *(int(c) for c in places[10 : slots.n])


def histories(slots):
    """Every history, listed from the definition."""
    discarded = [int(card) for card in slots.discarded]
    pool = [card for card in range(52) if slots.unseen >> card & 1]
    found = set()
    for held in combinations(pool, slots.n - len(discarded)):
        cards = [*held, *discarded]
        for drawn in permutations(cards, slots.n - 10):
            if all(slots.arrivals[10 + i] <= slots.deadlines[c] for i, c in enumerate(drawn)):
                found.add((frozenset(cards) - set(drawn), *drawn))
    return found


def assert_uniform(counts, possible):
    assert set(counts) <= possible
    expected = sum(counts.values()) / len(possible)
    assert expected > 20
    observed = [counts.get(history, 0) for history in possible]
    assert stats.chisquare(observed).pvalue > 1e-3


@jit
def draw_many(key, slots, rows):
    for row in range(len(rows)):
        draw_prior(key + np.uint64(row), rows[row], slots)


@pytest.mark.long
@pytest.mark.parametrize("setting", SETTINGS)
def test_the_prior_draws_every_history_equally_often(setting, some):
    slots = SETTINGS[setting]
    rows = np.zeros((some(150_000, least=75_000), slots.n), np.int8)
    # Keys one apart: words are mixed from them.
    draw_many(np.uint64(0x9E37) << np.uint64(40), slots, rows)
    assert all(len(set(row)) == slots.n for row in rows[:1000].tolist())
    possible = histories(slots)
    assert_uniform(Counter(label(row, slots) for row in rows), possible)


@jit
def list_melds(cards, without, found):
    n = count_melds(cards) - count_melds(without)
    for i in range(n):
        found[i] = nth_meld(cards, without, i)
    return n


def test_melds_are_counted_and_numbered_as_they_are_listed():
    ranks, suits = range(13), range(4)
    sets = [sum(1 << r + 13 * s for s in suits if s != out) for r in ranks for out in suits]
    runs = [7 << low + 13 * s for s in suits for low in range(11)]
    chance = np.random.default_rng(5)
    for _ in range(300):
        cards = mask_of(chance.permutation(52)[: chance.integers(3, 40)].tolist())
        without = cards & mask_of(chance.permutation(52)[:30].tolist())
        expected = {m for m in sets + runs if not m & ~cards and m & ~without}
        found = np.zeros(96, np.int64)
        n = list_melds(np.int64(cards), np.int64(without), found)
        assert n == len(expected)
        assert set(found[:n].tolist()) == expected


def test_inverse_temperatures_rise_to_one_and_are_hotter_where_deviations_are_rarer():
    for deviation in (
        KNOWN,
        ALIKE,
        Deviation(0.5, 0.5, 0.5),
        Deviation(0.0, 0.0, 0.0),
        Deviation(1.0, 1.0, 1.0),
    ):
        betas = inverse_temperatures(deviation)
        assert betas[-1] == 1
        assert (np.diff(betas) > 0).all()
        assert 0 < betas[0] <= 0.5
    assert inverse_temperatures(KNOWN)[0] < inverse_temperatures(ALIKE)[0]


@jit
def step_many(chains, slots, kinds, before, after):
    """From states drawn uniformly, try one proposal of one of some kinds each."""
    chain = chains[0]
    for row in range(len(before)):
        draw_prior(next_word(chain), before[row], slots)
        for place in range(slots.n):
            chain.trial[place] = before[row, place]
            after[row, place] = before[row, place]
        kind = kinds[np.int64(next_word(chain) >> np.uint64(33)) % len(kinds)]
        if kind == SWAPS:
            log_ratio = propose_swaps(chain, slots)
        elif kind == CARDS:
            log_ratio = propose_cards(chain, slots)
        elif kind == MELD:
            log_ratio = propose_meld(chain, slots)
        else:
            log_ratio = propose_break(chain, slots)
        if math.log(uniform(chain)) < log_ratio:
            for place in range(slots.n):
                after[row, place] = chain.trial[place]


KINDS = {"swaps": [SWAPS], "cards": [CARDS], "melds": [MELD, BREAK]}


@pytest.mark.long
@pytest.mark.parametrize("setting", SETTINGS)
@pytest.mark.parametrize("kinds", KINDS)
def test_a_move_leads_from_one_history_to_another_as_often_as_back(setting, kinds, some):
    slots = SETTINGS[setting]
    if kinds == "swaps" and slots.n == 10:
        pytest.skip("nothing was drawn")
    before = np.zeros((some(150_000), slots.n), np.int8)
    after = np.zeros_like(before)
    chains = new_chain(3, list(SETTINGS).index(setting))
    step_many(chains, slots, np.array(KINDS[kinds]), before, after)
    possible = histories(slots)
    flows = Counter()
    n_moved = 0
    for row in np.flatnonzero((before != after).any(axis=1)):
        old, new = label(before[row], slots), label(after[row], slots)
        assert new in possible
        if old != new:
            flows[old, new] += 1
            n_moved += 1
    assert n_moved > 0.03 * len(before)
    assert_balanced(flows)
    # Coarser, so that each flow is large: by the cards held alone, and by the first draw.
    discarded = {int(card) for card in slots.discarded}
    assert_balanced(_coarse(flows, lambda history: (history[0] | set(history[1:])) - discarded))
    if slots.n > 10:
        assert_balanced(_coarse(flows, lambda history: history[1]))


def _coarse(flows, part):
    coarse = Counter()
    for (old, new), count in flows.items():
        if part(old) != part(new):
            coarse[part(old), part(new)] += count
    return coarse


def assert_balanced(flows):
    """Given how often two states exchange, each direction is as likely: a binomial for each."""
    total, n_pairs = 0.0, 0
    for (old, new), there in flows.items():
        back = flows.get((new, old), 0)
        if there + back < 10 or (back and hash(old) > hash(new)):
            continue
        total += (there - back) ** 2 / (there + back)
        n_pairs += 1
    if n_pairs:
        assert stats.chi2.sf(total, n_pairs) > 1e-3, (total, n_pairs)


def model_without_events(slots):
    no_events = np.zeros(0, EVENT).view(np.recarray)
    no_views = np.zeros((0, 3), VIEW).view(np.recarray)
    player = players_of([parse_policy("greedy")])[0]
    numbers = rule_record(parse_rules("standard"))
    betas = np.linspace(0.1, 1, N_RUNGS)
    return Model(no_events, no_views, slots, player, numbers, KNOWN, False, True, betas)


@pytest.mark.parametrize("setting", ["melds", "few held"])
def test_chains_that_weigh_nothing_visit_every_history_equally_often(setting):
    slots = SETTINGS[setting]
    model = model_without_events(slots)
    visits = []
    for number in range(4):
        chains = new_chain(17, number)
        start_chain(chains, model)
        worlds = np.zeros((2_500, 42), np.int8)
        run_chain(chains, model, 4, worlds)
        visits += [label(row, slots) for row in worlds]
    possible = histories(slots)
    discarded = {int(card) for card in slots.discarded}
    parts = (
        lambda history: frozenset(history[0] | set(history[1:])) - discarded,
        lambda history: history[1],
        lambda history: history[2],
        lambda history: len(history[0] & discarded),
    )
    for part in parts:
        ways = Counter(part(history) for history in possible)
        found = Counter(map(part, visits))
        assert set(found) <= set(ways)
        likely = [way for way, n in ways.items() if n * len(visits) > 20 * len(possible)]
        observed = [found[way] for way in likely]
        expected = np.array([ways[way] for way in likely], float)
        expected *= sum(observed) / expected.sum()
        assert stats.chisquare(observed, expected).pvalue > 1e-3
