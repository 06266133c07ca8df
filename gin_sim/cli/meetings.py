"""What ``compare`` and ``sweep`` share: objective, size, stopping, and how meetings are played."""

from __future__ import annotations

import json
import shlex
import sys
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import click

from gin_sim.cli.interrupt import INTERRUPTED, finish_on_interrupt, leave_on_interrupt
from gin_sim.cli.options import (
    Count,
    json_option,
    quiet_option,
    rules_option,
    seed_option,
    stopping_options,
    threads_option,
)
from gin_sim.errors import InputError

_HANDS, _GAMES = 100_000, 20_000
#: At most, where a stopping rule decides how much is played.
_MOST_HANDS, _MOST_GAMES = 10**8, 10**6

objective_option = click.option(
    "--objective",
    type=click.Choice(["points", "points+boxes", "win"]),
    default="points",
    show_default=True,
    help="What a policy is judged by: points a hand, points with the box of each hand won, or "
    "whole games won.",
)


def meeting_options(command):
    """Add the options of a command that plays many meetings."""
    options = [
        objective_option,
        click.option(
            "--hands",
            type=Count(1),
            default=None,
            help="Hands for each two policies, such as 1e6; at most, with --until or --sprt.  "
            "[default: 100,000]",
        ),
        click.option(
            "--games",
            type=Count(1, 10**10),
            default=None,
            help="With --objective win: games for each two policies.  [default: 20,000]",
        ),
        *stopping_options,
        rules_option,
        seed_option,
        threads_option,
        click.option(
            "--mirrored/--no-mirrored",
            default=True,
            show_default=True,
            help="Play each deal, or each game's deals, twice with the seats swapped.",
        ),
        json_option,
        click.option(
            "--out",
            type=click.Path(path_type=Path),
            help="Folder for tables (CSV, Parquet), charts (PNG, SVG) and manifest.json.",
        ),
        quiet_option,
    ]
    for option in reversed(options):
        command = option(command)
    return command


@dataclass(frozen=True)
class Asked:
    """The options of :func:`meeting_options`, read and checked.

    Parameters
    ----------
    size : int
        Hands or games of each meeting.
    half_width : float or None
        Of ``--until``, in the objective's own unit.
    test : pair of float or None
        Of ``--sprt``.
    """

    objective: str
    size: int
    half_width: float | None
    test: tuple[float, float] | None
    rules: Any
    seed: int
    threads: int | None
    mirrored: bool
    as_json: bool
    out: Path | None
    quiet: bool


def read_options(
    objective, hands, games, until, sprt, rules_spec, seed, threads, mirrored, as_json, out, quiet
) -> Asked:
    """Read the options, and refuse what does not go together before any work is done."""
    from gin_sim.rules import parse_rules

    half_width, test = read_stopping(until, sprt, objective)
    if objective == "win":
        if hands is not None:
            raise InputError(
                f"--hands {hands} does not go with --objective win, which plays whole games: "
                "give --games instead."
            )
        size = games or (_GAMES if until is None and sprt is None else _MOST_GAMES)
    else:
        if games is not None:
            raise InputError(
                f"--games {games} plays whole games, and --objective {objective} is judged by "
                "hands: give --objective win, or --hands."
            )
        size = hands or (_HANDS if until is None and sprt is None else _MOST_HANDS)
    rules = parse_rules(rules_spec)
    if out is not None:
        from gin_sim.report.results import check_folder

        check_folder(out)
    return Asked(
        objective,
        whole_size(size, mirrored, "games" if objective == "win" else "hands", quiet),
        half_width,
        test,
        rules,
        seed,
        threads,
        mirrored,
        as_json,
        out,
        quiet,
    )


def read_stopping(
    until: str | None, sprt: str | None, objective: str
) -> tuple[float | None, tuple[float, float] | None]:
    """Read ``--until`` and ``--sprt``; for ``win`` they are in % of games."""
    if until is None and sprt is None:
        return None, None
    from gin_sim.analysis.sequential import parse_half_width, parse_sprt

    scale = 100 if objective == "win" else 1
    half_width = None if until is None else parse_half_width(until) / scale
    if sprt is None:
        return half_width, None
    d0, d1 = parse_sprt(sprt)
    return half_width, (d0 / scale, d1 / scale)


def whole_size(size: int, mirrored: bool, unit: str, quiet: bool) -> int:
    """Return a size in whole mirrored pairs, and say so where it changed."""
    if not mirrored or size % 2 == 0:
        return size
    if not quiet:
        click.echo(
            f"{size:,} {unit} are not whole mirrored pairs: playing {size + 1:,}."
            if size > 1
            else f"1 {unit[:-1]} is no mirrored pair: playing 2.",
            err=True,
        )
    return size + 1


def play(plan, threads: int | None, quiet: bool, watch=None):
    """Play a plan with a progress bar; Ctrl-C keeps what is finished."""
    from gin_sim.report.progress import progress_bar
    from gin_sim.report.terminal import note_compiling
    from gin_sim.simulate.run import compile_engine, simulate

    if not quiet:
        note_compiling(plan.kernel)
    with leave_on_interrupt():
        compile_engine(plan)
    with finish_on_interrupt() as stop, progress_bar(plan, quiet, watch) as on_progress:
        played = simulate(plan, threads, stop, on_progress, watch)
    if not plan.finished(played.tally):
        raise KeyboardInterrupt
    return played


def play_meetings(plan, asked: Asked):
    """Play a plan of meetings, and return its leads."""
    from gin_sim.analysis.leads import Leads, lead_moments, watch_for

    n_figures = len(plan.pairings)
    watch = watch_for(plan, lead_moments, n_figures, asked.half_width, asked.test)
    return Leads(play(plan, asked.threads, asked.quiet, watch), watch)


def tell(kind: str, described: dict, print_result: Callable, found, asked: Asked) -> None:
    """Write a result to its folder and print it; end with 130 where Ctrl-C cut it short."""
    from gin_sim.report.terminal import console

    try:
        if asked.out is not None:
            write_out(kind, described, asked.out, asked.quiet)
    finally:  # a disk that fills up in the meantime costs the files, not the result
        if asked.as_json:
            click.echo(json.dumps(described, indent=2, ensure_ascii=False))
        else:
            print_result(found, console())
    if described["partial"]:
        sys.exit(INTERRUPTED)


def write_out(kind: str, described: dict, out: Path, quiet: bool) -> None:
    """Write a result's tables, charts and manifest."""
    from gin_sim.report.charts import draw_charts
    from gin_sim.report.results import describe_run, has_parquet, write_results
    from gin_sim.report.tables import result_tables

    ran = shlex.join(["gin-sim", *click.get_current_context().find_root().obj])
    write_results(
        out,
        result_tables(kind, described),
        draw_charts(kind, described, ran),
        {**describe_run(ran), "kind": kind, "result": described},
    )
    if not quiet:
        without = "" if has_parquet() else " (no Parquet: pip install 'gin-sim[parquet]')"
        click.echo(f"Tables, charts and manifest are in {out}{without}.", err=True)
