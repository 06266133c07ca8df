"""Deals played to learn from: one decision tried both ways, and what a knock would have been worth.

Two playings of one deal that differ in a single decision share the deck and the hidden cards, so
their difference says what the decision was worth, with most of the luck gone.  Player 0 learns.  A
hand's result is priced by the value of the score that it leads to; nothing is fitted here.
"""

from __future__ import annotations

import numpy as np

from gin_sim.engine import rng
from gin_sim.engine.bits import nth_card, popcount
from gin_sim.engine.deal import deal_hand
from gin_sim.engine.jit import jit, jit_inline
from gin_sim.engine.pricing import price
from gin_sim.engine.view import look_at_upcard, unseen_cards
from gin_sim.play.loop import play_from, start_deal
from gin_sim.play.resume import bring_back, keep_state
from gin_sim.play.turn import (
    ASK_DISCARD,
    ASK_KNOCK,
    ASK_UPCARD,
    OVER,
    TURN_OVER,
    knock_score,
    policy_answer,
    step,
    take_turn,
)
from gin_sim.policies.decide import chooses_discard
from gin_sim.policies.shipped.family_description import (
    N_DISCARD,
    N_TAKE,
    bucket_of,
    cold_cards,
    describe_discard,
)
from gin_sim.policies.shipped.family_discards import sensible_discards
from gin_sim.policies.shipped.family_scores import describe_take
from gin_sim.policies.shipped.knock_table import OUT_CLASSES, TABLE_TURNS, out_class
from gin_sim.rules import AT_WALL

MOST_POINTS = 400  # of a hand, in the arrays here
_DECISION_STREAM = 7  # which decision of a deal is tried both ways
_LAST_TURN = 14


@jit_inline
def _worth(winner, points, worth, view, seat):
    """Return the value of the score to a seat once a hand has been won by either, or by nobody."""
    if winner == seat:
        return worth[view.score + points, view.opponent_score]
    return worth[view.score, view.opponent_score + points]


@jit_inline
def _set_score(views, seat, scores, index):
    views[seat].score = scores[index, 0]
    views[seat].opponent_score = scores[index, 1]
    views[1 - seat].score = scores[index, 1]
    views[1 - seat].opponent_score = scores[index, 0]


@jit
def try_discards(tables, views, rules, players, seed, first, scores, worth, rows):
    """Try two discards at one random turn of each deal.

    Player 0 learns.  Each row is the bucket of the turn, the difference of features and the
    difference of worth: the policy's own choice less another sensible discard.

    Parameters
    ----------
    tables, views : record arrays of TABLE (2) and VIEW (4)
        Working state: one to play on, one to keep.
    rules : record of RULES
    players : record array of PLAYER, length 2
    seed, first : int64
        Deals ``first``, ``first + 1``, ... until the rows are full.
    scores : int64 array, shape (n, 2)
        Scores to play at in turn, mine and theirs.
    worth : float64 array, shape (target + MOST_POINTS, target + MOST_POINTS)
        ``worth[mine, theirs]`` of a score, in points or scaled like them.
    rows : float64 array, shape (n, N_DISCARD + 2)
        Filled.
    """
    table = tables[0]
    deal_index = first - 1
    row = 0
    while row < len(rows):
        deal_index += 1
        seat = deal_index & 1
        key = rng.stream_key(seed, deal_index, _DECISION_STREAM)
        start_deal(table, views, seed, deal_index)
        _set_score(views, seat, scores, row % len(scores))
        if not _play_to(table, views, rules, players, seat, rng.word(key, 0), ASK_DISCARD):
            continue
        view = views[seat]
        if view.best_deadwood == 0:
            continue  # it leaves gin: nothing to learn
        player = players[0]
        own = chooses_discard(player, view)
        others = sensible_discards(
            view.hand, view.barred, view.best_deadwood, view.best_discards
        ) & ~(1 << own)
        if not others:
            continue
        other = nth_card(others, rng.low_below(rng.word(key, 1), popcount(others)))
        live = unseen_cards(view)
        cold = cold_cards(view)
        rows[row, 0] = bucket_of(view.turn)
        describe_discard(view, view.hand, live, cold, own, player.discard_features)
        for feature in range(N_DISCARD):
            rows[row, 1 + feature] = player.discard_features[feature]
        describe_discard(view, view.hand, live, cold, other, player.discard_features)
        for feature in range(N_DISCARD):
            rows[row, 1 + feature] -= player.discard_features[feature]
        keep_state(tables, views)
        state = (tables, views, rules, players, seat, worth)
        gained = _answer_and_play_on(*state, ASK_DISCARD, own)
        bring_back(tables, views)
        gained -= _answer_and_play_on(*state, ASK_DISCARD, other)
        rows[row, 1 + N_DISCARD] = gained
        row += 1


@jit
def try_takes(tables, views, rules, players, seed, first, scores, worth, rows):
    """Try both answers to one random upcard of each deal; as :func:`try_discards`.

    Each row is the bucket of the turn, the features of taking, and the value of taking less that
    of not taking; shape (n, N_TAKE + 2).
    """
    table = tables[0]
    deal_index = first - 1
    row = 0
    while row < len(rows):
        deal_index += 1
        seat = deal_index & 1
        key = rng.stream_key(seed, deal_index, _DECISION_STREAM)
        start_deal(table, views, seed, deal_index)
        _set_score(views, seat, scores, row % len(scores))
        if not _play_to(table, views, rules, players, seat, rng.word(key, 0), ASK_UPCARD):
            continue
        view = views[seat]
        player = players[0]
        if look_at_upcard(view) == 0:
            continue  # it gives gin: nothing to learn
        describe_take(view, player.parameters, player.take_features)
        rows[row, 0] = bucket_of(view.turn)
        for feature in range(N_TAKE):
            rows[row, 1 + feature] = player.take_features[feature]
        keep_state(tables, views)
        state = (tables, views, rules, players, seat, worth)
        gained = _answer_and_play_on(*state, ASK_UPCARD, 1)
        bring_back(tables, views)
        gained -= _answer_and_play_on(*state, ASK_UPCARD, 0)
        rows[row, 1 + N_TAKE] = gained
        row += 1


@jit
def _answer_and_play_on(tables, views, rules, players, seat, worth, decision, answer):
    """Answer a decision for player 0, play on to the end and return the value of the score."""
    table = tables[0]
    decision = step(table, views, rules, decision, answer)
    play_from(table, views, rules, players, seat, decision)
    _, winner, points = price(table, rules)
    return _worth(winner, points, worth, views[seat], seat)


@jit
def _play_to(table, views, rules, players, seat, bits, wanted):
    """Deal, and play until a seat has a decision to make; return whether that came about.

    Random bits say who deals and on which of the seat's turns; a turn at the wall does not count.
    """
    turn = 1 + rng.low_below(bits, _LAST_TURN)
    deal_hand(table, views, rng.high_below(bits, 2), rules)
    decision = np.int64(TURN_OVER)
    while decision != OVER:
        mover = table.mover
        view = views[mover]
        if decision == wanted and mover == seat and view.turn == turn and table.phase != AT_WALL:
            return True
        answer = 0
        if decision != TURN_OVER:
            player = players[mover ^ seat]
            answer = policy_answer(player, table, view, views[1 - mover], rules, decision)
        decision = step(table, views, rules, decision, answer)
    return False


@jit
def trace_knocks(tables, views, rules, players, units, scores, worth, cells, knocks, ends):
    """Trace deals on which player 0 knocks with gin only: what a knock would have been worth.

    Player 0's knock table must play for gin.

    Parameters
    ----------
    tables, views, rules, players, scores, worth
        As for :func:`try_discards`.
    units : Units
        Deals.
    cells : int16 array, shape (n, TABLE_TURNS)
        By own turn less one: 3 * deadwood + class of gin outs where a knock was allowed, else -1.
    knocks : float64 array, same shape
        Value of a knock there, spread and layoffs exact.
    ends : float64 array, shape (n,)
        Value of the path's own end.
    """
    table = tables[0]
    for path in range(units.n):
        seat = path & 1
        start_deal(table, views, units.seed, units.first + path)
        _set_score(views, seat, scores, path % len(scores))
        deal_hand(table, views, (path >> 1) & 1, rules)
        for turn in range(TABLE_TURNS):
            cells[path, turn] = -1
        asked = (players[seat], players[1 - seat], seat, cells[path], knocks[path], worth)
        decision = np.int64(TURN_OVER)
        while decision != OVER:
            mover = table.mover
            view, other = views[mover], views[1 - mover]
            decision = take_turn(table, view, other, rules, decision, _noting_knocks, asked)
        _, winner, points = price(table, rules)
        ends[path] = _worth(winner, points, worth, views[seat], seat)


@jit_inline
def _noting_knocks(asked, table, view, other, rules, decision):
    """Answer as the policy does, and note the value of each knock of player 0 that is no gin.

    See :func:`gin_sim.play.turn.take_turn`; ``asked`` are the players in seat 0 and seat 1, the
    seat of player 0, the path's cells and knocks to fill, and the worth.
    """
    player = asked[1] if table.mover else asked[0]
    if decision == ASK_KNOCK and view.deadwood > 0 and view.turn <= TABLE_TURNS:
        _, _, seat, cells, knocks, worth = asked
        if table.mover == seat:
            outs = out_class(view.hand, unseen_cards(view))
            cells[view.turn - 1] = OUT_CLASSES * view.deadwood + outs
            winner, points = knock_score(table, view, other, rules)
            knocks[view.turn - 1] = _worth(winner, points, worth, view, seat)
    return policy_answer(player, table, view, other, rules, decision)
