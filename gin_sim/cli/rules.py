"""``gin-sim rules``: the rule sets as data."""

from __future__ import annotations

import json

import click

from gin_sim.cli.options.common import json_option
from gin_sim.cli.options.groups import Command
from gin_sim.rules import PRESETS, RULE_FIELDS, parse_rules


@click.group(name="rules")
def command() -> None:
    """List the rule sets and show what each plays.

    \b
    Example:
      gin-sim rules show eaai
    """


@command.command(name="list", cls=Command)
@json_option
def list_rules(as_json: bool) -> None:
    """List the rule sets with the numbers that differ most.

    \b
    Example:
      gin-sim rules list
    """
    if as_json:
        click.echo(json.dumps([rules.as_dict() for rules in PRESETS.values()], indent=2))
        return
    click.echo(
        f"{'rules':<10} {'knock':>6} {'gin':>4} {'big gin':>8} {'undercut':>9} "
        f"{'tie':>9} {'box':>4} {'game':>5} {'target':>7}"
    )
    for rules in PRESETS.values():
        knock = "upcard" if rules.knock_source == "upcard" else rules.knock_limit
        big_gin = "-" if rules.big_gin_bonus is None else rules.big_gin_bonus
        click.echo(
            f"{rules.name:<10} {knock:>6} {rules.gin_bonus:>4} {big_gin:>8} "
            f"{rules.undercut_bonus:>9} {rules.tie:>9} {rules.box_bonus:>4} "
            f"{rules.game_bonus:>5} {rules.target or 'hand':>7}"
        )
    click.echo("\nbonuses in points; `gin-sim rules show NAME` shows every field")


@command.command(name="show", cls=Command)
@click.argument("spec", metavar="RULES")
@json_option
def show_rules(spec: str, as_json: bool) -> None:
    """Show every field of a rule set, changes after a colon included.

    \b
    Example:
      gin-sim rules show standard:gin_bonus=20,undercut_bonus=10
    """
    rules = parse_rules(spec)
    if as_json:
        click.echo(json.dumps(rules.as_dict(), indent=2))
        return
    click.echo(f"{'name':<18} {rules.name}")
    for field in RULE_FIELDS:
        shown = field.text(getattr(rules, field.name))
        click.echo(f"{field.name:<18} {shown:<14} {field.meaning}")
    of_games = next(field.name for field in RULE_FIELDS if field.of_games)
    click.echo(
        f"\nfrom {of_games} on, the fields matter to whole games (gin-sim simulate --games), not "
        "to single hands"
    )
