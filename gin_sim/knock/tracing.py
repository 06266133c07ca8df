"""Paths of many deals, traced in threads, and the memory that they and their solving take.

The deals fall into two halves, so that what one half chose can be judged on the other.  How that is
done is not known here, except for how much memory it takes.
"""

from __future__ import annotations

import contextlib
import math
import os
import threading
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from gin_sim.engine.address import noting_exceptions
from gin_sim.errors import InputError
from gin_sim.play.knock_trace import TracePlan
from gin_sim.play.run import available_cores
from gin_sim.policies.contract import suspects

_CHUNK_DEALS = 4096
_SAMPLE_DEALS = 256
# Bytes at the peak for a deal and for a knock, measured and rounded up: resident memory of traces
# and their solving by class of outs, 2 to 9 knocks a deal.
_BYTES = {"table": (150, 90), "features": (150, 300), "equilibrium": (150, 80)}


@dataclass(frozen=True)
class Traced:
    """Paths of a plan, all of them or, cut short, its first.

    Parameters
    ----------
    plan : TracePlan
    knocks, ends : record arrays of TRACED_KNOCK and END
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


def check_memory(plan: TracePlan, features: bool = False, traces: int = 1) -> None:
    """Refuse a trace that this machine has no memory for, before any work.

    Parameters
    ----------
    plan : TracePlan
    features : bool
        Whether the rule by features is wanted too.
    traces : int
        How many such plans are kept at once.

    Raises
    ------
    InputError
        If tracing and solving need more than there is.
    """
    there = memory_there()
    each = traces * _bytes_a_deal(plan, features)
    if there is None or each * plan.deals <= there:
        return
    most = there / each
    digits = 10 ** max(0, math.floor(math.log10(max(most, 1))) - 1)
    fits = f"{math.floor(most / digits) * digits:.1e}".replace("e+0", "e")
    raise InputError(
        f"{plan.deals:,} deals need about {each * plan.deals / 1e9:.1f} GB of memory here, and "
        f"there are {there / 1e9:.1f} GB: give --deals {fits} or fewer."
    )


def _bytes_a_deal(plan: TracePlan, features: bool) -> float:
    """Return what a deal takes at the peak, by how many knocks the plan's first deals have."""
    n_deals = min(_SAMPLE_DEALS, plan.deals)
    knocks, *_ = plan.trace(0, n_deals)
    kind = "equilibrium" if not plan.stops else "features" if features else "table"
    deal, knock = _BYTES[kind]
    return deal + knock * len(knocks) / n_deals


def memory_there() -> int | None:
    """Return how many bytes this process may have at most; None where that is not known."""
    found = []
    with contextlib.suppress(AttributeError, ValueError, OSError):  # not on Windows
        found.append(os.sysconf("SC_PHYS_PAGES") * os.sysconf("SC_PAGE_SIZE"))
    with contextlib.suppress(ImportError):
        import resource

        limits = (
            resource.getrlimit(kind)[0] for kind in (resource.RLIMIT_AS, resource.RLIMIT_DATA)
        )
        found += [limit for limit in limits if limit != resource.RLIM_INFINITY]
    return min(found, default=None)
