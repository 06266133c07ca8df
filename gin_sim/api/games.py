"""What a game is worth: the chance to win it from every score."""

from __future__ import annotations

import threading
from typing import Any

from gin_sim.api.at_a_score import counted_hands
from gin_sim.api.playing import count_of, policy_of, rules_of, whole_size
from gin_sim.api.progress import progress_of
from gin_sim.engine.compiling import Stopwatch
from gin_sim.errors import InputError
from gin_sim.payoff.equity import Equity
from gin_sim.payoff.equity_cache import HANDS
from gin_sim.payoff.game_solver import KERNELS
from gin_sim.payoff.results import equity_table
from gin_sim.payoff.score import (
    Pair,
    State,
    box_difference_of,
    box_range,
    check_rules,
    check_state,
    read_state,
)
from gin_sim.play.hand_results import ResultsPlan
from gin_sim.results.equity import EquityTable, scores_shown
from gin_sim.rules import Rules


def equity(
    play: Any,
    against: Any = None,
    *,
    hands: float = HANDS,
    score: Pair | None = None,
    boxes: Pair | None = None,
    rules: str | Rules = "standard",
    seed: int = 1,
    threads: int | None = None,
    progress: Any = None,
    stop: threading.Event | None = None,
) -> EquityTable:
    """Find the chance to win the game from every score, boxes and bonuses included.

    Simulated hands are counted by how they end.  The chance to win, the chance to tie and the
    points settled follow exactly from the counts, which are kept on disk and used again.

    Parameters
    ----------
    play : str, Path or Policy
        The player whose chances are found.
    against : str, Path or Policy, optional
        The opponent, by default the same policy.
    hands : float
        Hands to count, at least 1,000; if a policy reads the score, that many at each of several.
    score : str or pair of int, optional
        One score to show in full, the player's first: "85-40".
    boxes : str or pair of int, optional
        Hands won so far, the player's first: "3-1"; only the difference matters, for the table
        and for the score.  By default level, or as near to it as the score allows.
    rules : str or Rules
        With games to at most 300 points.
    seed : int
    threads : int, optional
        All cores by default; the numbers do not depend on it.
    progress : optional
        True for a bar on the terminal, or a function of (done, total, unit).
    stop : threading.Event, optional
        Once set, the table of the hands that are finished is returned as partial.

    Raises
    ------
    InputError
        If something cannot be used, or no game can have the score.
    KeyboardInterrupt
        If it was stopped before any hand was finished.

    Examples
    --------
    >>> import gin_sim
    >>> gin_sim.equity("greedy", "simple", hands=20_000).table("scores")
    """
    watch = Stopwatch()
    shown = progress_of(progress)
    policies = (policy_of(play), policy_of(play if against is None else against))
    rules = rules_of(rules)
    check_rules(rules)
    asked = None if score is None else read_state(score, boxes, None, rules)
    difference = _difference_of_table(boxes, rules)
    n_hands = count_of(hands, "hands")
    if n_hands < 1000:
        raise InputError(f"--hands {n_hands} are too few for a table: give at least 1000.")
    plan = ResultsPlan(policies, rules, whole_size(n_hands, True, "hands", shown), seed)
    plan.standings  # noqa: B018  refused before any work
    with shown.compiling(*KERNELS, at_work=True):
        results, played = counted_hands(plan, threads, shown, stop)
        found = equity_table(Equity(results), difference, asked, threads)
    if played is not None:
        found.seconds["play"] = played
    found.seconds["all"] = round(watch.seconds, 3)
    return found


def _difference_of_table(boxes: Pair | None, rules: Rules) -> int:
    """Return the box difference of the table; refuse one that no score of it allows."""
    difference = box_difference_of(boxes)
    scores = scores_shown(rules.target)
    ranges = [box_range(mine, theirs, rules) for mine in scores for theirs in scores]
    if not any(least <= difference <= most for least, most in ranges):
        check_state(State(scores[-1], scores[-1], difference), rules)
    return difference
