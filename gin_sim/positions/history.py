"""What both players did in a hand as one of them saw it, and how that is written.

Whether the acts can have happened is the referee's question, not this module's.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass
from typing import NamedTuple

from gin_sim.cards import CardError, card_name, parse_card
from gin_sim.errors import InputError

# Kinds of an act.
PASS, STOCK, UPCARD = range(3)
_LETTERS = "psu"

ME, OPPONENT = range(2)
NO_CARD = -1

_SEPARATORS = re.compile(r"[\s,;]+")
_TOKEN = re.compile(r"([psu])([^/]*)(?:/(.*))?", re.IGNORECASE)
_FORMS = (
    "a turn is p (passed the first upcard), s/Qd (drew from the stock and discarded the queen of "
    "diamonds), s7h/Qd (drew the seven of hearts) or u/7c (took the upcard)"
)


class PositionError(InputError):
    """A position that cannot come about in play; the message is a sentence."""


class Act(NamedTuple):
    """One act of a player.

    Parameters
    ----------
    kind : int
        PASS, STOCK or UPCARD.
    drawn : int
        Card id; NO_CARD for a pass and where a stock card was not seen or is not given.
    discarded : int
        Card id; NO_CARD for a pass and for a turn that is not finished.
    """

    kind: int
    drawn: int = NO_CARD
    discarded: int = NO_CARD

    @property
    def is_finished(self) -> bool:
        """Whether the turn is over."""
        return self.kind == PASS or self.discarded != NO_CARD


@dataclass(frozen=True)
class History:
    """All that was done in the hand.

    Parameters
    ----------
    first_upcard : int
        Card id.
    acts : tuple of Act
        One a turn from the first player on; with eleven cards in hand the last is the unfinished
        turn of the player whose position it is.
    """

    first_upcard: int
    acts: tuple[Act, ...] = ()


def parse_history(text: str) -> tuple[Act, ...]:
    """Read a history, one token a turn, separated by spaces or commas.

    Parameters
    ----------
    text : str
        Such as ``"p p s/Qd u/7c s7h/Ks"``, from the first player, who is not the dealer, on.

    Raises
    ------
    PositionError
        If a token is not a turn; the sentence names it.
    """
    tokens = [token for token in _SEPARATORS.split(text) if token]
    return tuple(_parse_act(token, number) for number, token in enumerate(tokens, 1))


def _parse_act(token: str, number: int) -> Act:
    found = _TOKEN.fullmatch(token)
    if found is None:
        raise PositionError(f"turn {number} of the history is '{token}': {_FORMS}.")
    kind = _LETTERS.index(found[1].lower())
    if kind == PASS and token.lower() != "p":
        raise PositionError(
            f"turn {number} of the history is '{token}', and a pass names no card: write p."
        )
    try:
        drawn = parse_card(found[2]) if found[2] else NO_CARD
        discarded = NO_CARD if found[3] is None else parse_card(found[3])
    except CardError as error:
        raise PositionError(f"turn {number} of the history is '{token}': {error}") from None
    return Act(kind, drawn, discarded)


def act_text(act: Act) -> str:
    """Return an act as a token; a taken card is not named, since it is the upcard."""
    drawn = card_name(act.drawn) if act.kind == STOCK and act.drawn != NO_CARD else ""
    discarded = f"/{card_name(act.discarded)}" if act.discarded != NO_CARD else ""
    return f"{_LETTERS[act.kind]}{drawn}{discarded}"


def history_text(acts: Iterable[Act]) -> str:
    """Return acts as text that :func:`parse_history` reads."""
    return " ".join(map(act_text, acts))


def shown(card: int) -> str:
    """Return a card as sentences show it."""
    return card_name(card, symbols=True)
