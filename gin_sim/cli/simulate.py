"""``gin-sim simulate``: two policies, many hands or many games, one table."""

from __future__ import annotations

from pathlib import Path

import click

from gin_sim.cli.options.common import (
    Count,
    json_option,
    out_option,
    quiet_option,
    rules_option,
    seed_option,
    stopping_options,
    threads_option,
)
from gin_sim.cli.options.groups import Command
from gin_sim.cli.output import ask, show
from gin_sim.errors import InputError

_RECORDED = 100


@click.command(name="simulate", cls=Command)
@click.argument("policy_a", metavar="A")
@click.argument("policy_b", metavar="B")
@click.option(
    "--hands",
    type=Count(1),
    default=None,
    help="Hands to play, such as 1e6; an odd number is rounded up to whole mirrored pairs.  "
    "[default: 100,000; at most 100,000,000 with --until or --sprt]",
)
@click.option(
    "--games",
    type=Count(1, 10**10),
    default=None,
    help="Play whole games to the rules' target instead, such as 2e4; rounded up the same way.",
)
@click.option(
    "--objective",
    type=click.Choice(["points", "points+boxes", "win"]),
    default=None,
    help="What --until and --sprt judge by.  [default: points, or win with --games]",
)
@stopping_options[0]
@stopping_options[1]
@rules_option
@seed_option
@threads_option
@click.option(
    "--mirrored/--no-mirrored",
    default=True,
    show_default=True,
    help="Play every deal twice, the second time with the seats swapped, which cancels much of "
    "the luck. With --games, every game is played twice like that.",
)
@click.option(
    "--luck-adjusted",
    is_flag=True,
    help="Also give the differences without the luck of the cards dealt and drawn: fewer hands "
    "give the same interval, but each takes a few microseconds more.",
)
@json_option
@out_option
@click.option(
    "--record",
    type=click.Path(path_type=Path),
    help="File for records of the first hands, one JSON object per line.",
)
@click.option(
    "--record-hands",
    type=Count(1, 10**7),
    default=None,
    help="How many hands to record.  [default: 100, or all if fewer are played]",
)
@quiet_option
def command(policy_a, policy_b, rules_spec, as_json, out, record, record_hands, quiet, **asked):
    """Play policy A against policy B and say how they differ, with 95% intervals.

    A and B are policies with their parameters after a colon: greedy, greedy:knock=5, simple.
    `gin-sim policies list` shows all; a file of your own is one too: my.toml, my.py:limit=3.

    \b
    Examples:
      gin-sim simulate greedy:knock=10 greedy:knock=5 --hands 1e6 --seed 1
      gin-sim simulate simple greedy --rules eaai --json
      gin-sim simulate simple greedy --record hands.jsonl --record-hands 50
      gin-sim simulate greedy:knock=3 simple --games 2e4 --rules eaai
      gin-sim simulate strong marjj --hands 2e5 --luck-adjusted
      gin-sim simulate strong marjj --until 0.1
      gin-sim simulate strong simple --games 1e6 --sprt 58,60 --rules eaai
    """
    if record_hands is not None and record is None:
        raise InputError(f"--record-hands {record_hands} needs --record FILE to write to.")
    from gin_sim.api import matches
    from gin_sim.results.folder import check_folder

    if record is not None:
        matches.check_recording(record, asked["games"])
    if out is not None:
        check_folder(out)
    result = ask(matches.simulate, policy_a, policy_b, rules=rules_spec, quiet=quiet, **asked)
    try:
        show(result, as_json, out, quiet)
    finally:  # a simulation that is cut short, or whose files cannot be written, is recorded too
        if record is not None:
            ask(
                matches.record_hands,
                policy_a,
                policy_b,
                record,
                hands=min(record_hands or _RECORDED, result.hands),
                rules=rules_spec,
                seed=asked["seed"],
                mirrored=asked["mirrored"],
                quiet=quiet,
            )
