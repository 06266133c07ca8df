"""Two policies' games as a terminal table."""

from __future__ import annotations

from rich.console import Console

from gin_sim.report.text.matchups import TwoPoliciesText, print_two_policies, who_leads
from gin_sim.report.wording import (
    aligned,
    interval,
    mirroring_words,
    shown,
    side_names,
)
from gin_sim.results.games import Games
from gin_sim.rules import Rules


def summary(found: Games) -> str:
    """Return who wins more games and by how much, and what that rests on, in a line."""
    won = found.difference["win"].scaled(100)
    wins = "wins {} more games in a hundred"
    return who_leads(found, won, ("games", "games won"), wins, " % of games")


def show(found: Games, console: Console, more: bool = True) -> None:
    """Print the table, the differences, the verdict and, with ``more``, what it all rests on."""
    rows = [["", *side_names(found.specs)]]
    for measure, label, percent, decimals in _rows(found.rules):
        cells = (shown(side.measures[measure], percent, decimals) for side in found.sides)
        rows.append([f"  {label}", *cells])
    text = TwoPoliciesText(
        rules=f"{found.rules.name} rules, {target_words(found.rules)}",
        lines=[*aligned(rows), *_about_the_games(found), "", *_difference_lines(found)],
        unit="games",
        saved=mirroring_words(found.difference["win"].variance_reduction, "games"),
    )
    print_two_policies(found, text, console, more)


def _difference_lines(found: Games) -> list[str]:
    first, second = side_names(found.specs)
    won, stakes = found.difference["win"].scaled(100), found.difference["stakes"]
    lines = aligned(
        [
            [f"  {first} - {second}", f"{won.estimate:+.3f}"],
            ["  points settled", f"{stakes.estimate:+.3f}"],
        ]
    )
    units = ("% of games     ", "points per game")
    return [
        f"{line} {unit}   {interval(figure)}"
        for line, unit, figure in zip(lines, units, (won, stakes), strict=True)
    ]


def _rows(rules: Rules) -> list[tuple[str, str, bool, int]]:
    """Return what the rules let a table show: measure, label, whether a percentage, decimals."""
    rows = [
        ("win_rate", "games won", True, 2),
        ("stakes_per_game", "points settled per game", False, 2),
        ("total_per_game", "total points at the end", False, 2),
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


def _about_the_games(found: Games) -> list[str]:
    rules = found.rules
    ends = f"tie {shown(found.tie_rate, True, 2)}"
    if _may_reach_and_lose(rules):
        ends += f" · the player who reached {rules.target} lost {shown(found.upset_rate, True, 2)}"
    stalled = ""
    if found.stall_rate.estimate:
        stalled = f" (stalled {shown(found.stall_rate, True, 3)})"
    hands = f"wash {shown(found.wash_rate, True, 3)} of hands{stalled}"
    if rules.target:
        mean = shown(found.hands_per_game, False, 2)
        hands = f"{mean} hands per game{_range_words(found)} · {hands}"
    return [f"  {ends}", f"  {hands}"]


def _range_words(found: Games) -> str:
    """Return how many hands nine of ten games took, where that says more than their mean."""
    low, high = found.length_within(0.05), found.length_within(0.95)
    if low == high:
        return ""
    is_last = found.longest_or_more and high == len(found.games_by_hands) - 1
    return f", {low} to {high}{' or more' if is_last else ''} in nine of ten"


def target_words(rules: Rules) -> str:
    """Return what ends a game: "games to 100"."""
    if not rules.target:
        return "one hand per game"
    boxes = ", boxes counted" if rules.box_bonus and rules.box_timing == "at_once" else ""
    return f"games to {rules.target}{boxes}"
