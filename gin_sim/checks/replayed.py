"""What a file of recorded hands came to: counts by outcome, points by player, and every fault."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field

from gin_sim.play.replay import Replayed
from gin_sim.records import HandRecord
from gin_sim.rules import OUTCOME_NAMES, STALLED, WASH

# In the order of the table; a stalled hand is a wash.
KINDS = ("knock", "undercut", "gin", "big_gin", "wash")


@dataclass
class Summary:
    """What has been replayed so far."""

    n_hands: int = 0
    hands: Counter[str] = field(default_factory=Counter)  # by kind of end, faultless hands only
    points: Counter[str] = field(default_factory=Counter)  # to the winners
    player_hands: Counter[str] = field(default_factory=Counter)
    player_points: Counter[str] = field(default_factory=Counter)
    rules: dict[str, None] = field(default_factory=dict)
    faults: list[dict] = field(default_factory=list)

    def add(self, line: int, record: HandRecord, replayed: Replayed) -> None:
        """Add the record that stood in a line."""
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
        """Return each player's mean points per hand, over the seats it sat in."""
        return {name: self.player_points[name] / n for name, n in self.player_hands.items()}
