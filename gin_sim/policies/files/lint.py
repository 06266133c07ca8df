"""What a decision or a helper may not do or name; its text says so, before it is compiled."""

from __future__ import annotations

import ast
import types
from collections.abc import Iterable
from typing import Any

from gin_sim.policies.contract import PolicyError
from gin_sim.policies.files.source import Source, SourceFile, undressed
from gin_sim.words import nearest

_REFUSED = {
    ast.Raise: "raise",
    ast.Try: "try",
    ast.TryStar: "try",
    ast.Assert: "assert",
    ast.Yield: "yield",
    ast.YieldFrom: "yield",
    ast.Await: "await",
    ast.Global: "global",
    ast.Nonlocal: "nonlocal",
    ast.With: "with",
    ast.AsyncWith: "with",
    ast.Import: "import",
    ast.ImportFrom: "import",
}
_IN_PLACE = ("fill", "sort", "put", "partition", "itemset", "resize")
_COPIES = ("copy", "astype")
_OTHER_FORMS = ("asarray", "ascontiguousarray", "atleast_1d", "ravel", "reshape", "transpose")
_BEHIND_THE_COMPILER = ("as_strided", "carray", "farray", "intrinsic", "objmode", "overload")


def refuse_names(file: SourceFile) -> None:
    """Refuse Python's and NumPy's generators, and what gets around the compiler's checks."""
    numpys = set()
    for node in ast.walk(file.tree):
        names = []
        if isinstance(node, ast.Import):
            names = [alias.name for alias in node.names]
            numpys |= {alias.asname or "numpy" for alias in node.names if alias.name == "numpy"}
        elif isinstance(node, ast.ImportFrom):
            names = [f"{node.module}.{alias.name}" for alias in node.names]
        elif isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name):
            names = [f"numpy.{node.attr}"] if node.value.id in numpys else [f".{node.attr}"]
        elif isinstance(node, ast.Attribute):
            names = [f".{node.attr}"]
        for name in names:
            place = f"'{file.shown}', line {node.lineno}: it"
            last = name.rpartition(".")[2]
            if name.split(".")[0] == "random" or name.startswith("numpy.random"):
                raise PolicyError(
                    f"{place} uses {name}, and the same seed must give the same hands: take chance "
                    "from noise_word of gin_sim.policies.contract."
                )
            if last == "*" and name.startswith("numpy."):
                raise PolicyError(f"{place} imports everything of numpy: write import numpy.")
            if last in _BEHIND_THE_COMPILER:
                raise PolicyError(
                    f"{place} uses {last}, with which a decision could read or write what is not "
                    "its own: leave it out."
                )


def check_arguments(file: SourceFile, node: ast.FunctionDef) -> None:
    """Refuse a decision that takes other arguments than a view and its numbers."""
    rest = node.args
    n_plain = len(rest.posonlyargs) + len(rest.args)
    if n_plain != 2 or rest.vararg or rest.kwarg or rest.kwonlyargs or rest.defaults:
        raise PolicyError(
            f"'{file.shown}', line {node.lineno}: {node.name} takes ({ast.unparse(rest)}): it "
            "takes (view, p) and no more."
        )


def check_body(source: Source, function: types.FunctionType) -> None:
    """Refuse what a function's body may not do."""
    node = source.files[function.__code__.co_filename].node_of(function)
    if node is None or function.__closure__:
        raise source.complaint(
            function, "is not a plain function: write it with def at the top level."
        )
    made, given = _made_and_given(node)
    for part in ast.walk(node):
        line = getattr(part, "lineno", 0)
        if type(part) in _REFUSED:
            raise source.complaint(
                function,
                f"uses {_REFUSED[type(part)]}, which a decision cannot: leave it out.",
                line,
            )
        if isinstance(part, ast.Name) and part.id == "print":
            raise source.complaint(
                function, "uses print, which a decision cannot: leave it out.", line
            )
        stored = isinstance(part, ast.Attribute | ast.Subscript) and type(part.ctx) is not ast.Load
        if stored and (isinstance(part, ast.Attribute) or _root(part) not in made - given):
            raise source.writes(function, ast.unparse(part), line)
        call = isinstance(part, ast.Call) and isinstance(part.func, ast.Attribute)
        if call and part.func.attr in _IN_PLACE and _root(part.func) in given:
            raise source.writes(function, ast.unparse(part.func.value), line)


def changed_in_place(source: Source, function: types.FunctionType) -> list[tuple[str, int]]:
    """Return the names, with lines, that a function changes by += and the like.

    Of numbers, that makes new ones; of arrays it writes, and only the compiler knows which.
    """
    node = source.files[function.__code__.co_filename].node_of(function)
    made, given = _made_and_given(node)
    return [
        (part.target.id, part.lineno)
        for part in ast.walk(node)
        if isinstance(part, ast.AugAssign)
        and isinstance(part.target, ast.Name)
        and part.target.id not in made - given
    ]


def _root(node: ast.expr) -> str:
    """Return the name that an attribute, an index or a method starts from, if it does from one."""
    while isinstance(node, ast.Attribute | ast.Subscript | ast.Call):
        node = node.func if isinstance(node, ast.Call) else node.value
    return getattr(node, "id", "")


def _made_and_given(node: ast.FunctionDef) -> tuple[set[str], set[str]]:
    """Return the names of what a function makes itself, and of what it may have been given."""
    made, given = set(), {a.arg for a in (*node.args.posonlyargs, *node.args.args)}
    assignments = [part for part in ast.walk(node) if isinstance(part, ast.Assign)]
    for part in sorted(assignments, key=lambda part: part.lineno):
        names = {t.id for t in part.targets if isinstance(t, ast.Name)}
        (made if _is_new(part.value, given) else given).update(names)
    return made, given


def _is_new(value: ast.expr, given: set[str]) -> bool:
    """Return whether a value is a new one: no part, and no other form, of what was given."""
    if not isinstance(value, ast.Call):
        return isinstance(value, ast.List | ast.ListComp | ast.BinOp)
    name = getattr(value.func, "attr", getattr(value.func, "id", ""))
    if name in _COPIES:
        return True
    same = [value.func] if isinstance(value.func, ast.Attribute) else []
    same += value.args if name in _OTHER_FORMS else []
    return not any(_root(part) in given for part in same)


def check_given(source: Source, argument: int, has: str, known: Iterable[str]) -> None:
    """Refuse fields that an argument of the decisions does not have, in helpers that get it too."""
    waiting = [(function, argument) for function in source.decisions.values()]
    done: list[tuple[types.FunctionType, int]] = []
    while waiting:
        function, place = waiting.pop(0)
        if (function, place) in done:
            continue
        done.append((function, place))
        node = source.files[function.__code__.co_filename].node_of(function)
        arguments = [a.arg for a in (*node.args.posonlyargs, *node.args.args)]
        if place >= len(arguments) or arguments[place] in _stored(node):
            continue
        _check_fields(source, function, node, arguments[place], has, known)
        waiting += _passed_on(source, function, node, arguments[place])


def _stored(node: ast.FunctionDef) -> set[str]:
    names = (part for part in ast.walk(node) if isinstance(part, ast.Name))
    return {name.id for name in names if isinstance(name.ctx, ast.Store)}


def _check_fields(source: Source, function, node, name: str, has: str, known) -> None:
    for part in ast.walk(node):
        read = isinstance(part, ast.Attribute) and isinstance(part.value, ast.Name)
        if read and part.value.id == name and part.attr not in known:
            raise source.complaint(
                function,
                f"reads {name}.{part.attr}, and {has} has no '{part.attr}'."
                f"{nearest(part.attr, known)}",
                part.lineno,
            )


def _passed_on(source: Source, function, node, name: str) -> list[tuple[types.FunctionType, int]]:
    """Return the helpers that get an argument of a function, with its place among theirs."""
    found = []
    for call in (part for part in ast.walk(node) if isinstance(part, ast.Call)):
        helper = undressed(_meaning(call.func, function.__globals__))
        if helper not in source.helpers:
            continue
        places = {word: place for place, word in enumerate(helper.__code__.co_varnames)}
        given = [*enumerate(call.args), *((places.get(k.arg, 0), k.value) for k in call.keywords)]
        found += [(helper, i) for i, arg in given if isinstance(arg, ast.Name) and arg.id == name]
    return found


def _meaning(node: ast.expr, namespace: dict) -> Any:
    """Return what a name, or an attribute of a module, means."""
    if isinstance(node, ast.Name):
        return namespace.get(node.id)
    if isinstance(node, ast.Attribute):
        owner = _meaning(node.value, namespace)
        return getattr(owner, node.attr, None) if isinstance(owner, types.ModuleType) else None
    return None
