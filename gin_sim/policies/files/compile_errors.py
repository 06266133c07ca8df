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


def kind_words(returned) -> str:
    """Return in words what kind of value a function returns."""
    if isinstance(returned, types.Optional):
        return "nothing in some cases"
    if isinstance(returned, types.NoneType):
        return "nothing"
    if isinstance(returned, types.Float):
        return "a number with decimals"
    if isinstance(returned, types.Boolean):
        return "True or False"
    if isinstance(returned, types.Integer):
        return "a whole number"
    if isinstance(returned, types.BaseTuple):
        return "a tuple"
    if isinstance(returned, types.Array):
        return "an array"
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
