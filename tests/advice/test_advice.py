"""Advice on positions: exact where the rest of a hand can be enumerated, and sane where it cannot.

The slow reference plays both sides of ``greedy`` out of what its docstrings say, by the oracle's
deadwood and settlement.
"""

from __future__ import annotations

import itertools
import math

import msgspec
import naive
import numpy as np
import pytest

from gin_sim.advice.actions import action_text
from gin_sim.advice.advise import sampler_for
from gin_sim.advice.alternatives import (
    Bonuses,
    knock_rules,
    other_bonuses,
    prices_by_score,
    repriced,
)
from gin_sim.advice.answer import chains_disagree
from gin_sim.advice.contest import WORLDS_A_BLOCK, Question
from gin_sim.advice.explanation import _gin_chances
from gin_sim.advice.objectives import prices_of
from gin_sim.advice.playouts import Results, chain_estimate
from gin_sim.api.positions import advise
from gin_sim.belief.deviation import KNOWN
from gin_sim.belief.sampler import Agreement
from gin_sim.cards import cards_of, mask_of, parse_card, parse_cards
from gin_sim.errors import InputError
from gin_sim.payoff.equity_cache import equity_between
from gin_sim.payoff.score import State
from gin_sim.play.actions import (
    DISCARD,
    END_NAMES,
    KNOCK,
    LOST_BY_UNDERCUT,
    WON_BY_BIG_GIN,
    WON_BY_GIN,
    WON_BY_KNOCK,
    Action,
)
from gin_sim.policies.catalogue import parse_policy
from gin_sim.positions import parse_position, position_of_record
from gin_sim.records import read_records
from gin_sim.results.actions import CLOSE
from gin_sim.rules import parse_rules

GREEDY = {"against": "greedy", "play": "greedy", "panel": ()}


def blocks(n: int) -> int:
    return n * WORLDS_A_BLOCK


def by_text(advice) -> dict:
    return {value.action: value for value in advice.actions}


# ------------------------------------------------- the opponent's hand is pinned

#: It took the first upcard and nine of my discards, and discarded its own ten cards: the pile is
#: those.
THEIRS = ["Js", "Jh", "Jd", "6h", "7h", "8h", "2s", "3s", "Ks", "4d"]
PINNED = {
    "first": "Js",
    "history": "u/Qs s/Jh u/Qh s/Jd u/Qd s/6h u/Qc s/7h u/Ts s/8h u/Th s/2s u/Td s/3s u/Tc s/Ks "
    "u/Kh s/4d u/Kc s",
}
MINE = ["5s", "6s", "7s", "9h", "9d", "9c", "Ac", "2d", "3h", "4c", "Kd"]
PILE = ["Qs", "Qh", "Qd", "Qc", "Ts", "Th", "Td", "Tc", "Kh", "Kc"]


def pinned(floor: int):
    """With 21 cards in the stock, and a hand that ends when ``floor`` are left."""
    return parse_position(" ".join(MINE), **PINNED, rules=f"standard:stock_floor={floor}")


def greedy_discarding(cards, barred):
    """Least deadwood; of those the highest rank, then the first suit."""
    _, best = naive.best_discards(cards, barred)
    return min(best, key=lambda card: (-naive.RANKS.index(card[0]), naive.SUITS.index(card[1])))


def slow_points(discarded: str, drawn: tuple[str, ...]) -> int:
    """My points when I play on: both play greedy, and these cards come off the stock in turn."""
    hands = [frozenset(MINE) - {discarded}, frozenset(THEIRS)]
    upcard, stock, mover = discarded, list(drawn), 1
    while True:
        hand = hands[mover]
        with_it = naive.best_discards(hand | {upcard}, upcard)[0]
        barred = upcard if with_it < naive.deadwood(hand) else None
        card = upcard if barred else stock.pop(0)
        assert naive.deadwood(hand | {card}) > 0, "no big gin comes up here"
        upcard = greedy_discarding(hand | {card}, barred)
        hands[mover] = hand | {card}
        hands[mover] -= {upcard}
        if naive.deadwood(hands[mover]) <= 10:
            end = naive.settle(hands[mover], hands[1 - mover], naive.STANDARD)
            points = end.knocker_points - end.defender_points
            return points if mover == 0 else -points
        if not stock:
            return 0
        mover = 1 - mover


def unseen_cards():
    return [card for card in naive.DECK if card not in {*MINE, *THEIRS, *PILE}]


@pytest.mark.long
def test_a_knock_against_a_known_hand_is_exact():
    """19 left after no layoffs against my 10: 9 points, in every world."""
    assert naive.deadwood(THEIRS) == 19
    end = naive.settle(frozenset(MINE) - {"Kd"}, THEIRS, naive.STANDARD)
    found = by_text(advise(pinned(19), **GREEDY, worlds=blocks(1)))["knock, discard Kd"]
    assert (found.value.estimate, found.value.low, found.value.high) == (
        end.knocker_points - end.defender_points,
    ) * 3
    assert found.ends.won_by_a_knock_rate == 1


@pytest.mark.long
@pytest.mark.parametrize(("floor", "n_drawn"), [(20, 1), (19, 2)])
def test_playing_on_against_a_known_hand_is_the_mean_over_all_orders_of_the_stock(floor, n_drawn):
    orders = list(itertools.permutations(unseen_cards(), n_drawn))
    assert len(orders) == math.perm(21, n_drawn)
    advice = advise(pinned(floor), **GREEDY, worlds=blocks(20))
    playing_on = [value for value in advice.actions if value.finalist and value.kind == "play on"]
    assert playing_on
    for value in playing_on:
        exact = float(np.mean([slow_points(value.card, order) for order in orders]))
        assert value.value.half_width < 0.5
        assert abs(value.value.estimate - exact) <= 2 * value.value.half_width


def test_a_known_hand_leaves_nothing_to_guess():
    advice = advise(pinned(19), **GREEDY, worlds=blocks(1))
    assert advice.reasons.opponent_deadwood.estimate == 19
    assert advice.reasons.opponent_may_knock_chance.estimate == 0
    assert advice.reasons.undercut_chance.estimate == 0
    assert not advice.belief.chains_disagree


# ------------------------------------------------------------ what has to be so

#: Discarding the nine is gin; discarding the king leaves nine.
GIN_OR_KNOCK = parse_position(
    "As Ad Ah 2c 3c 4c Th Jh Qh 9c Kh", first="5s", history="p p s/5h s/Js s"
)


def test_gin_is_never_worse_than_a_knock_in_any_world():
    """The defender keeps at least as much, lays nothing off, and cannot undercut."""
    greedy = parse_policy("greedy")
    position = GIN_OR_KNOCK
    sampler = sampler_for(position, greedy, KNOWN, 1, 2)
    question = Question(sampler, (greedy, greedy), prices_of("points", position), 1, 2)
    cards = parse_card("9c"), parse_card("Kh")
    results, _ = question.playouts.play([Action(KNOCK, card) for card in cards], 20, 2)
    gin, knock = results.points[..., 0], results.points[..., 1]
    assert (gin >= knock + 25).all()
    assert (results.ends[..., 0] == WON_BY_GIN).all()


def test_gin_is_what_is_advised():
    advice = advise(GIN_OR_KNOCK, **GREEDY, worlds=blocks(1))
    assert advice.verdict.action == "knock, discard 9c"
    assert advice.verdict.answer == "gin"
    knock = by_text(advice)["knock, discard Kh"]
    assert knock.deadwood == 9
    assert knock.difference.high < -25


@pytest.mark.long
def test_a_knock_at_99_50_can_lose():
    position = parse_position(
        "5c 6c 7c Td Ts Th Ah 2d 3s 4d Kh",
        first="Qs",
        history="u/9d s/Kd s/8s s/Jc u/7d s/9h s/Jd s",
        score="99-50",
    )
    knock = by_text(advise(position, against="strong", panel=(), worlds=blocks(2)))[
        "knock, discard Kh"
    ]
    assert knock.deadwood == 10
    assert knock.ends.lost_by_an_undercut_rate > 0.01


@pytest.mark.slow
def test_a_knock_at_99_50_can_lose_the_game():
    position = parse_position(
        "5c 6c 7c Td Ts Th Ah 2d 3s 4d Kh",
        first="Qs",
        history="u/9d s/Kd s/8s s/Jc u/7d s/9h s/Jd s",
        score="99-50",
        boxes="5-3",
    )
    advice = advise(position, against="strong", objective="win", panel=(), worlds=blocks(8))
    knock = by_text(advice)["knock, discard Kh"]
    assert 0.5 < knock.value.high < 1
    names = [variant.name.partition(" with boxes ")[0] for variant in advice.scores]
    assert names == ["0-0", "90-0", "0-90", "90-90"]


#: Two labels published for 0-0, bonuses of 25 and a patient opponent: by how much, about 5 points.
LABELLED = [
    ("AsAdAh 2c3c4c ThJhQh 9c Kd", "play on"),
    ("5s5d5h 8c9cTc Ac2d3h3s Kd", "knock"),
]
PATIENT = ("strong:knock=0", "simple:knock=10/10/10/0")


@pytest.mark.long
@pytest.mark.parametrize("opponent", PATIENT)
@pytest.mark.parametrize(("hand", "answer"), LABELLED)
def test_published_labels_of_openings(hand, answer, opponent):
    position = parse_position(hand, first="7h", history="p p s")
    advice = advise(position, against=opponent, panel=(), worlds=blocks(4))
    assert advice.verdict.answer == answer
    assert 1 < advice.verdict.margin.low < advice.verdict.margin.high < 13


MIDDLE = {
    "hand": "6h Ah 9s 3d 9d 9h Ad 4d 2s 3s 3h",
    "first": "8d",
    "history": "u/Qd s/Kc sQh/Qh s/Th s4d/Jc s/Qc s2s/8d s/8s sKd/Kd s/Td s3s/8c s/Kh s3h",
}


def plain(advice):
    return msgspec.structs.replace(advice, seconds={})


@pytest.mark.long
def test_the_same_seed_gives_the_same_answer_whatever_the_threads():
    position = parse_position(**MIDDLE)
    found = [
        plain(advise(position, against="simple", panel=(), worlds=blocks(2), threads=threads))
        for threads in (1, 2, 3)
    ]
    assert found[0] == found[1] == found[2]
    other = plain(advise(position, against="simple", panel=(), worlds=blocks(2), seed=2))
    assert other.verdict.margin != found[0].verdict.margin


@pytest.mark.long
def test_turning_the_suits_changes_values_only_within_the_intervals():
    turned = str.maketrans("shdc", "hdcs")
    other = {
        "hand": MIDDLE["hand"].translate(turned),
        "first": MIDDLE["first"].translate(turned),
        "history": " ".join(_turned(token, turned) for token in MIDDLE["history"].split()),
    }
    one, two = (
        advise(parse_position(**fields), against="simple", panel=(), worlds=blocks(4))
        for fields in (MIDDLE, other)
    )
    a, b = one.verdict.margin, two.verdict.margin
    assert one.verdict.action.partition(",")[0] == two.verdict.action.partition(",")[0]
    assert abs(a.estimate - b.estimate) <= a.half_width + b.half_width
    a, b = one.reasons.opponent_deadwood, two.reasons.opponent_deadwood
    assert abs(a.estimate - b.estimate) <= a.half_width + b.half_width


def _turned(token: str, turned) -> str:
    """A token's first letter is what was done, not a suit."""
    return token[0] + token[1:].translate(turned)


@pytest.mark.long
def test_a_position_of_a_record_is_the_typed_one():
    _, record = next(iter(read_records("tests/data/hands-standard.jsonl")))
    recorded = position_of_record(record, 0, 4)
    typed = parse_position(**recorded.as_dict())
    found = [
        plain(advise(p, against="simple", panel=(), worlds=blocks(1))) for p in (recorded, typed)
    ]
    assert found[0] == found[1]


@pytest.mark.long
def test_precision_is_reached():
    advice = advise(parse_position(**MIDDLE), against="simple", panel=(), precision=3.0, time=600)
    assert advice.is_precise
    assert not advice.partial
    assert advice.verdict.margin.half_width <= 3


# --------------------------------------------------------------- before the draw


def test_a_card_that_makes_gin_is_taken():
    position = parse_position("As Ad Ah 2c 3c 4c Th Jh Qh 8d", first="Kh")
    advice = advise(position, **GREEDY, worlds=blocks(1))
    assert advice.verdict.answer == "take"
    assert {value.action for value in advice.actions} == {
        "take the upcard",
        "leave the upcard",
    }


def test_a_single_legal_action_has_no_margin():
    position = parse_position("As Ad Ah 2c 3c 4c Th Jh Qh 8d", first="Kc", history="p p")
    advice = advise(position, **GREEDY, worlds=blocks(1))
    assert advice.verdict.margin is None
    assert advice.verdict.answer == "leave"
    assert advice.actions[0].chance_best == 1
    assert advice.is_precise


# ------------------------------------------------------------------- statistics


def test_interval_of_a_mean_of_chains():
    """Means 1, 2, 3, 6: mean 3, deviation sqrt(14/3), t of 3 degrees 3.18245."""
    found = chain_estimate(np.array([1.0, 2.0, 3.0, 6.0]))
    assert found.estimate == 3
    assert found.half_width == pytest.approx(3.18245 * math.sqrt(14 / 3) / 2, rel=1e-5)
    # Two claims at once: each at 97.5%, 4.17653 (Student's table).
    both = chain_estimate(np.array([1.0, 2.0, 3.0, 6.0]), 2)
    assert both.half_width == pytest.approx(4.17653 * math.sqrt(14 / 3) / 2, rel=1e-5)


def test_one_chain_has_no_interval():
    assert chain_estimate(np.array([4.0])).spans_zero
    assert chain_estimate(np.array([4.0])).estimate == 4


class _Given(Question):
    """A question with finalists of given kinds whose values are given."""

    def __init__(self, actions, values):
        self.position = parse_position(**MIDDLE)
        self.actions = actions
        self.finalists = list(range(len(actions)))
        self._values = np.asarray(values, float)

    def values(self):
        return self._values


def question_of(actions, means, spread=0.1):
    """Four chains whose means deviate from the given ones by turns."""
    sign = np.array([1, -1, 1, -1])[:, None] * np.array([1, -1, 0.5, -0.5])[: len(means)]
    return _Given(actions, np.array(means)[None, :] + spread * sign)


DISCARDS = [Action(DISCARD, card) for card in range(3)]
KNOCKS = [Action(KNOCK, card) for card in range(2)]


def test_a_verdict_compares_the_best_of_each_kind():
    question = question_of([KNOCKS[0], *DISCARDS], [5.0, 7.0, 9.0, 1.0])
    verdict = question.verdict()
    assert (verdict.answer, verdict.action) == ("play on", action_text(DISCARDS[1]))
    assert verdict.margin.estimate == pytest.approx(4)
    assert question.n_pairs == 3  # one knock with each of three discards


def test_a_verdict_among_discards_compares_the_two_best():
    question = question_of(DISCARDS, [5.0, 7.0, 1.0])
    verdict = question.verdict()
    assert (verdict.answer, verdict.action) == ("discard", action_text(DISCARDS[1]))
    assert verdict.margin.estimate == pytest.approx(2)
    assert question.n_pairs == 3


def test_an_interval_that_spans_zero_is_too_close_to_call():
    question = question_of([KNOCKS[0], DISCARDS[0]], [5.0, 5.1], spread=1.0)
    assert question.verdict().answer == CLOSE
    assert question.n_pairs == 1


def test_other_values_of_the_same_hands_may_change_the_verdict():
    question = question_of([KNOCKS[0], DISCARDS[0]], [5.0, 9.0])
    assert question.verdict().answer == "play on"
    assert question.verdict(question.values()[:, ::-1]).answer == "knock"


def test_chains_disagree_by_the_stated_rule():
    def disagree(ratio, effective, n_unconverged=0):
        return chains_disagree(Agreement(effective, ratio), n_unconverged)

    assert not disagree(1.0, 5000)
    assert not disagree(4.0, 600)  # far apart, but long enough for the interval to know it
    assert not disagree(1.2, 90)  # few, but as independent as they look
    assert disagree(2.0, 90)
    assert disagree(1.0, 5000, n_unconverged=1)


def test_effective_worlds_are_counted_by_world():
    """Independent worlds of a pinned hand: as many as there are, but for chance."""
    greedy = parse_policy("greedy")
    position = pinned(19)
    sampler = sampler_for(position, greedy, KNOWN, 3, 2)
    question = Question(sampler, (greedy, greedy), prices_of("points", position), 3, 2)
    for _ in range(4):
        question.play_block()
    found = question.agreement()
    assert 0.5 < found.ratio < 1.6
    assert found.effective > question.hands.size / 3
    assert question.hands.size == 1600


@pytest.mark.long
def test_actions_played_no_further_are_measured_from_the_best_of_their_kind():
    advice = advise(parse_position(**MIDDLE), against="simple", panel=(), worlds=blocks(2))
    dropped = [value for value in advice.actions if not value.finalist]
    assert dropped
    best = {}
    for value in advice.actions:
        if value.finalist:
            best.setdefault(value.kind, value)
    for value in dropped:
        leader = best[value.kind]
        assert value.chance_best is None
        assert value.playouts in (16 * 10 * 2, 16 * 30 * 4)
        lack = value.value.estimate - leader.value.estimate
        assert lack < 0
        assert value.difference.estimate == pytest.approx(leader.difference.estimate + lack)
    table = advice.table()
    assert list(table["finalist"]) == sorted(table["finalist"], reverse=True)
    assert table.filter(like="_rate").sum(axis=1).to_numpy() == pytest.approx(1, abs=1e-5)
    assert table["chance_best"].sum() == pytest.approx(1)
    assert len(table.filter(like="_rate").columns) == len(END_NAMES)


@pytest.mark.slow
def test_intervals_hold_the_long_run_margin():
    """Of 40 seeds about two may miss; more than six would come once in a thousand times."""
    position = parse_position(**MIDDLE)

    def knock_less_discard(n: int, seed: int):
        advice = advise(position, against="simple", panel=(), worlds=blocks(n), seed=seed)
        margin = advice.verdict.margin
        return margin if advice.verdict.action.startswith("knock") else margin.negated()

    long = knock_less_discard(120, 1000)
    found = [knock_less_discard(4, seed) for seed in range(1, 41)]
    near = long.half_width
    missed = sum(not (f.low - near <= long.estimate <= f.high + near) for f in found)
    assert missed <= 6


# ----------------------------------------------------------------------- prices


def test_points_with_a_box_for_a_hand_won():
    position = parse_position(**MIDDLE)
    points, boxed = (prices_of(name, position) for name in ("points", "points+boxes"))
    assert points[:, 30].tolist() == [30, -30, 0]
    assert boxed[:, 30].tolist() == [55, -55, 0]


def test_other_bonuses_reprice_the_same_hands():
    """30 for gin with 25 in it is 25 with 20; an undercut of 27 is 12 with 10 for it."""
    position = parse_position(**MIDDLE)
    ends = np.array([WON_BY_GIN, LOST_BY_UNDERCUT, WON_BY_KNOCK, WON_BY_BIG_GIN], np.int8)
    played = Results(np.array([30, -27, 12, 40], np.int16), ends)
    again = repriced(played, position, Bonuses(20, 10, 0))
    assert again.points.tolist() == [25, -12, 12, 35]


def test_bonuses_that_the_objective_counts_are_left_out():
    standard = parse_rules("standard")
    assert Bonuses(25, 25, 0) not in other_bonuses(standard, "points")
    assert Bonuses(25, 25, 0) in other_bonuses(standard, "points+boxes")
    assert Bonuses(25, 25, 25) not in other_bonuses(standard, "points+boxes")
    assert Bonuses(25, 25, 0) in other_bonuses(parse_rules("eaai:gin_bonus=20"), "points")


def test_the_panel_is_the_opponent_with_other_knock_rules():
    assert [policy.spec for policy in knock_rules(parse_policy("simple"))] == [
        "simple:knock=10/10/10/0",
        "simple:knock=0",
    ]
    assert knock_rules(parse_policy("random")) == ()


# ------------------------------------------------------------------- what is refused


@pytest.mark.parametrize(
    ("changed", "words"),
    [
        ({"objective": "luck"}, "no objective is called 'luck'"),
        ({"against": "gready"}, "no policy is called 'gready'"),
        ({"precision": 0}, "precision is 0"),
        ({"precision": math.nan}, "precision is nan"),
        ({"time": -1}, "time is -1 s"),
        ({"worlds": 0}, "sampled deals are none"),
    ],
)
def test_options_out_of_range_are_refused(changed, words):
    with pytest.raises(InputError, match=words):
        advise(GIN_OR_KNOCK, **{**GREEDY, **changed})


def test_hands_of_the_opponent_fit_what_was_seen():
    """Every sampled hand of a position: ten cards, the taken one among them, none of mine."""
    position = parse_position(
        "5c 6c 7c Td Ts Th Ah 2d 3s 4d Kh", first="Qs", history="u/9d s/Kd u/8s s"
    )
    simple = parse_policy("simple")
    sampler = sampler_for(position, simple, KNOWN, 1, 2)
    hands = sampler.hands(sampler.more(5)).ravel().tolist()
    mine = mask_of(parse_cards("5c6c7cTdTsThAh2d3s4dKh"))
    for hand in hands:
        assert hand.bit_count() == 10
        assert not hand & mine
        assert hand >> parse_card("Qs") & 1
        assert hand >> parse_card("Kd") & 1


# ------------------------------------------------- prices of the same hands


@pytest.mark.parametrize("rules", ["eaai", "palace", "standard"])
def test_a_result_is_worth_what_the_game_is_worth_after_it(rules):
    preset = parse_rules(rules)
    greedy = parse_policy("greedy")
    equity = equity_between(greedy, greedy, preset, hands=20_000, keep=False)
    box = preset.box_bonus if preset.boxes_count_at_once else 0
    difference = 1 if preset.box_bonus and not box else 0
    for n_acts in (1, 2):  # the non-dealer has passed; both have
        position = parse_position(
            "7s 7h 7d 4h 5h 6h 2c 2d As 9c" + (" Kd" if n_acts == 2 else ""),
            first="9h",
            history=" ".join(["p"] * n_acts),
            score=(20, 0),
            rules=rules,
        )
        dealer = 0 if n_acts == 1 else 1  # side 0 is the player
        prices = prices_of("win", position, equity)
        state = State(20 + box, 0, difference)
        for winner, points in ((0, 30), (1, 30), (0, 90), (2, 0)):
            expected = equity.after(state, dealer, winner, points, "score")
            assert prices[winner, points] == pytest.approx(expected)


def test_chance_to_draw_gin_by_counting():
    # The opponent's hand is known, so that the unseen cards are the stock; two of them are outs.
    position = parse_position(" ".join(MINE), **PINNED, rules="standard:stock_floor=0")
    stock = position.seen.unseen.bit_count() - position.seen.n_hidden
    outs = tuple(cards_of(position.seen.unseen)[:2])
    hands = np.zeros((2, 3), np.int64)  # none of the unseen cards is the opponent's
    found = _gin_chances(position, hands, outs)
    missed = [
        math.comb(position.seen.unseen.bit_count() - 2, n)
        / math.comb(position.seen.unseen.bit_count(), n)
        for n in (1, 2, 3)
    ]
    assert stock == position.seen.unseen.bit_count()
    assert found == pytest.approx([1 - miss for miss in missed])


@pytest.mark.parametrize(
    ("spec", "names"),
    [
        ("straight:target=40", ["0-0", "30-0", "0-30", "30-30"]),
        ("straight:target=30", ["0-0"]),  # 20 is less than a hand pays
        ("palace:target=60,box_bonus=20", ["0-0", "30-0", "0-30", "30-30"]),
    ],
)
def test_other_scores_are_scores_that_hands_make(spec, names):
    greedy = parse_policy("greedy")
    equity = equity_between(greedy, greedy, parse_rules(spec), hands=2000, keep=False)
    position = parse_position(" ".join(MINE), **PINNED, rules=spec)
    prices = prices_by_score("win", position, equity)
    assert [name.partition(" with boxes ")[0] for name, _ in prices] == names
