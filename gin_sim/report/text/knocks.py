"""What is told of a solved knock rule and of an equilibrium of the knock alike."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from gin_sim.knock.cells import Classes
from gin_sim.knock.tracing import Traced
from gin_sim.knock.validation import opponent_deadwood
from gin_sim.payoff.equity import Equity
from gin_sim.payoff.payoff import Worth
from gin_sim.payoff.score import EITHER, State
from gin_sim.policies.contract import Policy
from gin_sim.policies.shipped.knock_table import TABLE_TURNS
from gin_sim.report.text.equity_told import DEALERS, sample_of
from gin_sim.report.text.matchups import interval_text, objective_words
from gin_sim.report.wording import aligned, boxes_words
from gin_sim.rules import Rules
from gin_sim.stats.intervals import Estimate
from gin_sim.words import listed

_LONGEST_SPEC = 80


def score_object(worth: Worth) -> dict[str, Any] | None:
    """Return the score of a worth for JSON; None where none matters."""
    state = worth.state
    if state is None:
        return None
    return {
        "mine": state.mine,
        "theirs": state.theirs,
        "boxes": state.box_difference,
        "boxes_matter": worth.equity.box > 0,
        "dealer": DEALERS[state.dealer],
        "words": score_words(state, worth.equity.box),
        "later_hands": later_hands_object(worth.equity),
    }


def later_hands_object(equity: Equity) -> dict[str, Any]:
    """Return between whom the later hands of a game are, and of how many they are known."""
    results = equity.results
    play, against = results.plan.policies
    return {
        "play": play.spec,
        "against": against.spec,
        "hands": results.hands,
        "seed": results.plan.seed,
        "partial": results.partial,
    }


def cut_words(cut: Sequence[str]) -> str:
    """Return what an interrupt left unfinished, for a first line."""
    return f" · PARTIAL: stopped early, {listed(cut, 'and')} not whole" if cut else ""


def rows_until(turns: Sequence[int]) -> int:
    """Return how many rows show all of these turns, counted from 0."""
    return max(turns, default=-1) + 1


def turn_rows(classes: Classes, place: int, deadwoods: int, rows: list[list[str]]) -> list[str]:
    """Return a class's heading, the deadwoods and a line for every turn from the first on."""
    several = len(classes.names) > 1
    title = f"{classes.meaning}: {classes.names[place]}" if several else "all knocks"
    head = ["  deadwood", *map(str, range(1, deadwoods))]
    names = [f"  turn {turn}{'+' * (turn == TABLE_TURNS)}" for turn in range(1, len(rows) + 1)]
    lines = [[name, *cells] for name, cells in zip(names, rows, strict=True)]
    return [f"  {title}", *(line.rstrip() for line in aligned([head, *lines]))]


def score_words(state: State, box: int) -> str:
    """Return a score: "45-20, 1 box ahead, the opponent deals"; without boxes where worth none."""
    words = [f"{state.mine}-{state.theirs}"]
    if box and (state.mine or state.theirs):
        words.append(boxes_words(state.box_difference))
    if state.dealer != EITHER:
        words.append(("the player deals", "the opponent deals")[state.dealer])
    return ", ".join(words)


def goal_words(worth: Worth, rules: Rules) -> str:
    """Return what knocks are judged by: "% to win the game at 45-20, 1 box ahead"."""
    if worth.state is None:
        return objective_words(worth.objective, rules)
    return f"{worth.unit} at {score_words(worth.state, worth.equity.box)}"


def worth_text(figure: Estimate, worth: Worth) -> str:
    """Return what a rule is worth with its interval; a chance has no sign."""
    text = interval_text(figure)
    return text.replace("+", "") if worth.level else text


def table_notes(worth: Worth) -> list[str]:
    """Say where the worth of a hand for the game comes from; nothing for points."""
    if worth.equity is None:
        return []
    return equity_notes([worth.equity], worth.objective, "the traced deals")


def equity_notes(equities: Sequence[Equity], objective: str, sampled: str) -> list[str]:
    """Say which hands tables of the game follow from, and what the intervals allow for.

    Tables of one policy against several, each of as many hands, have one sentence.

    Parameters
    ----------
    equities : sequence of Equity
    objective : str
    sampled : str
        What the intervals allow for.
    """
    by_sample: dict[str, list[Equity]] = {}
    for equity in equities:
        by_sample.setdefault(sample_of(equity), []).append(equity)
    return [_equity_note(sample, akin, objective, sampled) for sample, akin in by_sample.items()]


def _equity_note(sample: str, akin: Sequence[Equity], objective: str, sampled: str) -> str:
    play = _short(akin[0].results.plan.policies[0])
    against = listed([_short(equity.results.plan.policies[1]) for equity in akin], "and")
    each = "each of " if len(akin) > 1 else ""
    half_a_tie = ", half a tie counted," if objective == "win" else ""
    return (
        f"What a hand is worth for the game{half_a_tie} follows from {sample} of {play} against "
        f"{each}{against}, whose own knocks play the later hands; intervals are those of {sampled} "
        "alone."
    )


def _short(policy: Policy) -> str:
    """Return a spec, or only its name and that it has numbers of its own where it is long."""
    name, colon, _ = policy.spec.partition(":")
    short = len(policy.spec) <= _LONGEST_SPEC or not colon
    return policy.spec if short else f"{name} (with parameters of its own)"


def shared_object(
    traced: Traced, classes: Classes, worth: Worth, seconds: float, cut: Sequence[str]
) -> dict[str, Any]:
    """Return what both results say of themselves as plain values."""
    plan = traced.plan
    sample = f"{len(traced.ends):,} deals traced"
    if worth.equity is not None:
        sample += f", the rest of the game from {sample_of(worth.equity)}"
    return {
        "objective": worth.objective,
        "unit": worth.unit,
        "score": score_object(worth),
        "sample": sample,
        "deals": len(traced.ends),
        "seed": plan.seed,
        "rules": plan.rules.as_dict(),
        "confidence": 0.95,
        "play": plan.policies[0].spec,
        "play_policy": plan.policies[0].as_dict(),
        "by": {
            "name": classes.name,
            "meaning": classes.meaning,
            "classes": list(classes.names),
        },
        "defenders": [
            {"turn": turn, "counts": counts} for turn, counts in opponent_deadwood(traced)
        ],
        "partial": bool(cut),
        "cut": list(cut),
        "seconds": {"all": round(seconds, 3)},
    }
