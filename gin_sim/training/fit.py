"""Fitting a member of the family: its weights by regression, its knock table by optimal stopping.

A round plays the present policy against its opponents, tries single decisions both ways, regresses
what that was worth on the features, and solves the knock again for the new draws and discards
(policy iteration).  A hand is priced by points, or by the chance to win the game from the score.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from functools import partial

import numpy as np

from gin_sim.engine.jit import run_kernel
from gin_sim.engine.table import new_state
from gin_sim.errors import InputError
from gin_sim.play.hand_results import count_results
from gin_sim.play.resume import new_states
from gin_sim.play.run import available_cores
from gin_sim.policies.catalogue import CATALOGUE
from gin_sim.policies.contract import N_BUCKETS, Policy, Value
from gin_sim.policies.decide import players_of
from gin_sim.policies.shipped.family_parameters import WEIGHTS
from gin_sim.policies.shipped.family_scores import N_DISCARD, N_TAKE
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

_CELLS = OUT_CLASSES * (MAX_TABLE_DEADWOOD + 1)
_DEALS_APART = 1 << 32  # chunks of work start this many deals apart: none runs into the next
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
            pool.map(chunk, (number * _DEALS_APART for number in range(len(sizes))), sizes)
        )
    if isinstance(found[0], tuple):
        return tuple(np.concatenate(column) for column in zip(*found, strict=True))
    return np.concatenate(found)


def _rows(kernel, width, seed, players, rules, scores, worth, first, n) -> np.ndarray:
    rows = np.zeros((n, width + 2))
    state = (*new_states(), rules.numbers(), players.copy())
    run_kernel(kernel, *state, seed, first, scores, worth, rows)
    return rows


def _paths(seed, players, rules, scores, worth, first, n):
    cells = np.zeros((n, TABLE_TURNS), np.int16)
    knocks = np.zeros((n, TABLE_TURNS))
    ends = np.zeros(n)
    state = (*new_states(), rules.numbers(), players.copy())
    run_kernel(trace_knocks, *state, seed, first, scores, worth, cells, knocks, ends)
    return cells, knocks, ends


def _pricing(players, rules: Rules, seed: int, to_win: bool) -> tuple[np.ndarray, np.ndarray]:
    """Return scores as games meet them, and the worth of each score."""
    counts = count_points(players, rules, seed, _COUNTED_DEALS)
    worth, visits = game_worth(counts, rules.target)
    if not to_win:
        points = np.arange(len(worth), dtype=float)
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
# What a hand's result is worth


def count_points(players: np.ndarray, rules: Rules, seed: int, n_deals: int) -> np.ndarray:
    """Play mirrored pairs at 0-0 and count who scored how much.

    Returns
    -------
    int64 array, shape (2, MOST_POINTS + 1)
        Hands by the points that player 0 and player 1 scored; those that nobody won are at (0, 0).
    """
    results = np.zeros((1, 1, 2, 3, MOST_POINTS + 1), np.int64)
    at_nil = np.zeros((1, 4), np.int64)
    state = (*new_state(), np.zeros(2, np.int64), results, at_nil, rules.numbers(), players.copy())
    run_kernel(count_results, *state, seed, 0, n_deals, 2)
    mine, theirs, nobodys = results.sum(axis=(0, 1, 2))
    mine[0] += nobodys.sum()
    return np.stack([mine, theirs])


def chance_to_win(counts: np.ndarray, target: int) -> tuple[np.ndarray, np.ndarray]:
    """Return the chance to win a game from each score, and how often each score is met.

    Hands are taken as independent, whoever deals; boxes and bonuses of the game do not count.

    Parameters
    ----------
    counts : int64 array, shape (2, MOST_POINTS + 1)
        As :func:`count_points` fills it.
    target : int
        Points that end the game.

    Returns
    -------
    chance : float64 array, shape (target + MOST_POINTS, target + MOST_POINTS)
        ``chance[mine, theirs]``; 1 or 0 once a score has reached the target.
    visits : float64 array, shape (target, target)
        Hands of a game that begin at each score, washes apart.
    """
    mine, theirs = _shares(counts)
    size = target + MOST_POINTS
    chance = np.zeros((size, size))
    chance[target:, :target] = 1
    chance[target:, target:] = 0.5
    for total in reversed(range(2 * target - 1)):
        for own in range(max(0, total - target + 1), min(total, target - 1) + 1):
            other = total - own
            chance[own, other] = (
                mine[1:] @ chance[own + 1 : own + MOST_POINTS + 1, other]
                + theirs[1:] @ chance[own, other + 1 : other + MOST_POINTS + 1]
            )
    visits = np.zeros((size, size))
    visits[0, 0] = 1
    for total in range(2 * target - 1):
        for own in range(max(0, total - target + 1), min(total, target - 1) + 1):
            other = total - own
            here = visits[own, other]
            visits[own + 1 : own + MOST_POINTS + 1, other] += here * mine[1:]
            visits[own, other + 1 : other + MOST_POINTS + 1] += here * theirs[1:]
    return chance, visits[:target, :target]


def _shares(counts: np.ndarray) -> np.ndarray:
    """Return the shares of the hands by who won how much, washes apart."""
    results = counts.astype(float)
    results[0, 0] = 0
    return results / results.sum()


def game_worth(counts: np.ndarray, target: int) -> tuple[np.ndarray, np.ndarray]:
    """Return the worth of each score by the chance to win, in points, and how often it is met.

    One unit is scaled so that a hand's result varies as much as it does in points.  Parameters and
    shapes are those of :func:`chance_to_win`.
    """
    chance, visits = chance_to_win(counts, target)
    mine, theirs = _shares(counts)
    points = np.arange(MOST_POINTS + 1)
    in_points = mine @ points**2 + theirs @ points**2
    in_chance = 0.0
    for own, other in np.argwhere(visits > 0):
        here = chance[own, other]
        gains = chance[own : own + MOST_POINTS + 1, other] - here
        losses = chance[own, other : other + MOST_POINTS + 1] - here
        in_chance += visits[own, other] * (mine @ gains**2 + theirs @ losses**2)
    scale = np.sqrt(in_points / (in_chance / visits.sum()))
    return chance * scale, visits


def sample_scores(visits: np.ndarray, n_scores: int, generator: np.random.Generator) -> np.ndarray:
    """Return scores as games meet them: int64, shape (n_scores, 2), mine and theirs."""
    chosen = generator.choice(visits.size, n_scores, p=visits.ravel() / visits.sum())
    return np.stack(np.unravel_index(chosen, visits.shape), axis=1).astype(np.int64)


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

    A cell knocks where its mean worth of a knock beats the mean of going on under the rule found
    for later turns; a cell of fewer than ``at_least`` paths does as the next lower deadwood does.

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
        Mean worth of the rule on these paths (optimistic: the rule was chosen on them).
    """
    table = np.zeros((TABLE_TURNS, OUT_CLASSES), np.int64)
    going_on = ends.copy()
    for turn in reversed(range(TABLE_TURNS)):
        cell = cells[:, turn]
        there = cell >= 0
        gained = knocks[there, turn] - going_on[there]
        counts = np.bincount(cell[there], minlength=_CELLS)
        gains = np.bincount(cell[there], gained, minlength=_CELLS)
        for outs in range(OUT_CLASSES):
            knocks_here = False
            for deadwood in range(1, knock_limit + 1):
                at = OUT_CLASSES * deadwood + outs
                if counts[at] >= at_least:
                    knocks_here = gains[at] > 0
                if knocks_here:
                    table[turn, outs] |= 1 << deadwood
        outs, deadwood = cell[there] % OUT_CLASSES, cell[there] // OUT_CLASSES
        stops = np.flatnonzero(there)[table[turn, outs] >> deadwood & 1 == 1]
        going_on[stops] = knocks[stops, turn]
    return table, float(going_on.mean())
