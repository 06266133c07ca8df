"""Hand reading tested from Python: plain values in, a result out that is the command line's."""

from __future__ import annotations

import json
import threading

import pytest
from matplotlib.figure import Figure

import gin_sim
from gin_sim.errors import InputError
from gin_sim.play.record import play_recorded
from gin_sim.policies.catalogue import parse_policy
from gin_sim.records import write_records
from gin_sim.results.calibration import METHODS, Calibration, TriedPosition
from gin_sim.results.kinds import load, read_object
from gin_sim.rules import parse_rules

QUICK = {"positions": 10, "worlds": 40}


@pytest.fixture(scope="module")
def found():
    return gin_sim.calibrate("simple", **QUICK)


def plain(result):
    """A result as plain values without what names the run."""
    found = result if isinstance(result, dict) else result.to_dict()
    return {name: value for name, value in found.items() if name not in ("seconds", "command")}


@pytest.mark.long
def test_python_and_the_command_line_have_the_same_numbers(found, run):
    asked = ("belief", "calibrate", "--against", "simple", "--positions", "10", "--worlds", "40")
    code, out, _ = run(*asked, "--json")
    assert code == 0
    assert plain(json.loads(out)) == plain(found)


def test_the_result_names_policies_positions_and_hands(found):
    assert isinstance(found, Calibration)
    assert (found.against.spec, found.play.spec) == ("simple", "simple:knock=0")
    assert (found.positions, found.hands, found.wanted) == (10, 10, 10)
    assert len(found.tried) == 10
    assert found.by_opponent == []
    assert [group.name for group in found.by_draws][-1] == "all"
    assert found.deviation.take == 0.0005  # played hands are of the policy itself


@pytest.mark.long
def test_it_is_the_same_once_read_from_json_and_from_disk(found, tmp_path):
    assert read_object(json.loads(found.to_json())) == found
    names = found.save(tmp_path / "kept")
    assert {"reliability.csv", "positions.csv", "reliability.svg", "manifest.json"} <= {*names}
    assert load(tmp_path / "kept") == found


def test_tables_have_documented_columns_and_a_row_per_position(found):
    table = found.table()
    assert list(table.columns) == [
        "by", "group", "belief", "positions", "hands", "undercut_estimate", "undercut_low",
        "undercut_high", "predicted_undercut_estimate", "predicted_undercut_low",
        "predicted_undercut_high", "deadwood_estimate", "deadwood_low", "deadwood_high",
        "predicted_deadwood_estimate", "predicted_deadwood_low", "predicted_deadwood_high",
        "log_score_estimate", "log_score_low", "log_score_high", "agrees",
    ]  # fmt: skip
    assert set(table["by"]) == {"stock draws", "predicted chance"}
    assert set(table["belief"]) == set(METHODS)
    shares = table.filter(regex="undercut_estimate")
    assert ((shares >= 0) & (shares <= 1)).all(axis=None)
    positions = found.table("positions")
    assert list(positions.columns) == list(TriedPosition.__struct_fields__)
    assert positions["undercut"].mean() == found.by_draws[-1].undercut.estimate


def test_the_chart_has_two_panels_or_fits_given_axes(found):
    figure = found.chart()
    assert len(figure.axes) == 2
    assert figure.get_suptitle().startswith("Chance that a knock is undercut, predicted and true")
    axes = Figure().subplots()
    assert found.chart(ax=axes) is axes
    assert axes.get_xlabel() == "chance predicted, %"


def test_it_is_shown_in_a_line_and_in_a_notebook(found):
    assert repr(found).startswith("<Calibration: predicted undercut chance within the interval")
    assert "10 positions of 10 hands, seed 1" in repr(found)
    shown = found._repr_html_()
    assert shown.startswith("<p>predicted undercut chance")
    assert shown.count("<tr") > 10
    assert "mean prediction" in found.text()
    assert "mean prediction" not in found.text(more=False)


@pytest.mark.long
def test_recorded_hands_have_groups_by_opponent(tmp_path):
    policies = parse_policy("greedy:knock=5"), parse_policy("simple:knock=0")
    path = tmp_path / "hands.jsonl"
    write_records(path, play_recorded(policies, parse_rules("standard"), 3, 8))
    found = gin_sim.calibrate("simple", records=path, **QUICK)
    assert found.play is None
    assert found.records == str(path)
    assert [group.name for group in found.by_opponent] == ["greedy:knock=5", "simple:knock=0"]
    assert sum(group.positions for group in found.by_opponent) == found.positions
    assert found.deviation.take == 0.03  # others are only like the policy


def test_a_stop_keeps_what_is_finished():
    stop = threading.Event()
    calls = []

    def watch(done, total, unit):
        calls.append((done, total, unit))
        stop.set()

    found = gin_sim.calibrate("simple", **QUICK, progress=watch, stop=stop, threads=1)
    assert calls[0] == (2, 10, "positions")
    assert found.partial
    assert found.positions < 10


@pytest.mark.parametrize(
    ("options", "words"),
    [
        ({"against": "simpel"}, "Did you mean 'simple'"),
        ({"against": "heisenbot"}, "give --play POLICY"),
        ({"records": "x", "rules": "standard"}, "leave --play and --rules out"),
        ({"records": "no.jsonl"}, "no.jsonl"),
        ({"deviation": "much"}, "--deviation 'much' does not say"),
        ({"positions": 0}, "give at least 1 position"),
        ({"positions": 2.5}, "positions=2.5 is not a whole number"),
        ({"worlds": 3}, "and 4 deals"),
    ],
)
def test_what_cannot_be_asked_is_a_sentence(options, words):
    with pytest.raises(InputError) as refusal:
        gin_sim.calibrate(**{"against": "simple", **options})
    assert words in str(refusal.value)
