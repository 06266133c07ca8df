"""A comparison of many policies as a ranking and a matrix, on the terminal and as plain values."""

from __future__ import annotations

from typing import Any

from rich.console import Console

from gin_sim.analysis.comparison import Comparison, verdict
from gin_sim.report.figures import aligned, estimate_object
from gin_sim.report.meetings import (
    correction_words,
    footer,
    interval_text,
    lead_text,
    objective_words,
    sample_words,
    study_object,
)


def print_comparison(found: Comparison, console: Console) -> None:
    """Print the ranking, the differences, the verdict and what it all rests on."""
    leads = found.leads
    plan = leads.played.plan
    objective = plan.objective
    partial = " · PARTIAL: stopped early" if leads.played.partial else ""
    words = objective_words(objective, plan.rules)
    console.print(
        f"{len(found.policies)} policies, each against each · {plan.rules.name} rules · "
        f"{sample_words(plan, leads.n_units)} for each two{partial}\n"
    )
    specs = [policy.spec for policy in found.policies]
    rows = [["", "ahead of the field", "ahead of the next"]]
    for place, (spec, figure) in enumerate(zip(specs, found.ranking, strict=True)):
        to_next = ""
        if place < len(specs) - 1:
            to_next = interval_text(found.neighbours[place], objective)
            to_next += "  not told apart" if found.neighbours[place].spans_zero else " " * 16
        rows.append([f"  {place + 1}  {spec}", lead_text(figure, objective), to_next])
    for line in aligned(rows):
        console.print(line.rstrip())
    console.print(f"\n  row ahead of column, {words}")
    for line in _differences(found, console.width):
        console.print(line)
    console.print(f"\n{verdict(found)}")
    n_pairs = len(found.differences)
    lines = [
        f"{_correction(found)}; so they do for the {len(specs)} places in the ranking and the "
        f"{n_pairs} differences between them.",
        "The field is all policies, each counted once.",
    ]
    for line in footer(leads, lines):
        console.print(line)


def _differences(found: Comparison, width: int) -> list[str]:
    """Return the matrix of differences, or one line for each two policies where it is too wide."""
    specs = [policy.spec for policy in found.policies]
    objective = found.leads.played.plan.objective
    rows = [["", *(f"{place + 1}" for place in range(1, len(specs)))]]
    for above in range(len(specs) - 1):
        cells = [
            lead_text(found.differences[above, below], objective) if above < below else ""
            for below in range(1, len(specs))
        ]
        rows.append([f"  {above + 1}  {specs[above]}", *cells])
    lines = aligned(rows)
    if max(map(len, lines)) <= width:
        return [line.rstrip() for line in lines]
    return aligned(
        [
            [f"  {specs[above]} - {specs[below]}", interval_text(figure, objective)]
            for (above, below), figure in found.differences.items()
        ]
    )


def _correction(found: Comparison) -> str:
    n_pairs = len(found.differences)
    return correction_words(
        found.leads, f"all {n_pairs} differences" if n_pairs > 1 else "the difference"
    )


def comparison_json(found: Comparison) -> dict[str, Any]:
    """Return the result as plain values; timing stands under ``seconds`` alone."""
    specs = [policy.spec for policy in found.policies]
    return {
        **study_object(found.leads, _correction(found), verdict(found)),
        "policies": [policy.as_dict() for policy in found.policies],
        "ranking": [
            {"policy": spec, **estimate_object(figure)}
            for spec, figure in zip(specs, found.ranking, strict=True)
        ],
        "differences": [
            {"policy": specs[above], "against": specs[below], **estimate_object(figure)}
            for (above, below), figure in found.differences.items()
        ],
        "neighbours": [
            {
                "policy": specs[place],
                "next": specs[place + 1],
                **estimate_object(figure),
                "told_apart": not figure.spans_zero,
            }
            for place, figure in enumerate(found.neighbours)
        ],
    }
