"""A knock rule for the equity of its own play: solve, count the game anew with the rule, repeat.

The rule at 0-0 is solved for what later hands are worth, and those are played by a rule; here it
becomes the rule itself.  The opponent stays as it is.  How hands are counted is the caller's to
say.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass

import numpy as np

from gin_sim.knock.best_response import Solved, solve
from gin_sim.knock.cells import Classes
from gin_sim.knock.tracing import Traced
from gin_sim.knock.validation import solved_policy
from gin_sim.payoff.equity import Equity
from gin_sim.payoff.payoff import PriceTable
from gin_sim.payoff.score import State
from gin_sim.play.tallies import WON_BY_NOBODY
from gin_sim.policies.contract import Policy

MOST_ROUNDS = 8


@dataclass(frozen=True)
class Round:
    """One round of solving for the equity of a policy.

    Parameters
    ----------
    policy : Policy
        Whose later hands the equity is of.
    equity : Equity
    start : float
        What the game is worth to it at 0-0: the chance to win in percent, or the points settled.
    solved : Solved
        The rule at 0-0 for that equity.
    changed, clearly : int or None
        Cells in which the rule is another than the last round's, and those of them in which the
        charts of both rounds are clear; None in the first round.
    """

    policy: Policy
    equity: Equity
    start: float
    solved: Solved
    changed: int | None
    clearly: int | None

    @property
    def settled(self) -> bool:
        """Whether the chart has stopped changing."""
        return self.changed == 0


def iterate(
    traced: Traced, classes: Classes, objective: str, count: Callable[[Policy], Equity]
) -> Iterator[Round]:
    """Yield rounds until the rule at 0-0 is that of the round before, MOST_ROUNDS at most.

    Parameters
    ----------
    traced : Traced
        Of side 0's play against the opponent at 0-0, which no knock rule of side 0 changes.
    classes : Classes
        That a knock table knows: outs or none.
    objective : {"win", "stakes"}
    count : callable
        Gives the equity of a policy against the opponent.
    """
    policy = traced.plan.policies[0]
    before: Solved | None = None
    for _ in range(MOST_ROUNDS):
        equity = count(policy)
        prices = PriceTable.of_game(equity, State(0, 0), objective)
        found = solve(traced, classes, prices)
        changed, clearly = (None, None) if before is None else _changes(before, found)
        nobody = float(np.mean(prices.table[:, WON_BY_NOBODY, 0]))
        yield (this := Round(policy, equity, nobody, found, changed, clearly))
        if this.settled:
            return
        policy = solved_policy(traced.plan.policies[0], found)
        before = found


def _changes(before: Solved, after: Solved) -> tuple[int, int]:
    """Return in how many cells two rules differ, and in how many clearly."""
    other = before.rule != after.rule
    clear = ("knock", "play on")
    clearly = sum(
        bool(other[turn, place, deadwood + 1])
        and cell.decision in clear
        and before.chart[turn][place][deadwood].decision in clear
        for turn, classes in enumerate(after.chart)
        for place, cells in enumerate(classes)
        for deadwood, cell in enumerate(cells)
    )
    return int(other.sum()), clearly
