"""Are the exact answers about single hands exact, and is bad input explained?

The slow oracle and the golden files judge every number; the arrangements and layoffs that are
shown are checked card by card against the rules, since several can be right.
"""

from __future__ import annotations

import csv
import random
from pathlib import Path

import naive
import numpy as np
import pytest
from strategies import by_masks, card, cards, mask, melded_hand, names, random_hand

from gin_sim.cards import parse_hand
from gin_sim.errors import InputError
from gin_sim.rules import PRESETS, Rules, parse_rules
from gin_sim.single_hands import (
    HandsError,
    analyse_hand,
    analyse_hands,
    deadwoods,
    settle,
    settle_hands,
)

DATA = Path(__file__).parents[1] / "data"
STANDARD = PRESETS["standard"]
LOW_HAND = "5h6h7hKsKcKdAsAc2d3c"  # deadwood 7
OTHER_HAND = "2h3h4h9s9d8c7cTsJdQc"
BIG_GIN = "Ac2c3c4d5d6d7d8h9hThJh"


def rows(name: str) -> list[dict[str, str]]:
    lines = (DATA / name).read_text(encoding="utf-8").splitlines()
    return list(csv.DictReader(line for line in lines if not line.startswith("#")))


def meld_names(melds: list[list[str]]) -> list[frozenset[str]]:
    return [frozenset(meld) for meld in melds]


def oracle_settlement(settlement, rules: str, upcard: str = "Kh"):
    return naive.settle(
        cards(settlement.knocker),
        cards(settlement.defender),
        naive.PRESETS[rules],
        spread=meld_names(settlement.spread),
        spade_upcard=upcard[1] == "s",
    )


def check_arrangement(melds: list[list[str]], loose: list[str], kept, deadwood: int) -> None:
    """The melds are melds, no card is used twice or lost, and the loose cards carry the pips."""
    assert all(meld in naive.MELDS for meld in meld_names(melds))
    assert sorted([card for meld in melds for card in meld] + loose) == sorted(kept)
    assert naive.loose(frozenset(kept), meld_names(melds)) == frozenset(loose)
    assert naive.total_pips(loose) == deadwood


def check_hand(hand: int) -> None:
    answer = analyse_hand(hand)
    held = names(hand)
    assert sorted(answer.cards) == sorted(held)
    assert answer.n_cards == len(held)
    assert mask(answer.hand) == hand
    kept = held
    if len(held) < 11:
        assert answer.deadwood == naive.deadwood(held)
        assert (answer.discard, answer.discards, answer.best_discards) == (None, [], [])
        assert not answer.big_gin
    else:
        least, best = naive.best_discards(held)
        assert answer.deadwood == least
        assert sorted(answer.best_discards) == best
        assert {each.card: each.deadwood for each in answer.discards} == {
            name: naive.deadwood(held - {name}) for name in held
        }
        left = [each.deadwood for each in answer.discards]
        assert left == sorted(left)
        assert answer.big_gin == (naive.deadwood(held) == 0)
        if answer.big_gin:
            assert answer.discard is None
        else:
            assert answer.discard == answer.best_discards[0]
            kept = held - {answer.discard}
    check_arrangement(answer.melds, answer.loose, kept, answer.deadwood)
    best_shown = naive.best_spreads(kept, frozenset(naive.DECK) - held)
    assert by_masks(meld_names(answer.melds)) in {by_masks(shown) for shown in best_shown}


def check_settlement(settlement, rules: str) -> None:
    knocker, defender = cards(settlement.knocker), cards(settlement.defender)
    expected = oracle_settlement(settlement, rules)
    assert (
        settlement.outcome,
        settlement.knocker_points,
        settlement.defender_points,
        settlement.knocker_deadwood,
        settlement.defender_deadwood,
    ) == expected
    assert settlement.defender_deadwood_before_layoff == naive.deadwood(defender)
    check_arrangement(
        settlement.spread, settlement.knocker_loose, knocker, settlement.knocker_deadwood
    )
    grown = meld_names(settlement.spread)
    laid_off = set()
    for laid, index in settlement.layoffs:
        assert naive.can_lay_off(laid, grown[index])
        grown[index] |= {laid}
        laid_off.add(laid)
    assert laid_off <= defender
    check_arrangement(
        settlement.defender_melds,
        settlement.defender_loose,
        defender - laid_off,
        settlement.defender_deadwood,
    )
    points = settlement.knocker_points - settlement.defender_points
    assert settlement.winner == (None if not points else "knocker" if points > 0 else "defender")


def random_knock(chance: random.Random) -> tuple[int, int]:
    """A knocker with deadwood 10 or less, and a defender with melds of its own."""
    while True:
        knocker = melded_hand(10, chance.choice((2, 2, 3)), chance)
        if naive.deadwood(knocker) <= 10:
            defender = melded_hand(10, chance.choice((0, 1, 2)), chance, taken=knocker)
            return mask(knocker), mask(defender)


# ------------------------------------------------------------- one hand


def test_every_golden_hand():
    golden = rows("deadwood.csv")
    assert len(golden) == 2000
    found = deadwoods(np.array([mask(row["hand"]) for row in golden], dtype=np.int64))
    assert found.dtype == np.int64
    assert found.tolist() == [int(row["deadwood"]) for row in golden]


@pytest.mark.parametrize("row", rows("deadwood-named.csv"), ids=lambda row: row["case"])
def test_golden_hands_have_their_deadwood(row):
    assert analyse_hand(mask(row["hand"])).deadwood == int(row["deadwood"])
    check_hand(mask(row["hand"]))


def test_random_hands_of_every_size():
    chance = random.Random(4)
    for n_cards in (*range(1, 10), *[10] * 40, *[11] * 80):
        kind = chance.choice(("uniform", "six ranks", "two suits"))
        check_hand(mask(random_hand(kind, n_cards, chance)))
        check_hand(mask(melded_hand(n_cards, chance.randrange(4), chance)))


@pytest.mark.jitless
def test_the_arrangement_is_of_the_ten_that_are_kept():
    # The best arrangement of the eleven leaves 2s and no discard of a loose card wins: discarding
    # into a meld leaves 0.
    answer = analyse_hand(mask("As2s4sAc2c4c2d4dAh2h3h"))
    assert answer.deadwood == 0
    assert not answer.big_gin
    assert answer.discard in answer.best_discards
    assert answer.loose == []
    shown = {name for meld in answer.melds for name in meld}
    assert shown == set(answer.cards) - {answer.discard}


@pytest.mark.jitless
def test_big_gin_keeps_all_eleven():
    answer = analyse_hand(mask(BIG_GIN))
    assert answer.big_gin
    assert answer.discard is None
    assert sum(map(len, answer.melds)) == 11
    assert answer.best_discards
    assert naive.deadwood(cards(BIG_GIN) - {answer.best_discards[0]}) == 0


@pytest.mark.jitless
def test_discards_come_least_first_and_high_cards_first():
    answer = analyse_hand(mask("7s7h7d4h5h6hKcQd2c2dAs"))
    shown = [(each.card, each.deadwood) for each in answer.discards[:5]]
    assert shown == [("Kc", 15), ("Qd", 15), ("2d", 23), ("2c", 23), ("As", 24)]
    assert answer.best_discards == ["Kc", "Qd"]


def test_many_hands_are_each_as_one():
    chance = random.Random(9)
    hands = [mask(melded_hand(chance.randrange(1, 12), 2, chance)) for _ in range(50)]
    assert analyse_hands(hands) == [analyse_hand(hand) for hand in hands]
    assert analyse_hands(np.array(hands)) == analyse_hands(hands)
    assert deadwoods(hands).tolist() == [analyse_hand(hand).deadwood for hand in hands]
    assert analyse_hands([]) == []
    assert deadwoods([]).size == 0


@pytest.mark.parametrize(
    ("hand", "said"),
    [
        (0, "a hand has 1 to 11 cards, and 0 are given (nothing)."),
        ((1 << 12) - 1, "1 to 11 cards, and 12 are given (A♠ 2♠"),
        (1 << 52, f"the mask {1 << 52}"),
        (-1, "the mask -1"),
    ],
)
def test_a_mask_that_is_no_hand(hand, said):
    with pytest.raises(InputError) as error:
        analyse_hand(hand)
    assert said in str(error.value)


def test_bad_hands_of_a_batch_are_named():
    with pytest.raises(HandsError, match=r"^hand 2: a hand has") as error:
        deadwoods([1, 0, 1, -5])
    assert [index for index, _ in error.value.problems] == [1, 3]


@pytest.mark.parametrize("hands", [np.array([1.5]), np.zeros((2, 2), dtype=np.int64), ["As"]])
def test_a_batch_that_is_no_masks(hands):
    with pytest.raises(InputError, match="sequence of integer masks"):
        deadwoods(hands)


# ---------------------------------------------------------- end of a knock


@pytest.mark.parametrize("row", rows("settle.csv"), ids=lambda row: row["case"])
def test_golden_knocks(row):
    settlement = settle(mask(row["knocker"]), mask(row["defender"]), STANDARD)
    for column in (
        "knocker_deadwood",
        "defender_deadwood_before_layoff",
        "knocker_points",
        "defender_points",
    ):
        assert getattr(settlement, column) == int(row[column])
    assert settlement.outcome == row["outcome"]
    check_settlement(settlement, "standard")


def test_random_knocks_under_every_preset():
    chance = random.Random(11)
    for _ in range(60):
        knocker, defender = random_knock(chance)
        shown = settle(knocker, defender, STANDARD).spread
        best = naive.best_spreads(names(knocker), frozenset(naive.DECK) - names(knocker))
        assert by_masks(meld_names(shown)) in {by_masks(spread) for spread in best}
        for name, rules in PRESETS.items():
            if name != "straight" or naive.deadwood(names(knocker)) == 0:
                check_settlement(settle(knocker, defender, rules), name)


@pytest.mark.jitless
def test_the_spread_that_gives_away_least_is_shown():
    knocker, defender = mask("As5s6s7s5c6c7c5d6d7d"), mask("3s4s4c4d8s8c8d5h6h7h")
    settlement = settle(knocker, defender, STANDARD)
    assert settlement.knocker_points == 2
    assert all(meld in naive.SETS for meld in meld_names(settlement.spread))
    runs = [mask("5s6s7s"), mask("5c6c7c"), mask("5d6d7d")]
    given = settle(knocker, defender, STANDARD, spread=runs)
    assert given.spread == [["5s", "6s", "7s"], ["5c", "6c", "7c"], ["5d", "6d", "7d"]]
    assert (given.outcome, given.defender_points) == ("undercut", 26)
    check_settlement(given, "standard")


@pytest.mark.jitless
def test_big_gin_is_eleven_cards_and_takes_no_layoff():
    settlement = settle(mask(BIG_GIN), mask("5cQhKd2h9s9d8cTsJdQc"), STANDARD)
    assert (settlement.outcome, settlement.layoffs) == ("big_gin", [])
    check_settlement(settlement, "standard")


def test_layoffs_on_gin_where_the_rules_allow_them():
    knocker, defender = mask("JhQhKh2s3s4s8d8c8h8s"), mask("ThAc2c9d5h6dKsQc7c3d")
    assert settle(knocker, defender, STANDARD).knocker_points == 88
    lenient = settle(knocker, defender, parse_rules("standard:layoff_on_gin=yes"))
    assert (lenient.knocker_points, lenient.layoffs) == (78, [("Th", 2)])


def test_a_given_spread_keeps_its_cut_and_may_leave_more():
    knocker = mask("5h6h7h8h9hThAsAc2d3c")
    two = [mask("8h9hTh"), mask("5h6h7h")]
    settlement = settle(knocker, mask("4hJh9s9d8c7cTsJdQcKs"), STANDARD, spread=two)
    assert settlement.spread == [["8h", "9h", "Th"], ["5h", "6h", "7h"]]
    assert settlement.layoffs == [("Jh", 0), ("4h", 1)]
    check_settlement(settlement, "standard")
    short = settle(
        knocker,
        mask("4hJh9s9d8c7cTsJdQcKs"),
        parse_rules("standard:knock_limit=50"),
        spread=[mask("5h6h7h")],
    )
    assert short.knocker_deadwood == 34
    check_settlement(short, "standard")


@pytest.mark.parametrize(
    ("upcard", "limit"), [(None, 10), ("7h", 7), ("Kd", 10), ("6h", 6), ("Ad", 0), ("Ts", 10)]
)
def test_oklahoma_takes_limit_and_doubling_from_the_upcard(upcard, limit):
    hands = mask(LOW_HAND), mask(OTHER_HAND)
    upcard_id = None if upcard is None else card(upcard)
    if limit < 7:
        with pytest.raises(InputError, match=rf"deadwood 7 .* upcard .* is {limit}"):
            settle(*hands, PRESETS["oklahoma"], upcard=upcard_id)
        return
    settlement = settle(*hands, PRESETS["oklahoma"], upcard=upcard_id)
    assert settlement.upcard == upcard
    assert settlement.knocker_points == (112 if upcard == "Ts" else 56)


def test_a_tie_that_scores_nothing_has_no_winner():
    hands = mask("3h4h5h9s9c9d4s3d2cAs"), mask("4c5c6cQhQdQs4d3s2dAc")
    assert settle(*hands, STANDARD).winner == "defender"
    settlement = settle(*hands, PRESETS["openspiel"])
    assert (settlement.outcome, settlement.winner) == ("knock", None)


def test_many_knocks_are_each_as_one():
    chance = random.Random(12)
    knocks = [random_knock(chance) for _ in range(40)]
    knockers, defenders = zip(*knocks, strict=True)
    upcards = [chance.choice((None, card("Ks"), card("Kd"))) for _ in knocks]
    assert settle_hands(knockers, defenders, PRESETS["oklahoma"], upcards) == [
        settle(*knock, PRESETS["oklahoma"], upcard=upcard)
        for knock, upcard in zip(knocks, upcards, strict=True)
    ]
    assert settle_hands([], [], STANDARD) == []


@pytest.mark.parametrize(
    ("knocker", "defender", "rules", "said"),
    [
        (LOW_HAND, LOW_HAND, "standard", "are in both hands"),
        (LOW_HAND, "5h2h3h4h9s9d8c7cTsJd", "standard", "5♥ is in both hands"),
        (LOW_HAND, "2h3h4h", "standard", "the defender has 10 cards, and 3 are given (2♥ 3♥ 4♥)"),
        ("2h3h4h", OTHER_HAND, "standard", "the knocker has 10 or 11 cards, and 3 are given"),
        (LOW_HAND, BIG_GIN, "standard", "the defender has 10 cards, and 11 are given"),
        (
            LOW_HAND,
            OTHER_HAND,
            "straight",
            "deadwood 7 (A♠ A♣ 2♦ 3♣), and the limit under straight rules is 0 (gin only)",
        ),
        (
            "2s4s6s8sTsKd2d4d6d8d",
            OTHER_HAND.replace("Ts", "3c"),
            "standard",
            "the limit under standard rules is 10",
        ),
        (LOW_HAND + "4c", OTHER_HAND, "standard", "big gin if all of them meld, and deadwood 11"),
        (BIG_GIN, "5cQhKd2h9s9d8cTsJdQc", "classic", "classic rules have no big gin"),
    ],
)
def test_knocks_that_are_not_allowed(knocker, defender, rules, said):
    with pytest.raises(InputError) as error:
        settle(parse_hand(knocker, range(12)), mask(defender), PRESETS[rules])
    assert said in str(error.value)


@pytest.mark.parametrize(
    ("spread", "said"),
    [
        (["5h6h"], "5♥ 6♥, which is no meld"),
        ([""], "an empty meld"),
        (["QsQhQd"], "the knocker does not hold Q♠ Q♥ Q♦"),
        (["KsKcKd", "KsKcKd"], "K♠ K♦ K♣ twice"),
        (["5h6h7h"], "deadwood 37"),
    ],
)
def test_spreads_that_cannot_be_shown(spread, said):
    with pytest.raises(InputError) as error:
        settle(mask(LOW_HAND), mask(OTHER_HAND), STANDARD, spread=[mask(meld) for meld in spread])
    assert said in str(error.value)


def test_bad_rows_of_a_batch_are_named():
    good, other = mask(LOW_HAND), mask(OTHER_HAND)
    with pytest.raises(HandsError) as error:
        settle_hands([good, 1, good], [other, other, 0], STANDARD, [None, None, 77])
    assert [index for index, _ in error.value.problems] == [1, 2]
    with pytest.raises(HandsError) as error:
        settle_hands([good, good], [other, good], STANDARD)
    assert [index for index, _ in error.value.problems] == [1]
    with pytest.raises(HandsError) as error:
        settle_hands([good] * 3, [other] * 3, PRESETS["oklahoma"], [card("7d"), card("2d"), None])
    assert [index for index, _ in error.value.problems] == [1]
    with pytest.raises(InputError, match="the upcard is 52"):
        settle(good, other, STANDARD, upcard=52)
    with pytest.raises(InputError, match="as many of each"):
        settle_hands([good], [], STANDARD)


def test_an_undercut_bonus_of_nothing_still_settles():
    rules = Rules(name="bare", undercut_bonus=0)
    settlement = settle(mask("3h4h5h9s9c9d4s3d2cAs"), mask("4c5c6cQhQdQs4d3s2dAc"), rules)
    assert (settlement.outcome, settlement.winner) == ("undercut", "defender")
