"""What hands and games of two policies have in common: sides, differences and their rows."""

from __future__ import annotations

import math
from typing import ClassVar

from msgspec import Struct

from gin_sim.results.common import NO_ESTIMATE, Estimate, PolicyInfo, Result, Row
from gin_sim.results.sample import Sample
from gin_sim.results.stopping import Stopping


class LuckAdjusted(Estimate, frozen=True, kw_only=True):
    """A difference without the luck of the cards dealt and drawn.

    Parameters
    ----------
    variance_reduction : float or None
        How many times fewer hands the adjustment needed for the same interval; None if not known.
    """

    variance_reduction: float | None


class Difference(Estimate, frozen=True, kw_only=True):
    """The first policy less the second.

    Parameters
    ----------
    variance_reduction : float or None
        How many times fewer hands or games mirroring needed for the same interval; None where they
        are not mirrored, or it is not known.
    luck_adjusted : LuckAdjusted or None
        The difference without the luck of the cards, where it was asked for.
    """

    variance_reduction: float | None
    luck_adjusted: LuckAdjusted | None = None

    @property
    def best(self) -> Estimate:
        """The figure that conclusions rest on: luck-adjusted, where that was asked for."""
        return self if self.luck_adjusted is None else self.luck_adjusted


class Side(Struct, kw_only=True, frozen=True):
    """One of two policies.

    Parameters
    ----------
    policy : str
        Its spec.
    """

    policy: str

    #: The unit of each measure, in the order in which they are shown.
    MEASURES: ClassVar[dict[str, str]] = {}

    @property
    def measures(self) -> dict[str, Estimate]:
        """Every measure of the side by name."""
        return {name: getattr(self, name) for name in self.MEASURES}


class SideRow(Row, kw_only=True):
    """One measure of one policy.

    Parameters
    ----------
    side : int
        0 for the first policy, 1 for the second.
    policy : str
        Its spec.
    measure : str
        Such as ``win_rate``; the sides in JSON have them all by name.
    figure : Estimate
        Columns ``estimate``, ``low`` and ``high``.
    unit : str
        Of the figure; shares are 0-1.
    """

    side: int
    policy: str
    measure: str
    figure: Estimate
    unit: str


class DifferenceRow(Row, kw_only=True):
    """The first policy less the second, by one objective.

    Parameters
    ----------
    objective : str
        ``points`` or ``points+boxes`` for hands, ``win`` or ``stakes`` for games.
    policy, against : str
        The first policy and the second.
    figure : Estimate
        Columns ``estimate``, ``low`` and ``high``.
    unit : str
        Of the figure.
    units : int
        What the interval counts: mirrored pairs, or hands or games where they are not mirrored.
    variance_reduction : float
        How many times fewer hands or games mirroring needed; empty if not known.
    luck_adjusted : Estimate
        The same without the luck of the cards, in columns ``luck_adjusted_estimate`` …; empty
        where it was not asked for.
    luck_adjusted_variance_reduction : float
        How many times fewer hands the adjustment needed; empty if not known.
    """

    objective: str
    policy: str
    against: str
    figure: Estimate
    unit: str
    units: int
    variance_reduction: float
    luck_adjusted: Estimate
    luck_adjusted_variance_reduction: float


class OfTwoPolicies(Result, kw_only=True):
    """What hands and games of two policies have in common.

    Parameters
    ----------
    policies : pair of PolicyInfo
        The first and the second.
    hands : int
        Hands played.
    pairs : int or None
        Mirrored pairs, which the intervals count; None where nothing is mirrored.
    mirrored : bool
        Whether each deal, or each game's deals, was played twice with the seats swapped.
    verdict : str
        Which policy is ahead, as far as that is found.
    stopping : UntilWidth, LeadTest or None
        The stopping rule, where there was one.
    """

    policies: tuple[PolicyInfo, PolicyInfo]
    hands: int
    pairs: int | None
    mirrored: bool
    verdict: str
    stopping: Stopping | None

    @property
    def sample(self) -> Sample:
        """How much was played."""
        raise NotImplementedError

    @property
    def specs(self) -> list[str]:
        """The specs of both policies."""
        return [policy.spec for policy in self.policies]

    def difference_rows(
        self, difference: dict[str, Difference], units: dict[str, str]
    ) -> list[Row]:
        """Return a row for each objective."""
        first, second = self.specs
        return [
            DifferenceRow(
                objective=objective,
                policy=first,
                against=second,
                figure=figure,
                unit=units[objective],
                units=self.sample.units,
                variance_reduction=_or_nan(figure.variance_reduction),
                luck_adjusted=figure.luck_adjusted or NO_ESTIMATE,
                luck_adjusted_variance_reduction=_or_nan(
                    None
                    if figure.luck_adjusted is None
                    else figure.luck_adjusted.variance_reduction
                ),
            )
            for objective, figure in difference.items()
        ]


def _or_nan(value: float | None) -> float:
    """Return a number that may be unknown for a column of numbers."""
    return math.nan if value is None else value


def side_rows(sides: tuple[Side, Side]) -> list[Row]:
    """Return a row for each side and measure."""
    return [
        SideRow(side=number, policy=side.policy, measure=name, figure=figure, unit=unit)
        for number, side in enumerate(sides)
        for (name, figure), unit in zip(side.measures.items(), side.MEASURES.values(), strict=True)
    ]
