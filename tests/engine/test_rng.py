"""Deals: the same on every machine and in every version, and uniformly random.

The reference is SplitMix64 and a shuffle written in whole Python numbers; the numbers written
down here are what no version of the engine may ever change, or old seeds would give new deals.
"""

from __future__ import annotations

import random

import naive
import numpy as np
import pytest
from numba import config
from scipy import stats

from gin_sim.engine import rng
from gin_sim.engine.deal import fix_places, shuffle_deck
from gin_sim.engine.jit import jit
from gin_sim.engine.table import new_state

WORD = (1 << 64) - 1
GAMMA = 0x9E3779B97F4A7C15


def mixed(word: int) -> int:
    word = (word ^ word >> 30) * 0xBF58476D1CE4E5B9 & WORD
    word = (word ^ word >> 27) * 0x94D049BB133111EB & WORD
    return word ^ word >> 31


def reference_key(seed: int, deal_index: int, stream: int) -> int:
    key = 0
    for part in (seed, deal_index, stream):
        key = mixed((key ^ part) + GAMMA & WORD)
    return key


def reference_words(key: int, n: int) -> list[int]:
    """SplitMix64 as published: a counter that grows by the golden gamma, mixed."""
    words = []
    for _ in range(n):
        key = key + GAMMA & WORD
        words.append(mixed(key))
    return words


def reference_deck(seed: int, deal_index: int) -> list[int]:
    """Fisher and Yates, the low half of a word for an even place and the high half for an odd."""
    deck = list(range(52))
    words = reference_words(reference_key(seed, deal_index, 0), 26)
    for place in range(52):
        half = words[place // 2] >> 32 * (place % 2) & 0xFFFFFFFF
        other = place + (half * (52 - place) >> 32)
        deck[place], deck[other] = deck[other], deck[place]
    return deck


def deck_of(seed: int, deal_index: int, *n_places: int) -> list[int]:
    """The engine's deck, with its places fixed in the given instalments."""
    tables, _ = new_state()
    shuffle_deck(tables[0], seed, deal_index)
    for n in n_places or (52,):
        fix_places(tables[0], n)
    return [int(i) for i in tables[0].deck]


# ------------------------------------------------------------ known answers


@pytest.mark.jitless
def test_splitmix64_from_seed_0():
    published = [0xE220A8397B1DCDAF, 0x6E789E6AA1B965F4, 0x06C45D188009454F]
    assert [int(rng.word(np.uint64(0), i)) for i in range(3)] == published
    assert reference_words(0, 3) == published


@pytest.mark.jitless
@pytest.mark.parametrize(
    ("seed", "deal_index", "stream", "key", "words"),
    [
        (0, 0, 0, 0x238275BC38FCBE91, [0x2130748AAAC80268, 0x0CC78FB979CE5090, 0x1EDD729B187DE8D2]),
        (1, 0, 0, 0xB18A02F46D8D86C3, [0xE28195DDD9EE4956, 0x6735FA339A2F4459, 0x34E0B21C29D5CC44]),
        (1, 0, 1, 0x6C5795E14B3B7E33, [0x91DF2B1652002E2D, 0x41CBCD9523C8B530, 0x089D27EB3A8E1D4C]),
        (1, 0, 2, 0x1CF38A51A82265F3, [0x8B39551B9DEE39D6, 0x52D3A66EA13FE328, 0xD97DD7083DCFB2F7]),
        (1, 1, 0, 0x5775264A9A7E1B09, [0xC965D6348C188782, 0x8E83D17509CEFABC, 0x480426EE80163EB1]),
        (
            9223372036854775807,
            1000000000000,
            2,
            0x9A8F5AB02B464C29,
            [0x227BDD30747CD8B2, 0xF161228295AE8D58, 0xA4CA6B95B1647401],
        ),
        (
            20260101,
            999999,
            0,
            0xAB48BEC34AFAA197,
            [0x7BFF2EA7FDF48033, 0x6D89453E84507816, 0x2A81F68349DBB2DC],
        ),
    ],
)
def test_keys_and_words_never_change(seed, deal_index, stream, key, words):
    found = np.uint64(rng.stream_key(seed, deal_index, stream))
    assert int(found) == key
    assert [int(rng.word(found, i)) for i in (0, 1, 1000)] == words


@pytest.mark.jitless
def test_a_deck_never_changes():
    deck = "".join(naive.DECK[i] for i in deck_of(1, 0))
    assert deck[:20] == "6c8c7dTh6dAs8h3sTcTd"
    assert deck[20:40] == "Kc9c3d9hAc8sQd7c6hJc"
    assert deck[40:42] == "Kd"
    assert deck[42:] == "Qh9sKs2hJh2dJd6sAd3hQsQcJs4s5s8d2c5d4c5h2s9dKh7h4h3c4dTs7sAh5c"


# ------------------------------------------------------------ the reference


@pytest.mark.jitless
def test_keys_words_and_decks_are_the_references():
    chance = random.Random(1)
    for _ in range(20 if config.DISABLE_JIT else 1000):
        seed, deal_index = chance.randrange(1 << 63), chance.randrange(1 << 40)
        stream = chance.randrange(3)
        key = reference_key(seed, deal_index, stream)
        assert int(rng.stream_key(seed, deal_index, stream)) == key
        words = [int(rng.word(np.uint64(key), i)) for i in range(5)]
        assert words == reference_words(key, 5)
        assert deck_of(seed, deal_index) == reference_deck(seed, deal_index)


@pytest.mark.jitless
def test_bounded_numbers_are_the_references():
    chance = random.Random(2)
    for _ in range(100 if config.DISABLE_JIT else 5000):
        bits, bound = chance.randrange(1 << 64), chance.choice((1, 2, 11, 52, (1 << 31) - 1))
        low, high = bits & 0xFFFFFFFF, bits >> 32
        assert rng.low_below(np.uint64(bits), bound) == low * bound >> 32
        assert rng.high_below(np.uint64(bits), bound) == high * bound >> 32
    for bits in (0, WORD):
        expected = 51 if bits else 0
        assert rng.low_below(np.uint64(bits), 52) == expected
        assert rng.high_below(np.uint64(bits), 52) == expected


@pytest.mark.jitless
def test_the_deck_fixed_as_needed_is_the_deck_fixed_at_once():
    chance = random.Random(3)
    for deal_index in range(20 if config.DISABLE_JIT else 300):
        at_once = deck_of(5, deal_index)
        stops = sorted(chance.sample(range(53), chance.randint(1, 20)))
        found = deck_of(5, deal_index, *stops)
        fixed = stops[-1]
        assert found[:fixed] == at_once[:fixed]
        assert sorted(found) == list(range(52))
        assert deck_of(5, deal_index, 21, *range(22, 53)) == at_once


def test_deals_and_streams_have_keys_of_their_own():
    keys = {
        int(rng.stream_key(seed, deal_index, stream))
        for seed in range(40)
        for deal_index in range(100)
        for stream in range(3)
    }
    assert len(keys) == 40 * 100 * 3
    far = {int(rng.stream_key(1 << i, 1 << j, 0)) for i in range(63) for j in range(63)}
    assert len(far) == 63 * 63


# --------------------------------------------------------------- uniformity

N_DEALS = 400_000
PAIRS = ((0, 1), (1, 2), (0, 10), (9, 20), (20, 21), (21, 22), (49, 50), (50, 51), (0, 51))
#: Two-sided: also a fit too good to be true is a fault.  Some 110 of these are tested.
UNLIKELY = 1e-5


@jit
def count_places(table, seed, n_deals, pairs, by_place, by_pair, after):
    """Count cards by place, pairs of cards by two places, and first cards of deals in a row."""
    last = -1
    for deal_index in range(n_deals):
        shuffle_deck(table, seed, deal_index)
        fix_places(table, 52)
        deck = table.deck
        for place in range(52):
            by_place[place, deck[place]] += 1
        for i in range(pairs.shape[0]):
            by_pair[i, deck[pairs[i, 0]], deck[pairs[i, 1]]] += 1
        if last >= 0:
            after[last, deck[0]] += 1
        last = deck[0]


@pytest.fixture(scope="module")
def counts():
    by_place = np.zeros((52, 52), np.int64)
    by_pair = np.zeros((len(PAIRS), 52, 52), np.int64)
    after = np.zeros((52, 52), np.int64)
    table = new_state()[0][0]
    count_places(table, 11, N_DEALS, np.array(PAIRS), by_place, by_pair, after)
    return by_place, by_pair, after


def assert_uniform(found):
    p_value = stats.chisquare(found.ravel()).pvalue
    assert UNLIKELY < p_value < 1 - UNLIKELY


@pytest.mark.parametrize("place", range(52))
def test_every_place_is_uniform(counts, place):
    assert_uniform(counts[0][place])


@pytest.mark.parametrize("pair", range(len(PAIRS)))
def test_two_places_are_independent(counts, pair):
    found = counts[1][pair]
    assert np.trace(found) == 0
    assert_uniform(found[~np.eye(52, dtype=bool)])


def test_consecutive_deals_are_independent(counts):
    assert_uniform(counts[2])


@pytest.mark.parametrize("stream", [1, 2])
def test_neighbouring_seeds_and_streams_are_independent(stream):
    """Words of one deal under seeds in a row, and of the deck and a seat, tossed into 16 x 16."""
    seeds = np.zeros((16, 16), np.int64)
    streams = np.zeros((16, 16), np.int64)
    for seed in range(20_000):
        here, after = reference_key(seed, 7, 0), reference_key(seed + 1, 7, 0)
        seeds[reference_words(here, 1)[0] >> 60, reference_words(after, 1)[0] >> 60] += 1
        seat = reference_key(seed, 7, stream)
        streams[reference_words(here, 1)[0] & 15, reference_words(seat, 1)[0] & 15] += 1
    assert_uniform(seeds)
    assert_uniform(streams)


def test_the_test_of_uniformity_notices_a_bad_shuffle():
    """One that swaps with any place, not with the places left, is not uniform."""
    chance = np.random.default_rng(1)
    found = np.zeros((52, 52), np.int64)
    decks = np.tile(np.arange(52), (20_000, 1))
    deal = np.arange(20_000)
    for place in range(52):
        other = chance.integers(0, 52, 20_000)
        here, there = decks[deal, place].copy(), decks[deal, other].copy()
        decks[deal, place], decks[deal, other] = there, here
    for place in range(52):
        found[place] = np.bincount(decks[:, place], minlength=52)
    assert min(stats.chisquare(row).pvalue for row in found) < UNLIKELY
