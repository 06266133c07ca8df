"""What the result of a hand is worth, in points or in the game: the one table that prices results.

Points, points with boxes, the chance to win and the points settled are tables alike: by who dealt,
who won and the hand points.  Where the chances come from is the equity table's business.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace

import numpy as np

from gin_sim.errors import InputError
from gin_sim.payoff.equity import Equity
from gin_sim.payoff.score import EITHER, State, standing_of
from gin_sim.play.matchups import points_table
from gin_sim.play.start import FROM_NIL, GameStart
from gin_sim.play.tallies import WON_BY_NOBODY
from gin_sim.results.objective import OF_THE_GAME, unit_of
from gin_sim.rules import Rules
from gin_sim.words import listed

#: A worth for the game is a multiple of 1 / GRAIN, so that sums of it are exact; it is known far
#: less finely.
GRAIN = 1024

_SCALES = {"win": ("score", 100.0, 50.0), "stakes": ("stakes", 1.0, 0.0)}
_WINNERS = np.array([WON_BY_NOBODY, 0, 1])  # by 0, 1 and -1: won by nobody, side 0, side 1


@dataclass(frozen=True, eq=False)
class Worth:
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
    def of_points(cls, rules: Rules, box: int | None = None) -> Worth:
        """Return the worth of hand points and, if one is given, of a box to the winner."""
        table = points_table(rules, box or 0).astype(np.float64)
        return cls(table, "points" if box is None else "points+boxes")

    @classmethod
    def of_game(cls, equity: Equity, state: State, objective: str = "win") -> Worth:
        """Return the worth of a hand's result for the game of which it is a hand.

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
        if objective not in _SCALES:
            raise InputError(
                f"'{objective}' does not depend on the score: give {listed(OF_THE_GAME)}."
            )
        measure, scale, level = _SCALES[objective]
        found = scale * equity.worth(state.mine, state.theirs, state.box_difference, measure)
        if state.dealer != EITHER:
            found = found[[state.dealer, state.dealer]]
        return cls(np.rint(found * GRAIN) / GRAIN, objective, level, state, equity, GRAIN)

    @property
    def unit(self) -> str:
        """Of the worths, as people read it: they are in percent for ``win``."""
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

    def centred(self) -> Worth:
        """Return the worth less its level, so that what one side gains the other loses."""
        return replace(self, table=self.table - self.level, level=0.0)

    def whole_numbers(self) -> np.ndarray:
        """Return the centred table times the grain as int64, as plans take it."""
        return np.rint((self.table - self.level) * self.grain).astype(np.int64)

    def of_knocks(self, knocks: np.ndarray) -> np.ndarray:
        """Return the worth of traced knocks to their movers, float32.

        Side 1's is what side 0 loses: where both sides' knocks are traced, centre the worth.
        """
        sign = 1 - 2 * knocks["side"].astype(np.int64)
        return self._of(knocks, knocks["path"] & 1, sign) * sign.astype(np.float32)

    def of_ends(self, ends: np.ndarray) -> np.ndarray:
        """Return the worth of the ends of the paths from the first on to side 0, float32."""
        return self._of(ends, np.arange(len(ends)) & 1, 1)

    def _of(self, results: np.ndarray, dealers: np.ndarray, sign) -> np.ndarray:
        """Return what results are worth to side 0; ``sign`` is -1 where they are to side 1."""
        points = results["points"].astype(np.int64)
        won = np.where(points != 0, np.sign(points), results["won"]) * sign
        return self.table.astype(np.float32)[dealers, _WINNERS[won], np.abs(points)]
