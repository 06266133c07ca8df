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
from gin_sim.engine.apart import apart
from gin_sim.engine.bits import highest_bit, lowest_bit, nth_card, popcount, ranks_of
from gin_sim.engine.jit import jit, jit_inline, jit_paste
from gin_sim.engine.view import VIEW, look_at_upcard, unseen_cards
from gin_sim.policies.contract import (
    DECIDE_DISCARD,
    DECIDE_FIRST_OFFER,
    DECIDE_TAKE,
    PLAYER,
    noise_word,
)
from gin_sim.policies.shipped.family_description import (
    BLIND_PLACE,
    N_TAKE,
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
    TENTHS,
    bucket_of,
    cold_cards,
    fed_ways,
    look_at_eleven,
    ten_without,
)
from gin_sim.policies.shipped.family_discards import (
    NO_CARD,
    discard_by_score,
    score_of,
    sensible_discards,
    uniform_of,
)
from gin_sim.policies.shipped.family_features import MOST_WAYS, loose_cards, n_melding

# Far more than a sum of N_TAKE products is rounded by: a weight is 60 points at most, a feature
# below 1000.
_ROUNDING = 1e-6  # points
_MOST_FED = 3 * MOST_WAYS  # a known pair counts three times
_CHANCES = 1 << 30


@jit_inline
def _live_cards(view, parameters):
    """Return the cards not seen yet; of a policy that does not watch, those it does not hold."""
    if parameters[BLIND_PLACE] > 0:
        return FULL_DECK & ~view.hand
    return unseen_cards(view)


@jit_inline
def _look_at_hand(view, parameters):
    hand = view.hand
    return look_at_eleven(hand, _live_cards(view, parameters) & ~hand)


@jit_paste
def discard_scores(view, player):
    """Discard the card with the highest score, or any card by the policy's chance of a slip."""
    parameters = player.parameters
    if parameters[SLIP_PLACE] > 0:
        bits = noise_word(view, DECIDE_DISCARD, 1)
        if rng.low_below(bits, _CHANCES) < parameters[SLIP_PLACE] * _CHANCES:
            allowed = view.hand & ~view.barred
            return nth_card(allowed, rng.high_below(bits, popcount(allowed)))
    discards = sensible_discards(view.hand, view.barred, view.best_deadwood, view.best_discards)
    temperature = parameters[TEMPERATURE_PLACE]
    eleven = _look_at_hand(view, parameters)
    return discard_by_score(view, parameters, eleven, discards, temperature, NO_CARD)


@jit_paste
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
    eleven = _look_at_hand(view, parameters)
    if discard_by_score(view, parameters, eleven, discards, 0.0, card) != card:
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
    temperature = parameters[TEMPERATURE_PLACE]
    allowed = hand & ~view.barred
    discards = sensible_discards(hand, view.barred, view.best_deadwood, view.best_discards)
    eleven = _look_at_hand(view, parameters)
    cold = cold_cards(view)
    highest = -np.inf
    best = NO_CARD
    for card in range(52):
        chances[card] = 0.0
        if discards >> card & 1:
            chances[card] = score_of(view, parameters, eleven, cold, card)
            if chances[card] > highest:
                highest = chances[card]
                best = card
    total = 0.0
    for card in range(52):
        if not discards >> card & 1:
            continue
        if temperature > 0:
            chances[card] = math.exp((chances[card] - highest) / temperature)
        else:
            chances[card] = 1.0 if card == best else 0.0
        total += chances[card]
    slip = parameters[SLIP_PLACE]
    for card in range(52):
        if allowed >> card & 1:
            chances[card] = (1 - slip) * chances[card] / total + slip / popcount(allowed)


@jit_paste
def take_chance(view, player):
    """Return the chance that the policy takes the upcard, 0 to 1.

    Parameters
    ----------
    view : record of VIEW
        Where the upcard may be taken.
    player : record of PLAYER
        A member of the family.
    """
    score = take_score(view, player)
    temperature = player.parameters[TEMPERATURE_PLACE]
    if score == np.inf or temperature == 0:
        return 1.0 if score > 0 else 0.0
    return 1 / (1 + math.exp(-score / temperature))


@jit
def describe_take(view, parameters, taking):
    """Write the features of taking the upcard; return the discard that would follow.

    Parameters
    ----------
    view : record of VIEW
        Where the upcard may be taken.
    parameters : float64 array, shape (N_PARAMETERS,)
    taking : float64 array, shape (N_FEATURES,)
    """
    eleven, discards = _look_at_upcard(view, parameters)
    before = ten_without(eleven, view.upcard)
    return _describe_take(view, parameters, eleven, discards, before, taking)


@jit_inline
def _look_at_upcard(view, parameters):
    """Return what the hand with the upcard is looked at as, and the discards to choose from."""
    bit = 1 << view.upcard
    hand = view.hand | bit
    best_deadwood = look_at_upcard(view)
    discards = sensible_discards(hand, bit, best_deadwood, view.upcard_discards)
    return look_at_eleven(hand, _live_cards(view, parameters) & ~bit), discards


@jit
def _describe_take(view, parameters, eleven, discards, before, taking):
    discarded = discard_by_score(view, parameters, eleven, discards, 0.0, NO_CARD)
    after = ten_without(eleven, discarded)
    outs = after.n_outs - before.n_outs
    melds = not loose_cards(eleven.hand & ~(1 << discarded)) >> view.upcard & 1
    known_pairs, known_cards, unseen_pairs, _ = fed_ways(
        discarded, view.opponent_known, eleven.live, cold_cards(view)
    )
    taking[TAKE] = 1.0
    taking[TAKE_MELDS] = 1.0 if melds else 0.0
    taking[TAKE_SAVES] = TENTHS[before.deadwood] - TENTHS[after.deadwood]
    taking[TAKE_LOW] = TENTHS[max(10 - after.deadwood, 0)] - TENTHS[max(10 - before.deadwood, 0)]
    taking[TAKE_SAVES_SHOWN] = taking[TAKE_SAVES] * popcount(view.opponent_known)
    taking[TAKE_OUTS_2] = outs if after.n_loose <= 2 else 0.0
    taking[TAKE_OUTS_3] = outs if after.n_loose == 3 else 0.0
    taking[TAKE_OUTS_4] = outs if after.n_loose > 3 else 0.0
    taking[TAKE_EXTENSIONS] = after.n_extensions - before.n_extensions
    taking[TAKE_LOOSE] = before.n_loose - after.n_loose
    taking[TAKE_FIRST] = view.first_offer
    taking[TAKE_SHOWN] = popcount(view.shown)
    taking[TAKE_DISCARD_FEEDS] = 3 * known_pairs + known_cards
    taking[TAKE_DISCARD_FEEDS_UNSEEN] = unseen_pairs
    return discarded


@jit_paste
def takes_by_score(view, player):
    """Take the upcard when it gives gin, or when its score, with the policy's noise, is above 0."""
    score = take_score(view, player)
    temperature = player.parameters[TEMPERATURE_PLACE]
    if temperature > 0:
        decision = DECIDE_FIRST_OFFER if view.first_offer else DECIDE_TAKE
        uniform = uniform_of(noise_word(view, decision, 0))
        score += temperature * math.log(uniform / (1 - uniform))
    return score > 0


@apart(VIEW, PLAYER, returns=float)
def take_score(view, player):
    """Return the score of taking the upcard, in points.

    Infinite where it gives gin, and minus infinity where it is below 0 whatever the discard and
    there is no noise.
    """
    if look_at_upcard(view) == 0:
        return np.inf
    parameters = player.parameters
    features = player.take_features
    eleven, discards = _look_at_upcard(view, parameters)
    before = ten_without(eleven, view.upcard)
    if parameters[TEMPERATURE_PLACE] == 0 and not (discards | 1 << view.upcard) & ~eleven.plain:
        most = _most_by_loose_upcard(view, parameters, eleven, discards, before)
        if most < -_ROUNDING:
            return -np.inf
    _describe_take(view, parameters, eleven, discards, before, features)
    place = TAKE_PLACE + N_TAKE * bucket_of(view.turn)
    total = 0.0
    for feature in range(N_TAKE):
        total += features[feature] * parameters[place + feature]
    return total


@jit_inline
def _most_by_loose_upcard(view, parameters, eleven, discards, before):
    """Return the most that the score of taking an upcard in no meld can be, in points.

    One loose card takes another's place: the melds and the number of loose cards stay as they
    are.  Of the values that the discards leave open to a feature, each gets the one that its
    weight likes best.

    Parameters
    ----------
    discards : int64
        Mask of cards of no meld.
    before : Ten
        The hand without the upcard.
    """
    place = TAKE_PLACE + N_TAKE * bucket_of(view.turn)
    ranks = ranks_of(discards)
    lowest = eleven.deadwood - min(highest_bit(ranks) + 1, 10)
    highest = eleven.deadwood - min(lowest_bit(ranks) + 1, 10)
    saves = (before.deadwood - highest) / 10, (before.deadwood - lowest) / 10
    low = max(10 - before.deadwood, 0)
    lower = (max(10 - highest, 0) - low) / 10, (max(10 - lowest, 0) - low) / 10
    n_known = popcount(view.opponent_known)
    outs = TAKE_OUTS_4
    if before.n_loose <= 3:
        outs = TAKE_OUTS_3 if before.n_loose == 3 else TAKE_OUTS_2
    return (
        parameters[place + TAKE]
        + _most(parameters[place + TAKE_SAVES], saves[0], saves[1])
        + _most(parameters[place + TAKE_LOW], lower[0], lower[1])
        + _most(parameters[place + TAKE_SAVES_SHOWN], saves[0] * n_known, saves[1] * n_known)
        + _most(parameters[place + outs], -before.n_outs, n_melding(eleven.waits) - before.n_outs)
        + parameters[place + TAKE_FIRST] * view.first_offer
        + parameters[place + TAKE_SHOWN] * popcount(view.shown)
        + _most(parameters[place + TAKE_DISCARD_FEEDS], 0, _MOST_FED if n_known else 0)
        + _most(parameters[place + TAKE_DISCARD_FEEDS_UNSEEN], 0, MOST_WAYS)
    )


@jit_inline
def _most(weight, low, high):
    """Return the most that a feature between two values can be worth."""
    return max(weight * low, weight * high)
