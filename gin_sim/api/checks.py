"""Whether policies play by the rules, and how fast the engine is where its sums are right."""

from __future__ import annotations

import os
import platform
from collections.abc import Callable, Iterable, Iterator
from importlib.metadata import version
from typing import Any

from gin_sim.api.playing import policy_of
from gin_sim.api.progress import progress_of
from gin_sim.checks import bench as benchmarks
from gin_sim.checks import validate as validation
from gin_sim.checks.bench import GoldenError
from gin_sim.play.games import play_games
from gin_sim.play.loop import play_chunk
from gin_sim.policies.decide import called_for
from gin_sim.policies.descriptions import what_it_is
from gin_sim.results.bench import Bench
from gin_sim.results.policies import Validation
from gin_sim.rules import PRESETS

__all__ = ["GoldenError", "bench", "validate_each"]


def validate_each(policies: Iterable[Any], *, progress: Any = None) -> Iterator[Validation]:
    """Play policies against simple and greedy under every rule set, and give what was played.

    All are read before the first is played.

    Parameters
    ----------
    policies : iterable of str, path, or Policy
    progress : bool or callable, optional
        True for a line on the terminal while the engine compiles.

    Raises
    ------
    InputError
        If one cannot be read, asks for an illegal step, fails, or plays the same hands in two
        ways.
    """
    read = [policy_of(policy) for policy in policies]
    for policy in read:
        players = [policy, *map(policy_of, validation.OPPONENTS)]
        with progress_of(progress).compiling(play_chunk, play_games, *called_for(players)):
            hands, games = validation.validate(policy)
        yield Validation(
            spec=policy.spec,
            plays=what_it_is(policy),
            hands=hands,
            games=games,
            opponents=list(validation.OPPONENTS),
            rule_sets=list(PRESETS),
        )


def bench(
    *,
    only: str | None = None,
    threads: int | None = None,
    progress: Any = None,
    on_step: Callable[[str], None] = lambda name: None,
) -> Bench:
    """Check the engine's golden tallies, then time it; medians of five runs, a cold compile once.

    Parameters
    ----------
    only : str, optional
        One figure alone.
    threads : int, optional
        The larger number of threads to time hands at, beside 1; all cores by default.
    progress : bool or callable, optional
        True for a line on the terminal while the engine compiles.
    on_step : callable
        Called with the name of each figure before it is measured.

    Raises
    ------
    GoldenError
        If a sum is wrong: then nothing is timed.
    InputError
        If there is no such figure.
    """
    with progress_of(progress).compiling(play_chunk):
        found = benchmarks.run_bench(threads, only, on_step)
    return Bench(machine=_machine(), **found)


def _machine() -> str:
    return (
        f"Python {platform.python_version()}, Numba {version('numba')}, {platform.machine()}, "
        f"{os.cpu_count()} cores"
    )
