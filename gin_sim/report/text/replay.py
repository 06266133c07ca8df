"""Replayed hands as a table, and as a JSON object."""

from __future__ import annotations

from typing import Any

from gin_sim.checks.replayed import KINDS, Summary
from gin_sim.rules import Rules


def replay_object(summary: Summary) -> dict[str, Any]:
    """Return the summary as plain values."""
    return {
        "hands": summary.n_hands,
        "outcomes": {kind: summary.hands[kind] for kind in KINDS},
        "points": {kind: summary.points[kind] for kind in KINDS},
        "points_per_hand": summary.means(),
        "faults": summary.faults,
    }


def replay_text(summary: Summary, rules: Rules | None, symbols: bool) -> str:
    """Return the table of outcomes and the faults, one a line."""
    dot = "·" if symbols else "|"
    n_faults = len(summary.faults)
    priced = f", priced under {rules.name}" if rules else ""
    lines = [
        f"{summary.n_hands:,} recorded hand{'s' * (summary.n_hands != 1)} {dot} "
        f"{' and '.join(summary.rules)} rules{priced}"
    ]
    n_sound = summary.n_hands - n_faults
    if n_sound:
        lines += ["", f"  {'outcome':<10}{'hands':>11}{'share':>10}{'points per hand':>16}"]
        for kind in KINDS:
            lines.append(_row(kind, summary.hands[kind], n_sound, summary.points[kind]))
        lines.append(_row("all", n_sound, n_sound, summary.points.total()))
        players = f" {dot} ".join(f"{name} {mean:.2f}" for name, mean in summary.means().items())
        lines += ["", f"points per hand by player: {players}"]
    if not n_faults:
        return "\n".join([*lines, "no faults"])
    lines += ["", f"{n_faults:,} {'hand has a fault' if n_faults == 1 else 'hands have faults'}:"]
    lines += [f"line {fault['line']}: {fault['reason']}" for fault in summary.faults]
    return "\n".join(lines)


def _row(kind: str, hands: int, of_hands: int, points: int) -> str:
    share = f"{100 * hands / of_hands:.1f} %"
    mean = f"{points / hands:.2f}" if hands else "-"
    return f"  {kind.replace('_', ' '):<10}{hands:>11,}{share:>10}{mean:>16}"
