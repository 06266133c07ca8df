"""A number of a policy that is varied, and the values that it takes."""

from __future__ import annotations

import math

from msgspec import Struct

from gin_sim.results.common import Value


class Parameter(Struct, frozen=True):
    """What is varied, and the values that were tried.

    Parameters
    ----------
    name : str
        As ``--param`` names it: ``knock``, ``knock@5``, ``pips@3-4``.
    unit : str
        Of the values; empty if they have none.
    meaning : str
        In words; empty if a policy's file says nothing.
    values : list
        In the order in which they were given: numbers, or knock tables as text.
    """

    name: str
    unit: str
    meaning: str
    values: list[Value]

    def __post_init__(self) -> None:
        if not self.values:
            raise ValueError(f"no value of '{self.name}' was tried")
        if not all(math.isfinite(value) for value in self.values if not isinstance(value, str)):
            raise ValueError("numbers are finite, or null where there is none")

    @property
    def is_numeric(self) -> bool:
        """Whether every value is a number, so that it has a place on a scale."""
        return all(isinstance(v, int | float) and not isinstance(v, bool) for v in self.values)

    @property
    def label(self) -> str:
        """The name with the unit, for an axis."""
        return f"{self.name}, {self.unit}" if self.unit else self.name

    def tidy(self, value: Value) -> Value:
        """Return a value as text where its column would mix numbers and text."""
        return value if self.is_numeric else str(value)
