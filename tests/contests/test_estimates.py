"""Rankings, sweeps and value matrices: what their figures are, by sums over deals done here.

Leads are taken deal by deal from single simulations, and means, differences, rankings and replies
are worked out from them with plain NumPy.
"""

from __future__ import annotations

import math
from itertools import combinations, pairwise

import numpy as np
import pytest

from gin_sim.contests import round_robin, sweep, value_matrix
from gin_sim.contests.estimates import Leads, lead_moments
from gin_sim.contests.games import games_of
from gin_sim.contests.match import match_of
from gin_sim.contests.stopping_rules import watch_for
from gin_sim.errors import InputError
from gin_sim.payoff.payoff import PriceTable
from gin_sim.play.pairings import GamePairingsPlan, PairingsPlan
from gin_sim.play.plans import GamePlan, Plan
from gin_sim.play.run import Played, simulate
from gin_sim.play.tallies import LEAD_IN_POINTS
from gin_sim.play.threshold_walk import PathsPlan
from gin_sim.policies.catalogue import parse_policy
from gin_sim.policies.variations import parse_grid
from gin_sim.rules import parse_rules
from gin_sim.stats.intervals import t_quantile

STANDARD = parse_rules("standard")


def policies(*specs):
    return [parse_policy(spec) for spec in specs]


def prices_for(objective):
    return None if objective == "win" else PriceTable.of_points(STANDARD, objective)


POINTS = prices_for("points")


def plan_of(pairings, size, objective="points", **options):
    return round_robin.plan_pairings(
        tuple(pairings), STANDARD, size, prices_for(objective), **options
    )


def leads_of(pairings, size, objective="points", **options):
    return Leads(simulate(plan_of(pairings, size, objective, **options)))


def deal_by_deal(first, second, n_deals, seed=1):
    """The lead of the first per hand, in each mirrored pair."""
    plan = Plan((first, second), STANDARD, 2 * n_deals, seed)
    return np.array([plan.play(deal, 1).leads[0][LEAD_IN_POINTS] / 2 for deal in range(n_deals)])


# ------------------------------------------------------------- one meeting


@pytest.mark.parametrize("mirrored", [True, False])
def test_one_meeting_has_the_figures_of_its_simulation(mirrored):
    pair = tuple(policies("greedy", "simple"))
    (figure,) = leads_of([pair], 4000, mirrored=mirrored).meetings
    expected = match_of(simulate(Plan(pair, STANDARD, 4000, mirrored=mirrored))).difference[
        "points"
    ]
    assert (figure.estimate, figure.low, figure.high) == pytest.approx(
        (expected.estimate, expected.low, expected.high), rel=1e-12
    )


def test_one_meeting_of_games_has_the_figures_of_its_games():
    pair = tuple(policies("greedy", "simple"))
    (figure,) = leads_of([pair], 400, "win").meetings
    expected = games_of(simulate(GamePlan(pair, STANDARD, 400))).difference["win"]
    assert (figure.estimate, figure.low, figure.high) == pytest.approx(
        (expected.estimate, expected.low, expected.high), rel=1e-12
    )


@pytest.mark.parametrize("objective", ["points", "points+boxes", "win"])
def test_a_policy_never_leads_itself_in_mirrored_seats(objective):
    self_play = tuple(policies("random", "random"))
    figure, other = leads_of([self_play, policies("greedy", "random")], 100, objective).meetings
    assert (figure.estimate, figure.low, figure.high) == (0, 0, 0)
    assert other.low > 0


@pytest.mark.parametrize("pair", [("greedy", "greedy:knock=10"), ("simple", "simple:knock=50")])
def test_a_policy_written_in_two_ways_never_leads_itself(pair):
    found, _ = leads_of([policies(*pair), policies("greedy", "random")], 40, "win").meetings
    assert (found.estimate, found.low, found.high) == (0, 0, 0)


@pytest.mark.parametrize("games", [4, 6, 8])
def test_no_figure_of_a_few_games_is_certain(games):
    """All pairs may come out alike; no figure is then certain, and none beyond what can be."""
    names = policies("random", "greedy", "strong")
    found = round_robin.ranking_of(
        leads_of(round_robin.round_robin(names), games, "win"), names, None
    )
    figures = [row.lead for row in found.ranking] + [pair.lead for pair in found.differences]
    assert all(figure.half_width > 0.1 for figure in figures)
    assert all(figure.low >= -1 and figure.high <= 1 for figure in figures)
    swept_, _ = swept("greedy", ["knock=0,5,10"], ["random"], games, objective="win")
    assert all(cell.figure.half_width > 0.1 for cell in swept_.by_opponent[0].cells)
    assert all(cell.among_best for cell in swept_.by_opponent[0].cells)


def test_one_deal_has_no_interval():
    first, second = leads_of(
        [policies("greedy", "random"), policies("simple", "random")], 2
    ).meetings
    assert math.isnan(first.low)
    assert math.isnan(second.high)
    assert first.spans_zero


# -------------------------------------------------------------- comparison


def test_a_comparison_by_hand():
    """300 deals: the ranking, its differences and the leads from each deal's own leads."""
    names = policies("simple", "greedy:knock=5", "strong", "greedy")
    found = round_robin.ranking_of(leads_of(round_robin.round_robin(names), 600), names, POINTS)
    leads = {(a.spec, b.spec): deal_by_deal(a, b, 300) for a, b in round_robin.round_robin(names)}
    leads |= {(b, a): -lead for (a, b), lead in leads.items()}
    value = {
        name.spec: sum(leads[name.spec, other.spec] for other in names if other is not name) / 4
        for name in names
    }
    order = sorted(value, key=lambda spec: -value[spec].mean())
    assert [row.policy for row in found.ranking] == order
    assert [policy.spec for policy in found.policies] == [policy.spec for policy in names]
    criticals = []
    for spec, row in zip(order, found.ranking, strict=True):
        figure = row.lead
        assert figure.estimate == pytest.approx(value[spec].mean())
        criticals.append(figure.half_width / value[spec].std(ddof=1) * math.sqrt(300))
    assert np.ptp(criticals) < 1e-9
    assert t_quantile(299) < criticals[0] < t_quantile(299, 1 - 0.05 / 4)
    assert [(p.policy, p.against) for p in found.differences] == list(combinations(order, 2))
    apart = {}
    for pair in found.differences:
        lead = leads[pair.policy, pair.against]
        assert pair.lead.estimate == pytest.approx(lead.mean())
        sample = value[pair.policy] - value[pair.against]
        assert pair.in_ranking.estimate == pytest.approx(sample.mean())
        reach = pair.in_ranking.half_width
        apart[pair.policy, pair.against] = reach / sample.std(ddof=1) * math.sqrt(300)
    # All six differences are allowed for, not the three between neighbours alone.
    assert np.ptp(list(apart.values())) < 1e-9
    assert 2.4 < apart[order[0], order[1]] < t_quantile(299, 1 - 0.05 / 6)
    neighbours = [(pair.policy, pair.against) for pair in found.neighbours]
    assert neighbours == list(pairwise(order))
    assert sum(row.lead.estimate for row in found.ranking) == pytest.approx(0)


def test_two_policies_differ_by_their_lead():
    names = policies("simple", "greedy")
    found = round_robin.ranking_of(leads_of(round_robin.round_robin(names), 2000), names, POINTS)
    (pair,) = found.differences
    assert found.neighbours == [pair]
    assert pair.in_ranking.estimate == pytest.approx(pair.lead.estimate)
    assert pair.in_ranking.half_width == pytest.approx(pair.lead.half_width, rel=0.002)
    assert pair.lead.estimate > 0


def test_no_difference_is_found_between_one_policy_written_in_two_ways():
    """Sums of fractions that cancel leave no residue that looks like a certain difference."""
    names = policies("greedy", "greedy:knock=10", "greedy:knock=11", "simple", "marjj")
    found = round_robin.ranking_of(leads_of(round_robin.round_robin(names), 2000), names, POINTS)
    alike = [
        pair.in_ranking
        for pair in found.differences
        if pair.policy.startswith("greedy") and pair.against.startswith("greedy")
    ]
    assert [(each.estimate, each.low, each.high) for each in alike] == [(0, 0, 0)] * 3
    assert all(each.spans_zero for each in alike)


def ranked(names, hands):
    return round_robin.ranking_of(leads_of(round_robin.round_robin(names), hands), names, POINTS)


def test_the_verdict_of_a_ranking():
    few = ranked(policies("greedy:knock=9", "strong", "simple", "greedy"), 2000)
    assert few.verdict.startswith("strong is ahead of all others. No difference is found between ")
    assert " nor between " in few.verdict
    clear = ranked(policies("random", "strong", "greedy"), 2000)
    assert clear.verdict == (
        "strong is ahead of all others. Each policy in the ranking is ahead of the next."
    )
    unclear = ranked(policies("greedy:knock=9", "greedy:knock=8"), 200)
    assert unclear.verdict.startswith("No difference is found between greedy:knock=")


@pytest.mark.long
def test_a_difference_between_neighbours_of_one_strength_is_seldom_found(some):
    """Policies that are one, written in several ways: any difference found is false.

    They meet in single hands: mirrored, they could not differ at all.
    """
    alike = policies("greedy", "greedy:knock=10")
    same = policies("simple", "simple:knock=10", "two-threshold:late=10")
    false = 0
    n_runs = some(200)
    for seed in range(n_runs):
        pairings = round_robin.round_robin(alike + same)
        leads = leads_of(pairings, 300, seed=seed, mirrored=False)
        found = round_robin.ranking_of(leads, alike + same, POINTS)
        groups = [{policy.spec for policy in group} for group in (alike, same)]
        false += any(
            not pair.in_ranking.spans_zero and {pair.policy, pair.against} <= group
            for pair in found.differences
            for group in groups
        )
    # At most 1 in 20 on average; so many or more would come about once in a thousand times.
    assert false < {40: 8, 200: 20}[n_runs]


@pytest.mark.parametrize(
    ("specs", "sentence"),
    [
        (["greedy"], "1 policy is given: a comparison needs two or more"),
        (["greedy", "simple", "greedy"], "'greedy' is given twice: name each policy once"),
    ],
)
def test_a_round_robin_needs_two_different_policies(specs, sentence):
    with pytest.raises(InputError, match=f"^{sentence}"):
        round_robin.round_robin(policies(*specs))


# ------------------------------------------------------------------- sweep


def swept(base, params, against, hands=600, one_pass=True, objective="points", **options):
    grid = parse_grid(base, params)
    opponents = policies(*against)
    prices = [] if objective == "win" else [prices_for(objective)]
    planned = sweep.plan_sweep(
        grid, opponents, STANDARD, hands, prices, one_pass=one_pass, **options
    )
    leads = Leads(simulate(planned.plan))
    found = sweep.sweep_of(leads, grid, opponents, planned.meetings, prices)
    return found, planned.plan


def test_a_sweep_by_hand():
    found, plan = swept("greedy", ["knock=0,4,9"], ["simple", "strong"])
    assert isinstance(plan, PathsPlan)
    assert [table.against for table in found.by_opponent] == ["simple", "strong", None]
    values = policies("greedy:knock=0", "greedy:knock=4", "greedy:knock=9")
    samples = [
        [deal_by_deal(value, opponent, 300) for value in values]
        for opponent in policies("simple", "strong")
    ]
    samples.append([(one + two) / 2 for one, two in zip(*samples, strict=True)])
    for table, by_value in zip(found.by_opponent, samples, strict=True):
        means = [sample.mean() for sample in by_value]
        assert [cell.figure.estimate for cell in table.cells] == pytest.approx(means)
        best = int(np.argmax(means))
        assert table.best == table.cells[best].values
        criticals = [
            cell.figure.half_width / sample.std(ddof=1) * math.sqrt(300)
            for cell, sample in zip(table.cells, by_value, strict=True)
        ]
        assert np.ptp(criticals) < 1e-6
        assert t_quantile(299) < criticals[0] < t_quantile(299, 1 - 0.05 / 3)
        for number, cell in enumerate(table.cells):
            sample = by_value[number] - by_value[best]
            assert cell.to_best.estimate == pytest.approx(sample.mean())
            if number != best:
                reach = cell.to_best.half_width / sample.std(ddof=1) * math.sqrt(300)
                assert t_quantile(299) < reach <= t_quantile(299, 1 - 0.05 / 2) + 0.01
        assert table.cells[best].among_best
        assert table.cells[best].to_best.half_width == 0


@pytest.mark.parametrize(
    ("base", "params"),
    [
        ("greedy", ["knock=0:10:5"]),
        ("strong", ["knock@3:0=0:10:5", "temperature=0,2"]),
        ("two-threshold", ["early=0:10:5", "turn=2,6"]),
    ],
)
def test_one_pass_and_cell_by_cell_are_the_same_sweep(base, params):
    quick, walked = swept(base, params, ["simple", "marjj"], 200)
    slow, played = swept(base, params, ["simple", "marjj"], 200, one_pass=False)
    assert isinstance(walked, PathsPlan)
    assert isinstance(played, PairingsPlan)
    assert quick.by_opponent == slow.by_opponent
    assert len({cell.figure.estimate for cell in quick.by_opponent[0].cells}) > 1


def test_where_every_value_draws_differently_each_is_played_out():
    _, plan = swept("strong", ["temperature=0,2"], ["simple"], 20)
    assert isinstance(plan, PairingsPlan)
    _, plan = swept("greedy", ["knock=0,2"], ["simple"], 20, objective="win")
    assert isinstance(plan, GamePairingsPlan)


def test_the_verdict_of_a_sweep():
    found, _ = swept("greedy", ["knock=0,10"], ["simple", "random"], 20_000)
    assert found.verdict.splitlines()[0] == "Against simple knock=0 is best."
    found, _ = swept("greedy", ["knock=7:9"], ["simple"], 200)
    assert found.verdict == "Against simple no value is found to be better than another."
    found, _ = swept("greedy", ["knock=0,8,9"], ["simple"], 20_000)
    assert found.verdict == "Against simple knock=0 is best."
    found, _ = swept("strong", ["knock=0,9,10"], ["gin-only"], 4000)
    assert found.verdict == "Against gin-only knock=9 does best, and knock=10 is tied with it."
    one, _ = swept("greedy", ["knock=3"], ["simple"], 20)
    assert one.verdict == "Against simple knock=3 is the only value tried."


def test_an_opponent_given_twice():
    with pytest.raises(InputError, match=r"^the opponent 'simple' is given twice"):
        swept("greedy", ["knock=0:2"], ["simple", "simple"], 20)


# ----------------------------------------------------------- value matrices


def matrix(base, param, hands=600, one_pass=True, objective="points", **options):
    grid = parse_grid(base, [param])
    prices = prices_for(objective)
    plan = value_matrix.plan_matrix(grid, STANDARD, hands, prices, one_pass=one_pass, **options)
    leads = Leads(simulate(plan))
    return value_matrix.matrix_of(leads, grid, prices), leads


def test_a_value_matrix_by_hand():
    found, leads = matrix("greedy", "knock=0,4,10")
    assert isinstance(leads.played.plan, PathsPlan)
    values = policies("greedy:knock=0", "greedy:knock=4", "greedy:knock=10")
    expected = np.array(
        [[deal_by_deal(row, column, 300).mean() for column in values] for row in values]
    )
    estimates = np.array([[figure.estimate for figure in row] for row in found.matrix])
    assert estimates == pytest.approx(expected)
    assert (estimates == -estimates.T).all()
    tried = found.parameter.values
    assert tried == [0, 4, 10]
    for column, reply in enumerate(found.best_replies):
        assert reply.to == tried[column]
        best = int(np.argmax(expected[:, column]))
        assert reply.best == tried[best]
        assert reply.best in reply.among_best
        assert reply.lead == found.matrix[best][column]
    equilibrium = found.equilibrium
    weights = np.array([part.weight.estimate for part in equilibrium.mixture])
    assert weights.sum() == pytest.approx(1)
    assert (expected @ weights).max() == pytest.approx(0, abs=1e-9)
    assert [payoff.lead.estimate for payoff in equilibrium.payoffs] == pytest.approx(
        list(expected @ weights)
    )
    assert (equilibrium.value.estimate, equilibrium.value.low, equilibrium.value.high) == (0, 0, 0)


def test_one_pass_and_cell_by_cell_are_the_same_matrix():
    quick, _ = matrix("greedy", "knock=0:10:5", 400, objective="points+boxes")
    slow, leads = matrix("greedy", "knock=0:10:5", 400, one_pass=False, objective="points+boxes")
    assert isinstance(leads.played.plan, PairingsPlan)
    assert (quick.one_pass, slow.one_pass) == (True, False)
    assert quick.cells == slow.cells
    assert quick.equilibrium == slow.equilibrium


def leads_claims(leads, n, value):
    """Lower ends of 0's leads over a value against each column, as if nothing had been searched."""
    gains = np.zeros(n)
    gains[0], gains[value] = 1, -1
    return [each.low for each in leads.claims(np.kron(gains[None], np.eye(n)))]


def test_dominated_values():
    """In points greedy does best to wait for gin, whatever greedy does: 0 beats every threshold."""
    found, leads = matrix("greedy", "knock=0,4,10", 40_000)
    assert [each.value for each in found.dominated] == [4, 10]
    for place, each in enumerate(found.dominated, 1):
        assert [(part.value, part.weight) for part in each.by] == [(0, 1)]
        gains = [
            found.matrix[0][column].estimate - found.matrix[place][column].estimate
            for column in range(3)
        ]
        assert each.margin.estimate == pytest.approx(min(gains))
        assert 0 < each.margin.low < each.margin.estimate < each.margin.high
        narrow = min(leads_claims(leads, 3, place))
        assert each.margin.low < narrow, "having searched has to cost something"
    assert found.verdict == (
        "In equilibrium both play knock=0. Among these values never choose 4 or 10: against every "
        "choice of the other player, another is better."
    )


@pytest.mark.long
@pytest.mark.parametrize("n_values", [3, 8])
def test_values_that_are_all_alike_are_seldom_called_dominated(n_values):
    """Noise around a game in which every choice is as good: 5% of matrices may have a false claim.

    The mixture that looks best is searched for among all, which has to be allowed for.
    """
    generator = np.random.default_rng(n_values)
    grid = parse_grid("greedy", [f"knock=0:{n_values - 1}"])
    plan = value_matrix.plan_matrix(grid, STANDARD, 600, POINTS)
    false = 0
    for _ in range(100):
        noise = generator.integers(-60, 61, (300, n_values))
        tally = plan.new_tally()
        tally.counts[0] = 1
        tally.sums[0] = (noise[:, :, None] - noise[:, None, :]).reshape(300, -1)
        tally.squares[0] = (tally.sums[0] ** 2).sum(axis=0)
        tally.units[0] = 300
        leads = Leads(Played(plan, tally, 1.0, partial=False))
        false += bool(value_matrix.dominated_values(leads, range(n_values)))
    # At most 5 in 100 on average; 12 or more would come about once in three hundred times.
    assert false < 12


def test_what_depends_on_the_draw_is_not_walked():
    grid = parse_grid("strong", ["temperature=0,2"])
    with pytest.raises(InputError) as error:
        value_matrix.plan_matrix(grid, STANDARD, 100, POINTS)
    assert str(error.value) == (
        "one pass cannot serve all values: what strong draws and discards depends on temperature; "
        "give --cell-by-cell to play every meeting out, or vary the knock alone."
    )
    plan = value_matrix.plan_matrix(grid, STANDARD, 100, POINTS, one_pass=False)
    assert isinstance(plan, PairingsPlan)


def test_a_file_whose_draw_may_read_the_number_is_not_walked(tmp_path):
    file = tmp_path / "mine.py"
    file.write_text(
        "from typing import NamedTuple\n"
        'base = "greedy"\n'
        "class P(NamedTuple):\n    limit: int = 5\n"
        "def should_knock(view, p):\n    return view.deadwood <= p.limit\n"
        "def choose_discard(view, p):\n"
        "    card = 0\n"
        "    while not view.hand >> card & 1 or view.barred >> card & 1:\n"
        "        card += 1\n"
        "    return card\n"
    )
    with pytest.raises(InputError, match=r"its own choose_discard can read every number"):
        value_matrix.plan_matrix(parse_grid(str(file), ["limit=0:2"]), STANDARD, 100, POINTS)


# ---------------------------------------------------------------- stopping


def watched(pairings, half_width=None, test=None, objective="points", hands=10**7, threads=2):
    plan = plan_of(pairings, hands, objective)
    watch = watch_for(plan, lead_moments, objective, len(pairings), half_width, test)
    played = simulate(plan, threads, enough=watch)
    return Leads(played, watch), watch


def test_until_stops_at_the_first_look_that_is_narrow_enough():
    pairings = [policies("greedy", "greedy:knock=5"), policies("greedy", "simple")]
    leads, watch = watched(pairings, 0.3)
    assert leads.played.enough
    widths = [figure.half_width for figure in leads.meetings]
    assert max(widths) <= 0.3
    assert widths == pytest.approx([figure.half_width for figure in watch.look.estimates])
    short = plan_of(pairings, 2 * (leads.n_units - leads.played.plan.look_units))
    before = watch.until.look(lead_moments(simulate(short).tally[0]), None)
    assert not before.reached
    # An interval that holds at every look is wider than one that holds at one.
    plain = leads_of(pairings, 2 * leads.n_units).meetings
    assert [figure.estimate for figure in plain] == [figure.estimate for figure in leads.meetings]
    for once, always in zip(plain, leads.meetings, strict=True):
        assert 1.2 < always.half_width / once.half_width < 2.2


@pytest.mark.parametrize("objective", ["points", "win"])
def test_stopping_does_not_depend_on_the_threads(objective):
    pairings = [policies("greedy", "simple")]
    width, test = (0.2, (0, 0.3)) if objective == "points" else (0.06, (-0.05, 0.05))
    for asked in ({"half_width": width}, {"test": test}):
        found = {
            (leads.n_units, leads.meetings[0], watch.llr if "test" in asked else 0)
            for leads, watch in (
                watched(pairings, objective=objective, threads=threads, **asked)
                for threads in (1, 2, 5)
            )
        }
        assert len(found) == 1


def test_the_test_decides_for_the_better_policy():
    better = policies("greedy:knock=0", "greedy:knock=10")  # by about 3.7 points per hand
    leads, watch = watched([better], test=(0, 0.5))
    assert watch.decision == "d1"
    assert watch.llr >= watch.sprt.bounds[1]
    _, watch = watched([better[::-1]], test=(0, 0.5))
    assert watch.decision == "d0"
    assert watch.llr <= watch.sprt.bounds[0]
    assert leads.meetings[0].low > 0


def test_a_limit_ends_what_is_not_decided():
    leads, watch = watched([policies("greedy", "simple")], 0.01, hands=4000)
    assert not leads.played.enough
    assert not leads.played.partial
    assert leads.n_units == 2000
    assert leads.meetings[0].half_width > 0.01
    few, watch = watched([policies("greedy", "simple")], 0.01, hands=200)
    assert math.isnan(few.meetings[0].low)
    assert watch.look.tightest_at is None


def test_two_stopping_rules():
    plan = plan_of([policies("greedy", "simple")], 100)
    with pytest.raises(InputError, match=r"^--until and --sprt are two stopping rules"):
        watch_for(plan, lead_moments, "points", 1, 0.1, (0, 1))
