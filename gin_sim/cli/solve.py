"""``gin-sim solve``: when to knock, against an opponent or in equilibrium."""

from __future__ import annotations

import functools
import sys
import time
from dataclasses import dataclass

import click

from gin_sim.cli.interrupt import INTERRUPTED, finish_on_interrupt, leave_on_interrupt
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
from gin_sim.cli.options.score import asked_state, score_options, worth_of
from gin_sim.cli.playing import json_text, write_result
from gin_sim.cli.self_consistent import check_iterate, rounds_of
from gin_sim.cli.several_scores import Printed, check_by_score, read_states, solve_scores
from gin_sim.cli.solve_checks import check_proof, check_save
from gin_sim.errors import InputError


@click.command(name="solve", cls=Command)
@click.option("--play", "play_spec", required=True, metavar="BASE", help="Who draws and discards.")
@click.option("--against", "against_spec", metavar="POLICY", help="The opponent, its knock too.")
@click.option(
    "--equilibrium",
    is_flag=True,
    help="Both play BASE, and neither gains by knocking otherwise: a mixed rule.",
)
@click.option(
    "--objective",
    type=click.Choice(["points", "points+boxes", "win", "stakes"]),
    default="points",
    show_default=True,
    help="What is to be won: points per hand, points with the box of each hand won, the game (the "
    "chance to win it, in %), or the points settled at its end.",
)
@score_options
@click.option(
    "--by",
    "by",
    type=click.Choice(["outs", "none", "takes", "loose", "lower", "score"]),
    default="outs",
    show_default=True,
    help="By what else than turn and deadwood the rule may differ: cards that would give gin, "
    "nothing, cards the opponent took, loose cards, or cards that would lower the deadwood; with "
    "--objective win or stakes also score: by turn and deadwood, at several scores side by side.",
)
@click.option(
    "--scores",
    metavar="SCORES",
    help="With --by score: the scores, boxes after a colon, like 0-0,90-0:3,75-50:-1; the first is "
    "what the others are compared with.  [default: 0-0, 90-0, 0-90, 90-90 and 75-50, in "
    "hundredths of the target, with level boxes and 3 ahead or behind]",
)
@click.option(
    "--deals",
    type=Count(1000, 10**8),
    default="200000",
    show_default=True,
    help="Deals to trace.  1e6 take 5 s for greedy play and half a minute for strong play on two "
    "cores, and up to a gigabyte of memory.",
)
@click.option(
    "--proof-hands",
    type=Count(0, 10**9),
    default="200000",
    show_default=True,
    help="Fresh mirrored hands to prove the rule on, --by outs or none against an opponent; 0 for "
    "none.",
)
@click.option(
    "--features",
    is_flag=True,
    help="Also find the best rule by all that the mover sees, by regression, and what it is worth "
    "more than the table.",
)
@click.option(
    "--iterate",
    is_flag=True,
    help="With --objective win or stakes: let later hands be played by the rule solved at 0-0 "
    "itself, counted and solved anew until it changes no more.",
)
@click.option("--save", metavar="FILE", help="A new .toml file for the solved policy.")
@rules_option
@seed_option
@threads_option
@json_option
@out_option
@click.option(
    "--charts/--no-charts",
    default=True,
    show_default=True,
    help="With --out: draw the charts too; `gin-sim chart DIR` draws them later.",
)
@quiet_option
def command(
    play_spec,
    against_spec,
    equilibrium,
    objective,
    score,
    boxes,
    dealer,
    equity_hands,
    by,
    scores,
    deals,
    proof_hands,
    features,
    iterate,
    save,
    rules_spec,
    seed,
    threads,
    as_json,
    out,
    charts,
    quiet,
) -> None:
    """Find when to knock: the chart of what a knock is worth more than playing on.

    Every deal is traced once, with each knock that was allowed and what it would have scored; the
    best rule follows by working backward from the last turn.

    \b
    Examples:
      gin-sim solve --play greedy --against simple --deals 1e6
      gin-sim solve --play strong --against marjj --rules standard:box_bonus=0 --save solved.toml
      gin-sim solve --play greedy --equilibrium --by none --deals 1e6
      gin-sim solve --play strong --against strong --objective win --score 90-75 --boxes -1
      gin-sim solve --play strong --against simple --objective win --by score
    """
    from gin_sim.knock.validation import check_play
    from gin_sim.policies.catalogue import parse_policy
    from gin_sim.rules import parse_rules

    if equilibrium == (against_spec is not None):
        raise InputError(
            "a rule is solved against an opponent or in equilibrium: give --against POLICY, or "
            "--equilibrium, and not both."
        )
    if equilibrium and features:
        raise InputError("--features is of a rule against an opponent: give --against POLICY.")
    play = parse_policy(play_spec)
    check_play(play)
    other = play if equilibrium else parse_policy(against_spec)
    rules = parse_rules(rules_spec)
    if iterate:
        check_iterate(objective, equilibrium, by)
    if by == "score":
        given = {"--score": score, "--boxes": boxes is not None, "--dealer": dealer}
        check_by_score(objective, equilibrium, given | {"--features": features, "--save": save})
        states = read_states(scores, rules)
    elif scores is not None:
        raise InputError("--scores is for several scores: give --by score, or one by --score.")
    else:
        state = asked_state(objective, score, boxes, dealer, rules)
    check_proof(proof_hands, equilibrium, by)
    if save is not None:
        check_save(save, equilibrium, by)
    if out is not None:
        from gin_sim.results.folder import check_folder

        check_folder(out)
    from gin_sim.knock.cells import CLASSES, knock_limit_of
    from gin_sim.knock.tracing import check_memory, trace
    from gin_sim.payoff.payoff import Worth
    from gin_sim.play.hand_results import ResultsPlan
    from gin_sim.play.knock_trace import TracePlan
    from gin_sim.report.progress import counting_bar

    knock_limit_of(rules)  # refused before any work
    started = time.perf_counter()
    hands = ResultsPlan((play, other), rules, equity_hands + equity_hands % 2, seed)
    if by == "score":
        plan = TracePlan((play, other), rules, deals, seed)
        asked = Printed(threads, as_json, quiet, out, charts)
        compile_all = functools.partial(_compile, plan, quiet, proves=False)
        solve_scores(plan, hands, states, objective, CLASSES["none"], compile_all, asked)
        return
    rounds, stopped = [], False
    if iterate:
        plan = TracePlan((play, other), rules, deals, seed)
        _compile(plan, quiet)
        check_memory(plan)
        rounds, stopped = rounds_of(plan, hands, CLASSES[by], objective, threads, quiet)
        worth = Worth.of_game(rounds[-1].equity, state, objective)
    else:
        worth = worth_of(objective, state, hands, threads, quiet)
    plan = TracePlan((play, other), rules, deals, seed, not equilibrium, worth.start)
    if not stopped:
        _compile(plan, quiet)
        check_memory(plan, features)
    with finish_on_interrupt() as stop:
        if stopped:
            stop.set()
        else:
            with counting_bar(deals, "deals", quiet) as on_progress:
                traced = trace(plan, threads, stop, on_progress)
            if not rounds and not len(traced.ends):
                raise KeyboardInterrupt
            stopped = not len(traced.ends)
        if stopped:
            traced, worth = rounds[-1].solved.traced, rounds[-1].solved.worth
        asked = _Asked(threads, as_json, quiet, proof_hands, features, save, tuple(rounds), stopped)
        answer = _equilibrium if equilibrium else _solve
        described = answer(traced, CLASSES[by], worth, started, asked, stop)
    if out is not None:
        from gin_sim.report.tables import result_tables

        kind = "equilibrium" if equilibrium else "solve"
        write_result(kind, described, result_tables(kind, described), out, quiet, charts)
    if described["partial"]:
        sys.exit(INTERRUPTED)


@dataclass(frozen=True)
class _Asked:
    """The options that a solved rule is told by."""

    threads: int | None
    as_json: bool
    quiet: bool
    proof_hands: int
    features: bool
    save: str | None
    rounds: tuple
    stopped: bool  # after the last of the rounds, whose rule at 0-0 is told


def _compile(plan, quiet: bool, proves: bool = True) -> None:
    """Compile all that may be needed: later on an interrupt is to keep what is finished."""
    from gin_sim.play.knock_trace import trace_paths
    from gin_sim.play.plans import PairingsPlan
    from gin_sim.play.run import compile_engine
    from gin_sim.report.terminal import note_compiling

    played = PairingsPlan((plan.policies,), plan.rules, 2) if plan.stops and proves else None
    kernels = [trace_paths, played.kernel] if played else [trace_paths]
    if not quiet:
        note_compiling(*kernels)
    with leave_on_interrupt():
        plan.trace(0, 0)
        if played:
            compile_engine(played)


def _solve(traced, classes, worth, started, asked: _Asked, stop):
    from gin_sim.knock.best_response import solve
    from gin_sim.knock.regression import fit_by_features
    from gin_sim.knock.validation import solved_policy
    from gin_sim.report.terminal import console
    from gin_sim.report.text.solution import SolvedAnswer, print_solved, saved_words, solved_json

    found = solve(traced, classes, worth)
    cut = ["the rounds"] if asked.stopped else []
    cut += ["the trace"] if traced.partial else []
    by_features = fit_by_features(traced, worth, stop=stop) if asked.features else None
    if asked.features and by_features is None:
        cut.append("the rule by features")
    base = traced.plan.policies[0]
    policy = solved_policy(base, found)
    if asked.save is not None:
        _save(asked.save, policy, found)
    proved = None
    if policy is not None and asked.proof_hands:
        proved, is_whole = _prove(found, policy, asked, stop)
        if not is_whole:
            cut.append("the proof")
    seconds = time.perf_counter() - started
    told = SolvedAnswer(found, proved, by_features, seconds, cut, asked.save, asked.rounds)
    described = solved_json(told)
    if asked.as_json:
        click.echo(json_text(described))
    else:
        print_solved(told, console())
        if asked.save is not None:
            click.echo(saved_words(asked.save, found))
    return described


def _prove(found, policy, asked: _Asked, stop):
    """Return what fresh hands say of a rule, or None, and whether that is all of them."""
    from gin_sim.contests.estimates import Leads
    from gin_sim.knock.validation import proof, proof_plan
    from gin_sim.play.run import simulate
    from gin_sim.report.progress import progress_bar

    hands = asked.proof_hands + asked.proof_hands % 2
    plan = proof_plan(found, policy, hands)
    with progress_bar(plan, asked.quiet) as on_progress:
        played = simulate(plan, asked.threads, stop, on_progress)
    return proof(Leads(played), found.worth) if plan.finished(
        played.tally
    ) else None, not played.partial


def _save(path: str, policy, found) -> None:
    from gin_sim.policies.files.toml import policy_text, write_new

    plan = found.traced.plan
    base, opponent = plan.policies
    text = policy_text(
        policy.kind,
        policy.values,
        summary=f"{base.spec} with the knock solved against {opponent.spec}{_goal(found)}",
        origin=f"gin-sim solve, {plan.rules.name} rules, seed {plan.seed}",
    )
    write_new(path, text)


def _goal(found) -> str:
    """Return what a rule was solved for, for its file; nothing for points."""
    from gin_sim.report.text.knocks import goal_words

    return f", for {goal_words(found.worth, found.traced.plan.rules)}" if found.worth.state else ""


def _equilibrium(traced, classes, worth, started, asked: _Asked, stop):
    from gin_sim.knock.equilibrium import equilibrium
    from gin_sim.report.terminal import console
    from gin_sim.report.text.equilibrium import equilibrium_json, print_equilibrium

    for found in equilibrium(traced, classes, worth, asked.threads, stop):
        step = found.steps[-1]
        if not asked.quiet and sys.stderr.isatty():
            click.echo(
                f"round {step.rounds}: the best answer gains {step.exploitability.estimate:+.3f}",
                err=True,
            )
    cut = ["the trace"] if traced.partial else []
    if stop.is_set():
        cut.append("the rounds")
    told = (found, time.perf_counter() - started, cut)
    described = equilibrium_json(*told)
    if asked.as_json:
        click.echo(json_text(described))
    else:
        print_equilibrium(*told, console())
    return described
