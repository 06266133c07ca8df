"""The two yardsticks: ``greedy``, which only counts its own pips, and ``random``.

Neither watches the opponent.
"""

from __future__ import annotations

from gin_sim.engine import rng
from gin_sim.engine.bits import highest_card, nth_card, popcount
from gin_sim.engine.deadwood import lowers_deadwood
from gin_sim.engine.jit import jit, jit_inline
from gin_sim.policies.contract import (
    DECIDE_BIG_GIN,
    DECIDE_DISCARD,
    DECIDE_FIRST_OFFER,
    DECIDE_KNOCK,
    DECIDE_TAKE,
    Parameter,
    PolicyKind,
    noise_word,
)

GREEDY = PolicyKind(
    name="greedy",
    number=0,
    summary="counts only its own deadwood and knocks at a limit",
    origin="the usual baseline of gin rummy engines",
    parameters=(
        Parameter("knock", "greatest deadwood to knock with; 0 plays for gin", "pips", 10, 0, 98),
    ),
)
RANDOM = PolicyKind(
    name="random",
    number=1,
    summary="chooses uniformly among the legal answers at each decision",
    origin="the usual floor of card game research",
)


@jit_inline
def greedy_takes_upcard(view, p):
    """Take it iff that strictly lowers the best deadwood after a discard."""
    return lowers_deadwood(view.hand, view.upcard, view.deadwood)


@jit_inline
def greedy_discard(view, p):
    """Throw the card that leaves least deadwood; the highest rank, then the first suit, on ties."""
    return highest_card(view.best_discards)


@jit_inline
def greedy_knocks(view, p):
    """Knock at the limit or below; lay down big gin."""
    return view.deadwood <= p[0]


@jit
def random_takes_upcard(view, p):
    """Toss a coin."""
    decision = DECIDE_FIRST_OFFER if view.first_offer else DECIDE_TAKE
    return rng.low_below(noise_word(view, decision, 0), 2) == 1


@jit
def random_discard(view, p):
    """Throw any card that may be thrown."""
    allowed = view.hand & ~view.barred
    return nth_card(allowed, rng.low_below(noise_word(view, DECIDE_DISCARD, 0), popcount(allowed)))


@jit
def random_knocks(view, p):
    """Toss a coin."""
    decision = DECIDE_BIG_GIN if popcount(view.hand) > 10 else DECIDE_KNOCK
    return rng.low_below(noise_word(view, decision, 0), 2) == 1
