"""What `gin-sim knock` prints, keeps, writes and refuses; right figures are test_advice.py's."""

from __future__ import annotations

import contextlib
import csv
import json
import shlex
import threading

import pytest

from gin_sim.cli import output
from gin_sim.cli.interrupt import Phases
from gin_sim.results.folder import read_result

HAND = "6h Ah 9s 3d 9d 9h Ad 4d 2s 3s 3h"
FIRST = "8d"
HISTORY = "u/Qd s/Kc sQh/Qh s/Th s4d/Jc s/Qc s2s/8d s/8s sKd/Kd s/Td s3s/8c s/Kh s3h"
QUICK = ("--worlds", "800", "--panel", "none", "--against", "simple")
ASKED = ("knock", HAND, "--first", FIRST, "--history", HISTORY, *QUICK)
RECORDS = "tests/data/hands-standard.jsonl"


@pytest.fixture
def refused(run):
    """Run; return the sentence of a refusal, the only thing printed."""

    def check(*arguments: str) -> str:
        code, out, err = run(*arguments)
        assert code == 2, (out, err)
        assert not out
        assert err.startswith("Error: ")
        assert err.endswith((".", "it."))
        return err

    return check


def plain(text: str):
    found = json.loads(text, parse_constant=pytest.fail)
    del found["seconds"], found["command"]
    return found


# ------------------------------------------------------------------- the answer


def test_the_answer_comes_with_intervals_reasons_and_what_it_rests_on(shows):
    out, err = shows(*ASKED)
    assert not err
    lines = out.splitlines()
    assert lines[0].startswith("You hold   3♠ 3♥ 3♦ | 9♠ 9♥ 9♦   loose A♥ A♦ 2♠ 4♦ 6♥ ")
    assert lines[0].endswith("drew 3♥ · your turn 7 · the opponent dealt · 0-0")
    assert lines[2].split()[:4] == ["action", "deadwood", "points", "per"]
    best = [line for line in lines if line.startswith("→ ")]
    assert len(best) == 1
    assert " ±" in best[0]
    rows = [line for line in lines if line[:1] in "→ ·" and "discard" in line[:20]]
    assert len(rows) >= 4
    assert sum("[" in row for row in rows) == len(rows) - 1
    verdict = next(line for line in lines if line.startswith(("Knock", "Play on", "Too close")))
    assert "points per hand [" in verdict
    why = out[out.index("Why: ") :]
    for words in ("deadwood now", "It may hold", "undercut in", "laid off", "gin"):
        assert words in why
    assert "With 20 for gin and 10 for an undercut: " in out
    footer = lines[-2]
    for words in (
        "800 sampled deals",
        "effective sample",
        "16 chains",
        "opponent model: simple, deviates in 3 / 3 / 0.1 %",
        "objective points",
        "standard rules",
        "seed 1",
        " s",
    ):
        assert words in footer
    assert lines[-1].startswith("gin-sim knock ")


@pytest.mark.long
def test_the_last_line_asks_the_same_again(shows):
    out, _ = shows(*ASKED)
    again = shlex.split(out.splitlines()[-1])[1:]
    assert plain(shows(*again, *QUICK[:4], "--json")[0]) == plain(shows(*ASKED, "--json")[0])


@pytest.mark.long
def test_json_is_one_object_with_units(shows):
    out, _ = shows(*ASKED, "--json")
    found = plain(out)
    assert found["unit"] == "points per hand"
    assert found["confidence"] == 0.95
    assert found["turn"] == 7
    assert found["dealer"] == "opponent"
    assert found["knock_limit"] == 10
    assert found["position"]["history"] == HISTORY
    assert found["belief"]["source"] == "history"
    assert found["belief"]["worlds"] == 800
    assert found["belief"]["deviation"] == {"take": 0.03, "discard": 0.03, "knock": 0.001}
    first = found["actions"][0]
    assert first["difference"] == {"estimate": 0.0, "low": 0.0, "high": 0.0}
    assert first["value"]["low"] < first["value"]["estimate"] < first["value"]["high"]
    for action in found["actions"]:
        assert sum(action["ends"].values()) == pytest.approx(1, abs=1e-5)
    assert found["verdict"]["margin"]["low"] <= found["verdict"]["margin"]["high"]
    assert len(found["reasons"]["gin_chance_in_draws"]) == 3
    assert found["opponents"] == []
    assert [row["name"] for row in found["bonuses"]] == [
        "20 for gin and 10 for an undercut",
        "25 for gin and 25 for an undercut, 25 for a hand won",
    ]


@pytest.mark.long
def test_a_panel_of_opponents_is_asked_too(shows):
    panel = ("--panel", "greedy", "--panel", "simple:knock=0")
    arguments = [word for word in ASKED if word not in ("--panel", "none")]
    found = plain(shows(*arguments, *panel, "--json")[0])
    assert [row["name"] for row in found["opponents"]] == ["greedy", "simple:knock=0"]
    out, _ = shows(*arguments, *panel)
    assert "Against greedy: " in out


def test_an_interval_that_is_too_wide_is_a_warning(shows):
    out, _ = shows(*ASKED)
    assert "Warning: The interval is ±" in out
    assert ", and you asked for ±0.5: give more --time" in out


def test_before_the_draw_the_upcard_is_taken_or_left(shows):
    asked = ("knock", "As Ad Ah 2c 3c 4c Th Jh Qh 8d", "--first", "Kh", *QUICK)
    out, _ = shows(*asked)
    assert "upcard K♥ · your turn 1 (first upcard)" in out
    assert "→ take the upcard" in out
    assert "Take the upcard: better by " in out


def test_a_hand_that_may_not_knock_says_so(shows):
    hand = "As Ad Ah 2c 3c 9c Th Jh Qh Kd 8d"
    out, _ = shows("knock", hand, "--first", "5s", "--history", "p p s", *QUICK)
    assert "a knock is not allowed: the least deadwood is 22, the limit 10" in out


# ----------------------------------------------------------------- out of records


@pytest.mark.long
def test_a_position_of_a_record_is_the_typed_one(shows):
    out, err = shows(
        "knock", "--records", RECORDS, "--turn", "4", "--player", "0", *QUICK, "--json"
    )
    assert err == f"Hand 1 of '{RECORDS}': seat 0, heuristic, own turn 4."
    found = plain(out)
    typed = shlex.split(found["ask_again"])[1:]
    assert plain(shows(*typed, *QUICK[:4], "--json")[0]) == found


@pytest.mark.long
def test_who_knocked_is_asked_about_at_its_last_turn(shows):
    """Hand 1 of the file ends with seat 0's knock at its ninth turn."""
    _, err = shows("knock", "--records", RECORDS, "--hand", "1", *QUICK)
    assert "seat 0, heuristic, own turn 9" in err


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (("--turn", "99"), "seat 0 has 9 turns in the record, and turn 99 is asked for"),
        (("--turn", "0"), "turn 0 is asked for"),
        (("--hand", "9999"), "hand 9999 is asked for"),
        (("--first", "9h"), "--first does not go with --records"),
    ],
)
def test_what_a_record_has_not_is_refused(refused, arguments, words):
    assert words in refused("knock", "--records", RECORDS, *arguments, *QUICK)


# ------------------------------------------------------------------------- files


def lines_of(*positions):
    return "".join(json.dumps(position) + "\n" for position in positions)


POSITION = {"hand": HAND, "first": FIRST, "history": HISTORY}
OPENING = {"hand": "As Ad Ah 2c 3c 4c Th Jh Qh 9c Kd", "first": "5s", "history": "p p s"}


@pytest.mark.long
def test_a_file_of_json_lines_becomes_a_table(shows, tmp_path):
    path = tmp_path / "positions.jsonl"
    path.write_text(lines_of(POSITION, OPENING), encoding="utf-8")
    out, err = shows("knock", "--file", str(path), *QUICK)
    header, first, second, footer = out.splitlines()
    assert header.split() == ["line", "turn", "answer", "action", "margin", "best"]
    assert first.split()[:2] == ["1", "7"]
    assert second.split()[:4] == ["2", "1", "play", "on"]
    words = "2 positions · standard rules · objective points · margins in points per hand, 95%"
    assert footer.startswith(words)
    assert not err


@pytest.mark.long
def test_csv_and_json_lines_say_the_same(shows, tmp_path):
    lines, table = tmp_path / "a.jsonl", tmp_path / "a.csv"
    lines.write_text(lines_of(POSITION, OPENING), encoding="utf-8")
    with table.open("w", newline="", encoding="utf-8") as file:
        writer = csv.DictWriter(file, ["hand", "first", "history", "turn", "score"])
        writer.writeheader()
        writer.writerows([POSITION, OPENING])
    found = [
        json.loads(shows("knock", "--file", str(p), *QUICK, "--json")[0]) for p in (lines, table)
    ]
    rows = [answers["positions"] for answers in found]
    line_numbers = [[row["line"] for row in each] for each in rows]
    assert line_numbers == [[1, 2], [2, 3]]  # the table's first line names its columns
    answers = [[row["advice"] for row in each] for each in rows]
    for advice in (*answers[0], *answers[1]):
        del advice["seconds"], advice["command"]
    assert answers[0] == answers[1]
    assert answers[0][0] == plain(shows(*ASKED, "--json")[0])


def test_a_bad_line_is_named_before_any_work(refused, tmp_path):
    path = tmp_path / "positions.jsonl"
    bad = {**POSITION, "hand": "6h Ah 9s"}
    path.write_text(lines_of(POSITION) + "\n" + lines_of(bad) + "no json\n", encoding="utf-8")
    sentence = refused("knock", "--file", str(path), *QUICK)
    assert f"line 3 of '{path}': the hand" in sentence
    assert f"line 4 of '{path}': it is not JSON" in sentence
    assert sentence.count("line 1 of") == 0


def test_a_field_that_is_none_is_named(refused, tmp_path):
    path = tmp_path / "positions.jsonl"
    path.write_text(lines_of({**POSITION, "histroy": "p"}), encoding="utf-8")
    assert "no field 'histroy'. Did you mean 'history'?" in refused("knock", "--file", str(path))


def test_a_column_that_is_nearly_a_field_is_refused(refused, shows, tmp_path):
    path = tmp_path / "positions.csv"
    path.write_text("hand,first,history,scoer\n", encoding="utf-8")
    assert "a column 'scoer', which is not a field of a position. Did you mean 'score'?" in refused(
        "knock", "--file", str(path)
    )
    row = ",".join(POSITION[name] for name in ("hand", "first", "history"))
    path.write_text(f"hand,first,history,who played\n{row},me\n", encoding="utf-8")
    shows("knock", "--file", str(path), *QUICK)


@contextlib.contextmanager
def stopped():
    event = threading.Event()
    event.set()
    yield event, Phases()


def test_ctrl_c_gives_the_answer_so_far(run, monkeypatch):
    monkeypatch.setattr(output, "interruptible", stopped)
    arguments = [word for word in ASKED if word not in ("--worlds", "800")]
    code, out, _ = run(*arguments, "--precision", "0.001", "--time", "600")
    assert code == 130
    assert "400 sampled deals" in out
    assert "PARTIAL: stopped early" in out


@pytest.mark.long
def test_ctrl_c_keeps_the_finished_lines_of_a_file(run, monkeypatch, tmp_path):
    monkeypatch.setattr(output, "interruptible", stopped)
    path = tmp_path / "positions.jsonl"
    path.write_text(lines_of(POSITION, OPENING), encoding="utf-8")
    # The second is done with its first block: a signal in it ends the file all the same.
    for stops in (("--precision", "0.001", "--time", "600"), ("--worlds", "400")):
        asked = ("knock", "--file", str(path), "--against", "simple", "--panel", "none", *stops)
        code, out, _ = run(*asked)
        assert code == 130
        assert [line.split()[0] for line in out.splitlines()[1:-1]] == ["1"]
        assert out.splitlines()[-1].startswith("PARTIAL: stopped early · 1 of 2 positions")


# ------------------------------------------------------------------- what is kept


@pytest.mark.long
def test_out_keeps_tables_and_the_object(shows, tmp_path):
    out, _ = shows(*ASKED, "--json", "--out", str(tmp_path / "kept"), "--quiet")
    kept = json.loads((tmp_path / "kept/manifest.json").read_text(encoding="utf-8"))
    assert kept["result"]["kind"] == "advice"
    assert kept["result"] == json.loads(out)
    with (tmp_path / "kept/actions.csv").open(encoding="utf-8") as file:
        rows = list(csv.DictReader(file))
    assert [row["action"] for row in rows] == [row["action"] for row in kept["result"]["actions"]]
    assert {row["unit"] for row in rows} == {"points per hand"}
    with (tmp_path / "kept/variants.csv").open(encoding="utf-8") as file:
        assert [row["varied"] for row in csv.DictReader(file)] == ["bonuses", "bonuses"]
    assert read_result(tmp_path / "kept")["result"]["kind"] == "advice"


@pytest.mark.long
def test_the_chart_is_drawn_again_from_what_is_kept(shows, tmp_path):
    shows(*ASKED, "--out", str(tmp_path / "kept"), "--quiet")
    chart = tmp_path / "kept/advice.svg"
    before = chart.read_bytes()
    chart.unlink()
    shows("chart", str(tmp_path / "kept"))
    assert chart.read_bytes() == before


@pytest.mark.long
def test_out_with_a_file_of_positions_writes_one_table(shows, tmp_path):
    path = tmp_path / "positions.jsonl"
    path.write_text(lines_of(POSITION, OPENING), encoding="utf-8")
    shows("knock", "--file", str(path), *QUICK, "--out", str(tmp_path / "kept"), "--quiet")
    with (tmp_path / "kept/positions.csv").open(encoding="utf-8") as file:
        rows = list(csv.DictReader(file))
    assert [row["line"] for row in rows] == ["1", "2"]
    assert rows[1]["answer"] == "play on"


# ---------------------------------------------------------------- what is refused


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        ((HAND[:-6], "--first", FIRST), "and 9 are given"),
        ((HAND + " Kh", "--first", FIRST), "and 12 are given"),
        ((HAND, "--turn", "5", "--pile", "Qs 3h"), "3♥ is both in your hand and in the pile"),
        (
            (HAND, "--first", FIRST, "--history", HISTORY, "--took", "Qc"),
            "Q♣ is named as taken by the opponent, and by the history it was not",
        ),
        ((HAND, "--turn", "0", "--pile", "Qs"), "the turn is 0"),
        ((HAND, "--turn", "90", "--pile", "Qs"), "the turn is 90"),
        (
            (HAND, "--first", FIRST, "--history", HISTORY, "--score", "120-0"),
            "your score is 120, and the game ends at 100",
        ),
        ((HAND, "--first", FIRST, "--history", HISTORY, "--against", "stong"), "Did you mean 'st"),
        ((HAND, "--first", FIRST, "--history", HISTORY, "--precision", "0"), "precision is 0"),
        ((HAND, "--first", FIRST, "--history", HISTORY, "--precision", "nan"), "precision is nan"),
        ((HAND, "--first", FIRST, "--history", HISTORY, "--time", "-3"), "time is -3 s"),
        (
            (HAND, "--first", FIRST, "--history", HISTORY, "--deviation", "2"),
            "--deviation '2' does not",
        ),
        (
            (HAND, "--first", FIRST, "--history", HISTORY, "--worlds", "800", "--time", "3"),
            "--worlds and --time are both given",
        ),
        (
            (HAND, "--first", FIRST, "--history", HISTORY, "--turn", "7"),
            "--history and --turn are both given",
        ),
        ((HAND,), "nothing says what was played"),
        ((), "no position is given"),
        ((HAND, "--file", "positions.csv"), "HAND and --file are both given"),
        ((HAND, "--first", FIRST, "--hand", "3"), "--hand needs --records FILE"),
        (("--file", "nowhere.csv"), "there is no file 'nowhere.csv'"),
        (
            (HAND, "--first", FIRST, "--history", HISTORY, "--panel", "none", "--panel", "greedy"),
            "--panel none is given beside other opponents",
        ),
    ],
)
def test_bad_input_is_one_sentence(refused, arguments, words):
    sentence = refused("knock", *arguments)
    assert words in sentence
    assert len(sentence.splitlines()) == 1


@pytest.mark.long
def test_the_table_leaves_out_the_worst_discards_and_says_how_many(shows):
    out, _ = shows("knock", HAND, "--first", FIRST, "--history", HISTORY, *QUICK)
    found = plain(shows("knock", HAND, "--first", FIRST, "--history", HISTORY, *QUICK, "--json")[0])
    finalists = [place for place, action in enumerate(found["actions"]) if action["finalist"]]
    shown = max(finalists[-1] + 1, 6)
    hidden = len(found["actions"]) - shown
    assert hidden > 0
    assert f"and {hidden} more, all worse: --json has them" in out
    rows = [line for line in out.splitlines() if line[:1] in "→· " and "discard" in line[:20]]
    assert len(rows) == shown


# ------------------------------------------------------------ without a history


def test_without_a_history_the_answer_says_what_it_rests_on(shows):
    asked = ("knock", HAND, "--turn", "5", "--pile", "Qs Jd 8c", "--took", "5c", *QUICK)
    out, _ = shows(*asked)
    assert "Warning: The history is not known" in out
    assert "Certain: 5♣. It may hold melds" in out
    assert "opponent model: learned weights of simple" in out
    # Eight turns before by a non-dealer; two cards beside the first upcard came from the stock.
    assert "read as all of it, so 6 of the 8 turns before took the upcard" in out
    assert out.splitlines()[-1].startswith(f"gin-sim knock '{HAND}' --turn 5 --pile 'Qs Jd 8c'")
    found = plain(shows(*asked, "--json")[0])
    assert found["belief"]["source"] == "learned weights"
    assert found["belief"]["worlds"] == 2 * 16 * 25


# ---------------------------------------------------------------- the game


@pytest.mark.long
def test_an_answer_by_the_game_says_where_the_worth_of_a_hand_comes_from(shows):
    # Few later hands would do: the kept count is of a million.
    asked = (*ASKED, "--objective", "win", "--score", "60-30", "--boxes", "2-1")
    out, _ = shows(*asked)
    assert "· 60-30 · boxes 2-1" in out.splitlines()[0]
    assert "counted from 1,000,000 hands in 500,000 mirrored pairs of " in out
    assert "90-0 with boxes 1-0: " in out
    found = plain(shows(*asked, "--json")[0])
    assert found["later_hands"]["hands"] == 1_000_000
    assert plain(shows(*ASKED, "--json")[0])["later_hands"] is None
