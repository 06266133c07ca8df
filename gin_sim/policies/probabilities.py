"""How likely each answer of a policy is, over its own randomness: a belief weighs acts by it.

Each decision has the same rules as in :mod:`gin_sim.policies.decide`.  A user's file decides
with the noise that its view holds, and its answer counts as certain.
"""

from __future__ import annotations

import numpy as np

from gin_sim.engine.address import chance_at, shipped_address
from gin_sim.engine.apart import apart
from gin_sim.engine.bits import popcount
from gin_sim.engine.jit import jit_inline
from gin_sim.engine.view import VIEW
from gin_sim.policies import contract
from gin_sim.policies.contract import PLAYER, Policy
from gin_sim.policies.decide import (
    called_for,
    chooses_discard,
    knocks,
    players_of,
    takes_upcard,
)
from gin_sim.policies.shipped import family_scores
from gin_sim.policies.shipped.published import marjj_discard_chance, simple_discards

# Shipped chances as they are called: by view, player and card, which a draw does not read.


@apart(VIEW, PLAYER, int, returns=float)
def _take_by_score(view, player, card):
    return family_scores.take_chance(view, player)


@apart(VIEW, PLAYER, int, returns=float)
def _discard_by_score(view, player, card):
    return family_scores.discard_chance(view, player, card, player.chances)


@apart(VIEW, PLAYER, int, returns=float)
def _discard_like_simple(view, player, card):
    return _one_of(simple_discards(view), card)


@apart(VIEW, PLAYER, int, returns=float)
def _discard_like_marjj(view, player, card):
    return marjj_discard_chance(view, card)


_TAKES = {contract.TAKE_BY_SCORE: _take_by_score}
_DISCARDS = {
    contract.DISCARD_BY_SCORE: _discard_by_score,
    contract.DISCARD_LIKE_SIMPLE: _discard_like_simple,
    contract.DISCARD_LIKE_MARJJ: _discard_like_marjj,
}


@jit_inline
def take_chance(player, view):
    """Return the chance that the player takes the upcard, 0 to 1.

    Parameters
    ----------
    player : record of PLAYER
        Of :func:`weighed_player`.
    view : record of VIEW
    """
    if player.take_chance_at != 0:
        return chance_at(player.take_chance_at, view, player, 0)
    if player.take_rule == contract.TAKE_BY_COIN:
        return 0.5
    return 1.0 if takes_upcard(player, view) else 0.0


@jit_inline
def discard_chance(player, view, card):
    """Return the chance that the player discards a card, 0 to 1.

    Parameters
    ----------
    player : record of PLAYER
        Of :func:`weighed_player`.
    view : record of VIEW
        Between the draw and the discard.
    card : int64
        Id, of the hand.
    """
    if player.discard_chance_at != 0:
        return chance_at(player.discard_chance_at, view, player, card)
    if player.discard_rule == contract.DISCARD_ANY:
        return _one_of(view.hand & ~view.barred, card)
    return 1.0 if chooses_discard(player, view) == card else 0.0


@jit_inline
def _one_of(discards, card):
    return 1.0 / popcount(discards) if discards >> card & 1 else 0.0


@jit_inline
def knock_chance(player, view):
    """Return the chance that the player knocks, or lays down big gin, 0 to 1."""
    if player.knock_rule == contract.KNOCK_BY_COIN:
        return 0.5
    return 1.0 if knocks(player, view) else 0.0


def called_to_weigh(policy: Policy) -> list:
    """Return what is compiled by itself and that a policy's decisions and chances need."""
    player = np.zeros(1, PLAYER).view(np.recarray)[0]
    policy.seat(player)
    chances = [_TAKES.get(player.take_rule), _DISCARDS.get(player.discard_rule)]
    return called_for([policy]) + [chance for chance in chances if chance is not None]


def weighed_player(policy: Policy) -> np.record:
    """Return a policy's record of PLAYER with all that its chances are weighed by."""
    player = players_of([policy])[0]
    if player.take_rule in _TAKES:
        player.take_chance_at = shipped_address(_TAKES[player.take_rule])
    if player.discard_rule in _DISCARDS:
        player.discard_chance_at = shipped_address(_DISCARDS[player.discard_rule])
    return player


def reads_draws(player) -> bool:
    """Return whether a player's decisions may read which cards it drew in which turn."""
    return (
        player.take_rule == contract.TAKE_BY_FILE
        or player.discard_rule in (contract.DISCARD_LIKE_SIMPLE, contract.DISCARD_BY_FILE)
        or player.knock_rule == contract.KNOCK_BY_FILE
    )
