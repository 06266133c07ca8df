"""Policies on the terminal and as plain values: their numbers, their weights, their knock table."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import groupby
from typing import Any

from rich.console import Console

from gin_sim.errors import listed
from gin_sim.policies.contract import BUCKET_NAMES, Parameter, Policy, PolicyKind, Value
from gin_sim.policies.files.python import CustomPolicy
from gin_sim.policies.files.source import DECISIONS
from gin_sim.policies.files.toml import FilePolicy
from gin_sim.policies.specs import read_spec

_SWITCH = "switch"
_FEW = 3
_KNOCK_COLUMNS = ("0 gin outs", "1-2", "3 or more")


def kind_object(kind: PolicyKind) -> dict[str, Any]:
    """Return a policy and what can be set of it as plain values."""
    return {
        "name": kind.name,
        "summary": kind.summary,
        "origin": kind.origin,
        "parameters": [_parameter_object(parameter) for parameter in kind.parameters],
    }


def policy_object(policy: Policy) -> dict[str, Any]:
    """Return a policy with its values as plain values."""
    return {
        **{key: value for key, value in policy.as_dict().items() if key != "parameters"},
        "summary": _summary(policy),
        "origin": _origin(policy),
        "parameters": [
            {
                **_parameter_object(parameter),
                "value": parameter.plain(policy.values[parameter.name]),
            }
            for parameter in policy.kind.parameters
        ],
    }


def _summary(policy: Policy) -> str:
    if isinstance(policy, FilePolicy):
        return policy.summary or what_it_is(policy)
    return policy.kind.summary


def _origin(policy: Policy) -> str:
    if isinstance(policy, FilePolicy):
        return policy.origin or f"the file {read_spec(policy.spec).place}"
    return policy.kind.origin


def _parameter_object(parameter: Parameter) -> dict[str, Any]:
    return {
        "name": parameter.name,
        "meaning": parameter.meaning,
        "unit": parameter.unit,
        "default": parameter.plain(parameter.default),
        "low": parameter.low,
        "high": parameter.high,
        "whole": parameter.whole,
        "by_own_turn": parameter.by_bucket,
    }


def print_policies(kinds: Iterable[PolicyKind], console: Console) -> None:
    """Print one line a policy."""
    kinds = list(kinds)
    width = max(len(kind.name) for kind in kinds)
    for kind in kinds:
        console.print(f"{kind.name:<{width}}  {kind.summary}")
    console.print(
        "\n`gin-sim policies show NAME` shows where a policy comes from and all its parameters; "
        "set one after a colon: greedy:knock=5"
    )


def print_policy(policy: Policy, console: Console) -> None:
    """Print where a policy comes from and every parameter with its value."""
    kind = policy.kind
    console.print(f"{policy.spec} · {_summary(policy)}")
    console.print(f"from {_origin(policy)}")
    if isinstance(policy, CustomPolicy | FilePolicy):
        console.print(f"plays {what_it_is(policy)}")
    tables = [p for p in kind.parameters if isinstance(p.default, str)]
    weights = [p for p in kind.parameters if p.by_bucket]
    switches = [p for p in kind.parameters if p.unit == _SWITCH]
    numbers = [p for p in kind.parameters if p not in (*tables, *weights, *switches)]
    for table in tables:
        _print_knock(table, str(policy.values[table.name]), console)
    for heading, parameters, columns in (
        ("number", numbers, ["value"]),
        ("switch", switches, ["value"]),
        ("weight by own turn", weights, list(BUCKET_NAMES)),
    ):
        if parameters:
            _print_parameters(heading, parameters, columns, policy.values, console)
    if not kind.parameters:
        console.print("\nnothing can be set")


def what_it_is(policy: Policy) -> str:
    """Return in a few words what a policy consists of."""
    if isinstance(policy, CustomPolicy):
        words = f"{listed(policy.addresses, 'and')} of its own"
        return f"{words}, else as {policy.base.spec} does" if _left(policy) else words
    changed = [p.name for p in policy.kind.parameters if policy.values[p.name] != p.default]
    if not changed:
        return policy.kind.name
    shown = changed if len(changed) <= _FEW else [f"{len(changed)} numbers"]
    return f"{policy.kind.name} with {listed(shown, 'and')} of its own"


def _left(policy: CustomPolicy) -> list[str]:
    return [name for name in DECISIONS if name not in policy.addresses]


def _print_parameters(
    heading: str,
    parameters: list[Parameter],
    columns: list[str],
    values: dict[str, Value],
    console: Console,
) -> None:
    """Print a table with a second line for each meaning, so that it fits a terminal."""
    rows = [[heading, *columns, "default", "range", "unit"]]
    for p in parameters:
        value = values[p.name]
        changed = value != p.default
        numbers = value if isinstance(value, tuple) else (value,)
        shown = p.text(p.default) if changed or not p.by_bucket else "same"
        rows.append([p.name, *map(_number, numbers), shown, _range(p), p.unit])
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    console.print()
    for row, p in zip(rows, [None, *parameters], strict=True):
        right = "  ".join(map(str.rjust, row[1:-2], widths[1:-2]))
        left = "  ".join(map(str.ljust, row[-2:], widths[-2:]))
        console.print(f"  {row[0]:<{widths[0]}}  {right}  {left}".rstrip())
        if p is not None and p.meaning:
            console.print(f"      {p.meaning}", style="dim")


def _number(value: float) -> str:
    return f"{value:.6g}"


def _range(parameter: Parameter) -> str:
    if abs(parameter.high) >= 2**53:
        return "any whole" if parameter.whole else "any"
    return f"{parameter.low:g} to {parameter.high:g}"


def _print_knock(table: Parameter, text: str, console: Console) -> None:
    """Print a knock table: a line for each stretch of own turns, a column for a class of outs."""
    rows = [row.split("|") for row in text.split("/")]
    by_outs = any(len(row) > 1 for row in rows)
    columns = _KNOCK_COLUMNS if by_outs else ("deadwood",)
    stretches = []
    for cells, turns in groupby(enumerate(rows, 1), key=lambda numbered: numbered[1]):
        first, *rest = [turn for turn, _ in turns]
        last = rest[-1] if rest else first
        words = f"{first} on" if last == len(rows) else f"{first}-{last}" if rest else str(first)
        full = cells if len(cells) == len(columns) else cells * len(columns)
        stretches.append([words, *map(_cell_words, full)])
    shown = [["own turn", *columns], *stretches]
    widths = [max(map(len, column)) for column in zip(*shown, strict=True)]
    default = "the default" if text == table.default else f"default {table.default}"
    console.print(f"\n  {table.name}   {table.meaning} ({table.unit}); {default}")
    for words, *cells in shown:
        right = "  ".join(map(str.rjust, cells, widths[1:]))
        console.print(f"    {words:<{widths[0]}}  {right}")
    if any("-" in cell for row in rows for cell in row):
        console.print("    a range is knocked with, lower deadwood waits; gin is always laid down")


def _cell_words(cell: str) -> str:
    """Return what a player reads for a cell: "gin only", "10", "6-10", "only 2, 4-7"."""
    if cell == "0":
        return "gin only"
    parts = [part.split("-") for part in cell.split("+")]
    return ", ".join(f"only {p[0]}" if p[0] == p[-1] and p[1:] else "-".join(p) for p in parts)
