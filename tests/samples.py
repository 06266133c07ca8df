"""Grouped samples for the tests of statistics, made of the deals' own values."""

from __future__ import annotations

import numpy as np

from gin_sim.stats.simultaneous import GroupedSample, critical_value, estimates


def grouped(values: np.ndarray, groups: int = 1000) -> GroupedSample:
    """The sample of (n, K) figures, deal i in group i modulo the number of groups."""
    n = len(values)
    size = max(1, min(n, groups))
    rows = -(-n // size)
    padded = np.zeros((rows * size, values.shape[1]), values.dtype)
    padded[:n] = values
    counts = np.bincount(np.arange(n) % size, minlength=size)
    return GroupedSample(counts, padded.reshape(rows, size, values.shape[1]).sum(axis=0))


def together(sample: GroupedSample) -> list:
    """Every figure with an interval, all of them to hold at once."""
    return estimates(sample, critical_value(sample))
