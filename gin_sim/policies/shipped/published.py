"""Policies re-created from the literature, each with its source and what is assumed.

``simple`` is SimpleGinRummyPlayer, the baseline of the 2021 EAAI undergraduate research challenge
(tneller/gin-rummy-eaai).  From its source: the upcard is taken if it forms any meld with cards of
the hand, not only one of a best arrangement; the discard is a random one of the cards that leave
least deadwood, never the card just taken and never repeating, within the hand, a pair of drawn and
discarded card, in whichever order (the source compares the two as a set); it knocks as soon as it
may.

``marjj`` is the challenge's winner (Ahmed and others, AAAI 35(17):15465-15471, 2021;
aqibahm/MARJJ, version 5).  From its source: the upcard is taken if it lies in a meld of a best
arrangement of the eleven cards and lowers the deadwood; the discard weighs the deadwood left, what
the next draw may improve, and how much the card helps the opponent; it knocks at 10 or less on its
first three turns, and then only with gin.  Assumed: the best arrangement is the engine's first;
the seven best draws are averaged over fewer where fewer cards are unseen.

``heisenbot`` follows the knock rule of Heisenbot (Eicholtz and others, AAAI 35(17):15489-15495,
2021, as summarised by others): always gin; no knock when 30 points or more ahead or behind; knock
on turns 1-3 and from 14; knock at 5 or less; hold with fewer than three loose cards; else knock.
Assumed: ``simple``'s draws and discards, which the source does not give.

``two-threshold`` knocks with one limit early and another late, as DePauw's player does
(kienta1999/Gin_Rummy_AI_Player).  Assumed: ``simple``'s draws and discards, and the limits of 10
and 3 with the turn between them, 6.

``gin-only`` knocks with gin only, as the GoGin players do (insatiableid-pixel/gin-paradise);
``knock-asap`` knocks at 10 or less at once, as the fixed expert of Kelidari and others does
(arXiv 2607.06854, 2026).  Assumed for both: the draws and discards of the family with its weights
set by hand, so that the two differ from ``heuristic`` and each other in the knock alone.

All lay off optimally, where the challenge's framework lays off first-fit after the defender has
fixed its own melds.
"""

from __future__ import annotations

import numpy as np

from gin_sim.engine import rng
from gin_sim.engine.bits import ONE_OF_EACH_SUIT, SUIT_BITS, lowest_bit, nth_card, popcount
from gin_sim.engine.deadwood import (
    MORE_THAN_ANY_HAND,
    best_discards,
    dearest_cards,
    least_deadwood,
)
from gin_sim.engine.jit import jit, jit_inline, jit_paste
from gin_sim.engine.melds import (
    choice_cards,
    forms_meld,
    next_subset,
    pips_of,
    run_cards,
    set_cards,
)
from gin_sim.engine.view import look_at_upcard, unseen_cards
from gin_sim.policies.contract import DECIDE_DISCARD, noise_word
from gin_sim.policies.shipped.family_features import best_sets, completing_cards

# MARJJ's constants, version 5 of its source; the paper has 20, 0.9 and 6.
_FUTURE = 18.0
_FUTURE_DECAY = 0.9
_FUTURE_DRAWS = 7
_WITHIN_PIPS = 5
_NEAR_TIE = 1e-9
_BYTE, _BYTE_MASK = 8, 0xFF


@jit_paste
def simple_takes_upcard(view):
    """Take it if it forms any meld with cards of the hand."""
    return forms_meld(view.hand, view.upcard)


@jit_paste
def simple_discard(view):
    """Discard a random one of the least-deadwood discards that repeats no drawn-discarded pair."""
    return _any_of(view, simple_discards(view))


@jit_inline
def _any_of(view, discards):
    word = noise_word(view, DECIDE_DISCARD, 0)
    return nth_card(discards, rng.low_below(word, popcount(discards)))


@jit
def simple_discards(view):
    """Return the mask of the cards that :func:`simple_discard` chooses from."""
    repeated = 0
    for turn in range(1, view.turn):
        if view.own_drawn[turn] == view.drawn:
            repeated |= 1 << np.int64(view.own_discards[turn])
        elif view.own_discards[turn] == view.drawn:
            repeated |= 1 << np.int64(view.own_drawn[turn])
    discards = view.best_discards
    if repeated & view.hand:
        barred = repeated | view.barred
        if view.hand & ~barred:
            _, discards = best_discards(view.hand, barred)
    return discards


@jit_paste
def marjj_takes_upcard(view):
    """Take it if it lies in a meld of a best arrangement and lowers the best deadwood."""
    bit = 1 << view.upcard
    eleven = view.hand | bit
    sets = best_sets(eleven)
    if not (sets | run_cards(eleven & ~sets)) & bit:
        return False
    return look_at_upcard(view) < view.deadwood


@jit_paste
def marjj_discard(view):
    """Discard the loose card of a best arrangement that MARJJ's sum of two parts ranks lowest."""
    discards = marjj_discards(view)
    if discards & (discards - 1) == 0:
        return lowest_bit(discards)
    return _any_of(view, discards)


@jit
def marjj_discards(view):
    """Return the mask of the cards that :func:`marjj_discard` ranks alike and chooses from."""
    candidates = _marjj_candidates(view)
    if candidates & (candidates - 1) == 0:
        return candidates
    weight = _future_weight(view)
    lowest_total = 0.0
    ties = 0
    left = candidates
    while left:
        bit = left & -left
        left ^= bit
        total = _rank_of(view, bit, weight)
        if ties == 0 or total < lowest_total - _NEAR_TIE:
            lowest_total = total
            ties = bit
        elif total <= lowest_total + _NEAR_TIE:
            ties |= bit
    return ties


@jit
def marjj_discard_chance(view, card):
    """Return the chance that :func:`marjj_discard` discards a card, 0 to 1.

    Most cards are not candidates, or the first other one outranks them: neither needs all sums.
    """
    own_bit = 1 << card
    candidates = _marjj_candidates(view)
    if not candidates & own_bit:
        return 0.0
    left = candidates ^ own_bit
    if not left:
        return 1.0
    weight = _future_weight(view)
    own_total = _rank_of(view, own_bit, weight)
    n_ties = 1
    while left:
        bit = left & -left
        left ^= bit
        total = _rank_of(view, bit, weight)
        if total < own_total - _NEAR_TIE:
            return 0.0
        n_ties += total <= own_total + _NEAR_TIE
    return 1.0 / n_ties


@jit_inline
def _future_weight(view):
    return _FUTURE * _FUTURE_DECAY ** (view.turn - 1)


@jit
def _rank_of(view, bit, future_weight):
    return _own_part(view, bit, future_weight) + _opponent_part(view, lowest_bit(bit))


@jit
def _marjj_candidates(view):
    """Return the mask of the loose cards that are within reach of the dearest."""
    if view.best_deadwood == 0:
        return view.best_discards & -view.best_discards
    candidates = _loose_in_a_best_arrangement(view.hand) & ~view.barred
    if not candidates:
        return view.best_discards & -view.best_discards
    dearest = dearest_cards(candidates)
    return candidates & ~_cards_below(pips_of(dearest & -dearest) - _WITHIN_PIPS)


@jit_inline
def _cards_below(pips):
    """Return the mask of the cards of the deck that carry fewer pips than a number up to 10."""
    return ((1 << max(pips - 1, 0)) - 1) * ONE_OF_EACH_SUIT


@jit
def _loose_in_a_best_arrangement(hand):
    """Return the cards that at least one best arrangement of a holding leaves loose."""
    choices = choice_cards(hand)
    kept = np.int64(0)
    least = MORE_THAN_ANY_HAND
    found = 0
    while True:
        others = hand & ~set_cards(hand & ~kept)
        loose = others & ~run_cards(others)
        deadwood = pips_of(loose)
        if deadwood < least:
            least = deadwood
            found = loose
        elif deadwood == least:
            found |= loose
        kept = next_subset(kept, choices)
        if not kept:
            return found


@jit
def _own_part(view, discarded, future_weight):
    """Deadwood after the discard, and the weighted mean of the best that the next draw leaves.

    A draw that melds with nothing leaves what was there, or itself beside what the best discard
    leaves of the ten: only the others have to be looked at one by one.
    """
    kept = view.hand & ~discarded
    draws = unseen_cards(view)
    deadwood = least_deadwood(kept)
    smallest, n_kept = 0, 0
    left = draws & completing_cards(kept)
    draws ^= left
    while left:
        card = left & -left
        left ^= card
        value, _ = best_discards(kept | card, kept & 0)
        smallest, n_kept = _among_smallest(smallest, n_kept, value)
    without, _ = best_discards(kept, kept & 0)
    low_ranks = ONE_OF_EACH_SUIT
    for pips in range(1, 11):
        value = min(deadwood, without + pips)
        if n_kept == _FUTURE_DRAWS and smallest >> _BYTE * (_FUTURE_DRAWS - 1) <= value:
            break
        of_rank = draws & low_ranks
        if pips == 10:
            of_rank = draws
        draws ^= of_rank
        low_ranks <<= 1
        for _ in range(min(popcount(of_rank), _FUTURE_DRAWS)):
            smallest, n_kept = _among_smallest(smallest, n_kept, value)
    total = 0
    for place in range(n_kept):
        total += smallest >> _BYTE * place & _BYTE_MASK
    future = total / n_kept if n_kept else 0.0
    return deadwood + future_weight * future


@jit_inline
def _among_smallest(smallest, n_kept, value):
    """Return the lowest values so far, ascending, a byte each, with one more, and their number."""
    place = n_kept
    while place > 0 and (smallest >> _BYTE * (place - 1) & _BYTE_MASK) > value:
        place -= 1
    if place == _FUTURE_DRAWS:
        return smallest, n_kept
    below = smallest & ((1 << _BYTE * place) - 1)
    above = (smallest >> _BYTE * place) << _BYTE * (place + 1)
    smallest = (below | value << _BYTE * place | above) & ((1 << _BYTE * _FUTURE_DRAWS) - 1)
    return smallest, min(n_kept + 1, _FUTURE_DRAWS)


@jit
def _opponent_part(view, card):
    """How much a card helps the opponent: lower for a card that it can hardly use."""
    rank = card % 13
    known = view.opponent_known
    gone = view.hand | view.pile_cards & ~known
    suit_known = known >> (card - rank) & SUIT_BITS
    suit_gone = gone >> (card - rank) & SUIT_BITS
    below, above = _at(suit_gone, rank - 1, 1), _at(suit_gone, rank + 1, 1)
    below_2, above_2 = _at(suit_gone, rank - 2, 1), _at(suit_gone, rank + 2, 1)
    has_below, has_above = _at(suit_known, rank - 1, 0), _at(suit_known, rank + 1, 0)
    has_below_2, has_above_2 = _at(suit_known, rank - 2, 0), _at(suit_known, rank + 2, 0)
    total = 0.0
    if (below and (above or above_2)) or (above and (below or below_2)):
        total -= 10
    else:
        total -= 5 * (below + above) + 3 * (below_2 + above_2)
    if (has_below and (has_above or has_above_2 or has_below_2)) or (
        has_above and (has_below or has_below_2 or has_above_2)
    ):
        total += 20
    else:
        total += 5 * (has_below + has_above) + 3 * (has_below_2 + has_above_2)
    n_gone = popcount(gone & ONE_OF_EACH_SUIT << rank)
    if n_gone >= 3:
        total -= 10
    elif n_gone == 2:
        total -= 4
    else:
        total += 4
    if popcount(known & ONE_OF_EACH_SUIT << rank) >= 2:
        total += 20
    return total


@jit
def _at(ranks, rank, beyond):
    """Return 1 if a suit's 13-bit mask has a rank, ``beyond`` for a rank that does not exist."""
    if rank < 0 or rank > 12:
        return beyond
    return ranks >> rank & 1
