"""The play loop: asks each seat's policy between the round's steps, and tallies whole chunks.

Hands are played by these steps alone, whether they are tallied, recorded, part of a game or tried
both ways.
"""

from __future__ import annotations

from gin_sim.engine import rng
from gin_sim.engine.jit import jit, jit_inline, jit_paste
from gin_sim.engine.round import (
    AT_WALL,
    FIRST_OFFER,
    MUST_DRAW,
    NO_DECISION,
    NO_FAULT,
    OPEN,
    big_gin,
    deal_hand,
    discard_fault,
    draw_stock,
    end_turn,
    fail,
    knock,
    leave_wall,
    may_big_gin,
    may_knock,
    may_knock_at_wall,
    offer_big_gin,
    pass_upcard,
    shuffle_deck,
    take_upcard,
    throw,
)
from gin_sim.play.tallies import add_deal, add_hand, clear_deal
from gin_sim.policies.decide import chooses_discard, has_decisions, knocks, takes_upcard


@jit
def play_on(table, views, rules, players, first):
    """Play a hand from its present state to its end.

    Parameters
    ----------
    table, views : records of TABLE and VIEW
        The state; changed in place, and holding the facts at the end.
    rules : RuleNumbers
    players : record array of PLAYER, length 2
    first : int64
        Index of the player in seat 0; the other sits in seat 1.
    """
    view = views[1 - table.mover]
    other = views[table.mover]
    player = players[first ^ (1 - table.mover)]
    other_player = players[first ^ table.mover]
    if not (has_decisions(player) and has_decisions(other_player)):
        fail(table, NO_DECISION)
    while table.ending == OPEN:
        # Each step ends the hand or hands the move to the other seat.
        view, other = other, view
        player, other_player = other_player, player
        n_turns = table.n_turns
        if play_draw(table, view, other, rules, player):
            card = chooses_discard(player, view)
            play_discard(table, view, other, rules, player, card, n_turns)


@jit_inline
def play_draw(table, view, other, rules, player):
    """Let the mover take, draw, pass or lay down big gin; return whether a discard is due."""
    if not draw_card(table, view, other, rules, player):
        return False
    return not lays_down_big_gin(table, view, other, rules, player)


@jit_inline
def draw_card(table, view, other, rules, player):
    """Let the mover take, draw or pass; return whether it now holds eleven cards."""
    if table.phase == AT_WALL:
        if not may_knock_at_wall(table, view, rules):
            leave_wall(table, table.n_turns)
            return False
        take_upcard(view, other, rules)
    elif table.phase != MUST_DRAW and view.upcard >= 0 and takes_upcard(player, view):
        take_upcard(view, other, rules)
    elif table.phase == FIRST_OFFER:
        pass_upcard(table, view, other)
        return False
    else:
        draw_stock(table, view, other)
    return True


@jit_inline
def lays_down_big_gin(table, view, other, rules, player):
    """Let the mover lay down all of its eleven cards; return whether that ended the hand."""
    if may_big_gin(view, rules):
        offer_big_gin(view)
        if knocks(player, view):
            big_gin(table, view, other, rules)
            return True
    return False


@jit_inline
def play_discard(table, view, other, rules, player, card, n_turns):
    """Discard the mover's card and let it knock, or end its turn.

    Parameters
    ----------
    table, view, other, rules, player
        As in :func:`play_on`: the mover's view, the other seat's, and the mover.
    card : int64
        What the mover discards; an illegal card ends the hand as a fault.
    n_turns : int64
        Turns before this one, for the try at the wall that does not count.
    """
    if not discard_card(table, view, other, card):
        return
    if may_knock(table, view) and knocks(player, view):
        knock(table, view, other, rules)
    else:
        finish_turn(table, view, other, rules, n_turns)


@jit_inline
def discard_card(table, view, other, card):
    """Discard the mover's card and return True, or end the hand as a fault for an illegal one."""
    fault = discard_fault(view, card)
    if fault != NO_FAULT:
        fail(table, fault)
        return False
    throw(table, view, other, card)
    return True


@jit_inline
def finish_turn(table, view, other, rules, n_turns):
    """Pass the turn on after a discard without a knock; at the wall that is a wash."""
    if table.phase == AT_WALL:
        leave_wall(table, n_turns)
    else:
        end_turn(table, view, other, rules)


@jit
def start_deal(table, views, seed, deal_index):
    """Set the deck and the policies' randomness of a deal; both legs of a pair share them."""
    shuffle_deck(table, seed, deal_index)
    for seat in range(2):
        views[seat].noise = rng.stream_key(seed, deal_index, rng.SEAT_STREAM + seat)


@jit_paste
def play_leg(table, views, rules, players, deal_index, leg):
    """Play one leg of a deal: leg 0 with player 0 in seat 0, leg 1 with the seats swapped.

    Seat 0 deals the even deals and seat 1 the odd ones.
    """
    deal_hand(table, views, deal_index & 1, rules)
    play_on(table, views, rules, players, leg)


@jit
def play_chunk(tables, views, deals, tallies, rules, players, seed, first_deal, n_deals, n_legs):
    """Play consecutive deals and add them to a tally.

    Parameters
    ----------
    tables, views : record arrays of TABLE (1) and VIEW (2)
        Working state, see ``new_state``.
    deals, tallies : record arrays of DEAL and TALLY, length 1
        Working space, and what is added to.
    rules : RuleNumbers
    players : record array of PLAYER, length 2
    seed, first_deal, n_deals : int64
    n_legs : int64
        2 for mirrored pairs, 1 for plain hands.
    """
    table = tables[0]
    deal = deals[0]
    tally = tallies[0]
    for deal_index in range(first_deal, first_deal + n_deals):
        start_deal(table, views, seed, deal_index)
        clear_deal(deal)
        for leg in range(n_legs):
            play_leg(table, views, rules, players, deal_index, leg)
            add_hand(tally, deal, table, rules, leg)
        add_deal(tally, deal)
