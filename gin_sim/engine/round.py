"""The steps of one hand: what a player may do, and what each step changes.

The state is a table (:mod:`gin_sim.engine.table`) and one view for each seat.  Steps trust their
caller to have asked whether they are allowed.  Nothing here decides for a player or prices a
result: the walk over a hand asks policies between the steps, and the rules price the facts that
the table holds at the end.
"""

from __future__ import annotations

import numpy as np

from gin_sim.engine.apart import apart
from gin_sim.engine.bits import lowest_bit
from gin_sim.engine.deadwood import best_discards, least_deadwood
from gin_sim.engine.deal import fix_places
from gin_sim.engine.jit import jit_inline, jit_paste
from gin_sim.engine.layoff import answer_knock, choose_spread, ending_shown
from gin_sim.engine.table import (
    CARD_BARRED,
    CARD_NOT_HELD,
    FAULT,
    NO_DECISION,
    NO_FAULT,
    RULES,
    TABLE,
)
from gin_sim.engine.view import FROM_STOCK, VIEW, forget_upcard, look_at_upcard, unseen_cards
from gin_sim.rules import AT_WALL, MUST_DRAW, STALLED, TURN, WASH


@jit_paste
def pass_upcard(table, view, other):
    """Refuse the first upcard: the dealer is asked next, then the non-dealer must draw."""
    other.opponent_refused |= 1 << table.first_upcard
    table.mover ^= 1
    table.n_passes += 1
    if table.n_passes == 2:
        table.phase = MUST_DRAW
        view.first_offer = 0
        other.first_offer = 0


@jit_paste
def take_upcard(view, other, rules):
    """Take the top of the pile into the mover's hand."""
    card = view.upcard
    bit = 1 << card
    top = view.n_pile - 1
    upcard = np.int64(view.pile[top - 1]) if top else -1
    hold_taken(view, bit, rules)
    _uncover(view, bit, top, upcard)
    _uncover(other, bit, top, upcard)
    other.opponent_known |= bit
    other.opponent_took |= bit
    view.own_drawn[view.turn] = card
    other.opponent_drew[view.turn] = card


@jit_paste
def hold_taken(view, bit, rules):
    """Add the taken upcard, given as a mask, to the ten cards of its taker's view."""
    if view.upcard_deadwood >= 0:
        view.best_deadwood = view.upcard_deadwood
        view.best_discards = view.upcard_discards
    else:
        view.best_deadwood, view.best_discards = best_discards(view.hand | bit, bit)
    view.hand |= bit
    view.shown |= bit
    view.drawn = lowest_bit(bit)
    view.barred = 0 if rules.may_discard_taken else bit
    if rules.may_discard_taken and view.deadwood <= view.best_deadwood:
        # Discarding it back is as good: the engine's look-ahead leaves that discard out.
        if view.deadwood < view.best_deadwood:
            view.best_deadwood = view.deadwood
            view.best_discards = 0
        view.best_discards |= bit


@jit_paste
def hold_drawn(view, card):
    """Add a card drawn from the stock to the ten cards of its drawer's view."""
    view.hand |= 1 << card
    view.drawn = card
    view.barred = 0
    view.best_deadwood, view.best_discards = best_discards(view.hand, view.barred)


@jit_paste
def _uncover(view, taken, n_pile, upcard):
    view.pile_cards &= ~taken
    view.n_pile = n_pile
    view.upcard = upcard
    view.first_offer = 0
    forget_upcard(view)


@jit_paste
def draw_stock(table, view, other):
    """Draw the top of the stock into the mover's hand."""
    if table.next_place >= table.n_shuffled:
        fix_places(table, table.next_place + 1)
    card = np.int64(table.deck[table.next_place])
    table.next_place += 1
    stock_left = 52 - table.next_place
    view.stock_left = stock_left
    other.stock_left = stock_left
    hold_drawn(view, card)
    if view.upcard >= 0:
        other.opponent_refused |= 1 << view.upcard
    view.own_drawn[view.turn] = card
    other.opponent_drew[view.turn] = FROM_STOCK


@jit_paste
def may_big_gin(view, rules):
    """Return whether the mover, holding eleven cards, may lay them all down."""
    if rules.big_gin_bonus < 0:
        return False
    return view.best_deadwood == 0 and least_deadwood(view.hand) == 0


@jit_paste
def offer_big_gin(view):
    """Let the mover's view show that all of its eleven cards are melded."""
    view.deadwood = 0


@jit_paste
def discard_fault(view, card):
    """Return the fault of discarding a card from eleven, or NO_FAULT."""
    if card < 0:
        return NO_DECISION
    if card > 51 or not view.hand >> card & 1:
        return CARD_NOT_HELD
    if view.barred >> card & 1:
        return CARD_BARRED
    return NO_FAULT


@jit_paste
def let_go(view, bit):
    """Take the discarded card, given as a mask, out of the eleven of its discarder's view."""
    view.hand &= ~bit
    view.shown &= ~bit
    if view.best_discards & bit:
        view.deadwood = view.best_deadwood
    else:
        view.deadwood = least_deadwood(view.hand)
    view.drawn = -1
    view.barred = 0


@jit_paste
def discard_card(table, view, other, card):
    """Discard a card onto the pile; the mover's turn goes on until it knocks or ends."""
    bit = 1 << card
    let_go(view, bit)
    _cover(view, bit, card)
    _cover(other, bit, card)
    other.opponent_known &= ~bit
    other.opponent_discards |= bit
    view.own_discards[view.turn] = card
    other.opponent_discards_in_order[view.turn] = card
    table.n_turns += 1


@jit_paste
def _cover(view, bit, card):
    view.pile[view.n_pile] = card
    view.n_pile += 1
    view.pile_cards |= bit
    view.upcard = card
    forget_upcard(view)


@jit_paste
def may_knock(table, view):
    """Return whether the mover, having discarded a card, may knock."""
    return view.deadwood <= table.knock_limit


@jit_paste
def end_turn(table, view, other, rules):
    """Pass the turn on, or end the hand at the wall or by the stall rule."""
    table.phase = TURN
    if 52 - table.next_place <= rules.stock_floor:
        if rules.wall_knock and table.n_turns < rules.stall_turns:
            table.phase = AT_WALL
        else:
            table.ending = WASH
    elif table.n_turns >= rules.stall_turns:
        table.ending = STALLED
    other.opponent_turn = view.turn
    view.turn += 1
    table.mover ^= 1


@jit_paste
def may_knock_at_wall(table, view, rules):
    """Return whether taking the upcard at the wall would let the mover knock.

    Where a taken card may be discarded back at once, the hand as it stands is enough.
    """
    deadwood = look_at_upcard(view)
    if rules.may_discard_taken:
        deadwood = min(deadwood, view.deadwood)
    return deadwood <= table.knock_limit


@jit_paste
def leave_wall(table, n_turns):
    """End a hand at the wall in a wash; a turn that was tried and given up does not count."""
    table.n_turns = n_turns
    table.ending = WASH


@apart(TABLE, VIEW, VIEW, RULES)
def settle(table, view, other, rules):
    """End the hand by what the mover lays down, and settle the deadwood of both; return 0.

    With ten cards in hand it is a knock, gin included; with eleven it is big gin.
    """
    is_big_gin = view.drawn >= 0
    if is_big_gin or view.deadwood > 0 or rules.layoff_on_gin:
        unseen, known = unseen_cards(view), view.opponent_known
    else:
        unseen, known = np.int64(0), np.int64(0)  # nothing can be laid off: any spread will do
    sets, runs = choose_spread(view.hand, unseen, known)
    deadwood = view.best_deadwood if is_big_gin else view.deadwood
    settle_knock(table, view, other, rules, sets, runs, deadwood)
    return 0


@jit_inline
def settle_knock(table, view, other, rules, sets, runs, deadwood):
    """End the hand by the mover's knock, gin or big gin, with a given spread."""
    table.knocker = table.mover
    table.spread_sets = sets
    table.spread_runs = runs
    table.knocker_deadwood = deadwood
    table.ending = ending_shown(view.hand, deadwood)
    table.defender_deadwood, table.laid_off = answer_knock(other.hand, sets, runs, deadwood, rules)


@jit_paste
def big_gin(table, view, other, rules):
    """End the hand with the mover's eleven cards all melded."""
    table.n_turns += 1
    view.own_discards[view.turn] = -1
    other.opponent_discards_in_order[view.turn] = -1
    settle(table, view, other, rules)


@jit_paste
def fail(table, fault):
    """End the hand because a policy asked for an illegal step."""
    table.ending = FAULT
    table.fault = fault
