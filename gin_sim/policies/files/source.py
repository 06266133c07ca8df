"""A policy's Python file as it was found: its decisions, its helpers, its numbers, its files.

Complaints about a function name the file and the line.  Nothing is run or compiled here.
"""

from __future__ import annotations

import inspect
import types
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from gin_sim.policies.contract import PolicyError
from gin_sim.policies.files.parameters import Numbers
from gin_sim.policies.files.text import SourceFile
from gin_sim.policies.specs import read_text

TAKE, DISCARD, KNOCK = DECISIONS = ("take_upcard", "choose_discard", "should_knock")


@dataclass
class Source:
    """A policy file that has been run and checked.

    Parameters
    ----------
    path : str
        As given, for errors.
    module : module
    decisions : dict of str to function
    helpers : list of function
        The plain functions that the decisions reach, in the file and in its folder.
    namespaces : list of dict
        Where decisions and helpers look up functions.
    classes : dict of str to Numbers
    base : str
        A spec, or nothing.
    base_line : int
    digest : str
        16 hexadecimal digits that change with whatever the compiled code depends on.
    """

    path: str
    module: types.ModuleType
    decisions: dict[str, types.FunctionType]
    helpers: list[types.FunctionType]
    namespaces: list[dict] = field(repr=False)
    classes: dict[str, Numbers]
    base: str
    base_line: int
    digest: str
    files: dict[str, SourceFile] = field(repr=False)

    @property
    def summary(self) -> str:
        """The first line of what the file says of itself."""
        return (inspect.getdoc(self.module) or "").strip().partition("\n")[0]

    def add_file(self, name: str) -> SourceFile:
        """Take another file of the folder for the file's own."""
        shown = Path(self.path).parent / Path(name).relative_to(Path(self.module.__file__).parent)
        self.files[name] = SourceFile(str(shown), read_text(name))
        return self.files[name]

    def complaint(self, function: types.FunctionType, words: str, line: int = 0) -> PolicyError:
        """Return an error about a function, at its first line or another."""
        code = function.__code__
        file = self.files.get(code.co_filename)
        shown = file.shown if file else code.co_filename
        line = line or (file.line_of(function) if file else code.co_firstlineno)
        return PolicyError(f"'{shown}', line {line}: {function.__name__} {words}")

    def writes(self, function: types.FunctionType, what: str, line: int) -> PolicyError:
        """Return the error of a function that writes to what it was given."""
        return self.complaint(
            function, f"writes to {what}: a decision only reads what it is given.", line
        )

    def function_at(self, filename: str, line: int) -> types.FunctionType | None:
        """Return the decision or helper that a line belongs to."""
        for function in (*self.decisions.values(), *self.helpers):
            node = self.files[function.__code__.co_filename].node_of(function)
            if function.__code__.co_filename == filename and node.lineno <= line <= node.end_lineno:
                return function
        return None


def undressed(value: Any) -> types.FunctionType | None:
    """Return the plain function in a function or a compiler's dispatcher; None for all else."""
    function = getattr(value, "py_func", value)
    return function if isinstance(function, types.FunctionType) else None
