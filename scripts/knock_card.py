"""The knock card of README.md: when to knock, by own turn and by how many cards give gin.

It is read off a solved chart in results/knock_charts, and filled in by scripts/docs.py.
"""

from __future__ import annotations

import re
from pathlib import Path

import pandas as pd

ROOT = Path(__file__).resolve().parent.parent
CHART = ROOT / "results" / "knock_charts" / "strong-strong-boxes" / "cells.csv"
LAST_TURN = 12
#: Classes of the chart, with the heads of their columns.
CLASSES = {
    "0": "no card gives gin",
    "1-2": "one or two cards give gin",
    "3+": "three or more give gin",
}
_REGION = re.compile(r"(<!-- knock card -->\n).*?(<!-- end of knock card -->)", re.DOTALL)


def filled(text: str) -> str:
    """Return a page with the card between its two comments; a page without them as it is."""
    return _REGION.sub(lambda found: f"{found[1]}\n{card()}\n\n{found[2]}", text)


def card() -> str:
    """Return the card as Markdown: the deadwoods to knock with, a row for each turn."""
    cells = pd.read_csv(CHART)
    lines = [f"| your turn | {' | '.join(CLASSES.values())} |", "|---|---|---|---|"]
    for turn in range(1, LAST_TURN + 1):
        at_turn = cells[cells["turn"] == turn]
        words = [knocks(at_turn[at_turn["class_name"] == name]) for name in CLASSES]
        lines.append(f"| {turn} | {' | '.join(words)} |")
    return "\n".join(lines)


def knocks(cells: pd.DataFrame) -> str:
    """Return the deadwoods at which a knock is right: "5-10", or "-" where it is at none.

    A range reaches from one clear knock to the next, over places that are too close to call; it
    ends where playing on is clearly better.
    """
    ranges: list[list[int]] = []
    is_open = False
    for row in cells.sort_values("deadwood").itertuples():
        if row.decision == "play on":
            is_open = False
        elif row.decision == "knock":
            if is_open:
                ranges[-1][1] = row.deadwood
            else:
                ranges.append([row.deadwood, row.deadwood])
            is_open = True
    words = [f"{low}" if low == high else f"{low}-{high}" for low, high in ranges]
    return ", ".join(words) or "-"
