"""An equity table as text: chances to win by the score, and one score in full."""

from __future__ import annotations

import math

from rich.console import Console

from gin_sim.contests.figures import decimals_for
from gin_sim.report.wording import aligned, counted_words
from gin_sim.results.common import Estimate
from gin_sim.results.equity import EquityTable, GameValue, scores_shown
from gin_sim.results.score import boxes_words
from gin_sim.rules import least_points
from gin_sim.words import listed

_ROUNDING = 1e-9  # a half-width below it is none


def summary(table: EquityTable) -> str:
    """Return how often the player wins from 0-0, and what that rests on, in a line."""
    return (
        f"{table.play.spec} wins {_share(table.start.win)} of games against {table.against.spec} "
        f"from 0-0; {table.rules.name} rules, {table.hands:,} hands, seed {table.seed}"
    )


def show(table: EquityTable, console: Console, more: bool = True) -> None:
    """Print the table, the score that is asked about and, with ``more``, what all rests on."""
    partial = " · PARTIAL: stopped early" if table.partial else ""
    sample = counted_words(table.hands, len(table.counted_at))
    console.print(
        f"{table.play.spec} against {table.against.spec}: chance to win the game · "
        f"{table.rules.name} rules, games to {table.target} · {sample}{partial}\n"
    )
    for line in _table(table):
        console.print(line)
    console.print()
    for line in _asked_lines(table):
        console.print(line)
    start = table.start
    console.print(
        f"At 0-0 {table.play.spec} wins {_share(start.win)} of games and ties {_share(start.tie)}; "
        f"points settled per game {_stakes(start)}."
    )
    for line in _notes(table) if more else []:
        console.print(line)


def _table(table: EquityTable) -> list[str]:
    scores = scores_shown(table.target)
    cells = {(c.mine, c.theirs): c for c in table.cells if c.dealer == "either"}
    widest = table.widest.win
    reach = 0.0 if widest is None else widest * 100
    decimals = min(3, decimals_for(reach, 1)) if reach > _ROUNDING else 1
    about = "" if not table.boxes_matter else f" · {boxes_words(table.box_difference)}"
    rows = [["  own score", *map(str, scores)]]
    for mine in scores:
        row = [f"  {mine}"]
        for theirs in scores:
            cell = cells.get((mine, theirs))
            row.append("-" if cell is None else f"{cell.win.estimate * 100:.{decimals}f}")
        rows.append(row)
    return [
        f"  {table.play.spec} wins, % of games, mean over who deals{about}",
        f"  down: {table.play.spec}'s score · across: {table.against.spec}'s",
        "",
        *aligned(rows),
        "  too few for intervals"
        if widest is None
        else f"  each within ±{reach:.{max(2, decimals)}f} % of games",
    ]


def _asked_lines(table: EquityTable) -> list[str]:
    asked = table.asked
    if asked is None:
        return []
    same = table.play.spec == table.against.spec
    deals = {
        "either": "mean over who deals",
        "me": "this side deals" if same else f"{table.play.spec} deals",
        "opponent": "the other deals" if same else f"{table.against.spec} deals",
    }
    names = {
        "me": "this side" if same else table.play.spec,
        "opponent": "the other" if same else table.against.spec,
    }
    boxes = f", {boxes_words(asked.box_difference)}" if table.boxes_matter else ""
    rows = [[f"  at {asked.mine}-{asked.theirs}{boxes}", "wins", "ties", "points settled"]]
    rows += [[f"  {deals[each.dealer]}", *_figures(each)] for each in asked.by_dealer]
    after = [["  after this hand, mean over who deals it", "wins", "ties", "points settled"]]
    for hand in asked.next_hand:
        what = "nobody wins it"
        if hand.winner != "nobody":
            over = ", game over" if hand.game_over else ""
            what = f"{names[hand.winner]} scores {hand.points}{over}"
        after.append([f"  {what}", *_figures(hand)])
    return [*aligned(rows), "", *aligned(after), ""]


def _figures(value: GameValue) -> list[str]:
    return [_share(value.win), _share(value.tie), _stakes(value)]


def _share(figure: Estimate) -> str:
    return f"{_with_reach(figure.scaled(100), '')} %"


def _stakes(value: GameValue) -> str:
    return _with_reach(value.stakes, "+")


def _with_reach(figure: Estimate, sign: str) -> str:
    """Return a figure and its half-width, to hundredths at most, the half-width rounded up."""
    if math.isnan(figure.low):
        return f"{figure.estimate:{sign}.1f}"
    reach = figure.half_width
    exact = reach < _ROUNDING
    decimals = 0 if exact else min(2, decimals_for(reach / 3, 1))
    value = round(figure.estimate, decimals) + 0.0  # no minus before 0
    if exact and abs(value - figure.estimate) > _ROUNDING:
        return f"{figure.estimate:{sign}.1f}"
    text = f"{value:{sign if value else ''}.{decimals}f}"
    scale = 10**decimals
    return text if exact else f"{text} ±{math.ceil(reach * scale) / scale:.{decimals}f}"


def _notes(table: EquityTable) -> list[str]:
    notes = []
    n_scores = len(scores_shown(table.target))
    if sum(cell.dealer == "either" for cell in table.cells) < n_scores**2:
        notes.append(f"-: no game can have this score, since {_why_blank(table)}.")
    n_counted = len(table.counted_at)
    if not table.exact_by_score:
        notes.append(
            f"A policy's file reads the score, so hands were counted at {n_counted} scores. Any "
            "other score uses the nearest of them and ignores the boxes: an approximation."
        )
    elif n_counted > 1:
        notes.append(
            f"Hands were counted at {n_counted} scores, one of each kind at which the policies "
            "knock differently."
        )
    follows = "and leave out that approximation"
    if table.exact_by_score:
        follows = "and the table follows exactly from these"
    seconds = f" · {table.seconds['all']:.2f} s" if "all" in table.seconds else ""
    return [
        *notes,
        f"95% intervals over mirrored pairs (jackknife over {table.groups} groups). They cover the "
        f"counted hands, {follows}.",
        f"seed {table.seed}{seconds}",
    ]


def _why_blank(table: EquityTable) -> str:
    rules = table.rules
    box = rules.box_bonus if rules.boxes_count_at_once else 0
    reasons, least = [], least_points(rules) + box
    if table.boxes_matter:
        reasons.append("a side has a box for every hand in which it scored")
    if least > 1:
        reasons.append(f"a hand won counts at least {least}")
    return listed(reasons, "and")
