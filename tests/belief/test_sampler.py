"""Chains together: the same worlds whatever the threads, and totals that stay those of a replay."""

from __future__ import annotations

import naive
import numpy as np
import pytest
from belief_cases import NEVER, cases, weighed

from gin_sim.belief.deviation import ALIKE, KNOWN
from gin_sim.belief.likelihood import observe
from gin_sim.belief.replica_exchange import N_RUNGS, model_of, new_chain, run_chain, start_chain
from gin_sim.belief.sampler import PosteriorSampler, agreement, unconverged_chains
from gin_sim.cards import mask_of
from gin_sim.errors import InputError
from gin_sim.policies.catalogue import parse_policy
from gin_sim.positions import parse_position
from gin_sim.rules import parse_rules


def a_position(spec="simple", least_events=4):
    for _, position, case in cases(spec, "greedy:knock=0", "standard", 20):
        if len(observe(position).events) >= least_events:
            return position, case
    raise AssertionError


def sampled(position, spec="simple", **options):
    return PosteriorSampler(position, parse_policy(spec), KNOWN, seed=3, n_chains=6, **options)


def test_the_same_seed_gives_the_same_worlds_whatever_the_threads():
    position, _ = a_position()
    worlds = [sampled(position, threads=threads).more(8) for threads in (1, 2, 5)]
    assert np.array_equal(worlds[0], worlds[1])
    assert np.array_equal(worlds[0], worlds[2])
    other = PosteriorSampler(position, parse_policy("simple"), KNOWN, seed=4, n_chains=6).more(8)
    assert not np.array_equal(worlds[0], other)
    # Chains differ from each other.
    assert len({chain.tobytes() for chain in worlds[0]}) == len(worlds[0])


def test_sampling_in_two_parts_gives_the_same_worlds():
    position, _ = a_position()
    once, twice = sampled(position), sampled(position)
    parts = [twice.more(5), twice.more(5)]
    assert np.array_equal(once.more(10), np.concatenate(parts, axis=1))


def test_a_chain_is_unconverged_only_if_it_misses_what_other_chains_find_often():
    # Many likely states, as chains of strong:temperature=1 found them: the likeliest by chance.
    assert unconverged_chains([-12.6, -16.8, -19.8, -19.2], [-16.0, -17.7, -19.6, -17.2]) == []
    # Few: one deviation more than the others, for good.
    assert unconverged_chains([0.0, -0.1, -7.6, -15.2], [-0.4, -1.1, -7.7, -15.4]) == [2, 3]


@pytest.mark.long
@pytest.mark.parametrize(
    "spec",
    ["simple", "strong", pytest.param("marjj", marks=pytest.mark.slow)],
)
def test_every_world_agrees_with_what_was_seen(spec):
    n_known = 0
    for _, position, case in cases(spec, "simple:knock=0", "standard", 2):
        if len(case.arrivals) % 4 != 1:
            continue
        sampler = sampled(position, spec, threads=2)
        worlds = sampler.more(3)
        hands = sampler.hands(worlds)
        seen = position.seen
        n_known += seen.known.bit_count()
        for world, hand in zip(worlds.reshape(-1, worlds.shape[2]), hands.ravel(), strict=True):
            assert int(hand).bit_count() == 10
            assert int(hand) & seen.known == seen.known
            assert int(hand) & ~(seen.known | seen.unseen) == 0
            mine = mask_of(position.hand)
            assert int(hand) & mine == 0
            # Replayed by the round's own steps, no act is impossible.
            arrivals = [int(card) for card in world]
            rules = parse_rules("standard")
            logs = case.logs(parse_policy(spec), rules, ALIKE, arrivals)
            assert np.isfinite(logs).all()
    assert n_known > 0


@pytest.mark.parametrize("spec", ["simple", "strong:temperature=1"])
def test_what_a_chain_remembers_of_its_states_is_what_they_weigh(spec):
    position, case = a_position(spec, 5)
    policy = parse_policy(spec)
    observed = observe(position)
    model = model_of(observed, policy, KNOWN)
    chains = new_chain(2, 1)
    start_chain(chains, model)
    for _ in range(5):
        run_chain(chains, model, 3, np.zeros((4, 42), np.int8))
        for replica in range(N_RUNGS):
            places = chains[0].slots[replica, : observed.slots.n].copy()
            n = len(observed.events)
            kept = chains[0].acts[replica, :n] + chains[0].takes[replica, :n]
            fresh = weighed(observed, policy, KNOWN, places)
            assert np.allclose(kept, fresh, rtol=0, atol=1e-12)
            assert chains[0].totals[replica] == pytest.approx(fresh.sum(), abs=1e-9)
            replayed = case.logs(policy, position.rules, KNOWN, places.tolist())
            assert np.allclose(fresh, replayed, rtol=0, atol=1e-12)


DETERMINISTIC = ["greedy", "strong", "heuristic", "gin-only", "knock-asap"]


@pytest.mark.parametrize("spec", DETERMINISTIC)
def test_what_a_policy_without_chance_did_is_certain_in_the_true_world(spec):
    n_events = 0
    for _, position, case in cases(spec, "simple:knock=0", "standard", 6):
        logs = weighed(observe(position), parse_policy(spec), NEVER, case.arrivals)
        assert (logs == 0).all()
        n_events += len(logs)
    assert n_events > 100


def ties_of(case):
    """By turn of a seat, how many cards simple might have discarded: from its source, in plain
    words.

    Of the cards that leave least deadwood, not the one just taken, and none that would repeat a
    pair of drawn and discarded card.
    """
    record = case.record
    hand = set(record.deal[case.seat])
    pairs, ties = set(), []
    for act in record.turns[: case.n_acts]:
        if act.player != case.seat:
            continue
        if act.draw == "pass":
            ties.append(1)
            continue
        hand.add(act.card)
        left = {}
        for card in hand:
            repeats = frozenset((act.card, card)) in pairs
            if not repeats and not (act.draw == "upcard" and card == act.card):
                left[card] = naive.deadwood(naive.cards_of("".join(hand - {card})))
        least = min(left.values())
        ties.append(sum(deadwood == least for deadwood in left.values()))
        pairs.add(frozenset((act.card, act.discard)))
        hand.remove(act.discard)
    return ties


def test_what_simple_did_is_as_likely_as_its_ties_say():
    n_ties = 0
    last = {}
    for index, position, case in cases("simple", "greedy:knock=0", "standard", 25):
        last[index] = position, case  # the latest position of a hand has all events before
    for position, case in last.values():
        ties = ties_of(case)
        logs = weighed(observe(position), parse_policy("simple"), NEVER, case.arrivals)
        assert np.allclose(logs, -np.log(ties), rtol=0, atol=1e-12)
        n_ties += sum(n > 1 for n in ties)
    assert n_ties > 20


def test_a_position_without_a_history_is_refused():
    position = parse_position("7s7h7d 4h5h6h 2c2dAs 9c Kd", turn="3", pile="9h 4c")
    with pytest.raises(InputError, match="give the history, or use the learned weights"):
        sampled(position)


def test_independent_worlds_agree_and_chains_that_stay_apart_do_not():
    numbers = np.random.default_rng(1)
    free = agreement(numbers.normal(size=(16, 400)))
    assert 2000 < free.effective <= 6400
    assert 0.6 < free.ratio < 1.5
    apart = numbers.normal(size=(16, 1)) + 0.01 * numbers.normal(size=(16, 400))
    lost = agreement(apart)
    assert lost.effective == pytest.approx(16, rel=0.1)
    assert lost.ratio > 10
