"""Results in words: what each command prints, from the result alone."""

from __future__ import annotations

import html
import importlib
import io
from typing import Any

from gin_sim.results.common import Answer

#: By kind of result, as its JSON names it: the module of this package that prints it.  Each has
#: ``show(result, console, more)``, which prints all, and ``summary(result)``, a line that says what
#: was found and under which rules, against whom and from how much.
WRITTEN: dict[str, str] = {
    "advice": "advice",
    "advice-list": "advice_list",
    "bench": "bench",
    "calibration": "calibration",
    "equilibrium": "equilibrium",
    "equity": "equity",
    "games": "games",
    "hand": "hands",
    "match": "match",
    "policy": "policies",
    "ranking": "ranking",
    "replay": "replay",
    "settlement": "settlement",
    "several-scores": "several_scores",
    "solution": "solution",
    "sweep": "sweep",
    "validation": "validation",
    "value-matrix": "value_matrix",
}

_ROWS_IN_A_NOTEBOOK = 20


def show(result: Answer, console: Any, more: bool = True) -> None:
    """Print a result: all of it, or the verdict and the main table alone."""
    _module(result).show(result, console, more)


def text_of(result: Answer, more: bool = True) -> str:
    """Return what :func:`show` prints, without colour."""
    from rich.console import Console

    stream = io.StringIO()
    show(
        result, Console(file=stream, width=100, highlight=False, markup=False, soft_wrap=True), more
    )
    return stream.getvalue()


def summary_of(result: Answer) -> str:
    """Return a result in a line."""
    return _module(result).summary(result)


def html_of(result: Answer) -> str:
    """Return a result for a notebook: its line, and the main table up to twenty rows."""
    words = f"<p>{html.escape(summary_of(result))}</p>"
    if not result.TABLES:
        return words
    return words + result.table().to_html(index=False, max_rows=_ROWS_IN_A_NOTEBOOK)


def _module(result: Answer) -> Any:
    return importlib.import_module(f"gin_sim.report.text.{WRITTEN[result.kind]}")
