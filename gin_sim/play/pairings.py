"""Meetings played out, each by itself, on the same deals or in the same whole games."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from gin_sim.engine.deal import deal_hand
from gin_sim.engine.jit import jit
from gin_sim.engine.pricing import price
from gin_sim.engine.table import FAULT
from gin_sim.play.games import (
    LEAD_IN_GAMES,
    clear_pair,
    new_game_tally,
    new_pair,
    play_game,
    settle,
)
from gin_sim.play.loop import play_on, start_deal
from gin_sim.play.meetings import (
    N_FAULTS,
    N_HANDS,
    MeetingsPlan,
    PricedPlan,
    Prices,
    add_leads,
    lead_by,
    lead_sums,
)
from gin_sim.play.plans import GAMES
from gin_sim.play.start import DEALER, FROM_NIL, GameStart, dealing_seat, stand_at
from gin_sim.policies.contract import Policy
from gin_sim.rules import Rules


class _PlayedOut(MeetingsPlan):
    """Meetings that are all played out, each by itself."""

    @property
    def first_units(self) -> int:
        """Units at most in a chunk until it is known how many hands a unit has."""
        return max(1, super().first_units // len(self.pairings))

    @property
    def chunk_hands(self) -> int:
        """About how many hands a chunk has: more where its tally is large."""
        return super().chunk_hands + 100 * len(self.pairings)


@dataclass(frozen=True)
class GamePairingsPlan(_PlayedOut):
    """Many meetings of two policies each, in the same whole games; a lead is games won less lost.

    Parameters
    ----------
    pairings : tuple of pairs of Policy
        Side 0 and side 1 of each meeting.
    rules : Rules
    size : int
        Games of each meeting.
    seed : int
    mirrored : bool
    """

    pairings: tuple[tuple[Policy, Policy], ...]
    rules: Rules
    size: int
    seed: int = 1
    mirrored: bool = True

    unit = GAMES

    def __post_init__(self) -> None:
        self._check()

    @property
    def kernel(self):
        """The compiled loop that plays it."""
        return play_game_pairings

    def _arrays(self, tally: np.ndarray) -> tuple:
        return new_pair(), new_game_tally(), lead_sums(tally)


@dataclass(frozen=True)
class PairingsPlan(PricedPlan, _PlayedOut):
    """Many meetings of two policies each, all played out on the same deals.

    Parameters
    ----------
    pairings : tuple of pairs of Policy
        Side 0 and side 1 of each meeting.
    rules : Rules
    size : int
        Hands of each meeting.
    prices : Prices
        Of each pairing.
    seed : int
    mirrored : bool
    start : GameStart
        The score at which every hand is played; its dealer deals them all.
    """

    pairings: tuple[tuple[Policy, Policy], ...]
    rules: Rules
    size: int
    prices: Prices
    seed: int = 1
    mirrored: bool = True
    start: GameStart = FROM_NIL

    @property
    def _n_priced(self) -> int:
        return len(self.pairings)

    @property
    def kernel(self):
        """The compiled loop that plays it."""
        return play_pairings

    def _arrays(self, tally: np.ndarray) -> tuple:
        return (lead_sums(tally),)

    def _settings(self) -> tuple:
        return self.prices.tables, self.prices.numbers(self._n_priced), self.start.numbers()


@jit
def play_pairings(tables, views, sums, rules, players, price_tables, priced_by, start, units):
    """Play consecutive deals, each by every pairing.

    Parameters
    ----------
    tables, views : record arrays of TABLE (1) and VIEW (2)
        Working state, see ``new_state``.
    sums : LeadSums
        Added to.
    rules : record of RULES
    players : record array of PLAYER, length 2 * meetings
        Side 0 and side 1 of each meeting in turn.
    price_tables : int64 array, shape (tables, 2, 3, points + 1)
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
            prices = price_tables[priced_by[meeting]]
            lead = 0
            for leg in range(units.n_legs):
                dealer = dealing_seat(start, deal, leg)
                stand_at(views, start, leg)
                deal_hand(table, views, dealer, rules)
                play_on(table, views, rules, two, leg)
                numbers[N_HANDS] += 1
                if table.ending == FAULT:
                    numbers[N_FAULTS] += 1
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
                numbers[N_HANDS] += n_hands
            leads[meeting] = pair.leads[LEAD_IN_GAMES]
        add_leads(sums, index)
    numbers[N_FAULTS] += scratch.faults - faults
