"""Many figures from the same deals, claimed together; it knows samples, not gin rummy.

It decides how wide intervals must be for all of them to hold at once, and which figures may be the
best.  The deals are dealt out to groups, and the groups' sums are kept: enough for the figures'
joint distribution, for any number of deals.  What the figures mean is not known here.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from dataclasses import dataclass

import numpy as np

from gin_sim.results.common import Estimate
from gin_sim.stats.intervals import CONFIDENCE, t_quantile

# Draws of the joint distribution: a quantile's coverage is off by 0.15% (one standard error).
_BLOCK = 2_000
_MOST_DRAWN = 30  # figures of which each is compared with all others by draws
_DRAWS = 10 * _BLOCK
_SEED = 20_080_613

# A column's variation below this share of the numbers it was made of is rounding.
_ROUNDING = 1e-12


@dataclass(frozen=True, eq=False)
class GroupedSample:
    """Sums of K figures over groups of deals; each deal gives all K.

    The groups are the sampling units of all that follows.  With one deal in each group they are the
    deals; with more they lose degrees of freedom, never validity.

    Parameters
    ----------
    counts : ndarray of int64, (G,)
        Deals in each group.  Empty groups are dropped.
    sums : ndarray of int64 or float64, (G, K)
        Sum of each figure over a group's deals, in the figure's own unit.
    scale : ndarray of float64, (K,), optional
        Size of the numbers that a column's sums were made of; a variation that is tiny against it
        is rounding, and counts as none.  By default the greatest sum without its sign.
    extremes : ndarray of float64, (K,), optional
        Greatest value of a figure in a deal without its sign, for figures that may come out alike
        in all deals of a small sample though they vary: the standard errors are then those of the
        sample with one deal more at each end.  By default 0, which takes the sample as it is.

    Raises
    ------
    ValueError
        If the shapes do not fit.
    """

    counts: np.ndarray
    sums: np.ndarray
    scale: np.ndarray | None = None
    extremes: np.ndarray | None = None

    def __post_init__(self) -> None:
        counts, sums = np.asarray(self.counts), np.asarray(self.sums)
        if counts.ndim != 1 or sums.ndim != 2 or len(counts) != len(sums):
            raise ValueError(f"counts {counts.shape} and sums {sums.shape} are not (G,) and (G, K)")
        held = counts > 0
        object.__setattr__(self, "counts", counts[held])
        object.__setattr__(self, "sums", sums[held])
        if self.scale is None:
            scale = np.abs(self.sums).max(axis=0, initial=0).astype(np.float64)
            object.__setattr__(self, "scale", scale)
        if self.extremes is None:
            object.__setattr__(self, "extremes", np.zeros(self.sums.shape[1]))

    @property
    def n(self) -> int:
        """Deals."""
        return int(self.counts.sum())

    @property
    def degrees(self) -> int:
        """Degrees of freedom of the standard errors: groups less one."""
        return len(self.counts) - 1

    def means(self) -> np.ndarray:
        """Return the mean of each figure per deal, (K,) float64; nan for an empty sample."""
        if not self.n:
            return np.full(self.sums.shape[1], math.nan)
        return self.sums.sum(axis=0) / self.n

    def standard_errors(self) -> np.ndarray:
        """Return the standard error of each mean, (K,) float64; nan below two groups.

        The cluster-robust one, ``G / (G - 1) * sum((S_g - n_g * mean)**2) / n**2``, for a mean of
        groups of unequal size (Cochran, "Sampling Techniques", 3rd ed. 1977, section 2.11).  It
        is exactly zero for a figure that does not vary.
        """
        if self.degrees < 1:
            return np.full(self.sums.shape[1], math.nan)
        errors = _norms(self._residuals()) * self._per_norm()
        return np.hypot(errors, math.sqrt(2) * self.extremes / self.n)

    def contrasts(self, weights: np.ndarray) -> GroupedSample:
        """Return the sample of C weighted sums of the figures.

        Parameters
        ----------
        weights : ndarray of float64, (C, K)
        """
        weights = np.asarray(weights)
        sizes = np.abs(weights)
        sums, scale = self.sums @ weights.T, sizes @ self.scale
        sums[np.abs(sums) <= _ROUNDING * scale] = 0.0  # sums that cancel leave no residue
        return GroupedSample(self.counts, sums, scale, sizes @ self.extremes)

    def columns(self, numbers: np.ndarray) -> GroupedSample:
        """Return the sample of some of the figures, by their numbers from 0."""
        return GroupedSample(
            self.counts, self.sums[:, numbers], self.scale[numbers], self.extremes[numbers]
        )

    def less_column(self, k: int) -> GroupedSample:
        """Return the sample of each figure less figure ``k``; that one is zero then."""
        extremes = self.extremes + self.extremes[k]
        extremes[k] = 0.0
        return GroupedSample(
            self.counts, self.sums - self.sums[:, [k]], self.scale + self.scale[k], extremes
        )

    def resampled_means(self, draws: int, seed: int) -> np.ndarray:
        """Return the means of bootstrap samples of the groups, (draws, K) float64.

        Whole numbers are added without rounding, so that sums which cancel in the sample cancel
        in each draw.

        Parameters
        ----------
        draws : int
        seed : int
            Same seed, same draws.
        """
        groups = len(self.counts)
        generator = np.random.Generator(np.random.PCG64(seed))
        times = generator.multinomial(groups, np.full(groups, 1 / groups), size=draws)
        times = times.astype(np.float64)
        return (times @ self.sums.astype(np.float64)) / (times @ self.counts)[:, None]

    def _residuals(self) -> np.ndarray:
        """Return each group's sums less what the mean expects of it, (G, K); zeros for rounding."""
        residuals = self.sums - self.counts[:, None] * self.means()
        residuals[:, np.abs(residuals).max(axis=0) <= _ROUNDING * self.scale] = 0.0
        return residuals

    def _per_norm(self) -> float:
        """Return the standard error that a column of residuals of norm 1 has."""
        return math.sqrt((self.degrees + 1) / self.degrees) / self.n


def critical_value(sample: GroupedSample, confidence: float = CONFIDENCE) -> float:
    """Return how many standard errors to go for all figures' intervals to hold at once.

    The two-sided quantile of the greatest ``|t|`` of the figures' joint distribution, a
    multivariate t with their estimated correlation: the single-step procedure of Hothorn, Bretz
    and Westfall, "Simultaneous inference in general parametric models", Biometrical Journal 50
    (2008).  It is found by drawing normal figures with that correlation, which is right for many
    more figures than groups too (Chernozhukov, Chetverikov and Kato, "Gaussian approximations and
    multiplier bootstrap for maxima of sums of high-dimensional random vectors", Annals of
    Statistics 41, 2013), over the root of a chi-squared by its degrees of freedom.

    Parameters
    ----------
    sample : GroupedSample
        Figures that do not vary are not compared.
    confidence : float
        That all intervals hold.

    Returns
    -------
    float
        Between Student's quantile, which it is exactly for one figure, and Bonferroni's; for more
        figures it is rounded up to a hundredth.  nan below two groups.
    """
    degrees = sample.degrees
    if degrees < 1:
        return math.nan
    residuals = sample._residuals()
    norms = _norms(residuals)
    varying = norms > 0
    n_figures = int(varying.sum())
    single = t_quantile(degrees, confidence)
    if n_figures < 2:
        return single
    units = residuals[:, varying] / norms[varying]
    greatest = np.concatenate([np.abs(drawn).max(axis=1) for drawn in _joint_draws(units)])
    bonferroni = t_quantile(degrees, 1 - (1 - confidence) / n_figures)
    return _rounded_up(min(max(_quantile(greatest, confidence), single), bonferroni))


def against_best(
    sample: GroupedSample, critical: Callable[[GroupedSample], float] | None = None
) -> tuple[list[Estimate], list[bool]]:
    """Return each figure less the greatest, and which figures may truly be the greatest.

    Multiple comparisons with the best, by comparisons with each figure as the control (Edwards and
    Hsu, "Multiple comparisons with the best treatment", JASA 78, 1983): figure k is left out if
    some other is better by more than ``c_k`` standard errors of their difference, where all
    differences to k lie within ``c_k`` standard errors of the truth at once.  With the confidence
    that goes with ``c_k`` the truly greatest is in the set, and a difference shown here holds
    whichever figure turned out greatest in the sample.

    Parameters
    ----------
    sample : GroupedSample
    critical : callable, optional
        From the sample of a figure's differences to the others, itself included, to ``c_k``.  By
        default :func:`critical_value`; for more than 30 figures Bonferroni's, which is quicker
        found and a little greater.

    Returns
    -------
    list of Estimate
        Each figure less the first of the greatest estimate, which is zero without width itself;
        without intervals (nan) below two groups.
    list of bool
        The greatest estimate is always in; all are below two groups.
    """
    means = sample.means()
    best = int(np.argmax(means))
    if critical is None:
        critical = critical_value if len(means) <= _MOST_DRAWN else bonferroni_value
    differences, inside = [], []
    for k in range(len(means)):
        others = sample.less_column(k)
        reaches = critical(others) * others.standard_errors()
        leads = others.means()
        ahead = leads - reaches > _ROUNDING * others.scale
        inside.append(not ahead.any())
        lead, reach = float(leads[best]), float(reaches[best])
        differences.append(Estimate(0.0 - lead, 0.0 - lead - reach, reach - lead))
    return differences, inside


def bonferroni_value(sample: GroupedSample) -> float:
    """Return a critical value like :func:`critical_value`'s, without draws and a little greater."""
    if sample.degrees < 1:
        return math.nan
    n_figures = max(1, int((sample.standard_errors() > 0).sum()))
    return t_quantile(sample.degrees, 1 - (1 - CONFIDENCE) / n_figures)


def estimates(sample: GroupedSample, critical: float) -> list[Estimate]:
    """Return each figure with an interval of so many standard errors to each side."""
    means = sample.means()
    reaches = critical * sample.standard_errors()
    return [
        Estimate(mean, mean - reach, mean + reach)
        for mean, reach in zip(means.tolist(), reaches.tolist(), strict=True)
    ]


def _joint_draws(residuals: np.ndarray) -> Iterator[np.ndarray]:
    """Yield draws of a multivariate t with the residuals' covariance, by blocks of (block, K).

    The normal draws are multiplied with the symmetric root of the covariance, which, unlike a
    triangular one, moves in its last bits only if the residuals do.
    """
    _, sizes, directions = np.linalg.svd(residuals, full_matrices=False)
    root = (directions.T * sizes) @ directions
    generator = np.random.Generator(np.random.PCG64(_SEED))
    degrees = len(residuals) - 1
    for _ in range(_DRAWS // _BLOCK):
        normal = generator.standard_normal((_BLOCK, len(root)))
        shrinkage = np.sqrt(generator.chisquare(degrees, _BLOCK) / degrees)
        yield normal @ root / shrinkage[:, None]


def _norms(columns: np.ndarray) -> np.ndarray:
    return np.sqrt(np.einsum("gk,gk->k", columns, columns))


def _quantile(draws: np.ndarray, confidence: float) -> float:
    return float(np.quantile(draws, confidence, method="higher"))


def _rounded_up(critical: float) -> float:
    # To a hundredth: sums in another order, as another BLAS adds them, then show the same figures.
    return math.ceil(critical * 100) / 100
