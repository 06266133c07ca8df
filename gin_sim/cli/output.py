"""How a command asks the front door and gives its result: progress, Ctrl-C, text, JSON, files."""

from __future__ import annotations

import json
import shlex
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager, nullcontext
from pathlib import Path
from typing import Any

import click

from gin_sim.api.progress import Progress
from gin_sim.cli.interrupt import INTERRUPTED, interruptible
from gin_sim.results.common import Answer, Savable


def typed_command() -> str:
    """Return the command line as it was typed."""
    return shlex.join(["gin-sim", *click.get_current_context().find_root().obj])


def ask(
    question: Callable[..., Any], /, *arguments: Any, quiet: bool = False, **options: Any
) -> Any:
    """Call a function of the front door with a bar and with Ctrl-C keeping what is finished.

    Parameters
    ----------
    question : callable
        Of :mod:`gin_sim.api`; it takes ``progress`` and ``stop``.
    quiet : bool
        No bar and no notes.
    """
    with interruptible() as (stop, phases):
        shown = _progress(quiet, phases)
        with shown.compiling(at_work=True):  # a policy's file compiles when it is read
            return question(*arguments, progress=shown, stop=stop, **options)


def look_up(question: Callable[..., Any], /, *arguments: Any, **options: Any) -> Any:
    """Call a function of the front door that answers at once, except for compiling.

    Parameters
    ----------
    question : callable
        Of :mod:`gin_sim.api`; it takes ``progress``.
    """
    shown = _Compiling()
    with shown.compiling():
        return question(*arguments, progress=shown, **options)


def print_json(text: str) -> None:
    """Print JSON; what standard output cannot encode is escaped, as JSON allows."""
    try:
        text.encode(sys.stdout.encoding or "ascii")
    except UnicodeEncodeError:
        text = "".join(sign if sign.isascii() else json.dumps(sign)[1:-1] for sign in text)
    click.echo(text)


def show(
    result: Answer,
    as_json: bool,
    out: Path | None = None,
    quiet: bool = False,
    charts: bool = True,
    stderr: bool = False,
) -> None:
    """Print a result and write its files; end with 130 where Ctrl-C cut it short.

    What was found is printed first, so that it is not lost when a file cannot be written; and the
    files are written even if it cannot be printed, on a terminal that is gone, say.
    """
    is_saved = isinstance(result, Savable)
    if is_saved:
        result.command = result.command or typed_command()
    try:
        _print(result, as_json, quiet, stderr)
    finally:
        if is_saved and out is not None:
            write(result, out, quiet, charts)
    if is_saved and result.partial:
        sys.exit(INTERRUPTED)


def _print(result: Answer, as_json: bool, quiet: bool, stderr: bool) -> None:
    if as_json:
        print_json(result.to_json())
    else:
        from gin_sim.report.terminal import console
        from gin_sim.report.text import show

        show(result, console(stderr))
    if not quiet:
        from gin_sim.report.terminal import note_cache

        note_cache()  # what was found while the engine was loaded, or could not be kept


def write(result: Savable, out: Path, quiet: bool = False, charts: bool = True) -> None:
    """Write a result's files, and say where they are."""
    from gin_sim.results.folder import has_parquet

    names = result.save(out, charts)
    if not quiet:
        without = "" if has_parquet() else " (no Parquet: pip install 'gin-sim[parquet]')"
        drawn = any(name.endswith((".png", ".svg")) for name in names)
        what = "Tables, charts and manifest" if drawn else "Tables and manifest"
        click.echo(f"{what} are in {out}{without}.", err=True)


def _progress(quiet: bool, phases: Any) -> Progress:
    if quiet:
        return _Phased(Progress(), phases)
    from gin_sim.report.progress import TerminalProgress

    return _Phased(TerminalProgress(), phases)


class _Compiling(Progress):
    """Says on standard error that the engine compiles, where it has to."""

    def __init__(self) -> None:
        from gin_sim.report.compiling import CompilingLine

        self._line = CompilingLine()

    def compiling(self, *functions: Any, at_work: bool = False):
        return self._line.expecting(functions)


class _Phased(Progress):
    """Passes everything on, and notes while the engine compiles: Ctrl-C then ends the process."""

    def __init__(self, shown: Progress, phases: Any) -> None:
        self._shown = shown
        self._phases = phases

    @contextmanager
    def compiling(self, *functions: Any, at_work: bool = False) -> Iterator[None]:
        alone = nullcontext() if at_work else self._phases.uninterruptible()
        with alone, self._shown.compiling(*functions):
            yield

    def playing(self, plan, watch=None):
        return self._shown.playing(plan, watch)

    def counting(self, total, noun):
        return self._shown.counting(total, noun)

    def advising(self, blocks, unit):
        return self._shown.advising(blocks, unit)

    def note(self, sentence):
        self._shown.note(sentence)

    def step(self, sentence):
        self._shown.step(sentence)
