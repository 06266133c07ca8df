"""Rooms import downwards only, heavy libraries stay in their rooms, and every command is shown.

The imports are read from the source, those inside functions too.
"""

from __future__ import annotations

import ast
import json
import re
import subprocess
import sys
from pathlib import Path

import click
import pytest

import gin_sim
from gin_sim.cli import _COMMANDS, group

PACKAGE = Path(gin_sim.__file__).parent

#: From the top down.  A room may import itself and those below it.
ROOMS = (
    ("cli",),
    ("report",),
    ("api",),
    ("checks",),
    ("advice", "training"),
    ("belief", "knock"),
    ("contests",),
    ("payoff",),
    ("play",),
    ("policies",),
    ("positions", "single_hands"),
    ("engine",),
    ("stats",),
    ("results",),
    ("records",),
    ("rules",),
    ("cards",),
    ("atomic",),
    ("errors",),
    ("words", "glossary"),
)
LEVEL = {room: level for level, rooms in enumerate(ROOMS) for room in rooms}

#: The one module that reaches up, and only to the reports, when a chart or a text is asked for.
DOOR = PACKAGE / "results" / "drawing.py"

_ABOVE_RESULTS = {room for rooms in ROOMS[: ROOMS.index(("results",)) + 1] for room in rooms}
#: Where a library may be imported.
HOMES = {
    "numba": {"engine", "policies", "play", "payoff", "contests", "knock", "belief", "training"},
    "llvmlite": {"engine"},
    "pandas": _ABOVE_RESULTS,
    "pyarrow": {"results", "report"},
    "scipy": _ABOVE_RESULTS,
    "matplotlib": {"report"},
    "click": {"cli"},
    "rich": {"report", "cli"},
}
HEAVY = ("numba", "llvmlite", "numpy", "pandas", "matplotlib", "scipy", "rich", "pyarrow")


def sources():
    return sorted(PACKAGE.rglob("*.py"))


def room_of(parts: tuple[str, ...]) -> str:
    """The room of a module, named by what follows ``gin_sim`` in its dotted name."""
    if not parts:
        return "package"
    if parts[0] == "__main__":
        return "cli"
    assert parts[0] in LEVEL, f"gin_sim.{parts[0]} is in no room: give it a place in this test"
    return parts[0]


def module_parts(source: Path) -> tuple[str, ...]:
    parts = source.relative_to(PACKAGE).with_suffix("").parts
    return parts[:-1] if parts[-1] == "__init__" else parts


def imports_in(
    code: str, package: tuple[str, ...] = (), types: bool = True
) -> list[tuple[str, ...]]:
    """The dotted names, split, of every module that some code may import.

    ``types`` says whether those count that only a type checker follows.
    """
    found = []
    tree = ast.parse(code)
    skipped = set()
    for node in ast.walk(tree):
        if not types and isinstance(node, ast.If) and ast.unparse(node.test) == "TYPE_CHECKING":
            skipped.update(inner for line in node.body for inner in ast.walk(line))
    for node in ast.walk(tree):
        if node in skipped:
            continue
        if isinstance(node, ast.Import):
            found += [tuple(alias.name.split(".")) for alias in node.names]
        elif isinstance(node, ast.ImportFrom):
            base = tuple(node.module.split(".")) if node.module else ()
            if node.level:
                base = ("gin_sim", *package[: len(package) - node.level + 1], *base)
            # `from gin_sim import cards` names a module, `from gin_sim.cards import pips` none:
            # the longer name is as good for telling the room.
            found += [(*base, alias.name) for alias in node.names]
        elif (
            isinstance(node, ast.Call)
            and getattr(node.func, "attr", getattr(node.func, "id", "")) == "import_module"
            and isinstance(node.args[0], ast.Constant)
        ):
            found.append(tuple(node.args[0].value.split(".")))
    return found


def imports_of(source: Path, types: bool = True) -> list[tuple[str, ...]]:
    parts = module_parts(source)
    package = parts if source.name == "__init__.py" else parts[:-1]
    return imports_in(source.read_text(encoding="utf-8"), package, types)


def imported_room(parts: tuple[str, ...]) -> str:
    """The room that a dotted name of the package leads to; ``__version__`` is free to all."""
    inside = parts[1:]
    if inside and inside[0].startswith("__") and inside[0] != "__main__":
        return "package"
    return room_of(inside)


@pytest.mark.long
@pytest.mark.parametrize("source", sources(), ids=lambda s: s.relative_to(PACKAGE).as_posix())
def test_rooms_import_downwards_only(source):
    room = room_of(module_parts(source))
    for parts in imports_of(source):
        if parts[0] != "gin_sim":
            continue
        other = imported_room(parts)
        if room == "package":
            assert other == "package", f"gin_sim/__init__.py imports {'.'.join(parts)}"
        elif source == DOOR:
            assert other == "report", f"{source.name} opens on {'.'.join(parts)}"
        elif other != "package":
            assert other == room or LEVEL[other] > LEVEL[room], (
                f"{source.name} of {room} imports {'.'.join(parts)}, which is not below it"
            )


@pytest.mark.long
@pytest.mark.parametrize("source", sources(), ids=lambda s: s.relative_to(PACKAGE).as_posix())
def test_libraries_stay_in_their_rooms(source):
    room = room_of(module_parts(source))
    for parts in imports_of(source, types=False):
        if parts[0] in HOMES:
            assert room in HOMES[parts[0]], f"{parts[0]} is imported in {room}"


@pytest.mark.long
def test_imports_have_no_cycles():
    """Within a room as well: the order of modules is a list, too.  The door opens later."""
    names = {".".join(("gin_sim", *module_parts(source))): source for source in sources()}
    below = {}
    for name, source in names.items():
        targets = set()
        for parts in () if source == DOOR else imports_of(source, types=False):
            for length in (len(parts), len(parts) - 1):
                target = ".".join(parts[:length])
                if target in names and target != name and target != "gin_sim":
                    targets.add(target)
                    break
        below[name] = targets
    while below:
        free = [name for name, targets in below.items() if not targets & below.keys()]
        assert free, f"these import each other: {sorted(below)}"
        for name in free:
            del below[name]


#: What a command may use: it parses, asks the front door, and prints or saves the answer.
OF_COMMANDS = {"cli", "api", "report", "results", "errors", "words", "cards"}


def test_commands_hold_no_logic():
    """No module of cli/ imports a room below the front door, the reports and the results."""
    for source in sorted((PACKAGE / "cli").rglob("*.py")):
        for parts in imports_of(source):
            if parts[0] == "gin_sim" and imported_room(parts) != "package":
                room = imported_room(parts)
                assert room in OF_COMMANDS, f"{source.name} imports {'.'.join(parts)}"


def test_the_reader_of_imports_reads_them_all():
    code = """
import numba, pandas as pd
if TYPE_CHECKING:
    import scipy
from gin_sim.engine import rng
from .decide import players_of
from . import contract
from .. import cards
def f():
    import matplotlib.figure
    importlib.import_module("gin_sim.report.tables")
"""
    found = imports_in(code, ("policies",), types=False)
    assert sorted([*found, ("scipy",)]) == sorted(imports_in(code, ("policies",)))
    assert found == [
        ("numba",),
        ("pandas",),
        ("gin_sim", "engine", "rng"),
        ("gin_sim", "policies", "decide", "players_of"),
        ("gin_sim", "policies", "contract"),
        ("gin_sim", "cards"),
        ("matplotlib", "figure"),
        ("gin_sim", "report", "tables"),
    ]
    assert imported_room(("gin_sim", "cards", "pips")) == "cards"
    assert imported_room(("gin_sim", "__version__")) == "package"


# ---------------------------------------------------------- the command line


def modules_after(*arguments: str) -> set[str]:
    """The top-level modules that are loaded once a command has run, in a process of its own."""
    code = f"""
import contextlib, io, json, sys
from gin_sim.cli import main
shown = io.StringIO()
with contextlib.redirect_stdout(shown), contextlib.suppress(SystemExit):
    main({list(arguments)!r})
assert "xample" in shown.getvalue(), shown.getvalue()
print(json.dumps(sorted(name.partition(".")[0] for name in sys.modules)))
"""
    result = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=True, cwd=PACKAGE.parent
    )
    return set(json.loads(result.stdout))


@pytest.mark.parametrize("arguments", [["--help"], ["rules", "--help"]], ids=" ".join)
def test_help_loads_nothing_heavy(arguments):
    loaded = modules_after(*arguments)
    assert "click" in loaded
    assert not loaded.intersection(HEAVY)


def commands(command: click.Command, path: tuple[str, ...] = ()):
    """A command and all below it, with the words that call them."""
    yield path, command
    if isinstance(command, click.Group):
        context = click.Context(command)
        for name in command.list_commands(context):
            yield from commands(command.get_command(context, name), (*path, name))


@pytest.mark.parametrize("name", _COMMANDS)
def test_every_command_shows_an_example_of_itself(name):
    context = click.Context(group)
    for path, command in commands(group.get_command(context, name), (name,)):
        words = " ".join(("gin-sim", *path))
        assert command.help, words
        example = re.search(r"Examples?:\n(.*)", command.help, re.DOTALL)
        assert example, f"{words} has no example"
        assert words in example.group(1), f"the example of {words} is of something else"


@pytest.mark.parametrize("name", _COMMANDS)
def test_every_option_is_explained(name):
    context = click.Context(group)
    for path, command in commands(group.get_command(context, name), (name,)):
        for parameter in command.params:
            if isinstance(parameter, click.Option):
                assert parameter.help, f"{' '.join(path)} {parameter.opts[0]}"


def test_help_lists_every_command():
    assert group.list_commands(click.Context(group)) == list(_COMMANDS)
    shown = group.get_help(click.Context(group, info_name="gin-sim"))
    for name, (_, summary) in _COMMANDS.items():
        assert name in shown
        assert summary.split()[0] in shown
