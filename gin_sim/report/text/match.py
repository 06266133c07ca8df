"""Two policies' hands as a terminal table."""

from __future__ import annotations

from rich.console import Console

from gin_sim.report.text.matchups import TwoPoliciesText, print_two_policies, who_leads
from gin_sim.report.wording import (
    aligned,
    interval,
    luck_words,
    mirroring_words,
    shown,
    side_names,
)
from gin_sim.results.match import Match

# measure, label, shown as a percentage, decimals
_ROWS = [
    ("win_rate", "hands won", True, 2),
    ("points_per_hand", "points per hand", False, 3),
    ("points_with_boxes_per_hand", "points per hand with boxes", False, 3),
    ("knock_rate", "knocks, excluding gin", True, 2),
    ("gin_rate", "gins", True, 2),
    ("big_gin_rate", "big gins", True, 3),
    ("undercut_suffered_rate", "undercuts suffered", True, 2),
    ("undercut_made_rate", "undercuts made", True, 2),
    ("mean_deadwood_at_knock", "deadwood at the knock, pips", False, 2),
]

_LUCK_ADJUSTED = "  luck-adjusted"


def summary(found: Match) -> str:
    """Return who scores more and by how much, and what that rests on, in a line."""
    points = found.difference["points"].best
    nouns = ("hands", "points per hand")
    return who_leads(found, points, nouns, "scores {} more points per hand")


def show(found: Match, console: Console, more: bool = True) -> None:
    """Print the table, the differences, the verdict and, with ``more``, what it all rests on."""
    mirroring = found.difference["points"].variance_reduction
    saved = mirroring_words(mirroring, "hands")
    if found.luck_adjusted:
        saved += luck_words(found.difference["points"].luck_adjusted, mirroring)
    lines = [*_side_lines(found), *_difference_lines(found)]
    text = TwoPoliciesText(f"{found.rules.name} rules", lines, "plain deals", saved)
    print_two_policies(found, text, console, more)


def _side_lines(found: Match) -> list[str]:
    rows = [["", *side_names(found.specs)]]
    for measure, label, percent, decimals in _ROWS:
        if measure == "big_gin_rate" and found.rules.big_gin_bonus is None:
            continue
        if measure == "points_with_boxes_per_hand" and not found.rules.box_bonus:
            continue
        cells = (shown(side.measures[measure], percent, decimals) for side in found.sides)
        rows.append([f"  {label}", *cells])
    stalled = ""
    if found.stall_rate.estimate:
        stalled = f" (stalled {shown(found.stall_rate, True, 3)})"
    return [
        *aligned(rows),
        f"  wash {shown(found.wash_rate, True, 3)}{stalled} · "
        f"{shown(found.turns_per_hand, False, 2)} turns per hand, both players\n",
    ]


def _difference_lines(found: Match) -> list[str]:
    first, second = side_names(found.specs)
    lines = []
    for objective, figure in found.difference.items():
        if objective == "points+boxes" and not found.rules.box_bonus:
            continue
        label = f"{first} - {second}" if objective == "points" else "with boxes"
        lines.append((label, figure))
        if figure.luck_adjusted is not None:
            lines.append((_LUCK_ADJUSTED, figure.luck_adjusted))
    width = max(len(label) for label, _ in lines)
    return [
        f"  {label:<{width}}   {figure.estimate:+.3f} points per hand   {interval(figure)}"
        for label, figure in lines
    ]
