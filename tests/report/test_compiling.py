"""The line while the engine compiles: its words, when it is shown, and that the bar makes place."""

from __future__ import annotations

import io
import time

import pytest

from gin_sim.engine import compile_cache
from gin_sim.engine.compiling import compiling
from gin_sim.report import compiling as line_module
from gin_sim.report.compiling import CompilingLine, title_of

PLAYING, DEALING = "gin_sim.play.loop._play_hand", "gin_sim.engine.deal._deal_hand"


@pytest.fixture
def soon(monkeypatch):
    monkeypatch.setattr(line_module, "_SOON", 0.0)


@pytest.fixture
def terminal(monkeypatch):
    from rich.console import Console

    shown = Console(file=io.StringIO(), force_terminal=True, width=100)
    monkeypatch.setattr(line_module, "console", lambda stderr: shown)
    return shown.file


def test_the_words_of_the_line(monkeypatch):
    monkeypatch.setattr("gin_sim.engine.reach.to_compile", lambda functions: list(functions))
    line = CompilingLine()
    with line.expecting([PLAYING, DEALING, "gin_sim.engine.round.settle"]):
        with compiling(PLAYING):
            with compiling(DEALING):
                words = "Compiling, once for this version: 1 of 3, 0 s · dealing"
                assert line.words() == words
            assert line.words().endswith("2 of 3, 0 s · playing a hand"), "the outer one goes on"
        with compiling("gin_sim.belief.likelihood._watch"):
            assert "3 of 4, 0 s · going over the history" in line.words(), (
                "what was not expected counts"
            )
        with compiling("gin_sim.engine.rng.stream_key"):
            assert "4 of 4, 0 s · a small part" in line.words(), "but for helpers"


def test_a_part_that_two_processes_wait_for_is_done_once(monkeypatch):
    monkeypatch.setattr("gin_sim.engine.reach.to_compile", lambda functions: list(functions))
    line = CompilingLine()
    with line.expecting([PLAYING, DEALING]):
        for what in (line.begun, line.begun, line.ended):
            what(PLAYING)
        assert "2 of 2, 0 s · playing a hand" in line.words()
        line.ended(PLAYING)
        line.begun(DEALING)
        assert "2 of 2, 0 s · dealing" in line.words()
        line.ended(DEALING)


def test_a_unit_without_a_title_has_words_too():
    assert title_of("gin_sim.play.loop._some_thing") == "a small part"
    assert title_of("mine.py.0123456789abcdef") == "mine.py"


def test_off_a_terminal_there_is_one_line_with_how_many(monkeypatch, capsys, soon):
    monkeypatch.setattr("gin_sim.engine.reach.to_compile", lambda functions: list(functions))
    with CompilingLine().expecting([PLAYING, DEALING]):
        for unit in (PLAYING, DEALING):
            with compiling(unit):
                time.sleep(0.2)
    assert capsys.readouterr() == ("", "Compiling 2 parts, once for this version ...\n")


def test_what_compiles_in_less_than_a_second_passes_without_a_word(capsys):
    with CompilingLine().expecting([]), compiling(DEALING):
        time.sleep(0.05)
    assert capsys.readouterr() == ("", "")


def test_nothing_is_shown_where_nothing_compiles(capsys, soon):
    with CompilingLine().expecting([]):
        time.sleep(0.05)
    assert capsys.readouterr() == ("", "")


def test_on_a_terminal_the_line_is_gone_in_the_end_and_the_bar_makes_place(terminal, soon):
    done = []

    class Bar:
        def stop(self):
            done.append("stop")

        def start(self):
            done.append("start")

    with CompilingLine(Bar).expecting([]), compiling(PLAYING):
        time.sleep(0.4)
        shown = terminal.getvalue()
        assert "Compiling, once for this version: 1 of 1, 0 s · playing a hand" in shown
        assert done == ["stop"]
    assert terminal.getvalue().rstrip("\n").endswith("\x1b[2K"), "the line is wiped out"
    assert done == ["stop", "start"]


def test_a_cache_that_cannot_be_written_is_said(monkeypatch, capsys, soon):
    monkeypatch.setattr(compile_cache, "_unsaid", ["The folder cannot be written."])
    with CompilingLine().expecting([]), compiling(PLAYING):
        time.sleep(0.2)
    assert capsys.readouterr().err.splitlines()[0] == "The folder cannot be written."
