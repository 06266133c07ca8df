"""The blocks of the documents: found in Markdown, run page by page, and filled with what came out.

A page is README.md or one in docs/.  In a page,

- a ``console`` block starts with ``$ gin-sim ...`` and holds what the command prints;
- a ``python`` block is run, and a ``text`` block right after it holds what it prints, its last
  expression included, as in a notebook;
- a block under a line that ends in a file's name in backquotes and a colon is that file.

The blocks of a page run in order, in one process and in one folder of their own, so that a later
one finds the files and the names of those before.  ``<!-- slow -->`` on the line before a block
leaves it, and all that follows in its page, out of the quick run.
"""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import NamedTuple

ROOT = Path(__file__).resolve().parent.parent
DOCS = ROOT / "docs"
#: Files that the pages show as they are, and play with.
SHOWN = ROOT / "tests" / "data" / "policies"
#: What a page finds in its folder.
_AT_HAND = ("tests/data", "results/knock_10_or_5")

_FENCE = re.compile(r"^```(\w*)\n(.*?)^```$", re.DOTALL | re.MULTILINE)
_FILE = re.compile(r"`([\w-]+\.(?:py|toml|csv|jsonl))`:\n\n\Z")
_SLOW = "<!-- slow -->\n"
#: What differs from run to run: times and speeds.
_TIMING = re.compile(r"\d+\.\d+ s\b(?: · \d+\.\d+ M hands(?: walked)?/s)?")


class Block(NamedTuple):
    """A block that is run.

    Parameters
    ----------
    kind : {"console", "python", "file"}
    code : str
        The command, the Python code, or the file's name.
    shown : str or None
        The output that the page shows, or the file's text; None where it shows none.
    start, end : int
        Where the shown text stands in the page.
    is_slow : bool
        Whether it, or one before it in the page, is marked as slow.
    """

    kind: str
    code: str
    shown: str | None
    start: int
    end: int
    is_slow: bool


class Outcome(NamedTuple):
    """What a block printed, and what went wrong, if anything."""

    printed: str
    problem: str


def pages() -> list[Path]:
    """Return all pages."""
    return [ROOT / "README.md", *sorted(DOCS.rglob("*.md"))]


def name_of(page: Path) -> str:
    """Return a page's path within the project."""
    return page.relative_to(ROOT).as_posix()


def blocks_of(text: str) -> list[Block]:
    """Return the blocks of a page that are run, in order."""
    found: list[Block] = []
    is_slow = False
    last_end, printing = -1, -1  # where the last fence ended, and the Python block that may print
    for fence in _FENCE.finditer(text):
        language, body = fence.groups()
        before = text[: fence.start()]
        if before.endswith(_SLOW):
            is_slow = True
            before = before[: -len(_SLOW)]
        named = _FILE.search(before)
        if named:
            found.append(Block("file", named[1], body, fence.start(2), fence.end(2), is_slow))
        elif language == "console":
            if not body.startswith("$ gin-sim"):
                raise ValueError(f"a console block begins with no `$ gin-sim`: {body[:60]!r}")
            command, _, shown = body[2:].partition("\n")
            start = fence.start(2) + len(command) + 3
            found.append(Block("console", command, shown, start, fence.end(2), is_slow))
        elif language == "python":
            found.append(Block("python", body, None, fence.end(), fence.end(), is_slow))
            printing = len(found) - 1
        elif language == "text" and printing >= 0 and not text[last_end : fence.start()].strip():
            block = found[printing]
            found[printing] = block._replace(shown=body, start=fence.start(2), end=fence.end(2))
        if language != "python" or named:
            printing = -1
        last_end = fence.end()
    return found


def run(blocks: list[Block]) -> list[Outcome]:
    """Run a page's blocks in order, in a process and a folder of their own."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        for part in _AT_HAND:
            shutil.copytree(ROOT / part, folder / part)
        environment = {
            **os.environ,
            "PYTHONPATH": os.pathsep.join(filter(None, [os.environ.get("PYTHONPATH"), str(ROOT)])),
            "PYTHONIOENCODING": "utf-8",
        }
        for variable in ("COLUMNS", "NO_COLOR", "FORCE_COLOR", "GIN_SIM_SYMBOLS"):
            environment.pop(variable, None)
        ran = subprocess.run(
            [sys.executable, str(ROOT / "scripts" / "docs_runner.py")],
            input=json.dumps([[block.kind, block.code, block.shown] for block in blocks]),
            cwd=folder,
            env=environment,
            capture_output=True,
            encoding="utf-8",
        )
    if ran.returncode:
        raise RuntimeError(f"the page's process ended with {ran.returncode}: {ran.stderr[-2000:]}")
    return [Outcome(*each) for each in json.loads(ran.stdout)]


def expected(block: Block, outcome: Outcome) -> str:
    """Return what a page is to show for a block."""
    if block.kind == "file":
        path = SHOWN / block.code
        return path.read_text(encoding="utf-8") if path.exists() else block.shown or ""
    return outcome.printed


def without_times(text: str) -> str:
    """Return a text without what differs from run to run."""
    return _TIMING.sub("", text)


def filled(text: str, blocks: list[Block], outcomes: list[Outcome], times: bool = False) -> str:
    """Return a page with what its blocks printed; a block that failed keeps what it shows.

    Where nothing but times changed, the page keeps those it has, unless ``times`` are wanted.
    """
    for block, outcome in reversed(list(zip(blocks, outcomes, strict=True))):
        if block.shown is None or outcome.problem:
            continue
        wanted = expected(block, outcome)
        if times or without_times(wanted) != without_times(block.shown):
            text = text[: block.start] + wanted + text[block.end :]
    return text
