"""When to knock: the best rule against a fixed opponent, by backward induction over traced paths.

A rule is a table: by own turn, deadwood and one class of what the mover sees, knock or play on.  It
is fitted on paths on which the player never knocks except with gin, so that every knock's score is
known and playing on is worth what the rule for later turns makes of it.

Each figure of the rule rests on paths that did not choose it: the deals fall into two halves, and
each half judges the rule of the other.  So a rule's value is unbiased for that rule, and at most
the best rule's; what playing on is worth in a cell is a little low for the same reason, by what the
halves' rules lack to the best.

The rule to play is fitted on all deals, and then does what the cells that are clear say: where the
halves find a knock clearly better or worse, deals that did not choose are the better judge.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from gin_sim.engine.jit import run_kernel
from gin_sim.knock.cells import Cells, Classes, knock_limit_of, paths_of, some_paths
from gin_sim.knock.induction import PathArrays, follow, respond
from gin_sim.knock.tracing import Traced
from gin_sim.payoff.payoff import PriceTable
from gin_sim.results.knocks import SHOWN_FROM, Decision
from gin_sim.stats.intervals import Estimate, t_estimate

#: Knocks with which a cell is decided by itself; one with fewer does as its turn and deadwood do in
#: all classes together, or else as the next lower deadwood.
AT_LEAST = 20
_PASSES = 6


def best_response(
    paths: PathArrays, shape: tuple[int, ...], chances: np.ndarray, side: int = 0
) -> np.ndarray:
    """Return a rule for a side that is best, cell by cell, against the other's chances.

    Since a cell forgets how it was come to, another rule that differs in several cells at once may
    be a little better; on paths of real play the difference is in the thousandths of a point.

    A first pass takes every cell as it is met by a player who never knocked; later ones as the rule
    itself lets it come about, until the rule stands or stops gaining.  Cells with little data do as
    their turn and deadwood do in all classes together, or else as the next lower deadwood does.

    Parameters
    ----------
    paths : PathArrays
    shape : tuple of int
        Of the cells: turns, classes, deadwoods.
    chances : float64 array, shape (cells,)
        Of the other side.
    side : int

    Returns
    -------
    bool array, shape (cells,)
    """
    n_cells = math.prod(shape)
    sums, weights = np.zeros(n_cells), np.zeros(n_cells)
    worth = np.zeros(len(paths.ends))
    last_turn = int(paths.turns.max(initial=0))
    reached = np.zeros(n_cells, np.bool_)
    rule = np.zeros(n_cells, np.bool_)
    best, best_value = rule, -math.inf
    for _ in range(_PASSES):
        run_kernel(
            respond,
            paths,
            *(chances, side, last_turn, float(AT_LEAST), reached, sums, weights, rule, worth),
        )
        rule = _filled(rule, sums, weights, shape)
        value = float(values_of(paths, chances, rule, side).mean()) * (1 if side == 0 else -1)
        if value <= best_value:
            break
        best, best_value = rule, value
        if np.array_equal(reached, rule):
            break
        reached, rule = rule, rule.copy()
    return best


def _filled(
    rule: np.ndarray, sums: np.ndarray, weights: np.ndarray, shape: tuple[int, ...]
) -> np.ndarray:
    """Return a rule with an answer for cells of too little weight; see :func:`best_response`."""
    rule, sums, weights = (array.reshape(shape) for array in (rule.copy(), sums, weights))
    together = weights.sum(axis=1, keepdims=True)
    in_all = sums.sum(axis=1, keepdims=True) > 0
    for deadwood in range(1, shape[2]):
        below = rule[:, :, deadwood - 1]
        known = together[:, :, deadwood] >= AT_LEAST
        instead = np.where(known, in_all[:, :, deadwood], below)
        thin = weights[:, :, deadwood] < AT_LEAST
        rule[:, :, deadwood] = np.where(thin, instead, rule[:, :, deadwood])
    return rule.reshape(-1)


def values_of(
    paths: PathArrays, chances: np.ndarray, rule: np.ndarray, side: int = 0
) -> np.ndarray:
    """Return each path's value to side 0: a side follows a rule against the other's chances."""
    both = np.empty((2, len(rule)))
    both[side] = rule
    both[1 - side] = chances
    worth = np.zeros(len(paths.ends))
    run_kernel(
        follow,
        paths,
        *(both, worth, np.zeros(both.shape), np.zeros(both.shape)),
    )
    return worth


@dataclass(frozen=True)
class Cell:
    """How much more a knock is worth than playing on, where a rule meets it.

    Parameters
    ----------
    gain : Estimate
        A hand; without an interval where there are too few knocks.
    n : int
        Knocks that it rests on.
    """

    gain: Estimate
    n: int

    @property
    def decision(self) -> Decision:
        """``knock``, ``play on``, ``too close`` to call, or ``few``: too few knocks."""
        if math.isnan(self.gain.low):
            return "few"
        if self.gain.spans_zero:
            return "too close"
        return "knock" if self.gain.estimate > 0 else "play on"


@dataclass(frozen=True)
class Solved:
    """The best rule against an opponent.

    Parameters
    ----------
    traced : Traced
    classes : Classes
    rule : bool array, shape (turns, classes, deadwoods)
        Fitted on all paths; where the chart's decision is clear, that decision.
    chart : tuple of tuples of tuples of Cell
        By turn, class and deadwood from 1, judged by paths that did not choose the rule.
    values : float64 array, shape (paths,)
        Of each path, under the rule of the half that it does not belong to.
    value : Estimate
        Their mean.
    own : Estimate
        Of the base's own rule.
    thresholds : tuple of Estimate
        Of a single threshold for all turns, 0 up to the limit.
    gain : Estimate
        The value less the own rule's, on the same paths.
    over_best_threshold : Estimate
        The value less that of the threshold which does best on all paths: that was chosen on them,
        which is a little to its favour.
    prices : PriceTable
        What results were priced by.
    """

    traced: Traced
    classes: Classes
    rule: np.ndarray
    chart: tuple[tuple[tuple[Cell, ...], ...], ...]
    values: np.ndarray
    value: Estimate
    own: Estimate
    thresholds: tuple[Estimate, ...]
    gain: Estimate
    over_best_threshold: Estimate
    prices: PriceTable


def solve(traced: Traced, classes: Classes, prices: PriceTable) -> Solved:
    """Find the best rule of side 0 against the traced opponent.

    Parameters
    ----------
    traced : Traced
        Of a plan in which side 1 stops by its own rule.
    classes : Classes
    prices : PriceTable
    """
    cells = Cells(classes, knock_limit_of(traced.plan.rules))
    paths = paths_of(traced, cells, prices)
    nobody = np.zeros(cells.n)
    values = np.empty(len(traced.ends))
    sums, squares, counts = (np.zeros(cells.n) for _ in range(3))
    for judged, judging, rule in halves_rules(paths, traced.half, cells.shape):
        values[judged] = values_of(judging, nobody, rule)
        for total, part in zip((sums, squares, counts), _gains(judging, rule), strict=True):
            total += part
    chart = _chart(sums, squares, counts, cells.shape)
    rule = best_response(paths, cells.shape, nobody).reshape(cells.shape)
    own = own_values(traced, prices)
    thresholds, best = _judged_thresholds(traced, prices)
    return Solved(
        traced,
        classes,
        _agreeing(rule, chart),
        chart,
        values,
        mean_of(values),
        mean_of(own),
        thresholds,
        mean_of(values - own),
        mean_of(values - best),
        prices,
    )


def _agreeing(rule: np.ndarray, chart: tuple[tuple[tuple[Cell, ...], ...], ...]) -> np.ndarray:
    """Return a rule that does what a chart says wherever that is clear."""
    decisions = np.array([[[cell.decision for cell in row] for row in turn] for turn in chart])
    agreed = rule.copy()
    agreed[:, :, 1:][decisions == "knock"] = True
    agreed[:, :, 1:][decisions == "play on"] = False
    return agreed


def _gains(paths: PathArrays, rule: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Return sums, squares and counts by cell of how much more a knock is worth than playing on.

    Only knocks that the rule comes to count; playing on follows the rule.
    """
    n = len(rule)
    if not len(paths.cells):
        return np.zeros(n), np.zeros(n), np.zeros(n)
    counts = np.diff(paths.starts)
    knocked = rule[paths.cells]
    # Knocks of the same path before this one.
    before = np.cumsum(knocked) - knocked
    before -= np.repeat(before[np.minimum(paths.starts[:-1], len(before) - 1)], counts)
    came = before == 0
    # What playing on is worth: the first knock that the rule makes later, or the path's end.
    later = _value_after(paths, knocked)
    gain = (paths.values - later)[came].astype(np.float64)
    cells = paths.cells[came]
    return (
        np.bincount(cells, gain, n),
        np.bincount(cells, gain * gain, n),
        np.bincount(cells, minlength=n).astype(np.float64),
    )


def _value_after(paths: PathArrays, knocked: np.ndarray) -> np.ndarray:
    """Return for each knock what its path is worth if it is not made: paths of side 0 alone."""
    n = len(knocked)
    counts = np.diff(paths.starts)
    end = np.repeat(paths.starts[1:], counts)
    # The next knock that the rule makes, or n.
    following = np.full(n + 1, n)
    places = np.where(knocked, np.arange(n), n)
    following[:n] = np.minimum.accumulate(places[::-1])[::-1]
    after = following[1:]
    own_end = np.repeat(paths.ends, counts)
    return np.where(after < end, paths.values[np.minimum(after, max(n - 1, 0))], own_end)


def chosen_values(traced: Traced, prices: PriceTable, chosen: np.ndarray) -> np.ndarray:
    """Return each path's value, float64, where the first of the chosen knocks is made.

    Parameters
    ----------
    chosen : bool array, shape (knocks,)
    """
    values = prices.of_ends(traced.ends).astype(np.float64)
    rows = np.flatnonzero(chosen)[::-1]
    path = np.searchsorted(traced.starts, rows, side="right") - 1
    values[path] = prices.of_knocks(traced.knocks[rows])
    return values


def own_values(traced: Traced, prices: PriceTable) -> np.ndarray:
    """Return each path's value under the base's own rule, float64."""
    return chosen_values(traced, prices, traced.knocks["knocks"] != 0)


def values_by_threshold(traced: Traced, prices: PriceTable) -> Iterator[np.ndarray]:
    """Yield each path's value under each single threshold, from 0 up to the limit."""
    values = prices.of_knocks(traced.knocks)
    ends = prices.of_ends(traced.ends).astype(np.float64)
    for threshold in range(knock_limit_of(traced.plan.rules) + 1):
        rows = np.flatnonzero(traced.knocks["deadwood"] <= threshold)[::-1]
        found = ends.copy()
        # Backward along each path, so that its first knock stands.
        found[traced.knocks["path"][rows]] = values[rows]
        yield found


def _judged_thresholds(
    traced: Traced, prices: PriceTable
) -> tuple[tuple[Estimate, ...], np.ndarray]:
    """Return what every single threshold is worth, and the path values of the best one."""
    figures, best = [], None
    for values in values_by_threshold(traced, prices):
        figures.append(mean_of(values))
        if best is None or figures[-1].estimate > best.mean():
            best = values
    return tuple(figures), best


def halves_rules(
    paths: PathArrays, half: np.ndarray, shape: tuple[int, ...]
) -> Iterator[tuple[np.ndarray, PathArrays, np.ndarray]]:
    """Yield each half's paths as a mask and by themselves, and the best rule on the other half."""
    nobody = np.zeros(math.prod(shape))
    for judge in (0, 1):
        judged = half == judge
        yield (
            judged,
            some_paths(paths, judged),
            best_response(some_paths(paths, ~judged), shape, nobody),
        )


def _chart(sums, squares, counts, shape) -> tuple:
    figures = [
        _cell(float(total), float(square), int(count))
        for total, square, count in zip(sums, squares, counts, strict=True)
    ]
    turns, classes, deadwoods = shape
    return tuple(
        tuple(
            tuple(
                figures[(turn * classes + number) * deadwoods + deadwood]
                for deadwood in range(1, deadwoods)
            )
            for number in range(classes)
        )
        for turn in range(turns)
    )


def _cell(total: float, square: float, n: int) -> Cell:
    if not n:
        return Cell(Estimate(math.nan, math.nan, math.nan), 0)
    mean = total / n
    if n < SHOWN_FROM:
        return Cell(Estimate(mean, math.nan, math.nan), n)
    variance = max(0.0, (square - n * mean**2) / (n - 1))
    return Cell(t_estimate(mean, math.sqrt(variance / n), n - 1), n)


def mean_of(sample: np.ndarray) -> Estimate:
    """Return a sample's mean with Student's t interval."""
    n = len(sample)
    mean = float(sample.mean()) if n else math.nan
    if n < 2:
        return Estimate(mean, math.nan, math.nan)
    return t_estimate(mean, float(sample.std(ddof=1)) / math.sqrt(n), n - 1)
