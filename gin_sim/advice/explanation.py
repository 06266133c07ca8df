"""Why an action is best: what the opponent probably holds and what a knock would meet, in figures.

Nothing is decided here; every figure is a mean over the sampled worlds, or exact.
"""

from __future__ import annotations

import math
from collections.abc import Iterable

import numpy as np

from gin_sim.advice.playouts import chain_estimate
from gin_sim.cards import card_name, card_names, cards_of, mask_of
from gin_sim.engine.deadwood import improving_cards, least_deadwood
from gin_sim.engine.jit import jit, run_kernel
from gin_sim.engine.layoff import answer_knock, choose_spread
from gin_sim.engine.pricing import outcome_of
from gin_sim.engine.spread import best_arrangement
from gin_sim.engine.table import rule_record
from gin_sim.positions import Position
from gin_sim.results.advice import LikelyCard, LikelyMeld, Reasons
from gin_sim.rules import KNOCK, UNDERCUT
from gin_sim.stats.intervals import Estimate

_MELDS_SHOWN = 3
_CARDS_SHOWN = 5
_DRAWS = 3
_DIGITS = 6  # of chances that are counted shares


@jit
def _deadwoods(hands, found):
    for i in range(len(hands)):
        found[i] = least_deadwood(hands[i])


@jit
def _defences(hands, sets, runs, deadwood, rules, undercuts, pips):
    """Note for each hand whether it undercuts a knock, and the pips that it lays off."""
    for i in range(len(hands)):
        left, _ = answer_knock(hands[i], sets, runs, deadwood, rules)
        undercuts[i] = outcome_of(KNOCK, deadwood, left, rules) == UNDERCUT
        pips[i] = least_deadwood(hands[i]) - left


def reasons_of(
    position: Position, hands: np.ndarray, kept: int | None, knocked: int | None
) -> Reasons:
    """Return what stands behind an answer.

    Parameters
    ----------
    position : Position
    hands : int64 array, shape (chains, worlds)
        The opponent's hands.
    kept : int or None
        Mask of the ten cards after the best discard that plays on; None before the draw, where the
        ten cards held count.
    knocked : int or None
        Mask of the ten cards of the best knock with deadwood.
    """
    deadwoods = np.zeros(hands.size, np.int64)
    run_kernel(_deadwoods, hands.reshape(-1), deadwoods)
    deadwoods = deadwoods.reshape(hands.shape)
    undercut = laid_off = None
    if knocked is not None:
        undercut, laid_off = _what_a_knock_meets(position, hands, knocked)
    ten = mask_of(position.hand) if kept is None else kept
    outs = cards_of(int(run_kernel(improving_cards, ten, position.seen.unseen, 1)[0]))
    chances = _gin_chances(position, hands, outs)
    return Reasons(
        opponent_deadwood=chain_estimate(deadwoods.mean(axis=1)),
        opponent_may_knock_chance=_share(deadwoods <= position.knock_limit),
        opponent_melds=_likely_melds(hands),
        opponent_cards=_likely_cards(position, hands),
        undercut_chance=undercut,
        laid_off=laid_off,
        gin_outs=card_names(outs),
        gin_chance_in_draws=[round(chance, _DIGITS) for chance in chances],
    )


def _share(happens: np.ndarray) -> Estimate:
    share = chain_estimate(happens.mean(axis=1))
    return Estimate(share.estimate, max(share.low, 0.0), min(share.high, 1.0))


def _what_a_knock_meets(
    position: Position, hands: np.ndarray, knocked: int
) -> tuple[Estimate, Estimate]:
    known = position.seen.known
    sets, runs = choose_spread(knocked, position.seen.unseen, known)
    undercuts = np.zeros(hands.size, np.bool_)
    pips = np.zeros(hands.size, np.int64)
    deadwood = int(least_deadwood(knocked))
    rules = rule_record(position.rules)
    run_kernel(_defences, hands.reshape(-1), int(sets), int(runs), deadwood, rules, undercuts, pips)
    means = pips.reshape(hands.shape).mean(axis=1)
    return _share(undercuts.reshape(hands.shape)), chain_estimate(means)


def _gin_chances(position: Position, hands: np.ndarray, outs: Iterable[int]) -> tuple[float, ...]:
    """Return the chances to draw an out within some own draws, every order of the stock alike."""
    mask = mask_of(outs)
    stock = position.seen.unseen & ~hands.reshape(-1)
    live = np.array([(int(cards) & mask).bit_count() for cards in np.unique(stock)])
    _, counts = np.unique(stock, return_counts=True)
    size = position.seen.unseen.bit_count() - position.seen.n_hidden
    draws = min(_DRAWS, (position.seen.stock_left - position.rules.stock_floor + 1) // 2)
    found = []
    for n in range(1, draws + 1):
        missed = np.array([math.comb(size - k, n) / math.comb(size, n) for k in live.tolist()])
        found.append(float(1 - (missed * counts).sum() / counts.sum()))
    return tuple(found)


def _likely_melds(hands: np.ndarray) -> list[LikelyMeld]:
    masks, counts = np.unique(hands.reshape(-1), return_counts=True)
    found: dict[int, int] = {}
    for mask, count in zip(masks.tolist(), counts.tolist(), strict=True):
        for meld in best_arrangement(mask):
            found[meld] = found.get(meld, 0) + count
    best = sorted(found.items(), key=lambda item: (-item[1], item[0]))[:_MELDS_SHOWN]
    return [
        LikelyMeld(card_names(meld), round(count / hands.size, _DIGITS)) for meld, count in best
    ]


def _likely_cards(position: Position, hands: np.ndarray) -> list[LikelyCard]:
    hidden = position.seen.unseen
    shares = [(card, float((hands >> card & 1).mean())) for card in cards_of(hidden)]
    best = sorted(shares, key=lambda item: (-item[1], item[0]))[:_CARDS_SHOWN]
    return [LikelyCard(card_name(card), round(chance, _DIGITS)) for card, chance in best]


#: What is run from here, for :func:`gin_sim.engine.reach.to_compile`.
KERNELS = (_deadwoods, improving_cards, choose_spread, least_deadwood, _defences)
