"""The chart of a belief's reliability: the undercut chance that was said against what was true."""

from __future__ import annotations

from matplotlib.figure import Figure

from gin_sim.report.charts.frame import BLUE, GREY, ORANGE, VERMILION, framed
from gin_sim.report.saved import SavedCalibration, SavedReliability

_STYLES = {
    "belief": ("belief", BLUE, "o"),
    "learned": ("learned weights", ORANGE, "s"),
    "uniform": ("uniform dealing", VERMILION, "^"),
}


def reliability_chart(found: SavedCalibration, command: str) -> Figure:
    """Draw what was said against what was true: by the chance said, and by stock draws.

    Left: one point for each class of the predicted chance, on the diagonal if it is right.  Right:
    the true share by stock draws with its interval, and what each belief said.
    """
    stopped = " (stopped early)" if found.partial else ""
    figure = framed(
        f"Chance that a knock is undercut, believed and true: {found.opponent}, "
        f"{found.rules.name} rules",
        f"{found.sample}{stopped}, seed {found.seed}; bars are {found.confidence:.0%} intervals of "
        "the true share, a hand's positions taken as one draw. On the dashed line what is said is "
        "true.",
        command,
        4.6,
    )
    said, by_draws = figure.subplots(1, 2)
    said.plot([0, 100], [0, 100], color=GREY, lw=1, ls="--", zorder=0)
    for name, (label, colour, marker) in _STYLES.items():
        lines = found.by_prediction[name]
        x = [100 * line.said(name) for line in lines]
        _points(said, x, lines, colour, marker, label)
    said.set_xlabel("chance said, %")
    said.set_ylabel("undercut if knocked, %")
    said.set_title("By the chance said", fontsize=9)
    said.legend(frameon=False, fontsize=8)
    lines = [line for line in found.by_draws if line.name != "all"]
    places = range(len(lines))
    _points(by_draws, list(places), lines, "black", "D", "true share")
    for step, (name, (label, colour, marker)) in enumerate(_STYLES.items()):
        x = [place + 0.15 * (step + 1) for place in places]
        y = [100 * line.said(name) for line in lines]
        by_draws.plot(x, y, color=colour, marker=marker, ms=5, ls="none", label=label)
    by_draws.set_xticks(places, [line.name for line in lines])
    by_draws.set_xlabel("stock draws of both players")
    by_draws.set_ylabel("undercut if knocked, %")
    by_draws.set_ylim(bottom=-0.03 * by_draws.get_ylim()[1])
    by_draws.set_title("By stock draws", fontsize=9)
    by_draws.legend(frameon=False, fontsize=8)
    return figure


def _points(axes, x, lines: list[SavedReliability], colour: str, marker: str, label: str) -> None:
    """Draw the true share of each group with its interval, in percent."""
    shares = [line.undercut.figure(100) for line in lines]
    y = [share.estimate for share in shares]
    reach = [
        [max(0.0, share.estimate - share.low) for share in shares],
        [max(0.0, share.high - share.estimate) for share in shares],
    ]
    style = {"color": colour, "marker": marker, "ms": 5, "ls": "none", "lw": 1, "capsize": 3}
    axes.errorbar(x, y, yerr=reach, label=label, **style)
