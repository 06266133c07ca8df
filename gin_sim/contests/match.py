"""Two policies' hands as a result: the tally's figures with intervals, and what they mean."""

from __future__ import annotations

import math
from collections.abc import Callable

import numpy as np

from gin_sim.contests.figures import none_by_design, numbered, size_text
from gin_sim.contests.stopping_rules import Watch
from gin_sim.contests.two_policies import difference_of, shared_fields
from gin_sim.play import tallies
from gin_sim.play.luck import control_means
from gin_sim.play.run import Played
from gin_sim.results.common import Estimate
from gin_sim.results.match import Match, MatchSide
from gin_sim.results.two_policies import Difference, LuckAdjusted
from gin_sim.stats.control_variates import Controlled, Half, controlled_mean
from gin_sim.stats.intervals import (
    Moments,
    mean_estimate,
    rate_estimate,
    ratio_estimate,
    saving,
)

#: The lead in a tally by objective.
LEADS = {"points": tallies.LEAD_IN_POINTS, "points+boxes": tallies.LEAD_WITH_BOXES}

# name: (measure, whose measure: 0 the side's own, 1 the other side's)
_FIGURES = {
    "win_rate": (tallies.HANDS_WON, 0),
    "points_per_hand": (tallies.POINTS, 0),
    "points_with_boxes_per_hand": (tallies.POINTS_WITH_BOXES, 0),
    "knock_rate": (tallies.KNOCKS, 0),
    "gin_rate": (tallies.GINS, 0),
    "big_gin_rate": (tallies.BIG_GINS, 0),
    "undercut_made_rate": (tallies.UNDERCUTS_MADE, 0),
    "undercut_suffered_rate": (tallies.UNDERCUTS_MADE, 1),
}


def match_of(played: Played, watch: Watch | None = None) -> Match:
    """Turn the sums of a simulation of hands into figures with 95% intervals.

    Parameters
    ----------
    played : Played
    watch : Watch, optional
        The stopping rule that it was played with; the differences then hold at every look.
    """
    tally, plan = played.tally[0], played.plan
    n_legs, deals = plan.n_legs, int(tally.deals)

    def lead_of(measure: int) -> Estimate:
        sample = _lead(tally, measure)
        if watch is not None:
            return watch.anytime(sample, n_legs)
        return mean_estimate(sample).scaled(1 / n_legs)

    washes, stalls, turns = (
        Moments(deals, int(tally.shared[measure]), int(tally.shared_squares[measure]))
        for measure in (tallies.WASHES, tallies.STALLS, tallies.TURNS)
    )
    found = Match(
        **shared_fields(played, watch, deals, {"hands": int(tally.hands)}),
        deals=deals,
        sides=(_side(played, 0), _side(played, 1)),
        difference={
            objective: _difference(played, objective, lead_of(measure))
            for objective, measure in LEADS.items()
        },
        hands_won_lead=lead_of(tallies.LEAD_IN_HANDS),
        wash_rate=rate_estimate(washes, n_legs),
        stall_rate=rate_estimate(stalls, n_legs),
        turns_per_hand=mean_estimate(turns).scaled(1 / n_legs),
        luck_adjusted=plan.luck_adjusted,
    )
    found.verdict = verdict(found)
    return found


def _side(played: Played, number: int) -> MatchSide:
    tally, n_legs = played.tally[0], played.plan.n_legs

    def figure(name: str, sample: Moments) -> Estimate:
        if name.endswith("_rate"):
            return rate_estimate(sample, n_legs)
        return mean_estimate(sample).scaled(1 / n_legs)

    figures = {
        name: figure(name, _moments(tally, measure, number ^ other))
        for name, (measure, other) in _FIGURES.items()
    }
    return MatchSide(
        policy=played.plan.policies[number].spec,
        hands_won=int(tally.sums[tallies.HANDS_WON, number]),
        mean_deadwood_at_knock=ratio_estimate(
            _moments(tally, tallies.DEADWOOD_AT_KNOCK, number),
            _moments(tally, tallies.KNOCKS, number),
            int(tally.knocks_by_deadwood[number]),
        ),
        **figures,
    )


def _difference(played: Played, objective: str, figure: Estimate) -> Difference:
    """Return a difference with what mirroring saved and, if it was asked for, less the luck."""
    tally, plan = played.tally[0], played.plan
    measure = LEADS[objective]
    pairs = _lead(tally, measure)
    hands = Moments(int(tally.hands), pairs.total, int(tally.lead_hand_squares[measure]))
    return difference_of(
        figure,
        saving(hands, pairs) if plan.mirrored else None,
        luck_adjusted=_luck_adjusted(tally, objective, plan.n_legs) if plan.luck_adjusted else None,
    )


def _luck_adjusted(tally: np.record, objective: str, n_legs: int) -> LuckAdjusted | None:
    found = luck_adjusted_lead(tally, objective)
    if found is None:
        return None
    figure = found.figure.scaled(1 / n_legs)
    return LuckAdjusted(
        figure.estimate,
        figure.low,
        figure.high,
        variance_reduction=found.variance_reduction,
    )


def hand_leads(objective: str) -> Callable[[np.record], list[Moments]]:
    """Return what reads a tally's lead by deal in an objective, for a stopping rule."""
    return lambda tally: [_lead(tally, LEADS[objective])]


def luck_adjusted_lead(
    tally: np.record, objective: str, controls: slice = slice(None)
) -> Controlled | None:
    """Return the mean lead per deal less the luck that some controls show, by default all.

    Parameters
    ----------
    tally : record of LUCK_TALLY
    objective : str
        A key of LEADS.
    controls : slice
        See :mod:`gin_sim.play.luck` for their order.

    Returns
    -------
    Controlled or None
        None where there are too few deals.
    """
    lead = LEADS[objective]

    def half(number: int) -> Half:
        sample = Moments(
            int(tally.half_deals[number]),
            int(tally.half_leads[number, lead]),
            int(tally.half_lead_squares[number, lead]),
        )
        return Half(
            sample,
            tally.controls[number, controls],
            tally.control_products[number, controls, controls],
            tally.controls_by_lead[number, lead, controls],
        )

    return controlled_mean((half(0), half(1)), control_means()[controls])


def _lead(tally: np.record, measure: int) -> Moments:
    return Moments(int(tally.deals), int(tally.leads[measure]), int(tally.lead_squares[measure]))


def _moments(tally: np.record, measure: int, side: int) -> Moments:
    return Moments(
        int(tally.deals), int(tally.sums[measure, side]), int(tally.squares[measure, side])
    )


def verdict(found: Match) -> str:
    """Say in a sentence or two which policy is ahead, by which measure, as far as that is found."""
    if said := none_by_design(found.specs, found.mirrored, "points per hand"):
        return said
    names = numbered(found.specs)
    points, boxes = (found.difference[objective].best for objective in LEADS)
    box = found.rules.box_bonus

    if math.isnan(points.low):
        return f"{found.hands} hands are too few for a verdict: play more."
    if points.spans_zero:
        words = ["No difference in points per hand is found"]
    else:
        ahead = names[points.estimate < 0]
        words = [f"{ahead} scores more, by {size_text(points)} points per hand"]
    if not found.hands_won_lead.spans_zero:
        winner = names[found.hands_won_lead.estimate < 0]
        same = not points.spans_zero and winner == names[points.estimate < 0]
        words.append("and wins more hands" if same else f"{winner} wins more hands")
    text = (" " if words[-1].startswith("and") else "; ").join(words) + "."
    if box:
        if boxes.spans_zero:
            text += f" Counting {box} points per box, no difference is found."
        else:
            ahead = names[boxes.estimate < 0]
            text += f" Counting {box} points per box, {ahead} is ahead by {size_text(boxes)}."
    return text
