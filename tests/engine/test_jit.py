"""The compile cache is keyed by every file that jitted code can come from."""

from __future__ import annotations

import importlib
import inspect
from pathlib import Path

import pytest

import gin_sim
from gin_sim.engine import jit, sources

PACKAGE = Path(gin_sim.__file__).parent


def modules():
    for source in sorted(PACKAGE.rglob("*.py")):
        parts = source.relative_to(PACKAGE.parent).with_suffix("").parts
        name = ".".join(parts[:-1] if parts[-1] == "__init__" else parts)
        if not name.endswith("__main__"):
            yield importlib.import_module(name)


def is_kernel(value) -> bool:
    return hasattr(value, "py_func") and hasattr(value, "signatures")


@pytest.mark.skipif(jit.config.DISABLE_JIT, reason="without the JIT there are no kernels")
def test_every_kernel_and_all_that_it_names_are_in_the_key_of_the_cache():
    keyed = {source.resolve() for source in jit.kernel_sources()}
    found, n_kernels = set(), 0
    for module in modules():
        for value in vars(module).values():
            if not is_kernel(value):
                continue
            n_kernels += 1
            found.add(inspect.getsourcefile(value.py_func))
            for name in value.py_func.__code__.co_names:
                named = value.py_func.__globals__.get(name)
                named = getattr(named, "py_func", named)
                home = getattr(inspect.getmodule(named), "__file__", None)
                if home is not None and PACKAGE in Path(home).parents:
                    found.add(home)
    assert n_kernels > 100
    missing = {Path(source).resolve() for source in found} - keyed
    assert not missing, f"a change of these would run stale code: {sorted(missing)}"


def test_what_no_kernel_reads_leaves_the_cache_alone():
    keyed = {source.relative_to(PACKAGE).parts[0] for source in jit.kernel_sources()}
    assert keyed.isdisjoint({"cli", "report", "api", "__main__.py"})


def test_an_import_over_several_lines_or_of_a_module_is_seen():
    text = (
        "from gin_sim.engine.jit import (\n    jit,\n    jit_inline,\n)\n"
        "def f():\n    from gin_sim import rules\n    from gin_sim.play.run import "
        "simulate  # late\n"
    )
    assert sources._imports_in(text) >= {
        "gin_sim.engine.jit.jit_inline",
        "gin_sim.rules",
        "gin_sim.play.run",
    }


@pytest.mark.skipif(jit.config.DISABLE_JIT, reason="without the JIT there is no cache")
def test_what_takes_a_function_keeps_no_entry_of_its_own():
    """Such an entry holds a weak reference, and cannot be saved again once the function is gone."""
    takers = [
        value
        for module in modules()
        for value in vars(module).values()
        if is_kernel(value)
        and any(
            name.startswith("answer_to") for name in inspect.signature(value.py_func).parameters
        )
    ]
    assert takers
    for value in takers:
        assert value.stats.cache_path is value.for_python.stats.cache_path is None
