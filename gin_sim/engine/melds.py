"""Where melds can lie in a hand, and how the choice between sets and runs is enumerated.

Every card of a suit's stretch of three or more can be melded in runs at once, and every rank held
three or four times can be a set; only a set that shares a card with a run needs a choice.  An
arrangement is therefore named by its set cards: the runs are whatever stretches remain.
"""

from __future__ import annotations

from gin_sim.engine.bits import (
    ONE_OF_EACH_SUIT,
    SUIT_BITS,
    lowest_bit,
    popcount,
    ranks_of,
)
from gin_sim.engine.jit import jit, jit_inline

# Bits of the pips of each rank in all four suits, for counting pips by bit: 1, 2, 4 and 8.
_PIPS_1 = ONE_OF_EACH_SUIT * 0b0000101010101
_PIPS_2 = ONE_OF_EACH_SUIT * 0b1111001100110
_PIPS_4 = ONE_OF_EACH_SUIT * 0b0000001111000
_PIPS_8 = ONE_OF_EACH_SUIT * 0b1111110000000
_NOT_KINGS = ONE_OF_EACH_SUIT * 0b0111111111111

# A contested rank takes one digit of a choice's number.  Held by three suits: one bit, whether it
# is a set.  By four: three bits, 0 for no set, 1 for the whole set, 2-5 for a set of three that
# leaves out one suit.
_BITS_OF_THREE = 1
_BITS_OF_FOUR = 3


@jit_inline
def pips_of(cards):
    """Return the pips of a mask of cards."""
    return (
        popcount(cards & _PIPS_1)
        + 2 * popcount(cards & _PIPS_2)
        + 4 * popcount(cards & _PIPS_4)
        + 8 * popcount(cards & _PIPS_8)
    )


@jit_inline
def run_cards(cards):
    """Return the mask of the cards that lie in a stretch of three or more of their suit."""
    with_next = cards & cards >> 1 & _NOT_KINGS
    starts = with_next & with_next >> 1
    return starts | starts << 1 | starts << 2


@jit_inline
def set_ranks(cards):
    """Return the 13-bit mask of the ranks held by three or four suits."""
    h = cards >> 13
    d = cards >> 26
    c = cards >> 39
    return (cards & h & (d | c) | d & c & (cards | h)) & SUIT_BITS


@jit_inline
def set_cards(cards):
    """Return the mask of the cards whose rank is held by three or four suits."""
    return cards & set_ranks(cards) * ONE_OF_EACH_SUIT


@jit_inline
def meldable_cards(cards):
    """Return the mask of the cards that some meld of the holding contains."""
    return run_cards(cards) | set_cards(cards)


@jit_inline
def forms_meld(hand, card):
    """Return whether a card forms any meld with cards of a hand that does not hold it."""
    rank = card % 13
    if popcount(hand >> rank & ONE_OF_EACH_SUIT) >= 2:
        return True
    return run_cards(hand | 1 << card) >> card & 1 == 1


@jit_inline
def contested_ranks(cards):
    """Return the 13-bit mask of the set ranks that share a card with a run."""
    return ranks_of(set_cards(cards) & run_cards(cards))


@jit
def n_choices(cards, contested):
    """Return how many numbers :func:`chosen_sets` takes for a holding."""
    bits = 0
    while contested:
        held = popcount(cards >> lowest_bit(contested) & ONE_OF_EACH_SUIT)
        bits += _BITS_OF_FOUR if held == 4 else _BITS_OF_THREE
        contested &= contested - 1
    return 1 << bits


@jit
def chosen_sets(cards, contested, choice):
    """Return the set cards of one arrangement, or -1 where the number names none of its own.

    Sets that no run contests are always melded whole: nothing else can want their cards.

    Parameters
    ----------
    cards : int64
        A holding of at most eleven cards.
    contested : int64
        Its :func:`contested_ranks`.
    choice : int64
        0 to ``n_choices(cards, contested) - 1``.
    """
    sets = cards & (set_ranks(cards) & ~contested) * ONE_OF_EACH_SUIT
    runs = run_cards(cards)
    while contested:
        rank = lowest_bit(contested)
        contested &= contested - 1
        of_rank = cards & ONE_OF_EACH_SUIT << rank
        bits = _BITS_OF_FOUR if popcount(of_rank) == 4 else _BITS_OF_THREE
        way = choice & ((1 << bits) - 1)
        choice >>= bits
        if way == 1:
            sets |= of_rank
        elif way >= 2:
            if way > 5:
                return -1
            left_out = 1 << (13 * (way - 2) + rank)
            if not runs & left_out:
                return -1  # leaving out a card that no run wants only loses it
            sets |= of_rank & ~left_out
    return sets
