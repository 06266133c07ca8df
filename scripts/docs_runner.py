"""Runs the blocks of one page of the documents: JSON in on standard input, JSON out.

It is started by docs_blocks.py in the page's folder.  Each block is [kind, code, shown]; each
outcome is [what it printed, what went wrong].
"""

from __future__ import annotations

import ast
import contextlib
import io
import json
import linecache
import shlex
import sys
import traceback
from pathlib import Path
from typing import Any


class _Screen(io.TextIOWrapper):
    """Standard output as the documents have it: UTF-8, no terminal."""

    def __init__(self) -> None:
        super().__init__(io.BytesIO(), encoding="utf-8", write_through=True)

    def text(self) -> str:
        """Return what was printed."""
        return self.buffer.getvalue().decode("utf-8")  # type: ignore[attr-defined]


def run_command(command: str) -> str:
    """Run a command and return what went wrong: its error, or nothing."""
    from gin_sim.cli import main

    errors = _Screen()
    with contextlib.redirect_stderr(errors):
        try:
            main(shlex.split(command)[1:])
        except SystemExit as left:
            return errors.text() or f"exit code {left.code}" if left.code else ""
    return ""


def run_python(code: str, names: dict[str, Any]) -> str:
    """Run code in a page's names and print its last expression; return what went wrong.

    The text is kept where Python looks for it, as a notebook does, for functions to be read from.
    """
    cell = f"<block {len(linecache.cache)}>"
    linecache.cache[cell] = (len(code), None, code.splitlines(keepends=True), cell)
    tree = ast.parse(code)
    last = tree.body.pop() if tree.body and isinstance(tree.body[-1], ast.Expr) else None
    try:
        exec(compile(tree, cell, "exec"), names)
        if last is not None:
            value = eval(compile(ast.Expression(last.value), cell, "eval"), names)
            if value is not None:
                print(repr(value))
    except Exception:
        return traceback.format_exc(limit=-2)
    return ""


def main() -> None:
    """Run all blocks."""
    blocks = json.load(sys.stdin)
    sys.stdin = io.StringIO()
    sys.path.insert(0, "")
    names: dict[str, Any] = {"__name__": "__main__"}
    outcomes = []
    for kind, code, shown in blocks:
        screen = _Screen()
        problem = ""
        with contextlib.redirect_stdout(screen):
            if kind == "console":
                problem = run_command(code)
            elif kind == "python":
                problem = run_python(code, names)
            else:
                Path(code).write_text(shown, encoding="utf-8")
        outcomes.append([screen.text(), problem])
    json.dump(outcomes, sys.stdout)


if __name__ == "__main__":
    main()
