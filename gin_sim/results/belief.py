"""What an answer by hand reading rests on: how often an opponent deviates, and how far the sampled
deals can be trusted."""

from __future__ import annotations

from typing import Literal

from msgspec import Struct

from gin_sim.results.common import Count, Share


class DeviationRates(Struct, frozen=True):
    """How often an opponent is assumed to deviate from the policy that it should follow.

    Parameters
    ----------
    take : float
        Chance that it answers the upcard the other way, 0-1.
    discard : float
        Chance that it discards any card that may be discarded, 0-1.
    knock : float
        Chance that it answers the other way whether to knock, 0-1.
    """

    take: Share
    discard: Share
    knock: Share


class HandReading(Struct, kw_only=True, frozen=True):
    """How the opponent's hidden cards were drawn, and how far that can be trusted.

    Parameters
    ----------
    source : str
        ``history``, where the opponent's acts are known; else ``learned weights``, by which hands
        are as common as they were in hands that the policy played.
    deviation : DeviationRates
        Plays no part for ``learned weights``.
    worlds : int
        Sampled deals in the final figures.
    effective_worlds : float
        How many independent deals would estimate the margin as well.
    chains : int
        Independent chains that the deals are drawn by.
    unconverged_chains : int
        Chains left out, since they did not find where the likely hands are.
    chains_disagree : bool
        Whether the chains differ so much that the intervals may be too narrow.
    """

    source: Literal["history", "learned weights"]
    deviation: DeviationRates
    worlds: Count
    effective_worlds: float
    chains: Count
    unconverged_chains: Count
    chains_disagree: bool
