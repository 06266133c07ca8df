"""Policy names and spec strings: from ``greedy:knock=5`` to a policy with every number in place."""

from __future__ import annotations

from pathlib import Path

import numpy as np

from gin_sim.policies import contract
from gin_sim.policies.contract import Parameter, Policy, PolicyError, PolicyKind, Value
from gin_sim.policies.files.python import policy_from_python
from gin_sim.policies.files.toml import policy_from_toml, read_trained
from gin_sim.policies.shipped.family_parameters import apply_principles, family_parameters
from gin_sim.policies.shipped.knock_table import KnockTable, fill_table, parse_knock
from gin_sim.policies.specs import PYTHON, TOML, read_spec
from gin_sim.words import nearest


def _two_thresholds(vector: np.ndarray, values: dict[str, Value]) -> None:
    turns = [f"{values['early']:g}"] * int(values["turn"])
    fill_table(vector, parse_knock("/".join([*turns, f"{values['late']:g}"]), "two-threshold"))


def _family_member(name: str, summary: str, origin: str, knock: str) -> PolicyKind:
    return PolicyKind(
        name,
        summary,
        origin,
        take=contract.TAKE_BY_SCORE,
        discard=contract.DISCARD_BY_SCORE,
        knock=contract.KNOCK_BY_TABLE,
        parameters=family_parameters(knock),
        finish=apply_principles,
    )


CATALOGUE: dict[str, PolicyKind] = {
    kind.name: kind
    for kind in (
        PolicyKind(
            name="greedy",
            summary="counts only its own deadwood and knocks at a limit",
            origin="the usual baseline of gin rummy engines",
            take=contract.TAKE_IF_LOWER,
            discard=contract.DISCARD_LEAST,
            knock=contract.KNOCK_BY_TABLE,
            parameters=(KnockTable(default="10"),),
        ),
        PolicyKind(
            name="simple",
            summary="the 2021 research challenge's baseline: takes only for a meld, knocks at once",
            origin="SimpleGinRummyPlayer, tneller/gin-rummy-eaai",
            take=contract.TAKE_IF_MELD,
            discard=contract.DISCARD_LIKE_SIMPLE,
            knock=contract.KNOCK_BY_TABLE,
            parameters=(KnockTable(default="50"),),
        ),
        PolicyKind(
            name="marjj",
            summary="the 2021 research challenge's winner: knocks on turns 1-3, then plays for gin",
            origin="Ahmed and others, AAAI 35(17), 2021; aqibahm/MARJJ version 5",
            take=contract.TAKE_LIKE_MARJJ,
            discard=contract.DISCARD_LIKE_MARJJ,
            knock=contract.KNOCK_BY_TABLE,
            parameters=(KnockTable(default="10/10/10/0"),),
        ),
        PolicyKind(
            name="heisenbot",
            summary="simple's play with Heisenbot's knock rule: by turn, score and loose cards",
            origin="Eicholtz and others, AAAI 35(17), 2021",
            take=contract.TAKE_IF_MELD,
            discard=contract.DISCARD_LIKE_SIMPLE,
            knock=contract.KNOCK_LIKE_HEISENBOT,
        ),
        PolicyKind(
            name="two-threshold",
            summary="simple's play with one knock limit early and another late",
            origin="the rule of DePauw's player, kienta1999/Gin_Rummy_AI_Player",
            take=contract.TAKE_IF_MELD,
            discard=contract.DISCARD_LIKE_SIMPLE,
            knock=contract.KNOCK_BY_TABLE,
            parameters=(
                Parameter("early", "greatest deadwood to knock with early", "pips", 10, 0, 50),
                Parameter("late", "greatest deadwood to knock with late", "pips", 3, 0, 50),
                Parameter("turn", "last own turn that counts as early", "turns", 6, 0, 19),
            ),
            finish=_two_thresholds,
        ),
        _family_member(
            "gin-only",
            summary="the family's untrained play, and no knock but gin",
            origin="the rule of the GoGin players, insatiableid-pixel/gin-paradise",
            knock="0",
        ),
        _family_member(
            "knock-asap",
            summary="the family's untrained play, and a knock as soon as it is allowed",
            origin="the rule of the fixed expert of Kelidari and others, arXiv 2607.06854, 2026",
            knock="50",
        ),
        _family_member(
            "heuristic",
            summary="the parameterised family, with weights set by hand",
            origin="features and sizes of weights after a study of the 2021 challenge's players",
            knock="10/10/10/0",
        ),
        PolicyKind(
            name="random",
            summary="chooses uniformly among the legal answers at each decision",
            origin="the usual floor of card game research",
            take=contract.TAKE_BY_COIN,
            discard=contract.DISCARD_ANY,
            knock=contract.KNOCK_BY_COIN,
        ),
    )
}


# The shipped policies whose numbers were found by training.
CATALOGUE |= read_trained(Path(__file__).parent / "shipped" / "trained", CATALOGUE)


def parse_policy(spec: str) -> Policy:
    """Read a policy spec: a name or a file, with parameters after a colon if wanted.

    Parameters
    ----------
    spec : str
        ``"greedy"``, ``"greedy:knock=5"``, ``"my.toml:knock=5"``, ``"my.py:Cautious:limit=3"``.

    Raises
    ------
    PolicyError
        If the policy or a parameter does not exist (the nearest name is suggested), a value is
        out of range, or a file does not hold a policy.
    """
    read = read_spec(spec)
    if read.ending == TOML:
        return policy_from_toml(read, CATALOGUE)
    if read.ending == PYTHON:
        return policy_from_python(read, shipped_policy)
    return shipped_policy(spec)


def shipped_kind(name: str) -> PolicyKind:
    """Return a shipped policy by name; :class:`PolicyError` if there is none."""
    if name not in CATALOGUE:
        path = "/" in name or "\\" in name
        hint = "A policy's file ends in .toml or .py." if path else nearest(name, CATALOGUE).strip()
        raise PolicyError(
            f"no policy is called '{name}'.{f' {hint}' if hint else ''} "
            "`gin-sim policies list` shows all."
        )
    return CATALOGUE[name]


def shipped_policy(spec: str) -> Policy:
    """Return the policy that a shipped policy's spec names; :class:`PolicyError` if none."""
    read = read_spec(spec)
    kind = shipped_kind(read.place)
    return Policy(read.text, kind, read.values(kind.parameters, kind.defaults()))
