"""What the decisions of a policy reach: helpers, and the values that the compiler will freeze.

A name in a function is followed to what it means now, through the modules that it stands in.
Functions of the file's own folder are helpers, compiled like decisions; every number, text, tuple
and array goes into the file's state.  What could change unseen is refused.
"""

from __future__ import annotations

import dis
import enum
import hashlib
import pickle
import sys
import types
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numba
import numpy as np

from gin_sim.policies.contract import PolicyError
from gin_sim.policies.files.lint import refuse_names
from gin_sim.policies.files.source import Source, undressed

# What these hold is the package's or the compiler's, and goes with their versions.
_TRUSTED = ("builtins", "gin_sim", "math", "numba", "numpy")
_RANDOM = ("random", "numpy.random")
# Neither values nor code of a user's: the compiler knows them or refuses them.
_COMPILERS = (types.ModuleType, types.BuiltinFunctionType, numba.types.Type, np.ufunc)
_ENVIRONMENTS = ("site-packages", "dist-packages")


@dataclass
class Reached:
    """All that decisions reach.

    Parameters
    ----------
    helpers : list of function
        Plain, as they stand in the file's folder; what was decorated is undressed.
    namespaces : list of dict
        Where functions are looked up by name.
    digest : hash
        Of the code of all functions and of all values.
    """

    helpers: list[types.FunctionType] = field(default_factory=list)
    namespaces: list[dict] = field(default_factory=list)
    digest: Any = field(default_factory=hashlib.sha256)

    def note(self, namespace: dict) -> None:
        """Add a namespace, once."""
        if not any(namespace is known for known in self.namespaces):
            self.namespaces.append(namespace)


def reach(source: Source) -> Reached:
    """Follow decisions to all that they name.

    Raises
    ------
    PolicyError
        If they name a source of chance, or something whose changes could not be seen.
    """
    found = Reached()
    waiting = list(source.decisions.values())
    done: list[types.FunctionType] = []
    while waiting:
        function = waiting.pop(0)
        if function in done:
            continue
        done.append(function)
        found.note(function.__globals__)
        found.digest.update(_state_of(function.__code__).encode())
        for name, value in named_in(function, found):
            waiting += _follow(source, found, function, name, value)
        for value in function.__defaults__ or ():
            waiting += _follow(source, found, function, "a default", value)
        if function not in source.decisions.values() and _is_own(source, function):
            found.helpers.append(function)
    return found


def _follow(source: Source, found: Reached, function, name: str, value) -> list:
    """Put a value into the state; return the functions to follow in turn."""
    _refuse_chance(source, function, name, value)
    if inner := undressed(value):
        if _is_own(source, inner):
            return [inner]
        if inner is value or _trusted(inner.__module__):
            return []
        found.digest.update(f"{name} {sorted(value.targetoptions.items())}".encode())
        return [inner]
    if isinstance(value, tuple | list):
        found.digest.update(f"{name} {type(value).__name__} {len(value)}".encode())
        return [f for item in value for f in _follow(source, found, function, name, item)]
    if isinstance(value, _COMPILERS) or _trusted(_intrinsic_home(value)):
        return []
    if isinstance(value, enum.Enum):
        value = value.value
    elif isinstance(value, type):
        if issubclass(value, enum.Enum):
            value = [(member.name, member.value) for member in value]
        elif hasattr(value, "_field_defaults"):
            value = value._fields
        elif _trusted(value.__module__):
            return []
        else:
            raise _unseen(source, function, name, value)
    try:
        if callable(value):
            raise TypeError
        found.digest.update(name.encode() + pickle.dumps(value, protocol=4))
    except Exception:  # its own way to be pickled may raise anything
        raise _unseen(source, function, name, value) from None
    return []


def _unseen(source: Source, function, name: str, value) -> PolicyError:
    kind = "a class" if isinstance(value, type) else f"a value of type {type(value).__name__}"
    return source.complaint(
        function,
        f"names {name}, {kind}, whose changes could not be seen: use numbers, texts, tuples, "
        "arrays and plain functions.",
    )


def _refuse_chance(source: Source, function, name: str, value) -> None:
    named = value.__name__ if isinstance(value, types.ModuleType) else _home(value)
    if any(named == home or named.startswith(f"{home}.") for home in _RANDOM):
        raise source.complaint(
            function,
            f"uses {named if isinstance(value, types.ModuleType) else name}, and the same seed "
            "must give the same hands: take chance from noise_word of gin_sim.policies.contract.",
        )


def _home(value: Any) -> str:
    """Return the module of a function or of the object that a method belongs to."""
    if isinstance(value, types.BuiltinFunctionType | types.MethodType):
        owner = value.__self__
        if owner is not None and not isinstance(owner, types.ModuleType):
            return type(owner).__module__
    if isinstance(value, types.BuiltinFunctionType | types.FunctionType):
        return value.__module__ or ""
    return ""


def _intrinsic_home(value: Any) -> str:
    return getattr(getattr(value, "_defn", None), "__module__", "-")


def _trusted(module: str | None) -> bool:
    return (module or "").split(".")[0] in _TRUSTED


def _root(function: types.FunctionType) -> str:
    return (function.__module__ or "").partition(".")[0]


def _is_own(source: Source, function: types.FunctionType) -> bool:
    """Return whether a function stands in the file's folder, in no environment of packages."""
    name = function.__code__.co_filename
    if name in source.files:
        return True
    folder = Path(source.module.__file__).parent
    if not is_beside(function, folder):
        return False
    refuse_names(source.add_file(name))
    return True


def is_beside(function: types.FunctionType, folder: Path) -> bool:
    """Return whether a function stands in a file of a folder, in no environment of packages."""
    path = Path(function.__code__.co_filename)
    shipped = _trusted(function.__module__) or _root(function) in sys.stdlib_module_names
    if shipped or not path.is_relative_to(folder) or not path.is_file():
        return False
    return not any(part in _ENVIRONMENTS for part in path.relative_to(folder).parts)


def named_in(function: types.FunctionType, found: Reached) -> Iterator[tuple[str, Any]]:
    """Yield what a function's names mean, and the attributes of modules among them."""
    codes = list(codes_of(function.__code__))
    roots = {
        step.argval
        for code in codes
        for step in dis.get_instructions(code)
        if step.opname in ("LOAD_GLOBAL", "LOAD_NAME")
    }
    attributes = {name for code in codes for name in code.co_names}
    waiting = [(name, function.__globals__.get(name)) for name in sorted(roots)]
    waiting = [(name, value) for name, value in waiting if name in function.__globals__]
    seen: list[types.ModuleType] = []
    while waiting:
        name, value = waiting.pop(0)
        yield name, value
        if not isinstance(value, types.ModuleType) or value in seen:
            continue
        seen.append(value)
        own = not _trusted(value.__name__)
        if own:
            found.note(vars(value))
        for attribute in sorted(attributes & vars(value).keys()):
            inner = vars(value)[attribute]
            if own or isinstance(inner, types.ModuleType):
                waiting.append((f"{name}.{attribute}", inner))


def codes_of(code: types.CodeType) -> Iterator[types.CodeType]:
    """Yield a code and all that stand inside it."""
    yield code
    for constant in code.co_consts:
        if isinstance(constant, types.CodeType):
            yield from codes_of(constant)


def _state_of(code: types.CodeType) -> str:
    """Return a text that changes with what a code does, and not with where it stands."""
    constants = [
        _state_of(constant)
        if isinstance(constant, types.CodeType)
        else repr(sorted(map(repr, constant)) if isinstance(constant, frozenset) else constant)
        for constant in code.co_consts
    ]
    return repr((code.co_code, code.co_names, code.co_varnames, constants))
