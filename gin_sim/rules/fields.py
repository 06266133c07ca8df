"""The kinds of rule field: what values one takes, and as which numbers the engine has it.

A field is described once, where :class:`gin_sim.rules.Rules` declares it.  Its checks, the engine's
numbers, ``gin-sim rules show`` and the documents all read that description.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from gin_sim.errors import InputError
from gin_sim.words import listed

_WORDS = {"yes": True, "true": True, "1": True, "no": False, "false": False, "0": False}


class RulesError(InputError):
    """A rule set that does not exist or cannot be played; the message is a sentence."""


@dataclass(frozen=True)
class RuleField:
    """What one field of a rule set says.

    Parameters
    ----------
    meaning : str
        For a player, in a line.
    more : str
        What the documents add, in sentences; empty for nothing.
    of_games : bool
        Whether the field matters to whole games only, not to a single hand.
    name : str
        The field's own; it is known once the rule set is declared.
    default : object
        The value in the ``standard`` game.
    """

    meaning: str
    more: str = ""
    of_games: bool = False
    name: str = ""
    default: Any = None

    @property
    def values(self) -> str:
        """What the field can be, in words: "a whole number from 0 to 98"."""
        raise NotImplementedError

    @property
    def numbers(self) -> tuple[str, ...]:
        """The names of the engine's numbers."""
        return (self.name,)

    def allows(self, value: Any) -> bool:
        """Return whether the field can have a value."""
        raise NotImplementedError

    def read(self, text: str) -> Any:
        """Return the value that a text means; what it cannot read is refused as it is."""
        return text

    def as_numbers(self, rules: Any) -> tuple[int, ...]:
        """Return the engine's numbers under a rule set, one for each name."""
        return (int(getattr(rules, self.name)),)

    def check(self, value: Any) -> None:
        """Raise :class:`RulesError` for a value that the field cannot have."""
        if not self.allows(value):
            raise RulesError(
                f"the rule {self.name} is {self._quoted(value)}: it can be {self.values}."
            )

    def text(self, value: Any) -> str:
        """Return a value as people read it."""
        return str(value)

    def _quoted(self, value: Any) -> str:
        return f"'{value}'"


@dataclass(frozen=True)
class WholeNumber(RuleField):
    """A whole number of a range.

    Parameters
    ----------
    low, high : int
        Both included.
    none_is : int or None
        The engine's number for None; None where the field cannot be None.
    only_with : pair of str or None
        Another field and the value of it that this number belongs to: else the engine has 0.
    """

    low: int = 0
    high: int = 0
    none_is: int | None = None
    only_with: tuple[str, str] | None = None

    @property
    def values(self) -> str:
        """The range in words."""
        none = "" if self.none_is is None else ", or none"
        return f"a whole number from {self.low} to {self.high}{none}"

    def allows(self, value: Any) -> bool:
        """Return whether a value is such a number, or None where that is allowed."""
        if value is None:
            return self.none_is is not None
        return type(value) is int and self.low <= value <= self.high

    def read(self, text: str) -> Any:
        """Return the number, or None, that a text means."""
        if self.none_is is not None and text.lower() == "none":
            return None
        try:
            number = float(text)
            return int(number) if number.is_integer() else text
        except ValueError:
            return text

    def as_numbers(self, rules: Any) -> tuple[int, ...]:
        """Return the number, that of None, or 0 where it is another field's to matter."""
        value = getattr(rules, self.name)
        if self.only_with and getattr(rules, self.only_with[0]) != self.only_with[1]:
            return (0,)
        return (self.none_is if value is None else value,)

    def text(self, value: Any) -> str:
        """Return a number, or "none"."""
        return "none" if value is None else str(value)

    def _quoted(self, value: Any) -> str:
        return str(value)


@dataclass(frozen=True)
class YesNo(RuleField):
    """Yes or no; a flag of 0 or 1 to the engine."""

    @property
    def values(self) -> str:
        """The two answers."""
        return "yes or no"

    def allows(self, value: Any) -> bool:
        """Return whether a value is True or False."""
        return isinstance(value, bool)

    def read(self, text: str) -> Any:
        """Return True or False for yes, true, 1, no, false or 0."""
        return _WORDS.get(text.lower(), text)

    def text(self, value: Any) -> str:
        """Return "yes" or "no"."""
        return "yes" if value else "no"


@dataclass(frozen=True)
class Choice(RuleField):
    """One of some words.

    Parameters
    ----------
    words : tuple of str
    flags : mapping of str to str
        The engine's numbers by name, each 1 where the field is the word given here, else 0.
    """

    words: tuple[str, ...] = ()
    flags: Mapping[str, str] = field(default_factory=dict)

    @property
    def values(self) -> str:
        """The words."""
        return listed(self.words)

    @property
    def numbers(self) -> tuple[str, ...]:
        """The names of the flags."""
        return tuple(self.flags)

    def allows(self, value: Any) -> bool:
        """Return whether a value is one of the words."""
        return value in self.words

    def as_numbers(self, rules: Any) -> tuple[int, ...]:
        """Return the flags."""
        value = getattr(rules, self.name)
        return tuple(int(value == word) for word in self.flags.values())


def declared(about: RuleField, default: Any) -> Any:
    """Return a dataclass field that carries its description."""
    return dataclasses.field(default=default, metadata={"about": about})


def fields_of(rules: type) -> tuple[RuleField, ...]:
    """Return the described fields of a dataclass, in order, each with its name and default."""
    return tuple(
        dataclasses.replace(each.metadata["about"], name=each.name, default=each.default)
        for each in dataclasses.fields(rules)
        if "about" in each.metadata
    )
