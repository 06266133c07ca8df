"""One row for each hand that two policies play: the facts of its end, filled in compiled chunks.

The hands are those of a simulation with the same seed.  Each stretch of the plan writes its own
rows, so that threads do not wait for each other; nothing is summed up here but what the run needs
to know.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np

from gin_sim.engine.bits import popcount
from gin_sim.engine.jit import jit, run_kernel
from gin_sim.engine.pricing import price
from gin_sim.engine.table import FAULT, new_state, rule_record
from gin_sim.errors import InputError
from gin_sim.play.loop import play_leg, start_deal
from gin_sim.play.plans import HANDS, UnitPlan
from gin_sim.play.start import Units
from gin_sim.policies.contract import Policy
from gin_sim.rules import NOBODY, Rules

#: The facts of a hand.  Sides are 0 and 1, NOBODY for none; masks are not kept.
HAND_ROW = np.dtype(
    [
        ("deal_index", "i8"),
        ("points", "i2", (2,)),  # by side, boxes not included
        ("leg", "i1"),
        ("dealer", "i1"),  # side
        ("first_upcard", "i1"),  # card id
        ("outcome", "i1"),  # as in gin_sim.rules
        ("winner", "i1"),  # side or NOBODY
        ("knocker", "i1"),  # side or NOBODY
        ("knocker_deadwood", "i1"),  # pips
        ("defender_deadwood", "i1"),  # pips, after layoffs
        ("laid_off", "i1"),  # cards
        ("dealt_deadwood", "i1", (2,)),  # pips, by side
        ("turns", "i1"),  # of both players; a pass is none
        ("stock_left", "i1"),  # cards
    ],
    align=True,
)


@dataclass(frozen=True)
class HandTablePlan(UnitPlan):
    """Hands of two policies, each of which has a row in a table.

    Parameters
    ----------
    policies : pair of Policy
        Side 0 and side 1.
    rules : Rules
    hands : int
        Hands to play; an even number if mirrored.
    seed : int
        0 to 2**63 - 1.
    mirrored : bool
        Whether each deal is played twice, the policies in each other's seats.
    """

    policies: tuple[Policy, Policy]
    rules: Rules
    hands: int
    seed: int = 1
    mirrored: bool = True

    unit = HANDS

    def __post_init__(self) -> None:
        self._check()

    @property
    def size(self) -> int:
        """Hands: how many of its unit a plan plays."""
        return self.hands

    @property
    def kernel(self):
        """The compiled loop that plays it."""
        return fill_hands

    @cached_property
    def rows(self) -> np.ndarray:
        """The table, a record array of HAND_ROW; rows that are not played yet hold nothing.

        Raises
        ------
        InputError
            If there is no memory for it.
        """
        try:
            return np.empty(self.hands, HAND_ROW).view(np.recarray)
        except MemoryError:
            raise InputError(
                f"out of memory for a table of {self.hands:,} hands, {HAND_ROW.itemsize} bytes "
                "each: ask for fewer."
            ) from None

    def new_tally(self) -> np.ndarray:
        """Return an empty tally: hands and faults, int64, a record array of length 1."""
        return np.zeros(1, np.dtype([("hands", "i8"), ("faults", "i8")])).view(np.recarray)

    def play(self, first: int, n_units: int) -> np.ndarray:
        """Play consecutive units into their rows and return their tally."""
        tally = self.new_tally()
        run_kernel(
            fill_hands,
            *new_state(),
            self.rows[first * self.n_legs : (first + n_units) * self.n_legs],
            rule_record(self.rules),
            self._players.copy(),
            Units(self.seed, first, n_units, self.n_legs),
        )
        tally.hands[0] = n_units * self.n_legs
        played = self.rows[first * self.n_legs : (first + n_units) * self.n_legs]
        tally.faults[0] = np.count_nonzero(played.outcome == FAULT)
        return tally


@jit
def fill_hands(tables, views, rows, rules, players, units):
    """Play consecutive deals and write a row for each hand.

    Parameters
    ----------
    tables, views : record arrays of TABLE (1) and VIEW (2)
        Working state, see ``new_state``.
    rows : record array of HAND_ROW
        Written; whole deals.
    rules : record of RULES
    players : record array of PLAYER, length 2
    units : Units
        Deals.
    """
    table = tables[0]
    for deal in range(units.n):
        deal_index = units.first + deal
        start_deal(table, views, units.seed, deal_index)
        for leg in range(units.n_legs):
            play_leg(table, views, rules, players, deal_index, leg)
            _write_row(rows[deal * units.n_legs + leg], table, rules, deal_index, leg)


@jit
def _write_row(row, table, rules, deal_index, leg):
    """Write the facts of a finished hand; side 0 sits in seat 0 in leg 0 and in seat 1 in leg 1."""
    row.deal_index = deal_index
    row.leg = leg
    row.dealer = table.dealer ^ leg
    row.first_upcard = table.first_upcard
    row.turns = table.n_turns
    row.stock_left = 52 - table.next_place
    row.points[0] = 0
    row.points[1] = 0
    for side in range(2):
        row.dealt_deadwood[side] = table.dealt_deadwood[side ^ leg]
    row.outcome = table.ending
    row.winner = NOBODY
    row.knocker = NOBODY
    row.knocker_deadwood = 0
    row.defender_deadwood = 0
    row.laid_off = 0
    if table.knocker < 0 or table.ending == FAULT:
        return
    outcome, winner, points = price(table, rules)
    row.outcome = outcome
    row.knocker = table.knocker ^ leg
    row.knocker_deadwood = table.knocker_deadwood
    row.defender_deadwood = table.defender_deadwood
    row.laid_off = popcount(table.laid_off)
    if winner != NOBODY:
        row.winner = winner ^ leg
        row.points[winner ^ leg] = points
