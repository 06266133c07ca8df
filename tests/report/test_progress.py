"""The bar of progress: what its line says, and that there is none off a terminal."""

from __future__ import annotations

import dataclasses
import io
import time

import pytest
from rich.console import Console

from gin_sim.contests.games import games_of
from gin_sim.contests.match import match_of
from gin_sim.engine.compiling import compiling
from gin_sim.play.plans import GamePlan, Plan
from gin_sim.play.run import simulate
from gin_sim.play.tallies import new_tally
from gin_sim.policies.catalogue import parse_policy
from gin_sim.report import progress
from gin_sim.report.progress import (
    TerminalProgress,
    advice_bar,
    advice_words,
    progress_bar,
    progress_words,
)
from gin_sim.results.actions import Verdict
from gin_sim.results.common import Estimate
from gin_sim.results.objective import CHANCE_TO_WIN, POINTS_PER_HAND, unit_of
from gin_sim.rules import parse_rules


def sums_so_far(plan, n_pairs) -> object:
    shorter = dataclasses.replace(plan, hands=2 * n_pairs)
    return simulate(shorter).tally if n_pairs else new_tally()


def test_the_line_of_progress():
    plan = Plan(
        (parse_policy("greedy"), parse_policy("greedy:knock=5")), parse_rules("standard"), 10**6
    )
    tally = sums_so_far(plan, 1000)
    difference = match_of(simulate(dataclasses.replace(plan, hands=2000))).difference["points"]
    shown = f"{difference.estimate:+.2f} ±{difference.half_width:.2f}"
    # 2,000 hands in a hundredth of a second: the other 998,000 take 4.99 s.
    assert progress_words(plan, tally, 0.01, 120) == (
        f"2,000 of 1,000,000 hands · 0.20 M/s · 0:05 left · difference {shown}"
    )
    assert progress_words(plan, tally, 60, 120).split(" · ")[2] == "8:19:00 left"
    assert progress_words(plan, tally, 1, 120).split(" · ")[2] == "8:19 left"
    for width in range(24, 130):
        words = progress_words(plan, tally, 0.01, width)
        assert len(words) <= width
        assert words.startswith("2,000 of 1,000,000 hands")


def test_the_line_of_progress_of_games():
    plan = GamePlan(
        (parse_policy("greedy"), parse_policy("greedy:knock=5")), parse_rules("eaai"), 10**5
    )
    tally = simulate(dataclasses.replace(plan, games=1000)).tally
    found = games_of(simulate(dataclasses.replace(plan, games=1000)))
    won = found.difference["win"].scaled(100)
    words = progress_words(plan, tally, 0.01, 120)
    assert words == (
        f"1,000 of 100,000 games · {found.hands / 1e4:.2f} M hands/s · 0:01 left · "
        f"wins {won.estimate:+.1f} ±{won.half_width:.1f} %"
    )
    for width in range(24, 130):
        assert len(progress_words(plan, tally, 0.01, width)) <= width


def test_one_pair_has_no_running_difference():
    plan = Plan((parse_policy("greedy"), parse_policy("simple")), parse_rules("standard"), 100)
    assert "difference" not in progress_words(plan, sums_so_far(plan, 1), 0.01, 120)


@pytest.mark.parametrize("quiet", [True, False])
def test_no_bar_off_a_terminal(quiet, capsys):
    plan = Plan((parse_policy("greedy"), parse_policy("simple")), parse_rules("standard"), 100)
    with progress_bar(plan, quiet) as on_progress:
        assert on_progress is None
    assert capsys.readouterr() == ("", "")


def test_a_spinner_makes_place_for_what_compiles(monkeypatch):
    shown = Console(file=io.StringIO(), force_terminal=True, width=100)
    for module in ("compiling", "progress"):
        monkeypatch.setattr(f"gin_sim.report.{module}.console", lambda stderr: shown)
    monkeypatch.setattr("gin_sim.report.compiling._SOON", 0.0)
    with TerminalProgress().advising(None, unit_of("points")) as on_block:
        time.sleep(0.3)
        before = shown.file.tell()
        with compiling("gin_sim.play.actions.play_worlds"):
            time.sleep(0.5)
            meanwhile = shown.file.getvalue()[before:]
        on_block(3, a_verdict(7, 0.5))
        time.sleep(0.3)
        afterwards = shown.file.getvalue()[before + len(meanwhile) :]
    assert "sampling the opponent's hands" in shown.file.getvalue()[:before]
    assert " s · playing out each action" in meanwhile
    assert "sampling" not in meanwhile.partition("Compiling")[2]
    assert "3 blocks" in afterwards


def a_verdict(estimate: float, width: float) -> Verdict:
    margin = Estimate(estimate, estimate - width, estimate + width)
    return Verdict(action="knock, discard Kd", card="Kd", answer="knock", margin=margin)


@pytest.mark.parametrize(
    ("width", "seconds", "answered"),
    [(1.6, 1.9, False), (1.5, 0.4, True), (1.6, 2.0, True), (6.0, 2.5, True)],
)
def test_the_first_answer_is_shown_once_it_is_close_or_two_seconds_have_passed(
    width, seconds, answered
):
    first, *rest = advice_words(
        "3 blocks", a_verdict(7, width), POINTS_PER_HAND, seconds, False
    ).split("\n")
    assert first == f"3 blocks · difference ±{width:.2f}"
    expected = f"Knock, discard Kd: better by 7.0 points per hand [{7 - width}, {7 + width}]."
    assert rest == ([expected] if answered else [])


def test_the_width_of_a_first_answer_is_asked_in_the_unit_shown():
    unsure = advice_words("4 blocks", a_verdict(0.05, 0.016), CHANCE_TO_WIN, 0.4, False)
    assert unsure == "4 blocks · difference ±1.60"
    sure = advice_words("9 blocks", a_verdict(0.05, 0.014), CHANCE_TO_WIN, 0.4, False)
    assert sure.startswith("9 blocks · difference ±1.40\nKnock, discard Kd: better by 5")


def test_an_answer_is_refined_in_place_on_a_terminal(monkeypatch):
    screen = io.StringIO()
    terminal = Console(file=screen, force_terminal=True, width=100)
    monkeypatch.setattr(progress, "console", lambda stderr: terminal)
    with advice_bar(None, POINTS_PER_HAND, False) as show:
        show(1, a_verdict(9, 3.0))
        assert "better by" not in screen.getvalue()
        show(2, a_verdict(8, 1.5))
        assert "better by 8.0 points per hand [6.5, 9.5]." in screen.getvalue()
        show(3, a_verdict(7, 1.0))
    written = screen.getvalue()
    assert "better by 7.0 points per hand [6.0, 8.0]." in written
    # Each time the two lines before are wiped.
    assert written.count("\x1b[1A") >= 2


def test_off_a_terminal_no_answer_is_shown_before_the_last(capsys):
    with advice_bar(None, POINTS_PER_HAND, False) as show:
        assert show is None
    assert capsys.readouterr().err == ""
