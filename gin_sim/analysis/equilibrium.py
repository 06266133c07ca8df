"""When to knock against one who draws alike and knocks alike: a mixed rule nobody gains by leaving.

The game is on traced paths: each deal's path is fixed by the play, and a rule of the knock decides
where it ends.  Both players follow one mixed rule, a chance to knock for each cell.  Its
exploitability is what the best answer to it gains a hand, found on one half of the deals and judged
on the other.  An equilibrium here is one of the knock game for the given draws and discards, not of
gin rummy.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass

import numpy as np

from gin_sim.analysis.inductions import follow
from gin_sim.analysis.knock_cells import Cells, Classes, Paths, Worth, knock_limit_of
from gin_sim.analysis.stats import Estimate
from gin_sim.analysis.stopping import best_response, mean_of, values_of
from gin_sim.analysis.tracing import Traced
from gin_sim.engine.jit import run_kernel
from gin_sim.simulate.run import available_cores

#: Points a hand below which the best answer's gain counts as nothing.
ENOUGH = 0.05
_CHECKED = (5, 10, 20)  # rounds, and then every 20th
_MOST_ROUNDS = 400
# It has settled where so many measurements in a row bring less than this, in points a hand.
_PATIENCE, _STEP = 3, 0.003
_PARTS = 8


@dataclass(frozen=True)
class Step:
    """How far the mixed rule is after some rounds.

    Parameters
    ----------
    rounds : int
    exploitability : Estimate
        What the best answer gains a hand, judged on deals that chose neither it nor the mixed
        rule: a little low, since the answer was fitted on others.
    at_most : Estimate
        The same judged on the deals that chose it: a little high.
    """

    rounds: int
    exploitability: Estimate
    at_most: Estimate


@dataclass(frozen=True)
class Equilibrium:
    """A mixed rule of the knock and how near it is to an equilibrium.

    Parameters
    ----------
    traced : Traced
    classes : Classes
    chances : float64 array, shape (turns, classes, deadwoods)
        To knock.
    weights : float64 array, same shape
        Knocks that the rule comes to, in the half of the deals that it was fitted on.
    steps : tuple of Step
        As it converged.
    value : Estimate
        Of a hand to side 0 where both follow the rule: what the seats are worth.
    """

    traced: Traced
    classes: Classes
    chances: np.ndarray
    weights: np.ndarray
    steps: tuple[Step, ...]
    value: Estimate

    @property
    def best(self) -> Step:
        """The step of the rule: the one that its best answer gains least from, at most."""
        return _best(self.steps)


def equilibrium(traced: Traced, classes: Classes, worth: Worth) -> Iterator[Equilibrium]:
    """Yield the best mixed rule so far each time that one is measured, until that settles.

    Regret matching+ (Tammelin, "Solving large imperfect information games using CFR+", arXiv
    1407.5042, 2014), which converges faster than fictitious play: each round every cell's regret
    for not having knocked, or gone on, is added up, never below 0, and the next rule knocks in
    proportion.  The mixed rule is the average of the rounds' rules, later ones weighing more.

    Parameters
    ----------
    traced : Traced
        Of a plan in which neither side stops, and both draw and discard alike.
    classes : Classes
    worth : Worth
    """
    limit = knock_limit_of(traced.plan.rules)
    cells = Cells(classes, limit)
    paths = Paths.of(traced, cells, worth)
    fitted, judged = (paths.some(traced.half == half) for half in (0, 1))
    parts = _parts_of(fitted)
    knock = np.zeros(cells.n)  # regrets
    go_on = np.zeros(cells.n)
    chances = np.full(cells.n, 0.5)
    averaged = np.zeros(cells.n)
    weighed = np.zeros(cells.n)
    steps: list[Step] = []
    best = chances
    with ThreadPoolExecutor(available_cores()) as pool:
        for rounds in range(1, _MOST_ROUNDS + 1):
            gains, reaches = _round(pool, parts, chances)
            averaged += rounds**2 * reaches * chances
            weighed += rounds**2 * reaches
            # A knock gains this more than going on: more than the mix by the chance of the other.
            knock = np.maximum(knock + gains * (1 - chances), 0)
            go_on = np.maximum(go_on - gains * chances, 0)
            total = knock + go_on
            chances = np.divide(knock, total, out=np.full(cells.n, 0.5), where=total > 0)
            if rounds not in _CHECKED and rounds % 20:
                continue
            mixed = np.divide(averaged, weighed, out=np.zeros(cells.n), where=weighed > 0)
            found = _held_out(judged, cells.shape, mixed)
            at_most = exploitability(judged, judged, cells.shape, mixed)
            steps.append(Step(rounds, found, at_most))
            if steps[-1] is _best(steps):
                best = mixed
            _, reached = _round(pool, parts, best)
            value = mean_of(values_of(judged, best, best))
            yield Equilibrium(
                traced,
                classes,
                best.reshape(cells.shape),
                reached.reshape(cells.shape),
                tuple(steps),
                value,
            )
            if _settled(steps):
                return


def _best(steps: Sequence[Step]) -> Step:
    return min(steps, key=lambda step: step.at_most.estimate)


def _settled(steps: list[Step]) -> bool:
    """Return whether the latest steps no longer bring the rule nearer to an equilibrium."""
    if len(steps) <= _PATIENCE:
        return False
    before = min(step.at_most.estimate for step in steps[:-_PATIENCE])
    return before - min(step.at_most.estimate for step in steps[-_PATIENCE:]) < _STEP


def exploitability(
    fitted: Paths, judged: Paths, shape: tuple[int, ...], chances: np.ndarray
) -> Estimate:
    """Return what the best answer found to a mixed rule gains a hand, over both sides.

    Parameters
    ----------
    fitted, judged : Paths
        Those that choose the answer, and those that judge it.
    shape : tuple of int
        Of the cells.
    chances : float64 array, shape (cells,)
        Of the mixed rule.
    """
    return mean_of(_answer_gains(fitted, judged, shape, chances))


def _answer_gains(
    fitted: Paths, judged: Paths, shape: tuple[int, ...], chances: np.ndarray
) -> np.ndarray:
    """Return the best answer's gain on each judged path, the mean over both sides."""
    both = values_of(judged, chances, chances)
    gains = []
    for side, sign in ((0, 1), (1, -1)):
        answer = best_response(fitted, shape, chances, side)
        gains.append(sign * (values_of(judged, chances, answer, side) - both))
    return (gains[0] + gains[1]) / 2


def _held_out(judged: Paths, shape: tuple[int, ...], chances: np.ndarray) -> Estimate:
    """Return the best answer's gain on paths that chose neither it nor the mixed rule.

    Each quarter of the deals chooses the answer that the other judges.
    """
    quarter = np.arange(len(judged.ends)) >> 1 & 1
    parts = [judged.some(quarter == number) for number in (0, 1)]
    gains = [_answer_gains(parts[1 - number], parts[number], shape, chances) for number in (0, 1)]
    return mean_of(np.concatenate(gains))


def _parts_of(paths: Paths) -> list[Paths]:
    number = np.arange(len(paths.ends)) * _PARTS // max(1, len(paths.ends))
    return [paths.some(number == part) for part in range(_PARTS)]


def _round(pool, parts: list[Paths], chances: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Return each cell's gain of a knock over going on and its reach, over both sides."""
    both = np.stack([chances, chances])

    def one(part: Paths) -> tuple[np.ndarray, np.ndarray]:
        gains, reaches = np.zeros(both.shape), np.zeros(both.shape)
        run_kernel(
            follow,
            *(part.starts, part.sides, part.cells, part.values, part.ends),
            *(both, np.zeros(len(part.ends)), gains, reaches),
        )
        return gains.sum(axis=0), reaches.sum(axis=0)

    gains, reaches = zip(*pool.map(one, parts), strict=True)
    return sum(gains), sum(reaches)
