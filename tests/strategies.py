"""Cards, hands, decks and positions for the engine's tests; it asserts nothing itself.

The oracle speaks of cards as texts and the engine of masks; both number the deck alike, spades,
hearts, diamonds, clubs and ace to king.  Hands come from pools of cards of several densities,
because a uniformly random hand seldom holds a meld, and almost never two that want one card.
"""

from __future__ import annotations

import random

import naive
import numpy as np
from hypothesis import strategies as st

from gin_sim.engine import rng
from gin_sim.engine import round as round_
from gin_sim.engine.deal import deal_hand, fix_places, shuffle_deck, stack_deck
from gin_sim.engine.table import NO_FAULT, OPEN, new_state
from gin_sim.play.loop import play_chunk, play_on
from gin_sim.play.start import Units
from gin_sim.play.tallies import new_deal, new_tally
from gin_sim.policies.catalogue import parse_policy
from gin_sim.policies.decide import chooses_discard, knocks, players_of, takes_upcard
from gin_sim.rules import AT_WALL, FIRST_OFFER, MUST_DRAW

#: Pools from sparse to dense; see :func:`pool_of`.
POOLS = ("uniform", "six ranks", "four ranks", "two suits", "suit and ranks")


def cards(text: str) -> frozenset[str]:
    """The oracle's hand of a text, spaces allowed."""
    return naive.hand_of(naive.cards_of(text.replace(" ", "")))


def card(text: str) -> int:
    """The id of one card."""
    return naive.DECK.index(text)


def mask(hand) -> int:
    """The mask of a text or of the oracle's cards."""
    return sum(1 << card(name) for name in (cards(hand) if isinstance(hand, str) else hand))


def names(hand: int) -> frozenset[str]:
    """The oracle's cards of a mask."""
    return frozenset(name for i, name in enumerate(naive.DECK) if int(hand) >> i & 1)


def pool_of(kind: str, chance: random.Random) -> list[str]:
    """Cards to draw hands from; neighbours in rank or suit, so that melds are common."""
    n_ranks = {"six ranks": 6, "four ranks": 4}.get(kind, 13)
    low = chance.randrange(14 - n_ranks)
    ranks = naive.RANKS[low : low + n_ranks]
    suits = chance.sample(naive.SUITS, 2) if kind == "two suits" else naive.SUITS
    if kind == "suit and ranks":
        # All of one suit, and three neighbouring ranks of the others.
        low = chance.randrange(11)
        suit = chance.choice(naive.SUITS)
        return [c for c in naive.DECK if c[1] == suit or c[0] in naive.RANKS[low : low + 3]]
    return [c for c in naive.DECK if c[0] in ranks and c[1] in suits]


def random_hand(kind: str, n_cards: int, chance: random.Random) -> frozenset[str]:
    """A hand from a pool of the kind."""
    return frozenset(chance.sample(pool_of(kind, chance), n_cards))


def melded_hand(n_cards, n_melds, chance: random.Random, taken=frozenset()) -> frozenset[str]:
    """A hand of disjoint melds of three or four cards, filled up with low loose cards.

    Parameters
    ----------
    taken : frozenset of str
        Cards that the hand may not use.
    """
    hand: frozenset[str] = frozenset()
    small = [meld for meld in naive.MELDS if len(meld) <= 4]
    for _ in range(n_melds):
        free = [meld for meld in small if not meld & (hand | taken)]
        if free:
            meld = chance.choice(free)
            if len(hand) + len(meld) <= n_cards:
                hand |= meld
    left = [name for name in naive.DECK if name not in hand | taken]
    left.sort(key=lambda name: naive.pips(name) + 6 * chance.random())
    return hand | frozenset(left[: n_cards - len(hand)])


@st.composite
def hands(draw, sizes=(10,)):
    """Hands of the given sizes, from a pool of any density; they shrink to low ranks and spades."""
    n_cards = draw(st.sampled_from(sizes))
    n_ranks = draw(st.sampled_from((4, 6, 13)))
    low = draw(st.integers(0, 13 - n_ranks))
    pool = [c for c in naive.DECK if c[0] in naive.RANKS[low : low + n_ranks]]
    return frozenset(
        draw(st.lists(st.sampled_from(pool), min_size=n_cards, max_size=n_cards, unique=True))
    )


def by_masks(spread) -> tuple[int, int]:
    """The set cards and run cards of the oracle's melds: what the engine calls a spread."""
    sets = [meld for meld in spread if meld in naive.SETS]
    runs = [meld for meld in spread if meld not in naive.SETS]
    return mask(frozenset().union(*sets)), mask(frozenset().union(*runs))


def deck_order(seat_0: str, seat_1: str, upcard: str, stock: str = "") -> np.ndarray:
    """A deck: both hands, the upcard and the stock from its top; missing cards follow in id order.

    An empty hand is filled with ten cards of the rest from its end, hand 0 first.
    """
    given = [card(name) for text in (seat_0, seat_1, upcard, stock) for name in _in_order(text)]
    assert len(given) == len(set(given)), "a card comes twice"
    rest = [i for i in range(52) if i not in given]
    order: list[int] = []
    for text in (seat_0, seat_1):
        hand = [card(name) for name in _in_order(text)]
        while len(hand) < 10:
            hand.append(rest.pop())
        order += hand
    order += [card(name) for text in (upcard, stock) for name in _in_order(text)] + rest
    assert sorted(order) == list(range(52))
    return np.array(order, dtype=np.int64)


def _in_order(text: str) -> tuple[str, ...]:
    return naive.cards_of(text.replace(" ", ""))


class Position:
    """A hand in play, one step of the engine at a time; the one place that knows their calls.

    Parameters
    ----------
    order : sequence of int
        The deck, see :func:`deck_order`.
    rules : RuleNumbers
    dealer : int
        Seat ``1 - dealer`` moves first.
    """

    def __init__(self, order, rules, dealer: int = 0) -> None:
        self.order = [int(i) for i in order]
        self.rules = rules
        self.tables, self.views = new_state()
        self.table = self.tables[0]
        stack_deck(self.table, np.array(self.order, dtype=np.int64))
        deal_hand(self.table, self.views, dealer, rules)
        self.steps: list[tuple] = []

    @property
    def mover(self) -> int:
        return int(self.table.mover)

    @property
    def view(self):
        return self.views[self.mover]

    @property
    def other(self):
        return self.views[1 - self.mover]

    @property
    def open(self) -> bool:
        return self.table.ending == OPEN

    def step(self, name: str, *arguments) -> None:
        """Take a step by name, as :func:`play` names them."""
        self.steps.append((name, *arguments))
        getattr(self, f"_{name}")(*arguments)

    def _pass(self):
        round_.pass_upcard(self.table, self.view, self.other)

    def _take(self):
        round_.take_upcard(self.view, self.other, self.rules)

    def _draw(self):
        round_.draw_stock(self.table, self.view, self.other)

    def _offer_big_gin(self):
        round_.offer_big_gin(self.view)

    def _big_gin(self):
        round_.big_gin(self.table, self.view, self.other, self.rules)

    def _discard(self, discarded: int):
        round_.discard_card(self.table, self.view, self.other, discarded)

    def _knock(self):
        round_.settle(self.table, self.view, self.other, self.rules)

    def _end_turn(self):
        round_.end_turn(self.table, self.view, self.other, self.rules)

    def _leave_wall(self, n_turns: int):
        round_.leave_wall(self.table, n_turns)

    def may_big_gin(self) -> bool:
        return bool(round_.may_big_gin(self.view, self.rules))

    def may_knock(self) -> bool:
        return bool(round_.may_knock(self.table, self.view))

    def may_knock_at_wall(self) -> bool:
        return bool(round_.may_knock_at_wall(self.table, self.view, self.rules))

    def discard_fault(self, discarded: int) -> int:
        return int(round_.discard_fault(self.view, discarded))

    def pass_both(self) -> Position:
        """Both refuse the first upcard."""
        self.step("pass")
        self.step("pass")
        return self

    def turn(self, draw: str, discarded: str | None = None) -> Position:
        """Take ("take") or draw ("draw"), discard a card (by default what was drawn), end."""
        self.step(draw)
        self.step("discard", int(self.view.drawn) if discarded is None else card(discarded))
        self.step("end_turn")
        return self

    def play_on(self, *specs: str, noise: int = 0) -> Position:
        """Let the play loop finish the hand; the specs are the policies of seats 0 and 1."""
        for seat in range(2):
            self.views[seat].noise = noise + seat
        play_on(self.table, self.views, self.rules, players(*specs), 0)
        return self


def players(*specs: str):
    """The play loop's form of two policies."""
    return players_of(tuple(map(parse_policy, specs)))


class Policies:
    """Answers for both seats by shipped policies, through the calls that the play loop makes."""

    def __init__(self, *specs: str) -> None:
        self.players = players(*specs)

    def takes(self, position: Position) -> bool:
        return bool(takes_upcard(self.players[position.mover], position.view))

    def discards(self, position: Position) -> int:
        return int(chooses_discard(self.players[position.mover], position.view))

    def knocks(self, position: Position) -> bool:
        return bool(knocks(self.players[position.mover], position.view))


def play(position: Position, answers, watch=lambda position, point: None) -> Position:
    """Play a hand to its end step by step, as the rules say it goes.

    Parameters
    ----------
    answers : Policies
        Or anything with its three methods.
    watch : callable
        Called as ``watch(position, point)`` before each decision, point being "draw", "big gin",
        "discard" or "knock", and once when the hand is "over".
    """
    table = position.table
    while position.open:
        n_turns = int(table.n_turns)
        at_wall = table.phase == AT_WALL
        watch(position, "draw")
        if at_wall:
            if not position.may_knock_at_wall():
                position.step("leave_wall", n_turns)
                break
            position.step("take")
        elif table.phase == MUST_DRAW:
            position.step("draw")
        elif answers.takes(position):
            position.step("take")
        elif table.phase == FIRST_OFFER:
            position.step("pass")
            continue
        else:
            position.step("draw")
        if position.may_big_gin():
            position.step("offer_big_gin")
            watch(position, "big gin")
            if answers.knocks(position):
                position.step("big_gin")
                break
        watch(position, "discard")
        discarded = answers.discards(position)
        assert position.discard_fault(discarded) == NO_FAULT
        position.step("discard", discarded)
        watch(position, "knock")
        if position.may_knock() and answers.knocks(position):
            position.step("knock")
        elif at_wall:
            position.step("leave_wall", n_turns)
        else:
            position.step("end_turn")
    watch(position, "over")
    return position


def replay(order, rules, dealer: int, steps) -> Position:
    """A hand with these steps taken, whatever its players would have wanted."""
    position = Position(order, rules, dealer)
    for step in steps:
        position.step(*step)
    return position


def shuffled(seed: int, deal_index: int) -> list[int]:
    """The whole deck of a deal."""
    tables, _ = new_state()
    shuffle_deck(tables[0], seed, deal_index)
    fix_places(tables[0], 52)
    return [int(i) for i in tables[0].deck]


def deal_of(seed: int, deal_index: int, rules) -> Position:
    """A deal as a simulation plays it, with the policies' randomness."""
    position = Position(shuffled(seed, deal_index), rules, deal_index & 1)
    for seat in range(2):
        position.views[seat].noise = rng.stream_key(seed, deal_index, rng.SEAT_STREAM + seat)
    return position


def tally_of(specs, rules, seed: int, n_deals: int, *, first: int = 0, n_legs: int = 2, tally=None):
    """The tally (a record array of length 1) of consecutive deals, played in one chunk."""
    tables, views = new_state()
    tally = new_tally() if tally is None else tally
    units = Units(seed, first, n_deals, n_legs)
    play_chunk(tables, views, new_deal(), tally, rules, players(*specs), units)
    return tally
