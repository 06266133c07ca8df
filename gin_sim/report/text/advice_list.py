"""The answers for a file of positions as a table, a line for each."""

from __future__ import annotations

from typing import Any

from rich.console import Console

from gin_sim.report.terminal import shows_symbols
from gin_sim.report.text.advice import action_text, belief_words, with_interval
from gin_sim.results.advice_list import AdviceList, PositionAdvice
from gin_sim.words import listed


def show(result: AdviceList, console: Console, more: bool = True) -> None:
    """Print a table of the answers; there is no shorter form of it."""
    console.print(header())
    for answer in result.positions:
        console.print(line(answer, console))
    console.print(footer(result))


def summary(result: AdviceList) -> str:
    """Return how many positions there are, and how many have a clear answer."""
    clear = sum(
        each.advice.verdict.margin is None or not each.advice.verdict.margin.spans_zero
        for each in result.positions
    )
    return (
        f"clear answers for {clear} of {_count(result)}, {_rules(result)} rules, seed {result.seed}"
    )


def header() -> str:
    """Return the head of the table."""
    return f"  {'line':>5}  {'turn':>4}  {'answer':<17}  {'action':<22}  {'margin':<24}  best"


def line(answer: PositionAdvice, console: Any) -> str:
    """Return one answer as a line under :func:`header`, in the console's signs."""
    advice = answer.advice
    verdict, scale = advice.verdict, advice.shown_unit.scale
    margin = "-" if verdict.margin is None else with_interval(verdict.margin.scaled(scale))
    chance = advice.actions[0].chance_best
    best = "-" if chance is None else f"{100 * chance:.0f} %"
    unsure = "  chains disagree" if advice.belief.chains_disagree else ""
    unsure += "" if advice.belief.source == "history" else "  learned weights"
    unsure += "  cut short" if advice.partial else ""
    action = action_text(verdict, shows_symbols(console.file))
    return (
        f"  {answer.line:>5}  {advice.turn:>4}  {verdict.answer:<17}  {action:<22}  "
        f"{margin:<24}  {best:>5}{unsure}"
    )


def footer(result: AdviceList) -> str:
    """Return what the answers rest on."""
    advice = result.positions[-1].advice
    partial = "PARTIAL: stopped early · " if result.partial else ""
    return (
        f"{partial}{_count(result)} · {_rules(result)} rules · objective {advice.objective} · "
        f"margins in {advice.shown_unit.shown}, {advice.confidence:.0%} intervals · "
        f"{belief_words(advice)} · "
        f"you play on as {advice.play.spec} · seed {advice.seed}"
    )


def _rules(result: AdviceList) -> str:
    return listed(sorted({each.advice.rules.name for each in result.positions}), "and")


def _count(result: AdviceList) -> str:
    """Return how many positions have an answer: "1 of 2 positions"."""
    n = len(result.positions)
    of = "" if n == result.wanted else f" of {result.wanted}"
    return f"{n}{of} position{'' if result.wanted == 1 else 's'}"
