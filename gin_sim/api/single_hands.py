"""Exact answers on single hands: no question here has an interval, and nothing is played."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from gin_sim.api.progress import progress_of
from gin_sim.api.rules import rules_of
from gin_sim.cards import parse_card, parse_hand
from gin_sim.errors import InputError
from gin_sim.records.rows import Rows
from gin_sim.results.hands import HandAnswer, Settlement
from gin_sim.rules import Rules
from gin_sim.single_hands import (
    HandsError,
    analyse_hands,
    arrange_hands,
    settle_hands,
    settle_knocks,
)
from gin_sim.single_hands.checks import DEFENDER_SIZES, HAND_SIZES, KNOCKER_SIZES

__all__ = ["HandsError", "Rows", "deadwood", "deadwood_of_each", "settle", "settle_each"]


def deadwood(hand: str, *, progress: Any = None) -> HandAnswer:
    """Return a hand's best arrangement, its deadwood and, for eleven cards, every discard.

    Parameters
    ----------
    hand : str
        1 to 11 cards like Td, 10d or T♦, with or without separators.
    progress : bool or callable, optional
        True for a line on the terminal while the engine compiles.

    Raises
    ------
    InputError
        If the text names no cards, one card twice, or too many.

    Examples
    --------
    >>> import gin_sim
    >>> gin_sim.deadwood("7s7h7d 4h5h6h KcQd2c2d As").discard
    'Kc'
    """
    return _one(deadwood_of_each, hand, progress=progress)


def deadwood_of_each(hands: Sequence[str], *, progress: Any = None) -> list[HandAnswer]:
    """Return :func:`deadwood` of each hand, in order, in one call of the engine.

    Raises
    ------
    HandsError
        If some hands cannot be used; it names each with a sentence.
    """
    masks = _parsed([(hands, lambda text: parse_hand(text, HAND_SIZES))])[0]
    with progress_of(progress).compiling(arrange_hands):
        return analyse_hands(masks, hands)


def settle(
    knocker: str,
    defender: str,
    *,
    rules: str | Rules = "standard",
    upcard: str | None = None,
    progress: Any = None,
) -> Settlement:
    """Return how a knock ends: spread, layoffs, the defender's melds and the points.

    The knocker has not seen the defender's hand and shows the arrangement that should give away
    least.  The defender chooses melds and layoffs together, to keep as little deadwood as possible.

    Parameters
    ----------
    knocker : str
        The knocker's ten cards, or eleven that all meld where the rules have a big gin.
    defender : str
        The defender's ten cards.
    rules : str or Rules
        The rule set, with changes after a colon: "standard:gin_bonus=20".
    upcard : str, optional
        The first upcard, for rules that take the knock limit or a doubling from it.  Without it
        they allow 10 and double nothing.
    progress : bool or callable, optional
        True for a line on the terminal while the engine compiles.

    Raises
    ------
    InputError
        If the hands have wrong counts or share a card, or the rules do not allow the knock.

    Examples
    --------
    >>> import gin_sim
    >>> gin_sim.settle("JsQsKs TdTcTh Ac2d3hAd", "Ts9s4h6d8c2h5c7d3sQd").knocker_points
    38
    """
    return _one(settle_each, knocker, defender, upcard, rules=rules, progress=progress)


def settle_each(
    knockers: Sequence[str],
    defenders: Sequence[str],
    upcards: Sequence[str | None] | None = None,
    *,
    rules: str | Rules = "standard",
    progress: Any = None,
) -> list[Settlement]:
    """Return :func:`settle` of each pair of hands, in order, in one call of the engine.

    Raises
    ------
    HandsError
        If some knocks cannot be settled; it names each with a sentence.
    """
    upcards = [None] * len(knockers) if upcards is None else upcards
    rule_set = rules_of(rules)
    knocker_masks, defender_masks, upcard_ids = _parsed(
        [
            (knockers, lambda text: parse_hand(text, KNOCKER_SIZES, "the knocker")),
            (defenders, lambda text: parse_hand(text, DEFENDER_SIZES, "the defender")),
            (upcards, lambda text: None if text is None else parse_card(text)),
        ]
    )
    with progress_of(progress).compiling(settle_knocks):
        return settle_hands(
            knocker_masks, defender_masks, rule_set, upcard_ids, (knockers, defenders)
        )


def _one(of_each: Callable[..., list[Any]], *arguments: Any, **options: Any) -> Any:
    """Return the one answer on one hand, whose error needs no number."""
    try:
        return of_each(*([argument] for argument in arguments), **options)[0]
    except HandsError as error:
        raise InputError(error.problems[0][1]) from None


def _parsed(columns: list[tuple[Sequence[Any], Callable[[Any], Any]]]) -> list[list[Any]]:
    """Return columns of texts read by their functions.

    Raises
    ------
    HandsError
        If some cannot be read; of each row it names the first.
    """
    problems: dict[int, str] = {}
    read = []
    for texts, parse in columns:
        values = []
        for row, text in enumerate(texts):
            try:
                values.append(parse(text))
            except InputError as error:
                values.append(None)
                problems.setdefault(row, str(error))
        read.append(values)
    if problems:
        raise HandsError(sorted(problems.items()))
    return read
