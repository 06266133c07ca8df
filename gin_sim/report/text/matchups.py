"""What results of played matches share: what is judged, how much was played, and how sure it is."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import NamedTuple

from rich.console import Console

from gin_sim.contests.figures import decimals_for, numbered, size_text
from gin_sim.report.wording import interval_words, played_words
from gin_sim.results.common import Estimate
from gin_sim.results.objective import SHARE_OF_GAMES, UNITS, Unit
from gin_sim.results.stopping import UntilWidth
from gin_sim.results.study import Study
from gin_sim.results.two_policies import OfTwoPolicies
from gin_sim.rules import Rules
from gin_sim.words import counted

STOPPED_EARLY = " · PARTIAL: stopped early"


def objective_words(objective: str, rules: Rules) -> str:
    """Return what a result is judged by: "points per hand, counting 25 per box"."""
    if objective == "win":
        target = f"games to {rules.target}" if rules.target else "games of a hand"
        return f"{target} won less games lost, %"
    if objective == "points+boxes":
        return f"points per hand, counting {rules.box_bonus} per box"
    return "points per hand"


def _least_decimals(unit: Unit) -> int:
    """Return how many decimals a figure has at the least: shares of games are known less finely."""
    return 1 if unit == SHARE_OF_GAMES else 2


def lead_text(figure: Estimate, unit: Unit) -> str:
    """Return a lead as its unit is shown, with its half-width: "+1.23 ±0.04"."""
    scaled, least = figure.scaled(unit.scale), _least_decimals(unit)
    if not scaled.is_known:
        return f"{scaled.estimate:+.{least}f}"
    decimals = decimals_for(scaled.half_width, least)
    return f"{scaled.estimate:+.{decimals}f} ±{scaled.half_width:.{decimals}f}"


def interval_text(figure: Estimate, unit: Unit) -> str:
    """Return a lead as its unit is shown, with its interval: "+1.23 [+1.19, +1.27]"."""
    return interval_words(figure.scaled(unit.scale), _least_decimals(unit))


def cell_text(figure: Estimate, unit: Unit) -> str:
    """Return a lead as its unit is shown, for a cell of a matrix: "+1.23"."""
    return f"{figure.estimate * unit.scale:+.{_least_decimals(unit)}f}"


def within_words(figures: list[Estimate], unit: Unit, more: str = "") -> list[str]:
    """Return the line below a matrix of leads that says how sure they are, if that is known."""
    if any(math.isnan(figure.half_width) for figure in figures):
        return ["  too few for intervals"]
    widest = max(figure.half_width for figure in figures) * unit.scale
    return [f"  each within ±{widest:.{decimals_for(widest, 2)}f} {unit.shown}{more}"]


def stopping_words(found: OfTwoPolicies | Study, specs: Sequence[str]) -> list[str]:
    """Return what a stopping rule did, as lines; none without one.

    Parameters
    ----------
    found : OfTwoPolicies or Study
    specs : sequence of str
        The two policies that a test is about.
    """
    rule = found.stopping
    if rule is None:
        return []
    unit = UNITS[rule.unit]
    if isinstance(rule, UntilWidth):
        asked = f"±{rule.half_width * unit.scale:g} {unit.shown}"
        if rule.reached:
            return [f"Stopped once every interval was within {asked}."]
        size = f"{found.sample.size:,} {found.sample.noun}"
        if found.partial:
            return [f"Stopped before every interval was within {asked}, after {size}."]
        return [
            f"You asked for {asked}; the intervals are wider after {size}: allow more with "
            f"--{found.sample.noun}, or ask for less with --until."
        ]
    low, high = rule.bounds
    d0, d1 = f"{rule.d0 * unit.scale:+g}", f"{rule.d1 * unit.scale:+g}"
    answer = {"d1": "Yes", "d0": "No", None: "Not decided"}[rule.accepted]
    ratio = "none" if rule.llr is None else f"{rule.llr:+.2f}"
    return [
        f"Does {specs[0]} lead {specs[1]} by {d1} {unit.shown} rather than {d0}? {answer} (log "
        f"likelihood ratio {ratio}, bounds {low:+.2f} and {high:+.2f}; each error has a chance of "
        f"{rule.alpha:.0%})."
    ]


def stopped_lines(found: OfTwoPolicies) -> list[str]:
    """Return what two policies' simulation says of its stopping rule; none without one."""
    words = stopping_words(found, found.specs)
    if words:
        words.append(
            "Intervals of differences hold at every look (normal mixture); the others are plain."
        )
    return words


def who_leads(
    found: OfTwoPolicies, lead: Estimate, nouns: tuple[str, str], verb: str, unit: str = ""
) -> str:
    """Return in a line who is ahead and by how much, and what that rests on.

    Parameters
    ----------
    found : OfTwoPolicies
    lead : Estimate
        Of the first policy, as it is shown.
    nouns : pair of str
        What was played, and what the leader has more of: "hands", "points per hand".
    verb : str
        How it got them: "scores".
    unit : str
        What follows the figure where no difference is found, if the noun does not say it.
    """
    first, second = numbered(found.specs)
    played, more = nouns
    if not lead.is_known:
        said = f"{first} against {second}, too few {played} for an interval"
    elif lead.spans_zero:
        figure = interval_words(lead, 1 if unit else 2)
        said = f"no difference in {more} is found between {first} and {second}, {figure}{unit}"
    else:
        ahead, behind = (first, second) if lead.estimate > 0 else (second, first)
        amount, _, ends = size_text(lead).partition(" ")
        said = f"{ahead} {verb.format(amount)} than {behind} {ends}"
    return f"{said}; {rests_on(found)}"


class TwoPoliciesText(NamedTuple):
    """What is printed of two policies' simulation, beyond what all of them print.

    Parameters
    ----------
    rules : str
        The rules, and what ends a game where games are played.
    lines : list of str
        The table and the differences.
    unit : str
        What the intervals are over where seats are not swapped.
    saved : str
        What mirroring and the like saved, for the end of the last line.
    """

    rules: str
    lines: list[str]
    unit: str
    saved: str


def print_two_policies(
    found: OfTwoPolicies, text: TwoPoliciesText, console: Console, more: bool
) -> None:
    """Print the table, the differences, the verdict and, with ``more``, what it all rests on."""
    first, second = found.specs
    partial = STOPPED_EARLY if found.partial else ""
    console.print(
        f"{first} against {second} · {text.rules} · {played_words(found.sample)}{partial}\n"
    )
    for line in text.lines:
        console.print(line)
    console.print(f"\n{found.verdict}")
    if not more:
        return
    for line in stopped_lines(found):
        console.print(line)
    over = "mirrored pairs" if found.mirrored else text.unit
    speed = speed_words(found.seconds)
    console.print(f"95% intervals over {over} · seed {found.seed}{speed}{text.saved}")


def speed_words(seconds: dict[str, float], noun: str = "hands") -> str:
    """Return how long it took, for the end of a last line; nothing where that is not known."""
    if not {"play", "hands_per_second"} <= seconds.keys():
        return ""
    return f" · {seconds['play']:.2f} s · {seconds['hands_per_second'] / 1e6:.2f} M {noun}/s"


def heading(found: Study, title: str, goal: str) -> str:
    """Return the first line of a study: what is varied, by what it is judged, from how much."""
    partial = STOPPED_EARLY if found.partial else ""
    return (
        f"{title} · {goal} · {found.rules.name} rules · {played_words(found.sample)} for each cell"
        f"{partial}\n"
    )


def footer(found: Study, intervals: list[str], specs: Sequence[str] = ()) -> list[str]:
    """Return the last lines of a table: what stopped it, what the intervals say, seed and speed.

    Parameters
    ----------
    found : Study
    intervals : list of str
        What the intervals hold for.
    specs : sequence of str
        The two policies that a test is about.
    """
    walked = "hands walked" if found.one_pass else "hands"
    return [
        *stopping_words(found, specs),
        *intervals,
        f"seed {found.seed}{speed_words(found.seconds, walked)}",
    ]


def rests_on(found: OfTwoPolicies | Study, each: str = "") -> str:
    """Return the end of a line: "standard rules, 1,000,000 hands, seed 1"."""
    sample = counted(found.sample.size, found.sample.noun[:-1])
    early = ", stopped early" if found.partial else ""
    return f"{found.rules.name} rules, {sample}{each}, seed {found.seed}{early}"
