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

from gin_sim.contests.games import games_result
from gin_sim.play.plans import GamePlan
from gin_sim.play.run import simulate
from gin_sim.policies.catalogue import CATALOGUE, parse_policy
from gin_sim.results.folder import describe_run, write_results
from gin_sim.rules import PRESETS

ROOT = Path(__file__).resolve().parent.parent
DOCS_PAGE = ROOT / "docs/reference/policies.md"
RESULTS = ROOT / "results" / "policies"
RULES = PRESETS["eaai"]
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
    """Play one pairing and return it as a row of a table."""
    policies = (parse_policy(first), parse_policy(second))
    result = games_result(simulate(GamePlan(policies, RULES, GAMES, SEED)))
    won, lead = result.sides[0].figures["win_rate"], result.difference["games"]
    print(f"{first} against {second}: {100 * won.estimate:.1f} %", flush=True)
    return {
        "policy": first,
        "opponent": second,
        "games": result.games,
        "wins_percent": 100 * won.estimate,
        "low_percent": 100 * won.low,
        "high_percent": 100 * won.high,
        "opponent_wins_percent": 100 * result.sides[1].figures["win_rate"].estimate,
        "lead_percent": 100 * lead.estimate,
        "lead_low_percent": 100 * lead.low,
        "lead_high_percent": 100 * lead.high,
    }


def wins_table(pairings: pd.DataFrame) -> list[str]:
    """Return the matrix of games won as Markdown, the strongest policy on top."""
    won = {}
    for row in pairings.itertuples():
        won[row.policy, row.opponent] = row.wins_percent
        won[row.opponent, row.policy] = row.opponent_wins_percent
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
            f"| {PRINCIPLES[row.switch]} | `strong:{row.switch}=0` | {row.lead_percent:+.1f} "
            f"[{row.lead_low_percent:+.1f}, {row.lead_high_percent:+.1f}] |"
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
