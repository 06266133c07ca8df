"""What the analyses of hands and of games share: sizes as text, and figures as a table."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable
from typing import TYPE_CHECKING

from gin_sim.stats.intervals import Estimate

if TYPE_CHECKING:
    import pandas as pd  # loaded only where a table is asked for: it takes half a second


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


def told_apart(specs: list[str]) -> list[str]:
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


def figures_table(
    sides: Iterable[tuple[str, dict[str, Estimate]]], unit_of: Callable[[str], str]
) -> pd.DataFrame:
    """Return one row for each side and figure: estimate, low, high and unit.

    Parameters
    ----------
    sides : iterable of (policy spec, figures by name)
    unit_of : callable
        From a figure's name to its unit.
    """
    import pandas as pd

    rows = [
        {
            "side": number,
            "policy": spec,
            "figure": name,
            "unit": unit_of(name),
            "estimate": figure.estimate,
            "low_95": figure.low,
            "high_95": figure.high,
        }
        for number, (spec, figures) in enumerate(sides)
        for name, figure in figures.items()
    ]
    return pd.DataFrame(rows)
