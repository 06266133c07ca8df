"""``gin-sim solve --by score``: the knock at several scores of a game, side by side."""

from __future__ import annotations

import re
import sys
import time
from pathlib import Path
from typing import NamedTuple

import click

from gin_sim.cli.interrupt import INTERRUPTED, finish_on_interrupt
from gin_sim.cli.options.score import BY_SCORE, counted_hands, read_state
from gin_sim.cli.playing import json_text, write_result
from gin_sim.errors import InputError

_ONE = re.compile(r"\s*([^:]*?)\s*(?::\s*([+-]?\d{1,4})\s*)?")


class Printed(NamedTuple):
    """How a result is made and told."""

    threads: int | None
    as_json: bool
    quiet: bool
    out: Path | None
    charts: bool


def check_by_score(objective: str, equilibrium: bool, given: dict[str, object]) -> None:
    """Refuse options that do not go with ``--by score``.

    Parameters
    ----------
    objective : str
    equilibrium : bool
    given : dict of str to object
        Options that are for one score, by name; None or False where they are not given.
    """
    if objective not in BY_SCORE:
        raise InputError(
            f"--by score compares scores, and --objective {objective} knows none: give --objective "
            "win or stakes."
        )
    if equilibrium:
        raise InputError("--by score is of rules against an opponent: give --against POLICY.")
    for name, value in given.items():
        if value:
            raise InputError(
                f"{name} is of one score, and --by score has several: leave it out, or give "
                "--score instead of --by score."
            )


def read_states(scores: str | None, rules) -> list:
    """Return the states that ``--scores`` names, or the usual ones.

    Raises
    ------
    InputError
        If one of them is no score, or no game is there.
    """
    from gin_sim.knock.several_scores import usual_states
    from gin_sim.payoff.score import check_rules, check_state

    check_rules(rules)
    if scores is None:
        return usual_states(rules)
    states = []
    for text in scores.split(","):
        found = _ONE.fullmatch(text)
        if not found:
            raise InputError(
                f"--scores has '{text.strip()}': give scores like 90-0 or, with boxes, 75-50:-3."
            )
        boxes = None if found[2] is None else int(found[2])
        state = read_state(found[1], boxes, rules, name="--scores")
        check_state(state, rules)
        states.append(state)
    return list(dict.fromkeys(states))


def solve_scores(plan, hands, states, objective, classes, compile_all, asked) -> None:
    """Solve at each score, print, and leave the result in its folder.

    Parameters
    ----------
    plan : TracePlan
    hands : ResultsPlan
        That tell what the rest of the game is worth.
    states : list of State
    objective : str
    classes : Classes
    compile_all : callable
        Compiles what is needed.
    asked : Printed
    """
    from gin_sim.knock.several_scores import solve_by_score, trace_keys
    from gin_sim.knock.tracing import check_memory
    from gin_sim.payoff.equity import Equity
    from gin_sim.report.progress import counting_bar
    from gin_sim.report.tables import result_tables
    from gin_sim.report.terminal import console
    from gin_sim.report.text.several_scores import by_score_json, print_by_score

    started = time.perf_counter()
    results, _ = counted_hands(hands, asked.threads, asked.quiet)
    if results.partial:
        raise KeyboardInterrupt  # nothing is solved yet
    compile_all()
    n_traces = len(set(trace_keys(plan, states)))
    check_memory(plan, traces=n_traces)
    total = plan.deals * n_traces
    with finish_on_interrupt() as stop, counting_bar(total, "deals", asked.quiet) as on_progress:
        found = solve_by_score(
            plan, Equity(results), states, objective, classes, asked.threads, stop, on_progress
        )
    if not len(found.solved[0].traced.ends):
        raise KeyboardInterrupt
    cut = ["the trace"] if any(each.traced.partial for each in found.solved) else []
    if len(found.solved) < len(states):
        cut.append("the scores")
    seconds = time.perf_counter() - started
    described = by_score_json(found, seconds, cut)
    if asked.as_json:
        click.echo(json_text(described))
    else:
        print_by_score(found, seconds, cut, console())
    if asked.out is not None:
        tables = result_tables("scores", described)
        write_result("scores", described, tables, asked.out, asked.quiet, asked.charts)
    if cut:
        sys.exit(INTERRUPTED)
