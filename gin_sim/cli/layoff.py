"""``gin-sim layoff``: how a knock ends, or a file of knocks."""

from __future__ import annotations

import click

from gin_sim.cli.files import file_option, write_answers
from gin_sim.cli.options.common import json_option, rules_option
from gin_sim.cli.options.groups import Command
from gin_sim.cli.output import look_up, show
from gin_sim.errors import InputError


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

    The knocker has not seen the defender's hand and shows the arrangement that should give away
    least. The defender chooses melds and layoffs together, to keep as little deadwood as possible.
    The points are those of the hand, without a box.

    A file has columns named knocker and defender, and may have one named upcard, which replaces
    --upcard where it is filled in. Its first line names the columns, and lines that start with #
    are skipped. The result is CSV, or with --json a list of objects.

    \b
    Example:
      gin-sim layoff --knocker "JsQsKs TdTcTh Ac2d3hAd" --defender "Ts9s4h6d8c2h5c7d3sQd"
      gin-sim layoff --file knocks.csv --rules classic
    """
    if path is not None:
        if knocker is not None or defender is not None:
            raise InputError("hands and --file are both given: give only one.")
        _file_of_knocks(path, rules_spec, upcard, as_json)
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
    from gin_sim.api.single_hands import settle

    show(look_up(settle, knocker, defender, rules=rules_spec, upcard=upcard), as_json)


def _file_of_knocks(path: str, rules_spec: str, upcard: str | None, as_json: bool) -> None:
    from gin_sim.api.single_hands import HandsError, Rows, settle_each
    from gin_sim.results.hands import Settlement

    rows = Rows(path, ["knocker", "defender"], ["upcard"])
    hands = rows.columns["knocker"], rows.columns["defender"]
    upcards = [cell.strip() or upcard for cell in rows.columns.get("upcard", [""] * len(hands[0]))]
    try:
        answers = look_up(settle_each, *hands, upcards, rules=rules_spec)
    except HandsError as error:
        rows.refuse_bad(error.problems)
        raise
    rows.refuse_bad()
    write_answers(Settlement, answers, as_json)
