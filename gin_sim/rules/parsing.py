"""Rule sets as text: a preset's name, with changed fields after a colon."""

from __future__ import annotations

import dataclasses
from typing import Any

from gin_sim.rules.fields import RulesError
from gin_sim.rules.model import RULE_FIELDS, Rules
from gin_sim.rules.presets import PRESETS
from gin_sim.words import listed, nearest


def parse_rules(spec: str) -> Rules:
    """Read a rule set: a preset's name, with changed fields after a colon if wanted.

    Parameters
    ----------
    spec : str
        ``"standard"`` or, say, ``"standard:gin_bonus=20,undercut_bonus=10"``.

    Raises
    ------
    RulesError
        If the preset or a field does not exist (the nearest name is suggested) or a value is out
        of range.
    """
    name, colon, changes = spec.strip().partition(":")
    if name not in PRESETS:
        raise RulesError(
            f"no rule set is called '{name}'.{nearest(name, PRESETS)} "
            f"The rule sets are {listed(PRESETS, 'and')}."
        )
    if not colon:
        return PRESETS[name]
    if not changes.strip():
        raise RulesError(f"nothing follows the colon in '{spec}': write {name}:gin_bonus=20, say.")
    known = {field.name: field for field in RULE_FIELDS}
    values: dict[str, Any] = {}
    for change in changes.split(","):
        key, equals, text = (part.strip() for part in change.partition("="))
        if key not in known:
            raise RulesError(
                f"rules have no field '{key}'.{nearest(key, known)} "
                "`gin-sim rules show standard` lists them all."
            )
        if not equals or not text:
            raise RulesError(f"'{change}' gives no value: write {key}=VALUE.")
        if key in values:
            raise RulesError(f"the rule {key} is given twice in '{spec}': give it once.")
        values[key] = known[key].read(text)
    return dataclasses.replace(PRESETS[name], name=spec.strip(), **values)


def spec_with(spec: str, field: str, value: object) -> str:
    """Return a spec of rules with a field's value added, or put in place of the one it gives.

    Parameters
    ----------
    spec : str
        As :func:`parse_rules` reads it; the name of the rules that it gives.
    field : str
    value : object
        As text that the field's value is read from.
    """
    name, _, changes = spec.partition(":")
    kept = [
        change
        for change in changes.split(",")
        if change.strip() and change.partition("=")[0].strip() != field
    ]
    return f"{name}:{','.join([*kept, f'{field}={value}'])}"
