"""``gin-sim layoff``: how a knock ends, or a file of knocks."""

from __future__ import annotations

from functools import partial

import click

from gin_sim.cards import parse_card, parse_hand
from gin_sim.cli.files import Rows, file_option, write_csv, write_object, write_objects
from gin_sim.cli.options.common import json_option, rules_option
from gin_sim.cli.options.groups import Command
from gin_sim.errors import InputError
from gin_sim.rules import Rules, parse_rules

_parse_knocker = partial(parse_hand, sizes=(10, 11), what="the knocker")
_parse_defender = partial(parse_hand, sizes=(10,), what="the defender")


@click.command(name="layoff", cls=Command)
@click.option(
    "--knocker",
    metavar="HAND",
    default=None,
    help="The knocker's ten cards, or eleven that all meld (big gin).",
)
@click.option("--defender", metavar="HAND", default=None, help="The defender's ten cards.")
@rules_option
@click.option(
    "--upcard",
    metavar="CARD",
    default=None,
    help="The first upcard, for rules like oklahoma's that take the knock limit or a doubling "
    "from it.  [default: unknown; a limit of 10 and no doubling]",
)
@file_option
@json_option
def command(
    knocker: str | None,
    defender: str | None,
    rules_spec: str,
    upcard: str | None,
    path: str | None,
    as_json: bool,
) -> None:
    """Settle a knock: spread, layoffs, the defender's melds and the score.

    The knocker shows the arrangement that gives away least to a hand it has not seen; the
    defender chooses its melds and its layoffs together, to be left with least. Points are those
    of the hand, without a box.

    A file has columns named knocker and defender, and may have one named upcard, used in place of
    --upcard where it is filled in; its first line names the columns, and lines that start with #
    are skipped. The result is CSV, or with --json a list of objects.

    \b
    Example:
      gin-sim layoff --knocker "JsQsKs TdTcTh Ac2d3hAd" --defender "Ts9s4h6d8c2h5c7d3sQd"
      gin-sim layoff --file knocks.csv --rules classic
    """
    rules = parse_rules(rules_spec)
    upcard_id = None if upcard is None else parse_card(upcard)
    if path is not None:
        if knocker is not None or defender is not None:
            raise InputError("hands and --file are both given: give one of them.")
        _file_of_knocks(path, rules, upcard_id, as_json)
        return
    if knocker is None or defender is None:
        missing = [
            option
            for option, hand in (("--knocker", knocker), ("--defender", defender))
            if hand is None
        ]
        raise InputError(
            f"{' and '.join(missing)} {'is' if len(missing) == 1 else 'are'} not given: give both "
            "hands, like --knocker HAND --defender HAND, or a file of them with --file FILE."
        )
    _one_knock(knocker, defender, rules, upcard_id, as_json)


def _one_knock(
    knocker: str, defender: str, rules: Rules, upcard: int | None, as_json: bool
) -> None:
    masks = _parse_knocker(knocker), _parse_defender(defender)
    from gin_sim import hands
    from gin_sim.report.terminal import note_compiling, shows_symbols
    from gin_sim.report.text import hands as drawn

    note_compiling(hands.settle_knocks)
    settlement = hands.settle(*masks, rules, upcard=upcard)
    if as_json:
        write_object(drawn.settlement_object(knocker, defender, settlement, rules))
    else:
        bold = partial(click.style, bold=True)
        click.echo("\n".join(drawn.settlement_lines(settlement, rules, shows_symbols(), bold)))


def _file_of_knocks(path: str, rules: Rules, upcard: int | None, as_json: bool) -> None:
    rows = Rows(path, ["knocker", "defender"], ["upcard"])
    knockers = rows.parsed("knocker", _parse_knocker)
    defenders = rows.parsed("defender", _parse_defender)
    upcards = [upcard] * len(knockers)
    if "upcard" in rows.columns:
        upcards = rows.parsed("upcard", lambda text: parse_card(text) if text.strip() else upcard)
    rows.refuse_bad()
    from gin_sim import hands
    from gin_sim.report.terminal import note_compiling
    from gin_sim.report.text import hands as drawn

    note_compiling(hands.settle_knocks)
    settlements = []
    try:
        settlements = hands.settle_hands(knockers, defenders, rules, upcards)
    except hands.HandsError as error:
        rows.refuse_bad(error.problems)
    texts = rows.columns["knocker"], rows.columns["defender"]
    if as_json:
        write_objects(map(partial(drawn.settlement_object, rules=rules), *texts, settlements))
    else:
        write_csv(drawn.SETTLEMENT_COLUMNS, map(drawn.settlement_row, *texts, settlements))
