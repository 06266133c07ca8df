"""Traces of deals that are made by hand, for solved rules and for what knocks are worth."""

from __future__ import annotations

import numpy as np

from gin_sim.knock.tracing import Traced
from gin_sim.play.knock_trace import END, TRACED_KNOCK


def trace_of(plan, paths, ends, seen=None):
    """Knocks as a list of dicts for each path, and the points of its end.

    ``seen`` counts deadwoods by side and turn: none by default.
    """
    rows = [dict(path=number, **knock) for number, path in enumerate(paths) for knock in path]
    knocks = np.zeros(len(rows), TRACED_KNOCK).view(np.recarray)
    for row, fields in zip(knocks, rows, strict=True):
        for name, value in fields.items():
            row[name] = value
    found = np.zeros(len(ends), END).view(np.recarray)
    found.points = ends
    return Traced(plan, knocks, found, np.zeros((2, 32, 100), np.int64) if seen is None else seen)
