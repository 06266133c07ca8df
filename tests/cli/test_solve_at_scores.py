"""What `gin-sim solve --objective win` prints, keeps and refuses.

Right figures are the business of payoff/test_payoff.py.
"""

from __future__ import annotations

import json
import re

import pytest

from gin_sim.api import solving
from gin_sim.api.knock_checks import states_of
from gin_sim.policies.catalogue import parse_policy
from gin_sim.rules import parse_rules

#: Boxes matter, and a game is solved in an eighth of the time of one to 100.
SHORT = ("--rules", "standard:target=50")
FEW = (*SHORT, "--deals", "5000", "--equity-hands", "4000", "--quiet", "--by", "none")
WIN = ("solve", "--play", "greedy", "--against", "simple", "--objective", "win", *FEW)
BOTH = ("solve", "--play", "greedy", "--equilibrium", "--objective", "win", *FEW)


def under(rules, asked):
    """The same command under other rules than those of a short game."""
    return tuple(rules if word == SHORT[1] else word for word in asked)


@pytest.fixture(autouse=True)
def own_cache(tmp_path, monkeypatch):
    """Counted hands are kept for this test alone; compiled code stays where it is."""
    monkeypatch.setattr("gin_sim.payoff.equity_cache.cache_home", lambda: tmp_path / "kept")


@pytest.mark.long
def test_the_unit_and_the_score_are_everywhere(works, tmp_path):
    asked = (*WIN, "--score", "35-20", "--boxes", "3-4", "--dealer", "opponent")
    asked += ("--proof-hands", "2000")
    out = works(*asked, "--out", str(tmp_path / "out"))
    assert out.splitlines()[0] == (
        "When to knock: greedy against simple · % to win the game at 35-20, 1 box behind, the "
        "opponent deals · standard:target=50 rules · 5,000 deals traced"
    )
    assert re.search(r"own: [+-]\d\.\d\d % to win the game \[", out)
    assert (
        "What a hand is worth for the game is counted from 4,000 hands in 2,000 mirrored pairs of "
        "greedy against simple; they play the later hands with their own knocks. A tie counts as "
        "half a win. Intervals cover the traced deals only."
    ) in out
    chart = (tmp_path / "out/knock_chart.svg").read_text(encoding="utf-8")
    for words in ("win the game at 35-20, 1 box behind", "play on", "% to win the game"):
        assert words in chart
    head = (tmp_path / "out/cells.csv").read_text(encoding="utf-8").splitlines()[0]
    assert head.startswith("play_points,against_points,box_difference,dealer,turn,")
    found = json.loads(works(*asked, "--json"))
    assert found["unit"] == "chance to win the game"
    assert (found["score"]["box_difference"], found["score"]["dealer"]) == (-1, "opponent")
    assert found["score"]["later_hands"]["hands"] == 4000
    assert 0 < found["own"]["low"] < found["value"]["estimate"] < 1
    assert found["proof"]["solved"]["estimate"] == pytest.approx(
        found["value"]["estimate"], abs=0.08
    ), "a chance, not a lead"


@pytest.mark.long
def test_later_hands_can_be_played_by_the_rule_itself(works):
    asked = (*WIN, "--score", "30-30", "--iterate", "--proof-hands", "2000")
    found = json.loads(works(*asked, "--json"))
    rounds = found["iterated"]
    assert [each["round"] for each in rounds] == list(range(1, len(rounds) + 1))
    assert rounds[-1]["settled"] is (rounds[-1]["changed"] == 0)
    assert rounds[0]["changed"] is None
    assert rounds[1]["value_at_0_0"] != rounds[0]["value_at_0_0"]
    plain = json.loads(works(*WIN, "--score", "30-30", "--proof-hands", "0", "--json"))
    assert plain["iterated"] == []
    assert plain["score"]["later_hands"]["play"] == "greedy"
    assert found["score"]["later_hands"]["play"].startswith("greedy:knock=")
    out = works(*asked)
    assert "Later hands are played by the rule solved at 0-0, which " in out


@pytest.mark.long
@pytest.mark.parametrize("whole", [1, 2])
def test_ctrl_c_keeps_the_finished_rounds(run, monkeypatch, whole):
    count, done = solving.counted_equity, []

    def stopped_after(plan, *others, **named):
        if len(done) == whole:
            raise KeyboardInterrupt
        done.append(plan)
        return count(plan, *others, **named)

    monkeypatch.setattr(solving, "counted_equity", stopped_after)
    code, out, _ = run(*WIN, "--score", "30-30", "--iterate")
    assert code == 130
    head, *_ = out.splitlines()
    assert "% to win the game at 0-0" in head, "the rule of the last whole round"
    assert head.endswith(" · PARTIAL: stopped early, the rounds and the proof unfinished")
    rounds = "1 round" if whole == 1 else "2 rounds"
    assert (
        f"Stopped after {rounds}: later hands are played by the last rule solved at 0-0. Cells"
        in out
    )
    done.clear()
    found = json.loads(run(*WIN, "--score", "30-30", "--iterate", "--json")[1])
    assert found["partial"] is True
    assert found["cut"] == ["the rounds", "the proof"]
    assert [each["round"] for each in found["iterated"]] == list(range(1, whole + 1))
    assert (found["score"]["mine"], found["score"]["theirs"]) == (0, 0)


def test_ctrl_c_before_a_round_is_whole_leaves_nothing(run, monkeypatch):
    def stopped(*arguments, **named):
        raise KeyboardInterrupt

    monkeypatch.setattr(solving, "counted_equity", stopped)
    code, out, err = run(*WIN, "--iterate")
    assert (code, out, err.strip()) == (130, "", "Stopped.")


def test_a_saved_rule_is_shown_with_opponent_and_rules(works, tmp_path):
    file = tmp_path / "a rule.toml"
    rules = "standard:box_bonus=20,target=50"
    out = works(*under(rules, WIN), "--score", "30-30", "--proof-hands", "0",
        "--save", str(file),
    )  # fmt: skip
    assert out.splitlines()[-2:] == [
        f"Saved. To play it: gin-sim simulate '{file}' simple --rules {rules}",
        "The rule was solved at 30-30, level boxes; the file plays it at every score.",
    ]


def test_stakes_are_in_points_settled(works):
    out = works(*WIN[:5], "--objective", "stakes", *FEW, "--score", "10-30")
    assert "points per game at 10-30, level boxes" in out.splitlines()[0]


def test_without_boxes_none_are_named(works):
    out = works(*under("eaai", WIN), "--score", "20-60", "--proof-hands", "0")
    assert "% to win the game at 20-60 · eaai rules" in out.splitlines()[0]


@pytest.mark.long
def test_an_equilibrium_at_an_uneven_score_has_two_charts(run, works, tmp_path):
    out = works(*BOTH, "--score", "30-10", "--out", str(tmp_path / "out"))
    assert "The player's rule:" in out
    assert "The opponent's rule:" in out
    assert (tmp_path / "out/opponent_chances.csv").is_file()
    assert run("chart", str(tmp_path / "out"))[0] == 0
    even = works(*BOTH, "--score", "30-30")
    assert "rule:" not in even
    found = json.loads(works(*BOTH, "--score", "30-30", "--json"))
    assert found["opponent_chances"] is None
    assert 0.4 < found["value"]["estimate"] < 0.6


def test_threads_change_nothing_and_hands_are_found_again(run, tmp_path):
    asked = [each for each in WIN if each != "--quiet"]
    asked += ["--proof-hands", "2000", "--json", "--score", "40-0", "--features"]
    code, one, first = run(*asked, "--threads", "1")
    assert (code, first) == (0, "")
    code, two, second = run(*asked, "--threads", "3")
    assert code == 0
    assert second.startswith("Hands counted before are used again: ")
    one, two = json.loads(one), json.loads(two)
    for found in (one, two):
        del found["seconds"], found["command"]
    assert one == two
    assert one["features"]["value"]["estimate"] > 0.5


@pytest.mark.long
def test_a_rule_for_a_score_is_saved_without_what_would_shift_it(works, tmp_path):
    file = tmp_path / "closing.toml"
    asked = ("solve", "--play", "strong:close_within=15", "--against", "simple", "--score", "40-0")
    out = works(*asked, "--objective", "win", *FEW, "--save", str(file))
    assert "15 of strong:close_within=15 reaches the target of 50 from 40-0" in out
    policy = parse_policy(str(file))
    assert policy.values["close_within"] == 0
    assert "% to win the game at 40-0, 1 box ahead" in file.read_text(encoding="utf-8")


SCORES = ("solve", "--play", "greedy", "--against", "simple", "--objective", "win", *FEW[:-2])
SCORES += ("--by", "score")


@pytest.mark.long
def test_scores_side_by_side(run, works, tmp_path):
    asked = (*SCORES, "--scores", "0-0,40-40:4-6,35-20")
    out = works(*asked, "--out", str(tmp_path / "out"))
    lines = out.splitlines()
    assert lines[0] == (
        "When to knock, by score: greedy against simple · % to win the game · "
        "standard:target=50 rules · 5,000 deals traced"
    )
    heads = [line for line in lines if line.split()[:1] == ["0-0"] and "35-20" in line]
    assert heads[0].split("  ")[-1].strip() == "35-20, level boxes", "panels side by side"
    assert "At 40-40, 2 boxes behind: " in out
    assert "An undercut for 25 points ends the game and loses it: at 40-40, 2 boxes behind." in out
    chart = (tmp_path / "out/knock_by_score.svg").read_text(encoding="utf-8")
    for words in ("0-0", "40-40, 2 boxes behind", "35-20, level boxes", "% to win the game"):
        assert words in chart
    rows = (tmp_path / "out/cells.csv").read_text(encoding="utf-8").splitlines()
    assert rows[0].startswith("play_points,against_points,box_difference,dealer,turn,")
    assert len(rows) == 1 + 3 * 20 * 10
    assert run("chart", str(tmp_path / "out"))[0] == 0


@pytest.mark.long
@pytest.mark.parametrize("play", ["greedy", "strong:close_within=20,ahead=30,ahead_more=2"])
def test_a_panel_is_what_a_run_at_that_score_finds(works, play):
    """Whether one trace serves all scores, or each has its own."""
    shared = ("solve", "--play", play, "--against", "simple", "--objective", "stakes", *FEW[:-2])
    together = json.loads(works(*shared, "--by", "score", "--json"))
    assert len(together["panels"]) == 11
    for panel in together["panels"][::3]:
        at = panel["score"]
        asked = (*shared, "--by", "none", "--json", "--proof-hands", "0")
        mine = max(min(1, at["mine"]), min(1, at["theirs"]) + at["box_difference"])
        won = f"{mine}-{mine - at['box_difference']}"
        asked += ("--score", f"{at['mine']}-{at['theirs']}", "--boxes", won)
        alone = json.loads(works(*asked))
        for name in ("score", "cells", "value", "own", "gain", "thresholds", "knock", "deals"):
            assert panel[name] == alone[name], name


def test_scores_are_those_of_the_target(works):
    shared = (*under("eaai:target=50", SCORES), "--json")
    found = json.loads(works(*shared))
    scores = [(panel["score"]["mine"], panel["score"]["theirs"]) for panel in found["panels"]]
    assert scores == [(0, 0), (45, 0), (0, 45), (45, 45), (37, 25)], "boxes are worth nothing"


def test_a_single_score_has_no_comparison(works):
    out = works(*SCORES, "--scores", "0-0")
    assert "Some knocks are right that are wrong" not in out
    assert "\nAn undercut for 25 points ends the game and loses it: nowhere here.\n" in out


def test_a_score_that_is_named_twice_is_solved_once():
    found = states_of("0-0,90-0,0-0:0-0,90-0:1-0", parse_rules("standard"))
    assert [(each.mine, each.box_difference) for each in found] == [(0, 0), (90, 1)]


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        ("--by score", "--by score needs --objective win or stakes: points do not"),
        (
            "--by score --objective win --score 0-0",
            "--score is for one score, and --by score compares",
        ),
        ("--by score --objective win --boxes 0-0", "--boxes is for one score"),
        ("--by score --objective win --save a.toml", "which cannot hold a rule by score"),
        ("--by score --objective win --features", "--features is for one score"),
        ("--by score --objective win --scores 0-0,x", "--scores 'x' is no score: give both"),
        ("--by score --objective win --scores 0-0:a", "--boxes 'a' are not hands won: give yours"),
        ("--by score --objective win --scores 0-0:1:2:3", "--scores has '0-0:1:2:3': give scores"),
        ("--by score --objective win --scores 90-0:0-1", "at 90-0 --boxes cannot be 0-1: under"),
        ("--by score --objective win --scores 100-0", "at 100-0 the game is over"),
        ("--objective win --scores 0-0", "--scores needs --by score; for one score give --score"),
        ("--by score --objective win --proof-hands 9", "cannot hold a rule by score"),
    ],
)
def test_bad_scores_are_one_sentence(run, arguments, sentence):
    code, out, err = run("solve", "--play", "greedy", "--against", "simple", *arguments.split())
    assert (code, out) == (2, "")
    assert err.startswith("Error: ")
    assert sentence in err
    assert "\n" not in err


def test_by_score_is_refused_with_equilibrium(run):
    asked = ("--play", "greedy", "--equilibrium", "--by", "score", "--objective", "win")
    code, _, err = run("solve", *asked)
    assert code == 2
    assert "--by score needs --against POLICY" in err


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        ("--score 45-20", "--score needs --objective win or stakes: by points, single hands"),
        (
            "--objective points+boxes --boxes 1-0",
            "--boxes needs --objective win or stakes: by points+boxes",
        ),
        ("--dealer me", "--dealer needs --objective win or stakes: by points"),
        ("--dealer play", "'play' is not one of 'me', 'opponent'"),
        (
            "--equity-hands 1e5",
            "--equity-hands needs --objective win or stakes: by points, single hands",
        ),
        ("--iterate", "--iterate needs --objective win or stakes: by points,"),
        ("--objective win --iterate --by takes", "which cannot hold a rule by takes"),
        ("--objective win --iterate --by score", "which cannot hold a rule by score"),
        ("--objective win --score 100-20", "at 100-20 the game is over, to 100"),
        ("--objective win --score 20-130", "at 20-130 the game is over, to 100"),
        ("--objective win --score 20", "--score '20' is no score: give both sides' points"),
        ("--objective win --score 20-20 --boxes 30-1", "20 points are 1 to 20 hands won."),
        ("--objective stakes --score 20-0 --boxes 0-0", "20 points are 1 to 20 hands won."),
        ("--objective stakes --score 20-0 --boxes 1-1", "0 points are no hand won."),
        ("--objective win --score 20-20 --boxes 3", "--boxes '3' are not hands won: give yours"),
        ("--objective win --score 20-20 --boxes -1", "--boxes '-1' are not hands won: give yours"),
        ("--objective win --score 30-0 --rules palace --boxes 1-0", "are in the score: leave"),
        ("--objective win --score 30-20 --rules eaai --boxes 2-1", "boxes are worth nothing: leav"),
        ("--objective win --score 7-0 --rules palace", "no game is at 7-0 under palace rules"),
        ("--objective win --rules standard:target=0", "a game is one hand, which has no score"),
    ],
)
def test_bad_input_is_one_sentence(run, tmp_path, arguments, sentence):
    asked = ("solve", "--play", "greedy", "--against", "simple", *arguments.split())
    code, out, err = run(*asked, "--out", str(tmp_path / "out"))
    assert (code, out) == (2, "")
    assert err.startswith("Error: ")
    assert sentence in err
    assert "\n" not in err
    assert not (tmp_path / "out").exists()
