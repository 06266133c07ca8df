"""What a result of the hand is worth to the player: in points, towards the game, at other bonuses.

Results are priced here and nowhere played; the same played hands serve every price.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from gin_sim.advice.playouts import Results, points_worth
from gin_sim.errors import InputError, listed
from gin_sim.payoff.equity import Equity
from gin_sim.payoff.equity_cache import equity_between
from gin_sim.play.actions import (
    LOST_BY_UNDERCUT,
    LOST_TO_BIG_GIN,
    LOST_TO_GIN,
    LOST_TO_KNOCK,
    N_ENDS,
    WON_BY_BIG_GIN,
    WON_BY_GIN,
    WON_BY_UNDERCUT,
)
from gin_sim.policies.contract import Policy
from gin_sim.policies.score_classes import hands_possible
from gin_sim.positions import Position
from gin_sim.rules import Rules

#: What is compared, and its unit: a hand's points, those with the box for a hand won, the chance to
#: win the game from the score, and what is settled at the end of it.
OBJECTIVES = {
    "points": "points per hand",
    "points+boxes": "points per hand",
    "win": "% to win the game",
    "stakes": "points settled per game",
}
#: Half the width of the margin's interval that is enough when nothing else is asked.
PRECISIONS = {"points": 0.5, "points+boxes": 0.5, "win": 0.5, "stakes": 1.0}

#: How far before the target a side stands that is close to winning, points.
_CLOSE = 10


class Bonuses(NamedTuple):
    """Points for gin, for an undercut, and for a hand won."""

    gin: int
    undercut: int
    box: int

    @property
    def name(self) -> str:
        """The bonuses in words."""
        text = f"{self.gin} for gin and {self.undercut} for an undercut"
        return f"{text}, {self.box} for a hand won" if self.box else text


#: Bonuses that the verdict is given for too.
_BONUSES = (Bonuses(25, 25, 0), Bonuses(20, 10, 0), Bonuses(25, 25, 25))


def check_objective(objective: str) -> None:
    """Refuse an objective that there is not."""
    if objective not in OBJECTIVES:
        raise InputError(f"no objective is called '{objective}': give {listed(OBJECTIVES, 'or')}.")


def equity_for(
    objective: str,
    position: Position,
    player: Policy,
    opponent: Policy,
    threads: int | None,
    given: Equity | None = None,
) -> Equity | None:
    """Return the table of the game that an objective needs; None for points of the hand.

    Raises
    ------
    InputError
        If there is no such objective, a game under the rules is one hand, or a table that is given
        is of other players or rules.
    """
    check_objective(objective)
    if objective in ("points", "points+boxes"):
        return None
    if given is not None:
        plan = given.results.plan
        if (*plan.policies, plan.rules) != (player, opponent, position.rules):
            raise InputError(
                f"the equity table is of {plan.policies[0].spec} against {plan.policies[1].spec} "
                f"under {plan.rules.name} rules, and {player.spec} against {opponent.spec} under "
                f"{position.rules.name} is asked for: give that one, or leave it out."
            )
        return given
    return equity_between(player, opponent, position.rules, threads=threads)


def worth_of(objective: str, position: Position, equity: Equity | None = None) -> np.ndarray:
    """Return what each result of the hand is worth to the player.

    Parameters
    ----------
    objective : str
        See ``OBJECTIVES``.
    position : Position
    equity : Equity, optional
        For ``win`` and ``stakes``.

    Returns
    -------
    float64 array, shape (3, points + 1)
        See :func:`playouts.points_worth`; to win in per cent, a tie for half a game.
    """
    if equity is None:
        return points_worth(position.rules.box_bonus if objective == "points+boxes" else 0)
    return _worth_at(objective, position, equity, position.score, position.boxes)


def _worth_at(
    objective: str,
    position: Position,
    equity: Equity,
    score: tuple[int, int],
    boxes: tuple[int, int],
) -> np.ndarray:
    rules = position.rules
    mine, theirs = score
    difference = boxes[0] - boxes[1] if rules.box_bonus else 0
    if rules.boxes_count_at_once:
        mine += rules.box_bonus * boxes[0]
        theirs += rules.box_bonus * boxes[1]
        difference = 0
    measure = "score" if objective == "win" else "stakes"
    worth = equity.worth(mine, theirs, difference, measure)[int(not position.seen.is_dealer)]
    return worth * 100 if objective == "win" else worth


def worths_by_score(
    objective: str, position: Position, equity: Equity
) -> list[tuple[str, np.ndarray]]:
    """Return the worths of the hand at four scores: the start, and where one side or both are near.

    Each side that has points has as few boxes as they take; where no hands make a score near the
    target, the start is the only one.
    """
    rules = position.rules
    near = max(rules.target - _CLOSE, 0)
    fewest, most = hands_possible(near, rules)
    near -= fewest * rules.box_bonus if rules.boxes_count_at_once else 0
    found = []
    for score in ((0, 0), (near, 0), (0, near), (near, near)):
        boxes = tuple(fewest if each else 0 for each in score)
        name = f"{score[0]}-{score[1]}"
        if rules.box_bonus and any(boxes):
            name += f" with boxes {boxes[0]}-{boxes[1]}"
        if not found or (near and fewest <= most):
            found.append((name, _worth_at(objective, position, equity, score, boxes)))
    return found


def other_bonuses(rules: Rules, objective: str) -> list[Bonuses]:
    """Return the bonuses that are worth telling of beside those that the objective counts."""
    own = None
    if objective in ("points", "points+boxes"):
        box = rules.box_bonus if objective == "points+boxes" else 0
        own = Bonuses(rules.gin_bonus, rules.undercut_bonus, box)
    return [bonuses for bonuses in _BONUSES if bonuses != own]


def repriced(results: Results, position: Position, bonuses: Bonuses) -> Results:
    """Return played hands with other bonuses for gin and undercut.

    Big gin keeps its distance to gin, as far as it then still scores.
    """
    rules = position.rules
    gin, undercut = bonuses.gin - rules.gin_bonus, bonuses.undercut - rules.undercut_bonus
    change = np.zeros(N_ENDS, np.int64)
    change[[WON_BY_GIN, WON_BY_BIG_GIN]] = gin
    change[[LOST_TO_GIN, LOST_TO_BIG_GIN]] = -gin
    change[WON_BY_UNDERCUT] = undercut
    change[LOST_BY_UNDERCUT] = -undercut
    if rules.spade_doubles and position.seen.first_upcard < 13:
        change *= 2
    points = results.points + change[results.ends]
    won = results.ends < LOST_TO_KNOCK
    return Results(np.where(won, np.maximum(points, 0), np.minimum(points, 0)), results.ends)
