"""The stopping rule that a plan was played with, and what it came to."""

from __future__ import annotations

from typing import Literal

from msgspec import Struct


class UntilWidth(Struct, kw_only=True, frozen=True, tag_field="rule", tag="until"):
    """Play on until every interval is narrow enough (``--until``).

    The intervals of the watched figures then hold at every look.

    Parameters
    ----------
    half_width : float
        How far an interval may reach to each side, in ``unit``.
    unit : str
        Of the watched figures.
    reached : bool
        Whether every interval became as narrow; else the hands or games that were allowed ran out.
    """

    half_width: float
    unit: str
    reached: bool


class LeadTest(Struct, kw_only=True, frozen=True, tag_field="rule", tag="sprt"):
    """Play on until a sequential test has chosen between two leads (``--sprt``).

    Parameters
    ----------
    d0, d1 : float
        The leads of the first policy over the second, the smaller first, in ``unit``.
    unit : str
        Of the leads.
    alpha, beta : float
        Chance to accept d1 where d0 holds, and d0 where d1 holds, at most; 0-1.
    llr : float or None
        Log likelihood ratio of d1 to d0 at the last look; None where too little was played, or
        what was played did not vary.
    bounds : pair of float
        d0 is accepted at or below the first, d1 at or above the second.
    accepted : {"d0", "d1"} or None
        What was accepted; None where nothing was.
    """

    d0: float
    d1: float
    unit: str
    alpha: float
    beta: float
    llr: float | None
    bounds: tuple[float, float]
    accepted: Literal["d0", "d1"] | None


Stopping = UntilWidth | LeadTest
