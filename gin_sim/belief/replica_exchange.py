"""Chains over an opponent's hidden cards: Markov chain Monte Carlo with replica exchange.

The state is the whole hidden history, which card arrived where; its chance given what was seen is
known up to a factor (:mod:`likelihood`), so a chain that accepts proposals by Metropolis and
Hastings' rule visits each state as often as it is likely.  Late in a hand the likely states differ
by whole melds, with unlikely ones between.  Replicas of the chain on hotter rungs, whose log
likelihood is multiplied by an inverse temperature below one, pass through them, and replicas on
neighbouring rungs are exchanged (Swendsen and Wang, Physical Review Letters 57, 1986; Geyer, 1991).
"""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np

from gin_sim.belief.deviation import Deviation
from gin_sim.belief.likelihood import (
    DEALT,
    MAX_EVENTS,
    MAX_SLOTS,
    Observed,
    Slots,
    draw_prior,
    log_of_acts,
    log_of_take,
)
from gin_sim.belief.proposals import (
    next_word,
    propose_break,
    propose_cards,
    propose_meld,
    propose_swaps,
    uniform,
)
from gin_sim.engine import rng
from gin_sim.engine.jit import jit, jit_inline, jit_paste, run_kernel
from gin_sim.engine.table import rule_record
from gin_sim.policies.contract import TAKE_BY_SCORE, Policy
from gin_sim.policies.probabilities import reads_draws, weighed_player

N_RUNGS = 6
#: The log of the chance of a deviating discard on the hottest rung, where deviations are so rare
#: that its inverse temperature is at most a half.
_HOTTEST_LOG = 0.7
_MOST_HOTTEST = 0.5
_RAREST = 1e-4  # rarer deviations are passed through as if they were so rare
TRIES = 3  # proposals for each replica between two exchanges
LEAD_IN = 30  # rounds for each event on the way in

#: Kinds of proposal, by how often one of these kinds or of those before is tried.
SWAPS, CARDS, MELD, BREAK = range(4)
_SHARES = (0.35, 0.65, 0.825)
N_KINDS = 4

_TO_WEIGH = 1.0  # no log of a chance
#: More than sums of the same logs in another order differ by.
_ROUNDING = 1e-9

_STREAM = 11  # of the seed's words

#: A chain: its replicas, which of them is on each rung, and where it stands in its random stream.
CHAIN = np.dtype(
    [
        ("key", "u8"),
        ("n_words", "i8"),
        ("n_events", "i8"),  # that are weighed
        ("rounds", "i8"),
        ("highest", "f8"),  # log chance of the likeliest state since it was last set
        ("average", "f8"),  # of the log chances of the states that were last kept
        ("replica_on", "i8", (N_RUNGS,)),  # by rung, the hottest first
        ("totals", "f8", (N_RUNGS,)),  # by replica: log chance of all events
        ("acts", "f8", (N_RUNGS, MAX_EVENTS)),  # log chances of each event's acts ...
        ("takes", "f8", (N_RUNGS, MAX_EVENTS)),  # ... and of taking or leaving the upcard
        ("hands", "i8", (N_RUNGS, MAX_EVENTS)),  # the ten cards before each event
        ("slots", "i1", (N_RUNGS, MAX_SLOTS)),
        ("trial_acts", "f8", (MAX_EVENTS,)),
        ("trial_takes", "f8", (MAX_EVENTS,)),
        ("trial_hands", "i8", (MAX_EVENTS,)),
        ("trial", "i1", (MAX_SLOTS,)),
        ("order", "i1", (6,)),  # working space of the proposals
        # What was tried and accepted on the last rung, by kind; exchanges with the next rung
        ("tried", "i8", (N_KINDS,)),
        ("accepted", "i8", (N_KINDS,)),
        ("exchanged", "i8", (N_RUNGS,)),
    ],
    align=True,
)


def inverse_temperatures(deviation: Deviation) -> np.ndarray:
    """Return the inverse temperature of each rung, from the hottest to the last, which is at 1.

    The rarer deviations are, the hotter must the first rung be to pass through one.
    """
    surprise = -math.log(max(deviation.discard, _RAREST))
    hottest = _HOTTEST_LOG / max(surprise, _HOTTEST_LOG / _MOST_HOTTEST)
    return hottest ** (1 - np.arange(N_RUNGS) / (N_RUNGS - 1))


class Model(NamedTuple):
    """What a chain weighs its states by; each chain has its own, since working space is in it."""

    events: np.ndarray
    snapshots: np.ndarray
    slots: Slots
    player: np.ndarray  # a record of PLAYER, of weighed_player
    rules: np.ndarray  # a record of RULES
    deviation: Deviation
    reads_draws: bool
    takes_are_cheap: bool
    inverse_temperatures: np.ndarray


def model_of(observed: Observed, opponent: Policy, deviation: Deviation) -> Model:
    """Return the model by which one chain weighs what was seen of an opponent."""
    player = weighed_player(opponent)
    return Model(
        observed.events,
        observed.snapshots.copy(),
        observed.slots,
        player,
        rule_record(observed.rules),
        deviation,
        reads_draws(player),
        bool(player.take_rule != TAKE_BY_SCORE),
        inverse_temperatures(deviation),
    )


def new_chain(seed: int, number: int) -> np.ndarray:
    """Return a chain that is not started, a record array of length 1."""
    chain = np.zeros(1, CHAIN).view(np.recarray)
    chain[0].key = rng.stream_key(np.uint64(seed), np.uint64(number), np.uint64(_STREAM))
    return chain


@jit
def _show_draws(views, trial, events, last):
    """Write the cards drawn from the stock so far into the views of an event."""
    for e in range(last + 1):
        event = events[e]
        if event.slot >= 0:
            if e < last:
                views[0].own_drawn[event.turn] = trial[event.slot]
            views[1].own_drawn[event.turn] = trial[event.slot]
            views[2].own_drawn[event.turn] = trial[event.slot]


@jit
def _weigh_trial(chain, replica, need, model):
    """Weigh the trial state; return its log chance, or minus infinity once it is below a need.

    What a replica weighed with the same cards is not weighed again.  The rest is, from the last
    event to the first, since late hands differ most: each log is at most 0, so that a sum of some
    of them rules a state out.
    """
    found = _reuse(chain, replica, model)
    enough = need - _ROUNDING
    for act_first in (not model.takes_are_cheap, model.takes_are_cheap):
        for e in range(chain.n_events - 1, -1, -1):
            if act_first and chain.trial_acts[e] == _TO_WEIGH:
                chain.trial_acts[e] = _weigh_acts(chain, e, model, enough - found)
                found += chain.trial_acts[e]
            elif not act_first and chain.trial_takes[e] == _TO_WEIGH:
                chain.trial_takes[e] = _weigh_take(chain, e, model)
                found += chain.trial_takes[e]
            if found < enough:
                return -np.inf
    total = 0.0
    for e in range(chain.n_events):
        total += chain.trial_acts[e] + chain.trial_takes[e]
    return total


@jit
def _reuse(chain, replica, model):
    """Find the trial's hands, and the logs that a replica has of them; return the sum of those."""
    trial = chain.trial
    hand = 0
    for slot in range(DEALT):
        hand |= 1 << np.int64(trial[slot])
    found = 0.0
    redrawn = False
    for e in range(chain.n_events):
        event = model.events[e]
        before = chain.hands[replica, e]
        chain.trial_hands[e] = hand
        same = hand == before and not redrawn
        chain.trial_takes[e] = chain.takes[replica, e] if same else _TO_WEIGH
        if not event.asked:
            chain.trial_takes[e] = 0.0
        chain.trial_acts[e] = 0.0
        if event.discarded >= 0:
            drawn = _drawn_in(event, trial)
            drawn_before = _drawn_in(event, chain.slots[replica])
            if model.reads_draws:
                same = same and drawn == drawn_before
                redrawn = redrawn or drawn != drawn_before
            else:
                same = before >= 0 and hand | 1 << drawn == before | 1 << drawn_before
            chain.trial_acts[e] = chain.acts[replica, e] if same else _TO_WEIGH
            hand = (hand | 1 << drawn) & ~(1 << event.discarded)
        if chain.trial_acts[e] != _TO_WEIGH:
            found += chain.trial_acts[e]
        if chain.trial_takes[e] != _TO_WEIGH:
            found += chain.trial_takes[e]
    return found


@jit_inline
def _drawn_in(event, places):
    """Return the card that an event brought, taken or drawn from the stock."""
    return event.taken if event.slot < 0 else np.int64(places[event.slot])


@jit_paste
def _weigh_acts(chain, e, model, need):
    """Return the log chance of an event's acts in the trial state; any below a need below it."""
    event = model.events[e]
    views = model.snapshots[e]
    if model.reads_draws:
        _show_draws(views, chain.trial, model.events, e)
    return log_of_acts(
        event,
        views[1],
        views[2],
        chain.trial_hands[e],
        _drawn_in(event, chain.trial),
        model.player,
        model.rules,
        model.deviation.discard,
        model.deviation.knock,
        need,
    )


@jit_paste
def _weigh_take(chain, e, model):
    """Return the log chance that the upcard was taken or left in an event of the trial state."""
    views = model.snapshots[e]
    if model.reads_draws:
        _show_draws(views, chain.trial, model.events, e)
    hand = chain.trial_hands[e]
    return log_of_take(model.events[e], views[0], hand, model.player, model.deviation.take)


@jit
def _accept(chain, replica, total, n_slots):
    """Let a replica take the trial's state."""
    chain.totals[replica] = total
    for slot in range(n_slots):
        chain.slots[replica, slot] = chain.trial[slot]
    for e in range(chain.n_events):
        chain.acts[replica, e] = chain.trial_acts[e]
        chain.takes[replica, e] = chain.trial_takes[e]
        chain.hands[replica, e] = chain.trial_hands[e]


@jit
def _try_proposal(chain, rung, model):
    """Try one proposal for the replica on a rung, by Metropolis and Hastings' rule."""
    slots = model.slots
    replica = chain.replica_on[rung]
    for slot in range(slots.n):
        chain.trial[slot] = chain.slots[replica, slot]
    share = uniform(chain)
    last = rung == N_RUNGS - 1
    if share < _SHARES[SWAPS]:
        kind = SWAPS
        if slots.n == DEALT:
            return
        log_ratio = propose_swaps(chain, slots)
    elif share < _SHARES[CARDS]:
        kind = CARDS
        log_ratio = propose_cards(chain, slots)
    elif share < _SHARES[MELD]:
        kind = MELD
        log_ratio = propose_meld(chain, slots)
    else:
        kind = BREAK
        log_ratio = propose_break(chain, slots)
    chain.tried[kind] += last
    if log_ratio == -np.inf:
        return
    beta = model.inverse_temperatures[rung]
    need = chain.totals[replica] + (math.log(uniform(chain)) - log_ratio) / beta
    total = _weigh_trial(chain, replica, need, model)
    if total >= need:
        _accept(chain, replica, total, slots.n)
        chain.accepted[kind] += last


@jit
def _exchange(chain, betas):
    """Exchange replicas on neighbouring rungs, the even pairs and the odd ones in turn.

    ``betas`` are the inverse temperatures.
    """
    chain.rounds += 1
    for rung in range(chain.rounds & 1, N_RUNGS - 1, 2):
        low = chain.replica_on[rung]
        high = chain.replica_on[rung + 1]
        log_ratio = (betas[rung] - betas[rung + 1]) * (chain.totals[high] - chain.totals[low])
        if math.log(uniform(chain)) < log_ratio:
            chain.replica_on[rung] = high
            chain.replica_on[rung + 1] = low
            chain.exchanged[rung] += 1


@jit
def _run_rounds(chain, model, n_rounds):
    for _ in range(n_rounds):
        for rung in range(N_RUNGS):
            for _ in range(TRIES):
                _try_proposal(chain, rung, model)
        _exchange(chain, model.inverse_temperatures)
        chain.highest = max(chain.highest, chain.totals[chain.replica_on[N_RUNGS - 1]])


def start_chain(chains: np.ndarray, model: Model) -> None:
    """Start a chain: a state by chance, led through the events one after another.

    Parameters
    ----------
    chains : record array of CHAIN, length 1
        With its key set; where it has been started before, it starts anew with other chance.
    model : Model
    """
    run_kernel(drive_chain, chains, model, True, 1, np.zeros((0, MAX_SLOTS), np.int8))


def run_chain(chains: np.ndarray, model: Model, apart: int, worlds: np.ndarray) -> None:
    """Run a chain further, and keep its state every few rounds.

    Parameters
    ----------
    chains : record array of CHAIN, length 1
        Started.
    model : Model
    apart : int
        Rounds from one kept state to the next.
    worlds : int8 array, shape (kept, MAX_SLOTS)
        Filled.
    """
    run_kernel(drive_chain, chains, model, False, apart, worlds)


@jit
def drive_chain(chains, model, starts, apart, worlds):
    """Start a chain if asked to, or run it: one kernel, so that its rounds are compiled once."""
    chain = chains[0]
    if starts:
        _start(chain, model)
        return
    chain.highest = -np.inf
    chain.average = 0.0
    for row in range(len(worlds)):
        _run_rounds(chain, model, apart)
        replica = chain.replica_on[N_RUNGS - 1]
        chain.average += chain.totals[replica] / len(worlds)
        for slot in range(model.slots.n):
            worlds[row, slot] = chain.slots[replica, slot]


@jit_paste
def _start(chain, model):
    """Set a state by chance, and lead it through the events one after another.

    Each event that is added asks a little more of states that suit all before it.  That finds the
    few states that suit them all, where a search for those at once would fail.
    """
    slots = model.slots
    for rung in range(N_RUNGS):
        chain.replica_on[rung] = rung
        draw_prior(next_word(chain), chain.slots[rung], slots)
        chain.totals[rung] = 0.0
    chain.n_events = 0
    while chain.n_events < len(model.events):
        chain.n_events += 1
        for replica in range(N_RUNGS):
            for slot in range(slots.n):
                chain.trial[slot] = chain.slots[replica, slot]
            for e in range(chain.n_events):
                chain.hands[replica, e] = -1  # weigh all anew
            total = _weigh_trial(chain, replica, -np.inf, model)
            _accept(chain, replica, total, slots.n)
        chain.highest = -np.inf
        _run_rounds(chain, model, np.int64(LEAD_IN))
