"""The equilibrium of the knock: its mixed chart and how near it is, in text and plain values."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from rich.console import Console

from gin_sim.knock.best_response import SHOWN_FROM
from gin_sim.knock.cells import Classes
from gin_sim.knock.equilibrium import ENOUGH, Equilibrium, MixedRule
from gin_sim.report.text.knocks import (
    cut_words,
    goal_words,
    rows_until,
    shared_object,
    table_notes,
    turn_rows,
)
from gin_sim.report.text.matchups import interval_text
from gin_sim.report.wording import aligned, estimate_object


def print_equilibrium(
    found: Equilibrium, seconds: float, cut: Sequence[str], console: Console
) -> None:
    """Print the mixed chart, how it converged, and what it is an equilibrium of.

    ``cut`` names what is missing, or not whole, because it was stopped.
    """
    plan = found.traced.plan
    console.print(
        f"When to knock in equilibrium: {plan.policies[0].spec} play on both sides · "
        f"{goal_words(found.worth, plan.rules)} · {plan.rules.name} rules · "
        f"{len(found.traced.ends):,} deals traced{cut_words(cut)}\n"
    )
    for side, rule in enumerate(found.sides[: 1 if found.is_even else 2]):
        if not found.is_even:
            console.print(("The player's rule:", "The opponent's rule:")[side])
        for place in range(len(found.classes.names)):
            console.print("\n".join(_mixed_panel(found.classes, rule, place)) + "\n")
    rows = [["  rounds", "best answer gains", "at most"]]
    for step in found.steps:
        rows.append(
            [
                f"  {step.rounds}",
                interval_text(step.exploitability),
                interval_text(step.at_most),
            ]
        )
    for line in aligned(rows):
        console.print(line)
    console.print(
        f"\n{reached_words(found)} The rule is that of {found.best.rounds} rounds. Cells: how "
        f"often it knocks, in %; few: below {SHOWN_FROM} knocks; nothing: none.\n"
        "The best answer's gain a hand is judged on deals that did not choose it, which is a "
        "little low, and at most on those that did, which is a little high.\n"
        "An equilibrium of the knock for these draws and discards, not of gin rummy.\n"
        + "".join(f"{line}\n" for line in table_notes(found.worth))
        + f"seed {plan.seed} · {seconds:.1f} s"
    )


def _mixed_panel(classes: Classes, rule: MixedRule, place: int) -> list[str]:
    met = np.flatnonzero(np.rint(rule.weights[:, place, 1:]).any(axis=1)).tolist()
    deadwoods = rule.chances.shape[2]
    rows = [
        [_chance_text(rule, turn, place, deadwood) for deadwood in range(1, deadwoods)]
        for turn in range(rows_until(met))
    ]
    return turn_rows(classes, place, deadwoods, rows)


def reached_words(found: Equilibrium) -> str:
    """Say whether the mixed rule is near enough to an equilibrium for what is asked of it."""
    gains, at_most = found.best.exploitability, found.best.at_most
    enough = f"{ENOUGH:g} {found.worth.unit if found.worth.state else 'a hand'}"
    if gains.low > ENOUGH:
        return f"The best answer found gains more than {enough}: no equilibrium yet."
    if max(gains.high, at_most.high) < ENOUGH:
        return f"The best answer found gains less than {enough}."
    if gains.high < ENOUGH:
        return (
            f"The best answer found gains less than {enough} on deals that did not choose "
            "it; that none gains more is not shown: trace more deals."
        )
    return f"Whether a best answer gains {enough} is too close to tell: trace more deals."


def _chance_text(rule: MixedRule, turn: int, place: int, deadwood: int) -> str:
    weight = rule.weights[turn, place, deadwood]
    if weight < SHOWN_FROM:
        return "few" if round(weight) else ""
    return f"{rule.chances[turn, place, deadwood]:.0%}"


def equilibrium_json(found: Equilibrium, seconds: float, cut: Sequence[str]) -> dict[str, Any]:
    """Return the result as plain values; timing stands under ``seconds`` alone."""
    last = found.best
    return {
        **shared_object(found.traced, found.classes, found.worth, seconds, cut),
        "chances": _chances_object(found, 0),
        "opponent_chances": None if found.is_even else _chances_object(found, 1),
        "steps": [
            {
                "rounds": step.rounds,
                **estimate_object(step.exploitability),
                "at_most": estimate_object(step.at_most),
            }
            for step in found.steps
        ],
        "exploitability": estimate_object(last.exploitability),
        "exploitability_at_most": estimate_object(last.at_most),
        "enough": ENOUGH,
        "value": estimate_object(found.value),
    }


def _chances_object(found: Equilibrium, side: int) -> list[dict[str, Any]]:
    rule = found.sides[side]
    return [
        {
            "turn": int(turn) + 1,
            "class": found.classes.names[place],
            "deadwood": int(deadwood),
            "chance": float(rule.chances[turn, place, deadwood]),
            "knocks": round(float(rule.weights[turn, place, deadwood])),
        }
        for turn, place, deadwood in np.ndindex(rule.chances.shape)
        if deadwood
    ]
