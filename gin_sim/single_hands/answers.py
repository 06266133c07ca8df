"""The answer on one hand or on many, in card names: arrangement, deadwood, discards in order."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from gin_sim.cards import by_rank, card_name, card_names, cards_of
from gin_sim.engine.spread import melds_of
from gin_sim.errors import InputError
from gin_sim.results.hands import Discard, HandAnswer
from gin_sim.single_hands.arrangement import arranged
from gin_sim.single_hands.checks import FULL_HAND, HandsError


def analyse_hand(hand: int) -> HandAnswer:
    """Return the exact answer on one hand.

    Parameters
    ----------
    hand : int
        Mask of 1 to 11 cards.

    Raises
    ------
    InputError
        If it is no such mask.
    """
    try:
        return analyse_hands([hand])[0]
    except HandsError as error:
        raise InputError(error.problems[0][1]) from None


def analyse_hands(
    hands: Sequence[int] | np.ndarray, texts: Sequence[str] | None = None
) -> list[HandAnswer]:
    """Return :func:`analyse_hand` of each hand, in order, in one call of the kernel.

    Parameters
    ----------
    hands : sequence of int
        Masks of 1 to 11 cards.
    texts : sequence of str, optional
        What the answers repeat as the hands that were given; by default the cards' names.

    Raises
    ------
    HandsError
        If some masks do not hold 1 to 11 cards.
    """
    masks, facts = arranged(hands)
    if texts is None:
        texts = ["".join(names_by_rank(hand)) for hand in masks.tolist()]
    return [
        _answer(*row)
        for row in zip(
            texts,
            masks.tolist(),
            facts["deadwood"].tolist(),
            facts["kept"].tolist(),
            facts["sets"].tolist(),
            facts["runs"].tolist(),
            facts["leaves"].tolist(),
            strict=True,
        )
    ]


def _answer(
    text: str, hand: int, deadwood: int, kept: int, sets: int, runs: int, leaves: list[int]
) -> HandAnswer:
    discards = discards_in_order(hand, leaves) if hand.bit_count() == FULL_HAND else []
    best = [discard.card for discard in discards if discard.deadwood == discards[0].deadwood]
    all_meld = bool(discards) and kept == hand
    return HandAnswer(
        hand=text,
        cards=names_by_rank(hand),
        n_cards=hand.bit_count(),
        deadwood=deadwood,
        melds=[card_names(meld) for meld in melds_of(sets, runs)],
        loose=names_by_rank(kept & ~(sets | runs)),
        discard=best[0] if best and not all_meld else None,
        discards=discards,
        best_discards=best,
        big_gin=all_meld,
    )


def discards_in_order(hand: int, leaves: list[int]) -> list[Discard]:
    """Return the discards of eleven cards in the order that the engine prefers them.

    Least deadwood first, then the highest rank, then the suit.

    Parameters
    ----------
    hand : int
        Mask.
    leaves : list of int
        The deadwood that each card leaves, in id order.
    """
    keyed = sorted(
        (left, -(card % 13), card) for card, left in zip(cards_of(hand), leaves, strict=True)
    )
    return [Discard(card=card_name(card), deadwood=left) for left, _, card in keyed]


def names_by_rank(cards: int) -> list[str]:
    """Return the names of a mask's cards as players hold them."""
    return card_names(by_rank(cards_of(cards)))
