"""A solved knock rule, as a chart in text and as plain values."""

from __future__ import annotations

import math
import shlex
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from rich.console import Console

from gin_sim.knock.best_response import SHOWN_FROM, Cell, Solved
from gin_sim.knock.regression import FeatureRule
from gin_sim.knock.self_consistent import Round
from gin_sim.knock.validation import (
    Proof,
    left_out,
    table_text,
    undercut_chances,
)
from gin_sim.payoff.score import State
from gin_sim.report.text.knocks import (
    cut_words,
    goal_words,
    rows_until,
    score_words,
    shared_object,
    table_notes,
    turn_rows,
    worth_text,
)
from gin_sim.report.text.matchups import interval_text
from gin_sim.report.wording import counted, estimate_object, number
from gin_sim.stats.intervals import Estimate
from gin_sim.words import listed

DEFAULT_RULES = "standard"  # that `gin-sim simulate` plays by if it is told no others
SIGNS = {"knock": "K", "play on": ".", "too close": "~"}

NOTE_OF_HALVES = (
    "The deals fall into two halves, and each judges the rule of the other: a rule's value is at "
    "most the best rule's, and a knock gains a little less than shown."
)


@dataclass(frozen=True)
class SolvedAnswer:
    """A solved rule with all that is told of it.

    Parameters
    ----------
    found : Solved
    proof : Proof or None
    features : FeatureRule or None
        The rule by features, where it was wanted.
    seconds : float
    cut : sequence of str
        What is missing, or not whole, because it was stopped.
    saved : str or None
        The file that the rule is in.
    rounds : sequence of Round
        Of solving for the equity of the rule's own play; empty where that was not asked for.
    """

    found: Solved
    proof: Proof | None
    features: FeatureRule | None
    seconds: float
    cut: Sequence[str] = ()
    saved: str | None = None
    rounds: Sequence[Round] = ()


def print_solved(answer: SolvedAnswer, console: Console) -> None:
    """Print the chart, what the rule is worth, its proof, and what it all rests on."""
    found = answer.found
    plan = found.traced.plan
    console.print(
        f"When to knock: {plan.policies[0].spec} play against {plan.policies[1].spec} · "
        f"{goal_words(found.worth, plan.rules)} · {plan.rules.name} rules · "
        f"{len(found.traced.ends):,} deals traced{cut_words(answer.cut)}\n"
    )
    for place in range(len(found.classes.names)):
        console.print("\n".join(_panel(found, place)) + "\n")
    for line in _worth_lines(found, answer.features):
        console.print(line)
    console.print()
    for line in [*proof_lines(answer), *_notes(answer)]:
        console.print(line)


def saved_words(path: str, found: Solved) -> str:
    """Return how to play a saved rule as it was solved, and where that is not all that it plays."""
    plan = found.traced.plan
    words = ["gin-sim", "simulate", path, plan.policies[1].spec]
    if plan.rules.name != DEFAULT_RULES:
        words += ["--rules", plan.rules.name]
    state = found.worth.state
    at = "" if state is None else score_words(state, found.worth.equity.box)
    everywhere = f"\nThe rule was solved at {at}; the file plays it at every score." if at else ""
    return f"Saved; play it: {shlex.join(words)}{everywhere}"


def _worth_lines(found: Solved, features: FeatureRule | None) -> list[str]:
    base = found.traced.plan.policies[0].spec
    rows = [
        ["  the rule", worth_text(found.value, found.worth)],
        [f"  {base}'s own", worth_text(found.own, found.worth)],
        ["  the rule - its own", interval_text(found.gain)],
        [
            f"  the rule - the best single threshold ({best_threshold(found)})",
            interval_text(found.over_best_threshold),
        ],
    ]
    if features is not None:
        rows += [
            ["  the rule by features", worth_text(features.value, found.worth)],
            [
                "  by features - the rule",
                interval_text(features.over(found.values)),
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
    per = "a hand" if found.worth.state is None else found.worth.unit
    if proof.difference.high < 0:
        words = "the rule is worse"
    return [
        f"On {proof.hands:,} fresh mirrored hands against {opponent.spec}, the rule less "
        f"{base.spec}'s own: {interval_text(proof.difference)} {per}: {words}."
        f"{by_features}"
    ]


def _unproved_words(answer: SolvedAnswer) -> str:
    """Return why a rule was not played on fresh hands."""
    if table_text(answer.found) is None:
        return f"a knock table does not know --by {answer.found.classes.name}"
    return "it was stopped before" if "the proof" in answer.cut else "no --proof-hands"


def _panel(found: Solved, place: int) -> list[str]:
    met = [turn for turn, classes in enumerate(found.chart) if any(c.n for c in classes[place])]
    rows = [list(map(_cell_text, found.chart[turn][place])) for turn in range(rows_until(met))]
    return turn_rows(found.classes, place, found.rule.shape[2], rows)


def _cell_text(cell: Cell) -> str:
    if cell.decision == "few":
        return "few " if cell.n else ""
    return f"{cell.gain.estimate:+.1f}{SIGNS[cell.decision]}"


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
    if table_text(found) is None:
        return warnings
    state = found.worth.state or State(0, 0)
    for name in left_out(base, found):
        warnings.append(
            f"The rule has {name}=0: {base.values[name]:g} of {base.spec} "
            + (
                f"reaches the target of {rules.target} from {state.mine}-{state.theirs}, so that "
                "no table would be asked."
                if name == "close_within"
                else f"would shift the table at {state.mine}-{state.theirs}."
            )
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
        *table_notes(answer.found.worth),
        *_rounds_notes(answer),
        "Each cell: what a knock is worth more than playing on. K knock, . go on, ~ too close to "
        f"tell (its own 95% interval spans zero), few: below {SHOWN_FROM} knocks; nothing: none.",
        f"{NOTE_OF_HALVES[:-1]}; {which} is that of all deals, and does what a cell says wherever "
        "that is clear.",
        f"seed {answer.found.traced.plan.seed} · {answer.seconds:.1f} s",
    ]


def _rounds_notes(answer: SolvedAnswer) -> list[str]:
    """Say how the rule became that of its own later play."""
    rounds = answer.rounds
    if not rounds:
        return []
    *_, last = rounds
    changes = [
        f"{each.changed} ({each.clearly} clear)" for each in rounds if each.changed is not None
    ]
    done = counted(len(rounds), "round")
    settled = "where it changed no more" if last.settled else "and it still changed"
    how = f"Later hands are played by the rule that is solved at 0-0 for them, after {done}, "
    how += settled
    if "the rounds" in answer.cut:
        how = f"Stopped after {done}: the rule is the last one's, at 0-0"
    return [
        f"{how}; cells that changed, round by round: "
        f"{listed(changes, 'and') if changes else 'none'}. From 0-0 the play of each round reaches "
        f"{listed([f'{each.start:.2f}' for each in rounds], 'and')} {answer.found.worth.unit}."
    ]


# ---------------------------------------------------------------------------------------------
# Plain values


def solved_json(answer: SolvedAnswer) -> dict[str, Any]:
    """Return the result as plain values; timing stands under ``seconds`` alone."""
    found, features = answer.found, answer.features
    return {
        **shared_object(found.traced, found.classes, found.worth, answer.seconds, answer.cut),
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
                "rule": "knock" if found.rule[turn, place, deadwood + 1] else "play on",
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
        "iterated": [
            {
                "round": number,
                "worth_at_0_0": each.start,
                "changed": each.changed,
                "clearly_changed": each.clearly,
                "settled": each.settled,
            }
            for number, each in enumerate(answer.rounds, 1)
        ],
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
