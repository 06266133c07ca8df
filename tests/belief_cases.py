"""What the tests of belief share: decisions out of hands played, and chains run over them."""

from __future__ import annotations

import numpy as np
from belief_reference import Case
from hands_taken_up import played

from gin_sim.belief.deviation import Deviation
from gin_sim.belief.replica_exchange import (
    _weigh_trial,
    model_of,
    new_chain,
    run_chain,
    start_chain,
)
from gin_sim.engine.jit import jit
from gin_sim.positions import moments_of, position_of_record

NEVER = Deviation(0.0, 0.0, 0.0)


def cases(spec, other, rules, n_hands, seed=11):
    """Every decision to discard against a seat that plays a policy: position and case."""
    for index, record in enumerate(played(spec, other, rules, n_hands, seed)):
        # Records name who sat where.
        seat = next(s for s in range(2) if record.players[s] == spec) if spec != other else 0
        for turn, moment in moments_of(record, 1 - seat):
            own = [i for i, act in enumerate(record.turns) if act.player != seat]
            if moment == "offer":
                n_acts = own[0]
            else:
                n_acts = [i for i in own if record.turns[i].draw != "pass"][turn - 1]
            position = position_of_record(record, 1 - seat, turn, moment)
            yield index, position, Case(record, n_acts, seat)


@jit
def weigh_afresh(chains, model, places):
    """Weigh every event of one history, as a chain does that knows none of them."""
    chain = chains[0]
    chain.n_events = len(model.events)
    for place in range(len(places)):
        chain.trial[place] = places[place]
    for e in range(chain.n_events):
        chain.hands[0, e] = -1
    return _weigh_trial(chain, 0, -np.inf, model)


def weighed(observed, policy, deviation, places):
    """The log chances of a history's events by the likelihood itself."""
    chains = new_chain(1, 0)
    model = model_of(observed, policy, deviation)
    weigh_afresh(chains, model, np.array(places, np.int8))
    n = len(observed.events)
    return chains[0].trial_acts[:n] + chains[0].trial_takes[:n]


def chains_of(observed, policy, deviation, n_chains, kept, apart):
    worlds = np.zeros((n_chains, kept, 42), np.int8)
    for number in range(n_chains):
        model = model_of(observed, policy, deviation)
        chains = new_chain(5, number)
        start_chain(chains, model)
        run_chain(chains, model, 1, worlds[number, :50])  # as a believer burns in
        run_chain(chains, model, apart, worlds[number])
    return worlds[..., : observed.slots.n]
