"""One or two numbers of a policy varied against opponents: each value's lead, and which is best.

They are judged by the points of a hand, by whole games, or by what a hand at a score is worth for
the game.  All values meet all opponents on the same deals, so that values are compared with most of
the luck gone.  Which value is best is said with all comparisons between values allowed for.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from gin_sim.contests.estimates import Leads
from gin_sim.errors import InputError
from gin_sim.payoff.payoff import Worth
from gin_sim.play.plans import Block, PairingsPlan, PathsPlan
from gin_sim.play.priced import PricedPathsPlan, PricedPlan
from gin_sim.policies.contract import Policy
from gin_sim.policies.same_play import by_play
from gin_sim.policies.variations import Grid
from gin_sim.rules import Rules
from gin_sim.stats.intervals import Estimate
from gin_sim.words import listed

_MOST_NAMED = 5


@dataclass(frozen=True)
class Cell:
    """What one policy of the grid did against an opponent.

    Parameters
    ----------
    lead : Estimate
        A hand (a game), or what a hand at a score is worth, in the unit of that; the intervals of
        a table hold all at once.
    to_best : Estimate
        The lead less the best one's; the interval holds together with those of this policy's
        differences to all others.  Zero for the best.
    among_best : bool
        Whether no other policy is found to be better.
    """

    lead: Estimate
    to_best: Estimate
    among_best: bool


@dataclass(frozen=True)
class Table:
    """The grid against one opponent, or against the mean of all.

    Parameters
    ----------
    against : str or None
        The opponent's spec; None for the mean of all opponents, each counted once.
    cells : tuple of Cell
        In the grid's order.
    best : int
        The policy with the greatest lead.
    """

    against: str | None
    cells: tuple[Cell, ...]
    best: int

    @property
    def among_best(self) -> list[int]:
        """The policies of which none is found to be worse than another."""
        return [number for number, cell in enumerate(self.cells) if cell.among_best]


@dataclass(frozen=True)
class Sweep:
    """What a sweep found: a table for each opponent, and one for their mean if they are several.

    Parameters
    ----------
    leads : Leads
    grid : Grid
    opponents : tuple of Policy
    tables : tuple of Table
    worths : tuple of Worth
        What the hands against each opponent are priced by, all at one score; empty where they are
        judged by their points, or whole games are played.
    """

    leads: Leads
    grid: Grid
    opponents: tuple[Policy, ...]
    tables: tuple[Table, ...]
    worths: tuple[Worth, ...] = ()

    @property
    def worth(self) -> Worth | None:
        """The first opponent's worth, of which objective, unit and score are those of all."""
        return self.worths[0] if self.worths else None


@dataclass(frozen=True)
class SweepPlan:
    """How a grid meets opponents.

    Parameters
    ----------
    plan : PathsPlan or PairingsPlan
    meetings : ndarray of int64, shape (opponents, policies)
        Where in the plan each policy meets each opponent.
    """

    plan: PathsPlan | PairingsPlan
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
    objective: str = "points",
    seed: int = 1,
    mirrored: bool = True,
    one_pass: bool = True,
    worths: Sequence[Worth] = (),
) -> SweepPlan:
    """Return how a grid meets opponents: in one pass, as far as its policies draw alike.

    Parameters
    ----------
    grid : Grid
    opponents : sequence of Policy
    rules : Rules
    size : int
        Hands, or games for the objective ``win``, of each meeting.
    objective, seed, mirrored
        As for the plans.
    one_pass : bool
        Whether the policies that draw and discard alike share a walk; the figures are the same.
    worths : sequence of Worth
        One for each opponent, all at one score: single hands are played there and priced by them,
        and the objective says nothing.  Empty: nothing but the objective prices.

    Raises
    ------
    InputError
        If an opponent is given twice, or the size, seed or objective is no good.
    """
    check_opponents(opponents)
    policies = grid.policies
    groups = by_play(policies)
    numbers = range(len(opponents))
    meetings = np.zeros((len(opponents), len(policies)), np.int64)
    whole_games = objective == "win" and not worths
    if not one_pass or whole_games or len(groups) == len(policies):
        pairings = tuple((policy, opponent) for opponent in opponents for policy in policies)
        meetings[:] = np.arange(meetings.size).reshape(meetings.shape)
        priced_by = tuple(number for number in numbers for _ in policies)
        plan = _plan(pairings, rules, size, objective, seed, mirrored, worths, priced_by)
        return SweepPlan(plan, meetings)
    blocks: list[Block] = []
    met = 0
    for number, opponent in enumerate(opponents):
        for group in groups:
            blocks.append((tuple(policies[cell] for cell in group), (opponent,)))
            meetings[number, group] = range(met, met + len(group))
            met += len(group)
    priced_by = tuple(number for number in numbers for _ in groups)
    plan = _plan(
        tuple(blocks), rules, size, objective, seed, mirrored, worths, priced_by, in_blocks=True
    )
    return SweepPlan(plan, meetings)


def _plan(
    meetings: tuple,
    rules: Rules,
    size: int,
    objective: str,
    seed: int,
    mirrored: bool,
    worths: Sequence[Worth],
    priced_by: tuple[int, ...],
    in_blocks: bool = False,
) -> PathsPlan | PairingsPlan:
    """Return the plan of pairings or of blocks; ``priced_by`` are their numbers of worths."""
    if not worths:
        plan = PathsPlan if in_blocks else PairingsPlan
        return plan(meetings, rules, size, objective, seed, mirrored)
    plan = PricedPathsPlan if in_blocks else PricedPlan
    tables = np.stack([worth.whole_numbers() for worth in worths])
    start, grain = worths[0].start, worths[0].grain
    return plan(
        meetings, rules, size, seed=seed, mirrored=mirrored,
        worths=tables, start=start, priced_by=priced_by, grain=grain,
    )  # fmt: skip


def sweep(
    leads: Leads,
    grid: Grid,
    opponents: Sequence[Policy],
    meetings: np.ndarray,
    worths: Sequence[Worth] = (),
) -> Sweep:
    """Turn the leads of a grid's meetings into tables.

    Parameters
    ----------
    leads : Leads
    grid : Grid
    opponents : sequence of Policy
    meetings : ndarray of int64
        See :class:`SweepPlan`.
    worths : sequence of Worth
        As for :func:`plan_sweep`.
    """
    one_by_one = np.eye(meetings.size)
    level = worths[0].level if worths else 0.0
    tables = [
        _table(leads, opponent.spec, leads.of_meetings(cells), one_by_one[cells], level)
        for opponent, cells in zip(opponents, meetings, strict=True)
    ]
    if len(opponents) > 1:
        mean = one_by_one[meetings].mean(axis=0)
        tables.append(_table(leads, None, leads.claims(mean), mean, level))
    return Sweep(leads, grid, tuple(opponents), tuple(tables), tuple(worths))


def _table(
    leads: Leads, against: str | None, figures: list[Estimate], weights: np.ndarray, level: float
) -> Table:
    if level:  # a chance, from 0 to twice what is level
        figures = [figure.within(level).raised(level) for figure in figures]
    best = int(np.argmax([figure.estimate for figure in figures]))
    cells = map(Cell, figures, *leads.against_best(weights))
    return Table(against, tuple(cells), best)


def value_text(grid: Grid, cell: int) -> str:
    """Return a policy of the grid by its values: "knock=5", "knock@1=10, knock@2=8"."""
    return ", ".join(
        f"{variation.name}={variation.text(value)}"
        for variation, value in zip(grid.variations, grid.values_of(cell), strict=True)
    )


def verdict(found: Sweep) -> str:
    """Say which value is best against whom, and which cannot be told from it."""
    return "\n".join(_table_verdict(found, table) for table in found.tables)


def _table_verdict(found: Sweep, table: Table) -> str:
    against = f"Against {table.against}" if table.against else "Against all, each counted once,"
    best = value_text(found.grid, table.best)
    if len(table.cells) == 1:
        return f"{against} {best} is the only value tried."
    rest = [number for number in table.among_best if number != table.best]
    if len(rest) == len(table.cells) - 1:
        return f"{against} no value is found to be better than another."
    if not rest:
        return f"{against} {best} is best."
    names = [value_text(found.grid, number) for number in rest]
    if len(names) > _MOST_NAMED:
        return f"{against} {best} does best, and {len(names)} others cannot be told from it."
    return f"{against} {best} does best, and {listed(names, 'and')} cannot be told from it."
