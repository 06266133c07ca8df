"""Tables of a game as the results that users get: plain values, chances as shares (0-1)."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from gin_sim.payoff.equity import Equity
from gin_sim.payoff.payoff import PriceTable
from gin_sim.payoff.score import DEALERS, EITHER, State, box_range
from gin_sim.play.tallies import WON_BY_NOBODY
from gin_sim.results.common import Estimate, number
from gin_sim.results.equity import (
    AskedScore,
    CountedScore,
    DealerValue,
    EquityGrid,
    EquityTable,
    GameValue,
    GameWidths,
    NextHand,
    ScoreValue,
    Winner,
    scores_shown,
)
from gin_sim.results.score import LaterHands, Score
from gin_sim.rules import NOBODY, Rules, least_points, next_dealer

_MEASURES = ("win", "tie", "stakes")
_WINNERS: tuple[Winner, ...] = ("me", "opponent", "nobody")
_SHOWN_POINTS = (5, 10, 15, 20, 25, 30, 40, 50)
_GRID = 25  # scores of a side in the chart, about


def later_hands_of(equity: Equity) -> LaterHands:
    """Return which hands a table of the game follows from."""
    results = equity.results
    play, against = results.plan.policies
    return LaterHands(
        play=play.spec,
        against=against.spec,
        hands=results.hands,
        scores=len(results.plan.standings.examples),
        seed=results.plan.seed,
        partial=results.partial,
    )


def score_of(prices: PriceTable) -> Score | None:
    """Return the score that results are priced at; None where only the hand counts."""
    state, equity = prices.state, prices.equity
    if state is None or equity is None:
        return None
    return Score(
        mine=state.mine,
        theirs=state.theirs,
        box_difference=state.box_difference,
        boxes_matter=equity.box > 0,
        dealer=DEALERS[state.dealer],
        later_hands=later_hands_of(equity),
    )


def equity_table(
    equity: Equity,
    box_difference: int,
    asked: State | None,
    threads: int | None,
) -> EquityTable:
    """Return the table of a game at one box difference, every interval from one resampling.

    Parameters
    ----------
    equity : Equity
    box_difference : int
        Of the table.
    asked : State or None
        A score of which more is said.
    threads : int or None
    """
    results, rules = equity.results, equity.rules
    play, against = results.plan.policies
    cells = _states_shown(rules, box_difference)
    here = [] if asked is None else [_dealt_by(asked, dealer) for dealer in DEALERS]
    hands = [] if asked is None else _next_hands(equity, asked)
    after = [state for _, _, state in hands if isinstance(state, State)]
    states = list(dict.fromkeys([*cells, State(0, 0), *here, *after]))
    values = _values(equity, states, threads)
    return EquityTable(
        rules=rules,
        seed=results.plan.seed,
        partial=results.partial,
        seconds={},
        play=play.info(),
        against=against.info(),
        target=rules.target,
        hands=results.hands,
        counted_at=[CountedScore(*map(int, row)) for row in results.plan.standings.examples],
        groups=len(results.counts),
        exact_by_score=results.plan.standings.exact,
        box_difference=box_difference,
        boxes_matter=equity.box > 0,
        start=GameValue(**values[State(0, 0)]),
        cells=[
            ScoreValue(
                mine=state.mine,
                theirs=state.theirs,
                dealer=DEALERS[state.dealer],
                **values[state],
            )
            for state in cells
        ],
        widest=_widths([values[state] for state in cells if state.dealer == EITHER]),
        grid=_grid(equity, box_difference),
        asked=None if asked is None else _asked(asked, here, hands, values),
    )


def _states_shown(rules: Rules, box_difference: int) -> list[State]:
    scores = scores_shown(rules.target)
    return [
        State(mine, theirs, box_difference, dealer)
        for mine in scores
        for theirs in scores
        for dealer in DEALERS
        if _allows(mine, theirs, box_difference, rules)
    ]


def _allows(mine: int, theirs: int, box_difference: int, rules: Rules) -> bool:
    least, most = box_range(mine, theirs, rules)
    return least <= box_difference <= most


def _dealt_by(state: State, dealer: int) -> State:
    return State(state.mine, state.theirs, state.box_difference, dealer)


def _values(
    equity: Equity, states: Sequence[State], threads: int | None
) -> dict[State, dict[str, Estimate]]:
    """Return what each state is worth, by measure."""
    found = equity.estimates(states, _MEASURES, threads)
    return {
        state: {measure: found[measure][place] for measure in _MEASURES}
        for place, state in enumerate(states)
    }


def _next_hands(equity: Equity, asked: State) -> list[tuple[int, int, State | dict[str, Estimate]]]:
    """Return results of the hand to come, with the state or the settlement that each leads to."""
    rules, found = equity.rules, []
    box = rules.box_bonus if rules.boxes_count_at_once else 0
    least, most = max(1, least_points(rules)), equity.results.counts.shape[-1] - 1
    for winner, score in enumerate((asked.mine, asked.theirs)):
        points_shown = {*_SHOWN_POINTS, max(least, rules.target - score - box)}
        for points in sorted(n for n in points_shown if least <= n <= most):
            found.append((winner, points, _after(equity, asked, winner, points)))
    found.append((WON_BY_NOBODY, 0, _after(equity, asked, WON_BY_NOBODY, 0)))
    return found


def _after(equity: Equity, asked: State, winner: int, points: int) -> State | dict[str, Estimate]:
    """Return the state after a hand, or what a game that is over is worth.

    The next dealer is EITHER where it depends on who dealt the hand.
    """
    state = equity.state_after(asked, winner, points)
    if state is None:
        exact = {m: equity.after(asked, 0, winner, points, m) for m in _MEASURES}
        return {measure: Estimate(value, value, value) for measure, value in exact.items()}
    seat = NOBODY if winner == WON_BY_NOBODY else winner
    dealers = {next_dealer(dealer, seat, equity.rules.numbers()) for dealer in range(2)}
    return _dealt_by(state, dealers.pop() if len(dealers) == 1 else EITHER)


def _asked(
    asked: State,
    here: Sequence[State],
    hands: Sequence[tuple[int, int, State | dict[str, Estimate]]],
    values: dict[State, dict[str, Estimate]],
) -> AskedScore:
    return AskedScore(
        mine=asked.mine,
        theirs=asked.theirs,
        box_difference=asked.box_difference,
        by_dealer=[DealerValue(dealer=DEALERS[s.dealer], **values[s]) for s in here],
        next_hand=[
            NextHand(
                winner=_WINNERS[winner],
                points=points,
                game_over=not isinstance(after, State),
                **(values[after] if isinstance(after, State) else after),
            )
            for winner, points, after in hands
        ],
    )


def _widths(values: Sequence[dict[str, Estimate]]) -> GameWidths:
    return GameWidths(
        *(
            number(max((each[measure].half_width for each in values), default=0.0))
            for measure in _MEASURES
        )
    )


def _grid(equity: Equity, box_difference: int) -> EquityGrid:
    """Return the chances to win on a finer grid of scores, to five places."""
    scores = list(range(0, equity.rules.target, max(1, equity.rules.target // _GRID)))
    win = equity.grid("win", box_difference)[:, scores][:, :, scores]
    rows = [
        [[None if np.isnan(x) else round(float(x), 5) for x in row] for row in by_dealer]
        for by_dealer in win
    ]
    return EquityGrid(scores, *rows)
