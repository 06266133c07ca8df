"""Equity tables kept between runs: the counted hands on disk, found again by what made them.

The counts are what takes time, and they are small; the table follows from them in under a second
and is solved anew.  A file is named by a hash of both policies with every parameter, the rules, the
size, the seed and the package's sources, so that nothing stale is found.  What cannot be read is
counted again, and so is all that somebody else could have written.
"""

from __future__ import annotations

import contextlib
import functools
import hashlib
import io
import json
import os
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np

from gin_sim.atomic import WriteError, write_bytes
from gin_sim.engine.compile_cache import make_folder, note, refusal
from gin_sim.engine.jit import cache_home, sources_hash
from gin_sim.engine.sources import are_as_imported
from gin_sim.payoff.equity import Equity, Results
from gin_sim.payoff.score import check_rules
from gin_sim.play.hand_results import GROUPS, ResultsPlan
from gin_sim.play.run import Played, simulate
from gin_sim.policies.contract import Policy
from gin_sim.rules import Rules

HANDS = 1_000_000
_UNUSED_DAYS = 30


def equity_between(
    play: Policy,
    against: Policy,
    rules: Rules,
    hands: int = HANDS,
    seed: int = 1,
    threads: int | None = None,
    keep: bool = True,
) -> Equity:
    """Return the equity table of two policies, its hands played or found on disk.

    Parameters
    ----------
    play, against : Policy
        Side 0, of whom everything is said, and side 1.
    rules : Rules
    hands : int
        An even number, at each score where the policies play differently.
    seed : int
    threads : int, optional
        All cores by default; the table does not depend on it.
    keep : bool
        Whether to look on disk, and to write there.

    Raises
    ------
    InputError
        See :class:`Equity`, :class:`ResultsPlan` and :func:`gin_sim.play.run.simulate`.
    """
    plan = plan_between(play, against, rules, hands, seed)
    results = kept_results(plan) if keep else None
    if results is None:
        results = results_of(simulate(plan, threads))
        if keep:
            keep_results(results)
    return Equity(results)


def plan_between(
    play: Policy, against: Policy, rules: Rules, hands: int = HANDS, seed: int = 1
) -> ResultsPlan:
    """Return the hands to count for a table.

    Raises
    ------
    InputError
        If no table can be made under the rules.
    """
    check_rules(rules)
    return ResultsPlan((play, against), rules, hands, seed)


def results_of(played: Played) -> Results:
    """Return what was counted of a plan."""
    plan, tally = played.plan, played.tally
    return Results(plan, np.array(tally[0].counts), plan.finished(tally), played.partial)


def place_of(plan: ResultsPlan) -> Path:
    """Return the file in which a plan's results are kept."""
    text = json.dumps(_described(plan), sort_keys=True)
    key = hashlib.sha256(text.encode()).hexdigest()[:32]
    return cache_home() / "equity" / f"{key}.npz"


def kept_results(plan: ResultsPlan) -> Results | None:
    """Return a plan's results from disk; None where there are none that are whole."""
    place = place_of(plan)
    if refusal(place.parent) or not are_as_imported() or not os.path.lexists(place):
        return None
    counts = _whole_counts(place, plan)
    if counts is None:
        note(f"The counted hands kept in {place.parent} are damaged: they are counted again.")
        return None
    with contextlib.suppress(OSError):
        os.utime(place)
    return Results(plan, counts, plan.hands)


def _whole_counts(place: Path, plan: ResultsPlan) -> np.ndarray | None:
    """Return the counts in a file; None if it cannot be read, or is not all of a plan's hands."""
    try:
        if not place.is_file():  # a pipe, say, would never end
            return None
        with place.open("rb") as file, np.load(file, allow_pickle=False) as kept:
            counts, text = kept["counts"], str(kept["about"])
        whole = json.loads(text) == _described(plan)
    except Exception:  # what a damaged file makes its reader raise may be anything
        return None
    expected = plan.new_tally()[0].counts
    n_hands = len(plan.standings.examples) * plan.hands
    if not whole or counts.shape != expected.shape or counts.dtype != expected.dtype:
        return None
    return counts if counts.min() >= 0 and counts.sum() == n_hands else None


def keep_results(results: Results) -> str:
    """Write results to disk, whole or not at all; return why not, or nothing.

    Results that are partial are not kept.  Files that nobody has used for a month are removed.
    """
    if results.partial:
        return ""
    place = place_of(results.plan)
    if not are_as_imported():
        return "The counted hands are not kept, since the package's files were changed meanwhile."
    if reason := refusal(place.parent):
        return f"The counted hands are not kept in {place.parent}, since {reason}."
    file = io.BytesIO()
    about = np.array(json.dumps(_described(results.plan)))
    np.savez_compressed(file, counts=results.counts, about=about)
    try:
        make_folder(place.parent)
        write_bytes(place, file.getvalue())
    except (OSError, WriteError) as error:
        reason = getattr(error, "reason", "") or getattr(error, "strerror", "") or error
        return f"The counted hands are not kept, since {place.parent} cannot be written ({reason})."
    _remove_unused(place.parent)
    return ""


def _remove_unused(folder: Path) -> None:
    oldest = time.time() - _UNUSED_DAYS * 86400
    for pattern in ("*.npz", ".*.part"):
        for file in folder.glob(pattern):
            with contextlib.suppress(OSError):  # another run may be removing it
                if file.stat().st_mtime < oldest:
                    file.unlink()


@functools.cache
def _once(hashed: Callable[[], str]) -> str:
    """Return a hash of files, read once: the code that runs is that of the first time."""
    return hashed()


def _described(plan: ResultsPlan) -> dict[str, Any]:
    """Return all that the counts depend on; names that a spec gives to the same play do not."""
    rules = plan.rules.as_dict()
    del rules["name"]
    return {
        "policies": [_unnamed(policy.as_dict()) for policy in plan.policies],
        "rules": rules,
        "hands": plan.hands,
        "seed": plan.seed,
        "groups": GROUPS,
        "sources": _once(sources_hash),
    }


def _unnamed(policy: dict[str, Any] | None) -> dict[str, Any] | None:
    if policy is None:
        return None
    kept = {name: value for name, value in policy.items() if name != "spec"}
    if "base" in kept:
        kept["base"] = _unnamed(kept["base"])
    return kept
