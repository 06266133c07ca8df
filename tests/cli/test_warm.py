"""`gin-sim warm`, and when the line of compiling is there and when it is not."""

from __future__ import annotations

import importlib
import os
import subprocess
import sys
import time

import pytest

import gin_sim
from gin_sim.advice import advise as advising
from gin_sim.advice.contest import Effort, Question
from gin_sim.api import warming
from gin_sim.engine import jit
from gin_sim.engine.compiling import compiling

HAND = "As Ad Ah 2c 3c 4c Th Jh Qh 9c Kd"


@pytest.mark.parametrize(
    ("found", "said"),
    [
        ((0, 0.0), "Everything is compiled already.\n"),
        ((9, 31.4), "Everything is compiled: 9 parts in 31 s.\n"),
        ((58, 200.0), "Everything is compiled: 58 parts in 3 min 20 s.\n"),
    ],
)
def test_what_warm_says(works, monkeypatch, found, said):
    monkeypatch.setattr(warming, "warm", lambda **options: warming.Warmed(*found))
    assert works("warm") == said
    assert works("warm", "--quiet") == ""


@pytest.mark.long
@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        (("replay", "no-such-file.jsonl"), "no-such-file.jsonl"),
        (("knock", "As Ad Ah 2c 3c", "--first", "5s", "--history", "p p s"), "cards"),
        (("solve", "--play", "strong", "--against", "nobody"), "nobody"),
        (("deadwood", "7s7s"), "twice"),
    ],
)
def test_bad_input_is_refused_without_a_word_about_compiling(tmp_path, arguments, sentence):
    """In an empty cache, where everything would have to be compiled."""
    ran = subprocess.run(
        [sys.executable, "-m", "gin_sim", *arguments],
        env={**os.environ, jit.CACHE_VARIABLE: str(tmp_path)},
        capture_output=True,
        text=True,
        cwd=tmp_path,
    )
    assert (ran.returncode, ran.stdout) == (2, "")
    assert ran.stderr.startswith("Error: ")
    assert sentence in ran.stderr
    assert ran.stderr.count("\n") == 1


class SlowCompile:
    """Stands for a part that compiles for a while when it is first needed."""

    seconds = 0.5

    def __init__(self) -> None:
        self.is_done = False

    def __call__(self) -> None:
        if not self.is_done:
            self.is_done = True
            with compiling("gin_sim.play.loop._play_hand"):
                time.sleep(self.seconds)


def test_the_seconds_of_an_answer_leave_compiling_out(monkeypatch):
    part, whole = SlowCompile(), advising.sampler_for

    def sampler_for(*given):
        part()
        return whole(*given)

    monkeypatch.setattr(advising, "sampler_for", sampler_for)
    begun = time.perf_counter()
    found = gin_sim.advise(HAND, first="5s", history="p p s", worlds=400, panel="none")
    took = time.perf_counter() - begun
    assert found.seconds["all"] <= round(took - part.seconds, 3)  # as they are rounded


def test_the_time_to_play_leaves_compiling_out(monkeypatch):
    part, whole = SlowCompile(), Question.play_block
    begun, counted = [], []

    def play_block(self):
        begun.append(time.perf_counter())
        part()
        whole(self)

    def is_enough(self, played, seconds, width):
        counted.append((seconds, time.perf_counter() - begun[0]))
        return True

    monkeypatch.setattr(Question, "play_block", play_block)
    monkeypatch.setattr(Effort, "is_enough", is_enough)
    gin_sim.advise(HAND, first="5s", history="p p s", time=0.4, panel="none", play="greedy")
    ((seconds, took),) = counted
    assert seconds <= took - part.seconds + 0.1


@pytest.mark.long
@pytest.mark.parametrize(
    ("question", "where"),
    [
        (lambda: gin_sim.solve("greedy", "simple", deals=1000, proof_hands=0), "api.solving.trace"),
        (lambda: gin_sim.equity("greedy", hands=1000, seed=77), "api.games.equity_table"),
        (lambda: gin_sim.equilibrium("greedy", deals=1000), "api.solving.trace"),
    ],
)
def test_the_seconds_of_other_questions_leave_it_out_too(monkeypatch, question, where):
    part = SlowCompile()
    module, name = where.rsplit(".", 1)
    home = importlib.import_module(f"gin_sim.{module}")
    whole = getattr(home, name)

    def slow(*given, **options):
        part()
        return whole(*given, **options)

    monkeypatch.setattr(home, name, slow)
    begun = time.perf_counter()
    found = question()
    took = time.perf_counter() - begun
    assert part.is_done
    assert max(found.seconds.values()) <= round(took - part.seconds, 3)  # as they are rounded
