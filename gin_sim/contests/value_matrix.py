"""A policy's values against each other: a matrix of payoffs, and what it says as a game.

Two players who draw and discard alike each choose a value, such as a knock threshold.  From the
matrix of leads follow each value's best reply, values that no one should choose, and the mixture
that nobody can exploit: an equilibrium among these values for this play, not of gin rummy.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import combinations, product

import numpy as np

from gin_sim.contests.estimates import Leads
from gin_sim.contests.round_robin import plan_pairings
from gin_sim.contests.study import study_fields
from gin_sim.contests.sweep import parameters_of
from gin_sim.errors import InputError
from gin_sim.payoff.payoff import PriceTable
from gin_sim.play.pairings import GamePairingsPlan, PairingsPlan
from gin_sim.play.threshold_walk import PathsPlan
from gin_sim.policies.same_play import same_play, why_not_same_play
from gin_sim.policies.variations import Grid
from gin_sim.results.common import Estimate, Value
from gin_sim.results.value_matrix import (
    BestReply,
    DominatedValue,
    EquilibriumWeight,
    MatrixCell,
    MatrixEquilibrium,
    MixedValue,
    ValueLead,
    ValueMatrix,
)
from gin_sim.rules import Rules
from gin_sim.stats.matrix_games import Dominated, bootstrap, dominated
from gin_sim.words import listed


def plan_matrix(
    grid: Grid,
    rules: Rules,
    size: int,
    prices: PriceTable | None,
    seed: int = 1,
    one_pass: bool = True,
) -> PathsPlan | PairingsPlan | GamePairingsPlan:
    """Return how a grid's values meet each other, every row with every column.

    Parameters
    ----------
    grid : Grid
    rules : Rules
    size : int
        Hands of each meeting, or games.
    prices : PriceTable or None
        What hands are priced by; None for whole games.
    seed : int
        Hands are mirrored, which makes the game the same for both players.
    one_pass : bool
        From one walk over each deal's path; else each meeting is played out.

    Raises
    ------
    InputError
        If one pass is wanted and the policies' draws or discards depend on what is varied.
    """
    policies = grid.policies
    if not one_pass or prices is None:
        pairings = tuple((row, column) for row in policies for column in policies)
        return plan_pairings(pairings, rules, size, prices, seed)
    if not same_play(policies):
        raise InputError(
            f"one pass cannot serve all values: {why_not_same_play(policies)[:-1]}; give "
            "--cell-by-cell to play every meeting out, or vary the knock alone."
        )
    return PathsPlan(((policies, policies),), rules, size, prices.whole_numbers, seed)


def n_claims(n_values: int) -> int:
    """Return how many leads of a matrix are claims of their own: each two values, once."""
    return max(1, n_values * (n_values - 1) // 2)


def matrix_of(leads: Leads, grid: Grid, prices: PriceTable | None, seed: int = 1) -> ValueMatrix:
    """Turn the leads of a grid's meetings with itself into a game and solve it.

    Parameters
    ----------
    leads : Leads
        Of what :func:`plan_matrix` plans.
    grid : Grid
    prices : PriceTable or None
        As for :func:`plan_matrix`.
    seed : int
        Of the bootstrap.
    """
    (parameter,) = parameters_of(grid)
    values = parameter.values
    n = len(values)
    solved = bootstrap(leads.per_hand(np.eye(n * n)), n, n, seed=seed)
    mixture = np.array([weight.estimate for weight in solved.column])
    figures = leads.meetings
    payoffs = leads.claims(np.kron(np.eye(n), mixture[None]))
    found = ValueMatrix(
        **study_fields(leads, "all cells of the matrix", n, prices),
        verdict="",
        play=grid.base.info(),
        parameter=parameter,
        cells=[
            MatrixCell(row, column, figure)
            for (row, column), figure in zip(product(values, values), figures, strict=True)
        ],
        best_replies=[_reply(leads, figures, values, column) for column in range(n)],
        dominated=dominated_values(leads, values),
        equilibrium=MatrixEquilibrium(
            mixture=list(map(EquilibriumWeight, values, solved.row)),
            value=solved.value,
            payoffs=list(map(ValueLead, values, payoffs)),
        ),
    )
    found.verdict = verdict(found, grid)
    return found


def _reply(
    leads: Leads, figures: list[Estimate], values: Sequence[Value], column: int
) -> BestReply:
    n = len(values)
    numbers = np.arange(n) * n + column
    best = int(np.argmax([figures[number].estimate for number in numbers]))
    _, among = leads.against_best(np.eye(n * n)[numbers], quick=True)
    return BestReply(
        to=values[column],
        best=values[best],
        lead=figures[numbers[best]],
        among_best=[value for value, is_among in zip(values, among, strict=True) if is_among],
    )


def dominated_values(leads: Leads, values: Sequence[Value]) -> list[DominatedValue]:
    """Return the values found to be dominated, by bounds of all differences that hold at once.

    The intervals of the margins hold together with those of all values and all mixtures of others,
    so that having searched for them costs nothing.

    Parameters
    ----------
    leads : Leads
        Of every value over every value.
    values : sequence
    """
    n = len(values)
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
    return [_dominated(found, bounds, values) for found in dominated(bounds[1])]


def _dominated(found: Dominated, bounds: np.ndarray, values: Sequence[Value]) -> DominatedValue:
    margins = np.einsum("i,bic->bc", found.weights, bounds[:, :, found.row]).min(axis=1)
    parts = zip(values, found.weights.tolist(), strict=True)
    return DominatedValue(
        value=values[found.row],
        by=[MixedValue(value, weight) for value, weight in parts if weight],
        margin=Estimate(*margins.tolist()),
    )


def verdict(found: ValueMatrix, grid: Grid) -> str:
    """Say which mixture cannot be exploited and which values nobody should choose."""
    (variation,) = grid.variations
    used = [part for part in found.equilibrium.mixture if part.weight.estimate]
    used = sorted(used, key=lambda part: -part.weight.estimate)
    if len(used) == 1:
        said = [f"In equilibrium both play {variation.name}={variation.text(used[0].value)}."]
    else:
        words = [f"{variation.text(part.value)} with {part.weight.estimate:.0%}" for part in used]
        said = [f"In equilibrium both play {variation.name}={listed(words, 'and')}."]
    avoided = [variation.text(each.value) for each in found.dominated]
    if avoided:
        said.append(
            f"Among these values never choose {listed(avoided)}: against every choice of the other "
            "player, another is better."
        )
    return " ".join(said)
