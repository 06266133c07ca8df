"""What the result of a hand is worth, in points or in the game: the one table that prices results.

Play gives facts: who dealt, who won and for how many hand points.  Points, points with boxes, the
chance to win and the points settled are tables of those alike.  Where the chances come from is the
equity table's business.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace

import numpy as np

from gin_sim.errors import InputError
from gin_sim.payoff.equity import Equity
from gin_sim.payoff.score import EITHER, State, standing_of
from gin_sim.play.meetings import Prices
from gin_sim.play.start import FROM_NIL, GameStart
from gin_sim.play.tallies import WON_BY_NOBODY
from gin_sim.results.objective import OF_THE_GAME, OF_THE_HAND, check_objective, unit_of
from gin_sim.rules import Rules, most_points
from gin_sim.words import listed

#: A price in the game is a multiple of 1 / GRAIN, so that sums of it are exact; it is known far
#: less finely.
GRAIN = 1024

_MEASURES = {"win": "score", "stakes": "stakes"}  # of the equity table
_LEVELS = {"win": 50.0, "stakes": 0.0}
_WINNERS = np.array([WON_BY_NOBODY, 0, 1])  # by 0, 1 and -1: won by nobody, side 0, side 1


def points_table(most: int, box: int = 0) -> np.ndarray:
    """Return what each result of a hand is worth in points to side 0, with a box to the winner.

    Parameters
    ----------
    most : int
        Hand points at most.
    box : int
        What a hand won counts for beside its points.

    Returns
    -------
    float64 array, shape (2, 3, most + 1)
        By the side that dealt, the side that won or WON_BY_NOBODY, and the hand points.
    """
    won = np.arange(most + 1) + box
    return np.tile(np.stack([won, -won, 0 * won]), (2, 1, 1)).astype(np.float64)


def exact_table(
    objective: str, rules: Rules, state: State | None = None, equity: Equity | None = None
) -> np.ndarray:
    """Return what each result of a hand is worth to side 0, as data have it: chances are 0-1.

    Parameters
    ----------
    objective : str
        One of :data:`gin_sim.results.objective.OBJECTIVES`.
    rules : Rules
    state : State, optional
        Before the hand, for ``win`` and ``stakes``; its dealer deals it.
    equity : Equity, optional
        What the game is worth after the hand, likewise.

    Returns
    -------
    float64 array, shape (2, 3, points + 1)
        By the side that dealt, the side that won or WON_BY_NOBODY, and the hand points.

    Raises
    ------
    InputError
        If there is no such objective, or no game is in that state.
    """
    check_objective(objective)
    if objective not in OF_THE_GAME:
        return points_table(most_points(rules), box_of(objective, rules))
    found = equity.worth(state.mine, state.theirs, state.box_difference, _MEASURES[objective])
    return found if state.dealer == EITHER else found[[state.dealer, state.dealer]]


def box_of(objective: str, rules: Rules) -> int:
    """Return what a hand won counts for beside its points where hands are judged by points."""
    return rules.box_bonus if objective == "points+boxes" else 0


@dataclass(frozen=True, eq=False)
class PriceTable:
    """What a result is worth to side 0, by who dealt, who won and the points.

    Parameters
    ----------
    table : float64 array, shape (2, 3, points + 1)
        By the side that dealt, the side that won or WON_BY_NOBODY, and the hand points; in the
        unit of the objective, multiples of 1 / grain.
    objective : str
        One of :data:`gin_sim.results.objective.OBJECTIVES`.
    level : float
        What a game is worth that is as good as the opponent's: 50 for ``win``, otherwise 0.
    state : State or None
        The score at which the hand is played; None where it does not matter.
    equity : Equity or None
        What the game is worth after the hand.
    grain : int
        1 for points, which are whole, otherwise GRAIN.
    """

    table: np.ndarray
    objective: str = "points"
    level: float = 0.0
    state: State | None = None
    equity: Equity | None = field(default=None, repr=False)
    grain: int = 1

    @classmethod
    def of_points(cls, rules: Rules, objective: str = "points") -> PriceTable:
        """Return the prices of a hand by itself.

        Parameters
        ----------
        rules : Rules
        objective : {"points", "points+boxes"}
            The hand points, or those with the rules' box to the winner.
        """
        check_objective(objective, OF_THE_HAND)
        return cls(exact_table(objective, rules), objective)

    @classmethod
    def of_game(cls, equity: Equity, state: State, objective: str = "win") -> PriceTable:
        """Return the prices of a hand's results in the game of which it is a hand.

        Parameters
        ----------
        equity : Equity
        state : State
            Before the hand; its dealer deals it.
        objective : {"win", "stakes"}
            The chance to win, with half the chance of a tie, in percent; or the points settled.

        Raises
        ------
        InputError
            If there is no such objective, or no game is in that state.
        """
        if objective not in OF_THE_GAME:
            raise InputError(
                f"'{objective}' does not depend on the score: give {listed(OF_THE_GAME)}."
            )
        scale = unit_of(objective, at_a_score=True).scale
        exact = float(scale) * exact_table(objective, equity.rules, state, equity)
        table = np.rint(exact * GRAIN) / GRAIN
        return cls(table, objective, _LEVELS[objective], state, equity, GRAIN)

    @property
    def unit(self) -> str:
        """Of the prices, as people read it: they are in percent for ``win``."""
        return unit_of(self.objective, self.state is not None).shown

    @property
    def start(self) -> GameStart:
        """The score at which the hand is played."""
        if self.state is None:
            return FROM_NIL
        *numbers, dealer = (*standing_of(self.state, self.equity.rules), self.state.dealer)
        return GameStart(
            tuple(numbers[:2]), tuple(numbers[2:]), None if dealer == EITHER else dealer
        )

    @property
    def is_even(self) -> bool:
        """Whether a result is worth to side 1 what its mirror image is worth to side 0."""
        table = self.centred().table
        mirrored = table[::-1, [1, 0, WON_BY_NOBODY]]
        return np.allclose(table, -mirrored, rtol=0, atol=1.5 / GRAIN)

    def centred(self) -> PriceTable:
        """Return the prices less their level, so that what one side gains the other loses."""
        return replace(self, table=self.table - self.level, level=0.0)

    @property
    def whole_numbers(self) -> Prices:
        """The centred table times the grain in whole numbers, as plans of meetings take it."""
        return whole_numbers_of([self])

    def of_knocks(self, knocks: np.ndarray) -> np.ndarray:
        """Return the value of traced knocks to their movers, float32.

        Side 1's is what side 0 loses: where both sides' knocks are traced, centre the prices.
        """
        sign = 1 - 2 * knocks["side"].astype(np.int64)
        return self._of(knocks, knocks["path"] & 1, sign) * sign.astype(np.float32)

    def of_ends(self, ends: np.ndarray) -> np.ndarray:
        """Return the value of the ends of the paths from the first on to side 0, float32."""
        return self._of(ends, np.arange(len(ends)) & 1, 1)

    def _of(self, results: np.ndarray, dealers: np.ndarray, sign) -> np.ndarray:
        """Return what results are worth to side 0; ``sign`` is -1 where they are to side 1."""
        points = results["points"].astype(np.int64)
        won = np.where(points != 0, np.sign(points), results["won"]) * sign
        return self.table.astype(np.float32)[dealers, _WINNERS[won], np.abs(points)]


def whole_numbers_of(tables: Sequence[PriceTable], priced_by: tuple[int, ...] = ()) -> Prices:
    """Return tables at one score as plans of meetings take them.

    Parameters
    ----------
    tables : sequence of PriceTable
        Of one objective and one score.
    priced_by : tuple of int
        The number of the table that prices each pairing or block; empty: the first prices all.
    """
    first = tables[0]
    whole = [np.rint((each.table - each.level) * each.grain).astype(np.int64) for each in tables]
    # The chances of a game are rounded, and seldom even to the last digit.
    return Prices(np.stack(whole), first.grain, first.state is None, priced_by)
