"""What `gin-sim simulate` prints, writes and refuses, and what every command must do.

Right sums are the business of test_simulate.py and right intervals of test_stats.py.
"""

from __future__ import annotations

import contextlib
import csv
import io
import json
import os
import re
import shlex
import signal
import subprocess
import sys
import threading
import time
from pathlib import Path

import click
import pytest
from printed import FOOTER

from gin_sim.cli import group, interrupt, main, output
from gin_sim.play import run as simulating
from gin_sim.play.plans import GamePlan, Plan
from gin_sim.play.record import play_recorded
from gin_sim.play.replay import replay
from gin_sim.play.run import compile_engine, simulate
from gin_sim.policies.catalogue import parse_policy
from gin_sim.records import read_records
from gin_sim.rules import PRESETS, parse_rules

COMMAND = ("simulate",)

ROOT = Path(__file__).resolve().parents[2]
PAIR = ("greedy:knock=10", "greedy:knock=5")
SHOWN_RATES = {
    "win_rate",
    "knock_rate",
    "gin_rate",
    "big_gin_rate",
    "undercut_made_rate",
    "undercut_suffered_rate",
}
FIGURES = SHOWN_RATES | {
    "points_per_hand",
    "points_with_boxes_per_hand",
    "mean_deadwood_at_knock",
}


def without_time(out: str) -> dict:
    found = json.loads(out)
    assert set(found.pop("seconds")) == {"play", "hands_per_second"}
    del found["command"]  # it names the threads
    return found


# -------------------------------------------------------------------- --json


def test_json_holds_what_programs_need(works):
    found = json.loads(works(*PAIR, "--hands", "2e3", "--seed", "7", "--json"))
    assert {
        "hands",
        "pairs",
        "seed",
        "rules",
        "policies",
        "sides",
        "wash_rate",
        "turns_per_hand",
        "difference",
        "partial",
        "seconds",
    } <= set(found)
    assert (found["hands"], found["pairs"], found["seed"]) == (2000, 1000, 7)
    assert found["partial"] is False
    assert found["rules"] == PRESETS["standard"].as_dict()
    assert found["policies"] == [
        {"spec": spec, "policy": "greedy", "parameters": {"knock": knock}}
        for spec, knock in zip(PAIR, (10, 5), strict=True)
    ]
    first, second = found["sides"]
    for side in (first, second):
        assert {"hands_won", *FIGURES} <= set(side)
        assert isinstance(side["hands_won"], int)
        assert side["win_rate"]["estimate"] == side["hands_won"] / 2000
        assert all(0 <= side[name]["estimate"] <= 1 for name in SHOWN_RATES)
        for name in FIGURES:
            assert side[name]["low"] <= side[name]["estimate"] <= side[name]["high"]
    assert first["undercut_made_rate"] == second["undercut_suffered_rate"]
    deadwood = [side["mean_deadwood_at_knock"]["estimate"] for side in (second, first)]
    assert deadwood[0] < 5 < deadwood[1] < 10
    won = first["hands_won"] + second["hands_won"]
    assert won / 2000 + found["wash_rate"]["estimate"] == pytest.approx(1)
    assert 10 < found["turns_per_hand"]["estimate"] < 20
    assert {"points", "points+boxes"} <= set(found["difference"])
    for objective, name in (
        ("points", "points_per_hand"),
        ("points+boxes", "points_with_boxes_per_hand"),
    ):
        difference = found["difference"][objective]
        assert difference["estimate"] == pytest.approx(
            first[name]["estimate"] - second[name]["estimate"]
        )
        assert difference["low"] < difference["estimate"] < difference["high"]
        assert difference["variance_reduction"] > 1


@pytest.mark.parametrize("mirrored", ["--mirrored", "--no-mirrored"])
def test_two_runs_differ_in_their_seconds_alone(works, mirrored):
    arguments = ("simple", "random", "--hands", "20000", "--rules", "eaai", mirrored, "--json")
    one = without_time(works(*arguments))
    assert without_time(works(*arguments)) == one
    assert without_time(works(*arguments, "--threads", "1")) == one
    assert without_time(works(*arguments, "--threads", "2")) == one
    assert without_time(works(*arguments, "--seed", "2")) != one
    assert (one["pairs"], one["mirrored"]) == (
        (10_000, True) if mirrored == "--mirrored" else (None, False)
    )


def test_json_of_a_single_hand_is_json(works):
    def refuse(word):
        raise AssertionError(f"{word} is not JSON")

    out = works("random", "random", "--hands", "1", "--no-mirrored", "--json")
    found = json.loads(out, parse_constant=refuse)
    assert found["hands"] == 1
    assert found["difference"]["points"]["low"] is None
    assert found["sides"][0]["mean_deadwood_at_knock"]["low"] is None


def test_json_agrees_with_the_engine(works):
    found = json.loads(works("simple", "greedy", "--hands", "600", "--seed", "3", "--json"))
    plan = Plan((parse_policy("simple"), parse_policy("greedy")), parse_rules("standard"), 600, 3)
    tally = simulate(plan).tally[0]
    assert [side["hands_won"] for side in found["sides"]] == tally.sums[0].tolist()
    assert found["difference"]["points"]["estimate"] * 600 == pytest.approx(tally.leads[0])


# ------------------------------------------------------------------ the table


def test_the_table_has_every_measure_and_both_differences(works):
    lines = works(*PAIR, "--hands", "1e4").splitlines()
    assert lines[0] == (
        "greedy:knock=10 against greedy:knock=5 · standard rules · 10,000 hands in 5,000 mirrored "
        "pairs"
    )
    number = r"[\d.]+ (±[\d.]+|\[[\d.]+, [\d.]+\])"
    rows = {
        "hands won": "%",
        "points per hand": "",
        "points per hand with boxes": "",
        "knocks, excluding gin": "%",
        "gins": "%",
        "big gins": "%",
        "undercuts suffered": "%",
        "undercuts made": "%",
        "deadwood at the knock, pips": "",
    }
    assert re.fullmatch(r" +greedy:knock=10 +greedy:knock=5", lines[2])
    for line, (label, unit) in zip(lines[3:12], rows.items(), strict=True):
        unit = f" {unit}" if unit else ""
        assert re.fullmatch(rf"  {label} +{number}{unit} +{number}{unit}", line)
    assert len({len(line) for line in lines[2:12]}) == 1
    assert re.fullmatch(rf"  wash {number} % · {number} turns per hand, both players", lines[12])
    figure = r"[+-]\d+\.\d{3} points per hand   \[[+-]\d+\.\d{3}, [+-]\d+\.\d{3}\]"
    assert re.fullmatch(rf"  greedy:knock=10 - greedy:knock=5   {figure}", lines[14])
    assert re.fullmatch(rf"  with boxes +{figure}", lines[15])
    assert lines[14].index("points") == lines[15].index("points")
    assert lines[17].endswith(".")
    assert re.fullmatch(FOOTER.format("hands"), lines[18])
    assert len(lines) == 19


def test_what_the_rules_do_not_have_is_not_in_the_table(works):
    out = works(*PAIR, "--hands", "200", "--rules", "eaai")
    assert "box" not in out
    assert "big gin" not in out


def test_plain_hands_are_called_so(works):
    out = works(*PAIR, "--hands", "201", "--no-mirrored")
    assert "201 hands in 201 plain deals" in out
    assert "95% intervals over plain deals" in out
    assert "mirroring" not in out
    assert "1 hand in 1 plain deal\n" in works(*PAIR, "--hands", "1", "--no-mirrored")


def test_no_difference_is_said_in_words(works):
    out = works("greedy", "greedy", "--hands", "1000")
    assert "No difference in points per hand is found: both sides are the same policy" in out
    other = works("greedy", "simple", "--hands", "1000")
    assert "No difference in points per hand is found." in other
    assert "nan" not in works("random", "random", "--hands", "2")


def test_no_figure_is_cut_on_a_narrow_terminal(works, monkeypatch):
    whole = works(*PAIR, "--hands", "200")
    monkeypatch.setenv("COLUMNS", "30")
    assert works(*PAIR, "--hands", "200").splitlines()[:16] == whole.splitlines()[:16]


@pytest.mark.parametrize(
    ("written", "hands"), [("1e3", 1000), ("1_000", 1000), ("1,000", 1000), ("2.5e2", 250)]
)
def test_a_number_of_hands_may_be_written_in_several_forms(works, written, hands):
    assert json.loads(works(*PAIR, "--hands", written, "--json"))["hands"] == hands


def test_an_odd_number_of_mirrored_hands(run):
    code, out, err = run("simulate", *PAIR, "--hands", "1001", "--json")
    assert code == 0
    assert err == "1,001 hands are not whole mirrored pairs: playing 1,002."
    assert json.loads(out)["hands"] == 1002
    code, out, err = run("simulate", *PAIR, "--hands", "1001", "--json", "--quiet")
    assert (code, err) == (0, "")
    assert json.loads(out)["hands"] == 1002


# ------------------------------------------------------------------ bad input


@pytest.mark.parametrize("hands", ["0", "-5", "abc", "1.5", "1e13", "nan", "inf", ""])
def test_a_number_of_hands_that_cannot_be_played(fails, hands):
    assert fails(*PAIR, "--hands", hands) == (
        f"Invalid value for '--hands': '{hands}' is not a whole number from 1 to "
        "1,000,000,000,000; write it like 250000 or 1e6. See `gin-sim simulate --help`."
    )


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["gredy", "simple"], "no policy is called 'gredy'. Did you mean 'greedy'?"),
        (["greedy", "simpel"], "no policy is called 'simpel'. Did you mean 'simple'?"),
        (["greedy:knok=5", "simple"], "greedy has no parameter 'knok'. Did you mean 'knock'?"),
        (
            ["greedy:knock=99", "simple"],
            "greedy's knock is '99': '99' is neither a greatest deadwood from 0 to 50",
        ),
        (
            [*PAIR, "--rules", "standrd"],
            "no rule set is called 'standrd'. Did you mean 'standard'?",
        ),
        (
            [*PAIR, "--rules", "standard:gin_bonsu=2"],
            "rules have no field 'gin_bonsu'. Did you mean 'gin_bonus'?",
        ),
        (
            [*PAIR, "--rules", "standard:gin_bonus=-1"],
            "the rule gin_bonus is -1: it can be a whole number from 0 to 1000.",
        ),
        (
            [*PAIR, "--seed", "-1"],
            "Invalid value for '--seed': '-1' is not a whole number from 0 to",
        ),
        (
            [*PAIR, "--threads", "0"],
            "Invalid value for '--threads': '0' is not a whole number from 1 to 1,024",
        ),
        ([*PAIR, "--hnads", "5"], "No such option"),
        (["greedy"], "Missing argument 'B'."),
        ([*PAIR, "simple"], "Got unexpected extra argument (simple)"),
        ([*PAIR, "--record-hands", "5"], "--record-hands 5 needs --record FILE to write to."),
        ([*PAIR, "--record", "-"], "--record - would mix the records with the table"),
    ],
)
def test_bad_input_is_one_sentence(fails, arguments, said):
    assert fails(*arguments).startswith(said)


def test_an_output_folder_that_cannot_be_written(fails, tmp_path, monkeypatch):
    def played(*args):
        raise AssertionError("played before the folder was looked at")

    monkeypatch.setattr("gin_sim.api.playing.simulate_plan", played)
    (tmp_path / "file").write_text("mine")
    (tmp_path / "foreign").mkdir()
    (tmp_path / "foreign" / "thesis.txt").write_text("mine")
    before = sorted(tmp_path.rglob("*"))
    out = str(tmp_path)
    assert "is a file: name a folder" in fails(*PAIR, "--out", f"{out}/file")
    assert "cannot be written" in fails(*PAIR, "--out", f"{out}/file/within")
    assert "cannot be written" in fails(*PAIR, "--out", f"{out}/{'x' * 300}")
    assert "holds other files" in fails(*PAIR, "--out", f"{out}/foreign")
    assert "there is no folder" in fails(*PAIR, "--record", f"{out}/missing/hands.jsonl")
    assert "is a folder: name a file" in fails(*PAIR, "--record", f"{out}/foreign")
    # One good place does not help beside a bad one.
    assert "there is no folder" in fails(
        *PAIR, "--out", f"{out}/new", "--record", f"{out}/missing/hands.jsonl"
    )
    assert sorted(tmp_path.rglob("*")) == before


def test_a_policy_at_fault_is_a_sentence(fails, monkeypatch):
    play = Plan.play

    def play_badly(*args):
        tally = play(*args)
        tally.faults[0] = 1
        return tally

    monkeypatch.setattr(Plan, "play", play_badly)
    assert " or greedy:knock=5 asked for an illegal step in 1 of " in fails(*PAIR)


# ------------------------------------------------------------------- --record


@pytest.mark.parametrize("mirrored", ["--mirrored", "--no-mirrored"])
def test_recorded_hands_are_the_first_hands(run, tmp_path, mirrored):
    file = tmp_path / "hands.jsonl"
    code, out, err = run(
        "simulate", "simple", "greedy", "--hands", "1000", "--seed", "4", "--rules", "oklahoma",
        mirrored, "--record", str(file), "--record-hands", "30", "--json",
    )  # fmt: skip
    assert (code, err) == (0, f"The first 30 hands are in {file}.")
    json.loads(out)
    records = [record for _, record in read_records(file)]
    policies = (parse_policy("simple"), parse_policy("greedy"))
    assert records == list(
        play_recorded(policies, parse_rules("oklahoma"), 4, 30, mirrored=mirrored == "--mirrored")
    )
    for record in records:
        assert replay(record).end == record.end


def test_recorded_hands_sum_to_the_simulation(works, tmp_path):
    file = tmp_path / "hands.jsonl"
    found = json.loads(works(*PAIR, "--hands", "60", "--record", str(file), "--quiet", "--json"))
    records = [record for _, record in read_records(file)]
    assert len(records) == 60
    first = sum(record.end.points[record.leg] for record in records)
    assert found["sides"][0]["points_per_hand"]["estimate"] * 60 == pytest.approx(first)


@pytest.mark.parametrize(("asked", "n_recorded"), [([], 100), (["--record-hands", "500"], 200)])
def test_how_many_hands_are_recorded(run, tmp_path, asked, n_recorded):
    file = tmp_path / "hands.jsonl"
    code, _, err = run("simulate", *PAIR, "--hands", "200", "--record", str(file), *asked)
    assert (code, err) == (0, f"The first {n_recorded} hands are in {file}.")
    assert len(file.read_text().splitlines()) == n_recorded


# ---------------------------------------------------------------------- --out


@pytest.mark.long
def test_out_leaves_tables_charts_and_a_manifest(run, tmp_path):
    folder = tmp_path / "made here" / "result"
    arguments = ("simulate", *PAIR, "--hands", "2e3", "--seed", "5", "--json", "--out", str(folder))
    code, out, err = run(*arguments)
    assert code == 0
    assert err.startswith(f"Tables, charts and manifest are in {folder}")
    found = json.loads(out)
    manifest = json.loads((folder / "manifest.json").read_text(encoding="utf-8"))
    assert manifest["result"] == found
    assert manifest["command"] == (
        f"gin-sim simulate greedy:knock=10 greedy:knock=5 --hands 2e3 --seed 5 --json --out "
        f"'{folder}'"
    )
    assert set(manifest["versions"]) == {
        "gin-sim", "python", "numba", "numpy", "pandas", "matplotlib",
    }  # fmt: skip
    result = manifest["result"]
    assert (result["hands"], result["seed"], result["partial"]) == (2000, 5, False)
    assert result["seconds"]["play"] >= 0
    assert result["policies"][1] == {
        "spec": "greedy:knock=5", "policy": "greedy", "parameters": {"knock": 5},
    }  # fmt: skip
    assert sorted(path.name for path in folder.iterdir()) == sorted(manifest["files"])
    assert {"sides.csv", "difference.csv", "match.png", "match.svg"} <= set(manifest["files"])
    with (folder / "difference.csv").open(newline="") as file:
        points = next(csv.DictReader(file))
    assert float(points["estimate"]) == found["difference"]["points"]["estimate"]
    with (folder / "sides.csv").open(newline="") as file:
        rows = list(csv.DictReader(file))
    assert len(rows) == 2 * len(FIGURES)
    for row in rows:
        figure = found["sides"][int(row["side"])][row["measure"]]
        assert float(row["estimate"]) == figure["estimate"]


@pytest.mark.long
def test_out_writes_parquet_where_it_can(works, tmp_path):
    pd = pytest.importorskip("pandas")
    pytest.importorskip("pyarrow")
    works(*PAIR, "--hands", "200", "--quiet", "--out", str(tmp_path / "result"))
    for name in ("sides", "difference"):
        table = pd.read_parquet(tmp_path / "result" / f"{name}.parquet")
        pd.testing.assert_frame_equal(table, pd.read_csv(tmp_path / "result" / f"{name}.csv"))


@pytest.mark.long
def test_out_replaces_an_earlier_result(works, tmp_path):
    folder = tmp_path / "result"
    works(*PAIR, "--hands", "200", "--quiet", "--out", str(folder))
    first = {path.name for path in folder.iterdir()}
    works(*PAIR, "--hands", "400", "--quiet", "--out", str(folder))
    assert {path.name for path in folder.iterdir()} == first
    assert json.loads((folder / "manifest.json").read_text())["result"]["hands"] == 400
    assert [path.name for path in tmp_path.iterdir()] == ["result"]


@pytest.mark.long
def test_a_disk_that_fills_up_does_not_cost_the_result(run, tmp_path, monkeypatch):
    from gin_sim import atomic

    def full(*args):
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(atomic.os, "replace", full)
    code, out, err = run("simulate", *PAIR, "--hands", "200", "--json", "--out", f"{tmp_path}/new")
    assert code == 2
    assert json.loads(out)["hands"] == 200
    assert err == (
        f"Error: the folder '{tmp_path}/new' cannot be written (No space left on device): name "
        "another."
    )
    assert not (tmp_path / "new").exists()


def test_the_files_are_written_even_if_nothing_can_be_printed(run, tmp_path, monkeypatch):
    def gone(*args, **options):
        raise OSError(5, "Input/output error")

    monkeypatch.setattr(output, "print_json", gone)
    code, _, err = run(
        "simulate", *PAIR, "--hands", "200", "--json", "--out", str(tmp_path / "new")
    )
    assert code == 1
    assert "Input/output error" in err
    assert json.loads((tmp_path / "new" / "manifest.json").read_text("utf-8"))["result"]


@pytest.mark.long
@pytest.mark.parametrize("more", [[], ["--json"]])
def test_standard_output_may_be_closed_from_the_start(tmp_path, more):
    command = [sys.executable, "-m", "gin_sim", "simulate", *PAIR, "--hands", "200", *more]
    ran = subprocess.run(
        f"{shlex.join([*command, '--out', str(tmp_path / 'new')])} >&-",
        shell=True,
        cwd=ROOT,
        capture_output=True,
        text=True,
    )
    assert ran.returncode == 0
    assert "Traceback" not in ran.stderr
    assert (tmp_path / "new" / "sides.csv").exists()


# -------------------------------------------------------------------- Ctrl-C


def started(*arguments: str, **more):
    return subprocess.Popen([sys.executable, "-m", "gin_sim", *arguments], cwd=ROOT, **more)


@pytest.fixture
def interrupted():
    """Start a simulation without end on a terminal, press Ctrl-C or send a signal when it plays.

    Returns its exit code, output and notes, and the seconds from the key to the end.
    """
    pty = pytest.importorskip("pty")
    compile_engine()  # so that the process finds it in the cache

    def run_and_stop(*arguments: str, by=signal.SIGINT) -> tuple[int, str, str, float]:
        ours, its = pty.openpty()
        process = started(*arguments, stdout=subprocess.PIPE, stderr=its)
        os.close(its)
        seen = bytearray()
        plays = threading.Event()

        def read_terminal() -> None:
            with contextlib.suppress(OSError):  # the other end is closed
                while part := os.read(ours, 4096):
                    seen.extend(part)
                    if b" left" in seen:
                        plays.set()

        reader = threading.Thread(target=read_terminal, daemon=True)
        reader.start()
        try:
            assert plays.wait(60), bytes(seen)
            process.send_signal(by)
            pressed = time.monotonic()
            out, _ = process.communicate(timeout=60)
            seconds = time.monotonic() - pressed
        finally:
            process.kill()
            process.wait()
        reader.join(10)
        os.close(ours)
        return process.returncode, out.decode(), seen.decode(), seconds

    return run_and_stop


@pytest.mark.long
@pytest.mark.parametrize("name", ["SIGINT", "SIGTERM", "SIGHUP"])
def test_ctrl_c_prints_what_is_finished(interrupted, name):
    code, out, err, seconds = interrupted(
        "simulate", "random", "random", "--hands", "1e8", by=getattr(signal, name)
    )
    assert code == 130
    assert "Traceback" not in out + err
    first = out.splitlines()[0]
    hands = re.fullmatch(
        r"random against random · standard rules · ([\d,]+) hands in [\d,]+ mirrored pairs · "
        r"PARTIAL: stopped early",
        first,
    )
    assert hands
    assert 0 < int(hands[1].replace(",", "")) < 1e8
    assert "hands won" in out
    assert "of 100,000,000 hands · " in err
    assert seconds < 3


def test_a_signal_that_is_turned_off_stays_so(monkeypatch):
    """As nohup turns off the one of a closed terminal."""
    monkeypatch.setattr(signal, "getsignal", lambda name: signal.SIG_IGN)
    assert interrupt._heard() == [signal.SIGINT]


@pytest.mark.long
def test_ctrl_c_prints_the_games_that_are_finished(interrupted):
    compile_engine(
        GamePlan((parse_policy("random"), parse_policy("random")), parse_rules("standard"), 2)
    )
    code, out, err, seconds = interrupted("simulate", "random", "random", "--games", "1e8")
    assert code == 130
    assert "Traceback" not in out + err
    assert re.search(r" games in [\d,]+ mirrored pairs · PARTIAL: stopped early\n", out)
    assert "of 100,000,000 games · " in err
    assert seconds < 3


@pytest.mark.long
def test_ctrl_c_with_json_and_files(interrupted, tmp_path):
    file, folder = tmp_path / "hands.jsonl", tmp_path / "result"
    code, out, err, _ = interrupted(
        "simulate", "random", "simple", "--hands", "1e8", "--json", "--out", str(folder),
        "--record", str(file), "--record-hands", "10",
    )  # fmt: skip
    assert code == 130
    assert "Traceback" not in err
    found = json.loads(out)
    assert found["partial"] is True
    assert 0 < found["hands"] < 1e8
    assert found["pairs"] * 2 == found["hands"]
    assert json.loads((folder / "manifest.json").read_text())["result"]["partial"] is True
    assert len(file.read_text().splitlines()) == 10
    # What is finished is what that many hands would have given.
    plan = Plan(
        (parse_policy("random"), parse_policy("simple")), parse_rules("standard"), found["hands"]
    )
    tally = simulate(plan).tally[0]
    assert [side["hands_won"] for side in found["sides"]] == tally.sums[0].tolist()


def test_ctrl_c_before_the_first_hand(run, monkeypatch):
    def stopped(plan, threads, stop, on_progress, enough):
        stop.set()
        return real(plan, threads, stop, on_progress)

    real = simulating.simulate
    monkeypatch.setattr("gin_sim.api.playing.simulate_plan", stopped)
    code, out, err = run("simulate", *PAIR)
    assert (code, out, err.strip()) == (130, "", "Stopped.")


# --------------------------------------------- what holds for every command


def commands(command=group, path=()) -> list[tuple[tuple[str, ...], click.Command]]:
    """Every command with its path, groups included."""
    found = [(path, command)]
    if isinstance(command, click.Group):
        context = click.Context(command)
        for name in command.list_commands(context):
            found += commands(command.get_command(context, name), (*path, name))
    return found


@pytest.mark.parametrize(
    ("path", "command"), [pytest.param(*found, id=" ".join(found[0])) for found in commands()]
)
def test_help_has_an_example_and_explains_every_option(run, path, command):
    code, out, err = run(*path, "--help")
    assert (code, err) == (0, "")
    assert re.search(r"^  Examples?:\n    gin-sim ", out, re.MULTILINE)
    assert " ".join(["gin-sim", *path]) in out.partition("Example")[2]
    for option in command.params:
        if isinstance(option, click.Option):
            assert option.help or option.name == "version", option.name
            assert all(name in out for name in option.opts + option.secondary_opts)


OUTPUTS = [
    ["simulate", *PAIR, "--hands", "200"],
    ["simulate", *PAIR, "--hands", "200", "--json"],
    ["simulate", *PAIR, "--games", "20"],
    ["simulate", *PAIR, "--games", "20", "--json"],
    ["simulate", "random", "random", "--hands", "2"],
    ["deadwood", "7s7h7d4h5h6hKcQd2c2d"],
    ["deadwood", "7s7h7d4h5h6hKcQd2c2dAs"],
    ["deadwood", "7♠7h7d", "--json"],
    [
        "layoff", "--knocker", "JsQsKs TdTcTh Ac2d3hAd", "--defender",
        "Ts9s4h6d8c2h5c7d3sQd",
    ],
    [
        "layoff", "--knocker", "JsQsKs TdTcTh Ac2d3hAd", "--defender",
        "Ts9s4h6d8c2h5c7d3sQd", "--json",
    ],
    ["replay", "HANDS"],
    ["replay", "HANDS", "--json"],
    ["policies", "list"],
    ["policies", "list", "--json"],
    ["rules", "list"],
    ["rules", "list", "--json"],
    ["rules", "show", "oklahoma"],
    ["rules", "show", "oklahoma", "--json"],
    ["bench", "--only", "deadwood"],
    *([*path, "--help"] for path, _ in commands()),
]  # fmt: skip


@pytest.mark.parametrize("arguments", OUTPUTS, ids=" ".join)
def test_every_output_can_be_ascii(arguments, monkeypatch, run, tmp_path):
    from gin_sim.checks import bench

    monkeypatch.setattr(bench, "golden_tallies", list)
    monkeypatch.setattr(bench, "_RUNS", 1)
    monkeypatch.setattr(bench, "_N_HANDS", 64)
    file = tmp_path / "hands.jsonl"
    if "HANDS" in arguments:
        run("simulate", *PAIR, "--hands", "20", "--record", str(file))
        arguments = [str(file) if word == "HANDS" else word for word in arguments]
    stream = io.TextIOWrapper(io.BytesIO(), encoding="ascii")
    notes = io.TextIOWrapper(io.BytesIO(), encoding="ascii", errors="backslashreplace")
    monkeypatch.setattr("sys.stdout", stream)
    monkeypatch.setattr("sys.stderr", notes)
    with pytest.raises(SystemExit) as leaving:
        main(arguments)
    assert leaving.value.code == 0
    stream.flush()
    written = stream.buffer.getvalue().decode("ascii")
    assert written
    assert "?" not in written.replace("When should I knock?", "")


def test_ascii_keeps_the_figures(monkeypatch, works):
    plain = works(*PAIR, "--hands", "200")
    stream = io.TextIOWrapper(io.BytesIO(), encoding="ascii")
    monkeypatch.setattr("sys.stdout", stream)
    with pytest.raises(SystemExit):
        main(["simulate", *PAIR, "--hands", "200"])
    written = stream.buffer.getvalue().decode("ascii")
    in_ascii = plain.replace("±", "+-").replace("·", "|").splitlines()
    assert written.splitlines()[:-1] == in_ascii[:-1]


@pytest.mark.long
def test_a_closed_pipe_leaves_no_traceback():
    for arguments in (["rules", "list"], ["simulate", *PAIR, "--hands", "200", "--json"]):
        process = started(*arguments, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
        process.stdout.close()
        notes = process.stderr.read().decode()
        process.stderr.close()
        assert process.wait() in (0, 1)
        notes = [line for line in notes.splitlines() if not line.startswith("Compiling")]
        assert notes == []


@pytest.mark.long
def test_the_encoding_of_the_environment_is_kept():
    ran = subprocess.run(
        [sys.executable, "-m", "gin_sim", "simulate", *PAIR, "--hands", "200"],
        cwd=ROOT,
        env={**os.environ, "PYTHONIOENCODING": "ascii", "COLUMNS": "20"},
        capture_output=True,
        check=True,
    )
    assert "  hands won " in ran.stdout.decode("ascii")
    assert b"?" not in ran.stdout


def test_no_command_and_an_unknown_one(run):
    code, out, err = run("simulat")
    assert (code, out) == (2, "")
    assert err.startswith("Error: there is no command 'simulat'. Did you mean 'simulate'?")
    code, out, err = run()
    assert (code, out) == (2, "")
    assert err.startswith("Usage: gin-sim")
