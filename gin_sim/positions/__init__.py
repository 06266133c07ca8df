"""What one player knows at a decision of a hand: positions as data, as text and out of records."""

from gin_sim.positions.files import positions_in
from gin_sim.positions.history import (
    NO_CARD,
    PASS,
    STOCK,
    UPCARD,
    Act,
    History,
    PositionError,
)
from gin_sim.positions.memory import Memory
from gin_sim.positions.parsing import parse_position, position_from_dict
from gin_sim.positions.position import Position
from gin_sim.positions.recorded import (
    Chosen,
    Moment,
    World,
    moments_of,
    position_in_records,
    position_of_record,
    world_of_record,
)
from gin_sim.positions.seen import Seen

__all__ = [
    "NO_CARD",
    "PASS",
    "STOCK",
    "UPCARD",
    "Act",
    "Chosen",
    "History",
    "Memory",
    "Moment",
    "Position",
    "PositionError",
    "Seen",
    "World",
    "moments_of",
    "parse_position",
    "position_from_dict",
    "position_in_records",
    "position_of_record",
    "positions_in",
    "world_of_record",
]
