"""Results as they are saved, read back as typed values with nothing left to chance.

It knows the objects that the commands print with ``--json`` and keep in a manifest, and refuses
one that lacks what its charts and tables need, by the place of the fault.  It knows no folder and
no drawing.
"""

from __future__ import annotations

import json
import math
from typing import Annotated, Any

import msgspec

from gin_sim.errors import InputError, listed
from gin_sim.stats.intervals import Estimate

Share = Annotated[float, msgspec.Meta(ge=0, le=1)]
Count = Annotated[int, msgspec.Meta(ge=0)]


class SavedEstimate(msgspec.Struct):
    """An estimate with its interval; None where there is none."""

    estimate: float | None
    low: float | None
    high: float | None

    def __post_init__(self) -> None:
        _check_finite(self.estimate, self.low, self.high)
        _check_interval(self.low, self.high)

    def figure(self, scale: float = 1) -> Estimate:
        """Return the estimate times a positive factor, nan where there is none."""
        return estimate_of((self.estimate, self.low, self.high)).scaled(scale)


class KnownEstimate(SavedEstimate):
    """An estimate that is there even where its interval is not."""

    estimate: float


def _check_finite(*numbers: float | None) -> None:
    if any(number is not None and not math.isfinite(number) for number in numbers):
        raise ValueError("numbers are finite, or null where there is none")


def _check_interval(low: float | None, high: float | None) -> None:
    if (low is None) != (high is None) or (low is not None and low > high):
        raise ValueError(f"an interval has two ends in order, not {low} and {high}")


def estimate_of(numbers: tuple[float | None, float | None, float | None]) -> Estimate:
    """Return an estimate of its three numbers, nan where there is none."""
    return Estimate(*(math.nan if number is None else number for number in numbers))


class SavedRules(msgspec.Struct):
    """What charts say of the rules."""

    name: str
    box_bonus: int = 0
    big_gin_bonus: int | None = None


# ------------------------------------------------------------- beliefs


class SavedPrediction(msgspec.Struct):
    """The mean chance of an undercut that a belief said, 0 to 1."""

    undercut: KnownEstimate


class SavedReliability(msgspec.Struct):
    """A group of positions: the true share of undercuts, and what each belief said."""

    name: str
    positions: Count
    undercut: KnownEstimate
    belief: SavedPrediction
    learned: SavedPrediction
    uniform: SavedPrediction

    def __post_init__(self) -> None:
        if self.undercut.low is None:
            raise ValueError("the true share of undercuts has no interval")

    def said(self, method: str) -> float:
        """Return the mean chance that a belief said, 0 to 1."""
        return getattr(self, method).undercut.estimate


class ReliabilityBySaid(msgspec.Struct):
    """Groups by the chance that each belief said."""

    belief: list[SavedReliability]
    learned: list[SavedReliability]
    uniform: list[SavedReliability]

    def __getitem__(self, method: str) -> list[SavedReliability]:
        return getattr(self, method)


class SavedCalibration(msgspec.Struct, kw_only=True):
    """How beliefs about an opponent's hand came true, of ``belief calibrate``."""

    opponent: str
    sample: str
    seed: int
    rules: SavedRules
    confidence: float
    partial: bool
    by_draws: list[SavedReliability]
    by_prediction: ReliabilityBySaid

    def __post_init__(self) -> None:
        if not self.by_draws:
            raise ValueError("there is no position")


_TYPES = {
    "calibration": SavedCalibration,
}
KINDS = tuple(_TYPES)


def read_saved(kind: str, result: dict[str, Any]) -> Any:
    """Return a result object as the typed value of its kind.

    Parameters
    ----------
    kind : str
        One of :data:`KINDS`.
    result : dict
        What the command prints with ``--json``, whether fresh or read from a manifest.

    Raises
    ------
    InputError
        If there is no such kind, or the object lacks something; the sentence names the place.
    """
    if kind not in _TYPES:
        raise InputError(
            f"a result of the kind '{kind}' has no charts; kinds that do: {listed(KINDS, 'and')}."
        )
    try:
        # Fresh or read from disk, it is the JSON that is drawn.
        return msgspec.convert(json.loads(json.dumps(result)), _TYPES[kind])
    except msgspec.ValidationError as error:
        what, _, place = str(error).partition(" - at `$")
        place = f"result{place.rstrip('`')}"
        raise InputError(
            f"the result of the kind '{kind}' is not whole at {place} ({what[:1].lower()}"
            f"{what[1:]}): run its command again."
        ) from None
