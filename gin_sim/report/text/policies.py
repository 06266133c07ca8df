"""Policies on the terminal: their numbers, their weights, their knock table."""

from __future__ import annotations

from itertools import groupby
from typing import Any

from msgspec import UNSET

from gin_sim.policies.contract import BUCKET_NAMES
from gin_sim.results.policies import PolicyDescription, Setting, ShippedPolicy, written

_SWITCH = "switch"
_KNOCK_COLUMNS = ("0 gin outs", "1-2", "3 or more")


def print_policies(kinds: list[ShippedPolicy], console: Any) -> None:
    """Print one line for each policy."""
    width = max(len(kind.name) for kind in kinds)
    for kind in kinds:
        console.print(f"{kind.name:<{width}}  {kind.summary}")
    console.print(
        "\n`gin-sim policies show NAME` shows where a policy comes from and all its parameters; "
        "set one after a colon: greedy:knock=5"
    )


def show(policy: PolicyDescription, console: Any, more: bool = True) -> None:
    """Print where a policy comes from and every parameter with its value."""
    console.print(summary(policy))
    console.print(f"from {policy.origin}")
    if policy.plays is not UNSET:
        console.print(f"plays {policy.plays}")
    settings = policy.parameters
    for table in settings:
        if table.knock_table:
            _print_knock(table, console)
    weights = [each for each in settings if each.by_own_turn]
    switches = [each for each in settings if each.unit == _SWITCH]
    numbers = [
        each
        for each in settings
        if not (each.knock_table or each.by_own_turn or each.unit == _SWITCH)
    ]
    for heading, group, columns in (
        ("number", numbers, ["value"]),
        ("switch", switches, ["value"]),
        ("weight by own turn", weights, list(BUCKET_NAMES)),
    ):
        if group:
            _print_settings(heading, group, columns, console)
    if not settings:
        console.print("\nno parameters to set")


def summary(policy: PolicyDescription) -> str:
    """Return a policy and how it plays in a line."""
    return f"{policy.spec} · {policy.summary}"


def _print_settings(
    heading: str, settings: list[Setting], columns: list[str], console: Any
) -> None:
    """Print a table with a second line for each meaning, so that it fits a terminal."""
    rows = [[heading, *columns, "default", "range", "unit"]]
    for each in settings:
        numbers = each.value if isinstance(each.value, list) else [each.value]
        same = each.value == each.default and each.by_own_turn
        shown = "same" if same else written(each.default)
        rows.append([each.name, *map(_number, numbers), shown, _range(each), each.unit])
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    console.print()
    for row, each in zip(rows, [None, *settings], strict=True):
        right = "  ".join(map(str.rjust, row[1:-2], widths[1:-2]))
        left = "  ".join(map(str.ljust, row[-2:], widths[-2:]))
        console.print(f"  {row[0]:<{widths[0]}}  {right}  {left}".rstrip())
        if each is not None and each.meaning:
            console.print(f"      {each.meaning}", style="dim")


def _number(value: float) -> str:
    return f"{value:.6g}"


def _range(setting: Setting) -> str:
    if abs(setting.high) >= 2**53:
        return "any whole number" if setting.whole else "any number"
    return f"{setting.low:g} to {setting.high:g}"


def _print_knock(table: Setting, console: Any) -> None:
    """Print a knock table: a line for each stretch of own turns, a column for a class of outs."""
    text, usual = written(table.value), written(table.default)
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
    default = "the default" if text == usual else f"default {usual}"
    console.print(f"\n  {table.name}   {table.meaning} ({table.unit}); {default}")
    for words, *cells in shown:
        right = "  ".join(map(str.rjust, cells, widths[1:]))
        console.print(f"    {words:<{widths[0]}}  {right}")
    if any("-" in cell for row in rows for cell in row):
        console.print("    knock within a range, wait with less; gin is always laid down")


def _cell_words(cell: str) -> str:
    """Return what a player reads for a cell: "gin only", "10", "6-10", "only 2, 4-7"."""
    if cell == "0":
        return "gin only"
    parts = [part.split("-") for part in cell.split("+")]
    return ", ".join(f"only {p[0]}" if p[0] == p[-1] and p[1:] else "-".join(p) for p in parts)
