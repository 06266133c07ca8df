"""The play loop: asks each seat's policy between the round's steps, and tallies whole chunks.

This is the one loop in which hands are played, whether they are tallied, recorded or both.
"""

from __future__ import annotations

import numpy as np

from gin_sim.engine import rng
from gin_sim.engine.jit import jit, jit_inline
from gin_sim.engine.round import (
    AT_WALL,
    FIRST_OFFER,
    MUST_DRAW,
    NO_FAULT,
    OPEN,
    big_gin,
    deal_hand,
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
    shuffle_deck,
    take_upcard,
    throw,
)
from gin_sim.policies.decide import chooses_discard, knocks, takes_upcard
from gin_sim.rules import BIG_GIN, GIN, STALLED, UNDERCUT, WASH, hand_points, outcome_of

_outcome_of = jit_inline(outcome_of)
_hand_points = jit_inline(hand_points)


@jit
def play_on(table, views, rules, players, first):
    """Play a hand from its present state to its end.

    Parameters
    ----------
    table, views : records of TABLE and VIEW
        The state; changed in place, and holding the facts at the end.
    rules : RuleNumbers
    players : record array of PLAYER, length 2
    first : int64
        Index of the player in seat 0; the other sits in seat 1.
    """
    while table.ending == OPEN:
        seat = table.mover
        view = views[seat]
        other = views[1 - seat]
        player = players[first ^ seat]
        n_turns = table.n_turns
        if table.phase == AT_WALL:
            if not may_knock_at_wall(table, view):
                leave_wall(table, n_turns)
                return
            take_upcard(view, other, rules)
        elif table.phase != MUST_DRAW and view.upcard >= 0 and takes_upcard(player, view):
            take_upcard(view, other, rules)
        elif table.phase == FIRST_OFFER:
            pass_upcard(table, view, other)
            continue
        else:
            draw_stock(table, view, other)
        if may_big_gin(view, rules):
            offer_big_gin(view)
            if knocks(player, view):
                big_gin(table, view, other, rules)
                return
        card = chooses_discard(player, view)
        fault = discard_fault(view, card)
        if fault != NO_FAULT:
            fail(table, fault)
            return
        throw(table, view, other, card)
        if may_knock(table, view) and knocks(player, view):
            knock(table, view, other, rules)
        elif table.phase == AT_WALL:
            leave_wall(table, n_turns)
        else:
            end_turn(table, view, other, rules)


@jit
def start_deal(table, views, seed, deal_index):
    """Set the deck and the policies' randomness of a deal; both legs of a pair share them."""
    shuffle_deck(table, seed, deal_index)
    for seat in range(2):
        views[seat].noise = rng.stream_key(seed, deal_index, rng.SEAT_STREAM + seat)


@jit_inline
def play_leg(table, views, rules, players, deal_index, leg):
    """Play one leg of a deal: leg 0 with player 0 in seat 0, leg 1 with the seats swapped.

    Seat 0 deals the even deals and seat 1 the odd ones.
    """
    deal_hand(table, views, deal_index & 1, rules)
    play_on(table, views, rules, players, leg)


#: Sums over hands, all int64; side 0 is the first policy.  Differences are side 0 minus side 1,
#: in points, without and with boxes.
TALLY = np.dtype(
    [
        ("hands", "i8"),
        ("deals", "i8"),  # mirrored pairs, or hands where they are not mirrored
        ("washes", "i8"),
        ("stalled", "i8"),
        ("faults", "i8"),
        ("turns", "i8"),
        ("hands_won", "i8", (2,)),
        ("points", "i8", (2,)),
        ("knocks", "i8", (2,)),  # knocks that are not gin, undercut ones included
        ("gins", "i8", (2,)),
        ("big_gins", "i8", (2,)),
        ("undercuts_made", "i8", (2,)),
        ("deadwood_at_knock", "i8", (2,)),
        ("difference", "i8", (2,)),  # sum over hands: [points, points+boxes]
        ("hand_squares", "i8", (2,)),  # sum over hands of the difference squared
        ("deal_squares", "i8", (2,)),  # sum over deals of the deal's difference squared
    ]
)


@jit
def play_chunk(tables, views, tallies, rules, players, seed, first_deal, n_deals, n_legs):
    """Play consecutive deals and add them to a tally.

    Parameters
    ----------
    tables, views, players : record arrays
        Working state (see ``new_state``) and the two policies.
    tallies : record array of TALLY, length 1
        Added to.
    rules : RuleNumbers
    seed, first_deal, n_deals : int64
    n_legs : int64
        2 for mirrored pairs, 1 for plain hands.
    """
    table = tables[0]
    tally = tallies[0]
    for deal_index in range(first_deal, first_deal + n_deals):
        start_deal(table, views, seed, deal_index)
        deal_points = 0
        deal_with_boxes = 0
        for leg in range(n_legs):
            play_leg(table, views, rules, players, deal_index, leg)
            points, with_boxes = _tally_hand(table, tally, rules, leg)
            deal_points += points
            deal_with_boxes += with_boxes
        tally.deals += 1
        tally.deal_squares[0] += deal_points * deal_points
        tally.deal_squares[1] += deal_with_boxes * deal_with_boxes


@jit_inline
def _tally_hand(table, tally, rules, leg):
    """Add a finished hand; return side 0's lead in points and in points with boxes."""
    tally.hands += 1
    tally.turns += table.n_turns
    if table.ending < 0:
        tally.faults += 1
        return 0, 0
    if table.ending == WASH or table.ending == STALLED:
        tally.washes += 1
        tally.stalled += table.ending == STALLED
        return 0, 0
    outcome = _outcome_of(table.ending, table.knocker_deadwood, table.defender_deadwood, rules)
    points = _hand_points(
        outcome, table.knocker_deadwood, table.defender_deadwood, table.first_upcard, rules
    )
    knocker = table.knocker ^ leg
    defender = 1 - knocker
    if outcome == GIN:
        tally.gins[knocker] += 1
    elif outcome == BIG_GIN:
        tally.big_gins[knocker] += 1
    else:
        tally.knocks[knocker] += 1
        tally.deadwood_at_knock[knocker] += table.knocker_deadwood
        if outcome == UNDERCUT:
            tally.undercuts_made[defender] += 1
    lead = points if knocker == 0 else -points
    lead_with_boxes = lead
    winner = -1
    if points > 0:
        winner = knocker
    elif points < 0:
        winner = defender
    if winner >= 0:
        tally.hands_won[winner] += 1
        tally.points[winner] += abs(points)
        lead_with_boxes += rules.box_bonus if winner == 0 else -rules.box_bonus
    tally.difference[0] += lead
    tally.difference[1] += lead_with_boxes
    tally.hand_squares[0] += lead * lead
    tally.hand_squares[1] += lead_with_boxes * lead_with_boxes
    return lead, lead_with_boxes
