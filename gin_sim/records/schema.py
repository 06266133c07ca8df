"""The shape of a hand record: one played hand, one JSON object.

Only types and the names of cards are decided here.  Fields that the format does not know are
ignored and not kept.
"""

from __future__ import annotations

from typing import Literal

import msgspec

from gin_sim.cards import card_name
from gin_sim.rules import OUTCOME_NAMES, STALLED

FORMAT = "gin-sim/hand-record/1"

Seat = Literal[0, 1]
Draw = Literal["pass", "upcard", "stock"]
Kind = Literal[tuple(name for name in OUTCOME_NAMES if name != OUTCOME_NAMES[STALLED])]
Card = Literal[tuple(card_name(card) for card in range(52))]

#: The id of each card as records write it.
CARD_IDS: dict[str, int] = {card_name(card): card for card in range(52)}


class Turn(msgspec.Struct, omit_defaults=True):
    """One action.  ``card`` is the card drawn; a pass has neither card nor discard."""

    player: Seat
    draw: Draw
    card: Card | None = None
    discard: Card | None = None
    knock: bool = False
    big_gin: bool = False


class End(msgspec.Struct):
    """How a hand ended; None where a record does not say.

    ``layoffs`` are pairs of a card and an index into ``knocker_melds``, in the order laid;
    ``points`` are the hand's points by seat, boxes not included.
    """

    kind: Kind | None = None
    knocker: Seat | None = None
    knocker_melds: list[list[Card]] | None = None
    knocker_deadwood: list[Card] | None = None
    defender_melds: list[list[Card]] | None = None
    layoffs: list[tuple[Card, int]] | None = None
    defender_deadwood: list[Card] | None = None
    points: tuple[int, int] | None = None


class HandRecord(msgspec.Struct, kw_only=True, omit_defaults=True):
    """One played hand.

    ``rules`` is the preset's name or the spec that it was played by, ``priced`` the one that its
    end is priced by where that is a different one; ``players[i]`` sat in seat i.
    """

    format: Literal[FORMAT]
    rules: str
    priced: str | None = None
    seed: int | None = None
    deal_index: int | None = None
    leg: Seat | None = None
    players: tuple[str, str]
    dealer: Seat
    deal: tuple[list[Card], list[Card]]
    upcard: Card
    stock: list[Card]
    turns: list[Turn]
    end: End | None = None
