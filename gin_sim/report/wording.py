"""How figures with intervals are written, whatever they are figures of."""

from __future__ import annotations

import math

from gin_sim.contests.figures import decimals_for
from gin_sim.results.common import Estimate, Value
from gin_sim.results.knocks import OfKnocks
from gin_sim.results.sample import Sample
from gin_sim.results.two_policies import LuckAdjusted
from gin_sim.words import counted

# An interval that reaches this much further to one side is shown by its ends.
_LOPSIDED = 1.2
_LONGEST_NAME = 28
_LONGEST_SPEC = 80


def side_names(specs: list[str]) -> list[str]:
    """Return what a table or chart calls the sides: their specs, or first and second if long."""
    return specs if max(map(len, specs)) <= _LONGEST_NAME else ["first", "second"]


def short_spec(spec: str) -> str:
    """Return a spec, or only its name and that it has numbers of its own where it is long."""
    name, colon, _ = spec.partition(":")
    short = len(spec) <= _LONGEST_SPEC or not colon
    return spec if short else f"{name} (with changed parameters)"


def hands_words(hands: int, deals: int, mirrored: bool) -> str:
    """Return how much was played: "1,000,000 hands in 500,000 mirrored pairs"."""
    kind = "mirrored pair" if mirrored else "plain deal"
    return f"{counted(hands, 'hand')} in {counted(deals, kind)}"


def counted_words(hands: int, scores: int) -> str:
    """Return how much was counted: "4,000 hands in 2,000 mirrored pairs at each of 2 scores"."""
    each = f" at each of {scores} scores" if scores > 1 else ""
    return f"{hands_words(hands, hands // 2, True)}{each}"


def sample_words(found: OfKnocks) -> str:
    """Return what a result rests on: the deals, and the hands that the rest of the game is from."""
    words = f"{found.deals:,} deals traced"
    if found.score is None:
        return words
    later = found.score.later_hands
    return f"{words}, the rest of the game from {counted_words(later.hands, later.scores)}"


def games_words(games: int, pairs: int | None) -> str:
    """Return how much was played: "20,000 games in 10,000 mirrored pairs"; None: not mirrored."""
    if pairs is None:
        return f"{counted(games, 'game')}, not mirrored"
    return f"{counted(games, 'game')} in {counted(pairs, 'mirrored pair')}"


def played_words(sample: Sample) -> str:
    """Return how much was played, whether hands or games."""
    if sample.of_games:
        return games_words(sample.size, sample.units if sample.mirrored else None)
    return hands_words(sample.size, sample.units, sample.mirrored)


def value_text(value: Value) -> str:
    """Return a parameter's value for a table, a tick or a sentence."""
    return f"{value:.0f}" if isinstance(value, float) and value.is_integer() else str(value)


def aligned(rows: list[list[str]]) -> list[str]:
    """Return rows as lines, the first column to the left and the others to the right.

    As wide as it must be: a terminal may break a line, but no figure is cut.
    """
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    return [
        "    ".join([row[0].ljust(widths[0]), *map(str.rjust, row[1:], widths[1:])]) for row in rows
    ]


def shown(figure: Estimate, percent: bool, decimals: int) -> str:
    """Return a figure with its interval, to as many decimals as show the interval."""
    if math.isnan(figure.estimate):
        return "-"
    scale, unit = (100, " %") if percent else (1, "")
    if math.isnan(figure.low):
        return f"{figure.estimate * scale:.{decimals}f}{unit}"
    decimals = decimals_for(figure.half_width * scale, decimals)
    text = f"{figure.estimate * scale:.{decimals}f}"
    below, above = figure.estimate - figure.low, figure.high - figure.estimate
    if above > _LOPSIDED * below or below > _LOPSIDED * above:
        low, high = figure.low * scale, figure.high * scale
        return f"{text} [{low:.{decimals}f}, {high:.{decimals}f}]{unit}"
    return f"{text} ±{figure.half_width * scale:.{decimals}f}{unit}"


def interval(figure: Estimate, decimals: int = 3) -> str:
    """Return the interval of a difference, with signs."""
    if math.isnan(figure.low):
        return "(too few deals for an interval)"
    decimals = decimals_for(figure.half_width, decimals)
    return f"[{figure.low:+.{decimals}f}, {figure.high:+.{decimals}f}]"


def interval_words(figure: Estimate, least: int = 2) -> str:
    """Return a difference with its interval: "+1.23 [+1.19, +1.27]".

    Parameters
    ----------
    figure : Estimate
        As it is shown.
    least : int
        Decimals, and more where they are needed to show the interval.
    """
    if math.isnan(figure.low):
        return f"{figure.estimate:+.{least}f} (too few for an interval)"
    decimals = decimals_for(figure.half_width, least)
    return (
        f"{figure.estimate:+.{decimals}f} [{figure.low:+.{decimals}f}, {figure.high:+.{decimals}f}]"
    )


def mirroring_words(saved: float | None, noun: str) -> str:
    """Return the end of a footer: how many times fewer hands or games mirroring needed."""
    if not saved:
        return ""
    return f" · mirroring needed {_times(saved)} {noun}"


def luck_words(found: LuckAdjusted | None, mirroring: float | None) -> str:
    """Return the end of a footer: how many times fewer hands the luck adjustment needed."""
    if found is None:
        return " · too few deals for the luck adjustment"
    saved = found.variance_reduction
    if not saved:
        return ""
    text = f" · the luck adjustment needed {_times(saved)} hands"
    if mirroring:
        text += f", both together {_times(saved * mirroring)} than plain deals"
    return text


def _times(saved: float) -> str:
    """Return a factor in words: "3.69 times fewer"."""
    return f"{max(saved, 1 / saved):.2f} times {'fewer' if saved >= 1 else 'more'}"
