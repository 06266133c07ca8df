"""Means with honest intervals from mergeable moments; it knows samples, not gin rummy.

The sample is the deal: hands of one mirrored pair are not independent, pairs are.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from statistics import NormalDist

from gin_sim.results.common import Estimate

CONFIDENCE = 0.95


@dataclass(frozen=True)
class Moments:
    """Count, sum and sum of squares of a sample; exact integers, so merging loses nothing."""

    n: int
    total: int
    squares: int

    def __add__(self, other: Moments) -> Moments:
        return Moments(self.n + other.n, self.total + other.total, self.squares + other.squares)

    @property
    def mean(self) -> float:
        """The sample mean; nan for an empty sample."""
        return self.total / self.n if self.n else math.nan

    @property
    def variance(self) -> float:
        """The unbiased sample variance; nan below two."""
        if self.n < 2:
            return math.nan
        return (self.squares * self.n - self.total**2) / (self.n * (self.n - 1))


def t_quantile(degrees: int, confidence: float = CONFIDENCE) -> float:
    """Return the two-sided quantile of Student's t."""
    from scipy.special import stdtrit

    return float(stdtrit(degrees, (1 + confidence) / 2))


def t_estimate(mean: float, error: float, degrees: int, confidence: float = CONFIDENCE) -> Estimate:
    """Return a mean with Student's t interval, from its standard error."""
    reach = t_quantile(degrees, confidence) * error
    return Estimate(mean, mean - reach, mean + reach)


def mean_estimate(sample: Moments, confidence: float = CONFIDENCE) -> Estimate:
    """Return a sample's mean with Student's t interval."""
    if sample.n < 2:
        return Estimate(sample.mean, math.nan, math.nan)
    error = math.sqrt(sample.variance / sample.n)
    return t_estimate(sample.mean, error, sample.n - 1, confidence)


def rate_estimate(
    sample: Moments, per_draw: int, confidence: float = CONFIDENCE, critical: float | None = None
) -> Estimate:
    """Return a rate of events with Wilson's interval, which does not collapse at and near 0 and 1.

    Wilson, "Probable inference, the law of succession, and statistical inference", JASA 22
    (1927), on the effective number of trials: the one at which independent trials would vary as
    the draws did (Kish, "Survey Sampling", 1965, section 8.2), or the number of draws where they
    did not vary at all.  For one trial per draw it is their number.

    Parameters
    ----------
    sample : Moments
        Of events in each draw (a mirrored pair, say).
    per_draw : int
        Trials per draw (hands per pair).
    critical : float, optional
        Standard errors to each side, in place of the normal quantile of the confidence.
    """
    if not sample.n:
        return Estimate(math.nan, math.nan, math.nan)
    rate = sample.mean / per_draw
    spread = sample.variance / sample.n / per_draw**2
    trials = float(sample.n)
    if spread > 0:
        n_trials = sample.n * per_draw
        independent = rate * (1 - rate) / (n_trials - 1)
        trials = n_trials * independent / spread
    return _wilson(rate, trials, critical or _normal_quantile(confidence))


def _normal_quantile(confidence: float) -> float:
    return NormalDist().inv_cdf((1 + confidence) / 2)


def _wilson(rate: float, trials: float, z: float) -> Estimate:
    shrunk = 1 / (1 + z**2 / trials)
    middle = (rate + z**2 / (2 * trials)) * shrunk
    reach = z * math.sqrt(rate * (1 - rate) / trials + z**2 / (4 * trials**2)) * shrunk
    # At a rate of 0 or 1 that end of the interval is the rate itself, except for rounding.
    return Estimate(rate, max(0.0, min(rate, middle - reach)), min(1.0, max(rate, middle + reach)))


def lead_estimate(
    sample: Moments, per_draw: int, confidence: float = CONFIDENCE, critical: float | None = None
) -> Estimate:
    """Return a rate of wins less the rate of losses, in [-1, 1].

    Student's t interval has no width where all draws came out alike, as a few pairs of games
    easily do.  This one is Wilson's for the share of the half points, of which a win takes two and
    a tie one; see :func:`rate_estimate`.

    Parameters
    ----------
    sample : Moments
        Of wins less losses in each draw (a mirrored pair, say).
    per_draw : int
        Trials per draw (games per pair).
    critical : float, optional
        See :func:`rate_estimate`.
    """
    n, total = sample.n, sample.total
    squares = sample.squares + 2 * per_draw * total + n * per_draw**2
    half_points = Moments(n, total + n * per_draw, squares)
    share = rate_estimate(half_points, 2 * per_draw, confidence, critical)
    return Estimate(2 * share.estimate - 1, 2 * share.low - 1, 2 * share.high - 1)


def ratio_estimate(
    numerator: Moments, denominator: Moments, products: int, confidence: float = CONFIDENCE
) -> Estimate:
    """Return a ratio of two means of one sample, with the interval of the linearised ratio.

    The delta method (Cochran, "Sampling Techniques", 3rd ed., section 2.11): the variance of the
    ratio is that of ``numerator - ratio * denominator`` over the squared mean of the denominator.

    Parameters
    ----------
    numerator, denominator : Moments
        Of the same n draws.
    products : int
        Sum over draws of numerator times denominator.
    """
    if not denominator.total:
        return Estimate(math.nan, math.nan, math.nan)
    ratio = numerator.total / denominator.total
    if numerator.n < 2:
        return Estimate(ratio, math.nan, math.nan)
    error = math.sqrt(_ratio_variance(numerator, denominator, products))
    return t_estimate(ratio, error, numerator.n - 1, confidence)


def ratio_rate_estimate(
    events: Moments, trials: Moments, products: int, confidence: float = CONFIDENCE
) -> Estimate:
    """Return a rate of events where each draw has its own number of trials, with Wilson's interval.

    On the number of trials at which independent ones would vary as the linearised ratio does, see
    :func:`ratio_estimate`; on the number of draws where it does not vary.

    Parameters
    ----------
    events, trials : Moments
        Of the same n draws.
    products : int
        Sum over draws of events times trials.
    """
    if not trials.total:
        return Estimate(math.nan, math.nan, math.nan)
    rate = events.total / trials.total
    variance = _ratio_variance(events, trials, products) if events.n > 1 else 0.0
    effective = rate * (1 - rate) / variance if variance > 0 else 0.0
    return _wilson(rate, effective or float(events.n), _normal_quantile(confidence))


def _ratio_variance(numerator: Moments, denominator: Moments, products: int) -> float:
    n = numerator.n
    ratio = numerator.total / denominator.total
    covariance = (products * n - numerator.total * denominator.total) / (n * (n - 1))
    variance = numerator.variance - 2 * ratio * covariance + ratio**2 * denominator.variance
    return max(variance, 0.0) / n / denominator.mean**2


def saving(plain: Moments, paired: Moments, per_pair: int = 2) -> float | None:
    """Return how many times fewer hands pairing needed for the same interval.

    Parameters
    ----------
    plain : Moments
        Of the hands, as if independent.
    paired : Moments
        Of the pairs' sums.
    per_pair : int
        Hands per pair.

    Returns
    -------
    float or None
        None where the pairs do not vary at all, or the sample is too small.
    """
    pair_mean_variance = paired.variance / per_pair**2
    if not pair_mean_variance > 0:
        return None
    return (plain.variance / per_pair) / pair_mean_variance
