"""``gin-sim simulate``: two policies, many hands, one table."""

from __future__ import annotations

import json
import os
import shlex
import signal
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import click

from gin_sim.cli.options import Count, json_option, rules_option, seed_option, threads_option
from gin_sim.errors import InputError

INTERRUPTED = 130


@click.command(name="simulate")
@click.argument("policy_a", metavar="A")
@click.argument("policy_b", metavar="B")
@click.option(
    "--hands",
    type=Count(1),
    default="100000",
    show_default=True,
    help="Hands to play, such as 1e6; an odd number is rounded up to whole mirrored pairs.",
)
@rules_option
@seed_option
@threads_option
@click.option(
    "--mirrored/--no-mirrored",
    default=True,
    show_default=True,
    help="Play each deal twice with the seats swapped, which cancels much of the luck.",
)
@json_option
@click.option(
    "--out",
    type=click.Path(path_type=Path),
    help="Folder for tables (CSV, Parquet), charts (PNG, SVG) and manifest.json.",
)
@click.option(
    "--record",
    type=click.Path(path_type=Path),
    help="File for records of the first hands, one JSON object a line.",
)
@click.option(
    "--record-hands",
    type=Count(1, 10**7),
    default=None,
    help="How many hands to record.  [default: 100, or all if fewer are played]",
)
@click.option("--quiet", is_flag=True, help="No progress bar and no notes.")
def command(
    policy_a,
    policy_b,
    hands,
    rules_spec,
    seed,
    threads,
    mirrored,
    as_json,
    out,
    record,
    record_hands,
    quiet,
) -> None:
    """Play policy A against policy B and say how they differ, with 95% intervals.

    A and B are policies with their parameters after a colon: greedy, greedy:knock=5, simple.
    `gin-sim policies list` shows all.

    \b
    Examples:
      gin-sim simulate greedy:knock=10 greedy:knock=5 --hands 1e6 --seed 1
      gin-sim simulate simple greedy --rules eaai --json
      gin-sim simulate simple greedy --record hands.jsonl --record-hands 50
    """
    if record_hands is not None and record is None:
        raise InputError(f"--record-hands {record_hands} needs --record FILE to write to.")
    from gin_sim.policies.catalogue import parse_policy
    from gin_sim.rules import parse_rules

    policies = (parse_policy(policy_a), parse_policy(policy_b))
    rules = parse_rules(rules_spec)
    if out is not None:
        from gin_sim.report.results import check_folder

        check_folder(out)
    if record is not None:
        from gin_sim.records import STANDARD_STREAM, check_output

        if str(record) == STANDARD_STREAM:
            raise InputError("--record - would mix the records with the table: name a file.")
        check_output(record)

    from gin_sim.analysis.head_to_head import head_to_head
    from gin_sim.report.progress import progress_bar
    from gin_sim.report.simulate import head_to_head_json, print_head_to_head
    from gin_sim.report.terminal import console, note_compiling
    from gin_sim.simulate.play import play_chunk
    from gin_sim.simulate.run import Plan, compile_engine, simulate, whole_pairs

    if mirrored and hands % 2 and not quiet:
        click.echo(
            f"{hands:,} hands are not whole mirrored pairs: playing {whole_pairs(hands):,}.",
            err=True,
        )
    plan = Plan(policies, rules, whole_pairs(hands) if mirrored else hands, seed, mirrored)
    if not quiet:
        note_compiling(play_chunk)
    with _leave_on_interrupt():
        compile_engine()
    with _finish_on_interrupt() as stop, progress_bar(plan, quiet) as on_progress:
        played = simulate(plan, threads, stop, on_progress)
    if not played.tally.deals[0]:
        raise KeyboardInterrupt
    result = head_to_head(played)
    described = head_to_head_json(result)
    try:
        if out is not None:
            _write_out(out, result, described, quiet)
        if record is not None:
            _write_records(record, plan, min(record_hands or 100, result.hands), quiet)
    finally:  # a disk that fills up in the meantime costs the files, not the result
        if as_json:
            click.echo(json.dumps(described, indent=2, ensure_ascii=False))
        else:
            print_head_to_head(result, console())
    if played.partial:
        sys.exit(INTERRUPTED)


def _write_out(out: Path, result, described: dict, quiet: bool) -> None:
    from gin_sim.analysis.head_to_head import difference_table, sides_table
    from gin_sim.report.charts import head_to_head_chart
    from gin_sim.report.results import describe_run, has_parquet, write_results

    ran = shlex.join(["gin-sim", *click.get_current_context().find_root().obj])
    write_results(
        out,
        {"sides": sides_table(result), "difference": difference_table(result)},
        {"simulate": head_to_head_chart(result, ran)},
        {**describe_run(ran), "result": described},
    )
    if not quiet:
        without = "" if has_parquet() else " (no Parquet: pip install 'gin-sim[parquet]')"
        click.echo(f"Tables, chart and manifest are in {out}{without}.", err=True)


def _write_records(path: Path, plan, n_hands: int, quiet: bool) -> None:
    from gin_sim.records import write_records
    from gin_sim.simulate.record import play_recorded

    write_records(
        path,
        play_recorded(plan.policies, plan.rules, plan.seed, n_hands, mirrored=plan.mirrored),
    )
    if not quiet:
        click.echo(f"The first {n_hands:,} hands are in {path}.", err=True)


@contextmanager
def _leave_on_interrupt() -> Iterator[None]:
    """Let Ctrl-C end the process at once: the compiler would swallow the exception.

    Nothing is lost: the cache's files appear whole or not at all.
    """

    def handle(signum, frame) -> None:
        click.echo("Stopped.", err=True)
        os._exit(INTERRUPTED)

    with _on_interrupt(handle):
        yield


@contextmanager
def _finish_on_interrupt() -> Iterator[threading.Event]:
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
