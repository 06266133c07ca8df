"""Results as they are saved, read back as typed values with nothing left to chance.

It knows the objects that the commands print with ``--json`` and keep in a manifest, and refuses
one that lacks what its charts and tables need, by the place of the fault.  It knows no folder and
no drawing.
"""

from __future__ import annotations

import itertools
import json
import math
from typing import Annotated, Any, Literal

import msgspec

from gin_sim.errors import InputError
from gin_sim.stats.intervals import Estimate
from gin_sim.words import listed

#: A parameter's value: a number, or the text of a knock table.
Value = bool | int | float | str
Share = Annotated[float, msgspec.Meta(ge=0, le=1)]
Count = Annotated[int, msgspec.Meta(ge=0)]

#: By the unit of a result's estimates: what they are multiplied by to be shown, and in what unit.
SHOWN_UNITS = {
    "points per hand": (1, "points per hand"),
    "share of games": (100, "% of games"),
    "% to win the game": (1, "% to win the game"),
    "points per game": (1, "points per game"),
}


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


class SavedPolicy(msgspec.Struct):
    """A policy by its spec."""

    spec: str


# ---------------------------------------------------------- two policies


class RateIntervals(msgspec.Struct):
    """The ends of the intervals that are drawn."""

    win_rate: tuple[Share, Share]


class SavedSide(msgspec.Struct):
    """One policy's share of the hands or games won."""

    win_rate: Share
    intervals: RateIntervals

    def __post_init__(self) -> None:
        low, high = self.intervals.win_rate
        if not low <= self.win_rate <= high:
            raise ValueError("the win_rate is not within its interval")

    @property
    def wins(self) -> Estimate:
        """The share won with its interval."""
        return Estimate(self.win_rate, *self.intervals.win_rate)


class HandsSide(SavedSide):
    """One policy's shares of the hands."""

    gin_rate: Share
    big_gin_rate: Share
    undercut_made_rate: Share


class HandsDifference(msgspec.Struct):
    """Side 0 minus side 1, points per hand."""

    points: KnownEstimate
    with_boxes: KnownEstimate = msgspec.field(name="points+boxes")


class SavedHands(msgspec.Struct):
    """What :func:`gin_sim.report.text.match.head_to_head_json` gives."""

    hands: int
    deals: int
    mirrored: bool
    seed: int
    rules: SavedRules
    policies: tuple[SavedPolicy, SavedPolicy]
    sides: tuple[HandsSide, HandsSide]
    wash_rate: Share
    difference: HandsDifference
    partial: bool


class GamesDifference(msgspec.Struct):
    """Side 0 minus side 1, points settled per game."""

    stakes: KnownEstimate


class SavedGames(msgspec.Struct):
    """What :func:`gin_sim.report.text.games.games_json` gives."""

    games: int
    pairs: int | None
    mirrored: bool
    seed: int
    rules: SavedRules
    policies: tuple[SavedPolicy, SavedPolicy]
    sides: tuple[SavedSide, SavedSide]
    difference: GamesDifference
    tie_rate: KnownEstimate
    hands_per_game: KnownEstimate
    games_by_hands: list[int]
    longest_or_more: bool
    partial: bool

    def __post_init__(self) -> None:
        if self.games < 1 or not self.games_by_hands:
            raise ValueError("no game was played")


# ------------------------------------------------------- many comparisons


class SavedAnswer(msgspec.Struct, kw_only=True):
    """What every result of many estimates says of itself."""

    objective: str
    unit: str
    sample: str
    seed: int
    rules: SavedRules
    confidence: float
    partial: bool

    def __post_init__(self) -> None:
        if self.unit not in SHOWN_UNITS:
            raise ValueError(f"the unit is {listed(SHOWN_UNITS)}, not '{self.unit}'")
        if not 0 < self.confidence < 1:
            raise ValueError(f"the confidence is between 0 and 1, not {self.confidence:g}")

    @property
    def is_cut(self) -> bool:
        """Whether what is drawn rests on less than was asked for, because it was stopped."""
        return self.partial

    @property
    def scale(self) -> float:
        """What an estimate is multiplied by to be shown in :attr:`shown_unit`."""
        return SHOWN_UNITS[self.unit][0]

    @property
    def shown_unit(self) -> str:
        """The unit that people read: points per hand, or % of games."""
        return SHOWN_UNITS[self.unit][1]


class KnockScore(msgspec.Struct, kw_only=True):
    """The score at which a knock, or a hand, is judged by the game."""

    mine: Count
    theirs: Count
    boxes: int
    boxes_matter: bool
    dealer: Literal["either", "me", "opponent"]
    words: str


class SavedStudy(SavedAnswer, kw_only=True):
    """A result of many comparisons, with what its intervals allow for."""

    correction: str


class RankedPolicy(SavedEstimate):
    """A policy's mean lead over the others."""

    policy: str


class PolicyDifference(SavedEstimate):
    """One policy's lead over another."""

    policy: str
    against: str


class Neighbours(msgspec.Struct):
    """Two policies that follow each other in a ranking."""

    policy: str
    next: str
    told_apart: bool


class SavedComparison(SavedStudy, kw_only=True):
    """The round robin of ``compare``."""

    ranking: list[RankedPolicy]
    differences: list[PolicyDifference]
    neighbours: list[Neighbours]

    def __post_init__(self) -> None:
        super().__post_init__()
        if not self.ranking:
            raise ValueError("the ranking is empty")
        known = {row.policy for row in self.ranking}
        pairs = [(row.policy, row.against) for row in self.differences]
        pairs += [(row.policy, row.next) for row in self.neighbours]
        for spec in itertools.chain.from_iterable(pairs):
            if spec not in known:
                raise ValueError(f"'{spec}' is not in the ranking")


class SavedParameter(msgspec.Struct):
    """A parameter and the values that were tried, in order."""

    name: str
    values: list[Value]
    unit: str = ""
    meaning: str = ""

    def __post_init__(self) -> None:
        if not self.values:
            raise ValueError(f"no value of '{self.name}' was tried")
        _check_finite(*(value for value in self.values if not isinstance(value, str)))

    @property
    def is_numeric(self) -> bool:
        """Whether every value is a number, so that it has a place on a scale."""
        return all(isinstance(v, int | float) and not isinstance(v, bool) for v in self.values)

    @property
    def label(self) -> str:
        """The name with the unit, for an axis."""
        return f"{self.name}, {self.unit}" if self.unit else self.name


class SweepCell(SavedEstimate):
    """The lead with one value of each parameter."""

    values: list[Value]
    to_best: SavedEstimate
    among_best: bool


class SweepTable(msgspec.Struct):
    """The cells against one opponent; None: the mean over all."""

    against: str | None
    best: list[Value]
    cells: list[SweepCell]


class SavedSweep(SavedStudy, kw_only=True):
    """The cells of ``sweep`` for one or two parameters."""

    base: str
    parameters: list[SavedParameter]
    tables: list[SweepTable]
    score: KnockScore | None = None

    @property
    def has_chances(self) -> bool:
        """Whether the figures are chances, which have no sign, rather than leads."""
        return self.score is not None and self.objective == "win"

    def __post_init__(self) -> None:
        super().__post_init__()
        if len(self.parameters) not in (1, 2):
            raise ValueError(f"one or two parameters are swept, not {len(self.parameters)}")
        if not self.tables:
            raise ValueError("there is no table")
        expected = [list(v) for v in itertools.product(*(p.values for p in self.parameters))]
        for table in self.tables:
            if [cell.values for cell in table.cells] != expected:
                raise ValueError("the cells are not those of the parameters' values")
            if table.best not in expected:
                raise ValueError(f"the best values {table.best} were not tried")


class PayoffCell(SavedEstimate):
    """The lead of one value over another."""

    row: Value
    column: Value


class BestReply(SavedEstimate):
    """The value that does best against another, and those not told apart from it."""

    to: Value
    best: Value
    among_best: list[Value]


class MixtureWeight(msgspec.Struct):
    """How often an equilibrium plays a value, 0-1."""

    value: Value
    weight: float
    low: float | None
    high: float | None

    def __post_init__(self) -> None:
        _check_finite(self.weight, self.low, self.high)
        _check_interval(self.low, self.high)


class PurePayoff(SavedEstimate):
    """What one value wins from the equilibrium mixture."""

    value: Value


class Equilibrium(msgspec.Struct):
    """The mixture that no value beats."""

    mixture: list[MixtureWeight]
    value: SavedEstimate
    payoffs: list[PurePayoff]


class SavedPayoffs(SavedStudy, kw_only=True):
    """The matrix of ``sweep --both``: each value of a parameter against each."""

    base: str
    parameters: tuple[SavedParameter]
    cells: list[PayoffCell]
    best_replies: list[BestReply]
    equilibrium: Equilibrium

    def __post_init__(self) -> None:
        super().__post_init__()
        values = self.parameters[0].values
        if [(cell.row, cell.column) for cell in self.cells] != list(
            itertools.product(values, values)
        ):
            raise ValueError("the cells are not those of the parameter's values")
        named = [value for reply in self.best_replies for value in (reply.to, reply.best)]
        named += [value for reply in self.best_replies for value in reply.among_best]
        named += [weight.value for weight in self.equilibrium.mixture]
        named += [payoff.value for payoff in self.equilibrium.payoffs]
        for value in named:
            if value not in values:
                raise ValueError(f"the value {value} was not tried")


_TYPES = {
    "simulate": SavedHands,
    "games": SavedGames,
    "compare": SavedComparison,
    "sweep": SavedSweep,
    "payoffs": SavedPayoffs,
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
