"""The walk over a hand: it stops at each open decision, and takes the answer.

What nobody decides, such as the draw after two passes, is done on the way.  The caller chooses who
answers: a policy, the record of a hand, or many knock rules at once.  Playing, tracing, training
and reading hands all walk by these steps, and all score a knock that is not made by
:func:`knock_score`.

A walk goes a turn at a time by :func:`take_turn`, or stops at any decision by :func:`step`::

    decision = TURN_OVER
    while decision != OVER:
        answer = ...  # not read while it is TURN_OVER
        decision = step(table, views, rules, decision, answer)
"""

from __future__ import annotations

from gin_sim.engine.apart import apart
from gin_sim.engine.jit import jit_inline, jit_paste, jit_with_function
from gin_sim.engine.pricing import price
from gin_sim.engine.round import (
    big_gin,
    discard_card,
    discard_fault,
    draw_stock,
    end_turn,
    fail,
    leave_wall,
    may_big_gin,
    may_knock,
    may_knock_at_wall,
    offer_big_gin,
    pass_upcard,
    settle,
    take_upcard,
)
from gin_sim.engine.table import NO_FAULT, OPEN, RULES, TABLE
from gin_sim.engine.view import VIEW
from gin_sim.policies.decide import chooses_discard, knocks, takes_upcard
from gin_sim.rules import AT_WALL, FIRST_OFFER, MUST_DRAW

# What is decided next, by the mover unless the hand or the turn is over.  An answer is 1 for yes,
# 0 for no, or the card to discard.
(
    OVER,  # the hand has ended
    TURN_OVER,  # the other seat is about to begin its turn, see begin_turn
    ASK_UPCARD,  # take it?
    STOCK_ONLY,  # draw from the stock: there is nothing to decide
    ASK_BIG_GIN,  # lay down all eleven cards?
    ASK_DISCARD,  # which card?
    ASK_KNOCK,
) = range(7)


@jit_inline
def policy_answer(player, table, view, other, rules, decision):
    """Return a policy's answer to a decision, in the form that :func:`take_turn` asks for.

    A policy sees its view alone; the table, the other view and the rules are not read.
    """
    if decision == ASK_UPCARD:
        return int(takes_upcard(player, view))
    if decision == ASK_DISCARD:
        return int(chooses_discard(player, view))
    return int(knocks(player, view))


@apart(TABLE, VIEW, VIEW, RULES)
def begin_turn(table, view, other, rules):
    """Begin the mover's turn; return its first decision, or OVER at a wall without a knock.

    Parameters
    ----------
    table, view, other, rules
        As for :func:`carry_out`; at the wall the mover takes the upcard if it then may knock.
    """
    return _begin(table, view, other, rules)


@jit_inline
def _begin(table, view, other, rules):
    """Begin the mover's turn, see :func:`begin_turn`."""
    if table.phase == AT_WALL:
        if not may_knock_at_wall(table, view, rules):
            leave_wall(table, table.n_turns)
            return OVER
        take_upcard(view, other, rules)
        return _with_eleven(view, rules)
    return STOCK_ONLY if table.phase == MUST_DRAW or view.upcard < 0 else ASK_UPCARD


@apart(TABLE, VIEW, VIEW, RULES, int)
def draw(table, view, other, rules, takes):
    """Let the mover take the upcard, or else draw or pass; return 1 if it then holds eleven cards.

    ``takes`` is 1 or 0.
    """
    return int(_draw(table, view, other, rules, takes))


@jit_paste
def _draw(table, view, other, rules, takes):
    if takes:
        take_upcard(view, other, rules)
    elif table.phase == FIRST_OFFER:
        pass_upcard(table, view, other)
        return False
    else:
        draw_stock(table, view, other)
    return True


@jit_paste
def _with_eleven(view, rules):
    """Return the decision of a mover that has just drawn."""
    if may_big_gin(view, rules):
        offer_big_gin(view)
        return ASK_BIG_GIN
    return ASK_DISCARD


@jit_inline
def _take_or_draw(table, view, other, rules, takes):
    """Let the mover take the upcard, or else draw or pass; return the next decision."""
    return _with_eleven(view, rules) if _draw(table, view, other, rules, takes) else TURN_OVER


@jit_paste
def _lay_down(table, view, other, rules, lays_down):
    """Let the mover lay down eleven cards, or not; return the next decision."""
    if not lays_down:
        return ASK_DISCARD
    big_gin(table, view, other, rules)
    return OVER


@jit_inline
def _discard(table, view, other, rules, card):
    """Let the mover discard a card; return the next decision."""
    fault = discard_fault(view, card)
    if fault != NO_FAULT:
        fail(table, fault)
        return OVER
    discard_card(table, view, other, card)
    return ASK_KNOCK if may_knock(table, view) else _finish(table, view, other, rules)


@jit_paste
def _knock_or_not(table, view, other, rules, knocks_now):
    """Let the mover knock, or not; return the next decision."""
    if not knocks_now:
        return _finish(table, view, other, rules)
    settle(table, view, other, rules)
    return OVER


@jit_inline
def _finish(table, view, other, rules):
    """End a turn without a knock; return the next decision."""
    if table.phase == AT_WALL:
        leave_wall(table, table.n_turns - 1)  # the turn was a try, and does not count
        return OVER
    end_turn(table, view, other, rules)
    return TURN_OVER if table.ending == OPEN else OVER


@apart(TABLE, VIEW, VIEW, RULES, int, int)
def carry_out(table, view, other, rules, decision, answer):
    """Carry out the mover's answer; return its next decision, or TURN_OVER or OVER.

    Parameters
    ----------
    table, view, other : record of TABLE, records of VIEW of the mover and of the other seat
        Of an open hand; changed in place.  The table holds the facts once the hand has ended.
    rules : record of RULES
    decision : int64
        The open one.
    answer : int64
        An illegal card ends the hand as a fault.
    """
    if decision == ASK_BIG_GIN:
        return _lay_down(table, view, other, rules, answer)
    if decision == ASK_DISCARD:
        return _discard(table, view, other, rules, answer)
    if decision == ASK_KNOCK:
        return _knock_or_not(table, view, other, rules, answer)
    return _take_or_draw(table, view, other, rules, answer)


@jit_paste
def step(table, views, rules, decision, answer):
    """Carry out the answer to a decision, or begin a turn; return the next decision."""
    view = views[table.mover]
    other = views[1 - table.mover]
    if decision == TURN_OVER:
        decision, answer = begin_turn(table, view, other, rules), 0
        if decision != STOCK_ONLY:
            return decision
    return carry_out(table, view, other, rules, decision, answer)


@apart(TABLE, VIEW, VIEW, RULES, int)
def discard_without_knock(table, view, other, rules, card):
    """Let the mover discard a card as it is known to have done; return the next decision.

    It did not knock after it.  A card that it cannot discard ends the hand as a fault.
    """
    decision = _discard(table, view, other, rules, card)
    return _finish(table, view, other, rules) if decision == ASK_KNOCK else decision


@jit_with_function
def take_turn(table, view, other, rules, decision, answer_to, asked):
    """Let the mover finish its turn; return TURN_OVER (after a pass of the upcard too) or OVER.

    Parameters
    ----------
    table, view, other, rules
        As for :func:`carry_out`.
    decision : int64
        The open one; TURN_OVER for a turn that is about to begin.  Not the constant itself, for
        which Numba would compile the walk once more.
    answer_to : jitted function
        Gives the answer by ``asked``, table, view, other, rules and decision.
    asked
        The first argument of ``answer_to``.  A tuple that holds arrays is made once for many
        turns: to count the references to them costs as much as a draw.
    """
    if decision == TURN_OVER:
        decision = begin_turn(table, view, other, rules)
    if decision == STOCK_ONLY:
        decision = carry_out(table, view, other, rules, decision, 0)
    while decision not in (TURN_OVER, OVER):
        answer = answer_to(asked, table, view, other, rules, decision)
        decision = carry_out(table, view, other, rules, decision, answer)
    return decision


@jit_with_function
def play_turn(table, view, other, rules, decision, answer_to, asked):
    """Let the mover finish its turn, as :func:`take_turn` does, for the loops that are hot.

    In this order the compiler knows which decision can follow which: greedy players play 1.5 times
    as fast, but the walk takes three times as long to compile.
    """
    if decision == TURN_OVER:
        decision = _begin(table, view, other, rules)
    if decision in (ASK_UPCARD, STOCK_ONLY):
        takes = decision == ASK_UPCARD and answer_to(asked, table, view, other, rules, decision)
        decision = _take_or_draw(table, view, other, rules, int(takes))
    if decision == ASK_BIG_GIN:
        lays_down = answer_to(asked, table, view, other, rules, decision)
        decision = _lay_down(table, view, other, rules, lays_down)
    if decision == ASK_DISCARD:
        card = answer_to(asked, table, view, other, rules, decision)
        decision = _discard(table, view, other, rules, card)
    if decision == ASK_KNOCK:
        knocks_now = answer_to(asked, table, view, other, rules, decision)
        decision = _knock_or_not(table, view, other, rules, knocks_now)
    return decision


@jit_inline
def knock_score(table, view, other, rules):
    """Return who would win by the knock or big gin that the mover may declare, and its points.

    The hand stays open.  The table holds the spread that would be shown, and the deadwoods and the
    layoffs that it would leave.

    Parameters
    ----------
    table, view, other, rules
        As for :func:`carry_out`.

    Returns
    -------
    winner : int64
        Seat, or NOBODY.
    points : int64
    """
    settle(table, view, other, rules)
    _, winner, points = price(table, rules)
    table.ending = OPEN
    table.knocker = -1
    return winner, points
