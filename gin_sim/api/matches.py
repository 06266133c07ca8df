"""Policies played against each other: two by every measure, or some of them ranked."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from gin_sim.api.meetings import Run, Size, play_meetings, prices_for, read_meetings
from gin_sim.api.playing import count_of, play, policy_of, rules_of, whole_size
from gin_sim.api.progress import progress_of
from gin_sim.api.stopping import (
    MOST_HANDS,
    Sprt,
    StoppingRule,
    Until,
    read_stopping,
)
from gin_sim.contests.games import game_lead, games_of
from gin_sim.contests.match import hand_leads, match_of
from gin_sim.contests.round_robin import plan_pairings, ranking_of, round_robin
from gin_sim.contests.stopping_rules import Watch, watch_for
from gin_sim.errors import InputError
from gin_sim.play.plans import GamePlan, Plan
from gin_sim.play.record import KERNELS, play_recorded
from gin_sim.policies.decide import called_for
from gin_sim.records import STANDARD_STREAM, check_output, write_records
from gin_sim.results.games import Games
from gin_sim.results.match import Match
from gin_sim.results.objective import PLAYED, check_objective
from gin_sim.results.ranking import Ranking
from gin_sim.rules import Rules

__all__ = ["check_recording", "compare", "record_hands", "simulate"]

_HANDS = 100_000
_RECORDED = 100


def simulate(
    policy_a: Any,
    policy_b: Any,
    *,
    hands: float | None = None,
    games: float | None = None,
    objective: str | None = None,
    until: Until | None = None,
    sprt: Sprt | None = None,
    rules: str | Rules = "standard",
    seed: int = 1,
    threads: int | None = None,
    mirrored: bool = True,
    luck_adjusted: bool = False,
    progress: Any = None,
    stop: threading.Event | None = None,
) -> Match | Games:
    """Play two policies against each other, single hands or whole games.

    Parameters
    ----------
    policy_a, policy_b : str, Path or Policy
        A spec such as "greedy:knock=5", a policy file, or a Policy.
    hands : float, optional
        Hands to play, such as 1e6; whole mirrored pairs where they are mirrored.  By default
        100,000, or at most 100,000,000 with ``until`` or ``sprt``.
    games : float, optional
        Play whole games to the rules' target instead.
    objective : {"points", "points+boxes", "win"}, optional
        What ``until`` and ``sprt`` judge by; by default ``points``, or ``win`` for games.
    until : float or str, optional
        Play until every interval ends within this distance of its figure, in points or in % of
        games; the intervals of differences then hold at every look.
    sprt : str or pair of float, optional
        Play until a sequential test has decided which of two leads it is: "0,0.1" points, or
        for games the % won less the % lost.
    rules : str or Rules
        A rule set, with changes after a colon: "standard:gin_bonus=20".
    seed : int
        Same seed, same numbers, on any machine and any number of threads.
    threads : int, optional
        All cores by default.
    mirrored : bool
        Whether every deal, or every game, is played twice, the second time with the seats swapped,
        which cancels much of the luck.
    luck_adjusted : bool
        Whether to give also the differences without the luck of the cards dealt and drawn.
    progress : optional
        True for a bar on the terminal, or a function of (done, total, unit).
    stop : threading.Event, optional
        Once set, what is finished is returned as partial.

    Returns
    -------
    Match, or Games for whole games

    Raises
    ------
    InputError
        If there is no such policy or rule set, or some arguments do not go together.
    KeyboardInterrupt
        If it was stopped before anything was finished.

    Examples
    --------
    >>> import gin_sim
    >>> match = gin_sim.simulate("greedy:knock=10", "greedy:knock=5", hands=1e5)
    >>> match.difference["points"].estimate
    >>> match.table("sides")
    """
    if games is not None:
        _refuse_beside_games(hands, games, luck_adjusted)
    rule, watched = _rule(objective, games is not None, until, sprt)
    if luck_adjusted and rule.is_given:
        raise InputError(
            "--luck-adjusted does not go with --until or --sprt: its figures hold for a number of "
            "hands that is fixed in advance; give --hands."
        )
    policies = (policy_of(policy_a), policy_of(policy_b))
    rule_set = rules_of(rules)
    shown = progress_of(progress)
    if games is not None:
        size = whole_size(count_of(games, "games"), mirrored, "games", shown)
        games_plan = GamePlan(policies, rule_set, size, seed, mirrored)
        watch = _watch(games_plan, game_lead, watched, rule)
        return games_of(play(games_plan, threads, shown, stop, watch), watch)
    count = MOST_HANDS if rule.is_given else _HANDS
    size = whole_size(
        count if hands is None else count_of(hands, "hands"), mirrored, "hands", shown
    )
    plan = Plan(policies, rule_set, size, seed, mirrored, luck_adjusted)
    watch = _watch(plan, hand_leads(watched), watched, rule)
    return match_of(play(plan, threads, shown, stop, watch), watch)


def _refuse_beside_games(hands: float | None, games: float, luck_adjusted: bool) -> None:
    """Refuse what belongs to single hands where whole games are asked for."""
    if hands is not None:
        raise InputError(f"--hands {hands} and --games {games} are two simulations: give only one.")
    if luck_adjusted:
        raise InputError(
            f"--luck-adjusted weighs the luck of single hands, and --games {games} plays whole "
            "games: give --hands instead of --games, or leave --luck-adjusted out."
        )


def _rule(
    objective: str | None, of_games: bool, until: Until | None, sprt: Sprt | None
) -> tuple[StoppingRule, str]:
    """Return the stopping rule and what it looks at; refuse what is not played."""
    if objective is None:
        return read_stopping(until, sprt, of_games), "win" if of_games else "points"
    check_objective(objective, PLAYED)
    if until is None and sprt is None:
        raise InputError(
            f"--objective {objective} needs --until or --sprt: without them all objectives are "
            "shown."
        )
    if (objective == "win") != of_games:
        change = "single hands: leave --games out." if of_games else "whole games: give --games."
        raise InputError(f"--objective {objective} judges {change}")
    return read_stopping(until, sprt, of_games), objective


def _watch(plan: Plan | GamePlan, samples: Any, objective: str, rule: StoppingRule) -> Watch | None:
    return watch_for(plan, samples, objective, half_width=rule.half_width, test=rule.test)


def compare(
    *policies: Any,
    objective: str = "points",
    hands: float | None = None,
    games: float | None = None,
    until: Until | None = None,
    sprt: Sprt | None = None,
    rules: str | Rules = "standard",
    seed: int = 1,
    threads: int | None = None,
    mirrored: bool = True,
    progress: Any = None,
    stop: threading.Event | None = None,
) -> Ranking:
    """Play policies against each other on the same deals, and rank them.

    Each policy's place is its mean lead over the field, which is all policies, each counted once.

    Parameters
    ----------
    policies : str, Path or Policy
        Two or more: specs, policy files, or Policies.
    objective : {"points", "points+boxes", "win"}
        Points per hand, points with the box of each hand won, or whole games won.
    hands : float, optional
        Hands for each pairing; by default 100,000, or at most 100,000,000 with a stopping rule.
    games : float, optional
        With ``win``: games for each pairing; by default 20,000, or at most 1,000,000.
    until : float or str, optional
        As for :func:`simulate`.
    sprt : str or pair of float, optional
        For two policies: as for :func:`simulate`.
    rules, seed, threads, mirrored, progress, stop : optional
        As for :func:`simulate`.

    Returns
    -------
    Ranking

    Raises
    ------
    InputError
        If there is no such policy or rule set, one is given twice, or some arguments do not go
        together.
    KeyboardInterrupt
        If it was stopped before anything was finished.

    Examples
    --------
    >>> import gin_sim
    >>> ranking = gin_sim.compare("greedy", "simple", "strong", hands=1e4)
    >>> ranking.table("differences")
    """
    check_objective(objective, PLAYED)
    run = Run(rules, seed, threads, mirrored, progress, stop)
    asked = read_meetings(objective, Size(hands, games, until, sprt), run)
    given = [policy_of(policy) for policy in policies]
    pairings = round_robin(given)
    if asked.rule.test is not None and len(pairings) > 1:
        raise InputError(
            f"--sprt tests whether one policy is better than another, and {len(given)} are "
            "given: name two."
        )
    prices = prices_for(asked)
    plan = plan_pairings(pairings, asked.rules, asked.size, prices, asked.seed, asked.mirrored)
    return ranking_of(play_meetings(plan, asked, len(pairings)), given, prices)


def check_recording(path: str | Path, games: float | None = None) -> None:
    """Refuse a file that hands cannot be recorded in, before any work is done.

    Raises
    ------
    InputError
        If whole games are played, or the file cannot be written.
    """
    if games is not None:
        raise InputError(
            f"--record writes single hands, and --games {games} plays whole games: give --hands "
            "instead of --games to record."
        )
    if str(path) == STANDARD_STREAM:
        raise InputError("--record - would mix the records with the table: name a file.")
    check_output(path)


def record_hands(
    policy_a: Any,
    policy_b: Any,
    path: str | Path,
    *,
    hands: float = _RECORDED,
    rules: str | Rules = "standard",
    seed: int = 1,
    mirrored: bool = True,
    progress: Any = None,
    stop: threading.Event | None = None,
) -> None:
    """Write the records of hands between two policies, one JSON object per line.

    The hands are the first ones of :func:`simulate` with the same seed.

    Parameters
    ----------
    policy_a, policy_b : str, Path or Policy
        As for :func:`simulate`.
    path : str or Path
        The file; an earlier one is replaced.
    hands : float
        How many hands to record.
    rules : str or Rules
        A rule set, with changes after a colon.
    seed : int
        Same seed, same hands.
    mirrored : bool
        Whether every deal is played twice, the second time with the seats swapped.
    progress : optional
        True for a line on the terminal that says where the hands are.
    stop : threading.Event, optional
        Once set, nothing is written.

    Raises
    ------
    InputError
        If the file cannot be written, or a policy asks for an illegal step.
    KeyboardInterrupt
        If it was stopped.

    Examples
    --------
    >>> import gin_sim
    >>> gin_sim.record_hands("strong", "simple", "hands.jsonl", hands=50)
    """
    check_recording(path)
    n_hands = count_of(hands, "hands")
    policies = (policy_of(policy_a), policy_of(policy_b))
    played = play_recorded(policies, rules_of(rules), seed, n_hands, mirrored=mirrored)
    shown = progress_of(progress)

    def until_stopped() -> Iterator[Any]:
        for record in played:
            if stop is not None and stop.is_set():
                raise KeyboardInterrupt
            yield record

    with shown.compiling(*KERNELS, *called_for(policies), at_work=True):
        write_records(path, until_stopped())
    shown.note(f"The first {n_hands:,} hands are in {path}.")
