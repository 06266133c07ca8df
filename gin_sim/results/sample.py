"""How much was played: hands or games, and the units that intervals count."""

from __future__ import annotations

from msgspec import Struct

from gin_sim.results.common import Count


class Sample(Struct, frozen=True):
    """How much was played.

    Parameters
    ----------
    size : int
        Hands, or whole games.
    units : int
        What the intervals count: mirrored pairs, or hands or games where they are not mirrored.
    of_games : bool
        Whether whole games were played.
    mirrored : bool
        Whether each deal, or each game's deals, was played twice with the seats swapped.
    """

    size: Count
    units: Count
    of_games: bool
    mirrored: bool

    @property
    def noun(self) -> str:
        """What ``size`` counts: hands or games."""
        return "games" if self.of_games else "hands"
