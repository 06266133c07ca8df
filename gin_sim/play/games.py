"""Games to the target: hands with a score, boxes and a dealer that moves, tallied by game.

The sampling unit is a mirrored pair of games, or one game where they are not mirrored.  Both games
of a pair start with the same dealer, and deal the same cards in the hand of each number for as
long as both last; the policies sit in each other's seats.  A side is a policy, a seat a place at
the table.
"""

from __future__ import annotations

import numpy as np

from gin_sim.engine.deal import deal_hand
from gin_sim.engine.jit import jit, jit_inline
from gin_sim.engine.pricing import game_is_over, game_stakes, game_total, next_dealer, price
from gin_sim.engine.table import FAULT
from gin_sim.play.loop import play_on, start_deal
from gin_sim.play.start import dealing_seat
from gin_sim.rules import NOBODY, STALLED, WASH

#: Deals set aside for a pair of games.  A game that is still open after so many hands, such as one
#: for gin only between players who always wash, ends there in a tie and is counted separately.
MAX_GAME_HANDS = 4096

_OPEN = -2  # in place of the side that reached the target; NOBODY: a game of one hand, not won

# Measures of one side in one game.
(
    GAMES_WON,
    STAKES,  # what the side is paid: difference of totals, game bonus, shutout
    HANDS_WON,
    POINTS,  # hand points, without boxes
    TOTAL,  # hand points and boxes
    REACHED,  # reached the target
    REACHED_AND_LOST,
    SHUTOUTS,  # won while the other side won no hand
) = range(8)
N_GAME_MEASURES = 8

# Measures of a game that belong to no side.
(
    HANDS,
    WASHES,  # hands; stalled ones too
    STALLS,
    TIES,  # unfinished ones too
    UNFINISHED,
    UPSETS,  # lost by the side that reached the target
) = range(6)
N_GAME_SHARED = 6

# Measures of the lead of side 0 over side 1.
LEAD_IN_GAMES, LEAD_IN_STAKES = range(2)
N_GAME_LEADS = 2

N_LENGTHS = 256

#: Sums over games and sums of squares over pairs, int64.
GAME_TALLY = np.dtype(
    [
        ("games", "i8"),
        ("pairs", "i8"),
        ("hands", "i8"),
        ("faults", "i8"),  # hands ended because a policy asked for an illegal step
        ("sums", "i8", (N_GAME_MEASURES, 2)),
        ("squares", "i8", (N_GAME_MEASURES, 2)),
        ("by_hands", "i8", (N_GAME_MEASURES, 2)),  # over pairs: each measure times the hands
        ("shared", "i8", (N_GAME_SHARED,)),
        ("shared_squares", "i8", (N_GAME_SHARED,)),
        ("shared_by_hands", "i8", (N_GAME_SHARED,)),
        ("leads", "i8", (N_GAME_LEADS,)),
        ("lead_squares", "i8", (N_GAME_LEADS,)),
        ("lead_game_squares", "i8", (N_GAME_LEADS,)),  # over games, to judge what mirroring saves
        ("lengths", "i8", (N_LENGTHS,)),  # games by hands played, the last place for more
    ]
)

#: One pair's sums before they are squared, and the score of the game in play by side.
PAIR = np.dtype(
    [
        ("sums", "i8", (N_GAME_MEASURES, 2)),
        ("shared", "i8", (N_GAME_SHARED,)),
        ("leads", "i8", (N_GAME_LEADS,)),
        ("points", "i8", (2,)),
        ("hands_won", "i8", (2,)),
    ]
)


def new_game_tally() -> np.ndarray:
    """Return an empty tally of games, a record array of length 1."""
    return np.zeros(1, GAME_TALLY).view(np.recarray)


def new_pair() -> np.ndarray:
    """Return working space for a pair of games, a record array of length 1."""
    return np.zeros(1, PAIR).view(np.recarray)


@jit
def play_games(tables, views, pairs, tallies, rules, players, start, units):
    """Play consecutive pairs of games and add them to a tally.

    Parameters
    ----------
    tables, views : record arrays of TABLE (1) and VIEW (2)
        Working state, see ``new_state``.
    pairs, tallies : record arrays of PAIR and GAME_TALLY, length 1
        Working space, and what is added to.
    rules : record of RULES
    players : record array of PLAYER, length 2
    start : int64 array, length 5
        As ``GameStart.numbers`` gives it; it counts in the sums of points, hands and totals.
    units : Units
        Pairs of games: hand ``h`` of pair ``i`` is deal ``i * MAX_GAME_HANDS + h``.
    """
    pair = pairs[0]
    tally = tallies[0]
    for index in range(units.first, units.first + units.n):
        clear_pair(pair)
        for leg in range(units.n_legs):
            winner, n_hands = play_game(
                tables, views, pair, tally, rules, players, start, units.seed, index, leg
            )
            settle(tally, pair, rules, winner)
            tally.games += 1
            tally.hands += n_hands
            tally.lengths[min(n_hands, N_LENGTHS - 1)] += 1
        _add_pair(tally, pair)


@jit_inline
def clear_pair(pair):
    for side in range(2):
        for measure in range(N_GAME_MEASURES):
            pair.sums[measure, side] = 0
    for measure in range(N_GAME_SHARED):
        pair.shared[measure] = 0
    for measure in range(N_GAME_LEADS):
        pair.leads[measure] = 0


@jit
def play_game(tables, views, pair, tally, rules, players, start, seed, index, leg):
    """Play a game; return the side that won its last hand, NOBODY or _OPEN, and how many it took.

    Side 0 sits in seat 0 in leg 0 and in seat 1 in leg 1.  Unless the start says which side deals
    first, seat 0 does in the even pairs.
    """
    table = tables[0]
    for side in range(2):
        pair.points[side] = start[side]
        pair.hands_won[side] = start[2 + side]
    dealer = dealing_seat(start, index, leg)
    for n_hands in range(1, MAX_GAME_HANDS + 1):
        for seat in range(2):
            side = seat ^ leg
            views[seat].score = pair.points[side]
            views[seat].opponent_score = pair.points[1 - side]
            views[seat].boxes = pair.hands_won[side]
            views[seat].opponent_boxes = pair.hands_won[1 - side]
        start_deal(table, views, seed, index * MAX_GAME_HANDS + n_hands - 1)
        deal_hand(table, views, dealer, rules)
        play_on(table, views, rules, players, leg)
        pair.shared[HANDS] += 1
        if table.ending == FAULT:
            tally.faults += 1
            return _OPEN, n_hands
        if table.ending == WASH or table.ending == STALLED:
            pair.shared[WASHES] += 1
            pair.shared[STALLS] += table.ending == STALLED
        _, seat, scored = price(table, rules)
        if seat == NOBODY:
            if game_is_over(0, 0, rules):
                return NOBODY, n_hands
        else:
            side = seat ^ leg
            pair.points[side] += scored
            pair.hands_won[side] += 1
            if game_is_over(pair.points[side], pair.hands_won[side], rules):
                return side, n_hands
        dealer = next_dealer(dealer, seat, rules)
    return _OPEN, MAX_GAME_HANDS


@jit
def settle(tally, pair, rules, reacher):
    """Add a game to its pair, from the score as it stands and the side that reached the target."""
    sums = pair.sums
    totals_0 = game_total(pair.points[0], pair.hands_won[0], rules)
    totals_1 = game_total(pair.points[1], pair.hands_won[1], rules)
    sums[TOTAL, 0] += totals_0
    sums[TOTAL, 1] += totals_1
    for side in range(2):
        sums[POINTS, side] += pair.points[side]
        sums[HANDS_WON, side] += pair.hands_won[side]
    if reacher == _OPEN:
        pair.shared[UNFINISHED] += 1
        pair.shared[TIES] += 1
        return
    if reacher != NOBODY:
        sums[REACHED, reacher] += 1
    stakes = game_stakes(totals_0, totals_1, pair.hands_won[0], pair.hands_won[1], rules)
    if stakes == 0:
        pair.shared[TIES] += 1
        return
    winner = 0 if stakes > 0 else 1
    sums[GAMES_WON, winner] += 1
    sums[STAKES, winner] += abs(stakes)
    sums[SHUTOUTS, winner] += pair.hands_won[1 - winner] == 0
    if winner != reacher:
        sums[REACHED_AND_LOST, reacher] += 1
        pair.shared[UPSETS] += 1
    pair.leads[LEAD_IN_GAMES] += 1 if winner == 0 else -1
    pair.leads[LEAD_IN_STAKES] += stakes
    tally.lead_game_squares[LEAD_IN_GAMES] += 1
    tally.lead_game_squares[LEAD_IN_STAKES] += stakes * stakes


@jit
def _add_pair(tally, pair):
    """Add a finished pair, its squares and its products with the hands to the tally."""
    tally.pairs += 1
    n_hands = pair.shared[HANDS]
    for measure in range(N_GAME_MEASURES):
        for side in range(2):
            value = pair.sums[measure, side]
            tally.sums[measure, side] += value
            tally.squares[measure, side] += value * value
            tally.by_hands[measure, side] += value * n_hands
    for measure in range(N_GAME_SHARED):
        value = pair.shared[measure]
        tally.shared[measure] += value
        tally.shared_squares[measure] += value * value
        tally.shared_by_hands[measure] += value * n_hands
    for measure in range(N_GAME_LEADS):
        value = pair.leads[measure]
        tally.leads[measure] += value
        tally.lead_squares[measure] += value * value
