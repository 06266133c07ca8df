"""A saved result is loaded as what it was, and charts are drawn again where they should be."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

import gin_sim
from gin_sim.api.loading import redraw
from gin_sim.errors import InputError
from gin_sim.results.replay import Replay

DATA = Path(__file__).parents[1] / "data"


@pytest.fixture
def folder(tmp_path):
    gin_sim.replay(DATA / "hands-eaai-taylor-simple.jsonl").save(tmp_path / "result")
    return tmp_path / "result"


def test_a_result_is_loaded_as_what_it_was(folder):
    result = gin_sim.load(str(folder))
    assert isinstance(result, Replay)
    assert result == gin_sim.replay(DATA / "hands-eaai-taylor-simple.jsonl")
    assert result.table().equals(gin_sim.load(folder).table())


def test_what_was_saved_is_all_that_is_read(folder):
    for path in folder.glob("*.csv"):
        path.unlink()
    assert gin_sim.load(folder).hands == 100


@pytest.mark.parametrize(
    ("change", "place"),
    [
        ({"hands": 101}, "result (the hands are those that ended and those with a fault)"),
        ({"hands": "many"}, "result.hands (expected `int`, got `str`)"),
        ({"outcomes": {"knock": 100}}, "result (outcomes and points are by each way in which"),
    ],
)
def test_a_result_that_is_not_whole_is_refused_with_the_place(folder, change, place):
    path = folder / "manifest.json"
    manifest = json.loads(path.read_text(encoding="utf-8"))
    manifest["result"] |= change
    path.write_text(json.dumps(manifest), encoding="utf-8")
    with pytest.raises(InputError) as error:
        gin_sim.load(folder)
    assert str(error.value).startswith(
        f"in '{folder}', the result of the kind 'replay' is not whole at {place}"
    )


def test_a_folder_without_a_result_is_refused(tmp_path):
    with pytest.raises(InputError, match="holds no manifest"):
        gin_sim.load(tmp_path)
    with pytest.raises(InputError, match="there is no folder"):
        gin_sim.load(tmp_path / "none")


def test_charts_that_there_are_not_cannot_be_drawn_again(folder):
    with pytest.raises(InputError, match="has no charts"):
        redraw(folder)
    with pytest.raises(InputError, match="cannot be written as pdf: give png and svg"):
        redraw(folder, formats=["pdf"])
