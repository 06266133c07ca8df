"""How far hand reading can be trusted: what it predicts at knock decisions beside what was true.

Which decisions are tried, and how, is decided in :mod:`gin_sim.belief`.
"""

from __future__ import annotations

from typing import ClassVar

import msgspec
from msgspec import Struct

from gin_sim.results.belief import DeviationRates
from gin_sim.results.common import Count, Estimate, PolicyInfo, Result, Row, Share, check_once

#: What is compared: hand reading from the history, learned weights, and uniform dealing.
METHODS = ("belief", "learned", "uniform")


class Prediction(Struct, kw_only=True, frozen=True):
    """What one method predicts at some positions.

    Parameters
    ----------
    undercut : Estimate
        Mean chance that a knock is undercut, 0-1.
    undercut_excess : Estimate
        That chance less the true share; its interval is that of the paired differences, or of the
        true share where no knock was undercut, or all were.
    deadwood : Estimate
        The opponent's mean deadwood, pips.
    deadwood_excess : Estimate
        That less the true mean, pips.
    log_score : Estimate
        Mean log of the predicted chance of where each unseen card is; 0 would be certainty.
    agrees : bool
        Whether the chance of an undercut lies in the interval of the true share.
    """

    undercut: Estimate
    undercut_excess: Estimate
    deadwood: Estimate
    deadwood_excess: Estimate
    log_score: Estimate
    agrees: bool


class Reliability(Struct, kw_only=True, frozen=True):
    """A group of positions: what was true, and what each method predicted.

    Parameters
    ----------
    name : str
        Of the group: a class of stock draws, an opponent, a class of the predicted chance, or
        ``all``.
    positions, hands : int
        Positions, and the hands that they are from.
    undercut : Estimate
        True share of knocks that are undercut, 0-1; a hand's positions count as one draw.
    deadwood : Estimate
        The opponent's true mean deadwood, pips.
    belief, learned, uniform : Prediction
        By hand reading from the history, by learned weights, and by uniform dealing.
    """

    name: str
    positions: Count
    hands: Count
    undercut: Estimate
    deadwood: Estimate
    belief: Prediction
    learned: Prediction
    uniform: Prediction

    def __post_init__(self) -> None:
        if not self.undercut.is_known:
            raise ValueError("the true share of undercuts has no interval")

    def by(self, method: str) -> Prediction:
        """Return what a method of METHODS predicted."""
        return getattr(self, method)


class ByPrediction(Struct, kw_only=True, frozen=True):
    """Groups of positions by the chance of an undercut that each method predicts.

    Parameters
    ----------
    belief, learned, uniform : list of Reliability
        A group for each class of the chance that has positions.
    """

    belief: list[Reliability]
    learned: list[Reliability]
    uniform: list[Reliability]

    def by(self, method: str) -> list[Reliability]:
        """Return the groups by the chance that a method of METHODS predicts."""
        return getattr(self, method)


class TriedPosition(Row, kw_only=True):
    """One position, what was true there and what each method predicted.

    Parameters
    ----------
    hand : int
        Number of the hand that it is from, from 0.
    opponent : str
        The opponent's name.
    turn : int
        The player's own turn number, from 1.
    stock_draws : int
        Draws of both players from the stock, the one just made included.
    bucket : str
        The class of stock draws: ``0-4`` ... ``17+``.
    undercut : bool
        Whether a knock would be undercut.
    deadwood : int
        The opponent's deadwood, pips.
    belief_undercut, learned_undercut, uniform_undercut : float
        Predicted chance of an undercut, 0-1.
    belief_deadwood, learned_deadwood, uniform_deadwood : float
        Predicted mean deadwood of the opponent, pips.
    belief_log_score, learned_log_score, uniform_log_score : float
        Mean log of the predicted chance of where each unseen card is.
    effective_worlds : float or None
        How many independent deals would estimate the mean deadwood as well.
    unconverged_chains : int
        Chains left out, since they did not find where the likely hands are.
    position : str
        The command line that asks for advice on the position.
    """

    hand: Count
    opponent: str
    turn: Count
    stock_draws: Count
    bucket: str
    undercut: bool
    deadwood: Count
    belief_undercut: Share
    belief_deadwood: float
    belief_log_score: float
    learned_undercut: Share
    learned_deadwood: float
    learned_log_score: float
    uniform_undercut: Share
    uniform_deadwood: float
    uniform_log_score: float
    effective_worlds: float | None
    unconverged_chains: Count
    position: str


class ReliabilityRow(Row, kw_only=True):
    """A group of positions, and what one method predicted there.

    Parameters
    ----------
    by : str
        What the groups are by: ``stock draws``, ``opponent`` or ``predicted chance``.
    group : str
        Name of the group.
    belief : str
        The method: ``belief``, ``learned`` or ``uniform``.
    positions, hands : int
        Positions, and the hands that they are from.
    undercut : Estimate
        True share of knocks that are undercut, 0-1.
    predicted_undercut : Estimate
        Mean predicted chance of that, 0-1.
    deadwood : Estimate
        The opponent's true mean deadwood, pips.
    predicted_deadwood : Estimate
        Mean predicted deadwood, pips.
    log_score : Estimate
        Mean log of the predicted chance of where each unseen card is.
    agrees : bool
        Whether the predicted chance lies in the interval of the true share.
    """

    by: str
    group: str
    belief: str
    positions: int
    hands: int
    undercut: Estimate
    predicted_undercut: Estimate
    deadwood: Estimate
    predicted_deadwood: Estimate
    log_score: Estimate
    agrees: bool


class Calibration(Result, kw_only=True, tag="calibration"):
    """Hand reading tested at knock decisions, of `gin-sim belief calibrate`.

    Parameters
    ----------
    against : PolicyInfo
        The policy that the opponent is assumed to follow.  In played hands it does follow it.
    play : PolicyInfo or None
        Whose decisions they are; None for recorded hands, where they are both players'.
    records : str or None
        The file of the recorded hands; None for played ones.
    sample : str
        How many positions there are, and from which hands.
    positions, hands : int
        Positions tried, and the hands that they are from.
    wanted : int
        Positions asked for.
    selection : str
        Which positions are tried.
    worlds : int
        Sampled deals of each method at each position.
    deviation : DeviationRates
        How often the opponent is assumed to deviate from the policy.
    by_draws : list of Reliability
        By stock draws of both players, and for all positions, the last.
    by_opponent : list of Reliability
        By the opponent's name; empty for played hands.
    by_prediction : ByPrediction
        By method: positions grouped by the chance of an undercut that it gave, 0-1.
    effective_worlds : float
        How many independent deals those of a position are as good as, the median.
    positions_with_unconverged_chains : int
        Positions at which a chain did not find where the likely hands are.
    verdict : str
        In how many classes of draws each method's chance is within the interval of the true share.
    tried : list of TriedPosition
        The positions one by one; may be left out of a saved result.
    """

    against: PolicyInfo
    play: PolicyInfo | None
    records: str | None
    sample: str
    positions: Count
    hands: Count
    wanted: Count
    selection: str
    worlds: Count
    deviation: DeviationRates
    by_draws: list[Reliability]
    by_opponent: list[Reliability]
    by_prediction: ByPrediction
    effective_worlds: float
    positions_with_unconverged_chains: Count
    verdict: str
    tried: list[TriedPosition] = msgspec.field(default_factory=list)

    TABLES: ClassVar = {"reliability": ReliabilityRow, "positions": TriedPosition}

    def __post_init__(self) -> None:
        if not self.by_draws:
            raise ValueError("there is no position")
        check_once([group.name for group in self.by_draws], "class of stock draws")

    def rows(self) -> dict[str, list[Row]]:
        """Return the rows of the tables ``reliability`` and, if they were kept, ``positions``."""
        groups = [("stock draws", self.by_draws), ("opponent", self.by_opponent)]
        table: list[Row] = [
            _row(by, group, method)
            for by, all_of in groups
            for group in all_of
            for method in METHODS
        ]
        table += [
            _row("predicted chance", group, method)
            for method in METHODS
            for group in self.by_prediction.by(method)
        ]
        tried: dict[str, list[Row]] = {"positions": list(self.tried)} if self.tried else {}
        return {"reliability": table, **tried}


def _row(by: str, group: Reliability, method: str) -> ReliabilityRow:
    predicted = group.by(method)
    return ReliabilityRow(
        by=by,
        group=group.name,
        belief=method,
        positions=group.positions,
        hands=group.hands,
        undercut=group.undercut,
        predicted_undercut=predicted.undercut,
        deadwood=group.deadwood,
        predicted_deadwood=predicted.deadwood,
        log_score=predicted.log_score,
        agrees=predicted.agrees,
    )
