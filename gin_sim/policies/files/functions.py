"""The source of a policy that is given as plain functions, of a script, a module or a notebook.

The functions that the decisions reach are found, with their text.  They are copied, with the names
that they look up, into modules of their own, so that compiling them changes nothing of the
caller's.  What follows is as for a file.
"""

from __future__ import annotations

import hashlib
import inspect
import linecache
import sys
import textwrap
import types
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from gin_sim.policies.contract import PolicyError
from gin_sim.policies.files.dependencies import Reached, is_beside, named_in
from gin_sim.policies.files.lint import check_arguments, refuse_names
from gin_sim.policies.files.loader import follow
from gin_sim.policies.files.source import DECISIONS, Source, SourceFile, undressed


def source_of(functions: Mapping[str, Any], base: str) -> Source:
    """Return plain functions as a source, checked like a policy's file.

    Parameters
    ----------
    functions : mapping of str to function
        By decision; at least one.
    base : str
        The spec of what decides the rest, or nothing.

    Raises
    ------
    PolicyError
        If one is not a plain function, has no text, or cannot be a decision.
    """
    for decision, function in functions.items():
        _check_plain(decision, function)
    originals = _reached(list(functions.values()))
    files, places = _own_files(originals)
    copies = _copied(originals, places)
    decisions = {name: copies[functions[name]] for name in DECISIONS if name in functions}
    first = next(iter(decisions.values()))
    module = sys.modules[first.__module__]
    for function in decisions.values():
        file = files[function.__code__.co_filename]
        node = file.node_of(function)
        if node is None or node.decorator_list:
            raise _not_plain(f"'{file.shown}', line {file.line_of(function)}: ", function.__name__)
        check_arguments(file, node)
    for file in files.values():
        refuse_names(file)
    found = Source(
        files[first.__code__.co_filename].shown, module, decisions, [], [], {}, base, 0, "", files
    )
    found.digest = follow(found).digest.hexdigest()[:16]
    return found


def _check_plain(decision: str, function: Any) -> None:
    plain = isinstance(function, types.FunctionType) and not function.__closure__
    if not plain or not function.__name__.isidentifier():
        name = getattr(function, "__name__", decision)
        raise _not_plain(f"{decision} is {function!r}: ", name if name.isidentifier() else decision)


def _not_plain(place: str, name: str) -> PolicyError:
    return PolicyError(
        f"{place}{name} is not a plain function: write def {name}(view, p) at the top level, "
        "without decorators and not inside another function."
    )


def _reached(decisions: list[types.FunctionType]) -> list[types.FunctionType]:
    """Return decisions and the caller's own functions that they name, and those in turn."""
    homes = [function.__globals__ for function in decisions]
    places = [Path(function.__code__.co_filename) for function in decisions]
    folders = [place.resolve().parent for place in places if place.is_file()]
    found: list[types.FunctionType] = []
    waiting = list(decisions)
    while waiting:
        function = waiting.pop(0)
        if function in found:
            continue
        found.append(function)
        for _, value in named_in(function, Reached()):
            inner = undressed(value)
            if inner is not None and (
                any(inner.__globals__ is home for home in homes)
                or any(is_beside(inner, folder) for folder in folders)
            ):
                waiting.append(inner)
    return found


def _own_files(
    functions: list[types.FunctionType],
) -> tuple[dict[str, SourceFile], dict[str, str]]:
    """Keep the functions' text as files of their own, each function at its own line.

    They are in memory only, where Python looks first for the lines of a file.

    Returns
    -------
    files : dict of str to SourceFile
        By the name of the file of our own; errors name the caller's.
    places : dict of str to str
        That name, by the name of the caller's.
    """
    texts: dict[str, dict[int, str]] = {}
    for function in functions:
        code = function.__code__
        lines = texts.setdefault(code.co_filename, {})
        for number, line in enumerate(_lines_of(function), code.co_firstlineno):
            lines[number] = line
    whole = {
        name: "\n".join(lines.get(number, "") for number in range(1, max(lines) + 1)) + "\n"
        for name, lines in texts.items()
    }
    digest = hashlib.sha256("\0".join(f"{n}\0{t}" for n, t in whole.items()).encode())
    folder = f"<gin-sim>/{digest.hexdigest()[:16]}"
    files, places = {}, {}
    for number, (name, text) in enumerate(whole.items()):
        place = places[name] = f"{folder}/functions_{number}.py"
        linecache.cache[place] = (len(text), None, text.splitlines(keepends=True), place)
        try:
            files[place] = SourceFile(_shown(name), text)
        except SyntaxError as error:
            raise PolicyError(
                f"'{_shown(name)}', line {error.lineno or 1}: the text of the function is not "
                f"Python ({error.msg})."
            ) from None
    return files, places


def _lines_of(function: types.FunctionType) -> list[str]:
    """Return the lines of a function's definition, as if it stood at the top level."""
    code = function.__code__
    linecache.checkcache(code.co_filename)
    lines = linecache.getlines(code.co_filename, function.__globals__)
    start = code.co_firstlineno - 1
    if start >= len(lines):
        raise PolicyError(
            f"the text of {function.__name__} cannot be found, and it is checked before it is "
            "compiled: define it in a file or in a notebook cell."
        )
    return textwrap.dedent("".join(inspect.getblock(lines[start:]))).splitlines()


def _shown(name: str) -> str:
    """Return what errors call a file: relative to the working folder where it is below it."""
    path = Path(name)
    if path.is_absolute() and path.is_relative_to(Path.cwd()):
        return str(path.relative_to(Path.cwd()))
    return name


def _copied(
    functions: list[types.FunctionType], places: dict[str, str]
) -> dict[types.FunctionType, types.FunctionType]:
    """Return copies of functions by the originals; they find each other in modules of ours."""
    modules = _modules_for(functions, places)
    copies = {}
    for function in functions:
        module = modules[id(function.__globals__)]
        code = _moved(function.__code__, places[function.__code__.co_filename])
        copy = types.FunctionType(code, vars(module), function.__name__, function.__defaults__)
        copy.__module__, copy.__doc__ = module.__name__, function.__doc__
        copies[function] = copy
    for module in modules.values():
        for name, value in list(vars(module).items()):
            if (inner := undressed(value)) in copies:
                setattr(module, name, copies[inner])
            elif isinstance(value, types.ModuleType) and id(vars(value)) in modules:
                setattr(module, name, modules[id(vars(value))])
    return copies


def _modules_for(
    functions: list[types.FunctionType], places: dict[str, str]
) -> dict[int, types.ModuleType]:
    """Return modules with the names that functions look up, by the id of the original names."""
    homes: dict[int, dict] = {}
    for function in functions:
        reached = Reached()
        reached.note(function.__globals__)
        for _ in named_in(function, reached):
            pass
        homes |= {id(namespace): namespace for namespace in reached.namespaces}
    digest = Path(next(iter(places.values()))).parent.name
    modules = {}
    for number, (home, names) in enumerate(homes.items()):
        module = types.ModuleType(f"gin_sim_policy_{digest}_{number}")
        name = module.__name__
        vars(module).update(names)
        module.__name__, module.__doc__ = name, None
        sys.modules[name] = module
        modules[home] = module
    for function in functions:
        module = modules[id(function.__globals__)]
        module.__file__ = places[function.__code__.co_filename]
    return modules


def _moved(code: types.CodeType, place: str) -> types.CodeType:
    """Return a code, and all inside it, as if it stood in another file."""
    constants = tuple(
        _moved(constant, place) if isinstance(constant, types.CodeType) else constant
        for constant in code.co_consts
    )
    return code.replace(co_filename=place, co_consts=constants)
