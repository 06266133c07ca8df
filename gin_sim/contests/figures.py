"""What the verdicts on hands and on games share: sizes and sides as text."""

from __future__ import annotations

import math

from gin_sim.results.common import Estimate


def decimals_for(size: float, at_least: int) -> int:
    """Return the decimals that show a positive size with a figure other than 0, at most 6."""
    if not 0 < size < 1:
        return at_least
    return min(6, max(at_least, -math.floor(math.log10(size))))


def size_text(difference: Estimate) -> str:
    """Return a difference that is not 0 without its sign: "0.60 [0.57, 0.62]"."""
    low, high = sorted((abs(difference.low), abs(difference.high)))
    decimals = decimals_for(low, decimals_for(difference.half_width, 2))
    return f"{abs(difference.estimate):.{decimals}f} [{low:.{decimals}f}, {high:.{decimals}f}]"


def numbered(specs: list[str]) -> list[str]:
    """Return what a sentence calls the sides: their specs, numbered where both are the same."""
    if specs[0] != specs[1]:
        return specs
    return [f"{specs[0]} (first)", f"{specs[1]} (second)"]


def none_by_design(specs: list[str], mirrored: bool, measure: str) -> str:
    """Return the sentence for a policy against itself in mirrored seats; empty for others."""
    if specs[0] != specs[1] or not mirrored:
        return ""
    return (
        f"No difference in {measure} is found: both sides are the same policy, and in mirrored "
        "seats there can be none."
    )
