"""The chance of each answer is how often a policy gives it, over many keys of its noise."""

from __future__ import annotations

import numpy as np
import pytest
from belief_reference import acts_of, deck_of
from hands_taken_up import played
from scipy import stats

from gin_sim.engine import rng
from gin_sim.engine.deal import deal_hand, stack_deck
from gin_sim.engine.jit import jit
from gin_sim.engine.round import (
    discard_card,
    draw_stock,
    end_turn,
    may_big_gin,
    may_knock,
    offer_big_gin,
    pass_upcard,
    take_upcard,
)
from gin_sim.engine.table import (
    new_state,
    rule_record,
)
from gin_sim.policies.catalogue import CATALOGUE, parse_policy
from gin_sim.policies.decide import chooses_discard, knocks, takes_upcard
from gin_sim.policies.probabilities import discard_chance, knock_chance, take_chance, weighed_player
from gin_sim.records import CARD_IDS
from gin_sim.rules import FIRST_OFFER, TURN, parse_rules

TAKES, DISCARDS, KNOCKS = range(3)
N_KEYS = 1500


@jit
def ask_often(tables, views, rules, deck, dealer, acts, player, n_keys, found):
    """At every decision of a hand, for each answer: what it is, its chance, how often it came."""
    table = tables[0]
    stack_deck(table, deck)
    deal_hand(table, views, dealer, rules)
    n = 0
    for act in range(len(acts)):
        kind, discarded = acts[act, 0], acts[act, 1]
        view, other = views[table.mover], views[1 - table.mover]
        if view.upcard >= 0 and (table.phase == FIRST_OFFER or table.phase == TURN):
            n = _ask_take(player, view, n_keys, found, n)
        if kind == 0:
            pass_upcard(table, view, other)
            continue
        if kind == 2:
            take_upcard(view, other, rules)
        else:
            draw_stock(table, view, other)
        if may_big_gin(view, rules):
            offer_big_gin(view)
            n = _ask_knock(player, view, n_keys, found, n)
        if discarded < 0:
            break
        counts = np.zeros(52, np.int64)
        for key in range(n_keys):
            view.noise = rng.stream_key(1, key, act)
            counts[chooses_discard(player, view)] += 1
        for card in range(52):
            if view.hand >> card & 1:
                _note(found[n], DISCARDS, discard_chance(player, view, card), counts[card])
                n += 1
        discard_card(table, view, other, discarded)
        if may_knock(table, view):
            n = _ask_knock(player, view, n_keys, found, n)
        end_turn(table, view, other, rules)
    return n


@jit
def _note(row, kind, chance, count):
    row[0] = kind
    row[1] = chance
    row[2] = count


@jit
def _ask_take(player, view, n_keys, found, n):
    count = 0
    for key in range(n_keys):
        view.noise = rng.stream_key(2, key, view.turn)
        count += takes_upcard(player, view)
    _note(found[n], TAKES, take_chance(player, view), count)
    return n + 1


@jit
def _ask_knock(player, view, n_keys, found, n):
    count = 0
    for key in range(n_keys):
        view.noise = rng.stream_key(3, key, view.turn)
        count += knocks(player, view)
    _note(found[n], KNOCKS, knock_chance(player, view), count)
    return n + 1


def answers(policy, rules, n_hands, n_keys):
    """Kind, chance and count of every answer in hands that decline most knocks."""
    found = np.zeros((4000, 3))
    rows = []
    for record in played("greedy:knock=0", "simple:knock=0", rules, n_hands):
        acts = acts_of(record, len(record.turns))
        arrivals = [CARD_IDS[card] for card in record.deal[0]]
        arrivals += [
            CARD_IDS[act.card] for act in record.turns if act.player == 0 and act.draw == "stock"
        ]
        deck = deck_of(record, len(record.turns), 0, arrivals)
        numbers = rule_record(parse_rules(rules))
        player = weighed_player(policy)
        n = ask_often(*new_state(), numbers, deck, record.dealer, acts, player, n_keys, found)
        rows.append(found[:n].copy())
    return np.concatenate(rows)


def check(rows, n_keys):
    _, chance, count = rows.T
    assert ((chance >= 0) & (chance <= 1)).all()
    # Certain answers: a temperature makes some chances too small to be met.
    never, always = chance < 1e-12, chance > 1 - 1e-12
    assert (count[never] == 0).all()
    assert (count[always] == n_keys).all()
    is_open = ~never & ~always
    expected = n_keys * chance[is_open]
    deviations = (count[is_open] - expected) / np.sqrt(expected * (1 - chance[is_open]))
    usual = np.minimum(expected, n_keys - expected) > 20
    if usual.any():
        worst = np.abs(deviations[usual]).max()
        assert stats.norm.sf(worst) * 2 * usual.sum() > 0.001
        assert abs(np.mean(deviations[usual] ** 2) - 1) < 6 / np.sqrt(usual.sum())
    rare = is_open.copy()
    rare[is_open] = ~usual & (expected < n_keys / 2)
    total = n_keys * chance[rare].sum()
    assert abs(count[rare].sum() - total) < 5 * np.sqrt(total + 1)
    return is_open


RANDOM = {"random": {TAKES, DISCARDS, KNOCKS}, "simple": {DISCARDS}, "marjj": {DISCARDS}}
SPECS = [
    *CATALOGUE,
    "strong:slip=0.2",
    "strong:temperature=2",
    "heuristic:slip=0.05,temperature=0.5",
    "heuristic:watch=0,slip=0.1",
]


@pytest.mark.long
@pytest.mark.parametrize("rules", ["standard", "openspiel:may_discard_taken=yes"])
@pytest.mark.parametrize("spec", SPECS)
def test_the_chance_of_an_answer_is_how_often_it_is_given(spec, rules):
    rows = answers(parse_policy(spec), rules, 4, N_KEYS)
    assert set(rows[:, 0]) == {TAKES, DISCARDS, KNOCKS}
    is_open = check(rows, N_KEYS)
    kinds = set(rows[is_open, 0])
    if "slip" in spec:
        assert DISCARDS in kinds
    elif "temperature" in spec:
        assert {TAKES, DISCARDS} <= kinds
    else:
        kind = "simple" if spec in ("heisenbot", "two-threshold") else spec
        assert kinds == RANDOM.get(kind, set())


def test_the_chances_of_all_discards_sum_to_one():
    for spec in SPECS:
        rows = answers(parse_policy(spec), "standard", 2, 1)
        discards = rows[rows[:, 0] == DISCARDS, 1]
        assert len(discards) % 11 == 0
        assert np.allclose(discards.reshape(-1, 11).sum(axis=1), 1, rtol=0, atol=1e-12)
