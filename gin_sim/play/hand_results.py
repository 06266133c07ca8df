"""How hands end between two policies: who dealt, who won and for how many points, counted.

Every deal is played as a mirrored pair, once at each of some scores, since a policy may read the
score.  The deals are dealt out to groups, so that the counts can be resampled.  Nothing is
priced here.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np

from gin_sim.engine.deal import deal_hand
from gin_sim.engine.jit import jit
from gin_sim.engine.pricing import price
from gin_sim.engine.table import FAULT
from gin_sim.play.loop import play_on, start_deal
from gin_sim.play.plans import HANDS, UnitPlan
from gin_sim.play.start import stand_at
from gin_sim.play.tallies import WON_BY_NOBODY
from gin_sim.policies.contract import Policy
from gin_sim.policies.score_classes import Standings, standings_of
from gin_sim.rules import NOBODY, Rules, most_points

#: Groups of deals; a deal belongs to the group of its index modulo their number.
GROUPS = 20


@dataclass(frozen=True)
class ResultsPlan(UnitPlan):
    """Hands of two policies whose results are counted.

    Parameters
    ----------
    policies : pair of Policy
        Side 0 and side 1.
    rules : Rules
        With a target above 0.
    hands : int
        Hands at each score of :attr:`standings`, an even number.
    seed : int
        0 to 2**63 - 1.
    """

    policies: tuple[Policy, Policy]
    rules: Rules
    hands: int
    seed: int = 1

    unit = HANDS
    mirrored = True

    def __post_init__(self) -> None:
        self._check()

    @property
    def size(self) -> int:
        """Hands at each score."""
        return self.hands

    @cached_property
    def standings(self) -> Standings:
        """The scores at which each deal is played, and what they stand for."""
        return standings_of(self.policies, self.rules)

    @property
    def kernel(self):
        """The compiled loop that plays it."""
        return count_results

    def finished(self, tally: np.ndarray) -> int:
        """Return how many hands at each score a tally holds."""
        return int(tally.hands[0]) // len(self.standings.examples)

    def new_tally(self) -> np.ndarray:
        """Return an empty tally, a record array of length 1.

        Returns
        -------
        record array with the int64 fields
            ``hands``, ``faults``; ``counts``, shape (GROUPS, scores, 2, 3, points + 1): hands by
            the side that dealt, the side that won or WON_BY_NOBODY, and the points scored.
        """
        shape = (GROUPS, len(self.standings.examples), 2, 3, most_points(self.rules) + 1)
        fields = [("hands", "i8"), ("faults", "i8"), ("counts", "i8", shape)]
        return np.zeros(1, np.dtype(fields)).view(np.recarray)

    def _arrays(self, tally: np.ndarray) -> tuple:
        record = tally.view(np.ndarray)
        return record.view("i8")[:2], record[0]["counts"], self.standings.examples


@jit
def count_results(tables, views, numbers, counts, scores, rules, players, units):
    """Play consecutive deals at each of some scores and count how the hands end.

    Parameters
    ----------
    tables, views : record arrays of TABLE (1) and VIEW (2)
        Working state, see ``new_state``.
    numbers : int64 array
        Hands and faults; added to.
    counts : int64 array, shape (groups, scores, 2, 3, points + 1)
        Added to.
    scores : int64 array, shape (scores, 4)
        Hand points of side 0 and side 1, hands won by either.
    rules : record of RULES
    players : record array of PLAYER, length 2
    units : Units
        Deals.
    """
    table = tables[0]
    for deal in range(units.first, units.first + units.n):
        start_deal(table, views, units.seed, deal)
        group = deal % len(counts)
        for score in range(len(scores)):
            for leg in range(units.n_legs):
                stand_at(views, scores[score], leg)
                deal_hand(table, views, deal & 1, rules)
                play_on(table, views, rules, players, leg)
                numbers[0] += 1
                if table.ending == FAULT:
                    numbers[1] += 1
                    continue
                _, seat, points = price(table, rules)
                winner = WON_BY_NOBODY if seat == NOBODY else seat ^ leg
                counts[group, score, (deal & 1) ^ leg, winner, points] += 1
