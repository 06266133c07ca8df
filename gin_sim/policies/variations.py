"""What a sweep varies, as text: one or two numbers of a policy, or places of its table or weights.

A text such as ``knock@5=0:10`` and a base policy become values, and a grid of policies that differ
from the base in nothing else.  How the policies play, and what is made of it, is not known here.
"""

from __future__ import annotations

import dataclasses
import itertools
import math
import re
from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction

from gin_sim.errors import InputError
from gin_sim.policies.catalogue import parse_policy
from gin_sim.policies.contract import (
    BUCKET_NAMES,
    N_BUCKETS,
    Parameter,
    Policy,
    PolicyError,
)
from gin_sim.policies.grid import OUT_WORDS, Grid, Variation, grid_of, name_of
from gin_sim.policies.shipped.knock_table import (
    OUT_CLASSES,
    TABLE_TURNS,
    KnockTable,
)
from gin_sim.policies.specs import read_spec, unknown_parameter
from gin_sim.words import listed

#: Cells of a grid unless more are allowed: 21 values by 21.
MAX_CELLS = 441
#: Two variations make a table; more would make none that can be read.
MAX_VARIATIONS = 2

_TURNS = re.compile(r"(?P<first>\d{1,2})(?:-(?P<last>\d{1,2}))?(?::(?P<outs>.+))?", re.ASCII)
_NUMBER = re.compile(r"[+-]?(\d+\.?\d*|\.\d+)([eE][+-]?\d+)?", re.ASCII)
_MOST_DIGITS = 400  # a number written longer is a mistake, and slow to read exactly
_MOST_COUNTED = 10**15  # counts beyond are not written out


def parse_grid(given: str | Policy, texts: Sequence[str], max_cells: int = MAX_CELLS) -> Grid:
    """Read what a sweep varies and make its policies.

    Parameters
    ----------
    given : str or Policy
        Any policy or its spec; its own settings stay where nothing is varied.
    texts : sequence of str
        One or two; see :func:`parse_variation`.
    max_cells : int
        Most policies that the grid may have.

    Returns
    -------
    Grid
        Each policy's ``spec`` is read back to the same policy.

    Raises
    ------
    PolicyError
        If the base or one of its parameters does not exist, or a value is out of range.
    InputError
        If the values or their place cannot be read, two variations set the same, or there are too
        many.
    """
    base = given if isinstance(given, Policy) else parse_policy(given)
    if not texts:
        raise InputError(
            f"nothing is varied: name a parameter of {_label(base)} and its values, such as "
            "--param knock=0:10."
        )
    if len(texts) > MAX_VARIATIONS:
        raise InputError(
            f"{len(texts)} parameters are varied at once: give at most {MAX_VARIATIONS} --param, "
            "and set others in the policy's spec."
        )
    return grid_of(base, _variations(texts, base, max_cells))


def parse_variation(text: str, base: Policy, max_values: int = MAX_CELLS) -> Variation:
    """Read a parameter of a base and the values that it is to take.

    Parameters
    ----------
    text : str
        ``NAME[@POSITION]=VALUES``.  VALUES is a range with both ends, ``0:10``, one with a step,
        ``-5:5:0.5``, which ends early if the step does not hit its end, or a list, ``2,5,10``; for
        a knock table also of texts, ``10,6-10,10/10/10/0``.  POSITION is an own turn of the knock
        table, 1 to 20, the last for 20 and later, or a range ``5-8``, and a class of gin outs
        after a colon, if wanted: ``5:0``, ``5:1-2``, ``5:3+``; or, for a weight, the name of a
        bucket of own turns.
    base : Policy
    max_values : int
        Most values.

    Raises
    ------
    PolicyError
        If there is no such parameter or a value is out of its range.
    InputError
        If the values or their place cannot be read, or there are too many.
    """
    return _variations([text], base, max_values)[0]


# ---------------------------------------------------------------------------------------------
# Reading


@dataclass(frozen=True)
class _Steps:
    """Exact numbers: the least, and others at equal steps from it."""

    low: Fraction
    step: Fraction
    count: int

    def number(self, i: int) -> Fraction:
        return self.low + i * self.step


@dataclass(frozen=True)
class _Asked:
    """A variation whose values are counted but not yet made."""

    text: str
    label: str
    parameter: Parameter
    position: str
    places: frozenset[int]
    steps: _Steps | tuple[str, ...]

    @property
    def name(self) -> str:
        return name_of(self.parameter, self.position)

    @property
    def count(self) -> int:
        return self.steps.count if isinstance(self.steps, _Steps) else len(self.steps)

    def variation(self) -> Variation:
        if isinstance(self.steps, _Steps):
            numbers = map(self.steps.number, range(self.steps.count))
            values = [int(n) if self.parameter.whole else float(n) for n in numbers]
        else:
            values = [self._value(item) for item in self.steps]
        variation = Variation(self.parameter, self.position, self.places, tuple(values))
        seen = set()
        for value in values:
            if value in seen:
                shown = variation.text(value)
                raise InputError(f"'{self.text}' gives the value {shown} twice: give it once.")
            seen.add(value)
        return variation

    def _value(self, item: str) -> int | float | str:
        """Read one of a list's values."""
        if not item:
            raise InputError(
                f"'{self.text}' leaves out a value: write values separated by single commas, such "
                f"as {self.name}=2,5,10."
            )
        if not isinstance(self.parameter, KnockTable):
            return self.checked(_number(item, self.text), item)
        if self.position and not {"/", "|"}.isdisjoint(item):
            raise InputError(
                f"'{self.text}' gives {item} for one place of the knock table: a place takes one "
                "cell, a greatest deadwood like 5 or a range like 6-10."
            )
        table = self.parameter.read(self.label, item)
        return int(table) if table.isdecimal() else table

    def checked(self, number: Fraction, text: str) -> int | float:
        """Return a number as the parameter takes it; an error if it is out of its range."""
        parameter = self.parameter
        fraction = parameter.whole and number.denominator > 1
        if fraction or not parameter.low <= number <= parameter.high:
            if parameter.by_bucket or isinstance(parameter, KnockTable):
                kind = "a whole number" if parameter.whole else "a number"
                words = f"{kind} from {parameter.low:g} to {parameter.high:g} ({parameter.unit})"
            else:
                words = parameter.range_words()
            raise PolicyError(
                f"'{self.text}' gives {self.label}'s {parameter.name} the value {text}: it is "
                f"{words}."
            )
        return int(number) if parameter.whole else float(number)


def _variations(texts: Sequence[str], base: Policy, max_cells: int) -> tuple[Variation, ...]:
    asked = [_read(text, base) for text in texts]
    for first, second in itertools.combinations(asked, 2):
        _check_overlap(first, second)
    cells = math.prod(one.count for one in asked)
    if cells > max_cells:
        n_cells = f"{cells:,}" if cells <= _MOST_COUNTED else f"more than {_MOST_COUNTED:,}"
        given = " ".join(f"--param {one.text}" for one in asked)
        raise InputError(
            f"{given} makes {n_cells} cells; at most {max_cells:,}: narrow the ranges, use a "
            "larger step, or raise --max-cells."
        )
    return tuple(one.variation() for one in asked)


def _check_overlap(first: _Asked, second: _Asked) -> None:
    if first.parameter.name != second.parameter.name or first.places.isdisjoint(second.places):
        return
    if first.places == second.places:
        raise InputError(f"{first.name} is varied twice: give it in one --param.")
    raise InputError(
        f"{first.name} and {second.name} would set the same part of {first.parameter.name}: vary "
        "one of them, or places that do not overlap."
    )


def _read(text: str, base: Policy) -> _Asked:
    text = text.strip()
    label = _label(base)
    target, equals, values = (part.strip() for part in text.partition("="))
    name, at, position = (part.strip() for part in target.partition("@"))
    known = {parameter.name: parameter for parameter in base.kind.parameters}
    if not name:
        raise InputError(f"'{text}' names no parameter: write one and its values, like knock=0:10.")
    if not known:
        raise PolicyError(f"{label} has no parameter that could be varied: sweep another policy.")
    if name not in known:
        raise unknown_parameter(label, name, known, label)
    parameter = known[name]
    if at:
        position, places = _position(target, parameter, position, label)
    else:
        places = _all_places(parameter)
    asked = _Asked(text, label, parameter, position, places, ())
    if not equals or not values:
        raise InputError(
            f"'{text}' gives no values: write {asked.name}= and a range such as 0:10, or values "
            "separated by commas."
        )
    if ":" in values:
        return dataclasses.replace(asked, steps=_steps(asked, values))
    return dataclasses.replace(asked, steps=tuple(item.strip() for item in values.split(",")))


def _steps(asked: _Asked, values: str) -> _Steps:
    text, name = asked.text, asked.parameter.name
    parts = [part.strip() for part in values.split(":")]
    if len(parts) > 3 or "," in values or not all(parts):
        raise InputError(
            f"'{text}' is not a range: write {asked.name}=LOW:HIGH or {asked.name}=LOW:HIGH:STEP, "
            "or values separated by commas."
        )
    numbers = [_number(part, text) for part in parts]
    if asked.parameter.whole:
        for part, number in zip(parts, numbers, strict=True):
            if number.denominator > 1:
                raise InputError(f"'{text}' names {part}: {name} takes whole numbers only.")
    low, high, step = numbers if len(numbers) == 3 else (*numbers, Fraction(1))
    if step <= 0:
        raise InputError(f"'{text}' has the step {parts[2]}: a step is greater than 0.")
    if high < low:
        backwards = ":".join([parts[1], parts[0], *parts[2:]])
        raise InputError(
            f"'{text}' goes down from {parts[0]} to {parts[1]}: write {asked.name}={backwards}."
        )
    asked.checked(low, parts[0])
    asked.checked(high, parts[1])
    return _Steps(low, step, int((high - low) // step) + 1)


def _number(part: str, text: str) -> Fraction:
    """Read a number exactly as it is written; one that is 0 as a float is 0."""
    if len(part) > _MOST_DIGITS or not _NUMBER.fullmatch(part):
        raise InputError(
            f"'{part[:40]}' in '{text[:100]}' is not a number: write one like 5 or -0.5."
        )
    near = float(part)
    if math.isinf(near):
        raise InputError(f"'{part}' in '{text}' is too large: numbers go up to about 1.8e308.")
    return Fraction(part) if near else Fraction(0)


def _position(
    target: str, parameter: Parameter, position: str, label: str
) -> tuple[str, frozenset[int]]:
    if isinstance(parameter, KnockTable):
        return _table_position(target, position)
    if not parameter.by_bucket:
        raise InputError(
            f"'{target}' names a place, but {label}'s {parameter.name} is one number: write "
            f"{parameter.name} alone."
        )
    if position not in BUCKET_NAMES:
        raise InputError(
            f"'{target}' names no bucket of own turns: after @ stands {listed(BUCKET_NAMES)}."
        )
    return position, frozenset([BUCKET_NAMES.index(position)])


def _table_position(target: str, position: str) -> tuple[str, frozenset[int]]:
    found = _TURNS.fullmatch(position)
    first = int(found["first"]) if found else 0
    last = int(found["last"] or first) if found else 0
    outs = found["outs"] if found else None
    if not 1 <= first <= last <= TABLE_TURNS or outs not in (None, *OUT_WORDS):
        raise InputError(
            f"'{target}' names no place of the knock table: after @ stands an own turn from 1 to "
            f"{TABLE_TURNS}, the last for {TABLE_TURNS} and later, or a range like 5-8, and after "
            f"a colon, if wanted, a class of gin outs: {listed(OUT_WORDS)}."
        )
    classes = range(OUT_CLASSES) if outs is None else [list(OUT_WORDS).index(outs)]
    turns = range(first - 1, last)
    name = f"{first}" if first == last else f"{first}-{last}"
    return f"{name}:{outs}" if outs else name, frozenset(
        OUT_CLASSES * turn + out_class for turn in turns for out_class in classes
    )


def _all_places(parameter: Parameter) -> frozenset[int]:
    if isinstance(parameter, KnockTable):
        return frozenset(range(TABLE_TURNS * OUT_CLASSES))
    return frozenset(range(N_BUCKETS if parameter.by_bucket else 1))


def _label(policy: Policy) -> str:
    return read_spec(policy.spec).label
