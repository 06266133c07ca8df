"""``gin-sim equity``: the chance to win the game from every score."""

from __future__ import annotations

import sys
import time

import click

from gin_sim.cli.interrupt import INTERRUPTED
from gin_sim.cli.options.common import (
    Count,
    json_option,
    out_option,
    quiet_option,
    rules_option,
    seed_option,
    threads_option,
)
from gin_sim.cli.options.groups import Command
from gin_sim.cli.options.score import counted_hands, read_state
from gin_sim.cli.playing import json_text, whole_size, write_result


@click.command(name="equity", cls=Command)
@click.option("--play", "play_spec", required=True, metavar="A", help="Whose chances are told.")
@click.option("--against", "against_spec", metavar="B", help="The opponent.  [default: A too]")
@click.option(
    "--hands",
    type=Count(1000, 10**10),
    default="1e6",
    show_default=True,
    help="Hands to count the results of, such as 1e6; at each of some scores, if a policy reads "
    "the score.",
)
@click.option(
    "--boxes",
    type=click.IntRange(-1000, 1000),
    default=None,
    help="Boxes that A is ahead, its hands won less B's, below 0 behind; for the table and for "
    "--score.  [default: 0, or the possible difference nearest to it]",
)
@click.option("--score", metavar="SCORE", help="Tell more of one score, A's first: 45-20.")
@rules_option
@seed_option
@threads_option
@json_option
@out_option
@click.option(
    "--charts/--no-charts",
    default=True,
    show_default=True,
    help="With --out: draw the chart too; `gin-sim chart DIR` draws it later.",
)
@quiet_option
def command(
    play_spec,
    against_spec,
    hands,
    boxes,
    score,
    rules_spec,
    seed,
    threads,
    as_json,
    out,
    charts,
    quiet,
) -> None:
    """Find the chance to win the game from every score, boxes and bonuses included.

    How hands between A and B end is counted by simulation; the chance to win, to tie and the points
    settled follow exactly, for every score, box difference and dealer, of games to 300 points at
    most.  The counts are kept, and found when they are asked for again.

    \b
    Examples:
      gin-sim equity --play greedy --against simple
      gin-sim equity --play strong --against marjj --score 75-50 --boxes -1
      gin-sim equity --play strong --rules modern --out results/equity
    """
    from gin_sim.payoff.equity import Equity
    from gin_sim.payoff.score import check_rules, check_state
    from gin_sim.policies.catalogue import parse_policy
    from gin_sim.rules import parse_rules

    policies = (parse_policy(play_spec), parse_policy(against_spec or play_spec))
    rules = parse_rules(rules_spec)
    check_rules(rules)
    asked = None if score is None else read_state(score, boxes, rules)
    if asked is not None:
        check_state(asked, rules)
    table_boxes = _table_boxes(boxes, rules)
    if out is not None:
        from gin_sim.results.folder import check_folder

        check_folder(out)
    from gin_sim.play.hand_results import ResultsPlan
    from gin_sim.report.terminal import console
    from gin_sim.report.text.equity import print_equity
    from gin_sim.report.text.equity_told import equity_json, tell

    started = time.perf_counter()
    plan = ResultsPlan(policies, rules, whole_size(hands, True, "hands", quiet), seed)
    results, played = counted_hands(plan, threads, quiet)
    told = tell(Equity(results), table_boxes, asked, threads)
    seconds = time.perf_counter() - started
    described = equity_json(told, {"play": played, "all": round(seconds, 3)})
    if as_json:
        click.echo(json_text(described))
    else:
        print_equity(told, seconds, console())
    if out is not None:
        from gin_sim.report.tables import result_tables

        write_result("equity", described, result_tables("equity", described), out, quiet, charts)
    if described["partial"]:
        sys.exit(INTERRUPTED)


def _table_boxes(boxes: int | None, rules) -> int:
    """Return the box difference of the table; refuse one that no score of it allows."""
    from gin_sim.payoff.score import State, box_range, check_state
    from gin_sim.report.text.equity_told import scores_shown

    boxes = boxes or 0
    scores = scores_shown(rules.target)
    ranges = [box_range(mine, theirs, rules) for mine in scores for theirs in scores]
    if not any(least <= boxes <= most for least, most in ranges):
        check_state(State(scores[-1], scores[-1], boxes), rules)
    return boxes
