"""What `gin-sim solve` prints, writes and refuses.

Right figures are the business of the tests of the room knock.
"""

from __future__ import annotations

import json
import re
from contextlib import nullcontext

import numpy as np
import pytest

from gin_sim.api import solving
from gin_sim.knock import tracing
from gin_sim.knock.induction import follow, respond
from gin_sim.play.knock_trace import trace_paths
from gin_sim.play.pairings import play_pairings
from gin_sim.policies.catalogue import parse_policy
from gin_sim.results.folder import read_result
from gin_sim.results.kinds import read_object
from gin_sim.results.knocks import SHOWN_FROM

SOLVE = ("solve", "--play", "greedy", "--against", "simple", "--deals", "20000")
BOTH = ("solve", "--play", "greedy", "--equilibrium", "--by", "none", "--deals", "20000")


def plain(text):
    found = json.loads(text, parse_constant=pytest.fail)
    del found["seconds"], found["command"]
    return found


def test_the_chart_of_a_solved_rule(works):
    lines = works(*SOLVE, "--proof-hands", "20000", "--rules", "standard:box_bonus=0").splitlines()
    assert lines[0] == (
        "When to knock: greedy against simple · points per hand · "
        "standard:box_bonus=0 rules · "
        "20,000 deals traced"
    )
    titles = [line for line in lines if line.startswith("  cards that would give gin: ")]
    assert [title.split(": ")[1] for title in titles] == ["0", "1-2", "3+"]
    for title in titles:
        head = lines[lines.index(title) + 1].split()
        assert head == ["deadwood", *(str(deadwood) for deadwood in range(1, 11))]
    text = "\n".join(lines)
    assert "  the rule - greedy's own " in text
    assert (
        "On 20,000 fresh mirrored hands against simple the rule is better than greedy's own: +"
        in text
    )
    assert re.search(r"own: \+\d\.\d\d points per hand \[\+\d\.\d\d, \+\d\.\d\d\]\.", text)
    assert "K: knock. A point: play on. ~: too close to call" in text


@pytest.mark.long
@pytest.mark.parametrize("command", [SOLVE, BOTH])
def test_every_turn_with_a_knock_is_shown(works, command):
    """Up to the last with any knock, which 20,000 deals of greedy play have after turn 14."""
    asked = (*command, "--by", "none", "--seed", "4")
    cells = json.loads(works(*asked, "--json"))
    cells = cells["cells"] if command is SOLVE else cells["chances"]
    last = max(cell["turn"] for cell in cells if cell["knocks"])
    assert 15 <= last <= 20
    lines = works(*asked).splitlines()
    turns = [line.split()[1] for line in lines if line.startswith("  turn ")]
    assert turns == [str(turn) if turn < 20 else "20+" for turn in range(1, last + 1)]


@pytest.mark.long
def test_a_rule_that_is_worse_than_a_threshold_says_so(works):
    asked = ("solve", "--play", "greedy", "--against", "simple", "--rules")
    asked += ("standard:knock_limit=50", "--proof-hands", "0", "--deals")
    warning = "5,000 deals are too few for so many cells. Trace more, or give --by none"
    few = works(*asked, "5e3")
    assert json.loads(works(*asked, "5e3", "--json"))["over_best_threshold"]["high"] < 0
    assert warning in few
    assert "are too few" not in works(*asked, "1e5")


def test_one_chart_without_classes_and_the_rule_by_features(works):
    out = works(*SOLVE, "--by", "none", "--features", "--proof-hands", "0")
    assert "  all knocks" in out
    assert "fresh mirrored" not in out
    assert (
        "Not tested on fresh hands: --proof-hands is 0. The rule by features is not tested." in out
    )
    assert "The rule to play is found on all deals" in out
    assert "  by features - the rule" in out


def test_the_notes_say_whether_the_rule_is_saved_and_tested(works, tmp_path):
    out = works(*SOLVE, "--proof-hands", "2000", "--save", str(tmp_path / "a.toml"))
    assert "The rule that is saved and tested is found on all deals" in out
    out = works(*SOLVE, "--proof-hands", "2000")
    assert "The rule that is tested is found on all deals" in out
    out = works(*SOLVE, "--by", "loose")
    assert "Not tested on fresh hands: a knock table cannot hold a rule by loose." in out
    assert "The rule to play is found on all deals" in out


@pytest.mark.long
def test_the_mixed_chart(works):
    out = works(*BOTH)
    assert out.startswith("When to knock in equilibrium: greedy against itself · points per hand")
    assert "best response gains, points per hand" in out
    assert "not of gin rummy" in out


@pytest.mark.long
@pytest.mark.parametrize("command", [SOLVE, BOTH])
@pytest.mark.parametrize("objective", ["points", "points+boxes"])
def test_json_is_the_same_for_any_number_of_threads(works, command, objective):
    asked = (*command, "--objective", objective, "--json")
    one, two = (plain(works(*asked, "--threads", threads)) for threads in ("1", "3"))
    assert one == two
    assert one["deals"] == 20_000


def test_what_json_holds(works):
    found = plain(works(*SOLVE, "--proof-hands", "2000", "--json"))
    assert (found["play"]["spec"], found["against"]["spec"]) == ("greedy", "simple")
    assert len(found["cells"]) == 20 * 3 * 10
    assert {cell["decision"] for cell in found["cells"]} == {"knock", "play on", "too close", "few"}
    for cell in found["cells"]:
        few = cell["knocks"] < SHOWN_FROM
        assert (cell["decision"] == "few") == few
        if not few:
            assert cell["gain"]["low"] <= cell["gain"]["estimate"] <= cell["gain"]["high"]
    assert parse_policy(f"greedy:knock={found['knock']}")
    assert found["proof"]["hands"] == 2000
    assert [row["knock"] for row in found["thresholds"]] == list(range(11))
    own = found["own"]["estimate"]
    assert found["gain"]["estimate"] == pytest.approx(found["value"]["estimate"] - own)
    assert found["thresholds"][10]["value"]["estimate"] == pytest.approx(own), "greedy knocks at 10"


def test_a_saved_rule_plays(works, run, tmp_path):
    file = tmp_path / "solved.toml"
    code, out, _ = run(*SOLVE, "--proof-hands", "2000", "--save", str(file), "--seed", "3")
    assert code == 0
    assert f"Saved. To play it: gin-sim simulate {file} simple\n" in f"{out}\n"
    found = plain(works(*SOLVE, "--proof-hands", "2000", "--seed", "3", "--json"))
    saved = parse_policy(str(file))
    assert saved.values["knock"] == found["knock"]
    fresh = str(3 + 2**40)
    played = json.loads(
        works("simulate", str(file), "simple", "--hands", "2000", "--seed", fresh, "--json")
    )
    assert played["difference"]["points"]["estimate"] == pytest.approx(
        found["proof"]["solved"]["estimate"]
    )


@pytest.mark.long
def test_a_knock_to_end_the_game_does_not_override_a_saved_rule(run, tmp_path):
    """From 0-0 to 100 points, close_within=100 would knock with 10 or less, whatever is solved."""
    file = tmp_path / "solved.toml"
    base = "strong:close_within=100"
    asked = ("solve", "--play", base, "--against", "simple", "--deals", "20000")
    asked += ("--rules", "standard:box_bonus=0", "--proof-hands", "20000", "--json")
    code, out, _ = run(*asked, "--save", str(file))
    assert code == 0
    found = json.loads(out)
    assert parse_policy(str(file)).values["close_within"] == 0
    # Its own rule knocks whenever it may; the solved one waits for gin, which gains some 5 points.
    assert found["proof"]["difference"]["low"] > 4
    code, out, _ = run(*(each for each in asked if each != "--json"))
    assert "The rule has close_within=0: 100 of strong:close_within=100 reaches the target" in out
    assert "close_within" not in run(*SOLVE)[1]


@pytest.mark.long
@pytest.mark.parametrize(
    "command",
    [(*SOLVE, "--by", "none"), BOTH, pytest.param(SOLVE, marks=pytest.mark.slow)],
    ids=["a solution", "an equilibrium", "by outs"],
)
def test_files_and_their_redrawing(run, tmp_path, command):
    out = tmp_path / "out"
    code, _, err = run(*command, "--out", str(out))
    assert code == 0
    assert "Tables, charts and manifest are in" in err
    drawn = {path.name: path.read_bytes() for path in out.glob("*.svg")}
    assert drawn
    assert read_result(out)["result"]["kind"] == ("equilibrium" if command is BOTH else "solution")
    assert run("chart", str(out))[0] == 0
    assert {path.name: path.read_bytes() for path in out.glob("*.svg")} == drawn


@pytest.mark.parametrize("command", [SOLVE, BOTH])
def test_ctrl_c_keeps_what_is_traced(run, monkeypatch, command):
    def stopped(plan, threads, stop, on_progress):
        real_trace = type(plan).trace

        def trace(self, first, n_deals):
            if first >= 3 * 4096:
                stop.set()
            return real_trace(self, first, n_deals)

        monkeypatch.setattr(type(plan), "trace", trace)
        return real(plan, 1, stop)

    real = solving.trace
    monkeypatch.setattr(solving, "trace", stopped)
    code, out, _ = run(*command, "--deals", "1e5", "--json")
    assert code == 130
    found = json.loads(out)
    assert found["partial"] is True
    assert 3 * 4096 <= found["deals"] < 100_000
    # Nothing more is begun: no fresh hands, and no more rounds than a rule needs.
    if command is SOLVE:
        assert found["cut"] == ["the trace", "the proof"]
        assert found["proof"] is None
    else:
        assert found["cut"] == ["the trace", "the rounds"]
        assert [step["rounds"] for step in found["steps"]] == [5]


def stop_after(monkeypatch, module, name, n_calls):
    """Have a function's Event set, as Ctrl-C does, once a progress or an answer was made."""
    real = getattr(module, name)

    def stopped(plan, threads, stop, on_progress):
        calls = 0

        def count(done):
            nonlocal calls
            calls += 1
            if calls == n_calls:
                stop.set()

        return real(plan, threads, stop, count)

    monkeypatch.setattr(module, name, stopped)


def test_ctrl_c_on_fresh_hands_keeps_the_whole_chart(run, monkeypatch):
    stop_after(monkeypatch, solving, "simulate", 1)
    asked = (*SOLVE, "--proof-hands", "1e6", "--threads", "1")
    code, out, _ = run(*asked, "--json")
    assert code == 130
    found = json.loads(out)
    assert (found["partial"], found["cut"], found["deals"]) == (True, ["the proof"], 20_000)
    assert 0 < found["proof"]["hands"] < 1_000_000
    assert not read_object(found).is_cut, "its charts are of the whole trace"
    code, out, _ = run(*asked)
    assert code == 130
    assert out.splitlines()[0].endswith(
        "20,000 deals traced · PARTIAL: stopped early, the proof unfinished"
    )


@pytest.mark.parametrize(
    ("command", "also"), [((*SOLVE, "--proof-hands", "2000"), {play_pairings}), (BOTH, set())]
)
def test_all_that_compiles_is_known_at_once(works, monkeypatch, command, also):
    asked = []

    def compiling(self, *functions, at_work=False):
        asked.append({function for function in functions if hasattr(function, "signatures")})
        return nullcontext()

    monkeypatch.setattr("gin_sim.report.progress.TerminalProgress.compiling", compiling)
    works(*command)
    known = [functions for functions in asked if functions]
    assert len(known) == 1
    assert known[0] >= {trace_paths, follow, respond} | also


def test_ctrl_c_before_the_regression_keeps_the_table(run, monkeypatch):
    stop_after(monkeypatch, solving, "trace", 5)  # of 5 chunks: all deals are traced by then
    code, out, _ = run(*SOLVE, "--features", "--json")
    assert code == 130
    found = json.loads(out)
    assert found["cut"] == ["the rule by features", "the proof"]
    assert (found["deals"], found["features"], found["proof"]) == (20_000, None, None)
    assert found["gain"]["estimate"] > 0


@pytest.mark.long
def test_the_equilibrium_uses_the_threads_that_it_is_given(works, monkeypatch):
    def refused():
        raise AssertionError("all cores are asked for")

    monkeypatch.setattr("gin_sim.knock.equilibrium.available_cores", refused)
    works(*BOTH, "--threads", "1")


@pytest.mark.parametrize(
    ("command", "sentence"),
    [
        ("--play greedy", "give --against POLICY or --equilibrium, and not both."),
        ("--play greedy --against simple --equilibrium", "and not both."),
        ("--play heisenbot --against simple", "heisenbot has no knock table to solve for"),
        ("--play random --against simple", "random has no knock table to solve for"),
        ("--play gready --against simple", "no policy is called 'gready'. Did you mean 'greedy'?"),
        ("--play greedy --against simpel", "no policy is called 'simpel'. Did you mean 'simple'?"),
        ("--play greedy --equilibrium --save x.toml", "an equilibrium is a mix of rules"),
        ("--play greedy --against simple --save x.txt", "does not end in .toml"),
        ("--play greedy --against simple --save .toml", "has no name before .toml: give one"),
        ("--play greedy --against simple --save ./.TOML", "has no name before .toml: give one"),
        ("--play greedy --against simple --by takes --save x.toml", "cannot hold a rule by takes"),
        ("--play greedy --equilibrium --proof-hands 1e6", "an equilibrium is a mix of rules"),
        ("--play greedy --equilibrium --iterate", "--iterate needs --against POLICY: an equil"),
        ("--play greedy --equilibrium --scores 0-0", "--scores needs --against POLICY: an equil"),
        (
            "--play greedy --against simple --by takes --proof-hands 9",
            "cannot hold a rule by takes",
        ),
        (
            "--play greedy --equilibrium --features",
            "--features needs --against POLICY: an equilibrium is a",
        ),
        ("--play greedy --against simple --rules straight", "straight rules allow only gin"),
        ("--play greedy --equilibrium --rules standard:knock_limit=0", "rules allow only gin"),
        ("--play greedy --against simple --rules eaai --rules modern", "--rules is given 2 times"),
    ],
)
def test_bad_input_is_one_sentence(run, tmp_path, command, sentence):
    code, out, err = run("solve", *command.split(), "--out", str(tmp_path / "out"))
    assert (code, out) == (2, "")
    assert err.startswith("Error: ")
    assert sentence in err
    assert err.count("\n") == 0
    assert not (tmp_path / "out").exists()


def test_more_deals_than_there_is_memory_for_are_refused_at_once(run, monkeypatch):
    monkeypatch.setattr(tracing, "memory_there", lambda: 10**9)
    code, out, err = run("solve", "--play", "greedy", "--against", "simple", "--deals", "5e7")
    assert (code, out) == (2, "")
    assert err.startswith("Error: 50,000,000 deals need about ")
    assert " GB of memory here, and there are 1.0 GB: give --deals " in err


@pytest.mark.parametrize("command", [SOLVE, BOTH])
def test_memory_that_runs_out_is_a_sentence(run, monkeypatch, command):
    def full(*arguments):
        raise MemoryError

    monkeypatch.setattr(np, "concatenate", full)
    code, out, err = run(*command)
    assert (code, out) == (1, "")
    assert err == "Error: out of memory: ask for less at once, or close other programs."


def test_a_policy_at_fault_is_a_sentence(run, tmp_path):
    file = tmp_path / "cheat.py"
    file.write_text('base = "simple"\ndef choose_discard(view, p):\n    return 51\n')
    code, out, err = run("solve", "--play", "greedy", "--against", str(file))
    assert (code, out) == (2, "")
    assert f"{file} asked for an illegal step; " in err


@pytest.mark.parametrize("folder", ["", " "])
def test_an_empty_folder_is_no_folder(run, tmp_path, monkeypatch, folder):
    monkeypatch.chdir(tmp_path)
    code, out, err = run(*SOLVE, "--out", folder)
    assert (code, out) == (2, "")
    assert err == "Error: --out '' names no folder: give one, such as --out results/mine."
    assert list(tmp_path.iterdir()) == []


def test_a_file_that_is_there_is_not_replaced(run, tmp_path):
    file = tmp_path / "solved.toml"
    file.write_text("mine")
    code, _, err = run(*SOLVE, "--save", str(file))
    assert code == 2
    assert "is there already" in err
    assert file.read_text() == "mine"
