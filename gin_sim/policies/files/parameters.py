"""A policy's numbers of its own: the NamedTuple classes of its Python file."""

from __future__ import annotations

import ast
import sys
import types
from dataclasses import dataclass
from typing import Any, ForwardRef

import numpy as np

from gin_sim.policies.contract import N_OWN, Parameter, PolicyError
from gin_sim.policies.files.text import SourceFile, line_of_name

_MOST_WHOLE = 2**53  # every whole number up to here is a float64 too
_NUMBERS = {"int": int, "float": float, "bool": bool}


@dataclass(frozen=True)
class OwnNumber(Parameter):
    """A number of a user's own, a field of a NamedTuple class."""

    def range_words(self) -> str:
        """Return what values there are."""
        if self.high == 1:
            return "0 or 1"
        return "a whole number" if self.whole else "a number"


@dataclass(frozen=True)
class Numbers:
    """The class of numbers that a policy file's decisions get as ``p``."""

    name: str = ""
    parameters: tuple[OwnNumber, ...] = ()
    make: Any = tuple  # called with the values in order

    def record_type(self) -> np.dtype:
        """Return the numbers as a record of 8 bytes each; a lone empty field for none."""
        fields = [(p.name, "i8" if p.whole else "f8") for p in self.parameters]
        return np.dtype(fields or [("_", "i8")])


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
        raise PolicyError(
            f"'{file.shown}', line {node.lineno}: {made.__name__} has {len(made._fields)} numbers: "
            f"a policy has at most {N_OWN} of its own."
        )
    parameters = []
    for name in made._fields:
        line = lines.get(name, node.lineno)
        complaint = f"'{file.shown}', line {line}: {made.__name__}.{name}"
        wanted = getattr(made, "__annotations__", {}).get(name)
        if isinstance(wanted, ForwardRef):
            wanted = _NUMBERS.get(wanted.__forward_arg__)
        if wanted not in (int, float, bool):
            raise PolicyError(f"{complaint} is no number: it is an int, a float or a bool.")
        if name not in made._field_defaults:
            raise PolicyError(f"{complaint} has no default: write {name}: {wanted.__name__} = ...")
        default = made._field_defaults[name]
        fits = {int: (int,), float: (int, float), bool: (bool,)}[wanted]
        if type(default) not in fits or not abs(default) <= (
            _MOST_WHOLE if wanted is int else sys.float_info.max
        ):
            raise PolicyError(f"{complaint} is {default!r}: its default is no {wanted.__name__}.")
        low, high = {
            int: (-_MOST_WHOLE, _MOST_WHOLE),
            float: (-sys.float_info.max, sys.float_info.max),
            bool: (0, 1),
        }[wanted]
        parameters.append(
            OwnNumber(
                name,
                comments.get(line, ""),
                "switch" if wanted is bool else "number",
                float(default),
                low,
                high,
                whole=wanted is not float,
            )
        )
    return Numbers(made.__name__, tuple(parameters), made)
