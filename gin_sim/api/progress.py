"""How the front door shows that it is at work: what compiles, and how far play has come.

A caller gives nothing (silence), True (a bar on the terminal), a function that is called with what
is done, how much there is and of what, or a Progress of its own.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

from gin_sim.errors import InputError
from gin_sim.results import drawing
from gin_sim.results.actions import Verdict
from gin_sim.results.objective import Unit


class Progress:
    """Says nothing; what says more overrides its methods."""

    @contextmanager
    def compiling(self, *functions: Any, at_work: bool = False) -> Iterator[None]:
        """Stand around the compiling of functions; they may all be compiled already.

        Parameters
        ----------
        *functions : kernels and functions compiled apart
            All that the question is known to need; what they reach need not be named.
        at_work : bool
            Whether they compile in the course of work, whose sums a Ctrl-C keeps.
        """
        yield

    @contextmanager
    def playing(self, plan: Any, watch: Any = None) -> Iterator[Callable[[Any], None] | None]:
        """Yield what takes the tally so far of a plan, or None."""
        yield None

    @contextmanager
    def counting(self, total: int, noun: str) -> Iterator[Callable[[int], None] | None]:
        """Yield what takes how many of a total are done, or None."""
        yield None

    @contextmanager
    def advising(
        self, blocks: int | None, unit: Unit
    ) -> Iterator[Callable[[int, Verdict], None] | None]:
        """Yield what takes the blocks so far and the verdict that they give, or None.

        ``blocks`` is how many are played, None where the width and the time decide; the margin is
        in ``unit``.
        """
        yield None

    def note(self, sentence: str) -> None:
        """Take a sentence about what is done otherwise than it was asked for."""

    def step(self, sentence: str) -> None:
        """Take a sentence about how far work in rounds has come."""


class Calls(Progress):
    """Calls a function with what is done, how much there is (None: not known) and of what."""

    def __init__(self, function: Callable[[int, int | None, str], None]) -> None:
        self._function = function

    @contextmanager
    def playing(self, plan: Any, watch: Any = None) -> Iterator[Callable[[Any], None]]:
        """Yield what passes on the hands or games that are played."""
        total = plan.size if watch is None else None
        yield lambda tally: self._function(plan.finished(tally), total, plan.unit)

    @contextmanager
    def counting(self, total: int, noun: str) -> Iterator[Callable[[int], None]]:
        """Yield what passes on how many are done."""
        yield lambda done: self._function(done, total, noun)

    @contextmanager
    def advising(self, blocks: int | None, unit: Unit) -> Iterator[Callable[[int, Verdict], None]]:
        """Yield what passes on the blocks of sampled deals that are played."""
        yield lambda done, verdict: self._function(done, blocks, "blocks")


def progress_of(given: Any) -> Progress:
    """Return the Progress that a caller's ``progress`` means.

    Raises
    ------
    InputError
        If it is none of what can be given.
    """
    if given is None or given is False:
        return Progress()
    if given is True:
        return drawing.terminal_progress()
    if isinstance(given, Progress):
        return given
    if callable(given):
        return Calls(given)
    raise InputError(
        f"progress is {given!r}: give True for a bar, or a function of (done, total, unit)."
    )
