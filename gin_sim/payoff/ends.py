"""What hands that were played out from a position are worth: how they ended, and for how much.

The player whose position it is is side 0.  How the hands were played is not known here.
"""

from __future__ import annotations

import numpy as np

from gin_sim.play.actions import (
    LOST_BY_UNDERCUT,
    LOST_TO_BIG_GIN,
    LOST_TO_GIN,
    LOST_TO_KNOCK,
    N_ENDS,
    NOBODY_WON,
    WON_BY_BIG_GIN,
    WON_BY_GIN,
    WON_BY_UNDERCUT,
)
from gin_sim.play.tallies import WON_BY_NOBODY
from gin_sim.rules import Rules


def values_of(prices: np.ndarray, points: np.ndarray, ends: np.ndarray) -> np.ndarray:
    """Return what each hand is worth to the player.

    Parameters
    ----------
    prices : array, shape (3, points + 1)
        By the side that won or WON_BY_NOBODY, and the hand points: one dealer's part of a table of
        :mod:`gin_sim.payoff.payoff`.
    points : int array
        Hand points to the player.
    ends : int array, same shape
        ``WON_BY_KNOCK`` ... ``NOBODY_WON`` of :mod:`gin_sim.play.actions`.
    """
    won = np.where(ends < LOST_TO_KNOCK, 0, 1)
    won[ends == NOBODY_WON] = WON_BY_NOBODY
    return prices[won, np.abs(points)]


def with_bonuses(
    points: np.ndarray, ends: np.ndarray, rules: Rules, gin: int, undercut: int, doubled: bool
) -> np.ndarray:
    """Return the points of hands under other bonuses for gin and undercut, int64.

    Big gin keeps its distance to gin, as far as it then still scores.

    Parameters
    ----------
    points, ends : int arrays
        As for :func:`values_of`.
    rules : Rules
        That they were played under.
    gin, undercut : int
        The bonuses instead.
    doubled : bool
        Whether all points count twice.
    """
    more_for_gin, more_for_undercut = gin - rules.gin_bonus, undercut - rules.undercut_bonus
    change = np.zeros(N_ENDS, np.int64)
    change[[WON_BY_GIN, WON_BY_BIG_GIN]] = more_for_gin
    change[[LOST_TO_GIN, LOST_TO_BIG_GIN]] = -more_for_gin
    change[WON_BY_UNDERCUT] = more_for_undercut
    change[LOST_BY_UNDERCUT] = -more_for_undercut
    if doubled:
        change *= 2
    changed = points + change[ends]
    return np.where(ends < LOST_TO_KNOCK, np.maximum(changed, 0), np.minimum(changed, 0))
