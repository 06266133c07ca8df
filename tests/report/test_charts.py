"""Charts and tables of saved results: what is drawn, and that it can be drawn again."""

from __future__ import annotations

import copy
import io
import itertools
import math
from pathlib import Path

import numpy as np
import pytest
from matplotlib.colors import to_rgba
from matplotlib.patches import Rectangle

from gin_sim.errors import InputError
from gin_sim.report.charts.frame import runs_text
from gin_sim.results.games import GamesSide
from gin_sim.results.kinds import read_object
from gin_sim.results.match import MatchSide
from gin_sim.results.sweep import MEAN_OVER_ALL

ROOT = Path(__file__).resolve().parents[2]
COMMAND = "gin-sim sweep greedy --param knock=0:3 --against simple --out results/knock"
LONG = "heuristic:first=10,middle=7,late=3,live_outs=0.75,danger=0.33,refused=0.2,taken=1.5,x=1"


# ------------------------------------------------------------------- objects


def interval(estimate, reach=0.25):
    return {"estimate": estimate, "low": estimate - reach, "high": estimate + reach}


def study(objective="points", **more):
    unit = "share of games" if objective == "win" else "points per hand"
    return {
        "objective": objective,
        "unit": unit,
        "sample": "2,000 hands in 1,000 mirrored pairs",
        "mirrored": True,
        "seed": 7,
        "rules": {"name": "classic", "box_bonus": 20, "big_gin_bonus": None},
        "confidence": 0.95,
        "correction": "simultaneous over all cells",
        "verdict": "",
        "partial": False,
        "seconds": {"play": 1.0},
        **more,
    }


def knock(values):
    meaning = "greatest deadwood to knock with"
    return {"name": "knock", "unit": "pips", "meaning": meaning, "values": list(values)}


def swept(leads, against="simple", parameters=None, like_best=(), reach=0.25):
    """A table of the leads by their place; the best one, and the places not told apart from it."""
    tried = list(itertools.product(*(parameter["values"] for parameter in parameters)))
    best = max(range(len(leads)), key=leads.__getitem__)
    among = {best, *like_best}
    cells = [
        {
            "values": list(values),
            **interval(lead, reach),
            "to_best": interval(lead - leads[best], 0 if i == best else reach),
            "among_best": i in among,
        }
        for i, (values, lead) in enumerate(zip(tried, leads, strict=True))
    ]
    among_best = [list(tried[i]) for i in sorted(among)]
    return {"against": against, "best": list(tried[best]), "among_best": among_best, "cells": cells}


def sweep(parameters, tables, base="greedy", **more):
    against = [table["against"] for table in tables if table["against"]]
    return {
        **study(**more),
        "base": base,
        "parameters": parameters,
        "against": against,
        "one_pass": True,
        "tables": tables,
    }


def one_parameter(values=(0, 1, 2, 3), leads=(-1.0, 0.5, 2.0, 1.9), like_best=(3,), **more):
    parameters = [knock(values)]
    table = swept(list(leads), parameters=parameters, like_best=like_best)
    return sweep(parameters, [table], **more)


def two_parameters(n=3, m=2, against=("simple",), **more):
    parameters = [{**knock(range(n)), "name": "early"}, {**knock(range(m)), "name": "late"}]
    leads = [float(i + j) for i in range(n) for j in range(m)]
    # The best is the last cell; the one before it in the same row is not told apart.
    like_best = (n * m - 2,) if m > 1 else ()
    tables = [swept(leads, spec, parameters, like_best) for spec in against]
    return sweep(parameters, tables, base="two-threshold", **more)


def payoffs(values=(0, 5, 10), scale=1.0, reach=0.25, **more):
    """Rock, paper, scissors: each value beats the one before it, and the first beats the last."""
    n = len(values)

    def lead(i, j):
        return scale * ({0: 0.0, 1: 1.0, n - 1: -1.0}.get((i - j) % n, 0.0))

    cells = [
        {"row": values[i], "column": values[j], **interval(lead(i, j), 0 if i == j else reach)}
        for i in range(n)
        for j in range(n)
    ]
    replies = [
        {
            "to": values[j],
            "best": values[(j + 1) % n],
            **interval(lead((j + 1) % n, j), reach),
            "among_best": [values[(j + 1) % n]],
        }
        for j in range(n)
    ]
    return {
        **study(**more),
        "base": "greedy",
        "parameters": [knock(values)],
        "one_pass": True,
        "cells": cells,
        "best_replies": replies,
        "dominated": [],
        "equilibrium": {
            "mixture": [
                {"value": v, "weight": 1 / n, "low": max(0, 1 / n - 0.1), "high": 1 / n}
                for v in values
            ],
            "value": interval(0.0, 0.0),
            "payoffs": [{"value": v, **interval(0.0, reach)} for v in values],
        },
    }


def compared(specs=("strong", "marjj", "greedy"), leads=(4.0, 0.1, 0.0), **more):
    """Each policy's strength; two differ where their strengths do by more than 0.5."""
    n = len(specs)
    mean = [leads[i] - (sum(leads) - leads[i]) / max(1, n - 1) for i in range(n)]
    return {
        **study(**more),
        "policies": [{"spec": spec} for spec in specs],
        "ranking": [{"policy": s, **interval(x)} for s, x in zip(specs, mean, strict=True)],
        "differences": [
            {"policy": specs[i], "against": specs[j], **interval(leads[i] - leads[j], 0.5)}
            for i, j in itertools.combinations(range(n), 2)
        ],
        "neighbours": [
            {
                "policy": specs[i],
                "next": specs[i + 1],
                **interval(mean[i] - mean[i + 1], 0.5),
                "told_apart": leads[i] - leads[i + 1] > 0.5,
            }
            for i in range(n - 1)
        ],
    }


def side(won, **more):
    return {"win_rate": won, "intervals": {"win_rate": [won - 0.01, won + 0.01]}, **more}


def two_policies():
    rates = {"gin_rate": 0.05, "big_gin_rate": 0.0, "undercut_made_rate": 0.1}
    return {
        "hands": 2000,
        "deals": 1000,
        "mirrored": True,
        "seed": 7,
        "rules": {"name": "classic", "box_bonus": 20, "big_gin_bonus": None},
        "policies": [{"spec": "greedy"}, {"spec": "simple"}],
        "sides": [side(0.6, **rates), side(0.375, **rates)],
        "wash_rate": 0.025,
        "difference": {"points": interval(1.5), "points+boxes": interval(6.0)},
        "partial": False,
    }


def two_policies_games():
    return {
        "games": 100,
        "pairs": 50,
        "mirrored": True,
        "seed": 7,
        "rules": {"name": "classic", "box_bonus": 20, "big_gin_bonus": None},
        "policies": [{"spec": "greedy"}, {"spec": "simple"}],
        "sides": [side(0.6), side(0.4)],
        "difference": {"stakes": interval(30.0)},
        "tie_rate": interval(0.0, 0.0),
        "hands_per_game": interval(2.4),
        "games_by_hands": [0, 10, 40, 50],
        "longest_or_more": False,
        "partial": True,
    }


RESULTS = {
    "match": two_policies,
    "games": two_policies_games,
    "ranking": compared,
    "sweep": one_parameter,
    "value-matrix": payoffs,
}


def info(spec):
    return {"spec": spec, "policy": spec.partition(":")[0], "parameters": {}}


def figure_of(told):
    return {name: told[name] for name in ("estimate", "low", "high")}


def of_two(result):
    """What results of two policies share, from their short form here."""
    mirrored = result["mirrored"]
    return {
        **{name: result[name] for name in ("seed", "rules", "mirrored", "partial")},
        "policies": [info(policy["spec"]) for policy in result["policies"]],
        "pairs": result.get("pairs", result.get("deals")) if mirrored else None,
        "verdict": "",
        "stopping": None,
        "wash_rate": interval(result.get("wash_rate", 0.0), 0.0),
        "stall_rate": interval(0.0, 0.0),
    }


def side_of(told, spec, counted, names):
    """One side's figures; those that no test looks at are 0."""
    figures = {}
    for name in names:
        rate = told.get(name, 0.0)
        low, high = told["intervals"].get(name, [rate, rate])
        figures[name] = {"estimate": rate, "low": low, "high": high}
    return {"policy": spec, counted: 0, **figures}


def match_object(result):
    names = [name for name in MatchSide.__struct_fields__ if name not in ("policy", "hands_won")]
    specs = [policy["spec"] for policy in result["policies"]]
    return {
        "kind": "match",
        **of_two(result),
        "hands": result["hands"],
        "deals": result["deals"],
        "sides": [side_of(told, spec, "hands_won", names)
                  for told, spec in zip(result["sides"], specs, strict=True)],
        "difference": {
            name: {**figure, "variance_reduction": None}
            for name, figure in result["difference"].items()
        },
        "hands_won_lead": interval(0.2, 0.1),
        "turns_per_hand": interval(14.0, 0.1),
        "luck_adjusted": False,
    }  # fmt: skip


def games_object(result):
    names = [name for name in GamesSide.__struct_fields__ if name not in ("policy", "games_won")]
    specs = [policy["spec"] for policy in result["policies"]]
    return {
        "kind": "games",
        **of_two(result),
        "hands": 240,
        "games": result["games"],
        "sides": [side_of(told, spec, "games_won", names)
                  for told, spec in zip(result["sides"], specs, strict=True)],
        "difference": {
            name: {**figure, "variance_reduction": None}
            for name, figure in {"win": interval(0.2, 0.1), **result["difference"]}.items()
        },
        "tie_rate": result["tie_rate"],
        "upset_rate": interval(0.0, 0.0),
        "unfinished": 0,
        "hands_per_game": result["hands_per_game"],
        "games_by_hands": result["games_by_hands"],
        "longest_or_more": result["longest_or_more"],
    }  # fmt: skip


def of_a_study(result):
    names = ("objective", "unit", "seed", "rules", "confidence", "correction", "verdict", "partial")
    return {
        **{name: result[name] for name in names},
        "mirrored": result["mirrored"],
        "hands": 2000,
        "games": None,
        "units": 1000,
        "one_pass": True,
        "hands_played": 2000,
        "stopping": None,
    }


def sweep_object(result):
    return {
        "kind": "sweep",
        **of_a_study(result),
        "play": info(result["base"]),
        "against": [info(spec) for spec in result["against"]],
        "parameters": result["parameters"],
        "by_opponent": [
            {
                **{name: table[name] for name in ("against", "best", "among_best")},
                "cells": [
                    {
                        "values": cell["values"],
                        "policy": "greedy",
                        "figure": figure_of(cell),
                        "to_best": cell["to_best"],
                        "among_best": cell["among_best"],
                    }
                    for cell in table["cells"]
                ],
            }
            for table in result["tables"]
        ],
        "score": None,
        "later_hands": [],
    }


def matrix_object(result):
    solved = result["equilibrium"]
    return {
        "kind": "value-matrix",
        **of_a_study(result),
        "play": info(result["base"]),
        "parameter": result["parameters"][0],
        "cells": [
            {"row": cell["row"], "column": cell["column"], "lead": figure_of(cell)}
            for cell in result["cells"]
        ],
        "best_replies": [
            {
                **{name: reply[name] for name in ("to", "best", "among_best")},
                "lead": figure_of(reply),
            }
            for reply in result["best_replies"]
        ],
        "dominated": [],
        "equilibrium": {
            "mixture": [
                {
                    "value": part["value"],
                    "weight": {
                        "estimate": part["weight"], "low": part["low"], "high": part["high"],
                    },
                }
                for part in solved["mixture"]
            ],
            "value": solved["value"],
            "payoffs": [
                {"value": part["value"], "lead": figure_of(part)} for part in solved["payoffs"]
            ],
        },
    }  # fmt: skip


def ranking_object(result):
    nexts = {(pair["policy"], pair["next"]): pair for pair in result["neighbours"]}
    return {
        "kind": "ranking",
        **of_a_study(result),
        "policies": [info(policy["spec"]) for policy in result["policies"]],
        "ranking": [{"policy": row["policy"], "lead": figure_of(row)} for row in result["ranking"]],
        "differences": [
            {
                "policy": row["policy"],
                "against": row["against"],
                "lead": figure_of(row),
                "in_ranking": figure_of(nexts.get((row["policy"], row["against"]), row)),
            }
            for row in result["differences"]
        ],
    }


OBJECTS = {
    "match": match_object,
    "games": games_object,
    "ranking": ranking_object,
    "sweep": sweep_object,
    "value-matrix": matrix_object,
}


def made(kind, result, command=COMMAND):
    """The Struct of a result from its short form here."""
    return read_object({**OBJECTS[kind](result), "command": command})


def drawn(kind, result, command=COMMAND):
    (figure,) = made(kind, result, command).charts().values()
    return figure


def result_tables(kind, result):
    return made(kind, result).tables()


def axes_called(figure, title):
    (found,) = [a for a in figure.axes if a.get_title() == title or a.get_title("left") == title]
    return found


def hatched_cells(axes):
    """The (row, column) of each hatched cell of a heatmap."""
    return sorted(
        (round(p.get_y() + 0.5), round(p.get_x() + 0.5)) for p in axes.patches if p.get_hatch()
    )


def outlined_cells(axes, dashed=False):
    """The (row, column) of each cell with a black frame, drawn through or dashed."""
    return sorted(
        (math.floor(p.get_y() + 0.5), math.floor(p.get_x() + 0.5))
        for p in axes.patches
        if isinstance(p, Rectangle)
        and not p.get_hatch()
        and p.get_edgecolor() == to_rgba("black")
        and (p.get_linestyle() not in ("-", "solid")) is dashed
    )


def legend_of(figure):
    return [t.get_text() for a in figure.axes if a.get_legend() for t in a.get_legend().texts]


def one_line(text):
    return text.replace("\n", " ")


# ------------------------------------------------------------- what is drawn


@pytest.mark.parametrize("kind", RESULTS)
def test_every_chart_says_what_it_rests_on(kind):
    figure = drawn(kind, RESULTS[kind]())
    caption = one_line(figure.get_supxlabel())
    assert caption.endswith(COMMAND)
    assert "seed 7" in caption
    assert "95% intervals" in caption
    assert "classic rules" in one_line(figure.get_suptitle())
    if kind in ("ranking", "sweep", "value-matrix"):
        assert "2,000 hands in 1,000 mirrored pairs, seed 7" in caption
        assert "simultaneous over all cells. " in caption
        assert "stopped" not in caption
        cut = {**RESULTS[kind](), "partial": True}
        assert "pairs (stopped early), seed 7" in drawn(kind, cut).get_supxlabel()


def test_two_policies_hands_and_games():
    hands = drawn("match", two_policies())
    widths = [bar.get_width() for bar in hands.axes[0].patches]
    # Knocks are what is left of the wins: 60 - 5 - 10 and 37.5 - 5 - 10; big gin is not played.
    assert widths == pytest.approx([45, 5, 10, 22.5, 5, 10])
    games = drawn("games", two_policies_games())
    assert [bar.get_height() for bar in games.axes[0].patches] == pytest.approx([10, 40, 50])
    assert "or more" not in games.axes[0].get_title()
    assert "(stopped early)" in games.get_supxlabel()
    longest = {**two_policies_games(), "longest_or_more": True}
    title = one_line(drawn("games", longest).axes[0].get_title())
    assert title.endswith("; the last bar is for 3 hands or more")


def test_a_line_with_its_band_and_its_best():
    figure = drawn("sweep", one_parameter())
    assert figure.get_suptitle() == "greedy by knock, against simple: points, classic rules"
    axes = figure.axes[0]
    assert (axes.get_xlabel(), axes.get_ylabel()) == ("knock, pips", "lead, points per hand")
    assert axes.get_title("left") == "best at 2: +2.00 ±0.25; tied: 3"
    (line,) = [ln for ln in axes.lines if len(ln.get_xdata()) == 4]
    assert list(line.get_ydata()) == [-1.0, 0.5, 2.0, 1.9]
    (band,) = axes.collections
    corners = {tuple(point) for point in band.get_paths()[0].vertices}
    leads = zip((0, 1, 2, 3), (-1.0, 0.5, 2.0, 1.9), strict=True)
    assert {(x, y + d) for x, y in leads for d in (-0.25, 0.25)} <= corners
    points = {
        ln.get_xdata()[0]: ln.get_markerfacecolor()
        for ln in axes.lines
        if len(ln.get_xdata()) == 1 and ln.get_markersize() < 10
    }
    assert {x: colour != "white" for x, colour in points.items()} == {
        0: False, 1: False, 2: True, 3: True,
    }  # fmt: skip
    rings = [ln.get_xdata()[0] for ln in axes.lines if ln.get_markersize() > 10]
    assert rings == [2]
    zero = [ln for ln in axes.lines if list(ln.get_ydata()) == [0, 0]]
    assert len(zero) == 1
    assert legend_of(figure) == [
        "best", "tied with the best", "found worse than another", "95% interval",
    ]  # fmt: skip


def test_zero_is_left_out_where_it_would_flatten_the_line():
    far = drawn("sweep", one_parameter(leads=(40.0, 41.0, 43.0, 42.0))).axes[0]
    assert not [line for line in far.lines if list(line.get_ydata()) == [0, 0]]
    assert far.get_ylim()[0] > 38


def test_opponents_have_panels_that_differ_in_more_than_colour():
    parameters = [knock(range(3))]
    specs = ["simple", "greedy", "marjj", None]
    tables = [swept([i, i + 2.0, i + 1.0], spec, parameters) for i, spec in enumerate(specs)]
    figure = drawn("sweep", sweep(parameters, tables))
    panels = figure.axes[:4]
    assert [axes.get_title("left").splitlines()[0] for axes in panels] == [
        "against simple", "against greedy", "against marjj", "mean over all opponents",
    ]  # fmt: skip
    lines = [next(ln for ln in axes.lines if len(ln.get_xdata()) == 3) for axes in panels]
    dots = [next(ln for ln in axes.lines if len(ln.get_xdata()) == 1) for axes in panels]
    assert len({str(line._unscaled_dash_pattern) for line in lines}) == 4
    assert len({line.get_color() for line in lines}) == 4
    assert len({dot.get_marker() for dot in dots}) == 4
    assert [line.get_ydata()[1] for line in lines] == [2, 3, 4, 5]
    assert "scale of its own" in one_line(figure.get_supxlabel())
    assert "against" not in figure.get_suptitle()


def test_games_won_are_shown_in_percent():
    result = one_parameter(objective="win", leads=(-0.1, 0.0, 0.2, 0.1))
    axes = drawn("sweep", result).axes[0]
    assert axes.get_ylabel() == "games won less games lost, % of games"
    (line,) = [ln for ln in axes.lines if len(ln.get_xdata()) == 4]
    assert list(line.get_ydata()) == pytest.approx([-10, 0, 20, 10])
    boxes = drawn("sweep", one_parameter(objective="points+boxes"))
    assert boxes.axes[0].get_ylabel() == "lead with boxes, points per hand"
    assert "points with boxes" in boxes.get_suptitle()


def test_values_that_are_no_numbers_stand_apart():
    values = ("10/10/0", "6-10", 5, "2-2+4-7")
    axes = drawn("sweep", one_parameter(values=values)).axes[0]
    assert [label.get_text() for label in axes.get_xticklabels()] == [str(v) for v in values]
    assert all(len(line.get_xdata()) == 1 for line in axes.lines if line.get_marker() == "o")
    # An interval for each, no band and no line from one to the next.
    segments = [tuple(map(tuple, s)) for part in axes.collections for s in part.get_segments()]
    assert segments == [
        ((i, lead - 0.25), (i, lead + 0.25)) for i, lead in enumerate((-1.0, 0.5, 2.0, 1.9))
    ]


def test_values_are_joined_in_their_order_on_the_scale():
    axes = drawn("sweep", one_parameter(values=(10, 0, 5, 2.5))).axes[0]
    (line,) = [ln for ln in axes.lines if len(ln.get_xdata()) == 4]
    assert list(line.get_xdata()) == [0, 2.5, 5, 10]
    assert list(line.get_ydata()) == [0.5, 1.9, 2.0, -1.0]


def test_two_parameters_are_a_heatmap():
    figure = drawn("sweep", two_parameters())
    axes, bar = figure.axes[0], figure.axes[-1]
    assert (axes.get_xlabel(), axes.get_ylabel()) == ("late, pips", "early, pips")
    assert bar.get_ylabel() == "lead, points per hand"
    (mesh,) = axes.collections
    assert mesh.get_array().ravel().tolist() == [0, 1, 1, 2, 2, 3]
    assert outlined_cells(axes) == [(2, 1)]
    assert hatched_cells(axes) == [(2, 0)]
    shown = [text.get_text() for text in axes.texts]
    numbers = ["0.00", "+1.00", "+1.00", "+2.00", "+2.00", "+3.00"]
    assert shown == [text for number in numbers for text in (number, "±0.25")]
    assert axes.get_title("left") == "best at early 2, late 1: +3.00 ±0.25; tied: 1 cell"
    assert "Intervals of ±0.25 in each cell." in one_line(figure.get_supxlabel())
    assert legend_of(figure) == ["best", "tied with the best"]


def test_numbers_are_left_out_where_they_do_not_fit():
    figure = drawn("sweep", two_parameters(5, 98))
    assert not figure.axes[0].texts
    assert "±0.25 in each cell" in one_line(figure.get_supxlabel())


@pytest.mark.parametrize("n", [2, 11, 20])
def test_numbers_stay_within_their_cells(n):
    figure = drawn("value-matrix", payoffs(range(n)))
    axes = axes_called(figure, "Lead of the row over the column")
    figure.draw_without_rendering()
    size = axes.bbox.width / n, axes.bbox.height / n
    assert len(axes.texts) >= n * n
    for text in axes.texts:
        assert text.get_fontsize() >= 6
        box = text.get_window_extent()
        assert box.width <= size[0]
        assert box.height <= size[1]


def test_a_matrix_of_payoffs_with_its_equilibrium():
    figure = drawn("value-matrix", payoffs())
    matrix = axes_called(figure, "Lead of the row over the column")
    assert (matrix.get_xlabel(), matrix.get_ylabel()) == ("against knock, pips", "knock, pips")
    assert outlined_cells(matrix) == [(0, 2), (1, 0), (2, 1)]
    assert hatched_cells(matrix) == [(0, 0), (1, 1), (2, 2)]
    (mesh,) = matrix.collections
    assert (mesh.norm.vmin, mesh.norm.vmax) == (-1, 1)  # zero in the middle
    mixture = axes_called(figure, "Equilibrium mixture")
    assert mixture.get_xlabel() == "share of the mixture, %"
    assert [bar.get_width() for bar in mixture.patches] == pytest.approx([100 / 3] * 3)
    ends = [list(line.get_xdata()) for line in mixture.lines]
    assert ends == [pytest.approx([100 / 3 - 10, 100 / 3])] * 3
    against = axes_called(figure, "Against the mixture")
    assert against.get_xlabel() == "lead, points per hand"
    dots = [line for line in against.lines if line.get_marker() == "o"]
    assert [(d.get_xdata()[0], d.get_ydata()[0]) for d in dots] == [(0, 0), (0, 1), (0, 2)]
    ends = [list(line.get_xdata()) for line in against.lines if line.get_marker() == "|"]
    assert ends == [[-0.25, 0.25]] * 3


def test_replies_that_are_as_good_are_dashed():
    result = payoffs()
    result["best_replies"][0]["among_best"] = [5, 10]
    matrix = axes_called(drawn("value-matrix", result), "Lead of the row over the column")
    assert outlined_cells(matrix, dashed=True) == [(2, 0)]
    assert outlined_cells(matrix) == [(0, 2), (1, 0), (2, 1)]


def test_a_ranking_with_brackets_and_differences():
    figure = drawn("ranking", compared())
    ranking = axes_called(figure, "Ranking")
    assert ranking.get_xlabel() == "lead, points per hand"
    assert [t.get_text() for t in ranking.get_yticklabels()] == [
        "1  strong",
        "2  marjj",
        "3  greedy",
    ]
    dots = [line.get_xdata()[0] for line in ranking.lines if line.get_marker() == "o"]
    # 4 - 0.05, 0.1 - 2 and 0 - 2.05.
    assert dots == pytest.approx([3.95, -1.9, -2.05])
    ends = [list(line.get_xdata()) for line in ranking.lines if line.get_marker() == "|"]
    assert [end for pair in ends for end in pair] == pytest.approx(
        [3.7, 4.2, -2.15, -1.65, -2.3, -1.8]
    )
    brackets = [line.get_ydata() for line in ranking.lines if line.get_gid() == "bracket"]
    assert [(round(min(b)), round(max(b))) for b in brackets] == [(1, 2)]
    matrix = axes_called(figure, "Lead of the row over the column")
    assert hatched_cells(matrix) == [(1, 2), (2, 1)]
    shown = [text.get_text() for text in matrix.texts if "±" not in text.get_text()]
    assert shown == ["+3.9", "+4.0", "-3.9", "+0.1", "-4.0", "-0.1"]


def test_runs_of_values():
    tried = [0, 2, 4, 6, 8, "gin"]
    assert runs_text([0, 4, 6, 8], tried) == "0, 4 to 8"
    assert runs_text([8, 6], tried) == "6, 8"
    assert runs_text(["gin", 0, 2.0], tried) == "0, 2, gin"


# ------------------------------------------------------------ hard cases


def without_intervals(value):
    """The same object with null for the ends of every interval."""
    if isinstance(value, dict):
        return {k: None if k in ("low", "high") else without_intervals(v) for k, v in value.items()}
    return [without_intervals(v) for v in value] if isinstance(value, list) else value


def without_estimates(value):
    if isinstance(value, dict):
        missing = ("low", "high", "estimate")
        return {k: None if k in missing else without_estimates(v) for k, v in value.items()}
    return [without_estimates(v) for v in value] if isinstance(value, list) else value


SIX_LONG = tuple(f"{LONG},n={i}" for i in range(6))
HARD = {
    "one value": ("sweep", one_parameter((5,), (1.0,), ())),
    "two values": ("sweep", one_parameter((5, 6), (1.0, 2.0), ())),
    "one cell": ("sweep", two_parameters(1, 1)),
    "99 x 30 cells": ("sweep", two_parameters(99, 30)),
    "60 thresholds": ("value-matrix", payoffs(range(60))),
    "20 x 20 cells": ("sweep", two_parameters(20, 20)),
    "five heatmaps": ("sweep", two_parameters(11, 11, ("a", "b", "c", "d", None))),
    "all equal": ("sweep", one_parameter(leads=(0.0,) * 4, like_best=(1, 2, 3))),
    "many values": ("sweep", one_parameter(range(99), [float(i) for i in range(99)], ())),
    "long texts": ("sweep", one_parameter([f"{'10/' * 12}{i}" for i in range(4)])),
    "long base": ("sweep", one_parameter(base=LONG)),
    "long opponents": ("sweep", two_parameters(4, 4, (LONG, f"{LONG},y=2", None))),
    "one threshold": ("value-matrix", payoffs((3,))),
    "two thresholds": ("value-matrix", payoffs((3, 4))),
    "20 x 20 thresholds": ("value-matrix", payoffs(range(20))),
    "thresholds all equal": ("value-matrix", payoffs(scale=0.0)),
    "tables": ("value-matrix", payoffs(("10/10/0", "6-10", "2-2+4-7", "10/10/10/10/5/5/5/0"))),
    "one policy": ("ranking", compared(("greedy",), (0.0,))),
    "two policies": ("ranking", compared(("greedy", "simple"), (1.0, 0.0))),
    "six long policies": ("ranking", compared(SIX_LONG, (5.0, 4, 3, 2, 1, 0))),
    "all as good": ("ranking", compared(leads=(0.0, 0.0, 0.0))),
    "twelve in games won": (
        "ranking",
        compared([f"policy-{i}" for i in range(12)], [1 - i / 12 for i in range(12)],
                 objective="win"),
    ),
}  # fmt: skip
for _kind, _make in list(RESULTS.items())[2:]:
    HARD[f"{_kind} without intervals"] = (_kind, without_intervals(_make()))
    HARD[f"{_kind} without estimates"] = (_kind, without_estimates(_make()))


def texts_of(figure):
    """Every text that is shown, the ticks within the axes' limits too."""
    found = [figure._suptitle, figure._supxlabel]
    for axes in figure.axes:
        found += axes.get_legend().texts if axes.get_legend() else []
        if not axes.axison:
            continue
        found += [axes.title, axes._left_title, axes.xaxis.label, axes.yaxis.label, *axes.texts]
        for axis, limits in ((axes.xaxis, axes.get_xlim()), (axes.yaxis, axes.get_ylim())):
            low, high = sorted(limits)
            ticks = zip(axis.get_ticklocs(), axis.get_ticklabels(), strict=True)
            found += [label for place, label in ticks if low <= place <= high]
            found.append(axis.get_offset_text())
    return [text for text in found if text.get_text() and text.get_visible()]


_LARGE = ("60 thresholds", "five heatmaps", "20 x 20 thresholds")


@pytest.mark.parametrize(
    "case", [pytest.param(case, marks=[pytest.mark.slow] * (case in _LARGE)) for case in HARD]
)
def test_hard_cases_read(case):
    figure = drawn(*HARD[case])
    figure.canvas.draw()
    whole = figure.bbox
    texts = texts_of(figure)
    assert not [text for text in texts if "nan" in text.get_text()]
    boxes = np.array([text.get_window_extent().extents for text in texts])
    inside = (boxes >= [*whole.min - 1] * 2) & (boxes <= [*whole.max + 1] * 2)
    assert not [text.get_text() for text, fits in zip(texts, inside, strict=True) if not all(fits)]
    # Pixels that two texts share, across and up.
    low, high = boxes[:, None, :2], boxes[:, None, 2:]
    shared = np.minimum(high, high.swapaxes(0, 1)) - np.maximum(low, low.swapaxes(0, 1))
    touching = np.argwhere(np.triu((shared > [1, 2]).all(axis=-1), 1))
    assert not [(texts[i].get_text(), texts[j].get_text()) for i, j in touching]


# -------------------------------------------------------------------- tables


def test_the_table_of_a_sweep():
    (table,) = result_tables("sweep", two_parameters(against=("simple", None))).values()
    assert {
        "play",
        "against",
        "early",
        "late",
        "objective",
        "estimate",
        "low",
        "high",
        "unit",
    } <= set(table)
    assert table.against.tolist() == ["simple"] * 6 + [MEAN_OVER_ALL] * 6
    columns = ["play", "against", "early", "late", "estimate", "low", "high"]
    assert table.loc[4, columns].tolist() == ["two-threshold", "simple", 2, 0, 2.0, 1.75, 2.25]
    columns = ["to_best_estimate", "to_best_low", "to_best_high", "best", "among_best"]
    assert table.loc[4, columns].tolist() == [-1.0, -1.25, -0.75, False, True]
    assert table.best.sum() == 2
    mixed = result_tables("sweep", one_parameter(values=(0, "6-10", 2.5, 3)))["cells"]
    assert mixed.knock.tolist() == ["0", "6-10", "2.5", "3"]


def test_the_columns_are_the_same_whatever_the_objective():
    points, wins = (
        result_tables("sweep", one_parameter(objective=objective))["cells"]
        for objective in ("points", "win")
    )
    assert list(points) == list(wins)
    assert set(points.unit) == {"points per hand"}
    assert set(wins.unit) == {"share of games"}


def test_the_tables_of_payoffs():
    tables = result_tables("value-matrix", payoffs())
    cells, equilibrium, replies = tables.values()
    row = cells.iloc[1]
    assert (row["row"], row["column"], row.estimate) == (0, 5, -1.0)
    assert (row.low, row.high, row.unit) == (-1.25, -0.75, "points per hand")
    assert equilibrium.weight_estimate.tolist() == pytest.approx([1 / 3] * 3)
    assert equilibrium.low.tolist() == [-0.25] * 3
    assert replies.best.tolist() == [5, 10, 0]
    assert replies.among_best.tolist() == ["5", "10", "0"]


def test_a_value_outside_the_mixture_has_no_share():
    result = payoffs()
    result["equilibrium"]["mixture"][1] |= {"weight": 0.0, "low": None, "high": None}
    table = result_tables("value-matrix", result)["equilibrium"]
    assert table.weight_estimate.tolist() == pytest.approx([1 / 3, 0, 1 / 3])
    assert table.weight_low.isna().tolist() == [False, True, False]


def test_the_tables_of_a_comparison():
    result = compared(objective="win", confidence=0.9)
    tables = result_tables("ranking", result)
    ranking, differences = tables["ranking"], tables["differences"]
    assert ranking["rank"].tolist() == [1, 2, 3]
    assert ranking.ahead_of_next.tolist() == [True, False, None]
    assert differences.difference_found.tolist() == [True, True, False]
    assert differences.estimate.tolist() == pytest.approx([3.9, 4.0, 0.1])
    assert set(differences.unit) == {"share of games"}


def test_no_estimate_is_an_empty_cell():
    table = result_tables("sweep", without_estimates(one_parameter()))["cells"]
    assert table[["estimate", "low", "high"]].isna().all(axis=None)


# ----------------------------------------------------------- broken objects


def changed(result, *path_and_value):
    *path, last, value = path_and_value
    result = copy.deepcopy(result)
    place = result
    for step in path:
        place = place[step]
    place[last] = value
    return result


def broken(kind, *path_and_value):
    return changed(OBJECTS[kind](RESULTS[kind]()), *path_and_value)


BROKEN = {
    "text for a number": (
        broken("match", "sides", 0, "win_rate", "estimate", "most"),
        "at result.sides[0].win_rate.estimate (expected `float | null`, got `str`)",
    ),
    "ends out of order": (
        broken("sweep", "by_opponent", 0, "cells", 1, "figure", "low", 9.0),
        "at result.by_opponent[0].cells[1].figure (an interval has two ends in order, not 9.0 and "
        "0.75)",
    ),
    "infinity": (
        broken("ranking", "ranking", 0, "lead", "estimate", math.inf),
        "at result.ranking[0].lead (numbers are finite, or null where there is none)",
    ),
    "one end": (
        broken("ranking", "ranking", 2, "lead", "high", None),
        "at result.ranking[2].lead (an interval has two ends in order, not -2.3 and nan)",
    ),
    "no game": (broken("games", "games", 0), "at result (no game was played)"),
    "a cell too few": (
        broken(
            "sweep",
            "by_opponent",
            0,
            "cells",
            sweep_object(one_parameter())["by_opponent"][0]["cells"][1:],
        ),
        "at result (the cells are not those of the parameters' values)",
    ),
    "another best": (
        broken("sweep", "by_opponent", 0, "best", [4]),
        "at result (the best values [4] were not tried)",
    ),
    "three parameters": (
        broken("sweep", "parameters", [knock([0])] * 3),
        "at result (one or two parameters are swept, not 3)",
    ),
    "an unknown unit": (
        broken("value-matrix", "unit", "pounds"),
        "at result (the unit is points per hand, share of games, chance to win the game or points "
        "per game, not 'pounds')",
    ),
    "a stranger": (
        broken("ranking", "differences", 0, "against", "patient"),
        "at result ('patient' is not in the ranking)",
    ),
    "an untried reply": (
        broken("value-matrix", "best_replies", 0, "best", 7),
        "at result (the value 7 was not tried)",
    ),
}


@pytest.mark.parametrize("case", BROKEN)
def test_a_broken_object_is_refused_by_its_place(case):
    result, said = BROKEN[case]
    with pytest.raises(InputError) as refused:
        read_object(result)
    sentence = (
        f"the result of the kind '{result['kind']}' is not whole {said}: run its command again."
    )
    assert str(refused.value) == sentence


@pytest.mark.parametrize("kind", RESULTS)
def test_whatever_is_missing_is_named_or_not_needed(kind):
    result = OBJECTS[kind](RESULTS[kind]())
    for name in result:
        short = {key: value for key, value in result.items() if key != name}
        if name == "kind":
            continue
        if name in ("partial", "confidence"):
            assert read_object(short).charts()
            continue
        with pytest.raises(InputError, match=f"missing required field `{name}`"):
            read_object(short)


def test_a_chart_is_the_same_file_twice():
    def svg():
        file = io.BytesIO()
        figure = drawn("value-matrix", payoffs())
        figure.savefig(file, format="svg", metadata={"Date": None})
        return file.getvalue()

    assert svg() == svg()
    assert b"share of the mixture, %" in svg()  # text, not outlines
