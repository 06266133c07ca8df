"""What commands that judge by the game share: a score as text, and hands counted or found."""

from __future__ import annotations

import re

import click
from click.core import ParameterSource

from gin_sim.cli.options.common import Count
from gin_sim.cli.playing import play
from gin_sim.errors import InputError

#: Objectives that a score goes with.
BY_SCORE = ("win", "stakes")
_DEALERS = {"either": None, "play": 0, "against": 1, "me": 0, "opponent": 1}
_SCORE = re.compile(r"\s*(\d{1,6})\s*[-:]\s*(\d{1,6})\s*")


def score_options(
    command,
    sides: tuple[str, str] = ("play", "against"),
    dealer_words: str = "--play's side or --against's",
    default: str = "0-0",
):
    """Add the options that say at which score, and from how many hands the game is known.

    Parameters
    ----------
    command : callable
    sides : pair of str
        What ``--dealer`` calls side 0 and side 1.
    dealer_words : str
        Who they are.
    default : str
        What it is without ``--score``.
    """
    options = (
        click.option(
            "--score",
            metavar="SCORE",
            help="With --objective win or stakes: the score before the hand, the player's first: "
            f"45-20.  [default: {default}]",
        ),
        click.option(
            "--boxes",
            type=click.IntRange(-1000, 1000),
            default=None,
            help="Boxes that the player is ahead at that score, its hands won less the "
            "opponent's, below 0 behind.  [default: 0, or the possible difference nearest to it]",
        ),
        click.option(
            "--dealer",
            type=click.Choice(["either", *sides]),
            default=None,
            help=f"Who deals the hand at that score: {dealer_words}.  [default: either, by turns]",
        ),
        click.option(
            "--equity-hands",
            type=Count(1000, 10**10),
            default="1e6",
            show_default=True,
            help="Hands to count for what the rest of the game is worth, as `gin-sim equity` has "
            "them.",
        ),
    )
    for option in reversed(options):
        command = option(command)
    return command


def asked_state(objective: str, score, boxes, dealer, rules):
    """Return the state that a result is judged at; None where no score plays a part.

    Raises
    ------
    InputError
        If a score, or hands to count for it, are given without an objective that they go with, or
        no game is in that state.
    """
    if objective not in BY_SCORE:
        hands = given_hands()
        given = {"--score": score, "--boxes": boxes, "--dealer": dealer, "--equity-hands": hands}
        for name, value in given.items():
            if value is not None:
                raise InputError(
                    f"{name} is of the game, and --objective {objective} judges single hands, "
                    "which are played at 0-0: give --objective win or stakes, or leave it out."
                )
        return None
    from gin_sim.payoff.score import check_rules, check_state

    check_rules(rules)
    state = read_state(score or "0-0", boxes, rules, _DEALERS[dealer or "either"])
    check_state(state, rules)
    return state


def given_hands() -> int | None:
    """Return --equity-hands if it is given; None where it is the default."""
    context = click.get_current_context()
    by_hand = context.get_parameter_source("equity_hands") is ParameterSource.COMMANDLINE
    return context.params["equity_hands"] if by_hand else None


def worth_of(objective: str, state, plan, threads: int | None, quiet: bool):
    """Return what a hand's result is worth, for points or at a score.

    Parameters
    ----------
    objective : str
    state : State or None
        See :func:`asked_state`.
    plan : ResultsPlan
        The hands that tell what the rest of the game is worth; played only for a state.
    """
    from gin_sim.payoff.payoff import Worth

    if state is None:
        box = plan.rules.box_bonus if objective == "points+boxes" else None
        return Worth.of_points(plan.rules, box)
    from gin_sim.payoff.equity import Equity

    results, _ = counted_hands(plan, threads, quiet)
    if results.partial:
        raise KeyboardInterrupt  # nothing is solved yet
    return Worth.of_game(Equity(results), state, objective)


def read_state(
    score: str, boxes: int | None, rules, dealer: int | None = None, name: str = "--score"
):
    """Return the state that ``--score`` and ``--boxes`` name.

    Parameters
    ----------
    score : str
        Both sides' points: 45-20.
    boxes : int or None
        Box difference; None: 0, or the possible one nearest to it.
    rules : Rules
    dealer : int or None
        Side that deals; None: either.
    name : str
        The option, for the sentence of an error.
    """
    from gin_sim.payoff.score import EITHER, State, box_range

    found = _SCORE.fullmatch(score)
    if not found:
        raise InputError(f"{name} '{score}' is no score: give both sides' points, such as 45-20.")
    mine, theirs = map(int, found.groups())
    if boxes is None:
        least, most = box_range(mine, theirs, rules)
        boxes = min(max(0, least), most)
    return State(mine, theirs, boxes, EITHER if dealer is None else dealer)


def counted_equity(play, against, rules, threads: int | None, quiet: bool):
    """Return the table of a game, its hands counted with a bar unless they were before.

    Raises
    ------
    KeyboardInterrupt
        If it was stopped: a table of few hands is none.
    """
    from gin_sim.payoff.equity import Equity
    from gin_sim.payoff.equity_cache import kept_results, plan_between

    plan = plan_between(play, against, rules)
    results = kept_results(plan)
    if results is None:
        results, _ = counted_hands(plan, threads, quiet)
    if results.partial:
        raise KeyboardInterrupt
    return Equity(results)


def counted_hands(plan, threads: int | None, quiet: bool):
    """Return a plan's results and the seconds they took, None where they were found on disk."""
    from gin_sim.payoff.equity_cache import keep_results, kept_results, place_of, results_of

    plan.standings  # noqa: B018  refused before any work
    results = kept_results(plan)
    if results is not None:
        if not quiet:
            click.echo(f"These hands were counted before: found {place_of(plan)}.", err=True)
        return results, None
    played = play(plan, threads, quiet)
    results = results_of(played)
    notice = keep_results(results)
    if notice and not quiet:
        click.echo(notice, err=True)
    return results, round(played.seconds, 3)
