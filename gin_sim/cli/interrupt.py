"""Ctrl-C: it ends a compile at once, and a simulation with what is finished."""

from __future__ import annotations

import os
import signal
import threading
from collections.abc import Iterator
from contextlib import contextmanager

import click

INTERRUPTED = 130


@contextmanager
def leave_on_interrupt() -> Iterator[None]:
    """Let Ctrl-C end the process at once: the compiler would swallow the exception.

    Nothing is lost: the cache's files appear whole or not at all.
    """

    def handle(signum, frame) -> None:
        click.echo("Stopped.", err=True)
        os._exit(INTERRUPTED)

    with _on_interrupt(handle):
        yield


@contextmanager
def finish_on_interrupt() -> Iterator[threading.Event]:
    """Yield an event that Ctrl-C sets; a second Ctrl-C stops at once."""
    stop = threading.Event()

    def handle(signum, frame) -> None:
        if stop.is_set():
            raise KeyboardInterrupt
        stop.set()

    with _on_interrupt(handle):
        yield stop


@contextmanager
def _on_interrupt(handle) -> Iterator[None]:
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    before = signal.signal(signal.SIGINT, handle)
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, before)
