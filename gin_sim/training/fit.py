"""Fitting a member of the family: its weights by regression, its knock table by optimal stopping.

A round plays the present policy against its opponents, tries single decisions both ways, regresses
what that was worth on the features, and solves the knock again for the new draws and discards
(policy iteration).  A hand is priced by points, or by the chance to win the game from the score.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from functools import partial

import numpy as np

from gin_sim.engine.jit import run_kernel
from gin_sim.engine.table import rule_record
from gin_sim.errors import InputError
from gin_sim.knock.induction import PathArrays, respond
from gin_sim.play.resume import new_states
from gin_sim.play.run import available_cores
from gin_sim.play.start import Units
from gin_sim.policies.catalogue import CATALOGUE
from gin_sim.policies.contract import N_BUCKETS, Policy, Value
from gin_sim.policies.decide import players_of
from gin_sim.policies.shipped.family_description import N_DISCARD, N_TAKE
from gin_sim.policies.shipped.family_parameters import WEIGHTS
from gin_sim.policies.shipped.knock_table import (
    MAX_TABLE_DEADWOOD,
    OUT_CLASSES,
    TABLE_TURNS,
    knock_text,
)
from gin_sim.rules import MAX_DEADWOOD, Rules
from gin_sim.training.samples import (
    MOST_POINTS,
    trace_knocks,
    try_discards,
    try_takes,
)
from gin_sim.training.scores import count_points, game_worth, sample_scores, visits_of

_CELLS = OUT_CLASSES * (MAX_TABLE_DEADWOOD + 1)
_SHAPE = (TABLE_TURNS, MAX_TABLE_DEADWOOD + 1, OUT_CLASSES)
_DEALS_A_CHUNK = 1 << 32  # chunks of work start this many deals apart: none runs into the next
_CHUNK_ROWS = 5000
_SCORES = 8192
_COUNTED_DEALS = 20_000


@dataclass(frozen=True)
class Lesson:
    """Whom to learn against in a round, and with what share of its data.

    Parameters
    ----------
    opponent : Policy or None
        None: the learner itself, as it stands.
    share : float
        0 to 1.
    """

    opponent: Policy | None
    share: float


def learner(values: dict[str, Value], name: str = "learner") -> Policy:
    """Return the member of the family with the given parameters."""
    return Policy(name, CATALOGUE["heuristic"], values)


def learn(
    values: dict[str, Value],
    lessons: Sequence[Lesson],
    rules: Rules,
    seed: int,
    n_rows: int = 400_000,
    n_paths: int = 200_000,
    to_win: bool = True,
    step: float = 1.0,
) -> dict[str, Value]:
    """Return a family member's parameters after one round of learning.

    Parameters
    ----------
    values : dict
        The learner's parameters by name.
    lessons : sequence of Lesson
    rules : Rules
        With a target above 0.
    seed : int
        Fixes every number; 100 apart for independent rounds.
    n_rows : int
        Discards tried both ways, and takes likewise.
    n_paths : int
        Deals traced for the knock table.
    to_win : bool
        Price by the chance to win a game, else by points.
    step : float
        0 to 1: the new weights are this share of the fitted ones and the rest of the old.

    Raises
    ------
    InputError
        If a game has no target, or a hand's points may be beyond the arrays.
    """
    most = 2 * (MAX_DEADWOOD + max(rules.gin_bonus, rules.undercut_bonus, rules.big_gin_bonus or 0))
    if rules.target <= 0 or most > MOST_POINTS:
        raise InputError(
            f"{rules.name} cannot be learnt: that takes a game to a target, here {rules.target}, "
            f"and hands of at most {MOST_POINTS} points, here up to {most}."
        )
    before = _weights_of(values)
    discards, takes = [], []
    for number, lesson in enumerate(lessons):
        base = seed + 10 * number
        players = _players(values, lesson)
        work = (players, rules, *_pricing(players, rules, base, to_win))
        n = round(n_rows * lesson.share)
        discards.append(_gather(partial(_rows, try_discards, N_DISCARD, base + 1, *work), n))
        takes.append(_gather(partial(_rows, try_takes, N_TAKE, base + 2, *work), n))
    rows = (np.concatenate(discards), np.concatenate(takes))
    fitted = [fit_weights(found, old) for found, old in zip(rows, before, strict=True)]
    after = [old + step * (new - old) for old, new in zip(before, fitted, strict=True)]
    return solve(_with_weights(values, after), lessons, rules, seed + 3, n_paths, to_win)


def solve(
    values: dict[str, Value],
    lessons: Sequence[Lesson],
    rules: Rules,
    seed: int,
    n_paths: int,
    to_win: bool = True,
) -> dict[str, Value]:
    """Return a family member's parameters with the best knock table; see :func:`learn`."""
    patient = {**values, "knock": "0", "close_within": 0.0}
    traced = []
    for number, lesson in enumerate(lessons):
        base = seed + 10 * number
        pricing = _pricing(_players(values, lesson), rules, base, to_win)
        players = _players(patient, lesson, opponent=values)
        work = partial(_paths, base + 1, players, rules, *pricing)
        traced.append(_gather(work, round(n_paths * lesson.share)))
    table, _ = solve_knock(
        *(np.concatenate(column) for column in zip(*traced, strict=True)), rules.knock_limit
    )
    return {**values, "knock": knock_text(table)}


def _players(values, lesson: Lesson, opponent=None) -> np.ndarray:
    other = lesson.opponent or learner(values if opponent is None else opponent)
    return players_of((learner(values), other))


def _gather(chunk: Callable, n: int):
    """Return chunks of work done in threads, joined in order; the same for any number of them."""
    sizes = [min(_CHUNK_ROWS, n - first) for first in range(0, n, _CHUNK_ROWS)]
    with ThreadPoolExecutor(available_cores()) as pool:
        found = list(
            pool.map(chunk, (number * _DEALS_A_CHUNK for number in range(len(sizes))), sizes)
        )
    if isinstance(found[0], tuple):
        return tuple(np.concatenate(column) for column in zip(*found, strict=True))
    return np.concatenate(found)


def _rows(kernel, width, seed, players, rules, scores, worth, first, n) -> np.ndarray:
    rows = np.zeros((n, width + 2))
    state = (*new_states(), rule_record(rules), players.copy())
    run_kernel(kernel, *state, seed, first, scores, worth, rows)
    return rows


def _paths(seed, players, rules, scores, worth, first, n):
    cells = np.zeros((n, TABLE_TURNS), np.int16)
    knocks = np.zeros((n, TABLE_TURNS))
    ends = np.zeros(n)
    state = (*new_states(), rule_record(rules), players.copy())
    units = Units(seed, first, n)
    run_kernel(trace_knocks, *state, units, scores, worth, cells, knocks, ends)
    return cells, knocks, ends


def _pricing(players, rules: Rules, seed: int, to_win: bool) -> tuple[np.ndarray, np.ndarray]:
    """Return scores as games meet them, and the value of each score."""
    counts = count_points(players, rules, seed, _COUNTED_DEALS)
    visits = visits_of(counts, rules.target)
    if to_win:
        worth = game_worth(counts, visits, rules)
    else:
        points = np.arange(rules.target + MOST_POINTS, dtype=float)
        worth = points[:, None] - points[None, :]
    return sample_scores(visits, _SCORES, np.random.default_rng(seed)), worth


def _weights_of(values: dict[str, Value]) -> list[np.ndarray]:
    """Return the discard and the take weights, shape (N_BUCKETS, n_features) each."""
    weights = np.array([values[weight.name] for weight in WEIGHTS]).T
    return [weights[:, :N_DISCARD], weights[:, N_DISCARD:]]


def _with_weights(values: dict[str, Value], weights: Sequence[np.ndarray]) -> dict[str, Value]:
    """Return parameters with other weights, rounded to hundredths of a point."""
    columns = np.concatenate(weights, axis=1).T
    return values | {
        weight.name: tuple(float(w) for w in np.clip(column, weight.low, weight.high).round(2) + 0)
        for weight, column in zip(WEIGHTS, columns, strict=True)
    }


# ---------------------------------------------------------------------------------------------
# Regression and optimal stopping


def fit_weights(rows: np.ndarray, before: np.ndarray, ridge: float = 20.0) -> np.ndarray:
    """Return the weights by bucket that explain rows of differences best.

    Parameters
    ----------
    rows : float64 array, shape (n, n_features + 2)
        As :func:`try_discards` and :func:`try_takes` fill them.
    before : float64 array, shape (N_BUCKETS, n_features)
        The weights so far: kept in buckets with fewer than 1,000 rows.  A feature that never
        differs gets 0.
    ridge : float
        Penalty on the squared weight of a feature scaled to root mean square 1.
    """
    weights = before.copy()
    for bucket in range(N_BUCKETS):
        here = rows[rows[:, 0] == bucket]
        if len(here) < 1000:
            continue
        features, gained = here[:, 1:-1], here[:, -1]
        sizes = np.sqrt((features**2).mean(axis=0))
        used = sizes > 1e-3
        scaled = features[:, used] / sizes[used]
        weights[bucket] = 0
        weights[bucket, used] = (
            np.linalg.solve(scaled.T @ scaled + ridge * np.eye(used.sum()), scaled.T @ gained)
            / sizes[used]
        )
    return weights


def solve_knock(
    cells: np.ndarray,
    knocks: np.ndarray,
    ends: np.ndarray,
    knock_limit: int = 10,
    at_least: int = 200,
) -> tuple[np.ndarray, float]:
    """Return the best knock table against the traced opponent, by backward induction.

    A cell knocks where its mean value of a knock beats the mean of playing on under the rule found
    for later turns; a cell of fewer than ``at_least`` paths does as the next lower deadwood does.
    What the cells of a turn with few paths do is known once its other cells are decided, and the
    turns before rest on it: so the induction is repeated until the rule stands, turn by turn from
    the last.

    Parameters
    ----------
    cells, knocks, ends
        As :func:`gin_sim.training.samples.trace_knocks` fills them.
    knock_limit : int
        Greatest deadwood (pips) that the rules allow a knock with.
    at_least : int
        Paths.

    Returns
    -------
    table : int64 array, shape (TABLE_TURNS, OUT_CLASSES)
        Masks of the deadwoods to knock with.
    value : float
        Mean value of the rule on these paths (optimistic: the rule was chosen on them).
    """
    allowed = (cells >= 0) & (cells // OUT_CLASSES <= knock_limit)
    paths = _paths_in_cells(allowed, cells, knocks, ends)
    n_cells = math.prod(_SHAPE)
    sums, weights, values = np.zeros(n_cells), np.zeros(n_cells), np.zeros(len(ends))
    never = np.zeros(n_cells)  # the opponent's knocks are in the paths
    unreached = np.zeros(n_cells, np.bool_)  # each cell counts as if nobody had knocked before
    rule, before = np.zeros(n_cells, np.bool_), None
    while before is None or not np.array_equal(rule, before):
        before = rule.copy()
        run_kernel(
            respond,
            *(paths, never, 0, TABLE_TURNS, float(at_least), unreached),
            *(sums, weights, rule, values),
        )
        _do_as_lower(rule.reshape(_SHAPE), weights.reshape(_SHAPE) < at_least, knock_limit)
    by_deadwood = rule.reshape(_SHAPE).astype(np.int64) << np.arange(_SHAPE[1])[:, None]
    return by_deadwood.sum(axis=1), float(values.mean())


def _paths_in_cells(
    allowed: np.ndarray, cells: np.ndarray, knocks: np.ndarray, ends: np.ndarray
) -> PathArrays:
    """Return traced paths as the induction reads them, all knocks player 0's."""
    path, turn = np.nonzero(allowed)
    starts = np.searchsorted(path, np.arange(len(ends) + 1))
    return PathArrays(
        starts,
        np.zeros(len(path), np.uint8),
        (turn + 1).astype(np.uint8),
        (turn * _CELLS + cells[path, turn]).astype(np.int32),
        knocks[path, turn],
        ends,
    )


def _do_as_lower(rule: np.ndarray, few: np.ndarray, knock_limit: int) -> None:
    """Let cells of few paths do as the next lower deadwood does; arrays of _SHAPE."""
    rule[:, 0] = False
    for deadwood in range(1, knock_limit + 1):
        rule[:, deadwood] = np.where(few[:, deadwood], rule[:, deadwood - 1], rule[:, deadwood])
