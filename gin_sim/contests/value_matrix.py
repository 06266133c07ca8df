"""A policy's values against each other: a matrix of payoffs, and what it says as a game.

Two players who draw and discard alike each choose a value, such as a knock threshold.  From the
matrix of leads follow each value's best reply, values that no one should choose, and the mixture
that nobody can exploit: an equilibrium among these values for this play, not of gin rummy.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import combinations

import numpy as np

from gin_sim.contests.estimates import Leads
from gin_sim.errors import InputError
from gin_sim.play.plans import PairingsPlan, PathsPlan
from gin_sim.policies.same_play import same_play, why_not_same_play
from gin_sim.policies.variations import Grid
from gin_sim.rules import Rules
from gin_sim.stats.intervals import Estimate
from gin_sim.stats.matrix_games import Dominated, bootstrap, dominated
from gin_sim.words import listed


@dataclass(frozen=True)
class Reply:
    """The best answer to a value.

    Parameters
    ----------
    best : int
        The value that leads most, by its number.
    lead : Estimate
        By how much, a hand (a game); the interval is that of the cell.
    among_best : tuple of int
        The values of which none is found to be worse an answer than another.
    """

    best: int
    lead: Estimate
    among_best: tuple[int, ...]


@dataclass(frozen=True)
class Avoided:
    """A value that a mixture of others beats whatever the other player chooses.

    Parameters
    ----------
    value : int
    weights : tuple of float
        The mixture, by value.
    margin : Estimate
        How much more it leads by, where that is least.  The interval holds together with those of
        all values and all mixtures of others, so that having searched for them costs nothing.
    """

    value: int
    weights: tuple[float, ...]
    margin: Estimate


@dataclass(frozen=True)
class Payoffs:
    """What a grid's values do against each other.

    Parameters
    ----------
    leads : Leads
    grid : Grid
    cells : tuple of tuple of Estimate
        The row's lead over the column a hand (a game); the intervals hold all at once.
    replies : tuple of Reply
        To each value.
    avoided : tuple of Avoided
        Values that are found to be dominated.
    equilibrium : tuple of Estimate
        The weight of each value, 0-1, with its interval over bootstrap samples of the deals.
    value : Estimate
        What the row leads by in equilibrium.
    against_equilibrium : tuple of Estimate
        Each value's lead over the equilibrium's mixture; the intervals hold all at once, for the
        mixture as it stands.
    """

    leads: Leads
    grid: Grid
    cells: tuple[tuple[Estimate, ...], ...]
    replies: tuple[Reply, ...]
    avoided: tuple[Avoided, ...]
    equilibrium: tuple[Estimate, ...]
    value: Estimate
    against_equilibrium: tuple[Estimate, ...]


def plan_payoffs(
    grid: Grid,
    rules: Rules,
    size: int,
    objective: str = "points",
    seed: int = 1,
    one_pass: bool = True,
) -> PathsPlan | PairingsPlan:
    """Return how a grid's values meet each other, every row with every column.

    Parameters
    ----------
    grid : Grid
    rules : Rules
    size : int
        Hands, or games for the objective ``win``, of each meeting.
    objective, seed
        As for the plans.  Hands are mirrored, which makes the game the same for both players.
    one_pass : bool
        From one walk over each deal's path; else each meeting is played out.

    Raises
    ------
    InputError
        If one pass is wanted and the policies' draws or discards depend on what is varied.
    """
    policies = grid.policies
    if not one_pass or objective == "win":
        pairings = tuple((row, column) for row in policies for column in policies)
        return PairingsPlan(pairings, rules, size, objective, seed)
    if not same_play(policies):
        raise InputError(
            f"one pass cannot serve all values: {why_not_same_play(policies)[:-1]}; give "
            "--cell-by-cell to play every meeting out, or vary the knock alone."
        )
    return PathsPlan(((policies, policies),), rules, size, objective, seed)


def n_claims(n_values: int) -> int:
    """Return how many leads of a matrix are claims of their own: each two values, once."""
    return max(1, n_values * (n_values - 1) // 2)


def payoffs(leads: Leads, grid: Grid, seed: int = 1) -> Payoffs:
    """Turn the leads of a grid's meetings with itself into a game and solve it.

    Parameters
    ----------
    leads : Leads
        Of what :func:`plan_payoffs` plans.
    grid : Grid
    seed : int
        Of the bootstrap.
    """
    n = len(grid.policies)
    groups = leads.a_hand(np.eye(n * n))
    solved = bootstrap(groups, n, n, seed=seed)
    mixture = np.array([weight.estimate for weight in solved.column])
    figures = leads.meetings
    return Payoffs(
        leads,
        grid,
        tuple(tuple(figures[row * n : row * n + n]) for row in range(n)),
        tuple(_reply(leads, figures, n, column) for column in range(n)),
        tuple(avoided_values(leads, n)),
        tuple(solved.row),
        solved.value,
        tuple(leads.claims(np.kron(np.eye(n), mixture[None]))),
    )


def _reply(leads: Leads, figures: list[Estimate], n: int, column: int) -> Reply:
    numbers = np.arange(n) * n + column
    best = int(np.argmax([figures[number].estimate for number in numbers]))
    _, among = leads.against_best(np.eye(n * n)[numbers], quick=True)
    return Reply(best, figures[numbers[best]], tuple(np.flatnonzero(among).tolist()))


def avoided_values(leads: Leads, n: int) -> list[Avoided]:
    """Return the values found to be dominated, by bounds of all differences that hold at once.

    Parameters
    ----------
    leads : Leads
        Of every value over every value.
    n : int
        Values.
    """
    pairs = list(combinations(range(n), 2))
    if not pairs:
        return []
    one_by_one = np.eye(n)
    family = [np.kron((one_by_one[i] - one_by_one[k])[None], one_by_one) for i, k in pairs]
    figures = leads.claims(np.concatenate(family), quick=True)
    bounds = np.zeros((3, n, n, n))
    for place, (i, k) in enumerate(pairs):
        for column in range(n):
            figure = figures[place * n + column]
            bounds[:, i, k, column] = figure.estimate, figure.low, figure.high
            bounds[:, k, i, column] = -figure.estimate, -figure.high, -figure.low
    if np.isnan(bounds).any():
        return []
    return [_margin(found, bounds) for found in dominated(bounds[1])]


def _margin(found: Dominated, bounds: np.ndarray) -> Avoided:
    margins = np.einsum("i,bic->bc", found.weights, bounds[:, :, found.row]).min(axis=1)
    return Avoided(found.row, tuple(found.weights.tolist()), Estimate(*margins.tolist()))


def verdict(found: Payoffs) -> str:
    """Say which mixture cannot be exploited and which values no one should choose."""
    (variation,) = found.grid.variations
    texts = [variation.text(value) for value in variation.values]
    used = [(weight, texts[cell]) for cell, weight in enumerate(found.equilibrium)]
    used = sorted((each for each in used if each[0].estimate), key=lambda each: -each[0].estimate)
    if len(used) == 1:
        said = [f"In equilibrium both play {variation.name}={used[0][1]}."]
    else:
        words = [f"{text} with {weight.estimate:.0%}" for weight, text in used]
        said = [f"In equilibrium both play {variation.name}={listed(words, 'and')}."]
    avoided = [texts[each.value] for each in found.avoided]
    if avoided:
        said.append(
            f"Among these values never choose {listed(avoided)}: whatever the other player "
            "chooses, another choice is better."
        )
    return " ".join(said)
