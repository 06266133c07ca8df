"""What an opponent is seen to do, and how likely each act is for the cards that it might hold.

The opponent's views at its decisions are copied once from a replay of the hand; all that is public
in them is fixed.  A hypothesis fills in its own cards, and the policy that it is supposed to follow
says how likely the act is: taking or leaving the upcard, what it threw, and that it did not knock.
Which hypotheses are tried, and how often, is not decided here.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from gin_sim.engine.bits import popcount
from gin_sim.engine.deadwood import least_deadwood
from gin_sim.engine.jit import jit, jit_inline, run_kernel
from gin_sim.engine.round import (
    FIRST_OFFER,
    TURN,
    deal_hand,
    draw_stock,
    end_turn,
    hold_drawn,
    hold_taken,
    may_big_gin,
    new_state,
    offer_big_gin,
    pass_upcard,
    stack_deck,
    take_upcard,
    throw,
)
from gin_sim.engine.view import MAX_OWN_TURNS, VIEW, forget_upcard
from gin_sim.policies.chances import discard_chance, knock_chance, take_chance
from gin_sim.rules import Rules

DEALT = 10
#: Places of an opponent's hidden cards: the ten dealt and one for each draw from the stock.
MAX_SLOTS = DEALT + 32
MAX_EVENTS = MAX_OWN_TURNS + 1
NO_DEADLINE = 1 << 30

#: What an act is: a pass of the first upcard, a draw from the stock, or taking the upcard.
PASS, STOCK, UPCARD = range(3)

#: One turn of the opponent, or its pass of the first upcard, as an observer saw it.
EVENT = np.dtype(
    [
        ("asked", "i8"),  # 1 where it might take the upcard
        ("took", "i8"),
        ("taken", "i8"),  # card, -1 if it drew from the stock or passed
        ("slot", "i8"),  # place of the card drawn from the stock, else -1
        ("thrown", "i8"),  # card, -1 for a pass
        ("turn", "i8"),  # own, from 1
    ],
    align=True,
)


class Stray(NamedTuple):
    """How often a player departs from the policy that it is supposed to follow, 0 to 1.

    With chance ``take`` it answers the upcard the other way, with ``discard`` it throws any card
    that may be thrown, with ``knock`` it answers the other way whether to knock.
    """

    take: float
    discard: float
    knock: float


#: For a player known to follow the policy: no chance is quite zero, so that moves can pass through.
KNOWN = Stray(0.0005, 0.0005, 0.0001)
#: For a player who is only like the policy.
ALIKE = Stray(0.03, 0.03, 0.001)


@dataclass(frozen=True)
class Evidence:
    """What one player has seen of the other in a hand.

    Parameters
    ----------
    events : record array of EVENT
    snapshots : record array of VIEW, shape (events, 3)
        The opponent's views: before the draw, before the discard, and after it.
    unseen : int
        Mask of the cards that the observer has not seen.
    n_slots : int
        Ten, and one for each draw of the opponent from the stock.
    arrivals : int64 array, shape (n_slots,)
        The event in which the card of each place arrived, -1 for those dealt.
    threw : int64 array, shape (n_slots,)
        The card thrown in the event in which that of each place arrived, -1 for those dealt.
    deadlines : int64 array, shape (52,)
        The event in which a hidden card was thrown, which it must have arrived by; NO_DEADLINE
        for every other card.
    known : int
        Mask of the cards taken from the pile and still held.
    rules : Rules
    """

    events: np.ndarray
    snapshots: np.ndarray
    unseen: int
    n_slots: int
    arrivals: np.ndarray
    threw: np.ndarray
    deadlines: np.ndarray
    known: int
    rules: Rules

    @property
    def thrown(self) -> list[int]:
        """The hidden cards that were thrown, in order."""
        cards = np.flatnonzero(self.deadlines < NO_DEADLINE)
        return sorted(map(int, cards), key=lambda card: self.deadlines[card])


def gather(deck: np.ndarray, dealer: int, acts: np.ndarray, rules: Rules, unseen: int) -> Evidence:
    """Gather what seat 0 has seen of seat 1 by replaying a hand so far.

    Parameters
    ----------
    deck : int8 array, shape (52,)
        Any deck by which the acts could have happened: seat 0's cards, seat 1's, the upcard, the
        stock.  What is gathered does not depend on which.
    dealer : int
        Seat.
    acts : int64 array, shape (n, 3)
        In order: seat, PASS, STOCK or UPCARD, and the card thrown or -1.
    rules : Rules
    unseen : int
        Mask of the cards that seat 0 has not seen.
    """
    tables, views = new_state()
    events = np.zeros(MAX_EVENTS, EVENT).view(np.recarray)
    snapshots = np.zeros((MAX_EVENTS, 3), VIEW).view(np.recarray)
    n = run_kernel(
        _watch, tables, views, deck, dealer, acts, rules.numbers(), events, snapshots, unseen
    )
    events, snapshots = events[:n].copy(), snapshots[:n].copy()
    arrivals = [-1] * DEALT + [e for e in range(n) if events[e].slot >= 0]
    deadlines = np.full(52, NO_DEADLINE)
    known = 0
    for e in range(n):
        if events[e].took:
            known |= 1 << int(events[e].taken)
        card = int(events[e].thrown)
        if card >= 0 and not known >> card & 1:
            deadlines[card] = e
        elif card >= 0:
            known &= ~(1 << card)
    threw = np.array([-1 if e < 0 else int(events[e].thrown) for e in arrivals])
    return Evidence(
        events,
        snapshots,
        unseen,
        len(arrivals),
        np.array(arrivals),
        threw,
        deadlines,
        known,
        rules,
    )


@jit
def _watch(tables, views, deck, dealer, acts, rules, events, snapshots, unseen):
    """Replay acts and copy the views of seat 1; return how many events it had."""
    table = tables[0]
    stack_deck(table, deck)
    deal_hand(table, views, dealer, rules)
    n = 0
    n_slots = DEALT
    for act in range(len(acts)):
        seat = acts[act, 0]
        kind = acts[act, 1]
        card = acts[act, 2]
        view = views[seat]
        other = views[1 - seat]
        event = events[n]
        if seat == 1:
            event.asked = (table.phase == FIRST_OFFER or table.phase == TURN) and view.upcard >= 0
            event.took = kind == UPCARD
            event.taken = view.upcard if kind == UPCARD else -1
            event.slot = n_slots if kind == STOCK else -1
            event.thrown = card
            event.turn = view.turn
            snapshots[n, 0] = view
        if kind == PASS:
            pass_upcard(table, view, other)
        else:
            if kind == UPCARD:
                take_upcard(view, other, rules)
            else:
                draw_stock(table, view, other)
            if seat == 1:
                snapshots[n, 1] = view
                n_slots += kind == STOCK
            throw(table, view, other, card)
            if seat == 1:
                snapshots[n, 2] = view
            end_turn(table, view, other, rules)
        n += seat == 1
    return n


@jit
def log_chance(event, snapshots, ten, drawn, player, rules, stray, chances, need):
    """Return the log of the chance of what the opponent did in an event.

    Parameters
    ----------
    event : record of EVENT
    snapshots : record array of VIEW, shape (3,)
        Its views there; their own cards are overwritten.
    ten : int64
        Mask of the ten cards that it may have held.
    drawn : int64
        The card that it then held besides, taken or drawn; -1 for a pass.
    player : record of PLAYER
    rules : RuleNumbers
    stray : Stray
    chances : float64 array, shape (52,)
        Working space.
    need : float64
        Once the log is below this, any number below it will do.
    """
    # The cheap and telling acts come first.
    deadwood = least_deadwood(ten)
    log = 0.0
    if event.thrown >= 0:
        view = snapshots[1]
        _hold(view, ten, deadwood)
        if event.took:
            hold_taken(view, 1 << drawn, rules)
            forget_upcard(view)
        else:
            hold_drawn(view, drawn)
        if may_big_gin(view, rules):
            offer_big_gin(view)
            log += _log(1 - knock_chance(player, view), stray.knock)
            view.deadwood = deadwood
        bit = 1 << event.thrown
        kept = view.hand & ~bit
        left = view.best_deadwood if view.best_discards & bit else least_deadwood(kept)
        after = snapshots[2]
        if left <= after.knock_limit:
            _hold(after, kept, left)
            log += _log(1 - knock_chance(player, after), stray.knock)
            if log < need:
                return log
        chance = discard_chance(player, view, event.thrown, chances)
        n_allowed = popcount(view.hand & ~view.barred)
        log += math.log((1 - stray.discard) * chance + stray.discard / n_allowed)
        if log < need:
            return log
    if event.asked:
        view = snapshots[0]
        _hold(view, ten, deadwood)
        chance = take_chance(player, view)
        log += _log(chance if event.took else 1 - chance, stray.take)
    return log


@jit_inline
def _hold(view, hand, deadwood):
    view.hand = hand
    view.deadwood = deadwood
    forget_upcard(view)


@jit_inline
def _log(chance, stray):
    return math.log(chance + stray * (1 - 2 * chance))
