"""Hand records, one played hand a JSON line: their shape, how they are read and how written."""

from gin_sim.atomic import STANDARD_STREAM, check_output
from gin_sim.records.read import RecordError, read_records
from gin_sim.records.schema import (
    CARD_IDS,
    FORMAT,
    Card,
    Draw,
    End,
    HandRecord,
    Kind,
    Seat,
    Turn,
)
from gin_sim.records.write import write_records

__all__ = [
    "CARD_IDS",
    "FORMAT",
    "STANDARD_STREAM",
    "Card",
    "Draw",
    "End",
    "HandRecord",
    "Kind",
    "RecordError",
    "Seat",
    "Turn",
    "check_output",
    "read_records",
    "write_records",
]
