"""When to knock: the best rule against a fixed opponent, by backward induction over traced paths.

A rule is a table: by own turn, deadwood and one class of what the mover sees, knock or go on.  It
is fitted on paths on which the player never knocks but for gin, so that every knock's score is
known and going on is worth what the rule for later turns makes of it.

Each figure of the rule rests on paths that did not choose it: the deals fall into two halves, and
each half judges the rule of the other.  So a rule's value is unbiased for that rule, and at most
the best rule's; what going on is worth in a cell is a little low for the same reason, by what the
halves' rules lack to the best.
"""

from __future__ import annotations

import math
import threading
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from gin_sim.analysis.inductions import follow, respond
from gin_sim.analysis.stats import Estimate, t_quantile
from gin_sim.engine.address import noting_exceptions
from gin_sim.engine.jit import run_kernel
from gin_sim.errors import InputError
from gin_sim.policies.contract import suspects
from gin_sim.policies.knocking import MAX_TABLE_DEADWOOD, TABLE_TURNS
from gin_sim.rules import Rules
from gin_sim.simulate.run import available_cores
from gin_sim.simulate.traces import TracePlan

_CHUNK_DEALS = 4096
#: Knocks with which a cell is decided by itself; one with fewer does as its turn and deadwood do in
#: all classes together, or else as the next lower deadwood.
AT_LEAST = 20
#: Knocks below which a cell's figures are not shown.
SHOWN_FROM = 50
_PASSES = 6
_MOST_BY_UPCARD = 10  # the value of a ten or a face card


@dataclass(frozen=True)
class Classes:
    """A class of what the mover sees, by which a rule may differ.

    Parameters
    ----------
    name, meaning : str
    names : tuple of str
        Of the classes.
    bounds : tuple of int
        First number of each class but the first; none for one class.
    field : str
        Of a traced knock; empty for no class.
    """

    name: str
    meaning: str
    names: tuple[str, ...] = ("all",)
    bounds: tuple[int, ...] = ()
    field: str = ""

    def of(self, knocks: np.ndarray) -> np.ndarray:
        """Return the class of each traced knock."""
        if not self.field:
            return np.zeros(len(knocks), np.int64)
        return np.searchsorted(np.array(self.bounds), knocks[self.field], side="right")


CLASSES = {
    each.name: each
    for each in (
        Classes("outs", "cards that would give gin", ("0", "1-2", "3+"), (1, 3), "outs"),
        Classes("none", "own turn and deadwood alone"),
        Classes("takes", "cards the opponent took", ("0", "1", "2", "3+"), (1, 2, 3), "takes"),
        Classes("loose", "loose cards", ("1", "2", "3", "4+"), (2, 3, 4), "loose"),
        Classes(
            "lower", "cards that would lower the deadwood", ("0-3", "4-8", "9+"), (4, 9), "lower"
        ),
    )
}


@dataclass(frozen=True)
class Traced:
    """Paths of a plan, all of them or, cut short, its first.

    Parameters
    ----------
    plan : TracePlan
    knocks, ends : record arrays of KNOCK and END
    seen : int64 array
        See :meth:`TracePlan.trace`.
    partial : bool
    """

    plan: TracePlan
    knocks: np.ndarray
    ends: np.ndarray
    seen: np.ndarray
    partial: bool = False

    @cached_property
    def starts(self) -> np.ndarray:
        """First knock of each path, and the number of knocks; int64."""
        counts = np.bincount(self.knocks["path"], minlength=len(self.ends))
        return np.concatenate([[0], np.cumsum(counts)]).astype(np.int64)

    @property
    def half(self) -> np.ndarray:
        """To which half each path belongs, 0 or 1; each has deals of either dealer."""
        return np.arange(len(self.ends)) >> 1 & 1


def trace(
    plan: TracePlan,
    threads: int | None = None,
    stop: threading.Event | None = None,
    on_progress: Callable[[int], None] | None = None,
) -> Traced:
    """Trace the paths of a plan in threads, the same for any number of them.

    Parameters
    ----------
    plan : TracePlan
    threads : int, optional
        All cores by default.
    stop : threading.Event, optional
        Once set, what is finished is returned as partial.
    on_progress : callable, optional
        Called with the number of deals traced so far, in the calling thread.

    Raises
    ------
    InputError
        If a policy asks for an illegal step or a user's decision raises.
    """
    firsts = range(0, plan.deals, _CHUNK_DEALS)

    def chunk(first: int):
        if stop is not None and stop.is_set():
            return None
        return plan.trace(first, min(_CHUNK_DEALS, plan.deals - first))

    plan.trace(0, 0)
    with (
        noting_exceptions() as raised,
        ThreadPoolExecutor(threads or available_cores()) as pool,
    ):
        found = []
        for each in pool.map(chunk, firsts):
            found.append(each)
            if on_progress and each is not None:
                on_progress(min(len(found) * _CHUNK_DEALS, plan.deals))
    done = next((n for n, each in enumerate(found) if each is None), len(found))
    knocks, ends, seen, faults = zip(*(found[:done] or [plan.trace(0, 0)]), strict=True)
    if raised or sum(faults):
        reason = f"ended with {raised[0]}" if raised else "asked for an illegal step"
        raise InputError(
            f"{suspects(plan.policies)} {reason}; `gin-sim policies validate FILE` says where."
        )
    return Traced(plan, np.concatenate(knocks), np.concatenate(ends), sum(seen), done < len(found))


@dataclass(frozen=True)
class Worth:
    """What a result is worth, by points and by who won the hand.

    Parameters
    ----------
    box : float
        What a hand won counts for beside its points.
    """

    box: float = 0.0

    def of(self, results: np.ndarray) -> np.ndarray:
        """Return the worth of traced knocks or ends, float32."""
        worth = results["points"].astype(np.float32)
        return worth + np.float32(self.box) * results["won"] if self.box else worth


class Cells:
    """The cells of a rule: own turn, class and deadwood."""

    def __init__(self, classes: Classes, knock_limit: int) -> None:
        self.classes = classes
        self.shape = (TABLE_TURNS, len(classes.names), knock_limit + 1)

    @property
    def n(self) -> int:
        """How many there are."""
        return math.prod(self.shape)

    def of(self, knocks: np.ndarray) -> np.ndarray:
        """Return the cell of each traced knock, int32."""
        turn = np.minimum(knocks["turn"], TABLE_TURNS).astype(np.int64) - 1
        place = (turn * self.shape[1] + self.classes.of(knocks)) * self.shape[2]
        return (place + knocks["deadwood"]).astype(np.int32)


@dataclass(frozen=True)
class Paths:
    """Paths as the passes read them.

    Parameters
    ----------
    starts, sides, turns, cells, values, ends
        See :mod:`gin_sim.analysis.inductions`.
    """

    starts: np.ndarray
    sides: np.ndarray
    turns: np.ndarray
    cells: np.ndarray
    values: np.ndarray
    ends: np.ndarray

    @classmethod
    def of(cls, traced: Traced, cells: Cells, worth: Worth) -> Paths:
        """Return the paths of a trace."""
        knocks = traced.knocks
        return cls(
            traced.starts,
            np.ascontiguousarray(knocks["side"]),
            np.ascontiguousarray(knocks["turn"]),
            cells.of(knocks),
            worth.of(knocks),
            worth.of(traced.ends),
        )

    def some(self, wanted: np.ndarray) -> Paths:
        """Return the paths of a mask."""
        counts = np.diff(self.starts)
        kept = np.repeat(wanted, counts)
        starts = np.concatenate([[0], np.cumsum(counts[wanted])]).astype(np.int64)
        return Paths(
            starts,
            self.sides[kept],
            self.turns[kept],
            self.cells[kept],
            self.values[kept],
            self.ends[wanted],
        )


def best_response(
    paths: Paths, shape: tuple[int, ...], chances: np.ndarray, side: int = 0
) -> np.ndarray:
    """Return a rule for a side that is best, cell by cell, against the other's chances.

    Since a cell forgets how it was come to, another rule that differs in several cells at once may
    be a little better; on paths of real play the difference is in the thousandths of a point.

    A first pass takes every cell as it is met by whoever never knocked; later ones as the rule
    itself lets it come about, until the rule stands or stops gaining.  Cells with little data do as
    their turn and deadwood do in all classes together, or else as the next lower deadwood does.

    Parameters
    ----------
    paths : Paths
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
            *(paths.starts, paths.sides, paths.turns, paths.cells, paths.values, paths.ends),
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


def values_of(paths: Paths, chances: np.ndarray, rule: np.ndarray, side: int = 0) -> np.ndarray:
    """Return each path's value to side 0: a side follows a rule against the other's chances."""
    both = np.empty((2, len(rule)))
    both[side] = rule
    both[1 - side] = chances
    worth = np.zeros(len(paths.ends))
    run_kernel(
        follow,
        *(paths.starts, paths.sides, paths.cells, paths.values, paths.ends),
        *(both, worth, np.zeros(both.shape), np.zeros(both.shape)),
    )
    return worth


@dataclass(frozen=True)
class Cell:
    """What a knock is worth more than going on, where a rule meets it.

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
    def decision(self) -> str:
        """``knock``, ``go on``, ``too close`` to tell, or ``few`` knocks to tell from."""
        if math.isnan(self.gain.low):
            return "few"
        if self.gain.spans_zero:
            return "too close"
        return "knock" if self.gain.estimate > 0 else "go on"


@dataclass(frozen=True)
class Solved:
    """The best rule against an opponent.

    Parameters
    ----------
    traced : Traced
    classes : Classes
    rule : bool array, shape (turns, classes, deadwoods)
        Fitted on all paths.
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


def solve(traced: Traced, classes: Classes, worth: Worth) -> Solved:
    """Find the best rule of side 0 against the traced opponent.

    Parameters
    ----------
    traced : Traced
        Of a plan in which side 1 stops by its own rule.
    classes : Classes
    worth : Worth
    """
    cells = Cells(classes, knock_limit_of(traced.plan.rules))
    paths = Paths.of(traced, cells, worth)
    nobody = np.zeros(cells.n)
    values = np.empty(len(traced.ends))
    sums, squares, counts = (np.zeros(cells.n) for _ in range(3))
    for judged, judging, rule in halves_rules(paths, traced.half, cells.shape):
        values[judged] = values_of(judging, nobody, rule)
        for total, part in zip((sums, squares, counts), _gains(judging, rule), strict=True):
            total += part
    rule = best_response(paths, cells.shape, nobody)
    own = own_values(traced, worth)
    thresholds = values_by_threshold(traced, worth)
    best = max(thresholds, key=lambda sample: sample.mean())
    return Solved(
        traced,
        classes,
        rule.reshape(cells.shape),
        _chart(sums, squares, counts, cells.shape),
        values,
        mean_of(values),
        mean_of(own),
        tuple(map(mean_of, thresholds)),
        mean_of(values - own),
        mean_of(values - best),
    )


def knock_limit_of(rules: Rules) -> int:
    """Return the greatest deadwood that the rules ever allow a knock with.

    Raises
    ------
    InputError
        If that is beyond what a knock table knows.
    """
    limit = _MOST_BY_UPCARD if rules.knock_source == "upcard" else rules.knock_limit
    if limit > MAX_TABLE_DEADWOOD:
        raise InputError(
            f"{rules.name} rules allow a knock with up to {limit} pips, and a knock table knows "
            f"{MAX_TABLE_DEADWOOD} at most: lower knock_limit."
        )
    return limit


def _gains(paths: Paths, rule: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Return sums, squares and counts by cell of what a knock is worth more than going on.

    Only knocks that the rule comes to count; going on follows the rule.
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
    # What going on is worth: the first knock that the rule makes later, or the path's end.
    later = _value_after(paths, knocked)
    gain = (paths.values - later)[came].astype(np.float64)
    cells = paths.cells[came]
    return (
        np.bincount(cells, gain, n),
        np.bincount(cells, gain * gain, n),
        np.bincount(cells, minlength=n).astype(np.float64),
    )


def _value_after(paths: Paths, knocked: np.ndarray) -> np.ndarray:
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


def chosen_values(traced: Traced, worth: Worth, chosen: np.ndarray) -> np.ndarray:
    """Return each path's value, float64, where the first of the chosen knocks is made.

    Parameters
    ----------
    chosen : bool array, shape (knocks,)
    """
    values = worth.of(traced.ends).astype(np.float64)
    rows = np.flatnonzero(chosen)[::-1]
    path = np.searchsorted(traced.starts, rows, side="right") - 1
    values[path] = worth.of(traced.knocks[rows])
    return values


def own_values(traced: Traced, worth: Worth) -> np.ndarray:
    """Return each path's value under the base's own rule, float64."""
    return chosen_values(traced, worth, traced.knocks["knocks"] != 0)


def values_by_threshold(traced: Traced, worth: Worth) -> list[np.ndarray]:
    """Return each path's value under each single threshold, from 0 up to the limit."""
    return [
        chosen_values(traced, worth, traced.knocks["deadwood"] <= threshold)
        for threshold in range(knock_limit_of(traced.plan.rules) + 1)
    ]


def halves_rules(
    paths: Paths, half: np.ndarray, shape: tuple[int, ...]
) -> Iterator[tuple[np.ndarray, Paths, np.ndarray]]:
    """Yield each half's paths as a mask and by themselves, and the best rule on the other half."""
    nobody = np.zeros(math.prod(shape))
    for judge in (0, 1):
        judged = half == judge
        yield judged, paths.some(judged), best_response(paths.some(~judged), shape, nobody)


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
    reach = t_quantile(n - 1) * math.sqrt(variance / n)
    return Cell(Estimate(mean, mean - reach, mean + reach), n)


def mean_of(sample: np.ndarray) -> Estimate:
    """Return a sample's mean with Student's t interval."""
    n = len(sample)
    mean = float(sample.mean()) if n else math.nan
    if n < 2:
        return Estimate(mean, math.nan, math.nan)
    reach = t_quantile(n - 1) * float(sample.std(ddof=1)) / math.sqrt(n)
    return Estimate(mean, mean - reach, mean + reach)
