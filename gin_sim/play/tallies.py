"""What a simulation adds up, and nothing per hand: integers that merge in any order.

The deal is the sampling unit: a mirrored pair of hands, or one hand where deals are not mirrored.
Every measure is summed over hands, and squared and summed over deals, so that each mean can carry
an interval.
"""

from __future__ import annotations

import numpy as np

from gin_sim.engine.jit import jit_inline
from gin_sim.engine.pricing import price
from gin_sim.rules import BIG_GIN, GIN, NOBODY, STALLED, UNDERCUT, WASH

# Measures of one side in one hand.
(
    HANDS_WON,
    POINTS,  # scored
    POINTS_WITH_BOXES,  # scored, with the box of a hand won
    KNOCKS,  # knocks that are not gin; undercut ones included
    GINS,  # big gin not included
    BIG_GINS,
    UNDERCUTS_MADE,
    DEADWOOD_AT_KNOCK,  # pips, in the hands counted by KNOCKS
) = range(8)
N_MEASURES = 8

# Measures of a hand that belong to no side.
WASHES, STALLS, TURNS = range(3)  # a stalled hand is a wash too
N_SHARED = 3

# Measures of the lead of side 0 over side 1.
LEAD_IN_POINTS, LEAD_WITH_BOXES, LEAD_IN_HANDS = range(3)
N_LEADS = 3

WON_BY_NOBODY = 2  # in place of a side, where results are counted or priced

#: Sums over hands and sums of squares over deals, int64.
TALLY = np.dtype(
    [
        ("hands", "i8"),
        ("deals", "i8"),
        ("faults", "i8"),  # hands ended because a policy asked for an illegal step
        ("sums", "i8", (N_MEASURES, 2)),
        ("squares", "i8", (N_MEASURES, 2)),
        ("knocks_by_deadwood", "i8", (2,)),  # over deals: knocks times deadwood at the knock
        ("shared", "i8", (N_SHARED,)),
        ("shared_squares", "i8", (N_SHARED,)),
        ("leads", "i8", (N_LEADS,)),
        ("lead_squares", "i8", (N_LEADS,)),
        ("lead_hand_squares", "i8", (N_LEADS,)),  # over hands, to judge what mirroring saves
    ]
)

#: One deal's sums, before they are squared.
DEAL = np.dtype(
    [
        ("sums", "i8", (N_MEASURES, 2)),
        ("shared", "i8", (N_SHARED,)),
        ("leads", "i8", (N_LEADS,)),
    ]
)


def new_tally() -> np.ndarray:
    """Return an empty tally, a record array of length 1."""
    return np.zeros(1, TALLY).view(np.recarray)


def new_deal() -> np.ndarray:
    """Return working space for one deal's sums, a record array of length 1."""
    return np.zeros(1, DEAL).view(np.recarray)


def merge(total: np.ndarray, part: np.ndarray) -> None:
    """Add a tally to another."""
    total.view(np.ndarray).view("i8")[:] += part.view(np.ndarray).view("i8")


@jit_inline
def clear_deal(deal):
    """Start a deal's sums at 0."""
    for measure in range(N_MEASURES):
        deal.sums[measure, 0] = 0
        deal.sums[measure, 1] = 0
    for measure in range(N_SHARED):
        deal.shared[measure] = 0
    for measure in range(N_LEADS):
        deal.leads[measure] = 0


@jit_inline
def add_hand(tally, deal, table, rules, leg):
    """Add a finished hand, as its table stands, to its deal.

    Parameters
    ----------
    tally, deal, table : records of TALLY, DEAL and TABLE
    rules : record of RULES
        Prices the hand.
    leg : int64
        Side 0 sits in seat 0 in leg 0 and in seat 1 in leg 1.
    """
    tally.hands += 1
    deal.shared[TURNS] += table.n_turns
    if table.ending < 0:
        tally.faults += 1
        return
    if table.ending == WASH or table.ending == STALLED:
        deal.shared[WASHES] += 1
        deal.shared[STALLS] += table.ending == STALLED
        return
    outcome, winner, scored = price(table, rules)
    knocker = table.knocker ^ leg
    defender = 1 - knocker
    sums = deal.sums
    if outcome == GIN:
        sums[GINS, knocker] += 1
    elif outcome == BIG_GIN:
        sums[BIG_GINS, knocker] += 1
    else:
        sums[KNOCKS, knocker] += 1
        sums[DEADWOOD_AT_KNOCK, knocker] += table.knocker_deadwood
        if outcome == UNDERCUT:
            sums[UNDERCUTS_MADE, defender] += 1
    if winner == NOBODY:
        return
    winner ^= leg
    with_box = scored + rules.box_bonus
    sums[HANDS_WON, winner] += 1
    sums[POINTS, winner] += scored
    sums[POINTS_WITH_BOXES, winner] += with_box
    deal.leads[LEAD_IN_POINTS] += scored if winner == 0 else -scored
    deal.leads[LEAD_WITH_BOXES] += with_box if winner == 0 else -with_box
    deal.leads[LEAD_IN_HANDS] += 1 if winner == 0 else -1
    tally.lead_hand_squares[LEAD_IN_POINTS] += scored * scored
    tally.lead_hand_squares[LEAD_WITH_BOXES] += with_box * with_box
    tally.lead_hand_squares[LEAD_IN_HANDS] += 1


@jit_inline
def add_deal(tally, deal):
    """Add a finished deal and its squares to the tally."""
    tally.deals += 1
    for measure in range(N_MEASURES):
        for side in range(2):
            value = deal.sums[measure, side]
            tally.sums[measure, side] += value
            tally.squares[measure, side] += value * value
    for side in range(2):
        tally.knocks_by_deadwood[side] += (
            deal.sums[KNOCKS, side] * deal.sums[DEADWOOD_AT_KNOCK, side]
        )
    for measure in range(N_SHARED):
        value = deal.shared[measure]
        tally.shared[measure] += value
        tally.shared_squares[measure] += value * value
    for measure in range(N_LEADS):
        value = deal.leads[measure]
        tally.leads[measure] += value
        tally.lead_squares[measure] += value * value
