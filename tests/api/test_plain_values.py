"""Plain values that are not what they should be are refused in one sentence."""

from __future__ import annotations

import math

import pytest

import gin_sim
from gin_sim.errors import InputError


@pytest.mark.parametrize(
    ("given", "sentence"),
    [
        ({"hands": math.nan}, r"^hands=nan is not a whole number: write it like "),
        ({"hands": math.inf}, r"^hands=inf is not a whole number: write it like "),
        ({"hands": 10.5}, r"^hands=10\.5 is not a whole number: write it like "),
        ({"hands": -5}, r"^-5 hands cannot be played: ask for 1 to 1,000,000,000,000, like 1e6\.$"),
        ({"hands": 10, "mirrored": "no"}, r"^mirrored is 'no': give True or False\.$"),
        ({"hands": 10, "rules": None}, r"^rules is None: give the name of a rule set, like "),
        ({"hands": 10, "rules": {"target": 5}}, r"^rules is \{'target': 5\}: give the name "),
    ],
)
def test_a_value_that_is_not_what_it_should_be_is_named(given, sentence):
    with pytest.raises(InputError, match=sentence):
        gin_sim.simulate("greedy", "simple", **given)
