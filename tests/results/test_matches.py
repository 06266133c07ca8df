"""Results of played matches: their tables, and how a broken object is refused."""

from __future__ import annotations

import math

import pytest
from chart_examples import (
    RESULTS,
    changed,
    games,
    knock,
    match,
    one_parameter,
    ranking,
    result,
    two_parameters,
    value_matrix,
    without_estimates,
)

from gin_sim.errors import InputError
from gin_sim.results.sweep import MEAN_OVER_ALL

# -------------------------------------------------------------------- tables


def test_the_table_of_a_sweep():
    table = result(two_parameters(against=("simple", None))).table()
    assert list(table) == [
        "play_points", "against_points", "box_difference", "dealer", "play", "against", "early",
        "late", "policy", "objective", "estimate", "low", "high", "unit", "to_best_estimate",
        "to_best_low", "to_best_high", "best", "among_best",
    ]  # fmt: skip
    assert table.against.tolist() == ["simple"] * 6 + [MEAN_OVER_ALL] * 6
    assert table.iloc[4].tolist()[4:] == [
        "two-threshold", "simple", 2, 0, "greedy", "points", 2.0, 1.75, 2.25, "points per hand",
        -1.0, -1.25, -0.75, False, True,
    ]  # fmt: skip
    assert table.dealer.isna().all()
    assert table.best.sum() == 2
    mixed = result(one_parameter(values=(0, "6-10", 2.5, 3))).table("cells")
    assert mixed.knock.tolist() == ["0", "6-10", "2.5", "3"]


def test_the_columns_are_the_same_whatever_the_objective():
    points, wins = (
        result(one_parameter(objective=objective)).table() for objective in ("points", "win")
    )
    assert list(points) == list(wins)
    assert wins.unit.unique().tolist() == ["share of games"]


def test_the_tables_of_a_value_matrix():
    tables = result(value_matrix()).tables()
    assert list(tables) == ["cells", "equilibrium", "best_replies"]
    cells, equilibrium, replies = tables.values()
    assert cells.iloc[1].to_dict() == {
        "parameter": "knock", "row": 0, "column": 5, "objective": "points", "estimate": -1.0,
        "low": -1.25, "high": -0.75, "unit": "points per hand",
    }  # fmt: skip
    assert equilibrium.weight_estimate.tolist() == pytest.approx([1 / 3] * 3)
    assert equilibrium.low.tolist() == [-0.25] * 3
    assert replies.best.tolist() == [5, 10, 0]
    assert replies.among_best.tolist() == ["5", "10", "0"]


def test_the_tables_of_a_ranking():
    found = result(ranking(objective="win", confidence=0.9))
    places, differences = found.table("ranking"), found.table("differences")
    assert list(places) == [
        "rank", "policy", "objective", "estimate", "low", "high", "unit", "to_next_estimate",
        "to_next_low", "to_next_high", "ahead_of_next",
    ]  # fmt: skip
    assert places.ahead_of_next.tolist() == [True, False, None]
    assert places.to_next_estimate.isna().tolist() == [False, False, True]
    assert set(places.unit) == {"share of games"}
    assert differences.difference_found.tolist() == [True, True, False]
    assert differences.estimate.tolist() == pytest.approx([3.9, 4.0, 0.1])


def test_the_tables_of_two_policies():
    sides, difference = result(match()).tables().values()
    assert list(sides) == ["side", "policy", "measure", "estimate", "low", "high", "unit"]
    won = sides[sides.measure == "win_rate"]
    assert won.estimate.tolist() == [0.6, 0.375]
    assert won.unit.tolist() == ["share of hands"] * 2
    assert difference.objective.tolist() == ["points", "points+boxes"]
    assert difference.units.tolist() == [1000] * 2
    assert difference.luck_adjusted_estimate.isna().all()
    lengths = result(games()).table("lengths")
    assert lengths.hands.tolist() == [1, 2, 3]
    assert lengths.share.tolist() == [0.1, 0.4, 0.5]


def test_no_estimate_is_an_empty_cell():
    table = result(without_estimates(one_parameter())).table("cells")
    assert table.estimate.isna().all()
    assert ",points,,,,points per hand,,,," in table.to_csv(index=False).splitlines()[1]


@pytest.mark.parametrize("kind", RESULTS)
def test_an_object_comes_back_as_it_was(kind):
    described = RESULTS[kind]()
    found = result(described)
    assert result(found.to_dict()).to_json() == found.to_json()
    for name, value in described.items():
        if name not in ("difference", "policies"):
            assert found.to_dict()[name] == value


# ----------------------------------------------------------- broken objects


def without(described, name):
    return {key: value for key, value in described.items() if key != name}


ONE_CELL_LESS = one_parameter()["by_opponent"][0]["cells"][1:]
BROKEN = {
    "nothing": ({"kind": "sweep"}, "at result (object missing required field `rules`)"),
    "text for a number": (
        changed(match(), "sides", 0, "win_rate", "estimate", "most"),
        "at result.sides[0].win_rate.estimate (expected `float | null`, got `str`)",
    ),
    "a share above 1": (
        changed(games(), "sides", 1, "win_rate", "high", 1.5),
        "at result.sides[1] (the win_rate is not within its interval)",
    ),
    "ends out of order": (
        changed(one_parameter(), "by_opponent", 0, "cells", 1, "figure", "low", 9.0),
        "at result.by_opponent[0].cells[1].figure (an interval has two ends in order, not 9.0 and "
        "0.75)",
    ),
    "infinity": (
        changed(ranking(), "ranking", 0, "lead", "estimate", math.inf),
        "at result.ranking[0].lead (numbers are finite, or null where there is none)",
    ),
    "one end": (
        changed(ranking(), "ranking", 2, "lead", "high", None),
        "at result.ranking[2].lead (an interval has two ends in order, not -2.3 and nan)",
    ),
    "no game": (changed(games(), "games", 0), "at result (no game was played)"),
    "an objective less": (
        changed(match(), "difference", {}),
        "at result (the difference has not each of points, points+boxes)",
    ),
    "a cell too few": (
        changed(one_parameter(), "by_opponent", 0, "cells", ONE_CELL_LESS),
        "at result (the cells are not those of the parameters' values)",
    ),
    "another best": (
        changed(one_parameter(), "by_opponent", 0, "best", [4]),
        "at result (the best values [4] were not tried)",
    ),
    "three parameters": (
        changed(one_parameter(), "parameters", [knock([0])] * 3),
        "at result (one or two parameters are swept, not 3)",
    ),
    "hands and games": (
        changed(ranking(), "games", 5),
        "at result (a meeting has hands, or else games)",
    ),
    "an unknown unit": (
        changed(value_matrix(), "unit", "pounds"),
        "at result (the unit is points per hand, share of games, chance to win the game or points "
        "per game, not 'pounds')",
    ),
    "a stranger": (
        changed(ranking(), "differences", 0, "against", "patient"),
        "at result ('patient' is not in the ranking)",
    ),
    "a gap between neighbours": (
        changed(ranking(), "differences", ranking()["differences"][1:]),
        "at result ('strong' and 'marjj' are neighbours without a difference)",
    ),
    "an untried reply": (
        changed(value_matrix(), "best_replies", 0, "best", 7),
        "at result (the value 7 was not tried)",
    ),
    "a value outside the mixture": (
        changed(
            value_matrix(), "equilibrium", "mixture", value_matrix()["equilibrium"]["mixture"][1:]
        ),
        "at result (the equilibrium does not have each value once)",
    ),
}


@pytest.mark.parametrize("case", BROKEN)
def test_a_broken_object_is_refused_by_its_place(case):
    described, said = BROKEN[case]
    with pytest.raises(InputError) as refused:
        result(described)
    kind = described["kind"]
    sentence = f"the result of the kind '{kind}' is not whole {said}: run its command again."
    assert str(refused.value) == sentence


@pytest.mark.parametrize("kind", RESULTS)
def test_a_missing_field_is_named(kind):
    described = RESULTS[kind]()
    defaults = {"kind", "confidence", "partial", "command", "seconds"}
    for name in described:
        if name not in defaults:
            with pytest.raises(InputError, match=f"missing required field `{name}`"):
                result(without(described, name))
