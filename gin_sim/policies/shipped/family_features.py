"""What good players weigh about a hand and a discard, as counts in a few dozen instructions.

A hand here is the ten cards kept; ``live`` are the cards its holder has not seen.  Nothing is
decided here.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from gin_sim.engine.bits import ONE_OF_EACH_SUIT, SUIT_BITS, popcount, ranks_of, ranks_of_four
from gin_sim.engine.deadwood import MORE_THAN_ANY_HAND
from gin_sim.engine.jit import jit, jit_inline
from gin_sim.engine.melds import choice_cards, next_subset, pips_of, run_cards, set_cards


def _mask(cards) -> int:
    return sum(1 << card for card in cards)


def _in_suit(card: int, distance: int) -> list[int]:
    """Return the other cards of a card's suit, so many ranks away at most."""
    near = range(card - distance, card + distance + 1)
    return [other for other in near if other // 13 == card // 13 and other != card]


_NOT_ACES = ONE_OF_EACH_SUIT * 0b1111111111110
_NOT_KINGS = ONE_OF_EACH_SUIT * 0b0111111111111
_NOT_ACES_TWOS = ONE_OF_EACH_SUIT * 0b1111111111100
_NOT_QUEENS_KINGS = ONE_OF_EACH_SUIT * 0b0011111111111
_MATES = np.array([_mask(range(card % 13, 52, 13)) & ~(1 << card) for card in range(52)])
MOST_WAYS = 6  # pairs that a card can meld with: three of its rank, and three of its suit
#: By card: its neighbours in suit, and every card that some meld of three holds with it.
BESIDE = np.array([_mask(_in_suit(card, 1)) for card in range(52)])
MELDING = np.array([_mask(_in_suit(card, 2)) for card in range(52)]) | _MATES
# Pairs that make a run with a card, by its neighbours in suit: bits 0 and 1 are the cards two and
# one rank below it, bits 3 and 4 those above.
_RUN_WAYS = np.array(
    [sum(near & pair == pair for pair in (0b00011, 0b01010, 0b11000)) for near in range(32)],
    np.int64,
)


@jit_inline
def up(cards):
    """Return the cards one rank above, of the same suit."""
    return (cards & _NOT_KINGS) << 1


@jit_inline
def down(cards):
    """Return the cards one rank below, of the same suit."""
    return (cards & _NOT_ACES) >> 1


@jit_inline
def best_sets(hand):
    """Return the set cards of an arrangement with least deadwood."""
    sets = set_cards(hand)
    if not sets & run_cards(hand):
        return sets
    return _best_sets_contested(hand)


@jit
def _best_sets_contested(hand):
    choices = choice_cards(hand)
    kept = 0
    best = 0
    least = MORE_THAN_ANY_HAND
    while True:
        sets = set_cards(hand & ~kept)
        others = hand & ~sets
        deadwood = pips_of(others & ~run_cards(others))
        if deadwood < least:
            least = deadwood
            best = sets
        kept = next_subset(kept, choices)
        if not kept:
            return best


@jit_inline
def arrangement(hand):
    """Return the set cards, run cards and loose cards of an arrangement with least deadwood."""
    sets = best_sets(hand)
    runs = run_cards(hand & ~sets)
    return sets, runs, hand & ~(sets | runs)


@jit_inline
def loose_cards(hand):
    """Return the cards that an arrangement with least deadwood leaves loose."""
    return arrangement(hand)[2]


@jit_inline
def spare_cards(sets, runs):
    """Return the cards that can leave their melds while all the others stay melded.

    They are one of four of a kind, and a card of a run that has no card or three and more on
    either side.
    """
    starts = runs & down(runs) & (runs & _NOT_ACES_TWOS) >> 2  # the lowest of each three in a row
    whole_below = up(starts << 2) | ~up(runs)
    whole_above = down(starts) | ~down(runs)
    return sets & ranks_of_four(sets) * ONE_OF_EACH_SUIT | runs & whole_below & whole_above


@jit_inline
def ranks_held_twice(cards):
    """Return the 13-bit mask of the ranks held by two suits or more."""
    s = cards & SUIT_BITS
    h = cards >> 13 & SUIT_BITS
    d = cards >> 26 & SUIT_BITS
    c = cards >> 39 & SUIT_BITS
    return ((s | h) & (d | c)) | s & h | d & c


@jit_inline
def completing_cards(loose):
    """Return the cards that would make a new meld with two of the loose ones."""
    in_sets = ranks_held_twice(loose) * ONE_OF_EACH_SUIT
    neighbours = loose & down(loose)  # the lower card of each adjacent pair
    split = loose & ((loose & _NOT_ACES_TWOS) >> 2)  # the lower card of each pair with a gap
    return (
        in_sets | down(neighbours) | (neighbours & _NOT_QUEENS_KINGS) << 2 | split << 1
    ) & ~loose


@jit_inline
def extending_cards(sets, runs):
    """Return the cards that would join a meld: the fourth of a set, either end of a run."""
    fourths = (ranks_of(sets) & ~ranks_of_four(sets)) * ONE_OF_EACH_SUIT & ~sets
    return fourths | (up(runs) | down(runs)) & ~runs


@jit_inline
def pairing_cards(loose):
    """Return the cards that would make a pair with a loose one: its rank, or near it in suit."""
    near = up(loose) | down(loose)
    return (ranks_of(loose) * ONE_OF_EACH_SUIT | near | up(near) | down(near)) & ~loose


class Waits(NamedTuple):
    """The live cards that would meld or pair with loose ones, by the loose cards that they need.

    Each field is a mask.

    Parameters
    ----------
    of_one, of_two : int64
        Those whose rank one loose card has, and those whose rank two have.
    above, below, above_2, below_2 : int64
        Those one rank and two ranks above and below a loose card of their suit.
    above_pair, below_pair, within_pair : int64
        Those above and below two neighbours, and those that fill a gap.
    """

    of_one: int
    of_two: int
    above: int
    below: int
    above_2: int
    below_2: int
    above_pair: int
    below_pair: int
    within_pair: int


@jit_inline
def waits_of(loose, live):
    """Return what the loose cards of an arrangement with least deadwood wait for.

    Such cards hold no meld, so that no rank is held by three of them.

    Parameters
    ----------
    loose, live : int64
        Masks without a card in common.
    """
    twice = ranks_held_twice(loose)
    once = ranks_of(loose) & ~twice
    above, below = up(loose), down(loose)
    return Waits(
        once * ONE_OF_EACH_SUIT & live,
        twice * ONE_OF_EACH_SUIT & live,
        above & live,
        below & live,
        up(above) & live,
        down(below) & live,
        above & up(above) & live,
        below & down(below) & live,
        above & below & live,
    )


@jit_inline
def n_melding(waits):
    """Count the cards that would make a new meld with two of all the loose cards."""
    return popcount(waits.of_two | waits.above_pair | waits.below_pair | waits.within_pair)


@jit_inline
def waits_without(waits, card):
    """Count the outs and the pairing cards that are left without one of the loose cards.

    As ``completing_cards`` and ``pairing_cards`` of the others give them: a card that needs the
    one which goes is in neither, unless it pairs with another.  No bit is lost across the edge of
    a suit, since no card of the next suit waits for this one.
    """
    bit = 1 << card
    of_rank = ONE_OF_EACH_SUIT << (card % 13)
    higher, lower, higher_2, lower_2 = bit << 1, bit >> 1, bit << 2, bit >> 2
    outs = (
        waits.of_two & ~of_rank
        | waits.above_pair & ~(higher | higher_2)
        | waits.below_pair & ~(lower | lower_2)
        | waits.within_pair & ~(higher | lower)
    )
    pairings = (
        waits.of_two
        | waits.of_one & ~of_rank
        | waits.above & ~higher
        | waits.below & ~lower
        | waits.above_2 & ~higher_2
        | waits.below_2 & ~lower_2
    )
    return popcount(outs), popcount(pairings)


@jit_inline
def ways_to_meld(card, held):
    """Count the pairs of held cards that a card would meld with.

    Parameters
    ----------
    card : int64
    held : int64
        Mask without the card.
    """
    rank = card % 13
    n_mates = popcount(held >> rank & ONE_OF_EACH_SUIT)
    near = (held >> (card - rank) & SUIT_BITS) << 2 >> rank & 0b11111
    return (n_mates * (n_mates - 1) >> 1) + _RUN_WAYS[near]
