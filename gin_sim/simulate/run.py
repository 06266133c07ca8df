"""From a plan to a tally: chunks of deals or games played in threads, merged in order.

A plan fixes every hand before the first is played; threads and chunks only decide when.  Memory
does not grow with the number of hands.
"""

from __future__ import annotations

import os
import threading
import time
from collections import deque
from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import dataclass

import numpy as np

from gin_sim.engine.address import noting_exceptions
from gin_sim.engine.jit import run_kernel
from gin_sim.engine.round import new_state
from gin_sim.errors import InputError
from gin_sim.policies.catalogue import parse_policy
from gin_sim.policies.contract import Policy, suspects
from gin_sim.policies.decide import players_of
from gin_sim.rules import Rules
from gin_sim.simulate.baseline import (
    MAX_BASELINE_HANDS,
    new_baseline_tally,
    new_luck,
    parts_of,
    play_chunk_with_baseline,
)
from gin_sim.simulate.games import new_game_tally, new_pair, play_games
from gin_sim.simulate.play import play_chunk
from gin_sim.simulate.tallies import merge, new_deal, new_tally

# A chunk has at most so many deals or pairs of games, and about so many hands; short plans are cut
# finer, so that every thread has work.
CHUNK_DEALS = 4096
CHUNK_HANDS = 10_000
_FIRST_PAIRS = 8  # of games, whose hands are not known beforehand: up to 8,192 a pair
_CHUNKS_AHEAD = 3  # submitted for each thread, so that none waits and an interrupt loses little
MAX_HANDS = 10**12
MAX_GAMES = 10**10


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
    baseline : bool
        Whether the luck of the deals and draws is tallied too, see ``baseline.py``; then at most
        10**9 hands.
    """

    policies: tuple[Policy, Policy]
    rules: Rules
    hands: int
    seed: int = 1
    mirrored: bool = True
    baseline: bool = False

    unit = "hands"

    def __post_init__(self) -> None:
        _check(self, MAX_HANDS)
        if self.baseline and self.hands > MAX_BASELINE_HANDS:
            raise InputError(
                f"{self.hands:,} hands are too many to sum up a baseline for: ask for "
                f"{MAX_BASELINE_HANDS:,} at most, or leave the baseline out."
            )

    @property
    def size(self) -> int:
        """Hands: how many of its unit a plan plays."""
        return self.hands

    @property
    def n_legs(self) -> int:
        """Hands a deal."""
        return 2 if self.mirrored else 1

    @property
    def n_deals(self) -> int:
        """Deals: mirrored pairs, or hands."""
        return self.hands // self.n_legs


@dataclass(frozen=True)
class GamePlan:
    """Whole games that are to be played.

    Parameters
    ----------
    policies : pair of Policy
        Side 0 and side 1.
    rules : Rules
    games : int
        Games to play, 1 to 10**10; an even number if mirrored.
    seed : int
        0 to 2**63 - 1.
    mirrored : bool
        Whether games come in pairs of the same deals, the policies in each other's seats.
    """

    policies: tuple[Policy, Policy]
    rules: Rules
    games: int
    seed: int = 1
    mirrored: bool = True

    unit = "games"

    def __post_init__(self) -> None:
        _check(self, MAX_GAMES)

    @property
    def size(self) -> int:
        """Games: how many of its unit a plan plays."""
        return self.games

    @property
    def n_legs(self) -> int:
        """Games a pair."""
        return 2 if self.mirrored else 1

    @property
    def n_pairs(self) -> int:
        """Mirrored pairs, or games."""
        return self.games // self.n_legs


def _check(plan: Plan | GamePlan, most: int) -> None:
    count, unit = plan.size, plan.unit
    if type(count) is not int or type(plan.seed) is not int:
        raise InputError(f"{unit} is {count!r} and seed {plan.seed!r}: both are whole numbers.")
    if not 1 <= count <= most:
        raise InputError(f"{count} {unit} cannot be played: ask for 1 to {most:,}, like 1e6.")
    if plan.mirrored and count % 2:
        raise InputError(f"{count:,} {unit} are not whole mirrored pairs: ask for an even number.")
    if not 0 <= plan.seed < 2**63:
        raise InputError(f"the seed is {plan.seed}: it is a whole number from 0 to 2**63 - 1.")


@dataclass(frozen=True)
class Played:
    """What was played: the tally of the plan's first deals, and whether that is all of them."""

    plan: Plan | GamePlan
    tally: np.ndarray  # record array of length 1: TALLY, BASELINE_TALLY, or GAME_TALLY for games
    seconds: float
    partial: bool


def whole_pairs(count: int) -> int:
    """Return a number of hands or games rounded up to whole mirrored pairs."""
    return count + count % 2


@dataclass(frozen=True)
class _Work:
    """How the units of a plan, its deals or pairs of games, are played."""

    n_units: int
    first_units: int  # at most in a chunk until some units are played
    new_tally: Callable[[], np.ndarray]
    play: Callable[..., np.ndarray]  # (plan, first unit, number of units) to a tally


def _work_of(plan: Plan | GamePlan) -> _Work:
    if isinstance(plan, GamePlan):
        return _Work(plan.n_pairs, _FIRST_PAIRS, new_game_tally, _play_game_chunk)
    empty = new_baseline_tally if plan.baseline else new_tally
    return _Work(plan.n_deals, CHUNK_DEALS, empty, _play_chunk)


def compile_engine(plan: Plan | GamePlan | None = None) -> None:
    """Compile the loop that a plan needs (by default hands), or load it from the cache."""
    if plan is None:
        greedy = parse_policy("greedy")
        plan = Plan((greedy, greedy), Rules(), 2)
    _work_of(plan).play(plan, 0, 0)


def kernel_of(plan: Plan | GamePlan):
    """Return the compiled loop that a plan is played by."""
    if isinstance(plan, GamePlan):
        return play_games
    return play_chunk_with_baseline if plan.baseline else play_chunk


def simulate(
    plan: Plan | GamePlan,
    threads: int | None = None,
    stop: threading.Event | None = None,
    on_progress: Callable[[np.ndarray], None] | None = None,
) -> Played:
    """Play a plan of hands or of games.

    Parameters
    ----------
    plan : Plan or GamePlan
    threads : int, optional
        All cores by default.  The result does not depend on it.
    stop : threading.Event, optional
        Once set, what is finished is returned as partial.
    on_progress : callable, optional
        Called with the tally so far after each chunk, in the calling thread.

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
    work = _work_of(plan)
    total = work.new_tally()
    n_done = n_given = 0
    started = time.perf_counter()
    with (
        noting_exceptions() as raised,
        ThreadPoolExecutor(threads, thread_name_prefix="gin-sim") as pool,
    ):
        waiting: deque[tuple[int, Future]] = deque()

        def give_next() -> None:
            nonlocal n_given
            most = work.first_units
            if n_done:
                most = max(1, CHUNK_HANDS * n_done // int(total.hands[0]))
            fair = max(1, work.n_units // (8 * threads))
            n_units = min(CHUNK_DEALS, most, fair, work.n_units - n_given)
            waiting.append((n_units, pool.submit(work.play, plan, n_given, n_units)))
            n_given += n_units

        def merge_next() -> None:
            nonlocal n_done
            n_units, future = waiting.popleft()
            merge(total, future.result())
            _refuse_faults(plan, total, raised)
            n_done += n_units

        try:
            while not stop.is_set():
                while len(waiting) < _CHUNKS_AHEAD * threads and n_given < work.n_units:
                    give_next()
                if not waiting:
                    break
                merge_next()
                if on_progress:
                    on_progress(total)
            # Of the chunks in hand, keep those that are ready and leave no gap.
            while waiting and waiting[0][1].done():
                merge_next()
        finally:
            for _, future in waiting:
                future.cancel()
    seconds = time.perf_counter() - started
    return Played(plan, total, seconds, partial=n_done < work.n_units)


def _refuse_faults(plan: Plan | GamePlan, total: np.ndarray, raised: list[str]) -> None:
    if raised:
        raise InputError(
            f"a decision of {suspects(plan.policies)} ended with {raised[0]}: it must answer "
            "whatever it is asked; `gin-sim policies validate FILE` tries a file alone."
        )
    if total.faults[0]:
        where = (
            "look for what depends on the score"
            if isinstance(plan, GamePlan)
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


def _play_chunk(plan: Plan, first_deal: int, n_deals: int) -> np.ndarray:
    if plan.baseline:
        tally = new_baseline_tally()
        hands, controls = parts_of(tally)
        _run(plan, new_deal(), hands, first_deal, n_deals, new_luck(), controls)
        return tally
    return _run(plan, new_deal(), new_tally(), first_deal, n_deals)


def _play_game_chunk(plan: GamePlan, first_pair: int, n_pairs: int) -> np.ndarray:
    return _run(plan, new_pair(), new_game_tally(), first_pair, n_pairs)


def _run(plan: Plan | GamePlan, space: np.ndarray, tally: np.ndarray, first: int, n: int, *more):
    run_kernel(
        kernel_of(plan),
        *new_state(),
        space,
        tally,
        plan.rules.numbers(),
        players_of(plan.policies),
        plan.seed,
        first,
        n,
        plan.n_legs,
        *more,
    )
    return tally
