"""The walk by decisions against hands played by single steps, and knocks that are scored only."""

from __future__ import annotations

import numpy as np
import pytest
from strategies import Policies, deal_of, play

from gin_sim.engine.jit import jit
from gin_sim.engine.pricing import price
from gin_sim.engine.table import rule_record
from gin_sim.play.loop import play_on
from gin_sim.play.turn import (
    ASK_BIG_GIN,
    ASK_DISCARD,
    ASK_KNOCK,
    ASK_UPCARD,
    OVER,
    TURN_OVER,
    knock_score,
    policy_answer,
    step,
    take_turn,
)
from gin_sim.policies.catalogue import parse_policy
from gin_sim.policies.decide import players_of
from gin_sim.rules import parse_rules

FACTS = (
    *("knocker_deadwood", "defender_deadwood"),
    *("spread_sets", "spread_runs", "laid_off"),
)


def state(position) -> dict:
    """The table and both views, field by field."""
    records = (position.table, *position.views)
    return {(n, f): np.asarray(r[f]).tolist() for n, r in enumerate(records) for f in r.dtype.names}


def walk(position, answers, watch=lambda position, decision, answer: None):
    """Play a hand to its end by :func:`step`; return the decisions that were open."""
    ask = {
        ASK_UPCARD: answers.takes,
        ASK_BIG_GIN: answers.knocks,
        ASK_DISCARD: answers.discards,
        ASK_KNOCK: answers.knocks,
    }
    decision, met = TURN_OVER, []
    while decision != OVER:
        answer = 0
        if decision != TURN_OVER:
            answer = int(ask[decision](position))
            watch(position, decision, answer)
            met.append(decision)
        decision = int(step(position.table, position.views, position.rules, decision, answer))
    return met


RULES = (
    "eaai",
    "standard",
    "standard:wall=knock_upcard,may_discard_taken=yes",
    "standard:first_upcard=none",
)
PAIRINGS = (("greedy", "simple"), ("random", "random"), ("greedy:knock=0", "greedy:knock=0"))


@pytest.mark.long
@pytest.mark.parametrize("rules", RULES)
def test_a_walk_by_decisions_ends_as_the_hand_played_by_single_steps(rules, some):
    numbers = rule_record(parse_rules(rules))
    met = set()
    for specs in PAIRINGS:
        answers = Policies(*specs)
        for deal in range(some(40)):
            walked, played = deal_of(5, deal, numbers), deal_of(5, deal, numbers)
            met.update(walk(walked, answers))
            play(played, answers)
            assert state(walked) == state(played)
    assert {ASK_UPCARD, ASK_DISCARD, ASK_KNOCK} <= met


@jit
def _by_turns(table, views, rules, players):
    decision = np.int64(TURN_OVER)
    while decision != OVER:
        seat = table.mover
        view, other = views[seat], views[1 - seat]
        decision = take_turn(table, view, other, rules, decision, policy_answer, players[seat])


@jit
def _by_the_loop(table, views, rules, players):
    play_on(table, views, rules, players, 0)


@pytest.mark.long
@pytest.mark.parametrize("rules", RULES)
def test_both_walks_by_turns_are_the_same(rules, some):
    numbers = rule_record(parse_rules(rules))
    for specs in (*PAIRINGS, ("strong", "marjj")):
        players = players_of(tuple(parse_policy(spec) for spec in specs))
        for deal in range(some(1000)):
            one, other = deal_of(5, deal, numbers), deal_of(5, deal, numbers)
            _by_turns(one.table, one.views, numbers, players)
            _by_the_loop(other.table, other.views, numbers, players)
            assert state(one) == state(other)


@pytest.mark.long
@pytest.mark.parametrize("rules", RULES)
def test_a_knock_that_is_scored_changes_nothing_and_scores_what_it_scores_when_made(rules, some):
    numbers = rule_record(parse_rules(rules))
    scored, made = [], 0

    def score(position, decision, answer):
        if decision not in (ASK_KNOCK, ASK_BIG_GIN):
            return
        seat = position.mover
        before = state(position)
        result = knock_score(
            position.table, position.views[seat], position.views[1 - seat], numbers
        )
        scored.append((answer, *map(int, result)))
        changed = {field for field, value in state(position).items() if value != before[field]}
        assert {name for _, name in changed} <= set(FACTS)

    for specs in PAIRINGS:
        answers = Policies(*specs)
        for deal in range(some(40)):
            with_scores, without = deal_of(7, deal, numbers), deal_of(7, deal, numbers)
            scored.clear()
            walk(with_scores, answers, score)
            walk(without, answers)
            ends = state(with_scores), state(without)
            differ = {field for field in ends[0] if ends[0][field] != ends[1][field]}
            if without.table.knocker >= 0:
                assert not differ
            else:
                assert {name for _, name in differ} <= set(FACTS)  # a wash has none
            if scored and scored[-1][0]:
                assert scored[-1][1:] == tuple(map(int, price(without.table, numbers)[1:]))
                made += 1
    assert made > some(40)
