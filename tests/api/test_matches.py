"""The front door of played matches: plain values in, a result with tables, charts and text out."""

from __future__ import annotations

import json
import threading

import pytest
from matplotlib.figure import Figure

import gin_sim
from gin_sim.api.progress import Progress
from gin_sim.records import read_records
from gin_sim.results.games import Games
from gin_sim.results.kinds import read_object
from gin_sim.results.match import Match
from gin_sim.results.ranking import Ranking

PAIR = ("greedy", "greedy:knock=5")
PATIENT = "tests/data/policies/patient.toml"


@pytest.fixture(scope="module")
def match():
    return gin_sim.simulate(*PAIR, hands=2000, seed=3)


@pytest.fixture(scope="module")
def ranking():
    return gin_sim.compare("simple", "greedy", "random", hands=600)


def plain(result) -> dict:
    """A result without what differs from run to run, and without the command line."""
    found = result if isinstance(result, dict) else result.to_dict()
    return {name: value for name, value in found.items() if name not in ("seconds", "command")}


# ------------------------------------------------------------------ what is asked


def test_hands_may_be_written_as_a_power_of_ten(match):
    assert plain(gin_sim.simulate(*PAIR, hands=2e3, seed=3)) == plain(match)
    with pytest.raises(gin_sim.InputError, match=r"^hands=2000\.5 is not a whole number"):
        gin_sim.simulate(*PAIR, hands=2000.5)
    with pytest.raises(gin_sim.InputError, match=r"^0 hands cannot be played"):
        gin_sim.simulate(*PAIR, hands=0)


def test_policies_and_rules_may_be_objects(match):
    policies = [gin_sim.Policy.parse(spec) for spec in PAIR]
    again = gin_sim.simulate(*policies, hands=2000, seed=3, rules=gin_sim.Rules())
    assert plain(again) == plain(match)


def test_policies_may_be_files_and_functions():
    def knocks_at_once(view, p):
        return True

    mine = gin_sim.Policy.of(should_knock=knocks_at_once, name="eager")
    found = gin_sim.simulate(PATIENT, mine, hands=200)
    assert [policy.spec for policy in found.policies] == [PATIENT, "eager"]
    assert found.policies[1].decides == ["should_knock"]
    assert found.policies[1].base.spec == "greedy"
    assert read_object(found.to_dict()).policies == found.policies


def test_the_seed_decides_and_the_threads_do_not(match):
    assert plain(gin_sim.simulate(*PAIR, hands=2000, seed=3, threads=3)) == plain(match)
    assert plain(gin_sim.simulate(*PAIR, hands=2000, seed=4)) != plain(match)


def test_the_same_numbers_as_the_command_line_prints(run, match):
    code, out, _ = run("simulate", *PAIR, "--hands", "2000", "--seed", "3", "--json")
    assert code == 0
    assert plain(json.loads(out)) == plain(match)
    assert json.loads(out)["command"].startswith("gin-sim simulate greedy greedy:knock=5 ")
    code, out, _ = run("simulate", *PAIR, "--hands", "2000", "--seed", "3")
    assert out.splitlines()[:-1] == match.text().splitlines()[:-1]


def test_simulate_with_games_returns_games():
    found = gin_sim.simulate(*PAIR, games=100, rules="eaai")
    assert isinstance(found, Games)
    assert (found.games, found.rules.name, found.pairs) == (100, "eaai", 50)
    assert list(found.difference) == ["win", "stakes"]


def test_stopping_rules_may_be_numbers():
    found = gin_sim.simulate("greedy", "greedy:knock=0", until=0.3)
    assert found.difference["points"].half_width <= 0.3
    assert (found.stopping.half_width, found.stopping.reached) == (0.3, True)
    tested = gin_sim.simulate("greedy:knock=0", "greedy", sprt=(0, 0.5))
    assert (tested.stopping.d0, tested.stopping.d1, tested.stopping.accepted) == (0, 0.5, "d1")
    games = gin_sim.simulate(*PAIR, games=20_000, until="±5", rules="eaai")
    assert games.stopping.half_width == 0.05


def test_a_luck_adjusted_difference_is_narrower():
    found = gin_sim.simulate(*PAIR, hands=4000, luck_adjusted=True).difference["points"]
    assert found.best is found.luck_adjusted
    assert found.luck_adjusted.half_width < found.half_width


@pytest.mark.parametrize(
    ("asked", "sentence"),
    [
        ({"hands": 10, "games": 10}, "--hands 10 and --games 10 are two simulations"),
        ({"games": 10, "luck_adjusted": True}, "--luck-adjusted weighs the luck of single hands"),
        ({"luck_adjusted": True, "until": 1}, "--luck-adjusted does not go with --until or --sprt"),
        ({"objective": "points"}, "--objective points needs --until or --sprt"),
        ({"objective": "win", "until": 1}, "--objective win judges whole games"),
        ({"objective": "stakes", "until": 1}, "the objective 'stakes' does not go with this"),
        ({"rules": "standrd"}, "no rule set is called 'standrd'. Did you mean 'standard'?"),
        ({"until": 1, "sprt": (0, 1)}, "--until and --sprt are two stopping rules"),
        ({"threads": 0}, "0 threads cannot play"),
    ],
)
def test_what_does_not_go_together_is_refused(asked, sentence):
    with pytest.raises(gin_sim.InputError, match="^" + sentence.replace("?", r"\?")):
        gin_sim.simulate(*PAIR, **asked)


def test_progress_and_stop():
    stop = threading.Event()
    seen = []

    def tell(done, total, unit):
        seen.append((done, total, unit))
        stop.set()

    found = gin_sim.simulate(*PAIR, hands=1e7, progress=tell, stop=stop)
    assert found.partial
    assert 0 < found.hands < 1e7
    assert seen[0][1:] == (10**7, "hands")
    stop.set()
    with pytest.raises(KeyboardInterrupt):
        gin_sim.simulate(*PAIR, hands=1e6, stop=stop)


# ----------------------------------------------------------------- what comes out


def test_a_match_is_plain_values(match):
    assert isinstance(match, Match)
    again = read_object(match.to_dict())
    assert again == match
    assert again.to_json() == match.to_json()
    assert json.loads(match.to_json())["kind"] == "match"
    first, second = match.sides
    difference = match.difference["points"]
    expected = first.points_per_hand.estimate - second.points_per_hand.estimate
    assert difference.estimate == pytest.approx(expected)


@pytest.mark.long
def test_a_match_is_loaded_as_it_was_saved(match, tmp_path):
    names = match.save(tmp_path / "match")
    assert {"difference.csv", "match.png", "match.svg", "sides.csv"} <= set(names)
    assert gin_sim.load(tmp_path / "match") == match
    assert not [name for name in match.save(tmp_path / "bare", charts=False) if "svg" in name]


def test_a_match_has_tables_charts_and_text(match):
    assert list(match.table()) == ["side", "policy", "measure", "estimate", "low", "high", "unit"]
    assert match.table("difference").objective.tolist() == ["points", "points+boxes"]
    assert isinstance(match.chart(), Figure)
    axes = Figure().add_subplot()
    assert match.chart(ax=axes) is axes
    assert match.text().splitlines()[0].startswith("greedy against greedy:knock=5 · standard rules")
    assert match.verdict in match.text(more=False)
    assert "seed" not in match.text(more=False)
    assert match._repr_html_().startswith("<p>no difference in points per hand is found between")
    assert "<table" in match._repr_html_()


def test_the_short_form_says_what_was_found():
    clear = gin_sim.simulate("greedy:knock=0", "greedy", hands=20_000)
    difference = clear.difference["points"]
    assert repr(clear) == (
        f"<Match: greedy:knock=0 scores {difference.estimate:.2f} more points per hand than greedy "
        f"[{difference.low:.2f}, {difference.high:.2f}]; standard rules, 20,000 hands, seed 1>"
    )
    level = gin_sim.simulate("greedy", "greedy:knock=9", hands=200)
    assert repr(level).startswith(
        "<Match: no difference in points per hand is found between greedy and greedy:knock=9, "
    )
    few = gin_sim.simulate("greedy", "simple", hands=2)
    assert "too few hands for an interval" in repr(few)
    won = gin_sim.simulate("strong", "random", games=100, rules="eaai")
    assert repr(won).startswith("<Games: strong wins 100.00 more games in a hundred than random [")
    assert repr(won).endswith("; eaai rules, 100 games, seed 1>")


# ------------------------------------------------------------------------ compare


def test_a_ranking_is_what_the_command_prints(run, ranking):
    code, out, _ = run("compare", "simple", "greedy", "random", "--hands", "600", "--json")
    assert code == 0
    assert plain(json.loads(out)) == plain(ranking)
    assert isinstance(ranking, Ranking)
    assert [row.policy for row in ranking.ranking][-1] == "random"
    assert [policy.spec for policy in ranking.policies] == ["simple", "greedy", "random"]
    assert repr(ranking).endswith(
        ", by points per hand; standard rules, 600 hands per pairing, seed 1>"
    )
    assert " 3 random" in repr(ranking)


@pytest.mark.long
def test_a_ranking_has_tables_and_charts(ranking, tmp_path):
    assert ranking.table().policy.tolist() == [row.policy for row in ranking.ranking]
    assert len(ranking.table("differences")) == 3
    axes = Figure().add_subplot()
    assert ranking.chart(ax=axes) is axes
    assert isinstance(ranking.chart("ranking"), Figure)
    ranking.save(tmp_path / "ranking")
    assert gin_sim.load(tmp_path / "ranking") == ranking


@pytest.mark.parametrize("order", [PAIR, PAIR[::-1]])
def test_two_policies_are_compared_in_the_order_given(order):
    found = gin_sim.compare(*order, hands=2000)
    first, second = order
    assert f"  {first} - {second}   " in found.text()
    sign = "-" if order == PAIR else "+"
    assert f"  {first} - {second}   {sign}" in found.text()
    (pair,) = found.differences
    assert pair.policy == "greedy:knock=5"


def test_games_are_compared_in_shares():
    found = gin_sim.compare("strong", "random", objective="win", games=40, rules="eaai")
    assert (found.unit, found.games, found.hands) == ("share of games", 40, None)
    assert found.differences[0].lead.estimate == 1
    with pytest.raises(gin_sim.InputError, match=r"^the objective 'stakes' does not go with this"):
        gin_sim.compare(*PAIR, objective="stakes")
    with pytest.raises(gin_sim.InputError, match=r"^1 policy is given"):
        gin_sim.compare("greedy")


# ---------------------------------------------------------------------- recording


def test_recorded_hands_are_those_of_the_match(tmp_path):
    file = tmp_path / "hands.jsonl"
    said = []

    class Said(Progress):
        def note(self, sentence):
            said.append(sentence)

    gin_sim.record_hands(*PAIR, file, hands=40, seed=5, progress=Said())
    assert said == [f"The first 40 hands are in {file}."]
    records = [record for _, record in read_records(file)]
    found = gin_sim.simulate(*PAIR, hands=40, seed=5)
    points = sum(record.end.points[record.leg] for record in records)
    assert found.sides[0].points_per_hand.estimate * 40 == pytest.approx(points)


def test_recording_refuses_what_cannot_be_written(tmp_path):
    with pytest.raises(gin_sim.InputError, match="there is no folder"):
        gin_sim.record_hands(*PAIR, tmp_path / "missing" / "hands.jsonl")
    stop = threading.Event()
    stop.set()
    with pytest.raises(KeyboardInterrupt):
        gin_sim.record_hands(*PAIR, tmp_path / "hands.jsonl", stop=stop)
    assert not list(tmp_path.iterdir())
