"""Whether policies draw and discard alike, however they knock, as their numbers alone show.

Policies that do walk through the same cards of a deal, so that one walk serves all their knocks.
The answer is on the safe side: a user's own function that is handed a number is taken to read it.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Sequence

import numpy as np

from gin_sim.policies.contract import (
    DISCARD_BY_FILE,
    KNOCK_PLACES,
    PLAYER,
    TAKE_BY_FILE,
    Policy,
)
from gin_sim.policies.files.source import DISCARD, TAKE
from gin_sim.policies.specs import read_spec
from gin_sim.words import listed

# In what two players' draws or discards differ.
_RULES, _WEIGHTS, _OWN_NUMBERS = "rules", "weights", "own numbers"


def same_play(policies: Sequence[Policy]) -> bool:
    """Return whether all policies take and discard the same cards in every position.

    They may differ in their rule for the knock, in its numbers, and, where both other decisions
    are shipped rules, in a file's own numbers, which only its knock can read then.

    Parameters
    ----------
    policies : sequence of Policy
        At least one.
    """
    return len(by_play(policies)) == 1


def plays_alike(one: Policy, other: Policy) -> bool:
    """Return whether two policies decide alike in everything, the knock too, however written."""
    first, second = _seated([one, other])
    return first.tobytes() == second.tobytes()


def by_play(policies: Sequence[Policy]) -> list[list[int]]:
    """Return the policies by their numbers from 0, those that draw and discard alike together.

    Groups are in the order of their first members.
    """
    groups: dict[tuple, list[int]] = {}
    for number, player in enumerate(_seated(policies)):
        groups.setdefault(tuple(_play(player).values()), []).append(number)
    return list(groups.values())


def why_not_same_play(policies: Sequence[Policy]) -> str:
    """Return a sentence that says what their draws or discards may depend on; empty for nothing.

    Parameters
    ----------
    policies : sequence of Policy
        At least one.
    """
    first, *others = _seated(policies)
    for policy, player in zip(policies[1:], others, strict=True):
        difference = _difference(first, player)
        if difference:
            return _sentence(difference, policies, policy, first)
    return ""


def _seated(policies: Sequence[Policy]) -> np.ndarray:
    players = np.zeros(len(policies), PLAYER)
    for player, policy in zip(players, policies, strict=True):
        policy.seat(player)
    return players


def _play(player: np.void) -> dict[str, tuple | bytes]:
    """Return all that a player's draws and discards can depend on."""
    rules = ("take_rule", "discard_rule", "take_at", "discard_at")
    return {
        _RULES: tuple(int(player[name]) for name in rules),
        _WEIGHTS: player["parameters"][KNOCK_PLACES:].tobytes(),
        # Bytes, since whole numbers lie there as int64 and as floats some would be no numbers.
        _OWN_NUMBERS: player["own"].tobytes() if _own_functions(player) else b"",
    }


def _difference(one: np.void, other: np.void) -> str:
    """Return in what the draws or discards of two players differ, or nothing."""
    theirs = _play(other)
    differ = (part for part, numbers in _play(one).items() if numbers != theirs[part])
    return next(differ, "")


def _own_functions(player: np.void) -> list[str]:
    """Return which of the draw and the discard are a file's own."""
    own = {
        TAKE: player["take_rule"] == TAKE_BY_FILE,
        DISCARD: player["discard_rule"] == DISCARD_BY_FILE,
    }
    return [name for name, is_own in own.items() if is_own]


def _sentence(difference: str, policies: Sequence[Policy], policy: Policy, player: np.void) -> str:
    label = read_spec(policies[0].spec).label
    if difference == _RULES or any(read_spec(other.spec).label != label for other in policies):
        return f"{policies[0].spec} and {policy.spec} do not draw and discard alike."
    names = listed(_what_matters(policies, difference), "and")
    if difference == _WEIGHTS:
        return f"what {label} draws and discards depends on {names}."
    functions = listed(_own_functions(player), "and")
    return (
        f"what {label} draws and discards may depend on {names}: its own {functions} can read "
        "every number of the file."
    )


def _what_matters(policies: Sequence[Policy], difference: str) -> list[str]:
    """Return the parameters that change a draw or a discard; all that differ if none does alone."""
    first = policies[0]
    player = _seated([first])[0]
    varied = {
        parameter.name: {policy.values[parameter.name] for policy in policies}
        for parameter in first.kind.parameters
    }
    varied = {name: values for name, values in varied.items() if len(values) > 1}
    alone = [
        name
        for name, values in varied.items()
        if any(
            _difference(player, _seated([_with(first, name, value)])[0]) == difference
            for value in values
        )
    ]
    return alone or list(varied)


def _with(policy: Policy, name: str, value) -> Policy:
    return dataclasses.replace(policy, values={**policy.values, name: value})
