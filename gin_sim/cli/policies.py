"""``gin-sim policies``: which policies there are and what can be set."""

from __future__ import annotations

import dataclasses
import json

import click

from gin_sim.cli.options import json_option


@click.group(name="policies")
def command() -> None:
    """List the policies and their parameters.

    \b
    Example:
      gin-sim policies list
    """


@command.command(name="list")
@json_option
def list_policies(as_json: bool) -> None:
    """List the policies, where each comes from, and the parameters it takes.

    \b
    Example:
      gin-sim policies list
    """
    from gin_sim.policies.catalogue import CATALOGUE

    if as_json:
        click.echo(json.dumps([dataclasses.asdict(k) for k in CATALOGUE.values()], indent=2))
        return
    for kind in CATALOGUE.values():
        click.echo(f"{kind.name:<8} {kind.summary}")
        click.echo(f"{'':<8} from {kind.origin}")
        for parameter in kind.parameters:
            click.echo(
                f"{'':<10}{parameter.name}={parameter.default:g}  {parameter.meaning} "
                f"({parameter.unit}, {parameter.low:g} to {parameter.high:g})"
            )
    click.echo("\nset a parameter after a colon: gin-sim simulate greedy:knock=5 simple")
