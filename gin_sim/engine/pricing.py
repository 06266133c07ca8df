"""The pricing of rules/pricing.py, compiled: the one place where its functions become kernels.

Two kernels of one function with other options would share their place in the compile cache.
"""

from __future__ import annotations

from gin_sim.engine.jit import jit_inline
from gin_sim.rules import NOBODY, pricing

knock_limit_for = jit_inline(pricing.knock_limit_for)
outcome_of = jit_inline(pricing.outcome_of)
hand_points = jit_inline(pricing.hand_points)
knocker_wins = jit_inline(pricing.knocker_wins)
game_is_over = jit_inline(pricing.game_is_over)
game_total = jit_inline(pricing.game_total)
game_stakes = jit_inline(pricing.game_stakes)
next_dealer = jit_inline(pricing.next_dealer)


@jit_inline
def price(table, rules):
    """Return a finished hand's outcome, the seat that won it (or NOBODY) and what it scored.

    Parameters
    ----------
    table : record of TABLE
        Of a hand that ended without a fault.
    rules : record of RULES
    """
    ours, theirs = table.knocker_deadwood, table.defender_deadwood
    outcome = outcome_of(table.ending, ours, theirs, rules)
    won = knocker_wins(outcome, ours, theirs)
    if won == 0:
        return outcome, NOBODY, 0
    points = abs(hand_points(outcome, ours, theirs, table.first_upcard, rules))
    return outcome, table.knocker if won > 0 else 1 - table.knocker, points
