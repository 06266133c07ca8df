"""A user's policy as it was found: its decisions, its helpers, its numbers, its texts.

Complaints about a function name the file and the line.  Nothing is run or compiled here.
"""

from __future__ import annotations

import ast
import inspect
import io
import tokenize
import types
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np

from gin_sim.policies.contract import Parameter, PolicyError
from gin_sim.policies.specs import read_text

TAKE, DISCARD, KNOCK = DECISIONS = ("take_upcard", "choose_discard", "should_knock")


class SourceFile:
    """One Python source: its text, what errors call it, and its syntax tree."""

    def __init__(self, shown: str, text: str) -> None:
        self.shown, self.text = shown, text
        self.tree = ast.parse(text)

    def node_of(self, function: types.FunctionType) -> ast.FunctionDef | None:
        """Return the definition of a function, if it is one."""
        first = function.__code__.co_firstlineno
        for node in ast.walk(self.tree):
            if (
                isinstance(node, ast.FunctionDef)
                and node.name == function.__code__.co_name
                and min([node.lineno, *(d.lineno for d in node.decorator_list)]) == first
            ):
                return node
        return None

    def line_of(self, function: types.FunctionType) -> int:
        """Return the line of a function's name."""
        node = self.node_of(function)
        return node.lineno if node else function.__code__.co_firstlineno

    def comments(self) -> dict[int, str]:
        """Return what stands behind a # by line."""
        tokens = tokenize.generate_tokens(io.StringIO(self.text).readline)
        return {t.start[0]: t.string.lstrip("# ") for t in tokens if t.type == tokenize.COMMENT}


def not_python(path: str, error: SyntaxError) -> str:
    """Return the sentence for a text that is not Python."""
    return f"'{path}', line {error.lineno or 1}: this is not Python ({error.msg})."


def line_of_name(file: SourceFile, name: str) -> int:
    """Return the last line of a file's top level that binds a name."""
    line = 1
    for node in file.tree.body:
        bound = [getattr(node, "name", None)]
        if isinstance(node, ast.Assign):
            bound = [t.id for t in node.targets if isinstance(t, ast.Name)]
        elif isinstance(node, ast.AnnAssign) and isinstance(node.target, ast.Name):
            bound = [node.target.id]
        elif isinstance(node, ast.Import | ast.ImportFrom):
            bound = [alias.asname or alias.name for alias in node.names]
        if name in bound:
            line = node.lineno
    return line


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
        16 hexadecimal digits that change with all that the compiled code depends on.
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
