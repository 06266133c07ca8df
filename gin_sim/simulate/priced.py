"""Hands of many meetings, each at one score and priced by a table of what its result is worth.

What a result is worth, in points or in chances to win the game, is the caller's to say.
"""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np

from gin_sim.errors import InputError
from gin_sim.simulate.plans import HANDS, PairingsPlan
from gin_sim.simulate.start import FROM_NIL, GameStart


@dataclass(frozen=True)
class PricedPlan(PairingsPlan):
    """Many meetings on the same deals, whose leads are what a table says.

    Parameters
    ----------
    pairings, rules, size, seed, mirrored
        As for :class:`PairingsPlan`; the objective says nothing here.
    worths : int64 array, shape (2, 3, points + 1)
        What each result is worth to side 0: by the side that dealt, the side that won or
        WON_BY_NOBODY, and the hand points.
    start : GameStart
        The score at which every hand is played; its dealer deals them all.
    """

    worths: np.ndarray = field(default=None, compare=False)
    start: GameStart = FROM_NIL

    unit = HANDS

    def __post_init__(self) -> None:
        super().__post_init__()
        self.start.check(self.rules)
        # A pair's lead is twice the greatest worth at most, and its squares are summed as int64.
        most = (2**63 - 1) // (2 * max(1, int(np.abs(self.worths).max())) ** 2)
        if self.size > most:
            raise InputError(
                f"{self.size:,} hands are too many to be priced by this table: ask for {most:,} at "
                "most."
            )
