"""The pricing of rules.py, compiled: the one place where its functions become kernels.

Two kernels of one function with other options would share their place in the compile cache.
"""

from __future__ import annotations

from gin_sim import rules
from gin_sim.engine.jit import jit_inline

knock_limit_for = jit_inline(rules.knock_limit_for)
outcome_of = jit_inline(rules.outcome_of)
hand_points = jit_inline(rules.hand_points)
knocker_wins = jit_inline(rules.knocker_wins)
game_is_over = jit_inline(rules.game_is_over)
game_total = jit_inline(rules.game_total)
game_stakes = jit_inline(rules.game_stakes)
next_dealer = jit_inline(rules.next_dealer)
