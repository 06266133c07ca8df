"""A hand taken up in its middle is the real hand, and what the mover sees is the same in any."""

from __future__ import annotations

import random
from pathlib import Path

import numpy as np
import pytest
from hands_taken_up import (
    LOOKED,
    NOT_COMPARED,
    PLAYED,
    assert_same_views,
    built_state,
    decisions,
    index_of,
    played,
    shuffled_world,
)

from gin_sim.cards import FULL_DECK, card_names, cards_of, mask_of, parse_card, parse_cards
from gin_sim.engine.deal import deal_hand, stack_deck
from gin_sim.engine.round import draw_stock, take_upcard
from gin_sim.engine.table import (
    TABLE,
    new_state,
    rule_record,
)
from gin_sim.engine.view import NOTHING_YET
from gin_sim.errors import InputError
from gin_sim.play.replay_steps import LEGAL, deck_of, steps_of, take_step
from gin_sim.play.resume import middle_of, new_states, own_arrivals, set_middle, world_shape
from gin_sim.positions import (
    STOCK,
    UPCARD,
    Memory,
    moments_of,
    parse_position,
    position_of_record,
    world_of_record,
)
from gin_sim.records import read_records
from gin_sim.rules import AT_WALL, parse_rules

DATA = Path(__file__).parents[1] / "data"


def real_state(record, seat, turn, moment, rules):
    """The table and views of the recorded hand at a decision, by the referee's own steps."""
    tables, views = new_state()
    numbers = rule_record(rules)
    stack_deck(tables[0], deck_of(record))
    deal_hand(tables[0], views, record.dealer, numbers)
    index = index_of(record, seat, turn, moment)
    for step in steps_of(record.turns[:index]):
        assert take_step(tables[0], views, numbers, step) == LEGAL
    if moment == "discard":
        if record.turns[index].draw == "stock":
            draw_stock(tables[0], views[seat], views[1 - seat])
        else:
            take_upcard(views[seat], views[1 - seat], numbers)
    return tables[0], (views[seat], views[1 - seat])


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
        assert (seen.known, seen.took, seen.discarded, seen.refused) == (
            view.opponent_known,
            view.opponent_took,
            view.opponent_discards,
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


@pytest.mark.long
@pytest.mark.parametrize(("first", "second", "rules"), PLAYED)
def test_the_state_in_the_true_world_is_that_of_the_real_hand(first, second, rules):
    n_states = 0
    for record in played(first, second, rules, 12):
        n_states += check_states(record, parse_rules(rules))
    assert n_states > 100


@pytest.mark.long
def test_states_of_hands_of_other_engines():
    for name in ("hands-standard.jsonl", "hands-eaai-depauw-marjj.jsonl"):
        for (_, record), _ in zip(read_records(DATA / name), range(25), strict=False):
            check_states(record, parse_rules(record.rules))


@pytest.mark.long
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
        (0, "discard"),
        (1, "draw"),
        (1, "discard"),
        (2, "draw"),
        (2, "discard"),
        (AT_WALL, "draw"),
        (AT_WALL, "discard"),
    }


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


def test_a_world_that_does_not_fit_is_refused():
    record = next(played("greedy", "simple", "standard", 1))
    seat = record.turns[-1].player
    turn = moments_of(record, seat)[-1][0]
    position = position_of_record(record, seat, turn)
    world = world_of_record(record, seat, turn)
    tables, views = new_states()
    numbers = rule_record(position.rules)
    arrivals = np.array(world.arrivals, np.int8)
    stock = np.array(world.stock, np.int8)
    middle = middle_of(position)
    assert set_middle(tables[0], views, numbers, middle, arrivals, stock)
    twice = stock.copy()
    twice[0] = twice[1]
    assert not set_middle(tables[0], views, numbers, middle, arrivals, twice)
    discarded = next(
        i for i, card in enumerate(arrivals) if position.seen.discarded >> int(card) & 1
    )
    early = arrivals.copy()
    early[discarded], later = stock[-1], stock.copy()
    later[-1] = arrivals[discarded]
    assert not set_middle(tables[0], views, numbers, middle, early, later)


def some_world(position):
    """A world made from the acts alone: what the opponent discarded came first."""
    taken, discarded, n_draws = set(), [], 0
    for mine, kind, drawn, card in position.events().tolist():
        if mine:
            continue
        n_draws += kind == STOCK
        if kind == UPCARD:
            taken.add(drawn)
        if card in taken:
            taken.remove(card)
        elif card >= 0:
            discarded.append(card)
    unseen = cards_of(position.seen.unseen)
    assert world_shape(position) == (10 + n_draws, len(unseen) - position.seen.n_hidden)
    n_held = 10 + n_draws - len(discarded)
    assert n_held == position.seen.n_hidden
    return (*discarded, *unseen[:n_held]), tuple(unseen[n_held:])


def tampered(told, dice):
    """A history with one card, one act or the order of two changed."""
    words = told["history"].split()
    i, j = dice.randrange(len(words)), dice.randrange(len(words))
    card = card_names(1 << dice.randrange(52))[0]
    change = dice.randrange(4)
    if change == 0:
        words[i] = f"{words[i].split('/')[0]}/{card}"
    elif change == 1:
        words[i], words[j] = words[j], words[i]
    elif change == 2:
        words[i] = f"{'u' if words[i][0] == 's' else 's'}/{words[i].split('/')[-1]}"
    else:
        del words[i : i + 2]
    return told | {"history": " ".join(words)}


@pytest.mark.long
@pytest.mark.parametrize("rules", ["standard", "openspiel"])
def test_a_history_that_passes_the_referee_has_a_world(rules):
    """Of tampered histories some are impossible; each of the others can really be played."""
    dice = random.Random(6)
    tables, views = new_states()
    n_passed = n_refused = 0
    for record in played("greedy", "simple", rules, 60, seed=12):
        for seat, turn, moment in decisions(record):
            told = without_names(position_of_record(record, seat, turn, moment)).as_dict()
            if not told["history"]:
                continue
            try:
                position = parse_position(**tampered(told, dice))
            except InputError:
                n_refused += 1
                continue
            n_passed += 1
            world = [np.array(cards, np.int8) for cards in some_world(position)]
            numbers = rule_record(position.rules)
            assert set_middle(tables[0], views, numbers, middle_of(position), *world)
            assert views[0].hand == mask_of(position.hand)
            assert views[0].pile[: len(position.seen.pile)].tolist() == list(position.seen.pile)
            assert tables[0].phase == position.seen.phase
    assert n_passed > 50
    assert n_refused > 200


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


@pytest.mark.long
@pytest.mark.parametrize("second", ["greedy:knock=0", "simple"])
def test_unnamed_own_draws_get_cards_that_fit(second):
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
            stale = set() if moment == "discard" else {"best_deadwood", "best_discards"}
            assert_same_views(views[0], true_views[0], skip | stale)
            assert_same_views(views[1], true_views[1])


def test_unnamed_draws_get_the_last_cards_of_the_hand():
    position = parse_position(
        "7s7h7d 4h5h6h 2c2dAs 9c", first="9h", history="p p s/Qd s/7c s/Ks s/Jc"
    )
    assert own_arrivals(position) == tuple(parse_cards("Qd Ks 7s7h7d 4h5h6h 2c2d As 9c"))


def memory_of(position) -> dict:
    seen = position.seen
    told = position.as_dict()
    told.pop("history")
    names = {"took": seen.took, "discarded": seen.discarded & mask_of(seen.pile)}
    return told | {
        "turn": seen.turn,
        "pile": " ".join(card_names(seen.pile)),
        "dealer": "me" if seen.is_dealer else "opponent",
        **{name: " ".join(card_names(cards)) for name, cards in names.items()},
    }


def test_a_memory_fills_the_mover_s_view_as_the_history_does():
    """All but the turns in order, and what was discarded or refused and has left the pile."""
    rules = parse_rules("standard")
    skip = {"own_drawn", "own_discards", "opponent_drew", "opponent_discards_in_order", "shown"}
    skip |= {"opponent_discards", "opponent_refused"}
    n_compared = 0
    for record in played("greedy", "simple", "standard", 20, seed=4):
        for seat, turn, moment in decisions(record):
            if moment != "discard":
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
                continue  # taken by the opponent, discarded and taken back
            position = parse_position(**memory_of(exact))
            assert isinstance(position.past, Memory)
            world = world_of_record(record, seat, turn, moment)
            _, exact_views = built_state(exact, world, rules)
            hidden = [card for card in world.arrivals if exact.seen.unseen >> card & 1]
            table, views = built_state(position, type(world)(tuple(hidden), world.stock), rules)
            assert_same_views(views[0], exact_views[0], skip)
            still = exact_views[0].opponent_discards & mask_of(exact.seen.pile)
            assert views[0].opponent_discards == still
            assert views[1].hand == exact_views[1].hand
            assert views[1].deadwood == exact_views[1].deadwood
            assert (views[0].own_discards == NOTHING_YET).all()
            assert table.deck[table.next_place :].tolist() == list(world.stock)
            n_compared += 1
    assert n_compared > 50


def test_forgotten_cards_of_the_pile_come_from_the_world():
    position = parse_position("7s7h7d 4h5h6h 2c2dAs 9c Kd", turn=5)
    unseen = cards_of(FULL_DECK & ~mask_of(position.hand))
    random.Random(3).shuffle(unseen)
    arrivals, stock = unseen[:10], unseen[10:]
    assert len(stock) == position.seen.stock_left + position.seen.n_forgotten
    assert world_shape(position) == (10, len(stock))
    tables, views = new_states()
    world = np.array(arrivals, np.int8), np.array(stock, np.int8)
    assert set_middle(tables[0], views, rule_record(position.rules), middle_of(position), *world)
    assert views[0].hand == mask_of(position.hand)
    assert views[0].drawn == parse_card("Kd")
    assert views[1].hand == mask_of(arrivals)
    assert views[0].pile[:9].tolist() == stock[22:]
    assert tables[0].deck[tables[0].next_place :].tolist() == stock[:22]
    assert views[0].stock_left == 22
