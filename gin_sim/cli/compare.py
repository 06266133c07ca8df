"""``gin-sim compare``: policies that all meet each other on the same deals, ranked."""

from __future__ import annotations

import click

from gin_sim.cli.options.groups import Command
from gin_sim.cli.options.meetings import meeting_options
from gin_sim.cli.output import ask, show


@click.command(name="compare", cls=Command)
@click.argument("specs", metavar="A B [C ...]", nargs=-1, required=True)
@meeting_options
def command(specs, rules_spec, as_json, out, quiet, **asked) -> None:
    """Play all policies against each other on the same deals, and rank them.

    Each policy's place is its mean lead over the field, which is all policies, each counted once.
    The intervals hold for all comparisons at once: luck alone shows a difference between
    neighbours at most 1 time in 20.

    \b
    Examples:
      gin-sim compare greedy:knock=10 greedy:knock=5 simple --hands 1e6
      gin-sim compare strong marjj simple --objective win --rules eaai --games 2e4
      gin-sim compare strong marjj --until 0.05
      gin-sim compare greedy:knock=4 greedy:knock=5 --sprt 0,0.1
    """
    from gin_sim.api.matches import compare
    from gin_sim.results.folder import check_folder

    if out is not None:
        check_folder(out)
    show(ask(compare, *specs, rules=rules_spec, quiet=quiet, **asked), as_json, out, quiet)
