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
from gin_sim.report.wording import counted_words
from gin_sim.results.equity import EquityTable
from gin_sim.results.score import boxes_words

_LEAST_REACH = 0.5  # % of games, of the colours on the right


def equity_chart(equity: EquityTable) -> Figure:
    """Draw the chance to win by score, and what the deal is worth."""
    play, against = _by_dealer(equity)
    same = equity.play.spec == equity.against.spec
    boxes = f", {boxes_words(equity.box_difference)}" if equity.boxes_matter else ""
    whom = "itself" if same else equity.against.spec
    figure = framed(
        f"{equity.play.spec} against {whom}, chance to win the game: {equity.rules.name} rules, "
        f"games to {equity.target}{boxes}",
        _caption(equity),
        equity.command,
        4.9,
    )
    axes = figure.subplot_mosaic(
        [["win", "deal"], ["win_bar", "deal_bar"]], height_ratios=(1, 0.035)
    )
    wins = _draw_wins(axes["win"], equity)
    axes["win"].set_title("Wins, mean over who deals the next hand", fontsize=9)
    gain = play - against
    known = np.abs(gain[np.isfinite(gain)])
    reach = max(_LEAST_REACH, float(known.max(initial=0)))
    deals = _map(axes["deal"], equity, gain, Normalize(-reach, reach))
    _lines(axes["deal"], equity, gain, _round_levels(gain))
    axes["deal"].set_title("What it is worth to deal the next hand", fontsize=9)
    for mesh, place, label in (
        (wins, axes["win_bar"], f"{_short(equity.play.spec)} wins, % of games"),
        (deals, axes["deal_bar"], "more wins by dealing, % of games"),
    ):
        bar = figure.colorbar(mesh, cax=place, orientation="horizontal")
        bar.set_label(label, fontsize=8)
        bar.outline.set_visible(False)
    return figure


def equity_panel(equity: EquityTable, axes: Axes) -> None:
    """Draw the chance to win by score into a caller's axes, the mean over who deals."""
    _draw_wins(axes, equity)
    axes.set_title(f"{_short(equity.play.spec)} wins, % of games", fontsize=9)


def _by_dealer(equity: EquityTable) -> tuple[np.ndarray, np.ndarray]:
    """Return the chances to win in percent where the player deals, and where the opponent does."""
    grid = equity.grid
    return np.array(grid.play_deals, float) * 100, np.array(grid.against_deals, float) * 100


def _draw_wins(axes: Axes, equity: EquityTable) -> QuadMesh:
    play, against = _by_dealer(equity)
    mesh = _map(axes, equity, (play + against) / 2, Normalize(0, 100))
    _lines(axes, equity, (play + against) / 2, range(10, 100, 10))
    return mesh


def _round_levels(values: np.ndarray) -> list[float]:
    """Return a few round numbers among some values."""
    known = values[np.isfinite(values)]
    return list(MaxNLocator(5).tick_values(known.min(), known.max())) if known.size else []


def _short(spec: str) -> str:
    return spec if len(spec) <= 24 else f"{spec[:23]}…"


def _caption(equity: EquityTable) -> str:
    widths = [cell.win.half_width * 100 for cell in equity.cells if cell.dealer == "either"]
    known = [width for width in widths if not math.isnan(width)]
    reach = f"; {equity.confidence:.0%} intervals of at most ±{max(known):.2f} %" if known else ""
    stopped = " (stopped early)" if equity.partial else ""
    with_boxes = " with these boxes" if equity.boxes_matter else ""
    some = any(each is None for row in equity.grid.play_deals for each in row)
    blank = f" Blank: no game can have this score{with_boxes}." if some else ""
    solved, near = "solved exactly", ""
    sample = counted_words(equity.hands, len(equity.counted_at))
    if not equity.exact_by_score:
        solved, near = "solved", " Each score uses the nearest one of a coarse grid."
    return (
        f"Counted from {sample}{stopped}, seed {equity.seed}, and {solved}{reach}. "
        f"Left, a line at every 10 % of games.{blank}{near}"
    )


def _map(axes: Axes, equity: EquityTable, values: np.ndarray, norm: Normalize) -> QuadMesh:
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
    axes.set_ylabel(f"score of {_short(equity.play.spec)}")
    same = equity.play.spec == equity.against.spec
    axes.set_xlabel("score of the other" if same else f"score of {_short(equity.against.spec)}")
    if not np.isfinite(values).any():
        say_nothing_shown(axes, "no score allows these boxes")
    return mesh


def _lines(axes: Axes, equity: EquityTable, values: np.ndarray, levels: Iterable[float]) -> None:
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
