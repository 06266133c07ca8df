"""What an opponent was seen to do, and how likely each act is given the cards that it might hold.

The opponent's views at its decisions are copied once from a replay of the hand; all that is public
in them is fixed.  A hypothesis fills in its own cards, and the policy that it is supposed to follow
says how likely the act is: taking or leaving the upcard, what it discarded, and that it did not
knock.
Which hypotheses are tried, and how often, is not decided here.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from gin_sim.cards import HAND_SIZE, cards_of, mask_of
from gin_sim.engine import rng
from gin_sim.engine.apart import apart
from gin_sim.engine.bits import nth_card, popcount
from gin_sim.engine.deadwood import least_deadwood
from gin_sim.engine.jit import jit, jit_inline, run_kernel
from gin_sim.engine.memory import copy_record
from gin_sim.engine.round import hold_drawn, hold_taken, may_big_gin, offer_big_gin
from gin_sim.engine.table import RULES, new_state, rule_record
from gin_sim.engine.view import MAX_OWN_TURNS, VIEW, forget_upcard
from gin_sim.play.resume import Middle, deal_world, middle_of, set_scores
from gin_sim.play.turn import discard_without_knock, draw
from gin_sim.policies.contract import PLAYER
from gin_sim.policies.probabilities import discard_chance, knock_chance, take_chance
from gin_sim.positions import Position
from gin_sim.positions.history import NO_CARD, OPPONENT, PASS, STOCK, UPCARD
from gin_sim.rules import FIRST_OFFER, TURN, Rules

DEALT = HAND_SIZE
#: Places of an opponent's hidden cards: the ten dealt and one for each draw from the stock.
MAX_SLOTS = DEALT + 32
MAX_EVENTS = MAX_OWN_TURNS + 1
NO_DEADLINE = 1 << 30
NO_EVENT = -1

#: One turn of the opponent, or its pass of the first upcard, as an observer saw it.
EVENT = np.dtype(
    [
        ("asked", "i8"),  # 1 where it might take the upcard
        ("took", "i8"),
        ("taken", "i8"),  # card, -1 if it drew from the stock or passed
        ("slot", "i8"),  # place of the card drawn from the stock, else -1
        ("discarded", "i8"),  # card, -1 for a pass
        ("turn", "i8"),  # own, from 1
    ],
    align=True,
)


@dataclass(frozen=True)
class Observed:
    """What one player has seen of the other in a hand.

    Parameters
    ----------
    middle : Middle
        The position as numbers.
    rules : Rules
    events : record array of EVENT
    snapshots : record array of VIEW, shape (events, 3)
        The opponent's views: before the draw, before the discard, and after it.
    slots : Slots
    """

    middle: Middle
    rules: Rules
    events: np.ndarray
    snapshots: np.ndarray
    slots: Slots


class Slots(NamedTuple):
    """The places of an opponent's hidden cards: ten dealt, and one for each draw from the stock.

    Parameters
    ----------
    n : int
    unseen : int
        Mask of the cards that the observer has not seen.
    known : int
        Mask of the cards that the opponent took from the pile and still holds.
    arrivals : int64 array, shape (n,)
        The event in which the card of each place arrived, -1 for those dealt.
    turn_discards : int64 array, shape (n,)
        The card discarded in that event, -1 for those dealt.
    deadlines : int64 array, shape (52,)
        The event in which a hidden card was discarded, which it must have arrived by; NO_DEADLINE
        for every other card.
    discarded : int64 array
        The hidden cards that were discarded, in order.
    """

    n: int
    unseen: int
    known: int
    arrivals: np.ndarray
    turn_discards: np.ndarray
    deadlines: np.ndarray
    discarded: np.ndarray


def observe(position: Position) -> Observed:
    """Return what a player has seen of its opponent.

    Parameters
    ----------
    position : Position
        With a history.
    """
    acts = [tuple(act) for act in position.events().tolist()]
    slots = _slots(position, acts)
    middle = middle_of(position)
    rules = rule_record(position.rules)
    arrivals = np.zeros(slots.n, np.int8)
    run_kernel(draw_prior, np.uint64(0), arrivals, slots)
    stock = mask_of(arrivals.tolist()) & slots.unseen
    stock = np.array(cards_of(slots.unseen & ~stock), np.int8)
    tables, views = new_state()
    n_events = sum(not mine for mine, *_ in acts)
    events = np.zeros(n_events, EVENT).view(np.recarray)
    snapshots = np.zeros((n_events, 3), VIEW).view(np.recarray)
    run_kernel(_watch, tables, views, rules, middle, arrivals, stock, events, snapshots)
    return Observed(middle, position.rules, events, snapshots, slots)


def _slots(position: Position, acts: list[tuple[int, int, int, int]]) -> Slots:
    """Return the places of the opponent's hidden cards, from the acts alone."""
    arrivals, turn_discards = [NO_EVENT] * DEALT, [NO_CARD] * DEALT
    deadlines = np.full(52, NO_DEADLINE)
    known: set[int] = set()
    discarded = []
    theirs = [act for act in acts if not act[0]]
    for event, (_, kind, taken, card) in enumerate(theirs):
        if kind == STOCK:
            arrivals.append(event)
            turn_discards.append(card)
        elif kind == UPCARD:
            known.add(taken)
        if card in known:
            known.remove(card)
        elif card != NO_CARD:
            deadlines[card] = event
            discarded.append(card)
    return Slots(
        len(arrivals),
        position.seen.unseen,
        mask_of(known),
        np.array(arrivals),
        np.array(turn_discards),
        deadlines,
        np.array(discarded, dtype=np.int64),
    )


@jit
def draw_prior(key, places, slots):
    """Fill the places by chance, every assignment that meets the deadlines as likely as another.

    The discarded cards are laid in order of their turns, each in a free place that was filled early
    enough; the rest are unseen cards.

    Parameters
    ----------
    key : uint64
        Of the chance.
    places : int8 array, shape (slots.n,) or longer
        Filled.
    slots : Slots
    """
    for place in range(slots.n):
        places[place] = -1
    for n in range(len(slots.discarded)):
        card = slots.discarded[n]
        n_free = 0
        for place in range(slots.n):
            n_free += places[place] < 0 and slots.arrivals[place] <= slots.deadlines[card]
        chosen = rng.low_below(rng.word(key, n), n_free)
        for place in range(slots.n):
            if places[place] < 0 and slots.arrivals[place] <= slots.deadlines[card]:
                if chosen == 0:
                    places[place] = card
                    break
                chosen -= 1
    pool = slots.unseen
    for place in range(slots.n):
        if places[place] < 0:
            word = rng.word(key, len(slots.discarded) + place)
            card = nth_card(pool, rng.low_below(word, popcount(pool)))
            places[place] = card
            pool &= ~(1 << card)


@jit
def _watch(tables, views, rules, middle, arrivals, stock, events, snapshots):
    """Replay the acts in a world, and copy the opponent's views at each of its own."""
    table = tables[0]
    deal_world(table, views, rules, middle, arrivals, stock)
    set_scores(views, middle)
    n = 0
    n_slots = DEALT
    for act in range(len(middle.events)):
        kind, card = middle.events[act, 1], middle.events[act, 3]
        theirs = table.mover == OPPONENT
        view, other = views[table.mover], views[1 - table.mover]
        if theirs:
            event = events[n]
            event.asked = (table.phase == FIRST_OFFER or table.phase == TURN) and view.upcard >= 0
            event.took = kind == UPCARD
            event.taken = view.upcard if kind == UPCARD else -1
            event.slot = n_slots if kind == STOCK else -1
            event.discarded = card
            event.turn = view.turn
            n_slots += kind == STOCK
            copy_record(view, snapshots[n, 0])
        draw(table, view, other, rules, kind == UPCARD)
        if kind != PASS and card >= 0:
            if theirs:
                copy_record(view, snapshots[n, 1])
            discard_without_knock(table, view, other, rules, card)
            if theirs:
                copy_record(view, snapshots[n, 2])
                snapshots[n, 2].turn = event.turn  # a knock is asked before the turn ends
        n += theirs


@apart(EVENT, VIEW, VIEW, int, int, PLAYER, RULES, float, float, float, returns=float)
def log_of_acts(event, view, after, ten, drawn, player, rules, discard_rate, knock_rate, need):
    """Return the log of the chance that the opponent did not knock, and discarded what it did.

    Of a policy that does not read its draws, only which eleven cards it held matters.

    Parameters
    ----------
    event : record of EVENT
        Not a pass.
    view, after : records of VIEW
        Its views before and after the discard; their own cards are overwritten.
    ten : int64
        Mask of the ten cards that it may have held.
    drawn : int64
        The card that it then held besides, taken or drawn.
    player : record of PLAYER
        Of ``weighed_player``.
    rules : record of RULES
    discard_rate, knock_rate : float64
        How often it deviates.
    need : float64
        Once the log is below this, any number below it will do.
    """
    # What is cheap and rules out most hands comes first.
    log = 0.0
    _hold(view, ten, least_deadwood(ten))
    if event.took:
        hold_taken(view, 1 << drawn, rules)
        forget_upcard(view)
    else:
        hold_drawn(view, drawn)
    if may_big_gin(view, rules):
        offer_big_gin(view)
        log += _log(1 - knock_chance(player, view), knock_rate)
    bit = 1 << event.discarded
    kept = view.hand & ~bit
    left = view.best_deadwood if view.best_discards & bit else least_deadwood(kept)
    if left <= after.knock_limit:
        _hold(after, kept, left)
        after.best_deadwood = view.best_deadwood
        after.best_discards = view.best_discards
        log += _log(1 - knock_chance(player, after), knock_rate)
        if log < need:
            return log
    chance = discard_chance(player, view, event.discarded)
    n_allowed = popcount(view.hand & ~view.barred)
    return log + math.log((1 - discard_rate) * chance + discard_rate / n_allowed)


@apart(EVENT, VIEW, int, PLAYER, float, returns=float)
def log_of_take(event, view, ten, player, take_rate):
    """Return the log of the chance that the opponent took the upcard, or left it.

    Parameters
    ----------
    event, ten, player
        As for :func:`log_of_acts`; the upcard might be taken.
    view : record of VIEW
        Its view before the draw.
    take_rate : float64
        How often it deviates.
    """
    _hold(view, ten, least_deadwood(ten))
    chance = take_chance(player, view)
    return _log(chance if event.took else 1 - chance, take_rate)


@jit_inline
def _hold(view, hand, deadwood):
    view.hand = hand
    view.deadwood = deadwood
    forget_upcard(view)


@jit_inline
def _log(chance, rate):
    return math.log(chance + rate * (1 - 2 * chance))


#: What is run from here, for :func:`gin_sim.engine.reach.to_compile`.
KERNELS = (draw_prior, _watch)
