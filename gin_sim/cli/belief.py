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
from gin_sim.cli.output import ask, show


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
    help="The policy that the opponent is assumed to follow. In played hands it does follow it.",
)
@click.option(
    "--play",
    metavar="POLICY",
    help="The player who decides whether to knock.  [default: draws and discards like the "
    "opponent, with knock=0, so that hands are long]",
)
@click.option(
    "--records",
    metavar="FILE",
    help="Recorded hands instead of played ones: each player of the file is assumed to follow "
    "--against; - is standard input.",
)
@click.option(
    "--positions",
    type=Count(1, 10**6),
    default="3000",
    show_default=True,
    help="Knock decisions to test: equally many in each of five classes of stock draws, or the "
    "first ones of recorded hands.",
)
@click.option(
    "--worlds",
    type=Count(4, 10**5),
    default=400,
    show_default=True,
    help="Deals that each method samples at each position, in four chains.",
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

    Three methods predict, at knock decisions, the chance of an undercut, the opponent's deadwood
    and where each unseen card is: reading the history, weights learned from played hands, and
    dealing at random. The tables show their predictions beside the truth.

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
    show(ask(calibrate, against, quiet=quiet, **options), as_json, out, quiet)
