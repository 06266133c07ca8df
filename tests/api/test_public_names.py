"""The names of the package: each can be imported, says how it is used, and costs nothing before."""

from __future__ import annotations

import ast
import importlib
import inspect
import pkgutil
import re
import subprocess
import sys
from pathlib import Path

import pytest

import gin_sim

PACKAGE = Path(gin_sim.__file__).parent
NAMES = [name for name in gin_sim.__all__ if name != "__version__"]
FUNCTIONS = [name for name in NAMES if name[0].islower()]
HEAVY = ("numba", "numpy", "pandas", "matplotlib", "scipy", "msgspec", "rich", "click")


@pytest.mark.parametrize("name", NAMES)
def test_every_name_can_be_imported_and_is_documented(name):
    named = getattr(gin_sim, name)
    assert named is getattr(gin_sim, name)
    assert named.__name__ == name
    assert inspect.getdoc(named)


@pytest.mark.parametrize("name", FUNCTIONS)
def test_every_function_describes_its_parameters_and_shows_an_example(name):
    function = getattr(gin_sim, name)
    described = inspect.getdoc(function)
    for parameter in inspect.signature(function).parameters.values():
        assert f"{parameter.name} :" in described or f"{parameter.name}, " in described, (
            f"{name} does not describe {parameter.name}"
        )
    assert "\nExamples\n" in described
    assert ">>> import gin_sim" in described
    assert f"gin_sim.{name}(" in described


@pytest.mark.parametrize("name", FUNCTIONS)
def test_every_example_is_python_that_names_what_there_is(name):
    described = inspect.getdoc(getattr(gin_sim, name))
    lines = [line.strip() for line in described.split("\nExamples\n")[1].splitlines()]
    code = "\n".join(line[4:] for line in lines if line.startswith((">>> ", "... ")))
    for node in ast.walk(ast.parse(code)):
        found = isinstance(node, ast.Call) and re.fullmatch(
            r"gin_sim\.(\w+)", ast.unparse(node.func)
        )
        if found:
            called = getattr(gin_sim, found[1])
            given = {keyword.arg: None for keyword in node.keywords}
            inspect.signature(called).bind(*node.args, **given)


def test_dir_lists_the_public_names():
    assert set(NAMES) <= set(dir(gin_sim))
    assert "__version__" in dir(gin_sim)


def test_an_unknown_name_is_a_sentence():
    name = "simulat"
    with pytest.raises(AttributeError, match=r"^gin_sim has no 'simulat': dir\(gin_sim\) lists"):
        getattr(gin_sim, name)
    assert not hasattr(gin_sim, name)


def test_no_public_name_is_also_a_module():
    modules = {module.name for module in pkgutil.iter_modules([str(PACKAGE)])}
    assert not modules & set(NAMES)
    api = importlib.import_module("gin_sim.api")
    modules = {module.name for module in pkgutil.iter_modules(api.__path__)}
    assert not modules & set(api.__all__)


def test_every_question_of_the_api_is_what_the_package_gives():
    api = importlib.import_module("gin_sim.api")
    for name in api.__all__:
        assert getattr(api, name) is getattr(gin_sim, name)


def test_type_checkers_see_the_same_names_from_the_same_modules():
    tree = ast.parse((PACKAGE / "__init__.pyi").read_text(encoding="utf-8"))
    seen = {}
    for node in tree.body:
        if isinstance(node, ast.ImportFrom):
            for alias in node.names:
                assert alias.asname == alias.name
                seen[alias.name] = node.module
    assert seen == gin_sim._LOADED_LATER
    assert (PACKAGE / "py.typed").exists()


def test_importing_the_package_loads_nothing_heavy():
    program = (
        "import sys, gin_sim\n"
        "dir(gin_sim)\n"
        f"print(sorted(set(sys.modules) & set({HEAVY!r})))\n"
        "gin_sim.InputError, gin_sim.Rules\n"
        f"print(sorted(set(sys.modules) & set({HEAVY!r})))\n"
    )
    ran = subprocess.run(
        [sys.executable, "-c", program],
        capture_output=True, text=True, check=True, cwd=PACKAGE.parent,
    )  # fmt: skip
    assert ran.stdout == "[]\n[]\n"
