"""The end of a knocked hand: the spread that gives away least, and the defender's joint defence.

A spread is two masks: its set cards and its run cards.  How a stretch of run cards is cut into
runs does not matter to anyone: the same cards extend it.
"""

from __future__ import annotations

import numpy as np

from gin_sim.cards import HAND_SIZE
from gin_sim.engine.bits import ONE_OF_EACH_SUIT, lowest_bit, popcount, ranks_of, ranks_of_four
from gin_sim.engine.deadwood import least_deadwood
from gin_sim.engine.jit import jit, jit_inline
from gin_sim.engine.melds import (
    choice_cards,
    meldable_cards,
    next_subset,
    pips_of,
    run_cards,
    set_cards,
)
from gin_sim.rules import BIG_GIN, GIN, KNOCK, MAX_DEADWOOD

_SAME = 1e-9  # expectations nearer than this are equal except for rounding


@jit_inline
def run_extensions(runs, held):
    """Return which of the held cards can be laid off on run cards, chains included."""
    bottoms = ONE_OF_EACH_SUIT
    laid = 0
    grown = runs
    while True:
        beside = (grown & ~(bottoms << 12)) << 1 | (grown & ~bottoms) >> 1
        more = beside & held & ~grown
        if not more:
            return laid
        laid |= more
        grown |= more


@jit_inline
def fourth_cards(sets):
    """Return the mask of the cards that would be fourth to a three-card set."""
    return (ranks_of(sets) & ~ranks_of_four(sets)) * ONE_OF_EACH_SUIT & ~sets


@jit_inline
def layable_cards(sets, runs, held):
    """Return which of the held cards can be laid off on a spread if all may go."""
    return fourth_cards(sets) & held | run_extensions(runs, held)


@jit
def defence(defender, sets, runs):
    """Return the defender's least deadwood after layoffs, and the cards it lays off.

    Own melds and layoffs are chosen jointly.  Only a card that could do both needs a choice: for
    every set of such cards kept back, all others that can still go on the spread go, since a card
    in no meld of one's own is only pips.  Among equal defences one is returned that tears no own
    meld without need.

    Parameters
    ----------
    defender : int64
        The defender's ten cards.
    sets, runs : int64
        The knocker's spread.
    """
    laid = layable_cards(sets, runs, defender)
    if not laid:
        return least_deadwood(defender), laid
    torn = laid & meldable_cards(defender)
    if not torn:
        return least_deadwood(defender & ~laid), laid
    best = MAX_DEADWOOD + 1
    kept = torn
    while True:
        still_laid = layable_cards(sets, runs, defender & ~kept)
        deadwood = least_deadwood(defender & ~still_laid)
        if deadwood < best:
            best = deadwood
            laid = still_laid
        if not kept:
            return best, laid
        kept = (kept - 1) & torn


@jit_inline
def ending_shown(knocker, deadwood):
    """Return how a hand ends when it is shown: BIG_GIN, GIN or KNOCK.

    Parameters
    ----------
    knocker : int64
        Ten cards, or the eleven of a big gin.
    deadwood : int64
        Pips outside the spread.
    """
    if deadwood > 0 and popcount(knocker) == HAND_SIZE:
        return KNOCK
    return BIG_GIN if popcount(knocker) > HAND_SIZE else GIN


@jit_inline
def answer_knock(defender, sets, runs, knocker_deadwood, rules):
    """Return the defender's least deadwood after a knock, and the cards it lays off.

    Nothing is laid off on gin, unless the rules say so.
    """
    if knocker_deadwood == 0 and not rules.layoff_on_gin:
        return least_deadwood(defender), 0
    return defence(defender, sets, runs)


@jit_inline
def choose_spread(hand, unseen, known):
    """Return the spread, among the arrangements with least deadwood, that gives away least.

    Parameters
    ----------
    hand : int64
        The knocker's ten cards.
    unseen : int64
        The cards that the knocker has not seen.
    known : int64
        Cards that the defender is known to hold; none of them in ``unseen``.

    Returns
    -------
    sets, runs : int64
        The spread's set cards and run cards.
    """
    sets = set_cards(hand)
    runs = run_cards(hand)
    if sets & runs:
        return _choose_spread_contested(hand, unseen, known)
    return sets, runs


@jit
def _choose_spread_contested(hand, unseen, known):
    choices = choice_cards(hand)
    least = least_deadwood(hand)
    best_sets = np.int64(-1)
    best_given = -1.0  # not yet worked out: with a single arrangement it is never needed
    kept = np.int64(0)
    while True:
        sets = set_cards(hand & ~kept)
        others = hand & ~sets
        runs = run_cards(others)
        if pips_of(others & ~runs) == least and sets != best_sets:
            if best_sets < 0:
                best_sets = sets
            else:
                if best_given < 0:
                    best_runs = run_cards(hand & ~best_sets)
                    best_given = expected_layoff(best_sets, best_runs, unseen, known)
                given = expected_layoff(sets, runs, unseen, known)
                if given < best_given - _SAME:
                    best_sets = sets
                    best_given = given
        kept = next_subset(kept, choices)
        if not kept:
            return best_sets, run_cards(hand & ~best_sets)


@jit
def expected_layoff(sets, runs, unseen, known):
    """Return the pips that a defender is expected to be able to lay off on a spread.

    The defender holds every ``known`` card and a uniformly random choice of the rest of its ten
    from ``unseen``.  A card can go if it is the fourth of a set, or if every card of a chain from
    a run up to it is held.

    Returns
    -------
    float64
        Expected pips.
    """
    available = unseen | known
    fourths = fourth_cards(sets) & available
    n_unseen = popcount(unseen)
    n_hidden = HAND_SIZE - popcount(known)
    total = 0.0
    cards = fourths | run_extensions(runs, available)
    while cards:
        card = lowest_bit(cards)
        cards &= cards - 1
        bit = 1 << card
        if fourths & bit:
            chance = _chance_held(bit, unseen, n_unseen, n_hidden)
        else:
            up = _chain(runs, available, bit, card % 13, 1)
            down = _chain(runs, available, bit, card % 13, -1)
            chance = 0.0
            if up:
                chance += _chance_held(up, unseen, n_unseen, n_hidden)
            if down:
                chance += _chance_held(down, unseen, n_unseen, n_hidden)
            if up and down:
                chance -= _chance_held(up | down, unseen, n_unseen, n_hidden)
        total += chance * min(card % 13 + 1, 10)
    return total


@jit
def _chain(runs, available, bit, rank, step):
    """Return the available cards from a card to the nearest run in one direction, 0 for none."""
    chain = 0
    while 0 <= rank < 13:
        if runs & bit:
            return chain
        if not available & bit:
            return 0
        chain |= bit
        rank += step
        bit = bit << 1 if step > 0 else bit >> 1
    return 0


@jit
def _chance_held(cards, unseen, n_unseen, n_hidden):
    """Return the chance that the defender holds every one of some available cards."""
    chance = 1.0
    for i in range(popcount(cards & unseen)):
        chance *= max(n_hidden - i, 0) / (n_unseen - i)
    return chance
