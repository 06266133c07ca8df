"""Least deadwood of a holding and the best discard from eleven, exact, in a few table reads."""

from __future__ import annotations

import numpy as np

from gin_sim.engine.bits import (
    ONE_OF_EACH_SUIT,
    SUIT_BITS,
    highest_bit,
    lowest_bit,
    ranks_of,
)
from gin_sim.engine.jit import jit, jit_inline
from gin_sim.engine.melds import (
    RUN_CARDS,
    SUIT_PIPS,
    chosen_sets,
    contested_ranks,
    n_choices,
    pips_of,
    run_cards,
)

TEN_PIP_RANKS = 0x1E00
_MORE_THAN_ANY_HAND = 1000


@jit_inline
def least_deadwood(hand):
    """Return the least deadwood (pips) over all arrangements of a holding of 0 to 11 cards."""
    s = hand & SUIT_BITS
    h = hand >> 13 & SUIT_BITS
    d = hand >> 26 & SUIT_BITS
    c = hand >> 39 & SUIT_BITS
    sets = (s & h & (d | c)) | (d & c & (s | h))
    run_s = np.int64(RUN_CARDS[s])
    run_h = np.int64(RUN_CARDS[h])
    run_d = np.int64(RUN_CARDS[d])
    run_c = np.int64(RUN_CARDS[c])
    if sets & (run_s | run_h | run_d | run_c):
        return _least_deadwood_contested(hand)
    return (
        np.int64(SUIT_PIPS[s & ~(run_s | sets)])
        + np.int64(SUIT_PIPS[h & ~(run_h | sets)])
        + np.int64(SUIT_PIPS[d & ~(run_d | sets)])
        + np.int64(SUIT_PIPS[c & ~(run_c | sets)])
    )


@jit
def _least_deadwood_contested(hand):
    contested = contested_ranks(hand)
    least = _MORE_THAN_ANY_HAND
    for choice in range(n_choices(hand, contested)):
        sets = chosen_sets(hand, contested, choice)
        if sets >= 0:
            others = hand & ~sets
            least = min(least, pips_of(others & ~run_cards(others)))
    return least


@jit_inline
def best_discards(hand, barred):
    """Return what the best discard from eleven cards leaves, and every card that leaves it.

    A discard leaves the least when some arrangement of the eleven has it as its dearest loose
    card, so one pass over the arrangements finds all; only when an arrangement has no loose card
    to throw must each card be tried.

    Parameters
    ----------
    hand : int64
        Eleven cards.
    barred : int64
        Mask of cards that may not be thrown (0, or the card just taken); leaves at least one.

    Returns
    -------
    deadwood : int64
        Least deadwood (pips) of the ten cards left.
    discards : int64
        Mask of every allowed card whose discard leaves it.
    """
    s = hand & SUIT_BITS
    h = hand >> 13 & SUIT_BITS
    d = hand >> 26 & SUIT_BITS
    c = hand >> 39 & SUIT_BITS
    sets = (s & h & (d | c)) | (d & c & (s | h))
    run_s = np.int64(RUN_CARDS[s])
    run_h = np.int64(RUN_CARDS[h])
    run_d = np.int64(RUN_CARDS[d])
    run_c = np.int64(RUN_CARDS[c])
    if sets & (run_s | run_h | run_d | run_c):
        return _best_discards_contested(hand, barred)
    s &= ~(run_s | sets)
    h &= ~(run_h | sets)
    d &= ~(run_d | sets)
    c &= ~(run_c | sets)
    loose = s | h << 13 | d << 26 | c << 39
    if not loose & ~barred:
        return _best_discards_one_by_one(hand, barred)
    dearest = dearest_cards(loose & ~barred)
    pips = (
        np.int64(SUIT_PIPS[s])
        + np.int64(SUIT_PIPS[h])
        + np.int64(SUIT_PIPS[d])
        + np.int64(SUIT_PIPS[c])
    )
    return pips - min(lowest_bit(dearest) % 13 + 1, 10), dearest


@jit_inline
def dearest_cards(cards):
    """Return those of a non-empty mask of cards that carry the most pips."""
    rank = highest_bit(ranks_of(cards))
    ranks = TEN_PIP_RANKS if rank >= 9 else 1 << rank
    return cards & ranks * ONE_OF_EACH_SUIT


@jit
def _best_discards_contested(hand, barred):
    contested = contested_ranks(hand)
    least = _MORE_THAN_ANY_HAND
    discards = 0
    for choice in range(n_choices(hand, contested)):
        sets = chosen_sets(hand, contested, choice)
        if sets >= 0:
            others = hand & ~sets
            loose = others & ~run_cards(others)
            if not loose & ~barred:
                return _best_discards_one_by_one(hand, barred)
            dearest = dearest_cards(loose & ~barred)
            deadwood = pips_of(loose) - min(lowest_bit(dearest) % 13 + 1, 10)
            if deadwood < least:
                least = deadwood
                discards = dearest
            elif deadwood == least:
                discards |= dearest
    return least, discards


@jit
def _best_discards_one_by_one(hand, barred):
    least = _MORE_THAN_ANY_HAND
    discards = 0
    left = hand & ~barred
    while left:
        card = left & -left
        left ^= card
        deadwood = least_deadwood(hand & ~card)
        if deadwood < least:
            least = deadwood
            discards = card
        elif deadwood == least:
            discards |= card
    return least, discards
