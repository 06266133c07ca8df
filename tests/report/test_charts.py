"""Charts of matches, rankings and sweeps: what is drawn, and that it can be drawn again."""

from __future__ import annotations

import io
import math

import pytest
from chart_examples import (
    COMMAND,
    RESULTS,
    games,
    knock,
    match,
    one_parameter,
    ranking,
    result,
    sweep,
    swept,
    two_parameters,
    value_matrix,
)
from matplotlib.colors import to_rgba
from matplotlib.figure import Figure
from matplotlib.patches import Rectangle

from gin_sim.report.charts import draw_charts
from gin_sim.report.charts.frame import runs_text


def drawn(described):
    (figure,) = draw_charts(result(described)).values()
    return figure


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
    figure = drawn(RESULTS[kind]())
    caption = one_line(figure.get_supxlabel())
    assert caption.endswith(COMMAND)
    assert "seed 7" in caption
    assert "95% intervals" in caption
    assert "classic rules" in one_line(figure.get_suptitle())
    if kind not in ("match", "games"):
        assert "2,000 hands in 1,000 mirrored pairs, seed 7" in caption
        assert "simultaneous over all cells. " in caption
        assert "stopped" not in caption
        cut = {**RESULTS[kind](), "partial": True}
        assert "pairs (stopped early), seed 7" in drawn(cut).get_supxlabel()


def test_two_policies_hands_and_games():
    hands = drawn(match())
    widths = [bar.get_width() for bar in hands.axes[0].patches]
    # Knocks are what is left of the wins: 60 - 5 - 10 and 37.5 - 5 - 10; big gin is not played.
    assert widths == pytest.approx([45, 5, 10, 22.5, 5, 10])
    lengths = drawn(games())
    assert [bar.get_height() for bar in lengths.axes[0].patches] == pytest.approx([10, 40, 50])
    assert "or more" not in lengths.axes[0].get_title()
    assert "(stopped early)" in lengths.get_supxlabel()
    longest = {**games(), "longest_or_more": True}
    title = one_line(drawn(longest).axes[0].get_title())
    assert title.endswith("; the last bar is for 3 hands or more")


def test_a_line_with_its_band_and_its_best():
    figure = drawn(one_parameter())
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
    far = drawn(one_parameter(leads=(40.0, 41.0, 43.0, 42.0))).axes[0]
    assert not [line for line in far.lines if list(line.get_ydata()) == [0, 0]]
    assert far.get_ylim()[0] > 38


def test_opponents_have_panels_that_differ_in_more_than_colour():
    parameters = [knock(range(3))]
    specs = ["simple", "greedy", "marjj", None]
    tables = [swept([i, i + 2.0, i + 1.0], spec, parameters) for i, spec in enumerate(specs)]
    figure = drawn(sweep(parameters, tables))
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
    axes = drawn(one_parameter(objective="win", leads=(-0.1, 0.0, 0.2, 0.1))).axes[0]
    assert axes.get_ylabel() == "games won less games lost, % of games"
    (line,) = [ln for ln in axes.lines if len(ln.get_xdata()) == 4]
    assert list(line.get_ydata()) == pytest.approx([-10, 0, 20, 10])
    boxes = drawn(one_parameter(objective="points+boxes"))
    assert boxes.axes[0].get_ylabel() == "lead with boxes, points per hand"
    assert "points with boxes" in boxes.get_suptitle()


def test_values_that_are_not_numbers_are_drawn_without_a_line():
    values = ("10/10/0", "6-10", 5, "2-2+4-7")
    axes = drawn(one_parameter(values=values)).axes[0]
    assert [label.get_text() for label in axes.get_xticklabels()] == [str(v) for v in values]
    assert all(len(line.get_xdata()) == 1 for line in axes.lines if line.get_marker() == "o")
    # An interval for each, no band and no line from one to the next.
    segments = [tuple(map(tuple, s)) for part in axes.collections for s in part.get_segments()]
    assert segments == [
        ((i, lead - 0.25), (i, lead + 0.25)) for i, lead in enumerate((-1.0, 0.5, 2.0, 1.9))
    ]


def test_values_are_joined_in_their_order_on_the_scale():
    axes = drawn(one_parameter(values=(10, 0, 5, 2.5))).axes[0]
    (line,) = [ln for ln in axes.lines if len(ln.get_xdata()) == 4]
    assert list(line.get_xdata()) == [0, 2.5, 5, 10]
    assert list(line.get_ydata()) == [0.5, 1.9, 2.0, -1.0]


def test_two_parameters_are_a_heatmap():
    figure = drawn(two_parameters())
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
    figure = drawn(two_parameters(5, 98))
    assert not figure.axes[0].texts
    assert "±0.25 in each cell" in one_line(figure.get_supxlabel())


@pytest.mark.long
@pytest.mark.parametrize("n", [2, 11, 20])
def test_numbers_stay_within_their_cells(n):
    figure = drawn(value_matrix(range(n)))
    axes = axes_called(figure, "Lead of the row over the column")
    figure.draw_without_rendering()
    size = axes.bbox.width / n, axes.bbox.height / n
    assert len(axes.texts) >= n * n
    for text in axes.texts:
        assert text.get_fontsize() >= 6
        box = text.get_window_extent()
        assert box.width <= size[0]
        assert box.height <= size[1]


def test_a_value_matrix_with_its_equilibrium():
    figure = drawn(value_matrix())
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
    assert one_line(against.get_xlabel()) == "lead, points per hand"
    dots = [line for line in against.lines if line.get_marker() == "o"]
    assert [(d.get_xdata()[0], d.get_ydata()[0]) for d in dots] == [(0, 0), (0, 1), (0, 2)]
    ends = [list(line.get_xdata()) for line in against.lines if line.get_marker() == "|"]
    assert ends == [[-0.25, 0.25]] * 3


def test_replies_that_are_as_good_are_dashed():
    described = value_matrix()
    described["best_replies"][0]["among_best"] = [5, 10]
    matrix = axes_called(drawn(described), "Lead of the row over the column")
    assert outlined_cells(matrix, dashed=True) == [(2, 0)]
    assert outlined_cells(matrix) == [(0, 2), (1, 0), (2, 1)]


def test_a_ranking_with_brackets_and_differences():
    figure = drawn(ranking())
    places = axes_called(figure, "Ranking")
    assert places.get_xlabel() == "lead, points per hand"
    assert [t.get_text() for t in places.get_yticklabels()] == [
        "1  strong",
        "2  marjj",
        "3  greedy",
    ]
    dots = [line.get_xdata()[0] for line in places.lines if line.get_marker() == "o"]
    # 4 - 0.05, 0.1 - 2 and 0 - 2.05.
    assert dots == pytest.approx([3.95, -1.9, -2.05])
    ends = [list(line.get_xdata()) for line in places.lines if line.get_marker() == "|"]
    assert [end for pair in ends for end in pair] == pytest.approx(
        [3.7, 4.2, -2.15, -1.65, -2.3, -1.8]
    )
    brackets = [line.get_ydata() for line in places.lines if line.get_gid() == "bracket"]
    assert [(round(min(b)), round(max(b))) for b in brackets] == [(1, 2)]
    matrix = axes_called(figure, "Lead of the row over the column")
    assert hatched_cells(matrix) == [(1, 2), (2, 1)]
    shown = [text.get_text() for text in matrix.texts if "±" not in text.get_text()]
    assert shown == ["+3.9", "+4.0", "-3.9", "+0.1", "-4.0", "-0.1"]


def test_neighbouring_values_are_written_as_a_range():
    tried = [0, 2, 4, 6, 8, "gin"]
    assert runs_text([0, 4, 6, 8], tried) == "0, 4 to 8"
    assert runs_text([8, 6], tried) == "6, 8"
    assert runs_text(["gin", 0, 2.0], tried) == "0, 2, gin"


# ------------------------------------------------- the caller's axes, and files


@pytest.mark.parametrize(
    ("kind", "x_label"),
    [
        ("match", "points per hand, first policy minus second"),
        ("games", "games won, % of games played"),
        ("ranking", "lead, points per hand"),
        ("sweep", "knock, pips"),
        ("value-matrix", "against knock, pips"),
    ],
)
def test_the_main_panel_is_drawn_into_the_callers_axes(kind, x_label):
    mine = Figure().add_subplot()
    assert result(RESULTS[kind]()).chart(ax=mine) is mine
    assert mine.get_xlabel() == x_label


def test_several_opponents_and_two_parameters_are_drawn_into_the_callers_axes():
    parameters = [knock(range(3))]
    tables = [swept([i, i + 2.0, i + 1.0], f"p{i}", parameters) for i in range(3)]
    mine = Figure().add_subplot()
    result(sweep(parameters, tables)).chart(ax=mine)
    assert [text.get_text() for text in mine.get_legend().texts] == [
        "against p0", "against p1", "against p2",
    ]  # fmt: skip
    lines = [line for line in mine.lines if len(line.get_xdata()) == 3]
    assert [line.get_ydata()[1] for line in lines] == [2, 3, 4]
    mine = Figure().add_subplot()
    result(two_parameters()).chart(ax=mine)
    assert (mine.get_xlabel(), mine.get_ylabel()) == ("late, pips", "early, pips")
    assert outlined_cells(mine) == [(2, 1)]


def test_a_result_of_python_has_a_caption_without_a_command():
    caption = drawn({**match(), "command": ""}).get_supxlabel()
    assert caption.endswith("bars are 95% intervals over pairs.")


@pytest.mark.long
def test_a_chart_is_the_same_file_twice():
    def svg():
        file = io.BytesIO()
        drawn(value_matrix()).savefig(file, format="svg", metadata={"Date": None})
        return file.getvalue()

    assert svg() == svg()
    assert b"share of the mixture, %" in svg()  # text, not outlines
