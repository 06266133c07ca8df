"""Sentences about a recorded turn that is not legal: what was done, and what the rules allow."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from gin_sim.cards import by_rank, card_name, cards_of
from gin_sim.play import replay_steps as steps
from gin_sim.records import CARD_IDS, Turn
from gin_sim.rules import BIG_GIN, STALLED, WASH, RuleNumbers


@dataclass(frozen=True)
class CardWords:
    """Cards as a sentence shows them: with suits as letters, or as symbols."""

    symbols: bool

    def card(self, card: int) -> str:
        return card_name(int(card), self.symbols)

    def text(self, card: str | None) -> str:
        return "no card" if card is None else self.card(CARD_IDS[card])

    def cards(self, cards: int) -> str:
        return " ".join(map(self.card, by_rank(cards_of(cards)))) or "nothing"


def why_illegal(
    reason: int, turn: Turn, table: np.record, views: np.ndarray, rules: RuleNumbers, say: CardWords
) -> str:
    """Return why a turn is not legal; the table and views stand as the kernel left them."""
    who = f"seat {turn.player}"
    view = views[turn.player]
    discard = say.text(turn.discard)
    left = _counted(view.stock_left, "card")
    if reason == steps.AFTER_THE_END:
        return f"{who} plays on, and the hand is over: {_how_it_ended(table, rules)}"
    if reason == steps.NOT_TO_MOVE:
        return f"{who} plays, and it is seat {table.mover}'s turn"
    if reason == steps.NO_OFFER:
        return f"{who} passes, and only the first upcard can be passed, once by each player"
    if reason == steps.PASS_WITH_MORE:
        return f"{who} passes, and a pass has no card, no discard and no knock"
    if reason == steps.UPCARD_ON_OFFER:
        return f"{who} draws from the stock, and the first upcard can only be taken or passed"
    if reason == steps.STOCK_AT_WALL:
        return f"{who} draws from the stock, which is down to its last {left}"
    if reason == steps.NOT_TOP_OF_STOCK:
        top = say.card(table.deck[table.next_place])
        return f"{who} draws {say.text(turn.card)} from the stock, whose top card is {top}"
    if reason == steps.MUST_DRAW_STOCK:
        return f"{who} takes the upcard, and after two passes it must draw from the stock"
    if reason == steps.NOT_THE_UPCARD:
        return f"{who} takes {say.text(turn.card)}, and the upcard is {say.card(view.upcard)}"
    if reason == steps.ONLY_TO_KNOCK:
        return f"{who} takes the upcard, and with {left} in the stock that is only to knock"
    if reason == steps.BIG_GIN_AND_DISCARD:
        return f"{who} lays down big gin and discards {discard}, and big gin has no discard"
    if reason == steps.NO_BIG_GIN:
        return f"{who} lays down big gin, which these rules do not have"
    if reason == steps.BIG_GIN_WITH_DEADWOOD:
        return f"{who} lays down big gin, and not all of {say.cards(view.hand)} can be melded"
    if reason == steps.NO_DISCARD:
        return f"{who} discards no card"
    if reason == steps.NOT_HELD:
        return f"{who} discards {discard}, which it does not hold"
    if reason == steps.JUST_TAKEN:
        return f"{who} discards {discard}, which it has just taken from the pile"
    assert reason == steps.KNOCK_TOO_HIGH
    return f"{who} knocks with deadwood {view.deadwood}, and the limit is {table.knock_limit}"


def _how_it_ended(table: np.record, rules: RuleNumbers) -> str:
    if table.ending == WASH:
        return f"the stock was down to {_counted(52 - table.next_place, 'card')}"
    if table.ending == STALLED:
        return f"a hand may last {_counted(rules.stall_turns, 'turn')}"
    how = "laid down big gin" if table.ending == BIG_GIN else "knocked"
    return f"seat {table.knocker} {how}"


def _counted(n: int, what: str) -> str:
    return f"{n} {what}{'' if n == 1 else 's'}"
