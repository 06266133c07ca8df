"""What a solved knock rule is good for: a policy to play, a proof on fresh deals, and its risks."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from gin_sim.contests.estimates import Leads
from gin_sim.errors import InputError
from gin_sim.knock.best_response import Solved
from gin_sim.knock.tracing import Traced
from gin_sim.payoff.payoff import PriceTable
from gin_sim.payoff.score import State
from gin_sim.play.knock_trace import SEEN_TURNS
from gin_sim.play.pairings import PairingsPlan
from gin_sim.policies.catalogue import parse_policy
from gin_sim.policies.contract import Policy
from gin_sim.policies.score_classes import offsets_at
from gin_sim.policies.shipped.knock_table import OUT_CLASSES, TABLE_TURNS, KnockTable, knock_text
from gin_sim.policies.specs import read_spec
from gin_sim.stats.intervals import Estimate, Moments, rate_estimate

#: Seeds of fresh deals are this far from those that a rule was fitted on.
_FRESH = 1 << 40
_SHOWN_DEADWOOD = 10


@dataclass(frozen=True)
class Proof:
    """The solved rule and the base's own against the same opponent, on fresh mirrored deals.

    Parameters
    ----------
    hands : int
        Of each meeting.
    solved, own, difference : Estimate
        Value of a hand, and the first less the second on the same deals; each interval by itself.
    """

    hands: int
    solved: Estimate
    own: Estimate
    difference: Estimate


def check_play(policy: Policy) -> None:
    """Refuse a policy whose knock cannot be exchanged for a table.

    Raises
    ------
    InputError
        If it has no knock table: its draws and discards may depend on its knock.
    """
    if not any(isinstance(each, KnockTable) for each in policy.kind.parameters):
        raise InputError(
            f"{policy.spec} has no knock table to solve for: its knock is a rule in code, and its "
            "draws may depend on it: give a policy whose knock can be set, like "
            "greedy, simple, marjj or strong, or a TOML file on one of them."
        )


def solved_policy(base: Policy, solved: Solved) -> Policy | None:
    """Return the base with the solved rule, or None where a knock table cannot say it.

    What would change the table's answers at the score that it was solved for is left out: a knock
    that is to end the game, or an offset by the lead.
    """
    text = table_text(solved)
    if text is None:
        return None
    changes = {"knock": text} | dict.fromkeys(left_out(base, solved), "0")
    return parse_policy(read_spec(base.spec).changed(changes))


def left_out(base: Policy, solved: Solved) -> list[str]:
    """Return which offsets by the score would change what the base's table says at this one."""
    state = solved.prices.state or State(0, 0)
    return offsets_at(base, state.mine, state.theirs, solved.traced.plan.rules)


def table_text(solved: Solved) -> str | None:
    """Return a solved rule as a knock table, or None where that does not know its classes."""
    if solved.classes.name not in ("outs", "none"):
        return None
    masks = np.zeros((TABLE_TURNS, solved.rule.shape[1]), np.int64)
    for deadwood in range(1, solved.rule.shape[2]):
        masks |= solved.rule[:, :, deadwood].astype(np.int64) << deadwood
    if masks.shape[1] == 1:
        masks = np.repeat(masks, OUT_CLASSES, axis=1)
    return knock_text(masks)


def proof_plan(solved: Solved, policy: Policy, hands: int) -> PairingsPlan:
    """Return the fresh simulation that proves a rule: the solved policy and the base's own.

    One hand at the score is played on each deal, and priced by the table that the rule was solved
    for: later hands of the game are played by that table's policies.
    """
    plan, prices = solved.traced.plan, solved.prices
    base, opponent = plan.policies
    seed = (plan.seed + _FRESH) % 2**63
    pairings = ((policy, opponent), (base, opponent))
    return PairingsPlan(pairings, plan.rules, hands, prices.whole_numbers, seed, start=plan.start)


def proof(leads: Leads, prices: PriceTable) -> Proof:
    """Return what a fresh simulation says, in the unit of the prices; see :func:`proof_plan`."""
    weights = np.array([[1.0, 0.0], [0.0, 1.0], [1.0, -1.0]])
    found = (leads.claims(row[None])[0] for row in weights)
    solved, own, difference = found
    hands = leads.n_units * leads.played.plan.n_legs
    return Proof(hands, solved.raised(prices.level), own.raised(prices.level), difference)


def undercut_chances(traced: Traced) -> list[tuple[int, int, Estimate, int]]:
    """Return how often a knock is lost: own turn, deadwood, chance and number of knocks of each."""
    knocks = traced.knocks[traced.knocks["side"] == 0]
    limit = min(_SHOWN_DEADWOOD, int(knocks["deadwood"].max(initial=1)))
    shape = (TABLE_TURNS + 1, limit + 1)
    kept = knocks[(knocks["deadwood"] <= limit) & (knocks["turn"] <= TABLE_TURNS)]
    place = kept["turn"].astype(np.int64) * shape[1] + kept["deadwood"]
    size = shape[0] * shape[1]
    counts = np.bincount(place, minlength=size).reshape(shape)
    lost = np.bincount(place, kept["won"] < 0, size).astype(np.int64).reshape(shape)
    found = []
    for turn in range(1, shape[0]):
        for deadwood in range(1, shape[1]):
            n, times = int(counts[turn, deadwood]), int(lost[turn, deadwood])
            found.append((turn, deadwood, rate_estimate(Moments(n, times, times), 1), n))
    return found


def opponent_deadwood(traced: Traced) -> list[tuple[int, list[int]]]:
    """Return how often the opponent's turns ended with each deadwood and the hand stayed open."""
    return [
        (turn + 1, traced.seen[1, turn].tolist())
        for turn in range(SEEN_TURNS - 1)
        if traced.seen[1, turn].any()
    ]
