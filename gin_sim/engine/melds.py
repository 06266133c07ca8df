"""Where melds can lie in a hand, and how the choice between sets and runs is enumerated.

Every card of a suit's stretch of three or more can be melded in runs at once, and every rank held
three or four times can be a set; only a set that shares a card with a run needs a choice.  An
arrangement is therefore named by its set cards: the runs are whatever stretches remain.
"""

from __future__ import annotations

from gin_sim.engine.bits import ONE_OF_EACH_SUIT, SUIT_BITS, popcount, ranks_of_four
from gin_sim.engine.jit import jit_inline

# Bits of the pips of each rank in all four suits, for counting pips by bit: 1, 2, 4 and 8.
_PIPS_1 = ONE_OF_EACH_SUIT * 0b0000101010101
_PIPS_2 = ONE_OF_EACH_SUIT * 0b1111001100110
_PIPS_4 = ONE_OF_EACH_SUIT * 0b0000001111000
_PIPS_8 = ONE_OF_EACH_SUIT * 0b1111110000000
_NOT_KINGS = ONE_OF_EACH_SUIT * 0b0111111111111


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
def choice_cards(cards):
    """Return the cards by which the choices between sets and runs are numbered.

    Every arrangement worth weighing keeps some of these cards out of the sets and then melds all
    it can, sets first: its set cards are ``set_cards(cards & ~kept)`` for a subset ``kept``.  Of a
    rank held by three suits that shares a card with a run, one card breaks the set; of a rank held
    by four, each card that a run wants may be the one left out.  Sets that no run contests are
    always melded whole: nothing else can want their cards.
    """
    contested = set_cards(cards) & run_cards(cards)
    in_four = ranks_of_four(cards) * ONE_OF_EACH_SUIT
    in_three = contested & ~in_four
    first_of_rank = in_three & ~(in_three << 13 | in_three << 26 | in_three << 39)
    return contested & in_four | first_of_rank


@jit_inline
def next_subset(subset, cards):
    """Return the subset of a mask after another, ascending; the empty one after the whole."""
    return (subset - cards) & cards
