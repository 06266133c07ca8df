"""Exact answers about single hands: arrangement, deadwood, best discard, the end of a knock.

The functions here check what they are given and say what is wrong with it; the two kernels trust
them, loop over whole arrays, and serve one hand as an array of one.  Nothing here reads text or
draws, and no number is an estimate: there is no opponent's play in it.
"""

from __future__ import annotations

import itertools
from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass

import numpy as np

from gin_sim.cards import (
    FULL_DECK,
    HAND_SIZE,
    N_CARDS,
    by_rank,
    card_name,
    card_names,
    cards_of,
    count_error,
)
from gin_sim.engine.bits import highest_card, popcount
from gin_sim.engine.deadwood import best_discards, least_deadwood
from gin_sim.engine.jit import jit, run_kernel
from gin_sim.engine.layoff import answer_knock, choose_spread, ending_shown
from gin_sim.engine.melds import pips_of
from gin_sim.engine.pricing import hand_points, outcome_of
from gin_sim.engine.spread import is_meld, layoffs_in_order, melds_of, spread_masks
from gin_sim.errors import InputError
from gin_sim.rules import (
    BIG_GIN,
    OUTCOME_NAMES,
    Rules,
    knock_limit_for,
    knocker_wins,
)

FULL_HAND = HAND_SIZE + 1  # after the draw, before the discard
HAND_SIZES = range(1, FULL_HAND + 1)
KNOCKER_SIZES = (HAND_SIZE, FULL_HAND)
DEFENDER_SIZES = (HAND_SIZE,)

#: Stands in for a first upcard that is not known, K♥: no upcard allows more deadwood, none of its
#: suit doubles a hand.
UNKNOWN_UPCARD = 25

_TEN_CARDS = "give the ten cards that are left after the discard"

_CHOOSE = -1  # no spread is given: the knocker shows the one that gives away least

_HAND_FACTS = np.dtype(
    [
        ("deadwood", "i8"),
        ("kept", "i8"),  # the cards arranged: eleven less the discard, unless all of them meld
        ("sets", "i8"),
        ("runs", "i8"),
        ("leaves", "i1", (FULL_HAND,)),  # what each of eleven cards leaves, in id order
    ],
    align=True,
)
_KNOCK_FACTS = np.dtype(
    [
        ("spread_sets", "i8"),  # given, or _CHOOSE
        ("spread_runs", "i8"),
        ("knocker_deadwood", "i8"),
        ("laid_off", "i8"),
        ("defender_sets", "i8"),
        ("defender_runs", "i8"),
        ("defender_deadwood", "i8"),
        ("defender_deadwood_before_layoff", "i8"),
        ("outcome", "i8"),
        ("points", "i8"),
    ],
    align=True,
)


class HandsError(InputError):
    """Some hands of a batch cannot be used.

    Attributes
    ----------
    problems : list of (int, str)
        For each bad row its index, from 0, and a sentence.
    """

    def __init__(self, problems: list[tuple[int, str]]) -> None:
        self.problems = problems
        index, sentence = problems[0]
        n_more = len(problems) - 1
        others = f" ({n_more} more {'is' if n_more == 1 else 'are'} bad.)" if n_more else ""
        super().__init__(f"hand {index + 1}: {sentence}{others}")


@dataclass(frozen=True, slots=True)
class HandReport:
    """What one hand is worth.

    Attributes
    ----------
    hand : int
        Mask of the 1 to 11 cards.
    melds : list of int
        Masks of the melds of a least-deadwood arrangement; of eleven cards, of the ten that are
        kept when ``discarded`` goes.  Where arrangements tie, the one that would give away least.
    loose : int
        Mask of the kept cards outside the melds.
    deadwood : int
        Pips of ``loose``: the least possible, for eleven cards after the best discard.
    discarded : int or None
        The first of ``best_discards``; None below eleven cards, and when all eleven meld.
    discards : tuple of (int, int)
        For eleven cards every card with the deadwood that it leaves, least first; of those that
        leave the same the highest rank first.  Empty below eleven.
    best_discards : tuple of int
        The cards of ``discards`` that leave ``deadwood``.
    big_gin : bool
        Whether there are eleven cards and all of them meld.
    """

    hand: int
    melds: list[int]
    loose: int
    deadwood: int
    discarded: int | None
    discards: tuple[tuple[int, int], ...]
    best_discards: tuple[int, ...]
    big_gin: bool


@dataclass(frozen=True, slots=True)
class Settlement:
    """How a knock ends.

    Attributes
    ----------
    knocker, defender : int
        Masks of the hands.
    upcard : int or None
        Card id of the first upcard, None if it was not given.
    outcome : str
        ``knock``, ``undercut``, ``gin`` or ``big_gin``.
    spread : list of int
        Masks of the knocker's melds as shown.
    knocker_loose : int
        Mask of the knocker's cards outside the spread.
    knocker_deadwood : int
        Their pips.
    layoffs : list of (int, int)
        Cards laid off, each with the index of its meld in ``spread``, in a legal order.
    defender_melds : list of int
        Masks of the melds that the defender keeps.
    defender_loose : int
        Mask of the defender's cards neither melded nor laid off.
    defender_deadwood : int
        Their pips.
    defender_deadwood_before_layoff : int
        The least deadwood of the defender's ten cards by themselves.
    knocker_points, defender_points : int
        Points of the hand; boxes are not included.
    winner : str or None
        ``knocker`` or ``defender``, whoever scores; None when nobody does.
    """

    knocker: int
    defender: int
    upcard: int | None
    outcome: str
    spread: list[int]
    knocker_loose: int
    knocker_deadwood: int
    layoffs: list[tuple[int, int]]
    defender_melds: list[int]
    defender_loose: int
    defender_deadwood: int
    defender_deadwood_before_layoff: int
    knocker_points: int
    defender_points: int
    winner: str | None


# ---------------------------------------------------------------------------------------------
# One hand's arrangement and discards


@jit
def arrange_hands(hands, facts):
    """Fill the facts of each hand.

    Parameters
    ----------
    hands : int64 array
        Masks of 1 to 11 cards.
    facts : record array of _HAND_FACTS, as long
        Written; ``leaves`` only for hands of eleven.
    """
    for i in range(hands.size):
        hand = hands[i]
        fact = facts[i]
        kept = hand
        deadwood = least_deadwood(hand)
        if popcount(hand) == FULL_HAND:
            left = hand
            for n in range(FULL_HAND):
                card = left & -left
                left ^= card
                fact.leaves[n] = least_deadwood(hand & ~card)
            if deadwood > 0:
                deadwood, discards = best_discards(hand, 0)
                kept = hand & ~(1 << highest_card(discards))
        fact.deadwood = deadwood
        fact.kept = kept
        fact.sets, fact.runs = choose_spread(kept, FULL_DECK & ~hand, 0)


def analyse_hand(hand: int) -> HandReport:
    """Return the exact facts of one hand.

    Parameters
    ----------
    hand : int
        Mask of 1 to 11 cards.

    Raises
    ------
    InputError
        If it is no such mask.
    """
    try:
        return analyse_hands([hand])[0]
    except HandsError as error:
        raise InputError(error.problems[0][1]) from None


def analyse_hands(hands: Sequence[int] | np.ndarray) -> list[HandReport]:
    """Return :func:`analyse_hand` of each hand, in order, in one call of the kernel.

    Raises
    ------
    HandsError
        If some masks do not hold 1 to 11 cards.
    """
    masks, facts = _arranged(hands)
    return [
        _hand_report(*row)
        for row in zip(
            masks.tolist(),
            facts["deadwood"].tolist(),
            facts["kept"].tolist(),
            facts["sets"].tolist(),
            facts["runs"].tolist(),
            facts["leaves"].tolist(),
            strict=True,
        )
    ]


def deadwoods(hands: Sequence[int] | np.ndarray) -> np.ndarray:
    """Return the least deadwood of each hand, for eleven cards after the best discard.

    Parameters
    ----------
    hands : array of int64, 1 dimension
        Masks of 1 to 11 cards.

    Returns
    -------
    array of int64, as long
        Pips.

    Raises
    ------
    HandsError
        If some masks do not hold 1 to 11 cards.
    """
    return _arranged(hands)[1]["deadwood"].copy()


def _arranged(hands: Sequence[int] | np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    masks = _masks(hands)
    _raise_if_any(_size_problems(masks, HAND_SIZES, "a hand"))
    facts = np.zeros(masks.size, _HAND_FACTS).view(np.recarray)
    run_kernel(arrange_hands, masks, facts)
    return masks, facts


def _hand_report(
    hand: int, deadwood: int, kept: int, sets: int, runs: int, leaves: list[int]
) -> HandReport:
    discards: tuple[tuple[int, int], ...] = ()
    best: tuple[int, ...] = ()
    discarded = None
    if hand.bit_count() == FULL_HAND:
        # Least deadwood first, then highest rank, then suit: the order that the kernel discards in.
        keyed = sorted(
            (left, -(card % 13), card) for card, left in zip(cards_of(hand), leaves, strict=True)
        )
        discards = tuple((card, left) for left, _, card in keyed)
        best = tuple(card for card, left in discards if left == discards[0][1])
        discarded = None if kept == hand else best[0]
    return HandReport(
        hand=hand,
        melds=melds_of(sets, runs),
        loose=kept & ~(sets | runs),
        deadwood=deadwood,
        discarded=discarded,
        discards=discards,
        best_discards=best,
        big_gin=bool(discards) and discarded is None,
    )


# ---------------------------------------------------------------------------------------------
# The end of a knocked hand


@jit
def settle_knocks(knockers, defenders, upcards, rules, facts):
    """Fill the facts of each knock.

    Parameters
    ----------
    knockers, defenders : int64 arrays
        Masks of ten cards; of eleven for a big gin.
    upcards : int64 array
        Card ids of the first upcards.
    rules : RuleNumbers
    facts : record array of _KNOCK_FACTS, as long
        Written, but for a spread that is given.
    """
    for i in range(knockers.size):
        knocker = knockers[i]
        defender = defenders[i]
        fact = facts[i]
        sets = fact.spread_sets
        runs = fact.spread_runs
        if sets == _CHOOSE:
            sets, runs = choose_spread(knocker, FULL_DECK & ~knocker, 0)
            fact.spread_sets = sets
            fact.spread_runs = runs
        deadwood = pips_of(knocker & ~(sets | runs))
        ending = ending_shown(knocker, deadwood)
        before = least_deadwood(defender)
        after, laid_off = answer_knock(defender, sets, runs, deadwood, rules)
        outcome = outcome_of(ending, deadwood, after, rules)
        fact.knocker_deadwood = deadwood
        fact.laid_off = laid_off
        fact.defender_sets, fact.defender_runs = choose_spread(defender & ~laid_off, 0, 0)
        fact.defender_deadwood = after
        fact.defender_deadwood_before_layoff = before
        fact.outcome = outcome
        fact.points = hand_points(outcome, deadwood, after, upcards[i], rules)


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
) -> list[Settlement]:
    """Return :func:`settle` of each pair of hands, in order, in one call of the kernel.

    Raises
    ------
    HandsError
        If some rows cannot be settled.
    """
    return _settle(knockers, defenders, rules, upcards, None)


def _settle(knockers, defenders, rules, upcards, spread) -> list[Settlement]:
    knockers = _masks(knockers)
    defenders = _masks(defenders)
    if upcards is None:
        upcards = [None] * knockers.size
    if not knockers.size == defenders.size == len(upcards):
        raise InputError(
            f"{knockers.size} knockers, {defenders.size} defenders and {len(upcards)} upcards are "
            "given: there must be as many of each."
        )
    _raise_if_any(
        _size_problems(knockers, KNOCKER_SIZES, "the knocker"),
        _size_problems(defenders, DEFENDER_SIZES, "the defender"),
        _upcard_problems(upcards),
    )
    shared = knockers & defenders
    _raise_if_any((int(i), _shared_problem(int(shared[i]))) for i in np.flatnonzero(shared))

    facts = np.zeros(knockers.size, _KNOCK_FACTS).view(np.recarray)
    facts["spread_sets"] = _CHOOSE
    if spread is not None:
        _check_spread(spread, int(knockers[0]))
        facts["spread_sets"], facts["spread_runs"] = spread_masks(spread)
    numbers = rules.numbers()
    upcard_ids = np.array(
        [UNKNOWN_UPCARD if card is None else card for card in upcards], dtype=np.int64
    )
    run_kernel(settle_knocks, knockers, defenders, upcard_ids, numbers, facts)
    limits = np.array([knock_limit_for(card, numbers) for card in range(N_CARDS)])[upcard_ids]
    columns = zip(
        knockers.tolist(), defenders.tolist(), upcards, limits.tolist(), facts.tolist(), strict=True
    )
    settlements = []
    problems = []
    for i, (knocker, defender, upcard, limit, fact) in enumerate(columns):
        settlement = _settlement(knocker, defender, upcard, spread, *fact)
        problem = _knock_problem(settlement, limit, rules)
        if problem:
            problems.append((i, problem))
        settlements.append(settlement)
    _raise_if_any(problems)
    return settlements


def _settlement(
    knocker: int,
    defender: int,
    upcard: int | None,
    spread: list[int] | None,
    sets: int,
    runs: int,
    knocker_deadwood: int,
    laid_off: int,
    defender_sets: int,
    defender_runs: int,
    defender_deadwood: int,
    defender_deadwood_before_layoff: int,
    outcome: int,
    points: int,
) -> Settlement:
    if spread is None:
        spread = melds_of(sets, runs)
    return Settlement(
        knocker=knocker,
        defender=defender,
        upcard=upcard,
        outcome=OUTCOME_NAMES[outcome],
        spread=spread,
        knocker_loose=knocker & ~(sets | runs),
        knocker_deadwood=knocker_deadwood,
        layoffs=layoffs_in_order(spread, laid_off) if laid_off else [],
        defender_melds=melds_of(defender_sets, defender_runs),
        defender_loose=defender & ~(laid_off | defender_sets | defender_runs),
        defender_deadwood=defender_deadwood,
        defender_deadwood_before_layoff=defender_deadwood_before_layoff,
        knocker_points=max(points, 0),
        defender_points=max(-points, 0),
        winner={1: "knocker", -1: "defender", 0: None}[
            knocker_wins(outcome, knocker_deadwood, defender_deadwood)
        ],
    )


# ---------------------------------------------------------------------------------------------
# What can be wrong with the hands


def _masks(hands: Sequence[int] | np.ndarray) -> np.ndarray:
    masks = np.asarray(hands)
    if masks.ndim != 1 or (masks.size and masks.dtype.kind not in "iu"):
        raise InputError(
            f"hands are given as {masks.ndim}-dimensional {masks.dtype} values: they are a "
            "sequence of integer masks, such as gin_sim.cards.parse_hand returns."
        )
    return np.ascontiguousarray(masks.astype(np.int64))


def _raise_if_any(*problems: Iterable[tuple[int, str]]) -> None:
    first: dict[int, str] = {}
    for i, sentence in itertools.chain(*problems):
        first.setdefault(i, sentence)
    if first:
        raise HandsError(sorted(first.items()))


def _size_problems(masks: np.ndarray, sizes: Collection[int], what: str) -> list[tuple[int, str]]:
    in_deck = (masks >= 0) & (masks <= FULL_DECK)
    n_cards = np.unpackbits(masks.view(np.uint8).reshape(-1, 8), axis=1).sum(axis=1)
    bad = np.flatnonzero(~in_deck | ~np.isin(n_cards, list(sizes)))
    return [(int(i), _size_problem(int(masks[i]), sizes, what)) for i in bad]


def _size_problem(mask: int, sizes: Collection[int], what: str) -> str:
    if not 0 <= mask <= FULL_DECK:
        return f"{what} is the mask {mask}: a mask of cards has no bits but 0 to 51."
    return str(count_error(cards_of(mask), sizes, what))


def _upcard_problems(upcards: Sequence[int | None]) -> list[tuple[int, str]]:
    return [
        (i, f"the upcard is {card}: a card id is a whole number from 0 to {N_CARDS - 1}.")
        for i, card in enumerate(upcards)
        if card is not None and card not in range(N_CARDS)
    ]


def _shared_problem(shared: int) -> str:
    names = card_names(shared, symbols=True)
    return (
        f"{' '.join(names)} {'is' if len(names) == 1 else 'are'} in both hands: knocker and "
        "defender hold different cards."
    )


def _knock_problem(settlement: Settlement, limit: int, rules: Rules) -> str:
    """Return why the rules do not allow the knock, or nothing."""
    deadwood = settlement.knocker_deadwood
    big_gin = settlement.outcome == OUTCOME_NAMES[BIG_GIN]
    if big_gin and deadwood == 0 and rules.big_gin_bonus is None:
        return (
            f"the knocker has eleven cards, and {rules.name} rules have no big gin: {_TEN_CARDS}."
        )
    if deadwood == 0 or (deadwood <= limit and not big_gin):
        return ""
    loose = " ".join(card_names(by_rank(cards_of(settlement.knocker_loose)), symbols=True))
    if big_gin:
        return (
            "the knocker has eleven cards, which is big gin if all of them meld, and deadwood "
            f"{deadwood} ({loose}) is left: {_TEN_CARDS}."
        )
    source = ""
    if rules.knock_source == "upcard" and settlement.upcard is not None:
        source = f" with the upcard {card_name(settlement.upcard, symbols=True)}"
    return (
        f"the knocker has deadwood {deadwood} ({loose}), and the limit under {rules.name} rules"
        f"{source} is {limit}{' (gin only)' if limit == 0 else ''}: check the cards, or choose "
        "other rules."
    )


def _check_spread(spread: list[int], knocker: int) -> None:
    shown = 0
    for meld in spread:
        names = " ".join(card_names(meld, symbols=True))
        if not is_meld(meld):
            raise InputError(
                f"the spread has {names or 'an empty meld'}, which is no meld: a meld is three or "
                "four cards of a rank, or three or more of a suit in sequence."
            )
        if meld & ~knocker:
            missing = " ".join(card_names(meld & ~knocker, symbols=True))
            raise InputError(
                f"the spread has {names}, and the knocker does not hold {missing}: show only "
                "the knocker's cards."
            )
        if meld & shown:
            twice = " ".join(card_names(meld & shown, symbols=True))
            raise InputError(f"the spread uses {twice} twice: a card lives in one meld only.")
        shown |= meld
