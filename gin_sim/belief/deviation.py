"""How often an opponent deviates from the policy that it is supposed to follow, and how it is said.

What is concluded from a deviation is not decided here.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from gin_sim.errors import InputError


class Deviation(NamedTuple):
    """How often a player deviates from the policy that it is supposed to follow, 0 to 1.

    With chance ``take`` it answers the upcard the other way, with ``discard`` it discards any card
    that may be discarded, with ``knock`` it answers the other way whether to knock.
    """

    take: float
    discard: float
    knock: float


#: For a player known to follow the policy: no chance is quite zero, so that proposals can pass.
KNOWN = Deviation(0.0005, 0.0005, 0.0001)
#: For a player who is only like the policy.
ALIKE = Deviation(0.03, 0.03, 0.001)

_NAMED = {"known": KNOWN, "alike": ALIKE}


def parse_deviation(given: str | float | Sequence[float]) -> Deviation:
    """Return how often an opponent deviates, from a word, one chance or three.

    A chance is raised to what a known policy is allowed: at none at all one act that the policy
    would not do leaves no hand possible.

    Parameters
    ----------
    given : str, float or sequence of float
        ``"known"``, ``"alike"``, a chance for takes and discards (knocks a thirtieth of it), or
        the chances of a take, a discard and a knock, 0 to 0.5; numbers may be text: ``"0.03"``.

    Raises
    ------
    InputError
        If it is none of these.
    """
    text = given.strip().lower() if isinstance(given, str) else ""
    if text in _NAMED:
        return _NAMED[text]
    try:
        if isinstance(given, str):
            chances = [float(part) for part in text.split(",")]
        elif isinstance(given, int | float):
            chances = [float(given)]
        else:
            chances = [float(part) for part in given]
    except (TypeError, ValueError):
        chances = []
    if len(chances) not in (1, 3) or not all(0 <= chance <= 0.5 for chance in chances):
        raise InputError(
            f"--deviation '{given}' does not say how often the opponent deviates: give known, "
            "alike, one chance from 0 to 0.5, such as 0.03, or three of a take, a discard and a "
            "knock, such as 0.03,0.03,0.001."
        )
    if len(chances) == 1:
        chances = [chances[0], chances[0], chances[0] * ALIKE.knock / ALIKE.take]
    return Deviation(*(max(chance, least) for chance, least in zip(chances, KNOWN, strict=True)))
