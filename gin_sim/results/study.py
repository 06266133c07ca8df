"""What results of many meetings have in common: policies that met on the same deals."""

from __future__ import annotations

from gin_sim.results.common import Count, Estimate, OfAnObjective
from gin_sim.results.sample import Sample
from gin_sim.results.stopping import Stopping


class Study(OfAnObjective, kw_only=True):
    """Many meetings on the same deals, judged by one objective.

    Parameters
    ----------
    hands, games : int or None
        What each meeting played: hands, or whole games; the other is None.
    units : int
        What the intervals count: mirrored pairs, or hands or games where they are not mirrored.
    mirrored : bool
        Whether each deal, or each game's deals, was played twice with the seats swapped.
    one_pass : bool
        Whether each deal was walked once for all knock rules; the figures are the same.
    hands_played : int
        Hands played, or walked, in all meetings.
    correction : str
        What the intervals hold for at once, and how that is seen to.
    stopping : UntilWidth, LeadTest or None
        The stopping rule, where there was one.
    verdict : str
        What is found, in words.
    """

    hands: Count | None
    games: Count | None
    units: Count
    mirrored: bool
    one_pass: bool
    hands_played: Count
    correction: str
    stopping: Stopping | None
    verdict: str

    def __post_init__(self) -> None:
        super().__post_init__()
        if (self.hands is None) == (self.games is None):
            raise ValueError("a meeting has hands, or else games")

    @property
    def sample(self) -> Sample:
        """How much each meeting played."""
        size = self.hands if self.games is None else self.games
        return Sample(size or 0, self.units, self.games is not None, self.mirrored)

    @property
    def is_cut(self) -> bool:
        """Whether the charts rest on less than was asked for, because it was stopped."""
        return self.partial

    def shown(self, figure: Estimate) -> Estimate:
        """Return a figure in the unit that people read: shares in percent."""
        return figure.scaled(self.shown_unit.scale)
