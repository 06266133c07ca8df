"""The play loop: policies answer each decision of a hand, and whole chunks of deals are tallied.

Hands are played by this loop alone, whether they are tallied, recorded, part of a game or tried
both ways.
"""

from __future__ import annotations

from gin_sim.engine import rng
from gin_sim.engine.apart import apart
from gin_sim.engine.deal import deal_hand, shuffle_deck
from gin_sim.engine.jit import jit, jit_paste
from gin_sim.engine.round import fail
from gin_sim.engine.table import NO_DECISION, RULES, TABLE
from gin_sim.engine.view import VIEW
from gin_sim.play.tallies import add_deal, add_hand, clear_deal
from gin_sim.play.turn import OVER, TURN_OVER, play_turn, policy_answer
from gin_sim.policies.contract import PLAYER
from gin_sim.policies.decide import has_decisions


@jit_paste
def play_from(table, views, rules, players, first, decision):
    """Play a hand from an open decision to its end.

    Parameters
    ----------
    table, views : records of TABLE and VIEW
        The state; changed in place, and holding the facts at the end.
    rules : record of RULES
    players : record array of PLAYER, length 2
    first : int64
        Index of the player in seat 0; the other sits in seat 1.
    decision : int64
        The mover's; TURN_OVER where it is about to begin its turn, OVER for nothing to play.
    """
    if decision != OVER:
        seat = table.mover
        view, other = views[seat], views[1 - seat]
        player, other_player = players[first ^ seat], players[(1 - first) ^ seat]
        _play_hand(table, view, other, rules, player, other_player, decision)


@apart(TABLE, VIEW, VIEW, RULES, PLAYER, PLAYER, int)
def _play_hand(table, view, other, rules, player, other_player, decision):
    """Play a hand from the mover's open decision to its end; return OVER.

    The views and players are first the mover's and then the other seat's.
    """
    if not (has_decisions(player) and has_decisions(other_player)):
        fail(table, NO_DECISION)
        return OVER
    while decision != OVER:
        decision = play_turn(table, view, other, rules, decision, policy_answer, player)
        view, other = other, view
        player, other_player = other_player, player
    return OVER


@jit_paste
def play_on(table, views, rules, players, first):
    """Play a hand, as :func:`play_from` does, from where a turn is about to begin."""
    play_from(table, views, rules, players, first, TURN_OVER)


@jit_paste
def start_deal(table, views, seed, deal_index):
    """Set the deck and the policies' randomness of a deal; both legs of a pair share them."""
    _start_deal(table, views[0], views[1], seed, deal_index)


@apart(TABLE, VIEW, VIEW, int, int)
def _start_deal(table, view_0, view_1, seed, deal_index):
    shuffle_deck(table, seed, deal_index)
    view_0.noise = rng.stream_key(seed, deal_index, rng.SEAT_STREAM)
    view_1.noise = rng.stream_key(seed, deal_index, rng.SEAT_STREAM + 1)
    return 0


@jit_paste
def play_leg(table, views, rules, players, deal_index, leg):
    """Play one leg of a deal: leg 0 with player 0 in seat 0, leg 1 with the seats swapped.

    Seat 0 deals the even deals and seat 1 the odd ones.
    """
    deal_hand(table, views, deal_index & 1, rules)
    play_on(table, views, rules, players, leg)


@jit
def play_chunk(tables, views, deals, tallies, rules, players, units):
    """Play consecutive deals and add them to a tally.

    Parameters
    ----------
    tables, views : record arrays of TABLE (1) and VIEW (2)
        Working state, see ``new_state``.
    deals, tallies : record arrays of DEAL and TALLY, length 1
        Working space, and what is added to.
    rules : record of RULES
    players : record array of PLAYER, length 2
    units : Units
        Deals.
    """
    table = tables[0]
    deal = deals[0]
    tally = tallies[0]
    for deal_index in range(units.first, units.first + units.n):
        start_deal(table, views, units.seed, deal_index)
        clear_deal(deal)
        for leg in range(units.n_legs):
            play_leg(table, views, rules, players, deal_index, leg)
            add_hand(tally, deal, table, rules, leg)
        add_deal(tally, deal)
