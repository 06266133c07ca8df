"""When to knock: the best rule against an opponent, at several scores, and in equilibrium."""

from __future__ import annotations

import threading
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from gin_sim.api.at_a_score import asked_state
from gin_sim.api.knock_checks import (
    BY,
    check_by_score,
    check_equilibrium,
    check_iterate,
    check_save,
    proof_hands_of,
    states_of,
)
from gin_sim.api.solving import (
    Wanted,
    hands_to_count,
    read_question,
    solve_equilibrium,
    solve_one,
    solve_scores,
)
from gin_sim.errors import InputError
from gin_sim.payoff.score import Pair
from gin_sim.policies.catalogue import shipped_kind
from gin_sim.policies.files.toml import policy_text, write_new
from gin_sim.results.equilibrium import Equilibrium
from gin_sim.results.several_scores import SeveralScores
from gin_sim.results.solution import Solution
from gin_sim.rules import Rules

__all__ = ["BY", "check_save", "equilibrium", "save_policy", "solve"]


def solve(
    play: Any,
    against: Any,
    *,
    objective: str = "points",
    score: Pair | None = None,
    boxes: Pair | None = None,
    dealer: str | None = None,
    by: str = "outs",
    scores: str | Sequence[Any] | None = None,
    deals: float = 200_000,
    proof_hands: float | None = None,
    features: bool = False,
    iterate: bool = False,
    equity_hands: float | None = None,
    rules: str | Rules = "standard",
    seed: int = 1,
    threads: int | None = None,
    progress: Any = None,
    stop: threading.Event | None = None,
) -> Solution | SeveralScores:
    """Find the best knock rule against an opponent, for given draws and discards.

    Every deal is played once, and every knock that was allowed is noted with what it would have
    scored.  The best rule follows by working backward from the last turn.

    Parameters
    ----------
    play : str, Path or Policy
        The player draws and discards like this policy, whose knock must be a table.
    against : str, Path or Policy
        The opponent, who draws, discards and knocks like this policy.
    objective : {"points", "points+boxes", "win", "stakes"}
        What is judged: points per hand, points with the box of each hand won, the chance to win the
        game, or the points settled at its end.
    score, boxes, dealer : optional
        With ``win`` or ``stakes``: the score before the hand, the player's first ("85-40" or a
        pair), hands won so far ("3-1"; by default as level as possible) and who deals it ("me",
        "opponent" or "either").
    by : {"outs", "none", "takes", "loose", "lower", "score"}
        What the rule looks at in addition to turn and deadwood; ``score`` shows several scores side
        by side.
    scores : str or sequence, optional
        With ``by="score"``: the scores, boxes after a colon, like "0-0,90-0:3-0"; by default some
        usual ones.
    deals : float
        Deals to trace, at least 1,000.
    proof_hands : float, optional
        Fresh mirrored hands to test the rule on; 0 for no test.  By default 200,000 where the rule
        is by outs or none.
    features : bool
        Whether to find also the best rule that looks at everything the player sees.
    iterate : bool
        With ``win`` or ``stakes``: play the later hands by the rule solved at 0-0, too.
    equity_hands : float, optional
        Hands to count for the value of the rest of the game, by default a million.
    rules : str or Rules
    seed : int
    threads : int, optional
        All cores by default; the numbers do not depend on it.
    progress : optional
        True for a bar on the terminal, or a function of (done, total, unit).
    stop : threading.Event, optional
        Once set, what is finished is returned as partial.

    Returns
    -------
    Solution, or SeveralScores for ``by="score"``

    Raises
    ------
    InputError
        If something cannot be used, or some arguments do not go together.
    KeyboardInterrupt
        If it was stopped before anything was found.

    Examples
    --------
    >>> import gin_sim
    >>> found = gin_sim.solve("greedy", "simple", by="none", deals=20_000)
    >>> found.table("cells")
    """
    asked = read_question(
        (play, against), objective, by, deals, rules, seed, threads, progress, stop
    )
    if iterate:
        check_iterate(objective, by)
    if by == "score":
        given = {"--score": score, "--boxes": boxes, "--dealer": dealer, "--features": features}
        check_by_score(objective, given)
        states = states_of(scores, asked.rules)
        proof_hands_of(proof_hands, by)
        return solve_scores(asked, states, hands_to_count(asked, equity_hands))
    if scores is not None:
        raise InputError("--scores needs --by score; for one score give --score.")
    state = asked_state(objective, score, boxes, dealer, equity_hands, asked.rules)
    wanted = Wanted(proof_hands_of(proof_hands, by), features, iterate)
    return solve_one(asked, state, hands_to_count(asked, equity_hands) if state else None, wanted)


def equilibrium(
    play: Any,
    *,
    by: str = "outs",
    objective: str = "points",
    score: Pair | None = None,
    boxes: Pair | None = None,
    dealer: str | None = None,
    deals: float = 200_000,
    equity_hands: float | None = None,
    rules: str | Rules = "standard",
    seed: int = 1,
    threads: int | None = None,
    progress: Any = None,
    stop: threading.Event | None = None,
) -> Equilibrium:
    """Find a mixed knock rule that neither of two equal players gains by leaving.

    It is an equilibrium of the knock for these draws and discards, not of gin rummy.

    Parameters
    ----------
    play : str, Path or Policy
        Both sides draw and discard like this policy, whose knock must be a table.
    by : {"outs", "none", "takes", "loose", "lower"}
        What the rule looks at in addition to turn and deadwood.
    objective, score, boxes, dealer, deals, equity_hands : optional
        As for :func:`solve`.
    rules, seed, threads, progress, stop : optional
        As for :func:`solve`.

    Returns
    -------
    Equilibrium

    Raises
    ------
    InputError
        If something cannot be used, or some arguments do not go together.
    KeyboardInterrupt
        If it was stopped before anything was found.

    Examples
    --------
    >>> import gin_sim
    >>> gin_sim.equilibrium("greedy", by="none", deals=20_000).table("chances")
    """
    check_equilibrium(by)
    asked = read_question((play, play), objective, by, deals, rules, seed, threads, progress, stop)
    state = asked_state(objective, score, boxes, dealer, equity_hands, asked.rules)
    return solve_equilibrium(asked, state, hands_to_count(asked, equity_hands) if state else None)


def save_policy(solution: Solution, path: str | Path) -> None:
    """Write the policy that knocks by a solved rule as a new TOML file, to be played by its path.

    Parameters
    ----------
    solution : Solution
        A rule by outs or none; its ``saved`` becomes the path.
    path : str or Path
        A new file that ends in .toml.

    Raises
    ------
    InputError
        If a file cannot hold the rule, or cannot be written.

    Examples
    --------
    >>> import gin_sim
    >>> gin_sim.save_policy(found, "solved.toml")
    >>> gin_sim.solve("solved.toml", "simple")
    """
    if not isinstance(solution, Solution):
        raise InputError("only a rule solved against an opponent can be saved.")
    check_save(path, solution.by.name)
    kind = shipped_kind(solution.play.policy)
    values = {
        parameter.name: parameter.checked(kind.name, solution.play.parameters[parameter.name])
        for parameter in kind.parameters
    }
    values["knock"] = solution.knock or "0"
    values |= dict.fromkeys(solution.left_out, 0.0)
    at = solution.score
    goal = f", for {solution.shown_unit.shown} at {at.words}" if at else ""
    text = policy_text(
        kind,
        values,
        summary=f"{solution.play.spec} with the knock solved against {solution.against.spec}{goal}",
        origin=f"gin-sim solve, {solution.rules.name} rules, seed {solution.seed}",
    )
    write_new(str(path), text)
    solution.saved = str(path)
