"""Knock decisions to test hand reading at, from hands played or recorded, and what is true there.

A decision is a player's own turn after the draw at which the discard that leaves least would allow
a knock that is not gin.  Which decisions of a hand are tried never depends on what happens later in
it: of recorded hands all are; of played hands one at most, by a place fixed before the hand.  What
an opponent may hold is not asked.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

import numpy as np

from gin_sim.cards import STOCK_SIZE, mask_of
from gin_sim.engine import rng
from gin_sim.engine.bits import lowest_bit
from gin_sim.engine.deadwood import best_discards, least_deadwood
from gin_sim.engine.jit import jit, run_kernel
from gin_sim.engine.layoff import answer_knock, choose_spread, ending_shown
from gin_sim.engine.pricing import outcome_of
from gin_sim.engine.table import rule_record
from gin_sim.errors import InputError
from gin_sim.play.record import play_recorded
from gin_sim.policies.contract import Policy
from gin_sim.positions import Position, position_of_record, world_of_record
from gin_sim.records import HandRecord
from gin_sim.rules import UNDERCUT, Rules

#: Stock draws of both players by a decision, its own included: first and last of each bucket.
BUCKETS = ((0, 4), (5, 8), (9, 12), (13, 16), (17, STOCK_SIZE))
BUCKET_NAMES = ("0-4", "5-8", "9-12", "13-16", "17+")
#: Draws by which a hand played for the last bucket looks for its decision at the latest.
_LATEST_START = 24
#: Hands played for each position that is wanted, before a bucket is given up.
_MOST_HANDS = 60

_PLACE_STREAM = 13  # of the seed's words


@dataclass(frozen=True)
class Decision:
    """A knock decision of which all cards are known.

    Parameters
    ----------
    position : Position
    held : int
        Mask of the hand that the opponent really holds.
    hand_number : int
        Of the hand that it is from: decisions of one hand are not independent.
    n_draws : int
        Stock draws of both players, the one just made included.
    opponent : str
        The opponent's name.
    """

    position: Position
    held: int
    hand_number: int
    n_draws: int
    opponent: str

    @property
    def bucket(self) -> int:
        """Place among BUCKETS."""
        return bucket_of(self.n_draws)


def bucket_of(n_draws: int) -> int:
    """Return the place among BUCKETS of a number of stock draws."""
    return next(place for place, (_, last) in enumerate(BUCKETS) if n_draws <= last)


def decisions_of(
    record: HandRecord,
    player: int,
    hand_number: int,
    rules: Rules | None = None,
    first_draw: int = 0,
) -> Iterator[Decision]:
    """Give the knock decisions of a player in a record, in order.

    Parameters
    ----------
    record : HandRecord
    player : int
        Seat, 0 or 1.
    hand_number : int
    rules : Rules, optional
        The record's where not given.
    first_draw : int
        Decisions with fewer stock draws are left out.
    """
    n_draws, turn = 0, 0
    for act in record.turns:
        n_draws += act.draw == "stock"
        if act.player != player or act.draw == "pass":
            continue
        turn += 1
        if n_draws < first_draw:
            continue
        position = position_of_record(record, player, turn, rules=rules)
        if is_knock_decision(position):
            seen = position.seen
            hidden = mask_of(world_of_record(record, player, turn).arrivals) & seen.unseen
            name = record.players[1 - player]
            yield Decision(position, hidden | seen.known, hand_number, n_draws, name)


def is_knock_decision(position: Position) -> bool:
    """Return whether the discard that leaves least allows a knock that is not gin."""
    hand = mask_of(position.hand)
    return 0 < least_after_discard(hand, position.seen.barred) <= position.knock_limit


def least_after_discard(hand: int, barred: int) -> int:
    """Return the deadwood that the best discard from eleven cards leaves, pips."""
    return int(run_kernel(_best_discard, np.int64(hand), np.int64(barred))[0])


@jit
def _best_discard(hand, barred):
    """Return the least deadwood after a discard, and the ten cards after the lowest such card."""
    deadwood, discards = best_discards(hand, barred)
    return deadwood, hand & ~(1 << lowest_bit(discards))


def undercuts(position: Position, hands: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Return whether a knock is undercut by each hand of an opponent, and each one's deadwood.

    The card discarded is the lowest by id of those that leave least; the spread is that which gives
    away least, as in play.

    Parameters
    ----------
    position : Position
        A knock decision.
    hands : int64 array, any shape
        Masks of the opponent's ten cards.

    Returns
    -------
    undercut : bool array, shape of hands
    deadwood : int64 array, shape of hands
        Pips of the best arrangement, before any layoff.
    """
    flat = np.ascontiguousarray(hands, dtype=np.int64).ravel()
    undercut, deadwood = np.zeros(len(flat), np.bool_), np.zeros(len(flat), np.int64)
    seen = position.seen
    run_kernel(
        _settle_all,
        np.int64(mask_of(position.hand)),
        np.int64(seen.barred),
        np.int64(seen.unseen),
        np.int64(seen.known),
        rule_record(position.rules),
        flat,
        undercut,
        deadwood,
    )
    return undercut.reshape(hands.shape), deadwood.reshape(hands.shape)


@jit
def _settle_all(eleven, barred, unseen, known, rules, hands, undercut, deadwood):
    left, ten = _best_discard(eleven, barred)
    sets, runs = choose_spread(ten, unseen, known)
    ending = ending_shown(ten, left)
    for i in range(len(hands)):
        answer, _ = answer_knock(hands[i], sets, runs, left, rules)
        undercut[i] = outcome_of(ending, left, answer, rules) == UNDERCUT
        deadwood[i] = least_deadwood(hands[i])


# ---------------------------------------------------------------------------------------------
# Which decisions


def played_decisions(
    player: Policy, opponent: Policy, rules: Rules, n: int, seed: int = 1
) -> list[Decision]:
    """Return decisions of hands played, as many in each bucket of draws.

    Hand ``i`` is for bucket ``i % 5``, and a number of draws in that bucket is chosen by chance
    before it is played; its decision is the first from there on, if it has one in the bucket.  So
    whether a position is tried depends on what its player has seen by then, and on nothing later.

    Parameters
    ----------
    player : Policy
        Whose decisions they are, in seat 0; the dealer alternates by fives.
    opponent : Policy
    rules : Rules
    n : int
        Decisions, at least one for each bucket.
    seed : int

    Returns
    -------
    list of Decision
        In order of the hands.  A bucket that few hands reach may have fewer than its share.
    """
    n_buckets = len(BUCKETS)
    wanted = [(n + n_buckets - 1 - place) // n_buckets for place in range(n_buckets)]
    found = []
    limit = _MOST_HANDS * max(n, n_buckets)
    for number in range(limit):
        bucket = number % n_buckets
        if not wanted[bucket]:
            continue
        (record,) = play_recorded(
            (player, opponent), rules, seed, 1, first_deal=number, mirrored=False
        )
        start = _start_in(bucket, seed, number)
        decision = next(decisions_of(record, 0, number, rules, start), None)
        if decision is not None and decision.bucket == bucket:
            found.append(decision)
            wanted[bucket] -= 1
            if not any(wanted):
                break
    return found


def _start_in(bucket: int, seed: int, number: int) -> int:
    """Return from how many draws on a hand's decision is looked for."""
    first, last = BUCKETS[bucket]
    last = min(last, _LATEST_START)
    return first + int(run_kernel(_below, np.uint64(seed), number, last - first + 1))


@jit
def _below(seed, number, bound):
    key = rng.stream_key(seed, number, _PLACE_STREAM)
    return rng.low_below(rng.word(key, 0), bound)


def recorded_decisions(records: Iterable[HandRecord], rules: Rules | None = None) -> list[Decision]:
    """Return every knock decision of both players of each record.

    Raises
    ------
    InputError
        If there is none.
    """
    found = [
        decision
        for number, record in enumerate(records)
        for player in range(2)
        for decision in decisions_of(record, player, number, rules)
    ]
    if not found:
        raise InputError(
            "no player of the recorded hands has a turn at which it may knock without gin: give "
            "more hands."
        )
    return found


#: What is run from here, for :func:`gin_sim.engine.reach.to_compile`.
KERNELS = (_best_discard, _settle_all, _below)
