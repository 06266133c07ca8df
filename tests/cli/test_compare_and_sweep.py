"""What `gin-sim compare` and `gin-sim sweep` print, write and refuse.

Right figures are the business of tests/contests.
"""

from __future__ import annotations

import csv
import json
from itertools import pairwise

import pytest

from gin_sim.play import run as simulating
from gin_sim.report.charts import draw_charts
from gin_sim.results.kinds import load

COMPARE = ("compare", "greedy", "greedy:knock=9", "strong")
SWEEP = ("sweep", "--play", "greedy", "--param", "knock=0:10:5", "--against", "simple,strong")
BOTH = ("sweep", "--play", "greedy", "--param", "knock=0:10:5", "--both")
COMMANDS = [COMPARE, SWEEP, BOTH]


# ------------------------------------------------------------------ the tables


def test_the_table_of_a_ranking(works):
    lines = works(*COMPARE, "--hands", "600", "--seed", "3").splitlines()
    assert lines[0] == (
        "3 policies, each against each · standard rules · 600 hands in 300 mirrored pairs for each "
        "pairing"
    )
    assert lines[2].split() == ["ahead", "of", "the", "field", "ahead", "of", "the", "next"]
    assert lines[3].split()[:2] == ["1", "strong"]
    assert [line.split()[0] for line in lines[3:6]] == ["1", "2", "3"]
    assert lines[4].endswith("no difference found")
    assert "row ahead of column, points per hand" in lines[7]
    assert lines[-4].startswith("strong is ahead of all others. No difference is found between ")
    assert lines[-3].startswith("95% intervals hold for all 3 differences at once")
    assert lines[-1].startswith("seed 3 · ")


def test_two_policies_are_compared_in_a_line(works):
    out = works("compare", "greedy", "strong", "--hands", "2000")
    assert out.startswith("greedy against strong · standard rules · 2,000 hands in 1,000 mirrored")
    assert "  greedy - strong   -" in out
    assert "field" not in out


def test_a_matrix_that_is_too_wide_becomes_a_list(works):
    limits = [f"greedy:knock={limit}" for limit in range(11)]
    lines = works("compare", *limits, "--hands", "20").splitlines()
    start = next(number for number, line in enumerate(lines) if "row ahead of column" in line)
    assert lines[start + 1].startswith("  greedy:knock=")
    assert " - greedy:knock=" in lines[start + 1]
    assert len([line for line in lines if " - greedy:knock=" in line]) == 55


def test_the_table_of_a_sweep(works):
    out = works(
        *SWEEP, "--hands", "4000", "--objective", "points+boxes", "--rules", "eaai:box_bonus=20"
    )
    lines = out.splitlines()
    assert lines[0] == (
        "greedy by knock · points per hand, counting 20 per box · eaai:box_bonus=20 rules · "
        "4,000 hands "
        "in 2,000 mirrored pairs for each cell"
    )
    assert "against simple" in lines[2]
    assert [line.split()[0] for line in lines[3:6]] == ["0", "5", "10"]
    assert sum(line.endswith("   best") for line in lines) == 3
    assert "against strong" in out
    assert "mean against all" in out
    assert "Against simple knock=" in out


def test_the_table_of_two_numbers(works):
    out = works(
        *("sweep", "--play", "two-threshold", "--param", "early=0:10:5", "--param", "late=0,3"),
        *("--against", "simple", "--hands", "2000"),
    )
    lines = out.splitlines()
    assert lines[3].split() == ["early", "\\", "late", "0", "3"]
    assert [line.split()[0] for line in lines[4:7]] == ["0", "5", "10"]
    assert lines[7].startswith("  each within ±")
    assert "*" in out


def test_the_table_of_a_value_matrix(works):
    lines = works(*BOTH, "--hands", "20000").splitlines()
    assert lines[0].startswith(
        "greedy by knock, each against each · points per hand · standard rules"
    )
    assert lines[2].split()[-3:] == ["0", "5", "10"]
    assert lines[3].split()[:2] == ["0", "."]
    text = "\n".join(lines)
    assert "best response" in text
    assert "dominated by 0" in text
    assert (
        "value of the game to the row player: 0, since both sides choose from the same values"
        in text
    )
    assert "In equilibrium both play knock=0. Among these values never choose 5 or 10" in text
    assert "not of gin rummy" in text


def test_games_are_shown_in_percent(works):
    out = works("compare", "strong", "simple", "--objective", "win", "--games", "200")
    assert "strong - simple   +" in out
    assert "games to 100 won less games lost, %" in out
    assert "200 games in 100 mirrored pairs" in out


@pytest.mark.parametrize("command", COMMANDS)
@pytest.mark.parametrize("objective", ["points", "win"])
def test_a_single_pair_has_no_intervals(works, command, objective):
    size = ("--games", "2") if objective == "win" else ("--hands", "2")
    out = works(*command, "--objective", objective, *size)
    assert "nan" not in out
    found = json.loads(works(*command, "--objective", objective, *size, "--json"))
    assert "NaN" not in json.dumps(found)


# ------------------------------------------------------------------------ JSON


def plain(text):
    """A JSON object without its timing, and without the command, which names the threads."""
    found = json.loads(text)
    del found["seconds"], found["command"]
    return found


@pytest.mark.long
@pytest.mark.parametrize("command", COMMANDS)
@pytest.mark.parametrize("more", [(), ("--no-mirrored",), ("--objective", "win", "--games", "40")])
def test_json_is_the_same_for_any_number_of_threads(works, command, more):
    size = () if "--games" in more else ("--hands", "3000")
    if "--both" in command and "--no-mirrored" in more:
        return  # refused, see below
    found = {
        json.dumps(plain(works(*command, *size, *more, "--json", "--threads", threads)))
        for threads in ("1", "2", "7")
    }
    assert len(found) == 1


@pytest.mark.parametrize("stop", [("--until", "0.3"), ("--until", "±0.4"), ("--sprt", "0,0.5")])
def test_stopping_is_the_same_for_any_number_of_threads(works, stop):
    command = ("compare", "greedy", "simple", "--seed", "5", *stop, "--json")
    found = {json.dumps(plain(works(*command, "--threads", n))) for n in ("1", "2", "7")}
    assert len(found) == 1
    (text,) = found
    stopping = json.loads(text)["stopping"]
    if stop[0] == "--sprt":
        assert stopping["rule"] == "sprt"
        assert stopping["accepted"] in ("d0", "d1")
        low, high = stopping["bounds"]
        assert low == pytest.approx(-2.944, abs=1e-3)
        assert not low < stopping["llr"] < high
    else:
        assert stopping == {
            "rule": "until",
            "half_width": float(stop[1].strip("±")),
            "unit": "points per hand",
            "reached": True,
        }
        (row,) = json.loads(text)["differences"]
        reach = (row["lead"]["high"] - row["lead"]["low"]) / 2
        assert reach <= float(stop[1].strip("±"))


def test_what_json_holds(works):
    found = json.loads(works(*COMPARE, "--hands", "2000", "--seed", "7", "--json"))
    assert (found["objective"], found["unit"], found["hands"]) == (
        "points",
        "points per hand",
        2000,
    )
    assert (found["units"], found["mirrored"], found["games"]) == (1000, True, None)
    assert found["rules"]["name"] == "standard"
    assert found["ranking"][0]["policy"] == "strong"
    assert len(found["differences"]) == 3
    assert tuple(policy["spec"] for policy in found["policies"]) == COMPARE[1:]
    order = [row["policy"] for row in found["ranking"]]
    gaps = {(p["policy"], p["against"]): p["in_ranking"] for p in found["differences"]}
    assert [gaps[pair]["low"] > 0 for pair in pairwise(order)] == [True, False]
    assert found["hands_played"] == 6000
    swept = json.loads(works(*SWEEP, "--hands", "2000", "--json"))
    assert swept["one_pass"] is True
    assert swept["parameters"] == [
        {
            "name": "knock",
            "unit": "pips",
            "meaning": "greatest deadwood to knock with",
            "values": [0, 5, 10],
        }
    ]
    assert [table["against"] for table in swept["by_opponent"]] == ["simple", "strong", None]
    slow = json.loads(works(*SWEEP, "--hands", "2000", "--json", "--cell-by-cell"))
    assert slow["one_pass"] is False
    assert slow["by_opponent"] == swept["by_opponent"]
    matrix = json.loads(works(*BOTH, "--hands", "2000", "--json"))
    assert [(cell["row"], cell["column"]) for cell in matrix["cells"]][:4] == [
        (0, 0),
        (0, 5),
        (0, 10),
        (5, 0),
    ]
    weights = [row["weight"]["estimate"] for row in matrix["equilibrium"]["mixture"]]
    assert sum(weights) == pytest.approx(1)


def test_json_has_no_infinity(works):
    """Two ways to write one policy: the test's ratio is beyond all bounds."""
    same = ("greedy", "greedy:knock=10", "--sprt", "0,0.1", "--json")
    for command in ("compare", "simulate"):
        found = json.loads(works(command, *same), parse_constant=pytest.fail)
        assert found["stopping"]["accepted"] == "d0"
        assert found["stopping"]["llr"] is None


# ---------------------------------------------------------------------- Ctrl-C


@pytest.mark.long
@pytest.mark.parametrize("command", COMMANDS)
def test_ctrl_c_keeps_what_is_finished(run, monkeypatch, tmp_path, command):
    def stopped(plan, threads, stop, on_progress, enough):
        monkeypatch.setattr(simulating, "CHUNK_UNITS", 50)
        return real(plan, threads, stop, lambda tally: stop.set(), enough)

    real = simulating.simulate
    monkeypatch.setattr("gin_sim.api.playing.simulate_plan", stopped)
    code, out, _ = run(*command, "--hands", "1e6", "--out", str(tmp_path / "out"), "--json")
    assert code == 130
    found = json.loads(out)
    assert found["partial"] is True
    assert 50 <= found["units"] < 500_000
    assert load(tmp_path / "out").units == found["units"]
    code, out, _ = run(*command, "--hands", "1e6")
    assert code == 130
    assert "PARTIAL: stopped early" in out.splitlines()[0]


@pytest.mark.parametrize("command", COMMANDS)
def test_ctrl_c_before_the_first_hand(run, monkeypatch, command):
    def stopped(plan, threads, stop, on_progress, enough):
        stop.set()
        return real(plan, threads, stop, on_progress, enough)

    real = simulating.simulate
    monkeypatch.setattr("gin_sim.api.playing.simulate_plan", stopped)
    assert run(*command, "--hands", "1e6") == (130, "", "\nStopped.")


# ----------------------------------------------------------------------- files

FILES = {
    COMPARE: ["differences.csv", "ranking.csv", "ranking.png", "ranking.svg"],
    SWEEP: ["cells.csv", "sweep.png", "sweep.svg"],
    BOTH: [
        "best_replies.csv",
        "cells.csv",
        "equilibrium.csv",
        "value_matrix.png",
        "value_matrix.svg",
    ],
}


@pytest.mark.long
@pytest.mark.parametrize("command", COMMANDS)
def test_files_and_their_redrawing(run, tmp_path, command):
    out = tmp_path / "out"
    code, _, err = run(*command, "--hands", "1000", "--out", str(out))
    assert code == 0
    assert err.startswith(f"Tables, charts and manifest are in {out}")
    there = sorted(path.name for path in out.iterdir() if path.suffix != ".parquet")
    assert there == sorted([*FILES[command], "manifest.json"])
    for table in out.glob("*.csv"):
        text = table.read_text(encoding="utf-8")
        assert len(list(csv.DictReader(text.splitlines()))) >= 3
        assert "nan" not in text
    drawn = {path.name: path.read_bytes() for path in out.glob("*.svg")}
    result = load(out)
    assert result.command.startswith(f"gin-sim {command[0]} ")
    assert set(draw_charts(result)) == {name.removesuffix(".svg") for name in drawn}
    code, _, err = run("chart", str(out))
    assert (code, err) == (0, "")
    assert {path.name: path.read_bytes() for path in out.glob("*.svg")} == drawn


# ---------------------------------------------------------------------- errors


@pytest.mark.parametrize(
    ("command", "sentence"),
    [
        (
            "compare greedy",
            "1 policy is given: a comparison needs two or more",
        ),
        (
            "compare greedy greedy",
            "'greedy' is given twice: name each policy once.",
        ),
        (
            "compare gready simple",
            "no policy is called 'gready'. Did you mean 'greedy'?",
        ),
        (
            "compare greedy simple --rules standard --rules eaai",
            "--rules is given 2 times (standard and eaai): all figures are under one rule set",
        ),
        (
            "compare greedy simple --rules standard,eaai",
            "'standard,eaai' names 2 rule sets: all figures are under one",
        ),
        (
            "compare greedy simple strong --sprt 0,1",
            "--sprt tests whether one policy is better than another, and 3 are given",
        ),
        (
            "compare greedy simple --sprt 1,0",
            "The leads 1 and 0 cannot be tested",
        ),
        (
            "compare greedy simple --sprt 1",
            "'1' is not a pair of leads",
        ),
        (
            "compare greedy simple --until 0",
            "'0' is not a half-width of an interval",
        ),
        (
            "compare greedy simple --until -1",
            "'-1' is not a half-width of an interval",
        ),
        (
            "compare greedy simple --until 1 --sprt 0,1",
            "--until and --sprt are two stopping rules",
        ),
        (
            "compare greedy simple --objective win --hands 10",
            "--hands 10 does not go with --objective win",
        ),
        (
            "compare greedy simple --games 10",
            "--games 10 plays whole games",
        ),
        (
            "sweep --play greedy --against simple",
            "nothing is varied: name a parameter of greedy",
        ),
        (
            "sweep --play greedy --param knock=0:3",
            "no opponent is named: give --against POLICY, or --both",
        ),
        (
            "sweep --play greedy --param knock=0:3 --both --against simple",
            "--both plays the values against each other, and --against simple names opponents",
        ),
        (
            "sweep --play greedy --param knock= --against simple",
            "",
        ),
        (
            "sweep --play greedy --param knock=10:0 --against simple",
            "",
        ),
        (
            "sweep --play greedy --param knok=0:3 --against simple",
            "greedy has no parameter 'knok'. Did you mean 'knock'?",
        ),
        (
            "sweep --play greedy --param knock=0:60 --against simple",
            "",
        ),
        (
            "sweep --play greedy --param knock=0:50 --both",
            "2,601 cells are asked for, and at most 441 are played",
        ),
        (
            "sweep --play two-threshold --param early=0:50 --param late=0:50 --against simple",
            "",
        ),
        (
            "sweep --play greedy --param knock=0:10 --against simple,strong --max-cells 20",
            "22 cells are asked for, and at most 20 are played",
        ),
        (
            "sweep --play greedy --param knock=0:3 --both --no-mirrored",
            "--both asks what two players in equal seats should choose: leave --no-mirrored out.",
        ),
        (
            "compare greedy simple --objective win --sprt 0,200",
            "--sprt 0,200 is out of range",
        ),
        (
            "sweep --play greedy --param knock=0:3 --against simple,simple",
            "the opponent 'simple' is given twice",
        ),
        (
            "sweep --play greedy --param knock=0:3 --against simple,",
            "",
        ),
        (
            "sweep --play strong --param temperature=0:2 --both",
            "one pass cannot serve all values: what strong draws and discards depends on",
        ),
        (
            "sweep --play two-threshold --param early=0:2 --param late=0:2 --both",
            "--both plays the values of one --param",
        ),
        (
            "sweep --play greedy --param knock=0:3 --against simple --rules eaai --rules modern",
            "--rules is given 2 times",
        ),
    ],
)
def test_bad_input_is_one_sentence(fails, tmp_path, command, sentence):
    said = fails(*command.split(), "--out", str(tmp_path / "out"))
    assert sentence in said
    assert said.rstrip().endswith((".", "?", "it."))
    assert not (tmp_path / "out").exists()


def test_simulate_refuses_two_rule_sets_too(fails):
    said = fails("simulate", "greedy", "simple", "--rules", "eaai", "--rules", "standard")
    assert said.startswith("--rules is given 2 times (eaai and standard)")


def test_changes_of_rules_are_no_list_of_sets(works):
    rules = "standard:gin_bonus=20,undercut_bonus=10"
    out = works("compare", "greedy", "simple", "--hands", "20", "--rules", rules)
    assert f"{rules} rules" in out


def test_opponents_with_settings(works):
    found = json.loads(
        works(
            *("sweep", "--play", "greedy", "--param", "knock=0:1", "--hands", "20", "--json"),
            *("--against", "two-threshold:early=9,late=2,simple,greedy:knock=3"),
        )
    )
    specs = [policy["spec"] for policy in found["against"]]
    assert specs == ["two-threshold:early=9,late=2", "simple", "greedy:knock=3"]
    repeated = json.loads(
        works(
            *("sweep", "--play", "greedy", "--param", "knock=0:1", "--hands", "20", "--json"),
            *("--against", "simple", "--against", "marjj"),
        )
    )
    assert [policy["spec"] for policy in repeated["against"]] == ["simple", "marjj"]
