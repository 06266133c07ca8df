"""Advice on a position as text: the hand, the actions, the verdict, why, and what it rests on.

The answer comes before its reasons, and every estimate has its interval.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from rich.console import Console

from gin_sim.advice.answer import (
    CLOSE,
    KINDS,
    ActionValue,
    Advice,
    Variant,
    Verdict,
    action_text,
)
from gin_sim.cards import card_name, mask_of
from gin_sim.contests.figures import decimals_for
from gin_sim.engine.spread import best_arrangement
from gin_sim.errors import listed
from gin_sim.payoff.results import later_hands_of
from gin_sim.play.actions import (
    KNOCK,
    LAY_DOWN,
    LOST_BY_UNDERCUT,
    LOST_TO_BIG_GIN,
    LOST_TO_GIN,
    LOST_TO_KNOCK,
    NOBODY_WON,
    WON_BY_BIG_GIN,
    WON_BY_GIN,
    WON_BY_KNOCK,
    WON_BY_UNDERCUT,
)
from gin_sim.positions import Position
from gin_sim.report.terminal import cards_text
from gin_sim.report.text.advice_told import command_of, warnings
from gin_sim.report.text.hands import arrangement_text
from gin_sim.report.text.knocks import equity_notes
from gin_sim.report.wording import aligned
from gin_sim.rules import FIRST_OFFER
from gin_sim.stats.intervals import Estimate

_BEST, _OTHER, _DROPPED = "→", " ", "·"
_SHOWN = 6  # actions, or more down to the last that was played out; all are in --json
_SHORT_UNITS = {"% to win the game": "%", "points settled per game": "points settled"}
_WON = ((WON_BY_KNOCK,), (WON_BY_GIN, WON_BY_BIG_GIN), (WON_BY_UNDERCUT,))
_LOST = ((LOST_TO_KNOCK,), (LOST_TO_GIN, LOST_TO_BIG_GIN), (LOST_BY_UNDERCUT,))
_SAYS = {
    "knock": "Knock",
    "gin": "Lay down gin",
    "big gin": "Lay down big gin",
    "play on": "Go on",
    "take": "Take the upcard",
    "leave": "Leave the upcard",
    "discard": "Discard",
}


def print_advice(advice: Advice, console: Console, symbols: bool) -> None:
    """Print an answer.

    Parameters
    ----------
    advice : Advice
    console : rich Console
    symbols : bool
        Whether to draw suits as symbols.
    """
    console.print(hand_line(advice.position, symbols), "\n", sep="")
    shown = _shown(advice)
    header, *lines = aligned([_header(advice), *(_row(v, advice.unit, symbols) for v in shown)])
    console.print(header)
    for line, value in zip(lines, shown, strict=True):
        console.print(line, style=_style(advice, value))
    for line in _under_the_table(advice, len(shown)):
        console.print(f"  {line}")
    console.print(f"\n{verdict_sentence(advice.verdict, advice.unit, symbols)}", style="bold")
    for sentence in warnings(advice):
        console.print(f"Warning: {sentence}", style="yellow")
    for line in [*_why(advice, symbols), *_variant_lines(advice, symbols)]:
        console.print(line)
    if advice.equity is None and any(advice.position.score):
        score = "-".join(map(str, advice.position.score))
        console.print(
            f"The score is not counted: --objective win asks for the chance to win from {score}."
        )
    if advice.equity is not None:
        later = later_hands_of(advice.equity)
        for line in equity_notes([later], advice.objective, "the worlds played here"):
            console.print(line)
    console.print(_footer(advice))
    console.print(command_of(advice))


def _shown(advice: Advice) -> list[ActionValue]:
    """Return the actions that are worth a line, best first: to the last played out, and some."""
    last = max(place for place, value in enumerate(advice.actions) if value.finalist)
    return list(advice.actions[: max(last + 1, _SHOWN)])


def hand_line(position: Position, symbols: bool) -> str:
    """Return the hand by melds and loose cards, with the card drawn, the turn and the score."""
    held = mask_of(position.hand)
    melds = best_arrangement(held)
    seen = position.seen
    words = []
    if position.must_discard:
        words.append(f"drew {card_name(seen.drawn, symbols)}")
    elif seen.upcard >= 0:
        words.append(f"upcard {card_name(seen.upcard, symbols)}")
    offered = " (first upcard)" if seen.phase == FIRST_OFFER and not position.must_discard else ""
    words.append(f"your turn {seen.turn}{offered}")
    words.append("you dealt" if seen.is_dealer else "the opponent dealt")
    words.append(f"{position.score[0]}-{position.score[1]}")
    if position.rules.box_bonus and any(position.boxes):
        words.append(f"boxes {position.boxes[0]}-{position.boxes[1]}")
    shown = arrangement_text(melds, held & ~sum(melds), symbols)
    return f"You hold   {shown}      {' · '.join(words)}"


def _style(advice: Advice, value: ActionValue) -> str | None:
    if value is advice.actions[0]:
        return "bold"
    return None if value.finalist else "dim"


def _header(advice: Advice) -> list[str]:
    return [
        "  action",
        "deadwood",
        advice.unit,
        "to the best",
        "best",
        "won",
        "lost",
        "wash",
    ]


def _row(value: ActionValue, unit: str, symbols: bool) -> list[str]:
    best = value.difference.estimate == 0 == value.difference.half_width
    mark = _BEST if best and value.finalist else _OTHER if value.finalist else _DROPPED
    text = action_text(value.action, symbols)
    if _is_gin(value):
        text = text.replace("knock", "gin", 1)
    return [
        f"{mark} {text}",
        "" if value.deadwood is None else str(value.deadwood),
        _with_reach(value.value, "" if unit.startswith("%") else "+"),
        "-" if best else _with_interval(value.difference),
        f"{100 * value.chance_best:.0f} %" if value.finalist else "-",
        _shares(value, _WON),
        _shares(value, _LOST),
        f"{100 * value.ends[NOBODY_WON]:.0f}",
    ]


def _is_gin(value: ActionValue) -> bool:
    return value.action.what == LAY_DOWN or (value.action.what == KNOCK and value.deadwood == 0)


def _shares(value: ActionValue, groups: tuple[tuple[int, ...], ...]) -> str:
    return " / ".join(f"{100 * sum(value.ends[end] for end in ends):.0f}" for ends in groups)


def _decimals(half_width: float) -> int:
    return min(decimals_for(half_width, 1), 2)


def _with_reach(figure: Estimate, sign: str = "") -> str:
    decimals = _decimals(figure.half_width)
    return f"{figure.estimate:{sign}.{decimals}f} ±{figure.half_width:.{decimals}f}"


def _with_interval(figure: Estimate) -> str:
    decimals = _decimals(figure.half_width)
    low, high = f"{figure.low:+.{decimals}f}", f"{figure.high:+.{decimals}f}"
    return f"{figure.estimate:+.{decimals}f} [{low}, {high}]"


def _under_the_table(advice: Advice, n_shown: int) -> Iterator[str]:
    n_hidden = len(advice.actions) - n_shown
    if n_hidden:
        yield f"  and {n_hidden} more, lower still: all are in --json"
    yield "best: chance to be the best · won, lost: % of hands by a knock / gin / an undercut"
    if len({KINDS[value.action.what] for value in advice.actions}) > 1:
        yield "the verdict compares the best of each kind: knock or go on, take or leave"
    dropped = [value.playouts for value in advice.actions if not value.finalist]
    if dropped:
        yield (
            f"{_DROPPED} behind after {min(dropped):,} hands or more and played no "
            "further: measured from the best of its kind in those"
        )
    position = advice.position
    if position.must_discard and all(value.action.what != KNOCK for value in advice.actions):
        least = min(value.deadwood for value in advice.actions if value.deadwood is not None)
        yield (
            f"a knock is not allowed: the least deadwood is {least}, the limit "
            f"{position.knock_limit}"
        )


def verdict_sentence(verdict: Verdict, unit: str, symbols: bool = False) -> str:
    """Return a verdict as a sentence: "Go on: better by 2.8 points per hand [2.5, 3.1]."."""
    action, margin = action_text(verdict.action, symbols), verdict.margin
    if margin is None:
        return f"There is one thing to do: {action}."
    if margin.low == margin.high == 0:
        return f"It makes no difference: {action}, or another."
    if verdict.answer == CLOSE:
        return f"Too close to call: {action} is ahead by {_size(margin, unit)}."
    says = _SAYS[verdict.answer]
    card = action.rpartition("discard ")[2] if "discard " in action else ""
    if verdict.answer == "discard":
        says += f" {card}"
    elif card:
        says += f", discard {card}"
    return f"{says}: better by {_size(margin, unit)}."


def _size(margin: Estimate, unit: str) -> str:
    decimals = _decimals(margin.half_width)
    low, high = f"{margin.low:.{decimals}f}", f"{margin.high:.{decimals}f}"
    return f"{margin.estimate:.{decimals}f} {unit} [{low}, {high}]"


def _why(advice: Advice, symbols: bool) -> Iterator[str]:
    """Give the reasons, a line each."""
    reasons = advice.reasons
    yield (
        f"Why: {advice.opponent} has {_with_reach(reasons.deadwood)} deadwood now, "
        f"{advice.position.knock_limit} or less in {_percent(reasons.low_hand)} of worlds."
    )
    melds = [f"{cards_text(meld, symbols)} {_rough(chance)}" for meld, chance in reasons.melds]
    cards = [f"{card_name(card, symbols)} {_rough(chance)}" for card, chance in reasons.cards]
    known = advice.position.seen.known
    held = [f"surely {cards_text(known, symbols)}"] if known else []
    likely = [f"melds {', '.join(melds)}"] if melds else []
    likely.append(f"cards {', '.join(cards)}")
    yield f"     It holds {' · '.join([*held, *likely])}."
    if reasons.undercut is not None and reasons.laid_off is not None:
        yield (
            f"     The best knock is undercut in {_percent(reasons.undercut)} of worlds; "
            f"{_with_reach(reasons.laid_off)} pips are laid off on it."
        )
    yield f"     {_gin_words(advice, symbols)}"


def _gin_words(advice: Advice, symbols: bool) -> str:
    if any(map(_is_gin, advice.actions)):
        return "The hand is gin."
    outs, chances = advice.reasons.outs, advice.reasons.gin_chances
    if not outs:
        return "No single card brings gin."
    n = len(outs)
    text = f"{n} unseen {'card brings' if n == 1 else 'cards bring'} gin"
    text += f" ({cards_text(outs, symbols)})"
    if not chances:
        return f"{text}, and there is no draw left."
    draws = " / ".join(f"{100 * chance:.0f}" for chance in chances)
    many = "the next draw" if len(chances) == 1 else f"1 to {len(chances)} draws"
    return f"{text}, drawn within {many} in {draws} %."


def _percent(share: Estimate) -> str:
    return f"{_with_reach(share.scaled(100))} %"


def _rough(chance: float) -> str:
    return f"{100 * chance:.0f} %"


def _variant_lines(advice: Advice, symbols: bool) -> Iterator[str]:
    for words, variants in (
        ("Against", advice.opponents),
        ("With", advice.bonuses),
        ("At", advice.scores),
    ):
        if variants:
            verdicts = [_variant(variant, symbols) for variant in variants]
            yield f"{words} {' · '.join(verdicts)}"


def _variant(variant: Variant, symbols: bool) -> str:
    verdict, margin = variant.verdict, variant.verdict.margin
    if margin is None:
        return f"{variant.name}: {verdict.answer}"
    unit = _SHORT_UNITS.get(variant.unit, "points")
    text = _with_interval(margin)
    if verdict.answer == CLOSE:
        return f"{variant.name}: {CLOSE} ({action_text(verdict.action, symbols)} {text} {unit})"
    answer = verdict.answer
    if answer == "discard":
        answer = action_text(verdict.action, symbols).replace("play on, ", "")
    return f"{variant.name}: {answer} ({text} {unit})"


def _belief_words(advice: Advice) -> str:
    if not advice.knows_history:
        return f"belief: learned weights of {advice.opponent}"
    strays = " / ".join(f"{100 * share:g}" for share in advice.stray)
    return f"belief: {advice.opponent}, straying in {strays} % of takes / discards / knocks"


def _footer(advice: Advice) -> str:
    partial = "PARTIAL: stopped early" if advice.partial else ""
    parts = [
        f"{advice.worlds:,} worlds",
        f"effective sample {advice.agreement.effective:,.0f}",
        f"{advice.chains} chains",
        _belief_words(advice),
        f"you go on as {advice.player}",
        f"objective {advice.objective}",
        f"{advice.position.rules.name} rules",
        f"seed {advice.seed}",
        f"{advice.seconds:.1f} s",
        partial,
    ]
    return " · ".join(filter(None, parts))


# ---------------------------------------------------------------------------------------------
# Many positions


def file_header() -> str:
    """Return the head of the table of a file's positions."""
    return f"  {'line':>5}  {'turn':>4}  {'answer':<17}  {'action':<22}  {'margin':<24}  best"


def file_line(line: int, advice: Advice, symbols: bool) -> str:
    """Return one position of a file as a line under :func:`file_header`."""
    verdict = advice.verdict
    margin = "-" if verdict.margin is None else _with_interval(verdict.margin)
    best = f"{100 * advice.actions[0].chance_best:.0f} %"
    action = action_text(verdict.action, symbols)
    unsure = "  chains disagree" if advice.chains_disagree else ""
    unsure += "" if advice.knows_history else "  learned weights"
    unsure += "  cut short" if advice.partial else ""
    return (
        f"  {line:>5}  {advice.position.seen.turn:>4}  {verdict.answer:<17}  {action:<22}  "
        f"{margin:<24}  {best:>5}{unsure}"
    )


def file_footer(answers: Sequence[Advice], n_all: int, stopped: bool) -> str:
    """Return what a file's answers rest on; ``n_all`` positions were asked about."""
    advice, n = answers[-1], len(answers)
    rules = listed(sorted({each.position.rules.name for each in answers}), "and")
    partial = "PARTIAL: stopped early · " if stopped else ""
    of = "" if n == n_all else f" of {n_all}"
    return (
        f"{partial}{n}{of} position{'' if n_all == 1 else 's'} · {rules} rules · "
        f"objective {advice.objective} · margins in {advice.unit}, 95% intervals · "
        f"{_belief_words(advice)} · you go on as {advice.player} · seed {advice.seed}"
    )
