"""The data of the charts of many estimates as flat tables, one row a cell or a policy.

Estimates stand in the result's own unit, which the columns name: points per hand, or shares of the
games (0-1).
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

from gin_sim.errors import InputError
from gin_sim.report.saved import (
    KnockPanel,
    KnockPlace,
    KnockScore,
    SavedAnswer,
    SavedComparison,
    SavedEquity,
    SavedEstimate,
    SavedKnockEquilibrium,
    SavedKnocks,
    SavedKnocksByScore,
    SavedParameter,
    SavedPayoffs,
    SavedSolution,
    SavedSweep,
    SavedWorth,
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
    kind : {"compare", "sweep", "payoffs", "solve", "equilibrium", "equity", "scores"}
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
        ``solve``: ``cells`` (what a knock gains over playing on), ``worth`` (of the solved rule,
        the policy's own and their difference, with the fresh deals of the proof if there was one),
        ``thresholds`` (of single ones), ``undercuts`` (the share of the knocks, 0-1) and
        ``defenders`` (a row for each deadwood that the opponent's turns ended with).
        ``equilibrium``: ``chances`` (to knock, 0-1), ``steps`` (the exploitability by rounds),
        ``worth`` and ``defenders``.
        ``scores``: ``cells`` and ``worth`` with the score of each row, and ``endings`` (what three
        results of the hand lead to).
        ``equity``: ``scores`` (a row for each score of the table and dealer: shares of games, 0-1,
        and points per game), ``grid`` (chances to win on more scores) and, where one score was
        asked about, ``next_hand`` (what the results of its next hand lead to).
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


def _solution(solution: SavedSolution) -> dict[str, list[dict[str, Any]]]:
    level, slug = _percent(solution), _slug(solution.unit)
    worth = [
        ("solved rule", solution.value, "traced"),
        ("own rule", solution.own, "traced"),
        ("solved less own rule", solution.gain, "traced"),
        ("solved less best threshold", solution.over_best_threshold, "traced"),
    ]
    if solution.proof is not None:
        worth += [
            ("solved rule", solution.proof.solved, "fresh"),
            ("own rule", solution.proof.own, "fresh"),
            ("solved less own rule", solution.proof.difference, "fresh"),
        ]
    return {
        "cells": [
            {
                **_knocks_of(solution, cell),
                f"gain_{slug}": cell.gain,
                f"low_{level}": cell.low,
                f"high_{level}": cell.high,
                "knocks": cell.knocks,
                "decision": cell.decision,
                "rule": cell.rule,
            }
            for cell in solution.cells
        ],
        "worth": [
            {"what": what, "deals": deals, **_columns(solution, figure, "lead")}
            for what, figure, deals in worth
        ],
        "thresholds": [
            {"knock_pips": row.knock, **_columns(solution, row, "lead")}
            for row in solution.thresholds
        ],
        "undercuts": [
            {
                "turn": row.turn,
                "deadwood_pips": row.deadwood,
                "undercut_share": row.chance,
                f"low_{level}": row.low,
                f"high_{level}": row.high,
                "knocks": row.knocks,
            }
            for row in solution.undercuts
        ],
        "defenders": _defenders(solution),
    }


def _knock_equilibrium(found: SavedKnockEquilibrium) -> dict[str, list[dict[str, Any]]]:
    return {
        "chances": [
            {**_knocks_of(found, row), "knock_share": row.chance, "knocks": row.knocks}
            for row in found.chances
        ],
        **(
            {}
            if found.opponent_chances is None
            else {
                "opponent_chances": [
                    {**_knocks_of(found, row), "knock_share": row.chance, "knocks": row.knocks}
                    for row in found.opponent_chances
                ]
            }
        ),
        "steps": [
            {
                "rounds": row.rounds,
                **_columns(found, row, "exploitability"),
                **{
                    f"at_most_{name}": value
                    for name, value in _columns(found, row.at_most, "exploitability").items()
                },
            }
            for row in found.steps
        ],
        "worth": [
            {"what": what, **_columns(found, figure, "lead")}
            for what, figure in (
                ("exploitability", found.exploitability),
                ("exploitability at most", found.exploitability_at_most),
                ("value to the first player", found.value),
            )
        ],
        "defenders": _defenders(found),
    }


def _equity(found: SavedEquity) -> dict[str, list[dict[str, Any]]]:
    level = f"{100 * found.confidence:g}"

    def columns(row: SavedWorth) -> dict[str, float]:
        worths = {
            "win_share_of_games": row.win.figure(),
            "tie_share_of_games": row.tie.figure(),
            "stakes_points_per_game": row.stakes.figure(),
        }
        return {
            column: number
            for name, figure in worths.items()
            for column, number in (
                (name, figure.estimate),
                (f"{name.partition('_')[0]}_low_{level}", figure.low),
                (f"{name.partition('_')[0]}_high_{level}", figure.high),
            )
        }

    score = ("play_points", "against_points", "box_difference")
    tables = {
        "scores": [
            {
                **dict(zip(score, (cell.mine, cell.theirs, found.boxes), strict=True)),
                "dealer": cell.dealer,
                **columns(cell),
            }
            for cell in found.cells
        ],
        "grid": [
            {
                **dict(zip(score, (mine, theirs, found.boxes), strict=True)),
                "dealer": dealer,
                "win_share_of_games": win,
            }
            for dealer, rows in (
                ("play", found.grid.play_deals),
                ("against", found.grid.against_deals),
            )
            for mine, row in zip(found.grid.scores, rows, strict=True)
            for theirs, win in zip(found.grid.scores, row, strict=True)
            if win is not None
        ],
    }
    if found.asked is not None:
        asked = found.asked
        tables["next_hand"] = [
            {
                **dict(zip(score, (asked.mine, asked.theirs, asked.boxes), strict=True)),
                "hand_won_by": row.winner,
                "hand_points": row.points,
                "game_over": row.game_over,
                **columns(row),
            }
            for row in asked.next_hand
        ]
    return tables


def _by_score(found: SavedKnocksByScore) -> dict[str, list[dict[str, Any]]]:
    def score(panel: KnockPanel) -> dict[str, Any]:
        return _score_columns(panel.score)

    tables: dict[str, list[dict[str, Any]]] = {}
    for panel in found.panels:
        for name, rows in _solution(panel).items():
            if name == "worth":
                rows += [
                    {"what": what, "deals": "traced", **_columns(panel, figure, "lead")}
                    for what, figure in (
                        ("always knocking less only gin", panel.plain.knock_less_gin),
                        ("solved less always knocking", panel.plain.over_knock),
                        ("solved less only gin", panel.plain.over_gin),
                    )
                ]
            if name in ("cells", "worth"):
                tables.setdefault(name, []).extend({**score(panel), **row} for row in rows)
    unit = _slug(found.unit)
    tables["endings"] = [
        {**score(panel), "result": name, f"worth_{unit}": ending.worth, "over": ending.game_over}
        for panel in found.panels
        for name, ending in panel.endings.items()
    ]
    return tables


def _score_columns(at: KnockScore) -> dict[str, Any]:
    return {
        "play_points": at.mine,
        "against_points": at.theirs,
        "box_difference": at.boxes,
        "dealer": at.dealer,
    }


def _knocks_of(found: SavedKnocks, cell: KnockPlace) -> dict[str, Any]:
    by = found.by.name if len(found.by.classes) > 1 else "class"
    return {"turn": cell.turn, by: cell.class_name, "deadwood_pips": cell.deadwood}


def _defenders(found: SavedKnocks) -> list[dict[str, int]]:
    return [
        {"turn": each.turn, "deadwood_pips": deadwood, "turns": count}
        for each in found.defenders
        for deadwood, count in enumerate(each.counts)
        if count
    ]


_TABLES = {
    "compare": _comparison,
    "sweep": _sweep,
    "payoffs": _payoffs,
    "solve": _solution,
    "equilibrium": _knock_equilibrium,
    "equity": _equity,
    "scores": _by_score,
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
