"""Positions out of a file: CSV, or JSON Lines, whose fields are those of ``parse_position``."""

from __future__ import annotations

import inspect
import json
from collections.abc import Mapping
from typing import Any

from gin_sim.errors import InputError
from gin_sim.positions.parsing import parse_position, position_from_dict
from gin_sim.positions.position import Position
from gin_sim.records.rows import Rows, read_text, refuse_lines, source_name
from gin_sim.words import nearest

#: What a file may say of a position, by name.
FIELDS = tuple(inspect.signature(parse_position).parameters)

_NO_OBJECT = "it is not a JSON object: write one object per line, like {'hand': '7s 7h …'}."


def positions_in(path: str, others: Mapping[str, Any]) -> list[tuple[int, Position]]:
    """Return every position of a file with its line number; refuse the file if a line is bad.

    Parameters
    ----------
    path : str
        CSV, or JSON Lines where the text begins with a brace; ``-`` is standard input.
    others : mapping
        Fields for lines that leave them out, None for none.

    Raises
    ------
    InputError
        The sentences name every bad line.
    """
    text = read_text(path)
    is_json = text.lstrip().startswith("{")
    rows = _json_rows(text) if is_json else _csv_rows(path, text)
    found: list[tuple[int, Position]] = []
    problems: list[tuple[int, str]] = []
    beside = {name: value for name, value in others.items() if value is not None}
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
        fields: dict | str = _NO_OBJECT
        try:
            value = json.loads(line)
        except (json.JSONDecodeError, RecursionError) as error:
            fields = f"it is not JSON ({error}): write one object per line."
        else:
            fields = value if isinstance(value, dict) else fields
        found.append((number, fields))
    return found


def _csv_rows(path: str, text: str) -> list[tuple[int, dict]]:
    rows = Rows(path, ["hand"], [name for name in FIELDS if name != "hand"], text)
    rows.refuse_bad()
    for name in rows.unread:
        if close := nearest(name, FIELDS):
            raise InputError(
                f"{rows.source} has a column '{name}', which is not a field of a position.{close} "
                "Give a column of your own another name."
            )
    return [
        (number, {name: cell for name, cell in cells.items() if cell.strip()})
        for number, cells in rows
    ]
