"""Solved knock rules: against real play, by brute force, by linear programming, and in literature.

What a rule is worth on traced paths is compared with hands that the rule really played; the best
rule with every rule there is, where there are few; the equilibrium with the linear programme's.
"""

from __future__ import annotations

import itertools
import threading
from functools import cache

import numpy as np
import pytest
from traced_by_hand import trace_of

from gin_sim.engine.jit import run_kernel
from gin_sim.errors import InputError
from gin_sim.knock.best_response import best_response, mean_of, solve, values_of
from gin_sim.knock.cells import CLASSES, Cells, knock_limit_of, paths_of
from gin_sim.knock.equilibrium import equilibrium, exploitability
from gin_sim.knock.induction import PathArrays, follow
from gin_sim.knock.tracing import trace
from gin_sim.knock.validation import opponent_deadwood, table_text, undercut_chances
from gin_sim.payoff.payoff import PriceTable
from gin_sim.play.knock_trace import TRACED_KNOCK, TracePlan
from gin_sim.play.pairings import PairingsPlan
from gin_sim.play.plans import Plan
from gin_sim.play.run import simulate
from gin_sim.play.tallies import LEAD_IN_POINTS
from gin_sim.policies.catalogue import parse_policy
from gin_sim.policies.shipped.knock_table import knock_text
from gin_sim.policies.specs import read_spec
from gin_sim.rules import parse_rules

POINTS = PriceTable.of_points(parse_rules("oklahoma"))  # its points go furthest, spades doubled


@cache
def policy_of(spec, knock=None):
    return parse_policy(spec if knock is None else read_spec(spec).changed({"knock": knock}))


def traced_plan(play, opponent, rules, deals, seed=1, stops=True):
    return TracePlan((policy_of(play), policy_of(opponent)), parse_rules(rules), deals, seed, stops)


def played_leads(pairings, rules, deals, seed, objective="points"):
    """Each deal's lead of side 0 in each pairing, really played; deals up to 1,000."""
    assert deals <= 1000, "then a group of the tally is one deal"
    rules = parse_rules(rules)
    prices = PriceTable.of_points(rules, objective).whole_numbers
    plan = PairingsPlan(tuple(pairings), rules, deals, prices, seed, mirrored=False)
    return np.array(simulate(plan).tally.sums[0])


# ------------------------------------------------------------- a rule on paths is the rule played

MEETINGS = {
    "standard": ("greedy:knock=4|6|8/10/5|0|10", "simple", "standard"),
    "strong play": ("strong", "marjj", "standard"),
    "eaai": ("simple", "strong", "eaai"),
    "oklahoma": ("marjj", "greedy", "oklahoma"),
    "openspiel": ("greedy", "simple:knock=2", "openspiel"),
    "layoffs on gin": ("greedy", "heisenbot", "classic:layoff_on_gin=yes"),
}
DEALS, SEED = 1000, 8


@cache
def traced_paths(meeting, objective="points"):
    play, opponent, rules = MEETINGS[meeting]
    traced = trace(traced_plan(play, opponent, rules, DEALS, SEED))
    cells = Cells(CLASSES["outs"], 10)
    return (
        traced,
        cells,
        paths_of(traced, cells, PriceTable.of_points(parse_rules(rules), objective)),
    )


def random_tables(seed, n):
    """Knock tables with any set of deadwoods, by own turn and class of outs, as masks."""
    random = np.random.default_rng(seed)
    for number in range(n):
        share = (0.1, 0.4, 0.8)[number % 3]
        knocks = random.random((20, 3, 11)) < share
        knocks[:, :, 0] = False
        yield (knocks << np.arange(11)).sum(axis=2), knocks.reshape(-1)


@pytest.mark.long
@pytest.mark.parametrize("meeting", MEETINGS)
def test_the_value_of_a_rule_on_paths_is_its_simulation(meeting):
    play, opponent, rules = MEETINGS[meeting]
    traced, cells, paths = traced_paths(meeting)
    tables = list(random_tables(seed=4, n=6))
    knocks = [None, *map(str, range(11)), *(knock_text(masks) for masks, _ in tables)]
    pairings = [(policy_of(play, knock), policy_of(opponent)) for knock in knocks]
    leads = played_leads(pairings, rules, DEALS, SEED)
    nobody = np.zeros(cells.n)
    # Tables by class of outs, and single thresholds, deal by deal.
    places = np.arange(cells.n) % 11
    for threshold in range(11):
        rule = (places > 0) & (places <= threshold)
        np.testing.assert_array_equal(values_of(paths, nobody, rule), leads[:, 1 + threshold])
    for number, (_, rule) in enumerate(tables):
        np.testing.assert_array_equal(values_of(paths, nobody, rule), leads[:, 12 + number])
    # And as they are reported.
    solved = solve(traced, CLASSES["outs"], POINTS)
    assert solved.own.estimate == pytest.approx(leads[:, 0].mean(), abs=1e-9)
    for threshold, figure in enumerate(solved.thresholds):
        assert figure.estimate == pytest.approx(leads[:, 1 + threshold].mean(), abs=1e-9)
    # The solved rule itself, played as its table.
    policy = policy_of(play, table_text(solved))
    expected = played_leads([(policy, policy_of(opponent))], rules, DEALS, SEED)[:, 0]
    rule = solved.rule.reshape(-1)
    np.testing.assert_array_equal(values_of(paths, nobody, rule), expected)


def test_the_same_with_the_box_of_each_hand_won():
    play, opponent, rules = MEETINGS["standard"]
    _, cells, paths = traced_paths("standard", "points+boxes")
    tables = list(random_tables(seed=5, n=3))
    pairings = [(policy_of(play, knock_text(m)), policy_of(opponent)) for m, _ in tables]
    leads = played_leads(pairings, rules, DEALS, SEED, "points+boxes")
    for number, (_, rule) in enumerate(tables):
        np.testing.assert_array_equal(values_of(paths, np.zeros(cells.n), rule), leads[:, number])


def test_the_own_rules_value_is_that_of_a_plain_simulation():
    play, opponent, rules = MEETINGS["standard"]
    traced, _, _ = traced_paths("standard")
    policies = (policy_of(play), policy_of(opponent))
    tally = simulate(Plan(policies, parse_rules(rules), DEALS, SEED, mirrored=False)).tally
    solved = solve(traced, CLASSES["outs"], POINTS)
    assert tally.hands[0] == DEALS
    assert solved.own.estimate * DEALS == pytest.approx(
        int(tally.leads[0, LEAD_IN_POINTS]), abs=1e-6
    )


@pytest.mark.parametrize(
    ("play", "opponent", "rules"),
    [("greedy", "greedy", "standard"), ("strong", "simple", "oklahoma"),
     ("simple", "greedy", "openspiel")],
)  # fmt: skip
def test_two_rules_on_two_sided_paths_are_the_two_rules_played(play, opponent, rules):
    traced = trace(traced_plan(play, opponent, rules, DEALS, SEED, stops=False))
    cells = Cells(CLASSES["outs"], 10)
    paths = paths_of(traced, cells, POINTS)
    ours, theirs = list(random_tables(seed=6, n=4)), list(random_tables(seed=7, n=4))
    pairings = [
        (policy_of(play, knock_text(our[0])), policy_of(opponent, knock_text(their[0])))
        for our, their in zip(ours, theirs, strict=True)
    ]
    leads = played_leads(pairings, rules, DEALS, SEED)
    for number, (our, their) in enumerate(zip(ours, theirs, strict=True)):
        worth, _, _ = followed(paths, np.stack([our[1], their[1]]).astype(float))
        np.testing.assert_array_equal(worth, leads[:, number])
        np.testing.assert_array_equal(
            values_of(paths, our[1].astype(float), their[1], side=1), leads[:, number]
        )


def followed(paths, chances):
    worth, gains, reaches = (
        np.zeros(len(paths.ends)),
        np.zeros(chances.shape),
        np.zeros(chances.shape),
    )
    run_kernel(
        follow,
        paths,
        *(chances, worth, gains, reaches),
    )  # fmt: skip
    return worth, gains, reaches


# ------------------------------------------------------------------ small problems, all rules tried

#: Cells of a small problem: own turns 1 to 3, deadwoods 1 to 3 (0 is gin, never asked).
SHAPE = (3, 1, 4)


def small(rows, weights=None):
    """Paths from rows of knocks (side, turn, deadwood, value) and an end, each many times."""
    starts, knocks, ends = [0], [], []
    for place, (path, end) in enumerate(rows):
        for _ in range(24 * (1 if weights is None else weights[place])):
            knocks += path
            ends.append(end)
            starts.append(len(knocks))
    sides, turns, deadwoods, values = (np.array(each) for each in zip(*knocks, strict=True))
    return PathArrays(
        np.array(starts, np.int64), sides.astype(np.uint8), turns.astype(np.uint8),
        ((turns - 1) * SHAPE[2] + deadwoods).astype(np.int32), values.astype(np.float32),
        np.array(ends, np.float32),
    )  # fmt: skip


def cell_of(turn, deadwood):
    return (turn - 1) * SHAPE[2] + deadwood


def slow_value(rows, weights, chances):
    """The mean value to side 0 of two mixed rules, dicts from (turn, deadwood) to a chance."""
    total = 0.0
    for (path, end), weight in zip(rows, weights, strict=True):
        going = 1.0
        for side, turn, deadwood, value in path:
            knock = chances[side].get((turn, deadwood), 0.0)
            total += weight * going * knock * (value if side == 0 else -value)
            going *= 1 - knock
        total += weight * going * end
    return total / sum(weights)


def all_rules(cells):
    for knocks in itertools.product((0.0, 1.0), repeat=len(cells)):
        yield dict(zip(cells, knocks, strict=True))


def as_rule(rule):
    return {
        (turn, deadwood): float(rule[cell_of(turn, deadwood)])
        for turn in (1, 2, 3)
        for deadwood in (1, 2, 3)
    }


def as_chances(mixed):
    chances = np.zeros(12)
    for (turn, deadwood), chance in mixed.items():
        chances[cell_of(turn, deadwood)] = chance
    return chances


def test_a_problem_solved_by_hand():
    """Deadwood 1 or 2 on the first turn, as likely; then a knock is worth 6 or -2, as likely.

    The second turn tells which, by its deadwood, so going on is worth (6 + 0) / 2 = 3: the first
    turn knocks with 1 for 4, and not with 2 for 2.  Value (4 + 3) / 2.
    """
    rows = [
        ([(0, 1, first, score), (0, 2, second, later)], 0)
        for first, score in ((1, 4), (2, 2))
        for second, later in ((1, 6), (2, -2))
    ]
    paths = small(rows)
    rule = best_response(paths, SHAPE, np.zeros(12))
    expected = {(1, 1), (2, 1)}
    assert {(t, d) for t in (1, 2) for d in (1, 2) if rule[cell_of(t, d)]} == expected
    assert values_of(paths, np.zeros(12), rule).mean() == 3.5


def test_earlier_knocks_of_the_rule_change_who_comes_later():
    """Both kinds of path meet one cell on the second turn, but one of them ought to have knocked.

    A knock there is worth 5 to the first kind and -3 to the second, so that it gains 1 on average
    over both; but the first kind knocks on the first turn for 10, and those who do come had better
    go on.  Value (10 + 0) / 2; knocking on the second turn would make it (10 - 3) / 2.
    """
    rows = [
        ([(0, 1, 1, 10), (0, 2, 3, 5)], 0),
        ([(0, 1, 2, -10), (0, 2, 3, -3)], 0),
    ]
    paths = small(rows)
    rule = best_response(paths, SHAPE, np.zeros(12))
    assert rule[cell_of(1, 1)]
    assert not rule[cell_of(1, 2)]
    assert not rule[cell_of(2, 3)]
    value = values_of(paths, np.zeros(12), rule).mean()
    assert value == 5.0
    cells = [(1, 1), (1, 2), (2, 3)]
    assert value == max(slow_value(rows, [1, 1], (each, {})) for each in all_rules(cells))


@pytest.mark.long
@pytest.mark.parametrize("seed", range(6))
def test_the_best_of_all_rules_is_found(seed):
    """A chain of deadwoods over three turns: 512 rules, each valued on its 27 paths."""
    random = np.random.default_rng(seed)
    scores = random.integers(-9, 10, (3, 4))
    last = random.integers(-9, 10, 4)
    rows, weights = [], []
    steps = random.integers(1, 4, (2, 4, 4))
    for a, b, c in itertools.product((1, 2, 3), repeat=3):
        knocks = [(0, turn, d, scores[turn - 1, d]) for turn, d in ((1, a), (2, b), (3, c))]
        rows.append((knocks, last[c]))
        weights.append(int(steps[0, a, b] * steps[1, b, c]))
    cells = list(itertools.product((1, 2, 3), repeat=2))
    best = max(slow_value(rows, weights, (each, {})) for each in all_rules(cells))
    paths = small(rows, weights)
    rule = best_response(paths, SHAPE, np.zeros(12))
    assert slow_value(rows, weights, (as_rule(rule), {})) == pytest.approx(best, abs=1e-9)
    assert values_of(paths, np.zeros(12), rule).mean() == pytest.approx(best, abs=1e-6)


@pytest.mark.parametrize("side", [0, 1])
@pytest.mark.parametrize("seed", range(4))
def test_of_all_rules_the_best_against_a_mixed_one_is_found(side, seed):
    """Two turns each, one after the other; the other side knocks by chance."""
    random = np.random.default_rng(100 + seed)
    scores = random.integers(-9, 10, (2, 4, 4))  # by own turn, own deadwood and the other's
    ends = random.integers(-9, 10, (4, 4, 4))
    mine_weigh, their_weigh = random.integers(1, 4, (4, 4)), random.integers(1, 4, (4, 4))
    rows, weights = [], []
    for mine in itertools.product((1, 2, 3), repeat=2):
        for their in itertools.product((1, 2, 3), repeat=2):
            knocks = []
            for turn in (1, 2):
                ours, theirs = mine[turn - 1], their[turn - 1]
                knocks.append((side, turn, ours, scores[turn - 1, ours, theirs]))
                knocks.append((1 - side, turn, theirs, 2 * theirs - 3 + turn))
            # What comes after the second turn depends on nothing that the first decided.
            rows.append((knocks, ends[mine[1], their[0], their[1]]))
            weights.append(int(mine_weigh[mine] * their_weigh[their]))
    mixed = {(turn, d): random.choice([0.25, 0.5, 0.75]) for turn in (1, 2) for d in (1, 2, 3)}

    def valued(own):
        rules = (own, mixed) if side == 0 else (mixed, own)
        return slow_value(rows, weights, rules) * (1 if side == 0 else -1)

    best = max(map(valued, all_rules(list(itertools.product((1, 2), (1, 2, 3))))))
    paths = small(rows, weights)
    rule = best_response(paths, SHAPE, as_chances(mixed), side)
    assert valued(as_rule(rule)) == pytest.approx(best, abs=1e-9)


def test_cells_with_few_knocks_follow_all_classes_or_the_next_lower_deadwood():
    """A cell with too little data of its own.

    On turn 1, class 0 has 40 knocks with deadwood 3 that gain, and class 1 has 4 that lose; class
    1 does as all do.  Deadwood 4 has 4 knocks in all, which lose, and does as deadwood 3.
    """
    shape = (1, 2, 5)
    cells = [3] * 40 + [5 + 3] * 4 + [4] * 4
    values = [5.0] * 40 + [-5.0] * 8
    n = len(cells)
    paths = PathArrays(
        np.arange(n + 1), np.zeros(n, np.uint8), np.ones(n, np.uint8),
        np.array(cells, np.int32), np.array(values, np.float32), np.zeros(n, np.float32),
    )  # fmt: skip
    rule = best_response(paths, shape, np.zeros(10)).reshape(shape)
    assert rule[0].tolist() == [[False, False, False, True, True]] * 2


# ------------------------------------------------------------------------------ charts, by hand


def traced_of(paths, ends, deadwood_of_opponent=(), rules="standard", stops=True):
    """A trace of hand-made knocks: a list of dicts for each path, and the points of its end."""
    plan = traced_plan("greedy", "greedy", rules, len(ends), stops=stops)
    seen = np.zeros((2, 32, 100), np.int64)
    for turn, deadwood in deadwood_of_opponent:
        seen[1, turn - 1, deadwood] += 1
    return trace_of(plan, paths, ends, seen)


def test_the_chart_by_hand():
    """The first problem above as a trace, 100 times: what each cell gains, and from how many."""
    paths, ends = [], []
    for number in range(400 * 4):
        first, second = 1 + (number >> 2) % 2, 1 + (number >> 3) % 2
        paths.append([
            {"turn": 1, "deadwood": first, "points": 6 - 2 * first, "knocks": 1},
            {"turn": 2, "deadwood": second, "points": (6, -2)[second - 1], "won": 3 - 2 * second},
        ])  # fmt: skip
        ends.append(0)
    solved = solve(traced_of(paths, ends), CLASSES["none"], POINTS)
    first, second = solved.chart[0][0], solved.chart[1][0]
    assert [cell.gain.estimate for cell in first[:2]] == [1.0, -1.0]
    assert [cell.n for cell in first[:2]] == [800, 800]
    # Only those who come: with deadwood 1 on the first turn the rule has knocked.
    assert [(cell.gain.estimate, cell.n) for cell in second[:2]] == [(6.0, 400), (-2.0, 400)]
    assert [cell.decision for cell in first[:3]] == ["knock", "play on", "few"]
    assert solved.value.estimate == 3.5
    assert solved.own.estimate == 3.0
    assert solved.gain.estimate == 0.5
    # Thresholds: 0 never knocks; 1 knocks for 4, or for 6 half of the time; 2 always.
    assert [figure.estimate for figure in solved.thresholds[:3]] == [0.0, 3.5, 3.0]
    assert solved.over_best_threshold.estimate == 0.0
    # On turns that no path has, nothing speaks for a knock.
    assert table_text(solved) == "1/1/0"
    undercuts = undercut_chances(solved.traced)
    assert [(turn, d, chance.estimate, n) for turn, d, chance, n in undercuts if n] == [
        (1, 1, 0.0, 800), (1, 2, 0.0, 800), (2, 1, 0.0, 800), (2, 2, 1.0, 800),
    ]  # fmt: skip


def test_the_rule_does_what_a_clear_cell_says():
    """Of two halves that disagree about the second turn, a rule of all deals asks neither.

    A knock on the second turn is worth 20 to one half and -22 to the other, -1 in all: the rule of
    all goes on, for 0, and so would not knock on the first turn for -3.  Judged by the other half's
    rule, going on there is worth 0 to the first and -22 to the second: a knock gains -3 and 19, so
    8 in the mean, which is clear; and what is clear is done.
    """
    paths = [
        [
            {"turn": 1, "deadwood": 1, "points": -3},
            {"turn": 2, "deadwood": 2, "points": -22 if number >> 1 & 1 else 20},
        ]
        for number in range(800)
    ]
    traced = traced_of(paths, [0] * len(paths))
    solved = solve(traced, CLASSES["none"], POINTS)
    first, second = solved.chart[0][0][0], solved.chart[1][0][1]
    assert (first.gain.estimate, first.decision) == (8.0, "knock")
    assert (second.gain.estimate, second.decision) == (-1.0, "too close")
    cells = Cells(CLASSES["none"], 10)
    alone = best_response(paths_of(traced, cells, POINTS), cells.shape, np.zeros(cells.n))
    assert not alone.any()
    assert solved.rule[0, 0, 1]
    assert not solved.rule[1, 0, 2], "too close: as the rule of all deals"


def test_deadwood_of_the_opponent_by_turn():
    traced = traced_of([[]], [0], deadwood_of_opponent=[(1, 40), (1, 40), (3, 7)])
    found = dict(opponent_deadwood(traced))
    assert list(found) == [1, 3]
    assert found[1][40] == 2
    assert found[3][7] == 1
    assert sum(found[1]) + sum(found[3]) == 3


@pytest.mark.parametrize("name", CLASSES)
def test_every_class_holds_what_it_is_called(name):
    """A class called 1-2 holds 1 and 2; one called 3+ all from 3."""
    classes = CLASSES[name]
    knocks = np.zeros(13, TRACED_KNOCK).view(np.recarray)
    if classes.field:
        knocks[classes.field] = np.arange(13)
    for number, found in enumerate(classes.of(knocks).tolist()):
        label = classes.names[found]
        if label == "all" or (name == "loose" and number == 0):
            continue
        low, _, high = label.removesuffix("+").partition("-")
        assert int(low) <= number
        assert label.endswith("+") or number <= int(high or low)


# --------------------------------------------------------------------- against every threshold


@pytest.mark.long
@pytest.mark.parametrize(
    ("play", "opponent", "deals"), [("greedy", "simple", 60_000), ("strong", "simple", 30_000)]
)
def test_the_solved_rule_does_no_worse_than_any_threshold_on_other_deals(play, opponent, deals):
    rules = "standard:box_bonus=0"
    fitted = trace(traced_plan(play, opponent, rules, deals, seed=1))
    judged = trace(traced_plan(play, opponent, rules, deals, seed=2))
    solved = solve(fitted, CLASSES["outs"], POINTS)
    cells = Cells(CLASSES["outs"], 10)
    paths = paths_of(judged, cells, POINTS)
    nobody = np.zeros(cells.n)
    values = values_of(paths, nobody, solved.rule.reshape(-1))
    places = np.arange(cells.n) % 11
    for threshold in range(11):
        single = values_of(paths, nobody, (places > 0) & (places <= threshold))
        assert mean_of(values - single).high > 0
    # What it was said to be worth, it is: two independent samples within their intervals.
    here = mean_of(values)
    assert max(here.low, solved.value.low) < min(here.high, solved.value.high)
    assert solved.over_best_threshold.high > 0
    if play == "greedy":
        assert mean_of(values - values_of(paths, nobody, (places > 0))).low > 0


@pytest.mark.parametrize("stops", [True, False])
def test_no_other_decision_in_one_cell_would_gain(stops):
    """On the deals that chose the rule, each cell's other decision is tried, the rest as it is."""
    traced = trace(traced_plan("greedy", "simple", "standard:box_bonus=0", 20_000, stops=stops))
    cells = Cells(CLASSES["none"], 10)
    paths = paths_of(traced, cells, POINTS)
    # Against a simple opponent's own rule, or one that knocks half of the time.
    other = np.zeros(cells.n) if stops else np.full(cells.n, 0.5)
    rule = best_response(paths, cells.shape, other)
    value = values_of(paths, other, rule).mean()
    met = np.bincount(paths.cells[paths.sides == 0], minlength=cells.n)
    tried = np.flatnonzero(met >= 50)
    assert len(tried) > 80
    worse = 0
    for cell in tried:
        changed = rule.copy()
        changed[cell] = not rule[cell]
        gain = values_of(paths, other, changed).mean() - value
        # A cell forgets how it was come to, so that working backward need not be exact.
        assert gain < 0.005
        worse += gain < 0
    assert worse > 0.9 * len(tried)


# -------------------------------------------------------------------------------- equilibrium


def test_gains_are_the_slopes_of_the_value():
    """A side's gain in a cell is by how much its value grows with the chance to knock there."""
    random = np.random.default_rng(2)
    rows = []
    for _ in range(30):
        knocks = []
        for turn in (1, 2, 3):
            for side in (0, 1):
                if random.random() < 0.8:
                    knocks.append((side, turn, random.integers(1, 4), random.integers(-9, 10)))
        if knocks:
            rows.append((knocks, random.integers(-9, 10)))
    ones = [1] * len(rows)
    mixed = [
        {(t, d): random.uniform(0.1, 0.7) for t in (1, 2, 3) for d in (1, 2, 3)} for _ in (0, 1)
    ]
    paths = small(rows)
    worth, gains, _ = followed(paths, np.stack([as_chances(each) for each in mixed]))
    assert worth.mean() == pytest.approx(slow_value(rows, ones, mixed), abs=1e-9)
    step = 1e-4
    for side, cell in itertools.product((0, 1), mixed[0]):
        up, down = ([dict(each) for each in mixed] for _ in (0, 1))
        up[side][cell] += step
        down[side][cell] -= step
        slope = (slow_value(rows, ones, up) - slow_value(rows, ones, down)) / (2 * step)
        expected = slope * len(worth) * (1 if side == 0 else -1)
        assert gains[side, cell_of(*cell)] == pytest.approx(expected, abs=1e-4)


def symmetric_game(seed):
    """Two turns each; a player's deadwood, 1 or 2, stays, and says what knocks are worth.

    Either player may be first to move, so that neither seat is better.  A player that comes to its
    second turn did not knock on its first and knows its deadwood: nothing is forgotten.
    """
    random = np.random.default_rng(seed)
    scores = random.integers(-10, 11, (3, 3, 3))  # by own turn, own deadwood and the other's
    ends = random.integers(-10, 11, (3, 3))
    rows = []
    for first, mine, theirs in itertools.product((0, 1), (1, 2), (1, 2)):
        knocks = []
        for turn in (1, 2):
            for side in (first, 1 - first):
                own, other = (mine, theirs) if side == 0 else (theirs, mine)
                knocks.append((side, turn, own, scores[turn, own, other]))
        end = ends[mine, theirs] - ends[theirs, mine]
        rows.append((knocks, end))
    return rows


GAME_CELLS = [(1, 1), (1, 2), (2, 1), (2, 2)]


def needs_a_mixture(rows):
    """Whether the game is worth 0 by weights of the 16 pure rules, and by none of them alone."""
    from scipy.optimize import linprog

    rules = list(all_rules(GAME_CELLS))
    ones = [1] * len(rows)
    payoffs = np.array([[slow_value(rows, ones, (a, b)) for b in rules] for a in rules])
    np.testing.assert_allclose(payoffs, -payoffs.T, atol=1e-12)
    n = len(rules)
    # The most that is sure, by weights that add up to 1: it is 0, for the game is symmetric.
    found = linprog(
        [*[0] * n, -1], A_ub=np.column_stack([-payoffs.T, np.ones(n)]), b_ub=np.zeros(n),
        A_eq=[[*[1] * n, 0]], b_eq=[1], bounds=[*[(0, 1)] * n, (None, None)],
    )  # fmt: skip
    assert found.fun == pytest.approx(0, abs=1e-9)
    return payoffs.max(axis=0).min() > 1e-6  # no pure rule is an equilibrium


def gain_of_the_best_answer(rows, mixed):
    """What the best of the 16 pure rules gains against a mixed one, the value being 0."""
    ones = [1] * len(rows)
    return max(slow_value(rows, ones, (each, mixed)) for each in all_rules(GAME_CELLS))


def solved_game(rows):
    """The equilibrium of a small game, as the program finds it: the last of its steps."""
    paths, ends = [], []
    for number in range(len(rows) * 320):
        knocks, end = rows[(number >> 3) % len(rows)]
        paths.append([
            dict(zip(("side", "turn", "deadwood", "points"), knock, strict=True))
            for knock in knocks
        ])  # fmt: skip
        ends.append(end)
    traced = traced_of(paths, ends, stops=False)
    steps = list(equilibrium(traced, CLASSES["none"], POINTS))
    return steps[-1]


@pytest.mark.long
def test_small_games_are_brought_to_equilibrium():
    n_mixed = 0
    for seed in range(40):
        rows = symmetric_game(seed)
        if not needs_a_mixture(rows):
            continue
        n_mixed += 1
        found = solved_game(rows)
        mixed = {(t, d): float(found.chances[t - 1, 0, d]) for t, d in GAME_CELLS}
        gain = gain_of_the_best_answer(rows, mixed)
        assert 0 <= gain < 0.05
        assert any(0.02 < chance < 0.98 for chance in mixed.values())
        # And the program's own judgement of it says the same.
        assert found.best.exploitability.estimate == pytest.approx(gain, abs=1e-6)
        assert found.best.at_most.estimate == pytest.approx(gain, abs=1e-6)
        if n_mixed == 4:
            break
    assert n_mixed == 4


def test_an_equilibrium_that_is_stopped_keeps_what_was_measured():
    traced = trace(traced_plan("greedy", "greedy", "standard", 2000, stops=False))
    stop = threading.Event()
    whole = equilibrium(traced, CLASSES["none"], POINTS)
    part = equilibrium(traced, CLASSES["none"], POINTS, threads=1, stop=stop)
    for _ in range(2):
        expected, found = next(whole), next(part)
        assert found.steps == expected.steps
        np.testing.assert_array_equal(found.chances, expected.chances)
    stop.set()
    assert list(part) == []
    # Where it is stopped before anything is measured, there is a first rule all the same.
    (first,) = equilibrium(traced, CLASSES["none"], POINTS, stop=stop)
    assert [step.rounds for step in first.steps] == [5]


def test_exploitability_is_what_the_best_response_gains():
    rows = symmetric_game(3)
    random = np.random.default_rng(1)
    paths = small(rows)
    for _ in range(5):
        mixed = {cell: random.uniform(0, 1) for cell in GAME_CELLS}
        expected = gain_of_the_best_answer(rows, mixed)
        found = exploitability(paths, paths, SHAPE, as_chances(mixed))
        assert found.estimate == pytest.approx(expected, abs=1e-6)


@cache
def knock_equilibrium(rules):
    """The equilibrium of greedy play, once it has settled."""
    traced = trace(traced_plan("greedy", "greedy", rules, 120_000, stops=False))
    return list(equilibrium(traced, CLASSES["none"], POINTS))[-1]


def share_of_knocks(found, first, last, low=1, high=10):
    """Of the knocks that the rule comes to on some own turns, which share it makes."""
    chances = found.chances[first - 1 : last, 0, low : high + 1]
    weights = found.weights[first - 1 : last, 0, low : high + 1]
    return float((chances * weights).sum() / weights.sum())


HIGH_BONUSES = "standard:box_bonus=0"
LOW_BONUSES = "standard:gin_bonus=20,undercut_bonus=10,box_bonus=0"


@pytest.mark.long
def test_with_high_bonuses_the_equilibrium_stops_knocking_after_eight_to_ten_turns():
    """As in the 2021 undergraduate research challenge's papers, whose rules have 25 for both."""
    found = knock_equilibrium(HIGH_BONUSES)
    assert share_of_knocks(found, 2, 4) > 0.6
    assert share_of_knocks(found, 6, 8) > 0.4
    assert share_of_knocks(found, 11, 20) < 0.02


@pytest.mark.long
def test_with_low_bonuses_it_stops_markedly_later():
    high, low = knock_equilibrium(HIGH_BONUSES), knock_equilibrium(LOW_BONUSES)
    assert share_of_knocks(low, 9, 11) > 0.25
    assert share_of_knocks(low, 9, 11) > 3 * share_of_knocks(high, 9, 11)

    def last_turn(found):
        """The last own turn on which a fifth of the knocks are made."""
        return max(turn for turn in range(1, 16) if share_of_knocks(found, turn, turn) > 0.2)

    assert last_turn(high) in (8, 9, 10)
    assert last_turn(low) >= last_turn(high) + 2


@pytest.mark.long
def test_early_the_equilibrium_plays_on_with_low_deadwood_and_knocks_with_high():
    found = knock_equilibrium(HIGH_BONUSES)
    assert share_of_knocks(found, 2, 4, 1, 3) < 0.1
    assert share_of_knocks(found, 2, 4, 8, 10) > 0.9


@pytest.mark.long
@pytest.mark.parametrize("rules", [HIGH_BONUSES, LOW_BONUSES])
def test_the_best_response_to_the_equilibrium_gains_less_than_0_05(rules):
    """Below 0.05 points per hand on deals that did not choose it, and near it on those that did."""
    found = knock_equilibrium(rules)
    steps = found.steps
    assert found.best.exploitability.high < 0.05
    assert found.best.at_most.high < 0.1
    assert found.best.at_most.estimate < 0.5 * steps[0].at_most.estimate
    assert all(step.exploitability.estimate < step.at_most.estimate for step in steps)


def test_the_seats_are_worth_the_same():
    """The dealer alternates, and both play alike: a hand is worth nothing to either seat."""
    assert knock_equilibrium(HIGH_BONUSES).value.spans_zero


@pytest.mark.parametrize("rules", ["straight", "standard:knock_limit=0"])
def test_rules_under_which_only_gin_is_laid_down_have_nothing_to_solve(rules):
    with pytest.raises(InputError, match=f"^{rules} rules allow only gin, so there is no knock"):
        knock_limit_of(parse_rules(rules))


def test_by_the_upcard_the_limit_is_that_of_a_ten():
    rules = parse_rules("oklahoma:knock_limit=5")
    assert knock_limit_of(rules) == 10
    with pytest.raises(InputError, match=r"^standard:knock_limit=70 rules allow"):
        knock_limit_of(parse_rules("standard:knock_limit=70"))
