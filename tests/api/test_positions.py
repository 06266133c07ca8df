"""Advice from Python: plain values in, a result out that is the command line's."""

from __future__ import annotations

import json
import math
import subprocess
import sys
import threading

import pytest
from matplotlib.figure import Figure

import gin_sim
from gin_sim.api.progress import Progress
from gin_sim.errors import InputError
from gin_sim.results.actions import Ends
from gin_sim.results.advice import Advice
from gin_sim.results.advice_list import AdviceList
from gin_sim.results.kinds import load, read_object
from gin_sim.rules import parse_rules

HAND = "6h Ah 9s 3d 9d 9h Ad 4d 2s 3s 3h"
PAST = {
    "first": "8d",
    "history": "u/Qd s/Kc sQh/Qh s/Th s4d/Jc s/Qc s2s/8d s/8s sKd/Kd s/Td s3s/8c s/Kh s3h",
}
POSITION = {"hand": HAND, **PAST}
OPENING = {"hand": "As Ad Ah 2c 3c 4c Th Jh Qh 9c Kd", "first": "5s", "history": "p p s"}
QUICK = {"against": "simple", "worlds": 800, "panel": "none"}
COMMAND = ("--worlds", "800", "--panel", "none", "--against", "simple")
RECORDS = "tests/data/hands-standard.jsonl"


@pytest.fixture(scope="module")
def advice():
    return gin_sim.advise(POSITION, **QUICK)


def plain(result):
    """A result as plain values without what names the run."""
    found = result if isinstance(result, dict) else result.to_dict()
    return {name: value for name, value in found.items() if name not in ("seconds", "command")}


# ------------------------------------------------------------------- the result


@pytest.mark.long
def test_a_position_is_fields_or_a_hand_with_fields_or_a_position(advice):
    typed = gin_sim.advise(HAND, **PAST, **QUICK)
    parsed = gin_sim.advise(gin_sim.parse_position(**POSITION), **QUICK)
    assert isinstance(advice, Advice)
    assert plain(advice) == plain(typed) == plain(parsed)
    assert advice.position == {**POSITION, "rules": "standard"}


def test_python_and_the_command_line_have_the_same_numbers(advice, run):
    code, out, _ = run(
        "knock", HAND, "--first", PAST["first"], "--history", PAST["history"], *COMMAND, "--json"
    )
    assert code == 0
    assert plain(json.loads(out)) == plain(advice)


@pytest.mark.long
def test_it_is_the_same_once_read_from_json_and_from_disk(advice, tmp_path):
    assert read_object(json.loads(advice.to_json())) == advice
    names = advice.save(tmp_path / "kept")
    assert {"actions.csv", "variants.csv", "advice.png", "advice.svg", "manifest.json"} <= {*names}
    assert load(tmp_path / "kept") == advice


@pytest.mark.long
def test_the_tables_have_the_same_columns_whatever_the_objective(advice):
    boxed = gin_sim.advise(POSITION, objective="points+boxes", **QUICK)
    for result in (advice, boxed):
        table = result.table()
        assert list(table.columns) == [
            "action", "card", "kind", "deadwood", "objective", "estimate", "low", "high", "unit",
            "difference_estimate", "difference_low", "difference_high", "chance_best",
            *Ends.__struct_fields__, "playouts", "finalist",
        ]  # fmt: skip
        assert list(table["action"]) == [value.action for value in result.actions]
        assert set(table["objective"]) == {result.objective}
        assert (table["low"] <= table["estimate"]).all()
        assert list(result.table("variants").columns) == [
            "varied", "name", "answer", "action", "card", "objective", "estimate", "low", "high",
            "unit",
        ]  # fmt: skip
    assert set(advice.table("variants")["varied"]) == {"bonuses"}


def test_the_chart_has_a_bar_for_each_action_and_the_verdict_as_its_title(advice):
    figure = advice.chart()
    (axes,) = figure.axes
    assert [bar.get_width() for bar in axes.patches] == [
        value.value.estimate for value in advice.actions
    ]
    assert figure.get_suptitle().startswith(("Play on, discard", "Knock, discard", "Too close"))
    assert axes.yaxis_inverted()  # the first action, the best, is on top


def test_the_chart_can_be_drawn_into_own_axes(advice):
    axes = Figure().subplots()
    assert advice.chart(ax=axes) is axes
    assert axes.get_xlabel() == "value, points per hand"
    assert len(axes.patches) == len(advice.actions)


def test_advice_shows_itself_in_a_line_and_in_a_notebook(advice):
    assert repr(advice).startswith("<Advice: ")
    assert repr(advice).endswith("; against simple, standard rules, 800 sampled deals, seed 1>")
    shown = advice._repr_html_()
    assert shown.startswith("<p>")
    assert shown.count("<tr") == 1 + len(advice.actions)
    assert "opponent model: simple" in advice.text()
    assert "Why: " not in advice.text(more=False)


@pytest.mark.long
def test_chances_to_win_are_shares_in_data_and_percent_in_text():
    # Few later hands would do: the kept count is of a million.
    result = gin_sim.advise(HAND, **PAST, objective="win", score="60-30", boxes="2-1", **QUICK)
    assert result.unit == "chance to win the game"
    assert result.precision == 0.005
    assert all(0 < value.value.estimate < 1 for value in result.actions)
    assert result.later_hands.hands == 1_000_000
    assert "% to win the game" in result.text()
    assert "±0.5" in " ".join(result.warnings)


# ------------------------------------------------------------------- options


@pytest.mark.long
def test_rules_of_a_position_can_be_other_ones():
    eaai = gin_sim.advise(gin_sim.parse_position(**POSITION), rules="eaai", **QUICK)
    again = gin_sim.advise(POSITION, rules=parse_rules("eaai"), **QUICK)
    assert eaai.rules == parse_rules("eaai")
    assert plain(eaai) == plain(again)


@pytest.mark.long
def test_a_panel_is_policies_or_none():
    options = {**QUICK, "panel": ["greedy", "simple:knock=0"]}
    found = gin_sim.advise(OPENING, **options)
    assert [variant.name for variant in found.opponents] == ["greedy", "simple:knock=0"]
    assert found.opponents[0].unit == "points per hand"
    assert gin_sim.advise(OPENING, **{**QUICK, "panel": ()}).opponents == []


def test_progress_is_called_with_the_blocks():
    calls = []
    gin_sim.advise(OPENING, **QUICK, progress=lambda *done: calls.append(done))
    assert calls == [(1, 2, "blocks"), (2, 2, "blocks")]


def test_a_stop_gives_the_answer_so_far():
    stop = threading.Event()
    stop.set()
    options = {"against": "simple", "panel": (), "precision": 1e-6, "time": 600}
    found = gin_sim.advise(OPENING, **options, stop=stop)
    assert found.partial
    assert found.belief.worlds == 400


@pytest.mark.parametrize(
    ("position", "options", "words"),
    [
        (None, {}, "no position is given"),
        (7, {}, "7 is no position: give the cards of the hand"),
        (HAND, {}, "nothing says what was played"),
        (HAND, {**PAST, "histroy": "p"}, "no field 'histroy'. Did you mean 'history'"),
        (HAND, {**PAST, "turn": 7}, "--history and --turn are both given"),
        (POSITION, {"first": "5s"}, "first is given beside a whole position"),
        (POSITION, {"worlds": 400, "time": 3}, "--worlds and --time are both given"),
        (POSITION, {"worlds": 400, "precision": 3}, "--worlds and --precision are both given"),
        (POSITION, {"worlds": 0.5}, "worlds=0.5 is not a whole number"),
        (POSITION, {"precision": math.inf}, "the precision is inf"),
        (POSITION, {"time": 0}, "the time is 0 s"),
        (POSITION, {"against": "stong"}, "Did you mean 'strong'"),
        (POSITION, {"play": 3}, "3 is not a policy"),
        (POSITION, {"objective": "luck"}, "no objective is called 'luck'"),
        (POSITION, {"deviation": 0.7}, "--deviation '0.7' does not say"),
        (POSITION, {"panel": ["none", "greedy"]}, "--panel none is given beside other opponents"),
        (POSITION, {"rules": "nonesuch"}, "nonesuch"),
    ],
)
def test_what_cannot_be_asked_is_a_sentence(position, options, words):
    with pytest.raises(InputError) as refusal:
        gin_sim.advise(position, **options)
    assert words in str(refusal.value)


# ------------------------------------------------------------------- records and files


class Noting(Progress):
    def __init__(self):
        self.notes = []

    def note(self, sentence):
        self.notes.append(sentence)


@pytest.mark.long
def test_a_position_of_a_record_is_asked_about():
    noting = Noting()
    found = gin_sim.advise_record(RECORDS, hand=1, player=0, turn=4, progress=noting, **QUICK)
    assert noting.notes == [f"Hand 1 of '{RECORDS}': seat 0, heuristic, own turn 4."]
    assert found.turn == 4
    assert plain(found) == plain(gin_sim.advise(found.position, **QUICK))


@pytest.mark.parametrize(
    ("options", "words"),
    [
        ({"moment": "later"}, "no moment is called 'later': give offer, draw or discard"),
        ({"moment": "offer", "turn": 3}, "--moment offer is before turn 1, and --turn is 3"),
        ({"player": 2}, "the player is 2: give seat 0 or 1"),
        ({"hand": 10**6}, "hand 1000000 is asked for"),
        ({"agianst": "simple"}, "'agianst' is not an option here"),
    ],
)
def test_what_a_record_does_not_have_is_a_sentence(options, words):
    with pytest.raises(InputError) as refusal:
        gin_sim.advise_record(RECORDS, **{**QUICK, **options})
    assert words in str(refusal.value)


@pytest.fixture
def file(tmp_path):
    path = tmp_path / "positions.jsonl"
    path.write_text("".join(f"{json.dumps(each)}\n" for each in (POSITION, OPENING)))
    return path


@pytest.mark.long
def test_a_file_has_an_answer_for_each_position(advice, file, tmp_path):
    answered = []
    found = gin_sim.advise_file(file, on_answer=answered.append, **QUICK)
    assert isinstance(found, AdviceList)
    assert answered == found.positions
    assert [each.line for each in found.positions] == [1, 2]
    assert plain(found.positions[0].advice) == plain(advice)
    table = found.table()
    assert list(table.columns) == [
        "line", "hand", "turn", "answer", "action", "card", "objective", "estimate", "low", "high",
        "unit", "value_estimate", "value_low", "value_high", "chance_best", "undercut_chance",
        "opponent_deadwood", "belief_source", "worlds", "effective_worlds", "chains_disagree",
        "is_precise", "partial", "ask_again",
    ]  # fmt: skip
    assert list(table["answer"]) == [each.advice.verdict.answer for each in found.positions]
    found.save(tmp_path / "kept")
    assert load(tmp_path / "kept") == found
    assert repr(found).startswith("<AdviceList: clear answers for ")
    assert repr(found).endswith(" of 2 positions, standard rules, seed 1>")
    assert found.charts() == {}
    with pytest.raises(InputError, match="has no charts"):
        found.chart()


def test_a_stopped_file_keeps_the_finished_positions(file):
    stop = threading.Event()
    found = gin_sim.advise_file(file, on_answer=lambda answer: stop.set(), stop=stop, **QUICK)
    assert found.partial
    assert (len(found.positions), found.wanted) == (1, 2)
    assert "1 of 2 positions" in found.text()


FAILING = """
base = "greedy"

def choose_discard(view, p):
    if view.turn < 3:
        return 1 // (view.turn // 3)
    card = 0
    while not view.best_discards >> card & 1:
        card += 1
    return card
"""


@pytest.mark.long
def test_a_position_without_an_answer_ends_the_list_and_says_why(file, tmp_path):
    policy = tmp_path / "failing.py"
    policy.write_text(FAILING)
    options = {**QUICK, "play": str(policy)}
    found = gin_sim.advise_file(file, **options)
    assert [each.line for each in found.positions] == [1]
    assert found.fault.startswith(f"line 2 of '{file}': a policy of {policy} and simple asked for")
    file.write_text(json.dumps(OPENING))
    with pytest.raises(InputError, match=f"line 1 of '{file}': a policy of "):
        gin_sim.advise_file(file, **options)


# ------------------------------------------------------------------- the package


def test_the_package_offers_advice_and_stays_cheap():
    code = (
        "import sys, gin_sim; assert not {'numpy', 'numba', 'pandas'} & set(sys.modules); "
        "gin_sim.parse_position; assert 'numba' not in sys.modules"
    )
    subprocess.run([sys.executable, "-c", code], check=True)
    offered = {"advise", "advise_file", "advise_record", "calibrate", "parse_position"}
    assert offered <= set(dir(gin_sim))


def test_a_saved_answer_is_read_without_the_engine(advice, tmp_path):
    advice.save(tmp_path / "kept", charts=False)
    code = (
        "import sys; from gin_sim.results.kinds import load; "
        f"load({str(tmp_path / 'kept')!r}).to_json(); assert 'numba' not in sys.modules"
    )
    subprocess.run([sys.executable, "-c", code], check=True)
