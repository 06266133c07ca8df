"""``gin-sim policies``: which policies there are, what can be set, and how to make one."""

from __future__ import annotations

import click

from gin_sim.cli.options.common import json_option
from gin_sim.cli.options.groups import Command
from gin_sim.cli.output import look_up, print_json, show


@click.group(name="policies")
def command() -> None:
    """List and show policies, start a file for a new one, check one.

    A policy is a shipped one by name (greedy), a TOML file of numbers (my.toml) or a Python file of
    decisions (my.py), with parameters after a colon: greedy:knock=5.

    \b
    Examples:
      gin-sim policies list
      gin-sim policies show greedy:knock=5
    """


@command.command(name="list", cls=Command)
@json_option
def list_policies(as_json: bool) -> None:
    """List the shipped policies, one a line; --json gives their parameters too.

    \b
    Example:
      gin-sim policies list
    """
    from gin_sim.api.policies import shipped_policies
    from gin_sim.report.terminal import console
    from gin_sim.report.text.policies import print_policies
    from gin_sim.results.common import json_of

    if as_json:
        print_json(json_of(shipped_policies()))
    else:
        print_policies(shipped_policies(), console())


@command.command(name="show", cls=Command)
@click.argument("spec", metavar="POLICY")
@json_option
def show_policy(spec: str, as_json: bool) -> None:
    """Show where a policy comes from and every parameter: value, default, range, unit, meaning.

    \b
    Examples:
      gin-sim policies show heuristic:knock=10/5/0
      gin-sim policies show my.toml --json
    """
    from gin_sim.api.policies import describe_policy

    show(describe_policy(spec), as_json)


@command.command(name="init", cls=Command)
@click.argument("name")
@click.option(
    "--base",
    default="greedy",
    show_default=True,
    metavar="POLICY",
    help="The shipped policy to start from, by its name alone.",
)
@click.option("--python", is_flag=True, help="Write a Python file of decisions instead of numbers.")
def init_policy(name: str, base: str, python: bool) -> None:
    """Write NAME.toml, or NAME.py, as the start of a new policy; no file is overwritten.

    \b
    Examples:
      gin-sim policies init my --base heuristic
      gin-sim policies init my --python
    """
    from gin_sim.api.policies import begin_policy

    path = begin_policy(name, base, python)
    click.echo(f"Wrote {path}; `gin-sim policies validate {path}` checks it.")


@command.command(name="validate", cls=Command)
@click.argument("specs", metavar="POLICY...", nargs=-1, required=True)
def validate_policies(specs: tuple[str, ...]) -> None:
    """Read, compile and play policies, against simple and greedy, under every rule set.

    A policy passes if every step in those hands and games is legal, and the same seed plays the
    same hands again.  Ctrl-C stops at once.

    \b
    Example:
      gin-sim policies validate my.toml my.py
    """
    from gin_sim.api.checks import validate_each
    from gin_sim.cli.interrupt import leave_on_interrupt

    with leave_on_interrupt():
        for found in look_up(validate_each, specs):
            show(found, False)
