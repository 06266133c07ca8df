"""Whole games: the kernel is the oracle's referee, however it is split, and what its sums say.

Who wins a finished game is test_rules.py's and test_naive.py's business; what `gin-sim simulate
--games` prints is test_cli_games.py's.
"""

from __future__ import annotations

import math
import threading

import naive
import numpy as np
import pytest
from msgspec.structs import replace
from strategies import Policies, Position, play, players, shuffled

from gin_sim.contests.games import games_of, verdict
from gin_sim.engine import rng
from gin_sim.engine.table import (
    new_state,
    rule_record,
)
from gin_sim.errors import InputError
from gin_sim.play import games, run
from gin_sim.play.plans import MAX_GAMES, GamePlan
from gin_sim.play.run import simulate
from gin_sim.play.start import GameStart
from gin_sim.play.tallies import merge
from gin_sim.policies.catalogue import parse_policy
from gin_sim.results.two_policies import Difference
from gin_sim.rules import PRESETS, parse_rules

SPECS = [
    *PRESETS,
    "openspiel:target=60",
    "eaai:undercut_bonus=0,target=40,dealer_rotation=loser,wash_dealer=rotate,stall_turns=13",
    "palace:target=30,dealer_rotation=winner,shutout=flat,shutout_bonus=7",
    "standard:target=0,shutout=double,game_bonus=3",
    "standard:stall_turns=9,wash_dealer=rotate",
]


def plan_of(first, second, n, rules="standard", **more) -> GamePlan:
    return GamePlan((parse_policy(first), parse_policy(second)), parse_rules(rules), n, **more)


def lists_of(tally) -> dict[str, list]:
    return {name: np.asarray(tally[0][name]).tolist() for name in tally.dtype.names}


def oracle_rules(spec: str) -> dict:
    fields = parse_rules(spec).as_dict()
    return fields | {"target": fields["target"] or None}


# --------------------------------------------------------------- the oracle


def play_hand(specs, spec: str, seed: int, deal_index: int, dealer: int, leg: int):
    """A hand played step by step and settled by the oracle: the side that won, points, washed."""
    seated = specs if leg == 0 else specs[::-1]
    position = Position(shuffled(seed, deal_index), rule_record(parse_rules(spec)), dealer)
    for seat in range(2):
        position.views[seat].noise = rng.stream_key(seed, deal_index, rng.SEAT_STREAM + seat)
    table = play(position, Policies(*seated)).table
    if table.knocker < 0:
        return None, 0, True
    hands = [names(position.views[seat].hand) for seat in range(2)]
    spread = [
        *cut(int(table.spread_sets), lambda card: card[0]),
        *runs_in(names(table.spread_runs)),
    ]
    knocker = int(table.knocker)
    settled = naive.settle(
        hands[knocker],
        hands[1 - knocker],
        oracle_rules(spec),
        spread=spread,
        spade_upcard=naive.DECK[int(table.first_upcard)][1] == "s",
    )
    points = (settled.knocker_points, settled.defender_points)
    if settled.kind == "knock" and points == (0, 0):
        return None, 0, False
    seat = knocker if settled.kind != "undercut" else 1 - knocker
    return seat ^ leg, max(points), False


def names(cards) -> frozenset[str]:
    return frozenset(naive.DECK[i] for i in range(52) if int(cards) >> i & 1)


def cut(cards: int, key) -> list[frozenset[str]]:
    groups: dict[str, set[str]] = {}
    for card in names(cards):
        groups.setdefault(key(card), set()).add(card)
    return [frozenset(group) for group in groups.values()]


def runs_in(cards: frozenset[str]) -> list[frozenset[str]]:
    """The cards of runs as whole runs: two that touch are one, for layoffs the same."""
    found: list[set[str]] = []
    for suit in naive.SUITS:
        last = None
        for place, rank in enumerate(naive.RANKS):
            if rank + suit in cards:
                if last != place - 1:
                    found.append(set())
                found[-1].add(rank + suit)
                last = place
    return [frozenset(run) for run in found]


def reference_tally(specs, spec: str, seed: int, n_pairs: int, n_legs: int) -> dict:
    """What a tally of games must hold, from hands played and settled one by one."""
    rules = oracle_rules(spec)
    total = games.new_game_tally()[0]
    for pair in range(n_pairs):
        sums = np.zeros((games.N_GAME_MEASURES, 2), np.int64)
        shared = np.zeros(games.N_GAME_SHARED, np.int64)
        leads = np.zeros(games.N_GAME_LEADS, np.int64)
        for leg in range(n_legs):
            # The oracle knows players by seat, the tally by side: they differ by the leg.
            results, washes = [], 0
            game = naive.play_game([], rules, pair & 1)
            while not game.over:
                index = pair * games.MAX_GAME_HANDS + len(results)
                side, points, washed = play_hand(specs, spec, seed, index, game.dealers[-1], leg)
                results.append((None if side is None else side ^ leg, points))
                washes += washed
                game = naive.play_game(results, rules, pair & 1)
            for side in range(2):
                seat = side ^ leg
                lost = game.reacher == seat and game.winner == 1 - seat
                won = game.winner == seat
                sums[games.GAMES_WON, side] += won
                sums[games.STAKES, side] += game.stakes * won
                sums[games.HANDS_WON, side] += game.hands_won[seat]
                sums[games.POINTS, side] += game.points[seat]
                sums[games.TOTAL, side] += game.totals[seat]
                sums[games.REACHED, side] += game.reacher == seat
                sums[games.REACHED_AND_LOST, side] += lost
                sums[games.SHUTOUTS, side] += won and game.hands_won[1 - seat] == 0
                shared[games.UPSETS] += lost
            shared[games.HANDS] += len(results)
            shared[games.WASHES] += washes
            shared[games.TIES] += game.winner is None
            sign = 0 if game.winner is None else 1 if game.winner == leg else -1
            lead = np.array([sign, sign * game.stakes])
            leads += lead
            total.lead_game_squares += lead**2
            total.lengths[len(results)] += 1
        total.sums += sums
        total.squares += sums**2
        total.by_hands += sums * shared[games.HANDS]
        total.shared += shared
        total.shared_squares += shared**2
        total.shared_by_hands += shared * shared[games.HANDS]
        total.leads += leads
        total.lead_squares += leads**2
    total.games, total.pairs = n_pairs * n_legs, n_pairs
    total.hands = total.shared[games.HANDS]
    return {name: np.asarray(total[name]).tolist() for name in total.dtype.names}


@pytest.mark.long
@pytest.mark.parametrize("n_legs", [1, 2])
@pytest.mark.parametrize("spec", SPECS)
@pytest.mark.parametrize(
    "specs", [("greedy", "simple"), ("random", "greedy:knock=3")], ids=" ".join
)
def test_games_are_the_oracles(specs, spec, n_legs):
    plan = plan_of(*specs, 3 * n_legs, spec, seed=21, mirrored=n_legs == 2)
    found = lists_of(simulate(plan, 1).tally)
    expected = reference_tally(specs, spec, 21, 3, n_legs)
    # Which hands stall the table does not tell the oracle: a wash is a wash.
    stalls = [found[name].pop(games.STALLS) for name in found if name.startswith("shared")]
    for name in expected:
        if name.startswith("shared"):
            expected[name].pop(games.STALLS)
    assert found == expected
    assert stalls[0] <= found["shared"][games.WASHES]
    if "stall_turns" in spec:
        assert stalls[0] > 0


@pytest.mark.jitless
def test_a_small_tally_never_changes():
    """The same numbers with the JIT and without, and from version to version."""
    found = lists_of(simulate(plan_of("greedy", "simple", 2, "eaai:target=30", seed=5), 1).tally)
    lengths = found.pop("lengths")
    assert (lengths[5], sum(lengths)) == (2, 2)
    assert found == {
        "games": 2,
        "pairs": 1,
        "hands": 10,
        "faults": 0,
        "sums": [[1, 1], [17, 2], [5, 5], [70, 55], [70, 55], [1, 1], [0, 0], [0, 0]],
        "squares": [
            [1, 1], [289, 4], [25, 25], [4900, 3025], [4900, 3025], [1, 1], [0, 0], [0, 0],
        ],
        "by_hands": [
            [10, 10], [170, 20], [50, 50], [700, 550], [700, 550], [10, 10], [0, 0], [0, 0],
        ],
        "shared": [10, 0, 0, 0, 0, 0],
        "shared_squares": [100, 0, 0, 0, 0, 0],
        "shared_by_hands": [100, 0, 0, 0, 0, 0],
        "leads": [0, 15],
        "lead_squares": [0, 225],
        "lead_game_squares": [2, 293],
    }  # fmt: skip


@pytest.mark.parametrize("leg", [0, 1])
@pytest.mark.parametrize("spec", ["standard", "palace", "oklahoma:target=80"])
def test_views_show_the_score_before_the_hand(spec, leg):
    """What the views hold after a game is the score before its last hand."""
    tables, views = new_state()
    pair, tally = games.new_pair(), games.new_game_tally()
    rules = parse_rules(spec)
    specs = ("simple", "greedy")
    for index in range(6):
        games.play_game(
            tables,
            views,
            pair[0],
            tally[0],
            rule_record(rules),
            players(*specs),
            GameStart().numbers(),
            3,
            index,
            leg,
        )
        results = []
        game = naive.play_game([], oracle_rules(spec), index & 1)
        while not game.over:
            deal, before = index * games.MAX_GAME_HANDS + len(results), game
            side, points, _ = play_hand(specs, spec, 3, deal, game.dealers[-1], leg)
            results.append((None if side is None else side ^ leg, points))
            game = naive.play_game(results, oracle_rules(spec), index & 1)
        for seat in range(2):
            view = views[seat]
            assert (view.score, view.opponent_score) == before.points[:: 1 - 2 * seat]
            assert (view.boxes, view.opponent_boxes) == before.hands_won[:: 1 - 2 * seat]
            assert view.is_dealer == (before.dealers[-1] == seat)
            assert (view.target, view.boxes_at_once) == (
                rules.target,
                rules.box_timing == "at_once",
            )


# ------------------------------------------------------------ begun at a score


def test_games_begun_at_a_score_end_as_their_hands_say():
    """At 99-99 the next hand that is won ends the game: its winner gets the first two boxes."""
    start = GameStart(points=(99, 99), hands_won=(4, 5), dealer=1)
    plan = plan_of("simple", "greedy", 400, "standard:shutout=double", start=start)
    found = lists_of(simulate(plan).tally)
    washes = found["shared"][games.WASHES]
    assert found["hands"] == 400 + washes
    won = [n - 400 * start for n, start in zip(found["sums"][games.HANDS_WON], (4, 5), strict=True)]
    assert sum(won) == 400
    assert found["sums"][games.REACHED] == won
    # 5 boxes each and the points of one hand more, or 4 against 6.
    assert found["sums"][games.GAMES_WON] == won
    assert found["sums"][games.SHUTOUTS] == [0, 0]


def test_the_dealer_of_the_start_deals_to_either_seat():
    for leg in range(2):
        for dealer in range(2):
            tables, views = new_state()
            start = GameStart((99, 99), (1, 1), dealer)
            rules = rule_record(parse_rules("standard:wash_dealer=same"))
            games.play_game(
                tables,
                views,
                games.new_pair()[0],
                games.new_game_tally()[0],
                rules,
                players("simple", "greedy"),
                start.numbers(),
                1,
                0,
                leg,
            )
            assert views[dealer ^ leg].is_dealer == 1


@pytest.mark.parametrize(
    ("points", "won"), [((100, 0), (1, 0)), ((0, -1), (0, 0)), ((20, 0), (0, 0)), ((9, 9), (1, -1))]
)
def test_a_game_does_not_begin_where_none_can_be(points, won):
    with pytest.raises(InputError, match="no game under standard rules stands at"):
        plan_of("simple", "greedy", 2, start=GameStart(points, won))


# ------------------------------------------------------- a game without end


def test_a_game_without_end_is_a_tie_and_is_counted():
    plan = plan_of("greedy:knock=0", "greedy:knock=0", 4, "straight:stall_turns=1")
    played = simulate(plan, 1)
    tally = played.tally[0]
    assert tally.hands == 4 * games.MAX_GAME_HANDS
    assert tally.shared[games.WASHES] >= 0.999 * tally.hands  # but for a gin on the first turn
    assert tally.shared[games.TIES] == tally.shared[games.UNFINISHED] == 4
    assert tally.sums[[games.GAMES_WON, games.STAKES, games.REACHED]].sum() == 0
    assert tally.lengths[-1] == 4
    result = games_of(played)
    assert result.unfinished == 4
    assert result.length_within(0.5) == games.N_LENGTHS - 1
    assert verdict(result).endswith(" 4 games were still open after 4,096 hands and count as ties.")
    assert "nan" not in verdict(result)


def test_the_score_of_a_game_without_end_is_kept():
    tally = simulate(plan_of("greedy", "simple", 2, "eaai:target=100000"), 1).tally[0]
    assert tally.shared[games.UNFINISHED] == tally.shared[games.TIES] == 2
    assert tally.sums[games.POINTS].min() > 10_000
    assert tally.sums[[games.GAMES_WON, games.STAKES, games.REACHED]].sum() == 0


# -------------------------------------------- one result, however it is split


@pytest.mark.parametrize("n", [0, -2, MAX_GAMES + 2])
def test_a_plan_has_at_least_a_game_and_an_end(n):
    with pytest.raises(InputError, match=f"^{n} games cannot be played: ask for 1 to "):
        plan_of("greedy", "greedy", n)


def test_mirrored_games_come_in_pairs():
    with pytest.raises(InputError, match=r"^1,001 games are not whole mirrored pairs"):
        plan_of("greedy", "greedy", 1001)
    assert plan_of("greedy", "greedy", 1001, mirrored=False).n_units == 1001


@pytest.mark.long
@pytest.mark.parametrize("mirrored", [True, False])
@pytest.mark.parametrize("rules", ["standard", "openspiel", "modern"])
def test_threads_and_chunks_change_nothing(monkeypatch, rules, mirrored):
    plan = plan_of("greedy", "simple", 400, rules, seed=5, mirrored=mirrored)
    whole = simulate(plan, 1)
    assert not whole.partial
    assert whole.tally.games[0] == 400
    for size in (1, 7, 1000):
        monkeypatch.setattr(run, "CHUNK_UNITS", size)
        for threads in (1, 3):
            assert lists_of(simulate(plan, threads).tally) == lists_of(whole.tally)


def test_the_first_part_of_a_longer_plan_is_the_shorter_plan():
    short = simulate(plan_of("greedy", "random", 60, seed=9)).tally
    rest = plan_of("greedy", "random", 100, seed=9).play(30, 20)
    merge(rest, short)
    assert rest.tobytes() == simulate(plan_of("greedy", "random", 100, seed=9)).tally.tobytes()


def test_stopping_keeps_the_games_that_are_finished(monkeypatch):
    monkeypatch.setattr(run, "CHUNK_UNITS", 5)
    stop = threading.Event()

    def watch(tally):
        if tally.games[0] >= 30:
            stop.set()

    played = simulate(plan_of("greedy", "simple", 10**6), 2, stop, watch)
    assert played.partial
    n = int(played.tally.games[0])
    assert 30 <= n < 200
    assert lists_of(played.tally) == lists_of(simulate(plan_of("greedy", "simple", n)).tally)


def test_a_chunk_of_long_games_is_short(monkeypatch):
    """Games of 4,096 hands, so that a stop does not wait for thousands of them."""
    chunks = []
    play_chunk = GamePlan.play

    def watch(plan, first, n):
        chunks.append((first, n))
        return play_chunk(plan, first, n)

    monkeypatch.setattr(GamePlan, "play", watch)
    for rules, longest in (("straight:stall_turns=1", 8), ("eaai", 1000)):
        chunks.clear()
        simulate(plan_of("greedy", "random", 300 if longest == 8 else 20_000, rules), 2)
        played = sorted(chunk for chunk in chunks if chunk[1])
        assert max(n for _, n in played) <= longest
        assert [first for first, _ in played[1:]] == [first + n for first, n in played[:-1]]
        assert played[-1][1] == 1 or longest > 8


def test_an_illegal_step_is_an_error(monkeypatch):
    play_chunk = GamePlan.play

    def play_badly(*arguments):
        tally = play_chunk(*arguments)
        tally.faults[0] = 1
        return tally

    monkeypatch.setattr(GamePlan, "play", play_badly)
    with pytest.raises(InputError, match=r"^greedy or simple asked for an illegal step in 1 of "):
        simulate(plan_of("greedy", "simple", 10))


# ------------------------------------------------------------------ figures


@pytest.mark.parametrize("rules", PRESETS)
def test_wins_ties_and_hands_add_up(rules):
    played = simulate(plan_of("greedy", "simple", 2000, rules))
    result, tally = games_of(played), played.tally[0]
    won = sum(side.games_won for side in result.sides)
    assert won + tally.shared[games.TIES] == result.games == 2000
    assert sum(result.games_by_hands) == 2000
    assert sum(i * n for i, n in enumerate(result.games_by_hands)) == result.hands
    assert result.hands_per_game.estimate == pytest.approx(result.hands / 2000)
    first, second = (side.measures for side in result.sides)
    for name, objective in (("win_rate", "win"), ("stakes_per_game", "stakes")):
        difference = result.difference[objective]
        assert difference.estimate == pytest.approx(first[name].estimate - second[name].estimate)
        assert difference.low < difference.estimate < difference.high
    assert result.difference["win"].variance_reduction > 1
    upsets = tally.shared[games.UPSETS]
    assert upsets == tally.sums[games.REACHED_AND_LOST].sum()
    at_end = PRESETS[rules].box_bonus > 0 and PRESETS[rules].box_timing == "at_end"
    assert bool(upsets) is at_end
    boxes = tally.sums[games.TOTAL] - tally.sums[games.POINTS]
    assert boxes.tolist() == (PRESETS[rules].box_bonus * tally.sums[games.HANDS_WON]).tolist()


@pytest.mark.parametrize("policy", ["greedy", "simple", "random"])
def test_mirrored_self_play_is_level(policy):
    played = simulate(plan_of(policy, policy, 400))
    result = games_of(played)
    assert played.tally[0].leads.tolist() == played.tally[0].lead_squares.tolist() == [0, 0]
    assert result.sides[0].measures == result.sides[1].measures
    assert verdict(result).startswith("No difference in games won is found: both sides are")


@pytest.mark.long
@pytest.mark.parametrize("rules", ["standard", "eaai"])
@pytest.mark.parametrize("policy", ["greedy", "simple"])
def test_plain_self_play_spans_zero(policy, rules):
    results = [
        games_of(simulate(plan_of(policy, policy, 300, rules, seed=seed, mirrored=False)))
        for seed in range(40)
    ]
    for objective in ("win", "stakes"):
        assert sum(result.difference[objective].spans_zero for result in results) >= 34
    assert all(result.difference["win"].variance_reduction is None for result in results)


def test_exchanging_the_sides_turns_the_sign():
    one = games_of(simulate(plan_of("greedy", "simple", 2000)))
    other = games_of(simulate(plan_of("simple", "greedy", 2000)))
    assert one.games_by_hands == other.games_by_hands
    for objective, difference in one.difference.items():
        assert difference.estimate == pytest.approx(-other.difference[objective].estimate)
        assert difference.low == pytest.approx(-other.difference[objective].high)


def test_games_of_equal_players_are_even_and_take_about_ten_hands():
    result = games_of(simulate(plan_of("simple", "greedy", 20_000, "eaai")))
    # About 16 points per hand between them, and a target of 100.
    assert 8 < result.hands_per_game.estimate < 12
    assert abs(result.difference["win"].estimate) < 0.05
    assert result.upset_rate.estimate == 0


def test_stakes_by_rules():
    """The same games under other bonuses: only what they pay is different."""
    plain, bonus, double = (
        games_of(simulate(plan_of("greedy", "simple", 2000, rules)))
        for rules in ("standard", "standard:game_bonus=100", "standard:shutout=double")
    )
    for mean, more in zip(plain.sides, bonus.sides, strict=True):
        won = mean.win_rate.estimate
        assert more.stakes_per_game.estimate == pytest.approx(
            mean.stakes_per_game.estimate + 100 * won
        )
    for mean, more in zip(plain.sides, double.sides, strict=True):
        assert more.shutout_rate == mean.shutout_rate
        assert more.stakes_per_game.estimate > mean.stakes_per_game.estimate


# ------------------------------------------------------------- the sentence


def with_difference(result, won, stakes):
    """A result whose differences are made up: each an estimate and half a width."""

    def made(middle, reach):
        return Difference(middle, middle - reach, middle + reach, variance_reduction=None)

    return replace(result, difference={"win": made(*won), "stakes": made(*stakes)})


@pytest.mark.parametrize(
    ("won", "stakes", "said"),
    [
        ((0.1, 0.2), (3, 4), "No difference is found in games won or in points settled."),
        (
            (0.1, 0.02),
            (3, 1),
            "greedy wins more games, by 10.00 [8.00, 12.00] in a hundred, and is ahead by 3.00 "
            "[2.00, 4.00] points settled per game.",
        ),
        (
            (-0.1, 0.02),
            (3, 4),
            "simple wins more games, by 10.00 [8.00, 12.00] in a hundred; in points settled no "
            "difference is found.",
        ),
        (
            (0.1, 0.2),
            (-3, 1),
            "No difference in games won is found; simple is ahead by 3.00 [2.00, 4.00] points "
            "settled per game.",
        ),
        (
            (0.1, 0.02),
            (-3, 1),
            "greedy wins more games, by 10.00 [8.00, 12.00] in a hundred; simple is ahead by 3.00 "
            "[2.00, 4.00] points settled per game.",
        ),
    ],
)
def test_the_verdict_claims_what_the_intervals_bear(won, stakes, said):
    result = games_of(simulate(plan_of("greedy", "simple", 20)))
    assert verdict(with_difference(result, won, stakes)) == said


def test_too_few_games_claim_nothing():
    few = "1 game is too few for a verdict: play more."
    for n, words in ((1, few), (2, "No difference is found")):
        result = games_of(simulate(plan_of("greedy", "random", n, mirrored=False)))
        assert verdict(result).startswith(words)
    result = games_of(simulate(plan_of("greedy", "random", 4)))
    # Greedy wins all four, which two pairs do not bear out.
    assert result.difference["win"].estimate == 1
    assert result.difference["win"].spans_zero


# ------------------------------------------------------------------- tables


def test_tables():
    result = games_of(simulate(plan_of("greedy", "simple", 200)))
    sides = result.table("sides")
    assert len(sides) == 2 * len(result.sides[0].MEASURES)
    assert set(sides.unit) == {
        "share of games",
        "points per game",
        "points per hand",
        "share of hands",
    }
    lengths = result.table("lengths")
    assert lengths.games.sum() == 200
    assert math.isclose(lengths.share.sum(), 1)
    assert (lengths.hands * lengths.games).sum() == result.hands
    assert not lengths.or_more.any()
    difference = result.table("difference")
    assert difference.objective.tolist() == ["win", "stakes"]
    assert difference.unit.tolist() == ["share of games", "points per game"]
    assert difference.estimate.tolist() == [d.estimate for d in result.difference.values()]
