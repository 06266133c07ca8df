"""An answer for one position as data: actions and their figures, the verdict, and how sure it is.

Nothing is played here; what the figures rest on is in :mod:`question`, what they are called on a
terminal in the report.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, NamedTuple

from gin_sim.advice.explanation import Reasons
from gin_sim.belief.likelihood import Stray
from gin_sim.belief.sampler import Agreement
from gin_sim.cards import card_name
from gin_sim.payoff.equity import Equity
from gin_sim.play.actions import DISCARD, END_NAMES, KNOCK, LAY_DOWN, LEAVE, TAKE, Action
from gin_sim.positions import History, Position
from gin_sim.stats.intervals import Estimate

if TYPE_CHECKING:
    import pandas as pd  # loaded only where a table is asked for: it takes half a second

#: Columns of the shares of ends, in the order of ``END_NAMES``.
END_COLUMNS = tuple(name.replace(" ", "_") + "_rate" for name in END_NAMES)

CLOSE = "too close to call"
KINDS = {KNOCK: "knock", LAY_DOWN: "knock", DISCARD: "play on", TAKE: "take", LEAVE: "leave"}

#: Chains disagree where the deviation between them is so many times what their worlds, were they
#: independent, would give (chains that agree pass it once in some 270 times), and the worlds tell
#: the margin no better than so many independent ones.
_TOO_FAR_APART = 1.5
_FEW_EFFECTIVE = 100


@dataclass(frozen=True)
class ActionValue:
    """What one action is worth.

    The intervals of ``difference`` hold at once for all finalists.  An action that the first
    worlds put behind the best of its kind, knocks or those that go on, or behind several others of
    it that were as good, is played no further: its value and its difference are those of that one
    and what it lacked in those worlds, and its ends are theirs.

    Parameters
    ----------
    action : Action
    deadwood : int or None
        Pips after the discard.
    value : Estimate
        In the objective's unit.
    difference : Estimate
        To the best action, in the same worlds; zero for the best itself.
    chance_best : float
        0-1: how likely it is that this finalist is the best of them; nan if it is none.
    ends : tuple of float
        How often the hand then ends in each way, ``END_NAMES``, 0-1.
    playouts : int
        Hands played for it.
    finalist : bool
        Whether it was played further than the first worlds.
    """

    action: Action
    deadwood: int | None
    value: Estimate
    difference: Estimate
    chance_best: float
    ends: tuple[float, ...]
    playouts: int
    finalist: bool


@dataclass(frozen=True)
class Verdict:
    """Which kind of action is better, and by how much.

    Parameters
    ----------
    answer : str
        ``"knock"``, ``"gin"``, ``"big gin"``, ``"play on"``, ``"take"``, ``"leave"``, ``"discard"``
        where only the card is in question, or ``"too close to call"``.
    action : Action
        The best one found.
    margin : Estimate or None
        By how much the best action beats the best of the other kind (of the other discards where
        only the card is in question); None where there is no choice.
    """

    answer: str
    action: Action
    margin: Estimate | None


class Variant(NamedTuple):
    """The verdict when one thing is otherwise: the opponent, the bonuses or the score."""

    name: str
    verdict: Verdict
    unit: str


@dataclass(frozen=True)
class Advice:
    """An answer for one position.

    Parameters
    ----------
    position : Position
    opponent, player : str
        The policy that the opponent is supposed to follow, and how the player goes on.
    objective, unit : str
    verdict : Verdict
    actions : tuple of ActionValue
        Best first.
    reasons : Reasons
    opponents, bonuses, scores : tuple of Variant
        The verdict against other policies, under other bonuses (points of the hand, from the same
        hands), and at other scores (from the same hands, where the objective is of the game).
    worlds : int
        Of the belief, in the final figures.
    agreement : Agreement
        Of the chains, on the margin (on the opponent's deadwood where there is no choice).
    chains, lost_chains : int
        Independent chains; others never found where the likely worlds are.
    stray : Stray
    seed : int
    precision : float
        What half the width of the margin's interval was to be.
    partial : bool
        Whether it was stopped before it was done.
    seconds : float
    equity : Equity or None
        The table by which the game is judged; None for points of the hand.
    """

    position: Position
    opponent: str
    player: str
    objective: str
    unit: str
    verdict: Verdict
    actions: tuple[ActionValue, ...]
    reasons: Reasons
    opponents: tuple[Variant, ...]
    bonuses: tuple[Variant, ...]
    scores: tuple[Variant, ...]
    worlds: int
    agreement: Agreement
    chains: int
    lost_chains: int
    stray: Stray
    seed: int
    precision: float
    partial: bool
    seconds: float
    equity: Equity | None = field(default=None, repr=False, compare=False)

    @property
    def is_precise(self) -> bool:
        """Whether the margin's interval is as narrow as it was to be."""
        margin = self.verdict.margin
        return margin is None or margin.half_width <= self.precision

    @property
    def knows_history(self) -> bool:
        """Whether the belief could read the opponent's acts."""
        return isinstance(self.position.past, History)

    @property
    def chains_disagree(self) -> bool:
        """Whether the chains tell such different things that the interval may be too narrow.

        Chains are lost, or between them the margin's mean deviates by more than 1.5 times what
        the worlds within them would give if they were independent, and all worlds together tell it
        no better than 100 independent ones.
        """
        apart = self.agreement.ratio > _TOO_FAR_APART and self.agreement.effective < _FEW_EFFECTIVE
        return self.lost_chains > 0 or apart

    def table(self) -> pd.DataFrame:
        """Return one row for each action, best first; values in the objective's unit."""
        import pandas as pd

        return pd.DataFrame([action_row(value) for value in self.actions])


def action_row(value: ActionValue) -> dict[str, object]:
    """Return an action's figures by column."""
    return {
        "action": action_text(value.action),
        "deadwood_pips": value.deadwood,
        "value": value.value.estimate,
        "value_low": value.value.low,
        "value_high": value.value.high,
        "difference": value.difference.estimate,
        "difference_low": value.difference.low,
        "difference_high": value.difference.high,
        "chance_best": value.chance_best,
        **dict(zip(END_COLUMNS, value.ends, strict=True)),
        "playouts": value.playouts,
        "finalist": value.finalist,
    }


def action_text(action: Action, symbols: bool = False) -> str:
    """Return an action in words: ``"knock, discard Kd"``."""
    card = card_name(action.card, symbols) if action.card >= 0 else ""
    return {
        KNOCK: f"knock, discard {card}",
        LAY_DOWN: "lay down big gin",
        DISCARD: f"play on, discard {card}",
        TAKE: "take the upcard",
        LEAVE: "leave the upcard",
    }[action.what]
