"""Zero-sum matrix games: equilibria, best replies, dominated rows, and what sampling does to them.

It decides what a matrix of payoffs means for the two who choose a row and a column of it, the row's
payoff being the column's loss.  Linear programs are SciPy's (HiGHS).  What the rows and columns
stand for is not known here.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from gin_sim.results.common import Estimate
from gin_sim.stats.intervals import CONFIDENCE
from gin_sim.stats.simultaneous import GroupedSample

BOOTSTRAP_DRAWS = 1000

# Shares of the greatest payoff, and weights, below which a number is a solver's rounding.
_ROUNDING = 1e-9

# Games solved in one linear program: together they take a seventh of the time of one by one.
_GAMES_AT_ONCE = 100


@dataclass(frozen=True, eq=False)
class Solution:
    """An equilibrium of a zero-sum game.

    Parameters
    ----------
    row, column : ndarray of float64, (n,) and (m,)
        Mixtures: weights from 0 to 1 that add up to 1.
    value : float
        What the row earns, in the payoffs' unit.
    """

    row: np.ndarray
    column: np.ndarray
    value: float


def equilibrium(payoffs: np.ndarray) -> Solution:
    """Return mixtures that neither side gains by leaving.

    Each side's mixture is the one whose worst payoff is best (von Neumann, "Zur Theorie der
    Gesellschaftsspiele", Mathematische Annalen 100, 1928): a linear program for the row, whose dual
    is the column's.  Where equilibria are many it is one of them; the value is the same in all.

    Parameters
    ----------
    payoffs : ndarray of float64, (n, m)
        What the row earns and the column loses; finite.

    Returns
    -------
    Solution
        For an antisymmetric game, where both choose from the same and only who is who differs,
        one mixture for both, and a value of exactly zero.

    Raises
    ------
    ValueError
        If the payoffs are not a matrix of finite numbers.
    """
    payoffs = _checked(payoffs)
    rows, columns, values = _solved(payoffs[None])
    return Solution(rows[0], columns[0], float(values[0]))


@dataclass(frozen=True, eq=False)
class Dominated:
    """A row that some mixture of the others beats against every column.

    Parameters
    ----------
    row : int
    weights : ndarray of float64, (n,)
        The mixture; zero for the row itself.
    margin : float
        What the mixture earns more at least, against the column where that is least; positive.
    """

    row: int
    weights: np.ndarray
    margin: float


def dominated(leads: np.ndarray) -> list[Dominated]:
    """Return the rows that are strictly dominated, by another row or by a mixture of others.

    For each row a linear program finds the mixture of the others of the greatest margin (Fudenberg
    and Tirole, "Game Theory", 1991, section 1.1).

    Parameters
    ----------
    leads : ndarray of float64, (n, n, m)
        ``leads[i, k, c]`` is what row i earns more than row k against column c: the difference of
        their payoffs, or a lower bound of it.  Where all bounds hold at once, so do the margins,
        whichever mixtures were found on the same data.
    """
    found = []
    for row in range(len(leads)):
        others = np.delete(leads[:, row], row, axis=0)
        if not len(others):
            continue
        mixtures, _ = _maximin(others[None])
        margin = float((mixtures[0] @ others).min())
        if margin > _ROUNDING * _size(others):
            found.append(Dominated(row, np.insert(mixtures[0], row, 0.0), margin))
    return found


@dataclass(frozen=True, eq=False)
class SampledSolution:
    """The equilibrium of estimated payoffs, and how far it moves with the sample.

    Parameters
    ----------
    row, column : list of Estimate
        Weights, 0-1.
    value : Estimate
        In the payoffs' unit.
    """

    row: list[Estimate]
    column: list[Estimate]
    value: Estimate


def bootstrap(
    groups: GroupedSample,
    n_rows: int,
    n_columns: int,
    draws: int = BOOTSTRAP_DRAWS,
    seed: int = 1,
    confidence: float = CONFIDENCE,
) -> SampledSolution:
    """Return the equilibrium of sampled payoffs with percentile intervals.

    The groups of deals are drawn again with replacement and the game of each draw is solved
    (Efron and Tibshirani, "An Introduction to the Bootstrap", 1993, chapter 13).  Intervals are
    pointwise.  A weight's interval that reaches 0 says that the sample does not show whether the
    choice is used at all; nearly equal choices share their weight in many ways, and their
    intervals are wide.

    Parameters
    ----------
    groups : GroupedSample
        Of the payoffs, row by row: ``n_rows * n_columns`` figures.
    n_rows, n_columns : int
    draws : int
    seed : int
        Same seed, same intervals.

    Returns
    -------
    SampledSolution
        Without intervals (nan) below two groups.  For an antisymmetric sample every draw is
        antisymmetric, and the value is zero without width.
    """
    _check_cells(groups, n_rows, n_columns)
    solution = equilibrium(groups.means().reshape(n_rows, n_columns))
    if groups.degrees < 1:
        rows, columns, values = (np.full((1, size), math.nan) for size in (n_rows, n_columns, 1))
    else:
        games = groups.resampled_means(draws, seed).reshape(draws, n_rows, n_columns)
        rows, columns, values = _solved(games)
    return SampledSolution(
        _percentiles(solution.row, rows, confidence),
        _percentiles(solution.column, columns, confidence),
        _percentiles(np.array([solution.value]), values.reshape(-1, 1), confidence)[0],
    )


def _percentiles(estimates: np.ndarray, drawn: np.ndarray, confidence: float) -> list[Estimate]:
    tail = (1 - confidence) / 2
    lows, highs = np.quantile(drawn, [tail, 1 - tail], axis=0)
    return [
        Estimate(float(estimate), float(low), float(high))
        for estimate, low, high in zip(estimates, lows, highs, strict=True)
    ]


def _checked(payoffs: np.ndarray) -> np.ndarray:
    payoffs = np.asarray(payoffs, np.float64)
    if payoffs.ndim != 2 or not payoffs.size or not np.isfinite(payoffs).all():
        raise ValueError(f"payoffs of shape {payoffs.shape} are not a matrix of finite numbers")
    return payoffs


def _check_cells(groups: GroupedSample, n_rows: int, n_columns: int) -> None:
    if groups.sums.shape[1] != n_rows * n_columns:
        raise ValueError(f"{groups.sums.shape[1]} figures for {n_rows} x {n_columns} payoffs")


def _size(payoffs: np.ndarray) -> float:
    return float(np.abs(payoffs).max()) or 1.0


def _solved(games: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Return the rows' and columns' mixtures and the values of (B, n, m) games."""
    _, n, m = games.shape
    if n == m:
        mirrored = -games.transpose(0, 2, 1)
        if np.abs(games - mirrored).max() <= _ROUNDING * _size(games):
            rows, _ = _maximin((games + mirrored) / 2)
            return rows, rows, np.zeros(len(games))
    rows, columns = _maximin(games)
    return rows, columns, np.einsum("bi,bij,bj->b", rows, games, columns)


def _maximin(games: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Return the mixtures of rows whose worst payoffs are best, and the columns' dual ones."""
    parts = [
        _maximin_at_once(games[start : start + _GAMES_AT_ONCE])
        for start in range(0, len(games), _GAMES_AT_ONCE)
    ]
    rows, columns = zip(*parts, strict=True)
    return np.concatenate(rows), np.concatenate(columns)


def _maximin_at_once(games: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Solve games that share nothing as one linear program.

    The variables of each are the rows' weights and the value, to be made as great as it can be
    without exceeding what the weights earn against any column.
    """
    from scipy.optimize import linprog
    from scipy.sparse import csr_matrix

    n_games, n, m = games.shape
    sizes = np.abs(games).max(axis=(1, 2), keepdims=True)
    games = games / np.where(sizes > 0, sizes, 1.0)
    game = np.arange(n_games)[:, None, None]
    shape = (n_games, m, n + 1)
    lines = np.broadcast_to(game * m + np.arange(m)[:, None], shape)
    variables = np.broadcast_to(game * (n + 1) + np.arange(n + 1), shape)
    value_less_payoff = np.concatenate(
        [-games.transpose(0, 2, 1), np.ones((n_games, m, 1))], axis=2
    )
    sums = np.repeat(np.arange(n_games), n)
    weights = variables[:, 0, :n].ravel()
    solved = linprog(
        np.tile(np.append(np.zeros(n), -1.0), n_games),
        A_ub=csr_matrix(
            (value_less_payoff.ravel(), (lines.ravel(), variables.ravel())),
            shape=(n_games * m, n_games * (n + 1)),
        ),
        b_ub=np.zeros(n_games * m),
        A_eq=csr_matrix(
            (np.ones(n_games * n), (sums, weights)), shape=(n_games, n_games * (n + 1))
        ),
        b_eq=np.ones(n_games),
        bounds=np.tile(np.array([[0.0, np.inf]] * n + [[-np.inf, np.inf]]), (n_games, 1)),
        method="highs",
    )
    if solved.status != 0:
        raise ArithmeticError(f"a matrix game was not solved: {solved.message}")
    rows = solved.x.reshape(n_games, n + 1)[:, :n]
    return _mixtures(rows), _mixtures(-solved.ineqlin.marginals.reshape(n_games, m))


def _mixtures(weights: np.ndarray) -> np.ndarray:
    weights = np.where(weights > _ROUNDING, weights, 0.0)
    return weights / weights.sum(axis=1, keepdims=True)
