"""Advice on one position: every action's value with its interval, the verdict, and why.

What the figures rest on is decided in :mod:`gin_sim.advice`.
"""

from __future__ import annotations

import math
from typing import ClassVar, Literal

from msgspec import Struct

from gin_sim.results.belief import HandReading
from gin_sim.results.common import (
    NO_ESTIMATE,
    Count,
    Estimate,
    OfAnObjective,
    PolicyInfo,
    Result,
    Row,
    Share,
    check_once,
)

#: The verdict where the interval of the margin holds zero.
CLOSE = "too close to call"

Dealer = Literal["me", "opponent"]
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
    """The verdict when one thing is otherwise: the opponent, the bonuses or the score.

    Parameters
    ----------
    name : str
        What is otherwise: a policy, bonuses in words, or a score.
    unit : str
        Of the margin.
    """

    name: str
    unit: str


class LikelyMeld(Struct, frozen=True):
    """A meld that the opponent may hold.

    Parameters
    ----------
    cards : list of str
        Three cards or more.
    chance : float
        0-1.
    """

    cards: list[str]
    chance: Share


class LikelyCard(Struct, frozen=True):
    """A hidden card that the opponent may hold.

    Parameters
    ----------
    card : str
    chance : float
        0-1.
    """

    card: str
    chance: Share


class Reasons(Struct, kw_only=True, frozen=True):
    """What stands behind an answer.

    Parameters
    ----------
    opponent_deadwood : Estimate
        The opponent's mean deadwood now, pips.
    opponent_may_knock_chance : Estimate
        Chance that this is no more than the knock limit, 0-1.
    opponent_melds : list of LikelyMeld
        Its three likeliest melds.
    opponent_cards : list of LikelyCard
        The five likeliest of its hidden cards.
    undercut_chance : Estimate or None
        Chance that the best knock is undercut, 0-1; None where no knock with deadwood is allowed.
    laid_off : Estimate or None
        Mean pips that it would lay off on that knock.
    gin_outs : list of str
        Unseen cards that would give gin after the best discard.
    gin_chance_in_draws : list of float
        Chance to draw one of them from the stock within one, two, three own draws, as far as the
        stock lasts, 0-1.
    """

    opponent_deadwood: Estimate
    opponent_may_knock_chance: Estimate
    opponent_melds: list[LikelyMeld]
    opponent_cards: list[LikelyCard]
    undercut_chance: Estimate | None
    laid_off: Estimate | None
    gin_outs: list[str]
    gin_chance_in_draws: list[Share]


class SeenCards(Struct, kw_only=True, frozen=True):
    """What the player sees.

    Parameters
    ----------
    melds : list of list of str
        Its cards in their best arrangement, a list for each meld.
    loose : list of str
        Its cards outside the melds, by rank.
    drawn : str or None
        The card just drawn or taken; None before the draw.
    upcard : str or None
        The top of the discard pile before the draw; None after it.
    is_first_offer : bool
        Whether the upcard is the first one, which both may pass.
    opponent : list of str
        Cards that the opponent took from the pile and still holds.
    score, boxes : tuple of int
        Points and hands won so far: the player's and the opponent's.
    """

    melds: list[list[str]]
    loose: list[str]
    drawn: str | None
    upcard: str | None
    is_first_offer: bool
    opponent: list[str]
    score: tuple[int, int]
    boxes: tuple[int, int]


class LaterHands(Struct, kw_only=True, frozen=True):
    """The hands from which it follows what the rest of the game is worth.

    Parameters
    ----------
    play, against : str
        The policies whose own knocks play the later hands.
    hands : int
        Hands counted at each score.
    scores : int
        At how many scores they were counted: more than one where a policy's play depends on it.
    seed : int
    partial : bool
        Whether the counting was stopped early.
    """

    play: str
    against: str
    hands: Count
    scores: Count
    seed: int
    partial: bool


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
    """The verdict when one thing is otherwise.

    Parameters
    ----------
    varied : str
        ``opponent``, ``bonuses`` or ``score``.
    name : str
        What is otherwise: a policy, bonuses in words, or a score.
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


class Advice(OfAnObjective, kw_only=True, tag="advice"):
    """What to do in one position, of `gin-sim knock`.

    Parameters
    ----------
    position : dict
        The position as the fields of :func:`gin_sim.parse_position`, which read it again.
    ask_again : str
        The command line that asks about it again, against the same opponent.
    turn : int
        The player's own turn number, from 1.
    dealer : str
        Who dealt: ``me`` or ``opponent``.
    knock_limit : int
        Greatest deadwood to knock with, pips.
    seen : SeenCards
    play, against : PolicyInfo
        How the player plays after the action, and the policy that the opponent is supposed to
        follow.
    verdict : Verdict
    actions : list of ActionValue
        Every legal action, the best first.
    reasons : Reasons
    opponents : list of Variant
        The verdict against other policies.
    bonuses : list of Variant
        The verdict in points under other bonuses, from the same hands.
    scores : list of Variant
        The verdict at other scores, from the same hands; empty for the points of a hand.
    later_hands : LaterHands or None
        None for the points of a hand.
    belief : HandReading
    precision : float
        What half the width of the margin's interval was to be, in the unit of the result.
    is_precise : bool
        Whether it is that or less.
    warnings : list of str
        What a reader has to know before trusting the answer.
    """

    position: dict[str, str | int]
    ask_again: str
    turn: Count
    dealer: Dealer
    knock_limit: Count
    seen: SeenCards
    play: PolicyInfo
    against: PolicyInfo
    verdict: Verdict
    actions: list[ActionValue]
    reasons: Reasons
    opponents: list[Variant]
    bonuses: list[Variant]
    scores: list[Variant]
    later_hands: LaterHands | None
    belief: HandReading
    precision: float
    is_precise: bool
    warnings: list[str]

    TABLES: ClassVar = {"actions": ActionRow, "variants": VariantRow}

    def __post_init__(self) -> None:
        super().__post_init__()
        check_once([value.action for value in self.actions], "action")
        if not any(value.finalist for value in self.actions):
            raise ValueError("no action is a finalist")

    def rows(self) -> dict[str, list[Row]]:
        """Return the rows of the tables ``actions`` and ``variants``."""
        actions: list[Row] = [
            ActionRow(
                action=value.action,
                card=value.card,
                kind=value.kind,
                deadwood=value.deadwood,
                objective=self.objective,
                figure=value.value,
                unit=self.unit,
                difference=value.difference,
                chance_best=value.chance_best,
                values={name: getattr(value.ends, name) for name in Ends.__struct_fields__},
                playouts=value.playouts,
                finalist=value.finalist,
            )
            for value in self.actions
        ]
        varied = [
            ("opponent", self.opponents, self.objective),
            ("bonuses", self.bonuses, "points"),
            ("score", self.scores, self.objective),
        ]
        variants: list[Row] = [
            VariantRow(
                varied=name,
                name=variant.name,
                answer=variant.answer,
                action=variant.action,
                card=variant.card,
                objective=objective,
                figure=variant.margin or NO_ESTIMATE,
                unit=variant.unit,
            )
            for name, variants, objective in varied
            for variant in variants
        ]
        return {"actions": actions, "variants": variants}


class PositionAdvice(Struct, kw_only=True):
    """The answer for one position of a file.

    Parameters
    ----------
    line : int
        Where the position stands in the file, from 1.
    advice : Advice
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
        Whether the interval is as narrow as it was to be.
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
