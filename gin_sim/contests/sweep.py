"""One or two numbers of a policy varied against opponents: each value's lead, and which is best.

They are judged by points per hand, by whole games, or by what a hand at a score is worth for the
game.  All values meet all opponents on the same deals, so that values are compared with most of
the luck gone.  Which value is best is said with all comparisons between values allowed for.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from gin_sim.contests.estimates import Leads
from gin_sim.contests.study import in_data, study_fields, unit_for
from gin_sim.errors import InputError
from gin_sim.payoff.payoff import PriceTable, whole_numbers_of
from gin_sim.payoff.results import later_hands_of, score_of
from gin_sim.play.pairings import GamePairingsPlan, PairingsPlan
from gin_sim.play.threshold_walk import Block, PathsPlan
from gin_sim.policies.contract import Policy
from gin_sim.policies.same_play import by_play
from gin_sim.policies.variations import Grid
from gin_sim.results.common import Estimate, Value
from gin_sim.results.parameter import Parameter
from gin_sim.results.sweep import Sweep, SweepCell, SweepTable
from gin_sim.rules import Rules
from gin_sim.words import listed

_MOST_NAMED = 5


@dataclass(frozen=True)
class SweepPlan:
    """How a grid meets opponents.

    Parameters
    ----------
    plan : PathsPlan, PairingsPlan or GamePairingsPlan
    meetings : ndarray of int64, shape (opponents, policies)
        Where in the plan each policy meets each opponent.
    """

    plan: PathsPlan | PairingsPlan | GamePairingsPlan
    meetings: np.ndarray


def check_opponents(opponents: Sequence[Policy]) -> None:
    """Refuse an opponent that is given twice; :class:`InputError`."""
    specs = [opponent.spec for opponent in opponents]
    for spec in specs:
        if specs.count(spec) > 1:
            raise InputError(f"the opponent '{spec}' is given twice: name each once.")


def plan_sweep(
    grid: Grid,
    opponents: Sequence[Policy],
    rules: Rules,
    size: int,
    prices: Sequence[PriceTable],
    seed: int = 1,
    mirrored: bool = True,
    one_pass: bool = True,
) -> SweepPlan:
    """Return how a grid meets opponents: in one pass, as far as its policies draw alike.

    Parameters
    ----------
    grid : Grid
    opponents : sequence of Policy
    rules : Rules
    size : int
        Hands of each meeting, or games.
    prices : sequence of PriceTable
        What hands are priced by, all at one score: one table for all opponents, or one for each.
        Empty: whole games are played.
    seed : int
    mirrored : bool
    one_pass : bool
        Whether the policies that draw and discard alike share a walk; the figures are the same.

    Raises
    ------
    InputError
        If an opponent is given twice, or the size or seed is no good.
    """
    check_opponents(opponents)
    policies = grid.policies
    groups = by_play(policies)
    meetings = np.zeros((len(opponents), len(policies)), np.int64)
    if not one_pass or not prices or len(groups) == len(policies):
        pairings = tuple((policy, opponent) for opponent in opponents for policy in policies)
        meetings[:] = np.arange(meetings.size).reshape(meetings.shape)
        if not prices:
            return SweepPlan(GamePairingsPlan(pairings, rules, size, seed, mirrored), meetings)
        given = whole_numbers_of(prices, _priced_by(prices, len(policies)))
        plan = PairingsPlan(pairings, rules, size, given, seed, mirrored, prices[0].start)
        return SweepPlan(plan, meetings)
    blocks: list[Block] = []
    met = 0
    for number, opponent in enumerate(opponents):
        for group in groups:
            blocks.append((tuple(policies[cell] for cell in group), (opponent,)))
            meetings[number, group] = range(met, met + len(group))
            met += len(group)
    given = whole_numbers_of(prices, _priced_by(prices, len(groups)))
    walked = PathsPlan(tuple(blocks), rules, size, given, seed, mirrored, prices[0].start)
    return SweepPlan(walked, meetings)


def _priced_by(prices: Sequence[PriceTable], n_each: int) -> tuple[int, ...]:
    """Return which table prices each pairing or block, of which each opponent has so many."""
    if len(prices) == 1:
        return ()
    return tuple(number for number in range(len(prices)) for _ in range(n_each))


def sweep_of(
    leads: Leads,
    grid: Grid,
    opponents: Sequence[Policy],
    meetings: np.ndarray,
    prices: Sequence[PriceTable],
) -> Sweep:
    """Turn the leads of a grid's meetings into tables.

    Parameters
    ----------
    leads : Leads
    grid : Grid
    opponents : sequence of Policy
    meetings : ndarray of int64
        See :class:`SweepPlan`.
    prices : sequence of PriceTable
        As for :func:`plan_sweep`.
    """
    one_by_one = np.eye(meetings.size)
    first = prices[0] if prices else None
    tables = [
        _table(leads, grid, opponent.spec, leads.of_meetings(cells), one_by_one[cells], first)
        for opponent, cells in zip(opponents, meetings, strict=True)
    ]
    if len(opponents) > 1:
        mean = one_by_one[meetings].mean(axis=0)
        tables.append(_table(leads, grid, None, leads.claims(mean), mean, first))
    n_cells = len(grid.policies)
    found = Sweep(
        **study_fields(leads, f"the {n_cells} values of a table", n_cells, first),
        verdict="",
        play=grid.base.info(),
        against=[opponent.info() for opponent in opponents],
        parameters=parameters_of(grid),
        by_opponent=tables,
        score=None if first is None else score_of(first),
        later_hands=[later_hands_of(each.equity) for each in prices if each.equity is not None],
    )
    found.verdict = verdict(found, grid)
    return found


def parameters_of(grid: Grid) -> list[Parameter]:
    """Return what a grid varies, as results give it."""
    return [
        Parameter(variation.name, variation.unit, variation.meaning, list(variation.values))
        for variation in grid.variations
    ]


def _table(
    leads: Leads,
    grid: Grid,
    against: str | None,
    figures: list[Estimate],
    weights: np.ndarray,
    prices: PriceTable | None,
) -> SweepTable:
    level = prices.level if prices else 0.0
    if level:  # a chance, from 0 to twice what is level
        figures = [figure.within(level).raised(level) for figure in figures]
    best = int(np.argmax([figure.estimate for figure in figures]))
    unit = unit_for(prices)
    cells = [
        SweepCell(
            values=list(grid.values_of(number)),
            policy=grid.policies[number].spec,
            figure=in_data(figure, prices, unit),
            to_best=in_data(to_best, prices, unit),
            among_best=among_best,
        )
        for number, (figure, to_best, among_best) in enumerate(
            zip(figures, *leads.against_best(weights), strict=True)
        )
    ]
    return SweepTable(
        against=against,
        best=cells[best].values,
        among_best=[cell.values for cell in cells if cell.among_best],
        cells=cells,
    )


def verdict(found: Sweep, grid: Grid) -> str:
    """Say which value is best against whom, and which are tied with it."""
    return "\n".join(_table_verdict(table, grid) for table in found.by_opponent)


def _table_verdict(table: SweepTable, grid: Grid) -> str:
    against = f"Against {table.against}" if table.against else "Against all, each counted once,"
    best = _values_text(grid, table.best)
    if len(table.cells) == 1:
        return f"{against} {best} is the only value tried."
    names = [_values_text(grid, cell.values) for cell in table.tied]
    if len(names) == len(table.cells) - 1:
        return f"{against} no value is found to be better than another."
    if not names:
        return f"{against} {best} is best."
    if len(names) > _MOST_NAMED:
        return f"{against} {best} does best, and {len(names)} others are tied with it."
    are = "is" if len(names) == 1 else "are"
    return f"{against} {best} does best, and {listed(names, 'and')} {are} tied with it."


def _values_text(grid: Grid, values: Sequence[Value]) -> str:
    """Return a policy of a grid by its values: "knock=5", "knock@1=10, knock@2=8"."""
    return ", ".join(
        f"{variation.name}={variation.text(value)}"
        for variation, value in zip(grid.variations, values, strict=True)
    )
