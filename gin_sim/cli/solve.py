"""``gin-sim solve``: when to knock, against an opponent or in equilibrium."""

from __future__ import annotations

from typing import Any

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
from gin_sim.cli.options.score import objective_option, score_options
from gin_sim.cli.output import ask, show
from gin_sim.errors import InputError


@click.command(name="solve", cls=Command)
@click.option(
    "--play",
    metavar="POLICY",
    required=True,
    help="The player: draws and discards like this policy.",
)
@click.option(
    "--against",
    metavar="POLICY",
    help="The opponent, who draws, discards and knocks like this policy.",
)
@click.option(
    "--equilibrium",
    is_flag=True,
    help="Find a mixed rule for two players like --play, such that neither gains by knocking "
    "differently.",
)
@objective_option()
@score_options
@click.option(
    "--by",
    type=click.Choice(["outs", "none", "takes", "loose", "lower", "score"]),
    default="outs",
    show_default=True,
    help="What the rule looks at in addition to turn and deadwood: cards that would give gin "
    "(outs), nothing, cards the opponent took, loose cards, or cards that would lower the "
    "deadwood. With --objective win or stakes, score shows several scores side by side.",
)
@click.option(
    "--scores",
    metavar="SCORES",
    help="With --by score: the scores, with hands won so far after a colon, like "
    "0-0,90-0:3-0,75-50:1-2. The others are compared with the first.  [default: 0-0, 90-0, 0-90, "
    "90-90 and 75-50, in % of the target, with level boxes and 3 ahead or behind]",
)
@click.option(
    "--deals",
    type=Count(1000, 10**8),
    default="200000",
    show_default=True,
    help="Deals to trace. On two cores 1e6 take 5 s for greedy and half a minute for strong, and "
    "up to a gigabyte of memory.",
)
@click.option(
    "--proof-hands",
    type=Count(0, 10**9),
    default=None,
    help="Fresh mirrored hands to test the rule on, with --against and --by outs or none; 0 for "
    "no test.  [default: 200000]",
)
@click.option(
    "--features",
    is_flag=True,
    help="Also find, by regression, the best rule that looks at everything the player sees, and "
    "how much more it wins than the table.",
)
@click.option(
    "--iterate",
    is_flag=True,
    help="With --objective win or stakes: play the later hands by the rule solved at 0-0, too, and "
    "solve again until it no longer changes.",
)
@click.option("--save", metavar="FILE", help="Write the solved policy to this new .toml file.")
@rules_option
@seed_option
@threads_option
@json_option
@out_option
@charts_option
@quiet_option
def command(against, equilibrium, save, as_json, out, charts, quiet, rules_spec, **asked) -> None:
    """Find when to knock: a chart of how much more a knock is worth than playing on.

    Every deal is played once, and every knock that was allowed is noted with what it would have
    scored. The best rule follows by working backward from the last turn.

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
            "a rule is solved either against an opponent or in equilibrium: give --against POLICY "
            "or --equilibrium, and not both."
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
    show(result, as_json, out, quiet, charts)


_OF_ONE_RULE = ("scores", "proof_hands", "features", "iterate", "save")


def _refuse_beside_equilibrium(given: dict[str, Any]) -> None:
    """Refuse what is of one rule against an opponent."""
    for name in _OF_ONE_RULE:
        if given[name]:
            raise InputError(
                f"--{name.replace('_', '-')} needs --against POLICY: an equilibrium is a mix of "
                "rules."
            )
