"""How likely each answer of a policy is, over its own randomness: a belief weighs acts by it.

Each decision has the same rules as in :mod:`gin_sim.policies.decide`.  A user's file decides
with the noise that its view holds, and its answer counts as certain.
"""

from __future__ import annotations

from gin_sim.engine.bits import popcount
from gin_sim.engine.jit import jit_inline
from gin_sim.policies import contract
from gin_sim.policies.decide import chooses_discard, knocks, takes_upcard
from gin_sim.policies.shipped import family_scores
from gin_sim.policies.shipped.published import marjj_discard_chance, simple_discards


@jit_inline
def take_chance(player, view):
    """Return the chance that the player takes the upcard, 0 to 1."""
    if player.take_rule == contract.TAKE_BY_SCORE:
        return family_scores.take_chance(view, player)
    if player.take_rule == contract.TAKE_BY_COIN:
        return 0.5
    return 1.0 if takes_upcard(player, view) else 0.0


@jit_inline
def discard_chance(player, view, card, chances):
    """Return the chance that the player discards a card, 0 to 1.

    Parameters
    ----------
    player : record of PLAYER
    view : record of VIEW
        Between the draw and the discard.
    card : int64
        Id, of the hand.
    chances : float64 array, shape (52,)
        Working space.
    """
    if player.discard_rule == contract.DISCARD_BY_SCORE:
        return family_scores.discard_chance(view, player, card, chances)
    if player.discard_rule == contract.DISCARD_LIKE_SIMPLE:
        return _one_of(simple_discards(view), card)
    if player.discard_rule == contract.DISCARD_LIKE_MARJJ:
        return marjj_discard_chance(view, card)
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


def reads_draws(player) -> bool:
    """Return whether a player's decisions may read which cards it drew in which turn."""
    return (
        player.take_rule == contract.TAKE_BY_FILE
        or player.discard_rule in (contract.DISCARD_LIKE_SIMPLE, contract.DISCARD_BY_FILE)
        or player.knock_rule == contract.KNOCK_BY_FILE
    )
