"""`gin-sim bench`: nothing is timed before the sums are right, and what is reported.

Speeds are not judged here: that is what the command is for, on a machine that is left alone.
"""

from __future__ import annotations

import json
import re

import naive
import numpy as np
import pytest
from strategies import names

from gin_sim.checks import bench
from gin_sim.checks.bench import (
    GoldenError,
    check_golden,
    end_of_hand_knocks,
    golden_tallies,
    random_hands,
    run_bench,
)
from gin_sim.errors import InputError
from gin_sim.play.tallies import TALLY
from gin_sim.rules import parse_rules


@pytest.fixture
def small(monkeypatch):
    """Bench with few hands, few runs, one golden tally and no cold compile."""
    few = {name: (specs, rules, 200) for name, (specs, rules, _) in bench.PAIRINGS.items()}
    first = golden_tallies()[:1]
    monkeypatch.setattr(bench, "PAIRINGS", few)
    monkeypatch.setattr(bench, "_RUNS", 2)
    monkeypatch.setattr(bench, "_N_HANDS", 64)
    monkeypatch.setattr(bench, "golden_tallies", lambda: first)
    monkeypatch.setattr(bench, "_cold_compile_seconds", lambda command: 12.34)


@pytest.fixture
def tampered(monkeypatch):
    """One golden sum that is off by one, and a clock that nobody may look at."""
    entries = golden_tallies()
    entries[0]["sums"]["shared"][2] += 1

    def timed(*args):
        raise AssertionError("timed before the sums were found right")

    monkeypatch.setattr(bench, "golden_tallies", lambda: entries)
    for name in ("_hands_per_second", "_kernel_ns", "_cold_compile_seconds"):
        monkeypatch.setattr(bench, name, timed)
    return entries[0]


# ----------------------------------------------------------- golden tallies


def test_the_engine_s_sums_are_the_golden_ones():
    assert check_golden() == len(golden_tallies()) >= 3


def test_golden_tallies_are_whole_and_of_several_kinds():
    entries = golden_tallies()
    for entry in entries:
        assert set(entry) == {"policies", "rules", "hands", "seed", "sums"}
        assert set(entry["sums"]) == set(TALLY.names)
        assert entry["sums"]["hands"] == entry["hands"]
        assert entry["sums"]["faults"] == 0
        parse_rules(entry["rules"])
    assert len({entry["rules"] for entry in entries}) > 1
    used = {spec.partition(":")[0] for entry in entries for spec in entry["policies"]}
    assert {"greedy", "simple"} <= used


@pytest.mark.parametrize("measure", ["sums", "lead_squares", "knocks_by_deadwood"])
def test_a_wrong_sum_is_named(monkeypatch, measure):
    entry = golden_tallies()[0]
    right = json.loads(json.dumps(entry["sums"][measure]))
    place = entry["sums"][measure]
    while isinstance(place[0], list):
        place = place[0]
    place[0] -= 1
    monkeypatch.setattr(bench, "golden_tallies", lambda: [entry])
    with pytest.raises(GoldenError) as error:
        check_golden()
    assert str(error.value) == (
        f"{' against '.join(entry['policies'])} under {entry['rules']}: {measure} is {right} "
        f"where {entry['sums'][measure]} is right."
    )


@pytest.mark.usefixtures("tampered")
@pytest.mark.parametrize("as_json", [[], ["--json"]])
def test_nothing_is_timed_where_a_sum_is_wrong(run, as_json):
    code, out, err = run("bench", *as_json)
    assert (code, out) == (1, "")
    assert err.startswith("Error: the engine's sums are wrong, so nothing is timed: ")
    assert "Traceback" not in err


# ------------------------------------------------------------ what is timed


@pytest.mark.usefixtures("small")
def test_json_has_every_figure_with_its_unit(run):
    code, out, err = run("bench", "--json", "--threads", "2")
    assert (code, err) == (0, "")
    found = json.loads(out)
    assert found.pop("kind") == "bench"
    assert re.match(r"Python 3\.\d+\.\d+, Numba [\d.]+, .+ cores$", found.pop("machine"))
    assert set(found) == {"golden_tallies", "hands_per_second", "ns", "cold_compile_cpu_seconds"}
    assert found["golden_tallies"] == 1
    assert list(found["hands_per_second"]) == [
        "greedy-greedy",
        "greedy-greedy-gin-only",
        "simple-simple",
    ]
    for speeds in found["hands_per_second"].values():
        assert list(speeds) == ["1", "2"]
        assert all(isinstance(speed, int) and speed > 0 for speed in speeds.values())
    assert list(found["ns"]) == ["deadwood", "best_discard", "layoff"]
    assert all(ns > 0 for ns in found["ns"].values())
    assert found["cold_compile_cpu_seconds"] == dict.fromkeys(bench.COLD_COMMANDS, 12.3)


@pytest.mark.usefixtures("small")
def test_the_table_has_a_line_for_every_figure(run):
    code, out, err = run("bench")
    assert (code, err) == (0, "")
    lines = out.splitlines()
    assert re.match(
        r"1 golden tallies are right · Python 3\.\d+\.\d+, Numba [\d.]+, .+ cores$", lines[0]
    )
    for name in bench.PAIRINGS:
        assert re.search(rf"^  {name} +1 thread +[\d.]+ M hands/s$", out, re.MULTILINE)
    for name in bench.KERNELS:
        assert re.search(rf"^  {name} +[\d.]+ ns$", out, re.MULTILINE)
    for command in ("simulate", "sweep", "equity", "solve", "knock"):
        assert re.search(rf"^  cold_compile {command} +12\.3 CPU s$", out, re.MULTILINE)


@pytest.mark.usefixtures("small")
@pytest.mark.parametrize(
    ("only", "shape"),
    [
        ("greedy-greedy", {"hands_per_second": {"greedy-greedy": {"1"}}}),
        ("simple-simple", {"hands_per_second": {"simple-simple": {"1"}}}),
        ("layoff", {"ns": {"layoff"}}),
        ("cold_compile", {"cold_compile_cpu_seconds": {*bench.COLD_COMMANDS}}),
    ],
)
def test_only_measures_one_figure(run, only, shape):
    code, out, err = run("bench", "--json", "--only", only, "--threads", "1")
    assert (code, err) == (0, "")
    found = json.loads(out)
    assert found.pop("golden_tallies") == 1
    assert set(found) == {"kind", "machine", *shape}
    for kind, within in shape.items():
        if within is not None:
            assert set(found[kind]) == set(within)
        if isinstance(within, dict):
            assert all(set(found[kind][name]) == counts for name, counts in within.items())


@pytest.mark.usefixtures("tampered")
def test_for_an_unknown_figure_the_nearest_is_named(run):
    with pytest.raises(InputError):
        run_bench(only="greedy-gredy")
    code, out, err = run("bench", "--only", "greedy-gredy")
    assert (code, out) == (2, "")
    assert err == (
        "Error: nothing here is called 'greedy-gredy'. Did you mean 'greedy-greedy'? It can be "
        "greedy-greedy, greedy-greedy-gin-only, simple-simple, deadwood, best_discard, layoff or "
        "cold_compile."
    )


@pytest.mark.usefixtures("small")
def test_each_step_is_announced():
    steps = []
    run_bench(1, "deadwood", steps.append)
    assert steps == ["golden tallies", "deadwood"]


def test_a_figure_is_the_median(monkeypatch):
    class Run:
        def __init__(self, seconds):
            self.seconds = seconds

    # The first run warms up.
    times = iter([9.0, 1.0, 4.0, 2.0])
    monkeypatch.setattr(bench, "_RUNS", 3)
    monkeypatch.setattr(bench, "simulate", lambda plan, threads: Run(next(times)))
    hands = bench.PAIRINGS["greedy-greedy"][2]
    assert bench._hands_per_second("greedy-greedy", 2) == 2 * hands / 2.0


# ------------------------------------------------------- what it is timed on


@pytest.mark.parametrize("n_cards", [10, 11])
def test_random_hands_are_distinct_cards_at_random(n_cards):
    hands = random_hands(1, 5000, n_cards)
    assert hands.dtype == np.int64
    assert {int(hand).bit_count() for hand in hands} == {n_cards}
    assert len(set(hands.tolist())) == 5000
    held = [sum(int(hand) >> card & 1 for hand in hands) / 5000 for card in range(52)]
    assert held == pytest.approx([n_cards / 52] * 52, abs=0.03)
    assert random_hands(1, 10, n_cards).tolist() == hands[:10].tolist()


def test_knocks_are_ends_of_hands():
    defenders, sets, runs = end_of_hand_knocks(1, 300)
    for defender, in_sets, in_runs in zip(defenders, sets, runs, strict=True):
        spread = names(in_sets | in_runs)
        assert len(names(defender)) == 10
        assert not spread & names(defender)
        assert in_sets & in_runs == 0
        assert 3 <= len(spread) < 10
        assert any(meld <= spread for meld in naive.MELDS)


@pytest.mark.slow
@pytest.mark.parametrize("command", bench.COLD_COMMANDS)
def test_a_cold_compile_is_timed(command):
    assert 1 < bench._cold_compile_seconds(command) < 300
