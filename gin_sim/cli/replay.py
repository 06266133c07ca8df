"""``gin-sim replay``: recorded hands checked step by step, and their ends priced."""

from __future__ import annotations

import sys

import click

from gin_sim.cli.options.common import json_option
from gin_sim.cli.options.groups import Command
from gin_sim.cli.output import look_up, show

_STANDARD_STREAM = "-"


@click.command(name="replay", cls=Command)
@click.argument("file", metavar="FILE")
@click.option(
    "--rules",
    "rules_spec",
    metavar="RULES",
    help="Score the ends under these rules instead of comparing them with the recorded ends; "
    "each step is still checked under the record's own rules.",
)
@click.option(
    "--record",
    metavar="OUT",
    help="Write the records to OUT with the ends that the engine finds; with --rules each record "
    "names the rules that scored it. Nothing is written if any hand has a fault.",
)
@json_option
@click.pass_context
def command(
    ctx: click.Context, file: str, rules_spec: str | None, record: str | None, as_json: bool
) -> None:
    """Replay recorded hands: check every step and score every end.

    FILE holds one hand record per line; - is standard input. Each fault is listed with its line
    and turn, and the exit code is then 1.

    \b
    Example:
      gin-sim replay hands.jsonl
      gin-sim replay hands.jsonl --rules classic --record priced.jsonl
    """
    if as_json and record == _STANDARD_STREAM:
        raise click.UsageError(
            "--json and --record - both write to standard output: name a file for --record.", ctx
        )
    from gin_sim.api.replaying import replay

    found = look_up(replay, file, rules=rules_spec, record=record)
    if record is not None and found.faults and not as_json:
        click.echo(f"Nothing was written to {record}: a hand has a fault.", err=True)
    show(found, as_json, stderr=record == _STANDARD_STREAM)
    if found.faults:
        sys.exit(1)
