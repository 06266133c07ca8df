"""The score of a game as results give it, and the hands that the rest of the game follows from."""

from __future__ import annotations

from typing import Any, Literal

from msgspec import Struct

from gin_sim.results.common import Count, Row
from gin_sim.words import counted

#: Who deals the hand: the player, the opponent, or either by turns.
Dealer = Literal["me", "opponent", "either"]


class LaterHands(Struct, kw_only=True, frozen=True):
    """The hands that were counted to find what the rest of the game is worth.

    Parameters
    ----------
    play, against : str
        The policies that play the later hands, as specs.
    hands : int
        Hands counted, in mirrored pairs; at each of some scores if a policy reads the score.
    scores : int
        At how many scores they were counted.
    seed : int
        Of those hands.
    partial : bool
        Whether fewer were counted than was asked for.
    """

    play: str
    against: str
    hands: Count
    scores: Count
    seed: int
    partial: bool


class Score(Struct, kw_only=True):
    """The score at which a hand is judged by its game.

    Parameters
    ----------
    mine, theirs : int
        Points that count towards the target, the player's and the opponent's.
    box_difference : int
        Hands won by the player less hands won by the opponent; 0 where boxes do not matter.
    boxes_matter : bool
        Whether the box difference changes what the game is worth under the rules.
    dealer : {"me", "opponent", "either"}
        Who deals the hand.
    later_hands : LaterHands
        What the rest of the game follows from.
    """

    mine: Count
    theirs: Count
    box_difference: int
    boxes_matter: bool
    dealer: Dealer
    later_hands: LaterHands

    @property
    def words(self) -> str:
        """The score as it is read: "45-20, 1 box ahead, the opponent deals"."""
        words = [f"{self.mine}-{self.theirs}"]
        if self.boxes_matter and (self.mine or self.theirs):
            words.append(boxes_words(self.box_difference))
        if self.dealer != "either":
            words.append("the player deals" if self.dealer == "me" else "the opponent deals")
        return ", ".join(words)


def boxes_words(difference: int) -> str:
    """Return a box difference in words: "1 box behind"."""
    if difference == 0:
        return "level boxes"
    many = counted(abs(difference), "box", "boxes")
    return f"{many} {'ahead' if difference > 0 else 'behind'}"


class ScoreRow(Row, kw_only=True):
    """The columns that say at which score a row is; all empty where no score matters.

    Parameters
    ----------
    play_points, against_points : int or None
        Points that count towards the target, the player's and the opponent's; empty without a
        score.
    box_difference : int or None
        Hands won by the player less hands won by the opponent; empty without a score.
    dealer : {"me", "opponent", "either"} or None
        Who deals the hand; empty without a score.
    """

    play_points: int | None = None
    against_points: int | None = None
    box_difference: int | None = None
    dealer: str | None = None


def score_columns(score: Score | None) -> dict[str, Any]:
    """Return a score as the fields of a ScoreRow; none for no score."""
    if score is None:
        return {}
    return {
        "play_points": score.mine,
        "against_points": score.theirs,
        "box_difference": score.box_difference,
        "dealer": score.dealer,
    }
