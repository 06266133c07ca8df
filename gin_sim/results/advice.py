"""Advice on one position: every action's value with its interval, the verdict, and why.

What the figures rest on is decided in :mod:`gin_sim.advice`.
"""

from __future__ import annotations

from typing import ClassVar, Literal

from msgspec import Struct

from gin_sim.results.actions import ActionRow, ActionValue, Ends, Variant, VariantRow, Verdict
from gin_sim.results.belief import HandReading
from gin_sim.results.common import (
    NO_ESTIMATE,
    Count,
    Estimate,
    OfAnObjective,
    PolicyInfo,
    Row,
    Share,
    check_once,
)
from gin_sim.results.score import LaterHands

Dealer = Literal["me", "opponent"]


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
        As two characters, such as Kd.
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
        What the player has seen of the hand.
    play, against : PolicyInfo
        How the player plays after the action, and the policy that the opponent is supposed to
        follow.
    verdict : Verdict
        Which kind of action is better, and by how much.
    actions : list of ActionValue
        Every legal action, the best first.
    reasons : Reasons
        What the verdict comes from: the opponent's likely hand, and what a knock would meet.
    opponents : list of Variant
        The verdict against other policies.
    bonuses : list of Variant
        The verdict in points under other bonuses, from the same hands.
    scores : list of Variant
        The verdict at other scores, from the same hands; empty for the points of a hand.
    later_hands : LaterHands or None
        None for the points of a hand.
    belief : HandReading
        What the opponent's hands were drawn by, and how good that sample is.
    precision : float
        Half the width of the margin's interval that was asked for, in the unit of the result.
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
