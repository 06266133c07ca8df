"""Is the slow oracle right?  Only then may it judge the engine.

It decides that by other people's answers: hands, knocks and played games of
several open-source engines (`data/SOURCES.md`), the examples of the rules, and
records spoilt on purpose, each of which the referee has to name.  It refuses to
know gin_sim: nothing here imports it.
"""

import copy
import csv
import json
from collections import Counter
from fractions import Fraction
from itertools import combinations
from pathlib import Path

import naive
import pytest
from naive import PRESETS, STANDARD, cards_of, deadwood, play_game, referee, settle

DATA = Path(__file__).parent / "data"
HAND_FILES = {
    "hands-standard.jsonl": 500,
    "hands-eaai-simple.jsonl": 300,
    "hands-eaai-taylor-simple.jsonl": 100,
    "hands-eaai-depauw-marjj.jsonl": 200,
}


def rows(name):
    lines = (DATA / name).read_text(encoding="utf-8").splitlines()
    return list(csv.DictReader(line for line in lines if not line.startswith("#")))


def records(name):
    lines = (DATA / name).read_text(encoding="utf-8").splitlines()
    return [json.loads(line) for line in lines]


def least_deadwood(cards):
    return deadwood(cards) if len(cards) <= 10 else naive.best_discards(cards)[0]


def melds(*texts):
    return frozenset(frozenset(cards_of(text)) for text in texts)


def unseen_by(text):
    return frozenset(naive.DECK) - frozenset(cards_of(text))


# ---------------------------------------------------------- cards and melds


def test_there_are_65_sets_and_264_runs():
    assert len(set(naive.SETS)) == 65
    assert len(set(naive.RUNS)) == 264
    assert len(set(naive.MELDS)) == 329
    assert Counter(len(run) for run in naive.RUNS) == {n: 4 * (14 - n) for n in range(3, 14)}


def test_the_ace_is_low():
    assert frozenset(cards_of("As2s3s")) in naive.RUNS
    assert frozenset(cards_of("QsKsAs")) not in naive.MELDS
    assert sum(naive.pips(card) for card in naive.DECK) == 4 * 85


def test_a_card_that_does_not_exist_or_comes_twice_is_refused():
    with pytest.raises(ValueError, match="not a card"):
        deadwood(["10s"])
    with pytest.raises(ValueError, match="comes twice"):
        deadwood(["Ts", "Ts"])


# ----------------------------------------------------------------- deadwood


def test_deadwood_agrees_with_two_engines():
    table = rows("deadwood.csv")
    assert Counter(len(row["hand"]) // 2 for row in table) == {10: 1000, 11: 1000}
    wrong = [r for r in table if least_deadwood(cards_of(r["hand"])) != int(r["deadwood"])]
    assert wrong == []


@pytest.mark.parametrize("row", rows("deadwood-named.csv"), ids=lambda row: row["case"])
def test_named_hands(row):
    assert least_deadwood(cards_of(row["hand"])) == int(row["deadwood"])


def test_deadwood_of_short_and_melded_hands():
    assert deadwood([]) == 0
    assert deadwood(["Ks"]) == 10
    assert deadwood(cards_of("Ac2c3c4c5d6d7d8d9hThJh")) == 0


def test_arrangements_include_every_split():
    whole = naive.arrangements(cards_of("3s4s5s6s7s8s"))
    assert set(whole) == {melds("3s4s5s6s7s8s"), melds("3s4s5s", "6s7s8s")}
    assert naive.arrangements(cards_of("2s5hKd")) == [frozenset()]
    two_ways = naive.arrangements(cards_of("7s7h7d8d9d"))
    assert set(two_ways) == {melds("7d8d9d")}
    both = naive.arrangements(cards_of("5s6s7s5h6h7h5d6d7d"))
    assert melds("5s6s7s", "5h6h7h", "5d6d7d") in both
    assert melds("5s5h5d", "6s6h6d", "7s7h7d") in both
    assert len(both) == 2


def test_best_discards_are_all_of_them_and_keep_the_taken_card():
    # From a run of eleven: either end, or a card that leaves a run on both sides.
    hand = cards_of("Ac2c3c4c5c6c7c8c9cTcJc")
    assert naive.best_discards(hand) == (0, sorted(cards_of("Ac4c5c6c7c8cJc")))
    hand = cards_of("As2s3s4h5h6h7d8d9dKcQc")
    assert naive.best_discards(hand) == (10, ["Kc", "Qc"])
    assert naive.best_discards(hand, forbidden="Qc") == (10, ["Kc"])


# --------------------------------- the three points that engines get wrong


def test_point_1_the_defence_is_joint():
    # The defender breaks its own set of eights to lay off both ends of a run.
    spread = melds("5s6s7s", "9cTcJc", "KsKcKd")
    defender = cards_of("2s8s9sAc2c7c8c2d8d2h")
    own_melds_first = min(
        naive.total_pips(naive.loose(defender, own)) for own in naive.arrangements(defender)
    )
    assert own_melds_first == deadwood(defender) == 17
    assert naive.defence(spread, defender) == 9
    # The ten goes on the run, not on the set, so that the nine can follow.
    spread = melds("TcTdTh", "JsQsKs", "AsAcAd")
    assert naive.defence(spread, cards_of("Ts9s")) == 0


def test_point_2_the_discard_from_eleven_is_exact():
    hand = cards_of("As2s4sAc2c4c2d4dAh2h3h")
    assert naive.best_discards(hand) == (0, ["3h"])
    # The one best arrangement of the eleven leaves two aces, so discarding from it leaves one.
    (eleven,) = naive.arrangements(hand)
    assert naive.loose(hand, eleven) == {"As", "Ac"}


def test_point_3_the_spread_gives_least_away_without_seeing_the_defender():
    knocker = "As5s6s7s5c6c7c5d6d7d"
    defender = cards_of("3s4s4c4d8s8c8d5h6h7h")
    sets = melds("5s5c5d", "6s6c6d", "7s7c7d")
    runs = melds("5s6s7s", "5c6c7c", "5d6d7d")
    assert naive.best_spreads(cards_of(knocker), unseen_by(knocker)) == [sets]
    hand = cards_of(knocker)
    assert settle(hand, defender, STANDARD)[:3] == ("knock", 2, 0)
    assert settle(hand, defender, STANDARD, spread=sets)[:3] == ("knock", 2, 0)
    assert settle(hand, defender, STANDARD, spread=runs)[:3] == ("undercut", 0, 26)


# ------------------------------------------------------------------ layoffs


def test_a_card_may_be_laid_off_where_the_meld_stays_a_meld():
    run, three, four = (frozenset(cards_of(t)) for t in ("5h6h7h", "9s9h9d", "9s9h9d9c"))
    assert [card for card in naive.DECK if naive.can_lay_off(card, run)] == ["4h", "8h"]
    assert [card for card in naive.DECK if naive.can_lay_off(card, three)] == ["9c"]
    assert [card for card in naive.DECK if naive.can_lay_off(card, four)] == []
    top = frozenset(cards_of("JhQhKh"))
    assert [card for card in naive.DECK if naive.can_lay_off(card, top)] == ["Th"]


def test_chains_of_layoffs():
    assert naive.defence(melds("5h6h7h"), cards_of("8h9hKs")) == 10
    assert naive.defence(melds("5h6h7h"), cards_of("9hThKs")) == 29
    assert naive.defence(melds("5h6h7h"), cards_of("2h3h4hJhKs")) == 20


def laid_off_by_simulation(spread, held):
    """Every held card that some legal sequence of layoffs gets rid of."""
    laid, seen, states = set(), set(), [frozenset(spread)]
    while states:
        state = states.pop()
        for meld in state:
            for card in held - frozenset().union(*state):
                if naive.can_lay_off(card, meld):
                    laid.add(card)
                    grown = state - {meld} | {meld | {card}}
                    if grown not in seen:
                        seen.add(grown)
                        states.append(grown)
    return laid


@pytest.mark.parametrize(
    ("spread", "unseen", "known"),
    [
        # 4s goes on the set or on the low run, 8s on the high run, 6s on neither alone.
        (("As2s3s", "9sTsJs", "4h4d4c"), "4s5s6s7s8sQsKs5h9hKdQd8cTc", ""),
        (("As2s3s", "9sTsJs", "4h4d4c"), "4s5s6s7s8sQsKs5h9hKdQd8cTc", "5s7sKd"),
        # 8s goes on the set, or on either run.
        (("3s4s5s", "9sTsJs", "8h8d8c"), "As2s6s7s8sQsKs5h9hKdQd3cTc", ""),
        (("3s4s5s", "9sTsJs", "8h8d8c"), "As2s6s7s8sQsKs5h9hKdQd3cTc", "8s"),
        # 8s is seen elsewhere, so 9s and Ts never follow.
        (("5s6s7s", "3h3d3c"), "3s4s9sTs2s5h9hKdQd8cTcJc", ""),
        (("5s6s7s", "3h3d3c"), "3s4s9sTs2s5h9hKdQd8cTcJc", "2s"),
        (("6h7h8h",), "Ah2h3h4h5h9hThJhQhKh", "Ah2h3h4h5h9hThJhQhKh"),
        ((), "3s4s9sTs2s5h9hKdQd8cTcJc", ""),
    ],
)
def test_expected_layoff_is_the_mean_over_all_hands(spread, unseen, known):
    spread, unseen, known = melds(*spread), frozenset(cards_of(unseen)), set(cards_of(known))
    hands = [known | set(rest) for rest in combinations(unseen - known, 10 - len(known))]
    laid = sum(naive.total_pips(laid_off_by_simulation(spread, hand)) for hand in hands)
    assert naive.layoff_expectation(spread, unseen, known) == Fraction(laid, len(hands))


def test_expected_layoff_in_closed_form():
    knocker = "As5s6s7s5c6c7c5d6d7d"
    sets = melds("5s5c5d", "6s6c6d", "7s7c7d")
    # 5h, 6h and 7h are each held with chance 10/42.
    assert naive.layoff_expectation(sets, unseen_by(knocker)) == Fraction(18 * 10, 42)
    known = {"5h"}
    assert naive.layoff_expectation(sets, unseen_by(knocker), known) == 5 + Fraction(13 * 9, 41)


def test_expected_layoff_refuses_what_cannot_be():
    spread = melds("5s6s7s")
    with pytest.raises(ValueError, match="not among the unseen"):
        naive.layoff_expectation(spread, unseen_by("5s6s7s8s"), {"8s"})
    with pytest.raises(ValueError, match="card of the spread"):
        naive.layoff_expectation(spread, naive.DECK)
    with pytest.raises(ValueError, match="hand of ten"):
        naive.layoff_expectation(spread, cards_of("AsAhAd"))


def test_splits_of_one_run_tie_as_spreads():
    hand = "3s4s5s6s7s8sKdKhKc2d"
    spreads = naive.best_spreads(cards_of(hand), unseen_by(hand))
    assert set(spreads) == {
        melds("3s4s5s6s7s8s", "KdKhKc"),
        melds("3s4s5s", "6s7s8s", "KdKhKc"),
    }


# ---------------------------------------------------------------- the price


@pytest.mark.parametrize("row", rows("settle.csv"), ids=lambda row: row["case"])
def test_settled_knocks(row):
    knocker, defender = cards_of(row["knocker"]), cards_of(row["defender"])
    assert deadwood(knocker) == int(row["knocker_deadwood"])
    assert deadwood(defender) == int(row["defender_deadwood_before_layoff"])
    outcome = settle(knocker, defender, STANDARD)
    assert outcome.kind == row["outcome"]
    assert outcome.knocker_points == int(row["knocker_points"])
    assert outcome.defender_points == int(row["defender_points"])


def test_every_preset_has_every_field():
    assert set(PRESETS) == {
        *("standard", "modern", "classic", "eaai"),
        *("openspiel", "palace", "oklahoma", "straight"),
    }
    assert all(set(rules) == set(STANDARD) for rules in PRESETS.values())


def test_bonuses_come_from_the_rules():
    gin = cards_of("JhQhKh2s3s4s8d8c8h8s"), cards_of("ThAc2c9d5h6dKsQc7c3d")
    assert settle(*gin, PRESETS["classic"])[:3] == ("gin", 83, 0)
    assert settle(*gin, PRESETS["oklahoma"], spade_upcard=True)[:3] == ("gin", 176, 0)
    assert settle(*gin, STANDARD, spade_upcard=True)[:3] == ("gin", 88, 0)
    # Only the ten of hearts can be laid off.
    lays_off = {**STANDARD, "layoff_on_gin": True}
    assert settle(*gin, lays_off)[:3] == ("gin", 25 + 63 - 10, 0)
    undercut = cards_of("2s3s4s9h9d9cJhJdJcAd"), cards_of("6h6d6cAhAsAcQsQdQcQh")
    assert settle(*undercut, PRESETS["classic"])[:3] == ("undercut", 0, 11)
    assert settle(*undercut, PRESETS["palace"])[:3] == ("undercut", 0, 21)


def test_a_tie_is_an_undercut_or_nothing():
    tie = cards_of("3h4h5h9s9c9d4s3d2cAs"), cards_of("4c5c6cQhQdQs4d3s2dAc")
    assert settle(*tie, STANDARD) == ("undercut", 0, 25, 10, 10)
    assert settle(*tie, PRESETS["openspiel"]) == ("knock", 0, 0, 10, 10)


def test_big_gin_is_a_rule_set_matter():
    eleven, defender = cards_of("Ac2c3c4c5d6d7d8d9hThJh"), cards_of("KsKcKdQsJs9s2h4h6h8h")
    whole = deadwood(defender)
    assert settle(eleven, defender, STANDARD)[:3] == ("big_gin", 31 + whole, 0)
    with pytest.raises(ValueError, match="no big gin"):
        settle(eleven, defender, PRESETS["eaai"])


def test_the_limit_by_upcard():
    oklahoma = PRESETS["oklahoma"]
    assert [naive.knock_limit(oklahoma, c) for c in ("Kd", "Ts", "7h", "Ac")] == [10, 10, 7, 0]
    assert naive.knock_limit({**oklahoma, "ace_upcard": "one"}, "Ac") == 1
    assert naive.knock_limit(PRESETS["straight"], "Kd") == 0
    assert naive.knock_limit(STANDARD, "2d") == 10


# ----------------------------------------------- the referee on played hands


@pytest.mark.parametrize("name", HAND_FILES)
def test_recorded_hands_are_legal_and_rightly_priced(name):
    hands = records(name)
    assert len(hands) == HAND_FILES[name]
    faults = {line: fault for line, r in enumerate(hands, 1) if (fault := referee(r))}
    assert faults == {}


def test_other_engines_lay_off_worse_in_fifteen_hands():
    # Their first-fit layoffs never beat the joint defence; SOURCES.md counts them.
    differing = 0
    for name in HAND_FILES:
        for record in records(name):
            peer, end = record["peer"], record["end"]
            if "delta" in peer:
                theirs = peer["delta"]
            else:
                theirs = [0, 0]
                theirs[peer["winner"]] = peer["points"]
            if theirs != end["points"]:
                differing += 1
                defender = 1 - end["knocker"]
                gain = [end["points"][seat] - theirs[seat] for seat in (0, 1)]
                assert gain[defender] - gain[1 - defender] > 0
    assert differing == 15


# ----------------------------------------------- the referee on hands built here


def built(non_dealer, dealer, upcard, stock_top="", rules="standard"):
    """An open record: seat 0 deals, seat 1 acts first, no turns and no end yet."""
    hands = [list(cards_of(dealer)), list(cards_of(non_dealer))]
    top = list(cards_of(stock_top))
    dealt = {*hands[0], *hands[1], upcard, *top}
    stock = top + [card for card in naive.DECK if card not in dealt]
    return {
        "format": "gin-sim/hand-record/1",
        "rules": rules,
        "players": ["a", "b"],
        "dealer": 0,
        "deal": hands,
        "upcard": upcard,
        "stock": stock,
        "turns": [],
        "end": {},
    }


def passes(record):
    record["turns"] += [{"player": 1, "draw": "pass"}, {"player": 0, "draw": "pass"}]
    return record


def wash_end():
    return {"kind": "wash", "knocker": None, "knocker_melds": None, "points": [0, 0]}


def knocked():
    """A knock with everything told: a chain of two on a run, one on a set, one meld kept."""
    record = passes(
        built(
            "5h6h7hKsKcKdAsAc2d9s", "8h9hKh4c4d4h3sQcJdTs", "Qd", stock_top="2h", rules="standard"
        )
    )
    record["turns"].append(
        {"player": 1, "draw": "stock", "card": "2h", "discard": "9s", "knock": True}
    )
    record["end"] = {
        "kind": "knock",
        "knocker": 1,
        "knocker_melds": [["5h", "6h", "7h"], ["Ks", "Kc", "Kd"]],
        "knocker_deadwood": ["As", "Ac", "2d", "2h"],
        "defender_melds": [["4c", "4d", "4h"]],
        "layoffs": [["8h", 0], ["9h", 0], ["Kh", 1]],
        "defender_deadwood": ["3s", "Qc", "Jd", "Ts"],
        "points": [0, 27],
    }
    return record


def ginned(big):
    """The same eleven melded cards as gin with a discard, or as big gin."""
    record = passes(built("Ac2c3c4c5d6d7d8d9hTh", "KsKcQdJs9s2h4h6h8hTd", "3s", stock_top="Jh"))
    turn = {"player": 1, "draw": "stock", "card": "Jh"}
    turn |= {"big_gin": True} if big else {"discard": "Ac", "knock": True}
    record["turns"].append(turn)
    loose = record["deal"][0]
    record["end"] = {
        "kind": "big_gin" if big else "gin",
        "knocker": 1,
        "knocker_melds": [
            ["Ac", "2c", "3c", "4c"] if big else ["2c", "3c", "4c"],
            ["5d", "6d", "7d", "8d"],
            ["9h", "Th", "Jh"],
        ],
        "knocker_deadwood": [],
        "defender_melds": [],
        "layoffs": [],
        "defender_deadwood": list(loose),
        "points": [0, (31 if big else 25) + naive.total_pips(loose)],
    }
    return record


def drawn_to_the_wall(rules="standard", low_hand_at=0):
    """Both discard what they draw until two cards are left in the stock.

    The last card drawn is the ace of clubs; with it instead of its king the low
    hand has deadwood 8.
    """
    high, low = "AsAhAd2c4h6s8dTcQhKs", "5h6h7h9c9d9sKc3d2s2h"
    hands = (high, low) if low_hand_at == 0 else (low, high)
    record = passes(built(*hands, "Qd", rules=rules))
    stock = record["stock"]
    ace = stock.index("Ac")
    stock[28], stock[ace] = stock[ace], stock[28]
    for i, card in enumerate(stock[:29]):
        player = 1 - i % 2
        record["turns"].append({"player": player, "draw": "stock", "card": card, "discard": card})
    record["end"] = wash_end()
    return record


def low_hand_knocks(knocker):
    """The end of that hand when the low hand knocks with the ace of clubs."""
    left = naive.defence(melds("5h6h7h", "9c9d9s"), cards_of("AsAhAd2c4h6s8dTcQhKs"))
    points = [0, 0]
    points[knocker] = left - 8
    return {"kind": "knock", "knocker": knocker, "points": points}


def handed_back_and_forth(n_turns, knock_at_last=False):
    """Each player takes the upcard and discards a card that is of no use to it."""
    record = built("2s2h2d3s3h3d4s4h9cTc", "5s5h5d6s6h6d7s7hJcQc", "Kd")
    hands = [list(hand) for hand in record["deal"]]
    upcard = record["upcard"]
    for i in range(n_turns):
        player = 1 - i % 2
        discard = hands[player].pop()
        hands[player].insert(8, upcard)
        turn = {"player": player, "draw": "upcard", "card": upcard, "discard": discard}
        record["turns"].append(turn)
        upcard = discard
    record["end"] = wash_end()
    return record


def test_built_hands_are_legal():
    assert referee(knocked()) is None
    assert referee(ginned(big=False)) is None
    assert referee(ginned(big=True)) is None
    assert referee(drawn_to_the_wall()) is None
    assert referee(handed_back_and_forth(120)) is None


def test_knocking_is_optional_even_at_gin():
    record = ginned(big=False)
    del record["turns"][-1]["knock"]
    assert referee(record) == "end: the turns stop while the hand is still open"
    after = {"player": 0, "draw": "upcard", "card": "Ac", "discard": "Ks"}
    record["turns"].append(after)
    assert referee(record) == "end: the turns stop while the hand is still open"


def test_missing_fields_of_an_end_are_not_checked():
    record = knocked()
    for field in ("layoffs", "defender_melds", "defender_deadwood", "knocker_deadwood"):
        del record["end"][field]
        assert referee(record) is None
    del record["end"]["knocker_melds"]
    assert referee(record) is None
    record["end"]["points"] = [0, 28]
    assert "points" in referee(record)


def test_the_one_who_draws_down_to_the_floor_may_knock():
    record = drawn_to_the_wall(low_hand_at=1)
    record["turns"][-1] |= {"discard": "Kc", "knock": True}
    assert referee(record) == "end: player 1 knocked, so the hand is no wash"
    record["end"] = low_hand_knocks(1)
    assert referee(record) is None


def test_a_turn_after_the_wall_is_a_fault():
    record = drawn_to_the_wall()
    record["turns"].append({"player": 0, "draw": "upcard", "card": "Ac", "discard": "Kc"})
    assert referee(record) == "turn 31: the hand was over (wall), yet a turn follows"


def test_at_openspiels_wall_the_upcard_may_be_taken_only_to_knock():
    record = drawn_to_the_wall(rules="openspiel")
    assert referee(record) is None
    take = {"player": 0, "draw": "upcard", "card": "Ac", "discard": "Kc"}
    record["turns"].append(take)
    assert "turn 31: at the wall the upcard may be taken only to knock" in referee(record)
    take["knock"] = True
    record["end"] = low_hand_knocks(0)
    assert referee(record) is None
    assert "the hand was over (wall)" in referee(record, STANDARD)
    take["discard"] = "2s"
    assert "turn 31: a knock with deadwood" in referee(record)
    take |= {"draw": "stock", "card": record["stock"][29]}
    assert "may not be drawn" in referee(record)


def test_a_stalled_hand_is_a_wash_after_120_turns():
    assert "still open" in referee(handed_back_and_forth(119))
    assert referee(handed_back_and_forth(121)) == (
        "turn 120: the hand was over (stall), yet a turn follows"
    )
    assert referee(handed_back_and_forth(8), {**STANDARD, "stall_turns": 8}) is None


def test_without_a_first_upcard_courtesy_the_first_turn_is_ordinary():
    ordinary = {**STANDARD, "first_upcard": "none"}
    record = drawn_to_the_wall()
    assert "a pass is only for" in referee(record, ordinary)
    del record["turns"][:2]
    assert referee(record, ordinary) is None
    assert referee(record) == (
        "turn 0: the first upcard is on offer: take it or pass, no stock yet"
    )


def test_a_taken_card_may_go_back_only_where_the_rules_say_so():
    record = built("2s2h2d3s3h3d4s4h9cTc", "5s5h5d6s6h6d7s7hJcQc", "Kd")
    record["turns"].append({"player": 1, "draw": "upcard", "card": "Kd", "discard": "Kd"})
    record["end"] = wash_end()
    assert "turn 0: Kd was just taken" in referee(record)
    assert "still open" in referee(record, PRESETS["openspiel"])


def test_oklahoma_reads_limit_and_doubling_from_the_first_upcard():
    record = knocked()  # deadwood 6, upcard Qd
    oklahoma = PRESETS["oklahoma"]
    assert referee(record, oklahoma) is None
    for low in ("2c", "Ad"):
        other = copy.deepcopy(record)
        other["stock"][other["stock"].index(low)], other["upcard"] = "Qd", low
        assert "the limit is" in referee(other, oklahoma)
    spade = copy.deepcopy(record)
    spade["stock"][spade["stock"].index("Qs")], spade["upcard"] = "Qd", "Qs"
    assert referee(spade, oklahoma) == "end: the points are [0, 27], but should be [0, 54]"
    spade["end"]["points"] = [0, 54]
    assert referee(spade, oklahoma) is None


def test_equal_deadwood_scores_nothing_where_ties_are_zero():
    record = passes(built("3h4h5h9s9c9d4s3dAsKd", "4c5c6cQhQdQs4d3s2dAc", "8h", stock_top="2c"))
    record["turns"].append(
        {"player": 1, "draw": "stock", "card": "2c", "discard": "Kd", "knock": True}
    )
    record["end"] = {"kind": "undercut", "knocker": 1, "points": [25, 0]}
    assert referee(record) is None
    assert referee(record, PRESETS["openspiel"]) == "end: the kind is undercut, but should be knock"
    record["end"] = {"kind": "knock", "knocker": 1, "points": [0, 0]}
    assert referee(record, PRESETS["openspiel"]) is None


# ------------------------------------------------ records spoilt on purpose


def spoil_deal_twice(r):
    r["stock"][4] = r["deal"][0][0]


def spoil_short_hand(r):
    r["stock"].append(r["deal"][0].pop())


def spoil_short_stock(r):
    r["stock"].pop()


def spoil_first_player(r):
    r["turns"][0]["player"] = 0


def spoil_turn_twice(r):
    r["turns"].insert(3, copy.deepcopy(r["turns"][2]))


def spoil_third_pass(r):
    r["turns"].insert(2, {"player": 1, "draw": "pass"})


def spoil_pass_with_discard(r):
    r["turns"][0]["discard"] = r["deal"][1][0]


def spoil_upcard_after_two_passes(r):
    r["turns"][2] |= {"draw": "upcard", "card": r["upcard"]}


def spoil_stock_order(r):
    r["turns"][2]["card"] = r["stock"][1]


def spoil_upcard_below_the_top(r):
    r["turns"][3] |= {"draw": "upcard", "card": r["upcard"]}


def spoil_discard_not_held(r):
    r["turns"][2]["discard"] = r["stock"][-1]


def spoil_no_discard(r):
    del r["turns"][2]["discard"]


def spoil_draw_word(r):
    r["turns"][2]["draw"] = "deck"


def spoil_early_knock(r):
    r["turns"][2]["knock"] = True


def spoil_early_big_gin(r):
    del r["turns"][2]["discard"]
    r["turns"][2]["big_gin"] = True


def spoil_cut_off(r):
    r["turns"] = r["turns"][:10]


@pytest.mark.parametrize(
    ("spoil", "sentence"),
    [
        (spoil_deal_twice, "deal: a card comes twice"),
        (spoil_short_hand, "deal: the hands have [9, 10] cards"),
        (spoil_short_stock, "deal: the stock has 30 cards"),
        (spoil_first_player, "turn 0: player 0 acts, but it is player 1's turn"),
        (spoil_turn_twice, "turn 3: player 1 acts, but it is player 0's turn"),
        (spoil_third_pass, "turn 2: a pass is only for the first upcard"),
        (spoil_pass_with_discard, "turn 0: a pass draws and discards nothing"),
        (spoil_upcard_after_two_passes, "turn 2: both refused the first upcard"),
        (spoil_stock_order, "turn 2: 4s is drawn, but the top of the stock is 3s"),
        (spoil_upcard_below_the_top, "turn 3: Qd is taken, but the upcard is 3s"),
        (spoil_discard_not_held, "is discarded but not held"),
        (spoil_no_discard, "turn 2: there is no discard"),
        (spoil_draw_word, "turn 2: draw is 'deck'"),
        (spoil_early_knock, "turn 2: a knock with deadwood 50, but the limit is 10"),
        (spoil_early_big_gin, "turn 2: a big gin with deadwood 53"),
        (spoil_cut_off, "end: the turns stop while the hand is still open"),
    ],
)
def test_an_illegal_step_is_named(spoil, sentence):
    record = drawn_to_the_wall()
    spoil(record)
    assert sentence in referee(record)


@pytest.mark.parametrize(
    ("change", "sentence"),
    [
        ({"kind": "schneider"}, "the kind is 'schneider'"),
        ({"kind": "wash"}, "player 1 knocked, so the hand is no wash"),
        ({"kind": "undercut"}, "the kind is undercut, but should be knock"),
        ({"knocker": 0}, "the knocker is player 1, not 0"),
        ({"points": [0, 26]}, "the points are [0, 26], but should be [0, 27]"),
        ({"points": [27, 0]}, "the points are [27, 0], but should be [0, 27]"),
        (
            {"knocker_melds": [["5h", "6h", "7h"], ["Ks", "Kc", "Kh"]]},
            "the knocker shows Kh, which it does not hold",
        ),
        (
            {"knocker_melds": [["5h", "6h", "7h"], ["As", "Ac", "2d"]], "knocker_deadwood": None},
            "the knocker shows As Ac 2d, which is no meld",
        ),
        (
            {"knocker_melds": [["5h", "6h", "7h"], ["Ks", "Kc", "Ks"]]},
            "the knocker uses a card twice",
        ),
        ({"knocker_melds": [["5h", "6h", "7h"]]}, "leave deadwood 36, but 6 is possible"),
        ({"knocker_deadwood": ["As", "Ac", "2d"]}, "not the cards outside its melds"),
        ({"knocker_deadwood": ["As", "Ac", "2d", "2s"]}, "shows 2s, which it does not hold"),
        ({"layoffs": [["9h", 0], ["8h", 0], ["Kh", 1]]}, "9h cannot be laid off on 5h 6h 7h"),
        ({"layoffs": [["8h", 1], ["9h", 0], ["Kh", 1]]}, "8h cannot be laid off on Kc Kd Ks"),
        ({"layoffs": [["8h", 0], ["9h", 0], ["Kh", 2]]}, "on meld 2, which does not exist"),
        ({"layoffs": [["8h", 0], ["9h", 0]]}, "are not its ten cards"),
        ({"defender_melds": [["4c", "4d", "4s"]]}, "the defender shows 4s"),
        ({"defender_melds": [["4c", "4d", "3s"]], "defender_deadwood": None}, "which is no meld"),
        (
            {
                "layoffs": [["8h", 0], ["9h", 0]],
                "defender_deadwood": ["3s", "Qc", "Jd", "Ts", "Kh"],
            },
            "the defender's deadwood is 43, but the least is 33",
        ),
        ({"defender_deadwood": ["3s", "Qc", "Jd"], "layoffs": None}, "but the least is 33"),
    ],
)
def test_a_wrong_end_is_named(change, sentence):
    record = knocked()
    record["end"].update(change)
    fault = referee(record)
    assert fault.startswith("end: ")
    assert sentence in fault


def test_a_wrong_end_of_gin_is_named():
    gin = ginned(big=False)
    gin["end"]["kind"] = "knock"
    assert referee(gin) == "end: the kind is knock, but should be gin"

    gin = ginned(big=False)
    gin["end"]["layoffs"] = [["4h", 2]]
    gin["end"]["defender_deadwood"].remove("4h")
    assert referee(gin) == "end: after gin nothing may be laid off"

    big = ginned(big=True)
    assert "turn 2: there is no big gin" in referee(big, PRESETS["eaai"])
    big["turns"][-1]["discard"] = "Ac"
    assert referee(big) == "turn 2: a big gin discards nothing"

    followed = ginned(big=True)
    followed["turns"].append({"player": 0, "draw": "upcard", "card": "3s", "discard": "Ks"})
    assert referee(followed) == "turn 3: the hand was over (big_gin), yet a turn follows"


@pytest.mark.parametrize(
    ("change", "sentence"),
    [
        ({"points": [0, 25]}, "a wash scores nothing"),
        ({"kind": "knock"}, "the kind is knock, but should be wash"),
        ({"knocker": 1}, "a wash has no knocker"),
        ({"knocker_melds": [["As", "Ah", "Ad"]]}, "a wash has no knocker_melds"),
    ],
)
def test_a_wrong_end_of_a_wash_is_named(change, sentence):
    record = drawn_to_the_wall()
    record["end"].update(change)
    assert sentence in referee(record)


def test_one_point_more_in_a_real_hand_is_a_fault():
    # One point more or less for the winner, in every real hand that has one.
    for record in records("hands-eaai-simple.jsonl"):
        winner = record["end"]["points"].index(max(record["end"]["points"]))
        record["end"]["points"][winner] += 1
        assert "end: the points are" in referee(record)
    # Every hand of the challenge cut before its last turn is still open.
    for record in records("hands-eaai-depauw-marjj.jsonl"):
        record["turns"].pop()
        assert referee(record) == "end: the turns stop while the hand is still open"


def test_a_record_without_rules_or_deal_is_named():
    record = knocked()
    record["rules"] = "house"
    assert "'house' is not a preset" in referee(record)
    assert referee(record, STANDARD) is None
    del record["stock"]
    assert referee(record, STANDARD) == "deal: the record has no stock"


# ------------------------------------------------------------------- a game

A, B, NOBODY = 0, 1, None


@pytest.mark.parametrize(
    ("rules", "results", "winner", "totals", "stakes"),
    [
        # Reached with three hands against seven: the boxes turn the game.
        (STANDARD, [(B, 10)] * 7 + [(A, 40)] * 3, B, (195, 245), 50),
        (PRESETS["eaai"], [(B, 10)] * 7 + [(A, 40)] * 3, A, (120, 70), 50),
        (STANDARD, [(B, 25)] * 3 + [(A, 50)] * 2, None, (150, 150), 0),
        (PRESETS["eaai"], [(A, 99), (NOBODY, 0), (B, 98), (A, 1)], A, (100, 98), 2),
        (PRESETS["openspiel"], [(NOBODY, 0)], None, (0, 0), 0),
        (PRESETS["openspiel"], [(B, 7)], B, (0, 7), 7),
        # palace: 80 points and two boxes of 10 are 100 at once.
        (PRESETS["palace"], [(A, 40), (B, 30), (A, 40)], A, (100, 40), 60),
        (PRESETS["modern"], [(A, 60), (A, 60)], A, (170, 0), 2 * (170 + 100)),
        (PRESETS["modern"], [(A, 60), (B, 1), (A, 60)], A, (170, 26), 144 + 100),
        (PRESETS["classic"], [(A, 60), (A, 60)], A, (160, 0), 160 + 100 + 100),
        # An undercut by a tie under no bonus scores nothing, and is no shutout.
        (PRESETS["classic"], [(A, 60), (B, 0), (A, 60)], A, (160, 20), 140 + 100),
    ],
)
def test_games_by_hand(rules, results, winner, totals, stakes):
    game = play_game(results, rules)
    assert game.over
    assert (game.winner, game.totals, game.stakes) == (winner, totals, stakes)


@pytest.mark.parametrize(
    ("change", "dealers"),
    [
        ({}, [A, A, B, A, B]),
        ({"wash_dealer": "rotate"}, [A, B, A, B, A]),
        ({"dealer_rotation": "winner"}, [A, A, B, B, A]),
        ({"dealer_rotation": "loser"}, [A, A, A, A, B]),
    ],
)
def test_who_deals(change, dealers):
    game = play_game([(NOBODY, 0), (B, 5), (B, 0), (A, 5)], STANDARD | change)
    assert not game.over
    assert (game.winner, game.stakes, game.reacher) == (None, 0, None)
    assert game.dealers == dealers


def test_no_hand_follows_a_game_s_end():
    with pytest.raises(ValueError, match="over, yet a hand follows"):
        play_game([(A, 100), (B, 5)], STANDARD)
