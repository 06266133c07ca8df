"""Arrangements as lists of melds: what the two masks of a spread look like on the table.

Plain Python, used where one hand is shown or written down, never in the play loop.  A meld is a
mask; a list of melds has the sets first, by rank, then the runs, by suit and rank.
"""

from __future__ import annotations

from gin_sim.cards import cards_of, mask_of
from gin_sim.engine.bits import ONE_OF_EACH_SUIT, SUIT_BITS
from gin_sim.engine.layoff import choose_spread
from gin_sim.engine.melds import run_cards


def best_arrangement(hand: int, unseen: int = 0, known: int = 0) -> list[int]:
    """Return the melds of a least-deadwood arrangement of up to eleven cards.

    Among several the one that gives away least to a defender who may hold ``unseen`` cards and
    holds the ``known`` ones (see :func:`gin_sim.engine.layoff.choose_spread`).
    """
    return melds_of(*choose_spread(hand, unseen, known))


def melds_of(sets: int, runs: int) -> list[int]:
    """Return the melds of a spread's set cards and run cards, each stretch as one run."""
    melds = [
        int(sets) & ONE_OF_EACH_SUIT << rank
        for rank in range(13)
        if int(sets) & ONE_OF_EACH_SUIT << rank
    ]
    for suit in range(4):
        stretch: list[int] = []
        for card in [*cards_of(int(runs) & SUIT_BITS << 13 * suit), -1]:
            if stretch and card != stretch[-1] + 1:
                melds.append(mask_of(stretch))
                stretch = []
            stretch.append(card)
    return melds


def is_meld(cards: int) -> bool:
    """Return whether a mask is one set or one run."""
    return is_set(cards) or (len(melds_of(0, cards)) == 1 and int(run_cards(cards)) == cards)


def is_set(cards: int) -> bool:
    """Return whether a mask is three or four cards of a rank."""
    ids = cards_of(cards)
    return len(ids) >= 3 and len({card % 13 for card in ids}) == 1


def spread_masks(melds: list[int]) -> tuple[int, int]:
    """Return the set cards and the run cards of a list of melds."""
    sets = sum(meld for meld in melds if is_set(meld))
    return sets, sum(melds) - sets


def layoffs_in_order(melds: list[int], laid: int) -> list[tuple[int, int]]:
    """Return layoffs as (card, index of the meld), in an order in which each is legal.

    Cards go on runs first, nearest first, so that chains work; what is left goes on sets.

    Parameters
    ----------
    melds : list of int
        The knocker's spread.
    laid : int
        The cards laid off, as :func:`gin_sim.engine.layoff.defence` returns them.
    """
    layoffs = []
    left = int(laid)
    for index, meld in enumerate(melds):
        if is_set(meld):
            continue
        ids = cards_of(meld)
        low, high = ids[0] - 1, ids[-1] + 1
        while low >= 0 and low % 13 != 12 and left >> low & 1:
            layoffs.append((low, index))
            left &= ~(1 << low)
            low -= 1
        while high % 13 != 0 and left >> high & 1:
            layoffs.append((high, index))
            left &= ~(1 << high)
            high += 1
    for index, meld in enumerate(melds):
        if is_set(meld):
            for card in cards_of(left & ONE_OF_EACH_SUIT << cards_of(meld)[0] % 13):
                layoffs.append((card, index))
                left &= ~(1 << card)
    return layoffs
