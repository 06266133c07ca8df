"""A policy's Python file run once, like any module, with the modules that stand beside it."""

from __future__ import annotations

import ast
import contextlib
import sys
import traceback
import types
from pathlib import Path

from gin_sim.policies.contract import PolicyError
from gin_sim.policies.files.text import not_python
from gin_sim.policies.specs import read_text

_PACKAGES = ("gin_sim", "numba", "numpy")


def run_file(code: types.CodeType, module: types.ModuleType, path: str, place: Path) -> list[str]:
    """Run the file with its own folder first on the path; return the files it imports from there.

    Those modules are given names of their own: another policy's helpers may have the same ones,
    and the compiler finds a function's module by name.  What is loaded by such a name already is
    put aside for the while.
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
