"""A solved knock rule as a chart in text."""

from __future__ import annotations

import shlex

from rich.console import Console

from gin_sim.report.text.knocks import (
    blank_words,
    cut_words,
    end_words,
    goal_of,
    lead_words,
    rows_until,
    short_interval,
    table_notes,
    turn_rows,
    value_words,
)
from gin_sim.results.solution import KnockCell, Solution
from gin_sim.words import counted, listed

DEFAULT_RULES = "standard"  # that `gin-sim simulate` plays by if it is given no others
SIGNS = {"knock": "K", "play on": ".", "too close": "~"}
SIGN_WORDS = (
    "K: knock. A point: play on. ~: too close to call, since the cell's 95% interval spans zero."
)

NOTE_OF_HALVES = (
    "Each half of the deals judges the rule found on the other half. So what the rule wins is a "
    "little low, and what a knock gains a little high."
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
        f"When to knock: {found.play.spec} against {found.against.spec} · "
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
    return f"Saved. To play it: {shlex.join(words)}{everywhere}"


def _value_lines(found: Solution) -> list[str]:
    unit = found.shown_unit
    rows = [
        ["  the rule", value_words(found.value, unit)],
        [f"  {found.play.spec}'s own rule", value_words(found.own, unit)],
        [f"  the rule - {found.play.spec}'s own", lead_words(found.gain, unit)],
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
    return [f"{label:<{width}}   {figure} {unit.shown}" for label, figure in rows]


def proof_lines(found: Solution) -> list[str]:
    """Return what fresh deals say of a solved rule, or why they say nothing."""
    proof = found.proof
    by_features = "" if found.features is None else " The rule by features is not tested."
    if proof is None:
        return [f"Not tested on fresh hands: {_untested_words(found)}.{by_features}"]
    own = f"{found.play.spec}'s own"
    words = f"the rule is better than {own}"
    if proof.difference.spans_zero:
        words = f"no difference is found between the rule and {own}"
    elif proof.difference.high < 0:
        words = f"the rule is worse than {own}"
    return [
        f"On {proof.hands:,} fresh mirrored hands against {found.against.spec} {words}: "
        f"{short_interval(proof.difference, found.shown_unit)}.{by_features}"
    ]


def _untested_words(found: Solution) -> str:
    """Return why a rule was not played on fresh hands."""
    if found.knock is None:
        return f"a knock table cannot hold a rule by {found.by.name}"
    return "it was stopped before" if "the proof" in found.cut else "--proof-hands is 0"


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
            f"The rule is worse than knocking at {found.best_threshold} on every turn: "
            f"{found.deals:,} deals are too few for so many cells. Trace more{fewer}."
        )
    score = found.score
    at = "0-0" if score is None else f"{score.mine}-{score.theirs}"
    for name in found.left_out:
        warnings.append(
            f"The rule has {name}=0: {found.play.parameters[name]:g} of {found.play.spec} "
            + (
                f"reaches the target of {found.rules.target} from {at}, so the table would never "
                "be used."
                if name == "close_within"
                else f"would shift the table at {at}."
            )
        )
    return warnings


def _notes(found: Solution) -> list[str]:
    done = [
        word
        for word, is_done in (("saved", found.saved), ("tested", found.proof))
        if is_done is not None
    ]
    which = f"The rule that is {listed(done, 'and')}" if done else "The rule to play"
    return [
        *_warnings(found),
        *table_notes(found),
        *_rounds_notes(found),
        f"Each cell: how much more a knock is worth than playing on, {found.shown_unit.shown}. "
        f"{SIGN_WORDS} {blank_words()}",
        f"{NOTE_OF_HALVES} {which} is found on all deals, and does what each clear cell says.",
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
    settled = "which no longer changed" if last.settled else "which was still changing"
    how = f"Later hands are played by the rule solved at 0-0, {settled} after {done}"
    if "the rounds" in found.cut:
        how = f"Stopped after {done}: later hands are played by the last rule solved at 0-0"
    unit = found.shown_unit
    reached = [f"{each.value_at_0_0 * unit.scale:.2f}" for each in found.iterated]
    return [
        f"{how}. Cells that changed, round by round: "
        f"{listed(changes, 'and') if changes else 'none'}. The rule of each round is worth from "
        f"0-0: {listed(reached, 'and')} {unit.shown}."
    ]
