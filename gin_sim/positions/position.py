"""A position: what one player knows when it has to decide, checked, and written as text.

Decided here: which scores are possible, what makes a position whole, and the one text that gives
it again.  What the opponent may hold, and what to do, is not asked.
"""

from __future__ import annotations

import shlex
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from gin_sim.cards import (
    HAND_SIZE,
    CardError,
    card_name,
    card_names,
    count_error,
)
from gin_sim.positions.history import (
    NO_CARD,
    History,
    PositionError,
    history_text,
    shown,
)
from gin_sim.positions.memory import Memory, seen_in_memory
from gin_sim.positions.seen import Seen, seen_in_history
from gin_sim.rules import Rules, knock_limit_for, least_points, most_points, spec_with
from gin_sim.words import counted

if TYPE_CHECKING:
    import numpy as np


@dataclass(frozen=True)
class Position:
    """What one player knows at its decision.

    Parameters
    ----------
    rules : Rules
    hand : tuple of int
        Ten card ids before the draw, or eleven with a card to discard, in any order.  Where no act
        names the card just drawn it is the last one.
    past : History or Memory
    score : tuple of int
        Hand points so far, boxes not included: mine, theirs.
    boxes : tuple of int or None
        Hands won so far: mine, theirs.  None: the fewest that the score needs.

    Raises
    ------
    PositionError, CardError
        If the position cannot come about in play; the sentence names the card or the field.
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
            object.__setattr__(self, "boxes", _fewest_boxes(self.score, self.rules))
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
    def must_discard(self) -> bool:
        """Whether the draw is done: eleven cards, one to discard."""
        return len(self.hand) > HAND_SIZE

    @property
    def knock_limit(self) -> int:
        """Greatest deadwood to knock with, pips."""
        return knock_limit_for(self.seen.first_upcard, self.rules.numbers())

    def events(self) -> np.ndarray:
        """Return the acts as an int64 array of shape (n, 4): 1 if mine, kind, drawn, discarded.

        Cards that are not known, or not there, are -1.  Without a history it is empty.
        """
        import numpy as np

        acts = self.past.acts if isinstance(self.past, History) else ()
        first = not self.seen.is_dealer
        rows = [((i % 2 == 0) == first, *act) for i, act in enumerate(acts)]
        return np.array(rows, dtype=np.int64).reshape(len(rows), 4)

    def as_dict(self) -> dict[str, Any]:
        """Return the position as values that JSON has, which ``parse_position(**...)`` reads."""
        fields: dict[str, Any] = {"hand": " ".join(card_names(self.hand))}
        if isinstance(self.past, History):
            fields["first"] = card_name(self.past.first_upcard)
            fields["history"] = history_text(self.past.acts)
        else:
            fields |= _memory_as_dict(self.past)
        if any(self.score):
            fields["score"] = _pair_text(self.score)
        if self.boxes != _fewest_boxes(self.score, self.rules):
            fields["boxes"] = _pair_text(self.boxes)
        return fields | {"rules": self.rules.name}

    def arguments(self) -> list[str]:
        """Return the arguments of ``gin-sim knock`` that give the position again."""
        fields = self.as_dict()
        words = [fields.pop("hand")]
        for name, value in fields.items():
            words += [f"--{name}", str(value)]
        return words

    def text(self) -> str:
        """Return the command line that gives the position again."""
        return f"gin-sim knock {shlex.join(self.arguments())}"


def _pair_text(pair: tuple[int, int]) -> str:
    return f"{pair[0]}-{pair[1]}"


def _memory_as_dict(memory: Memory) -> dict[str, Any]:
    fields: dict[str, Any] = {"turn": memory.turn}
    if memory.first_upcard != NO_CARD:
        fields["first"] = card_name(memory.first_upcard)
    for name in ("pile", "took", "discarded"):
        if cards := getattr(memory, name):
            fields[name] = " ".join(card_names(cards))
    if memory.is_dealer is not None:
        fields["dealer"] = "me" if memory.is_dealer else "opponent"
    return fields


# ---------------------------------------------------------------------------------------------
# The score


def _asks_first_upcard(rules: Rules) -> bool:
    return rules.knock_source == "upcard" or rules.spade_doubles


def _fewest_boxes(score: tuple[int, int], rules: Rules) -> tuple[int, int]:
    """Return the fewest hands that each must have won to have its points."""
    most = most_points(rules)
    return -(-score[0] // most), -(-score[1] // most)


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
                "score below that, or another target "
                f"(rules {spec_with(rules.name, 'target', '…')})."
            )
        _check_boxes(rules, mine, points, n_boxes)


def _check_boxes(rules: Rules, mine: str, points: int, n_boxes: int) -> None:
    least, most = least_points(rules), most_points(rules)
    if points > n_boxes * most:
        raise PositionError(
            f"{mine} score is {points} with {counted(n_boxes, 'box', 'boxes')}, and a hand won "
            f"pays at most {most}: a box is a hand won, so give more boxes or leave them out."
        )
    if n_boxes * least > points:
        if n_boxes == _fewest_boxes((points, 0), rules)[0]:
            raise PositionError(
                f"{mine} score is {points}, which no number of hands can make, since each pays "
                f"{least} to {most} under the rules {rules.name}: give another, such as {least}."
            )
        paid = "a point" if least == 1 else f"{least} points"
        raise PositionError(
            f"{mine} score is {points} with {counted(n_boxes, 'box', 'boxes')}, and a hand won "
            f"pays at least {paid}: a box is a hand won, so give fewer boxes."
        )
