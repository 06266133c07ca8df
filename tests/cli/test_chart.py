"""`gin-sim chart`: a saved result's charts, drawn again without playing a hand.

The result is of a kind of its own, so that what is asked here does not depend on any real kind.
"""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest
from matplotlib.figure import Figure

from gin_sim.errors import InputError
from gin_sim.report import charts
from gin_sim.report.charts import Drawn
from gin_sim.results import kinds
from gin_sim.results.common import Result
from gin_sim.results.folder import write_charts
from gin_sim.rules import Rules

ROOT = Path(__file__).parents[2]
COMMAND = "gin-sim draw --out results/lines"


class Lines(Result, kw_only=True, tag="lines"):
    heights: list[float]


def line_chart(result: Lines) -> Figure:
    figure = Figure()
    axes = figure.add_subplot()
    axes.plot(result.heights)
    axes.set_title(result.command)
    return figure


@pytest.fixture(autouse=True)
def _a_kind(monkeypatch):
    monkeypatch.setitem(kinds.KINDS, "lines", Lines)
    drawn = Drawn({"main": line_chart, "other": line_chart})
    monkeypatch.setitem(charts.DRAWN, "lines", drawn)


def saved(folder, heights=(1, 3, 2)):
    lines = Lines(rules=Rules(), seed=1, command=COMMAND, heights=list(heights))
    lines.save(folder)
    return folder


def holds(folder):
    return {path.name: path.read_bytes() for path in folder.iterdir()}


def refused(run, *arguments):
    code, out, err = run("chart", *map(str, arguments))
    assert (code, out) == (2, "")
    assert "\n" not in err
    return err


FILES = ["main.png", "main.svg", "other.png", "other.svg"]


@pytest.mark.long
def test_drawn_again_from_disk_it_is_the_same(run, tmp_path):
    folder = saved(tmp_path / "result")
    before = holds(folder)
    for name in FILES:
        (folder / name).unlink()
    code, out, err = run("chart", str(folder))
    assert (code, err) == (0, "")
    assert out.splitlines() == [f"{folder}/{name}" for name in FILES]
    assert holds(folder) == before


@pytest.mark.long
def test_charts_can_go_to_another_folder(run, tmp_path):
    folder, other = saved(tmp_path / "result"), tmp_path / "elsewhere"
    before = holds(folder)
    code, out, err = run("chart", str(folder), "--out", str(other))
    assert (code, err) == (0, "")
    assert out.splitlines() == [f"{other}/{name}" for name in FILES]
    assert holds(other) == {name: before[name] for name in FILES}
    assert holds(folder) == before


@pytest.mark.long
def test_chart_writes_one_format_into_another_folder(run, tmp_path):
    folder = saved(tmp_path / "result")
    slides = tmp_path / "slides"
    slides.mkdir()
    (slides / "notes.txt").write_text("mine")
    for _ in range(2):  # charts of the same name are replaced
        code, out, err = run("chart", str(folder), "--out", str(slides), "--format", "svg")
        assert (code, out, err) == (0, f"{slides}/main.svg\n{slides}/other.svg\n", "")
        assert sorted(holds(slides)) == ["main.svg", "notes.txt", "other.svg"]


@pytest.mark.long
def test_the_list_of_files_stays_true(run, tmp_path):
    folder = saved(tmp_path / "result")
    manifest = json.loads((folder / "manifest.json").read_text(encoding="utf-8"))
    (folder / "main.svg").unlink()
    short = {**manifest, "files": ["cells.csv", "main.png", "manifest.json"]}
    (folder / "manifest.json").write_text(json.dumps(short), encoding="utf-8")
    assert run("chart", str(folder))[0] == 0
    found = json.loads((folder / "manifest.json").read_text(encoding="utf-8"))
    assert found == {**manifest, "files": ["cells.csv", *FILES, "manifest.json"]}


def test_a_fault_on_the_way_changes_nothing(tmp_path):
    folder = saved(tmp_path / "result")
    before = holds(folder)

    class Broken(Figure):
        def savefig(self, *args, **kwargs):
            raise OSError(28, "No space left on device")

    for place in (folder, tmp_path / "new"):
        with pytest.raises(InputError, match=r"cannot be written \(No space left on device\)"):
            write_charts(place, {"main": Figure(), "second": Broken()}, ("png",))
    assert holds(folder) == before
    assert not (tmp_path / "new").exists()


def test_folders_that_cannot_be_drawn(run, tmp_path):
    none = tmp_path / "none"
    assert refused(run, none) == (
        f"Error: there is no folder '{none}': name one that a command's --out has made."
    )
    empty = tmp_path / "empty"
    empty.mkdir()
    assert refused(run, empty) == (
        f"Error: the folder '{empty}' holds no manifest.json: name one that a command's --out has "
        "made."
    )
    file = empty / "manifest.json"
    assert refused(run, file).startswith(f"Error: there is no folder '{file}'")
    for text in ("not JSON", "[1]", '{"name": "a web page"}', "[" * 100_000):
        file.write_text(text)
        assert refused(run, empty) == (
            f"Error: the manifest.json in '{empty}' is not one of gin-sim's: name a folder that a "
            "command's --out has made."
        )
    file.write_bytes(b"\xff\xfe")
    assert "is not one of gin-sim's" in refused(run, empty)
    assert refused(run, file) == f"Error: '{file}' is a file: name the folder of a result."


def test_manifests_that_do_not_say_enough(run, tmp_path):
    folder = saved(tmp_path / "result")
    manifest = json.loads((folder / "manifest.json").read_text(encoding="utf-8"))
    result = manifest["result"]

    def said(**changes):
        text = json.dumps({k: v for k, v in {**manifest, **changes}.items() if v is not None})
        (folder / "manifest.json").write_text(text, encoding="utf-8")
        return refused(run, folder)

    for without in ({"heights": [1]}, [1], "lines"):
        assert said(result=without) == (
            f"Error: the result in '{folder}' does not say what kind of result it is: run its "
            f"command again, `{COMMAND}`."
        )
    assert said(command=None) == (
        f"Error: the manifest.json in '{folder}' does not say which command made it: run that "
        "again."
    )
    assert said(result=None) == (
        f"Error: the result in '{folder}', made by `{COMMAND}`, has no charts."
    )
    assert said(result={**result, "kind": "duel"}).startswith(
        f"Error: in '{folder}', there is no result of the kind 'duel': kinds are "
    )
    short = {name: value for name, value in result.items() if name != "heights"}
    assert said(result=short) == (
        f"Error: in '{folder}', the result of the kind 'lines' is not whole at result (object "
        "missing required field `heights`): run its command again."
    )
    assert said(result={**result, "heights": [1, "two"]}) == (
        f"Error: in '{folder}', the result of the kind 'lines' is not whole at result.heights[1] "
        "(expected `float`, got `str`): run its command again."
    )


@pytest.mark.long
def test_places_that_cannot_take_the_charts(run, tmp_path):
    folder, other = saved(tmp_path / "result"), saved(tmp_path / "other")
    before = holds(other)
    assert refused(run, folder, "--out", other) == (
        f"Error: the folder '{other}' holds another result: name another for the charts."
    )
    assert holds(other) == before
    file = tmp_path / "file"
    file.write_text("mine")
    assert refused(run, folder, "--out", file) == (
        f"Error: '{file}' is a file: name a folder for the charts."
    )
    assert "cannot be written" in refused(run, folder, "--out", file / "x")
    assert run("chart", str(folder), "--out", f"{other}/../result")[0] == 0


def test_a_result_without_charts_is_a_sentence(run, tmp_path, monkeypatch):
    folder = saved(tmp_path / "result")
    monkeypatch.delitem(charts.DRAWN, "lines")
    assert refused(run, folder) == f"Error: the result in '{folder}' has no charts."


@pytest.mark.long
def test_drawing_again_needs_no_engine_and_no_tables(tmp_path):
    folder = saved(tmp_path / "result")
    program = (
        "import sys\n"
        "from gin_sim.cli import main\n"
        "from gin_sim.report import charts\n"
        "from gin_sim.results import kinds\n"
        "sys.path.insert(0, sys.argv.pop(1))\n"
        "from lines_for_a_chart import Lines, line_chart\n"
        "kinds.KINDS['lines'] = Lines\n"
        "charts.DRAWN['lines'] = charts.Drawn({'main': line_chart})\n"
        "try:\n    main(sys.argv[1:])\n"
        "except SystemExit as leaving:\n    assert not leaving.code\n"
        "sys.exit(sorted({'numba', 'pandas', 'scipy', 'matplotlib.pyplot'} & set(sys.modules)) "
        "or None)"
    )
    (tmp_path / "lines_for_a_chart.py").write_text(
        "from matplotlib.figure import Figure\n"
        "from gin_sim.results.common import Result\n"
        "class Lines(Result, kw_only=True, tag='lines'):\n    heights: list[float]\n"
        "def line_chart(result):\n    return Figure()\n",
        encoding="utf-8",
    )
    ran = subprocess.run(
        [sys.executable, "-c", program, str(tmp_path), "chart", str(folder)],
        capture_output=True, encoding="utf-8", check=False, cwd=ROOT,
    )  # fmt: skip
    assert (ran.returncode, ran.stderr) == (0, "")
    assert ran.stdout.splitlines() == [f"{folder}/main.png", f"{folder}/main.svg"]
