"""Zero-sum games: textbook solutions, what every solution must satisfy, and sampled payoffs.

Textbook games: matching pennies and rock, paper, scissors; Dresher, "The Mathematics of Games of
Strategy" (1961), for 2 x n games solved by an envelope of lines; Fudenberg and Tirole, "Game
Theory" (1991), section 1.1, for a row that only a mixture dominates.
"""

from __future__ import annotations

import math
import time

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays
from samples import grouped

from gin_sim.stats.matrix_games import bootstrap, dominated, equilibrium
from gin_sim.stats.simultaneous import GroupedSample

ROCK_PAPER_SCISSORS = np.array([[0, -1, 1], [1, 0, -1], [-1, 1, 0]])

games = arrays(
    np.float64,
    st.tuples(st.integers(1, 6), st.integers(1, 6)),
    elements=st.integers(-9, 9).map(float),
)


def sampled(deals: np.ndarray, groups: int = 1000) -> GroupedSample:
    """The sample of (n, rows, columns) payoffs."""
    return grouped(deals.reshape(len(deals), -1), groups)


def leads_of(payoffs: np.ndarray) -> np.ndarray:
    """What each row earns more than each other, against each column."""
    payoffs = np.asarray(payoffs, float)
    return payoffs[:, None] - payoffs[None]


# --------------------------------------------------------------- equilibria


def test_matching_pennies():
    solution = equilibrium(np.array([[1, -1], [-1, 1]]))
    assert solution.row == pytest.approx([0.5, 0.5])
    assert solution.column == pytest.approx([0.5, 0.5])
    assert solution.value == pytest.approx(0, abs=1e-12)


def test_a_two_by_two_game_by_hand():
    """Rows 3, -1 and -2, 4: p of the first row with 3p - 2(1 - p) = -p + 4(1 - p), p = 6/10."""
    solution = equilibrium(np.array([[3.0, -1], [-2, 4]]))
    assert solution.row == pytest.approx([0.6, 0.4])
    assert solution.column == pytest.approx([0.5, 0.5])
    assert solution.value == pytest.approx(1)


def test_a_two_by_three_game_by_hand():
    """Columns (1, 4), (3, 2), (11, -3) as lines in p of the first row: 4 - 3p, 2 + p, 14p - 3.

    The lower envelope is 14p - 3 up to p = 5/13, then 2 + p up to 1/2, then 4 - 3p: it is highest
    at p = 1/2, 5/2, where the first two columns meet; the row is indifferent at 1/4 and 3/4.
    """
    solution = equilibrium(np.array([[1.0, 3, 11], [4, 2, -3]]))
    assert solution.row == pytest.approx([0.5, 0.5])
    assert solution.column == pytest.approx([0.25, 0.75, 0])
    assert solution.column[2] == 0
    assert solution.value == pytest.approx(2.5)


def test_a_saddle_point():
    solution = equilibrium(np.array([[4.0, 5], [2, 9], [3, 1]]))
    assert solution.row.tolist() == [1, 0, 0]
    assert solution.column.tolist() == [1, 0]
    assert solution.value == 4


def test_rock_paper_scissors_is_worth_nothing_exactly():
    solution = equilibrium(ROCK_PAPER_SCISSORS)
    assert solution.row == pytest.approx([1 / 3] * 3)
    assert (solution.row == solution.column).all()
    assert solution.value == 0.0


def test_unequal_stakes_of_rock_paper_scissors():
    """Rock beats scissors for a, paper rock for b, scissors paper for c: weights c, a, b."""
    a, b, c = 2.0, 3.0, 5.0
    game = np.array([[0, -b, a], [b, 0, -c], [-a, c, 0]])
    assert equilibrium(game).row == pytest.approx([0.5, 0.2, 0.3])
    # Antisymmetric but for rounding, as differences of means are.
    nudged = equilibrium(game + np.array([[0, 1e-13, 0], [0, 0, 0], [0, 0, 1e-13]]))
    assert nudged.value == 0.0
    assert (nudged.row == nudged.column).all()


@pytest.mark.long
@given(games, st.sampled_from([1e-6, 1.0, 1e7]))
@settings(max_examples=150)
def test_nobody_gains_by_leaving(game, unit):
    """The definition: no row earns more than the value against the column's mixture, and so on."""
    solution = equilibrium(game * unit)
    slack = 1e-7 * unit * 9
    assert (game * unit @ solution.column).max() <= solution.value + slack
    assert (solution.row @ game * unit).min() >= solution.value - slack
    for mixture in (solution.row, solution.column):
        assert mixture.sum() == pytest.approx(1)
        assert ((mixture == 0) | (mixture >= 1e-9)).all()


@given(arrays(np.float64, (5, 5), elements=st.integers(-9, 9).map(float)))
@settings(max_examples=60)
def test_antisymmetric_games_have_one_mixture(game):
    game = game - game.T
    solution = equilibrium(game)
    assert solution.value == 0.0
    assert (solution.row == solution.column).all()
    assert (solution.row @ game).min() >= -1e-7 * 18


@pytest.mark.parametrize("game", [np.zeros((0, 2)), np.zeros(3), np.array([[1, math.nan]])])
def test_games_are_matrices_of_numbers(game):
    with pytest.raises(ValueError, match="not a matrix of finite numbers"):
        equilibrium(game)


# ------------------------------------------------------------- domination


def test_a_row_that_only_a_mixture_dominates():
    """Half of (2, 0) and half of (0, 2) earn 1 against either column, 1.5 more than -1/2."""
    (found,) = dominated(leads_of(np.array([[2, 0], [0, 2], [-0.5, -0.5]])))
    assert found.row == 2
    assert found.weights == pytest.approx([0.5, 0.5, 0])
    assert found.margin == pytest.approx(1.5)


def test_margins_by_hand():
    """(1, 1) against w (4, 0) + (1 - w) (0, 3): 4w - 1 and 2 - 3w meet at w = 3/7, 5/7."""
    (found,) = dominated(leads_of(np.array([[4, 0], [1, 1], [0, 3]])))
    assert found.row == 1
    assert found.weights == pytest.approx([3 / 7, 0, 4 / 7])
    assert found.margin == pytest.approx(5 / 7)


def test_a_row_may_be_dominated_by_one_row():
    first, second = dominated(leads_of(np.array([[1, 2], [4, 4], [3, 3.5]])))
    assert (first.row, second.row) == (0, 2)
    assert first.weights.tolist() == [0, 1, 0]
    assert (first.margin, second.margin) == (2, 0.5)


def test_rows_that_are_not_strictly_dominated():
    assert dominated(leads_of(ROCK_PAPER_SCISSORS)) == []
    assert dominated(leads_of(np.array([[1, 2], [1, 3]]))) == [], "as good against the first column"
    assert dominated(leads_of(np.array([[1, 2], [1, 2]]))) == []
    assert dominated(leads_of(np.array([[1.0, 2]]))) == []


@pytest.mark.long
@given(games)
@settings(max_examples=60)
def test_dominated_rows_are_never_played(game):
    solution = equilibrium(game)
    for found in dominated(leads_of(game)):
        gains = found.weights @ game - game[found.row]
        assert gains.min() == pytest.approx(found.margin)
        assert found.margin > 0
        assert found.weights[found.row] == 0
        assert solution.row[found.row] == 0


# ------------------------------------------------------------------ samples


def test_samples_must_be_of_the_game():
    groups = sampled(np.ones((4, 2, 3)))
    with pytest.raises(ValueError, match="6 figures for"):
        bootstrap(groups, 2, 2)


def test_bootstrap_solves_the_game_of_each_draw():
    """Against one game solved at a time, from the same draws."""
    deals = np.random.default_rng(2).integers(-9, 10, (40, 3, 4))
    groups = sampled(deals)
    found = bootstrap(groups, 3, 4, draws=150, seed=8)
    drawn = [equilibrium(game.reshape(3, 4)) for game in groups.resampled_means(150, 8)]
    values = np.quantile([each.value for each in drawn], [0.025, 0.975])
    assert (found.value.low, found.value.high) == pytest.approx(tuple(values))
    for k in range(4):
        ends = np.quantile([each.column[k] for each in drawn], [0.025, 0.975])
        assert (found.column[k].low, found.column[k].high) == pytest.approx(tuple(ends), abs=1e-9)
    solution = equilibrium(groups.means().reshape(3, 4))
    assert [each.estimate for each in found.row] == solution.row.tolist()
    again = bootstrap(groups, 3, 4, draws=150, seed=8)
    assert (found.row, found.column, found.value) == (again.row, again.column, again.value)
    assert bootstrap(groups, 3, 4, draws=150, seed=9).value != found.value


@pytest.mark.long
def test_bootstrap_intervals_hold(some):
    """Rows 3, -1 and -2, 4 again: weights 0.6 and 0.5, value 1; the payoffs of a deal correlate."""
    truth = np.array([[3.0, -1], [-2, 4]])
    generator = np.random.default_rng(3)
    held = np.zeros(3)
    half_held = np.zeros(3)
    n_runs = some(200, least=80)
    # Three and a half standard errors of a share of them that is 0.95.
    chance_error = 3.5 * math.sqrt(0.95 * 0.05 / n_runs)
    for _ in range(n_runs):
        shared = generator.normal(scale=6, size=(400, 1, 1))
        skewed = generator.exponential(8, size=(400, 2, 2)) - 8
        groups = sampled(truth + shared + skewed, 200)
        found = bootstrap(groups, 2, 2, draws=250)
        narrow = bootstrap(groups, 2, 2, draws=250, confidence=0.5)
        for share, each in ((held, found), (half_held, narrow)):
            share += [
                each.row[0].low <= 0.6 <= each.row[0].high,
                each.column[0].low <= 0.5 <= each.column[0].high,
                each.value.low <= 1 <= each.value.high,
            ]
    assert (held / n_runs >= 0.95 - chance_error).all()
    assert (half_held / n_runs < 0.65).all()


def test_bootstrap_of_an_antisymmetric_sample():
    generator = np.random.default_rng(4)
    deals = generator.integers(-30, 31, (300, 3, 3)) + 10 * ROCK_PAPER_SCISSORS
    groups = sampled(deals - deals.transpose(0, 2, 1), 100)
    found = bootstrap(groups, 3, 3)
    assert (found.value.estimate, found.value.low, found.value.high) == (0, 0, 0)
    assert found.row == found.column
    assert all(each.low < 1 / 3 < each.high for each in found.row)
    assert sum(each.estimate for each in found.row) == pytest.approx(1)


def test_bootstrap_of_one_deal_has_no_intervals():
    found = bootstrap(sampled(np.array([[[1, -1], [-1, 1]]])), 2, 2)
    assert found.row[0].estimate == pytest.approx(0.5)
    assert all(math.isnan(each.low) for each in (*found.row, *found.column, found.value))


def test_a_bootstrap_of_eleven_values_is_fast():
    generator = np.random.default_rng(5)
    deals = generator.integers(-60, 61, (2000, 11, 11))
    groups = sampled(deals)
    start = time.perf_counter()
    bootstrap(groups, 11, 11, draws=400)
    dominated(leads_of(groups.means().reshape(11, 11)))
    assert time.perf_counter() - start < 5


def test_nothing_earns_more_than_the_value_against_the_equilibrium():
    """In the sample: each pure row against the mixture, and the used ones earn the value."""
    deals = np.random.default_rng(6).integers(-9, 10, (50, 4, 4))
    groups = sampled(deals)
    solution = equilibrium(groups.means().reshape(4, 4))
    earned = groups.means().reshape(4, 4) @ solution.column
    for weight, each in zip(solution.row, earned, strict=True):
        assert each <= solution.value + 1e-7
        if weight:
            assert each == pytest.approx(solution.value, abs=1e-7)
