"""results/knock_charts holds what its script solves, and its page what the results say."""

from __future__ import annotations

import csv
import json
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "scripts"))

import knock_charts as study  # noqa: E402

from gin_sim.results.common import Estimate  # noqa: E402
from gin_sim.results.equilibrium import KnockChance  # noqa: E402
from gin_sim.results.folder import read_result  # noqa: E402

EVERY = [*study.SOLVED, *study.EQUILIBRIA]


@pytest.fixture(scope="module")
def solved():
    return {run: study.read(run) for run in study.SOLVED}


@pytest.fixture(scope="module")
def equilibria():
    return {run: study.read(run) for run in study.EQUILIBRIA}


@pytest.mark.parametrize("run", EVERY, ids=lambda run: study.folder_of(run).name)
def test_each_result_is_the_one_that_the_script_solves(run):
    manifest = read_result(study.folder_of(run))
    out = study.folder_of(run).relative_to(ROOT)
    assert manifest["command"] == f"gin-sim {study.command_of(run)} --out {out}"
    assert manifest["result"]["kind"] == ("solution" if run.against else "equilibrium")
    assert manifest["result"]["partial"] is False
    for name in manifest["files"]:
        assert (study.folder_of(run) / name).is_file()


def test_no_result_is_left_from_an_earlier_study():
    folders = {path for path in study.RESULTS.iterdir() if path.is_dir()}
    assert folders == {*map(study.folder_of, EVERY), study.RESULTS / "overview"}


def test_the_overview_names_every_command():
    manifest = json.loads((study.RESULTS / "overview/manifest.json").read_text(encoding="utf-8"))
    assert manifest["commands"] == [f"gin-sim {study.command_of(run)}" for run in EVERY]


def test_the_page_is_what_the_results_say(solved, equilibria):
    text = (study.RESULTS / "README.md").read_text(encoding="utf-8")
    assert text == study.page(solved, equilibria)


def test_the_page_shows_every_chart_of_the_overview():
    text = (study.RESULTS / "README.md").read_text(encoding="utf-8")
    drawn = {f"overview/{path.name}" for path in (study.RESULTS / "overview").glob("*.png")}
    shown = {part.split(")")[0] for part in text.split("](")[1:]}
    assert drawn == {each for each in shown if each.endswith(".png")}


def test_last_turns_are_those_of_the_saved_cells():
    run = study.Run("strong", "marjj", "25-25")
    with (study.folder_of(run) / "cells.csv").open(encoding="utf-8") as file:
        rows = [row for row in csv.DictReader(file) if row["deadwood"] == "10"]
    rows = [row for row in rows if row["class_name"] == "0"]
    knocked = [int(row["turn"]) for row in rows if row["decision"] == "knock"]
    last, close = study.last_knock(study.read(run), "0", 10)
    assert last == max(knocked)
    assert close == [
        int(row["turn"])
        for row in rows
        if row["decision"] == "too close" and int(row["turn"]) > last
    ]


def cell(turn, deadwood, gain, name="0", half=1.0, knocks=100):
    low, high = gain - half, gain + half
    decision = "knock" if low > 0 else "play on" if high < 0 else "too close"
    return study.KnockCell(
        turn=turn,
        class_name=name,
        deadwood=deadwood,
        knocks=knocks,
        gain=Estimate(gain, low, high),
        decision=decision,
        rule="knock" if gain > 0 else "play on",
    )


class Chart:
    """A chart of cells alone, of 1,000 deals."""

    deals = 1000

    def __init__(self, *cells):
        self.cells = list(cells)


def test_a_sentence_says_where_to_knock_and_where_not():
    chart = Chart(
        cell(1, 5, 4.0),
        cell(1, 10, 3.0),
        cell(2, 5, 2.0),
        cell(2, 10, -0.5),
        cell(3, 5, -2.0),
        cell(3, 10, -4.0),
        cell(4, 5, -0.2),
    )
    assert study.class_sentence(chart, "0") == (
        "with no card that gives gin, knock on turn 1 with any deadwood: then a knock gains least "
        "with 10, 3.0 [2.0, 4.0]; on turn 2 it depends on the deadwood (the last clear turn to "
        "knock is 2 with 5); from turn 3 on do not knock: then even with deadwood 5, where a knock "
        "comes nearest, playing on is worth 2.0 [1.0, 3.0] more."
    )
    assert study.last_knock(chart, "0", 5) == (2, []), "turn 4 comes after one that is clear"
    assert study.last_knock(chart, "0", 10) == (1, [2])
    assert study.last_knock_words(chart, "0", 10) == "1 (2)"


def test_a_late_turn_by_chance_is_no_last_turn():
    """A knock that is clear again after turns on which it was clearly worse: those end it."""
    chart = Chart(
        cell(1, 5, -3.0), cell(2, 5, 4.0), cell(1, 9, 3.0), cell(2, 9, -3.0), cell(3, 9, 2.0)
    )
    assert study.last_knock(chart, "0", 5) == (None, [])
    assert study.last_knock(chart, "0", 9) == (1, [])


def test_a_class_without_a_clear_knock_is_described_as_never():
    chart = Chart(cell(1, 5, -4.0, "3+"), cell(2, 8, -1.5, "3+"))
    assert study.last_knock_words(chart, "3+", 5) == "-"
    assert study.class_sentence(chart, "3+") == (
        "with three or more cards that give gin never knock: even on turn 2 with deadwood 8, where "
        "a knock comes nearest, playing on is worth 1.5 [0.5, 2.5] more."
    )


def test_the_dearest_mistake_counts_clear_cells_alone():
    chart = Chart(
        cell(1, 5, -4.0, knocks=500), cell(2, 8, -6.0), cell(3, 9, -50, half=60), cell(4, 9, 3.0)
    )
    assert study.mistake_sentence(chart, "play on", study.cost, "a wrong knock") == (
        "a wrong knock costs most on turn 2 with deadwood 8 and no card that gives gin, "
        "6.0 [5.0, 7.0]; counting how often it comes up, on turn 1 with deadwood 5 and no card "
        "that gives gin, 4.0 [3.0, 5.0], in 50.0% of the hands of a player who follows the chart "
        "until then."
    )


def test_turns_are_written_as_runs():
    assert study.turns_words([4]) == "4"
    assert study.turns_words([1, 2, 3, 5, 7, 8]) == "1-3, 5, 7-8"
    assert study.turns_words([]) == ""


class Mixed:
    """An equilibrium's chances alone: by turn, the chance and the knocks of deadwoods 4 and 5."""

    def __init__(self, *rows):
        self.chances = [
            study_chance(turn, deadwood, chance, knocks)
            for turn, (few, many), knocks in rows
            for deadwood, chance in ((4, few), (5, many))
        ]


def study_chance(turn, deadwood, chance, knocks):
    return KnockChance(turn=turn, class_name="all", deadwood=deadwood, knocks=knocks, chance=chance)


def test_late_turns_that_knock_again_are_listed():
    """Of 1,000 knocks 75 % and 30 % are made, then 5 %, and at the end 40 % and 20 % of few."""
    found = Mixed(
        (1, (0.5, 1.0), 500),
        (2, (0.1, 0.5), 500),
        (3, (0.0, 0.1), 500),
        (4, (0.0, 0.8), 1050),
        (5, (0.2, 0.2), 60),
        (6, (1.0, 1.0), 40),
    )
    assert study.last_turn_of(found, 0.5) == 1
    assert study.again_words(found, 0.5) == ""
    assert study.last_turn_of(found, 0.1) == 2
    assert study.again_words(found, 0.1) == (
        " and again on turns 4 (40% of 2,100) and 5 (20% of 120)"
    ), "turn 6 has too few to say"
    assert study.exception_words(found) == " (except for turns 4 (40% of 2,100) and 5 (20% of 120))"
    assert study.exception_words(Mixed((1, (1.0, 1.0), 500), (2, (0.0, 0.0), 500))) == ""


@pytest.mark.parametrize("run", study.EQUILIBRIA, ids=lambda run: study.folder_of(run).name)
def test_no_turn_of_the_tables_contradicts_the_page(run):
    """Each turn on which a tenth is made is named: up to the last, or among those after it."""
    with (study.folder_of(run) / "chances.csv").open(encoding="utf-8") as file:
        rows = list(csv.DictReader(file))
    made, allowed = (dict.fromkeys(range(1, 21), 0.0) for _ in range(2))
    for row in rows:
        allowed[int(row["turn"])] += int(row["knocks"])
        made[int(row["turn"])] += int(row["knocks"]) * float(row["chance"])
    often = [turn for turn in made if allowed[turn] >= 100 and made[turn] >= allowed[turn] / 10]
    found = study.read(run)
    last = study.last_turn_of(found, 0.1)
    assert [turn for turn in often if turn <= last] == [
        turn for turn in range(1, last + 1) if allowed[turn] >= 100
    ]
    said = study.again_words(found, 0.1)
    for turn in often:
        assert turn <= last or f" {turn} ({made[turn] / allowed[turn]:.0%} of " in said
