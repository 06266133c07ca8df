"""Recorded hands: what policies play is legal and priced right, and what is not is found.

The referee of ``naive.py`` says what is legal; it knows nothing of the engine.
"""

from __future__ import annotations

import copy
import json
import random
from collections import Counter
from itertools import product
from pathlib import Path

import msgspec
import naive
import pytest
from test_naive import built, drawn_to_the_wall, ginned, handed_back_and_forth, knocked

from gin_sim.cards import card_name, mask_of, parse_cards
from gin_sim.cli import main
from gin_sim.engine.spread import layoffs_in_order
from gin_sim.play import record as recording
from gin_sim.play.plans import Plan
from gin_sim.play.record import play_recorded
from gin_sim.play.replay import Replayer, replay
from gin_sim.play.run import simulate
from gin_sim.play.tallies import POINTS, STALLS, TURNS, WASHES
from gin_sim.policies.catalogue import CATALOGUE, parse_policy
from gin_sim.policies.contract import PolicyError
from gin_sim.records import HandRecord, read_records, write_records
from gin_sim.rules import OUTCOME_NAMES, PRESETS, STALLED, parse_rules

DATA = Path(__file__).parents[1] / "data"
HAND_FILES = sorted(DATA.glob("hands-*.jsonl"))

# Every rule that a hand can meet, away from its default.
OTHER_RULES = (
    "standard:layoff_on_gin=yes",
    "standard:layoff_on_gin=yes,big_gin_bonus=0,knock_limit=98",
    "eaai:may_discard_taken=yes",
    "eaai:stall_turns=9",
    "standard:first_upcard=none",
    "standard:first_upcard=none,stock_floor=0,knock_limit=0",
    "standard:stock_floor=10,wall=knock_upcard",
    "openspiel:stock_floor=25,spade_doubles=yes,stall_turns=12",
    "standard:stock_floor=29,wall=knock_upcard,stall_turns=2",
    "standard:knock_source=upcard,ace_upcard=one,tie=zero",
    "classic:gin_bonus=1,undercut_bonus=0,spade_doubles=yes",
)
ALL_RULES = (*PRESETS, *OTHER_RULES)
SPECS = (*CATALOGUE, "greedy:knock=0")


def told(record):
    """A record as the referee reads it."""
    return json.loads(msgspec.json.encode(record))


def typed(record):
    return msgspec.convert(record, HandRecord)


def played(pair, rules="standard", n_hands=200, seed=5, **options):
    policies = (parse_policy(pair[0]), parse_policy(pair[1]))
    return list(play_recorded(policies, parse_rules(rules), seed, n_hands, **options))


def referee(record, rules=None):
    return naive.referee(record, parse_rules(rules or record["rules"]).as_dict())


# --------------------------------------------------------- hands that are right


@pytest.mark.long
@pytest.mark.parametrize("path", HAND_FILES, ids=lambda path: path.stem)
def test_hands_of_other_engines_are_legal_and_priced_the_same(path):
    replayer = Replayer()
    for line, record in read_records(path):
        replayed = replayer.replay(record)
        assert replayed.fault is None, f"line {line}: {replayed.fault}"
        assert replayed.end.points == record.end.points
        assert replayed.end.kind == record.end.kind
        record.end = replayed.end
        assert referee(told(record)) is None
        assert replayer.replay(record).end == record.end


def ring(rules) -> list[tuple[str, str]]:
    """Every policy against another: another one under each rule set."""
    shift = 1 + ALL_RULES.index(rules) % (len(SPECS) - 1)
    return [(spec, SPECS[(i + shift) % len(SPECS)]) for i, spec in enumerate(SPECS)]


@pytest.mark.long
@pytest.mark.parametrize("rules", ALL_RULES)
def test_every_recorded_hand_passes_the_referee_and_replays(rules, some):
    every_hand_is_right(ring(rules), rules, n_hands=some(100))


@pytest.mark.slow
@pytest.mark.parametrize("rules", ALL_RULES)
def test_very_many_recorded_hands_pass_the_referee_and_replay(rules):
    every_hand_is_right(product(SPECS, SPECS), rules, n_hands=40, first_deal=10**6)


def every_hand_is_right(pairs, rules, **which):
    replayer = Replayer()
    for pair in pairs:
        for record in played(pair, rules, **which):
            assert referee(told(record)) is None
            replayed = replayer.replay(record)
            assert replayed.fault is None
            assert replayed.end == record.end


@pytest.mark.long
def test_those_hands_show_every_way_to_end():
    seen = Counter()
    hands = ((rules, pair) for rules in ALL_RULES for pair in ring(rules))
    for rules, pair in hands:
        for record in played(pair, rules, n_hands=60):
            end, turns = record.end, record.turns
            seen[end.kind] += 1
            if end.kind == "wash":
                seen[OUTCOME_NAMES[replay(record).outcome]] += 1
                continue
            seen["layoffs"] += bool(end.layoffs)
            seen["layoffs on gin"] += bool(end.layoffs) and end.kind == "gin"
            seen["layoffs on big gin"] += bool(end.layoffs) and end.kind == "big_gin"
            seen["tie that is no undercut"] += end.kind == "knock" and end.points == (0, 0)
            seen["discarded back"] += any(t.card and t.card == t.discard for t in turns[-1:])
            draws = sum(turn.draw == "stock" for turn in turns)
            floor = parse_rules(rules).stock_floor
            at_wall = 31 - draws <= floor and turns[-1].draw == "upcard"
            seen["knock at the wall"] += at_wall
    kinds = ("knock", "undercut", "gin", "big_gin", "wash", "stalled")
    for what in (*kinds, "layoffs", "layoffs on gin", "tie that is no undercut"):
        assert seen[what] >= 10, what
    assert seen["knock at the wall"] >= 3


@pytest.mark.jitless
@pytest.mark.parametrize("rules", ["standard", "openspiel:stock_floor=20,stall_turns=15"])
def test_a_few_recorded_hands_pass_the_referee_and_replay(rules):
    replayer = Replayer()
    for pair in (("greedy", "simple"), ("random", "greedy:knock=0")):
        for record in played(pair, rules, n_hands=6):
            assert referee(told(record)) is None
            assert replayer.replay(record) == replay(record)
            assert replayer.replay(record).end == record.end


@pytest.mark.jitless
@pytest.mark.parametrize(
    "record",
    [
        knocked(),
        ginned(big=False),
        ginned(big=True),
        drawn_to_the_wall(),
        drawn_to_the_wall("openspiel"),
        handed_back_and_forth(120),
    ],
    ids=["knock", "gin", "big gin", "wall", "openspiel's wall", "stall"],
)
def test_hands_built_for_the_referee_replay(record):
    assert referee(record) is None
    assert replay(typed(record)).fault is None


# --------------------------------------------------- what play_recorded promises


@pytest.mark.parametrize("mirrored", [True, False])
def test_the_recorded_hands_are_those_of_the_simulation(mirrored):
    pair = (parse_policy("greedy:knock=4"), parse_policy("random"))
    rules = parse_rules("standard:stall_turns=14")
    plan = Plan(pair, rules, 400, seed=11, mirrored=mirrored)
    tally = simulate(plan, threads=1).tally[0]
    points, washes, stalls, turns = [0, 0], 0, 0, 0
    for record in play_recorded(pair, rules, 11, 400, mirrored=mirrored):
        for seat in range(2):
            points[seat ^ record.leg] += record.end.points[seat]
        washes += record.end.kind == "wash"
        stalls += replay(record).outcome == STALLED
        turns += sum(turn.draw != "pass" for turn in record.turns)
    assert points == tally.sums[POINTS].tolist()
    shared = [tally.shared[measure] for measure in (WASHES, STALLS, TURNS)]
    assert [washes, stalls, turns] == shared


@pytest.mark.jitless
def test_hands_are_numbered_by_deal_and_leg():
    pair = ("greedy", "simple")
    mirrored = played(pair, n_hands=5, seed=3)
    assert [(r.deal_index, r.leg) for r in mirrored] == [(0, 0), (0, 1), (1, 0), (1, 1), (2, 0)]
    assert [r.players for r in mirrored[:2]] == [pair, pair[::-1]]
    assert [r.dealer for r in mirrored] == [0, 0, 1, 1, 0]
    assert mirrored[0].deal == mirrored[1].deal
    assert mirrored[0].stock == mirrored[1].stock
    plain = played(pair, n_hands=3, seed=3, mirrored=False)
    assert [(r.deal_index, r.leg) for r in plain] == [(0, 0), (1, 0), (2, 0)]
    assert plain == mirrored[::2]
    assert played(pair, n_hands=2, seed=3, first_deal=1) == mirrored[2:4]
    assert all((r.seed, r.rules) == (3, "standard") for r in mirrored)


def test_an_illegal_step_of_a_policy_is_reported(monkeypatch):
    play_hand = recording._play_hand

    def fail(tables, views, *rest):
        facts = play_hand(tables, views, *rest)
        tables[0].fault = recording.CARD_BARRED
        tables[0].mover = 1
        return facts._replace(ending=recording.FAULT, n_turns=4)

    monkeypatch.setattr(recording, "_play_hand", fail)
    with pytest.raises(PolicyError) as caught:
        played(("greedy", "simple"), n_hands=1, seed=3)
    assert str(caught.value) == (
        "the policy simple discarded the card that it had just taken from the pile, in "
        "turn 5 of deal "
        "0, leg 0, seed 3: policies may take only legal steps."
    )


def test_records_are_written_read_and_written_the_same(tmp_path):
    records = played(("greedy", "random"), "oklahoma", n_hands=100)
    once, twice = tmp_path / "once", tmp_path / "twice"
    write_records(once, records)
    again = [record for _, record in read_records(once)]
    assert again == records
    write_records(twice, again)
    assert once.read_bytes() == twice.read_bytes()


# ------------------------------------------------------------- records spoilt


def spoilt(record, *changes):
    record = copy.deepcopy(record)
    for change in changes:
        change(record)
    return record


def turn(index, **fields):
    return lambda record: record["turns"][index].update(fields)


def end(**fields):
    return lambda record: record["end"].update(fields)


def cut(index):
    return lambda record: record["turns"].pop(index)


def add(*turns):
    return lambda record: record["turns"].extend(turns)


def ruled(rules):
    return lambda record: record.update(rules=rules)


def upcard(card):
    """Put a card of the stock in the upcard's place."""

    def change(record):
        place = record["stock"].index(card)
        record["stock"][place], record["upcard"] = record["upcard"], card

    return change


AGAIN = {"player": 0, "draw": "stock", "card": "As", "discard": "As"}
TAKES_ACE = {"player": 0, "draw": "upcard", "card": "Ac", "discard": "Kc"}
DISCARDS_BACK = {"player": 1, "draw": "upcard", "card": "Kd", "discard": "Kd"}
OPEN = built("2s2h2d3s3h3d4s4h9cTc", "5s5h5d6s6h6d7s7hJcQc", "Kd")
WALL, OPENSPIEL_WALL = drawn_to_the_wall(), drawn_to_the_wall("openspiel", low_hand_at=0)
HANDED = handed_back_and_forth(121)

# name: (record, turn that is not legal or None for the end, sentence)
FAULTS = {
    "not its turn": (
        spoilt(knocked(), turn(1, player=1)),
        2,
        "turn 2: seat 1 plays, and it is seat 0's turn.",
    ),
    "the dealer starts": (
        spoilt(knocked(), cut(0)),
        1,
        "turn 1: seat 0 plays, and it is seat 1's turn.",
    ),
    "a third pass": (
        spoilt(knocked(), turn(2, draw="pass")),
        3,
        "turn 3: seat 1 passes, and only the first upcard can be passed, once by each player.",
    ),
    "a pass with no offer": (
        spoilt(knocked(), ruled("standard:first_upcard=none")),
        1,
        "turn 1: seat 1 passes, and only the first upcard can be passed, once by each player.",
    ),
    "a pass with a card": (
        spoilt(knocked(), turn(1, card="2h")),
        2,
        "turn 2: seat 0 passes, and a pass has no card, no discard and no knock.",
    ),
    "the stock before the upcard": (
        spoilt(knocked(), cut(0), cut(0)),
        1,
        "turn 1: seat 1 draws from the stock, and the first upcard can only be taken or passed.",
    ),
    "the upcard after two passes": (
        spoilt(knocked(), turn(2, draw="upcard", card="Qd")),
        3,
        "turn 3: seat 1 takes the upcard, and after two passes it must draw from the stock.",
    ),
    "another stock card": (
        spoilt(knocked(), turn(2, card="4s")),
        3,
        "turn 3: seat 1 draws 4s from the stock, whose top card is 2h.",
    ),
    "no stock card": (
        spoilt(knocked(), turn(2, card=None)),
        3,
        "turn 3: seat 1 draws no card from the stock, whose top card is 2h.",
    ),
    "another upcard": (
        spoilt(HANDED, turn(4, card="2h")),
        5,
        "turn 5: seat 1 takes 2h, and the upcard is Jc.",
    ),
    "a card not held": (
        spoilt(knocked(), turn(2, discard="8h")),
        3,
        "turn 3: seat 1 discards 8h, which it does not hold.",
    ),
    "no discard": (spoilt(knocked(), turn(2, discard=None)), 3, "turn 3: seat 1 discards no card."),
    "a card just taken": (
        spoilt(OPEN, add(DISCARDS_BACK)),
        1,
        "turn 1: seat 1 discards Kd, which it has just taken from the pile.",
    ),
    "a knock too high": (
        spoilt(knocked(), turn(2, discard="As")),
        3,
        "turn 3: seat 1 knocks with deadwood 14, and the limit is 10.",
    ),
    "a knock above the upcard": (
        spoilt(knocked(), ruled("oklahoma"), upcard("3c")),
        3,
        "turn 3: seat 1 knocks with deadwood 6, and the limit is 3.",
    ),
    "big gin unknown": (
        spoilt(ginned(big=True), ruled("eaai")),
        3,
        "turn 3: seat 1 lays down big gin, which these rules do not have.",
    ),
    "big gin with a discard": (
        spoilt(ginned(big=True), turn(2, discard="Ac")),
        3,
        "turn 3: seat 1 lays down big gin and discards Ac, and big gin has no discard.",
    ),
    "big gin with deadwood": (
        spoilt(knocked(), turn(2, discard=None, big_gin=True)),
        3,
        "turn 3: seat 1 lays down big gin, and not all of As Ac 2h 2d 5h 6h 7h 9s Ks Kd Kc can be "
        "melded.",
    ),
    "on after a knock": (
        spoilt(knocked(), add(AGAIN)),
        4,
        "turn 4: seat 0 plays on, and the hand is over: seat 1 knocked.",
    ),
    "on after big gin": (
        spoilt(ginned(big=True), add(AGAIN)),
        4,
        "turn 4: seat 0 plays on, and the hand is over: seat 1 laid down big gin.",
    ),
    "on after the wall": (
        spoilt(WALL, add(TAKES_ACE)),
        32,
        "turn 32: seat 0 plays on, and the hand is over: the stock was down to 2 cards.",
    ),
    "on after the stall": (
        HANDED,
        121,
        "turn 121: seat 1 plays on, and the hand is over: a hand may last 120 turns.",
    ),
    "openspiel's wall without a knock": (
        spoilt(OPENSPIEL_WALL, add(TAKES_ACE)),
        32,
        "turn 32: seat 0 takes the upcard, and with 2 cards in the stock that is only to knock.",
    ),
    "openspiel's wall with a high knock": (
        spoilt(OPENSPIEL_WALL, add(TAKES_ACE | {"discard": "9c", "knock": True})),
        32,
        "turn 32: seat 0 knocks with deadwood 36, and the limit is 10.",
    ),
    "openspiel's wall and the stock": (
        spoilt(
            OPENSPIEL_WALL,
            add(TAKES_ACE | {"draw": "stock", "card": WALL["stock"][29], "knock": True}),
        ),
        32,
        "turn 32: seat 0 draws from the stock, which is down to its last 2 cards.",
    ),
    "no end in sight": (
        spoilt(WALL, cut(-1)),
        None,
        "end: the turns stop while the hand is still open.",
    ),
    "no end short of the stall": (
        handed_back_and_forth(119),
        None,
        "end: the turns stop while the hand is still open.",
    ),
    "a knock that is no wash": (
        spoilt(knocked(), end(kind="wash")),
        None,
        "end: the kind is recorded as wash, and the engine makes it knock.",
    ),
    "a wash that is no knock": (
        spoilt(WALL, end(kind="knock")),
        None,
        "end: the kind is recorded as knock, and the engine makes it wash.",
    ),
    "a knock that is no undercut": (
        spoilt(knocked(), end(kind="undercut")),
        None,
        "end: the kind is recorded as undercut, and the engine makes it knock.",
    ),
    "gin that is no knock": (
        spoilt(ginned(big=False), end(kind="knock")),
        None,
        "end: the kind is recorded as knock, and the engine makes it gin.",
    ),
    "a wash with a knocker": (
        spoilt(WALL, end(knocker=1)),
        None,
        "end: the knocker is recorded as seat 1, and there is none.",
    ),
    "a wash with layoffs": (
        spoilt(WALL, end(layoffs=[("8h", 0)])),
        None,
        "end: the record has layoffs, and in a wash nothing is shown.",
    ),
    "a wash with points": (
        spoilt(WALL, end(points=[0, 5])),
        None,
        "end: the points are recorded as [0, 5], and the engine makes them [0, 0].",
    ),
    "the other knocker": (
        spoilt(knocked(), end(knocker=0)),
        None,
        "end: the knocker is recorded as seat 0, and it is seat 1.",
    ),
    "other points": (
        spoilt(knocked(), end(points=[0, 28])),
        None,
        "end: the points are recorded as [0, 28], and the engine makes them [0, 27].",
    ),
    "points to the other": (
        spoilt(knocked(), end(points=[27, 0])),
        None,
        "end: the points are recorded as [27, 0], and the engine makes them [0, 27].",
    ),
    "the knocker's meld is none": (
        spoilt(knocked(), end(knocker_melds=[["5h", "6h"], ["Ks", "Kc", "Kd"]])),
        None,
        "end: seat 1 shows 5h 6h, which is no meld.",
    ),
    "the knocker's meld is not held": (
        spoilt(knocked(), end(knocker_melds=[["6h", "7h", "8h"], ["Ks", "Kc", "Kd"]])),
        None,
        "end: seat 1 shows 8h, which it does not hold.",
    ),
    "the knocker's meld is there twice": (
        spoilt(knocked(), end(knocker_melds=[["Ks", "Kc", "Kd"], ["Ks", "Kc", "Kd"]])),
        None,
        "end: seat 1 shows Ks Kd Kc in two melds.",
    ),
    "a card twice in a meld": (
        spoilt(knocked(), end(knocker_melds=[["5h", "6h", "7h", "7h"]])),
        None,
        "end: seat 1 shows 7h twice.",
    ),
    "a spread that leaves too much": (
        spoilt(knocked(), end(knocker_melds=[["Ks", "Kc", "Kd"]], knocker_deadwood=None)),
        None,
        "end: seat 1 shows melds that leave deadwood 24, and a knock needs 10 or less.",
    ),
    "big gin shown with a loose card": (
        spoilt(
            ginned(big=True),
            end(
                knocker_melds=[["2c", "3c", "4c"], ["5d", "6d", "7d", "8d"], ["9h", "Th", "Jh"]],
                knocker_deadwood=["Ac"],
            ),
        ),
        None,
        "end: seat 1 shows melds that leave deadwood 1, and big gin needs 0.",
    ),
    "other deadwood of the knocker": (
        spoilt(knocked(), end(knocker_deadwood=["As", "Ac", "2d"])),
        None,
        "end: seat 1's deadwood is recorded as As Ac 2d, and its melds leave As Ac 2h 2d.",
    ),
    "deadwood that does not meld": (
        spoilt(knocked(), end(knocker_melds=None, layoffs=None, knocker_deadwood=["As", "Ac"])),
        None,
        "end: seat 1's deadwood is recorded as As Ac, and its other cards do not all meld.",
    ),
    "the defender's meld is none": (
        spoilt(knocked(), end(defender_melds=[["4c", "4d", "3s"]])),
        None,
        "end: seat 0 shows 3s twice.",
    ),
    "the defender's cards are no meld": (
        spoilt(
            knocked(),
            end(defender_melds=[["4c", "4d", "3s"]], defender_deadwood=["4h", "Qc", "Jd", "Ts"]),
        ),
        None,
        "end: seat 0 shows 3s 4d 4c, which is no meld.",
    ),
    "the defender keeps a card back": (
        spoilt(knocked(), end(defender_deadwood=["Qc", "Jd", "Ts"])),
        None,
        "end: seat 0 does not show 3s, melded, laid off or left.",
    ),
    "a layoff that does not fit": (
        spoilt(knocked(), end(layoffs=[["9h", 0], ["8h", 0], ["Kh", 1]])),
        None,
        "end: seat 0 lays 9h off on 5h 6h 7h, where it does not fit.",
    ),
    "a layoff on no meld": (
        spoilt(knocked(), end(layoffs=[["8h", 0], ["9h", 0], ["Kh", 2]])),
        None,
        "end: seat 0 lays Kh off on meld 2, and the melds are numbered 0 to 1.",
    ),
    "a layoff on gin": (
        spoilt(
            ginned(big=False),
            end(
                layoffs=[["8h", 2]],
                defender_deadwood=["Ks", "Kc", "Qd", "Js", "9s", "2h", "4h", "6h", "Td"],
            ),
        ),
        None,
        "end: seat 0 lays off on a gin hand, which these rules do not allow.",
    ),
    "a poor defence": (
        spoilt(
            knocked(),
            end(layoffs=[["8h", 0], ["Kh", 1]], defender_deadwood=["3s", "9h", "Qc", "Jd", "Ts"]),
        ),
        None,
        "end: seat 0's deadwood is recorded as 42, and its best defence leaves 33.",
    ),
    "a poor defence untold": (
        spoilt(knocked(), end(layoffs=[["8h", 0], ["Kh", 1]], defender_deadwood=None)),
        None,
        "end: seat 0's deadwood is recorded as 42, and its best defence leaves 33.",
    ),
}


@pytest.mark.jitless
@pytest.mark.parametrize("name", FAULTS)
def test_a_fault_is_named_by_its_turn(name):
    record, number, sentence = FAULTS[name]
    replayed = replay(typed(record))
    assert replayed.fault == sentence
    assert replayed.turn == number
    found = referee(record)
    if number is not None:
        assert found.startswith(f"turn {number - 1}: ")
        assert replayed.end is replayed.outcome is None
    elif name != "a poor defence untold":  # a defence that is not told whole is not refereed
        assert found.startswith("end: ")


@pytest.mark.jitless
def test_a_fault_shows_suits_as_symbols_where_they_can_be_shown():
    record, _, _ = FAULTS["another stock card"]
    assert replay(typed(record), symbols=True).fault == (
        "turn 3: seat 1 draws 4♠ from the stock, whose top card is 2♥."
    )


def mutated(record, rng):
    """A record with one or two things changed, about as a careless program might."""
    record = copy.deepcopy(record)
    turns, told_end = record["turns"], record["end"]
    for _ in range(rng.choice((1, 1, 2))):
        at = rng.randrange(len(turns))
        one = rng.choice((turns[at], turns[-1]))
        what = rng.randrange(12)
        if what == 0:
            one["player"] ^= 1
        elif what == 1:
            one["draw"] = rng.choice(("pass", "upcard", "stock"))
        elif what == 2:
            one["card"] = rng.choice(naive.DECK)
        elif what == 3:
            one["discard"] = rng.choice((*naive.DECK, one.get("card"), None))
        elif what == 4:
            one["knock"] = not one.get("knock")
        elif what == 5:
            one["big_gin"] = not one.get("big_gin")
            if one["big_gin"]:
                one["discard"] = None
        elif what == 6 and len(turns) > 1:
            turns.pop(at)
        elif what == 7:
            turns.insert(at, copy.deepcopy(turns[at]))
        elif what == 8:
            told_end["kind"] = rng.choice(("knock", "undercut", "gin", "big_gin", "wash"))
        elif what == 9:
            told_end["points"] = [rng.choice((0, p, p + 1)) for p in told_end["points"]]
        elif what == 10:
            told_end["knocker"] = rng.choice((0, 1, None))
        else:
            record["rules"] = rng.choice(ALL_RULES)
    return record


@pytest.mark.long
def test_replay_and_the_referee_find_the_same_first_fault(some):
    rng = random.Random(8)
    replayer = Replayer()
    found = Counter()
    for rules, pair in product(ALL_RULES, (("greedy", "simple"), ("random", "greedy:knock=0"))):
        for record in map(told, played(pair, rules, n_hands=some(25), seed=9)):
            for _ in range(4):
                other = mutated(record, rng)
                replayed, fault = replayer.replay(typed(other)), referee(other)
                if replayed.turn is not None:
                    assert (fault or "").startswith(f"turn {replayed.turn - 1}: "), other
                else:
                    assert (replayed.fault is None) == (fault is None), (replayed.fault, fault)
                    assert fault is None or fault.startswith("end: ")
                found["turn" if replayed.turn else "end" if fault else "none"] += 1
    assert min(found[what] for what in ("turn", "end", "none")) > some(100)


# --------------------------------------------------------- the spread as shown


def test_the_hand_is_priced_for_the_spread_shown():
    # Three runs give the defender three fifths of its hand; three sets give it nothing.
    record = built("5s6s7s5c6c7c5d6d7dAs", "3s4s4c4d8s8c8d5h6h7h", "Kd", stock_top="2h")
    record["turns"] = [
        {"player": 1, "draw": "pass"},
        {"player": 0, "draw": "pass"},
        {"player": 1, "draw": "stock", "card": "2h", "discard": "2h", "knock": True},
    ]
    runs = [[r + s for r in "567"] for s in "scd"]
    sets = [[r + s for s in "sdc"] for r in "567"]
    for melds, points in ((runs, (26, 0)), (sets, (0, 2)), (None, (0, 2))):
        record["end"] = {"kind": None, "knocker_melds": melds}
        replayed = replay(typed(record))
        assert (replayed.fault, replayed.end.points) == (None, points)
        record["end"] = told(replayed.end)
        assert referee(record) is None
        if melds:
            assert replayed.end.knocker_melds == melds


@pytest.mark.jitless
@pytest.mark.parametrize(
    ("melds", "laid", "layoffs"),
    [
        # A king is not below the next suit's ace, nor an ace above the king before it.
        (["Ah2h3h", "TsJsQs"], "Ks", [("Ks", 1)]),
        (["JsQsKs", "2h3h4h"], "Ah", [("Ah", 1)]),
        (["5h6h7h", "8h9hTh"], "4hJhQh", [("4h", 0), ("Jh", 1), ("Qh", 1)]),
        (["9h9d9c", "5s6s7s"], "8s9s", [("8s", 1), ("9s", 1)]),
        (["9h9d9c", "5s6s7s"], "9s", [("9s", 0)]),
    ],
)
def test_layoffs_are_listed_in_order_with_the_meld_they_fit(melds, laid, layoffs):
    masks = [mask_of(parse_cards(meld)) for meld in melds]
    told_layoffs = layoffs_in_order(masks, mask_of(parse_cards(laid)))
    assert [(card_name(card), index) for card, index in told_layoffs] == layoffs


@pytest.mark.jitless
def test_a_player_may_show_more_deadwood_than_it_must():
    # Ten melded cards, shown with an ace loose: a knock with 1, on which can be laid off.
    record = ginned(big=False)
    record["turns"][-1]["discard"] = "Jh"
    hand = [["Ac", "2c", "3c", "4c"], ["5d", "6d", "7d", "8d"], ["9h", "Th"]]
    assert replay(typed(record)).fault.startswith("turn 3: seat 1 knocks with deadwood 19")
    record["turns"][-1]["discard"] = "4c"
    record["end"] = {"knocker_melds": [["Ac", "2c", "3c"], hand[1], [*hand[2], "Jh"]]}
    assert replay(typed(record)).end.kind == "gin"
    record["end"] = {"knocker_melds": [["Ac", "2c", "3c"], hand[1][:3], [*hand[2], "Jh"]]}
    replayed = replay(typed(record))
    assert replayed.fault is None
    assert replayed.end.kind == "knock"
    assert replayed.end.knocker_deadwood == ["8d"]
    assert ("8h", 2) in replayed.end.layoffs
    record["rules"] = "straight"
    assert replay(typed(record)).fault == (
        "end: seat 1 shows melds that leave deadwood 8, and a knock needs 0."
    )


def test_without_melds_the_recorded_deadwood_decides_the_spread():
    rng = random.Random(2)
    for record in played(("greedy", "simple"), n_hands=300):
        whole = replay(record)
        if whole.end.kind == "wash":
            continue
        bare = told(record)
        bare["end"] = {
            "knocker_deadwood": rng.sample(
                record.end.knocker_deadwood, k=len(record.end.knocker_deadwood)
            )
        }
        replayed = replay(typed(bare))
        assert replayed.fault is None
        assert sorted(replayed.end.knocker_deadwood) == sorted(record.end.knocker_deadwood)


# -------------------------------------------------------------- other rules


def repriced(record, rules):
    """Kind and points by seat, by the referee's settlement, under other rules."""
    if record.end.kind == "wash":
        return "wash", (0, 0)
    points = [0, 0]
    ours = [card for meld in record.end.knocker_melds for card in meld]
    ours += record.end.knocker_deadwood
    theirs = [card for meld in record.end.defender_melds for card in meld]
    theirs += record.end.defender_deadwood + [card for card, _ in record.end.layoffs]
    rules = parse_rules(rules).as_dict()
    big_gin_unknown = len(ours) == 11 and rules["big_gin_bonus"] is None
    settled = naive.settle(
        ours,
        theirs,
        {**rules, "big_gin_bonus": rules["gin_bonus"]} if big_gin_unknown else rules,
        spread=record.end.knocker_melds,
        spade_upcard=record.upcard[1] == "s",
    )
    points[record.end.knocker] = settled.knocker_points
    points[1 - record.end.knocker] = settled.defender_points
    return "gin" if big_gin_unknown else settled.kind, tuple(points)


@pytest.mark.long
@pytest.mark.parametrize("rules", ALL_RULES)
def test_other_rules_price_the_same_play(rules, some):
    replayer = Replayer(parse_rules(rules))
    kinds = Counter()
    for own in ("standard", "openspiel", "oklahoma", "standard:layoff_on_gin=yes"):
        for pair in (("greedy:knock=0", "simple"), ("greedy", "random")):
            for record in played(pair, own, n_hands=some(150), seed=8):
                replayed = replayer.replay(record)
                assert replayed.fault is None
                assert (replayed.end.kind, replayed.end.points) == repriced(record, rules)
                kinds[record.end.kind] += 1
    assert kinds["big_gin"] > 0


@pytest.mark.jitless
def test_big_gin_is_gin_where_there_is_no_big_gin():
    record = typed(ginned(big=True))
    left = sum(naive.pips(card) for card in record.deal[0])
    for rules, kind, bonus in (("standard", "big_gin", 31), ("classic", "gin", 20)):
        end = replay(record, parse_rules(rules)).end
        assert (end.kind, end.points) == (kind, (0, left + bonus))
    assert replay(typed(ginned(big=False)), parse_rules("standard")).end.kind == "gin"


@pytest.mark.jitless
def test_other_rules_do_not_decide_what_was_legal():
    record = typed(knocked())
    assert replay(record, parse_rules("straight")).end.points == (0, 27)
    record.turns[-1].discard = "As"
    assert replay(record, parse_rules("standard:knock_limit=98")).turn == 3


# ------------------------------------------------------------- the command


@pytest.fixture
def run(capsys):
    def run(*arguments):
        with pytest.raises(SystemExit) as left:
            main(["replay", *map(str, arguments)])
        out, err = capsys.readouterr()
        return left.value.code, out, err

    return run


def save(path, *records):
    path.write_text("".join(json.dumps(record) + "\n" for record in records))
    return path


def test_the_command_counts_outcomes(run):
    code, out, err = run(DATA / "hands-eaai-taylor-simple.jsonl")
    assert (code, err) == (0, "")
    lines = out.splitlines()
    assert lines[0] == "100 recorded hands · eaai rules"
    assert lines[2].split() == ["outcome", "hands", "share", "points", "per", "hand"]
    assert [line.split()[:3] for line in lines[3:9]] == [
        ["knock", "77", "77.0"],
        ["undercut", "20", "20.0"],
        ["gin", "2", "2.0"],
        ["big", "gin", "0"],
        ["wash", "1", "1.0"],
        ["all", "100", "100.0"],
    ]
    assert lines[-2].startswith("points per hand by player: taylor ")
    assert lines[-1] == "no faults"


def test_the_command_names_each_fault_and_leaves_with_1(run, tmp_path):
    bad, worse = FAULTS["another stock card"][0], FAULTS["other points"][0]
    path = save(tmp_path / "hands.jsonl", knocked(), bad, ginned(True), worse)
    code, out, err = run(path)
    assert (code, err) == (1, "")
    assert out.splitlines()[0] == "4 recorded hands · standard rules"
    assert out.splitlines()[-3:] == [
        "2 hands have faults:",
        "line 2: turn 3: seat 1 draws 4♠ from the stock, whose top card is 2♥.",
        "line 4: end: the points are recorded as [0, 28], and the engine makes them [0, 27].",
    ]

    code, out, err = run(path, "--json")
    assert (code, err) == (1, "")
    assert json.loads(out) == {
        "kind": "replay",
        "partial": False,
        "command": f"gin-sim replay {path} --json",
        "seconds": {},
        "recorded_rules": ["standard"],
        "priced_by": None,
        "hands": 4,
        "outcomes": {"knock": 1, "undercut": 0, "gin": 0, "big_gin": 1, "wash": 0},
        "points": {"knock": 27, "undercut": 0, "gin": 0, "big_gin": 110, "wash": 0},
        "points_per_hand": {"a": 0.0, "b": 68.5},
        "faults": [
            {
                "line": 2,
                "turn": 3,
                "reason": "turn 3: seat 1 draws 4s from the stock, whose top card is 2h.",
            },
            {
                "line": 4,
                "turn": None,
                "reason": "end: the points are recorded as [0, 28], and the engine makes them "
                "[0, 27].",
            },
        ],
    }


def test_hands_that_all_have_faults_need_no_table(run, tmp_path):
    path = save(tmp_path / "hands.jsonl", FAULTS["not its turn"][0])
    code, out, _ = run(path)
    assert code == 1
    assert out.splitlines() == [
        "1 recorded hand · standard rules",
        "",
        "1 hand has a fault:",
        "line 1: turn 2: seat 1 plays, and it is seat 0's turn.",
    ]


def test_the_command_writes_ends(run, tmp_path):
    open_ends = [record | {"end": None} for record in (knocked(), ginned(True), WALL)]
    path, out = save(tmp_path / "hands.jsonl", *open_ends), tmp_path / "out.jsonl"
    assert run(path, "--record", out)[0] == 0
    written = list(map(json.loads, out.read_text().splitlines()))
    assert [record["end"]["kind"] for record in written] == ["knock", "big_gin", "wash"]
    assert all(referee(record) is None for record in written)
    assert all(set(record) == set(knocked()) for record in written)
    again = tmp_path / "again.jsonl"
    assert run(out, "--record", again)[0] == 0
    assert again.read_bytes() == out.read_bytes()


@pytest.mark.long
def test_records_written_under_other_rules_name_them(run, tmp_path):
    source, out = DATA / "hands-standard.jsonl", tmp_path / "out.jsonl"
    code, text, _ = run(source, "--rules", "classic", "--record", out)
    assert code == 0
    assert text.splitlines()[0] == "500 recorded hands · standard rules, scored under classic"
    for line, (_, record) in zip(out.read_text().splitlines(), read_records(source), strict=True):
        written = json.loads(line)
        assert (written["rules"], written["priced"]) == ("standard", "classic")
        assert referee(written, "classic") is None
        assert written["end"]["points"] == list(replay(record, parse_rules("classic")).end.points)
    assert run(out)[0] == 0


def test_records_priced_under_rules_they_break_are_read_again(run, tmp_path):
    """Played at 10 and priced as gin only: the steps are the played rules', the end is not."""
    source, out = DATA / "hands-standard.jsonl", tmp_path / "out.jsonl"
    assert run(source, "--rules", "straight", "--record", out)[0] == 0
    assert run(out)[0] == 0
    spoilt_line = out.read_text().replace('"priced":"straight"', '"priced":"palace"', 1)
    out.write_text(spoilt_line)
    out.write_text(spoilt_line.replace('"priced":"palace"', '"priced":"palce"', 1))
    assert run(out)[0] == 2


def test_standard_streams_are_dashes(run, tmp_path, capsys, monkeypatch):
    path = save(tmp_path / "hands.jsonl", knocked(), WALL)
    with path.open() as file:
        monkeypatch.setattr("sys.stdin", file)
        code, out, err = run("-", "--record", "-")
    assert code == 0
    assert [json.loads(line)["end"]["kind"] for line in out.splitlines()] == ["knock", "wash"]
    assert err.splitlines()[0] == "2 recorded hands · standard rules"
    code, out, err = run(path, "--record", "-", "--json")
    assert (code, out) == (2, "")
    assert "both write to standard output" in err


def test_nothing_is_written_if_a_hand_has_a_fault(run, tmp_path):
    path = save(tmp_path / "hands.jsonl", knocked(), FAULTS["other points"][0], knocked())
    out = tmp_path / "out.jsonl"
    code, text, err = run(path, "--record", out)
    assert code == 1
    assert "line 2: end: the points" in text
    assert err == f"Nothing was written to {out}: a hand has a fault.\n"
    assert list(tmp_path.iterdir()) == [path]


@pytest.mark.parametrize(
    ("change", "reason"),
    [
        (lambda text: text.replace('"Qd"', '"Qx"'), "line 2: upcard is 'Qx', which is not a card"),
        (lambda text: text[:-40], "line 2: the record is cut off: the file ends inside it."),
        (lambda text: "[]", "line 2: the record is a list where an object is expected."),
    ],
)
def test_a_bad_file_is_a_sentence_and_2_and_nothing_is_written(run, tmp_path, change, reason):
    path = tmp_path / "hands.jsonl"
    good = json.dumps(knocked())
    path.write_text(good + "\n" + change(good))
    for options in ([], ["--json"], ["--record", tmp_path / "out.jsonl"], ["--record", "-"]):
        code, out, err = run(path, *options)
        assert (code, out) == (2, "")
        assert err.startswith(f"Error: {path}, {reason}")
        assert err.count("\n") == 1
        assert list(tmp_path.iterdir()) == [path]


def test_a_place_that_cannot_be_written_is_named_before_a_hand_is_read(run, tmp_path):
    code, out, err = run(tmp_path / "none.jsonl", "--record", tmp_path / "none" / "out.jsonl")
    assert (code, out) == (2, "")
    assert "to write 'out.jsonl' to: make it first." in err
    code, _, err = run(tmp_path / "none.jsonl", "--rules", "standart")
    assert code == 2
    assert "Did you mean 'standard'?" in err
