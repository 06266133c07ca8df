"""Rule sets: the presets say what the oracle's say, changes are checked, and prices are right."""

from __future__ import annotations

import dataclasses
import random

import naive
import pytest
from hypothesis import given
from hypothesis import strategies as st
from strategies import by_masks, card, mask, melded_hand

from gin_sim.engine.layoff import defence
from gin_sim.rules import (
    BIG_GIN,
    GIN,
    KNOCK,
    NOBODY,
    OUTCOME_NAMES,
    PRESETS,
    RULE_FIELDS,
    STALLED,
    UNDERCUT,
    WASH,
    RuleNumbers,
    Rules,
    RulesError,
    game_is_over,
    game_stakes,
    game_total,
    hand_points,
    knock_limit_for,
    next_dealer,
    outcome_of,
    parse_rules,
)

# ------------------------------------------------------------------ presets


def test_the_presets_are_the_oracles():
    assert set(PRESETS) == set(naive.PRESETS)


@pytest.mark.parametrize("name", PRESETS)
def test_every_number_of_a_preset_is_the_oracles(name):
    ours = PRESETS[name].as_dict()
    theirs = dict(naive.PRESETS[name])
    theirs["target"] = theirs["target"] or 0  # the oracle's None: a game is one hand
    if name == "straight":
        # Every knock is gin there: no undercut can happen, and its bonus means nothing.
        theirs["undercut_bonus"] = ours["undercut_bonus"]
    assert ours == theirs | {"name": name}


def test_standard_is_the_default():
    assert Rules() == PRESETS["standard"] == parse_rules(" standard ")


def test_the_engines_form_keeps_every_number():
    rules = parse_rules(
        "oklahoma:knock_limit=7,gin_bonus=21,big_gin_bonus=33,undercut_bonus=13,tie=zero,"
        "layoff_on_gin=yes,may_discard_taken=yes,stock_floor=4,wall=knock_upcard,"
        "first_upcard=none,stall_turns=99,box_bonus=17,box_timing=at_once,game_bonus=90,"
        "shutout=flat,shutout_bonus=80,target=250,dealer_rotation=loser,wash_dealer=rotate"
    )
    assert rules.numbers()._asdict() == {
        "knock_limit": 7,
        "limit_from_upcard": 1,
        "ace_upcard_limit": 0,
        "spade_doubles": 1,
        "gin_bonus": 21,
        "big_gin_bonus": 33,
        "undercut_bonus": 13,
        "tie_is_undercut": 0,
        "layoff_on_gin": 1,
        "may_discard_taken": 1,
        "stock_floor": 4,
        "wall_knock": 1,
        "offers_first_upcard": 0,
        "stall_turns": 99,
        "box_bonus": 17,
        "boxes_at_once": 1,
        "game_bonus": 90,
        "shutout_doubles": 0,
        "shutout_bonus": 80,
        "target": 250,
        "winner_deals": 0,
        "loser_deals": 1,
        "wash_rotates": 1,
    }
    assert PRESETS["standard"].numbers()._asdict() == {
        "knock_limit": 10,
        "limit_from_upcard": 0,
        "ace_upcard_limit": 1,
        "spade_doubles": 0,
        "gin_bonus": 25,
        "big_gin_bonus": 31,
        "undercut_bonus": 25,
        "tie_is_undercut": 1,
        "layoff_on_gin": 0,
        "may_discard_taken": 0,
        "stock_floor": 2,
        "wall_knock": 0,
        "offers_first_upcard": 1,
        "stall_turns": 120,
        "box_bonus": 25,
        "boxes_at_once": 0,
        "game_bonus": 0,
        "shutout_doubles": 0,
        "shutout_bonus": 0,
        "target": 100,
        "winner_deals": 0,
        "loser_deals": 0,
        "wash_rotates": 0,
    }
    assert PRESETS["eaai"].numbers().big_gin_bonus == -1
    # A bonus is one of a flat shutout only.
    assert parse_rules("modern:shutout_bonus=50").numbers().shutout_bonus == 0
    assert PRESETS["modern"].numbers().shutout_doubles == PRESETS["modern"].numbers().winner_deals


# ------------------------------------------------------------------ changes


def test_a_change_changes_one_field():
    rules = parse_rules("modern:gin_bonus=20")
    assert rules == dataclasses.replace(PRESETS["modern"], name="modern:gin_bonus=20", gin_bonus=20)


@pytest.mark.parametrize(
    ("change", "field", "value"),
    [
        ("big_gin_bonus=none", "big_gin_bonus", None),
        ("big_gin_bonus=None", "big_gin_bonus", None),
        ("big_gin_bonus=0", "big_gin_bonus", 0),
        ("layoff_on_gin=yes", "layoff_on_gin", True),
        ("layoff_on_gin=TRUE", "layoff_on_gin", True),
        ("layoff_on_gin=1", "layoff_on_gin", True),
        ("spade_doubles=no", "spade_doubles", False),
        ("spade_doubles=false", "spade_doubles", False),
        ("spade_doubles=0", "spade_doubles", False),
        ("tie=zero", "tie", "zero"),
        (" knock_limit = 5 ", "knock_limit", 5),
        ("knock_limit=98", "knock_limit", 98),
        ("stall_turns=1", "stall_turns", 1),
    ],
)
def test_values_are_read(change, field, value):
    assert getattr(parse_rules(f"oklahoma:{change}"), field) == value


def test_a_spec_may_change_several_fields():
    rules = parse_rules("standard:gin_bonus=20,undercut_bonus=10")
    assert (rules.gin_bonus, rules.undercut_bonus, rules.box_bonus) == (20, 10, 25)


@pytest.mark.parametrize(
    ("spec", "sentence"),
    [
        (
            "standart",
            "no rule set is called 'standart'. Did you mean 'standard'? The rule sets are "
            "standard, modern, classic, eaai, openspiel, palace, oklahoma and straight.",
        ),
        ("zzz", "no rule set is called 'zzz'. The rule sets are standard"),
        ("", "no rule set is called ''."),
        (
            "standard:gin_bonu=20",
            "rules have no field 'gin_bonu'. Did you mean 'gin_bonus'? `gin-sim rules show "
            "standard` lists them all.",
        ),
        ("standard:name=x", "rules have no field 'name'."),
        ("standard:gin_bonus", "'gin_bonus' gives no value: write gin_bonus=VALUE."),
        ("standard:gin_bonus=", "'gin_bonus=' gives no value: write gin_bonus=VALUE."),
        ("standard:gin_bonus=20,", "rules have no field ''."),
        (
            "standard:knock_limit=99",
            "the rule knock_limit is 99: it can be a whole number from 0 to 98.",
        ),
        (
            "standard:knock_limit=-1",
            "the rule knock_limit is -1: it can be a whole number from 0 to 98.",
        ),
        (
            "standard:gin_bonus=1.5",
            "the rule gin_bonus is 1.5: it can be a whole number from 0 to 1000.",
        ),
        (
            "standard:gin_bonus=none",
            "the rule gin_bonus is none: it can be a whole number from 0 to 1000.",
        ),
        (
            "standard:stall_turns=121",
            "the rule stall_turns is 121: it can be a whole number from 1 to 120.",
        ),
        (
            "standard:stall_turns=0",
            "the rule stall_turns is 0: it can be a whole number from 1 to 120.",
        ),
        (
            "standard:stock_floor=31",
            "the rule stock_floor is 31: it can be a whole number from 0 to 30.",
        ),
        ("standard:tie=both", "the rule tie is 'both': it can be undercut or zero."),
        ("standard:shutout=3", "the rule shutout is '3': it can be none, double or flat."),
        ("standard:layoff_on_gin=maybe", "the rule layoff_on_gin is 'maybe': it can be yes or no."),
    ],
)
def test_a_bad_spec_is_explained(spec, sentence):
    with pytest.raises(RulesError) as error:
        parse_rules(spec)
    assert str(error.value).startswith(sentence)


@pytest.mark.parametrize(
    "fields",
    [
        {"knock_limit": None},
        {"knock_limit": True},
        {"knock_limit": 10.0},
        {"spade_doubles": 1},
        {"knock_source": None},
        {"target": -1},
    ],
)
def test_rules_made_in_python_are_checked_too(fields):
    with pytest.raises(RulesError, match=next(iter(fields))):
        Rules(**fields)


# ------------------------------------------------------------------ limits


@pytest.mark.parametrize(("ace_upcard", "ace_limit"), [("one", 1), ("gin", 0)])
def test_the_upcard_sets_the_limit_under_oklahoma(ace_upcard, ace_limit):
    rules = parse_rules(f"oklahoma:ace_upcard={ace_upcard}").numbers()
    limits = [ace_limit, 2, 3, 4, 5, 6, 7, 8, 9, 10, 10, 10, 10]
    assert [knock_limit_for(i, rules) for i in range(52)] == limits * 4


def test_a_fixed_limit_does_not_look_at_the_upcard():
    rules = parse_rules("standard:knock_limit=6").numbers()
    assert {knock_limit_for(i, rules) for i in range(52)} == {6}


# ------------------------------------------------------------------ prices


@pytest.mark.parametrize(
    ("preset", "ending", "knocker", "defender", "outcome", "points"),
    [
        ("standard", KNOCK, 9, 30, KNOCK, 21),
        ("standard", KNOCK, 9, 10, KNOCK, 1),
        ("standard", KNOCK, 9, 9, UNDERCUT, -25),
        ("standard", KNOCK, 9, 3, UNDERCUT, -31),
        ("standard", KNOCK, 10, 0, UNDERCUT, -35),
        ("standard", GIN, 0, 0, GIN, 25),
        ("standard", GIN, 0, 40, GIN, 65),
        ("standard", BIG_GIN, 0, 40, BIG_GIN, 71),
        ("standard", WASH, 0, 0, WASH, 0),
        ("standard", STALLED, 0, 0, STALLED, 0),
        ("classic", KNOCK, 9, 9, UNDERCUT, -10),
        ("classic", GIN, 0, 40, GIN, 60),
        ("palace", KNOCK, 5, 2, UNDERCUT, -23),
        ("openspiel", KNOCK, 9, 9, KNOCK, 0),
        ("openspiel", KNOCK, 9, 8, UNDERCUT, -26),
    ],
)
def test_prices_by_hand(preset, ending, knocker, defender, outcome, points):
    rules = PRESETS[preset].numbers()
    assert outcome_of(ending, knocker, defender, rules) == outcome
    assert hand_points(outcome, knocker, defender, card("9h"), rules) == points


@pytest.mark.parametrize("upcard", ["As", "Ks", "Ah", "Kh", "9d", "Kc"])
@pytest.mark.parametrize(
    ("ending", "knocker", "defender", "points"),
    [(KNOCK, 5, 9, 4), (KNOCK, 5, 5, -25), (GIN, 0, 7, 32), (BIG_GIN, 0, 7, 38), (WASH, 0, 0, 0)],
)
def test_a_spade_upcard_doubles_under_oklahoma_only(upcard, ending, knocker, defender, points):
    for preset in ("oklahoma", "standard"):
        rules = PRESETS[preset].numbers()
        outcome = outcome_of(ending, knocker, defender, rules)
        doubled = 2 if preset == "oklahoma" and upcard[1] == "s" else 1
        priced = hand_points(outcome, knocker, defender, card(upcard), rules)
        assert priced == doubled * points


@pytest.mark.long
def test_prices_are_the_oracles():
    """Knocks of every kind, with the engine's defence, priced by the engine and by the oracle."""
    chance = random.Random(7)
    seen = set()
    for trial in range(500):
        size = 11 if trial % 5 == 0 else 10
        knocker = melded_hand(size, 3, chance)
        defender = melded_hand(10, chance.choice((0, 1, 2, 3)), chance, knocker)
        ours = naive.deadwood(knocker)
        if size == 11 and ours > 0:
            continue
        spread = naive.best_spreads(knocker, frozenset(naive.DECK) - knocker)[0]
        for preset in PRESETS:
            if size == 11 and PRESETS[preset].big_gin_bonus is None:
                continue
            for change in ("", ":layoff_on_gin=yes"):
                rules = parse_rules(preset + change)
                oracle_rules = naive.PRESETS[preset] | {"layoff_on_gin": change != ""}
                spade = chance.random() < 0.5
                settled = naive.settle(
                    knocker, defender, oracle_rules, spread=spread, spade_upcard=spade
                )
                theirs = naive.deadwood(defender)
                if ours > 0 or rules.layoff_on_gin:
                    theirs, _ = defence(mask(defender), *by_masks(spread))
                ending = BIG_GIN if size == 11 else KNOCK if ours else GIN
                outcome = outcome_of(ending, ours, theirs, rules.numbers())
                upcard = card("5s" if spade else "5h")
                points = hand_points(outcome, ours, theirs, upcard, rules.numbers())
                assert OUTCOME_NAMES[outcome] == settled.kind, (preset, knocker, defender)
                if preset == "straight" and outcome == UNDERCUT:
                    continue  # no legal hand: its undercut bonus means nothing
                assert (max(points, 0), max(-points, 0)) == settled[1:3], (
                    preset + change,
                    knocker,
                    defender,
                )
                seen.add((OUTCOME_NAMES[outcome], points > 0, points == 0))
    assert {kind for kind, _, _ in seen} == {"knock", "undercut", "gin", "big_gin"}
    assert ("knock", False, True) in seen  # a tie that scores nothing


# -------------------------------------------------------------------- games

bonuses = st.sampled_from([0, 1, 10, 25, 100])
game_rules = st.builds(
    Rules,
    box_bonus=bonuses,
    box_timing=st.sampled_from(["at_end", "at_once"]),
    game_bonus=bonuses,
    shutout=st.sampled_from(["none", "double", "flat"]),
    shutout_bonus=bonuses,
    target=st.sampled_from([0, 1, 20, 50, 100]),
    dealer_rotation=st.sampled_from(["alternate", "winner", "loser"]),
    wash_dealer=st.sampled_from(["same", "rotate"]),
)
#: Few numbers, so that totals tie and targets are met to the point.
hand_results = st.lists(
    st.tuples(st.sampled_from([0, 1]), st.sampled_from([0, 1, 5, 10, 25, 35])) | st.just((None, 0)),
    max_size=30,
)


def settled_by_rules(results, rules, first_dealer):
    """A game by the functions that the engine compiles, in the oracle's form."""
    numbers = rules.numbers()
    points, hands_won, dealers = [0, 0], [0, 0], [first_dealer]
    for winner, scored in results:
        if winner is not None:
            points[winner] += scored
            hands_won[winner] += 1
        last = (0, 0) if winner is None else (points[winner], hands_won[winner])
        ends = game_is_over(*last, numbers)
        totals = [game_total(points[i], hands_won[i], numbers) for i in (0, 1)]
        if ends:
            stakes = game_stakes(*totals, *hands_won, numbers)
            won = None if stakes == 0 else int(stakes < 0)
            return dealers, points, hands_won, winner, True, totals, won, abs(stakes)
        dealers.append(next_dealer(dealers[-1], NOBODY if winner is None else winner, numbers))
    totals = [game_total(points[i], hands_won[i], numbers) for i in (0, 1)]
    return dealers, points, hands_won, None, False, totals, None, 0


@given(game_rules, hand_results, st.sampled_from([0, 1]))
def test_games_are_the_oracles(rules, results, first_dealer):
    oracle_rules = rules.as_dict() | {"target": rules.target or None}
    n_played = next(
        (n for n in range(1, len(results)) if naive.play_game(results[:n], oracle_rules).over),
        len(results),
    )
    found = settled_by_rules(results[:n_played], rules, first_dealer)
    game = naive.play_game(results[:n_played], oracle_rules, first_dealer)
    assert [list(x) if isinstance(x, tuple) else x for x in game] == list(found)
    # Exchanging the players turns the sign.
    if game.over:
        numbers = rules.numbers()
        one = game_stakes(*game.totals, *game.hands_won, numbers)
        assert one == -game_stakes(*game.totals[::-1], *game.hands_won[::-1], numbers)


def test_only_boxes_at_the_end_let_the_player_who_reached_the_target_lose():
    results = [(1, 10)] * 7 + [(0, 40)] * 3
    for spec, winner in (("standard", 1), ("standard:box_timing=at_once", 1), ("eaai", 0)):
        rules = parse_rules(spec)
        oracle_rules = rules.as_dict()
        n = next(n for n in range(1, 11) if naive.play_game(results[:n], oracle_rules).over)
        game = naive.play_game(results[:n], oracle_rules)
        assert game.winner == winner
        assert (game.winner == game.reacher) is (spec != "standard")


# ------------------------------------------------------------------- fields


def test_every_field_is_described_and_its_default_is_the_standard_game():
    described = {field.name: field for field in RULE_FIELDS}
    assert list(described) == [name for name in Rules().as_dict() if name != "name"]
    for name, field in described.items():
        assert field.meaning, name
        assert not field.meaning.endswith("."), name
        assert field.allows(field.default), name
        assert field.default == getattr(Rules(), name)
        assert f"{name} : {field.values}" in Rules.__doc__


def test_the_engine_has_a_number_for_every_field_and_no_other():
    names = [number for field in RULE_FIELDS for number in field.numbers]
    assert tuple(names) == RuleNumbers._fields
    assert len(set(names)) == len(names)
    assert all(field.numbers for field in RULE_FIELDS)


@pytest.mark.parametrize("field", RULE_FIELDS, ids=lambda field: field.name)
def test_a_value_as_text_is_read_again(field):
    values = {getattr(rules, field.name) for rules in PRESETS.values()}
    for value in values | {field.default}:
        assert field.read(field.text(value)) == value
        assert parse_rules(f"standard:{field.name}={field.text(value)}") == dataclasses.replace(
            Rules(), name=f"standard:{field.name}={field.text(value)}", **{field.name: value}
        )


def test_fields_of_whole_games_are_named_as_such():
    of_games = {field.name for field in RULE_FIELDS if field.of_games}
    assert of_games == {
        "box_timing",
        "game_bonus",
        "shutout",
        "shutout_bonus",
        "target",
        "dealer_rotation",
        "wash_dealer",
    }
