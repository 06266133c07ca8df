"""Re-created policies: each decision judged by a slow copy of what its source says.

The sources are named in gin_sim/policies/shipped/published.py; the copies here share nothing with
it but
the view.
"""

from __future__ import annotations

import random
from collections import Counter

import naive
import numpy as np
import pytest
from scipy import stats
from strategies import Policies, deal_of, names, play

from gin_sim.cards import mask_of
from gin_sim.engine.table import new_state, rule_record
from gin_sim.policies.shipped.published import _future_weight, _own_part
from gin_sim.rules import PRESETS

EAAI = rule_record(PRESETS["eaai"])
ORDER = {card: i for i, card in enumerate(naive.DECK)}


def held(position) -> frozenset[str]:
    return names(position.view.hand)


def unseen(view) -> list[str]:
    seen = names(view.hand) | names(view.pile_cards) | names(view.opponent_known)
    return [card for card in naive.DECK if card not in seen]


def best_arrangements(cards):
    """Every arrangement of a holding with least deadwood, as the frozensets of its loose cards."""
    found = {}
    for arrangement in naive.disjoint_choices(naive.melds_in(cards)):
        loose = frozenset(naive.loose(cards, arrangement))
        found[loose] = naive.total_pips(loose)
    least = min(found.values())
    return {loose for loose, deadwood in found.items() if deadwood == least}


# -------------------------------------------------------------------- marjj


def marjj_own_part(view, kept) -> float:
    after = sorted(naive.best_discards(kept | {card})[0] for card in unseen(view))[:7]
    future = sum(after) / len(after)
    return naive.deadwood(kept) + 18 * 0.9 ** (int(view.turn) - 1) * future


def marjj_opponent_part(view, discarded) -> float:
    theirs = names(view.opponent_known)
    gone = (names(view.hand) | names(view.pile_cards)) - theirs
    rank, suit = naive.RANKS.index(discarded[0]), discarded[1]

    def beside(offset, cards, beyond):
        if not 0 <= rank + offset < 13:
            return beyond
        return naive.RANKS[rank + offset] + suit in cards

    gone_at = {d: beside(d, gone, True) for d in (-2, -1, 1, 2)}
    held_at = {d: beside(d, theirs, False) for d in (-2, -1, 1, 2)}
    total = 0.0
    if any(gone_at[d] and (gone_at[-d] or gone_at[-2 * d]) for d in (-1, 1)):
        total -= 10
    else:
        total -= 5 * (gone_at[-1] + gone_at[1]) + 3 * (gone_at[-2] + gone_at[2])
    if any(held_at[d] and (held_at[-d] or held_at[-2] or held_at[2]) for d in (-1, 1)):
        total += 20
    else:
        total += 5 * (held_at[-1] + held_at[1]) + 3 * (held_at[-2] + held_at[2])
    n_gone = sum(discarded[0] + s in gone for s in naive.SUITS)
    total += -10 if n_gone >= 3 else -4 if n_gone == 2 else 4
    if sum(discarded[0] + s in theirs for s in naive.SUITS) >= 2:
        total += 20
    return total


def marjj_discards(view) -> set[str]:
    """Every card that MARJJ may discard; ties are broken at random."""
    hand = names(view.hand)
    barred = names(view.barred)
    least, best = naive.best_discards(hand, min(barred) if barred else None)
    if least == 0:
        return set(best)
    candidates = set().union(*best_arrangements(hand)) - barred
    if not candidates:
        return set(best)
    dearest = max(map(naive.pips, candidates))
    candidates = {card for card in candidates if naive.pips(card) >= dearest - 5}
    if len(candidates) == 1:
        return candidates
    totals = {
        card: marjj_own_part(view, hand - {card}) + marjj_opponent_part(view, card)
        for card in candidates
    }
    return {card for card, total in totals.items() if total <= min(totals.values()) + 1e-9}


@pytest.mark.long
def test_marjj_decides_by_its_definition(some):
    answers = Policies("marjj", "marjj")
    seen = Counter()

    def check(position, point):
        view, hand = position.view, held(position)
        if point == "draw" and view.upcard >= 0:
            upcard = naive.DECK[int(view.upcard)]
            least, _ = naive.best_discards(hand | {upcard}, upcard)
            takes = answers.takes(position)
            arrangements = best_arrangements(hand | {upcard})
            lies_in = [upcard not in loose for loose in arrangements]
            if takes:
                assert any(lies_in)
                assert least < naive.deadwood(hand)
            elif all(lies_in):
                assert least >= naive.deadwood(hand)
            seen["takes" if takes else "leaves"] += 1
        elif point == "discard":
            allowed = marjj_discards(view)
            discarded = naive.DECK[answers.discards(position)]
            assert discarded in allowed, (sorted(hand), discarded, allowed)
            seen["chooses"] += len(set().union(*best_arrangements(hand))) > 1
            seen["knows a card"] += view.opponent_known != 0
        elif point == "knock":
            deadwood = naive.deadwood(hand)
            knocks = deadwood == 0 or (deadwood <= 10 and view.turn <= 3)
            assert answers.knocks(position) == knocks
            seen["knocks" if knocks else "goes on"] += 1

    for deal_index in range(some(6)):
        play(deal_of(31, deal_index, EAAI), Policies("marjj", "marjj"), check)
    for deal_index in range(6, 6 + some(12)):
        play(deal_of(31, deal_index, EAAI), Policies("greedy:knock=0", "marjj"), check)
    assert min(seen[name] for name in ("takes", "leaves", "chooses", "knocks", "goes on")) > some(
        10
    )
    assert seen["knows a card"] > some(60)


@pytest.mark.long
def test_marjj_ranks_hands_full_of_melds_by_its_definition():
    """Cards close together, where sets and runs contend and most draws meld with something."""
    dice = random.Random(6)
    view = new_state()[1][0]
    for number in range(60):
        middle = dice.randrange(13)
        near = [card for card in range(52) if abs(card % 13 - middle) <= 3]
        hand = dice.sample(near, 11)
        rest = dice.sample(sorted(set(range(52)) - set(hand)), 52 - len(hand))
        view.hand = mask_of(hand)
        view.pile_cards = mask_of(rest[: number % 32])
        view.opponent_known = mask_of(rest[32 : 32 + number % 3])
        view.turn = 1 + number % 9
        for card in hand[:3]:
            expected = marjj_own_part(view, names(view.hand & ~(1 << card)))
            found = _own_part(view, np.int64(1 << card), _future_weight(view))
            assert found == pytest.approx(expected, abs=1e-9)


@pytest.mark.long
def test_marjj_breaks_ties_at_random():
    answers = Policies("marjj", "marjj")
    discarded, ways = Counter(), set()

    def check(position, point):
        if point != "discard" or ways or position.view.turn != 1:
            return
        allowed = marjj_discards(position.view)
        if len(allowed) == 2:
            ways.update(allowed)
            for noise in range(2000):
                position.view.noise = noise * 0x9E3779B97F4A7C15 % 2**64
                discarded[naive.DECK[answers.discards(position)]] += 1

    for deal_index in range(60):
        play(deal_of(32, deal_index, EAAI), Policies("greedy", "greedy"), check)
    assert set(discarded) == ways
    assert len(ways) == 2
    assert stats.chisquare(list(discarded.values())).pvalue > 1e-4


# ------------------------------------------------------------ knock rules


@pytest.mark.long
@pytest.mark.parametrize(
    ("spec", "rule"),
    [
        ("two-threshold", lambda view, n_loose: view.deadwood <= (10 if view.turn <= 6 else 3)),
        (
            "two-threshold:early=8,late=1,turn=2",
            lambda view, n_loose: view.deadwood <= (8 if view.turn <= 2 else 1),
        ),
        ("two-threshold:turn=0,late=4", lambda view, n_loose: view.deadwood <= 4),
        ("gin-only", lambda view, n_loose: view.deadwood == 0),
        ("knock-asap", lambda view, n_loose: True),
        (
            "heisenbot",
            lambda view, n_loose: (
                view.deadwood == 0
                or (
                    abs(view.score - view.opponent_score) < 30
                    and (view.turn < 4 or view.turn > 13 or view.deadwood <= 5 or n_loose >= 3)
                )
            ),
        ),
    ],
)
def test_each_knocks_by_its_rule(spec, rule, some):
    answers = Policies(spec, spec)
    seen = Counter()

    def check(position, point):
        if point == "knock":
            view, hand = position.view, held(position)
            counts = set(map(len, best_arrangements(hand)))
            for score, other in ((0, 0), (40, 11), (40, 10), (10, 40), (11, 40)):
                view.score, view.opponent_score = score, other
                knocks = answers.knocks(position)
                assert knocks in {rule(view, n) for n in counts}, (sorted(hand), int(view.turn))
                seen[knocks] += 1
            seen["ambiguous"] += len(counts) > 1
            seen["positions"] += 1
            view.score = view.opponent_score = 0

    for deal_index in range(some(120)):
        play(deal_of(33, deal_index, EAAI), Policies("greedy:knock=0", "greedy:knock=0"), check)
    assert seen["ambiguous"] < 0.02 * seen["positions"]
    assert seen[True] > some(50)
    assert seen[False] > some(50) or spec == "knock-asap"


def test_heisenbot_and_two_threshold_draw_and_discard_like_simple():
    simple = Policies("simple", "simple")
    others = [Policies(name, name) for name in ("heisenbot", "two-threshold")]

    def check(position, point):
        for answers in others:
            if point == "draw" and position.view.upcard >= 0:
                assert answers.takes(position) == simple.takes(position)
            elif point == "discard":
                assert answers.discards(position) == simple.discards(position)

    for deal_index in range(40):
        play(deal_of(34, deal_index, EAAI), Policies("greedy:knock=0", "simple"), check)
