"""What can be wrong with hands that are given: one sentence for each bad row of a batch."""

from __future__ import annotations

import itertools
from collections.abc import Collection, Iterable, Sequence

import numpy as np

from gin_sim.cards import FULL_DECK, HAND_SIZE, N_CARDS, card_names, cards_of, count_error
from gin_sim.engine.spread import is_meld
from gin_sim.errors import InputError

FULL_HAND = HAND_SIZE + 1  # after the draw, before the discard
HAND_SIZES = range(1, FULL_HAND + 1)
KNOCKER_SIZES = (HAND_SIZE, FULL_HAND)
DEFENDER_SIZES = (HAND_SIZE,)


class HandsError(InputError):
    """Some hands of a batch cannot be used.

    Attributes
    ----------
    problems : list of (int, str)
        For each bad row its index, from 0, and a sentence.
    """

    def __init__(self, problems: list[tuple[int, str]]) -> None:
        self.problems = problems
        index, sentence = problems[0]
        n_more = len(problems) - 1
        others = f" ({n_more} more {'is' if n_more == 1 else 'are'} bad.)" if n_more else ""
        super().__init__(f"hand {index + 1}: {sentence}{others}")


def as_masks(hands: Sequence[int] | np.ndarray) -> np.ndarray:
    """Return hands as an int64 array of masks.

    Raises
    ------
    InputError
        If they are no sequence of integers.
    """
    masks = np.asarray(hands)
    if masks.ndim != 1 or (masks.size and masks.dtype.kind not in "iu"):
        raise InputError(
            f"hands are given as {masks.ndim}-dimensional {masks.dtype} values: they are a "
            "sequence of integer masks, such as gin_sim.cards.parse_hand returns."
        )
    return np.ascontiguousarray(masks.astype(np.int64))


def raise_if_any(*problems: Iterable[tuple[int, str]]) -> None:
    """Raise a HandsError with the first problem of each bad row, if there is any."""
    first: dict[int, str] = {}
    for i, sentence in itertools.chain(*problems):
        first.setdefault(i, sentence)
    if first:
        raise HandsError(sorted(first.items()))


def size_problems(masks: np.ndarray, sizes: Collection[int], what: str) -> list[tuple[int, str]]:
    """Return what is wrong with masks that do not hold one of some numbers of cards."""
    in_deck = (masks >= 0) & (masks <= FULL_DECK)
    n_cards = np.unpackbits(masks.view(np.uint8).reshape(-1, 8), axis=1).sum(axis=1)
    bad = np.flatnonzero(~in_deck | ~np.isin(n_cards, list(sizes)))
    return [(int(i), _size_problem(int(masks[i]), sizes, what)) for i in bad]


def _size_problem(mask: int, sizes: Collection[int], what: str) -> str:
    if not 0 <= mask <= FULL_DECK:
        return f"{what} is the mask {mask}: a mask of cards has no bits but 0 to 51."
    return str(count_error(cards_of(mask), sizes, what))


def upcard_problems(upcards: Sequence[int | None]) -> list[tuple[int, str]]:
    """Return what is wrong with first upcards that are no card ids."""
    return [
        (i, f"the upcard is {card}: a card id is a whole number from 0 to {N_CARDS - 1}.")
        for i, card in enumerate(upcards)
        if card is not None and card not in range(N_CARDS)
    ]


def shared_problems(knockers: np.ndarray, defenders: np.ndarray) -> list[tuple[int, str]]:
    """Return what is wrong with pairs of hands that share a card."""
    shared = knockers & defenders
    return [(int(i), _shared_problem(int(shared[i]))) for i in np.flatnonzero(shared)]


def _shared_problem(shared: int) -> str:
    names = card_names(shared, symbols=True)
    return (
        f"{' '.join(names)} {'is' if len(names) == 1 else 'are'} in both hands: knocker and "
        "defender hold different cards."
    )


def check_spread(spread: list[int], knocker: int) -> None:
    """Refuse a spread that is not made of the knocker's cards in disjoint melds.

    Raises
    ------
    InputError
    """
    shown = 0
    for meld in spread:
        names = " ".join(card_names(meld, symbols=True))
        if not is_meld(meld):
            raise InputError(
                f"the spread has {names or 'an empty meld'}, which is no meld: a meld is three or "
                "four cards of a rank, or three or more of a suit in sequence."
            )
        if meld & ~knocker:
            missing = " ".join(card_names(meld & ~knocker, symbols=True))
            raise InputError(
                f"the spread has {names}, and the knocker does not hold {missing}: show only "
                "the knocker's cards."
            )
        if meld & shown:
            twice = " ".join(card_names(meld & shown, symbols=True))
            raise InputError(f"the spread uses {twice} twice: a card can be in one meld only.")
        shown |= meld
