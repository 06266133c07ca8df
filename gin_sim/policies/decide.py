"""Which policy answers: each decision handed to the policy that a player's number names.

A plain chain of comparisons lets the compiler inline every shipped policy into the play loop, so
that a pairing costs no more than code written for it, and one compiled loop serves all pairings.
"""

from __future__ import annotations

import numpy as np

from gin_sim.engine.jit import jit_inline
from gin_sim.policies.contract import N_PARAMETERS, PLAYER, Policy
from gin_sim.policies.elementary import (
    GREEDY,
    RANDOM,
    greedy_discard,
    greedy_knocks,
    greedy_takes_upcard,
    random_discard,
    random_knocks,
    random_takes_upcard,
)
from gin_sim.policies.published import SIMPLE, simple_discard, simple_knocks, simple_takes_upcard

KINDS = (GREEDY, SIMPLE, RANDOM)

_GREEDY = GREEDY.number
_RANDOM = RANDOM.number


@jit_inline
def takes_upcard(player, view):
    """Return whether the player takes the upcard."""
    if player.policy == _GREEDY:
        return greedy_takes_upcard(view, player.p)
    if player.policy == _RANDOM:
        return random_takes_upcard(view, player.p)
    return simple_takes_upcard(view, player.p)


@jit_inline
def chooses_discard(player, view):
    """Return the card id that the player throws."""
    if player.policy == _GREEDY:
        return greedy_discard(view, player.p)
    if player.policy == _RANDOM:
        return random_discard(view, player.p)
    return simple_discard(view, player.p)


@jit_inline
def knocks(player, view):
    """Return whether the player knocks (or lays down big gin)."""
    if player.policy == _GREEDY:
        return greedy_knocks(view, player.p)
    if player.policy == _RANDOM:
        return random_knocks(view, player.p)
    return simple_knocks(view, player.p)


def players_of(policies: tuple[Policy, Policy]) -> np.ndarray:
    """Return the play loop's form of two policies, a record array of length 2."""
    players = np.zeros(2, PLAYER).view(np.recarray)
    for i, policy in enumerate(policies):
        assert len(policy.values) <= N_PARAMETERS
        players.policy[i] = policy.kind.number
        players.p[i, : len(policy.values)] = policy.values
    return players
