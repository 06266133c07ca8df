"""A grid of policies: a base, what of it is varied, and a policy for each combination of values.

A variation changes one number of a policy, or places of its knock table or weights.  How variations
are written is :mod:`gin_sim.policies.variations`'s.
"""

from __future__ import annotations

import dataclasses
import itertools
from collections.abc import Iterable
from dataclasses import dataclass

from gin_sim.policies.contract import Parameter, Policy, Value
from gin_sim.policies.shipped.knock_table import (
    OUT_CLASSES,
    TABLE_TURNS,
    KnockTable,
    knock_text,
    parse_knock,
)
from gin_sim.policies.specs import read_spec

#: Classes of gin outs as a position names them, and in words.
OUT_WORDS = {"0": "no gin outs", "1-2": "1-2 gin outs", "3+": "3 or more gin outs"}


@dataclass(frozen=True)
class Variation:
    """A parameter, or a place of it, and the values that it takes one after another.

    Parameters
    ----------
    parameter : Parameter
    position : str
        ``"5"``, ``"5-8:1-2"`` or a bucket's name such as ``"3-4"``; empty for all of it.
    places : frozenset of int
        What is set: cells of the knock table, 3 * (own turn - 1) + class of gin outs; or buckets of
        own turns; or 0 alone for a number.
    values : tuple of int, float or str
        Whole numbers as int, others as float; a knock table or a cell of it as an int where that
        says it, else as the shortest text.
    """

    parameter: Parameter
    position: str
    places: frozenset[int]
    values: tuple[int | float | str, ...]

    @property
    def name(self) -> str:
        """What is varied, as it was asked for: "knock", "knock@5", "pips@3-4"."""
        return name_of(self.parameter, self.position)

    @property
    def unit(self) -> str:
        """The unit of the values."""
        return self.parameter.unit

    @property
    def meaning(self) -> str:
        """What the values mean, with the place in words; empty if a user's file says nothing."""
        knock = isinstance(self.parameter, KnockTable)
        meaning = self.parameter.meaning
        if knock and all(isinstance(value, int) for value in self.values):
            meaning = "greatest deadwood to knock with"
        elif knock and self.position:
            meaning = "deadwood to knock with"
        if not self.position:
            return meaning
        turns, _, outs = self.position.partition(":")
        return ", ".join([meaning, _turn_words(turns, knock), *([OUT_WORDS[outs]] if outs else [])])

    def text(self, value: int | float | str) -> str:
        """Return one of the values as tables and specs show it."""
        return value if isinstance(value, str) else Parameter.text(self.parameter, value)

    def applied(self, old: Value, value: int | float | str) -> Value:
        """Return the parameter's value with the places set to one of the values."""
        if isinstance(self.parameter, KnockTable):
            return _with_cells(old, self.places, str(value))
        if isinstance(old, tuple):
            return tuple(
                float(value) if bucket in self.places else number
                for bucket, number in enumerate(old)
            )
        return float(value)


@dataclass(frozen=True)
class Grid:
    """Policies that differ from a base in one or two variations.

    Parameters
    ----------
    base : Policy
    variations : tuple of Variation
        One or two.
    policies : tuple of Policy
        One for each combination of values, the second variation's fastest.
    """

    base: Policy
    variations: tuple[Variation, ...]
    policies: tuple[Policy, ...]

    @property
    def shape(self) -> tuple[int, ...]:
        """How many values each variation has."""
        return tuple(len(variation.values) for variation in self.variations)

    def values_of(self, cell: int) -> tuple[int | float | str, ...]:
        """Return the values, one for each variation, of a policy by its number from 0."""
        values = []
        for variation in reversed(self.variations):
            cell, place = divmod(cell, len(variation.values))
            values.append(variation.values[place])
        return tuple(reversed(values))


def grid_of(base: Policy, variations: tuple[Variation, ...]) -> Grid:
    """Return the policies of a base in which one or two things are varied.

    Each policy's ``spec`` is read back to the same policy.
    """
    cells = itertools.product(*(variation.values for variation in variations))
    return Grid(base, variations, tuple(_policy(base, variations, values) for values in cells))


def name_of(parameter: Parameter, position: str) -> str:
    """Return what is varied as it is written: "knock", "knock@5"."""
    return f"{parameter.name}@{position}" if position else parameter.name


def _turn_words(turns: str, knock: bool) -> str:
    """Return a place's own turns in words: "own turn 5", "own turns 5-8", "own turn 10 on"."""
    first, _, last = turns.rstrip("+").partition("-")
    if turns.endswith("+") or (knock and int(last or first) == TABLE_TURNS):
        return f"own turn {first} on"
    return f"own turns {turns}" if last else f"own turn {turns}"


def _policy(
    base: Policy, variations: Iterable[Variation], values: Iterable[int | float | str]
) -> Policy:
    """Return the base with other numbers: nothing is read or compiled again."""
    changed = dict(base.values)
    texts = {}
    for variation, value in zip(variations, values, strict=True):
        parameter = variation.parameter
        changed[parameter.name] = variation.applied(changed[parameter.name], value)
        texts[parameter.name] = parameter.text(changed[parameter.name])
    return dataclasses.replace(base, spec=read_spec(base.spec).changed(texts), values=changed)


def _with_cells(table: str, places: frozenset[int], value: str) -> str:
    """Return a knock table with some cells set to those of another: a cell, or a whole table."""
    cells = parse_knock(table, "a policy").reshape(-1)
    chosen = sorted(places)
    cells[chosen] = parse_knock(value, "a policy").reshape(-1)[chosen]
    return knock_text(cells.reshape(TABLE_TURNS, OUT_CLASSES))
