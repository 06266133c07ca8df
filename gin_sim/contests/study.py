"""What the results of many meetings say of themselves: how much was played, and how sure it is."""

from __future__ import annotations

from typing import Any

from gin_sim.contests.estimates import Leads
from gin_sim.contests.stopping_rules import stopping_of
from gin_sim.payoff.payoff import PriceTable
from gin_sim.play.plans import GAMES
from gin_sim.results.common import Estimate
from gin_sim.results.objective import Unit, unit_of


def unit_for(prices: PriceTable | None) -> Unit:
    """Return the unit of meetings' figures: of hands as they are priced, or of whole games."""
    if prices is None:
        return unit_of("win")
    return unit_of(prices.objective, at_a_score=prices.state is not None)


def in_data(figure: Estimate, prices: PriceTable | None, unit: Unit) -> Estimate:
    """Return a figure as results give it: prices are in percent where the unit is shown so."""
    return figure if prices is None or unit.scale == 1 else figure.scaled(1 / unit.scale)


def study_fields(
    leads: Leads, family: str, n_claims: int, prices: PriceTable | None
) -> dict[str, Any]:
    """Return the fields of a :class:`gin_sim.results.study.Study`, except for its verdict.

    Parameters
    ----------
    leads : Leads
    family : str
        What holds at once: "all 6 differences".
    n_claims : int
        How many that are.
    prices : PriceTable or None
        What single hands are priced by; None for whole games.
    """
    played = leads.played
    plan = played.plan
    unit = unit_for(prices)
    size = leads.n_units * plan.n_legs
    n_hands = int(played.tally[0].hands)
    scale = 1 if prices is None else 1 / unit.scale
    return {
        "rules": plan.rules,
        "seed": plan.seed,
        "partial": played.partial,
        "seconds": {
            "play": round(played.seconds, 3),
            "hands_per_second": float(round(n_hands / max(played.seconds, 1e-9))),
        },
        "objective": "win" if prices is None else prices.objective,
        "unit": unit.name,
        "hands": None if plan.unit == GAMES else size,
        "games": size if plan.unit == GAMES else None,
        "units": leads.n_units,
        "mirrored": plan.mirrored,
        "one_pass": plan.one_pass,
        "hands_played": n_hands,
        "correction": _correction(leads, family, n_claims),
        "stopping": stopping_of(leads.watch, played.enough, unit.name, scale),
    }


def _correction(leads: Leads, family: str, n_claims: int) -> str:
    """Return what "95% intervals" hold for, and how that is seen to."""
    wins = leads.played.plan.unit == GAMES
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
