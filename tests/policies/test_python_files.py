"""Python policies: what their decisions see and answer, their cache, and what is refused.

Decisions are judged in positions of hands in play, by the oracle and by shipped policies that a
file writes out again.
"""

from __future__ import annotations

import gc
import heapq
import json
import os
import re
import shutil
import subprocess
import sys
import types
from collections import Counter
from pathlib import Path

import msgspec
import naive
import numpy as np
import pytest
from numba import config
from strategies import Policies, deal_of, names, play, players, tally_of

from gin_sim.engine import jit
from gin_sim.engine.table import (
    new_state,
    rule_record,
)
from gin_sim.errors import InputError
from gin_sim.play.loop import play_chunk
from gin_sim.play.plans import Plan
from gin_sim.play.record import play_recorded
from gin_sim.play.run import simulate
from gin_sim.play.start import Units
from gin_sim.play.tallies import new_deal, new_tally
from gin_sim.policies import contract
from gin_sim.policies.catalogue import parse_policy
from gin_sim.policies.contract import N_OWN, PolicyError
from gin_sim.policies.files import source
from gin_sim.policies.files.dependencies import is_beside
from gin_sim.policies.files.source import DECISIONS
from gin_sim.rules import PRESETS, Rules

ROOT = Path(__file__).parents[2]
EXAMPLES = Path(__file__).parents[1] / "data" / "policies"
CAUTIOUS, COLLECTOR = (str(EXAMPLES / name) for name in ("cautious.py", "collector.py"))
STANDARD = rule_record(PRESETS["standard"])
OPENSPIEL = rule_record(PRESETS["openspiel"])

# How the files of these tests begin.
KNOCK = "def should_knock(view, p):\n    return True\n"
IN_KNOCK = 'base = "greedy"\ndef should_knock(view, p):\n    '
IN_DISCARD = 'base = "greedy"\ndef choose_discard(view, p):\n    '
NUMBERS = 'from typing import NamedTuple\nbase = "greedy"\nclass N(NamedTuple):\n    '


def written(folder: Path, text: str, name: str = "my.py") -> str:
    """A policy file with this text; its path."""
    path = folder / name
    path.write_text(text, encoding="utf-8")
    return str(path)


def same_play(first: str, second: str, rules=STANDARD, n_deals: int = 200) -> bool:
    """Whether two policies play the same hands alike, against greedy."""
    tallies = [tally_of((spec, "greedy"), rules, 9, n_deals) for spec in (first, second)]
    return tallies[0].tobytes() == tallies[1].tobytes()


# ---------------------------------------------- what decisions see and answer

GREEDY = '''\
"""greedy, written out."""
from typing import NamedTuple

from gin_sim.engine.bits import highest_card
from gin_sim.engine.view import look_at_upcard


class Numbers(NamedTuple):
    limit: int = 10


def take_upcard(view, p):
    return look_at_upcard(view) < view.deadwood


def choose_discard(view, p):
    return highest_card(view.best_discards)


def should_knock(view, p):
    return view.deadwood <= p.limit
'''


@pytest.mark.jitless
@pytest.mark.parametrize("rules", [STANDARD, OPENSPIEL], ids=["standard", "openspiel"])
def test_a_shipped_policy_written_out_plays_the_same(rules, tmp_path):
    n_deals = 4 if config.DISABLE_JIT else 300
    path = written(tmp_path, GREEDY)
    assert same_play(path, "greedy", rules, n_deals)
    assert same_play(f"{path}:limit=3", "greedy:knock=3", rules, n_deals)
    assert same_play(f"{path}:Numbers:limit=3", "greedy:knock=3", rules, n_deals)


@pytest.mark.jitless
def test_a_base_decides_what_the_file_does_not(tmp_path):
    n_deals = 3 if config.DISABLE_JIT else 200
    knock = written(
        tmp_path, 'base = "simple:knock=0"\ndef should_knock(view, p):\n    return True\n'
    )
    assert same_play(knock, "simple", n_deals=n_deals)
    discard = written(
        tmp_path,
        "from gin_sim.engine.bits import highest_card\n"
        'base = "greedy:knock=4"\n'
        "def choose_discard(view, p):\n    return highest_card(view.best_discards)\n",
        "discard.py",
    )
    assert same_play(discard, "greedy:knock=4", n_deals=n_deals)


def test_a_base_of_the_family_keeps_its_weights(tmp_path):
    path = written(
        tmp_path,
        'base = "heuristic:pips=1/2/3"\ndef should_knock(view, p):\n    return view.turn <= 3\n',
    )
    assert not same_play(path, "heuristic:pips=1/2/3")  # gin is offered like any knock
    path = written(
        tmp_path,
        'base = "heuristic:pips=1/2/3"\n'
        "def should_knock(view, p):\n    return view.turn <= 3 or view.deadwood == 0\n",
    )
    assert same_play(path, "heuristic:pips=1/2/3")


@pytest.mark.long
@pytest.mark.jitless
def test_the_collector_decides_as_it_says():
    saves, fear, limit = 2, 1.5, 5
    spec = f"{COLLECTOR}:saves={saves},fear={fear},limit={limit}"
    answers = Policies(spec, spec)
    seen = Counter()

    def check(position, point):
        view = position.view
        hand = names(view.hand)
        if point == "draw" and view.upcard >= 0:
            upcard = naive.DECK[int(view.upcard)]
            least, _ = naive.best_discards(hand | {upcard}, upcard)
            takes = naive.deadwood(hand) - least >= saves
            assert answers.takes(position) == takes
            seen["takes" if takes else "leaves"] += 1
        elif point == "discard":
            gone = hand | names(view.pile_cards) | names(view.opponent_known)
            costs = {}
            for card in hand - names(view.barred):
                risk = sum(c[0] == card[0] and c not in gone for c in naive.DECK)
                cost = naive.deadwood(hand - {card}) + fear * risk - 0.1 * naive.pips(card)
                costs[card] = round(cost, 6)
            best = {card for card, cost in costs.items() if cost == min(costs.values())}
            assert naive.DECK[answers.discards(position)] in best
            seen["ties"] += len(best) > 1
        elif point == "knock":
            knocks = naive.deadwood(hand) <= limit
            assert answers.knocks(position) == knocks
            seen["knocks" if knocks else "goes on"] += 1

    for deal_index in range(4 if config.DISABLE_JIT else 40):
        play(deal_of(4, deal_index, STANDARD), Policies(spec, "random"), check)
    assert min(seen[name] for name in ("takes", "leaves", "ties", "goes on")) >= 4
    assert config.DISABLE_JIT or seen["knocks"] > 10


def test_numbers_arrive_with_their_types(tmp_path):
    """Of 32 fields of every type, each is at its place."""
    fields, tests = [], []
    for i in range(N_OWN):
        kind, value, other = (("int", i, i + 1), ("float", i + 0.5, -i), ("bool", True, 0))[i % 3]
        fields.append(f"    n{i}: {kind} = {value}\n")
        tests.append(f"p.n{i} == {other}")
    path = written(
        tmp_path,
        "import typing\n"
        f"class Many(typing.NamedTuple):\n{''.join(fields)}"
        f'base = "greedy"\ndef should_knock(view, p):\n    return {" and ".join(tests)}\n',
    )
    others = [(i + 1, -i, 0)[i % 3] for i in range(N_OWN)]
    settings = ",".join(f"n{i}={other}" for i, other in enumerate(others))
    assert same_play(f"{path}:{settings}", "greedy:knock=50", n_deals=20)
    described = parse_policy(f"{path}:{settings}").as_dict()["parameters"]
    assert list(described.values()) == others
    for i in (0, 1, 2, N_OWN - 1):
        changed = dict(enumerate(others)) | {i: (0, 1, 1)[i % 3]}
        settings = ",".join(f"n{j}={other}" for j, other in changed.items())
        assert not same_play(f"{path}:{settings}", "greedy:knock=50", n_deals=20), i


@pytest.mark.long
def test_each_class_of_numbers_is_a_policy(tmp_path):
    text = GREEDY + "\nclass Patient(NamedTuple):\n    limit: float = 2.5  # pips\n"
    path = written(tmp_path, text)
    assert same_play(f"{path}:Patient", "greedy:knock=2")
    assert same_play(f"{path}:Numbers", "greedy")
    assert same_play(f"{path}:Patient:limit=4", "greedy:knock=4")
    policy = parse_policy(f"{path}:Patient")
    assert policy.as_dict() == {
        "spec": f"{path}:Patient",
        "policy": f"{path}:Patient",
        "parameters": {"limit": 2.5},
        "decides": list(DECISIONS),
        "source": policy.digest,
        "base": None,
    }
    assert policy.kind.parameters[0].meaning == "pips"
    assert policy.kind.summary == "greedy, written out."


def test_a_base_is_described_with_its_numbers():
    described = parse_policy(CAUTIOUS).as_dict()
    assert described["parameters"] == {"limit": 10, "slope": 1.0}
    assert described["decides"] == ["should_knock"]
    assert described["base"] == parse_policy("simple").as_dict()


@pytest.mark.jitless
def test_two_files_play_each_other(tmp_path):
    tally = tally_of((CAUTIOUS, COLLECTOR), STANDARD, 6, 4)[0]
    assert (tally.faults, tally.hands) == (0, 8)


def test_bool_of_a_number_is_a_valid_answer(tmp_path):
    text = 'base = "greedy:knock=0"\ndef should_knock(view, p):\n    return bool(2 * view.turn)\n'
    assert same_play(written(tmp_path, text), "greedy:knock=50")


# -------------------------------------------------------------------- legality


@pytest.mark.long
@pytest.mark.parametrize("preset", PRESETS)
@pytest.mark.parametrize("example", sorted(EXAMPLES.iterdir()), ids=lambda path: path.name)
def test_every_example_passes_the_referee_under_every_rule_set(example, preset):
    rules = PRESETS[preset]
    for opponent in ("simple", "random"):
        policies = (parse_policy(str(example)), parse_policy(opponent))
        for record in play_recorded(policies, rules, 12, 40):
            told = json.loads(msgspec.json.encode(record))
            assert naive.referee(told, rules.as_dict()) is None


@pytest.mark.parametrize(
    ("discarded", "fault"),
    [
        ("-1", "named no card to discard"),
        ("52", "discarded a card that it does not hold"),
        ("1 << 40", "discarded a card that it does not hold"),
        ("view.opponent_discards_in_order[1]", "discarded a card that it does not hold"),
    ],
)
def test_an_illegal_discard_is_a_fault(discarded, fault, tmp_path):
    path = written(
        tmp_path, f'base = "greedy"\ndef choose_discard(view, p):\n    return {discarded}\n'
    )
    policies = (parse_policy(path), parse_policy("greedy"))
    with pytest.raises(InputError, match="illegal step in"):
        simulate(Plan(policies, Rules(), 20), threads=1)
    with pytest.raises(PolicyError, match=f"the policy {re.escape(path)} {fault}, in turn"):
        list(play_recorded(policies, Rules(), 1, 20))


def test_discarding_back_what_was_taken_is_a_fault(tmp_path):
    text = (
        'base = "greedy"\ndef take_upcard(view, p):\n    return True\n'
        "def choose_discard(view, p):\n    return view.drawn\n"
    )
    policies = (parse_policy(written(tmp_path, text)), parse_policy("greedy"))
    with pytest.raises(PolicyError, match="discarded the card that it had just taken"):
        list(play_recorded(policies, Rules(), 1, 20))


@pytest.mark.jitless
@pytest.mark.parametrize("field", ["take_rule", "discard_rule", "knock_rule"])
@pytest.mark.parametrize("number", [-1, 99, "file"])
def test_a_rule_that_does_not_exist_is_a_fault(field, number):
    last = {
        "take_rule": contract.TAKE_BY_FILE,
        "discard_rule": contract.DISCARD_BY_FILE,
        "knock_rule": contract.KNOCK_BY_FILE,
    }[field]
    seated = players("greedy", "simple")
    seated[field][1] = last if number == "file" else number
    if number == "file":
        seated[field.replace("rule", "at")][1] = 0  # a file's rule without a function
    tally = new_tally()
    play_chunk(*new_state(), new_deal(), tally, STANDARD, seated, Units(1, 0, 3, 2))
    assert (tally.faults[0], tally.hands[0]) == (6, 6)
    answers = Policies("greedy", "simple")
    answers.players[field] = 99
    position = deal_of(1, 0, STANDARD)
    ask = {"take_rule": answers.takes, "discard_rule": answers.discards}.get(field, answers.knocks)
    assert ask(position) in (False, -1)


def test_what_a_decision_writes_goes_with_its_copy(tmp_path):
    """By a way that no check knows; the engine's own view stays as it is."""
    path = written(
        tmp_path,
        "import numpy as np\n"
        "def other(x):\n    return x\n"
        'base = "greedy"\ndef should_knock(view, p):\n'
        "    x = other(view.pile)\n    y = other(view.pile.reshape(4, 13))\n"
        "    y[0, 0] = x[51] = 3\n    return view.deadwood <= 10\n",
    )
    assert same_play(path, "greedy")
    shown = [
        list(play_recorded((parse_policy(spec), parse_policy("greedy")), Rules(), 1, 20))
        for spec in (path, "greedy")
    ]
    assert [r.turns for r in shown[0]] == [r.turns for r in shown[1]]


def test_an_exception_in_a_decision_ends_the_simulation(tmp_path):
    text = 'base = "greedy"\ndef should_knock(view, p):\n    return [1, 2][view.turn] > 0\n'
    path = written(tmp_path, text)
    hook = sys.unraisablehook
    with pytest.raises(InputError, match=r"a decision of [^ ]*my.py ended with IndexError"):
        simulate(Plan((parse_policy(path), parse_policy("simple")), Rules(), 400), threads=1)
    assert sys.unraisablehook is hook


def test_a_division_by_zero_ends_the_simulation(tmp_path):
    path = written(tmp_path, IN_KNOCK + "return 10 // (view.turn - view.turn) > 0\n")
    with pytest.raises(InputError, match="ended with ZeroDivisionError"):
        simulate(Plan((parse_policy(path), parse_policy("simple")), Rules(), 100))


@pytest.mark.parametrize(
    "text",
    [
        IN_KNOCK + "return view.pile[304 + view.turn] > 0\n",
        IN_KNOCK + "return view.pile[view.turn - 60] > 0\n",
        "def far(x, i):\n    return x[i]\n" + IN_KNOCK + "return far(view.pile, 300) > 0\n",
        "import numpy as np\nT = np.array([1, 2])\n" + IN_KNOCK + "return T[view.turn + 1] > 0\n",
    ],
    ids=["past the end", "before the start", "in a helper", "own table"],
)
def test_an_index_past_an_array_reads_nothing(text, tmp_path):
    """Both players' views lie side by side: what follows one's arrays is the other's hand."""
    policies = (parse_policy(written(tmp_path, text)), parse_policy("simple"))
    with pytest.raises(InputError, match="ended with IndexError"):
        simulate(Plan(policies, Rules(), 200), threads=1)


# ------------------------------------------------------- helpers and the cache

USES_BESIDE = """\
import beside
from beside import twice

base = "greedy"


def should_knock(view, p):
    return beside.once(twice(view.deadwood)) <= beside.LIMIT
"""
BESIDE = """\
LIMIT = 10


def once(x):
    return x


def twice(x):
    return once(x) + once(x)
"""


@pytest.mark.jitless
def test_helpers_in_the_file_and_beside_it_are_compiled_too(tmp_path):
    n_deals = 3 if config.DISABLE_JIT else 200
    path = written(tmp_path, USES_BESIDE)
    written(tmp_path, BESIDE, "beside.py")
    before = set(sys.modules)
    assert same_play(path, "greedy:knock=5", n_deals=n_deals)
    assert "beside" not in set(sys.modules) - before
    assert not (tmp_path / "__pycache__").exists()
    # Another folder's module of the same name is another module, and a change in it is seen.
    other = tmp_path / "other"
    other.mkdir()
    written(other, BESIDE.replace("10", "4"), "beside.py")
    assert same_play(written(other, USES_BESIDE), "greedy:knock=2", n_deals=n_deals)
    digest = parse_policy(path).digest
    written(tmp_path, BESIDE.replace("10", "8"), "beside.py")
    assert same_play(path, "greedy:knock=4", n_deals=n_deals)
    assert parse_policy(path).digest != digest


@pytest.mark.jitless
def test_a_module_in_the_same_folder_wins_over_a_loaded_one(tmp_path, monkeypatch):
    """By the name of one that is loaded from elsewhere, or is this very one."""
    n_deals = 3 if config.DISABLE_JIT else 200
    path = written(tmp_path, USES_BESIDE)
    written(tmp_path, BESIDE, "beside.py")
    loaded = types.ModuleType("beside")
    loaded.LIMIT, loaded.once, loaded.twice = 0, abs, abs
    monkeypatch.setitem(sys.modules, "beside", loaded)
    for file in ("elsewhere.py", str(tmp_path / "beside.py")):
        loaded.__file__ = file
        assert same_play(path, "greedy:knock=5", n_deals=n_deals)
        assert sys.modules["beside"] is loaded


@pytest.mark.jitless
def test_a_name_in_the_folder_that_means_something_else_is_refused(tmp_path, monkeypatch):
    written(tmp_path, "LIMIT = 3\n", "calendar.py")
    assert sentence_for("x = 1\nimport calendar\n" + KNOCK, tmp_path) == (
        "'F', line 2: it imports calendar, and calendar.py in its folder has the name of a module "
        "that is loaded already: give it another name."
    )
    for folder in (tmp_path / "one", tmp_path / "two"):
        (folder / "some_tools").mkdir(parents=True)
        written(folder / "some_tools", "LIMIT = 3\n", "limits.py")
    loaded = types.ModuleType("some_tools.limits")
    loaded.__file__ = str(tmp_path / "one" / "some_tools" / "limits.py")
    monkeypatch.setitem(sys.modules, "some_tools.limits", loaded)
    assert sentence_for("from some_tools.limits import LIMIT\n" + KNOCK, tmp_path / "two") == (
        "'F', line 1: it imports some_tools, and some_tools in its folder has the name of a module "
        "that is loaded already: give it another name."
    )


def test_pythons_own_functions_are_left_alone(tmp_path, monkeypatch):
    """Though a policy may stand above the folder of Python, in a home folder say."""
    heapify = heapq.heapify
    path = written(
        tmp_path,
        "import heapq\n"
        + IN_KNOCK
        + "heap = [60, view.deadwood]\n    heapq.heapify(heap)\n    return heap[0] <= 10\n",
    )
    monkeypatch.setattr(source.Path, "is_relative_to", lambda *_: True)
    assert same_play(path, "greedy")
    assert heapq.heapify is heapify
    assert not is_beside(heapq.nsmallest, tmp_path)  # one that is written in Python


@pytest.mark.long
def test_a_policy_may_stand_beside_the_package_itself(tmp_path):
    (tmp_path / "gin_sim").symlink_to(ROOT / "gin_sim")
    written(tmp_path, GREEDY)
    program = (
        "from gin_sim.policies.catalogue import parse_policy; "
        "print(*parse_policy('my.py').addresses)"
    )
    ran = subprocess.run(
        [sys.executable, "-c", program], cwd=tmp_path, capture_output=True, text=True, check=True
    )
    assert ran.stdout.split() == list(DECISIONS)


@pytest.mark.jitless
@pytest.mark.parametrize("change", ["sys.path.clear()", "sys.path = []", "sys.path.append('x')"])
def test_a_file_leaves_the_search_path_as_it_was(change, tmp_path):
    search, before = sys.path, list(sys.path)
    parse_policy(written(tmp_path, f"import sys\n{change}\n" + IN_KNOCK + "return True\n"))
    assert sys.path is search
    assert sys.path == before


def test_a_package_in_the_folder_is_left_alone(tmp_path):
    package = tmp_path / "some_package_of_the_folder"
    package.mkdir()
    written(package, "LIMIT = 3\n", "__init__.py")
    text = (
        "from some_package_of_the_folder import LIMIT\n"
        'base = "greedy"\n'
        "def should_knock(view, p):\n    return view.deadwood <= LIMIT\n"
    )
    try:
        assert same_play(written(tmp_path, text), "greedy:knock=3")
        assert sys.modules["some_package_of_the_folder"].LIMIT == 3
    finally:
        sys.modules.pop("some_package_of_the_folder", None)


def test_a_number_that_the_file_reads_is_part_of_its_state(tmp_path):
    text = (
        "import pathlib\n"
        "LIMIT = int((pathlib.Path(__file__).parent / 'limit.txt').read_text())\n"
        'base = "greedy"\n'
        "def should_knock(view, p):\n    return view.deadwood <= LIMIT\n"
    )
    path = written(tmp_path, text)
    for limit in (5, 3):
        (tmp_path / "limit.txt").write_text(str(limit))
        assert same_play(path, f"greedy:knock={limit}")


READS_DATA = """\
import json
import pathlib
LIMIT = json.loads((pathlib.Path(__file__).parent / "limit.json").read_text())
"""


@pytest.mark.long
@pytest.mark.parametrize(
    ("named", "places"),
    [
        ("consts.LIMIT", {"consts.py": READS_DATA}),
        ("consts.far.LIMIT", {"consts.py": "import far\n", "far.py": READS_DATA}),
        ("consts.LIMITS[0][1]", {"consts.py": READS_DATA + "LIMITS = ((0, LIMIT),)\n"}),
        (
            "consts.low()",
            {"consts.py": READS_DATA + "def low(limit=LIMIT):\n    return limit\n"},
        ),
        (
            "consts.Limits.LOW",
            {
                "consts.py": READS_DATA
                + "import enum\nclass Limits(enum.IntEnum):\n    LOW = LIMIT\n"
            },
        ),
    ],
    ids=["a module's number", "a module's module", "a tuple", "a default", "an enum"],
)
def test_a_number_that_a_module_reads_is_part_of_the_state(named, places, tmp_path):
    for name, text in places.items():
        written(tmp_path, text, name)
    path = written(tmp_path, "import consts\n" + IN_KNOCK + f"return view.deadwood <= {named}\n")
    for limit in (5, 3):
        written(tmp_path, str(limit), "limit.json")
        assert same_play(path, f"greedy:knock={limit}")


@pytest.mark.long
def test_a_change_in_a_folder_of_helpers_is_seen(tmp_path):
    """In a process of its own each, since a package stays loaded as long as the process lives."""
    paths, helpers = [], []
    for i, decorator in enumerate(("", "@numba.njit\n", "@numba.njit(cache=True)\n")):
        folder = tmp_path / f"some_helpers_{i}"
        folder.mkdir()
        text = f"from {folder.name} import tools\n{IN_KNOCK}return tools.low(view.deadwood)\n"
        paths.append(written(tmp_path, text, f"my{i}.py"))
        helper = f"import numba\n{decorator}def low(x):\n    return x <= LIMIT\n"
        helpers.append((folder, helper))
    told = []
    for limit in (10, 2):
        for folder, helper in helpers:
            written(folder, helper + f"LIMIT = {limit}\n", "tools.py")
        program = (
            "import sys; sys.path[:0] = ['tests']; from strategies import tally_of; "
            "from gin_sim.rules import Rules; from gin_sim.engine.table import rule_record; "
            "rules = rule_record(Rules()); "
            f"print(*(tally_of((spec, 'greedy'), rules, 9, 200).tobytes().hex() for spec in "
            f"({paths!r} + ['greedy:knock={limit}'])))"
        )
        ran = subprocess.run(
            [sys.executable, "-c", program],
            cwd=ROOT,
            env={**os.environ, "PYTHONPATH": str(ROOT)},
            capture_output=True,
            text=True,
            check=True,
        )
        told.append(ran.stdout.split())
    assert [len(set(each)) for each in told] == [1, 1]
    assert told[0] != told[1]


def test_arrays_of_its_own_may_be_written_to(tmp_path):
    text = (
        "import numpy as np\n"
        "TABLE = np.array([0, 10, 10, 5, 5, 0])\n"
        'base = "greedy"\n'
        "def should_knock(view, p):\n"
        "    limits = np.zeros(6)\n"
        "    for i in range(6):\n"
        "        limits[i] = TABLE[i]\n"
        "    return view.deadwood <= limits[min(view.turn, 5)]\n"
    )
    assert same_play(written(tmp_path, text), "greedy:knock=10/10/5/5/0")


@pytest.mark.long
def test_the_second_process_starts_from_the_cache(tmp_path):
    path = written(tmp_path, USES_BESIDE + f"# {tmp_path}\n")
    written(tmp_path, BESIDE, "beside.py")
    program = (
        "import sys; from numba.core import event; "
        "from gin_sim.policies.catalogue import parse_policy; "
        "from gin_sim.play.plans import Plan; from gin_sim.play.run import simulate; "
        "from gin_sim.rules import Rules; "
        "recorder = event.RecordingListener(); "
        "event.register('numba:compile', recorder); "
        "policies = (parse_policy(sys.argv[1]), parse_policy('simple')); "
        "print(len(recorder.buffer)); "
        "print(simulate(Plan(policies, Rules(), 400), 1).tally.tobytes().hex())"
    )
    ran = [
        subprocess.run(
            [sys.executable, "-c", program, path],
            cwd=ROOT,
            env={**os.environ, "PYTHONPATH": str(ROOT)},
            capture_output=True,
            text=True,
            check=True,
        ).stdout.split()
        for _ in range(2)
    ]
    assert int(ran[0][0]) > 0
    assert int(ran[1][0]) == 0
    assert ran[0][1] == ran[1][1]


def test_old_compiled_code_is_removed(tmp_path):
    digest = "0" * 16
    folder = jit.user_folder(digest)
    os.utime(folder, (1, 1))
    jit.user_folder("1" * 16)
    assert not folder.exists()
    shutil.rmtree(jit.user_folder("1" * 16))


# ---------------------------------------------------------- what is refused

BEFORE_COMPILING = [
    (KNOCK, "'F' does not define take_upcard or choose_discard: define it, or write base = "),
    ("x = 1\n", "'F' does not define take_upcard, choose_discard or should_knock: define it, or"),
    ('base = "greedy"\n', "'F' defines none of take_upcard, choose_discard or should_knock"),
    ("base = 5\n" + KNOCK, "'F', line 1: base is 5: it is a policy's spec as a text."),
    (KNOCK + "base = 'gredy'\n", "'F', line 3: base: no policy is called 'gredy'. Did you mean"),
    (KNOCK + "base = 'greedy:knock=99'\n", "'F', line 3: base: greedy's knock is '99': "),
    (KNOCK + "base = 'other.py'\n", "'F', line 3: base: no policy is called 'other.py'."),
    (
        'base = "greedy"\ndef should_knock(view):\n    return True\n',
        "'F', line 2: should_knock takes (view): it takes (view, p) and no more.",
    ),
    (
        'base = "greedy"\ndef should_knock(view, p, q=1):\n    return True\n',
        "'F', line 2: should_knock takes (view, p, q=1): it takes (view, p)",
    ),
    (
        'base = "greedy"\ndef should_knock(view, *p):\n    return True\n',
        "'F', line 2: should_knock takes (view, *p): it takes (view, p)",
    ),
    (
        'base = "greedy"\ndef should_knock(view, *, p):\n    return True\n',
        "'F', line 2: should_knock takes (view, *, p): it takes (view, p)",
    ),
    ('base = "greedy"\nshould_knock = 5\n', "'F', line 2: should_knock is not a plain function: "),
    (
        'base = "greedy"\nclass should_knock: pass\n',
        "'F', line 2: should_knock is not a plain func",
    ),
    (
        'base = "greedy"\nshould_knock = lambda view, p: True\n',
        "'F', line 2: should_knock is not a plain function: write def should_knock(view, p)",
    ),
    (
        'import numba\nbase = "greedy"\n@numba.njit\ndef should_knock(view, p):\n    return True\n',
        "'F', line 4: should_knock is not a plain function: write def should_knock(view, p) with",
    ),
    (
        'base = "greedy"\nasync def should_knock(view, p):\n    return True\n',
        "'F', line 2: should_knock is not a plain function",
    ),
    (
        'base = "greedy"\ndef make(n):\n    def should_knock(view, p):\n        return n\n'
        "    return should_knock\nshould_knock = make(1)\n",
        "'F', line 6: should_knock is not a plain function",
    ),
    (IN_KNOCK + "raise ValueError\n", "'F', line 3: should_knock uses raise, which a decision "),
    (IN_KNOCK + "print(view.deadwood)\n    return True\n", "'F', line 3: should_knock uses print"),
    (IN_KNOCK + "assert view.turn\n    return True\n", "'F', line 3: should_knock uses assert"),
    (
        IN_KNOCK + "try:\n        return True\n    except Exception:\n        return False\n",
        "'F', line 3: should_knock uses try",
    ),
    (IN_KNOCK + "yield True\n", "'F', line 3: should_knock uses yield"),
    ("n = 0\n" + IN_KNOCK + "global n\n    n = 1\n", "'F', line 4: should_knock uses global"),
    (IN_KNOCK + "with p:\n        return True\n", "'F', line 3: should_knock uses with"),
    (
        "def check(x):\n    if x > 3:\n        raise ValueError\n    return x\n"
        + IN_KNOCK
        + "return check(view.turn)\n",
        "'F', line 3: check uses raise",
    ),
    (IN_KNOCK + "import math\n    return True\n", "'F', line 3: should_knock uses import, which "),
    (IN_KNOCK + "view.hand = 0\n    return 1\n", "'F', line 3: should_knock writes to view.hand: "),
    (IN_KNOCK + "view.turn += 1\n    return 1\n", "'F', line 3: should_knock writes to view.turn"),
    (IN_KNOCK + "view.pile[0] = 1\n    return 1\n", "'F', line 3: should_knock writes to view.p"),
    (
        IN_KNOCK + "pile = view.pile\n    pile[0] = 1\n    return 1\n",
        "'F', line 4: should_knock writes to pile[0]: a decision only reads what it is given.",
    ),
    (
        "def clear(x):\n    x[0] = 1\n" + IN_KNOCK + "clear(view.pile)\n    return 1\n",
        "'F', line 2: clear writes to x[0]",
    ),
    (
        IN_KNOCK + "view.pile.fill(0)\n    return True\n",
        "'F', line 3: should_knock writes to view.pile: ",
    ),
    (
        IN_KNOCK + "x = view.pile\n    x.sort()\n    return True\n",
        "'F', line 4: should_knock writes to x: ",
    ),
    (
        IN_KNOCK + "x = view.pile.reshape(52)\n    x[0] = 1\n    return True\n",
        "'F', line 4: should_knock writes to x[0]: ",
    ),
    (
        "import numpy as np\n"
        + IN_KNOCK
        + "x = np.asarray(view.pile)\n    x[0] = 1\n    return True\n",
        "'F', line 5: should_knock writes to x[0]: ",
    ),
    (
        "import numba\n@numba.njit\ndef clear(x):\n    x[0] = 1\n"
        + IN_KNOCK
        + "clear(view.pile)\n    return True\n",
        "'F', line 4: clear writes to x[0]",
    ),
    (
        IN_KNOCK + "return view.deadwod < 5\n",
        "'F', line 3: should_knock reads view.deadwod, and a view has no 'deadwod'. Did you mean "
        "'deadwood'?",
    ),
    (
        "def far(turn, view):\n    return view.deadwod < turn\n"
        "def near(view):\n    return far(3, view=view)\n" + IN_KNOCK + "return near(view)\n",
        "'F', line 2: far reads view.deadwod, and a view has no 'deadwod'. Did you mean 'dead",
    ),
    (
        NUMBERS + "limit: int = 3\ndef low(x, q):\n    return x < q.limt\n"
        "def should_knock(view, p):\n    return low(view.deadwood, p)\n",
        "'F', line 6: low reads q.limt, and N has no 'limt'. Did you mean 'limit'?",
    ),
    (
        "from typing import NamedTuple\nN = NamedTuple('N', [('limit', int)])\n" + KNOCK,
        "'F', line 2: N is made by a call, which cannot give defaults: write class N(NamedTuple).",
    ),
    (NUMBERS + "limit: int\n" + KNOCK, "'F', line 4: N.limit has no default: write limit: int = "),
    (
        NUMBERS + "limit: str = 'a'\n" + KNOCK,
        "'F', line 4: N.limit is not a number: it is an int, a",
    ),
    (NUMBERS + "limit: list[int] = 5\n" + KNOCK, "'F', line 4: N.limit is not a number"),
    (
        NUMBERS + "limit: int = 2.5\n" + KNOCK,
        "'F', line 4: N.limit is 2.5: its default must be of type int",
    ),
    (NUMBERS + "limit: int = True\n" + KNOCK, "'F', line 4: N.limit is True: its default must be "),
    (NUMBERS + "limit: int = None\n" + KNOCK, "'F', line 4: N.limit is None: its default must be "),
    (NUMBERS + "limit: int = 1 << 60\n" + KNOCK, "'F', line 4: N.limit is 1152921504606846976: i"),
    (
        NUMBERS + "limit: float = float('nan')\n" + KNOCK,
        "'F', line 4: N.limit is nan: its default must be of type float.",
    ),
    (
        NUMBERS + "\n    ".join(f"n{i}: int = 0" for i in range(N_OWN + 1)) + "\n" + KNOCK,
        "'F', line 3: N has 33 numbers: a policy has at most 32 of its own.",
    ),
    (
        "x = 1\ndef f(:\n",
        "'F', line 2: this is not Python (invalid syntax).",
    ),
    ("x = 'a\n", "'F', line 1: this is not Python (unterminated string literal"),
    ("x = 1\0", "'F'"),
    (
        "x = 1\nx = 1 / 0\n",
        "'F', line 2: running the file raised ZeroDivisionError (division by zero).",
    ),
    (
        "def f():\n    return {}['a']\nf()\n",
        "'F', line 2: running the file raised KeyError ('a').",
    ),
    ("import nothing_of_the_name\n", "'F', line 1: running the file raised ModuleNotFoundError "),
    ("import sys\nsys.exit(3)\n", "'F', line 2: running the file raised SystemExit (3)."),
    (
        "import random\n" + KNOCK,
        "'F', line 1: it uses random, and the same seed must give the same hands: take chance "
        "from noise_word of gin_sim.policies.contract.",
    ),
    ("from random import random\n" + KNOCK, "'F', line 1: it uses random.random, and the same"),
    ("import numpy.random\n" + KNOCK, "'F', line 1: it uses numpy.random, and the same seed must"),
    ("from numpy import random\n" + KNOCK, "'F', line 1: it uses numpy.random, and the same "),
    ("from numpy.random import rand\n" + KNOCK, "'F', line 1: it uses numpy.random.rand, and th"),
    ("from numpy import *\n" + KNOCK, "'F', line 1: it imports everything of numpy: write "),
    (
        "import numba, numpy as np\n@numba.njit\ndef chance():\n    return np.random.random()\n"
        + KNOCK,
        "'F', line 4: it uses numpy.random, and the same seed",
    ),
    (
        "import numpy as np\nchance = getattr(np, 'random')\n"
        + IN_KNOCK
        + "return chance.random() < 0.5\n",
        "'F', line 4: should_knock uses numpy.random, and the same seed must give the same hands",
    ),
    (
        "from numpy.lib.stride_tricks import as_strided\n" + KNOCK,
        "'F', line 1: it uses as_strided, with which a decision could read or write what is not i",
    ),
    (
        "import numba\n" + IN_KNOCK + "return numba.carray(view.pile.ctypes, 400)[300]\n",
        "'F', line 4: it uses carray, with which",
    ),
    (
        "import numpy as xp\n" + IN_KNOCK + "return xp.random.random() < 0.5\n",
        "'F', line 4: it uses numpy.random, and the same seed",
    ),
    (
        "import threading\nodd = threading.Lock()\n" + IN_KNOCK + "return odd is None\n",
        "'F', line 4: should_knock names odd, a value of type lock, whose changes could not be se",
    ),
    (
        "import numba\n@numba.vectorize\ndef low(x):\n    return x < 5\n"
        + IN_KNOCK
        + "return low(view.deadwood)\n",
        "'F', line 6: should_knock names low, a value of type DUFunc, whose changes could not be s",
    ),
]

BY_COMPILING = [
    (
        IN_KNOCK + "return 0.5\n",
        "'F', line 2: should_knock returns a number with decimals: let it ",
    ),
    (
        IN_KNOCK + "pass\n",
        "'F', line 2: should_knock returns nothing: let it return True or False.",
    ),
    (
        IN_KNOCK + "if view.turn > 3:\n        return True\n",
        "'F', line 2: should_knock returns nothing in some cases: let it return True or F",
    ),
    (
        IN_KNOCK + "return True, 1\n",
        "'F', line 2: should_knock returns a tuple: let it return True",
    ),
    (
        IN_KNOCK + "return 4 - view.deadwood\n",
        "'F', line 2: should_knock returns a whole number: let it return True or False; bool(...) ",
    ),
    (IN_KNOCK + "return 'yes'\n", "'F', line 2: should_knock returns a value of type "),
    (IN_KNOCK + "return view.pile\n", "'F', line 2: should_knock returns an array: let it return "),
    (
        IN_DISCARD + "return view.turn > 3\n",
        "'F', line 2: choose_discard returns True or False: let it return a card's id, 0 to 51.",
    ),
    (
        IN_DISCARD + "return view.hand / 2\n",
        "'F', line 2: choose_discard returns a number with decimals: let it return a card's id",
    ),
    (
        IN_KNOCK + "pile = view.pile\n    pile += 1\n    return True\n",
        "'F', line 4: should_knock writes to pile: a decision only reads what it is given.",
    ),
    (
        "def shift(x):\n    x += 1\n    return x[0]\n" + IN_KNOCK + "return shift(view.pile) > 3\n",
        "'F', line 2: shift writes to x: a decision only reads what it is given.",
    ),
    (
        IN_KNOCK + "x = 1\n    return view.deadwood < p.limit\n",
        "'F', line 4: should_knock reads p.limit, and p has no 'limit'.",
    ),
    (
        IN_KNOCK + "x = 1\n    return view.deadwood + 'a' < 5\n",
        "'F', line 4: should_knock cannot be compiled: there is no add(int64, str).",
    ),
    (
        IN_KNOCK + "return unknown(view)\n",
        "'F', line 3: should_knock cannot be compiled: NameError: name 'unknown' is not defined.",
    ),
    (
        "def add(x):\n    y = x\n    return y + 'a'\n" + IN_KNOCK + "return add(view.turn) > 3\n",
        "'F', line 3: add cannot be compiled: ",
    ),
    (
        "from gin_sim.cards import parse_hand\n" + IN_KNOCK + "return parse_hand('7s') > 3\n",
        "'F', line 4: should_knock cannot be compiled: ",
    ),
]


def sentence_for(text: str, folder: Path, settings: str = "") -> str:
    path = written(folder, text)
    with pytest.raises(PolicyError) as error:
        parse_policy(path + settings)
    said = str(error.value).replace(path, "F")
    assert "\n" not in said
    assert len(said) < 400
    return said


@pytest.mark.jitless
@pytest.mark.parametrize(("text", "sentence"), BEFORE_COMPILING)
def test_a_bad_file_is_explained_in_a_sentence(text, sentence, tmp_path):
    assert sentence_for(text, tmp_path).startswith(sentence)


@pytest.mark.parametrize(("text", "sentence"), BY_COMPILING)
def test_what_cannot_be_compiled_is_explained_in_a_sentence(text, sentence, tmp_path):
    said = sentence_for(text, tmp_path)
    assert said.startswith(sentence)
    assert sentence_for(text, tmp_path) == said  # and not taken from the cache the next time
    assert "Record(" not in said
    assert "0x" not in said


@pytest.mark.jitless
@pytest.mark.parametrize(
    ("settings", "sentence"),
    [
        (":Number", "'F' has no class of numbers 'Number'. Did you mean 'Numbers'?"),
        (":Numbers:limt=3", "F:Numbers has no parameter 'limt'. Did you mean 'limit'?"),
        (":limit=2.5", "F's limit is '2.5': it is a whole number, by default 10."),
        (":limit=x", "F's limit is 'x': it is a whole number, by default 10."),
        (":limit=1e300", "F's limit is '1e300': it is a whole number, by default 10."),
        (":", "nothing follows the colon in 'F:': write F alone."),
        (":limit=", "'limit=' gives no value: write F:limit=VALUE."),
        (":limit=1,limit=2", "F's limit is given twice in 'F:limit=1,limit=2': give it once."),
    ],
)
def test_a_bad_setting_is_explained(settings, sentence, tmp_path):
    assert sentence_for(GREEDY, tmp_path, settings).startswith(sentence)


@pytest.mark.jitless
def test_several_classes_need_a_name(tmp_path):
    text = GREEDY + "\nclass Patient(NamedTuple):\n    limit: int = 2\n"
    said = sentence_for(text, tmp_path)
    assert said == "'F' has 2 classes of numbers: write F:Numbers or F:Patient."


def test_a_broken_module_in_the_same_folder_is_named(tmp_path):
    written(tmp_path, "def f(:\n", "beside.py")
    beside = tmp_path / "beside.py"
    assert sentence_for("import beside\n" + KNOCK, tmp_path) == (
        f"'{beside}', line 1: this is not Python (invalid syntax)."
    )
    written(tmp_path, "def f(x):\n    raise ValueError\n", "beside.py")
    text = "import beside\n" + IN_KNOCK + "return beside.f(1)\n"
    assert sentence_for(text, tmp_path).startswith(f"'{beside}', line 2: f uses raise")


@pytest.mark.long
def test_decisions_are_kept_for_the_life_of_the_process(tmp_path):
    path = written(tmp_path, GREEDY)
    before = tally_of((path, "simple"), STANDARD, 1, 50).tobytes()
    seated = players(path, "simple")
    gc.collect()
    tally = new_tally()
    play_chunk(*new_state(), new_deal(), tally, STANDARD, seated, Units(1, 0, 50, 2))
    assert tally.tobytes() == before
    assert np.array_equal(seated.take_at, players(path, "simple").take_at)
