"""Hands of two policies: how both won and lost them, and how the policies differ."""

from __future__ import annotations

from typing import Any, ClassVar

from gin_sim.results.common import Count, Estimate, Row
from gin_sim.results.objective import POINTS_PER_HAND
from gin_sim.results.sample import Sample
from gin_sim.results.two_policies import (
    Difference,
    DifferenceRow,
    OfTwoPolicies,
    Side,
    SideRow,
    side_rows,
)

_SHARE = "share of hands"
_UNITS = {"points": POINTS_PER_HAND.name, "points+boxes": POINTS_PER_HAND.name}


class MatchSide(Side, kw_only=True, frozen=True):
    """One policy's hands.

    Parameters
    ----------
    hands_won : int
        By knock, gin, big gin or undercut.
    win_rate : Estimate
        Share of the hands played that it won, 0-1.
    points_per_hand : Estimate
        Points that it scored, per hand played.
    points_with_boxes_per_hand : Estimate
        Those with the box of each hand won.
    knock_rate : Estimate
        Share of the hands in which it knocked, excluding gin; undercut knocks count.
    gin_rate, big_gin_rate : Estimate
        Share of the hands in which it went gin, or big gin.
    undercut_made_rate, undercut_suffered_rate : Estimate
        Share of the hands in which it undercut the other side, or was undercut.
    mean_deadwood_at_knock : Estimate
        Pips, over the hands of ``knock_rate``.
    """

    hands_won: Count
    win_rate: Estimate
    points_per_hand: Estimate
    points_with_boxes_per_hand: Estimate
    knock_rate: Estimate
    gin_rate: Estimate
    big_gin_rate: Estimate
    undercut_made_rate: Estimate
    undercut_suffered_rate: Estimate
    mean_deadwood_at_knock: Estimate

    MEASURES: ClassVar[dict[str, str]] = {
        "win_rate": _SHARE,
        "points_per_hand": POINTS_PER_HAND.name,
        "points_with_boxes_per_hand": POINTS_PER_HAND.name,
        "knock_rate": _SHARE,
        "gin_rate": _SHARE,
        "big_gin_rate": _SHARE,
        "undercut_made_rate": _SHARE,
        "undercut_suffered_rate": _SHARE,
        "mean_deadwood_at_knock": "pips",
    }

    def __post_init__(self) -> None:
        check_share(self.win_rate, "win_rate")


def check_share(share: Estimate, name: str) -> None:
    """Refuse a share that its interval does not hold, for a Struct's ``__post_init__``."""
    if not 0 <= share.low <= share.estimate <= share.high <= 1:
        raise ValueError(f"the {name} is not within its interval")


class Match(OfTwoPolicies, kw_only=True, tag="match"):
    """Hands of two policies.

    Parameters
    ----------
    deals : int
        What the intervals count: mirrored pairs, or hands where they are not mirrored.
    sides : pair of MatchSide
        Both policies' figures.
    difference : dict of str to Difference
        The first policy less the second in points per hand, by objective: ``points``, and
        ``points+boxes`` with the box of each hand won.
    hands_won_lead : Estimate
        Share of hands won by the first less that won by the second.
    wash_rate, stall_rate : Estimate
        Share of the hands that nobody won, and of those that stalled, which are washes too; 0-1.
    turns_per_hand : Estimate
        Turns of both players, passes not counted.
    luck_adjusted : bool
        Whether differences without the luck of the cards were asked for; of too few deals there
        are none.
    """

    deals: int
    sides: tuple[MatchSide, MatchSide]
    difference: dict[str, Difference]
    hands_won_lead: Estimate
    wash_rate: Estimate
    stall_rate: Estimate
    turns_per_hand: Estimate
    luck_adjusted: bool

    TABLES: ClassVar[dict[str, type[Row]]] = {"sides": SideRow, "difference": DifferenceRow}

    def __post_init__(self) -> None:
        if not self.difference.keys() >= _UNITS.keys():
            raise ValueError(f"the difference has not each of {', '.join(_UNITS)}")

    @property
    def sample(self) -> Sample:
        """How much was played."""
        return Sample(self.hands, self.deals, False, self.mirrored)

    def rows(self) -> dict[str, list[Any]]:
        """Return the rows of each table."""
        return {
            "sides": side_rows(self.sides),
            "difference": self.difference_rows(self.difference, _UNITS),
        }
