"""The front door of sweeps: a number varied against opponents, at a score, or against itself."""

from __future__ import annotations

import json
import threading
from pathlib import Path

import numpy as np
import pytest
from matplotlib.figure import Figure

import gin_sim
from gin_sim.results.kinds import read_object
from gin_sim.results.sweep import Sweep
from gin_sim.results.value_matrix import ValueMatrix


@pytest.fixture(autouse=True)
def own_cache(tmp_path_factory, monkeypatch):
    """Counted hands are kept for these tests alone; compiled code stays where it is."""
    kept = tmp_path_factory.getbasetemp() / "kept"
    monkeypatch.setattr("gin_sim.payoff.equity_cache.cache_home", lambda: kept)


@pytest.fixture(scope="module")
def swept():
    return gin_sim.sweep("greedy", "knock=0:10:5", against=["simple", "marjj"], hands=600, seed=2)


def plain(result) -> dict:
    found = result if isinstance(result, dict) else result.to_dict()
    return {name: value for name, value in found.items() if name not in ("seconds", "command")}


# ------------------------------------------------------------------ what is asked


@pytest.mark.parametrize(
    "param", [["knock=0:10:5"], {"knock": range(0, 11, 5)}, {"knock": np.array([0, 5, 10])}]
)
def test_values_may_be_a_text_or_numbers_by_name(swept, param):
    again = gin_sim.sweep("greedy", param, against="simple,marjj", hands=600, seed=2)
    assert plain(again) == plain(swept)


def test_values_may_be_fractions_and_tables():
    found = gin_sim.sweep(
        "strong", {"temperature": [0, 0.5], "knock": ["10/10/0", 5]}, against="simple", hands=20
    )
    assert [parameter.values for parameter in found.parameters] == [[0, 0.5], ["10/10/0", 5]]
    assert list(found.table()[["temperature", "knock"]].iloc[1]) == [0, "5"]


def test_what_is_varied_and_opponents_may_be_objects(swept):
    def by_limit(view, p):
        return view.deadwood <= p.limit

    mine = gin_sim.Policy.of(should_knock=by_limit, name="mine", parameters={"limit": 4})
    found = gin_sim.sweep(
        mine, {"limit": [0, 10]}, against=gin_sim.Policy.parse("simple"), hands=40
    )
    assert [cell.policy for cell in found.by_opponent[0].cells] == ["mine:limit=0", "mine:limit=10"]
    again = gin_sim.sweep(
        gin_sim.Policy.parse("greedy"),
        "knock=0:10:5",
        against=("simple", "marjj"),
        hands=600,
        seed=2,
    )
    assert plain(again) == plain(swept)


def test_the_same_numbers_as_the_command_line_prints(run, swept):
    asked = ("sweep", "--play", "greedy", "--param", "knock=0:10:5", "--against", "simple,marjj")
    code, out, _ = run(*asked, "--hands", "600", "--seed", "2", "--json")
    assert code == 0
    assert plain(json.loads(out)) == plain(swept)
    code, out, _ = run(*asked, "--hands", "600", "--seed", "2")
    assert out.splitlines()[:-1] == swept.text().splitlines()[:-1]


@pytest.mark.parametrize(
    ("asked", "sentence"),
    [
        ({}, "no opponent is named: give --against POLICY, or --both"),
        ({"both": True, "against": "simple"}, "--both plays the values against each other, and"),
        ({"against": "simple", "max_cells": 2}, "--param knock=0:10:5 makes 3 cells; at most 2"),
        ({"against": ["simple", "simple"]}, "the opponent 'simple' is given twice"),
        ({"against": "simple", "objective": "lose"}, "no objective is called 'lose'"),
        ({"against": "simple", "objective": "stakes"}, "--objective stakes needs a score"),
        (
            {"against": "simple", "score": "90-75"},
            "--score needs --objective win or stakes: by points",
        ),
        ({"both": True, "objective": "win", "score": (0, 0)}, "--both asks what two players in"),
        ({"both": True, "mirrored": False}, "--both asks what two players in equal seats"),
        ({"against": "simple", "hands": 1.5}, "hands=1.5 is not a whole number"),
        ({"against": 5}, "5 is not a policy"),
    ],
)
def test_what_does_not_go_together_is_refused(asked, sentence):
    with pytest.raises(gin_sim.InputError, match=f"^{sentence}"):
        gin_sim.sweep("greedy", "knock=0:10:5", **asked)


def test_stop_keeps_what_is_finished():
    stop = threading.Event()
    found = gin_sim.sweep(
        "greedy",
        {"knock": [0, 10]},
        against="simple",
        hands=1e7,
        progress=lambda done, total, unit: stop.set(),
        stop=stop,
    )
    assert found.partial
    assert 0 < found.hands < 1e7
    assert "PARTIAL: stopped early" in found.text()
    assert repr(found).endswith(", stopped early>")


# ----------------------------------------------------------------- what comes out


@pytest.mark.long
def test_a_sweep_is_plain_values(swept, tmp_path):
    assert isinstance(swept, Sweep)
    assert read_object(swept.to_dict()) == swept
    names = swept.save(tmp_path / "sweep")
    assert {"cells.csv", "sweep.png", "sweep.svg"} <= set(names)
    assert gin_sim.load(tmp_path / "sweep") == swept
    table = swept.table()
    assert table.knock.tolist() == [0, 5, 10] * 3
    assert table.unit.unique().tolist() == ["points per hand"]
    assert table.groupby("against").best.sum().tolist() == [1, 1, 1]


def test_a_sweep_has_charts_and_a_short_form(swept):
    axes = Figure().add_subplot()
    assert swept.chart(ax=axes) is axes
    assert len(axes.get_legend().texts) == 3
    assert isinstance(swept.chart(), Figure)
    assert repr(swept).startswith("<Sweep: greedy by knock: against simple knock=")
    assert "<table" in swept._repr_html_()


def test_a_sweep_at_a_score_is_in_shares_of_one():
    found = gin_sim.sweep(
        "greedy",
        "knock=0,10",
        against="simple",
        objective="win",
        score=(90, 75),
        boxes=(4, 3),
        dealer="me",
        equity_hands=2000,
        hands=400,
    )
    assert (found.unit, found.score.words) == (
        "chance to win the game",
        "90-75, 1 box ahead, the player deals",
    )
    for cell in found.by_opponent[0].cells:
        assert 0 < cell.figure.low < cell.figure.estimate < cell.figure.high < 1
    assert [each.against for each in found.later_hands] == ["simple"]
    shown = found.text().splitlines()[3].split()[1]
    best = 100 * found.by_opponent[0].cells[0].figure.estimate
    assert float(shown) == pytest.approx(best, abs=0.006)
    table = found.table()
    assert set(table.play_points) == {90}
    assert set(table.dealer) == {"me"}


@pytest.mark.long
def test_values_against_each_other(run, tmp_path):
    found = gin_sim.sweep("greedy", {"knock": [0, 5, 10]}, both=True, hands=2000)
    assert isinstance(found, ValueMatrix)
    assert read_object(found.to_dict()) == found
    assert [[cell.row, cell.column] for cell in found.cells[:4]] == [
        [0, 0],
        [0, 5],
        [0, 10],
        [5, 0],
    ]
    assert list(found.tables()) == ["cells", "equilibrium", "best_replies"]
    assert found.table("equilibrium").weight_estimate.sum() == pytest.approx(1)
    axes = Figure().add_subplot()
    assert found.chart(ax=axes) is axes
    found.save(tmp_path / "matrix")
    assert gin_sim.load(tmp_path / "matrix") == found
    assert repr(found).startswith(
        "<ValueMatrix: greedy by knock, each against each: in equilibrium both play knock=0, by "
    )
    asked = ("sweep", "--play", "greedy", "--param", "knock=0,5,10", "--both", "--hands", "2000")
    assert plain(json.loads(run(*asked, "--json")[1])) == plain(found)


def test_a_policy_may_be_the_path_of_a_file():
    path = Path("tests/data/policies/patient.toml")
    found = gin_sim.sweep(path, "knock=0,10", against=path, hands=40)
    assert found.play.spec == str(path)
