"""What questions judged by the game share: the score that is asked about, and counted hands."""

from __future__ import annotations

import threading

from gin_sim.api.playing import count_of, play
from gin_sim.api.progress import Progress
from gin_sim.errors import InputError
from gin_sim.payoff.equity import Equity, Results
from gin_sim.payoff.equity_cache import (
    HANDS,
    keep_results,
    kept_results,
    place_of,
    results_of,
)
from gin_sim.payoff.payoff import PriceTable
from gin_sim.payoff.score import Pair, State, check_rules, read_state
from gin_sim.play.hand_results import ResultsPlan
from gin_sim.policies.contract import Policy
from gin_sim.results.objective import OF_THE_GAME, check_objective
from gin_sim.rules import Rules


def asked_state(
    objective: str,
    score: Pair | None,
    boxes: Pair | None,
    dealer: str | None,
    equity_hands: float | None,
    rules: Rules,
) -> State | None:
    """Return the state that a question is judged at; None where no score plays a part.

    Parameters
    ----------
    objective : str
    score, boxes : str or pair of int, optional
        Points and hands won so far, the player's first; without a score it is 0-0.
    dealer : {"me", "opponent", "either"}, optional
    equity_hands : float, optional
        Hands to count for what the rest of the game is worth.
    rules : Rules

    Raises
    ------
    InputError
        If there is no such objective, if something of a score is given without an objective of the
        game, or if no game is in that state.
    """
    check_objective(objective)
    if objective not in OF_THE_GAME:
        refuse_score(objective, score, boxes, dealer, equity_hands)
        return None
    check_rules(rules)
    return read_state("0-0" if score is None else score, boxes, dealer, rules)


def refuse_score(
    objective: str,
    score: Pair | None,
    boxes: Pair | None,
    dealer: str | None,
    equity_hands: float | None,
) -> None:
    """Refuse what is of a score, with an objective that looks no further than the hand."""
    given = {"--score": score, "--boxes": boxes, "--dealer": dealer, "--equity-hands": equity_hands}
    for name, value in given.items():
        if value is not None:
            raise InputError(
                f"{name} needs --objective win or stakes: by {objective}, single hands are judged "
                "and played at 0-0."
            )


def counted_plan(
    play: Policy, against: Policy, rules: Rules, equity_hands: float | None, seed: int
) -> ResultsPlan:
    """Return the hands to count between two policies; refused before any work.

    Parameters
    ----------
    play, against : Policy
    rules : Rules
    equity_hands : float, optional
        HANDS by default; made even.
    seed : int

    Raises
    ------
    InputError
        If their number is none, or no table of the game can be made.
    """
    hands = HANDS if equity_hands is None else count_of(equity_hands, "equity_hands")
    if hands < 1000:
        raise InputError(f"--equity-hands {hands} are too few for a table: give at least 1000.")
    plan = ResultsPlan((play, against), rules, hands + hands % 2, seed)
    plan.standings  # noqa: B018  refused before any work
    return plan


def prices_of(
    objective: str,
    state: State | None,
    plan: ResultsPlan | None,
    threads: int | None,
    progress: Progress,
    stop: threading.Event | None,
    rules: Rules,
) -> PriceTable:
    """Return what a hand's result is worth, for points or at a score.

    Parameters
    ----------
    objective : str
    state : State or None
        See :func:`asked_state`.
    plan : ResultsPlan or None
        See :func:`counted_plan`; played only for a state.
    threads, progress, stop
    rules : Rules

    Raises
    ------
    KeyboardInterrupt
        If it was stopped: nothing is found yet.
    """
    if state is None or plan is None:
        return PriceTable.of_points(rules, objective)
    return PriceTable.of_game(counted_equity(plan, threads, progress, stop), state, objective)


def counted_equity(
    plan: ResultsPlan, threads: int | None, progress: Progress, stop: threading.Event | None
) -> Equity:
    """Return the table of a game, its hands counted unless they were before.

    Raises
    ------
    KeyboardInterrupt
        If it was stopped: a table of few hands is none.
    """
    results, _ = counted_hands(plan, threads, progress, stop)
    if results.partial:
        raise KeyboardInterrupt
    return Equity(results)


def counted_hands(
    plan: ResultsPlan, threads: int | None, progress: Progress, stop: threading.Event | None
) -> tuple[Results, float | None]:
    """Return a plan's results and the seconds they took, None where they were found on disk."""
    results = kept_results(plan)
    if results is not None:
        progress.note(f"Hands counted before are used again: {place_of(plan)}.")
        return results, None
    played = play(plan, threads, progress, stop)
    results = results_of(played)
    notice = keep_results(results)
    if notice:
        progress.note(notice)
    return results, round(played.seconds, 3)
