"""Two policies' games as a result: the tally's figures with intervals, and what they mean."""

from __future__ import annotations

import math

import numpy as np

from gin_sim.contests.figures import none_by_design, numbered, size_text
from gin_sim.contests.stopping_rules import Watch
from gin_sim.contests.two_policies import difference_of, shared_fields
from gin_sim.play import games
from gin_sim.play.run import Played
from gin_sim.results.common import Estimate
from gin_sim.results.games import Games, GamesSide
from gin_sim.results.two_policies import Difference
from gin_sim.stats.intervals import (
    Moments,
    lead_estimate,
    mean_estimate,
    rate_estimate,
    ratio_estimate,
    ratio_rate_estimate,
    saving,
)

#: What sides are compared in, per game: the share of games won, and the points settled.
#: The lead in a tally by objective.
LEADS = {"win": games.LEAD_IN_GAMES, "stakes": games.LEAD_IN_STAKES}

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


def games_of(played: Played, watch: Watch | None = None) -> Games:
    """Turn the sums of a simulation of games into figures with 95% intervals.

    Parameters
    ----------
    played : Played
    watch : Watch, optional
        The stopping rule that it was played with; the differences then hold at every look.
    """
    tally, plan = played.tally[0], played.plan
    n_legs, pairs = plan.n_legs, int(tally.pairs)
    n_hands, n_games = int(tally.hands), int(tally.games)
    hands = _shared(tally, games.HANDS)

    def share_of_hands(measure: int) -> Estimate:
        return ratio_rate_estimate(
            _shared(tally, measure), hands, int(tally.shared_by_hands[measure])
        )

    lengths = [int(count) for count in tally.lengths]
    longest = max((i for i, count in enumerate(lengths) if count), default=0)
    found = Games(
        **shared_fields(played, watch, pairs, {"games": n_games, "hands": n_hands}),
        games=n_games,
        sides=(_game_side(played, 0), _game_side(played, 1)),
        difference={name: _difference(played, name, watch) for name in LEADS},
        tie_rate=rate_estimate(_shared(tally, games.TIES), n_legs),
        upset_rate=rate_estimate(_shared(tally, games.UPSETS), n_legs),
        unfinished=int(tally.shared[games.UNFINISHED]),
        hands_per_game=mean_estimate(hands).scaled(1 / n_legs),
        wash_rate=share_of_hands(games.WASHES),
        stall_rate=share_of_hands(games.STALLS),
        games_by_hands=lengths[: longest + 1],
        longest_or_more=longest == games.N_LENGTHS - 1,
    )
    found.verdict = verdict(found)
    return found


def _game_side(played: Played, number: int) -> GamesSide:
    tally, n_legs = played.tally[0], played.plan.n_legs
    hands = _shared(tally, games.HANDS)
    figures = {
        name: rate_estimate(_side(tally, measure, number), n_legs)
        for name, measure in _RATES.items()
    }
    figures |= {
        name: mean_estimate(_side(tally, measure, number)).scaled(1 / n_legs)
        for name, measure in _MEANS.items()
    }
    figures |= {
        name: estimate(_side(tally, measure, number), hands, int(tally.by_hands[measure, number]))
        for name, (measure, estimate) in _PER_HAND.items()
    }
    return GamesSide(
        policy=played.plan.policies[number].spec,
        games_won=int(tally.sums[games.GAMES_WON, number]),
        **figures,
    )


def _difference(played: Played, objective: str, watch: Watch | None) -> Difference:
    """Return the lead in an objective, with what mirroring saved."""
    tally, n_legs = played.tally[0], played.plan.n_legs
    lead = LEADS[objective]
    pairs = Moments(int(tally.pairs), int(tally.leads[lead]), int(tally.lead_squares[lead]))
    alone = Moments(int(tally.games), pairs.total, int(tally.lead_game_squares[lead]))
    if watch is not None:
        most = n_legs if objective == "win" else 0
        figure = watch.anytime(pairs, n_legs, extreme=most)
        figure = figure.within(1) if objective == "win" else figure
    elif objective == "win":
        figure = lead_estimate(pairs, n_legs)
    else:
        figure = mean_estimate(pairs).scaled(1 / n_legs)
    return difference_of(figure, saving(alone, pairs) if played.plan.mirrored else None)


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


def verdict(found: Games) -> str:
    """Say which policy is ahead in games won and in points settled, as far as that is found."""
    text = _comparison(found)
    if found.unfinished:
        games_were = "1 game was" if found.unfinished == 1 else f"{found.unfinished:,} games were"
        counts = "counts as a tie" if found.unfinished == 1 else "count as ties"
        text += f" {games_were} still open after {games.MAX_GAME_HANDS:,} hands and {counts}."
    return text


def _comparison(found: Games) -> str:
    if said := none_by_design(found.specs, found.mirrored, "games won"):
        return said
    names = numbered(found.specs)
    won, stakes = found.difference["win"], found.difference["stakes"]
    if math.isnan(stakes.low):
        few = f"{found.games} game{' is' if found.games == 1 else 's are'}"
        return f"{few} too few for a verdict: play more."
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
