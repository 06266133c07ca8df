"""Other rules on the same paths as a rule by features, and what each source of it is worth."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import replace

import numpy as np

from gin_sim.knock.best_response import halves_rules, mean_of, values_by_threshold, values_of
from gin_sim.knock.cells import Cells, Classes, knock_limit_of, paths_of
from gin_sim.knock.regression import FeatureRule, fit_by_features
from gin_sim.knock.tracing import Traced
from gin_sim.payoff.payoff import PriceTable
from gin_sim.stats.intervals import Estimate


def threshold_values(traced: Traced, prices: PriceTable) -> np.ndarray:
    """Return each path's value under the single threshold that does best on the other half."""
    half = traced.half
    rules = list(values_by_threshold(traced, prices))
    values = np.empty(len(half))
    for judge in (0, 1):
        others = half != judge
        best = max(rules, key=lambda sample: sample[others].mean()) if others.any() else rules[0]
        values[~others] = best[~others]
    return values


def table_values(traced: Traced, prices: PriceTable, classes: Classes) -> np.ndarray:
    """Return each path's value under the table that the other half of the deals chose, float64."""
    cells = Cells(classes, knock_limit_of(traced.plan.rules))
    paths = paths_of(traced, cells, prices)
    nobody = np.zeros(cells.n)
    values = np.empty(len(traced.ends))
    for judged, judging, rule in halves_rules(paths, traced.half, cells.shape):
        values[judged] = values_of(judging, nobody, rule)
    return values


def what_matters(traced: Traced, prices: PriceTable, rule: FeatureRule) -> dict[str, Estimate]:
    """Return what a rule loses for each source that it may not look at, largest first.

    The rule is found anew without the source and all features made of it; the loss is paired, by
    path, and its own turn is always seen.
    """
    losses = {}
    for name in rule.features.sources:
        others = tuple(each for each in rule.features.sources if each != name)
        if others:
            less = fit_by_features(traced, prices, replace(rule.features, sources=others))
            losses[name] = rule.over(less.values)
    return dict(sorted(losses.items(), key=lambda item: -item[1].estimate))


def lines_of(rule: FeatureRule, others: Mapping[str, np.ndarray] | None = None) -> list[str]:
    """Return a rule's worth and what moves it most, as lines of text; points per hand.

    Parameters
    ----------
    rule : FeatureRule
    others : mapping of str to float64 array, optional
        Path values of other rules by name, each compared with this one.
    """
    lines = [
        f"by features, of the other half  {_shown(rule.value)}",
        f"by features, in sample          {_shown(rule.in_sample)}",
        f"own rule                        {_shown(rule.own)}   gain {_shown(rule.gain)}",
    ]
    for name, values in (others or {}).items():
        lines.append(f"{name:31} {_shown(mean_of(values))}   gain {_shown(rule.over(values))}")
    for turn in range(1, len(rule.coefficients) + 1):
        strongest = rule.strongest(turn, 4)
        if strongest:
            effects = ", ".join(f"{name} {effect:+.1f}" for name, effect in strongest)
            lines.append(f"turn {turn:2}: {effects}")
    return lines


def _shown(figure: Estimate) -> str:
    if math.isnan(figure.low):
        return f"{figure.estimate:+.3f}"
    return f"{figure.estimate:+.3f} ± {figure.half_width:.3f}"
