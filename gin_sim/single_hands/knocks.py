"""The answer on one knock or on many, in card names; a knock that is not allowed is refused."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Literal

import numpy as np

from gin_sim.cards import card_name, card_names, with_symbols
from gin_sim.engine.spread import layoffs_in_order, melds_of, spread_masks
from gin_sim.engine.table import rule_record
from gin_sim.errors import InputError
from gin_sim.results.hands import Settlement
from gin_sim.rules import BIG_GIN, OUTCOME_NAMES, Rules, knock_limit_for, knocker_wins
from gin_sim.single_hands.answers import names_by_rank
from gin_sim.single_hands.checks import (
    DEFENDER_SIZES,
    KNOCKER_SIZES,
    HandsError,
    as_masks,
    check_spread,
    raise_if_any,
    shared_problems,
    size_problems,
    upcard_problems,
)
from gin_sim.single_hands.settlement import KnockFact, knock_facts, known_upcards

_TEN_CARDS = "give the ten cards that are left after the discard"
_WINNERS: dict[int, Literal["knocker", "defender"] | None] = {1: "knocker", -1: "defender", 0: None}


def settle(
    knocker: int,
    defender: int,
    rules: Rules,
    spread: list[int] | None = None,
    upcard: int | None = None,
) -> Settlement:
    """Return how a knock ends, both sides playing its end as well as they can.

    The knocker shows the least-deadwood arrangement that gives away least to a defender of whom
    it has seen nothing (unseen: all cards but its own); the defender then chooses its melds and
    its layoffs jointly.

    Parameters
    ----------
    knocker : int
        Mask of ten cards, or of eleven that all meld where the rules have a big gin.
    defender : int
        Mask of ten other cards.
    rules : Rules
    spread : list of int, optional
        Masks of the melds that the knocker shows instead, even if others would leave less.
    upcard : int, optional
        Card id of the first upcard, for rules that take the knock limit or a doubling from it.
        Without it such rules allow 10 (no upcard allows more) and double nothing.

    Raises
    ------
    InputError
        If the hands have wrong counts or share a card, the spread is not made of the knocker's
        cards in disjoint melds, or the knock is not allowed: the sentence names deadwood and
        limit.
    """
    try:
        return _settle([knocker], [defender], rules, [upcard], spread)[0]
    except HandsError as error:
        raise InputError(error.problems[0][1]) from None


def settle_hands(
    knockers: Sequence[int] | np.ndarray,
    defenders: Sequence[int] | np.ndarray,
    rules: Rules,
    upcards: Sequence[int | None] | None = None,
    texts: tuple[Sequence[str], Sequence[str]] | None = None,
) -> list[Settlement]:
    """Return :func:`settle` of each pair of hands, in order, in one call of the kernel.

    Parameters
    ----------
    knockers, defenders : sequence of int
        Masks.
    rules : Rules
    upcards : sequence of int or None, optional
        Card ids.
    texts : pair of sequences of str, optional
        What the answers repeat as the hands that were given; by default the cards' names.

    Raises
    ------
    HandsError
        If some rows cannot be settled.
    """
    return _settle(knockers, defenders, rules, upcards, None, texts)


def _settle(
    knockers: Any,
    defenders: Any,
    rules: Rules,
    upcards: Sequence[int | None] | None,
    spread: list[int] | None,
    texts: tuple[Sequence[str], Sequence[str]] | None = None,
) -> list[Settlement]:
    knockers, defenders = as_masks(knockers), as_masks(defenders)
    if upcards is None:
        upcards = [None] * knockers.size
    _check_hands(knockers, defenders, upcards)
    if spread is not None:
        check_spread(spread, int(knockers[0]))
    if texts is None:
        texts = tuple(
            ["".join(names_by_rank(hand)) for hand in hands.tolist()]
            for hands in (knockers, defenders)
        )
    numbers = rules.numbers()
    facts = knock_facts(
        knockers,
        defenders,
        upcards,
        rule_record(rules),
        None if spread is None else spread_masks(spread),
    )
    hands = zip(knockers.tolist(), defenders.tolist(), strict=True)
    settlements = [
        _settlement(pair, names, rules, upcard, spread, fact)
        for pair, names, upcard, fact in zip(
            hands, zip(*texts, strict=True), upcards, facts, strict=True
        )
    ]
    limits = [knock_limit_for(card, numbers) for card in known_upcards(upcards).tolist()]
    raise_if_any(
        (i, problem)
        for i, (settlement, limit) in enumerate(zip(settlements, limits, strict=True))
        if (problem := _knock_problem(settlement, limit))
    )
    return settlements


def _check_hands(
    knockers: np.ndarray, defenders: np.ndarray, upcards: Sequence[int | None]
) -> None:
    """Refuse hands that no knock can be settled between."""
    if not knockers.size == defenders.size == len(upcards):
        raise InputError(
            f"{knockers.size} knockers, {defenders.size} defenders and {len(upcards)} upcards are "
            "given: there must be as many of each."
        )
    raise_if_any(
        size_problems(knockers, KNOCKER_SIZES, "the knocker"),
        size_problems(defenders, DEFENDER_SIZES, "the defender"),
        upcard_problems(upcards),
    )
    raise_if_any(shared_problems(knockers, defenders))


def _settlement(
    hands: tuple[int, int],
    texts: tuple[str, str],
    rules: Rules,
    upcard: int | None,
    spread: list[int] | None,
    fact: KnockFact,
) -> Settlement:
    """Return the answer on one knock from its facts."""
    knocker, defender = hands
    shown = melds_of(fact.spread_sets, fact.spread_runs) if spread is None else spread
    layoffs = layoffs_in_order(shown, fact.laid_off) if fact.laid_off else []
    kept = fact.defender_sets | fact.defender_runs
    deadwoods = fact.knocker_deadwood, fact.defender_deadwood
    return Settlement(
        knocker=texts[0],
        defender=texts[1],
        rules=rules,
        upcard=None if upcard is None else card_name(upcard),
        outcome=OUTCOME_NAMES[fact.outcome],
        winner=_WINNERS[knocker_wins(fact.outcome, *deadwoods)],
        knocker_points=max(fact.points, 0),
        defender_points=max(-fact.points, 0),
        spread=[card_names(meld) for meld in shown],
        knocker_loose=names_by_rank(knocker & ~(fact.spread_sets | fact.spread_runs)),
        knocker_deadwood=fact.knocker_deadwood,
        layoffs=[(card_name(card), index) for card, index in layoffs],
        defender_melds=[
            card_names(meld) for meld in melds_of(fact.defender_sets, fact.defender_runs)
        ],
        defender_loose=names_by_rank(defender & ~(fact.laid_off | kept)),
        defender_deadwood=fact.defender_deadwood,
        defender_deadwood_before_layoff=fact.defender_deadwood_before_layoff,
    )


def _knock_problem(settlement: Settlement, limit: int) -> str:
    """Return why the rules do not allow the knock, or nothing."""
    rules, deadwood = settlement.rules, settlement.knocker_deadwood
    big_gin = settlement.outcome == OUTCOME_NAMES[BIG_GIN]
    if big_gin and deadwood == 0 and rules.big_gin_bonus is None:
        return (
            f"the knocker has eleven cards, and {rules.name} rules have no big gin: {_TEN_CARDS}."
        )
    if deadwood == 0 or (deadwood <= limit and not big_gin):
        return ""
    loose = with_symbols(" ".join(settlement.knocker_loose))
    if big_gin:
        return (
            "the knocker has eleven cards, which is big gin if all of them meld, and deadwood "
            f"{deadwood} ({loose}) is left: {_TEN_CARDS}."
        )
    source = ""
    if rules.knock_source == "upcard" and settlement.upcard is not None:
        source = f" with the upcard {with_symbols(settlement.upcard)}"
    return (
        f"the knocker has deadwood {deadwood} ({loose}), and the limit under {rules.name} rules"
        f"{source} is {limit}{' (gin only)' if limit == 0 else ''}: check the cards, or choose "
        "other rules."
    )
