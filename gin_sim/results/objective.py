"""What a hand or a game is judged by, and in which unit; nothing is priced here.

Plans, prices and reports all name an objective, so it lies below them all.
"""

from __future__ import annotations

from typing import NamedTuple

from gin_sim.errors import InputError
from gin_sim.words import listed


class Unit(NamedTuple):
    """A unit as data have it, and as people read it.

    Parameters
    ----------
    name : str
        In JSON and tables.
    shown : str
        On the terminal and in charts.
    scale : int
        What a number in ``name`` is multiplied by to be shown.
    """

    name: str
    shown: str
    scale: int = 1


POINTS_PER_HAND = Unit("points per hand", "points per hand")
SHARE_OF_GAMES = Unit("share of games", "% of games", 100)
CHANCE_TO_WIN = Unit("chance to win the game", "% to win the game", 100)
POINTS_PER_GAME = Unit("points per game", "points per game")

UNITS = {
    unit.name: unit for unit in (POINTS_PER_HAND, SHARE_OF_GAMES, CHANCE_TO_WIN, POINTS_PER_GAME)
}

#: The points of a hand; those with the box of each hand won; the chance to win the game (a tie is
#: half a win); the points settled at the end of the game.
OBJECTIVES = ("points", "points+boxes", "win", "stakes")
#: Those of the hand by itself.
OF_THE_HAND = ("points", "points+boxes")
#: Those that look past the hand, to the end of the game.
OF_THE_GAME = ("win", "stakes")
#: Those of what is played where no score is given: hands, or whole games.
PLAYED = (*OF_THE_HAND, "win")

_PER_HAND = dict.fromkeys(OF_THE_HAND, POINTS_PER_HAND)
_PLAYED = {**_PER_HAND, "win": SHARE_OF_GAMES, "stakes": POINTS_PER_GAME}
_AT_A_SCORE = {**_PER_HAND, "win": CHANCE_TO_WIN, "stakes": POINTS_PER_GAME}


def unit_of(objective: str, at_a_score: bool = False) -> Unit:
    """Return the unit of an objective's figures.

    Parameters
    ----------
    objective : str
        One of OBJECTIVES.
    at_a_score : bool
        Whether single hands are judged by the game that they belong to, and not whole games played.

    Raises
    ------
    InputError
        If there is no such objective.
    """
    check_objective(objective)
    return (_AT_A_SCORE if at_a_score else _PLAYED)[objective]


def check_objective(objective: str, allowed: tuple[str, ...] = OBJECTIVES) -> None:
    """Refuse an objective that does not exist or does not go with what is asked.

    Raises
    ------
    InputError
    """
    if objective not in OBJECTIVES:
        raise InputError(f"no objective is called '{objective}': give {listed(allowed)}.")
    if objective not in allowed:
        raise InputError(
            f"the objective '{objective}' does not go with this: give {listed(allowed)}."
        )
