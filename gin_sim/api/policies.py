"""Which policies there are, what one plays by, and files to begin one from."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from gin_sim.api.playing import policy_of
from gin_sim.policies.catalogue import shipped_kind
from gin_sim.policies.descriptions import described, shipped_policies
from gin_sim.policies.files.templates import python_template, toml_template
from gin_sim.policies.files.toml import write_new
from gin_sim.results.policies import PolicyDescription

__all__ = ["begin_policy", "describe_policy", "shipped_policies"]


def describe_policy(policy: Any) -> PolicyDescription:
    """Return where a policy comes from and every parameter with its value.

    Parameters
    ----------
    policy : str, path, or Policy

    Raises
    ------
    InputError
        If there is no such policy, or its file cannot be used.
    """
    return described(policy_of(policy))


def begin_policy(name: str | Path, base: str = "greedy", python: bool = False) -> str:
    """Write the start of a new policy beside a shipped one, and return the file's path.

    Parameters
    ----------
    name : str or Path
        The file; ``.toml`` or ``.py`` is added where it is missing.
    base : str
        The shipped policy to start from, without parameters.
    python : bool
        A Python file of decisions, not a TOML file of numbers.

    Raises
    ------
    InputError
        If there is no such base, the file is there already, or it cannot be written.
    """
    ending = ".py" if python else ".toml"
    path = str(name) if str(name).endswith(ending) else f"{name}{ending}"
    kind = shipped_kind(base)
    write_new(path, python_template(kind) if python else toml_template(kind, path))
    return path
