"""What a game is worth, asked from Python: plain values in, a result out as the command line's."""

from __future__ import annotations

import json
import threading

import pytest
from matplotlib.figure import Figure

import gin_sim
from gin_sim.api.progress import Progress
from gin_sim.errors import InputError
from gin_sim.results.equity import EquityTable
from gin_sim.results.kinds import load, read_object

QUICK = {"rules": "eaai:target=40", "hands": 2000}


@pytest.fixture(autouse=True)
def own_cache(tmp_path, monkeypatch):
    """Counted hands are kept for this test alone; compiled code stays where it is."""
    monkeypatch.setattr("gin_sim.payoff.equity_cache.cache_home", lambda: tmp_path / "kept")


@pytest.mark.long
def test_a_table_is_read_back_from_json_and_from_disk(tmp_path):
    found = gin_sim.equity("greedy", "simple", score="20-10", **QUICK)
    assert read_object(json.loads(found.to_json())).to_json() == found.to_json()
    names = found.save(tmp_path / "out")
    assert {"scores.csv", "grid.csv", "next_hand.csv", "equity.png", "equity.svg"} <= set(names)
    again = load(tmp_path / "out")
    assert isinstance(again, EquityTable)
    assert again.to_json() == found.to_json()


def test_the_columns_of_the_tables():
    found = gin_sim.equity("greedy", "simple", score="20-10", **QUICK)
    figures = [
        f"{name}_{end}" for name in ("win", "tie", "stakes") for end in ("estimate", "low", "high")
    ]
    at = ["play_points", "against_points", "box_difference"]
    assert list(found.table()) == [*at, "dealer", *figures]
    assert list(found.table("grid")) == [*at, "dealer", "win"]
    next_hand = found.table("next_hand")
    assert list(next_hand) == [*at, "hand_won_by", "hand_points", "game_over", *figures]
    assert set(next_hand.hand_won_by) == {"me", "opponent", "nobody"}
    scores = found.table("scores")
    assert set(scores.dealer) == {"me", "opponent", "either"}
    assert scores.win_estimate.between(0, 1).all(), "a share, not percent"
    plain = gin_sim.equity("greedy", "simple", **QUICK)
    assert list(plain.tables()) == ["scores", "grid"]


def test_a_table_shows_itself():
    found = gin_sim.equity("greedy", **QUICK)
    line = repr(found)
    assert line.startswith("<EquityTable: greedy wins ")
    assert line.endswith(
        "of games against greedy from 0-0; eaai:target=40 rules, 2,000 hands, seed 1>"
    )
    assert "<table" in found._repr_html_()
    assert len(found.text(more=False)) < len(found.text())
    axes = Figure().add_subplot()
    assert found.chart(ax=axes) is axes
    drawn = found.chart().axes[0].collections[0].get_array()
    assert (axes.collections[0].get_array() == drawn).all()
    assert axes.get_ylabel() == "score of greedy"


@pytest.mark.long
def test_python_and_the_command_line_have_the_same_numbers(run):
    rules = "standard:target=50"  # boxes matter, and it is solved in an eighth of the time
    asked = f"equity --play greedy --against simple --hands 4000 --rules {rules} "
    asked += "--score 35-20 --boxes 3-4 --json"
    code, out, _ = run(*asked.split())
    assert code == 0
    printed = json.loads(out)
    found = gin_sim.equity(
        "greedy", "simple", rules=rules, hands=4e3, score=(35, 20), boxes=(3, 4)
    ).to_dict()
    assert printed.pop("command") == f"gin-sim {asked}"
    assert "play" in printed.pop("seconds"), "the hands were played"
    assert "play" not in found.pop("seconds"), "and found again"
    del found["command"]
    assert printed == found
    assert (found["box_difference"], found["asked"]["box_difference"]) == (-1, -1)


def test_a_table_that_is_stopped_is_partial(monkeypatch):
    stop = threading.Event()
    stop.set()
    with pytest.raises(KeyboardInterrupt):
        gin_sim.equity("greedy", stop=stop, **QUICK)


def test_progress_notes_what_was_found_again():
    sentences = []

    class Notes(Progress):
        def note(self, sentence):
            sentences.append(sentence)

    gin_sim.equity("greedy", progress=Notes(), **QUICK)
    assert sentences == []
    gin_sim.equity("greedy", progress=Notes(), **{**QUICK, "hands": 1999})
    first, second = sentences
    assert first == "1,999 hands are not whole mirrored pairs: playing 2,000."
    assert second.startswith("Hands counted before are used again: ")


@pytest.mark.parametrize(
    ("more", "sentence"),
    [
        ({"hands": 10}, "--hands 10 are too few for a table"),
        ({"score": "100-20"}, "the game is over"),
        ({"score": "20-20", "boxes": "25-1"}, "20 points are 1 to 20 hands won."),
        ({"boxes": "3"}, "--boxes '3' are not hands won"),
        ({"boxes": "96-1", "rules": "standard"}, "cannot be +95"),
        ({"rules": "openspiel"}, "a game is one hand"),
    ],
)
def test_bad_input_is_one_sentence(more, sentence):
    with pytest.raises(InputError) as refused:
        gin_sim.equity("greedy", **{**QUICK, **more})
    assert sentence in str(refused.value)
    assert "\n" not in str(refused.value)


def test_every_field_is_described():
    for name in EquityTable.__struct_fields__:
        assert name in EquityTable.__doc__, name
    for row in EquityTable.TABLES.values():
        for name in row.__struct_fields__:
            assert name in row.__doc__, (row, name)
