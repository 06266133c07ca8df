"""Charts of hard cases read: nothing is cut, no two texts overlap, and nothing says nan."""

from __future__ import annotations

import pytest
from chart_examples import (
    LONG,
    RESULTS,
    one_parameter,
    ranking,
    result,
    two_parameters,
    value_matrix,
    without_estimates,
    without_intervals,
)
from chart_reading import check_that_it_reads

from gin_sim.report.charts import draw_charts

SIX_LONG = tuple(f"{LONG},n={i}" for i in range(6))
HARD = {
    "one value": one_parameter((5,), (1.0,), ()),
    "two values": one_parameter((5, 6), (1.0, 2.0), ()),
    "one cell": two_parameters(1, 1),
    "99 x 30 cells": two_parameters(99, 30),
    "60 thresholds": value_matrix(range(60)),
    "20 x 20 cells": two_parameters(20, 20),
    "five heatmaps": two_parameters(11, 11, ("a", "b", "c", "d", None)),
    "all equal": one_parameter(leads=(0.0,) * 4, like_best=(1, 2, 3)),
    "many values": one_parameter(range(99), [float(i) for i in range(99)], ()),
    "long texts": one_parameter([f"{'10/' * 12}{i}" for i in range(4)]),
    "long base": one_parameter(play=LONG),
    "long opponents": two_parameters(4, 4, (LONG, f"{LONG},y=2", None)),
    "one threshold": value_matrix((3,)),
    "two thresholds": value_matrix((3, 4)),
    "20 x 20 thresholds": value_matrix(range(20)),
    "thresholds all equal": value_matrix(scale=0.0),
    "tables": value_matrix(("10/10/0", "6-10", "2-2+4-7", "10/10/10/10/5/5/5/0")),
    "one policy": ranking(("greedy",), (0.0,)),
    "two policies": ranking(("greedy", "simple"), (1.0, 0.0)),
    "six long policies": ranking(SIX_LONG, (5.0, 4, 3, 2, 1, 0)),
    "all as good": ranking(leads=(0.0, 0.0, 0.0)),
    "twelve in games won": ranking(
        [f"policy-{i}" for i in range(12)], [1 - i / 12 for i in range(12)], objective="win"
    ),
}
for _kind, _make in list(RESULTS.items())[2:]:
    HARD[f"{_kind} without intervals"] = without_intervals(_make())
    HARD[f"{_kind} without estimates"] = without_estimates(_make())


_LARGE = ("60 thresholds", "five heatmaps", "20 x 20 thresholds")


@pytest.mark.long
@pytest.mark.parametrize(
    "case", [pytest.param(case, marks=[pytest.mark.slow] * (case in _LARGE)) for case in HARD]
)
def test_hard_cases_are_legible(case):
    (figure,) = draw_charts(result(HARD[case])).values()
    check_that_it_reads(figure)
