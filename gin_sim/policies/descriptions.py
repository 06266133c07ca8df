"""What a policy is in words and numbers: the shipped ones, or one with all that it plays by."""

from __future__ import annotations

from typing import Any

from gin_sim.policies.catalogue import CATALOGUE
from gin_sim.policies.contract import Parameter, Policy
from gin_sim.policies.files.python import CustomPolicy
from gin_sim.policies.files.source import DECISIONS
from gin_sim.policies.files.toml import FilePolicy
from gin_sim.policies.specs import read_spec
from gin_sim.results.policies import PolicyDescription, Setting, ShippedPolicy
from gin_sim.words import listed

_FEW = 3


def shipped_policies() -> list[ShippedPolicy]:
    """Return the policies that come with the program, and what can be set of each."""
    return [
        ShippedPolicy(
            name=kind.name,
            summary=kind.summary,
            origin=kind.origin,
            parameters=[_setting(parameter) for parameter in kind.parameters],
        )
        for kind in CATALOGUE.values()
    ]


def described(policy: Policy) -> PolicyDescription:
    """Return where a policy comes from and every parameter with its value."""
    own: dict[str, Any] = {}
    if isinstance(policy, CustomPolicy):
        base = policy.base
        own = {
            "decides": list(policy.addresses),
            "source": policy.digest,
            "base": None if base is None else base.info(),
        }
    if isinstance(policy, CustomPolicy | FilePolicy):
        own["plays"] = what_it_is(policy)
    return PolicyDescription(
        spec=policy.spec,
        policy=policy.kind.name,
        summary=_summary(policy),
        origin=_origin(policy),
        parameters=[
            _setting(parameter, value=parameter.plain(policy.values[parameter.name]))
            for parameter in policy.kind.parameters
        ],
        **own,
    )


def what_it_is(policy: Policy) -> str:
    """Return in a few words what a policy consists of."""
    if isinstance(policy, CustomPolicy):
        words = f"{listed(policy.addresses, 'and')} of its own"
        others = [name for name in DECISIONS if name not in policy.addresses]
        return f"{words}, else as {policy.base.spec} does" if others else words
    changed = [p.name for p in policy.kind.parameters if policy.values[p.name] != p.default]
    if not changed:
        return policy.kind.name
    shown = changed if len(changed) <= _FEW else [f"{len(changed)} numbers"]
    return f"{policy.kind.name} with {listed(shown, 'and')} of its own"


def _summary(policy: Policy) -> str:
    if isinstance(policy, FilePolicy):
        return policy.summary or what_it_is(policy)
    return policy.kind.summary


def _origin(policy: Policy) -> str:
    if isinstance(policy, FilePolicy):
        return policy.origin or f"the file {read_spec(policy.spec).place}"
    return policy.kind.origin


def _setting(parameter: Parameter, **value: Any) -> Setting:
    return Setting(
        name=parameter.name,
        meaning=parameter.meaning,
        unit=parameter.unit,
        default=parameter.plain(parameter.default),
        low=parameter.low,
        high=parameter.high,
        whole=parameter.whole,
        by_own_turn=parameter.by_bucket,
        knock_table=isinstance(parameter.default, str),
        **value,
    )
