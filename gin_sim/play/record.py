"""Hands written down: what two policies did in each hand, read off the engine's own state.

It plays by the same play loop as everything else and adds nothing to it: the views already hold
what each player drew and discarded, in order.
"""

from __future__ import annotations

import functools
from collections.abc import Iterator
from typing import NamedTuple

import numpy as np

from gin_sim.cards import by_rank, card_name, cards_of
from gin_sim.engine.address import noting_exceptions
from gin_sim.engine.deal import fix_places
from gin_sim.engine.jit import jit, run_kernel
from gin_sim.engine.spread import best_arrangement, layoffs_in_order, melds_of
from gin_sim.engine.table import (
    CARD_BARRED,
    CARD_NOT_HELD,
    FAULT,
    FIRST_STOCK_PLACE,
    NO_DECISION,
    UPCARD_PLACE,
    new_state,
    rule_record,
)
from gin_sim.engine.view import FROM_STOCK
from gin_sim.play.loop import play_leg, start_deal
from gin_sim.policies.contract import Policy, PolicyError, suspects
from gin_sim.policies.decide import players_of
from gin_sim.records import FORMAT, End, HandRecord, Turn
from gin_sim.rules import (
    BIG_GIN,
    OUTCOME_NAMES,
    STALLED,
    WASH,
    RuleNumbers,
    Rules,
    hand_points,
    outcome_of,
)

_NAMES = tuple(card_name(card) for card in range(52))
_FAULTS = {
    CARD_NOT_HELD: "discarded a card that it does not hold",
    CARD_BARRED: "discarded the card that it had just taken from the pile",
    NO_DECISION: "named no card to discard",
}


class Facts(NamedTuple):
    """What a finished hand came to, in numbers that a rule set can price; masks are int64."""

    ending: int  # WASH, STALLED, KNOCK (any knock that is not gin), GIN or BIG_GIN; FAULT
    knocker: int  # seat, -1 for none
    knocker_deadwood: int  # pips
    defender_deadwood: int  # pips, after layoffs
    spread_sets: int
    spread_runs: int
    laid_off: int
    knocker_hand: int
    defender_hand: int
    upcard: int  # card id of the first upcard
    n_turns: int  # of both players; a pass is none


@jit
def facts_of(table, views):
    """Return the facts of a table whose hand has ended."""
    knocker_hand = 0
    defender_hand = 0
    if table.knocker >= 0:
        knocker_hand = views[table.knocker].hand
        defender_hand = views[1 - table.knocker].hand
    return Facts(
        int(table.ending),
        int(table.knocker),
        int(table.knocker_deadwood),
        int(table.defender_deadwood),
        int(table.spread_sets),
        int(table.spread_runs),
        int(table.laid_off),
        int(knocker_hand),
        int(defender_hand),
        int(table.first_upcard),
        int(table.n_turns),
    )


def points_by_seat(facts: Facts, rules: RuleNumbers) -> tuple[int, tuple[int, int]]:
    """Return the outcome of a hand under a rule set, and its points by seat."""
    ours, theirs = facts.knocker_deadwood, facts.defender_deadwood
    outcome = outcome_of(facts.ending, ours, theirs, rules)
    points = hand_points(outcome, ours, theirs, facts.upcard, rules)
    by_seat = [0, 0]
    if points:  # who won a hand of 0 points is the outcome's to say
        by_seat[facts.knocker if points > 0 else 1 - facts.knocker] = abs(points)
    return outcome, (by_seat[0], by_seat[1])


def end_of(facts: Facts, rules: RuleNumbers, melds: list[int] | None = None) -> End:
    """Return the end of a hand as a record has it.

    Parameters
    ----------
    facts : Facts
    rules : RuleNumbers
        What prices the hand.
    melds : list of int, optional
        The knocker's melds as shown, in order; by default those that the spread's masks give.
    """
    outcome, points = points_by_seat(facts, rules)
    if outcome in (WASH, STALLED):
        return End(OUTCOME_NAMES[WASH], None, [], [], [], [], [], points)
    if melds is None:
        melds = melds_of(facts.spread_sets, facts.spread_runs)
    stayed = facts.defender_hand & ~facts.laid_off
    defender_melds = best_arrangement(stayed)
    return End(
        kind=OUTCOME_NAMES[outcome],
        knocker=facts.knocker,
        knocker_melds=[_written(meld) for meld in melds],
        knocker_deadwood=_written(facts.knocker_hand & ~sum(melds)),
        defender_melds=[_written(meld) for meld in defender_melds],
        layoffs=_layoffs(melds, facts.laid_off),
        defender_deadwood=_written(stayed & ~sum(defender_melds)),
        points=points,
    )


def _written(cards: int) -> list[str]:
    return list(_names_by_rank(cards))


@functools.lru_cache(maxsize=8192)
def _names_by_rank(cards: int) -> tuple[str, ...]:
    return tuple(_NAMES[card] for card in by_rank(cards_of(cards)))


def _layoffs(melds: list[int], laid_off: int) -> list[tuple[str, int]]:
    if not laid_off:
        return []
    return [(_NAMES[card], index) for card, index in layoffs_in_order(melds, laid_off)]


@jit
def _play_hand(tables, views, rules, players, seed, deal_index, leg):
    """Play one hand from its shuffle to its end, and fix the deck's order down to the last card."""
    table = tables[0]
    start_deal(table, views, seed, deal_index)
    play_leg(table, views, rules, players, deal_index, leg)
    fix_places(table, 52)
    return facts_of(table, views)


def play_recorded(
    policies: tuple[Policy, Policy],
    rules: Rules,
    seed: int,
    n_hands: int,
    *,
    first_deal: int = 0,
    mirrored: bool = True,
) -> Iterator[HandRecord]:
    """Play hands between two policies and give the record of each.

    The hands are those of a simulation with the same seed: hand ``i`` is leg ``i % 2`` of deal
    ``first_deal + i // 2`` where deals are mirrored, else leg 0 of deal ``first_deal + i``.

    Parameters
    ----------
    policies : pair of Policy
        In leg 0 the first sits in seat 0.
    rules : Rules
    seed : int
    n_hands : int
    first_deal : int
        Deal index of the first hand.
    mirrored : bool
        Whether each deal is played twice, with the seats swapped.

    Raises
    ------
    PolicyError
        If a policy asks for an illegal step, or a decision raises; the sentence names the hand.
    """
    tables, views = new_state()
    players = players_of(policies)
    numbers, record = rules.numbers(), rule_record(rules)
    n_legs = 2 if mirrored else 1
    for i in range(n_hands):
        deal_index, leg = first_deal + i // n_legs, i % n_legs
        with noting_exceptions() as raised:
            facts = run_kernel(_play_hand, tables, views, record, players, seed, deal_index, leg)
        specs = [policies[seat ^ leg].spec for seat in range(2)]
        if raised:
            raise PolicyError(
                f"a decision of {suspects(policies)} ended with {raised[0]} in deal "
                f"{deal_index}, leg {leg}, seed {seed}: it must return an answer for every view."
            )
        if facts.ending == FAULT:
            raise PolicyError(
                f"the policy {specs[tables[0].mover]} {_FAULTS[int(tables[0].fault)]}, in turn "
                f"{facts.n_turns + 1} of deal {deal_index}, leg {leg}, seed {seed}: policies may "
                "take only legal steps."
            )
        dealer = int(tables[0].dealer)
        deck = [_NAMES[card] for card in tables[0].deck.tolist()]
        yield HandRecord(
            format=FORMAT,
            rules=rules.name,
            seed=seed,
            deal_index=deal_index,
            leg=leg,
            players=(specs[0], specs[1]),
            dealer=dealer,
            deal=(deck[:10], deck[10:UPCARD_PLACE]),
            upcard=deck[UPCARD_PLACE],
            stock=deck[FIRST_STOCK_PLACE:],
            turns=_turns(dealer, int(tables[0].n_passes), facts, views),
            end=end_of(facts, numbers),
        )


def _turns(dealer: int, n_passes: int, facts: Facts, views: np.ndarray) -> list[Turn]:
    """Return every action in order, each turn read from its player's view."""
    turns = [Turn(player=(1 - dealer) ^ i, draw="pass") for i in range(n_passes)]
    first = (1 - dealer) ^ (n_passes & 1)
    drawn = views.own_drawn.tolist()
    discarded = views.own_discards.tolist()
    took = views.opponent_drew.tolist()
    for i in range(facts.n_turns):
        seat = first ^ (i & 1)
        turn = 1 + i // 2
        from_stock = took[1 - seat][turn] == FROM_STOCK
        last = i == facts.n_turns - 1 and facts.knocker >= 0
        big_gin = last and facts.ending == BIG_GIN
        turns.append(
            Turn(
                player=seat,
                draw="stock" if from_stock else "upcard",
                card=_NAMES[drawn[seat][turn]],
                discard=None if big_gin else _NAMES[discarded[seat][turn]],
                knock=last and not big_gin,
                big_gin=big_gin,
            )
        )
    return turns


#: What is run from here, for :func:`gin_sim.engine.reach.to_compile`.
KERNELS = (_play_hand,)
