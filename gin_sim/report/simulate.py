"""A simulation of two policies as a terminal table, a JSON object and a chart."""

from __future__ import annotations

import math
from typing import Any

from rich.console import Console

from gin_sim.analysis.head_to_head import HeadToHead, decimals_for, verdict
from gin_sim.analysis.stats import Estimate

# figure, label, shown as a percentage, decimals
_ROWS = [
    ("win_rate", "hands won", True, 2),
    ("points_per_hand", "points a hand", False, 3),
    ("points_with_boxes_per_hand", "points with boxes", False, 3),
    ("knock_rate", "knocks, gin apart", True, 2),
    ("gin_rate", "gins", True, 2),
    ("big_gin_rate", "big gins", True, 3),
    ("undercut_suffered_rate", "undercuts suffered", True, 2),
    ("undercut_made_rate", "undercuts made", True, 2),
    ("mean_deadwood_at_knock", "deadwood at the knock", False, 2),
]


# An interval that reaches this much further to one side is shown by its ends.
_LOPSIDED = 1.2
_LONGEST_NAME = 28


def print_head_to_head(result: HeadToHead, console: Console) -> None:
    """Print the table, the differences, the verdict and what it all rests on."""
    plan = result.played.plan
    specs = [side.spec for side in result.sides]
    names = side_names(result)
    partial = " · PARTIAL: stopped early" if result.played.partial else ""
    console.print(
        f"{specs[0]} against {specs[1]} · {plan.rules.name} rules · {sample_words(result)}"
        f"{partial}\n"
    )
    rows = [["", *names]]
    for figure, label, percent, decimals in _ROWS:
        if figure == "big_gin_rate" and plan.rules.big_gin_bonus is None:
            continue
        if figure == "points_with_boxes_per_hand" and not plan.rules.box_bonus:
            continue
        shown = (_shown(side.figures[figure], percent, decimals) for side in result.sides)
        rows.append([f"  {label}", *shown])
    for line in _aligned(rows):
        console.print(line)
    stalled = ""
    if result.stall_rate.estimate:
        stalled = f" (stalled {_shown(result.stall_rate, True, 3)})"
    console.print(
        f"  wash {_shown(result.wash_rate, True, 3)}{stalled} · "
        f"{_shown(result.turns_per_hand, False, 2)} turns a hand, both players\n"
    )
    for objective, figure in result.difference.items():
        if objective == "points+boxes" and not plan.rules.box_bonus:
            continue
        label = f"{names[0]} - {names[1]}" if objective == "points" else "with boxes"
        console.print(
            f"  {label:<{len(names[0]) + len(names[1]) + 3}}   {figure.estimate:+.3f} points a "
            f"hand   {_interval(figure)}"
        )
    console.print(f"\n{verdict(result)}")
    unit = "mirrored pairs" if plan.mirrored else "plain deals"
    saved = result.variance_reduction["points"]
    factor = ""
    if saved:
        fewer = "fewer" if saved >= 1 else "more"
        factor = f" · mirroring needed {max(saved, 1 / saved):.2f} times {fewer} hands"
    seconds = result.played.seconds
    console.print(
        f"95% intervals over {unit} · seed {plan.seed} · {seconds:.2f} s · "
        f"{result.hands / max(seconds, 1e-9) / 1e6:.2f} M hands/s{factor}"
    )


def side_names(result: HeadToHead) -> tuple[str, str]:
    """Return what a table or chart calls the sides: their specs, or first and second if long."""
    specs = tuple(side.spec for side in result.sides)
    return specs if max(map(len, specs)) <= _LONGEST_NAME else ("first", "second")


def sample_words(result: HeadToHead) -> str:
    """Return how much was played: "1,000,000 hands in 500,000 mirrored pairs"."""
    kind = "mirrored pair" if result.played.plan.mirrored else "plain deal"
    return (
        f"{result.hands:,} hand{_plural(result.hands)} in "
        f"{result.deals:,} {kind}{_plural(result.deals)}"
    )


def _plural(count: int) -> str:
    return "" if count == 1 else "s"


def _aligned(rows: list[list[str]]) -> list[str]:
    """Return rows as lines, the first column to the left and the others to the right.

    As wide as it must be: a terminal may break a line, but no figure is cut.
    """
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    return [
        "    ".join([row[0].ljust(widths[0]), *map(str.rjust, row[1:], widths[1:])]) for row in rows
    ]


def _shown(figure: Estimate, percent: bool, decimals: int) -> str:
    if math.isnan(figure.estimate):
        return "-"
    scale, unit = (100, " %") if percent else (1, "")
    if math.isnan(figure.low):
        return f"{figure.estimate * scale:.{decimals}f}{unit}"
    decimals = decimals_for(figure.half_width * scale, decimals)
    text = f"{figure.estimate * scale:.{decimals}f}"
    below, above = figure.estimate - figure.low, figure.high - figure.estimate
    if above > _LOPSIDED * below or below > _LOPSIDED * above:
        low, high = figure.low * scale, figure.high * scale
        return f"{text} [{low:.{decimals}f}, {high:.{decimals}f}]{unit}"
    return f"{text} ±{figure.half_width * scale:.{decimals}f}{unit}"


def _interval(figure: Estimate) -> str:
    if math.isnan(figure.low):
        return "(too few deals for an interval)"
    decimals = decimals_for(figure.half_width, 3)
    return f"[{figure.low:+.{decimals}f}, {figure.high:+.{decimals}f}]"


def head_to_head_json(result: HeadToHead) -> dict[str, Any]:
    """Return the result as plain values; timing stands under ``seconds`` alone."""
    plan = result.played.plan
    return {
        "hands": result.hands,
        "pairs": result.deals if plan.mirrored else None,
        "deals": result.deals,
        "mirrored": plan.mirrored,
        "seed": plan.seed,
        "rules": plan.rules.as_dict(),
        "policies": [policy.as_dict() for policy in plan.policies],
        "sides": [
            {
                "policy": side.spec,
                "hands_won": side.hands_won,
                **{name: _number(figure.estimate) for name, figure in side.figures.items()},
                "intervals": {
                    name: [_number(figure.low), _number(figure.high)]
                    for name, figure in side.figures.items()
                },
            }
            for side in result.sides
        ],
        "hands_won_lead": {
            "estimate": _number(result.hands_lead.estimate),
            "low": _number(result.hands_lead.low),
            "high": _number(result.hands_lead.high),
        },
        "wash_rate": _number(result.wash_rate.estimate),
        "stall_rate": _number(result.stall_rate.estimate),
        "turns_per_hand": _number(result.turns_per_hand.estimate),
        "difference": {
            objective: {
                "estimate": _number(figure.estimate),
                "low": _number(figure.low),
                "high": _number(figure.high),
                "variance_reduction": result.variance_reduction[objective],
            }
            for objective, figure in result.difference.items()
        },
        "variance_reduction": result.variance_reduction["points"],
        "confidence": 0.95,
        "verdict": verdict(result),
        "partial": result.played.partial,
        "seconds": {
            "play": round(result.played.seconds, 3),
            "hands_per_second": round(result.hands / max(result.played.seconds, 1e-9)),
        },
    }


def _number(value: float) -> float | None:
    return None if math.isnan(value) else value
