"""What every question that plays hands shares: how plain values are read, and how a plan is
played."""

from __future__ import annotations

import math
import threading
from typing import Any

from gin_sim.api.progress import Progress
from gin_sim.api.rules import rules_of as rules_of
from gin_sim.errors import InputError
from gin_sim.play.plans import whole_pairs
from gin_sim.play.run import Played, compile_engine
from gin_sim.play.run import simulate as simulate_plan
from gin_sim.policies.making import policy_of

__all__ = ["count_of", "play", "policy_of", "rules_of", "whole_size"]


def count_of(given: float, name: str) -> int:
    """Return a whole number, which may be written as 1e6.

    Raises
    ------
    InputError
    """
    is_number = isinstance(given, int | float) and not isinstance(given, bool)
    if not is_number or not math.isfinite(given) or given != int(given):
        raise InputError(f"{name}={given!r} is not a whole number: write it like 250_000 or 1e6.")
    return int(given)


def whole_size(size: int, mirrored: bool, unit: str, progress: Progress) -> int:
    """Return a size in whole mirrored pairs, and say so where it changed.

    Raises
    ------
    InputError
        If ``mirrored`` is no bool.
    """
    if not isinstance(mirrored, bool):
        raise InputError(f"mirrored is {mirrored!r}: give True or False.")
    # A size that no plan has is left as it was given, for the plan to refuse.
    whole = whole_pairs(size) if mirrored and size > 0 else size
    if whole != size:
        progress.note(
            f"{size:,} {unit} are not whole mirrored pairs: playing {whole:,}."
            if size > 1
            else f"1 {unit[:-1]} is not a mirrored pair: playing 2."
        )
    return whole


def play(
    plan: Any,
    threads: int | None,
    progress: Progress,
    stop: threading.Event | None,
    watch: Any = None,
) -> Played:
    """Play any plan of :mod:`gin_sim.play`; once it is to stop, what is finished.

    Raises
    ------
    KeyboardInterrupt
        If it was stopped before anything was finished.
    """
    with progress.compiling(*plan.needed()):
        compile_engine(plan)
    with progress.playing(plan, watch) as on_progress:
        played = simulate_plan(plan, threads, stop, on_progress, watch)
    if not plan.finished(played.tally):
        raise KeyboardInterrupt
    return played
