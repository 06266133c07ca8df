"""The one kind of error that is the user's to mend: its message is a sentence to print as it is."""

from __future__ import annotations

import difflib
from collections.abc import Iterable


class InputError(ValueError):
    """Input that cannot be used; says what was given, what was expected and what to try."""


def nearest(name: str, known: Iterable[str]) -> str:
    """Return " Did you mean 'x'?" for the nearest known name, or nothing."""
    lower = {other.lower(): other for other in known}
    found = difflib.get_close_matches(name.lower(), list(lower), n=1)
    return f" Did you mean '{lower[found[0]]}'?" if found else ""


def listed(names: Iterable[str], word: str = "or") -> str:
    """Return names as prose: "a, b or c"; or with another word."""
    *most, last = names
    return f"{', '.join(most)} {word} {last}" if most else str(last)
