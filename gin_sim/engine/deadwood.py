"""Least deadwood of a holding and the best discard from eleven: exact, a few nanoseconds each."""

from __future__ import annotations

import numpy as np

from gin_sim.engine.bits import ONE_OF_EACH_SUIT, SUIT_BITS, highest_bit, ranks_of
from gin_sim.engine.jit import jit, jit_inline
from gin_sim.engine.melds import choice_cards, next_subset, pips_of, run_cards, set_cards

TEN_PIP_RANKS = 0x1E00
MORE_THAN_ANY_HAND = 1000  # pips


@jit_inline
def least_deadwood(hand):
    """Return the least deadwood (pips) over all arrangements of a holding of 0 to 11 cards."""
    runs = run_cards(hand)
    sets = set_cards(hand)
    if runs & sets:
        return _least_deadwood_contested(hand)
    return pips_of(hand & ~(runs | sets))


@jit
def _least_deadwood_contested(hand):
    choices = choice_cards(hand)
    kept = np.int64(0)
    least = MORE_THAN_ANY_HAND
    while True:
        others = hand & ~set_cards(hand & ~kept)
        least = min(least, pips_of(others & ~run_cards(others)))
        kept = next_subset(kept, choices)
        if not kept:
            return least


@jit_inline
def best_discards(hand, barred):
    """Return what the best discard from eleven cards leaves, and every card that leaves it.

    A discard leaves the least when some arrangement of the eleven has it as its dearest loose
    card, so one pass over the arrangements finds all; only when an arrangement has no loose card
    to discard must each card be tried.

    Parameters
    ----------
    hand : int64
        Eleven cards.
    barred : int64
        Mask of cards that may not be discarded (0, or the card just taken); leaves at least one.

    Returns
    -------
    deadwood : int64
        Least deadwood (pips) of the ten cards left.
    discards : int64
        Mask of every allowed card whose discard leaves it.
    """
    runs = run_cards(hand)
    sets = set_cards(hand)
    if runs & sets:
        return _best_discards_contested(hand, barred)
    loose = hand & ~(runs | sets)
    if not loose & ~barred:
        return _best_discards_one_by_one(hand, barred)
    dearest = dearest_cards(loose & ~barred)
    return pips_of(loose & ~(dearest & -dearest)), dearest


@jit_inline
def lowers_deadwood(hand, card, deadwood):
    """Return whether taking a card and then discarding another beats a deadwood.

    Where no set shares a card with a run this needs no search for the best discard: the card
    helps iff it melds, or some loose card of the hand is dearer.

    Parameters
    ----------
    hand : int64
        Ten cards.
    card : int64
        The card to take, not of the hand.
    deadwood : int64
        The hand's least deadwood (pips).
    """
    bit = 1 << card
    eleven = hand | bit
    runs = run_cards(eleven)
    sets = set_cards(eleven)
    loose = eleven & ~(runs | sets)
    if runs & sets or not loose & ~bit:
        return best_discards(eleven, bit)[0] < deadwood
    return not loose & bit or loose & dearer_cards(card) != 0


@jit_inline
def dearer_cards(card):
    """Return the mask of the cards of the deck that carry more pips than a card."""
    rank = card % 13
    return 0 if rank >= 9 else (SUIT_BITS & ~((2 << rank) - 1)) * ONE_OF_EACH_SUIT


@jit_inline
def dearest_cards(cards):
    """Return those of a non-empty mask of cards that carry the most pips."""
    rank = highest_bit(ranks_of(cards))
    ranks = TEN_PIP_RANKS if rank >= 9 else 1 << rank
    return cards & ranks * ONE_OF_EACH_SUIT


@jit
def _best_discards_contested(hand, barred):
    choices = choice_cards(hand)
    kept = np.int64(0)
    least = MORE_THAN_ANY_HAND
    discards = 0
    while True:
        others = hand & ~set_cards(hand & ~kept)
        loose = others & ~run_cards(others)
        if not loose & ~barred:
            return _best_discards_one_by_one(hand, barred)
        dearest = dearest_cards(loose & ~barred)
        deadwood = pips_of(loose & ~(dearest & -dearest))
        if deadwood < least:
            least = deadwood
            discards = dearest
        elif deadwood == least:
            discards |= dearest
        kept = next_subset(kept, choices)
        if not kept:
            return least, discards


@jit
def _best_discards_one_by_one(hand, barred):
    least = MORE_THAN_ANY_HAND
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


@jit
def improving_cards(hand, unseen, deadwood):
    """Return the unseen cards that help ten cards: drawn now, some discard leaves less.

    Parameters
    ----------
    hand, unseen : int64
        Masks of the ten cards, and of the cards to draw from.
    deadwood : int64
        Pips that the discard is to stay below, from 1.

    Returns
    -------
    gin : int64
        Mask of the cards with which a discard leaves no deadwood.
    lower : int64
        Mask of those with which one leaves less than ``deadwood``, gin included.
    """
    gin = np.int64(0)
    lower = np.int64(0)
    while unseen:
        card = unseen & -unseen
        unseen ^= card
        least = best_discards(hand | card, np.int64(0))[0]
        if least < deadwood:
            lower |= card
        if least == 0:
            gin |= card
    return gin, lower
