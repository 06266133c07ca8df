"""Two policies' tally as figures with intervals, and the sentence that says what they mean."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from gin_sim.contests.figures import figures_table, none_by_design, size_text, told_apart
from gin_sim.contests.stopping_rules import Watch
from gin_sim.play import tallies
from gin_sim.play.luck import control_means
from gin_sim.play.run import Played
from gin_sim.stats.control_variates import Controlled, Half, controlled_mean
from gin_sim.stats.intervals import (
    Estimate,
    Moments,
    mean_estimate,
    rate_estimate,
    ratio_estimate,
    saving,
)

if TYPE_CHECKING:
    import pandas as pd  # loaded only where a table is asked for: it takes half a second

OBJECTIVES = {"points": tallies.LEAD_IN_POINTS, "points+boxes": tallies.LEAD_WITH_BOXES}

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


@dataclass(frozen=True)
class Side:
    """One policy's figures.

    Parameters
    ----------
    spec : str
        The policy.
    hands_won : int
    figures : dict of str to Estimate
        ``win_rate``, ``knock_rate`` (knocks that are not gin, undercut ones included),
        ``gin_rate``, ``big_gin_rate``, ``undercut_made_rate``, ``undercut_suffered_rate``: shares
        of the hands played, 0-1; ``points_per_hand``, ``points_with_boxes_per_hand``: points
        scored a hand; ``mean_deadwood_at_knock``: pips, over the hands of ``knock_rate``.
    """

    spec: str
    hands_won: int
    figures: dict[str, Estimate]


@dataclass(frozen=True)
class HeadToHead:
    """What a simulation of two policies says.

    Parameters
    ----------
    played : Played
    hands, deals : int
        Finished; deals are mirrored pairs, or hands where they are not mirrored.
    sides : pair of Side
    difference : dict of str to Estimate
        By objective: side 0 minus side 1, points per hand.
    variance_reduction : dict of str to (float or None)
        By objective: how many times fewer hands mirroring needed; None if not known.
    hands_lead : Estimate
        Share of hands won by side 0 less that won by side 1.
    wash_rate, stall_rate, turns_per_hand : Estimate
        Stalled hands are washes too; turns are both players', passes not counted.
    less_luck : dict of str to Controlled, or None
        By objective: the difference less the luck that a baseline shows; None where the plan has
        no baseline, or too few deals for one.
    watch : Watch or None
        The stopping rule that it was played with; the differences then hold at every look.
    """

    played: Played
    hands: int
    deals: int
    sides: tuple[Side, Side]
    difference: dict[str, Estimate]
    variance_reduction: dict[str, float | None]
    hands_lead: Estimate
    wash_rate: Estimate
    stall_rate: Estimate
    turns_per_hand: Estimate
    less_luck: dict[str, Controlled] | None = None
    watch: Watch | None = None

    @property
    def best_difference(self) -> dict[str, Estimate]:
        """The differences that conclusions rest on: less luck, if the plan asked for that."""
        if self.less_luck is None:
            return self.difference
        return {objective: found.figure for objective, found in self.less_luck.items()}


def head_to_head(played: Played, watch: Watch | None = None) -> HeadToHead:
    """Turn a simulation's sums into figures with 95% intervals.

    Parameters
    ----------
    played : Played
    watch : Watch, optional
        The stopping rule that it was played with.
    """
    tally = played.tally[0]
    n_legs = played.plan.n_legs
    deals = int(tally.deals)

    def rate(sample: Moments) -> Estimate:
        return rate_estimate(sample, n_legs)

    def mean(sample: Moments) -> Estimate:
        return mean_estimate(sample).scaled(1 / n_legs)

    def lead_of(measure: int) -> Moments:
        return Moments(deals, int(tally.leads[measure]), int(tally.lead_squares[measure]))

    def difference_of(sample: Moments) -> Estimate:
        return mean(sample) if watch is None else watch.anytime(sample, n_legs)

    def side(number: int) -> Side:
        figures = {
            name: (rate if name.endswith("_rate") else mean)(
                _moments(tally, measure, number ^ other)
            )
            for name, (measure, other) in _FIGURES.items()
        }
        figures["mean_deadwood_at_knock"] = ratio_estimate(
            _moments(tally, tallies.DEADWOOD_AT_KNOCK, number),
            _moments(tally, tallies.KNOCKS, number),
            int(tally.knocks_by_deadwood[number]),
        )
        won = int(tally.sums[tallies.HANDS_WON, number])
        return Side(played.plan.policies[number].spec, won, figures)

    difference, reduction = {}, {}
    for objective, lead in OBJECTIVES.items():
        pairs = lead_of(lead)
        hands = Moments(int(tally.hands), pairs.total, int(tally.lead_hand_squares[lead]))
        difference[objective] = difference_of(pairs)
        reduction[objective] = saving(hands, pairs) if played.plan.mirrored else None

    washes, stalls, turns = (
        Moments(deals, int(tally.shared[measure]), int(tally.shared_squares[measure]))
        for measure in (tallies.WASHES, tallies.STALLS, tallies.TURNS)
    )
    return HeadToHead(
        played,
        int(tally.hands),
        deals,
        (side(0), side(1)),
        difference,
        reduction,
        difference_of(lead_of(tallies.LEAD_IN_HANDS)),
        rate(washes),
        rate(stalls),
        mean(turns),
        _less_luck(tally, n_legs) if played.plan.baseline else None,
        watch,
    )


def hand_leads(objective: str) -> Callable[[np.record], list[Moments]]:
    """Return what reads a tally's lead by deal in an objective, for a stopping rule."""
    measure = OBJECTIVES[objective]

    def read(tally: np.record) -> list[Moments]:
        deals = int(tally.deals)
        return [Moments(deals, int(tally.leads[measure]), int(tally.lead_squares[measure]))]

    return read


def _less_luck(tally: np.record, n_legs: int) -> dict[str, Controlled] | None:
    found = {}
    for objective in OBJECTIVES:
        controlled = lead_less_luck(tally, objective)
        if controlled is None:
            return None
        figure = controlled.figure.scaled(1 / n_legs)
        found[objective] = Controlled(figure, controlled.variance_reduction)
    return found


def lead_less_luck(
    tally: np.record, objective: str, controls: slice = slice(None)
) -> Controlled | None:
    """Return the mean lead a deal less the luck that some controls show, by default all.

    Parameters
    ----------
    tally : record of BASELINE_TALLY
    objective : str
        One of OBJECTIVES.
    controls : slice
        See ``simulate/baseline.py`` for their order.

    Returns
    -------
    Controlled or None
        None where there are too few deals.
    """
    lead = OBJECTIVES[objective]

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


def _moments(tally: np.record, measure: int, side: int) -> Moments:
    return Moments(
        int(tally.deals), int(tally.sums[measure, side]), int(tally.squares[measure, side])
    )


def sides_table(result: HeadToHead) -> pd.DataFrame:
    """Return one row for each side and figure: estimate, low, high and unit."""
    return figures_table([(side.spec, side.figures) for side in result.sides], _unit)


def difference_table(result: HeadToHead) -> pd.DataFrame:
    """Return one row for each objective: side 0 minus side 1 in points per hand.

    With a baseline also less the luck that it shows.
    """
    import pandas as pd

    rows = [
        {
            "objective": objective,
            "side_0": result.sides[0].spec,
            "side_1": result.sides[1].spec,
            "points_per_hand": figure.estimate,
            "low_95": figure.low,
            "high_95": figure.high,
            "deals": result.deals,
            "variance_reduction": result.variance_reduction[objective],
            **_less_luck_columns(result, objective),
        }
        for objective, figure in result.difference.items()
    ]
    return pd.DataFrame(rows)


def _less_luck_columns(result: HeadToHead, objective: str) -> dict[str, float | None]:
    if result.less_luck is None:
        return {}
    found = result.less_luck[objective]
    return {
        "less_luck_points_per_hand": found.figure.estimate,
        "less_luck_low_95": found.figure.low,
        "less_luck_high_95": found.figure.high,
        "baseline_reduction": found.variance_reduction,
    }


def _unit(name: str) -> str:
    if name.endswith("_rate"):
        return "share of hands"
    return "pips" if "deadwood" in name else "points per hand"


def verdict(result: HeadToHead) -> str:
    """Say in a sentence or two which policy is ahead, by which measure, as far as that is found."""
    specs = [side.spec for side in result.sides]
    if said := none_by_design(specs, result.played.plan.mirrored, "points per hand"):
        return said
    names = told_apart(specs)
    points, boxes = (result.best_difference[objective] for objective in OBJECTIVES)
    box = result.played.plan.rules.box_bonus

    if math.isnan(points.low):
        return f"{result.hands} hands are too few to tell: play more."
    if points.spans_zero:
        words = ["No difference in points per hand is found"]
    else:
        ahead = names[points.estimate < 0]
        words = [f"{ahead} scores more, by {size_text(points)} points per hand"]
    if not result.hands_lead.spans_zero:
        winner = names[result.hands_lead.estimate < 0]
        same = not points.spans_zero and winner == names[points.estimate < 0]
        words.append("and wins more hands" if same else f"{winner} wins more hands")
    text = (" " if words[-1].startswith("and") else "; ").join(words) + "."
    if box:
        if boxes.spans_zero:
            text += f" Counting {box} points a box, no difference is found."
        else:
            ahead = names[boxes.estimate < 0]
            text += f" Counting {box} points a box, {ahead} is ahead by {size_text(boxes)}."
    return text
