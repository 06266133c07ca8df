"""A sweep of one or two numbers as tables, on the terminal and as plain values."""

from __future__ import annotations

from typing import Any

import msgspec
from rich.console import Console

from gin_sim.contests.sweep import Sweep, Table, verdict
from gin_sim.payoff.results import later_hands_of, score_of
from gin_sim.policies.variations import Grid
from gin_sim.report.text.knocks import equity_notes
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
from gin_sim.report.wording import aligned, counted_words, estimate_object
from gin_sim.results.score import Score
from gin_sim.words import listed

_SIGN = "*"  # beside the values among the best


def print_sweep(found: Sweep, console: Console) -> None:
    """Print a table for one number, or a grid for each opponent; the verdict; what it rests on."""
    leads, worth = found.leads, found.worth
    plan = leads.played.plan
    partial = " · PARTIAL: stopped early" if leads.played.partial else ""
    score = score_of(worth) if worth else None
    goal = objective_words(plan.objective, plan.rules)
    if worth and score:
        goal = f"{worth.unit} at {score.words}"
    console.print(
        f"{title_of(found.grid)} · {goal} · "
        f"{plan.rules.name} rules · {sample_words(plan, leads.n_units)} for each cell{partial}\n"
    )
    show = _line_table if len(found.grid.variations) == 1 else _grid_table
    for table in found.tables:
        for line in show(found, table):
            console.print(line.rstrip())
        console.print()
    console.print(verdict(found))
    lines = [
        f"{_SIGN} no other value is found to be better, all comparisons allowed for.",
        f"95% intervals {_correction(found)}; those to the best for each value at once.",
        *_worth_notes(found),
    ]
    for line in footer(leads, lines, worth.unit if worth else None):
        console.print(line)


def _worth_notes(found: Sweep) -> list[str]:
    if not found.worths:
        return []
    later = [later_hands_of(worth.equity) for worth in found.worths if worth.equity is not None]
    return equity_notes(later, found.worths[0].objective, "the hands of this sweep")


def title_of(grid: Grid) -> str:
    """Return what is varied: "greedy by knock"."""
    return f"{grid.base.spec} by {' and '.join(each.name for each in grid.variations)}"


def against_words(table: Table) -> str:
    """Return whom a table is against."""
    return f"against {table.against}" if table.against else "against all, the mean"


def _line_table(found: Sweep, table: Table) -> list[str]:
    (variation,) = found.grid.variations
    objective = found.leads.played.plan.objective
    rows = [[f"  {variation.name}", against_words(table), "", "to the best"]]
    for number, cell in enumerate(table.cells):
        to_best = "best" if number == table.best else interval_text(cell.to_best, objective)
        rows.append(
            [
                f"  {variation.text(variation.values[number])}",
                _signed(lead_text(cell.lead, objective), found),
                _SIGN if cell.among_best else "",
                to_best,
            ]
        )
    return aligned(rows)


def _grid_table(found: Sweep, table: Table) -> list[str]:
    down, across = found.grid.variations
    objective = found.leads.played.plan.objective
    n_across = len(across.values)
    scale, places = (100, 1) if objective == "win" else (1, 2)
    rows = [[f"  {down.name} \\ {across.name}", *map(across.text, across.values)]]
    for row, value in enumerate(down.values):
        cells = table.cells[row * n_across : row * n_across + n_across]
        texts = [
            _signed(f"{cell.lead.estimate * scale:+.{places}f}", found)
            + (_SIGN if cell.among_best else " ")
            for cell in cells
        ]
        rows.append([f"  {down.text(value)}", *texts])
    lines = [f"  {against_words(table)}", *aligned(rows)]
    return [*lines, *within_words([cell.lead for cell in table.cells], objective)]


def _signed(text: str, found: Sweep) -> str:
    """Return a figure's text; a chance has no sign."""
    return text.removeprefix("+") if found.worth and found.worth.level else text


def _correction(found: Sweep) -> str:
    n_cells = len(found.grid.policies)
    return correction_words(found.leads, f"the {n_cells} values of a table", n_cells)


def variations_object(grid: Grid) -> list[dict[str, Any]]:
    """Return what is varied for JSON."""
    return [
        {
            "name": variation.name,
            "unit": variation.unit,
            "meaning": variation.meaning,
            "values": list(variation.values),
        }
        for variation in grid.variations
    ]


def sweep_json(found: Sweep) -> dict[str, Any]:
    """Return the result as plain values; timing stands under ``seconds`` alone."""
    grid = found.grid
    values = [list(grid.values_of(cell)) for cell in range(len(grid.policies))]
    return {
        **study_object(found.leads, _correction(found), verdict(found)),
        **_score_object(found),
        "base": grid.base.spec,
        "base_policy": grid.base.as_dict(),
        "parameters": variations_object(grid),
        "against": [opponent.spec for opponent in found.opponents],
        "opponents": [opponent.as_dict() for opponent in found.opponents],
        "tables": [
            {
                "against": table.against,
                "best": values[table.best],
                "among_best": [values[cell] for cell in table.among_best],
                "cells": [
                    {
                        "values": values[number],
                        "policy": grid.policies[number].spec,
                        **estimate_object(cell.lead),
                        "to_best": estimate_object(cell.to_best),
                        "among_best": cell.among_best,
                    }
                    for number, cell in enumerate(table.cells)
                ],
            }
            for table in found.tables
        ],
    }


def _score_object(found: Sweep) -> dict[str, Any]:
    """Return objective, unit, score and sample of hands priced by the game; else no score."""
    worth, leads = found.worth, found.leads
    if worth is None:
        return {"score": None}
    later = [later_hands_of(each.equity) for each in found.worths]
    samples = list(dict.fromkeys(counted_words(each.hands, each.scores) for each in later))
    return {
        "objective": worth.objective,
        "unit": worth.unit,
        "score": {
            **_score_in_json(score_of(worth)),
            "later_hands": msgspec.to_builtins(later),
        },
        "sample": f"{sample_words(leads.played.plan, leads.n_units)}, the rest of the game from "
        f"{listed(samples, 'and')}",
    }


def _score_in_json(score: Score | None) -> dict[str, Any]:
    if score is None:
        return {}
    return {
        "mine": score.mine,
        "theirs": score.theirs,
        "boxes": score.box_difference,
        "boxes_matter": score.boxes_matter,
        "dealer": score.dealer,
        "words": score.words,
    }
