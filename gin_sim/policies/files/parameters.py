"""A policy's numbers of its own: the NamedTuple classes of its Python file, or those given."""

from __future__ import annotations

import ast
import keyword
import sys
import types
from collections import namedtuple
from collections.abc import Mapping
from typing import Any, ForwardRef

from gin_sim.policies.contract import N_OWN, PolicyError
from gin_sim.policies.files.source import Numbers, OwnNumber, SourceFile, line_of_name

_MOST_WHOLE = 2**53  # every whole number up to here is a float64 too
_NUMBERS = {"int": int, "float": float, "bool": bool}


def classes_of(module: types.ModuleType, file: SourceFile) -> dict[str, Numbers]:
    """Return a file's classes of numbers by name."""
    comments = file.comments()
    nodes = {node.name: node for node in file.tree.body if isinstance(node, ast.ClassDef)}
    found = {}
    for name, value in vars(module).items():
        tuples = isinstance(value, type) and issubclass(value, tuple)
        if not tuples or value.__module__ != module.__name__:
            continue
        if name in nodes and hasattr(value, "_field_defaults"):
            found[name] = _numbers(value, nodes[name], file, comments)
        elif name not in nodes and vars(value).get("__annotations__"):
            line = line_of_name(file, name)
            raise PolicyError(
                f"'{file.shown}', line {line}: {name} is made by a call, which cannot give "
                f"defaults: write class {name}(NamedTuple)."
            )
    return found


def _numbers(made: type, node: ast.ClassDef, file: SourceFile, comments: dict[int, str]) -> Numbers:
    lines = {
        part.target.id: part.lineno
        for part in node.body
        if isinstance(part, ast.AnnAssign) and isinstance(part.target, ast.Name)
    }
    if len(made._fields) > N_OWN:
        raise _too_many(f"'{file.shown}', line {node.lineno}: {made.__name__}", len(made._fields))
    parameters = []
    for name in made._fields:
        line = lines.get(name, node.lineno)
        complaint = f"'{file.shown}', line {line}: {made.__name__}.{name}"
        wanted = getattr(made, "__annotations__", {}).get(name)
        if isinstance(wanted, ForwardRef):
            wanted = _NUMBERS.get(wanted.__forward_arg__)
        if wanted not in (int, float, bool):
            raise PolicyError(f"{complaint} is not a number: it is an int, a float or a bool.")
        if name not in made._field_defaults:
            raise PolicyError(f"{complaint} has no default: write {name}: {wanted.__name__} = ...")
        default = made._field_defaults[name]
        fits = {int: (int,), float: (int, float), bool: (bool,)}[wanted]
        if type(default) not in fits or not abs(default) <= _most(wanted):
            raise PolicyError(
                f"{complaint} is {default!r}: its default must be of type {wanted.__name__}."
            )
        parameters.append(_number(name, wanted, default, comments.get(line, "")))
    return Numbers(made.__name__, tuple(parameters), made)


def numbers_from(given: Mapping[str, Any]) -> Numbers:
    """Return numbers that were given by name: True or False, a whole number or one with decimals.

    Raises
    ------
    PolicyError
        If a value is not a number, or a name cannot be that of an attribute of ``p``.
    """
    if len(given) > N_OWN:
        raise _too_many("parameters", len(given))
    parameters = []
    for name, value in given.items():
        if not str(name).isidentifier() or keyword.iskeyword(name) or name.startswith("_"):
            raise PolicyError(
                f"the parameter '{name}' cannot be read as p.{name}: give it a name of letters, "
                "such as limit."
            )
        if type(value) not in _NUMBERS.values() or not abs(value) <= _most(type(value)):
            raise PolicyError(
                f"the parameter {name} is {value!r}: it is a number, or True or False."
            )
        parameters.append(_number(name, type(value), value, ""))
    return Numbers("", tuple(parameters), namedtuple("p", given))


def _too_many(owner: str, count: int) -> PolicyError:
    verb = "are" if owner == "parameters" else "has"
    return PolicyError(f"{owner} {verb} {count} numbers: a policy has at most {N_OWN} of its own.")


def _most(kind: type) -> float:
    return _MOST_WHOLE if kind is int else sys.float_info.max


def _number(name: str, kind: type, default: float, meaning: str) -> OwnNumber:
    low, high = (0, 1) if kind is bool else (-_most(kind), _most(kind))
    unit = "switch" if kind is bool else "number"
    return OwnNumber(name, meaning, unit, float(default), low, high, whole=kind is not float)
