"""The equilibrium of the knock in text: its mixed chart, and how near it is."""

from __future__ import annotations

from collections.abc import Sequence

from rich.console import Console

from gin_sim.report.text.knocks import (
    blank_words,
    cut_words,
    end_words,
    goal_of,
    lead_words,
    rows_until,
    short_interval,
    table_notes,
    turn_rows,
)
from gin_sim.report.wording import aligned
from gin_sim.results.equilibrium import Equilibrium, KnockChance


def summary(found: Equilibrium) -> str:
    """Return how near the rule is to an equilibrium, and what that rests on, in a line."""
    at = f" at {found.score.words}" if found.score else ""
    gains = short_interval(found.exploitability, found.shown_unit)
    return (
        f"the best response to the mixed knock of {found.play.spec}{at} gains {gains}; "
        f"{found.rules.name} rules, {found.deals:,} deals, seed {found.seed}"
    )


def show(found: Equilibrium, console: Console, more: bool = True) -> None:
    """Print the mixed chart, how it converged and, with ``more``, what it is an equilibrium of."""
    console.print(
        f"When to knock in equilibrium: {found.play.spec} against itself · "
        f"{goal_of(found)} · {found.rules.name} rules · "
        f"{found.deals:,} deals traced{cut_words(found.cut)}\n"
    )
    sides = [("The player's rule:", found.chances)]
    if found.opponent_chances is not None:
        sides.append(("The opponent's rule:", found.opponent_chances))
    for words, chances in sides:
        if len(sides) > 1:
            console.print(words)
        for name in found.by.classes:
            console.print("\n".join(_mixed_panel(found, chances, name)) + "\n")
    rows = [["  rounds", f"best response gains, {found.shown_unit.shown}", "at most"]]
    for step in found.steps:
        unit = found.shown_unit
        rows.append(
            [
                f"  {step.rounds}",
                lead_words(step.exploitability, unit),
                lead_words(step.at_most, unit),
            ]
        )
    for line in aligned(rows):
        console.print(line)
    console.print(
        f"\n{reached_words(found)} The chart shows the rule after {found.rounds} rounds. "
        f"Each cell: how often it knocks. {blank_words()}"
    )
    for line in _notes(found) if more else []:
        console.print(line)


def _notes(found: Equilibrium) -> list[str]:
    return [
        "The best response's gain is judged on deals that did not choose it, so it is a little "
        "low. At most: judged on the deals that chose it, so a little high.",
        "An equilibrium of the knock for these draws and discards, not of gin rummy.",
        *table_notes(found),
        end_words(found.seed, found.seconds),
    ]


def _mixed_panel(found: Equilibrium, chances: Sequence[KnockChance], name: str) -> list[str]:
    some = [each for each in chances if each.class_name == name]
    n_turns = rows_until([each.turn for each in some if each.knocks])
    rows: list[list[str]] = [[] for _ in range(n_turns)]
    for each in some:
        if each.turn <= n_turns:
            rows[each.turn - 1].append(_chance_text(each))
    return turn_rows(found.by, name, chances, rows)


def reached_words(found: Equilibrium) -> str:
    """Say whether the mixed rule is near enough to an equilibrium for what is asked of it."""
    gains, at_most = found.exploitability, found.exploitability_at_most
    unit = found.shown_unit
    enough = f"{found.enough * unit.scale:g} {unit.shown}"
    if gains.low > found.enough:
        return f"The best response found gains more than {enough}: no equilibrium yet."
    if max(gains.high, at_most.high) < found.enough:
        return f"The best response found gains less than {enough}."
    if gains.high < found.enough:
        return (
            f"The best response found gains less than {enough} on deals that did not choose it, "
            "but another might gain more: trace more deals."
        )
    return f"Too close to call whether a best response gains {enough}: trace more deals."


def _chance_text(each: KnockChance) -> str:
    if not each.is_shown:
        return "few" if each.knocks else ""
    return f"{each.chance:.0%}"
