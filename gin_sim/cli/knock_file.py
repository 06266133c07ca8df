"""`gin-sim knock --file`: each position of a file asked about in turn, and a table of the answers.

Each answer is printed as it comes, so that Ctrl-C or a bad position keeps those before it.
"""

from __future__ import annotations

import threading
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from gin_sim.cli.files import source_name, write_objects
from gin_sim.cli.options.position import positions_in
from gin_sim.cli.playing import write_result
from gin_sim.errors import InputError
from gin_sim.positions import Position

if TYPE_CHECKING:
    from gin_sim.advice.answer import Advice


def advise_on_file(
    given: dict[str, Any],
    told: dict[str, Any],
    ask: Callable[[Position], Advice],
    stop: threading.Event,
) -> bool:
    """Ask about each position of a file, print a table or a JSON list, and write it if asked to.

    Returns whether it was stopped before the last.

    Parameters
    ----------
    given : dict
        The command's options.
    told : dict
        Fields for lines that leave them out.
    ask : callable
        Gives advice on a position.
    stop : threading.Event
        Once set, no further position is asked about.
    """
    positions = positions_in(given["path"], told)
    from gin_sim.report.terminal import console, shows_symbols
    from gin_sim.report.text.advice import file_footer, file_header, file_line
    from gin_sim.report.text.advice_told import advice_json

    terminal, symbols = console(), shows_symbols()
    as_table = not given["as_json"]
    answers: list[tuple[int, Advice]] = []
    fault = None
    stopped = False
    if as_table:
        terminal.print(file_header())
    for line, position in positions:
        try:
            advice = ask(position)
        except InputError as error:
            fault = f"line {line} of {source_name(given['path'])}: {error}"
            break
        except KeyboardInterrupt:  # no answer to this one; those before are kept
            stopped = True
            click.echo(f"Stopped before line {line}.", err=True)
            break
        answers.append((line, advice))
        if as_table:
            terminal.print(file_line(line, advice, symbols))
        stopped = stop.is_set() and (advice.partial or len(answers) < len(positions))
        if stopped:
            break
    if not as_table:
        write_objects({"line": line, **advice_json(advice)} for line, advice in answers)
    elif answers:
        terminal.print(file_footer([advice for _, advice in answers], len(positions), stopped))
    if given["out"] is not None and answers:
        _write(answers, given["out"], given["quiet"], len(positions))
    if fault is not None:
        raise InputError(fault)
    return stopped


def _write(answers: list[tuple[int, Advice]], out: Path, quiet: bool, n_positions: int) -> None:
    import pandas as pd

    from gin_sim.report.text.advice_told import advice_json, advice_row

    table = pd.DataFrame([advice_row(line, advice) for line, advice in answers])
    described = {"positions": [{"line": line, **advice_json(advice)} for line, advice in answers]}
    write_result("knock", described, {"positions": table}, out, quiet, charts=False)
    if not quiet:
        of = "All" if len(answers) == n_positions else f"{len(answers)} of the {n_positions}"
        click.echo(f"{of} positions of the file are in it.", err=True)
