"""A position: what one player knows when it has to decide, read from text, checked and written.

Decided here: which memories of a hand fit together, what follows from them, and the one text that
gives a position again.  With the acts of both players all is checked exactly; with a turn number
and a pile only what these can tell.  What the opponent may hold, and what to do, is not asked.
"""

from __future__ import annotations

import inspect
import re
import shlex
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, NamedTuple

from gin_sim.cards import (
    HAND_SIZE,
    CardError,
    card_name,
    card_names,
    count_error,
    parse_card,
    parse_cards,
)
from gin_sim.errors import listed, nearest
from gin_sim.history import (
    NO_CARD,
    PositionError,
    counted,
    history_text,
    parse_history,
    shown,
)
from gin_sim.remembered import History, Memory, Seen, seen_in_history, seen_in_memory
from gin_sim.rules import MAX_DEADWOOD, Rules, knock_limit_for, parse_rules

if TYPE_CHECKING:
    import numpy as np

_DEALERS = {"me": True, "opponent": False}


@dataclass(frozen=True)
class Position:
    """What one player knows at its decision.

    Parameters
    ----------
    rules : Rules
    hand : tuple of int
        Ten card ids before the draw, or eleven with a card to throw, in any order.  Where no act
        names the card just drawn it is the last one.
    past : History or Memory
    score : tuple of int
        Hand points so far, boxes not included: mine, theirs.
    boxes : tuple of int or None
        Hands won so far: mine, theirs.  None: the fewest that the score needs.

    Raises
    ------
    PositionError, CardError
        If the position cannot have come about; the sentence names the card or the field.
    """

    rules: Rules
    hand: tuple[int, ...]
    past: History | Memory
    score: tuple[int, int] = (0, 0)
    boxes: tuple[int, int] | None = None
    #: What follows from the rest.
    seen: Seen = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        if len(self.hand) not in (HAND_SIZE, HAND_SIZE + 1):
            raise count_error(list(self.hand), (HAND_SIZE, HAND_SIZE + 1), "the hand")
        if len(set(self.hand)) < len(self.hand):
            twice = next(card for card in self.hand if self.hand.count(card) > 1)
            raise CardError(f"{shown(twice)} is in the hand twice: name each card once.")
        if self.boxes is None:
            object.__setattr__(self, "boxes", _fewest_boxes(self.score))
        _check_score(self.rules, self.score, self.boxes)
        if isinstance(self.past, History):
            acts, seen = seen_in_history(self.rules, self.hand, self.past)
            object.__setattr__(self, "past", History(self.past.first_upcard, acts))
        else:
            seen = seen_in_memory(self.rules, self.hand, self.past)
        if seen.first_upcard == NO_CARD and _asks_first_upcard(self.rules):
            raise PositionError(
                f"under the rules {self.rules.name} the first upcard decides what a hand is worth "
                "or when to knock: name it as the first upcard."
            )
        object.__setattr__(self, "seen", seen)

    @property
    def must_throw(self) -> bool:
        """Whether the draw is done: eleven cards, one to throw."""
        return len(self.hand) > HAND_SIZE

    @property
    def knock_limit(self) -> int:
        """Greatest deadwood to knock with, pips."""
        return knock_limit_for(self.seen.first_upcard, self.rules.numbers())

    def events(self) -> np.ndarray:
        """Return the acts as an int64 array of shape (n, 4): 1 if mine, kind, drawn, thrown.

        Cards that are not known, or not there, are -1.  Without a history it is empty.
        """
        import numpy as np

        acts = self.past.acts if isinstance(self.past, History) else ()
        first = not self.seen.is_dealer
        rows = [((i % 2 == 0) == first, *act) for i, act in enumerate(acts)]
        return np.array(rows, dtype=np.int64).reshape(len(rows), 4)

    def as_dict(self) -> dict[str, Any]:
        """Return the position as values that JSON has, which ``parse_position(**...)`` reads."""
        told: dict[str, Any] = {"hand": " ".join(card_names(self.hand))}
        if isinstance(self.past, History):
            told["first"] = card_name(self.past.first_upcard)
            told["history"] = history_text(self.past.acts)
        else:
            told |= _memory_as_dict(self.past)
        if any(self.score):
            told["score"] = _pair_text(self.score)
        if self.boxes != _fewest_boxes(self.score):
            told["boxes"] = _pair_text(self.boxes)
        return told | {"rules": self.rules.name}

    def arguments(self) -> list[str]:
        """Return the arguments of ``gin-sim knock`` that give the position again."""
        told = self.as_dict()
        words = [told.pop("hand")]
        for name, value in told.items():
            words += [f"--{name}", str(value)]
        return words

    def text(self) -> str:
        """Return the command line that gives the position again."""
        return f"gin-sim knock {shlex.join(self.arguments())}"


def _memory_as_dict(memory: Memory) -> dict[str, Any]:
    told: dict[str, Any] = {"turn": memory.turn}
    if memory.first_upcard != NO_CARD:
        told["first"] = card_name(memory.first_upcard)
    for name in ("pile", "took", "discarded"):
        if cards := getattr(memory, name):
            told[name] = " ".join(card_names(cards))
    if memory.is_dealer is not None:
        told["dealer"] = "me" if memory.is_dealer else "opponent"
    return told


# ---------------------------------------------------------------------------------------------
# The score


def _asks_first_upcard(rules: Rules) -> bool:
    return rules.knock_source == "upcard" or rules.spade_doubles


def _fewest_boxes(score: tuple[int, int]) -> tuple[int, int]:
    """Return the fewest hands that each must have won to have its points."""
    return int(score[0] > 0), int(score[1] > 0)


def _check_score(rules: Rules, score: tuple[int, int], boxes: tuple[int, int]) -> None:
    for mine, points, n_boxes in zip(("your", "the opponent's"), score, boxes, strict=True):
        if points < 0 or n_boxes < 0:
            raise PositionError(
                f"{mine} score is {points} and {mine} boxes are {n_boxes}: neither can be below 0."
            )
        if not rules.target:
            if points or n_boxes:
                raise PositionError(
                    f"{mine} score is {points} with {counted(n_boxes, 'box', 'boxes')}, and under "
                    f"the rules {rules.name} a game is one hand: leave score and boxes out."
                )
            continue
        counts = points + n_boxes * rules.box_bonus * (rules.box_timing == "at_once")
        if counts >= rules.target:
            boxed = "" if counts == points else f", {counts} with the boxes"
            raise PositionError(
                f"{mine} score is {points}{boxed}, and the game ends at {rules.target}: give a "
                f"score below that, or another target (rules {rules.name}:target=…)."
            )
        _check_boxes(rules, mine, points, n_boxes)


def _check_boxes(rules: Rules, mine: str, points: int, n_boxes: int) -> None:
    most = MAX_DEADWOOD + max(rules.gin_bonus, rules.big_gin_bonus or 0, rules.undercut_bonus)
    most *= 1 + rules.spade_doubles
    if points > n_boxes * most:
        raise PositionError(
            f"{mine} score is {points} with {counted(n_boxes, 'box', 'boxes')}, and a hand won "
            f"pays at most {most}: a box is a hand won, so give more boxes or leave them out."
        )
    least = min(1, rules.gin_bonus, rules.undercut_bonus)
    if n_boxes * least > points:
        raise PositionError(
            f"{mine} score is {points} with {counted(n_boxes, 'box', 'boxes')}, and a hand won "
            "pays at least a point: a box is a hand won, so give fewer boxes."
        )


# ---------------------------------------------------------------------------------------------
# Reading


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
        The acts of both from the first player on, see :func:`gin_sim.history.parse_history`.
    turn : int or str, optional
        Own turn number from 1.  Without a history, or to be checked against it; likewise the next
        four.
    pile, took, discarded : str, optional
        The pile from the bottom; the cards that the opponent took; those of the pile it threw.
    score, boxes : str or pair of int
        Hand points and hands won so far, mine first: ``"45-20"``.
    dealer : {"me", "opponent"}, optional
    rules : str or Rules

    Raises
    ------
    InputError
        If the text cannot be read or the position cannot have come about; the sentence names the
        card or the field.
    """
    cards = tuple(parse_cards(hand))
    if len(cards) not in (HAND_SIZE, HAND_SIZE + 1):
        raise count_error(list(cards), (HAND_SIZE, HAND_SIZE + 1), "the hand")
    told = _Told(
        None if turn is None else _parse_turn(turn),
        None if pile is None else tuple(_field_cards("pile", pile)),
        None if took is None else tuple(_field_cards("took", took)),
        None if discarded is None else tuple(_field_cards("discarded", discarded)),
        _parse_dealer(dealer),
    )
    first_upcard = NO_CARD if first is None else _first_upcard(first)
    if history is None and told.turn is None:
        if first is None or pile is not None:
            raise PositionError(
                "what was played is not told: give the first upcard and the history, or the turn "
                "and the pile."
            )
        history = ""
    past: History | Memory
    if history is None:
        past = Memory(
            told.turn,
            told.pile,
            told.took or (),
            told.discarded or (),
            told.is_dealer,
            first_upcard,
        )
    elif first is None:
        raise PositionError(
            "a history needs the first upcard, which lay face up before the first turn: give it "
            "as first, 9h say."
        )
    else:
        past = History(first_upcard, parse_history(history))
    if isinstance(rules, str):
        rules = parse_rules(rules)
    won = None if boxes is None else _parse_pair("boxes", boxes)
    position = Position(rules, cards, past, _parse_pair("score", score), won)
    if history is not None:
        _check_told(position.seen, told)
    return position


def position_from_dict(told: Mapping[str, Any]) -> Position:
    """Read a position from the fields of :func:`parse_position` by name, as a file has them.

    Raises
    ------
    InputError
        As :func:`parse_position`, or for a field that it does not know or that is no text.
    """
    known = tuple(inspect.signature(parse_position).parameters)
    for name in told:
        if name not in known:
            raise PositionError(
                f"a position has no field '{name}'.{nearest(str(name), known)} "
                f"Its fields are {listed(known, 'and')}."
            )
    given = {name: value for name, value in told.items() if value is not None}
    if "hand" not in given:
        raise PositionError("a position needs a hand: ten or eleven cards, like '7s 7h 7d …'.")
    for name, value in given.items():
        pair = name in ("score", "boxes") and isinstance(value, list | tuple)
        if not (isinstance(value, str) or pair or name == "turn"):
            raise PositionError(f"the field '{name}' is {value!r}: it is text.")
    return parse_position(**given)


class _Told(NamedTuple):
    turn: int | None
    pile: tuple[int, ...] | None
    took: tuple[int, ...] | None
    discarded: tuple[int, ...] | None
    is_dealer: bool | None


def _check_told(seen: Seen, told: _Told) -> None:
    """Raise unless what is told beside a history is what the history says."""
    if told.turn not in (None, seen.turn):
        raise PositionError(
            f"the turn is {told.turn}, and by the history it is your turn {seen.turn}: correct one "
            "of them, or leave the turn out."
        )
    if told.is_dealer not in (None, seen.is_dealer):
        dealer = "you" if seen.is_dealer else "the opponent"
        raise PositionError(
            f"by the history {dealer} dealt, since the first player is the one who did not: "
            "correct the dealer or the history."
        )
    if told.pile not in (None, seen.pile):
        names = " ".join(card_names(seen.pile, symbols=True))
        raise PositionError(
            f"by the history the pile is {names}, from the bottom: correct the pile, or leave it "
            "out."
        )
    for name, cards, mask in (
        ("taken", told.took, seen.took),
        ("thrown", told.discarded, seen.threw),
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


def _parse_pair(name: str, pair: str | Sequence[int]) -> tuple[int, int]:
    parts = re.split(r"\s*[-:–]\s*", pair.strip()) if isinstance(pair, str) else list(pair)
    if len(parts) != 2 or not all(str(part).isdecimal() for part in parts):
        raise PositionError(
            f"the {name} {'is' if name == 'score' else 'are'} '{pair}': write yours and the "
            "opponent's, like 45-20."
        )
    return int(parts[0]), int(parts[1])


def _pair_text(pair: tuple[int, int]) -> str:
    return f"{pair[0]}-{pair[1]}"
