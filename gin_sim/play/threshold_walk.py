"""One walk over a deal's path for every pair of knock rules at once.

A draw or a discard that reads nothing of the knock goes on alike whoever would have knocked, so the
path on which nobody knocks holds every knock that any rule would have made.  Each rule closes on
the first turn on which it knocks, with what that knock scores; of two rules the one that closes
first ends their hand.  Knocks, gin and big gin are asked and settled by the steps of the play loop.
"""

from __future__ import annotations

import numpy as np

from gin_sim.engine.jit import jit, jit_inline
from gin_sim.engine.round import (
    FAULT,
    NO_DECISION,
    OPEN,
    big_gin,
    deal_hand,
    fail,
    knock,
    may_big_gin,
    may_knock,
    offer_big_gin,
)
from gin_sim.play.loop import discard_card, draw_card, finish_turn, start_deal
from gin_sim.play.matchups import FAULTS, HANDS, add_leads, lead_of
from gin_sim.play.start import dealing_seat, stand_at
from gin_sim.play.tallies import WON_BY_NOBODY
from gin_sim.policies.decide import chooses_discard, has_decisions, knocks

# Of each rule in a seat: the step of the path on which it closes, the lead of the rows that it
# closes with, and one of the rules that have not closed (the first places alone are used).
_STEP, _LEAD, _OPEN = range(3)
_NEVER = 1 << 40


def new_closings(n_rules: int) -> np.ndarray:
    """Return working space for so many rules in each seat, int64, shape (2, n_rules, 3)."""
    return np.zeros((2, n_rules, 3), np.int64)


@jit
def play_paths(
    tables, views, closings, leads, numbers, counts, sums, squares, rules, players, blocks, worths,
    start, seed, first, n, n_legs,
):  # fmt: skip
    """Walk consecutive deals, and add the lead of every row of a block over its every column.

    Parameters
    ----------
    tables, views : record arrays of TABLE (1) and VIEW (2)
        Working state, see ``new_state``.
    closings : int64 array
        Working space, see :func:`new_closings`, for as many rules as a block has rows or columns.
    leads : int64 array, shape (meetings,)
        Working space.
    numbers, counts, sums, squares : int64 arrays
        Added to; see ``meetings.arrays_of``.  A block's meetings follow those of the block before,
        its column changing fastest.
    rules : RuleNumbers
    players : record array of PLAYER
        The rows of the first block, its columns, the rows of the next, ...  All rows of a block
        draw and discard like its first, and so do its columns.
    blocks : int64 array, shape (blocks, 4)
        Rows, columns, 1 where the columns are the rows again and what one side wins the other
        loses, so that one walk serves both legs of a mirrored pair, and the number of the table
        that prices the block.
    worths : int64 array, shape (tables, 2, 3, points + 1)
        See :class:`gin_sim.play.meetings.Prices`.
    start : int64 array
        The score at which each hand is played, see GameStart.
    seed, first, n : int64
    n_legs : int64
        2 for mirrored pairs, 1 for plain hands.
    """
    table = tables[0]
    for deal in range(first, first + n):
        start_deal(table, views, seed, deal)
        player = 0
        meeting = 0
        for block in range(len(blocks)):
            n_rows, n_columns, alike, priced_by = blocks[block]
            prices = worths[priced_by]
            rows = players[player : player + n_rows]
            columns = players[player + n_rows : player + n_rows + n_columns]
            here = leads[meeting : meeting + n_rows * n_columns]
            here[:] = 0
            for leg in range(n_legs):
                dealer = dealing_seat(start, deal, leg)
                sign = 1
                if leg == 0:
                    stand_at(views, start, leg)
                    deal_hand(table, views, dealer, rules)
                    _walk(table, views, closings, rules, rows, columns, prices, leg)
                elif alike:
                    sign = -1  # what the rows led by in leg 0 is now the columns' lead
                else:
                    stand_at(views, start, leg)
                    deal_hand(table, views, dealer, rules)
                    _walk(table, views, closings, rules, columns, rows, prices, leg)
                numbers[HANDS] += 1
                numbers[FAULTS] += table.ending == FAULT
                wash = prices[dealer ^ leg, WON_BY_NOBODY, 0]
                _add_ends(here, closings, n_rows, n_columns, leg, sign, wash)
            player += n_rows + n_columns
            meeting += n_rows * n_columns
        add_leads(leads, deal, numbers, counts, sums, squares)


@jit_inline
def _add_ends(leads, closings, n_rows, n_columns, leg, sign, wash):
    """Add the end of each meeting: what the rule that closes first leads by, or a wash.

    The rows sit in seat 0 in leg 0 and in seat 1 in leg 1.
    """
    for row in range(n_rows):
        step = closings[leg, row, _STEP]
        lead = closings[leg, row, _LEAD]
        for column in range(n_columns):
            other = closings[1 - leg, column, _STEP]
            end = wash
            if step < other:
                end = sign * lead
            elif other < step:
                end = sign * closings[1 - leg, column, _LEAD]
            leads[row * n_columns + column] += end


@jit
def _walk(table, views, closings, rules, players_0, players_1, prices, leg):
    """Walk a dealt hand until all rules of a seat have closed, or nobody can go on.

    The rows sit in the seat of the leg's number, and every lead is theirs.
    """
    if not (has_decisions(players_0[0]) and has_decisions(players_1[0])):
        fail(table, NO_DECISION)
    n_open_0 = _open_all(closings[0], len(players_0))
    n_open_1 = _open_all(closings[1], len(players_1))
    step = 0
    while table.ending == OPEN and n_open_0 > 0 and n_open_1 > 0:
        step += 1
        if table.mover == 0:
            n_open_0 = _turn(
                table,
                views[0],
                views[1],
                closings[0],
                n_open_0,
                rules,
                players_0,
                prices,
                leg,
                step,
            )
        else:
            n_open_1 = _turn(
                table,
                views[1],
                views[0],
                closings[1],
                n_open_1,
                rules,
                players_1,
                prices,
                leg,
                step,
            )


@jit_inline
def _open_all(closings, n_rules):
    for rule in range(n_rules):
        closings[rule, _STEP] = _NEVER
        closings[rule, _OPEN] = rule
    return n_rules


@jit
def _turn(table, view, other, closings, n_open, rules, players, prices, leg, step):
    """Let the mover have a turn without a knock; return how many of its rules are open still."""
    player = players[0]
    n_turns = table.n_turns
    if not draw_card(table, view, other, rules, player):
        return n_open
    if may_big_gin(view, rules):
        offer_big_gin(view)
        left = _ask(view, closings, n_open, players, step)
        if left < n_open:
            big_gin(table, view, other, rules)
            _price_closed(table, closings, left, n_open, rules, prices, leg)
            table.n_turns = n_turns
            n_open = left
            if n_open == 0:
                return 0
    if not discard_card(table, view, other, chooses_discard(player, view)):
        return n_open
    if may_knock(table, view):
        left = _ask(view, closings, n_open, players, step)
        if left < n_open:
            knock(table, view, other, rules)
            _price_closed(table, closings, left, n_open, rules, prices, leg)
            n_open = left
    finish_turn(table, view, other, rules, n_turns)
    return n_open


@jit_inline
def _ask(view, closings, n_open, players, step):
    """Close the open rules that knock; those that do not keep the first places."""
    left = 0
    for place in range(n_open):
        rule = closings[place, _OPEN]
        if knocks(players[rule], view):
            closings[rule, _STEP] = step
        else:
            closings[place, _OPEN] = closings[left, _OPEN]
            closings[left, _OPEN] = rule
            left += 1
    return left


@jit_inline
def _price_closed(table, closings, left, n_open, rules, prices, leg):
    """Note what the knock on the table by the rules just closed is worth, and take it back."""
    lead = lead_of(table, rules, prices, leg, table.dealer)
    for place in range(left, n_open):
        closings[closings[place, _OPEN], _LEAD] = lead
    table.ending = OPEN
