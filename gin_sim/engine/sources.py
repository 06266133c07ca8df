"""Which sources jitted code comes from, their hash, and whether they are still what was imported.

It knows neither the compiler nor the folder in which compiled code is kept.
"""

from __future__ import annotations

import functools
import hashlib
import os
import re
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from types import CodeType, ModuleType
from typing import Any, NamedTuple

import gin_sim

_PACKAGE = Path(__file__).resolve().parent.parent

# A module of the package named in an import; the names may be modules too.
_IMPORT = re.compile(r"^\s*from (gin_sim[\w.]*) import (\([^)]*\)|[^\n#]*)", re.MULTILINE)
_COMPILERS = (
    "gin_sim.engine.apart.apart",
    *(
        f"gin_sim.engine.jit.{name}"
        for name in (
            "jit",
            "jit_inline",
            "jit_with_function",
            "jit_paste",
            "jit_user",
            "c_function",
        )
    ),
)


class _Source(NamedTuple):
    path: Path
    text: bytes
    stamp: tuple[int, ...]


def kernel_sources() -> list[Path]:
    """Return every file that jitted code stands in or can read a value from, in order of name.

    A module that imports one of the compilers above holds kernels.  A kernel freezes the values and
    the functions that its module names, so all that such a module imports counts too, and what that
    imports in turn.
    """
    return sorted(source.path for source in _kernels_among(_all_sources()).values())


@functools.cache
def sources_hash() -> str:
    """Return 16 hex digits that change with every source of jitted code, Numba and Python.

    The sources are read once: later calls give the same, whatever has become of the files.
    """
    import numba

    abi = getattr(sys, "abiflags", "")

    digest = hashlib.sha256(f"{numba.__version__} {sys.version} {abi}".encode())
    for source in sorted(_as_read().values()):
        digest.update(source.path.relative_to(_PACKAGE).as_posix().encode())
        digest.update(source.text)
    return digest.hexdigest()[:16]


def are_as_imported() -> bool:
    """Return whether what Python imported of the sources is what :func:`sources_hash` read.

    A module that was imported before the reading is so if its file has not changed since the
    package began to be imported; a later one, if its file is the one that was read.
    """
    sources = _as_read()
    for name in sources.keys() & sys.modules.keys() - _found_as_read:
        changed_at = sources[name].stamp[0]
        if name in _imported_before and gin_sim._imported_at <= changed_at < _a_day_ahead():
            return False
        try:
            stamp = _stamp(os.stat(sources[name].path))
        except OSError:
            return False
        if stamp != sources[name].stamp:
            return False
        _found_as_read.add(name)
    return bool(sources)  # a package without sources has no hash that changes with them


def _a_day_ahead() -> int:
    """Return a time in nanoseconds; what is dated later was installed by a wrong clock."""
    return time.time_ns() + 86400 * 10**9


def note_import(module: str) -> None:
    """Look at a module's source again: it is being imported, perhaps not for the first time."""
    _found_as_read.discard(module)


#: Modules that were imported before the sources were read, and those known to be as read.
_imported_before: set[str] = set()
_found_as_read: set[str] = set()


@functools.cache
def _as_read() -> dict[str, _Source]:
    _imported_before.update(sys.modules)
    return _kernels_among(_all_sources())


def _all_sources() -> dict[str, _Source]:
    """Return the package's sources by the names of their modules."""
    sources = {}
    for path in _PACKAGE.rglob("*.py"):
        parts = path.relative_to(_PACKAGE.parent).with_suffix("").parts
        name = ".".join(parts[:-1] if parts[-1] == "__init__" else parts)
        with open(path, "rb") as file:
            stamp = _stamp(os.fstat(file.fileno()))  # first: what changes later is then seen
            sources[name] = _Source(path, file.read(), stamp)
    return sources


def _kernels_among(sources: dict[str, _Source]) -> dict[str, _Source]:
    imported = {name: _imports_in(source.text.decode()) for name, source in sources.items()}
    found = {name for name, targets in imported.items() if targets.intersection(_COMPILERS)}
    waiting = list(found)
    while waiting:
        new = imported[waiting.pop()].intersection(sources) - found
        found |= new
        waiting += new
    return {name: sources[name] for name in found}


def _imports_in(text: str) -> set[str]:
    """Return the dotted names of the package that a module's text imports, modules or not."""
    found = set()
    for module, names in _IMPORT.findall(text):
        if module != "gin_sim":  # the package itself holds its version only
            found.add(module)
        found.update(f"{module}.{name}" for name in re.findall(r"\w+", names))
    return found


def _stamp(status: os.stat_result) -> tuple[int, ...]:
    """Return what changes with a file, the time of its last change of any kind first."""
    return (status.st_ctime_ns, status.st_mtime_ns, status.st_size, status.st_ino)


def named_in(function: Callable) -> Iterator[Any]:
    """Yield the compiled functions that a function's code names, also as ``module.name``."""
    names = set(_names(function.__code__))
    for name in names:
        value = function.__globals__.get(name)
        inside = (
            [getattr(value, each, None) for each in names] if isinstance(value, ModuleType) else ()
        )
        yield from (each for each in (value, *inside) if hasattr(each, "py_func"))


def _names(code: CodeType) -> Iterator[str]:
    yield from code.co_names
    for constant in code.co_consts:
        if isinstance(constant, CodeType):
            yield from _names(constant)
