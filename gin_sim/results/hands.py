"""Exact answers on single hands: the best arrangement of some cards, and how a knock ends.

Cards are written as two characters, rank and suit: ``Td``, ``As``.  No number here is an estimate.
"""

from __future__ import annotations

from typing import Any, ClassVar, Literal

from gin_sim.results.common import Answer, Row
from gin_sim.rules import Rules


class Discard(Row):
    """What one card of eleven leaves when it is discarded.

    Parameters
    ----------
    card : str
        The card discarded.
    deadwood : int
        The least deadwood of the ten cards that are kept, in pips.
    """

    card: str
    deadwood: int


class HandRow(Row):
    """A hand and its best arrangement, as a row.

    Parameters
    ----------
    hand : str
        The cards, as they were given.
    deadwood : int
        The least deadwood, in pips; of eleven cards after the best discard.
    melds : str
        The melds of the arrangement, separated by a bar: ``7s7h7d|4h5h6h``.
    loose : str
        The kept cards outside the melds, by rank.
    discard : str or None
        The best discard of eleven cards; None below eleven, and for big gin.
    best_discards : str
        Every discard that leaves ``deadwood``, the highest rank first.
    big_gin : bool
        Whether there are eleven cards and all of them meld.
    """

    hand: str
    deadwood: int
    melds: str
    loose: str
    discard: str | None
    best_discards: str
    big_gin: bool


class HandAnswer(Answer, kw_only=True, tag="hand"):
    """The best arrangement of 1 to 11 cards, and what each discard of eleven leaves.

    Parameters
    ----------
    hand : str
        The cards, as they were given.
    cards : list of str
        The cards by rank.
    n_cards : int
        How many there are, 1 to 11.
    deadwood : int
        The least deadwood, in pips; of eleven cards after the best discard.
    melds : list of list of str
        The melds of a least-deadwood arrangement; of eleven cards, of the ten that are kept.
        Where arrangements tie, of the one that gives away least.
    loose : list of str
        The kept cards outside the melds, by rank.
    discard : str or None
        The first of ``best_discards``; None below eleven cards, and for big gin.
    discards : list of Discard
        Every card of eleven with the deadwood that it leaves, least first; of those that leave the
        same the highest rank first.  Empty below eleven.
    best_discards : list of str
        The cards of ``discards`` that leave ``deadwood``.
    big_gin : bool
        Whether there are eleven cards and all of them meld.
    """

    hand: str
    cards: list[str]
    n_cards: int
    deadwood: int
    melds: list[list[str]]
    loose: list[str]
    discard: str | None
    discards: list[Discard]
    best_discards: list[str]
    big_gin: bool

    TABLES: ClassVar[dict[str, type[Row]]] = {"hand": HandRow, "discards": Discard}

    def rows(self) -> dict[str, list[Any]]:
        """Return the hand as one row, and a row for each discard of eleven cards."""
        row = HandRow(
            hand=self.hand,
            deadwood=self.deadwood,
            melds=_melds_text(self.melds),
            loose="".join(self.loose),
            discard=self.discard,
            best_discards="".join(self.best_discards),
            big_gin=self.big_gin,
        )
        return {"hand": [row], "discards": list(self.discards)}


class SettlementRow(Row):
    """How a knock ends, as a row.

    Parameters
    ----------
    knocker, defender : str
        The two hands, as they were given.
    outcome : str
        ``knock``, ``undercut``, ``gin`` or ``big_gin``.
    knocker_points, defender_points : int
        Points of the hand; boxes are not included.
    knocker_deadwood : int
        Pips of the knocker's cards outside the spread.
    defender_deadwood : int
        Pips of the defender's cards neither melded nor laid off.
    defender_deadwood_before_layoff : int
        The least deadwood of the defender's ten cards by themselves, in pips.
    spread : str
        The knocker's melds as shown, separated by a bar.
    knocker_loose : str
        The knocker's cards outside the spread, by rank.
    layoffs : str
        The cards laid off, in the order laid.
    defender_melds : str
        The melds that the defender keeps, separated by a bar.
    defender_loose : str
        The defender's cards neither melded nor laid off, by rank.
    """

    knocker: str
    defender: str
    outcome: str
    knocker_points: int
    defender_points: int
    knocker_deadwood: int
    defender_deadwood: int
    defender_deadwood_before_layoff: int
    spread: str
    knocker_loose: str
    layoffs: str
    defender_melds: str
    defender_loose: str


class Settlement(Answer, kw_only=True, tag="settlement"):
    """How a knock ends, both sides playing its end as well as they can.

    Parameters
    ----------
    knocker, defender : str
        The two hands, as they were given.
    rules : Rules
        Every rule that settles it.
    upcard : str or None
        The first upcard; None if it was not given.
    outcome : str
        ``knock``, ``undercut``, ``gin`` or ``big_gin``.
    winner : str or None
        ``knocker`` or ``defender``; None when nobody scores.
    knocker_points, defender_points : int
        Points of the hand; boxes are not included.
    spread : list of list of str
        The knocker's melds as shown.
    knocker_loose : list of str
        The knocker's cards outside the spread, by rank.
    knocker_deadwood : int
        Their pips.
    layoffs : list of (str, int)
        Each card laid off with the index of its meld in ``spread``, in a legal order.
    defender_melds : list of list of str
        The melds that the defender keeps.
    defender_loose : list of str
        The defender's cards neither melded nor laid off, by rank.
    defender_deadwood : int
        Their pips.
    defender_deadwood_before_layoff : int
        The least deadwood of the defender's ten cards by themselves, in pips.
    """

    knocker: str
    defender: str
    rules: Rules
    upcard: str | None
    outcome: Literal["knock", "undercut", "gin", "big_gin"]
    winner: Literal["knocker", "defender"] | None
    knocker_points: int
    defender_points: int
    spread: list[list[str]]
    knocker_loose: list[str]
    knocker_deadwood: int
    layoffs: list[tuple[str, int]]
    defender_melds: list[list[str]]
    defender_loose: list[str]
    defender_deadwood: int
    defender_deadwood_before_layoff: int

    TABLES: ClassVar[dict[str, type[Row]]] = {"settlement": SettlementRow}

    def rows(self) -> dict[str, list[Any]]:
        """Return the knock as one row."""
        row = SettlementRow(
            knocker=self.knocker,
            defender=self.defender,
            outcome=self.outcome,
            knocker_points=self.knocker_points,
            defender_points=self.defender_points,
            knocker_deadwood=self.knocker_deadwood,
            defender_deadwood=self.defender_deadwood,
            defender_deadwood_before_layoff=self.defender_deadwood_before_layoff,
            spread=_melds_text(self.spread),
            knocker_loose="".join(self.knocker_loose),
            layoffs="".join(card for card, _ in self.layoffs),
            defender_melds=_melds_text(self.defender_melds),
            defender_loose="".join(self.defender_loose),
        )
        return {"settlement": [row]}


def _melds_text(melds: list[list[str]]) -> str:
    return "|".join("".join(meld) for meld in melds)
