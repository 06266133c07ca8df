"""What good players weigh about a hand and a discard, as counts in a few dozen instructions.

A hand here is the ten cards kept; ``live`` are the cards its holder has not seen.  Nothing is
decided here.
"""

from __future__ import annotations

from gin_sim.engine.bits import ONE_OF_EACH_SUIT, SUIT_BITS, popcount, ranks_of, ranks_of_four
from gin_sim.engine.deadwood import MORE_THAN_ANY_HAND
from gin_sim.engine.jit import jit, jit_inline
from gin_sim.engine.melds import choice_cards, next_subset, pips_of, run_cards, set_cards

_NOT_ACES = ONE_OF_EACH_SUIT * 0b1111111111110
_NOT_KINGS = ONE_OF_EACH_SUIT * 0b0111111111111
_NOT_ACES_TWOS = ONE_OF_EACH_SUIT * 0b1111111111100
_NOT_QUEENS_KINGS = ONE_OF_EACH_SUIT * 0b0011111111111


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
def loose_cards(hand):
    """Return the cards that an arrangement with least deadwood leaves loose."""
    others = hand & ~best_sets(hand)
    return others & ~run_cards(others)


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


@jit_inline
def partners(card, held, others):
    """Count the ways in which a card would meld with one held card and one other.

    Parameters
    ----------
    card : int64
    held, others : int64
        Masks without a card in common, neither holding the card.
    """
    rank = card % 13
    mates = ONE_OF_EACH_SUIT << rank & ~(1 << card)
    n_ways = popcount(held & mates) * popcount(others & mates)
    suit = card - rank
    near_held = held >> suit & SUIT_BITS
    near_others = others >> suit & SUIT_BITS
    for low in range(max(rank - 2, 0), min(rank, 10) + 1):
        others_of_run = (7 << low) & ~(1 << rank)
        n_ways += (
            popcount(near_held & others_of_run) == 1 and popcount(near_others & others_of_run) == 1
        )
    return n_ways


@jit_inline
def pairs_within(card, held):
    """Count the ways in which a card would meld with two held cards."""
    rank = card % 13
    mates = popcount(held & ONE_OF_EACH_SUIT << rank & ~(1 << card))
    n_ways = mates * (mates - 1) // 2
    near = held >> (card - rank) & SUIT_BITS
    for low in range(max(rank - 2, 0), min(rank, 10) + 1):
        n_ways += popcount(near & (7 << low) & ~(1 << rank)) == 2
    return n_ways
