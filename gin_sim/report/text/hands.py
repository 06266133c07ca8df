"""How single hands are shown: drawn for a terminal, and as rows of CSV and JSON.

Nothing is worked out here; the answers come from :mod:`gin_sim.hands`.  On a terminal
melds stand by rank, as players hold them; in rows they keep the order that layoffs refer to.
"""

from __future__ import annotations

from collections.abc import Callable
from itertools import groupby
from typing import TYPE_CHECKING, Any

from gin_sim.cards import by_rank, card_name, card_names, cards_of
from gin_sim.report.terminal import cards_text
from gin_sim.rules import PRESETS, Rules

if TYPE_CHECKING:
    from gin_sim.hands import HandReport, Settlement

HAND_COLUMNS = (
    "hand",
    "deadwood",
    "melds",
    "loose",
    "discard",
    "best_discards",
    "big_gin",
)
SETTLEMENT_COLUMNS = (
    "knocker",
    "defender",
    "outcome",
    "knocker_points",
    "defender_points",
    "knocker_deadwood",
    "defender_deadwood",
    "defender_deadwood_before_layoff",
    "spread",
    "knocker_loose",
    "layoffs",
    "defender_melds",
    "defender_loose",
)


# ---------------------------------------------------------------------------------------------
# For a terminal


def arrangement_text(melds: list[int], loose: int, symbols: bool) -> str:
    """Return melds and loose cards as one line: "4♥ 5♥ 6♥ | 7♠ 7♥ 7♦   loose 2♦ Q♦"."""
    ordered = sorted(melds, key=lambda meld: by_rank(cards_of(meld))[0] % 13)
    shown = " | ".join(cards_text(meld, symbols) for meld in ordered) or "no melds"
    return f"{shown}   {f'loose {cards_text(loose, symbols)}' if loose else 'nothing loose'}"


def hand_lines(report: HandReport, symbols: bool, bold: Callable[[str], str] = str) -> list[str]:
    """Return the lines that show one hand: arrangement, deadwood, and a table of discards.

    Parameters
    ----------
    report : HandReport
    symbols : bool
        Whether to draw suits as symbols.
    bold : function of str
        Marks the answer where the terminal can; nothing depends on it.
    """
    arrangement = arrangement_text(report.melds, report.loose, symbols)
    if report.discarded is not None:
        arrangement += f"   discard {card_name(report.discarded, symbols)}"
    lines = [arrangement, bold(_verdict(report))]
    if report.discards:
        lines += ["", "  discard   leaves, pips"]
        for card, leaves in report.discards:
            line = f"  {card_name(card, symbols):<7}   {leaves:>12}"
            lines.append(bold(f"{line}   best") if card in report.best_discards else line)
    return lines


def _verdict(report: HandReport) -> str:
    standard = PRESETS["standard"]
    if report.big_gin:
        return "deadwood 0: big gin, all eleven cards meld"
    line = f"deadwood {report.deadwood}"
    if report.discarded is None and report.hand.bit_count() < 10:
        return line
    if report.deadwood == 0:
        return f"{line}: gin"
    able = "may" if report.deadwood <= standard.knock_limit else "may not"
    return f"{line}: {able} knock under {standard.name} rules (limit {standard.knock_limit})"


def settlement_lines(
    settlement: Settlement, rules: Rules, symbols: bool, bold: Callable[[str], str] = str
) -> list[str]:
    """Return the lines that show how a knock ends; parameters as :func:`hand_lines`."""
    knocker = arrangement_text(settlement.spread, settlement.knocker_loose, symbols)
    defender = arrangement_text(settlement.defender_melds, settlement.defender_loose, symbols)
    before = settlement.defender_deadwood_before_layoff
    lines = [
        f"knocker    {knocker}   deadwood {settlement.knocker_deadwood}",
        f"lays off   {_layoffs_text(settlement, rules, symbols)}",
        f"defender   {defender}   deadwood {settlement.defender_deadwood}"
        + (f", {before} before layoffs" if settlement.layoffs else ""),
        "",
        bold(_score(settlement, rules)),
    ]
    unknown = []
    if rules.knock_source == "upcard":
        unknown.append("deadwood up to 10 may knock")
    if rules.spade_doubles:
        unknown.append("nothing is doubled")
    if unknown and settlement.upcard is None:
        lines.append(f"no upcard is given (--upcard CARD), so {' and '.join(unknown)}")
    return lines


def _layoffs_text(settlement: Settlement, rules: Rules, symbols: bool) -> str:
    if not settlement.layoffs:
        gin = settlement.outcome in ("gin", "big_gin") and not rules.layoff_on_gin
        return "nothing, as the rules say after gin" if gin else "nothing"
    parts = []
    for index, pairs in groupby(settlement.layoffs, key=lambda layoff: layoff[1]):
        cards = " ".join(card_name(card, symbols) for card, _ in pairs)
        parts.append(f"{cards} on {cards_text(settlement.spread[index], symbols)}")
    return ", ".join(parts)


def _score(settlement: Settlement, rules: Rules) -> str:
    outcome = settlement.outcome.replace("_", " ")
    if settlement.winner is None:
        return f"{outcome}: nobody scores under {rules.name} rules"
    points = settlement.knocker_points or settlement.defender_points
    scored = f"{points} point{'' if points == 1 else 's'}"
    return f"{outcome}: the {settlement.winner} scores {scored} under {rules.name} rules"


# ---------------------------------------------------------------------------------------------
# For programs


def hand_object(text: str, report: HandReport) -> dict[str, Any]:
    """Return one hand as a JSON object; ``hand`` is the text that was given."""
    return {
        "hand": text,
        "cards": _names(report.hand),
        "n_cards": report.hand.bit_count(),
        "deadwood": report.deadwood,
        "melds": _meld_names(report.melds),
        "loose": _names(report.loose),
        "discard": None if report.discarded is None else card_name(report.discarded),
        "discards": [
            {"card": card_name(card), "deadwood": leaves} for card, leaves in report.discards
        ],
        "best_discards": card_names(report.best_discards),
        "big_gin": report.big_gin,
    }


def hand_row(text: str, report: HandReport) -> list[Any]:
    """Return one hand as a row of HAND_COLUMNS; melds are separated by a bar."""
    return [
        text,
        report.deadwood,
        _meld_text(report.melds),
        "".join(_names(report.loose)),
        "" if report.discarded is None else card_name(report.discarded),
        "".join(card_names(report.best_discards)),
        "true" if report.big_gin else "false",
    ]


def settlement_object(
    knocker: str, defender: str, settlement: Settlement, rules: Rules
) -> dict[str, Any]:
    """Return one knock as a JSON object; ``knocker`` and ``defender`` are the texts given.

    ``layoffs`` are pairs of a card and an index into ``spread``, as in a hand record.
    """
    return {
        "knocker": knocker,
        "defender": defender,
        "rules": rules.name,
        "upcard": None if settlement.upcard is None else card_name(settlement.upcard),
        "outcome": settlement.outcome,
        "winner": settlement.winner,
        "knocker_points": settlement.knocker_points,
        "defender_points": settlement.defender_points,
        "spread": _meld_names(settlement.spread),
        "knocker_loose": _names(settlement.knocker_loose),
        "knocker_deadwood": settlement.knocker_deadwood,
        "layoffs": [[card_name(card), index] for card, index in settlement.layoffs],
        "defender_melds": _meld_names(settlement.defender_melds),
        "defender_loose": _names(settlement.defender_loose),
        "defender_deadwood": settlement.defender_deadwood,
        "defender_deadwood_before_layoff": settlement.defender_deadwood_before_layoff,
    }


def settlement_row(knocker: str, defender: str, settlement: Settlement) -> list[Any]:
    """Return one knock as a row of SETTLEMENT_COLUMNS; layoffs are in the order laid."""
    return [
        knocker,
        defender,
        settlement.outcome,
        settlement.knocker_points,
        settlement.defender_points,
        settlement.knocker_deadwood,
        settlement.defender_deadwood,
        settlement.defender_deadwood_before_layoff,
        _meld_text(settlement.spread),
        "".join(_names(settlement.knocker_loose)),
        "".join(card_name(card) for card, _ in settlement.layoffs),
        _meld_text(settlement.defender_melds),
        "".join(_names(settlement.defender_loose)),
    ]


def _names(cards: int) -> list[str]:
    return card_names(by_rank(cards_of(cards)))


def _meld_names(melds: list[int]) -> list[list[str]]:
    return [card_names(meld) for meld in melds]


def _meld_text(melds: list[int]) -> str:
    return "|".join("".join(card_names(meld)) for meld in melds)
