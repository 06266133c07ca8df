"""The chart of how far hand reading can be trusted: the undercut chance predicted and true."""

from __future__ import annotations

from collections.abc import Sequence

from matplotlib.axes import Axes
from matplotlib.figure import Figure

from gin_sim.report.charts.frame import BLUE, GREY, ORANGE, VERMILION, framed
from gin_sim.results.calibration import Calibration, Reliability

_STYLES = {
    "belief": ("belief", BLUE, "o"),
    "learned": ("learned weights", ORANGE, "s"),
    "uniform": ("uniform dealing", VERMILION, "^"),
}


def reliability_chart(result: Calibration) -> Figure:
    """Draw what was predicted against what was true: by the chance predicted, and by stock draws.

    Left: :func:`predictions_panel`.  Right: the true share by stock draws with its interval, and
    what each method predicted.
    """
    stopped = " (stopped early)" if result.partial else ""
    figure = framed(
        f"Chance that a knock is undercut, predicted and true: {result.against.spec}, "
        f"{result.rules.name} rules",
        f"{result.sample}{stopped}, seed {result.seed}; bars are {result.confidence:.0%} intervals "
        "of the true share, a hand's positions taken as one draw. On the dashed line the "
        "prediction is true.",
        result.command,
        4.6,
    )
    left, right = figure.subplots(1, 2)
    predictions_panel(result, left)
    _draws_panel(result, right)
    return figure


def predictions_panel(result: Calibration, axes: Axes) -> None:
    """Draw one point for each class of the predicted chance, on the diagonal if it is right."""
    axes.plot([0, 100], [0, 100], color=GREY, lw=1, ls="--", zorder=0)
    for name, (label, colour, marker) in _STYLES.items():
        groups = result.by_prediction.by(name)
        x = [100 * group.by(name).undercut.estimate for group in groups]
        _points(axes, x, groups, colour, marker, label)
    axes.set_xlabel("chance predicted, %")
    axes.set_ylabel("undercut if knocked, %")
    axes.set_title("By the chance predicted", fontsize=9)
    axes.legend(frameon=False, fontsize=8)


def _draws_panel(result: Calibration, axes: Axes) -> None:
    groups = [group for group in result.by_draws if group.name != "all"]
    places = range(len(groups))
    _points(axes, list(places), groups, "black", "D", "true share")
    for step, (name, (label, colour, marker)) in enumerate(_STYLES.items()):
        x = [place + 0.15 * (step + 1) for place in places]
        y = [100 * group.by(name).undercut.estimate for group in groups]
        axes.plot(x, y, color=colour, marker=marker, ms=5, ls="none", label=label)
    axes.set_xticks(places, [group.name for group in groups])
    axes.set_xlabel("stock draws of both players")
    axes.set_ylabel("undercut if knocked, %")
    axes.set_ylim(bottom=-0.03 * axes.get_ylim()[1])
    axes.set_title("By stock draws", fontsize=9)
    axes.legend(frameon=False, fontsize=8)


def _points(
    axes: Axes,
    x: Sequence[float],
    groups: Sequence[Reliability],
    colour: str,
    marker: str,
    label: str,
) -> None:
    """Draw the true share of each group with its interval, in percent."""
    shares = [group.undercut.scaled(100) for group in groups]
    y = [share.estimate for share in shares]
    reach = [
        [max(0.0, share.estimate - share.low) for share in shares],
        [max(0.0, share.high - share.estimate) for share in shares],
    ]
    style = {"color": colour, "marker": marker, "ms": 5, "ls": "none", "lw": 1, "capsize": 3}
    axes.errorbar(x, y, yerr=reach, label=label, **style)
