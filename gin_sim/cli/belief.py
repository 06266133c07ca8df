"""``gin-sim belief``: what is believed of an opponent's hand, tried against the truth."""

from __future__ import annotations

import sys
import time

import click

from gin_sim.cli.interrupt import INTERRUPTED, finish_on_interrupt, leave_on_interrupt
from gin_sim.cli.options.common import (
    Count,
    json_option,
    out_option,
    quiet_option,
    seed_option,
    threads_option,
)
from gin_sim.cli.options.deviation import read_stray, stray_option
from gin_sim.cli.options.groups import Command
from gin_sim.cli.playing import json_text, write_result
from gin_sim.errors import InputError


@click.group(name="belief")
def command() -> None:
    """Try what is believed of an opponent's hidden hand against what it really was.

    \b
    Example:
      gin-sim belief calibrate --opponent simple
    """


@command.command(name="calibrate", cls=Command)
@click.option(
    "--opponent",
    "opponent_spec",
    required=True,
    metavar="POLICY",
    help="What the opponent is supposed to follow; of played hands, what it plays.",
)
@click.option(
    "--play",
    "play_spec",
    metavar="POLICY",
    help="Who meets it and asks.  [default: the opponent's own draws and discards with knock=0, "
    "so that hands go on]",
)
@click.option(
    "--records",
    metavar="FILE",
    help="Recorded hands instead of played ones: each player of the file is believed to follow "
    "--opponent; - is standard input.",
)
@click.option(
    "--positions",
    type=Count(1, 10**6),
    default="3000",
    show_default=True,
    help="Knock decisions to try, as many in each of five classes of stock draws; of recorded "
    "hands the first so many.",
)
@click.option(
    "--worlds",
    type=Count(4, 10**5),
    default=400,
    show_default=True,
    help="Worlds of each belief at each position, in four chains.",
)
@stray_option("known; alike with --records")
@click.option(
    "--rules",
    "rules_spec",
    metavar="RULES",
    help="Rule set of played hands.  [default: standard; recorded hands have their own]",
)
@seed_option
@threads_option
@json_option
@out_option
@quiet_option
def calibrate_command(
    opponent_spec,
    play_spec,
    records,
    positions,
    worlds,
    stray_text,
    rules_spec,
    seed,
    threads,
    as_json,
    out,
    quiet,
) -> None:
    """Say how far a belief about an opponent's hand can be trusted.

    At knock decisions three beliefs are asked: the one from the history, weights learned from
    hands played out, and uniform dealing.  The chance of an undercut that each predicts stands
    beside the true share, with the opponent's deadwood and a score of where each unseen card is.

    \b
    Examples:
      gin-sim belief calibrate --opponent simple
      gin-sim belief calibrate --opponent marjj --positions 500 --out results/marjj
      gin-sim belief calibrate --opponent simple:knock=10/10/10/0 --records hands.jsonl
    """
    from gin_sim.policies.catalogue import parse_policy
    from gin_sim.report.terminal import console

    opponent = parse_policy(opponent_spec)
    if records is not None and (play_spec is not None or rules_spec is not None):
        raise InputError(
            f"--records {records} has its own players and rules: leave --play and --rules out."
        )
    player = None if records is not None else _player(opponent_spec, play_spec)
    stray = _stray(stray_text, records is not None)
    if out is not None:
        from gin_sim.results.folder import check_folder

        check_folder(out)
    from gin_sim.report.text.calibration import (
        Calibration,
        calibration_json,
        calibration_tables,
        print_calibration,
    )

    with leave_on_interrupt():
        decisions, rules = _decisions(player, opponent, records, rules_spec, positions, seed)
    started = time.perf_counter()
    ask, rows = _ask(decisions, player, opponent, stray, seed, worlds, threads, quiet)
    if not len(rows):
        raise KeyboardInterrupt
    seconds = time.perf_counter() - started
    found = Calibration(ask, decisions, rows, rules, player, records, positions, seconds)
    described = calibration_json(found)
    if as_json:
        click.echo(json_text(described))
    else:
        print_calibration(found, console())
    if out is not None:
        write_result("calibration", described, calibration_tables(found), out, quiet)
    if found.partial:
        sys.exit(INTERRUPTED)


def _player(opponent_spec: str, play_spec: str | None):
    """Return who meets the opponent: by default its own play, without any knock but gin."""
    from gin_sim.belief.class_weights import patient
    from gin_sim.policies.catalogue import parse_policy

    if play_spec is not None:
        return parse_policy(play_spec)
    opponent = parse_policy(opponent_spec)
    player = patient(opponent)
    if player is None:
        raise InputError(
            f"{opponent.spec} has no knock table to set to gin only for the player who meets it: "
            "give --play POLICY, such as --play simple:knock=0."
        )
    return player


def _stray(text: str | None, is_recorded: bool):
    from gin_sim.belief.likelihood import ALIKE, KNOWN

    if text is not None:
        return read_stray(text)
    return ALIKE if is_recorded else KNOWN


def _decisions(player, opponent, records, rules_spec, positions, seed):
    """Return the decisions to try and the rules of the hands."""
    from gin_sim.belief.test_positions import played_decisions, recorded_decisions
    from gin_sim.records import read_records
    from gin_sim.rules import parse_rules

    if records is None:
        rules = parse_rules(rules_spec or "standard")
        decisions = played_decisions(player, opponent, rules, positions, seed)
        if not decisions:
            raise InputError(
                f"{player.spec} never came to a knock without gin against {opponent.spec}: give "
                "another --play, or rules with a higher knock limit."
            )
        return decisions, rules
    decisions = recorded_decisions(record for _, record in read_records(records))[:positions]
    specs = sorted({decision.position.rules.name for decision in decisions})
    if len(specs) > 1:
        raise InputError(
            f"the hands of '{records}' are under {len(specs)} rule sets ({', '.join(specs)}): all "
            "figures are under one; give a file for each."
        )
    return decisions, decisions[0].position.rules


def _ask(decisions, player, opponent, stray, seed, worlds, threads, quiet):
    from gin_sim.belief.calibration import Ask, calibrate, learned_for
    from gin_sim.belief.replica_exchange import start_chain
    from gin_sim.report.progress import counting_bar
    from gin_sim.report.terminal import note_compiling

    if not quiet:
        note_compiling(start_chain)
    with leave_on_interrupt():
        ask = Ask(opponent, stray, learned_for(decisions, opponent, player, seed), seed, worlds)
    with (
        finish_on_interrupt() as stop,
        counting_bar(len(decisions), "positions", quiet) as on_progress,
    ):
        return ask, calibrate(decisions, ask, threads, stop, on_progress)
