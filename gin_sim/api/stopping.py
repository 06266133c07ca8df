"""Stopping rules as they are asked for: how narrow intervals should be, or which leads to test."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from gin_sim.errors import InputError
from gin_sim.stats.sequential import parse_half_width, parse_sprt

#: Played at most where a stopping rule decides how much is played and no size is given.
MOST_HANDS, MOST_GAMES = 10**8, 10**6

Until = str | float
Sprt = str | Sequence[float]


class StoppingRule(NamedTuple):
    """What is asked for, in the unit of the figures: shares of games for whole games."""

    half_width: float | None = None
    test: tuple[float, float] | None = None

    @property
    def is_given(self) -> bool:
        """Whether there is one at all."""
        return self != StoppingRule()


def read_stopping(until: Until | None, sprt: Sprt | None, in_percent: bool) -> StoppingRule:
    """Read ``--until`` and ``--sprt``.

    Parameters
    ----------
    until : str or float, optional
    sprt : str or pair of float, optional
    in_percent : bool
        Whether they are in % of games, as they are for whole games.

    Raises
    ------
    InputError
        If they cannot be read, or a lead to test is beyond all leads.
    """
    scale = 100 if in_percent else 1
    half_width = None if until is None else parse_half_width(str(until)) / scale
    if sprt is None:
        return StoppingRule(half_width)
    text = sprt if isinstance(sprt, str) else ",".join(map(str, sprt))
    d0, d1 = parse_sprt(text)
    if in_percent and not -100 <= d0 < d1 <= 100:
        raise InputError(
            f"--sprt {text} is out of range: the % of games won less the % lost is from -100 "
            "to 100; try 0,5."
        )
    return StoppingRule(half_width, (d0 / scale, d1 / scale))
