"""``gin-sim replay``: recorded hands checked step by step, and their ends priced."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

import click

from gin_sim.cli.options import json_option
from gin_sim.records import STANDARD_STREAM, HandRecord, check_output, read_records, write_records
from gin_sim.report.terminal import shows_symbols
from gin_sim.rules import OUTCOME_NAMES, STALLED, WASH, Rules, parse_rules

if TYPE_CHECKING:
    from gin_sim.simulate.replay import Replayed

# In the order of the table; a stalled hand is a wash.
_KINDS = ("knock", "undercut", "gin", "big_gin", "wash")


@dataclass
class _Summary:
    """What has been replayed so far."""

    n_hands: int = 0
    hands: Counter[str] = field(default_factory=Counter)  # by kind of end, faultless hands only
    points: Counter[str] = field(default_factory=Counter)  # to the winners
    player_hands: Counter[str] = field(default_factory=Counter)
    player_points: Counter[str] = field(default_factory=Counter)
    rules: dict[str, None] = field(default_factory=dict)
    faults: list[dict] = field(default_factory=list)

    def add(self, line: int, record: HandRecord, replayed: Replayed) -> None:
        self.n_hands += 1
        self.rules[record.rules] = None
        if replayed.fault:
            fault = {"line": line, "turn": replayed.turn, "reason": replayed.fault}
            self.faults.append(fault)
            return
        kind = OUTCOME_NAMES[WASH if replayed.outcome == STALLED else replayed.outcome]
        self.hands[kind] += 1
        self.points[kind] += sum(replayed.end.points)
        for player, points in zip(record.players, replayed.end.points, strict=True):
            self.player_hands[player] += 1
            self.player_points[player] += points

    def means(self) -> dict[str, float]:
        """Return each player's mean points a hand, over the seats it sat in."""
        return {name: self.player_points[name] / n for name, n in self.player_hands.items()}


class _Faulty(Exception):
    """A hand has a fault, so nothing is to be written."""


@click.command(name="replay")
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
    help="Write the records with their ends as the engine gives them; with --rules they name "
    "those rules. Nothing is written if any hand has a fault.",
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
    summary = _Summary()
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
    click.echo(_as_json(summary) if as_json else _as_text(summary, rules, symbols), err=to_stderr)
    if summary.faults:
        ctx.exit(1)


def _completed(
    file: str, rules: Rules | None, summary: _Summary, symbols: bool
) -> Iterator[HandRecord]:
    """Replay the records of a file into a summary, and give them with the engine's ends."""
    from gin_sim.report.terminal import note_compiling
    from gin_sim.simulate.replay import Replayer, replay_steps

    note_compiling(replay_steps)
    replayer = Replayer(rules, symbols=symbols)
    for line, record in read_records(file):
        replayed = replayer.replay(record)
        summary.add(line, record, replayed)
        record.end = replayed.end
        if rules is not None:
            record.rules = rules.name
        yield record


def _unless_faulty(records: Iterator[HandRecord], summary: _Summary) -> Iterator[HandRecord]:
    """Give records on, read all to the end, and raise if any had a fault."""
    for record in records:
        if not summary.faults:
            yield record
    if summary.faults:
        raise _Faulty


def _as_json(summary: _Summary) -> str:
    return json.dumps(
        {
            "hands": summary.n_hands,
            "outcomes": {kind: summary.hands[kind] for kind in _KINDS},
            "points": {kind: summary.points[kind] for kind in _KINDS},
            "points_a_hand": summary.means(),
            "faults": summary.faults,
        },
        indent=2,
    )


def _as_text(summary: _Summary, rules: Rules | None, symbols: bool) -> str:
    dot = "·" if symbols else "|"
    n_faults = len(summary.faults)
    priced = f", priced under {rules.name}" if rules else ""
    lines = [
        f"{summary.n_hands:,} recorded hand{'s' * (summary.n_hands != 1)} {dot} "
        f"{' and '.join(summary.rules)} rules{priced}"
    ]
    n_sound = summary.n_hands - n_faults
    if n_sound:
        lines += ["", f"  {'outcome':<10}{'hands':>11}{'share':>10}{'points a hand':>16}"]
        for kind in _KINDS:
            lines.append(_row(kind, summary.hands[kind], n_sound, summary.points[kind]))
        lines.append(_row("all", n_sound, n_sound, summary.points.total()))
        players = f" {dot} ".join(f"{name} {mean:.2f}" for name, mean in summary.means().items())
        lines += ["", f"points a hand by player: {players}"]
    if not n_faults:
        return "\n".join([*lines, "no faults"])
    lines += ["", f"{n_faults:,} {'hand has a fault' if n_faults == 1 else 'hands have faults'}:"]
    lines += [f"line {fault['line']}: {fault['reason']}" for fault in summary.faults]
    return "\n".join(lines)


def _row(kind: str, hands: int, of_hands: int, points: int) -> str:
    share = f"{100 * hands / of_hands:.1f} %"
    mean = f"{points / hands:.2f}" if hands else "-"
    return f"  {kind.replace('_', ' '):<10}{hands:>11,}{share:>10}{mean:>16}"
