"""Advice on one position: each action's worth with its interval, and whether to knock.

The opponent's cards are drawn by hand reading (:mod:`gin_sim.belief`), every action is played out
in the same worlds, and what is said of two actions rests on their difference.  How figures come
about is in :mod:`contest`; here a position is asked against its opponent and a panel of others, and
what was found is put together.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Sequence
from dataclasses import replace

from gin_sim.advice.alternatives import (
    at_other_scores,
    knock_rules,
    under_other_bonuses,
    variant_of,
)
from gin_sim.advice.answer import Asked, Found, advice_of
from gin_sim.advice.contest import Effort, Question
from gin_sim.advice.explanation import KERNELS
from gin_sim.advice.objectives import PRECISIONS, check_equity, prices_of
from gin_sim.advice.playouts import Sampler
from gin_sim.belief.class_weights import ClassWeightSampler, needed_to_weigh, patient
from gin_sim.belief.deviation import Deviation
from gin_sim.belief.sampler import PosteriorSampler, needed_to_read
from gin_sim.engine.address import noting_exceptions
from gin_sim.engine.compiling import Stopwatch
from gin_sim.errors import InputError
from gin_sim.payoff.equity import Equity
from gin_sim.play.actions import play_worlds
from gin_sim.play.run import available_cores
from gin_sim.policies.contract import Policy, suspects
from gin_sim.policies.decide import called_for
from gin_sim.positions import Memory, Position
from gin_sim.results.actions import Verdict
from gin_sim.results.advice import Advice
from gin_sim.results.objective import check_objective

_LONGEST = 24 * 3600  # seconds


def advise(
    position: Position,
    asked: Asked,
    *,
    panel: Sequence[Policy] | None = None,
    threads: int | None = None,
    equity: Equity | None = None,
    stop: threading.Event | None = None,
    on_block: Callable[[int, Verdict], None] | None = None,
) -> Advice:
    """Say what to do in a position.

    Parameters
    ----------
    position : Position
    asked : Asked
        Its effort has been checked.
    panel : sequence of Policy, optional
        Other opponents to give the verdict for; by default the same one with other knock rules.
    threads : int, optional
        All cores by default; the numbers do not depend on it.
    equity : Equity, optional
        The table of the game for ``win`` and ``stakes``.
    stop : threading.Event, optional
        Once set, the answer so far is given.
    on_block : callable, optional
        Called after each block of worlds with their number and the verdict so far.

    Raises
    ------
    InputError
        If the equity table is another's, or a policy asks for an illegal step.
    """
    watch = Stopwatch()
    threads = threads or available_cores()
    play, against = asked.play, asked.against
    others = knock_rules(against) if panel is None else tuple(panel)
    if equity is not None:
        check_equity(equity, position, play, against)
    prices = prices_of(asked.objective, position, equity)

    def ask(opponent: Policy, effort: Effort, on_block=None) -> tuple[Question, bool]:
        sampler = sampler_for(position, opponent, asked.deviation, asked.seed, threads)
        question = Question(sampler, (play, opponent), prices, asked.seed, threads)
        return question, question.play_enough(effort, stop, on_block)

    with noting_exceptions() as raised:
        question, partial = ask(against, asked.effort, on_block)
        opponents = []
        for other in others:
            if stop is not None and stop.is_set():
                partial = True
                break
            answered, cut = ask(other, asked.effort.less())
            partial = partial or cut
            opponents.append(variant_of(other.spec, answered.verdict(), asked.objective))
    if raised:
        raise InputError(
            f"a decision of {suspects([play, against, *others])} ended with {raised[0]}: it "
            "must return an answer for every view; `gin-sim policies validate FILE` tests a file."
        )
    found = Found(
        opponents=opponents,
        bonuses=under_other_bonuses(question, asked.objective),
        scores=at_other_scores(question, asked.objective, equity),
        equity=equity,
        partial=partial,
        seconds=watch.seconds,
    )
    return advice_of(question, asked, found)


def needed(position: Position, asked: Asked) -> list:
    """Return what has to be compiled for an answer, see :mod:`gin_sim.engine.reach`."""
    opponent = asked.against
    if isinstance(position.past, Memory):
        sampler = needed_to_weigh([patient(opponent) or opponent, opponent])
    else:
        sampler = needed_to_read(opponent)
    return [*sampler, play_worlds, *called_for([asked.play, opponent]), *KERNELS]


def sampler_for(
    position: Position, opponent: Policy, deviation: Deviation, seed: int, threads: int
) -> Sampler:
    """Return what draws the opponent's cards: by the history where it is known, else by weights."""
    if isinstance(position.past, Memory):
        player = patient(opponent)
        return ClassWeightSampler(position, opponent, seed=seed, threads=threads, player=player)
    return PosteriorSampler(position, opponent, deviation, seed=seed, threads=threads)


def check_effort(effort: Effort, objective: str) -> Effort:
    """Return an effort with its objective's precision where none is given.

    Raises
    ------
    InputError
        If there is no such objective, or the precision or the time is out of range.
    """
    check_objective(objective)
    if effort.precision is None:
        effort = replace(effort, precision=PRECISIONS[objective])
    if not 0 < effort.precision < float("inf"):
        raise InputError(
            f"the precision is {effort.precision:g}: it is half the width of an interval, more "
            "than 0; leave it out for the usual one."
        )
    if not 0 < effort.seconds <= _LONGEST:
        raise InputError(
            f"the time is {effort.seconds:g} s: give more than 0 and at most {_LONGEST} s; try 10."
        )
    if effort.blocks is not None and effort.blocks < 1:
        raise InputError("the sampled deals are none: play at least 1.")
    return effort
