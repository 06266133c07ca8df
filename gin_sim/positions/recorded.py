"""Positions out of hand records: what a player knew at one of its turns, and the world it was in.

The turns of a record are taken as they are written; what the player saw is checked like any
position.
"""

from __future__ import annotations

from itertools import islice
from typing import Literal, NamedTuple

from gin_sim.cards import HAND_SIZE
from gin_sim.errors import InputError
from gin_sim.positions.history import NO_CARD, PASS, STOCK, UPCARD, Act, History, PositionError
from gin_sim.positions.position import Position
from gin_sim.records import CARD_IDS, HandRecord, Turn, read_records
from gin_sim.records.rows import source_name
from gin_sim.rules import Rules, parse_rules
from gin_sim.words import counted

_KINDS = {"pass": PASS, "stock": STOCK, "upcard": UPCARD}

#: When in a turn: at the offer of the first upcard, before the draw, or with a card to discard.
Moment = Literal["offer", "draw", "discard"]


class World(NamedTuple):
    """What a position hides, as card ids in order.

    Parameters
    ----------
    arrivals : tuple of int
        The opponent's ten cards as dealt, then its stock draws so far; those it has discarded
        since are there too.
    stock : tuple of int
        What is left of the stock, top first.
    """

    arrivals: tuple[int, ...]
    stock: tuple[int, ...]


def moments_of(record: HandRecord, player: int) -> list[tuple[int, Moment]]:
    """Return every decision of a player in a record, in order: own turn number and moment."""
    moments: list[tuple[int, Moment]] = []
    turn = 1
    for act in record.turns:
        if act.player != player:
            continue
        if act.draw == "pass":
            moments.append((turn, "offer"))
        else:
            moments += [(turn, "draw"), (turn, "discard")]
            turn += 1
    return moments


def position_of_record(
    record: HandRecord,
    player: int,
    turn: int,
    moment: Moment = "discard",
    *,
    rules: Rules | None = None,
    score: tuple[int, int] = (0, 0),
    boxes: tuple[int, int] | None = None,
) -> Position:
    """Return what a player of a recorded hand knew at one of its turns.

    Parameters
    ----------
    record : HandRecord
    player : int
        Seat, 0 or 1.
    turn : int
        The player's own turn number from 1; a pass is no turn.
    moment : {"offer", "draw", "discard"}
        Where it passed the first upcard (turn 1), before the draw, or with eleven cards.
    rules : Rules, optional
        The record's where not given.
    score, boxes : tuple of int
        Mine and theirs, which a record does not have.

    Raises
    ------
    InputError
        If the player has no such turn, or what it saw cannot have happened.
    """
    index = _index(record, player, turn, moment)
    hand = [CARD_IDS[card] for card in record.deal[player]]
    acts = []
    for number, act in enumerate(record.turns[:index], 1):
        mine = act.player == player
        if mine and act.draw != "pass":
            hand.append(_card(act.card, number))
            _discard(hand, act, number)
        acts.append(_act(act, mine))
    if moment == "discard":
        last = record.turns[index]
        hand.append(_card(last.card, index + 1))
        acts.append(_act(last, True)._replace(discarded=NO_CARD))
    return Position(
        parse_rules(record.rules) if rules is None else rules,
        tuple(hand),
        History(CARD_IDS[record.upcard], tuple(acts)),
        score,
        boxes,
    )


class Chosen(NamedTuple):
    """A position out of a file of hand records.

    Parameters
    ----------
    position : Position
    words : str
        A sentence that says which it is.
    """

    position: Position
    words: str


def position_in_records(
    path: str,
    hand: int = 1,
    turn: int | None = None,
    player: int | None = None,
    moment: Moment = "discard",
    *,
    rules: Rules | None = None,
    score: tuple[int, int] = (0, 0),
    boxes: tuple[int, int] | None = None,
) -> Chosen:
    """Return a position of a file of hand records.

    Parameters
    ----------
    path : str
        ``-`` is standard input.
    hand : int
        The record's number in the file, from 1, which is its line where none is blank.
    turn : int, optional
        Own turn number; the last by default.
    player : int, optional
        Seat; by default the one who knocked, else the one who acted last.
    moment, rules, score, boxes
        As for :func:`position_of_record`.

    Raises
    ------
    InputError
        If there is no such hand or turn, or what the player saw cannot have happened.
    """
    record = _record(path, hand)
    seat = _last_player(record) if player is None else player
    own_turns = sum(act.player == seat and act.draw != "pass" for act in record.turns)
    if moment == "offer":
        if turn not in (None, 1):
            raise InputError(
                f"--moment offer is before turn 1, and --turn is {turn}: leave --turn out, or give "
                "--moment draw."
            )
        turn = 1
    elif turn is None:
        turn = max(own_turns, 1)
    position = position_of_record(record, seat, turn, moment, rules=rules, score=score, boxes=boxes)
    who = f"seat {seat}, {record.players[seat]}"
    return Chosen(position, f"Hand {hand} of {source_name(path)}: {who}, own turn {turn}.")


def _record(path: str, number: int) -> HandRecord:
    found = next(islice(read_records(path), number - 1, number), None)
    if found is None:
        n = sum(1 for _ in read_records(path)) if path != "-" else number - 1
        raise InputError(
            f"hand {number} is asked for, and {source_name(path)} has {n}: give --hand 1 to {n}."
        )
    return found[1]


def _last_player(record: HandRecord) -> int:
    """Return who knocked; in a hand without a knock who acted last."""
    if record.end is not None and record.end.knocker is not None:
        return record.end.knocker
    return record.turns[-1].player if record.turns else 1 - record.dealer


def world_of_record(
    record: HandRecord, player: int, turn: int, moment: Moment = "discard"
) -> World:
    """Return what :func:`position_of_record` hides: the hand as it really was."""
    index = _index(record, player, turn, moment)
    before = record.turns[: index + (moment == "discard")]
    n_drawn = sum(act.draw == "stock" for act in before)
    theirs = [*record.deal[1 - player]]
    theirs += [act.card for act in before if act.player != player and act.draw == "stock"]
    return World(
        tuple(CARD_IDS[card] for card in theirs),
        tuple(CARD_IDS[card] for card in record.stock[n_drawn:]),
    )


def _index(record: HandRecord, player: int, turn: int, moment: Moment) -> int:
    """Return the index of the turn that is asked for."""
    own = 0
    for index, act in enumerate(record.turns):
        if act.player != player:
            continue
        if act.draw == "pass":
            if moment == "offer" and turn == 1:
                return index
            continue
        own += 1
        if own == turn and moment != "offer":
            return index
    if moment == "offer":
        raise PositionError(
            f"seat {player} passed no first upcard at turn {turn}: ask for the draw or the discard."
        )
    raise PositionError(
        f"seat {player} has {counted(own, 'turn')} in the record, and turn {turn} is asked for: "
        f"{f'give 1 to {own}' if own else 'ask for the other player'}."
    )


def _act(act: Turn, mine: bool) -> Act:
    names_draw = act.draw == "upcard" or (mine and act.draw == "stock")
    return Act(
        _KINDS[act.draw],
        CARD_IDS[act.card] if names_draw and act.card else NO_CARD,
        CARD_IDS[act.discard] if act.discard else NO_CARD,
    )


def _card(card: str | None, number: int) -> int:
    if card is None:
        raise PositionError(
            f"turn {number} of the record names no card drawn, and a position needs it: use a "
            "record that names what was drawn."
        )
    return CARD_IDS[card]


def _discard(hand: list[int], act: Turn, number: int) -> None:
    card = NO_CARD if act.discard is None else CARD_IDS[act.discard]
    if card not in hand:
        raise PositionError(
            f"turn {number} of the record: seat {act.player} discards {act.discard or 'no card'}, "
            f"which is none of its {HAND_SIZE + 1} cards: `gin-sim replay` checks a record."
        )
    hand.remove(card)
