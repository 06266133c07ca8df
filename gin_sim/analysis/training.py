"""What a draw, a discard or a knock was worth: the data from which a policy is fitted.

Two playings of one deal that differ in a single decision share the deck and the hidden cards, so
their difference says what the decision was worth, with most of the luck gone.  A linear policy is
fitted by regressing that difference on the difference of the features.  The knock table comes from
paths on which the learner never knocks, by optimal stopping.
"""

from __future__ import annotations

import numpy as np

from gin_sim.engine import rng
from gin_sim.engine.bits import nth_card, popcount
from gin_sim.engine.jit import jit, jit_inline
from gin_sim.engine.layoff import answer_knock, choose_spread
from gin_sim.engine.pricing import hand_points, outcome_of
from gin_sim.engine.round import (
    AT_WALL,
    FIRST_OFFER,
    MUST_DRAW,
    OPEN,
    TURN,
    deal_hand,
    draw_stock,
    pass_upcard,
    take_upcard,
)
from gin_sim.engine.view import unseen_cards
from gin_sim.policies.decide import chooses_discard
from gin_sim.policies.heuristic import (
    N_DISCARD,
    N_TAKE,
    PIPS,
    bucket_of,
    cold_cards,
    describe_discard,
    describe_take,
    sensible_discards,
)
from gin_sim.policies.knocking import OUT_CLASSES, TABLE_TURNS, out_class
from gin_sim.rules import KNOCK
from gin_sim.simulate.play import play_draw, play_on, play_throw, start_deal

_DECISION_STREAM = 7  # which decision of a deal is tried both ways
_LAST_TURN = 14


@jit_inline
def _lead(table, rules, seat):
    """Return a finished hand's points, positive to a seat."""
    if table.knocker < 0:
        return 0
    outcome = outcome_of(table.ending, table.knocker_deadwood, table.defender_deadwood, rules)
    points = hand_points(
        outcome, table.knocker_deadwood, table.defender_deadwood, table.first_upcard, rules
    )
    return points if table.knocker == seat else -points


@jit
def try_discards(tables, views, saved_tables, saved_views, rules, players, seed, first, rows, out):
    """Try two discards at one random turn of each deal.

    Player 0 learns.  Each row of ``out`` is the bucket, the difference of features and the
    difference of points (the policy's own choice less the alternative).

    Parameters
    ----------
    tables, views, saved_tables, saved_views : record arrays
        Two states.
    rules : RuleNumbers
    players : record array of PLAYER
    seed, first : int64
        Deals ``first``, ``first + 1``, ...
    rows : int64
        How many rows to fill.
    out : float64 array, shape (rows, N_DISCARD + 2)

    Returns
    -------
    int64
        Deals used.
    """
    table = tables[0]
    n_deals = 0
    row = 0
    while row < rows:
        deal_index = first + n_deals
        n_deals += 1
        seat = n_deals & 1
        bits = rng.word(rng.stream_key(seed, deal_index, _DECISION_STREAM), 0)
        turn = 1 + rng.low_below(bits, _LAST_TURN)
        start_deal(table, views, seed, deal_index)
        deal_hand(table, views, rng.high_below(bits, 2), rules)
        if not _play_to_discard(table, views, rules, players, seat, turn):
            continue
        view = views[seat]
        player = players[0]
        own = chooses_discard(player, view)
        if view.best_deadwood == 0:
            continue
        others = sensible_discards(
            view.hand, view.barred, view.best_deadwood, view.best_discards
        ) & ~(1 << own)
        if not others:
            continue
        pick = rng.word(rng.stream_key(seed, deal_index, _DECISION_STREAM), 1)
        other_card = nth_card(others, rng.low_below(pick, popcount(others)))
        out[row, 0] = bucket_of(view.turn)
        live = unseen_cards(view)
        cold = cold_cards(view)
        describe_discard(view, view.hand, live, cold, own, player.x)
        for feature in range(N_DISCARD):
            out[row, 1 + feature] = player.x[feature]
        describe_discard(view, view.hand, live, cold, other_card, player.x)
        for feature in range(N_DISCARD):
            out[row, 1 + feature] -= player.x[feature]
        saved_tables[0] = table
        saved_views[0] = views[0]
        saved_views[1] = views[1]
        play_throw(table, view, views[1 - seat], rules, player, own, table.n_turns)
        play_on(table, views, rules, players, seat)
        lead = _lead(table, rules, seat)
        tables[0] = saved_tables[0]
        views[0] = saved_views[0]
        views[1] = saved_views[1]
        play_throw(table, view, views[1 - seat], rules, player, other_card, table.n_turns)
        play_on(table, views, rules, players, seat)
        out[row, 1 + N_DISCARD] = lead - _lead(table, rules, seat)
        row += 1
    return n_deals


@jit
def _play_to_discard(table, views, rules, players, seat, turn):
    """Play until a seat, on an own turn, holds eleven cards; whether that came about."""
    while table.ending == OPEN:
        mover = table.mover
        view = views[mover]
        other = views[1 - mover]
        player = players[mover ^ seat]
        n_turns = table.n_turns
        if play_draw(table, view, other, rules, player):
            if mover == seat and view.turn == turn and table.phase != AT_WALL:
                return True
            play_throw(table, view, other, rules, player, chooses_discard(player, view), n_turns)
    return False


@jit
def try_takes(tables, views, saved_tables, saved_views, rules, players, seed, first, rows, out):
    """Try both answers to one random upcard of each deal; as :func:`try_discards`.

    Each row of ``out`` is the bucket, the features of taking, and the points of taking less those
    of not taking; shape (rows, N_TAKE + 2).
    """
    table = tables[0]
    n_deals = 0
    row = 0
    while row < rows:
        deal_index = first + n_deals
        n_deals += 1
        seat = n_deals & 1
        bits = rng.word(rng.stream_key(seed, deal_index, _DECISION_STREAM), 0)
        turn = 1 + rng.low_below(bits, _LAST_TURN)
        start_deal(table, views, seed, deal_index)
        deal_hand(table, views, rng.high_below(bits, 2), rules)
        if not _play_to_upcard(table, views, rules, players, seat, turn):
            continue
        view = views[seat]
        other = views[1 - seat]
        player = players[0]
        describe_take(view, player.p, player.x, player.y)
        if player.x[PIPS] == 0:
            continue
        out[row, 0] = bucket_of(view.turn)
        for feature in range(N_TAKE):
            out[row, 1 + feature] = player.y[feature]
        saved_tables[0] = table
        saved_views[0] = views[0]
        saved_views[1] = views[1]
        n_turns = table.n_turns
        take_upcard(view, other, rules)
        play_throw(table, view, other, rules, player, chooses_discard(player, view), n_turns)
        play_on(table, views, rules, players, seat)
        lead = _lead(table, rules, seat)
        tables[0] = saved_tables[0]
        views[0] = saved_views[0]
        views[1] = saved_views[1]
        if table.phase == FIRST_OFFER:
            pass_upcard(table, view, other)
        else:
            draw_stock(table, view, other)
            play_throw(table, view, other, rules, player, chooses_discard(player, view), n_turns)
        play_on(table, views, rules, players, seat)
        out[row, 1 + N_TAKE] = lead - _lead(table, rules, seat)
        row += 1
    return n_deals


@jit
def _play_to_upcard(table, views, rules, players, seat, turn):
    """Play until a seat, on an own turn, may take the upcard; whether that came about."""
    while table.ending == OPEN:
        mover = table.mover
        view = views[mover]
        other = views[1 - mover]
        player = players[mover ^ seat]
        n_turns = table.n_turns
        if mover == seat and view.turn == turn:
            if table.phase == FIRST_OFFER or table.phase == TURN:
                return True
            if table.phase == MUST_DRAW:
                turn += 1
        if play_draw(table, view, other, rules, player):
            play_throw(table, view, other, rules, player, chooses_discard(player, view), n_turns)
    return False


@jit
def trace_paths(tables, views, rules, players, seed, first, n_paths, cells, scores, ends):
    """Trace deals on which player 0 never knocks but for gin: what a knock would have scored.

    Player 0's knock table must play for gin.

    Parameters
    ----------
    cells : int16 array, shape (n_paths, TABLE_TURNS)
        By own turn less one: 3 * deadwood + class of gin outs where a knock was allowed, else -1.
    scores : int16 array, same shape
        Points of a knock there, spread and layoffs exact.
    ends : int16 array, shape (n_paths,)
        Points of the path's own end.
    """
    table = tables[0]
    for path in range(n_paths):
        deal_index = first + path
        seat = path & 1
        start_deal(table, views, seed, deal_index)
        deal_hand(table, views, (path >> 1) & 1, rules)
        for turn in range(TABLE_TURNS):
            cells[path, turn] = -1
        while table.ending == OPEN:
            mover = table.mover
            view = views[mover]
            other = views[1 - mover]
            player = players[mover ^ seat]
            n_turns = table.n_turns
            if play_draw(table, view, other, rules, player):
                card = chooses_discard(player, view)
                turn = view.turn
                play_throw(table, view, other, rules, player, card, n_turns)
                allowed = 0 < view.deadwood <= table.knock_limit
                if mover == seat and allowed and turn <= TABLE_TURNS:
                    unseen = unseen_cards(view)
                    cells[path, turn - 1] = 3 * view.deadwood + out_class(view.hand, unseen)
                    sets, runs = choose_spread(view.hand, unseen, view.opponent_known)
                    left, _ = answer_knock(other.hand, sets, runs, view.deadwood, rules)
                    outcome = outcome_of(KNOCK, view.deadwood, left, rules)
                    scores[path, turn - 1] = hand_points(
                        outcome, view.deadwood, left, table.first_upcard, rules
                    )
        ends[path] = _lead(table, rules, seat)


def solve_knock(cells: np.ndarray, scores: np.ndarray, ends: np.ndarray, at_least: int = 200):
    """Return the best knock table against the traced opponent, by backward induction.

    A cell knocks where its mean score of a knock beats the mean of going on under the rule found
    for later turns; a cell of fewer than ``at_least`` paths does as the next lower deadwood does.

    Returns
    -------
    table : int64 array, shape (TABLE_TURNS, OUT_CLASSES)
    value : float
        Mean points of the rule on these paths (optimistic: the rule was chosen on them).
    """
    table = np.zeros((TABLE_TURNS, OUT_CLASSES), np.int64)
    going_on = ends.astype(np.float64)
    for turn in reversed(range(TABLE_TURNS)):
        cell = cells[:, turn]
        there = cell >= 0
        gain = np.zeros(33)
        counts = np.bincount(cell[there], minlength=33)[:33]
        gain = np.bincount(cell[there], (scores[there, turn] - going_on[there]), minlength=33)[:33]
        for out in range(OUT_CLASSES):
            knocks = False
            for deadwood in range(1, 11):
                at = 3 * deadwood + out
                if counts[at] >= at_least:
                    knocks = gain[at] > 0
                if knocks:
                    table[turn, out] |= 1 << deadwood
        rule = (table[turn, cell % 3] >> (cell // 3)) & 1
        stop = there & (rule == 1)
        going_on[stop] = scores[stop, turn]
    return table, float(going_on.mean())
