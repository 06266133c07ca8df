"""Stopping early: hand-solved looks and ratios, and simulations of the errors that peeking makes.

Leads are drawn from distributions of known mean, by numbers of draws a value: sums are exact.
"""

from __future__ import annotations

import math

import numpy as np
import pytest

from gin_sim.errors import InputError
from gin_sim.stats.intervals import Moments, mean_estimate
from gin_sim.stats.sequential import (
    Look,
    Sprt,
    Until,
    anytime_estimate,
    parse_half_width,
    parse_sprt,
)

N_RUNS = 2000
N_LOOKS = 64
#: Three and a half standard errors of a share of N_RUNS that is 0.05.
CHANCE = 3.5 * math.sqrt(0.05 * 0.95 / N_RUNS)

#: Leads of mirrored pairs: whole, far more often small than large, with a long tail on one side.
PAIRS = np.array([-61, -37, -18, -7, -2, 0, 3, 9, 24, 52, 118])
PAIR_SHARES = np.array([1, 5, 12, 17, 16, 14, 13, 10, 7, 4, 1]) / 100

#: Leads of pairs of games, of which the better side mostly wins both.
GAMES = np.array([-2, 0, 2])
GAME_SHARES = np.array([0.02, 0.16, 0.82])


def deviation(values, shares) -> float:
    return math.sqrt(shares @ values**2 - (shares @ values) ** 2)


def looks(seed: int, values, shares, chunk: int, n_runs=N_RUNS, n_looks=N_LOOKS):
    """Yield, for each of many runs, its moments after each chunk."""
    times = np.random.default_rng(seed).multinomial(chunk, shares, size=(n_runs, n_looks))
    totals = (times @ values).cumsum(axis=1)
    squares = (times @ values**2).cumsum(axis=1)
    for run_totals, run_squares in zip(totals.tolist(), squares.tolist(), strict=True):
        yield [
            Moments(chunk * (look + 1), total, square)
            for look, (total, square) in enumerate(zip(run_totals, run_squares, strict=True))
        ]


def sample_with(n: int, mean: int, variance: int) -> Moments:
    """Moments of an exact mean and unbiased variance."""
    return Moments(n, n * mean, (n - 1) * variance + n * mean**2)


# ------------------------------------------------------- anytime intervals


def slow_half_width(n, rho, sigma, alpha):
    """The formula as Waudby-Smith and others print it (2024)."""
    return sigma * math.sqrt(
        2 * (n * rho**2 + 1) / (n**2 * rho**2) * math.log(math.sqrt(n * rho**2 + 1) / alpha)
    )


@pytest.mark.parametrize("n", [100, 1000, 5000, 40_000])
@pytest.mark.parametrize("confidence", [0.95, 0.999])
def test_the_interval_is_the_narrowest_that_any_rho_gives_where_it_was_asked_to_be(n, confidence):
    rhos = np.geomspace(1e-4, 1, 20_001)
    widths = [slow_half_width(5000, rho, 3, 1 - confidence) for rho in rhos]
    best = rhos[int(np.argmin(widths))]
    found = anytime_estimate(sample_with(n, 7, 9), 5000, confidence)
    assert found.estimate == 7
    assert found.half_width == pytest.approx(slow_half_width(n, best, 3, 1 - confidence), rel=1e-3)
    assert found.high - 7 == pytest.approx(7 - found.low)


def test_the_width_at_any_look_is_that_computed_by_hand():
    """At 95%: x - log(x) = 1 - 2 log(0.05) = 6.9915 has the root 9.2120; its own is 3.035."""
    assert 9.2120 - math.log(9.2120) == pytest.approx(1 - 2 * math.log(0.05), abs=1e-4)
    found = anytime_estimate(sample_with(10_000, 0, 100), 10_000)
    assert found.half_width == pytest.approx(math.sqrt(9.2120) * 10 / 100, rel=1e-4)


def test_too_small_and_constant_samples():
    assert math.isnan(anytime_estimate(Moments(1, 5, 25), 100).low)
    assert math.isnan(anytime_estimate(Moments(0, 0, 0), 100).estimate)
    flat = Moments(500, 1000, 2000)
    assert anytime_estimate(flat, 100).half_width == 0
    # With one draw more at either end, of 10: 502 draws, sum 1000, squares 2000 + 200.
    wider = Moments(502, 1000, 2200).variance
    expected = anytime_estimate(sample_with(500, 2, 1), 100).half_width * math.sqrt(wider)
    found = anytime_estimate(flat, 100, extreme=10)
    assert found.estimate == 2
    assert found.half_width == pytest.approx(expected)


@pytest.mark.long
@pytest.mark.parametrize(
    ("values", "shares", "chunk"), [(PAIRS, PAIR_SHARES, 1000), (GAMES, GAME_SHARES, 256)]
)
def test_anytime_intervals_hold_at_all_looks_and_plain_ones_do_not(values, shares, chunk):
    mean = shares @ values
    anytime = plain = 0
    for run in looks(1, values, shares, chunk):
        misses = [
            (
                abs(found.estimate - mean) > found.half_width,
                plainly.low > mean or plainly.high < mean,
            )
            for found, plainly in (
                (anytime_estimate(sample, 10 * chunk), mean_estimate(sample)) for sample in run
            )
        ]
        anytime += any(miss for miss, _ in misses)
        plain += any(miss for _, miss in misses)
    assert anytime / N_RUNS <= 0.05 + CHANCE
    # Looking at 64 of the infinitely many times leaves some of the 5% unused, not nearly all.
    assert anytime / N_RUNS >= 0.01
    assert plain / N_RUNS > 0.25


# ------------------------------------------------------------------- until


def test_until_stops_at_the_size_computed_by_hand():
    """Pairs of variance 400: 100 a squared hand.  Half-width 0.5 takes 9.2120 * 100 / 0.25."""
    until = Until(0.5, per_unit=2, least=1000)
    early = until.look([sample_with(500, 6, 400)])
    assert early.tightest_at is None
    assert not early.reached
    assert early.estimates[0].estimate == 3
    assert math.isnan(early.estimates[0].low)
    first = until.look([sample_with(1000, 6, 400)], early)
    assert first.tightest_at == pytest.approx(9.2120 * 100 / 0.25, abs=1)
    assert not first.reached
    short = until.look([sample_with(first.tightest_at - 1, 6, 400)], first)
    assert not short.reached
    last = until.look([sample_with(first.tightest_at, 6, 400)], short)
    assert last.reached
    assert last.tightest_at == first.tightest_at
    assert last.estimates[0].half_width == pytest.approx(0.5, abs=1e-4)
    assert last.estimates[0].estimate == 3


def test_until_several_figures_share_the_error():
    """Two figures at 90% are each at 95%; the more varying one decides."""
    until = Until(0.5, least=1000, n_figures=2, confidence=0.9)
    assert until.confidence_each == pytest.approx(0.95)
    samples = [sample_with(1000, 6, 25), sample_with(1000, 2, 100)]
    first = until.look(samples)
    assert first.tightest_at == pytest.approx(9.2120 * 100 / 0.25, abs=1)
    wide = anytime_estimate(samples[1], first.tightest_at, 0.95)
    assert first.estimates[1].half_width == pytest.approx(wide.half_width)
    enough = first.tightest_at
    uneven = [sample_with(enough, 6, 25), sample_with(enough, 2, 110)]
    assert not until.look(uneven, first).reached
    assert until.look([uneven[0], uneven[0]], first).reached


def test_until_stops_at_once_where_nothing_varies():
    flat = Moments(1000, 0, 0)
    assert Until(0.05).look([flat]).reached
    # Unless the draws can be as far as 2 from zero: 1,000 pairs of games that all were split.
    guarded = Until(0.005, extreme=2)
    first = guarded.look([flat])
    assert not first.reached
    assert guarded.look([Moments(first.tightest_at, 0, 0)], first).reached


def test_looks_depend_on_the_moments_alone():
    (run,) = looks(2, PAIRS, PAIR_SHARES, 500, n_runs=1)
    until = Until(0.4, per_unit=2, least=1000)

    def watched() -> list[Look]:
        found = [until.look([run[0]])]
        for sample in run[1:]:
            found.append(until.look([sample], found[-1]))
        return found

    assert [look.estimates for look in watched()[1:]] == [look.estimates for look in watched()[1:]]
    assert [look.n for look in watched()][:3] == [500, 1000, 1500]
    assert [look.tightest_at for look in watched()[1:]] == [watched()[1].tightest_at] * 63


@pytest.mark.long
def test_until_the_interval_at_the_stop_holds():
    """The interval that is printed at the stop, beside plain ones of which one is chosen."""
    mean = PAIR_SHARES @ PAIRS / 2
    until = Until(0.5, per_unit=2, least=1000)
    held = plain_held = 0
    stops = []
    for run in looks(3, PAIRS, PAIR_SHARES, 500):
        found = None
        for sample in run:
            found = until.look([sample], found)
            if found.reached:
                break
        assert found.reached
        assert found.estimates[0].half_width <= 0.5
        held += abs(found.estimates[0].estimate - mean) <= found.estimates[0].half_width
        stops.append(found.n)
        # Stopped where a plain interval first excludes the true lead, or never.
        plain = (mean_estimate(each).scaled(1 / 2) for each in run)
        plain_held += all(each.low <= mean <= each.high for each in plain)
    assert held / N_RUNS >= 0.95 - CHANCE
    assert plain_held / N_RUNS < 0.75
    needed = 9.2120 * (deviation(PAIRS, PAIR_SHARES) / 2) ** 2 / 0.5**2
    assert needed - 500 < np.mean(stops) < needed + 1000


# -------------------------------------------------------------------- SPRT


def test_the_log_likelihood_ratio_is_that_computed_by_hand():
    """Mean 0.3 a hand, variance 100 a hand, 2,000 pairs: 2000 * 0.1 * (0.6 - 0.1) / 200 = 0.5.

    In sums of a pair of hands: a total of 1,200 and a variance of 400.
    """
    test = Sprt(0, 0.1, per_unit=2)
    n, total = 2000, 1200
    squares = 1999 * 400 + total**2 // n
    assert test.llr(Moments(n, total, squares)) == pytest.approx(0.5)
    assert test.decision(Moments(n, total, squares)) is None
    with_ends = Moments(n + 2, total, squares + 2 * 300**2).variance
    guarded = Sprt(0, 0.1, per_unit=2, extreme=300)
    assert guarded.llr(Moments(n, total, squares)) == pytest.approx(0.5 * 400 / with_ends)


def test_bounds_are_wald_s():
    assert Sprt(0, 1).bounds == pytest.approx((-2.944439, 2.944439), abs=1e-6)
    assert Sprt(0, 1, alpha=0.01, beta=0.2).bounds == pytest.approx(
        (math.log(0.2 / 0.99), math.log(80))
    )


def test_decisions_at_the_bounds():
    """Variance 1 and d1 - d0 = 1: the ratio is n * (mean - 1/2), at mean 0 and 1 n halves."""
    test = Sprt(0, 1, least=5)
    assert test.decision(sample_with(4, 1, 1)) is None, "before the first look that counts"
    assert test.decision(sample_with(5, 1, 1)) is None
    assert test.decision(sample_with(6, 1, 1)) == "d1"
    assert test.decision(sample_with(6, 0, 1)) == "d0"
    assert Sprt(0, 1).decision(sample_with(999, 1, 1)) is None
    assert Sprt(0, 1).decision(sample_with(1000, 1, 1)) == "d1"


def test_units_that_do_not_vary_decide_at_once():
    assert math.isnan(Sprt(0, 0.1).llr(Moments(1, 0, 0)))
    assert Sprt(0, 0.1).decision(Moments(1000, 0, 0)) == "d0"
    assert Sprt(-1, 0.1).decision(Moments(1000, 0, 0)) == "d1"
    assert Sprt(-1, 1).llr(Moments(1000, 0, 0)) == 0
    assert Sprt(-1, 1).decision(Moments(1000, 0, 0)) is None
    assert Sprt(0, 0.1, extreme=100).decision(Moments(1000, 0, 0)) is None


@pytest.mark.parametrize("leads", [(0.1, 0.0), (0.1, 0.1), (0.0, math.inf), (math.nan, 1.0)])
def test_leads_must_be_two_in_order(leads):
    with pytest.raises(InputError, match="cannot be tested"):
        Sprt(*leads)


@pytest.mark.long
@pytest.mark.parametrize("truth", ["d0", "d1"])
def test_sprt_errors_and_sizes(truth):
    mean = PAIR_SHARES @ PAIRS / 2
    gap = 0.5
    d0 = mean if truth == "d0" else mean - gap
    test = Sprt(d0, d0 + gap, per_unit=2, least=1000)
    wrong, sizes = 0, []
    for run in looks(4, PAIRS, PAIR_SHARES, 250, n_looks=240):
        decided, n = next(
            ((test.decision(sample), sample.n) for sample in run if test.decision(sample)),
            (None, None),
        )
        assert decided, "a longer run is needed"
        wrong += decided != truth
        sizes.append(n)
    assert wrong / N_RUNS <= 0.05 + CHANCE
    # The bounds are crossed with room to spare, so errors are rarer, but they are made.
    assert wrong / N_RUNS >= 0.01
    # A test of fixed size with both errors at 5%: the two quantiles, 1.6449 each, apart.
    fixed = (2 * 1.6449 * deviation(PAIRS, PAIR_SHARES) / 2 / gap) ** 2
    assert np.mean(sizes) < 0.75 * fixed


def test_peeking_at_a_fixed_size_test_errs_more_often():
    """What the SPRT is for: a one-sided 5% test at each of the same looks."""
    mean = PAIR_SHARES @ PAIRS
    wrong = 0
    for run in looks(4, PAIRS, PAIR_SHARES, 250):
        wrong += any(
            sample.mean - mean > 1.6449 * math.sqrt(sample.variance / sample.n)
            for sample in run[3:]
        )
    assert wrong / N_RUNS > 0.2


# -------------------------------------------------------------------- text


@pytest.mark.parametrize("text", ["±0.05", "+-0.05", "+/-0.05", "0.05", " ± 0.05 ", "5e-2"])
def test_a_half_width_may_be_written_in_several_forms(text):
    assert parse_half_width(text) == 0.05


@pytest.mark.parametrize(
    "text",
    [
        "",
        "±",
        "0",
        "±0",
        "-0.05",
        "+--0.05",
        "±+-0.05",
        "nan",
        "inf",
        "five",
        "0,05",
        "5%",
        "1e-320",
        "1e7",
    ],
)
def test_text_that_is_not_a_half_width_is_refused(text):
    with pytest.raises(InputError) as caught:
        parse_half_width(text)
    assert str(caught.value) == (
        f"'{text}' is not a half-width of an interval: expected a number from 0.000001 "
        "to 1,000,000, with or without ± before it; try ±0.05."
    )


@pytest.mark.parametrize(
    ("text", "leads"), [("0,0.1", (0, 0.1)), ("-0.5, 2", (-0.5, 2)), (" -1 ,-.5 ", (-1, -0.5))]
)
def test_pairs_of_leads(text, leads):
    assert parse_sprt(text) == leads


@pytest.mark.parametrize("text", ["", "0", "0,", ",0.1", "0,0.1,0.2", "0;0.1", "a,b"])
def test_text_that_is_not_a_pair_of_leads_is_refused(text):
    with pytest.raises(InputError) as caught:
        parse_sprt(text)
    assert str(caught.value) == (
        f"'{text}' is not a pair of leads: expected two numbers with a comma between them, "
        "the smaller first; try 0,0.1."
    )


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("0.1,0", "a greater one second; try 0,0.1."),
        ("0.1,0.1", "a greater one second; try 0.1,0.2."),
        ("nan,0", "two numbers within 1,000,000 of 0, the smaller first; try 0,0.1."),
        ("0,inf", "two numbers within 1,000,000 of 0, the smaller first; try 0,0.1."),
        ("0,1e300", "two numbers within 1,000,000 of 0, the smaller first; try 0,0.1."),
    ],
)
def test_equal_or_reversed_leads_are_refused(text, said):
    with pytest.raises(InputError, match="cannot be tested") as caught:
        parse_sprt(text)
    assert str(caught.value).endswith(said)


def test_leads_that_are_too_near():
    with pytest.raises(InputError) as caught:
        parse_sprt("0,1e-300")
    assert str(caught.value) == (
        "The leads 0 and 1e-300 are too close to be tested: expected a difference of "
        "0.000001 or more; try 0,0.1."
    )
