"""The features of the family: which there are, and how hands and discards are described by them.

A feature is a count about the hand kept or the card discarded (``family_features`` counts).  What
a feature is worth is the weights' to say: :mod:`gin_sim.policies.shipped.family_parameters`.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from gin_sim.engine.bits import ONE_OF_EACH_SUIT, highest_bit, popcount, ranks_of
from gin_sim.engine.deadwood import best_discards
from gin_sim.engine.jit import jit, jit_inline
from gin_sim.engine.melds import meldable_cards, pips_of, run_cards, set_cards
from gin_sim.policies.contract import BUCKETS, KNOCK_PLACES, N_BUCKETS, N_FEATURES, N_PARAMETERS
from gin_sim.policies.shipped.family_features import (
    BESIDE,
    MELDING,
    Waits,
    arrangement,
    completing_cards,
    down,
    extending_cards,
    pairing_cards,
    up,
    waits_of,
    waits_without,
    ways_to_meld,
)

# Features of a discard: of the ten cards kept, ...
(
    PIPS,  # deadwood left, in tens of pips
    OUTS_2,  # live cards that complete a loose pair, two loose cards or fewer left
    OUTS_3,
    OUTS_4,
    OUTS_5,  # five or six loose cards
    OUTS_7,  # seven or more
    EXTENSIONS_2,  # live cards that extend a meld, two loose cards or fewer left
    EXTENSIONS_3,
    PAIRINGS,  # live cards that would make a new loose pair, in tens
    LOOSE_2,  # two loose cards or fewer left
    LOOSE_3,
    LOOSE_4,
    LOOSE_5,  # five or six
    PIPS_LOW,  # how far the deadwood is below ten, in tens of pips
    PIPS_SHOWN,  # deadwood times the cards that the opponent is known to hold, in tens of pips
    LOOKAHEAD,  # mean deadwood after the best answer to each live card, in tens of pips
) = range(16)
# ... and of the card discarded.
(
    # ways to meld the discarded card with two cards the opponent is known to hold
    FEEDS_KNOWN_PAIR,
    FEEDS_KNOWN_CARD,  # with one known and one unseen card
    FEEDS_UNSEEN_PAIR,  # with two unseen cards
    FEEDS_COLD_PAIR,  # of those, ways by a card that it is unlikely to hold
    RANK_REFUSED,  # the opponent refused an upcard of the rank
    RANK_DISCARDED,  # the opponent discarded a card of the rank
    NEIGHBOUR_REFUSED,  # neighbours in suit that the opponent refused
    NEIGHBOUR_DISCARDED,
) = range(16, 24)
N_DISCARD = 24

# Features of taking the upcard.
(
    TAKE,  # 1
    TAKE_MELDS,  # the upcard lies in a meld of the best arrangement after the discard
    TAKE_SAVES,  # deadwood saved, in tens of pips
    TAKE_LOW,  # how much further the deadwood is below ten, in tens of pips
    TAKE_SAVES_SHOWN,  # deadwood saved times the cards that the opponent is known to hold
    TAKE_OUTS_2,  # outs gained, two loose cards or fewer left after it
    TAKE_OUTS_3,
    TAKE_OUTS_4,
    TAKE_EXTENSIONS,  # extending cards gained
    TAKE_LOOSE,  # loose cards fewer
    TAKE_FIRST,  # the first upcard is offered
    TAKE_SHOWN,  # cards already shown to the opponent
    # what the discard that follows feeds: known pairs (three ways) and cards ...
    TAKE_DISCARD_FEEDS,
    TAKE_DISCARD_FEEDS_UNSEEN,  # ... and unseen pairs
) = range(14)
N_TAKE = 14
assert max(N_DISCARD, N_TAKE) <= N_FEATURES

DISCARD_PLACE = KNOCK_PLACES
TAKE_PLACE = DISCARD_PLACE + N_BUCKETS * N_DISCARD
SLIP_PLACE = TAKE_PLACE + N_BUCKETS * N_TAKE
TEMPERATURE_PLACE = SLIP_PLACE + 1
BLIND_PLACE = SLIP_PLACE + 2
assert BLIND_PLACE < N_PARAMETERS

MANY_LOOSE = 7  # from so many loose cards on no LOOSE feature is set
#: Which feature counts the outs, the extensions and the hand itself, by the number of loose cards.
OUTS_PLACES = np.array([OUTS_2] * 3 + [OUTS_3, OUTS_4, OUTS_5, OUTS_5] + [OUTS_7] * 5)
EXTENSIONS_PLACES = np.array([EXTENSIONS_2] * 3 + [EXTENSIONS_3] * 9)
LOOSE_PLACES = np.array([LOOSE_2] * 3 + [LOOSE_3, LOOSE_4, LOOSE_5, LOOSE_5])
#: Pips or cards in tens: a read of a table where a division would take as long as five additions.
TENTHS = np.arange(128) / 10


@jit_inline
def bucket_of(turn):
    """Return the bucket of an own turn; see BUCKETS."""
    bucket = 0
    for first in BUCKETS[1:]:
        bucket += turn >= first
    return bucket


@jit_inline
def n_outs(loose, live):
    """Count the live cards that would make a new meld with two loose ones."""
    return popcount(completing_cards(loose) & live)


@jit_inline
def n_extensions(sets, runs, live):
    """Count the live cards that would join a meld."""
    return popcount(extending_cards(sets, runs) & live)


@jit_inline
def n_pairings(loose, live):
    """Count the live cards that would make a new pair with a loose one."""
    return popcount(pairing_cards(loose) & live)


@jit_inline
def describe_hand(hand, live, features):
    """Write the features of ten cards, but not lookahead, into a buffer; return the loose cards.

    Parameters
    ----------
    hand, live : int64
        Masks: ten cards, and those that may still be drawn.
    features : float64 array, shape (N_FEATURES,)
    """
    sets, runs, loose = arrangement(hand)
    n_loose = popcount(loose)
    deadwood = pips_of(loose)
    for feature in range(OUTS_2, LOOKAHEAD + 1):
        features[feature] = 0.0
    features[PIPS] = TENTHS[deadwood]
    features[OUTS_PLACES[n_loose]] = n_outs(loose, live)
    features[EXTENSIONS_PLACES[n_loose]] = n_extensions(sets, runs, live)
    features[PAIRINGS] = TENTHS[n_pairings(loose, live)]
    if n_loose < MANY_LOOSE:
        features[LOOSE_PLACES[n_loose]] = 1.0
    features[PIPS_LOW] = TENTHS[max(10 - deadwood, 0)]
    return loose


class Eleven(NamedTuple):
    """What the ten cards that each discard of eleven would leave have in common.

    Parameters
    ----------
    hand, live : int64
        Masks: the eleven, and the cards not seen.
    plain : int64
        Mask of the cards of no meld: without one of them the other ten are arranged as before.
    n_loose, deadwood, n_extensions : int64
        Of an arrangement with least deadwood: loose cards, their pips, and live cards that would
        join a meld.
    waits : Waits
        Of its loose cards.
    """

    hand: int
    live: int
    plain: int
    n_loose: int
    deadwood: int
    n_extensions: int
    waits: Waits


class Ten(NamedTuple):
    """What is counted of ten cards that are kept."""

    n_loose: int
    deadwood: int
    n_outs: int
    n_extensions: int
    n_pairings: int


@jit_inline
def look_at_eleven(hand, live):
    """Return what :func:`ten_without` needs of eleven cards.

    Parameters
    ----------
    hand, live : int64
        Masks without a card in common.
    """
    sets, runs, loose = arrangement(hand)
    plain = hand & ~meldable_cards(hand)
    extensions = n_extensions(sets, runs, live)
    n_loose, deadwood = popcount(loose), pips_of(loose)
    return Eleven(hand, live, plain, n_loose, deadwood, extensions, waits_of(loose, live))


@jit_inline
def ten_without(eleven, card):
    """Return what is counted of the ten cards without one of the eleven."""
    if not eleven.plain >> card & 1:
        return _rearranged(eleven.hand & ~(1 << card), eleven.live)
    outs, pairings = waits_without(eleven.waits, card)
    deadwood = eleven.deadwood - min(card % 13 + 1, 10)
    return Ten(eleven.n_loose - 1, deadwood, outs, eleven.n_extensions, pairings)


@jit
def _rearranged(hand, live):
    sets, runs, loose = arrangement(hand)
    outs, pairings = n_outs(loose, live), n_pairings(loose, live)
    return Ten(popcount(loose), pips_of(loose), outs, n_extensions(sets, runs, live), pairings)


@jit
def look_ahead(hand, live):
    """Return the mean, over the live cards, of the deadwood after drawing one and discarding one.

    In tens of pips; ten cards in hand, at least one live card.
    """
    runs, sets = run_cards(hand), set_cards(hand)
    total = 0
    left = live
    if not runs & sets:
        # A card that melds with nothing is discarded again, or takes the place of the dearest loose
        # card if it is cheaper.
        left &= completing_cards(hand)
        others = live & ~left
        loose = hand & ~(runs | sets)
        total = pips_of(loose) * popcount(others)
        if loose:
            dearest = min(highest_bit(ranks_of(loose)) + 1, 10)
            cheaper = others & ((1 << dearest - 1) - 1) * ONE_OF_EACH_SUIT
            total -= dearest * popcount(cheaper) - pips_of(cheaper)
    while left:
        card = left & -left
        left ^= card
        total += best_discards(hand | card, left & 0)[0]
    return total / (10.0 * popcount(live))


@jit_inline
def fed_ways(card, known, live, cold):
    """Count the pairs of the opponent's that a discarded card would meld with.

    Parameters
    ----------
    card : int64
        Id.
    known, live, cold : int64
        Masks without the card: cards that the opponent is known to hold, other cards that it may
        hold, and those that it is unlikely to.

    Returns
    -------
    known_pairs, known_cards, unseen_pairs, cold_pairs : int64
        Pairs of two known cards, of a known and a live one, of two live ones, and how many of the
        last have a cold one.
    """
    unseen_pairs = ways_to_meld(card, live)
    cold_pairs = unseen_pairs - ways_to_meld(card, live & ~cold)
    if not known & MELDING[card]:
        return 0, 0, unseen_pairs, cold_pairs
    known_pairs = ways_to_meld(card, known)
    known_cards = ways_to_meld(card, known | live) - known_pairs - unseen_pairs
    return known_pairs, known_cards, unseen_pairs, cold_pairs


@jit_inline
def describe_discarded_card(view, card, live, cold, features):
    """Write the features of the card discarded into a buffer.

    Parameters
    ----------
    view : record of VIEW
    card : int64
        Id, of the hand.
    live, cold : int64
        Masks: cards not seen, which the opponent may hold, and cards that it is unlikely to.
    features : float64 array, shape (N_FEATURES,)
    """
    fed = fed_ways(card, view.opponent_known, live, cold)
    features[FEEDS_KNOWN_PAIR] = fed[0]
    features[FEEDS_KNOWN_CARD] = fed[1]
    features[FEEDS_UNSEEN_PAIR] = fed[2]
    features[FEEDS_COLD_PAIR] = fed[3]
    refused, discarded = view.opponent_refused, view.opponent_discards
    of_rank = ONE_OF_EACH_SUIT << (card % 13)
    features[RANK_REFUSED] = 1.0 if refused & of_rank else 0.0
    features[RANK_DISCARDED] = 1.0 if discarded & of_rank else 0.0
    features[NEIGHBOUR_REFUSED] = popcount(refused & BESIDE[card])
    features[NEIGHBOUR_DISCARDED] = popcount(discarded & BESIDE[card])


@jit_inline
def cold_cards(view):
    """Return the cards beside one that the opponent discarded: it would have kept the pair."""
    discards = view.opponent_discards
    return ranks_of(discards) * ONE_OF_EACH_SUIT | up(discards) | down(discards)


@jit_inline
def describe_discard(view, hand, live, cold, card, features):
    """Write the features of a discard, but not lookahead: of the cards kept and of the card."""
    describe_hand(hand & ~(1 << card), live, features)
    features[PIPS_SHOWN] = features[PIPS] * popcount(view.opponent_known)
    describe_discarded_card(view, card, live, cold, features)
