"""The data of the charts of many estimates as flat tables, one row a cell or a policy.

Estimates stand in the result's own unit, which the columns name: points per hand, or shares of the
games (0-1).
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

from gin_sim.errors import InputError
from gin_sim.report.saved import (
    KnockScore,
    SavedAnswer,
    SavedComparison,
    SavedEstimate,
    SavedParameter,
    SavedPayoffs,
    SavedSweep,
    Value,
    read_saved,
)
from gin_sim.words import listed

if TYPE_CHECKING:
    import pandas as pd  # loaded only where a table is asked for: it takes half a second

MEAN_OVER_ALL = "(mean over all)"  # in place of an opponent


def result_tables(kind: str, result: dict[str, Any]) -> dict[str, pd.DataFrame]:
    """Return the tables of a result by file name without ending.

    Parameters
    ----------
    kind : {"compare", "sweep", "payoffs"}
    result : dict
        The object that the command prints with ``--json``.

    Returns
    -------
    dict of str to DataFrame
        ``compare``: ``ranking`` (best first) and ``differences`` (a row for each pair).
        ``sweep``: ``cells``, a row for each opponent and value, with the score where hands are
        priced by the game; ``to_best`` is what the cell lacks to the best one (0 for that itself).
        ``payoffs``: ``payoffs`` (the lead of each value over each), ``equilibrium`` (each value's
        share of the mixture, 0-1, and its payoff against the mixture) and ``best_replies``.
        Intervals are columns ``low_95`` and ``high_95``, or what the confidence is.  A parameter's
        column has its unit in the name; its values are text if one of them is a table.

    Raises
    ------
    InputError
        If the kind has no tables here, or the object lacks what they hold.
    """
    if kind not in _TABLES:
        raise InputError(f"tables are made of {listed(_TABLES)}, not of '{kind}'.")
    import pandas as pd

    saved = read_saved(kind, result)
    return {name: pd.DataFrame(rows) for name, rows in _TABLES[kind](saved).items()}


def _comparison(comparison: SavedComparison) -> dict[str, list[dict[str, Any]]]:
    told_apart = {pair.policy: pair.told_apart for pair in comparison.neighbours}
    return {
        "ranking": [
            {
                "rank": rank,
                "policy": row.policy,
                **_columns(comparison, row, "mean_lead"),
                "told_apart_from_next": told_apart.get(row.policy),
            }
            for rank, row in enumerate(comparison.ranking, 1)
        ],
        "differences": [
            {
                "policy": row.policy,
                "against": row.against,
                **_columns(comparison, row, "lead"),
                "told_apart": not row.figure().spans_zero,
            }
            for row in comparison.differences
        ],
    }


def _sweep(sweep: SavedSweep) -> dict[str, list[dict[str, Any]]]:
    rows = []
    score = _score_columns(sweep.score) if sweep.score else {}
    what = "worth" if sweep.score else "lead"
    for table in sweep.tables:
        for cell in table.cells:
            values = zip(sweep.parameters, cell.values, strict=True)
            rows.append(
                {
                    "base": sweep.base,
                    "against": MEAN_OVER_ALL if table.against is None else table.against,
                    **score,
                    **{_name(parameter): _tidy(parameter, value) for parameter, value in values},
                    **_columns(sweep, cell, what),
                    **_columns(sweep, cell.to_best, "to_best", "to_best_"),
                    "best": cell.values == table.best,
                    "among_best": cell.among_best,
                }
            )
    return {"cells": rows}


def _payoffs(payoffs: SavedPayoffs) -> dict[str, list[dict[str, Any]]]:
    (parameter,) = payoffs.parameters
    name = _name(parameter)
    level = _percent(payoffs)
    against_it = {row.value: row for row in payoffs.equilibrium.payoffs}
    weights = {row.value: row for row in payoffs.equilibrium.mixture}
    equilibrium = []
    for value in parameter.values:
        row: dict[str, Any] = {name: _tidy(parameter, value)}
        part = weights.get(value)
        row["share_of_mixture"] = 0.0 if part is None else part.weight
        row[f"share_low_{level}"] = part and part.low
        row[f"share_high_{level}"] = part and part.high
        if value in against_it:
            row |= _columns(payoffs, against_it[value], "payoff", "payoff_")
        equilibrium.append(row)
    return {
        "payoffs": [
            {
                f"row_{name}": _tidy(parameter, cell.row),
                f"column_{name}": _tidy(parameter, cell.column),
                **_columns(payoffs, cell, "lead"),
            }
            for cell in payoffs.cells
        ],
        "equilibrium": equilibrium,
        "best_replies": [
            {
                f"to_{name}": _tidy(parameter, reply.to),
                f"best_{name}": _tidy(parameter, reply.best),
                **_columns(payoffs, reply, "lead"),
                "among_best": " ".join(str(value) for value in reply.among_best),
            }
            for reply in payoffs.best_replies
        ],
    }


def _score_columns(at: KnockScore) -> dict[str, Any]:
    return {
        "play_points": at.mine,
        "against_points": at.theirs,
        "box_difference": at.boxes,
        "dealer": at.dealer,
    }


_TABLES = {
    "compare": _comparison,
    "sweep": _sweep,
    "payoffs": _payoffs,
}


def _columns(
    study: SavedAnswer, cell: SavedEstimate, what: str, before: str = ""
) -> dict[str, float]:
    """Return an estimate's columns; nan where there is none."""
    figure = cell.figure()
    return {
        f"{what}_{_slug(study.unit)}": figure.estimate,
        f"{before}low_{_percent(study)}": figure.low,
        f"{before}high_{_percent(study)}": figure.high,
    }


def _percent(study: SavedAnswer) -> str:
    return f"{100 * study.confidence:g}"


def _name(parameter: SavedParameter) -> str:
    return f"{parameter.name}_{_slug(parameter.unit)}" if parameter.unit else parameter.name


def _slug(unit: str) -> str:
    return re.sub(r"\W+", "_", unit.replace("%", "percent")).strip("_")


def _tidy(parameter: SavedParameter, value: Value) -> Value:
    """Return a value as text where its column would mix numbers and text."""
    return value if parameter.is_numeric else str(value)
