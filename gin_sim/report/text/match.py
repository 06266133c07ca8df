"""A simulation of two policies' hands as a terminal table and a JSON object."""

from __future__ import annotations

from typing import Any

from rich.console import Console

from gin_sim.contests.match import HeadToHead, verdict
from gin_sim.report.text.matchups import stopped_lines, stopped_object
from gin_sim.report.wording import (
    aligned,
    estimate_object,
    figures_object,
    hands_words,
    interval,
    less_luck_words,
    mirroring_words,
    number,
    shown,
    side_names,
)

# figure, label, shown as a percentage, decimals
_ROWS = [
    ("win_rate", "hands won", True, 2),
    ("points_per_hand", "points per hand", False, 3),
    ("points_with_boxes_per_hand", "points with boxes", False, 3),
    ("knock_rate", "knocks, gin apart", True, 2),
    ("gin_rate", "gins", True, 2),
    ("big_gin_rate", "big gins", True, 3),
    ("undercut_suffered_rate", "undercuts suffered", True, 2),
    ("undercut_made_rate", "undercuts made", True, 2),
    ("mean_deadwood_at_knock", "deadwood at the knock", False, 2),
]

_LESS_LUCK = "  less luck seen"


def print_head_to_head(result: HeadToHead, console: Console) -> None:
    """Print the table, the differences, the verdict and what it all rests on."""
    plan = result.played.plan
    specs = [side.spec for side in result.sides]
    names = side_names(specs)
    partial = " · PARTIAL: stopped early" if result.played.partial else ""
    sample = hands_words(result.hands, result.deals, plan.mirrored)
    console.print(f"{specs[0]} against {specs[1]} · {plan.rules.name} rules · {sample}{partial}\n")
    rows = [["", *names]]
    for figure, label, percent, decimals in _ROWS:
        if figure == "big_gin_rate" and plan.rules.big_gin_bonus is None:
            continue
        if figure == "points_with_boxes_per_hand" and not plan.rules.box_bonus:
            continue
        cells = (shown(side.figures[figure], percent, decimals) for side in result.sides)
        rows.append([f"  {label}", *cells])
    for line in aligned(rows):
        console.print(line)
    stalled = ""
    if result.stall_rate.estimate:
        stalled = f" (stalled {shown(result.stall_rate, True, 3)})"
    console.print(
        f"  wash {shown(result.wash_rate, True, 3)}{stalled} · "
        f"{shown(result.turns_per_hand, False, 2)} turns a hand, both players\n"
    )
    lines = []
    for objective, figure in result.difference.items():
        if objective == "points+boxes" and not plan.rules.box_bonus:
            continue
        label = f"{names[0]} - {names[1]}" if objective == "points" else "with boxes"
        lines.append((label, figure))
        if result.less_luck:
            lines.append((_LESS_LUCK, result.less_luck[objective].figure))
    width = max(len(label) for label, _ in lines)
    for label, figure in lines:
        console.print(
            f"  {label:<{width}}   {figure.estimate:+.3f} points per hand   {interval(figure)}"
        )
    console.print(f"\n{verdict(result)}")
    for line in stopped_lines(result.watch, result.played):
        console.print(line)
    unit = "mirrored pairs" if plan.mirrored else "plain deals"
    factor = mirroring_words(result.variance_reduction["points"], "hands")
    if plan.baseline:
        factor += less_luck_words(result.less_luck, result.variance_reduction["points"])
    seconds = result.played.seconds
    console.print(
        f"95% intervals over {unit} · seed {plan.seed} · {seconds:.2f} s · "
        f"{result.hands / max(seconds, 1e-9) / 1e6:.2f} M hands/s{factor}"
    )


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
                **figures_object(side.figures),
            }
            for side in result.sides
        ],
        "hands_won_lead": estimate_object(result.hands_lead),
        "wash_rate": number(result.wash_rate.estimate),
        "stall_rate": number(result.stall_rate.estimate),
        "turns_per_hand": number(result.turns_per_hand.estimate),
        "difference": {
            objective: {
                **estimate_object(figure),
                "variance_reduction": result.variance_reduction[objective],
                **_less_luck_object(result, objective),
            }
            for objective, figure in result.difference.items()
        },
        "variance_reduction": result.variance_reduction["points"],
        "confidence": 0.95,
        "verdict": verdict(result),
        **stopped_object(result.watch, result.played.enough),
        "partial": result.played.partial,
        "seconds": {
            "play": round(result.played.seconds, 3),
            "hands_per_second": round(result.hands / max(result.played.seconds, 1e-9)),
        },
    }


def _less_luck_object(result: HeadToHead, objective: str) -> dict[str, Any]:
    if not result.played.plan.baseline:
        return {}
    if result.less_luck is None:
        return {"less_luck": None}
    found = result.less_luck[objective]
    return {
        "less_luck": {
            **estimate_object(found.figure),
            "variance_reduction": found.variance_reduction,
        }
    }
