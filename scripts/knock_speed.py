"""Measure how soon `gin-sim knock` is sure in borderline late positions; draw those positions.

    .venv/bin/python scripts/knock_speed.py strong
    .venv/bin/python scripts/knock_speed.py strong --draw

The first prints, for each of ten positions, the seconds to ±1.5 and to ±0.5 points on two cores:
the processor's time over two, so that other work on the machine counts little.  The second draws
the positions, within half an hour, and writes tests/data/borderline-OPPONENT.csv.

The rule: hands of `strong` against the opponent, seed 1, in order of the deals; of each hand the
first decision of `strong` on its own turn 8 or later at which it may knock without gin.  Playing on
and knocking are to lie within 2 points of each other in a run of 20,000 sampled deals, and the
first ten such decisions are kept.  A decision is dropped sooner where an interval of the difference
lies outside 2 points.
"""

from __future__ import annotations

import csv
import time
from collections.abc import Iterator
from pathlib import Path

import click

from gin_sim.advice.advise import sampler_for
from gin_sim.advice.contest import WORLDS_A_BLOCK, Question
from gin_sim.advice.objectives import prices_of
from gin_sim.belief.deviation import ALIKE
from gin_sim.belief.test_positions import decisions_of
from gin_sim.play.record import play_recorded
from gin_sim.policies.catalogue import parse_policy
from gin_sim.positions import Position, positions_in
from gin_sim.rules import parse_rules
from gin_sim.stats.intervals import Estimate

DATA = Path(__file__).resolve().parent.parent / "tests/data"
PLAY = parse_policy("strong")
RULES = parse_rules("standard")
FIRST_TURN = 8
BORDER = 2.0  # points between knocking and playing on
LONG_RUN = 20_000  # sampled deals
N_POSITIONS = 10
CORES = 2
GOALS = {1.5: 2.0, 0.5: 10.0}  # seconds by half width in points
LONGEST = 15.0  # seconds


def path_of(opponent: str) -> Path:
    """Return where the positions against an opponent are kept."""
    return DATA / f"borderline-{opponent}.csv"


def question(position: Position, opponent: str, seed: int) -> Question:
    """Return a position to ask about, its sampler started."""
    against = parse_policy(opponent)
    sampler = sampler_for(position, against, ALIKE, seed, CORES)
    return Question(sampler, (PLAY, against), prices_of("points", position, None), seed, CORES)


def late_decisions(opponent: str) -> Iterator[tuple[int, Position]]:
    """Give, by deal, the first late knock decision of each hand that has one."""
    players = (PLAY, parse_policy(opponent))
    deal = 0
    while True:
        (record,) = play_recorded(players, RULES, 1, 1, first_deal=deal, mirrored=False)
        for decision in decisions_of(record, 0, deal, RULES):
            if decision.position.seen.turn >= FIRST_TURN:
                yield deal, decision.position
                break
        deal += 1


def long_run(position: Position, opponent: str) -> Estimate | None:
    """Return what knocking is worth less playing on; None where it is clearly out of the border."""
    asked = question(position, opponent, seed=1)
    for _ in range(LONG_RUN // WORLDS_A_BLOCK):
        asked.play_block()
        verdict = asked.verdict()
        margin = verdict.margin
        if len(asked.blocks) >= 2 and margin.low > BORDER:
            return None
    return margin if verdict.action.startswith("knock") else margin.negated()


def draw(opponent: str) -> None:
    """Find the positions and write them."""
    found = []
    for deal, position in late_decisions(opponent):
        margin = long_run(position, opponent)
        print(deal, margin, flush=True)
        if margin is None or abs(margin.estimate) > BORDER:
            continue
        fields = {name: position.as_dict()[name] for name in ("hand", "first", "history")}
        known = {
            "seed_1_number": deal,
            "long_run": f"{margin.estimate:.2f}",
            "plus_minus": f"{margin.half_width:.2f}",
        }
        found.append({**known, **fields})
        if len(found) == N_POSITIONS:
            break
    with path_of(opponent).open("w", newline="", encoding="utf-8") as file:
        writer = csv.DictWriter(file, list(found[0]), lineterminator="\n")
        writer.writeheader()
        writer.writerows(found)


def seconds_to(position: Position, opponent: str, seed: int) -> dict[float, float]:
    """Return the seconds on two cores until the difference is known to each half width."""
    started = time.process_time()
    found: dict[float, float] = {}
    asked = question(position, opponent, seed)
    while True:
        asked.play_block()
        width = asked.verdict().margin.half_width
        seconds = (time.process_time() - started) / CORES
        for goal in GOALS:
            if width <= goal and len(asked.blocks) > 1:
                found.setdefault(goal, seconds)
        if len(found) == len(GOALS) or seconds > LONGEST:
            return found


@click.command()
@click.argument("opponent")
@click.option("--draw", "drawing", is_flag=True, help="Draw the positions anew.")
@click.option("--seed", default=2, show_default=True)
def main(opponent: str, drawing: bool, seed: int) -> None:
    """Measure, or draw the positions first."""
    if drawing:
        draw(opponent)
    positions = [position for _, position in positions_in(str(path_of(opponent)), {})]
    seconds_to(positions[0], opponent, seed)  # compiles
    reached = dict.fromkeys(GOALS, 0)
    for number, position in enumerate(positions, 1):
        found = seconds_to(position, opponent, seed)
        shown = [f"±{goal:g} in {found.get(goal, LONGEST):5.1f} s" for goal in GOALS]
        print(f"{number:2d}  turn {position.seen.turn:2d}  {'  '.join(shown)}", flush=True)
        for goal, limit in GOALS.items():
            reached[goal] += found.get(goal, LONGEST) <= limit
    for goal, n in reached.items():
        print(f"±{goal:g} points in {GOALS[goal]:g} s: {n} of {len(positions)}")


if __name__ == "__main__":
    main()
