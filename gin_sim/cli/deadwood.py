"""``gin-sim deadwood``: one hand's best arrangement, or a file of hands."""

from __future__ import annotations

from functools import partial

import click

from gin_sim.cards import parse_hand
from gin_sim.cli.files import Rows, file_option, write_csv, write_object, write_objects
from gin_sim.cli.options.common import json_option
from gin_sim.cli.options.groups import Command
from gin_sim.errors import InputError


@click.command(name="deadwood", cls=Command)
@click.argument("hand", nargs=-1)
@file_option
@json_option
def command(hand: tuple[str, ...], path: str | None, as_json: bool) -> None:
    """Show the best arrangement of HAND, its deadwood and, for eleven cards, every discard.

    HAND is 1 to 11 cards like Td, 10d or td, suit symbols too, with or without separators. Of
    eleven, the arrangement is that of the ten cards kept after the best discard. (A card just
    taken from the pile may not be discarded on the same turn: then read on down the table.)

    A file has a column named hand; its first line names the columns, and lines that start with #
    are skipped. The result is CSV, or with --json a list of objects.

    \b
    Example:
      gin-sim deadwood "7s7h7d 4h5h6h KcQd2c2d As"
      gin-sim deadwood --file hands.csv --json
    """
    if path is not None and hand:
        raise InputError("a HAND and --file are both given: give one of them.")
    if path is None and not hand:
        raise InputError(
            'no hand is given: write one, like `gin-sim deadwood "7s7h7d 4h5h6h KcQd2c2d"`, or '
            "name a file of hands with --file FILE."
        )
    if path is not None:
        _file_of_hands(path, as_json)
    else:
        _one_hand(" ".join(hand), as_json)


def _one_hand(text: str, as_json: bool) -> None:
    mask = parse_hand(text, range(1, 12))
    from gin_sim import hands
    from gin_sim.report.terminal import note_compiling, shows_symbols
    from gin_sim.report.text import hands as drawn

    note_compiling(hands.arrange_hands)
    report = hands.analyse_hand(mask)
    if as_json:
        write_object(drawn.hand_object(text, report))
    else:
        bold = partial(click.style, bold=True)
        click.echo("\n".join(drawn.hand_lines(report, shows_symbols(), bold)))


def _file_of_hands(path: str, as_json: bool) -> None:
    rows = Rows(path, ["hand"])
    masks = rows.parsed("hand", partial(parse_hand, sizes=range(1, 12)))
    rows.refuse_bad()
    from gin_sim import hands
    from gin_sim.report.terminal import note_compiling
    from gin_sim.report.text import hands as drawn

    note_compiling(hands.arrange_hands)
    reports = hands.analyse_hands(masks)
    texts = rows.columns["hand"]
    if as_json:
        write_objects(map(drawn.hand_object, texts, reports))
    else:
        write_csv(drawn.HAND_COLUMNS, map(drawn.hand_row, texts, reports))
