"""``gin-sim help``: what a term means, and the help of a command."""

from __future__ import annotations

import json
import shutil
import textwrap

import click

from gin_sim.api.glossary import Term, by_group, explain
from gin_sim.cli.options.common import json_option
from gin_sim.cli.options.groups import Command
from gin_sim.errors import InputError

_WIDEST = 100


@click.command(name="help", cls=Command)
@click.argument("words", nargs=-1, metavar="[TERM]")
@json_option
@click.pass_context
def command(ctx: click.Context, words: tuple[str, ...], as_json: bool) -> None:
    """Explain a term of the game, of statistics or of this tool; without TERM, list all terms.

    The name of a command shows the command's help.

    \b
    Examples:
      gin-sim help
      gin-sim help undercut
      gin-sim help mirrored pair
      gin-sim help simulate
    """
    wanted = " ".join(words)
    if not wanted:
        click.echo(_json([*map(_object, _all())]) if as_json else _list())
        return
    called = None if as_json else _called(ctx, words)
    try:
        term = explain(wanted)
    except InputError:
        if called is None:
            raise
        click.echo(called.get_help())
        return
    click.echo(_json(_object(term)) if as_json else _entry(term))
    if called is not None:
        click.echo(f"\nIt is also a command: `{called.command_path} --help` explains it.")


def _called(ctx: click.Context, words: tuple[str, ...]) -> click.Context | None:
    """Return the context of the command that the words call, or None."""
    found = ctx.find_root()
    for word in words:
        group = found.command
        command = group.get_command(found, word) if isinstance(group, click.Group) else None
        if command is None:
            return None
        found = click.Context(command, info_name=word, parent=found)
    return found


def _all() -> list[Term]:
    return [term for terms in by_group().values() for term in terms]


def _width() -> int:
    return min(shutil.get_terminal_size().columns, _WIDEST)


def _entry(term: Term) -> str:
    also = f" (also: {', '.join(term.also)})" if term.also else ""
    lines = textwrap.wrap(term.text, _width() - 2, initial_indent="  ", subsequent_indent="  ")
    return "\n".join([click.style(term.name, bold=True) + also, *lines])


def _list() -> str:
    """Return the names of all terms, by group."""
    parts = []
    for group, terms in by_group().items():
        names = textwrap.wrap(
            ", ".join(term.name.replace(" ", "\N{NO-BREAK SPACE}") for term in terms),
            _width() - 2,
            initial_indent="  ",
            subsequent_indent="  ",
            break_on_hyphens=False,
        )
        text = "\n".join(names).replace("\N{NO-BREAK SPACE}", " ")
        parts.append(f"{click.style(group, bold=True)}\n{text}")
    parts.append("`gin-sim help TERM` explains one of them; `gin-sim --help` lists the commands.")
    return "\n\n".join(parts)


def _object(term: Term) -> dict[str, object]:
    return {**term._asdict(), "also": list(term.also)}


def _json(value: object) -> str:
    return json.dumps(value, indent=2, ensure_ascii=False)
