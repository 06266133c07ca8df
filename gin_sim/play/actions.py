"""Actions of a position played out in worlds: the same worlds and the same luck for each action.

Decided here: which actions there are, how each is taken before both policies play on, and how an
end is named.  Where worlds come from, and what is made of the points, is not asked.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from gin_sim.cards import mask_of
from gin_sim.engine import rng
from gin_sim.engine.deadwood import least_deadwood
from gin_sim.engine.jit import jit, jit_inline
from gin_sim.engine.pricing import price
from gin_sim.engine.round import leave_wall, offer_big_gin
from gin_sim.engine.table import FAULT
from gin_sim.errors import InputError
from gin_sim.play import turn
from gin_sim.play.loop import play_from
from gin_sim.play.resume import bring_back, keep_state, set_middle
from gin_sim.play.turn import begin_turn, carry_out
from gin_sim.positions import Position
from gin_sim.positions.history import ME, NO_CARD, OPPONENT, shown
from gin_sim.rules import (
    AT_WALL,
    BIG_GIN,
    GIN,
    MUST_DRAW,
    NOBODY,
    UNDERCUT,
)

# What an action does.
DISCARD = 0  # discard a card and play on
KNOCK = 1  # discard a card and knock, gin included
LAY_DOWN = 2  # lay down eleven cards: big gin
TAKE = 3  # take the upcard; the policy plays on from there
LEAVE = 4  # pass the first upcard, else draw from the stock; at the wall a wash

# How a hand ended for the player whose position it is.
(
    WON_BY_KNOCK,
    WON_BY_GIN,
    WON_BY_BIG_GIN,
    WON_BY_UNDERCUT,
    LOST_TO_KNOCK,
    LOST_TO_GIN,
    LOST_TO_BIG_GIN,
    LOST_BY_UNDERCUT,
    NOBODY_WON,
) = range(9)
END_NAMES = (
    "won by a knock",
    "won by gin",
    "won by big gin",
    "won by an undercut",
    "lost to a knock",
    "lost to gin",
    "lost to big gin",
    "lost by an undercut",
    "wash",
)
N_ENDS = len(END_NAMES)
FAULTY = -1  # a policy asked for an illegal step

# Streams of a world's keys: three for each shuffle of its stock.
_FIRST_STREAM = 1000
_STREAMS = 3


class Action(NamedTuple):
    """What a player can do at its decision.

    Parameters
    ----------
    what : int
        DISCARD, KNOCK, LAY_DOWN, TAKE or LEAVE.
    card : int
        The card discarded by DISCARD and KNOCK; else NO_CARD.
    """

    what: int
    card: int = NO_CARD


def legal_actions(position: Position) -> list[Action]:
    """Return every legal action, knocks first, cards in the order of the hand.

    At the wall the upcard is taken only where that allows a knock.
    """
    seen = position.seen
    if not position.must_discard:
        return _before_draw(position)
    hand = mask_of(position.hand)
    discards = [card for card in position.hand if not seen.barred >> card & 1]
    actions = [Action(KNOCK, card) for card in discards if _may_knock(position, hand, card)]
    if position.rules.big_gin_bonus is not None and not least_deadwood(hand):
        actions.insert(0, Action(LAY_DOWN))
    return actions + [Action(DISCARD, card) for card in discards]


def _may_knock(position: Position, hand: int, card: int) -> bool:
    return int(least_deadwood(hand & ~(1 << card))) <= position.knock_limit


def _before_draw(position: Position) -> list[Action]:
    seen = position.seen
    leave = [Action(LEAVE)]
    if seen.phase == MUST_DRAW:
        return leave
    if seen.phase == AT_WALL:
        hand = mask_of(position.hand) | 1 << seen.upcard
        may_discard = [*position.hand, *([seen.upcard] if position.rules.may_discard_taken else [])]
        if not any(_may_knock(position, hand, card) for card in may_discard):
            return leave
    return [Action(TAKE), *leave]


def check_action(position: Position, action: Action) -> None:
    """Raise InputError, which says why, unless an action is legal."""
    if action in legal_actions(position):
        return
    what, card = action
    seen = position.seen
    if position.must_discard != (what in (DISCARD, KNOCK, LAY_DOWN)):
        why = "a card is discarded with eleven cards in hand, the upcard taken or left with ten"
    elif what == LAY_DOWN:
        why = "big gin needs eleven cards that all meld, and rules that know it"
    elif what == TAKE and seen.phase == MUST_DRAW:
        why = "the upcard cannot be taken after both have passed it: draw from the stock"
    elif what == TAKE:
        why = "at the wall the upcard is taken only to knock, which it does not allow"
    elif card not in position.hand:
        why = f"{'no card' if card == NO_CARD else shown(card)} is not in the hand: discard another"
    elif seen.barred >> card & 1:
        why = f"{shown(card)} was just taken from the pile: discard another card"
    else:
        deadwood = int(least_deadwood(mask_of(position.hand) & ~(1 << card)))
        why = (
            f"without {shown(card)} the deadwood is {deadwood}, and the limit is "
            f"{position.knock_limit}: play on, or discard another card"
        )
    raise InputError(f"this action is not allowed: {why}.")


def actions_array(actions: list[Action]) -> np.ndarray:
    """Return actions as an int64 array of shape (n, 2) for the kernels."""
    return np.array(actions, dtype=np.int64).reshape(len(actions), 2)


# ---------------------------------------------------------------------------------------------
# Kernels


@jit
def play_action(table, views, rules, players, what, card):
    """Take an action for seat 0, which is to move, and let both policies play the hand to its end.

    Parameters
    ----------
    table, views : records of TABLE and VIEW (2)
        The state; it holds the facts of the end afterwards.
    rules : record of RULES
    players : record array of PLAYER, length 2
        The player whose position it is, and its opponent.
    what, card : int64
        A legal action.
    """
    mine = views[ME]
    theirs = views[OPPONENT]
    if what == LEAVE and table.phase == AT_WALL:
        leave_wall(table, table.n_turns)
        return
    if what in (DISCARD, KNOCK):
        decision = carry_out(table, mine, theirs, rules, turn.ASK_DISCARD, card)
        if decision == turn.ASK_KNOCK:
            decision = carry_out(table, mine, theirs, rules, turn.ASK_KNOCK, int(what == KNOCK))
    elif what == LAY_DOWN:
        offer_big_gin(mine)
        decision = carry_out(table, mine, theirs, rules, turn.ASK_BIG_GIN, 1)
    else:
        decision = begin_turn(table, mine, theirs, rules)
        if decision in (turn.ASK_UPCARD, turn.STOCK_ONLY):
            takes = int(what == TAKE)
            decision = carry_out(table, mine, theirs, rules, turn.ASK_UPCARD, takes)
    play_from(table, views, rules, players, 0, decision)


@jit_inline
def end_for_me(table, rules):
    """Return a finished hand's points for seat 0 and how it ended for it, or 0 and FAULTY."""
    if table.ending == FAULT:
        return 0, FAULTY
    outcome, winner, points = price(table, rules)
    if winner == NOBODY:
        return 0, NOBODY_WON
    if outcome == UNDERCUT:
        end = WON_BY_UNDERCUT
    elif outcome == GIN:
        end = WON_BY_GIN
    elif outcome == BIG_GIN:
        end = WON_BY_BIG_GIN
    else:
        end = WON_BY_KNOCK
    if winner == ME:
        return points, end
    return -points, end + LOST_TO_KNOCK


@jit
def _shuffle_stock(table, stock, key):
    """Put a world's stock under the table in the order that a key gives it."""
    deck = table.deck
    first = table.next_place
    for place in range(first, 52):
        deck[place] = stock[place - first]
    for place in range(first, 51):
        other = place + rng.low_below(rng.word(key, place), 52 - place)
        card = deck[other]
        deck[other] = deck[place]
        deck[place] = card


class Worlds(NamedTuple):
    """Worlds of a position, and the luck with which they are played.

    Parameters
    ----------
    arrivals, stocks : int8 arrays, shapes (n_worlds, ...)
        See ``resume.set_middle``.
    seed : int
    first : int
        The number of the first world, so that worlds can be played in parts.
    """

    arrivals: np.ndarray
    stocks: np.ndarray
    seed: int
    first: int


@jit
def play_worlds(tables, views, rules, players, middle, worlds, actions, points, ends):
    """Play each action in each world, with the same luck for all actions of one playing.

    A playing is a world and a shuffle of its stock.  The first keeps the world's own order; the
    others are fixed by the seed, the world's number and the shuffle's, and so is the chance of the
    policies in each.

    Parameters
    ----------
    tables, views : record arrays of TABLE (2) and VIEW (4)
        Working state, see ``resume.new_states``.
    rules : record of RULES
    players : record array of PLAYER, length 2
        The player whose position it is, and its opponent.
    middle : Middle
    worlds : Worlds
    actions : int64 array, shape (n_actions, 2)
        Legal ones, see ``Action``.
    points : int16 array, shape (n_worlds, n_shuffles, n_actions)
        Filled: hand points, positive to the player, boxes not included.
    ends : int8 array, same shape
        Filled: WON_BY_KNOCK ... NOBODY_WON, or FAULTY.

    Returns
    -------
    int
        Index of the first world that does not fit the position, where playing stopped; -1.
    """
    table = tables[0]
    stocks = worlds.stocks
    for world in range(len(stocks)):
        arrivals = worlds.arrivals[world]
        if not set_middle(table, views, rules, middle, arrivals, stocks[world]):
            return world
        keep_state(tables, views)
        kept = tables[1]
        number = worlds.first + world
        for shuffle in range(points.shape[1]):
            stream = _FIRST_STREAM + _STREAMS * shuffle
            for seat in range(2):
                views[2 + seat].noise = rng.stream_key(worlds.seed, number, stream + 1 + seat)
            if shuffle:
                _shuffle_stock(kept, stocks[world], rng.stream_key(worlds.seed, number, stream))
            for action in range(len(actions)):
                bring_back(tables, views)
                what, card = actions[action, 0], actions[action, 1]
                play_action(table, views, rules, players, what, card)
                scored, end = end_for_me(table, rules)
                points[world, shuffle, action] = scored
                ends[world, shuffle, action] = end
    return -1
