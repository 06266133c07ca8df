"""Charts: matplotlib figures that read in print, for the colour-blind and without the terminal.

Figures are drawn with Agg and never through pyplot.  Colours are Okabe and Ito's set
("Color Universal Design", 2008).
"""

from __future__ import annotations

import textwrap

import matplotlib as mpl
from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.figure import Figure

from gin_sim.analysis.head_to_head import HeadToHead

BLUE, ORANGE, GREEN, VERMILION, GREY = "#0072B2", "#E69F00", "#009E73", "#D55E00", "#999999"

mpl.rcParams.update(
    {
        "font.size": 9,
        "axes.spines.top": False,
        "axes.spines.right": False,
        "svg.hashsalt": "gin-sim",  # the same chart is the same file
        "svg.fonttype": "none",
    }
)


def head_to_head_chart(result: HeadToHead, command: str) -> Figure:
    """Draw how the hands of two policies ended, and the difference between them.

    Left: the share of hands each side won by a knock, gin, big gin or undercut.  Right: the
    difference in points a hand by objective, with its 95% interval.
    """
    figure = Figure(figsize=(9, 3.6), layout="constrained")
    FigureCanvasAgg(figure)
    endings, difference = figure.subplots(1, 2, width_ratios=(3, 2))
    _draw_endings(endings, result)
    _draw_difference(difference, result)
    plan = result.played.plan
    figure.suptitle(
        f"{plan.policies[0].spec} against {plan.policies[1].spec}, {plan.rules.name} rules",
        fontsize=11,
    )
    _caption(
        figure,
        f"{result.hands:,} hands in {result.deals:,} "
        f"{'mirrored pairs' if plan.mirrored else 'plain deals'}, seed {plan.seed}; bars are "
        f"95% intervals over {'pairs' if plan.mirrored else 'deals'}.  {command}",
    )
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
        share["knock"] = share["win_rate"] - sum(share[name] for name, *_ in parts[1:])
        left = 0.0
        for name, label, colour, hatch in parts:
            axes.barh(
                row, share[name], left=left, height=0.55, color=colour, hatch=hatch,
                edgecolor="white", label=label if row == 0 else None,
            )
            left += share[name]
        won = side.figures["win_rate"]
        axes.errorbar(
            won.estimate * 100, row, xerr=won.half_width * 100, color="black", capsize=3, lw=1
        )
        axes.text(
            won.estimate * 100 + 1.2, row, f"{won.estimate:.1%}", va="center", ha="left"
        )
    axes.set_yticks(range(2), [textwrap.fill(side.spec, 18) for side in result.sides])
    axes.invert_yaxis()
    axes.set_xlabel("hands won, % of hands played")
    axes.set_xlim(0, max(side.figures["win_rate"].estimate for side in result.sides) * 118 + 2)
    axes.set_title(f"How hands were won (washes {result.wash_rate.estimate:.2%})", fontsize=9)
    axes.legend(loc="upper center", bbox_to_anchor=(0.5, -0.22), ncols=4, frameon=False, fontsize=8)


def _draw_difference(axes, result: HeadToHead) -> None:
    shown = [
        ("points", "points"),
        ("points+boxes", f"with boxes\n({result.played.plan.rules.box_bonus})"),
    ]
    if not result.played.plan.rules.box_bonus:
        shown = shown[:1]
    for row, (objective, _) in enumerate(shown):
        figure = result.difference[objective]
        axes.errorbar(
            figure.estimate, row, xerr=figure.half_width, fmt="o", color=BLUE, capsize=4, ms=5
        )
        axes.annotate(
            f"{figure.estimate:+.2f} ±{figure.half_width:.2f}", (figure.estimate, row),
            xytext=(0, 9), textcoords="offset points", ha="center",
        )
    axes.axvline(0, color=GREY, lw=1, ls="--")
    axes.set_yticks(range(len(shown)), [label for _, label in shown])
    axes.set_ylim(len(shown) - 0.4, -0.6)
    axes.margins(x=0.35)
    axes.set_xlabel("points a hand, first policy minus second")
    axes.set_title(f"{result.sides[0].spec} minus {result.sides[1].spec}", fontsize=9)


def _caption(figure: Figure, text: str) -> None:
    figure.supxlabel(textwrap.fill(text, 130), fontsize=7, color="#444444", ha="left", x=0.01)
