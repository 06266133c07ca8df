"""Ctrl-C: it ends a compile or a check at once, and a simulation with what is finished.

So do a closed terminal and a polite end by another program (SIGHUP and SIGTERM).

To end at once is to end the process: a decision that loops for ever never gives its thread back.
"""

from __future__ import annotations

import os
import signal
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from typing import NoReturn

import click

INTERRUPTED = 130
_SHOW_CURSOR = "\x1b[?25h\r\n"  # the progress bar hides it


@contextmanager
def leave_on_interrupt() -> Iterator[None]:
    """Let Ctrl-C end the process at once: the compiler would swallow the exception.

    Nothing is lost: the cache's files appear whole or not at all.
    """
    with _on_interrupt(lambda signum, frame: _leave("Stopped.")):
        yield


@contextmanager
def finish_on_interrupt() -> Iterator[threading.Event]:
    """Yield an event that Ctrl-C sets; a second Ctrl-C ends the process at once."""
    stop = threading.Event()

    def handle(signum, frame) -> None:
        if stop.is_set():
            _leave("Stopped at once, without what was finished.")
        stop.set()

    with _on_interrupt(handle):
        yield stop


class Phases:
    """Which part of a question is at work: one that ends with Ctrl-C, or one that keeps its
    sums."""

    def __init__(self) -> None:
        self.is_uninterruptible = False

    @contextmanager
    def uninterruptible(self) -> Iterator[None]:
        """Stand around the compiler, which would swallow the exception and go on."""
        self.is_uninterruptible = True
        try:
            yield
        finally:
            self.is_uninterruptible = False


@contextmanager
def interruptible() -> Iterator[tuple[threading.Event, Phases]]:
    """Yield an event that Ctrl-C sets, and the phases in which it ends the process at once instead.

    A second Ctrl-C ends the process at once.
    """
    stop, phases = threading.Event(), Phases()

    def handle(signum, frame) -> None:
        if phases.is_uninterruptible:
            _leave("Stopped.")
        if stop.is_set():
            _leave("Stopped at once, without what was finished.")
        stop.set()

    with _on_interrupt(handle):
        yield stop, phases


def _leave(sentence: str) -> NoReturn:
    if sys.stderr.isatty():
        click.echo(_SHOW_CURSOR, err=True, nl=False)
    click.echo(sentence, err=True)
    os._exit(INTERRUPTED)


@contextmanager
def _on_interrupt(handle) -> Iterator[None]:
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    before = {name: signal.signal(name, handle) for name in _heard()}
    try:
        yield
    finally:
        for name, handler in before.items():
            signal.signal(name, handler)


def _heard() -> list[int]:
    """Return the signals that stand for Ctrl-C; not those that nohup, say, has turned off."""
    others = [getattr(signal, name, None) for name in ("SIGTERM", "SIGHUP")]
    heard = [each for each in others if each and signal.getsignal(each) is not signal.SIG_IGN]
    return [signal.SIGINT, *heard]
