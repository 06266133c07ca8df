"""What a policy is, in words and numbers, and whether one plays by the rules."""

from __future__ import annotations

from typing import Any, ClassVar

from msgspec import UNSET, Struct, UnsetType

from gin_sim.results.common import Answer, PolicyInfo, Row


class Setting(Struct, kw_only=True):
    """A number, switch or knock table of a policy that can be set.

    Parameters
    ----------
    name : str
        As it stands after the colon: ``knock`` in ``greedy:knock=5``.
    meaning : str
        In a few words.
    unit : str
        Of its value: ``pips``, ``points``, ``switch`` and others.
    default : int, float, str or list
        A list has a number for each bucket of own turns or, for a knock table, a cell or a row of
        cells for each own turn.
    low, high : float
        The range, both ends included.
    whole : bool
        Whether only whole numbers make sense.
    by_own_turn : bool
        Whether there is a number for each bucket of own turns.
    knock_table : bool
        Whether it is a table of deadwood to knock with.
    value : int, float, str or list
        What the policy plays by; not there where the shipped policies are listed.
    """

    name: str
    meaning: str
    unit: str
    default: Any
    low: float
    high: float
    whole: bool
    by_own_turn: bool
    knock_table: bool
    value: Any = UNSET


class ShippedPolicy(Struct, kw_only=True):
    """A policy that comes with the program.

    Parameters
    ----------
    name : str
        What a spec begins with.
    summary : str
        How it plays, in a line.
    origin : str
        Where it comes from.
    parameters : list of Setting
        What can be set, without values.
    """

    name: str
    summary: str
    origin: str
    parameters: list[Setting]


class SettingRow(Row):
    """A parameter of a policy, as a row.

    Parameters
    ----------
    name : str
        As it stands after the colon in a spec.
    value : str
        What the policy plays by, as it is written in a spec.
    default : str
        What it is where nothing is said, as it is written in a spec.
    low, high : float
        The range, both ends included.
    unit : str
        Of its value.
    meaning : str
        In a few words.
    """

    name: str
    value: str
    default: str
    low: float
    high: float
    unit: str
    meaning: str


class PolicyDescription(Answer, kw_only=True, tag="policy"):
    """A policy: where it comes from, and every parameter with its value.

    Parameters
    ----------
    spec : str
        As it can be typed again: ``greedy:knock=5``, or a file.
    policy : str
        The name of the shipped policy, or of the file.
    decides : list of str
        The decisions of a Python file; not there for other policies.
    source : str
        A hash of a Python file and of all that it imports of its own; not there for others.
    base : PolicyInfo or None
        What a Python file plays by where it does not decide; not there for others.
    summary : str
        How it plays, in a line.
    origin : str
        Where it comes from.
    plays : str
        What a file consists of: what it changes of a shipped policy, or its own decisions; not
        there for shipped policies.
    parameters : list of Setting
        Every parameter, with its value.
    """

    spec: str
    policy: str
    decides: list[str] | UnsetType = UNSET
    source: str | UnsetType = UNSET
    base: PolicyInfo | UnsetType | None = UNSET
    summary: str
    origin: str
    plays: str | UnsetType = UNSET
    parameters: list[Setting]

    TABLES: ClassVar[dict[str, type[Row]]] = {"parameters": SettingRow}

    def rows(self) -> dict[str, list[Any]]:
        """Return a row for each parameter."""
        return {
            "parameters": [
                SettingRow(
                    name=setting.name,
                    value=written(setting.value),
                    default=written(setting.default),
                    low=setting.low,
                    high=setting.high,
                    unit=setting.unit,
                    meaning=setting.meaning,
                )
                for setting in self.parameters
            ]
        }


class ValidationRow(Row):
    """A policy that was played under every rule set, as a row.

    Parameters
    ----------
    policy : str
        Its spec.
    hands, games : int
        Single hands and whole games that it played by the rules.
    """

    policy: str
    hands: int
    games: int


class Validation(Answer, kw_only=True, tag="validation"):
    """A policy that played by the rules in every hand and game that was tried.

    Parameters
    ----------
    spec : str
        The policy, as it can be typed again.
    plays : str
        What it consists of.
    hands : int
        Single hands, each counted once.
    games : int
        Whole games, each counted once.
    opponents : list of str
        Whom it met, by spec.
    rule_sets : list of str
        Under which rules, by name.
    """

    spec: str
    plays: str
    hands: int
    games: int
    opponents: list[str]
    rule_sets: list[str]

    TABLES: ClassVar[dict[str, type[Row]]] = {"validation": ValidationRow}

    def rows(self) -> dict[str, list[Any]]:
        """Return the policy as one row."""
        row = ValidationRow(policy=self.spec, hands=self.hands, games=self.games)
        return {"validation": [row]}


def written(value: Any) -> str:
    """Return a value as a spec has it: ``10/5/0``; the last of several is not repeated."""
    if not isinstance(value, list):
        return _number_text(value)
    texts = [_number_text(each) for each in value]
    while len(texts) > 1 and texts[-1] == texts[-2]:
        texts.pop()
    return "/".join(texts)


def _number_text(value: Any) -> str:
    if isinstance(value, str):
        return value
    return f"{value:.0f}" if float(value).is_integer() else repr(value)
