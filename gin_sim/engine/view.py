"""What one player knows at a decision: its own cards and what both have shown, nothing else.

A view is one record of :data:`VIEW`.  The round keeps one for each seat and writes into it only
what that seat sees, so that no decision can depend on a hidden card.
"""

from __future__ import annotations

import numpy as np

from gin_sim.cards import FULL_DECK
from gin_sim.engine.deadwood import best_discards
from gin_sim.engine.jit import jit_inline
from gin_sim.rules import MAX_STALL_TURNS

MAX_OWN_TURNS = MAX_STALL_TURNS // 2 + 2
FROM_STOCK = -1
NOTHING_YET = -2  # in the ordered arrays: a place of the pile or a turn that has not come

#: One player's knowledge.  Masks and numbers are int64; cards are ids (0-51), -1 for none.
VIEW = np.dtype(
    [
        # Own cards
        ("hand", "i8"),  # mask: ten cards, eleven between the draw and the discard
        ("deadwood", "i8"),  # least pips of the ten cards last held; 0 once big gin is offered
        ("drawn", "i8"),  # the card just drawn, between the draw and the discard; else -1
        ("barred", "i8"),  # mask of the card that may not be discarded this turn, if any
        ("shown", "i8"),  # mask: taken from the pile and still held, so known to the opponent
        ("best_deadwood", "i8"),  # least pips that a discard leaves ...
        ("best_discards", "i8"),  # ... and the mask of the discards that leave it
        # The table
        ("upcard", "i8"),  # top of the pile; -1 for none
        ("upcard_deadwood", "i8"),  # see look_at_upcard
        ("upcard_discards", "i8"),
        ("pile_cards", "i8"),  # mask of the pile
        ("n_pile", "i8"),
        ("stock_left", "i8"),  # cards
        ("turn", "i8"),  # own turn number from 1; a pass of the first upcard is no turn
        ("first_offer", "i8"),  # 1 while the first upcard is offered
        ("is_dealer", "i8"),
        # The opponent
        ("opponent_known", "i8"),  # mask: taken from the pile and still held
        ("opponent_took", "i8"),  # mask: every card it took from the pile
        ("opponent_refused", "i8"),  # mask: upcards it left, by a pass or a draw
        ("opponent_discards", "i8"),  # mask: every card it discarded
        ("opponent_turn", "i8"),  # turns it has finished
        # The score: hand points so far, without boxes, and hands won so far
        ("score", "i8"),
        ("opponent_score", "i8"),
        ("boxes", "i8"),
        ("opponent_boxes", "i8"),
        # The rules of this hand
        ("knock_limit", "i8"),
        ("gin_bonus", "i8"),
        ("big_gin_bonus", "i8"),  # -1: an eleven-card meld is ordinary gin
        ("undercut_bonus", "i8"),
        ("box_bonus", "i8"),
        ("target", "i8"),  # hand points that end the game; 0: a game is one hand
        ("boxes_at_once", "i8"),  # 1: each box counts towards the target as it is won
        # The policy's own randomness: a key for rng.word
        ("noise", "u8"),
        # In order: the pile from the bottom, and both players' turns from turn 1; NOTHING_YET
        # beyond what has come
        ("pile", "i1", (52,)),
        ("own_drawn", "i1", (MAX_OWN_TURNS,)),
        ("own_discards", "i1", (MAX_OWN_TURNS,)),
        ("opponent_drew", "i1", (MAX_OWN_TURNS,)),  # the card if taken, FROM_STOCK if drawn
        ("opponent_discards_in_order", "i1", (MAX_OWN_TURNS,)),
    ],
    align=True,
)

_NOT_LOOKED = -1


@jit_inline
def forget_upcard(view):
    """Mark that the upcard has changed, so that :func:`look_at_upcard` looks again."""
    view.upcard_deadwood = _NOT_LOOKED


@jit_inline
def forget_history(view):
    """Empty the ordered arrays: what an earlier hand left there is not this hand's knowledge."""
    for place in range(52):
        view.pile[place] = NOTHING_YET
    for turn in range(MAX_OWN_TURNS):
        view.own_drawn[turn] = NOTHING_YET
        view.own_discards[turn] = NOTHING_YET
        view.opponent_drew[turn] = NOTHING_YET
        view.opponent_discards_in_order[turn] = NOTHING_YET


@jit_inline
def look_at_upcard(view):
    """Return the least deadwood that taking the upcard and then discarding would leave.

    The answer is kept in the view: the policy, and the round if the card is taken, share it.  The
    upcard itself is not discarded back, even where the rules allow it, since that changes nothing.
    """
    if view.upcard_deadwood == _NOT_LOOKED:
        upcard = 1 << view.upcard
        deadwood, discards = best_discards(view.hand | upcard, upcard)
        view.upcard_deadwood = deadwood
        view.upcard_discards = discards
    return view.upcard_deadwood


@jit_inline
def unseen_cards(view):
    """Return the mask of the cards not seen yet: the stock and the opponent's hidden ones."""
    return FULL_DECK & ~(view.hand | view.pile_cards | view.opponent_known)
