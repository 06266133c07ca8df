"""The likelihood of a hand is what its replay gives, and chains find what a listing finds."""

from __future__ import annotations

import dataclasses
import math
import random

import numpy as np
import pytest
from belief_cases import NEVER, cases, chains_of, weighed
from belief_reference import all_arrivals
from scipy import stats

from gin_sim.belief.deviation import ALIKE, KNOWN
from gin_sim.belief.likelihood import observe
from gin_sim.cards import cards_of, mask_of
from gin_sim.policies.catalogue import parse_policy
from gin_sim.records import CARD_IDS
from gin_sim.rules import parse_rules

#: Its knock and its discards read what a view holds only then, and what it drew before.
FILE = """
base = "greedy"

def choose_discard(view, p):
    if view.deadwood == 0:
        return highest(view.hand & ~view.barred)
    for turn in range(1, view.turn):
        if view.own_drawn[turn] >= 0 and view.hand >> view.own_drawn[turn] & 1:
            card = view.own_drawn[turn]
            if not view.barred >> card & 1 and turn % 2:
                return int(card)
    return highest(view.best_discards)

def should_knock(view, p):
    if len_of(view.hand) > 10:
        return False
    even = view.best_deadwood % 2 == 0
    return view.deadwood <= 13 - view.turn and even and view.own_discards[view.turn] > 5

def len_of(cards):
    n = 0
    while cards:
        cards &= cards - 1
        n += 1
    return n

def highest(cards):
    card = 51
    while not cards >> card & 1:
        card -= 1
    return card
"""


@pytest.fixture
def file_policy(tmp_path):
    path = tmp_path / "reader.py"
    path.write_text(FILE)
    return str(path)


SPECS = ["greedy", "simple", "marjj", "strong", "random", "heisenbot", "two-threshold", "gin-only",
         "strong:temperature=1.5,slip=0.02", "greedy:knock=3/8/0/10"]  # fmt: skip


@pytest.mark.long
@pytest.mark.parametrize("rules", ["standard", "eaai", "openspiel:may_discard_taken=yes"])
@pytest.mark.parametrize("spec", SPECS)
def test_the_true_history_weighs_what_its_replay_does(spec, rules, some):
    check_true_histories(spec, rules, some(12))


def check_true_histories(spec, rules, n_hands):
    policy, numbers = parse_policy(spec), parse_rules(rules)
    dice = random.Random(4)
    n_checked = 0
    for _, position, case in cases(spec, "greedy:knock=0", rules, n_hands):
        observed = observe(position)
        assert len(observed.events) == sum(
            act.player == case.seat for act in case.record.turns[: case.n_acts]
        )
        for deviation in (NEVER, ALIKE):
            expected = case.logs(policy, numbers, deviation)
            found = weighed(observed, policy, deviation, case.arrivals)
            assert np.allclose(found, expected, rtol=0, atol=1e-12), (position.text(), expected)
            assert deviation is not NEVER or (expected > -np.inf).all()
        # Another history that agrees with what was seen.
        arrivals = shuffled(case, position, dice)
        expected = case.logs(policy, numbers, KNOWN, arrivals)
        found = weighed(observed, policy, KNOWN, arrivals)
        assert np.allclose(found, expected, rtol=0, atol=1e-12), (position.text(), expected)
        n_checked += 1
    assert n_checked > 5 * n_hands


def shuffled(case, position, dice):
    """Arrivals in which the cards held now are others, at places of their own."""
    unseen = position.seen.unseen
    cards = case.arrivals
    held = [i for i, card in enumerate(cards) if unseen >> card & 1]
    other = dice.sample(cards_of(unseen), len(held))
    for place, card in zip(held, other, strict=True):
        cards[place] = card
    return cards


@pytest.mark.long
@pytest.mark.parametrize("rules", ["standard", "openspiel:may_discard_taken=yes"])
@pytest.mark.parametrize("spec", SPECS)
def test_a_hand_that_might_have_knocked_weighs_what_its_replay_does(spec, rules, some):
    check_refused_knocks(spec, rules, some(12))


def check_refused_knocks(spec, rules, n_hands):
    """Weigh a policy by hands of one that knocks with gin alone, and so declines many a knock."""
    policy, numbers = parse_policy(spec), parse_rules(rules)
    n_deviations = 0
    for _, position, case in cases("greedy:knock=0", "simple:knock=0", rules, n_hands):
        expected = case.logs(policy, numbers, ALIKE)
        found = weighed(observe(position), policy, ALIKE, case.arrivals)
        assert np.allclose(found, expected, rtol=0, atol=1e-12), (position.text(), expected - found)
        n_deviations += (expected < math.log(0.002)).sum()
    assert n_deviations > n_hands // 4 or spec == "random"


def test_a_file_that_reads_all_of_its_view_weighs_what_its_replay_does(file_policy, some):
    check_true_histories(file_policy, "standard", some(12))
    check_refused_knocks(file_policy, "standard", some(12))


# ------------------------------------------------------------------------ the posterior


def narrowed(position, case, n_decoys, dice):
    """Observed in which only the cards held and a few decoys can be hidden in the hand."""
    observed = observe(position)
    slots = observed.slots
    held = [card for card in case.arrivals if slots.unseen >> card & 1]
    decoys = dice.sample(cards_of(slots.unseen & ~mask_of(held)), n_decoys)
    slots = slots._replace(unseen=mask_of([*held, *decoys]))
    return dataclasses.replace(observed, slots=slots), len(held)


def listed(case, slots, n_held):
    """Every history of the narrowed case; the deadlines are found from the record alone."""
    deadlines, arrivals, event, taken = {}, [], 0, set()
    for act in case.record.turns[: case.n_acts]:
        if act.player != case.seat:
            continue
        if act.draw == "stock":
            arrivals.append(event)
        elif act.draw == "upcard":
            taken.add(act.card)
        if act.discard and act.discard not in taken:
            deadlines.setdefault(CARD_IDS[act.discard], event)
        taken.discard(act.discard)
        event += 1
    return all_arrivals(
        10 + len(arrivals), list(deadlines), deadlines, arrivals, n_held, slots.unseen
    )


def exact(totals):
    """The chance of each listed history."""
    weights = np.exp(totals - totals.max())
    weights /= weights.sum()
    return weights


def describe(rows, discarded):
    """What is compared, as columns: each card held or not, each card at the draws, deadwood."""
    rows = np.asarray(rows)
    columns = []
    gone = set(discarded)
    for card in sorted(set(rows.ravel().tolist())):
        if card not in gone:
            columns.append((rows == card).any(axis=1))
        for place in range(10, rows.shape[1]):
            columns.append(rows[:, place] == card)
    return np.array(columns, float)


def check_posterior(spec, other, deviation, *, n_positions, n_draws, most, kept=400, apart=3):
    policy, rules = parse_policy(spec), parse_rules("standard")
    dice = random.Random(8)
    n_checked, last = 0, -1
    scores = []
    for index, position, case in cases(spec, other, "standard", 400):
        observed = observe(position)
        if index == last or observed.slots.n != 10 + n_draws or len(observed.events) < n_draws + 1:
            continue
        observed, n_held = narrowed(position, case, 3, dice)
        rows = listed(case, observed.slots, n_held)
        if len(rows) > most:
            continue
        weights = exact(case.totals(policy, rules, deviation, rows))
        columns = describe(rows, observed.slots.discarded)
        truth = columns @ weights
        open_ones = (truth > 0.02) & (truth < 0.98)
        if open_ones.sum() < 3:
            continue
        worlds = chains_of(observed, policy, deviation, 12, kept, apart)
        possible = {frozenset(row[:10]) | frozenset(enumerate(row[10:])) for row in rows}
        assert all(
            frozenset(row[:10]) | frozenset(enumerate(row[10:])) in possible
            for row in worlds[:, ::40].reshape(-1, worlds.shape[2]).tolist()
        )
        found = np.array([_columns_as(rows, chain, observed.slots.discarded) for chain in worlds])
        spread = found.std(axis=0, ddof=1) / math.sqrt(len(worlds))
        gap = found.mean(axis=0) - truth
        assert np.abs(gap).max() < 0.04, (position.text(), spec)
        assert np.abs(gap[~open_ones]).max() < 0.02
        scores += (gap[open_ones] / np.maximum(spread[open_ones], 1e-4)).tolist()
        last = index
        n_checked += 1
        if n_checked == n_positions:
            break
    assert n_checked == n_positions
    scores = np.array(scores)
    # Student's t with 11 degrees of freedom; columns of one position go together.
    assert stats.t.sf(np.abs(scores).max(), 11) * 2 * len(scores) > 0.01
    assert 0.3 < np.mean(scores**2) < 2.2
    return n_checked


def _columns_as(rows, chain, discarded):
    """The means over a chain's worlds of the columns that the listed rows have."""
    rows = np.asarray(rows)
    means = []
    gone = set(discarded)
    for card in sorted(set(rows.ravel().tolist())):
        if card not in gone:
            means.append((chain == card).any(axis=1).mean())
        for place in range(10, rows.shape[1]):
            means.append((chain[:, place] == card).mean())
    return means


POSTERIORS = [
    ("greedy", "simple:knock=0", KNOWN),
    ("simple", "simple:knock=0", KNOWN),
    pytest.param("marjj", "simple:knock=0", KNOWN, marks=pytest.mark.slow),
    pytest.param("strong", "simple:knock=0", KNOWN, marks=pytest.mark.slow),
    pytest.param("strong:temperature=1", "simple:knock=0", ALIKE, marks=pytest.mark.slow),
]


@pytest.mark.long
@pytest.mark.parametrize(("spec", "other", "deviation"), POSTERIORS)
def test_chains_find_what_listing_every_history_finds(spec, other, deviation):
    check_posterior(spec, other, deviation, n_positions=2, n_draws=2, most=30_000)


@pytest.mark.slow
def test_chains_find_it_for_a_file_that_reads_its_draws(file_policy):
    check_posterior(
        file_policy, "simple:knock=0", ALIKE, n_positions=2, n_draws=2, most=30_000, kept=1600
    )
