"""Deadwood, discards, spreads and defences: the engine must agree with the slow oracle, always.

The oracle (`naive.py`) tries everything and shares nothing with the engine.  Each test tries some
hundreds of hands of every density, and its slow twin some thousands.
"""

from __future__ import annotations

import csv
import random
from itertools import combinations
from pathlib import Path

import naive
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numba import config
from strategies import (
    POOLS,
    by_masks,
    card,
    cards,
    hands,
    mask,
    melded_hand,
    names,
    pool_of,
    random_hand,
)

from gin_sim.engine.bits import highest_bit, lowest_bit, nth_card, popcount, ranks_of
from gin_sim.engine.deadwood import (
    best_discards,
    dearest_cards,
    least_deadwood,
    lowers_deadwood,
)
from gin_sim.engine.deal import fix_places, shuffle_deck
from gin_sim.engine.jit import jit
from gin_sim.engine.layoff import choose_spread, defence, expected_layoff
from gin_sim.engine.melds import forms_meld, pips_of, run_cards
from gin_sim.engine.spread import (
    best_arrangement,
    is_meld,
    is_set,
    layoffs_in_order,
    melds_of,
    spread_masks,
)
from gin_sim.engine.table import new_state

DATA = Path(__file__).parents[1] / "data"
DECK = frozenset(naive.DECK)


def rows(name):
    lines = (DATA / name).read_text(encoding="utf-8").splitlines()
    return list(csv.DictReader(line for line in lines if not line.startswith("#")))


# ------------------------------------------------------------- bits, melds


@jit
def bits_of(hand, n):
    return popcount(hand), lowest_bit(hand), highest_bit(hand), ranks_of(hand), nth_card(hand, n)


@pytest.mark.jitless
def test_bits_are_counted_and_found(some):
    chance = random.Random(1)
    for _ in range(some(4000)):
        hand = sorted(chance.sample(range(52), chance.randint(1, 52)))
        n = chance.randrange(len(hand))
        ranks = sum(1 << rank for rank in {i % 13 for i in hand})
        expected = (len(hand), hand[0], hand[-1], ranks, hand[n])
        assert tuple(map(int, bits_of(sum(1 << i for i in hand), n))) == expected


@pytest.mark.long
def test_there_are_65_sets_and_264_runs():
    of_a_rank = [
        sum(1 << 13 * suit + rank for suit in suits)
        for rank in range(13)
        for n in range(5)
        for suits in combinations(range(4), n)
    ]
    of_a_suit = [holding << 13 * suit for suit in range(4) for holding in range(1 << 13)]
    assert len({m for m in of_a_rank if is_meld(m) and is_set(m)}) == 65
    assert len({m for m in of_a_suit if is_meld(m) and not is_set(m)}) == 264
    assert {names(m) for m in of_a_rank + of_a_suit if is_meld(m)} == set(naive.MELDS)


def test_a_meld_is_a_meld_of_the_oracle(some):
    chance = random.Random(2)
    for _ in range(some(4000)):
        hand = random_hand("four ranks", chance.randint(0, 5), chance)
        assert is_meld(mask(hand)) == (hand in naive.MELDS), hand


@pytest.mark.jitless
def test_run_cards_of_every_holding_of_a_suit():
    holdings = range(1 << 13) if not config.DISABLE_JIT else range(0, 1 << 13, 7)
    for holding in holdings:
        suit = holding % 4
        cards_held = holding << 13 * suit
        expected = mask(frozenset().union(*naive.melds_in(names(cards_held))))
        assert run_cards(cards_held) == expected


def test_runs_do_not_cross_from_suit_to_suit():
    assert run_cards(mask("QsKsAhQhKhAdKdAc2c")) == 0
    assert run_cards(mask("JsQsKsAh2h3hKd")) == mask("JsQsKsAh2h3h")


@pytest.mark.jitless
def test_pips_are_added_up(some):
    chance = random.Random(3)
    for _ in range(some(2000)):
        hand = random_hand("uniform", chance.randint(0, 30), chance)
        assert pips_of(mask(hand)) == naive.total_pips(hand)
    assert pips_of((1 << 52) - 1) == 340


@pytest.mark.jitless
def test_a_card_forms_a_meld_when_some_meld_holds_it(some):
    chance = random.Random(4)
    answers = []
    for i in range(some(8000)):
        *hand, new = chance.sample(sorted(random_hand(POOLS[i % 4], 11, chance)), 11)
        expected = any(new in meld for meld in naive.melds_in([*hand, new]))
        assert bool(forms_meld(mask(hand), card(new))) == expected, (hand, new)
        answers.append(expected)
    assert 0.2 < sum(answers) / len(answers) < 0.8


@pytest.mark.jitless
def test_the_dearest_cards_carry_the_most_pips(some):
    chance = random.Random(5)
    for _ in range(some(2000)):
        hand = random_hand("uniform", chance.randint(1, 11), chance)
        most = max(map(naive.pips, hand))
        assert names(dearest_cards(mask(hand))) == {c for c in hand if naive.pips(c) == most}


# ---------------------------------------------------------------- deadwood


@pytest.mark.jitless
@pytest.mark.parametrize("kind", POOLS)
def test_least_deadwood(kind, some):
    chance = random.Random(f"deadwood {kind}")
    for size in range(12):
        for _ in range(some(300 if size < 7 else 800)):
            hand = random_hand(kind, size, chance)
            assert least_deadwood(mask(hand)) == naive.deadwood(hand), sorted(hand)


@given(hands(sizes=range(12)))
def test_least_deadwood_of_any_hand(hand):
    assert least_deadwood(mask(hand)) == naive.deadwood(hand)


@given(hands(sizes=range(10)), st.data())
def test_one_more_card_adds_at_most_its_pips(hand, data):
    """And the suits are alike, so that renaming them changes nothing."""
    new = data.draw(st.sampled_from(sorted(DECK - hand)))
    before, after = least_deadwood(mask(hand)), least_deadwood(mask(hand | {new}))
    assert after <= before + naive.pips(new)
    renamed = dict(zip(naive.SUITS, data.draw(st.permutations(naive.SUITS)), strict=True))
    assert least_deadwood(mask({c[0] + renamed[c[1]] for c in hand})) == before


@pytest.mark.parametrize("name", ["deadwood.csv", "deadwood-named.csv"])
def test_other_engines_deadwood(name):
    """Of eleven cards the file gives what the best discard leaves."""
    for row in rows(name):
        hand = mask(row["hand"])
        expected = int(row["deadwood"])
        if len(row["hand"]) == 20:
            assert least_deadwood(hand) == expected, row
        else:
            assert best_discards(hand, 0)[0] == expected, row


@jit
def sample_deals(table, seed, n_deals, totals, by_melds, by_deadwood):
    """Deal ten cards at a time; add up pips, and count hands by melds and by deadwood."""
    kings = 1 << 12 | 1 << 25 | 1 << 38 | 1 << 51
    for deal in range(n_deals):
        shuffle_deck(table, seed, deal)
        fix_places(table, 10)
        hand = 0
        for place in range(10):
            hand |= 1 << np.int64(table.deck[place])
        sets, runs = choose_spread(hand, 0, 0)
        run_starts = runs & ~((runs & ~kings) << 1)
        by_melds[popcount(ranks_of(sets)) + popcount(run_starts)] += 1
        by_deadwood[least_deadwood(hand)] += 1
        totals[0] += pips_of(hand)


def test_a_dealt_hand_is_as_the_literature_says():
    """120,000 deals of the literature: mean 56.57 +- 0.04, SD 13.79, 60.1/36.5/3.3 % by melds."""
    n_deals, n_theirs = 1_000_000, 120_000
    totals, by_melds = np.zeros(1, np.int64), np.zeros(4, np.int64)
    by_deadwood = np.zeros(99, np.int64)
    sample_deals(new_state()[0][0], 20, n_deals, totals, by_melds, by_deadwood)
    deadwood = np.arange(99)
    mean = (by_deadwood * deadwood).sum() / n_deals
    variance = (by_deadwood * (deadwood - mean) ** 2).sum() / (n_deals - 1)
    fourth = (by_deadwood * (deadwood - mean) ** 4).sum() / n_deals
    ours_and_theirs = 1 / n_deals + 1 / n_theirs
    assert abs(mean - 56.57) < 4 * (variance * ours_and_theirs) ** 0.5 + 0.005
    error_of_sd = ((fourth - variance**2) * ours_and_theirs / (4 * variance)) ** 0.5
    assert abs(variance**0.5 - 13.79) < 4 * error_of_sd + 0.005
    for n_melds, share in enumerate((0.601, 0.365, 0.033)):
        error = (share * (1 - share) * ours_and_theirs) ** 0.5
        assert abs(by_melds[n_melds] / n_deals - share) < 4 * error + 0.0005, n_melds
    # Ten of 52 cards that hold 340 pips: exact, so only our own error counts.
    pips = [naive.pips(name) for name in naive.DECK]
    of_a_hand = 10 * np.var(pips) * (52 - 10) / (52 - 1)
    assert abs(totals[0] / n_deals - 3400 / 52) < 4 * (of_a_hand / n_deals) ** 0.5


# ------------------------------------------------------------ best discards


def oracle_discards(hand, barred=frozenset()):
    """As naive.best_discards, with any number of barred cards."""
    after = {c: naive.deadwood(hand - {c}) for c in hand if c not in barred}
    least = min(after.values())
    return least, mask(c for c in after if after[c] == least)


@pytest.mark.long
@pytest.mark.jitless
@pytest.mark.parametrize("kind", POOLS)
def test_best_discards(kind, some):
    """Nothing barred, each card barred in turn, and several at once."""
    chance = random.Random(f"discards {kind}")
    for _ in range(some(1000)):
        hand = random_hand(kind, 11, chance)
        several = frozenset(chance.sample(sorted(hand), chance.randint(2, 10)))
        for barred in [frozenset(), several, *(frozenset({c}) for c in hand)]:
            found = best_discards(mask(hand), mask(barred))
            assert tuple(found) == oracle_discards(hand, barred), (sorted(hand), sorted(barred))


@given(hands(sizes=[11]), st.data())
def test_best_discards_of_any_hand(hand, data):
    barred = data.draw(st.none() | st.sampled_from(sorted(hand)))
    least, discards = naive.best_discards(hand, barred)
    found = best_discards(mask(hand), mask({barred} - {None}))
    assert tuple(found) == (least, mask(discards))


@pytest.mark.jitless
@pytest.mark.parametrize("n_melds", [2, 3])
def test_best_discards_when_nothing_or_little_is_loose(n_melds, some):
    """Hands near gin and big gin, where the card to discard must come out of a meld."""
    chance = random.Random(n_melds)
    all_melded = 0
    for _ in range(some(1000)):
        hand = melded_hand(11, n_melds, chance)
        all_melded += naive.deadwood(hand) == 0
        for barred in [frozenset(), *(frozenset({c}) for c in hand)]:
            found = best_discards(mask(hand), mask(barred))
            assert tuple(found) == oracle_discards(hand, barred), (sorted(hand), sorted(barred))
    if n_melds == 3:
        assert all_melded > some(20)


@pytest.mark.long
@pytest.mark.jitless
@pytest.mark.parametrize("kind", POOLS)
def test_a_card_lowers_the_deadwood_when_the_best_discard_after_it_does(kind, some):
    """The card itself may not be discarded back; gin hands and hands near it are among these."""
    chance = random.Random(f"lowers {kind}")
    answers = []
    for i in range(some(1500)):
        eleven = random_hand(kind, 11, chance) if i % 3 else melded_hand(11, 3, chance)
        new = chance.choice(sorted(eleven))
        hand = eleven - {new}
        before = naive.deadwood(hand)
        expected = naive.best_discards(eleven, new)[0] < before
        found = lowers_deadwood(mask(hand), card(new), before)
        assert bool(found) == expected, (sorted(hand), new)
        answers.append(expected)
    assert 0.2 < sum(answers) / len(answers) < 0.9


def test_a_discard_may_come_out_of_the_best_arrangement():
    """From these eleven the highest loose card of the best arrangement must stay."""
    hand = mask("As2s4sAc2c4c2d4dAh2h3h")
    least, discards = best_discards(hand, 0)
    assert least == 0
    assert least_deadwood(hand) > 0
    for name in names(discards):
        assert naive.deadwood(names(hand) - {name}) == 0


# ------------------------------------------------------- spreads and layoffs


def unseen_kinds(hand, chance):
    """What a knocker may have seen, from nothing to all but the defender's cards.

    Yields the oracle's unseen cards, and among them those that the defender is known to hold.
    """
    others = sorted(DECK - hand)
    chance.shuffle(others)
    yield frozenset(others), frozenset()
    n_known = chance.randint(1, 10)
    yield frozenset(others[: chance.randint(10, 41)]), frozenset(others[:n_known])
    yield frozenset(others[: chance.randint(10, 13)]), frozenset(others[: chance.randint(0, 3)])
    # Known cards that matter: neighbours of the hand in rank or suit.
    near = [c for c in others if naive.deadwood(hand | {c}) <= naive.deadwood(hand)][:3]
    yield frozenset(near + others[:14]), frozenset(near)


@pytest.mark.long
@pytest.mark.jitless
@pytest.mark.parametrize("kind", POOLS)
def test_expected_layoff(kind, some):
    chance = random.Random(f"layoff {kind}")
    n_positive = 0
    for _ in range(some(300)):
        n_melds = chance.randint(1, 3)
        hand = (
            melded_hand(10, n_melds, chance) if kind == "uniform" else random_hand(kind, 10, chance)
        )
        spread = chance.choice(naive.arrangements(hand))
        for unseen, known in unseen_kinds(hand, chance):
            expected = naive.layoff_expectation(spread, unseen, known)
            found = expected_layoff(*by_masks(spread), mask(unseen - known), mask(known))
            assert found == pytest.approx(float(expected), abs=1e-9), (spread, unseen, known)
            n_positive += expected > 0
    assert n_positive > some(300)


@pytest.mark.long
@pytest.mark.jitless
@pytest.mark.parametrize("size", [10, 11])
@pytest.mark.parametrize("kind", POOLS)
def test_the_spread_gives_away_least(kind, size, some):
    chance = random.Random(f"spread {kind} {size}")
    n_real_choices = 0
    for _ in range(some(300)):
        hand = random_hand(kind, size, chance)
        if len({by_masks(spread) for spread in naive.arrangements(hand)}) > 1:
            n_real_choices += 1
        elif chance.random() < 0.5:
            continue
        for unseen, known in unseen_kinds(hand, chance):
            sets, runs = choose_spread(mask(hand), mask(unseen - known), mask(known))
            best = {by_masks(spread) for spread in naive.best_spreads(hand, unseen, known)}
            assert (sets, runs) in best, (sorted(hand), sorted(unseen), sorted(known))
    if kind in ("four ranks", "six ranks", "suit and ranks"):  # two suits hold no set
        assert n_real_choices > some(12)


@given(hands(sizes=[10]), st.data())
def test_the_spread_of_any_hand(hand, data):
    others = data.draw(st.permutations(sorted(DECK - hand)))
    n_unseen = data.draw(st.integers(10, 41))
    n_known = data.draw(st.integers(0, 10))
    unseen, known = frozenset(others[:n_unseen]), frozenset(others[:n_known])
    spread = choose_spread(mask(hand), mask(unseen - known), mask(known))
    best = naive.best_spreads(hand, unseen, known)
    assert tuple(spread) in {by_masks(choice) for choice in best}


def test_three_sets_beat_three_runs():
    """The spread of the rules' third point: the layoffs of the other would lose the hand."""
    knocker = cards("As5s6s7s5c6c7c5d6d7d")
    defender = cards("3s4s4c4d8s8c8d5h6h7h")
    sets, runs = choose_spread(mask(knocker), mask(DECK - knocker), 0)
    assert (names(sets), runs) == (knocker - {"As"}, 0)
    assert defence(mask(defender), sets, runs)[0] == 3
    runs = mask("5s6s7s5c6c7c5d6d7d")
    assert defence(mask(defender), 0, runs)[0] == 0


def test_arrangements_as_lists_of_melds(some):
    chance = random.Random(6)
    for i in range(some(3000)):
        hand = random_hand(POOLS[i % 5], chance.randint(0, 11), chance)
        melds = best_arrangement(mask(hand))
        shown = [names(meld) for meld in melds]
        assert all(meld in naive.MELDS for meld in shown)
        assert sum(map(len, shown)) == len(frozenset().union(*shown))
        assert naive.total_pips(naive.loose(hand, shown)) == naive.deadwood(hand)
        sets, runs = spread_masks(melds)
        assert (sets, runs) == by_masks(shown)
        assert melds_of(sets, runs) == melds
        assert melds == sorted(melds, key=meld_place)


def meld_place(meld):
    first = min(map(naive.DECK.index, names(meld)))
    return (0, first % 13) if is_set(meld) else (1, first)


# ----------------------------------------------------------------- defence


def check_defence(defender, spread):
    """Compare one defence with the oracle and lay its layoffs one by one; return the laid cards."""
    left, laid_mask = defence(mask(defender), *by_masks(spread))
    laid = names(laid_mask)
    where = f"{sorted(defender)} against {[sorted(meld) for meld in spread]}"
    assert left == naive.defence(spread, defender), where
    assert laid <= defender, where
    assert naive.deadwood(defender - laid) == left, where
    melds = melds_of(*by_masks(spread))
    grown = [names(meld) for meld in melds]
    in_order = layoffs_in_order(melds, laid_mask)
    assert [i for i, _ in in_order] == list(dict.fromkeys(i for i, _ in in_order)), where
    assert mask(naive.DECK[i] for i, _ in in_order) == laid_mask, where
    for i, meld in in_order:
        name = naive.DECK[i]
        assert naive.can_lay_off(name, grown[meld]), where
        grown[meld] |= {name}
    return laid


def knocks(kind, n, chance):
    """Knockers with deadwood of at most ten, and defenders who hold cards near its melds."""
    found = 0
    while found < n:
        pool = pool_of(kind, chance)
        both = chance.sample(pool, min(20, len(pool)))
        others = sorted(DECK - set(both))
        both = chance.sample(both + chance.sample(others, 20 - len(both)), 20)
        if least_deadwood(mask(both[:10])) <= 10:
            found += 1
            yield frozenset(both[:10]), frozenset(both[10:])


@pytest.mark.jitless
@pytest.mark.parametrize("kind", ["six ranks", "four ranks", "two suits", "suit and ranks"])
def test_defence_of_dense_hands(kind, some):
    """Every least arrangement of the knocker is defended, not only the one the engine would show.

    Own melds compete with layoffs here: some defences leave a layable card at home, and some
    break an own meld up.
    """
    chance = random.Random(f"defence {kind}")
    n_knocks = n_laid = n_broken = n_kept = 0
    for knocker, defender in knocks(kind, some(350), chance):
        spreads = {by_masks(spread): spread for spread in naive.arrangements(knocker)}
        for spread in spreads.values():
            laid = check_defence(defender, spread)
            n_knocks += 1
            n_laid += bool(laid)
            own = frozenset().union(*naive.melds_in(defender))
            n_broken += bool(laid & own)
            n_kept += any(naive.can_lay_off(c, meld) for c in defender - laid for meld in spread)
    assert n_knocks >= some(350)
    assert n_laid > some(60)
    assert n_kept > some(4)
    if kind != "two suits":  # where no set is, breaking an own meld gains nothing
        assert n_broken > some(24)


@pytest.mark.jitless
@pytest.mark.parametrize("gap", [1, 2, 3])
def test_defence_with_a_bridge_between_two_runs(gap, some):
    """Two runs of a suit whose gap the defender may fill, from either side or from both."""
    chance = random.Random(gap)
    n_bridged = 0
    for _ in range(some(600)):
        suit = chance.choice(naive.SUITS)
        low = chance.randint(0, 13 - 6 - gap)
        high = low + 3 + gap
        ranks = naive.RANKS[low : low + 3] + naive.RANKS[high : high + 3]
        runs = [frozenset(rank + suit for rank in part) for part in (ranks[:3], ranks[3:])]
        knocker = runs[0] | runs[1]
        bridge = [rank + suit for rank in naive.RANKS[low + 3 : high]]
        spread = list(runs)
        if chance.random() < 0.6:
            # A set that could take a bridge card too.
            rank = chance.choice(bridge)[0]
            others = frozenset(rank + other for other in naive.SUITS if other != suit)
            spread.append(others)
            knocker |= others
        near = [name for name in naive.DECK if name not in knocker and name[1] == suit]
        near += [name for name in naive.DECK if name not in knocker and name[0] in ranks]
        defender = set(chance.sample(bridge, chance.randint(0, len(bridge))))
        while len(defender) < 10:
            defender.add(chance.choice(near if chance.random() < 0.8 else naive.DECK))
            defender -= knocker
        laid = check_defence(frozenset(defender), spread)
        n_bridged += bool(laid & set(bridge))
    assert n_bridged > some(200)


@pytest.mark.parametrize("kind", ["six ranks", "suit and ranks"])
def test_defence_against_the_spread_that_is_shown(kind, some):
    """As play goes: the engine's own spread against the defender, with known cards."""
    chance = random.Random(f"shown {kind}")
    for knocker, defender in knocks(kind, some(500), chance):
        known = frozenset(chance.sample(sorted(defender), chance.randint(0, 4)))
        seen = frozenset(chance.sample(sorted(DECK - knocker - defender), chance.randint(1, 20)))
        unseen = DECK - knocker - seen - known
        sets, runs = choose_spread(mask(knocker), mask(unseen), mask(known))
        spread = [names(meld) for meld in melds_of(sets, runs)]
        assert naive.total_pips(naive.loose(knocker, spread)) == naive.deadwood(knocker)
        check_defence(defender, spread)


@given(st.data())
def test_defence_of_any_hand(data):
    low = data.draw(st.integers(0, 7))
    pool = [c for c in naive.DECK if c[0] in naive.RANKS[low : low + 6]]
    both = data.draw(st.permutations(pool))
    knocker, defender = frozenset(both[:10]), frozenset(both[10:20])
    check_defence(defender, data.draw(st.sampled_from(naive.arrangements(knocker))))


@pytest.mark.parametrize(
    ("spread", "defender", "left", "laid"),
    [
        # A chain: the nine goes after the eight.
        (["5h6h7h"], "8h9h 2s4s6s 3d5d7d JcQc", 2 + 4 + 6 + 3 + 5 + 7 + 20, "8h9h"),
        # Without the eight it does not.
        (["5h6h7h"], "9hTh 2s4s6s 3d5d7d JcQc", 2 + 4 + 6 + 3 + 5 + 7 + 39, ""),
        # An ace is low: nothing follows the king, and nothing comes before the ace.
        (["JhQhKh"], "AhAd 2s4s6s 3d5d7d 9cTc", 2 + 12 + 15 + 19, ""),
        (["AhAdAs", "Ac2c3c"], "KcKh 4c 6s8s 5d7d9d JhTd", 20 + 6 + 8 + 21 + 20, "4c"),
        # Two runs of a suit that touch the same card, and one beyond each.
        (["3s4s5s", "7s8s9s"], "6s2sTs AdAc 4h6h 8dJcKh", 2 + 10 + 8 + 20, "6s2sTs"),
        # The fourth of a set goes on it though three of its rank cannot be held.
        (["7s7h7d"], "7c AsAhAc 9dTd 2h4h 5cQs", 19 + 6 + 15, "7c"),
        # A set of four takes no more.
        (["7s7h7d7c"], "6s8s AsAhAc 9dTd 2h4hQc", 14 + 19 + 6 + 10, ""),
        # The ten goes on the run, not on the set, so that the nine can follow.
        (["TcTdTh", "JsQsKs"], "Ts9s 2c4c6c 3d5d7d 8hAh", 12 + 15 + 9, "Ts9s"),
        # Own set of four: laying off its fourth would gain nothing, so it stays whole.
        (["4h5h6h"], "7s7h7d7c 2s9sJs QdKd8c", 2 + 9 + 10 + 20 + 8, ""),
        # Breaking an own set pays: with two of it on two runs, a card can follow on each.
        (["5s6s7s", "9cTcJc"], "8s8c8d 9s7c KdQhAd 3h5h", 8 + 20 + 9, "8s9s8c7c"),
    ],
)
def test_defences_by_hand(spread, defender, left, laid):
    melds = [cards(meld) for meld in spread]
    assert naive.defence(melds, cards(defender)) == left
    found = defence(mask(defender), *by_masks(melds))
    assert (found[0], names(found[1])) == (left, cards(laid))
    check_defence(cards(defender), melds)


@pytest.mark.jitless
def test_other_engines_settlements():
    for row in rows("settle.csv"):
        knocker, defender = cards(row["knocker"]), cards(row["defender"])
        assert least_deadwood(mask(knocker)) == int(row["knocker_deadwood"])
        assert least_deadwood(mask(defender)) == int(row["defender_deadwood_before_layoff"])
        for spread in naive.best_spreads(knocker, DECK - knocker):
            check_defence(defender, spread)
