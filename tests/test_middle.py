"""A hand taken up in its middle is the real hand: its state, its end, and what the mover sees."""

from __future__ import annotations

import random
from pathlib import Path

import numpy as np
import pytest

from gin_sim.cards import FULL_DECK, card_names, cards_of, mask_of, parse_card, parse_cards
from gin_sim.engine.rng import SEAT_STREAM, stream_key
from gin_sim.engine.round import (
    TABLE,
    deal_hand,
    draw_stock,
    new_state,
    stack_deck,
    take_upcard,
)
from gin_sim.engine.view import NOTHING_YET, VIEW
from gin_sim.errors import InputError
from gin_sim.policies.catalogue import parse_policy
from gin_sim.policies.decide import players_of
from gin_sim.positions import (
    Memory,
    moments_of,
    parse_position,
    position_of_record,
    world_of_record,
)
from gin_sim.records import CARD_IDS, read_records
from gin_sim.rules import AT_WALL, parse_rules
from gin_sim.simulate.middle import middle_of, new_states, own_arrivals, set_middle
from gin_sim.simulate.record import play_recorded
from gin_sim.simulate.replay import LEGAL, _deck, _step, _steps
from gin_sim.simulate.worlds import (
    FAULTY,
    KNOCK,
    LAY_DOWN,
    LEAVE,
    LOST_BY_UNDERCUT,
    LOST_TO_BIG_GIN,
    LOST_TO_GIN,
    LOST_TO_KNOCK,
    NOBODY_WON,
    TAKE,
    THROW,
    WON_BY_BIG_GIN,
    WON_BY_GIN,
    WON_BY_KNOCK,
    WON_BY_UNDERCUT,
    Action,
    actions_array,
    check_action,
    end_for_me,
    legal_actions,
    play_action,
    play_worlds,
)

DATA = Path(__file__).parent / "data"
#: Chosen so that every phase occurs: no first offer, an early wall of either kind, a stall.
PLAYED = [
    ("greedy", "simple", "standard"),
    ("strong", "greedy:knock=0", "standard"),
    ("simple", "marjj", "eaai"),
    ("greedy", "greedy:knock=0", "openspiel:stock_floor=20"),
    ("simple", "greedy:knock=0", "openspiel:first_upcard=none,stock_floor=22"),
    ("greedy", "strong", "oklahoma"),
    ("greedy:knock=0", "greedy:knock=0", "standard:stall_turns=12,stock_floor=25"),
]


def played(first: str, second: str, rules: str, n_hands: int, seed: int = 5):
    pair = (parse_policy(first), parse_policy(second))
    return play_recorded(pair, parse_rules(rules), seed, n_hands)


def decisions(record):
    for seat in range(2):
        for turn, moment in moments_of(record, seat):
            yield seat, turn, moment


def index_of(record, seat, turn, moment) -> int:
    """Where a decision stands among the turns: counted apart from the code under test."""
    own = [i for i, act in enumerate(record.turns) if act.player == seat]
    if moment == "offer":
        return own[0]
    return [i for i in own if record.turns[i].draw != "pass"][turn - 1]


def real_state(record, seat, turn, moment, rules):
    """The table and views of the recorded hand at a decision, by the referee's own steps."""
    tables, views = new_state()
    numbers = rules.numbers()
    stack_deck(tables[0], _deck(record))
    deal_hand(tables[0], views, record.dealer, numbers)
    index = index_of(record, seat, turn, moment)
    for step in _steps(record.turns[:index]):
        assert _step(tables[0], views, numbers, *step) == LEGAL
    if moment == "throw":
        if record.turns[index].draw == "stock":
            draw_stock(tables[0], views[seat], views[1 - seat])
        else:
            take_upcard(views[seat], views[1 - seat], numbers)
    return tables[0], (views[seat], views[1 - seat])


def built_state(position, world, rules):
    tables, views = new_states()
    stock = np.array(world.stock, np.int8)
    arrivals = np.array(world.arrivals, np.int8)
    assert set_middle(tables[0], views, rules.numbers(), middle_of(position), arrivals, stock)
    return tables[0], (views[0], views[1])


#: What the builder need not know: whose key it is, and how far a shuffle has gone.
NOT_COMPARED = {"noise", "deck_key", "n_shuffled"}
#: Kept from the last look at the upcard, which a policy may or may not have taken.
LOOKED = {"upcard_deadwood", "upcard_discards"}


def assert_same_views(built, real, skip=frozenset()):
    for field in VIEW.names:
        if field not in NOT_COMPARED | LOOKED | skip:
            assert np.array_equal(built[field], real[field]), field


def assert_same_tables(built, real, seat):
    for field in TABLE.names:
        if field in NOT_COMPARED | {"mover", "dealer", "dealt", "dealt_deadwood", "deck"}:
            continue
        assert built[field] == real[field], field
    assert built.mover == real.mover ^ seat
    assert built.dealer == real.dealer ^ seat
    for mine, side in ((0, seat), (1, 1 - seat)):
        assert built.dealt[mine] == real.dealt[side]
        assert built.dealt_deadwood[mine] == real.dealt_deadwood[side]
    assert built.deck[20:].tolist() == real.deck[20:].tolist()


def check_states(record, rules, n_phases=None):
    n_states = 0
    for seat, turn, moment in decisions(record):
        position = position_of_record(record, seat, turn, moment, rules=rules)
        world = world_of_record(record, seat, turn, moment)
        table, views = built_state(position, world, rules)
        real_table, real_views = real_state(record, seat, turn, moment, rules)
        assert_same_tables(table, real_table, seat)
        assert_same_views(views[0], real_views[0])
        assert_same_views(views[1], real_views[1])
        seen = position.seen
        view = views[0]
        assert (seen.phase, seen.turn, seen.upcard) == (table.phase, view.turn, view.upcard)
        assert (seen.known, seen.took, seen.threw, seen.refused) == (
            view.opponent_known,
            view.opponent_took,
            view.opponent_threw,
            view.opponent_refused,
        )
        assert (seen.barred, seen.drawn, seen.stock_left) == (
            view.barred,
            view.drawn,
            view.stock_left,
        )
        assert position.knock_limit == view.knock_limit
        if n_phases is not None:
            n_phases[seen.phase, moment] = n_phases.get((seen.phase, moment), 0) + 1
        n_states += 1
    return n_states


@pytest.mark.parametrize(("first", "second", "rules"), PLAYED)
def test_the_state_in_the_true_world_is_that_of_the_real_hand(first, second, rules):
    n_states = 0
    for record in played(first, second, rules, 12):
        n_states += check_states(record, parse_rules(rules))
    assert n_states > 100


def test_states_of_hands_of_other_engines():
    for name in ("hands-standard.jsonl", "hands-eaai-depauw-marjj.jsonl"):
        for (_, record), _ in zip(read_records(DATA / name), range(25), strict=False):
            check_states(record, parse_rules(record.rules))


def test_every_phase_occurs_at_every_moment_that_it_can():
    n_phases = {}
    for first, second, rules in PLAYED:
        for record in played(first, second, rules, 30, seed=6):
            for seat, turn, moment in decisions(record):
                position = position_of_record(record, seat, turn, moment)
                key = position.seen.phase, moment
                n_phases[key] = n_phases.get(key, 0) + 1
    assert set(n_phases) == {
        (0, "offer"),
        (0, "draw"),
        (0, "throw"),
        (1, "draw"),
        (1, "throw"),
        (2, "draw"),
        (2, "throw"),
        (AT_WALL, "draw"),
        (AT_WALL, "throw"),
    }


# ------------------------------------------------------------------ playing on


def action_of(record, seat, turn, moment) -> Action:
    act = record.turns[index_of(record, seat, turn, moment)]
    if moment == "offer":
        return Action(LEAVE)
    if moment == "draw":
        return Action(TAKE if act.draw == "upcard" else LEAVE)
    if act.big_gin:
        return Action(LAY_DOWN)
    return Action(KNOCK if act.knock else THROW, CARD_IDS[act.discard])


ENDS = {
    ("knock", True): WON_BY_KNOCK,
    ("knock", False): LOST_TO_KNOCK,
    ("gin", True): WON_BY_GIN,
    ("gin", False): LOST_TO_GIN,
    ("big_gin", True): WON_BY_BIG_GIN,
    ("big_gin", False): LOST_TO_BIG_GIN,
    ("undercut", True): LOST_BY_UNDERCUT,
    ("undercut", False): WON_BY_UNDERCUT,
}


def expected_end(record, seat):
    points = record.end.points[seat] - record.end.points[1 - seat]
    if record.end.kind == "wash" or (record.end.kind == "knock" and not points):
        return 0, NOBODY_WON
    return points, ENDS[record.end.kind, record.end.knocker == seat]


@pytest.mark.parametrize(("first", "second", "rules"), PLAYED)
def test_playing_on_from_the_true_world_gives_the_real_end(first, second, rules):
    """With the hand's own policies and, for those that toss coins, its own chance."""
    names = {name: parse_policy(name) for name in (first, second)}
    numbers = parse_rules(rules).numbers()
    tables, views = new_states()
    for record in played(first, second, rules, 12, seed=7):
        keys = [stream_key(7, record.deal_index, SEAT_STREAM + seat) for seat in range(2)]
        for seat, turn, moment in decisions(record):
            position = position_of_record(record, seat, turn, moment)
            world = world_of_record(record, seat, turn, moment)
            what, card = action = action_of(record, seat, turn, moment)
            check_action(position, action)
            cards = np.array(world.arrivals, np.int8), np.array(world.stock, np.int8)
            assert set_middle(tables[0], views, numbers, middle_of(position), *cards)
            views[0].noise, views[1].noise = keys[seat], keys[1 - seat]
            players = players_of([names[record.players[seat ^ side]] for side in range(2)])
            play_action(tables[0], views, numbers, players, what, card)
            assert end_for_me(tables[0], numbers) == expected_end(record, seat)


@pytest.mark.parametrize("rules", ["standard", "openspiel:stock_floor=20"])
def test_the_first_playing_of_a_world_is_in_its_own_order(rules):
    """Of policies that toss no coins, so that it is the real hand again."""
    policies = (parse_policy("greedy"), parse_policy("greedy"))
    for record in played("greedy", "greedy", rules, 6, seed=11):
        for seat, turn, moment in decisions(record):
            position = position_of_record(record, seat, turn, moment)
            world = world_of_record(record, seat, turn, moment)
            actions = [action_of(record, seat, turn, moment)]
            points, ends = play(position, [world], actions, policies, position.rules.numbers(), 2)
            assert (points[0, 0, 0], ends[0, 0, 0]) == expected_end(record, seat)


def play(position, worlds, actions, policies, numbers, n_shuffles=1, seed=1, first=0):
    shape = (len(worlds), n_shuffles, len(actions))
    points = np.full(shape, -999, np.int16)
    ends = np.full(shape, -99, np.int8)
    tables, views = new_states()
    fault = play_worlds(
        tables,
        views,
        numbers,
        players_of(policies),
        middle_of(position),
        np.array([world[0] for world in worlds], np.int8),
        np.array([world[1] for world in worlds], np.int8),
        actions_array(actions),
        seed,
        first,
        points,
        ends,
    )
    assert fault == -1
    return points, ends


def shuffled_world(position, world, dice):
    """A world as possible as the true one: what is hidden now is dealt again."""
    seen = position.seen
    hidden = [card for card in world.arrivals if seen.unseen >> card & 1]
    cards = [*hidden, *world.stock]
    dice.shuffle(cards)
    again = dict(zip(hidden, cards, strict=False))
    arrivals = tuple(again.get(card, card) for card in world.arrivals)
    return arrivals, tuple(cards[len(hidden) :])


def test_the_mover_sees_the_same_in_every_world():
    dice = random.Random(1)
    rules = parse_rules("standard")
    for record in played("strong", "simple", "standard", 4, seed=8):
        for seat, turn, moment in decisions(record):
            position = position_of_record(record, seat, turn, moment)
            world = world_of_record(record, seat, turn, moment)
            _, (true_view, true_other) = built_state(position, world, rules)
            other_world = type(world)(*shuffled_world(position, world, dice))
            _, (view, other) = built_state(position, other_world, rules)
            assert view.tobytes() == true_view.tobytes()
            hidden = {"hand", "deadwood", "own_drawn", *LOOKED}
            hidden |= {"best_deadwood", "best_discards"}  # left from its last turn
            assert_same_views(other, true_other, hidden)
            assert other.hand & ~position.seen.unseen == position.seen.known


def test_parts_of_worlds_are_those_of_the_whole():
    """Same seed, same numbers, however the work is cut; other shuffles are other luck."""
    dice = random.Random(2)
    record = next(r for r in played("strong", "simple", "standard", 20) if len(r.turns) > 12)
    position = position_of_record(record, 0, 4)
    true = world_of_record(record, 0, 4)
    worlds = [tuple(true)] + [shuffled_world(position, true, dice) for _ in range(7)]
    actions = [Action(THROW, card) for card in position.hand][:2] * 2
    policies = (parse_policy("simple"), parse_policy("marjj"))
    numbers = position.rules.numbers()
    points, ends = play(position, worlds, actions, policies, numbers, 6, seed=9)
    assert np.array_equal(points[:, :, :2], points[:, :, 2:])
    front = play(position, worlds[:3], actions, policies, numbers, 4, seed=9)
    back = play(position, worlds[3:], actions, policies, numbers, 6, seed=9, first=3)
    assert np.array_equal(points[:3, :4], front[0])
    assert np.array_equal(points[3:], back[0])
    assert np.array_equal(ends[3:], back[1])
    again, _ = play(position, worlds, actions, policies, numbers, 6, seed=10)
    assert not np.array_equal(points, again)
    assert len({points[:, shuffle].tobytes() for shuffle in range(6)}) == 6
    assert ((points > 0) == ((ends >= WON_BY_KNOCK) & (ends < LOST_TO_KNOCK)) | (points == 0)).all()
    assert not (ends == FAULTY).any()


def test_a_world_that_does_not_fit_is_told():
    record = next(played("greedy", "simple", "standard", 1))
    seat = record.turns[-1].player
    turn = moments_of(record, seat)[-1][0]
    position = position_of_record(record, seat, turn)
    world = world_of_record(record, seat, turn)
    tables, views = new_states()
    numbers = position.rules.numbers()
    arrivals = np.array(world.arrivals, np.int8)
    stock = np.array(world.stock, np.int8)
    middle = middle_of(position)
    assert set_middle(tables[0], views, numbers, middle, arrivals, stock)
    twice = stock.copy()
    twice[0] = twice[1]
    assert not set_middle(tables[0], views, numbers, middle, arrivals, twice)
    thrown = next(i for i, card in enumerate(arrivals) if position.seen.threw >> int(card) & 1)
    early = arrivals.copy()
    early[thrown], later = stock[-1], stock.copy()
    later[-1] = arrivals[thrown]
    assert not set_middle(tables[0], views, numbers, middle, early, later)


# ------------------------------------------------------------------ own draws that are not named


def without_names(position):
    """The same history as a player tells it who does not remember its stock cards."""
    told = position.as_dict()
    words = told["history"].split()
    if not words or "/" in words[-1] or words[-1] == "p":
        unnamed = words
    else:
        unnamed = words[:-1]
    unnamed = [f"s/{word.split('/')[1]}" if word[0] == "s" else word for word in unnamed]
    told["history"] = " ".join([*unnamed, *words[len(unnamed) :]])
    return parse_position(**told)


@pytest.mark.parametrize("second", ["greedy:knock=0", "simple"])
def test_own_draws_not_named_are_given_cards_that_fit(second):
    rules = parse_rules("standard")
    skip = {"own_drawn"}
    for record in played("greedy:knock=0", second, "standard", 10, seed=3):
        for seat, turn, moment in decisions(record):
            named = position_of_record(record, seat, turn, moment)
            position = without_names(named)
            assert sorted(own_arrivals(position)) == sorted(own_arrivals(named))
            world = world_of_record(record, seat, turn, moment)
            _, views = built_state(position, world, rules)
            _, true_views = built_state(named, world, rules)
            stale = set() if moment == "throw" else {"best_deadwood", "best_discards"}
            assert_same_views(views[0], true_views[0], skip | stale)
            assert_same_views(views[1], true_views[1])


def test_unnamed_draws_get_the_last_cards_of_the_hand():
    position = parse_position(
        "7s7h7d 4h5h6h 2c2dAs 9c", first="9h", history="p p s/Qd s/7c s/Ks s/Jc"
    )
    assert own_arrivals(position) == tuple(parse_cards("Qd Ks 7s7h7d 4h5h6h 2c2d As 9c"))


# ------------------------------------------------------------------ without a history


def memory_of(position) -> dict:
    seen = position.seen
    told = position.as_dict()
    told.pop("history")
    names = {"took": seen.took, "discarded": seen.threw & mask_of(seen.pile)}
    return told | {
        "turn": seen.turn,
        "pile": " ".join(card_names(seen.pile)),
        "dealer": "me" if seen.is_dealer else "opponent",
        **{name: " ".join(card_names(cards)) for name, cards in names.items()},
    }


def test_a_memory_fills_the_mover_s_view_as_the_history_does():
    """All but the turns in order, and what was thrown or refused and has left the pile."""
    rules = parse_rules("standard")
    skip = {"own_drawn", "own_threw", "opponent_drew", "opponent_threw_in_order", "shown"}
    skip |= {"opponent_threw", "opponent_refused"}
    n_compared = 0
    for record in played("greedy", "simple", "standard", 20, seed=4):
        for seat, turn, moment in decisions(record):
            if moment != "throw":
                continue
            act = record.turns[index_of(record, seat, turn, moment)]
            exact = position_of_record(record, seat, turn, moment)
            ahead = exact.seen.opponent_turn - turn + 1
            told_ahead = record.dealer == seat or bool(
                exact.seen.took >> exact.seen.first_upcard & 1
            )
            if act.draw == "upcard" or ahead != told_ahead:
                continue
            if exact.seen.took & mask_of(exact.hand):
                continue  # taken by the opponent, thrown and taken back
            position = parse_position(**memory_of(exact))
            assert isinstance(position.past, Memory)
            world = world_of_record(record, seat, turn, moment)
            _, exact_views = built_state(exact, world, rules)
            hidden = [card for card in world.arrivals if exact.seen.unseen >> card & 1]
            table, views = built_state(position, type(world)(tuple(hidden), world.stock), rules)
            assert_same_views(views[0], exact_views[0], skip)
            still = exact_views[0].opponent_threw & mask_of(exact.seen.pile)
            assert views[0].opponent_threw == still
            assert views[1].hand == exact_views[1].hand
            assert views[1].deadwood == exact_views[1].deadwood
            assert (views[0].own_threw == NOTHING_YET).all()
            assert table.deck[table.next_place :].tolist() == list(world.stock)
            n_compared += 1
    assert n_compared > 50


def test_forgotten_cards_of_the_pile_come_from_the_world():
    position = parse_position("7s7h7d 4h5h6h 2c2dAs 9c Kd", turn=5)
    unseen = cards_of(FULL_DECK & ~mask_of(position.hand))
    random.Random(3).shuffle(unseen)
    arrivals, stock = unseen[:10], unseen[10:]
    assert len(stock) == position.seen.stock_left + position.seen.n_forgotten
    tables, views = new_states()
    world = np.array(arrivals, np.int8), np.array(stock, np.int8)
    assert set_middle(tables[0], views, position.rules.numbers(), middle_of(position), *world)
    assert views[0].hand == mask_of(position.hand)
    assert views[0].drawn == parse_card("Kd")
    assert views[1].hand == mask_of(arrivals)
    assert views[0].pile[:9].tolist() == stock[22:]
    assert tables[0].deck[tables[0].next_place :].tolist() == stock[:22]
    assert views[0].stock_left == 22
    policies = (parse_policy("greedy"), parse_policy("strong"))
    actions = legal_actions(position)
    points, ends = play(
        position, [(arrivals, stock)], actions, policies, position.rules.numbers(), 20
    )
    assert not (ends == FAULTY).any()
    assert len(set(points[0, :, 0].tolist())) > 3


# ------------------------------------------------------------------ actions

KNOCKING = "7s7h7d 4h5h6h 2c2d2s 9c Kd"


@pytest.mark.jitless
def test_legal_actions():
    throws = [Action(THROW, card) for card in parse_cards(KNOCKING)]
    position = parse_position(KNOCKING, turn=5, rules="standard")
    # Without the king a nine is left; without the nine a king: 10 pips, at the limit.
    assert legal_actions(position) == [
        Action(KNOCK, parse_card("9c")),
        Action(KNOCK, parse_card("Kd")),
        *throws,
    ]
    gin = parse_position("7s7h7d 4h5h6h 2c2d2s 2h 3h", turn=5)
    assert legal_actions(gin)[0] == Action(LAY_DOWN)
    bare = parse_position("7s7h7d 4h5h6h 2c2d2s 2h 3h", turn=5, rules="eaai")
    assert Action(LAY_DOWN) not in legal_actions(bare)
    taken = parse_position(KNOCKING, first="9c", history="u")
    assert legal_actions(taken) == [
        Action(KNOCK, parse_card("Kd")),
        *(action for action in throws if action.card != parse_card("9c")),
    ]
    ten = KNOCKING.removesuffix(" Kd")
    before = [Action(TAKE), Action(LEAVE)]
    assert legal_actions(parse_position(ten, first="9h", history="")) == before
    assert legal_actions(parse_position(ten, first="9h", history="p p")) == [Action(LEAVE)]
    assert legal_actions(parse_position(ten, turn=2, pile="Kd")) == before


@pytest.mark.jitless
def test_at_the_wall_the_upcard_is_for_knocking():
    rules = "openspiel:stock_floor=29"
    for hand, actions in (
        ("7s7h7d 4h5h6h 2c2d2s 9c", [Action(TAKE), Action(LEAVE)]),
        ("7s7h7d 4h5h6h 2c3d Ts Ks", [Action(LEAVE)]),
    ):
        position = parse_position(hand, first="9h", history="p p s/Qd s/Qc", rules=rules)
        assert position.seen.phase == AT_WALL
        assert legal_actions(position) == actions


@pytest.mark.jitless
@pytest.mark.parametrize(
    ("words", "action", "sentence"),
    [
        ({"turn": 5}, Action(KNOCK, 0), "A♠ is not in the hand"),
        ({"turn": 5}, Action(THROW), "no card is not in the hand"),
        ({"turn": 5}, Action(KNOCK, parse_card("7s")), "without 7♠ the deadwood is 26, and the li"),
        ({"turn": 5}, Action(LAY_DOWN), "big gin needs eleven cards"),
        ({"turn": 5}, Action(TAKE), "a card is thrown with eleven cards"),
        ({"first": "9c", "history": "u"}, Action(THROW, parse_card("9c")), "9♣ was just taken"),
    ],
)
def test_actions_that_are_not_allowed_say_why(words, action, sentence):
    with pytest.raises(InputError, match=sentence):
        check_action(parse_position(KNOCKING, **words), action)


@pytest.mark.jitless
def test_draws_that_are_not_allowed_say_why():
    passed = parse_position(KNOCKING.removesuffix(" Kd"), first="9h", history="p p")
    with pytest.raises(InputError, match="after both have passed it"):
        check_action(passed, Action(TAKE))
    wall = parse_position(
        "7s7h7d 4h5h6h 2c3d Ts Ks",
        first="9h",
        history="p p s/Qd s/Qc",
        rules="openspiel:stock_floor=29",
    )
    with pytest.raises(InputError, match="only to knock"):
        check_action(wall, Action(TAKE))


@pytest.mark.jitless
def test_a_knock_is_priced_by_hand():
    """Mine: three melds and a nine.  The opponent's pairs, of mixed suits, are all loose."""
    position = parse_position(KNOCKING, turn=5, pile="3d", rules="standard")
    theirs = parse_cards("Ks Kc Qh Qd Js Jc Th Td 8s 8c")
    rest = [c for c in range(52) if c not in {*theirs, *position.hand, parse_card("3d")}]
    policies = (parse_policy("greedy"), parse_policy("greedy"))
    loose = parse_cards(KNOCKING)[9]
    actions = [Action(KNOCK, parse_card("Kd")), Action(THROW, loose)]
    points, ends = play(position, [(theirs, rest)], actions, policies, position.rules.numbers())
    assert (points[0, 0, 0], ends[0, 0, 0]) == (96 - 9, WON_BY_KNOCK)
    gin = parse_position("7s7h7d 4h5h6h 2c2d2s 3h Kd", turn=5, pile="3d", rules="standard")
    rest = [c for c in range(52) if c not in {*theirs, *gin.hand, parse_card("3d")}]
    points, ends = play(
        gin, [(theirs, rest)], [Action(KNOCK, parse_card("Kd"))], policies, gin.rules.numbers()
    )
    assert (points[0, 0, 0], ends[0, 0, 0]) == (25 + 96, WON_BY_GIN)
