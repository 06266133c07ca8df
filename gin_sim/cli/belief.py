"""``gin-sim belief``: how well hand reading works."""

from __future__ import annotations

from typing import Any

import click

from gin_sim.cli.options.common import (
    Count,
    json_option,
    out_option,
    quiet_option,
    seed_option,
    threads_option,
)
from gin_sim.cli.options.deviation import deviation_option
from gin_sim.cli.options.groups import Command
from gin_sim.cli.output import ask, tell


@click.group(name="belief")
def command() -> None:
    """Test how well hand reading works.

    \b
    Example:
      gin-sim belief calibrate --against simple
    """


@command.command(name="calibrate", cls=Command)
@click.option(
    "--against",
    required=True,
    metavar="POLICY",
    help="What the opponent is supposed to follow; of played hands, what it plays.",
)
@click.option(
    "--play",
    metavar="POLICY",
    help="Who meets it and asks.  [default: the opponent's own draws and discards with knock=0, "
    "so that hands are long]",
)
@click.option(
    "--records",
    metavar="FILE",
    help="Recorded hands instead of played ones: each player of the file is taken to follow "
    "--against; - is standard input.",
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
    help="Deals to sample by each method at each position, in four chains.",
)
@deviation_option("known; alike with --records")
@click.option(
    "--rules",
    metavar="RULES",
    help="Rule set of played hands.  [default: standard; recorded hands have their own]",
)
@seed_option
@threads_option
@json_option
@out_option
@quiet_option
def calibrate_command(against, as_json, out, quiet, **options: Any) -> None:
    """Test how well hand reading works.

    At knock decisions three methods are asked: reading the history, weights learned from hands
    played out, and uniform dealing. The chance of an undercut that each predicts stands beside the
    true share, with the opponent's deadwood and a score of where each unseen card is.

    \b
    Examples:
      gin-sim belief calibrate --against simple
      gin-sim belief calibrate --against marjj --positions 500 --out results/marjj
      gin-sim belief calibrate --against simple:knock=10/10/10/0 --records hands.jsonl
    """
    from gin_sim.api.hand_reading import calibrate

    if out is not None:
        from gin_sim.results.folder import check_folder

        check_folder(out)
    tell(ask(calibrate, against, quiet=quiet, **options), as_json, out, quiet)
