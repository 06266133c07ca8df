"""Charts: matplotlib figures that read in print, for the colour-blind and without the terminal.

Figures are drawn with Agg and never through pyplot.  Colours are Okabe and Ito's set
("Color Universal Design", 2008).
"""

from __future__ import annotations

import math
import textwrap

import matplotlib as mpl
from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.figure import Figure
from matplotlib.ticker import MaxNLocator

from gin_sim.analysis.games import GamesResult
from gin_sim.analysis.head_to_head import HeadToHead
from gin_sim.analysis.stats import Estimate
from gin_sim.report.figures import side_names
from gin_sim.report.games import games_sample_words
from gin_sim.report.simulate import sample_words
from gin_sim.simulate.games import N_LENGTHS
from gin_sim.simulate.run import Played

BLUE, ORANGE, GREEN, VERMILION, GREY = "#0072B2", "#E69F00", "#009E73", "#D55E00", "#999999"
_BREAK = "\u200b"  # marks where a line may break without a space

mpl.rcParams.update(
    {
        "font.size": 9,
        "axes.spines.top": False,
        "axes.spines.right": False,
        "svg.hashsalt": "gin-sim",  # the same chart is the same file
        "svg.fonttype": "none",
        "text.parse_math": False,  # a command may hold dollar signs
    }
)


def head_to_head_chart(result: HeadToHead, command: str) -> Figure:
    """Draw how the hands of two policies ended, and the difference between them.

    Left: the share of hands each side won by a knock, gin, big gin or undercut.  Right: the
    difference in points a hand by objective, with its 95% interval.
    """
    plan = result.played.plan
    units = "pairs" if plan.mirrored else "deals"
    figure = _framed(result.played, sample_words(result), units, command, 3.6)
    endings, difference = figure.subplots(1, 2, width_ratios=(3, 2))
    _draw_endings(endings, result)
    _draw_difference(difference, result)
    return figure


def games_chart(result: GamesResult, command: str) -> Figure:
    """Draw how long the games of two policies were, who won them and what was settled.

    Left: the share of games by hands played.  Right: the share of games each side won, and the
    difference in points settled a game, with their 95% intervals.
    """
    plan = result.played.plan
    units = "pairs" if plan.mirrored else "games"
    figure = _framed(result.played, games_sample_words(result), units, command, 4.4)
    axes = figure.subplot_mosaic(
        [["lengths", "wins"], ["lengths", "stakes"]], width_ratios=(1, 1), height_ratios=(3, 2)
    )
    _draw_lengths(axes["lengths"], result)
    _draw_wins(axes["wins"], result)
    _draw_stakes(axes["stakes"], result)
    return figure


def _framed(played: Played, sample: str, units: str, command: str, height: float) -> Figure:
    """Return an empty figure with title and caption: who played, how much, by which command."""
    plan = played.plan
    title = _wrapped(
        f"{plan.policies[0].spec} against {plan.policies[1].spec}, {plan.rules.name} rules", 90
    )
    stopped = " (stopped early)" if played.partial else ""
    caption = (
        f"{sample}{stopped}, seed {plan.seed}; bars are 95% intervals over {units}.\n"
        f"{_wrapped(command, 140)}"
    )
    height += 0.18 * title.count("\n") + 0.12 * (caption.count("\n") - 1)
    figure = Figure(figsize=(9, height), layout="constrained")
    FigureCanvasAgg(figure)
    figure.suptitle(title, fontsize=11)
    figure.supxlabel(caption, fontsize=7, color="#444444", ha="left", x=0.01)
    return figure


def _draw_endings(axes, result: HeadToHead) -> None:
    parts = [
        ("knock", "won by a knock", BLUE, ""),
        ("gin_rate", "gin", GREEN, "//"),
        ("big_gin_rate", "big gin", ORANGE, "xx"),
        ("undercut_made_rate", "undercut made", VERMILION, ".."),
    ]
    if result.played.plan.rules.big_gin_bonus is None:
        del parts[2]
    for row, side in enumerate(result.sides):
        share = {name: figure.estimate * 100 for name, figure in side.figures.items()}
        # Not below 0 by rounding.
        rest = share["win_rate"] - sum(share[name] for name, *_ in parts[1:])
        share["knock"] = max(0.0, rest)
        left = 0.0
        for name, label, colour, hatch in parts:
            axes.barh(
                row,
                share[name],
                left=left,
                height=0.55,
                color=colour,
                hatch=hatch,
                edgecolor="white",
                label=label if row == 0 else None,
            )
            left += share[name]
        _draw_interval(axes, row, side.figures["win_rate"])
    names = side_names([side.spec for side in result.sides])
    axes.set_yticks(range(2), [_wrapped(name, 18) for name in names])
    axes.invert_yaxis()
    axes.set_xlabel("hands won, % of hands played")
    axes.set_xlim(0, max(side.figures["win_rate"].high for side in result.sides) * 118)
    axes.set_title(f"How hands were won (washes {result.wash_rate.estimate:.2%})", fontsize=9)
    axes.legend(loc="upper center", bbox_to_anchor=(0.5, -0.22), ncols=4, frameon=False, fontsize=8)


def _draw_difference(axes, result: HeadToHead) -> None:
    shown = [
        ("points", "points"),
        ("points+boxes", f"with boxes\n({result.played.plan.rules.box_bonus})"),
    ]
    if not result.played.plan.rules.box_bonus:
        shown = shown[:1]
    _draw_estimates(axes, [(label, result.difference[name]) for name, label in shown])
    axes.set_xlabel("points a hand, first policy minus second")
    axes.set_title(_minus(result), fontsize=9)


def _draw_estimates(axes, estimates: list[tuple[str, Estimate]]) -> None:
    """Draw differences with their intervals against the line at 0, one a row."""
    axes.axvline(0, color=GREY, lw=1, ls="--")
    ends = [0.0]
    for row, (_, figure) in enumerate(estimates):
        if math.isnan(figure.low):
            reach, words = 0.0, f"{figure.estimate:+.2f} (no interval)"
        else:
            reach, words = figure.half_width, f"{figure.estimate:+.2f} ±{figure.half_width:.2f}"
        ends += [figure.estimate - reach, figure.estimate + reach]
        axes.errorbar(figure.estimate, row, xerr=reach, fmt="o", color=BLUE, capsize=4, ms=5)
        axes.annotate(
            words,
            (figure.estimate, row),
            xytext=(0, 9),
            textcoords="offset points",
            ha="center",
            bbox={"facecolor": "white", "edgecolor": "none", "pad": 1},  # over the line at 0
        )
    axes.set_yticks(range(len(estimates)), [label for label, _ in estimates])
    axes.set_ylim(len(estimates) - 0.4, -0.6)
    room = 0.4 * (max(ends) - min(ends)) or 1.0
    axes.set_xlim(min(ends) - room, max(ends) + room)


def _draw_lengths(axes, result: GamesResult) -> None:
    shares = [100 * count / result.games for count in result.lengths]
    axes.bar(range(1, len(shares)), shares[1:], width=0.9, color=BLUE)
    mean = result.hands_per_game.estimate
    title = f"Length of a game: mean {mean:.2f} hands"
    if mean < len(shares):
        axes.axvline(mean, color="black", lw=1, ls="--")
        title += " (dashed)"
    if len(shares) == N_LENGTHS:
        title += f"; the last bar is for {N_LENGTHS - 1} hands or more"
    axes.set_xlim(0.3, max(len(shares) - 0.3, 3.7))
    axes.xaxis.set_major_locator(MaxNLocator(integer=True, nbins=8))
    axes.set_xlabel("hands a game")
    axes.set_ylabel("% of games")
    axes.set_title(_wrapped(title, 50), fontsize=9)


def _draw_wins(axes, result: GamesResult) -> None:
    for row, (side, colour) in enumerate(zip(result.sides, (BLUE, ORANGE), strict=True)):
        won = side.figures["win_rate"]
        axes.barh(row, won.estimate * 100, height=0.55, color=colour, edgecolor="white")
        _draw_interval(axes, row, won)
    names = side_names([side.spec for side in result.sides])
    axes.set_yticks(range(2), [_wrapped(name, 18) for name in names])
    axes.set_ylim(1.5, -0.5)
    axes.set_xlim(0, max(side.figures["win_rate"].high for side in result.sides) * 125)
    axes.set_xlabel("games won, % of games played")
    axes.set_title(f"Games won (ties {result.tie_rate.estimate:.2%})", fontsize=9)


def _draw_stakes(axes, result: GamesResult) -> None:
    _draw_estimates(axes, [("", result.difference["stakes"])])
    axes.set_yticks([])
    axes.set_xlabel("points settled a game, first policy minus second")
    axes.set_title(_minus(result), fontsize=9)


def _draw_interval(axes, row: int, share: Estimate) -> None:
    """Draw a share's interval in percent over its bar, and its number beyond that."""
    reach = [[(share.estimate - share.low) * 100], [(share.high - share.estimate) * 100]]
    axes.errorbar(share.estimate * 100, row, xerr=reach, color="black", capsize=3, lw=1)
    axes.annotate(
        f"{share.estimate:.1%}",
        (share.high * 100, row),
        xytext=(6, 0),
        textcoords="offset points",
        va="center",
        ha="left",
    )


def _minus(result: HeadToHead | GamesResult) -> str:
    return _wrapped(" minus ".join(side_names([side.spec for side in result.sides])), 44)


def _wrapped(text: str, width: int) -> str:
    """Break a text into lines at spaces and after the commas of a spec."""
    lines = textwrap.fill(text.replace(",", f",{_BREAK} "), width, break_on_hyphens=False)
    return lines.replace(f"{_BREAK} ", "").replace(_BREAK, "")
