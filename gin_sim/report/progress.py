"""A bar on standard error while hands are played: rate, time left and the running difference."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager

import numpy as np

from gin_sim.analysis.stats import Moments, mean_estimate
from gin_sim.report.terminal import console
from gin_sim.simulate.run import Plan
from gin_sim.simulate.tallies import LEAD_IN_POINTS


@contextmanager
def progress_bar(plan: Plan, quiet: bool) -> Iterator[Callable[[np.ndarray], None] | None]:
    """Yield a function that takes the tally so far, or None where no bar is wanted.

    There is no bar with ``quiet`` or where standard error is not a terminal.
    """
    stream = console(stderr=True)
    if quiet or not stream.is_terminal:
        yield None
        return
    from rich.progress import BarColumn, Progress, TextColumn, TimeRemainingColumn

    columns = [
        BarColumn(bar_width=24),
        TextColumn("{task.fields[hands]} of {task.fields[of]} hands ·", markup=False),
        TextColumn("{task.fields[rate]} ·", markup=False),
        TimeRemainingColumn(compact=True),
        TextColumn("left · difference {task.fields[difference]}", markup=False),
    ]
    with Progress(*columns, console=stream, transient=True) as bar:
        task = bar.add_task("", total=plan.hands, hands="0", of=f"{plan.hands:,}", rate="-",
                            difference="-")

        def show(tally: np.ndarray) -> None:
            hands = int(tally.hands[0])
            elapsed = bar.tasks[0].elapsed or 0
            bar.update(
                task,
                completed=hands,
                hands=f"{hands:,}",
                rate=f"{hands / elapsed / 1e6:.2f} M/s" if elapsed else "-",
                difference=_running_difference(tally, plan.n_legs),
            )

        yield show


def _running_difference(tally: np.ndarray, n_legs: int) -> str:
    record = tally[0]
    pairs = Moments(
        int(record.deals),
        int(record.leads[LEAD_IN_POINTS]),
        int(record.lead_squares[LEAD_IN_POINTS]),
    )
    lead = mean_estimate(pairs).scaled(1 / n_legs)
    return f"{lead.estimate:+.2f} ±{lead.half_width:.2f}"
