"""A bar on standard error while a plan is played: rate, time left and the running difference."""

from __future__ import annotations

import math
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager

import numpy as np

from gin_sim.analysis.stats import Moments, lead_estimate, mean_estimate
from gin_sim.report.terminal import console
from gin_sim.simulate.games import LEAD_IN_GAMES
from gin_sim.simulate.plans import GamePlan, Plan
from gin_sim.simulate.tallies import LEAD_IN_POINTS

_BAR_WIDTH = 24
_BAR_NEEDS = 104  # columns of the terminal: the bar beside the longest line of words
_SECONDS_BETWEEN = 0.1  # a look at the tally after every chunk would cost a tenth of the speed


@contextmanager
def progress_bar(
    plan: Plan | GamePlan, quiet: bool
) -> Iterator[Callable[[np.ndarray], None] | None]:
    """Yield a function that takes the tally so far, or None where no bar is wanted.

    There is no bar with ``quiet`` or where standard error is not a terminal.
    """
    stream = console(stderr=True)
    if quiet or not stream.is_terminal:
        yield None
        return
    from rich.progress import BarColumn, Progress, TextColumn
    from rich.table import Column

    columns = [TextColumn("{task.description}", markup=False, table_column=Column(no_wrap=True))]
    if stream.width >= _BAR_NEEDS:
        columns.insert(0, BarColumn(bar_width=_BAR_WIDTH))
    started = time.perf_counter()
    shown = started
    with Progress(*columns, console=stream, transient=True) as bar:
        task = bar.add_task(f"0 of {plan.size:,} {plan.unit}", total=plan.size)

        def show(tally: np.ndarray) -> None:
            nonlocal shown
            now = time.perf_counter()
            if now - shown < _SECONDS_BETWEEN:
                return
            shown = now
            words = progress_words(plan, tally, now - started, stream.width)
            bar.update(task, completed=int(tally[plan.unit][0]), description=words)

        yield show


def progress_words(plan: Plan | GamePlan, tally: np.ndarray, seconds: float, width: int) -> str:
    """Return how far a plan is, leaving out what does not fit into a width in columns.

    Parameters
    ----------
    plan : Plan or GamePlan
    tally : record array of TALLY or GAME_TALLY, length 1
        Of what is played so far, at least one deal or pair.
    seconds : float
        Since the start.
    width : int
    """
    record = tally[0]
    done = int(record[plan.unit])
    rate = done / seconds
    difference, half_width = _running_difference(plan, record)
    hands_rate = f"{int(record.hands) / seconds / 1e6:.2f} M"
    parts = {
        "done": f"{done:,} of {plan.size:,} {plan.unit}",
        "rate": f"{hands_rate}/s" if plan.unit == "hands" else f"{hands_rate} hands/s",
        "left": f"{_clock((plan.size - done) / rate)} left",
        "difference": difference,
    }
    if math.isnan(half_width):
        del parts["difference"]
    for least_needed in ("rate", "difference", "left"):
        if len(" · ".join(parts.values())) > width:
            parts.pop(least_needed, None)
    return " · ".join(parts.values())


def _running_difference(plan: Plan | GamePlan, record: np.record) -> tuple[str, float]:
    """Return the difference so far in words, and half the width of its interval."""
    if isinstance(plan, GamePlan):
        lead = int(record.leads[LEAD_IN_GAMES]), int(record.lead_squares[LEAD_IN_GAMES])
        found = lead_estimate(Moments(int(record.pairs), *lead), plan.n_legs).scaled(100)
        return f"wins {found.estimate:+.1f} ±{found.half_width:.1f} %", found.half_width
    lead = int(record.leads[LEAD_IN_POINTS]), int(record.lead_squares[LEAD_IN_POINTS])
    found = mean_estimate(Moments(int(record.deals), *lead)).scaled(1 / plan.n_legs)
    return f"difference {found.estimate:+.2f} ±{found.half_width:.2f}", found.half_width


def _clock(seconds: float) -> str:
    minutes, seconds = divmod(math.ceil(seconds), 60)
    hours, minutes = divmod(minutes, 60)
    return f"{hours}:{minutes:02}:{seconds:02}" if hours else f"{minutes}:{seconds:02}"
