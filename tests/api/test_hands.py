"""The front door on single hands: exact answers, recorded hands, and a table of one row a hand.

Whether an arrangement is best is for other tests; here every form of an answer is looked at, and
the table is held to simulations and to records of the same hands.
"""

from __future__ import annotations

import json
import threading
from pathlib import Path

import naive
import numpy as np
import pandas as pd
import pytest

import gin_sim
from gin_sim.api.single_hands import HandsError, deadwood_of_each, settle_each
from gin_sim.errors import InputError
from gin_sim.play.plans import Plan
from gin_sim.play.record import play_recorded
from gin_sim.play.replay import Replayer
from gin_sim.play.run import simulate
from gin_sim.play.tallies import (
    BIG_GINS,
    DEADWOOD_AT_KNOCK,
    GINS,
    HANDS_WON,
    KNOCKS,
    LEAD_IN_POINTS,
    POINTS,
    STALLS,
    TURNS,
    UNDERCUTS_MADE,
    WASHES,
)
from gin_sim.policies.catalogue import parse_policy
from gin_sim.records import read_records
from gin_sim.results.hand_table import PlayedHand
from gin_sim.rules import PRESETS, parse_rules

DATA = Path(__file__).parents[1] / "data"
ELEVEN = "7s7h7d 4h5h6h KcQd2c2d As"
KNOCKER, DEFENDER = "JsQsKs TdTcTh Ac2d3hAd", "Ts9s4h6d8c2h5c7d3sQd"


# ------------------------------------------------------------------ one hand


def test_deadwood_answers_in_plain_values():
    answer = gin_sim.deadwood(ELEVEN)
    assert (answer.hand, answer.deadwood, answer.discard) == (ELEVEN, 15, "Kc")
    assert answer.melds == [["7s", "7h", "7d"], ["4h", "5h", "6h"]]
    assert repr(answer) == (
        "<HandAnswer: deadwood 15: may not knock under standard rules (limit 10)>"
    )
    assert json.loads(answer.to_json()) == answer.to_dict()
    assert answer.to_dict()["discards"][0] == {"card": "Kc", "deadwood": 15}


def test_a_hand_is_a_row_and_its_discards_are_rows():
    answer = gin_sim.deadwood(ELEVEN)
    assert answer.table().to_dict("records") == [
        {
            "hand": ELEVEN,
            "deadwood": 15,
            "melds": "7s7h7d|4h5h6h",
            "loose": "As2d2cQd",
            "discard": "Kc",
            "best_discards": "KcQd",
            "big_gin": False,
        }
    ]
    discards = answer.table("discards")
    assert list(discards.columns) == ["card", "deadwood"]
    assert len(discards) == 11
    assert discards.deadwood.is_monotonic_increasing
    none = gin_sim.deadwood("As").table("discards")
    assert (list(none.columns), len(none)) == (["card", "deadwood"], 0)


def test_the_text_of_a_hand_is_what_the_command_prints(run):
    _, printed, _ = run("deadwood", ELEVEN)
    assert gin_sim.deadwood(ELEVEN).text() == printed
    assert printed.splitlines()[0] == "4♥ 5♥ 6♥ | 7♠ 7♥ 7♦   loose A♠ 2♦ 2♣ Q♦   discard K♣"
    assert gin_sim.deadwood(ELEVEN).text(more=False) == "".join(printed.splitlines(True)[:2])


def test_a_hand_in_a_notebook_has_its_line_and_its_table():
    shown = gin_sim.deadwood(ELEVEN)._repr_html_()
    assert shown.startswith("<p>deadwood 15: may not knock")
    assert "<table" in shown
    assert "7s7h7d|4h5h6h" in shown


@pytest.mark.parametrize(
    ("hand", "said"),
    [
        ("7s7s", "7♠ is there twice"),
        ("", "a hand has 1 to 11 cards, and 0 are given"),
        ("Joker", "'Joker' is not a card"),
    ],
)
def test_a_hand_that_is_none_is_a_sentence_without_a_number(hand, said):
    with pytest.raises(InputError, match=f"^{said}"):
        gin_sim.deadwood(hand)


def test_many_hands_are_answered_as_each_is():
    hands = [ELEVEN, "As", "7s7h7d 4h5h6h AcAdAsAh"]
    assert deadwood_of_each(hands) == [gin_sim.deadwood(hand) for hand in hands]
    with pytest.raises(HandsError) as error:
        deadwood_of_each(["As", "", "2s2s"])
    assert [row for row, _ in error.value.problems] == [1, 2]


def test_settle_answers_in_plain_values():
    answer = gin_sim.settle(KNOCKER, DEFENDER)
    assert (answer.outcome, answer.winner, answer.knocker_points) == ("knock", "knocker", 38)
    assert answer.layoffs == [("Ts", 1), ("9s", 1)]
    assert repr(answer) == (
        "<Settlement: knock: the knocker scores 38 points under standard rules>"
    )
    assert answer.to_dict()["rules"] == PRESETS["standard"].as_dict()
    (row,) = answer.table().to_dict("records")
    assert (row["spread"], row["layoffs"]) == ("ThTdTc|JsQsKs", "Ts9s")


def test_settle_takes_rules_by_name_or_as_they_are():
    by_name = gin_sim.settle(KNOCKER, DEFENDER, rules="oklahoma", upcard="9s")
    assert by_name.knocker_points == 76
    as_they_are = gin_sim.settle(KNOCKER, DEFENDER, rules=PRESETS["oklahoma"], upcard="9♠")
    assert as_they_are == by_name
    assert "lays off   T♠ 9♠ on J♠ Q♠ K♠" in by_name.text()
    with pytest.raises(InputError, match=r"^the limit under|^the knocker has deadwood 7 .* is 5"):
        gin_sim.settle(KNOCKER, DEFENDER, rules="oklahoma", upcard="5d")


def test_many_knocks_are_settled_as_each_is():
    rows = [(KNOCKER, DEFENDER, None), (KNOCKER, DEFENDER, "9s")]
    columns = zip(*rows, strict=True)
    assert settle_each(*columns, rules="oklahoma") == [
        gin_sim.settle(knocker, defender, rules="oklahoma", upcard=upcard)
        for knocker, defender, upcard in rows
    ]


# ------------------------------------------------------------- recorded hands


def test_replay_counts_what_the_records_hold():
    path = DATA / "hands-standard.jsonl"
    found = gin_sim.replay(path)
    records = [record for _, record in read_records(path)]
    assert (found.hands, found.faults, found.recorded_rules) == (500, [], ["standard"])
    for outcome, hands in found.outcomes.items():
        ended = [record for record in records if record.end.kind == outcome]
        assert hands == len(ended)
        assert found.points[outcome] == sum(sum(record.end.points) for record in ended)
    table = found.table().set_index("outcome")
    assert table.share.sum() == pytest.approx(1)
    assert table.points_per_hand["knock"] == found.points["knock"] / found.outcomes["knock"]
    assert np.isnan(table.points_per_hand["wash"]) == (found.outcomes["wash"] == 0)
    assert set(found.table("players").player) == {name for r in records for name in r.players}


def test_replay_prices_under_other_rules_and_writes(tmp_path):
    out = tmp_path / "priced.jsonl"
    found = gin_sim.replay(DATA / "hands-standard.jsonl", rules="classic", record=out)
    assert found.priced_by == PRESETS["classic"]
    assert repr(found) == (
        "<Replay: 500 recorded hands · standard rules, scored under classic; no faults>"
    )
    assert {record.priced for _, record in read_records(out)} == {"classic"}
    assert sum(sum(record.end.points) for _, record in read_records(out)) == sum(
        found.points.values()
    )


def test_a_fault_is_plain_in_data_and_has_symbols_in_text(tmp_path):
    (_, record), *_ = read_records(DATA / "hands-standard.jsonl")
    turn = next(i for i, turn in enumerate(record.turns) if turn.draw == "stock")
    text = (DATA / "hands-standard.jsonl").read_text(encoding="utf-8").splitlines()[0]
    bad = json.loads(text)
    bad["turns"][turn]["card"] = bad["stock"][-1]
    path, out = tmp_path / "bad.jsonl", tmp_path / "out.jsonl"
    path.write_text(json.dumps(bad) + "\n", encoding="utf-8")
    found = gin_sim.replay(path, record=out)
    (fault,) = found.faults
    ((_, record),) = read_records(path)
    assert (fault.line, fault.turn, fault.reason) == (
        1,
        turn + 1,
        Replayer(symbols=False).replay(record).fault,
    )
    assert f"line 1: {Replayer(symbols=True).replay(record).fault}\n" in found.text()
    assert not out.exists()
    assert found.table("faults").turn.tolist() == [turn + 1]


def test_a_replay_is_saved_and_loaded(tmp_path):
    found = gin_sim.replay(DATA / "hands-standard.jsonl")
    names = found.save(tmp_path / "replay")
    assert {"outcomes.csv", "players.csv", "faults.csv", "manifest.json"} <= set(names)
    assert gin_sim.load(tmp_path / "replay") == found
    header = (tmp_path / "replay" / "faults.csv").read_text(encoding="utf-8")
    assert header == "line,turn,reason\n"


# ---------------------------------------------------------------- one row a hand


def tally_of(first, second, hands, rules="standard", **more):
    policies = parse_policy(first), parse_policy(second)
    return simulate(Plan(policies, parse_rules(rules), hands, **more)).tally[0]


@pytest.mark.parametrize(
    ("pair", "rules", "mirrored"),
    [
        (("greedy", "simple"), "standard", True),
        (("strong", "greedy:knock=0"), "oklahoma", False),
        (("simple", "marjj"), "openspiel", True),
        (("greedy:knock=0", "greedy:knock=0"), "standard:stall_turns=30,stock_floor=0", True),
        (("greedy", "random"), "palace", False),
    ],
)
def test_the_rows_sum_to_what_the_simulation_tallies(pair, rules, mirrored):
    table = gin_sim.hands(*pair, hands=3000, rules=rules, seed=5, mirrored=mirrored)
    tally = tally_of(*pair, 3000, rules, seed=5, mirrored=mirrored)
    assert len(table) == tally.hands
    for side, name in enumerate("ab"):
        mine = table[table.knocker == name]
        knocks = mine[mine.outcome.isin(["knock", "undercut"])]
        sums = tally.sums[:, side]
        assert (table.winner == name).sum() == sums[HANDS_WON]
        assert table[f"points_{name}"].sum() == sums[POINTS]
        assert len(knocks) == sums[KNOCKS]
        assert knocks.knocker_deadwood.sum() == sums[DEADWOOD_AT_KNOCK]
        assert (mine.outcome == "gin").sum() == sums[GINS]
        assert (mine.outcome == "big_gin").sum() == sums[BIG_GINS]
        others = table[(table.knocker != name) & table.knocker.notna()]
        assert (others.outcome == "undercut").sum() == sums[UNDERCUTS_MADE]
    assert table.outcome.isin(["wash", "stalled"]).sum() == tally.shared[WASHES]
    assert (table.outcome == "stalled").sum() == tally.shared[STALLS]
    assert table.turns.sum() == tally.shared[TURNS]
    lead = table.points_a.astype(int) - table.points_b
    assert lead.sum() == tally.leads[LEAD_IN_POINTS]
    assert (lead.groupby(table.deal_index).sum() ** 2).sum() == tally.lead_squares[LEAD_IN_POINTS]


@pytest.mark.parametrize(("rules", "mirrored"), [("standard", True), ("oklahoma", False)])
def test_each_row_is_the_record_of_its_hand(rules, mirrored):
    pair = ("strong", "greedy:knock=0")
    table = gin_sim.hands(*pair, hands=300, rules=rules, seed=9, mirrored=mirrored)
    policies = tuple(map(parse_policy, pair))
    records = play_recorded(policies, parse_rules(rules), 9, 300, mirrored=mirrored)
    for row, record in zip(table.itertuples(), records, strict=True):
        sides = "ba" if record.leg else "ab"
        end = record.end
        knocker = None if end.knocker is None else sides[end.knocker]
        points = {sides[seat]: end.points[seat] for seat in range(2)}
        dealt = {sides[seat]: naive.deadwood(frozenset(record.deal[seat])) for seat in range(2)}
        assert (row.deal_index, row.leg, row.dealer, row.first_upcard) == (
            record.deal_index,
            record.leg,
            sides[record.dealer],
            record.upcard,
        )
        assert row.outcome == end.kind or (row.outcome, end.kind) == ("stalled", "wash")
        assert (row.points_a, row.points_b) == (points["a"], points["b"])
        assert (row.dealt_deadwood_a, row.dealt_deadwood_b) == (dealt["a"], dealt["b"])
        assert row.turns == sum(turn.draw != "pass" for turn in record.turns)
        assert row.stock_left == 31 - sum(turn.draw == "stock" for turn in record.turns)
        facts = (row.knocker_deadwood, row.defender_deadwood, row.laid_off)
        if knocker is None:
            assert all(map(pd.isna, (row.knocker, row.winner, *facts)))
            continue
        assert row.knocker == knocker
        assert facts == (
            naive.total_pips(end.knocker_deadwood),
            naive.total_pips(end.defender_deadwood),
            len(end.layoffs),
        )
        assert row.winner == ("a" if points["a"] else "b")


def test_nobody_wins_a_tie_that_scores_nothing():
    table = gin_sim.hands("simple", "simple", hands=4000, rules="openspiel", seed=2)
    ties = table[(table.outcome == "knock") & (table.knocker_deadwood == table.defender_deadwood)]
    assert len(ties) > 0
    assert ties.winner.isna().all()
    assert (ties.points_a + ties.points_b == 0).all()


def test_the_columns_are_those_described_and_small():
    table = gin_sim.hands("greedy", "simple", hands=1000)
    assert list(table.columns) == PlayedHand.column_names()
    assert table.memory_usage(index=False).sum() / len(table) < 40
    assert list(table.dealer.cat.categories) == ["a", "b"]
    assert list(table.outcome.cat.categories)[:5] == ["wash", "knock", "undercut", "gin", "big_gin"]
    assert table.attrs == {"policies": ["greedy", "simple"], "rules": "standard", "seed": 1}


def test_the_table_does_not_depend_on_threads():
    one = gin_sim.hands("greedy", "simple", hands=20_000, seed=4, threads=1)
    assert one.equals(gin_sim.hands("greedy", "simple", hands=20_000, seed=4, threads=3))
    assert not one.equals(gin_sim.hands("greedy", "simple", hands=20_000, seed=5))


def test_a_size_is_whole_pairs_and_may_be_written_short():
    assert len(gin_sim.hands("greedy", "simple", hands=1e3)) == 1000
    assert len(gin_sim.hands("greedy", "simple", hands=7)) == 8
    assert len(gin_sim.hands("greedy", "simple", hands=7, mirrored=False)) == 7
    with pytest.raises(InputError, match=r"hands=1\.5 is not a whole number"):
        gin_sim.hands("greedy", "simple", hands=1.5)
    with pytest.raises(InputError, match="no policy is called 'gredy'"):
        gin_sim.hands("gredy", "simple")


def test_a_table_that_does_not_fit_into_memory_is_a_sentence():
    with pytest.raises(InputError, match="out of memory for a table of 1,000,000,000,000 hands"):
        gin_sim.hands("greedy", "simple", hands=1e12)


def test_what_is_finished_is_kept_when_it_is_stopped():
    stop = threading.Event()
    seen = []

    def after_the_first(done, total, unit):
        seen.append((done, total, unit))
        stop.set()

    table = gin_sim.hands(
        "greedy", "simple", hands=400_000, threads=1, progress=after_the_first, stop=stop
    )
    assert seen[0][1:] == (400_000, "hands")
    assert 0 < len(table) < 400_000
    whole = gin_sim.hands("greedy", "simple", hands=400_000)
    assert table.equals(whole[: len(table)])


def test_an_illegal_step_ends_in_a_sentence(tmp_path):
    path = tmp_path / "my.py"
    path.write_text(
        'base = "greedy"\ndef choose_discard(view, p):\n    return view.drawn\n', "utf-8"
    )
    with pytest.raises(InputError, match=r"my\.py asked for an illegal step in"):
        gin_sim.hands(str(path), "simple", hands=400)


def test_parquet_keeps_the_table_as_it_is(tmp_path):
    pytest.importorskip("pyarrow")
    table = gin_sim.hands("greedy", "simple", hands=2000, rules="oklahoma")
    table.to_parquet(tmp_path / "hands.parquet")
    again = pd.read_parquet(tmp_path / "hands.parquet")
    pd.testing.assert_frame_equal(again, table)
    assert again.attrs == table.attrs
