"""The luck of deals and draws: counted by the slow oracle, of mean 0, and rightly subtracted."""

from __future__ import annotations

import json
import math
import random
import re
import sys
from fractions import Fraction
from itertools import combinations
from math import comb
from pathlib import Path

import naive
import numpy as np
import pytest
from scipy import stats

from gin_sim.cards import parse_hand
from gin_sim.contests.match import luck_adjusted_lead, match_of
from gin_sim.errors import InputError
from gin_sim.play import luck, run
from gin_sim.play.luck import (
    FIRST_DRAW,
    MAX_LUCK_HANDS,
    N_CONTROLS,
    N_DRAW_MEASURES,
    N_HANDS,
    N_VALUES,
    VALUE_SUMS,
    control_means,
    hand_values,
)
from gin_sim.play.plans import Plan
from gin_sim.play.record import play_recorded
from gin_sim.play.run import simulate
from gin_sim.policies.catalogue import parse_policy
from gin_sim.rules import parse_rules
from gin_sim.stats.control_variates import DRAWS_A_CONTROL, Half, controlled_mean
from gin_sim.stats.intervals import Moments, mean_estimate

sys.path.insert(0, str(Path(__file__).resolve().parents[2] / "scripts"))

import deal_values

PAIR = ("greedy", "greedy:knock=5")
PAIRINGS = [
    ("greedy", "greedy:knock=5", "standard"),
    ("strong", "simple", "eaai"),
    ("gin-only", "random", "oklahoma"),
    ("greedy:knock=3", "knock-asap", "openspiel"),
]


def plan_of(first, second, hands, rules="standard", **more) -> Plan:
    policies = (parse_policy(first), parse_policy(second))
    return Plan(policies, parse_rules(rules), hands, **{"luck_adjusted": True, **more})


# ------------------------------------------------------------ dealt hands


def values_by_oracle(cards: frozenset[str]) -> tuple[int, int, int]:
    meldable = frozenset().union(*naive.melds_in(cards))
    outs = [
        card
        for card in naive.DECK
        if card not in cards and any(card in meld for meld in naive.melds_in(cards | {card}))
    ]
    return naive.deadwood(cards), len(meldable), len(outs)


@pytest.mark.jitless
@pytest.mark.parametrize(
    ("hand", "values"),
    [
        # Loose 2d 2c 9c Kd; 3h and 8h lengthen the run (the seven is its end too), 7c the set, and
        # 2s and 2h make one.
        ("4h5h6h 7s7h7d 2d2c 9c Kd", (23, 6, 5)),
        # Only the other aces.
        ("As Ah 4d 7c Js", (23, 0, 2)),
        # A run of ten: only its ends.
        ("2s3s4s5s6s7s8s9sTsJs", (0, 10, 2)),
    ],
)
def test_values_of_hands_solved_by_hand(hand, values):
    assert hand_values(parse_hand(hand, sizes=range(12))) == values


def test_values_of_dealt_hands_are_the_oracles(some):
    chance = random.Random(1)
    for _ in range(some(600)):
        cards = frozenset(chance.sample(naive.DECK, 10))
        assert hand_values(parse_hand(" ".join(cards), sizes=[10])) == values_by_oracle(cards)


def hands_where_a_card_melds(card: str, n_others: int) -> int:
    """How many choices of other cards, out of 51, meld with a card: by the cards near it."""
    melds = [meld - {card} for meld in naive.MELDS if card in meld and len(meld) == 3]
    near = frozenset().union(*melds)
    total = 0
    for size in range(len(near) + 1):
        for held in combinations(sorted(near), size):
            if any(meld <= set(held) for meld in melds):
                total += comb(51 - len(near), n_others - size)
    return total


def test_sums_of_meldable_cards_and_outs_are_those_counted_card_by_card():
    assert comb(52, 10) == N_HANDS
    assert VALUE_SUMS[luck.MELDABLE] == sum(
        hands_where_a_card_melds(card, 9) for card in naive.DECK
    )
    assert VALUE_SUMS[luck.OUTS] == sum(hands_where_a_card_melds(card, 10) for card in naive.DECK)


@pytest.mark.long
@pytest.mark.parametrize(
    ("n_ranks", "n_cards"),
    [(3, 6), (4, 4), (5, 3), *(pytest.param(*n, marks=pytest.mark.slow) for n in ((4, 5), (5, 4)))],
)
def test_counting_by_classes_of_suits_is_counting_all_hands(n_ranks, n_cards):
    deck = [card for card in naive.DECK if card[0] in naive.RANKS[:n_ranks]]
    hands = [frozenset(cards) for cards in combinations(deck, n_cards)]
    sums = np.zeros(N_VALUES, np.int64)
    n_hands = deal_values.sum_values(*deal_values.suits_in_order(n_ranks), n_cards, sums)
    assert n_hands == len(hands) == comb(4 * n_ranks, n_cards)
    by_oracle = [values_by_oracle(cards) for cards in hands]
    assert sums.tolist() == [sum(column) for column in zip(*by_oracle, strict=True)]


@pytest.mark.slow
def test_the_sums_over_all_hands():
    sums = np.zeros(N_VALUES, np.int64)
    holdings = deal_values.suits_in_order(deal_values.N_RANKS)
    assert deal_values.sum_values(*holdings, 10, sums) == N_HANDS
    assert tuple(sums.tolist()) == VALUE_SUMS


# ------------------------------------------------------------------ draws


def controls_of(record, rules, leg: int) -> list[int]:
    """A recorded hand's controls but for the first N_VALUES, found by trying every card."""
    found = [0] * N_CONTROLS
    hands = [frozenset(cards) for cards in record.deal]
    values = [values_by_oracle(hand) for hand in hands]
    for i in range(N_VALUES):
        found[N_VALUES + i] = values[leg][i] - values[1 - leg][i]
    stock = set(naive.DECK) - hands[0] - hands[1] - {record.upcard}
    limit = naive.knock_limit(rules, record.upcard)
    own_turn = [0, 0]
    for turn in record.turns:
        if turn.draw == "pass":
            continue
        seat = turn.player
        own_turn[seat] += 1
        hand = hands[seat]
        if turn.draw == "stock":
            other = naive.deadwood(hands[1 - seat])

            n = len(stock)
            scale = 420 // n
            by_turn, by_other = scale * own_turn[seat] // 8, scale * other // 16

            def measures(card, hand=hand, scale=scale, by_turn=by_turn, by_other=by_other):
                left = min(naive.deadwood((hand | {card}) - {x}) for x in hand | {card})
                knock, five, gin = left <= limit, left <= 5, left == 0
                return [
                    scale * left, by_turn * left, scale * min(left, 30), scale * min(left, 20),
                    scale * left * knock, scale * knock, by_other * knock,
                    scale * five, by_other * five, scale * gin, by_other * gin,
                ]  # fmt: skip

            could = [sum(column) for column in zip(*map(measures, stock), strict=True)]
            for i, (did, total) in enumerate(zip(measures(turn.card), could, strict=True)):
                place = FIRST_DRAW + N_DRAW_MEASURES * (seat ^ leg) + i
                found[place] += n * did - total
            stock.remove(turn.card)
        if turn.discard is not None:
            hands[seat] = (hand | {turn.card}) - {turn.discard}
    return found


@pytest.mark.long
@pytest.mark.parametrize("mirrored", [True, False])
@pytest.mark.parametrize(("first", "second", "rules"), PAIRINGS)
def test_a_deals_controls_are_the_oracles(first, second, rules, mirrored):
    plan = plan_of(first, second, 8, rules, seed=2, mirrored=mirrored)
    records = play_recorded(plan.policies, plan.rules, 2, 8, mirrored=mirrored)
    expected = {}
    for record in records:
        sums = expected.setdefault(record.deal_index, np.zeros(N_CONTROLS, np.int64))
        sums += controls_of(record, naive.PRESETS[rules], record.leg)
        dealt = [values_by_oracle(frozenset(cards)) for cards in record.deal]
        sums[:N_VALUES] = [sum(column) for column in zip(*dealt, strict=True)]
    assert len(expected) == plan.n_units
    for deal_index, controls in expected.items():
        found = plan.play(deal_index, 1)[0]
        half = deal_index // 2 % 2
        assert found.controls[half].tolist() == controls.tolist()
        assert not found.controls[1 - half].any()


@pytest.mark.long
def test_a_hand_in_which_the_dealer_takes_the_first_upcard():
    """The one way in which the dealer has the first turn."""
    plan = plan_of("strong", "greedy", 400, seed=3, mirrored=False)
    records = list(play_recorded(plan.policies, plan.rules, 3, 400, mirrored=False))
    first_turns = [[turn.draw for turn in record.turns[:2]] for record in records]
    chosen = [i for i, draws in enumerate(first_turns) if draws == ["pass", "upcard"]][:3]
    assert len(chosen) == 3
    for i in chosen:
        found = plan.play(i, 1)[0].controls[i // 2 % 2]
        expected = controls_of(records[i], naive.STANDARD, 0)
        assert found.tolist()[N_VALUES:] == expected[N_VALUES:]


# ------------------------------------------------------------------- sums


@pytest.mark.jitless
def test_each_half_of_the_deals_has_both_dealers():
    tally = simulate(plan_of("greedy", "simple", 6, mirrored=False), 1).tally[0]
    # Deals 0, 1, 4 and 5; deals 2 and 3.
    assert tally.half_deals.tolist() == [4, 2]
    assert tally.half_leads.sum(axis=0).tolist() == tally.leads.tolist()
    assert tally.half_lead_squares.sum(axis=0).tolist() == tally.lead_squares.tolist()


def test_sums_and_products_are_those_of_the_deals_one_by_one():
    plan = plan_of(*PAIR, 120, seed=4)
    whole = simulate(plan, 1).tally[0]
    deals = [plan.play(i, 1)[0] for i in range(60)]
    for half in range(2):
        mine = [deal for i, deal in enumerate(deals) if i // 2 % 2 == half]
        controls = np.array([deal.controls[half] for deal in mine])
        leads = np.array([deal.leads for deal in mine])
        assert whole.half_deals[half] == len(mine) == 30
        assert whole.half_leads[half].tolist() == leads.sum(axis=0).tolist()
        assert whole.half_lead_squares[half].tolist() == (leads**2).sum(axis=0).tolist()
        assert whole.controls[half].tolist() == controls.sum(axis=0).tolist()
        assert whole.control_products[half].tolist() == np.tril(controls.T @ controls).tolist()
        assert whole.controls_by_lead[half].tolist() == (leads.T @ controls).tolist()


@pytest.mark.parametrize("mirrored", [True, False])
def test_luck_is_tallied_beside_the_same_figures(mirrored):
    plan = plan_of("simple", "greedy", 2000, "oklahoma", seed=5, mirrored=mirrored)
    with_it = simulate(plan).tally
    without = simulate(plan_of("simple", "greedy", 2000, "oklahoma", seed=5, mirrored=mirrored,
                               luck_adjusted=False)).tally  # fmt: skip
    for name in without.dtype.names:
        assert with_it[name].tolist() == without[name].tolist()


@pytest.mark.long
def test_threads_and_chunks_change_nothing(monkeypatch):
    plan = plan_of("greedy", "simple", 400, seed=6)
    whole = simulate(plan, 1)
    for chunk_deals in (1, 7, 150):
        monkeypatch.setattr(run, "CHUNK_UNITS", chunk_deals)
        for threads in (1, 2, 7):
            found = simulate(plan, threads)
            assert found.tally.tobytes() == whole.tally.tobytes()
            assert match_of(found).difference == match_of(whole).difference


@pytest.mark.long
@pytest.mark.parametrize("mirrored", [True, False])
@pytest.mark.parametrize(("first", "second", "rules"), PAIRINGS)
def test_controls_have_the_means_that_they_are_said_to_have(first, second, rules, mirrored, some):
    """Whoever plays, under whatever rules; by four and a half standard errors."""
    tally = simulate(plan_of(first, second, some(60_000), rules, seed=7, mirrored=mirrored)).tally[
        0
    ]
    for half in range(2):
        n = int(tally.half_deals[half])
        for control, mean in enumerate(control_means()):
            sample = Moments(
                n,
                int(tally.controls[half, control]),
                int(tally.control_products[half, control, control]),
            )
            error = math.sqrt(sample.variance / n)
            assert abs(sample.mean - float(mean)) <= 4.5 * error


def test_means_of_dealt_hands_are_of_two_hands():
    means = control_means()
    assert means[0] == Fraction(2 * 894_929_816_444, 15_820_024_220)
    assert 56.5 < means[0] / 2 < 56.6
    assert not any(means[N_VALUES:])


# -------------------------------------------------- the estimate, any sample


def half_of(sample, controls) -> Half:
    """The sums of a sample of whole numbers, and of its controls by column."""
    return Half(
        Moments(len(sample), int(sample.sum()), int((sample**2).sum())),
        controls.sum(axis=0),
        np.tril(controls.T @ controls),
        controls.T @ sample,
    )


def halves_of(sample, controls) -> tuple[Half, Half]:
    return tuple(half_of(sample[i::2], controls[i::2]) for i in range(2))


def drawn(chance, n, skill=40):
    """A sample of mean ``skill`` that two of three controls of mean 7, 0 and 0 explain in part."""
    controls = np.rint(chance.normal((7, 0, 0), (30, 500, 10), (n, 3))).astype(np.int64)
    noise = np.rint(chance.exponential(200, n)).astype(np.int64) - 200
    return skill + 5 * (controls[:, 0] - 7) - controls[:, 1] // 2 + noise, controls


MEANS = [Fraction(7), Fraction(0), Fraction(0)]


def test_the_controlled_mean_agrees_with_least_squares_on_the_samples():
    sample, controls = drawn(np.random.default_rng(1), 400)
    less = np.empty(400)
    for half in range(2):
        fitted = np.column_stack([np.ones(200), controls[1 - half :: 2]])
        weights = np.linalg.lstsq(fitted, sample[1 - half :: 2], rcond=None)[0][1:]
        luck = (controls[half::2] - np.array(MEANS, float)) @ weights
        less[half::2] = sample[half::2] - luck
    error = math.sqrt(sum(less[half::2].var(ddof=1) * 200 for half in range(2))) / 400
    reach = stats.t.ppf(0.975, 398) * error
    found = controlled_mean(halves_of(sample, controls), MEANS)
    assert found.figure.estimate == pytest.approx(less.mean())
    assert found.figure.half_width == pytest.approx(reach)
    assert found.variance_reduction == pytest.approx(sample.var(ddof=1) / 400 / error**2)


def test_a_control_that_explains_everything_leaves_an_interval_of_width_0():
    controls = np.random.default_rng(2).integers(-50, 51, (60, 1))
    found = controlled_mean(halves_of(12 + 4 * controls[:, 0], controls), [Fraction(3)])
    # The mean of 12 + 4 x where x is known to have mean 3.
    assert found.figure.estimate == pytest.approx(24, abs=1e-6)
    assert found.figure.half_width < 1e-6


def test_redundant_or_constant_controls_change_nothing():
    sample, controls = drawn(np.random.default_rng(3), 1000)
    more = np.column_stack([controls, 3 * controls[:, 1], np.full(1000, 4)])
    alone = controlled_mean(halves_of(sample, controls), MEANS)
    found = controlled_mean(halves_of(sample, more), [*MEANS, Fraction(0), Fraction(4)])
    assert found.figure.estimate == pytest.approx(alone.figure.estimate, abs=1e-6)
    assert found.variance_reduction == pytest.approx(alone.variance_reduction, abs=1e-6)


def test_a_sample_that_never_varies():
    controls = np.random.default_rng(4).integers(-50, 51, (100, 2))
    found = controlled_mean(halves_of(np.full(100, 5), controls), [Fraction(0)] * 2)
    assert (found.figure.estimate, found.figure.low, found.figure.high) == (5, 5, 5)
    assert found.variance_reduction is None


def test_too_few_draws():
    sample, controls = drawn(np.random.default_rng(5), 6 * DRAWS_A_CONTROL)
    assert controlled_mean(halves_of(sample, controls), MEANS) is not None
    assert controlled_mean(halves_of(sample[:-1], controls[:-1]), MEANS) is None
    assert controlled_mean(halves_of(sample[:0], controls[:0]), MEANS) is None


@pytest.mark.long
@pytest.mark.parametrize("n", [60, 400])
def test_the_estimate_is_unbiased_and_its_interval_holds(n, some):
    chance = np.random.default_rng(6)
    n_samples = some(3000)
    found = [controlled_mean(halves_of(*drawn(chance, n)), MEANS).figure for _ in range(n_samples)]
    estimates = np.array([one.estimate for one in found])
    assert abs(estimates.mean() - 40) < 3.5 * estimates.std() / math.sqrt(n_samples)
    held = sum(one.low <= 40 <= one.high for one in found) / n_samples
    # Three and a half standard errors; skewed noise and few draws cost as much again.
    chance_error = 3.5 * math.sqrt(0.95 * 0.05 / n_samples)
    assert abs(held - 0.95) < chance_error * (2 if n == 60 else 1)


# ---------------------------------------------------------- the simulation


@pytest.mark.parametrize("objective", ["points", "points+boxes"])
def test_luck_adjusted_figures_of_mirrored_and_plain_play_agree(objective):
    mirrored, plain = (
        match_of(simulate(plan_of(*PAIR, 60_000, seed=8, mirrored=mirrored)))
        for mirrored in (True, False)
    )
    for result in (mirrored, plain):
        raw = result.difference[objective]
        less = raw.luck_adjusted
        ratio = (raw.half_width / less.half_width) ** 2
        assert less.variance_reduction == pytest.approx(ratio, rel=1e-3)
        assert abs(raw.estimate - less.estimate) < raw.half_width
    near, far = (result.difference[objective].luck_adjusted for result in (mirrored, plain))
    assert abs(near.estimate - far.estimate) < near.half_width + far.half_width
    # Plain deals hold luck of the deal and the draws, pairs that of draws that one leg sees.
    assert far.variance_reduction > 1.6
    assert near.variance_reduction > 1.12


def test_mirroring_and_luck_adjustment_need_3_5_times_fewer_hands():
    result = match_of(simulate(plan_of(*PAIR, 100_000, seed=9)))
    for found in result.difference.values():
        assert found.variance_reduction * found.luck_adjusted.variance_reduction > 3.5


def test_the_dealt_hands_alone_pay_in_plain_deals_only():
    """As docs/explain/variance-reduction.md says."""
    for mirrored, least, most in ((True, 0.99, 1.04), (False, 1.08, 1.2)):
        tally = simulate(plan_of(*PAIR, 100_000, seed=9, mirrored=mirrored)).tally[0]
        dealt = luck_adjusted_lead(tally, "points", slice(0, FIRST_DRAW))
        assert least < dealt.variance_reduction < most


@pytest.mark.long
def test_luck_adjusted_plain_self_play_spans_zero(some):
    """The true difference is 0: each of 200 intervals holds it but for about ten."""
    n = some(200)
    least = 0.95 - 3.5 * math.sqrt(0.95 * 0.05 / n)
    found = [
        match_of(simulate(plan_of("greedy", "greedy", 2000, seed=seed, mirrored=False)))
        for seed in range(n)
    ]
    for objective in ("points", "points+boxes"):
        figures = [result.difference[objective].luck_adjusted for result in found]
        assert sum(one.spans_zero for one in figures) / n > least
        estimates = np.array([one.estimate for one in figures])
        assert abs(estimates.mean()) < 3.5 * estimates.std() / math.sqrt(n)


def test_mirrored_self_play_is_level_to_the_point():
    result = match_of(simulate(plan_of("greedy", "greedy", 4000)))
    for found in (figure.luck_adjusted for figure in result.difference.values()):
        assert (found.estimate, found.low, found.high) == (0, 0, 0)
        assert found.variance_reduction is None


def test_exchanging_the_sides_turns_the_sign():
    one, other = (
        match_of(simulate(plan_of(*sides, 4000, seed=10))) for sides in (PAIR, PAIR[::-1])
    )
    for objective, difference in one.difference.items():
        found, against = difference.luck_adjusted, other.difference[objective].luck_adjusted
        assert found.estimate == pytest.approx(-against.estimate, abs=1e-6)
        assert found.variance_reduction == pytest.approx(against.variance_reduction, abs=1e-6)


def test_the_verdict_and_the_table_rest_on_what_is_left():
    result = match_of(simulate(plan_of(*PAIR, 20_000, seed=11)))
    adjusted = result.difference["points"].luck_adjusted
    assert f"scores more, by {abs(adjusted.estimate):.2f} " in result.verdict
    table = result.table("difference")
    assert table.luck_adjusted_estimate[0] == adjusted.estimate
    assert table.luck_adjusted_low[0] == adjusted.low
    assert table.luck_adjusted_variance_reduction[0] == adjusted.variance_reduction


def test_too_many_hands_to_adjust_for_luck_are_refused():
    assert plan_of(*PAIR, MAX_LUCK_HANDS).hands == MAX_LUCK_HANDS
    with pytest.raises(InputError, match=r"^1,000,000,002 hands are too many to adjust for luck"):
        plan_of(*PAIR, MAX_LUCK_HANDS + 2)
    assert plan_of(*PAIR, MAX_LUCK_HANDS + 2, luck_adjusted=False)


# ------------------------------------------------------------ command line


def test_the_command_prints_both(run):
    code, out, _ = run("simulate", *PAIR, "--hands", "2e4", "--luck-adjusted")
    assert code == 0
    lines = out.splitlines()
    figure = r"[+-]\d\.\d{3} points per hand   \[[+-]\d\.\d{3}, [+-]\d\.\d{3}\]"
    adjusted = "    luck-adjusted"
    starts = ["  greedy - greedy:knock=5   ", adjusted, "  with boxes", adjusted]
    for line, start in zip(lines[14:18], starts, strict=True):
        assert line.startswith(start)
        assert re.search(f"   {figure}$", line)
    assert len({len(line) for line in lines[14:18]}) == 1
    assert " · mirroring needed 3." in lines[-1]
    assert " times fewer hands · the luck adjustment needed 1." in lines[-1]
    assert lines[-1].endswith(" times fewer than plain deals")


def test_the_footer_of_plain_deals_names_the_luck_adjustment_alone(run):
    _, out, _ = run("simulate", *PAIR, "--hands", "2e4", "--luck-adjusted", "--no-mirrored")
    assert "mirroring" not in out
    assert out.rstrip().endswith(" times fewer hands")
    assert " · the luck adjustment needed 1." in out


def test_json_has_the_same_figures(run):
    arguments = ("simulate", *PAIR, "--hands", "2e4", "--seed", "3", "--json")
    _, out, _ = run(*arguments, "--luck-adjusted")
    found = json.loads(out)
    result = match_of(simulate(plan_of(*PAIR, 20_000, seed=3)))
    for objective, difference in result.difference.items():
        adjusted = difference.luck_adjusted
        assert found["difference"][objective]["luck_adjusted"] == {
            "estimate": adjusted.estimate,
            "low": adjusted.low,
            "high": adjusted.high,
            "variance_reduction": adjusted.variance_reduction,
        }
    plain = json.loads(run(*arguments)[1])
    assert (found["luck_adjusted"], plain["luck_adjusted"]) == (True, False)
    for one in (found, plain):
        for name in ("seconds", "verdict", "command", "luck_adjusted"):
            one.pop(name)
        for difference in one["difference"].values():
            difference.pop("luck_adjusted")
    assert found == plain


def test_too_few_deals_are_said_to_be(run):
    _, out, _ = run("simulate", *PAIR, "--hands", "100", "--luck-adjusted")
    assert out.rstrip().endswith(" · too few deals for the luck adjustment")
    assert "luck-adjusted" not in out
    _, out, _ = run("simulate", *PAIR, "--hands", "100", "--luck-adjusted", "--json")
    assert json.loads(out)["difference"]["points"]["luck_adjusted"] is None


def test_games_are_not_luck_adjusted(run):
    code, out, err = run("simulate", *PAIR, "--games", "20", "--luck-adjusted")
    assert (code, out) == (2, "")
    assert err.startswith("Error: --luck-adjusted weighs the luck of single hands, and --games 20")


def test_more_hands_than_the_sums_can_hold(run):
    code, out, err = run("simulate", *PAIR, "--hands", "2e9", "--luck-adjusted")
    assert (code, out) == (2, "")
    assert err == (
        "Error: 2,000,000,000 hands are too many to adjust for luck: ask for 1,000,000,000 "
        "at most, or do not adjust for luck."
    )


def test_mean_estimate_without_controls_is_the_plain_one():
    """With nothing to subtract only the degrees of freedom differ."""
    sample = np.random.default_rng(12).integers(-40, 41, 200)
    none = np.zeros((200, 0), np.int64)
    found = controlled_mean(halves_of(sample, none), []).figure
    plain = mean_estimate(half_of(sample, none).sample)
    assert found.estimate == pytest.approx(plain.estimate)
    assert found.half_width == pytest.approx(plain.half_width, rel=0.01)
