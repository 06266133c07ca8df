"""``gin-sim deadwood``: one hand's best arrangement, or a file of hands."""

from __future__ import annotations

import click

from gin_sim.cli.files import file_option, write_answers
from gin_sim.cli.options.common import json_option
from gin_sim.cli.options.groups import Command
from gin_sim.cli.output import look_up, show
from gin_sim.errors import InputError


@click.command(name="deadwood", cls=Command)
@click.argument("hand", nargs=-1)
@file_option
@json_option
def command(hand: tuple[str, ...], path: str | None, as_json: bool) -> None:
    """Show the best arrangement of HAND, its deadwood and, for eleven cards, every discard.

    HAND is 1 to 11 cards like Td, 10d or td, with or without separators. For eleven cards, the
    arrangement shows the ten cards kept after the best discard. (A card just taken from the pile
    may not be discarded on the same turn: then use the next line of the table.)

    A file has a column named hand; its first line names the columns, and lines that start with #
    are skipped. The result is CSV, or with --json a list of objects.

    \b
    Example:
      gin-sim deadwood "7s7h7d 4h5h6h KcQd2c2d As"
      gin-sim deadwood --file hands.csv --json
    """
    if path is not None and hand:
        raise InputError("HAND and --file are both given: give only one.")
    if path is not None:
        _file_of_hands(path, as_json)
        return
    if not hand:
        raise InputError(
            'no hand is given: write one, like `gin-sim deadwood "7s7h7d 4h5h6h KcQd2c2d"`, or '
            "name a file of hands with --file FILE."
        )
    from gin_sim.api.single_hands import deadwood

    show(look_up(deadwood, " ".join(hand)), as_json)


def _file_of_hands(path: str, as_json: bool) -> None:
    from gin_sim.api.single_hands import HandsError, Rows, deadwood_of_each
    from gin_sim.results.hands import HandAnswer

    rows = Rows(path, ["hand"])
    try:
        answers = look_up(deadwood_of_each, rows.columns["hand"])
    except HandsError as error:
        rows.refuse_bad(error.problems)
        raise
    rows.refuse_bad()
    write_answers(HandAnswer, answers, as_json)
