"""The round robin of some policies as a ranking and a matrix."""

from __future__ import annotations

from rich.console import Console

from gin_sim.report.text.matchups import (
    STOPPED_EARLY,
    footer,
    interval_text,
    lead_text,
    objective_words,
    rests_on,
)
from gin_sim.report.wording import aligned, played_words
from gin_sim.results.ranking import Ranking

_NOT_FOUND = "  no difference found"
_MOST_NAMED = 4


def summary(found: Ranking) -> str:
    """Return the ranking, and what it rests on, in a line."""
    order = [row.policy for row in found.ranking]
    named = [f"{rank} {spec}" for rank, spec in enumerate(order[:_MOST_NAMED], 1)]
    if len(order) > _MOST_NAMED:
        named.append(f"and {len(order) - _MOST_NAMED} more")
    unclear = sum(pair.in_ranking.spans_zero for pair in found.neighbours)
    clear = ""
    if unclear:
        neighbours = "two neighbours" if unclear == 1 else f"{unclear} pairs of neighbours"
        clear = f" (no difference found between {neighbours})"
    each = "" if len(order) == 2 else " per pairing"
    return (
        f"{', '.join(named)}{clear}, by {objective_words(found.objective, found.rules)}; "
        f"{rests_on(found, each)}"
    )


def show(found: Ranking, console: Console, more: bool = True) -> None:
    """Print the ranking, the differences, the verdict and, with ``more``, what it rests on."""
    partial = STOPPED_EARLY if found.partial else ""
    specs = [policy.spec for policy in found.policies]
    who, each = f"{len(specs)} policies, each against each", " for each pairing"
    if len(specs) == 2:
        who, each = " against ".join(specs), ""
    console.print(
        f"{who} · {found.rules.name} rules · {played_words(found.sample)}{each}{partial}\n"
    )
    lines = [_lead_line(found)] if len(specs) == 2 else _ranking_lines(found, console.width)
    for line in lines:
        console.print(line.rstrip())
    console.print(f"\n{found.verdict}")
    if more:
        for line in footer(found, _interval_lines(found), specs):
            console.print(line)


def _interval_lines(found: Ranking) -> list[str]:
    """Return what the intervals hold for."""
    n_policies, n_pairs = len(found.policies), len(found.differences)
    if n_policies == 2:
        return [f"95% intervals {found.correction}."]
    return [
        f"95% intervals {found.correction}, and likewise for the {n_policies} places in the "
        f"ranking and the {n_pairs} differences between places.",
        "The field is all policies, each counted once.",
    ]


def _lead_line(found: Ranking) -> str:
    """Return the lead of two policies, in the order in which they were given."""
    first, second = (policy.spec for policy in found.policies)
    (pair,) = found.differences
    lead = pair.lead if pair.policy == first else pair.lead.negated()
    words = objective_words(found.objective, found.rules)
    return f"  {first} - {second}   {interval_text(lead, found.shown_unit)}   {words}"


def _ranking_lines(found: Ranking, width: int) -> list[str]:
    unit = found.shown_unit
    rows = [["", "ahead of the field", "ahead of the next"]]
    to_next = [pair.in_ranking for pair in found.neighbours]
    for place, row in enumerate(found.ranking):
        words = ""
        if place < len(to_next):
            words = interval_text(to_next[place], unit)
            words += _NOT_FOUND if to_next[place].spans_zero else " " * len(_NOT_FOUND)
        rows.append([f"  {place + 1}  {row.policy}", lead_text(row.lead, unit), words])
    return [
        *aligned(rows),
        "",
        f"  row ahead of column, {objective_words(found.objective, found.rules)}",
        *_difference_lines(found, width),
    ]


def _difference_lines(found: Ranking, width: int) -> list[str]:
    """Return the matrix of differences, or one line for each two policies where it is too wide."""
    order = [row.policy for row in found.ranking]
    leads = {(pair.policy, pair.against): pair.lead for pair in found.differences}
    unit = found.shown_unit
    rows = [["", *(f"{place + 1}" for place in range(1, len(order)))]]
    for place, spec in enumerate(order[:-1]):
        cells = [
            lead_text(leads[spec, below], unit) if (spec, below) in leads else ""
            for below in order[1:]
        ]
        rows.append([f"  {place + 1}  {spec}", *cells])
    lines = aligned(rows)
    if max(map(len, lines)) <= width:
        return lines
    return aligned(
        [
            [f"  {pair.policy} - {pair.against}", interval_text(pair.lead, unit)]
            for pair in found.differences
        ]
    )
