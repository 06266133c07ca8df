"""``gin-sim equity``: the chance to win the game from every score."""

from __future__ import annotations

import click

from gin_sim.cli.options.common import (
    Count,
    charts_option,
    json_option,
    out_option,
    quiet_option,
    rules_option,
    seed_option,
    threads_option,
)
from gin_sim.cli.options.groups import Command
from gin_sim.cli.options.score import boxes_option, score_option
from gin_sim.cli.output import ask, show


@click.command(name="equity", cls=Command)
@click.option("--play", metavar="POLICY", required=True, help="The player whose chances are shown.")
@click.option("--against", metavar="POLICY", help="The opponent.  [default: the same as --play]")
@click.option(
    "--hands",
    type=Count(1000, 10**10),
    default="1e6",
    show_default=True,
    help="Hands to play and count, such as 1e6; if a policy reads the score, that many at each of "
    "several scores.",
)
@score_option("Show this score in full, yours first: 85-40.")
@boxes_option(
    "Hands won so far, yours first: 3-1; only the difference matters, for the table and for "
    "--score.  [default: level, or as near to it as the score allows]"
)
@rules_option
@seed_option
@threads_option
@json_option
@out_option
@charts_option
@quiet_option
def command(play, against, as_json, out, charts, quiet, rules_spec, **asked) -> None:
    """Find the chance to win the game from every score, boxes and bonuses included.

    Simulated hands between the two policies are counted by how they end. The chance to win, the
    chance to tie and the points settled follow exactly from the counts, for every score, box
    difference and dealer. A game may go to 300 points at most. The counts are kept and used again.

    \b
    Examples:
      gin-sim equity --play greedy --against simple
      gin-sim equity --play strong --against marjj --score 75-50 --boxes 3-4
      gin-sim equity --play strong --rules modern --out results/equity
    """
    from gin_sim.api import games
    from gin_sim.results.folder import check_folder

    if out is not None:
        check_folder(out)
    result = ask(games.equity, play, against, rules=rules_spec, quiet=quiet, **asked)
    show(result, as_json, out, quiet, charts)
