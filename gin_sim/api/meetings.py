"""What questions of many meetings share: objective, size, stopping, and how meetings are played."""

from __future__ import annotations

import threading
from typing import Any, NamedTuple

from gin_sim.api.playing import count_of, play, rules_of, whole_size
from gin_sim.api.progress import Progress, progress_of
from gin_sim.api.stopping import (
    MOST_GAMES,
    MOST_HANDS,
    Sprt,
    StoppingRule,
    Until,
    read_stopping,
)
from gin_sim.contests.estimates import Leads, lead_moments
from gin_sim.contests.stopping_rules import watch_for
from gin_sim.errors import InputError
from gin_sim.payoff.payoff import PriceTable
from gin_sim.play.meetings import MeetingsPlan
from gin_sim.play.plans import GAMES as WHOLE_GAMES
from gin_sim.rules import Rules

HANDS, GAMES = 100_000, 20_000


class Size(NamedTuple):
    """How much each meeting is to play, as it is asked for."""

    hands: float | None
    games: float | None
    until: Until | None
    sprt: Sprt | None = None


class Run(NamedTuple):
    """How it is played, as it is asked for; none of it changes what is judged."""

    rules: str | Rules
    seed: int
    threads: int | None
    mirrored: bool
    progress: Any
    stop: threading.Event | None


class Asked(NamedTuple):
    """A question of many meetings, read and checked.

    Parameters
    ----------
    size : int
        Hands or games of each meeting.
    rule : StoppingRule
        In the unit of the figures.
    """

    objective: str
    size: int
    rule: StoppingRule
    rules: Rules
    seed: int
    threads: int | None
    mirrored: bool
    progress: Progress
    stop: threading.Event | None


def read_meetings(objective: str, size: Size, run: Run, score: Any = None) -> Asked:
    """Read a question, and refuse what does not go together before any work is done.

    With a score single hands are played there, whatever the objective.

    Raises
    ------
    InputError
    """
    whole_games = objective == "win" and score is None
    rule = read_stopping(size.until, size.sprt, whole_games)
    count = _count(objective, size, rule, score)
    shown = progress_of(run.progress)
    return Asked(
        objective,
        whole_size(count, run.mirrored, "games" if whole_games else "hands", shown),
        rule,
        rules_of(run.rules),
        run.seed,
        run.threads,
        run.mirrored,
        shown,
        run.stop,
    )


def _count(objective: str, size: Size, rule: StoppingRule, score: Any) -> int:
    """Return how many hands or games each meeting plays; refuse the other ones."""
    if objective == "win" and score is None:
        if size.hands is not None:
            raise InputError(
                f"--hands {size.hands} does not go with --objective win, which plays whole games: "
                "give --games instead."
            )
        if size.games is not None:
            return count_of(size.games, "games")
        return MOST_GAMES if rule.is_given else GAMES
    if size.games is not None:
        because = f"--objective {objective} judges single hands: give --objective win"
        if score is not None:
            because = f"at --score {score} single hands are played: leave --games out"
        raise InputError(f"--games {size.games} plays whole games, and {because}, or give --hands.")
    if size.hands is not None:
        return count_of(size.hands, "hands")
    return MOST_HANDS if rule.is_given else HANDS


def prices_for(asked: Asked) -> PriceTable | None:
    """Return what single hands are priced by where no score is given; None for whole games."""
    if asked.objective == "win":
        return None
    return PriceTable.of_points(asked.rules, asked.objective)


def play_meetings(plan: MeetingsPlan, asked: Asked, n_figures: int) -> Leads:
    """Play a plan of meetings, and return its leads.

    Parameters
    ----------
    plan : MeetingsPlan
    asked : Asked
    n_figures : int
        Leads that are claimed together.

    Raises
    ------
    KeyboardInterrupt
        If it was stopped before anything was finished.
    """
    # Figures of hands are in the unit of their prices, as points are; those of games are shares.
    objective = "win" if plan.unit == WHOLE_GAMES else "points"
    watch = watch_for(
        plan, lead_moments, objective, n_figures, asked.rule.half_width, asked.rule.test
    )
    return Leads(play(plan, asked.threads, asked.progress, asked.stop, watch), watch)
