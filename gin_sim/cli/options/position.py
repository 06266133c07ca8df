"""The options that say which position is asked about: by its cards, or out of a hand record."""

from __future__ import annotations

import click

from gin_sim.cli.options.common import Count

#: What :func:`gin_sim.parse_position` takes beside the hand and the rules.
FIELDS = ("first", "history", "turn", "pile", "took", "discarded", "score", "boxes", "dealer")
#: What says which position of a hand record it is.
OF_A_RECORD = ("number", "player", "moment")


def position_options(command):
    """Add the options that say a position by its cards."""
    options = (
        click.argument("hand", required=False),
        click.option("--first", metavar="CARD", help="The first upcard."),
        click.option(
            "--history",
            metavar="TURNS",
            help="What both players did, one token per turn, the first player (not the dealer) "
            "first: p passed the first upcard, s/Qd drew from the stock and discarded the queen of "
            "diamonds, s7h/Qd drew the seven of hearts, u/7c took the upcard.",
        ),
        click.option(
            "--turn",
            type=Count(0, 999),
            metavar="N",
            help="Your own turn number, if the history is not known; with --records the turn to "
            "ask about.  [default there: the last]",
        ),
        click.option(
            "--pile",
            metavar="CARDS",
            help="Without a history: the discard pile, bottom card first.",
        ),
        click.option("--took", metavar="CARDS", help="Without a history: cards the opponent took."),
        click.option(
            "--discarded",
            metavar="CARDS",
            help="Without a history: cards of the pile that the opponent discarded.",
        ),
        click.option(
            "--dealer",
            type=click.Choice(["me", "opponent"]),
            help="Who dealt; not needed with a history.",
        ),
        click.option("--score", metavar="SCORE", help="Points so far, yours first: 45-20."),
        click.option(
            "--boxes",
            metavar="BOXES",
            help="Hands won so far, yours first: 3-1.  [default: the fewest possible]",
        ),
    )
    for option in reversed(options):
        command = option(command)
    return command


def record_options(command):
    """Add the options that take positions out of files."""
    options = (
        click.option("--records", metavar="FILE", help="Take the position out of a hand record."),
        click.option(
            "--hand", "number", type=Count(1), help="With --records: which hand.  [default: 1]"
        ),
        click.option(
            "--player",
            type=click.IntRange(0, 1),
            help="With --records: whose turn, seat 0 or 1.  [default: the one who knocked, or "
            "else acted last]",
        ),
        click.option(
            "--moment",
            type=click.Choice(["discard", "draw", "offer"]),
            help="With --records: with a card to discard, before the draw, or at the offer of the "
            "first upcard.  [default: discard]",
        ),
        click.option(
            "--file",
            "path",
            metavar="FILE",
            help="Ask about each position of a CSV or JSON Lines file, whose fields have the names "
            "of the options (hand, first, history, turn, pile, took, discarded, dealer, score, "
            "boxes, rules); - is standard input.",
        ),
    )
    for option in reversed(options):
        command = option(command)
    return command
