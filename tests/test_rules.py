"""Rule sets: the presets say what the oracle's say, changes are checked, and prices are right."""

from __future__ import annotations

import dataclasses
import random

import naive
import pytest
from strategies import by_masks, card, mask, melded_hand

from gin_sim.engine.layoff import defence
from gin_sim.rules import (
    BIG_GIN,
    GIN,
    KNOCK,
    OUTCOME_NAMES,
    PRESETS,
    STALLED,
    UNDERCUT,
    WASH,
    Rules,
    RulesError,
    hand_points,
    knock_limit_for,
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
    # The oracle prices hands, not games: only `classic` has a flat shutout, and it is 100.
    theirs |= {"name": name, "shutout_bonus": 100 if name == "classic" else 0}
    assert ours == theirs


def test_standard_is_the_default():
    assert Rules() == PRESETS["standard"] == parse_rules(" standard ")


def test_the_engines_form_keeps_every_number():
    rules = parse_rules(
        "oklahoma:knock_limit=7,gin_bonus=21,big_gin_bonus=33,undercut_bonus=13,tie=zero,"
        "layoff_on_gin=yes,may_discard_taken=yes,stock_floor=4,wall=knock_upcard,"
        "first_upcard=none,stall_turns=99,box_bonus=17"
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
    }
    assert PRESETS["eaai"].numbers().big_gin_bonus == -1


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


def test_several_changes():
    rules = parse_rules("standard:gin_bonus=20,undercut_bonus=10")
    assert (rules.gin_bonus, rules.undercut_bonus, rules.box_bonus) == (20, 10, 25)


@pytest.mark.parametrize(
    ("spec", "sentence"),
    [
        (
            "standart",
            "no rule set is called 'standart'. Did you mean 'standard'? The rule sets are "
            "standard, modern, classic, eaai, openspiel, palace, oklahoma or straight.",
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
