"""What a score is worth to a player who learns, and how often games meet it.

A game is simplified: hands are independent whoever deals, and reaching the target wins it.
"""

from __future__ import annotations

import numpy as np

from gin_sim.engine.jit import run_kernel
from gin_sim.engine.table import new_state, rule_record
from gin_sim.payoff.game_solver import Chances, places_of, solve_backward
from gin_sim.play.hand_results import count_results
from gin_sim.play.start import Units
from gin_sim.rules import Rules
from gin_sim.training.samples import MOST_POINTS

#: Whoever reaches the target has won, as the game solver takes it; see ``solve_backward``.
_WON_BY_REACHER = np.array([[[[1, 0, 1, 1, 0]] * 2, [[0] * 5] * 2]], np.float64)


def count_points(players: np.ndarray, rules: Rules, seed: int, n_deals: int) -> np.ndarray:
    """Play mirrored pairs at 0-0 and count who scored how much.

    Returns
    -------
    int64 array, shape (2, MOST_POINTS + 1)
        Hands by the points that player 0 and player 1 scored; those that nobody won are at (0, 0).
    """
    results = np.zeros((1, 1, 2, 3, MOST_POINTS + 1), np.int64)
    at_nil = np.zeros((1, 4), np.int64)
    state = (
        *new_state(),
        np.zeros(2, np.int64),
        results,
        at_nil,
        rule_record(rules),
        players.copy(),
    )
    run_kernel(count_results, *state, Units(seed, 0, n_deals, 2))
    mine, theirs, nobodys = results.sum(axis=(0, 1, 2))
    mine[0] += nobodys.sum()
    return np.stack([mine, theirs])


def chance_to_win(counts: np.ndarray, rules: Rules) -> np.ndarray:
    """Return the chance to win a game from each score.

    Hands are taken as independent, whoever deals; boxes and bonuses of the game do not count.

    Parameters
    ----------
    counts : int64 array, shape (2, MOST_POINTS + 1)
        As :func:`count_points` fills it.
    rules : Rules
        With a target above 0.

    Returns
    -------
    float64 array, shape (target + MOST_POINTS, target + MOST_POINTS)
        ``chance[mine, theirs]``; 1 or 0 once a score has reached the target.
    """
    target = rules.target
    by_either = np.broadcast_to(_shares(counts), (1, 2, 2, MOST_POINTS + 1)).copy()
    chances = Chances(by_either, np.zeros((1, 2)))
    places = places_of(target, boxed=False)
    classes = np.zeros((target, target), np.int64)
    solved = solve_backward(chances, classes, _WON_BY_REACHER, 0, places, rules)
    chance = np.zeros((target + MOST_POINTS, target + MOST_POINTS))
    chance[target:, :target] = 1
    chance[target:, target:] = 0.5
    chance[:target, :target] = solved[0, places.origins, 0]  # whoever deals
    return chance


def visits_of(counts: np.ndarray, target: int) -> np.ndarray:
    """Return how often each score is met: hands of a game that begin there, washes left out.

    Parameters
    ----------
    counts
        As for :func:`chance_to_win`.
    target : int

    Returns
    -------
    float64 array, shape (target, target)
    """
    mine, theirs = _shares(counts)
    visits = np.zeros((target + MOST_POINTS, target + MOST_POINTS))
    visits[0, 0] = 1
    for total in range(2 * target - 1):
        for own in range(max(0, total - target + 1), min(total, target - 1) + 1):
            other = total - own
            here = visits[own, other]
            visits[own + 1 : own + MOST_POINTS + 1, other] += here * mine[1:]
            visits[own, other + 1 : other + MOST_POINTS + 1] += here * theirs[1:]
    return visits[:target, :target]


def _shares(counts: np.ndarray) -> np.ndarray:
    """Return the shares of the hands by who won how much, washes left out."""
    results = counts.astype(float)
    results[0, 0] = 0
    return results / results.sum()


def game_worth(counts: np.ndarray, visits: np.ndarray, rules: Rules) -> np.ndarray:
    """Return the value of each score by the chance to win, in points.

    One unit is scaled so that a hand's result varies as much as it does in points.  Parameters and
    shapes are those of :func:`chance_to_win` and :func:`visits_of`.
    """
    chance = chance_to_win(counts, rules)
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
    return chance * scale


def sample_scores(visits: np.ndarray, n_scores: int, generator: np.random.Generator) -> np.ndarray:
    """Return scores as games meet them: int64, shape (n_scores, 2), mine and theirs."""
    chosen = generator.choice(visits.size, n_scores, p=visits.ravel() / visits.sum())
    return np.stack(np.unravel_index(chosen, visits.shape), axis=1).astype(np.int64)
