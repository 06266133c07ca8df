"""What a file of recorded hands comes to: how its hands ended, for how many points, every fault."""

from __future__ import annotations

from typing import Any, ClassVar

from gin_sim.results.common import Row, Savable
from gin_sim.rules import Rules

#: The ways in which a hand ends, in the order of the table; a stalled hand is a wash.
ENDS = ("knock", "undercut", "gin", "big_gin", "wash")


class EndRow(Row):
    """How often hands ended in one way, hands with a fault left out.

    Parameters
    ----------
    outcome : str
        ``knock``, ``undercut``, ``gin``, ``big_gin`` or ``wash``.
    hands : int
        How many hands ended so.
    share : float or None
        Their share of all hands without a fault, 0 to 1; None where there are none.
    points : int
        Points scored in them, boxes not included.
    points_per_hand : float or None
        ``points`` over ``hands``; None where no hand ended so.
    """

    outcome: str
    hands: int
    share: float | None
    points: int
    points_per_hand: float | None


class PlayerRow(Row):
    """What a player scored, over the seats that it sat in.

    Parameters
    ----------
    player : str
        As the records name it.
    points_per_hand : float
        Points scored per hand without a fault, boxes not included.
    """

    player: str
    points_per_hand: float


class Fault(Row):
    """The first thing that is not right with a recorded hand.

    Parameters
    ----------
    line : int
        The line of the file, from 1.
    turn : int or None
        The turn that is not legal, from 1; None for a fault of the recorded end.
    reason : str
        What is wrong, as a sentence.
    """

    line: int
    turn: int | None
    reason: str


class Replay(Savable, kw_only=True, tag="replay"):
    """Recorded hands replayed: every step checked, every end priced.

    Parameters
    ----------
    recorded_rules : list of str
        The rules that the hands were played by, in the order met.
    priced_by : Rules or None
        Other rules that the ends are priced by; None where each record's own are compared.
    hands : int
        Records in the file.
    outcomes : dict of str to int
        Hands by how they ended, those with a fault left out; the keys are ``knock``,
        ``undercut``, ``gin``, ``big_gin`` and ``wash``.
    points : dict of str to int
        Points scored, by the same keys; boxes are not included.
    points_per_hand : dict of str to float
        By player, over the seats that it sat in.
    faults : list of Fault
        One for each hand that has one, in the order of the file.
    """

    recorded_rules: list[str]
    priced_by: Rules | None
    hands: int
    outcomes: dict[str, int]
    points: dict[str, int]
    points_per_hand: dict[str, float]
    faults: list[Fault]

    TABLES: ClassVar[dict[str, type[Row]]] = {
        "outcomes": EndRow,
        "players": PlayerRow,
        "faults": Fault,
    }

    def __post_init__(self) -> None:
        if set(self.outcomes) != set(ENDS) or set(self.points) != set(ENDS):
            raise ValueError("outcomes and points are by each way in which a hand ends")
        if sum(self.outcomes.values()) + len(self.faults) != self.hands:
            raise ValueError("the hands are those that ended and those with a fault")

    @property
    def sound_hands(self) -> int:
        """Hands without a fault."""
        return self.hands - len(self.faults)

    def rows(self) -> dict[str, list[Any]]:
        """Return a row for each way to end, each player and each fault."""
        return {
            "outcomes": [self._end_row(outcome) for outcome in ENDS],
            "players": [
                PlayerRow(player=name, points_per_hand=mean)
                for name, mean in self.points_per_hand.items()
            ],
            "faults": list(self.faults),
        }

    def _end_row(self, outcome: str) -> EndRow:
        hands, points = self.outcomes[outcome], self.points[outcome]
        return EndRow(
            outcome=outcome,
            hands=hands,
            share=hands / self.sound_hands if self.sound_hands else None,
            points=points,
            points_per_hand=points / hands if hands else None,
        )
