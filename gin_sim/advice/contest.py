"""One position asked against one opponent: what is played, how far, and what it came to.

First worlds only choose which actions are played further, in two rounds; the figures of those come
from other worlds, so that the choice does not flatter them.  The chains of the sampler are the
sample.  Intervals are widened by Bonferroni's inequality for all pairs that a verdict may turn on,
a finalist of one kind and one of the other: since the margin is the best of one less the best of
the other, it then lies in its interval whichever pair the same worlds point at.
"""

from __future__ import annotations

import math
import threading
from collections.abc import Callable
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from gin_sim.advice.actions import KINDS, named
from gin_sim.advice.explanation import reasons_of
from gin_sim.advice.playouts import Playouts, Results, Sampler, chain_estimate
from gin_sim.belief.sampler import N_CHAINS, Agreement, agreement
from gin_sim.cards import mask_of
from gin_sim.engine.compiling import Stopwatch
from gin_sim.engine.deadwood import least_deadwood
from gin_sim.play.actions import DISCARD, KNOCK, LAY_DOWN, Action, legal_actions
from gin_sim.policies.contract import Policy
from gin_sim.results.actions import CLOSE, ActionValue, Ends, Verdict
from gin_sim.results.advice import Reasons
from gin_sim.results.common import number
from gin_sim.stats.intervals import Estimate

_SCREENS = ((10, 2), (30, 4))  # worlds of each chain, and shuffles of each, to choose by
_BLOCK = (25, 8)  # worlds cost more than shuffles: 4 or 16 take a tenth longer for a width
#: Where all chains find the likely worlds.
WORLDS_A_BLOCK = N_CHAINS * _BLOCK[0]
_DISCARDS = (6, 4)  # that are kept at most; a knock is over at once and costs next to nothing
_DRAWS = 4000  # for the chance to be best
_DIGITS = 6  # of the shares of ends
_LEAST_BLOCKS = 4  # before the width is asked: chains need some length to disagree


@dataclass(frozen=True)
class Effort:
    """How long to play.

    The width is looked at after every block; it is no more likely to be small where the margin is
    too high than where it is too low, so that stopping by it does not flatter any action.  It
    stops a little more often where the width came out small: of 16 normal chains stopped so, 93 to
    94% of the 95% intervals held the truth.

    Parameters
    ----------
    precision : float or None
        Half the width of the margin's interval that is enough, in the objective's unit; None for
        its usual one.
    seconds : float
        Time that is enough whatever the width, once the sampler has started; compiling is not
        counted.
    blocks : int or None
        Number of blocks of worlds to play, whatever width and time: the same seed then gives the
        same numbers on every machine.
    """

    precision: float | None = None
    seconds: float = 10.0
    blocks: int | None = None

    def is_enough(self, played: int, seconds: float, width: float) -> bool:
        """Return whether so many blocks, so many seconds and such a half width are enough."""
        if self.blocks is not None:
            return played >= self.blocks
        if seconds >= self.seconds:
            return True
        return played >= _LEAST_BLOCKS and width <= self.precision

    def less(self) -> Effort:
        """Return the effort for one opponent of the panel: a quarter of the time."""
        blocks = None if self.blocks is None else max(self.blocks // 4, 1)
        return Effort(2 * self.precision, self.seconds / 4, blocks)


class _Contest(NamedTuple):
    """The best of some actions by index, and the best of the kind that it is compared with."""

    answer: str
    best: int
    rival: int | None


class _Screen(NamedTuple):
    """A round that chose: the actions played by index, what they came to, each chain's means."""

    played: list[int]
    results: Results
    values: np.ndarray


class Question:
    """One position asked against one opponent: a sampler, the finalists, and what they came to.

    Parameters
    ----------
    sampler : Sampler
    players : pair of Policy
        How the player plays after the action, and how its opponent plays.
    prices : float64 array, shape (3, points + 1)
        What results are worth, see :func:`gin_sim.payoff.ends.values_of`.
    seed, threads : int
    """

    def __init__(
        self,
        sampler: Sampler,
        players: tuple[Policy, Policy],
        prices: np.ndarray,
        seed: int,
        threads: int,
    ) -> None:
        self.position = sampler.position
        self.sampler = sampler
        self.prices = prices
        self.seed = seed
        self.playouts = Playouts(sampler, players, seed, threads)
        self.actions = legal_actions(self.position)
        self.finalists = list(range(len(self.actions)))
        self._screens = [self._screen(*sizes) for sizes in zip(_SCREENS, _DISCARDS, strict=True)]
        self.blocks: list[Results] = []
        self._hands: list[np.ndarray] = []

    def _screen(self, size: tuple[int, int], most_discards: int) -> _Screen:
        """Play the finalists so far, and keep those that may be the best of their kind."""
        played = list(self.finalists)
        results, _ = self.playouts.play([self.actions[index] for index in played], *size)
        values = results.values(self.prices)
        by_kind: dict[str, list[int]] = {}
        for place, index in enumerate(played):
            by_kind.setdefault(KINDS[self.actions[index].what], []).append(place)
        least = 2 if len(by_kind) == 1 else 1  # so that there is a margin
        kept = []
        for kind, places in by_kind.items():
            most = most_discards if kind == KINDS[DISCARD] else len(places)
            ranked = sorted(places, key=lambda place: -values[:, place].mean())
            kept += ranked[:least] + _not_behind(values, ranked)[:most]
        self.finalists = sorted({played[place] for place in kept})
        return _Screen(played, results, values)

    def play_block(self) -> None:
        """Play the finalists in further worlds."""
        actions = [self.actions[index] for index in self.finalists]
        results, worlds = self.playouts.play(actions, *_BLOCK)
        self.blocks.append(results)
        self._hands.append(self.sampler.hands(worlds))

    def play_enough(
        self, effort: Effort, stop: threading.Event | None, on_block: Callable | None
    ) -> bool:
        """Play blocks until it is enough; return whether it was stopped before."""
        watch = Stopwatch()
        while True:
            self.play_block()
            verdict = self.verdict()
            width = verdict.margin.half_width if verdict.margin else 0.0
            if on_block:
                on_block(len(self.blocks), verdict)
            if effort.is_enough(len(self.blocks), watch.seconds, width):
                return False
            if stop is not None and stop.is_set():
                return True

    @property
    def hands(self) -> np.ndarray:
        """The opponent's hands in the worlds so far, int64 masks, shape (chains, worlds)."""
        return np.concatenate(self._hands, axis=1)

    @property
    def results(self) -> Results:
        """What the finalists came to in all worlds so far."""
        return Results(
            np.concatenate([block.points for block in self.blocks], axis=1),
            np.concatenate([block.ends for block in self.blocks], axis=1),
        )

    def values(self) -> np.ndarray:
        """Return each chain's mean of each finalist, shape (chains, finalists)."""
        return np.mean([block.values(self.prices) for block in self.blocks], axis=0)

    @property
    def n_pairs(self) -> int:
        """How many differences a verdict may turn on: all of them are to hold at once."""
        kinds = [KINDS[self.actions[index].what] for index in self.finalists]
        n_first = kinds.count(kinds[0])
        if n_first == len(kinds):
            return max(math.comb(n_first, 2), 1)
        return n_first * (len(kinds) - n_first)

    def verdict(self, values: np.ndarray | None = None) -> Verdict:
        """Return which kind of action is better.

        Parameters
        ----------
        values : float array, shape (chains, finalists), optional
            The same hands priced in another way; by default those of the objective.
        """
        values = self.values() if values is None else values
        contest = self._contest(values.mean(axis=0))
        action = self.actions[self.finalists[contest.best]]
        if contest.rival is None:
            return Verdict(**named(action), answer=contest.answer, margin=None)
        margin = chain_estimate(values[:, contest.best] - values[:, contest.rival], self.n_pairs)
        answer = CLOSE if margin.spans_zero else contest.answer
        return Verdict(**named(action), answer=answer, margin=margin)

    def _contest(self, means: np.ndarray) -> _Contest:
        """Return the best finalist, and the best of the other kind or, with one kind, the next."""
        kinds = [KINDS[self.actions[index].what] for index in self.finalists]
        best = int(means.argmax())
        answer = kinds[best]
        others = [i for i, kind in enumerate(kinds) if kind != answer]
        if not others:
            others = [i for i in range(len(kinds)) if i != best]
            answer = "discard" if answer == KINDS[DISCARD] else answer
        action = self.actions[self.finalists[best]]
        if action.what == LAY_DOWN:
            answer = "big gin"
        elif action.what == KNOCK and self._deadwood(action) == 0:
            answer = "gin"
        return _Contest(answer, best, max(others, key=lambda i: means[i], default=None))

    def _deadwood(self, action: Action) -> int:
        """Return the pips that a discard leaves."""
        return int(least_deadwood(mask_of(self.position.hand) & ~(1 << action.card)))

    def agreement(self) -> Agreement:
        """Return how well the chains agree on the margin, world by world.

        Where there is no choice it is the opponent's deadwood that they are asked about.
        """
        by_world = self.results.by_world(self.prices)
        contest = self._contest(by_world.mean(axis=(0, 1)))
        if contest.rival is not None:
            return agreement(by_world[:, :, contest.best] - by_world[:, :, contest.rival])
        return agreement(np.vectorize(least_deadwood, otypes=[float])(self.hands))

    def action_values(self) -> list[ActionValue]:
        """Return every action with its figures, best first."""
        values = self.values()
        best = self._contest(values.mean(axis=0)).best
        chances = _chances_best(values, self.seed)
        final, shares = self.results, self.results.shares()
        n_pairs = max(math.comb(len(self.finalists), 2), 1)  # whichever is the best
        found = [
            self._action_value(
                self.actions[index],
                chain_estimate(values[:, place]),
                chain_estimate(values[:, place] - values[:, best], n_pairs),
                chances[place],
                shares[place],
                final,
            )
            for place, index in enumerate(self.finalists)
        ]
        found += self._dropped(values, best)
        found.sort(key=lambda value: -value.value.estimate)
        return found

    def _dropped(self, values: np.ndarray, best: int) -> list[ActionValue]:
        """Return the actions that were played no further, measured from the best of their kind."""
        means = values.mean(axis=0)
        found = []
        done = set(self.finalists)
        for screen in reversed(self._screens):  # the later has more hands
            shares = screen.results.shares()
            for place, index in enumerate(screen.played):
                if index in done:
                    continue
                done.add(index)
                action = self.actions[index]
                same = [
                    i for i, other in enumerate(self.finalists) if self._same_kind(other, index)
                ]
                leader = max(same, key=lambda i: means[i])
                against = screen.values[:, screen.played.index(self.finalists[leader])]
                lead = screen.values[:, place] - against
                about = chain_estimate(values[:, leader] + lead)
                behind = chain_estimate(
                    values[:, leader] - values[:, best] + lead, len(self.actions)
                )
                found.append(
                    self._action_value(
                        action, about, behind, math.nan, shares[place], screen.results
                    )
                )
        return found

    def _same_kind(self, index: int, other: int) -> bool:
        return KINDS[self.actions[index].what] == KINDS[self.actions[other].what]

    def _action_value(
        self,
        action: Action,
        value: Estimate,
        difference: Estimate,
        chance: float,
        ends: np.ndarray,
        played: Results,
    ) -> ActionValue:
        deadwood = self._deadwood(action) if action.what in (DISCARD, KNOCK) else None
        return ActionValue(
            **named(action),
            kind=KINDS[action.what],
            deadwood=deadwood,
            is_gin=action.what == LAY_DOWN or (action.what == KNOCK and deadwood == 0),
            value=value,
            difference=difference,
            chance_best=number(chance),
            ends=Ends(*(round(float(share), _DIGITS) for share in ends)),
            playouts=math.prod(played.points.shape[:3]),
            finalist=all(played is not screen.results for screen in self._screens),
        )

    def reasons(self) -> Reasons:
        """Return what stands behind the answer: for the best discard and the best knock."""
        means = self.values().mean(axis=0)
        order = [self.actions[self.finalists[i]] for i in np.argsort(-means)]
        held = mask_of(self.position.hand)
        left = {
            what: next(
                (held & ~(1 << action.card) for action in order if action.what == what), None
            )
            for what in (DISCARD, KNOCK)
        }
        knocked = left[KNOCK]
        if knocked is not None and not least_deadwood(knocked):
            knocked = None
        return reasons_of(self.position, self.hands, left[DISCARD], knocked)


def _not_behind(values: np.ndarray, ranked: list[int]) -> list[int]:
    """Return those of some places, best first, that are not clearly behind the first."""
    best = values[:, ranked[0]]
    leads = {place: chain_estimate(values[:, place] - best, len(ranked)) for place in ranked}
    return [place for place in ranked if not leads[place].high < 0]


def _chances_best(values: np.ndarray, seed: int) -> list[float]:
    """Return how likely each action is the best: Student's t about the means of the chains."""
    n_chains, n_actions = values.shape
    if n_actions == 1:
        return [1.0]
    if n_chains == 1:
        return [math.nan] * n_actions
    chance = np.random.default_rng(seed)
    spread = np.cov(values, rowvar=False) / n_chains
    drawn = chance.multivariate_normal(np.zeros(n_actions), spread, _DRAWS, check_valid="ignore")
    scale = np.sqrt((n_chains - 1) / chance.chisquare(n_chains - 1, _DRAWS))
    best = (values.mean(axis=0) + drawn * scale[:, None]).argmax(axis=1)
    return [float(share) for share in np.bincount(best, minlength=n_actions) / _DRAWS]
