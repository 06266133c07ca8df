"""The options that say what is judged, and at which score of a game.

They are given on as plain values; the front door reads them and says what is wrong.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import click

from gin_sim.cli.options.common import Count
from gin_sim.results.objective import OBJECTIVES

_WON = (
    "What is judged: points per hand, points with the box of each hand won, the chance to win the "
    "game (in %), or the points settled at its end."
)


def objective_option(help: str = _WON, objectives: tuple[str, ...] = OBJECTIVES) -> Callable:
    """Return the option that says what is judged."""
    return click.option(
        "--objective",
        type=click.Choice(objectives),
        default="points",
        show_default=True,
        help=help,
    )


def score_option(help: str) -> Callable:
    """Return the option that names a score as text."""
    return click.option("--score", metavar="SCORE", help=help)


def boxes_option(help: str) -> Callable:
    """Return the option that names the hands won so far as text."""
    return click.option("--boxes", metavar="BOXES", help=help)


def score_options(command: Any, default: str = "0-0") -> Any:
    """Add the options that say at which score, and from how many hands the game is known.

    Parameters
    ----------
    command : callable
    default : str
        What it is without ``--score``.
    """
    options = (
        score_option(
            "With --objective win or stakes: the score before the hand, yours first: 85-40.  "
            f"[default: {default}]"
        ),
        boxes_option(
            "Hands won so far at that score, yours first: 3-1; only the difference matters.  "
            "[default: level, or as near to it as the score allows]"
        ),
        click.option(
            "--dealer",
            type=click.Choice(["me", "opponent"]),
            default=None,
            help="Who deals the hand at that score: the player or the opponent.  [default: each "
            "in turn]",
        ),
        click.option(
            "--equity-hands",
            type=Count(1000, 10**10),
            default=None,
            help="Hands to count for the value of the rest of the game, like --hands of `gin-sim "
            "equity`.  [default: 1e6]",
        ),
    )
    for option in reversed(options):
        command = option(command)
    return command
