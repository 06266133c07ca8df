"""The chance to win the game from every score between two policies, as ``equity`` finds it."""

from __future__ import annotations

from typing import Annotated, ClassVar, Literal

import msgspec
from msgspec import Struct

from gin_sim.results.common import Count, Estimate, PolicyInfo, Result, Row, Share, check_once
from gin_sim.results.score import Dealer, ScoreRow

#: Who won a hand.
Winner = Literal["me", "opponent", "nobody"]


def scores_shown(target: int) -> list[int]:
    """Return the scores of the table's rows and columns: 0, 10, … 90 for a target of 100."""
    return list(range(0, target, max(1, round(target / 10))))


class GameValue(Struct, kw_only=True):
    """What a game is worth to the player.

    Parameters
    ----------
    win, tie : Estimate
        Shares of games that it wins and that are tied, 0-1.
    stakes : Estimate
        Points settled at the end of a game: points per game, below 0 where it pays.
    """

    win: Estimate
    tie: Estimate
    stakes: Estimate


class GameWidths(Struct):
    """The widest half-widths of the intervals among the cells, of the mean over who deals.

    Parameters
    ----------
    win, tie : float or None
        Shares of games; None where there are too few hands for an interval.
    stakes : float or None
        Points per game.
    """

    win: float | None
    tie: float | None
    stakes: float | None


class CountedScore(Struct):
    """A score at which hands were counted.

    Parameters
    ----------
    mine, theirs : int
        Hand points of the player and of the opponent.
    mine_won, theirs_won : int
        Hands won by either.
    """

    mine: Count
    theirs: Count
    mine_won: Count
    theirs_won: Count


class ScoreValue(GameValue, kw_only=True):
    """What the game is worth at a score.

    Parameters
    ----------
    win, tie, stakes : Estimate
        As in every :class:`GameValue`.
    mine, theirs : int
        Points that count towards the target.
    dealer : {"me", "opponent", "either"}
        Who deals the next hand; either is the mean.
    """

    mine: Count
    theirs: Count
    dealer: Dealer


class DealerValue(GameValue, kw_only=True):
    """What the game is worth at the score that was asked about, by who deals.

    Parameters
    ----------
    win, tie, stakes : Estimate
        As in every :class:`GameValue`.
    dealer : {"me", "opponent", "either"}
        Who deals the next hand; either is the mean.
    """

    dealer: Dealer


class NextHand(GameValue, kw_only=True):
    """What the game is worth after a result of the next hand.

    Parameters
    ----------
    win, tie, stakes : Estimate
        As in every :class:`GameValue`; the mean over who deals the hand.
    winner : {"me", "opponent", "nobody"}
        Who wins the hand.
    points : int
        Hand points, boxes not included; 0 where nobody wins.
    game_over : bool
        Whether the game ends with it.
    """

    winner: Winner
    points: Count
    game_over: bool


class AskedScore(Struct, kw_only=True):
    """The score that was asked about.

    Parameters
    ----------
    mine, theirs : int
        Points that count towards the target.
    box_difference : int
        Hands won by the player less hands won by the opponent.
    by_dealer : list of DealerValue
        What the game is worth, by who deals the next hand.
    next_hand : list of NextHand
        What it is worth after some results of the next hand.
    """

    mine: Count
    theirs: Count
    box_difference: int
    by_dealer: list[DealerValue]
    next_hand: list[NextHand]


class EquityGrid(Struct):
    """Chances to win on a finer grid of scores, for the chart.

    Parameters
    ----------
    scores : list of int
        Points of either side.
    play_deals, against_deals : list of rows of (float or None)
        Shares of games that the player wins, its score down and the opponent's across, by who
        deals the next hand; None where no game is at the score.
    """

    scores: list[Count]
    play_deals: list[list[Share | None]]
    against_deals: list[list[Share | None]]

    def __post_init__(self) -> None:
        for rows in (self.play_deals, self.against_deals):
            if [len(row) for row in rows] != [len(self.scores)] * len(self.scores):
                raise ValueError("the grid has not a row and a column for each of its scores")
        if len(self.scores) < 2 or self.scores != sorted(set(self.scores)):
            raise ValueError("the scores are two at least, in order")


class EquityRow(ScoreRow, kw_only=True):
    """What the game is worth at a score.

    Parameters
    ----------
    play_points, against_points, box_difference, dealer
        The score.
    win : Estimate
        Share of games that the player wins, 0-1: columns ``win_estimate``, ``win_low`` and
        ``win_high``.
    tie : Estimate
        Share of games that are tied, 0-1, likewise.
    stakes : Estimate
        Points settled per game, likewise.
    """

    win: Estimate
    tie: Estimate
    stakes: Estimate


class GridRow(ScoreRow, kw_only=True):
    """The chance to win at a score of the finer grid.

    Parameters
    ----------
    play_points, against_points, box_difference, dealer
        The score.
    win : float
        Share of games that the player wins, 0-1.
    """

    win: float


class NextHandRow(Row, kw_only=True):
    """What the game is worth after a result of the next hand.

    Parameters
    ----------
    play_points, against_points, box_difference : int
        The score before the hand.
    hand_won_by : {"me", "opponent", "nobody"}
        Who wins the hand.
    hand_points : int
        Hand points, boxes not included.
    game_over : bool
        Whether the game ends with it.
    win, tie, stakes : Estimate
        As in the table of scores.
    """

    play_points: int
    against_points: int
    box_difference: int
    hand_won_by: str
    hand_points: int
    game_over: bool
    win: Estimate
    tie: Estimate
    stakes: Estimate


class EquityTable(Result, kw_only=True, tag="equity"):
    """The chance to win the game from every score, how often it is tied, and what it pays.

    Parameters
    ----------
    rules, seed, confidence, partial, command, seconds
        As in every result.
    play, against : PolicyInfo
        The player, of whom everything is said, and the opponent.
    target : int
        Points that end a game.
    hands : int
        Hands that were counted, in mirrored pairs, at each of ``counted_at``.
    counted_at : list of CountedScore
        The scores at which hands were counted: one, unless a policy reads the score.
    groups : int
        Groups of hands that the intervals are resampled by: a delete-a-group jackknife.
    exact_by_score : bool
        Whether the policies play alike at all scores that a counted one stands for.
    box_difference : int
        Of the table: hands won by the player less hands won by the opponent.
    boxes_matter : bool
        Whether the box difference changes what the game is worth under the rules.
    start : GameValue
        At 0-0.
    cells : list of ScoreValue
        The table, by score and dealer; scores that no game is at are left out.
    widest : GameWidths
        How wide the intervals of the cells are at most.
    grid : EquityGrid
        Chances to win on more scores.
    asked : AskedScore or None
        The score of ``--score``.
    """

    play: PolicyInfo
    against: PolicyInfo
    target: Annotated[int, msgspec.Meta(ge=1)]
    hands: Count
    counted_at: list[CountedScore]
    groups: Count
    exact_by_score: bool
    box_difference: int
    boxes_matter: bool
    start: GameValue
    cells: list[ScoreValue]
    widest: GameWidths
    grid: EquityGrid
    asked: AskedScore | None

    TABLES: ClassVar[dict[str, type[Row]]] = {
        "scores": EquityRow,
        "grid": GridRow,
        "next_hand": NextHandRow,
    }

    def __post_init__(self) -> None:
        check_once([(cell.mine, cell.theirs, cell.dealer) for cell in self.cells], "score")

    def rows(self) -> dict[str, list[Row]]:
        """Return the rows of each table; the next hand's where a score was asked about."""
        tables: dict[str, list[Row]] = {
            "scores": [
                EquityRow(
                    play_points=cell.mine,
                    against_points=cell.theirs,
                    box_difference=self.box_difference,
                    dealer=cell.dealer,
                    win=cell.win,
                    tie=cell.tie,
                    stakes=cell.stakes,
                )
                for cell in self.cells
            ],
            "grid": self._grid_rows(),
        }
        if self.asked is not None:
            tables["next_hand"] = [
                NextHandRow(
                    play_points=self.asked.mine,
                    against_points=self.asked.theirs,
                    box_difference=self.asked.box_difference,
                    hand_won_by=each.winner,
                    hand_points=each.points,
                    game_over=each.game_over,
                    win=each.win,
                    tie=each.tie,
                    stakes=each.stakes,
                )
                for each in self.asked.next_hand
            ]
        return tables

    def _grid_rows(self) -> list[Row]:
        scores = self.grid.scores
        by_dealer = {"me": self.grid.play_deals, "opponent": self.grid.against_deals}
        return [
            GridRow(
                play_points=mine,
                against_points=theirs,
                box_difference=self.box_difference,
                dealer=dealer,
                win=win,
            )
            for dealer, rows in by_dealer.items()
            for mine, row in zip(scores, rows, strict=True)
            for theirs, win in zip(scores, row, strict=True)
            if win is not None
        ]
