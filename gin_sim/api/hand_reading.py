"""How well hand reading works: what it predicts of the opponent's cards beside what they were."""

from __future__ import annotations

import threading
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from gin_sim.api.playing import count_of, policy_of, rules_of
from gin_sim.api.progress import progress_of
from gin_sim.belief.calibration import Ask, learned_for
from gin_sim.belief.calibration import calibrate as ask_at_decisions
from gin_sim.belief.class_weights import needed_to_weigh, patient
from gin_sim.belief.deviation import parse_deviation
from gin_sim.belief.reliability import Tried, calibration_of
from gin_sim.belief.sampler import needed_to_read
from gin_sim.belief.test_positions import KERNELS, Decision, played_decisions, recorded_decisions
from gin_sim.engine.compiling import Stopwatch
from gin_sim.errors import InputError
from gin_sim.policies.contract import Policy
from gin_sim.records import read_records
from gin_sim.results.calibration import Calibration
from gin_sim.rules import Rules


def calibrate(
    against: Any,
    *,
    play: Any = None,
    records: str | Path | None = None,
    positions: float = 3000,
    worlds: float = 400,
    deviation: str | float | Sequence[float] | None = None,
    rules: str | Rules | None = None,
    seed: int = 1,
    threads: int | None = None,
    progress: Any = None,
    stop: threading.Event | None = None,
) -> Calibration:
    """Test how well hand reading works: predict at knock decisions, and compare with the truth.

    Parameters
    ----------
    against : str, path, or Policy
        The policy that the opponent is assumed to follow.  In played hands it does follow it.
    play : str, path, or Policy, optional
        The player who decides whether to knock; by default it draws and discards like the opponent,
        with ``knock=0``, so that hands are long.
    records : str or path, optional
        A file of recorded hands instead of played ones: each player of it is assumed to follow
        ``against``.
    positions : int
        Knock decisions to test: equally many in each of five classes of stock draws, or the first
        ones of recorded hands.
    worlds : int
        Deals that each method samples at each position.
    deviation : str, float or sequence of float, optional
        How often the opponent deviates from its policy, see :func:`advise`; by default ``known``,
        for recorded hands ``alike``.
    rules : str or Rules, optional
        For played hands, "standard" by default; recorded hands have their own.
    seed : int
        Same seed, same numbers, for any number of threads.
    threads : int, optional
        All cores by default.
    progress : bool or callable, optional
        True for a bar, or a function of (done, total, unit).
    stop : threading.Event, optional
        Once set, the result covers the positions that are finished.

    Raises
    ------
    InputError
        If there is no such policy or file, or no position to test.

    Examples
    --------
    >>> import gin_sim
    >>> found = gin_sim.calibrate("simple", positions=20, worlds=80)
    >>> found.positions
    20
    """
    opponent = policy_of(against)
    if records is not None and (play is not None or rules is not None):
        raise InputError(
            f"--records {records} has its own players and rules: leave --play and --rules out."
        )
    player = None if records is not None else _player(opponent, play)
    if deviation is None:
        deviation = "known" if records is None else "alike"
    rates = parse_deviation(deviation)
    wanted, n_worlds = count_of(positions, "positions"), count_of(worlds, "worlds")
    if wanted < 1 or n_worlds < 4:
        raise InputError(
            f"{wanted} positions with {n_worlds} sampled deals each cannot be tested: give at "
            "least 1 position and 4 deals."
        )
    shown = progress_of(progress)
    players = [opponent] if player is None else [player, opponent]
    needed = [*KERNELS, *needed_to_read(opponent), *needed_to_weigh(players)]
    with shown.compiling(*needed):
        if player is None:
            decisions = _recorded(str(records), wanted)
        else:
            decisions = _played(player, opponent, rules_of(rules or "standard"), wanted, seed)
        learned = learned_for(decisions, opponent, player, seed)
    ask = Ask(opponent, rates, learned, seed, n_worlds)
    watch = Stopwatch()
    with shown.counting(len(decisions), "positions") as on_progress:
        rows = ask_at_decisions(decisions, ask, threads, stop, on_progress)
    if not len(rows):
        raise KeyboardInterrupt
    under = decisions[0].position.rules
    path = None if records is None else str(records)
    tried = Tried(decisions, rows, under, player, path, wanted)
    return calibration_of(tried, ask, watch.seconds)


def _player(opponent: Policy, play: Any) -> Policy:
    """Return who meets the opponent: by default its own play, without any knock but gin."""
    if play is not None:
        return policy_of(play)
    player = patient(opponent)
    if player is None:
        raise InputError(
            f"the player cannot be made from {opponent.spec}, which has no knock table to set to "
            "0: give --play POLICY, such as --play simple:knock=0."
        )
    return player


def _played(
    player: Policy, opponent: Policy, rules: Rules, wanted: int, seed: int
) -> list[Decision]:
    decisions = played_decisions(player, opponent, rules, wanted, seed)
    if not decisions:
        raise InputError(
            f"{player.spec} never came to a knock without gin against {opponent.spec}: give "
            "another --play, or rules with a higher knock limit."
        )
    return decisions


def _recorded(path: str, wanted: int) -> list[Decision]:
    decisions = recorded_decisions(record for _, record in read_records(path))[:wanted]
    names = sorted({decision.position.rules.name for decision in decisions})
    if len(names) > 1:
        raise InputError(
            f"the hands of '{path}' are under {len(names)} rule sets ({', '.join(names)}): all "
            "figures are under one; give a file for each."
        )
    return decisions
