"""The charts of two policies' hands and games, as they are played, read."""

from __future__ import annotations

import dataclasses
import io
import subprocess
import sys
from itertools import combinations

import pytest
from msgspec.structs import replace

from gin_sim.contests.games import games_of
from gin_sim.contests.match import match_of
from gin_sim.play.plans import GamePlan, Plan
from gin_sim.play.run import simulate
from gin_sim.policies.catalogue import parse_policy
from gin_sim.rules import parse_rules

COMMAND = "gin-sim simulate greedy simple --hands 400 --out results/greedy-simple"
LONG = "heuristic:first=10,middle=7,late=3,live_outs=0.75,danger=0.33,refused=0.2,taken=1.5"


def played(
    first="greedy", second="greedy:knock=5", hands=400, rules="standard", specs=None, **more
):
    policies = [parse_policy(first), parse_policy(second)]
    for i, spec in enumerate(specs or ()):
        policies[i] = dataclasses.replace(policies[i], spec=spec)
    return match_of(simulate(Plan(tuple(policies), parse_rules(rules), hands, **more)))


def chart_of(found):
    return replace(found, command=COMMAND).chart()


CASES = {
    "a million hands' shape": {"hands": 20_000},
    "no boxes, no big gin": {"rules": "eaai", "second": "simple", "mirrored": False},
    "identical policies": {"second": "greedy"},
    "ten hands": {"hands": 10},
    "one pair": {"hands": 2},
    "one hand": {"hands": 1, "mirrored": False},
    "nothing but washes": {"first": "random", "second": "random", "hands": 6},
    "a side that wins nothing": {"first": "random", "hands": 20},
    "no bonuses": {"rules": "standard:gin_bonus=0,undercut_bonus=0", "hands": 10_000},
    "long specs": {
        "specs": (LONG, "a/folder/of/policies/cautious.py:CautiousButQuickWhenAhead"),
        "rules": "standard:gin_bonus=20,undercut_bonus=10,box_bonus=100,knock_limit=7,target=150",
    },
    "dollars": {"specs": ("$HOME/a.py:A", "$HOME/b.py:B")},
}


@pytest.mark.parametrize("case", CASES)
def test_the_chart_is_legible(case):
    found = played(**CASES[case])
    chart = chart_of(found)
    endings, difference = chart.axes
    assert endings.get_xlabel() == "hands won, % of hands played"
    assert difference.get_xlabel() == "points per hand, first policy minus second"
    caption = chart.get_supxlabel()
    assert COMMAND in caption.replace("\n", " ")
    assert f"{found.hands:,} hand" in caption
    assert "seed 1" in caption
    title = chart.get_suptitle().replace("\n", " ").replace(", ", ",")
    assert all(side.policy in title for side in found.sides)
    assert "nan" not in " ".join(text.get_text() for text in texts_of(chart))
    shows_boxes = "boxes" in " ".join(label.get_text() for label in difference.get_yticklabels())
    assert shows_boxes is bool(found.rules.box_bonus)
    legend = [text.get_text() for text in endings.get_legend().get_texts()]
    assert ("big gin" in legend) is (found.rules.big_gin_bonus is not None)


GAME_CASES = {
    "games": {"games": 4000},
    "a hand a game": {"rules": "openspiel"},
    "games without end": {"first": "random", "rules": "straight:stall_turns=1", "games": 2},
    "long games": {"rules": "eaai:target=500", "games": 100},
    "identical policies": {"second": "greedy"},
    "one pair": {"games": 2},
    "one game": {"games": 1, "mirrored": False},
    "a side that wins nothing": {"first": "random", "games": 20},
    "long specs": CASES["long specs"],
}


def games_played(
    first="greedy", second="greedy:knock=5", games=400, rules="standard", specs=None, **more
):
    policies = [parse_policy(first), parse_policy(second)]
    for i, spec in enumerate(specs or ()):
        policies[i] = dataclasses.replace(policies[i], spec=spec)
    return games_of(simulate(GamePlan(tuple(policies), parse_rules(rules), games, **more)))


@pytest.mark.long
@pytest.mark.parametrize("case", GAME_CASES)
def test_the_chart_of_games_is_legible(case):
    found = games_played(**GAME_CASES[case])
    chart = chart_of(found)
    lengths, wins, stakes = chart.axes
    assert (lengths.get_xlabel(), lengths.get_ylabel()) == ("hands per game", "% of games")
    assert wins.get_xlabel() == "games won, % of games played"
    assert stakes.get_xlabel() == "points settled per game, first policy minus second"
    caption = chart.get_supxlabel()
    assert COMMAND in caption.replace("\n", " ")
    assert f"{found.games:,} game" in caption
    title = chart.get_suptitle().replace("\n", " ").replace(", ", ",")
    assert all(side.policy in title for side in found.sides)
    assert "nan" not in " ".join(text.get_text() for text in texts_of(chart))
    heights = [bar.get_height() for bar in lengths.patches]
    assert sum(heights) == pytest.approx(100)
    assert ("or more" in lengths.get_title()) is (case == "games without end")
    check_nothing_overlaps(chart)


@pytest.mark.long
@pytest.mark.parametrize("case", CASES)
def test_nothing_in_the_chart_overlaps_or_is_cut(case):
    check_nothing_overlaps(chart_of(played(**CASES[case])))


def check_nothing_overlaps(chart) -> None:
    chart.canvas.draw()
    whole = chart.bbox
    boxes = {}
    for text in texts_of(chart):
        box = text.get_window_extent()
        assert whole.x0 <= box.x0 <= box.x1 <= whole.x1, text.get_text()
        assert whole.y0 <= box.y0 <= box.y1 <= whole.y1, text.get_text()
        boxes[text.get_text(), box.x0, box.y0] = box
    for (one, box), (other, other_box) in combinations(boxes.items(), 2):
        shared = box.intersection(box, other_box)
        touching = shared is not None and shared.width > 1 and shared.height > 1
        assert not touching, (one, other)


def texts_of(chart) -> list:
    """Every text that is shown in a chart."""
    found = [chart._suptitle, chart._supxlabel]
    for axes in chart.axes:
        found += [axes.title, axes.xaxis.label, *axes.texts]
        low, high = sorted(axes.get_xlim())
        ticks = zip(axes.get_xticks(), axes.get_xticklabels(), strict=True)
        found += [label for place, label in ticks if low <= place <= high]
        low, high = sorted(axes.get_ylim())
        ticks = zip(axes.get_yticks(), axes.get_yticklabels(), strict=True)
        found += [label for place, label in ticks if low <= place <= high]
        found += [axes.yaxis.label]
        offset = axes.xaxis.get_offset_text()
        found += [offset] if offset.get_text() else []
        found += axes.get_legend().get_texts() if axes.get_legend() else []
    return [text for text in found if text.get_text()]


def test_percentages_stand_beyond_their_intervals():
    found = played(hands=10)
    chart = chart_of(found)
    chart.canvas.draw()
    axes = chart.axes[0]
    for side, label in zip(found.sides, axes.texts, strict=True):
        won = side.win_rate
        assert label.get_text() == f"{won.estimate:.1%}"
        (end, _) = axes.transData.transform((won.high * 100, 0))
        assert label.get_window_extent().x0 > end


def test_a_partial_result_says_so():
    found = played()
    cut = replace(found, partial=True)
    assert "(stopped early)" in chart_of(cut).get_supxlabel()
    assert "stopped" not in chart_of(found).get_supxlabel()


@pytest.mark.long
def test_the_svg_is_the_same_twice():
    result = played()

    def drawn() -> bytes:
        file = io.BytesIO()
        chart_of(result).savefig(file, format="svg", metadata={"Date": None})
        return file.getvalue()

    assert drawn() == drawn()
    assert b"points per hand, first policy minus second" in drawn()  # text, not outlines


@pytest.mark.long
def test_charts_do_without_pyplot():
    program = (
        "import sys; import gin_sim.report.charts, gin_sim.results.folder; "
        "sys.exit('matplotlib.pyplot' in sys.modules)"
    )
    assert subprocess.run([sys.executable, "-c", program], check=False).returncode == 0
