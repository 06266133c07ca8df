"""The states of a game between two hands: how they are read, and which of them there can be.

A state is the points that count towards the target for side 0 ("mine") and side 1 ("theirs"), the
box difference (hands won, side 0 less side 1) and the side that deals the next hand.  Where boxes
count at once they are in the points, and where they are worth nothing they play no part: the
difference is then 0.  What a state is worth is not known here.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from gin_sim.errors import InputError
from gin_sim.policies.score_classes import hands_possible, usual_hands_won
from gin_sim.results.score import Dealer
from gin_sim.rules import Rules, least_by_win, least_points, most_points, spec_with
from gin_sim.words import listed

EITHER = -1  # in place of the dealer: the mean of both
#: What users call the side that deals.
DEALERS: dict[int, Dealer] = {EITHER: "either", 0: "me", 1: "opponent"}

MAX_TARGET = 300

_PAIR = re.compile(r"\s*(\d{1,6})\s*[-:\u2013]\s*(\d{1,6})\s*")


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


Pair = str | Sequence[int]


def read_state(
    score: Pair,
    boxes: Pair | None,
    dealer: str | None,
    rules: Rules,
    name: str = "--score",
) -> State:
    """Return the state that a score, hands won and a dealer name.

    Parameters
    ----------
    score : str or pair of int
        Points that count towards the target, the player's first: ``"85-40"``.
    boxes : str or pair of int, optional
        Hands won so far, the player's first: ``"3-1"``; only the difference matters.  By default
        level, or the possible difference nearest to it.
    dealer : {"me", "opponent", "either"}, optional
        Who deals the hand; by default either, by turns.
    rules : Rules
    name : str
        The option that the score is of, for the sentence of an error.

    Raises
    ------
    InputError
        If they cannot be read, or no game is in that state.
    """
    mine, theirs = _read_pair(score, f"{name} '{score}' is no score: give both sides' points")
    dealers = {word: side for side, word in DEALERS.items()}
    if dealer is not None and dealer not in dealers:
        raise InputError(f"--dealer '{dealer}' is nobody: give {listed(dealers)}.")
    side = EITHER if dealer is None else dealers[dealer]
    if boxes is None:
        least, most = box_range(mine, theirs, rules)
        state = State(mine, theirs, min(max(0, least), most), side)
        check_state(state, rules)
        return state
    won = _read_boxes(boxes)
    _check_score((mine, theirs), rules)
    _check_boxes(won, (mine, theirs), rules)
    state = State(mine, theirs, won[0] - won[1], side)
    check_state(state, rules)
    return state


def box_difference_of(boxes: Pair | None) -> int:
    """Return the box difference of hands won so far, the player's first; 0 for none."""
    if boxes is None:
        return 0
    mine, theirs = _read_boxes(boxes)
    return mine - theirs


def _read_boxes(boxes: Pair) -> tuple[int, int]:
    return _read_pair(
        boxes, f"--boxes '{boxes}' are not hands won: give yours and the opponent's", "3-1"
    )


def _read_pair(pair: Pair, otherwise: str, like: str = "45-20") -> tuple[int, int]:
    parts: list[int] = []
    if isinstance(pair, str):
        found = _PAIR.fullmatch(pair)
        parts = list(map(int, found.groups())) if found else []
    elif isinstance(pair, Sequence):
        parts = list(pair)
    if len(parts) != 2 or any(type(part) is not int or part < 0 for part in parts):
        raise InputError(f"{otherwise}, such as {like}.")
    return parts[0], parts[1]


def _check_boxes(boxes: tuple[int, int], score: tuple[int, int], rules: Rules) -> None:
    """Refuse hands won that cannot have made a score."""
    possible = [hands_possible(points, rules) for points in score]
    for won, points, (fewest, most) in zip(boxes, score, possible, strict=True):
        if not fewest <= won <= most:
            takes = f"{fewest} to {most} hands won" if fewest < most else f"{most} hands won"
            takes = "1 hand won" if fewest == most == 1 else takes if most else "no hand won"
            raise InputError(
                f"at {score[0]}-{score[1]} --boxes cannot be {boxes[0]}-{boxes[1]}: under "
                f"{rules.name} rules {points} points are {takes}."
            )


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
            f"a target, {spec_with(rules.name, 'target', 100)}, say."
        )
    if rules.target > MAX_TARGET:
        raise InputError(
            f"{rules.name} rules have a target of {rules.target}, and an equity table goes up to "
            f"{MAX_TARGET}: try {spec_with(rules.name, 'target', MAX_TARGET)}, or play whole games "
            "with `gin-sim simulate A B --games`."
        )
    if rules.boxes_count_at_once:
        return
    nil = [name for name, least in least_by_win(rules).items() if least == 0]
    if nil:
        raise InputError(
            f"under {rules.name} rules a hand may be won with 0 points (its {listed(nil)} is 0), "
            "so that a score does not say how many boxes there can be: give a bonus from 1."
        )


def check_state(state: State, rules: Rules) -> None:
    """Refuse a state that no game is in.

    Raises
    ------
    InputError
        If a score is at or past the target or below 0, if no hands won make it, or if the hands
        that it takes cannot differ by so many boxes.
    """
    _check_score((state.mine, state.theirs), rules)
    least, most = box_range(state.mine, state.theirs, rules)
    if not least <= state.box_difference <= most:
        raise InputError(_impossible_boxes(state, least, most, rules))


def _check_score(score: tuple[int, int], rules: Rules) -> None:
    """Refuse a score that no game is at."""
    said = f"{score[0]}-{score[1]}"
    for points in score:
        if points < 0:
            raise InputError(f"the score {said} is below 0: give scores from 0, such as 45-20.")
        if points >= rules.target:
            raise InputError(
                f"at {said} the game is over, to {rules.target} under {rules.name} rules: give "
                f"scores from 0 to {rules.target - 1}."
            )
        fewest, most = hands_possible(points, rules)
        if fewest > most:
            raise InputError(_impossible_score(said, points, rules))


def least_counted(rules: Rules) -> int:
    """Return the least that a hand won counts towards the target, its box with it if at once."""
    return least_points(rules) + (rules.box_bonus if rules.boxes_count_at_once else 0)


def _impossible_score(said: str, points: int, rules: Rules) -> str:
    least = least_counted(rules)
    counts = f"{_least_words(rules)} at least"
    if rules.boxes_count_at_once:
        counts = f"its box of {rules.box_bonus} at once and {counts}"
    so = f"a score is 0 or at least {least}"
    if points >= least:
        most = least + most_points(rules) - least_points(rules)
        so = f"one counts {least} to {most} and no hands make {points}"
    return (
        f"no game is at {said} under {rules.name} rules: each hand won counts {counts}, so that "
        f"{so}."
    )


def _least_words(rules: Rules) -> str:
    least = least_points(rules)
    return "a point" if least == 1 else f"{least} points"


def _impossible_boxes(state: State, least: int, most: int, rules: Rules) -> str:
    said = f"{state.mine}-{state.theirs}"
    if rules.boxes_count_at_once:
        return (
            f"under {rules.name} rules boxes count at once and are in the score: leave --boxes "
            f"out (the difference of {state.box_difference:+})."
        )
    if not rules.box_bonus:
        return (
            f"under {rules.name} rules boxes are worth nothing: leave --boxes out (the "
            f"difference of {state.box_difference:+})."
        )
    possible = f"can be from {least:+} to {most:+}"
    if least == most:
        possible = f"can only be {least:{'+' if least else ''}}"
    return (
        f"at {said} the box difference cannot be {state.box_difference:+}, since a hand won scores "
        f"{_least_words(rules)} at least and no points are no hand won: it {possible}."
    )


def box_range(mine, theirs, rules: Rules):
    """Return the least and the greatest box difference that a score allows.

    Parameters
    ----------
    mine, theirs : int or int array
        Points that count towards the target.
    rules : Rules

    Returns
    -------
    pair of int or of int array
        The least is the greatest and one more where no game is at the score.
    """
    fewest, most = hands_possible(mine, rules)
    their_fewest, their_most = hands_possible(theirs, rules)
    is_there = (fewest <= most) & (their_fewest <= their_most)
    low, high = fewest - their_most, most - their_fewest
    if not rules.box_bonus or rules.boxes_count_at_once:
        low = high = 0 * low
    return low, is_there * high + (1 - is_there) * (low - 1)


def standing_of(state: State, rules: Rules) -> tuple[int, int, int, int]:
    """Return a score as policies see it: hand points of both sides, and hands won by either.

    The box difference is the state's where it plays a part.  Beyond that a score does not say how
    many hands it took; they are taken to be as many as is usual.
    """
    box = rules.box_bonus if rules.boxes_count_at_once else 0
    score = (state.mine, state.theirs)
    won = [usual_hands_won(points, rules) for points in score]
    if rules.box_bonus and not box:
        won = list(_differing(won, score, state.box_difference, rules))
    points = [each - box * n for each, n in zip(score, won, strict=True)]
    return points[0], points[1], won[0], won[1]


def _differing(
    usual: list[int], points: tuple[int, int], difference: int, rules: Rules
) -> tuple[int, int]:
    """Return hands won that differ by so many boxes, and are as near to the usual as can be."""
    (fewest, most), (their_fewest, their_most) = (hands_possible(each, rules) for each in points)
    possible = [
        (n, n - difference)
        for n in range(fewest, most + 1)
        if their_fewest <= n - difference <= their_most
    ]
    return min(
        possible, key=lambda both: sum((a - b) ** 2 for a, b in zip(both, usual, strict=True))
    )
