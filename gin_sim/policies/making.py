"""Policies made from what a user gives: a spec, a file's path, or plain Python functions.

The two constructors of :class:`gin_sim.Policy` are put in place here, since only what stands above
the catalogue and the compiling of functions can make every policy.
"""

from __future__ import annotations

import types
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

from gin_sim.errors import InputError
from gin_sim.policies import contract
from gin_sim.policies.catalogue import parse_policy, shipped_policy
from gin_sim.policies.contract import Policy, PolicyError
from gin_sim.policies.files.functions import source_of
from gin_sim.policies.files.lint import check_given
from gin_sim.policies.files.parameters import numbers_from
from gin_sim.policies.files.python import Named, compiled_policy
from gin_sim.policies.files.source import DECISIONS
from gin_sim.words import listed, nearest

__all__ = ["Policy", "policy_of"]

_KEYS = (*DECISIONS, "base", "name", "parameters")


def policy_of(given: Any) -> Policy:
    """Return the policy that a caller names.

    Parameters
    ----------
    given : str, Path, Policy, mapping or function
        A spec such as ``"greedy:knock=5"``, a file, a policy, what :meth:`Policy.of` takes by name,
        or one function that has the name of a decision.

    Raises
    ------
    InputError
        If there is no such policy, or its functions cannot be used.
    """
    if isinstance(given, Policy):
        return given
    if isinstance(given, str | Path):
        return parse_policy(str(given))
    if isinstance(given, Mapping):
        for key in given:
            if key not in _KEYS:
                raise PolicyError(
                    f"a policy of functions has no '{key}'.{nearest(str(key), _KEYS)} It takes "
                    f"{listed(_KEYS, 'and')}."
                )
        return Policy.of(**given)
    if isinstance(given, types.FunctionType):
        if given.__name__ in DECISIONS:
            return Policy.of(**{given.__name__: given})
        raise PolicyError(
            f"the function {given.__name__} is not named after a decision: say which one it makes, "
            f"as in gin_sim.Policy.of(should_knock={given.__name__})."
        )
    raise InputError(
        f"{given!r} is not a policy: give a spec such as 'greedy:knock=5', a file, functions, or a "
        "gin_sim.Policy."
    )


def _of_functions(
    functions: Mapping[str, Callable | None],
    base: str | None,
    name: str,
    parameters: Mapping[str, float] | None,
) -> Policy:
    given = {key: function for key, function in functions.items() if function is not None}
    if not given:
        raise PolicyError(f"a policy of functions needs one: give {listed(DECISIONS)}.")
    missing = [key for key in DECISIONS if key not in given]
    if missing and not base:
        raise PolicyError(
            f'nothing decides {listed(missing, "and")}: give a function, or base="greedy" (or '
            "another policy of `gin-sim policies list`) to leave it to that policy."
        )
    if name and set(name) & set(":,="):
        raise PolicyError(
            f"the name '{name}' could be read as a spec: leave out colons, commas and =."
        )
    decides_rest = _base(base) if base else None
    source = source_of(given, base or "")
    numbers = numbers_from(parameters or {})
    check_given(source, 1, "p", [parameter.name for parameter in numbers.parameters])
    label = name or "+".join(function.__name__ for function in source.decisions.values())
    values = {parameter.name: parameter.default for parameter in numbers.parameters}
    named = Named(label, label, f"plain functions of {source.path}")
    return compiled_policy(named, source, numbers, values, decides_rest)


def _base(spec: str) -> Policy:
    try:
        return shipped_policy(spec)
    except PolicyError as error:
        raise PolicyError(f"base: {error}") from None


contract.MAKERS |= {"parse": parse_policy, "of": _of_functions}
