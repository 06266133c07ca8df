"""What a command leaves behind: a folder that is whole or not there."""

from __future__ import annotations

import csv
import io
import json
import sys
from importlib.metadata import version
from pathlib import Path

import pandas as pd
import pytest
from matplotlib.figure import Figure

import gin_sim
from gin_sim import __version__
from gin_sim.errors import InputError
from gin_sim.results import folder
from gin_sim.results.folder import check_folder, describe_run, has_parquet, write_results

COMMAND = "gin-sim simulate greedy simple --hands 400 --out results/greedy-simple"


@pytest.fixture(scope="module")
def result():
    found = gin_sim.simulate("greedy", "greedy:knock=5", hands=400)
    found.command = COMMAND
    return found


def write(folder, result, **manifest):
    return write_results(
        folder,
        result.tables(),
        {"chart": result.chart()},
        {**describe_run(COMMAND), **manifest},
    )


def holds(folder) -> dict[str, bytes]:
    return {path.name: path.read_bytes() for path in folder.iterdir()}


# ------------------------------------------------------------------ a folder


@pytest.mark.long
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
        figure = result.sides[int(row["side"])].measures[row["measure"]]
        assert float(row["estimate"]) == figure.estimate
        assert (float(row["low"]), float(row["high"])) == (figure.low, figure.high)
    points, boxes, *_ = csv.DictReader(
        io.StringIO((tmp_path / "result/difference.csv").read_text())
    )
    assert float(points["estimate"]) == result.difference["points"].estimate
    assert (points["policy"], points["against"], points["units"]) == (
        "greedy",
        "greedy:knock=5",
        "200",
    )
    assert boxes["objective"] == "points+boxes"
    assert float(boxes["variance_reduction"]) == (
        result.difference["points+boxes"].variance_reduction
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
    write_results(folder, {"old": result.table()}, figures, describe_run("gin-sim old"))
    (folder / "notes.txt").write_text("the user's own")
    names = write_results(folder, {}, {"kept chart": Figure()}, describe_run("gin-sim new"))
    assert names == ["kept chart.png", "kept chart.svg", "manifest.json"]
    assert sorted(holds(folder)) == sorted([*names, "notes.txt"])
    assert json.loads((folder / "manifest.json").read_text())["command"] == "gin-sim new"


@pytest.mark.long
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
        write_results(folder, {"sides": result.table()}, {"chart": Broken()}, {})
    assert (holds(folder) if exists else None) == before
    assert folder.exists() is exists


@pytest.mark.long
@pytest.mark.parametrize("there", [None, "empty", "earlier"])
def test_a_new_empty_or_earlier_result_folder_is_accepted(tmp_path, result, there):
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
def test_a_folder_with_other_files_is_refused_and_left_unchanged(tmp_path, result, name, content):
    (tmp_path / name).write_text(content)
    with pytest.raises(InputError, match=r"holds other files and no manifest.json of an earlier"):
        write(tmp_path, result)
    assert holds(tmp_path) == {name: content.encode()}


def test_a_folder_name_that_is_too_long_is_refused(tmp_path):
    with pytest.raises(InputError, match="cannot be written"):
        check_folder(tmp_path / ("x" * 300))


def test_a_folder_that_may_not_be_looked_into(tmp_path, monkeypatch):
    def refused(path, *args, **kwargs):
        raise PermissionError(13, "Permission denied", str(path))

    monkeypatch.setattr(Path, "exists", refused)
    with pytest.raises(InputError, match=r"shut/x' cannot be written \(Permission denied\)"):
        check_folder(tmp_path / "shut" / "x")
