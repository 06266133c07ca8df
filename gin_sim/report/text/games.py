"""A simulation of two policies' games as a terminal table and a JSON object."""

from __future__ import annotations

from typing import Any

from rich.console import Console

from gin_sim.contests.games import GamesResult, verdict
from gin_sim.play.games import N_LENGTHS
from gin_sim.report.text.matchups import stopped_lines, stopped_object
from gin_sim.report.wording import (
    aligned,
    estimate_object,
    figures_object,
    games_words,
    interval,
    mirroring_words,
    shown,
    side_names,
)
from gin_sim.rules import Rules


def print_games(result: GamesResult, console: Console) -> None:
    """Print the table, the differences, the verdict and what it all rests on."""
    plan = result.played.plan
    specs = [side.spec for side in result.sides]
    names = side_names(specs)
    partial = " · PARTIAL: stopped early" if result.played.partial else ""
    console.print(
        f"{specs[0]} against {specs[1]} · {plan.rules.name} rules, {target_words(plan.rules)} · "
        f"{games_words(result.games, result.pairs if plan.mirrored else None)}{partial}\n"
    )
    rows = [["", *names]]
    for figure, label, percent, decimals in _rows(plan.rules):
        cells = (shown(side.figures[figure], percent, decimals) for side in result.sides)
        rows.append([f"  {label}", *cells])
    for line in aligned(rows):
        console.print(line)
    for line in _about_the_games(result):
        console.print(f"  {line}")
    console.print()
    won, stakes = result.difference["games"].scaled(100), result.difference["stakes"]
    lines = aligned(
        [
            [f"  {names[0]} - {names[1]}", f"{won.estimate:+.3f}"],
            ["  points settled", f"{stakes.estimate:+.3f}"],
        ]
    )
    for line, unit, figure in zip(
        lines, ("% of games   ", "points per game"), (won, stakes), strict=True
    ):
        console.print(f"{line} {unit}   {interval(figure)}")
    console.print(f"\n{verdict(result)}")
    for line in stopped_lines(result.watch, result.played):
        console.print(line)
    unit = "mirrored pairs" if plan.mirrored else "games"
    seconds = result.played.seconds
    console.print(
        f"95% intervals over {unit} · seed {plan.seed} · {seconds:.2f} s · "
        f"{result.hands / max(seconds, 1e-9) / 1e6:.2f} M hands/s"
        f"{mirroring_words(result.variance_reduction['games'], 'games')}"
    )


def _rows(rules: Rules) -> list[tuple[str, str, bool, int]]:
    """Return what the rules let a table show: figure, label, whether a percentage, decimals."""
    rows = [
        ("win_rate", "games won", True, 2),
        ("stakes_per_game", "points settled, a game", False, 2),
        ("total_per_game", "total at the end", False, 2),
        ("points_per_hand", "points per hand", False, 3),
        ("hands_won_rate", "hands won", True, 2),
    ]
    if rules.target:
        rows.append(("reached_rate", f"reached {rules.target}", True, 2))
        if _may_reach_and_lose(rules):
            rows.append(("reached_and_lost_rate", f"reached {rules.target} and lost", True, 2))
        rows.append(("shutout_rate", "won by a shutout", True, 2))
    return rows


def _may_reach_and_lose(rules: Rules) -> bool:
    return bool(rules.target and rules.box_bonus and rules.box_timing == "at_end")


def _about_the_games(result: GamesResult) -> list[str]:
    rules = result.played.plan.rules
    ends = f"tie {shown(result.tie_rate, True, 2)}"
    if _may_reach_and_lose(rules):
        ends += f" · who reached {rules.target} lost {shown(result.upset_rate, True, 2)}"
    stalled = ""
    if result.stall_rate.estimate:
        stalled = f" (stalled {shown(result.stall_rate, True, 3)})"
    hands = f"wash {shown(result.wash_rate, True, 3)} of hands{stalled}"
    if rules.target:
        mean = shown(result.hands_per_game, False, 2)
        hands = f"{mean} hands a game{_range_words(result)} · {hands}"
    return [ends, hands]


def _range_words(result: GamesResult) -> str:
    """Return how many hands nine of ten games took, where that says more than their mean."""
    low, high = result.length_within(0.05), result.length_within(0.95)
    if low == high:
        return ""
    more = " or more" if high == N_LENGTHS - 1 else ""
    return f", {low} to {high}{more} in nine of ten"


def target_words(rules: Rules) -> str:
    """Return what ends a game: "games to 100"."""
    if not rules.target:
        return "a hand a game"
    boxes = ", boxes counted" if rules.box_bonus and rules.box_timing == "at_once" else ""
    return f"games to {rules.target}{boxes}"


def games_json(result: GamesResult) -> dict[str, Any]:
    """Return the result as plain values; timing stands under ``seconds`` alone."""
    plan = result.played.plan
    seconds = max(result.played.seconds, 1e-9)
    return {
        "games": result.games,
        "pairs": result.pairs if plan.mirrored else None,
        "hands": result.hands,
        "mirrored": plan.mirrored,
        "seed": plan.seed,
        "rules": plan.rules.as_dict(),
        "policies": [policy.as_dict() for policy in plan.policies],
        "sides": [
            {"policy": side.spec, "games_won": side.games_won, **figures_object(side.figures)}
            for side in result.sides
        ],
        "difference": {
            objective: {
                **estimate_object(figure),
                "variance_reduction": result.variance_reduction[objective],
            }
            for objective, figure in result.difference.items()
        },
        "tie_rate": estimate_object(result.tie_rate),
        "upset_rate": estimate_object(result.upset_rate),
        "unfinished": result.unfinished,
        "hands_per_game": estimate_object(result.hands_per_game),
        "wash_rate": estimate_object(result.wash_rate),
        "stall_rate": estimate_object(result.stall_rate),
        "games_by_hands": list(result.lengths),
        "longest_or_more": len(result.lengths) == N_LENGTHS,
        "confidence": 0.95,
        "verdict": verdict(result),
        **stopped_object(result.watch, result.played.enough),
        "partial": result.played.partial,
        "seconds": {
            "play": round(result.played.seconds, 3),
            "games_per_second": round(result.games / seconds),
            "hands_per_second": round(result.hands / seconds),
        },
    }
