"""Stopping as soon as enough is known, without the errors of peeking; it knows samples, not cards.

It decides, look by look, whether a sample answers the question: how large a lead is (to a given
half-width, by an interval that holds at all looks at once), or which of two leads it is (a
sequential probability ratio test).  Each answer is a function of the moments looked at, in order,
and of nothing else: looks after the same numbers of units, in the deals' order, stop at the same
one for any number of threads.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache

from gin_sim.errors import InputError
from gin_sim.results.common import Estimate
from gin_sim.stats.intervals import CONFIDENCE, Moments

# Of a half-width, and of the difference of two leads; and of a lead.
_LEAST, _GREATEST = 1e-6, 1_000_000


def anytime_estimate(
    sample: Moments, tightest_at: int, confidence: float = CONFIDENCE, extreme: int = 0
) -> Estimate:
    """Return a mean with an interval that holds at every look, however often one looks.

    Robbins' normal mixture with the estimated variance, an asymptotic confidence sequence
    (Waudby-Smith, Arbour, Sinha, Kennedy and Ramdas, "Time-uniform central limit theory and
    asymptotic confidence sequences", Annals of Statistics 52, 2024): half-width
    ``s * sqrt(2 * (n * r + 1) / (n**2 * r) * log(sqrt(n * r + 1) / alpha))`` after n draws of
    standard deviation s, with r, their rho squared, chosen for a number of draws.  Like the
    central limit theorem it wants a first look at some hundreds of draws or more.  At 95% it is
    1.55 times as wide as a plain interval at its best, and wider before and after.

    Parameters
    ----------
    sample : Moments
    tightest_at : int
        Number of draws at which the interval is as narrow as can be; fixed before the first look
        that counts.  At least 1.
    confidence : float
        That all intervals, at all looks, hold the mean.
    extreme : int
        Greatest value of a draw without its sign, for samples of which the first draws may all
        be alike though not all draws are: the variance is then that of the sample with one draw
        more at each end.  0 takes the sample's variance as it is.

    Returns
    -------
    Estimate
        In the units of the draws; without an interval (nan) below two draws.
    """
    if sample.n < 2:
        return Estimate(sample.mean, math.nan, math.nan)
    critical = anytime_critical(sample.n, tightest_at, confidence)
    reach = critical * math.sqrt(_variance(sample, extreme) / sample.n)
    return Estimate(sample.mean, sample.mean - reach, sample.mean + reach)


def anytime_critical(n: int, tightest_at: int, confidence: float = CONFIDENCE) -> float:
    """Return how many standard errors :func:`anytime_estimate` goes to each side after n draws."""
    rho_squared = (_mixing(1 - confidence) - 1) / tightest_at
    growth = n * rho_squared + 1
    # log(sqrt(growth) / alpha) as a difference, exact for any alpha.
    log_odds = math.log(growth) / 2 - math.log1p(-confidence)
    return math.sqrt(2 * growth / (n * rho_squared) * log_odds)


@lru_cache(maxsize=64)
def _mixing(alpha: float) -> float:
    """Return ``n * rho**2 + 1`` at the n of the narrowest interval.

    The half-width squared is ``x * log(x / alpha**2) / (x - 1)`` times the variance of the mean
    for ``x = n * rho**2 + 1``; its derivative vanishes where ``x - log(x) = 1 - 2 * log(alpha)``,
    whose root above 1 is Lambert's ``-W(-alpha**2 / e)`` of the branch -1.  The half-width there
    is ``sqrt(x)`` standard errors.
    """
    from scipy.special import lambertw

    return float(-lambertw(-(alpha**2) / math.e, k=-1).real)


def _variance(sample: Moments, extreme: int) -> float:
    if extreme:
        sample = Moments(sample.n + 2, sample.total, sample.squares + 2 * extreme**2)
    return sample.variance


@dataclass(frozen=True)
class Look:
    """What one look at the figures found.

    Parameters
    ----------
    n : int
        Units looked at.
    tightest_at : int or None
        Units at which the intervals are narrowest, fixed at the first look that counts; None
        before it.
    estimates : list of Estimate
        Per hand; without intervals (nan) before the first look that counts.
    reached : bool
        Whether all intervals are as narrow as was asked.
    """

    n: int
    tightest_at: int | None
    estimates: list[Estimate]
    reached: bool


@dataclass(frozen=True)
class Until:
    """Sample until anytime-valid intervals have a given half-width; see :func:`anytime_estimate`.

    The first look at ``least`` units or more fixes at which number of them the intervals are
    narrowest: where the most varying figure will have the half-width asked for.  No look before
    it shows an interval.

    Parameters
    ----------
    half_width : float
        Of every figure's interval, in units per hand; positive.
    per_unit : int
        Hands of a sampling unit, whose sums the moments are of: 2 for a mirrored pair.
    least : int
        Units before the first look that counts.
    n_figures : int
        Figures that are claimed together.  Each has an n-th part of the error probability, so that
        the intervals of all of them hold at all looks (Boole's inequality).
    confidence : float
        That all figures' intervals at all looks hold.
    extreme : int
        See :func:`anytime_estimate`; of a unit.
    most : int, optional
        Units that there may be at most: the intervals are narrowest there if it comes first.
    """

    half_width: float
    per_unit: int = 1
    least: int = 1000
    n_figures: int = 1
    confidence: float = CONFIDENCE
    extreme: int = 0
    most: int | None = None

    @property
    def confidence_each(self) -> float:
        """Confidence of each figure's intervals."""
        return 1 - (1 - self.confidence) / self.n_figures

    def variance(self, sample: Moments) -> float:
        """Return the variance of a figure by unit that its intervals rest on."""
        return _variance(sample, self.extreme)

    def look(self, samples: Sequence[Moments], before: Look | None = None) -> Look:
        """Return what a look finds, and whether to stop.

        Parameters
        ----------
        samples : sequence of Moments
            One for each figure, all of the same units so far.
        before : Look, optional
            The look before this one, which the first look has not.
        """
        n = samples[0].n
        tightest_at = before.tightest_at if before else None
        if tightest_at is None:
            if n < max(self.least, 2):
                bare = [Estimate(each.mean / self.per_unit, math.nan, math.nan) for each in samples]
                return Look(n, None, bare, False)
            tightest_at = self._tightest_at(samples)
        estimates = [
            anytime_estimate(each, tightest_at, self.confidence_each, self.extreme).scaled(
                1 / self.per_unit
            )
            for each in samples
        ]
        reached = all(each.half_width <= self.half_width for each in estimates)
        return Look(n, tightest_at, estimates, reached)

    def _tightest_at(self, samples: Sequence[Moments]) -> int:
        variance = max(_variance(each, self.extreme) for each in samples) / self.per_unit**2
        units = _mixing(1 - self.confidence_each) * variance / self.half_width**2
        needed = math.ceil(units)
        return max(needed if self.most is None else min(needed, self.most), samples[0].n)


@dataclass(frozen=True)
class Sprt:
    """A sequential test of a lead of ``d0`` per hand against one of ``d1``, on independent units.

    Wald's sequential probability ratio test (Annals of Mathematical Statistics 16, 1945) for a
    normal mean, with the variance estimated from the units as the testing of chess engines has it:
    ``LLR = n * (d1 - d0) * (2 * mean - d0 - d1) / (2 * variance)``.  It accepts d1 at
    ``log((1 - beta) / alpha)`` and d0 at ``log(beta / (1 - alpha))``.  For a true lead between the
    two it takes longest, and either answer is right; beyond them its errors are rarer still.

    Parameters
    ----------
    d0, d1 : float
        Leads in units per hand, ``d0 < d1``.
    alpha : float
        Greatest chance to accept d1 where d0 holds.
    beta : float
        Greatest chance to accept d0 where d1 holds.
    per_unit : int
        Hands of a sampling unit, whose sums the moments are of: 2 for a mirrored pair.
    least : int
        Units before the first look that counts: the variance must be known well by then.
    extreme : int
        See :func:`anytime_estimate`; of a unit.

    Raises
    ------
    InputError
        If d0 is not less than d1, or one of them is not finite.
    """

    d0: float
    d1: float
    alpha: float = 0.05
    beta: float = 0.05
    per_unit: int = 1
    least: int = 1000
    extreme: int = 0

    def __post_init__(self) -> None:
        _check_leads(self.d0, self.d1)

    @property
    def bounds(self) -> tuple[float, float]:
        """The log likelihood ratios at which d0 and d1 are accepted."""
        return (
            math.log(self.beta / (1 - self.alpha)),
            math.log((1 - self.beta) / self.alpha),
        )

    def llr(self, sample: Moments) -> float:
        """Return the log likelihood ratio of d1 to d0; nan below two units.

        Where the units do not vary it is infinite on the side of the nearer lead, and zero
        halfway between the two.
        """
        if sample.n < 2:
            return math.nan
        variance = _variance(sample, self.extreme) / self.per_unit**2
        side = 2 * sample.mean / self.per_unit - self.d0 - self.d1
        if not variance > 0:
            return math.copysign(math.inf, side) if side else 0.0
        return sample.n * (self.d1 - self.d0) * side / (2 * variance)

    def decision(self, sample: Moments) -> str | None:
        """Return "d0" or "d1", whichever is accepted at this look, or None to sample on.

        Parameters
        ----------
        sample : Moments
            Of all units so far, at the first look that decides; later ones change nothing.
        """
        if sample.n < max(self.least, 2):
            return None
        low, high = self.bounds
        llr = self.llr(sample)
        if llr >= high:
            return "d1"
        return "d0" if llr <= low else None


def _check_leads(d0: float, d1: float) -> None:
    if not (abs(d0) <= _GREATEST and abs(d1) <= _GREATEST):
        raise InputError(
            f"The leads {d0:g} and {d1:g} cannot be tested: expected two numbers within "
            f"{_GREATEST:,} of 0, the smaller first; try 0,0.1."
        )
    if d0 < d1 < d0 + _LEAST:
        raise InputError(
            f"The leads {d0:g} and {d1:g} are too close to be tested: expected a "
            f"difference of {_LEAST:f} or more; try {d0:g},{d0 + 0.1:g}."
        )
    if not d0 < d1:
        raise InputError(
            f"The leads {d0:g} and {d1:g} cannot be tested: expected the smaller one first "
            f"and a greater one second; try {_other_order(d0, d1)}."
        )


def _other_order(d0: float, d1: float) -> str:
    return f"{d1:g},{d0:g}" if d1 < d0 else f"{d0:g},{d0 + 0.1:g}"


def parse_half_width(text: str) -> float:
    """Return the half-width that "±0.05", "+-0.05", "+/-0.05" or "0.05" asks for.

    Raises
    ------
    InputError
        If it is not a number from 10**-6 to 10**6.
    """
    digits = text.strip()
    sign = next((sign for sign in ("±", "+-", "+/-") if digits.startswith(sign)), "")
    digits = digits.removeprefix(sign)
    try:
        half_width = float(digits)
    except ValueError:
        half_width = math.nan
    if not _LEAST <= half_width <= _GREATEST:
        raise InputError(
            f"'{text}' is not a half-width of an interval: expected a number from {_LEAST:f} to "
            f"{_GREATEST:,}, with or without ± before it; try ±0.05."
        )
    return half_width


def parse_sprt(text: str) -> tuple[float, float]:
    """Return the two leads of a test, d0 < d1, that "0,0.1" asks for.

    Raises
    ------
    InputError
        If they are not two finite numbers, the smaller first.
    """
    try:
        d0, d1 = (float(lead) for lead in text.split(","))
    except ValueError:
        raise InputError(
            f"'{text}' is not a pair of leads: expected two numbers with a comma between them, "
            "the smaller first; try 0,0.1."
        ) from None
    _check_leads(d0, d1)
    return d0, d1
