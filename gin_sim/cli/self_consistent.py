"""``gin-sim solve --iterate``: what the rest of the game is worth where the rule plays it."""

from __future__ import annotations

from dataclasses import replace

import click

from gin_sim.cli.interrupt import finish_on_interrupt
from gin_sim.cli.options.score import BY_SCORE, counted_hands
from gin_sim.errors import InputError


def check_iterate(objective: str, equilibrium: bool, by: str) -> None:
    """Refuse options that do not go with ``--iterate``; :class:`InputError`."""
    if objective not in BY_SCORE:
        raise InputError(
            f"--iterate is of what later hands are worth, and --objective {objective} knows none: "
            "give --objective win or stakes."
        )
    if equilibrium:
        raise InputError("--iterate is of a rule against an opponent: give --against POLICY.")
    if by not in ("outs", "none"):
        raise InputError(
            f"--iterate plays a knock table, which does not know --by {by}: give --by outs or none."
        )


def rounds_of(
    plan, hands, classes, objective: str, threads: int | None, quiet: bool
) -> tuple[list, bool]:
    """Return the rounds of solving for the equity of the rule's own play, and whether it stopped.

    Ctrl-C keeps the rounds that are whole; it is the caller's KeyboardInterrupt where none is.

    Parameters
    ----------
    plan : TracePlan
        At 0-0.
    hands : ResultsPlan
        Of the base against the opponent; each round counts as many of its own policy.
    classes : Classes
    objective : {"win", "stakes"}
    threads, quiet
    """
    from gin_sim.knock.self_consistent import iterate
    from gin_sim.knock.tracing import trace
    from gin_sim.payoff.equity import Equity
    from gin_sim.report.progress import counting_bar

    def count(policy) -> Equity:
        plan = replace(hands, policies=(policy, hands.policies[1]))
        results, _ = counted_hands(plan, threads, quiet=True)
        if results.partial:
            raise KeyboardInterrupt  # this round is not whole
        return Equity(results)

    with (
        finish_on_interrupt() as stop,
        counting_bar(plan.deals, "deals", quiet) as on_progress,
    ):
        traced = trace(plan, threads, stop, on_progress)
    if traced.partial:
        raise KeyboardInterrupt
    rounds = []
    with finish_on_interrupt() as stop:
        try:
            for this in iterate(traced, classes, objective, count):
                rounds.append(this)
                if not quiet:
                    _echo_round(len(rounds), this)
                if stop.is_set():
                    return rounds, not this.settled
        except KeyboardInterrupt:
            if not rounds:
                raise
            return rounds, True
    return rounds, False


def _echo_round(number: int, this) -> None:
    from gin_sim.report.wording import counted

    changed = "" if this.changed is None else f", {counted(this.changed, 'cell')} changed"
    click.echo(f"round {number}: worth {this.start:.2f} at 0-0{changed}", err=True)
