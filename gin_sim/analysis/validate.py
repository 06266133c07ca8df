"""Whether a policy plays by the rules, whatever the rules: a few thousand hands of proof.

What a decision may see needs no test here: a view holds nothing that is hidden.
"""

from __future__ import annotations

from gin_sim.errors import InputError
from gin_sim.policies.catalogue import parse_policy
from gin_sim.policies.contract import Policy, PolicyError
from gin_sim.rules import PRESETS
from gin_sim.simulate.record import play_recorded
from gin_sim.simulate.run import Plan, simulate

OPPONENTS = ("simple", "greedy")
HANDS = 500  # mirrored, against each opponent under each rule set
_SEED = 1


def validate(policy: Policy) -> int:
    """Play a policy against each opponent under every rule set, twice; return the hands of one.

    Raises
    ------
    PolicyError
        If a step is not legal (the sentence says where), a decision raises, or the same seed gives
        another result the second time.
    """
    n_hands = 0
    for name, rules in PRESETS.items():
        for opponent in OPPONENTS:
            plan = Plan((policy, parse_policy(opponent)), rules, HANDS, _SEED)
            first, second = _played(plan), _played(plan)
            if first != second:
                raise PolicyError(
                    f"{policy.spec} played the same hands against {opponent} in two ways under "
                    f"{name} rules: a decision may depend on nothing but the view and p."
                )
            n_hands += HANDS
    return n_hands


def _played(plan: Plan) -> bytes:
    try:
        return simulate(plan, threads=1).tally.tobytes()
    except InputError:
        for _ in play_recorded(plan.policies, plan.rules, plan.seed, plan.hands):
            pass  # up to the hand with the fault, whose sentence says more
        raise
