"""results/score_charts holds what its script solves, and its page what the results say."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from types import SimpleNamespace

import pytest

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "scripts"))

import score_charts as study  # noqa: E402

from gin_sim.results.common import Estimate  # noqa: E402
from gin_sim.results.folder import read_result  # noqa: E402
from gin_sim.results.solution import KnockCell  # noqa: E402


@pytest.fixture(scope="module")
def found():
    return {run: study.read(run) for run in study.RUNS}


@pytest.mark.parametrize("run", study.RUNS, ids=lambda run: study.folder_of(run).name)
def test_each_result_is_the_one_that_the_script_solves(run):
    manifest = read_result(study.folder_of(run))
    out = study.folder_of(run).relative_to(ROOT)
    assert manifest["command"] == f"gin-sim {study.command_of(run)} --out {out}"
    assert manifest["result"]["kind"] == "several-scores"
    assert manifest["result"]["partial"] is False
    for name in manifest["files"]:
        assert (study.folder_of(run) / name).is_file()
    asked = study.SETTINGS[run.setting].scores.split(",")
    assert len(manifest["result"]["panels"]) == len(asked)


def test_no_result_is_left_from_an_earlier_study():
    folders = {path for path in study.RESULTS.iterdir() if path.is_dir()}
    assert folders == {*map(study.folder_of, study.RUNS), study.RESULTS / "overview"}


def test_the_overview_names_every_command():
    manifest = json.loads((study.RESULTS / "overview/manifest.json").read_text(encoding="utf-8"))
    assert manifest["commands"] == [f"gin-sim {study.command_of(run)}" for run in study.RUNS]


@pytest.mark.long
def test_the_page_is_what_the_results_say(found):
    text = (study.RESULTS / "README.md").read_text(encoding="utf-8")
    assert text == study.page(found)


def test_the_page_shows_every_chart_of_the_overview():
    text = (study.RESULTS / "README.md").read_text(encoding="utf-8")
    drawn = {f"overview/{path.name}" for path in (study.RESULTS / "overview").glob("*.png")}
    shown = {part.split(")")[0] for part in text.split("](")[1:]}
    assert drawn == {each for each in shown if each.endswith(".png")}


# ------------------------------------------------------------------ sentences, of made-up results


def percent(estimate, reach=0.5):
    """A chance with its interval, given in percent."""
    return Estimate(estimate, estimate - reach, estimate + reach).scaled(0.01)


def cell(turn, deadwood, gain, reach=1.0):
    figure = percent(gain, reach)
    decision = "knock" if figure.low > 0 else "play on" if figure.high < 0 else "too close"
    return KnockCell(
        turn=turn, class_name="all", deadwood=deadwood, knocks=100, gain=figure,
        decision=decision, rule="knock" if gain > 0 else "play on",
    )  # fmt: skip


def panel(words, knock_less_gin=0.0, over_knock=0.0, over_gin=0.0, cells=()):
    return SimpleNamespace(
        score=SimpleNamespace(words=words),
        cells=list(cells),
        plain=SimpleNamespace(
            knock_less_gin=percent(knock_less_gin),
            over_knock=percent(over_knock),
            over_gin=percent(over_gin),
        ),
        endings={
            name: SimpleNamespace(value=value, game_over=False)
            for name, value in (("small knock", 0.6), ("undercut", 0.3), ("nobody", 0.5))
        },
    )


RUN = study.Run("simple", "no-boxes")


def made_up(*panels):
    return {RUN: SimpleNamespace(panels=list(panels))}


@pytest.mark.parametrize(
    ("ahead", "behind", "kind"),
    [(2.0, -1.0, "the knock"), (-2.0, 1.0, "gin"), (0.2, 0.1, "neither")],
)
def test_the_lead_is_judged_by_both_intervals(ahead, behind, kind):
    found = made_up(
        panel("0-0"), panel("60-30", ahead), panel("30-60", behind), panel("90-10"), panel("10-90")
    )
    (sentence,) = study.ahead_saying(found)
    assert f"so that the lead speaks for {kind}; +0.0 %" in sentence
    verdict = study.ahead_verdict(found)
    assert verdict.startswith(
        f"At 60-30 and 30-60 a lead speaks for {kind} without boxes against `simple`. At 90-10 and "
        "10-90 a lead speaks for neither"
    )
    holds = "without boxes against `simple` at 60-30 and 30-60"
    assert verdict.endswith(f"it holds {holds if kind == 'the knock' else 'nowhere here'}.")


def test_a_knock_is_a_risk_only_if_waiting_for_gin_is_clearly_better():
    start = panel("0-0", cells=[cell(1, 5, 3.0), cell(2, 5, -3.0), cell(3, 5, 0.5)])
    at_90 = panel("90-10", -1.0, 2.0, 1.0, [cell(1, 5, -3.0), cell(2, 5, 2.0), cell(3, 5, 4.0)])
    found = made_up(start, at_90)
    (sentence,) = study.risk_saying(found)
    assert "clearly right in 2 places, among them 1 where playing on is at 0-0; in 1 it" in sentence
    assert study.risk_verdict(found).startswith("True without boxes against `simple` (-1.0 %")
    assert study.risk_verdict(made_up(start, panel("90-10", 1.0))).startswith("False ")
    assert study.risk_verdict(made_up(start, panel("90-10", 0.1))).startswith("Not decided ")


@pytest.mark.parametrize(
    ("over", "words"),
    [
        (Estimate(0.006, 0.002, 0.01), "0.6 % [0.2, 1.0] less than the best rule"),
        (Estimate(-0.006, -0.01, -0.002), "0.6 % [0.2, 1.0] more than the best rule"),
        (
            Estimate(-0.002, -0.005, 0.001),
            "not clearly less or more than the best rule (+0.2 % [-0.1, +0.5])",
        ),
    ],
)
def test_a_gain_is_worded_as_a_gain(over, words):
    assert study.beside(over) == words
    at_99 = panel("99-50")
    at_99.plain.over_knock = over
    (sentence,) = study.wins_saying(made_up(at_99))
    assert f"always knocking is worth {words}, and a knock is nowhere" in sentence
    assert f"(always knocking is worth {words})" in study.wins_verdict(made_up(at_99))


def test_a_knock_that_wins_is_wrong_where_playing_on_is_clearly_better():
    wrong = panel("99-50", over_knock=2.0, cells=[cell(9, 10, -6.0), cell(8, 10, -2.0)])
    (sentence,) = study.wins_saying(made_up(wrong))
    assert (
        "yet a knock is clearly wrong in 2 places, most on turn 9 with deadwood 10, where playing "
        "on is worth 6.0 % [5.0, 7.0] more."
    ) in sentence
    assert study.wins_verdict(made_up(wrong)).startswith("False without boxes")
    right = panel("99-50", over_knock=0.1, cells=[cell(9, 10, 6.0)])
    (sentence,) = study.wins_saying(made_up(right))
    assert sentence.endswith("and a knock is nowhere clearly wrong.")
    assert study.wins_verdict(made_up(right)).startswith("True without boxes")
