"""Which rule decides: each decision goes to the rule that a player's numbers name.

The least rules, ``greedy``'s and the knock table, are part of every walk over a hand, where a call
would cost as much as they do.  Every other decision, shipped or a user's own, is compiled by itself
when a policy first needs it, and called by its address, so that no walk has to be compiled for it.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import numpy as np

from gin_sim.engine.address import call_at, decide_at, shipped_address
from gin_sim.engine.apart import apart
from gin_sim.engine.jit import jit_inline
from gin_sim.engine.view import VIEW, look_at_upcard
from gin_sim.policies import contract
from gin_sim.policies.contract import PLAYER, Policy
from gin_sim.policies.shipped import family_scores, knock_table, published
from gin_sim.policies.shipped.elementary import (
    greedy_discard,
    greedy_takes_upcard,
    random_discard,
    random_takes_upcard,
)

# Shipped decisions as they are called: by view and player, with an int64 as the answer.


@apart(VIEW, PLAYER)
def _takes_by_score(view, player):
    return int(family_scores.takes_by_score(view, player))


@apart(VIEW, PLAYER)
def _takes_like_marjj(view, player):
    return int(published.marjj_takes_upcard(view))


@apart(VIEW, PLAYER)
def _takes_by_coin(view, player):
    return int(random_takes_upcard(view))


@apart(VIEW, PLAYER)
def _discards_like_simple(view, player):
    return published.simple_discard(view)


@apart(VIEW, PLAYER)
def _discards_by_score(view, player):
    return family_scores.discard_scores(view, player)


@apart(VIEW, PLAYER)
def _discards_like_marjj(view, player):
    return published.marjj_discard(view)


@apart(VIEW, PLAYER)
def _discards_any(view, player):
    return random_discard(view)


@apart(VIEW, PLAYER)
def _knocks_like_heisenbot(view, player):
    return int(knock_table.knocks_like_heisenbot(view))


@apart(VIEW, PLAYER)
def _knocks_by_coin(view, player):
    return int(knock_table.knocks_by_coin(view))


_TAKES = {
    contract.TAKE_BY_SCORE: _takes_by_score,
    contract.TAKE_LIKE_MARJJ: _takes_like_marjj,
    contract.TAKE_BY_COIN: _takes_by_coin,
}
_DISCARDS = {
    contract.DISCARD_LIKE_SIMPLE: _discards_like_simple,
    contract.DISCARD_BY_SCORE: _discards_by_score,
    contract.DISCARD_LIKE_MARJJ: _discards_like_marjj,
    contract.DISCARD_ANY: _discards_any,
}
_KNOCKS = {
    contract.KNOCK_LIKE_HEISENBOT: _knocks_like_heisenbot,
    contract.KNOCK_BY_COIN: _knocks_by_coin,
}


@jit_inline
def has_decisions(player):
    """Return whether a player's numbers name rules, and an address for each that is called."""
    return (
        0 <= player.take_rule <= contract.TAKE_BY_FILE
        and 0 <= player.discard_rule <= contract.DISCARD_BY_FILE
        and 0 <= player.knock_rule <= contract.KNOCK_BY_FILE
        and (player.take_rule <= contract.TAKE_IF_MELD or player.take_at != 0)
        and (player.discard_rule == contract.DISCARD_LEAST or player.discard_at != 0)
        and (player.knock_rule == contract.KNOCK_BY_TABLE or player.knock_at != 0)
    )


@jit_inline
def takes_upcard(player, view):
    """Return whether the player takes the upcard; not by a rule that does not exist."""
    if player.take_rule == contract.TAKE_IF_LOWER:
        return greedy_takes_upcard(view)
    if player.take_rule == contract.TAKE_IF_MELD:
        return published.simple_takes_upcard(view)
    if player.take_rule == contract.TAKE_BY_FILE:
        look_at_upcard(view)  # what the function finds out itself would go with its copy
        return call_at(player.take_at, view, player.own) != 0
    if not 0 <= player.take_rule < contract.TAKE_BY_FILE or player.take_at == 0:
        return False
    return decide_at(player.take_at, view, player) != 0


@jit_inline
def chooses_discard(player, view):
    """Return the card id that the player discards; -1 for a rule that does not exist."""
    if player.discard_rule == contract.DISCARD_LEAST:
        return greedy_discard(view)
    if player.discard_rule == contract.DISCARD_BY_FILE:
        return call_at(player.discard_at, view, player.own)
    if not 0 <= player.discard_rule < contract.DISCARD_BY_FILE or player.discard_at == 0:
        return -1
    return decide_at(player.discard_at, view, player)


@jit_inline
def knocks(player, view):
    """Return whether the player knocks (or lays down big gin)."""
    if player.knock_rule == contract.KNOCK_BY_TABLE:
        return knock_table.knocks_by_table(view, player.parameters)
    if player.knock_rule == contract.KNOCK_BY_FILE:
        return call_at(player.knock_at, view, player.own) != 0
    if not 0 <= player.knock_rule < contract.KNOCK_BY_FILE or player.knock_at == 0:
        return False
    return decide_at(player.knock_at, view, player) != 0


#: By place in a player's record: the rule's field, and what is called for each rule.
_CALLED = {
    "take_at": ("take_rule", _TAKES),
    "discard_at": ("discard_rule", _DISCARDS),
    "knock_at": ("knock_rule", _KNOCKS),
}


def called_for(policies: Iterable[Policy]) -> list:
    """Return the shipped decisions that are compiled by themselves and that policies need."""
    found = []
    for policy in policies:
        player = np.zeros(1, PLAYER).view(np.recarray)[0]
        policy.seat(player)
        found += [functions.get(player[rule]) for rule, functions in _CALLED.values()]
    return [function for function in found if function is not None]


def players_of(policies: Sequence[Policy]) -> np.ndarray:
    """Return the play loop's form of policies, a record array of as many."""
    players = np.zeros(len(policies), PLAYER).view(np.recarray)
    for player, policy in zip(players, policies, strict=True):
        policy.seat(player)
        for place, (rule, functions) in _CALLED.items():
            if player[rule] in functions:
                player[place] = shipped_address(functions[player[rule]])
    return players
