"""Policies that all meet each other: how they rank, and by how much they differ."""

from __future__ import annotations

import itertools
from typing import Any, ClassVar

from msgspec import Struct

from gin_sim.results.common import NO_ESTIMATE, Estimate, PolicyInfo, Row, check_once
from gin_sim.results.study import Study


class RankedPolicy(Struct, frozen=True):
    """A policy's place.

    Parameters
    ----------
    policy : str
        Its spec.
    lead : Estimate
        Its mean lead over the field, which is all policies, each counted once; the intervals of
        all places hold at once.
    """

    policy: str
    lead: Estimate


class PolicyDifference(Struct, frozen=True):
    """A policy and one that ranks below it.

    Parameters
    ----------
    policy, against : str
        Their specs.
    lead : Estimate
        The first one's lead over the second where they meet; these intervals hold at once.
    in_ranking : Estimate
        The first one's mean lead over the field less the second one's; these intervals hold at
        once, too.
    """

    policy: str
    against: str
    lead: Estimate
    in_ranking: Estimate


class RankingRow(Row, kw_only=True):
    """A policy's place.

    Parameters
    ----------
    rank : int
        From 1, the best.
    policy : str
        Its spec.
    objective : str
        What is judged.
    figure : Estimate
        The mean lead over the field, in columns ``estimate``, ``low`` and ``high``.
    unit : str
        Of every figure of the row.
    to_next : Estimate
        That less the next policy's, in columns ``to_next_estimate`` …; empty for the last.
    ahead_of_next : bool or None
        Whether it is found to be ahead of the next one.
    """

    rank: int
    policy: str
    objective: str
    figure: Estimate
    unit: str
    to_next: Estimate
    ahead_of_next: bool | None


class PolicyDifferenceRow(Row, kw_only=True):
    """A policy and one that ranks below it.

    Parameters
    ----------
    policy, against : str
        Their specs.
    objective : str
        What is judged.
    figure : Estimate
        The first one's lead over the second where they meet, in columns ``estimate``, ``low`` and
        ``high``.
    unit : str
        Of every figure of the row.
    difference_found : bool
        Whether the interval of the lead excludes zero.
    in_ranking : Estimate
        By how much their mean leads over the field differ, in columns ``in_ranking_estimate`` ….
    """

    policy: str
    against: str
    objective: str
    figure: Estimate
    unit: str
    difference_found: bool
    in_ranking: Estimate


class Ranking(Study, kw_only=True, tag="ranking"):
    """The round robin of some policies.

    Parameters
    ----------
    policies : list of PolicyInfo
        In the order in which they were given.
    ranking : list of RankedPolicy
        The best first.
    differences : list of PolicyDifference
        Every two policies, in the order of the ranking.
    """

    policies: list[PolicyInfo]
    ranking: list[RankedPolicy]
    differences: list[PolicyDifference]

    TABLES: ClassVar[dict[str, type[Row]]] = {
        "ranking": RankingRow,
        "differences": PolicyDifferenceRow,
    }

    def __post_init__(self) -> None:
        super().__post_init__()
        if not self.ranking:
            raise ValueError("the ranking is empty")
        order = [row.policy for row in self.ranking]
        check_once(order, "policy")
        for pair in self.differences:
            for spec in (pair.policy, pair.against):
                if spec not in order:
                    raise ValueError(f"'{spec}' is not in the ranking")
        for upper, lower in itertools.pairwise(order):
            if self._between(upper, lower) is None:
                raise ValueError(f"'{upper}' and '{lower}' are neighbours without a difference")

    def _between(self, policy: str, against: str) -> PolicyDifference | None:
        found = (p for p in self.differences if (p.policy, p.against) == (policy, against))
        return next(found, None)

    @property
    def neighbours(self) -> list[PolicyDifference]:
        """Each policy and the next one, in the order of the ranking."""
        order = [row.policy for row in self.ranking]
        pairs = (self._between(*pair) for pair in itertools.pairwise(order))
        return [pair for pair in pairs if pair is not None]

    @property
    def first_is_ahead(self) -> bool:
        """Whether the first is found to be ahead of every other."""
        first = self.ranking[0].policy
        return not any(p.in_ranking.spans_zero for p in self.differences if p.policy == first)

    def rows(self) -> dict[str, list[Any]]:
        """Return the rows of each table."""
        judged = {"objective": self.objective, "unit": self.unit}
        to_next = [pair.in_ranking for pair in self.neighbours]
        return {
            "ranking": [
                RankingRow(
                    rank=rank,
                    policy=row.policy,
                    figure=row.lead,
                    to_next=to_next[rank - 1] if rank <= len(to_next) else NO_ESTIMATE,
                    ahead_of_next=(
                        not to_next[rank - 1].spans_zero if rank <= len(to_next) else None
                    ),
                    **judged,
                )
                for rank, row in enumerate(self.ranking, 1)
            ],
            "differences": [
                PolicyDifferenceRow(
                    policy=pair.policy,
                    against=pair.against,
                    figure=pair.lead,
                    difference_found=not pair.lead.spans_zero,
                    in_ranking=pair.in_ranking,
                    **judged,
                )
                for pair in self.differences
            ],
        }
