"""Reading a position from text: fields of a command line or of a file.

What is given beside a history is compared with what the history says.
"""

from __future__ import annotations

import inspect
import re
from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

from gin_sim.cards import HAND_SIZE, CardError, card_names, count_error, parse_card, parse_cards
from gin_sim.positions.history import (
    NO_CARD,
    History,
    PositionError,
    parse_history,
    shown,
)
from gin_sim.positions.memory import Memory
from gin_sim.positions.position import Position
from gin_sim.positions.seen import Seen
from gin_sim.rules import Rules, parse_rules
from gin_sim.words import listed, nearest

_DEALERS = {"me": True, "opponent": False}


def parse_position(
    hand: str,
    first: str | None = None,
    history: str | None = None,
    turn: int | str | None = None,
    pile: str | None = None,
    took: str | None = None,
    discarded: str | None = None,
    score: str | Sequence[int] = (0, 0),
    boxes: str | Sequence[int] | None = None,
    dealer: str | None = None,
    rules: str | Rules = "standard",
) -> Position:
    """Read a position from text.

    Parameters
    ----------
    hand : str
        Ten cards before the draw or eleven after it; where nothing names the card drawn it is the
        last one.
    first : str, optional
        The first upcard.
    history : str, optional
        The acts of both from the first player on, see
        :func:`gin_sim.positions.history.parse_history`.
    turn : int or str, optional
        Own turn number from 1.  Without a history, or to be checked against it; likewise the next
        four.
    pile, took, discarded : str, optional
        The pile from the bottom; the cards that the opponent took; those of the pile it discarded.
    score, boxes : str or pair of int
        Hand points and hands won so far, mine first: ``"45-20"``.
    dealer : {"me", "opponent"}, optional
    rules : str or Rules

    Raises
    ------
    InputError
        If the text cannot be read or the position cannot come about in play; the sentence names the
        card or the field.

    Examples
    --------
    >>> import gin_sim
    >>> gin_sim.parse_position("As Ad Ah 2c 3c 4c Th Jh Qh 9c Kd", first="5s", history="p p s")
    """
    cards = tuple(parse_cards(hand))
    if len(cards) not in (HAND_SIZE, HAND_SIZE + 1):
        raise count_error(list(cards), (HAND_SIZE, HAND_SIZE + 1), "the hand")
    given = _Given(
        None if turn is None else _parse_turn(turn),
        None if pile is None else tuple(_field_cards("pile", pile)),
        None if took is None else tuple(_field_cards("took", took)),
        None if discarded is None else tuple(_field_cards("discarded", discarded)),
        _parse_dealer(dealer),
    )
    past = _parse_past(first, history, given)
    if isinstance(rules, str):
        rules = parse_rules(rules)
    won = None if boxes is None else parse_pair("boxes", boxes)
    position = Position(rules, cards, past, parse_pair("score", score), won)
    if isinstance(past, History):
        _check_given(position.seen, given)
    return position


def position_from_dict(given: Mapping[str, Any]) -> Position:
    """Read a position from the fields of :func:`parse_position` by name, as a file has them.

    Raises
    ------
    InputError
        As :func:`parse_position`, or for a field that it does not know or that is not text.
    """
    known = tuple(inspect.signature(parse_position).parameters)
    for name in given:
        if name not in known:
            raise PositionError(
                f"a position has no field '{name}'.{nearest(str(name), known)} "
                f"Its fields are {listed(known, 'and')}."
            )
    fields = {name: value for name, value in given.items() if value is not None}
    if "hand" not in fields:
        raise PositionError("a position needs a hand: ten or eleven cards, like '7s 7h 7d …'.")
    for name, value in fields.items():
        pair = name in ("score", "boxes") and isinstance(value, list | tuple)
        made = name == "rules" and isinstance(value, Rules)
        if not (isinstance(value, str) or pair or made or name == "turn"):
            raise PositionError(f"the field '{name}' is {value!r}: it is text.")
    return parse_position(**fields)


class _Given(NamedTuple):
    """What is given beside a history, or without one; None for what is not."""

    turn: int | None
    pile: tuple[int, ...] | None
    took: tuple[int, ...] | None
    discarded: tuple[int, ...] | None
    is_dealer: bool | None


def _parse_past(first: str | None, history: str | None, given: _Given) -> History | Memory:
    """Return the acts of the hand, or what is remembered of it where no history is given."""
    first_upcard = NO_CARD if first is None else _first_upcard(first)
    if history is None and given.turn is not None:
        return Memory(
            given.turn,
            given.pile,
            given.took or (),
            given.discarded or (),
            given.is_dealer,
            first_upcard,
        )
    if history is None and (first is None or given.pile is not None):
        raise PositionError(
            "nothing says what was played: give the first upcard and the history, or the turn "
            "and the pile."
        )
    if first is None:
        raise PositionError(
            "a history needs the first upcard, which lay face up before the first turn: give it "
            "as first, 9h say."
        )
    return History(first_upcard, parse_history(history or ""))


def _check_given(seen: Seen, given: _Given) -> None:
    """Raise unless what is given beside a history is what the history says."""
    if given.turn not in (None, seen.turn):
        raise PositionError(
            f"the turn is {given.turn}, and by the history it is your turn {seen.turn}: correct "
            "one of them, or leave the turn out."
        )
    if given.is_dealer not in (None, seen.is_dealer):
        dealer = "you" if seen.is_dealer else "the opponent"
        raise PositionError(
            f"by the history {dealer} dealt, since the first player is the one who did not: "
            "correct the dealer or the history."
        )
    if given.pile not in (None, seen.pile):
        names = " ".join(card_names(seen.pile, symbols=True))
        raise PositionError(
            f"by the history the pile is {names}, from the bottom: correct the pile, or leave it "
            "out."
        )
    for name, cards, mask in (
        ("taken", given.took, seen.took),
        ("discarded", given.discarded, seen.discarded),
    ):
        for card in cards or ():
            if not mask >> card & 1:
                raise CardError(
                    f"{shown(card)} is named as {name} by the opponent, and by the history it was "
                    "not: correct one of them."
                )


def _field_cards(name: str, text: str) -> list[int]:
    try:
        return parse_cards(text)
    except CardError as error:
        raise CardError(f"{name}: {error}") from None


def _first_upcard(text: str) -> int:
    try:
        return parse_card(text)
    except CardError as error:
        raise CardError(f"first upcard: {error}") from None


def _parse_turn(turn: int | str) -> int:
    text = str(turn).strip()
    if not text.isdecimal():
        raise PositionError(f"the turn is '{turn}': it is a whole number from 1.")
    return int(text)


def _parse_dealer(dealer: str | None) -> bool | None:
    if dealer is None:
        return None
    if dealer not in _DEALERS:
        raise PositionError(f"the dealer is '{dealer}': it can be {listed(_DEALERS)}.")
    return _DEALERS[dealer]


def parse_pair(name: str, pair: str | Sequence[int]) -> tuple[int, int]:
    """Return a score or boxes, mine first, from text such as "45-20" or from two numbers."""
    parts = re.split(r"\s*[-:–]\s*", pair.strip()) if isinstance(pair, str) else list(pair)
    if len(parts) != 2 or not all(str(part).isdecimal() for part in parts):
        said, like = ("the score is", "45-20") if name == "score" else ("the boxes are", "3-1")
        raise PositionError(f"{said} '{pair}': write yours and the opponent's, like {like}.")
    return int(parts[0]), int(parts[1])
