"""What all charts share: the look, the colours, the title above and the caption below.

Figures are drawn with Agg and never through pyplot.  Colours are Okabe and Ito's set
("Color Universal Design", 2008); colour is never alone, and every chart reads in grey.
"""

from __future__ import annotations

import textwrap
import warnings

import matplotlib as mpl
from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.figure import Figure

from gin_sim.contests.figures import decimals_for
from gin_sim.report.wording import played_words, value_text
from gin_sim.results.common import Estimate, Value
from gin_sim.results.study import Study

BLUE, ORANGE, GREEN, VERMILION, GREY = "#0072B2", "#E69F00", "#009E73", "#D55E00", "#999999"
SKY, PURPLE, BLACK = "#56B4E9", "#CC79A7", "#000000"
_BREAK = "\u200b"  # marks where a line may break without a space
_WIDTH = 9.0  # inches

# A character that the font lacks is drawn as a box; the user cannot change that.
warnings.filterwarnings("ignore", message=r"Glyph \d+ .* missing from", category=UserWarning)

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


def framed(title: str, opening: str, command: str, height: float, width: float = _WIDTH) -> Figure:
    """Return an empty figure with its title and its caption, which ends with the command.

    Parameters
    ----------
    title, opening, command : str
        ``opening`` opens the caption: sample, seed, intervals.  Each is broken into lines;
        there may be no command.
    height, width : float
        Inches; the height grows with the lines of title and caption.
    """
    wider = width / _WIDTH
    title = wrapped(title, round(90 * wider))
    caption = textwrap.fill(opening, round(140 * wider))
    if command:
        caption = f"{caption}\n{wrapped(command, round(140 * wider))}"
    height += 0.18 * title.count("\n") + 0.12 * (caption.count("\n") - 1)
    figure = Figure(figsize=(width, height), layout="constrained")
    FigureCanvasAgg(figure)
    figure.suptitle(title, fontsize=11)
    figure.supxlabel(caption, fontsize=7, color="#444444", ha="left", x=0.01)
    return figure


def study_frame(
    study: Study,
    title: str,
    says: str,
    height: float,
    width: float = _WIDTH,
    goal: str | None = None,
    sample: str | None = None,
) -> Figure:
    """Return the empty figure of a result of many meetings.

    Parameters
    ----------
    study : Study
    title, says : str
        The goal and the rules follow the title, and the sample goes before what the caption says.
    height, width : float
        Inches, see :func:`framed`.
    goal, sample : str, optional
        What is judged, and how much was played, where the study does not say it all.
    """
    stopped = " (stopped early)" if study.is_cut else ""
    says = (
        f"{sample or played_words(study.sample)}{stopped}, seed {study.seed}; "
        f"{study.confidence:.0%} intervals {study.correction}. {says}"
    )
    about = f"{goal or objective_words(study.objective)}, {study.rules.name} rules"
    return framed(f"{title}: {about}", says, study.command, height, width)


def objective_words(objective: str) -> str:
    """Return what titles call an objective."""
    return {"points+boxes": "points with boxes", "win": "games won"}.get(objective, objective)


def chart_decimals(half_width: float) -> int:
    """Return the decimals of an estimate: enough for about two figures of its interval, 1 to 3."""
    return min(3, decimals_for(half_width / 3, 1))


def draw_interval(axes, row: float, figure: Estimate, colour: str) -> None:
    """Draw an interval along a row from end to end; it need not hold its estimate."""
    ends = [figure.low, figure.high]
    axes.plot(ends, [row, row], color=colour, lw=1.2, marker="|", ms=7, mew=1.2, zorder=2)


def say_nothing_shown(axes, why: str) -> None:
    """Write into an empty panel why it is empty."""
    axes.text(
        0.5, 0.5, why, transform=axes.transAxes, ha="center", va="center", color="#666666"
    ).set_bbox({"facecolor": "white", "edgecolor": "none", "pad": 1})


def keys_of_signs(axes, keys: list, n_columns: int) -> None:
    """Write the legend in axes of its own, which the layout keeps clear of all others."""
    axes.axis("off")
    axes.legend(
        handles=keys,
        loc="upper center",
        ncols=n_columns,
        frameon=False,
        fontsize=8,
        borderaxespad=0,
    )


def lead_label(study: Study) -> str:
    """Return what an axis says of a lead: "games won less games lost, % of games"."""
    what = {
        "points": "lead",
        "points+boxes": "lead with boxes",
        "win": "games won less games lost",
    }.get(study.objective, "lead")
    return f"{what}, {study.shown_unit.shown}"


def sentence(words: str) -> str:
    """Return words with a capital and a full stop."""
    return f"{words[:1].upper()}{words[1:].rstrip('.')}." if words else ""


def runs_text(values: list[Value], tried: list[Value]) -> str:
    """Return some of the values that were tried, neighbours joined: "0, 4 to 7, 9"."""
    places = sorted(tried.index(value) for value in values)
    runs: list[list[int]] = []
    for place in places:
        if runs and place == runs[-1][-1] + 1:
            runs[-1].append(place)
        else:
            runs.append([place])
    return ", ".join(
        f"{value_text(tried[run[0]])} to {value_text(tried[run[-1]])}"
        if len(run) > 2
        else ", ".join(value_text(tried[place]) for place in run)
        for run in runs
    )


def wrapped(text: str, width: int) -> str:
    """Break a text into lines at spaces and after the commas of a spec."""
    lines = textwrap.fill(text.replace(",", f",{_BREAK} "), width, break_on_hyphens=False)
    return lines.replace(f"{_BREAK} ", "").replace(_BREAK, "")
