"""The end of a knock on the terminal: what is shown, laid off and scored."""

from __future__ import annotations

from itertools import groupby
from typing import Any

from gin_sim.report.terminal import shows_symbols
from gin_sim.report.text.hands import arrangement_of_names, named
from gin_sim.results.hands import Settlement


def show(settlement: Settlement, console: Any, more: bool = True) -> None:
    """Print how a knock ends."""
    symbols = shows_symbols(console.file)
    knocker = arrangement_of_names(settlement.spread, settlement.knocker_loose, symbols)
    defender = arrangement_of_names(settlement.defender_melds, settlement.defender_loose, symbols)
    before = f", {settlement.defender_deadwood_before_layoff} before layoffs"
    console.print(f"knocker    {knocker}   deadwood {settlement.knocker_deadwood}")
    console.print(f"lays off   {_layoffs_text(settlement, symbols)}")
    console.print(
        f"defender   {defender}   deadwood {settlement.defender_deadwood}"
        f"{before if settlement.layoffs else ''}\n"
    )
    console.print(summary(settlement), style="bold")
    if settlement.upcard is None and (unknown := _unknown(settlement)):
        console.print(f"no upcard is given (--upcard CARD), so {' and '.join(unknown)}")


def summary(settlement: Settlement) -> str:
    """Return how a knock ends and who scores what."""
    rules = settlement.rules.name
    outcome = settlement.outcome.replace("_", " ")
    if settlement.winner is None:
        return f"{outcome}: nobody scores under {rules} rules"
    points = settlement.knocker_points or settlement.defender_points
    scored = f"{points} point{'' if points == 1 else 's'}"
    return f"{outcome}: the {settlement.winner} scores {scored} under {rules} rules"


def _unknown(settlement: Settlement) -> list[str]:
    """Return what is taken for granted where the rules ask for an upcard and none is given."""
    unknown = []
    if settlement.rules.knock_source == "upcard":
        unknown.append("deadwood up to 10 may knock")
    if settlement.rules.spade_doubles:
        unknown.append("nothing is doubled")
    return unknown


def _layoffs_text(settlement: Settlement, symbols: bool) -> str:
    if not settlement.layoffs:
        gin = settlement.outcome in ("gin", "big_gin") and not settlement.rules.layoff_on_gin
        return "nothing: these rules allow no layoffs after gin" if gin else "nothing"
    parts = []
    for index, pairs in groupby(settlement.layoffs, key=lambda layoff: layoff[1]):
        cards = " ".join(card for card, _ in pairs)
        parts.append(f"{cards} on {' '.join(settlement.spread[index])}")
    return named(", ".join(parts), symbols)
