"""When to knock, asked from Python: plain values in, a result out that is the command line's."""

from __future__ import annotations

import json
import threading
from functools import cache

import msgspec
import pytest
from matplotlib.figure import Figure

import gin_sim
from gin_sim.api import solving
from gin_sim.api.knock_checks import states_of
from gin_sim.errors import InputError
from gin_sim.policies.catalogue import parse_policy
from gin_sim.report.charts import DRAWN
from gin_sim.results.equilibrium import Equilibrium
from gin_sim.results.kinds import load, read_object
from gin_sim.results.several_scores import SeveralScores
from gin_sim.results.solution import Solution
from gin_sim.rules import parse_rules

FEW = {"deals": 5000, "by": "none"}
#: Boxes matter, and a game is solved in an eighth of the time of one to 100.
SHORT = "standard:target=50"
AT = {"objective": "win", "score": "40-25", "boxes": "2-3", "equity_hands": 4000, "rules": SHORT}


@pytest.fixture(autouse=True)
def own_cache(tmp_path, monkeypatch):
    """Counted hands are kept for this test alone; compiled code stays where it is."""
    monkeypatch.setattr("gin_sim.payoff.equity_cache.cache_home", lambda: tmp_path / "kept")


ASKED = {
    "points": lambda: gin_sim.solve("greedy", "simple", proof_hands=2000, **FEW),
    "features": lambda: gin_sim.solve("greedy", "simple", proof_hands=0, features=True, **FEW),
    "a score": lambda: gin_sim.solve("greedy", "simple", proof_hands=2000, **FEW, **AT),
    "several scores": lambda: gin_sim.solve(
        "greedy", "simple", objective="stakes", deals=5000, by="score", equity_hands=4000,
        scores="0-0,40-40:4-6", rules=SHORT,
    ),
    "equilibrium": lambda: gin_sim.equilibrium("greedy", **FEW),
    "an uneven equilibrium": lambda: gin_sim.equilibrium("greedy", **FEW, **AT),
}  # fmt: skip


@cache
def found_of(case):
    """The answer; asked once."""
    return ASKED[case]()


@pytest.mark.long
@pytest.mark.parametrize("case", ASKED)
def test_a_result_is_read_back_from_json_and_from_disk(case, tmp_path):
    found = found_of(case)
    assert read_object(json.loads(found.to_json())).to_json() == found.to_json()
    assert json.loads(found.to_json()) == found.to_dict()
    names = found.save(tmp_path / "out")
    again = load(tmp_path / "out")
    assert type(again) is type(found)
    assert again.to_json() == found.to_json()
    for name, table in found.tables().items():
        assert f"{name}.csv" in names
        assert list(again.table(name)) == list(table), name
    for name in DRAWN[found.kind].charts:
        assert {f"{name}.png", f"{name}.svg"} <= set(names)


@pytest.mark.parametrize("case", ASKED)
def test_every_table_has_the_columns_that_its_rows_describe(case):
    found = found_of(case)
    tables = found.tables()
    assert set(tables) <= set(found.TABLES)
    for name, table in tables.items():
        fields = found.TABLES[name].__struct_fields__
        columns = [column for column in table.columns if column not in fields]
        assert {column.rpartition("_")[2] for column in columns} <= {"estimate", "low", "high"}
        assert set(fields) - set(table.columns) <= {"figure", "at_most"}, name
    assert list(found.table()) == list(tables[next(iter(found.TABLES))])
    with pytest.raises(InputError, match="there is no table 'nothing' in it"):
        found.table("nothing")


@pytest.mark.parametrize("case", ASKED)
def test_a_result_shows_itself(case):
    found = found_of(case)
    line = repr(found)
    assert line.startswith(f"<{type(found).__name__}: ")
    assert "\n" not in line
    assert f"{found.rules.name} rules" in line
    assert found.rules.name in ("standard", SHORT)
    assert line.endswith("seed 1>")
    page = found._repr_html_()
    assert page.startswith("<p>")
    assert "<table" in page
    assert "greedy" in found.text()
    assert len(found.text(more=False)) < len(found.text())
    assert found.chart().get_suptitle()
    axes = Figure().add_subplot()
    if isinstance(found, SeveralScores):
        with pytest.raises(InputError, match="has several panels"):
            found.chart(ax=axes)
    else:
        assert found.chart(ax=axes) is axes
        assert axes.get_ylabel() == "own turn"


COMMANDS = {
    "points": "--against simple --proof-hands 2000",
    "a score": "--against simple --proof-hands 2000 --objective win --score 40-25 --boxes 2-3 "
    f"--equity-hands 4000 --rules {SHORT}",
    "equilibrium": "--equilibrium",
}


@pytest.mark.parametrize("case", COMMANDS)
def test_python_and_the_command_line_have_the_same_numbers(run, case):
    asked = f"solve --play greedy --by none --deals 5e3 {COMMANDS[case]} --json --quiet"
    code, out, _ = run(*asked.split())
    assert code == 0
    printed, found = json.loads(out), found_of(case).to_dict()
    assert printed.pop("command") == f"gin-sim {asked}"
    assert found.pop("command") == ""
    assert printed.pop("seconds")
    assert found.pop("seconds")
    assert printed == found


def test_plain_values_are_read_alike():
    """Texts, pairs and objects; whole numbers as floats; threads change nothing."""
    first = found_of("a score")
    second = gin_sim.solve(
        parse_policy("greedy"), "simple", by="none", deals=5e3, proof_hands=2e3, objective="win",
        score=(40, 25), boxes=[2, 3], equity_hands=4e3, rules=parse_rules(SHORT), threads=1,
    )  # fmt: skip
    second.seconds = first.seconds
    assert second.to_json() == first.to_json()
    assert first.score.words == "40-25, 1 box behind"
    assert first.unit == "chance to win the game"
    assert 0 < first.value.low < first.value.high < 1


def test_scores_may_be_a_list():
    rules = parse_rules("standard")
    text = states_of("0-0,90-0:3-0", rules)
    assert states_of(["0-0", "90-0:3-0"], rules) == text
    assert states_of([(0, 0), ((90, 0), (3, 0))], rules) == text
    assert [state.box_difference for state in text] == [0, 3]
    with pytest.raises(InputError, match="--scores names no score"):
        states_of([], rules)


def test_a_saved_policy_plays_the_solved_rule(tmp_path):
    file = tmp_path / "solved.toml"
    found = gin_sim.solve("greedy", "simple", proof_hands=2000, **FEW)
    gin_sim.save_policy(found, file)
    assert found.saved == str(file)
    assert parse_policy(str(file)).values["knock"] == found.knock
    # On the deals that it was proved on, the file wins what the proof says.
    fresh = gin_sim.solve(
        str(file), "simple", deals=1000, by="none", proof_hands=2000, seed=found.seed
    )
    assert fresh.proof.own == found.proof.solved


def test_a_policy_can_be_saved_from_a_result_of_another_day(tmp_path):
    base = tmp_path / "mine.toml"
    base.write_text('base = "strong"\nclose_within = 15\ntemperature = 0.125\n')
    asked = {"objective": "win", "score": "90-0", "equity_hands": 4000, "proof_hands": 0}
    gin_sim.solve(base, "simple", **FEW, **asked).save(tmp_path / "out", charts=False)
    base.unlink()
    found = load(tmp_path / "out")
    assert found.left_out == ["close_within"]
    gin_sim.save_policy(found, tmp_path / "solved.toml")
    values = parse_policy(str(tmp_path / "solved.toml")).values
    assert (values["close_within"], values["temperature"]) == (0, 0.125)
    assert values["knock"] == found.knock


def test_what_is_no_single_rule_is_not_saved(tmp_path):
    found = gin_sim.solve("greedy", "simple", by="takes", deals=5000)
    assert found.knock is None
    with pytest.raises(InputError, match="cannot hold a rule by takes"):
        gin_sim.save_policy(found, tmp_path / "solved.toml")
    with pytest.raises(InputError, match="only a rule solved against an opponent can be saved"):
        gin_sim.save_policy(gin_sim.equilibrium("greedy", **FEW), tmp_path / "solved.toml")
    assert list(tmp_path.glob("*.toml")) == []


def test_progress_is_a_function_of_what_is_done():
    seen = []

    def note(done, total, unit):
        seen.append((done, total, unit))

    gin_sim.solve("greedy", "simple", proof_hands=2000, progress=note, **FEW)
    assert (5000, 5000, "deals") in seen
    done, total, unit = seen[-1]
    assert (done, unit) == (total, "hands")


def test_a_question_that_is_stopped_keeps_what_is_finished(monkeypatch):
    stop = threading.Event()
    monkeypatch.setattr(solving, "fit_by_features", lambda *arguments, **named: stop.set() or None)
    found = gin_sim.solve("greedy", "simple", features=True, stop=stop, **FEW)
    assert found.partial is True
    assert found.cut == ["the rule by features", "the proof"]
    assert "PARTIAL: stopped early, the rule by features and the proof unfinished" in found.text()
    with pytest.raises(KeyboardInterrupt):
        gin_sim.solve("greedy", "simple", stop=stop, **FEW)


@pytest.mark.parametrize(
    ("more", "sentence"),
    [
        ({"play": 5}, "5 is not a policy: give a spec such as"),
        ({"play": "heisenbot"}, "heisenbot has no knock table to solve for"),
        ({"by": "luck"}, "a rule cannot differ by 'luck': give --by outs, none, takes"),
        ({"deals": 10}, "--deals 10 cannot be traced: give 1,000 to"),
        ({"deals": 1500.5}, "deals=1500.5 is not a whole number"),
        ({"objective": "fame"}, "no objective is called 'fame'"),
        ({"score": "9-9"}, "--score needs --objective win or stakes: by points, single hands"),
        ({"objective": "win", "score": "9"}, "--score '9' is no score: give both sides' points"),
        ({"objective": "win", "score": (9, -9)}, "is no score"),
        ({"objective": "win", "dealer": "play"}, "--dealer 'play' is nobody: give either, me or"),
        ({"objective": "win", "equity_hands": 10}, "--equity-hands 10 are too few for a table"),
        ({"threads": 0}, "0 threads cannot play"),
        ({"progress": 7}, "progress is 7: give True for a bar"),
        ({"proof_hands": -2}, "--proof-hands -2 cannot be played"),
        ({"scores": "0-0"}, "--scores needs --by score"),
        ({"iterate": True}, "--iterate needs --objective win or stakes"),
    ],
)
def test_bad_input_is_one_sentence(more, sentence):
    asked = {"play": "greedy", "against": "simple", **more}
    with pytest.raises(InputError) as refused:
        gin_sim.solve(**asked)
    assert sentence in str(refused.value)
    assert "\n" not in str(refused.value)


def test_an_equilibrium_is_of_one_score():
    with pytest.raises(InputError, match="--by score needs --against POLICY"):
        gin_sim.equilibrium("greedy", by="score", objective="win")


@pytest.mark.parametrize("kind", [Solution, SeveralScores, Equilibrium])
def test_every_field_is_described(kind):
    for name in kind.__struct_fields__:
        assert name in kind.__doc__, name
    for row in kind.TABLES.values():
        for name in row.__struct_fields__:
            assert name in row.__doc__, (row, name)


def test_results_hold_plain_values_only():
    for case in ("a score", "several scores", "an uneven equilibrium"):
        found = found_of(case)
        assert msgspec.to_builtins(found) is not None
        assert not any("numpy" in type(value).__module__ for value in _values(found))


def _values(value):
    yield value
    if isinstance(value, msgspec.Struct):
        for name in value.__struct_fields__:
            yield from _values(getattr(value, name))
    elif isinstance(value, dict):
        for each in value.values():
            yield from _values(each)
    elif isinstance(value, list | tuple):
        for each in value:
            yield from _values(each)
