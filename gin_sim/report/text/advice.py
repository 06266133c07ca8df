"""Advice on a position as text: the hand, the actions, the verdict, why, and what it rests on.

The answer comes before its reasons, and every estimate has its interval.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from rich.console import Console

from gin_sim.cards import card_name, parse_card
from gin_sim.contests.figures import decimals_for
from gin_sim.report.terminal import cards_text, shows_symbols
from gin_sim.report.text.knocks import equity_notes
from gin_sim.report.wording import aligned, short_spec
from gin_sim.results.actions import CLOSE, Action, ActionValue, Variant, Verdict
from gin_sim.results.advice import Advice
from gin_sim.results.common import Estimate
from gin_sim.results.objective import UNITS, Unit

_BEST, _OTHER, _DROPPED = "→", " ", "·"
_SHOWN = 6  # actions, or more down to the last that was played out; all are in --json
_SHORT_UNITS = {"chance to win the game": "%", "points per game": "points settled"}
_WON = (
    ("won_by_a_knock_rate",),
    ("won_by_gin_rate", "won_by_big_gin_rate"),
    ("won_by_an_undercut_rate",),
)
_LOST = (
    ("lost_to_a_knock_rate",),
    ("lost_to_gin_rate", "lost_to_big_gin_rate"),
    ("lost_by_an_undercut_rate",),
)
_SAYS = {
    "knock": "Knock",
    "gin": "Lay down gin",
    "big gin": "Lay down big gin",
    "play on": "Play on",
    "take": "Take the upcard",
    "leave": "Leave the upcard",
    "discard": "Discard",
}


def show(result: Advice, console: Console, more: bool = True) -> None:
    """Print an answer: all of it, or without its reasons and the verdicts where things differ."""
    symbols = shows_symbols(console.file)
    unit = result.shown_unit
    console.print(hand_line(result, symbols), "\n", sep="")
    shown = _shown(result)
    header, *lines = aligned([_header(unit), *(_row(value, unit, symbols) for value in shown)])
    console.print(header)
    for line, value in zip(lines, shown, strict=True):
        console.print(line, style=_style(result, value))
    for line in _under_the_table(result, len(shown)):
        console.print(f"  {line}")
    console.print(f"\n{verdict_sentence(result.verdict, unit, symbols)}", style="bold")
    for sentence in result.warnings:
        console.print(f"Warning: {sentence}", style="yellow")
    if more:
        for line in [*_why(result, symbols), *_variant_lines(result, symbols)]:
            console.print(line)
    if result.later_hands is None and any(result.seen.score):
        score = "-".join(map(str, result.seen.score))
        console.print(
            f"The score is not counted: --objective win asks for the chance to win from {score}."
        )
    if result.later_hands is not None:
        for line in equity_notes([result.later_hands], result.objective, "the sampled deals"):
            console.print(line)
    console.print(_footer(result))
    console.print(result.ask_again)


def summary(result: Advice) -> str:
    """Return the verdict in a line, and what it rests on."""
    verdict = verdict_sentence(result.verdict, result.shown_unit).rstrip(".")
    return (
        f"{verdict}; against {short_spec(result.against.spec)}, {result.rules.name} rules, "
        f"{result.belief.worlds:,} sampled deals, seed {result.seed}"
    )


def _shown(advice: Advice) -> list[ActionValue]:
    """Return the actions to give a line, best first: to the last played out, and some."""
    last = max(place for place, value in enumerate(advice.actions) if value.finalist)
    return advice.actions[: max(last + 1, _SHOWN)]


def hand_line(advice: Advice, symbols: bool) -> str:
    """Return the hand by melds and loose cards, with the card drawn, the turn and the score."""
    seen = advice.seen
    words = []
    if seen.drawn is not None:
        words.append(f"drew {_card(seen.drawn, symbols)}")
    elif seen.upcard is not None:
        words.append(f"upcard {_card(seen.upcard, symbols)}")
    words.append(f"your turn {advice.turn}{' (first upcard)' if seen.is_first_offer else ''}")
    words.append("you dealt" if advice.dealer == "me" else "the opponent dealt")
    words.append(f"{seen.score[0]}-{seen.score[1]}")
    if advice.rules.box_bonus and any(seen.boxes):
        words.append(f"boxes {seen.boxes[0]}-{seen.boxes[1]}")
    melds = " | ".join(_cards(meld, symbols) for meld in seen.melds) or "no melds"
    loose = f"loose {_cards(seen.loose, symbols)}" if seen.loose else "nothing loose"
    return f"You hold   {melds}   {loose}      {' · '.join(words)}"


def _card(name: str, symbols: bool) -> str:
    return card_name(parse_card(name), symbols)


def _cards(names: Iterable[str], symbols: bool) -> str:
    return cards_text(map(parse_card, names), symbols)


def action_text(action: Action, symbols: bool) -> str:
    """Return an action in words: ``"knock, discard K♦"``."""
    if action.card is None:
        return action.action
    return action.action.removesuffix(action.card) + _card(action.card, symbols)


def _style(advice: Advice, value: ActionValue) -> str | None:
    if value is advice.actions[0]:
        return "bold"
    return None if value.finalist else "dim"


def _header(unit: Unit) -> list[str]:
    return ["  action", "deadwood", unit.shown, "behind the best", "best", "won", "lost", "wash"]


def _row(value: ActionValue, unit: Unit, symbols: bool) -> list[str]:
    mark = _BEST if value.is_best else _OTHER if value.finalist else _DROPPED
    text = action_text(value, symbols)
    if value.is_gin:
        text = text.replace("knock", "gin", 1)
    chance = value.chance_best
    return [
        f"{mark} {text}",
        "" if value.deadwood is None else str(value.deadwood),
        _with_reach(value.value.scaled(unit.scale), "" if unit.scale > 1 else "+"),
        "-" if value.is_best else with_interval(value.difference.scaled(unit.scale)),
        "-" if chance is None else f"{100 * chance:.0f} %",
        _shares(value, _WON),
        _shares(value, _LOST),
        f"{100 * value.ends.wash_rate:.0f}",
    ]


def _shares(value: ActionValue, groups: tuple[tuple[str, ...], ...]) -> str:
    return " / ".join(
        f"{100 * sum(getattr(value.ends, name) for name in names):.0f}" for names in groups
    )


def _decimals(half_width: float) -> int:
    return min(decimals_for(half_width, 1), 2)


def _with_reach(figure: Estimate, sign: str = "") -> str:
    if not figure.is_known:
        return f"{figure.estimate:{sign}.1f}"
    decimals = _decimals(figure.half_width)
    return f"{figure.estimate:{sign}.{decimals}f} ±{figure.half_width:.{decimals}f}"


def with_interval(figure: Estimate) -> str:
    """Return a difference with its interval: "+0.9 [+0.5, +1.3]"."""
    return " ".join(_parts(figure, "+"))


def _parts(figure: Estimate, sign: str = "") -> list[str]:
    """Return a figure and, if it is known, its interval: "+0.9", "[+0.5, +1.3]"."""
    if not figure.is_known:
        return [f"{figure.estimate:{sign}.1f}"]
    decimals = _decimals(figure.half_width)
    estimate, low, high = (
        f"{number:{sign}.{decimals}f}" for number in (figure.estimate, figure.low, figure.high)
    )
    return [estimate, f"[{low}, {high}]"]


def _under_the_table(advice: Advice, n_shown: int) -> Iterator[str]:
    n_hidden = len(advice.actions) - n_shown
    if n_hidden:
        yield f"  and {n_hidden} more, all worse: --json has them"
    yield "best: chance it is best · won, lost: % of hands by a knock / gin / an undercut"
    if len({value.kind for value in advice.actions}) > 1:
        yield "the verdict compares the best of each kind: knock or play on, take or leave"
    dropped = [value.playouts for value in advice.actions if not value.finalist]
    if dropped:
        yield (
            f"{_DROPPED} clearly behind after {min(dropped):,} hands or more, so not played "
            "further: compared with the best of its kind in those hands"
        )
    if advice.seen.drawn is not None and all(value.kind != "knock" for value in advice.actions):
        least = min(value.deadwood for value in advice.actions if value.deadwood is not None)
        yield (
            f"a knock is not allowed: the least deadwood is {least}, the limit {advice.knock_limit}"
        )


def verdict_sentence(verdict: Verdict, unit: Unit, symbols: bool = False) -> str:
    """Return a verdict as a sentence: "Play on: better by 2.8 points per hand [2.5, 3.1]."."""
    action, margin = action_text(verdict, symbols), verdict.margin
    if margin is None:
        return f"There is only one choice: {action}."
    if margin.low == margin.high == 0:
        return f"It makes no difference: {action} is as good as any."
    if verdict.answer == CLOSE:
        return f"Too close to call: {action} is ahead by {_size(margin, unit)}."
    says = _SAYS[verdict.answer]
    if verdict.card is not None:
        card = _card(verdict.card, symbols)
        says += f" {card}" if verdict.answer == "discard" else f", discard {card}"
    return f"{says}: better by {_size(margin, unit)}."


def _size(margin: Estimate, unit: Unit) -> str:
    estimate, *ends = _parts(margin.scaled(unit.scale))
    return " ".join([estimate, unit.shown, *ends])


def _why(advice: Advice, symbols: bool) -> Iterator[str]:
    """Give the reasons, a line each."""
    reasons = advice.reasons
    yield (
        f"Why: {short_spec(advice.against.spec)} has {_with_reach(reasons.opponent_deadwood)} "
        f"deadwood now, {advice.knock_limit} or less in "
        f"{_percent(reasons.opponent_may_knock_chance)} of sampled deals."
    )
    melds = [
        f"{_cards(meld.cards, symbols)} {_rough(meld.chance)}" for meld in reasons.opponent_melds
    ]
    cards = [
        f"{_card(each.card, symbols)} {_rough(each.chance)}" for each in reasons.opponent_cards
    ]
    held = advice.seen.opponent
    certain = f"Certain: {_cards(held, symbols)}. " if held else ""
    likely = [f"melds {', '.join(melds)}"] if melds else []
    likely.append(f"cards {', '.join(cards)}")
    yield f"     {certain}It may hold {' · '.join(likely)}."
    if reasons.undercut_chance is not None and reasons.laid_off is not None:
        yield (
            f"     The best knock is undercut in {_percent(reasons.undercut_chance)} of sampled "
            f"deals; {_with_reach(reasons.laid_off)} pips are laid off on it."
        )
    yield f"     {_gin_words(advice, symbols)}"


def _gin_words(advice: Advice, symbols: bool) -> str:
    if any(value.is_gin for value in advice.actions):
        return "The hand is gin."
    outs, chances = advice.reasons.gin_outs, advice.reasons.gin_chance_in_draws
    if not outs:
        return "No single card gives gin."
    n = len(outs)
    text = f"{n} unseen {'card gives' if n == 1 else 'cards give'} gin"
    text += f" ({_cards(outs, symbols)})"
    if not chances:
        return f"{text}, but no draw is left."
    draws = " / ".join(str(draw) for draw in range(1, len(chances) + 1))
    shares = " / ".join(f"{100 * chance:.0f}" for chance in chances)
    of = "draw" if len(chances) == 1 else "draws"
    return f"{text}; chance to get one within {draws} {of}: {shares} %."


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
    margin, unit = variant.margin, UNITS[variant.unit]
    if margin is None:
        return f"{variant.name}: {variant.answer}"
    shown = _SHORT_UNITS.get(unit.name, "points")
    text = with_interval(margin.scaled(unit.scale))
    if variant.answer == CLOSE:
        return f"{variant.name}: {CLOSE} ({action_text(variant, symbols)} {text} {shown})"
    answer = variant.answer
    if answer == "discard":
        answer = action_text(variant, symbols).replace("play on, ", "")
    return f"{variant.name}: {answer} ({text} {shown})"


def belief_words(advice: Advice) -> str:
    """Return how the opponent's cards were drawn."""
    if advice.belief.source != "history":
        return f"opponent model: learned weights of {advice.against.spec}"
    rates = advice.belief.deviation
    shown = " / ".join(f"{100 * rate:g}" for rate in (rates.take, rates.discard, rates.knock))
    return (
        f"opponent model: {advice.against.spec}, deviates in {shown} % of takes / discards / knocks"
    )


def _footer(advice: Advice) -> str:
    belief = advice.belief
    parts = [
        f"{belief.worlds:,} sampled deals",
        f"effective sample {belief.effective_worlds:,.0f}",
        f"{belief.chains} chains",
        belief_words(advice),
        f"you play on as {advice.play.spec}",
        f"objective {advice.objective}",
        f"{advice.rules.name} rules",
        f"seed {advice.seed}",
        f"{advice.seconds.get('all', 0.0):.1f} s",
        "PARTIAL: stopped early" if advice.partial else "",
    ]
    return " · ".join(filter(None, parts))
