"""``gin-sim bench``: the engine's speed on this machine, after its sums are checked."""

from __future__ import annotations

import sys

import click

from gin_sim.cli.options.common import json_option, threads_option
from gin_sim.cli.options.groups import Command
from gin_sim.cli.output import look_up, show


@click.command(name="bench", cls=Command)
@json_option
@click.option("--only", metavar="NAME", default=None, help="Measure only this figure.")
@threads_option
def command(as_json: bool, only: str | None, threads: int | None) -> None:
    """Check the engine against golden tallies, then time it; medians of five runs, a cold compile
    once.

    The figures are greedy-greedy, greedy-greedy-gin-only and simple-simple (hands per second, one
    thread and all), deadwood, best_discard and layoff (nanoseconds per call) and cold_compile (the
    CPU seconds of a small question of each kind with an empty cache; about two minutes).

    \b
    Examples:
      gin-sim bench
      gin-sim bench --only greedy-greedy --threads 2 --json
    """
    from gin_sim.api.checks import GoldenError, bench

    def say(name: str) -> None:
        if sys.stderr.isatty():
            click.echo(f"  {name} ...", err=True)

    try:
        found = look_up(bench, only=only, threads=threads, on_step=say)
    except GoldenError as error:
        click.echo(f"Error: the engine's sums are wrong, so nothing is timed: {error}", err=True)
        sys.exit(1)
    show(found, as_json)
