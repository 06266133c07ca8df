"""A policy's Python file loaded: run once, followed to what its decisions reach, and checked.

It runs like any module, with the modules that stand beside it.  Every complaint names the file and
the line.  Compiling is not done here.
"""

from __future__ import annotations

import ast
import contextlib
import hashlib
import sys
import traceback
import types
from pathlib import Path

from gin_sim.engine.view import VIEW
from gin_sim.policies.contract import PolicyError
from gin_sim.policies.files.dependencies import Reached, reach
from gin_sim.policies.files.lint import check_arguments, check_body, check_given, refuse_names
from gin_sim.policies.files.parameters import classes_of
from gin_sim.policies.files.source import (
    DECISIONS,
    Numbers,
    Source,
    SourceFile,
    line_of_name,
    not_python,
)
from gin_sim.policies.specs import read_text
from gin_sim.words import listed, nearest

_PACKAGES = ("gin_sim", "numba", "numpy")


def read_source(path: str) -> Source:
    """Run a policy's Python file and check what it defines.

    Raises
    ------
    PolicyError
        If it cannot be read or run, or defines something that cannot be a policy.
    """
    text = read_text(path)
    place = Path(path).resolve()
    module = types.ModuleType(f"gin_sim_policy_{hashlib.sha256(text.encode()).hexdigest()[:16]}")
    module.__file__ = str(place)
    try:
        code = compile(text, str(place), "exec")
    except SyntaxError as error:
        raise PolicyError(not_python(path, error)) from None
    except (ValueError, RecursionError, MemoryError) as error:
        raise PolicyError(f"'{path}' is not Python: {error}.") from None
    beside = run_file(code, module, path, place)
    files = {str(place): SourceFile(path, text)}
    for name in beside:
        shown = str(Path(path).parent / Path(name).relative_to(place.parent))
        files[name] = SourceFile(shown, read_text(name))
    for file in files.values():
        refuse_names(file)
    decisions = _decisions(module, files, path)
    found = Source(path, module, decisions, [], [], {}, "", 0, "", files)
    reached = follow(found)
    found.classes = classes_of(module, files[str(place)])
    found.base, found.base_line = _base(module, files[str(place)])
    missing = [name for name in DECISIONS if name not in decisions]
    if missing and not found.base:
        raise PolicyError(
            f"'{path}' does not define {listed(missing)}: define it, or write base = \"greedy\" "
            "(or another policy of `gin-sim policies list`) to leave it to that policy."
        )
    if not decisions:
        raise PolicyError(f"'{path}' defines none of {listed(DECISIONS)}: define at least one.")
    for name in sorted({str(place), *beside}):
        reached.digest.update(files[name].text.encode())
    for name, numbers in found.classes.items():
        reached.digest.update(f"{name} {numbers.record_type()}".encode())
    found.digest = reached.digest.hexdigest()[:16]
    return found


def follow(source: Source) -> Reached:
    """Follow decisions to all that they reach, and check every function among it.

    The helpers and namespaces that were found are put into the source.
    """
    reached = reach(source)
    source.helpers, source.namespaces = reached.helpers, reached.namespaces
    for function in (*source.decisions.values(), *source.helpers):
        check_body(source, function)
    check_given(source, 0, "a view", VIEW.names)
    return reached


def numbers_of(source: Source, choice: str) -> Numbers:
    """Return the class of numbers that a spec names, or the only one; check who reads it."""
    if choice and choice not in source.classes:
        has = f"it has {listed(source.classes)}" if source.classes else "it has none"
        raise PolicyError(
            f"'{source.path}' has no class of numbers '{choice}'."
            f"{nearest(choice, source.classes)} A NamedTuple class in the file is one; {has}."
        )
    if not choice and len(source.classes) > 1:
        raise PolicyError(
            f"'{source.path}' has {len(source.classes)} classes of numbers: write "
            f"{listed(f'{source.path}:{name}' for name in source.classes)}."
        )
    found = source.classes[choice] if choice else next(iter(source.classes.values()), Numbers())
    check_given(source, 1, found.name or "p", [p.name for p in found.parameters])
    return found


def _decisions(module, files, path) -> dict[str, types.FunctionType]:
    found = {}
    for name in DECISIONS:
        if name not in vars(module):
            continue
        decision = vars(module)[name]
        plain = isinstance(decision, types.FunctionType) and not decision.__closure__
        file = files.get(decision.__code__.co_filename) if plain else None
        node = file.node_of(decision) if file else None
        if node is None or node.decorator_list:
            raise PolicyError(
                f"'{path}', line {line_of_name(files[module.__file__], name)}: {name} is not a "
                f"plain function: write def {name}(view, p) without decorators."
            )
        check_arguments(file, node)
        found[name] = decision
    return found


def _base(module: types.ModuleType, file: SourceFile) -> tuple[str, int]:
    base = vars(module).get("base", "")
    line = line_of_name(file, "base")
    if not isinstance(base, str):
        raise PolicyError(
            f"'{file.shown}', line {line}: base is {base!r}: it is a policy's spec as a text."
        )
    return base, line


# ---------------------------------------------------------------------------------------------
# Running the file


def run_file(code: types.CodeType, module: types.ModuleType, path: str, place: Path) -> list[str]:
    """Run the file with its own folder first on the path; return the files it imports from there.

    Those modules are given names of their own: another policy's helpers may have the same ones,
    and the compiler finds a function's module by name.  What is loaded by such a name already is
    put aside meanwhile.
    """
    aside = _set_aside(_beside(path, place))
    before = set(sys.modules)
    no_bytecode = sys.dont_write_bytecode
    sys.dont_write_bytecode = True
    search, places = sys.path, list(sys.path)
    sys.path.insert(0, str(place.parent))
    sys.modules[module.__name__] = module
    try:
        with contextlib.redirect_stdout(sys.stderr):
            exec(code, vars(module))
    except SyntaxError as error:
        shown = Path(path).with_name(Path(error.filename or path).name)
        raise PolicyError(not_python(str(shown), error)) from None
    except (Exception, SystemExit) as error:
        frames = traceback.extract_tb(error.__traceback__)
        lines = [frame.lineno for frame in frames if frame.filename == str(place)]
        raise PolicyError(
            f"'{path}', line {lines[-1] if lines else 1}: running the file raised "
            f"{type(error).__name__} ({error})."
        ) from None
    finally:
        sys.path = search
        sys.path[:] = places
        sys.dont_write_bytecode = no_bytecode
        beside = []
        for name in set(sys.modules) - before - {module.__name__}:
            file = getattr(sys.modules[name], "__file__", None)
            # Right beside it only: the folder may well hold a whole environment of packages.
            if file and Path(file).suffix == ".py" and Path(file).resolve().parent == place.parent:
                _rename(name, f"{module.__name__}.{name}")
                beside.append(file)
        sys.modules.update(aside)
    return sorted(beside)


def _beside(path: str, place: Path) -> list[str]:
    """Return the names of the modules right beside the file that it imports, or that they import.

    Raises
    ------
    PolicyError
        If a name that is imported means something else than what stands in the folder.
    """
    found: list[str] = []
    waiting = [place]
    while waiting:
        file = waiting.pop()
        for name, line in _imported(file):
            inner = place.parent / f"{name}.py"
            package = place.parent / name
            ours = inner if inner.is_file() else package
            if name in found or not (inner.is_file() or any(package.glob("*.py"))):
                continue
            known = name in sys.stdlib_module_names or (ours is inner and name in _PACKAGES)
            if known or (ours is package and _is_elsewhere(name, package)):
                raise PolicyError(
                    f"'{Path(path).with_name(file.name)}', line {line}: it imports {name}, and "
                    f"{ours.name} in its folder has the name of a module that is loaded already: "
                    "give it another name."
                )
            if ours is inner:
                found.append(name)
                waiting.append(inner)
    return found


def _imported(file: Path) -> list[tuple[str, int]]:
    """Return the first parts of the names that a file imports, with lines."""
    try:
        tree = ast.parse(read_text(str(file)))
    except (SyntaxError, ValueError):  # running it says so
        return []
    found = []
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            found += [(alias.name.partition(".")[0], node.lineno) for alias in node.names]
        elif isinstance(node, ast.ImportFrom) and node.module and not node.level:
            found.append((node.module.partition(".")[0], node.lineno))
    return found


def _is_elsewhere(name: str, package: Path) -> bool:
    """Return whether a package of this name is loaded from another folder, or a part of one."""
    loaded = [getattr(module, "__file__", None) for _, module in _loaded(name)]
    return any(
        file and not Path(file).resolve().is_relative_to(package.resolve()) for file in loaded
    )


def _loaded(name: str) -> list[tuple[str, types.ModuleType]]:
    return [
        (other, module)
        for other, module in list(sys.modules.items())
        if other == name or other.startswith(f"{name}.")
    ]


def _set_aside(names: list[str]) -> dict[str, types.ModuleType]:
    return {other: sys.modules.pop(other) for name in names for other, _ in _loaded(name)}


def _rename(name: str, new_name: str) -> None:
    module = sys.modules.pop(name)
    sys.modules[new_name] = module
    module.__name__ = new_name
    for value in vars(module).values():
        if isinstance(value, types.FunctionType) and value.__module__ == name:
            value.__module__ = new_name
