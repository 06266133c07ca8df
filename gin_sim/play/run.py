"""From a plan to a tally: chunks of deals or games played in threads, merged in order.

A plan fixes every hand before the first is played; threads and chunks only decide when.  Memory
does not grow with the number of hands.
"""

from __future__ import annotations

import os
import threading
from collections import deque
from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import dataclass

import numpy as np

from gin_sim.engine.address import noting_exceptions
from gin_sim.engine.compiling import Stopwatch
from gin_sim.errors import InputError
from gin_sim.play.plans import GAMES, Plan, UnitPlan
from gin_sim.play.tallies import merge
from gin_sim.policies.catalogue import parse_policy
from gin_sim.policies.contract import suspects
from gin_sim.rules import Rules

# A chunk has at most so many units, and about as many hands as its plan says; short plans are cut
# finer, so that every thread has work.
CHUNK_UNITS = 4096
_CHUNKS_AHEAD = 3  # submitted for each thread, so that none waits and an interrupt loses little


@dataclass(frozen=True)
class Played:
    """What was played: the tally of the plan's first units, and why it is not all of them.

    Parameters
    ----------
    plan : any plan
    tally : record array, length 1
        What the plan's ``new_tally`` makes, filled.
    seconds : float
        Without those of compiling.
    partial : bool
        Whether it was stopped before the plan or the stopping rule was done.
    enough : bool
        Whether the stopping rule ended it.
    """

    plan: UnitPlan
    tally: np.ndarray
    seconds: float
    partial: bool
    enough: bool = False


def compile_engine(plan: UnitPlan | None = None) -> None:
    """Compile the loop that a plan needs (by default hands), or load it from the cache."""
    if plan is None:
        greedy = parse_policy("greedy")
        plan = Plan((greedy, greedy), Rules(), 2)
    plan.play(0, 0)


def simulate(
    plan: UnitPlan,
    threads: int | None = None,
    stop: threading.Event | None = None,
    on_progress: Callable[[np.ndarray], None] | None = None,
    enough: Callable[[np.ndarray], bool] | None = None,
) -> Played:
    """Play a plan.

    Parameters
    ----------
    plan : any plan
    threads : int, optional
        All cores by default.  The result does not depend on it.
    stop : threading.Event, optional
        Once set, what is finished is returned as partial.
    on_progress : callable, optional
        Called with the tally so far after each chunk, in the calling thread.
    enough : callable, optional
        A stopping rule: asked with the tally so far each time that as many units as the plan's
        ``look_units`` have been added, in their order, whatever the number of threads; and at last
        with all that was played, where it did not end that.

    Raises
    ------
    InputError
        If a policy asks for an illegal step or a user's decision raises.
    """
    compile_engine(plan)
    if threads is not None and (type(threads) is not int or threads < 1):
        raise InputError(f"{threads} threads cannot play: give a whole number from 1.")
    threads = threads or available_cores()
    stop = stop or threading.Event()
    satisfied = False
    watch = Stopwatch()
    with (
        noting_exceptions() as raised,
        ThreadPoolExecutor(threads, thread_name_prefix="gin-sim") as pool,
    ):
        chunks = _Chunks(plan, pool, threads, raised, by_looks=enough is not None)
        total = chunks.total
        try:
            while not stop.is_set() and chunks.give():
                chunks.merge_next()
                if on_progress:
                    on_progress(total)
                if enough and enough(total):
                    satisfied = True
                    break
            if not satisfied:
                chunks.merge_ready()
        finally:
            chunks.cancel()
    seconds = watch.seconds
    if enough and not satisfied:
        enough(total)  # a last look at all that was played, however it ended
    partial = chunks.n_done < plan.n_units and not satisfied
    return Played(plan, total, seconds, partial, satisfied)


class _Chunks:
    """Chunks of a plan's units, played ahead in a pool of threads and merged in their order.

    Parameters
    ----------
    plan, pool, threads
        What is played, by whom, and how many they are.
    raised : list of str
        What users' decisions raised; not empty once one has.
    by_looks : bool
        Whether every chunk ends where a stopping rule looks.
    """

    def __init__(
        self,
        plan: UnitPlan,
        pool: ThreadPoolExecutor,
        threads: int,
        raised: list[str],
        by_looks: bool,
    ) -> None:
        self.total = plan.new_tally()
        self.n_done = 0
        self._n_given = 0
        self._plan, self._pool, self._threads = plan, pool, threads
        self._raised, self._by_looks = raised, by_looks
        self._waiting: deque[tuple[int, Future]] = deque()

    def give(self) -> bool:
        """Keep the threads in work; return whether any chunk is still to be merged."""
        plan, waiting = self._plan, self._waiting
        while len(waiting) < _CHUNKS_AHEAD * self._threads and self._n_given < plan.n_units:
            n_units = min(self._wanted(), plan.n_units - self._n_given)
            waiting.append((n_units, self._pool.submit(plan.play, self._n_given, n_units)))
            self._n_given += n_units
        return bool(waiting)

    def _wanted(self) -> int:
        plan = self._plan
        if self._by_looks:
            return plan.look_units
        most = plan.first_units
        if self.n_done:
            most = max(1, plan.chunk_hands * self.n_done // int(self.total.hands[0]))
        return min(CHUNK_UNITS, most, max(1, plan.n_units // (8 * self._threads)))

    def merge_next(self) -> None:
        """Wait for the next chunk and add it to the total."""
        n_units, future = self._waiting.popleft()
        merge(self.total, future.result())
        _refuse_faults(self._plan, self.total, self._raised)
        self.n_done += n_units

    def merge_ready(self) -> None:
        """Of the chunks in hand, keep those that are ready and leave no gap."""
        while self._waiting and self._waiting[0][1].done():
            self.merge_next()

    def cancel(self) -> None:
        """Give up the chunks that are not merged."""
        for _, future in self._waiting:
            future.cancel()


def _refuse_faults(plan: UnitPlan, total: np.ndarray, raised: list[str]) -> None:
    if raised:
        raise InputError(
            f"a decision of {suspects(plan.policies)} ended with {raised[0]}: it must return "
            "an answer for every view; `gin-sim policies validate FILE` tests a file."
        )
    if total.faults[0]:
        where = (
            "look for what depends on the score"
            if plan.unit == GAMES
            else "`gin-sim policies validate FILE` says where"
        )
        raise InputError(
            f"{suspects(plan.policies)} asked for an illegal step in "
            f"{total.faults[0]} of {total.hands[0]:,} hands; {where}."
        )


def available_cores() -> int:
    """Return how many cores this process may use."""
    try:
        return len(os.sched_getaffinity(0))
    except AttributeError:  # not on macOS and Windows
        return os.cpu_count() or 1
