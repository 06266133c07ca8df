"""At which scores a policy plays alike, from what it reads of the score.

Among the shipped rules only those of the knock read the score: a table by its offsets, Heisenbot
by its lead.  A file's own decisions may read anything.  Hands and games are not played here.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from gin_sim.errors import InputError
from gin_sim.policies.contract import KNOCK_BY_TABLE, KNOCK_LIKE_HEISENBOT, PLAYER, Policy
from gin_sim.policies.shipped.knock_table import heisenbot_waits, is_close, shift_by_lead
from gin_sim.rules import Rules, least_points, most_points

#: Stretches of each side's score at which a policy that may read anything is played.
GRID = 4
_USUAL_POINTS = 20  # of a hand won


@dataclass(frozen=True)
class Standings:
    """The scores of a game sorted into those at which two policies play alike.

    Parameters
    ----------
    classes : int64 array, shape (target, target)
        By the points that count for side 0 and side 1 (boxes too where they count at once): a
        number from 0.
    examples : int64 array, shape (n, 4)
        A score of each class: hand points of side 0 and side 1, hands won by either.
    exact : bool
        Whether the policies do play alike at all scores of a class; else a class is a stretch of
        scores, each taken for its middle.
    """

    classes: np.ndarray
    examples: np.ndarray
    exact: bool


def standings_of(policies: tuple[Policy, Policy], rules: Rules) -> Standings:
    """Sort the scores of a game by how two policies play at them.

    Parameters
    ----------
    policies : pair of Policy
        Side 0 and side 1.
    rules : Rules
        With a target above 0.

    Raises
    ------
    InputError
        If a policy reads the lead in hand points where the boxes are counted among them.
    """
    first = _classes(policies[0], rules)
    second = _classes(policies[1], rules).T
    _, classes = np.unique(first * (second.max() + 1) + second, return_inverse=True)
    classes = classes.reshape(first.shape).astype(np.int64)
    examples = [_example(classes == each, rules) for each in range(classes.max() + 1)]
    exact = not any(map(_reads_anything, policies))
    return Standings(classes, np.array(examples, np.int64), exact)


def _reads_anything(policy: Policy) -> bool:
    return policy.has_own_decisions and policy.names_score


def _classes(policy: Policy, rules: Rules) -> np.ndarray:
    """Return numbers of classes by own score and opponent's."""
    player = np.zeros(1, PLAYER)[0]
    policy.seat(player)
    points = np.arange(rules.target)
    if _reads_anything(policy):
        stretch = points * GRID // rules.target
        return stretch[:, None] * GRID + stretch[None, :]
    leads = range(1 - rules.target, rules.target)
    close, shift = np.zeros(rules.target, np.int64), np.zeros(len(leads), np.int64)
    if player["knock_rule"] == KNOCK_BY_TABLE:
        parameters = player["parameters"]
        close[:] = [is_close(parameters, rules.target - own) for own in points]
        shift[:] = [shift_by_lead(parameters, lead) for lead in leads]
    elif player["knock_rule"] == KNOCK_LIKE_HEISENBOT:
        shift[:] = [heisenbot_waits(lead) for lead in leads]
    if shift.any() and rules.boxes_count_at_once:
        raise InputError(
            f"{policy.spec} knocks by its lead in hand points, and under {rules.name} rules the "
            "score has the boxes in it: try a policy without ahead and behind."
        )
    by_lead = shift[points[:, None] - points[None, :] + rules.target - 1]
    return 3 * close[:, None] + by_lead


def _example(members: np.ndarray, rules: Rules) -> tuple[int, int, int, int]:
    """Return the score nearest to the middle of some scores, with as many hands won as is usual."""
    scores = np.argwhere(members)
    nearest = scores[((scores - scores.mean(axis=0)) ** 2).sum(axis=1).argmin()]
    box = rules.box_bonus if rules.boxes_count_at_once else 0
    won = [usual_hands_won(int(counted), rules) for counted in nearest]
    points = [int(counted) - box * n for counted, n in zip(nearest, won, strict=True)]
    return points[0], points[1], won[0], won[1]


def usual_hands_won(counted: int, rules: Rules) -> int:
    """Return how many hands so many points that count towards the target usually take."""
    box = rules.box_bonus if rules.boxes_count_at_once else 0
    fewest, most = hands_possible(counted, rules)
    return min(max(fewest, round(counted / (_USUAL_POINTS + box))), most)


def hands_possible(counted, rules: Rules):
    """Return the fewest and the most hands that so many points can have taken to win.

    Parameters
    ----------
    counted : int or int array
        Points that count towards the target, boxes too where they count at once.
    rules : Rules
        Under which each hand won counts something.

    Returns
    -------
    pair like ``counted``
        The fewest are more than the most where no hands make so many points.
    """
    box = rules.box_bonus if rules.boxes_count_at_once else 0
    return -(-counted // (box + most_points(rules))), counted // (box + least_points(rules))


def offsets_at(policy: Policy, mine: int, theirs: int, rules: Rules) -> list[str]:
    """Return which of a policy's score offsets change what its knock table says at a score.

    Parameters
    ----------
    policy : Policy
    mine, theirs : int
        Points that count towards the target.
    rules : Rules
    """
    values = policy.values
    found = []
    if 0 < rules.target - mine <= values.get("close_within", 0):
        found.append("close_within")
    lead = mine - theirs
    found += [
        name for name, by in (("ahead", lead), ("behind", -lead)) if 0 < values.get(name, 0) <= by
    ]
    return found
