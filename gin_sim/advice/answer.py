"""An answer put together: what was found about one position becomes the result that is reported.

Nothing is played here; what the figures rest on is in :mod:`contest`.
"""

from __future__ import annotations

import shlex
from typing import NamedTuple

from gin_sim.advice.contest import Effort, Question
from gin_sim.belief.deviation import ALIKE, Deviation
from gin_sim.belief.sampler import Agreement
from gin_sim.cards import by_rank, card_name, card_names, cards_of, mask_of
from gin_sim.engine.spread import best_arrangement
from gin_sim.payoff.equity import Equity
from gin_sim.payoff.results import later_hands_of
from gin_sim.policies.contract import Policy
from gin_sim.positions import History, Position
from gin_sim.results.actions import Variant
from gin_sim.results.advice import Advice, SeenCards
from gin_sim.results.belief import DeviationRates, HandReading
from gin_sim.results.common import Estimate
from gin_sim.results.objective import Unit, unit_of
from gin_sim.rules import FIRST_OFFER

#: What the command takes where nothing is said.
DEFAULTS = {"against": "strong", "play": "strong", "objective": "points"}

#: Chains disagree where the deviation between them is so many times what their worlds, were they
#: independent, would give (chains that agree pass it once in some 270 times), and the worlds
#: estimate the margin no better than so many independent ones.
_LARGEST_RATIO = 1.5
_FEW_EFFECTIVE = 100


class Asked(NamedTuple):
    """How a position is asked about.

    Parameters
    ----------
    play : Policy
        How the player plays after the action.
    against : Policy
        What the opponent is supposed to follow: its acts are read by it, and it plays by it.
    objective : str
        ``"points"`` of the hand; ``"points+boxes"``, the rules' box bonus for a hand won too;
        ``"win"``, the chance to win the game from the position's score, later hands played by the
        same two policies; or ``"stakes"``, the points settled at its end.
    effort : Effort
    deviation : Deviation
        How often the opponent deviates from its policy.
    seed : int
    """

    play: Policy
    against: Policy
    objective: str
    effort: Effort
    deviation: Deviation = ALIKE
    seed: int = 1


class Found(NamedTuple):
    """What was found beside the answer to the question itself.

    Parameters
    ----------
    opponents, bonuses, scores : list of Variant
    equity : Equity or None
        The table by which the game is judged; None for points of the hand.
    partial : bool
        Whether it was stopped before it was done.
    seconds : float
    """

    opponents: list[Variant]
    bonuses: list[Variant]
    scores: list[Variant]
    equity: Equity | None
    partial: bool
    seconds: float


def advice_of(question: Question, asked: Asked, found: Found) -> Advice:
    """Return the result of a question."""
    position, verdict = question.position, question.verdict()
    margin = verdict.margin
    precision = asked.effort.precision
    is_precise = margin is None or margin.half_width <= precision
    belief = _hand_reading(question, asked)
    unit = unit_of(asked.objective, at_a_score=True)
    warnings = _history_warnings(position) + _chain_warnings(belief)
    if not is_precise:
        warnings.append(_too_wide(margin, precision, unit))
    return Advice(
        rules=position.rules,
        seed=asked.seed,
        partial=found.partial,
        seconds={"all": round(found.seconds, 3)},
        objective=asked.objective,
        unit=unit.name,
        position=position.as_dict(),
        ask_again=_ask_again(position, asked),
        turn=position.seen.turn,
        dealer="me" if position.seen.is_dealer else "opponent",
        knock_limit=position.knock_limit,
        seen=_seen(position),
        play=asked.play.info(),
        against=asked.against.info(),
        verdict=verdict,
        actions=question.action_values(),
        reasons=question.reasons(),
        opponents=found.opponents,
        bonuses=found.bonuses,
        scores=found.scores,
        later_hands=None if found.equity is None else later_hands_of(found.equity),
        belief=belief,
        precision=precision,
        is_precise=is_precise,
        warnings=warnings,
    )


def _seen(position: Position) -> SeenCards:
    seen = position.seen
    held = mask_of(position.hand)
    melds = [by_rank(cards_of(meld)) for meld in best_arrangement(held)]
    melds.sort(key=lambda cards: cards[0] % 13)
    loose = held & ~mask_of(card for cards in melds for card in cards)
    before_draw = not position.must_discard
    return SeenCards(
        melds=[card_names(cards) for cards in melds],
        loose=card_names(by_rank(cards_of(loose))),
        drawn=card_name(seen.drawn) if position.must_discard else None,
        upcard=card_name(seen.upcard) if before_draw and seen.upcard >= 0 else None,
        is_first_offer=before_draw and seen.phase == FIRST_OFFER,
        opponent=card_names(by_rank(cards_of(seen.known))),
        score=position.score,
        boxes=position.boxes,
    )


def _hand_reading(question: Question, asked: Asked) -> HandReading:
    sampler = question.sampler
    agreement = question.agreement()
    knows_history = isinstance(question.position.past, History)
    return HandReading(
        source="history" if knows_history else "learned weights",
        deviation=DeviationRates(*asked.deviation),
        worlds=int(question.hands.size),
        effective_worlds=round(agreement.effective, 1),
        chains=sampler.n_chains,
        unconverged_chains=sampler.n_unconverged,
        chains_disagree=chains_disagree(agreement, sampler.n_unconverged),
    )


def chains_disagree(agreement: Agreement, n_unconverged: int) -> bool:
    """Return whether the chains differ so much that the interval may be too narrow.

    Chains are unconverged; or between them the margin's mean deviates by more than 1.5 times what
    the worlds within them would give if they were independent, and all worlds together estimate it
    no better than 100 independent ones.
    """
    differ = agreement.ratio > _LARGEST_RATIO and agreement.effective < _FEW_EFFECTIVE
    return n_unconverged > 0 or differ


def _ask_again(position: Position, asked: Asked) -> str:
    """Return the command that asks again about the position, against the same opponent."""
    words = ["gin-sim", "knock", *position.arguments()]
    options = {
        "against": asked.against.spec,
        "play": asked.play.spec,
        "objective": asked.objective,
    }
    for name, value in options.items():
        if value != DEFAULTS[name]:
            words += [f"--{name}", value]
    if asked.deviation != ALIKE:
        words += ["--deviation", ",".join(f"{rate:g}" for rate in asked.deviation)]
    return shlex.join(words)


# ---------------------------------------------------------------------------------------------
# Warnings


def _history_warnings(position: Position) -> list[str]:
    """Return what is known where the acts are not."""
    if isinstance(position.past, History):
        return []
    warnings = [
        "The history is not known, so the opponent's hand is guessed from hands that its policy "
        "held at this turn; give --first and --history for a sharper answer."
    ]
    seen = position.seen
    taken = seen.n_turns - (len(seen.pile) - 1)
    if seen.pile and 2 * taken > seen.n_turns:
        warnings.append(
            f"The {len(seen.pile)} cards of the pile are read as all of it, so {taken} of the "
            f"{seen.n_turns} turns before took the upcard; give every card of it, the bottom card "
            "first, or leave --pile out."
        )
    return warnings


def _chain_warnings(belief: HandReading) -> list[str]:
    if not belief.chains_disagree:
        return []
    n = belief.unconverged_chains
    also = f", {n} never found the likely hands" if n else ""
    return [
        f"The {belief.chains + n} independent chains disagree (as good as "
        f"{belief.effective_worlds:,.0f} independent deals{also}): the interval may be too narrow; "
        "give more --time, another --seed to compare, or an --against that fits the history "
        "better."
    ]


def _too_wide(margin: Estimate, precision: float, unit: Unit) -> str:
    return (
        f"The interval is ±{margin.half_width * unit.scale:.2g} {unit.shown}, and you asked for "
        f"±{precision * unit.scale:g}: give more --time, or a larger --worlds."
    )
