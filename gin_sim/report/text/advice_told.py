"""Advice as plain values for JSON, as tables and as one line of a file's table.

What each figure rests on is decided in :mod:`gin_sim.advice`.
"""

from __future__ import annotations

import shlex
from typing import TYPE_CHECKING, Any

import msgspec

from gin_sim.advice.answer import (
    END_COLUMNS,
    ActionValue,
    Advice,
    Variant,
    Verdict,
    action_row,
    action_text,
)
from gin_sim.advice.explanation import Reasons
from gin_sim.belief.likelihood import ALIKE
from gin_sim.cards import card_names
from gin_sim.payoff.equity import Equity
from gin_sim.payoff.results import later_hands_of
from gin_sim.report.wording import estimate_object, number

if TYPE_CHECKING:
    import pandas as pd  # loaded only where a table is asked for: it takes half a second

#: What the command takes where nothing is said.
DEFAULTS = {"opponent": "strong", "play": "strong", "objective": "points"}

CONFIDENCE = 0.95


def command_of(advice: Advice) -> str:
    """Return the command that asks again about the position, against the same opponent."""
    words = ["gin-sim", "knock", *advice.position.arguments()]
    told = {"opponent": advice.opponent, "play": advice.player, "objective": advice.objective}
    for name, value in told.items():
        if value != DEFAULTS[name]:
            words += [f"--{name}", value]
    if advice.stray != ALIKE:
        words += ["--stray", stray_text(advice)]
    return shlex.join(words)


def stray_text(advice: Advice) -> str:
    """Return how often the opponent strays, as the command reads it."""
    return ",".join(f"{share:g}" for share in advice.stray)


def warnings(advice: Advice) -> list[str]:
    """Return what a reader has to know before trusting an answer, one sentence each."""
    found = []
    if not advice.knows_history:
        found.append(
            "The history is not known, so the opponent's hand is weighed by what was learned of "
            "its policy's hands at this turn; give --first and --history for a sharper belief."
        )
        found += _low_pile(advice)
    if advice.chains_disagree:
        lost = f", {advice.lost_chains} never found the likely hands" if advice.lost_chains else ""
        found.append(
            f"The {advice.chains + advice.lost_chains} independent chains of the belief disagree "
            f"(as good as {advice.agreement.effective:,.0f} independent worlds{lost}): the "
            "interval may be too narrow; give more --time, another --seed to compare, or an "
            "--opponent that is more like what was seen."
        )
    margin = advice.verdict.margin
    if margin is not None and not advice.is_precise:
        found.append(
            f"The interval is ±{margin.half_width:.2g}, not yet the ±{advice.precision:g} that "
            "was to be reached: give more --time, or a larger --worlds."
        )
    return found


def _low_pile(advice: Advice) -> list[str]:
    """Return a sentence if most turns so far must have taken the upcard, for a pile as given."""
    seen = advice.position.seen
    taken = seen.n_turns - (len(seen.pile) - 1)
    if not seen.pile or 2 * taken <= seen.n_turns:
        return []
    return [
        f"The pile of {len(seen.pile)} is read as all of it, so {taken} of the {seen.n_turns} "
        "turns before took the upcard; give every card of it from below, or leave --pile out."
    ]


def verdict_object(verdict: Verdict) -> dict[str, Any]:
    """Return a verdict for JSON; the margin is in the objective's unit, None without a choice."""
    return {
        "answer": verdict.answer,
        "action": action_text(verdict.action),
        "margin": None if verdict.margin is None else estimate_object(verdict.margin),
    }


def advice_json(advice: Advice) -> dict[str, Any]:
    """Return an answer as plain values.

    Values, differences and margins are in ``unit``, and their intervals are 95% ones; shares and
    chances are 0-1; deadwood and what is laid off are pips; timing stands under ``seconds`` alone.

    Returns
    -------
    dict
        ``position`` (the fields of :func:`gin_sim.positions.parse_position`) and ``command``, which
        give the position again; ``turn`` (own, from 1), ``dealer`` ("me" or "opponent"),
        ``verdict``; ``actions``, best first, each with ``value`` and ``difference`` to the best,
        ``chance_best``, ``ends`` (the shares of hands that end in each way), ``playouts`` (hands
        played) and ``finalist``; ``reasons``; ``opponents``, ``bonuses`` and ``scores``, each a
        list of verdicts with ``name`` and ``unit``; ``later_hands`` (which hands say what the game
        is worth, None for points of the hand); ``belief`` (what it rests on, worlds, how many
        independent ones they are as good as, chains, how often the opponent strays); ``warnings``.
    """
    return {
        "position": advice.position.as_dict(),
        "command": command_of(advice),
        "turn": advice.position.seen.turn,
        "dealer": "me" if advice.position.seen.is_dealer else "opponent",
        "knock_limit_pips": advice.position.knock_limit,
        "objective": advice.objective,
        "unit": advice.unit,
        "confidence": CONFIDENCE,
        "verdict": verdict_object(advice.verdict),
        "actions": [_action_object(value) for value in advice.actions],
        "reasons": _reasons_object(advice.reasons),
        **{
            name: [_variant_object(variant) for variant in getattr(advice, name)]
            for name in ("opponents", "bonuses", "scores")
        },
        "opponent": advice.opponent,
        "play": advice.player,
        "later_hands": None if advice.equity is None else _later_hands(advice.equity),
        "belief": _belief_object(advice),
        "rules": advice.position.rules.as_dict(),
        "seed": advice.seed,
        "precision": number(advice.precision),
        "is_precise": advice.is_precise,
        "warnings": warnings(advice),
        "partial": advice.partial,
        "seconds": {"all": round(advice.seconds, 3)},
    }


def _action_object(value: ActionValue) -> dict[str, Any]:
    return {
        "action": action_text(value.action),
        "deadwood_pips": value.deadwood,
        "value": estimate_object(value.value),
        "difference": estimate_object(value.difference),
        "chance_best": number(value.chance_best),
        "ends": {
            name: number(round(share, 6))
            for name, share in zip(END_COLUMNS, value.ends, strict=True)
        },
        "playouts": value.playouts,
        "finalist": value.finalist,
    }


def _reasons_object(reasons: Reasons) -> dict[str, Any]:
    return {
        "opponent_deadwood_pips": estimate_object(reasons.deadwood),
        "opponent_may_knock_chance": estimate_object(reasons.low_hand),
        "opponent_melds": [
            {"cards": card_names(meld), "chance": number(round(chance, 6))}
            for meld, chance in reasons.melds
        ],
        "opponent_cards": [
            {"card": card_names([card])[0], "chance": number(round(chance, 6))}
            for card, chance in reasons.cards
        ],
        "undercut_chance": None if reasons.undercut is None else estimate_object(reasons.undercut),
        "laid_off_pips": None if reasons.laid_off is None else estimate_object(reasons.laid_off),
        "gin_outs": card_names(reasons.outs),
        "gin_chance_in_draws": [number(round(chance, 6)) for chance in reasons.gin_chances],
    }


def _variant_object(variant: Variant) -> dict[str, Any]:
    return {"name": variant.name, **verdict_object(variant.verdict), "unit": variant.unit}


def _belief_object(advice: Advice) -> dict[str, Any]:
    return {
        "from": "history" if advice.knows_history else "learned weights",
        "opponent": advice.opponent,
        "stray_chances": advice.stray._asdict(),
        "belief_from": "history" if advice.knows_history else "learned weights",
        "worlds": advice.worlds,
        "effective_worlds": number(round(advice.agreement.effective, 1)),
        "chains": advice.chains,
        "lost_chains": advice.lost_chains,
        "chains_disagree": advice.chains_disagree,
    }


# ---------------------------------------------------------------------------------------------
# Tables


def advice_tables(advice: Advice) -> dict[str, pd.DataFrame]:
    """Return the tables of one answer by file name: ``actions`` and ``variants``."""
    import pandas as pd

    variants = [
        {"kind": kind, "name": variant.name, **_verdict_row(variant.verdict), "unit": variant.unit}
        for kind in ("opponents", "bonuses", "scores")
        for variant in getattr(advice, kind)
    ]
    actions = [{**action_row(value), "unit": advice.unit} for value in advice.actions]
    return {"actions": pd.DataFrame(actions), "variants": pd.DataFrame(variants)}


def _verdict_row(verdict: Verdict) -> dict[str, Any]:
    margin = verdict.margin
    return {
        "answer": verdict.answer,
        "action": action_text(verdict.action),
        "margin": None if margin is None else margin.estimate,
        "margin_low_95": None if margin is None else margin.low,
        "margin_high_95": None if margin is None else margin.high,
    }


def advice_row(line: int, advice: Advice) -> dict[str, Any]:
    """Return one answer as a row of a file's table; ``line`` is where the position stands."""
    best = advice.actions[0]
    undercut = advice.reasons.undercut
    return {
        "line": line,
        "hand": advice.position.as_dict()["hand"],
        "turn": advice.position.seen.turn,
        **_verdict_row(advice.verdict),
        "unit": advice.unit,
        "value": best.value.estimate,
        "value_low_95": best.value.low,
        "value_high_95": best.value.high,
        "chance_best": best.chance_best,
        "undercut_chance": None if undercut is None else undercut.estimate,
        "opponent_deadwood_pips": advice.reasons.deadwood.estimate,
        "belief_from": "history" if advice.knows_history else "learned weights",
        "worlds": advice.worlds,
        "effective_worlds": advice.agreement.effective,
        "chains_disagree": advice.chains_disagree,
        "is_precise": advice.is_precise,
        "partial": advice.partial,
        "command": command_of(advice),
    }


def _later_hands(equity: Equity) -> dict[str, Any]:
    return msgspec.to_builtins(later_hands_of(equity))
