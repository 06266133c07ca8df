"""The words of the game, of statistics and of this tool, each explained in plain sentences.

They are kept in ``terms.toml`` alone: `gin-sim help TERM` prints them, and ``docs/glossary.md`` is
generated from them.  Nothing of the program is known here.
"""

from __future__ import annotations

import tomllib
from functools import cache
from importlib import resources
from typing import NamedTuple

_GROUPS = ("The game", "Statistics", "This tool")


class Term(NamedTuple):
    """A term and what it means.

    Parameters
    ----------
    name : str
        As it is written within a sentence.
    group : str
        "The game", "Statistics" or "This tool".
    text : str
        One to three sentences.
    also : tuple of str
        Other words for the same thing.
    """

    name: str
    group: str
    text: str
    also: tuple[str, ...] = ()


@cache
def terms() -> tuple[Term, ...]:
    """Return all terms, by group and then by name."""
    text = resources.files(__name__).joinpath("terms.toml").read_text(encoding="utf-8")
    found = [
        Term(each["name"], each["group"], each["text"], tuple(each.get("also", ())))
        for each in tomllib.loads(text)["term"]
    ]
    return tuple(sorted(found, key=lambda term: (_GROUPS.index(term.group), term.name.lower())))


def by_word() -> dict[str, Term]:
    """Return the terms by every word for them, in lower case."""
    return {word.lower(): term for term in terms() for word in (term.name, *term.also)}


def by_group() -> dict[str, list[Term]]:
    """Return the terms of each group."""
    return {group: [term for term in terms() if term.group == group] for group in _GROUPS}
