"""Leads of many meetings as figures that are claimed together.

It decides how sure the leads of a plan's meetings, and differences of them, are: by the number of
units that the plan fixed, or at whatever unit a stopping rule ended it.  What the policies of the
meetings have to do with each other it does not know.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from gin_sim.contests.stopping_rules import Watch
from gin_sim.play.plans import GAMES
from gin_sim.play.run import Played
from gin_sim.policies.same_play import plays_alike
from gin_sim.results.common import Estimate
from gin_sim.stats.intervals import CONFIDENCE, Moments, lead_estimate, t_quantile
from gin_sim.stats.sequential import anytime_critical
from gin_sim.stats.simultaneous import (
    GroupedSample,
    against_best,
    bonferroni_value,
    critical_value,
    estimates,
)


@dataclass(frozen=True)
class Leads:
    """What a plan of meetings found.

    Parameters
    ----------
    played : Played
        Of a plan of meetings.
    watch : Watch, optional
        The stopping rule that it was played with.
    """

    played: Played
    watch: Watch | None = None

    @property
    def n_units(self) -> int:
        """Units played: mirrored pairs, or hands or games where they are not mirrored."""
        return int(self.played.tally[0].units)

    @property
    def _per_unit(self) -> int:
        """What a unit's sums are divided by to get figures per hand (per game)."""
        return self.played.plan.n_legs * self.played.plan.grain

    @cached_property
    def sample(self) -> GroupedSample:
        """The leads by unit, one figure for each meeting."""
        tally, plan = self.played.tally[0], self.played.plan
        extremes = np.full(len(plan.pairings), plan.n_legs if plan.unit == GAMES else 0.0)
        extremes[list(self._is_self_play)] = 0
        return GroupedSample(tally.counts, tally.sums, extremes=extremes)

    @cached_property
    def _is_self_play(self) -> list[bool]:
        """Whether each meeting is of a policy with itself in mirrored seats: exactly 0."""
        plan = self.played.plan
        level = plan.mirrored and plan.is_even
        return [level and plays_alike(*pairing) for pairing in plan.pairings]

    @cached_property
    def moments(self) -> list[Moments]:
        """The leads' moments by unit, exactly."""
        return lead_moments(self.played.tally[0])

    @cached_property
    def meetings(self) -> list[Estimate]:
        """Each meeting's lead per hand (per game), with intervals that hold all at once."""
        return self.of_meetings(np.arange(len(self.moments)))

    def of_meetings(self, numbers: np.ndarray) -> list[Estimate]:
        """Return some meetings' leads per hand (per game), with intervals that hold all at once."""
        scale = 1 / self._per_unit
        critical = self.critical(self.sample.columns(numbers))
        alone = len(numbers) == 1
        return [self._meeting(number, critical, alone).scaled(scale) for number in numbers.tolist()]

    def _meeting(self, number: int, critical: float, alone: bool) -> Estimate:
        """Return a lead by unit: as :meth:`claims` would, but of exact moments."""
        plan, sample = self.played.plan, self.moments[number]
        if self._is_self_play[number] and sample.n:
            return Estimate(0.0, 0.0, 0.0)  # each hand is played twice, with the sides swapped
        if sample.n < 2 or math.isnan(critical):
            return Estimate(sample.mean, math.nan, math.nan)
        if self.watch is None and plan.unit == GAMES:
            found = lead_estimate(sample, plan.n_legs, critical=None if alone else critical)
            return found.scaled(plan.n_legs)
        if self.watch is None and alone:
            critical = t_quantile(sample.n - 1)
        reach = critical * math.sqrt(self._variance(sample) / sample.n)
        found = Estimate(sample.mean, sample.mean - reach, sample.mean + reach)
        return self._possible(found, plan.n_legs)

    def _variance(self, sample: Moments) -> float:
        return sample.variance if self.watch is None else self.watch.until.variance(sample)

    def claims(self, weights: np.ndarray, quick: bool = False) -> list[Estimate]:
        """Return weighted sums of the leads per hand (per game), whose intervals hold all at once.

        Parameters
        ----------
        weights : ndarray of float64, shape (claims, meetings)
        quick : bool
            Whether intervals may be a little wider, where the claims are very many.
        """
        family = self.per_hand(weights)
        critical = self.critical if self.watch or not quick else bonferroni_value
        return [self._possible(each) for each in estimates(family, critical(family))]

    def _possible(self, figure: Estimate, most: float = 1.0) -> Estimate:
        """Return a figure with its interval cut to what shares of games can be."""
        return figure.within(most) if self.played.plan.unit == GAMES else figure

    def against_best(
        self, weights: np.ndarray, quick: bool = False
    ) -> tuple[list[Estimate], list[bool]]:
        """Return weighted sums less the greatest, and which ones may be the greatest.

        Parameters
        ----------
        weights : ndarray of float64, shape (claims, meetings)
        quick : bool
            Whether intervals may be a little wider, where many such questions are asked.

        Returns
        -------
        See :func:`gin_sim.stats.simultaneous.against_best`.
        """
        critical = self.critical if self.watch else bonferroni_value if quick else None
        differences, inside = against_best(self.per_hand(weights), critical)
        return [self._possible(each, 2.0) for each in differences], inside

    def per_hand(self, weights: np.ndarray) -> GroupedSample:
        """Return the sample of weighted sums of the leads, per hand (per game)."""
        return self.sample.contrasts(np.asarray(weights) / self._per_unit)

    def critical(self, family: GroupedSample) -> float:
        """Return how many standard errors to go for a family's intervals to hold all at once."""
        if self.watch is None:
            return critical_value(family)
        look = self.watch.look
        if look.tightest_at is None:
            return math.nan
        confidence = 1 - (1 - CONFIDENCE) / n_distinct(family)
        return anytime_critical(look.n, look.tightest_at, confidence)


def n_distinct(family: GroupedSample) -> int:
    """Return how many figures of a family are claims of their own: no constant, no twin."""
    varying = family.sums.T[family.standard_errors() > 0]
    return max(1, len({np.abs(figure).tobytes() for figure in varying}))


def lead_moments(tally: np.record) -> list[Moments]:
    """Return the moments of each meeting's lead by unit."""
    units = int(tally.units)
    totals = tally.sums.sum(axis=0).tolist()
    return [
        Moments(units, total, square)
        for total, square in zip(totals, tally.squares.tolist(), strict=True)
    ]
