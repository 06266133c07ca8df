"""Recorded hands played again: is every step legal, and is the end what the rules make it?

The steps go through the same state machine that plays hands; nothing is asked of a policy.  The
end is priced for the spread that the knocker showed.  A player may show any arrangement, so one
that leaves more than the least deadwood stands as long as the deadwood it leaves may knock, and
is priced as shown: ten melded cards shown as a knock are a knock.  Where a record shows no melds
the spread is the engine's, among the arrangements that leave the deadwood recorded if it is.
Whatever else the record tells of the end is then compared: any defence that is legal and leaves
as little as the best one is right.

Priced under other rules than its own, a hand is still checked step by step under its own, knock
limit included.  Then the other rules alone decide its end: layoffs on gin, ties, bonuses, and
spades doubling by the upcard of the deal.  Their knock limit is not asked about.  Big gin is
ordinary gin under rules that do not know it; gin stays gin under rules that do, since the player
discarded a card.  The record's kind, points and defence belong to its own rules and are not
compared.
A record that names the rules it is ``priced`` by is compared with what those make of its end.
"""

from __future__ import annotations

import functools
from dataclasses import dataclass

import numpy as np

from gin_sim.cards import by_rank, card_name, card_names, cards_of, pips
from gin_sim.engine.deal import deal_hand, stack_deck
from gin_sim.engine.jit import jit, run_kernel
from gin_sim.engine.layoff import choose_spread
from gin_sim.engine.melds import pips_of
from gin_sim.engine.round import leave_wall, settle_knock
from gin_sim.engine.spread import is_meld, is_set
from gin_sim.engine.table import CARD_NOT_HELD, FAULT, OPEN, new_state
from gin_sim.engine.view import unseen_cards
from gin_sim.play.acts import draw_again
from gin_sim.play.record import Facts, end_of, facts_of, points_by_seat
from gin_sim.play.turn import BIG_GIN as BIG_GIN_DECISION
from gin_sim.play.turn import DISCARD, KNOCK, TURN_OVER, carry_out
from gin_sim.records import CARD_IDS, End, HandRecord, Turn
from gin_sim.rules import (
    AT_WALL,
    BIG_GIN,
    FIRST_OFFER,
    GIN,
    MUST_DRAW,
    STALLED,
    WASH,
    RuleNumbers,
    Rules,
    parse_rules,
)

# How a turn's draw is numbered for the kernel.
_DRAWS = {"pass": 0, "upcard": 1, "stock": 2}
_PASS = _DRAWS["pass"]
_UPCARD = _DRAWS["upcard"]
_STOCK = _DRAWS["stock"]
_NO_CARD = -1
_CARD_IDS = {None: _NO_CARD, **CARD_IDS}

# Why a step is not legal.
(
    LEGAL,
    AFTER_THE_END,
    NOT_TO_MOVE,
    NO_OFFER,
    PASS_WITH_MORE,
    UPCARD_ON_OFFER,
    STOCK_AT_WALL,
    NOT_TOP_OF_STOCK,
    MUST_DRAW_STOCK,
    NOT_THE_UPCARD,
    ONLY_TO_KNOCK,
    BIG_GIN_AND_DISCARD,
    NO_BIG_GIN,
    BIG_GIN_WITH_DEADWOOD,
    NO_DISCARD,
    NOT_HELD,
    JUST_TAKEN,
    KNOCK_TOO_HIGH,
    STILL_OPEN,
) = range(19)


@jit
def _step(table, views, rules, player, draw, card, discard, knocks, lays_down):
    """Take one recorded turn if it is legal; return LEGAL or the reason why not."""
    if table.ending != OPEN:
        return AFTER_THE_END
    if player != table.mover:
        return NOT_TO_MOVE
    view = views[player]
    other = views[1 - player]
    if draw == _PASS:
        if table.phase != FIRST_OFFER:
            return NO_OFFER
        if card != _NO_CARD or discard != _NO_CARD or knocks or lays_down:
            return PASS_WITH_MORE
    elif draw == _STOCK:
        if table.phase == FIRST_OFFER:
            return UPCARD_ON_OFFER
        if table.phase == AT_WALL:
            return STOCK_AT_WALL
        if card != table.deck[table.next_place]:
            return NOT_TOP_OF_STOCK
    else:
        if table.phase == MUST_DRAW:
            return MUST_DRAW_STOCK
        if card != view.upcard:
            return NOT_THE_UPCARD
        if table.phase == AT_WALL and not (knocks or lays_down):
            return ONLY_TO_KNOCK
    decision = draw_again(table, view, other, rules, draw == _UPCARD)
    if decision == TURN_OVER:
        return LEGAL
    if lays_down:
        if discard != _NO_CARD:
            return BIG_GIN_AND_DISCARD
        if rules.big_gin_bonus < 0:
            return NO_BIG_GIN
        if decision != BIG_GIN_DECISION:
            return BIG_GIN_WITH_DEADWOOD
        carry_out(table, view, other, rules, decision, 1)
        return LEGAL
    if discard == _NO_CARD:
        return NO_DISCARD
    decision = carry_out(table, view, other, rules, DISCARD, discard)
    if table.ending == FAULT:
        return NOT_HELD if table.fault == CARD_NOT_HELD else JUST_TAKEN
    if decision == KNOCK:
        carry_out(table, view, other, rules, KNOCK, knocks)
    elif knocks:
        return KNOCK_TOO_HIGH
    return LEGAL


@jit
def replay_steps(tables, views, rules, dealer, deck, steps):
    """Deal a deck and take recorded steps until one is illegal or none is left.

    Parameters
    ----------
    tables, views : record arrays
        Working state, see ``new_state``; at an illegal step it holds what led to it.
    rules : RuleNumbers
    dealer : int64
        Seat.
    deck : int8 array, length 52
    steps : int64 array, shape (turns, 6)
        Player, draw, card, discard, knock, big gin; -1 for no card.

    Returns
    -------
    index : int64
        Of the illegal step; the number of steps where the fault is that the hand is still open.
    reason : int64
    facts : Facts
        Of the end, with the engine's spread.
    """
    table = tables[0]
    stack_deck(table, deck)
    deal_hand(table, views, dealer, rules)
    n_steps = steps.shape[0]
    for i in range(n_steps):
        step = steps[i]
        reason = _step(table, views, rules, step[0], step[1], step[2], step[3], step[4], step[5])
        if reason != LEGAL:
            return i, reason, facts_of(table, views)
    if table.ending == OPEN:
        if table.phase != AT_WALL:
            return n_steps, STILL_OPEN, facts_of(table, views)
        leave_wall(table, table.n_turns)
    return n_steps, LEGAL, facts_of(table, views)


@jit
def _settle_again(tables, views, rules, sets, runs):
    """Return the facts of a knock or big gin, settled for a given spread and rule set."""
    table = tables[0]
    view = views[table.knocker]
    deadwood = pips_of(view.hand & ~(sets | runs))
    settle_knock(table, view, views[1 - table.knocker], rules, sets, runs, deadwood)
    return facts_of(table, views)


@jit
def _choose_within(tables, views, melded):
    """Return the engine's spread of some of the knocker's cards, as set cards and run cards."""
    view = views[tables[0].knocker]
    return choose_spread(melded, unseen_cards(view), view.opponent_known)


@dataclass(frozen=True)
class Replayed:
    """What became of a recorded hand.

    Parameters
    ----------
    fault : str or None
        The first thing that is not right, as a sentence.
    turn : int or None
        The number, from 1, of the turn that is not legal; None for no fault or one of the end.
    outcome : int or None
        As in :mod:`gin_sim.rules`; None if the hand could not be played to an end.
    end : End or None
        The end as the engine gives it, even where it is not the recorded one.
    facts : Facts or None
    """

    fault: str | None = None
    turn: int | None = None
    outcome: int | None = None
    end: End | None = None
    facts: Facts | None = None


class _Fault(Exception):
    """What is wrong with a record's end, as a sentence."""


class Replayer:
    """Plays recorded hands again, checks each step and prices the end for the spread shown.

    Parameters
    ----------
    rules : Rules, optional
        Price the ends under these rules instead; see the module for what that means.
    symbols : bool
        Whether sentences show suits as symbols.
    """

    def __init__(self, rules: Rules | None = None, *, symbols: bool = False) -> None:
        self._other = None if rules is None else rules.numbers()
        self._say = _Words(symbols)
        self._state = new_state()

    def replay(self, record: HandRecord) -> Replayed:
        """Replay a record as ``read_records`` gives it; its deal is not checked again."""
        own = _numbers(record.rules)
        priced = self._other or _numbers(record.priced or record.rules)
        say = self._say
        tables, views = self._state
        index, reason, facts = run_kernel(
            replay_steps, tables, views, own, record.dealer, _deck(record), _steps(record.turns)
        )
        if reason == STILL_OPEN:
            return Replayed("end: the turns stop while the hand is still open.")
        if reason != LEGAL:
            why = _why_illegal(reason, record.turns[index], tables[0], views, own, say)
            return Replayed(f"turn {index + 1}: {why}.", index + 1)
        recorded = record.end or End()
        try:
            melds = None
            if facts.knocker >= 0:
                melds, sets, runs = _spread(recorded, facts, tables, views, say)
                spread = (facts.spread_sets, facts.spread_runs)
                if (sets, runs) != spread or priced.layoff_on_gin != own.layoff_on_gin:
                    facts = _settle_again(tables, views, priced, sets, runs)
                if facts.ending == BIG_GIN and priced.big_gin_bonus < 0:
                    facts = facts._replace(ending=GIN)
        except _Fault as fault:
            return Replayed(f"end: {fault}.")
        outcome, _ = points_by_seat(facts, priced)
        end = end_of(facts, priced, melds)
        fault = None
        try:
            _compare_fate(recorded, end)
            if self._other is None and recorded != end:
                _compare_price(recorded, end, facts, priced, say)
        except _Fault as difference:
            fault = f"end: {difference}."
        return Replayed(fault, None, outcome, end, facts)


def replay(record: HandRecord, rules: Rules | None = None, *, symbols: bool = False) -> Replayed:
    """Replay one record; for many, a :class:`Replayer` is quicker."""
    return Replayer(rules, symbols=symbols).replay(record)


@functools.lru_cache(maxsize=64)
def _numbers(spec: str) -> RuleNumbers:
    return parse_rules(spec).numbers()


def _deck(record: HandRecord) -> np.ndarray:
    cards = [*record.deal[0], *record.deal[1], record.upcard, *record.stock]
    return np.array([CARD_IDS[card] for card in cards], dtype=np.int8)


def _steps(turns: list[Turn]) -> np.ndarray:
    rows = [
        (
            turn.player,
            _DRAWS[turn.draw],
            _CARD_IDS[turn.card],
            _CARD_IDS[turn.discard],
            turn.knock,
            turn.big_gin,
        )
        for turn in turns
    ]
    return np.array(rows, dtype=np.int64).reshape(len(rows), 6)


# ---------------------------------------------------------------------------------------------
# The end, as recorded and as it should be

_BITS = {text: 1 << card for text, card in CARD_IDS.items()}
_is_meld = functools.lru_cache(maxsize=4096)(is_meld)
_is_set = functools.lru_cache(maxsize=4096)(is_set)


def _spread(
    recorded: End, facts: Facts, tables: np.ndarray, views: np.ndarray, say: _Words
) -> tuple[list[int] | None, int, int]:
    """Return the melds shown (None if not told), and the set cards and run cards of the spread."""
    hand = facts.knocker_hand
    who = f"seat {facts.knocker}"
    left = None
    if recorded.knocker_deadwood is not None:
        left = _held(recorded.knocker_deadwood, hand, who, say)
    if recorded.knocker_melds is not None:
        melds = _melds(recorded.knocker_melds, hand, who, say)
        loose = hand & ~sum(melds)
        if left is not None and left != loose:
            raise _Fault(
                f"{who}'s deadwood is recorded as {say.cards(left)}, and its melds leave "
                f"{say.cards(loose)}"
            )
        sets = sum(meld for meld in melds if _is_set(meld))
        runs = sum(melds) - sets
    elif left is not None:
        melds, loose = None, left
        sets, runs = _choose_within(tables, views, hand & ~left)
        if sets | runs != hand & ~left:
            raise _Fault(
                f"{who}'s deadwood is recorded as {say.cards(left)}, and its other cards do not "
                "all meld"
            )
    else:
        return None, facts.spread_sets, facts.spread_runs
    limit = 0 if facts.ending == BIG_GIN else int(tables[0].knock_limit)
    deadwood = _pips(loose)
    if deadwood > limit:
        what = "big gin" if facts.ending == BIG_GIN else "a knock"
        raise _Fault(
            f"{who} shows melds that leave deadwood {deadwood}, and {what} needs "
            f"{limit}{' or less' if limit else ''}"
        )
    return melds, sets, runs


def _held(cards: list[str], hand: int, who: str, say: _Words) -> int:
    """Return the mask of some cards shown, each held and none twice."""
    shown = 0
    for text in cards:
        bit = _BITS[text]
        if not hand & bit:
            raise _Fault(f"{who} shows {say.text(text)}, which it does not hold")
        if shown & bit:
            raise _Fault(f"{who} shows {say.text(text)} twice")
        shown |= bit
    return shown


def _melds(melds: list[list[str]], hand: int, who: str, say: _Words) -> list[int]:
    """Return the masks of some melds shown, each a meld, all held and no card twice."""
    masks = []
    shown = 0
    for meld in melds:
        mask = _held(meld, hand, who, say)
        if not _is_meld(mask):
            raise _Fault(f"{who} shows {say.cards(mask)}, which is no meld")
        if mask & shown:
            raise _Fault(f"{who} shows {say.cards(mask & shown)} in two melds")
        shown |= mask
        masks.append(mask)
    return masks


def _pips(cards: int) -> int:
    return sum(map(pips, cards_of(cards)))


def _compare_fate(recorded: End, end: End) -> None:
    """Raise unless the record agrees on who ended the hand, which no rule set's prices change."""
    if recorded.kind is not None and (recorded.kind == "wash") != (end.kind == "wash"):
        raise _Fault(f"the kind is recorded as {recorded.kind}, and the engine makes it {end.kind}")
    if recorded.knocker not in (None, end.knocker):
        whom = "there is none" if end.knocker is None else f"it is seat {end.knocker}"
        raise _Fault(f"the knocker is recorded as seat {recorded.knocker}, and {whom}")
    if end.kind != "wash":
        return
    for field in (
        "knocker_melds",
        "knocker_deadwood",
        "defender_melds",
        "layoffs",
        "defender_deadwood",
    ):
        if getattr(recorded, field):
            raise _Fault(f"the record has {field}, and in a wash nothing is shown")


def _compare_price(recorded: End, end: End, facts: Facts, rules: RuleNumbers, say: _Words) -> None:
    """Raise unless the record agrees on what its own rules make of the end."""
    if facts.knocker >= 0:
        _check_defence(recorded, facts, rules, say)
    if recorded.kind not in (None, end.kind):
        raise _Fault(f"the kind is recorded as {recorded.kind}, and the engine makes it {end.kind}")
    if recorded.points not in (None, end.points):
        raise _Fault(
            f"the points are recorded as {list(recorded.points)}, and the engine makes them "
            f"{list(end.points)}"
        )


def _check_defence(recorded: End, facts: Facts, rules: RuleNumbers, say: _Words) -> None:
    """Raise unless what the record tells of the defence is legal and as good as the best."""
    hand = facts.defender_hand
    who = f"seat {1 - facts.knocker}"
    melded = [card for meld in recorded.defender_melds or () for card in meld]
    laid = [card for card, _ in recorded.layoffs or ()]
    left = recorded.defender_deadwood
    shown = _held([*melded, *laid, *(left or ())], hand, who, say)
    _melds(recorded.defender_melds or [], hand, who, say)
    if laid:
        _check_layoffs(recorded, facts, rules, who, say)
    if recorded.defender_melds is not None and recorded.layoffs is not None:
        missing = hand & ~shown
        if left is None:
            left = card_names(missing)
        elif missing:
            raise _Fault(f"{who} does not show {say.cards(missing)}, melded, laid off or left")
    if left is not None:
        deadwood = sum(pips(CARD_IDS[card]) for card in left)
        if deadwood != facts.defender_deadwood:
            raise _Fault(
                f"{who}'s deadwood is recorded as {deadwood}, and its best defence leaves "
                f"{facts.defender_deadwood}"
            )


def _check_layoffs(recorded: End, facts: Facts, rules: RuleNumbers, who: str, say: _Words) -> None:
    if facts.knocker_deadwood == 0 and not rules.layoff_on_gin:
        raise _Fault(f"{who} lays off on a gin hand, which these rules do not allow")
    if recorded.knocker_melds is None:
        raise _Fault(f"{who} lays off, and the record shows no melds to lay off on")
    grown = [sum(_BITS[card] for card in meld) for meld in recorded.knocker_melds]
    for card, index in recorded.layoffs:
        if not 0 <= index < len(grown):
            raise _Fault(
                f"{who} lays {say.text(card)} off on meld {index}, and the melds are numbered 0 to "
                f"{len(grown) - 1}"
            )
        with_card = grown[index] | _BITS[card]
        if not _is_meld(with_card):
            raise _Fault(
                f"{who} lays {say.text(card)} off on {say.cards(grown[index])}, where it does not "
                "fit"
            )
        grown[index] = with_card


# ---------------------------------------------------------------------------------------------
# Sentences


@dataclass(frozen=True)
class _Words:
    symbols: bool

    def card(self, card: int) -> str:
        return card_name(int(card), self.symbols)

    def text(self, card: str | None) -> str:
        return "no card" if card is None else self.card(CARD_IDS[card])

    def cards(self, cards: int) -> str:
        return " ".join(map(self.card, by_rank(cards_of(cards)))) or "nothing"


def _why_illegal(
    reason: int, turn: Turn, table: np.record, views: np.ndarray, rules: RuleNumbers, say: _Words
) -> str:
    """Return why a turn is not legal; the table and views stand as the kernel left them."""
    who = f"seat {turn.player}"
    view = views[turn.player]
    discard = say.text(turn.discard)
    left = _counted(view.stock_left, "card")
    if reason == AFTER_THE_END:
        return f"{who} plays on, and the hand is over: {_how_it_ended(table, rules)}"
    if reason == NOT_TO_MOVE:
        return f"{who} plays, and it is seat {table.mover}'s turn"
    if reason == NO_OFFER:
        return f"{who} passes, and only the first upcard can be passed, once by each player"
    if reason == PASS_WITH_MORE:
        return f"{who} passes, and a pass has no card, no discard and no knock"
    if reason == UPCARD_ON_OFFER:
        return f"{who} draws from the stock, and the first upcard can only be taken or passed"
    if reason == STOCK_AT_WALL:
        return f"{who} draws from the stock, which is down to its last {left}"
    if reason == NOT_TOP_OF_STOCK:
        top = say.card(table.deck[table.next_place])
        return f"{who} draws {say.text(turn.card)} from the stock, whose top card is {top}"
    if reason == MUST_DRAW_STOCK:
        return f"{who} takes the upcard, and after two passes it must draw from the stock"
    if reason == NOT_THE_UPCARD:
        return f"{who} takes {say.text(turn.card)}, and the upcard is {say.card(view.upcard)}"
    if reason == ONLY_TO_KNOCK:
        return f"{who} takes the upcard, and with {left} in the stock that is only to knock"
    if reason == BIG_GIN_AND_DISCARD:
        return f"{who} lays down big gin and discards {discard}, and big gin has no discard"
    if reason == NO_BIG_GIN:
        return f"{who} lays down big gin, which these rules do not have"
    if reason == BIG_GIN_WITH_DEADWOOD:
        return f"{who} lays down big gin, and not all of {say.cards(view.hand)} can be melded"
    if reason == NO_DISCARD:
        return f"{who} discards no card"
    if reason == NOT_HELD:
        return f"{who} discards {discard}, which it does not hold"
    if reason == JUST_TAKEN:
        return f"{who} discards {discard}, which it has just taken from the pile"
    assert reason == KNOCK_TOO_HIGH
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
