"""The way of a question of when to knock: count hands, trace deals, find the rule, prove it."""

from __future__ import annotations

import threading
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import Any, NamedTuple

from gin_sim.api.at_a_score import counted_equity, counted_plan, prices_of
from gin_sim.api.knock_checks import check_by
from gin_sim.api.playing import count_of, policy_of, rules_of
from gin_sim.api.progress import Progress, progress_of
from gin_sim.contests.estimates import Leads
from gin_sim.engine.compiling import Stopwatch
from gin_sim.errors import InputError
from gin_sim.knock.best_response import Solved
from gin_sim.knock.best_response import solve as best_rule
from gin_sim.knock.cells import CLASSES, knock_limit_of
from gin_sim.knock.equilibrium import equilibrium as mixed_rules
from gin_sim.knock.induction import follow, respond
from gin_sim.knock.regression import fit_by_features
from gin_sim.knock.results import equilibrium_of, several_scores_of, solution_of
from gin_sim.knock.self_consistent import Round
from gin_sim.knock.self_consistent import iterate as rounds_of_itself
from gin_sim.knock.several_scores import solve_by_score, trace_keys
from gin_sim.knock.tracing import Traced, check_memory, trace
from gin_sim.knock.validation import Proof, check_play, proof, proof_plan, solved_policy
from gin_sim.payoff.equity import Equity
from gin_sim.payoff.payoff import PriceTable
from gin_sim.payoff.score import State
from gin_sim.play.hand_results import ResultsPlan
from gin_sim.play.knock_trace import TracePlan, trace_paths
from gin_sim.play.pairings import PairingsPlan
from gin_sim.play.run import compile_engine, simulate
from gin_sim.policies.contract import Policy
from gin_sim.policies.decide import called_for
from gin_sim.results.equilibrium import Equilibrium
from gin_sim.results.several_scores import SeveralScores
from gin_sim.results.solution import Solution
from gin_sim.rules import Rules

_MOST_DEALS = 10**8


class Question(NamedTuple):
    """What is asked, read and checked."""

    policies: tuple[Policy, Policy]
    rules: Rules
    objective: str
    by: str
    deals: int
    seed: int
    threads: int | None
    progress: Progress
    stop: threading.Event


class Wanted(NamedTuple):
    """What is wanted beside the rule."""

    proof_hands: int
    features: bool
    iterate: bool


def read_question(
    players: tuple[Any, Any],
    objective: str,
    by: str,
    deals: float,
    rules: Any,
    seed: int,
    threads: int | None,
    progress: Any,
    stop: threading.Event | None,
) -> Question:
    """Read and check what both questions ask for."""
    play = policy_of(players[0])
    check_play(play)
    opponent = play if players[1] is players[0] else policy_of(players[1])
    rules = rules_of(rules)
    check_by(by)
    if threads is not None and (type(threads) is not int or threads < 1):
        raise InputError(f"{threads} threads cannot play: give a whole number from 1.")
    deals = count_of(deals, "deals")
    if not 1000 <= deals <= _MOST_DEALS:
        raise InputError(f"--deals {deals:,} cannot be traced: give 1,000 to {_MOST_DEALS:,}.")
    knock_limit_of(rules)
    return Question(
        (play, opponent),
        rules,
        objective,
        by,
        deals,
        seed,
        threads,
        progress_of(progress),
        threading.Event() if stop is None else stop,
    )


def hands_to_count(asked: Question, equity_hands: float | None) -> ResultsPlan:
    """Return the hands that say what the rest of the game is worth."""
    return counted_plan(*asked.policies, asked.rules, equity_hands, asked.seed)


def solve_one(
    asked: Question, state: State | None, hands: ResultsPlan | None, wanted: Wanted
) -> Solution:
    """Return the best rule against the opponent, with what is wanted beside it."""
    watch = Stopwatch()
    rounds: list[Round] = []
    stopped = False
    if wanted.iterate and state is not None and hands is not None:
        rounds, stopped = _rounds(asked, hands)
        prices = PriceTable.of_game(rounds[-1].equity, state, asked.objective)
    else:
        prices = prices_of(
            asked.objective, state, hands, asked.threads, asked.progress, asked.stop, asked.rules
        )
    if not stopped:
        plan = TracePlan(asked.policies, asked.rules, asked.deals, asked.seed, start=prices.start)
        _compile(asked, plan, proves=True)
        check_memory(plan, wanted.features)
        traced = _trace(asked, plan)
        if not rounds and not len(traced.ends):
            raise KeyboardInterrupt
        stopped = not len(traced.ends)
    if stopped:
        asked.stop.set()
        traced, prices = rounds[-1].solved.traced, rounds[-1].solved.prices
    cut = ["the rounds"] if stopped else []
    cut += ["the trace"] if traced.partial else []
    found = best_rule(traced, CLASSES[asked.by], prices)
    return _described(asked, found, wanted, rounds, cut, watch)


def _described(
    asked: Question,
    found: Solved,
    wanted: Wanted,
    rounds: Sequence[Round],
    cut: list[str],
    watch: Stopwatch,
) -> Solution:
    """Return a rule with what is wanted beside it, as far as there is time."""
    by_features = None
    if wanted.features:
        by_features = fit_by_features(found.traced, found.prices, stop=asked.stop)
        if by_features is None:
            cut.append("the rule by features")
    policy = solved_policy(found.traced.plan.policies[0], found)
    proved = None
    if policy is not None and wanted.proof_hands:
        proved, is_whole = _prove(asked, found, policy, wanted.proof_hands)
        if not is_whole:
            cut.append("the proof")
    return solution_of(found, proved, by_features, rounds, cut, watch.seconds)


def _prove(asked: Question, found: Solved, policy: Policy, hands: int) -> tuple[Proof | None, bool]:
    """Return what fresh hands say of a rule, or None, and whether that is all of them."""
    plan = proof_plan(found, policy, hands)
    with asked.progress.playing(plan) as on_progress:
        played = simulate(plan, asked.threads, asked.stop, on_progress)
    done = plan.finished(played.tally)
    return proof(Leads(played), found.prices) if done else None, not played.partial


def solve_equilibrium(
    asked: Question, state: State | None, hands: ResultsPlan | None
) -> Equilibrium:
    """Return the mixed rule that neither of two alike players gains by leaving."""
    watch = Stopwatch()
    prices = prices_of(
        asked.objective, state, hands, asked.threads, asked.progress, asked.stop, asked.rules
    )
    plan = TracePlan(asked.policies, asked.rules, asked.deals, asked.seed, False, prices.start)
    _compile(asked, plan)
    check_memory(plan)
    traced = _trace(asked, plan)
    if not len(traced.ends):
        raise KeyboardInterrupt
    for found in mixed_rules(traced, CLASSES[asked.by], prices, asked.threads, asked.stop):
        step = found.steps[-1]
        asked.progress.step(
            f"round {step.rounds}: the best response gains {step.exploitability.estimate:+.3f}"
        )
    cut = ["the trace"] if traced.partial else []
    if asked.stop.is_set():
        cut.append("the rounds")
    return equilibrium_of(found, cut, watch.seconds)


def solve_scores(asked: Question, states: list[State], hands: ResultsPlan) -> SeveralScores:
    """Return the best rules by turn and deadwood at several scores."""
    watch = Stopwatch()
    equity = counted_equity(hands, asked.threads, asked.progress, asked.stop)
    plan = TracePlan(asked.policies, asked.rules, asked.deals, asked.seed)
    _compile(asked, plan)
    n_traces = len(set(trace_keys(plan, states)))
    check_memory(plan, traces=n_traces)
    with asked.progress.counting(plan.deals * n_traces, "deals") as on_progress:
        found = solve_by_score(
            plan,
            equity,
            states,
            asked.objective,
            CLASSES["none"],
            asked.threads,
            asked.stop,
            on_progress,
        )
    if not len(found.solved[0].traced.ends):
        raise KeyboardInterrupt
    cut = ["the trace"] if any(each.traced.partial for each in found.solved) else []
    if len(found.solved) < len(states):
        cut.append("the scores")
    return several_scores_of(found, cut, watch.seconds)


def _rounds(asked: Question, hands: ResultsPlan) -> tuple[list[Round], bool]:
    """Return the rounds of solving for the equity of the rule's own play, and whether it stopped.

    The rounds that are whole are kept; where none is, it is a KeyboardInterrupt.
    """

    def count(policy: Policy) -> Equity:
        plan = counted_plan(policy, asked.policies[1], asked.rules, hands.hands, asked.seed)
        return counted_equity(plan, asked.threads, _CompilingOnly(asked.progress), asked.stop)

    plan = TracePlan(asked.policies, asked.rules, asked.deals, asked.seed)
    _compile(asked, plan, proves=True)
    check_memory(plan)
    traced = _trace(asked, plan)
    if traced.partial:
        raise KeyboardInterrupt
    rounds: list[Round] = []
    try:
        for this in rounds_of_itself(traced, CLASSES[asked.by], asked.objective, count):
            rounds.append(this)
            changed = "" if this.changed is None else f", {this.changed} cells changed"
            asked.progress.step(f"round {len(rounds)}: {this.start:.2f} at 0-0{changed}")
            if asked.stop.is_set():
                return rounds, not this.settled
    except KeyboardInterrupt:
        if not rounds:
            raise
        return rounds, True
    return rounds, False


class _CompilingOnly(Progress):
    """Says when something compiles, and nothing else."""

    def __init__(self, shown: Progress) -> None:
        self._shown = shown

    @contextmanager
    def compiling(self, *functions: Any, at_work: bool = False) -> Iterator[None]:
        """Stand around the compiling of functions."""
        with self._shown.compiling(*functions, at_work=at_work):
            yield


def _trace(asked: Question, plan: TracePlan) -> Traced:
    with asked.progress.counting(plan.deals, "deals") as on_progress:
        return trace(plan, asked.threads, asked.stop, on_progress)


def _compile(asked: Question, plan: TracePlan, proves: bool = False) -> None:
    """Compile all that may be needed: later on, being stopped is to keep what is finished."""
    prices = PriceTable.of_points(plan.rules).whole_numbers
    played = PairingsPlan((plan.policies,), plan.rules, 2, prices) if proves else None
    needed = [trace_paths, *called_for(plan.policies), follow, respond]
    with asked.progress.compiling(*needed, *(played.needed() if played else ())):
        plan.trace(0, 0)
        if played:
            compile_engine(played)
