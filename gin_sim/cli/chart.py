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
    help="Write this form only; may be given twice.  [default: both]",
)
def command(folder, out, formats) -> None:
    """Draw the charts of the result in DIR again, without playing a hand.

    DIR is a folder that another command's --out has made.  The names of the files are printed.

    \b
    Examples:
      gin-sim chart results/knock_10_or_5
      gin-sim chart results/knock_10_or_5 --out slides --format svg
    """
    from gin_sim.errors import InputError
    from gin_sim.results.folder import FORMATS, holds_result, read_result, write_charts

    manifest = read_result(folder)
    out = folder if out is None else out
    if holds_result(out) and not (out.exists() and out.samefile(folder)):
        raise InputError(f"the folder '{out}' holds another result: name another for the charts.")

    from gin_sim.report.charts import draw_charts, draw_saved_charts
    from gin_sim.results.kinds import KINDS, read_object

    try:
        if manifest["kind"] in KINDS:
            figures = draw_charts(read_object(manifest["result"]))
        else:
            figures = draw_saved_charts(manifest["kind"], manifest["result"], manifest["command"])
    except InputError as error:
        raise InputError(f"in '{folder}', {error}") from None
    wanted = [name for name in FORMATS if name in formats] or FORMATS
    for name in write_charts(out, figures, wanted):
        click.echo(out / name)
