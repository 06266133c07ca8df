"""Policies that all meet each other on the same deals: who leads whom, and how they rank.

A policy ranks by its mean lead over the field, which is all the policies, each counted once and
itself with a lead of 0.  So the values add up to 0, and of two policies alone they differ by the
lead.  Which of two neighbours is better is said only where the difference is found with all
differences between policies allowed for, since the ranking itself chose which ones are neighbours.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import combinations

import numpy as np

from gin_sim.contests.estimates import Leads
from gin_sim.errors import InputError
from gin_sim.policies.contract import Policy
from gin_sim.stats.intervals import Estimate
from gin_sim.words import listed


@dataclass(frozen=True)
class Comparison:
    """What a round robin found; everything is in the order of the ranking.

    Parameters
    ----------
    leads : Leads
    policies : tuple of Policy
        The best first.
    ranking : tuple of Estimate
        Each policy's mean lead over the field; the intervals hold all at once.
    differences : dict of (int, int) to Estimate
        The lead of a policy over a later one, by their places from 0; the intervals hold all at
        once.
    apart : dict of (int, int) to Estimate
        The same of their values in the ranking.
    """

    leads: Leads
    policies: tuple[Policy, ...]
    ranking: tuple[Estimate, ...]
    differences: dict[tuple[int, int], Estimate]
    apart: dict[tuple[int, int], Estimate]

    @property
    def neighbours(self) -> list[Estimate]:
        """Each policy's value in the ranking less the next one's."""
        return [self.apart[place, place + 1] for place in range(len(self.policies) - 1)]

    @property
    def first_is_ahead(self) -> bool:
        """Whether the first is found to be ahead of every other."""
        others = range(1, len(self.policies))
        return not any(self.apart[0, place].spans_zero for place in others)


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


def compare(leads: Leads, policies: Sequence[Policy]) -> Comparison:
    """Rank policies by their meetings.

    Parameters
    ----------
    leads : Leads
        Of the pairings that :func:`round_robin` gives for the policies.
    policies : sequence of Policy
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
    places = list(combinations(range(n), 2))
    in_order = [(order[above], order[below]) for above, below in places]
    differences = [met[a, b] if a < b else met[b, a].negated() for a, b in in_order]
    apart = differences  # of two policies: one claim
    if n > 2:
        apart = leads.claims(np.array([of_policy[a] - of_policy[b] for a, b in in_order]))
    return Comparison(
        leads,
        tuple(policies[policy] for policy in order),
        tuple(values[policy] for policy in order),
        dict(zip(places, differences, strict=True)),
        dict(zip(places, apart, strict=True)),
    )


def verdict(comparison: Comparison) -> str:
    """Say who is ahead and which neighbours cannot be told apart, as far as that is found."""
    specs = [policy.spec for policy in comparison.policies]
    others = specs[1] if len(specs) == 2 else "all others"
    said = [f"{specs[0]} is ahead of {others}."] if comparison.first_is_ahead else []
    unclear = [
        " and ".join(specs[place : place + 2])
        for place, figure in enumerate(comparison.neighbours)
        if figure.spans_zero
    ]
    if unclear:
        said.append(f"No difference is found between {listed(unclear, 'nor between')}.")
    elif len(specs) > 2:
        said.append("All neighbours in the ranking are told apart.")
    return " ".join(said)
