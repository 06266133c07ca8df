"""Measure what `simulate --luck-adjusted` saves: results/baseline, and its table in docs.

    .venv/bin/python scripts/baseline_factors.py

takes a minute or two on two cores.
"""

from __future__ import annotations

from pathlib import Path

import click
import pandas as pd
from policies_table import fill

from gin_sim.contests.match import LEADS, luck_adjusted_lead, match_of
from gin_sim.play.luck import FIRST_DRAW
from gin_sim.play.plans import Plan
from gin_sim.play.run import compile_engine, simulate
from gin_sim.policies.catalogue import parse_policy
from gin_sim.results.folder import describe_run, write_results
from gin_sim.rules import PRESETS

ROOT = Path(__file__).resolve().parent.parent
DOCS_PAGE = ROOT / "docs/explain/variance-reduction.md"
RESULTS = ROOT / "results" / "baseline"
RULES = PRESETS["standard"]
SEED = 1
HANDS = 400_000
TIMED_HANDS = 40_000
PAIRINGS = [
    ("greedy", "greedy:knock=5"),
    ("greedy", "simple"),
    ("strong", "simple"),
    ("strong", "strong:knock=5"),
    ("strong", "marjj"),
]


def factors(first: str, second: str) -> list[dict]:
    """Play one pairing mirrored and plain; return a row for each objective."""
    policies = (parse_policy(first), parse_policy(second))
    without, with_it = (microseconds(policies, adjusts) for adjusts in (False, True))
    mirrored, plain = (
        simulate(Plan(policies, RULES, HANDS, SEED, mirrored, luck_adjusted=True))
        for mirrored in (True, False)
    )
    result = match_of(mirrored)
    rows = []
    for objective in LEADS:
        dealt = slice(0, FIRST_DRAW)
        mirroring = result.difference[objective].variance_reduction
        baseline = result.difference[objective].luck_adjusted.variance_reduction
        rows.append(
            {
                "policy": first,
                "opponent": second,
                "objective": objective,
                "hands": HANDS,
                "plain_dealt_hands": of(plain, objective, dealt),
                "plain_baseline": of(plain, objective),
                "mirroring": mirroring,
                "mirrored_dealt_hands": of(mirrored, objective, dealt),
                "mirrored_baseline": baseline,
                "mirroring_and_baseline": mirroring * baseline,
                "microseconds_a_hand": without,
                "microseconds_a_hand_with_baseline": with_it,
                "mirrored_baseline_in_time": baseline * without / with_it,
            }
        )
    print(f"{first} against {second}: {baseline:.2f}", flush=True)
    return rows


def of(played, objective: str, controls: slice = slice(None)) -> float:
    """Return how many times fewer deals some of the controls need."""
    return luck_adjusted_lead(played.tally[0], objective, controls).variance_reduction


def microseconds(policies, adjusts: bool) -> float:
    """Return the time of a hand on one thread, the best of five."""
    plan = Plan(policies, RULES, TIMED_HANDS, SEED, luck_adjusted=adjusts)
    compile_engine(plan)
    return min(simulate(plan, 1).seconds for _ in range(5)) / TIMED_HANDS * 1e6


def factors_table(found: pd.DataFrame) -> list[str]:
    """Return the factors for points as Markdown."""
    lines = [
        "| pairing | plain deals: dealt hands | with the draws | mirroring "
        "| mirrored: dealt hands | with the draws | mirroring and luck adjustment | in time |",
        "|---|---:|---:|---:|---:|---:|---:|---:|",
    ]
    for row in found[found.objective == "points"].itertuples():
        lines.append(
            f"| {row.policy} against {row.opponent} | {row.plain_dealt_hands:.2f} "
            f"| {row.plain_baseline:.2f} | {row.mirroring:.2f} | {row.mirrored_dealt_hands:.2f} "
            f"| {row.mirrored_baseline:.2f} | **{row.mirroring_and_baseline:.2f}** "
            f"| {row.mirrored_baseline_in_time:.1f} |"
        )
    return lines


@click.command()
def main() -> None:
    """Play, write the table, and fill the page."""
    found = pd.DataFrame([row for pairing in PAIRINGS for row in factors(*pairing)])
    described = describe_run("scripts/baseline_factors.py")
    described.update(rules=RULES.as_dict(), seed=SEED)
    write_results(RESULTS, {"factors": found}, {}, described)
    text = DOCS_PAGE.read_text(encoding="utf-8")
    DOCS_PAGE.write_text(fill(text, "baseline", factors_table(found)), encoding="utf-8")


if __name__ == "__main__":
    main()
