"""``gin-sim compare``: policies that all meet each other on the same deals, ranked."""

from __future__ import annotations

import click

from gin_sim.cli.matchups import meeting_options, play_meetings, read_options, tell
from gin_sim.cli.options.groups import Command
from gin_sim.errors import InputError


@click.command(name="compare", cls=Command)
@click.argument("specs", metavar="A B [C ...]", nargs=-1, required=True)
@meeting_options
def command(specs, **options) -> None:
    """Play every two of the policies on the same deals, and rank them.

    Each policy's place is its mean lead over the field, which is all policies, each counted once.
    Intervals hold for all comparisons at once, so that neighbours are told apart no more often by
    luck than 1 time in 20.

    \b
    Examples:
      gin-sim compare greedy:knock=10 greedy:knock=5 simple --hands 1e6
      gin-sim compare strong marjj simple --objective win --rules eaai --games 2e4
      gin-sim compare strong marjj --until 0.05
      gin-sim compare greedy:knock=4 greedy:knock=5 --sprt 0,0.1
    """
    asked = read_options(**options)
    from gin_sim.contests.round_robin import compare, round_robin
    from gin_sim.policies.catalogue import parse_policy

    policies = [parse_policy(spec) for spec in specs]
    pairings = round_robin(policies)
    if asked.test is not None and len(pairings) > 1:
        raise InputError(
            f"--sprt tests whether one policy is better than another, and {len(policies)} are "
            "given: name two."
        )
    from gin_sim.play.plans import PairingsPlan
    from gin_sim.report.text.ranking import comparison_json, print_comparison

    plan = PairingsPlan(
        pairings, asked.rules, asked.size, asked.objective, asked.seed, asked.mirrored
    )
    found = compare(play_meetings(plan, asked, len(pairings)), policies)
    tell("compare", comparison_json(found), print_comparison, found, asked)
