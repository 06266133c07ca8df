"""From a plan to a tally: chunks of deals played in threads, merged in order.

A plan fixes every hand before the first is played; threads and chunks only decide when.  Memory
does not grow with the number of hands.
"""

from __future__ import annotations

import os
import threading
import time
from collections import deque
from collections.abc import Callable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import dataclass

import numpy as np

from gin_sim.engine.jit import run_kernel
from gin_sim.engine.round import new_state
from gin_sim.errors import InputError
from gin_sim.policies.catalogue import parse_policy
from gin_sim.policies.contract import Policy
from gin_sim.policies.decide import players_of
from gin_sim.rules import Rules
from gin_sim.simulate.play import play_chunk
from gin_sim.simulate.tallies import merge, new_deal, new_tally

CHUNK_DEALS = 4096  # at most: short plans are cut finer, so that every thread has work
_CHUNKS_AHEAD = 3  # submitted for each thread, so that none waits and an interrupt loses little
MAX_HANDS = 10**12


@dataclass(frozen=True)
class Plan:
    """What is to be played.

    Parameters
    ----------
    policies : pair of Policy
        Side 0 and side 1.
    rules : Rules
    hands : int
        Hands to play, 1 to 10**12; an even number if mirrored (see :func:`whole_pairs`).
    seed : int
        0 to 2**63 - 1.
    mirrored : bool
        Whether each deal is played twice, the policies in each other's seats.
    """

    policies: tuple[Policy, Policy]
    rules: Rules
    hands: int
    seed: int = 1
    mirrored: bool = True

    def __post_init__(self) -> None:
        if type(self.hands) is not int or type(self.seed) is not int:
            raise InputError(
                f"hands is {self.hands!r} and seed {self.seed!r}: both are whole numbers."
            )
        if not 1 <= self.hands <= MAX_HANDS:
            raise InputError(
                f"{self.hands} hands cannot be played: ask for 1 to {MAX_HANDS:,}, like 1e6."
            )
        if self.mirrored and self.hands % 2:
            raise InputError(
                f"{self.hands:,} hands are not whole mirrored pairs: ask for an even number."
            )
        if not 0 <= self.seed < 2**63:
            raise InputError(f"the seed is {self.seed}: it is a whole number from 0 to 2**63 - 1.")

    @property
    def n_legs(self) -> int:
        """Hands a deal."""
        return 2 if self.mirrored else 1

    @property
    def n_deals(self) -> int:
        """Deals: mirrored pairs, or hands."""
        return self.hands // self.n_legs


@dataclass(frozen=True)
class Played:
    """What was played: the tally of the plan's first deals, and whether that is all of them."""

    plan: Plan
    tally: np.ndarray  # record array of TALLY, length 1
    seconds: float
    partial: bool


def whole_pairs(hands: int) -> int:
    """Return a number of hands rounded up to whole mirrored pairs."""
    return hands + hands % 2


def compile_engine() -> None:
    """Compile the play loop, or load it from the cache; quick if that is done."""
    greedy = parse_policy("greedy")
    _play_chunk(Plan((greedy, greedy), Rules(), 2), 0, 0)


def simulate(
    plan: Plan,
    threads: int | None = None,
    stop: threading.Event | None = None,
    on_progress: Callable[[np.ndarray], None] | None = None,
) -> Played:
    """Play a plan.

    Parameters
    ----------
    plan : Plan
    threads : int, optional
        All cores by default.  The result does not depend on it.
    stop : threading.Event, optional
        Once set, what is finished is returned as partial.
    on_progress : callable, optional
        Called with the tally so far after each chunk, in the calling thread.

    Raises
    ------
    InputError
        If a policy asks for an illegal step.
    """
    compile_engine()
    if threads is not None and (type(threads) is not int or threads < 1):
        raise InputError(f"{threads} threads cannot play: give a whole number from 1.")
    threads = threads or available_cores()
    stop = stop or threading.Event()
    total = new_tally()
    started = time.perf_counter()
    with ThreadPoolExecutor(threads, thread_name_prefix="gin-sim") as pool:
        waiting: deque[Future] = deque()
        chunks = _chunks(plan, threads)
        try:
            while not stop.is_set():
                while len(waiting) < _CHUNKS_AHEAD * threads and (chunk := next(chunks, None)):
                    waiting.append(pool.submit(_play_chunk, plan, *chunk))
                if not waiting:
                    break
                merge(total, waiting.popleft().result())
                _refuse_faults(plan, total)
                if on_progress:
                    on_progress(total)
            # Of the chunks in hand, keep those that are ready and leave no gap.
            while waiting and waiting[0].done():
                merge(total, waiting.popleft().result())
            _refuse_faults(plan, total)
        finally:
            for future in waiting:
                future.cancel()
    seconds = time.perf_counter() - started
    return Played(plan, total, seconds, partial=bool(total.deals[0] < plan.n_deals))


def _refuse_faults(plan: Plan, total: np.ndarray) -> None:
    if total.faults[0]:
        raise InputError(
            f"{plan.policies[0].spec} or {plan.policies[1].spec} asked for an illegal step in "
            f"{total.faults[0]} of {total.hands[0]:,} hands; record some hands to see where."
        )


def _chunks(plan: Plan, threads: int) -> Iterator[tuple[int, int]]:
    size = min(CHUNK_DEALS, max(1, plan.n_deals // (8 * threads)))
    for first in range(0, plan.n_deals, size):
        yield first, min(size, plan.n_deals - first)


def available_cores() -> int:
    """Return how many cores this process may use."""
    try:
        return len(os.sched_getaffinity(0))
    except AttributeError:  # not on macOS and Windows
        return os.cpu_count() or 1


def _play_chunk(plan: Plan, first_deal: int, n_deals: int) -> np.ndarray:
    tables, views = new_state()
    tally = new_tally()
    run_kernel(
        play_chunk,
        tables,
        views,
        new_deal(),
        tally,
        plan.rules.numbers(),
        players_of(plan.policies),
        plan.seed,
        first_deal,
        n_deals,
        plan.n_legs,
    )
    return tally
