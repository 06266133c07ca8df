"""Positions: their text, what follows from them, and every sentence that refuses one."""

from __future__ import annotations

import re
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from gin_sim.cards import FULL_DECK, cards_of, mask_of, parse_card, parse_cards
from gin_sim.errors import InputError
from gin_sim.positions import (
    History,
    Memory,
    Position,
    moments_of,
    parse_position,
    position_from_dict,
    position_of_record,
    world_of_record,
)
from gin_sim.positions.history import NO_CARD, PASS, STOCK, UPCARD, Act, parse_history
from gin_sim.records import CARD_IDS, read_records
from gin_sim.rules import AT_WALL, FIRST_OFFER, MUST_DRAW, TURN, parse_rules

DATA = Path(__file__).parents[1] / "data"
ELEVEN = "7s7h7d 4h5h6h 2c2dAs 9c Kd"
TEN = "7s7h7d 4h5h6h 2c2dAs 9c"


def card(text: str) -> int:
    return parse_card(text)


def mask(text: str) -> int:
    return mask_of(parse_cards(text))


def records(name: str, n_hands: int):
    for (_, record), _ in zip(read_records(DATA / name), range(n_hands), strict=False):
        yield record


# ------------------------------------------------------------------ what follows


@pytest.mark.jitless
def test_a_history_gives_all_that_was_seen():
    """Worked by hand: I pass, the dealer passes, I discard the queen, it takes it for the 7c."""
    position = parse_position(
        ELEVEN, first="9h", history="p p s/Qd u/7c s/Ks s/Jc", score="45-20", boxes="2-1"
    )
    assert position.past.acts == (
        Act(PASS),
        Act(PASS),
        Act(STOCK, NO_CARD, card("Qd")),
        Act(UPCARD, card("Qd"), card("7c")),
        Act(STOCK, NO_CARD, card("Ks")),
        Act(STOCK, NO_CARD, card("Jc")),
        Act(STOCK, card("Kd"), NO_CARD),
    )
    seen = position.seen
    assert position.must_discard
    assert position.knock_limit == 10
    assert not seen.is_dealer
    assert (seen.turn, seen.opponent_turn, seen.n_turns, seen.n_passes) == (3, 2, 4, 2)
    assert seen.pile == tuple(parse_cards("9h 7c Ks Jc"))
    assert (seen.upcard, seen.drawn, seen.barred) == (card("Jc"), card("Kd"), 0)
    assert seen.known == seen.took == mask("Qd")
    assert seen.discarded == mask("7c Jc")
    assert seen.refused == mask("9h Ks")
    assert seen.stock_left == 31 - 4
    assert seen.n_hidden == 9
    assert seen.unseen == FULL_DECK & ~mask(f"{ELEVEN} 9h 7c Ks Jc Qd")
    assert seen.unseen.bit_count() == seen.stock_left + seen.n_hidden
    assert position.events().tolist() == [
        [1, PASS, -1, -1],
        [0, PASS, -1, -1],
        [1, STOCK, -1, card("Qd")],
        [0, UPCARD, card("Qd"), card("7c")],
        [1, STOCK, -1, card("Ks")],
        [0, STOCK, -1, card("Jc")],
        [1, STOCK, card("Kd"), -1],
    ]
    assert position.text() == (
        "gin-sim knock '7s 7h 7d 4h 5h 6h 2c 2d As 9c Kd' --first 9h "
        "--history 'p p s/Qd u/7c s/Ks s/Jc sKd' --score 45-20 --boxes 2-1 --rules standard"
    )


@pytest.mark.jitless
@pytest.mark.parametrize(
    ("hand", "history", "rules", "phase", "turn", "is_dealer"),
    [
        (TEN, "", "standard", FIRST_OFFER, 1, False),
        (TEN, "p", "standard", FIRST_OFFER, 1, True),
        (TEN, "p p", "standard", MUST_DRAW, 1, False),
        (ELEVEN, "p p", "standard", MUST_DRAW, 1, False),
        (TEN, "p p s/Qd", "standard", TURN, 1, True),
        (TEN, "u/Qd", "standard", TURN, 1, True),
        (TEN, "p u/Qd", "standard", TURN, 1, False),
        (TEN, "", "standard:first_upcard=none", TURN, 1, False),
        (TEN, "s/Qd", "standard:first_upcard=none", TURN, 1, True),
        (TEN, "s/Qd s/Qc", "openspiel:stock_floor=29,first_upcard=none", AT_WALL, 2, False),
    ],
)
def test_whose_turn_it_is_follows_from_the_number_of_acts(
    hand, history, rules, phase, turn, is_dealer
):
    seen = parse_position(hand, first="9h", history=history, rules=rules).seen
    assert (seen.phase, seen.turn, seen.is_dealer) == (phase, turn, is_dealer)


@pytest.mark.jitless
def test_the_drawn_card_may_be_left_out_or_named():
    left_out = parse_position(ELEVEN, first="9h", history="p p")
    assert left_out.seen.drawn == card("Kd")
    assert left_out == parse_position(ELEVEN, first="9h", history="p,p, s")
    assert left_out == parse_position(ELEVEN, first="9h", history="P P SKd")
    named = parse_position(ELEVEN, first="9h", history="p p s9c")
    assert named.seen.drawn == card("9c")
    taken = parse_position(ELEVEN, first="9c", history="u")
    assert (taken.seen.drawn, taken.seen.barred) == (card("9c"), mask("9c"))
    assert taken == parse_position(ELEVEN, first="9c", history="u9c")
    assert parse_position(ELEVEN, first="9c", history="u", rules="openspiel").seen.barred == 0


@pytest.mark.jitless
def test_a_card_discarded_can_come_back():
    """The queen: discarded by me, taken and discarded by the opponent, taken again by me."""
    position = parse_position(
        "Qd 7s7h7d 4h5h6h 2c2dAs", first="9h", history="p p s/Qd u/7c s/8c s/Qd u/Jc s/Kc"
    )
    assert position.seen.known == 0
    assert position.seen.took == mask("Qd")
    assert position.seen.discarded == mask("7c Qd Kc")
    assert position.seen.pile == tuple(parse_cards("9h 7c 8c Jc Kc"))


@pytest.mark.jitless
def test_a_memory_gives_what_follows_from_it():
    position = parse_position(
        ELEVEN, turn=3, pile="9h 7c Ks Jc", took="Qd", discarded="7c Jc", dealer="opponent"
    )
    exact = parse_position(ELEVEN, first="9h", history="p p s/Qd u/7c s/Ks s/Jc").seen
    assert position.past == Memory(
        3, tuple(parse_cards("9h 7c Ks Jc")), (card("Qd"),), tuple(parse_cards("7c Jc")), False
    )
    assert position.seen == exact._replace(n_passes=0, phase=TURN)
    assert parse_position(**position.as_dict()) == position
    assert position.events().shape == (0, 4)


@pytest.mark.jitless
def test_a_memory_without_a_pile_takes_each_turn_to_have_left_a_card():
    seen = parse_position(ELEVEN, turn=5).seen
    assert (seen.n_turns, seen.n_forgotten, seen.stock_left) == (8, 9, 31 - 9)
    assert parse_position(ELEVEN, turn=5, took="Qd 8c").seen.n_forgotten == 7
    assert parse_position(ELEVEN, turn=5, dealer="me").seen.n_forgotten == 10
    assert parse_position(ELEVEN, turn=40).seen.stock_left == 2
    assert seen.unseen.bit_count() == seen.stock_left + seen.n_hidden + seen.n_forgotten


@pytest.mark.jitless
@pytest.mark.parametrize(
    ("words", "refused"),
    [
        ({"turn": 1, "pile": "9h"}, "9h"),  # both passed it
        ({"turn": 1, "pile": "9h", "rules": "eaai:first_upcard=none"}, ""),
        ({"turn": 2, "pile": "9h Qd Jc"}, "9h"),  # nothing says whose the queen is
        ({"turn": 2, "pile": "9h Qd Jc", "discarded": "Jc"}, "9h Qd"),
        ({"turn": 3, "pile": "9h Qd Jc Qs Js", "discarded": "Jc"}, "9h Qd Qs"),
        ({"turn": 2}, ""),
    ],
)
def test_what_the_opponent_refused_as_far_as_it_is_known(words, refused):
    assert parse_position(ELEVEN, **words).seen.refused == mask(refused)


@pytest.mark.jitless
def test_who_dealt_is_read_from_the_height_of_the_pile():
    assert not parse_position(TEN, turn=2, pile="9h 7c Ks").seen.is_dealer
    dealt = parse_position(TEN, turn=2, pile="9h 7c Ks Jc").seen
    assert dealt.is_dealer
    assert dealt.opponent_turn == 2


@pytest.mark.jitless
def test_the_text_is_read_again():
    for words in (
        {"first": "9h", "history": "p p s/Qd u/7c"},
        {"turn": "4"},
        {"turn": 4, "pile": "9h 7c Ks", "took": "Qd", "dealer": "me", "rules": "eaai"},
        {"turn": 4, "pile": "9h 7c", "first": "9h", "score": (99, 50), "boxes": [3, 2]},
    ):
        position = parse_position(ELEVEN, **words)
        assert position_from_dict(position.as_dict()) == position
        arguments = position.arguments()
        options = dict(zip(arguments[1::2], arguments[2::2], strict=True))
        read = {name.removeprefix("--"): value for name, value in options.items()}
        assert parse_position(arguments[0], **read) == position


# ------------------------------------------------------------------ hand records

FILES = (
    "hands-standard.jsonl",
    "hands-eaai-simple.jsonl",
    "hands-eaai-depauw-marjj.jsonl",
    "hands-eaai-taylor-simple.jsonl",
)


@pytest.mark.parametrize("name", FILES)
def test_every_decision_of_recorded_hands_is_a_position_and_reads_again(name, some):
    n_positions = 0
    for record in records(name, some(60)):
        for seat in range(2):
            for turn, moment in moments_of(record, seat):
                position = position_of_record(record, seat, turn, moment)
                assert parse_position(**position.as_dict()) == position
                assert position_from_dict(position.as_dict()).seen == position.seen
                n_positions += 1
                seen = position.seen
                assert seen.turn == turn
                assert seen.is_dealer == (record.dealer == seat)
                assert position.must_discard == (moment == "discard")
                world = world_of_record(record, seat, turn, moment)
                hidden = set(world.arrivals) - set(seen.pile) - set(position.hand)
                assert len(world.stock) == seen.stock_left
                assert hidden | set(world.stock) == set(cards_of(seen.unseen | seen.known)) - (
                    set(cards_of(seen.known)) - set(world.arrivals)
                )
    assert n_positions > some(1000)


@pytest.mark.jitless
def test_a_turn_of_a_record_is_the_players_own():
    record = next(records("hands-standard.jsonl", 1))
    position = position_of_record(record, 0, 3, score=(10, 20))
    assert position.hand == tuple(parse_cards("6s 7c 9d 2c 8s 7s 4s 3c 3d Jh 7d"))
    assert position.score == (10, 20)
    assert position.seen.drawn == CARD_IDS["7d"]
    assert [act.discarded for act in position.past.acts[:3]] == [
        NO_CARD,
        CARD_IDS["Ts"],
        CARD_IDS["Td"],
    ]


# ------------------------------------------------------------------ refusals


def test_records_without_the_turn_are_refused():
    record = next(records("hands-standard.jsonl", 1))
    last = max(turn for turn, _ in moments_of(record, 1))
    with pytest.raises(InputError, match=rf"seat 1 has {last} turns .* turn 40 is asked for"):
        position_of_record(record, 1, 40)
    with pytest.raises(InputError, match="passed no first upcard at turn 2"):
        position_of_record(record, 1, 2, "offer")
    turns = list(record.turns)
    turns[1] = type(turns[1])(player=0, draw="upcard", card="3d", discard="Kc")
    record.turns = turns
    with pytest.raises(InputError, match="turn 2 of the record: seat 0 discards Kc"):
        position_of_record(record, 0, 2)


REFUSED = [
    ("7s7h7d 4h5h6h 2c2dAs", {"first": "9h", "history": ""}, "the hand has 10 or 11 .* 9 are"),
    (ELEVEN + "Qs", {"first": "9h", "history": ""}, "the hand has 10 or 11 cards, and 12 are"),
    ("7s7s7d 4h5h6h 2c2dAs 9c", {"first": "9h", "history": ""}, "7♠ is there twice"),
    ("7x7s7d", {"first": "9h", "history": ""}, "'7x7s7d' is not a card"),
    (TEN, {"first": "9c", "history": ""}, "9♣ is both in your hand and in the pile"),
    (TEN, {"history": "p p"}, "a history needs the first upcard"),
    (TEN, {}, "nothing says what was played: give the first upcard and the history, or the turn"),
    (TEN, {"pile": "9h"}, "nothing says what was played"),
    (TEN, {"first": "9h 8h", "history": ""}, "first upcard: '9h 8h' names 2 cards"),
    (TEN, {"first": "9h", "history": "p p x/Qd"}, "turn 3 of the history is 'x/Qd': a turn is p"),
    (TEN, {"first": "9h", "history": "p p s/Qx"}, "turn 3 of the history is 's/Qx': 'Qx' is not"),
    (TEN, {"first": "9h", "history": "p p/Qd"}, "'p/Qd', and a pass names no card"),
    (TEN, {"first": "9h", "history": "p p s/9h"}, "'s/9h': the opponent .*9♥, and it lies in the"),
    (TEN, {"first": "9h", "history": "p p s/9h s/Qd"}, "'s/9h': you discard 9♥, and it lies in"),
    (TEN, {"first": "9h", "history": "p p s/Qd s/Qd"}, "turn 4 .* discards Q♦, and it lies in"),
    (
        TEN,
        {"first": "9h", "history": "p p s/Qd u/Jd s/Qd s/Kd"},
        "you discard Q♦, and the opponent",
    ),
    (
        TEN,
        {"first": "9h", "history": "p p s/Qd u/Jd u/Kd s/Jd"},
        "opponent discards J♦, and you drew or took it and still hold it",
    ),
    (TEN, {"first": "9h", "history": "u/9h"}, "opponent discards 9♥, which was just taken"),
    (TEN, {"first": "9h", "history": "p p s/7s s/Qd"}, "7♠ is both in your hand and in the pile"),
    (
        TEN,
        {"first": "9h", "history": "p p s/7s u/Qd"},
        "7♠ is in your hand, and by the history the opponent took it",
    ),
    (TEN, {"first": "9h", "history": "u/Qd s/Jd"}, "your hand has no 9♥, which .* you drew or t"),
    (TEN, {"first": "9h", "history": "p p s8c/Qd s/Jd"}, "your hand has no 8♣"),
    (
        TEN,
        {"first": "9h", "history": "p p s9h/Qd s/Jd"},
        "you draw 9♥ from the stock, and it lies in the pile",
    ),
    (
        TEN,
        {"first": "9h", "history": "p p s8c/Qd"},
        "8♣ is the opponent's stock card, which you cannot have seen",
    ),
    (TEN, {"first": "9h", "history": "p p u8c/Qd"}, "the opponent takes the upcard, which both"),
    (TEN, {"first": "9h", "history": "p u8c/Qd"}, "you take|opponent takes 8♣, which is not on to"),
    (TEN, {"first": "9h", "history": "s/Qd"}, "draws from the stock while the first upcard is off"),
    (ELEVEN, {"first": "9h", "history": ""}, "you draw from the stock while the first upcard is"),
    (TEN, {"first": "9h", "history": "p p p"}, "the opponent passes, and only the first upcard"),
    (
        TEN,
        {"first": "9h", "history": "p", "rules": "standard:first_upcard=none"},
        "passes, and only the first upcard",
    ),
    (TEN, {"first": "9h", "history": "p p s"}, "ends with 's', a card drawn and none discarded"),
    (
        TEN,
        {"first": "9h", "history": "p p s s/Qd"},
        "turn 3 of the history, 's', names no card discarded",
    ),
    (
        TEN,
        {"first": "9h", "history": "p p s/Qd s/Qc", "rules": "standard:stock_floor=30"},
        "turn 4 .*: the hand is over before it, since the stock was down to 30 cards",
    ),
    (
        TEN,
        {"first": "9h", "history": "p p s/Qd s/Qc", "rules": "standard:stock_floor=29"},
        "the hand is over after 'p p s/Qd s/Qc', since the stock was down to 29 cards",
    ),
    (
        TEN,
        {"first": "9h", "history": "p p s/Qd s/Qc", "rules": "standard:stall_turns=2"},
        "since a hand lasts at most 2 turns",
    ),
    (
        ELEVEN,
        {"first": "9h", "history": "p p s/Qd s/Qc", "rules": "openspiel:stock_floor=29"},
        "you draw from the stock, which is down to its last 29 cards",
    ),
    (
        TEN,
        {"first": "9h", "history": "p p s/Qd u/Qc", "rules": "openspiel:stock_floor=30"},
        "with 30 cards in the stock the upcard is taken only to knock",
    ),
    (
        TEN,
        {"first": "9h", "history": "p p", "turn": 2},
        "the turn is 2, and by the history it",
    ),
    (TEN, {"first": "9h", "history": "p p", "pile": "8h"}, "by the history the pile is 9♥"),
    (
        TEN,
        {"first": "9h", "history": "p p", "took": "8c"},
        "8♣ is named as taken by the opp",
    ),
    (
        TEN,
        {"first": "9h", "history": "p p", "discarded": "9h"},
        "9♥ is named as discarded by the opp",
    ),
    (TEN, {"first": "9h", "history": "p p", "dealer": "me"}, "by the history the opponent dealt"),
    (TEN, {"turn": 0, "pile": "9h"}, "the turn is 0, and .* numbered 1 to 60"),
    (TEN, {"turn": 61, "pile": "9h"}, "the turn is 61, and"),
    (TEN, {"turn": "x"}, "the turn is 'x': it is a whole number from 1"),
    (TEN, {"turn": 2, "pile": "9h 8h 8c Qd Qc"}, "the turn is 2, by when at most 4 cards can lie"),
    (TEN, {"turn": 2, "pile": ""}, "the pile is empty"),
    (TEN, {"turn": 2, "pile": "9h 9h"}, "pile: 9♥ is there twice"),
    (TEN, {"turn": 2, "pile": "9h 9c"}, "9♣ is both in your hand and in the pile"),
    (TEN, {"turn": 2}, "before the draw the upcard has to be known"),
    (ELEVEN, {"turn": 2, "took": "9c"}, "9♣ is in your hand, and is named as taken"),
    (ELEVEN, {"turn": 2, "took": "Qd Jd"}, "Q♦ J♦ are named as taken .* it has had 1 turn"),
    (ELEVEN, {"turn": 3, "pile": "9h 8h Qd Qs Qc", "took": "Jd"}, "J♦ is .* at most 0 were taken"),
    (
        ELEVEN,
        {"turn": 2, "pile": "9h 8h", "discarded": "Jd"},
        "J♦ is named as discarded .* not lie",
    ),
    (ELEVEN, {"turn": 2, "pile": "9h 8h", "discarded": "9h 8h"}, "9♥ 8♥ are named as discarded"),
    (ELEVEN, {"turn": 2, "pile": "8h", "first": "Js"}, "the first upcard, J♠, is neither in the p"),
    (
        ELEVEN,
        {"turn": 20, "pile": "8h 8s", "rules": "standard:stock_floor=30"},
        "the pile has 2 cards, and with so many the stock is used up",
    ),
    (
        ELEVEN,
        {"turn": 20, "took": "3s 4s 5s 6s 8s 9s Ts Js Qs Ks 8h"},
        "the opponent cannot hold 11 cards that it took",
    ),
    (ELEVEN, {"turn": 3, "dealer": "he"}, "the dealer is 'he': it can be me or opponent"),
    (ELEVEN, {"turn": 3, "rules": "oklahoma"}, "under the rules oklahoma the first upcard decides"),
    (ELEVEN, {"turn": 3, "score": "100-20"}, "your score is 100, and the game ends at 100"),
    (ELEVEN, {"turn": 3, "score": "20-130"}, "the opponent's score is 130, and the game ends"),
    (ELEVEN, {"turn": 3, "score": "95-0", "rules": "palace"}, "95, 105 with the boxes, and"),
    (ELEVEN, {"turn": 3, "score": "5-0", "rules": "openspiel"}, "a game is one hand"),
    (ELEVEN, {"turn": 3, "score": "20"}, "the score is '20': write yours and the opponent's"),
    (ELEVEN, {"turn": 3, "score": (20, -1)}, "the score is"),
    (ELEVEN, {"turn": 3, "boxes": "1-x"}, "the boxes are '1-x'"),
    (ELEVEN, {"turn": 3, "boxes": "1-0"}, "your score is 0 with 1 box, and a hand won pays at le"),
    (
        ELEVEN,
        {"turn": 3, "score": "10-0", "rules": "straight"},
        "your score is 10, which no number of hands can make, since each pays 25 to 129",
    ),
    (
        ELEVEN,
        {"turn": 3, "score": "50-30", "boxes": "2-2", "rules": "straight"},
        "the opponent's score is 30 with 2 boxes, and a hand won pays at least 25 points",
    ),
    (
        ELEVEN,
        {"turn": 3, "score": "20-9", "boxes": "1-0"},
        "is 9 with 0 boxes, and a hand won",
    ),
]


@pytest.mark.jitless
@pytest.mark.parametrize(("hand", "words", "sentence"), REFUSED)
def test_what_cannot_be_is_refused_in_one_sentence(hand, words, sentence):
    with pytest.raises(InputError) as refusal:
        parse_position(hand, **words)
    said = str(refusal.value)
    assert re.search(sentence, said), said
    assert said.endswith(".")
    assert "\n" not in said


@pytest.mark.jitless
def test_known_cards_leave_no_room_for_another():
    """The opponent takes eleven cards and discards hidden ones: its ten dealt cards are gone."""
    mine = ["As", "Ah", "Ad", "Ac", "2s", "2h", "2d", "2c", "3s", "3h", "3d"]
    theirs = ["4s", "4h", "4d", "4c", "5s", "5h", "5d", "5c", "6s", "6h", "6d"]
    acts = "p p " + " ".join(f"s/{a} u/{b}" for a, b in zip(mine, theirs, strict=True))
    with pytest.raises(InputError, match="discards 6♦, and all cards that the opponent can hold"):
        parse_position("7s 8s 9s Ts Js Qs Ks 7h 8h 9h", first="Kh", history=acts)
    fine = acts.removesuffix("6d") + "As"
    assert (
        parse_position("7s 8s 9s Ts Js Qs Ks 7h 8h 9h", first="Kh", history=fine).seen.n_hidden == 0
    )


@pytest.mark.jitless
def test_a_dictionary_has_the_known_fields_alone():
    with pytest.raises(InputError, match=r"no field 'pyle'\. Did you mean 'pile'"):
        position_from_dict({"hand": TEN, "pyle": "9h"})
    with pytest.raises(InputError, match="a position needs a hand"):
        position_from_dict({"turn": 3})
    with pytest.raises(InputError, match="the field 'pile' is 3: it is text"):
        position_from_dict({"hand": TEN, "turn": 3, "pile": 3})


@pytest.mark.jitless
def test_positions_are_checked_however_they_are_made():
    with pytest.raises(InputError, match="9♣ is both"):
        Position(parse_rules("standard"), tuple(parse_cards(TEN)), History(card("9c")))
    position = parse_position(TEN, first="9h", history="p p")
    assert replace(position, score=(30, 0), boxes=None).boxes == (1, 0)
    longer = parse_rules("standard:target=300")
    assert replace(position, score=(290, 129), boxes=None, rules=longer).boxes == (3, 1)
    assert parse_history("") == ()
    events = position.events()
    assert events.dtype == np.int64
    assert events.shape == (2, 4)
