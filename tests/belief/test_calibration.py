"""Learned weights, and beliefs tried against the truth.

Expected values come from enumeration by the slow oracle, from a plain bootstrap, or by hand.
"""

from __future__ import annotations

import itertools
import math
import threading
from collections import Counter
from functools import cache

import naive
import numpy as np
import pytest

from gin_sim.belief import calibration, class_weights, reliability
from gin_sim.belief import test_positions as knocks
from gin_sim.belief.class_weights import ClassWeightSampler, UniformSampler, learn
from gin_sim.belief.deviation import KNOWN
from gin_sim.cards import card_names, cards_of, mask_of, parse_card
from gin_sim.errors import InputError
from gin_sim.play.record import play_recorded
from gin_sim.policies.catalogue import parse_policy
from gin_sim.positions import parse_position
from gin_sim.rules import parse_rules

RULES = parse_rules("standard")

#: Eight of the opponent's cards are known, and two are among 22 unseen ones.
NEARLY_KNOWN = parse_position(
    "5s 6s 7s 8s 9s Ts 2d 3d 4d Kh Qh",
    turn="12",
    pile="Js Qs Ks 2s 3s 4s As Jd Qd Kd Ad",
    took="7h 7d 7c 8h 8d 9h 5c 6c",
)


def names(mask):
    return card_names(cards_of(int(mask)))


def slow_class(hand):
    """Deadwood and cards that no meld can use, by the slow oracle."""
    cards = names(hand)
    in_melds = set().union(*naive.melds_in(cards))
    return naive.deadwood(cards), len(cards) - len(in_melds)


def code_of(deadwood, n_loose):
    """The class's number, from the rule that deadwood counts by the pip to 20, then by four."""
    step = deadwood if deadwood <= 20 else 20 + math.ceil((deadwood - 20) / 4)
    return step * 11 + n_loose


def hands_of(position):
    seen = position.seen
    for cards in itertools.combinations(cards_of(seen.unseen), seen.n_hidden):
        yield seen.known | mask_of(cards)


# ------------------------------------------------------------------ weights


@pytest.fixture(scope="module")
def expected():
    """By hand: its chance when the classes are as common as some counts say, by enumeration."""
    hands = list(hands_of(NEARLY_KNOWN))
    classes = [code_of(*slow_class(hand)) for hand in hands]
    dealt = Counter(classes)
    wanted = {code: 1 + 7 * (number % 5) for number, code in enumerate(sorted(dealt))}
    total = sum(wanted.values())
    shares = {h: wanted[c] / dealt[c] / total for h, c in zip(hands, classes, strict=True)}
    return shares, wanted


def test_learned_weights_make_each_class_as_common_as_it_was_learned(expected):
    shares, wanted = expected
    assert len(wanted) > 8
    counts = np.zeros((class_weights.MAX_OWN_TURNS + 1, class_weights.N_CLASSES), np.int64)
    for code, count in wanted.items():
        counts[11, code] = 1000 * count
    found = ClassWeightSampler(
        NEARLY_KNOWN, parse_policy("simple"), learned=class_weights.Learned(counts)
    )
    hands = found.hands(found.more(1000))
    assert hands.shape == (16, 1000)
    seen = Counter(hands.ravel().tolist())
    assert set(seen) <= set(shares)
    # Chi-square with one degree fewer than there are hands, or less, since the draws are at even
    # steps; five deviations.  Uniform hands are far from it.
    degrees = len(shares) - 1
    limit = degrees + 5 * math.sqrt(2 * degrees)
    mean = {hand: share * hands.size for hand, share in shares.items()}
    assert sum((seen[hand] - mean[hand]) ** 2 / mean[hand] for hand in shares) < limit
    even = hands.size / len(shares)
    assert sum((even - mean[hand]) ** 2 / mean[hand] for hand in shares) > 10 * limit


def test_uniform_dealing_gives_every_hand_as_often():
    found = UniformSampler(NEARLY_KNOWN, seed=5)
    worlds = found.more(2000)
    assert worlds.shape == (16, 2000, 2)
    assert worlds.dtype == np.int8
    every = list(hands_of(NEARLY_KNOWN))
    seen = Counter(found.hands(worlds).ravel().tolist())
    assert sorted(seen) == sorted(every)
    mean = 32_000 / len(every)
    chi = sum((seen[hand] - mean) ** 2 / mean for hand in every)
    # Five deviations of chi-square with one degree fewer than there are hands.
    assert abs(chi - (len(every) - 1)) < 5 * math.sqrt(2 * (len(every) - 1))


@pytest.mark.parametrize("sampler", [UniformSampler, ClassWeightSampler])
def test_the_same_seed_gives_the_same_worlds_and_goes_on(sampler):
    def worlds(seed, threads):
        found = sampler(NEARLY_KNOWN, parse_policy("simple"), seed=seed, threads=threads)
        assert (found.n_chains, found.n_unconverged, found.position) == (16, 0, NEARLY_KNOWN)
        return found.more(30), found.more(30)

    first, second = worlds(1, 1)
    again, again_second = worlds(1, 2)
    assert (first == again).all()
    assert (second == again_second).all()
    assert (first != second).any()
    assert (first != worlds(2, 1)[0]).any()


def test_what_is_learned_is_what_hands_played_held():
    n_hands = 60
    policy = parse_policy("simple")
    found = learn(policy, RULES, seed=4, n_hands=n_hands)
    counts = np.zeros_like(found.counts)
    records = list(play_recorded((policy, policy), RULES, 4, n_hands, mirrored=False))
    for record in records:
        for seat in range(2):
            hand = set(record.deal[seat])
            counts[0, code_of(*slow_class(mask_of(map(parse_card, hand))))] += 1
            turn = 0
            for number, act in enumerate(record.turns):
                if act.player != seat or act.draw == "pass":
                    continue
                turn += 1
                hand = (
                    hand | {act.card}
                    if act.discard is None
                    else (hand | {act.card}) - {act.discard}
                )
                if number < len(record.turns) - 1:
                    code = code_of(*slow_class(mask_of(map(parse_card, hand))))
                    counts[turn, code] += 1
    ended_by_wash = sum(record.end.kind == "wash" for record in records)
    assert ended_by_wash == 0
    assert (found.counts == counts).all()


def test_late_turns_share_the_weights_of_the_last_that_was_seen_often():
    counts = np.zeros((class_weights.MAX_OWN_TURNS + 1, class_weights.N_CLASSES), np.int64)
    counts[:6, 7] = class_weights.FEWEST_HANDS
    counts[6, 8] = class_weights.FEWEST_HANDS - 1
    shares = class_weights.Learned(counts).shares(9)
    assert shares[7] == 1
    assert shares.sum() == 1


def test_dealing_gives_no_arrivals_for_a_position_with_a_history():
    decision = decisions_of_simple()[0]
    found = UniformSampler(decision.position)
    with pytest.raises(InputError, match="held"):
        found.more(10)
    hands = found.held(10)
    assert hands.shape == (16, 10)
    assert all(int(hand).bit_count() == 10 for hand in hands.ravel())


# ---------------------------------------------------------------- decisions


@cache
def decisions_of_simple(n=25):
    policies = parse_policy("simple:knock=0"), parse_policy("simple")
    return knocks.played_decisions(*policies, RULES, n, seed=2)


@cache
def record_of(number):
    policies = parse_policy("simple:knock=0"), parse_policy("simple")
    (record,) = play_recorded(policies, RULES, 2, 1, first_deal=number, mirrored=False)
    return record


def slow_decisions(record, seat):
    """Draws, own turn, eleven cards and the other's hand at each knock decision of a seat."""
    hands = [set(cards) for cards in record.deal]
    n_draws, turn = 0, 0
    for act in record.turns:
        if act.draw == "pass":
            continue
        n_draws += act.draw == "stock"
        hands[act.player].add(act.card)
        barred = act.card if act.draw == "upcard" else None
        if act.player == seat:
            turn += 1
            least, _ = naive.best_discards(hands[seat], barred)
            if 0 < least <= 10:
                yield n_draws, turn, set(hands[seat]), set(hands[1 - seat])
        hands[act.player].discard(act.discard)


def test_decisions_are_spread_over_the_draws_and_fixed_beforehand():
    found = decisions_of_simple()
    assert Counter(decision.bucket for decision in found) == dict.fromkeys(range(5), 5)
    assert len({decision.hand_number for decision in found}) == len(found)
    for decision in found:
        start = knocks._start_in(decision.bucket, 2, decision.hand_number)
        assert decision.bucket == decision.hand_number % 5
        first = next(
            each for each in slow_decisions(record_of(decision.hand_number), 0) if each[0] >= start
        )
        n_draws, turn, eleven, other = first
        assert (n_draws, turn) == (decision.n_draws, decision.position.seen.turn)
        assert set(card_names(decision.position.hand)) == eleven
        assert set(names(decision.held)) == other


def test_hands_without_a_decision_in_their_bucket_have_none_there():
    found = {decision.hand_number for decision in decisions_of_simple()}
    last = max(found)
    for number in range(0, last, 7):
        if number in found:
            continue
        bucket, start = number % 5, knocks._start_in(number % 5, 2, number)
        after = [each for each in slow_decisions(record_of(number), 0) if each[0] >= start]
        full = sum(other < number and other % 5 == bucket for other in found) == 5
        assert full or not after or knocks.bucket_of(after[0][0]) != bucket


def test_every_decision_of_both_players_of_a_record():
    policies = parse_policy("greedy:knock=3"), parse_policy("simple")
    records = list(play_recorded(policies, RULES, 8, 12))
    found = knocks.recorded_decisions(records)
    slow = [
        (number, seat, *each[:2])
        for number, record in enumerate(records)
        for seat in range(2)
        for each in slow_decisions(record, seat)
    ]
    assert [(d.hand_number, d.n_draws, d.position.seen.turn) for d in found] == [
        (number, n_draws, turn) for number, _, n_draws, turn in slow
    ]
    assert [d.opponent for d in found] == [
        records[number].players[1 - seat] for number, seat, *_ in slow
    ]


@pytest.mark.parametrize(("draws", "name"), [(0, "0-4"), (4, "0-4"), (5, "5-8"), (31, "17+")])
def test_draws_fall_into_named_buckets(draws, name):
    assert knocks.BUCKET_NAMES[knocks.bucket_of(draws)] == name


def test_undercuts_are_those_of_the_oracle():
    for decision in decisions_of_simple():
        position = decision.position
        seen = position.seen
        hands = np.array([decision.held, *UniformSampler(position, n_chains=1).held(12)[0]])
        undercut, deadwood = knocks.undercuts(position, hands)
        barred = names(seen.barred)
        eleven = card_names(position.hand)
        _, discards = naive.best_discards(eleven, barred[0] if barred else None)
        discarded = min(discards, key=parse_card)
        ten = set(eleven) - {discarded}
        for hand, is_undercut, pips in zip(hands, undercut, deadwood, strict=True):
            settled = naive.settle(
                ten,
                names(hand),
                naive.PRESETS["standard"],
                unseen=frozenset(names(seen.unseen | seen.known)),
                known_defender=names(seen.known),
            )
            assert is_undercut == (settled.kind == "undercut")
            assert pips == naive.deadwood(names(hand))


# -------------------------------------------------------------------- scores


def test_log_score_by_hand():
    # Four worlds; of six unseen cards two are held.  Card 0 is in all worlds and held, 1 in three
    # and held, 2 in one and not, 3 in none and not, 4 in all and not, 5 in two and not.
    hands = np.array([[0b010011, 0b010011], [0b110011, 0b110101]])
    shares = [7 / 8, 3 / 4, 3 / 4, 7 / 8, 1 / 8, 1 / 2]
    found = calibration.log_score(hands, 0b000011, 0b111111)
    assert found == pytest.approx(sum(map(math.log, shares)) / 6)


def test_clustered_intervals_are_those_of_a_plain_bootstrap():
    dice = np.random.default_rng(3)
    clusters = np.repeat(np.arange(150), dice.integers(1, 6, 150))
    chance = dice.beta(1, 2, 150)[clusters]
    events = (dice.random(len(clusters)) < chance).astype(float)
    values = 5 * chance + dice.normal(size=len(clusters))
    members = [np.flatnonzero(clusters == cluster) for cluster in range(150)]
    drawn = [np.concatenate([members[i] for i in dice.integers(0, 150, 150)]) for _ in range(4000)]
    for sample, found in (
        (events, reliability.clustered_rate(events, clusters)),
        (values, reliability.clustered_mean(values, clusters)),
    ):
        low, high = np.quantile([sample[rows].mean() for rows in drawn], (0.025, 0.975))
        assert found.estimate == pytest.approx(sample.mean())
        # The bootstrap's own error is 3 %; independent values would have narrower intervals.
        assert found.half_width == pytest.approx((high - low) / 2, rel=0.08)
        alone = reliability.clustered_mean(sample, np.arange(len(sample)))
        assert alone.half_width < 0.85 * found.half_width


@pytest.fixture(scope="module")
def rows():
    return ask(1)


def ask(threads):
    decisions = decisions_of_simple()
    opponent = parse_policy("simple")
    weights = learn(opponent, RULES, n_hands=4000)
    asked = calibration.Ask(opponent, KNOWN, weights, seed=3, n_worlds=80)
    return calibration.calibrate(decisions, asked, threads)


@pytest.mark.long
def test_rows_do_not_depend_on_the_threads(rows):
    assert ask(3).tobytes() == rows.tobytes()


@pytest.mark.long
def test_a_stop_keeps_what_is_done_without_a_gap(rows):
    stop = threading.Event()
    opponent = parse_policy("simple")
    asked = calibration.Ask(opponent, KNOWN, learn(opponent, RULES, n_hands=4000), 3, 80)

    def stop_after_four(done):
        if done == 4:
            stop.set()

    found = calibration.calibrate(decisions_of_simple(), asked, 2, stop, stop_after_four)
    assert 4 <= len(found) < len(rows)
    assert found.tobytes() == rows[: len(found)].tobytes()


def test_an_oracle_is_perfect_and_uniform_dealing_is_not(rows):
    oracle = rows.copy()
    for row, decision in zip(oracle, decisions_of_simple(), strict=True):
        hands = np.full((4, 20), decision.held)
        row["predicted_undercut"], row["predicted_deadwood"], row["log_score"] = (
            np.array([value] * 3) for value in calibration.predict(decision, hands)[:3]
        )
    for group in reliability.groups_by_draws(oracle):
        assert group.belief.undercut.estimate == group.undercut.estimate
        assert group.belief.deadwood.estimate == group.deadwood.estimate
        assert group.belief.deadwood_excess.half_width == 0
        assert group.belief.log_score.estimate == pytest.approx(math.log(1 - 0.5 / 80))
        assert group.belief.agrees
    (*_, both) = reliability.groups_by_draws(rows)
    assert both.name == "all"
    assert both.positions == both.hands == 25
    assert both.uniform.deadwood_excess.low > 10
    assert abs(both.belief.deadwood_excess.estimate) < 6
    scores = [both.by(method).log_score.estimate for method in ("belief", "learned", "uniform")]
    assert scores == sorted(scores, reverse=True)
    assert len(set(scores)) == 3


def test_groups_by_prediction_hold_every_position_once(rows):
    for place, method in enumerate(("belief", "learned", "uniform")):
        groups = reliability.groups_by_prediction(rows, place)
        assert sum(group.positions for group in groups) == len(rows)
        for group in groups:
            low, high = map(float, group.name.split("-"))
            assert low <= group.by(method).undercut.estimate <= high
