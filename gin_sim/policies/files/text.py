"""The text of a policy's Python file, or of one in its folder, and where in it things stand."""

from __future__ import annotations

import ast
import io
import tokenize
import types


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
