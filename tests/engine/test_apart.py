"""Functions compiled apart: what callers get, from Python, from jitted code and from the cache."""

from __future__ import annotations

import os
import subprocess
import sys
import textwrap

import numpy as np
import pytest
from numba import config

from gin_sim.engine.address import decide_at, shipped_address
from gin_sim.engine.apart import Apart, apart
from gin_sim.engine.jit import jit
from gin_sim.engine.memory import copy_record

PAIR = np.dtype([("left", "i8"), ("right", "i8"), ("cards", "i1", (7,))], align=True)
needs_jit = pytest.mark.skipif(config.DISABLE_JIT, reason="nothing is compiled")


@apart(PAIR, PAIR, int)
def moved(source, target, n):
    """Move n from one left to the other; return what is left."""
    source.left -= n
    target.left += n
    return source.left


@apart(PAIR, float, returns=float)
def share(pair, part):
    """Return a part of the right number."""
    return pair.right * part


@apart(PAIR, PAIR)
def more(pair, other):
    """Return which pair has more on its left: 1 or 0."""
    return int(pair.left > other.left)


@jit
def move_twice(pairs, n):
    moved(pairs[0], pairs[1], n)
    return moved(pairs[0], pairs[1], 1), share(pairs[1], 0.5)


@jit
def decided(address, pairs):
    return decide_at(address, pairs[0], pairs[1])


def pairs_of(*lefts):
    pairs = np.zeros(len(lefts), PAIR).view(np.recarray)
    pairs["left"], pairs["right"] = lefts, 3
    return pairs


@pytest.mark.jitless
def test_records_are_passed_as_they_stand_in_memory():
    pairs = pairs_of(10, 1)
    assert move_twice(pairs, 4) == (5, 1.5)
    assert pairs["left"].tolist() == [5, 6]


@pytest.mark.jitless
def test_it_can_be_called_from_python():
    pairs = pairs_of(10, 1)
    assert moved(pairs[0], pairs[1], 4) == 6
    assert pairs["left"].tolist() == [6, 5]
    assert share(pairs[0], 0.25) == 0.75


@pytest.mark.jitless
def test_it_is_called_by_its_address():
    address = shipped_address(more)
    assert address == shipped_address(more) != 0
    assert (decided(address, pairs_of(2, 1)), decided(address, pairs_of(1, 2))) == (1, 0)


@needs_jit
def test_it_is_not_compiled_before_it_is_needed():
    def idle(n):
        return n + 1

    function = Apart(idle, (int,), int)
    assert not function.signatures
    assert function(4) == 5
    assert function.signatures


@pytest.mark.jitless
def test_a_record_is_copied_whole():
    @jit
    def copy(pairs):
        copy_record(pairs[0], pairs[1])

    pairs = pairs_of(10, 1)
    pairs[0]["cards"] = range(7)
    copy(pairs)
    assert pairs[0].tobytes() == pairs[1].tobytes()


PROGRAM = """
    import numpy as np
    from gin_sim.engine.apart import apart
    from gin_sim.engine.jit import jit, run_kernel

    @apart(int)
    def inner(n):
        return 3 * n

    @apart(int)
    def outer(n):
        return inner(n) + 1

    @jit
    def kernel(n):
        return outer(n)

    answer, hits = run_kernel(kernel, 5), kernel.for_python.stats.cache_hits
    print(answer, inner.signatures != [], sum(hits.values()))
"""


@pytest.mark.long
@needs_jit
def test_code_from_the_cache_gets_what_it_calls(tmp_path):
    """In a process of its own, which has compiled none of it."""
    program = tmp_path / "calls_apart.py"
    program.write_text(textwrap.dedent(PROGRAM), encoding="utf-8")
    environment = {**os.environ, "GIN_SIM_CACHE_DIR": str(tmp_path / "cache")}
    said = [
        subprocess.run(
            [sys.executable, str(program)],
            env=environment,
            capture_output=True,
            text=True,
            check=True,
        ).stdout.split()
        for _ in range(2)
    ]
    assert said == [["16", "True", "0"], ["16", "True", "1"]]
