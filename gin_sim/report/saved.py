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
    "points settled per game": (1, "points settled per game"),
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
    dealer: Literal["either", "play", "against"]
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


# ------------------------------------------------------------ when to knock

#: Own turn of a player; deadwood of a knock, gin apart.
Turn = Annotated[int, msgspec.Meta(ge=1, le=120)]
KnockDeadwood = Annotated[int, msgspec.Meta(ge=1, le=98)]


class SavedClasses(msgspec.Struct):
    """A class of what the mover sees, by which a rule may differ; one class: no such thing."""

    name: str
    meaning: str
    classes: list[str]

    def __post_init__(self) -> None:
        if not self.classes or len(set(self.classes)) < len(self.classes):
            raise ValueError("there is a class at least, and each has a name of its own")


class KnockPlace(msgspec.Struct, kw_only=True):
    """Where a knock is decided; ``knocks`` are those that its figures rest on."""

    turn: Turn
    class_name: str = msgspec.field(name="class")
    deadwood: KnockDeadwood
    knocks: Count

    @property
    def place(self) -> tuple[int, str, int]:
        """The turn, the class and the deadwood."""
        return self.turn, self.class_name, self.deadwood


class KnockCell(KnockPlace, kw_only=True):
    """What a knock is worth more than playing on, and what the solved rule does."""

    gain: float | None
    low: float | None
    high: float | None
    decision: Literal["knock", "play on", "too close", "few"]
    rule: Literal["knock", "play on"]

    def __post_init__(self) -> None:
        _check_finite(self.gain, self.low, self.high)
        _check_interval(self.low, self.high)
        if self.decision != "few" and None in (self.gain, self.low):
            raise ValueError(f"a decision '{self.decision}' has a gain with an interval")

    @property
    def is_shown(self) -> bool:
        """Whether there are enough knocks to show the gain."""
        return self.decision != "few"

    def figure(self, scale: float = 1) -> Estimate:
        """Return the gain times a positive factor, nan where there are too few knocks."""
        if not self.is_shown:
            return estimate_of((None, None, None))
        return estimate_of((self.gain, self.low, self.high)).scaled(scale)


class KnockChance(KnockPlace, kw_only=True):
    """How often a mixed rule knocks."""

    chance: Share | None


class ThresholdWorth(SavedEstimate):
    """What a single threshold for all turns is worth."""

    knock: Count


class RuleProof(msgspec.Struct):
    """The solved rule and the base's own, played on deals that neither was fitted to."""

    hands: Count
    solved: SavedEstimate
    own: SavedEstimate
    difference: SavedEstimate


class UndercutChance(msgspec.Struct):
    """How often a knock is undercut."""

    turn: Turn
    deadwood: KnockDeadwood
    chance: Share | None
    low: Share | None
    high: Share | None
    knocks: Count

    def __post_init__(self) -> None:
        _check_interval(self.low, self.high)

    def figure(self, scale: float = 1) -> Estimate:
        """Return the chance times a positive factor, nan where there is none."""
        return estimate_of((self.chance, self.low, self.high)).scaled(scale)


class DefenderCounts(msgspec.Struct):
    """How often the opponent's turn ended with each deadwood from 0, the hand still going on."""

    turn: Turn
    counts: list[Count]


class SavedKnocks(SavedAnswer, kw_only=True):
    """What every answer to "when to knock" says of itself."""

    score: KnockScore | None = None
    deals: int
    play: str
    by: SavedClasses
    defenders: list[DefenderCounts]
    cut: list[str]

    @property
    def is_cut(self) -> bool:
        """Whether the trace or the rounds are not whole; a chart rests on nothing else."""
        return not {"the trace", "the rounds"}.isdisjoint(self.cut)

    @property
    def correction(self) -> str:
        """What the intervals allow for."""
        return "of each figure by itself"

    def _check_places(self, places: list) -> None:
        if not places:
            raise ValueError("there is no cell")
        found = [each.place for each in places]
        for _, name, _ in found:
            if name not in self.by.classes:
                raise ValueError(f"the class '{name}' is not one of {listed(self.by.classes)}")
        _check_once(found, "cell")
        _check_once([each.turn for each in self.defenders], "turn of the opponent")


def _check_once(places: list, what: str) -> None:
    if len(set(places)) < len(places):
        raise ValueError(f"a {what} is there twice")


class SavedSolution(SavedKnocks, kw_only=True):
    """The best knock rule against an opponent, of ``solve``."""

    against: str
    cells: list[KnockCell]
    value: SavedEstimate
    own: SavedEstimate
    gain: SavedEstimate
    over_best_threshold: SavedEstimate
    thresholds: list[ThresholdWorth]
    proof: RuleProof | None
    undercuts: list[UndercutChance]

    def __post_init__(self) -> None:
        super().__post_init__()
        self._check_places(self.cells)
        _check_once([(each.turn, each.deadwood) for each in self.undercuts], "chance of undercut")


class HandEnding(msgspec.Struct):
    """What a result of the hand leads to: its worth, and whether the game is over."""

    worth: float
    game_over: bool


class PlainWays(msgspec.Struct):
    """Knocking as soon as one may and waiting for gin, against each other and the solved rule."""

    knock_less_gin: SavedEstimate
    over_knock: SavedEstimate
    over_gin: SavedEstimate


class KnockPanel(SavedSolution, kw_only=True):
    """The solution at one of several scores."""

    score: KnockScore
    endings: dict[str, HandEnding]
    plain: PlainWays


class SavedKnocksByScore(SavedAnswer, kw_only=True):
    """The best knock rules at several scores, of ``solve --by score``."""

    play: str
    against: str
    panels: list[KnockPanel]
    verdicts: list[str]

    def __post_init__(self) -> None:
        super().__post_init__()
        if not self.panels:
            raise ValueError("there is no score")
        _check_once([panel.score.words for panel in self.panels], "score")


class EquilibriumStep(SavedEstimate):
    """The exploitability after some rounds, judged on other deals and on those that chose."""

    rounds: Count
    at_most: SavedEstimate


class SavedKnockEquilibrium(SavedKnocks, kw_only=True):
    """The mixed knock rule that nobody gains by leaving, of ``solve --equilibrium``."""

    chances: list[KnockChance]
    opponent_chances: list[KnockChance] | None = None
    steps: list[EquilibriumStep]
    exploitability: SavedEstimate
    exploitability_at_most: SavedEstimate
    enough: float
    value: SavedEstimate

    def __post_init__(self) -> None:
        super().__post_init__()
        self._check_places(self.chances)


# ------------------------------------------------------------ chances by score


class SavedWorth(msgspec.Struct, kw_only=True):
    """What a score, or what a hand leads to, is worth: shares of games, points per game."""

    win: SavedEstimate
    tie: SavedEstimate
    stakes: SavedEstimate


class ScoreWorth(SavedWorth, kw_only=True):
    """What a score of the table is worth, by who deals."""

    mine: Count
    theirs: Count
    dealer: Literal["either", "play", "against"]


class ResultWorth(SavedWorth, kw_only=True):
    """What a result of the next hand leads to."""

    winner: Literal["play", "against", "nobody"]
    points: Count
    game_over: bool


class AskedScore(msgspec.Struct, kw_only=True):
    """One score of which more is told."""

    mine: Count
    theirs: Count
    boxes: int
    next_hand: list[ResultWorth]


class EquityGrid(msgspec.Struct):
    """Chances to win by score, play's down and against's across; None where no game is."""

    scores: list[Count]
    play_deals: list[list[Share | None]]
    against_deals: list[list[Share | None]]

    def __post_init__(self) -> None:
        for rows in (self.play_deals, self.against_deals):
            if [len(row) for row in rows] != [len(self.scores)] * len(self.scores):
                raise ValueError("the grid has not a row and a column for each of its scores")
        if len(self.scores) < 2 or self.scores != sorted(set(self.scores)):
            raise ValueError("the scores are two at least, in order")


class SavedEquity(msgspec.Struct, kw_only=True):
    """The chance to win by score, of ``equity``."""

    play: str
    against: str
    rules: SavedRules
    target: Annotated[int, msgspec.Meta(ge=1)]
    sample: str
    seed: int
    confidence: Annotated[float, msgspec.Meta(gt=0, lt=1)]
    boxes: int
    boxes_in_state: bool
    exact_by_score: bool
    cells: list[ScoreWorth]
    grid: EquityGrid
    asked: AskedScore | None
    partial: bool

    def __post_init__(self) -> None:
        _check_once([(cell.mine, cell.theirs, cell.dealer) for cell in self.cells], "score")


_TYPES = {
    "simulate": SavedHands,
    "games": SavedGames,
    "compare": SavedComparison,
    "sweep": SavedSweep,
    "payoffs": SavedPayoffs,
    "solve": SavedSolution,
    "equilibrium": SavedKnockEquilibrium,
    "equity": SavedEquity,
    "scores": SavedKnocksByScore,
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
