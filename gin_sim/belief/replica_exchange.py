"""Chains over an opponent's hidden cards: Markov chain Monte Carlo with replica exchange.

The state is the whole hidden history, which card arrived where; its chance given what was seen is
known up to a factor (:mod:`evidence`), so a chain that accepts moves by Metropolis and Hastings'
rule visits each state as often as it is likely.  Late in a hand the likely states differ by whole
melds, with unlikely ones between: copies of the chain for which the evidence counts less, by a
power below one, pass through them, and neighbouring copies exchange their states (Swendsen and
Wang, Physical Review Letters 57, 1986; Geyer, 1991).
"""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np

from gin_sim.belief.likelihood import (
    DEALT,
    MAX_EVENTS,
    MAX_SLOTS,
    Evidence,
    Slots,
    Stray,
    draw_prior,
    log_chance,
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
from gin_sim.engine.jit import jit
from gin_sim.policies.contract import Policy
from gin_sim.policies.decide import players_of
from gin_sim.policies.probabilities import reads_draws
from gin_sim.rules import RuleNumbers

N_LEVELS = 6
#: What the loosest copy makes of the log of a chance to depart from the policy in a discard, where
#: departures are rare enough for its power to be at most a half.
_DEPARTURE_LOG = 0.7
_MOST_LOOSEST = 0.5
_RAREST = 1e-4  # rarer departures are passed through as if they were so rare
TRIES = 3  # moves of each copy between two exchanges
LEAD_IN = 30  # rounds for each event on the way in

#: Kinds of move, by how often one of these kinds or of those before is tried.
SWAPS, CARDS, MELD, BREAK = range(4)
_SHARES = (0.35, 0.65, 0.825)
N_KINDS = 4

_STREAM = 11  # of the seed's words

#: A chain: its copies, which of them has each power, and where it stands in its random stream.
CHAIN = np.dtype(
    [
        ("key", "u8"),
        ("n_words", "i8"),
        ("n_events", "i8"),  # that are weighed
        ("rounds", "i8"),
        ("highest", "f8"),  # log chance of the likeliest state since it was last set
        ("average", "f8"),  # of the log chances of the states that were last kept
        ("place", "i8", (N_LEVELS,)),  # which copy has each power
        ("totals", "f8", (N_LEVELS,)),  # by copy: log chance of all events
        ("logs", "f8", (N_LEVELS, MAX_EVENTS)),
        ("hands", "i8", (N_LEVELS, MAX_EVENTS)),  # the ten cards before each event
        ("slots", "i1", (N_LEVELS, MAX_SLOTS)),
        ("trial_logs", "f8", (MAX_EVENTS,)),
        ("trial_hands", "i8", (MAX_EVENTS,)),
        ("trial", "i1", (MAX_SLOTS,)),
        ("order", "i1", (6,)),  # working space of the moves
        # What the chain's own copy tried and did, by kind; exchanges with the next power
        ("tried", "i8", (N_KINDS,)),
        ("accepted", "i8", (N_KINDS,)),
        ("exchanged", "i8", (N_LEVELS,)),
    ],
    align=True,
)


def powers_of(stray: Stray) -> np.ndarray:
    """Return the powers that the evidence counts by, from the loosest copy to the chain itself.

    The rarer departures are, the less must the loosest copy count one to pass through it.
    """
    departure = -math.log(max(stray.discard, _RAREST))
    loosest = _DEPARTURE_LOG / max(departure, _DEPARTURE_LOG / _MOST_LOOSEST)
    return loosest ** (1 - np.arange(N_LEVELS) / (N_LEVELS - 1))


class Model(NamedTuple):
    """What a chain weighs its states by; each chain has its own, since working space is in it."""

    events: np.ndarray
    snapshots: np.ndarray
    slots: Slots
    player: np.ndarray  # a record of PLAYER
    rules: RuleNumbers
    stray: Stray
    reads_draws: bool
    powers: np.ndarray
    chances: np.ndarray  # working space, float64, shape (52,)


def model_of(evidence: Evidence, opponent: Policy, stray: Stray) -> Model:
    """Return the model by which one chain weighs what was seen of an opponent."""
    player = players_of([opponent])[0]
    return Model(
        evidence.events,
        evidence.snapshots.copy(),
        evidence.slots,
        player,
        evidence.rules.numbers(),
        stray,
        reads_draws(player),
        powers_of(stray),
        np.zeros(52),
    )


def new_chain(seed: int, number: int) -> np.ndarray:
    """Return a chain that is not started, a record array of length 1."""
    chain = np.zeros(1, CHAIN).view(np.recarray)
    chain[0].key = rng.stream_key(np.uint64(seed), np.uint64(number), np.uint64(_STREAM))
    return chain


@jit
def _log_of(chain, e, hand, drawn, model, need):
    """Return the log chance of an event of the trial; any number below the need for one below."""
    if model.reads_draws:
        _show_draws(model.snapshots[e], chain.trial, model.events, e)
    return log_chance(
        model.events[e],
        model.snapshots[e],
        hand,
        drawn,
        model.player,
        model.rules,
        model.stray,
        model.chances,
        need,
    )


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
def _weigh_trial(chain, copy, need, model):
    """Weigh the trial state; return its log chance, or minus infinity once it is below a need.

    Events that a copy weighed with the same cards are not weighed again.
    """
    trial = chain.trial
    hand = 0
    for slot in range(DEALT):
        hand |= 1 << np.int64(trial[slot])
    total = 0.0
    redrawn = False
    for e in range(chain.n_events):
        event = model.events[e]
        drawn = event.taken
        same = hand == chain.hands[copy, e]
        if event.slot >= 0:
            drawn = np.int64(trial[event.slot])
            changed = drawn != chain.slots[copy, event.slot]
            same = same and not changed
            redrawn = redrawn or (model.reads_draws and changed)
        if same and not redrawn:
            log = chain.logs[copy, e]
        else:
            log = _log_of(chain, e, hand, drawn, model, need - total)
        chain.trial_hands[e] = hand
        chain.trial_logs[e] = log
        total += log
        if total < need:
            return -np.inf
        if event.thrown >= 0:
            hand = (hand | 1 << drawn) & ~(1 << event.thrown)
    return total


@jit
def _accept(chain, copy, total, n_slots):
    """Let a copy take the trial's state."""
    chain.totals[copy] = total
    for slot in range(n_slots):
        chain.slots[copy, slot] = chain.trial[slot]
    for e in range(chain.n_events):
        chain.logs[copy, e] = chain.trial_logs[e]
        chain.hands[copy, e] = chain.trial_hands[e]


@jit
def _move(chain, level, model):
    """Try one move of a copy, by Metropolis and Hastings' rule."""
    slots = model.slots
    copy = chain.place[level]
    for slot in range(slots.n):
        chain.trial[slot] = chain.slots[copy, slot]
    share = uniform(chain)
    own = level == N_LEVELS - 1
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
    chain.tried[kind] += own
    if log_ratio == -np.inf:
        return
    need = chain.totals[copy] + (math.log(uniform(chain)) - log_ratio) / model.powers[level]
    total = _weigh_trial(chain, copy, need, model)
    if total >= need:
        _accept(chain, copy, total, slots.n)
        chain.accepted[kind] += own


@jit
def _exchange(chain, powers):
    """Let neighbouring copies exchange their powers, the even pairs and the odd ones in turn."""
    chain.rounds += 1
    for level in range(chain.rounds & 1, N_LEVELS - 1, 2):
        low = chain.place[level]
        high = chain.place[level + 1]
        log_ratio = (powers[level] - powers[level + 1]) * (chain.totals[high] - chain.totals[low])
        if math.log(uniform(chain)) < log_ratio:
            chain.place[level] = high
            chain.place[level + 1] = low
            chain.exchanged[level] += 1


@jit
def _go_on(chain, model, n_rounds):
    for _ in range(n_rounds):
        for level in range(N_LEVELS):
            for _ in range(TRIES):
                _move(chain, level, model)
        _exchange(chain, model.powers)
        chain.highest = max(chain.highest, chain.totals[chain.place[N_LEVELS - 1]])


@jit
def start_chain(chains, model):
    """Start a chain: a state by chance, led through the events one after another.

    Each event that is added asks a little more of states that suit all before it, which finds the
    few that suit them all where a search for those at once would be lost.

    Parameters
    ----------
    chains : record array of CHAIN, length 1
        With its key set; where it has been started before, it starts anew with other chance.
    model : Model
    """
    chain = chains[0]
    slots = model.slots
    for level in range(N_LEVELS):
        chain.place[level] = level
        draw_prior(next_word(chain), chain.slots[level], slots)
        chain.totals[level] = 0.0
    chain.n_events = 0
    while chain.n_events < len(model.events):
        chain.n_events += 1
        for copy in range(N_LEVELS):
            for slot in range(slots.n):
                chain.trial[slot] = chain.slots[copy, slot]
            for e in range(chain.n_events):
                chain.hands[copy, e] = -1  # weigh all anew
            total = _weigh_trial(chain, copy, -np.inf, model)
            _accept(chain, copy, total, slots.n)
        chain.highest = -np.inf
        _go_on(chain, model, LEAD_IN)


@jit
def run_chain(chains, model, apart, worlds):
    """Let a chain go on, and keep its state every few rounds.

    Parameters
    ----------
    chains : record array of CHAIN, length 1
        Started.
    model : Model
    apart : int64
        Rounds from one kept state to the next.
    worlds : int8 array, shape (kept, MAX_SLOTS)
        Filled.
    """
    chain = chains[0]
    chain.highest = -np.inf
    chain.average = 0.0
    for row in range(len(worlds)):
        _go_on(chain, model, apart)
        copy = chain.place[N_LEVELS - 1]
        chain.average += chain.totals[copy] / len(worlds)
        for slot in range(model.slots.n):
            worlds[row, slot] = chain.slots[copy, slot]
