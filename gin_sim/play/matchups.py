"""Many meetings on the same deals: who is ahead by how much in each, summed by group of deals.

Every unit (a deal with its mirrored hands, or a pair of games) gives one lead for each meeting.
The deals are dealt out to groups, so that the sums show how the leads of different meetings vary
together, which differences between meetings need, and resampling too.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from gin_sim.engine.deal import deal_hand
from gin_sim.engine.jit import jit, jit_inline
from gin_sim.engine.table import FAULT
from gin_sim.play.games import LEAD_IN_GAMES, clear_pair, play_game, settle
from gin_sim.play.loop import play_on, start_deal
from gin_sim.play.start import DEALER, dealing_seat, stand_at
from gin_sim.play.tallies import WON_BY_NOBODY, price

#: Groups at most; a deal belongs to the group of its index modulo their number.
MAX_GROUPS = 1000


def new_lead_tally(n_units: int, n_meetings: int) -> np.ndarray:
    """Return an empty tally of leads, a record array of length 1.

    Parameters
    ----------
    n_units : int
        Of the whole plan: there are as many groups, but at most MAX_GROUPS.
    n_meetings : int

    Returns
    -------
    record array with the int64 fields
        ``hands`` (walked or played), ``units``, ``faults``; ``counts``, shape (groups,): units of
        each group; ``sums``, shape (groups, meetings): leads of side 0; ``squares``, shape
        (meetings,): squared leads, summed over units.
    """
    n_groups = min(n_units, MAX_GROUPS)
    fields = [
        ("hands", "i8"),
        ("units", "i8"),
        ("faults", "i8"),
        ("counts", "i8", (n_groups,)),
        ("sums", "i8", (n_groups, n_meetings)),
        ("squares", "i8", (n_meetings,)),
    ]
    return np.zeros(1, np.dtype(fields)).view(np.recarray)


class LeadSums(NamedTuple):
    """A lead tally as arrays, so that a kernel's types do not depend on its size.

    Parameters
    ----------
    numbers : int64 array
        HANDS, UNITS and FAULTS; this and the following are added to.
    counts, sums, squares : int64 arrays
        See :func:`new_lead_tally`.
    leads : int64 array, shape (meetings,)
        Working space: the leads of the present unit.
    """

    numbers: np.ndarray
    counts: np.ndarray
    sums: np.ndarray
    squares: np.ndarray
    leads: np.ndarray


HANDS, UNITS, FAULTS = range(3)  # places of the numbers


def lead_sums(tally: np.ndarray) -> LeadSums:
    """Return a lead tally as arrays that share its memory."""
    numbers = tally.view(np.ndarray).view("i8")[:3]
    record = tally.view(np.ndarray)[0]
    fields = (record["counts"], record["sums"], record["squares"])
    return LeadSums(numbers, *fields, np.zeros_like(record["squares"]))


@jit_inline
def lead_by(winner, points, worths, seat, dealer):
    """Return what the result of a hand is worth to the side in a seat.

    Parameters
    ----------
    winner, points : int64
        Seat or NOBODY, and what it scored; see :func:`gin_sim.play.tallies.price`.
    worths : int64 array, shape (2, 3, points + 1)
        By the side that dealt, the side that won or WON_BY_NOBODY, and the hand points; side 0 is
        the one in the seat.
    seat : int64
    dealer : int64
        Seat that dealt.
    """
    return worths[dealer ^ seat, WON_BY_NOBODY if winner < 0 else winner ^ seat, points]


@jit_inline
def add_leads(sums, unit):
    """Add the leads of a unit to the sums."""
    group = unit % len(sums.counts)
    sums.numbers[UNITS] += 1
    sums.counts[group] += 1
    row = sums.sums[group]
    for meeting in range(len(sums.leads)):
        lead = sums.leads[meeting]
        row[meeting] += lead
        sums.squares[meeting] += lead * lead


@jit
def play_pairings(tables, views, sums, rules, players, worths, priced_by, start, units):
    """Play consecutive deals, each by every pairing.

    Parameters
    ----------
    tables, views : record arrays of TABLE (1) and VIEW (2)
        Working state, see ``new_state``.
    sums : LeadSums
        Added to.
    rules : RuleNumbers
    players : record array of PLAYER, length 2 * meetings
        Side 0 and side 1 of each meeting in turn.
    worths : int64 array, shape (tables, 2, 3, points + 1)
        What the results of hands are worth, see :class:`gin_sim.play.meetings.Prices`.
    priced_by : int64 array, shape (meetings,)
        The number of the table that prices each meeting.
    start : int64 array
        The score at which each hand is played, see GameStart.
    units : Units
        Deals.
    """
    table = tables[0]
    numbers, leads = sums.numbers, sums.leads
    for deal in range(units.first, units.first + units.n):
        start_deal(table, views, units.seed, deal)
        for meeting in range(len(leads)):
            two = players[2 * meeting : 2 * meeting + 2]
            prices = worths[priced_by[meeting]]
            lead = 0
            for leg in range(units.n_legs):
                dealer = dealing_seat(start, deal, leg)
                stand_at(views, start, leg)
                deal_hand(table, views, dealer, rules)
                play_on(table, views, rules, two, leg)
                numbers[HANDS] += 1
                if table.ending == FAULT:
                    numbers[FAULTS] += 1
                else:
                    _, winner, points = price(table, rules)
                    lead += lead_by(winner, points, prices, leg, dealer)
            leads[meeting] = lead
        add_leads(sums, deal)


@jit
def play_game_pairings(tables, views, pairs, tallies, sums, rules, players, units):
    """Play consecutive pairs of games, each by every pairing; a lead is games won less games lost.

    Parameters
    ----------
    pairs, tallies : record arrays of PAIR and GAME_TALLY, length 1
        Working space.
    others
        As for :func:`play_pairings`; the units are pairs of games.
    """
    pair = pairs[0]
    scratch = tallies[0]
    faults = scratch.faults
    start = np.zeros(5, np.int64)
    start[DEALER] = -1  # see GameStart
    numbers, leads = sums.numbers, sums.leads
    for index in range(units.first, units.first + units.n):
        for meeting in range(len(leads)):
            two = players[2 * meeting : 2 * meeting + 2]
            clear_pair(pair)
            for leg in range(units.n_legs):
                winner, n_hands = play_game(
                    tables, views, pair, scratch, rules, two, start, units.seed, index, leg
                )
                settle(scratch, pair, rules, winner)
                numbers[HANDS] += n_hands
            leads[meeting] = pair.leads[LEAD_IN_GAMES]
        add_leads(sums, index)
    numbers[FAULTS] += scratch.faults - faults
