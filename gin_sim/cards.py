"""Cards as text, as ids and as masks, and nothing else: no rule of the game lives here.

A card id is ``13 * suit + rank`` with suit 0-3 for spades, hearts, diamonds, clubs and rank
0-12 for ace to king.  A mask is an int whose bit ``card`` is set for each card held.  Text is
read leniently (``Td``, ``10d``, ``T♦``, ``td``, with or without separators) and written in one
way (``Td``, or ``T♦`` for a terminal that can show it).
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable

from gin_sim.errors import InputError

RANKS = "A23456789TJQK"
SUITS = "shdc"
SUIT_SYMBOLS = "♠♥♦♣"
N_CARDS = 52
HAND_SIZE = 10
#: What is left to draw from once both hands are dealt and the first upcard lies face up.
STOCK_SIZE = N_CARDS - 2 * HAND_SIZE - 1
FULL_DECK = (1 << N_CARDS) - 1

_SUIT_OF = {letter: i for i, letter in enumerate(SUITS)}
_SUIT_OF |= {letter.upper(): i for i, letter in enumerate(SUITS)}
_SUIT_OF |= {symbol: i for i, symbol in enumerate(SUIT_SYMBOLS)}
_SUIT_OF |= {symbol: i for i, symbol in enumerate("♤♡♢♧")}
_RANK_OF = {letter: i for i, letter in enumerate(RANKS)}
_RANK_OF |= {letter.lower(): i for i, letter in enumerate(RANKS)} | {"10": 9}

# A suit symbol may carry the "draw as emoji" or "draw as text" selector.
_CARD = re.compile(r"(10|[2-9AaTtJjQqKk])([SHDCshdc♠♥♦♣♤♡♢♧])[\ufe0e\ufe0f]?")
_NAME = re.compile(rf"\b([{RANKS}])([{SUITS}])\b")  # as card_name writes it
_SEPARATORS = re.compile(r"[\s,;:|/+\-()\[\]\"']*")
_WORD = re.compile(r"[^\s,;:|/+\-()\[\]\"']{1,12}")
_CARD_FORM = (
    "a card is a rank (A 2-9 T or 10, J Q K) and a suit (s h d c or ♠ ♥ ♦ ♣), like Td or 10♦"
)


class CardError(InputError):
    """Text that does not name the cards that were asked for; the message is a sentence."""


def pips(card: int) -> int:
    """Return the pips of a card id: ace 1, two to nine their face value, T J Q K 10."""
    return min(card % 13 + 1, 10)


def card_name(card: int, symbols: bool = False) -> str:
    """Return a card id as two characters, ``"Td"``, or ``"T♦"`` with ``symbols``."""
    return RANKS[card % 13] + (SUIT_SYMBOLS if symbols else SUITS)[card // 13]


def card_names(cards: int | Iterable[int], symbols: bool = False) -> list[str]:
    """Return the names of the cards of a mask (in id order) or of ids (in their own order)."""
    ids = cards_of(cards) if isinstance(cards, int) else cards
    return [card_name(card, symbols) for card in ids]


def with_symbols(text: str) -> str:
    """Return a text with the suit of each card in it as a symbol: ``Td 9s`` as ``T♦ 9♠``."""
    return _NAME.sub(lambda found: found[1] + SUIT_SYMBOLS[SUITS.index(found[2])], text)


def parse_cards(text: str) -> list[int]:
    """Read cards in order from lenient text.

    Parameters
    ----------
    text : str
        Cards such as ``"7s7h7d 4h5h6h"``, ``"10♦, Kc"`` or ``"td|KC"``; separators are optional.

    Returns
    -------
    list of int
        Card ids in the order written, each at most once.

    Raises
    ------
    CardError
        If a piece of the text is not a card, or a card is there twice.
    """
    cards: list[int] = []
    at = _SEPARATORS.match(text).end()
    while at < len(text):
        found = _CARD.match(text, at)
        if found is None:
            word = _WORD.match(text, at)
            raise CardError(f"'{word.group() if word else text[at]}' is not a card: {_CARD_FORM}.")
        card = 13 * _SUIT_OF[found.group(2)] + _RANK_OF[found.group(1)]
        if card in cards:
            raise CardError(
                f"{card_name(card, symbols=True)} is there twice: each card of the deck can be "
                "given only once."
            )
        cards.append(card)
        at = _SEPARATORS.match(text, found.end()).end()
    return cards


def parse_card(text: str) -> int:
    """Read exactly one card; :class:`CardError` otherwise."""
    cards = parse_cards(text)
    if len(cards) != 1:
        raise CardError(f"'{text}' names {len(cards)} cards where one is expected: {_CARD_FORM}.")
    return cards[0]


def parse_hand(text: str, sizes: Collection[int], what: str = "a hand") -> int:
    """Read a hand of one of the given sizes and return its mask.

    Raises
    ------
    CardError
        As :func:`parse_cards`, or if the count is not in ``sizes``; the sentence names both.
    """
    cards = parse_cards(text)
    if len(cards) not in sizes:
        raise count_error(cards, sizes, what)
    return mask_of(cards)


def count_error(cards: list[int], sizes: Collection[int], what: str = "a hand") -> CardError:
    """Return the error for card ids that are too many or too few; the sentence shows them."""
    wanted = " or ".join(str(size) for size in sorted(sizes))
    if len(sizes) > 2 and len(sizes) == max(sizes) - min(sizes) + 1:
        wanted = f"{min(sizes)} to {max(sizes)}"
    shown = " ".join(card_names(cards, symbols=True)) or "nothing"
    return CardError(
        f"{what} has {wanted} cards, and {len(cards)} {'is' if len(cards) == 1 else 'are'} "
        f"given ({shown})."
    )


def mask_of(cards: Iterable[int]) -> int:
    """Return the mask of some card ids."""
    mask = 0
    for card in cards:
        mask |= 1 << card
    return mask


def cards_of(mask: int) -> list[int]:
    """Return the card ids of a mask, ascending."""
    mask = int(mask)
    cards = []
    while mask:
        cards.append((mask & -mask).bit_length() - 1)
        mask &= mask - 1
    return cards


def by_rank(cards: Iterable[int]) -> list[int]:
    """Return card ids sorted by rank, then suit, as players hold them."""
    return sorted(cards, key=lambda card: (card % 13, card // 13))
