"""How far hand reading can be trusted: predictions summed up by groups of decisions.

Intervals count the decisions of one hand as one cluster.  How the predictions come about is decided
in :mod:`calibration`.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from gin_sim.belief.calibration import Ask
from gin_sim.belief.test_positions import BUCKET_NAMES, Decision
from gin_sim.policies.contract import Policy
from gin_sim.results.belief import DeviationRates
from gin_sim.results.calibration import (
    METHODS,
    ByPrediction,
    Calibration,
    Prediction,
    Reliability,
    TriedPosition,
)
from gin_sim.results.common import number
from gin_sim.rules import Rules
from gin_sim.stats.intervals import (
    Estimate,
    Moments,
    ratio_estimate,
    ratio_rate_estimate,
)

#: First and last predicted chance of each class of the reliability table.
EDGES = (0.0, 0.01, 0.03, 0.1, 0.2, 0.35, 0.5, 0.65, 0.8, 0.9, 1.0)
#: What a sentence calls each of METHODS.
METHOD_WORDS = ("belief", "learned weights", "uniform")
ALL = "all"


class Tried(NamedTuple):
    """Decisions that were tried.

    Parameters
    ----------
    decisions : sequence of Decision
    rows : array of calibration.ROW
        Of the first decisions, in order; at least one.
    rules : Rules
    player : Policy or None
        Whose decisions they are; None for recorded hands.
    records : str or None
        The file of the recorded hands.
    wanted : int
        Positions that were asked for.
    """

    decisions: Sequence[Decision]
    rows: np.ndarray
    rules: Rules
    player: Policy | None
    records: str | None
    wanted: int


def calibration_of(tried: Tried, ask: Ask, seconds: float) -> Calibration:
    """Return the result of asking at decisions."""
    rows = tried.rows
    by_draws = groups_by_draws(rows)
    n_hands = len(np.unique(rows["hand"]))
    kind = "recorded hands" if tried.player is None else "hands"
    return Calibration(
        rules=tried.rules,
        seed=ask.seed,
        partial=len(rows) < len(tried.decisions),
        seconds={"ask": round(seconds, 3)},
        against=ask.opponent.info(),
        play=None if tried.player is None else tried.player.info(),
        records=tried.records,
        sample=f"{len(rows):,} positions of {n_hands:,} {kind}",
        positions=len(rows),
        hands=n_hands,
        wanted=tried.wanted,
        selection=_selection(tried.player, ask.opponent),
        worlds=ask.n_worlds,
        deviation=DeviationRates(*ask.deviation),
        by_draws=by_draws,
        by_opponent=[] if tried.player else groups_by_opponent(rows, tried.decisions),
        by_prediction=ByPrediction(
            **{name: groups_by_prediction(rows, place) for place, name in enumerate(METHODS)}
        ),
        effective_worlds=_median_effective(rows),
        positions_with_unconverged_chains=int((rows["n_unconverged"] > 0).sum()),
        verdict=verdict(by_draws),
        tried=[
            _position(decision, row) for decision, row in zip(tried.decisions, rows, strict=False)
        ],
    )


def _selection(player: Policy | None, opponent: Policy) -> str:
    """Return which positions are tried."""
    if player is None:
        return (
            "Every own turn of either player at which the discard that leaves least would allow a "
            "knock without gin."
        )
    return (
        f"{player.spec} draws and discards against {opponent.spec}. One position per hand: the "
        "first at which it could knock without gin after a number of draws that is fixed before "
        "the hand, if it lies in the hand's bucket of draws."
    )


def verdict(groups: Sequence[Reliability]) -> str:
    """Return in how many groups each method's undercut chance is within the true interval."""
    groups = [group for group in groups if group.name != ALL]
    counts = [sum(group.by(method).agrees for group in groups) for method in METHODS]
    words = ", ".join(
        f"{name} in {n} of {len(groups)}" for name, n in zip(METHOD_WORDS, counts, strict=True)
    )
    return f"Predicted undercut chance within the interval of the true share: {words} draw classes."


def _median_effective(rows: np.ndarray) -> float:
    known = rows["effective"][np.isfinite(rows["effective"])]
    return float(np.median(known)) if len(known) else 0.0


def _position(decision: Decision, row: np.void) -> TriedPosition:
    predicted = {
        f"{name}_{what}": float(row[field][place])
        for place, name in enumerate(METHODS)
        for what, field in (
            ("undercut", "predicted_undercut"),
            ("deadwood", "predicted_deadwood"),
            ("log_score", "log_score"),
        )
    }
    return TriedPosition(
        hand=int(row["hand"]),
        opponent=decision.opponent,
        turn=int(row["turn"]),
        stock_draws=int(row["n_draws"]),
        bucket=BUCKET_NAMES[row["bucket"]],
        undercut=bool(row["undercut"]),
        deadwood=int(row["deadwood"]),
        **predicted,
        effective_worlds=number(float(row["effective"])),
        unconverged_chains=int(row["n_unconverged"]),
        position=decision.position.text(),
    )


# ---------------------------------------------------------------------------------------------
# Groups


def group_of(name: str, rows: np.ndarray) -> Reliability:
    """Return the figures of a group of decisions."""
    true_undercut, true_deadwood = rows["undercut"].astype(float), rows["deadwood"].astype(float)
    undercut = clustered_rate(true_undercut, rows["hand"])

    def predicted(place: int) -> Prediction:
        def mean(field: str, less: np.ndarray | float = 0.0) -> Estimate:
            return clustered_mean(rows[field][:, place] - less, rows["hand"])

        chance = mean("predicted_undercut")
        excess = mean("predicted_undercut", true_undercut)
        if undercut.estimate in (0, 1):  # paired differences then say nothing of the true chance
            true = excess.estimate + undercut.estimate
            excess = Estimate(excess.estimate, true - undercut.high, true - undercut.low)
        return Prediction(
            undercut=chance,
            undercut_excess=excess,
            deadwood=mean("predicted_deadwood"),
            deadwood_excess=mean("predicted_deadwood", true_deadwood),
            log_score=mean("log_score"),
            agrees=undercut.low <= chance.estimate <= undercut.high,
        )

    return Reliability(
        name=name,
        positions=len(rows),
        hands=len(np.unique(rows["hand"])),
        undercut=undercut,
        deadwood=clustered_mean(true_deadwood, rows["hand"]),
        **{method: predicted(place) for place, method in enumerate(METHODS)},
    )


def groups_by_draws(rows: np.ndarray) -> list[Reliability]:
    """Return a group for each bucket of draws that has decisions, and one for all."""
    groups = [
        group_of(name, rows[rows["bucket"] == place])
        for place, name in enumerate(BUCKET_NAMES)
        if (rows["bucket"] == place).any()
    ]
    return [*groups, group_of(ALL, rows)]


def groups_by_opponent(rows: np.ndarray, decisions: Sequence[Decision]) -> list[Reliability]:
    """Return a group for each name of an opponent, by name."""
    names = np.array([decision.opponent for decision in decisions[: len(rows)]])
    return [group_of(str(name), rows[names == name]) for name in sorted(set(names))]


def groups_by_prediction(rows: np.ndarray, place: int) -> list[Reliability]:
    """Return a group for each class of a method's predicted chance that has decisions."""
    predicted = rows["predicted_undercut"][:, place]
    classes = np.clip(np.searchsorted(EDGES, predicted, side="right") - 1, 0, len(EDGES) - 2)
    return [
        group_of(f"{EDGES[number]:g}-{EDGES[number + 1]:g}", rows[classes == number])
        for number in range(len(EDGES) - 1)
        if (classes == number).any()
    ]


def clustered_mean(values: np.ndarray, clusters: np.ndarray) -> Estimate:
    """Return the mean of values with an interval that takes each cluster as one draw."""
    return ratio_estimate(*_sums(values, clusters))


def clustered_rate(events: np.ndarray, clusters: np.ndarray) -> Estimate:
    """Return the share of events, with Wilson's interval on as many trials as the clusters give."""
    return ratio_rate_estimate(*_sums(events, clusters))


def _sums(values: np.ndarray, clusters: np.ndarray) -> tuple[Moments, Moments, float]:
    _, place = np.unique(clusters, return_inverse=True)
    totals, counts = np.bincount(place, weights=values), np.bincount(place)
    n = len(counts)
    return (
        Moments(n, float(totals.sum()), float((totals**2).sum())),
        Moments(n, int(counts.sum()), int((counts**2).sum())),
        float((totals * counts).sum()),
    )
