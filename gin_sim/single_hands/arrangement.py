"""The best arrangement of a hand and what each discard of eleven leaves, for whole arrays."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from gin_sim.cards import FULL_DECK
from gin_sim.engine.bits import highest_card, popcount
from gin_sim.engine.deadwood import best_discards, least_deadwood
from gin_sim.engine.jit import jit, run_kernel
from gin_sim.engine.layoff import choose_spread
from gin_sim.single_hands.checks import (
    FULL_HAND,
    HAND_SIZES,
    as_masks,
    raise_if_any,
    size_problems,
)

#: What is found of a hand; everything is int64 but ``leaves``.
HAND_FACTS = np.dtype(
    [
        ("deadwood", "i8"),
        ("kept", "i8"),  # the cards arranged: eleven less the discard, unless all of them meld
        ("sets", "i8"),
        ("runs", "i8"),
        ("leaves", "i1", (FULL_HAND,)),  # what each of eleven cards leaves, in id order
    ],
    align=True,
)


@jit
def arrange_hands(hands, facts):
    """Fill the facts of each hand.

    Parameters
    ----------
    hands : int64 array
        Masks of 1 to 11 cards.
    facts : record array of HAND_FACTS, as long
        Written; ``leaves`` only for hands of eleven.
    """
    for i in range(hands.size):
        hand = hands[i]
        fact = facts[i]
        kept = hand
        deadwood = least_deadwood(hand)
        if popcount(hand) == FULL_HAND:
            left = hand
            for n in range(FULL_HAND):
                card = left & -left
                left ^= card
                fact.leaves[n] = least_deadwood(hand & ~card)
            if deadwood > 0:
                deadwood, discards = best_discards(hand, 0)
                kept = hand & ~(1 << highest_card(discards))
        fact.deadwood = deadwood
        fact.kept = kept
        fact.sets, fact.runs = choose_spread(kept, FULL_DECK & ~hand, 0)


def arranged(hands: Sequence[int] | np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Return hands as masks, and their facts as a record array of HAND_FACTS.

    Raises
    ------
    HandsError
        If some masks do not hold 1 to 11 cards.
    """
    masks = as_masks(hands)
    raise_if_any(size_problems(masks, HAND_SIZES, "a hand"))
    facts = np.zeros(masks.size, HAND_FACTS).view(np.recarray)
    run_kernel(arrange_hands, masks, facts)
    return masks, facts


def deadwoods(hands: Sequence[int] | np.ndarray) -> np.ndarray:
    """Return the least deadwood of each hand, for eleven cards after the best discard.

    Parameters
    ----------
    hands : array of int64, 1 dimension
        Masks of 1 to 11 cards.

    Returns
    -------
    array of int64, as long
        Pips.

    Raises
    ------
    HandsError
        If some masks do not hold 1 to 11 cards.
    """
    return arranged(hands)[1]["deadwood"].copy()
