"""What is told of a solved knock rule and of an equilibrium of the knock alike."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from gin_sim.analysis.knock_answers import opponent_deadwood
from gin_sim.analysis.knock_cells import Classes
from gin_sim.analysis.tracing import Traced
from gin_sim.errors import listed
from gin_sim.policies.knocking import TABLE_TURNS
from gin_sim.report.figures import aligned


def cut_words(cut: Sequence[str]) -> str:
    """Return what an interrupt left unfinished, for a first line."""
    return f" · PARTIAL: stopped early, {listed(cut, 'and')} not whole" if cut else ""


def rows_until(turns: Sequence[int]) -> int:
    """Return how many rows show all of these turns, counted from 0."""
    return max(turns, default=-1) + 1


def turn_rows(classes: Classes, place: int, deadwoods: int, rows: list[list[str]]) -> list[str]:
    """Return a class's heading, the deadwoods and a line for every turn from the first on."""
    several = len(classes.names) > 1
    title = f"{classes.meaning}: {classes.names[place]}" if several else "all knocks"
    head = ["  deadwood", *map(str, range(1, deadwoods))]
    names = [f"  turn {turn}{'+' * (turn == TABLE_TURNS)}" for turn in range(1, len(rows) + 1)]
    lines = [[name, *cells] for name, cells in zip(names, rows, strict=True)]
    return [f"  {title}", *(line.rstrip() for line in aligned([head, *lines]))]


def shared_object(
    traced: Traced, classes: Classes, objective: str, seconds: float, cut: Sequence[str]
) -> dict[str, Any]:
    """Return what both results say of themselves as plain values."""
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
