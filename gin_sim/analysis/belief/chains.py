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

import numpy as np

from gin_sim.analysis.belief.evidence import (
    DEALT,
    MAX_EVENTS,
    MAX_SLOTS,
    NO_DEADLINE,
    log_chance,
)
from gin_sim.engine import rng
from gin_sim.engine.bits import ONE_OF_EACH_SUIT, lowest_bit, nth_card, popcount
from gin_sim.engine.jit import jit, jit_inline
from gin_sim.engine.melds import forms_meld

#: Powers that the evidence counts by, from the loosest copy to the chain itself.
N_LEVELS = 6
_LOOSEST = 0.08
POWERS = _LOOSEST ** (1 - np.arange(N_LEVELS) / (N_LEVELS - 1))
TRIES = 10  # moves of each copy between two exchanges
LEAD_IN = 10  # rounds for each event on the way in

SHARES = (0.35, 0.65, 0.825)  # of the moves
_TWO_FROM, _THREE_FROM = 0.70, 0.90
_TWO_SWAPS_FROM, _THREE_SWAPS_FROM = 0.6, 0.8
_NEAR_WEIGHT, _MELD_WEIGHT = 2, 12

#: A chain: its copies, their powers, and where it stands in its random stream.
CHAIN = np.dtype(
    [
        ("key", "u8"),
        ("n_words", "i8"),
        ("n_events", "i8"),  # that are weighed
        ("place", "i8", (N_LEVELS,)),  # which copy has each power
        ("totals", "f8", (N_LEVELS,)),  # by copy: log chance of all events
        ("logs", "f8", (N_LEVELS, MAX_EVENTS)),
        ("hands", "i8", (N_LEVELS, MAX_EVENTS)),  # the ten cards before each event
        ("slots", "i1", (N_LEVELS, MAX_SLOTS)),
        ("trial_logs", "f8", (MAX_EVENTS,)),
        ("trial_hands", "i8", (MAX_EVENTS,)),
        ("trial", "i1", (MAX_SLOTS,)),
        ("tried", "i8", (4,)),  # moves of the chain itself, by kind
        ("accepted", "i8", (4,)),
        ("exchanged", "i8", (N_LEVELS,)),  # with the copy of the next power
        ("rounds", "i8"),
    ],
    align=True,
)


def _near() -> np.ndarray:
    """Return, by card, the mask of the others of its rank, or within two of it in suit."""
    masks = np.zeros(52, np.int64)
    for card in range(52):
        rank = card % 13
        mask = ONE_OF_EACH_SUIT << rank
        for other in range(max(rank - 2, 0), min(rank + 2, 12) + 1):
            mask |= 1 << (card - rank + other)
        masks[card] = mask & ~(1 << card)
    return masks


NEAR = _near()


def _melds_of_three() -> np.ndarray:
    """Return the masks of all sets and runs of three cards, int64."""
    sets = [
        sum(1 << rank + 13 * suit for suit in range(4) if suit != left_out)
        for rank in range(13)
        for left_out in range(4)
    ]
    runs = [7 << low + 13 * suit for suit in range(4) for low in range(11)]
    return np.array(sets + runs)


MELDS = _melds_of_three()


@jit_inline
def _word(chain):
    chain.n_words += 1
    return rng.word(chain.key, chain.n_words)


@jit_inline
def _uniform(chain):
    """Return a float64 strictly between 0 and 1."""
    return (np.float64(_word(chain) >> np.uint64(12)) + 0.5) / 4503599627370496.0


@jit_inline
def _below(chain, bound):
    return rng.low_below(_word(chain), bound)


@jit
def draw_prior(chain, slots, unseen, n_slots, arrivals, deadlines, thrown):
    """Fill the places by chance, every assignment that meets the deadlines as likely as another.

    The thrown cards are laid in order of their turns, each in a free place that was filled early
    enough; the rest are unseen cards.
    """
    for slot in range(n_slots):
        slots[slot] = -1
    for n in range(len(thrown)):
        card = thrown[n]
        n_free = 0
        for slot in range(n_slots):
            n_free += slots[slot] < 0 and arrivals[slot] <= deadlines[card]
        chosen = _below(chain, n_free)
        for slot in range(n_slots):
            if slots[slot] < 0 and arrivals[slot] <= deadlines[card]:
                if chosen == 0:
                    slots[slot] = card
                    break
                chosen -= 1
    pool = unseen
    for slot in range(n_slots):
        if slots[slot] < 0:
            card = nth_card(pool, _below(chain, popcount(pool)))
            slots[slot] = card
            pool &= ~(1 << card)


@jit
def _log_of(chain, e, hand, drawn, given, need):
    """Return the log chance of an event of the trial state; any number below the need for one."""
    events, snapshots, player, rules, stray, chances, reads_draws, _ = given
    if reads_draws:
        _show_draws(snapshots[e], chain.trial, events, e)
    return log_chance(events[e], snapshots[e], hand, drawn, player, rules, stray, chances, need)


@jit
def _weigh_trial(chain, copy, need, given):
    """Weigh the trial state; return its log chance, or minus infinity once it is below a need."""
    events = given[0]
    reads_draws = given[6]
    trial = chain.trial
    hand = 0
    for slot in range(DEALT):
        hand |= 1 << np.int64(trial[slot])
    total = 0.0
    redrawn = False
    for e in range(chain.n_events):
        event = events[e]
        drawn = event.taken
        same = hand == chain.hands[copy, e]
        if event.slot >= 0:
            drawn = np.int64(trial[event.slot])
            changed = drawn != chain.slots[copy, event.slot]
            same = same and not changed
            redrawn = redrawn or (reads_draws and changed)
        if same and not redrawn:
            log = chain.logs[copy, e]
        else:
            log = _log_of(chain, e, hand, drawn, given, need - total)
        chain.trial_hands[e] = hand
        chain.trial_logs[e] = log
        total += log
        if total < need:
            return -np.inf
        if event.thrown >= 0:
            hand = (hand | 1 << drawn) & ~(1 << event.thrown)
    return total


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
def _accept(chain, copy, total, n_slots):
    chain.totals[copy] = total
    for slot in range(n_slots):
        chain.slots[copy, slot] = chain.trial[slot]
    for e in range(chain.n_events):
        chain.logs[copy, e] = chain.trial_logs[e]
        chain.hands[copy, e] = chain.trial_hands[e]


@jit_inline
def _weight(card, hand):
    """Return the weight of a card among those to be brought into a hand."""
    return (
        1
        + _NEAR_WEIGHT * popcount(NEAR[card] & hand)
        + (_MELD_WEIGHT if forms_meld(hand, card) else 0)
    )


@jit
def _weights(pool, hand):
    total = 0
    while pool:
        card = lowest_bit(pool)
        pool &= pool - 1
        total += _weight(card, hand)
    return total


@jit
def _choose(chain, pool, hand, total):
    """Return a card of a pool, by weight."""
    left = _below(chain, total)
    while True:
        card = lowest_bit(pool)
        pool &= pool - 1
        left -= _weight(card, hand)
        if left < 0:
            return card


@jit
def _propose_swaps(chain, n_slots, arrivals, deadlines, threw):
    """Let cards change their arrivals in the trial; return the log of Hastings' ratio.

    One, two or three times a draw changes places with another card: as often as not with the card
    that was thrown in that turn, since many a card is thrown as soon as it is drawn.
    """
    trial = chain.trial
    share = _uniform(chain)
    n = 1 if share < _TWO_SWAPS_FROM else 2 if share < _THREE_SWAPS_FROM else 3
    log_ratio = 0.0
    for _ in range(n):
        one = DEALT + _below(chain, n_slots - DEALT)
        home = _place_of(trial, n_slots, threw[one])
        if home >= 0 and home != one and _uniform(chain) < 0.5:
            other = home
        else:
            other = _below(chain, n_slots - 1)
            other += other >= one
        log_ratio -= _log_partner(one, other, home, n_slots)
        trial[one], trial[other] = trial[other], trial[one]
        home = _place_of(trial, n_slots, threw[one])
        log_ratio += _log_partner(one, other, home, n_slots)
    for slot in range(n_slots):
        if arrivals[slot] > deadlines[trial[slot]]:
            return -np.inf
    return log_ratio


@jit_inline
def _place_of(trial, n_slots, card):
    for slot in range(n_slots):
        if trial[slot] == card:
            return slot
    return -1


@jit_inline
def _log_partner(one, other, home, n_slots):
    """Return the log of the chance that a draw changes places with another place's card."""
    by_chance = 1.0 / (n_slots - 1)
    if home < 0 or home == one:
        return math.log(by_chance)
    return math.log(0.5 * by_chance + (0.5 if other == home else 0.0))


@jit
def _propose_cards(chain, n_slots, deadlines, unseen, known):
    """Replace one, two or three hidden cards in the trial; return the log of Hastings' ratio.

    The new cards are chosen one after another, those that suit the hand more often.
    """
    trial = chain.trial
    held = 0
    n_held = 0
    for slot in range(n_slots):
        if deadlines[trial[slot]] == NO_DEADLINE:
            held |= 1 << np.int64(trial[slot])
            n_held += 1
    share = _uniform(chain)
    n = min(1 if share < _TWO_FROM else 2 if share < _THREE_FROM else 3, n_held)
    places = 0  # mask of places
    order = 0  # the places in order, six bits each
    for i in range(n):
        chosen = _below(chain, n_held - i)
        for slot in range(n_slots):
            if deadlines[trial[slot]] == NO_DEADLINE and not places >> slot & 1:
                if chosen == 0:
                    places |= 1 << slot
                    order |= slot << 6 * i
                    break
                chosen -= 1
    kept = held
    for i in range(n):
        kept &= ~(1 << np.int64(trial[order >> 6 * i & 63]))
    log_ratio = 0.0
    hand_before = kept | known
    hand_after = hand_before
    pool_before = unseen & ~kept
    pool_after = pool_before
    for i in range(n):
        slot = order >> 6 * i & 63
        old = np.int64(trial[slot])
        total_before = _weights(pool_before, hand_before)
        same = pool_before == pool_after
        total_after = total_before if same else _weights(pool_after, hand_after)
        new = _choose(chain, pool_after, hand_after, total_after)
        log_ratio += math.log(_weight(old, hand_before) / total_before)
        log_ratio -= math.log(_weight(new, hand_after) / total_after)
        trial[slot] = new
        hand_before |= 1 << old
        pool_before &= ~(1 << old)
        hand_after |= 1 << new
        pool_after &= ~(1 << new)
    return log_ratio


@jit
def _propose_meld(chain, n_slots, deadlines, unseen, known):
    """Bring a whole meld into the trial's hand; return the log of Hastings' ratio, or minus infinity.

    The reverse is :func:`_propose_break` of that meld and those cards.
    """
    trial = chain.trial
    held = _held(trial, n_slots, deadlines)
    n_melds = 0
    for meld in MELDS:
        n_melds += _may_come(meld, held, known, unseen)
    if n_melds == 0:
        return -np.inf
    chosen = _below(chain, n_melds)
    which = 0
    for n in range(len(MELDS)):
        if _may_come(MELDS[n], held, known, unseen):
            if chosen == 0:
                which = n
                break
            chosen -= 1
    meld = MELDS[which]
    n_others = popcount(held & ~meld)
    log_ratio = math.log(n_melds)
    missing = meld & ~(held | known)
    others = held & ~meld
    lost = 0
    places = 0
    n = 0
    while missing:
        card = lowest_bit(missing)
        missing &= missing - 1
        log_ratio += math.log(n_others)
        old = nth_card(others, _below(chain, n_others))
        others &= ~(1 << old)
        n_others -= 1
        for slot in range(n_slots):
            if trial[slot] == old:
                trial[slot] = card
                places |= old << 6 * n
                break
        n += 1
        lost |= 1 << old
    held_after = held & ~lost | meld & ~known
    missing = meld & ~(held | known)
    log_ratio -= math.log(_n_held_melds(held_after, known))
    log_ratio -= math.log((1 << popcount(meld & held_after)) - 1)
    pool = unseen & ~held_after
    hand = (held_after & ~missing) | known
    for i in range(n):
        old = places >> 6 * i & 63
        log_ratio += math.log(_weight(old, hand) / _weights(pool, hand))
        hand |= 1 << old
        pool &= ~(1 << old)
    return log_ratio


@jit
def _propose_break(chain, n_slots, deadlines, unseen, known):
    """Replace cards of a meld of the trial's hand; the reverse of :func:`_propose_meld`."""
    trial = chain.trial
    held = _held(trial, n_slots, deadlines)
    n_melds = _n_held_melds(held, known)
    if n_melds == 0:
        return -np.inf
    chosen = _below(chain, n_melds)
    which = 0
    for n in range(len(MELDS)):
        if _is_held(MELDS[n], held, known):
            if chosen == 0:
                which = n
                break
            chosen -= 1
    meld = MELDS[which]
    hidden = meld & held
    n_subsets = (1 << popcount(hidden)) - 1
    subset = 1 + _below(chain, n_subsets)
    lost = 0
    left = hidden
    while left:
        if subset & 1:
            lost |= left & -left
        subset >>= 1
        left &= left - 1
    log_ratio = math.log(n_melds) + math.log(n_subsets)
    pool = unseen & ~held
    hand = (held & ~lost) | known
    held_after = held & ~lost
    left = lost
    n = 0
    while left:
        card = lowest_bit(left)
        left &= left - 1
        total = _weights(pool, hand)
        new = _choose(chain, pool, hand, total)
        log_ratio -= math.log(_weight(new, hand) / total)
        hand |= 1 << new
        pool &= ~(1 << new)
        held_after |= 1 << new
        for slot in range(n_slots):
            if trial[slot] == card:
                trial[slot] = new
                break
        n += 1
    n_melds = 0
    for other in MELDS:
        n_melds += _may_come(other, held_after, known, unseen)
    log_ratio -= math.log(n_melds)
    n_others = popcount(held_after & ~meld)
    for i in range(n):
        log_ratio -= math.log(n_others - i)
    return log_ratio


@jit_inline
def _held(trial, n_slots, deadlines):
    """Return the mask of the hidden cards that are still held."""
    held = 0
    for slot in range(n_slots):
        if deadlines[trial[slot]] == NO_DEADLINE:
            held |= 1 << np.int64(trial[slot])
    return held


@jit_inline
def _may_come(meld, held, known, unseen):
    """Return whether a meld is not whole in the hand and may be brought into it."""
    missing = meld & ~(held | known)
    return (
        missing != 0
        and missing & ~unseen == 0
        and popcount(missing) <= popcount(held & ~meld)
    )


@jit_inline
def _is_held(meld, held, known):
    return meld & ~(held | known) == 0 and meld & held != 0


@jit
def _n_held_melds(held, known):
    n = 0
    for meld in MELDS:
        n += _is_held(meld, held, known)
    return n


@jit
def _move(chain, level, given, n_slots, unseen, known, arrivals, deadlines, threw):
    """Try one move of a copy, by Metropolis and Hastings' rule."""
    copy = chain.place[level]
    powers = given[7]
    for slot in range(n_slots):
        chain.trial[slot] = chain.slots[copy, slot]
    share = _uniform(chain)
    kind = 0 if share < SHARES[0] else 1 if share < SHARES[1] else 2 if share < SHARES[2] else 3
    log_ratio = 0.0
    own = level == N_LEVELS - 1
    chain.tried[kind] += own
    if kind == 0:
        if n_slots == DEALT:
            return
        log_ratio = _propose_swaps(chain, n_slots, arrivals, deadlines, threw)
    elif kind == 1:
        log_ratio = _propose_cards(chain, n_slots, deadlines, unseen, known)
    elif kind == 2:
        log_ratio = _propose_meld(chain, n_slots, deadlines, unseen, known)
    else:
        log_ratio = _propose_break(chain, n_slots, deadlines, unseen, known)
    if log_ratio == -np.inf:
        return
    need = chain.totals[copy] + (math.log(_uniform(chain)) - log_ratio) / powers[level]
    total = _weigh_trial(chain, copy, need, given)
    if total >= need:
        _accept(chain, copy, total, n_slots)
        chain.accepted[kind] += own


@jit
def _exchange(chain, powers):
    """Let neighbouring copies exchange their powers, the even pairs and the odd ones in turn."""
    chain.rounds += 1
    for level in range(chain.rounds & 1, N_LEVELS - 1, 2):
        low = chain.place[level]
        high = chain.place[level + 1]
        log_ratio = (powers[level] - powers[level + 1]) * (chain.totals[high] - chain.totals[low])
        if math.log(_uniform(chain)) < log_ratio:
            chain.place[level] = high
            chain.place[level + 1] = low
            chain.exchanged[level] += 1


@jit
def start_chain(chains, given, n_slots, unseen, known, arrivals, deadlines, threw, thrown):
    """Start a chain: a state by chance, led through the events one after another.

    Each event that is added asks a little more of states that suit all before it, which finds the
    few that suit them all where a search for those at once would be lost.

    Parameters
    ----------
    chains : record array of CHAIN, length 1
        With its key set.
    given : tuple
        Events, snapshots, player, rules, stray, working space of 52 float64, whether the policy
        reads its draws, and the powers.
    n_slots, unseen, known, arrivals, deadlines, threw
        See ``Evidence``.
    thrown : int64 array
        The hidden cards that were thrown, in order.
    """
    chain = chains[0]
    events = given[0]
    powers = given[7]
    for level in range(N_LEVELS):
        chain.place[level] = level
        draw_prior(chain, chain.slots[level], unseen, n_slots, arrivals, deadlines, thrown)
        chain.totals[level] = 0.0
    for n in range(1, len(events) + 1):
        chain.n_events = n
        for copy in range(N_LEVELS):
            for slot in range(n_slots):
                chain.trial[slot] = chain.slots[copy, slot]
            for e in range(n):
                chain.hands[copy, e] = -1
            total = _weigh_trial(chain, copy, -np.inf, given)
            _accept(chain, copy, total, n_slots)
        _rounds(chain, given, n_slots, unseen, known, arrivals, deadlines, threw, powers, LEAD_IN)


@jit
def _rounds(chain, given, n_slots, unseen, known, arrivals, deadlines, threw, powers, n_rounds):
    for _ in range(n_rounds):
        for level in range(N_LEVELS):
            for _ in range(TRIES):
                _move(chain, level, given, n_slots, unseen, known, arrivals, deadlines, threw)
        _exchange(chain, powers)


@jit
def run_chain(chains, given, n_slots, unseen, known, arrivals, deadlines, threw, apart, worlds):
    """Let a chain go on, and keep a state of it every few rounds.

    Parameters
    ----------
    chains, given, n_slots, unseen, known, arrivals, deadlines, threw
        As for :func:`start_chain`.
    apart : int64
        Rounds from one kept state to the next.
    worlds : int8 array, shape (kept, MAX_SLOTS)
        Filled.
    """
    chain = chains[0]
    powers = given[7]
    for row in range(len(worlds)):
        _rounds(chain, given, n_slots, unseen, known, arrivals, deadlines, threw, powers, apart)
        copy = chain.place[N_LEVELS - 1]
        for slot in range(n_slots):
            worlds[row, slot] = chain.slots[copy, slot]


def new_chain(seed: int, number: int) -> np.ndarray:
    """Return a chain that is not started, a record array of length 1."""
    chain = np.zeros(1, CHAIN).view(np.recarray)
    chain[0].key = rng.stream_key(seed, number, BELIEF_STREAM)
    return chain


BELIEF_STREAM = 11
