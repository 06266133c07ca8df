"""What a knock rule by regression looks at: numbers of a traced knock that its mover sees.

A feature is known to the mover; the opponent's deadwood is in a trace and never used here.
"""

from __future__ import annotations

import itertools
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from gin_sim.errors import InputError

#: Fields of a traced knock that features are made of, all seen by the mover.
SOURCES = ("deadwood", "outs", "lower", "loose", "takes", "stock_left", "layoff")

_LAYOFF_STEPS = 16  # a sixteenth of a pip: sums of products are then exact in float64
_PIECE = 64 * 128  # rows that are filled at a time

_INDICATORS: tuple[tuple[str, tuple[str, ...], Callable], ...] = (
    ("no outs", ("outs",), lambda of: of["outs"] == 0),
    ("3+ outs", ("outs",), lambda of: of["outs"] >= 3),
    ("deadwood, no outs", ("deadwood", "outs"), lambda of: of["deadwood"] * (of["outs"] == 0)),
    ("deadwood, 3+ outs", ("deadwood", "outs"), lambda of: of["deadwood"] * (of["outs"] >= 3)),
    ("1 loose", ("loose",), lambda of: of["loose"] == 1),
    ("2 loose", ("loose",), lambda of: of["loose"] == 2),
    ("no takes", ("takes",), lambda of: of["takes"] == 0),
    ("none lower", ("lower",), lambda of: of["lower"] == 0),
)


@dataclass(frozen=True)
class Features:
    """What a rule looks at: its sources, their squares and products, and a few indicators.

    Parameters
    ----------
    sources : tuple of str
        From SOURCES.
    """

    sources: tuple[str, ...] = SOURCES

    def __post_init__(self) -> None:
        unknown = [name for name in self.sources if name not in SOURCES]
        if unknown or not self.sources:
            raise InputError(
                f"a knock rule cannot look at '{', '.join(unknown)}': choose from "
                f"{', '.join(SOURCES)}."
            )

    @property
    def names(self) -> tuple[str, ...]:
        """Of the columns: a constant, the own turn and the sources first."""
        return (
            "constant",
            "turn",
            *self.sources,
            *(f"{a} x {b}" if a != b else f"{a} squared" for a, b in self._pairs),
            *(name for name, _, _ in self._indicators),
        )

    @property
    def n_linear(self) -> int:
        """Columns before squares, products and indicators."""
        return 2 + len(self.sources)

    @property
    def _pairs(self) -> list[tuple[str, str]]:
        return list(itertools.combinations_with_replacement(self.sources, 2))

    @property
    def _indicators(self) -> list:
        return [each for each in _INDICATORS if set(each[1]) <= set(self.sources)]

    def of(self, knocks: np.ndarray) -> np.ndarray:
        """Return the features of traced knocks, float32, shape (knocks, names); all exact."""
        columns = np.empty((len(knocks), len(self.names)), np.float32)
        seen = {name: knocks[name].astype(np.float32) for name in ("turn", *self.sources)}
        if "layoff" in seen:
            seen["layoff"] = np.rint(seen["layoff"] * _LAYOFF_STEPS) / np.float32(_LAYOFF_STEPS)
        # Column by column in a piece that stays near the core, then turned.
        room = np.empty((len(self.names), _PIECE), np.float32)
        room[0] = 1.0
        for first in range(0, len(knocks), _PIECE):
            of = {name: column[first : first + _PIECE] for name, column in seen.items()}
            count = len(of["turn"])
            piece = room[:, :count]
            for place, name in enumerate(of, 1):
                piece[place] = of[name]
            place = self.n_linear
            for one, other in self._pairs:
                np.multiply(of[one], of[other], out=piece[place])
                place += 1
            for _, _, indicator in self._indicators:
                piece[place] = indicator(of)
                place += 1
            columns[first : first + count] = piece.T
        return columns
