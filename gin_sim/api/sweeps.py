"""One or two numbers of a policy varied, against others or against each other."""

from __future__ import annotations

import threading
from collections.abc import Iterable, Mapping, Sequence
from numbers import Real
from typing import Any

from gin_sim.api.at_a_score import asked_state, counted_plan, prices_of, refuse_score
from gin_sim.api.meetings import Asked, Run, Size, play_meetings, prices_for, read_meetings
from gin_sim.api.playing import count_of, policy_of
from gin_sim.api.stopping import Until
from gin_sim.contests.sweep import check_opponents, plan_sweep, sweep_of
from gin_sim.contests.value_matrix import matrix_of, n_claims, plan_matrix
from gin_sim.errors import InputError
from gin_sim.payoff.payoff import PriceTable
from gin_sim.payoff.score import Pair, State
from gin_sim.policies.contract import Policy
from gin_sim.policies.specs import split_specs
from gin_sim.policies.variations import Grid, parse_grid
from gin_sim.results.objective import OF_THE_GAME, check_objective
from gin_sim.results.sweep import Sweep
from gin_sim.results.value_matrix import ValueMatrix
from gin_sim.rules import Rules

__all__ = ["sweep"]

MOST_CELLS = 441
Varied = str | Sequence[str] | Mapping[str, Iterable[Any]]


def sweep(
    play: Any,
    param: Varied,
    *,
    against: Any = None,
    both: bool = False,
    cell_by_cell: bool = False,
    max_cells: int = MOST_CELLS,
    objective: str = "points",
    score: Pair | None = None,
    boxes: Pair | None = None,
    dealer: str | None = None,
    equity_hands: float | None = None,
    hands: float | None = None,
    games: float | None = None,
    until: Until | None = None,
    rules: str | Rules = "standard",
    seed: int = 1,
    threads: int | None = None,
    mirrored: bool = True,
    progress: Any = None,
    stop: threading.Event | None = None,
) -> Sweep | ValueMatrix:
    """Vary one or two numbers of a policy and find which value is best.

    All values play the same deals.  If only the knock is varied and no whole games are played, each
    deal is walked once for all values, however many there are.

    Parameters
    ----------
    play : str, Path or Policy
        The policy to vary.
    param : str, list of str, or dict
        One or two: "knock=0:10", "knock@5:1-2=0:10", or the values by name, {"knock": range(11)}.
    against : str, Path, Policy, or list of them, optional
        The opponents of every value.
    both : bool
        Whether to play all values against each other instead: the whole matrix, the best responses
        and the equilibrium.
    cell_by_cell : bool
        Whether to play every pairing out: slower, with the same figures.
    max_cells : int
        Refuse more cells than this.
    objective : {"points", "points+boxes", "win", "stakes"}
        Points per hand, points with the box of each hand won, whole games won; or with a score the
        chance to win the game and the points settled at its end.
    score, boxes, dealer : optional
        With ``win`` or ``stakes``: the score before the hand, the varied policy's points first
        ("85-40" or a pair), hands won so far ("3-1") and who deals it ("me", "opponent" or
        "either").
    equity_hands : float, optional
        Hands to count for the value of the rest of the game, by default a million.
    hands : float, optional
        Hands for each pairing; by default 100,000, or at most 100,000,000 with ``until``.
    games : float, optional
        With ``win`` and no score: games for each pairing; by default 20,000, or at most 1,000,000.
    until : float or str, optional
        Play until every interval ends within this distance of its figure, in points or in %.
    rules, seed, threads, mirrored, progress, stop : optional
        As for :func:`simulate`.

    Returns
    -------
    Sweep, or ValueMatrix for ``both``

    Raises
    ------
    InputError
        If something cannot be used, or some arguments do not go together.
    KeyboardInterrupt
        If it was stopped before anything was finished.

    Examples
    --------
    >>> import gin_sim
    >>> found = gin_sim.sweep("greedy", {"knock": range(11)}, against="simple", hands=1e4)
    >>> found.table()[["knock", "estimate", "low", "high"]]
    """
    check_objective(objective)
    _check_score(objective, score, boxes, dealer, equity_hands, both)
    run = Run(rules, seed, threads, mirrored, progress, stop)
    at = score if objective in OF_THE_GAME else None
    asked = read_meetings(objective, Size(hands, games, until), run, at)
    opponents = _opponents(against)
    if both and opponents:
        named = ",".join(policy.spec for policy in opponents)
        raise InputError(
            f"--both plays the values against each other, and --against {named} "
            "names opponents: give only one."
        )
    if not both and not opponents:
        raise InputError(
            "no opponent is named: give --against POLICY, or --both for the values against each "
            "other."
        )
    texts = _texts(param)
    if both:
        if len(texts) > 1:
            raise InputError("--both plays the values of one --param against each other: give one.")
        return _against_each_other(_grid(play, texts, max_cells), cell_by_cell, max_cells, asked)
    grid = _grid(play, texts, max_cells)
    _check_cells(len(grid.policies) * len(opponents), max_cells)
    check_opponents(opponents)
    if at is None:
        for_all = prices_for(asked)
        prices = [] if for_all is None else [for_all]
    else:
        state = asked_state(objective, score, boxes, dealer, equity_hands, asked.rules)
        prices = _prices_at(grid.base, opponents, state, equity_hands, asked)
    return _against_others(grid, opponents, cell_by_cell, asked, prices)


def _check_score(
    objective: str,
    score: Pair | None,
    boxes: Pair | None,
    dealer: str | None,
    equity_hands: float | None,
    both: bool,
) -> None:
    """Refuse what does not go with a score, or not without one."""
    if objective not in OF_THE_GAME:
        refuse_score(objective, score, boxes, dealer, equity_hands)
    elif score is None:
        given = {"--boxes": boxes, "--dealer": dealer, "--equity-hands": equity_hands}
        for name, value in given.items():
            if value is not None:
                raise InputError(
                    f"{name} {value} needs a score, such as --score 90-75: add one, or leave "
                    f"{name} out for whole games from 0-0."
                )
        if objective == "stakes":
            raise InputError("--objective stakes needs a score: give one, such as --score 0-0.")
    elif both:
        raise InputError(
            f"--both asks what two players in equal seats should choose, and at --score {score} "
            "each hand is judged from one side: leave --score out, or give --against instead of "
            "--both."
        )


def _opponents(against: Any) -> list[Policy]:
    """Return the opponents that are named, one by one or as a text with commas."""
    if against is None:
        return []
    given = against if isinstance(against, list | tuple) else [against]
    found: list[Policy] = []
    for each in given:
        found += map(policy_of, split_specs(each) if isinstance(each, str) else [each])
    return found


def _texts(param: Varied) -> list[str]:
    """Return what is varied as texts such as "knock=0:10"."""
    if isinstance(param, str):
        return [param]
    if isinstance(param, Mapping):
        return [f"{name}={','.join(map(_value_text, values))}" for name, values in param.items()]
    return list(param)


def _value_text(value: Any) -> str:
    """Return a value as a variation writes it: whole numbers without a point."""
    is_whole = isinstance(value, Real) and float(value).is_integer()
    return str(int(float(value))) if is_whole else str(value)


def _grid(play: Any, texts: list[str], max_cells: int) -> Grid:
    return parse_grid(policy_of(play), texts, count_of(max_cells, "max_cells"))


def _check_cells(n_cells: int, max_cells: int) -> None:
    if n_cells > max_cells:
        raise InputError(
            f"{n_cells:,} cells are asked for, and at most {max_cells:,} are played: narrow the "
            "values, take a greater step, or raise --max-cells."
        )


def _against_others(
    grid: Grid,
    opponents: list[Policy],
    cell_by_cell: bool,
    asked: Asked,
    prices: list[PriceTable],
) -> Sweep:
    planned = plan_sweep(
        grid,
        opponents,
        asked.rules,
        _size(asked, prices),
        prices,
        asked.seed,
        asked.mirrored,
        not cell_by_cell,
    )
    leads = play_meetings(planned.plan, asked, len(grid.policies))
    return sweep_of(leads, grid, opponents, planned.meetings, prices)


def _prices_at(
    base: Policy,
    opponents: list[Policy],
    state: State | None,
    equity_hands: float | None,
    asked: Asked,
) -> list[PriceTable]:
    """Return what a hand at a score is worth against each opponent, by a table of its own."""
    plans = [
        counted_plan(base, opponent, asked.rules, equity_hands, asked.seed)
        for opponent in opponents
    ]
    shared = (asked.threads, asked.progress, asked.stop, asked.rules)
    return [prices_of(asked.objective, state, plan, *shared) for plan in plans]


def _size(asked: Asked, prices: list[PriceTable]) -> int:
    """Return how many hands to play; where a stopping rule decides, no more than can be summed."""
    if not prices or asked.rule.half_width is None:
        return asked.size
    most = min(each.whole_numbers.most_hands for each in prices)
    return min(asked.size, most - most % 2)


def _against_each_other(
    grid: Grid, cell_by_cell: bool, max_cells: int, asked: Asked
) -> ValueMatrix:
    if not asked.mirrored:
        raise InputError(
            "--both asks what two players in equal seats should choose: leave --no-mirrored out."
        )
    n_values = len(grid.policies)
    _check_cells(n_values**2, max_cells)
    prices = prices_for(asked)
    plan = plan_matrix(grid, asked.rules, asked.size, prices, asked.seed, not cell_by_cell)
    return matrix_of(play_meetings(plan, asked, n_claims(n_values)), grid, prices)
