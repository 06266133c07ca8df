"""What a sweep varies: texts read into values and policies, and the sentence for what is wrong.

A policy of a grid is judged by the numbers that an explicit spec seats, and values by a slow loop
of decimal numbers.
"""

from __future__ import annotations

import itertools
from decimal import Decimal, localcontext
from pathlib import Path

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from gin_sim.errors import InputError
from gin_sim.policies.catalogue import CATALOGUE, parse_policy
from gin_sim.policies.contract import PLAYER, PolicyError
from gin_sim.policies.files import python
from gin_sim.policies.files.python import CustomPolicy
from gin_sim.policies.files.toml import FilePolicy
from gin_sim.policies.variations import MAX_CELLS, parse_grid, parse_variation

EXAMPLES = Path(__file__).parents[1] / "data" / "policies"
PATIENT, CAUTIOUS, COLLECTOR = (
    str(EXAMPLES / name) for name in ("patient.toml", "cautious.py", "collector.py")
)
NUMBERS = """\
from typing import NamedTuple
base = "greedy"
class Numbers(NamedTuple):
    count: int = 10
    share: float = 0.5
    bold: bool = False
def should_knock(view, p):
    return view.deadwood <= p.count
"""


@pytest.fixture
def numbers_file(tmp_path):
    """A file with a number of each type."""
    path = tmp_path / "numbers.py"
    path.write_text(NUMBERS, encoding="utf-8")
    return str(path)


def seated(policy) -> bytes:
    player = np.zeros(1, PLAYER)
    policy.seat(player[0])
    return player.tobytes()


def values_of(base: str, text: str) -> tuple:
    return parse_variation(text, parse_policy(base)).values


def assert_is_grid(base: str, texts: list[str], specs: list[str]) -> None:
    """The grid's policies are those of the specs: the same numbers, whichever way they are read."""
    grid = parse_grid(base, texts)
    assert len(grid.policies) == len(specs)
    for policy, spec in zip(grid.policies, specs, strict=True):
        wanted = parse_policy(spec)
        assert policy.values == wanted.values
        assert seated(policy) == seated(wanted)
        assert parse_policy(policy.spec) == policy


# ------------------------------------------------------------------- values


@pytest.mark.parametrize(
    ("base", "text", "values"),
    [
        ("greedy", "knock=0:4", (0, 1, 2, 3, 4)),
        ("greedy", "knock=0:10:2", (0, 2, 4, 6, 8, 10)),
        ("greedy", "knock=0:10:4", (0, 4, 8)),
        ("greedy", "knock=7:7", (7,)),
        ("greedy", "knock=5", (5,)),
        ("greedy", " knock = 2 , 5,10 ", (2, 5, 10)),
        ("greedy", "knock=10,2", (10, 2)),
        ("greedy", "knock=10,6-10,10/10/10/0", (10, "6-10", "10/10/10/0")),
        ("greedy", "knock=1-5,6-10/6-10,10|5|0,007", (5, "6-10", "10|5|0", 7)),
        ("greedy", "knock@5=8,6-10,1-2+4-4,1-2+4,6-6", (8, "6-10", "1-2+4-4", 4, "6-6")),
        ("two-threshold", "turn=+1:3", (1, 2, 3)),
        ("two-threshold", "early=1e1,5.0", (10, 5)),
        ("strong", "ahead_more=-2:2", (-2, -1, 0, 1, 2)),
        ("strong", "pips=-1:1:0.5", (-1.0, -0.5, 0.0, 0.5, 1.0)),
        ("strong", "slip=0:0.4:.1", (0.0, 0.1, 0.2, 0.3, 0.4)),
        ("strong", "slip=0.1:0.75:0.3", (0.1, 0.4, 0.7)),
        ("strong", "pips=-1.1,1e-2,+3.,-0", (-1.1, 0.01, 3.0, 0.0)),
        ("strong", "slip=1e-400,1e-1", (0.0, 0.1)),
        ("strong", "watch=0:1", (0, 1)),
        (CAUTIOUS, "limit=-2:1", (-2, -1, 0, 1)),
        (CAUTIOUS, "slope=0:1:0.25", (0.0, 0.25, 0.5, 0.75, 1.0)),
        (COLLECTOR, "dare=0,1", (0, 1)),
    ],
)
def test_a_text_gives_values(base, text, values):
    given_values = values_of(base, text)
    assert given_values == values
    assert [type(value) for value in given_values] == [type(value) for value in values]
    assert not any(str(value).startswith("-0") and not value for value in given_values)


@given(
    low=st.decimals(-30, 30, places=2),
    width=st.decimals(0, 30, places=2),
    step=st.decimals("0.01", 9, places=2),
    scale=st.integers(0, 3),
)
def test_a_range_is_a_slow_loop_of_decimals(low, width, step, scale):
    low, step = low.scaleb(-scale), step.scaleb(-scale)
    high = low + width.scaleb(-scale)
    with localcontext() as context:
        context.prec = 60
        expected, value = [], low
        while value <= high:
            expected.append(float(value))
            value += step
    assume(len(expected) <= 3_000)
    text = f"pips={low}:{high}:{step}"
    values = parse_variation(text, parse_policy("strong"), 3_000).values
    assert values == tuple(expected)
    assert [Decimal(repr(value)) for value in values] == [
        (low + i * step).normalize() for i in range(len(values))
    ]


@given(low=st.integers(0, 50), width=st.integers(0, 50), step=st.integers(1, 60))
def test_a_whole_range_is_pythons(low, width, step):
    high = min(50, low + width)
    assert values_of("greedy", f"knock={low}:{high}:{step}") == tuple(range(low, high + 1, step))


def test_whole_numbers_of_a_file_stay_exact(numbers_file):
    top = 2**53
    assert values_of(numbers_file, f"count={top - 2}:{top}") == (top - 2, top - 1, top)
    grid = parse_grid(numbers_file, [f"count={top - 1},{-top}"])
    assert [policy.values["count"] for policy in grid.policies] == [top - 1, -top]
    assert grid.policies[0].spec == f"{numbers_file}:count=9007199254740991"
    assert parse_policy(grid.policies[0].spec) == grid.policies[0]


# ----------------------------------------------------------------- policies


@pytest.mark.parametrize(
    ("base", "texts", "specs"),
    [
        ("greedy", ["knock=0:2"], ["greedy:knock=0", "greedy:knock=1", "greedy:knock=2"]),
        (
            "marjj",
            ["knock=10/10/10/0,6-10"],
            ["marjj", "marjj:knock=6-10"],
        ),
        # The last row of a short table serves every later turn: those stay.
        ("greedy", ["knock@5=3"], ["greedy:knock=10/10/10/10/3/10"]),
        ("greedy", ["knock@1=3"], ["greedy:knock=3/10"]),
        ("greedy:knock=9/8", ["knock@2=3"], ["greedy:knock=9/3/8"]),
        ("greedy:knock=9/8", ["knock@4=3,8"], ["greedy:knock=9/8/8/3/8", "greedy:knock=9/8"]),
        ("greedy", ["knock@20=3"], [f"greedy:knock={'10/' * 19}3"]),
        ("greedy", ["knock@5-8=0"], ["greedy:knock=10/10/10/10/0/0/0/0/10"]),
        ("greedy", ["knock@3-20=2-4"], ["greedy:knock=10/10/2-4"]),
        ("greedy", ["knock@2:0=4"], ["greedy:knock=10/4|10|10/10"]),
        ("greedy", ["knock@2:1-2=4"], ["greedy:knock=10/10|4|10/10"]),
        ("greedy", ["knock@2:3+=6-10"], ["greedy:knock=10/10|10|6-10/10"]),
        ("greedy:knock=9|8|7", ["knock@1=5"], ["greedy:knock=5/9|8|7"]),
        ("greedy:knock=9|8|7", ["knock@1-20:0=5"], ["greedy:knock=5|8|7"]),
        (
            "greedy",
            ["knock@1=5,6", "knock@2=3,4"],
            [f"greedy:knock={first}/{second}/10" for first in (5, 6) for second in (3, 4)],
        ),
        (
            "greedy",
            ["knock@1-2:0=5", "knock@2:3+=3,4"],
            [f"greedy:knock=5|10|10/5|10|{last}/10" for last in (3, 4)],
        ),
        (
            "two-threshold:early=9",
            ["late=0:1", "turn=2,5"],
            [
                f"two-threshold:early=9,late={late},turn={turn}"
                for late in (0, 1)
                for turn in (2, 5)
            ],
        ),
        ("two-threshold:early=9,late=2", ["early=4"], ["two-threshold:late=2,early=4"]),
        ("heuristic", ["pips=5"], ["heuristic:pips=5"]),
        ("heuristic", ["pips@3-4=5,-0.5"], [f"heuristic:pips=2/2/{v}/-2/-3/-4" for v in (5, -0.5)]),
        ("heuristic", ["pips@10+=5"], ["heuristic:pips=2/2/1/-2/-3/5"]),
        (
            "heuristic:slip=0.1,pips=1/2",
            ["pips@1=-3", "pips@2=7"],
            ["heuristic:pips=-3/7/2,slip=0.1"],
        ),
        ("heuristic", ["slip=0.1:0.3:0.1"], [f"heuristic:slip=0.{i}" for i in (1, 2, 3)]),
        ("heuristic", ["watch=0:1"], ["heuristic:watch=0", "heuristic"]),
        (PATIENT, ["knock@3=2"], [f"{PATIENT}:knock=10/10/2/5/0"]),
        (f"{PATIENT}:slip=0.5", ["pips@7-9=0"], [f"{PATIENT}:slip=0.5,pips=1/1/0/-2/0/-4"]),
        (CAUTIOUS, ["limit=3:4"], [f"{CAUTIOUS}:limit=3", f"{CAUTIOUS}:limit=4"]),
        (
            f"{CAUTIOUS}:Cautious:slope=2.5",
            ["limit=-1"],
            [f"{CAUTIOUS}:Cautious:slope=2.5,limit=-1"],
        ),
        (
            f"{COLLECTOR}:saves=2",
            ["dare=0,1", "fear=0.5"],
            [f"{COLLECTOR}:saves=2,dare={dare},fear=0.5" for dare in (0, 1)],
        ),
    ],
)
def test_a_grid_is_what_explicit_specs_give(base, texts, specs):
    assert_is_grid(base, texts, specs)


def test_every_parameter_of_every_shipped_policy_can_be_varied():
    for kind in CATALOGUE.values():
        for parameter in kind.parameters:
            value = parameter.low if parameter.low > 0 else parameter.high
            assert_is_grid(
                kind.name,
                [f"{parameter.name}={value}"],
                [f"{kind.name}:{parameter.name}={value}"],
            )


def test_a_trained_table_keeps_its_other_cells():
    """Strong's cells differ by gin outs; a hand-made change of its text is the judge."""
    rows = CATALOGUE["strong"].defaults()["knock"].split("/")
    rows = [row.split("|") if "|" in row else [row] * 3 for row in rows]
    rows[2][1] = "6-7"
    text = "/".join("|".join(row) for row in rows)
    assert_is_grid("strong", ["knock@3:1-2=6-7"], [f"strong:knock={text}"])


def test_a_grid_is_in_order_with_the_second_fastest():
    grid = parse_grid("two-threshold", ["early=10,8", "late=0:2"])
    pairs = list(itertools.product((10, 8), (0, 1, 2)))
    assert grid.shape == (2, 3)
    assert [grid.values_of(cell) for cell in range(6)] == pairs
    for policy, (early, late) in zip(grid.policies, pairs, strict=True):
        assert policy.values == {"early": early, "late": late, "turn": 6}
        assert policy.spec == f"two-threshold:early={early},late={late}"
    assert grid.base == parse_policy("two-threshold")
    one = parse_grid("greedy", ["knock=4:5"])
    assert one.shape == (2,)
    assert [one.values_of(cell) for cell in range(2)] == [(4,), (5,)]


def test_a_spec_keeps_what_the_base_was_given():
    grid = parse_grid(" heuristic: slip = 0.10 ,knock=5 ", ["knock=6-10"])
    assert [policy.spec for policy in grid.policies] == ["heuristic:slip=0.10,knock=6-10"]
    grid = parse_grid(f"{CAUTIOUS}:Cautious", ["limit=3"])
    assert grid.policies[0].spec == f"{CAUTIOUS}:Cautious:limit=3"
    grid = parse_grid("greedy", ["knock@3=0:1"])
    assert [policy.spec for policy in grid.policies] == [
        "greedy:knock=10/10/0/10",
        "greedy:knock=10/10/1/10",
    ]


def test_a_file_is_read_and_compiled_once(monkeypatch):
    base = parse_policy(COLLECTOR)
    read = []
    monkeypatch.setattr(python, "read_source", read.append)
    monkeypatch.setattr("gin_sim.policies.variations.parse_policy", lambda spec: base)
    policies = parse_grid(COLLECTOR, ["saves=0:20", "fear=0:2:0.1"]).policies
    assert len(policies) == 441
    assert not read
    assert all(isinstance(policy, CustomPolicy) for policy in policies)
    assert {tuple(policy.addresses.items()) for policy in policies} == {
        tuple(base.addresses.items())
    }


def test_a_toml_policy_keeps_its_texts():
    (policy,) = parse_grid(PATIENT, ["knock=3"]).policies
    assert isinstance(policy, FilePolicy)
    assert policy.summary == parse_policy(PATIENT).summary == "knocks early or not at all"


# -------------------------------------------------------------------- words


@pytest.mark.parametrize(
    ("base", "text", "name", "unit", "meaning"),
    [
        ("greedy", "knock=0:10", "knock", "pips", "greatest deadwood to knock with"),
        ("greedy", "knock=5,6-10", "knock", "pips", CATALOGUE["greedy"].parameters[0].meaning),
        (
            "greedy",
            "knock @ 05 =0:1",
            "knock@5",
            "pips",
            "greatest deadwood to knock with, own turn 5",
        ),
        ("greedy", "knock@5-5=6-10", "knock@5", "pips", "deadwood to knock with, own turn 5"),
        (
            "greedy",
            "knock@5-8:0=1",
            "knock@5-8:0",
            "pips",
            "greatest deadwood to knock with, own turns 5-8, no gin outs",
        ),
        (
            "greedy",
            "knock@20:1-2=1",
            "knock@20:1-2",
            "pips",
            "greatest deadwood to knock with, own turn 20 on, 1-2 gin outs",
        ),
        (
            "greedy",
            "knock@9-20:3+=1",
            "knock@9-20:3+",
            "pips",
            "greatest deadwood to knock with, own turn 9 on, 3 or more gin outs",
        ),
        ("strong", "pips=1", "pips", "points per 10 pips", "deadwood kept"),
        ("strong", "pips@1=1", "pips@1", "points per 10 pips", "deadwood kept, own turn 1"),
        ("strong", "pips@3-4=1", "pips@3-4", "points per 10 pips", "deadwood kept, own turns 3-4"),
        ("strong", "pips@10+=1", "pips@10+", "points per 10 pips", "deadwood kept, own turn 10 on"),
        (
            "two-threshold",
            "late=1",
            "late",
            "pips",
            "greatest deadwood to knock with late",
        ),
    ],
)
def test_a_variation_says_what_it_varies(base, text, name, unit, meaning):
    variation = parse_variation(text, parse_policy(base))
    assert (variation.name, variation.unit, variation.meaning) == (name, unit, meaning)


def test_values_are_shown_short():
    variation = parse_variation("pips=-1:1:0.5", parse_policy("strong"))
    assert list(map(variation.text, variation.values)) == ["-1", "-0.5", "0", "0.5", "1"]
    variation = parse_variation("knock=5,6-10", parse_policy("greedy"))
    assert list(map(variation.text, variation.values)) == ["5", "6-10"]


# ------------------------------------------------------------------- errors

BIG = "more than 1,000,000,000,000,000 cells"


@pytest.mark.parametrize(
    ("base", "text", "said"),
    [
        ("greedy", "knok=0:10", "greedy has no parameter 'knok'. Did you mean 'knock'?"),
        ("marjj", "late=3", "marjj has no parameter 'late'."),
        ("random", "knock=3", "random has no parameter that could be varied"),
        ("heisenbot", "knock=3", "heisenbot has no parameter that could be varied"),
        ("greedy", "", "'' names no parameter: write one and its values, like knock=0:10."),
        ("greedy", "=3", "'=3' names no parameter"),
        ("greedy", "@3=3", "'@3=3' names no parameter"),
        ("greedy", "knock", "'knock' gives no values: write knock= and a range such as 0:10"),
        ("greedy", "knock=", "'knock=' gives no values"),
        ("greedy", "knock@5= ", "'knock@5=' gives no values: write knock@5= and"),
        ("greedy", "knock=10:0", "goes down from 10 to 0: write knock=0:10."),
        ("strong", "pips@1=1:-1:0.5", "goes down from 1 to -1: write pips@1=-1:1:0.5."),
        ("greedy", "knock=0:10:0", "has the step 0: a step is greater than 0."),
        ("greedy", "knock=0:10:-1", "has the step -1: a step is greater than 0."),
        ("strong", "pips=0:1:1e-999", "has the step 1e-999: a step is greater than 0."),
        ("greedy", "knock=0:10:0.5", "'knock=0:10:0.5' names 0.5: knock takes whole numbers only."),
        ("two-threshold", "early=0:2.5", "names 2.5: early takes whole numbers only."),
        ("two-threshold", "early=2.5", "the value 2.5: it is a whole number from 0 to 50 (pips)."),
        ("greedy", "knock=a:10", "'a' in 'knock=a:10' is not a number"),
        ("greedy", "knock=0:1_0", "'1_0' in 'knock=0:1_0' is not a number"),
        ("greedy", "knock=0:٣", "'٣' in 'knock=0:٣' is not a number"),
        ("strong", "pips=nan", "'nan' in 'pips=nan' is not a number"),
        ("strong", "pips=0:inf", "'inf' in 'pips=0:inf' is not a number"),
        ("strong", "pips=1/2", "'1/2' in 'pips=1/2' is not a number"),
        ("strong", f"pips={'1' * 5000}", "is not a number"),
        ("strong", "pips=0:1e999999999", "'1e999999999' in 'pips=0:1e999999999' is too large"),
        ("greedy", "knock=0:", "'knock=0:' is not a range: write knock=LOW:HIGH or"),
        ("greedy", "knock=:5", "is not a range"),
        ("greedy", "knock=0:1:2:3", "is not a range"),
        ("greedy", "knock=0:3,10", "is not a range"),
        ("greedy", "knock=2,,5", "'knock=2,,5' leaves out a value"),
        ("greedy", "knock=2,5,", "leaves out a value"),
        ("greedy", "knock=5,5", "'knock=5,5' gives the value 5 twice: give it once."),
        ("greedy", "knock=10/10,10", "gives the value 10 twice"),
        ("strong", "pips=0,-0.0", "gives the value 0 twice"),
        (CAUTIOUS, "slope=1e16,10000000000000001,1e16", "gives the value 10000000000000000 twice"),
        (
            "greedy",
            "knock=0:60",
            "'knock=0:60' gives greedy's knock the value 60: it is a whole number from 0 to 50 "
            "(pips).",
        ),
        ("greedy", "knock@3=-1:5", "gives greedy's knock the value -1"),
        ("greedy", "knock=60", "greedy's knock is '60'"),
        ("greedy", "knock=4,-5", "greedy's knock is '-5'"),
        ("greedy", "knock@3=x", "greedy's knock is 'x'"),
        (
            "strong",
            "pips=0:70",
            "gives strong's pips the value 70: it is a number from -60 to 60 (points per 10 pips).",
        ),
        ("two-threshold", "turn=0:20", "gives two-threshold's turn the value 20"),
        (COLLECTOR, "dare=0:2", "the value 2: it is 0 or 1."),
        (COLLECTOR, "saves=1e16", "the value 1e16: it is a whole number."),
        (CAUTIOUS, "knock=3", "cautious.py has no parameter 'knock'."),
        (
            "greedy",
            "knock@0=1",
            "'knock@0' names no place of the knock table: after @ stands an own turn from 1 to 20, "
            "the last for 20 and later, or a range like 5-8, and after a colon, if wanted, a class "
            "of gin outs: 0, 1-2 or 3+.",
        ),
        ("greedy", "knock@21=1", "names no place of the knock table"),
        ("greedy", "knock@8-5=1", "names no place of the knock table"),
        ("greedy", "knock@5-21=1", "names no place of the knock table"),
        ("greedy", "knock@=1", "names no place of the knock table"),
        ("greedy", "knock@5:2=1", "names no place of the knock table"),
        ("greedy", "knock@5:=1", "names no place of the knock table"),
        ("greedy", "knock@5@6=1", "names no place of the knock table"),
        ("greedy", "knock@٣=1", "names no place of the knock table"),
        ("greedy", "knock@5=10/5", "gives 10/5 for one place of the knock table"),
        ("greedy", "knock@5=1,10|5|0", "gives 10|5|0 for one place of the knock table"),
        (
            "strong",
            "pips@3=1",
            "'pips@3' names no bucket of own turns: after @ stands 1, 2, 3-4, 5-6, 7-9 or 10+.",
        ),
        ("strong", "pips@=1", "names no bucket of own turns"),
        ("two-threshold", "early@3=1", "two-threshold's early is one number: write early alone."),
        (CAUTIOUS, "limit@3=1", "limit is one number: write limit alone."),
        ("strong", "slip=0:1:0.001", "--param slip=0:1:0.001 makes 1,001 cells; at most 441:"),
        (CAUTIOUS, "slope=0:1e12:1e-6", BIG),
        (CAUTIOUS, "slope=-1e308:1e308:1e-320", BIG),
        (CAUTIOUS, f"limit=0:{2**53}", BIG),
    ],
)
def test_what_cannot_be_read_is_explained(base, text, said):
    with pytest.raises(InputError) as error:
        parse_grid(base, [text])
    sentence = str(error.value)
    assert said in sentence
    assert sentence.endswith(".")
    assert "\n" not in sentence
    assert len(sentence) < 400


@pytest.mark.parametrize(
    ("base", "texts", "said"),
    [
        ("greedy", [], "nothing is varied: name a parameter of greedy and its values"),
        (
            "strong",
            ["pips=1", "slip=0", "knock=1"],
            "3 parameters are varied at once: give at most",
        ),
        ("greedy", ["knock=0:10", "knock=2:5"], "knock is varied twice: give it in one --param."),
        ("greedy", ["knock@5=0:10", "knock@05=1"], "knock@5 is varied twice"),
        ("strong", ["slip=0", "slip=1"], "slip is varied twice"),
        ("strong", ["pips@3-4=0", "pips@3-4=1"], "pips@3-4 is varied twice"),
        (
            "greedy",
            ["knock=0:10", "knock@3=0:10"],
            "knock and knock@3 would set the same part of knock: vary one of them, or places that "
            "do not overlap.",
        ),
        ("greedy", ["knock@3:0=1", "knock@3=1"], "knock@3:0 and knock@3 would set the same part"),
        ("greedy", ["knock@3-6=1", "knock@6-9=1"], "knock@3-6 and knock@6-9 would set"),
        ("strong", ["pips@1=0", "pips=1"], "pips@1 and pips would set the same part of pips"),
        ("greedy", ["knock=3", "knok=1"], "greedy has no parameter 'knok'"),
        (
            "strong",
            ["knock=0:50", "pips=0:50"],
            "--param knock=0:50 --param pips=0:50 makes 2,601 cells; at most 441: narrow the "
            "ranges, use a larger step, or raise --max-cells.",
        ),
        (CAUTIOUS, ["slope=0:1e12:1e-6", "limit=0:9000000000"], BIG),
        ("gready", ["knock=1"], "no policy is called 'gready'. Did you mean 'greedy'?"),
        ("greedy:knock=99", ["knock=1"], "greedy's knock is '99'"),
    ],
)
def test_what_does_not_go_together_is_explained(base, texts, said):
    with pytest.raises(InputError) as error:
        parse_grid(base, texts)
    assert said in str(error.value)
    assert str(error.value).endswith(".")


@pytest.mark.long
def test_a_grid_may_be_as_large_as_is_allowed():
    assert len(parse_grid("strong", ["knock=0:20", "pips=0:20"]).policies) == 21 * 21 == MAX_CELLS
    assert len(parse_grid("strong", ["knock=0:50", "pips=0:50"], 2_601).policies) == 2_601
    with pytest.raises(InputError, match="makes 2,601 cells; at most 2,600"):
        parse_grid("strong", ["knock=0:50", "pips=0:50"], 2_600)
    with pytest.raises(InputError, match="makes 3 cells; at most 2:"):
        parse_variation("knock=0,5,6", parse_policy("greedy"), 2)


def test_unknown_parameters_are_policy_errors():
    with pytest.raises(PolicyError):
        parse_grid("greedy", ["knok=3"])
    with pytest.raises(PolicyError):
        parse_grid("greedy", ["knock=0:60"])
