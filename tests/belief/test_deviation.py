"""How often an opponent deviates, as a word, one number or three."""

from __future__ import annotations

import pytest

from gin_sim.belief.deviation import ALIKE, KNOWN, Deviation, parse_deviation
from gin_sim.errors import InputError


@pytest.mark.parametrize(
    ("given", "deviation"),
    [
        ("alike", ALIKE),
        ("Known", KNOWN),
        ("0.03", ALIKE),
        (0.03, ALIKE),
        ("0", KNOWN),
        (0, KNOWN),
        ("0,0,0", KNOWN),
        ("0.1,0.2,0.01", Deviation(0.1, 0.2, 0.01)),
        ((0.1, 0.2, 0.01), Deviation(0.1, 0.2, 0.01)),
        ("0.1,0,0", Deviation(0.1, KNOWN.discard, KNOWN.knock)),
    ],
)
def test_deviation_is_a_word_one_number_or_three(given, deviation):
    assert parse_deviation(given) == pytest.approx(deviation)


@pytest.mark.parametrize("given", ["often", "2", 2, -0.1, "0.1,0.1", (0.1, 0.1), "0,0.1,0.6", None])
def test_a_deviation_in_any_other_form_is_refused(given):
    with pytest.raises(InputError, match="does not say how often the opponent deviates"):
        parse_deviation(given)
