"""The states of a game between two hands, and which of them there can be.

A state is the points that count towards the target for side 0 ("mine") and side 1 ("theirs"), the
box difference (hands won, side 0 less side 1) and the side that deals the next hand.  Where boxes
count at once they are in the points, and where they are worth nothing they play no part: the
difference is then 0.  What a state is worth is not known here.
"""

from __future__ import annotations

from dataclasses import dataclass

from gin_sim.errors import InputError, listed
from gin_sim.policies.standing import usual_hands_won
from gin_sim.rules import Rules

EITHER = -1  # in place of the dealer: the mean of both

MAX_TARGET = 300


@dataclass(frozen=True)
class State:
    """A score, of which something is asked.

    Parameters
    ----------
    mine, theirs : int
        Points that count towards the target.
    box_difference : int
        Hands won by side 0 less hands won by side 1.
    dealer : int
        Side that deals the next hand, 0 or 1; EITHER: the mean of both.
    """

    mine: int
    theirs: int
    box_difference: int = 0
    dealer: int = EITHER


def check_rules(rules: Rules) -> None:
    """Refuse rules whose games have no such table.

    Raises
    ------
    InputError
        If a game is one hand, the target is too far, or a hand won may leave the score as it was.
    """
    if rules.target == 0:
        raise InputError(
            f"under {rules.name} rules a game is one hand, which has no score to start from: give "
            f"a target, {rules.name}{',' if ':' in rules.name else ':'}target=100, say."
        )
    if rules.target > MAX_TARGET:
        raise InputError(
            f"{rules.name} rules have a target of {rules.target}: an equity table goes up to "
            f"{MAX_TARGET}."
        )
    if rules.boxes_count_at_once:
        return
    knocks = rules.knock_limit > 0 or rules.knock_source == "upcard"
    nil = [
        name
        for name, value in (
            ("gin_bonus", rules.gin_bonus),
            ("big_gin_bonus", rules.big_gin_bonus),
            (
                "undercut_bonus",
                rules.undercut_bonus if knocks and rules.tie == "undercut" else None,
            ),
        )
        if value == 0
    ]
    if nil:
        raise InputError(
            f"under {rules.name} rules a hand may be won with 0 points (its {listed(nil)} is 0), "
            "so that a score does not tell how many boxes there can be: give a bonus from 1."
        )


def check_state(state: State, rules: Rules) -> None:
    """Refuse a state that no game is in.

    Raises
    ------
    InputError
        If a score is at or past the target or below 0, or the hands that it takes cannot differ
        by so many boxes.
    """
    said = f"{state.mine}-{state.theirs}"
    for points in (state.mine, state.theirs):
        if points < 0:
            raise InputError(f"the score {said} is below 0: give scores from 0, such as 45-20.")
        if points >= rules.target:
            raise InputError(
                f"at {said} the game is over, to {rules.target} under {rules.name} rules: give "
                f"scores from 0 to {rules.target - 1}."
            )
    if rules.boxes_count_at_once:
        lows = [p for p in (state.mine, state.theirs) if 0 < p < rules.box_bonus]
        if lows:
            raise InputError(
                f"no game is at {said} under {rules.name} rules: each hand won counts its box of "
                f"{rules.box_bonus} at once, so that a score is 0 or at least {rules.box_bonus}."
            )
    least, most = box_range(state.mine, state.theirs, rules)
    if not least <= state.box_difference <= most:
        raise InputError(_impossible_boxes(state, least, most, rules))


def _impossible_boxes(state: State, least: int, most: int, rules: Rules) -> str:
    said = f"{state.mine}-{state.theirs}"
    if rules.boxes_count_at_once:
        return (
            f"under {rules.name} rules boxes count at once and are in the score: leave the box "
            f"difference of {state.box_difference:+} out."
        )
    if not rules.box_bonus:
        return (
            f"under {rules.name} rules boxes are worth nothing: leave the box difference of "
            f"{state.box_difference:+} out."
        )
    possible = f"from {least:+} to {most:+}" if least < most else f"{least:+}"
    return (
        f"at {said} the box difference cannot be {state.box_difference:+}, since a hand won scores "
        f"a point at least and no points are no hand won: it can be {possible}."
    )


def box_range(mine: int, theirs: int, rules: Rules) -> tuple[int, int]:
    """Return the least and the greatest box difference that a score allows."""
    if not rules.box_bonus or rules.boxes_count_at_once:
        return 0, 0
    return int(mine > 0) - theirs, mine - int(theirs > 0)


def standing_of(state: State, rules: Rules) -> tuple[int, int, int, int]:
    """Return a score as policies see it: hand points of both sides, and hands won by either.

    The box difference is the state's where it plays a part.  Beyond that a score does not tell how
    many hands it took; they are taken to be as many as is usual.
    """
    box = rules.box_bonus if rules.boxes_count_at_once else 0
    counted = (state.mine, state.theirs)
    won = [usual_hands_won(points, rules) for points in counted]
    if rules.box_bonus and not box:
        won = list(_differing(won, counted, state.box_difference))
    points = [each - box * n for each, n in zip(counted, won, strict=True)]
    return points[0], points[1], won[0], won[1]


def _differing(usual: list[int], counted: tuple[int, int], difference: int) -> tuple[int, int]:
    """Return hands won that differ by so many boxes, and are as near to the usual as can be."""
    mine = range(int(counted[0] > 0), counted[0] + 1)
    possible = [
        (n, n - difference) for n in mine if int(counted[1] > 0) <= n - difference <= counted[1]
    ]
    return min(
        possible, key=lambda both: sum((a - b) ** 2 for a, b in zip(both, usual, strict=True))
    )
