"""Known acts taken once more: what a player is seen to have drawn and discarded in a hand.

They go through the walk of :mod:`gin_sim.play.turn`, and nobody is asked.  Positions taken up in
the middle of a hand, the reading of an opponent's hand, and recorded hands are replayed so.
"""

from __future__ import annotations

from gin_sim.engine.jit import jit_inline
from gin_sim.play.turn import DISCARD, KNOCK, UPCARD, carry_out


@jit_inline
def draw_again(table, view, other, rules, takes):
    """Let the mover draw as it did; return DISCARD, BIG_GIN or, for a pass, TURN_OVER.

    Parameters
    ----------
    table, view, other, rules
        As for :func:`gin_sim.play.turn.begin_turn`.
    takes : bool
        Whether it took the upcard; else it passed the first upcard, or drew from the stock.
    """
    return carry_out(table, view, other, rules, UPCARD, int(takes))


@jit_inline
def discard_again(table, view, other, rules, card):
    """Let the mover discard the card that it discarded, with no knock.

    It has not laid down big gin.  A card that it cannot discard ends the hand as a fault.
    """
    if carry_out(table, view, other, rules, DISCARD, card) == KNOCK:
        carry_out(table, view, other, rules, KNOCK, 0)
