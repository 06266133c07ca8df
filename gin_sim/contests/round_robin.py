"""Policies that all meet each other on the same deals: who leads whom, and how they rank.

A policy ranks by its mean lead over the field, which is all the policies, each counted once and
itself with a lead of 0.  So the values add up to 0, and of two policies alone they differ by the
lead.  Which of two neighbours is better is said only where the difference is found with all
differences between policies allowed for, since the ranking itself chose which ones are neighbours.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import combinations

import numpy as np

from gin_sim.contests.estimates import Leads
from gin_sim.contests.study import study_fields
from gin_sim.errors import InputError
from gin_sim.payoff.payoff import PriceTable
from gin_sim.play.pairings import GamePairingsPlan, PairingsPlan
from gin_sim.policies.contract import Policy
from gin_sim.results.ranking import PolicyDifference, RankedPolicy, Ranking
from gin_sim.rules import Rules
from gin_sim.words import listed


def round_robin(policies: Sequence[Policy]) -> tuple[tuple[Policy, Policy], ...]:
    """Return every pair of policies, in the order given.

    Raises
    ------
    InputError
        If there are fewer than two policies, or one is given twice.
    """
    specs = [policy.spec for policy in policies]
    if len(specs) < 2:
        raise InputError(
            f"{len(specs) or 'no'} policy is given: a comparison needs two or more, like "
            "gin-sim compare greedy simple strong."
        )
    for spec in specs:
        if specs.count(spec) > 1:
            raise InputError(f"'{spec}' is given twice: name each policy once.")
    return tuple(combinations(policies, 2))


def plan_pairings(
    pairings: tuple[tuple[Policy, Policy], ...],
    rules: Rules,
    size: int,
    prices: PriceTable | None,
    seed: int = 1,
    mirrored: bool = True,
) -> PairingsPlan | GamePairingsPlan:
    """Return how pairings meet: by hands that are priced, or by whole games without prices.

    Parameters
    ----------
    pairings : tuple of pairs of Policy
    rules : Rules
    size : int
        Hands of each meeting, or games.
    prices : PriceTable or None
    seed : int
    mirrored : bool
    """
    if prices is None:
        return GamePairingsPlan(pairings, rules, size, seed, mirrored)
    return PairingsPlan(pairings, rules, size, prices.whole_numbers, seed, mirrored, prices.start)


def ranking_of(leads: Leads, policies: Sequence[Policy], prices: PriceTable | None) -> Ranking:
    """Rank policies by their meetings.

    Parameters
    ----------
    leads : Leads
        Of the pairings that :func:`round_robin` gives for the policies.
    policies : sequence of Policy
    prices : PriceTable or None
        What hands are priced by; None for whole games.
    """
    n = len(policies)
    pairs = list(combinations(range(n), 2))
    of_policy = np.zeros((n, len(pairs)))
    for meeting, (first, second) in enumerate(pairs):
        of_policy[first, meeting] = 1 / n
        of_policy[second, meeting] = -1 / n
    values = leads.claims(of_policy)
    order = sorted(range(n), key=lambda policy: -values[policy].estimate)
    met = dict(zip(pairs, leads.meetings, strict=True))
    in_order = list(combinations(order, 2))
    differences = [met[a, b] if a < b else met[b, a].negated() for a, b in in_order]
    in_ranking = differences  # of two policies: one claim
    if n > 2:
        in_ranking = leads.claims(np.array([of_policy[a] - of_policy[b] for a, b in in_order]))
    found = Ranking(
        **study_fields(leads, f"all {len(pairs)} differences", len(pairs), prices),
        verdict="",
        policies=[policy.info() for policy in policies],
        ranking=[RankedPolicy(policies[place].spec, values[place]) for place in order],
        differences=[
            PolicyDifference(policies[a].spec, policies[b].spec, lead, differs)
            for (a, b), lead, differs in zip(in_order, differences, in_ranking, strict=True)
        ],
    )
    found.verdict = verdict(found)
    return found


def verdict(found: Ranking) -> str:
    """Say who is ahead and between which neighbours no difference is found."""
    order = [row.policy for row in found.ranking]
    others = order[1] if len(order) == 2 else "all others"
    said = [f"{order[0]} is ahead of {others}."] if found.first_is_ahead else []
    unclear = [
        f"{pair.policy} and {pair.against}"
        for pair in found.neighbours
        if pair.in_ranking.spans_zero
    ]
    if unclear:
        said.append(f"No difference is found between {listed(unclear, 'nor between')}.")
    elif len(order) > 2:
        said.append("Each policy in the ranking is ahead of the next.")
    return " ".join(said)
