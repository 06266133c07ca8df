"""The rule sets that have a name, and one with changes."""

from __future__ import annotations

from gin_sim.errors import InputError
from gin_sim.rules import PRESETS, Rules, parse_rules


def rules_of(given: str | Rules) -> Rules:
    """Return the rules that a caller names: a spec such as "standard:gin_bonus=20", or Rules.

    Raises
    ------
    InputError
        If there is no such rule set, or a field cannot be what it is set to.
    """
    if isinstance(given, Rules):
        return given
    if not isinstance(given, str):
        raise InputError(
            f"rules is {given!r}: give the name of a rule set, like 'standard', or Rules."
        )
    return parse_rules(given)


def named_rules() -> list[Rules]:
    """Return the rule sets that have a name, the standard one first."""
    return list(PRESETS.values())
