"""Recorded hands, replayed: every step checked and every end priced."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from gin_sim.api.progress import progress_of
from gin_sim.api.rules import rules_of
from gin_sim.checks.replayed_hands import replay_file
from gin_sim.play.replay_steps import replay_steps
from gin_sim.records import check_output
from gin_sim.results.replay import Replay
from gin_sim.rules import Rules


def replay(
    path: str | Path,
    *,
    rules: str | Rules | None = None,
    record: str | Path | None = None,
    progress: Any = None,
) -> Replay:
    """Replay recorded hands: check every step and score every end.

    Parameters
    ----------
    path : str or Path
        A file of hand records, one per line; "-" for standard input.
    rules : str or Rules, optional
        Score the ends under these rules instead of comparing them with the recorded ends; each step
        is still checked under the record's own rules.
    record : str or Path, optional
        Write the records here with the ends that the engine finds; with ``rules`` each record names
        the rules that scored it.  Nothing is written if a hand has a fault.
    progress : bool or callable, optional
        True for a line on the terminal while the engine compiles.

    Raises
    ------
    InputError
        If the file holds no hand records, or ``record`` cannot be written.

    Examples
    --------
    >>> import gin_sim
    >>> gin_sim.replay("hands.jsonl").table("faults")
    """
    rule_set = None if rules is None else rules_of(rules)
    if record is not None:
        check_output(record)
    with progress_of(progress).compiling(replay_steps):
        return replay_file(path, rule_set, record)
