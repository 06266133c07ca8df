"""The end of a hand as a record has it: is what it shows legal, and is it what the rules make?

A player may show any arrangement whose deadwood allows its knock, and any defence is right that is
legal and leaves as little as the best one.
"""

from __future__ import annotations

import functools

import numpy as np

from gin_sim.cards import card_names, cards_of, pips
from gin_sim.engine.jit import jit
from gin_sim.engine.layoff import choose_spread
from gin_sim.engine.spread import is_meld, is_set
from gin_sim.engine.view import unseen_cards
from gin_sim.play.record import Facts
from gin_sim.play.replay_words import CardWords
from gin_sim.records import CARD_IDS, End
from gin_sim.rules import BIG_GIN, RuleNumbers

_BITS = {text: 1 << card for text, card in CARD_IDS.items()}
_is_meld = functools.lru_cache(maxsize=4096)(is_meld)
_is_set = functools.lru_cache(maxsize=4096)(is_set)


class EndFault(Exception):
    """What is wrong with a record's end, as a sentence."""


@jit
def _choose_within(tables, views, melded):
    """Return the engine's spread of some of the knocker's cards, as set cards and run cards."""
    view = views[tables[0].knocker]
    return choose_spread(melded, unseen_cards(view), view.opponent_known)


def shown_spread(
    recorded: End, facts: Facts, tables: np.ndarray, views: np.ndarray, say: CardWords
) -> tuple[list[int] | None, int, int]:
    """Return the melds shown (None if not recorded), and the spread as set cards and run cards."""
    hand = facts.knocker_hand
    who = f"seat {facts.knocker}"
    left = None
    if recorded.knocker_deadwood is not None:
        left = _held(recorded.knocker_deadwood, hand, who, say)
    if recorded.knocker_melds is not None:
        melds = _melds(recorded.knocker_melds, hand, who, say)
        loose = hand & ~sum(melds)
        if left is not None and left != loose:
            raise EndFault(
                f"{who}'s deadwood is recorded as {say.cards(left)}, and its melds leave "
                f"{say.cards(loose)}"
            )
        sets = sum(meld for meld in melds if _is_set(meld))
        runs = sum(melds) - sets
    elif left is not None:
        melds, loose = None, left
        sets, runs = _choose_within(tables, views, hand & ~left)
        if sets | runs != hand & ~left:
            raise EndFault(
                f"{who}'s deadwood is recorded as {say.cards(left)}, and its other cards do not "
                "all meld"
            )
    else:
        return None, facts.spread_sets, facts.spread_runs
    limit = 0 if facts.ending == BIG_GIN else int(tables[0].knock_limit)
    deadwood = _pips(loose)
    if deadwood > limit:
        what = "big gin" if facts.ending == BIG_GIN else "a knock"
        raise EndFault(
            f"{who} shows melds that leave deadwood {deadwood}, and {what} needs "
            f"{limit}{' or less' if limit else ''}"
        )
    return melds, sets, runs


def _held(cards: list[str], hand: int, who: str, say: CardWords) -> int:
    """Return the mask of some cards shown, each held and none twice."""
    shown = 0
    for text in cards:
        bit = _BITS[text]
        if not hand & bit:
            raise EndFault(f"{who} shows {say.text(text)}, which it does not hold")
        if shown & bit:
            raise EndFault(f"{who} shows {say.text(text)} twice")
        shown |= bit
    return shown


def _melds(melds: list[list[str]], hand: int, who: str, say: CardWords) -> list[int]:
    """Return the masks of some melds shown, each a meld, all held and no card twice."""
    masks = []
    shown = 0
    for meld in melds:
        mask = _held(meld, hand, who, say)
        if not _is_meld(mask):
            raise EndFault(f"{who} shows {say.cards(mask)}, which is no meld")
        if mask & shown:
            raise EndFault(f"{who} shows {say.cards(mask & shown)} in two melds")
        shown |= mask
        masks.append(mask)
    return masks


def _pips(cards: int) -> int:
    return sum(map(pips, cards_of(cards)))


def compare_fate(recorded: End, end: End) -> None:
    """Raise unless the record agrees on who ended the hand, which no rule set's prices change."""
    if recorded.kind is not None and (recorded.kind == "wash") != (end.kind == "wash"):
        raise EndFault(_kinds_differ(recorded, end))
    if recorded.knocker not in (None, end.knocker):
        whom = "there is none" if end.knocker is None else f"it is seat {end.knocker}"
        raise EndFault(f"the knocker is recorded as seat {recorded.knocker}, and {whom}")
    if end.kind != "wash":
        return
    for field in (
        "knocker_melds",
        "knocker_deadwood",
        "defender_melds",
        "layoffs",
        "defender_deadwood",
    ):
        if getattr(recorded, field):
            raise EndFault(f"the record has {field}, and in a wash nothing is shown")


def _kinds_differ(recorded: End, end: End) -> str:
    return f"the kind is recorded as {recorded.kind}, and the engine makes it {end.kind}"


def compare_price(
    recorded: End, end: End, facts: Facts, rules: RuleNumbers, say: CardWords
) -> None:
    """Raise unless the record agrees on what its own rules make of the end."""
    if facts.knocker >= 0:
        _check_defence(recorded, facts, rules, say)
    if recorded.kind not in (None, end.kind):
        raise EndFault(_kinds_differ(recorded, end))
    if recorded.points not in (None, end.points):
        raise EndFault(
            f"the points are recorded as {list(recorded.points)}, and the engine makes them "
            f"{list(end.points)}"
        )


def _check_defence(recorded: End, facts: Facts, rules: RuleNumbers, say: CardWords) -> None:
    """Raise unless what the record says of the defence is legal and as good as the best."""
    hand = facts.defender_hand
    who = f"seat {1 - facts.knocker}"
    melded = [card for meld in recorded.defender_melds or () for card in meld]
    laid = [card for card, _ in recorded.layoffs or ()]
    left = recorded.defender_deadwood
    shown = _held([*melded, *laid, *(left or ())], hand, who, say)
    _melds(recorded.defender_melds or [], hand, who, say)
    if laid:
        _check_layoffs(recorded, facts, rules, who, say)
    if recorded.defender_melds is not None and recorded.layoffs is not None:
        missing = hand & ~shown
        if left is None:
            left = card_names(missing)
        elif missing:
            raise EndFault(f"{who} does not show {say.cards(missing)}, melded, laid off or left")
    if left is not None:
        deadwood = sum(pips(CARD_IDS[card]) for card in left)
        if deadwood != facts.defender_deadwood:
            raise EndFault(
                f"{who}'s deadwood is recorded as {deadwood}, and its best defence leaves "
                f"{facts.defender_deadwood}"
            )


def _check_layoffs(
    recorded: End, facts: Facts, rules: RuleNumbers, who: str, say: CardWords
) -> None:
    if facts.knocker_deadwood == 0 and not rules.layoff_on_gin:
        raise EndFault(f"{who} lays off on a gin hand, which these rules do not allow")
    if recorded.knocker_melds is None:
        raise EndFault(f"{who} lays off, and the record shows no melds to lay off on")
    grown = [sum(_BITS[card] for card in meld) for meld in recorded.knocker_melds]
    for card, index in recorded.layoffs:
        if not 0 <= index < len(grown):
            raise EndFault(
                f"{who} lays {say.text(card)} off on meld {index}, and the melds are numbered 0 to "
                f"{len(grown) - 1}"
            )
        with_card = grown[index] | _BITS[card]
        if not _is_meld(with_card):
            raise EndFault(
                f"{who} lays {say.text(card)} off on {say.cards(grown[index])}, where it does not "
                "fit"
            )
        grown[index] = with_card
