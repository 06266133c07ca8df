"""The luck of the deal and of the draws as numbers whose means are known, summed beside the leads.

A hand's lead is skill and luck, and much of the luck can be seen: the value of the cards dealt, and
at each draw from the stock what the card did for the hand, less what the cards still in the stock
would have done on average.  Policies never see the stock, so whoever plays, the next card is any
of those left with the same chance: the mean of the second is 0, and the mean of the first is a
count over all hands.  Which weights these numbers deserve, and what is left of a lead without
them, is found by :mod:`gin_sim.stats.control_variates`.

The draws are read from a finished hand's views; the play loop knows nothing of it.
"""

from __future__ import annotations

from fractions import Fraction
from math import comb

import numpy as np

from gin_sim.cards import FULL_DECK
from gin_sim.engine.bits import ONE_OF_EACH_SUIT, popcount
from gin_sim.engine.deadwood import best_discards, least_deadwood
from gin_sim.engine.jit import jit, jit_inline
from gin_sim.engine.melds import meldable_cards
from gin_sim.engine.view import FROM_STOCK
from gin_sim.play.loop import play_leg, start_deal
from gin_sim.play.tallies import N_LEADS, TALLY, add_deal, add_hand, clear_deal
from gin_sim.policies.shipped.family_features import completing_cards

# The value of ten dealt cards.
(
    DEADWOOD,  # least pips
    MELDABLE,  # cards that some meld of the hand contains
    OUTS,  # cards of the other 42 that would meld with two of the hand
) = range(3)
N_VALUES = 3

#: Sums of the values over all hands of ten cards, counted by scripts/deal_values.py.
N_HANDS = comb(52, 10)
VALUE_SUMS = (894_929_816_444, 21_953_944_980, 112_748_875_668)

# What a card drawn from the stock does for its side: a measure of the deadwood that the best
# discard leaves, some of them times a number known before the draw.
(
    AFTER,  # pips
    AFTER_BY_TURN,  # times the own turn
    AFTER_TO_30,  # no more than 30
    AFTER_TO_20,
    AFTER_IN_KNOCK,  # the pips of a hand that may knock, or 0
    MAY_KNOCK,  # 1 or 0
    MAY_KNOCK_BY_OTHER,  # times the other hand's deadwood
    FIVE,  # five pips or less
    FIVE_BY_OTHER,
    GONE_GIN,
    GONE_GIN_BY_OTHER,
) = range(11)
N_DRAW_MEASURES = 11

#: Controls: the dealt hands' values summed, then seat 0's less seat 1's (which is 0 in a mirrored
#: pair), then the draw measures of side 0 and of side 1.
FIRST_DRAW = 2 * N_VALUES
N_CONTROLS = FIRST_DRAW + 2 * N_DRAW_MEASURES

#: A draw's luck is taken times the number of cards it is a mean over, and times this over that
#: number, rounded down: whole numbers, and nearly the same weight for every draw.  Where it is also
#: taken times the turn or the other hand's deadwood, that product is over 8 or 16, rounded down.
_DRAW_SCALE = 420

#: Two random players have the greatest luck found, 36,000 (root mean square) in a mirrored pair:
#: int64 would hold the squares of 20 times as many hands.
MAX_LUCK_HANDS = 10**9

#: Sums over deals, int64.  Deals fall into two halves, each with as many of either dealer, so that
#: the weights for one half can come from the other.
CONTROLS = np.dtype(
    [
        ("half_deals", "i8", (2,)),
        ("half_leads", "i8", (2, N_LEADS)),
        ("half_lead_squares", "i8", (2, N_LEADS)),
        ("controls", "i8", (2, N_CONTROLS)),
        ("control_products", "i8", (2, N_CONTROLS, N_CONTROLS)),  # the first no less than the other
        ("controls_by_lead", "i8", (2, N_LEADS, N_CONTROLS)),
    ]
)

#: A tally with controls: the fields of TALLY, then those of CONTROLS.
LUCK_TALLY = np.dtype([(name, kind[name]) for kind in (TALLY, CONTROLS) for name in kind.names])


def new_luck_tally() -> np.ndarray:
    """Return an empty tally with controls, a record array of length 1."""
    return np.zeros(1, LUCK_TALLY).view(np.recarray)


def parts_of(tally: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Return a tally with controls as its tally and its controls, which share its memory."""
    numbers = tally.view(np.ndarray).view("i8")
    n_of_tally = TALLY.itemsize // 8
    return (
        numbers[:n_of_tally].view(TALLY).view(np.recarray),
        numbers[n_of_tally:].view(CONTROLS).view(np.recarray),
    )


def new_luck() -> np.ndarray:
    """Return working space for one deal's controls, an int64 array."""
    return np.zeros(N_CONTROLS, np.int64)


def control_means() -> list[Fraction]:
    """Return the mean of each control over all deals, whoever plays."""
    by_draws = [Fraction(0)] * (2 * N_DRAW_MEASURES)
    dealt = [Fraction(2 * total, N_HANDS) for total in VALUE_SUMS]
    return [*dealt, *[Fraction(0)] * N_VALUES, *by_draws]


@jit_inline
def hand_values(hand):
    """Return a dealt hand's deadwood, meldable cards and outs, see DEADWOOD and the following."""
    return (
        least_deadwood(hand),
        popcount(meldable_cards(hand)),
        popcount(completing_cards(hand)),
    )


@jit_inline
def clear_luck(luck, table):
    """Start a deal's controls with what the dealt hands are worth together."""
    first = hand_values(table.dealt[0])
    second = hand_values(table.dealt[1])
    for value in range(N_VALUES):
        luck[value] = first[value] + second[value]
    for control in range(N_VALUES, N_CONTROLS):
        luck[control] = 0


@jit_inline
def add_luck(luck, table, views, leg):
    """Add a finished hand's luck to its deal's controls.

    Parameters
    ----------
    luck : int64 array of length N_CONTROLS
    table : record of TABLE
    views : record array of VIEW, length 2
        As they stand at the end of the hand.
    leg : int64
        Side 0 sits in seat 0 in leg 0 and in seat 1 in leg 1.
    """
    ours = hand_values(table.dealt[leg])
    theirs = hand_values(table.dealt[1 - leg])
    for value in range(N_VALUES):
        luck[N_VALUES + value] += ours[value] - theirs[value]

    # The dealer has the first turn where it takes the upcard that the other passed.
    seat = table.dealer if table.n_passes == 1 else 1 - table.dealer
    hand, deadwood = table.dealt[seat], table.dealt_deadwood[seat]
    other_hand, other_deadwood = table.dealt[1 - seat], table.dealt_deadwood[1 - seat]
    stock = FULL_DECK & ~(hand | other_hand | 1 << table.first_upcard)
    for turn in range(table.n_turns):
        own_turn = 1 + (turn >> 1)
        card = np.int64(views[seat].own_drawn[own_turn])
        if views[1 - seat].opponent_drew[own_turn] == FROM_STOCK:
            first = FIRST_DRAW + N_DRAW_MEASURES * (seat ^ leg)
            limit = table.knock_limit
            add_draw(luck, first, hand, deadwood, card, stock, limit, other_deadwood, own_turn)
            stock &= ~(1 << card)
        discarded = np.int64(views[seat].own_discards[own_turn])
        if discarded < 0:
            break  # big gin
        hand = (hand | 1 << card) & ~(1 << discarded)
        deadwood = least_deadwood(hand)
        hand, other_hand = other_hand, hand
        deadwood, other_deadwood = other_deadwood, deadwood
        seat = 1 - seat


@jit
def add_draw(luck, first, hand, deadwood, card, stock, limit, other_deadwood, own_turn):
    """Add what one draw from the stock did for the drawer to its measures.

    Parameters
    ----------
    luck : int64 array
        Added to from the place ``first`` on.
    hand, deadwood : int64
        The drawer's ten cards and their least deadwood (pips).
    card : int64
        The card drawn.
    stock : int64
        Mask of the stock before the draw.
    limit : int64
        The hand's knock limit.
    other_deadwood, own_turn : int64
        What some measures are multiplied with.
    """
    # A card that melds with no two of the hand is discarded, or stays loose beside the best nine.
    melding = completing_cards(hand) & stock
    others = stock & ~melding
    nine = best_discards(hand, 0)[0]
    drawn = 1 << card
    after = 0
    n = 0
    all_pips = to_30 = to_20 = in_knock = n_knock = n_five = n_gin = 0
    left = melding
    pips = 0
    while left or pips < 10:
        if left:
            cards = left & -left
            left ^= cards
            leaves = best_discards(hand | cards, 0)[0]
            n_cards = 1
        else:
            ranks = 1 << pips if pips < 9 else 0b1111000000000
            pips += 1
            cards = others & ranks * ONE_OF_EACH_SUIT
            leaves = min(deadwood, nine + pips)
            n_cards = popcount(cards)
        if cards & drawn:
            after = leaves
        n += n_cards
        all_pips += n_cards * leaves
        to_30 += n_cards * min(leaves, 30)
        to_20 += n_cards * min(leaves, 20)
        if leaves <= limit:
            n_knock += n_cards
            in_knock += n_cards * leaves
        if leaves <= 5:
            n_five += n_cards
        if leaves == 0:
            n_gin += n_cards
    # Numbers known before the draw, so that each difference keeps its mean of 0.
    scale = _DRAW_SCALE // n
    by_turn = scale * own_turn // 8
    by_other = scale * other_deadwood // 16
    to_pips = n * after - all_pips
    to_knock = n * (after <= limit) - n_knock
    to_five = n * (after <= 5) - n_five
    to_gin = n * (after == 0) - n_gin
    luck[first + AFTER] += scale * to_pips
    luck[first + AFTER_BY_TURN] += by_turn * to_pips
    luck[first + AFTER_TO_30] += scale * (n * min(after, 30) - to_30)
    luck[first + AFTER_TO_20] += scale * (n * min(after, 20) - to_20)
    luck[first + AFTER_IN_KNOCK] += scale * (n * after * (after <= limit) - in_knock)
    luck[first + MAY_KNOCK] += scale * to_knock
    luck[first + MAY_KNOCK_BY_OTHER] += by_other * to_knock
    luck[first + FIVE] += scale * to_five
    luck[first + FIVE_BY_OTHER] += by_other * to_five
    luck[first + GONE_GIN] += scale * to_gin
    luck[first + GONE_GIN_BY_OTHER] += by_other * to_gin


@jit_inline
def add_controls(sums, luck, deal, deal_index):
    """Add a finished deal's controls, and their products, to its half of the deals."""
    half = deal_index >> 1 & 1
    sums.half_deals[half] += 1
    for lead in range(N_LEADS):
        value = deal.leads[lead]
        sums.half_leads[half, lead] += value
        sums.half_lead_squares[half, lead] += value * value
        for control in range(N_CONTROLS):
            sums.controls_by_lead[half, lead, control] += value * luck[control]
    for control in range(N_CONTROLS):
        value = luck[control]
        sums.controls[half, control] += value
        for other in range(control + 1):
            sums.control_products[half, control, other] += value * luck[other]


@jit
def play_chunk_with_luck(tables, views, deals, tallies, luck, controls, rules, players, units):
    """Play consecutive deals as ``play_chunk`` does, and sum their controls too.

    Parameters
    ----------
    luck : int64 array of length N_CONTROLS
        Working space.
    controls : record array of CONTROLS, length 1
        Added to.
    """
    table = tables[0]
    deal = deals[0]
    tally = tallies[0]
    for deal_index in range(units.first, units.first + units.n):
        start_deal(table, views, units.seed, deal_index)
        clear_deal(deal)
        clear_luck(luck, table)
        for leg in range(units.n_legs):
            play_leg(table, views, rules, players, deal_index, leg)
            add_hand(tally, deal, table, rules, leg)
            add_luck(luck, table, views, leg)
        add_deal(tally, deal)
        add_controls(controls[0], luck, deal, deal_index)
