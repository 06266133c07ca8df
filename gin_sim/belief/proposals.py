"""Proposals over an opponent's hidden cards: what to try next, and the odds of trying it back.

Each proposal changes the trial places in one way and returns the log of Hastings' ratio, the chance
of the way back over that of the way there, so that a chain which tries it stays true.  Whether it
is accepted is not decided here.
"""

from __future__ import annotations

import math

import numpy as np

from gin_sim.belief.likelihood import DEALT, NO_DEADLINE
from gin_sim.engine import rng
from gin_sim.engine.bits import ONE_OF_EACH_SUIT, SUIT_BITS, lowest_bit, nth_card, popcount
from gin_sim.engine.jit import jit, jit_inline
from gin_sim.engine.melds import forms_meld

# How often two or three cards change, not one.
_TWO_SWAPS_FROM, _THREE_SWAPS_FROM = 0.6, 0.8
_TWO_CARDS_FROM, _THREE_CARDS_FROM = 0.7, 0.9
#: Weights of a card that is brought into a hand, over 1: for each card that it could meld with, and
#: if it completes a meld.
_NEAR_WEIGHT, _MELD_WEIGHT = 2, 12


def _near() -> np.ndarray:
    """Return, by card, the mask of the others of its rank, or within two of it in suit."""
    masks = np.zeros(52, np.int64)
    for card in range(52):
        rank = card % 13
        mask = ONE_OF_EACH_SUIT << rank
        for other in range(max(rank - 2, 0), min(rank + 2, 12) + 1):
            mask |= 1 << (card - rank + other)
        masks[card] = mask & ~(1 << card)
    return masks


_NEAR = _near()
#: Cards that a run of three can start at.
_RUN_STARTS = ONE_OF_EACH_SUIT * 0b0011111111111


@jit_inline
def next_word(chain):
    """Return the chain's next random word."""
    chain.n_words += 1
    return rng.word(chain.key, chain.n_words)


@jit_inline
def uniform(chain):
    """Return a float64 strictly between 0 and 1."""
    return (np.float64(next_word(chain) >> np.uint64(12)) + 0.5) / 4503599627370496.0


@jit_inline
def _below(chain, bound):
    return rng.low_below(next_word(chain), bound)


@jit_inline
def _one_two_three(chain, two_from, three_from):
    share = uniform(chain)
    return 1 if share < two_from else 2 if share < three_from else 3


@jit_inline
def held_cards(places, slots):
    """Return the mask of the hidden cards that are still held."""
    held = 0
    for place in range(slots.n):
        if slots.deadlines[places[place]] == NO_DEADLINE:
            held |= 1 << np.int64(places[place])
    return held


@jit_inline
def _place_of(places, n, card):
    for place in range(n):
        if places[place] == card:
            return place
    return -1


# ---------------------------------------------------------------------------------------------
# Arrivals


@jit
def propose_swaps(chain, slots):
    """Let cards change their arrivals; minus infinity where a card would come too late.

    One, two or three times a draw changes places with another card: as often as not with the card
    that was discarded in that turn, since many a card is discarded as soon as it is drawn.
    """
    trial = chain.trial
    log_ratio = 0.0
    for _ in range(_one_two_three(chain, _TWO_SWAPS_FROM, _THREE_SWAPS_FROM)):
        one = DEALT + _below(chain, slots.n - DEALT)
        home = _place_of(trial, slots.n, slots.turn_discards[one])
        if home >= 0 and home != one and uniform(chain) < 0.5:
            other = home
        else:
            other = _below(chain, slots.n - 1)
            other += other >= one
        log_ratio -= _log_partner(one, other, home, slots.n)
        trial[one], trial[other] = trial[other], trial[one]
        home = _place_of(trial, slots.n, slots.turn_discards[one])
        log_ratio += _log_partner(one, other, home, slots.n)
    for place in range(slots.n):
        if slots.arrivals[place] > slots.deadlines[trial[place]]:
            return -np.inf
    return log_ratio


@jit_inline
def _log_partner(one, other, home, n):
    """Return the log of the chance that a draw changes places with another place's card."""
    by_chance = 1.0 / (n - 1)
    if home < 0 or home == one:
        return math.log(by_chance)
    return math.log(0.5 * by_chance + (0.5 if other == home else 0.0))


# ---------------------------------------------------------------------------------------------
# Cards


@jit_inline
def _weight(card, hand):
    """Return the weight of a card among those to be brought into a hand."""
    near = _NEAR_WEIGHT * popcount(_NEAR[card] & hand)
    return 1 + near + (_MELD_WEIGHT if forms_meld(hand, card) else 0)


@jit
def _weights(pool, hand):
    total = 0
    while pool:
        card = lowest_bit(pool)
        pool &= pool - 1
        total += _weight(card, hand)
    return total


@jit
def _choose(chain, pool, hand, total):
    """Return a card of a pool, by weight."""
    left = _below(chain, total)
    while True:
        card = lowest_bit(pool)
        pool &= pool - 1
        left -= _weight(card, hand)
        if left < 0:
            return card


@jit
def propose_cards(chain, slots):
    """Replace one to three hidden cards, chosen one after another by how they suit the hand."""
    trial = chain.trial
    held = held_cards(trial, slots)
    n = min(_one_two_three(chain, _TWO_CARDS_FROM, _THREE_CARDS_FROM), popcount(held))
    removed = 0  # card ids in order, six bits each
    kept = held
    for i in range(n):
        card = nth_card(kept, _below(chain, popcount(kept)))
        kept &= ~(1 << card)
        removed |= card << 6 * i
    log_ratio = 0.0
    hand_before = hand_after = kept | slots.known
    pool_before = pool_after = slots.unseen & ~kept
    for i in range(n):
        old = removed >> 6 * i & 63
        total = _weights(pool_before, hand_before)
        log_ratio += math.log(_weight(old, hand_before) / total)
        if pool_after != pool_before:
            total = _weights(pool_after, hand_after)
        new = _choose(chain, pool_after, hand_after, total)
        log_ratio -= math.log(_weight(new, hand_after) / total)
        chain.order[i] = _place_of(trial, slots.n, old)
        chain.order[n + i] = new
        hand_before |= 1 << old
        pool_before &= ~(1 << old)
        hand_after |= 1 << new
        pool_after &= ~(1 << new)
    for i in range(n):
        trial[chain.order[i]] = chain.order[n + i]
    return log_ratio


# ---------------------------------------------------------------------------------------------
# Melds


@jit_inline
def _runs(cards):
    """Return the mask of the cards that start a run of three within some cards."""
    return cards & cards >> 1 & cards >> 2 & _RUN_STARTS


@jit_inline
def _sets(cards):
    """Return the sets of three within some cards, the bit of rank and suit that each leaves out."""
    ranks = np.int64(0)
    for suit in range(4):
        others = cards >> 13 * (suit + 1 & 3) & cards >> 13 * (suit + 2 & 3)
        ranks |= (others & cards >> 13 * (suit + 3 & 3) & SUIT_BITS) << 13 * suit
    return ranks


@jit_inline
def count_melds(cards):
    """Return how many melds of three cards lie within some cards."""
    return popcount(_runs(cards)) + popcount(_sets(cards))


@jit_inline
def nth_meld(cards, without, n):
    """Return the n-th meld of three within some cards that is not within others of them."""
    runs = _runs(cards) & ~_runs(without)
    if n < popcount(runs):
        return 7 << nth_card(runs, n)
    left_out = nth_card(_sets(cards) & ~_sets(without), n - popcount(runs))
    rank = left_out % 13
    return ONE_OF_EACH_SUIT << rank & ~(1 << left_out)


@jit
def propose_meld(chain, slots):
    """Bring a whole meld into the hand for as many cards outside it.

    The way back is :func:`propose_break` of the same meld and the same cards of it.
    """
    trial = chain.trial
    held = held_cards(trial, slots)
    cards = slots.unseen | slots.known
    n_melds = count_melds(cards) - count_melds(held | slots.known)
    if n_melds == 0:
        return -np.inf
    meld = nth_meld(cards, held | slots.known, _below(chain, n_melds))
    missing = meld & ~(held | slots.known)
    others = held & ~meld
    if popcount(missing) > popcount(others):
        return -np.inf
    log_ratio = math.log(n_melds)
    n = 0
    left = missing
    while left:
        card = lowest_bit(left)
        left &= left - 1
        n_others = popcount(others)
        log_ratio += math.log(n_others)
        old = nth_card(others, _below(chain, n_others))
        others &= ~(1 << old)
        trial[_place_of(trial, slots.n, old)] = card
        chain.order[n] = old
        n += 1
    held_after = others | meld & ~slots.known
    n_after = count_melds(held_after | slots.known) - count_melds(slots.known)
    log_ratio -= math.log(n_after)
    log_ratio -= math.log((1 << popcount(meld & held_after)) - 1)
    pool = slots.unseen & ~held_after
    hand = (held_after & ~missing) | slots.known
    for i in range(n):
        old = np.int64(chain.order[i])
        log_ratio += math.log(_weight(old, hand) / _weights(pool, hand))
        hand |= 1 << old
        pool &= ~(1 << old)
    return log_ratio


@jit
def propose_break(chain, slots):
    """Replace cards of a meld of the hand, any part of it; the way back of :func:`propose_meld`."""
    trial = chain.trial
    held = held_cards(trial, slots)
    n_melds = count_melds(held | slots.known) - count_melds(slots.known)
    if n_melds == 0:
        return -np.inf
    meld = nth_meld(held | slots.known, slots.known, _below(chain, n_melds))
    n_parts = (1 << popcount(meld & held)) - 1
    removed = _part(meld & held, 1 + _below(chain, n_parts))
    log_ratio = math.log(n_melds) + math.log(n_parts)
    pool = slots.unseen & ~held
    if popcount(removed) > popcount(pool):
        return -np.inf
    held_after = held & ~removed
    n = 0
    while removed:
        card = lowest_bit(removed)
        removed &= removed - 1
        hand = held_after | slots.known
        total = _weights(pool, hand)
        new = _choose(chain, pool, hand, total)
        log_ratio -= math.log(_weight(new, hand) / total)
        pool &= ~(1 << new)
        held_after |= 1 << new
        trial[_place_of(trial, slots.n, card)] = new
        n += 1
    cards = slots.unseen | slots.known
    log_ratio -= math.log(count_melds(cards) - count_melds(held_after | slots.known))
    n_others = popcount(held_after & ~meld)
    for i in range(n):
        log_ratio -= math.log(n_others - i)
    return log_ratio


@jit_inline
def _part(cards, number):
    """Return the part of a mask of cards that a number names, one bit a card."""
    part = 0
    while cards:
        if number & 1:
            part |= cards & -cards
        number >>= 1
        cards &= cards - 1
    return part
