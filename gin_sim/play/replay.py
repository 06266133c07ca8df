"""Recorded hands played again: is every step legal, and is the end what the rules make it?

The steps go through the same state machine that plays hands; nothing is asked of a policy.  The
end is priced for the spread that the knocker showed.  A player may show any arrangement, so one
that leaves more than the least deadwood stands as long as the deadwood it leaves may knock, and
is priced as shown: ten melded cards shown as a knock are a knock.  Where a record shows no melds
the spread is the engine's, among the arrangements that leave the deadwood recorded if it is.
Whatever else the record says of the end is then compared: any defence that is legal and leaves
as little as the best one is right.

Priced under other rules than its own, a hand is still checked step by step under its own, knock
limit included.  Then the other rules alone decide its end: layoffs on gin, ties, bonuses, and
spades doubling by the upcard of the deal.  Their knock limit is not asked about.  Big gin is
ordinary gin under rules that do not know it; gin stays gin under rules that do, since the player
discarded a card.  The record's kind, points and defence belong to its own rules and are not
compared.
A record that names the rules it is ``priced`` by is compared with what those make of its end.
"""

from __future__ import annotations

import functools
from dataclasses import dataclass

import numpy as np

from gin_sim.engine.jit import jit, run_kernel
from gin_sim.engine.melds import pips_of
from gin_sim.engine.round import settle_knock
from gin_sim.engine.table import new_state, rule_record
from gin_sim.play.record import Facts, end_of, facts_of, points_by_seat
from gin_sim.play.recorded_end import EndFault, compare_fate, compare_price, shown_spread
from gin_sim.play.replay_steps import LEGAL, STILL_OPEN, deck_of, replay_steps, steps_of
from gin_sim.play.replay_words import CardWords, why_illegal
from gin_sim.records import End, HandRecord
from gin_sim.rules import BIG_GIN, GIN, RuleNumbers, Rules, parse_rules


@jit
def _settle_again(tables, views, rules, sets, runs):
    """Return the facts of a knock or big gin, settled for a given spread and rule set."""
    table = tables[0]
    view = views[table.knocker]
    deadwood = pips_of(view.hand & ~(sets | runs))
    settle_knock(table, view, views[1 - table.knocker], rules, sets, runs, deadwood)
    return facts_of(table, views)


@dataclass(frozen=True)
class Replayed:
    """What became of a recorded hand.

    Parameters
    ----------
    fault : str or None
        The first thing that is not right, as a sentence.
    turn : int or None
        The number, from 1, of the turn that is not legal; None for no fault or one of the end.
    outcome : int or None
        As in :mod:`gin_sim.rules`; None if the hand could not be played to an end.
    end : End or None
        The end as the engine gives it, even where it is not the recorded one.
    facts : Facts or None
    """

    fault: str | None = None
    turn: int | None = None
    outcome: int | None = None
    end: End | None = None
    facts: Facts | None = None


class Replayer:
    """Plays recorded hands again, checks each step and prices the end for the spread shown.

    Parameters
    ----------
    rules : Rules, optional
        Price the ends under these rules instead; see the module for what that means.
    symbols : bool
        Whether sentences show suits as symbols.
    """

    def __init__(self, rules: Rules | None = None, *, symbols: bool = False) -> None:
        self._other = rules
        self._say = CardWords(symbols)
        self._state = new_state()

    def replay(self, record: HandRecord) -> Replayed:
        """Replay a record as ``read_records`` gives it; its deal is not checked again."""
        own, own_record = _forms(_parsed(record.rules))
        priced, priced_record = _forms(self._other or _parsed(record.priced or record.rules))
        say = self._say
        tables, views = self._state
        index, reason, facts = run_kernel(
            replay_steps,
            tables,
            views,
            own_record,
            record.dealer,
            deck_of(record),
            steps_of(record.turns),
        )
        if reason == STILL_OPEN:
            return Replayed("end: the turns stop while the hand is still open.")
        if reason != LEGAL:
            why = why_illegal(reason, record.turns[index], tables[0], views, own, say)
            return Replayed(f"turn {index + 1}: {why}.", index + 1)
        recorded = record.end or End()
        try:
            melds = None
            if facts.knocker >= 0:
                melds, sets, runs = shown_spread(recorded, facts, tables, views, say)
                spread = (facts.spread_sets, facts.spread_runs)
                if (sets, runs) != spread or priced.layoff_on_gin != own.layoff_on_gin:
                    facts = _settle_again(tables, views, priced_record, sets, runs)
                if facts.ending == BIG_GIN and priced.big_gin_bonus < 0:
                    facts = facts._replace(ending=GIN)
        except EndFault as fault:
            return Replayed(f"end: {fault}.")
        outcome, _ = points_by_seat(facts, priced)
        end = end_of(facts, priced, melds)
        fault = None
        try:
            compare_fate(recorded, end)
            if self._other is None and recorded != end:
                compare_price(recorded, end, facts, priced, say)
        except EndFault as difference:
            fault = f"end: {difference}."
        return Replayed(fault, None, outcome, end, facts)


def replay(record: HandRecord, rules: Rules | None = None, *, symbols: bool = False) -> Replayed:
    """Replay one record; for many, a :class:`Replayer` is quicker."""
    return Replayer(rules, symbols=symbols).replay(record)


_parsed = functools.lru_cache(maxsize=64)(parse_rules)


@functools.lru_cache(maxsize=64)
def _forms(rules: Rules) -> tuple[RuleNumbers, np.record]:
    """Return a rule set as what prices a hand in Python, and as what compiled code reads."""
    return rules.numbers(), rule_record(rules)
