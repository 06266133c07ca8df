"""Find when to knock, against each kind of opponent and in equilibrium: results/knock_charts.

    .venv/bin/python scripts/knock_charts.py

takes about five minutes on two cores.  Each folder is what one `gin-sim solve` leaves; the
charts, the tables and the page beside them are made from those, by `--page` from the results there
are.
"""

from __future__ import annotations

import itertools
import textwrap
from pathlib import Path
from typing import NamedTuple

import click
import numpy as np
import pandas as pd

import gin_sim
from gin_sim.report.charts.solution import compare_charts
from gin_sim.report.wording import sample_words
from gin_sim.results.common import Estimate
from gin_sim.results.equilibrium import Equilibrium
from gin_sim.results.folder import describe_run, write_results
from gin_sim.results.kinds import load
from gin_sim.results.solution import KnockCell, Solution
from gin_sim.words import listed

ROOT = Path(__file__).resolve().parent.parent
RESULTS = ROOT / "results" / "knock_charts"
PAGE = """# When to knock

Written by `scripts/knock_charts.py`; {sample} for each result, seed 1. Playing on is
to discard and leave the hand open; turns are your own, from 1; deadwood is what a knock would
leave, and gin is always declared. "Cards that give gin" are unseen ones that would make gin at
once. Each figure is in points per hand with a 95% interval of its own in brackets: a few in every
hundred decisions read off these charts are wrong by chance, and the largest of many figures is a
little too large.

{settings}

A chart holds for a player who draws and discards as named, `strong` unless said otherwise.

{opponents}

## In short

{short}

## The last turn to knock

The last own turn on which a knock is clearly worth more than playing on, by how many cards give
gin, with deadwood 10 and with 5; `-` where no turn is clear. Turns in brackets follow it and are
too close to call.

{last_turns}

![The chart with no card that gives gin, by opponent](overview/by_opponent_0.png)

![With one or two cards that give gin](overview/by_opponent_1-2.png)

![With three or more cards that give gin](overview/by_opponent_3+.png)

## What the charts are worth

A solved rule is judged on deals that it was not fitted to: on the other half of those traced, and
on fresh mirrored hands. Its own rule is the one that the player comes with, the best threshold a
single one for all turns.

{worth}

{sections}

## In equilibrium

Both players draw and discard alike, and neither gains more than the last columns by knocking
otherwise: first on deals that did not choose the better knock, which is a little low and can be
below zero, then at most, on those that did. A turn is the last before the first on which the mixed
rule knocks less than half the time. From turn 17 on few cards are left in the stock to wait for,
and some knocks are made again. This is an equilibrium of the knock for these draws and discards,
not of gin rummy.

{equilibria}

{equilibrium_sentences}

## The charts side by side

By rules, against itself: ![No card that gives gin, by rules](overview/by_rules_0.png)
![One or two cards, by rules](overview/by_rules_1-2.png)
![Three or more cards, by rules](overview/by_rules_3+.png)

By play, against `simple`: ![No card that gives gin, by play](overview/by_play_0.png)

`overview` holds these charts and the figures of the tables; the other folders are the results
themselves, each with its command, every cell and its own charts.
"""


class Setting(NamedTuple):
    """Rules and what is to be won, with the words for them."""

    words: str
    rules: str
    objective: str


SETTINGS = {
    "25-25": Setting("25/25 without boxes", "standard:box_bonus=0", "points"),
    "20-10": Setting(
        "20/10 without boxes", "standard:box_bonus=0,gin_bonus=20,undercut_bonus=10", "points"
    ),
    "boxes": Setting("25/25 with boxes", "standard", "points+boxes"),
}


class Run(NamedTuple):
    """One result: who plays, against whom (None: in equilibrium), under which setting."""

    play: str
    against: str | None
    setting: str


OPPONENTS = {
    "simple": "knocks as soon as it can",
    "marjj": "knocks early and later waits for gin",
    "gin-only": "waits for gin",
    "strong": "knocks as its own table says",
}
SOLVED = [
    *(Run("strong", opponent, setting) for opponent in OPPONENTS for setting in SETTINGS),
    *(Run("greedy", "simple", setting) for setting in SETTINGS),
]
EQUILIBRIA = [Run(play, None, setting) for play in ("strong", "greedy") for setting in SETTINGS]
BY = {"strong": "outs", "greedy": "none"}  # of the equilibria


def folder_of(run: Run) -> Path:
    """Return where a result is."""
    return RESULTS / f"{run.play}-{run.against or 'equilibrium'}-{run.setting}"


def command_of(run: Run) -> str:
    """Return the arguments of a run, except for where its result goes."""
    setting = SETTINGS[run.setting]
    shared = f"--objective {setting.objective} --rules {setting.rules}"
    sizes = f"{shared} --deals 2e5 --no-charts"
    if run.against:
        return f"solve --play {run.play} --against {run.against} {sizes} --proof-hands 2e5 --seed 1"
    return f"solve --play {run.play} --equilibrium --by {BY[run.play]} {sizes} --seed 1"


def solve(run: Run) -> None:
    """Solve, and leave the result in its folder."""
    setting = SETTINGS[run.setting]
    shared = {"objective": setting.objective, "rules": setting.rules, "deals": 2e5, "seed": 1}
    if run.against:
        found = gin_sim.solve(run.play, run.against, proof_hands=2e5, progress=True, **shared)
    else:
        found = gin_sim.equilibrium(run.play, by=BY[run.play], progress=True, **shared)
    folder = folder_of(run)
    found.command = f"gin-sim {command_of(run)} --out {folder.relative_to(ROOT)}"
    found.save(folder, charts=False)


def read(run: Run) -> Solution | Equilibrium:
    """Return a result that was left in its folder."""
    return load(folder_of(run))


HOLDING = {
    "0": "no card that gives gin",
    "1-2": "one or two cards that give gin",
    "3+": "three or more cards that give gin",
}
DEADWOODS = (10, 5)  # whose last turn to knock is given
HALF, TENTH = 0.5, 0.1  # of the allowed knocks: an equilibrium is said to knock, and hardly to
TURN_FROM = 100  # knocks of a turn, from which its share is given


def figure_words(figure: Estimate, decimals: int = 1, sign: str = "") -> str:
    """Return an estimate with its interval: "2.1 [1.8, 2.4]"."""
    form = f"{sign}.{decimals}f"
    low, high = (f"{end:{form}}" for end in (figure.low, figure.high))
    return f"{figure.estimate:{form}} [{low}, {high}]"


def lead_words(figure: Estimate) -> str:
    """Return a lead to two places, with its sign."""
    return figure_words(figure, 2, "+")


def cost(figure: Estimate) -> Estimate:
    """Return what playing on is worth more than a knock, of what a knock is worth more."""
    return figure.negated()


def shown_cells(solution: Solution, name: str) -> list[KnockCell]:
    """Return a class's cells with figures."""
    return [cell for cell in solution.cells if cell.class_name == name and cell.is_shown]


def turns_words(turns: list[int]) -> str:
    """Return turns in order as runs: "4, 6-8"."""
    runs: list[list[int]] = []
    for turn in turns:
        if runs and turn == runs[-1][-1] + 1:
            runs[-1].append(turn)
        else:
            runs.append([turn])
    return ", ".join(f"{run[0]}-{run[-1]}" if len(run) > 1 else f"{run[0]}" for run in runs)


def last_knock(solution: Solution, name: str, deadwood: int) -> tuple[int | None, list[int]]:
    """Return up to which turn a knock is clearly better, and those too close that follow it.

    A turn on which playing on is clearly better ends it; None where that comes first.
    """
    cells = [cell for cell in shown_cells(solution, name) if cell.deadwood == deadwood]
    cells.sort(key=lambda cell: cell.turn)
    before = list(itertools.takewhile(lambda cell: cell.decision != "play on", cells))
    last = max((cell.turn for cell in before if cell.decision == "knock"), default=None)
    return last, [cell.turn for cell in before if cell.turn > (last or 0)]


def last_knock_words(solution: Solution, name: str, deadwood: int) -> str:
    """Return a cell of the table of last turns: "5 (6, 7)"."""
    last, close = last_knock(solution, name, deadwood)
    return f"{last or '-'}{f' ({turns_words(close)})' if close else ''}"


def what_words(run: Run) -> str:
    """Return opponent and setting of a result, for a row's head."""
    return f"`{run.against}` | {SETTINGS[run.setting].words}"


def last_turns_table(solved: dict[Run, Solution]) -> list[str]:
    """Return the last turns to knock as Markdown, for what `strong` plays."""
    heads = [f"{name} give gin, with {pips}" for name in HOLDING for pips in DEADWOODS]
    lines = [f"| against | rules | {' | '.join(heads)} |", f"|---|---|{'---:|' * len(heads)}"]
    for run, solution in solved.items():
        if run.play == "strong":
            words = [last_knock_words(solution, name, d) for name in HOLDING for d in DEADWOODS]
            lines.append(f"| {what_words(run)} | {' | '.join(words)} |")
    return lines


def worth_table(solved: dict[Run, Solution]) -> list[str]:
    """Return what every solved rule is worth as Markdown."""
    lines = [
        "| play | against | rules | the solved rule wins | more than its own rule | the same on "
        "fresh hands | more than the best threshold | which is |",
        "|---|---|---|---:|---:|---:|---:|---:|",
    ]
    for run, solution in solved.items():
        figures = (
            solution.value,
            solution.gain,
            solution.proof.difference,
            solution.over_best_threshold,
        )
        words = " | ".join(map(lead_words, figures))
        lines.append(f"| `{run.play}` | {what_words(run)} | {words} | {solution.best_threshold} |")
    return lines


def at(cell: KnockCell) -> str:
    """Return where a decision is made."""
    return f"on turn {cell.turn} with deadwood {cell.deadwood} and {HOLDING[cell.class_name]}"


def class_sentence(solution: Solution, name: str) -> str:
    """Return when to knock with so many cards that give gin.

    The last turn to knock with any deadwood is one whose every cell is clear, and which no cell
    before it contradicts; likewise the first turn to knock with none.
    """
    cells = shown_cells(solution, name)
    rows = {turn: [c for c in cells if c.turn == turn] for turn in sorted({c.turn for c in cells})}
    holding = f"with {HOLDING[name]}"
    nearest = max(cells, key=lambda cell: cell.gain.estimate)
    if nearest.gain.estimate < 0:
        return (
            f"{holding} never knock: even on turn {nearest.turn} with deadwood "
            f"{nearest.deadwood}, where a knock comes nearest, playing on is worth "
            f"{figure_words(cost(nearest.gain))} more."
        )
    words = []
    always = max((turn for turn in rows if clear_until(rows, turn)), default=0)
    never = min((turn for turn in rows if clear_from(rows, turn)), default=max(rows) + 1)
    if always:
        least = min(rows[always], key=lambda cell: cell.gain.estimate)
        words.append(
            f"knock {'on turn 1' if always == 1 else f'up to turn {always}'} with any deadwood: "
            f"then a knock gains least with {least.deadwood}, {figure_words(least.gain)}"
        )
    if between := [turn for turn in rows if always < turn < never]:
        turns = f"turn{'s' * (len(between) > 1)} {turns_words(between)}"
        words.append(f"on {turns} it depends on the deadwood{last_words(solution, name, between)}")
    if never in rows:
        nearest = max(rows[never], key=lambda cell: cell.gain.estimate)
        words.append(
            f"from turn {never} on do not knock: then even with deadwood {nearest.deadwood}, where "
            f"a knock comes nearest, playing on is worth {figure_words(cost(nearest.gain))} more"
        )
    return f"{holding}, {'; '.join(words)}."


def clear_until(rows: dict[int, list[KnockCell]], turn: int) -> bool:
    """Return whether a turn's knocks are all clearly better, and no earlier one looks worse."""
    clear = all(cell.decision == "knock" for cell in rows[turn])
    return clear and all(cell.gain.estimate > 0 for t in rows if t < turn for cell in rows[t])


def clear_from(rows: dict[int, list[KnockCell]], turn: int) -> bool:
    """Return whether a turn's knocks are all clearly worse, and no later one looks better."""
    clear = all(cell.decision == "play on" for cell in rows[turn])
    return clear and all(cell.gain.estimate < 0 for t in rows if t > turn for cell in rows[t])


def last_words(solution: Solution, name: str, turns: list[int]) -> str:
    """Return the last turns to knock among these, by deadwood."""
    lasts = {deadwood: last_knock(solution, name, deadwood)[0] for deadwood in (10, 5, 2)}
    said = [f"{last} with {deadwood}" for deadwood, last in lasts.items() if last in turns]
    return f" (the last clear turn to knock is {listed(said, 'and')})" if said else ""


def mistake_sentence(solution: Solution, decision: str, of_figure, mistake: str) -> str | None:
    """Return what a wrong choice costs most, a time and in the long run."""
    wrong = [cell for cell in solution.cells if cell.decision == decision]
    if not wrong:
        return None
    dearest = max(wrong, key=lambda cell: of_figure(cell.gain).estimate)
    often = max(wrong, key=lambda cell: of_figure(cell.gain).estimate * cell.knocks)
    return (
        f"{mistake} costs most {at(dearest)}, {figure_words(of_figure(dearest.gain))}; "
        f"counting how often it comes up, {at(often)}, "
        f"{figure_words(of_figure(often.gain))}, in "
        f"{often.knocks / solution.deals:.1%} of the hands of a player who follows the chart until "
        "then."
    )


def close_sentence(solution: Solution) -> str:
    """Return how many cells are too close, and where most are."""
    shown = [cell for cell in solution.cells if cell.is_shown]
    close = [cell for cell in shown if cell.decision == "too close"]
    if not close:
        return f"none of the {len(shown)} places with figures is too close to call."
    parts = []
    for name, holding in HOLDING.items():
        if turns := sorted({cell.turn for cell in close if cell.class_name == name}):
            parts.append(f"with {holding} on turns {turns_words(turns)}")
    return (
        f"{len(close)} of the {len(shown)} places with figures are too close to call, "
        f"{'; '.join(parts)}."
    )


def sentences(run: Run, solution: Solution) -> list[str]:
    """Return what a solved chart says to a player."""
    proof = solution.proof
    difference = proof.difference
    gain = (
        "so no difference is found"
        if difference.spans_zero
        else f"so it is {'better' if difference.low > 0 else 'worse'}"
    )
    lines = [class_sentence(solution, name) for name in HOLDING]
    lines.append(
        f"on {proof.hands:,} fresh mirrored hands the chart wins {lead_words(difference)} points "
        f"per hand more than `{run.play}`'s own rule, {gain}; on the traced deals it wins "
        f"{lead_words(solution.over_best_threshold)} more than the best single "
        f"threshold, {solution.best_threshold}."
    )
    mistakes = (
        mistake_sentence(solution, "play on", cost, "a wrong knock"),
        mistake_sentence(solution, "knock", lambda figure: figure, "playing on wrongly"),
    )
    lines.extend(words for words in mistakes if words)
    lines.append(close_sentence(solution))
    return lines


def head_words(run: Run, solution: Solution) -> str:
    """Return the words that the sentences of one opponent and setting begin with."""
    boxes = " with a box counted for each hand won" if solution.objective == "points+boxes" else ""
    return (
        f"**Against `{run.against}` at {SETTINGS[run.setting].words}**, played as `{run.play}`, "
        f"in points per hand{boxes} ({sample_words(solution)}):"
    )


def sections(solved: dict[Run, Solution]) -> str:
    """Return a section for each player and opponent."""
    lines: list[str] = []
    heads = dict.fromkeys((run.play, run.against) for run in solved)
    for play, against in heads:
        played = "" if play == "strong" else f", played as `{play}`"
        lines.append(f"## Against `{against}`, which {OPPONENTS[against]}{played}\n")
        for run, solution in solved.items():
            if (run.play, run.against) == (play, against):
                lines.append(textwrap.fill(head_words(run, solution), 100) + "\n")
                lines += [bullet(each) for each in sentences(run, solution)]
                lines.append("")
    return "\n".join(lines).rstrip()


def bullet(sentence: str) -> str:
    """Return a sentence as an item of a list, in lines of the page's width."""
    return textwrap.fill(sentence, 100, initial_indent="- ", subsequent_indent="  ")


def short_sentences(solved: dict[Run, Solution], equilibria: dict[Run, Equilibrium]) -> list[str]:
    """Return what all charts say together, for what `strong` plays."""
    lines = []
    for setting, (words, *_) in SETTINGS.items():
        parts = []
        for against in OPPONENTS:
            solution = solved[Run("strong", against, setting)]
            lasts = [last_knock(solution, name, 10)[0] for name in HOLDING]
            said = ", ".join("never" if last is None else f"turn {last}" for last in lasts)
            parts.append(f"`{against}` {said}")
        lines.append(
            f"At {words}, the last turn on which a knock with deadwood 10 is clearly better where "
            "no card, one or two, three or more give gin is against "
            f"{'; against '.join(parts)}."
        )
    gains = {
        run: solution.proof.difference for run, solution in solved.items() if run.play == "strong"
    }
    for which, pick in (("least", min), ("most", max)):
        run = pick(gains, key=lambda run: gains[run].estimate)
        lines.append(
            f"A chart made for the opponent wins {which} over `strong`'s own rule against "
            f"`{run.against}` at {SETTINGS[run.setting].words}: {lead_words(gains[run])} points "
            "per hand on fresh hands."
        )
    for play in BY:
        said = [
            f"at {SETTINGS[run.setting].words} up to turn {last_turn_of(found, TENTH)}"
            f"{again_words(found, TENTH)}"
            for run, found in equilibria.items()
            if run.play == play
        ]
        lines.append(
            f"In equilibrium, `{play}` on both sides, at least a tenth of the allowed knocks are "
            f"made {'; '.join(said)}."
        )
    return lines


# ---------------------------------------------------------------------------- equilibria


class TurnChance(NamedTuple):
    """How often the knocks that are allowed on a turn are made, and how many those are."""

    turn: int
    chance: float
    knocks: int


def turn_chances(found: Equilibrium) -> list[TurnChance]:
    """Return every turn with knocks enough to say how often they are made, in order."""
    rows = []
    for turn in sorted({each.turn for each in found.chances}):
        row = [each for each in found.chances if each.turn == turn and each.knocks]
        weights = [each.knocks for each in row]
        if sum(weights) >= TURN_FROM:
            chance = float(np.average([each.chance for each in row], weights=weights))
            rows.append(TurnChance(turn, chance, sum(weights)))
    return rows


def last_turn_of(found: Equilibrium, least: float) -> int:
    """Return the turn before the first on which fewer of the allowed knocks are made; 0: none."""
    before = itertools.takewhile(lambda each: each.chance >= least, turn_chances(found))
    return max((each.turn for each in before), default=0)


def again_words(found: Equilibrium, least: float) -> str:
    """Return on which later turns so many of the allowed knocks are made after all."""
    last = last_turn_of(found, least)
    later = [each for each in turn_chances(found) if each.turn > last and each.chance >= least]
    said = [f"{each.turn} ({each.chance:.0%} of {each.knocks:,})" for each in later]
    return f" and again on turn{'s' * (len(said) > 1)} {listed(said, 'and')}" if said else ""


def last_chance(found: Equilibrium, name: str, deadwood: int, shown: int = 50) -> str:
    """Return the turn before the first on which a knock is made less than half the time."""
    shown_here = [
        each
        for each in found.chances
        if (each.class_name, each.deadwood) == (name, deadwood) and each.knocks >= shown
    ]
    shown_here.sort(key=lambda each: each.turn)
    knocking = itertools.takewhile(lambda each: each.chance >= HALF, shown_here)
    return str(max((each.turn for each in knocking), default="-"))


def equilibrium_table(equilibria: dict[Run, Equilibrium]) -> list[str]:
    """Return by equilibrium when it stops knocking, as Markdown."""
    lines = [
        "| play | rules | cards that give gin | last turn to knock with 10 | with 5 | with 2 | "
        "with 1 | a better knock gains | at most |",
        "|---|---|---|---:|---:|---:|---:|---:|---:|",
    ]
    for run, found in equilibria.items():
        most = found.exploitability_at_most
        for name in found.by.classes:
            turns = " | ".join(last_chance(found, name, deadwood) for deadwood in (10, 5, 2, 1))
            shown = name if len(found.by.classes) > 1 else "any"
            lines.append(
                f"| `{run.play}` | {SETTINGS[run.setting].words} | {shown} | {turns} | "
                f"{lead_words(found.exploitability)} | {lead_words(most)} |"
            )
    return lines


def group_chance(found: Equilibrium, turn: int, deadwoods: range) -> float | None:
    """Return how often knocks with these deadwoods are made on a turn; None: too few to say."""
    row = [each for each in found.chances if each.turn == turn and each.deadwood in deadwoods]
    weights = [each.knocks for each in row]
    if sum(weights) < 50:
        return None
    return float(np.average([each.chance for each in row], weights=weights))


def equilibrium_sentences(equilibria: dict[Run, Equilibrium]) -> list[str]:
    """Return what the equilibria say to a player."""
    lines = []
    for run, found in equilibria.items():
        half, tenth = (
            f"{last_turn_of(found, least)}{again_words(found, least)}" for least in (HALF, TENTH)
        )
        exploitability = found.exploitability
        most = found.exploitability_at_most
        shown = "not shown to be below"
        if exploitability.high < found.enough:
            shown = "below" if most.high < found.enough else "by the first figure alone below"
        lines.append(
            f"`{run.play}` on both sides, {SETTINGS[run.setting].words}: at least half of "
            f"the allowed knocks are made up to turn {half}, at least a tenth up to turn {tenth}; "
            f"a better knock gains {lead_words(exploitability)} points per hand and at most "
            f"{lead_words(most)}, {shown} {found.enough:g} ({sample_words(found)})."
        )
    early = Run("greedy", None, "25-25")
    parts = []
    for turn in (1, 2, 3):
        low, high = (group_chance(equilibria[early], turn, d) for d in (range(1, 4), range(8, 11)))
        if low is not None and high is not None:
            parts.append(f"on turn {turn} {low:.0%} and {high:.0%}")
    lines.append(
        f"`greedy` on both sides, {SETTINGS[early.setting].words}: of the allowed knocks with "
        f"deadwood 1-3, and of those with 8-10, are made {'; '.join(parts)}."
    )
    return [*lines, published_sentence(equilibria)]


def published_sentence(equilibria: dict[Run, Equilibrium]) -> str:
    """Return what was published about when an equilibrium stops knocking, beside ours."""
    said = []
    for play in BY:
        high, low = (equilibria[Run(play, None, setting)] for setting in ("25-25", "20-10"))
        said.append(
            f"`{play}` on both sides makes fewer than a tenth of the allowed knocks from own turn "
            f"{last_turn_of(high, TENTH) + 1} on at 25/25"
            f"{exception_words(high)} and from turn {last_turn_of(low, TENTH) + 1} on at 20/10"
            f"{exception_words(low)}"
        )
    return (
        "Goldstein and others (AAAI 35, 2021, 15518-15525) found, for draws and discards of their "
        "own, that the equilibrium all but stops knocking after 8 stock draws at 25/25 and after "
        f"17 at 20/10; here, without boxes, {'; '.join(said)}."
    )


def exception_words(found: Equilibrium) -> str:
    """Return the later turns on which a tenth is made all the same."""
    again = again_words(found, TENTH).removeprefix(" and again on ")
    return f" (except for {again})" if again else ""


# ------------------------------------------------------------------------ overview and page


def charts(solved: dict[Run, Solution]) -> dict[str, object]:
    """Draw the charts side by side, by opponent, rules and play, one for each class."""
    groups = {
        "opponent": (
            "When to knock, by opponent: strong play, 25/25 without boxes",
            [(f"against {each}", Run("strong", each, "25-25")) for each in OPPONENTS],
            HOLDING,
        ),
        "rules": (
            "When to knock, by rules: strong play against itself",
            [(each.words, Run("strong", "strong", key)) for key, each in SETTINGS.items()],
            HOLDING,
        ),
        "play": (
            "When to knock, by play: against simple, 25/25 without boxes",
            [(f"{play} play", Run(play, "simple", "25-25")) for play in ("strong", "greedy")],
            ["0"],
        ),
    }
    return {
        f"by_{group}_{name}": compare_charts(
            [(label, solved[run]) for label, run in panels],
            "scripts/knock_charts.py",
            title,
            name,
        )
        for group, (title, panels, names) in groups.items()
        for name in names
    }


def value_rows(solved: dict[Run, Solution]) -> pd.DataFrame:
    """Return what all solved rules win as a table, a row for each figure."""
    rows = []
    for run, solution in solved.items():
        figures = {
            "solved rule": solution.value,
            "own rule": solution.own,
            "solved less own rule": solution.gain,
            "solved less own rule, fresh hands": solution.proof.difference,
            "solved less best threshold": solution.over_best_threshold,
        }
        rows += [
            {
                "play": run.play,
                "against": run.against,
                "rules": solution.rules.name,
                "deals": solution.deals,
                "best_threshold": solution.best_threshold,
                "what": what,
                "objective": solution.objective,
                "estimate": figure.estimate,
                "low": figure.low,
                "high": figure.high,
                "unit": solution.unit,
            }
            for what, figure in figures.items()
        ]
    return pd.DataFrame(rows)


def last_turn_rows(solved: dict[Run, Solution]) -> pd.DataFrame:
    """Return the last turns to knock as a table."""
    rows = []
    for run, solution in solved.items():
        for name in HOLDING:
            for deadwood in range(1, 11):
                last, close = last_knock(solution, name, deadwood)
                rows.append(
                    {
                        "play": run.play,
                        "against": run.against,
                        "rules": solution.rules.name,
                        "objective": solution.objective,
                        "gin_outs": name,
                        "deadwood": deadwood,
                        "last_turn_to_knock": last,
                        "too_close_turns": turns_words(close),
                    }
                )
    return pd.DataFrame(rows).astype({"last_turn_to_knock": "Int64"})


def page(solved: dict[Run, Solution], equilibria: dict[Run, Equilibrium]) -> str:
    """Return the written page."""
    settings = "; ".join(
        f'"{each.words}" is `{each.rules}` with objective {each.objective}'
        for each in SETTINGS.values()
    )
    return PAGE.format(
        sample=listed(dict.fromkeys(map(sample_words, [*solved.values(), *equilibria.values()]))),
        settings=textwrap.fill(f"Of the rules, {settings}.", 100),
        opponents=textwrap.fill(
            "Of the opponents, "
            + listed([f"`{name}` {how}" for name, how in OPPONENTS.items()], "and")
            + ".",
            100,
        ),
        short="\n".join(bullet(each) for each in short_sentences(solved, equilibria)),
        last_turns="\n".join(last_turns_table(solved)),
        worth="\n".join(worth_table(solved)),
        sections=sections(solved),
        equilibria="\n".join(equilibrium_table(equilibria)),
        equilibrium_sentences="\n".join(bullet(e) for e in equilibrium_sentences(equilibria)),
    )


@click.command()
@click.option("--page", "page_only", is_flag=True, help="Write only, from the results there are.")
def main(page_only: bool) -> None:
    """Solve, then write charts, tables and page."""
    runs = [*SOLVED, *EQUILIBRIA]
    for run in [] if page_only else runs:
        solve(run)
    solved = {run: read(run) for run in SOLVED}
    equilibria = {run: read(run) for run in EQUILIBRIA}
    described = describe_run("scripts/knock_charts.py")
    described["commands"] = [f"gin-sim {command_of(run)}" for run in runs]
    write_results(
        RESULTS / "overview",
        {"values": value_rows(solved), "last_turns": last_turn_rows(solved)},
        charts(solved),
        described,
    )
    (RESULTS / "README.md").write_text(page(solved, equilibria), encoding="utf-8")


if __name__ == "__main__":
    main()
