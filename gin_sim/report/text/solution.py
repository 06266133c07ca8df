"""A solved knock rule as a chart in text."""

from __future__ import annotations

import shlex

from rich.console import Console

from gin_sim.report.text.knocks import (
    cut_words,
    end_words,
    goal_of,
    lead_words,
    per_words,
    rows_until,
    short_interval,
    table_notes,
    turn_rows,
    value_words,
)
from gin_sim.results.knocks import SHOWN_FROM
from gin_sim.results.solution import KnockCell, Solution
from gin_sim.words import counted, listed

DEFAULT_RULES = "standard"  # that `gin-sim simulate` plays by if it is given no others
SIGNS = {"knock": "K", "play on": ".", "too close": "~"}

NOTE_OF_HALVES = (
    "The deals fall into two halves, and each judges the rule of the other: a rule's value is at "
    "most the best rule's, and a knock gains a little less than shown."
)


def summary(found: Solution) -> str:
    """Return what the rule gains, and what that rests on, in a line."""
    at = f" at {found.score.words}" if found.score else ""
    return (
        f"the best knock of {found.play.spec} against {found.against.spec}{at} gains "
        f"{short_interval(found.gain, found.shown_unit)} over its own; {found.rules.name} rules, "
        f"{found.deals:,} deals, seed {found.seed}"
    )


def show(found: Solution, console: Console, more: bool = True) -> None:
    """Print the chart, what the rule wins, its proof and, with ``more``, what it all rests on."""
    console.print(
        f"When to knock: {found.play.spec} play against {found.against.spec} · "
        f"{goal_of(found)} · {found.rules.name} rules · "
        f"{found.deals:,} deals traced{cut_words(found.cut)}\n"
    )
    for name in found.by.classes:
        console.print("\n".join(_panel(found, name)) + "\n")
    for line in _value_lines(found):
        console.print(line)
    console.print()
    for line in [*proof_lines(found), *(_notes(found) if more else [])]:
        console.print(line)
    if found.saved is not None:
        console.print(_saved_words(found))


def _saved_words(found: Solution) -> str:
    """Return how to play a saved rule as it was solved, and where that is not all that it plays."""
    words = ["gin-sim", "simulate", str(found.saved), found.against.spec]
    if found.rules.name != DEFAULT_RULES:
        words += ["--rules", found.rules.name]
    everywhere = ""
    if found.score is not None:
        at = found.score.words
        everywhere = f"\nThe rule was solved at {at}; the file plays it at every score."
    return f"Saved; play it: {shlex.join(words)}{everywhere}"


def _value_lines(found: Solution) -> list[str]:
    unit = found.shown_unit
    rows = [
        ["  the rule", value_words(found.value, unit)],
        [f"  {found.play.spec}'s own", value_words(found.own, unit)],
        ["  the rule - its own", lead_words(found.gain, unit)],
        [
            f"  the rule - the best single threshold ({found.best_threshold})",
            lead_words(found.over_best_threshold, unit),
        ],
    ]
    if found.features is not None:
        rows += [
            ["  the rule by features", value_words(found.features.value, unit)],
            ["  by features - the rule", lead_words(found.features.over_rule, unit)],
        ]
    width = max(len(label) for label, _ in rows)
    return [f"{label:<{width}}   {figure}" for label, figure in rows]


def proof_lines(found: Solution) -> list[str]:
    """Return what fresh deals say of a solved rule, or why they say nothing."""
    proof = found.proof
    by_features = "" if found.features is None else " The rule by features is not proved."
    if proof is None:
        return [f"Not proved on fresh hands: {_unproved_words(found)}.{by_features}"]
    words = "no difference is found" if proof.difference.spans_zero else "the rule is better"
    if proof.difference.high < 0:
        words = "the rule is worse"
    return [
        f"On {proof.hands:,} fresh mirrored hands against {found.against.spec}, the rule less "
        f"{found.play.spec}'s own: {lead_words(proof.difference, found.shown_unit)} "
        f"{per_words(found, found.score)}: {words}.{by_features}"
    ]


def _unproved_words(found: Solution) -> str:
    """Return why a rule was not played on fresh hands."""
    if found.knock is None:
        return f"a knock table does not know --by {found.by.name}"
    return "it was stopped before" if "the proof" in found.cut else "no --proof-hands"


def _panel(found: Solution, name: str) -> list[str]:
    cells = found.cells_of(name)
    n_turns = rows_until([cell.turn for cell in cells if cell.knocks])
    rows: list[list[str]] = [[] for _ in range(n_turns)]
    for cell in cells:
        if cell.turn <= n_turns:
            rows[cell.turn - 1].append(_cell_text(cell, found.shown_unit.scale))
    return turn_rows(found.by, name, found.cells, rows)


def _cell_text(cell: KnockCell, scale: int) -> str:
    if not cell.is_shown:
        return "few " if cell.knocks else ""
    return f"{cell.gain.estimate * scale:+.1f}{SIGNS[cell.decision]}"


def _warnings(found: Solution) -> list[str]:
    """Say where the deals are too few for the table, and what of the base is left out."""
    warnings = []
    if found.over_best_threshold.high < 0:
        fewer = "" if found.by.name == "none" else ", or give --by none"
        warnings.append(
            f"The rule is worse than knocking at {found.best_threshold} throughout: "
            f"{found.deals:,} deals are too few for so many cells; trace more{fewer}."
        )
    score = found.score
    at = "0-0" if score is None else f"{score.mine}-{score.theirs}"
    for name in found.left_out:
        warnings.append(
            f"The rule has {name}=0: {found.play.parameters[name]:g} of {found.play.spec} "
            + (
                f"reaches the target of {found.rules.target} from {at}, so that no table would be "
                "asked."
                if name == "close_within"
                else f"would shift the table at {at}."
            )
        )
    return warnings


def _notes(found: Solution) -> list[str]:
    done = [
        word
        for word, is_done in (("saved", found.saved), ("proved", found.proof))
        if is_done is not None
    ]
    which = f"the rule that is {listed(done, 'and')}" if done else "the rule to play"
    return [
        *_warnings(found),
        *table_notes(found),
        *_rounds_notes(found),
        "Each cell: what a knock is worth more than playing on. K knock, . play on, ~ too close to "
        f"call (its own 95% interval spans zero), few: below {SHOWN_FROM} knocks; nothing: none.",
        f"{NOTE_OF_HALVES[:-1]}; {which} is that of all deals, and does what a cell says wherever "
        "that is clear.",
        end_words(found.seed, found.seconds),
    ]


def _rounds_notes(found: Solution) -> list[str]:
    """Say how the rule became that of its own later play."""
    if not found.iterated:
        return []
    *_, last = found.iterated
    changes = [
        f"{each.changed} ({each.clearly_changed} clear)"
        for each in found.iterated
        if each.changed is not None
    ]
    done = counted(len(found.iterated), "round")
    settled = "where it changed no more" if last.settled else "and it still changed"
    how = f"Later hands are played by the rule that is solved at 0-0 for them, after {done}, "
    how += settled
    if "the rounds" in found.cut:
        how = f"Stopped after {done}: the rule is the last one's, at 0-0"
    unit = found.shown_unit
    reached = [f"{each.value_at_0_0 * unit.scale:.2f}" for each in found.iterated]
    return [
        f"{how}; cells that changed, round by round: "
        f"{listed(changes, 'and') if changes else 'none'}. From 0-0 the play of each round reaches "
        f"{listed(reached, 'and')} {unit.shown}."
    ]
