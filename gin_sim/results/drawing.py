"""The one door upward: how a result draws and words itself, by the room of reports.

Reports read results, so results may not import them; this module loads them by name when a chart
or a text is first asked for, as pandas loads its plotting.  No other module does so, and a test
says so.
"""

from __future__ import annotations

import importlib
from typing import Any

_CHARTS = "gin_sim.report.charts"
_TEXT = "gin_sim.report.text"


def charts(result: Any) -> dict[str, Any]:
    """Return all charts of a result by name."""
    return importlib.import_module(_CHARTS).draw_charts(result)


def chart(result: Any, name: str | None, ax: Any) -> Any:
    """Return one chart of a result, or draw it into the caller's axes."""
    return importlib.import_module(_CHARTS).draw_chart(result, name, ax)


def text(result: Any, more: bool) -> str:
    """Return what the command prints."""
    return importlib.import_module(_TEXT).text_of(result, more)


def summary(result: Any) -> str:
    """Return a result in a line: its verdict, and what it rests on."""
    return importlib.import_module(_TEXT).summary_of(result)


def html(result: Any) -> str:
    """Return a result for a notebook: its verdict and its main table."""
    return importlib.import_module(_TEXT).html_of(result)


def terminal_progress() -> Any:
    """Return what shows a bar on standard error."""
    return importlib.import_module("gin_sim.report.progress").TerminalProgress()
