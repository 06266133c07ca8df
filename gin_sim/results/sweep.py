"""One or two numbers of a policy varied against opponents: what each value wins."""

from __future__ import annotations

import itertools
from typing import Any, ClassVar

from msgspec import Struct

from gin_sim.results.common import Estimate, PolicyInfo, Row, Value
from gin_sim.results.objective import CHANCE_TO_WIN
from gin_sim.results.parameter import Parameter
from gin_sim.results.score import LaterHands, Score, ScoreRow, score_columns
from gin_sim.results.study import Study

MEAN_OVER_ALL = "(mean over all)"  # in place of an opponent


class SweepCell(Struct, kw_only=True, frozen=True):
    """What a policy did with one value of each parameter.

    Parameters
    ----------
    values : list
        One for each parameter.
    policy : str
        The policy with these values, as a spec.
    figure : Estimate
        Its lead, or at a score what a hand is worth to it, in the unit of the result; the intervals
        of a table hold at once.
    to_best : Estimate
        How far it is behind the best, at most 0; the interval holds together with those of this
        policy's differences to all others.  Zero for the best.
    among_best : bool
        Whether no other policy of the table is found to be better.
    """

    values: list[Value]
    policy: str
    figure: Estimate
    to_best: Estimate
    among_best: bool


class SweepTable(Struct, kw_only=True, frozen=True):
    """All values against one opponent, or against the mean of all.

    Parameters
    ----------
    against : str or None
        The opponent's spec; None for the mean of all opponents, each counted once.
    best : list
        The values that do best.
    among_best : list of list
        The best values and those tied with them.
    cells : list of SweepCell
        Every combination of values, the second parameter's fastest.
    """

    against: str | None
    best: list[Value]
    among_best: list[list[Value]]
    cells: list[SweepCell]

    @property
    def best_cell(self) -> SweepCell:
        """The cell that does best."""
        return next(cell for cell in self.cells if cell.values == self.best)

    @property
    def tied(self) -> list[SweepCell]:
        """The cells that are tied with the best one."""
        return [cell for cell in self.cells if cell.among_best and cell.values != self.best]


class SweepRow(ScoreRow, kw_only=True):
    """One combination of values against one opponent.

    Parameters
    ----------
    play : str
        The policy that is varied, as it was given.
    against : str
        The opponent; ``(mean over all)`` for the mean of several.
    values : dict
        A column for each parameter, by its name; text if one of its values is a table.
    policy : str
        The policy with these values.
    objective : str
        What is judged.
    figure : Estimate
        The lead, or at a score what a hand is worth, in columns ``estimate``, ``low``, ``high``.
    unit : str
        Of every figure of the row.
    to_best : Estimate
        That minus the best one's, in columns ``to_best_estimate`` ….
    best : bool
        Whether it does best.
    among_best : bool
        Whether no other is found to be better.
    """

    play: str
    against: str
    values: dict[str, Value]
    policy: str
    objective: str
    figure: Estimate
    unit: str
    to_best: Estimate
    best: bool
    among_best: bool


class Sweep(Study, kw_only=True, tag="sweep"):
    """One or two parameters of a policy varied against opponents.

    Parameters
    ----------
    play : PolicyInfo
        The policy that is varied, as it was given.
    against : list of PolicyInfo
        The opponents.
    parameters : list of Parameter
        One or two.
    by_opponent : list of SweepTable
        One for each opponent, and one for their mean if they are several.
    score : Score or None
        The score that hands are played and judged at; None where no score plays a part.  Its later
        hands are those against the first opponent.
    later_hands : list of LaterHands
        What the rest of the game follows from, against each opponent; empty without a score.
    """

    play: PolicyInfo
    against: list[PolicyInfo]
    parameters: list[Parameter]
    by_opponent: list[SweepTable]
    score: Score | None
    later_hands: list[LaterHands]

    TABLES: ClassVar[dict[str, type[Row]]] = {"cells": SweepRow}

    def __post_init__(self) -> None:
        super().__post_init__()
        if len(self.parameters) not in (1, 2):
            raise ValueError(f"one or two parameters are swept, not {len(self.parameters)}")
        if not self.by_opponent:
            raise ValueError("there is no table")
        expected = [list(v) for v in itertools.product(*(p.values for p in self.parameters))]
        for table in self.by_opponent:
            if [cell.values for cell in table.cells] != expected:
                raise ValueError("the cells are not those of the parameters' values")
            if table.best not in expected:
                raise ValueError(f"the best values {table.best} were not tried")

    @property
    def has_chances(self) -> bool:
        """Whether the figures are chances, which have no sign, rather than leads."""
        return self.unit == CHANCE_TO_WIN.name

    def rows(self) -> dict[str, list[Any]]:
        """Return the rows of the table."""
        return {
            "cells": [self._row(table, cell) for table in self.by_opponent for cell in table.cells]
        }

    def _row(self, table: SweepTable, cell: SweepCell) -> SweepRow:
        return SweepRow(
            play=self.play.spec,
            against=MEAN_OVER_ALL if table.against is None else table.against,
            values={
                parameter.name: parameter.tidy(value)
                for parameter, value in zip(self.parameters, cell.values, strict=True)
            },
            policy=cell.policy,
            objective=self.objective,
            figure=cell.figure,
            unit=self.unit,
            to_best=cell.to_best,
            best=cell.values == table.best,
            among_best=cell.among_best,
            **score_columns(self.score),
        )
