"""When to knock against one who draws alike and knocks alike: a mixed rule nobody gains by leaving.

The game is on traced paths: each deal's path is fixed by the play, and a rule of the knock decides
where it ends.  Both players follow one mixed rule, a chance to knock for each cell; at a score that
is not even each has a rule of its own.  Its exploitability is what the best response to it gains a
hand, found on one half of the deals and judged on the other.  An equilibrium here is one of the
knock game for the given draws and discards, not of gin rummy.
"""

from __future__ import annotations

import threading
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass

import numpy as np

from gin_sim.engine.jit import run_kernel
from gin_sim.knock.best_response import best_response, mean_of, values_of
from gin_sim.knock.cells import Cells, Classes, knock_limit_of, paths_of, some_paths
from gin_sim.knock.induction import PathArrays, follow
from gin_sim.knock.tracing import Traced
from gin_sim.payoff.payoff import PriceTable
from gin_sim.play.run import available_cores
from gin_sim.stats.intervals import Estimate

#: Points per hand below which the best response's gain counts as nothing.
ENOUGH = 0.05
_CHECKED = (5, 10, 20)  # rounds, and then every 20th
_MOST_ROUNDS = 400
# It has settled where so many measurements in a row bring less than this, in points per hand.
_PATIENCE, _STEP = 3, 0.003
_PARTS = 8


@dataclass(frozen=True)
class Step:
    """How far the mixed rule is after some rounds.

    Parameters
    ----------
    rounds : int
    exploitability : Estimate
        What the best response gains per hand, judged on deals that chose neither it nor the mixed
        rule: a little low, since the answer was fitted on others.
    at_most : Estimate
        The same judged on the deals that chose it: a little high.
    """

    rounds: int
    exploitability: Estimate
    at_most: Estimate


@dataclass(frozen=True)
class MixedRule:
    """How often a side knocks.

    Parameters
    ----------
    chances : float64 array, shape (turns, classes, deadwoods)
        To knock.
    weights : float64 array, same shape
        Knocks that the rule comes to, in the half of the deals that it was fitted on.
    """

    chances: np.ndarray
    weights: np.ndarray


@dataclass(frozen=True)
class Equilibrium:
    """A mixed rule of the knock and how near it is to an equilibrium.

    Parameters
    ----------
    traced : Traced
    classes : Classes
    sides : pair of MixedRule
        Of either side; the same twice where the score is even.
    steps : tuple of Step
        As it converged.
    value : Estimate
        Of a hand to side 0 where both follow the rule: what the seats and the score are worth.
    prices : PriceTable
        What results were priced by.
    """

    traced: Traced
    classes: Classes
    sides: tuple[MixedRule, MixedRule]
    steps: tuple[Step, ...]
    value: Estimate
    prices: PriceTable

    @property
    def chances(self) -> np.ndarray:
        """Of side 0 to knock."""
        return self.sides[0].chances

    @property
    def weights(self) -> np.ndarray:
        """Knocks that side 0's rule comes to."""
        return self.sides[0].weights

    @property
    def is_even(self) -> bool:
        """Whether one rule serves both sides."""
        return self.sides[0] is self.sides[1]

    @property
    def best(self) -> Step:
        """The step of the rule: the one that its best response gains least from, at most."""
        return _best(self.steps)


def equilibrium(
    traced: Traced,
    classes: Classes,
    prices: PriceTable,
    threads: int | None = None,
    stop: threading.Event | None = None,
) -> Iterator[Equilibrium]:
    """Yield the best mixed rule so far each time that one is measured, until that settles.

    Regret matching+ (Tammelin, "Solving large imperfect information games using CFR+", arXiv
    1407.5042, 2014), which converges faster than fictitious play: each round every cell's regret
    for not having knocked, or played on, is added up, never below 0, and the next rule knocks in
    proportion.  The mixed rule is the average of the rounds' rules, later ones weighing more.

    Parameters
    ----------
    traced : Traced
        Of a plan in which neither side stops, and both draw and discard alike.
    classes : Classes
    prices : PriceTable
    threads : int, optional
        All cores by default.  The result does not depend on it.
    stop : threading.Event, optional
        Once set, no more is yielded than a first rule, where there is none yet.
    """
    cells = Cells(classes, knock_limit_of(traced.plan.rules))
    parts, judged = _fitted_and_judged(paths_of(traced, cells, prices.centred()), traced.half)
    # A row for each side's rule, or one for both.
    shape = (1 if prices.is_even else 2, cells.n)
    knock, play_on = np.zeros(shape), np.zeros(shape)  # regrets
    chances = np.full(shape, 0.5)
    averaged, weighed = np.zeros(shape), np.zeros(shape)
    steps: list[Step] = []
    best = chances
    with ThreadPoolExecutor(threads or available_cores()) as pool:
        for rounds in range(1, _MOST_ROUNDS + 1):
            hurried = stop if steps else None  # a first rule is measured in any case
            if _is_set(hurried):
                return
            gains, reaches = _round(pool, parts, chances)
            averaged += rounds**2 * reaches * chances
            weighed += rounds**2 * reaches
            # A knock gains this more than playing on: more than the mix by the chance of the other.
            knock = np.maximum(knock + gains * (1 - chances), 0)
            play_on = np.maximum(play_on - gains * chances, 0)
            total = knock + play_on
            chances = np.divide(knock, total, out=np.full(shape, 0.5), where=total > 0)
            if rounds not in _CHECKED and rounds % 20:
                continue
            mixed = np.divide(averaged, weighed, out=np.zeros(shape), where=weighed > 0)
            step = _measured(pool, judged, cells.shape, mixed, rounds, hurried)
            if step is None:
                return
            steps.append(step)
            if step is _best(steps):
                best = mixed
            _, reached = _round(pool, parts, best)
            value = mean_of(values_of(judged[0], best[-1], best[0])).raised(prices.level)
            sides = _sides(best, reached, cells.shape)
            yield Equilibrium(traced, classes, sides, tuple(steps), value, prices)
            if _settled(steps):
                return


def _sides(
    chances: np.ndarray, weights: np.ndarray, shape: tuple[int, ...]
) -> tuple[MixedRule, MixedRule]:
    """Return either side's rule, the same twice where there is one row."""
    rules = [
        MixedRule(chance.reshape(shape), weight.reshape(shape))
        for chance, weight in zip(chances, weights, strict=True)
    ]
    return rules[0], rules[-1]


def _is_set(stop: threading.Event | None) -> bool:
    return stop is not None and stop.is_set()


def _best(steps: Sequence[Step]) -> Step:
    return min(steps, key=lambda step: step.at_most.estimate)


def _settled(steps: list[Step]) -> bool:
    """Return whether the latest steps no longer bring the rule nearer to an equilibrium."""
    if len(steps) <= _PATIENCE:
        return False
    before = min(step.at_most.estimate for step in steps[:-_PATIENCE])
    return before - min(step.at_most.estimate for step in steps[-_PATIENCE:]) < _STEP


def exploitability(
    fitted: PathArrays, judged: PathArrays, shape: tuple[int, ...], chances: np.ndarray
) -> Estimate:
    """Return what the best response found to a mixed rule gains per hand, over both sides.

    Parameters
    ----------
    fitted, judged : PathArrays
        Those that choose the answer, and those that judge it.
    shape : tuple of int
        Of the cells.
    chances : float64 array, shape (cells,) or (2, cells)
        Of the mixed rule, or of either side's.
    """
    chances = np.atleast_2d(chances)
    gains = [_answer_gain(fitted, judged, shape, chances, side) for side in (0, 1)]
    return mean_of((gains[0] + gains[1]) / 2)


def _answer_gain(
    fitted: PathArrays, judged: PathArrays, shape: tuple[int, ...], chances: np.ndarray, side: int
) -> np.ndarray:
    """Return what a side's best response gains on each judged path, to rules in rows."""
    theirs = chances[0 if side else -1]
    answer = best_response(fitted, shape, theirs, side)
    gain = values_of(judged, theirs, answer, side) - values_of(judged, chances[-1], chances[0])
    return gain if side == 0 else -gain


def _measured(
    pool: ThreadPoolExecutor,
    judged: Sequence[PathArrays],
    shape: tuple[int, ...],
    chances: np.ndarray,
    rounds: int,
    stop: threading.Event | None,
) -> Step | None:
    """Return how far a mixed rule is, or None where that was stopped.

    Parameters
    ----------
    judged : three PathArrays
        Those that did not choose the rule, and two quarters of them all: each chooses the answer
        that the other judges.
    """
    whole, *quarters = judged
    meetings = [(whole, whole), tuple(quarters), tuple(quarters[::-1])]

    def gain(asked: tuple[tuple[PathArrays, PathArrays], int]) -> np.ndarray | None:
        (choosing, judging), side = asked
        if _is_set(stop):
            return None
        return _answer_gain(choosing, judging, shape, chances, side)

    gains = list(pool.map(gain, [(meeting, side) for meeting in meetings for side in (0, 1)]))
    if any(each is None for each in gains):
        return None
    same, *held_out = ((gains[n] + gains[n + 1]) / 2 for n in (0, 2, 4))
    return Step(rounds, mean_of(np.concatenate(held_out[::-1])), mean_of(same))


def _fitted_and_judged(
    paths: PathArrays, half: np.ndarray
) -> tuple[list[PathArrays], list[PathArrays]]:
    """Return the paths that choose the mixed rule, in parts, and those that judge it.

    The latter are followed by their two quarters.
    """
    fitted, judged = (some_paths(paths, half == number) for number in (0, 1))
    quarter = np.arange(len(judged.ends)) >> 1 & 1
    return _parts_of(fitted), [
        judged,
        *(some_paths(judged, quarter == number) for number in (0, 1)),
    ]


def _parts_of(paths: PathArrays) -> list[PathArrays]:
    number = np.arange(len(paths.ends)) * _PARTS // max(1, len(paths.ends))
    return [some_paths(paths, number == part) for part in range(_PARTS)]


def _round(pool, parts: list[PathArrays], chances: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Return each cell's gain of a knock over playing on and its reach, by rule.

    A rule that serves both sides gains over both.
    """
    both = np.ascontiguousarray(np.broadcast_to(chances, (2, chances.shape[1])))

    def one(part: PathArrays) -> tuple[np.ndarray, np.ndarray]:
        gains, reaches = np.zeros(both.shape), np.zeros(both.shape)
        run_kernel(
            follow,
            part,
            *(both, np.zeros(len(part.ends)), gains, reaches),
        )
        if len(chances) == 2:
            return gains, reaches
        return gains.sum(axis=0, keepdims=True), reaches.sum(axis=0, keepdims=True)

    gains, reaches = zip(*pool.map(one, parts), strict=True)
    return sum(gains), sum(reaches)
