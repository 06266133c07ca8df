"""What a belief has to agree with: a hand replayed step by step, as the play loop plays it.

Nothing of the belief's own likelihood, proposals or chains is used here.  The acts of one seat are
weighed at the very states that the round's steps give, and a small case's hidden histories listed.
"""

from __future__ import annotations

import math
from itertools import combinations, permutations
from typing import NamedTuple

import numpy as np

from gin_sim.cards import cards_of
from gin_sim.engine.bits import popcount
from gin_sim.engine.deal import deal_hand, stack_deck
from gin_sim.engine.jit import jit
from gin_sim.engine.round import (
    discard_card,
    discard_fault,
    draw_stock,
    end_turn,
    may_big_gin,
    may_knock,
    offer_big_gin,
    pass_upcard,
    take_upcard,
)
from gin_sim.engine.table import (
    NO_FAULT,
    new_state,
    rule_record,
)
from gin_sim.policies.probabilities import discard_chance, knock_chance, take_chance, weighed_player
from gin_sim.records import CARD_IDS
from gin_sim.rules import FIRST_OFFER, TURN

IS_PASS, IS_STOCK, IS_UPCARD = range(3)
_KINDS = {"pass": IS_PASS, "stock": IS_STOCK, "upcard": IS_UPCARD}


def acts_of(record, n_acts: int) -> np.ndarray:
    """Kind and discarded card (-1 for none) of a record's first turns, int64, shape (n, 2)."""
    rows = [
        (_KINDS[act.draw], CARD_IDS[act.discard] if act.discard else -1)
        for act in record.turns[:n_acts]
    ]
    return np.array(rows, np.int64).reshape(len(rows), 2)


def deck_of(record, n_acts: int, seat: int, arrivals) -> np.ndarray:
    """The deck of a hand in which a seat's ten cards and stock draws were others.

    The rest of the stock is not needed by the first turns; it is left as it was where it can be.
    """
    deck = np.full(52, -1, np.int8)
    deck[10 * (1 - seat) : 10 * (1 - seat) + 10] = [CARD_IDS[c] for c in record.deal[1 - seat]]
    deck[10 * seat : 10 * seat + 10] = arrivals[:10]
    deck[20] = CARD_IDS[record.upcard]
    place, drawn = 21, 10
    for act in record.turns[:n_acts]:
        if act.draw == "stock":
            deck[place] = arrivals[drawn] if act.player == seat else CARD_IDS[act.card]
            drawn += act.player == seat
            place += 1
    left = sorted(set(range(52)) - set(deck.tolist()))
    deck[place:] = left
    return deck


@jit
def weigh_acts(tables, views, rules, deck, dealer, acts, seat, player, deviation, logs, least):
    """Write the log of the chance of each act of a seat; return their sum.

    Minus infinity where the acts are impossible, or once the sum is below ``least``.
    """
    table = tables[0]
    stack_deck(table, deck)
    deal_hand(table, views, dealer, rules)
    total = 0.0
    for n in range(len(acts)):
        kind, discarded = acts[n, 0], acts[n, 1]
        view, other = views[table.mover], views[1 - table.mover]
        weighs = table.mover == seat
        logs[n] = 0.0
        if weighs and view.upcard >= 0 and (table.phase == FIRST_OFFER or table.phase == TURN):
            chance = take_chance(player, view)
            chance = chance if kind == IS_UPCARD else 1 - chance
            logs[n] += math.log((1 - deviation.take) * chance + deviation.take * (1 - chance))
        if kind == IS_PASS:
            pass_upcard(table, view, other)
            total += logs[n]
            continue
        if kind == IS_UPCARD:
            take_upcard(view, other, rules)
        else:
            draw_stock(table, view, other)
        if may_big_gin(view, rules):
            offer_big_gin(view)
            if weighs:
                chance = 1 - knock_chance(player, view)
                logs[n] += math.log((1 - deviation.knock) * chance + deviation.knock * (1 - chance))
        if discarded < 0:
            break
        if discard_fault(view, discarded) != NO_FAULT:
            return -np.inf
        if weighs:
            share = deviation.discard / popcount(view.hand & ~view.barred)
            chance = discard_chance(player, view, discarded)
            logs[n] += math.log((1 - deviation.discard) * chance + share)
        discard_card(table, view, other, discarded)
        if weighs and may_knock(table, view):
            chance = 1 - knock_chance(player, view)
            logs[n] += math.log((1 - deviation.knock) * chance + deviation.knock * (1 - chance))
        end_turn(table, view, other, rules)
        total += logs[n]
        if total < least:
            return -np.inf
    return total


@jit
def weigh_all(tables, views, rules, decks, dealer, acts, seat, player, deviation, logs, totals):
    """Weigh the acts in each of many decks; those far below the likeliest so far count nothing."""
    highest = -np.inf
    for row in range(len(decks)):
        least = highest - 40.0
        totals[row] = weigh_acts(
            tables,
            views,
            rules,
            decks[row],
            dealer,
            acts,
            seat,
            player,
            deviation,
            logs,
            least,
        )
        highest = max(highest, totals[row])


class Case(NamedTuple):
    """A seat's acts in a record, as seen by the other one."""

    record: object
    n_acts: int
    seat: int  # whose acts are weighed

    @property
    def arrivals(self) -> list[int]:
        """The seat's ten cards as dealt and its stock draws."""
        drawn = [
            CARD_IDS[act.card]
            for act in self.record.turns[: self.n_acts]
            if act.player == self.seat and act.draw == "stock"
        ]
        return [CARD_IDS[card] for card in self.record.deal[self.seat]] + drawn

    def logs(self, policy, rules, deviation, arrivals=None) -> np.ndarray:
        """The logs of the chances of the seat's acts, its passes among them."""
        acts = acts_of(self.record, self.n_acts)
        logs = np.zeros(len(acts))
        deck = deck_of(self.record, self.n_acts, self.seat, arrivals or self.arrivals)
        total = weigh_acts(*self._asked(policy, rules, deviation, deck, acts), logs, -np.inf)
        assert total > -np.inf or np.isinf(logs).any()
        return logs[[act.player == self.seat for act in self.record.turns[: self.n_acts]]]

    def totals(self, policy, rules, deviation, rows) -> np.ndarray:
        """The logs of the chances of all its acts, for each row of arrivals."""
        acts = acts_of(self.record, self.n_acts)
        decks = np.array([deck_of(self.record, self.n_acts, self.seat, row) for row in rows])
        totals = np.zeros(len(decks))
        asked = self._asked(policy, rules, deviation, decks, acts)
        weigh_all(*asked, np.zeros(len(acts)), totals)
        return totals

    def _asked(self, policy, rules, deviation, decks, acts) -> tuple:
        """What both ways to weigh the seat's acts are called with."""
        player = weighed_player(policy)
        deal = (rule_record(rules), decks, self.record.dealer, acts, self.seat)
        return *new_state(), *deal, player, deviation


def all_arrivals(n_places, discarded, deadlines, arrivals, n_held, pool):
    """Every way in which a seat's hidden cards can have arrived, the ten dealt in any one order.

    Parameters
    ----------
    n_places : int
        Ten and one for each draw.
    discarded : list of int
        Hidden cards that it discarded.
    deadlines : dict of int to int
        By discarded card, the event in which it was discarded.
    arrivals : list of int
        The event of each draw.
    n_held : int
        Hidden cards that it still holds, out of ``pool``.
    pool : int
        Mask.
    """
    rows = []
    for held in combinations(cards_of(pool), n_held):
        cards = [*held, *discarded]
        assert len(cards) == n_places
        for drawn in permutations(cards, n_places - 10):
            late = (
                event > deadlines.get(card, event)
                for card, event in zip(drawn, arrivals, strict=True)
            )
            if not any(late):
                rows.append([*(card for card in cards if card not in drawn), *drawn])
    return rows
