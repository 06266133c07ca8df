"""Deals played to learn from: one decision tried both ways, and what a knock would have been worth.

Two playings of one deal that differ in a single decision share the deck and the hidden cards, so
their difference says what the decision was worth, with most of the luck gone.  Player 0 learns.  A
hand's result is priced by the worth of the score that it leads to; nothing is fitted here.
"""

from __future__ import annotations

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
from gin_sim.play.loop import lays_down_big_gin, play_discard, play_draw, play_on, start_deal
from gin_sim.play.resume import bring_back, keep_state
from gin_sim.play.tallies import price
from gin_sim.policies.decide import chooses_discard
from gin_sim.policies.shipped.family_scores import (
    N_DISCARD,
    N_TAKE,
    PIPS,
    bucket_of,
    cold_cards,
    describe_discard,
    describe_take,
    sensible_discards,
)
from gin_sim.policies.shipped.knock_table import OUT_CLASSES, TABLE_TURNS, out_class
from gin_sim.rules import KNOCK

MOST_POINTS = 400  # of a hand, in the arrays here
_DECISION_STREAM = 7  # which decision of a deal is tried both ways
_LAST_TURN = 14


@jit_inline
def _lead(table, rules, seat):
    """Return a finished hand's points, positive to a seat."""
    _, winner, points = price(table, rules)
    return points if winner == seat else -points


@jit_inline
def _worth(lead, worth, view):
    """Return the worth of the score once a hand has been won or lost by a lead."""
    if lead >= 0:
        return worth[view.score + lead, view.opponent_score]
    return worth[view.score, view.opponent_score - lead]


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
    rules : RuleNumbers
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
        bits = rng.word(key, 0)
        turn = 1 + rng.low_below(bits, _LAST_TURN)
        start_deal(table, views, seed, deal_index)
        _set_score(views, seat, scores, row % len(scores))
        deal_hand(table, views, rng.high_below(bits, 2), rules)
        if not _play_to_discard(table, views, rules, players, seat, turn):
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
        describe_discard(view, view.hand, live, cold, own, player.x)
        for feature in range(N_DISCARD):
            rows[row, 1 + feature] = player.x[feature]
        describe_discard(view, view.hand, live, cold, other, player.x)
        for feature in range(N_DISCARD):
            rows[row, 1 + feature] -= player.x[feature]
        keep_state(tables, views)
        gained = _discard_and_play_on(tables, views, rules, players, seat, own, worth)
        bring_back(tables, views)
        gained -= _discard_and_play_on(tables, views, rules, players, seat, other, worth)
        rows[row, 1 + N_DISCARD] = gained
        row += 1


@jit
def try_takes(tables, views, rules, players, seed, first, scores, worth, rows):
    """Try both answers to one random upcard of each deal; as :func:`try_discards`.

    Each row is the bucket of the turn, the features of taking, and the worth of taking less that
    of not taking; shape (n, N_TAKE + 2).
    """
    table = tables[0]
    deal_index = first - 1
    row = 0
    while row < len(rows):
        deal_index += 1
        seat = deal_index & 1
        bits = rng.word(rng.stream_key(seed, deal_index, _DECISION_STREAM), 0)
        turn = 1 + rng.low_below(bits, _LAST_TURN)
        start_deal(table, views, seed, deal_index)
        _set_score(views, seat, scores, row % len(scores))
        deal_hand(table, views, rng.high_below(bits, 2), rules)
        if not _play_to_upcard(table, views, rules, players, seat, turn):
            continue
        view = views[seat]
        other = views[1 - seat]
        player = players[0]
        describe_take(view, player.p, player.x, player.y)
        if player.x[PIPS] == 0:
            continue  # it gives gin: nothing to learn
        rows[row, 0] = bucket_of(view.turn)
        for feature in range(N_TAKE):
            rows[row, 1 + feature] = player.y[feature]
        keep_state(tables, views)
        take_upcard(view, other, rules)
        gained = _finish_turn_and_play_on(tables, views, rules, players, seat, worth)
        bring_back(tables, views)
        if table.phase == FIRST_OFFER:
            pass_upcard(table, view, other)
            play_on(table, views, rules, players, seat)
            gained -= _worth(_lead(table, rules, seat), worth, view)
        else:
            draw_stock(table, view, other)
            gained -= _finish_turn_and_play_on(tables, views, rules, players, seat, worth)
        rows[row, 1 + N_TAKE] = gained
        row += 1


@jit
def _finish_turn_and_play_on(tables, views, rules, players, seat, worth):
    """Let player 0, who has just drawn, finish its turn, and play on as below."""
    table = tables[0]
    view = views[seat]
    if lays_down_big_gin(table, view, views[1 - seat], rules, players[0]):
        return _worth(_lead(table, rules, seat), worth, view)
    card = chooses_discard(players[0], view)
    return _discard_and_play_on(tables, views, rules, players, seat, card, worth)


@jit
def _discard_and_play_on(tables, views, rules, players, seat, card, worth):
    """Discard a card for player 0, play the hand to its end and return the worth of the score."""
    table = tables[0]
    view = views[seat]
    play_discard(table, view, views[1 - seat], rules, players[0], card, table.n_turns)
    play_on(table, views, rules, players, seat)
    return _worth(_lead(table, rules, seat), worth, view)


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
            play_discard(table, view, other, rules, player, chooses_discard(player, view), n_turns)
    return False


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
            play_discard(table, view, other, rules, player, chooses_discard(player, view), n_turns)
    return False


@jit
def trace_paths(tables, views, rules, players, seed, first, scores, worth, cells, knocks, ends):
    """Trace deals on which player 0 never knocks but for gin: what a knock would have been worth.

    Player 0's knock table must play for gin.

    Parameters
    ----------
    tables, views, rules, players, seed, first, scores, worth
        As for :func:`try_discards`.
    cells : int16 array, shape (n, TABLE_TURNS)
        By own turn less one: 3 * deadwood + class of gin outs where a knock was allowed, else -1.
    knocks : float64 array, same shape
        Worth of a knock there, spread and layoffs exact.
    ends : float64 array, shape (n,)
        Worth of the path's own end.
    """
    table = tables[0]
    for path in range(len(ends)):
        deal_index = first + path
        seat = path & 1
        start_deal(table, views, seed, deal_index)
        _set_score(views, seat, scores, path % len(scores))
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
                play_discard(table, view, other, rules, player, card, n_turns)
                allowed = 0 < view.deadwood <= table.knock_limit
                if mover == seat and allowed and turn <= TABLE_TURNS:
                    unseen = unseen_cards(view)
                    cells[path, turn - 1] = OUT_CLASSES * view.deadwood + out_class(
                        view.hand, unseen
                    )
                    sets, runs = choose_spread(view.hand, unseen, view.opponent_known)
                    left, _ = answer_knock(other.hand, sets, runs, view.deadwood, rules)
                    outcome = outcome_of(KNOCK, view.deadwood, left, rules)
                    points = hand_points(outcome, view.deadwood, left, table.first_upcard, rules)
                    knocks[path, turn - 1] = _worth(points, worth, view)
        ends[path] = _worth(_lead(table, rules, seat), worth, views[seat])
