"""Knocks that were allowed and not made: what each would have scored, and what its mover saw.

A traced side draws and discards by its policy and lays down gin and big gin, but never knocks; the
other side does the same, or stops a path by its own knock.  A trace therefore holds what any rule
of the knock, decided afterwards, would have met.  What a knock scores is settled by the steps of
every walk, spread and joint layoffs exact.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np

from gin_sim.engine.apart import apart
from gin_sim.engine.bits import popcount
from gin_sim.engine.deadwood import improving_cards
from gin_sim.engine.deal import deal_hand
from gin_sim.engine.jit import jit, jit_inline, run_kernel
from gin_sim.engine.layoff import expected_layoff
from gin_sim.engine.pricing import price
from gin_sim.engine.table import FAULT, RULES, TABLE, new_state, rule_record
from gin_sim.engine.view import MAX_OWN_TURNS, VIEW, unseen_cards
from gin_sim.play.loop import start_deal
from gin_sim.play.start import FROM_NIL, GameStart, Units, dealing_seat, stand_at
from gin_sim.play.turn import (
    ASK_BIG_GIN,
    ASK_DISCARD,
    ASK_UPCARD,
    OVER,
    TURN_OVER,
    knock_score,
    policy_answer,
    take_turn,
)
from gin_sim.policies.contract import PLAYER, Policy
from gin_sim.policies.decide import has_decisions, knocks, players_of
from gin_sim.rules import Rules

#: A knock that was allowed and not made, with what the mover saw.  In order of the paths and, on
#: each, of the turns.
TRACED_KNOCK = np.dtype(
    [
        ("path", "i4"),
        ("turn", "u1"),  # own, from 1
        ("side", "u1"),
        ("deadwood", "u1"),  # pips, from 1
        ("outs", "u1"),  # unseen cards that would give gin
        ("lower", "u1"),  # unseen cards that would leave a lower deadwood, gin too
        ("loose", "u1"),  # cards in no meld of the hand
        ("takes", "u1"),  # cards that the opponent took from the pile
        ("stock_left", "u1"),
        ("defender", "u1"),  # the opponent's deadwood, before layoffs: not seen by the mover
        ("knocks", "u1"),  # 1 where the mover's own rule would have knocked
        ("won", "i1"),  # the knock's hand: 1 won by the mover, -1 lost, 0 neither
        ("points", "i2"),  # that the knock scores, to the mover
        ("layoff", "f4"),  # pips that can be laid off on the spread, expected for random hands
    ]
)

#: How a path ended, to side 0; by gin, a wash, or a knock of a side that stops.
END = np.dtype([("points", "i2"), ("won", "i1")])

#: Own turns and deadwoods that are counted, the last for more.
SEEN_TURNS, SEEN_DEADWOOD = 32, 100
# Room for as many as there can be turns; pages that are not written cost nothing.
_MOST_KNOCKS = 2 * MAX_OWN_TURNS


@dataclass(frozen=True)
class TracePlan:
    """Deals whose paths are traced.

    Parameters
    ----------
    policies : pair of Policy
        Side 0 sits in seat 0 and deals the even deals, if the start does not say who deals.
    rules : Rules
    deals : int
    seed : int
    stops : bool
        Whether side 1 knocks by its own rule, which ends the path.
    start : GameStart
        The score at which each hand is played, by default 0-0; its dealer deals them all.
    """

    policies: tuple[Policy, Policy]
    rules: Rules
    deals: int
    seed: int = 1
    stops: bool = True
    start: GameStart = FROM_NIL

    def __post_init__(self) -> None:
        self.start.check(self.rules)

    @cached_property
    def _players(self) -> np.ndarray:
        return players_of(self.policies)

    def trace(self, first: int, n_deals: int) -> tuple[np.ndarray, np.ndarray, np.ndarray, int]:
        """Trace consecutive deals.

        Returns
        -------
        knocks : record array of TRACED_KNOCK
        ends : record array of END, one for each deal
        seen : int64 array, shape (2, SEEN_TURNS, SEEN_DEADWOOD)
            By side: how often a turn ended with a deadwood, and neither a knock nor the end of the
            stock ended the path with it.
        faults : int
            Paths that ended because a policy asked for an illegal step.
        """
        room = np.zeros(n_deals * _MOST_KNOCKS, TRACED_KNOCK).view(np.recarray)
        ends = np.zeros(n_deals, END).view(np.recarray)
        seen = np.zeros((2, SEEN_TURNS, SEEN_DEADWOOD), np.int64)
        n_knocks, faults = run_kernel(
            trace_paths,
            *new_state(),
            room,
            ends,
            seen,
            rule_record(self.rules),
            self._players.copy(),
            self.stops,
            self.start.numbers(),
            Units(self.seed, first, n_deals),
        )
        return room[:n_knocks].copy(), ends, seen, faults


@jit
def trace_paths(tables, views, room, ends, seen, rules, players, stops, start, units):
    """Trace consecutive deals; return how many knocks were noted, and how many paths failed.

    Parameters
    ----------
    tables, views : record arrays of TABLE (1) and VIEW (2)
        Working state, see ``new_state``.
    room, ends : record arrays of TRACED_KNOCK and END
        Filled.
    seen : int64 array
        Added to.
    rules : record of RULES
    players : record array of PLAYER, length 2
    stops : bool
        Whether player 1 knocks by its own rule.
    start : int64 array
        See GameStart.
    units : Units
        Deals, a path for each.
    """
    table = tables[0]
    n_noted = np.zeros(1, np.int64)
    if not (has_decisions(players[0]) and has_decisions(players[1])):
        return 0, units.n
    asked = (players[0], players[1], stops, room, n_noted)
    faults = 0
    stand_at(views, start, 0)
    for deal in range(units.first, units.first + units.n):
        start_deal(table, views, units.seed, deal)
        deal_hand(table, views, dealing_seat(start, deal, 0), rules)
        n_before = n_noted[0]
        decision = np.int64(TURN_OVER)
        while decision != OVER:
            side = table.mover
            view = views[side]
            turn = view.turn
            decision = take_turn(table, view, views[1 - side], rules, decision, _answer, asked)
            if decision == TURN_OVER and view.turn > turn:  # no pass
                seen[side, min(turn, SEEN_TURNS) - 1, min(view.deadwood, SEEN_DEADWOOD - 1)] += 1
        for row in range(n_before, n_noted[0]):
            room[row].path = deal
        if table.ending == FAULT:
            faults += 1
            continue
        end = ends[deal - units.first]
        _, winner, points = price(table, rules)
        end.points = points if winner == 0 else -points if winner == 1 else 0
        end.won = 1 if winner == 0 else -1 if winner == 1 else 0
    return n_noted[0], faults


@jit_inline
def _answer(asked, table, view, other, rules, decision):
    """Answer as the policy does, but knock with gin only and note each knock that was allowed.

    See :func:`gin_sim.play.turn.take_turn`; ``asked`` are both players, whether player 1 knocks by
    its own rule after all, the rows to note in, and how many are filled.
    """
    side = table.mover
    player = asked[1] if side else asked[0]
    if decision in (ASK_UPCARD, ASK_DISCARD) or (asked[2] and side == 1):
        return policy_answer(player, table, view, other, rules, decision)
    if decision == ASK_BIG_GIN or view.deadwood == 0:
        return 1
    _, _, _, room, n_noted = asked
    _note(table, view, other, room[n_noted[0]], rules, player)
    n_noted[0] += 1
    return 0


@apart(TABLE, VIEW, VIEW, TRACED_KNOCK, RULES, PLAYER)
def _note(table, view, other, row, rules, player):
    """Note what a knock would score and what the mover sees; return 0."""
    side = table.mover
    row.knocks = knocks(player, view)
    winner, points = knock_score(table, view, other, rules)
    unseen = unseen_cards(view)
    gin, lower = improving_cards(view.hand, unseen, view.deadwood)
    row.turn = view.turn
    row.side = side
    row.deadwood = view.deadwood
    row.outs = popcount(gin)
    row.lower = popcount(lower)
    row.loose = popcount(view.hand & ~(table.spread_sets | table.spread_runs))
    row.takes = popcount(view.opponent_took)
    row.stock_left = view.stock_left
    row.defender = other.deadwood
    row.won = 0 if winner < 0 else 1 if winner == side else -1
    row.points = points if winner == side else -points
    row.layoff = expected_layoff(table.spread_sets, table.spread_runs, unseen, view.opponent_known)
    return 0
