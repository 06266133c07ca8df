"""Find the best single knock threshold: results/knock_thresholds and the table of its page in docs.

    .venv/bin/python scripts/knock_thresholds.py

takes three to four minutes on two cores.  Each folder is what one `gin-sim sweep` leaves; the
chart, the table and the page beside them are made from those, by `--page` from the results there
are.
"""

from __future__ import annotations

from pathlib import Path

import click
import pandas as pd
from matplotlib.figure import Figure
from matplotlib.lines import Line2D
from policies_table import fill

import gin_sim
from gin_sim.report.charts.frame import BLACK, BLUE, GREY, VERMILION, framed, keys_of_signs
from gin_sim.report.wording import played_words
from gin_sim.results.folder import describe_run, write_results
from gin_sim.results.sweep import Sweep, SweepTable

ROOT = Path(__file__).resolve().parent.parent
DOCS_PAGE = ROOT / "docs/howto/thresholds.md"
RESULTS = ROOT / "results" / "knock_thresholds"
PLAYERS = {"greedy": ("o", "-", BLUE), "strong": ("s", "--", VERMILION)}
OPPONENTS = ("simple", "greedy", "marjj", "gin-only")
OBJECTIVES = {
    "points": ("hands", "1e6", "points per hand"),
    "points+boxes": ("hands", "1e6", "points per hand, 25 a box"),
    "win": ("games", "3e4", "% of games to 100, won less lost"),
}
PAGE = """# The best single knock threshold

Written by `scripts/knock_thresholds.py`; standard rules, seed 1. A player who draws and discards
like `greedy` or like `strong` knocks as soon as its deadwood is the threshold or less; 0 waits for
gin. Each threshold has {sizes}.

Where several thresholds stand in a cell, the first did best and the others are tied with it, all
comparisons allowed for at 95%; the lead beside it is the first one's, with an interval that holds
for all eleven at once.

{table}

![Lead by threshold, opponent, objective and player](overview/thresholds.png)

{sentences}

`overview` holds the chart and all its figures as one table; the folders `greedy-points` to
`strong-win` are the sweeps themselves, each with its command, every comparison and a chart.
"""


def folder_of(player: str, objective: str) -> Path:
    """Return where the sweep of a player in an objective is."""
    return RESULTS / f"{player}-{objective.replace('+', '-and-')}"


def command_of(player: str, objective: str) -> str:
    """Return the arguments of a sweep, except for where its result goes."""
    unit, size, _ = OBJECTIVES[objective]
    against = ",".join(OPPONENTS)
    return (
        f"sweep --play {player} --param knock=0:10 --against {against} --objective {objective} "
        f"--{unit} {size} --seed 1"
    )


def play(player: str, objective: str) -> None:
    """Play a sweep and leave its result in its folder."""
    unit, size, _ = OBJECTIVES[objective]
    found = gin_sim.sweep(
        player,
        {"knock": range(11)},
        against=OPPONENTS,
        objective=objective,
        seed=1,
        progress=True,
        **{unit: float(size)},
    )
    folder = folder_of(player, objective)
    found.command = f"gin-sim {command_of(player, objective)} --out {folder.relative_to(ROOT)}"
    found.save(folder)


def read(player: str, objective: str) -> Sweep:
    """Return a sweep that was left in its folder."""
    return gin_sim.load(folder_of(player, objective))


def tables_by_opponent(sweep: Sweep) -> dict[str, SweepTable]:
    """Return a sweep's tables by opponent."""
    return {table.against: table for table in sweep.by_opponent if table.against}


def best_words(sweep: Sweep, table: SweepTable) -> str:
    """Return the best thresholds and the first one's lead: "0, 1 (+3.8 ±0.1)"."""
    figure = sweep.shown(table.best_cell.figure)
    values = ", ".join(map(str, [*table.best, *(cell.values[0] for cell in table.tied)]))
    decimals = 1 if sweep.objective == "win" else 2
    lead = f"{figure.estimate:+.{decimals}f}"
    if figure.half_width:
        lead += f" ±{figure.half_width:.{decimals}f}"
    return f"**{values}** ({lead})"


def best_table(sweeps: dict[tuple[str, str], Sweep]) -> list[str]:
    """Return the best thresholds as Markdown: a row for each opponent and player."""
    heads = [f"{objective}, {unit}" for objective, (*_, unit) in OBJECTIVES.items()]
    lines = [f"| against | played by | {' | '.join(heads)} |", "|---|---|---|---|---|"]
    for opponent in OPPONENTS:
        for player in PLAYERS:
            cells = [
                best_words(sweep, tables_by_opponent(sweep)[opponent])
                for sweep in (sweeps[player, objective] for objective in OBJECTIVES)
            ]
            lines.append(f"| `{opponent}` | `{player}` | {' | '.join(cells)} |")
    return lines


def sizes_of(sweeps: dict[tuple[str, str], Sweep]) -> str:
    """Return how much was played for each threshold, by objective."""
    (player, *_) = PLAYERS
    samples = {objective: sweeps[player, objective].sample for objective in OBJECTIVES}
    return "; ".join(
        f"for {objective} {played_words(sample)}" for objective, sample in samples.items()
    )


def sentences(sweeps: dict[tuple[str, str], Sweep]) -> list[str]:
    """Return what the worst threshold costs against each opponent."""
    lines = []
    for player in PLAYERS:
        for objective, (*_, unit) in OBJECTIVES.items():
            sweep = sweeps[player, objective]
            for opponent, table in tables_by_opponent(sweep).items():
                worst = min(table.cells, key=lambda cell: cell.to_best.estimate)
                lost = sweep.shown(worst.to_best)
                lines.append(
                    f"- `{player}` against `{opponent}`, {objective}: a threshold of "
                    f"{table.best[0]} leads by {-lost.estimate:.2f} [{-lost.high:.2f}, "
                    f"{-lost.low:.2f}] more than one of {worst.values[0]}, the worst ({unit})."
                )
    return lines


def chart(sweeps: dict[tuple[str, str], Sweep]) -> Figure:
    """Draw every lead: a row for each objective, a column for each opponent, a line a player."""
    figure = framed(
        "The best single knock threshold, standard rules",
        f"Lead by knock threshold, seed 1: {sizes_of(sweeps)}. Bands are 95% intervals that hold "
        "for all thresholds of a line at once. Each panel has a scale of its own.",
        "scripts/knock_thresholds.py",
        8.4,
        11,
    )
    grid = figure.add_gridspec(4, len(OPPONENTS), height_ratios=(1, 1, 1, 0.14))
    for row, (objective, (*_, unit)) in enumerate(OBJECTIVES.items()):
        for column, opponent in enumerate(OPPONENTS):
            axes = figure.add_subplot(grid[row, column])
            for player, look in PLAYERS.items():
                sweep = sweeps[player, objective]
                draw(axes, sweep, tables_by_opponent(sweep)[opponent], look)
            low, high = axes.get_ylim()
            if low < 0 < high:
                axes.axhline(0, color=GREY, lw=0.8, ls=":")
            axes.set_xticks(range(0, 11, 2))
            if row == 0:
                axes.set_title(f"against {opponent}", fontsize=10)
            if row == len(OBJECTIVES) - 1:
                axes.set_xlabel("knock at so many pips or less")
            if column == 0:
                axes.set_ylabel(f"lead, {unit}")
    keys = [
        Line2D(
            [], [], color=colour, marker=marker, ls=style, mfc="white", label=f"played by {name}"
        )
        for name, (marker, style, colour) in PLAYERS.items()
    ]
    keys.append(Line2D([], [], color=BLACK, marker="o", ls="", label="no other found better"))
    keys.append(Line2D([], [], color=BLACK, marker="o", mfc="white", ls="", label="found worse"))
    keys_of_signs(figure.add_subplot(grid[3, :]), keys, len(keys))
    return figure


def draw(axes, sweep: Sweep, table: SweepTable, look: tuple[str, str, str]) -> None:
    """Draw one line with its band; the values among the best are filled."""
    marker, style, colour = look
    figures = [sweep.shown(cell.figure) for cell in table.cells]
    values = [cell.values[0] for cell in table.cells]
    axes.fill_between(
        values,
        [figure.low for figure in figures],
        [figure.high for figure in figures],
        color=colour,
        alpha=0.25,
        lw=0,
    )
    axes.plot(values, [figure.estimate for figure in figures], color=colour, ls=style, lw=1.2)
    for cell, value, figure in zip(table.cells, values, figures, strict=True):
        filled = colour if cell.among_best else "white"
        axes.plot(value, figure.estimate, color=colour, marker=marker, mfc=filled, ms=5, ls="")


def rows_of(sweeps: dict[tuple[str, str], Sweep]) -> list[dict]:
    """Return every figure against an opponent as a row of one table."""
    return [
        {
            "player": player,
            "objective": objective,
            "against": opponent,
            "knock": cell.values[0],
            "estimate": cell.figure.estimate,
            "low": cell.figure.low,
            "high": cell.figure.high,
            "unit": sweep.unit,
            "among_best": cell.among_best,
        }
        for (player, objective), sweep in sweeps.items()
        for opponent, table in tables_by_opponent(sweep).items()
        for cell in table.cells
    ]


@click.command()
@click.option("--page", "page_only", is_flag=True, help="Write only, from the results there are.")
def main(page_only: bool) -> None:
    """Play the sweeps, then write chart, tables and pages."""
    with_every = [(player, objective) for player in PLAYERS for objective in OBJECTIVES]
    for each in [] if page_only else with_every:
        play(*each)
    sweeps = {each: read(*each) for each in with_every}
    described = describe_run("scripts/knock_thresholds.py")
    described["commands"] = [f"gin-sim {command_of(*each)}" for each in with_every]
    write_results(
        RESULTS / "overview",
        {"thresholds": pd.DataFrame(rows_of(sweeps))},
        {"thresholds": chart(sweeps)},
        described,
    )
    table = best_table(sweeps)
    page = PAGE.format(
        table="\n".join(table),
        sentences="\n".join(sentences(sweeps)),
        sizes=sizes_of(sweeps),
    )
    (RESULTS / "README.md").write_text(page, encoding="utf-8")
    text = fill(DOCS_PAGE.read_text(encoding="utf-8"), "thresholds", table)
    DOCS_PAGE.write_text(text, encoding="utf-8")


if __name__ == "__main__":
    main()
