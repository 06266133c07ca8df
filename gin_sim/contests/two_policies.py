"""The fields that results of two policies' hands and of their games have alike."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from gin_sim.contests.stopping_rules import Watch, stopping_of
from gin_sim.play.run import Played
from gin_sim.results.common import Estimate
from gin_sim.results.two_policies import Difference


def shared_fields(
    played: Played, watch: Watch | None, n_units: int, counts: Mapping[str, int]
) -> dict[str, Any]:
    """Return the fields of a :class:`gin_sim.results.two_policies.OfTwoPolicies`, no verdict yet.

    Parameters
    ----------
    played : Played
    watch : Watch or None
        The stopping rule that it was played with.
    n_units : int
        What the intervals count: mirrored pairs, where seats are swapped.
    counts : mapping of str to int
        What was played, by noun: "hands", and "games" for whole games.
    """
    plan = played.plan
    seconds = max(played.seconds, 1e-9)
    speeds = {f"{noun}_per_second": float(round(n / seconds)) for noun, n in counts.items()}
    return {
        "rules": plan.rules,
        "seed": plan.seed,
        "partial": played.partial,
        "seconds": {"play": round(played.seconds, 3), **speeds},
        "policies": (plan.policies[0].info(), plan.policies[1].info()),
        "hands": counts["hands"],
        "pairs": n_units if plan.mirrored else None,
        "mirrored": plan.mirrored,
        "verdict": "",
        "stopping": stopping_of(watch, played.enough),
    }


def difference_of(figure: Estimate, saved: float | None, **more: Any) -> Difference:
    """Return a lead with what mirroring saved, None where nothing is mirrored."""
    return Difference(figure.estimate, figure.low, figure.high, variance_reduction=saved, **more)
