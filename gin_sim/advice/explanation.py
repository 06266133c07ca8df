"""Why an action is best: what the opponent probably holds and what a knock would meet, in figures.

Nothing is decided here; every figure is a mean over the worlds of the belief, or exact.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from gin_sim.advice.playouts import chain_estimate
from gin_sim.cards import cards_of, mask_of
from gin_sim.engine.deadwood import best_discards, least_deadwood
from gin_sim.engine.jit import jit, run_kernel
from gin_sim.engine.layoff import answer_knock, choose_spread
from gin_sim.engine.pricing import outcome_of
from gin_sim.engine.spread import best_arrangement
from gin_sim.positions import Position
from gin_sim.rules import KNOCK, UNDERCUT
from gin_sim.stats.intervals import Estimate

_MELDS_SHOWN = 3
_CARDS_SHOWN = 5
_DRAWS = 3


@dataclass(frozen=True)
class Reasons:
    """What stands behind an answer.

    Parameters
    ----------
    deadwood : Estimate
        The opponent's mean deadwood now, pips.
    low_hand : Estimate
        Chance that it is no more than the knock limit, 0-1.
    melds : tuple of (int, float)
        Its likeliest melds as masks, three cards or more, each with its chance.
    cards : tuple of (int, float)
        The likeliest of its hidden cards, with their chances.
    undercut : Estimate or None
        Chance that the best knock is undercut, 0-1; None where no knock with deadwood is allowed.
    laid_off : Estimate or None
        Pips that it would lay off on that knock.
    outs : tuple of int
        Unseen cards that would give gin after the best discard.
    gin_chances : tuple of float
        Chance to draw one of them from the stock within one, two, three own draws, as far as the
        stock lasts.
    """

    deadwood: Estimate
    low_hand: Estimate
    melds: tuple[tuple[int, float], ...]
    cards: tuple[tuple[int, float], ...]
    undercut: Estimate | None
    laid_off: Estimate | None
    outs: tuple[int, ...]
    gin_chances: tuple[float, ...]


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
        Mask of the ten cards after the best discard that goes on; None before the draw, where the
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
    outs = gin_outs(ten, position.seen.unseen)
    return Reasons(
        chain_estimate(deadwoods.mean(axis=1)),
        _share(deadwoods <= position.knock_limit),
        _likely_melds(hands),
        _likely_cards(position, hands),
        undercut,
        laid_off,
        outs,
        _gin_chances(position, hands, outs),
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
    rules = position.rules.numbers()
    run_kernel(_defences, hands.reshape(-1), int(sets), int(runs), deadwood, rules, undercuts, pips)
    means = pips.reshape(hands.shape).mean(axis=1)
    return _share(undercuts.reshape(hands.shape)), chain_estimate(means)


def gin_outs(ten: int, unseen: int) -> tuple[int, ...]:
    """Return the unseen cards that would give gin, drawn with ten cards in hand."""
    return tuple(
        card for card in cards_of(unseen) if int(best_discards(ten | 1 << card, 0)[0]) == 0
    )


def _gin_chances(position: Position, hands: np.ndarray, outs: tuple[int, ...]) -> tuple[float, ...]:
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


def _likely_melds(hands: np.ndarray) -> tuple[tuple[int, float], ...]:
    masks, counts = np.unique(hands.reshape(-1), return_counts=True)
    found: dict[int, int] = {}
    for mask, count in zip(masks.tolist(), counts.tolist(), strict=True):
        for meld in best_arrangement(mask):
            found[meld] = found.get(meld, 0) + count
    best = sorted(found.items(), key=lambda item: (-item[1], item[0]))[:_MELDS_SHOWN]
    return tuple((meld, count / hands.size) for meld, count in best)


def _likely_cards(position: Position, hands: np.ndarray) -> tuple[tuple[int, float], ...]:
    hidden = position.seen.unseen
    shares = [(card, float((hands >> card & 1).mean())) for card in cards_of(hidden)]
    return tuple(sorted(shares, key=lambda item: (-item[1], item[0]))[:_CARDS_SHOWN])
