"""What `gin-sim simulate --games` prints, writes and refuses.

Right sums and figures are the business of test_games.py.
"""

from __future__ import annotations

import csv
import json
import re

import pytest
from printed import FOOTER, NUMBER

from gin_sim.play import run as simulating
from gin_sim.play.plans import GamePlan
from gin_sim.play.run import simulate
from gin_sim.policies.catalogue import parse_policy
from gin_sim.rules import PRESETS, parse_rules

COMMAND = ("simulate",)

PAIR = ("greedy:knock=10", "greedy:knock=5")
FIGURES = {
    "win_rate",
    "stakes_per_game",
    "total_per_game",
    "points_per_hand",
    "hands_won_rate",
    "reached_rate",
    "reached_and_lost_rate",
    "shutout_rate",
}


def test_json_holds_what_programs_need(works):
    found = json.loads(works(*PAIR, "--games", "2e3", "--seed", "7", "--json"))
    assert (found["games"], found["pairs"], found["seed"]) == (2000, 1000, 7)
    assert (found["partial"], found["mirrored"], found["unfinished"]) == (False, True, 0)
    assert found["rules"] == PRESETS["standard"].as_dict()
    assert [policy["spec"] for policy in found["policies"]] == list(PAIR)
    for side in found["sides"]:
        assert set(side) == {"policy", "games_won", *FIGURES}
        assert side["win_rate"]["estimate"] == side["games_won"] / 2000
        for name in FIGURES:
            assert side[name]["low"] <= side[name]["estimate"] <= side[name]["high"]
    for name in ("tie_rate", "upset_rate", "hands_per_game", "wash_rate", "stall_rate"):
        assert found[name]["low"] <= found[name]["estimate"] <= found[name]["high"]
    assert set(found["difference"]) == {"win", "stakes"}
    assert sum(found["games_by_hands"]) == 2000
    assert sum(i * n for i, n in enumerate(found["games_by_hands"])) == found["hands"]
    assert set(found["seconds"]) == {"play", "games_per_second", "hands_per_second"}
    plan = GamePlan(tuple(map(parse_policy, PAIR)), parse_rules("standard"), 2000, 7)
    tally = simulate(plan).tally[0]
    assert [side["games_won"] for side in found["sides"]] == tally.sums[0].tolist()


@pytest.mark.parametrize("mirrored", ["--mirrored", "--no-mirrored"])
def test_two_runs_differ_in_their_seconds_alone(works, mirrored):
    def without_time(out):
        found = json.loads(out)
        del found["seconds"], found["command"]
        return found

    arguments = ("simple", "random", "--games", "600", "--rules", "eaai", mirrored, "--json")
    one = without_time(works(*arguments))
    assert without_time(works(*arguments, "--threads", "1")) == one
    assert without_time(works(*arguments, "--threads", "2")) == one
    assert without_time(works(*arguments, "--seed", "2")) != one


def test_json_of_a_single_game_is_json(works):
    def refuse(word):
        raise AssertionError(f"{word} is not JSON")

    out = works("random", "random", "--games", "1", "--no-mirrored", "--json")
    found = json.loads(out, parse_constant=refuse)
    assert (found["games"], found["pairs"]) == (1, None)
    assert found["difference"]["stakes"]["low"] is None


def test_the_table(works):
    lines = works(*PAIR, "--games", "4e3").splitlines()
    assert lines[0] == (
        "greedy:knock=10 against greedy:knock=5 · standard rules, games to 100 · 4,000 games in "
        "2,000 mirrored pairs"
    )
    rows = {
        "games won": " %",
        "points settled per game": "",
        "total points at the end": "",
        "points per hand": "",
        "hands won": " %",
        "reached 100": " %",
        "reached 100 and lost": " %",
        "won by a shutout": " %",
    }
    assert re.fullmatch(r" +greedy:knock=10 +greedy:knock=5", lines[2])
    for line, (label, unit) in zip(lines[3:11], rows.items(), strict=True):
        assert re.fullmatch(rf"  {label} +{NUMBER}{unit} +{NUMBER}{unit}", line)
    assert len({len(line) for line in lines[2:11]}) == 1
    ends = rf"  tie {NUMBER} % · the player who reached 100 lost {NUMBER} %"
    assert re.fullmatch(ends, lines[11])
    hands = rf"  {NUMBER} hands per game, \d+ to \d+ in nine of ten · wash {NUMBER} % of hands"
    assert re.fullmatch(hands, lines[12])
    reach = r"\[[+-]\d+\.\d{3}, [+-]\d+\.\d{3}\]"
    assert re.fullmatch(
        rf"  greedy:knock=10 - greedy:knock=5 +[+-]\d+\.\d{{3}} % of games {{8}}{reach}", lines[14]
    )
    assert re.fullmatch(rf"  points settled +[+-]\d+\.\d{{3}} points per game   {reach}", lines[15])
    assert len({line.index("[") for line in lines[14:16]}) == 1
    assert "wins more games, by" in lines[17]
    assert re.fullmatch(FOOTER.format("games"), lines[18])
    assert len(lines) == 19


def test_what_the_rules_do_not_have_is_not_in_the_table(works):
    one_hand = works(*PAIR, "--games", "200", "--rules", "openspiel")
    assert "openspiel rules, one hand per game ·" in one_hand
    for words in ("reached", "shutout", "hands per game"):
        assert words not in one_hand
    for rules in ("eaai", "palace"):
        out = works(*PAIR, "--games", "200", "--rules", rules)
        assert "reached 100" in out
        assert "lost" not in out
    assert "games to 100, boxes counted" in out


def test_plain_games_are_called_so(works):
    out = works(*PAIR, "--games", "21", "--no-mirrored")
    assert "· 21 games, not mirrored" in out
    assert "95% intervals over games · seed 1" in out
    assert "mirroring" not in out


def test_games_without_end(works):
    out = works("random", "random", "--games", "2", "--rules", "straight:stall_turns=1")
    assert "4096.00 hands per game · wash" in out
    assert "2 games were still open after 4,096 hands and count as ties." in out
    assert "nan" not in out


@pytest.mark.parametrize(
    ("asked", "said", "played"),
    [
        ("1", "1 game is not a mirrored pair: playing 2.", 2),
        ("21", "21 games are not whole mirrored pairs: playing 22.", 22),
        ("2e1", "", 20),
    ],
)
def test_an_odd_number_of_mirrored_games(run, asked, said, played):
    code, out, err = run("simulate", *PAIR, "--games", asked, "--json")
    assert (code, err) == (0, said)
    assert json.loads(out)["games"] == played
    assert run("simulate", *PAIR, "--games", asked, "--json", "--quiet")[2] == ""


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (
            ["--games", "20", "--hands", "100000"],
            "--hands 100000 and --games 20 are two simulations: give only one.",
        ),
        (
            ["--games", "20", "--record", "hands.jsonl"],
            "--record writes single hands, and --games 20 plays whole games: give --hands instead "
            "of --games to record.",
        ),
        (["--games", "20", "--record-hands", "5"], "--record-hands 5 needs --record FILE"),
        (["--games", "0"], "Invalid value for '--games': '0' is not a whole number from 1 to"),
        (["--games", "1e11"], "Invalid value for '--games': '1e11' is not a whole number from 1"),
        (["--games", "many"], "Invalid value for '--games': 'many' is not a whole number"),
    ],
)
def test_bad_input_is_one_sentence(run, arguments, said, monkeypatch, tmp_path):
    monkeypatch.chdir(tmp_path)
    code, out, err = run("simulate", *PAIR, *arguments)
    assert (code, out) == (2, "")
    assert err.startswith(f"Error: {said}")
    assert err.count("\n") == 0
    assert not list(tmp_path.iterdir())


@pytest.mark.long
def test_out_leaves_tables_a_chart_and_a_manifest(works, tmp_path):
    folder = tmp_path / "result"
    found = json.loads(works(*PAIR, "--games", "400", "--json", "--quiet", "--out", str(folder)))
    manifest = json.loads((folder / "manifest.json").read_text(encoding="utf-8"))
    assert manifest["result"] == found
    assert {
        "sides.csv", "difference.csv", "lengths.csv", "games.png", "games.svg",
    } <= set(manifest["files"])  # fmt: skip
    with (folder / "lengths.csv").open(newline="") as file:
        rows = list(csv.DictReader(file))
    by_hands = [0, *(int(row["games"]) for row in rows)]
    assert by_hands == found["games_by_hands"]
    assert [int(row["hands"]) for row in rows] == list(range(1, len(by_hands)))
    with (folder / "difference.csv").open(newline="") as file:
        won, stakes = csv.DictReader(file)
    assert (won["objective"], won["unit"]) == ("win", "share of games")
    assert (stakes["objective"], stakes["unit"]) == ("stakes", "points per game")
    assert float(stakes["estimate"]) == found["difference"]["stakes"]["estimate"]


def test_ctrl_c_keeps_the_games_that_are_finished(run, monkeypatch):
    def stopped(plan, threads, stop, on_progress, enough):
        monkeypatch.setattr(simulating, "CHUNK_UNITS", 5)
        return real(plan, threads, stop, lambda tally: stop.set())

    real = simulating.simulate
    monkeypatch.setattr("gin_sim.api.playing.simulate_plan", stopped)
    code, out, err = run("simulate", *PAIR, "--games", "1e5")
    assert (code, err) == (130, "")
    assert out.splitlines()[0].endswith("mirrored pairs · PARTIAL: stopped early")
    code, out, _ = run("simulate", *PAIR, "--games", "1e5", "--json")
    assert code == 130
    found = json.loads(out)
    assert found["partial"] is True
    assert 0 < found["games"] < 1e5


def test_ctrl_c_before_the_first_game(run, monkeypatch):
    def stopped(plan, threads, stop, on_progress, enough):
        stop.set()
        return real(plan, threads, stop, on_progress)

    real = simulating.simulate
    monkeypatch.setattr("gin_sim.api.playing.simulate_plan", stopped)
    code, out, err = run("simulate", *PAIR, "--games", "20")
    assert (code, out, err.strip()) == (130, "", "Stopped.")
