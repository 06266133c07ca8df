"""The chart of an answer: a bar for each action, the best on top."""

from __future__ import annotations

from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.patches import Patch

from gin_sim.report.charts.frame import BLUE, GREY, SKY, draw_interval, framed
from gin_sim.report.text.advice import action_text, hand_line, verdict_sentence
from gin_sim.results.actions import ActionValue
from gin_sim.results.advice import Advice

_BAR = 0.27  # inches
_FRAME = 1.6  # inches above and below the bars


def advice_chart(result: Advice) -> Figure:
    """Draw the value of each action with its interval, best first; the title is the verdict."""
    belief = result.belief
    stopped = " (stopped early)" if result.partial else ""
    figure = framed(
        verdict_sentence(result.verdict, result.shown_unit, symbols=True),
        f"{hand_line(result, symbols=True)}. Against {result.against.spec}, you play on as "
        f"{result.play.spec}, {result.rules.name} rules; {belief.worlds:,} sampled deals{stopped}, "
        f"seed {result.seed}; bars end at the estimate, lines are {result.confidence:.0%} "
        "intervals. Differences are known more closely: all actions are played in the same deals.",
        result.command or result.ask_again,
        _FRAME + _BAR * len(result.actions),
    )
    advice_panel(result, figure.subplots())
    return figure


def advice_panel(result: Advice, axes: Axes) -> None:
    """Draw the bars into a pair of axes."""
    unit = result.shown_unit
    names = []
    for row, value in enumerate(result.actions):
        figure = value.value.scaled(unit.scale)
        axes.barh(row, figure.estimate, height=0.7, color=_colour(value), zorder=1)
        if figure.is_known:
            draw_interval(axes, row, figure, "black")
        text = action_text(value, symbols=True)
        names.append(text.replace("knock", "gin", 1) if value.is_gin else text)
    axes.axvline(0, color="black", lw=0.8, zorder=2)
    axes.set_yticks(range(len(names)), names)
    axes.invert_yaxis()
    axes.set_xlabel(f"value, {unit.shown}")
    if any(not value.finalist for value in result.actions):
        keys = [
            Patch(color=BLUE, label="best"),
            Patch(color=SKY, label="played out"),
            Patch(color=GREY, label="behind the best, played no further"),
        ]
        axes.legend(handles=keys, frameon=False, fontsize=8, loc="best")


def _colour(value: ActionValue) -> str:
    if value.is_best:
        return BLUE
    return SKY if value.finalist else GREY
