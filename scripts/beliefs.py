"""Test how well hand reading works, and write results/beliefs and a table.

    .venv/bin/python scripts/beliefs.py

takes about twenty minutes on two cores; --table alone writes the page's table from the results.
"""

from __future__ import annotations

import os
from pathlib import Path

import click
from policies_table import fill

import gin_sim
from gin_sim.results.calibration import METHODS
from gin_sim.results.kinds import load

ROOT = Path(__file__).resolve().parent.parent
DOCS_PAGE = ROOT / "docs/explain/belief.md"
RESULTS = Path("results/beliefs")
OPPONENTS = ("simple", "strong", "marjj")
ASKED = {"positions": 3000, "worlds": 100, "seed": 2}
COLUMNS = ("belief", "learned weights", "uniform")  # as METHODS


def command_of(opponent: str) -> str:
    """Return the command line that gives an opponent's result."""
    options = " ".join(f"--{name} {value}" for name, value in ASKED.items())
    return f"gin-sim belief calibrate --against {opponent} {options} --out {RESULTS / opponent}"


def table() -> list[str]:
    """Return what was predicted and what was true as Markdown, by opponent and stock draws."""
    lines = [
        f"| opponent | stock draws | undercut, % | {' | '.join(COLUMNS)} |",
        "|---|---|---:|---:|---:|---:|",
    ]
    for opponent in OPPONENTS:
        for group in load(ROOT / RESULTS / opponent).by_draws:
            share = group.undercut.scaled(100)
            true = f"{share.estimate:.1f} [{share.low:.1f}, {share.high:.1f}]"
            predicted = [group.by(method).undercut.scaled(100).estimate for method in METHODS]
            shown = " | ".join(f"{chance:.1f}" for chance in predicted)
            lines.append(f"| `{opponent}` | {group.name} | {true} | {shown} |")
    return lines


@click.command()
@click.option("--table", "table_alone", is_flag=True, help="Write the page's table alone.")
def main(table_alone: bool) -> None:
    """Play, keep the tables and charts, and fill the page."""
    os.chdir(ROOT)
    for opponent in () if table_alone else OPPONENTS:
        found = gin_sim.calibrate(opponent, **ASKED, progress=True)
        found.command = command_of(opponent)
        found.tried = []  # a megabyte each
        found.save(RESULTS / opponent)
    text = DOCS_PAGE.read_text(encoding="utf-8")
    DOCS_PAGE.write_text(fill(text, "beliefs", table()), encoding="utf-8")


if __name__ == "__main__":
    main()
