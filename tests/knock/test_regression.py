"""The knock rule by features: solved by hand, against a slow reference, and against the table."""

from __future__ import annotations

import threading

import numpy as np
import pytest

from gin_sim.errors import InputError
from gin_sim.knock import regression
from gin_sim.knock.best_response import chosen_values, own_values, solve
from gin_sim.knock.cells import CLASSES
from gin_sim.knock.comparisons import lines_of, table_values, threshold_values, what_matters
from gin_sim.knock.features import SOURCES, Features
from gin_sim.knock.regression import fit_by_features, ridge
from gin_sim.knock.tracing import Traced, trace
from gin_sim.payoff.payoff import PriceTable
from gin_sim.play.knock_trace import END, TRACED_KNOCK, TracePlan
from gin_sim.policies.catalogue import parse_policy
from gin_sim.rules import parse_rules

RULES = parse_rules("standard:box_bonus=0")
POINTS = PriceTable.of_points(RULES)


def plan_of(deals, play="greedy", opponent="simple", seed=1):
    return TracePlan((parse_policy(play), parse_policy(opponent)), RULES, deals, seed)


def fields(**of_a_knock):
    return of_a_knock


def traced_of(knocks, ends):
    """A trace of knocks, dicts of fields by path, and the points of each path's end."""
    rows = np.zeros(len(knocks), TRACED_KNOCK).view(np.recarray)
    for row, knock in zip(rows, knocks, strict=True):
        row.loose, row.stock_left, row.deadwood, row.lower = 3, 20, 5, 6
        for name, value in knock.items():
            row[name] = value
    found = np.zeros(len(ends), END).view(np.recarray)
    found.points = ends
    return Traced(plan_of(len(ends)), rows, found, np.zeros((2, 32, 100), np.int64))


def random_trace(n_paths, seed=5, last=4):
    """Paths with up to ``last`` knocks that score by what is seen, and by what is not."""
    random = np.random.default_rng(seed)
    knocks = []
    for path in range(n_paths):
        for turn in range(1, last + 1):
            if random.random() < 0.3:
                continue
            seen = fields(
                deadwood=random.integers(1, 11),
                outs=random.integers(0, 5),
                lower=random.integers(0, 12),
                loose=random.integers(1, 5),
                takes=random.integers(0, 4),
                stock_left=31 - 2 * turn - random.integers(0, 2),
                layoff=random.integers(0, 160) / 16,
                knocks=random.integers(0, 2),
            )
            points = 9 - 4 * seen["takes"] - 2 * seen["outs"] + seen["loose"]
            points += random.integers(-12, 13)
            knocks.append(fields(path=path, turn=turn, points=points, **seen))
    return traced_of(knocks, random.integers(-20, 21, n_paths))


# ---------------------------------------------------------------------------- solved by hand


def test_ridge_by_hand():
    # x is -1 or 1, y is 1 + 2 x: deviation 1, covariance 2; two rows of penalty on two rows.
    rows = np.array([[1.0, -1.0, 7.0, -1.0], [1.0, 1.0, 7.0, 3.0]])
    coefficients, deviations = ridge(rows.T @ rows, penalty=0.0)
    np.testing.assert_allclose(coefficients, [1.0, 2.0, 0.0], atol=1e-12)
    np.testing.assert_allclose(deviations, [0.0, 1.0, 0.0], atol=1e-12)
    coefficients, _ = ridge(rows.T @ rows, penalty=2.0)
    np.testing.assert_allclose(coefficients, [1.0, 1.0, 0.0], atol=1e-12)


def hand_solved():
    """Two turns.  On the second a knock scores 4 without outs, and -6 with three; the end, 0.

    Either is as likely, so going on from the first turn is worth 2; a knock there scores 5 less
    its deadwood of 1, 2, 4 or 5.  Best: knock with 1 and 2, worth (4 + 3 + 2 + 2) / 4.  Knocking
    whenever that scores would be worth (4 + 3 + 1 + 2) / 4.
    """
    knocks = []
    n_paths = 8 * 4 * 40
    for path in range(n_paths):
        deadwood = (1, 2, 4, 5)[path // 4 % 4]
        outs = (0, 3)[path // 16 % 2]
        knocks.append(fields(path=path, turn=1, deadwood=deadwood, points=5 - deadwood, knocks=1))
        knocks.append(fields(path=path, turn=2, outs=outs, points=-6 if outs else 4))
    return traced_of(knocks, np.zeros(n_paths, np.int64))


def test_a_stopping_problem_solved_by_hand(monkeypatch):
    monkeypatch.setattr(regression, "POOL", 1000)
    traced = hand_solved()
    rule = fit_by_features(traced, POINTS)
    assert rule.value.estimate == rule.in_sample.estimate == 2.75
    assert rule.own.estimate == (4 + 3 + 1 + 0) / 4
    assert rule.gain.estimate == 2.75 - 2.0
    first = traced.knocks["turn"] == 1
    gains = rule.gains_of(traced.knocks)
    # Pooled with nothing, and a penalty of 10 knocks in 1,280.
    expected = np.where(first, 3.0 - traced.knocks["deadwood"], traced.knocks["points"])
    np.testing.assert_allclose(gains, expected, atol=0.1)
    assert np.array_equal(gains > 0, expected > 0)
    assert {name for name, _ in rule.strongest(2)} <= {
        *(name for name in rule.features.names if "outs" in name)
    }
    text = "\n".join(lines_of(rule, {"own": own_values(traced, POINTS)}))
    assert "+2.750" in text
    assert "turn  1: deadwood" in text


def test_boxes_count():
    traced = hand_solved()
    # With three outs a knock of the second turn now wins the hand, by a tie that scores nothing.
    late = (traced.knocks["turn"] == 2) & (traced.knocks["outs"] == 3)
    traced.knocks["points"][late] = 0
    traced.knocks["won"][late] = 1
    rule = fit_by_features(
        traced, PriceTable.of_points(parse_rules("standard:box_bonus=4"), "points+boxes")
    )
    # The second turn is worth 4 + 4 or 4, so 6; the first 8 with deadwood 1, 7 with 2, 5 with 4
    # and, since it scores nothing and wins nothing, 0 with 5.
    assert rule.value.estimate == (8 + 7 + 6 + 6) / 4


def test_a_linear_rule_is_found_through_noise():
    """A knock scores 6 - 4 takes, give or take up to 30; going on, nothing."""
    random = np.random.default_rng(3)
    takes = random.integers(0, 4, 20_000)
    noise = random.integers(-30, 31, len(takes))
    knocks = [
        fields(path=path, turn=5, takes=take, points=6 - 4 * take + luck, deadwood=1 + path % 10)
        for path, (take, luck) in enumerate(zip(takes.tolist(), noise.tolist(), strict=True))
    ]
    traced = traced_of(knocks, np.zeros(len(takes), np.int64))
    rule = fit_by_features(traced, POINTS)
    best = np.where(takes <= 1, traced.knocks["points"], 0)
    assert np.mean((rule.gains_of(traced.knocks) > 0) == (takes <= 1)) > 0.99
    assert np.mean(rule.values != best) < 0.02
    assert rule.value.estimate == pytest.approx(best.mean(), abs=0.05)
    # By turn and deadwood alone, nothing is gained: a knock is worth 0 in the mean.
    assert rule.over(table_values(traced, POINTS, CLASSES["none"])).low > 1.5
    losses = what_matters(traced, POINTS, rule)
    assert next(iter(losses)) == "takes"
    assert losses["takes"].low > 1.5
    assert all(losses[name].estimate < 0.1 for name in SOURCES if name != "takes")


# --------------------------------------------------------------------------- a slow reference


def slow_features(knock):
    of = {name: float(knock[name]) for name in SOURCES}
    found = [1.0, float(knock["turn"]), *of.values()]
    for place, one in enumerate(SOURCES):
        found += [of[one] * of[other] for other in SOURCES[place:]]
    none, three = float(of["outs"] == 0), float(of["outs"] >= 3)
    found += [none, three, of["deadwood"] * none, of["deadwood"] * three]
    found += [of["loose"] == 1, of["loose"] == 2, of["takes"] == 0, of["lower"] == 0]
    return [float(value) for value in found]


def slow_ridge(rows, gains):
    """Ridge as least squares with rows of penalty, on standardised features."""
    rows, gains = np.array(rows)[:, 1:], np.array(gains)
    means, spread = rows.mean(0), rows.std(0)
    varies = spread > 1e-9
    standard = (rows[:, varies] - means[varies]) / spread[varies]
    penalty = np.sqrt(regression.RIDGE) * np.eye(varies.sum())
    found = np.linalg.lstsq(
        np.vstack([standard, penalty]),
        np.concatenate([gains - gains.mean(), np.zeros(varies.sum())]),
        rcond=None,
    )[0]
    return lambda row: (
        gains.mean() + found @ ((np.array(row)[1:][varies] - means[varies]) / spread[varies])
    )


def slow_values(paths, ends, fitted, n_linear):
    """Each path's value under the rule that the fitted paths give, by plain loops."""
    last = max((knock["turn"] for path in fitted for knock in paths[path]), default=0)

    def one_pass(stop, width):
        rules, chosen, later = {}, set(), []
        worth = {path: ends[path] for path in fitted}
        for turn in range(last, 0, -1):
            here = [(path, k) for path in fitted for k in paths[path] if k["turn"] == turn]
            later.insert(
                0,
                [
                    (slow_features(knock)[:width], float(knock["points"]) - worth[path])
                    for path, knock in here
                    if turn <= stop[path]
                ],
            )
            pooled = []
            for more in later:
                pooled += more
                if len(pooled) >= regression.POOL:
                    break
            if len(pooled) < regression.AT_LEAST:
                continue
            rules[turn] = predict = slow_ridge(*zip(*pooled, strict=True))
            for path, knock in here:
                if predict(slow_features(knock)[:width]) > 0:
                    chosen.add((path, turn))
                    worth[path] = float(knock["points"])
        firsts = {path: min([t for p, t in chosen if p == path], default=255) for path in fitted}
        return rules, chosen, firsts, sum(worth.values()) / len(fitted)

    n_all = len(slow_features(np.zeros(1, TRACED_KNOCK)[0]))
    width = n_linear
    best = one_pass(dict.fromkeys(fitted, 255), n_linear)
    before, width = best, n_linear
    for _ in range(2):
        now = one_pass(before[2], n_all)
        if now[3] < best[3] - 1e-9:
            break
        best, width = now, n_all
        if now[1] == before[1]:
            break
        before = now
    values = []
    for path, end in enumerate(ends):
        value = end
        for knock in paths[path]:
            predict = best[0].get(int(knock["turn"]))
            if predict is not None and predict(slow_features(knock)[:width]) > 0:
                value = float(knock["points"])
                break
        values.append(value)
    return np.array(values)


@pytest.mark.long
@pytest.mark.parametrize(("n_paths", "pool"), [(30, 10_000), (150, 10_000), (900, 400), (900, 9)])
def test_against_a_slow_reference(n_paths, pool, monkeypatch):
    monkeypatch.setattr(regression, "POOL", pool)
    traced = random_trace(n_paths)
    rule = fit_by_features(traced, POINTS)
    ends = [float(end) for end in traced.ends["points"]]
    paths = [traced.knocks[traced.knocks["path"] == path] for path in range(n_paths)]
    for judge in (0, 1):
        fitted = [path for path in range(n_paths) if path // 2 % 2 != judge]
        judged = [path for path in range(n_paths) if path // 2 % 2 == judge]
        expected = slow_values(paths, ends, fitted, 2 + len(SOURCES))
        assert np.array_equal(rule.values[judged], expected[judged])
    in_sample = slow_values(paths, ends, list(range(n_paths)), 2 + len(SOURCES))
    assert rule.in_sample.estimate == pytest.approx(in_sample.mean(), rel=1e-12)


def test_features_against_the_reference():
    knocks = random_trace(40).knocks
    features = Features()
    found = features.of(knocks)
    assert found.shape == (len(knocks), len(features.names))
    assert len(set(features.names)) == len(features.names)
    for row, knock in zip(found, knocks, strict=True):
        assert row.tolist() == slow_features(knock)
    fewer = Features(("outs", "takes"))
    assert fewer.names == (
        "constant", "turn", "outs", "takes", "outs squared", "outs x takes", "takes squared",
        "no outs", "3+ outs", "no takes",
    )  # fmt: skip
    assert fewer.of(knocks).shape[1] == len(fewer.names)


@pytest.mark.parametrize("n", [0, 1, 127, 128, 129, 8192, 8200, 20_000])
def test_products_are_exact_in_any_order(n):
    random = np.random.default_rng(n)
    columns = (random.integers(0, 60 * 16, (n, 5)) / 16).astype(np.float32)
    gains = random.integers(-60, 61, n).astype(np.float64)
    whole = np.concatenate([columns * 16, gains[:, None] * 16], axis=1).astype(np.int64)
    expected = (whole.T @ whole) / 256
    assert np.array_equal(regression._products(columns, gains), expected)
    order = random.permutation(n)
    assert np.array_equal(regression._products(columns, gains, order), expected)
    some = np.flatnonzero(random.random(n) < 0.4)
    part = whole[some]
    found = regression._products(columns, gains, some)
    assert np.array_equal(found, (part.T @ part) / 256)


# ------------------------------------------------------------------------------ little data


def test_no_knocks_at_all():
    traced = traced_of([], [5, -3, 10, 0, 0, 6])
    rule = fit_by_features(traced, POINTS)
    assert rule.value.estimate == rule.in_sample.estimate == rule.own.estimate == 3.0
    assert rule.gain.estimate == 0.0
    assert len(rule.coefficients) == 0
    assert len(rule.gains_of(traced.knocks)) == 0
    assert len(lines_of(rule)) == 3


@pytest.mark.parametrize("n_paths", [0, 1, 2, 3])
def test_a_rule_from_hardly_any_paths_plays_on(n_paths):
    knocks = [fields(path=path, turn=2, points=50) for path in range(n_paths)]
    rule = fit_by_features(traced_of(knocks, [1] * n_paths), POINTS)
    # Too few to decide by: it goes on.
    assert np.array_equal(rule.values, np.ones(n_paths))


def test_fewer_rows_than_features():
    n_paths = 4 * 20
    assert n_paths // 2 < len(Features().names)
    random = np.random.default_rng(1)
    knocks = []
    for path in range(n_paths):
        points, outs = (20, 0) if path // 4 % 2 else (-20, 2)
        lower, takes = random.integers(0, 9), random.integers(0, 4)
        knocks.append(fields(path=path, turn=3, points=points, outs=outs, lower=lower, takes=takes))
    rule = fit_by_features(traced_of(knocks, [0] * n_paths), POINTS)
    assert rule.in_sample.estimate == rule.value.estimate == 10.0


def test_a_turn_with_few_knocks_is_judged_with_later_ones():
    # Nine knocks of turn 4 cannot decide; with the two hundred of turn 5 they do.
    knocks = [
        fields(path=path, turn=5 if path % 24 else 4, points=8, deadwood=1 + path % 7)
        for path in range(216)
    ]
    rule = fit_by_features(traced_of(knocks, [0] * 216), POINTS)
    assert rule.value.estimate == 8.0


# -------------------------------------------------------------------------------- real play


@pytest.fixture(scope="module", params=["greedy", "strong"])
def played(request):
    traced = trace(plan_of(60_000, request.param, seed=9))
    return traced, fit_by_features(traced, POINTS)


@pytest.mark.long
def test_worth_more_than_tables_and_thresholds(played):
    traced, rule = played
    solved = solve(traced, CLASSES["outs"], POINTS)
    by_outs = table_values(traced, POINTS, CLASSES["outs"])
    assert by_outs.mean() == pytest.approx(solved.value.estimate, rel=1e-12)
    assert own_values(traced, POINTS).mean() == pytest.approx(solved.own.estimate, rel=1e-12)
    assert rule.own == solved.own
    threshold = threshold_values(traced, POINTS)
    assert threshold.mean() <= max(each.estimate for each in solved.thresholds) + 1e-9
    assert rule.over(by_outs).low > 0
    assert rule.over(table_values(traced, POINTS, CLASSES["none"])).low > 0
    assert rule.over(threshold).low > 0
    assert rule.gain.low > 0
    assert rule.value.estimate < rule.in_sample.estimate


@pytest.mark.long
def test_the_figures_bracket_what_fresh_deals_give(played):
    traced, rule = played
    fresh = trace(plan_of(60_000, traced.plan.policies[0].spec, seed=10))
    chosen = rule.gains_of(fresh.knocks) > 0
    values = chosen_values(fresh, POINTS, chosen)
    # Less the own rule's, path by path: most of the luck of the deals falls out.
    gain = (values - own_values(fresh, POINTS)).mean()
    assert rule.gain.low - rule.gain.half_width < gain
    assert gain < rule.gain.high + rule.gain.half_width


def test_the_fit_repeats_and_ignores_the_opponents_hand(played):
    traced, rule = played
    knocks = traced.knocks.copy()
    knocks["defender"] = np.random.default_rng(1).integers(0, 60, len(knocks))
    again = fit_by_features(Traced(traced.plan, knocks, traced.ends, traced.seen), POINTS)
    assert np.array_equal(again.values, rule.values)
    assert np.array_equal(again.coefficients, rule.coefficients)
    assert again.in_sample == rule.in_sample
    chosen = rule.gains_of(traced.knocks) > 0
    in_sample = chosen_values(traced, POINTS, chosen).mean()
    assert in_sample == pytest.approx(rule.in_sample.estimate, rel=1e-12)


# -------------------------------------------------------------------------------- bad input


def test_a_stopped_fit_returns_none():
    stop = threading.Event()
    assert fit_by_features(hand_solved(), POINTS, stop=stop) is not None
    stop.set()
    assert fit_by_features(hand_solved(), POINTS, stop=stop) is None


def test_two_sided_traces_and_unknown_features_are_refused():
    both = traced_of([fields(path=0, turn=1), fields(path=0, turn=1, side=1)], [0])
    with pytest.raises(InputError, match="hold knocks of both sides"):
        fit_by_features(both, POINTS)
    with pytest.raises(InputError, match="a knock rule cannot look at 'defender'"):
        Features(("deadwood", "defender"))
    rule = fit_by_features(hand_solved(), POINTS)
    with pytest.raises(InputError, match="no turn 3; its turns are 1 to 2"):
        rule.strongest(3)
