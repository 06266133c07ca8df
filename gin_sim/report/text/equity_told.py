"""What is told of an equity table, with intervals, and as plain values for JSON."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from gin_sim.payoff.equity import Equity
from gin_sim.payoff.score import EITHER, State, box_range
from gin_sim.play.hand_results import WON_BY_NOBODY
from gin_sim.report.wording import estimate_object, hands_words, number
from gin_sim.rules import NOBODY, least_points, next_dealer
from gin_sim.stats.intervals import Estimate

_MEASURES = ("win", "tie", "stakes")
DEALERS = {EITHER: "either", 0: "play", 1: "against"}
WINNERS = ("play", "against", "nobody")
_SHOWN_POINTS = (5, 10, 15, 20, 25, 30, 40, 50)
_GRID = 25  # scores of a side in the chart, about


@dataclass(frozen=True)
class Worth:
    """A state's chance to win, chance of a tie and expected stakes."""

    win: Estimate
    tie: Estimate
    stakes: Estimate

    def as_dict(self) -> dict[str, Any]:
        """Return it for JSON."""
        return {name: estimate_object(getattr(self, name)) for name in _MEASURES}


@dataclass(frozen=True)
class NextHand:
    """A result of the hand to come, and what the game is worth after it."""

    winner: int
    points: int
    over: bool
    worth: Worth


@dataclass(frozen=True)
class Told:
    """What is told of an equity table.

    Parameters
    ----------
    equity : Equity
    boxes : int
        The box difference of the table.
    cells : dict of State to Worth
        Of the scores that the box difference allows, by dealer.
    start : Worth
        At 0-0.
    asked : State or None
    asked_worth : dict of int to Worth
        By dealer.
    results : list of NextHand
        Of the hand played at ``asked``; means over who deals it.
    """

    equity: Equity
    boxes: int
    cells: dict[State, Worth]
    start: Worth
    asked: State | None
    asked_worth: dict[int, Worth]
    results: list[NextHand]


def scores_shown(target: int) -> list[int]:
    """Return the scores of a table's rows and columns: 0, 10, … 90 for a target of 100."""
    return list(range(0, target, max(1, round(target / 10))))


def tell(equity: Equity, boxes: int, asked: State | None, threads: int | None) -> Told:
    """Gather what is told, every interval from one resampling.

    Parameters
    ----------
    equity : Equity
    boxes : int
        The box difference of the table.
    asked : State or None
        One score to tell more of.
    threads : int or None
    """
    rules = equity.rules
    scores = scores_shown(rules.target)
    cells = [
        State(mine, theirs, boxes, dealer)
        for mine in scores
        for theirs in scores
        for dealer in DEALERS
        if _allows(mine, theirs, boxes, rules)
    ]
    here = [] if asked is None else [State(*_score(asked), dealer) for dealer in DEALERS]
    hands = [] if asked is None else _next_hands(equity, asked)
    after = [state for _, _, state in hands if isinstance(state, State)]
    states = list(dict.fromkeys([*cells, State(0, 0), *here, *after]))
    found = equity.estimates(states, _MEASURES, threads)
    worths = {
        state: Worth(*(found[measure][place] for measure in _MEASURES))
        for place, state in enumerate(states)
    }
    results = [
        NextHand(winner, points, not isinstance(state, State), worths.get(state, state))
        for winner, points, state in hands
    ]
    return Told(
        equity,
        boxes,
        {state: worths[state] for state in cells},
        worths[State(0, 0)],
        asked,
        {state.dealer: worths[state] for state in here},
        results,
    )


def _score(state: State) -> tuple[int, int, int]:
    return state.mine, state.theirs, state.box_difference


def _allows(mine: int, theirs: int, boxes: int, rules) -> bool:
    least, most = box_range(mine, theirs, rules)
    return least <= boxes <= most


def _next_hands(equity: Equity, asked: State) -> list[tuple[int, int, State | Worth]]:
    """Return results of the hand to come, with the state or the settlement that each leads to."""
    rules, found = equity.rules, []
    box = rules.box_bonus if rules.boxes_count_at_once else 0
    least, most = max(1, least_points(rules)), equity.results.counts.shape[-1] - 1
    for winner, score in enumerate((asked.mine, asked.theirs)):
        points_shown = {*_SHOWN_POINTS, max(least, rules.target - score - box)}
        for points in sorted(n for n in points_shown if least <= n <= most):
            found.append((winner, points, _after(equity, asked, winner, points)))
    found.append((WON_BY_NOBODY, 0, _after(equity, asked, WON_BY_NOBODY, 0)))
    return found


def _after(equity: Equity, asked: State, winner: int, points: int) -> State | Worth:
    """Return the state after a hand, or what a game that is over is worth.

    The next dealer is EITHER where it depends on who dealt the hand.
    """
    state = equity.state_after(asked, winner, points)
    if state is None:
        exact = [equity.after(asked, 0, winner, points, measure) for measure in _MEASURES]
        return Worth(*(Estimate(value, value, value) for value in exact))
    seat = NOBODY if winner == WON_BY_NOBODY else winner
    dealers = {next_dealer(dealer, seat, equity.rules.numbers()) for dealer in range(2)}
    return State(*_score(state), dealers.pop() if len(dealers) == 1 else EITHER)


def sample_of(equity: Equity) -> str:
    hands = equity.results.hands
    n = len(equity.results.plan.standings.examples)
    each = f" at each of {n} scores" if n > 1 else ""
    return f"{hands_words(hands, hands // 2, True)}{each}"


def widest_of(told: Told) -> dict[str, float]:
    """Return the widest half-widths of a table's cells, of the mean over the dealers."""
    worths = [worth for state, worth in told.cells.items() if state.dealer == EITHER]
    return {
        name: max((getattr(worth, name).half_width for worth in worths), default=0.0)
        for name in _MEASURES
    }


def equity_json(told: Told, seconds: dict[str, float | None]) -> dict[str, Any]:
    """Return the table as plain values; timing stands under ``seconds`` alone.

    Parameters
    ----------
    told : Told
    seconds : dict
        ``play`` (None where the counts were found on disk) and ``all``.
    """
    results = told.equity.results
    plan = results.plan
    return {
        "objective": "win",
        "unit": "share of games",
        "sample": sample_of(told.equity),
        "hands": results.hands,
        "seed": plan.seed,
        "rules": plan.rules.as_dict(),
        "target": plan.rules.target,
        "confidence": 0.95,
        "correction": "for each figure by itself",
        "play": plan.policies[0].spec,
        "against": plan.policies[1].spec,
        "policies": [policy.as_dict() for policy in plan.policies],
        "counted_at": [
            dict(zip(("mine", "theirs", "mine_won", "theirs_won"), map(int, row), strict=True))
            for row in plan.standings.examples
        ],
        "exact_by_score": plan.standings.exact,
        "boxes": told.boxes,
        "boxes_in_state": told.equity.box > 0,
        "start": told.start.as_dict(),
        "cells": [
            {
                "mine": state.mine,
                "theirs": state.theirs,
                "dealer": DEALERS[state.dealer],
                **worth.as_dict(),
            }
            for state, worth in told.cells.items()
        ],
        "widest": {name: number(width) for name, width in widest_of(told).items()},
        "grid": _grid(told),
        "asked": _asked_object(told),
        "partial": results.partial,
        "seconds": seconds,
    }


def _grid(told: Told) -> dict[str, Any]:
    """Return the chances to win on a finer grid of scores, for the chart."""
    target = told.equity.rules.target
    scores = list(range(0, target, max(1, target // _GRID)))
    win = told.equity.grid("win", told.boxes)[:, scores][:, :, scores]
    rows = [
        [[None if np.isnan(x) else round(float(x), 5) for x in row] for row in by_dealer]
        for by_dealer in win
    ]
    return {"scores": scores, "play_deals": rows[0], "against_deals": rows[1]}


def _asked_object(told: Told) -> dict[str, Any] | None:
    if told.asked is None:
        return None
    return {
        "mine": told.asked.mine,
        "theirs": told.asked.theirs,
        "boxes": told.asked.box_difference,
        "by_dealer": [
            {"dealer": DEALERS[dealer], **worth.as_dict()}
            for dealer, worth in told.asked_worth.items()
        ],
        "next_hand": [
            {
                "winner": WINNERS[hand.winner],
                "points": hand.points,
                "game_over": hand.over,
                **hand.worth.as_dict(),
            }
            for hand in told.results
        ],
    }
