"""The page of files: every kind of result, its JSON and its tables, from the Structs' docstrings.

A field or a column is described in the docstring of its Struct, or of one that it is based on.
"""

from __future__ import annotations

import importlib
import re
import typing
from collections.abc import Collection, Iterator
from typing import Any

import docstrings
import msgspec
from docstrings import about, cell
from msgspec import Struct

from gin_sim.results.common import Estimate, Result, Row
from gin_sim.results.kinds import KINDS

#: The heading's anchor of each part of a result and of each kind.
Anchors = dict[type[Struct], str]
#: The parts of results with the kinds that have them.
Owners = dict[type[Struct], list[str]]


def files(made: str) -> str:
    """Return the page; ``made`` is the comment that says where it comes from."""
    parts = [
        "# Files, tables and JSON\n",
        made,
        "A command with `--out DIR`, or `.save(DIR)` in Python, leaves these files in a folder:\n",
        "- each table as `NAME.csv`, and as `NAME.parquet` where pyarrow is installed (the extra "
        "`parquet`);\n"
        "- each chart as `NAME.png` and `NAME.svg`;\n"
        "- `manifest.json` with the command, the versions of the libraries, the names of the files "
        "and, under `result`, the whole result as `--json` prints it.\n",
        "The files appear whole or not at all. `gin_sim.load(DIR)` reads the result back, and "
        "`gin-sim chart DIR` draws its charts again.\n",
        "Names do not change with the objective: `objective` says what is judged, `estimate`, "
        "`low` and `high` are the figure and its 95% interval, and `unit` is their unit. Shares "
        "and chances are 0 to 1. What is unknown is `null` in JSON and empty in a table. Deadwood "
        "is in pips.\n",
    ]
    owners = _owners()
    links = _anchors(owners)
    parts.append("## What every result has\n")
    parts.append(_fields(Result, links))
    for tag, kind in sorted(KINDS.items()):
        parts += _kind(tag, kind, owners, links)
    parts += _hand_table()
    parts.append("## Parts that several results have\n")
    for part in (Estimate, *(part for part, users in owners.items() if len(users) > 1)):
        name = _shared_name(part, owners) if part in owners else part.__name__
        parts += [f"### {name}\n", about(part), _fields(part, links)]
    return "\n".join(parts)


def undocumented() -> list[str]:
    """Return every field of a result, a part or a table that no docstring explains."""
    structs = {part for kind in KINDS.values() for part in (kind, *_parts(kind))}
    structs |= {row for kind in KINDS.values() for row in kind.TABLES.values()}
    return sorted(
        f"{struct.__name__}.{field.name}"
        for struct in structs
        for field in msgspec.structs.fields(struct)
        if not _meaning(field, _explained(struct))[1]
    )


def _owners() -> Owners:
    """Return the parts that results are made of, with the kinds that have them."""
    owners: Owners = {}
    for tag, kind in sorted(KINDS.items()):
        for part in _parts(kind):
            if part is not Estimate:
                owners.setdefault(part, []).append(tag)
    return owners


def _anchors(owners: Owners) -> Anchors:
    """Return the heading's anchor of each part and of each kind of result."""
    anchors: Anchors = {kind: f"#{tag}" for tag, kind in KINDS.items()}
    anchors[Estimate] = "#estimate"
    for part, tags in owners.items():
        heading = _shared_name(part, owners) if len(tags) > 1 else f"{tags[0]} {part.__name__}"
        anchors[part] = "#" + heading.lower().replace(" ", "-")
    return anchors


def _shared_name(part: type[Struct], owners: Owners) -> str:
    """Return the heading of a part that several kinds have; with a kind where names meet."""
    namesakes = [each for each in owners if each.__name__ == part.__name__]
    return part.__name__ if len(namesakes) == 1 else f"{part.__name__} of {owners[part][0]}"


def _kind(
    tag: str,
    kind: type[Result],
    owners: Owners,
    links: Anchors,
) -> Iterator[str]:
    yield f"## {tag}\n"
    yield about(kind)
    yield f'`{kind.__name__}` in Python; `"kind": "{tag}"` in JSON.\n'
    yield _fields(kind, links, without=_own_fields(Result))
    for name, row in kind.TABLES.items():
        yield f"### {tag}: table {name}\n"
        yield about(row)
        yield _columns(row)
    for part in _parts(kind):
        if owners.get(part) == [tag]:
            yield f"### {tag}: {part.__name__}\n"
            yield about(part)
            yield _fields(part, links)


def _hand_table() -> list[str]:
    """Return the table of single hands, which is no saved result."""
    try:
        row = importlib.import_module("gin_sim.results.hand_table").PlayedHand
    except ImportError:
        return []
    return [
        "## One row for each hand\n",
        "`gin_sim.hands(...)` gives a DataFrame with these columns; `.to_parquet(FILE)` and "
        "`.to_csv(FILE)` write it.\n",
        about(row),
        _columns(row),
    ]


def _own_fields(struct: type[Struct]) -> set[str]:
    return {field.name for field in msgspec.structs.fields(struct)}


def _fields(struct: type[Struct], links: Anchors, without: Collection[str] = ()) -> str:
    """Return the fields of a Struct as a table."""
    texts = _explained(struct)
    rows = ["| field | type | meaning |", "|---|---|---|"]
    for field in msgspec.structs.fields(struct):
        if field.name not in without:
            kind, text = _meaning(field, texts)
            named = {part.__name__: links[part] for part in _structs_in(field.type)}
            linked = re.sub(
                r"\b[A-Z]\w+\b",
                lambda word, named=named: (
                    f"[{word[0]}]({named[word[0]]})" if word[0] in named else word[0]
                ),
                cell(kind),
            )
            rows.append(f"| `{field.encode_name}` | {linked} | {cell(text)} |")
    return "\n".join(rows) + "\n" if len(rows) > 2 else ""


def _meaning(field: Any, texts: dict[str, tuple[str, str]]) -> tuple[str, str]:
    """Return a field's type and meaning; a part that its owner does not explain does so itself."""
    kind, text = texts.get(field.name, ("", ""))
    if not text and isinstance(field.type, type) and issubclass(field.type, Struct):
        text = docstrings.read(field.type).summary
    return kind, text


def _columns(row: type[Row]) -> str:
    """Return the columns of a table."""
    texts = _explained(row)
    rows = ["| column | meaning |", "|---|---|"]
    for field in msgspec.structs.fields(row):
        _, text = _meaning(field, texts)
        names = [field.name]
        if field.type is Estimate:
            before = "" if field.name == "figure" else f"{field.name}_"
            names = [f"{before}{end}" for end in ("estimate", "low", "high")]
        elif field.name == "values":
            names = ["more columns"]
        shown = ", ".join(name if " " in name else f"`{name}`" for name in names)
        rows.append(f"| {shown} | {cell(text)} |")
    return "\n".join(rows) + "\n"


def _explained(struct: type) -> dict[str, tuple[str, str]]:
    """Return the type and the meaning of each field, from a Struct's docstring or its bases'.

    A docstring may refer to a base ("As in every result"): then the base's own words are taken.
    """
    found: dict[str, tuple[str, str]] = {}
    for owner in reversed(struct.__mro__):
        if owner in (object, Struct) or not owner.__doc__:
            continue
        for entry in docstrings.read(owner).entries():
            for name in entry.names:
                if name not in found or not entry.text.startswith("As "):
                    found[name] = entry.type, entry.text
    return found


def _structs_in(kind: Any) -> list[type[Struct]]:
    """Return the Structs that a type names."""
    found = [each for inner in typing.get_args(kind) for each in _structs_in(inner)]
    return [*found, kind] if isinstance(kind, type) and issubclass(kind, Struct) else found


def _parts(struct: type[Struct]) -> list[type[Struct]]:
    """Return the Structs that a Struct's fields hold, itself left out, in order."""
    found: list[type[Struct]] = []

    def visit(owner: type[Struct]) -> None:
        for field in msgspec.structs.fields(owner):
            for part in _structs_in(field.type):
                if part not in found and part not in KINDS.values():
                    found.append(part)
                    visit(part)

    visit(struct)
    return found
