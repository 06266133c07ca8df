"""What a hand is worth for the game, and knock rules solved for it: by hand and against play.

The equity table itself is test_equity.py's business, and what is printed test_cli_scores.py's.
"""

from __future__ import annotations

import itertools
import json
import math
from dataclasses import replace
from functools import cache
from pathlib import Path

import numpy as np
import pytest
from traced_by_hand import trace_of

from gin_sim.errors import InputError
from gin_sim.knock.best_response import own_values, solve, values_of
from gin_sim.knock.cells import CLASSES, Cells, paths_of
from gin_sim.knock.equilibrium import equilibrium
from gin_sim.knock.results import several_scores_of
from gin_sim.knock.self_consistent import MOST_ROUNDS, iterate
from gin_sim.knock.several_scores import ByScore, trace_keys, usual_states
from gin_sim.knock.tracing import trace
from gin_sim.knock.validation import left_out, solved_policy, table_text
from gin_sim.payoff.equity import Equity, Results
from gin_sim.payoff.payoff import GRAIN, PriceTable, exact_table
from gin_sim.payoff.score import EITHER, State, box_range, standing_of
from gin_sim.play.hand_results import GROUPS, ResultsPlan
from gin_sim.play.knock_trace import END, TracePlan
from gin_sim.play.pairings import PairingsPlan
from gin_sim.play.run import simulate
from gin_sim.play.start import GameStart
from gin_sim.policies.catalogue import parse_policy
from gin_sim.policies.shipped.knock_table import knock_text
from gin_sim.policies.specs import read_spec
from gin_sim.report.text.several_scores import verdicts
from gin_sim.rules import parse_rules

DEALS, SEED = 1000, 5
NOBODY = 2


@cache
def policy_of(spec, knock=None):
    return parse_policy(spec if knock is None else read_spec(spec).changed({"knock": knock}))


@cache
def equity_between(play, against, rules, hands=4000):
    plan = ResultsPlan((policy_of(play), policy_of(against)), parse_rules(rules), hands, 3)
    return Equity(Results(plan, np.array(simulate(plan).tally[0].counts), hands))


def equity_by_hand(rules, ends):
    """The equity of hands that end as said: how often by (winner, points), whoever deals."""
    plan = ResultsPlan((policy_of("greedy"), policy_of("greedy")), parse_rules(rules), 1000)
    counts = plan.new_tally().counts[0]
    for (winner, points), n in ends.items():
        counts[:GROUPS, :, :, winner, points] = n
    return Equity(Results(plan, counts, 1000))


def traced_by_hand(rules, paths, ends, stops=True):
    """Knocks as dicts for each path, and the points of its end."""
    policies = (policy_of("greedy"), policy_of("greedy"))
    plan = TracePlan(policies, parse_rules(rules), len(ends), 1, stops)
    return trace_of(plan, paths, ends)


# --------------------------------------------------------------------------- solved by hand


def test_a_small_knock_that_ends_the_game_is_made_for_the_game_alone():
    """To 10 without boxes; every later hand is won by 10, by either side as often.

    A knock scores 5.  Going on scores 30 in three of four hands and loses 10 in one, 20 points in
    the mean: for points it is 15 better.  At 5-5 each of these ends the game: the knock wins it,
    going on wins it in three of four, so that the knock gains 25 %.  At 0-0 the knock leads to 5-0,
    where the next hand decides, 50 %, and going on wins in three of four: it is 25 % better.
    """
    equity = equity_by_hand("eaai:target=10", {(0, 10): 1, (1, 10): 1})
    numbers = range(800)
    paths = [[{"turn": 1, "deadwood": 8, "points": 5, "won": 1}] for _ in numbers]
    traced = traced_by_hand(
        "eaai:target=10", paths, [30 if number >> 3 & 3 else -10 for number in numbers]
    )

    def solved(prices):
        found = solve(traced, CLASSES["none"], prices)
        return found.chart[0][0][7].gain.estimate, bool(found.rule[0, 0, 8]), found.value.estimate

    assert solved(PriceTable.of_points(parse_rules("eaai:target=10"))) == (-15.0, False, 20.0)
    assert solved(PriceTable.of_game(equity, State(5, 5))) == (25.0, True, 100.0)
    assert solved(PriceTable.of_game(equity, State(0, 0))) == (-25.0, False, 75.0)


def test_with_boxes_the_knock_that_ends_the_game_can_lose_it():
    """To 10 with boxes of 25 at the end; every later hand is won by 10, by either as often.

    At 8-8 and two boxes behind, the knock for 5 ends it 13 + 25 to 8 + 75: lost.  Going on for
    30 in half of the hands ends it likewise, and so does losing: nothing wins, all are worth 0.
    Level in boxes the knock wins 13 + 25 to 8 + 25 and more; of the others half.
    """
    equity = equity_by_hand("standard:target=10", {(0, 10): 1, (1, 10): 1})
    behind = PriceTable.of_game(equity, State(8, 8, -2))
    level = PriceTable.of_game(equity, State(8, 8, 0))
    assert behind.table[0, 0, 5] == 0
    assert level.table[0, 0, 5] == 100
    assert level.table[1, 1, 5] == 0
    assert level.table[0, NOBODY, 0] == 50


def test_who_deals_the_traced_hand_is_seen_by_its_number():
    """The winner deals the next hand, to 2 by single points, and the dealer wins three of four.

    So at 1-0 side 0 is worth 3/4 + 1/4 * 1/4 where it deals, and after a wash, which the same
    dealer deals again, 1/4 + 3/4 * ... where it does not.
    """
    plan = ResultsPlan(
        (policy_of("greedy"), policy_of("greedy")),
        parse_rules("eaai:target=2,dealer_rotation=winner"),
        1000,
    )
    counts = plan.new_tally().counts[0]
    for dealer, winner in itertools.product((0, 1), repeat=2):
        counts[:, :, dealer, winner, 1] = 3 if dealer == winner else 1
    prices = PriceTable.of_game(Equity(Results(plan, counts, 1000)), State(1, 0))
    wash = np.zeros(4, END).view(np.recarray)
    # Side 0 deals: 3/4 at once, or 1/4 of 1-1 with side 1 dealing, 1/4.  Side 1 deals: 1/4 at
    # once, or 3/4 of 1-1 with side 1 dealing.
    expected = [100 * (3 / 4 + 1 / 16), 100 * (1 / 4 + 3 / 16)] * 2
    assert prices.of_ends(wash).tolist() == pytest.approx(expected, abs=1 / GRAIN)
    one = PriceTable.of_game(prices.equity, State(1, 0, 0, 1))
    assert one.of_ends(wash).tolist() == pytest.approx([expected[1]] * 4, abs=1 / GRAIN)
    assert one.start.dealer == 1
    assert prices.start == GameStart((1, 0), (1, 0), None)


@pytest.mark.parametrize("dealer", [EITHER, 0, 1])
@pytest.mark.parametrize(("objective", "scale"), [("win", 100), ("stakes", 1)])
def test_whole_prices_are_the_exact_ones_but_for_their_grain(objective, scale, dealer):
    state = State(45, 20, 1, dealer)
    equity = equity_between("greedy", "simple", "standard")
    exact = exact_table(objective, equity.rules, state, equity)
    prices = PriceTable.of_game(equity, state, objective)
    np.testing.assert_allclose(prices.table, scale * exact, rtol=0, atol=0.51 / GRAIN)
    whole = prices.whole_numbers
    assert (whole.tables[0] / whole.grain + prices.level == prices.table).all()
    measure = "score" if objective == "win" else "stakes"
    for deals, winner, points in ((0, 0, 30), (1, 1, 60), (0, NOBODY, 0)):
        dealt = deals if dealer == EITHER else dealer
        after = equity.after(state, dealt, winner, points, measure)
        assert exact[deals, winner, points] == after


# ------------------------------------------------------------ points are tables like any other


@pytest.mark.parametrize(("objective", "box"), [("points", 0), ("points+boxes", 20)])
def test_points_by_the_table_are_the_points(objective, box):
    rules = parse_rules("oklahoma:box_bonus=20")
    plan = TracePlan((policy_of("greedy"), policy_of("simple")), rules, 2000, stops=False)
    traced = trace(plan)
    prices = PriceTable.of_points(rules, objective)
    for found, results in (
        (prices.of_knocks(traced.knocks), traced.knocks),
        (prices.of_ends(traced.ends), traced.ends),
    ):
        expected = results["points"].astype(np.float32) + np.float32(box) * results["won"]
        np.testing.assert_array_equal(found, expected)
        assert found.dtype == np.float32
    assert prices.is_even
    assert (prices.level, prices.unit) == (0.0, "points per hand")


# ---------------------------------------------------------------- a rule's worth is its play's

MEETINGS = {
    "level": ("greedy", "simple", "standard", State(75, 50, -1), "win"),
    "the opponent deals": ("strong", "marjj", "standard", State(45, 20, 0, 1), "win"),
    "stakes": ("greedy", "strong", "classic", State(20, 60, -2), "stakes"),
    "reads the score": (
        "strong:ahead=20,ahead_more=3,close_within=12", "heisenbot", "modern", State(90, 40), "win",
    ),
    "boxes at once": ("simple", "greedy", "palace", State(60, 45, 0, 0), "win"),
    "no boxes": ("marjj", "greedy", "eaai", State(90, 90), "stakes"),
}  # fmt: skip


@cache
def traced_of(meeting):
    play, against, rules, state, objective = MEETINGS[meeting]
    prices = PriceTable.of_game(equity_between(play, against, rules), state, objective)
    policies = (policy_of(play), policy_of(against))
    return prices, trace(TracePlan(policies, parse_rules(rules), DEALS, SEED, start=prices.start))


def played_at(meeting, policies):
    """What each deal's hand is worth, really played at the score, by policy of side 0."""
    _, against, rules, _, _ = MEETINGS[meeting]
    prices, _ = traced_of(meeting)
    plan = PairingsPlan(
        tuple((policy, policy_of(against)) for policy in policies),
        parse_rules(rules),
        DEALS,
        prices.whole_numbers,
        SEED,
        mirrored=False,
        start=prices.start,
    )
    return np.array(simulate(plan).tally.sums[0]) / GRAIN + prices.level


@pytest.mark.long
@pytest.mark.parametrize("meeting", MEETINGS)
def test_the_worth_of_a_rule_on_paths_is_that_of_its_hands(meeting):
    prices, traced = traced_of(meeting)
    base = traced.plan.policies[0]
    np.testing.assert_allclose(
        own_values(traced, prices), played_at(meeting, [base])[:, 0], rtol=0, atol=1e-4
    )
    cells = Cells(CLASSES["outs"], 10)
    paths = paths_of(traced, cells, prices)
    random = np.random.default_rng(4)
    offsets = dict.fromkeys(("close_within", "ahead", "behind"), "0")
    if not base.values.get("close_within"):
        offsets = {}
    for share in (0.1, 0.5):
        knocks = random.random((20, 3, 11)) < share
        knocks[:, :, 0] = False
        text = knock_text((knocks << np.arange(11)).sum(axis=2))
        policy = parse_policy(read_spec(base.spec).changed({"knock": text} | offsets))
        np.testing.assert_allclose(
            values_of(paths, np.zeros(cells.n), knocks.reshape(-1)),
            played_at(meeting, [policy])[:, 0],
            rtol=0,
            atol=1e-4,
        )
    # The solved rule, as it is saved and played.
    solved = solve(traced, CLASSES["outs"], prices)
    np.testing.assert_allclose(
        values_of(paths, np.zeros(cells.n), solved.rule.reshape(-1)),
        played_at(meeting, [solved_policy(base, solved)])[:, 0],
        rtol=0,
        atol=1e-4,
    )


@pytest.mark.parametrize("meeting", MEETINGS)
def test_a_hand_at_a_score_is_worth_what_the_table_says_of_the_score(meeting):
    """On the deals that the table was counted from: its value is the mean over those hands.

    Where the policies play differently by score, those were counted at one score of each kind.
    """
    play, against, rules, state, objective = MEETINGS[meeting]
    state = replace(state, dealer=EITHER)  # as the table's hands are dealt, by turns
    equity = equity_between(play, against, rules)
    prices = PriceTable.of_game(equity, state, objective)
    counted = equity.results.plan
    plan = PairingsPlan(
        (counted.policies,), counted.rules, counted.hands, prices.whole_numbers, counted.seed,
        start=prices.start,
    )  # fmt: skip
    mean = simulate(plan).tally.sums.sum() / counted.hands / GRAIN
    measure = "score" if objective == "win" else "stakes"
    value = equity._at(measure, state)
    expected = 100 * value - 50 if objective == "win" else value
    assert mean == pytest.approx(expected, abs=2 / GRAIN)


def test_a_trace_at_a_score_asks_policies_that_read_it():
    """From 90 of 100 on close_within=10 knocks with whatever is allowed; below it does not."""
    rules, base = parse_rules("standard"), parse_policy("strong:knock=0,close_within=10")
    for mine, expected in ((90, 1), (89, 0)):
        start = GameStart((mine, 0), (4, 0))
        plan = TracePlan((base, policy_of("simple")), rules, 500, start=start)
        assert set(trace(plan).knocks["knocks"].tolist()) == {expected}


def test_offsets_that_would_shift_the_solved_table_are_left_out():
    prices, traced = traced_of("reads the score")
    base = traced.plan.policies[0]
    solved = solve(traced, CLASSES["outs"], prices)
    assert left_out(base, solved) == ["close_within", "ahead"]
    policy = solved_policy(base, solved)
    assert policy.values["knock"] == table_text(solved)
    assert (policy.values["close_within"], policy.values["ahead"]) == (0, 0)


# ----------------------------------------------------------------------------------- symmetry


@pytest.mark.parametrize("objective", ["win", "stakes"])
def test_the_table_from_the_other_side_is_the_mirror_image(objective):
    equity = equity_between("greedy", "greedy", "modern")
    here = PriceTable.of_game(equity, State(45, 20, 1), objective)
    there = PriceTable.of_game(equity, State(20, 45, -1), objective)
    mirrored = -there.centred().table[::-1, [1, 0, NOBODY]]
    np.testing.assert_allclose(here.centred().table, mirrored, atol=1.5 / GRAIN)
    assert not here.is_even
    assert PriceTable.of_game(equity, State(30, 30), objective).is_even
    assert not PriceTable.of_game(equity, State(30, 30, 1), objective).is_even


@pytest.mark.long
def test_at_an_even_score_one_mixed_rule_serves_both_and_wins_half():
    equity = equity_between("greedy", "greedy", "standard")
    prices = PriceTable.of_game(equity, State(60, 60))
    policies = (policy_of("greedy"), policy_of("greedy"))
    plan = TracePlan(policies, parse_rules("standard"), 40_000, 1, False, prices.start)
    found = next(equilibrium(trace(plan), CLASSES["none"], prices))
    assert found.is_even
    assert found.value.low < 50 < found.value.high


#: A game of two decisions: side 0 may knock, then side 1, both without knowing the kind of path.
KINDS = [((8, -5), (6, 20)), ((-30, 25), (-9, 2))]  # knock points and end, by kind


def uneven_paths(n):
    """Each kind is a (knock of side 0, knock of side 1) and an end for either dealer."""
    paths, ends = [], []
    for number in range(n):
        (first, second), (end_0, end_1) = KINDS[number >> 2 & 1]
        paths.append([
            {"side": 0, "turn": 1, "deadwood": 5, "points": first},
            {"side": 1, "turn": 1, "deadwood": 7, "points": second},
        ])  # fmt: skip
        ends.append(end_0 if number & 1 else end_1)
    return paths, ends


def test_at_an_uneven_score_each_side_has_a_rule_of_its_own():
    """Two decisions, so four pairs of rules; every mixed answer is tried against every other.

    To 10 without boxes, later hands won by 10 by either as often: at 5-0 side 0 wins with 5, and
    side 1 needs 10; any other score on the way is worth one half.
    """
    rules = "eaai:target=10"
    equity = equity_by_hand(rules, {(0, 10): 1, (1, 10): 1})
    prices = PriceTable.of_game(equity, State(5, 0))
    paths, ends = uneven_paths(1600)
    traced = traced_by_hand(rules, paths, ends, stops=False)
    *_, found = equilibrium(traced, CLASSES["none"], prices)
    assert not found.is_even

    def wins(points):
        """Side 0's chance, in percent."""
        if points >= 5:
            return 100.0
        return 0.0 if points <= -10 else 50.0

    def value(first, second):
        total = 0.0
        for (knock, answer), ends_of in KINDS:
            go_on = sum(map(wins, ends_of)) / 2
            total += first * wins(knock) + (1 - first) * (
                second * wins(-answer) + (1 - second) * go_on
            )
        return total / len(KINDS)

    mine, theirs = found.sides[0].chances[0, 0, 5], found.sides[1].chances[0, 0, 7]
    here = value(mine, theirs)
    assert max(value(each, theirs) for each in (0, 1)) - here < 0.05
    assert here - min(value(mine, each) for each in (0, 1)) < 0.05
    assert found.value.estimate == pytest.approx(here, abs=1e-3)


# ------------------------------------------------------------------------- scores as policies see


@pytest.mark.parametrize("rules", ["standard", "palace", "eaai", "standard:target=30"])
def test_every_state_stands_at_a_score_that_a_game_can_be_at(rules):
    rules = parse_rules(rules)
    box = rules.box_bonus if rules.boxes_count_at_once else 0
    for mine, theirs in itertools.product((0, 1, 7, 26, 29, 60, 99), repeat=2):
        if max(mine, theirs) >= rules.target or any(0 < each < box for each in (mine, theirs)):
            continue
        low, high = box_range(mine, theirs, rules)
        for boxes in {low, high, min(max(0, low), high)}:
            *points, won_0, won_1 = standing_of(State(mine, theirs, boxes), rules)
            GameStart(tuple(points), (won_0, won_1)).check(rules)
            assert [p + box * w for p, w in zip(points, (won_0, won_1), strict=True)] == [
                mine,
                theirs,
            ]
            if low < high:
                assert won_0 - won_1 == boxes


def test_usual_hands_are_of_20_points():
    rules = parse_rules("standard")
    assert standing_of(State(75, 50), rules) == (75, 50, 3, 3)
    assert standing_of(State(75, 20), parse_rules("eaai")) == (75, 20, 4, 1)
    assert standing_of(State(75, 50, 3), rules) in {(75, 50, 5, 2), (75, 50, 4, 1)}


def test_an_objective_without_a_score_is_refused():
    equity = equity_by_hand("eaai:target=10", {(0, 10): 1, (1, 10): 1})
    with pytest.raises(InputError, match=r"^'points' does not depend on the score: give win or"):
        PriceTable.of_game(equity, State(5, 5), "points")
    with pytest.raises(
        InputError, match=r"^the objective 'win' does not go with this: give points"
    ):
        PriceTable.of_points(equity.rules, "win")
    with pytest.raises(InputError, match=r"^at 10-5 the game is over"):
        PriceTable.of_game(equity, State(10, 5))


# --------------------------------------------------------------------------- several scores


def test_scores_that_policies_play_alike_at_share_a_trace():
    states = usual_states(parse_rules("standard"))
    assert [(s.mine, s.theirs, s.box_difference) for s in states] == [
        (0, 0, 0), (90, 0, 1), (90, 0, 3), (0, 90, -1), (0, 90, -3),
        (90, 90, 0), (90, 90, 3), (90, 90, -3), (75, 50, 0), (75, 50, 3), (75, 50, -3),
    ]  # fmt: skip

    def keys(play):
        policies = (policy_of(play), policy_of("simple"))
        return trace_keys(TracePlan(policies, parse_rules("standard"), 10), states)

    assert len(set(keys("greedy"))) == 1
    closing = keys("strong:close_within=15")
    assert len(set(closing)) == 2
    assert {closing[n] for n in (0, 3, 4, 8, 9, 10)} == {closing[0]}


def by_score_by_hand(scores):
    """The first problem above, solved at several scores."""
    equity = equity_by_hand("eaai:target=10", {(0, 10): 1, (1, 10): 1})
    paths = [[{"turn": 1, "deadwood": 8, "points": 5, "won": 1}] for _ in range(800)]
    ends = [30 if number >> 3 & 3 else -10 for number in range(800)]
    traced = traced_by_hand("eaai:target=10", paths, ends)
    return ByScore(
        [
            solve(traced, CLASSES["none"], PriceTable.of_game(equity, State(*score)))
            for score in scores
        ]
    )


def test_differences_between_scores_are_the_cells_with_opposite_clear_decisions():
    found = by_score_by_hand([(0, 0), (5, 5), (5, 0)])
    assert [(d.turn, d.deadwood) for d in found.differences(1)] == [(1, 8)]
    assert [(d.turn, d.deadwood) for d in found.differences(2)] == [(1, 8)]
    small, undercut, nobody = found.endings[1].values()
    assert (small.worth, small.over) == (100, True)
    assert (undercut.worth, undercut.over) == (0, True)
    assert (nobody.worth, nobody.over) == (50, False)
    # Knocking is knocking with 8 here, and the rule does at 5-5 the one and at 0-0 the other.
    here, there = found.plain[1], found.plain[0]
    assert here.knock_less_gin.estimate == here.over_gin.estimate == 25
    assert there.knock_less_gin.estimate == -there.over_knock.estimate == -25
    assert here.over_knock.estimate == there.over_gin.estimate == 0
    first, _, last = verdicts(several_scores_of(found, [], 0.0))
    assert first == (
        "At 5-5: a knock is right in 1 place where playing on is right at 0-0, as on turn 1 with "
        "deadwood 8: a knock gains +25.00 [+21.99, +28.01] % to win the game, at 0-0 -25.00 "
        "[-28.01, -21.99]; nowhere is playing on clearly right where a knock is right at 0-0; a "
        "knock for 5 points wins; an undercut for 25 points ends the game and loses it."
    )
    assert last == (
        "Some knocks are right that are wrong at 0-0: at 5-5; 5-0. An undercut for 25 points ends "
        "the game and loses it: at 0-0; 5-5; 5-0."
    )


# ------------------------------------------------------------------------ as before, for points


@pytest.mark.long
def test_for_points_the_figures_are_those_of_the_saved_study():
    """Equal, not near: results/knock_charts was made before points were a table."""
    folder = Path(__file__).resolve().parents[2] / "results/knock_charts/greedy-simple-boxes"
    saved = json.loads((folder / "manifest.json").read_text(encoding="utf-8"))["result"]
    rules = parse_rules("standard")
    traced = trace(TracePlan((policy_of("greedy"), policy_of("simple")), rules, 200_000))
    solved = solve(traced, CLASSES["outs"], PriceTable.of_points(rules, "points+boxes"))
    assert (saved["deals"], saved["seed"], saved["objective"]) == (200_000, 1, "points+boxes")
    for name in ("value", "own", "gain", "over_best_threshold"):
        found = getattr(solved, name)
        assert saved[name] == {
            "estimate": found.estimate, "low": found.low, "high": found.high
        }, name  # fmt: skip
    gains = [cell.gain.estimate for row in solved.chart for cells in row for cell in cells]
    assert [cell["gain"]["estimate"] for cell in saved["cells"]] == [
        None if math.isnan(gain) else gain for gain in gains
    ]


# ------------------------------------------------------------------- the rule's own later play


def test_rounds_end_where_the_rule_is_that_of_its_own_play():
    """The first problem above: to 10, a knock for 5 or going on to win in three of four.

    Where later hands are as often won by either, going on is right at 0-0.  Say that who goes on
    there (any policy but the base) wins four of five later hands: the knock leads to 5-0 and wins
    80 %, more than 75.  Who knocks, wins half of the later hands again, so that it never settles.
    Where later hands do not depend on the rule, it settles at once.
    """
    even = equity_by_hand("eaai:target=10", {(0, 10): 1, (1, 10): 1})
    good = equity_by_hand("eaai:target=10", {(0, 10): 4, (1, 10): 1})
    paths = [[{"turn": 1, "deadwood": 8, "points": 5, "won": 1}] for _ in range(800)]
    ends = [30 if number >> 3 & 3 else -10 for number in range(800)]
    traced = traced_by_hand("eaai:target=10", paths, ends)

    def told(count):
        rounds = list(iterate(traced, CLASSES["none"], "win", count))
        return [(bool(each.solved.rule[0, 0, 8]), each.start) for each in rounds], rounds

    decisions, rounds = told(lambda policy: even)
    assert decisions == [(False, 50.0)] * 2
    assert [each.changed for each in rounds] == [None, 0]
    assert rounds[-1].settled

    waits = table_text(rounds[0].solved)
    decisions, rounds = told(lambda policy: good if policy.values["knock"] == waits else even)
    assert [knocks for knocks, _ in decisions] == [False, True] * (MOST_ROUNDS // 2)
    assert not rounds[-1].settled
    assert [each.clearly for each in rounds[1:]] == [1] * (MOST_ROUNDS - 1)
    assert rounds[1].start == pytest.approx(80, abs=1 / GRAIN)
