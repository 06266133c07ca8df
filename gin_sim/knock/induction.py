"""Backward induction over traced paths: the compiled passes of best responses and equilibria.

A rule of the knock gives each cell, a set of knocks that it treats alike, a chance to knock.
Values are to side 0, a knock's to its mover.  A path is a stretch of knocks, first to last; what
cells mean is for the caller to say.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from gin_sim.engine.jit import jit


class PathArrays(NamedTuple):
    """Traced paths as the passes read them.

    Parameters
    ----------
    starts : int64 array, shape (paths + 1,)
        First knock of each path, and the number of knocks.
    sides, turns, cells : uint8, uint8 and int32 arrays, shape (knocks,)
        Who may knock, on which own turn, and in which cell.
    values : float32 or float64 array, shape (knocks,)
        Of a knock, to its mover.
    ends : float32 or float64 array, shape (paths,)
        Of a path on which nobody knocks, to side 0.
    """

    starts: np.ndarray
    sides: np.ndarray
    turns: np.ndarray
    cells: np.ndarray
    values: np.ndarray
    ends: np.ndarray


@jit
def follow(paths, chances, worth, gains, reaches):
    """Follow a rule for both sides on each path, and see what other decisions would have gained.

    Parameters
    ----------
    paths : PathArrays
    chances : float64 array, shape (2, cells)
        To knock, by side and cell.
    worth : float64 array, shape (paths,)
        Filled: the value of each path.
    gains : float64 array, shape (2, cells)
        Added to: what a knock is worth more than playing on, times the chance that the other side
        and the mover's own earlier decisions let it come so far; the second is taken as 1/1000 at
        least, so that a cell that the rule does not reach is not forgotten.
    reaches : float64 array, shape (2, cells)
        Added to: the chance that the mover's own earlier decisions let it come so far.
    """
    starts, sides, cells = paths.starts, paths.sides, paths.cells
    values, ends = paths.values, paths.ends
    own = np.empty(256)
    other = np.empty(256)
    for path in range(len(ends)):
        first, last = starts[path], starts[path + 1]
        stay_0 = 1.0
        stay_1 = 1.0
        for knock in range(first, last):
            place = knock - first
            cell = cells[knock]
            if sides[knock] == 0:
                own[place] = stay_0
                other[place] = stay_1
                stay_0 *= 1.0 - chances[0, cell]
            else:
                own[place] = stay_1
                other[place] = stay_0
                stay_1 *= 1.0 - chances[1, cell]
        value = np.float64(ends[path])
        for knock in range(last - 1, first - 1, -1):
            place = knock - first
            cell = cells[knock]
            side = sides[knock]
            sign = 1.0 if side == 0 else -1.0
            gain = values[knock] - sign * value
            gains[side, cell] += other[place] * max(own[place], 1e-3) * gain
            reaches[side, cell] += own[place]
            value += sign * chances[side, cell] * gain
        worth[path] = value


@jit
def respond(paths, chances, side, last_turn, at_least, reached, sums, weights, rule, worth):
    """Find the best rule for a side against the other's chances, from the last turn to the first.

    Parameters
    ----------
    paths : PathArrays
    chances : float64 array, shape (cells,)
        Of the other side.
    side : int64
        Who responds.
    last_turn : int64
        Greatest own turn of any knock.
    at_least : float64
        Weight with which a cell is decided; one with less does what ``rule`` says.
    reached : bool array, shape (cells,)
        The rule of an earlier pass: only knocks that it would have come to decide.  All False for
        the first pass.
    sums, weights : float64 arrays, shape (cells,)
        Filled: what a knock is worth more than playing on, over the knocks that decide, weighted by
        the chance that the other side lets the responder come so far; and the weights.
    rule : bool array, shape (cells,)
        In: what cells of too little weight do.  Out: the rule, a knock where it gains on average.
    worth : float64 array, shape (paths,)
        Filled: the value of each path to side 0 under the rule.
    """
    starts, sides, turns, cells = paths.starts, paths.sides, paths.turns, paths.cells
    values, ends = paths.values, paths.ends
    n_paths = len(ends)
    stay = np.empty(len(cells), np.float32)
    place = np.empty(n_paths, np.int64)
    sums[:] = 0.0
    weights[:] = 0.0
    for path in range(n_paths):
        still = 1.0
        mine = 1.0
        for knock in range(starts[path], starts[path + 1]):
            if sides[knock] == side:
                stay[knock] = still * mine
                if reached[cells[knock]]:
                    mine = 0.0
            else:
                still *= 1.0 - chances[cells[knock]]
        place[path] = starts[path + 1] - 1
        worth[path] = ends[path]
    own = 1.0 if side == 0 else -1.0
    for turn in range(last_turn, 0, -1):
        for path in range(n_paths):
            # Pass what comes after this turn: knocks of the other side.
            knock = place[path]
            first = starts[path]
            while knock >= first and sides[knock] != side:
                worth[path] -= chances[cells[knock]] * (own * values[knock] + worth[path])
                knock -= 1
            place[path] = knock
            if knock >= first and turns[knock] == turn:
                cell = cells[knock]
                gain = values[knock] - own * worth[path]
                weight = stay[knock]
                sums[cell] += weight * gain
                weights[cell] += weight
        for path in range(n_paths):
            knock = place[path]
            if knock >= starts[path] and turns[knock] == turn:
                cell = cells[knock]
                if weights[cell] >= at_least:
                    rule[cell] = sums[cell] > 0.0
                if rule[cell]:
                    worth[path] = own * values[knock]
                place[path] = knock - 1
    for path in range(n_paths):
        for knock in range(place[path], starts[path] - 1, -1):
            worth[path] -= chances[cells[knock]] * (own * values[knock] + worth[path])
