"""Figures claimed together: hand-solved samples, published critical values, intervals that hold.

Dunnett's one-sided values are of his tables ("A multiple comparison procedure for comparing several
treatments with a control", JASA 50, 1955), the studentised range's are SciPy's.
"""

from __future__ import annotations

import math
import tracemalloc

import numpy as np
import pytest
from samples import grouped, together
from scipy import stats

from gin_sim.stats.intervals import Moments, mean_estimate, t_quantile
from gin_sim.stats.simultaneous import (
    GroupedSample,
    against_best,
    critical_value,
    estimates,
)


def chance_error(n_runs: int) -> float:
    """Three and a half standard errors of a share of so many runs that is 0.95."""
    return 3.5 * math.sqrt(0.95 * 0.05 / n_runs)


def sample_of(*deals) -> GroupedSample:
    return grouped(np.array(deals, np.int64))


def correlated(generator, n: int, k: int, shared: float) -> np.ndarray:
    """Skewed figures of n deals with a part in common, each of mean zero, (n, k) float64."""
    own = generator.exponential(size=(n, k)) - 1
    return shared * (generator.exponential(size=(n, 1)) - 1) + math.sqrt(1 - shared**2) * own


# ----------------------------------------------------------------- samples


def test_hand_solved_groups_of_unequal_size():
    """Groups of 2 and 1 deals: mean 4, residuals 6 - 8 = -2 and 6 - 4 = 2.

    The variance of the mean is 2/1 * (4 + 4) / 9 = 16/9.
    """
    sample = GroupedSample(np.array([2, 0, 1]), np.array([[6], [0], [6]]))
    assert sample.n == 3
    assert sample.degrees == 1
    assert sample.means().tolist() == [4.0]
    assert sample.standard_errors() == pytest.approx([4 / 3])


def test_groups_of_one_deal_are_the_ordinary_sample():
    values = np.random.default_rng(1).integers(-40, 90, 300)
    plain = mean_estimate(Moments(300, int(values.sum()), int((values**2).sum())))
    sample = sample_of(*values[:, None])
    (found,) = estimates(sample, t_quantile(299))
    assert found.estimate == pytest.approx(plain.estimate)
    assert (found.low, found.high) == pytest.approx((plain.low, plain.high))


def test_deals_go_to_groups_in_turn():
    sample = grouped(np.arange(7)[:, None], groups=3)
    assert sample.counts.tolist() == [3, 2, 2]
    assert sample.sums[:, 0].tolist() == [0 + 3 + 6, 1 + 4, 2 + 5]
    assert grouped(np.ones((5, 2), np.int64)).counts.tolist() == [1] * 5


def test_contrasts_are_those_of_the_deals():
    values = np.random.default_rng(2).integers(-40, 90, (50, 3))
    weights = np.array([[1, -1, 0], [0.5, 0.5, -1]])
    of_sums = grouped(values, 7).contrasts(weights)
    of_deals = grouped(values @ weights.T, 7)
    assert of_sums.means() == pytest.approx(of_deals.means())
    assert of_sums.standard_errors() == pytest.approx(of_deals.standard_errors())


def test_figures_that_cancel_have_no_variance():
    """A third of three columns that add up to a constant: its sums differ by rounding only."""
    values = np.random.default_rng(3).integers(-40, 90, (500, 2)).astype(np.float64) * 0.1
    values = np.column_stack([values, 0.7 - values.sum(axis=1)])
    total = grouped(values).contrasts(np.full((1, 3), 1 / 3))
    assert np.ptp(total.sums) > 0, "no rounding here: the case says nothing"
    assert total.standard_errors().tolist() == [0.0]
    assert grouped(values).standard_errors().min() > 0.01


def test_too_small_samples_have_no_intervals():
    none = grouped(np.zeros((0, 2), np.int64))
    for sample in (sample_of((3, 5)), none, GroupedSample(np.zeros(4), np.zeros((4, 2)))):
        assert np.isnan(sample.standard_errors()).all()
        figures = together(sample)
        assert math.isnan(critical_value(sample))
        assert all(math.isnan(each.low) and math.isnan(each.high) for each in figures)
        differences, inside = against_best(sample)
        assert all(math.isnan(each.low) for each in differences)
        assert all(inside)
    assert [each.estimate for each in together(sample_of((3, 5)))] == [3, 5]


def test_shapes_must_fit():
    with pytest.raises(ValueError, match=r"not \(G,\) and \(G, K\)"):
        GroupedSample(np.ones(3, np.int64), np.ones((2, 4)))


def test_bootstrap_means_are_of_the_groups_drawn():
    """Each draw of two groups is one of 1/2, 3/1 and (1 + 3)/(2 + 1), half of the time the last."""
    sample = GroupedSample(np.array([2, 1]), np.array([[1, -1], [3, -3]]))
    means = sample.resampled_means(2000, seed=5)
    values, times = np.unique(means[:, 0], return_counts=True)
    assert values.tolist() == [0.5, 4 / 3, 3.0]
    assert times / 2000 == pytest.approx([0.25, 0.5, 0.25], abs=3.5 * math.sqrt(0.25 / 2000))
    assert (means[:, 0] == -means[:, 1]).all()
    assert (means == sample.resampled_means(2000, seed=5)).all()
    assert (means != sample.resampled_means(2000, seed=6)).any()


def test_bootstrap_spread_is_the_standard_error():
    sample = grouped(np.random.default_rng(7).integers(-40, 90, (3000, 1)), 400)
    spread = sample.resampled_means(4000, seed=1).std()
    # A standard deviation of 4,000 draws is off by 1.1%, and the factor G / (G - 1) by 0.1%.
    assert spread == pytest.approx(sample.standard_errors()[0], rel=0.04)


# --------------------------------------------------------- critical values


def orthogonal(groups: int, k: int) -> GroupedSample:
    """A sample of k figures whose estimated correlations are zero exactly, but for rounding."""
    columns = np.random.default_rng(8).normal(size=(groups, k + 1))
    columns[:, 0] = 1
    return GroupedSample(np.ones(groups, np.int64), np.linalg.qr(columns)[0][:, 1:] * 100)


def test_one_figure_has_student_s_quantile():
    values = np.random.default_rng(9).integers(-40, 90, (31, 1))
    assert critical_value(sample_of(*values)) == t_quantile(30)
    flat = np.column_stack([values, np.full(31, 7), np.zeros(31, np.int64)])
    assert critical_value(sample_of(*flat)) == t_quantile(30)
    assert critical_value(sample_of((1, 1), (1, 1), (1, 1))) == t_quantile(2)


def test_copies_of_one_figure_have_the_critical_value_of_one():
    values = np.random.default_rng(10).integers(-40, 90, (500, 1))
    copies = sample_of(*(values * np.array([1, -2, 3, 1])))
    assert t_quantile(499) <= critical_value(copies) <= t_quantile(499) + 0.04


@pytest.mark.parametrize(("k", "degrees"), [(2, 24), (10, 24), (60, 199)])
def test_unrelated_figures_have_the_studentised_maximum_modulus(k, degrees):
    """P(all |t| <= c) by integrating over the shared chi: the normal parts are independent."""
    shares = (np.arange(4000) + 0.5) / 4000
    shrinkage = np.sqrt(stats.chi2.ppf(shares, degrees) / degrees)
    critical = critical_value(orthogonal(degrees + 1, k))
    coverage = np.mean((2 * stats.norm.cdf(critical * shrinkage) - 1) ** k)
    # Of 20,000 draws, three and a half standard errors; and up to 0.01 rounded up.
    assert 0.95 - 0.0054 <= coverage <= 0.95 + 0.0054 + 0.002


def test_all_differences_of_five_have_tukey_s_studentised_range():
    """Of five figures with equal variances and no correlation: q / sqrt(2)."""
    pairs = [(i, j) for i in range(5) for j in range(i)]
    weights = np.zeros((10, 5))
    for line, (i, j) in enumerate(pairs):
        weights[line, [i, j]] = 1, -1
    expected = stats.studentized_range.ppf(0.95, 5, 60) / math.sqrt(2)
    found = critical_value(orthogonal(61, 5).contrasts(weights))
    # Of 20,000 draws, three and a half standard errors; and up to 0.01 rounded up.
    assert expected - 0.05 < found < expected + 0.06
    assert found < t_quantile(60, 1 - 0.05 / 10) - 0.05, "Bonferroni's would do"


def test_critical_values_are_the_same_each_time_and_in_hundredths():
    sample = orthogonal(50, 6)
    found = critical_value(sample)
    assert found == critical_value(sample) == pytest.approx(round(found, 2), abs=1e-12)
    # Sums that differ in their last bits, as those of another BLAS do, show the same figure.
    nudged = GroupedSample(sample.counts, sample.sums * (1 + 1e-15))
    assert critical_value(nudged) == found


@pytest.mark.long
def test_intervals_hold_together_and_single_ones_do_not(some):
    generator = np.random.default_rng(11)
    n_runs = some(600, least=200)
    at_once = apart = 0
    for _ in range(n_runs):
        sample = grouped(correlated(generator, 600, 8, shared=0.5), 200)
        figures = together(sample)
        at_once += all(each.low <= 0 <= each.high for each in figures)
        singly = estimates(sample, t_quantile(sample.degrees))
        apart += all(each.low <= 0 <= each.high for each in singly)
    assert abs(at_once / n_runs - 0.95) <= chance_error(n_runs)
    assert apart / n_runs < 0.85


def test_a_small_sample_of_games_all_alike_is_not_certain():
    """Four pairs won by all: one pair more at each end gives the error of six, 2 * sqrt(2) / 4."""
    sums = np.array([[2], [2], [2], [2]])
    certain = GroupedSample(np.ones(4, int), sums)
    assert certain.standard_errors() == 0
    sample = GroupedSample(np.ones(4, int), sums, extremes=np.array([2.0]))
    assert sample.standard_errors() == pytest.approx(math.sqrt(2) * 2 / 4)
    less = GroupedSample(
        np.ones(4, int), np.array([[2, -2]] * 4), extremes=np.array([2.0, 2.0])
    ).less_column(0)
    assert less.standard_errors().tolist() == pytest.approx([0, math.sqrt(2) * 4 / 4])
    half = sample.contrasts(np.array([[0.5]]))
    assert half.standard_errors() == pytest.approx(math.sqrt(2) / 4)
    differences, inside = against_best(
        GroupedSample(np.ones(4, int), np.array([[2, 0]] * 4), extremes=np.array([2.0, 2.0]))
    )
    assert inside == [True, True]
    assert differences[1].low < -1 < differences[1].high


# ------------------------------------------------------------------ bests


def test_differences_to_the_best_by_hand():
    """Means 3, 5, 4; the deals' differences to the second are -2 +- 2 and -1 +- 1."""
    reach = 13.0
    (first, second, third), inside = against_best(
        sample_of((0, 4, 2), (6, 6, 6)), lambda others: reach
    )
    assert (second.estimate, second.low, second.high) == (0, 0, 0)
    # Differences -4 and 0 have standard error 2, -2 and 0 one of 1.
    assert (first.estimate, first.low, first.high) == pytest.approx((-2, -28, 24))
    assert (third.estimate, third.low, third.high) == pytest.approx((-1, -14, 12))
    assert inside == [True, True, True]
    assert against_best(sample_of((0, 4, 2), (6, 6, 6)), lambda others: 0.9)[1] == [
        False,
        True,
        False,
    ]


@pytest.mark.parametrize(("n_others", "tabled"), [(2, 2.27), (5, 2.58), (9, 2.77)])
def test_the_best_s_critical_value_is_dunnett_s(n_others, tabled):
    """Equal variances, no correlation, 60 degrees of freedom: one figure ahead of equal others."""
    sample = orthogonal(61, n_others + 1)
    centred = sample.sums - sample.means()
    deviation = math.sqrt(2) * sample.standard_errors()[0]
    for reach, others_in in ((tabled - 0.05, True), (tabled + 0.05, False)):
        ahead = np.zeros(n_others + 1)
        ahead[0] = reach * deviation
        differences, found = against_best(GroupedSample(sample.counts, centred + ahead))
        assert found == [True] + [others_in] * n_others
        assert [figure.spans_zero for figure in differences[1:]] == found[1:]


def test_figures_that_never_differ_are_all_among_the_best():
    values = np.random.default_rng(12).integers(-40, 90, (400, 1))
    best = np.concatenate([values, values, values - 1], axis=1)
    assert against_best(sample_of(*best))[1] == [True, True, False]
    assert against_best(sample_of((2, 1, 2), (2, 1, 2)))[1] == [True, False, True]


@pytest.mark.long
def test_the_best_is_in_the_set_and_the_set_is_not_everything(some):
    """Six figures, four of them equally best: the hardest case, where one may be left out."""
    generator = np.random.default_rng(13)
    truth = np.array([0, 0, 0, 0, -0.1, -0.5])
    n_runs = some(600, least=200)
    held = np.zeros(6)
    for _ in range(n_runs):
        deals = correlated(generator, 500, 6, shared=0.6) + truth
        held += against_best(grouped(deals, 250))[1]
    assert held[:4].min() / n_runs >= 0.95 - chance_error(n_runs)
    # The criterion is tight: a set that kept all would hold each always.
    assert held[:4].max() / n_runs < 1
    assert held[4] / n_runs < 0.9
    assert held[5] == 0


def slow_among_best(sample, confidence):
    """Each control's quantile drawn, no bounds used first, one loop a figure."""
    residuals = sample.sums - sample.counts[:, None] * sample.means()
    generator = np.random.default_rng(99)
    drawn = generator.normal(size=(20_000, len(residuals))) @ residuals
    drawn /= np.sqrt(generator.chisquare(len(residuals) - 1, size=(20_000, 1)) / sample.degrees)
    inside, close = [], []
    for k in range(sample.sums.shape[1]):
        others = [i for i in range(sample.sums.shape[1]) if i != k]
        errors = np.array([
            GroupedSample(sample.counts, sample.sums[:, [i]] - sample.sums[:, [k]])
            .standard_errors()[0]
            for i in others
        ])  # fmt: skip
        factor = math.sqrt(len(residuals) / sample.degrees) / sample.n
        draws = (drawn[:, others] - drawn[:, [k]]) * factor / errors
        critical = np.quantile(np.abs(draws).max(axis=1), confidence)
        greatest = ((sample.means()[others] - sample.means()[k]) / errors).max()
        inside.append(greatest <= critical)
        close.append(abs(greatest - critical) < 0.06)
    return np.array(inside), np.array(close)


@pytest.mark.long
def test_the_set_of_the_best_agrees_with_a_slow_reference():
    generator = np.random.default_rng(14)
    decided = 0
    for _ in range(8):
        deals = correlated(generator, 300, 12, 0.3) + generator.normal(scale=0.1, size=12)
        sample = grouped(deals)
        inside, close = slow_among_best(sample, 0.95)
        assert (np.array(against_best(sample)[1]) == inside)[~close].all()
        decided += (~close).sum()
    assert decided > 80


@pytest.mark.parametrize("n", [121, pytest.param(441, marks=pytest.mark.slow)])
def test_a_heatmap_of_so_many_figures_fits_in_memory(n):
    generator = np.random.default_rng(15)
    deals = correlated(generator, 1000, n, 0.5) + generator.normal(scale=0.07, size=n)
    sample = grouped(deals)
    tracemalloc.start()
    _, inside = against_best(sample)
    critical = critical_value(sample)
    figures = estimates(sample, critical)
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert peak < 300e6 * (n / 441) ** 2
    assert 1 < sum(inside) < n
    assert len(figures) == n
    assert t_quantile(999) < critical < t_quantile(999, 1 - 0.05 / n)
