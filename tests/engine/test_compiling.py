"""Compiling has its own account: it is counted once, told of, and left out of other seconds."""

from __future__ import annotations

import os
import subprocess
import sys
import time
from types import SimpleNamespace

import pytest

from gin_sim.engine import compiling, jit, reach
from gin_sim.engine.compiling import Stopwatch, compile_seconds, elsewhere, listening
from gin_sim.play.loop import play_chunk
from gin_sim.policies.catalogue import parse_policy
from gin_sim.policies.decide import called_for
from gin_sim.policies.probabilities import called_to_weigh

needs_jit = pytest.mark.skipif(jit.config.DISABLE_JIT, reason="without the JIT nothing compiles")


class Heard:
    """A listener that notes what it is told."""

    def __init__(self) -> None:
        self.heard: list[tuple[str, str]] = []

    def begun(self, unit: str) -> None:
        self.heard.append(("begun", unit))

    def ended(self, unit: str) -> None:
        self.heard.append(("ended", unit))


def symbols(functions) -> set[str]:
    return {jit.symbol_of(function) for function in functions}


def test_a_stopwatch_stands_still_while_something_compiles():
    started, watch = time.perf_counter(), Stopwatch()
    before = compile_seconds()
    with compiling.compiling("a"), compiling.compiling("a.part"):
        time.sleep(0.2)
        assert watch.seconds <= time.perf_counter() - started - 0.2
        assert compile_seconds() - before >= 0.2, "what has not ended yet counts too"
    after = time.perf_counter()
    time.sleep(0.05)
    assert 0.05 <= watch.seconds <= time.perf_counter() - started - 0.2
    counted = compile_seconds() - before
    assert 0.2 <= counted <= after - started, "a part within another is counted once"


def test_what_compiles_elsewhere_counts_too():
    started, heard, watch = time.perf_counter(), Heard(), Stopwatch()
    with listening(heard), elsewhere() as pass_on:
        pass_on("begun", "a")
        time.sleep(0.1)
        pass_on("ended", "a")
    assert watch.seconds <= time.perf_counter() - started - 0.1
    assert heard.heard == [("begun", "a"), ("ended", "a")]


def test_a_listener_hears_what_begins_and_ends_even_in_a_failure():
    heard = Heard()

    def fail() -> None:
        with compiling.compiling("a"):
            with compiling.compiling("b"):
                pass
            raise ValueError("it does not compile")

    with listening(heard), pytest.raises(ValueError, match="it does not compile"):
        fail()
    with compiling.compiling("c"):
        pass
    assert heard.heard == [("begun", "a"), ("begun", "b"), ("ended", "b"), ("ended", "a")]


@needs_jit
def test_the_first_call_of_a_kernel_counts_as_compiling_but_not_its_work():
    def work(n):
        time.sleep(n)
        return n

    kernel = SimpleNamespace(py_func=work, signatures=[], typeof_pyval=type)
    called = []

    class Kernel:
        py_func, signatures, typeof_pyval, _cache = work, [], staticmethod(type), None

        def compile(self, signature):
            called.append(signature)
            time.sleep(0.1)

        def __call__(self, n):
            return work(n)

    heard, watch, started = Heard(), Stopwatch(), time.perf_counter()
    with listening(heard):
        assert jit.run_kernel(Kernel(), 0.2) == 0.2
    assert called == [(float,)]
    assert 0.2 <= watch.seconds <= time.perf_counter() - started - 0.1
    symbol = jit.symbol_of(kernel)
    assert heard.heard == [("begun", symbol), ("ended", symbol)]


@needs_jit
def test_what_a_kernel_reaches_is_found_in_its_code(monkeypatch):
    monkeypatch.setattr(reach, "is_compiled", lambda function: False)
    found = reach.to_compile([play_chunk])
    assert found[0] == "gin_sim.play.loop.play_chunk"
    assert set(found[1:]) == {
        "gin_sim.play.loop._start_deal",
        "gin_sim.play.loop._play_hand",
        "gin_sim.engine.deal._deal_hand",
        "gin_sim.engine.round.settle",
        "gin_sim.policies.shipped.knock_table.out_class",
    }
    assert reach.to_compile([play_chunk, play_chunk]) == found, "each once"


@needs_jit
def test_a_policys_own_decisions_are_known():
    assert called_for([parse_policy("greedy")]) == []
    assert symbols(called_for([parse_policy("marjj")])) == {
        "gin_sim.policies.decide._takes_like_marjj",
        "gin_sim.policies.decide._discards_like_marjj",
    }
    assert symbols(called_to_weigh(parse_policy("marjj"))) == {
        "gin_sim.policies.decide._takes_like_marjj",
        "gin_sim.policies.decide._discards_like_marjj",
        "gin_sim.policies.probabilities._discard_like_marjj",
    }


_COLD = """
from gin_sim.engine.compiling import listening
from gin_sim.engine.reach import to_compile
from gin_sim.play.loop import play_chunk
from gin_sim.policies.shipped.knock_table import out_class
begun = []
class Heard:
    def begun(self, unit): begun.append(unit)
    def ended(self, unit): pass
expected = to_compile([out_class])
print("ready", flush=True)
with listening(Heard()):
    out_class.ready()
print(expected, begun, to_compile([out_class]))
"""


@pytest.mark.long
@needs_jit
def test_a_part_that_another_process_compiles_is_waited_for(tmp_path):
    fcntl = pytest.importorskip("fcntl")
    folder = tmp_path / "compiled" / jit.sources_hash()
    folder.mkdir(parents=True)
    environment = {**os.environ, jit.CACHE_VARIABLE: str(tmp_path)}
    with open(folder / "gin_sim.policies.shipped.knock_table.out_class.lock", "a+b") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        process = subprocess.Popen(
            [sys.executable, "-c", _COLD],
            env=environment,
            stdout=subprocess.PIPE,
        )
        assert process.stdout.readline().strip() == b"ready"
        time.sleep(3)  # a helper of it would be compiled in one
        assert process.poll() is None
        assert not list(tmp_path.rglob("*.nbc"))
    with process:
        process.communicate()
    assert process.returncode == 0
    assert list(tmp_path.rglob("*out_class*.nbc"))


@pytest.mark.long
@needs_jit
def test_what_is_expected_is_what_compiles_and_only_once(tmp_path):
    def run() -> str:
        environment = {**os.environ, jit.CACHE_VARIABLE: str(tmp_path)}
        return (
            subprocess.run(
                [sys.executable, "-c", _COLD], env=environment, capture_output=True, text=True
            )
            .stdout.removeprefix("ready")
            .strip()
        )

    unit = "['gin_sim.policies.shipped.knock_table.out_class']"
    assert run() == f"{unit} {unit} []"
    assert run() == "[] [] []", "the second process finds it in the cache"
