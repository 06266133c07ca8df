"""What `gin-sim policies` prints and writes, and what policies of one's own do at the terminal."""

from __future__ import annotations

import io
import json
import os
import re
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from gin_sim.checks import validate
from gin_sim.cli import main
from gin_sim.policies.catalogue import CATALOGUE, parse_policy
from gin_sim.policies.contract import BUCKET_NAMES, PolicyError

EXAMPLES = Path(__file__).parents[1] / "data" / "policies"
PATIENT, CAUTIOUS, COLLECTOR = (
    str(EXAMPLES / name) for name in ("patient.toml", "cautious.py", "collector.py")
)


# --------------------------------------------------------------------- list


def test_the_list_has_a_line_for_each_policy(works):
    shown, hint = works("policies", "list").split("\n\n")
    lines = shown.splitlines()
    assert len(lines) == len(CATALOGUE)
    for line, kind in zip(lines, CATALOGUE.values(), strict=True):
        assert re.split(r"\s{2,}", line, maxsplit=1) == [kind.name, kind.summary]
    assert "policies show" in hint


def test_the_list_as_json_is_complete(works):
    listed = json.loads(works("policies", "list", "--json"))
    assert [policy["name"] for policy in listed] == list(CATALOGUE)
    for policy, kind in zip(listed, CATALOGUE.values(), strict=True):
        assert (policy["summary"], policy["origin"]) == (kind.summary, kind.origin)
        for shown, parameter in zip(policy["parameters"], kind.parameters, strict=True):
            assert shown == {
                "name": parameter.name,
                "meaning": parameter.meaning,
                "unit": parameter.unit,
                "default": parameter.plain(parameter.default),
                "low": parameter.low,
                "high": parameter.high,
                "whole": parameter.whole,
                "by_own_turn": parameter.by_bucket,
                "knock_table": parameter.name == "knock",
            }


# --------------------------------------------------------------------- show


@pytest.mark.parametrize("name", CATALOGUE)
def test_show_has_every_parameter(name, works):
    kind = CATALOGUE[name]
    shown = works("policies", "show", name)
    assert shown.startswith(f"{name} · {kind.summary}\nfrom {kind.origin}\n")
    for parameter in kind.parameters:
        rows = re.findall(rf"(?m)^  {parameter.name}\s+.*$", shown)
        assert len(rows) == 1, parameter.name
        assert parameter.unit in rows[0]
        assert parameter.meaning in shown
        if not isinstance(parameter.default, str):
            assert f"{parameter.low:g} to {parameter.high:g}" in rows[0]
    if not kind.parameters:
        assert "no parameters to set" in shown


def test_weights_stand_in_a_column_for_each_bucket_of_turns(works):
    assert BUCKET_NAMES == ("1", "2", "3-4", "5-6", "7-9", "10+")
    shown = works("policies", "show", "heuristic:pips=1/2/3.5/4").splitlines()
    header = next(row for row in shown if row.split()[:1] == ["weight"])
    assert header.split()[4:] == [*BUCKET_NAMES, "default", "range", "unit"]
    pips = next(row for row in shown if row.split()[:1] == ["pips"])
    assert pips.split()[1:7] == ["1", "2", "3.5", "4", "4", "4"]
    assert CATALOGUE["heuristic"].parameters[0].name == "knock"
    for words in ("2/2/1/-2/-3/-4", "-60 to 60", "points per 10 pips"):
        assert words in pips


def test_the_knock_table_is_drawn_by_turns_and_outs(works):
    shown = works("policies", "show", "greedy:knock=6-10|4-10|0/5/5/0").splitlines()
    top = next(i for i, row in enumerate(shown) if "own turn" in row and "gin outs" in row) + 1
    rows = [re.split(r"\s{2,}", row.strip()) for row in shown[top - 1 : top + 4]]
    assert [row[0] for row in rows if row[0] in ("own turn", "1", "2-3", "4 on")] == [
        "own turn",
        "1",
        "2-3",
        "4 on",
    ]
    table = {row[0]: row[1:] for row in rows}
    assert table["own turn"] == ["0 gin outs", "1-2", "3 or more"]
    assert table["1"] == ["6-10", "4-10", "gin only"]
    assert table["2-3"] == ["5", "5", "5"]
    assert table["4 on"] == ["gin only", "gin only", "gin only"]
    parts = works("policies", "show", "greedy:knock=10-10/2-2+4-7/0")
    assert re.search(r"1\s+only 10\n\s+2\s+only 2, 4-7\n\s+3 on\s+gin only", parts)
    assert "(pips); default 10\n" in parts
    assert "(pips); the default\n" in works("policies", "show", "greedy")
    plain = works("policies", "show", "greedy:knock=5")
    assert re.search(r"own turn\s+deadwood\n\s+1 on\s+5\n", plain)


def test_show_works_for_files(works):
    shown = works("policies", "show", PATIENT)
    assert shown.startswith(f"{PATIENT} · knocks early or not at all\nfrom the file {PATIENT}\n")
    assert "plays heuristic with knock and pips of its own" in shown
    assert re.search(r"1-2\s+10\n\s+3-4\s+5\n\s+5 on\s+gin only", shown)
    shown = works("policies", "show", f"{CAUTIOUS}:limit=8")
    assert "plays should_knock of its own, else as simple does" in shown
    assert re.search(r"limit\s+8\s+10\s+any whole", shown)
    assert "greatest deadwood to knock with on the first turn, pips" in shown
    shown = works("policies", "show", COLLECTOR)
    assert "plays take_upcard, choose_discard and should_knock of its own\n" in shown


@pytest.mark.parametrize("spec", ["heuristic:knock=10/6-10|5|0", PATIENT, f"{CAUTIOUS}:slope=2"])
def test_show_as_json_has_every_value(spec, works):
    policy = parse_policy(spec)
    shown = json.loads(works("policies", "show", spec, "--json"))
    described = policy.as_dict()
    values = {p["name"]: p["value"] for p in shown["parameters"]}
    assert values == described.pop("parameters")
    assert shown.items() >= described.items()
    assert shown["summary"]
    assert shown["origin"]


def test_show_explains_what_is_wrong(fails):
    assert fails("policies", "show", "gredy").startswith("no policy is called 'gredy'. Did you ")
    assert fails("policies", "show", "none.toml") == "there is no file 'none.toml'."
    assert fails("policies", "show", "none.py:Cautious") == "there is no file 'none.py'."


@pytest.mark.parametrize(
    "arguments",
    [["list"], ["show", "heuristic"], ["show", PATIENT], ["show", CAUTIOUS], ["validate", PATIENT]],
    ids=lambda arguments: " ".join(arguments)[:20],
)
def test_every_output_can_be_ascii(arguments, monkeypatch):
    stream = io.TextIOWrapper(io.BytesIO(), encoding="ascii")
    monkeypatch.setattr("sys.stdout", stream)
    with pytest.raises(SystemExit) as leaving:
        main(["policies", *arguments])
    assert leaving.value.code == 0
    stream.flush()
    assert b"?" not in stream.buffer.getvalue()


# --------------------------------------------------------------------- init


@pytest.mark.long
@pytest.mark.parametrize("base", CATALOGUE)
@pytest.mark.parametrize("ending", [".toml", ".py"])
def test_init_writes_a_policy_that_plays_as_it_is(base, ending, works, tmp_path, monkeypatch, some):
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(validate, "HANDS", some(500))
    monkeypatch.setattr(validate, "GAMES", some(20))
    python = ["--python"] if ending == ".py" else []
    said = works("policies", "init", "my", "--base", base, *python)
    path = f"my{ending}"
    assert said == f"Wrote {path}; `gin-sim policies validate {path}` checks it.\n"
    assert os.listdir() == [path]
    text = (tmp_path / path).read_text(encoding="utf-8")
    for parameter in CATALOGUE[base].parameters:
        assert parameter.name in text
    policy = parse_policy(path)
    if ending == ".toml":
        assert policy.values == CATALOGUE[base].defaults()
    else:
        assert policy.base.kind is CATALOGUE[base]
        compile(re.sub(r"(?m)^# (?=def|    )", "", text), path, "exec")
    assert validate.validate(policy) == (some(8000), some(280))


def test_the_python_templates_other_decisions_are_legal(tmp_path, monkeypatch, works):
    monkeypatch.chdir(tmp_path)
    works("policies", "init", "my.py", "--python", "--base", "simple")
    text = Path("my.py").read_text(encoding="utf-8")
    text = re.sub(r"(?m)^# ?(?=def |    |$)", "", text)
    imports = (
        "from gin_sim.engine.bits import lowest_bit",
        "from gin_sim.engine.view import look_at_upcard",
        "from typing",
    )
    Path("my.py").write_text(text.replace("from typing", "\n".join(imports), 1), "utf-8")
    policy = parse_policy("my.py:limit=4")
    assert list(policy.addresses) == ["take_upcard", "choose_discard", "should_knock"]
    assert "legal in 8,000 hands and 280 games" in works("policies", "validate", "my.py")


@pytest.mark.skipif(os.name == "nt", reason="a folder there, a file's name elsewhere")
def test_init_takes_a_path_with_backslashes(works, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    for python in ([], ["--python"]):
        works("policies", "init", r"C:\Users\new", *python)
    assert sorted(os.listdir()) == [r"C:\Users\new.py", r"C:\Users\new.toml"]
    for path in os.listdir():
        parse_policy(path)


def test_init_overwrites_nothing(fails, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    Path("my.toml").write_text("mine", encoding="utf-8")
    assert fails("policies", "init", "my") == (
        "'my.toml' is there already: give another name, or remove it first."
    )
    assert fails("policies", "init", "my.toml").startswith("'my.toml' is there already")
    assert Path("my.toml").read_text(encoding="utf-8") == "mine"
    assert fails("policies", "init", "none/my").startswith("there is no folder 'none' to write")
    assert fails("policies", "init", "new", "--base", "gredy").startswith("no policy is called 'g")
    assert os.listdir() == ["my.toml"]


def test_init_leaves_nothing_half_written(fails, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)

    def full(*_):
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "replace", full)
    assert (
        fails("policies", "init", "my") == "'my.toml' cannot be written: No space left on device."
    )
    assert os.listdir() == []


# ----------------------------------------------------------------- validate


@pytest.mark.long
def test_validate_says_a_line_for_each_policy(works):
    said = works("policies", "validate", PATIENT, f"{CAUTIOUS}:limit=5", "greedy").splitlines()
    legal = "legal in 8,000 hands and 280 games against simple and greedy under all 8 rule sets"
    assert said == [
        f"{PATIENT} · heuristic with knock and pips of its own · {legal}",
        f"{CAUTIOUS}:limit=5 · should_knock of its own, else as simple does · {legal}",
        f"greedy · greedy · {legal}",
    ]


def test_validate_refuses_what_is_illegal(fails, tmp_path):
    path = tmp_path / "my.py"
    path.write_text(
        'base = "greedy"\ndef choose_discard(view, p):\n    return view.drawn\n', "utf-8"
    )
    assert fails("policies", "validate", str(path)).startswith(
        f"the policy {path} discarded the card that it had just taken from the pile, in turn "
    )
    path.write_text(
        'base = "greedy"\ndef should_knock(view, p):\n    return [1][view.turn - 1] > 0\n', "utf-8"
    )
    assert "ended with IndexError (getitem out of range)" in fails(
        "policies", "validate", str(path)
    )
    path.write_text("def f(:\n", "utf-8")
    assert fails("policies", "validate", "greedy", str(path)).endswith(
        "line 1: this is not Python (invalid syntax)."
    )


def test_validate_plays_whole_games_too(fails, tmp_path):
    path = tmp_path / "my.py"
    path.write_text(
        'base = "greedy"\ndef choose_discard(view, p):\n'
        "    if view.score > 0:\n        return -1\n"
        "    return gin_sim.engine.bits.lowest_bit(view.best_discards)\n"
        "import gin_sim.engine.bits\n",
        "utf-8",
    )
    said = fails("policies", "validate", str(path))
    assert said.startswith("single hands were legal, and in games to 100 under standard rules ")
    assert said.endswith("; look for what depends on the score.")


def test_validate_plays_in_other_chunks_the_second_time(monkeypatch):
    threads = []
    monkeypatch.setattr(validate, "_played", lambda plan, name, n: threads.append(n))
    validate.validate(parse_policy("greedy"))
    assert threads == [1, 3] * 30


def test_validate_refuses_what_plays_in_two_ways(monkeypatch):
    answers = iter([b"a", b"a", b"a", b"b"])
    monkeypatch.setattr(validate, "_played", lambda *_: next(answers))
    with pytest.raises(PolicyError, match="played the same games against simple in two ways"):
        validate.validate(parse_policy("greedy"))


@pytest.mark.long
@pytest.mark.parametrize("command", [["policies", "validate"], ["simulate", "greedy"]])
def test_ctrl_c_ends_a_decision_that_loops(command, tmp_path):
    """At once where nothing could be kept; the second time where the first waits for a result."""
    path = tmp_path / "my.py"
    path.write_text(
        'base = "greedy"\ndef should_knock(view, p):\n    x = view.turn\n'
        "    while x > 0:\n        x += 1 if x % 7 else 8\n    return True\n",
        "utf-8",
    )
    process = subprocess.Popen(
        [sys.executable, "-u", "-m", "gin_sim", *command, str(path)],
        env={**os.environ, "PYTHONPATH": str(Path(__file__).parents[2])},
        stderr=subprocess.PIPE,
        text=True,
    )
    try:
        deadline = time.monotonic() + 120
        while process.poll() is None and time.monotonic() < deadline:
            time.sleep(1.5 if command[0] == "simulate" else 5)
            process.send_signal(signal.SIGINT)
        _, said = process.communicate(timeout=10)
    finally:
        process.kill()
        process.communicate()
    assert process.returncode == 130
    assert said.splitlines()[-1].startswith("Stopped")
    assert "Traceback" not in said


# ----------------------------------------------------------------- simulate


@pytest.mark.long
def test_simulate_takes_files_and_shows_their_numbers(works, tmp_path):
    out = tmp_path / "out"
    shown = works(
        "simulate",
        *(f"{CAUTIOUS}:limit=5", PATIENT, "--hands", "400", "--json", "--quiet"),
        *("--out", str(out)),
    )
    manifest = json.loads((out / "manifest.json").read_text(encoding="utf-8"))
    for result in (json.loads(shown), manifest["result"]):
        cautious, patient = result["policies"]
        assert cautious["spec"] == f"{CAUTIOUS}:limit=5"
        assert cautious["parameters"] == {"limit": 5, "slope": 1.0}
        assert cautious["base"]["parameters"] == parse_policy("simple").as_dict()["parameters"]
        assert patient["parameters"]["knock"] == [10, 10, 5, 5, 0]
        assert patient["summary"] == "knocks early or not at all"


def test_simulate_explains_a_bad_file(fails, tmp_path):
    path = tmp_path / "my.toml"
    path.write_text('base = "greedy"\nknok = 5\n', encoding="utf-8")
    assert fails("simulate", str(path), "simple").startswith(
        f"'{path}', line 2: greedy has no parameter 'knok'. Did you mean 'knock'?"
    )
