"""Names and numbers of things in sentences."""

from __future__ import annotations

import pytest

from gin_sim.words import counted, listed, nearest

pytestmark = pytest.mark.jitless


@pytest.mark.parametrize(
    ("words", "text"),
    [
        ((0, "hand"), "0 hands"),
        ((1, "hand"), "1 hand"),
        ((1_000, "hand"), "1,000 hands"),
        ((1, "box", "boxes"), "1 box"),
        ((2, "box", "boxes"), "2 boxes"),
        ((3, "mirrored pair"), "3 mirrored pairs"),
    ],
)
def test_things_are_counted(words, text):
    assert counted(*words) == text


def test_names_are_listed():
    assert listed(["a"]) == "a"
    assert listed(["a", "b"]) == "a or b"
    assert listed(("a", "b", "c"), "and") == "a, b and c"
    assert listed({"a": 1, "b": 2}) == "a or b"


def test_the_nearest_name_is_suggested():
    assert nearest("GREDY", ["greedy", "simple"]) == " Did you mean 'greedy'?"
    assert nearest("greedi", ["Greedy"]) == " Did you mean 'Greedy'?"
    assert nearest("zzz", ["greedy"]) == ""
