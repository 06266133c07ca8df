"""Stopping rules for plans: what is looked at while a plan is played, and when that is enough.

The rules themselves are :mod:`gin_sim.stats.sequential`'s; here they meet tallies.  A watch is
asked after fixed numbers of units, in their order, so that it stops at the same unit for any number
of threads.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from gin_sim.errors import InputError
from gin_sim.play.plans import HANDS, UnitPlan
from gin_sim.results.common import Estimate
from gin_sim.results.objective import unit_of
from gin_sim.results.stopping import LeadTest, Stopping, UntilWidth
from gin_sim.stats.intervals import Moments
from gin_sim.stats.sequential import Look, Sprt, Until, anytime_estimate

# Units before a stopping rule's first look that counts.
_LEAST_DEALS = 1000
_LEAST_PAIRS = 300
# Half-width at which a test's intervals are tightest, by d1 - d0: about where tests end.
_TEST_WIDTH = 1.3


@dataclass
class Watch:
    """A stopping rule for a plan: asked after fixed numbers of units, it remembers what it saw.

    Parameters
    ----------
    until : Until
        Stops once its figures' intervals are narrow enough; with a test, only makes intervals.
    samples : callable
        From the tally's record to the moments of the watched figures.
    objective : str
        What the figures are leads in; see :data:`gin_sim.results.objective.OBJECTIVES`.
    sprt : Sprt, optional
        Stops once it has decided on the first figure.
    look : Look or None
        The last one.
    decision : {"d0", "d1"} or None
        The test's.
    llr : float
        The test's log likelihood ratio of d1 to d0 at the last look.
    """

    until: Until
    samples: Callable[[np.record], list[Moments]]
    objective: str
    sprt: Sprt | None = None
    look: Look | None = None
    decision: str | None = None
    llr: float = math.nan

    def anytime(self, sample: Moments, per_unit: int, extreme: int = 0) -> Estimate:
        """Return a figure per hand (per game), watched or not, with an interval for every look.

        Parameters
        ----------
        sample : Moments
            By unit, of all units up to the last look.
        per_unit : int
            Hands (games) of a unit.
        extreme : int
            Of the figure; see :func:`gin_sim.stats.sequential.anytime_estimate`.
        """
        tightest_at = self.look.tightest_at
        if tightest_at is None:
            return Estimate(sample.mean / per_unit, math.nan, math.nan)
        found = anytime_estimate(sample, tightest_at, extreme=extreme)
        return found.scaled(1 / per_unit)

    def __call__(self, tally: np.ndarray) -> bool:
        """Look at the tally so far, and return whether that is enough."""
        samples = self.samples(tally[0])
        self.look = self.until.look(samples, self.look)
        if self.sprt is None:
            return self.look.reached
        self.llr = self.sprt.llr(samples[0])
        self.decision = self.sprt.decision(samples[0])
        return self.decision is not None


def watch_for(
    plan: UnitPlan,
    samples: Callable[[np.record], list[Moments]],
    objective: str,
    n_figures: int = 1,
    half_width: float | None = None,
    test: tuple[float, float] | None = None,
) -> Watch | None:
    """Return the stopping rule for a plan, or None where it is played to its end.

    Parameters
    ----------
    plan : any plan
    samples : callable
        From the tally's record to the moments of the watched figures, by unit.
    objective : str
        What the figures are leads in.
    n_figures : int
    half_width : float, optional
        Of every figure's interval, per hand (per game).
    test : pair of float, optional
        The leads d0 < d1 per hand (per game) that are to be tested, for one figure.

    Raises
    ------
    InputError
        If both are asked for.
    """
    if half_width is None and test is None:
        return None
    if half_width is not None and test is not None:
        raise InputError("--until and --sprt are two stopping rules: give only one.")
    least, extreme = (_LEAST_DEALS, 0) if plan.unit == HANDS else (_LEAST_PAIRS, plan.n_legs)
    sprt = None
    if test is not None:
        sprt = Sprt(*test, per_unit=plan.n_legs, least=least, extreme=extreme)
        half_width = _TEST_WIDTH * (test[1] - test[0])
    per_unit = plan.n_legs * plan.grain
    until = Until(half_width, per_unit, least, n_figures, extreme=extreme, most=plan.n_units)
    return Watch(until, samples, objective, sprt)


def stopping_of(
    watch: Watch | None, enough: bool, unit: str | None = None, scale: float = 1
) -> Stopping | None:
    """Return a stopping rule and what it came to, as results give it; None without one.

    Parameters
    ----------
    watch : Watch or None
    enough : bool
        Whether the rule ended the play.
    unit : str, optional
        Of the figures in the result, by default that of the objective.
    scale : float
        What the watched figures are multiplied by to be in that unit.
    """
    if watch is None:
        return None
    unit = unit_of(watch.objective).name if unit is None else unit
    if watch.sprt is None:
        return UntilWidth(half_width=watch.until.half_width * scale, unit=unit, reached=enough)
    test = watch.sprt
    return LeadTest(
        d0=test.d0 * scale,
        d1=test.d1 * scale,
        unit=unit,
        alpha=test.alpha,
        beta=test.beta,
        llr=watch.llr if math.isfinite(watch.llr) else None,
        bounds=test.bounds,
        accepted=watch.decision,
    )
