"""What a player remembers of a hand, and what follows from it: the pile, the stock, known cards.

A history is followed act by act, and everything follows exactly.  A memory has a turn number and
the pile as it lies: what these cannot tell is left open, and the few guesses are stated where they
are made.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

from gin_sim.cards import FULL_DECK, HAND_SIZE, CardError, card_names, mask_of
from gin_sim.history import (
    ME,
    NO_CARD,
    OPPONENT,
    PASS,
    STOCK,
    Act,
    Follower,
    PositionError,
    counted,
    history_text,
    shown,
)
from gin_sim.rules import AT_WALL, FIRST_OFFER, TURN, Rules


@dataclass(frozen=True)
class History:
    """All that was done in the hand.

    Parameters
    ----------
    first_upcard : int
        Card id.
    acts : tuple of Act
        One a turn from the first player on; with eleven cards in hand the last is the unfinished
        turn of the player whose position it is.
    """

    first_upcard: int
    acts: tuple[Act, ...] = ()


@dataclass(frozen=True)
class Memory:
    """What is remembered of a hand whose acts are not.

    Parameters
    ----------
    turn : int
        Own turn number, from 1.
    pile : tuple of int or None
        The pile from the bottom, as it lies; None where it is not remembered.  Then each turn is
        taken to have left one card on it, but for the cards that the opponent took.
    took : tuple of int
        Cards that the opponent took from the pile; those not in the pile it still holds.
    discarded : tuple of int
        Which cards of the pile the opponent threw.
    is_dealer : bool or None
        Whether the player dealt.  None: it did if the pile is too high for a non-dealer.
    first_upcard : int
        NO_CARD where it is not told: then the pile's bottom card.
    """

    turn: int
    pile: tuple[int, ...] | None = None
    took: tuple[int, ...] = ()
    discarded: tuple[int, ...] = ()
    is_dealer: bool | None = None
    first_upcard: int = NO_CARD


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
    barred: int  # the card that may not be thrown, as a mask
    known: int  # the opponent took these and holds them
    took: int  # the opponent took these at some time
    threw: int  # the opponent threw these
    refused: int  # the opponent left these on the pile
    unseen: int  # the stock, the opponent's hidden cards and forgotten cards of the pile
    stock_left: int  # cards
    n_hidden: int  # cards of the opponent that are not known


# ---------------------------------------------------------------------------------------------
# A history


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
    follower = Follower(rules, history.first_upcard, mover)
    follower.follow(acts[:n_before])
    if follower.ended:
        raise PositionError(
            f"the hand is over after '{history_text(acts[:n_before])}', since {follower.ended}: "
            "end the history earlier."
        )
    phase = follower.phase
    if has_drawn:
        follower.follow(acts[n_before:])
    _check_hand(hand, follower)
    pile = tuple(follower.pile)
    known = mask_of(follower.known[OPPONENT])
    seen = Seen(
        is_dealer=mover == OPPONENT,
        phase=phase,
        turn=len(follower.threw[ME]) + 1,
        opponent_turn=len(follower.threw[OPPONENT]),
        n_turns=follower.n_turns,
        n_passes=sum(act.kind == PASS for act in acts),
        upcard=pile[-1] if pile else NO_CARD,
        first_upcard=history.first_upcard,
        pile=pile,
        n_forgotten=0,
        drawn=follower.acts[-1].drawn if has_drawn else NO_CARD,
        barred=1 << follower.barred if follower.barred != NO_CARD else 0,
        known=known,
        took=mask_of(follower.took[OPPONENT]),
        threw=mask_of(follower.threw[OPPONENT]),
        refused=mask_of(follower.refused[OPPONENT]),
        unseen=FULL_DECK & ~(mask_of(hand) | mask_of(pile) | known),
        stock_left=follower.stock_left,
        n_hidden=HAND_SIZE - len(follower.known[OPPONENT]),
    )
    return tuple(follower.acts), seen


def _with_own_draw(acts: tuple[Act, ...], hand: Sequence[int]) -> tuple[Act, ...]:
    """Return acts whose last is the unfinished turn, its card named, if eleven cards are held."""
    for number, act in enumerate(acts[:-1], 1):
        if not act.is_finished:
            raise PositionError(
                f"turn {number} of the history, '{history_text([act])}', names no card thrown: "
                "only your own last turn may be unfinished, so write s/Qd, say."
            )
    unfinished = bool(acts) and not acts[-1].is_finished
    if len(hand) == HAND_SIZE:
        if unfinished:
            raise PositionError(
                f"the history ends with '{history_text(acts[-1:])}', a card drawn and none thrown, "
                f"and the hand has {HAND_SIZE} cards: give eleven, or leave that turn out."
            )
        return acts
    if not unfinished:
        return (*acts, Act(STOCK, hand[-1]))
    last = acts[-1]
    if last.kind == STOCK and last.drawn == NO_CARD:
        last = last._replace(drawn=hand[-1])
    return (*acts[:-1], last)


def _check_hand(hand: Sequence[int], follower: Follower) -> None:
    for card in hand:
        if card in follower.pile:
            raise CardError(
                f"{shown(card)} is both in your hand and in the pile: correct the hand or the "
                "history."
            )
        if card in follower.known[OPPONENT]:
            raise CardError(
                f"{shown(card)} is in your hand, and by the history the opponent took it and still "
                "holds it: correct one of them."
            )
    if missing := follower.known[ME].difference(hand):
        card = min(missing)
        raise CardError(
            f"your hand has no {shown(card)}, which by the history you drew or took and have not "
            "thrown: correct one of them."
        )


# ---------------------------------------------------------------------------------------------
# A memory


def seen_in_memory(rules: Rules, hand: Sequence[int], memory: Memory) -> Seen:
    """Return what follows from a turn number and what is remembered of the pile.

    Parameters and errors as :func:`seen_in_history`.
    """
    _check_memory_cards(hand, memory)
    is_dealer, opponent_turn = _order(memory)
    n_before = _height(rules, hand, memory, opponent_turn)
    n_turns = memory.turn - 1 + opponent_turn
    pile = memory.pile or ()
    n_pile = n_before if memory.pile is None else len(pile)
    has_drawn = len(hand) > HAND_SIZE
    first_upcard = memory.first_upcard
    if first_upcard == NO_CARD and pile:
        first_upcard = pile[0]
    stock_before = 52 - 2 * HAND_SIZE - n_before
    known = mask_of(memory.took) & ~mask_of(pile)
    buried = mask_of(pile if has_drawn else pile[:-1])
    refused = 0
    if memory.discarded:
        refused = buried & ~mask_of(memory.discarded)
    elif pile and first_upcard == pile[0]:
        refused = buried & 1 << first_upcard
    return Seen(
        is_dealer=is_dealer,
        phase=_phase(rules, n_turns, stock_before, has_drawn),
        turn=memory.turn,
        opponent_turn=opponent_turn,
        n_turns=n_turns,
        n_passes=0,
        upcard=pile[-1] if pile else NO_CARD,
        first_upcard=first_upcard,
        pile=pile,
        n_forgotten=n_pile - len(pile),
        drawn=hand[-1] if has_drawn else NO_CARD,
        barred=0,
        known=known,
        took=mask_of(memory.took),
        threw=mask_of(memory.discarded),
        refused=refused,
        unseen=FULL_DECK & ~(mask_of(hand) | mask_of(pile) | known),
        stock_left=stock_before - has_drawn,
        n_hidden=HAND_SIZE - known.bit_count(),
    )


def _phase(rules: Rules, n_turns: int, stock_before: int, has_drawn: bool) -> int:
    if rules.first_upcard == "offered" and n_turns == 0 and not has_drawn:
        return FIRST_OFFER
    return AT_WALL if stock_before <= rules.stock_floor else TURN


def _check_memory_cards(hand: Sequence[int], memory: Memory) -> None:
    pile = memory.pile or ()
    for card in hand:
        if card in pile:
            raise CardError(
                f"{shown(card)} is both in your hand and in the pile: leave it out of one."
            )
        if card in memory.took:
            raise CardError(
                f"{shown(card)} is in your hand, and is named as taken by the opponent: leave it "
                "out of one."
            )
    for card in memory.discarded:
        if card not in pile:
            raise CardError(
                f"{shown(card)} is named as thrown by the opponent and does not lie in the pile: "
                "add it to the pile, or leave it out."
            )
    if memory.first_upcard != NO_CARD and memory.pile is not None:
        card = memory.first_upcard
        if card not in (*pile, *memory.took, *hand):
            raise CardError(
                f"the first upcard, {shown(card)}, is neither in the pile, nor in your hand, nor "
                "named as taken by the opponent: add it where it is."
            )
    known = [card for card in memory.took if card not in pile]
    if len(known) > HAND_SIZE:
        raise CardError(
            f"the opponent cannot hold {len(known)} cards that it took "
            f"({' '.join(card_names(known, symbols=True))}): name at most {HAND_SIZE}."
        )


def _order(memory: Memory) -> tuple[bool, int]:
    """Return whether the player dealt, and how many turns the opponent has finished.

    The opponent is a turn ahead if the player dealt, or if it took the first upcard that the
    player had passed.
    """
    is_dealer = memory.is_dealer
    if is_dealer is None:
        is_dealer = memory.pile is not None and len(memory.pile) > 2 * memory.turn - 1
    ahead = is_dealer or (memory.first_upcard != NO_CARD and memory.first_upcard in memory.took)
    return is_dealer, memory.turn - 1 + ahead


def _height(rules: Rules, hand: Sequence[int], memory: Memory, opponent_turn: int) -> int:
    """Return how many cards the pile had before the player's draw, or raise if it cannot be."""
    turn = memory.turn
    n_turns = turn - 1 + opponent_turn
    if n_turns >= rules.stall_turns or turn < 1:
        last = (rules.stall_turns + 1) // 2
        raise PositionError(
            f"the turn is {turn}, and under these rules a player's turns are numbered 1 to {last}: "
            "give your own turn's number."
        )
    n_taken = opponent_turn
    seen = f"before your turn {turn} it has had {counted(opponent_turn, 'turn')}"
    if memory.pile is not None:
        _check_height(rules, hand, memory.pile, turn, n_turns)
        if n_turns + 1 - len(memory.pile) < n_taken:
            n_taken = n_turns + 1 - len(memory.pile)
            seen = f"with {counted(len(memory.pile))} in the pile at turn {turn} at most {n_taken}"
            seen += f" {'was' if n_taken == 1 else 'were'} taken"
    for cards, did, most in (
        (memory.took, "taken", n_taken),
        (memory.discarded, "thrown", opponent_turn),
    ):
        if len(cards) > most:
            names = " ".join(card_names(cards, symbols=True))
            raise PositionError(
                f"{names} {'is' if len(cards) == 1 else 'are'} named as {did} by the opponent, and "
                f"{seen}: correct the cards or the turn."
            )
    if memory.pile is not None:
        return len(memory.pile)
    if len(hand) == HAND_SIZE:
        raise PositionError(
            "before the draw the upcard has to be known: name the pile from the bottom, its last "
            "card being the upcard, or give the first upcard and the history."
        )
    return min(max(1, n_turns + 1 - len(memory.took)), _most_in_pile(rules, hand))


def _check_height(
    rules: Rules, hand: Sequence[int], pile: Sequence[int], turn: int, n_turns: int
) -> None:
    if not pile:
        raise PositionError(
            "the pile is empty, which it never is before a draw: name its cards from the bottom, "
            "or leave it out."
        )
    if len(pile) > n_turns + 1:
        raise PositionError(
            f"the turn is {turn}, by when at most {counted(n_turns + 1)} can lie in the pile, and "
            f"{len(pile)} are given: correct the turn or the pile."
        )
    if len(pile) > _most_in_pile(rules, hand):
        raise PositionError(
            f"the pile has {counted(len(pile))}, and with so many the stock is used up and the "
            "hand over: correct the pile."
        )


def _most_in_pile(rules: Rules, hand: Sequence[int]) -> int:
    """Return how many cards the pile can have before a draw that is still to be decided on."""
    most = 52 - 2 * HAND_SIZE - rules.stock_floor - 1
    at_wall = rules.wall == "knock_upcard" and len(hand) == HAND_SIZE
    return most + at_wall
