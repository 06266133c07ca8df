"""A tally of whole games as figures with intervals, and the sentence that says what they mean."""

from __future__ import annotations

import itertools
import math
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from gin_sim.contests.figures import figures_table, none_by_design, size_text, told_apart
from gin_sim.contests.stopping_rules import Watch
from gin_sim.play import games
from gin_sim.play.run import Played
from gin_sim.stats.intervals import (
    Estimate,
    Moments,
    lead_estimate,
    mean_estimate,
    rate_estimate,
    ratio_estimate,
    ratio_rate_estimate,
    saving,
)

if TYPE_CHECKING:
    import pandas as pd  # loaded only where a table is asked for: it takes half a second

#: What sides are compared in: the share of games won, and the points settled, a game.
OBJECTIVES = {"games": games.LEAD_IN_GAMES, "stakes": games.LEAD_IN_STAKES}

_RATES = {
    "win_rate": games.GAMES_WON,
    "reached_rate": games.REACHED,
    "reached_and_lost_rate": games.REACHED_AND_LOST,
    "shutout_rate": games.SHUTOUTS,
}
_MEANS = {"stakes_per_game": games.STAKES, "total_per_game": games.TOTAL}
_PER_HAND = {
    "points_per_hand": (games.POINTS, ratio_estimate),
    "hands_won_rate": (games.HANDS_WON, ratio_rate_estimate),
}
_UNITS = {
    "stakes_per_game": "points per game",
    "total_per_game": "points per game",
    "points_per_hand": "points per hand",
    "hands_won_rate": "share of hands",
}


@dataclass(frozen=True)
class GameSide:
    """One policy's figures.

    Parameters
    ----------
    spec : str
        The policy.
    games_won : int
    figures : dict of str to Estimate
        Shares of the games, 0-1: ``win_rate``, ``reached_rate`` (reached the target),
        ``reached_and_lost_rate`` (and had the lower total), ``shutout_rate`` (won while the other
        side won no hand).  Points a game: ``stakes_per_game`` (what it is paid, difference of
        totals, game bonus and shutout), ``total_per_game`` (hand points and boxes at the end).
        ``points_per_hand`` (hand points) and ``hands_won_rate``, over the hands played.
    """

    spec: str
    games_won: int
    figures: dict[str, Estimate]


@dataclass(frozen=True)
class GamesResult:
    """What a simulation of whole games says.

    Parameters
    ----------
    played : Played
    games, pairs, hands : int
        Finished; pairs are mirrored pairs, or games where they are not mirrored.
    sides : pair of GameSide
    difference : dict of str to Estimate
        Side 0 minus side 1: ``games``, share of games won, and ``stakes``, points settled per game.
    variance_reduction : dict of str to (float or None)
        How many times fewer games mirroring needed; None if not known.
    tie_rate, upset_rate : Estimate
        Shares of the games; upset: the player who reached the target lost.
    unfinished : int
        Games that were open after MAX_GAME_HANDS hands; ties, too.
    hands_per_game : Estimate
    wash_rate, stall_rate : Estimate
        Shares of the hands; stalled hands are washes too.
    lengths : tuple of int
        Games by the hands they took; the last place of a full list is for as many or more.
    watch : Watch or None
        The stopping rule that it was played with; the differences then hold at every look.
    """

    played: Played
    games: int
    pairs: int
    hands: int
    sides: tuple[GameSide, GameSide]
    difference: dict[str, Estimate]
    variance_reduction: dict[str, float | None]
    tie_rate: Estimate
    upset_rate: Estimate
    unfinished: int
    hands_per_game: Estimate
    wash_rate: Estimate
    stall_rate: Estimate
    lengths: tuple[int, ...]
    watch: Watch | None = None

    def length_within(self, share: float) -> int:
        """Return the fewest hands within which at least a share of the games were over."""
        needed = share * self.games
        so_far = itertools.accumulate(self.lengths)
        return next(hands for hands, games in enumerate(so_far) if games >= needed)


def games_result(played: Played, watch: Watch | None = None) -> GamesResult:
    """Turn the sums of a simulation of games into figures with 95% intervals.

    Parameters
    ----------
    played : Played
    watch : Watch, optional
        The stopping rule that it was played with.
    """
    tally = played.tally[0]
    n_legs = played.plan.n_legs
    pairs = int(tally.pairs)
    hands = _shared(tally, games.HANDS)

    def side(number: int) -> GameSide:
        figures = {
            name: rate_estimate(_side(tally, measure, number), n_legs)
            for name, measure in _RATES.items()
        }
        figures |= {
            name: mean_estimate(_side(tally, measure, number)).scaled(1 / n_legs)
            for name, measure in _MEANS.items()
        }
        figures |= {
            name: estimate(
                _side(tally, measure, number), hands, int(tally.by_hands[measure, number])
            )
            for name, (measure, estimate) in _PER_HAND.items()
        }
        won = int(tally.sums[games.GAMES_WON, number])
        return GameSide(played.plan.policies[number].spec, won, figures)

    leads = {
        name: Moments(pairs, int(tally.leads[lead]), int(tally.lead_squares[lead]))
        for name, lead in OBJECTIVES.items()
    }
    reduction = {}
    for name, lead in OBJECTIVES.items():
        alone = Moments(int(tally.games), leads[name].total, int(tally.lead_game_squares[lead]))
        reduction[name] = saving(alone, leads[name]) if played.plan.mirrored else None
    lengths = [int(count) for count in tally.lengths]
    return GamesResult(
        played,
        int(tally.games),
        pairs,
        int(tally.hands),
        (side(0), side(1)),
        {
            "games": watch.anytime(leads["games"], n_legs, extreme=n_legs).within(1),
            "stakes": watch.anytime(leads["stakes"], n_legs),
        }
        if watch
        else {
            "games": lead_estimate(leads["games"], n_legs),
            "stakes": mean_estimate(leads["stakes"]).scaled(1 / n_legs),
        },
        reduction,
        rate_estimate(_shared(tally, games.TIES), n_legs),
        rate_estimate(_shared(tally, games.UPSETS), n_legs),
        int(tally.shared[games.UNFINISHED]),
        mean_estimate(hands).scaled(1 / n_legs),
        *(
            ratio_rate_estimate(_shared(tally, measure), hands, int(tally.shared_by_hands[measure]))
            for measure in (games.WASHES, games.STALLS)
        ),
        tuple(lengths[: 1 + max((i for i, count in enumerate(lengths) if count), default=0)]),
        watch,
    )


def game_lead(tally: np.record) -> list[Moments]:
    """Return a tally's lead in games by pair, for a stopping rule."""
    lead = games.LEAD_IN_GAMES
    return [Moments(int(tally.pairs), int(tally.leads[lead]), int(tally.lead_squares[lead]))]


def _side(tally: np.record, measure: int, side: int) -> Moments:
    return Moments(
        int(tally.pairs), int(tally.sums[measure, side]), int(tally.squares[measure, side])
    )


def _shared(tally: np.record, measure: int) -> Moments:
    return Moments(int(tally.pairs), int(tally.shared[measure]), int(tally.shared_squares[measure]))


def game_sides_table(result: GamesResult) -> pd.DataFrame:
    """Return one row for each side and figure: estimate, low, high and unit."""
    return figures_table(
        [(side.spec, side.figures) for side in result.sides],
        lambda name: _UNITS.get(name, "share of games"),
    )


def game_difference_table(result: GamesResult) -> pd.DataFrame:
    """Return one row for each objective: side 0 minus side 1, a game."""
    import pandas as pd

    rows = [
        {
            "objective": objective,
            "side_0": result.sides[0].spec,
            "side_1": result.sides[1].spec,
            "unit": {"games": "share of games", "stakes": "points per game"}[objective],
            "estimate": figure.estimate,
            "low_95": figure.low,
            "high_95": figure.high,
            "pairs": result.pairs,
            "variance_reduction": result.variance_reduction[objective],
        }
        for objective, figure in result.difference.items()
    ]
    return pd.DataFrame(rows)


def lengths_table(result: GamesResult) -> pd.DataFrame:
    """Return one row for each number of hands that a game took, from 1.

    ``or_more`` marks the last place, which holds all longer games too.
    """
    import pandas as pd

    rows = [
        {
            "hands": hands,
            "or_more": hands == games.N_LENGTHS - 1,
            "games": count,
            "share_of_games": count / result.games,
        }
        for hands, count in enumerate(result.lengths)
        if hands
    ]
    return pd.DataFrame(rows)


def verdict(result: GamesResult) -> str:
    """Say which policy is ahead in games won and in points settled, as far as that is found."""
    text = _comparison(result)
    if result.unfinished:
        games_were = "1 game was" if result.unfinished == 1 else f"{result.unfinished:,} games were"
        counts = "counts as a tie" if result.unfinished == 1 else "count as ties"
        text += f" {games_were} still open after {games.MAX_GAME_HANDS:,} hands and {counts}."
    return text


def _comparison(result: GamesResult) -> str:
    specs = [side.spec for side in result.sides]
    if said := none_by_design(specs, result.played.plan.mirrored, "games won"):
        return said
    names = told_apart(specs)
    won, stakes = result.difference["games"], result.difference["stakes"]
    if math.isnan(stakes.low):
        few = f"{result.games} game{' is' if result.games == 1 else 's are'}"
        return f"{few} too few to tell: play more."
    winner, payee = names[won.estimate < 0], names[stakes.estimate < 0]
    settled = f"ahead by {size_text(stakes)} points settled per game"
    if won.spans_zero and stakes.spans_zero:
        return "No difference is found in games won or in points settled."
    if won.spans_zero:
        return f"No difference in games won is found; {payee} is {settled}."
    wins = f"{winner} wins more games, by {size_text(won.scaled(100))} in a hundred"
    if stakes.spans_zero:
        return f"{wins}; in points settled no difference is found."
    if winner == payee:
        return f"{wins}, and is {settled}."
    return f"{wins}; {payee} is {settled}."
