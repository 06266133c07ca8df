"""The knock solved at several scores of a game, side by side, and where they differ.

One trace serves all scores at which both policies play alike.  How one score is solved is
``best_response``'s business.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np

from gin_sim.knock.best_response import Cell, Solved, mean_of, solve, values_by_threshold
from gin_sim.knock.cells import Classes
from gin_sim.knock.tracing import Traced, trace
from gin_sim.payoff.equity import Equity
from gin_sim.payoff.payoff import PriceTable
from gin_sim.payoff.score import State, box_range, least_counted
from gin_sim.play.knock_trace import TracePlan
from gin_sim.play.tallies import WON_BY_NOBODY
from gin_sim.policies.score_classes import standings_of
from gin_sim.rules import Rules
from gin_sim.stats.intervals import Estimate

#: Scores that are solved by default, in hundredths of the target; box differences where possible.
USUAL = ((0, 0), (90, 0), (0, 90), (90, 90), (75, 50))
USUAL_BOXES = (0, 3, -3)
SMALL = 5  # points of what is called a small knock


@dataclass(frozen=True)
class Ending:
    """What a result of the hand leads to.

    Parameters
    ----------
    worth : float
        Mean over who dealt.
    over : bool
        Whether the game ends with it.
    """

    worth: float
    over: bool


@dataclass(frozen=True)
class Difference:
    """A decision that is clear at a score, and clearly another at the score it is compared with.

    Parameters
    ----------
    turn, deadwood : int
    here, there : Cell
    """

    turn: int
    deadwood: int
    here: Cell
    there: Cell


@dataclass(frozen=True)
class Plain:
    """The two plain ways to play, to knock as soon as one may and to wait for gin, on all paths.

    Parameters
    ----------
    knock_less_gin : Estimate
        The first less the second.
    over_knock, over_gin : Estimate
        The solved rule less either.
    """

    knock_less_gin: Estimate
    over_knock: Estimate
    over_gin: Estimate


@dataclass(frozen=True)
class ByScore:
    """Knock rules solved at several scores.

    Parameters
    ----------
    solved : list of Solved
        The first is the one that the others are compared with.
    """

    solved: list[Solved]

    @cached_property
    def plain(self) -> list[Plain]:
        """By score: what the plain ways to play are worth."""
        return [_plain(found) for found in self.solved]

    @cached_property
    def endings(self) -> list[dict[str, Ending]]:
        """By score: what a small knock, the least undercut and a hand that nobody wins lead to."""
        return [_endings(found.prices) for found in self.solved]

    def differences(self, number: int) -> list[Difference]:
        """Return where a score's clear decisions are clearly others than the first score's."""
        first, here = self.solved[0].chart, self.solved[number].chart
        found = []
        for turn, (classes_there, classes_here) in enumerate(zip(first, here, strict=True)):
            for cells in zip(classes_there, classes_here, strict=True):
                for deadwood, (there, this) in enumerate(zip(*cells, strict=True)):
                    if {there.decision, this.decision} == {"knock", "play on"}:
                        found.append(Difference(turn + 1, deadwood + 1, this, there))
        return found


def usual_states(rules: Rules, scores: Sequence[tuple[int, int]] | None = None) -> list[State]:
    """Return the scores that are solved if no others are asked for.

    Parameters
    ----------
    rules : Rules
    scores : sequence of pairs of int, optional
        Points instead of the usual ones; the usual box differences go with each.
    """
    if scores is None:
        scores = [tuple(rules.target * each // 100 for each in pair) for pair in USUAL]
    least = least_counted(rules)
    scores = [tuple(max(each, least) if each else 0 for each in pair) for pair in scores]
    found = []
    for mine, theirs in scores:
        low, high = box_range(mine, theirs, rules)
        nearest = [min(max(boxes, low), high) for boxes in USUAL_BOXES]
        kept = [n for n, boxes in zip(nearest, USUAL_BOXES, strict=True) if n == boxes]
        if (mine, theirs) == (0, 0) or low == high:
            kept = [nearest[0]]
        found += [State(mine, theirs, boxes) for boxes in dict.fromkeys([nearest[0], *kept])]
    return list(dict.fromkeys(found))


def solve_by_score(
    plan: TracePlan,
    equity: Equity,
    states: Sequence[State],
    objective: str,
    classes: Classes,
    threads: int | None = None,
    stop: threading.Event | None = None,
    on_progress: Callable[[int], None] | None = None,
) -> ByScore:
    """Solve the knock at each of some scores on the same deals.

    Parameters
    ----------
    plan : TracePlan
        Of which the score is not read.
    equity : Equity
        What the rest of the game is worth.
    states : sequence of State
    objective : {"win", "stakes"}
    classes : Classes
    threads, stop, on_progress
        See :func:`trace`; deals are counted over all traces.  Once stopped, scores that are not
        traced yet are left out.
    """
    traces: dict[int, Traced] = {}
    solved = []
    for state, key in zip(states, trace_keys(plan, states), strict=True):
        prices = PriceTable.of_game(equity, state, objective)
        here = replace(plan, start=prices.start)
        if key not in traces:
            if traces and stop is not None and stop.is_set():
                break
            done = len(traces) * plan.deals
            count = None if on_progress is None else lambda n, done=done: on_progress(done + n)
            traces[key] = trace(here, threads, stop, count)
        solved.append(solve(replace(traces[key], plan=here), classes, prices))
    return ByScore(solved)


def trace_keys(plan: TracePlan, states: Sequence[State]) -> list[int]:
    """Return a number for each score, the same for those that one trace serves."""
    standings = standings_of(plan.policies, plan.rules)
    if not standings.exact:
        return list(range(len(states)))
    dealers = [1000 * state.dealer for state in states]
    return [
        int(standings.classes[state.mine, state.theirs]) + dealer
        for state, dealer in zip(states, dealers, strict=True)
    ]


def _plain(found: Solved) -> Plain:
    gin, *_, knock = values_by_threshold(found.traced, found.prices)
    return Plain(mean_of(knock - gin), mean_of(found.values - knock), mean_of(found.values - gin))


def _endings(prices: PriceTable) -> dict[str, Ending]:
    rules = prices.equity.rules
    results = {
        "small knock": (0, SMALL),
        "undercut": (1, max(1, rules.undercut_bonus)),
        "nobody": (WON_BY_NOBODY, 0),
    }
    return {
        name: Ending(
            float(np.mean(prices.table[:, winner, points])),
            prices.equity.state_after(prices.state, winner, points) is None,
        )
        for name, (winner, points) in results.items()
    }
