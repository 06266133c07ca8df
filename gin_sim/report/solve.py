"""A solved knock rule, or the equilibrium of the knock, as a chart in text and as plain values."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from rich.console import Console

from gin_sim.analysis.equilibrium import ENOUGH, Equilibrium
from gin_sim.analysis.knock_answers import (
    Proof,
    opponent_deadwood,
    overrides_table,
    table_text,
    undercut_chances,
)
from gin_sim.analysis.knock_cells import Classes
from gin_sim.analysis.knock_regression import FeatureRule
from gin_sim.analysis.stats import Estimate
from gin_sim.analysis.stopping import SHOWN_FROM, Cell, Solved
from gin_sim.analysis.tracing import Traced
from gin_sim.errors import listed
from gin_sim.policies.knocking import TABLE_TURNS
from gin_sim.report.figures import aligned, estimate_object, number
from gin_sim.report.meetings import interval_text, objective_words

_SIGNS = {"knock": "K", "go on": ".", "too close": "~"}


@dataclass(frozen=True)
class SolvedAnswer:
    """A solved rule with all that is told of it.

    Parameters
    ----------
    found : Solved
    proof : Proof or None
    features : FeatureRule or None
        The rule by features, where it was wanted.
    objective : str
    seconds : float
    cut : sequence of str
        What is missing, or not whole, because it was stopped.
    saved : str or None
        The file that the rule is in.
    """

    found: Solved
    proof: Proof | None
    features: FeatureRule | None
    objective: str
    seconds: float
    cut: Sequence[str] = ()
    saved: str | None = None


def print_solved(answer: SolvedAnswer, console: Console) -> None:
    """Print the chart, what the rule is worth, its proof, and what it all rests on."""
    found, objective = answer.found, answer.objective
    plan = found.traced.plan
    console.print(
        f"When to knock: {plan.policies[0].spec} play against {plan.policies[1].spec} · "
        f"{objective_words(objective, plan.rules)} · {plan.rules.name} rules · "
        f"{len(found.traced.ends):,} deals traced{_cut_words(answer.cut)}\n"
    )
    for place in range(len(found.classes.names)):
        console.print("\n".join(_panel(found, place)) + "\n")
    for line in _worth_lines(found, answer.features, objective):
        console.print(line)
    console.print()
    for line in [*proof_lines(answer), *_notes(answer)]:
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


def proof_lines(answer: SolvedAnswer) -> list[str]:
    """Return what fresh deals say of a solved rule, or why they say nothing."""
    found, proof = answer.found, answer.proof
    by_features = "" if answer.features is None else " The rule by features is not proved."
    if proof is None:
        return [f"Not proved on fresh hands: {_unproved_words(answer)}.{by_features}"]
    base, opponent = found.traced.plan.policies
    words = "no difference is found" if proof.difference.spans_zero else "the rule is better"
    if proof.difference.high < 0:
        words = "the rule is worse"
    return [
        f"On {proof.hands:,} fresh mirrored hands against {opponent.spec}, the rule less "
        f"{base.spec}'s own: {interval_text(proof.difference, answer.objective)} a hand: {words}."
        f"{by_features}"
    ]


def _unproved_words(answer: SolvedAnswer) -> str:
    """Return why a rule was not played on fresh hands."""
    if table_text(answer.found) is None:
        return f"a knock table does not know --by {answer.found.classes.name}"
    return "it was stopped before" if "the proof" in answer.cut else "no --proof-hands"


def _panel(found: Solved, place: int) -> list[str]:
    met = [turn for turn, classes in enumerate(found.chart) if any(c.n for c in classes[place])]
    rows = [list(map(_cell_text, found.chart[turn][place])) for turn in range(_after(met))]
    return _turn_rows(found.classes, place, found.rule.shape[2], rows)


def _after(turns: Sequence[int]) -> int:
    return max(turns, default=-1) + 1


def _turn_rows(classes: Classes, place: int, deadwoods: int, rows: list[list[str]]) -> list[str]:
    """Return a class's heading, the deadwoods and a line for every turn from the first on."""
    several = len(classes.names) > 1
    title = f"{classes.meaning}: {classes.names[place]}" if several else "all knocks"
    head = ["  deadwood", *map(str, range(1, deadwoods))]
    names = [f"  turn {turn}{'+' * (turn == TABLE_TURNS)}" for turn in range(1, len(rows) + 1)]
    lines = [[name, *cells] for name, cells in zip(names, rows, strict=True)]
    return [f"  {title}", *(line.rstrip() for line in aligned([head, *lines]))]


def _cell_text(cell: Cell) -> str:
    if cell.decision == "few":
        return "few " if cell.n else ""
    return f"{cell.gain.estimate:+.1f}{_SIGNS[cell.decision]}"


def _warnings(found: Solved) -> list[str]:
    """Say where the deals are too few for the table, and what of the base is left out."""
    base, rules = found.traced.plan.policies[0], found.traced.plan.rules
    warnings = []
    if found.over_best_threshold.high < 0:
        fewer = "" if found.classes.name == "none" else ", or give --by none"
        warnings.append(
            f"The rule is worse than knocking at {best_threshold(found)} throughout: "
            f"{len(found.traced.ends):,} deals are too few for so many cells; trace more{fewer}."
        )
    if table_text(found) is not None and overrides_table(base, rules):
        warnings.append(
            f"The rule has close_within=0: {base.values['close_within']:g} of {base.spec} reaches "
            f"the target of {rules.target} from 0-0, so that no table would be asked."
        )
    return warnings


def _notes(answer: SolvedAnswer) -> list[str]:
    done = [
        word
        for word, is_done in (("saved", answer.saved), ("proved", answer.proof))
        if is_done is not None
    ]
    which = f"the rule that is {listed(done, 'and')}" if done else "the rule to play"
    return [
        *_warnings(answer.found),
        "Each cell: what a knock is worth more than going on. K knock, . go on, ~ too close to "
        f"tell (its own 95% interval spans zero), few: below {SHOWN_FROM} knocks; nothing: none.",
        "The deals fall into two halves, and each judges the rule of the other: a rule's value is "
        f"at most the best rule's, and a knock gains a little less than shown; {which} is that of "
        "all deals, and does what a cell says wherever that is clear.",
        f"seed {answer.found.traced.plan.seed} · {answer.seconds:.1f} s",
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
        for turn in range(_after(met))
    ]
    return _turn_rows(found.classes, place, deadwoods, rows)


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


# ---------------------------------------------------------------------------------------------
# Plain values


def solved_json(answer: SolvedAnswer) -> dict[str, Any]:
    """Return the result as plain values; timing stands under ``seconds`` alone."""
    found, features = answer.found, answer.features
    return {
        **_shared(found.traced, found.classes, answer.objective, answer.seconds, answer.cut),
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
        "proof": _proof_object(answer.proof),
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
        "saved": answer.saved,
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
