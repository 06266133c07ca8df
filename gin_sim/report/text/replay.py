"""Replayed hands on the terminal: how they ended, what each player scored, and every fault."""

from __future__ import annotations

from typing import Any

from gin_sim.report.terminal import shows_symbols
from gin_sim.report.text.hands import named
from gin_sim.results.replay import EndRow, Replay


def show(replay: Replay, console: Any, more: bool = True) -> None:
    """Print the table of outcomes, the points by player and the faults, one a line."""
    console.print(_heading(replay))
    if replay.sound_hands:
        _print_outcomes(replay, console)
    if not replay.faults:
        console.print("no faults")
        return
    symbols = shows_symbols(console.file)
    console.print(f"\n{_faults(replay)}:")
    for fault in replay.faults:
        console.print(f"line {fault.line}: {named(fault.reason, symbols)}")


def summary(replay: Replay) -> str:
    """Return how many hands there are, under which rules, and how many have a fault."""
    return f"{_heading(replay)}; {_faults(replay) if replay.faults else 'no faults'}"


def _heading(replay: Replay) -> str:
    priced = f", scored under {replay.priced_by.name}" if replay.priced_by else ""
    hands = f"{replay.hands:,} recorded hand{'s' * (replay.hands != 1)}"
    return f"{hands} · {' and '.join(replay.recorded_rules)} rules{priced}"


def _faults(replay: Replay) -> str:
    n_faults = len(replay.faults)
    return f"{n_faults:,} {'hand has a fault' if n_faults == 1 else 'hands have faults'}"


def _print_outcomes(replay: Replay, console: Any) -> None:
    console.print(f"\n  {'outcome':<10}{'hands':>11}{'share':>10}{'points per hand':>18}")
    for row in replay.rows()["outcomes"]:
        console.print(_row(row))
    points = sum(replay.points.values())
    everything = EndRow(
        outcome="all",
        hands=replay.sound_hands,
        share=1,
        points=points,
        points_per_hand=points / replay.sound_hands,
    )
    console.print(_row(everything))
    means = " · ".join(f"{name} {mean:.2f}" for name, mean in replay.points_per_hand.items())
    console.print(f"\npoints per hand by player: {means}")


def _row(row: EndRow) -> str:
    mean = "-" if row.points_per_hand is None else f"{row.points_per_hand:.2f}"
    share = f"{100 * row.share:.1f} %"
    return f"  {row.outcome.replace('_', ' '):<10}{row.hands:>11,}{share:>10}{mean:>18}"
