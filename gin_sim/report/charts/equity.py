"""The map of a game: the chance to win by both scores, and what it is worth to deal.

Left the mean over who deals, with a line at every tenth; right how much more often play wins where
it deals the next hand than where the other does.  Scores that the boxes rule out are left blank.
"""

from __future__ import annotations

import math
from collections.abc import Iterable

import numpy as np
from matplotlib.axes import Axes
from matplotlib.collections import QuadMesh
from matplotlib.colors import Normalize
from matplotlib.figure import Figure
from matplotlib.ticker import MaxNLocator

from gin_sim.report.charts.frame import BLACK, framed, say_nothing_shown
from gin_sim.report.charts.heatmap import COLOURS
from gin_sim.report.saved import SavedEquity
from gin_sim.report.wording import boxes_words

_LEAST_REACH = 0.5  # % of games, of the colours on the right


def equity_chart(equity: SavedEquity, command: str) -> Figure:
    """Draw the chance to win by score, and what the deal is worth."""
    play, against = (
        np.array(rows, float) * 100 for rows in (equity.grid.play_deals, equity.grid.against_deals)
    )
    same = equity.play == equity.against
    boxes = f", {boxes_words(equity.boxes)}" if equity.boxes_in_state else ""
    whom = "itself" if same else equity.against
    figure = framed(
        f"{equity.play} against {whom}, chance to win the game: {equity.rules.name} rules, games "
        f"to {equity.target}{boxes}",
        _told(equity),
        command,
        4.9,
    )
    axes = figure.subplot_mosaic(
        [["win", "deal"], ["win_bar", "deal_bar"]], height_ratios=(1, 0.035)
    )
    wins = _map(axes["win"], equity, (play + against) / 2, Normalize(0, 100))
    _lines(axes["win"], equity, (play + against) / 2, range(10, 100, 10))
    axes["win"].set_title("Wins, mean over who deals the next hand", fontsize=9)
    gain = play - against
    known = np.abs(gain[np.isfinite(gain)])
    reach = max(_LEAST_REACH, float(known.max(initial=0)))
    deals = _map(axes["deal"], equity, gain, Normalize(-reach, reach))
    _lines(axes["deal"], equity, gain, _round_levels(gain))
    axes["deal"].set_title("What it is worth to deal the next hand", fontsize=9)
    for mesh, place, label in (
        (wins, axes["win_bar"], f"{_short(equity.play)} wins, % of games"),
        (deals, axes["deal_bar"], "more wins by dealing, % of games"),
    ):
        bar = figure.colorbar(mesh, cax=place, orientation="horizontal")
        bar.set_label(label, fontsize=8)
        bar.outline.set_visible(False)
    for place in (axes["win"], axes["deal"]):
        place.set_ylabel(f"score of {_short(equity.play)}")
        place.set_xlabel("score of the other" if same else f"score of {_short(equity.against)}")
    return figure


def _round_levels(values: np.ndarray) -> list[float]:
    """Return a few round numbers among some values."""
    known = values[np.isfinite(values)]
    return list(MaxNLocator(5).tick_values(known.min(), known.max())) if known.size else []


def _short(spec: str) -> str:
    return spec if len(spec) <= 24 else f"{spec[:23]}…"


def _told(equity: SavedEquity) -> str:
    widths = [cell.win.figure(100).half_width for cell in equity.cells if cell.dealer == "either"]
    known = [width for width in widths if not math.isnan(width)]
    reach = f"; {equity.confidence:.0%} intervals of at most ±{max(known):.2f} %" if known else ""
    stopped = " (stopped early)" if equity.partial else ""
    with_boxes = " with these boxes" if equity.boxes_in_state else ""
    some = any(each is None for row in equity.grid.play_deals for each in row)
    blank = f" Blank: no game is there{with_boxes}." if some else ""
    solved, near = "solved exactly", ""
    if not equity.exact_by_score:
        solved, near = "solved", " Each score plays like the nearest of a coarse grid."
    return (
        f"Counted from {equity.sample}{stopped}, seed {equity.seed}, and {solved}{reach}. "
        f"Left, a line at every 10 % of games.{blank}{near}"
    )


def _map(axes: Axes, equity: SavedEquity, values: np.ndarray, norm: Normalize) -> QuadMesh:
    """Draw values by both scores, play's from below, each cell around its score."""
    scores = np.array(equity.grid.scores, float)
    half = (scores[1] - scores[0]) / 2
    ends = np.append(scores - half, scores[-1] + half)
    mesh = axes.pcolormesh(ends, ends, np.ma.masked_invalid(values), cmap=COLOURS, norm=norm)
    axes.set_xlim(ends[0], ends[-1])
    axes.set_ylim(ends[0], ends[-1])
    axes.set_aspect("equal")
    for spine in axes.spines.values():
        spine.set_visible(False)
    if not np.isfinite(values).any():
        say_nothing_shown(axes, "no score allows these boxes")
    return mesh


def _lines(axes: Axes, equity: SavedEquity, values: np.ndarray, levels: Iterable[float]) -> None:
    """Draw lines of equal value with their numbers; half of the games is the thick one."""
    shown = np.ma.masked_invalid(values)
    if shown.count() < 9:
        return
    levels = [level for level in levels if shown.min() < level < shown.max()]
    if not levels:
        return
    widths = [1.8 if level == 50 else 0.8 for level in levels]
    scores = equity.grid.scores
    lines = axes.contour(
        scores, scores, shown, levels=levels, colors=BLACK, linewidths=widths, linestyles="solid"
    )
    axes.clabel(lines, fmt=lambda level: f"{level:.2g} %", fontsize=7)
