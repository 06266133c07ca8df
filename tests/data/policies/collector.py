"""Collects: takes what makes a meld or a pair, discards the dearest loose card that is safest."""

from typing import NamedTuple

from gin_sim.engine.bits import ONE_OF_EACH_SUIT, lowest_bit, nth_card, popcount
from gin_sim.engine.deadwood import least_deadwood
from gin_sim.engine.melds import pips_of
from gin_sim.engine.view import look_at_upcard, unseen_cards
from gin_sim.policies.contract import DECIDE_DISCARD, noise_word


class Numbers(NamedTuple):
    saves: int = 3  # least deadwood that taking the upcard must save, pips
    fear: float = 2.0  # pips that one unseen card of the discarded card's rank counts for
    limit: int = 6  # greatest deadwood to knock with, pips
    dare: bool = False  # whether to knock at any deadwood while the opponent shows nothing


def same_rank(card):
    """The four cards of a card's rank, as a mask: bit 13 * suit + rank, ranks from the ace."""
    return ONE_OF_EACH_SUIT << (card % 13)


def take_upcard(view, p):
    """``view.upcard`` is a card's id, ``view.deadwood`` what the ten cards held leave now."""
    return view.deadwood - look_at_upcard(view) >= p.saves


def choose_discard(view, p):
    """Eleven cards in ``view.hand``; the one just taken from the pile is in ``view.barred``."""
    unseen = unseen_cards(view)
    best = 0
    lowest = 1000.0
    left = view.hand & ~view.barred
    while left:
        bit = left & -left
        left ^= bit
        card = lowest_bit(bit)
        risk = popcount(same_rank(card) & unseen)
        cost = least_deadwood(view.hand & ~bit) + p.fear * risk - 0.1 * pips_of(bit)
        if cost < lowest - 1e-9:
            lowest = cost
            best = bit
        elif cost < lowest + 1e-9:
            best |= bit
    # Among equals by chance: decisions are pure, so chance comes from the view's noise.
    chance = noise_word(view, DECIDE_DISCARD, 0) % popcount(best)
    return nth_card(best, chance)


def should_knock(view, p):
    """Asked only where a knock is allowed; ``view.deadwood`` is 0 with gin."""
    if p.dare and view.opponent_known == 0:
        return True
    return view.deadwood <= p.limit
