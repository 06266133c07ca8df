"""What is said of a solved knock rule and of an equilibrium of the knock alike."""

from __future__ import annotations

from collections.abc import Sequence

from gin_sim.contests.figures import decimals_for
from gin_sim.report.wording import aligned, counted_words, interval_words, short_spec
from gin_sim.results.common import Estimate
from gin_sim.results.knocks import SHOWN_FROM, KnockClasses, KnockPlace, OfKnocks
from gin_sim.results.objective import CHANCE_TO_WIN, Unit
from gin_sim.results.score import LaterHands, Score
from gin_sim.rules import Rules
from gin_sim.words import listed


def cut_words(cut: Sequence[str]) -> str:
    """Return what was left unfinished, for a first line."""
    return f" · PARTIAL: stopped early, {listed(cut, 'and')} unfinished" if cut else ""


def end_words(seed: int, seconds: dict[str, float]) -> str:
    """Return the last line: "seed 1 · 2.3 s"."""
    took = f" · {seconds['all']:.1f} s" if "all" in seconds else ""
    return f"seed {seed}{took}"


def rows_until(turns: Sequence[int]) -> int:
    """Return how many rows show all of these turns, counted from 1."""
    return max(turns, default=0)


def turn_names(n_turns: int, last_turn: int) -> list[str]:
    """Return the first cells of the lines of some turns; the last of a table has a plus."""
    return [f"  turn {turn}{'+' * (turn == last_turn)}" for turn in range(1, n_turns + 1)]


def turn_rows(
    by: KnockClasses, name: str, places: Sequence[KnockPlace], rows: list[list[str]]
) -> list[str]:
    """Return a class's heading, the deadwoods and a line for every turn from the first on.

    Parameters
    ----------
    by : KnockClasses
    name : str
        The class.
    places : sequence of KnockPlace
        All places of the table.
    rows : list of rows of str
    """
    deadwoods = max(place.deadwood for place in places)
    title = f"{by.meaning}: {name}" if len(by.classes) > 1 else "all knocks"
    head = ["  deadwood", *map(str, range(1, deadwoods + 1))]
    names = turn_names(len(rows), max(place.turn for place in places))
    lines = [[name, *cells] for name, cells in zip(names, rows, strict=True)]
    return [f"  {title}", *(line.rstrip() for line in aligned([head, *lines]))]


def goal_words(objective: str, unit: Unit, score: Score | None, rules: Rules) -> str:
    """Return what knocks are judged by: "% to win the game at 45-20, 1 box ahead"."""
    if score is not None:
        return f"{unit.shown} at {score.words}"
    boxes = f", counting {rules.box_bonus} per box" if objective == "points+boxes" else ""
    return f"{unit.shown}{boxes}"


def goal_of(found: OfKnocks) -> str:
    """Return what a result's knocks are judged by."""
    return goal_words(found.objective, found.shown_unit, found.score, found.rules)


def blank_words() -> str:
    """Return what the cells of a chart without a figure mean."""
    return f"few: fewer than {SHOWN_FROM} knocks. Blank: no knock."


def lead_words(figure: Estimate, unit: Unit) -> str:
    """Return a difference with its interval, as its unit is shown."""
    return interval_words(figure.scaled(unit.scale))


def value_words(figure: Estimate, unit: Unit) -> str:
    """Return what a rule wins with its interval; a chance has no sign."""
    text = lead_words(figure, unit)
    return text.replace("+", "") if unit == CHANCE_TO_WIN else text


def short_interval(figure: Estimate, unit: Unit) -> str:
    """Return a difference for one line: "0.83 more points per hand [0.79, 0.87]"."""
    shown = figure.scaled(unit.scale)
    if not shown.is_known:
        return f"{shown.estimate:+.2f} {unit.shown} (too few for an interval)"
    decimals = decimals_for(shown.half_width, 2)
    return (
        f"{shown.estimate:+.{decimals}f} {unit.shown} "
        f"[{shown.low:+.{decimals}f}, {shown.high:+.{decimals}f}]"
    )


def table_notes(found: OfKnocks) -> list[str]:
    """Say where the value of a hand for the game comes from; nothing for points."""
    if found.score is None:
        return []
    return equity_notes([found.score.later_hands], found.objective, "the traced deals")


def equity_notes(later: Sequence[LaterHands], objective: str, sampled: str) -> list[str]:
    """Say which hands tables of the game follow from, and what the intervals allow for.

    Tables of one policy against several, each of as many hands, have one sentence.

    Parameters
    ----------
    later : sequence of LaterHands
    objective : str
    sampled : str
        What the intervals allow for.
    """
    by_sample: dict[str, list[LaterHands]] = {}
    for each in later:
        by_sample.setdefault(counted_words(each.hands, each.scores), []).append(each)
    return [_equity_note(sample, akin, objective, sampled) for sample, akin in by_sample.items()]


def _equity_note(sample: str, akin: Sequence[LaterHands], objective: str, sampled: str) -> str:
    against = listed([short_spec(each.against) for each in akin], "and")
    each = "each of " if len(akin) > 1 else ""
    half_a_tie = " A tie counts as half a win." if objective == "win" else ""
    return (
        f"What a hand is worth for the game is counted from {sample} of "
        f"{short_spec(akin[0].play)} against {each}{against}; they play the later hands with their "
        f"own knocks.{half_a_tie} Intervals cover {sampled} only."
    )
