"""`gin-sim simulate` with --until and --sprt: what is printed, and what is refused."""

from __future__ import annotations

import json

import pytest

COMMAND = ("simulate",)

PAIR = ("greedy", "greedy:knock=0")


def plain(text):
    found = json.loads(text)
    del found["seconds"], found["command"]
    return found


@pytest.mark.long
@pytest.mark.parametrize("objective", ["points", "points+boxes"])
def test_until_watches_the_objective(works, objective):
    asked = (*PAIR, "--until", "0.2", "--objective", objective, "--json")
    found = plain(works(*asked))
    figure = found["difference"][objective]
    reach = (figure["high"] - figure["low"]) / 2
    assert reach <= 0.2
    assert found["stopping"] == {
        "rule": "until",
        "half_width": 0.2,
        "unit": "points per hand",
        "reached": True,
    }
    assert found["hands"] < 10**6
    # Played on with the same seed, a fixed number of hands has the same means and less width.
    fixed = plain(works(*PAIR, "--hands", str(found["hands"]), "--json"))
    assert fixed["stopping"] is None
    assert fixed["difference"][objective]["estimate"] == figure["estimate"]
    narrow = fixed["difference"][objective]
    assert 1.2 < 2 * reach / (narrow["high"] - narrow["low"]) < 2.2
    assert fixed["sides"] == found["sides"]
    assert {json.dumps(plain(works(*asked, "--threads", n))) for n in "127"} == {json.dumps(found)}


def test_until_of_games_is_in_percent(works):
    found = plain(works(*PAIR, "--games", "1e5", "--until", "5", "--json", "--rules", "eaai"))
    figure = found["difference"]["win"]
    assert (figure["high"] - figure["low"]) / 2 <= 0.05
    assert found["games"] < 10_000
    assert (found["stopping"]["half_width"], found["stopping"]["unit"]) == (0.05, "share of games")
    out = works(*PAIR, "--games", "1e5", "--until", "5", "--rules", "eaai")
    assert "Stopped once every interval was within ±5 % of games." in out
    assert "Intervals of differences hold at every look" in out


@pytest.mark.parametrize(("pair", "accepted"), [(PAIR, "d0"), (PAIR[::-1], "d1")])
def test_a_test_of_which_is_better(works, pair, accepted):
    found = plain(works(*pair, "--sprt", "0,0.5", "--json"))
    assert found["stopping"]["accepted"] == accepted
    low, high = found["stopping"]["bounds"]
    assert found["stopping"]["llr"] <= low if accepted == "d0" else found["stopping"]["llr"] >= high
    out = works(*pair, "--sprt", "0,0.5")
    answer = "No" if accepted == "d0" else "Yes"
    asked = f"Does {pair[0]} lead {pair[1]} by +0.5 points per hand rather than +0? {answer} ("
    assert asked in out
    assert "bounds -2.94 and +2.94; each error has a chance of 5%)" in out


def test_too_few_hands_for_until_is_reported(works):
    out = works(*PAIR, "--until", "0.01", "--hands", "6000")
    assert (
        "You asked for ±0.01 points per hand; the intervals are wider after 6,000 hands: allow "
        "more with --hands"
    ) in out
    out = works("greedy", "greedy:knock=10", "--sprt", "-0.1,0.1", "--hands", "4000")
    assert "Does greedy lead greedy:knock=10 by +0.1 points per hand rather than -0.1? Not " in out
    few = works(*PAIR, "--until", "0.01", "--hands", "20")
    assert "nan" not in few
    assert "too few" in few


@pytest.mark.parametrize(
    ("more", "sentence"),
    [
        (("--until", "x"), "'x' is not a half-width of an interval"),
        (("--sprt", "0"), "'0' is not a pair of leads"),
        (("--sprt", "2,1"), "The leads 2 and 1 cannot be tested"),
        (("--until", "1", "--sprt", "0,1"), "--until and --sprt are two stopping rules"),
        (("--objective", "points"), "--objective points needs --until or --sprt"),
        (
            ("--objective", "win", "--until", "1"),
            "--objective win judges whole games: give --games.",
        ),
        (
            ("--objective", "points", "--until", "1", "--games", "10"),
            "--objective points judges single hands: leave --games out.",
        ),
        (("--luck-adjusted", "--until", "1"), "--luck-adjusted does not go with --until or "),
    ],
)
def test_bad_input_is_one_sentence(run, more, sentence):
    code, out, err = run("simulate", *PAIR, *more)
    assert (code, out) == (2, "")
    assert err.startswith("Error: ")
    assert sentence in err
    assert err.count("\n") == 0
