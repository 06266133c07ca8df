"""Policies of a user's own functions: compiled, and called by their address.

Each decision becomes a C function of two records: the view, and the policy's own numbers, which
lie in the player's record.  The play loop is compiled without knowing any of them.  Compiled code
is kept between runs, in a folder named by a hash of the file and of all that its decisions name.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import NamedTuple

import numba
import numpy as np
from numba import config, types

from gin_sim.engine.address import address_of, place_of
from gin_sim.engine.compile_cache import forget, has_mark, set_mark, user_folder
from gin_sim.engine.jit import compiling_alone, jit_user
from gin_sim.engine.view import VIEW
from gin_sim.policies import contract
from gin_sim.policies.contract import N_OWN, Policy, PolicyError, PolicyKind
from gin_sim.policies.files.compile_errors import kind_words, not_compiled
from gin_sim.policies.files.lint import changed_in_place
from gin_sim.policies.files.loader import numbers_of, read_source
from gin_sim.policies.files.source import (
    DECISIONS,
    DISCARD,
    KNOCK,
    TAKE,
    Numbers,
    Source,
    undressed,
)
from gin_sim.policies.specs import Spec

_RULES = {
    TAKE: contract.TAKE_BY_FILE,
    DISCARD: contract.DISCARD_BY_FILE,
    KNOCK: contract.KNOCK_BY_FILE,
}
_PLACES = {TAKE: "take_at", DISCARD: "discard_at", KNOCK: "knock_at"}

_NAMES_SCORE = re.compile("score|boxes|knocks_")

#: Marks a folder of compiled code that has passed every check.
_CHECKED = "checked"

#: Addresses by the file, its state and its class of numbers: nothing is compiled twice.
_COMPILED: dict[tuple[str, str, str], dict[str, int]] = {}


@dataclass(frozen=True, repr=False)
class CustomPolicy(Policy):
    """A policy from a Python file, or from plain functions.

    Parameters
    ----------
    base : Policy or None
        Decides what the file does not.
    addresses : dict of str to int
        By decision, where its compiled code lies in this process.
    digest : str
        Of the file's state.
    names_score : bool
        Whether its text names the score, the boxes or a shipped rule of the knock, which alone
        read them: if not, its own decisions are the same at every score.
    """

    base: Policy | None = None
    addresses: dict[str, int] = field(default_factory=dict, repr=False)
    digest: str = ""
    names_score: bool = True

    has_own_decisions = True

    def as_dict(self) -> dict:
        """Return what every policy returns, with what the file decides and its base."""
        return {
            **super().as_dict(),
            "decides": list(self.addresses),
            "source": self.digest,
            "base": self.base.as_dict() if self.base else None,
        }

    def seat(self, player: np.ndarray) -> None:
        """Write the policy into a record of :data:`PLAYER`."""
        if self.base is not None:
            self.base.seat(player)
        own = np.zeros(N_OWN)
        for place, parameter in enumerate(self.kind.parameters):
            numbers = own.view(np.int64) if parameter.whole else own
            numbers[place] = self.values[parameter.name]
        player["own"] = own
        player["take_rule"] = self.kind.take
        player["discard_rule"] = self.kind.discard
        player["knock_rule"] = self.kind.knock
        for name, address in self.addresses.items():
            player[_PLACES[name]] = address


def policy_from_python(spec: Spec, parse_base: Callable[[str], Policy]) -> CustomPolicy:
    """Return the policy that a spec of a Python file names, its decisions compiled.

    Parameters
    ----------
    spec : Spec
    parse_base : callable
        Reads the spec of a shipped policy.

    Raises
    ------
    PolicyError
        If anything about the file, its functions or the settings is wrong.
    """
    source = read_source(spec.place)
    numbers = numbers_of(source, spec.choice)
    start = {parameter.name: parameter.default for parameter in numbers.parameters}
    values = spec.values(numbers.parameters, start)
    base = None
    if source.base:
        try:
            base = parse_base(source.base)
        except PolicyError as error:
            raise PolicyError(f"'{source.path}', line {source.base_line}: base: {error}") from None
    named = Named(spec.text, spec.label, f"the file {spec.place}")
    return compiled_policy(named, source, numbers, values, base)


class Named(NamedTuple):
    """What a policy is called.

    Parameters
    ----------
    spec : str
        What reads back to it, or stands for it.
    label : str
        The spec without settings.
    origin : str
    """

    spec: str
    label: str
    origin: str


def compiled_policy(
    named: Named, source: Source, numbers: Numbers, values: dict, base: Policy | None
) -> CustomPolicy:
    """Compile the decisions of a source that has been checked.

    Parameters
    ----------
    named : Named
    source : Source
    numbers : Numbers
        What the decisions get as ``p``.
    values : dict
        Of each of the numbers, by name.
    base : Policy or None
        Decides what the source does not.

    Raises
    ------
    PolicyError
        If a function cannot be compiled, or returns something else than its decision.
    """
    addresses = _compile(source, numbers)
    rules = [
        _RULES[name] if name in addresses else rule
        for name, rule in zip(
            DECISIONS,
            (base.kind.take, base.kind.discard, base.kind.knock) if base else (0, 0, 0),
            strict=True,
        )
    ]
    kind = PolicyKind(
        named.label,
        source.summary or f"{source.base or 'a policy'} with decisions of its own",
        named.origin,
        *rules,
        parameters=numbers.parameters,
    )
    names_score = any(_NAMES_SCORE.search(file.text) for file in source.files.values())
    return CustomPolicy(named.spec, kind, values, base, addresses, source.digest, names_score)


def _compile(source: Source, numbers: Numbers) -> dict[str, int]:
    key = (source.module.__file__, source.digest, numbers.name)
    if key not in _COMPILED:
        _COMPILED[key] = (
            _interpreted(source, numbers) if config.DISABLE_JIT else _compiled(source, numbers)
        )
    return _COMPILED[key]


def _interpreted(source: Source, numbers: Numbers) -> dict[str, int]:
    def place(decision):
        def decide(view, own):
            values = [
                int(own.view(np.int64)[i]) if parameter.whole else float(own[i])
                for i, parameter in enumerate(numbers.parameters)
            ]
            return int(decision(view, numbers.make(*values) if values else ()))

        return place_of(decide)

    return {name: place(decision) for name, decision in source.decisions.items()}


def _compiled(source: Source, numbers: Numbers) -> dict[str, int]:
    record_types = (numba.from_dtype(VIEW), numba.from_dtype(numbers.record_type()))
    state = hashlib.sha256(f"{source.digest} {numbers.name}".encode()).hexdigest()[:16]
    folder = user_folder(state)
    if has_mark(folder, _CHECKED):
        _compile_helpers(source, folder)
        return _addresses(source, record_types, folder)
    with compiling_alone(f"{Path(source.path).name}.{state}"):
        known = has_mark(folder, _CHECKED)
        if not known:  # what an earlier run compiled and then refused must not be found
            folder = forget(folder)
        helpers = _compile_helpers(source, folder)
        if not known:
            for name, function in source.decisions.items():
                _check_types(source, name, function, jit_user(function, folder), record_types)
            for helper, typed in helpers.items():
                _check_arrays(source, helper, typed)
        addresses = _addresses(source, record_types, folder)
        if not known:
            set_mark(folder, _CHECKED)
    return addresses


def _addresses(source: Source, record_types: tuple, folder: Path | None) -> dict[str, int]:
    return {
        name: address_of(function, record_types, folder)
        for name, function in source.decisions.items()
    }


def _compile_helpers(source: Source, folder: Path | None) -> dict:
    """Put compiled versions of the helpers in their places, wherever a function finds them."""
    compiled = {function: jit_user(function, folder) for function in source.helpers}
    for namespace in source.namespaces:
        for name, value in list(namespace.items()):
            function = undressed(value)
            if function in compiled:
                namespace[name] = compiled[function]
    return compiled


def _check_types(source, name, function, typed, record_types) -> None:
    """Compile a decision as the compiler sees fit, and look at what it gives."""
    try:
        typed.compile(record_types)
    except Exception as error:  # the compiler's own faults are of many types
        raise not_compiled(source, function, record_types, error) from None
    _check_return(source, name, function, typed.nopython_signatures[0].return_type)
    _check_arrays(source, function, typed)


def _check_return(source, name, function, returned) -> None:
    if isinstance(returned, types.Integer if name == DISCARD else types.Boolean):
        return
    wanted = "a card's id, 0 to 51" if name == DISCARD else "True or False"
    if isinstance(returned, types.Integer):
        wanted += "; bool(...) makes it one"
    raise source.complaint(function, f"returns {kind_words(returned)}: let it return {wanted}.")


def _check_arrays(source, function, typed) -> None:
    """Refuse += on an array that was given."""
    changed = changed_in_place(source, function)
    for compiled in typed.overloads.values():
        types_of = compiled.type_annotation.typemap
        for name, line in changed:
            found = (kind for variable, kind in types_of.items() if variable.split(".")[0] == name)
            if any(isinstance(kind, types.Array) for kind in found):
                raise source.writes(function, name, line)
