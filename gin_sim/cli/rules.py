"""``gin-sim rules``: the rule sets as data."""

from __future__ import annotations

import click

from gin_sim.cli.options.common import json_option
from gin_sim.cli.options.groups import Command
from gin_sim.cli.output import print_json


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
    from gin_sim.api.rules import named_rules
    from gin_sim.report.terminal import console
    from gin_sim.report.text.rules import print_rule_sets
    from gin_sim.results.common import json_of

    if as_json:
        print_json(json_of(named_rules()))
    else:
        print_rule_sets(named_rules(), console())


@command.command(name="show", cls=Command)
@click.argument("spec", metavar="RULES")
@json_option
def show_rules(spec: str, as_json: bool) -> None:
    """Show every field of a rule set, with changes after a colon.

    \b
    Example:
      gin-sim rules show standard:gin_bonus=20,undercut_bonus=10
    """
    from gin_sim.api.rules import rules_of
    from gin_sim.report.terminal import console
    from gin_sim.report.text.rules import print_rules
    from gin_sim.results.common import json_of

    if as_json:
        print_json(json_of(rules_of(spec)))
    else:
        print_rules(rules_of(spec), console())
