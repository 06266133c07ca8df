"""The table of one row a hand: its columns, which :func:`gin_sim.hands` fills."""

from __future__ import annotations

from gin_sim.results.common import Row


class PlayedHand(Row):
    """One hand that two policies, ``a`` and ``b``, played.

    Parameters
    ----------
    deal_index : int
        The deal, from 0; both hands of a mirrored pair are of the same deal.
    leg : int
        0: ``a`` sits in seat 0; 1: in seat 1, with the other ten cards of the deal.
    dealer : str
        ``a`` or ``b``; the other acts first.
    first_upcard : str
        The card turned up after the deal, such as ``Td``.
    outcome : str
        ``wash``, ``knock``, ``undercut``, ``gin``, ``big_gin`` or ``stalled`` (a wash by the
        limit of turns).
    winner : str or None
        ``a`` or ``b``; None where nobody won the hand.
    points_a, points_b : int
        Points of the hand for either, boxes not included; 0 for who did not win.
    knocker : str or None
        ``a`` or ``b``, for gin too; None for a wash.
    knocker_deadwood : int or None
        Pips of the knocker's cards outside its melds; None for a wash.
    defender_deadwood : int or None
        Pips of the defender's cards after its layoffs; None for a wash.
    laid_off : int or None
        How many cards the defender laid off; None for a wash.
    dealt_deadwood_a, dealt_deadwood_b : int
        The least deadwood of the ten cards as dealt, in pips.
    turns : int
        Turns of both players together; passing the first upcard is none.
    stock_left : int
        Cards left in the stock at the end.
    """

    deal_index: int
    leg: int
    dealer: str
    first_upcard: str
    outcome: str
    winner: str | None
    points_a: int
    points_b: int
    knocker: str | None
    knocker_deadwood: int | None
    defender_deadwood: int | None
    laid_off: int | None
    dealt_deadwood_a: int
    dealt_deadwood_b: int
    turns: int
    stock_left: int
