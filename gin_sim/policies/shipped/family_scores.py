"""The parameterised family: draws and discards scored by weighted features, by own turn.

A weight is what one more of a feature (``family_description``) is worth, in points of the hand's
outcome.  The card with the highest score is discarded; the upcard is taken when its score is above
zero.  Weights differ by bucket of own turn: 1, 2, 3-4, 5-6, 7-9, 10 and later.  The parameters,
with their meanings, are in :mod:`gin_sim.policies.shipped.family_parameters`.
"""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np

from gin_sim.cards import FULL_DECK
from gin_sim.engine import rng
from gin_sim.engine.bits import ONE_OF_EACH_SUIT, lowest_bit, nth_card, popcount
from gin_sim.engine.jit import jit, jit_inline
from gin_sim.engine.melds import meldable_cards, pips_of, run_cards, set_cards
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
    EXTENSIONS_PLACES,
    FEEDS_COLD_PAIR,
    FEEDS_KNOWN_CARD,
    FEEDS_KNOWN_PAIR,
    FEEDS_UNSEEN_PAIR,
    LOOKAHEAD,
    LOOSE_PLACES,
    MANY_LOOSE,
    N_DISCARD,
    N_TAKE,
    NEIGHBOUR_DISCARDED,
    NEIGHBOUR_REFUSED,
    OUTS_PLACES,
    PAIRINGS,
    PIPS,
    PIPS_LOW,
    PIPS_SHOWN,
    RANK_DISCARDED,
    RANK_REFUSED,
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
    look_ahead,
    n_extensions,
    n_outs,
    n_pairings,
)
from gin_sim.policies.shipped.family_features import (
    BESIDE,
    Waits,
    arrangement,
    loose_cards,
    spare_cards,
    waits_of,
    waits_without,
)

NO_CARD = -1
_CHANCES = 1 << 30


@jit_inline
def _live_cards(view, parameters):
    """Return the cards not seen yet; of a policy that does not watch, those it does not hold."""
    if parameters[BLIND_PLACE] > 0:
        return FULL_DECK & ~view.hand
    return unseen_cards(view)


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


class _Eleven(NamedTuple):
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


class _Ten(NamedTuple):
    """What is counted of ten cards that are kept: see ``family_description``."""

    n_loose: int
    deadwood: int
    n_outs: int
    n_extensions: int
    n_pairings: int


@jit_inline
def _look_at_eleven(hand, live):
    sets, runs, loose = arrangement(hand)
    plain = hand & ~meldable_cards(hand)
    extensions = n_extensions(sets, runs, live)
    n_loose, deadwood = popcount(loose), pips_of(loose)
    return _Eleven(hand, live, plain, n_loose, deadwood, extensions, waits_of(loose, live))


@jit_inline
def _without(eleven, card):
    """Return what is counted of the ten cards without one of the eleven."""
    if not eleven.plain >> card & 1:
        return _rearranged(eleven.hand & ~(1 << card), eleven.live)
    outs, pairings = waits_without(eleven.waits, card)
    deadwood = eleven.deadwood - min(card % 13 + 1, 10)
    return _Ten(eleven.n_loose - 1, deadwood, outs, eleven.n_extensions, pairings)


@jit
def _rearranged(hand, live):
    sets, runs, loose = arrangement(hand)
    outs, pairings = n_outs(loose, live), n_pairings(loose, live)
    return _Ten(popcount(loose), pips_of(loose), outs, n_extensions(sets, runs, live), pairings)


@jit_inline
def _score(view, parameters, eleven, cold, card):
    """Return a discard's score.

    The features are added in their order.  One that must be 0 is left out, which leaves the sum
    the same to the last bit.
    """
    place = DISCARD_PLACE + N_DISCARD * bucket_of(view.turn)
    live, known = eleven.live, view.opponent_known
    ten = _without(eleven, card)
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
def discard_by_score(view, parameters, hand, discards, temperature, judged):
    """Return the discard with the highest score, the first in the deck's order of several.

    Parameters
    ----------
    view : record of VIEW
        Of the player; its own ``hand`` is not read.
    parameters : float64 array, shape (N_PARAMETERS,)
    hand, discards : int64
        Masks: eleven cards, and those to choose from.
    temperature : float64
        Of the softmax that the discard is drawn from, in points; 0 for the highest score.
    judged : int64
        One of the discards, to ask whether it is the best: the first that is found to be better
        is returned in its place.  NO_CARD for none.
    """
    live = _live_cards(view, parameters) & ~hand
    cold = cold_cards(view)
    eleven = _look_at_eleven(hand, live)
    best = NO_CARD
    best_score = -np.inf
    left = discards
    while left:
        card = judged if judged != NO_CARD and best == NO_CARD else lowest_bit(left)
        left &= ~(1 << card)
        score = _score(view, parameters, eleven, cold, card)
        if temperature > 0:
            score += temperature * _gumbel(view, card)
        if score > best_score or (score == best_score and card < best):
            best_score = score
            best = card
            if judged not in (NO_CARD, card):
                return best
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
    temperature = parameters[TEMPERATURE_PLACE]
    return discard_by_score(view, parameters, view.hand, discards, temperature, NO_CARD)


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
    if discard_by_score(view, parameters, hand, discards, 0.0, card) != card:
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
    live = _live_cards(view, parameters) & ~hand
    cold = cold_cards(view)
    eleven = _look_at_eleven(hand, live)
    highest = -np.inf
    best = NO_CARD
    for card in range(52):
        chances[card] = 0.0
        if discards >> card & 1:
            chances[card] = _score(view, parameters, eleven, cold, card)
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
def describe_take(view, parameters, taking):
    """Write the features of taking the upcard; return the discard that would follow.

    Parameters
    ----------
    view : record of VIEW
        Where the upcard may be taken.
    parameters : float64 array, shape (N_PARAMETERS,)
    taking : float64 array, shape (N_FEATURES,)
    """
    upcard = view.upcard
    bit = 1 << upcard
    hand = view.hand | bit
    live = _live_cards(view, parameters) & ~bit
    best_deadwood = look_at_upcard(view)
    discards = sensible_discards(hand, bit, best_deadwood, view.upcard_discards)
    discarded = discard_by_score(view, parameters, hand, discards, 0.0, NO_CARD)
    eleven = _look_at_eleven(hand, live)
    before = _without(eleven, upcard)
    after = _without(eleven, discarded)
    outs = after.n_outs - before.n_outs
    known_pairs, known_cards, unseen_pairs, _ = fed_ways(
        discarded, view.opponent_known, live, cold_cards(view)
    )
    taking[TAKE] = 1.0
    taking[TAKE_MELDS] = 0.0 if loose_cards(hand & ~(1 << discarded)) & bit else 1.0
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
    if look_at_upcard(view) == 0:
        return np.inf
    parameters = player.parameters
    features = player.take_features
    describe_take(view, parameters, features)
    place = TAKE_PLACE + N_TAKE * bucket_of(view.turn)
    total = 0.0
    for feature in range(N_TAKE):
        total += features[feature] * parameters[place + feature]
    return total
