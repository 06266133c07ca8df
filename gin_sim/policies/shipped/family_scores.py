"""The parameterised family: draws and discards scored by weighted features, by own turn.

A weight is what one more of a feature (``family_description``) is worth, in points of the hand's
outcome.  The card with the highest score is discarded; the upcard is taken when its score is above
zero.  Weights differ by bucket of own turn: 1, 2, 3-4, 5-6, 7-9, 10 and later.  The parameters,
with their meanings, are in :mod:`gin_sim.policies.shipped.family_parameters`.
"""

from __future__ import annotations

import math

import numpy as np

from gin_sim.cards import FULL_DECK
from gin_sim.engine import rng
from gin_sim.engine.bits import lowest_bit, nth_card, popcount
from gin_sim.engine.jit import jit, jit_inline
from gin_sim.engine.view import look_at_upcard, unseen_cards
from gin_sim.policies.contract import (
    DECIDE_DISCARD,
    DECIDE_FIRST_OFFER,
    DECIDE_TAKE,
    noise_word,
)
from gin_sim.policies.shipped.family_description import (
    BLIND_PLACE,
    DISCARD_PLACE,
    EXTENSIONS_2,
    EXTENSIONS_3,
    FEEDS_KNOWN_CARD,
    FEEDS_KNOWN_PAIR,
    FEEDS_UNSEEN_PAIR,
    LOOKAHEAD,
    N_DISCARD,
    N_TAKE,
    OUTS_2,
    OUTS_3,
    OUTS_4,
    OUTS_5,
    OUTS_7,
    PIPS,
    PIPS_LOW,
    SLIP_PLACE,
    TAKE,
    TAKE_DISCARD_FEEDS,
    TAKE_DISCARD_FEEDS_UNSEEN,
    TAKE_EXTENSIONS,
    TAKE_FIRST,
    TAKE_LOOSE,
    TAKE_LOW,
    TAKE_MELDS,
    TAKE_OUTS_2,
    TAKE_OUTS_3,
    TAKE_OUTS_4,
    TAKE_PLACE,
    TAKE_SAVES,
    TAKE_SAVES_SHOWN,
    TAKE_SHOWN,
    TEMPERATURE_PLACE,
    bucket_of,
    cold_cards,
    describe_discard,
    describe_discarded_card,
    describe_hand,
    look_ahead,
)
from gin_sim.policies.shipped.family_features import loose_cards

_CHANCES = 1 << 30


@jit_inline
def _weigh(features, n_features, parameters, place):
    total = 0.0
    for feature in range(n_features):
        total += features[feature] * parameters[place + feature]
    return total


@jit_inline
def _live_cards(view, parameters):
    """Return the cards not seen yet; of a policy that does not watch, those it does not hold."""
    if parameters[BLIND_PLACE] > 0:
        return FULL_DECK & ~view.hand
    return unseen_cards(view)


@jit
def sensible_discards(hand, barred, best_deadwood, best):
    """Return the discards to choose from: those that leave gin, else those that break no meld.

    Where every discard breaks one, those that leave least deadwood.

    Parameters
    ----------
    hand, barred : int64
        Masks: eleven cards, and those that may not be discarded.
    best_deadwood, best : int64
        Least deadwood (pips) that a discard leaves, and the mask of the discards that leave it.
    """
    if best_deadwood == 0:
        return best
    n_loose = popcount(loose_cards(hand))
    sensible = 0
    left = hand & ~barred
    while left:
        card = left & -left
        left ^= card
        if popcount(loose_cards(hand & ~card)) <= n_loose:
            sensible |= card
    return sensible if sensible else best


@jit_inline
def _score(view, parameters, hand, live, cold, card, features):
    """Return a discard's score."""
    place = DISCARD_PLACE + N_DISCARD * bucket_of(view.turn)
    describe_discard(view, hand, live, cold, card, features)
    if parameters[place + LOOKAHEAD] != 0 and live:
        features[LOOKAHEAD] = look_ahead(hand & ~(1 << card), live)
    return _weigh(features, N_DISCARD, parameters, place)


@jit
def discard_by_score(view, parameters, hand, discards, temperature, features):
    """Return the discard with the highest score.

    Parameters
    ----------
    view : record of VIEW
        Of the player; its own ``hand`` is not read.
    parameters : float64 array, shape (N_PARAMETERS,)
    hand, discards : int64
        Masks: eleven cards, and those to choose from.
    temperature : float64
        Of the softmax that the discard is drawn from, in points; 0 for the highest score.
    features : float64 array, shape (N_FEATURES,)
        Working space.
    """
    live = _live_cards(view, parameters) & ~hand
    cold = cold_cards(view)
    best = -1
    best_score = -np.inf
    left = discards
    while left:
        card = lowest_bit(left)
        left &= left - 1
        score = _score(view, parameters, hand, live, cold, card, features)
        if temperature > 0:
            score += temperature * _gumbel(view, card)
        if score > best_score:
            best_score = score
            best = card
    return best


@jit
def _gumbel(view, card):
    """Return a draw of Gumbel's distribution: the softmax of scores is the largest of sums."""
    bits = rng.word(noise_word(view, DECIDE_DISCARD, 2), card)
    return -math.log(-math.log(_uniform(bits)))


@jit_inline
def _uniform(bits):
    """Return a float64 strictly between 0 and 1 from a random word: an odd number of 2**-53."""
    return (np.float64(bits >> np.uint64(12)) + 0.5) / 4503599627370496.0


@jit
def discard_scores(view, player):
    """Discard the card with the highest score, or any card by the policy's chance of a slip."""
    parameters = player.parameters
    if parameters[SLIP_PLACE] > 0:
        bits = noise_word(view, DECIDE_DISCARD, 1)
        if rng.low_below(bits, _CHANCES) < parameters[SLIP_PLACE] * _CHANCES:
            allowed = view.hand & ~view.barred
            return nth_card(allowed, rng.high_below(bits, popcount(allowed)))
    discards = sensible_discards(view.hand, view.barred, view.best_deadwood, view.best_discards)
    return discard_by_score(
        view,
        parameters,
        view.hand,
        discards,
        parameters[TEMPERATURE_PLACE],
        player.discard_features,
    )


@jit
def discard_chance(view, player, card, chances):
    """Return the chance that a card is discarded, 0 to 1; as :func:`discard_chances`.

    Parameters
    ----------
    view : record of VIEW
        Between the draw and the discard.
    player : record of PLAYER
        A member of the family.
    card : int64
        Id, of the hand.
    chances : float64 array, shape (52,)
        Working space.
    """
    parameters = player.parameters
    if parameters[TEMPERATURE_PLACE] > 0:
        discard_chances(view, player, chances)
        return chances[card]
    hand = view.hand
    allowed = hand & ~view.barred
    if not allowed >> card & 1:
        return 0.0
    slip = parameters[SLIP_PLACE]
    chance = slip / popcount(allowed)
    discards = sensible_discards(hand, view.barred, view.best_deadwood, view.best_discards)
    if not discards >> card & 1:
        return chance
    live = _live_cards(view, parameters) & ~hand
    cold = cold_cards(view)
    score = _score(view, parameters, hand, live, cold, card, player.discard_features)
    left = discards & ~(1 << card)
    while left:
        other = lowest_bit(left)
        left &= left - 1
        against = _score(view, parameters, hand, live, cold, other, player.discard_features)
        if against > score or (against == score and other < card):
            return chance
    return 1 - slip + chance


@jit
def discard_chances(view, player, chances):
    """Write the chance of each card to be discarded, 0 for cards that are not held.

    Parameters
    ----------
    view : record of VIEW
        Between the draw and the discard.
    player : record of PLAYER
        A member of the family.
    chances : float64 array, shape (52,)
        They sum to 1.
    """
    parameters = player.parameters
    hand = view.hand
    live = _live_cards(view, parameters) & ~hand
    cold = cold_cards(view)
    temperature = parameters[TEMPERATURE_PLACE]
    allowed = hand & ~view.barred
    discards = sensible_discards(hand, view.barred, view.best_deadwood, view.best_discards)
    best = discard_by_score(view, parameters, hand, discards, 0.0, player.discard_features)
    highest = _score(view, parameters, hand, live, cold, best, player.discard_features)
    total = 0.0
    for card in range(52):
        chances[card] = 0.0
        if not discards >> card & 1:
            continue
        score = _score(view, parameters, hand, live, cold, card, player.discard_features)
        if temperature > 0:
            chances[card] = math.exp((score - highest) / temperature)
        elif card == best:
            chances[card] = 1.0
        total += chances[card]
    slip = parameters[SLIP_PLACE]
    for card in range(52):
        if allowed >> card & 1:
            chances[card] = (1 - slip) * chances[card] / total + slip / popcount(allowed)


@jit
def take_chance(view, player):
    """Return the chance that the policy takes the upcard, 0 to 1.

    Parameters
    ----------
    view : record of VIEW
        Where the upcard may be taken.
    player : record of PLAYER
        A member of the family.
    """
    score = _take_score(view, player)
    temperature = player.parameters[TEMPERATURE_PLACE]
    if score == np.inf or temperature == 0:
        return 1.0 if score > 0 else 0.0
    return 1 / (1 + math.exp(-score / temperature))


@jit
def describe_take(view, parameters, features, taking):
    """Write the features of taking the upcard; return the discard that would follow."""
    upcard = view.upcard
    bit = 1 << upcard
    eleven = view.hand | bit
    best_deadwood = look_at_upcard(view)
    discards = sensible_discards(eleven, bit, best_deadwood, view.upcard_discards)
    discarded = discard_by_score(view, parameters, eleven, discards, 0.0, features)
    live = _live_cards(view, parameters) & ~bit
    loose_before = popcount(describe_hand(view.hand, live, features))
    outs_before = (
        features[OUTS_2] + features[OUTS_3] + features[OUTS_4] + features[OUTS_5] + features[OUTS_7]
    )
    extensions_before = features[EXTENSIONS_2] + features[EXTENSIONS_3]
    pips_before = features[PIPS]
    low_before = features[PIPS_LOW]
    loose = describe_hand(eleven & ~(1 << discarded), live, features)
    describe_discarded_card(view, discarded, live, cold_cards(view), features)
    n_loose = popcount(loose)
    outs = (
        features[OUTS_2]
        + features[OUTS_3]
        + features[OUTS_4]
        + features[OUTS_5]
        + features[OUTS_7]
        - outs_before
    )
    taking[TAKE] = 1.0
    taking[TAKE_MELDS] = 0.0 if loose & bit else 1.0
    taking[TAKE_SAVES] = pips_before - features[PIPS]
    taking[TAKE_LOW] = features[PIPS_LOW] - low_before
    taking[TAKE_SAVES_SHOWN] = taking[TAKE_SAVES] * popcount(view.opponent_known)
    taking[TAKE_OUTS_2] = outs if n_loose <= 2 else 0.0
    taking[TAKE_OUTS_3] = outs if n_loose == 3 else 0.0
    taking[TAKE_OUTS_4] = outs if n_loose > 3 else 0.0
    taking[TAKE_EXTENSIONS] = features[EXTENSIONS_2] + features[EXTENSIONS_3] - extensions_before
    taking[TAKE_LOOSE] = loose_before - n_loose
    taking[TAKE_FIRST] = view.first_offer
    taking[TAKE_SHOWN] = popcount(view.shown)
    taking[TAKE_DISCARD_FEEDS] = 3 * features[FEEDS_KNOWN_PAIR] + features[FEEDS_KNOWN_CARD]
    taking[TAKE_DISCARD_FEEDS_UNSEEN] = features[FEEDS_UNSEEN_PAIR]
    return discarded


@jit
def takes_by_score(view, player):
    """Take the upcard when it gives gin, or when its score, with the policy's noise, is above 0."""
    score = _take_score(view, player)
    temperature = player.parameters[TEMPERATURE_PLACE]
    if temperature > 0:
        decision = DECIDE_FIRST_OFFER if view.first_offer else DECIDE_TAKE
        uniform = _uniform(noise_word(view, decision, 0))
        score += temperature * math.log(uniform / (1 - uniform))
    return score > 0


@jit
def _take_score(view, player):
    """Return the score of taking the upcard, in points; infinite where it gives gin."""
    describe_take(view, player.parameters, player.discard_features, player.take_features)
    if player.discard_features[PIPS] == 0:
        return np.inf
    return _weigh(
        player.take_features, N_TAKE, player.parameters, TAKE_PLACE + N_TAKE * bucket_of(view.turn)
    )
