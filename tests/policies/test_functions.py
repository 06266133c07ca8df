"""Policies of plain Python functions: they play as a file does, and are refused in its words."""

from __future__ import annotations

import functools
import importlib.util
import inspect
import linecache
import random
import sys
from pathlib import Path

import numpy as np
import pytest
from numba import config

import gin_sim
from gin_sim.api.playing import policy_of
from gin_sim.engine.bits import highest_card
from gin_sim.engine.view import look_at_upcard
from gin_sim.errors import InputError
from gin_sim.play.plans import Plan
from gin_sim.play.run import simulate
from gin_sim.policies.contract import PolicyError
from gin_sim.policies.variations import parse_grid
from gin_sim.rules import PRESETS, Rules

LIMITS = np.array([10, 10, 6, 6, 4])
N_HANDS = 8 if config.DISABLE_JIT else 2000

pytestmark = pytest.mark.jitless

#: What stands in a policy's file before its functions.
HEAD = '''\
"""Takes what helps, and knocks by turn."""
from typing import NamedTuple

import numpy as np
from gin_sim.engine.bits import highest_card
from gin_sim.engine.view import look_at_upcard

LIMITS = np.array([10, 10, 6, 6, 4])
base = "greedy"


class Numbers(NamedTuple):
    more: int = 1
    factor: float = 1.0
    brave: bool = True
'''
NUMBERS = {"more": 1, "factor": 1.0, "brave": True}


def tally(policy, rules=None):
    """All that is counted of hands against greedy."""
    plan = Plan((policy, gin_sim.Policy.parse("greedy")), rules or Rules(), N_HANDS, 11)
    return simulate(plan).tally


def module_of(folder: Path, text: str, name: str = "own_functions"):
    """A module that is imported from a file with this text."""
    path = folder / f"{name}.py"
    path.write_text(text, encoding="utf-8")
    described = importlib.util.spec_from_file_location(name, path)
    module = importlib.util.module_from_spec(described)
    described.loader.exec_module(module)
    return module


def cell(text: str, names: dict | None = None, number: int = 1) -> dict:
    """The names after a notebook's cell has run, its text kept where Python looks for it."""
    place = f"<ipython-input-{number}-{abs(hash(text))}>"
    linecache.cache[place] = (len(text), None, text.splitlines(keepends=True), place)
    names = {"__name__": "__main__"} if names is None else names
    exec(compile(text, place, "exec"), names)
    return names


def limit_of(turn):
    """A helper in the same file."""
    return LIMITS[min(turn, 5) - 1]


def take_upcard(view, p):
    return look_at_upcard(view) < view.deadwood


def choose_discard(view, p):
    return highest_card(view.best_discards)


def should_knock(view, p):
    return view.deadwood <= (limit_of(view.turn) + p.more) * p.factor and bool(p.brave)


FILE = "\n\n".join(
    [
        HEAD,
        *(
            inspect.getsource(function)
            for function in (limit_of, take_upcard, choose_discard, should_knock)
        ),
    ]
)


def by_limit(view, p):
    return view.deadwood <= p.limit


# ------------------------------------------------------------------ what they play


@pytest.mark.long
@pytest.mark.parametrize("preset", ["standard", "openspiel"])
def test_functions_play_as_a_file_with_the_same_text(preset, tmp_path):
    module = module_of(tmp_path, FILE)
    file = gin_sim.Policy.parse(str(tmp_path / "own_functions.py"))
    of_module = gin_sim.Policy.of(
        module.take_upcard, module.choose_discard, module.should_knock, parameters=NUMBERS
    )
    of_test = gin_sim.Policy.of(take_upcard, choose_discard, should_knock, parameters=NUMBERS)
    of_cell = gin_sim.Policy.of(should_knock=cell(FILE)["should_knock"], parameters=NUMBERS)
    expected = tally(file, PRESETS[preset])
    for policy in (of_module, of_test, of_cell):
        assert tally(policy, PRESETS[preset])[0].tobytes() == expected[0].tobytes()


def test_a_base_decides_what_no_function_does():
    assert (
        tally(gin_sim.Policy.of(should_knock=by_limit, base="simple", parameters={"limit": 4}))[0]
        == tally(gin_sim.Policy.parse("simple:knock=4"))[0]
    )


def test_a_parameter_changes_what_is_played():
    found = {
        limit: tally(gin_sim.Policy.of(should_knock=by_limit, parameters={"limit": limit}))[0]
        for limit in (0, 10)
    }
    assert found[0] == tally(gin_sim.Policy.parse("greedy:knock=0"))[0]
    assert found[10] == tally(gin_sim.Policy.parse("greedy"))[0]
    assert found[0] != found[10]


def test_a_sweep_varies_the_parameters_of_functions():
    policy = gin_sim.Policy.of(should_knock=by_limit, name="mine", parameters={"limit": 4})
    grid = parse_grid(policy, ["limit=2:6:2"])
    assert [each.spec for each in grid.policies] == ["mine:limit=2", "mine:limit=4", "mine:limit=6"]
    assert tally(grid.policies[1])[0] == tally(policy)[0] != tally(grid.policies[0])[0]


def test_a_later_cell_does_not_change_a_policy_that_is_made():
    text = "def by_limit(view, p):\n    return view.deadwood <= LIMIT\n"
    names = cell(text, {"__name__": "__main__", "LIMIT": 0})
    patient = gin_sim.Policy.of(should_knock=names["by_limit"])
    names["LIMIT"] = 10
    eager = gin_sim.Policy.of(should_knock=names["by_limit"])
    assert tally(patient)[0] == tally(gin_sim.Policy.parse("greedy:knock=0"))[0]
    assert tally(eager)[0] == tally(gin_sim.Policy.parse("greedy"))[0]


@pytest.mark.long
def test_helpers_may_stand_in_another_cell_or_a_module_beside(tmp_path, monkeypatch):
    helper = "def low(view, limit):\n    return view.deadwood <= limit\n"
    names = cell(helper, number=1)
    cell("def knock(view, p):\n    return low(view, 3)\n", names, number=2)
    monkeypatch.syspath_prepend(str(tmp_path))
    (tmp_path / "beside_functions.py").write_text(helper)
    module = module_of(
        tmp_path,
        "import beside_functions\ndef knock(view, p):\n    return beside_functions.low(view, 3)\n",
    )
    expected = tally(gin_sim.Policy.parse("greedy:knock=3"))[0]
    assert tally(gin_sim.Policy.of(should_knock=names["knock"]))[0] == expected
    assert tally(gin_sim.Policy.of(should_knock=module.knock))[0] == expected
    assert type(sys.modules["beside_functions"].low) is type(by_limit)
    assert type(names["low"]) is type(by_limit), "compiling has put another one in its place"


def test_inner_functions_are_accepted_if_they_use_nothing_of_the_outer_one():
    def knock(view, p):
        return view.deadwood <= 3

    assert (
        tally(gin_sim.Policy.of(should_knock=knock))[0]
        == tally(gin_sim.Policy.parse("greedy:knock=3"))[0]
    )


# ------------------------------------------------------------------ what they are called


def test_a_policy_is_called_by_its_functions_or_its_name():
    policy = gin_sim.Policy.of(take_upcard, should_knock=by_limit, parameters={"limit": 2.5})
    assert policy.spec == "take_upcard+by_limit"
    told = policy.as_dict()
    assert told["decides"] == ["take_upcard", "should_knock"]
    assert told["parameters"] == {"limit": 2.5}
    assert told["base"]["spec"] == "greedy"
    assert repr(policy) == "<Policy: take_upcard+by_limit>"
    named = gin_sim.Policy.of(should_knock=by_limit, name="mine", parameters={"limit": 2})
    assert (named.spec, named.kind.name) == ("mine", "mine")


def test_a_policy_is_taken_in_every_form():
    spec = policy_of("greedy:knock=4")
    assert policy_of(spec) is spec
    plain = policy_of({"should_knock": by_limit, "parameters": {"limit": 4}})
    assert tally(plain)[0] == tally(spec)[0]
    alone = policy_of(cell("def should_knock(view, p):\n    return False\n")["should_knock"])
    assert alone.spec == "should_knock"


# ------------------------------------------------------------------ refusals


class Knocker:
    def __call__(self, view, p):
        return True


def closing_over(limit):
    def knock(view, p):
        return view.deadwood <= limit

    return knock


def textless(view="view"):
    names = {}
    exec(f"def knock({view}, p):\n    return True\n", names)
    return names["knock"]


def no_p(view):
    return True


def discard_of_no_card(view, p):
    return view.deadwood / 2


def by_luck(view, p):
    return random.random() < 0.5


def of_another_field(view, p):
    return view.deadwod <= 5


def printing(view, p):
    print(view.deadwood)
    return True


def raising(view, p):
    raise ValueError


@functools.lru_cache
def decorated(view, p):
    return True


def reading_a_file(view, p):
    return view.deadwood <= len(open("limit").read())


HERE = r"'.*test_functions\.py', line \d+: "
REFUSED = [
    ({}, r"a policy of functions needs one: give take_upcard, choose_discard or should_knock\."),
    (
        {"should_knock": lambda view, p: True},
        r"should_knock is <function .* is not a plain",
    ),
    ({"should_knock": Knocker()}, r"should_knock is <.*Knocker object .* is not a plain function"),
    ({"should_knock": closing_over(5)}, r"knock is not a plain function: write def knock\(view, p"),
    ({"should_knock": decorated}, r"decorated is not a plain function"),
    ({"should_knock": textless()}, r"the text of knock cannot be found, .* notebook cell\."),
    ({"should_knock": no_p}, HERE + r"no_p takes \(view\): it takes \(view, p\) and no more\."),
    ({"should_knock": by_luck}, HERE + "by_luck uses random.random, and the same seed must give"),
    ({"should_knock": of_another_field}, r"reads view\.deadwod, .* Did you mean 'deadwood'\?"),
    ({"should_knock": printing}, HERE + "printing uses print, which a decision cannot"),
    ({"should_knock": raising}, HERE + "raising uses raise, which a decision cannot"),
    ({"should_knock": by_limit}, r"by_limit reads p\.limit, and p has no 'limit'"),
    ({"should_knock": by_limit, "base": "gredy"}, r"base: no policy is called 'gredy'\. Did you"),
    ({"should_knock": by_limit, "base": None}, "nothing decides take_upcard and choose_discard"),
    ({"should_knock": by_limit, "name": "a:b"}, "the name 'a:b' could be read as a spec"),
    ({"should_knock": by_limit, "parameters": {"limit": "5"}}, "the parameter limit is '5': it is"),
    ({"should_knock": by_limit, "parameters": {"my limit": 5}}, "the parameter 'my limit' cannot"),
    ({"should_knock": by_limit, "parameters": {f"x{i}": 1 for i in range(33)}}, "at most 32"),
]


@pytest.mark.parametrize(("words", "sentence"), REFUSED)
def test_what_cannot_be_a_policy_is_refused_in_one_sentence(words, sentence):
    with pytest.raises(PolicyError, match=sentence) as refusal:
        gin_sim.Policy.of(**words)
    assert "\n" not in str(refusal.value)


def test_what_is_no_policy_at_all_is_refused():
    with pytest.raises(InputError, match="7 is not a policy: give a spec such as 'greedy:knock=5'"):
        policy_of(7)
    with pytest.raises(PolicyError, match=r"no 'should_nock'\. Did you mean 'should_knock'"):
        policy_of({"should_nock": by_limit})
    with pytest.raises(
        PolicyError, match=r"say which one it makes, as in .*\(should_knock=by_limit\)"
    ):
        policy_of(by_limit)


@pytest.mark.skipif(config.DISABLE_JIT, reason="nothing is compiled")
def test_what_the_compiler_refuses_is_named_with_its_line():
    with pytest.raises(PolicyError, match=HERE + "reading_a_file cannot be compiled: "):
        gin_sim.Policy.of(should_knock=reading_a_file)
    with pytest.raises(PolicyError, match=HERE + "discard_of_no_card returns a number with dec"):
        gin_sim.Policy.of(choose_discard=discard_of_no_card)
