"""``gin-sim solve``: when to knock, against an opponent or in equilibrium."""

from __future__ import annotations

from typing import Any

import click

from gin_sim.cli.options.common import (
    Count,
    json_option,
    out_option,
    quiet_option,
    rules_option,
    seed_option,
    threads_option,
)
from gin_sim.cli.options.groups import Command
from gin_sim.cli.options.score import objective_option, score_options
from gin_sim.cli.output import ask, tell
from gin_sim.errors import InputError


@click.command(name="solve", cls=Command)
@click.option("--play", metavar="POLICY", required=True, help="Who draws and discards.")
@click.option("--against", metavar="POLICY", help="The opponent, its knock too.")
@click.option(
    "--equilibrium",
    is_flag=True,
    help="Both draw and discard like --play, and neither gains by knocking otherwise: a mixed "
    "rule.",
)
@objective_option()
@score_options
@click.option(
    "--by",
    type=click.Choice(["outs", "none", "takes", "loose", "lower", "score"]),
    default="outs",
    show_default=True,
    help="By what else than turn and deadwood the rule may differ: cards that would give gin, "
    "nothing, cards the opponent took, loose cards, or cards that would lower the deadwood; with "
    "--objective win or stakes also score: by turn and deadwood, at several scores side by side.",
)
@click.option(
    "--scores",
    metavar="SCORES",
    help="With --by score: the scores, hands won so far after a colon, like "
    "0-0,90-0:3-0,75-50:1-2; the first is what the others are compared with.  [default: 0-0, "
    "90-0, 0-90, 90-90 and 75-50, in hundredths of the target, with level boxes and 3 ahead or "
    "behind]",
)
@click.option(
    "--deals",
    type=Count(1000, 10**8),
    default="200000",
    show_default=True,
    help="Deals to trace.  1e6 take 5 s for greedy play and half a minute for strong play on two "
    "cores, and up to a gigabyte of memory.",
)
@click.option(
    "--proof-hands",
    type=Count(0, 10**9),
    default=None,
    help="Fresh mirrored hands to prove the rule on, --by outs or none against an opponent; 0 for "
    "none.  [default: 200000]",
)
@click.option(
    "--features",
    is_flag=True,
    help="Also find the best rule by all that the mover sees, by regression, and what it wins more "
    "than the table.",
)
@click.option(
    "--iterate",
    is_flag=True,
    help="With --objective win or stakes: let later hands be played by the rule solved at 0-0 "
    "itself, counted and solved anew until it changes no more.",
)
@click.option("--save", metavar="FILE", help="A new .toml file for the solved policy.")
@rules_option
@seed_option
@threads_option
@json_option
@out_option
@click.option(
    "--charts/--no-charts",
    default=True,
    show_default=True,
    help="With --out: draw the charts too; `gin-sim chart DIR` draws them later.",
)
@quiet_option
def command(against, equilibrium, save, as_json, out, charts, quiet, rules_spec, **asked) -> None:
    """Find when to knock: the chart of what a knock is worth more than playing on.

    Every deal is traced once, with each knock that was allowed and what it would have scored; the
    best rule follows by working backward from the last turn.

    \b
    Examples:
      gin-sim solve --play greedy --against simple --deals 1e6
      gin-sim solve --play strong --against marjj --rules standard:box_bonus=0 --save solved.toml
      gin-sim solve --play greedy --equilibrium --by none --deals 1e6
      gin-sim solve --play strong --against strong --objective win --score 90-75 --boxes 4-5
      gin-sim solve --play strong --against simple --objective win --by score
    """
    from gin_sim.api import knocking
    from gin_sim.results.folder import check_folder

    if equilibrium == (against is not None):
        raise InputError(
            "a rule is solved against an opponent or in equilibrium: give --against POLICY, or "
            "--equilibrium, and not both."
        )
    if equilibrium:
        _refuse_beside_equilibrium({**asked, "save": save})
    if save is not None:
        knocking.check_save(save, asked["by"])
    if out is not None:
        check_folder(out)
    play = asked.pop("play")
    if equilibrium:
        asked = {name: value for name, value in asked.items() if name not in _OF_ONE_RULE}
        result = ask(knocking.equilibrium, play, rules=rules_spec, quiet=quiet, **asked)
    else:
        result = ask(knocking.solve, play, against, rules=rules_spec, quiet=quiet, **asked)
    if save is not None:
        knocking.save_policy(result, save)
    tell(result, as_json, out, quiet, charts)


_OF_ONE_RULE = ("scores", "proof_hands", "features", "iterate", "save")


def _refuse_beside_equilibrium(given: dict[str, Any]) -> None:
    """Refuse what is of one rule against an opponent."""
    for name in _OF_ONE_RULE:
        if given[name]:
            raise InputError(
                f"--{name.replace('_', '-')} needs --against POLICY: an equilibrium is a mix of "
                "rules."
            )
