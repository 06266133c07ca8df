"""A game solved backward from its end: the value of every score, given how hands end.

Scores are taken in falling order, so that all that a hand can lead to is known.  The exception is
a hand that nobody wins: it leaves the score, and the values for the two dealers are then a linear
system.  What a finished game is worth comes in as numbers; which policies play, and what is
uncertain about them, is not known here.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from gin_sim.engine.jit import jit, jit_inline, run_kernel
from gin_sim.engine.pricing import next_dealer
from gin_sim.engine.table import rule_record
from gin_sim.rules import NOBODY, Rules

_SQUARE = 5  # scores of either side that are solved together


class Places(NamedTuple):
    """Where the states of a game lie in an array: scores, and box differences that they allow.

    A hand that is won scores a point at least, so a side with ``n`` points has won 1 to ``n``
    hands, and none with none.  State (mine, theirs, difference) lies at
    ``origins[mine, theirs] + difference``; where boxes play no part the difference is always 0.

    Parameters
    ----------
    lows, highs : int64 arrays, shape (target, target)
        Least and greatest box difference by score.
    origins : int64 array, shape (target, target)
    n : int
        States.
    """

    lows: np.ndarray
    highs: np.ndarray
    origins: np.ndarray
    n: int


def places_of(target: int, boxed: bool, window: tuple[int, int] | None = None) -> Places:
    """Return the places of all states of a game.

    Parameters
    ----------
    target : int
    boxed : bool
        Whether the box difference is part of the state.
    window : pair of int, optional
        Box differences to keep, in place of all; beyond, the nearest one kept stands for a state.
    """
    mine, theirs = np.ogrid[:target, :target]
    lows = (mine > 0) - theirs if boxed else np.zeros((target, target), np.int64)
    highs = mine - (theirs > 0) if boxed else lows
    if window is not None and boxed:
        lows, highs = np.maximum(lows, window[0]), np.minimum(highs, window[1])
    sizes = np.maximum(highs - lows + 1, 0)
    starts = np.cumsum(sizes.ravel()) - sizes.ravel()
    origins = starts.reshape(sizes.shape) - lows
    return Places(lows.astype(np.int64), highs.astype(np.int64), origins, int(sizes.sum()))


class Chances(NamedTuple):
    """How a hand ends, by the class of the score and the dealer.

    Parameters
    ----------
    won : float64 array, shape (classes, 2, 2, points + 1)
        By who deals, who wins and what that counts towards the target.
    nobody : float64 array, shape (classes, 2)
    """

    won: np.ndarray
    nobody: np.ndarray


def solve_backward(
    chances: Chances, classes: np.ndarray, ends: np.ndarray, box: int, places: Places, rules: Rules
) -> np.ndarray:
    """Return the worth to side 0 of every state of a game.

    Parameters
    ----------
    chances : Chances
    classes : int64 array, shape (target, target)
        Class of each score.
    ends : float64 array, shape (measures, 2, 2, 5)
        By measure, the value of a finished game by the winner of its last hand, by whether the
        other has won a hand, and by the lead of that winner: a lead of 1, each further point, 0, a
        deficit of 1, each further point.
    box : int
        Added to the lead for each hand won beyond the points; 0 where none is or they count.
    places : Places
    rules : Rules

    Returns
    -------
    float64 array, shape (2, places.n, measures)
        By the side that deals the next hand, by state and by measure.
    """
    values = np.zeros((2, places.n, len(ends)))
    # Chances of so many points or more, and the same weighted by the points.
    tails = np.zeros((2, *chances.won.shape[:-1], chances.won.shape[-1] + 1))
    weighted = chances.won * np.arange(chances.won.shape[-1])
    for row, terms in zip(tails, (chances.won, weighted), strict=True):
        row[..., :-1] = np.cumsum(terms[..., ::-1], axis=-1)[..., ::-1]
    run_kernel(
        _fill_backward,
        *(chances, tails[0], tails[1], classes, ends, box, places, rule_record(rules)),
        values.reshape(2, -1),
    )
    return values


@jit
def _fill_backward(chances, tails, weighted, classes, ends, box, places, rules, values):
    """Fill the values of every state; see :func:`solve_backward`.

    The measures of a state lie side by side, so that a row of box differences is one long row.
    Scores are taken by squares: what one row of a square reads is then still in the processor's
    cache when the next row reads it.
    """
    won = chances.won
    lows, highs, origins = places.lows, places.highs, places.origins
    target = len(classes)
    n_squares = (target + _SQUARE - 1) // _SQUARE
    many = len(ends)
    sums = np.zeros((2, 2 * target * many))
    for square in range(n_squares * n_squares - 1, -1, -1):
        first_mine = square // n_squares * _SQUARE
        first_theirs = square % n_squares * _SQUARE
        for place in range(_SQUARE * _SQUARE - 1, -1, -1):
            mine, theirs = first_mine + place // _SQUARE, first_theirs + place % _SQUARE
            if mine >= target or theirs >= target:
                continue
            low = lows[mine, theirs]
            n = highs[mine, theirs] - low + 1
            if n <= 0:
                continue
            group = classes[mine, theirs]
            for dealer in range(2):
                out = sums[dealer]
                out[: n * many] = 0
                after = values[next_dealer(dealer, 0, rules)]
                for points in range(1, min(target - mine, won.shape[3])):
                    chance = won[group, dealer, 0, points]
                    if chance > 0:
                        i, j = mine + points, theirs
                        shift = low + 1
                        _add(
                            out, n, many, shift, chance, after,
                            lows[i, j], highs[i, j], origins[i, j],
                        )  # fmt: skip
                after = values[next_dealer(dealer, 1, rules)]
                for points in range(1, min(target - theirs, won.shape[3])):
                    chance = won[group, dealer, 1, points]
                    if chance > 0:
                        i, j = mine, theirs + points
                        shift = low - 1
                        _add(
                            out, n, many, shift, chance, after,
                            lows[i, j], highs[i, j], origins[i, j],
                        )  # fmt: skip
                for winner in range(2):
                    lead = mine - theirs if winner == 0 else theirs - mine
                    first = target - (mine if winner == 0 else theirs)
                    other_won = int((theirs if winner == 0 else mine) > 0)
                    if winner == 0:
                        lead, step = lead + box * (low + 1), box
                    else:
                        lead, step = lead + box * (1 - low), -box
                    if first >= won.shape[3]:
                        continue
                    _add_finished(
                        out, n,
                        won[group, dealer, winner],
                        tails[group, dealer, winner],
                        weighted[group, dealer, winner],
                        first, lead, step, ends[:, winner, other_won],
                    )  # fmt: skip
            start = (origins[mine, theirs] + low) * many
            _settle_washes(
                values, start, n * many, sums,
                chances.nobody[group, 0], chances.nobody[group, 1], rules,
            )  # fmt: skip


@jit_inline
def _add(out, n, many, first, chance, after, low, high, origin):
    """Add what a result leads to, for a row of box differences that begins with ``first``.

    A difference beyond those that are kept is taken for the nearest.
    """
    if high < low:
        return
    begin = max(0, low - first)
    end = max(begin, min(n, high - first + 1))
    # Slices count from 0, so that the loop needs no test for negative places and is vectorised.
    row = out[begin * many : end * many]
    terms = after[(origin + first + begin) * many : (origin + first + end) * many]
    for place in range(len(row)):
        row[place] += chance * terms[place]
    for d in range(begin):
        for measure in range(many):
            out[d * many + measure] += chance * after[(origin + low) * many + measure]
    for d in range(end, n):
        for measure in range(many):
            out[d * many + measure] += chance * after[(origin + high) * many + measure]


@jit_inline
def _add_finished(out, n, chances, tails, weighted, first, lead, step, ends):
    """Add what the results that end the game lead to, for a row of box differences.

    They are ``first`` points of the winner or more; its lead before them is ``lead``, and ``step``
    more for each further box difference.
    """
    many = len(ends)
    for d in range(n):
        sums_of = _at_the_end(chances, tails, weighted, first, lead + step * d)
        for measure in range(many):
            for part in range(5):
                out[d * many + measure] += ends[measure, part] * sums_of[part]


@jit_inline
def _at_the_end(chances, tails, weighted, first, lead):
    """Return what the value of a finished game is multiplied by, over the results that end it.

    They are ``first`` points of the winner or more; ``lead`` is the winner's before the points, the
    box of the hand counted.  The worth is linear in the lead on either side of 0, so that sums of
    chances and of points are enough: the chance to be ahead, the points ahead beyond the first,
    the chance of a tie, the chance to be behind, the points behind beyond the first.
    """
    beyond = len(chances)
    ahead = min(max(first, 1 - lead), beyond)
    behind = min(max(first, -lead), beyond)
    even = chances[-lead] if first <= -lead < beyond else 0.0
    share = tails[first] - tails[behind]
    points = weighted[first] - weighted[behind]
    more = (lead - 1) * tails[ahead] + weighted[ahead]
    return tails[ahead], more, even, share, -(lead + 1) * share - points


@jit_inline
def _settle_washes(values, start, n, sums, nobody_0, nobody_1, rules):
    """Write a row of values: what hands that are won lead to, and hands that nobody wins."""
    stays_0 = next_dealer(0, NOBODY, rules) == 0
    for d in range(n):
        if stays_0:
            values[0, start + d] = sums[0, d] / (1 - nobody_0)
            values[1, start + d] = sums[1, d] / (1 - nobody_1)
        else:
            whole = 1 - nobody_0 * nobody_1
            values[0, start + d] = (sums[0, d] + nobody_0 * sums[1, d]) / whole
            values[1, start + d] = (sums[1, d] + nobody_1 * sums[0, d]) / whole


#: What is run from here, for :func:`gin_sim.engine.reach.to_compile`.
KERNELS = (_fill_backward,)
