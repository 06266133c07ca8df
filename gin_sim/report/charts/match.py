"""Charts of two policies' hands or games: how they were won, and how the two differ."""

from __future__ import annotations

import math

from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.ticker import MaxNLocator

from gin_sim.report.charts.frame import BLUE, GREEN, GREY, ORANGE, VERMILION, framed, wrapped
from gin_sim.report.wording import played_words, side_names
from gin_sim.results.common import Estimate
from gin_sim.results.games import Games
from gin_sim.results.match import Match
from gin_sim.results.two_policies import OfTwoPolicies


def match_chart(result: Match) -> Figure:
    """Draw how the hands of two policies ended, and the difference between them.

    Left: the share of hands each side won by a knock, gin, big gin or undercut.  Right: the
    difference in points per hand by objective, with its 95% interval.
    """
    figure = _framed(result, "pairs" if result.mirrored else "deals", 3.6)
    endings, difference = figure.subplots(1, 2, width_ratios=(3, 2))
    _draw_endings(endings, result)
    match_panel(result, difference)
    return figure


def games_chart(result: Games) -> Figure:
    """Draw how long the games of two policies were, who won them and what was settled.

    Left: the share of games by hands played.  Right: the share of games each side won, and the
    difference in points settled per game, with their 95% intervals.
    """
    figure = _framed(result, "pairs" if result.mirrored else "games", 4.4)
    axes = figure.subplot_mosaic(
        [["lengths", "wins"], ["lengths", "stakes"]], width_ratios=(1, 1), height_ratios=(3, 2)
    )
    _draw_lengths(axes["lengths"], result)
    games_panel(result, axes["wins"])
    _draw_stakes(axes["stakes"], result)
    return figure


def _framed(result: OfTwoPolicies, units: str, height: float) -> Figure:
    """Return an empty figure with title and caption: who played, how much, by which command."""
    first, second = result.specs
    stopped = " (stopped early)" if result.partial else ""
    return framed(
        f"{first} against {second}, {result.rules.name} rules",
        f"{played_words(result.sample)}{stopped}, seed {result.seed}; bars are 95% intervals over "
        f"{units}.",
        result.command,
        height,
    )


def _draw_endings(axes: Axes, result: Match) -> None:
    parts = [
        ("knock", "won by a knock", BLUE, ""),
        ("gin_rate", "gin", GREEN, "//"),
        ("big_gin_rate", "big gin", ORANGE, "xx"),
        ("undercut_made_rate", "undercut made", VERMILION, ".."),
    ]
    if result.rules.big_gin_bonus is None:
        del parts[2]
    for row, side in enumerate(result.sides):
        share = {name: getattr(side, name).estimate * 100 for name, *_ in parts[1:]}
        # Not below 0 by rounding.
        share["knock"] = max(0.0, side.win_rate.estimate * 100 - sum(share.values()))
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
        _draw_interval(axes, row, side.win_rate)
    names = side_names(result.specs)
    axes.set_yticks(range(2), [wrapped(name, 18) for name in names])
    axes.invert_yaxis()
    axes.set_xlabel("hands won, % of hands played")
    axes.set_xlim(0, max(side.win_rate.high for side in result.sides) * 118)
    axes.set_title(f"How hands were won (washes {result.wash_rate.estimate:.2%})", fontsize=9)
    axes.legend(loc="upper center", bbox_to_anchor=(0.5, -0.22), ncols=4, frameon=False, fontsize=8)


def match_panel(result: Match, axes: Axes) -> None:
    """Draw the difference between two policies in points per hand, by objective."""
    shown: list[tuple[str, Estimate]] = [("points", result.difference["points"])]
    if result.rules.box_bonus:
        boxes = result.difference["points+boxes"]
        shown.append((f"with boxes\n({result.rules.box_bonus})", boxes))
    _draw_estimates(axes, shown)
    axes.set_xlabel("points per hand, first policy minus second")
    axes.set_title(_minus(result), fontsize=9)


def _draw_estimates(axes: Axes, estimates: list[tuple[str, Estimate]]) -> None:
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


def _draw_lengths(axes: Axes, result: Games) -> None:
    shares = [100 * count / result.games for count in result.games_by_hands]
    axes.bar(range(1, len(shares)), shares[1:], width=0.9, color=BLUE)
    mean = result.hands_per_game.estimate
    title = f"Length of a game: mean {mean:.2f} hands"
    if mean < len(shares):
        axes.axvline(mean, color="black", lw=1, ls="--")
        title += " (dashed)"
    if result.longest_or_more:
        title += f"; the last bar is for {len(shares) - 1} hands or more"
    axes.set_xlim(0.3, max(len(shares) - 0.3, 3.7))
    axes.xaxis.set_major_locator(MaxNLocator(integer=True, nbins=8))
    axes.set_xlabel("hands per game")
    axes.set_ylabel("% of games")
    axes.set_title(wrapped(title, 50), fontsize=9)


def games_panel(result: Games, axes: Axes) -> None:
    """Draw the share of the games that each policy won."""
    for row, (side, colour) in enumerate(zip(result.sides, (BLUE, ORANGE), strict=True)):
        won = side.win_rate
        axes.barh(row, won.estimate * 100, height=0.55, color=colour, edgecolor="white")
        _draw_interval(axes, row, won)
    names = side_names(result.specs)
    axes.set_yticks(range(2), [wrapped(name, 18) for name in names])
    axes.set_ylim(1.5, -0.5)
    axes.set_xlim(0, max(side.win_rate.high for side in result.sides) * 125)
    axes.set_xlabel("games won, % of games played")
    axes.set_title(f"Games won (ties {result.tie_rate.estimate:.2%})", fontsize=9)


def _draw_stakes(axes: Axes, result: Games) -> None:
    _draw_estimates(axes, [("", result.difference["stakes"])])
    axes.set_yticks([])
    axes.set_xlabel("points settled per game, first policy minus second")
    axes.set_title(_minus(result), fontsize=9)


def _draw_interval(axes: Axes, row: int, share: Estimate) -> None:
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


def _minus(result: OfTwoPolicies) -> str:
    return wrapped(" minus ".join(side_names(result.specs)), 44)
