"""A file of recorded hands replayed: counts by outcome, points by player, and every fault."""

from __future__ import annotations

import contextlib
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

from gin_sim.play.replay import Replayed, Replayer
from gin_sim.records import HandRecord, read_records, write_records
from gin_sim.results.replay import ENDS, Fault, Replay
from gin_sim.rules import OUTCOME_NAMES, STALLED, WASH, Rules


class _Faulty(Exception):
    """A hand has a fault, so nothing is written."""


class _Count:
    """What has been replayed so far; points and players of hands without a fault only."""

    def __init__(self) -> None:
        self.n_hands = 0
        self.rules: dict[str, None] = {}
        self.faults: list[Fault] = []
        self._hands: Counter[str] = Counter()
        self._points: Counter[str] = Counter()
        self._player_hands: Counter[str] = Counter()
        self._player_points: Counter[str] = Counter()

    def add(self, line: int, record: HandRecord, replayed: Replayed) -> None:
        """Add the record that stands in a line."""
        self.n_hands += 1
        self.rules[record.rules] = None
        if replayed.fault:
            self.faults.append(Fault(line=line, turn=replayed.turn, reason=replayed.fault))
            return
        outcome = OUTCOME_NAMES[WASH if replayed.outcome == STALLED else replayed.outcome]
        self._hands[outcome] += 1
        self._points[outcome] += sum(replayed.end.points)
        for player, points in zip(record.players, replayed.end.points, strict=True):
            self._player_hands[player] += 1
            self._player_points[player] += points

    def result(self, priced_by: Rules | None) -> Replay:
        """Return what it comes to."""
        return Replay(
            recorded_rules=list(self.rules),
            priced_by=priced_by,
            hands=self.n_hands,
            outcomes={outcome: self._hands[outcome] for outcome in ENDS},
            points={outcome: self._points[outcome] for outcome in ENDS},
            points_per_hand={
                player: self._player_points[player] / hands
                for player, hands in self._player_hands.items()
            },
            faults=self.faults,
        )


def replay_file(path: str | Path, rules: Rules | None, record: str | Path | None) -> Replay:
    """Replay the hand records of a file.

    Parameters
    ----------
    path : str or Path
        ``-`` for standard input.
    rules : Rules or None
        Price the ends under these instead of comparing them with the recorded ends.
    record : str or Path or None
        Write the records here with their ends as the engine gives them, unless a hand has a
        fault.

    Raises
    ------
    RecordError
        If the file cannot be read or the other cannot be written.
    """
    count = _Count()
    completed = _completed(path, rules, count)
    if record is None:
        for _ in completed:
            pass
    else:
        with contextlib.suppress(_Faulty):
            write_records(record, _unless_faulty(completed, count))
    return count.result(rules)


def _completed(path: str | Path, rules: Rules | None, count: _Count) -> Iterator[HandRecord]:
    """Replay the records of a file into a count, and give them with the engine's ends."""
    replayer = Replayer(rules)
    for line, record in read_records(path):
        replayed = replayer.replay(record)
        count.add(line, record, replayed)
        record.end = replayed.end
        if rules is not None:
            record.priced = rules.name if rules.name != record.rules else None
        yield record


def _unless_faulty(records: Iterator[HandRecord], count: _Count) -> Iterator[HandRecord]:
    """Give records on, read all to the end, and raise if any had a fault."""
    for record in records:
        if not count.faults:
            yield record
    if count.faults:
        raise _Faulty
