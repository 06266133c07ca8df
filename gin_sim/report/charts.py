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

from gin_sim.analysis.head_to_head import HeadToHead
from gin_sim.report.simulate import sample_words, side_names

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
    title = _wrapped(
        f"{plan.policies[0].spec} against {plan.policies[1].spec}, {plan.rules.name} rules", 90
    )
    stopped = " (stopped early)" if result.played.partial else ""
    caption = (
        f"{sample_words(result)}{stopped}, seed {plan.seed}; bars are 95% intervals over "
        f"{'pairs' if plan.mirrored else 'deals'}.\n{_wrapped(command, 140)}"
    )
    height = 3.6 + 0.18 * title.count("\n") + 0.12 * (caption.count("\n") - 1)
    figure = Figure(figsize=(9, height), layout="constrained")
    FigureCanvasAgg(figure)
    endings, difference = figure.subplots(1, 2, width_ratios=(3, 2))
    _draw_endings(endings, result)
    _draw_difference(difference, result)
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
        won = side.figures["win_rate"]
        reach = [[(won.estimate - won.low) * 100], [(won.high - won.estimate) * 100]]
        axes.errorbar(won.estimate * 100, row, xerr=reach, color="black", capsize=3, lw=1)
        axes.annotate(
            f"{won.estimate:.1%}",
            (won.high * 100, row),
            xytext=(6, 0),
            textcoords="offset points",
            va="center",
            ha="left",
        )
    axes.set_yticks(range(2), [_wrapped(name, 18) for name in side_names(result)])
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
    axes.axvline(0, color=GREY, lw=1, ls="--")
    ends = [0.0]
    for row, (objective, _) in enumerate(shown):
        figure = result.difference[objective]
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
    axes.set_yticks(range(len(shown)), [label for _, label in shown])
    axes.set_ylim(len(shown) - 0.4, -0.6)
    room = 0.4 * (max(ends) - min(ends)) or 1.0
    axes.set_xlim(min(ends) - room, max(ends) + room)
    axes.set_xlabel("points a hand, first policy minus second")
    axes.set_title(_wrapped(" minus ".join(side_names(result)), 44), fontsize=9)


def _wrapped(text: str, width: int) -> str:
    """Break a text into lines at spaces and after the commas of a spec."""
    lines = textwrap.fill(text.replace(",", f",{_BREAK} "), width, break_on_hyphens=False)
    return lines.replace(f"{_BREAK} ", "").replace(_BREAK, "")
