"""What a player can do at a decision: each action with its value, and which kind is better."""

from __future__ import annotations

from typing import Literal

from msgspec import Struct

from gin_sim.results.common import Count, Estimate, Row, Share

#: The verdict where the interval of the margin holds zero.
CLOSE = "too close to call"

Kind = Literal["knock", "play on", "take", "leave"]


class Ends(Struct, frozen=True):
    """How often a hand ends in each way for the player, 0-1; they add up to 1.

    Parameters
    ----------
    won_by_a_knock_rate, won_by_gin_rate, won_by_big_gin_rate, won_by_an_undercut_rate : float
        Share of hands that the player wins.
    lost_to_a_knock_rate, lost_to_gin_rate, lost_to_big_gin_rate, lost_by_an_undercut_rate : float
        Share of hands that the opponent wins.
    wash_rate : float
        Share of hands that nobody wins.
    """

    won_by_a_knock_rate: Share
    won_by_gin_rate: Share
    won_by_big_gin_rate: Share
    won_by_an_undercut_rate: Share
    lost_to_a_knock_rate: Share
    lost_to_gin_rate: Share
    lost_to_big_gin_rate: Share
    lost_by_an_undercut_rate: Share
    wash_rate: Share


class Action(Struct, kw_only=True, frozen=True):
    """Something that the player can do.

    Parameters
    ----------
    action : str
        In words: ``knock, discard Kd``, ``play on, discard Kd``, ``lay down big gin``,
        ``take the upcard`` or ``leave the upcard``.
    card : str or None
        The card discarded; None where none is.
    """

    action: str
    card: str | None


class ActionValue(Action, kw_only=True, frozen=True):
    """What one action is worth.

    The intervals of ``difference`` hold at once for all finalists.  An action that the first deals
    put behind the best of its kind (knocks, or those that play on), or behind several others of it
    that were as good, is played no further: its value and its difference are those of that best one
    and what it was behind in those deals, and its ends are theirs.

    Parameters
    ----------
    kind : str
        ``knock``, ``play on``, ``take`` or ``leave``: the verdict compares the best of each kind.
    deadwood : int or None
        Pips left after the discard; None where nothing is discarded.
    is_gin : bool
        Whether it is gin or big gin.
    value : Estimate
        In the unit of the result.
    difference : Estimate
        To the best action, in the same deals: at most 0, and 0 for the best itself.
    chance_best : float or None
        Chance it is the best of the finalists, 0-1; None for an action that is none.
    ends : Ends
        How often the hand then ends in each way, 0-1.
    playouts : int
        Hands played for it.
    finalist : bool
        Whether it was played further than the first deals.
    """

    kind: Kind
    deadwood: Count | None
    is_gin: bool
    value: Estimate
    difference: Estimate
    chance_best: Share | None
    ends: Ends
    playouts: Count
    finalist: bool

    @property
    def is_best(self) -> bool:
        """Whether the differences of the others are measured from it."""
        return self.difference.low == self.difference.high == 0 and self.finalist


class Verdict(Action, kw_only=True, frozen=True):
    """Which kind of action is better, and by how much.

    Parameters
    ----------
    answer : str
        ``knock``, ``gin``, ``big gin``, ``play on``, ``take``, ``leave``, ``discard`` where only
        the card is in question, or ``too close to call``.
    margin : Estimate or None
        By how much the best action beats the best of the other kind (the next discard where only
        the card is in question), in the unit of the result; None where there is no choice.
    """

    answer: str
    margin: Estimate | None


class Variant(Verdict, kw_only=True, frozen=True):
    """The verdict when one thing is different: the opponent, the bonuses or the score.

    Parameters
    ----------
    name : str
        What is different: a policy, bonuses in words, or a score.
    unit : str
        Of the margin.
    """

    name: str
    unit: str


class ActionRow(Row, kw_only=True):
    """An action; the best comes first.

    Parameters
    ----------
    action : str
        In words: ``knock, discard Kd``.
    card : str or None
        The card discarded; empty where none is.
    kind : str
        ``knock``, ``play on``, ``take`` or ``leave``.
    deadwood : int or None
        Pips left after the discard; empty where nothing is discarded.
    objective : str
        What the value is judged by.
    figure : Estimate
        The action's value.
    unit : str
        Of the value and the difference.
    difference : Estimate
        To the best action, in the same deals.
    chance_best : float or None
        Chance it is the best, 0-1; empty for an action that was played no further.
    values : dict of str to float
        A column for each way in which the hand then ends, 0-1: ``won_by_a_knock_rate``,
        ``won_by_gin_rate``, ``won_by_big_gin_rate``, ``won_by_an_undercut_rate``,
        ``lost_to_a_knock_rate``, ``lost_to_gin_rate``, ``lost_to_big_gin_rate``,
        ``lost_by_an_undercut_rate`` and ``wash_rate``.
    playouts : int
        Hands played for it.
    finalist : bool
        Whether it was played further than the first deals.
    """

    action: str
    card: str | None
    kind: str
    deadwood: int | None
    objective: str
    figure: Estimate
    unit: str
    difference: Estimate
    chance_best: float | None
    values: dict[str, float]
    playouts: int
    finalist: bool


class VariantRow(Row, kw_only=True):
    """The verdict when one thing is different.

    Parameters
    ----------
    varied : str
        ``opponent``, ``bonuses`` or ``score``.
    name : str
        What is different: a policy, bonuses in words, or a score.
    answer : str
        ``knock``, ``gin``, ``big gin``, ``play on``, ``take``, ``leave``, ``discard`` or ``too
        close to call``.
    action : str
        The best action found.
    card : str or None
        The card that it discards; empty where none is.
    objective : str
        What the margin is judged by.
    figure : Estimate
        The margin; empty where there is no choice.
    unit : str
        Of the margin.
    """

    varied: str
    name: str
    answer: str
    action: str
    card: str | None
    objective: str
    figure: Estimate
    unit: str
