"""The options that ``compare`` and ``sweep`` share: objective, size, stopping, and the run."""

from __future__ import annotations

from functools import partial

import click

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
from gin_sim.results.objective import PLAYED

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
            type=click.Choice([*PLAYED, *(["stakes"] if scores else [])]),
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
            "with a stopping rule]",
        ),
        click.option(
            "--games",
            type=Count(1, 10**10),
            default=None,
            help="With --objective win: games for each pairing.  [default: 20,000; at most "
            "1,000,000 with a stopping rule]",
        ),
        *stopping_options[: 2 if sprt else 1],
        rules_option,
        seed_option,
        threads_option,
        click.option(
            "--mirrored/--no-mirrored",
            default=True,
            show_default=True,
            help="Play every deal, or every game, twice, the second time with the seats swapped.",
        ),
        json_option,
        out_option,
        quiet_option,
    ]
    for option in reversed(options):
        command = option(command)
    return command


_score_options = partial(score_options, default="whole games from 0-0")
