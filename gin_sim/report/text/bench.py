"""The engine's speed on the terminal."""

from __future__ import annotations

from typing import Any

from gin_sim.results.bench import Bench

_PER_MILLION = 1e-6


def show(found: Bench, console: Any, more: bool = True) -> None:
    """Print every figure, one a line."""
    console.print(f"{summary(found)}\n")
    for row in found.rows()["figures"]:
        threads = value = ""
        if row.unit == "hands per second":
            threads = f"{row.threads:>3} {'thread' if row.threads == 1 else 'threads':<8}"
            value = f"{row.value * _PER_MILLION:>8.2f} M hands/s"
        else:
            value = f" {row.value:>8.1f} {row.unit}"
        console.print(f"  {row.figure:<24}{threads:>11}{value}")
    console.print(
        "\nmedians of five runs, a cold compile once; "
        "hands are mirrored, tallied and under eaai rules"
    )


def summary(found: Bench) -> str:
    """Return how many sums are right, and on which machine."""
    return f"{found.golden_tallies} golden tallies are right · {found.machine}"
