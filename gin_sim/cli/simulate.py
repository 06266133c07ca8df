"""``gin-sim simulate``: two policies, many hands or many games, one table."""

from __future__ import annotations

import sys
from pathlib import Path

import click

from gin_sim.cli.interrupt import INTERRUPTED
from gin_sim.cli.options.common import (
    Count,
    json_option,
    out_option,
    quiet_option,
    rules_option,
    seed_option,
    stopping_options,
    threads_option,
)
from gin_sim.cli.options.groups import Command
from gin_sim.cli.playing import MOST_HANDS, json_text, play, read_stopping, whole_size, write_result
from gin_sim.errors import InputError

_HANDS = 100_000


@click.command(name="simulate", cls=Command)
@click.argument("policy_a", metavar="A")
@click.argument("policy_b", metavar="B")
@click.option(
    "--hands",
    type=Count(1),
    default=None,
    help="Hands to play, such as 1e6; an odd number is rounded up to whole mirrored pairs.  "
    "[default: 100,000; at most 100,000,000 with --until or --sprt]",
)
@click.option(
    "--games",
    type=Count(1, 10**10),
    default=None,
    help="Whole games to the rules' target to play instead, such as 2e4; rounded up likewise.",
)
@click.option(
    "--objective",
    type=click.Choice(["points", "points+boxes", "win"]),
    default=None,
    help="What --until and --sprt look at.  [default: points, or win with --games]",
)
@stopping_options[0]
@stopping_options[1]
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
@out_option
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
@quiet_option
def command(
    policy_a,
    policy_b,
    hands,
    games,
    objective,
    until,
    sprt,
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
      gin-sim simulate strong marjj --until 0.1
      gin-sim simulate strong simple --games 1e6 --sprt 58,60 --rules eaai
    """
    if games is not None:
        _refuse_beside_games(hands, games, record, baseline)
    objective = _objective(objective, games, until or sprt)
    half_width, test = read_stopping(until, sprt, objective)
    stops = until is not None or sprt is not None
    if baseline and stops:
        raise InputError(
            "--baseline does not go with --until or --sprt: its figures hold for a number of hands "
            "that is fixed in advance; give --hands."
        )
    if record_hands is not None and record is None:
        raise InputError(f"--record-hands {record_hands} needs --record FILE to write to.")
    from gin_sim.policies.catalogue import parse_policy
    from gin_sim.rules import parse_rules

    policies = (parse_policy(policy_a), parse_policy(policy_b))
    rules = parse_rules(rules_spec)
    if out is not None:
        from gin_sim.results.folder import check_folder

        check_folder(out)
    if record is not None:
        from gin_sim.records import STANDARD_STREAM, check_output

        if str(record) == STANDARD_STREAM:
            raise InputError("--record - would mix the records with the table: name a file.")
        check_output(record)

    from gin_sim.report.terminal import console

    size = games or hands or (MOST_HANDS if stops else _HANDS)
    size = whole_size(size, mirrored, "hands" if games is None else "games", quiet)
    plan = _plan(policies, rules, size, seed, mirrored, games is not None, baseline)
    watch = _watch(plan, objective, half_width, test)
    played = play(plan, threads, quiet, watch)
    result, result_kind, described, print_result = _told(played, watch)
    # First what was found, then the files: whatever befalls those costs not the result.
    if as_json:
        click.echo(json_text(described))
    else:
        print_result(result, console())
    if out is not None:
        write_result(result_kind, described, _tables(result), out, quiet)
    if record is not None:
        _write_records(record, plan, min(record_hands or 100, result.hands), quiet)
    if played.partial:
        sys.exit(INTERRUPTED)


def _refuse_beside_games(
    hands: int | None, games: int, record: Path | None, baseline: bool
) -> None:
    """Refuse what belongs to single hands where whole games are asked for."""
    if hands is not None:
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


def _objective(objective: str | None, games: int | None, stops: str | None) -> str:
    """Return what a stopping rule looks at; refuse what the plan does not play."""
    if objective is None:
        return "points" if games is None else "win"
    if stops is None:
        raise InputError(
            f"--objective {objective} is what --until and --sprt look at, and neither is given: "
            "all objectives are shown."
        )
    if (objective == "win") != (games is not None):
        played = "single hands are played" if games is None else "whole games are played"
        raise InputError(
            f"--objective {objective} does not go with what is played: {played}; "
            + ("give --games." if games is None else "leave --games out.")
        )
    return objective


def _plan(policies, rules, size, seed, mirrored, games, baseline):
    from gin_sim.play.plans import GamePlan, Plan

    if games:
        return GamePlan(policies, rules, size, seed, mirrored)
    return Plan(policies, rules, size, seed, mirrored, baseline)


def _watch(plan, objective, half_width, test):
    from gin_sim.contests.games import game_lead
    from gin_sim.contests.match import hand_leads
    from gin_sim.contests.stopping_rules import watch_for

    samples = game_lead if objective == "win" else hand_leads(objective)
    return watch_for(plan, samples, objective, half_width=half_width, test=test)


def _told(played, watch):
    """Return a simulation's result, its kind, itself as plain values, and what prints it."""
    if played.plan.unit == "games":
        from gin_sim.contests.games import games_result
        from gin_sim.report.text.games import games_json, print_games

        result = games_result(played, watch)
        return result, "games", games_json(result), print_games
    from gin_sim.contests.match import head_to_head
    from gin_sim.report.text.match import head_to_head_json, print_head_to_head

    result = head_to_head(played, watch)
    return result, "simulate", head_to_head_json(result), print_head_to_head


def _tables(result) -> dict:
    if result.played.plan.unit == "games":
        from gin_sim.contests.games import game_difference_table, game_sides_table, lengths_table

        return {
            "sides": game_sides_table(result),
            "difference": game_difference_table(result),
            "lengths": lengths_table(result),
        }
    from gin_sim.contests.match import difference_table, sides_table

    return {"sides": sides_table(result), "difference": difference_table(result)}


def _write_records(path: Path, plan, n_hands: int, quiet: bool) -> None:
    from gin_sim.play.record import play_recorded
    from gin_sim.records import write_records

    write_records(
        path,
        play_recorded(plan.policies, plan.rules, plan.seed, n_hands, mirrored=plan.mirrored),
    )
    if not quiet:
        click.echo(f"The first {n_hands:,} hands are in {path}.", err=True)
