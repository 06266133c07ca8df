"""Cards as text: whatever people write is read, one way is written, and a bad card is explained."""

from __future__ import annotations

import naive
import pytest
from hypothesis import given
from hypothesis import strategies as st

from gin_sim import cards

ONE_OF_EACH = st.lists(st.integers(0, 51), unique=True, max_size=52)


def test_ids_run_through_the_suits_and_ranks():
    assert [cards.card_name(i) for i in range(52)] == list(naive.DECK)
    assert sum(1 << i for i in range(52)) == cards.FULL_DECK


def test_pips_are_the_oracles():
    assert [cards.pips(i) for i in range(52)] == [naive.pips(name) for name in naive.DECK]
    assert sum(cards.pips(i) for i in range(52)) == 340


@pytest.mark.parametrize("symbols", [False, True])
def test_every_card_is_read_back(symbols):
    for i in range(52):
        assert cards.parse_card(cards.card_name(i, symbols)) == i


@pytest.mark.parametrize(
    "text",
    ["Td", "td", "TD", "tD", "10d", "10D", "10♦", "T♦", "T♢", "T♦️", "T♦︎", " Td ", "[Td]", "'Td',"],
)
def test_one_card_written_in_many_ways(text):
    assert cards.parse_card(text) == 2 * 13 + 9


@pytest.mark.parametrize(
    "text",
    [
        "7s7h7d4h5h6h10c",
        "7s 7h 7d 4h 5h 6h Tc",
        "7S,7H,7D; 4h:5h|6h/10C",
        "(7♠ 7♥ 7♦) + [4♥-5♥-6♥] + T♣",
        "7♤7♡7♢\n4♡5♡6♡\t10♧",
    ],
)
def test_separators_are_optional(text):
    expected = [naive.DECK.index(name) for name in ("7s", "7h", "7d", "4h", "5h", "6h", "Tc")]
    assert cards.parse_cards(text) == expected


@given(ONE_OF_EACH, st.booleans(), st.sampled_from(["", " ", ", ", "|"]))
def test_cards_keep_their_order(ids, symbols, separator):
    assert cards.parse_cards(separator.join(cards.card_names(ids, symbols))) == ids


@given(st.frozensets(st.integers(0, 51)))
def test_a_mask_is_a_set_of_ids(ids):
    mask = cards.mask_of(ids)
    assert mask == sum(1 << i for i in ids)
    assert cards.cards_of(mask) == sorted(ids)
    assert cards.card_names(mask) == [naive.DECK[i] for i in sorted(ids)]
    if ids:
        text = "".join(cards.card_names(mask))
        assert cards.parse_hand(text, sizes=[len(ids)]) == mask


def test_names_of_a_numpy_mask():
    np = pytest.importorskip("numpy")
    assert cards.cards_of(np.int64(0b101)) == [0, 2]


def test_players_sort_by_rank_and_then_suit():
    ids = cards.parse_cards("Kc As 2h Ac 2s")
    assert cards.card_names(cards.by_rank(ids)) == ["As", "Ac", "2s", "2h", "Kc"]


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("1s", "'1s' is not a card: a card is a rank (A 2-9 T or 10, J Q K) and a suit"),
        ("As Xd 2c", "'Xd' is not a card"),
        ("7x", "'7x' is not a card"),
        ("11h", "'11h' is not a card"),
        ("7s7", "'7' is not a card"),
        ("As As", "A♠ is there twice: each card of the deck can be given only once."),
        ("10d Td", "T♦ is there twice"),
        ("As é", "'é' is not a card"),
    ],
)
def test_bad_text_is_named(text, sentence):
    with pytest.raises(cards.CardError) as error:
        cards.parse_cards(text)
    assert sentence in str(error.value)


@pytest.mark.parametrize(("text", "count"), [("", 0), ("As 2s", 2)])
def test_text_with_several_cards_or_none_is_not_one_card(text, count):
    with pytest.raises(cards.CardError, match=f"names {count} cards where one is expected"):
        cards.parse_card(text)


@pytest.mark.parametrize(
    ("text", "sizes", "sentence"),
    [
        ("As 2s", [10], "a hand has 10 cards, and 2 are given (A♠ 2♠)."),
        ("As", [10, 11], "a hand has 10 or 11 cards, and 1 is given (A♠)."),
        ("", range(1, 12), "a hand has 1 to 11 cards, and 0 are given (nothing)."),
        ("As 2s", [1, 5, 10], "a hand has 1 or 5 or 10 cards, and 2 are given (A♠ 2♠)."),
    ],
)
def test_the_size_of_a_hand_is_checked(text, sizes, sentence):
    with pytest.raises(cards.CardError) as error:
        cards.parse_hand(text, sizes)
    assert str(error.value) == sentence


def test_a_wrong_hand_is_named_by_the_callers_word():
    with pytest.raises(cards.CardError, match=r"^the defender has 10 cards"):
        cards.parse_hand("As", [10], "the defender")
