"""Try the belief about the hidden hand against the truth, and write results/beliefs and a table.

    .venv/bin/python scripts/beliefs.py

takes about twenty minutes on two cores; --table alone writes the page's table from the results.
"""

from __future__ import annotations

import os
from pathlib import Path

import click
import pandas as pd
from policies_table import fill

from gin_sim.cli import main as gin_sim

ROOT = Path(__file__).resolve().parent.parent
DOCS_PAGE = ROOT / "docs/explain/belief.md"
RESULTS = Path("results/beliefs")
OPPONENTS = ("simple", "strong", "marjj")
JOB = "belief calibrate --opponent {} --positions 3000 --worlds 100 --seed 2"
METHODS = {"belief": "belief", "learned": "learned weights", "uniform": "uniform"}


def command_of(opponent: str) -> str:
    """Return the command whose result is kept for an opponent."""
    return JOB.format(opponent)


def table() -> list[str]:
    """Return what was predicted and what was true as Markdown, by opponent and stock draws."""
    lines = [
        f"| opponent | stock draws | undercut, % | {' | '.join(METHODS.values())} |",
        "|---|---|---:|---:|---:|---:|",
    ]
    for opponent in OPPONENTS:
        rows = pd.read_csv(ROOT / RESULTS / opponent / "reliability.csv")
        rows = rows[rows["by"].isin(["stock draws", "all"])]
        for group, found in rows.groupby("group", sort=False):
            first = found.iloc[0]
            low, high = 100 * first["undercut_low_95"], 100 * first["undercut_high_95"]
            told = found.set_index("belief")["predicted_undercut_share"]
            said = " | ".join(f"{100 * told[method]:.1f}" for method in METHODS)
            true = f"{100 * first['undercut_share']:.1f} [{low:.1f}, {high:.1f}]"
            lines.append(f"| `{opponent}` | {group} | {true} | {said} |")
    return lines


@click.command()
@click.option("--table", "table_alone", is_flag=True, help="Write the page's table alone.")
def main(table_alone: bool) -> None:
    """Play, keep the tables and charts, and fill the page."""
    os.chdir(ROOT)
    for opponent in () if table_alone else OPPONENTS:
        out = RESULTS / opponent
        try:
            gin_sim([*command_of(opponent).split(), "--out", str(out)])
        except SystemExit as ended:
            if ended.code:
                raise
        for place in out.glob("positions.*"):  # a megabyte each
            place.unlink()
    text = DOCS_PAGE.read_text(encoding="utf-8")
    DOCS_PAGE.write_text(fill(text, "beliefs", table()), encoding="utf-8")


if __name__ == "__main__":
    main()
