"""An equity table as text: chances to win by the score, and one score in full."""

from __future__ import annotations

import math

from rich.console import Console

from gin_sim.contests.figures import decimals_for
from gin_sim.payoff.score import EITHER, State, least_counted
from gin_sim.play.hand_results import WON_BY_NOBODY
from gin_sim.report.text.equity_told import Told, Worth, sample_of, scores_shown, widest_of
from gin_sim.report.wording import aligned, boxes_words
from gin_sim.stats.intervals import Estimate
from gin_sim.words import listed

_ROUNDING = 1e-9  # a half-width below it is none


def print_equity(told: Told, seconds: float, console: Console) -> None:
    """Print the table, the score that is asked about, and what all rests on."""
    plan = told.equity.results.plan
    partial = " · PARTIAL: stopped early" if told.equity.results.partial else ""
    play, against = (policy.spec for policy in plan.policies)
    console.print(
        f"{play} against {against}: chance to win the game · {plan.rules.name} rules, games to "
        f"{plan.rules.target} · {sample_of(told.equity)}{partial}\n"
    )
    for line in _table(told):
        console.print(line)
    console.print()
    for line in _asked_lines(told):
        console.print(line)
    start = told.start
    console.print(
        f"At 0-0 {play} wins {_share(start.win)} of games and ties {_share(start.tie)}; points "
        f"settled a game {_stakes(start)}."
    )
    for line in _notes(told, seconds):
        console.print(line)


def _table(told: Told) -> list[str]:
    scores = scores_shown(told.equity.rules.target)
    widest = widest_of(told)["win"] * 100
    known = not math.isnan(widest)
    decimals = min(3, decimals_for(widest, 1)) if widest > _ROUNDING else 1
    play, against = (policy.spec for policy in told.equity.results.plan.policies)
    about = "" if not told.equity.box else f" · {boxes_words(told.boxes)}"
    rows = [["  own score", *map(str, scores)]]
    for mine in scores:
        row = [f"  {mine}"]
        for theirs in scores:
            worth = told.cells.get(State(mine, theirs, told.boxes))
            row.append("-" if worth is None else f"{worth.win.estimate * 100:.{decimals}f}")
        rows.append(row)
    return [
        f"  {play} wins, % of games, mean over who deals{about}",
        f"  down: {play}'s score · across: {against}'s",
        "",
        *aligned(rows),
        f"  each within ±{widest:.{max(2, decimals)}f}" if known else "  too few for intervals",
    ]


def _asked_lines(told: Told) -> list[str]:
    if told.asked is None:
        return []
    specs = [policy.spec for policy in told.equity.results.plan.policies]
    said = f"{told.asked.mine}-{told.asked.theirs}"
    boxes = f", {boxes_words(told.asked.box_difference)}" if told.equity.box else ""
    rows = [[f"  at {said}{boxes}", "wins", "ties", "points settled"]]
    for dealer, worth in told.asked_worth.items():
        who = "mean over who deals" if dealer == EITHER else f"{specs[dealer]} deals"
        if dealer != EITHER and specs[0] == specs[1]:
            who = ("this side deals", "the other deals")[dealer]
        rows.append([f"  {who}", *_figures(worth)])
    names = specs if specs[0] != specs[1] else ["this side", "the other"]
    after = [["  after this hand, mean over who deals it", "wins", "ties", "points settled"]]
    for hand in told.results:
        what = "nobody wins it"
        if hand.winner != WON_BY_NOBODY:
            what = f"{names[hand.winner]} scores {hand.points}{', game over' if hand.over else ''}"
        after.append([f"  {what}", *_figures(hand.worth)])
    return [*aligned(rows), "", *aligned(after), ""]


def _figures(worth: Worth) -> list[str]:
    return [_share(worth.win), _share(worth.tie), _stakes(worth)]


def _share(figure: Estimate) -> str:
    return f"{_with_reach(figure.scaled(100), '')} %"


def _stakes(worth: Worth) -> str:
    return _with_reach(worth.stakes, "+")


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


def _notes(told: Told, seconds: float) -> list[str]:
    results = told.equity.results
    notes = []
    if any(worth is None for worth in _cells_or_none(told)):
        notes.append(f"-: no game is there, since {_why_blank(told)}.")
    standings = results.plan.standings
    if not standings.exact:
        notes.append(
            "A policy's own file names the score, so hands were counted at "
            f"{len(standings.examples)} scores, and each score is taken for the nearest of them, "
            "whatever the boxes: an approximation."
        )
    elif len(standings.examples) > 1:
        notes.append(
            f"Hands were counted at {len(standings.examples)} scores, one of each kind that the "
            "policies' knocks tell apart."
        )
    follows = "and tell nothing of that approximation"
    if standings.exact:
        follows = "from which the table follows exactly"
    return [
        *notes,
        "95% intervals over mirrored pairs (jackknife over "
        f"{len(results.counts)} groups); they are those of the counted hands, {follows}.",
        f"seed {results.plan.seed} · {seconds:.2f} s",
    ]


def _why_blank(told: Told) -> str:
    reasons, least = [], least_counted(told.equity.rules)
    if told.equity.box:
        reasons.append("a side has a box for every hand in which it scored")
    if least > 1:
        reasons.append(f"a hand won counts {least} at least")
    return listed(reasons, "and")


def _cells_or_none(told: Told) -> list[Worth | None]:
    scores = scores_shown(told.equity.rules.target)
    return [told.cells.get(State(a, b, told.boxes)) for a in scores for b in scores]
