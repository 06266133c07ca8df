"""Advice on each position of a file."""

from __future__ import annotations

import math
from typing import ClassVar

from msgspec import Struct

from gin_sim.results.advice import Advice
from gin_sim.results.common import NO_ESTIMATE, Count, Estimate, Result, Row


class PositionAdvice(Struct, kw_only=True):
    """The answer for one position of a file.

    Parameters
    ----------
    line : int
        Where the position stands in the file, from 1.
    advice : Advice
        The answer.
    """

    line: Count
    advice: Advice


class PositionRow(Row, kw_only=True):
    """The answer for one position of a file.

    Parameters
    ----------
    line : int
        Where the position stands in the file, from 1.
    hand : str
        The cards held.
    turn : int
        The player's own turn number, from 1.
    answer : str
        ``knock``, ``gin``, ``big gin``, ``play on``, ``take``, ``leave``, ``discard`` or ``too
        close to call``.
    action : str
        The best action found.
    card : str or None
        The card that it discards; empty where none is.
    objective : str
        What the margin and the value are judged by.
    figure : Estimate
        The margin; empty where there is no choice.
    unit : str
        Of the margin and the value.
    value : Estimate
        What the best action is worth.
    chance_best : float or None
        Chance it is the best, 0-1.
    undercut_chance : float or None
        Chance that the best knock is undercut, 0-1; empty where none is allowed.
    opponent_deadwood : float
        The opponent's mean deadwood now, pips.
    belief_source : str
        ``history``, or ``learned weights`` where the history is not known.
    worlds : int
        Sampled deals in the figures.
    effective_worlds : float
        How many independent deals would estimate the margin as well.
    chains_disagree : bool
        Whether the chains differ so much that the intervals may be too narrow.
    is_precise : bool
        Whether the interval is as narrow as was asked for.
    partial : bool
        Whether it was stopped early.
    ask_again : str
        The command line that asks about the position again.
    """

    line: int
    hand: str
    turn: int
    answer: str
    action: str
    card: str | None
    objective: str
    figure: Estimate
    unit: str
    value: Estimate
    chance_best: float | None
    undercut_chance: float
    opponent_deadwood: float
    belief_source: str
    worlds: int
    effective_worlds: float
    chains_disagree: bool
    is_precise: bool
    partial: bool
    ask_again: str


class AdviceList(Result, kw_only=True, tag="advice-list"):
    """What to do in each position of a file, of `gin-sim knock --file`.

    The rules are those of the first position; each answer has its own.

    Parameters
    ----------
    positions : list of PositionAdvice
        The answers so far, in order of the file.
    wanted : int
        Positions in the file.
    fault : str
        Why the next position has no answer; empty where all have one, or it was stopped.
    """

    positions: list[PositionAdvice]
    wanted: Count
    fault: str = ""

    TABLES: ClassVar = {"positions": PositionRow}

    def __post_init__(self) -> None:
        if not self.positions:
            raise ValueError("there is no position")

    def rows(self) -> dict[str, list[Row]]:
        """Return the rows of the table ``positions``."""
        return {"positions": [_position_row(each.line, each.advice) for each in self.positions]}


def _position_row(line: int, advice: Advice) -> PositionRow:
    verdict, best, belief = advice.verdict, advice.actions[0], advice.belief
    undercut = advice.reasons.undercut_chance
    return PositionRow(
        line=line,
        hand=str(advice.position["hand"]),
        turn=advice.turn,
        answer=verdict.answer,
        action=verdict.action,
        card=verdict.card,
        objective=advice.objective,
        figure=verdict.margin or NO_ESTIMATE,
        unit=advice.unit,
        value=best.value,
        chance_best=best.chance_best,
        undercut_chance=math.nan if undercut is None else undercut.estimate,
        opponent_deadwood=advice.reasons.opponent_deadwood.estimate,
        belief_source=belief.source,
        worlds=belief.worlds,
        effective_worlds=belief.effective_worlds,
        chains_disagree=belief.chains_disagree,
        is_precise=advice.is_precise,
        partial=advice.partial,
        ask_again=advice.ask_again,
    )
