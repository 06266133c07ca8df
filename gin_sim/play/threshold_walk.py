"""One walk over a deal's path for every pair of knock rules at once.

Draws and discards that read nothing of the knock are the same for every knock rule, so the
path on which nobody knocks holds every knock that any rule would have made.  Each rule closes on
the first turn on which it knocks, with what that knock scores; of two rules the one that closes
first ends their hand.  Knocks, gin and big gin are asked and settled by the steps of the play loop.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from itertools import product

import numpy as np

from gin_sim.engine.deal import deal_hand
from gin_sim.engine.jit import jit, jit_inline
from gin_sim.engine.round import fail
from gin_sim.engine.table import FAULT, NO_DECISION
from gin_sim.play.loop import start_deal
from gin_sim.play.meetings import (
    N_FAULTS,
    N_HANDS,
    PricedPlan,
    Prices,
    add_leads,
    lead_by,
    lead_sums,
)
from gin_sim.play.start import FROM_NIL, GameStart, dealing_seat, stand_at
from gin_sim.play.tallies import WON_BY_NOBODY
from gin_sim.play.turn import (
    ASK_BIG_GIN,
    ASK_DISCARD,
    ASK_UPCARD,
    OVER,
    TURN_OVER,
    knock_score,
    play_turn,
    policy_answer,
)
from gin_sim.policies.contract import Policy
from gin_sim.policies.decide import has_decisions, knocks
from gin_sim.rules import WASH, Rules

# Of each rule in a seat: the turn of the path on which it knocks, what the rows then lead by, and
# one of the rules that still wait (in the first places alone).
_TURN, _LEAD, _WAITING = range(3)
# In the last row of a seat: how many wait, and the place of its first rule among the players.
_N_WAITING, _FIRST = (-1, 0), (-1, 1)
_NEVER = 1 << 40


def new_closings(n_rules: int) -> np.ndarray:
    """Return working space for so many rules in each seat, int64, shape (2, n_rules + 1, 3)."""
    return np.zeros((2, n_rules + 1, 3), np.int64)


#: Row policies that all draw and discard alike, and column policies that do.
Block = tuple[tuple[Policy, ...], tuple[Policy, ...]]


@dataclass(frozen=True)
class PathsPlan(PricedPlan):
    """Every row policy against every column policy of a block, from one walk over each deal's path.

    The rows of a block draw and discard alike, and so do its columns: they differ in when they
    knock, and no draw or discard reads that.  So the path of a deal on which nobody knocks holds
    the end of each meeting: the first turn on which one of the two would have knocked.

    Parameters
    ----------
    blocks : tuple of (rows, columns)
        Side 0 and side 1.  The caller has made sure that each draws and discards alike.
    rules : Rules
    size : int
        Hands of each meeting.
    prices : Prices
        Of each block.
    seed : int
    mirrored : bool
    start : GameStart
        The score at which every hand is played; its dealer deals them all.
    """

    blocks: tuple[Block, ...]
    rules: Rules
    size: int
    prices: Prices
    seed: int = 1
    mirrored: bool = True
    start: GameStart = FROM_NIL

    one_pass = True

    @cached_property
    def pairings(self) -> tuple[tuple[Policy, Policy], ...]:
        """Every row of a block with its every column, the column changing fastest."""
        return tuple(pairing for block in self.blocks for pairing in product(*block))

    @property
    def policies(self) -> tuple[Policy, ...]:
        """The rows and then the columns of each block in turn."""
        return tuple(policy for rows, columns in self.blocks for policy in rows + columns)

    @property
    def _n_priced(self) -> int:
        return len(self.blocks)

    @property
    def kernel(self):
        """The compiled loop that plays it."""
        return play_paths

    def _arrays(self, tally: np.ndarray) -> tuple:
        most = max(len(side) for block in self.blocks for side in block)
        return new_closings(most), lead_sums(tally)

    def _settings(self) -> tuple:
        return self._shapes, self.prices.tables, self.start.numbers()

    @cached_property
    def _shapes(self) -> np.ndarray:
        shapes, first = [], 0
        priced_by = self.prices.numbers(self._n_priced)
        for (rows, columns), priced in zip(self.blocks, priced_by, strict=True):
            between, end = first + len(rows), first + len(rows) + len(columns)
            alike = np.array_equal(self._players[first:between], self._players[between:end])
            shapes.append((len(rows), len(columns), alike and self.is_even, priced))
            first = end
        return np.array(shapes, np.int64)


@jit
def play_paths(tables, views, closings, sums, rules, players, blocks, price_tables, start, units):
    """Walk consecutive deals, and add the lead of every row of a block over its every column.

    Parameters
    ----------
    tables, views : record arrays of TABLE (1) and VIEW (2)
        Working state, see ``new_state``.
    closings : int64 array
        Working space, see :func:`new_closings`, for as many rules as a block has rows or columns.
    sums : LeadSums
        Added to.  A block's meetings follow those of the block before, its column changing
        fastest.
    rules : record of RULES
    players : record array of PLAYER
        The rows of the first block, its columns, the rows of the next, ...  All rows of a block
        draw and discard like its first, and so do its columns.
    blocks : int64 array, shape (blocks, 4)
        Rows, columns, 1 where the columns are the rows again and what one side wins the other
        loses, so that one walk serves both legs of a mirrored pair, and the number of the table
        that prices the block.
    price_tables : int64 array, shape (tables, 2, 3, points + 1)
        See :class:`gin_sim.play.meetings.Prices`.
    start : int64 array
        The score at which each hand is played, see GameStart.
    units : Units
        Deals.
    """
    table = tables[0]
    numbers, leads = sums.numbers, sums.leads
    for deal in range(units.first, units.first + units.n):
        start_deal(table, views, units.seed, deal)
        player = 0
        meeting = 0
        for block in range(len(blocks)):
            n_rows, n_columns, alike, priced_by = blocks[block]
            prices = price_tables[priced_by]
            here = leads[meeting : meeting + n_rows * n_columns]
            here[:] = 0
            for leg in range(units.n_legs):
                dealer = dealing_seat(start, deal, leg)
                again = leg == 1 and alike
                if not again:
                    stand_at(views, start, leg)
                    deal_hand(table, views, dealer, rules)
                    _wait_for_all(closings, leg, player, n_rows)
                    _wait_for_all(closings, 1 - leg, player + n_rows, n_columns)
                    _walk(table, views, closings, rules, players, prices, leg)
                sign = -1 if again else 1  # the rows' lead of leg 0 is now the columns'
                numbers[N_HANDS] += 1
                numbers[N_FAULTS] += table.ending == FAULT
                wash = prices[dealer ^ leg, WON_BY_NOBODY, 0]
                _add_ends(here, closings, n_rows, n_columns, leg, sign, wash)
            player += n_rows + n_columns
            meeting += n_rows * n_columns
        add_leads(sums, deal)


@jit_inline
def _add_ends(leads, closings, n_rows, n_columns, leg, sign, wash):
    """Add the end of each meeting: what the rule that closes first leads by, or a wash.

    The rows sit in seat 0 in leg 0 and in seat 1 in leg 1.
    """
    for row in range(n_rows):
        turn = closings[leg, row, _TURN]
        lead = closings[leg, row, _LEAD]
        for column in range(n_columns):
            other = closings[1 - leg, column, _TURN]
            end = wash
            if turn < other:
                end = sign * lead
            elif other < turn:
                end = sign * closings[1 - leg, column, _LEAD]
            leads[row * n_columns + column] += end


@jit
def _walk(table, views, closings, rules, players, prices, leg):
    """Walk a dealt hand until all rules of a seat have closed, or nobody can play on.

    The rows sit in the seat of the leg's number, and every lead is theirs.
    """
    player_0, player_1 = players[closings[0][_FIRST]], players[closings[1][_FIRST]]
    decision = np.int64(TURN_OVER)
    if not (has_decisions(player_0) and has_decisions(player_1)):
        fail(table, NO_DECISION)
        decision = OVER
    asked = (player_0, player_1, players, closings, prices, leg)
    while decision != OVER:
        seat = table.mover
        decision = play_turn(table, views[seat], views[1 - seat], rules, decision, _answer, asked)


@jit_inline
def _wait_for_all(closings, seat, first, n_rules):
    """Let a seat begin with all of its rules, given by their place among the players."""
    for rule in range(n_rules):
        closings[seat, rule, _TURN] = _NEVER
        closings[seat, rule, _WAITING] = rule
    closings[seat][_N_WAITING] = n_rules
    closings[seat][_FIRST] = first


@jit_inline
def _answer(asked, table, view, other, rules, decision):
    """Draw and discard like the first rule, close the rules that knock, and play on without them.

    See :func:`gin_sim.play.turn.play_turn`; ``asked`` are the first player of each seat, all
    players, closings, prices and leg.
    """
    if decision in (ASK_UPCARD, ASK_DISCARD):
        player = asked[1] if table.mover else asked[0]
        return policy_answer(player, table, view, other, rules, decision)
    return _close(asked, table, view, other, rules, decision)


@jit
def _close(asked, table, view, other, rules, decision):
    """Close the rules that knock; end the walk if none is left to wait."""
    _, _, players, closings, prices, leg = asked
    turn = table.n_turns + (decision == ASK_BIG_GIN)  # the turn is counted with its discard
    side = closings[table.mover]
    n_waiting = side[_N_WAITING]
    first = side[_FIRST]
    left = 0
    for place in range(n_waiting):
        rule = side[place, _WAITING]
        if knocks(players[first + rule], view):
            side[rule, _TURN] = turn
        else:
            side[place, _WAITING] = side[left, _WAITING]
            side[left, _WAITING] = rule
            left += 1
    if left < n_waiting:
        winner, points = knock_score(table, view, other, rules)
        lead = lead_by(winner, points, prices, leg, table.dealer)
        for place in range(left, n_waiting):
            side[side[place, _WAITING], _LEAD] = lead
        side[_N_WAITING] = left
        if left == 0:
            table.ending = WASH  # nobody is left to ask: the walk is over
    return int(decision == ASK_BIG_GIN and left == 0)
