"""One number of a policy, each value against each: the matrix, and what it says as a game."""

from __future__ import annotations

import itertools
from typing import Any, ClassVar

from msgspec import Struct

from gin_sim.results.common import Estimate, PolicyInfo, Row, Share, Value
from gin_sim.results.parameter import Parameter
from gin_sim.results.study import Study


class MatrixCell(Struct, frozen=True):
    """One value against another.

    Parameters
    ----------
    row, column : number or str
        The two values.
    lead : Estimate
        The row's lead over the column's; the intervals of all cells hold at once.
    """

    row: Value
    column: Value
    lead: Estimate


class BestReply(Struct, frozen=True):
    """The best response to a value.

    Parameters
    ----------
    to : number or str
        What is answered.
    best : number or str
        The value that leads it most.
    lead : Estimate
        By how much; the interval is that of the cell.
    among_best : list
        The best value and those tied with it.
    """

    to: Value
    best: Value
    lead: Estimate
    among_best: list[Value]


class MixedValue(Struct, frozen=True):
    """A value's part of a mixture.

    Parameters
    ----------
    value : number or str
        The value.
    weight : float
        How often it is chosen, 0-1.
    """

    value: Value
    weight: Share


class DominatedValue(Struct, frozen=True):
    """A value that a mixture of others beats against every choice of the other player.

    Parameters
    ----------
    value : number or str
        The value.
    by : list of MixedValue
        The mixture.
    margin : Estimate
        How much more the mixture leads by, where that is least; the interval allows for the search.
    """

    value: Value
    by: list[MixedValue]
    margin: Estimate


class EquilibriumWeight(Struct, frozen=True):
    """How often the equilibrium chooses a value.

    Parameters
    ----------
    value : number or str
        The value.
    weight : Estimate
        0-1; the interval is over bootstrap samples of the deals.
    """

    value: Value
    weight: Estimate


class ValueLead(Struct, frozen=True):
    """What a value does against the equilibrium.

    Parameters
    ----------
    value : number or str
        The value.
    lead : Estimate
        Its lead over the mixture as it stands; the intervals hold at once.
    """

    value: Value
    lead: Estimate


class MatrixEquilibrium(Struct, frozen=True):
    """The mixture that no value leads.

    It is an equilibrium among these values for this play, not of gin rummy.

    Parameters
    ----------
    mixture : list of EquilibriumWeight
        Every value with its weight.
    value : Estimate
        What the row leads by in equilibrium, in the unit of the result.
    payoffs : list of ValueLead
        What each value does against the mixture.
    """

    mixture: list[EquilibriumWeight]
    value: Estimate
    payoffs: list[ValueLead]


class MatrixRow(Row, kw_only=True):
    """One value against another.

    Parameters
    ----------
    parameter : str
        What is varied.
    row, column : number or str
        The two values.
    objective : str
        What is judged.
    figure : Estimate
        The row's lead over the column's, in columns ``estimate``, ``low`` and ``high``.
    unit : str
        Of the figure.
    """

    parameter: str
    row: Value
    column: Value
    objective: str
    figure: Estimate
    unit: str


class MixtureRow(Row, kw_only=True):
    """A value in the equilibrium.

    Parameters
    ----------
    parameter : str
        What is varied.
    value : number or str
        The value.
    weight : Estimate
        How often the equilibrium chooses it, 0-1, in columns ``weight_estimate`` ….
    objective : str
        What is judged.
    figure : Estimate
        The value's lead over the mixture, in columns ``estimate``, ``low`` and ``high``.
    unit : str
        Of the lead.
    """

    parameter: str
    value: Value
    weight: Estimate
    objective: str
    figure: Estimate
    unit: str


class ReplyRow(Row, kw_only=True):
    """The best response to a value.

    Parameters
    ----------
    parameter : str
        What is varied.
    to, best : number or str
        The value that is answered, and the one that leads it most.
    objective : str
        What is judged.
    figure : Estimate
        The lead, in columns ``estimate``, ``low`` and ``high``.
    unit : str
        Of the lead.
    among_best : str
        The best value and those tied with it, with spaces between them.
    """

    parameter: str
    to: Value
    best: Value
    objective: str
    figure: Estimate
    unit: str
    among_best: str


class ValueMatrix(Study, kw_only=True, tag="value-matrix"):
    """Each value of a parameter against each.

    Parameters
    ----------
    play : PolicyInfo
        The policy that is varied, as it was given; it plays on both sides.
    parameter : Parameter
        What is varied.
    cells : list of MatrixCell
        Every value against every value, row by row.
    best_replies : list of BestReply
        To each value.
    dominated : list of DominatedValue
        Values that nobody should choose among these.
    equilibrium : MatrixEquilibrium
        The mixture that nobody can exploit.
    """

    play: PolicyInfo
    parameter: Parameter
    cells: list[MatrixCell]
    best_replies: list[BestReply]
    dominated: list[DominatedValue]
    equilibrium: MatrixEquilibrium

    TABLES: ClassVar[dict[str, type[Row]]] = {
        "cells": MatrixRow,
        "equilibrium": MixtureRow,
        "best_replies": ReplyRow,
    }

    def __post_init__(self) -> None:
        super().__post_init__()
        values = self.parameter.values
        places = [(cell.row, cell.column) for cell in self.cells]
        if places != list(itertools.product(values, values)):
            raise ValueError("the cells are not those of the parameter's values")
        named = [value for reply in self.best_replies for value in (reply.to, reply.best)]
        named += [value for reply in self.best_replies for value in reply.among_best]
        for value in named:
            if value not in values:
                raise ValueError(f"the value {value} was not tried")
        for parts in (self.equilibrium.mixture, self.equilibrium.payoffs):
            if [part.value for part in parts] != values:
                raise ValueError("the equilibrium does not have each value once")

    @property
    def matrix(self) -> list[list[Estimate]]:
        """The leads, row by row."""
        n = len(self.parameter.values)
        leads = [cell.lead for cell in self.cells]
        return [leads[start : start + n] for start in range(0, n * n, n)]

    def rows(self) -> dict[str, list[Any]]:
        """Return the rows of each table."""
        tidy = self.parameter.tidy
        shared = {
            "parameter": self.parameter.name,
            "objective": self.objective,
            "unit": self.unit,
        }
        mixture = zip(self.equilibrium.mixture, self.equilibrium.payoffs, strict=True)
        return {
            "cells": [
                MatrixRow(row=tidy(cell.row), column=tidy(cell.column), figure=cell.lead, **shared)
                for cell in self.cells
            ],
            "equilibrium": [
                MixtureRow(value=tidy(part.value), weight=part.weight, figure=payoff.lead, **shared)
                for part, payoff in mixture
            ],
            "best_replies": [
                ReplyRow(
                    to=tidy(reply.to),
                    best=tidy(reply.best),
                    figure=reply.lead,
                    among_best=" ".join(str(value) for value in reply.among_best),
                    **shared,
                )
                for reply in self.best_replies
            ],
        }
