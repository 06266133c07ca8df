"""Policies re-created from the literature, each with its source and what is assumed.

``simple`` is SimpleGinRummyPlayer, the baseline of the 2021 EAAI undergraduate research challenge
(tneller/gin-rummy-eaai).  From its source: the upcard is taken iff it forms any meld with cards of
the hand, not only one of a best arrangement; the discard is a random one of the cards that leave
least deadwood, never the card just taken and never repeating, within the hand, a pair of drawn and
thrown card, in whichever order (the source compares the two as a set); it knocks as soon as it may.
Assumed: optimal layoffs (the challenge's framework lays off first-fit after the defender has fixed
its own melds).
"""

from __future__ import annotations

import numpy as np

from gin_sim.engine import rng
from gin_sim.engine.bits import nth_card, popcount
from gin_sim.engine.deadwood import best_discards
from gin_sim.engine.jit import jit, jit_inline
from gin_sim.engine.melds import forms_meld
from gin_sim.policies.contract import DECIDE_DISCARD, PolicyKind, noise_word

SIMPLE = PolicyKind(
    name="simple",
    number=2,
    summary="the 2021 research challenge's baseline: takes only for a meld, knocks at once",
    origin="SimpleGinRummyPlayer, tneller/gin-rummy-eaai",
)


@jit_inline
def simple_takes_upcard(view, p):
    """Take it iff it forms any meld with cards of the hand."""
    return forms_meld(view.hand, view.upcard)


@jit
def simple_discard(view, p):
    """Throw a random one of the least-deadwood discards that repeats no drawn-thrown pair."""
    repeated = 0
    for turn in range(1, view.turn):
        if view.own_drawn[turn] == view.drawn:
            repeated |= 1 << np.int64(view.own_threw[turn])
        elif view.own_threw[turn] == view.drawn:
            repeated |= 1 << np.int64(view.own_drawn[turn])
    discards = view.best_discards
    if repeated & view.hand:
        barred = repeated | view.barred
        if view.hand & ~barred:
            _, discards = best_discards(view.hand, barred)
    word = noise_word(view, DECIDE_DISCARD, 0)
    return nth_card(discards, rng.low_below(word, popcount(discards)))


@jit_inline
def simple_knocks(view, p):
    """Knock whenever it is allowed."""
    return True
