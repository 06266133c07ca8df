"""A mean less the luck that control variates show: unbiased, with weights from other deals.

Where numbers with known means ride along with a sample, its mean less a weighted sum of how far
their means are from the known ones is an estimate of the same thing, and varies less if the
weights are good (Lavenberg and Welch, "A perspective on the use of control variables to increase
the efficiency of Monte Carlo simulations", Management Science 27, 1981).  Weights fitted to the
sample itself would bias it; those of each half come from the other half (Avramidis and Wilson,
"A splitting scheme for control variates", Operations Research Letters 14, 1993), so that the
estimate has the right mean for any weights.

Taking the luck of a draw as what it did, less its mean over what could have been drawn, is what
backgammon programs and poker's AIVAT do (Burch, Schmid, Moravčík, Morrill and Bowling, "AIVAT: a
new variance reduction technique for agent evaluation in imperfect information games", AAAI 2018).

It knows samples and controls, not what they measure.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction

import numpy as np

from gin_sim.results.common import Estimate
from gin_sim.stats.intervals import CONFIDENCE, Moments, t_estimate

#: Draws that a half needs for each of its controls.  With fewer the other half's weights are so
#: uncertain that they could add more noise than they remove (by about a tenth at the least).
DRAWS_A_CONTROL = 10

#: Weights are rounded to this: with whole numbers everything that follows is exact, and the
#: figures do not depend on how a machine's linear algebra rounds.
_WEIGHT_UNIT = Fraction(1, 2**40)

# Controls that others make up to this precision add nothing but rounding errors.
_CONDITION = 1e-10


@dataclass(frozen=True)
class Half:
    """Sums over one half of a sample with k controls; exact integers, so merging loses nothing.

    Parameters
    ----------
    sample : Moments
        Of what is estimated.
    controls : int64 array of shape (k,)
        Sum of each control.
    products : int64 array of shape (k, k)
        Sums of products of two controls; only those on and below the diagonal are read.
    by_sample : int64 array of shape (k,)
        Sums of each control times the sample.
    """

    sample: Moments
    controls: np.ndarray
    products: np.ndarray
    by_sample: np.ndarray


@dataclass(frozen=True)
class Controlled:
    """A mean without the luck that its controls show.

    Parameters
    ----------
    figure : Estimate
    variance_reduction : float or None
        How many times fewer draws give the same interval as the plain mean's; None where the
        sample does not vary at all.
    """

    figure: Estimate
    variance_reduction: float | None


def controlled_mean(
    halves: tuple[Half, Half], means: Sequence[Fraction], confidence: float = CONFIDENCE
) -> Controlled | None:
    """Return a sample's mean less what its controls show of luck, with Student's t interval.

    Parameters
    ----------
    halves : pair of Half
    means : sequence of k Fractions
        The controls' true means.

    Returns
    -------
    Controlled or None
        None where a half has fewer than DRAWS_A_CONTROL draws for each control that varies.
    """
    n = sum(half.sample.n for half in halves)
    fits = [_fit(half) for half in halves]
    if any(fit is None for fit in fits):
        return None
    total, variance = Fraction(0), Fraction(0)
    for half, weights in zip(halves, reversed(fits), strict=True):
        total += _total_without_luck(half, means, weights)
        variance += half.sample.n * _variance_without_luck(half, weights)
    variance /= n**2
    mean = float(total / n)
    plain = halves[0].sample + halves[1].sample
    return Controlled(
        t_estimate(mean, math.sqrt(variance), n - 2, confidence),
        plain.variance / n / float(variance) if variance else None,
    )


def _fit(half: Half) -> list[int] | None:
    """Return the weights of least squares in whole units; None if there are too few draws."""
    n = half.sample.n
    sums = half.controls.tolist()
    k = len(sums)
    if n < 2:
        return None
    # Whole numbers until nothing is left to cancel.
    covariance = np.zeros((k, k))
    for i, row in enumerate(half.products.tolist()):
        for j in range(i + 1):
            covariance[i, j] = covariance[j, i] = (n * row[j] - sums[i] * sums[j]) / n**2
    with_sample = np.array(
        [
            (n * product - total * half.sample.total) / n**2
            for product, total in zip(half.by_sample.tolist(), sums, strict=True)
        ]
    )
    varying = np.flatnonzero(np.diag(covariance) > 0)
    if n < DRAWS_A_CONTROL * max(1, len(varying)):
        return None
    spread = np.sqrt(np.diag(covariance)[varying])
    correlation = covariance[np.ix_(varying, varying)] / np.outer(spread, spread)
    fitted, *_ = np.linalg.lstsq(correlation, with_sample[varying] / spread, rcond=_CONDITION)
    weights = [0] * k
    for control, weight in zip(varying.tolist(), (fitted / spread).tolist(), strict=True):
        weights[control] = round(weight / _WEIGHT_UNIT)
    return weights


def _total_without_luck(half: Half, means: Sequence[Fraction], weights: list[int]) -> Fraction:
    n = half.sample.n
    luck = sum(
        weight * (total - n * mean)
        for weight, total, mean in zip(weights, half.controls.tolist(), means, strict=True)
    )
    return half.sample.total - luck * _WEIGHT_UNIT


def _variance_without_luck(half: Half, weights: list[int]) -> Fraction:
    """Return the unbiased variance of the draws less their weighted controls."""
    n = half.sample.n
    by_sample = sum(w * p for w, p in zip(weights, half.by_sample.tolist(), strict=True))
    total = sum(w * c for w, c in zip(weights, half.controls.tolist(), strict=True))
    by_each_other = 0
    for i, row in enumerate(half.products.tolist()):
        below = sum(weights[j] * row[j] for j in range(i))
        by_each_other += weights[i] * (2 * below + weights[i] * row[i])
    squares = half.sample.squares - 2 * by_sample * _WEIGHT_UNIT
    squares += by_each_other * _WEIGHT_UNIT**2
    total = half.sample.total - total * _WEIGHT_UNIT
    return (squares * n - total**2) / (n * (n - 1))
