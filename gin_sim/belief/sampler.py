"""What an opponent may hold: independent chains over its hidden cards, and whether they agree.

Given a position with its history and the policy that the opponent is supposed to follow, worlds
are drawn as often as they are likely.  How far they can be trusted is judged between chains, which
are independent: the worlds of one chain are not.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from functools import partial
from typing import Any

import numpy as np

from gin_sim.belief.deviation import Deviation
from gin_sim.belief.likelihood import KERNELS as LIKELIHOOD_KERNELS
from gin_sim.belief.likelihood import Observed, observe
from gin_sim.belief.replica_exchange import (
    MAX_SLOTS,
    Model,
    drive_chain,
    model_of,
    new_chain,
    run_chain,
    start_chain,
)
from gin_sim.errors import InputError
from gin_sim.play.run import available_cores
from gin_sim.policies.contract import Policy
from gin_sim.policies.probabilities import called_to_weigh
from gin_sim.positions import History, Position

N_CHAINS = 16
#: Rounds between kept worlds, and before any is kept: with 100 the late hands of a known policy are
#: not yet as likely as they should be, with more than 600 the start takes longer than it gains.
APART = 6
_BURN_IN = 600
#: A chain whose likeliest state is less likely than another's usual ones by more than this factor,
#: as a log, has not found where the likely states are, and starts again.  The likeliest states of
#: two are not compared: of a soft policy's many likely states they are chance finds.
_TOO_UNLIKELY = 6.0
_STARTS = 6


def unconverged_chains(highest: list[float], average: list[float]) -> list[int]:
    """Return which chains have not found where the likely states are.

    Parameters
    ----------
    highest, average : list of float
        By chain, log chance of its likeliest state and of its kept ones on average.
    """
    needed = max(average) - _TOO_UNLIKELY
    return [number for number, log in enumerate(highest) if log < needed]


class PosteriorSampler:
    """Draws worlds as often as they are likely, by independent chains.

    Each call of :meth:`more` runs them further.

    Parameters
    ----------
    position : Position
        With a history.
    opponent : Policy
        What the opponent is supposed to follow.
    deviation : Deviation
        How often it deviates from that.
    seed : int
        The same seed, the same worlds, whatever the threads.
    n_chains : int
    threads : int, optional
        Default all cores.

    Raises
    ------
    InputError
        If the position has no history.
    """

    def __init__(
        self,
        position: Position,
        opponent: Policy,
        deviation: Deviation,
        *,
        seed: int = 1,
        n_chains: int = N_CHAINS,
        threads: int | None = None,
    ) -> None:
        if not isinstance(position.past, History):
            raise InputError(
                "hand reading by the history needs one, and the position has only a turn number "
                "and a pile: give the history, or use the learned weights."
            )
        self.position = position
        self.opponent = opponent
        self.deviation = deviation
        self.observed: Observed = observe(position)
        self._threads = threads or available_cores()
        self._models: list[Model] = [
            model_of(self.observed, opponent, deviation) for _ in range(n_chains)
        ]
        self._chains = [new_chain(seed, number) for number in range(n_chains)]
        self._start()

    @property
    def n_chains(self) -> int:
        """How many chains found the likely states; ``n_unconverged`` others did not."""
        return len(self._chains)

    def _start(self) -> None:
        """Start every chain, and the unconverged ones again; leave out those that stay so."""
        unconverged = list(range(self.n_chains))
        for _ in range(_STARTS):
            each(self._start_one, unconverged, self._threads)
            unconverged = unconverged_chains(
                [float(chain[0].highest) for chain in self._chains],
                [float(chain[0].average) for chain in self._chains],
            )
            if not unconverged:
                break
        self.n_unconverged = len(unconverged)
        kept = [number for number in range(self.n_chains) if number not in unconverged]
        self._chains = [self._chains[number] for number in kept]
        self._models = [self._models[number] for number in kept]

    def _start_one(self, number: int) -> None:
        start_chain(self._chains[number], self._models[number])
        self._run_one(number, 1, _BURN_IN)

    def _run_one(self, number: int, apart: int, kept: int) -> np.ndarray:
        worlds = np.zeros((kept, MAX_SLOTS), np.int8)
        run_chain(self._chains[number], self._models[number], apart, worlds)
        return worlds[:, : self.observed.slots.n]

    def more(self, kept: int) -> np.ndarray:
        """Run every chain further and return its next worlds.

        Parameters
        ----------
        kept : int
            Worlds of each chain.

        Returns
        -------
        int8 array, shape (chains, kept, places)
            The opponent's ten cards as dealt and then its draws from the stock, with those that
            it has discarded since: the arrivals of ``resume.set_middle``.
        """
        return np.stack(
            each(
                partial(self._run_one, apart=APART, kept=kept), range(self.n_chains), self._threads
            )
        )

    def hands(self, worlds: np.ndarray) -> np.ndarray:
        """Return the hands that the opponent holds in worlds, int64 masks, shape (...)."""
        slots = self.observed.slots
        held = np.zeros(worlds.shape[:-1], np.int64)
        for place in range(slots.n):
            held |= np.int64(1) << worlds[..., place].astype(np.int64)
        discarded = sum(1 << int(card) for card in slots.discarded)
        return held & ~np.int64(discarded) | np.int64(slots.known)


def needed_to_read(opponent: Policy) -> list:
    """Return what a sampler of an opponent needs compiled, see :mod:`gin_sim.engine.reach`."""
    return [*LIKELIHOOD_KERNELS, drive_chain, *called_to_weigh(opponent)]


def each(work: Callable[[int], Any], numbers: Iterable[int], threads: int) -> list:
    """Return what work gives for each number, the first alone since it may have to compile."""
    numbers = list(numbers)
    first = [work(number) for number in numbers[:1]]
    with ThreadPoolExecutor(threads) as pool:
        return first + list(pool.map(work, numbers[1:]))


@dataclass(frozen=True)
class Agreement:
    """Whether independent chains agree on some quantity.

    Parameters
    ----------
    effective : float
        How many independent worlds would estimate its mean as well as these do.
    ratio : float
        Standard deviation of the mean between chains, over what the worlds within a chain would
        give if they were independent: 1 for independent worlds.
    """

    effective: float
    ratio: float


def agreement(values: np.ndarray) -> Agreement:
    """Return how well chains agree on the mean of a quantity.

    The spread of a world is that within the chains and between them (Gelman and Rubin, Statistical
    Science 7, 1992).

    Parameters
    ----------
    values : float array, shape (chains, kept)
    """
    n_chains, kept = values.shape
    between = float(values.mean(axis=1).var(ddof=1)) if n_chains > 1 else 0.0
    within = float(values.var(axis=1, ddof=1).mean()) if kept > 1 else 0.0
    if between == 0:
        return Agreement(float(values.size), 0.0 if within else 1.0)
    spread = within * (kept - 1) / kept + between
    effective = min(spread / between * n_chains, float(values.size))
    return Agreement(effective, math.sqrt(between * kept / within) if within else math.inf)
