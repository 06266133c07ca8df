"""What a draw, a discard or a knock was worth: the data from which a policy is fitted.

Two playings of one deal that differ in a single decision share the deck and the hidden cards, so
their difference says what the decision was worth, with most of the luck gone.  A linear policy is
fitted by regressing that difference on the difference of the features.  The knock table comes from
paths on which the learner never knocks, by optimal stopping.  A hand's result is priced by what it
does to the game: points, or the chance to win from the score.
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
from gin_sim.policies.contract import N_BUCKETS
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
from gin_sim.policies.knocking import MAX_TABLE_DEADWOOD, OUT_CLASSES, TABLE_TURNS, out_class
from gin_sim.rules import KNOCK
from gin_sim.simulate.play import play_draw, play_on, play_throw, start_deal
from gin_sim.simulate.tallies import price

MOST_POINTS = 400  # of a hand, in the arrays here
_DECISION_STREAM = 7  # which decision of a deal is tried both ways
_LAST_TURN = 14
_CELLS = OUT_CLASSES * (MAX_TABLE_DEADWOOD + 1)

# ---------------------------------------------------------------------------------------------
# What a hand's result is worth


@jit
def count_points(tables, views, rules, players, seed, first, n_deals, counts):
    """Play deals twice, seats swapped, and count who scored how much.

    Parameters
    ----------
    tables, views, players : record arrays
        As for the play loop.
    rules : RuleNumbers
    seed, first, n_deals : int64
    counts : int64 array, shape (2, MOST_POINTS + 1)
        Added to: hands by the points that player 0 and player 1 scored; washes are at (0, 0).
    """
    table = tables[0]
    for deal_index in range(first, first + n_deals):
        start_deal(table, views, seed, deal_index)
        for leg in range(2):
            deal_hand(table, views, deal_index & 1, rules)
            play_on(table, views, rules, players, leg)
            lead = _lead(table, rules, leg)
            if lead >= 0:
                counts[0, lead] += 1
            else:
                counts[1, -lead] += 1


def chance_to_win(counts: np.ndarray, target: int) -> tuple[np.ndarray, np.ndarray]:
    """Return the chance to win a game from each score, and how often each score is met.

    Hands are taken as independent, whoever deals; boxes and bonuses of the game do not count.

    Parameters
    ----------
    counts : int64 array, shape (2, MOST_POINTS + 1)
        As :func:`count_points` fills it.
    target : int
        Points that end the game.

    Returns
    -------
    chance : float64 array, shape (target + MOST_POINTS, target + MOST_POINTS)
        ``chance[mine, theirs]``; 1 or 0 once a score has reached the target.
    visits : float64 array, shape (target, target)
        Hands of a game that begin at each score, washes apart.
    """
    results = counts.astype(float)
    results[0, 0] = 0
    mine, theirs = results / results.sum()
    size = target + MOST_POINTS
    chance = np.zeros((size, size))
    chance[target:, :target] = 1
    chance[target:, target:] = 0.5
    for total in reversed(range(2 * target - 1)):
        for own in range(max(0, total - target + 1), min(total, target - 1) + 1):
            other = total - own
            chance[own, other] = (
                mine[1:] @ chance[own + 1 : own + MOST_POINTS + 1, other]
                + theirs[1:] @ chance[own, other + 1 : other + MOST_POINTS + 1]
            )
    visits = np.zeros((size, size))
    visits[0, 0] = 1
    for total in range(2 * target - 1):
        for own in range(max(0, total - target + 1), min(total, target - 1) + 1):
            other = total - own
            here = visits[own, other]
            visits[own + 1 : own + MOST_POINTS + 1, other] += here * mine[1:]
            visits[own, other + 1 : other + MOST_POINTS + 1] += here * theirs[1:]
    return chance, visits[:target, :target]


def game_worth(counts: np.ndarray, target: int) -> tuple[np.ndarray, np.ndarray]:
    """Return the worth of each score by the chance to win, in points, and how often it is met.

    One unit is scaled so that a hand's result varies as much as it does in points.
    """
    chance, visits = chance_to_win(counts, target)
    results = counts.astype(float)
    results[0, 0] = 0
    mine, theirs = results / results.sum()
    points = np.arange(MOST_POINTS + 1)
    in_points = mine @ points**2 + theirs @ points**2
    in_chance = 0.0
    for own, other in np.argwhere(visits > 0):
        here = chance[own, other]
        gains = chance[own : own + MOST_POINTS + 1, other] - here
        losses = chance[own, other : other + MOST_POINTS + 1] - here
        in_chance += visits[own, other] * (mine @ gains**2 + theirs @ losses**2)
    scale = np.sqrt(in_points / (in_chance / visits.sum()))
    return chance * scale, visits


def sample_scores(visits: np.ndarray, n_scores: int, generator: np.random.Generator) -> np.ndarray:
    """Return scores as games meet them: int64, shape (n_scores, 2), mine and theirs."""
    chosen = generator.choice(visits.size, n_scores, p=visits.ravel() / visits.sum())
    return np.stack(np.unravel_index(chosen, visits.shape), axis=1).astype(np.int64)


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


# ---------------------------------------------------------------------------------------------
# Decisions tried both ways


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
    worth : float64 array
        ``worth[mine, theirs]`` of a score.
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
        _keep(tables, views)
        gained = _throw_and_play_on(tables, views, rules, players, seat, own, worth)
        _bring_back(tables, views)
        gained -= _throw_and_play_on(tables, views, rules, players, seat, other, worth)
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
        _keep(tables, views)
        take_upcard(view, other, rules)
        card = chooses_discard(player, view)
        gained = _throw_and_play_on(tables, views, rules, players, seat, card, worth)
        _bring_back(tables, views)
        if table.phase == FIRST_OFFER:
            pass_upcard(table, view, other)
            play_on(table, views, rules, players, seat)
            gained -= _worth(_lead(table, rules, seat), worth, view)
        else:
            draw_stock(table, view, other)
            card = chooses_discard(player, view)
            gained -= _throw_and_play_on(tables, views, rules, players, seat, card, worth)
        rows[row, 1 + N_TAKE] = gained
        row += 1


@jit_inline
def _keep(tables, views):
    tables[1] = tables[0]
    views[2] = views[0]
    views[3] = views[1]


@jit_inline
def _bring_back(tables, views):
    tables[0] = tables[1]
    views[0] = views[2]
    views[1] = views[3]


@jit
def _throw_and_play_on(tables, views, rules, players, seat, card, worth):
    """Throw a card for player 0, play the hand to its end and return the worth of the score."""
    table = tables[0]
    view = views[seat]
    play_throw(table, view, views[1 - seat], rules, players[0], card, table.n_turns)
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
            play_throw(table, view, other, rules, player, chooses_discard(player, view), n_turns)
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
            play_throw(table, view, other, rules, player, chooses_discard(player, view), n_turns)
    return False


def fit_weights(rows: np.ndarray, before: np.ndarray, ridge: float = 20.0) -> np.ndarray:
    """Return the weights by bucket that explain rows of differences best.

    Parameters
    ----------
    rows : float64 array, shape (n, n_features + 2)
        As :func:`try_discards` and :func:`try_takes` fill them.
    before : float64 array, shape (N_BUCKETS, n_features)
        Kept in buckets with fewer than 1,000 rows; a feature that never differs gets 0.
    ridge : float
        Penalty on the squared weight of a feature scaled to root mean square 1.
    """
    weights = before.copy()
    for bucket in range(N_BUCKETS):
        here = rows[rows[:, 0] == bucket]
        if len(here) < 1000:
            continue
        features, gained = here[:, 1:-1], here[:, -1]
        sizes = np.sqrt((features**2).mean(axis=0))
        used = sizes > 1e-3
        scaled = features[:, used] / sizes[used]
        weights[bucket] = 0
        weights[bucket, used] = (
            np.linalg.solve(scaled.T @ scaled + ridge * np.eye(used.sum()), scaled.T @ gained)
            / sizes[used]
        )
    return weights


# ---------------------------------------------------------------------------------------------
# The knock, by optimal stopping


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
                play_throw(table, view, other, rules, player, card, n_turns)
                allowed = 0 < view.deadwood <= table.knock_limit
                if mover == seat and allowed and turn <= TABLE_TURNS:
                    unseen = unseen_cards(view)
                    cells[path, turn - 1] = 3 * view.deadwood + out_class(view.hand, unseen)
                    sets, runs = choose_spread(view.hand, unseen, view.opponent_known)
                    left, _ = answer_knock(other.hand, sets, runs, view.deadwood, rules)
                    outcome = outcome_of(KNOCK, view.deadwood, left, rules)
                    points = hand_points(outcome, view.deadwood, left, table.first_upcard, rules)
                    knocks[path, turn - 1] = _worth(points, worth, view)
        ends[path] = _worth(_lead(table, rules, seat), worth, views[seat])


def solve_knock(
    cells, knocks, ends, knock_limit: int = 10, at_least: int = 200
) -> tuple[np.ndarray, float]:
    """Return the best knock table against the traced opponent, by backward induction.

    A cell knocks where its mean worth of a knock beats the mean of going on under the rule found
    for later turns; a cell of fewer than ``at_least`` paths does as the next lower deadwood does.

    Returns
    -------
    table : int64 array, shape (TABLE_TURNS, OUT_CLASSES)
        Masks of the deadwoods to knock with.
    value : float
        Mean worth of the rule on these paths (optimistic: the rule was chosen on them).
    """
    table = np.zeros((TABLE_TURNS, OUT_CLASSES), np.int64)
    going_on = ends.copy()
    for turn in reversed(range(TABLE_TURNS)):
        cell = cells[:, turn]
        there = cell >= 0
        gained = knocks[there, turn] - going_on[there]
        counts = np.bincount(cell[there], minlength=_CELLS)
        gains = np.bincount(cell[there], gained, minlength=_CELLS)
        for outs in range(OUT_CLASSES):
            knocks_here = False
            for deadwood in range(1, knock_limit + 1):
                at = OUT_CLASSES * deadwood + outs
                if counts[at] >= at_least:
                    knocks_here = gains[at] > 0
                if knocks_here:
                    table[turn, outs] |= 1 << deadwood
        rule = table[turn, cell % OUT_CLASSES] >> (cell // OUT_CLASSES) & 1
        stop = there & (rule == 1)
        going_on[stop] = knocks[stop, turn]
    return table, float(going_on.mean())
