"""``gin-sim simulate``: two policies, many hands or many games, one table."""

from __future__ import annotations

import json
import shlex
import sys
from pathlib import Path

import click
from click.core import ParameterSource

from gin_sim.cli.interrupt import INTERRUPTED, finish_on_interrupt, leave_on_interrupt
from gin_sim.cli.options import Count, json_option, rules_option, seed_option, threads_option
from gin_sim.errors import InputError


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
@click.option(
    "--games",
    type=Count(1, 10**10),
    default=None,
    help="Whole games to the rules' target to play instead, such as 2e4; rounded up likewise.",
)
@rules_option
@seed_option
@threads_option
@click.option(
    "--mirrored/--no-mirrored",
    default=True,
    show_default=True,
    help="Play each deal, or each game's deals, twice with the seats swapped, which cancels much "
    "of the luck.",
)
@click.option(
    "--baseline",
    is_flag=True,
    help="Also give the differences less the luck of the cards dealt and drawn: for the same "
    "interval fewer hands are needed, but each takes a few microseconds more.",
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
    games,
    rules_spec,
    seed,
    threads,
    mirrored,
    baseline,
    as_json,
    out,
    record,
    record_hands,
    quiet,
) -> None:
    """Play policy A against policy B and say how they differ, with 95% intervals.

    A and B are policies with their parameters after a colon: greedy, greedy:knock=5, simple.
    `gin-sim policies list` shows all; a file of your own is one too: my.toml, my.py:limit=3.

    \b
    Examples:
      gin-sim simulate greedy:knock=10 greedy:knock=5 --hands 1e6 --seed 1
      gin-sim simulate simple greedy --rules eaai --json
      gin-sim simulate simple greedy --record hands.jsonl --record-hands 50
      gin-sim simulate greedy:knock=3 simple --games 2e4 --rules eaai
      gin-sim simulate strong marjj --hands 2e5 --baseline
    """
    if games is not None:
        _refuse_beside_games(hands, games, record, baseline)
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

    from gin_sim.report.progress import progress_bar
    from gin_sim.report.terminal import console, note_compiling
    from gin_sim.simulate.plans import GamePlan, Plan, whole_pairs
    from gin_sim.simulate.run import compile_engine, simulate

    kind, size = (Plan, hands) if games is None else (GamePlan, games)
    if mirrored:
        whole = whole_pairs(size)
        if whole != size and not quiet:
            click.echo(
                f"{size:,} {kind.unit} are not whole mirrored pairs: playing {whole:,}."
                if size > 1
                else f"1 {kind.unit[:-1]} is no mirrored pair: playing 2.",
                err=True,
            )
        size = whole
    more = {"baseline": True} if baseline else {}
    plan = kind(policies, rules, size, seed, mirrored, **more)
    if not quiet:
        note_compiling(plan.kernel)
    with leave_on_interrupt():
        compile_engine(plan)
    with finish_on_interrupt() as stop, progress_bar(plan, quiet) as on_progress:
        played = simulate(plan, threads, stop, on_progress)
    if not played.tally[plan.unit][0]:
        raise KeyboardInterrupt
    result, result_kind, described, print_result = _told(played)
    try:
        if out is not None:
            _write_out(out, result, result_kind, described, quiet)
        if record is not None:
            _write_records(record, plan, min(record_hands or 100, result.hands), quiet)
    finally:  # a disk that fills up in the meantime costs the files, not the result
        if as_json:
            click.echo(json.dumps(described, indent=2, ensure_ascii=False))
        else:
            print_result(result, console())
    if played.partial:
        sys.exit(INTERRUPTED)


def _refuse_beside_games(hands: int, games: int, record: Path | None, baseline: bool) -> None:
    """Refuse what belongs to single hands where whole games are asked for."""
    source = click.get_current_context().get_parameter_source("hands")
    if source is not ParameterSource.DEFAULT:
        raise InputError(
            f"--hands {hands} and --games {games} are two simulations: give one of them."
        )
    if record is not None:
        raise InputError(
            f"--record writes single hands, and --games {games} plays whole games: give --hands "
            "instead of --games to record."
        )
    if baseline:
        raise InputError(
            f"--baseline weighs the luck of single hands, and --games {games} plays whole games: "
            "give --hands instead of --games, or leave --baseline out."
        )


def _told(played):
    """Return a simulation's result, its kind, itself as plain values, and what prints it."""
    if played.plan.unit == "games":
        from gin_sim.analysis.games import games_result
        from gin_sim.report.games import games_json, print_games

        result = games_result(played)
        return result, "games", games_json(result), print_games
    from gin_sim.analysis.head_to_head import head_to_head
    from gin_sim.report.simulate import head_to_head_json, print_head_to_head

    result = head_to_head(played)
    return result, "simulate", head_to_head_json(result), print_head_to_head


def _write_out(out: Path, result, kind: str, described: dict, quiet: bool) -> None:
    from gin_sim.report.charts import draw_charts
    from gin_sim.report.results import describe_run, has_parquet, write_results

    ran = shlex.join(["gin-sim", *click.get_current_context().find_root().obj])
    write_results(
        out,
        _tables(result),
        draw_charts(kind, described, ran),
        {**describe_run(ran), "kind": kind, "result": described},
    )
    if not quiet:
        without = "" if has_parquet() else " (no Parquet: pip install 'gin-sim[parquet]')"
        click.echo(f"Tables, chart and manifest are in {out}{without}.", err=True)


def _tables(result) -> dict:
    if result.played.plan.unit == "games":
        from gin_sim.analysis.games import game_difference_table, game_sides_table, lengths_table

        return {
            "sides": game_sides_table(result),
            "difference": game_difference_table(result),
            "lengths": lengths_table(result),
        }
    from gin_sim.analysis.head_to_head import difference_table, sides_table

    return {"sides": sides_table(result), "difference": difference_table(result)}


def _write_records(path: Path, plan, n_hands: int, quiet: bool) -> None:
    from gin_sim.records import write_records
    from gin_sim.simulate.record import play_recorded

    write_records(
        path,
        play_recorded(plan.policies, plan.rules, plan.seed, n_hands, mirrored=plan.mirrored),
    )
    if not quiet:
        click.echo(f"The first {n_hands:,} hands are in {path}.", err=True)
