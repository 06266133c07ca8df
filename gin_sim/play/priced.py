"""Hands of many meetings, each at one score and priced by tables of what its result is worth.

What a result is worth, in points or in chances to win the game, is the caller's to say.
"""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np

from gin_sim.errors import InputError
from gin_sim.play.plans import HANDS, PairingsPlan, PathsPlan
from gin_sim.play.start import FROM_NIL, GameStart
from gin_sim.rules import most_points


def most_hands(worths: np.ndarray) -> int:
    """Return how many hands at most tables of worths can price.

    A pair's lead is twice the greatest worth at most, and its squares are summed as int64.
    """
    return (2**63 - 1) // (2 * max(1, int(np.abs(worths).max())) ** 2)


@dataclass(frozen=True)
class _Priced:
    """What the plans of priced hands share: what prices them and their checks.

    Nobody need be its own equal.
    """

    worths: np.ndarray = field(default=None, compare=False)
    start: GameStart = FROM_NIL
    priced_by: tuple[int, ...] = ()
    grain: int = 1

    unit = HANDS
    is_even = False

    def __post_init__(self) -> None:
        super().__post_init__()
        self.start.check(self.rules)
        tables, prices = self._prices(self._n_priced)
        if tables.shape[1:3] != (2, 3) or tables.shape[3] <= most_points(self.rules):
            raise InputError(
                f"the tables of worths are of shape {self.worths.shape}: give (2, 3, points + 1) "
                f"or several such, up to {most_points(self.rules)} points under {self.rules.name} "
                "rules."
            )
        if len(prices) != self._n_priced or not all(0 <= n < len(tables) for n in prices.tolist()):
            raise InputError(
                f"priced_by is {self.priced_by} for {self._n_priced} of {len(tables)} tables: give "
                "the number of a table, from 0, for each pairing or block."
            )
        most = most_hands(self.worths)
        if self.size > most:
            raise InputError(
                f"{self.size:,} hands are too many to be priced by this table: ask for {most:,} at "
                "most."
            )


@dataclass(frozen=True)
class PricedPlan(_Priced, PairingsPlan):
    """Many meetings on the same deals, whose leads are what tables say.

    Parameters
    ----------
    pairings, rules, size, seed, mirrored
        As for :class:`PairingsPlan`; the objective says nothing here.
    worths : int64 array, shape (2, 3, points + 1) or (tables, 2, 3, points + 1)
        What each result is worth to side 0: by the side that dealt, the side that won or
        WON_BY_NOBODY, and the hand points.
    start : GameStart
        The score at which every hand is played; its dealer deals them all.
    priced_by : tuple of int
        The number of the table that prices each pairing; empty: the first prices all.
    grain : int
        What the worths are multiples of one over: figures of leads are divided by it.
    """

    @property
    def _n_priced(self) -> int:
        return len(self.pairings)


@dataclass(frozen=True)
class PricedPathsPlan(_Priced, PathsPlan):
    """Such meetings from one walk over each deal's path, see :class:`PathsPlan`.

    Parameters
    ----------
    blocks, rules, size, seed, mirrored
        As for :class:`PathsPlan`; the objective says nothing here.
    worths, start, grain
        As for :class:`PricedPlan`.
    priced_by : tuple of int
        The number of the table that prices each block; empty: the first prices all.
    """

    @property
    def _n_priced(self) -> int:
        return len(self.blocks)
