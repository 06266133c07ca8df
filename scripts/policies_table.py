"""Play all shipped policies against each other; write results/policies and its tables in docs.

    .venv/bin/python scripts/policies_table.py

takes a few minutes on two cores.
"""

from __future__ import annotations

import re
from itertools import combinations
from pathlib import Path

import click
import pandas as pd

import gin_sim
from gin_sim.policies.catalogue import CATALOGUE
from gin_sim.results.folder import describe_run, write_results

ROOT = Path(__file__).resolve().parent.parent
DOCS_PAGE = ROOT / "docs/reference/policies.md"
RESULTS = ROOT / "results" / "policies"
RULES = "eaai"
SEED = 2001  # no training has seen its deals
GAMES = 20_000
PRINCIPLES = {
    "watch": "watch every discard",
    "knock_early": "knock early against big hands",
    "keep_pairs": "keep pairs and neighbours early",
    "count_undercut": "count the undercut",
    "dump_high": "dump high deadwood early",
}


def pairing(first: str, second: str) -> dict:
    """Play one pairing and return it as a row of a table; shares are 0-1."""
    found = gin_sim.simulate(first, second, games=GAMES, rules=RULES, seed=SEED)
    won, lead = found.sides[0].win_rate, found.difference["win"]
    print(f"{first} against {second}: {won.estimate:.1%}", flush=True)
    return {
        "policy": first,
        "against": second,
        "games": found.games,
        "win_rate": won.estimate,
        "win_rate_low": won.low,
        "win_rate_high": won.high,
        "win_rate_against": found.sides[1].win_rate.estimate,
        "lead": lead.estimate,
        "lead_low": lead.low,
        "lead_high": lead.high,
    }


def wins_table(pairings: pd.DataFrame) -> list[str]:
    """Return the matrix of games won as Markdown, the strongest policy on top."""
    won = {}
    for row in pairings.itertuples():
        won[row.policy, row.against] = 100 * row.win_rate
        won[row.against, row.policy] = 100 * row.win_rate_against
    names = sorted({name for name, _ in won})
    mean = {a: sum(won[a, b] for b in names if b != a) / (len(names) - 1) for a in names}
    names.sort(key=lambda name: -mean[name])
    lines = [f"| | {' | '.join(names)} | mean |", "|---|" + "---:|" * (len(names) + 1)]
    for a in names:
        cells = ["" if a == b else f"{won[a, b]:.1f}" for b in names]
        lines.append(f"| **{a}** | {' | '.join(cells)} | {mean[a]:.1f} |")
    return lines


def principles_table(principles: pd.DataFrame) -> list[str]:
    """Return what each principle is worth as Markdown."""
    lines = ["| principle | switch | games won more, in a hundred |", "|---|---|---:|"]
    for row in principles.itertuples():
        lines.append(
            f"| {PRINCIPLES[row.switch]} | `strong:{row.switch}=0` | {100 * row.lead:+.1f} "
            f"[{100 * row.lead_low:+.1f}, {100 * row.lead_high:+.1f}] |"
        )
    return lines


def fill(text: str, marker: str, lines: list[str]) -> str:
    """Return a text with the lines between a marker's two comments replaced."""
    start, end = f"<!-- {marker} -->", f"<!-- end of {marker} -->"
    found = re.compile(f"{re.escape(start)}.*?{re.escape(end)}", re.DOTALL)
    assert found.search(text), marker
    return found.sub(lambda _: "\n".join([start, "", *lines, "", end]), text)


@click.command()
def main() -> None:
    """Play, write the tables, and fill the page."""
    pairings = pd.DataFrame([pairing(*names) for names in combinations(CATALOGUE, 2)])
    principles = pd.DataFrame(
        [{"switch": name, **pairing("strong", f"strong:{name}=0")} for name in PRINCIPLES]
    )
    tables = {"pairings": pairings, "principles": principles}
    write_results(RESULTS, tables, {}, describe_run("scripts/policies_table.py"))
    text = DOCS_PAGE.read_text(encoding="utf-8")
    text = fill(text, "policies", wins_table(pairings))
    text = fill(text, "principles", principles_table(principles))
    DOCS_PAGE.write_text(text, encoding="utf-8")


if __name__ == "__main__":
    main()
