"""``gin-sim replay``: recorded hands checked step by step, and their ends priced."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import TYPE_CHECKING

import click

from gin_sim.cli.options.common import json_option
from gin_sim.cli.options.groups import Command
from gin_sim.records import STANDARD_STREAM, HandRecord, check_output, read_records, write_records
from gin_sim.report.terminal import shows_symbols
from gin_sim.rules import Rules, parse_rules

if TYPE_CHECKING:
    from gin_sim.checks.replayed import Summary


class _Faulty(Exception):
    """A hand has a fault, so nothing is to be written."""


@click.command(name="replay", cls=Command)
@click.argument("file", metavar="FILE")
@click.option(
    "--rules",
    "rules_spec",
    metavar="RULES",
    help="Price the ends under these rules instead of comparing them with the recorded ends; "
    "each step is still checked under the record's own.",
)
@click.option(
    "--write",
    "output",
    metavar="OUT",
    help="Write the records with their ends as the engine gives them; with --rules each says "
    "that it is priced by those. Nothing is written if any hand has a fault.",
)
@json_option
@click.pass_context
def command(
    ctx: click.Context, file: str, rules_spec: str | None, output: str | None, as_json: bool
) -> None:
    """Replay recorded hands: check every step and price every end.

    FILE holds one hand record a line; - is standard input. A fault is named by its line and its
    turn, and makes the exit code 1.

    \b
    Example:
      gin-sim replay hands.jsonl
      gin-sim replay hands.jsonl --rules classic --write priced.jsonl
    """
    if as_json and output == STANDARD_STREAM:
        raise click.UsageError("--json and --write - both want standard output: name a file.", ctx)
    rules = parse_rules(rules_spec) if rules_spec else None
    if output is not None:
        check_output(output)
    from gin_sim.checks.replayed import Summary
    from gin_sim.report.text.replay import replay_object, replay_text

    summary = Summary()
    symbols = not as_json and shows_symbols()
    completed = _completed(file, rules, summary, symbols)
    if output is None:
        for _ in completed:
            pass
    else:
        try:
            write_records(output, _unless_faulty(completed, summary))
        except _Faulty:
            if not as_json:
                click.echo(f"Nothing is written to {output}: a hand has a fault.", err=True)
    to_stderr = output == STANDARD_STREAM
    if as_json:
        click.echo(json.dumps(replay_object(summary), indent=2))
    else:
        click.echo(replay_text(summary, rules, symbols), err=to_stderr)
    if summary.faults:
        ctx.exit(1)


def _completed(
    file: str, rules: Rules | None, summary: Summary, symbols: bool
) -> Iterator[HandRecord]:
    """Replay the records of a file into a summary, and give them with the engine's ends."""
    from gin_sim.play.replay import Replayer, replay_steps
    from gin_sim.report.terminal import note_compiling

    note_compiling(replay_steps)
    replayer = Replayer(rules, symbols=symbols)
    for line, record in read_records(file):
        replayed = replayer.replay(record)
        summary.add(line, record, replayed)
        record.end = replayed.end
        if rules is not None:
            record.priced = rules.name if rules.name != record.rules else None
        yield record


def _unless_faulty(records: Iterator[HandRecord], summary: Summary) -> Iterator[HandRecord]:
    """Give records on, read all to the end, and raise if any had a fault."""
    for record in records:
        if not summary.faults:
            yield record
    if summary.faults:
        raise _Faulty
