"""What a command leaves behind: a folder that is whole or not there, and a chart that reads."""

from __future__ import annotations

import csv
import dataclasses
import io
import json
import subprocess
import sys
from importlib.metadata import version
from itertools import combinations
from pathlib import Path

import msgspec
import pandas as pd
import pytest
from matplotlib.figure import Figure

from gin_sim import __version__
from gin_sim.contests.games import games_of
from gin_sim.contests.match import match_of
from gin_sim.errors import InputError
from gin_sim.play.plans import GamePlan, Plan
from gin_sim.play.run import simulate
from gin_sim.play.tallies import new_tally
from gin_sim.policies.catalogue import parse_policy
from gin_sim.report.progress import progress_bar, progress_words
from gin_sim.results import folder
from gin_sim.results.folder import check_folder, describe_run, has_parquet, write_results
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


def chart_of(found, command):
    """The main chart of a result that a command has made."""
    return msgspec.structs.replace(found, command=command).chart()


@pytest.fixture(scope="module")
def result():
    return played()


def write(folder, result, **manifest):
    return write_results(
        folder,
        result.tables(),
        {"chart": chart_of(result, COMMAND)},
        {**describe_run(COMMAND), **manifest},
    )


def holds(folder) -> dict[str, bytes]:
    return {path.name: path.read_bytes() for path in folder.iterdir()}


# ------------------------------------------------------------------ a folder


def test_a_result_is_tables_charts_and_a_manifest(tmp_path, result):
    folder = tmp_path / "new" / "result"
    names = write(folder, result, more=[1, 2])
    parquet = ["difference.parquet", "sides.parquet"] if has_parquet() else []
    tables = sorted(["difference.csv", "sides.csv", *parquet])
    assert names == [*sorted(["chart.png", "chart.svg", *tables]), "manifest.json"]
    files = holds(folder)
    assert sorted(files) == sorted(names)
    assert files["chart.png"].startswith(b"\x89PNG")
    assert b"<svg" in files["chart.svg"]
    manifest = json.loads(files["manifest.json"])
    assert manifest == {
        "format": "gin-sim/result/2",
        "command": COMMAND,
        "versions": {
            "gin-sim": __version__,
            "python": sys.version.split()[0],
            **{name: version(name) for name in ("numba", "numpy", "pandas", "matplotlib")},
        },
        "more": [1, 2],
        "files": names,
    }


def test_tables_carry_units_and_full_precision(tmp_path, result):
    write(tmp_path / "result", result)
    rows = list(csv.DictReader(io.StringIO((tmp_path / "result/sides.csv").read_text())))
    assert {row["unit"] for row in rows} == {"share of hands", "points per hand", "pips"}
    for row in rows:
        figure = getattr(result.sides[int(row["side"])], row["measure"])
        assert float(row["estimate"]) == figure.estimate
        assert (float(row["low"]), float(row["high"])) == (figure.low, figure.high)
    points, boxes, *_ = csv.DictReader(
        io.StringIO((tmp_path / "result/difference.csv").read_text())
    )
    assert float(points["estimate"]) == result.difference["points"].estimate
    assert points["unit"] == "points per hand"
    assert boxes["objective"] == "points+boxes"
    assert (
        float(boxes["variance_reduction"]) == result.difference["points+boxes"].variance_reduction
    )


def test_parquet_holds_what_the_csv_holds(tmp_path, result):
    pytest.importorskip("pyarrow")
    write(tmp_path / "result", result)
    for name, table in result.tables().items():
        pd.testing.assert_frame_equal(pd.read_parquet(tmp_path / f"result/{name}.parquet"), table)


def test_no_parquet_without_pyarrow(tmp_path, result, monkeypatch):
    monkeypatch.setattr(folder, "has_parquet", lambda: False)
    assert not [name for name in write(tmp_path / "result", result) if name.endswith(".parquet")]


def test_writing_twice_replaces_and_takes_away_what_is_no_longer_there(tmp_path, result):
    folder = tmp_path / "result"
    figures = {"old chart": Figure(), "kept chart": Figure()}
    write_results(folder, {"old": result.table("sides")}, figures, describe_run("gin-sim old"))
    (folder / "notes.txt").write_text("the user's own")
    names = write_results(folder, {}, {"kept chart": Figure()}, describe_run("gin-sim new"))
    assert names == ["kept chart.png", "kept chart.svg", "manifest.json"]
    assert sorted(holds(folder)) == sorted([*names, "notes.txt"])
    assert json.loads((folder / "manifest.json").read_text())["command"] == "gin-sim new"


def test_the_same_result_is_the_same_files(tmp_path, result):
    write(tmp_path / "one", result)
    write(tmp_path / "two", result)
    one, two = holds(tmp_path / "one"), holds(tmp_path / "two")
    assert one == two


@pytest.mark.parametrize("exists", [False, True])
def test_a_fault_on_the_way_leaves_nothing_behind(tmp_path, result, exists):
    class Broken(Figure):
        def savefig(self, *args, **kwargs):
            raise OSError(28, "No space left on device")

    folder = tmp_path / "result"
    if exists:
        write(folder, result)
    before = holds(folder) if exists else None
    with pytest.raises(InputError, match=r"cannot be written \(No space left on device\)"):
        write_results(folder, {"sides": result.table("sides")}, {"chart": Broken()}, {})
    assert (holds(folder) if exists else None) == before
    assert folder.exists() is exists


@pytest.mark.parametrize("there", [None, "empty", "earlier"])
def test_a_folder_that_will_do(tmp_path, result, there):
    folder = tmp_path / "result"
    if there == "empty":
        folder.mkdir()
    elif there == "earlier":
        write(folder, result)
    before = sorted(tmp_path.rglob("*"))
    check_folder(folder)
    assert sorted(tmp_path.rglob("*")) == before


def test_a_file_is_no_folder(tmp_path):
    (tmp_path / "x").write_text("mine")
    with pytest.raises(InputError, match="x' is a file: name a folder for the results"):
        check_folder(tmp_path / "x")
    with pytest.raises(InputError, match=r"x/y' cannot be written \(.+\): name another"):
        check_folder(tmp_path / "x" / "y")


@pytest.mark.parametrize(
    ("name", "content"),
    [
        ("thesis.txt", "mine"),
        ("manifest.json", "not JSON"),
        ("manifest.json", "[1]"),
        ("manifest.json", '{"name": "a web page\'s", "files": ["manifest.json"]}'),
    ],
)
def test_foreign_files_are_left_alone(tmp_path, result, name, content):
    (tmp_path / name).write_text(content)
    with pytest.raises(InputError, match=r"holds other files and no manifest.json of an earlier"):
        write(tmp_path, result)
    assert holds(tmp_path) == {name: content.encode()}


def test_a_name_that_is_too_long(tmp_path):
    with pytest.raises(InputError, match="cannot be written"):
        check_folder(tmp_path / ("x" * 300))


def test_a_folder_that_may_not_be_looked_into(tmp_path, monkeypatch):
    def refused(path, *args, **kwargs):
        raise PermissionError(13, "Permission denied", str(path))

    monkeypatch.setattr(Path, "exists", refused)
    with pytest.raises(InputError, match=r"shut/x' cannot be written \(Permission denied\)"):
        check_folder(tmp_path / "shut" / "x")


# ----------------------------------------------------------------- the chart


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
def test_the_chart_reads(case):
    found = played(**CASES[case])
    chart = chart_of(found, COMMAND)
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


@pytest.mark.parametrize("case", GAME_CASES)
def test_the_chart_of_games_reads(case):
    found = games_played(**GAME_CASES[case])
    chart = chart_of(found, COMMAND)
    lengths, wins, stakes = chart.axes
    assert (lengths.get_xlabel(), lengths.get_ylabel()) == ("hands a game", "% of games")
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


@pytest.mark.parametrize("case", CASES)
def test_nothing_in_the_chart_overlaps_or_is_cut(case):
    check_nothing_overlaps(chart_of(played(**CASES[case]), COMMAND))


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
    chart = chart_of(found, COMMAND)
    chart.canvas.draw()
    axes = chart.axes[0]
    for side, label in zip(found.sides, axes.texts, strict=True):
        won = side.win_rate
        assert label.get_text() == f"{won.estimate:.1%}"
        (end, _) = axes.transData.transform((won.high * 100, 0))
        assert label.get_window_extent().x0 > end


def test_a_partial_result_says_so():
    found = played()
    cut = msgspec.structs.replace(found, partial=True)
    assert "(stopped early)" in chart_of(cut, COMMAND).get_supxlabel()
    assert "stopped" not in chart_of(found, COMMAND).get_supxlabel()


def test_the_svg_is_the_same_twice(result):
    def drawn() -> bytes:
        file = io.BytesIO()
        chart_of(result, COMMAND).savefig(file, format="svg", metadata={"Date": None})
        return file.getvalue()

    assert drawn() == drawn()
    assert b"points per hand, first policy minus second" in drawn()  # text, not outlines


def test_charts_do_without_pyplot():
    program = (
        "import sys; import gin_sim.report.charts, gin_sim.results.folder; "
        "sys.exit('matplotlib.pyplot' in sys.modules)"
    )
    assert subprocess.run([sys.executable, "-c", program], check=False).returncode == 0


# ------------------------------------------------------------------- the bar


def sums_so_far(plan, n_pairs) -> object:
    shorter = dataclasses.replace(plan, hands=2 * n_pairs)
    return simulate(shorter).tally if n_pairs else new_tally()


def test_the_line_of_progress():
    plan = Plan(
        (parse_policy("greedy"), parse_policy("greedy:knock=5")), parse_rules("standard"), 10**6
    )
    tally = sums_so_far(plan, 1000)
    difference = match_of(simulate(dataclasses.replace(plan, hands=2000))).difference["points"]
    shown = f"{difference.estimate:+.2f} ±{difference.half_width:.2f}"
    # 2,000 hands in a hundredth of a second: the other 998,000 take 4.99 s.
    assert progress_words(plan, tally, 0.01, 120) == (
        f"2,000 of 1,000,000 hands · 0.20 M/s · 0:05 left · difference {shown}"
    )
    assert progress_words(plan, tally, 60, 120).split(" · ")[2] == "8:19:00 left"
    assert progress_words(plan, tally, 1, 120).split(" · ")[2] == "8:19 left"
    for width in range(24, 130):
        words = progress_words(plan, tally, 0.01, width)
        assert len(words) <= width
        assert words.startswith("2,000 of 1,000,000 hands")


def test_the_line_of_progress_of_games():
    plan = GamePlan(
        (parse_policy("greedy"), parse_policy("greedy:knock=5")), parse_rules("eaai"), 10**5
    )
    tally = simulate(dataclasses.replace(plan, games=1000)).tally
    found = games_of(simulate(dataclasses.replace(plan, games=1000)))
    won = found.difference["win"].scaled(100)
    words = progress_words(plan, tally, 0.01, 120)
    assert words == (
        f"1,000 of 100,000 games · {found.hands / 1e4:.2f} M hands/s · 0:01 left · "
        f"wins {won.estimate:+.1f} ±{won.half_width:.1f} %"
    )
    for width in range(24, 130):
        assert len(progress_words(plan, tally, 0.01, width)) <= width


def test_one_pair_has_no_running_difference():
    plan = Plan((parse_policy("greedy"), parse_policy("simple")), parse_rules("standard"), 100)
    assert "difference" not in progress_words(plan, sums_so_far(plan, 1), 0.01, 120)


@pytest.mark.parametrize("quiet", [True, False])
def test_no_bar_off_a_terminal(quiet, capsys):
    plan = Plan((parse_policy("greedy"), parse_policy("simple")), parse_rules("standard"), 100)
    with progress_bar(plan, quiet) as on_progress:
        assert on_progress is None
    assert capsys.readouterr() == ("", "")
