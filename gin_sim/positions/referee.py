"""The exact referee of a history: whose turn each act is, and whether it can have happened.

It judges by the cards that one player saw.  What the hidden cards are is not asked, and nothing is
said of how good an act was.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from gin_sim.cards import HAND_SIZE, STOCK_SIZE
from gin_sim.positions.history import (
    ME,
    NO_CARD,
    OPPONENT,
    PASS,
    STOCK,
    Act,
    PositionError,
    act_text,
    shown,
)
from gin_sim.rules import AT_WALL, FIRST_OFFER, MUST_DRAW, TURN, Rules
from gin_sim.words import counted


@dataclass
class Referee:
    """Follows the acts of a hand as one player sees them, and refuses what cannot happen.

    Pairs are indexed by ME and OPPONENT.

    Parameters
    ----------
    rules : Rules
    first_upcard : int
        Card id.
    mover : int
        Who acts first, ME or OPPONENT: the one who did not deal.
    """

    rules: Rules
    first_upcard: int
    mover: int
    pile: list[int] = field(init=False)
    #: Cards known to be held: taken from the pile, or my named draws.
    known: tuple[set[int], set[int]] = field(init=False)
    #: How many other cards each holds.
    n_hidden: list[int] = field(init=False)
    took: tuple[list[int], list[int]] = field(init=False)
    discarded: tuple[list[int], list[int]] = field(init=False)
    refused: tuple[set[int], set[int]] = field(init=False)
    acts: list[Act] = field(init=False)  # so far, each taken card named

    def __post_init__(self) -> None:
        self.pile = [self.first_upcard]
        self.known = (set(), set())
        self.n_hidden = [HAND_SIZE, HAND_SIZE]
        self.took = ([], [])
        self.discarded = ([], [])
        self.refused = (set(), set())
        self.acts = []
        self.phase = FIRST_OFFER if self.rules.first_upcard == "offered" else TURN
        self.stock_left = STOCK_SIZE
        self.ended = ""  # why the hand is over
        self.barred = NO_CARD

    @property
    def n_turns(self) -> int:
        """Finished turns of both; a pass is none."""
        return len(self.discarded[ME]) + len(self.discarded[OPPONENT])

    def follow(self, acts: Sequence[Act]) -> None:
        """Take acts in turn.

        Raises
        ------
        PositionError
            For an act that is impossible; the sentence names its turn, its card and the reason.
        """
        for act in acts:
            self._where = f"turn {len(self.acts) + 1} of the history, '{act_text(act)}'"
            self._who = "you" if self.mover == ME else "the opponent"
            if self.ended:
                raise self._fault(f"the hand is over before it, since {self.ended}", "end earlier")
            if act.kind == PASS:
                self._pass(act)
            elif act.kind == STOCK:
                self._draw(act)
            else:
                self._take(act)
            if act.discarded != NO_CARD:
                self._discard(act.discarded)

    def _fault(self, why: str, attempt: str) -> PositionError:
        return PositionError(f"{self._where}: {why}; {attempt}.")

    def _does(self, verb: str) -> str:
        """Return the mover doing something; the verb is in its form for "you"."""
        if self.mover == ME:
            return f"you {verb}"
        return f"the opponent {verb}{'es' if verb.endswith('s') else 's'}"

    def _pass(self, act: Act) -> None:
        if self.phase != FIRST_OFFER:
            raise self._fault(
                f"{self._does('pass')}, and only the first upcard can be passed, once by each",
                "write s/ or u/ and the card discarded",
            )
        self.acts.append(act)
        self.refused[self.mover].add(self.first_upcard)
        self.mover ^= 1
        if len(self.acts) == 2:
            self.phase = MUST_DRAW

    def _draw(self, act: Act) -> None:
        if self.phase == FIRST_OFFER:
            raise self._fault(
                f"{self._does('draw')} from the stock while the first upcard is offered",
                "begin the history with p p, or with u where it was taken",
            )
        if self.phase == AT_WALL:
            raise self._fault(
                f"{self._does('draw')} from the stock, which is down to its last "
                f"{counted(self.stock_left, 'card')}",
                "only the upcard can be taken then, to knock",
            )
        if self.pile:
            self.refused[self.mover].add(self.pile[-1])
        self.stock_left -= 1
        self.barred = NO_CARD
        if act.drawn == NO_CARD:
            self.n_hidden[self.mover] += 1
        else:
            self._see_draw(act.drawn)
        self.acts.append(act)

    def _see_draw(self, card: int) -> None:
        if self.mover == OPPONENT:
            raise self._fault(
                f"{shown(card)} is the opponent's stock card, which you cannot have seen",
                "write s/ and the card discarded",
            )
        if place := self._place(card):
            raise self._fault(
                f"you draw {shown(card)} from the stock, and {place}", "name another card or none"
            )
        self.known[ME].add(card)

    def _take(self, act: Act) -> None:
        if self.phase == MUST_DRAW:
            raise self._fault(
                f"{self._does('take')} the upcard, which both have passed",
                "the first turn after p p is s/ and the card discarded",
            )
        card = self.pile[-1]
        if act.drawn not in (NO_CARD, card):
            raise self._fault(
                f"{self._does('take')} {shown(act.drawn)}, which is not on top of the pile",
                f"the upcard is {shown(card)}",
            )
        if self.phase == AT_WALL and act.discarded != NO_CARD:
            raise self._fault(
                f"with {counted(self.stock_left, 'card')} in the stock the upcard is taken only to "
                "knock, and a knock ends the hand",
                "end the history before it",
            )
        self.pile.pop()
        self.known[self.mover].add(card)
        self.took[self.mover].append(card)
        self.barred = NO_CARD if self.rules.may_discard_taken else card
        self.acts.append(act._replace(drawn=card))

    def _discard(self, card: int) -> None:
        known = self.known[self.mover]
        if card == self.barred:
            raise self._fault(
                f"{self._does('discard')} {shown(card)}, which was just taken from the pile",
                "these rules want another card discarded",
            )
        if card in known:
            known.remove(card)
        elif place := self._place(card):
            raise self._fault(
                f"{self._does('discard')} {shown(card)}, and {place}",
                "name the card that was discarded",
            )
        elif not self.n_hidden[self.mover]:
            raise self._fault(
                f"{self._does('discard')} {shown(card)}, and all cards that {self._who} can "
                "hold by then are known and others",
                "name one of those, or correct the turns before",
            )
        else:
            self.n_hidden[self.mover] -= 1
        self.pile.append(card)
        self.discarded[self.mover].append(card)
        self.barred = NO_CARD
        self._end_turn()

    def _place(self, card: int) -> str:
        """Return where a card is known to be, or nothing."""
        if card in self.pile:
            return "it lies in the pile"
        if card in self.known[OPPONENT]:
            return "the opponent took it and still holds it"
        if card in self.known[ME]:
            return "you drew or took it and still hold it"
        return ""

    def _end_turn(self) -> None:
        self.phase = TURN
        self.mover ^= 1
        stalled = self.n_turns >= self.rules.stall_turns
        if self.stock_left <= self.rules.stock_floor:
            if self.rules.wall == "knock_upcard" and not stalled:
                self.phase = AT_WALL
            else:
                self.ended = f"the stock was down to {counted(self.stock_left, 'card')}"
        elif stalled:
            self.ended = f"a hand lasts at most {counted(self.rules.stall_turns, 'turn')}"
