"""Writing hand records, one a line."""

from __future__ import annotations

import os
from collections.abc import Iterable

import msgspec

from gin_sim.atomic import write_lines
from gin_sim.records.schema import HandRecord


def write_records(path: str | os.PathLike[str], records: Iterable[HandRecord]) -> int:
    """Write hand records, whole or not at all: an error on the way leaves nothing behind.

    Parameters
    ----------
    path : str or path
        The file to write or replace, or ``"-"`` for standard output.
    records : iterable of HandRecord
        Taken one by one; nothing is taken if the path cannot be written.

    Returns
    -------
    int
        How many records were written.

    Raises
    ------
    WriteError
        If the path cannot be written.
    """
    encode = msgspec.json.Encoder().encode
    return write_lines(path, (encode(record) + b"\n" for record in records))
