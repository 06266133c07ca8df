"""``gin-sim bench``: the engine's speed on this machine, after its sums are checked."""

from __future__ import annotations

import json
import os
import platform
import sys
from importlib.metadata import version

import click

from gin_sim.cli.options.common import json_option, threads_option
from gin_sim.cli.options.groups import Command


@click.command(name="bench", cls=Command)
@json_option
@click.option("--only", metavar="NAME", default=None, help="Measure one figure only.")
@threads_option
def command(as_json: bool, only: str | None, threads: int | None) -> None:
    """Check the engine against golden tallies, then time it; medians of five runs.

    The figures are greedy-greedy, greedy-greedy-gin-only and simple-simple (hands per second, one
    thread and all), deadwood, best_discard and layoff (nanoseconds a call) and cold_compile.

    \b
    Examples:
      gin-sim bench
      gin-sim bench --only greedy-greedy --threads 2 --json
    """
    from gin_sim.checks.bench import GoldenError, run_bench
    from gin_sim.play.loop import play_chunk
    from gin_sim.report.terminal import console, note_compiling

    note_compiling(play_chunk)

    def say(name: str) -> None:
        if sys.stderr.isatty():
            click.echo(f"  {name} ...", err=True)

    try:
        found = run_bench(threads, only, say)
    except GoldenError as error:
        click.echo(f"Error: the engine's sums are wrong, so nothing is timed: {error}", err=True)
        sys.exit(1)
    if as_json:
        click.echo(json.dumps(found, indent=2))
        return
    out = console()
    out.print(f"{found['golden_tallies']} golden tallies are right · {_machine()}\n")
    for name, speeds in found.get("hands_per_second", {}).items():
        for count, speed in speeds.items():
            threads_word = "thread" if count == "1" else "threads"
            out.print(f"  {name:<24}{count:>3} {threads_word:<8}{speed / 1e6:>8.2f} M hands/s")
    for name, ns in found.get("ns", {}).items():
        out.print(f"  {name:<24}{'':>11} {ns:>8.1f} ns")
    if "cold_compile_seconds" in found:
        out.print(f"  {'cold_compile':<24}{'':>11} {found['cold_compile_seconds']:>8.1f} s")
    out.print("\nmedians of five runs; hands are mirrored, tallied and under eaai rules")


def _machine() -> str:
    return (
        f"Python {platform.python_version()}, Numba {version('numba')}, {platform.machine()}, "
        f"{os.cpu_count()} cores"
    )
