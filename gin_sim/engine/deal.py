"""The shuffle and the deal: from a key, or a given order of the deck, to the first decision."""

from __future__ import annotations

import numpy as np

from gin_sim.engine import rng
from gin_sim.engine.apart import apart
from gin_sim.engine.deadwood import least_deadwood
from gin_sim.engine.jit import jit, jit_inline, jit_paste
from gin_sim.engine.pricing import knock_limit_for
from gin_sim.engine.table import FIRST_STOCK_PLACE, NO_FAULT, OPEN, RULES, TABLE, UPCARD_PLACE
from gin_sim.engine.view import VIEW, forget_history, forget_upcard
from gin_sim.rules import FIRST_OFFER, TURN


@jit
def shuffle_deck(table, seed, deal_index):
    """Start the deck of a deal: its whole order is fixed by the key, and found as it is needed."""
    table.deck_key = rng.stream_key(seed, deal_index, rng.DECK_STREAM)
    table.n_shuffled = 0
    deck = table.deck
    for place in range(52):
        deck[place] = place
    fix_places(table, np.int64(FIRST_STOCK_PLACE))
    _find_dealt(table)


@jit_inline
def fix_places(table, n_places):
    """Fix the first places of the deck by Fisher and Yates' shuffle, two places a random word."""
    deck = table.deck
    place = table.n_shuffled
    while place < n_places:
        bits = rng.word(table.deck_key, place >> 1)
        other = place + rng.low_below(bits, 52 - place)
        card = deck[other]
        deck[other] = deck[place]
        deck[place] = card
        place += 1
        other = place + rng.high_below(bits, 52 - place)
        card = deck[other]
        deck[other] = deck[place]
        deck[place] = card
        place += 1
    table.n_shuffled = place


@jit
def stack_deck(table, order):
    """Set the deck to a given order instead of a shuffled one (52 card ids)."""
    for place in range(52):
        table.deck[place] = order[place]
    table.n_shuffled = 52
    _find_dealt(table)


@jit_inline
def _find_dealt(table):
    for seat in range(2):
        hand = np.int64(0)
        for place in range(10 * seat, 10 * seat + 10):
            hand |= 1 << np.int64(table.deck[place])
        table.dealt[seat] = hand
        table.dealt_deadwood[seat] = least_deadwood(hand)


@jit_paste
def deal_hand(table, views, dealer, rules):
    """Deal the table's deck: ten cards each, the upcard, and the non-dealer to move.

    Seat 0 gets places 0-9, seat 1 places 10-19.  The views' scores, boxes and noise are the
    caller's to set.
    """
    _deal_hand(table, views[0], views[1], rules, dealer)


@apart(TABLE, VIEW, VIEW, RULES, int)
def _deal_hand(table, view_0, view_1, rules, dealer):
    upcard = np.int64(table.deck[UPCARD_PLACE])
    table.next_place = FIRST_STOCK_PLACE
    table.mover = 1 - dealer
    table.phase = FIRST_OFFER if rules.offers_first_upcard else TURN
    table.n_passes = 0
    table.n_turns = 0
    table.dealer = dealer
    table.first_upcard = upcard
    table.knock_limit = knock_limit_for(upcard, rules)
    table.ending = OPEN
    table.knocker = -1
    table.knocker_deadwood = 0
    table.defender_deadwood = 0
    table.spread_sets = 0
    table.spread_runs = 0
    table.laid_off = 0
    table.fault = NO_FAULT
    for seat in range(2):
        view = view_1 if seat else view_0
        view.hand = table.dealt[seat]
        view.deadwood = table.dealt_deadwood[seat]
        view.drawn = -1
        view.barred = 0
        view.shown = 0
        view.best_deadwood = 0
        view.best_discards = 0
        view.upcard = upcard
        view.upcard_discards = 0
        forget_upcard(view)
        view.pile_cards = 1 << upcard
        view.n_pile = 1
        forget_history(view)
        view.pile[0] = upcard
        view.stock_left = 52 - FIRST_STOCK_PLACE
        view.turn = 1
        view.first_offer = rules.offers_first_upcard
        view.is_dealer = seat == dealer
        view.opponent_known = 0
        view.opponent_took = 0
        view.opponent_refused = 0
        view.opponent_discards = 0
        view.opponent_turn = 0
        view.knock_limit = table.knock_limit
        view.gin_bonus = rules.gin_bonus
        view.big_gin_bonus = rules.big_gin_bonus
        view.undercut_bonus = rules.undercut_bonus
        view.box_bonus = rules.box_bonus
        view.target = rules.target
        view.boxes_at_once = rules.boxes_at_once
    return 0
