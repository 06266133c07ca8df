"""Where `gin-sim knock` has its positions from: the command line, a hand record, or a file."""

from __future__ import annotations

import inspect
import json
from collections.abc import Mapping
from itertools import islice
from typing import TYPE_CHECKING, Any

from gin_sim.cli.files import Rows, read_text, refuse_lines, source_name
from gin_sim.errors import InputError, nearest
from gin_sim.positions import Position, parse_position, position_from_dict, position_of_record
from gin_sim.records import read_records
from gin_sim.rules import parse_rules

if TYPE_CHECKING:
    from gin_sim.records import HandRecord

#: What a file may tell of a position, by name.
FIELDS = tuple(inspect.signature(parse_position).parameters)


def told_position(told: Mapping[str, Any]) -> Position:
    """Return the position that the command line tells by options.

    Parameters
    ----------
    told : mapping
        The arguments of :func:`gin_sim.positions.parse_position`, None for what is not given.
    """
    if told["hand"] is None:
        raise InputError(
            "no position is given: write the hand with --first and --history, or name a "
            "--record or a --file."
        )
    if told["history"] is not None and told["turn"] is not None:
        raise InputError(
            "--history and --turn are both given: the turn follows from the history, so give the "
            "history alone, or else the turn and the pile."
        )
    return position_from_dict({name: value for name, value in told.items() if value is not None})


def recorded_position(
    path: str,
    hand: int | None,
    turn: int | None,
    player: int | None,
    moment: str,
    told: Mapping[str, Any],
) -> tuple[Position, str]:
    """Return a position of a hand record, and a sentence that says which it is.

    Parameters
    ----------
    path : str
        File of hand records; ``-`` is standard input.
    hand : int or None
        The record's number in the file, from 1, which is its line where none is blank.
    turn : int or None
        Own turn number; None for the last.
    player : int or None
        Seat; None for the one who knocked, else the one who acted last.
    moment : {"discard", "draw", "offer"}
    told : mapping
        ``rules``, ``score`` and ``boxes`` as text, or None.
    """
    number = 1 if hand is None else hand
    record = _record(path, number)
    seat = _last_player(record) if player is None else player
    own_turns = sum(act.player == seat and act.draw != "pass" for act in record.turns)
    if moment == "offer":
        if turn not in (None, 1):
            raise InputError(
                f"--moment offer is before turn 1, and --turn is {turn}: leave --turn out, or give "
                "--moment draw."
            )
        turn = 1
    elif turn is None:
        turn = max(own_turns, 1)
    position = position_of_record(
        record,
        seat,
        turn,
        moment,
        rules=None if told["rules"] is None else parse_rules(told["rules"]),
    )
    named = {name: told[name] for name in ("score", "boxes") if told[name] is not None}
    if named:
        position = position_from_dict({**position.as_dict(), **named})
    who = f"seat {seat}, {record.players[seat]}"
    return position, f"Hand {number} of {source_name(path)}: {who}, own turn {turn}."


def _record(path: str, number: int) -> HandRecord:
    found = next(islice(read_records(path), number - 1, number), None)
    if found is None:
        n = sum(1 for _ in read_records(path)) if path != "-" else number - 1
        raise InputError(
            f"hand {number} is asked for, and {source_name(path)} has {n}: give --hand 1 to {n}."
        )
    return found[1]


def _last_player(record: HandRecord) -> int:
    """Return who knocked; in a hand without a knock who acted last."""
    if record.end is not None and record.end.knocker is not None:
        return record.end.knocker
    return record.turns[-1].player if record.turns else 1 - record.dealer


def positions_in(path: str, told: Mapping[str, Any]) -> list[tuple[int, Position]]:
    """Return every position of a file with its line number; refuse the file if a line is bad.

    Parameters
    ----------
    path : str
        CSV, or JSON Lines where the text begins with a brace; ``-`` is standard input.
    told : mapping
        Fields for lines that leave them out, None for none.
    """
    text = read_text(path)
    is_json = text.lstrip().startswith("{")
    rows = _json_rows(text) if is_json else _csv_rows(path, text)
    found: list[tuple[int, Position]] = []
    problems: list[tuple[int, str]] = []
    beside = {name: value for name, value in told.items() if value is not None}
    for number, fields in rows:
        try:
            if isinstance(fields, str):
                raise InputError(fields)
            found.append((number, position_from_dict({**beside, **fields})))
        except InputError as error:
            problems.append((number, str(error)))
    refuse_lines(source_name(path), problems)
    if not found:
        raise InputError(f"{source_name(path)} holds no position: each is a line with a hand.")
    return found


def _json_rows(text: str) -> list[tuple[int, dict | str]]:
    """Return the object of each line, or a sentence that says why there is none."""
    found: list[tuple[int, dict | str]] = []
    for number, line in enumerate(text.splitlines(), 1):
        if not line.strip():
            continue
        try:
            value = json.loads(line)
        except (json.JSONDecodeError, RecursionError) as error:
            value = f"it is no JSON ({error}): write one object a line."
        if not isinstance(value, dict | str):
            value = "it is no JSON object: write one object a line, like {'hand': '7s 7h …'}."
        found.append((number, value))
    return found


def _csv_rows(path: str, text: str) -> list[tuple[int, dict]]:
    rows = Rows(path, ["hand"], [name for name in FIELDS if name != "hand"], text)
    rows.refuse_bad()
    for name in rows.unread:
        if close := nearest(name, FIELDS):
            raise InputError(
                f"{rows.source} has a column '{name}', which is none of a position.{close} A "
                "column for yourself needs another name."
            )
    return [
        (number, {name: cell for name, cell in cells.items() if cell.strip()})
        for number, cells in rows
    ]
