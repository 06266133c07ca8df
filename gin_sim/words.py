"""Names and numbers of things as the sentences of the program write them."""

from __future__ import annotations

import difflib
from collections.abc import Iterable


def nearest(name: str, known: Iterable[str]) -> str:
    """Return " Did you mean 'x'?" for the nearest known name, or nothing."""
    lower = {other.lower(): other for other in known}
    found = difflib.get_close_matches(name.lower(), list(lower), n=1)
    return f" Did you mean '{lower[found[0]]}'?" if found else ""


def listed(names: Iterable[str], word: str = "or") -> str:
    """Return names as prose: "a, b or c"; or with another word."""
    *most, last = names
    return f"{', '.join(most)} {word} {last}" if most else str(last)


def counted(count: int, noun: str, plural: str = "") -> str:
    """Return a number of things: "1 hand", "1,000 hands", "2 boxes"."""
    return f"{count:,} {noun if count == 1 else plural or f'{noun}s'}"
