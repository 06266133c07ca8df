"""What a player has seen of a hand when it has to decide, followed exactly through a history.

Decided here: the pile, the stock, the known cards, whose turn it is, and whether the hand held
agrees with the acts.  Which hidden cards are likely is not asked.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from gin_sim.cards import FULL_DECK, HAND_SIZE, CardError, mask_of
from gin_sim.positions.history import (
    ME,
    NO_CARD,
    OPPONENT,
    PASS,
    STOCK,
    Act,
    History,
    PositionError,
    history_text,
    shown,
)
from gin_sim.positions.referee import Referee
from gin_sim.rules import Rules


class Seen(NamedTuple):
    """What follows from a position.  Cards are ids, sets of cards masks."""

    is_dealer: bool
    phase: int  # FIRST_OFFER, MUST_DRAW, TURN or AT_WALL of rules.py, as before the draw
    turn: int  # own turn number from 1
    opponent_turn: int  # turns that the opponent has finished
    n_turns: int  # finished turns of both; a pass is none
    n_passes: int
    upcard: int  # top of the pile; NO_CARD for none, or for one that is not remembered
    first_upcard: int  # NO_CARD where it is not known
    pile: tuple[int, ...]  # from the bottom, as far as remembered
    n_forgotten: int  # cards of the pile that are not remembered
    drawn: int  # the card just drawn or taken; NO_CARD before the draw
    barred: int  # the card that may not be discarded, as a mask
    known: int  # the opponent took these and holds them
    took: int  # the opponent took these at some time
    discarded: int  # the opponent discarded these
    refused: int  # the opponent left these on the pile
    unseen: int  # the stock, the opponent's hidden cards and forgotten cards of the pile
    stock_left: int  # cards
    n_hidden: int  # cards of the opponent that are not known


def seen_in_history(
    rules: Rules, hand: Sequence[int], history: History
) -> tuple[tuple[Act, ...], Seen]:
    """Follow a history to a decision.

    Parameters
    ----------
    rules : Rules
    hand : sequence of int
        Ten or eleven different card ids.
    history : History

    Returns
    -------
    acts : tuple of Act
        The history's, each taken card and the card just drawn named.
    seen : Seen

    Raises
    ------
    PositionError, CardError
        If it cannot have happened; the sentence names the turn and the card.
    """
    acts = _with_own_draw(history.acts, hand)
    has_drawn = len(hand) > HAND_SIZE
    n_before = len(acts) - has_drawn
    mover = ME if n_before % 2 == 0 else OPPONENT
    referee = Referee(rules, history.first_upcard, mover)
    referee.follow(acts[:n_before])
    if referee.ended:
        raise PositionError(
            f"the hand is over after '{history_text(acts[:n_before])}', since {referee.ended}: "
            "end the history earlier."
        )
    phase = referee.phase
    if has_drawn:
        referee.follow(acts[n_before:])
    is_dealer = mover == OPPONENT
    _check_hand(hand, referee, is_dealer)
    return tuple(referee.acts), _seen_by(referee, hand, phase, is_dealer)


def _seen_by(referee: Referee, hand: Sequence[int], phase: int, is_dealer: bool) -> Seen:
    """Return what follows once the referee has seen all acts; the phase is that before the draw."""
    pile = tuple(referee.pile)
    known = mask_of(referee.known[OPPONENT])
    return Seen(
        is_dealer=is_dealer,
        phase=phase,
        turn=len(referee.discarded[ME]) + 1,
        opponent_turn=len(referee.discarded[OPPONENT]),
        n_turns=referee.n_turns,
        n_passes=sum(act.kind == PASS for act in referee.acts),
        upcard=pile[-1] if pile else NO_CARD,
        first_upcard=referee.first_upcard,
        pile=pile,
        n_forgotten=0,
        drawn=referee.acts[-1].drawn if len(hand) > HAND_SIZE else NO_CARD,
        barred=1 << referee.barred if referee.barred != NO_CARD else 0,
        known=known,
        took=mask_of(referee.took[OPPONENT]),
        discarded=mask_of(referee.discarded[OPPONENT]),
        refused=mask_of(referee.refused[OPPONENT]),
        unseen=FULL_DECK & ~(mask_of(hand) | mask_of(pile) | known),
        stock_left=referee.stock_left,
        n_hidden=HAND_SIZE - len(referee.known[OPPONENT]),
    )


def _with_own_draw(acts: tuple[Act, ...], hand: Sequence[int]) -> tuple[Act, ...]:
    """Return acts whose last is the unfinished turn, its card named, if eleven cards are held."""
    for number, act in enumerate(acts[:-1], 1):
        if not act.is_finished:
            raise PositionError(
                f"turn {number} of the history, '{history_text([act])}', names no card discarded: "
                "only your own last turn may be unfinished, so write s/Qd, say."
            )
    unfinished = bool(acts) and not acts[-1].is_finished
    if len(hand) == HAND_SIZE:
        if unfinished:
            raise PositionError(
                f"the history ends with '{history_text(acts[-1:])}', a card drawn and none "
                f"discarded, and the hand has {HAND_SIZE} cards: give eleven, or leave that turn "
                "out."
            )
        return acts
    if not unfinished:
        return (*acts, Act(STOCK, hand[-1]))
    last = acts[-1]
    if last.kind == STOCK and last.drawn == NO_CARD:
        last = last._replace(drawn=hand[-1])
    return (*acts[:-1], last)


def _check_hand(hand: Sequence[int], referee: Referee, is_dealer: bool) -> None:
    for card in hand:
        if card in referee.pile:
            raise CardError(
                f"{shown(card)} is both in your hand and in the pile: correct the hand or the "
                "history."
            )
        if card in referee.known[OPPONENT]:
            raise CardError(
                f"{shown(card)} is in your hand, and by the history the opponent took it and still "
                "holds it: correct one of them."
            )
    if missing := referee.known[ME].difference(hand):
        card = min(missing)
        raise CardError(
            f"your hand has no {shown(card)}, which by the history you drew or took and have not "
            f"discarded, {'the opponent' if is_dealer else 'you'} being first to act as the turns "
            "end: correct the hand, or the number of turns."
        )
