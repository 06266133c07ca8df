"""A hand taken up in its middle: a position and a world become a state to play on from.

A world says what a position hides.  With a history the state comes about by the round's own steps,
so that it is the state of a real hand; with a memory the views are filled with what is remembered.
Seat 0 is the player whose position it is.  Which worlds are likely, and which action is best, is
not asked here.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from gin_sim.cards import FULL_DECK, HAND_SIZE, mask_of
from gin_sim.engine.bits import popcount
from gin_sim.engine.deal import deal_hand, stack_deck
from gin_sim.engine.jit import jit, jit_inline
from gin_sim.engine.memory import copy_record
from gin_sim.engine.pricing import knock_limit_for
from gin_sim.engine.round import draw_stock
from gin_sim.engine.table import FAULT, FIRST_STOCK_PLACE, TABLE, UPCARD_PLACE
from gin_sim.engine.view import VIEW, forget_upcard
from gin_sim.play.turn import discard_without_knock, draw
from gin_sim.positions import History, Memory, Position
from gin_sim.positions.history import ME, NO_CARD, OPPONENT, PASS, STOCK, UPCARD
from gin_sim.rules import FIRST_OFFER


def new_states() -> tuple[np.ndarray, np.ndarray]:
    """Return working state of a table and two views: one to play on, and one to keep."""
    return np.zeros(2, TABLE).view(np.recarray), np.zeros(4, VIEW).view(np.recarray)


@jit_inline
def keep_state(tables, views):
    """Keep the state that is played on."""
    copy_record(tables[0], tables[1])
    copy_record(views[0], views[2])
    copy_record(views[1], views[3])


@jit_inline
def bring_back(tables, views):
    """Play on from the state that was kept."""
    copy_record(tables[1], tables[0])
    copy_record(views[2], views[0])
    copy_record(views[3], views[1])


class Middle(NamedTuple):
    """A position as numbers for the kernels; sets of cards are masks, lists int8 arrays."""

    has_history: int
    is_dealer: int
    first_upcard: int  # -1 where it is not known
    score: int
    opponent_score: int
    boxes: int
    opponent_boxes: int
    events: np.ndarray  # as Position.events gives them
    own: np.ndarray  # my ten cards as dealt, then my stock draws: see own_arrivals
    # The rest serves a position without a history.
    phase: int
    turn: int
    opponent_turn: int
    pile: np.ndarray  # from the bottom, as far as remembered
    n_forgotten: int
    stock_left: int  # before the draw
    known: int
    took: int
    discarded: int
    refused: int
    own_discards: int  # as far as it is known


def middle_of(position: Position) -> Middle:
    """Return a position as numbers for the kernels."""
    seen = position.seen
    remembers = isinstance(position.past, Memory)
    own_discards = 0
    if remembers and position.past.discarded:
        own_discards = mask_of(seen.pile) & ~seen.discarded & ~_bit(seen.first_upcard)
    return Middle(
        has_history=int(not remembers),
        is_dealer=int(seen.is_dealer),
        first_upcard=seen.first_upcard,
        score=position.score[0],
        opponent_score=position.score[1],
        boxes=position.boxes[0],
        opponent_boxes=position.boxes[1],
        events=position.events(),
        own=np.array(own_arrivals(position), dtype=np.int8),
        phase=seen.phase,
        turn=seen.turn,
        opponent_turn=seen.opponent_turn,
        pile=np.array(seen.pile, dtype=np.int8),
        n_forgotten=seen.n_forgotten,
        stock_left=seen.stock_left + int(remembers and position.must_discard),
        known=seen.known,
        took=seen.took,
        discarded=seen.discarded,
        refused=seen.refused,
        own_discards=own_discards,
    )


def _bit(card: int) -> int:
    return 0 if card == NO_CARD else 1 << card


def own_arrivals(position: Position) -> tuple[int, ...]:
    """Return the player's ten cards as dealt, then its stock draws in order.

    Draws that are not named get cards that could have come then.  From the last draw back each
    gets the last card of the hand that is left, of those that neither were taken nor drawn by
    name; when none is left, the card discarded last.  So a card discarded on a turn has arrived by
    then.
    Without a history it is the hand itself, the card just drawn last.
    """
    if not isinstance(position.past, History):
        return position.hand
    draws: list[int] = []  # the cards of all stock draws, NO_CARD for one not named
    discarded: list[int] = []  # cards that came unnamed, in the order in which they were discarded
    named: set[int] = set()  # taken or drawn by name and held
    for mine, kind, drawn, card in position.events().tolist():
        if not mine:
            continue
        if kind == STOCK:
            draws.append(drawn)
        if drawn != NO_CARD:
            named.add(drawn)
        if card in named:
            named.remove(card)
        elif card != NO_CARD:
            discarded.append(card)
    spare = [*discarded, *(card for card in position.hand if card not in named)]
    for place in reversed(range(len(draws))):
        if draws[place] == NO_CARD:
            draws[place] = spare.pop()
    return (*spare, *draws)


def world_shape(position: Position) -> tuple[int, int]:
    """Return how many cards a world of a position has: arrivals and stock, see ``set_middle``."""
    seen = position.seen
    n_arrivals = seen.n_hidden
    if isinstance(position.past, History):
        n_arrivals = HAND_SIZE + sum(
            not mine and kind == STOCK for mine, kind, _, _ in position.events().tolist()
        )
    return n_arrivals, seen.unseen.bit_count() - seen.n_hidden


# ---------------------------------------------------------------------------------------------
# The state


@jit
def set_middle(table, views, rules, middle, arrivals, stock):
    """Set the state that a position has in a world.

    Parameters
    ----------
    table, views : records of TABLE and VIEW (2)
        Filled; the views' noise is the caller's to set.
    rules : record of RULES
    middle : Middle
    arrivals : int8 array
        With a history the opponent's ten cards as dealt, then its stock draws so far in order,
        with those that it has discarded since; without one the cards that it holds hidden now.
    stock : int8 array
        What is left of the stock, top first, and then the forgotten cards of the pile from the
        bottom.

    Returns
    -------
    bool
        False for a world in which the acts cannot have happened, or its cards do not fit.
    """
    if not _fits(middle, arrivals, stock):
        return False
    if middle.has_history:
        fits = _replay(table, views, rules, middle, arrivals, stock)
    else:
        _recall(table, views, rules, middle, arrivals, stock)
        fits = True
    set_scores(views, middle)
    return fits


@jit
def set_scores(views, middle):
    """Write the score and the boxes of a position into both views."""
    mine, theirs = views[ME], views[OPPONENT]
    mine.score = middle.score
    mine.opponent_score = middle.opponent_score
    mine.boxes = middle.boxes
    mine.opponent_boxes = middle.opponent_boxes
    theirs.score = middle.opponent_score
    theirs.opponent_score = middle.score
    theirs.boxes = middle.opponent_boxes
    theirs.opponent_boxes = middle.boxes


@jit
def _fits(middle, arrivals, stock):
    """Return whether a world's cards, with those of the position, are the 52 of the deck."""
    cards = np.int64(0)
    for card in arrivals:
        cards |= 1 << np.int64(card)
    for card in stock:
        cards |= 1 << np.int64(card)
    for card in middle.own:
        cards |= 1 << np.int64(card)
    n_cards = len(arrivals) + len(stock) + len(middle.own)
    if middle.has_history:
        cards |= 1 << middle.first_upcard
        return n_cards == 51 and cards == FULL_DECK
    for card in middle.pile:
        cards |= 1 << np.int64(card)
    n_cards += len(middle.pile) + popcount(middle.known)
    return n_cards == 52 and cards | middle.known == FULL_DECK


@jit
def _replay(table, views, rules, middle, arrivals, stock):
    """Deal the deck of a world, and take the acts of both; return whether all are possible."""
    deal_world(table, views, rules, middle, arrivals, stock)
    for event in range(len(middle.events)):
        kind, card = middle.events[event, 1], middle.events[event, 3]
        view, other = views[table.mover], views[1 - table.mover]
        draw(table, view, other, rules, kind == UPCARD)
        if kind == PASS:
            continue
        if card < 0:
            break
        discard_without_knock(table, view, other, rules, card)
        if table.ending == FAULT:
            return False
    return True


@jit
def deal_world(table, views, rules, middle, arrivals, stock):
    """Deal the deck of a world, both hands as they were before the first act."""
    _stack(table, middle, arrivals, stock)
    deal_hand(table, views, ME if middle.is_dealer else OPPONENT, rules)


@jit
def _stack(table, middle, arrivals, stock):
    """Stack the deck: both hands, the first upcard and the stock in the order drawn."""
    deck = np.empty(52, np.int8)
    for place in range(10):
        deck[place] = middle.own[place]
        deck[10 + place] = arrivals[place]
    deck[UPCARD_PLACE] = middle.first_upcard
    place = FIRST_STOCK_PLACE
    mine = theirs = 10
    for event in range(len(middle.events)):
        if middle.events[event, 1] != STOCK:
            continue
        if middle.events[event, 0]:
            deck[place] = middle.own[mine]
            mine += 1
        else:
            deck[place] = arrivals[theirs]
            theirs += 1
        place += 1
    for i in range(len(stock)):
        deck[place + i] = stock[i]
    stack_deck(table, deck)


@jit
def _recall(table, views, rules, middle, arrivals, stock):
    """Fill the state with what is remembered; the turns so far stay NOTHING_YET in the views."""
    n_drawn = len(middle.own) - 10
    n_stock = middle.stock_left - n_drawn
    n_pile = middle.n_forgotten + len(middle.pile)
    deck = np.empty(52, np.int8)
    place = 10
    for card in range(52):
        if middle.known >> card & 1:
            deck[place] = card
            place += 1
    for i in range(len(arrivals)):
        deck[place + i] = arrivals[i]
    # What is in the pile comes before the stock, which ends the deck as it does in any hand.
    for i in range(middle.n_forgotten):
        deck[20 + i] = stock[n_stock + i]
    for i in range(len(middle.pile)):
        deck[20 + middle.n_forgotten + i] = middle.pile[i]
    for i in range(10):
        deck[i] = middle.own[i]
    for i in range(n_drawn):
        deck[20 + n_pile + i] = middle.own[10 + i]
    for i in range(n_stock):
        deck[20 + n_pile + n_drawn + i] = stock[i]
    stack_deck(table, deck)
    deal_hand(table, views, ME if middle.is_dealer else OPPONENT, rules)
    table.next_place = 20 + n_pile
    table.mover = ME
    table.phase = middle.phase
    table.n_turns = middle.turn - 1 + middle.opponent_turn
    if middle.first_upcard >= 0:
        table.first_upcard = middle.first_upcard
        table.knock_limit = knock_limit_for(middle.first_upcard, rules)
    for seat in range(2):
        _recall_view(table, views[seat], n_pile)
    _recall_both(views[ME], views[OPPONENT], middle)
    if n_drawn:
        draw_stock(table, views[ME], views[OPPONENT])


@jit
def _recall_view(table, view, n_pile):
    view.first_offer = table.phase == FIRST_OFFER
    view.knock_limit = table.knock_limit
    view.stock_left = 52 - table.next_place
    view.n_pile = n_pile
    view.pile_cards = 0
    for i in range(n_pile):
        card = table.deck[20 + i]
        view.pile[i] = card
        view.pile_cards |= 1 << np.int64(card)
    view.upcard = np.int64(view.pile[n_pile - 1])
    forget_upcard(view)


@jit
def _recall_both(mine, theirs, middle):
    mine.turn = middle.turn
    mine.opponent_turn = middle.opponent_turn
    mine.opponent_known = middle.known
    mine.opponent_took = middle.took
    mine.opponent_discards = middle.discarded
    mine.opponent_refused = middle.refused
    theirs.turn = middle.opponent_turn + 1
    theirs.opponent_turn = middle.turn - 1
    theirs.shown = middle.known
    theirs.opponent_discards = middle.own_discards
    buried = theirs.pile_cards & ~(1 << theirs.upcard)
    theirs.opponent_refused = buried & middle.discarded
