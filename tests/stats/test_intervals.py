"""Means, rates and ratios: golden numbers, formulas written out, and intervals that hold.

The golden intervals of rates are Newcombe's ("Two-sided confidence intervals for the single
proportion", Statistics in Medicine 17, 1998, method 3).
"""

from __future__ import annotations

import math
import random

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

from gin_sim.stats.intervals import (
    Estimate,
    Moments,
    lead_estimate,
    mean_estimate,
    rate_estimate,
    ratio_estimate,
    ratio_rate_estimate,
    saving,
    t_quantile,
)

N_SAMPLES = 4000
#: Three and a half standard errors of a share of N_SAMPLES that is 0.95.
CHANCE = 3.5 * math.sqrt(0.95 * 0.05 / N_SAMPLES)

integers = st.lists(st.integers(-(10**6), 10**6), max_size=40)


def moments(values) -> Moments:
    values = [int(value) for value in values]
    return Moments(len(values), sum(values), sum(value * value for value in values))


def events(n_events: int, n_trials: int) -> Moments:
    return Moments(n_trials, n_events, n_events)


def ends(found: Estimate) -> tuple[float, float]:
    return found.low, found.high


# ---------------------------------------------------------------- moments


@given(integers, integers)
def test_moments_merge_without_loss(left, right):
    assert moments(left) + moments(right) == moments(left + right)


@given(st.lists(st.integers(-(10**6), 10**6), min_size=2, max_size=40))
def test_mean_and_variance_are_the_sample_s(values):
    sample = moments(values)
    assert sample.mean == pytest.approx(np.mean(values))
    assert sample.variance == pytest.approx(np.var(values, ddof=1))


def test_moments_of_huge_numbers_are_exact():
    far = 10**15
    assert moments([far + 1, far + 2, far + 3]).variance == 1


def test_too_small_a_sample_has_no_figure():
    assert math.isnan(Moments(0, 0, 0).mean)
    assert math.isnan(Moments(1, 5, 25).variance)


# ------------------------------------------------------------------ means


@pytest.mark.parametrize(
    ("degrees", "quantile"), [(1, 12.706205), (4, 2.776445), (9, 2.262157), (30, 2.042272)]
)
def test_students_t_is_the_printed_table_s(degrees, quantile):
    assert t_quantile(degrees) == pytest.approx(quantile, abs=5e-7)


def test_the_t_quantile_of_a_large_sample_is_normal():
    assert t_quantile(10**12) == pytest.approx(1.959964, abs=1e-6)
    assert t_quantile(9, 0.99) == pytest.approx(3.249836, abs=5e-7)


def test_mean_of_one_to_ten():
    # Mean 5.5, SD sqrt(55/6), so 2.262157 * sqrt(55/6/10) = 2.165851 to each side.
    found = mean_estimate(moments(range(1, 11)))
    assert found.estimate == 5.5
    assert ends(found) == pytest.approx((5.5 - 2.165851, 5.5 + 2.165851), abs=1e-6)
    assert found.half_width == pytest.approx(2.165851, abs=1e-6)


@given(st.lists(st.integers(-500, 500), min_size=2, max_size=60))
def test_mean_interval_is_scipys(values):
    if len(set(values)) == 1:
        assert ends(mean_estimate(moments(values))) == (values[0], values[0])
        return
    low, high = stats.t.interval(0.95, len(values) - 1, np.mean(values), stats.sem(values))
    assert ends(mean_estimate(moments(values))) == pytest.approx((low, high), abs=1e-9)


@pytest.mark.parametrize("values", [[], [7]])
def test_no_interval_below_two(values):
    found = mean_estimate(moments(values))
    assert math.isnan(found.low)
    assert math.isnan(found.high)
    assert math.isnan(found.half_width)
    assert found.spans_zero


@pytest.mark.parametrize(
    ("low", "high", "spans"),
    [(-1, 1, True), (0, 0, True), (0, 2, True), (0.1, 2, False), (-2, -0.1, False), (-2, 0, True)],
)
def test_an_interval_spans_zero_if_zero_is_in_it(low, high, spans):
    assert Estimate((low + high) / 2, low, high).spans_zero is spans


def test_scaling_scales_both_ends():
    assert Estimate(2, 1, 4).scaled(0.5) == Estimate(1, 0.5, 2)


# ------------------------------------------------------------------ rates


@pytest.mark.parametrize(
    ("n_events", "n_trials", "low", "high"),
    [
        (81, 263, 0.2553, 0.3662),
        (15, 148, 0.0624, 0.1605),
        (0, 20, 0.0000, 0.1611),
        (1, 29, 0.0061, 0.1718),
        (0, 10, 0.0000, 0.2775),
        (1, 10, 0.0179, 0.4042),
        (5, 10, 0.2366, 0.7634),
        (10, 10, 0.7225, 1.0000),
    ],
)
def test_rate_of_independent_trials_has_the_published_interval(n_events, n_trials, low, high):
    found = rate_estimate(events(n_events, n_trials), 1)
    assert found.estimate == n_events / n_trials
    assert ends(found) == pytest.approx((low, high), abs=5e-5)


@given(st.integers(0, 60), st.integers(1, 60))
def test_rate_interval_is_scipys(n_events, n_trials):
    n_events = min(n_events, n_trials)
    wilson = stats.binomtest(n_events, n_trials).proportion_ci(method="wilson")
    found = rate_estimate(events(n_events, n_trials), 1)
    assert ends(found) == pytest.approx((wilson.low, wilson.high), abs=1e-12)


def test_rate_counts_effective_trials():
    # Both hands of a pair alike: 100 pairs are worth 100 trials, or nearly.
    alike = rate_estimate(moments([2] * 20 + [0] * 80), 2)
    assert ends(alike) == pytest.approx(ends(rate_estimate(events(20, 100), 1)), abs=0.002)
    # One event in nearly every pair: far better known than by independent hands.
    split = rate_estimate(moments([1] * 98 + [0, 2]), 2)
    assert split.half_width < rate_estimate(events(100, 200), 1).half_width / 4


@given(st.lists(st.integers(0, 2), max_size=40))
def test_rate_interval_holds_the_rate_and_stays_within_0_and_1(draws):
    found = rate_estimate(moments(draws), 2)
    if not draws:
        assert math.isnan(found.estimate)
        assert math.isnan(found.low)
        return
    assert 0 <= found.low <= found.estimate <= found.high <= 1
    assert found.low < found.high


# ----------------------------------------------------------------- ratios


@given(st.lists(st.tuples(st.integers(0, 50), st.integers(0, 3)), min_size=2, max_size=40))
def test_ratio_by_the_formula(draws):
    tops, bottoms = (np.array(column, float) for column in zip(*draws, strict=True))
    products = int(sum(tops * bottoms))
    found = ratio_estimate(moments(tops), moments(bottoms), products)
    if not bottoms.sum():
        assert math.isnan(found.estimate)
        return
    ratio = tops.sum() / bottoms.sum()
    # Cochran 2.11: the residuals from the line through the origin.
    residuals = tops - ratio * bottoms
    error = math.sqrt(np.sum(residuals**2) / (len(draws) - 1) / len(draws)) / bottoms.mean()
    reach = stats.t.ppf(0.975, len(draws) - 1) * error
    assert found.estimate == pytest.approx(ratio)
    assert ends(found) == pytest.approx((ratio - reach, ratio + reach), abs=1e-5)


def test_ratio_of_one_draw_has_no_interval():
    found = ratio_estimate(moments([12]), moments([2]), 24)
    assert found.estimate == 6
    assert math.isnan(found.low)


def test_ratio_that_never_varies_has_an_interval_of_no_width():
    tops, bottoms = [5, 10, 0, 5], [1, 2, 0, 1]
    products = sum(top * bottom for top, bottom in zip(tops, bottoms, strict=True))
    assert ratio_estimate(moments(tops), moments(bottoms), products) == Estimate(5, 5, 5)


# ----------------------------------------------------------------- saving


def test_saving_is_the_ratio_of_variances():
    chance = np.random.default_rng(4)
    luck = chance.integers(-40, 41, 500)
    hands = np.stack([luck, -luck]) + chance.integers(-5, 6, (2, 500))
    pairs = hands.sum(axis=0)
    as_independent = hands.var(ddof=1) / 1000
    as_pairs = pairs.var(ddof=1) / 500 / 2**2
    found = saving(moments(hands.ravel()), moments(pairs))
    assert found == pytest.approx(as_independent / as_pairs)
    assert found > 10


def test_saving_is_none_where_pairs_do_not_vary():
    assert saving(moments([3, -3, 5, -5]), moments([0, 0])) is None
    assert saving(moments([3, -3]), moments([0])) is None


def test_independent_hands_save_nothing():
    hands = np.random.default_rng(5).integers(-40, 41, (2, 100_000))
    assert saving(moments(hands.ravel()), moments(hands.sum(axis=0))) == pytest.approx(1, abs=0.02)


# --------------------------------------------------------------- coverage


def coverage(truth: float, found: list[Estimate]) -> float:
    """The share of intervals that hold the truth."""
    return sum(one.low <= truth <= one.high for one in found) / len(found)


def coverage_of_wilson(rate: float, n_trials: int) -> float:
    """The exact chance that Wilson's interval holds the rate, over independent trials."""
    z = stats.norm.ppf(0.975)
    numbers = np.arange(n_trials + 1)
    # The interval is the set of rates from which the observed one is no further than z errors.
    holds = np.abs(numbers / n_trials - rate) <= z * math.sqrt(rate * (1 - rate) / n_trials)
    return float(stats.binom.pmf(numbers[holds], n_trials, rate).sum())


@pytest.mark.parametrize("n_pairs", [2, 10, 300])
def test_mean_interval_holds_for_normal_pairs(n_pairs):
    chance = np.random.default_rng(6)
    pairs = np.rint(chance.normal(1500, 20_000, (N_SAMPLES, n_pairs))).astype(int)
    found = [mean_estimate(moments(sample)) for sample in pairs]
    assert coverage(1500, found) == pytest.approx(0.95, abs=CHANCE)


def test_mean_interval_holds_for_pairs_of_skewed_hands():
    # A deal's luck shifts both hands against each other; now and then a hand is worth a gin.
    chance = np.random.default_rng(7)
    shape = (N_SAMPLES, 300)
    luck = chance.integers(-30, 31, shape)
    edge = 60 * (chance.random(shape) < 0.05)
    pairs = (luck + edge) + (chance.integers(-10, 11, shape) - luck)
    found = [mean_estimate(moments(sample)) for sample in pairs]
    assert coverage(60 * 0.05, found) == pytest.approx(0.95, abs=2 * CHANCE)


@pytest.mark.parametrize("rate", [0.0005, 0.002, 0.01, 0.4])
@pytest.mark.parametrize("alike", [0.0, 0.5])
def test_rate_interval_holds_near_zero(rate, alike):
    # Wilson's coverage swings about 95% with the rate, the more the rarer the events.
    chance = np.random.default_rng(8)
    shape = (N_SAMPLES, 1000)
    first = chance.random(shape) < rate
    copied = chance.random(shape) < alike
    second = np.where(copied, first, chance.random(shape) < rate)
    totals = first.astype(np.int64) + second
    sums, squares = totals.sum(axis=1), (totals**2).sum(axis=1)
    found = [
        rate_estimate(Moments(1000, int(total), int(square)), 2)
        for total, square in zip(sums, squares, strict=True)
    ]
    share = coverage(rate, found)
    if alike:
        assert 0.92 < share < 0.99
    else:
        assert share == pytest.approx(coverage_of_wilson(rate, 2000), abs=2 * CHANCE)


def test_ratio_interval_holds():
    # Deadwood at the knock over knocks: no, one or two knocks a pair.
    chance = np.random.default_rng(9)
    shape = (N_SAMPLES, 300, 2)
    knocked = chance.random(shape) < 0.3
    deadwood = knocked * chance.integers(0, 11, shape)
    tops, bottoms = deadwood.sum(axis=2), knocked.sum(axis=2)
    products = (tops * bottoms).sum(axis=1)
    found = [
        ratio_estimate(moments(top), moments(bottom), int(product))
        for top, bottom, product in zip(tops, bottoms, products, strict=True)
    ]
    assert coverage(5, found) == pytest.approx(0.95, abs=CHANCE)


def test_chunks_merged_in_any_order_give_the_same_figures():
    chance = random.Random(10)
    values = [chance.randrange(-80, 81) for _ in range(500)]
    parts = [moments(values[i : i + 7]) for i in range(0, 500, 7)]
    chance.shuffle(parts)
    whole = sum(parts, Moments(0, 0, 0))
    assert mean_estimate(whole) == mean_estimate(moments(values))


# ------------------------------------------------- leads, and rates a trial


def test_a_lead_of_single_trials_is_twice_newcombes_rate_less_one():
    """Without ties, 81 wins and 182 losses: by the golden interval of 81/263."""
    lead = lead_estimate(Moments(263, 81 - 182, 263), 1)
    assert lead.estimate == pytest.approx(2 * 81 / 263 - 1)
    assert ends(lead) == pytest.approx((2 * 0.2553 - 1, 2 * 0.3662 - 1), abs=4e-4)


@pytest.mark.parametrize("sign", [-1, 1])
def test_a_lead_of_identical_samples_still_has_an_interval(sign):
    few, many = (lead_estimate(Moments(n, sign * 2 * n, 4 * n), 2) for n in (2, 100))
    assert few.estimate == many.estimate == sign
    assert few.spans_zero
    assert not many.spans_zero
    level = lead_estimate(Moments(50, 0, 0), 2)
    assert level.estimate == 0
    assert level.low == pytest.approx(-level.high)
    assert 0.2 < level.high < 0.3  # 1.96 / sqrt(50)


def test_a_lead_without_draws_has_no_figure():
    assert math.isnan(lead_estimate(Moments(0, 0, 0), 2).estimate)


@pytest.mark.parametrize("win", [0.5, 0.3, 0.9])
@pytest.mark.parametrize("n", [30, 400])
def test_leads_hold_what_they_say(win, n):
    """Pairs of games, one of ten tied, whose two games lean the same way half of the time."""
    chance = np.random.default_rng(3)
    true = (2 * win - 1) * 0.9
    luck = chance.random((N_SAMPLES, n, 2))
    same = chance.random((N_SAMPLES, n)) < 0.5
    luck[:, :, 1] = np.where(same, luck[:, :, 0], luck[:, :, 1])
    games = np.where(luck < 0.1, 0, np.where((luck - 0.1) / 0.9 < win, 1, -1))
    pairs = games.sum(axis=2)
    held = 0
    for sample in pairs:
        found = lead_estimate(Moments(n, int(sample.sum()), int((sample**2).sum())), 2)
        held += found.low <= true <= found.high
    assert held / N_SAMPLES > 0.95 - CHANCE - 0.015
    assert held / N_SAMPLES < 0.95 + CHANCE + 0.015


def test_a_rate_over_draws_of_equal_size_is_the_rate():
    events_, trials = moments([0, 1, 3, 2, 1, 0]), moments([4] * 6)
    products = 4 * events_.total
    found = ratio_rate_estimate(events_, trials, products)
    expected = rate_estimate(events_, 4)
    assert found.estimate == expected.estimate
    # One takes n - 1 trials where the other takes n.
    assert ends(found) == pytest.approx(ends(expected), abs=0.02)


def test_a_rate_over_draws_of_many_sizes_holds_what_it_says():
    chance = np.random.default_rng(4)
    held = 0
    for _ in range(N_SAMPLES):
        trials = chance.integers(4, 20, 40)
        hits = chance.binomial(trials, 0.03)
        found = ratio_rate_estimate(moments(hits), moments(trials), int((hits * trials).sum()))
        held += found.low <= 0.03 <= found.high
    assert 0.93 < held / N_SAMPLES < 0.99


def test_a_rate_that_never_happened_has_a_width():
    found = ratio_rate_estimate(Moments(10, 0, 0), moments(range(1, 11)), 0)
    assert (found.estimate, found.low) == (0, 0)
    assert 0.2 < found.high < 0.3
    assert math.isnan(ratio_rate_estimate(Moments(0, 0, 0), Moments(0, 0, 0), 0).estimate)
    one = ratio_rate_estimate(moments([3]), moments([3]), 9)
    assert (one.estimate, one.high) == (1, 1)
    assert 0 < one.low < 0.5
