"""A bar on standard error while hands are played: rate, time left and the running difference."""

from __future__ import annotations

import math
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager

import numpy as np

from gin_sim.analysis.stats import Moments, mean_estimate
from gin_sim.report.terminal import console
from gin_sim.simulate.run import Plan
from gin_sim.simulate.tallies import LEAD_IN_POINTS

_BAR_WIDTH = 24
_BAR_NEEDS = 104  # columns of the terminal: the bar beside the longest line of words
_SECONDS_BETWEEN = 0.1  # a look at the tally after every chunk would cost a tenth of the speed


@contextmanager
def progress_bar(plan: Plan, quiet: bool) -> Iterator[Callable[[np.ndarray], None] | None]:
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
        task = bar.add_task(f"0 of {plan.hands:,} hands", total=plan.hands)

        def show(tally: np.ndarray) -> None:
            nonlocal shown
            now = time.perf_counter()
            if now - shown < _SECONDS_BETWEEN:
                return
            shown = now
            words = progress_words(plan, tally, now - started, stream.width)
            bar.update(task, completed=int(tally.hands[0]), description=words)

        yield show


def progress_words(plan: Plan, tally: np.ndarray, seconds: float, width: int) -> str:
    """Return how far a plan is, leaving out what does not fit into a width in columns.

    Parameters
    ----------
    plan : Plan
    tally : record array of TALLY, length 1
        Of the hands played so far, at least one deal.
    seconds : float
        Since the start.
    width : int
    """
    record = tally[0]
    hands = int(record.hands)
    rate = hands / seconds
    pairs = Moments(
        int(record.deals),
        int(record.leads[LEAD_IN_POINTS]),
        int(record.lead_squares[LEAD_IN_POINTS]),
    )
    lead = mean_estimate(pairs).scaled(1 / plan.n_legs)
    parts = {
        "hands": f"{hands:,} of {plan.hands:,} hands",
        "rate": f"{rate / 1e6:.2f} M/s",
        "left": f"{_clock((plan.hands - hands) / rate)} left",
        "difference": f"difference {lead.estimate:+.2f} ±{lead.half_width:.2f}",
    }
    if math.isnan(lead.half_width):
        del parts["difference"]
    for least_needed in ("rate", "difference", "left"):
        if len(" · ".join(parts.values())) > width:
            parts.pop(least_needed, None)
    return " · ".join(parts.values())


def _clock(seconds: float) -> str:
    minutes, seconds = divmod(math.ceil(seconds), 60)
    hours, minutes = divmod(minutes, 60)
    return f"{hours}:{minutes:02}:{seconds:02}" if hours else f"{minutes}:{seconds:02}"
