"""TOML policies: what is read, what is written, and the sentence for whatever is wrong.

A file's play is judged by the spec that says the same; its numbers come back to the last bit.
"""

from __future__ import annotations

import tomllib
from pathlib import Path

import naive
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from strategies import Policies, deal_of, names, play, tally_of

from gin_sim.engine.table import rule_record
from gin_sim.policies.catalogue import CATALOGUE, parse_policy
from gin_sim.policies.contract import N_BUCKETS, PolicyError
from gin_sim.policies.files.toml import (
    _line_of,
    parse_toml,
    policy_text,
    read_trained,
    write_new,
)
from gin_sim.policies.shipped.knock_table import OUT_CLASSES, TABLE_TURNS, knock_text
from gin_sim.policies.specs import Spec, read_spec
from gin_sim.rules import PRESETS

PATIENT = str(Path(__file__).parents[1] / "data" / "policies" / "patient.toml")
STANDARD = rule_record(PRESETS["standard"])

# -------------------------------------------------------------------- specs


@pytest.mark.parametrize(
    ("spec", "parts"),
    [
        ("greedy", ("greedy", "", "", None)),
        ("greedy:knock=5", ("greedy", "", "", "knock=5")),
        ("greedy:", ("greedy", "", "", "")),
        ("my.toml", ("my.toml", ".toml", "", None)),
        ("my.toml:knock=5", ("my.toml", ".toml", "", "knock=5")),
        ("My.TOML:", ("My.TOML", ".toml", "", "")),
        (r"C:\x\my.toml", (r"C:\x\my.toml", ".toml", "", None)),
        (r"C:\x\my.toml:knock=5/4", (r"C:\x\my.toml", ".toml", "", "knock=5/4")),
        (r"C:\x\my.py:Cautious", (r"C:\x\my.py", ".py", "Cautious", None)),
        ("path/to/my.py", ("path/to/my.py", ".py", "", None)),
        ("my.py:Cautious:limit=3", ("my.py", ".py", "Cautious", "limit=3")),
        ("my.py:limit=3,slope=2", ("my.py", ".py", "", "limit=3,slope=2")),
        ("my.py:", ("my.py", ".py", "", "")),
        ("my.py:Cautious:", ("my.py", ".py", "Cautious", "")),
        ("old.toml.d/a.b.py", ("old.toml.d/a.b.py", ".py", "", None)),
        ("a folder/my policy.toml", ("a folder/my policy.toml", ".toml", "", None)),
        ("my.toml5", ("my.toml5", "", "", None)),
    ],
)
def test_a_spec_has_parts(spec, parts):
    assert read_spec(f" {spec} ") == Spec(spec, *parts)


# ------------------------------------------------------------- what is read


def test_a_file_is_its_base_with_other_numbers():
    policy = parse_policy(PATIENT)
    values = dict(CATALOGUE["heuristic"].defaults())
    values |= {"knock": "10/10/5/5/0", "pips": (1.0, 1.0, 0.0, -2.0, -3.0, -4.0)}
    assert policy.kind is CATALOGUE["heuristic"]
    assert policy.values == values
    assert policy.spec == PATIENT
    described = policy.as_dict()
    assert described["spec"] == PATIENT
    assert described["policy"] == "heuristic"
    assert described["summary"] == "knocks early or not at all"
    assert described["parameters"].keys() == values.keys()
    assert described["parameters"]["knock"] == [10, 10, 5, 5, 0]


def test_a_spec_may_change_a_files_numbers():
    policy = parse_policy(f"{PATIENT}:knock=4,pips=1/2")
    assert policy.spec == f"{PATIENT}:knock=4,pips=1/2"
    assert policy.values["knock"] == "4"
    assert policy.values["pips"] == (1.0, *[2.0] * (N_BUCKETS - 1))
    assert policy.values["outs_2"] == parse_policy(PATIENT).values["outs_2"]


def test_a_file_plays_as_the_spec_that_says_the_same():
    same = "heuristic:knock=10/10/5/5/0,pips=1/1/0/-2/-3/-4"
    tally = tally_of((PATIENT, "simple"), STANDARD, 5, 300)
    assert tally.tobytes() == tally_of((same, "simple"), STANDARD, 5, 300).tobytes()
    assert tally.tobytes() != tally_of(("heuristic", "simple"), STANDARD, 5, 300).tobytes()


@pytest.mark.jitless
def test_a_file_knocks_as_it_says():
    answers = Policies(PATIENT, PATIENT)
    limits = [10, 10, 5, 5]
    seen = set()

    def check(position, point):
        if point == "knock":
            turn, deadwood = int(position.view.turn), naive.deadwood(names(position.view.hand))
            limit = limits[turn - 1] if turn <= len(limits) else 0
            assert answers.knocks(position) == (deadwood <= limit)
            seen.add((min(turn, 5), deadwood <= limit))

    for deal_index in range(12):
        play(deal_of(3, deal_index, STANDARD), Policies("greedy:knock=0", "simple"), check)
    assert len(seen) >= 5


@pytest.mark.parametrize(
    ("text", "knock"),
    [
        ("knock = 5", "5"),
        ('knock = "6-10|4-10|0"', "6-10|4-10|0"),
        ('knock = [10, "6-10", "5|4|0", 0]', "10/6-10/5|4|0/0"),
    ],
)
def test_a_knock_is_a_number_a_text_or_a_list(text, knock):
    read = parse_toml(f'base = "greedy"\n{text}\n', "my.toml", CATALOGUE)
    assert read.values["knock"] == knock


@pytest.mark.parametrize(
    ("text", "pips"),
    [
        ("pips = 1.5", (1.5,) * 6),
        ("pips = [1, 2.5]", (1.0, *(2.5,) * 5)),
        ("pips = [1, 2, 3, 4, 5, -6]", (1.0, 2.0, 3.0, 4.0, 5.0, -6.0)),
    ],
)
def test_a_weight_is_a_number_or_a_list(text, pips):
    read = parse_toml(f'{text}\nbase = "heuristic"', "my.toml", CATALOGUE)
    assert read.values["pips"] == pips


def test_a_switch_may_be_true_or_false():
    read = parse_toml('base = "heuristic"\nwatch = false\nkeep_pairs = true', "x", CATALOGUE)
    assert (read.values["watch"], read.values["keep_pairs"]) == (0, 1)


def test_windows_line_ends_and_the_mark_of_utf8_are_read(tmp_path):
    path = tmp_path / "my.toml"
    path.write_bytes('\ufeffbase = "greedy"\r\nknock = 3\r\n'.encode())
    assert parse_policy(str(path)).values["knock"] == "3"


# ---------------------------------------------------------- what is refused

BASE = 'base = "greedy"\n'
FAMILY = 'base = "heuristic"\n'


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("", "'F' names no base: write base = \"greedy\", or another policy of"),
        ("knock = 5", "'F' names no base: "),
        ('\nbase = "gredy"', "'F', line 2: no policy is called 'gredy'. Did you mean 'greedy'?"),
        ('base = "greedy:knock=5"', "'F', line 1: no policy is called 'greedy:knock=5'."),
        ("knock = 5\nbase = 5", "'F', line 2: base is 5: it is a text in quotes."),
        (BASE + "summary = 5", "'F', line 2: summary is 5: it is a text in quotes."),
        (BASE + "origin = ['a']", "'F', line 2: origin is ['a']: it is a text in quotes."),
        (BASE + "name = 'a'", "'F', line 2: greedy has no parameter 'name'."),
        (
            BASE + "# knok = 3\n\nknok = 5",
            "'F', line 4: greedy has no parameter 'knok'. Did you mean 'knock'? "
            "`gin-sim policies show greedy` lists what it takes.",
        ),
        (BASE + "[knocking]\nknock = 5", "'F', line 2: greedy has no parameter 'knocking'."),
        (BASE + "sumary = 'x'", "'F', line 2: greedy has no parameter 'sumary'. Did you mean 's"),
        (
            FAMILY + "close_limit = 99",
            "'F', line 2: heuristic's close_limit is '99': it is a whole number from 0 to 98 "
            "(pips), by default 10.",
        ),
        (
            FAMILY + "close_limit = 2.5",
            "'F', line 2: heuristic's close_limit is '2.5': it is a whole",
        ),
        (
            FAMILY + "close_limit = '5'",
            "'F', line 2: heuristic's close_limit is '5': it is a whole",
        ),
        (FAMILY + "close_limit = true", "'F', line 2: heuristic's close_limit is 'True': it is a"),
        (
            FAMILY + "close_limit = [5]",
            "'F', line 2: heuristic's close_limit is '[5]': it is a whole",
        ),
        (FAMILY + "close_limit = inf", "'F', line 2: heuristic's close_limit is 'inf': it is a"),
        (FAMILY + "close_limit = nan", "'F', line 2: heuristic's close_limit is 'nan': it is a"),
        (
            FAMILY + "close_limit = 2026-11-30",
            "'F', line 2: heuristic's close_limit is '2026-11-30'",
        ),
        (
            FAMILY + "close_limit.x = 5",
            "'F', line 2: heuristic's close_limit is '{'x': 5}': it is a",
        ),
        (
            FAMILY + "[close_limit]\nx = 5",
            "'F', line 2: heuristic's close_limit is '{'x': 5}': it is",
        ),
        (BASE + "knock = 51", "'F', line 2: greedy's knock is '51': "),
        (BASE + "knock = 5.5", "'F', line 2: greedy's knock is '5.5': it is a greatest deadwood"),
        (BASE + "knock = []", "'F', line 2: greedy's knock is '[]': it is a greatest deadwood"),
        (BASE + "knock = [1, [2]]", "'F', line 2: greedy's knock is '[1, [2]]': it is a greatest"),
        (BASE + "knock = [\n1,\n'x',\n]", "'F', line 2: greedy's knock is '1/x': 'x' is ne"),
        (
            FAMILY + "slip = 0.1\npips = [1, 2, 3, 4, 5, 6, 7]",
            "'F', line 3: heuristic's pips is '[1, 2, 3, 4, 5, 6, 7]': it is 1 to 6 numbers, for "
            "own turns 1, 2, 3-4, 5-6, 7-9, 10+, each from -60 to 60 (points per 10 pips)",
        ),
        (FAMILY + "pips = []", "'F', line 2: heuristic's pips is '[]': it is 1 to 6 numbers"),
        (FAMILY + "pips = [1, 'a']", "'F', line 2: heuristic's pips is '[1, 'a']': it is 1 to 6"),
        (FAMILY + "pips = [1, 61]", "'F', line 2: heuristic's pips is '[1, 61]': it is 1 to 6"),
        (FAMILY + "watch = 2", "'F', line 2: heuristic's watch is '2': it is a whole number from"),
        (BASE + "knock 5", "'F', line 2, column 7: this is not TOML (expected '=' after a key"),
        (BASE + "knock = 5\nknock = 6", "'F', line 3: this is not TOML (cannot overwrite"),
        (BASE + 'knock = "5', "'F', line 2: this is not TOML (unterminated string)."),
        (BASE + "knock = [5", "'F', line 2: this is not TOML ("),
        (BASE + "knock = " + "[" * 5000, "'F'"),
    ],
)
def test_a_bad_file_is_explained_in_a_sentence(text, sentence, tmp_path):
    path = tmp_path / "my.toml"
    path.write_text(text, encoding="utf-8")
    with pytest.raises(PolicyError) as error:
        parse_policy(str(path))
    said = str(error.value).replace(str(path), "F")
    assert said.startswith(sentence)
    assert "\n" not in said


def test_a_number_of_thousands_of_digits_is_refused():
    for n_digits, sentence in (
        (5000, "'my.toml' cannot be read: Exceeds the limit"),
        (4000, "'my"),
    ):
        with pytest.raises(PolicyError) as error:
            parse_toml(f'base = "greedy"\nknock = {"9" * n_digits}\n', "my.toml", CATALOGUE)
        assert str(error.value).startswith(sentence)


def test_what_cannot_be_read_is_explained(tmp_path):
    latin = tmp_path / "latin.toml"
    latin.write_bytes('summary = "Zoë"'.encode("latin-1"))
    folder = tmp_path / "folder.toml"
    folder.mkdir()
    for spec, sentence in (
        (latin, f"'{latin}' is not UTF-8 text."),
        (folder, f"'{folder}' is a folder, not a policy's file."),
        (tmp_path / "none.toml", f"there is no file '{tmp_path / 'none.toml'}'."),
        (tmp_path / "none.py", f"there is no file '{tmp_path / 'none.py'}'."),
        ("a\0b.toml", "'a\0b.toml' cannot be read: "),
        ("x" * 5000 + ".toml", f"'{'x' * 5000}.toml' cannot be read: "),
        ("some/where", "no policy is called 'some/where'. A policy's file ends in .toml or .py."),
    ):
        with pytest.raises(PolicyError) as error:
            parse_policy(str(spec))
        assert str(error.value).startswith(sentence)


def test_a_bad_setting_of_a_file_is_explained():
    for text, sentence in (
        ("knok=5", f"{PATIENT} has no parameter 'knok'. Did you mean 'knock'?"),
        ("knock=99", f"{PATIENT}'s knock is '99': "),
        ("", f"nothing follows the colon in '{PATIENT}:': write {PATIENT} alone."),
    ):
        with pytest.raises(PolicyError) as error:
            parse_policy(f"{PATIENT}:{text}")
        assert str(error.value).startswith(sentence)


TRICKY = '''\
# knock = 1
summary = "knock = 2"  # knock = 3
name = """
knock = 4
\\"""
knock = 5"""
origin = \'\'\'
knock = 6 # "
\'\'\'
a = [
  "knock = 7", # ]
  { knock = 8 },
]
"quoted" = 1

  knock = [ # here
  9]
b.knock = 10
[c]
knock = 11
'''


@pytest.mark.parametrize(
    ("key", "line"),
    {
        "summary": 2,
        "name": 3,
        "origin": 7,
        "a": 10,
        "quoted": 14,
        "knock": 16,
        "b": 18,
        "c": 19,
    }.items(),
)
@pytest.mark.parametrize("ending", ["\n", "\r\n"])
def test_strings_and_comments_hide_no_key(key, line, ending):
    assert set(tomllib.loads(TRICKY)) >= {key}
    assert _line_of(key, TRICKY.replace("\n", ending)) == line


# ---------------------------------------------------------- what is written

_ranges = st.integers(1, 2**51 - 1).map(lambda mask: mask & ~1)


def values_of(parameter):
    """Any value of a parameter, as a policy holds it."""
    if isinstance(parameter.default, str):
        return st.lists(
            st.one_of(
                st.integers(0, 50).map(lambda d: [(1 << d + 1) - 2] * OUT_CLASSES),
                st.lists(_ranges, min_size=OUT_CLASSES, max_size=OUT_CLASSES),
            ),
            min_size=1,
            max_size=TABLE_TURNS,
        ).map(lambda rows: knock_text(np.array(rows, dtype=np.int64)))
    if parameter.whole:
        number = st.integers(int(parameter.low), int(parameter.high)).map(float)
    else:
        number = st.floats(parameter.low, parameter.high)
    return st.tuples(*[number] * N_BUCKETS) if parameter.by_bucket else number


@pytest.mark.long
@pytest.mark.parametrize("name", CATALOGUE)
@settings(max_examples=settings().max_examples // 5)  # for each of a dozen policies
@given(data=st.data())
def test_what_is_written_reads_back_the_same(name, data):
    kind = CATALOGUE[name]
    chosen = [p for p in kind.parameters if data.draw(st.booleans())]
    values = {p.name: data.draw(values_of(p)) for p in chosen}
    texts = {key: data.draw(st.text(max_size=20)) for key in ("summary", "origin")}
    comments = data.draw(st.lists(st.text("ab =#", max_size=150), max_size=2))
    text = policy_text(kind, values, **texts, comments=comments)
    read = parse_toml(text, "x.toml", CATALOGUE)
    assert read.values == {**kind.defaults(), **values}
    assert read.kind is kind
    assert (read.summary, read.origin) == tuple(texts.values())


def test_a_written_file_explains_every_parameter():
    kind = CATALOGUE["heuristic"]
    text = policy_text(kind, {"slip": 0.25})
    lines = text.splitlines()
    for parameter in kind.parameters:
        line = f"{parameter.name} = "
        assert any(row.startswith((line, f"# {line}")) for row in lines), parameter.name
        assert parameter.meaning.split(";")[0].split()[0] in text
    assert "slip = 0.25" in lines
    assert "# pips = [2, 2, 1, -2, -3, -4]" in lines
    assert "# outs_2 = 3.5" in lines


def test_a_file_is_not_overwritten_and_not_half_written(tmp_path):
    path = tmp_path / "my.toml"
    write_new(str(path), "x = 1\n")
    assert path.read_text() == "x = 1\n"
    with pytest.raises(PolicyError, match="is there already"):
        write_new(str(path), "x = 2\n")
    assert path.read_text() == "x = 1\n"
    assert [p.name for p in tmp_path.iterdir()] == ["my.toml"]


# ----------------------------------------------------------------- trained


def test_a_folder_of_trained_policies_is_read(tmp_path):
    kind = CATALOGUE["heuristic"]
    values = {**kind.defaults(), "knock": "9/8/0", "pips": (0.1,) * N_BUCKETS, "slip": 0.125}
    text = policy_text(kind, values, summary="trained", origin="a script", comments=["Made."])
    (tmp_path / "strong.toml").write_text(text, encoding="utf-8")
    (tmp_path / "anti-simple.toml").write_text('base = "heuristic"\nknock = 3\n', encoding="utf-8")
    (tmp_path / "README").write_text("no policy", encoding="utf-8")
    trained = read_trained(tmp_path, CATALOGUE)
    assert list(trained) == ["anti-simple", "strong"]
    strong = trained["strong"]
    assert (strong.name, strong.summary, strong.origin) == ("strong", "trained", "a script")
    assert (strong.take, strong.discard, strong.knock) == (kind.take, kind.discard, kind.knock)
    assert strong.defaults() == values
    assert [p.name for p in strong.parameters] == [p.name for p in kind.parameters]
    assert strong.vector(values).tolist() == kind.vector(values).tolist()
    # A user's file may start from it.
    user = parse_toml('base = "strong"\nslip = 0', "my.toml", {**CATALOGUE, **trained})
    assert user.values == {**values, "slip": 0}
    assert user.as_dict()["policy"] == "strong"


def test_no_folder_is_no_trained_policy(tmp_path):
    assert read_trained(tmp_path / "none", CATALOGUE) == {}


def test_a_bad_trained_file_is_named(tmp_path):
    (tmp_path / "strong.toml").write_text('base = "heuristic"\nknok = 3\n', encoding="utf-8")
    with pytest.raises(PolicyError, match=r"'strong.toml', line 2: "):
        read_trained(tmp_path, CATALOGUE)
