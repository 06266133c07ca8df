"""The chance to win a game, and what it pays, from every score: the equity table of two policies.

How hands end is counted by simulation; from that the value of every state follows exactly, by
working backward from the end.  Everything is said of side 0.  How hands are played, kept on disk or
shown is not decided here.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from gin_sim.errors import InputError
from gin_sim.payoff.game_solver import Chances, Places, places_of, solve_backward
from gin_sim.payoff.score import EITHER, State, box_range, check_rules, check_state
from gin_sim.play.hand_results import ResultsPlan
from gin_sim.play.run import available_cores
from gin_sim.play.tallies import WON_BY_NOBODY
from gin_sim.rules import NOBODY, Rules, game_stakes, next_dealer
from gin_sim.stats.intervals import Estimate, t_quantile
from gin_sim.words import listed

#: What a state is judged by: the chance to win, the chance of a tie, the points settled (what the
#: loser pays: difference of totals, game bonus, shutout), and the chance to win with half a tie.
MEASURES = ("win", "tie", "stakes", "score")
_STATES_TOGETHER = 4_000_000  # for several measures at a time: 64 MB each
_SPARE_BOXES = 12  # differences kept to each side where only an interval is sought, and more ...
_SPARE_BY_TARGET = 20  # ... by one for each so many points of the target


@dataclass(frozen=True)
class Results:
    """How the hands of two policies end, as counted.

    Parameters
    ----------
    plan : ResultsPlan
    counts : int64 array, shape (groups, scores, 2, 3, points + 1)
        As :meth:`ResultsPlan.new_tally` describes it.
    hands : int
        Counted at each score.
    partial : bool
        Whether they are fewer than the plan's.
    """

    plan: ResultsPlan
    counts: np.ndarray
    hands: int
    partial: bool = False


def end_worth(measure: str, stakes: int) -> float:
    """Return what a finished game is worth to a side that is paid so much."""
    if measure == "stakes":
        return float(stakes)
    if measure == "tie":
        return float(stakes == 0)
    if measure == "score" and stakes == 0:
        return 0.5
    return float(stakes > 0)


def ends_of(measure: str, rules: Rules) -> np.ndarray:
    """Return the value of finished games as :func:`solve_backward` takes it."""
    numbers = rules.numbers()
    ends = np.zeros((2, 2, 5))
    for winner, other_won in np.ndindex(2, 2):

        def worth(lead: int, winner=winner, other_won=other_won) -> float:
            won = (1, other_won) if winner == 0 else (other_won, 1)
            side_0 = lead if winner == 0 else -lead
            return end_worth(measure, game_stakes(side_0, 0, *won, numbers))

        ahead, behind = worth(1), worth(-1)
        ends[winner, other_won] = (
            ahead, worth(2) - ahead, worth(0), behind, worth(-2) - behind,
        )  # fmt: skip
    return ends


def chances_of(counts: np.ndarray, rules: Rules) -> Chances:
    """Return the chances of a hand's ends from their counts.

    Parameters
    ----------
    counts : array, shape (scores, 2, 3, points + 1)
    rules : Rules

    Raises
    ------
    InputError
        If some dealer's hands were never played, or never won by anybody.
    """
    played = counts.sum(axis=(2, 3), keepdims=True)
    won = counts[:, :, :WON_BY_NOBODY]
    if not won.sum(axis=(2, 3)).all():
        raise InputError(
            "in the hands that were counted nobody ever won one at some score, so that a game need "
            "not end: play more hands, or other policies."
        )
    shares = won / played
    if rules.boxes_count_at_once:
        shares = np.pad(shares, [(0, 0)] * 3 + [(rules.box_bonus, 0)])
    return Chances(shares, (counts[:, :, WON_BY_NOBODY].sum(axis=-1) / played[..., 0, 0]))


class Equity:
    """The value of every state of a game between two policies.

    Parameters
    ----------
    results : Results

    Raises
    ------
    InputError
        See :func:`check_rules` and :func:`chances_of`.
    """

    def __init__(self, results: Results) -> None:
        check_rules(results.plan.rules)
        self.results = results
        self.rules = results.plan.rules
        self.box = 0 if self.rules.boxes_count_at_once else self.rules.box_bonus
        self.chances = chances_of(results.counts.sum(axis=0), self.rules)
        self._values: dict[str, np.ndarray] = {}

    @cached_property
    def places(self) -> Places:
        """Where a state lies in :meth:`values`."""
        return places_of(self.rules.target, self.box > 0)

    def values(self, measure: str) -> np.ndarray:
        """Return the value of every state, for look-ups in kernels or by NumPy.

        Parameters
        ----------
        measure : {"win", "tie", "stakes", "score"}

        Returns
        -------
        float64 array, shape (2, places.n)
            By dealer and, at ``places.origins[mine, theirs] + box_difference``, by state.  For a
            target of 100 with boxes at the end that is 16 MB, for 250 half a gigabyte.
        """
        self._prepare([measure])
        return self._values[measure]

    def _prepare(self, measures: Sequence[str]) -> None:
        """Solve for measures that are not solved yet; together where memory allows."""
        for measure in measures:
            if measure not in MEASURES:
                raise InputError(f"there is no measure '{measure}': give {listed(MEASURES)}.")
        missing = [measure for measure in measures if measure not in self._values]
        at_once = len(missing) if self.places.n <= _STATES_TOGETHER else 1
        for first in range(0, len(missing), at_once or 1):
            some = missing[first : first + at_once]
            solved = self._solve(some, self.chances, self.places)
            self._values |= {
                measure: np.ascontiguousarray(solved[:, :, place])
                for place, measure in enumerate(some)
            }

    def _solve(self, measures: Sequence[str], chances: Chances, places: Places) -> np.ndarray:
        classes = self.results.plan.standings.classes
        ends = np.array([ends_of(measure, self.rules) for measure in measures])
        return solve_backward(chances, classes, ends, self.box, places, self.rules)

    def win(self, mine: int, theirs: int, box_difference: int = 0, dealer: int = EITHER) -> float:
        """Return the chance that side 0 wins the game, ties left out; see :class:`State`."""
        return self._at("win", State(mine, theirs, box_difference, dealer))

    def tie(self, mine: int, theirs: int, box_difference: int = 0, dealer: int = EITHER) -> float:
        """Return the chance that the game ends in a tie."""
        return self._at("tie", State(mine, theirs, box_difference, dealer))

    def stakes(
        self, mine: int, theirs: int, box_difference: int = 0, dealer: int = EITHER
    ) -> float:
        """Return the expected points settled, to side 0."""
        return self._at("stakes", State(mine, theirs, box_difference, dealer))

    def _at(self, measure: str, state: State) -> float:
        check_state(state, self.rules)
        return float(_read(self.values(measure)[:, :, None], self.places, [state])[0, 0])

    def estimates(
        self,
        states: Sequence[State],
        measures: Sequence[str] = ("win",),
        threads: int | None = None,
    ) -> dict[str, list[Estimate]]:
        """Return the value of some states with 95% intervals.

        The interval is a delete-a-group jackknife (Kott, "The delete-a-group jackknife", Journal
        of Official Statistics 17, 2001) over the groups of mirrored pairs: the table is solved once
        more without each, and Student's t has one degree of freedom less than there are groups.  It
        says how far the counted hands determine the table, and nothing of the policies.  The
        further solutions keep box differences near those asked for only.

        Parameters
        ----------
        states : sequence of State
            All that are wanted: each call solves anew.
        measures : sequence of {"win", "tie", "stakes", "score"}
        threads : int, optional
            All cores by default.

        Returns
        -------
        dict of str to list of Estimate
            By measure, in the order of the states; the ends are nan where a group has no hands.

        Raises
        ------
        InputError
            See :func:`check_state`.
        """
        for state in states:
            check_state(state, self.rules)
        self._prepare(measures)
        errors = self._errors(measures, states, threads)
        reaches = t_quantile(len(self.results.counts) - 1) * errors
        found = {}
        for measure, reach in zip(measures, reaches.T, strict=True):
            middle = _read(self.values(measure)[:, :, None], self.places, states)[:, 0]
            low, high = middle - reach, middle + reach
            if measure != "stakes":
                low, high = np.clip(low, 0, 1), np.clip(high, 0, 1)
            found[measure] = [
                Estimate(*map(float, three)) for three in zip(middle, low, high, strict=True)
            ]
        return found

    def _errors(
        self, measures: Sequence[str], states: Sequence[State], threads: int | None
    ) -> np.ndarray:
        """Return standard errors, shape (states, measures)."""
        counts = self.results.counts
        if not counts.any(axis=(1, 2, 3, 4)).all():
            return np.full((len(states), len(measures)), math.nan)
        asked = [state.box_difference for state in states]
        spare = _SPARE_BOXES + self.rules.target // _SPARE_BY_TARGET
        window = (min(asked) - spare, max(asked) + spare)
        places = places_of(self.rules.target, self.box > 0, window)
        total = counts.sum(axis=0)

        def without(group: int) -> np.ndarray:
            chances = chances_of(total - counts[group], self.rules)
            return _read(self._solve(measures, chances, places), places, states)

        with ThreadPoolExecutor(threads or available_cores()) as pool:
            found = np.array(list(pool.map(without, range(len(counts)))))
        apart = found - found.mean(axis=0)
        return np.sqrt((len(counts) - 1) / len(counts) * (apart**2).sum(axis=0))

    def worth(
        self, mine: int, theirs: int, box_difference: int = 0, measure: str = "score"
    ) -> np.ndarray:
        """Return what each result of the hand to be played from a state is worth.

        Parameters
        ----------
        mine, theirs, box_difference : int
            Before the hand.
        measure : {"win", "tie", "stakes", "score"}
            ``score``, the chance to win with half a tie, is what a player maximises to win.

        Returns
        -------
        float64 array, shape (2, 3, points + 1)
            By who dealt the hand, who wins it (WON_BY_NOBODY the third) and the hand points that
            it scores, boxes not included.  Nobody's row is the same for all points.  Points that no
            hand pays are no result, whatever they are worth here.
        """
        state = State(mine, theirs, box_difference)
        check_state(state, self.rules)
        n_points = self.results.counts.shape[-1]
        found = np.zeros((2, 3, n_points))
        for dealer, winner, points in np.ndindex(found.shape):
            found[dealer, winner, points] = self.after(state, dealer, winner, points, measure)
        return found

    def after(self, state: State, dealer: int, winner: int, points: int, measure: str) -> float:
        """Return the value of a game once a hand has been played.

        Parameters
        ----------
        state : State
            Before the hand; its dealer is not read.
        dealer : int
            Side that dealt the hand.
        winner : int
            Side that won it, or WON_BY_NOBODY.
        points : int
            Hand points, the box not included.
        measure : {"win", "tie", "stakes", "score"}
        """
        numbers = self.rules.numbers()
        after = self.state_after(state, winner, points)
        if after is None:
            return end_worth(measure, self._settled(state, winner, points))
        nobody = winner == WON_BY_NOBODY
        dealer = next_dealer(dealer, NOBODY if nobody else winner, numbers)
        place = self.places.origins[after.mine, after.theirs] + after.box_difference
        return float(self.values(measure)[dealer, place])

    def state_after(self, state: State, winner: int, points: int) -> State | None:
        """Return the state, whoever deals in it, that a hand leads to; None: the game is over.

        Parameters are those of :meth:`after`.
        """
        if winner == WON_BY_NOBODY:
            return State(state.mine, state.theirs, state.box_difference)
        after = self._moved(state, winner, points)
        over = max(after.mine, after.theirs) >= self.rules.target
        return None if over else after

    def _moved(self, state: State, winner: int, points: int) -> State:
        at_once = self.rules.boxes_count_at_once
        score = [state.mine, state.theirs]
        score[winner] += points + self.rules.box_bonus if at_once else max(points, 1)
        box = (1 if winner == 0 else -1) if self.box else 0
        return State(*score, state.box_difference + box)

    def _settled(self, state: State, winner: int, points: int) -> int:
        """Return what side 0 is paid for a game that a hand has ended."""
        after = self._moved(state, winner, points)
        won = (int(after.mine > 0), int(after.theirs > 0))
        total = after.mine + self.box * after.box_difference
        return game_stakes(total, after.theirs, *won, self.rules.numbers())

    def grid(self, measure: str, box_difference: int = 0) -> np.ndarray:
        """Return the value of all scores at one box difference.

        Returns
        -------
        float64 array, shape (2, target, target)
            By dealer, points of side 0 and of side 1; nan where no game is: at a score that no
            hands won make, or that does not allow the difference.
        """
        places = self.places
        lows, highs = box_range(*np.ogrid[: self.rules.target, : self.rules.target], self.rules)
        possible = (lows <= box_difference) & (box_difference <= highs)
        found = np.full((2, *possible.shape), math.nan)
        found[:, possible] = self.values(measure)[:, places.origins[possible] + box_difference]
        return found


def _read(values: np.ndarray, places: Places, states: Sequence[State]) -> np.ndarray:
    """Return the value of states, shape (states, measures), from the values of all."""
    found = []
    for state in states:
        both = values[:, places.origins[state.mine, state.theirs] + state.box_difference]
        found.append(both.mean(axis=0) if state.dealer == EITHER else both[state.dealer])
    return np.array(found)
