"""Recorded hands and the states built in their middle, for the tests of both."""

from __future__ import annotations

import numpy as np

from gin_sim.engine.table import rule_record
from gin_sim.engine.view import VIEW
from gin_sim.play.record import play_recorded
from gin_sim.play.resume import middle_of, new_states, set_middle
from gin_sim.policies.catalogue import parse_policy
from gin_sim.positions import (
    moments_of,
)
from gin_sim.rules import parse_rules

#: Chosen so that every phase occurs: no first offer, an early wall of either kind, a stall.
PLAYED = [
    ("greedy", "simple", "standard"),
    ("strong", "greedy:knock=0", "standard"),
    ("simple", "marjj", "eaai"),
    ("greedy", "greedy:knock=0", "openspiel:stock_floor=20"),
    ("simple", "greedy:knock=0", "openspiel:first_upcard=none,stock_floor=22"),
    ("greedy", "strong", "oklahoma"),
    ("greedy:knock=0", "greedy:knock=0", "standard:stall_turns=12,stock_floor=25"),
]


def played(first: str, second: str, rules: str, n_hands: int, seed: int = 5):
    pair = (parse_policy(first), parse_policy(second))
    return play_recorded(pair, parse_rules(rules), seed, n_hands)


def decisions(record):
    for seat in range(2):
        for turn, moment in moments_of(record, seat):
            yield seat, turn, moment


def index_of(record, seat, turn, moment) -> int:
    """Where a decision stands among the turns: counted apart from the code under test."""
    own = [i for i, act in enumerate(record.turns) if act.player == seat]
    if moment == "offer":
        return own[0]
    return [i for i in own if record.turns[i].draw != "pass"][turn - 1]


def built_state(position, world, rules):
    tables, views = new_states()
    stock = np.array(world.stock, np.int8)
    arrivals = np.array(world.arrivals, np.int8)
    assert set_middle(tables[0], views, rule_record(rules), middle_of(position), arrivals, stock)
    return tables[0], (views[0], views[1])


#: What the builder need not know: whose key it is, and how far a shuffle has gone.
NOT_COMPARED = {"noise", "deck_key", "n_shuffled"}


#: Kept from the last look at the upcard, which a policy may or may not have taken.
LOOKED = {"upcard_deadwood", "upcard_discards"}


def assert_same_views(built, real, skip=frozenset()):
    for field in VIEW.names:
        if field not in NOT_COMPARED | LOOKED | skip:
            assert np.array_equal(built[field], real[field]), field


def shuffled_world(position, world, dice):
    """A world as possible as the true one: what is hidden now is dealt again."""
    seen = position.seen
    hidden = [card for card in world.arrivals if seen.unseen >> card & 1]
    cards = [*hidden, *world.stock]
    dice.shuffle(cards)
    again = dict(zip(hidden, cards, strict=False))
    arrivals = tuple(again.get(card, card) for card in world.arrivals)
    return arrivals, tuple(cards[len(hidden) :])
