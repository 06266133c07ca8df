"""By what a knock rule may differ, and paths in those terms.

A rule is a table of cells: own turn, one class of what the mover sees, and deadwood.  How a rule is
chosen is not known here.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from gin_sim.errors import InputError
from gin_sim.knock.induction import PathArrays
from gin_sim.knock.tracing import Traced
from gin_sim.payoff.payoff import PriceTable
from gin_sim.policies.shipped.knock_table import MAX_TABLE_DEADWOOD, TABLE_TURNS
from gin_sim.rules import Rules

_MOST_BY_UPCARD = 10  # the value of a ten or a face card


@dataclass(frozen=True)
class Classes:
    """A class of what the mover sees, by which a rule may differ.

    Parameters
    ----------
    name, meaning : str
    names : tuple of str
        Of the classes.
    bounds : tuple of int
        First number of each class but the first; none for one class.
    field : str
        Of a traced knock; empty for no class.
    """

    name: str
    meaning: str
    names: tuple[str, ...] = ("all",)
    bounds: tuple[int, ...] = ()
    field: str = ""

    def of(self, knocks: np.ndarray) -> np.ndarray:
        """Return the class of each traced knock."""
        if not self.field:
            return np.zeros(len(knocks), np.int64)
        return np.searchsorted(np.array(self.bounds), knocks[self.field], side="right")


CLASSES = {
    each.name: each
    for each in (
        Classes("outs", "cards that would give gin", ("0", "1-2", "3+"), (1, 3), "outs"),
        Classes("none", "own turn and deadwood alone"),
        Classes("takes", "cards the opponent took", ("0", "1", "2", "3+"), (1, 2, 3), "takes"),
        Classes("loose", "loose cards", ("1", "2", "3", "4+"), (2, 3, 4), "loose"),
        Classes(
            "lower", "cards that would lower the deadwood", ("0-3", "4-8", "9+"), (4, 9), "lower"
        ),
    )
}


class Cells:
    """The cells of a rule: own turn, class and deadwood."""

    def __init__(self, classes: Classes, knock_limit: int) -> None:
        self.classes = classes
        self.shape = (TABLE_TURNS, len(classes.names), knock_limit + 1)

    @property
    def n(self) -> int:
        """How many there are."""
        return math.prod(self.shape)

    def of(self, knocks: np.ndarray) -> np.ndarray:
        """Return the cell of each traced knock, int32."""
        turn = np.minimum(knocks["turn"], TABLE_TURNS).astype(np.int64) - 1
        place = (turn * self.shape[1] + self.classes.of(knocks)) * self.shape[2]
        return (place + knocks["deadwood"]).astype(np.int32)


def paths_of(traced: Traced, cells: Cells, prices: PriceTable) -> PathArrays:
    """Return the paths of a trace."""
    knocks = traced.knocks
    return PathArrays(
        traced.starts,
        np.ascontiguousarray(knocks["side"]),
        np.ascontiguousarray(knocks["turn"]),
        cells.of(knocks),
        prices.of_knocks(knocks),
        prices.of_ends(traced.ends),
    )


def some_paths(paths: PathArrays, wanted: np.ndarray) -> PathArrays:
    """Return the paths of a mask."""
    counts = np.diff(paths.starts)
    kept = np.repeat(wanted, counts)
    starts = np.concatenate([[0], np.cumsum(counts[wanted])]).astype(np.int64)
    return PathArrays(
        starts,
        paths.sides[kept],
        paths.turns[kept],
        paths.cells[kept],
        paths.values[kept],
        paths.ends[wanted],
    )


def knock_limit_of(rules: Rules) -> int:
    """Return the greatest deadwood that the rules ever allow a knock with.

    Raises
    ------
    InputError
        If that is gin alone, or beyond what a knock table knows.
    """
    limit = _MOST_BY_UPCARD if rules.knock_source == "upcard" else rules.knock_limit
    if limit < 1:
        raise InputError(
            f"{rules.name} rules allow only gin, so there is no knock to solve for: give rules "
            "with a knock_limit of 1 or more."
        )
    if limit > MAX_TABLE_DEADWOOD:
        raise InputError(
            f"{rules.name} rules allow a knock with up to {limit} pips, and a knock table goes up "
            f"to {MAX_TABLE_DEADWOOD}: lower knock_limit."
        )
    return limit
