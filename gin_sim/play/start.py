"""Which deals are played, and where a game begins: at 0-0, or at a score that it can come to."""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from gin_sim.engine.jit import jit_inline
from gin_sim.errors import InputError
from gin_sim.rules import Rules, game_is_over


class Units(NamedTuple):
    """Consecutive deals, or pairs of games, for a kernel to play.

    Parameters
    ----------
    seed : int
    first : int
        Index of the first.
    n : int
        How many.
    n_legs : int
        2 for mirrored pairs, 1 for plain hands or games.
    """

    seed: int
    first: int
    n: int
    n_legs: int = 1


@dataclass(frozen=True)
class GameStart:
    """The score at which games begin.

    Parameters
    ----------
    points, hands_won : pair of int
        Of side 0 and side 1, boxes not among the points.
    dealer : int or None
        Side that deals first; None: seat 0 in the even pairs of games and seat 1 in the odd ones,
        so that either side deals first in half of mirrored games.
    """

    points: tuple[int, int] = (0, 0)
    hands_won: tuple[int, int] = (0, 0)
    dealer: int | None = None

    def numbers(self) -> np.ndarray:
        """Return the start as the kernel takes it: int64, points, hands won, dealer or -1."""
        dealer = -1 if self.dealer is None else self.dealer
        return np.array([*self.points, *self.hands_won, dealer], np.int64)

    def check(self, rules: Rules) -> None:
        """Refuse a start at which no game can be; :class:`InputError`."""
        for points, won in zip(self.points, self.hands_won, strict=True):
            over = rules.target and game_is_over(points, won, rules.numbers())
            if points < 0 or won < 0 or (points > 0 and won == 0) or over:
                raise InputError(
                    f"no game under {rules.name} rules stands at {points} points with {won} hands "
                    f"won: the score is below {rules.target}, and points come from hands won."
                )


FROM_NIL = GameStart()

DEALER = 4  # place in the numbers of a start


@jit_inline
def dealing_seat(start, deal, leg):
    """Return the seat that deals a hand at a start; side 0 sits in seat 0 in leg 0.

    Without a dealer of the start's own, seat 0 deals the even deals and seat 1 the odd ones.
    """
    return deal & 1 if start[DEALER] < 0 else start[DEALER] ^ leg


@jit_inline
def stand_at(views, start, leg):
    """Give both seats the score; side 0 sits in seat 0 in leg 0 and in seat 1 in leg 1.

    Parameters
    ----------
    views : record array of VIEW, length 2
    start : int64 array
        As :meth:`GameStart.numbers` gives it; the dealer is not read.
    leg : int64
    """
    for seat in range(2):
        side = seat ^ leg
        views[seat].score = start[side]
        views[seat].opponent_score = start[1 - side]
        views[seat].boxes = start[2 + side]
        views[seat].opponent_boxes = start[3 - side]
