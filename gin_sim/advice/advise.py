"""Advice on one position: each action's worth with its interval, and whether to knock.

The opponent's cards are drawn by a belief (:mod:`gin_sim.belief`), every action is played
out in the same worlds, and what is said of two actions rests on their difference.  How figures come
about is in :mod:`question`; here a position is asked against its opponent and a panel of others,
and what was found is put together.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

import numpy as np

from gin_sim.advice.answer import Advice, Variant
from gin_sim.advice.contest import Effort, Question
from gin_sim.advice.objectives import (
    OBJECTIVES,
    PRECISIONS,
    check_objective,
    equity_for,
    other_bonuses,
    repriced,
    worth_of,
    worths_by_score,
)
from gin_sim.advice.playouts import Belief, points_worth
from gin_sim.belief.class_weights import LearnedBeliever, patient
from gin_sim.belief.likelihood import ALIKE, Stray
from gin_sim.belief.sampler import Believer
from gin_sim.engine.address import noting_exceptions
from gin_sim.errors import InputError
from gin_sim.payoff.equity import Equity
from gin_sim.play.run import available_cores
from gin_sim.policies.catalogue import parse_policy
from gin_sim.policies.contract import Policy, suspects
from gin_sim.policies.shipped.knock_table import parse_knock
from gin_sim.policies.specs import read_spec
from gin_sim.positions import Memory, Position

#: Knock rules of the panel: at ten or less always, on the first three turns, and gin alone.
_KNOCK_RULES = ("10", "10/10/10/0", "0")

_UP_TO_TEN = (1 << 11) - 1  # bits of deadwood 0 to 10
_LONGEST = 24 * 3600  # seconds


def advise(
    position: Position,
    opponent: Policy | str = "strong",
    player: Policy | str = "strong",
    objective: str = "points",
    *,
    effort: Effort | None = None,
    stray: Stray = ALIKE,
    panel: Sequence[Policy | str] | None = None,
    seed: int = 1,
    threads: int | None = None,
    equity: Equity | None = None,
    stop: threading.Event | None = None,
    on_block: Callable[[int, float], None] | None = None,
) -> Advice:
    """Say what to do in a position.

    Parameters
    ----------
    position : Position
        See :func:`gin_sim.positions.parse_position`.
    opponent : Policy or str
        The policy that the opponent is supposed to follow: the belief reads its acts by it, and
        it plays on by it.
    player : Policy or str
        How the player goes on after the action.
    objective : str
        ``"points"`` of the hand; ``"points+boxes"``, the rules' box bonus for a hand won too;
        ``"win"``, the chance to win the game from the position's score, later hands played by the
        same two policies; or ``"stakes"``, the points settled at its end.
    effort : Effort, optional
    stray : Stray
        How often the opponent departs from its policy.
    panel : sequence of Policy or str, optional
        Other opponents to give the verdict for; default: the same one with other knock rules.
    seed : int
    threads : int, optional
        Default all cores; the numbers do not depend on it.
    equity : Equity, optional
        The table of the game for ``win`` and ``stakes``, of ``player`` against ``opponent`` under
        the position's rules; by default found on disk, or counted.
    stop : threading.Event, optional
        Once set, the answer so far is given.
    on_block : callable, optional
        Called after each block of worlds with their number and the margin's half width.

    Returns
    -------
    Advice

    Raises
    ------
    InputError
        If it is asked about no Position, the objective or a policy does not exist, the effort is
        out of range, the equity table is another's, or a policy asks for an illegal step.
    """
    if not isinstance(position, Position):
        raise InputError(
            f"advise takes a Position, not a {type(position).__name__}: give what "
            "parse_position(hand, first=..., history=...) returns."
        )
    started = time.monotonic()
    threads = threads or available_cores()
    opponent, player = _policy(opponent), _policy(player)
    others = knock_rules(opponent) if panel is None else tuple(map(_policy, panel))
    effort = check_effort(effort or Effort(), objective)
    equity = equity_for(objective, position, player, opponent, threads, equity)
    worth = worth_of(objective, position, equity)

    def ask(against: Policy, effort: Effort, on_block=None) -> tuple[Question, bool]:
        belief = believer_for(position, against, stray, seed, threads)
        question = Question(belief, (player, against), worth, seed, threads)
        return question, question.go_on(effort, stop, on_block)

    with noting_exceptions() as raised:
        question, partial = ask(opponent, effort, on_block)
        opponents = []
        for other in others:
            if stop is not None and stop.is_set():
                partial = True
                break
            asked, cut = ask(other, effort.less())
            partial = partial or cut
            opponents.append(Variant(other.spec, asked.verdict(), OBJECTIVES[objective]))
    if raised:
        raise InputError(
            f"a decision of {suspects([player, opponent, *others])} ended with {raised[0]}: it "
            "must answer whatever it is asked; `gin-sim policies validate FILE` tries it alone."
        )
    asked_for = _Asked(position, opponent.spec, player.spec, objective, stray, seed, effort)
    return _answer(question, asked_for, equity, tuple(opponents), partial, started)


@dataclass(frozen=True)
class _Asked:
    """What was asked for, as the answer repeats it."""

    position: Position
    opponent: str
    player: str
    objective: str
    stray: Stray
    seed: int
    effort: Effort


def _answer(
    question: Question,
    asked: _Asked,
    equity: Equity | None,
    opponents: tuple[Variant, ...],
    partial: bool,
    started: float,
) -> Advice:
    return Advice(
        position=asked.position,
        opponent=asked.opponent,
        player=asked.player,
        objective=asked.objective,
        unit=OBJECTIVES[asked.objective],
        verdict=question.verdict(),
        actions=question.action_values(),
        reasons=question.reasons(),
        opponents=opponents,
        bonuses=_under_other_bonuses(question, asked.objective),
        scores=_at_other_scores(question, asked.objective, equity),
        worlds=question.hands.size,
        agreement=question.agreement(),
        chains=question.belief.n_chains,
        lost_chains=question.belief.n_lost,
        stray=asked.stray,
        seed=asked.seed,
        precision=asked.effort.precision,
        partial=partial,
        seconds=time.monotonic() - started,
        equity=equity,
    )


def believer_for(
    position: Position, opponent: Policy, stray: Stray, seed: int, threads: int
) -> Belief:
    """Return the belief by what is known of a position: its history, or learned weights."""
    if isinstance(position.past, Memory):
        player = patient(opponent)
        return LearnedBeliever(position, opponent, seed=seed, threads=threads, player=player)
    return Believer(position, opponent, stray, seed=seed, threads=threads)


def _policy(given: Policy | str) -> Policy:
    return parse_policy(given) if isinstance(given, str) else given


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
            f"the precision is {effort.precision:g}: it is the half width of an interval, more "
            f"than 0, in {OBJECTIVES[objective]}; try {PRECISIONS[objective]}."
        )
    if not 0 < effort.seconds <= _LONGEST:
        raise InputError(
            f"the time is {effort.seconds:g} s: give more than 0 and at most {_LONGEST} s; try 10."
        )
    if effort.blocks is not None and effort.blocks < 1:
        raise InputError(f"the blocks are {effort.blocks}: play at least 1.")
    return effort


def knock_rules(opponent: Policy) -> tuple[Policy, ...]:
    """Return the opponent with other knock rules: always at ten or less, early only, gin only."""
    if not any(parameter.name == "knock" for parameter in opponent.kind.parameters):
        return ()
    spec = read_spec(opponent.spec)
    others = [parse_policy(spec.changed({"knock": rule})) for rule in _KNOCK_RULES]
    own = _knocks(opponent)
    return tuple(other for other in others if (_knocks(other) != own).any())


def _knocks(policy: Policy) -> np.ndarray:
    """Return what a policy knocks with, masks of deadwood up to the usual limit."""
    return parse_knock(policy.values["knock"], policy.spec) & _UP_TO_TEN


def _under_other_bonuses(question: Question, objective: str) -> tuple[Variant, ...]:
    """Return the verdict in points under other bonuses: the finalists' hands, priced anew."""
    position = question.position
    found = []
    for bonuses in other_bonuses(position.rules, objective):
        results = repriced(question.results, position, bonuses)
        verdict = question.verdict(results.values(points_worth(bonuses.box)))
        found.append(Variant(bonuses.name, verdict, OBJECTIVES["points"]))
    return tuple(found)


def _at_other_scores(
    question: Question, objective: str, equity: Equity | None
) -> tuple[Variant, ...]:
    """Return the verdict at other scores: the finalists' hands, and what they lead to there."""
    if equity is None:
        return ()
    return tuple(
        Variant(name, question.verdict(question.results.values(worth)), OBJECTIVES[objective])
        for name, worth in worths_by_score(objective, question.position, equity)
    )
