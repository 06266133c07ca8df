"""Values of a policy against each other: the matrix and its equilibrium, printed and as values."""

from __future__ import annotations

import math
from typing import Any

from rich.console import Console

from gin_sim.contests.value_matrix import Payoffs, verdict
from gin_sim.report.text.matchups import (
    correction_words,
    footer,
    interval_text,
    lead_text,
    objective_words,
    sample_words,
    study_object,
    within_words,
)
from gin_sim.report.text.sweep import title_of, variations_object
from gin_sim.report.wording import aligned, estimate_object, number
from gin_sim.stats.intervals import Estimate
from gin_sim.stats.matrix_games import BOOTSTRAP_DRAWS
from gin_sim.words import listed


def print_payoffs(found: Payoffs, console: Console) -> None:
    """Print the matrix, the replies, the equilibrium, the verdict and what it all rests on."""
    leads = found.leads
    plan = leads.played.plan
    objective = plan.objective
    partial = " · PARTIAL: stopped early" if leads.played.partial else ""
    console.print(
        f"{title_of(found.grid)}, each against each · {objective_words(objective, plan.rules)} · "
        f"{plan.rules.name} rules · {sample_words(plan, leads.n_units)} for each cell{partial}\n"
    )
    for lines in (_matrix(found), _replies(found), _equilibrium(found)):
        for line in lines:
            console.print(line.rstrip())
        console.print()
    console.print(verdict(found))
    for line in footer(leads, [f"95% intervals {_correction(found)}. {_BOOTSTRAP}"]):
        console.print(line)


_BOOTSTRAP = (
    "The lead over the equilibrium is over its mixture as it stands. "
    f"Weights have 95% intervals over {BOOTSTRAP_DRAWS:,} bootstrap samples of the deals; an "
    "equilibrium among these values for this play, not of gin rummy."
)


def _names(found: Payoffs) -> list[str]:
    (variation,) = found.grid.variations
    return [variation.text(value) for value in variation.values]


def _matrix(found: Payoffs) -> list[str]:
    names = _names(found)
    objective = found.leads.played.plan.objective
    scale, places = (100, 1) if objective == "win" else (1, 2)
    rows = [["  row over column", *names]]
    for name, row in zip(names, found.cells, strict=True):
        rows.append([f"  {name}", *(_cell(figure, scale, places) for figure in row)])
    figures = [figure for row in found.cells for figure in row]
    return [*aligned(rows), *within_words(figures, objective, "; ~ no difference found")]


def _cell(figure: Estimate, scale: int, places: int) -> str:
    if figure.estimate == figure.low == figure.high == 0:
        return ". "
    return f"{figure.estimate * scale:+.{places}f}{'~' if figure.spans_zero else ' '}"


def _replies(found: Payoffs) -> list[str]:
    names = _names(found)
    objective = found.leads.played.plan.objective
    rows = [["  against", "best reply", "lead", "not told from it"]]
    for name, reply in zip(names, found.replies, strict=True):
        others = [names[value] for value in reply.among_best if value != reply.best]
        rows.append(
            [
                f"  {name}",
                names[reply.best],
                lead_text(reply.lead, objective),
                listed(others, "and") if others else "-",
            ]
        )
    return aligned(rows)


def _equilibrium(found: Payoffs) -> list[str]:
    names = _names(found)
    objective = found.leads.played.plan.objective
    avoided = {each.value: each for each in found.avoided}
    rows = [["  equilibrium", "weight", "lead over it", ""]]
    for value, (name, weight, lead) in enumerate(
        zip(names, found.equilibrium, found.against_equilibrium, strict=True)
    ):
        note = "-"
        if value in avoided:
            by = [
                f"{names[other]}{f' ({share:.0%})' if share < 1 else ''}"
                for other, share in enumerate(avoided[value].weights)
                if share
            ]
            note = f"dominated by {listed(by, 'and')}"
        rows.append([f"  {name}", _weight_text(weight), interval_text(lead, objective), note])
    worth = interval_text(found.value, objective)
    if found.value.low == found.value.high == 0:
        worth = "0, since both sides choose from the same"
    return [*aligned(rows), f"  value of the game to the row: {worth}"]


def _weight_text(weight: Estimate) -> str:
    if math.isnan(weight.low):
        return f"{weight.estimate:.0%}"
    return f"{weight.estimate:.0%} [{weight.low:.0%}, {weight.high:.0%}]"


def _correction(found: Payoffs) -> str:
    return correction_words(found.leads, "all cells of the matrix", len(found.cells))


def payoffs_json(found: Payoffs) -> dict[str, Any]:
    """Return the result as plain values; timing stands under ``seconds`` alone."""
    (variation,) = found.grid.variations
    values = list(variation.values)
    return {
        **study_object(found.leads, _correction(found), verdict(found)),
        "base": found.grid.base.spec,
        "base_policy": found.grid.base.as_dict(),
        "parameters": variations_object(found.grid),
        "cells": [
            {"row": row, "column": column, **estimate_object(figure)}
            for row, figures in zip(values, found.cells, strict=True)
            for column, figure in zip(values, figures, strict=True)
        ],
        "best_replies": [
            {
                "to": value,
                "best": values[reply.best],
                **estimate_object(reply.lead),
                "among_best": [values[other] for other in reply.among_best],
            }
            for value, reply in zip(values, found.replies, strict=True)
        ],
        "dominated": [
            {
                "value": values[each.value],
                "by": [
                    {"value": values[other], "weight": share}
                    for other, share in enumerate(each.weights)
                    if share
                ],
                "margin": estimate_object(each.margin),
            }
            for each in found.avoided
        ],
        "equilibrium": {
            "mixture": [
                {
                    "value": value,
                    "weight": weight.estimate,
                    "low": number(weight.low),
                    "high": number(weight.high),
                }
                for value, weight in zip(values, found.equilibrium, strict=True)
            ],
            "value": estimate_object(found.value),
            "payoffs": [
                {"value": value, **estimate_object(figure)}
                for value, figure in zip(values, found.against_equilibrium, strict=True)
            ],
        },
    }
