"""What hand reading predicts at knock decisions, beside what was true.

Three methods are asked at the same decisions: reading the history, the learned weights and uniform
dealing.  Each predicts the chance that a knock is undercut, the opponent's deadwood and where every
unseen card is.  How the predictions are summed up is decided in :mod:`reliability`.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass

import numpy as np

from gin_sim.belief.class_weights import ClassWeightSampler, Learned, UniformSampler, learn
from gin_sim.belief.deviation import Deviation
from gin_sim.belief.sampler import PosteriorSampler, agreement
from gin_sim.belief.test_positions import Decision, undercuts
from gin_sim.cards import cards_of
from gin_sim.engine import rng
from gin_sim.engine.address import noting_exceptions
from gin_sim.errors import InputError
from gin_sim.play.run import available_cores
from gin_sim.policies.contract import Policy, suspects
from gin_sim.results.calibration import METHODS

#: Places of METHODS in a row's figures.
BELIEF, LEARNED, UNIFORM = range(len(METHODS))

N_CHAINS = 4
WORLDS = 400

_SEED_STREAM = 14  # of the seed's words

#: What was predicted at one decision and what was true; pairs of methods as in METHODS.
ROW = np.dtype(
    [
        ("hand", "i8"),
        ("bucket", "i8"),
        ("n_draws", "i8"),
        ("turn", "i8"),
        ("undercut", "?"),
        ("deadwood", "i8"),  # the opponent's, pips
        ("predicted_undercut", "f8", (3,)),  # chance, 0 to 1
        ("predicted_deadwood", "f8", (3,)),
        ("log_score", "f8", (3,)),  # mean over the unseen cards
        ("effective", "f8"),  # independent worlds that estimate the mean deadwood as well
        ("n_unconverged", "i8"),  # chains
    ]
)


@dataclass(frozen=True)
class Ask:
    """How the methods are asked.

    Parameters
    ----------
    opponent : Policy
        What the opponent is supposed to follow.
    deviation : Deviation
        How often it deviates from that.
    learned : Learned
        Weights for the second method.
    seed : int
    n_worlds : int
        Of each method at each decision, in N_CHAINS chains.
    """

    opponent: Policy
    deviation: Deviation
    learned: Learned
    seed: int = 1
    n_worlds: int = WORLDS


def learned_for(
    decisions: Sequence[Decision], opponent: Policy, player: Policy | None, seed: int
) -> Learned:
    """Return the weights learned under the rules of the first decision."""
    return learn(opponent, decisions[0].position.rules, player=player, seed=seed)


def ask_at(decision: Decision, number: int, ask: Ask) -> np.ndarray:
    """Return what the methods predict at one decision, an array of ROW of length 1."""
    position = decision.position
    seed = int(rng.stream_key(np.uint64(ask.seed), np.uint64(number), np.uint64(_SEED_STREAM)) >> 1)
    kept = max(1, ask.n_worlds // N_CHAINS)
    row = np.zeros(1, ROW)
    truth, deadwood = undercuts(position, np.array([decision.held]))
    row["hand"] = decision.hand_number
    row["bucket"] = decision.bucket
    row["n_draws"] = decision.n_draws
    row["turn"] = position.seen.turn
    row["undercut"] = truth
    row["deadwood"] = deadwood
    sampler = PosteriorSampler(
        position, ask.opponent, ask.deviation, seed=seed, n_chains=N_CHAINS, threads=1
    )
    row["n_unconverged"] = sampler.n_unconverged
    pips = _fill(row, BELIEF, decision, sampler.hands(sampler.more(kept)))
    row["effective"] = agreement(pips).effective if len(pips) > 1 else np.nan
    weighted = ClassWeightSampler(
        position, ask.opponent, seed=seed, n_chains=N_CHAINS, learned=ask.learned
    )
    _fill(row, LEARNED, decision, weighted.held(kept))
    uniform = UniformSampler(position, seed=seed, n_chains=N_CHAINS)
    _fill(row, UNIFORM, decision, uniform.held(kept))
    return row


def _fill(row: np.ndarray, method: int, decision: Decision, hands: np.ndarray) -> np.ndarray:
    """Write what hands predict into a row; return the deadwood of each."""
    undercut, mean, score, deadwood = predict(decision, hands)
    row["predicted_undercut"][0, method] = undercut
    row["predicted_deadwood"][0, method] = mean
    row["log_score"][0, method] = score
    return deadwood


def predict(decision: Decision, hands: np.ndarray) -> tuple[float, float, float, np.ndarray]:
    """Return what hands predict at a decision.

    Parameters
    ----------
    decision : Decision
    hands : int64 array, any shape
        Masks, as often as they are likely.

    Returns
    -------
    undercut : float
        Chance that a knock is undercut, 0 to 1.
    deadwood : float
        Mean, pips.
    score : float
        See :func:`log_score`.
    deadwoods : float64 array, shape of hands
    """
    undercut, deadwood = undercuts(decision.position, hands)
    score = log_score(hands, decision.held, decision.position.seen.unseen)
    return float(undercut.mean()), float(deadwood.mean()), score, deadwood.astype(float)


def log_score(hands: np.ndarray, held: int, unseen: int) -> float:
    """Return the mean log of the predicted chance of where each unseen card is.

    Parameters
    ----------
    hands : int64 array, any shape
        Worlds' hands; a chance is a share of them, cut half a world short of 0 and 1.
    held : int
        Mask of the hand that is really held.
    unseen : int
        Mask of the cards that are scored.
    """
    cards = np.array(cards_of(unseen), np.int64)
    flat = hands.reshape(-1, 1)
    share = (flat >> cards & 1).mean(axis=0)
    half = 0.5 / len(flat)
    share = np.clip(share, half, 1 - half)
    is_held = np.array([held >> int(card) & 1 for card in cards], bool)
    return float(np.log(np.where(is_held, share, 1 - share)).mean())


def calibrate(
    decisions: Sequence[Decision],
    ask: Ask,
    threads: int | None = None,
    stop: threading.Event | None = None,
    on_progress: Callable[[int], None] | None = None,
) -> np.ndarray:
    """Ask the methods at decisions, each decision in a thread of its own.

    Parameters
    ----------
    decisions : sequence of Decision
    ask : Ask
    threads : int, optional
        Default all cores.  The rows do not depend on it.
    stop : threading.Event, optional
        Once set, the decisions that are done without a gap are returned.
    on_progress : callable, optional
        Called with how many are done.

    Returns
    -------
    array of ROW
        In order of the decisions.

    Raises
    ------
    InputError
        If a user's decision raises.
    """
    stop = stop or threading.Event()

    def work(number: int) -> np.ndarray | None:
        return None if stop.is_set() else ask_at(decisions[number], number, ask)

    with (
        noting_exceptions() as raised,
        ThreadPoolExecutor(threads or available_cores()) as pool,
    ):
        rows = [work(0)] if decisions else []  # alone, since it may have to compile
        for row in pool.map(work, range(1, len(decisions))):
            if row is None:
                break
            rows.append(row)
            if on_progress:
                on_progress(len(rows))
    if raised:
        raise InputError(
            f"a decision of {suspects([ask.opponent])} ended with {raised[0]}: it must "
            "return an answer for every view; `gin-sim policies validate FILE` tests a file."
        )
    return np.concatenate([row for row in rows if row is not None] or [np.zeros(0, ROW)])
