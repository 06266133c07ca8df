"""Which rule decides: each decision goes to the rule that a player's numbers name.

A plain chain of comparisons lets the compiler inline every shipped rule into the play loop, so
that a pairing costs no more than code written for it, and one compiled loop serves all pairings.
The functions of a user's file are called by their address.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from gin_sim.engine.address import call_at
from gin_sim.engine.jit import jit_inline
from gin_sim.engine.view import look_at_upcard
from gin_sim.policies import contract
from gin_sim.policies.contract import PLAYER, Policy
from gin_sim.policies.shipped.elementary import (
    greedy_discard,
    greedy_takes_upcard,
    random_discard,
    random_takes_upcard,
)
from gin_sim.policies.shipped.family_scores import discard_scores, takes_by_score
from gin_sim.policies.shipped.knock_table import (
    knocks_by_coin,
    knocks_by_table,
    knocks_like_heisenbot,
)
from gin_sim.policies.shipped.published import (
    marjj_discard,
    marjj_takes_upcard,
    simple_discard,
    simple_takes_upcard,
)


@jit_inline
def has_decisions(player):
    """Return whether each of a player's numbers names a rule, and each file's rule a function."""
    return (
        0 <= player.take_rule <= contract.TAKE_BY_FILE
        and 0 <= player.discard_rule <= contract.DISCARD_BY_FILE
        and 0 <= player.knock_rule <= contract.KNOCK_BY_FILE
        and (player.take_rule != contract.TAKE_BY_FILE or player.take_at != 0)
        and (player.discard_rule != contract.DISCARD_BY_FILE or player.discard_at != 0)
        and (player.knock_rule != contract.KNOCK_BY_FILE or player.knock_at != 0)
    )


@jit_inline
def takes_upcard(player, view):
    """Return whether the player takes the upcard."""
    if player.take_rule == contract.TAKE_IF_LOWER:
        return greedy_takes_upcard(view)
    if player.take_rule == contract.TAKE_IF_MELD:
        return simple_takes_upcard(view)
    if player.take_rule == contract.TAKE_BY_SCORE:
        return takes_by_score(view, player)
    if player.take_rule == contract.TAKE_LIKE_MARJJ:
        return marjj_takes_upcard(view)
    if player.take_rule == contract.TAKE_BY_COIN:
        return random_takes_upcard(view)
    if player.take_rule == contract.TAKE_BY_FILE:
        look_at_upcard(view)  # what the function finds out itself would go with its copy
        return call_at(player.take_at, view, player.own) != 0
    return False


@jit_inline
def chooses_discard(player, view):
    """Return the card id that the player discards; -1 for a rule that does not exist."""
    if player.discard_rule == contract.DISCARD_LEAST:
        return greedy_discard(view)
    if player.discard_rule == contract.DISCARD_LIKE_SIMPLE:
        return simple_discard(view)
    if player.discard_rule == contract.DISCARD_BY_SCORE:
        return discard_scores(view, player)
    if player.discard_rule == contract.DISCARD_LIKE_MARJJ:
        return marjj_discard(view)
    if player.discard_rule == contract.DISCARD_ANY:
        return random_discard(view)
    if player.discard_rule == contract.DISCARD_BY_FILE:
        return call_at(player.discard_at, view, player.own)
    return -1


@jit_inline
def knocks(player, view):
    """Return whether the player knocks (or lays down big gin)."""
    if player.knock_rule == contract.KNOCK_BY_TABLE:
        return knocks_by_table(view, player.parameters)
    if player.knock_rule == contract.KNOCK_LIKE_HEISENBOT:
        return knocks_like_heisenbot(view)
    if player.knock_rule == contract.KNOCK_BY_COIN:
        return knocks_by_coin(view)
    if player.knock_rule == contract.KNOCK_BY_FILE:
        return call_at(player.knock_at, view, player.own) != 0
    return False


def players_of(policies: Sequence[Policy]) -> np.ndarray:
    """Return the play loop's form of policies, a record array of as many."""
    players = np.zeros(len(policies), PLAYER).view(np.recarray)
    for player, policy in zip(players, policies, strict=True):
        policy.seat(player)
    return players
