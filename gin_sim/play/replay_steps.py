"""The turns of a recorded hand taken one by one: which is the first that is not legal, and why.

The steps are those that play hands; nothing is asked of a policy.
"""

from __future__ import annotations

import numpy as np

from gin_sim.engine.deal import deal_hand, stack_deck
from gin_sim.engine.jit import jit
from gin_sim.engine.round import big_gin, leave_wall, may_big_gin
from gin_sim.engine.table import CARD_NOT_HELD, FAULT, OPEN
from gin_sim.play.record import facts_of
from gin_sim.play.turn import ASK_DISCARD, ASK_KNOCK, carry_out, draw
from gin_sim.records import CARD_IDS, HandRecord, Turn
from gin_sim.rules import AT_WALL, FIRST_OFFER, MUST_DRAW

# How a turn's draw is numbered for the kernel.
_DRAWS = {"pass": 0, "upcard": 1, "stock": 2}
_PASS = _DRAWS["pass"]
_UPCARD = _DRAWS["upcard"]
_STOCK = _DRAWS["stock"]
_NO_CARD = -1
_CARD_IDS = {None: _NO_CARD, **CARD_IDS}

# Why a step is not legal.
(
    LEGAL,
    AFTER_THE_END,
    NOT_TO_MOVE,
    NO_OFFER,
    PASS_WITH_MORE,
    UPCARD_ON_OFFER,
    STOCK_AT_WALL,
    NOT_TOP_OF_STOCK,
    MUST_DRAW_STOCK,
    NOT_THE_UPCARD,
    ONLY_TO_KNOCK,
    BIG_GIN_AND_DISCARD,
    NO_BIG_GIN,
    BIG_GIN_WITH_DEADWOOD,
    NO_DISCARD,
    NOT_HELD,
    JUST_TAKEN,
    KNOCK_TOO_HIGH,
    STILL_OPEN,
) = range(19)


@jit
def take_step(table, views, rules, step):
    """Take one recorded turn if it is legal; return LEGAL or the reason why not.

    The step is a row of the array that :func:`replay_steps` takes.
    """
    player, how, card, discard = step[0], step[1], step[2], step[3]
    knocks, lays_down = step[4], step[5]
    if table.ending != OPEN:
        return AFTER_THE_END
    if player != table.mover:
        return NOT_TO_MOVE
    view = views[player]
    other = views[1 - player]
    if how == _PASS:
        if table.phase != FIRST_OFFER:
            return NO_OFFER
        if card != _NO_CARD or discard != _NO_CARD or knocks or lays_down:
            return PASS_WITH_MORE
    elif how == _STOCK:
        if table.phase == FIRST_OFFER:
            return UPCARD_ON_OFFER
        if table.phase == AT_WALL:
            return STOCK_AT_WALL
        if card != table.deck[table.next_place]:
            return NOT_TOP_OF_STOCK
    else:
        if table.phase == MUST_DRAW:
            return MUST_DRAW_STOCK
        if card != view.upcard:
            return NOT_THE_UPCARD
        if table.phase == AT_WALL and not (knocks or lays_down):
            return ONLY_TO_KNOCK
    if not draw(table, view, other, rules, how == _UPCARD):
        return LEGAL
    if lays_down:
        if discard != _NO_CARD:
            return BIG_GIN_AND_DISCARD
        if rules.big_gin_bonus < 0:
            return NO_BIG_GIN
        if not may_big_gin(view, rules):
            return BIG_GIN_WITH_DEADWOOD
        big_gin(table, view, other, rules)
        return LEGAL
    if discard == _NO_CARD:
        return NO_DISCARD
    decision = carry_out(table, view, other, rules, ASK_DISCARD, discard)
    if table.ending == FAULT:
        return NOT_HELD if table.fault == CARD_NOT_HELD else JUST_TAKEN
    if decision == ASK_KNOCK:
        carry_out(table, view, other, rules, ASK_KNOCK, knocks)
    elif knocks:
        return KNOCK_TOO_HIGH
    return LEGAL


@jit
def replay_steps(tables, views, rules, dealer, deck, steps):
    """Deal a deck and take recorded steps until one is illegal or none is left.

    Parameters
    ----------
    tables, views : record arrays
        Working state, see ``new_state``; at an illegal step it holds what led to it.
    rules : record of RULES
    dealer : int64
        Seat.
    deck : int8 array, length 52
    steps : int64 array, shape (turns, 6)
        Player, draw, card, discard, knock, big gin; -1 for no card.

    Returns
    -------
    index : int64
        Of the illegal step; the number of steps where the fault is that the hand is still open.
    reason : int64
    facts : Facts
        Of the end, with the engine's spread.
    """
    table = tables[0]
    stack_deck(table, deck)
    deal_hand(table, views, dealer, rules)
    n_steps = steps.shape[0]
    for i in range(n_steps):
        step = steps[i]
        reason = take_step(table, views, rules, step)
        if reason != LEGAL:
            return i, reason, facts_of(table, views)
    if table.ending == OPEN:
        if table.phase != AT_WALL:
            return n_steps, STILL_OPEN, facts_of(table, views)
        leave_wall(table, table.n_turns)
    return n_steps, LEGAL, facts_of(table, views)


def deck_of(record: HandRecord) -> np.ndarray:
    """Return a record's deck as the kernel takes it, int8, shape (52,)."""
    cards = [*record.deal[0], *record.deal[1], record.upcard, *record.stock]
    return np.array([CARD_IDS[card] for card in cards], dtype=np.int8)


def steps_of(turns: list[Turn]) -> np.ndarray:
    """Return a record's turns as the kernel takes them, see :func:`replay_steps`."""
    rows = [
        (
            turn.player,
            _DRAWS[turn.draw],
            _CARD_IDS[turn.card],
            _CARD_IDS[turn.discard],
            turn.knock,
            turn.big_gin,
        )
        for turn in turns
    ]
    return np.array(rows, dtype=np.int64).reshape(len(rows), 6)
