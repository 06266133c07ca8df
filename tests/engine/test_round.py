"""The round: every step conserves the cards, shows no more than it may, and is legal.

A hand is played twice: by the play loop, and step by step from here, where each step is watched.
The oracle's referee, which knows the rules but not the engine, judges the steps.
"""

from __future__ import annotations

import random
from collections import Counter
from functools import cache
from itertools import pairwise
from pathlib import Path

import naive
import numpy as np
import pytest
from numba import config
from strategies import (
    Policies,
    Position,
    card,
    cards,
    deal_of,
    deck_order,
    mask,
    names,
    play,
    players,
    replay,
    shuffled,
    tally_of,
)

from gin_sim.engine.deadwood import best_discards, least_deadwood
from gin_sim.engine.deal import deal_hand
from gin_sim.engine.spread import layoffs_in_order, melds_of
from gin_sim.engine.table import (
    CARD_BARRED,
    CARD_NOT_HELD,
    NO_DECISION,
    NO_FAULT,
    OPEN,
    new_state,
    rule_record,
)
from gin_sim.engine.view import FROM_STOCK, look_at_upcard, unseen_cards
from gin_sim.play import tallies
from gin_sim.play.loop import play_leg, start_deal
from gin_sim.policies.catalogue import CATALOGUE
from gin_sim.rules import (
    AT_WALL,
    BIG_GIN,
    FIRST_OFFER,
    GIN,
    KNOCK,
    MUST_DRAW,
    OUTCOME_NAMES,
    PRESETS,
    STALLED,
    TURN,
    UNDERCUT,
    WASH,
    hand_points,
    outcome_of,
    parse_rules,
)

EXAMPLES = [str(path) for path in (Path(__file__).parents[1] / "data" / "policies").iterdir()]
STANDARD = rule_record(PRESETS["standard"])
OPENSPIEL = rule_record(PRESETS["openspiel"])
PAIRS = (
    ("greedy", "simple"),
    ("random", "random"),
    ("random", "greedy:knock=3"),
    ("greedy:knock=0", "simple"),
)
#: Rule sets that turn every switch of a hand, with the oracle's form of each.
VARIANTS = {
    **{name: naive.PRESETS[name] for name in naive.PRESETS},
    "standard:stock_floor=20,layoff_on_gin=yes": {"stock_floor": 20, "layoff_on_gin": True},
    "standard:stall_turns=9": {"stall_turns": 9},
    "standard:first_upcard=none,may_discard_taken=yes": {
        "first_upcard": "none",
        "may_discard_taken": True,
    },
    "oklahoma:ace_upcard=one,tie=zero": naive.PRESETS["oklahoma"]
    | {"ace_upcard": "one", "tie": "zero"},
    "openspiel:stock_floor=24,stall_turns=7": naive.PRESETS["openspiel"]
    | {"stock_floor": 24, "stall_turns": 7},
    "standard:stock_floor=0,knock_limit=0": {"stock_floor": 0, "knock_limit": 0},
}


def numbers_of(spec):
    return rule_record(parse_rules(spec))


@pytest.fixture
def n_hands(some):
    """How many hands to play of so many: still fewer where the engine is interpreted."""
    return lambda n: max(some(n) // 2, 2) if config.DISABLE_JIT else some(n)


# ---------------------------------------------------- what every step keeps


def check_cards(position, point):
    """Hands, pile and stock are the deck, each card once."""
    table, views = position.table, position.views
    stock = [int(i) for i in table.deck[int(table.next_place) :]]
    pile = [int(i) for i in views[0].pile[: int(views[0].n_pile)]]
    held = [i for seat in range(2) for i in range(52) if int(views[seat].hand) >> i & 1]
    assert sorted(stock + pile + held) == list(range(52))
    sizes = [int(views[seat].hand).bit_count() for seat in range(2)]
    big_gin = point == "over" and table.ending == BIG_GIN
    mover_holds = 11 if point in ("discard", "big gin") or big_gin else 10
    assert sizes[position.mover] == mover_holds
    assert sizes[1 - position.mover] == 10


class Seen:
    """What each seat saw, kept apart from the engine: a view must say this and nothing else."""

    def __init__(self, position):
        self.n_steps = 0
        self.rules = position.rules
        self.dealer = int(position.table.dealer)
        order = position.order
        self.hands = [set(order[:10]), set(order[10:20])]
        self.pile = [order[20]]
        self.stock = order[21:]
        self.first_offer = bool(position.rules.offers_first_upcard)
        self.n_passes = 0
        self.drew: list[list[int]] = [[], []]  # by seat and turn, as the owner knows it
        self.took: list[set] = [set(), set()]
        self.known: list[set] = [set(), set()]  # taken and still held, by its holder
        self.refused: list[set] = [set(), set()]
        self.discarded: list[list[int]] = [[], []]
        self.from_pile: list[list[bool]] = [[], []]
        self.n_finished = [0, 0]
        self.drawn: int | None = None
        self.big_gin_offered = False
        self.mover = 1 - self.dealer

    def __call__(self, position, point):
        for step in position.steps[self.n_steps :]:
            self.follow(*step)
        self.n_steps = len(position.steps)
        if point != "over":
            assert self.mover == position.mover
            for seat in range(2):
                self.check(position.views[seat], seat)

    def follow(self, name, *arguments):
        seat = self.mover
        if name == "pass":
            self.refused[seat].add(self.pile[-1])
            self.n_passes += 1
            self.first_offer = self.n_passes < 2
            self.mover = 1 - seat
        elif name in ("take", "draw"):
            if name == "take":
                self.drawn = self.pile.pop()
                self.took[seat].add(self.drawn)
                self.known[seat].add(self.drawn)
                self.first_offer = False
            else:
                self.drawn = self.stock.pop(0)
                if self.pile:
                    self.refused[seat].add(self.pile[-1])
            self.from_pile[seat].append(name == "take")
            self.drew[seat].append(self.drawn)
            self.hands[seat].add(self.drawn)
        elif name == "offer_big_gin":
            self.big_gin_offered = True
        elif name == "discard":
            self.hands[seat].remove(arguments[0])
            self.known[seat].discard(arguments[0])
            self.pile.append(arguments[0])
            self.discarded[seat].append(arguments[0])
            self.drawn = None
            self.big_gin_offered = False
        elif name == "end_turn":
            self.n_finished[seat] += 1
            self.mover = 1 - seat

    def check(self, view, seat):
        other = 1 - seat
        moving = seat == self.mover
        drawn = self.drawn if moving else None
        assert view.hand == bits(self.hands[seat])
        assert view.drawn == (-1 if drawn is None else drawn)
        barred = drawn is not None and self.from_pile[seat][-1] and not self.rules.may_discard_taken
        assert view.barred == (1 << drawn if barred else 0)
        if drawn is not None:
            best = best_discards(view.hand, view.barred)
            assert (view.best_deadwood, view.best_discards) == best
        if drawn is None:
            assert view.deadwood == least_deadwood(bits(self.hands[seat]))
        elif self.big_gin_offered:
            assert view.deadwood == 0
        else:
            assert view.deadwood == least_deadwood(bits(self.hands[seat] - {drawn}))
        assert view.upcard == (self.pile[-1] if self.pile else -1)
        assert view.pile_cards == bits(self.pile)
        assert list(view.pile[: int(view.n_pile)]) == self.pile
        assert view.stock_left == len(self.stock)
        assert view.turn == self.n_finished[seat] + 1
        assert view.first_offer == self.first_offer
        assert view.is_dealer == (seat == self.dealer)
        assert view.shown == bits(self.known[seat])
        assert view.opponent_known == bits(self.known[other])
        assert view.opponent_took == bits(self.took[other])
        assert view.opponent_refused == bits(self.refused[other])
        assert view.opponent_discards == bits(self.discarded[other])
        assert view.opponent_turn == self.n_finished[other]
        shown = [
            at if taken else FROM_STOCK
            for at, taken in zip(self.drew[other], self.from_pile[other], strict=True)
        ]
        for field, expected in (
            ("own_drawn", self.drew[seat]),
            ("own_discards", self.discarded[seat]),
            ("opponent_drew", shown),
            ("opponent_discards_in_order", self.discarded[other]),
        ):
            assert list(view[field][1 : len(expected) + 1]) == expected, field
        unseen = bits(self.stock) | bits(self.hands[other] - self.known[other])
        assert unseen_cards(view) == unseen
        bonuses = ("gin_bonus", "big_gin_bonus", "undercut_bonus", "box_bonus")
        for field in (*bonuses, "target", "boxes_at_once"):
            assert view[field] == getattr(self.rules, field)


def bits(ids) -> int:
    return sum(1 << int(i) for i in set(ids))


def check_looks(position):
    """A look at the upcard, which the view keeps, is of this upcard and of this hand."""
    for view in position.views:
        if view.upcard >= 0:
            upcard = 1 << int(view.upcard)
            least, _ = best_discards(int(view.hand) | upcard, upcard)
            for _ in range(2):
                assert look_at_upcard(view) == least


@pytest.mark.long
@pytest.mark.jitless
@pytest.mark.parametrize("specs", PAIRS, ids=" ".join)
@pytest.mark.parametrize("spec", ["standard", "openspiel", "oklahoma:first_upcard=none", "palace"])
def test_cards_are_conserved_and_views_show_what_was_seen(spec, specs, n_hands):
    rules = numbers_of(spec)
    for deal_index in range(n_hands(20)):
        position = deal_of(3, deal_index, rules)
        seen = Seen(position)

        def watch(position, point, seen=seen):
            check_cards(position, point)
            seen(position, point)
            if point == "draw":
                check_looks(position)

        play(position, Policies(*specs), watch)


# ------------------------------------------------------------- the referee


def record_of(position) -> dict:
    """A played hand as a record for the referee; see the oracle for its form."""
    table, order = position.table, [naive.DECK[i] for i in position.order]
    turns = []
    mover = 1 - int(table.dealer)
    next_place = 21
    pile = [order[20]]
    for name, *arguments in position.steps:
        if name == "pass":
            turns.append({"player": mover, "draw": "pass"})
            mover = 1 - mover
        elif name == "take":
            turns.append({"player": mover, "draw": "upcard", "card": pile.pop()})
        elif name == "draw":
            turns.append({"player": mover, "draw": "stock", "card": order[next_place]})
            next_place += 1
        elif name == "discard":
            turns[-1]["discard"] = naive.DECK[arguments[0]]
            pile.append(naive.DECK[arguments[0]])
        elif name in ("knock", "big_gin"):
            turns[-1][name] = True
        elif name == "end_turn":
            mover = 1 - mover
        elif name == "leave_wall" and len(turns) > int(table.n_turns) + int(table.n_passes):
            turns.pop()  # tried, and given up
    return {
        "dealer": int(table.dealer),
        "deal": [order[:10], order[10:20]],
        "upcard": order[20],
        "stock": order[21:],
        "turns": turns,
        "end": end_of(position),
    }


def end_of(position) -> dict:
    table, rules = position.table, position.rules
    ending = int(table.ending)
    if ending in (WASH, STALLED):
        return {"kind": "wash", "points": [0, 0]}
    knocker, defender = int(table.knocker), 1 - int(table.knocker)
    ours, theirs = int(table.knocker_deadwood), int(table.defender_deadwood)
    outcome = outcome_of(ending, ours, theirs, rules)
    points = hand_points(outcome, ours, theirs, int(table.first_upcard), rules)
    melds = melds_of(table.spread_sets, table.spread_runs)
    knocker_hand = names(position.views[knocker].hand)
    stayed = names(int(position.views[defender].hand) & ~int(table.laid_off))
    own_melds = naive.arrangements(stayed)[0]
    by_seat = [0, 0]
    by_seat[knocker if points > 0 else defender] = abs(points)
    return {
        "kind": OUTCOME_NAMES[outcome],
        "knocker": knocker,
        "knocker_melds": [sorted(names(meld)) for meld in melds],
        "knocker_deadwood": sorted(knocker_hand - names(sum(melds))),
        "defender_melds": [sorted(meld) for meld in own_melds],
        "layoffs": [(naive.DECK[i], index) for i, index in layoffs_in_order(melds, table.laid_off)],
        "defender_deadwood": sorted(naive.loose(stayed, own_melds)),
        "points": by_seat,
    }


@cache
def hand_of(spec, specs, deal_index) -> Position:
    """A hand played step by step to its end."""
    return play(deal_of(5, deal_index, numbers_of(spec)), Policies(*specs))


@pytest.mark.long
@pytest.mark.parametrize("specs", PAIRS, ids=" ".join)
@pytest.mark.parametrize("spec", VARIANTS)
def test_the_referee_finds_every_hand_legal(spec, specs, some):
    """And the play loop plays the very same hand."""
    rules, oracle_rules = numbers_of(spec), naive.STANDARD | VARIANTS[spec]
    tables, views = new_state()
    for deal_index in range(some(10)):
        position = hand_of(spec, specs, deal_index)
        assert naive.referee(record_of(position), oracle_rules) is None, deal_index
        start_deal(tables[0], views, 5, deal_index)
        play_leg(tables[0], views, rules, players(*specs), deal_index, 0)
        assert facts_of(tables[0]) == facts_of(position.table)
        for seat in range(2):
            assert views[seat].hand == position.views[seat].hand


def facts_of(table) -> dict:
    """Everything of a table but its deck, which is fixed only as far as it was needed."""
    ignored = ("deck", "deck_key", "n_shuffled")
    return {n: np.asarray(table[n]).tolist() for n in table.dtype.names if n not in ignored}


def test_the_referees_hands_come_to_every_end(some):
    """Or the test above would say little."""
    ends = Counter()
    for spec in VARIANTS:
        for specs in PAIRS:
            for deal_index in range(some(10)):
                position = hand_of(spec, specs, deal_index)
                table = position.table
                outcome = outcome_of(
                    table.ending, table.knocker_deadwood, table.defender_deadwood, position.rules
                )
                ends[OUTCOME_NAMES[outcome]] += 1
                ends["at the wall"] += table.phase == AT_WALL
                ends["layoffs"] += table.laid_off != 0
    for end in (*OUTCOME_NAMES, "at the wall", "layoffs"):
        assert ends[end] >= (1 if end == "big_gin" else some(5)), ends


# ----------------------------------------------- what a decision cannot know


@pytest.mark.jitless
def test_a_deal_forgets_the_hand_before_it(n_hands):
    """The two legs of a pair share a deck: what the first left would tell the second its stock."""
    tables, views = new_state()
    fresh_tables, fresh_views = new_state()
    seated = players("random", "random")
    for deal_index in range(n_hands(20)):
        for state in ((tables, views), (fresh_tables, fresh_views)):
            start_deal(state[0][0], state[1], 8, deal_index)
        for leg in range(2):
            play_leg(tables[0], views, STANDARD, seated, deal_index, leg)
            deal_hand(tables[0], views, 0, STANDARD)
            deal_hand(fresh_tables[0], fresh_views, 0, STANDARD)
            assert views.tobytes() == fresh_views.tobytes()
            fresh_views[:] = 0
            for seat in range(2):
                fresh_views[seat].noise = views[seat].noise


@pytest.mark.long
@pytest.mark.jitless
@pytest.mark.parametrize("specs", PAIRS, ids=" ".join)
def test_unseen_cards_never_change_a_view_or_a_decision(specs, n_hands):
    """Shuffle what the mover has not seen, replay the hand, and it sees the very same.

    The opponent's hidden cards and the stock change places from the deal on, and every step that
    was taken is taken again, so that the whole history is one that the mover could not tell apart.
    """
    chance = random.Random(5)
    everyone = [Policies(s, s) for s in (*CATALOGUE, "greedy:knock=2", *EXAMPLES)]
    points = Counter()
    changed = 0
    for deal_index in range(n_hands(40)):
        rules = OPENSPIEL if deal_index % 4 == 3 else STANDARD
        played = play(deal_of(6, deal_index, rules), Policies(*specs))
        dealer = deal_index & 1
        steps = played.steps
        for n_steps in chance.sample(range(len(steps)), min(8, len(steps))):
            here = replay(played.order, rules, dealer, steps[:n_steps])
            mover = here.mover
            hidden = int(here.other.hand) & ~int(here.view.opponent_known)
            unseen = [i for i in range(52) if hidden >> i & 1]
            unseen += here.order[int(here.table.next_place) :]
            renamed = dict(zip(unseen, chance.sample(unseen, len(unseen)), strict=True))
            order = [renamed.get(i, i) for i in here.order]
            there = replay(order, rules, dealer, steps[:n_steps])
            changed += here.other.hand != there.other.hand
            for position in (here, there):
                position.view.noise = 77
            assert there.mover == mover
            assert here.view.tobytes() == there.view.tobytes()
            point = point_of(here)
            points[point] += 1
            for answers in everyone:
                assert decision(answers, here, point) == decision(answers, there, point)
            if point == "knock" and here.may_knock():
                here.step("knock")
                there.step("knock")
                assert here.table.spread_sets == there.table.spread_sets
                assert here.table.spread_runs == there.table.spread_runs
                points["shown"] += 1
    assert changed > 0.9 * (sum(points.values()) - points["shown"])
    if not config.DISABLE_JIT:
        assert min(points[point] for point in ("draw", "discard", "knock")) > n_hands(30), points
        assert points["shown"] >= n_hands(3) or specs == ("random", "random"), points


def point_of(position) -> str:
    last = position.steps[-1][0] if position.steps else "deal"
    return {
        "take": "discard",
        "draw": "discard",
        "offer_big_gin": "discard",
        "discard": "knock",
    }.get(last, "draw")


def decision(answers, position, point):
    ask = {"draw": answers.takes, "discard": answers.discards, "knock": answers.knocks}[point]
    return ask(position)


def test_a_table_used_before_deals_as_a_new_one_does(some):
    """Nothing of a hand is left over for the next."""
    for spec in ("standard", "openspiel", "oklahoma"):
        for specs in (("greedy", "simple"), ("random", "simple")):
            rules = numbers_of(spec)
            total = tallies.new_tally()
            for deal_index in range(some(150)):
                tally_of(specs, rules, 8, 1, first=deal_index, tally=total)
            assert total.tobytes() == tally_of(specs, rules, 8, some(150)).tobytes()


# ---------------------------------------------------------- the first upcard


@pytest.mark.parametrize("dealer", [0, 1])
def test_the_first_upcard_is_offered_to_the_non_dealer_and_then_to_the_dealer(dealer):
    position = Position(shuffled(1, 1), STANDARD, dealer)
    assert (position.mover, position.table.phase) == (1 - dealer, FIRST_OFFER)
    assert [int(view.first_offer) for view in position.views] == [1, 1]
    position.step("pass")
    assert (position.mover, position.table.phase) == (dealer, FIRST_OFFER)
    assert position.view.opponent_refused == 1 << position.order[20]
    position.step("pass")
    assert (position.mover, position.table.phase) == (1 - dealer, MUST_DRAW)
    assert [int(view.first_offer) for view in position.views] == [0, 0]
    assert position.table.n_turns == 0
    position.step("draw")
    assert position.view.drawn == position.order[21]
    position.step("discard", position.order[21])
    position.step("end_turn")
    assert (position.mover, position.table.phase) == (dealer, TURN)


def test_the_dealer_takes_what_the_non_dealer_refused():
    """Then the non-dealer's turn is an ordinary one, with the dealer's discard to take."""
    answers = Policies("simple", "simple")
    # Seat 0 deals, and the upcard makes a run of its hand.
    order = deck_order("5d6d 9c9h AsAcTs8s4cJd", "2h3h4h 7s8c KhKsQdJc2s", "7d", "9s")
    position = Position(order, STANDARD, dealer=0)
    assert not answers.takes(position)
    position.step("pass")
    assert answers.takes(position)
    position.turn("take", "Jd")
    assert (position.mover, position.table.phase) == (1, TURN)
    assert position.view.upcard == card("Jd")
    assert position.view.opponent_took == position.view.opponent_known == mask("7d")
    assert position.view.opponent_turn == 1
    assert position.view.turn == 1
    position.turn("draw")
    assert position.view.opponent_refused == mask("7dJd")


def test_a_refused_first_upcard_stays_on_the_pile_and_cannot_be_taken():
    """A policy that would take it when its turn comes has to draw: both passed."""
    for noise in range(60):
        order = deck_order("", "", "5h")
        position = Position(order, STANDARD, dealer=0).pass_both()
        position.play_on("random", "random", noise=noise)
        assert position.views[1].own_drawn[1] == order[21]
        assert position.views[0].opponent_drew[1] == FROM_STOCK


def test_no_offer_where_the_rules_have_none():
    position = Position(shuffled(1, 1), numbers_of("standard:first_upcard=none"), dealer=0)
    assert (position.mover, position.table.phase) == (1, TURN)
    assert [int(view.first_offer) for view in position.views] == [0, 0]


# ------------------------------------------------------- the wall, the stall


def drawn_down(n_turns: int, rules, order) -> Position:
    """Both pass, and then draw and discard what they drew, for a number of turns; seat 0 deals."""
    position = Position(order, rules, dealer=0).pass_both()
    for _ in range(n_turns):
        assert position.open
        position.turn("draw")
    return position


MELDLESS = "As3d5h7c9sJdKhAc3s5d"
MELDLESS_TOO = "2h4c6s8dTh2c4s6d8hTc"


def last_draw(seat_1: str, drawn: str) -> np.ndarray:
    """A deck whose 29th stock card, which seat 1 draws, is the given one."""
    order = list(deck_order("", seat_1, "9h"))
    at = order.index(card(drawn))
    order[at], order[21 + 28] = order[21 + 28], order[at]
    return np.array(order)


@pytest.mark.jitless
def test_a_discard_with_two_cards_left_is_a_wash():
    order = deck_order(MELDLESS, MELDLESS_TOO, "9h")
    assert drawn_down(28, STANDARD, order).open
    position = drawn_down(29, STANDARD, order)
    assert position.table.ending == WASH
    assert (position.table.n_turns, position.views[0].stock_left) == (29, 2)
    assert position.table.knocker == -1


@pytest.mark.parametrize("floor", [0, 1, 5, 30])
def test_the_floor_of_the_stock_is_a_rule(floor):
    rules = numbers_of(f"standard:stock_floor={floor}")
    order = deck_order(MELDLESS, MELDLESS_TOO, "9h")
    assert drawn_down(31 - floor, rules, order).table.ending == WASH
    assert drawn_down(31 - floor - 1, rules, order).open


def test_the_player_who_draws_down_to_two_may_knock():
    # The third king comes last.  Loose are 7 2 2 4, less the card discarded ...
    for spare, ending in (("Ac", KNOCK), ("7c", WASH)):  # ... and the spare one
        order = last_draw("4h5h6h 7sKsKd2d2c4c" + spare, "Kc")
        position = drawn_down(28, STANDARD, order).play_on("simple", "simple")
        table = position.table
        assert (table.ending, table.n_turns) == (ending, 29)
        assert table.knocker == (1 if ending == KNOCK else -1)
        assert table.knocker_deadwood == (1 + 2 + 2 + 4 if ending == KNOCK else 0)


WALL_HAND = "4h5h6h KsKd 7s2d2cAd3c"  # with a king more, and the seven discarded: 2 + 2 + 1 + 3


def at_the_wall(seat_0: str, upcard: str, rules=OPENSPIEL) -> Position:
    """Two cards are left, seat 0 is to move, and the upcard is what seat 1 just discarded."""
    order = list(deck_order(seat_0, "", "9h"))
    at = order.index(card(upcard))
    order[at], order[21 + 28] = order[21 + 28], order[at]
    position = drawn_down(29, rules, np.array(order))
    assert position.open
    assert (position.table.phase, position.mover) == (AT_WALL, 0)
    assert position.view.upcard == card(upcard)
    return position


def test_at_openspiels_wall_the_upcard_may_be_taken_to_knock():
    table = at_the_wall(WALL_HAND, "Kc").play_on("greedy", "greedy").table
    assert (table.ending, table.knocker, table.n_turns) == (KNOCK, 0, 30)
    assert table.knocker_deadwood == 8


def test_at_openspiels_wall_the_upcard_may_not_be_taken_for_less():
    position = at_the_wall(WALL_HAND, "Qc")
    assert not position.may_knock_at_wall()
    for noise in range(10):
        table = at_the_wall(WALL_HAND, "Qc").play_on("random", "random", noise=noise).table
        assert (table.ending, table.knocker, table.n_turns) == (WASH, -1, 29)


def test_at_openspiels_wall_a_knock_can_be_refused():
    table = at_the_wall(WALL_HAND, "Kc").play_on("greedy:knock=7", "greedy").table
    assert (table.ending, table.knocker, table.n_turns) == (WASH, -1, 29)


def test_at_openspiels_wall_the_upcard_may_be_discarded_back_to_knock():
    """Ten loose with the hand as it is; any other discard leaves more."""
    position = at_the_wall("4h5h6h KsKdKc Ad2d3d4c", "Qc")
    assert position.may_knock_at_wall()
    table = position.play_on("greedy", "greedy").table
    assert (table.ending, table.knocker, table.knocker_deadwood) == (KNOCK, 0, 4)


def test_at_openspiels_wall_ten_loose_cards_may_be_kept():
    """Ten is the limit: only discarding the upcard back keeps to it."""
    position = at_the_wall("4h5h6h KsKdKc Ac2d3c4c", "Qc")
    assert position.view.deadwood == 10
    assert position.may_knock_at_wall()


@pytest.mark.parametrize(("spec", "n_turns"), [("standard", 120), ("standard:stall_turns=7", 7)])
def test_upcards_handed_back_and_forth_stall_the_hand(spec, n_turns):
    position = Position(shuffled(1, 3), numbers_of(spec), dealer=0)
    for turn in range(1, n_turns + 1):
        assert position.open
        position.step("take")
        allowed = int(position.view.hand) & ~int(position.view.barred)
        position.step("discard", allowed.bit_length() - 1)
        position.step("end_turn")
        assert position.table.n_turns == turn
    assert position.table.ending == STALLED
    assert position.view.stock_left == 31
    assert position.table.knocker == -1


def test_the_wall_comes_before_the_stall():
    rules = numbers_of("standard:stall_turns=29")
    position = drawn_down(29, rules, deck_order(MELDLESS, MELDLESS_TOO, "9h"))
    assert position.table.ending == WASH


# -------------------------------------------------------- knock, gin, big gin

GIN_HAND = "2s3s4s 7h7d7c TdJdQdKd"


def gin_to_be(rules, defender="", drawn="5s"):
    """Seat 1 is dealt gin, both passed, and it will draw a card."""
    return Position(deck_order(defender, GIN_HAND, "9h", drawn), rules, dealer=0).pass_both()


def test_eleven_melded_cards_are_big_gin():
    table = gin_to_be(STANDARD).play_on("greedy", "greedy").table
    assert (table.ending, table.knocker, table.n_turns) == (BIG_GIN, 1, 1)
    assert names(table.spread_sets | table.spread_runs) == cards(GIN_HAND + "5s")
    assert table.knocker_deadwood == 0


def test_eleven_melded_cards_are_gin_where_there_is_no_big_gin():
    for preset in ("classic", "eaai", "openspiel", "palace"):
        position = gin_to_be(rule_record(PRESETS[preset])).play_on("greedy", "greedy")
        table = position.table
        assert (table.ending, table.knocker, table.n_turns) == (GIN, 1, 1)
        assert int(position.views[1].hand).bit_count() == 10


def test_ten_melded_cards_and_a_loose_one_are_gin():
    position = gin_to_be(STANDARD, drawn="8s").play_on("greedy", "greedy")
    assert (position.table.ending, position.table.knocker_deadwood) == (GIN, 0)
    assert position.views[1].hand == mask(GIN_HAND)


def test_big_gin_and_gin_are_optional():
    endings = Counter()
    for noise in range(60):
        position = gin_to_be(STANDARD).play_on("random", "random", noise=2 * noise)
        first_turn = position.table.n_turns == 1
        endings[int(position.table.ending) if first_turn else OPEN] += 1
    assert endings[BIG_GIN] > 10
    assert endings[OPEN] > 10


@pytest.mark.jitless
@pytest.mark.parametrize("drawn", ["5s", "8s"])
def test_layoffs_on_gin_are_a_rule(drawn):
    """The defender's ace goes on the twos' run and the seven on the sevens, if it may lay off."""
    defender = "As7s9cKhQhJh3d3c8h8c"
    for spec, laid in (("standard", ""), ("standard:layoff_on_gin=yes", "As7s")):
        table = gin_to_be(numbers_of(spec), defender, drawn).play_on("greedy", "greedy").table
        assert table.ending == (BIG_GIN if drawn == "5s" else GIN)
        assert names(table.laid_off) == cards(laid)
        # K Q J of hearts meld.
        assert table.defender_deadwood == 1 + 7 + 9 + 6 + 16 - (8 if laid else 0)


@pytest.mark.jitless
def test_a_knock_is_settled_with_layoffs():
    knocker, defender = "5h6h7h TsThTd AsAc2d3c", "8h9hTc KsKdKc 2c4d6s9d"
    order = deck_order(defender, knocker, "Qs", "Qc")
    position = Position(order, STANDARD, dealer=0).pass_both().play_on("greedy", "greedy")
    table = position.table
    assert (table.ending, table.knocker, table.knocker_deadwood) == (KNOCK, 1, 7)
    assert (names(table.spread_sets), names(table.spread_runs)) == (
        cards("TsThTd"),
        cards("5h6h7h"),
    )
    assert names(table.laid_off) == cards("8h9hTc")
    assert table.defender_deadwood == 2 + 4 + 6 + 9


def test_a_knock_at_the_limit_and_not_above():
    for loose, may in (("Ac2d3c4s", True), ("Ac2d3c5s", False)):
        order = deck_order("", "5h6h7h TsJsQs" + loose, "9h", "Qd")
        position = Position(order, STANDARD, dealer=0).pass_both()
        position.step("draw")
        position.step("discard", card("Qd"))
        assert position.may_knock() is may


def test_both_the_knock_and_its_deadwood_are_those_of_the_cards_kept():
    """A discard that is not the best one costs what it costs."""
    order = deck_order("", "5h6h7h TsJsQs Ac2d3c4s", "9h", "Qd")
    position = Position(order, STANDARD, dealer=0).pass_both()
    position.step("draw")
    assert position.view.best_deadwood == 10
    position.step("discard", card("4s"))
    assert position.view.deadwood == 16
    assert not position.may_knock()


@pytest.mark.parametrize("ace_upcard", ["one", "gin"])
@pytest.mark.parametrize("upcard", naive.DECK)
def test_oklahomas_limit_is_the_first_upcards(upcard, ace_upcard):
    rules = numbers_of(f"oklahoma:ace_upcard={ace_upcard}")
    position = Position(deck_order("", "", upcard), rules)
    limit = naive.knock_limit(naive.PRESETS["oklahoma"] | {"ace_upcard": ace_upcard}, upcard)
    assert position.table.knock_limit == limit
    assert [int(view.knock_limit) for view in position.views] == [limit, limit]


@pytest.mark.parametrize(("upcard", "may"), [("5d", True), ("4d", False), ("Ah", False)])
def test_under_oklahoma_a_low_upcard_forbids_a_knock(upcard, may):
    order = deck_order("", "5h6h7h8h TsThTdTc 2s3c", upcard, "Kh")
    position = Position(order, rule_record(PRESETS["oklahoma"]), dealer=0).pass_both()
    position.step("draw")
    position.step("discard", card("Kh"))
    assert position.view.deadwood == 5
    assert position.may_knock() is may


# --------------------------------------------------------- discards and faults


def test_a_card_just_taken_may_not_be_discarded():
    position = Position(deck_order("", MELDLESS, "9h", "Qd"), STANDARD, dealer=0)
    position.step("take")
    assert position.discard_fault(card("9h")) == CARD_BARRED
    assert position.discard_fault(card("Kh")) == NO_FAULT
    assert position.discard_fault(card("2h")) == CARD_NOT_HELD
    assert position.discard_fault(52) == CARD_NOT_HELD
    assert position.discard_fault(-1) == NO_DECISION
    position.step("discard", card("Kh"))
    position.step("end_turn")
    position.turn("draw")
    # On a later turn it may go.
    position.step("draw")
    assert position.discard_fault(card("9h")) == NO_FAULT


def test_a_card_just_drawn_may_be_discarded():
    position = Position(deck_order("", MELDLESS, "9h", "Qd"), STANDARD, dealer=0).pass_both()
    position.step("draw")
    assert position.discard_fault(card("Qd")) == NO_FAULT


def test_a_card_just_taken_may_be_discarded_where_the_rules_let_it():
    position = Position(deck_order("", MELDLESS, "9h"), OPENSPIEL, dealer=0)
    position.step("take")
    assert position.discard_fault(card("9h")) == NO_FAULT


@pytest.mark.parametrize("rules", [STANDARD, OPENSPIEL], ids=["standard", "openspiel"])
def test_the_best_discards_shown_are_the_oracles(rules, some):
    """After a draw and after a take, with and without the taken card among them."""
    chance = random.Random(9)
    n_discarded_back = 0
    for deal_index in range(some(600)):
        dense = [c for c in naive.DECK if c[0] in naive.RANKS[deal_index % 8 :][:6]]
        hand = chance.sample(dense, 10)
        upcard = chance.choice([c for c in dense if c not in hand])
        position = Position(deck_order("", "".join(hand), upcard), rules, dealer=0)
        if deal_index % 2:
            position.pass_both().step("draw")
        else:
            position.step("take")
        drawn = naive.DECK[int(position.view.drawn)]
        barred = None if deal_index % 2 or rules.may_discard_taken else drawn
        least, discards = naive.best_discards([*hand, drawn], barred)
        assert position.view.best_deadwood == least
        assert names(position.view.best_discards) == set(discards)
        n_discarded_back += deal_index % 2 == 0 and drawn in discards
    assert (n_discarded_back > some(30)) == bool(rules.may_discard_taken)


# ------------------------------------------------------------------ tallies

GOLDEN = {
    ("greedy", "simple"): {
        "hands": 20,
        "deals": 10,
        "faults": 0,
        "sums": [[9, 11], [141, 161], [366, 436], [9, 9], [0, 2], [0, 0], [0, 0], [70, 52]],
        "squares": [
            [11, 15],
            [5011, 4887],
            [21836, 24962],
            [11, 11],
            [0, 2],
            [0, 0],
            [0, 0],
            [756, 488],
        ],
        "knocks_by_deadwood": [87, 65],
        "shared": [0, 0, 258],
        "shared_squares": [0, 0, 7162],
        "leads": [-20, -70, -2],
        "lead_squares": [5444, 24044, 12],
        "lead_hand_squares": [8402, 36002, 20],
    },
    ("simple", "random"): {
        "hands": 20,
        "deals": 10,
        "faults": 0,
        "sums": [[20, 0], [907, 0], [1407, 0], [20, 0], [0, 0], [0, 0], [0, 0], [153, 0]],
        "squares": [[40, 0], [90227, 0], [205927, 0], [40, 0], [0, 0], [0, 0], [0, 0], [2423, 0]],
        "knocks_by_deadwood": [306, 0],
        "shared": [0, 0, 336],
        "shared_squares": [0, 0, 12038],
        "leads": [907, 1407, 20],
        "lead_squares": [90227, 205927, 40],
        "lead_hand_squares": [45905, 103755, 20],
    },
    ("random", "greedy:knock=4"): {
        "hands": 20,
        "deals": 10,
        "faults": 0,
        "sums": [[0, 20], [0, 1116], [0, 1616], [0, 18], [0, 2], [0, 0], [0, 0], [0, 51]],
        "squares": [[0, 40], [0, 131088], [0, 267688], [0, 34], [0, 2], [0, 0], [0, 0], [0, 307]],
        "knocks_by_deadwood": [0, 98],
        "shared": [0, 0, 446],
        "shared_squares": [0, 0, 22454],
        "leads": [-1116, -1616, -20],
        "lead_squares": [131088, 267688, 40],
        "lead_hand_squares": [67918, 136218, 20],
    },
}


def as_lists(tally) -> dict:
    return {name: tally[name][0].tolist() for name in tally.dtype.names}


@pytest.mark.jitless
@pytest.mark.parametrize("specs", GOLDEN, ids=" ".join)
def test_a_small_tally_never_changes(specs):
    """The same numbers with the JIT and without, and from version to version."""
    assert as_lists(tally_of(specs, STANDARD, 1, 10)) == GOLDEN[specs]


def reference_tally(specs, spec, seed, n_deals, n_legs) -> dict:
    """What a tally must hold, added up from hands played step by step."""
    rules = numbers_of(spec)
    deals = []
    faults, hand_squares = 0, np.zeros(tallies.N_LEADS, np.int64)
    for deal_index in range(n_deals):
        sums = {
            "sums": np.zeros((tallies.N_MEASURES, 2), np.int64),
            "shared": np.zeros(tallies.N_SHARED, np.int64),
            "leads": np.zeros(tallies.N_LEADS, np.int64),
        }
        for leg in range(n_legs):
            seated = specs if leg == 0 else specs[::-1]
            table = play(deal_of(seed, deal_index, rules), Policies(*seated)).table
            sums["shared"][tallies.TURNS] += table.n_turns
            if table.ending in (WASH, STALLED):
                sums["shared"][tallies.WASHES] += 1
                sums["shared"][tallies.STALLS] += table.ending == STALLED
                continue
            ours, theirs = int(table.knocker_deadwood), int(table.defender_deadwood)
            outcome = outcome_of(int(table.ending), ours, theirs, rules)
            points = hand_points(outcome, ours, theirs, int(table.first_upcard), rules)
            knocker = int(table.knocker) if leg == 0 else 1 - int(table.knocker)
            measures = {GIN: tallies.GINS, BIG_GIN: tallies.BIG_GINS}
            sums["sums"][measures.get(outcome, tallies.KNOCKS), knocker] += 1
            if outcome in (KNOCK, UNDERCUT):
                sums["sums"][tallies.DEADWOOD_AT_KNOCK, knocker] += ours
            if outcome == UNDERCUT:
                sums["sums"][tallies.UNDERCUTS_MADE, 1 - knocker] += 1
            if outcome != KNOCK or theirs > ours:
                winner = 1 - knocker if outcome == UNDERCUT else knocker
                scored = np.array([abs(points), abs(points) + rules.box_bonus, 1])
                sums["sums"][tallies.HANDS_WON, winner] += 1
                sums["sums"][tallies.POINTS, winner] += scored[0]
                sums["sums"][tallies.POINTS_WITH_BOXES, winner] += scored[1]
                sums["leads"] += scored if winner == 0 else -scored
                hand_squares += scored**2
        deals.append(sums)
    total = {name: sum(deal[name] for deal in deals) for name in ("sums", "shared", "leads")}
    squares = {name: sum(deal[name] ** 2 for deal in deals) for name in total}
    at_knock = sum(
        deal["sums"][tallies.KNOCKS] * deal["sums"][tallies.DEADWOOD_AT_KNOCK] for deal in deals
    )
    return {
        "hands": n_deals * n_legs,
        "deals": n_deals,
        "faults": faults,
        "sums": total["sums"].tolist(),
        "squares": squares["sums"].tolist(),
        "knocks_by_deadwood": at_knock.tolist(),
        "shared": total["shared"].tolist(),
        "shared_squares": squares["shared"].tolist(),
        "leads": total["leads"].tolist(),
        "lead_squares": squares["leads"].tolist(),
        "lead_hand_squares": hand_squares.tolist(),
    }


@pytest.mark.long
@pytest.mark.parametrize("n_legs", [1, 2])
@pytest.mark.parametrize(
    "spec",
    ["standard", "oklahoma", "palace:stall_turns=13", "openspiel", "eaai:undercut_bonus=0"],
)
@pytest.mark.parametrize(
    "specs", [("greedy", "simple"), ("greedy:knock=0", "random")], ids=" ".join
)
def test_a_tally_is_the_sum_of_its_hands(specs, spec, n_legs, some):
    n_deals = some(60)
    expected = reference_tally(specs, spec, 12, n_deals, n_legs)
    assert as_lists(tally_of(specs, numbers_of(spec), 12, n_deals, n_legs=n_legs)) == expected


@pytest.mark.parametrize("n_legs", [1, 2])
@pytest.mark.parametrize("n_chunks", [2, 7])
def test_a_tally_does_not_depend_on_the_chunks(n_chunks, n_legs):
    specs = ("random", "greedy")
    whole = tally_of(specs, STANDARD, 13, 1000, n_legs=n_legs)
    bounds = np.linspace(0, 1000, n_chunks + 1).astype(int).tolist()
    merged = tallies.new_tally()
    for first, end in pairwise(bounds):
        part = tally_of(specs, STANDARD, 13, end - first, first=first, n_legs=n_legs)
        tallies.merge(merged, part)
    assert merged.tobytes() == whole.tobytes()


@pytest.mark.parametrize("spec", ["greedy", "greedy:knock=4", "simple"])
def test_a_mirrored_game_against_oneself_is_even(spec):
    """Whatever the deal, what one side gains in a seat the other gains in it.

    ``simple`` tosses coins, but each seat's coins are the deal's, whoever sits there.
    """
    tally = tally_of((spec, spec), STANDARD, 14, 5000)[0]
    assert tally.leads.tolist() == tally.lead_squares.tolist() == [0, 0, 0]
    assert tally.sums[:, 0].tolist() == tally.sums[:, 1].tolist()
    assert tally.lead_hand_squares[0] > 0


@pytest.mark.parametrize("spec", ["greedy", "simple", "greedy:knock=0", "random"])
def test_a_plain_game_against_oneself_shows_no_difference(spec, some):
    """The 99.9 % interval spans zero; it reaches half a point to each side, all told a quarter."""
    tally = tally_of((spec, spec), STANDARD, 15, some(300_000), n_legs=1)[0]
    for lead in range(2):
        mean = tally.leads[lead] / tally.deals
        variance = tally.lead_squares[lead] / tally.deals - mean**2
        assert abs(mean) < 3.29 * (variance / tally.deals) ** 0.5
        assert variance > 0


def test_other_seeds_are_other_deals():
    first, second = (tally_of(("greedy", "simple"), STANDARD, seed, 500) for seed in (1, 2))
    assert first.tobytes() != second.tobytes()
