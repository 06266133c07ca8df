"""When to knock, by all that the mover sees: the best rule against a fixed opponent, by regression.

Least-squares Monte Carlo, as American options are priced (Longstaff and Schwartz, "Valuing American
options by simulation", Review of Financial Studies 14, 2001): from the last own turn to the first,
how much more a knock is worth than playing on is regressed on features of the knock, and the rule
knocks where the prediction is above zero.  Both sides of that difference hang on the opponent's
hidden hand, so the difference is regressed, not what playing on is worth alone; and every knock of
a turn counts, since all of them may be made.

The rule of one half of the deals is valued on the other half, both ways: that value is unbiased for
those rules, hence at most the best rule's in the mean.  The rule of all deals, valued on the same
deals, is the optimistic figure; the two bracket what the best rule on these features is worth, up
to what squared error misses of it.
"""

from __future__ import annotations

import threading
from dataclasses import dataclass, replace

import numpy as np

from gin_sim.errors import InputError
from gin_sim.knock.best_response import mean_of, own_values
from gin_sim.knock.features import Features
from gin_sim.knock.tracing import Traced
from gin_sim.payoff.payoff import PriceTable
from gin_sim.stats.intervals import Estimate

#: Knocks that a turn's regression rests on, later turns' added until there are so many.  Between
#: 1,000 and 40,000 matters little with 500,000 deals; with 20,000, 10,000 gain 0.04 to 0.09 points
#: per hand over 1,000 (strong against simple and against itself).
POOL = 10_000
#: Knocks, with later turns', below which a turn's rule is to play on.
AT_LEAST = 30
#: Ridge penalty on standardised features, in knocks.
RIDGE = 10.0

_PASSES = 3
# A product of so many rows stays on one core: OpenBLAS shares larger ones out, which takes a
# hundred times as long where other processes keep the cores busy.
_BLOCK = 128
_PIECE = 64 * _BLOCK


@dataclass(frozen=True)
class _Problem:
    """Knocks in order of own turn and, within one, of their deals' half; some or all of them.

    ``parts`` says where the knocks of each own turn are, from 0; ``members`` which paths count.
    """

    columns: np.ndarray  # float32, shape (knocks, features)
    values: np.ndarray  # float64, of each knock
    turns: np.ndarray
    path: np.ndarray  # int32, of each knock
    ends: np.ndarray  # float64, of each path
    parts: tuple[slice, ...]
    members: np.ndarray

    @classmethod
    def of(
        cls, traced: Traced, features: Features, prices: PriceTable
    ) -> tuple[_Problem, list[_Problem]]:
        """Return the problem of all paths and those of either half."""
        knocks = traced.knocks.view(np.ndarray)
        if np.any(knocks["side"] != 0):
            raise InputError(
                "These paths hold knocks of both sides, and a rule by features is found against an "
                "opponent that stops by its own: trace them with stops=True."
            )
        half = traced.half
        path = np.repeat(np.arange(len(half), dtype=np.int32), np.diff(traced.starts))
        # Turn and half, in eight bits.
        place = knocks["turn"] * np.uint8(2) + half.astype(np.uint8)[path]
        order = np.argsort(place, kind="stable")
        knocks, place = knocks[order], place[order]
        turns = place >> 1
        n_turns = int(turns[-1]) + 1 if len(turns) else 1
        bounds = np.searchsorted(place, np.arange(2 * n_turns + 1)).tolist()
        whole = cls(
            features.of(knocks),
            prices.of_knocks(knocks).astype(np.float64),
            turns,
            path[order],
            prices.of_ends(traced.ends).astype(np.float64),
            tuple(slice(bounds[2 * turn], bounds[2 * turn + 2]) for turn in range(n_turns)),
            np.ones(len(half), np.bool_),
        )
        return whole, [
            replace(
                whole,
                parts=tuple(
                    slice(bounds[2 * turn + which], bounds[2 * turn + which + 1])
                    for turn in range(n_turns)
                ),
                members=half == which,
            )
            for which in (0, 1)
        ]

    def first_chosen(self, chosen: np.ndarray) -> np.ndarray:
        """Return the turn of each path's first chosen knock, uint8; 255 for none."""
        first = np.full(len(self.ends), 255, np.uint8)
        rows = np.flatnonzero(chosen)[::-1]
        # Turns fall along these rows, and the last assignment to a path stands.
        first[self.path[rows]] = self.turns[rows]
        return first

    def values_where(self, chosen: np.ndarray) -> np.ndarray:
        """Return the value of each path that counts if the first of the chosen knocks is made."""
        values = self.ends.copy()
        rows = np.flatnonzero(chosen)[::-1]
        values[self.path[rows]] = self.values[rows]
        return values[self.members]


def _predict(columns: np.ndarray, coefficients: np.ndarray) -> np.ndarray:
    """Return the predictions of rows: by one core, so that the last bit does not hang on them."""
    return np.einsum("ij,j->i", columns, coefficients)


def _products(columns: np.ndarray, gains: np.ndarray, rows: np.ndarray | None = None) -> np.ndarray:
    """Return the sums of products of features and gains, shape (features + 1, features + 1).

    Of some rows or all.  Exact, in whatever order, where features and gains are whole numbers or
    coarse binary fractions.
    """
    if rows is not None:
        gains = gains[rows]
    n, n_columns = len(gains), columns.shape[1] + 1
    total = np.zeros((n_columns, n_columns))
    room = np.empty((min(_PIECE, -(-n // _BLOCK) * _BLOCK), n_columns))
    for first in range(0, n, _PIECE):
        last = min(first + _PIECE, n)
        count = last - first
        room[:count, :-1] = columns[first:last] if rows is None else columns[rows[first:last]]
        room[:count, -1] = gains[first:last]
        filled = -(-count // _BLOCK) * _BLOCK
        room[count:filled] = 0.0
        blocks = room[:filled].reshape(-1, _BLOCK, n_columns)
        total += np.matmul(blocks.transpose(0, 2, 1), blocks).sum(axis=0)
    return total


def ridge(products: np.ndarray, penalty: float = RIDGE) -> tuple[np.ndarray, np.ndarray]:
    """Return the ridge regression of the last column on the others, in their own units.

    Hoerl and Kennard, "Ridge regression: biased estimation for nonorthogonal problems",
    Technometrics 12 (1970): features are standardised, the constant is not penalised, and a feature
    that does not vary gets no coefficient.

    Parameters
    ----------
    products : float64 array, shape (features + 1, features + 1)
        Sums of products; the first column is the constant 1, the last what is regressed.
    penalty : float
        In rows.

    Returns
    -------
    coefficients, deviations : float64 arrays, shape (features,)
        And the standard deviation of each feature.
    """
    n = products[0, 0]
    means = products[0] / n
    spread = products / n - np.outer(means, means)
    variances = np.diag(spread)[:-1]
    varies = variances > 1e-9 * np.maximum(np.diag(products)[:-1] / n, 1e-300)
    varies[0] = False
    deviations = np.where(varies, np.sqrt(np.maximum(variances, 0.0)), 0.0)
    scale = deviations[varies]
    system = spread[:-1, :-1][np.ix_(varies, varies)] / np.outer(scale, scale)
    system[np.diag_indices_from(system)] += penalty / n
    coefficients = np.zeros(len(deviations))
    coefficients[varies] = np.linalg.solve(system, spread[:-1, -1][varies] / scale) / scale
    coefficients[0] = means[-1] - means[:-1] @ coefficients
    return coefficients, deviations


class _Stopped(Exception):
    """What is asked for is no longer wanted."""


def _pass(
    problem: _Problem,
    first: np.ndarray | None,
    n_columns: int,
    stop: threading.Event | None = None,
):
    """Regress turn by turn, last to first; return coefficients, deviations and the rule's choice.

    Parameters
    ----------
    first : uint8 array, shape (paths,), or None
        Turn of the knock that an earlier rule makes on each path; later ones do not count.
    n_columns : int
        Features used, from the first.
    stop : threading.Event, optional
        Once set, it raises _Stopped.
    """
    shape = (len(problem.parts), problem.columns.shape[1])
    coefficients, deviations = np.zeros(shape), np.zeros(shape)
    chosen = np.zeros(len(problem.turns), np.bool_)
    worth = problem.ends.copy()
    later: list[np.ndarray] = []
    for turn in range(len(problem.parts) - 1, 0, -1):
        if stop is not None and stop.is_set():
            raise _Stopped
        part = problem.parts[turn]
        columns = problem.columns[part, :n_columns]
        path = problem.path[part]
        gains = problem.values[part] - worth[path]
        if first is None:
            later.append(_products(columns, gains))
        else:
            rows = np.flatnonzero(first[path] >= turn)
            later.append(_products(columns, gains, rows))
        products = np.zeros_like(later[-1])
        for each in reversed(later):
            products += each
            if products[0, 0] >= POOL:
                break
        if products[0, 0] < AT_LEAST:
            continue
        found, spread = ridge(products)
        coefficients[turn, :n_columns] = found
        deviations[turn, :n_columns] = spread
        knocked = _predict(columns, found) > 0.0
        chosen[part] = knocked
        worth[path[knocked]] = problem.values[part][knocked]
    return coefficients, deviations, chosen


def _fit(
    problem: _Problem, n_linear: int, stop: threading.Event | None = None
) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Return the best rule on some paths: coefficients and deviations by turn, and its choice.

    The first pass is a rough one: on all knocks, without squares and products.  Later ones use all
    features on the knocks that the rule before comes to, until the rule stands or stops gaining.
    """
    best = _pass(problem, None, n_linear, stop)
    if not problem.members.any():
        return best
    chosen = best[2]
    best_value = problem.values_where(chosen).mean()
    for _ in range(_PASSES - 1):
        first = problem.first_chosen(chosen)
        found = _pass(problem, first, problem.columns.shape[1], stop)
        value = problem.values_where(found[2]).mean()
        stands = np.array_equal(chosen, found[2])
        chosen = found[2]
        if value < best_value:
            break
        best, best_value = found, value
        if stands:
            break
    return best


def _choices(problem: _Problem, coefficients: np.ndarray) -> np.ndarray:
    """Return which knocks a rule makes, wherever it comes to them."""
    chosen = np.zeros(len(problem.turns), np.bool_)
    for row, part in zip(coefficients, problem.parts, strict=True):
        chosen[part] = _predict(problem.columns[part], row) > 0.0
    return chosen


@dataclass(frozen=True)
class FeatureRule:
    """The best knock rule by features, against the traced opponent.

    Parameters
    ----------
    features : Features
    coefficients : float64 array, shape (turns, features)
        Of what a knock gains, by own turn from 1, fitted on all paths; later turns do as the last.
    deviations : float64 array, shape (turns, features)
        Standard deviation of each feature among the knocks that decided.
    values : float64 array, shape (paths,)
        What each path is worth under the rule of the half that it does not belong to.
    value : Estimate
        Mean of the values: at most the best rule's.
    in_sample : Estimate
        Of the rule of all paths on those paths: optimistic.
    own : Estimate
        Of the base's own rule.
    gain : Estimate
        The value less the own rule's, path by path.
    """

    features: Features
    coefficients: np.ndarray
    deviations: np.ndarray
    values: np.ndarray
    value: Estimate
    in_sample: Estimate
    own: Estimate
    gain: Estimate

    def gains_of(self, knocks: np.ndarray) -> np.ndarray:
        """Return what the rule expects each knock to gain over playing on, float64, shape
        (knocks,).

        Parameters
        ----------
        knocks : record array of TRACED_KNOCK
        """
        columns = self.features.of(knocks)
        gains = np.zeros(len(knocks))
        if len(self.coefficients):
            turns = np.minimum(knocks["turn"], len(self.coefficients))
            for turn in np.unique(turns):
                rows = np.flatnonzero(turns == turn)
                gains[rows] = _predict(columns[rows], self.coefficients[turn - 1])
        return gains

    def over(self, values: np.ndarray) -> Estimate:
        """Return what the rule is worth more than another whose path values are given, by path."""
        return mean_of(self.values - values)

    def strongest(self, turn: int, count: int = 8) -> list[tuple[str, float]]:
        """Return the features that move a turn's prediction most.

        Features overlap, so two may pull against each other;
        :func:`gin_sim.knock.comparisons.what_matters` leaves whole sources out instead.

        Returns
        -------
        list of (str, float)
            Name, and points that one standard deviation more adds; largest first.
        """
        if not 1 <= turn <= len(self.coefficients):
            raise InputError(
                f"The rule has no turn {turn}; its turns are 1 to {len(self.coefficients)}."
            )
        effects = self.coefficients[turn - 1] * self.deviations[turn - 1]
        order = np.argsort(-np.abs(effects), kind="stable")[:count]
        names = self.features.names
        return [(names[place], float(effects[place])) for place in order if effects[place]]


def fit_by_features(
    traced: Traced,
    prices: PriceTable,
    features: Features | None = None,
    stop: threading.Event | None = None,
) -> FeatureRule | None:
    """Find the best knock rule of side 0 by what its mover sees, against the traced opponent.

    Parameters
    ----------
    traced : Traced
        Of a plan in which side 1 stops by its own rule.
    prices : PriceTable
    features : Features, optional
        All of them by default.
    stop : threading.Event, optional
        Once set, the rule is left unfinished.

    Returns
    -------
    FeatureRule or None
        None where it was stopped.

    Raises
    ------
    InputError
        Where the paths hold knocks of side 1.
    """
    try:
        return _fitted(traced, prices, features or Features(), stop)
    except _Stopped:
        return None


def _fitted(
    traced: Traced, prices: PriceTable, features: Features, stop: threading.Event | None
) -> FeatureRule:
    whole, halves = _Problem.of(traced, features, prices)
    values = np.empty(len(whole.ends))
    for fitted, judged in (halves, halves[::-1]):
        coefficients, _, _ = _fit(fitted, features.n_linear, stop)
        values[judged.members] = judged.values_where(_choices(judged, coefficients))
    coefficients, deviations, chosen = _fit(whole, features.n_linear, stop)
    in_sample = whole.values_where(chosen)
    own = own_values(traced, prices)
    return FeatureRule(
        features,
        coefficients[1:],
        deviations[1:],
        values,
        mean_of(values),
        mean_of(in_sample),
        mean_of(own),
        mean_of(values - own),
    )
