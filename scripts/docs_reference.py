"""The pages of the reference that are made from the program itself, as Markdown.

The command line is described from its commands, the files from the Structs of the results, the
functions from their docstrings, and the glossary from its terms.
"""

from __future__ import annotations

import inspect
import json
import textwrap
from collections.abc import Callable, Iterator
from typing import Any

import click
import docstrings
from docs_files import files
from docstrings import about, cell, markdown

import gin_sim
from gin_sim import api
from gin_sim.cli import group
from gin_sim.cli.options.groups import FIRST, HEADINGS, MAIN, heading_of
from gin_sim.glossary import by_group
from gin_sim.results.common import Result

_WIDEST = 100  # characters in a line
_MADE = "<!-- Made by scripts/docs.py; do not edit. -->\n"


def pages() -> dict[str, Callable[[], str]]:
    """Return what writes each page, by its path in docs/."""
    return {
        "glossary.md": glossary,
        "reference/cli.md": cli,
        "reference/files.md": lambda: files(_MADE),
        "reference/python.md": python,
    }


# ------------------------------------------------------------------------------- the glossary


def glossary() -> str:
    """Return the page of all terms."""
    parts = [
        "# Glossary\n",
        _MADE,
        "The words of gin rummy, of statistics and of this tool. `gin-sim help TERM` prints one "
        "of them.\n",
    ]
    for name, terms in by_group().items():
        parts.append(f"## {name}\n")
        for term in terms:
            also = f"\n\nAlso: {', '.join(term.also)}." if term.also else ""
            parts.append(f"### {term.name[0].upper()}{term.name[1:]}\n\n{term.text}{also}\n")
    return "\n".join(parts)


# ---------------------------------------------------------------------------- the command line


def cli() -> str:
    """Return the page of all commands and their options."""
    parts = [
        "# The command line\n",
        _MADE,
        "Each command prints a table. `--json` prints one JSON value instead, and `--out DIR` "
        "leaves tables, charts and a manifest in a folder ([files](files.md)). `-h` or `--help` "
        "shows a command's options on the terminal, and `gin-sim -V` the version.\n",
        "A mistake in the input is one sentence on standard error and exit code 2. After Ctrl-C, "
        "SIGTERM or the end of its terminal, a command prints and writes what is finished, marked "
        "as partial, with exit code 130; a second Ctrl-C stops at once. "
        "Counts may be written as `250000`, `250_000`, `250,000` or `2.5e5`.\n",
    ]
    context = click.Context(group, info_name="gin-sim")
    for name in group.list_commands(context):
        parts += _command(group.get_command(context, name), context, name)
    return "\n".join(parts)


def _command(command: click.Command | None, parent: click.Context, name: str) -> list[str]:
    assert command is not None
    context = click.Context(command, info_name=name, parent=parent)
    level = "##" if parent.parent is None else "###"
    parts = [f"{level} {context.command_path}\n"]
    text, _, examples = (command.help or "").replace("\b", "").partition("Example")
    for paragraph in textwrap.dedent(text).strip().split("\n\n"):
        parts.append(_escaped(" ".join(paragraph.split())) + "\n")
    if isinstance(command, click.Group):
        for each in command.list_commands(context):
            parts += _command(command.get_command(context, each), context, each)
        return parts
    usage = " ".join(command.collect_usage_pieces(context))
    lines = [line.strip() for line in examples.partition("\n")[2].splitlines() if line.strip()]
    parts.append("```sh\n" + "\n".join([f"{context.command_path} {usage}", "", *lines]) + "\n```\n")
    parts += _options(command, context)
    return parts


def _options(command: click.Command, context: click.Context) -> Iterator[str]:
    first = FIRST.get(command.name or "", ())
    sections: dict[str, list[tuple[str, str]]] = {MAIN: [], **{name: [] for name in HEADINGS}}
    for parameter in command.get_params(context):
        record = parameter.get_help_record(context)
        if record is None or not record[1] or "--help" in parameter.opts:
            continue
        name = next((each for each in parameter.opts if each.startswith("--")), parameter.opts[0])
        heading = MAIN if name in first or not first else heading_of(name)
        sections.setdefault(heading, []).append(record)
    rows = ["| option | |", "|---|---|"]
    for heading, records in sections.items():
        if records and first:
            rows.append(f"| **{heading}** | |")
        rows += [f"| {_code(names)} | {_escaped(text)} |" for names, text in records]
    if len(rows) > 2:
        yield "\n".join(rows) + "\n"


def _code(text: str) -> str:
    """Return code for the cell of a table, where a bar within backquotes is read in two ways."""
    if "|" not in text:
        return f"`{text}`"
    return f"<code>{text.replace('<', '&lt;').replace('|', '&#124;')}</code>"


def _escaped(text: str) -> str:
    return text.replace("|", "\\|").replace("<", "&lt;").replace("*", "\\*").replace("_", "\\_")


# -------------------------------------------------------------------------------- the functions


def python() -> str:
    """Return the page of the public names."""
    parts = [
        "# The Python functions\n",
        _MADE,
        "`import gin_sim` gives these names. It loads nothing heavy: each function is loaded when "
        "it is first used. The [notebook page](../howto/notebook.md) shows them at work.\n",
        'A policy is a spec such as `"greedy:knock=5"`, the path of a TOML or Python file, a '
        "`gin_sim.Policy`, or plain Python functions. Rules are a spec such as "
        '`"standard:gin_bonus=20"` or a `gin_sim.Rules`. Counts may be written as `1e6`. '
        "`progress=True` shows a bar, and `progress=function` calls a function with what is done, "
        "how much there is and its unit. `stop` takes a `threading.Event`; once it is set, what "
        "is finished is returned, marked as partial. Input that cannot be used raises "
        "`gin_sim.InputError`, whose text is a sentence.\n",
    ]
    names = [name for name in gin_sim.__all__ if not name.startswith("_")]
    functions = [name for name in names if not isinstance(getattr(gin_sim, name), type)]
    for name in sorted(functions):
        parts += _function(f"gin_sim.{name}", getattr(gin_sim, name))
    parts += ["## What every result can do\n", about(Result), _members(Result)]
    for name in sorted(set(names) - set(functions)):
        parts += _class(f"gin_sim.{name}", getattr(gin_sim, name))
    more = [name for name in api.__all__ if name not in names]
    if more:
        parts.append("## More functions\n")
        parts.append("These are in `gin_sim.api`.\n")
        for name in sorted(more):
            parts += _function(f"gin_sim.api.{name}", getattr(api, name), "###")
    return "\n".join(parts)


def _function(name: str, function: Any, level: str = "##") -> Iterator[str]:
    found = docstrings.read(function)
    yield f"{level} {name}\n"
    yield f"```py\n{name}{_signature(function, name)}\n```\n"
    yield markdown("\n\n".join(filter(None, [found.summary, found.more]))) + "\n"
    yield from _sections(found)


def _sections(found: docstrings.Docstring) -> Iterator[str]:
    entries = found.entries()
    if entries:
        rows = ["| parameter | type | meaning |", "|---|---|---|"]
        for entry in entries:
            names = ", ".join(f"`{name}`" for name in entry.names)
            rows.append(f"| {names} | {cell(entry.type)} | {cell(entry.text)} |")
        yield "\n".join(rows) + "\n"
    for section in ("Returns", "Raises"):
        if section in found.sections:
            told = "; ".join(
                ": ".join(filter(None, [f"`{', '.join(entry.names)}`", markdown(entry.text)]))
                for entry in found.entries(section)
            )
            yield f"{section} {told}\n"
    if "Examples" in found.sections:
        yield f"```pycon\n{found.sections['Examples'].strip()}\n```\n"


def _signature(function: Any, before: str = "") -> str:
    """Return a signature without types, as the formatter writes it: on lines where it is long."""
    parts = []
    names_only = False
    for each in inspect.signature(function).parameters.values():
        if each.name in ("self", "cls"):
            continue
        if each.kind is each.KEYWORD_ONLY and not names_only:
            parts.append("*")
        names_only |= each.kind in (each.KEYWORD_ONLY, each.VAR_POSITIONAL)
        stars = {each.VAR_POSITIONAL: "*", each.VAR_KEYWORD: "**"}.get(each.kind, "")
        default = "" if each.default is each.empty else f"={_literal(each.default)}"
        parts.append(f"{stars}{each.name}{default}")
    line = f"({', '.join(parts)})"
    if not before or len(before + line) <= _WIDEST:
        return line
    return "(\n" + "".join(f"    {part},\n" for part in parts) + ")"


def _literal(value: Any) -> str:
    """Return a default as code, texts in double quotes."""
    return json.dumps(value, ensure_ascii=False) if isinstance(value, str) else repr(value)


def _class(name: str, kind: type) -> Iterator[str]:
    found = docstrings.read(kind)
    yield f"## {name}\n"
    yield markdown("\n\n".join(filter(None, [found.summary, found.more]))) + "\n"
    yield from _sections(found)
    if members := _members(kind):
        yield members


def _members(kind: type) -> str:
    """Return the public methods and properties of a class, one a line."""
    rows = ["| | |", "|---|---|"]
    seen: set[str] = set()
    for owner in kind.__mro__:
        if not owner.__module__.startswith("gin_sim"):
            continue
        for name, member in owner.__dict__.items():
            if name.startswith("_") or name in seen:
                continue
            seen.add(name)
            called = inspect.unwrap(getattr(member, "__func__", member))
            if isinstance(member, property):
                rows.append(f"| `.{name}` | {cell(docstrings.read(member).summary)} |")
            elif inspect.isfunction(called):
                rows.append(
                    f"| `.{name}{_signature(called)}` | {cell(docstrings.read(called).summary)} |"
                )
    return "\n".join(rows) + "\n" if len(rows) > 2 else ""
