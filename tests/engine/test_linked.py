"""Functions as their callers need them: linked in, kept as such, and called from Python besides."""

from __future__ import annotations

import os
import subprocess
import sys

import numba
import numpy as np
import pytest

from gin_sim.engine import jit
from gin_sim.engine.linked import Linked, linked

pytestmark = pytest.mark.skipif(jit.config.DISABLE_JIT, reason="without the JIT all is plain")

POINT = np.dtype([("x", "i8"), ("y", "f8")])


def _scaled(point, by):
    """Return a coordinate, and refuse to divide by nothing."""
    if by == 0:
        raise ValueError("by is 0")
    point.x += 1
    return point.x * point.y / by


def function(folder=None, **options) -> Linked:
    """A new jitted function, as a new process would have it."""
    return linked(_scaled, folder, **options)


def caller_of(called):
    @numba.njit
    def caller(points, by):
        total = 0.0
        for place in range(len(points)):
            total += called(points[place], by)
        return total

    return caller


def points() -> np.ndarray:
    return np.array([(1, 0.5), (2, 1.5), (40, 2.0)], POINT).view(np.recarray)


@pytest.mark.parametrize("options", [{}, {"forceinline": True}, {"inline": "always"}])
def test_callers_and_python_get_the_same(options):
    called, mine, theirs = function(**options), points(), points()
    expected = sum(_scaled(point, 4) for point in points())
    assert caller_of(called)(mine, 4) == expected
    assert sum(called(point, 4) for point in theirs) == expected
    assert mine.tolist() == theirs.tolist()
    assert called.py_func is _scaled
    assert called.__doc__ == _scaled.__doc__


#: What a process says of an exception with a value, and prints, from code that was linked in.
SAYING = """
from gin_sim.engine.jit import jit, run_kernel

@jit
def told(x):
    if x < 0:
        raise ValueError("negative", x)
    print("told", x)
    return x + 1

@jit
def kernel(x):
    return told(x) + 1

print(run_kernel(kernel, 1))
try:
    kernel(-2)
except ValueError as error:
    print(error.args, sum(kernel.for_python.stats.cache_hits.values()))
"""


@pytest.mark.long
def test_what_is_linked_in_knows_its_constants_compiled_or_kept(tmp_path):
    program = tmp_path / "saying.py"
    program.write_text(SAYING, encoding="utf-8")
    environment = {**os.environ, "GIN_SIM_CACHE_DIR": str(tmp_path / "cache")}
    for loads in range(2):
        said = subprocess.run(
            [sys.executable, str(program)],
            env=environment,
            capture_output=True,
            text=True,
            check=True,
        )
        assert said.stdout == f"told 1\n3\n('negative', -2) {loads}\n"


def test_an_exception_reaches_whoever_called():
    called = function()
    with pytest.raises(ValueError, match="by is 0"):
        caller_of(called)(points(), 0)
    with pytest.raises(ValueError, match="by is 0"):
        called(points()[0], 0)


def test_each_of_the_two_codes_is_made_when_it_is_first_needed():
    called = function()
    assert not called.signatures
    assert not called.for_python.signatures
    caller_of(called)(points(), 1)
    assert len(called.signatures) == 1
    assert not called.for_python.signatures
    called(points()[0], 1)
    assert len(called.for_python.signatures) == 1


def test_code_for_callers_has_no_wrapper_and_never_becomes_machine_code():
    called = function()
    caller_of(called)(points(), 1)
    (made,) = called.overloads.values()
    names = [each.name for each in made.library.get_defined_functions()]
    assert made.fndesc.llvm_func_name in names
    assert made.fndesc.llvm_cpython_wrapper_name not in names
    assert not made.library._codegen._engine.is_symbol_defined(made.fndesc.llvm_func_name)


@pytest.mark.long
def test_kept_code_is_linked_into_a_new_caller(tmp_path):
    expected = caller_of(function(tmp_path))(points(), 3)
    kept = function(tmp_path)
    assert caller_of(kept)(points(), 3) == expected
    assert sum(kept.stats.cache_hits.values()) == 1
    with pytest.raises(ValueError, match="by is 0"):
        caller_of(kept)(points(), 0)
    kept(points()[0], 1)
    assert not kept.for_python.stats.cache_hits  # its code for Python is another


def test_code_with_the_address_of_a_function_is_not_kept(tmp_path, recwarn):
    """Neither what passes a function on nor what takes one."""

    def applied(given, x):
        return given(x) + 1

    def applied_to_doubling(x):
        return taker(doubled, x)

    doubled = numba.njit(lambda x: 2 * x)
    taker = linked(applied, tmp_path)
    giver = linked(applied_to_doubling, tmp_path)

    @numba.njit
    def caller(x):
        return giver(x)

    assert caller(4) == 9
    assert len(taker.signatures) == len(giver.signatures) == 1
    assert not list(tmp_path.glob("*.nbc"))
    assert not recwarn.list
