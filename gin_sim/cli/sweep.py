"""``gin-sim sweep``: one or two numbers of a policy varied, against others or against itself."""

from __future__ import annotations

from functools import partial

import click

from gin_sim.cli.options.common import Count
from gin_sim.cli.options.groups import Command
from gin_sim.cli.options.meetings import meeting_options
from gin_sim.cli.output import ask, show


@click.command(name="sweep", cls=Command)
@click.option(
    "--play",
    required=True,
    metavar="POLICY",
    help="The policy to vary, with fixed parameters after a colon.",
)
@click.option(
    "--param",
    "texts",
    multiple=True,
    metavar="NAME[@PLACE]=VALUES",
    help="What to vary: knock=0:10, temperature=0:5:0.5, knock=2,5,10, knock@5=0:10 (own turn 5 "
    "of the knock table), knock@5:1-2=0:10 (there with 1-2 gin outs), pips@3-4=-5:5. Give it once "
    "or twice.",
)
@click.option(
    "--against",
    "opponents",
    multiple=True,
    metavar="POLICY[,POLICY...]",
    help="The opponents of every value: one policy or several.",
)
@click.option(
    "--both",
    is_flag=True,
    help="Play all values against each other: the whole matrix, the best responses and the "
    "equilibrium.",
)
@click.option(
    "--cell-by-cell",
    is_flag=True,
    help="Play every pairing out instead of walking each deal once for all knock rules: slower, "
    "with the same figures.",
)
@click.option(
    "--max-cells",
    type=Count(1, 4000),
    default=441,
    show_default=True,
    help="Refuse more cells than this; more is usually a typing mistake.",
)
@partial(meeting_options, sprt=False, scores=True)
def command(play, texts, opponents, rules_spec, as_json, out, quiet, **asked) -> None:
    """Vary one or two numbers of a policy and say which value is best.

    All values play the same deals. If only the knock is varied and no whole games are played, each
    deal is walked once for all values, however many there are.

    With --score, single hands are played at that score. What each result is worth for the game
    comes from an equity table of --play against each opponent, counted from --equity-hands hands.

    \b
    Examples:
      gin-sim sweep --play greedy --param knock=0:10 --against simple,marjj --hands 1e6
      gin-sim sweep --play greedy --param knock=0:10 --both --hands 1e6
      gin-sim sweep --play strong --param knock@5:0=0:10 --against strong --objective points+boxes
      gin-sim sweep --play two-threshold --param early=0:10 --param late=0:10 --against simple
      gin-sim sweep --play greedy --param knock=0:10 --against simple --objective win --rules eaai
      gin-sim sweep --play greedy --param knock=0:10 --against strong --objective win --score 90-75
    """
    from gin_sim.api.sweeps import sweep
    from gin_sim.results.folder import check_folder

    if out is not None:
        check_folder(out)
    asked["against"] = list(opponents) or None
    result = ask(sweep, play, list(texts), rules=rules_spec, quiet=quiet, **asked)
    show(result, as_json, out, quiet)
