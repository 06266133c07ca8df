"""A bar on standard error while a plan is played: rate, time left and the running difference."""

from __future__ import annotations

import math
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

import numpy as np

from gin_sim.api.progress import Progress
from gin_sim.contests.stopping_rules import Watch
from gin_sim.engine.compiling import Stopwatch
from gin_sim.play.games import LEAD_IN_GAMES
from gin_sim.play.plans import GamePlan, Plan, UnitPlan
from gin_sim.play.tallies import LEAD_IN_POINTS
from gin_sim.report.compiling import CompilingLine
from gin_sim.report.terminal import console, shows_symbols
from gin_sim.report.text.advice import verdict_sentence
from gin_sim.results.actions import Verdict
from gin_sim.results.objective import Unit
from gin_sim.stats.intervals import Moments, lead_estimate, mean_estimate

_BAR_WIDTH = 24
_BAR_NEEDS = 104  # columns of the terminal: the bar beside the longest line of words
#: The first answer on a position is shown at this half width, in units as shown, or after so long.
_FIRST_WIDTH, _FIRST_SECONDS = 1.5, 2.0
_SECONDS_BETWEEN = 0.1  # a look at the tally after every chunk would cost a tenth of the speed

#: The bars on the terminal, the last one uppermost.
_bars: list[Any] = []


@contextmanager
def _shown(columns: list[Any], stream: Any) -> Iterator[Any]:
    from rich.progress import Progress as Bar

    with Bar(*columns, console=stream, transient=True) as bar:
        _bars.append(bar)
        try:
            yield bar
        finally:
            _bars.remove(bar)


@contextmanager
def progress_bar(
    plan: UnitPlan, quiet: bool, watch: Watch | None = None
) -> Iterator[Callable[[np.ndarray], None] | None]:
    """Yield a function that takes the tally so far, or None where no bar is wanted.

    There is no bar with ``quiet`` or where standard error is not a terminal.
    """
    stream = console(stderr=True)
    if quiet or not stream.is_terminal:
        yield None
        return
    from rich.progress import BarColumn, TextColumn
    from rich.table import Column

    columns = [TextColumn("{task.description}", markup=False, table_column=Column(no_wrap=True))]
    if stream.width >= _BAR_NEEDS:
        columns.insert(0, BarColumn(bar_width=_BAR_WIDTH))
    clock, shown = Stopwatch(), 0.0
    with _shown(columns, stream) as bar:
        # With a stopping rule the size is no more than what it may not pass.
        total = plan.size if watch is None else None
        task = bar.add_task(f"0 of {plan.size:,} {plan.unit}", total=total)

        def show(tally: np.ndarray) -> None:
            nonlocal shown
            now = clock.seconds
            if now - shown < _SECONDS_BETWEEN:
                return
            shown = now
            words = progress_words(plan, tally, now, stream.width, watch)
            bar.update(task, completed=plan.finished(tally), description=words)

        yield show


@contextmanager
def counting_bar(total: int, noun: str, quiet: bool) -> Iterator[Callable[[int], None] | None]:
    """Yield a function that takes how many of a total are done, or None where no bar is wanted.

    Parameters
    ----------
    total : int
    noun : str
        What is counted, in the plural.
    quiet : bool
    """
    stream = console(stderr=True)
    if quiet or not stream.is_terminal:
        yield None
        return
    from rich.progress import BarColumn, TextColumn

    columns = [BarColumn(bar_width=_BAR_WIDTH), TextColumn("{task.description}", markup=False)]
    clock = Stopwatch()
    with _shown(columns, stream) as bar:
        task = bar.add_task(f"0 of {total:,} {noun}", total=total)

        def show(done: int) -> None:
            left = clock.seconds * (total - done) / done
            words = f"{done:,} of {total:,} {noun} · {_clock(left)} left"
            bar.update(task, completed=done, description=words)

        yield show


@contextmanager
def advice_bar(
    blocks: int | None, unit: Unit, quiet: bool
) -> Iterator[Callable[[int, Verdict], None] | None]:
    """Yield a function that takes the blocks so far and the verdict that they give, or None.

    There is no bar with ``quiet`` or where standard error is not a terminal.  The verdict stands
    under the bar, and is refined in place.

    Parameters
    ----------
    blocks : int or None
        How many are played; None where the width and the time decide.
    unit : Unit
        Of the margin.
    quiet : bool
    """
    stream = console(stderr=True)
    if quiet or not stream.is_terminal:
        yield None
        return
    from rich.progress import SpinnerColumn, TextColumn

    columns = [SpinnerColumn(), TextColumn("{task.description}", markup=False)]
    with _shown(columns, stream) as bar:
        task = bar.add_task("sampling the opponent's hands", total=blocks)
        watch = Stopwatch()
        symbols = shows_symbols(stream.file)

        def show(done: int, verdict: Verdict) -> None:
            goal = f"{done} block{'s' * (done > 1)}" if blocks is None else f"{done} of {blocks}"
            words = advice_words(goal, verdict, unit, watch.seconds, symbols)
            bar.update(task, completed=done, description=words)
            bar.refresh()

        yield show


def advice_words(goal: str, verdict: Verdict, unit: Unit, seconds: float, symbols: bool) -> str:
    """Return how far an answer on a position is, and under it the verdict once there is one.

    Parameters
    ----------
    goal : str
        The blocks so far.
    verdict : Verdict
    unit : Unit
        Of its margin.
    seconds : float
        Since the start.
    symbols : bool
        Whether suits are shown as symbols.
    """
    width = verdict.margin.half_width * unit.scale if verdict.margin else 0.0
    words = f"{goal} · difference ±{width:.2f}"
    if width > _FIRST_WIDTH and seconds < _FIRST_SECONDS:
        return words
    return f"{words}\n{verdict_sentence(verdict, unit, symbols)}"


def progress_words(
    plan: UnitPlan, tally: np.ndarray, seconds: float, width: int, watch: Watch | None = None
) -> str:
    """Return how far a plan is, leaving out what does not fit into a width in columns.

    Parameters
    ----------
    plan : any plan
    tally : record array, length 1
        Of what is played so far, at least one unit.
    seconds : float
        Since the start.
    width : int
    watch : Watch, optional
        The plan's stopping rule.
    """
    done = plan.finished(tally)
    hands_rate = f"{int(tally.hands[0]) / seconds / 1e6:.2f} M"
    parts = {
        "done": f"{done:,} of {plan.size:,} {plan.unit}",
        "rate": f"{hands_rate}/s" if isinstance(plan, Plan) else f"{hands_rate} hands/s",
        "left": f"{_clock((plan.size - done) / (done / seconds))} left",
        "difference": _running_difference(plan, tally[0]),
    }
    if watch is not None:
        parts |= {"done": f"{done:,} {plan.unit}", "left": "", "difference": _goal(watch)}
    for least_needed in ("rate", "difference", "left"):
        if len(_joined(parts)) > width:
            parts[least_needed] = ""
    return _joined(parts)


def _joined(parts: dict[str, str]) -> str:
    return " · ".join(filter(None, parts.values()))


def _goal(watch: Watch) -> str:
    """Return how far a stopping rule is from its end."""
    if watch.sprt is not None:
        low, high = watch.sprt.bounds
        return "" if math.isnan(watch.llr) else f"LLR {watch.llr:+.2f} of {low:+.2f} or {high:+.2f}"
    if watch.look is None or watch.look.tightest_at is None:
        return ""
    scale = 100 if watch.objective == "win" else 1
    widest = max(figure.half_width for figure in watch.look.estimates) * scale
    return f"±{widest:.3g} of ±{watch.until.half_width * scale:g}"


def _running_difference(plan: UnitPlan, record: np.record) -> str:
    """Return the difference of two policies so far; nothing for many meetings."""
    if isinstance(plan, GamePlan):
        lead = int(record.leads[LEAD_IN_GAMES]), int(record.lead_squares[LEAD_IN_GAMES])
        found = lead_estimate(Moments(int(record.pairs), *lead), plan.n_legs).scaled(100)
        words = f"wins {found.estimate:+.1f} ±{found.half_width:.1f} %"
    elif isinstance(plan, Plan):
        lead = int(record.leads[LEAD_IN_POINTS]), int(record.lead_squares[LEAD_IN_POINTS])
        found = mean_estimate(Moments(int(record.deals), *lead)).scaled(1 / plan.n_legs)
        words = f"difference {found.estimate:+.2f} ±{found.half_width:.2f}"
    else:
        return ""
    return "" if math.isnan(found.half_width) else words


def _clock(seconds: float) -> str:
    minutes, seconds = divmod(math.ceil(seconds), 60)
    hours, minutes = divmod(minutes, 60)
    return f"{hours}:{minutes:02}:{seconds:02}" if hours else f"{minutes}:{seconds:02}"


class TerminalProgress(Progress):
    """A bar on standard error, and a line while the engine compiles.

    Nothing is shown where standard error is not a terminal, except for notes and for compiling.
    """

    def __init__(self) -> None:
        self._line = CompilingLine(lambda: _bars[-1] if _bars else None)

    def compiling(self, *functions: Any, at_work: bool = False):
        """Show a line while functions compile, unless all are compiled already."""
        return self._line.expecting(functions)

    @contextmanager
    def playing(self, plan: UnitPlan, watch: Watch | None = None):
        """Show a bar of a plan with its rate, time left and running difference."""
        with self._line.expecting(()), progress_bar(plan, False, watch) as on_progress:
            yield on_progress

    @contextmanager
    def counting(self, total: int, noun: str):
        """Show a bar of things that are counted."""
        with self._line.expecting(()), counting_bar(total, noun, False) as on_progress:
            yield on_progress

    @contextmanager
    def advising(self, blocks: int | None, unit: Unit):
        """Show how far an answer on a position is."""
        with self._line.expecting(()), advice_bar(blocks, unit, False) as on_block:
            yield on_block

    def note(self, sentence: str) -> None:
        """Print a sentence on standard error."""
        print(sentence, file=sys.stderr, flush=True)

    def step(self, sentence: str) -> None:
        """Print a sentence where a bar would be shown."""
        if console(stderr=True).is_terminal:
            self.note(sentence)
