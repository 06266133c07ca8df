"""How commands play a plan and write its result: size, stopping, progress, Ctrl-C, files."""

from __future__ import annotations

import json
import shlex
from pathlib import Path

import click

from gin_sim.cli.interrupt import finish_on_interrupt, leave_on_interrupt
from gin_sim.errors import InputError

#: Played at most where a stopping rule decides how much is played and no size is given.
MOST_HANDS, MOST_GAMES = 10**8, 10**6


def read_stopping(
    until: str | None, sprt: str | None, objective: str
) -> tuple[float | None, tuple[float, float] | None]:
    """Read ``--until`` and ``--sprt``; for ``win`` they are in % of games."""
    if until is None and sprt is None:
        return None, None
    from gin_sim.stats.sequential import parse_half_width, parse_sprt

    scale = 100 if objective == "win" else 1
    half_width = None if until is None else parse_half_width(until) / scale
    if sprt is None:
        return half_width, None
    d0, d1 = parse_sprt(sprt)
    if objective == "win" and not -100 <= d0 < d1 <= 100:
        raise InputError(
            f"--sprt {sprt} is beyond all leads: the % of games won less the % lost is from -100 "
            "to 100; try 0,5."
        )
    return half_width, (d0 / scale, d1 / scale)


def whole_size(size: int, mirrored: bool, unit: str, quiet: bool) -> int:
    """Return a size in whole mirrored pairs, and say so where it changed."""
    from gin_sim.play.plans import whole_pairs

    whole = whole_pairs(size) if mirrored else size
    if whole != size and not quiet:
        click.echo(
            f"{size:,} {unit} are not whole mirrored pairs: playing {whole:,}."
            if size > 1
            else f"1 {unit[:-1]} is no mirrored pair: playing 2.",
            err=True,
        )
    return whole


def play(plan, threads: int | None, quiet: bool, watch=None):
    """Play a plan with a progress bar; Ctrl-C keeps what is finished."""
    from gin_sim.play.run import compile_engine, simulate
    from gin_sim.report.progress import progress_bar
    from gin_sim.report.terminal import note_compiling

    if not quiet:
        note_compiling(plan.kernel)
    with leave_on_interrupt():
        compile_engine(plan)
    with finish_on_interrupt() as stop, progress_bar(plan, quiet, watch) as on_progress:
        played = simulate(plan, threads, stop, on_progress, watch)
    if not plan.finished(played.tally):
        raise KeyboardInterrupt
    return played


def json_text(described: dict) -> str:
    """Return a result as the JSON text that ``--json`` prints."""
    return json.dumps(described, indent=2, ensure_ascii=False, allow_nan=False)


def write_result(
    kind: str, described: dict, tables: dict, out: Path, quiet: bool, charts: bool = True
) -> None:
    """Write a result's tables, charts and manifest.

    Parameters
    ----------
    kind : str
        What :func:`gin_sim.report.charts.draw_saved_charts` knows.
    described : dict
        The result as it is printed with ``--json``.
    tables : dict of str to DataFrame
        By file name without ending.
    out : Path
    quiet : bool
    charts : bool
        Whether to draw them.
    """
    from gin_sim.report.charts import draw_saved_charts
    from gin_sim.results.folder import describe_run, has_parquet, write_results

    ran = shlex.join(["gin-sim", *click.get_current_context().find_root().obj])
    write_results(
        out,
        tables,
        draw_saved_charts(kind, described, ran) if charts else {},
        {**describe_run(ran), "kind": kind, "result": described},
    )
    if not quiet:
        without = "" if has_parquet() else " (no Parquet: pip install 'gin-sim[parquet]')"
        what = "Tables, chart and manifest" if charts else "Tables and manifest"
        click.echo(f"{what} are in {out}{without}.", err=True)
