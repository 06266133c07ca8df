"""Reads numpydoc docstrings, for the pages of the documents that are made from them."""

from __future__ import annotations

import inspect
import re
from typing import Any, NamedTuple

_HEAD = re.compile(r"^(\w[\w ]*)\n-{3,}$", re.MULTILINE)
_ROLE = re.compile(r":(?:func|class|meth|mod|data|attr):`([^`]+)`")


class Entry(NamedTuple):
    """A field or a parameter: its names, its type as written, and what it is."""

    names: tuple[str, ...]
    type: str
    text: str


class Docstring(NamedTuple):
    """A docstring in its parts; sections are those with a line of dashes."""

    summary: str
    more: str
    sections: dict[str, str]

    def entries(self, section: str = "Parameters") -> list[Entry]:
        """Return the entries of a section."""
        return list(_entries(self.sections.get(section, "")))


def read(documented: Any) -> Docstring:
    """Return the docstring of an object; empty parts where it has none of its own."""
    text = documented.__dict__.get("__doc__") if isinstance(documented, type) else None
    text = inspect.cleandoc(text or documented.__doc__ or "")
    starts = list(_HEAD.finditer(text))
    front = text[: starts[0].start()] if starts else text
    summary, _, more = front.strip().partition("\n\n")
    sections = {}
    for number, start in enumerate(starts):
        end = starts[number + 1].start() if number + 1 < len(starts) else len(text)
        sections[start[1]] = text[start.end() : end].strip("\n")
    return Docstring(_one_line(summary), more.strip(), sections)


def markdown(text: str) -> str:
    """Return a docstring's prose as Markdown: code in single backquotes, no roles."""
    text = _ROLE.sub(lambda role: f"`{role[1].lstrip('~').removeprefix('gin_sim.')}`", text)
    return text.replace("``", "`")


def about(documented: type) -> str:
    """Return a class's own words, without its sections, as a paragraph of Markdown."""
    found = read(documented)
    return markdown("\n\n".join(filter(None, [found.summary, found.more]))) + "\n"


def cell(text: str) -> str:
    """Return a docstring's prose as the cell of a table."""
    return markdown(text).replace("|", "\\|")


def _entries(section: str):
    names: tuple[str, ...] = ()
    kind, lines = "", []
    for line in section.splitlines():
        if line and not line[0].isspace():
            if names:
                yield Entry(names, kind, _one_line("\n".join(lines)))
            name, _, kind = line.partition(" : ")
            names = tuple(part.strip().lstrip("*") for part in name.split(","))
            lines = []
        else:
            lines.append(line.strip())
    if names:
        yield Entry(names, kind, _one_line("\n".join(lines)))


def _one_line(text: str) -> str:
    return " ".join(text.split())
