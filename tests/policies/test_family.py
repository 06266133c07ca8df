"""The parameterised family: features, scores, the knock table, noise and principles.

Every feature is counted again by the oracle from its meaning, card by card.
"""

from __future__ import annotations

import random
from collections import Counter
from itertools import combinations

import naive
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from strategies import (
    POOLS,
    Policies,
    Position,
    cards,
    deal_of,
    deck_order,
    mask,
    melded_hand,
    names,
    play,
    random_hand,
)

from gin_sim.engine.deadwood import improving_cards
from gin_sim.engine.table import rule_record
from gin_sim.policies import contract
from gin_sim.policies.catalogue import CATALOGUE, parse_policy
from gin_sim.policies.contract import KNOCK_PLACES, N_BUCKETS, N_FEATURES, N_PARAMETERS, PolicyError
from gin_sim.policies.decide import players_of
from gin_sim.policies.shipped import family_description as features
from gin_sim.policies.shipped import family_discards, family_scores
from gin_sim.policies.shipped.family_features import best_sets, loose_cards
from gin_sim.policies.shipped.family_parameters import WEIGHTS
from gin_sim.policies.shipped.knock_table import (
    MAX_TABLE_DEADWOOD,
    OUT_CLASSES,
    TABLE_TURNS,
    knock_text,
    out_class,
    parse_knock,
    table_in,
)
from gin_sim.rules import PRESETS

STANDARD = rule_record(PRESETS["standard"])
EAAI = rule_record(PRESETS["eaai"])
FAMILY = [name for name, kind in CATALOGUE.items() if kind.take == contract.TAKE_BY_SCORE]


def held(position) -> frozenset[str]:
    return names(position.view.hand)


def unseen(view) -> frozenset[str]:
    seen = names(view.hand) | names(view.pile_cards) | names(view.opponent_known)
    return frozenset(naive.DECK) - seen


def buffer() -> np.ndarray:
    return np.zeros(N_FEATURES)


def watched(specs, n_deals, check, seed=41, rules=EAAI):
    for deal_index in range(n_deals):
        play(deal_of(seed, deal_index, rules), Policies(*specs), check)


# ------------------------------------------------------------------ features


def ways_to_meld(card, *groups) -> int:
    """Melds of three of a card with one card from each of two groups, or two of one group."""
    pairs = (
        combinations(groups[0], 2)
        if len(groups) == 1
        else ((a, b) for a in groups[0] for b in groups[1])
    )
    return sum(frozenset({card, a, b}) in naive.MELDS for a, b in pairs if card not in (a, b))


def hand_features(hand, live):
    """The features of ten cards from the engine's own arrangement of them."""
    sets = names(best_sets(mask(hand)))
    loose = names(loose_cards(mask(hand)))
    runs = hand - sets - loose
    assert naive.total_pips(loose) == naive.deadwood(hand)
    outs = sum(ways_to_meld(card, loose) > 0 for card in live)
    melds = [meld for meld in naive.SETS if meld <= sets]
    melds += [meld for meld in naive.RUNS if meld <= runs]
    extensions = sum(any(meld | {card} in naive.MELDS for meld in melds) for card in live)

    def near(a, b):
        distance = abs(naive.RANKS.index(a[0]) - naive.RANKS.index(b[0]))
        return a[0] == b[0] or (a[1] == b[1] and distance <= 2)

    pairings = sum(any(near(card, other) for other in loose) for card in live)
    return loose, outs, extensions, pairings


@pytest.mark.long
@pytest.mark.jitless
@given(st.integers(0, 2**32))
def test_hand_features_count_what_they_say(seed):
    chance = random.Random(seed)
    deck = list(naive.DECK)
    chance.shuffle(deck)
    # Half of the hands are improved by some draws, so that melds and few loose cards occur.
    hand = frozenset(deck[:10])
    for card in deck[10 : 10 + chance.choice((0, 12, 30))]:
        _, best = naive.best_discards(hand | {card})
        hand = (hand | {card}) - {min(best)}
    live = frozenset(chance.sample(sorted(set(naive.DECK) - hand), chance.randrange(42)))
    x = buffer()
    returned = names(features.describe_hand(mask(hand), mask(live), x))
    loose, outs, extensions, pairings = hand_features(hand, live)
    assert returned == loose
    expected = buffer()
    expected[features.PIPS] = naive.total_pips(loose) / 10
    expected[features.PIPS_LOW] = max(10 - naive.total_pips(loose), 0) / 10
    expected[features.PAIRINGS] = pairings / 10
    by_loose = {
        2: (features.OUTS_2, features.LOOSE_2),
        3: (features.OUTS_3, features.LOOSE_3),
        4: (features.OUTS_4, features.LOOSE_4),
        5: (features.OUTS_5, features.LOOSE_5),
        6: (features.OUTS_5, features.LOOSE_5),
    }
    place, indicator = by_loose.get(max(len(loose), 2), (features.OUTS_7, None))
    expected[place] = outs
    if indicator is not None:
        expected[indicator] = 1
    expected[features.EXTENSIONS_2 if len(loose) <= 2 else features.EXTENSIONS_3] = extensions
    np.testing.assert_allclose(x, expected)


def eleven_at_random(chance):
    """Eleven cards from any pool, half of the time with melds."""
    hand = random_hand(chance.choice(POOLS), 11, chance)
    return melded_hand(11, chance.randrange(1, 4), chance) if chance.random() < 0.5 else hand


@pytest.mark.long
@pytest.mark.jitless
@given(st.integers(0, 2**32))
def test_ten_of_eleven_cards_are_counted_as_any_ten(seed):
    chance = random.Random(seed)
    hand = eleven_at_random(chance)
    live = frozenset(chance.sample(sorted(set(naive.DECK) - hand), chance.randrange(42)))
    eleven = features.look_at_eleven(mask(hand), mask(live))
    for card in hand:
        ten = features.ten_without(eleven, naive.DECK.index(card))
        loose, outs, extensions, pairings = hand_features(hand - {card}, live)
        assert ten == (len(loose), naive.total_pips(loose), outs, extensions, pairings), card


@pytest.mark.jitless
@given(st.integers(0, 2**32))
def test_sensible_discards_break_no_meld(seed):
    chance = random.Random(seed)
    hand = eleven_at_random(chance)
    barred = frozenset(chance.sample(sorted(hand), chance.randrange(2)))
    after = {card: naive.deadwood(hand - {card}) for card in hand - barred}
    least = min(after.values())
    best = mask({card for card in after if after[card] == least})
    found = family_discards.sensible_discards(mask(hand), mask(barred), least, best)
    assert names(found) == sensible(hand, barred)


@pytest.mark.long
def test_discard_features_count_what_they_say(some):
    seen = Counter()

    def check(position, point):
        if point != "discard":
            return
        view, hand = position.view, held(position)
        live, known = unseen(view), names(view.opponent_known)
        discarded = names(view.opponent_discards)
        refused = names(view.opponent_refused)

        def near(a, b):
            distance = abs(naive.RANKS.index(a[0]) - naive.RANKS.index(b[0]))
            return a[0] == b[0] or (a[1] == b[1] and distance == 1)

        cold = frozenset(card for card in naive.DECK if any(near(card, t) for t in discarded))
        assert names(features.cold_cards(view)) - discarded == cold - discarded
        for card in hand - names(view.barred):
            x = buffer()
            features.describe_discarded_card(
                view, naive.DECK.index(card), mask(live), features.cold_cards(view), x
            )
            beside = [c for c in naive.DECK if c != card and near(c, card) and c[0] != card[0]]
            expected = {
                features.FEEDS_KNOWN_PAIR: ways_to_meld(card, known),
                features.FEEDS_KNOWN_CARD: ways_to_meld(card, known, live),
                features.FEEDS_UNSEEN_PAIR: ways_to_meld(card, live),
                features.FEEDS_COLD_PAIR: ways_to_meld(card, live)
                - ways_to_meld(card, live - cold),
                features.RANK_REFUSED: any(c[0] == card[0] for c in refused),
                features.RANK_DISCARDED: any(c[0] == card[0] for c in discarded),
                features.NEIGHBOUR_REFUSED: sum(c in refused for c in beside),
                features.NEIGHBOUR_DISCARDED: sum(c in discarded for c in beside),
            }
            for feature, value in expected.items():
                assert x[feature] == value, (feature, card)
                seen[feature] += value > 0

    watched(("greedy:knock=0", "random"), some(12, least=6), check)
    assert len(seen) == 8
    assert min(seen.values()) > some(5)


@pytest.mark.long
def test_take_features_count_what_they_say():
    """From the position before and after the take and the discard that would follow it."""
    player = players_of((parse_policy("heuristic"),) * 2)[0]
    seen = Counter()

    def check(position, point):
        view, hand = position.view, held(position)
        if point != "draw" or view.upcard < 0:
            return
        upcard = naive.DECK[int(view.upcard)]
        y = buffer()
        discarded = naive.DECK[family_scores.describe_take(view, player.parameters, y)]
        kept = (hand | {upcard}) - {discarded}
        live = unseen(view)
        loose_before, outs_before, extensions_before, _ = hand_features(hand, live)
        loose, outs, extensions, _ = hand_features(kept, live)
        before, after = naive.deadwood(hand) / 10, naive.deadwood(kept) / 10
        fed = buffer()
        number, cold = naive.DECK.index(discarded), features.cold_cards(view)
        features.describe_discarded_card(view, number, mask(live), cold, fed)
        n_known = len(names(view.opponent_known))
        by_loose = {2: features.TAKE_OUTS_2, 3: features.TAKE_OUTS_3}
        expected = {
            features.TAKE: 1,
            features.TAKE_MELDS: int(upcard not in loose),
            features.TAKE_SAVES: before - after,
            features.TAKE_LOW: max(1 - after, 0) - max(1 - before, 0),
            features.TAKE_SAVES_SHOWN: (before - after) * n_known,
            by_loose.get(max(len(loose), 2), features.TAKE_OUTS_4): outs - outs_before,
            features.TAKE_EXTENSIONS: extensions - extensions_before,
            features.TAKE_LOOSE: len(loose_before) - len(loose),
            features.TAKE_FIRST: view.first_offer,
            features.TAKE_SHOWN: len(names(view.shown)),
            features.TAKE_DISCARD_FEEDS: 3 * fed[features.FEEDS_KNOWN_PAIR]
            + fed[features.FEEDS_KNOWN_CARD],
            features.TAKE_DISCARD_FEEDS_UNSEEN: fed[features.FEEDS_UNSEEN_PAIR],
        }
        for feature in range(features.N_TAKE):
            assert y[feature] == pytest.approx(expected.get(feature, 0)), feature
            seen[feature] += y[feature] != 0

    watched(("heuristic", "marjj"), 20, check)
    assert len(seen) == features.N_TAKE
    assert min(seen.values()) > 0


@pytest.mark.jitless
@given(st.integers(0, 2**32))
def test_lookahead_is_the_mean_of_the_best_answers(seed):
    chance = random.Random(seed)
    hand = random_hand(chance.choice(POOLS), 10, chance)
    if chance.random() < 0.5:
        hand = melded_hand(10, chance.randrange(1, 4), chance)
    live = frozenset(chance.sample(sorted(set(naive.DECK) - hand), chance.randrange(1, 30)))
    mean = np.mean([naive.best_discards(hand | {card})[0] for card in live])
    assert features.look_ahead(mask(hand), mask(live)) == pytest.approx(mean / 10)


# ------------------------------------------------------- draws and discards


def weights_off(**given) -> str:
    """A spec of the family with every weight 0 but those given."""
    settings = {weight.name: 0 for weight in WEIGHTS} | given
    return "heuristic:" + ",".join(f"{name}={value}" for name, value in settings.items())


@pytest.mark.long
@pytest.mark.parametrize(
    ("weights", "rule"),
    [
        ({"take": -1, "take_melds": 2}, "melds"),
        ({"take": -0.49, "take_saves": 1}, "saves 5"),
        ({"take": 1}, "always"),
        ({"take": -1}, "gin alone"),
        ({"take": -1, "take_first": 2}, "first"),
    ],
)
def test_the_take_weights_can_express_simple_rules(weights, rule):
    answers = Policies(weights_off(pips=-1, **weights), "simple")
    seen = Counter()

    def check(position, point):
        view, hand = position.view, held(position)
        if point != "draw" or view.upcard < 0 or position.mover != 0:
            return
        upcard = naive.DECK[int(view.upcard)]
        least, best = naive.best_discards(hand | {upcard}, upcard)
        takes = answers.takes(position)
        if least == 0:
            assert takes
        elif rule == "melds":
            melds = {
                upcard not in names(loose_cards(mask((hand | {upcard}) - {card}))) for card in best
            }
            assert takes in melds
        elif rule == "saves 5":
            assert takes == (naive.deadwood(hand) - least >= 5)
        else:
            assert takes == (rule == "always" or (rule == "first" and view.first_offer == 1))
        seen[takes] += 1

    watched(("greedy:knock=0", "simple"), 40, check)
    assert min(seen[True], seen[False]) > 5 or rule in ("always", "gin alone")


def sensible(hand, barred) -> set[str]:
    """The discards that leave gin, else those that leave no more cards loose than there are."""
    allowed = hand - barred
    after = {card: naive.deadwood(hand - {card}) for card in allowed}
    if min(after.values()) == 0:
        return {card for card in allowed if after[card] == 0}
    n_loose = len(names(loose_cards(mask(hand))))
    keeps = {c for c in allowed if len(names(loose_cards(mask(hand - {c})))) <= n_loose}
    return keeps or {card for card in allowed if after[card] == min(after.values())}


@pytest.mark.long
@pytest.mark.parametrize("name", ["pips", "outs_3", "feeds_unseen_pair", "lookahead"])
def test_a_single_weight_discards_the_card_that_it_likes_best(name):
    feature = next(w.place for w in WEIGHTS if w.name == name) - features.DISCARD_PLACE
    answers = Policies(weights_off(**{name: -2}), "simple")
    seen = Counter()

    def check(position, point):
        if point != "discard" or position.mover != 0:
            return
        view, hand = position.view, held(position)
        live, cold = mask(unseen(view)), features.cold_cards(view)
        scores = {}
        for card in sensible(hand, names(view.barred)):
            x = buffer()
            number = naive.DECK.index(card)
            features.describe_discard(view, int(view.hand), live, cold, number, x)
            assert x[features.PIPS_SHOWN] == pytest.approx(
                x[features.PIPS] * len(names(view.opponent_known))
            )
            x[features.LOOKAHEAD] = features.look_ahead(mask(hand - {card}), live)
            scores[card] = -2 * x[feature]
        discarded = naive.DECK[answers.discards(position)]
        assert scores[discarded] == pytest.approx(max(scores.values()))
        seen[len(set(scores.values())) > 1] += 1

    watched(("simple", "marjj"), 40, check)
    assert seen[True] > 15


def weights_at_random(chance, scale=3.0) -> str:
    """A spec of the family with a random weight for each feature but lookahead and each turn."""
    given = {w.name: chance.normal(0, scale, N_BUCKETS).round(2) for w in WEIGHTS}
    return weights_off(**{n: "/".join(map(str, x)) for n, x in given.items() if n != "lookahead"})


def added_up(numbers, place, weights) -> float:
    """A score as one sum over all features in their order, to the last bit."""
    total = 0.0
    for number, weight in zip(numbers, weights[place:], strict=False):
        total += number * weight
    return total


@pytest.mark.long
@pytest.mark.parametrize("spec", [*FAMILY, "at random"])
def test_a_score_is_the_sum_of_the_features_by_weight_to_the_last_bit(spec):
    chance = np.random.default_rng(8)
    answers = Policies(*[weights_at_random(chance) if spec == "at random" else spec] * 2)
    numbers = answers.players.parameters[0]
    seen = Counter()

    def check(position, point):
        view, bucket = position.view, features.bucket_of(int(position.view.turn))
        if point == "discard":
            hand, live = int(view.hand), mask(unseen(view))
            eleven, cold = features.look_at_eleven(hand, live), features.cold_cards(view)
            place = features.DISCARD_PLACE + features.N_DISCARD * bucket
            scores = {}
            for card in (card for card in range(52) if hand >> card & 1):
                x = buffer()
                features.describe_discard(view, hand, live, cold, card, x)
                scores[card] = family_discards.score_of(view, numbers, eleven, cold, card)
                assert scores[card] == added_up(x[: features.N_DISCARD], place, numbers)
            weighed = sensible(held(position), names(view.barred))
            best = max(scores[naive.DECK.index(card)] for card in weighed)
            assert scores[answers.discards(position)] == best
        elif point == "draw" and view.upcard >= 0:
            x = buffer()
            family_scores.describe_take(view, numbers, x)
            place = features.TAKE_PLACE + features.N_TAKE * bucket
            score = added_up(x[: features.N_TAKE], place, numbers)
            gin = view.upcard_deadwood == 0
            assert answers.takes(position) == (score > 0 or gin)
            found = family_scores.take_score(view, answers.players[0])
            seen["surely below"] += found == -np.inf
            if np.isfinite(found):
                assert found == score
            else:
                assert gin if found > 0 else score < 0
        seen[point] += 1

    watched((spec if spec in FAMILY else "strong", "simple"), 25, check)
    assert min(seen["draw"], seen["discard"], seen["surely below"]) > 20


@pytest.mark.long
@pytest.mark.parametrize("name", [n for n in CATALOGUE if CATALOGUE[n].parameters])
def test_no_number_of_the_knock_touches_a_draw_or_a_discard(name):
    """The one-pass analyses of knock rules rest on this."""
    seated = players_of((parse_policy(name), parse_policy(name)))
    answers, poisoned = Policies(name, name), Policies(name, name)
    assert (poisoned.players == seated).all()
    chance = np.random.default_rng(6)
    seen = Counter()

    def check(position, point):
        # No number of the knock is left as it was, and the rule itself is another.
        poisoned.players.parameters[:, :KNOCK_PLACES] = chance.choice(
            [0.0, 7.0, 2046.0, np.nan], KNOCK_PLACES
        )
        poisoned.players.knock_rule = contract.KNOCK_BY_COIN
        if point == "draw" and position.view.upcard >= 0:
            assert poisoned.takes(position) == answers.takes(position)
        elif point == "discard":
            assert poisoned.discards(position) == answers.discards(position)
        seen[point] += 1

    watched((name, "greedy:knock=0"), 12, check)
    assert min(seen["draw"], seen["discard"]) > 60


# ---------------------------------------------------------------------- knock

CELLS = st.sampled_from(["0", "3", "10", "6-10", "1-2+5", "2-2+7-50", "50"])
ROWS = st.one_of(CELLS, st.tuples(CELLS, CELLS, CELLS).map("|".join))


@given(st.lists(ROWS, min_size=1, max_size=TABLE_TURNS))
def test_a_knock_table_is_written_and_read(rows):
    table = parse_knock("/".join(rows), "it")
    assert table.shape == (TABLE_TURNS, OUT_CLASSES)
    assert (parse_knock(knock_text(table), "it") == table).all()
    for turn in range(TABLE_TURNS):
        row = rows[min(turn, len(rows) - 1)].split("|")
        for outs in range(OUT_CLASSES):
            knocks = set()
            for part in row[outs if len(row) > 1 else 0].split("+"):
                low, dash, high = part.partition("-")
                knocks |= set(range(int(low), int(high) + 1) if dash else range(1, int(low) + 1))
            if row[outs if len(row) > 1 else 0] == "1-2+5":
                knocks = {1, 2, *range(1, 6)}
            found = {d for d in range(MAX_TABLE_DEADWOOD + 1) if table[turn, outs] >> d & 1}
            assert found == knocks


@pytest.mark.parametrize(
    "text", ["", "x", "51", "-1", "3-", "7-3", "0-4", "10|5", "1|2|3|4", "10/", "1/" * 20 + "1"]
)
def test_a_bad_knock_table_is_explained(text):
    with pytest.raises(PolicyError, match=r"greedy's knock is|gives no value"):
        parse_policy(f"greedy:knock={text}")


def classes(hand, live) -> int:
    outs = sum(naive.best_discards(hand | {card})[0] == 0 for card in live)
    assert int(improving_cards(mask(hand), mask(live), 1)[0]).bit_count() == outs
    return 0 if outs == 0 else 1 if outs <= 2 else 2


@pytest.mark.long
def test_the_table_is_read_by_turn_outs_and_score(some):
    spec = (
        "heuristic:knock=10|4-8|2/6-10|0|1/3|50|0/0|9|9/5,"
        "close_within=12,close_limit=6,ahead=50,ahead_more=2,behind=30,behind_more=-3"
    )
    answers = Policies(spec, spec)
    table = parse_knock("10|4-8|2/6-10|0|1/3|50|0/0|9|9/5", "it")
    assert (table_in(answers.players.parameters[0]) == table).all()
    seen = Counter()

    def check(position, point):
        if point != "knock":
            return
        view, hand = position.view, held(position)
        deadwood = naive.deadwood(hand)
        outs = classes(hand, unseen(view))
        assert out_class(int(view.hand), mask(unseen(view))) == outs
        for mine, theirs in ((0, 0), (88, 80), (87, 37), (37, 87), (20, 50), (99, 0)):
            view.score, view.opponent_score = mine, theirs
            judged = deadwood
            if mine - theirs >= 50:
                judged -= 2
            elif theirs - mine >= 30:
                judged += 3
            judged = min(max(judged, 1), MAX_TABLE_DEADWOOD)
            knocks = bool(table[min(int(view.turn), TABLE_TURNS) - 1, outs] >> judged & 1)
            knocks = deadwood == 0 or (100 - mine <= 12 and deadwood <= 6) or knocks
            assert answers.knocks(position) == knocks, (sorted(hand), int(view.turn), mine, theirs)
            seen[knocks, outs] += 1
        view.score = view.opponent_score = 0

    watched(("greedy:knock=0", "greedy:knock=0"), some(60), check)
    assert len(seen) == 6
    assert min(seen.values()) > some(10)


def test_no_offset_knocks_in_a_game_of_one_hand():
    """With target 0 no score is close to it."""
    position = Position(deck_order("", "AsAhAd2s3s4s 5h6h7h 5d", "Kd"), STANDARD, dealer=0)
    position.view.target = 0
    spec = "heuristic:knock=0,close_limit=98,close_within=1000"
    assert not Policies(spec, spec).knocks(position)
    position.view.target = 100
    assert Policies(spec, spec).knocks(position)


def test_boxes_that_count_at_once_bring_the_target_nearer():
    position = Position(deck_order("", "AsAhAd2s3s4s 5h6h7h 5d", "Kd"), STANDARD, dealer=0)
    answers = Policies(*["heuristic:knock=0,close_limit=98,close_within=20"] * 2)
    position.view.score, position.view.boxes = 50, 2
    assert not answers.knocks(position)
    position.view.boxes_at_once, position.view.box_bonus = 1, 15
    assert answers.knocks(position)


# ----------------------------------------------------------------- principles


def numbers_of(spec) -> np.ndarray:
    policy = parse_policy(spec)
    return policy.kind.vector(policy.values)


def by_bucket(vector, feature) -> np.ndarray:
    return vector[features.DISCARD_PLACE + feature :: features.N_DISCARD][:N_BUCKETS]


#: Every weight is set, so that a switch shows each that it takes away.
ALL_WEIGHTS = "heuristic:" + ",".join(f"{weight.name}=1" for weight in WEIGHTS)


@pytest.mark.parametrize(
    ("switch", "discards", "takes", "buckets"),
    [
        (
            "watch",
            "pips_shown feeds_known_pair feeds_known_card feeds_cold_pair rank_refused "
            "rank_discarded neighbour_refused neighbour_discarded",
            "take_saves_shown take_feeds",
            range(N_BUCKETS),
        ),
        (
            "keep_pairs",
            "outs_2 outs_3 outs_4 outs_5 outs_7 pairings",
            "take_outs_2 take_outs_3 take_outs_4",
            range(3),
        ),
        ("dump_high", "pips pips_low pips_shown", "take_saves take_low take_saves_shown", range(3)),
    ],
)
def test_a_switch_takes_away_these_weights_and_no_other(switch, discards, takes, buckets):
    without = numbers_of(f"{ALL_WEIGHTS},{switch}=0")
    for weight in WEIGHTS:
        gone = weight.name in f"{discards} {takes}".split()
        found = without[weight.place :: weight.stride][:N_BUCKETS]
        assert found.tolist() == [float(not (gone and b in buckets)) for b in range(N_BUCKETS)]


def test_each_principle_is_one_switch():
    whole = numbers_of("heuristic:knock=9/8|3-5|0/7/6/5/2|1|0/0")
    assert whole.shape == (N_PARAMETERS,)

    def without(switch):
        return numbers_of(f"heuristic:knock=9/8|3-5|0/7/6/5/2|1|0/0,{switch}=0")

    changed = {
        name: np.flatnonzero(whole != without(name))
        for name in ("watch", "knock_early", "keep_pairs", "count_undercut", "dump_high")
    }
    for name in ("knock_early", "count_undercut"):
        assert changed[name].size
        assert changed[name].max() < KNOCK_PLACES
    for name in ("watch", "keep_pairs", "dump_high"):
        assert changed[name].size
        assert changed[name].min() >= KNOCK_PLACES
    assert knock_text(table_in(without("knock_early"))) == "2|1|0/2|1|0/2|1|0/2|1|0/2|1|0/2|1|0/0"
    assert knock_text(table_in(without("count_undercut"))).startswith(
        "50/50|3-50|0/50/50/50/50|50|0"
    )
    assert (by_bucket(without("dump_high"), features.PIPS)[:3] == 0).all()
    assert (by_bucket(without("dump_high"), features.PIPS)[3:] != 0).all()
    assert (by_bucket(without("keep_pairs"), features.OUTS_3)[:3] == 0).all()
    assert (by_bucket(without("keep_pairs"), features.OUTS_3)[3:] != 0).all()


def test_with_watch_0_only_own_cards_and_the_upcard_count():
    answers = Policies(*[f"{ALL_WEIGHTS},watch=0"] * 2)
    watching = Policies(*[ALL_WEIGHTS] * 2)
    seen = Counter()

    def check(position, point):
        view = position.view
        if point not in ("draw", "discard") or view.upcard < 0:
            return
        decide = Policies.takes if point == "draw" else Policies.discards
        before, with_eyes = decide(answers, position), decide(watching, position)
        kept = {name: view[name].copy() for name in view.dtype.names}
        bit = 1 << int(view.upcard)
        view.opponent_known = view.opponent_took = 0
        view.opponent_discards, view.opponent_refused, view.pile_cards = bit, 0, bit
        assert decide(answers, position) == before
        seen["differs"] += decide(watching, position) != with_eyes
        for name, value in kept.items():
            view[name] = value
        seen["same"] += 1

    watched(("heuristic", "simple"), 25, check)
    assert seen["differs"] > 10


# ---------------------------------------------------------------------- noise


def discards_drawn(spec, position, n=6000) -> tuple[np.ndarray, np.ndarray]:
    answers = Policies(spec, spec)
    discarded = np.zeros(52)
    for noise in range(n):
        position.view.noise = (noise * 0x9E3779B97F4A7C15 + 1) % 2**64
        discarded[answers.discards(position)] += 1
    chances = np.zeros(52)
    family_scores.discard_chances(position.view, answers.players[position.mover], chances)
    return discarded / n, chances


@pytest.mark.parametrize(
    "spec",
    [
        "heuristic",
        "heuristic:slip=0.4",
        "heuristic:temperature=3",
        "heuristic:slip=0.25,temperature=6",
        "heuristic:slip=1",
    ],
)
def test_discards_are_drawn_with_the_given_chances(spec):
    position = Position(deck_order("", "As4s7s 2h5h8h 3d KdQcJs", "9c", "6c"), STANDARD, dealer=0)
    position.pass_both().step("draw")
    n = 6000
    found, chances = discards_drawn(spec, position, n)
    assert chances.sum() == pytest.approx(1)
    assert cards("As4s7s2h5h8h3dKdQcJs6c") >= names(
        sum(1 << int(c) for c in np.flatnonzero(chances))
    )
    assert (np.abs(found - chances) <= 4.5 * np.sqrt(chances * (1 - chances) / n) + 1e-12).all()
    assert ((chances > 0).sum() > 1) == ("=" in spec)


@pytest.mark.parametrize("spec", ["heuristic", "heuristic:temperature=5"])
def test_the_chance_to_take_is_one_for_gin_and_certain_without_noise(spec):
    answers = Policies(spec, spec)
    position = Position(deck_order("", "AsAhAd2s3s4s 5h6h7h Kd", "5s"), STANDARD, dealer=0)
    assert family_scores.take_chance(position.view, answers.players[1]) == 1
    seen = set()

    def check(position, point):
        if point == "draw" and position.view.upcard >= 0:
            told = family_scores.take_chance(position.view, answers.players[position.mover])
            seen.add(told)
            if "=" not in spec:
                assert told == answers.takes(position)

    watched((spec, "simple"), 5, check)
    assert ({0, 1} == seen) == ("=" not in spec)


def test_buckets_are_those_of_the_contract():
    for turn in range(1, 61):
        expected = max(b for b, first in enumerate(contract.BUCKETS) if first <= turn)
        assert features.bucket_of(turn) == expected


def test_a_temperature_blurs_the_take_too():
    position = Position(deck_order("", "As4s7s 2h5h8h 3d KdQcJs", "9c"), STANDARD, dealer=0)
    spec = weights_off(take=2, temperature=4)
    answers = Policies(spec, spec)
    n, taken = 6000, 0
    for noise in range(n):
        position.view.noise = (noise * 0x9E3779B97F4A7C15 + 1) % 2**64
        taken += answers.takes(position)
    chance = 1 / (1 + np.exp(-2 / 4))
    told = family_scores.take_chance(position.view, answers.players[position.mover])
    assert told == pytest.approx(chance)
    assert abs(taken / n - chance) < 4.5 * (chance * (1 - chance) / n) ** 0.5
