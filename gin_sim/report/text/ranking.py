"""A comparison of many policies as a ranking and a matrix, on the terminal and as plain values."""

from __future__ import annotations

from typing import Any

from rich.console import Console

from gin_sim.contests.round_robin import Comparison, verdict
from gin_sim.report.text.matchups import (
    correction_words,
    footer,
    interval_text,
    lead_text,
    objective_words,
    sample_words,
    study_object,
)
from gin_sim.report.wording import aligned, estimate_object


def print_comparison(found: Comparison, console: Console) -> None:
    """Print the ranking, the differences, the verdict and what it all rests on."""
    leads = found.leads
    plan = leads.played.plan
    partial = " · PARTIAL: stopped early" if leads.played.partial else ""
    specs = [policy.spec for policy in found.policies]
    who, each = f"{len(specs)} policies, each against each", " for each pairing"
    if len(specs) == 2:
        who, each = " against ".join(policy.spec for policy in plan.policies), ""
    console.print(
        f"{who} · {plan.rules.name} rules · {sample_words(plan, leads.n_units)}{each}{partial}\n"
    )
    show = _two if len(found.policies) == 2 else _many
    for line in show(found, console.width):
        console.print(line.rstrip())
    console.print(f"\n{verdict(found)}")
    n_policies, n_pairs = len(found.policies), len(found.differences)
    lines = [f"95% intervals {_correction(found)}."]
    if n_policies > 2:
        lines = [
            f"{lines[0][:-1]}; so they do for the {n_policies} places in the ranking, and for the "
            f"{n_pairs} differences between places.",
            "The field is all policies, each counted once.",
        ]
    for line in footer(leads, lines):
        console.print(line)


def _two(found: Comparison, width: int) -> list[str]:
    plan = found.leads.played.plan
    first, second = (policy.spec for policy in plan.policies)
    lead = interval_text(found.leads.meetings[0], plan.objective)
    return [f"  {first} - {second}   {lead}   {objective_words(plan.objective, plan.rules)}"]


def _many(found: Comparison, width: int) -> list[str]:
    plan = found.leads.played.plan
    objective = plan.objective
    specs = [policy.spec for policy in found.policies]
    rows = [["", "ahead of the field", "ahead of the next"]]
    for place, (spec, figure) in enumerate(zip(specs, found.ranking, strict=True)):
        to_next = ""
        if place < len(specs) - 1:
            to_next = interval_text(found.neighbours[place], objective)
            to_next += "  not told apart" if found.neighbours[place].spans_zero else " " * 16
        rows.append([f"  {place + 1}  {spec}", lead_text(figure, objective), to_next])
    return [
        *aligned(rows),
        "",
        f"  row ahead of column, {objective_words(objective, plan.rules)}",
        *_differences(found, width),
    ]


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
    return correction_words(found.leads, f"all {n_pairs} differences", n_pairs)


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
