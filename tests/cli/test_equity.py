"""What `gin-sim equity` prints, keeps, writes and refuses.

Right figures are the business of payoff/test_equity.py.
"""

from __future__ import annotations

import json
import os
import time

import numpy as np
import pytest

from gin_sim.engine import compile_cache
from gin_sim.payoff import equity_cache as equity_kept
from gin_sim.payoff.equity import Equity
from gin_sim.payoff.equity_cache import equity_between, keep_results, kept_results, place_of
from gin_sim.payoff.score import MAX_TARGET
from gin_sim.play.hand_results import ResultsPlan
from gin_sim.play.run import simulate
from gin_sim.policies.catalogue import parse_policy
from gin_sim.results.folder import read_result
from gin_sim.results.kinds import read_object
from gin_sim.rules import parse_rules

EQUITY = ("equity", "--play", "greedy", "--against", "simple", "--hands", "2e4")
QUICK = (*EQUITY, "--rules", "eaai:target=40")
#: Boxes matter, and the table has an eighth of the states of a game to 100.
SHORT = ("--rules", "standard:target=50")


@pytest.fixture(autouse=True)
def home(tmp_path, monkeypatch):
    """A folder of its own for what is kept."""
    folder = tmp_path / "cache"
    monkeypatch.setattr(equity_kept, "cache_home", lambda: folder)
    return folder / "equity"


def plain(text):
    found = json.loads(text, parse_constant=pytest.fail)
    del found["seconds"], found["command"]
    return found


# ------------------------------------------------------------------- the table


@pytest.mark.long
def test_the_table_of_a_game_with_boxes(shows):
    out, _ = shows(*EQUITY, "--boxes", "2-1", "--score", "45-20")
    lines = out.splitlines()
    assert lines[0] == (
        "greedy against simple: chance to win the game · standard rules, games to 100 · "
        "20,000 hands in 10,000 mirrored pairs"
    )
    header = next(i for i, line in enumerate(lines) if line.startswith("  own score"))
    assert lines[header].split()[2:] == [str(score) for score in range(0, 100, 10)]
    rows = [line.split() for line in lines[header + 1 : header + 11]]
    assert [row[0] for row in rows] == [str(score) for score in range(0, 100, 10)]
    assert rows[0][1:] == ["-"] * 10, "no points are no hand won: not one ahead"
    assert "-" not in rows[1]
    wins = np.array([row[1:] for row in rows[1:]], float)
    assert (np.diff(wins, axis=1) < 0).all(), "the more points the other has"
    assert lines[header + 11].startswith("  each within ±")
    assert "1 box ahead" in lines[2]
    assert any(line.startswith("  at 45-20, 1 box ahead") for line in lines)
    assert any(line.startswith("  greedy scores 55, game over  ") for line in lines)
    assert any(line.startswith("  simple scores 80, game over  ") for line in lines)
    assert any(line.startswith("At 0-0 greedy wins ") for line in lines)
    assert lines[-1].startswith("seed 1 · ")


def test_a_policy_against_itself_by_default(shows):
    found = plain(shows("equity", "--play", "greedy", "--hands", "2000", *QUICK[-2:], "--json")[0])
    assert (found["play"]["spec"], found["against"]["spec"]) == ("greedy", "greedy")
    even = [c for c in found["cells"] if c["mine"] == c["theirs"] and c["dealer"] == "either"]
    assert len(even) == 10
    for cell in even:
        tie = cell["tie"]["estimate"]
        assert cell["win"]["estimate"] + tie / 2 == pytest.approx(1 / 2)


@pytest.mark.long
def test_what_json_holds(shows):
    found = plain(shows(*EQUITY, "--score", "0-90", "--json")[0])
    assert found["hands"] == 20_000
    assert found["boxes_matter"] is True
    # 0-0, and where both have a point: each by three dealers.
    assert len(found["cells"]) == 3 * (1 + 81)
    for cell in found["cells"]:
        for name in ("win", "tie", "stakes"):
            figure = cell[name]
            assert figure["low"] <= figure["estimate"] <= figure["high"]
            if cell["dealer"] == "either":
                assert figure["high"] - figure["low"] <= 2 * found["widest"][name] + 1e-12
    asked = found["asked"]
    assert (asked["mine"], asked["theirs"], asked["box_difference"]) == (0, 90, -1), (
        "nearest to even"
    )
    assert [row["dealer"] for row in asked["by_dealer"]] == ["either", "me", "opponent"]
    closing = [r for r in asked["next_hand"] if r["winner"] == "opponent" and r["points"] == 10]
    assert [(r["game_over"], r["win"]["estimate"]) for r in closing] == [(True, 0.0)]
    assert closing[0]["stakes"]["estimate"] == -(100 + 2 * 25)
    wash = asked["next_hand"][-1]
    assert wash["winner"] == "nobody"
    assert wash["win"] == asked["by_dealer"][0]["win"], "standard: the same deals again"
    scores = found["grid"]["scores"]
    assert (scores[0], scores[-1], len(scores)) == (0, 96, 25)
    assert found["grid"]["play_deals"][0][1] is None


def test_the_table_is_that_of_python(shows, home):
    found = plain(shows(*QUICK, "--json")[0])
    table = equity_between(
        parse_policy("greedy"), parse_policy("simple"), parse_rules("eaai:target=40"), 20_000
    )
    for cell in found["cells"]:
        dealer = {"either": -1, "me": 0, "opponent": 1}[cell["dealer"]]
        expected = table.win(cell["mine"], cell["theirs"], 0, dealer)
        assert cell["win"]["estimate"] == pytest.approx(expected, abs=1e-12)


@pytest.mark.long
def test_threads_and_the_cache_change_nothing(shows, home):
    first = plain(shows(*QUICK, "--json", "--threads", "1")[0])
    (kept,) = home.iterdir()
    kept.unlink()
    second = plain(shows(*QUICK, "--json", "--threads", "3")[0])
    third = plain(shows(*QUICK, "--json", "--threads", "2")[0])
    assert first == second == third


def test_a_policy_that_reads_the_score_says_so(shows, tmp_path):
    out, _ = shows("equity", "--play", "heisenbot", "--hands", "2000", *QUICK[-2:])
    assert "Hands were counted at 2 scores, one of each kind" in out
    assert "They cover the counted hands, and the table follows exactly from these." in out
    file = tmp_path / "mine.py"
    file.write_text(
        'base = "simple"\n\n\ndef should_knock(view, p):\n'
        "    return view.deadwood == 0 or view.score >= view.opponent_score\n"
    )
    out, _ = shows("equity", "--play", str(file), "--hands", "1000", *QUICK[-2:])
    assert "1,000 hands in 500 mirrored pairs at each of 16 scores" in out
    assert "uses the nearest of them and ignores the boxes: an approximation." in out
    assert "They cover the counted hands, and leave out that approximation." in out
    assert "exactly" not in out


# ------------------------------------------------------------------ kept and found


def test_counted_hands_are_found_again(shows, home, monkeypatch):
    out, note = shows(*QUICK)
    assert note == ""
    (kept,) = home.iterdir()
    assert kept.stat().st_size < 200_000
    monkeypatch.setattr("gin_sim.api.at_a_score.play", pytest.fail)
    again, note = shows(*QUICK)
    assert note == f"Hands counted before are used again: {kept}."
    assert again.splitlines()[:-1] == out.splitlines()[:-1]
    assert shows(*QUICK, "--quiet")[1] == ""
    seconds = json.loads(shows(*QUICK, "--json", "--quiet")[0])["seconds"]
    assert "play" not in seconds


@pytest.mark.parametrize(
    ("change", "found"),
    [
        ({"seed": 2}, False),
        ({"hands": 2002}, False),
        ({"rules": "eaai:target=40,undercut_bonus=24"}, False),
        ({"play": "greedy:knock=9"}, False),
        ({"against": "simple:knock=9"}, False),
        ({"play": "greedy:knock=10"}, True),
        ({"rules": "eaai:target=40,gin_bonus=25"}, True),
    ],
)
def test_what_a_kept_table_is_known_by(change, found):
    def plan(play="greedy", against="simple", rules="eaai:target=40", hands=2000, seed=1):
        return ResultsPlan(
            (parse_policy(play), parse_policy(against)), parse_rules(rules), hands, seed
        )

    assert (place_of(plan()) == place_of(plan(**change))) == found


def test_a_changed_file_or_program_is_counted_anew(tmp_path, monkeypatch):
    def place():
        policies = (parse_policy(str(file)), parse_policy("simple"))
        return place_of(ResultsPlan(policies, parse_rules("eaai"), 2000))

    file = tmp_path / "mine.py"
    text = 'base = "simple"\n\n\ndef should_knock(view, p):\n    return view.deadwood <= {}\n'
    file.write_text(text.format(5))
    before = place()
    assert place() == before
    file.write_text(text.format(6))
    changed = place()
    assert changed != before
    monkeypatch.setattr(equity_kept, "sources_hash", lambda: "another")
    assert place() != changed


def plan_of(hands=2000):
    policies = (parse_policy("greedy"), parse_policy("simple"))
    return ResultsPlan(policies, parse_rules("eaai:target=40"), hands)


@pytest.mark.parametrize("damage", ["cut", "noise", "empty", "other"])
def test_a_damaged_file_is_made_again(home, damage, monkeypatch):
    plan = plan_of()
    whole = equity_between(*plan.policies, plan.rules, plan.hands)
    place = place_of(plan)
    content = place.read_bytes()
    if damage == "cut":
        place.write_bytes(content[: len(content) // 2])
    elif damage == "noise":
        place.write_bytes(content[:200] + bytes(len(content) - 400) + content[-200:])
    elif damage == "empty":
        place.write_bytes(b"")
    else:
        with place.open("wb") as file:
            np.savez_compressed(file, counts=np.zeros((2, 2)), about=np.array("{}"))
    monkeypatch.setattr(compile_cache, "_notices", [])
    assert kept_results(plan) is None
    assert compile_cache.notices() == [
        f"The counted hands kept in {home} are damaged: they are counted again."
    ]
    again = equity_between(*plan.policies, plan.rules, plan.hands)
    assert (again.results.counts == whole.results.counts).all()
    assert kept_results(plan) is not None
    assert [path.name for path in home.iterdir()] == [place.name], "nothing half written is left"


def test_what_somebody_else_could_have_written_is_not_read(home):
    plan = plan_of()
    results = equity_between(*plan.policies, plan.rules, plan.hands).results
    assert kept_results(plan) is not None
    home.chmod(0o777)
    assert kept_results(plan) is None
    said = f"The counted hands are not kept in {home}, since {home} can be written by everybody."
    assert keep_results(results) == said
    home.chmod(0o755)
    assert keep_results(results) == ""


def test_hands_of_other_code_than_the_hashed_are_not_kept(home, monkeypatch):
    plan = plan_of()
    results = equity_between(*plan.policies, plan.rules, plan.hands).results
    monkeypatch.setattr(equity_kept, "are_as_imported", lambda: False)
    assert kept_results(plan) is None
    assert keep_results(results).endswith("since the package's files were changed meanwhile.")


def test_a_folder_that_cannot_be_written_is_a_note(shows, home):
    home.parent.mkdir(exist_ok=True)
    home.write_text("a file")
    _, note = shows(*QUICK)
    assert note.startswith("The counted hands are not kept, since ")


def test_counts_unused_for_a_month_are_removed(home):
    plan, other = plan_of(), plan_of(4000)
    equity_between(*plan.policies, plan.rules, plan.hands)
    old = time.time() - 40 * 86400
    os.utime(place_of(plan), (old, old))
    equity_between(*other.policies, other.rules, other.hands)
    assert not place_of(plan).exists()
    assert place_of(other).exists()


def test_partial_counts_are_said_to_be_and_not_kept(run, home, monkeypatch):
    plays = ResultsPlan.play

    def stopped(plan, threads=None, stop=None, on_progress=None, enough=None):
        def play(self, first, n_units):
            if first >= 8192:
                stop.set()
            return plays(self, first, n_units)

        monkeypatch.setattr(ResultsPlan, "play", play)
        return simulate(plan, 1, stop)

    monkeypatch.setattr("gin_sim.api.playing.simulate_plan", stopped)
    code, out, _ = run(*QUICK[:-4], "--hands", "1e5", *QUICK[-2:], "--json")
    assert code == 130
    found = json.loads(out)
    assert found["partial"] is True
    assert 0 < found["hands"] < 100_000
    assert not home.exists()


# ---------------------------------------------------------------------- files


@pytest.mark.long
def test_files_and_their_redrawing(run, shows, tmp_path):
    out = tmp_path / "out"
    shows(*EQUITY, *SHORT, "--score", "35-20", "--boxes", "2-3", "--out", str(out))
    assert read_result(out)["result"]["kind"] == "equity"
    names = {path.name for path in out.iterdir()}
    assert {"scores.csv", "grid.csv", "next_hand.csv", "equity.png", "equity.svg"} <= names
    header, first = (out / "scores.csv").read_text().splitlines()[:2]
    assert header.startswith(
        "play_points,against_points,box_difference,dealer,win_estimate,win_low,"
    )
    assert first.startswith("0,5,-1,either,0.")
    drawn = (out / "equity.svg").read_bytes()
    assert b"behind" in drawn
    assert run("chart", str(out))[0] == 0
    assert (out / "equity.svg").read_bytes() == drawn


@pytest.mark.long
def test_a_result_that_is_not_whole_is_refused(run, shows, tmp_path):
    out = tmp_path / "out"
    shows(*QUICK, "--out", str(out))
    manifest = json.loads((out / "manifest.json").read_text())
    manifest["result"]["grid"]["play_deals"].pop()
    (out / "manifest.json").write_text(json.dumps(manifest))
    code, _, err = run("chart", str(out))
    assert code == 2
    assert "is not whole at result.grid" in err


# -------------------------------------------------------------------- refused


@pytest.mark.parametrize(
    ("options", "sentence"),
    [
        ("--score 100-20", "at 100-20 the game is over, to 100 under standard rules"),
        ("--score 20-150", "at 20-150 the game is over"),
        ("--score 45", "--score '45' is no score: give both sides' points, such as 45-20."),
        ("--score 45-20 --boxes 46-1", "under standard rules 45 points are 1 to 45 hands won."),
        ("--score 0-0 --boxes 1-0", "0 points are no hand won."),
        ("--score 45-20 --boxes 1", "--boxes '1' are not hands won: give yours and the opponent's"),
        ("--boxes 96-1", "cannot be +95"),
        ("--rules palace --score 40-30 --boxes 2-1", "boxes count at once and are in the score"),
        ("--rules palace --boxes 2-1", "boxes count at once and are in the score"),
        ("--rules palace --score 40-3", "0 or at least 11"),
        ("--rules palace --score 10-0", "at once and a point at least, so that a score is 0 or at"),
        ("--rules straight --score 10-0", "each hand won counts 25 points at least, so that a sco"),
        ("--rules straight --score 50-0 --boxes 3-0", "50 points are 1 to 2 hands won."),
        ("--rules eaai --boxes 2-1", "boxes are worth nothing"),
        ("--rules openspiel", "a game is one hand"),
        ("--rules standard:target=1000", "goes up to 300"),
        ("--rules standard:undercut_bonus=0", "may be won with 0 points"),
        ("--rules palace --against heuristic:ahead=9", "try a policy without ahead and behind"),
        ("--against simpel", "Did you mean 'simple'?"),
        ("--hands 10", "'10' is not a whole number from 1000"),
    ],
)
def test_bad_input_is_one_sentence(run, tmp_path, options, sentence):
    code, out, err = run(
        "equity", "--play", "greedy", *options.split(), "--out", str(tmp_path / "out")
    )
    assert (code, out) == (2, "")
    assert err.startswith("Error: ")
    assert sentence in err
    assert err.count("\n") == 0
    assert not (tmp_path / "out").exists()


def test_help_names_the_longest_game(run):
    assert f"to {MAX_TARGET} points at most" in " ".join(run("equity", "--help")[1].split())


def test_a_policy_at_fault_is_a_sentence(run, tmp_path):
    file = tmp_path / "cheat.py"
    file.write_text('base = "simple"\ndef choose_discard(view, p):\n    return 51\n')
    code, out, err = run("equity", "--play", str(file), "--hands", "1000")
    assert (code, out) == (2, "")
    assert f"{file} asked for an illegal step" in err


def test_players_who_never_win_a_hand_are_a_sentence(run):
    code, _, err = run("equity", "--play", "random", "--rules", "straight", "--hands", "1000")
    assert code == 2
    assert "nobody ever won one" in err


def test_an_equity_object_takes_results_of_any_simulation():
    plan = plan_of()
    played = simulate(plan)
    table = Equity(equity_kept.results_of(played))
    assert 0 < table.win(0, 0) < 1


# --------------------------------------------------------------------- the map


def mapped(shows, *options):
    described = json.loads(shows(*EQUITY, "--json", "--quiet", *options)[0])
    return described, read_object(described).chart()


@pytest.mark.long
def test_the_chart_shows_the_figures_of_the_table(shows):
    described, figure = mapped(shows, *SHORT, "--boxes", "2-1")
    win, deal, *_ = figure.axes
    assert win.get_title().startswith("Wins, mean over who deals")
    assert (win.get_xlabel(), win.get_ylabel()) == ("score of simple", "score of greedy")
    drawn = win.collections[0].get_array()
    scores = described["grid"]["scores"]
    cells = {(c["mine"], c["theirs"]): c for c in described["cells"] if c["dealer"] == "either"}
    for (mine, theirs), cell in cells.items():
        if mine in scores and theirs in scores:
            shown = drawn[scores.index(mine), scores.index(theirs)]
            assert shown == pytest.approx(100 * cell["win"]["estimate"], abs=2e-3)
    assert drawn.mask[0].all(), "one box ahead with no points is no score"
    assert not drawn.mask[1:].any()
    lines = win.collections[1]
    assert set(lines.levels) <= set(range(10, 100, 10))
    assert 50 in lines.levels
    play, against = (
        np.array(described["grid"][name], float) for name in ("play_deals", "against_deals")
    )
    gain = deal.collections[0].get_array()
    assert np.allclose(gain.filled(np.nan), 100 * (play - against), equal_nan=True)


@pytest.mark.long
@pytest.mark.parametrize(
    "options",
    [(*SHORT, "--boxes", "44-1"), (*SHORT, "--boxes", "0-20"), ("--rules", "palace:target=50")],
)
def test_a_map_with_few_scores_or_without_boxes_is_drawn(shows, options):
    _, figure = mapped(shows, *options)
    figure.canvas.draw()
    texts = figure.axes[0].texts
    assert all(text.get_text() for text in texts)
