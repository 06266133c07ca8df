"""What every answer to "when to knock" says of itself, and the tables that they share."""

from __future__ import annotations

from typing import Annotated, Any, Literal

import msgspec
from msgspec import Struct

from gin_sim.results.common import Count, Estimate, OfAnObjective, PolicyInfo, Row, check_once
from gin_sim.results.score import Score, ScoreRow
from gin_sim.words import listed

#: Own turn of a player.
Turn = Annotated[int, msgspec.Meta(ge=1, le=120)]
#: Pips of a knock, excluding gin.
KnockDeadwood = Annotated[int, msgspec.Meta(ge=1, le=98)]
#: What the figures of a place say.
Decision = Literal["knock", "play on", "too close", "few"]
#: Knocks below which no figure is shown.
SHOWN_FROM = 50
#: What may be cut short so that a chart does not rest on all that was asked for.
_WHAT_CHARTS_REST_ON = {"the trace", "the rounds"}


class KnockClasses(Struct):
    """By what, beside own turn and deadwood, a rule may differ.

    Parameters
    ----------
    name : str
        As ``--by`` names it: ``outs``, ``none``, ``takes``, ``loose`` or ``lower``.
    meaning : str
        In words: "cards that would give gin".
    classes : list of str
        The classes, such as ``0``, ``1-2`` and ``3+``; ``all`` where there is one.
    """

    name: str
    meaning: str
    classes: list[str]

    def __post_init__(self) -> None:
        if not self.classes or len(set(self.classes)) < len(self.classes):
            raise ValueError("there is a class at least, and each has a name of its own")


class KnockPlace(Struct, kw_only=True):
    """A place of the chart: where a knock is decided.

    Parameters
    ----------
    turn : int
        Own turn, from 1; the last also stands for all later ones.
    class_name : str
        One of the classes; ``class`` in JSON.
    deadwood : int
        Pips that the knock would leave, from 1: gin is always declared.
    knocks : int
        Knocks that its figures rest on.
    """

    turn: Turn
    class_name: str = msgspec.field(name="class")
    deadwood: KnockDeadwood
    knocks: Count

    @property
    def place(self) -> tuple[int, str, int]:
        """The turn, the class and the deadwood."""
        return self.turn, self.class_name, self.deadwood


class DeadwoodCounts(Struct):
    """How often a turn of the opponent ended with each deadwood while the hand was open.

    Parameters
    ----------
    turn : int
        The opponent's own turn, from 1.
    counts : list of int
        Turns that ended with 0, 1, 2 … pips; the last also counts those with more.
    """

    turn: Turn
    counts: list[Count]


class OfKnocks(OfAnObjective, kw_only=True):
    """What a solved rule and an equilibrium have in common.

    Parameters
    ----------
    score : Score or None
        The score that hands are judged at; None where only the hand counts.
    deals : int
        Deals traced.
    play : PolicyInfo
        The policy that draws and discards.
    by : KnockClasses
        What the rule looks at in addition to turn and deadwood.
    opponent_deadwood : list of DeadwoodCounts
        By the opponent's turn, where the player knocks only with gin.
    cut : list of str
        What is missing or unfinished, because it was stopped early.
    """

    score: Score | None
    deals: Count
    play: PolicyInfo
    by: KnockClasses
    opponent_deadwood: list[DeadwoodCounts]
    cut: list[str]

    @property
    def is_cut(self) -> bool:
        """Whether what the charts rest on is unfinished."""
        return not _WHAT_CHARTS_REST_ON.isdisjoint(self.cut)

    def check_places(self, places: list[Any]) -> None:
        """Refuse places of no class, or that are there twice, for ``__post_init__``."""
        if not places:
            raise ValueError("there is no cell")
        found = [each.place for each in places]
        for _, name, _ in found:
            if name not in self.by.classes:
                raise ValueError(f"the class '{name}' is not one of {listed(self.by.classes)}")
        check_once(found, "cell")
        check_once([each.turn for each in self.opponent_deadwood], "turn of the opponent")


class ValueRow(ScoreRow, kw_only=True):
    """What a rule wins, or how much more it wins than another.

    Parameters
    ----------
    play_points, against_points, box_difference, dealer
        The score; empty where only the hand counts.
    what : str
        Which rule, or which one minus which.
    deals : {"traced", "fresh"}
        The deals that the rule was found on, each half judging the other's, or fresh ones.
    objective : str
        What is judged.
    figure : Estimate
        Columns ``estimate``, ``low`` and ``high``.
    unit : str
        Of the figure.
    """

    what: str
    deals: str
    objective: str
    figure: Estimate
    unit: str


class DeadwoodRow(Row, kw_only=True):
    """How many of the opponent's turns ended with a deadwood while the hand was open.

    Parameters
    ----------
    turn : int
        The opponent's own turn, from 1.
    deadwood : int
        Pips; 99 stands for more as well.
    turns : int
        Turns that ended with it.
    """

    turn: int
    deadwood: int
    turns: int


def deadwood_rows(found: OfKnocks) -> list[Row]:
    """Return the table of the opponent's deadwood."""
    return [
        DeadwoodRow(turn=each.turn, deadwood=deadwood, turns=count)
        for each in found.opponent_deadwood
        for deadwood, count in enumerate(each.counts)
        if count
    ]
