"""What follows from a turn number and the pile as it lies, where the acts are not remembered.

What does not follow is left open, and the few guesses are stated where they are made.  What
contradicts itself is refused.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from gin_sim.cards import FULL_DECK, HAND_SIZE, CardError, card_names, mask_of
from gin_sim.positions.history import NO_CARD, PositionError, shown
from gin_sim.positions.seen import Seen
from gin_sim.rules import AT_WALL, FIRST_OFFER, TURN, Rules
from gin_sim.words import counted


@dataclass(frozen=True)
class Memory:
    """What is remembered of a hand whose acts are not.

    Parameters
    ----------
    turn : int
        Own turn number, from 1.
    pile : tuple of int or None
        The pile from the bottom, as it lies; None where it is not remembered.  Then each turn is
        taken to have left one card on it, except for the cards that the opponent took.
    took : tuple of int
        Cards that the opponent took from the pile; those not in the pile it still holds.
    discarded : tuple of int
        Which cards of the pile the opponent discarded.
    is_dealer : bool or None
        Whether the player dealt.  None: it did if the pile is too high for a non-dealer.
    first_upcard : int
        NO_CARD where it is not given: then the pile's bottom card.
    """

    turn: int
    pile: tuple[int, ...] | None = None
    took: tuple[int, ...] = ()
    discarded: tuple[int, ...] = ()
    is_dealer: bool | None = None
    first_upcard: int = NO_CARD


def seen_in_memory(rules: Rules, hand: Sequence[int], memory: Memory) -> Seen:
    """Return what follows from a turn number and what is remembered of the pile.

    Parameters and errors as :func:`gin_sim.positions.seen.seen_in_history`.
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
        discarded=mask_of(memory.discarded),
        refused=_refused(rules, memory, first_upcard, n_turns, has_drawn),
        unseen=FULL_DECK & ~(mask_of(hand) | mask_of(pile) | known),
        stock_left=stock_before - has_drawn,
        n_hidden=HAND_SIZE - known.bit_count(),
    )


def _phase(rules: Rules, n_turns: int, stock_before: int, has_drawn: bool) -> int:
    if rules.first_upcard == "offered" and n_turns == 0 and not has_drawn:
        return FIRST_OFFER
    return AT_WALL if stock_before <= rules.stock_floor else TURN


def _refused(rules: Rules, memory: Memory, first_upcard: int, n_turns: int, has_drawn: bool) -> int:
    """Return which cards of the pile the opponent left there, as far as it is known.

    Those are the player's own discards that are buried, and the first upcard.  Own discards are
    known as such only where the opponent's are named.
    """
    pile = memory.pile or ()
    if not n_turns:
        both_passed = has_drawn and rules.first_upcard == "offered"
        return mask_of(pile) if both_passed else 0
    buried = mask_of(pile[:-1])
    if memory.discarded:
        return buried & ~mask_of(memory.discarded)
    return buried & (0 if first_upcard == NO_CARD else 1 << first_upcard)


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
                f"{shown(card)} is named as discarded by the opponent and does not lie in "
                "the pile: add it to the pile, or leave it out."
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
            lie = counted(len(memory.pile), "card")
            was = "was" if n_taken == 1 else "were"
            seen = f"with {lie} in the pile at turn {turn} at most {n_taken} {was} taken"
    for cards, did, most in (
        (memory.took, "taken", n_taken),
        (memory.discarded, "discarded", opponent_turn),
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
            f"the turn is {turn}, by when at most {counted(n_turns + 1, 'card')} can lie in the "
            f"pile, and {len(pile)} are given: correct the turn or the pile."
        )
    if len(pile) > _most_in_pile(rules, hand):
        raise PositionError(
            f"the pile has {counted(len(pile), 'card')}, and with so many the stock is used up and "
            "the hand over: correct the pile."
        )


def _most_in_pile(rules: Rules, hand: Sequence[int]) -> int:
    """Return how many cards the pile can have before a draw that is still to be decided on."""
    most = 52 - 2 * HAND_SIZE - rules.stock_floor - 1
    at_wall = rules.wall == "knock_upcard" and len(hand) == HAND_SIZE
    return most + at_wall
