"""Many meetings on the same deals: hands priced by tables that are handed in, or whole games.

They tally nothing but who is ahead, by group of deals.  Hands are played out, each meeting by
itself, in a :class:`PairingsPlan`; a :class:`PathsPlan` walks each deal once where the policies
differ in the knock alone.  What a result is worth, in points or in chances to win the game, is the
caller's to say.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from itertools import product

import numpy as np

from gin_sim.errors import InputError
from gin_sim.play.games import new_game_tally, new_pair
from gin_sim.play.matchups import lead_sums, new_lead_tally, play_game_pairings, play_pairings
from gin_sim.play.plans import GAMES, HANDS, UnitPlan
from gin_sim.play.start import FROM_NIL, GameStart
from gin_sim.play.threshold_walk import new_closings, play_paths
from gin_sim.policies.contract import Policy
from gin_sim.rules import Rules, most_points


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


class _Priced(MeetingsPlan):
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


@dataclass(frozen=True)
class PairingsPlan(_Priced, _PlayedOut):
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


#: Row policies that all draw and discard alike, and column policies that do.
Block = tuple[tuple[Policy, ...], tuple[Policy, ...]]


@dataclass(frozen=True)
class PathsPlan(_Priced):
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
