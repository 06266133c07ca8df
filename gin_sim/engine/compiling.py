"""The one account of compiling: how long it has taken so far, what it is at, and who is told.

Every compile of the process is counted, whoever asked for it.  Seconds that a player sees, and
those that decide how long to play, are a :class:`Stopwatch`'s, which stands still meanwhile: code
is compiled once for a version, and says nothing about how long a question takes.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Protocol

from numba.core import event
from numba.core.compiler_lock import global_compiler_lock


class Listener(Protocol):
    """Is told of each unit, a function that has a name for the user, by its symbol."""

    def begun(self, unit: str) -> None:
        """Take a unit that begins to compile; it may be part of another one that has begun."""

    def ended(self, unit: str) -> None:
        """Take a unit that has been compiled."""


_guard = threading.Lock()
_listeners: list[Listener] = []
_depth = 0
_since = 0.0
_seconds = 0.0


@contextmanager
def compiling(unit: str) -> Iterator[None]:
    """Stand around the compiling of a unit; one thread compiles at a time.

    Parameters
    ----------
    unit : str
        The symbol of a function: its module and its name, with dots.
    """
    with global_compiler_lock:
        _begin()
        _tell("begun", unit)
        try:
            yield
        finally:
            _end()
            _tell("ended", unit)


@contextmanager
def listening(listener: Listener) -> Iterator[None]:
    """Tell a listener of each unit that compiles meanwhile."""
    _listeners.append(listener)
    try:
        yield
    finally:
        _listeners.remove(listener)


@contextmanager
def elsewhere() -> Iterator[Callable[[str, str], None]]:
    """Count the time while other processes compile; yield what passes on what they say.

    It takes "begun" or "ended", and a unit.
    """
    _begin()
    try:
        yield _tell
    finally:
        _end()


def compile_seconds() -> float:
    """Return for how many seconds this process has compiled so far, or waited for one that did."""
    with _guard:
        return _seconds + (time.perf_counter() - _since if _depth else 0.0)


class Stopwatch:
    """Counts seconds from when it is made, except for those of compiling."""

    def __init__(self) -> None:
        self._begun = self._now()

    @property
    def seconds(self) -> float:
        """The seconds so far."""
        return self._now() - self._begun

    @staticmethod
    def _now() -> float:
        return time.perf_counter() - compile_seconds()


def _tell(what: str, unit: str) -> None:
    for listener in tuple(_listeners):
        getattr(listener, what)(unit)


def _begin() -> None:
    global _depth, _since
    with _guard:
        _depth += 1
        if _depth == 1:
            _since = time.perf_counter()


def _end() -> None:
    global _depth, _seconds
    with _guard:
        _depth -= 1
        if _depth == 0:
            _seconds += time.perf_counter() - _since


class _Numba(event.Listener):
    """Counts every compile of a jitted function; one outside of any unit is a unit itself."""

    def __init__(self) -> None:
        self._units: list[str] = []

    def on_start(self, event) -> None:
        function = event.data["dispatcher"].py_func
        _begin()
        self._units.append("" if _depth > 1 else f"{function.__module__}.{function.__qualname__}")
        if self._units[-1]:
            _tell("begun", self._units[-1])

    def on_end(self, event) -> None:
        unit = self._units.pop()
        _end()
        if unit:
            _tell("ended", unit)


event.register("numba:compile", _Numba())
