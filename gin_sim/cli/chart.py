"""``gin-sim chart``: a saved result's charts, drawn again from its manifest alone."""

from __future__ import annotations

from pathlib import Path

import click

from gin_sim.cli.options.groups import Command


@click.command(name="chart", cls=Command)
@click.argument("folder", metavar="DIR", type=click.Path(path_type=Path))
@click.option(
    "--out",
    type=click.Path(path_type=Path),
    help="Folder for the charts.  [default: DIR itself, where they are replaced]",
)
@click.option(
    "--format",
    "formats",
    type=click.Choice(["png", "svg"]),
    multiple=True,
    help="Write only this format.  [default: both]",
)
def command(folder, out, formats) -> None:
    """Draw the charts of the result in DIR again, without playing a hand.

    DIR is a folder that --out of another command has made.  The names of the files are printed.

    \b
    Examples:
      gin-sim chart results/knock_10_or_5
      gin-sim chart results/knock_10_or_5 --out slides --format svg
    """
    from gin_sim.api.loading import redraw

    for path in redraw(folder, out, formats):
        click.echo(path)
