"""``gin-sim warm``: everything compiled ahead, once for this version."""

from __future__ import annotations

import click

from gin_sim.cli.options.common import quiet_option
from gin_sim.cli.options.groups import Command
from gin_sim.cli.output import ask


@click.command(name="warm", cls=Command)
@quiet_option
def command(quiet: bool) -> None:
    """Compile everything that the commands need, so that no question has to wait for it.

    Without it each part is compiled when a question first needs it. Compiled code is kept for this
    version, in the folder that GIN_SIM_CACHE_DIR names or else in your cache folder. Two processes
    share the work; after Ctrl-C, what is compiled is kept.

    \b
    Example:
      gin-sim warm
    """
    from gin_sim.api.warming import warm

    found = ask(warm, quiet=quiet)
    if quiet:
        return
    if not found.parts:
        click.echo("Everything is compiled already.")
        return
    minutes, seconds = divmod(round(found.seconds), 60)
    time = f"{minutes} min {seconds} s" if minutes else f"{seconds} s"
    click.echo(f"Everything is compiled: {found.parts} parts in {time}.")
