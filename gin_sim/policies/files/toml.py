"""Policies as TOML files: a shipped policy by name, and the numbers that differ from its own.

A file is read into a policy and a policy is written as a file.  What the numbers mean is not known
here; the trained policies that are shipped are such files too.
"""

from __future__ import annotations

import dataclasses
import json
import os
import re
import textwrap
import tomllib
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from gin_sim.atomic import write_text
from gin_sim.policies.contract import BUCKETS, Policy, PolicyError, PolicyKind, Value
from gin_sim.policies.specs import Spec, read_text, unknown_parameter
from gin_sim.words import nearest

_TEXTS = ("summary", "origin")
_TOML_PLACE = re.compile(r"\s*\((?:at (?:line (\d+), column (\d+)|end of document))\)$")
_WIDTH = 96


@dataclass(frozen=True, repr=False)
class FilePolicy(Policy):
    """A policy from a TOML file, with what the file says of it."""

    summary: str = ""
    origin: str = ""

    def as_dict(self) -> dict:
        """Return what every policy returns, with the texts that the file gives."""
        texts = {text: getattr(self, text) for text in _TEXTS if getattr(self, text)}
        return {**super().as_dict(), **texts}


def policy_from_toml(spec: Spec, kinds: Mapping[str, PolicyKind]) -> FilePolicy:
    """Return the policy that a spec of a TOML file names.

    Parameters
    ----------
    spec : Spec
    kinds : mapping of str to PolicyKind
        What ``base`` may name.

    Raises
    ------
    PolicyError
        If the file cannot be read or something in it is wrong; the sentence names file and line.
    """
    read = parse_toml(read_text(spec.place), spec.place, kinds)
    return dataclasses.replace(
        read, spec=spec.text, values=spec.values(read.kind.parameters, read.values)
    )


def parse_toml(text: str, path: str, kinds: Mapping[str, PolicyKind]) -> FilePolicy:
    """Read a policy from the text of a TOML file; ``path`` is what errors call the file."""
    try:
        given = tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        raise PolicyError(_not_toml(path, str(error), text)) from None
    except ValueError as error:  # a number of thousands of digits, which Python does not read
        raise PolicyError(f"'{path}' cannot be read: {error}.") from None
    except RecursionError:
        raise PolicyError(f"'{path}' is not TOML: it is nested too deeply.") from None
    if "base" not in given:
        raise PolicyError(
            f"'{path}' names no base: write base = \"greedy\", or another policy of "
            "`gin-sim policies list`, and then what differs from it."
        )
    for key in ("base", *given):  # the base first: it says what the other keys may be
        try:
            _check_key(key, given[key], given["base"], kinds)
        except PolicyError as error:
            raise PolicyError(f"'{path}', line {_line_of(key, text)}: {error}") from None
    kind = kinds[given["base"]]
    values = kind.defaults()
    for parameter in kind.parameters:
        if parameter.name in given:
            values[parameter.name] = parameter.checked(kind.name, given[parameter.name])
    return FilePolicy(path, kind, values, *(given.get(key, "") for key in _TEXTS))


def _check_key(key: str, value: Any, base: Any, kinds: Mapping[str, PolicyKind]) -> None:
    if key in ("base", *_TEXTS) and not isinstance(value, str):
        raise PolicyError(f"{key} is {value}: it is a text in quotes.")
    if key == "base" and value not in kinds:
        raise PolicyError(
            f"no policy is called '{value}'.{nearest(value, kinds)} "
            "`gin-sim policies list` shows what a base can be."
        )
    if key in ("base", *_TEXTS):
        return
    known = {parameter.name: parameter for parameter in kinds[base].parameters}
    if key not in known:
        raise unknown_parameter(base, key, [*known, *_TEXTS], base)
    known[key].checked(base, value)


def _not_toml(path: str, message: str, text: str) -> str:
    found = _TOML_PLACE.search(message)
    reason = message[: found.start()] if found else message
    place = ""
    if found:
        last = text.rstrip().count("\n") + 1
        place = f", line {found[1]}, column {found[2]}" if found[1] else f", line {last}"
    return f"'{path}'{place}: this is not TOML ({reason[:1].lower()}{reason[1:]})."


def _line_of(key: str, text: str) -> int:
    """Return the line, from 1, where a top-level key's statement begins in valid TOML.

    tomllib gives no line numbers.  But the lines of one statement are TOML by themselves and fewer
    of them are not, also where they hold strings and comments.
    """
    lines = text.replace("\r\n", "\n").split("\n")
    start = 0
    for end in range(1, len(lines) + 1):
        try:
            statement = tomllib.loads("\n".join(lines[start:end]))
        except tomllib.TOMLDecodeError:
            continue
        if key in statement:
            return start + 1
        start = end
    return 1


def read_trained(folder: Path, kinds: Mapping[str, PolicyKind]) -> dict[str, PolicyKind]:
    """Return the policies of a folder of TOML files, each its base with other defaults.

    Parameters
    ----------
    folder : Path
        A file's stem is the policy's name, ``summary`` and ``origin`` say the rest.  Nothing is
        read from a folder that does not exist.
    kinds : mapping of str to PolicyKind
        What ``base`` may name.
    """
    trained = {}
    for path in sorted(folder.glob("*.toml")):
        read = parse_toml(read_text(str(path)), path.name, kinds)
        parameters = tuple(
            dataclasses.replace(parameter, default=read.values[parameter.name])
            for parameter in read.kind.parameters
        )
        trained[path.stem] = dataclasses.replace(
            read.kind,
            name=path.stem,
            summary=read.summary,
            origin=read.origin,
            parameters=parameters,
        )
    return trained


# ---------------------------------------------------------------------------------------------
# Writing


def write_new(path: str, text: str) -> None:
    """Write a new policy's file, whole or not at all.

    Raises
    ------
    PolicyError
        If there is such a file already.
    WriteError
        If it cannot be written.
    """
    if os.path.lexists(path):
        raise PolicyError(f"'{path}' is there already: give another name, or remove it first.")
    write_text(path, text)


def policy_text(
    kind: PolicyKind,
    values: Mapping[str, Value],
    *,
    summary: str = "",
    origin: str = "",
    comments: Iterable[str] = (),
) -> str:
    """Return a TOML file with a comment for every parameter.

    Parameters
    ----------
    kind : PolicyKind
        The base.
    values : mapping of str to value
        What is set; parameters left out stand there as comments, with their defaults.
    summary, origin : str
        Left out if empty.
    comments : iterable of str
        Paragraphs for the top of the file.

    Returns
    -------
    str
        What :func:`parse_toml` reads back to the same values, to the last bit.
    """
    lines = []
    for paragraph in comments:
        lines += [*comment_lines(paragraph), "#"]
    lines = [*lines[:-1], ""] if lines else []
    for key, text in (("summary", summary), ("origin", origin)):
        if text:
            lines.append(f"{key} = {_toml(text)}")
    lines.append(f"base = {_toml(kind.name)}")
    explained = False
    for parameter in kind.parameters:
        lines.append("")
        if parameter.by_bucket and not explained:
            lines += [*comment_lines(_BY_BUCKET), ""]
            explained = True
        if isinstance(parameter.default, str):
            lines += comment_lines(f"{parameter.meaning}: {parameter.range_words()}")
        else:
            lines += comment_lines(
                f"{parameter.meaning} ({parameter.unit}, {parameter.low:g} to {parameter.high:g})"
            )
        value = parameter.plain(values.get(parameter.name, parameter.default))
        sign = "" if parameter.name in values else "# "
        lines.append(f"{sign}{parameter.name} = {_toml(value)}")
    return "\n".join(lines) + "\n"


_BY_BUCKET = (
    f"Weights. One number for all turns, or up to {len(BUCKETS)} in brackets for own turns 1, 2, "
    "3-4, 5-6, 7-9 and 10 on; the last one given also counts later."
)


def comment_lines(text: str) -> list[str]:
    """Return a text as comments of a file, wrapped."""
    return textwrap.wrap(
        text, _WIDTH, initial_indent="# ", subsequent_indent="# ", break_on_hyphens=False
    )


def _toml(value: Any) -> str:
    """Return a text, a number or a list as TOML; a list's repeated end is left out."""
    if isinstance(value, str):
        return json.dumps(value, ensure_ascii=False).replace("\x7f", "\\u007f")
    if isinstance(value, list):
        shown = list(map(_toml, value))
        while len(shown) > 1 and shown[-1] == shown[-2]:
            shown.pop()
        return f"[{', '.join(shown)}]" if len(shown) > 1 else shown[0]
    if isinstance(value, float) and value.is_integer():
        return f"{value:.0f}"
    return repr(value)
