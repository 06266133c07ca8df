"""Whole games of two policies: who won them, what was settled, and how long they were."""

from __future__ import annotations

import itertools
from typing import Any, ClassVar

from gin_sim.results.common import Count, Estimate, Row
from gin_sim.results.match import check_share
from gin_sim.results.objective import POINTS_PER_GAME, POINTS_PER_HAND, SHARE_OF_GAMES
from gin_sim.results.sample import Sample
from gin_sim.results.two_policies import (
    Difference,
    DifferenceRow,
    OfTwoPolicies,
    Side,
    SideRow,
    side_rows,
)

_UNITS = {"win": SHARE_OF_GAMES.name, "stakes": POINTS_PER_GAME.name}


class GamesSide(Side, kw_only=True, frozen=True):
    """One policy's games.

    Parameters
    ----------
    games_won : int
        Ties are nobody's.
    win_rate : Estimate
        Share of the games that it won, 0-1.
    reached_rate : Estimate
        Share in which it reached the target.
    reached_and_lost_rate : Estimate
        Share in which it reached the target and had the lower total.
    shutout_rate : Estimate
        Share that it won while the other side won no hand.
    stakes_per_game : Estimate
        Points that it is paid at the end, per game played: difference of totals, game bonus and
        shutout.
    total_per_game : Estimate
        Hand points and boxes at the end, per game.
    points_per_hand : Estimate
        Hand points, per hand played.
    hands_won_rate : Estimate
        Share of the hands played that it won.
    """

    games_won: Count
    win_rate: Estimate
    reached_rate: Estimate
    reached_and_lost_rate: Estimate
    shutout_rate: Estimate
    stakes_per_game: Estimate
    total_per_game: Estimate
    points_per_hand: Estimate
    hands_won_rate: Estimate

    MEASURES: ClassVar[dict[str, str]] = {
        "win_rate": SHARE_OF_GAMES.name,
        "reached_rate": SHARE_OF_GAMES.name,
        "reached_and_lost_rate": SHARE_OF_GAMES.name,
        "shutout_rate": SHARE_OF_GAMES.name,
        "stakes_per_game": POINTS_PER_GAME.name,
        "total_per_game": POINTS_PER_GAME.name,
        "points_per_hand": POINTS_PER_HAND.name,
        "hands_won_rate": "share of hands",
    }

    def __post_init__(self) -> None:
        check_share(self.win_rate, "win_rate")


class LengthRow(Row, kw_only=True):
    """How many games took so many hands.

    Parameters
    ----------
    hands : int
        Hands of a game, from 1.
    or_more : bool
        Whether longer games are counted here too.
    games : int
        Games that took so many hands.
    share : float
        The same as a share of all games, 0-1.
    """

    hands: int
    or_more: bool
    games: int
    share: float


class Games(OfTwoPolicies, kw_only=True, tag="games"):
    """Whole games of two policies.

    Parameters
    ----------
    games : int
        Games finished.
    sides : pair of GamesSide
        Both policies' figures.
    difference : dict of str to Difference
        The first policy less the second: ``win``, share of games won, and ``stakes``, points
        settled per game.
    tie_rate, upset_rate : Estimate
        Share of the games that nobody won, and that the player who reached the target lost; 0-1.
    unfinished : int
        Games that were still open after the most hands that are played; they are ties, too.
    hands_per_game : Estimate
        Mean length of a game.
    wash_rate, stall_rate : Estimate
        Share of the hands that nobody won, and of those that stalled, which are washes too; 0-1.
    games_by_hands : list of int
        Games by the hands that they took, from 0.
    longest_or_more : bool
        Whether the last number also counts longer games.
    """

    games: Count
    sides: tuple[GamesSide, GamesSide]
    difference: dict[str, Difference]
    tie_rate: Estimate
    upset_rate: Estimate
    unfinished: Count
    hands_per_game: Estimate
    wash_rate: Estimate
    stall_rate: Estimate
    games_by_hands: list[Count]
    longest_or_more: bool

    TABLES: ClassVar[dict[str, type[Row]]] = {
        "sides": SideRow,
        "difference": DifferenceRow,
        "lengths": LengthRow,
    }

    def __post_init__(self) -> None:
        if self.games < 1 or not self.games_by_hands:
            raise ValueError("no game was played")
        if not self.difference.keys() >= _UNITS.keys():
            raise ValueError(f"the difference has not each of {', '.join(_UNITS)}")

    @property
    def sample(self) -> Sample:
        """How much was played."""
        units = self.games if self.pairs is None else self.pairs
        return Sample(self.games, units, True, self.mirrored)

    def length_within(self, share: float) -> int:
        """Return the fewest hands within which at least a share of the games were over."""
        needed = share * self.games
        so_far = itertools.accumulate(self.games_by_hands)
        return next(hands for hands, games in enumerate(so_far) if games >= needed)

    def rows(self) -> dict[str, list[Any]]:
        """Return the rows of each table."""
        longest = len(self.games_by_hands) - 1
        return {
            "sides": side_rows(self.sides),
            "difference": self.difference_rows(self.difference, _UNITS),
            "lengths": [
                LengthRow(
                    hands=hands,
                    or_more=self.longest_or_more and hands == longest,
                    games=count,
                    share=count / self.games,
                )
                for hands, count in enumerate(self.games_by_hands)
                if hands
            ],
        }
