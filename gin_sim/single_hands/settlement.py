"""How knocks end, for whole arrays: the spread, the layoffs, the defender's melds, the points."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from gin_sim.cards import FULL_DECK
from gin_sim.engine.deadwood import least_deadwood
from gin_sim.engine.jit import jit, run_kernel
from gin_sim.engine.layoff import answer_knock, choose_spread, ending_shown
from gin_sim.engine.melds import pips_of
from gin_sim.engine.pricing import hand_points, outcome_of

#: Stands in for a first upcard that is not known, K♥: no upcard allows more deadwood, none of its
#: suit doubles a hand.
UNKNOWN_UPCARD = 25

_CHOOSE = -1  # no spread is given: the knocker shows the one that gives away least


class KnockFact(NamedTuple):
    """What is found of a knock; masks and pips."""

    spread_sets: int  # given, or _CHOOSE
    spread_runs: int
    knocker_deadwood: int
    laid_off: int
    defender_sets: int
    defender_runs: int
    defender_deadwood: int
    defender_deadwood_before_layoff: int
    outcome: int  # as in gin_sim.rules
    points: int  # positive to the knocker, negative to the defender


_KNOCK_FACTS = np.dtype([(name, "i8") for name in KnockFact._fields], align=True)


@jit
def settle_knocks(knockers, defenders, upcards, rules, facts):
    """Fill the facts of each knock.

    Parameters
    ----------
    knockers, defenders : int64 arrays
        Masks of ten cards; of eleven for a big gin.
    upcards : int64 array
        Card ids of the first upcards.
    rules : record of RULES
    facts : record array of _KNOCK_FACTS, as long
        Written, except for a spread that is given.
    """
    for i in range(knockers.size):
        knocker = knockers[i]
        defender = defenders[i]
        fact = facts[i]
        sets = fact.spread_sets
        runs = fact.spread_runs
        if sets == _CHOOSE:
            sets, runs = choose_spread(knocker, FULL_DECK & ~knocker, 0)
            fact.spread_sets = sets
            fact.spread_runs = runs
        deadwood = pips_of(knocker & ~(sets | runs))
        ending = ending_shown(knocker, deadwood)
        before = least_deadwood(defender)
        after, laid_off = answer_knock(defender, sets, runs, deadwood, rules)
        outcome = outcome_of(ending, deadwood, after, rules)
        fact.knocker_deadwood = deadwood
        fact.laid_off = laid_off
        fact.defender_sets, fact.defender_runs = choose_spread(defender & ~laid_off, 0, 0)
        fact.defender_deadwood = after
        fact.defender_deadwood_before_layoff = before
        fact.outcome = outcome
        fact.points = hand_points(outcome, deadwood, after, upcards[i], rules)


def knock_facts(
    knockers: np.ndarray,
    defenders: np.ndarray,
    upcards: Sequence[int | None],
    rules: np.record,
    spread: tuple[int, int] | None = None,
) -> list[KnockFact]:
    """Return the facts of knocks between hands that have been checked.

    Parameters
    ----------
    knockers, defenders : int64 arrays
        Masks.
    upcards : sequence of int or None
        Card ids; None where the first upcard is not known.
    rules : record of RULES
    spread : pair of int, optional
        The cards in sets and in runs that every knocker shows.
    """
    facts = np.zeros(knockers.size, _KNOCK_FACTS).view(np.recarray)
    facts["spread_sets"] = _CHOOSE
    if spread is not None:
        facts["spread_sets"], facts["spread_runs"] = spread
    run_kernel(settle_knocks, knockers, defenders, known_upcards(upcards), rules, facts)
    return [KnockFact(*fact) for fact in facts.tolist()]


def known_upcards(upcards: Sequence[int | None]) -> np.ndarray:
    """Return first upcards as an int64 array of card ids, UNKNOWN_UPCARD for those not known."""
    return np.array([UNKNOWN_UPCARD if card is None else card for card in upcards], dtype=np.int64)
