"""Rule sets on the terminal: the numbers that differ most, or every field of one."""

from __future__ import annotations

from typing import Any

from gin_sim.rules import RULE_FIELDS, Rules


def print_rule_sets(rule_sets: list[Rules], console: Any) -> None:
    """Print one line for each rule set."""
    console.print(
        f"{'rules':<10} {'knock':>6} {'gin':>4} {'big gin':>8} {'undercut':>9} "
        f"{'tie':>9} {'box':>4} {'game':>5} {'target':>7}"
    )
    for rules in rule_sets:
        knock = "upcard" if rules.knock_source == "upcard" else rules.knock_limit
        big_gin = "-" if rules.big_gin_bonus is None else rules.big_gin_bonus
        console.print(
            f"{rules.name:<10} {knock:>6} {rules.gin_bonus:>4} {big_gin:>8} "
            f"{rules.undercut_bonus:>9} {rules.tie:>9} {rules.box_bonus:>4} "
            f"{rules.game_bonus:>5} {rules.target or 'hand':>7}"
        )
    console.print("\nbonuses in points; `gin-sim rules show NAME` shows every field")


def print_rules(rules: Rules, console: Any) -> None:
    """Print every field of a rule set with what it means."""
    console.print(f"{'name':<18} {rules.name}")
    for field in RULE_FIELDS:
        shown = field.text(getattr(rules, field.name))
        console.print(f"{field.name:<18} {shown:<14} {field.meaning}".rstrip())
    of_games = next(field.name for field in RULE_FIELDS if field.of_games)
    console.print(
        f"\nthe fields from {of_games} on matter only to whole games (gin-sim simulate --games)"
    )
