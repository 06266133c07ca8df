"""The rules of the two yardsticks: ``greedy``, which only counts its own pips, and ``random``.

Neither watches the opponent.
"""

from __future__ import annotations

from gin_sim.engine import rng
from gin_sim.engine.bits import highest_card, nth_card, popcount
from gin_sim.engine.deadwood import lowers_deadwood
from gin_sim.engine.jit import jit_inline, jit_paste
from gin_sim.policies.contract import (
    DECIDE_DISCARD,
    DECIDE_FIRST_OFFER,
    DECIDE_TAKE,
    noise_word,
)


@jit_inline
def greedy_takes_upcard(view):
    """Take it if that strictly lowers the best deadwood after a discard."""
    return lowers_deadwood(view.hand, view.upcard, view.deadwood)


@jit_inline
def greedy_discard(view):
    """Discard the card that leaves least deadwood: of several the highest, the first suit."""
    return highest_card(view.best_discards)


@jit_paste
def random_takes_upcard(view):
    """Toss a coin."""
    decision = DECIDE_FIRST_OFFER if view.first_offer else DECIDE_TAKE
    return rng.low_below(noise_word(view, decision, 0), 2) == 1


@jit_paste
def random_discard(view):
    """Discard any card that may be discarded."""
    allowed = view.hand & ~view.barred
    return nth_card(allowed, rng.low_below(noise_word(view, DECIDE_DISCARD, 0), popcount(allowed)))
