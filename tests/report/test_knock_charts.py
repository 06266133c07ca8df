"""Charts and tables of solved knock rules: what is drawn, and that faults are named."""

from __future__ import annotations

import itertools
import math

import numpy as np
import pytest
from chart_examples import LONG, changed, interval, policy
from chart_reading import check_that_it_reads
from matplotlib.colors import to_rgba
from matplotlib.figure import Figure

from gin_sim.errors import InputError
from gin_sim.report.charts.gains import percentiles
from gin_sim.report.charts.solution import compare_charts
from gin_sim.results.kinds import read_object

COMMAND = "gin-sim solve --play greedy --against simple --out results/knock"
OUTS = {"name": "outs", "meaning": "cards that would give gin", "classes": ["0", "1-2", "3+"]}
NONE = {"name": "none", "meaning": "own turn and deadwood alone", "classes": ["all"]}
SOLVE_CHARTS = ["knock_chart", "gain_by_turn", "undercuts", "opponent_deadwood"]


# ------------------------------------------------------------------- objects


SCORE = {
    "mine": 45, "theirs": 20, "box_difference": 1, "boxes_matter": True, "dealer": "either",
    "later_hands": {
        "play": "greedy", "against": "simple", "hands": 4000, "scores": 1, "seed": 7,
        "partial": False,
    },
}  # fmt: skip


def study(by, play="greedy", **more):
    wins = more.get("objective") == "win"
    return {
        "objective": "points",
        "unit": "chance to win the game" if wins else "points per hand",
        "score": SCORE if wins else None,
        "deals": 1000,
        "seed": 7,
        "rules": {"name": "classic"},
        "confidence": 0.95,
        "play": policy(play),
        "partial": False,
        "command": COMMAND,
        "cut": [],
        "seconds": {"all": 1.0},
        "by": by,
        **more,
    }


def figure_of(estimate, low=None, high=None):
    return {"estimate": estimate, "low": low, "high": high}


def cell(turn, name, deadwood, gain, reach=1.0, knocks=200, rule=None):
    """A cell with its gain and interval; a gain of None: too few knocks."""
    place = {"turn": turn, "class": name, "deadwood": deadwood}
    if gain is None:
        few = {"gain": figure_of(None), "decision": "few"}
        return {**place, **few, "knocks": 0, "rule": rule or "play on"}
    low, high = gain - reach, gain + reach
    decision = "knock" if low > 0 else "play on" if high < 0 else "too close"
    said = {"gain": figure_of(gain, low, high), "knocks": knocks, "decision": decision}
    return {**place, **said, "rule": rule or ("knock" if gain > 0 else "play on")}


def opponent_deadwood(turns=4, n=200):
    """Half of the turns end with 20 less the turn, the others evenly with one pip to ten less."""
    found = []
    for turn in range(1, turns + 1):
        counts = [0] * 100
        counts[20 - turn] = n // 2
        for less in range(1, 11):
            counts[20 - turn - less] += n // 20
        found.append({"turn": turn, "counts": counts})
    return found


def gains(turn, deadwood):
    """Early and high: knock."""
    return deadwood - 2.5 * turn + 0.5


def solved(by=OUTS, turns=4, deadwoods=10, gain=gains, against="simple", **more):
    places = itertools.product(range(1, turns + 1), by["classes"], range(1, deadwoods + 1))
    cells = [cell(t, name, d, gain(t, d)) for t, name, d in places]
    undercuts = [
        {"turn": t, "deadwood": d, "knocks": 50 * t,
         "chance": figure_of(0.01 * d, 0.009 * d, 0.012 * d)}
        for t in range(1, turns + 1)
        for d in range(1, deadwoods + 1)
    ]  # fmt: skip
    return {
        "kind": "solution",
        **study(by, **more),
        "against": policy(against),
        "cells": cells,
        "knock": "10-7",
        "left_out": [],
        "value": interval(3.0),
        "own": interval(2.0),
        "gain": interval(1.0),
        "over_best_threshold": interval(0.5),
        "thresholds": [{"knock": knock, "value": interval(knock / 10)} for knock in range(11)],
        "features": None,
        "proof": None,
        "undercuts": undercuts,
        "opponent_deadwood": opponent_deadwood(min(turns, 9)),
        "iterated": [],
    }


def mixed(by=OUTS, turns=3, chance=lambda turn, deadwood: deadwood / 10 / turn, **more):
    places = itertools.product(range(1, turns + 1), by["classes"], range(1, 11))
    return {
        "kind": "equilibrium",
        **study(by, **more),
        "chances": [
            {"turn": t, "class": name, "deadwood": d, "chance": chance(t, d), "knocks": 10 * d}
            for t, name, d in places
        ],
        "steps": [
            {
                "rounds": 40 * n,
                "exploitability": interval(0.4 / n**2, 0.02),
                "at_most": interval(0.8 / n, 0.04),
            }
            for n in (1, 2, 3)
        ],
        "exploitability": interval(0.4 / 9, 0.02),
        "exploitability_at_most": interval(0.8 / 3, 0.04),
        "enough": 0.05,
        "value": interval(0.0),
        "opponent_deadwood": opponent_deadwood(),
    }


def heatmaps(figure):
    """The axes of cells in a figure, by their class or label."""
    return [
        axes
        for axes in figure.axes
        if axes.get_xlabel() != "rounds" and axes.collections and len(axes.get_yticks()) > 0
        and hasattr(axes.collections[0], "get_coordinates") and axes.axison
        and axes.get_ylim()[0] > axes.get_ylim()[1]
    ]  # fmt: skip


def numbers(axes):
    """The number in each cell by (row, column), half-widths left out."""
    return {
        (round(t.get_position()[1]), round(t.get_position()[0])): t.get_text()
        for t in axes.texts
        if "±" not in t.get_text()
    }


def hatched(axes):
    return sorted(
        (round(p.get_y() + 0.5), round(p.get_x() + 0.5)) for p in axes.patches if p.get_hatch()
    )


def dotted(axes):
    return sorted(
        (round(ln.get_ydata()[0]), round(ln.get_xdata()[0]))
        for ln in axes.lines
        if ln.get_marker() == "."
    )


def border(axes, colour="black"):
    """The edges of a decision line as pairs of corners."""
    (line,) = [
        part
        for part in axes.collections
        if part.get_gid() == "border" and part.get_edgecolor().tolist() == [list(to_rgba(colour))]
    ]
    return {tuple(map(tuple, segment)) for segment in line.get_segments()}


def legend_of(figure):
    return [t.get_text() for a in figure.axes if a.get_legend() for t in a.get_legend().texts]


def one_line(text):
    return text.replace("\n", " ")


def chart(result, name="knock_chart"):
    return read_object(result).chart(name)


# ----------------------------------------------------------- the knock chart


def two_by_three(**more):
    """Two turns, deadwoods 1 to 3: knocks are better with 2 and 3 at turn 1, with 3 at turn 2."""
    table = {(1, 1): -4.0, (1, 2): 3.0, (1, 3): 6.0, (2, 1): -8.0, (2, 2): -0.5, (2, 3): 2.0}
    return solved(NONE, 2, 3, lambda t, d: table[t, d], **more)


def test_a_knock_chart_shows_gains_and_the_decision_line():
    figure = chart(two_by_three())
    assert figure.get_suptitle() == "greedy against simple, when to knock: points, classic rules"
    (axes,) = heatmaps(figure)
    assert (axes.get_xlabel(), axes.get_ylabel()) == ("deadwood, pips", "own turn")
    assert [t.get_text() for t in axes.get_xticklabels()] == ["1", "2", "3"]
    assert [t.get_text() for t in axes.get_yticklabels()] == ["1", "2"]
    assert numbers(axes) == {
        (0, 0): "-4.0", (0, 1): "+3.0", (0, 2): "+6.0",
        (1, 0): "-8.0", (1, 1): "-0.5", (1, 2): "+2.0",
    }  # fmt: skip
    assert hatched(axes) == [(1, 1)]
    assert dotted(axes) == []
    # Between deadwoods 1 and 2 at turn 1, under deadwood 2, then between 2 and 3 at turn 2.
    edges = {((0.5, -0.5), (0.5, 0.5)), ((0.5, 0.5), (1.5, 0.5)), ((1.5, 0.5), (1.5, 1.5))}
    assert border(axes) == edges
    assert border(axes, "white") == edges
    caption = one_line(figure.get_supxlabel())
    assert caption.endswith(COMMAND)
    assert "1,000 deals traced, seed 7; 95% intervals of each figure by itself." in caption
    assert "each half of the deals judges the rule found on the other half" in caption
    assert "The line is the solved rule: it follows every clear cell, and all deals" in caption
    assert "The solved rule gains +1.00 points per hand [+0.75, +1.25] over the policy's" in caption
    assert legend_of(figure) == [
        "decision line of the solved rule",
        "too close to call: interval spans zero",
        "too few knocks to show",
    ]


def test_colours_are_even_around_zero_and_end_near_it():
    (axes,) = heatmaps(chart(two_by_three()))
    norm = axes.collections[0].norm
    # Sizes 0.5, 2, 3, 4, 6 and 8: half of the median, 3.5, is 1.75; rounded up to one figure, 2.
    assert (norm.vmin, norm.vmax) == (-2, 2)
    assert "Colours end at ±2." in one_line(chart(two_by_three()).get_supxlabel())
    small = solved(NONE, 1, 3, lambda t, d: 0.03 * d)
    norm = heatmaps(chart(small))[0].collections[0].norm
    assert (norm.vmin, norm.vmax) == pytest.approx((-0.03, 0.03))  # half of 0.06


def test_the_decision_line_follows_the_rule_and_not_the_gain():
    result = two_by_three()
    result["cells"][4]["rule"] = "knock"  # turn 2, deadwood 2: too close
    (axes,) = heatmaps(chart(result))
    assert border(axes) == {((0.5, -0.5), (0.5, 0.5)), ((0.5, 0.5), (0.5, 1.5))}


@pytest.mark.long
def test_cells_with_too_few_knocks_are_dotted_and_without_any_blank():
    result = two_by_three()
    few = {"gain": figure_of(5.0), "decision": "few", "knocks": 3}
    result["cells"][0] |= {**few, "rule": "play on"}
    result["cells"][3] |= {**few, "gain": figure_of(None), "knocks": 0, "rule": "play on"}
    (axes,) = heatmaps(chart(result))
    assert dotted(axes) == [(0, 0)]
    assert sorted(numbers(axes)) == [(0, 1), (0, 2), (1, 1), (1, 2)]
    # A line only where both sides are shown, whatever the rule does where there are few knocks.
    for rule in ("knock", "play on"):
        result["cells"][0]["rule"] = rule
        assert border(heatmaps(chart(result))[0]) == {
            ((0.5, 0.5), (1.5, 0.5)), ((1.5, 0.5), (1.5, 1.5)),
        }  # fmt: skip


def test_a_panel_for_each_class_with_the_same_rows_and_colours():
    result = solved()
    for each in result["cells"]:
        if each["class"] == "3+":
            each |= cell(each["turn"], "3+", each["deadwood"], -9.0)
    panels = heatmaps(chart(result))
    assert [axes.get_title("left") for axes in panels] == [
        f"cards that would give gin: {name}" for name in ("0", "1-2", "3+")
    ]
    assert [axes.get_ylabel() for axes in panels] == ["own turn", "", ""]
    assert len({axes.collections[0].norm.vmax for axes in panels}) == 1
    assert [len(border(axes)) > 0 for axes in panels] == [True, True, False]
    # Gains are deadwood - 2.5 turn + 0.5, so at turn 1: -1 with deadwood 1.
    assert numbers(panels[0])[0, 0] == "-1.0"
    assert set(numbers(panels[2]).values()) == {"-9.0"}


def test_later_turns_without_data_are_dropped():
    result = solved(NONE, 20, gain=lambda t, d: 1.0 if t < 6 else None)
    figure = chart(result)
    assert heatmaps(figure)[0].get_ylim() == (4.5, -0.5)
    assert "too few knocks everywhere" not in one_line(figure.get_supxlabel())
    result["cells"][-1] |= {"knocks": 2, "gain": figure_of(1.0)}
    figure = chart(result)
    assert heatmaps(figure)[0].get_ylim() == (4.5, -0.5)
    assert "After turn 5 too few knocks everywhere." in one_line(figure.get_supxlabel())


def test_chances_to_win_are_shown_in_percent():
    result = solved(NONE, 1, 3, lambda t, d: 0.01 * d, objective="win")
    for each in result["cells"]:
        gain = each["gain"]["estimate"]
        each |= {"gain": figure_of(gain, gain - 0.001, gain + 0.001), "decision": "knock"}
    figure = chart(result)
    assert "% to win the game at 45-20, 1 box ahead" in figure.get_suptitle()
    assert list(numbers(heatmaps(figure)[0]).values()) == ["+1.00", "+2.00", "+3.00"]
    assert any("% to win the game" in axes.get_xlabel() for axes in figure.axes)
    gain = chart(result, "gain_by_turn").axes[0]
    assert "% to win the game" in gain.get_ylabel()
    sample = "1,000 deals traced, the rest of the game from 4,000 hands in 2,000 mirrored pairs"
    assert sample in one_line(figure.get_supxlabel())


@pytest.mark.long
def test_the_main_panel_is_drawn_into_axes_of_the_callers():
    figure = Figure()
    axes = figure.add_subplot()
    assert read_object(two_by_three()).chart(ax=axes) is axes
    drawn = chart(two_by_three())
    assert numbers(axes) == numbers(heatmaps(drawn)[0])
    assert border(axes) == border(heatmaps(drawn)[0])
    axes = figure.add_subplot()
    found = read_object(mixed())
    found.chart(ax=axes)
    assert numbers(axes) == numbers(heatmaps(found.chart())[0])
    with pytest.raises(InputError, match="the chart 'undercuts' has several panels"):
        read_object(solved()).chart("undercuts", ax=axes)


# --------------------------------------------------------------- gain by turn


def lines_of(axes):
    """The points of each line, its single points and the one at zero left out."""
    lines = [line for line in axes.lines if len(line.get_xdata()) > 2]
    return [list(zip(line.get_xdata(), line.get_ydata(), strict=True)) for line in lines]


def test_gains_by_turn_have_a_line_for_some_deadwoods():
    figure = chart(solved(NONE), "gain_by_turn")
    axes = figure.axes[0]
    assert axes.get_ylabel() == "gain of a knock,\npoints per hand"
    assert lines_of(axes) == [
        [(t, pytest.approx(gains(t, d))) for t in range(1, 5)] for d in (1, 3, 5, 7, 10)
    ]
    assert legend_of(figure) == [
        *(f"deadwood {d}" for d in (1, 3, 5, 7, 10)), "too close", "95% interval",
    ]  # fmt: skip
    # Hollow where the interval of ±1 spans zero.
    hollow = {
        (line.get_xdata()[0], round(line.get_ydata()[0], 6))
        for line in axes.lines
        if len(line.get_xdata()) == 1 and line.get_markerfacecolor() == "white"
    }
    expected = {
        (t, gains(t, d))
        for t in range(1, 5)
        for d in (1, 3, 5, 7, 10)
        if -1 <= gains(t, d) <= 1
    }  # fmt: skip
    assert hollow == expected
    bands = [part for part in axes.collections if part.get_paths()]
    corners = {tuple(np.round(p, 6)) for b in bands for p in b.get_paths()[0].vertices}
    assert {(t, gains(t, 10) + end) for t in range(1, 5) for end in (-1, 1)} <= corners


def test_a_turn_without_data_is_a_gap_in_its_line():
    result = solved(NONE, gain=lambda t, d: None if t == 2 else gains(t, d))
    first = lines_of(chart(result, "gain_by_turn").axes[0])[0]
    assert [x for x, _ in first] == [1, 2, 3, 4]
    assert [math.isnan(y) for _, y in first] == [False, True, False, False]


def test_with_a_low_knock_limit_other_deadwoods_have_the_lines():
    figure = chart(solved(NONE, deadwoods=4), "gain_by_turn")
    assert legend_of(figure)[:2] == ["deadwood 1", "deadwood 3"]
    result = solved(NONE)
    result["cells"] = [c for c in result["cells"] if c["deadwood"] in (2, 4)]
    assert legend_of(chart(result, "gain_by_turn"))[:2] == ["deadwood 2", "deadwood 4"]


# ------------------------------------------------ undercuts and deadwood


def test_undercuts_in_percent_where_there_are_knocks_enough():
    figure = chart(solved(), "undercuts")
    title = "greedy against simple, chance that a knock is undercut: classic rules"
    assert figure.get_suptitle() == title
    (axes,) = heatmaps(figure)
    # 50 knocks at turn 1, 100 and more later.
    assert dotted(axes) == [(0, d) for d in range(10)]
    shown = numbers(axes)
    assert {shown[row, 9] for row in (1, 2, 3)} == {"10.0"}
    assert sorted({row for row, _ in shown}) == [1, 2, 3]
    norm = axes.collections[0].norm
    assert (norm.vmin, norm.vmax) == pytest.approx((0, 10))
    # 9 to 12 % with deadwood 10.
    assert "no interval is wider than ±1.5" in one_line(figure.get_supxlabel())


def test_percentiles_are_the_least_deadwoods_that_hold_the_share():
    # 10 turns: 1 with 0, 2 with 1, 3 with 2, 4 with 3.
    counts = [1, 2, 3, 4]
    assert percentiles(counts, (0.05, 0.1, 0.11, 0.3, 0.5, 0.6, 0.61, 0.9, 1.0)) == [
        0, 0, 1, 1, 2, 2, 3, 3, 3,
    ]  # fmt: skip
    assert percentiles([0, 0, 7, 0], (0.1, 0.5, 0.9)) == [2, 2, 2]


def test_the_opponents_deadwood_by_turn():
    figure = chart(solved(), "opponent_deadwood")
    assert figure.get_suptitle() == "Deadwood of simple against greedy, by turn: classic rules"
    caption = one_line(figure.get_supxlabel())
    assert "turns, if it did not knock. The player knocks only with gin here." in caption
    left, right = figure.axes[:2]
    (median,) = [line for line in left.lines if line.get_marker() == "o"]
    # Half of 200 are below 20 - turn: the hundredth is one below it.
    assert list(median.get_ydata()) == [18, 17, 16, 15]
    inner, outer = [], []
    for band, ends in zip(left.collections, (outer, inner), strict=True):
        ends += sorted({y for x, y in band.get_paths()[0].vertices.tolist() if x == 1})
    # A tenth of 200 is reached by the second of ten steps of 10 from 9 on, a quarter by the fifth.
    assert outer == [10, 19]
    assert inner == [13, 19]
    (share,) = [line for line in right.lines if line.get_marker() == "s"]
    # At turn t the steps are 10 - t ... 19 - t: 10 or less are t + 1 of them, 5 % each.
    assert list(share.get_ydata()) == pytest.approx([10, 15, 20, 25])
    # Wilson's interval for 20 of 200: Newcombe's calculator gives 6.56 to 14.94 %.
    ends = right.collections[0].get_segments()[0][:, 1]
    assert ends.tolist() == pytest.approx([6.56, 14.94], abs=0.02)


# -------------------------------------------------------------- equilibrium


def test_an_equilibrium_with_its_exploitability():
    figure = read_object(mixed()).chart()
    title = "Equilibrium of the knock for greedy against itself: points, classic rules"
    assert figure.get_suptitle() == title
    panels = heatmaps(figure)
    assert [axes.get_title("left") for axes in panels] == [
        f"cards that would give gin: {name}" for name in ("0", "1-2", "3+")
    ]
    # 10 to 40 knocks with deadwood 1 to 4: too few.
    assert dotted(panels[0]) == [(row, column) for row in range(3) for column in range(4)]
    shown = numbers(panels[0])
    assert (shown[0, 9], shown[0, 4], shown[1, 9], shown[2, 9]) == ("100", "50", "50", "33")
    norm = panels[0].collections[0].norm
    assert (norm.vmin, norm.vmax) == (0, 100)
    (steps,) = [axes for axes in figure.axes if axes.get_xlabel() == "rounds"]
    (line,) = [ln for ln in steps.lines if ln.get_marker() == "o"]
    assert list(line.get_xdata()) == [40, 80, 120]
    assert list(line.get_ydata()) == pytest.approx([0.4, 0.1, 0.4 / 9])
    (line,) = [ln for ln in steps.lines if ln.get_marker() == "^"]
    assert list(line.get_ydata()) == pytest.approx([0.8, 0.4, 0.8 / 3])
    assert [list(ln.get_ydata()) for ln in steps.lines if ln.get_linestyle() == ":"] == [
        [0.05, 0.05]
    ]
    ends = [segment[:, 1].tolist() for part in steps.collections for segment in part.get_segments()]
    assert ends == [
        *(pytest.approx([m - 0.04, m + 0.04]) for m in (0.8, 0.4, 0.8 / 3)),
        *(pytest.approx([m - 0.02, m + 0.02]) for m in (0.4, 0.1, 0.4 / 9)),
    ]
    assert "enough: both below 0.05" in legend_of(figure)
    caption = one_line(figure.get_supxlabel())
    assert "not of gin rummy" in caption
    assert (
        "The best response gains +0.044 [+0.024, +0.064] points per hand on deals that did"
        in caption
    )
    assert "and +0.27 [+0.23, +0.31] on those that did" in caption


# -------------------------------------------------------------- side by side


@pytest.mark.long
def test_solved_charts_side_by_side():
    labels = ("against simple", "against greedy")
    saved = [read_object(solved(turns=turns)) for turns in (2, 4)]
    figure = compare_charts(
        list(zip(labels, saved, strict=True)), COMMAND, "greedy by opponent", "1-2"
    )
    assert figure.get_suptitle() == "greedy by opponent"
    panels = heatmaps(figure)
    gain = "+1.00 points per hand [+0.75, +1.25]"
    assert [axes.get_title("left") for axes in panels] == [f"{label}\n{gain}" for label in labels]
    assert [len(numbers(axes)) for axes in panels] == [20, 40]
    assert {axes.get_ylim() for axes in panels} == {(3.5, -0.5)}  # the same rows
    assert len({axes.collections[0].norm.vmax for axes in panels}) == 1
    caption = one_line(figure.get_supxlabel())
    assert "Cards that would give gin: 1-2." in caption
    assert "1,000 deals traced, seed 7; 95% intervals" in caption


def test_other_units_have_colours_of_their_own():
    points = read_object(solved(NONE, gain=lambda t, d: 4.0))
    games = read_object(solved(NONE, gain=lambda t, d: 0.5, objective="win"))
    figure = compare_charts([("points", points), ("games", games)], COMMAND, "by objective")
    ends = [axes.collections[0].norm.vmax for axes in heatmaps(figure)]
    assert ends == pytest.approx([2, 30])  # half of 4, and of 50 % rounded up
    assert "Each panel has colours of its own." in one_line(figure.get_supxlabel())
    assert "deadwood" not in one_line(figure.get_supxlabel())  # one class needs no name


def test_what_cannot_be_compared_is_refused():
    three = read_object(solved())
    with pytest.raises(InputError) as refused:
        compare_charts([("greedy", three)], COMMAND, "t")
    assert str(refused.value) == (
        "'greedy' cannot be compared by one class, no class was named: name 0, 1-2 or 3+."
    )
    with pytest.raises(InputError, match=r"it has no class '4': name 0, 1-2 or 3\+\."):
        compare_charts([("greedy", three)], COMMAND, "t", "4")
    with pytest.raises(InputError, match="give one at least"):
        compare_charts([], COMMAND, "t")


@pytest.mark.long
def test_an_empty_panel_says_why():
    for result in (solved(), mixed()):
        for name, figure in read_object(without_figures(result)).charts().items():
            said = [text.get_text() for axes in figure.axes for text in axes.texts]
            if name == "opponent_deadwood":
                assert said == []
            else:
                n_panels = {"undercuts": 1, "equilibrium": 3}.get(name, 3)
                assert said.count("too few knocks to show") == n_panels
    nobody = chart({**solved(), "opponent_deadwood": []}, "opponent_deadwood")
    said = [text.get_text() for axes in nobody.axes for text in axes.texts]
    assert said == ["too few hands to show"] * 2


def test_a_lone_turn_has_its_interval():
    axes = chart(solved(NONE, 1, 1, lambda t, d: 3.0), "gain_by_turn").axes[0]
    ends = [s[:, 1].tolist() for part in axes.collections[1:] for s in part.get_segments()]
    assert ends == [[2, 4]]
    assert [tick for tick in axes.get_xticks() if 0.5 <= tick <= 1.5] == [1]


# ---------------------------------------------------------------- hard cases


def without_figures(value):
    """The same object with null for every estimate, and no knock."""
    if isinstance(value, list):
        return [without_figures(each) for each in value]
    if not isinstance(value, dict):
        return value
    found = {key: without_figures(each) for key, each in value.items()}
    for key in ("low", "high", "estimate", "chance"):
        if key in found and not isinstance(found[key], dict):
            found[key] = None
    return found | ({"decision": "few"} if "decision" in found else {}) | (
        {"knocks": 0} if "knocks" in found else {}
    )  # fmt: skip


FIVE = {"name": "takes", "meaning": "cards the opponent took", "classes": list("01234")}


def with_counts(counts):
    result = solved()
    result["opponent_deadwood"] = [{"turn": 1, "counts": counts}]
    return result


HARD = {
    "three classes": solved(),
    "all null": without_figures(solved()),
    "one turn": solved(turns=1),
    "one cell": solved(NONE, 1, 1),
    "no classes": solved(NONE, 20),
    "no classes all null": without_figures(solved(NONE, 20)),
    "20 turns x 5 classes": solved(FIVE, 20, gain=lambda t, d: d - 2.5 * t + 50),
    "three-figure gains": solved(gain=lambda t, d: -100.0 * d),
    "all knock": solved(gain=lambda t, d: 4.0),
    "all play on": solved(gain=lambda t, d: -4.0),
    "all zero": solved(gain=lambda t, d: 0.0),
    "long policies": solved(play=LONG, against=f"{LONG},y=2"),
    "long policies by five": solved(FIVE, play=LONG, against=f"{LONG},y=2"),
    "knock limit 5": solved(deadwoods=5),
    "two classes": solved({**FIVE, "classes": ["0", "1"]}),
    "chances to win": solved(gain=lambda t, d: 0.01 * d, objective="win"),
    "no undercuts": {**solved(), "undercuts": []},
    "no deadwood of the opponent": {**solved(), "opponent_deadwood": []},
    "empty counts": with_counts([]),
    "no gin-free turns": with_counts([0] * 100),
    "one turn of the opponent": with_counts([0] * 30 + [500]),
    "equilibrium": mixed(),
    "equilibrium all null": without_figures(mixed()),
    "equilibrium one turn": mixed(NONE, 1),
    "equilibrium 20 turns": mixed(NONE, 20),
    "equilibrium 20 x 5": mixed(FIVE, 20),
    "equilibrium never knocks": mixed(chance=lambda t, d: 0.0),
    "equilibrium of a long policy": mixed(play=LONG),
    "equilibrium without steps": {**mixed(), "steps": []},
    "equilibrium with one step": {**mixed(), "steps": mixed()["steps"][:1]},
}


#: The only chart in which a case differs from the first case.
_ONE_CHART = {
    "no undercuts": "undercuts",
    "no deadwood of the opponent": "opponent_deadwood",
    "empty counts": "opponent_deadwood",
    "no gin-free turns": "opponent_deadwood",
    "one turn of the opponent": "opponent_deadwood",
}
_LARGE = ("20 turns x 5 classes", "equilibrium 20 x 5")


@pytest.mark.long
@pytest.mark.parametrize(
    "case", [pytest.param(case, marks=[pytest.mark.slow] * (case in _LARGE)) for case in HARD]
)
def test_hard_cases_are_legible(case):
    result = HARD[case]
    is_rule = result["kind"] == "solution"
    found = read_object(result)
    if case in _ONE_CHART:
        figures = {_ONE_CHART[case]: found.chart(_ONE_CHART[case])}
    else:
        figures = found.charts()
        assert list(figures) == (SOLVE_CHARTS if is_rule else ["equilibrium"])
    for figure in figures.values():
        check_that_it_reads(figure)
        assert one_line(figure.get_supxlabel()).endswith(COMMAND)
    name = "cells" if is_rule else "chances"
    assert len(found.table()) == len(result[name])


@pytest.mark.long
@pytest.mark.parametrize("n", [1, 2, 3, 4, pytest.param(9, marks=pytest.mark.slow)])
def test_any_number_of_charts_side_by_side_is_legible(n):
    results = [solved(NONE, 14), without_figures(solved(NONE)), solved(NONE, objective="win")]
    saved = [read_object(results[i % 3]) for i in range(n)]
    charts = [(f"{LONG},n={i}", each) for i, each in enumerate(saved)]
    check_that_it_reads(compare_charts(charts, COMMAND, "greedy by opponent"))
    check_that_it_reads(compare_charts([("simple", saved[0])] * n, COMMAND, LONG))


# -------------------------------------------------------------------- tables


AT = ["play_points", "against_points", "box_difference", "dealer"]


def test_the_tables_of_a_solved_rule():
    proof = {
        "hands": 1000,
        "solved": interval(3.1),
        "own": interval(2.1),
        "difference": interval(1.0),
    }
    tables = read_object({**two_by_three(), "proof": proof}).tables()
    assert list(tables) == ["cells", "values", "thresholds", "undercuts", "opponent_deadwood"]
    cells = tables["cells"]
    assert list(cells) == [
        *AT, "turn", "by", "class_name", "deadwood", "objective", "estimate", "low", "high",
        "unit", "knocks", "decision", "rule",
    ]  # fmt: skip
    assert cells.iloc[4].tolist() == [
        None, None, None, None, 2, "none", "all", 2, "points", -0.5, -1.5, 0.5, "points per hand",
        200, "too close", "play on",
    ]  # fmt: skip
    assert set(read_object(solved()).table("cells").by) == {"outs"}
    values = tables["values"]
    assert list(values) == [
        *AT, "what", "deals", "objective", "estimate", "low", "high", "unit",
    ]  # fmt: skip
    assert values.deals.tolist() == ["traced"] * 4 + ["fresh"] * 3
    assert values.estimate.tolist() == [3, 2, 1, 0.5, 3.1, 2.1, 1]
    assert tables["thresholds"].deadwood.tolist() == list(range(11))
    assert tables["undercuts"].iloc[1].to_dict() == {
        "turn": 1, "deadwood": 2, "estimate": 0.02, "low": 0.018, "high": 0.024, "knocks": 50,
    }  # fmt: skip
    ended = tables["opponent_deadwood"]
    assert ended.groupby("turn").turns.sum().tolist() == [200, 200]
    assert ended[ended.turn == 2].deadwood.tolist() == list(range(8, 19))


def test_columns_do_not_change_with_the_objective():
    points, wins = (read_object(solved(**more)).tables() for more in ({}, {"objective": "win"}))
    for name, table in points.items():
        assert list(wins[name]) == list(table)
    row = wins["cells"].iloc[0]
    assert [row[name] for name in AT] == [45, 20, 1, "either"]
    assert row.unit == "chance to win the game"


def test_the_tables_of_an_equilibrium():
    tables = read_object(mixed()).tables()
    assert list(tables) == ["chances", "steps", "values", "opponent_deadwood"]
    assert tables["chances"].iloc[9].tolist() == [1, "outs", "0", 10, 1.0, 100]
    figures = ["estimate", "low", "high"]
    assert list(tables["steps"]) == [
        "rounds", "objective", *figures, *(f"at_most_{name}" for name in figures), "unit",
    ]  # fmt: skip
    assert tables["values"].what.tolist()[:2] == ["exploitability", "exploitability at most"]
    assert tables["steps"].rounds.tolist() == [40, 80, 120]
    own = read_object({**mixed(), "opponent_chances": mixed()["chances"]}).tables()
    assert list(own)[:2] == ["chances", "opponent_chances"]


def test_no_figure_is_an_empty_cell_of_the_table():
    cells = read_object(without_figures(two_by_three())).table("cells")
    first = cells.to_csv(index=False).splitlines()[1]
    assert first == ",,,,1,none,all,1,points,,,,points per hand,0,few,play on"


# ------------------------------------------------------------ broken objects


BROKEN = {
    "a stranger": (
        changed(solved(), "cells", 0, "class", "7"),
        "at result (the class '7' is not one of 0, 1-2 or 3+)",
    ),
    "a cell twice": (
        {**solved(), "cells": solved()["cells"] + solved()["cells"][:1]},
        "at result (a cell is there twice)",
    ),
    "no cell": ({**mixed(), "chances": []}, "at result (there is no cell)"),
    "turn 0": (
        changed(solved(), "cells", 3, "turn", 0),
        "at result.cells[3].turn (expected `int` >= 1)",
    ),
    "a deadwood in half pips": (
        changed(solved(), "cells", 3, "deadwood", 1.5),
        "at result.cells[3].deadwood (expected `int`, got `float`)",
    ),
    "a decision without a gain": (
        changed(solved(), "cells", 0, cell(1, "0", 1, None) | {"decision": "knock"}),
        "at result.cells[0] (a decision 'knock' has a gain with an interval)",
    ),
    "an unknown decision": (
        changed(solved(), "cells", 2, "decision", "fold"),
        "at result.cells[2].decision (invalid enum value 'fold')",
    ),
    "no rule": (
        changed(solved(), "cells", 2, "rule", None),
        "at result.cells[2].rule (expected `str`, got `null`)",
    ),
    "a chance above 1": (
        changed(mixed(), "chances", 4, "chance", 1.5),
        "at result.chances[4].chance (expected `float` <= 1.0)",
    ),
    "an undercut twice": (
        {**solved(), "undercuts": solved()["undercuts"][:1] * 2},
        "at result (a chance of undercut is there twice)",
    ),
    "counts below zero": (
        changed(solved(), "opponent_deadwood", 0, "counts", 1, -1),
        "at result.opponent_deadwood[0].counts[1] (expected `int` >= 0)",
    ),
    "the same class twice": (
        changed(solved(), "by", "classes", ["0", "0"]),
        "at result.by (there is a class at least, and each has a name of its own)",
    ),
    "an interval the wrong way": (
        changed(mixed(), "steps", 1, "exploitability", "low", 9.0),
        "at result.steps[1].exploitability (an interval has two ends in order, not 9.0 and "
        "0.12000000000000001)",
    ),
}  # fmt: skip


@pytest.mark.parametrize("case", BROKEN)
def test_a_broken_object_is_refused_by_its_place(case):
    result, said = BROKEN[case]
    with pytest.raises(InputError) as refused:
        read_object(result)
    kind = result["kind"]
    sentence = f"the result of the kind '{kind}' is not whole {said}: run its command again."
    assert str(refused.value) == sentence


@pytest.mark.long
@pytest.mark.parametrize("result", [solved(), mixed()], ids=lambda result: result["kind"])
def test_a_missing_field_is_named_unless_it_is_not_needed(result):
    spare = ("seconds", "confidence", "partial", "command")
    assert read_object({key: result[key] for key in result if key not in spare}).charts()
    for name in result:
        short = {key: value for key, value in result.items() if key != name}
        if name in spare:
            assert read_object(short).text()
        elif name == "kind":
            with pytest.raises(InputError, match="no result of the kind 'None'"):
                read_object(short)
        else:
            with pytest.raises(InputError, match=f"missing required field `{name}`"):
                read_object(short)
