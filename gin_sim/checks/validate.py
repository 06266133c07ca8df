"""Whether a policy plays by the rules, whatever the rules: thousands of hands as evidence.

Single hands under every rule set, and whole games where there is a target: only there does a view
hold a score.  A view holds nothing hidden and a decision gets a copy, so that what it may see and
change is not tested here; that no hand differs with the threads that play it is.
"""

from __future__ import annotations

from collections.abc import Iterator

from gin_sim.errors import InputError
from gin_sim.play.plans import GamePlan, Plan
from gin_sim.play.record import play_recorded
from gin_sim.play.run import simulate
from gin_sim.policies.catalogue import parse_policy
from gin_sim.policies.contract import Policy, PolicyError
from gin_sim.rules import PRESETS

OPPONENTS = ("simple", "greedy")
HANDS = 500  # mirrored, against each opponent under each rule set
GAMES = 20  # mirrored, likewise where the rules have a target
_SEED = 1
_THREADS = (1, 3)  # of the first time and the second: chunks and their order differ too


def validate(policy: Policy) -> tuple[int, int]:
    """Play a policy against each opponent under every rule set, twice.

    Returns
    -------
    tuple of int
        Single hands and whole games, each counted once.

    Raises
    ------
    PolicyError
        If a step is not legal (the sentence says where), a decision raises, or the same seed gives
        another result the second time.
    """
    counts = {Plan: 0, GamePlan: 0}
    for name, plan in _plans(policy):
        first, second = (_played(plan, name, threads) for threads in _THREADS)
        if first != second:
            raise PolicyError(
                f"{policy.spec} played the same {plan.unit} against {plan.policies[1].spec} in two "
                f"ways under {name} rules: a decision may depend only on the view and p."
            )
        counts[type(plan)] += plan.size
    return counts[Plan], counts[GamePlan]


def _plans(policy: Policy) -> Iterator[tuple[str, Plan | GamePlan]]:
    for name, rules in PRESETS.items():
        for opponent in OPPONENTS:
            policies = (policy, parse_policy(opponent))
            yield name, Plan(policies, rules, HANDS, _SEED)
            if rules.target:
                yield name, GamePlan(policies, rules, GAMES, _SEED)


def _played(plan: Plan | GamePlan, name: str, threads: int) -> bytes:
    try:
        return simulate(plan, threads).tally.tobytes()
    except InputError as error:
        if isinstance(plan, GamePlan):
            raise PolicyError(
                f"single hands were legal, and in games to {plan.rules.target} under {name} rules "
                f"{error}"
            ) from None
        for _ in play_recorded(plan.policies, plan.rules, plan.seed, plan.hands):
            pass  # up to the hand with the fault, whose sentence says more
        raise
