"""One hand on the terminal: its best arrangement, its deadwood, and a table of discards.

Melds stand by rank there, as players hold them; in data they keep the order that layoffs refer to.
"""

from __future__ import annotations

from typing import Any

from gin_sim.cards import by_rank, cards_of, mask_of, parse_cards, with_symbols
from gin_sim.report.terminal import cards_text, shows_symbols
from gin_sim.results.hands import HandAnswer
from gin_sim.rules import PRESETS

_TEN = 10  # cards from which a hand may knock


def show(answer: HandAnswer, console: Any, more: bool = True) -> None:
    """Print a hand's arrangement and deadwood, and of eleven cards every discard."""
    symbols = shows_symbols(console.file)
    arrangement = arrangement_of_names(answer.melds, answer.loose, symbols)
    if answer.discard is not None:
        arrangement += f"   discard {named(answer.discard, symbols)}"
    console.print(arrangement)
    console.print(summary(answer), style="bold")
    if answer.discards and more:
        console.print("\n  discard   leaves, pips")
        for discard in answer.discards:
            line = f"  {named(discard.card, symbols):<7}   {discard.deadwood:>12}"
            if discard.card in answer.best_discards:
                console.print(f"{line}   best", style="bold")
            else:
                console.print(line)


def summary(answer: HandAnswer) -> str:
    """Return a hand's deadwood, and whether it may knock under standard rules."""
    standard = PRESETS["standard"]
    if answer.big_gin:
        return "deadwood 0: big gin, all eleven cards meld"
    line = f"deadwood {answer.deadwood}"
    if answer.n_cards < _TEN:
        return line
    if answer.deadwood == 0:
        return f"{line}: gin"
    able = "may" if answer.deadwood <= standard.knock_limit else "may not"
    return f"{line}: {able} knock under {standard.name} rules (limit {standard.knock_limit})"


def arrangement_of_names(melds: list[list[str]], loose: list[str], symbols: bool) -> str:
    """Return melds and loose cards, by name, as one line; see :func:`arrangement_text`."""
    masks = [_mask(meld) for meld in melds]
    return arrangement_text(masks, _mask(loose), symbols)


def arrangement_text(melds: list[int], loose: int, symbols: bool) -> str:
    """Return melds and loose cards as one line: "4♥ 5♥ 6♥ | 7♠ 7♥ 7♦   loose 2♦ Q♦"."""
    ordered = sorted(melds, key=lambda meld: by_rank(cards_of(meld))[0] % 13)
    shown = " | ".join(cards_text(meld, symbols) for meld in ordered) or "no melds"
    return f"{shown}   {f'loose {cards_text(loose, symbols)}' if loose else 'nothing loose'}"


def named(text: str, symbols: bool) -> str:
    """Return a text that names cards, with suits as symbols where they can be shown."""
    return with_symbols(text) if symbols else text


def _mask(names: list[str]) -> int:
    return mask_of(parse_cards("".join(names)))
