"""Files of hands, one row each: the option that names one, and the answers in the same order."""

from __future__ import annotations

import csv
import io
import json
import sys
from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, Any

import click

if TYPE_CHECKING:
    from gin_sim.results.common import Answer

file_option = click.option(
    "--file",
    "path",
    metavar="FILE",
    default=None,
    help="Read hands from a CSV file, one result per row in the same order; - is standard input.",
)


def write_answers(kind: type[Answer], answers: Sequence[Answer], as_json: bool) -> None:
    """Write an answer for each row of a file: CSV in UTF-8, which is what was read, or JSON.

    Parameters
    ----------
    kind : type of Answer
        Of every answer; its main table has one row for each.
    answers : sequence of Answer
    as_json : bool
    """
    if as_json:
        write_objects(answer.to_dict() for answer in answers)
        return
    name, row = next(iter(kind.TABLES.items()))
    table = io.StringIO(newline="")
    writer = csv.writer(table, lineterminator="\n")
    writer.writerow(row.column_names())
    for answer in answers:
        (found,) = answer.rows()[name]
        writer.writerow(map(_cell, found.as_columns().values()))
    sys.stdout.flush()
    sys.stdout.buffer.write(table.getvalue().encode("utf-8"))
    sys.stdout.buffer.flush()


def _cell(value: Any) -> Any:
    return ("false", "true")[value] if isinstance(value, bool) else value


def write_objects(objects: Iterable[dict[str, Any]]) -> None:
    """Write a list of objects on standard output as JSON, one object a line."""
    lines = ",\n".join(map(json.dumps, objects))
    click.echo(f"[\n{lines}\n]" if lines else "[]")
