"""Plays like simple, but knocks at a limit that falls as the hand goes on."""

from typing import NamedTuple

base = "simple"


class Cautious(NamedTuple):
    limit: int = 10  # greatest deadwood to knock with on the first turn, pips
    slope: float = 1.0  # how much less that is with each turn, pips


def should_knock(view, p):
    # Gin asks too, with a deadwood of 0: a limit below that would discard it away.
    return view.deadwood <= max(0, p.limit - p.slope * (view.turn - 1))
