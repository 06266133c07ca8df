"""Compiling ahead: everything that a question runs is known and named, and compiled once."""

from __future__ import annotations

import ast
import importlib
import os
import subprocess
import sys
from pathlib import Path

import pytest

import gin_sim
from gin_sim.api import warming
from gin_sim.engine import compile_cache, jit, reach
from gin_sim.errors import InputError
from gin_sim.play.plans import UnitPlan
from gin_sim.report.compiling import _TITLES

PACKAGE = Path(gin_sim.__file__).parent
pytestmark = pytest.mark.skipif(jit.config.DISABLE_JIT, reason="without the JIT nothing compiles")


@pytest.fixture
def units(monkeypatch):
    """All that `gin-sim warm` compiles, as if nothing were compiled yet."""
    monkeypatch.setattr(reach, "is_compiled", lambda function: False)
    tasks = warming._tasks().values()
    return reach.to_compile([function for task in tasks for function in task.needed])


def kernels_run():
    """The symbol of every kernel that the package runs, but for what only scripts train with."""
    for source in sorted(PACKAGE.rglob("*.py")):
        parts = source.relative_to(PACKAGE.parent).with_suffix("").parts
        if "training" in parts:
            continue
        for node in ast.walk(ast.parse(source.read_text(encoding="utf-8"))):
            named = isinstance(node, ast.Call) and ast.unparse(node.func) == "run_kernel"
            if named and isinstance(node.args[0], ast.Name):
                module = importlib.import_module(".".join(parts))
                yield jit.symbol_of(getattr(module, node.args[0].id))


def all_plans(kind=UnitPlan):
    for each in kind.__subclasses__():
        yield from all_plans(each)
        yield each


def test_every_kernel_that_is_run_is_compiled_ahead(units):
    run = set(kernels_run())
    assert len(run) > 15
    assert run <= set(units)


def test_every_plans_kernel_is_compiled_ahead(units):
    found = {
        kind.__name__: jit.symbol_of(kind.kernel.fget(kind))
        for kind in all_plans()
        if "kernel" in vars(kind) and kind.__name__ != "Plan"
    }
    assert len(found) >= 5
    assert set(found.values()) <= set(units)


def test_every_part_has_a_title_and_every_title_a_part(units):
    assert set(units) == set(_TITLES)


def test_where_all_is_compiled_nothing_is_asked(monkeypatch):
    monkeypatch.setattr(warming, "to_compile", lambda functions: [])
    monkeypatch.setattr(warming, "_share_out", lambda *given: pytest.fail("it was asked"))
    assert warming.warm() == (0, 0.0)


def test_compiled_code_that_cannot_be_kept_is_not_made(monkeypatch):
    monkeypatch.setattr(compile_cache, "chosen_folder", lambda: None)
    monkeypatch.setattr(compile_cache, "_notices", ["The folder cannot be written."])
    with pytest.raises(InputError, match="cannot be written"):
        warming.warm()


def test_a_process_that_ends_at_once_is_an_error_and_not_a_wait(monkeypatch):
    monkeypatch.setattr(sys, "executable", "true" if os.name != "nt" else "whoami")
    with pytest.raises((RuntimeError, OSError)):
        warming._share_out(["simulate", "solve"], lambda *said: None, warming.threading.Event())


_AFTERWARDS = """
import sys, gin_sim
from gin_sim.engine.compiling import listening
begun = []
class Heard:
    def begun(self, unit): begun.append(unit)
    def ended(self, unit): pass
with listening(Heard()):
    gin_sim.simulate("strong", "marjj", hands=200)
    gin_sim.simulate("strong", "marjj", hands=200, luck_adjusted=True)
    gin_sim.simulate("strong", "heisenbot", games=2)
    gin_sim.compare("strong", "marjj", "simple", "random", hands=200)
    gin_sim.compare("strong", "marjj", objective="win", games=2)
    gin_sim.sweep("strong", "knock=0:3", against="marjj", hands=200)
    gin_sim.sweep("strong", "knock=0:3", both=True, hands=200)
    gin_sim.sweep("strong", "knock=5", against="simple", score="90-75", objective="win",
                  hands=200, equity_hands=1000)
    gin_sim.solve("strong", "marjj", deals=1000, proof_hands=200)
    gin_sim.solve("greedy", "simple", by="none", deals=1000, features=True, proof_hands=0)
    gin_sim.solve("greedy", "simple", objective="win", iterate=True, deals=1000,
                  equity_hands=1000, proof_hands=0)
    gin_sim.equilibrium("greedy", deals=1000)
    gin_sim.equity("strong", "marjj", hands=1000)
    gin_sim.hands("strong", "marjj", hands=200)
    hand = "As Ad Ah 2c 3c 4c Th Jh Qh 9c Kd"
    for against in ("strong", "marjj"):
        gin_sim.advise(hand, first="5s", history="p p s", against=against, worlds=400)
        gin_sim.advise(hand, turn=3, pile="Qs Jd 8c Kh Td", against=against, worlds=400)
    gin_sim.advise("As Ad Ah 2c 3c 4c Th Jh Qh 9c", first="5s", history="", worlds=400)
    gin_sim.calibrate("simple", positions=5, worlds=4)
    gin_sim.record_hands("strong", "marjj", sys.argv[1], hands=10)
    gin_sim.replay(sys.argv[1])
    gin_sim.advise_record(sys.argv[1], worlds=400)
    gin_sim.deadwood("7s7h7d 4h5h6h KcQd2c2d As")
    gin_sim.settle("JsQsKs TdTcTh Ac2d3hAd", "Ts9s4h6d8c2h5c7d3sQd")
print(begun)
"""


@pytest.mark.slow
def test_after_warming_no_question_compiles_anything(tmp_path):
    environment = {**os.environ, jit.CACHE_VARIABLE: os.environ.get("WARM", str(tmp_path))}

    def run(*arguments: str) -> str:
        command = [sys.executable, *arguments]
        ran = subprocess.run(command, env=environment, capture_output=True, text=True)
        assert ran.returncode == 0, ran.stderr
        return ran.stdout.strip().splitlines()[-1]

    assert run("-m", "gin_sim", "warm").startswith("Everything is compiled")
    assert run("-m", "gin_sim", "warm") == "Everything is compiled already."
    assert run("-c", _AFTERWARDS, str(tmp_path / "hands.jsonl")) == "[]"
