"""A policy that plays by the rules, on the terminal."""

from __future__ import annotations

from typing import Any

from gin_sim.results.policies import Validation
from gin_sim.words import listed


def show(found: Validation, console: Any, more: bool = True) -> None:
    """Print what a policy played."""
    console.print(summary(found))


def summary(found: Validation) -> str:
    """Return in a line what a policy is and what it played without an illegal step."""
    return (
        f"{found.spec} · {found.plays} · legal in {found.hands:,} hands and {found.games} games "
        f"against {listed(found.opponents, 'and')} under all {len(found.rule_sets)} rule sets"
    )
