"""Which discards the parameterised family weighs, and which of them has the highest score.

A score is the sum of weights times features; what is decided by it is
:mod:`gin_sim.policies.shipped.family_scores`'s.
"""

from __future__ import annotations

import math

import numpy as np

from gin_sim.engine import rng
from gin_sim.engine.bits import ONE_OF_EACH_SUIT, lowest_bit, popcount
from gin_sim.engine.jit import jit, jit_inline
from gin_sim.engine.melds import run_cards, set_cards
from gin_sim.policies.contract import DECIDE_DISCARD, noise_word
from gin_sim.policies.shipped.family_description import (
    DISCARD_PLACE,
    EXTENSIONS_PLACES,
    FEEDS_COLD_PAIR,
    FEEDS_KNOWN_CARD,
    FEEDS_KNOWN_PAIR,
    FEEDS_UNSEEN_PAIR,
    LOOKAHEAD,
    LOOSE_PLACES,
    MANY_LOOSE,
    N_DISCARD,
    NEIGHBOUR_DISCARDED,
    NEIGHBOUR_REFUSED,
    OUTS_PLACES,
    PAIRINGS,
    PIPS,
    PIPS_LOW,
    PIPS_SHOWN,
    RANK_DISCARDED,
    RANK_REFUSED,
    TENTHS,
    bucket_of,
    cold_cards,
    fed_ways,
    look_ahead,
    ten_without,
)
from gin_sim.policies.shipped.family_features import BESIDE, loose_cards, spare_cards

NO_CARD = -1


@jit
def sensible_discards(hand, barred, best_deadwood, best):
    """Return the discards to choose from: those that leave gin, else those that break no meld.

    A discard breaks a meld when it leaves more loose cards than there are.  Where every discard
    does, those that leave least deadwood.

    Parameters
    ----------
    hand, barred : int64
        Masks: eleven cards, and those that may not be discarded.
    best_deadwood, best : int64
        Least deadwood (pips) that a discard leaves, and the mask of the discards that leave it.
    """
    if best_deadwood == 0:
        return best
    runs = run_cards(hand)
    sets = set_cards(hand)
    sensible = hand & ~(runs | sets)
    if runs & sets:
        n_loose = popcount(loose_cards(hand))
        left = hand & ~sensible
        while left:
            card = left & -left
            left ^= card
            if popcount(loose_cards(hand & ~card)) <= n_loose:
                sensible |= card
    else:
        sensible |= spare_cards(sets, runs)
    sensible &= ~barred
    return sensible if sensible else best


@jit_inline
def score_of(view, parameters, eleven, cold, card):
    """Return a discard's score, in points: the sum of ``describe_discard``'s features by weight.

    The terms are added in the order of the features.  Those that must be 0 are left out, which
    leaves the sum the same to the last bit.

    Parameters
    ----------
    view : record of VIEW
        Of the player; its own ``hand`` is not read.
    parameters : float64 array, shape (N_PARAMETERS,)
    eleven : Eleven
        The cards to discard from.
    cold : int64
        Mask, see ``cold_cards``.
    card : int64
        Id.
    """
    place = DISCARD_PLACE + N_DISCARD * bucket_of(view.turn)
    live, known = eleven.live, view.opponent_known
    ten = ten_without(eleven, card)
    tens = TENTHS[ten.deadwood]
    total = tens * parameters[place + PIPS]
    total += ten.n_outs * parameters[place + OUTS_PLACES[ten.n_loose]]
    total += ten.n_extensions * parameters[place + EXTENSIONS_PLACES[ten.n_loose]]
    total += TENTHS[ten.n_pairings] * parameters[place + PAIRINGS]
    if ten.n_loose < MANY_LOOSE:
        total += parameters[place + LOOSE_PLACES[ten.n_loose]]
    total += TENTHS[max(10 - ten.deadwood, 0)] * parameters[place + PIPS_LOW]
    total += tens * popcount(known) * parameters[place + PIPS_SHOWN]
    if parameters[place + LOOKAHEAD] != 0 and live:
        ahead = look_ahead(eleven.hand & ~(1 << card), live)
        total += ahead * parameters[place + LOOKAHEAD]
    known_pairs, known_cards, unseen_pairs, cold_pairs = fed_ways(card, known, live, cold)
    total += known_pairs * parameters[place + FEEDS_KNOWN_PAIR]
    total += known_cards * parameters[place + FEEDS_KNOWN_CARD]
    total += unseen_pairs * parameters[place + FEEDS_UNSEEN_PAIR]
    total += cold_pairs * parameters[place + FEEDS_COLD_PAIR]
    refused, discarded = view.opponent_refused, view.opponent_discards
    of_rank = ONE_OF_EACH_SUIT << (card % 13)
    total += parameters[place + RANK_REFUSED] if refused & of_rank else 0.0
    total += parameters[place + RANK_DISCARDED] if discarded & of_rank else 0.0
    total += popcount(refused & BESIDE[card]) * parameters[place + NEIGHBOUR_REFUSED]
    total += popcount(discarded & BESIDE[card]) * parameters[place + NEIGHBOUR_DISCARDED]
    return total


@jit
def discard_by_score(view, parameters, eleven, discards, temperature, judged):
    """Return the discard with the highest score, the first in the deck's order of several.

    Parameters
    ----------
    view : record of VIEW
        Of the player; its own ``hand`` is not read.
    parameters : float64 array, shape (N_PARAMETERS,)
    eleven : Eleven
        The cards to discard from.
    discards : int64
        Mask of those to choose from.
    temperature : float64
        Of the softmax that the discard is drawn from, in points; 0 for the highest score.
    judged : int64
        One of the discards, to ask whether it is the best: the first that is found to be better
        is returned in its place.  NO_CARD for none.
    """
    cold = cold_cards(view)
    best = NO_CARD
    best_score = -np.inf
    left = discards
    while left:
        card = judged if judged != NO_CARD and best == NO_CARD else lowest_bit(left)
        left &= ~(1 << card)
        score = score_of(view, parameters, eleven, cold, card)
        if temperature > 0:
            score += temperature * _gumbel(view, card)
        # Chosen without a jump: which card is the best so far cannot be foretold.
        better = (score > best_score) | ((score == best_score) & (card < best))
        best = card if better else best
        best_score = score if better else best_score
        if judged not in (NO_CARD, best):
            return best
    return best


@jit
def _gumbel(view, card):
    """Return a draw of Gumbel's distribution: the softmax of scores is the largest of sums."""
    bits = rng.word(noise_word(view, DECIDE_DISCARD, 2), card)
    return -math.log(-math.log(uniform_of(bits)))


@jit_inline
def uniform_of(bits):
    """Return a float64 strictly between 0 and 1 from a random word: an odd number of 2**-53."""
    return (np.float64(bits >> np.uint64(12)) + 0.5) / 4503599627370496.0
