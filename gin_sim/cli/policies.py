"""``gin-sim policies``: which policies there are, what can be set, and how to make one."""

from __future__ import annotations

import json

import click

from gin_sim.cli.options.common import json_option
from gin_sim.cli.options.groups import Command


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
    from gin_sim.policies.catalogue import CATALOGUE
    from gin_sim.report.terminal import console
    from gin_sim.report.text.policies import kind_object, print_policies

    if as_json:
        click.echo(json.dumps([kind_object(kind) for kind in CATALOGUE.values()], indent=2))
        return
    print_policies(CATALOGUE.values(), console())


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
    from gin_sim.policies.catalogue import parse_policy
    from gin_sim.report.terminal import console
    from gin_sim.report.text.policies import policy_object, print_policy

    policy = parse_policy(spec)
    if as_json:
        click.echo(json.dumps(policy_object(policy), indent=2, ensure_ascii=False))
        return
    print_policy(policy, console())


@command.command(name="init", cls=Command)
@click.argument("name")
@click.option(
    "--base",
    default="greedy",
    show_default=True,
    metavar="POLICY",
    help="The shipped policy to start from, without parameters.",
)
@click.option("--python", is_flag=True, help="A Python file of decisions, not a TOML of numbers.")
def init_policy(name: str, base: str, python: bool) -> None:
    """Write NAME.toml, or NAME.py, as the start of a new policy; no file is overwritten.

    \b
    Examples:
      gin-sim policies init my --base heuristic
      gin-sim policies init my --python
    """
    from gin_sim.policies.catalogue import shipped_kind
    from gin_sim.policies.files.templates import python_template, toml_template
    from gin_sim.policies.files.toml import write_new

    ending = ".py" if python else ".toml"
    path = name if name.endswith(ending) else name + ending
    kind = shipped_kind(base)
    write_new(path, python_template(kind) if python else toml_template(kind, path))
    click.echo(f"{path} is written; `gin-sim policies validate {path}` checks it.")


@command.command(name="validate", cls=Command)
@click.argument("specs", metavar="POLICY...", nargs=-1, required=True)
def validate_policies(specs: tuple[str, ...]) -> None:
    """Read, compile and play policies: against simple and greedy, under every rule set.

    A policy is legal if no step in those hands and games is illegal and the same seed gives the
    same ones again.  Ctrl-C stops at once.

    \b
    Example:
      gin-sim policies validate my.toml my.py
    """
    from gin_sim.checks.validate import OPPONENTS, validate
    from gin_sim.cli.interrupt import leave_on_interrupt
    from gin_sim.play.games import play_games
    from gin_sim.play.loop import play_chunk
    from gin_sim.policies.catalogue import parse_policy
    from gin_sim.report.terminal import console, note_compiling
    from gin_sim.report.text.policies import what_it_is
    from gin_sim.rules import PRESETS

    policies = [parse_policy(spec) for spec in specs]
    for kernel in (play_chunk, play_games):
        note_compiling(kernel)
    shown = console()
    for policy in policies:
        with leave_on_interrupt():
            hands, games = validate(policy)
        shown.print(
            f"{policy.spec} · {what_it_is(policy)} · legal in {hands:,} hands and {games} games "
            f"against {' and '.join(OPPONENTS)} under all {len(PRESETS)} rule sets"
        )
