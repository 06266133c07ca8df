"""Policy names and spec strings: from ``greedy:knock=5`` to a policy with every number in place."""

from __future__ import annotations

from gin_sim.errors import nearest
from gin_sim.policies.contract import Policy, PolicyError, PolicyKind
from gin_sim.policies.decide import KINDS

CATALOGUE: dict[str, PolicyKind] = {kind.name: kind for kind in KINDS}


def parse_policy(spec: str) -> Policy:
    """Read a policy spec: a name, with parameters after a colon if wanted.

    Parameters
    ----------
    spec : str
        ``"greedy"`` or, say, ``"greedy:knock=5"``.

    Raises
    ------
    PolicyError
        If the policy or a parameter does not exist (the nearest name is suggested), or a value
        is out of range.
    """
    name, colon, settings = spec.strip().partition(":")
    if name not in CATALOGUE:
        raise PolicyError(
            f"no policy is called '{name}'.{nearest(name, CATALOGUE)} "
            "`gin-sim policies list` shows all."
        )
    kind = CATALOGUE[name]
    values = {parameter.name: parameter.default for parameter in kind.parameters}
    known = {parameter.name: parameter for parameter in kind.parameters}
    if colon and not settings.strip():
        raise PolicyError(f"nothing follows the colon in '{spec}': write {name} alone.")
    given: set[str] = set()
    for setting in settings.split(",") if colon else []:
        key, equals, text = (part.strip() for part in setting.partition("="))
        if key not in known:
            which = f"it has {', '.join(known)}" if known else "it has none"
            raise PolicyError(
                f"{name} has no parameter '{key}'.{nearest(key, known)} "
                f"`gin-sim policies list` shows what each policy takes; {which}."
            )
        if not equals or not text:
            raise PolicyError(f"'{setting}' gives no value: write {name}:{key}=VALUE.")
        if key in given:
            raise PolicyError(f"{name}'s {key} is given twice in '{spec}': give it once.")
        given.add(key)
        values[key] = known[key].checked(name, text)
    return Policy(spec.strip(), kind, tuple(values.values()))
