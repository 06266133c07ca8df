"""The compiler's messages about a user's functions, as one sentence each."""

from __future__ import annotations

import re

from numba import types

from gin_sim.policies.contract import PolicyError
from gin_sim.policies.files.source import Source

_LONGEST_REASON = 200
_PLACE = re.compile(r"(?:at|from) (.+) \((\d+)\)\s*$", re.MULTILINE)
_COLOUR = re.compile(r"\x1b\[[0-9;]*m")
_LITERAL = re.compile(r"Literal\[(\w+)\]\([^()]*\)")
_HELPER = re.compile(r"type\(CPUDispatcher\(<function (\w+) at \w+>\)\)")
_NO_REASON = ("Failed in nopython mode", "During: ", "File ", "<source")


_KINDS = {
    types.Optional: "nothing in some cases",
    types.NoneType: "nothing",
    types.Float: "a number with decimals",
    types.Boolean: "True or False",
    types.Integer: "a whole number",
    types.BaseTuple: "a tuple",
    types.Array: "an array",
}


def kind_words(returned) -> str:
    """Return in words what kind of value a function returns."""
    for kind, words in _KINDS.items():
        if isinstance(returned, kind):
            return words
    return f"a value of type {returned}"[:_LONGEST_REASON]


def not_compiled(source: Source, function, record_types, error: Exception) -> PolicyError:
    """Return the compiler's complaint as one sentence: function, line, and what is wrong."""
    text = _COLOUR.sub("", str(error))
    for record, words in zip(record_types, ("view", "p"), strict=True):
        text = text.replace(str(record), words)
    places = [(name, int(line)) for name, line in _PLACE.findall(text)]
    if loc := getattr(error, "loc", None):
        places.append((loc.filename, loc.line))
    line = 0
    for place in places:  # the innermost first
        if inner := source.function_at(*place):
            function, line = inner, place[1]
            break
    reason = _reason([row.strip() for row in text.splitlines()]) or type(error).__name__
    return source.complaint(function, f"cannot be compiled: {reason[:_LONGEST_REASON]}.", line)


def _reason(rows: list[str]) -> str:
    rows = [row for row in rows if row and not row.startswith(_NO_REASON)]
    if not rows:
        return ""
    reason = rows[0]
    if reason.endswith("signature:") and len(rows) > 1:
        reason = f"there is no {rows[1].removeprefix('>>> ')}"
    return _HELPER.sub(r"\1", _LITERAL.sub(r"\1", reason)).rstrip(". ")
