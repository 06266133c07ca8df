"""A solved knock rule, or the equilibrium of the knock, as a chart in text and as plain values."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

import numpy as np
from rich.console import Console

from gin_sim.analysis.equilibrium import ENOUGH, Equilibrium
from gin_sim.analysis.knock_answers import (
    Proof,
    opponent_deadwood,
    table_text,
    undercut_chances,
)
from gin_sim.analysis.knock_cells import Classes
from gin_sim.analysis.knock_regression import FeatureRule
from gin_sim.analysis.stats import Estimate
from gin_sim.analysis.stopping import SHOWN_FROM, Solved
from gin_sim.analysis.tracing import Traced
from gin_sim.errors import listed
from gin_sim.report.figures import aligned, estimate_object, number
from gin_sim.report.meetings import interval_text, objective_words

_SIGNS = {"knock": "K", "go on": ".", "too close": "~"}
_SHOWN_TURNS = 14


def print_solved(
    found: Solved,
    proof: Proof | None,
    features: FeatureRule | None,
    objective: str,
    seconds: float,
    cut: Sequence[str],
    console: Console,
) -> None:
    """Print the chart, what the rule is worth, its proof, and what it all rests on.

    ``cut`` names what is missing, or not whole, because it was stopped.
    """
    plan = found.traced.plan
    console.print(
        f"When to knock: {plan.policies[0].spec} play against {plan.policies[1].spec} · "
        f"{objective_words(objective, plan.rules)} · {plan.rules.name} rules · "
        f"{len(found.traced.ends):,} deals traced{_cut_words(cut)}\n"
    )
    for number_, name in enumerate(found.classes.names):
        for line in _panel(found, number_, name):
            console.print(line)
        console.print()
    for line in _worth_lines(found, features, objective):
        console.print(line)
    console.print()
    for line in [*proof_lines(found, proof, objective), *_notes(found.traced, seconds)]:
        console.print(line)


def _cut_words(cut: Sequence[str]) -> str:
    """Return what an interrupt left unfinished, for a first line."""
    return f" · PARTIAL: stopped early, {listed(cut, 'and')} not whole" if cut else ""


def _worth_lines(found: Solved, features: FeatureRule | None, objective: str) -> list[str]:
    base = found.traced.plan.policies[0].spec
    rows = [
        ["  the rule", interval_text(found.value, objective)],
        [f"  {base}'s own", interval_text(found.own, objective)],
        ["  the rule - its own", interval_text(found.gain, objective)],
        [
            f"  the rule - the best single threshold ({best_threshold(found)})",
            interval_text(found.over_best_threshold, objective),
        ],
    ]
    if features is not None:
        rows += [
            ["  the rule by features", interval_text(features.value, objective)],
            [
                "  by features - the rule",
                interval_text(features.over(found.values), objective),
            ],
        ]
    width = max(len(label) for label, _ in rows)
    return [f"{label:<{width}}   {figure}" for label, figure in rows]


def best_threshold(found: Solved) -> int:
    """Return the single threshold that does best."""
    values = [threshold.estimate for threshold in found.thresholds]
    return values.index(max(values))


def proof_lines(found: Solved, proof: Proof | None, objective: str) -> list[str]:
    """Return what fresh deals say of a solved rule."""
    if proof is None:
        return []
    base, opponent = found.traced.plan.policies
    words = "no difference is found" if proof.difference.spans_zero else "the rule is better"
    if proof.difference.high < 0:
        words = "the rule is worse"
    return [
        f"On {proof.hands:,} fresh mirrored hands against {opponent.spec}, the rule less "
        f"{base.spec}'s own: {interval_text(proof.difference, objective)} a hand: {words}."
    ]


def _panel(found: Solved, place: int, name: str) -> list[str]:
    title = f"{found.classes.meaning}: {name}" if len(found.classes.names) > 1 else "all knocks"
    deadwoods = found.rule.shape[2]
    rows = [[f"  {title}", *map(str, range(1, deadwoods))]]
    last = max(
        (
            turn
            for turn, classes in enumerate(found.chart)
            if any(cell.decision != "few" for cell in classes[place])
        ),
        default=-1,
    )
    for turn in range(min(last + 1, _SHOWN_TURNS)):
        cells = found.chart[turn][place]
        rows.append([f"  turn {turn + 1}", *map(_cell_text, cells)])
    return aligned(rows)


def _cell_text(cell) -> str:
    if cell.decision == "few":
        return "few "
    return f"{cell.gain.estimate:+.1f}{_SIGNS[cell.decision]}"


def _notes(traced: Traced, seconds: float) -> list[str]:
    return [
        "Each cell: what a knock is worth more than going on. K knock, . go on, ~ too close to "
        f"tell (its own 95% interval spans zero), few: below {SHOWN_FROM} knocks.",
        "The deals fall into two halves, and each judges the rule of the other: a rule's value is "
        "at most the best rule's, and a knock gains a little less than shown; the rule that is "
        "saved and proved is that of all deals.",
        f"seed {traced.plan.seed} · {seconds:.1f} s",
    ]


def print_equilibrium(
    found: Equilibrium, objective: str, seconds: float, cut: Sequence[str], console: Console
) -> None:
    """Print the mixed chart, how it converged, and what it is an equilibrium of.

    ``cut`` is as in :func:`print_solved`.
    """
    plan = found.traced.plan
    console.print(
        f"When to knock in equilibrium: {plan.policies[0].spec} play on both sides · "
        f"{objective_words(objective, plan.rules)} · {plan.rules.name} rules · "
        f"{len(found.traced.ends):,} deals traced{_cut_words(cut)}\n"
    )
    for place, name in enumerate(found.classes.names):
        title = f"{found.classes.meaning}: {name}" if len(found.classes.names) > 1 else "all knocks"
        rows = [[f"  {title}", *map(str, range(1, found.chances.shape[2]))]]
        for turn in range(_SHOWN_TURNS):
            rows.append(
                [
                    f"  turn {turn + 1}",
                    *(
                        _chance_text(found, turn, place, deadwood)
                        for deadwood in range(1, found.chances.shape[2])
                    ),
                ]
            )
        for line in aligned(rows):
            console.print(line)
        console.print()
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
        f"\n{_reached(found)} The rule is that of {found.best.rounds} rounds. Cells: how often it "
        f"knocks, in %; few: below {SHOWN_FROM} knocks.\n"
        "The best answer's gain a hand is judged on deals that did not choose it, which is a "
        "little low, and at most on those that did, which is a little high.\n"
        "An equilibrium of the knock for these draws and discards, not of gin rummy.\n"
        f"seed {plan.seed} · {seconds:.1f} s"
    )


def _reached(found: Equilibrium) -> str:
    """Say whether the mixed rule is near enough to an equilibrium for what is asked of it."""
    gains = found.best.exploitability
    if gains.high < ENOUGH:
        return f"The best answer found gains less than {ENOUGH:g} a hand."
    if gains.low > ENOUGH:
        return f"The best answer found gains more than {ENOUGH:g} a hand: no equilibrium yet."
    return f"Whether a best answer gains {ENOUGH:g} a hand is too close to tell: trace more deals."


def _chance_text(found: Equilibrium, turn: int, place: int, deadwood: int) -> str:
    if found.weights[turn, place, deadwood] < SHOWN_FROM:
        return "few"
    return f"{found.chances[turn, place, deadwood]:.0%}"


# ---------------------------------------------------------------------------------------------
# Plain values


def solved_json(
    found: Solved,
    proof: Proof | None,
    features: FeatureRule | None,
    objective: str,
    seconds: float,
    cut: Sequence[str],
    saved: str | None,
) -> dict[str, Any]:
    """Return the result as plain values; timing stands under ``seconds`` alone."""
    return {
        **_shared(found.traced, found.classes, objective, seconds, cut),
        "against": found.traced.plan.policies[1].spec,
        "opponent": found.traced.plan.policies[1].as_dict(),
        "cells": [
            {
                "turn": turn + 1,
                "class": found.classes.names[place],
                "deadwood": deadwood + 1,
                **_gain_object(cell.gain),
                "knocks": cell.n,
                "decision": cell.decision,
                "rule": "knock" if found.rule[turn, place, deadwood + 1] else "go on",
            }
            for turn, classes in enumerate(found.chart)
            for place, cells in enumerate(classes)
            for deadwood, cell in enumerate(cells)
        ],
        "knock": table_text(found),
        "value": estimate_object(found.value),
        "own": estimate_object(found.own),
        "gain": estimate_object(found.gain),
        "over_best_threshold": estimate_object(found.over_best_threshold),
        "thresholds": [
            {"knock": threshold, **estimate_object(figure)}
            for threshold, figure in enumerate(found.thresholds)
        ],
        "features": features
        and {
            "value": estimate_object(features.value),
            "in_sample": estimate_object(features.in_sample),
            "over_rule": estimate_object(features.over(found.values)),
        },
        "proof": _proof_object(proof),
        "undercuts": [
            {
                "turn": turn,
                "deadwood": deadwood,
                "chance": number(chance.estimate),
                "low": number(chance.low),
                "high": number(chance.high),
                "knocks": n,
            }
            for turn, deadwood, chance, n in undercut_chances(found.traced)
        ],
        "saved": saved,
    }


def equilibrium_json(
    found: Equilibrium, objective: str, seconds: float, cut: Sequence[str]
) -> dict[str, Any]:
    """Return the result as plain values; timing stands under ``seconds`` alone."""
    last = found.best
    return {
        **_shared(found.traced, found.classes, objective, seconds, cut),
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


def _shared(
    traced: Traced, classes: Classes, objective: str, seconds: float, cut: Sequence[str]
) -> dict[str, Any]:
    plan = traced.plan
    return {
        "objective": objective,
        "unit": "points a hand",
        "sample": f"{len(traced.ends):,} deals traced",
        "deals": len(traced.ends),
        "seed": plan.seed,
        "rules": plan.rules.as_dict(),
        "confidence": 0.95,
        "play": plan.policies[0].spec,
        "play_policy": plan.policies[0].as_dict(),
        "by": {
            "name": classes.name,
            "meaning": classes.meaning,
            "classes": list(classes.names),
        },
        "defenders": [
            {"turn": turn, "counts": counts} for turn, counts in opponent_deadwood(traced)
        ],
        "partial": bool(cut),
        "cut": list(cut),
        "seconds": {"all": round(seconds, 3)},
    }


def _gain_object(figure: Estimate) -> dict[str, float | None]:
    known = not math.isnan(figure.low)
    return {
        "gain": number(figure.estimate),
        "low": figure.low if known else None,
        "high": figure.high if known else None,
    }


def _proof_object(proof: Proof | None) -> dict[str, Any] | None:
    if proof is None:
        return None
    return {
        "hands": proof.hands,
        "solved": estimate_object(proof.solved),
        "own": estimate_object(proof.own),
        "difference": estimate_object(proof.difference),
    }
