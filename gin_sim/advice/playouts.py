"""Actions played out in sampled worlds, and what they came to, chain by chain.

Every action meets the same worlds, the same stock and the same luck, so that differences carry
little noise.  The chains of the sampler are the sample: they are independent, the worlds of one
chain are not.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol

import numpy as np

from gin_sim.belief.sampler import each
from gin_sim.engine.jit import run_kernel
from gin_sim.engine.table import rule_record
from gin_sim.errors import InputError
from gin_sim.payoff.ends import values_of
from gin_sim.play.actions import N_ENDS, Action, Worlds, actions_array, play_worlds
from gin_sim.play.resume import middle_of, new_states
from gin_sim.policies.contract import Policy
from gin_sim.policies.decide import players_of
from gin_sim.positions import Position
from gin_sim.stats.intervals import Estimate, t_estimate

_CHAIN_STEP = 1 << 32  # numbers of worlds from one chain to the next


class Sampler(Protocol):
    """Draws worlds of a position as often as they are likely, by independent chains."""

    position: Position
    n_chains: int
    n_unconverged: int  # chains left out

    def more(self, kept: int) -> np.ndarray:
        """Return the next worlds, int8, shape (chains, kept, arrivals)."""
        ...

    def hands(self, worlds: np.ndarray) -> np.ndarray:
        """Return the hands that the opponent holds in worlds, int64 masks."""
        ...


@dataclass(frozen=True)
class Results:
    """What actions came to in some worlds.

    Parameters
    ----------
    points : int16 array, shape (chains, worlds, shuffles, actions)
        Hand points to the player.
    ends : int8 array, same shape
        ``WON_BY_KNOCK`` ... ``NOBODY_WON``.
    """

    points: np.ndarray
    ends: np.ndarray

    def values(self, prices: np.ndarray) -> np.ndarray:
        """Return each chain's mean of each action, float64, shape (chains, actions).

        Parameters
        ----------
        prices : float64 array, shape (3, points + 1)
            See :func:`gin_sim.payoff.ends.values_of`.
        """
        return self.by_world(prices).mean(axis=1)

    def by_world(self, prices: np.ndarray) -> np.ndarray:
        """Return each world's mean of each action, float64, shape (chains, worlds, actions)."""
        return values_of(prices, self.points, self.ends).mean(axis=2)

    def shares(self) -> np.ndarray:
        """Return how often each action ended in each way, 0-1, shape (actions, N_ENDS)."""
        ends = self.ends.reshape(-1, self.ends.shape[-1])
        return np.array([np.bincount(column, minlength=N_ENDS) / len(ends) for column in ends.T])


class Playouts:
    """Plays actions in a sampler's worlds, block by block.

    Parameters
    ----------
    sampler : Sampler
    players : pair of Policy
        How the player plays after the action, and how its opponent plays.
    seed : int
    threads : int
    """

    def __init__(
        self, sampler: Sampler, players: tuple[Policy, Policy], seed: int, threads: int
    ) -> None:
        self.sampler = sampler
        self._policies = players
        self._seed = seed
        self._threads = threads
        self._middle = middle_of(sampler.position)
        self._rules = rule_record(sampler.position.rules)
        self._unseen = np.flatnonzero(
            [sampler.position.seen.unseen >> card & 1 for card in range(52)]
        ).astype(np.int8)
        self._n_worlds = 0  # of each chain so far
        self._players = [players_of(players) for _ in range(sampler.n_chains)]
        self._states = [new_states() for _ in range(sampler.n_chains)]

    def play(
        self, actions: Sequence[Action], kept: int, shuffles: int
    ) -> tuple[Results, np.ndarray]:
        """Play actions in the sampler's next worlds.

        Returns
        -------
        Results
        worlds : int8 array, shape (chains, kept, arrivals)
        """
        worlds = self.sampler.more(kept)
        array = actions_array(list(actions))
        shape = (kept, shuffles, len(actions))

        def one(chain: int) -> tuple[np.ndarray, np.ndarray]:
            points, ends = np.zeros(shape, np.int16), np.zeros(shape, np.int8)
            first = chain * _CHAIN_STEP + self._n_worlds
            stocks = self._stocks(chain, worlds[chain])
            misfit = run_kernel(
                play_worlds,
                *self._states[chain],
                self._rules,
                self._players[chain],
                self._middle,
                Worlds(worlds[chain], stocks, self._seed, first),
                array,
                points,
                ends,
            )
            if misfit >= 0 or ends.min() < 0:
                raise InputError(
                    f"a policy of {self._policies[0].spec} and {self._policies[1].spec} asked for "
                    "an illegal step; `gin-sim policies validate FILE` says where."
                )
            return points, ends

        found = each(one, range(self.sampler.n_chains), self._threads)
        self._n_worlds += kept
        points, ends = zip(*found, strict=True)
        return Results(np.stack(points), np.stack(ends)), worlds

    def _stocks(self, chain: int, worlds: np.ndarray) -> np.ndarray:
        """Return a random order of what is left of the stock in each world of a chain."""
        chance = np.random.default_rng([self._seed, chain, self._n_worlds])
        held = (worlds[:, :, None] == self._unseen).any(axis=1)
        left = np.broadcast_to(self._unseen, held.shape)[~held].reshape(len(worlds), -1)
        return chance.permuted(left, axis=1)


def chain_estimate(means: np.ndarray, n_claims: int = 1) -> Estimate:
    """Return the mean of independent chains with Student's t interval; without bounds for one.

    Parameters
    ----------
    means : float array, shape (chains,)
    n_claims : int
        Claims that are to hold at once, by Bonferroni's inequality.
    """
    n = len(means)
    if n == 1:
        return Estimate(float(means[0]), math.nan, math.nan)
    error = float(means.std(ddof=1)) / math.sqrt(n)
    return t_estimate(float(means.mean()), error, n - 1, 1 - 0.05 / n_claims)
