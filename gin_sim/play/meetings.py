"""Many meetings on the same deals: who is ahead by how much in each, summed by group of deals.

Every unit (a deal with its mirrored hands, or a pair of games) gives one lead for each meeting.
The deals are dealt out to groups, so that the sums show how the leads of different meetings vary
together, which differences between meetings need, and resampling too.  Here is what both ways of
playing them share: each meeting played out (:mod:`gin_sim.play.pairings`), or one walk over each
deal for many knock rules (:mod:`gin_sim.play.threshold_walk`).  What a result is worth, in points
or in chances to win the game, comes in as :class:`Prices`.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from gin_sim.engine.jit import jit_inline
from gin_sim.errors import InputError
from gin_sim.play.plans import HANDS, UnitPlan
from gin_sim.play.tallies import WON_BY_NOBODY
from gin_sim.policies.contract import Policy
from gin_sim.rules import Rules, most_points

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
        N_HANDS, N_UNITS and N_FAULTS; this and the following are added to.
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


N_HANDS, N_UNITS, N_FAULTS = range(3)  # places of the numbers


def lead_sums(tally: np.ndarray) -> LeadSums:
    """Return a lead tally as arrays that share its memory."""
    numbers = tally.view(np.ndarray).view("i8")[:3]
    record = tally.view(np.ndarray)[0]
    fields = (record["counts"], record["sums"], record["squares"])
    return LeadSums(numbers, *fields, np.zeros_like(record["squares"]))


@jit_inline
def lead_by(winner, points, prices, seat, dealer):
    """Return what the result of a hand is worth to the side in a seat.

    Parameters
    ----------
    winner, points : int64
        Seat or NOBODY, and what it scored; see :func:`gin_sim.engine.pricing.price`.
    prices : int64 array, shape (2, 3, points + 1)
        By the side that dealt, the side that won or WON_BY_NOBODY, and the hand points; side 0 is
        the one in the seat.
    seat : int64
    dealer : int64
        Seat that dealt.
    """
    return prices[dealer ^ seat, WON_BY_NOBODY if winner < 0 else winner ^ seat, points]


@jit_inline
def add_leads(sums, unit):
    """Add the leads of a unit to the sums."""
    group = unit % len(sums.counts)
    sums.numbers[N_UNITS] += 1
    sums.counts[group] += 1
    row = sums.sums[group]
    for meeting in range(len(sums.leads)):
        lead = sums.leads[meeting]
        row[meeting] += lead
        sums.squares[meeting] += lead * lead


@dataclass(frozen=True, eq=False)
class Prices:
    """What the results of hands are worth to side 0, in whole numbers.

    Parameters
    ----------
    tables : int64 array, shape (tables, 2, 3, points + 1)
        By the side that dealt, the side that won or WON_BY_NOBODY, and the hand points.
    grain : int
        What the numbers are multiples of one over: figures of leads are divided by it.
    is_even : bool
        Whether a result is worth to side 1 exactly what its mirror image is worth to side 0, at a
        score that is the same for both: then nobody leads itself in mirrored seats.
    priced_by : tuple of int
        The number of the table that prices each pairing or block; empty: the first prices all.
    """

    tables: np.ndarray
    grain: int = 1
    is_even: bool = False
    priced_by: tuple[int, ...] = ()

    @property
    def most_hands(self) -> int:
        """How many hands at most they can price.

        A pair's lead is twice the greatest worth at most, and its squares are summed as int64.
        """
        return (2**63 - 1) // (2 * max(1, int(np.abs(self.tables).max())) ** 2)

    def check(self, n_priced: int, rules: Rules, hands: int) -> None:
        """Refuse tables that cannot price so many pairings or blocks; :class:`InputError`."""
        tables, most = self.tables, most_points(rules)
        if tables.ndim != 4 or tables.shape[1:3] != (2, 3) or tables.shape[3] <= most:
            raise InputError(
                f"the tables of prices are of shape {tables.shape}: give (tables, 2, 3, points + "
                f"1), up to {most} points under {rules.name} rules."
            )
        numbers = self.numbers(n_priced).tolist()
        if len(numbers) != n_priced or not all(0 <= n < len(tables) for n in numbers):
            raise InputError(
                f"priced_by is {self.priced_by} for {n_priced} of {len(tables)} tables: give the "
                "number of a table, from 0, for each pairing or block."
            )
        if hands > self.most_hands:
            raise InputError(
                f"{hands:,} hands are too many to be priced by this table: ask for "
                f"{self.most_hands:,} at most."
            )

    def numbers(self, n_priced: int) -> np.ndarray:
        """Return the number of the table that prices each pairing or block, int64."""
        return np.array(self.priced_by or (0,) * n_priced, np.int64)


class MeetingsPlan(UnitPlan):
    """Many meetings of two policies each on the same deals: what all ways of playing them share."""

    #: Whether each deal is walked once for all meetings of a block.
    one_pass = False
    #: Whether nobody leads itself in mirrored seats.
    is_even = True

    @property
    def policies(self) -> tuple[Policy, ...]:
        """Both policies of each pairing in turn."""
        return tuple(policy for pairing in self.pairings for policy in pairing)

    def finished(self, tally: np.ndarray) -> int:
        """Return how many hands, or games, of each meeting a tally holds."""
        return int(tally.units[0]) * self.n_legs

    def new_tally(self) -> np.ndarray:
        """Return an empty tally of leads, a record array of length 1."""
        return new_lead_tally(self.n_units, len(self.pairings))


class PricedPlan(MeetingsPlan):
    """Meetings of hands, whose leads are what prices say."""

    unit = HANDS

    def __post_init__(self) -> None:
        self._check()
        self.start.check(self.rules)
        self.prices.check(self._n_priced, self.rules, self.size)

    @property
    def grain(self) -> int:
        """Figures are multiples of one over this."""
        return self.prices.grain

    @property
    def is_even(self) -> bool:
        """Whether nobody leads itself in mirrored seats."""
        return self.prices.is_even
