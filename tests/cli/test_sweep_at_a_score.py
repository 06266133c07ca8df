"""What `gin-sim sweep --objective win --score` prints, keeps and refuses.

Right figures are the business of contests/test_sweep_at_a_score.py.
"""

from __future__ import annotations

import csv
import json
import re

import pytest

from gin_sim.play import run as simulating

FEW = ("--hands", "2000", "--equity-hands", "4000", "--quiet")
SWEEP = ("sweep", "--play", "greedy", "--param", "knock=0:10:5")
AGAINST = ("--against", "simple,marjj")
WIN = (*SWEEP, *AGAINST, "--objective", "win", "--score", "90-75")


@pytest.fixture(autouse=True)
def own_cache(tmp_path, monkeypatch):
    """Counted hands are kept for this test alone; compiled code stays where it is."""
    monkeypatch.setattr("gin_sim.payoff.equity_cache.cache_home", lambda: tmp_path / "kept")


@pytest.mark.long
def test_the_objective_and_the_score_are_named(works):
    out = works(*WIN, *FEW, "--boxes", "1-3", "--dealer", "opponent")
    lines = out.splitlines()
    assert lines[0] == (
        "greedy by knock · % to win the game at 90-75, 2 boxes behind, the opponent deals · "
        "standard rules · 2,000 hands in 1,000 mirrored pairs for each cell"
    )
    assert "against simple" in lines[2]
    assert [line.split()[0] for line in lines[3:6]] == ["0", "5", "10"]
    chances = [line.split()[1] for line in lines[3:6]]
    assert all(0 < float(chance) < 100 for chance in chances)
    assert not any(chance.startswith("+") for chance in chances), "a chance, not a lead"
    assert sum(line.endswith("   best") for line in lines) == 3
    assert "mean against all" in out
    assert (
        "What a hand is worth for the game is counted from 4,000 hands in 2,000 mirrored pairs of "
        "greedy against each of simple and marjj; they play the later hands with their own knocks. "
        "A tie counts as half a win. Intervals cover the hands of this sweep only."
    ) in lines
    assert lines[-1].startswith("seed 1 · ")


@pytest.mark.long
def test_stakes_are_in_points_settled(works):
    asked = (*SWEEP, "--against", "simple", "--objective", "stakes", "--score", "20-60", *FEW)
    out = works(*asked)
    assert "points per game at 20-60, level boxes" in out.splitlines()[0]
    assert out.splitlines()[3].split()[1][0] in "+-", "stakes have a sign"
    assert "half a win" not in out
    found = json.loads(works(*asked, "--json"))
    assert (found["objective"], found["unit"]) == ("stakes", "points per game")


@pytest.mark.long
def test_two_numbers_at_a_score(works, tmp_path):
    asked = ("sweep", "--play", "two-threshold", "--param", "early=0:10:5", "--param", "late=0,3")
    asked += ("--against", "simple", "--objective", "win", "--score", "60-60", *FEW)
    lines = works(*asked, "--out", str(tmp_path / "out")).splitlines()
    assert lines[3].split() == ["early", "\\", "late", "0", "3"]
    assert "+" not in "".join(lines[4:7])
    assert lines[7].startswith("  each within ±")
    assert (tmp_path / "out/sweep.svg").is_file()


@pytest.mark.long
def test_what_json_holds_is_the_same_for_any_threads_walked_or_not(works):
    found = [
        json.loads(works(*WIN, *FEW, "--json", *more))
        for more in (("--threads", "1"), ("--threads", "3"), ("--cell-by-cell",))
    ]
    for each in found:
        del each["seconds"], each["command"]
    assert found[0] == found[1]
    assert (found[0].pop("one_pass"), found[2].pop("one_pass")) == (True, False)
    # Each deal is walked once for all values, or played out for each.
    assert 3 * found[0].pop("hands_played") == found[2].pop("hands_played")
    assert found[0] == found[2]
    swept = found[0]
    judged = (swept["objective"], swept["unit"], swept["hands"])
    assert judged == ("win", "chance to win the game", 2000)
    score = swept["score"]
    assert (score["mine"], score["theirs"], score["box_difference"]) == (90, 75, 0)
    assert (score["dealer"], score["boxes_matter"]) == ("either", True)
    later = swept["later_hands"]
    assert score["later_hands"] == later[0]
    assert [(each["play"], each["against"], each["hands"]) for each in later] == [
        ("greedy", "simple", 4000),
        ("greedy", "marjj", 4000),
    ]
    for table in swept["by_opponent"]:
        for cell in table["cells"]:
            figure = cell["figure"]
            assert 0 < figure["low"] < figure["estimate"] < figure["high"] < 1


def test_the_default_is_whole_games_as_before(works):
    found = json.loads(
        works(*SWEEP, "--against", "simple", "--objective", "win", "--games", "40", "--json")
    )
    assert (found["games"], found["unit"], found["score"]) == (40, "share of games", None)
    points = json.loads(works(*SWEEP, "--against", "simple", "--hands", "40", "--json"))
    assert (points["unit"], points["score"]) == ("points per hand", None)


@pytest.mark.long
def test_files_and_their_redrawing(run, works, tmp_path):
    out = tmp_path / "out"
    works(*WIN, *FEW, "--out", str(out))
    there = sorted(path.name for path in out.iterdir() if path.suffix != ".parquet")
    assert there == ["cells.csv", "manifest.json", "sweep.png", "sweep.svg"]
    rows = list(csv.DictReader((out / "cells.csv").read_text(encoding="utf-8").splitlines()))
    assert len(rows) == 9
    assert {(row["play_points"], row["against_points"]) for row in rows} == {("90", "75")}
    assert {row["box_difference"] for row in rows} == {"0"}
    assert {(row["objective"], row["unit"]) for row in rows} == {("win", "chance to win the game")}
    assert 0 < float(rows[0]["estimate"]) < 1
    drawn = (out / "sweep.svg").read_text(encoding="utf-8")
    words_drawn = " ".join(re.sub(r"<[^>]+>", " ", drawn).split())
    for words in (
        "% to win the game at 90-75",
        "Intervals are those of the hands of this sweep",
        "the rest of the game from 4,000 hands in 2,000 mirrored pairs",
    ):
        assert words in words_drawn
    assert "less games lost" not in drawn
    assert run("chart", str(out))[0] == 0
    assert (out / "sweep.svg").read_text(encoding="utf-8") == drawn


@pytest.mark.long
@pytest.mark.parametrize(
    ("objective", "width", "unit"),
    [("win", "1.5", "% to win the game"), ("stakes", "6", "points per game")],
)
def test_until_is_in_the_unit_that_is_shown(works, objective, width, unit):
    asked = (*SWEEP, "--against", "simple", "--objective", objective, "--score", "60-60")
    asked += ("--equity-hands", "4000", "--quiet", "--until", width)
    out = works(*asked)
    assert f"Stopped once every interval was within ±{width} {unit}." in out
    found = json.loads(works(*asked, "--json"))
    asked_for = float(width) / 100 if objective == "win" else float(width)
    stopping = found["stopping"]
    assert (stopping["rule"], stopping["reached"]) == ("until", True)
    assert stopping["half_width"] == pytest.approx(asked_for)
    assert stopping["unit"] == found["unit"]
    figures = [cell["figure"] for cell in found["by_opponent"][0]["cells"]]
    reach = [(figure["high"] - figure["low"]) / 2 for figure in figures]
    assert asked_for / 2 < max(reach) <= asked_for


@pytest.mark.long
def test_ctrl_c_keeps_what_is_finished(run, works, monkeypatch):
    works(*WIN, *FEW)  # the tables are counted
    real = simulating.simulate

    def stopped(plan, threads, stop, on_progress, enough):
        monkeypatch.setattr(simulating, "CHUNK_UNITS", 50)
        return real(plan, threads, stop, lambda tally: stop.set(), enough)

    monkeypatch.setattr("gin_sim.api.playing.simulate_plan", stopped)
    asked = (*WIN, "--hands", "1e6", *FEW[2:])
    code, out, _ = run(*asked, "--json")
    assert code == 130
    found = json.loads(out)
    assert found["partial"] is True
    assert 50 <= found["units"] < 500_000
    code, out, _ = run(*asked)
    assert code == 130
    assert "PARTIAL: stopped early" in out.splitlines()[0]


def test_ctrl_c_while_the_tables_are_counted(run, monkeypatch):
    real = simulating.simulate

    def stopped(plan, threads, stop, on_progress, enough):
        monkeypatch.setattr(simulating, "CHUNK_UNITS", 50)
        return real(plan, threads, stop, lambda tally: stop.set(), enough)

    monkeypatch.setattr("gin_sim.api.playing.simulate_plan", stopped)
    assert run(*WIN, "--quiet") == (130, "", "\nStopped.")


@pytest.mark.long
def test_a_single_pair_has_no_intervals(works):
    asked = (*WIN, "--hands", "2", *FEW[2:])
    assert "nan" not in works(*asked)
    assert "NaN" not in works(*asked, "--json")


@pytest.mark.long
def test_counted_hands_are_found_again(run):
    asked = (*WIN, *FEW[:-1])
    code, _, first = run(*asked)
    assert (code, first) == (0, "")
    code, _, second = run(*asked)
    assert code == 0
    assert second.count("Hands counted before are used again: ") == 2


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        ("--score 90-75", "--score needs --objective win or stakes: by points, single hands"),
        (
            "--objective points+boxes --boxes 1-0",
            "--boxes needs --objective win or stakes: by points+",
        ),
        ("--dealer me", "--dealer needs --objective win or stakes: by points, single"),
        ("--objective stakes", "--objective stakes needs a score: give one, such as"),
        (
            "--objective win --boxes 2-0",
            "--boxes 2-0 needs a score, such as --score 90-75: add one",
        ),
        ("--objective stakes --dealer me", "--dealer me needs a score, such as --score 90-75"),
        ("--objective win --score 90-75 --games 20", "--games 20 plays whole games, and at "),
        ("--objective stakes --score 0-0 --games 20", "leave --games out, or give --hands."),
        ("--objective win --hands 20", "--hands 20 does not go with --objective win"),
        ("--objective win --score 100-20", "at 100-20 the game is over, to 100"),
        ("--objective win --score 20", "--score '20' is no score: give both sides' points"),
        ("--objective win --score 20-20 --boxes 30-0", "--boxes cannot be 30-0"),
        ("--objective win --score 0-0 --rules openspiel", "a game is one hand, which has no score"),
        ("--objective win --score 0-0 --against simple", "the opponent 'simple' is given twice"),
        ("--objective win --score 0-0 --until 0", "'0' is not a half-width of an interval"),
        ("--objective win --score 0-0 --max-cells 2", "at most 2"),
        (
            "--objective stakes --score 0-0 --hands 1e11 --equity-hands 4000 --quiet",
            "hands are too many to be priced by this table: ask for",
        ),
    ],
)
def test_bad_input_is_one_sentence(run, tmp_path, arguments, sentence):
    out = tmp_path / "out"
    asked = (*SWEEP, "--against", "simple", *arguments.split(), "--out", str(out))
    code, printed, err = run(*asked)
    assert (code, printed) == (2, "")
    assert err.startswith("Error: ")
    assert sentence in err
    assert "\n" not in err
    assert not out.exists()


def test_values_against_each_other_are_not_judged_at_a_score(run):
    code, out, err = run(*SWEEP, "--both", "--objective", "win", "--score", "90-75")
    assert (code, out) == (2, "")
    assert err == (
        "Error: --both asks what two players in equal seats should choose, and at --score 90-75 "
        "each hand is judged from one side: leave --score out, or give --against instead of --both."
    )
    code, _, err = run(*SWEEP, "--both", "--objective", "stakes")
    assert code == 2
    assert "--objective stakes needs a score" in err
