"""What the results of many meetings share: objective, sample, stopping and intervals in words."""

from __future__ import annotations

import math
from typing import Any

from gin_sim.contests.estimates import Leads
from gin_sim.contests.stopping_rules import Watch
from gin_sim.play.plans import GAMES, OBJECTIVES, AnyPlan
from gin_sim.play.run import Played
from gin_sim.report.wording import (
    decimals_for,
    games_words,
    hands_words,
    interval_words,
    number,
)
from gin_sim.rules import Rules
from gin_sim.stats.intervals import Estimate


def objective_words(objective: str, rules: Rules) -> str:
    """Return what a result is judged by: "points per hand, 25 a box counted"."""
    if objective == "win":
        target = f"games to {rules.target}" if rules.target else "games of a hand"
        return f"{target} won less games lost, %"
    if objective == "points+boxes":
        return f"points per hand, {rules.box_bonus} a box counted"
    return "points per hand"


def sample_words(plan: AnyPlan, n_units: int) -> str:
    """Return how much was played: "1,000,000 hands in 500,000 mirrored pairs"."""
    size = n_units * plan.n_legs
    if plan.unit == GAMES:
        return games_words(size, n_units if plan.mirrored else None)
    return hands_words(size, n_units, plan.mirrored)


def lead_text(figure: Estimate, objective: str) -> str:
    """Return a lead with its sign and half-width: "+1.23 ±0.04"; in % of games for ``win``."""
    scaled, least = (figure.scaled(100), 1) if objective == "win" else (figure, 2)
    if math.isnan(scaled.low):
        return f"{scaled.estimate:+.{least}f}"
    decimals = decimals_for(scaled.half_width, least)
    return f"{scaled.estimate:+.{decimals}f} ±{scaled.half_width:.{decimals}f}"


def interval_text(figure: Estimate, objective: str = "points") -> str:
    """Return a lead with its interval: "+1.23 [+1.19, +1.27]"."""
    scaled, least = (figure.scaled(100), 1) if objective == "win" else (figure, 2)
    return interval_words(scaled, least)


def within_words(figures: list[Estimate], objective: str, more: str = "") -> list[str]:
    """Return the line below a matrix of leads that says how sure they are, if that is known."""
    if any(math.isnan(figure.half_width) for figure in figures):
        return ["  too few for intervals"]
    widest = max(figure.half_width for figure in figures) * (100 if objective == "win" else 1)
    return [f"  each within ±{widest:.{decimals_for(widest, 2)}f}{more}"]


def correction_words(leads: Leads, family: str, n_claims: int) -> str:
    """Return what "95% intervals" hold for, and how that is seen to.

    Parameters
    ----------
    leads : Leads
    family : str
        What holds at once: "all 6 differences".
    n_claims : int
        How many that are.
    """
    wins = leads.played.plan.objective == "win"
    if leads.watch is not None:
        if n_claims < 2:
            return "hold at every look (normal mixture)"
        return (
            f"hold for {family} at once and at every look (normal mixture, the 5% shared out among "
            "them)"
        )
    if n_claims < 2:
        return "are Wilson's" if wins else "are Student's t"
    form = ", in Wilson's form" if wins else ""
    return f"hold for {family} at once (greatest |t| of their joint distribution{form})"


def stopping_words(watch: Watch | None, played: Played, measure: str | None = None) -> list[str]:
    """Return what a stopping rule did, as lines; none without one.

    Parameters
    ----------
    watch : Watch or None
    played : Played
    measure : str, optional
        The unit of the figures, where it is not the objective's own.
    """
    if watch is None:
        return []
    plan = played.plan
    games = watch.objective == "win"
    scale, unit = (100, "% of games") if games else (1, measure or OBJECTIVES[watch.objective])
    if watch.sprt is None:
        asked = f"±{watch.until.half_width * scale:g} {unit}"
        if played.enough:
            return [f"Stopped once every interval was within {asked}."]
        size = f"{watch.look.n * plan.n_legs:,} {plan.unit}"
        if played.partial:
            return [f"Stopped before every interval was within {asked}, after {size}."]
        return [
            f"Not within {asked} after {size}: allow more with --{plan.unit}, or ask for less with "
            "--until."
        ]
    test = watch.sprt
    low, high = test.bounds
    d0, d1 = f"{test.d0 * scale:+g}", f"{test.d1 * scale:+g}"
    first, second, *_ = (policy.spec for policy in plan.policies)
    answer = {"d1": "Yes", "d0": "No", None: "Not decided"}[watch.decision]
    return [
        f"Does {first} lead {second} by {d1} {unit} rather than {d0}? {answer} (log likelihood "
        f"ratio {watch.llr:+.2f}, bounds {low:+.2f} and {high:+.2f}; either error has "
        f"{test.alpha:.0%})."
    ]


def stopped_lines(watch: Watch | None, played: Played) -> list[str]:
    """Return what two policies' simulation says of its stopping rule; none without one."""
    words = stopping_words(watch, played)
    if words:
        words.append(
            "Intervals of differences hold at every look (normal mixture); others are plain."
        )
    return words


def stopped_object(watch: Watch | None, enough: bool) -> dict[str, Any]:
    """Return a stopping rule as a member of a JSON object; nothing without one."""
    return {} if watch is None else {"stopping": stopping_object(watch, enough)}


def stopping_object(watch: Watch | None, enough: bool) -> dict[str, Any] | None:
    """Return a stopping rule and what it found for JSON; None without one."""
    if watch is None:
        return None
    if watch.sprt is None:
        return {"rule": "until", "half_width": watch.until.half_width, "reached": enough}
    test = watch.sprt
    return {
        "rule": "sprt",
        "d0": test.d0,
        "d1": test.d1,
        "alpha": test.alpha,
        "beta": test.beta,
        "llr": number(watch.llr),
        "bounds": list(test.bounds),
        "accepted": watch.decision,
    }


def study_object(leads: Leads, correction: str, verdict: str) -> dict[str, Any]:
    """Return what the JSON objects of many meetings share; timing stands under ``seconds``."""
    played = leads.played
    plan = played.plan
    n_units = leads.n_units
    size = n_units * plan.n_legs
    kind = "mirrored pairs" if plan.mirrored else "deals"
    if plan.unit == GAMES:
        kind = "mirrored pairs of games" if plan.mirrored else "games"
    return {
        "objective": plan.objective,
        "unit": OBJECTIVES[plan.objective],
        plan.unit: size,
        "units": n_units,
        "unit_name": kind,
        "sample": sample_words(plan, n_units),
        "mirrored": plan.mirrored,
        "seed": plan.seed,
        "rules": plan.rules.as_dict(),
        "one_pass": plan.one_pass,
        "confidence": 0.95,
        "correction": correction,
        "stopping": stopping_object(leads.watch, played.enough),
        "verdict": verdict,
        "partial": played.partial,
        "seconds": {
            "play": round(played.seconds, 3),
            "hands": int(played.tally[0].hands),
            "hands_per_second": round(int(played.tally[0].hands) / max(played.seconds, 1e-9)),
        },
    }


def footer(leads: Leads, intervals: list[str], measure: str | None = None) -> list[str]:
    """Return the last lines of a table: what stopped it, what the intervals say, seed and speed.

    Parameters
    ----------
    leads : Leads
    intervals : list of str
        What the intervals hold for.
    measure : str, optional
        The unit of the figures, where it is not the objective's own.
    """
    played = leads.played
    plan = played.plan
    n_hands = int(played.tally[0].hands)
    seconds = max(played.seconds, 1e-9)
    walked = "hands walked" if plan.one_pass else "hands"
    return [
        *stopping_words(leads.watch, played, measure),
        *intervals,
        f"seed {plan.seed} · {played.seconds:.2f} s · {n_hands / seconds / 1e6:.2f} M {walked}/s",
    ]
