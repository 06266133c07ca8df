"""Which policies draw and discard alike whatever their knock: answers stated by hand, and played.

The cases name policies whose rules are known; a hand in play then asks both of a pair that is said
to be alike for every card.
"""

from __future__ import annotations

import dataclasses
from pathlib import Path

import pytest
from strategies import Policies, deal_of, play

from gin_sim.engine.table import rule_record
from gin_sim.policies.catalogue import CATALOGUE, parse_policy
from gin_sim.policies.same_play import same_play, why_not_same_play
from gin_sim.policies.variations import parse_grid
from gin_sim.rules import PRESETS

EXAMPLES = Path(__file__).parents[1] / "data" / "policies"
PATIENT, CAUTIOUS, COLLECTOR = (
    str(EXAMPLES / name) for name in ("patient.toml", "cautious.py", "collector.py")
)
STANDARD = rule_record(PRESETS["standard"])

#: What of the family the knock alone reads; every other number is of a draw or a discard.
OF_THE_KNOCK = {
    "knock",
    "close_within",
    "close_limit",
    "ahead",
    "ahead_more",
    "behind",
    "behind_more",
    "knock_early",
    "count_undercut",
}

KNOCK = "def should_knock(view, p):\n    return view.deadwood <= p.limit\n"
TAKE = "def take_upcard(view, p):\n    return look_at_upcard(view) < view.deadwood\n"
DISCARD = "def choose_discard(view, p):\n    return highest_card(view.best_discards)\n"
HEAD = """\
from typing import NamedTuple
from gin_sim.engine.bits import highest_card
from gin_sim.engine.view import look_at_upcard
base = "greedy"
class Numbers(NamedTuple):
    limit: int = 10
    slope: float = 0.0
"""


def policies(*specs: str) -> list:
    return list(map(parse_policy, specs))


def grid(base: str, *texts: str) -> tuple:
    return parse_grid(base, texts).policies


@pytest.fixture
def file(tmp_path):
    """Write a policy file of some decisions; return its path."""

    def write(*decisions: str, name: str = "my.py") -> str:
        (tmp_path / name).write_text(HEAD + "".join(decisions), encoding="utf-8")
        return str(tmp_path / name)

    return write


ALIKE = [
    ("greedy",),
    ("greedy", "greedy:knock=0", "greedy:knock=6-10/5|4|3"),
    ("simple", "heisenbot", "two-threshold:early=9,late=0,turn=3", CAUTIOUS),
    ("two-threshold:early=1", "two-threshold:late=1", "two-threshold:turn=1"),
    ("gin-only", "knock-asap", "heuristic", "heuristic:ahead=10,ahead_more=3,close_within=5"),
    ("strong", "strong:knock=10,count_undercut=0", "strong:knock_early=0"),
    (PATIENT, f"{PATIENT}:knock=0"),
    ("heuristic:watch=0", "heuristic:watch=0,rank_discarded=7"),  # the switch takes the weight out
    (CAUTIOUS, f"{CAUTIOUS}:limit=-1", f"{CAUTIOUS}:slope=3"),
    (f"{CAUTIOUS}:limit=-1", f"{CAUTIOUS}:limit=-1,slope=2"),  # -1 as a float is no number
    (COLLECTOR, COLLECTOR),
    (f"{COLLECTOR}:saves=-1", f"{COLLECTOR}:saves=-1,fear=2"),
]
UNLIKE = [
    ("greedy", "simple"),
    ("greedy", "marjj"),
    ("random", "greedy"),
    ("heuristic", "strong"),
    ("heuristic", PATIENT),
    ("greedy", "greedy:knock=3", "simple"),
    ("greedy", COLLECTOR),
    (CAUTIOUS, "greedy"),
    (COLLECTOR, f"{COLLECTOR}:saves=2"),
    # Only its knock reads them, but every function is handed all numbers of the file.
    (COLLECTOR, f"{COLLECTOR}:limit=2"),
    (COLLECTOR, f"{COLLECTOR}:dare=1"),
]


@pytest.mark.parametrize("specs", ALIKE, ids=" ".join)
def test_policies_that_differ_in_their_knock_draw_and_discard_alike(specs):
    assert same_play(policies(*specs))
    assert same_play(policies(*reversed(specs)))
    assert why_not_same_play(policies(*specs)) == ""


@pytest.mark.parametrize("specs", UNLIKE, ids=" ".join)
def test_policies_that_draw_or_discard_differently_are_not_the_same_play(specs):
    assert not same_play(policies(*specs))
    assert not same_play(policies(*reversed(specs)))
    assert why_not_same_play(policies(*specs))


@pytest.mark.parametrize("base", ["heuristic", "strong", "knock-asap"])
def test_each_number_of_the_family_counts_as_what_reads_it(base):
    parameters = CATALOGUE[base].parameters
    assert {p.name for p in parameters} > OF_THE_KNOCK
    for parameter in parameters:
        ends = f"{parameter.name}={parameter.low:g},{parameter.high:g}"
        assert same_play(grid(base, ends)) == (parameter.name in OF_THE_KNOCK), parameter.name


def test_each_bucket_of_a_weight_counts():
    for bucket in ("1", "2", "3-4", "5-6", "7-9", "10+"):
        assert not same_play(grid("strong", f"pips@{bucket}=1:2"))
    assert not same_play(grid("strong", "knock=0:1", "take@10+=1:2"))
    assert same_play(grid("strong", "knock@20:3+=0:1", "knock@1:0=0:1"))


@pytest.mark.parametrize("specs", [s for s in ALIKE if len(s) > 1], ids=" ".join)
def test_policies_found_alike_play_alike(specs):
    """Each is asked for the same positions of hands that are played out to the end."""
    answers = [Policies(spec, spec) for spec in specs]
    asked = {"draw": 0, "discard": 0}

    def check(position, point):
        if point == "draw" and position.open and position.view.upcard >= 0:
            assert len({one.takes(position) for one in answers}) == 1
        elif point == "discard":
            assert len({one.discards(position) for one in answers}) == 1
        else:
            return
        asked[point] += 1

    for deal_index in range(4):
        play(deal_of(8, deal_index, STANDARD), Policies("greedy:knock=0", specs[0]), check)
    assert min(asked.values()) > 20


@pytest.mark.parametrize(
    ("decisions", "alike"),
    [
        ((KNOCK,), True),
        ((TAKE,), False),
        ((DISCARD,), False),
        ((KNOCK, TAKE), False),
        ((KNOCK, DISCARD), False),
        ((KNOCK, TAKE, DISCARD), False),
    ],
    ids=lambda value: "+".join(text[4:8] for text in value) if isinstance(value, tuple) else "",
)
def test_a_files_own_draw_or_discard_is_taken_to_read_its_numbers(file, decisions, alike):
    path = file(*decisions)
    assert same_play(grid(path, "limit=0:10")) == alike
    assert same_play(grid(path, "slope=0:1:0.5", "limit=3,-3")) == alike
    assert same_play(grid(path, "limit=-7"))


@pytest.mark.parametrize("decision", [TAKE, DISCARD], ids=["take", "discard"])
def test_one_decision_of_its_own_is_enough(file, decision):
    """Greedy's very rule written out is a function of which nothing is known."""
    one, other = file(decision, name="one.py"), file(decision, name="other.py")
    assert not same_play(policies(one, other))
    assert not same_play(policies("greedy", one))
    assert not same_play(policies(one, "greedy"))
    assert same_play(policies(one, one))


@pytest.mark.parametrize("decision", ["take", "discard"])
def test_one_shipped_rule_that_differs_is_enough(decision):
    """No two shipped policies share one of the two rules alone, so one is made that does."""
    greedy, marjj = policies("greedy", "marjj")
    other = dataclasses.replace(greedy.kind, **{decision: getattr(marjj.kind, decision)})
    assert not same_play([greedy, dataclasses.replace(greedy, kind=other)])
    knock = dataclasses.replace(greedy.kind, knock=marjj.kind.knock + 1)
    assert same_play([greedy, dataclasses.replace(greedy, kind=knock)])


def test_files_that_only_knock_draw_as_their_base(file):
    one, other = file(KNOCK, name="a.py"), file(KNOCK, name="b.py")
    assert same_play(policies(one, other, f"{other}:limit=2", "greedy"))


@pytest.mark.parametrize(
    ("base", "texts", "sentence"),
    [
        ("strong", ["pips=1:2"], "what strong draws and discards depends on pips."),
        ("strong", ["knock=1:2", "slip=0:1"], "what strong draws and discards depends on slip."),
        ("strong", ["pips@1=1:2", "pips@2=0:1"], "what strong draws and discards depends on pips."),
        (
            "heuristic:slip=0.1",
            ["watch=0:1", "take=0:1"],
            "what heuristic draws and discards depends on take and watch.",
        ),
        (
            COLLECTOR,
            ["limit=1:2"],
            f"what {COLLECTOR} draws and discards may depend on limit: its own take_upcard and "
            "choose_discard can read every number of the file.",
        ),
    ],
)
def test_the_reason_names_what_is_varied(base, texts, sentence):
    assert why_not_same_play(grid(base, *texts)) == sentence


def test_the_reason_names_the_one_function_that_is_the_files_own(file):
    path = file(KNOCK, DISCARD)
    assert why_not_same_play(grid(path, "limit=1:2", "slope=0:1")) == (
        f"what {path} draws and discards may depend on limit and slope: its own choose_discard can "
        "read every number of the file."
    )


def test_the_reason_names_the_first_policy_that_plays_otherwise():
    assert why_not_same_play(policies("greedy", "greedy:knock=3", "simple", "marjj")) == (
        "greedy and simple do not draw and discard alike."
    )
    assert why_not_same_play(policies("heuristic:knock=0", "strong")) == (
        "heuristic:knock=0 and strong do not draw and discard alike."
    )
    assert why_not_same_play(policies("heuristic", PATIENT)) == (
        f"heuristic and {PATIENT} do not draw and discard alike."
    )


def test_a_weight_that_matters_only_with_another_is_named():
    """A weight of watching counts only where watching is not switched off."""
    assert why_not_same_play(
        policies("heuristic:watch=0", "heuristic:watch=1,rank_discarded=7")
    ) == ("what heuristic draws and discards depends on watch.")
