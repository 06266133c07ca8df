"""The equity table: solved by hand, by a slow reading of the rules, and against played games.

What `gin-sim equity` prints is test_cli_equity.py's business.
"""

from __future__ import annotations

import dataclasses
import itertools
import re
from fractions import Fraction
from functools import cache
from pathlib import Path

import numpy as np
import pytest

from gin_sim.errors import InputError
from gin_sim.payoff import equity
from gin_sim.payoff.equity import MEASURES, Equity, Results
from gin_sim.payoff.score import EITHER, State, box_range, check_rules, check_state
from gin_sim.play import games, tallies
from gin_sim.play.hand_results import GROUPS, ResultsPlan
from gin_sim.play.plans import GamePlan, Plan
from gin_sim.play.run import simulate
from gin_sim.play.start import GameStart
from gin_sim.policies.catalogue import parse_policy
from gin_sim.policies.score_classes import standings_of
from gin_sim.rules import parse_rules
from gin_sim.stats.intervals import Moments, mean_estimate, rate_estimate

NOBODY = 2
ROOT = Path(__file__).resolve().parents[2]
CAUTIOUS = ROOT / "tests/data/policies/cautious.py"
GREEDY = (parse_policy("greedy"), parse_policy("greedy"))


def results_of(spec, ends, policies=GREEDY, groups=GROUPS):
    """Counted hands: ``ends[dealer][winner, points]`` is how many, the same in every group."""
    plan = ResultsPlan(policies, parse_rules(spec), 1000)
    counts = plan.new_tally().counts[0]
    for dealer, by_result in enumerate(ends):
        for (winner, points), n in by_result.items():
            counts[:groups, :, dealer, winner, points] = n
    return Results(plan, counts, 1000)


def equity_of(spec, *ends, **more):
    return Equity(results_of(spec, ends, **more))


# --------------------------------------------------------------- solved by hand


def test_one_hand_decides_with_washes_and_a_dealer_who_matters():
    """To 1, boxes worth nothing: the first hand that is won decides.

    With side 0 dealing: it wins in 1 of 4 hands, loses in 1, and 2 are washed; with side 1
    dealing it wins in 2 of 4, loses in 1 and 1 is washed.
    """
    mine, theirs = {(0, 1): 1, (1, 1): 1, (NOBODY, 0): 2}, {(0, 1): 2, (1, 1): 1, (NOBODY, 0): 1}
    stays = equity_of("eaai:target=1", mine, theirs)
    assert stays.win(0, 0, dealer=0) == pytest.approx(1 / 2)
    assert stays.win(0, 0, dealer=1) == pytest.approx(2 / 3)
    assert stays.win(0, 0) == pytest.approx((1 / 2 + 2 / 3) / 2)
    # A wash passes the deal: x = 1/4 + y/2, y = 1/2 + x/4, so x = 4/7 and y = 9/14.
    turns = equity_of("eaai:target=1,wash_dealer=rotate", mine, theirs)
    assert turns.win(0, 0, dealer=0) == pytest.approx(float(Fraction(4, 7)))
    assert turns.win(0, 0, dealer=1) == pytest.approx(float(Fraction(9, 14)))


def test_boxes_beat_the_one_who_reaches_the_target():
    """To 3 with boxes of 2 at the end; side 0 wins by 1 point, side 1 by 3, each in half the hands.

    Side 0 at 2 points has two boxes: 2 + 4 = 6.  If side 1 now wins by 3 it reaches the target
    with 3 + 2 = 5 and loses.  At 1-0 it is 1 + 2 = 3 against 5, and at 0-0 0 against 5.  Side 0
    never reaches the target otherwise than with three boxes.
    """
    ends = {(0, 1): 1, (1, 3): 1}
    table = equity_of("standard:target=3,box_bonus=2", ends, ends)
    assert table.win(2, 0, 2) == pytest.approx(1)
    assert table.win(1, 0, 1) == pytest.approx(1 / 2)
    assert table.win(0, 0) == pytest.approx(1 / 4)
    # From 2-0: wins 3 + 6 = 9 to 0, or 6 to 5.
    assert table.stakes(2, 0, 2) == pytest.approx((9 + 1) / 2)
    assert table.stakes(1, 0, 1) == pytest.approx((5 - 2) / 2)
    assert table.stakes(0, 0) == pytest.approx((1.5 - 5) / 2)
    assert table.tie(0, 0) == pytest.approx(0)
    # Without the boxes the last hand decides it.
    assert equity_of("eaai:target=3", ends, ends).win(2, 0) == pytest.approx(1 / 2)


def test_a_tie_of_totals():
    """Side 0 has two boxes of 1 and 2 points: 4.  Side 1 wins by 3 with one box: 4 too."""
    ends = {(0, 1): 1, (1, 3): 3}
    table = equity_of("standard:target=3,box_bonus=1", ends, ends)
    assert table.tie(2, 0, 2) == pytest.approx(3 / 4)
    assert table.win(2, 0, 2) == pytest.approx(1 / 4)
    assert table.values("score")[0, table.places.origins[2, 0] + 2] == pytest.approx(5 / 8)


def test_a_winner_who_deals():
    """To 2 by single points, the winner deals, the dealer wins 3 of 4.

    At 1-1 the dealer wins 3/4; after 1-0 side 0 deals: 3/4 + 1/4 * 1/4 = 13/16.  From 0-0 with
    side 0 dealing: 3/4 * 13/16 + 1/4 * 3/16 = 42/64.
    """
    spec = "eaai:target=2,dealer_rotation=winner"
    table = equity_of(spec, {(0, 1): 3, (1, 1): 1}, {(0, 1): 1, (1, 1): 3})
    assert table.win(1, 1, dealer=0) == pytest.approx(3 / 4)
    assert table.win(1, 0, dealer=0) == pytest.approx(13 / 16)
    assert table.win(0, 0, dealer=0) == pytest.approx(42 / 64)
    assert table.win(0, 0) == pytest.approx(1 / 2)


# ------------------------------------------------------------ a slow reference

SETTLEMENTS = [
    "standard:target=12,box_bonus=3",
    "modern:target=9,box_bonus=2,game_bonus=7",
    "classic:target=11,box_bonus=2,game_bonus=5,shutout_bonus=4",
    "eaai:target=14",
    "palace:target=17,box_bonus=3",
    "oklahoma:target=10,box_bonus=4,game_bonus=3",
    "straight:target=10,box_bonus=1,gin_bonus=1,big_gin_bonus=1",
    "standard:target=12,dealer_rotation=loser,wash_dealer=rotate,box_bonus=5",
    "palace:target=15,box_bonus=2,shutout=flat,shutout_bonus=6,game_bonus=2,wash_dealer=rotate",
    "eaai:target=10,shutout=double,dealer_rotation=winner,wash_dealer=rotate",
]


def settled(points, won, fields):
    """What side 0 is paid at the end, read from the text of the rules."""
    totals = [p + fields["box_bonus"] * n for p, n in zip(points, won, strict=True)]
    if totals[0] == totals[1]:
        return 0
    winner = 0 if totals[0] > totals[1] else 1
    paid = abs(totals[0] - totals[1]) + fields["game_bonus"]
    if won[1 - winner] == 0:
        if fields["shutout"] == "flat":
            paid += fields["shutout_bonus"]
        if fields["shutout"] == "double":
            paid *= 2
    return paid if winner == 0 else -paid


def reference(spec, ends):
    """A function of the hand points, the hands won by either side and the dealer: its worths.

    By recursion over whole states, with nothing but the rules: win, tie and stakes.
    """
    fields = parse_rules(spec).as_dict()

    def deals_next(dealer, winner):
        if winner == NOBODY:
            return dealer if fields["wash_dealer"] == "same" else 1 - dealer
        rotation = fields["dealer_rotation"]
        return {"alternate": 1 - dealer, "winner": winner, "loser": 1 - winner}[rotation]

    @cache
    def both(points, won):
        known, washed = [], []
        for dealer in range(2):
            n = sum(ends[dealer].values())
            sums = np.zeros(3)
            for (winner, scored), count in ends[dealer].items():
                if winner == NOBODY:
                    continue
                after = [*points]
                after[winner] += scored
                boxes = [*won]
                boxes[winner] += 1
                counted = after[winner]
                if fields["box_timing"] == "at_once":
                    counted += fields["box_bonus"] * boxes[winner]
                if counted >= fields["target"]:
                    paid = settled(after, boxes, fields)
                    worth = np.array([paid > 0, paid == 0, paid], float)
                else:
                    worth = both(tuple(after), tuple(boxes))[deals_next(dealer, winner)]
                sums += count / n * worth
            known.append(sums)
            washed.append(ends[dealer].get((NOBODY, 0), 0) / n)
        matrix = np.eye(2)
        for dealer in range(2):
            matrix[dealer, deals_next(dealer, NOBODY)] -= washed[dealer]
        return np.linalg.solve(matrix, np.array(known))

    return both


def random_ends(seed, most=7, n_results=8):
    generator = np.random.default_rng(seed)
    return [
        {
            (NOBODY, 0): int(generator.integers(0, 40)),
            **{
                (int(generator.integers(2)), int(generator.integers(1, most + 1))): int(
                    generator.integers(1, 60)
                )
                for _ in range(n_results)
            },
            (0, 1): 5,
            (1, 2): 5,
        }
        for _ in range(2)
    ]


def standings(spec):
    """Every way in which the hands of an unfinished game can have been won: points and hands."""
    rules = parse_rules(spec)
    box = rules.box_bonus if rules.box_timing == "at_once" else 0
    one_side = [
        (points, won)
        for points in range(rules.target)
        for won in range(points + 1)
        if (points > 0) == (won > 0) and points + box * won < rules.target
    ]
    return itertools.product(one_side, one_side)


@pytest.mark.long
@pytest.mark.parametrize("seed", [1, 2])
@pytest.mark.parametrize("spec", SETTLEMENTS)
def test_every_state_is_worth_what_the_reference_says(spec, seed):
    ends = random_ends(seed)
    table, worth = equity_of(spec, *ends), reference(spec, ends)
    rules = parse_rules(spec)
    at_once = rules.box_timing == "at_once"
    scores, found, expected = [], [], []
    for (mine, mine_won), (theirs, theirs_won) in standings(spec):
        boxes = 0 if at_once or not rules.box_bonus else mine_won - theirs_won
        box = rules.box_bonus if at_once else 0
        score = (mine + box * mine_won, theirs + box * theirs_won, boxes)
        scores += [(score, dealer) for dealer in range(2)]
        found += [
            (table.win(*score, dealer), table.tie(*score, dealer), table.stakes(*score, dealer))
            for dealer in range(2)
        ]
        expected.extend(worth((mine, theirs), (mine_won, theirs_won)))
    # As close as pytest.approx asks for, which is slow for a number at a time.
    expected = np.array(expected)
    near = np.abs(np.array(found) - expected) <= np.maximum(1e-9, 1e-6 * np.abs(expected))
    assert not [scores[place] for place in np.flatnonzero(~near.all(axis=1))]


@pytest.mark.long
@pytest.mark.parametrize("spec", SETTLEMENTS)
def test_the_worth_of_a_result_is_that_of_the_state_it_leads_to(spec):
    """Averaged over how the hand may end, what comes after is what there was before."""
    ends = random_ends(3)
    table = equity_of(spec, *ends)
    counts = table.results.counts.sum(axis=0)[0]
    shares = counts / counts.sum(axis=(1, 2), keepdims=True)
    box = table.rules.box_bonus if table.rules.boxes_count_at_once else 0
    for mine, theirs in itertools.product((0, 3 + box, 6 + box), (0, 1 + box, 5 + box)):
        least, most = table.places.lows[mine, theirs], table.places.highs[mine, theirs]
        for boxes in {least, (least + most) // 2, most}:
            for measure in ("score", "stakes"):
                after = table.worth(mine, theirs, boxes, measure)
                assert after.shape == (2, 3, counts.shape[-1])
                place = table.places.origins[mine, theirs] + boxes
                before = table.values(measure)[:, place]
                assert (shares * after).sum(axis=(1, 2)) == pytest.approx(before)


# ---------------------------------------------------------------- what must be


def played(first, second, spec="standard", hands=40_000, seed=1, threads=None):
    plan = ResultsPlan((parse_policy(first), parse_policy(second)), parse_rules(spec), hands, seed)
    found = simulate(plan, threads)
    return Equity(Results(plan, found.tally[0].counts, plan.finished(found.tally)))


@pytest.mark.long
@pytest.mark.parametrize("spec", ["standard", "modern", "palace", "eaai", "classic:target=60"])
def test_a_policy_against_itself_is_even(spec):
    """A mirrored pair of a policy with itself is one hand told from both sides."""
    table = played("greedy", "greedy", spec, hands=4000)
    for points in (0, 20, 45, table.rules.target - 1):
        assert table.win(points, points) + table.tie(points, points) / 2 == pytest.approx(1 / 2)
        assert table.stakes(points, points) == pytest.approx(0, abs=1e-9)
    mirrored = table.grid("win", 1)[::-1], table.grid("win", -1)
    wins = mirrored[0] + mirrored[1].transpose(0, 2, 1) + table.grid("tie", 1)[::-1]
    assert np.nanmax(np.abs(wins - 1), initial=0) < 1e-9


@pytest.mark.long
def test_boxes_never_hurt():
    """The course of a game does not depend on the boxes at its end, and one more is worth 25."""
    table = played("greedy", "simple", hands=4000)
    for measure in ("win", "score", "stakes"):
        values = table.values(measure)
        for mine, theirs in itertools.product(range(0, 100, 7), repeat=2):
            place, size = table.places, table.places.highs[mine, theirs]
            first = place.origins[mine, theirs] + place.lows[mine, theirs]
            row = values[:, first : place.origins[mine, theirs] + size + 1]
            assert (np.diff(row) >= -1e-12).all()


def test_points_never_hurt_where_the_last_hand_decides():
    grid = played("greedy", "simple", "eaai", hands=4000).grid("score")
    assert (np.diff(grid, axis=1) >= -1e-12).all()
    assert (np.diff(grid, axis=2) <= 1e-12).all()


def test_points_hurt_a_side_that_is_behind_in_boxes():
    """At 99 the next hand ends the game, too early for five boxes to be made up."""
    table = played("greedy", "simple", hands=4000)
    assert table.win(99, 30, -5) < table.win(60, 30, -5) - 0.005


def test_a_policy_with_itself_has_no_interval_in_the_middle():
    table = played("simple", "simple", "standard:target=50", hands=2000)
    even, ahead = table.estimates([State(30, 30), State(40, 30, 1)], ["score"])["score"]
    assert even.estimate == pytest.approx(even.low) == pytest.approx(even.high)
    assert ahead.low < ahead.estimate - 1e-4


# ------------------------------------------------------------------ intervals


@pytest.mark.long
def test_the_intervals_hold_as_often_as_they_say():
    """Hands drawn again from a known distribution: the truth lies in 19 of 20 intervals.

    Of 400, 380 are expected with a standard deviation of 4.4.
    """
    spec, ends = "standard:target=12,box_bonus=3", random_ends(9)
    truth = equity_of(spec, *ends)
    asked = [State(0, 0, 0, 0), State(7, 5, 1, 1), State(2, 9, -1)]
    measures = ("win", "tie", "stakes")
    known = {m: [truth._at(m, state) for state in asked] for m in measures}
    generator = np.random.default_rng(5)
    shares = truth.results.counts[0, 0].reshape(2, -1)
    held = np.zeros((len(measures), len(asked)), int)
    for _ in range(400):
        counts = truth.results.plan.new_tally().counts[0]
        for dealer in range(2):
            drawn = generator.multinomial(100, shares[dealer] / shares[dealer].sum(), GROUPS)
            counts[:, 0, dealer] = drawn.reshape(counts[:, 0, dealer].shape)
        found = Equity(Results(truth.results.plan, counts, 4000)).estimates(asked, measures, 1)
        for i, measure in enumerate(measures):
            for j, figure in enumerate(found[measure]):
                held[i, j] += figure.low <= known[measure][j] <= figure.high
    assert (held >= 380 - 13).all(), held
    assert (held <= 380 + 13).all(), held


@pytest.mark.long
def test_the_intervals_use_that_a_pair_shares_its_luck():
    """Pairs of a hand and its mirror image: the mean over the dealers varies less than either."""
    spec, (ends, _) = "eaai:target=9", random_ends(4)
    generator = np.random.default_rng(6)
    mirror = {(winner if winner == NOBODY else 1 - winner, n): (winner, n) for winner, n in ends}
    truth = equity_of(spec, ends, {new: ends[old] for new, old in mirror.items()})
    asked = [State(3, 0, 0, 0), State(3, 0, 0, 1), State(3, 0)]
    known = [truth._at("win", state) for state in asked]
    held, shares = np.zeros(3, int), truth.results.counts[0, 0, 0]
    for _ in range(400):
        drawn = generator.multinomial(100, (shares / shares.sum()).ravel(), GROUPS)
        counts = truth.results.plan.new_tally().counts[0]
        counts[:, 0, 0] = drawn.reshape(counts[:, 0, 0].shape)
        counts[:, 0, 1] = counts[:, 0, 0][:, [1, 0, 2]]
        found = Equity(Results(truth.results.plan, counts, 4000)).estimates(asked, threads=1)
        held += [e.low <= k <= e.high for e, k in zip(found["win"], known, strict=True)]
    assert (abs(held - 380) <= 13).all(), held


@pytest.mark.long
def test_leaving_out_far_box_differences_does_not_change_an_interval(monkeypatch):
    table = played("greedy", "simple", "standard:target=60", hands=4000)
    asked, measures = [State(0, 0), State(45, 20, 1, 1), State(50, 40, -3, 0)], MEASURES
    near = table.estimates(asked, measures)
    monkeypatch.setattr(equity, "_SPARE_BOXES", 200)
    for measure, figures in table.estimates(asked, measures).items():
        for whole, windowed in zip(figures, near[measure], strict=True):
            assert windowed.half_width == pytest.approx(whole.half_width, rel=1e-3)


def test_too_few_hands_have_no_interval():
    table = equity_of("eaai:target=3", {(0, 1): 1, (1, 1): 1}, {(0, 1): 1, (1, 1): 1}, groups=5)
    (figure,) = table.estimates([State(0, 0)])["win"]
    assert figure.estimate == pytest.approx(1 / 2)
    assert np.isnan(figure.low)


# -------------------------------------------------------------- games as played

READS_SCORE = "heuristic:ahead=10,ahead_more=10,behind=10,behind_more=-10,close_within=20"
SHORT = "standard:target=50"
STARTS = [
    (SHORT, "greedy", "simple", GameStart((25, 10), (3, 1), 0)),
    (SHORT, "greedy", "simple", GameStart((40, 30), (2, 5), 1)),
    (SHORT, READS_SCORE, "simple", GameStart((30, 30), (3, 3))),
    ("modern", "greedy", "simple", GameStart()),
    ("palace", "simple", "gin-only", GameStart((30, 12), (2, 1), 1)),
    ("oklahoma:target=60", "simple", "greedy", GameStart((0, 40), (0, 2))),
    ("eaai", "heisenbot", "greedy", GameStart((70, 20), (3, 1))),
    ("eaai", "heisenbot", READS_SCORE, GameStart((10, 75), (1, 3), 0)),
]
#: A game to 100 with boxes takes eight times as long to solve as one to 50.
LONG_STARTS = [
    ("standard", "greedy", "simple", GameStart((45, 20), (3, 1), 0)),
    ("standard", "greedy", "simple", GameStart((85, 60), (2, 5), 1)),
    ("standard", READS_SCORE, "simple", GameStart((60, 60), (3, 3))),
]


@pytest.mark.long
@pytest.mark.parametrize(
    ("spec", "first", "second", "start"),
    [*STARTS, *(pytest.param(*start, marks=pytest.mark.slow) for start in LONG_STARTS)],
)
def test_games_begun_at_a_score_are_won_as_often_as_the_table_says(spec, first, second, start):
    """Both intervals are of 95%: their sum of squares bounds the difference in 19 of 20 cases.

    The seeds were not chosen; one half more allows for a dozen cases.
    """
    table = played(first, second, spec, hands=100_000, seed=11)
    plan = GamePlan((parse_policy(first), parse_policy(second)), table.rules, 20_000, 12)
    tally = simulate(dataclasses.replace(plan, start=start)).tally[0]
    box = table.rules.box_bonus if table.rules.boxes_count_at_once else 0
    points = [p + box * n for p, n in zip(start.points, start.hands_won, strict=True)]
    boxes = start.hands_won[0] - start.hands_won[1] if table.box else 0
    state = State(*points, boxes, EITHER if start.dealer is None else start.dealer)
    found = table.estimates([state], ("win", "tie", "stakes"))
    for measure, (figure,) in found.items():
        in_games = games_figures(tally)[measure]
        reach = 1.5 * np.hypot(figure.half_width, in_games.half_width)
        assert abs(figure.estimate - in_games.estimate) < reach, measure


def games_figures(tally):
    """How often side 0 wins and ties mirrored games, and what it is paid, with 95% intervals."""
    pairs, stakes = int(tally.pairs), games.LEAD_IN_STAKES
    won, tied, paid = (
        Moments(pairs, int(total), int(squares))
        for total, squares in (
            (tally.sums[games.GAMES_WON, 0], tally.squares[games.GAMES_WON, 0]),
            (tally.shared[games.TIES], tally.shared_squares[games.TIES]),
            (tally.leads[stakes], tally.lead_squares[stakes]),
        )
    )
    return {
        "win": rate_estimate(won, 2),
        "tie": rate_estimate(tied, 2),
        "stakes": mean_estimate(paid).scaled(1 / 2),
    }


@pytest.mark.long
def test_a_table_that_ignored_the_score_would_be_wrong():
    """Gin alone below 40 points and every knock from there on: hands at 0-0 say too little."""
    first, start = "heuristic:knock=0,close_within=60", GameStart((60, 60), (3, 3))
    table = played(first, "simple", hands=100_000, seed=11)
    standings = table.results.plan.standings
    assert len(standings.examples) == 2
    counts = table.results.counts.copy()
    counts[:] = counts[:, standings.classes[0, 0]][:, None]
    blind = Equity(dataclasses.replace(table.results, counts=counts))
    plan = GamePlan(table.results.plan.policies, table.rules, 20_000, 12, start=start)
    won = games_figures(simulate(plan).tally[0])["win"]
    assert abs(table.win(60, 60) - won.estimate) < 1.5 * won.half_width
    assert abs(blind.win(60, 60) - won.estimate) > 3 * won.half_width


def test_the_counts_are_those_of_hands_that_are_simulated():
    table = played("greedy", "simple", hands=10_000, seed=3)
    counts = table.results.counts.sum(axis=(0, 1))
    assert counts.sum(axis=(1, 2)).tolist() == [5000, 5000], "either side deals half the hands"
    sums = simulate(Plan(table.results.plan.policies, table.rules, 10_000, 3)).tally[0].sums
    points = np.arange(counts.shape[-1])
    assert (counts.sum(axis=0)[:2] @ points).tolist() == sums[tallies.POINTS].tolist()
    assert counts.sum(axis=(0, 2))[:2].tolist() == sums[tallies.HANDS_WON].tolist()


def test_threads_change_nothing():
    one, three = (played("greedy", "simple", "modern:target=40", 30_000, threads=n) for n in (1, 3))
    assert (one.results.counts == three.results.counts).all()
    asked = [State(10, 30, -1)]
    assert one.estimates(asked, MEASURES, 1) == three.estimates(asked, MEASURES, 3)


# ------------------------------------------------------------ scores that are alike


def standings_by(first, second="simple", spec="standard"):
    return standings_of((parse_policy(first), parse_policy(second)), parse_rules(spec))


def test_policies_that_ignore_the_score_are_counted_once():
    for spec in ("greedy", "strong", "marjj", "random", str(CAUTIOUS)):
        found = standings_by(spec)
        assert found.exact
        assert not found.classes.any()
        assert len(found.examples) == 1


def test_score_classes_separate_offsets_and_heisenbot_exactly():
    found = standings_by("heuristic:close_within=20,ahead=30,ahead_more=2", "heisenbot")
    groups = {}  # five: nobody is close and 30 behind
    for mine, theirs in itertools.product(range(100), repeat=2):
        reads = (mine >= 80, mine - theirs >= 30, abs(mine - theirs) >= 30)
        groups.setdefault(reads, set()).add(found.classes[mine, theirs])
    assert all(len(numbers) == 1 for numbers in groups.values())
    assert len(set.union(*groups.values())) == len(groups) == len(found.examples) == 5
    for number, (mine, theirs, _, _) in enumerate(found.examples):
        assert found.classes[mine, theirs] == number


def test_the_opponents_score_is_read_from_its_own_side():
    found = standings_by("simple", "heuristic:close_within=20")
    assert (found.classes == (np.arange(100) >= 80)).all()


def test_boxes_at_once_end_a_game_sooner():
    found = standings_by("heuristic:close_within=20", spec="palace")
    assert ((np.arange(100) >= 80) == found.classes.T).all()
    for mine, theirs, mine_won, theirs_won in found.examples:
        assert found.classes[mine + 10 * mine_won, theirs + 10 * theirs_won] in (0, 1)
        assert min(mine, theirs) >= 0


def test_a_file_that_reads_the_score_is_counted_at_a_grid_of_scores(tmp_path):
    file = tmp_path / "mine.py"
    file.write_text(
        'base = "simple"\n\n\ndef should_knock(view, p):\n'
        "    return view.deadwood == 0 or view.score >= view.opponent_score\n"
    )
    found = standings_by(str(file))
    assert not found.exact
    assert len(found.examples) == 16
    assert (found.classes[:25, :25] == found.classes[0, 0]).all()
    assert sorted(zip(*found.examples[:, :2].T, strict=True)) == list(
        itertools.product((12, 37, 62, 87), repeat=2)
    )


def test_only_the_knock_rules_of_the_package_read_the_score():
    """What standings_of and the words that a file is searched for rest on."""
    for source in sorted((ROOT / "gin_sim" / "policies").rglob("*.py")):
        reads = re.search(r"view\.(score|boxes|opponent_score|opponent_boxes)", source.read_text())
        assert bool(reads) == (source.name == "knock_table.py"), source.name
    text = (ROOT / "gin_sim/policies/shipped/knock_table.py").read_text()
    readers = [part for part in text.split("\n@jit")[1:] if "score" in part.split("\n\n\n")[0]]
    names = [re.search(r"def (\w+)", part)[1] for part in readers]
    assert names
    assert all(name.startswith("knocks_") for name in names)


# --------------------------------------------------------------------- refused


@pytest.mark.parametrize(
    ("spec", "sentence"),
    [
        ("openspiel", "openspiel rules a game is one hand"),
        ("standard:target=400", "up to 300: try standard:target=300, or play whole games"),
        ("standard:undercut_bonus=0", "its undercut_bonus is 0"),
        ("standard:gin_bonus=0", "its gin_bonus is 0"),
    ],
)
def test_rules_without_a_table_are_refused(spec, sentence):
    with pytest.raises(InputError, match=sentence):
        check_rules(parse_rules(spec))


@pytest.mark.parametrize(
    ("spec", "suggested"),
    [
        ("openspiel", "openspiel:target=100"),
        ("standard:target=0", "standard:target=100"),
        ("standard:target=0,gin_bonus=20", "standard:gin_bonus=20,target=100"),
        ("eaai: gin_bonus=20, target = 0", "eaai: gin_bonus=20,target=100"),
    ],
)
def test_the_rules_that_are_suggested_are_rules(spec, suggested):
    with pytest.raises(InputError, match=f"give a target, {suggested}, say"):
        check_rules(parse_rules(spec))
    assert parse_rules(suggested).target == 100


def test_a_hand_won_for_0_points_may_score_by_its_box_alone():
    check_rules(parse_rules("palace:undercut_bonus=0"))
    spec = "palace:undercut_bonus=0,target=20"
    # Side 0 wins a hand of 0 points each time: 10 and 10 make 20.
    table = equity_of(spec, {(0, 0): 1}, {(0, 0): 1})
    assert table.win(0, 0) == pytest.approx(1)
    assert table.stakes(0, 0) == pytest.approx(20)


@pytest.mark.parametrize(
    ("spec", "state", "sentence"),
    [
        ("standard", (100, 0), "at 100-0 the game is over"),
        ("standard", (0, 120), "at 0-120 the game is over"),
        ("standard", (-1, 0), "below 0"),
        ("standard", (0, 0, 1), r"at 0-0 the box difference cannot be \+1"),
        ("standard", (5, 0, 0), r"it can be from \+1 to \+5"),
        ("standard", (5, 2, 5), r"it can be from -1 to \+4"),
        ("standard", (1, 0, 0), r"it can only be \+1\."),
        ("palace", (40, 30, 1), "boxes count at once and are in the score"),
        ("palace", (40, 3), "0 or at least 11"),
        ("palace", (10, 0), "0 or at least 11"),
        ("palace:undercut_bonus=0", (9, 0), "0 or at least 10"),
        ("straight", (10, 0, 1), "0 or at least 25"),
        ("straight", (0, 24, -1), "0 or at least 25"),
        ("straight", (50, 25, 2), r"25 points at least and .* it can be from \+0 to \+1"),
        ("standard:target=300", (290, 0, 2), r"it can be from \+3 to \+290"),
        ("palace:target=300,box_bonus=150", (290, 0), "counts 151 to 273 and no hands make 290"),
        ("eaai", (40, 30, 1), "boxes are worth nothing"),
    ],
)
def test_states_that_no_game_is_in_are_refused(spec, state, sentence):
    with pytest.raises(InputError, match=sentence):
        check_state(State(*state), parse_rules(spec))


def scores_by_adding_hands(spec):
    """The scores of one side, with the hands won for them, by adding what hands may pay."""
    rules = parse_rules(spec)
    fields = rules.as_dict()
    box = fields["box_bonus"] if fields["box_timing"] == "at_once" else 0
    pays = {fields["gin_bonus"] + pips for pips in range(99)}
    if fields["big_gin_bonus"] is not None:
        pays |= {fields["big_gin_bonus"] + pips for pips in range(99)}
    if fields["knock_limit"]:
        pays |= set(range(1, 99))
        first = 0 if fields["tie"] == "undercut" else 1
        pays |= {fields["undercut_bonus"] + more for more in range(first, 11)}
    found, last = {(0, 0)}, {(0, 0)}
    while last:
        last = {
            (points + paid + box, won + 1)
            for points, won in last
            for paid in pays
            if points + paid + box < rules.target
        } - found
        found |= last
    return found


@pytest.mark.parametrize(
    "spec",
    [
        "standard:target=40",
        "straight",
        "straight:target=300",
        "palace",
        "palace:undercut_bonus=0,target=60",
        "palace:target=300,box_bonus=150",
        "standard:knock_limit=0,gin_bonus=9,target=50",
        "standard:tie=zero,undercut_bonus=0,target=40",
        "eaai:target=30",
    ],
)
def test_the_scores_that_are_allowed_are_those_that_hands_make(spec):
    rules = parse_rules(spec)
    hands = {}
    for points, won in scores_by_adding_hands(spec):
        hands.setdefault(points, []).append(won)
    matter = rules.box_bonus and not rules.boxes_count_at_once
    step = max(1, rules.target // 40)
    for mine, theirs in itertools.product(range(0, rules.target, step), repeat=2):
        low, high = box_range(mine, theirs, rules)
        if mine not in hands or theirs not in hands:
            assert low > high, (mine, theirs)
        elif not matter:
            assert (low, high) == (0, 0)
        else:
            assert low == min(hands[mine]) - max(hands[theirs])
            assert high == max(hands[mine]) - min(hands[theirs])


@pytest.mark.parametrize(("spec", "least"), [("palace", 11), ("straight", 25)])
def test_a_grid_is_blank_where_no_game_is(spec, least):
    ends = {(0, 25): 3, (1, 40): 2}
    found = equity_of(spec, ends, ends).grid("win")
    for mine, theirs in itertools.product((0, 1, least - 1, least, 60), repeat=2):
        there = not any(0 < each < least for each in (mine, theirs))
        if spec == "straight":  # level boxes: both have won a hand, or neither
            there &= (mine > 0) == (theirs > 0)
        assert np.isfinite(found[:, mine, theirs]).all() == there, (mine, theirs)


def test_a_game_that_nobody_wins_is_refused():
    with pytest.raises(InputError, match="nobody ever won one"):
        equity_of("eaai", {(NOBODY, 0): 5}, {(0, 1): 5})
    with pytest.raises(InputError, match="ahead and behind"):
        standings_by("heuristic:ahead=20,ahead_more=3", spec="palace")
