"""Charts of two policies' hands or games: how they were won, and how the two differ."""

from __future__ import annotations

import math

from matplotlib.figure import Figure
from matplotlib.ticker import MaxNLocator

from gin_sim.report.charts.frame import BLUE, GREEN, GREY, ORANGE, VERMILION, framed, wrapped
from gin_sim.report.saved import SavedGames, SavedHands
from gin_sim.report.wording import games_words, hands_words, side_names
from gin_sim.stats.intervals import Estimate


def hands_chart(result: SavedHands, command: str) -> Figure:
    """Draw how the hands of two policies ended, and the difference between them.

    Left: the share of hands each side won by a knock, gin, big gin or undercut.  Right: the
    difference in points per hand by objective, with its 95% interval.
    """
    sample = hands_words(result.hands, result.deals, result.mirrored)
    figure = _framed(result, sample, "pairs" if result.mirrored else "deals", command, 3.6)
    endings, difference = figure.subplots(1, 2, width_ratios=(3, 2))
    _draw_endings(endings, result)
    _draw_difference(difference, result)
    return figure


def games_chart(result: SavedGames, command: str) -> Figure:
    """Draw how long the games of two policies were, who won them and what was settled.

    Left: the share of games by hands played.  Right: the share of games each side won, and the
    difference in points settled per game, with their 95% intervals.
    """
    sample = games_words(result.games, result.pairs)
    figure = _framed(result, sample, "pairs" if result.mirrored else "games", command, 4.4)
    axes = figure.subplot_mosaic(
        [["lengths", "wins"], ["lengths", "stakes"]], width_ratios=(1, 1), height_ratios=(3, 2)
    )
    _draw_lengths(axes["lengths"], result)
    _draw_wins(axes["wins"], result)
    _draw_stakes(axes["stakes"], result)
    return figure


def _framed(
    result: SavedHands | SavedGames, sample: str, units: str, command: str, height: float
) -> Figure:
    """Return an empty figure with title and caption: who played, how much, by which command."""
    first, second = result.policies
    stopped = " (stopped early)" if result.partial else ""
    return framed(
        f"{first.spec} against {second.spec}, {result.rules.name} rules",
        f"{sample}{stopped}, seed {result.seed}; bars are 95% intervals over {units}.",
        command,
        height,
    )


def _draw_endings(axes, result: SavedHands) -> None:
    parts = [
        ("knock", "won by a knock", BLUE, ""),
        ("gin_rate", "gin", GREEN, "//"),
        ("big_gin_rate", "big gin", ORANGE, "xx"),
        ("undercut_made_rate", "undercut made", VERMILION, ".."),
    ]
    if result.rules.big_gin_bonus is None:
        del parts[2]
    for row, side in enumerate(result.sides):
        share = {name: getattr(side, name) * 100 for name, *_ in parts[1:]}
        # Not below 0 by rounding.
        share["knock"] = max(0.0, side.win_rate * 100 - sum(share.values()))
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
        _draw_interval(axes, row, side.wins)
    names = side_names([policy.spec for policy in result.policies])
    axes.set_yticks(range(2), [wrapped(name, 18) for name in names])
    axes.invert_yaxis()
    axes.set_xlabel("hands won, % of hands played")
    axes.set_xlim(0, max(side.wins.high for side in result.sides) * 118)
    axes.set_title(f"How hands were won (washes {result.wash_rate:.2%})", fontsize=9)
    axes.legend(loc="upper center", bbox_to_anchor=(0.5, -0.22), ncols=4, frameon=False, fontsize=8)


def _draw_difference(axes, result: SavedHands) -> None:
    shown = [("points", result.difference.points.figure())]
    if result.rules.box_bonus:
        boxes = result.difference.with_boxes.figure()
        shown.append((f"with boxes\n({result.rules.box_bonus})", boxes))
    _draw_estimates(axes, shown)
    axes.set_xlabel("points per hand, first policy minus second")
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


def _draw_lengths(axes, result: SavedGames) -> None:
    shares = [100 * count / result.games for count in result.games_by_hands]
    axes.bar(range(1, len(shares)), shares[1:], width=0.9, color=BLUE)
    mean = result.hands_per_game.figure().estimate
    title = f"Length of a game: mean {mean:.2f} hands"
    if mean < len(shares):
        axes.axvline(mean, color="black", lw=1, ls="--")
        title += " (dashed)"
    if result.longest_or_more:
        title += f"; the last bar is for {len(shares) - 1} hands or more"
    axes.set_xlim(0.3, max(len(shares) - 0.3, 3.7))
    axes.xaxis.set_major_locator(MaxNLocator(integer=True, nbins=8))
    axes.set_xlabel("hands a game")
    axes.set_ylabel("% of games")
    axes.set_title(wrapped(title, 50), fontsize=9)


def _draw_wins(axes, result: SavedGames) -> None:
    for row, (side, colour) in enumerate(zip(result.sides, (BLUE, ORANGE), strict=True)):
        won = side.wins
        axes.barh(row, won.estimate * 100, height=0.55, color=colour, edgecolor="white")
        _draw_interval(axes, row, won)
    names = side_names([policy.spec for policy in result.policies])
    axes.set_yticks(range(2), [wrapped(name, 18) for name in names])
    axes.set_ylim(1.5, -0.5)
    axes.set_xlim(0, max(side.wins.high for side in result.sides) * 125)
    axes.set_xlabel("games won, % of games played")
    axes.set_title(f"Games won (ties {result.tie_rate.figure().estimate:.2%})", fontsize=9)


def _draw_stakes(axes, result: SavedGames) -> None:
    _draw_estimates(axes, [("", result.difference.stakes.figure())])
    axes.set_yticks([])
    axes.set_xlabel("points settled per game, first policy minus second")
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


def _minus(result: SavedHands | SavedGames) -> str:
    return wrapped(" minus ".join(side_names([policy.spec for policy in result.policies])), 44)
