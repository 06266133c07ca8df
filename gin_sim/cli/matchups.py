"""What ``compare`` and ``sweep`` share: objective, size, stopping, and how meetings are played."""

from __future__ import annotations

import sys
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any

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
from gin_sim.cli.options.score import score_options
from gin_sim.cli.playing import (
    MOST_GAMES,
    MOST_HANDS,
    json_text,
    play,
    read_stopping,
    whole_size,
    write_result,
)
from gin_sim.errors import InputError

_HANDS, _GAMES = 100_000, 20_000

_OBJECTIVES = ("points", "points+boxes", "win")
_JUDGED_BY = (
    "What a policy is judged by: points per hand, points with the box of each hand won, or whole "
    "games won"
)


def meeting_options(command, sprt: bool = True, scores: bool = False):
    """Add the options of a command that plays many meetings.

    Parameters
    ----------
    command : callable
    sprt : bool
        Whether there may be a single pair, which a test can decide on.
    scores : bool
        Whether single hands may be played at a score and judged by the game.
    """
    at_score = "; with --score by the chance to win the game, in %, or the points settled"
    options = [
        click.option(
            "--objective",
            type=click.Choice([*_OBJECTIVES, *(["stakes"] if scores else [])]),
            default="points",
            show_default=True,
            help=f"{_JUDGED_BY}{at_score if scores else ''}.",
        ),
        *([_score_options] if scores else []),
        click.option(
            "--hands",
            type=Count(1),
            default=None,
            help="Hands for each pairing, such as 1e6.  [default: 100,000; at most 100,000,000 "
            "where a stopping rule decides]",
        ),
        click.option(
            "--games",
            type=Count(1, 10**10),
            default=None,
            help="With --objective win: games for each pairing.  [default: 20,000; at most "
            "1,000,000 where a stopping rule decides]",
        ),
        *stopping_options[: 2 if sprt else 1],
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
        out_option,
        quiet_option,
    ]
    for option in reversed(options):
        command = option(command)
    return command


_score_options = partial(score_options, default="whole games from 0-0")


@dataclass(frozen=True)
class Asked:
    """The options of :func:`meeting_options`, read and checked.

    Parameters
    ----------
    size : int
        Hands or games of each meeting.
    half_width : float or None
        Of ``--until``, in the unit of the figures: shares of games for whole games.
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
    *,
    score=None,
    objective,
    hands,
    games,
    until,
    sprt=None,
    rules_spec,
    seed,
    threads,
    mirrored,
    as_json,
    out,
    quiet,
) -> Asked:
    """Read the options, and refuse what does not go together before any work is done.

    With a score single hands are played there, whatever the objective.
    """
    from gin_sim.rules import parse_rules

    whole_games = objective == "win" and score is None
    half_width, test = read_stopping(until, sprt, "win" if whole_games else "points")
    if whole_games:
        if hands is not None:
            raise InputError(
                f"--hands {hands} does not go with --objective win, which plays whole games: "
                "give --games instead."
            )
        size = games or (_GAMES if until is None and sprt is None else MOST_GAMES)
    else:
        if games is not None:
            by_hands = f"--objective {objective} is judged by hands: give --objective win"
            at_score = f"at --score {score} single hands are played: leave --games out"
            raise InputError(
                f"--games {games} plays whole games, and {by_hands if score is None else at_score}"
                ", or give --hands."
            )
        size = hands or (_HANDS if until is None and sprt is None else MOST_HANDS)
    rules = parse_rules(rules_spec)
    if out is not None:
        from gin_sim.results.folder import check_folder

        check_folder(out)
    return Asked(
        objective,
        whole_size(size, mirrored, "games" if whole_games else "hands", quiet),
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


def play_meetings(plan, asked: Asked, n_figures: int):
    """Play a plan of meetings, and return its leads.

    Parameters
    ----------
    plan : PairingsPlan or PathsPlan
    asked : Asked
    n_figures : int
        Leads that are claimed together.
    """
    from gin_sim.contests.estimates import Leads, lead_moments
    from gin_sim.contests.stopping_rules import watch_for

    watch = watch_for(plan, lead_moments, plan.objective, n_figures, asked.half_width, asked.test)
    return Leads(play(plan, asked.threads, asked.quiet, watch), watch)


def tell(kind: str, described: dict, print_result: Callable, found, asked: Asked) -> None:
    """Write a result to its folder and print it; end with 130 where Ctrl-C cut it short."""
    from gin_sim.report.terminal import console

    # First what was found, then the files: whatever befalls those costs not the result.
    if asked.as_json:
        click.echo(json_text(described))
    else:
        print_result(found, console())
    if asked.out is not None:
        from gin_sim.report.tables import result_tables

        write_result(kind, described, result_tables(kind, described), asked.out, asked.quiet)
    if described["partial"]:
        sys.exit(INTERRUPTED)
