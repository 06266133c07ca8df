"""The equilibrium of the knock: its mixed chart and how near it is, in text and plain values."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from rich.console import Console

from gin_sim.analysis.equilibrium import ENOUGH, Equilibrium
from gin_sim.analysis.stopping import SHOWN_FROM
from gin_sim.report.figures import aligned, estimate_object
from gin_sim.report.knocks import cut_words, rows_until, shared_object, turn_rows
from gin_sim.report.meetings import interval_text, objective_words


def print_equilibrium(
    found: Equilibrium, objective: str, seconds: float, cut: Sequence[str], console: Console
) -> None:
    """Print the mixed chart, how it converged, and what it is an equilibrium of.

    ``cut`` names what is missing, or not whole, because it was stopped.
    """
    plan = found.traced.plan
    console.print(
        f"When to knock in equilibrium: {plan.policies[0].spec} play on both sides · "
        f"{objective_words(objective, plan.rules)} · {plan.rules.name} rules · "
        f"{len(found.traced.ends):,} deals traced{cut_words(cut)}\n"
    )
    for place in range(len(found.classes.names)):
        console.print("\n".join(_mixed_panel(found, place)) + "\n")
    rows = [["  rounds", "best answer gains", "at most"]]
    for step in found.steps:
        rows.append(
            [
                f"  {step.rounds}",
                interval_text(step.exploitability, objective),
                interval_text(step.at_most, objective),
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
        f"seed {plan.seed} · {seconds:.1f} s"
    )


def _mixed_panel(found: Equilibrium, place: int) -> list[str]:
    met = np.flatnonzero(np.rint(found.weights[:, place, 1:]).any(axis=1)).tolist()
    deadwoods = found.chances.shape[2]
    rows = [
        [_chance_text(found, turn, place, deadwood) for deadwood in range(1, deadwoods)]
        for turn in range(rows_until(met))
    ]
    return turn_rows(found.classes, place, deadwoods, rows)


def reached_words(found: Equilibrium) -> str:
    """Say whether the mixed rule is near enough to an equilibrium for what is asked of it."""
    gains, at_most = found.best.exploitability, found.best.at_most
    if gains.low > ENOUGH:
        return f"The best answer found gains more than {ENOUGH:g} a hand: no equilibrium yet."
    if max(gains.high, at_most.high) < ENOUGH:
        return f"The best answer found gains less than {ENOUGH:g} a hand."
    if gains.high < ENOUGH:
        return (
            f"The best answer found gains less than {ENOUGH:g} a hand on deals that did not choose "
            "it; that none gains more is not shown: trace more deals."
        )
    return f"Whether a best answer gains {ENOUGH:g} a hand is too close to tell: trace more deals."


def _chance_text(found: Equilibrium, turn: int, place: int, deadwood: int) -> str:
    weight = found.weights[turn, place, deadwood]
    if weight < SHOWN_FROM:
        return "few" if round(weight) else ""
    return f"{found.chances[turn, place, deadwood]:.0%}"


def equilibrium_json(
    found: Equilibrium, objective: str, seconds: float, cut: Sequence[str]
) -> dict[str, Any]:
    """Return the result as plain values; timing stands under ``seconds`` alone."""
    last = found.best
    return {
        **shared_object(found.traced, found.classes, objective, seconds, cut),
        "chances": [
            {
                "turn": int(turn) + 1,
                "class": found.classes.names[place],
                "deadwood": int(deadwood),
                "chance": float(found.chances[turn, place, deadwood]),
                "knocks": round(float(found.weights[turn, place, deadwood])),
            }
            for turn, place, deadwood in np.ndindex(found.chances.shape)
            if deadwood
        ],
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
