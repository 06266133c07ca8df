"""What `gin-sim belief calibrate` prints, writes and refuses; not how right its figures are."""

from __future__ import annotations

import pytest

from gin_sim.belief.test_positions import BUCKET_NAMES
from gin_sim.play.record import play_recorded
from gin_sim.policies.catalogue import parse_policy
from gin_sim.records import write_records
from gin_sim.rules import parse_rules

RULES = parse_rules("standard")
CALIBRATE = ("belief", "calibrate", "--against", "simple", "--positions", "10", "--worlds", "40")


@pytest.mark.long
def test_the_command_says_what_was_predicted_and_true(run):
    code, out, err = run(*CALIBRATE)
    assert (code, err) == (0, "")
    lines = out.splitlines()
    assert lines[0] == (
        "How well hand reading works against simple · standard rules · 10 positions of 10 hands"
    )
    for name in BUCKET_NAMES:
        assert sum(line.startswith(f"  {name} ") for line in lines) == 3
    assert "Predicted undercut chance within the interval of the true share: belief in" in out
    assert "simple:knock=0 draws and discards against simple. One position per hand" in out


@pytest.mark.long
def test_results_on_disk_are_drawn_again(run, tmp_path):
    folder = tmp_path / "result"
    code, out, _ = run(*CALIBRATE, "--json", "--out", str(folder), "--quiet")
    assert code == 0
    assert out.lstrip().startswith("{")
    files = {path.name for path in folder.iterdir()}
    expected = {"reliability.csv", "reliability.png", "reliability.svg", "positions.csv"}
    assert expected <= files
    positions = (folder / "positions.csv").read_text().splitlines()
    assert len(positions) == 11
    before = (folder / "reliability.svg").read_bytes()
    (folder / "reliability.svg").unlink()
    code, _, _ = run("chart", str(folder))
    assert code == 0
    assert (folder / "reliability.svg").read_bytes() == before


@pytest.mark.long
def test_recorded_hands_have_a_line_for_each_opponent(run, tmp_path):
    policies = parse_policy("greedy:knock=5"), parse_policy("simple:knock=0")
    path = tmp_path / "hands.jsonl"
    write_records(path, play_recorded(policies, RULES, 3, 8))
    code, out, err = run(*CALIBRATE[:4], "--records", str(path), "--worlds", "40")
    assert (code, err) == (0, "")
    assert "recorded hands" in out.splitlines()[0]
    assert "  greedy:knock=5 " in out
    assert "  simple:knock=0 " in out
    assert "takes 3 %, discards 3 %, knocks 0.1 %." in out


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        (("--against", "simpel"), "Did you mean 'simple'"),
        (("--against", "heisenbot"), "give --play POLICY"),
        (("--against", "simple", "--deviation", "much"), "known, alike, one chance"),
        (("--against", "simple", "--deviation", "0.1,0.1"), "three of a take"),
        (("--against", "simple", "--deviation", "0,0.1,0.6"), "from 0 to 0.5"),
        (("--against", "simple", "--records", "no.jsonl"), "no.jsonl"),
        (("--against", "simple", "--records", "x", "--play", "simple"), "leave --play"),
        (("--against", "simple", "--rules", "nonesuch"), "nonesuch"),
        (("--against", "simple", "--positions", "0"), "whole number from 1"),
    ],
)
def test_what_cannot_be_asked_is_a_sentence(run, arguments, sentence):
    code, out, err = run("belief", "calibrate", *arguments)
    assert (code, out) == (2, "")
    assert sentence in err
    assert err.count("\n") == 0
