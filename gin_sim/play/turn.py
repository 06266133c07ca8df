"""The walk over a hand: it stops at each open decision, and takes the answer.

What nobody decides, such as the draw after two passes, is done on the way.  Whoever answers is the
caller's choice: a policy, the record of a hand, or many knock rules at once.  Playing, tracing,
training and reading hands all walk by these steps, and all score a knock that is not made by
:func:`knock_score`.

A walk goes a turn at a time by :func:`play_turn`, or stops at any decision by :func:`step`::

    decision = TURN_OVER
    while decision != OVER:
        answer = ...  # 0 while it is TURN_OVER
        decision = step(table, views, rules, decision, answer)
"""

from __future__ import annotations

from gin_sim.engine.jit import jit_inline
from gin_sim.engine.round import (
    big_gin,
    discard_card,
    discard_fault,
    draw_stock,
    end_turn,
    fail,
    knock,
    leave_wall,
    may_big_gin,
    may_knock,
    may_knock_at_wall,
    offer_big_gin,
    pass_upcard,
    take_upcard,
)
from gin_sim.engine.table import NO_FAULT, OPEN
from gin_sim.play.tallies import price
from gin_sim.policies.decide import chooses_discard, knocks, takes_upcard
from gin_sim.rules import AT_WALL, FIRST_OFFER, MUST_DRAW

# What is to be decided, by the mover unless the hand or the turn is over.  An answer is 1 for yes,
# 0 for no, or the card to discard.
(
    OVER,  # the hand has ended
    TURN_OVER,  # the other seat is about to begin its turn, see begin_turn
    UPCARD,  # take it?
    STOCK,  # draw from the stock: there is nothing to decide
    BIG_GIN,  # lay down all eleven cards?
    DISCARD,  # which card?
    KNOCK,
) = range(7)


@jit_inline
def policy_answer(player, table, view, other, rules, decision):
    """Return a policy's answer to a decision; see :func:`play_turn` for the parameters."""
    if decision == UPCARD:
        return int(takes_upcard(player, view))
    if decision == DISCARD:
        return int(chooses_discard(player, view))
    return int(knocks(player, view))


@jit_inline
def begin_turn(table, view, other, rules):
    """Begin the mover's turn; return its first decision, or OVER at a wall without a knock.

    Parameters
    ----------
    table, view, other, rules
        As for :func:`carry_out`; at the wall the mover takes the upcard if it then may knock.
    """
    if table.phase == AT_WALL:
        if not may_knock_at_wall(table, view, rules):
            leave_wall(table, table.n_turns)
            return OVER
        take_upcard(view, other, rules)
        return _with_eleven(view, rules)
    return STOCK if table.phase == MUST_DRAW or view.upcard < 0 else UPCARD


@jit_inline
def _with_eleven(view, rules):
    """Return the decision of a mover that has just drawn."""
    if may_big_gin(view, rules):
        offer_big_gin(view)
        return BIG_GIN
    return DISCARD


@jit_inline
def carry_out(table, view, other, rules, decision, answer):
    """Carry out the mover's answer; return its next decision, or TURN_OVER or OVER.

    Parameters
    ----------
    table, view, other : record of TABLE, records of VIEW of the mover and of the other seat
        Of an open hand; changed in place.  The table holds the facts once the hand has ended.
    rules : RuleNumbers
    decision : int64
        The open one.
    answer : int64
        An illegal card ends the hand as a fault.
    """
    if decision in (UPCARD, STOCK):
        if answer:
            take_upcard(view, other, rules)
        elif table.phase == FIRST_OFFER:
            pass_upcard(table, view, other)
            return TURN_OVER
        else:
            draw_stock(table, view, other)
        return _with_eleven(view, rules)
    if decision == BIG_GIN:
        if not answer:
            return DISCARD
        big_gin(table, view, other, rules)
        return OVER
    if decision == DISCARD:
        fault = discard_fault(view, answer)
        if fault != NO_FAULT:
            fail(table, fault)
            return OVER
        discard_card(table, view, other, answer)
        if may_knock(table, view):
            return KNOCK
    elif answer:
        knock(table, view, other, rules)
        return OVER
    if table.phase == AT_WALL:
        leave_wall(table, table.n_turns - 1)  # the turn was a try, and does not count
        return OVER
    end_turn(table, view, other, rules)
    return TURN_OVER if table.ending == OPEN else OVER


@jit_inline
def step(table, views, rules, decision, answer):
    """Carry out the answer to a decision, or begin a turn; return the next decision."""
    view = views[table.mover]
    other = views[1 - table.mover]
    if decision == TURN_OVER:
        decision = begin_turn(table, view, other, rules)
        if decision != STOCK:
            return decision
    return carry_out(table, view, other, rules, decision, answer)


@jit_inline
def play_turn(table, view, other, rules, decision, answer_to, who):
    """Let the mover finish its turn; return TURN_OVER (after a pass of the upcard too) or OVER.

    It is the same walk as by :func:`step`.  In this order the compiler knows which decision can
    follow which, and greedy players play half as fast again.

    Parameters
    ----------
    table, view, other, rules
        As for :func:`carry_out`.
    decision : int64
        The open one; TURN_OVER for a turn that is about to begin.
    answer_to : jitted function
        Gives the answer by ``who``, table, view, other, rules and decision.
    who
        The first argument of ``answer_to``.  A tuple of arrays is made once for many turns:
        counting who holds them costs as much as a draw.
    """
    if decision == TURN_OVER:
        decision = begin_turn(table, view, other, rules)
    if decision in (UPCARD, STOCK):
        if decision == UPCARD and answer_to(who, table, view, other, rules, UPCARD):
            decision = carry_out(table, view, other, rules, UPCARD, 1)
        else:
            decision = carry_out(table, view, other, rules, UPCARD, 0)
    if decision == BIG_GIN:
        answer = answer_to(who, table, view, other, rules, BIG_GIN)
        decision = carry_out(table, view, other, rules, BIG_GIN, answer)
    if decision == DISCARD:
        answer = answer_to(who, table, view, other, rules, DISCARD)
        decision = carry_out(table, view, other, rules, DISCARD, answer)
    if decision == KNOCK:
        answer = answer_to(who, table, view, other, rules, KNOCK)
        decision = carry_out(table, view, other, rules, KNOCK, answer)
    return decision


@jit_inline
def knock_score(table, view, other, rules, decision):
    """Return who would win by the knock or big gin that the mover may declare, and its points.

    The hand stays open.  The table holds the spread that would be shown, and other facts of an end
    that mean nothing unless the hand does end by a knock.

    Parameters
    ----------
    table, view, other, rules
        As for :func:`carry_out`.
    decision : int64
        KNOCK or BIG_GIN, the open one.

    Returns
    -------
    winner : int64
        Seat, or NOBODY.
    points : int64
    """
    n_turns = table.n_turns
    if decision == BIG_GIN:
        big_gin(table, view, other, rules)
    else:
        knock(table, view, other, rules)
    _, winner, points = price(table, rules)
    table.ending = OPEN
    table.n_turns = n_turns
    return winner, points
