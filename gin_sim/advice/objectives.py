"""What a position is asked for: points of the hand, or the game from the position's score."""

from __future__ import annotations

import numpy as np

from gin_sim.errors import InputError
from gin_sim.payoff.equity import Equity
from gin_sim.payoff.payoff import exact_table
from gin_sim.payoff.score import State
from gin_sim.policies.contract import Policy
from gin_sim.positions import Position

#: Half the width of the margin's interval that is enough when nothing else is asked, in the unit of
#: the objective.
PRECISIONS = {"points": 0.5, "points+boxes": 0.5, "win": 0.005, "stakes": 1.0}


def check_equity(equity: Equity, position: Position, play: Policy, against: Policy) -> None:
    """Refuse a table of the game that is of other players or rules.

    Raises
    ------
    InputError
    """
    plan = equity.results.plan
    if (*plan.policies, plan.rules) != (play, against, position.rules):
        raise InputError(
            f"the equity table is of {plan.policies[0].spec} against {plan.policies[1].spec} "
            f"under {plan.rules.name} rules, and {play.spec} against {against.spec} under "
            f"{position.rules.name} is asked for: give that one, or leave it out."
        )


def prices_of(objective: str, position: Position, equity: Equity | None = None) -> np.ndarray:
    """Return what each result of the hand is worth to the player.

    Parameters
    ----------
    objective : str
        One of :data:`gin_sim.results.objective.OBJECTIVES`.
    position : Position
    equity : Equity, optional
        For ``win`` and ``stakes``.

    Returns
    -------
    float64 array, shape (3, points + 1)
        See :func:`gin_sim.payoff.ends.values_of`; a chance to win is 0-1, a tie counts for half a
        game.
    """
    return prices_at(objective, position, equity, position.score, position.boxes)


def prices_at(
    objective: str,
    position: Position,
    equity: Equity | None,
    score: tuple[int, int],
    boxes: tuple[int, int],
) -> np.ndarray:
    """Return what each result of the hand is worth at a score, mine first."""
    rules = position.rules
    dealer = int(not position.seen.is_dealer)
    mine, theirs = score
    difference = boxes[0] - boxes[1] if rules.box_bonus else 0
    if rules.boxes_count_at_once:
        mine += rules.box_bonus * boxes[0]
        theirs += rules.box_bonus * boxes[1]
        difference = 0
    state = State(mine, theirs, difference, dealer)
    return exact_table(objective, rules, state, equity)[dealer]
