"""Actions played out in worlds: the real end in the true one, the same luck for each, the rules."""

from __future__ import annotations

import random

import numpy as np
import pytest
from hands_taken_up import (
    PLAYED,
    decisions,
    index_of,
    played,
    shuffled_world,
)

from gin_sim.cards import cards_of, parse_card, parse_cards
from gin_sim.engine.rng import SEAT_STREAM, stream_key
from gin_sim.engine.table import rule_record
from gin_sim.errors import InputError
from gin_sim.play.actions import (
    DISCARD,
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
    WON_BY_BIG_GIN,
    WON_BY_GIN,
    WON_BY_KNOCK,
    WON_BY_UNDERCUT,
    Action,
    Worlds,
    actions_array,
    check_action,
    end_for_me,
    legal_actions,
    play_action,
    play_worlds,
)
from gin_sim.play.resume import middle_of, new_states, set_middle
from gin_sim.policies.catalogue import parse_policy
from gin_sim.policies.decide import players_of
from gin_sim.positions import (
    parse_position,
    position_of_record,
    world_of_record,
)
from gin_sim.records import CARD_IDS
from gin_sim.rules import AT_WALL, parse_rules


def action_of(record, seat, turn, moment) -> Action:
    act = record.turns[index_of(record, seat, turn, moment)]
    if moment == "offer":
        return Action(LEAVE)
    if moment == "draw":
        return Action(TAKE if act.draw == "upcard" else LEAVE)
    if act.big_gin:
        return Action(LAY_DOWN)
    return Action(KNOCK if act.knock else DISCARD, CARD_IDS[act.discard])


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


@pytest.mark.long
@pytest.mark.parametrize(("first", "second", "rules"), PLAYED)
def test_playing_on_from_the_true_world_gives_the_real_end(first, second, rules):
    """With the hand's own policies and, for those that toss coins, its own chance."""
    names = {name: parse_policy(name) for name in (first, second)}
    numbers = rule_record(parse_rules(rules))
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
def test_the_first_playout_of_a_world_deals_its_own_stock_order(rules):
    """Of policies that toss no coins, so that it is the real hand again."""
    policies = (parse_policy("greedy"), parse_policy("greedy"))
    for record in played("greedy", "greedy", rules, 6, seed=11):
        for seat, turn, moment in decisions(record):
            position = position_of_record(record, seat, turn, moment)
            world = world_of_record(record, seat, turn, moment)
            actions = [action_of(record, seat, turn, moment)]
            points, ends = play(
                position, [world], actions, policies, rule_record(position.rules), 2
            )
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
        Worlds(*(np.array(cards, np.int8) for cards in zip(*worlds, strict=True)), seed, first),
        actions_array(actions),
        points,
        ends,
    )
    assert fault == -1
    return points, ends


def test_parts_of_worlds_are_those_of_the_whole():
    """Same seed, same numbers, however the work is cut; other shuffles are other luck."""
    dice = random.Random(2)
    record = next(r for r in played("strong", "simple", "standard", 20) if len(r.turns) > 12)
    position = position_of_record(record, 0, 4)
    true = world_of_record(record, 0, 4)
    worlds = [tuple(true)] + [shuffled_world(position, true, dice) for _ in range(7)]
    actions = [Action(DISCARD, card) for card in position.hand][:2] * 2
    policies = (parse_policy("simple"), parse_policy("marjj"))
    numbers = rule_record(position.rules)
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


def test_hands_are_played_on_from_a_memory():
    position = parse_position("7s7h7d 4h5h6h 2c2dAs 9c Kd", turn=5)
    unseen = cards_of(position.seen.unseen)
    random.Random(3).shuffle(unseen)
    policies = (parse_policy("greedy"), parse_policy("strong"))
    world = (unseen[:10], unseen[10:])
    numbers = rule_record(position.rules)
    points, ends = play(position, [world], legal_actions(position), policies, numbers, 20)
    assert not (ends == FAULTY).any()
    assert len(set(points[0, :, 0].tolist())) > 3


KNOCKING = "7s7h7d 4h5h6h 2c2d2s 9c Kd"


@pytest.mark.jitless
def test_legal_actions():
    discards = [Action(DISCARD, card) for card in parse_cards(KNOCKING)]
    position = parse_position(KNOCKING, turn=5, rules="standard")
    # Without the king a nine is left; without the nine a king: 10 pips, at the limit.
    assert legal_actions(position) == [
        Action(KNOCK, parse_card("9c")),
        Action(KNOCK, parse_card("Kd")),
        *discards,
    ]
    gin = parse_position("7s7h7d 4h5h6h 2c2d2s 2h 3h", turn=5)
    assert legal_actions(gin)[0] == Action(LAY_DOWN)
    bare = parse_position("7s7h7d 4h5h6h 2c2d2s 2h 3h", turn=5, rules="eaai")
    assert Action(LAY_DOWN) not in legal_actions(bare)
    taken = parse_position(KNOCKING, first="9c", history="u")
    assert legal_actions(taken) == [
        Action(KNOCK, parse_card("Kd")),
        *(action for action in discards if action.card != parse_card("9c")),
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
        ({"turn": 5}, Action(DISCARD), "no card is not in the hand"),
        ({"turn": 5}, Action(KNOCK, parse_card("7s")), "without 7♠ the deadwood is 26, and the li"),
        ({"turn": 5}, Action(LAY_DOWN), "big gin needs eleven cards"),
        ({"turn": 5}, Action(TAKE), "a card is discarded with eleven cards"),
        ({"first": "9c", "history": "u"}, Action(DISCARD, parse_card("9c")), "9♣ was just taken"),
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
    actions = [Action(KNOCK, parse_card("Kd")), Action(DISCARD, loose)]
    points, ends = play(position, [(theirs, rest)], actions, policies, rule_record(position.rules))
    assert (points[0, 0, 0], ends[0, 0, 0]) == (96 - 9, WON_BY_KNOCK)
    gin = parse_position("7s7h7d 4h5h6h 2c2d2s 3h Kd", turn=5, pile="3d", rules="standard")
    rest = [c for c in range(52) if c not in {*theirs, *gin.hand, parse_card("3d")}]
    points, ends = play(
        gin, [(theirs, rest)], [Action(KNOCK, parse_card("Kd"))], policies, rule_record(gin.rules)
    )
    assert (points[0, 0, 0], ends[0, 0, 0]) == (25 + 96, WON_BY_GIN)
