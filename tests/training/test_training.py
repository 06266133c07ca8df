"""Training: the worth of a score, the regression, the stopping rule, and the rollouts."""

from __future__ import annotations

from fractions import Fraction
from functools import cache
from itertools import product

import numpy as np
import pytest
from strategies import Policies, Position, play, shuffled

from gin_sim.contests.games import games_of
from gin_sim.engine import rng
from gin_sim.engine.bits import nth_card
from gin_sim.engine.table import rule_record
from gin_sim.engine.view import look_at_upcard
from gin_sim.errors import InputError
from gin_sim.play.plans import GamePlan
from gin_sim.play.resume import new_states
from gin_sim.play.run import simulate
from gin_sim.play.start import Units
from gin_sim.policies.catalogue import CATALOGUE, parse_policy
from gin_sim.policies.contract import N_BUCKETS
from gin_sim.policies.decide import players_of
from gin_sim.policies.shipped.family_description import N_DISCARD, N_TAKE
from gin_sim.policies.shipped.family_discards import sensible_discards
from gin_sim.policies.shipped.knock_table import TABLE_TURNS, parse_knock
from gin_sim.rules import AT_WALL, BIG_GIN, MUST_DRAW, PRESETS, parse_rules
from gin_sim.training import fit as training
from gin_sim.training.fit import Lesson, fit_weights, solve_knock
from gin_sim.training.samples import (
    MOST_POINTS,
    trace_knocks,
    try_discards,
    try_takes,
)
from gin_sim.training.scores import (
    chance_to_win,
    count_points,
    game_worth,
    sample_scores,
    visits_of,
)

EAAI = PRESETS["eaai"]


def to(target):
    return parse_rules(f"eaai:target={target}")


def counts_of(mine: dict[int, int], theirs: dict[int, int], washes: int = 0) -> np.ndarray:
    counts = np.zeros((2, MOST_POINTS + 1), np.int64)
    counts[0, 0] = washes
    for side, won in enumerate((mine, theirs)):
        for points, hands in won.items():
            counts[side, points] = hands
    return counts


# ----------------------------------------------------- the worth of a score


def test_a_tiny_game_is_solved_by_hand():
    """To 2: I win 1 point in half of the hands, 2 in a quarter; the other 1 in a quarter."""
    counts = counts_of({1: 2, 2: 1}, {1: 1}, washes=5)
    chance, visits = chance_to_win(counts, to(2)), visits_of(counts, 2)
    win = Fraction(3, 4)
    assert chance[1, 1] == pytest.approx(float(win))
    from_one_nil = win + Fraction(1, 4) * win
    assert chance[1, 0] == pytest.approx(float(from_one_nil))
    assert chance[0, 1] == pytest.approx(float(Fraction(1, 4) + Fraction(1, 2) * win))
    start = Fraction(1, 2) * from_one_nil + Fraction(1, 4) + Fraction(1, 4) * Fraction(5, 8)
    assert chance[0, 0] == pytest.approx(float(start))
    assert visits.tolist() == [[1, 0.25], [0.5, 0.25]]
    assert (chance[2:, :2] == 1).all()
    assert (chance[:2, 2:] == 0).all()


def test_equal_players_have_equal_chances():
    counts = counts_of({7: 3, 25: 1}, {7: 3, 25: 1})
    chance, visits = chance_to_win(counts, EAAI), visits_of(counts, 100)
    assert np.allclose(chance[:100, :100] + chance[:100, :100].T, 1)
    assert (np.diff(chance[:100, :100], axis=0) >= -1e-12).all()
    assert np.allclose(visits, visits.T)


def test_the_chance_to_win_is_what_games_show():
    policies = (parse_policy("greedy:knock=4"), parse_policy("simple"))
    counts = count_points(players_of(policies), EAAI, 51, 40_000)
    assert counts.sum() == 80_000
    chance = chance_to_win(counts, EAAI)
    won = games_of(simulate(GamePlan(policies, EAAI, 20_000, 52))).sides[0].win_rate
    half = (won.high - won.low) / 2
    assert abs(chance[0, 0] - won.estimate) < 2 * half


def test_worth_varies_as_points_do_and_scores_are_met_as_often():
    counts = counts_of({10: 30, 40: 10}, {15: 40}, washes=7)
    visits = visits_of(counts, 100)
    worth = game_worth(counts, visits, EAAI)
    assert (worth[100:, :100] == worth.max()).all()
    scores = sample_scores(visits, 20_000, np.random.default_rng(1))
    assert scores.shape == (20_000, 2)
    found = np.zeros_like(visits)
    np.add.at(found, tuple(scores.T), 1 / 20_000)
    assert np.abs(found - visits / visits.sum()).max() < 0.015
    changes = []
    for own, other in scores[:4000]:
        for share, mine, theirs in ((30, 10, 0), (10, 40, 0), (40, 0, 15)):
            changes += [worth[own + mine, other + theirs] - worth[own, other]] * (share // 10)
    assert np.std(changes) ** 2 + np.mean(changes) ** 2 == pytest.approx(
        (30 * 100 + 10 * 1600 + 40 * 225) / 80, rel=0.05
    )


def test_every_chance_is_that_of_the_scores_it_leads_to():
    """By plain recursion from each score: to 7, with leaps past the target and hands of no points.

    A hand that the other player wins for nothing counts as a hand that leads nowhere.
    """
    generator = np.random.default_rng(6)
    counts = np.zeros((2, MOST_POINTS + 1), np.int64)
    counts[:, :12] = generator.integers(0, 30, (2, 12))
    target = 7
    shares = counts / (counts.sum() - counts[0, 0])

    @cache
    def chance_at(mine, theirs):
        if mine >= target:
            return 1.0
        if theirs >= target:
            return 0.0
        return sum(
            shares[0, points] * chance_at(mine + points, theirs)
            + shares[1, points] * chance_at(mine, theirs + points)
            for points in range(1, 12)
        )

    chance = chance_to_win(counts, to(target))
    assert chance.shape == (target + MOST_POINTS, target + MOST_POINTS)
    for mine, theirs in product(range(target + 20), repeat=2):
        if mine < target or theirs < target:
            assert chance[mine, theirs] == pytest.approx(chance_at(mine, theirs), abs=1e-12)


# ------------------------------------------------- regression and stopping


def test_the_regression_finds_the_weights_behind_noisy_differences():
    generator = np.random.default_rng(2)
    n, features = 60_000, 5
    rows = np.zeros((n, features + 2))
    rows[:, 0] = generator.integers(0, N_BUCKETS - 1, n)  # the last bucket is empty
    rows[:, 1:-1] = generator.normal(size=(n, features)) * [1, 0.1, 5, 1, 0]
    weights = generator.normal(size=(N_BUCKETS, features)) * 3
    rows[:, -1] = (rows[:, 1:-1] * weights[rows[:, 0].astype(int)]).sum(axis=1)
    rows[:, -1] += generator.normal(size=n) * 10
    before = np.full((N_BUCKETS, features), 9.0)
    fitted = fit_weights(rows, before)
    assert (fitted[-1] == 9).all()
    assert (fitted[:-1, 4] == 0).all()
    error = 10 / np.sqrt(n / (N_BUCKETS - 1)) / np.array([1, 0.1, 5, 1])
    assert (np.abs(fitted[:-1, :4] - weights[:-1, :4]) < 4.5 * error).all()


def test_stopping_is_as_good_as_the_best_of_all_rules():
    """Two turns, two deadwoods, one class of outs: every one of the 16 rules is tried."""
    generator = np.random.default_rng(3)
    n = 4000
    cells = np.full((n, TABLE_TURNS), -1, np.int16)
    knocks = np.zeros((n, TABLE_TURNS))
    cells[:, :2] = 3 * generator.integers(1, 3, (n, 2))
    cells[generator.random(n) < 0.3, 1] = -1
    knocks[:, :2] = generator.normal(size=(n, 2)) * 9 + np.where(cells[:, :2] == 3, 2, -1)
    ends = generator.normal(size=n) * 9 + 0.5

    def value(rule) -> float:
        total = ends.copy()
        for turn in (1, 0):
            for deadwood in (1, 2):
                if rule[turn][deadwood - 1]:
                    here = cells[:, turn] == 3 * deadwood
                    total[here] = knocks[here, turn]
        return total.mean()

    choices = list(product((False, True), repeat=2))
    best = max((value(rule), rule) for rule in product(choices, repeat=2))
    table, found = solve_knock(cells, knocks, ends, knock_limit=2)
    assert found == pytest.approx(best[0])
    for turn in range(2):
        for deadwood in (1, 2):
            assert bool(table[turn, 0] >> deadwood & 1) == best[1][turn][deadwood - 1]


def test_a_cell_of_few_paths_does_as_the_next_lower_deadwood_does():
    cells = np.full((300, TABLE_TURNS), -1, np.int16)
    cells[:290, 0] = 3 * 4
    cells[290:, 0] = 3 * 5
    knocks = np.zeros((300, TABLE_TURNS))
    knocks[290:] = -50
    knocks[:290] = 1
    table, _ = solve_knock(cells, knocks, np.zeros(300), knock_limit=6)
    assert table[0, 0] == 0b1110000


@pytest.mark.long
@pytest.mark.parametrize("seed", range(6))
def test_the_table_is_the_one_of_a_plain_walk_from_the_last_turn(seed):
    """Three classes, deadwood to 10 and cells with few paths on every turn, one after another."""
    generator = np.random.default_rng(seed)
    n, at_least = 3000, 40
    deadwood = np.minimum(generator.geometric(0.25, (n, TABLE_TURNS)), 10)
    cells = (3 * deadwood + generator.choice(3, (n, TABLE_TURNS), p=[0.7, 0.25, 0.05])).astype(
        np.int16
    )
    cells[generator.random((n, TABLE_TURNS)) < np.linspace(0.2, 0.95, TABLE_TURNS)] = -1
    knocks = generator.normal(size=(n, TABLE_TURNS)) * 9 + 4 - deadwood
    ends = generator.normal(size=n) * 9 - 1

    values = ends.tolist()
    rule = {}
    for turn in reversed(range(TABLE_TURNS)):
        gains = {cell: [] for cell in range(3, 33)}
        for path in range(n):
            if cells[path, turn] >= 0:
                gains[int(cells[path, turn])].append(knocks[path, turn] - values[path])
        for outs in range(3):
            answer = False
            for pips in range(1, 11):
                here = gains[3 * pips + outs]
                answer = bool(sum(here) > 0) if len(here) >= at_least else answer
                rule[turn, 3 * pips + outs] = answer
        for path in range(n):
            if rule.get((turn, int(cells[path, turn]))):
                values[path] = knocks[path, turn]

    table, value = solve_knock(cells, knocks, ends, at_least=at_least)
    for (turn, cell), answer in rule.items():
        assert bool(table[turn, cell % 3] >> (cell // 3) & 1) is answer
    assert value == pytest.approx(sum(values) / n, rel=1e-12)
    few = [len([1 for path in cells if path[turn] == cell]) < at_least for turn, cell in rule]
    assert 0.2 < sum(few) / len(few) < 0.9
    assert 20 < sum(rule.values()) < len(rule) - 20


# ------------------------------------------------------------------ rollouts


def points_worth() -> np.ndarray:
    points = np.arange(100 + MOST_POINTS, dtype=float)
    return points[:, None] - points[None, :]


@pytest.mark.slow
def test_a_rule_is_worth_on_the_paths_what_it_scores_in_play():
    """Path by path: neither player's draws and discards depend on the knock."""
    rule = "10/6-10/5-10|4|0/10|3|1/10|2|0"
    n, scores = 3000, np.array([[0, 0], [60, 20]])
    traced = {}
    for knock in ("0", rule):
        players = players_of(
            (parse_policy(f"heuristic:knock={knock}"), parse_policy("greedy:knock=0"))
        )
        cells = np.zeros((n, TABLE_TURNS), np.int16)
        knocks, ends = np.zeros((n, TABLE_TURNS)), np.zeros(n)
        state = (*new_states(), rule_record(EAAI), players, Units(61, 0, n), scores)
        trace_knocks(*state, points_worth(), cells, knocks, ends)
        traced[knock] = cells, knocks, ends
    cells, knocks, value = (array.copy() for array in traced["0"])
    table = parse_knock(rule, "it")
    for turn in reversed(range(TABLE_TURNS)):
        cell = cells[:, turn]
        stops = (cell >= 0) & (table[turn, cell % 3] >> (cell // 3) & 1 == 1)
        value[stops] = knocks[stops, turn]
    assert (value == traced[rule][2]).all()
    assert (value != traced["0"][2]).mean() > 0.1


@pytest.mark.slow
def test_a_discard_tried_both_ways_is_worth_what_two_hands_played_by_step_score():
    specs = ("heuristic", "greedy:knock=6")
    players = players_of(tuple(map(parse_policy, specs)))
    n_rows, seed = 40, 71
    rows = np.zeros((n_rows, N_DISCARD + 2))
    state = (*new_states(), rule_record(EAAI), players, seed, 0)
    try_discards(*state, np.zeros((1, 2), np.int64), points_worth(), rows)
    found, deal_index = [], -1
    while len(found) < n_rows:
        deal_index += 1
        found += tried(specs, seed, deal_index)
    assert found == rows[:, -1].tolist()
    assert np.count_nonzero(rows[:, -1]) > 20


@pytest.mark.slow
def test_takes_tried_both_ways_are_worth_what_two_hands_played_by_step_score():
    specs = ("heuristic", "greedy:knock=6")
    players = players_of(tuple(map(parse_policy, specs)))
    n_rows, seed = 40, 72
    rows = np.zeros((n_rows, N_TAKE + 2))
    rules = PRESETS["standard"]
    state = (*new_states(), rule_record(rules), players, seed, 0)
    try_takes(*state, np.zeros((1, 2), np.int64), points_worth(), rows)
    found, deal_index = [], -1
    while len(found) < n_rows:
        deal_index += 1
        found += taken(specs, rules, seed, deal_index)
    assert found == rows[:, -1].tolist()
    assert np.count_nonzero(rows[:, -1]) > 20


@pytest.mark.slow
def test_learning_does_not_depend_on_the_threads(monkeypatch):
    values = CATALOGUE["heuristic"].defaults()
    lessons = [Lesson(parse_policy("simple"), 0.6), Lesson(None, 0.4)]
    learnt = []
    for threads in (1, 3):
        monkeypatch.setattr(training, "available_cores", lambda threads=threads: threads)
        learnt.append(training.learn(values, lessons, EAAI, 3, n_rows=20_000, n_paths=12_000))
    assert learnt[0] == learnt[1]
    assert learnt[0] != values


@pytest.mark.parametrize("spec", ["openspiel", "eaai:gin_bonus=1000"])
def test_rules_that_cannot_be_learnt_are_refused(spec):
    with pytest.raises(InputError, match="cannot be learnt"):
        training.learn(CATALOGUE["heuristic"].defaults(), [], parse_rules(spec), 1)


def points_of(table, rules, seat) -> int:
    """A finished hand's points by a plain reading of the rules, positive to a seat."""
    if table.knocker < 0:
        return 0
    theirs, mine = int(table.defender_deadwood), int(table.knocker_deadwood)
    points = theirs - mine
    if table.ending == BIG_GIN:
        points += rules.big_gin_bonus
    elif mine == 0:
        points += rules.gin_bonus
    elif theirs <= mine:
        points -= rules.undercut_bonus
    return points if table.knocker == seat else -points


def dealt(seed, deal_index, rules):
    """The seat that learns, the turn that is tried, and the deal, as the rollouts choose them."""
    bits = np.uint64(rng.word(np.uint64(rng.stream_key(seed, deal_index, 7)), 0))
    position = Position(
        shuffled(seed, deal_index), rule_record(rules), int(rng.high_below(bits, 2))
    )
    for seat in range(2):
        position.views[seat].noise = rng.stream_key(seed, deal_index, rng.SEAT_STREAM + seat)
    return deal_index & 1, 1 + int(rng.low_below(bits, 14)), position


def taken(specs, rules, seed, deal_index) -> list[float]:
    """What the rollout of a take should find, played step by step; empty if there is none."""

    class Forced:
        """Plays on, and at the chosen turn's first upcard gives a forced answer."""

        def __init__(self, answer):
            self.seat, self.turn, self.position = dealt(seed, deal_index, rules)
            self.seated = Policies(*(specs if self.seat == 0 else specs[::-1]))
            self.answer, self.asked, self.gin = answer, False, False

        def takes(self, position):
            here = position.mover == self.seat and position.view.turn == self.turn
            if not here or self.asked:
                return self.seated.takes(position)
            self.asked = True
            self.gin = int(look_at_upcard(position.view)) == 0
            return self.answer

        def knocks(self, position):
            return self.seated.knocks(position)

        def discards(self, position):
            if (
                not self.asked
                and position.mover == self.seat
                and position.view.turn == self.turn
                and position.table.phase == MUST_DRAW
            ):
                self.turn += 1
            return self.seated.discards(position)

    won = []
    for answer in (True, False):
        answers = Forced(answer)
        table = play(answers.position, answers).table
        if not answers.asked or answers.gin:
            return []
        won.append(points_of(table, rules, answers.seat))
    return [float(won[0] - won[1])]


def tried(specs, seed, deal_index) -> list[float]:
    """What the rollout of a deal should find, played step by step; empty if there is none."""
    key = np.uint64(rng.stream_key(seed, deal_index, 7))
    seat, turn, _ = dealt(seed, deal_index, EAAI)
    seated = Policies(*(specs if seat == 0 else specs[::-1]))

    class Forced:
        """Plays on, and at the chosen turn discards a given card or notes what may be discarded."""

        def __init__(self, forced=None):
            self.forced, self.choices = forced, None

        def takes(self, position):
            return seated.takes(position)

        def knocks(self, position):
            return seated.knocks(position)

        def discards(self, position):
            card = seated.discards(position)
            if (
                position.mover != seat
                or position.view.turn != turn
                or position.table.phase == AT_WALL
            ):
                return card
            self.choices = (int(position.view.hand), int(position.view.barred), card)
            self.best = int(position.view.best_deadwood), int(position.view.best_discards)
            return card if self.forced is None else self.forced

    def lead(answers) -> int:
        _, _, position = dealt(seed, deal_index, EAAI)
        return points_of(play(position, answers).table, EAAI, seat)

    own = Forced()
    won = lead(own)
    if own.choices is None or own.best[0] == 0:
        return []
    hand, barred, card = own.choices
    others = int(sensible_discards(hand, barred, *own.best)) & ~(1 << card)
    if not others:
        return []
    other = int(nth_card(others, rng.low_below(np.uint64(rng.word(key, 1)), others.bit_count())))
    return [float(won - lead(Forced(other)))]
