"""Whether a belief can be trusted: what it predicts at knock decisions against what was true.

Three beliefs are asked at the same decisions: the one from the history, the learned weights and
uniform dealing.  Each predicts the chance that a knock is undercut, the opponent's deadwood and
where every unseen card is.  Intervals count the decisions of one hand as one cluster.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass

import numpy as np

from gin_sim.belief.class_weights import Learned, LearnedBeliever, UniformBeliever, learn
from gin_sim.belief.likelihood import Stray
from gin_sim.belief.sampler import Believer, agreement
from gin_sim.belief.test_positions import BUCKET_NAMES, Decision, undercuts
from gin_sim.cards import cards_of
from gin_sim.engine import rng
from gin_sim.engine.address import noting_exceptions
from gin_sim.errors import InputError
from gin_sim.play.run import available_cores
from gin_sim.policies.contract import Policy, suspects
from gin_sim.stats.intervals import Estimate, Moments, ratio_estimate, ratio_rate_estimate

#: The beliefs that are compared, in the order of a row's figures.
BELIEF, LEARNED, UNIFORM = range(3)
METHODS = ("belief", "learned", "uniform")

N_CHAINS = 4
WORLDS = 400
#: First and last predicted chance of each class of the reliability table.
EDGES = (0.0, 0.01, 0.03, 0.1, 0.2, 0.35, 0.5, 0.65, 0.8, 0.9, 1.0)

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
        ("effective", "f8"),  # independent worlds that tell the mean deadwood as well
        ("n_lost", "i8"),  # chains
    ]
)


@dataclass(frozen=True)
class Ask:
    """How the beliefs are asked.

    Parameters
    ----------
    opponent : Policy
        What the opponent is supposed to follow.
    stray : Stray
        How often it departs from that.
    learned : Learned
        Weights for the second belief.
    seed : int
    n_worlds : int
        Of each belief at each decision, in N_CHAINS chains.
    """

    opponent: Policy
    stray: Stray
    learned: Learned
    seed: int = 1
    n_worlds: int = WORLDS


def learned_for(
    decisions: Sequence[Decision], opponent: Policy, player: Policy | None, seed: int
) -> Learned:
    """Return the weights learned under the rules of the first decision."""
    return learn(opponent, decisions[0].position.rules, player=player, seed=seed)


def ask_at(decision: Decision, number: int, ask: Ask) -> np.ndarray:
    """Return what the beliefs predict at one decision, an array of ROW of length 1."""
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
    believer = Believer(position, ask.opponent, ask.stray, seed=seed, n_chains=N_CHAINS, threads=1)
    row["n_lost"] = believer.n_lost
    pips = _fill(row, BELIEF, decision, believer.hands(believer.more(kept)))
    row["effective"] = agreement(pips).effective if len(pips) > 1 else np.nan
    fallback = LearnedBeliever(
        position, ask.opponent, seed=seed, n_chains=N_CHAINS, learned=ask.learned
    )
    _fill(row, LEARNED, decision, fallback.held(kept))
    uniform = UniformBeliever(position, seed=seed, n_chains=N_CHAINS)
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
    """Ask the beliefs at decisions, each in a thread of its own.

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
            f"a decision of {suspects([ask.opponent])} ended with {raised[0]}: it must answer "
            "whatever it is asked; `gin-sim policies validate FILE` tries a file alone."
        )
    return np.concatenate([row for row in rows if row is not None] or [np.zeros(0, ROW)])


# ---------------------------------------------------------------------------------------------
# Tables


@dataclass(frozen=True)
class Line:
    """A group of decisions: what was true, and what each belief predicted, as in METHODS.

    Parameters
    ----------
    name : str
    n, n_hands : int
        Decisions, and the hands that they are from.
    undercut : Estimate
        True share, 0 to 1, with the interval of its clusters.
    deadwood : Estimate
        The opponent's mean, pips.
    predicted_undercut, predicted_deadwood, log_score : tuple of Estimate
        Means of each belief.
    excess_undercut, excess_deadwood : tuple of Estimate
        Predicted less true, with the interval of the paired differences; of that of the true share
        where no knock was undercut, or all were.
    """

    name: str
    n: int
    n_hands: int
    undercut: Estimate
    deadwood: Estimate
    predicted_undercut: tuple[Estimate, ...]
    predicted_deadwood: tuple[Estimate, ...]
    log_score: tuple[Estimate, ...]
    excess_undercut: tuple[Estimate, ...]
    excess_deadwood: tuple[Estimate, ...]

    def agrees(self, method: int) -> bool:
        """Return whether a belief's undercut chance lies in the interval of the true share."""
        return self.undercut.low <= self.predicted_undercut[method].estimate <= self.undercut.high


def line_of(name: str, rows: np.ndarray) -> Line:
    """Return the figures of a group of decisions."""
    true_undercut, true_deadwood = rows["undercut"].astype(float), rows["deadwood"].astype(float)

    def means(values: np.ndarray) -> tuple[Estimate, ...]:
        return tuple(
            clustered_mean(values[:, method], rows["hand"]) for method in range(len(METHODS))
        )

    undercut = clustered_rate(true_undercut, rows["hand"])
    excess = means(rows["predicted_undercut"] - true_undercut[:, None])
    if undercut.estimate in (0, 1):  # the paired differences then say nothing of the truth's chance
        excess = tuple(
            Estimate(
                each.estimate,
                each.estimate + undercut.estimate - undercut.high,
                each.estimate + undercut.estimate - undercut.low,
            )
            for each in excess
        )
    return Line(
        name,
        len(rows),
        len(np.unique(rows["hand"])),
        undercut,
        clustered_mean(true_deadwood, rows["hand"]),
        means(rows["predicted_undercut"]),
        means(rows["predicted_deadwood"]),
        means(rows["log_score"]),
        excess,
        means(rows["predicted_deadwood"] - true_deadwood[:, None]),
    )


def lines_by_draws(rows: np.ndarray) -> list[Line]:
    """Return a line for each bucket of draws that has decisions, and one for all."""
    lines = [
        line_of(name, rows[rows["bucket"] == place])
        for place, name in enumerate(BUCKET_NAMES)
        if (rows["bucket"] == place).any()
    ]
    return [*lines, line_of("all", rows)]


def lines_by_opponent(rows: np.ndarray, decisions: Sequence[Decision]) -> list[Line]:
    """Return a line for each name of an opponent, by name."""
    names = np.array([decision.opponent for decision in decisions[: len(rows)]])
    return [line_of(str(name), rows[names == name]) for name in sorted(set(names))]


def lines_by_prediction(rows: np.ndarray, method: int) -> list[Line]:
    """Return a line for each class of a belief's predicted chance that has decisions."""
    predicted = rows["predicted_undercut"][:, method]
    places = np.clip(np.searchsorted(EDGES, predicted, side="right") - 1, 0, len(EDGES) - 2)
    return [
        line_of(f"{EDGES[place]:g}-{EDGES[place + 1]:g}", rows[places == place])
        for place in range(len(EDGES) - 1)
        if (places == place).any()
    ]


def clustered_mean(values: np.ndarray, clusters: np.ndarray) -> Estimate:
    """Return the mean of values with an interval that takes each cluster as one draw."""
    return ratio_estimate(*_sums(values, clusters))


def clustered_rate(events: np.ndarray, clusters: np.ndarray) -> Estimate:
    """Return the share of events, with Wilson's interval on as many trials as the clusters give."""
    return ratio_rate_estimate(*_sums(events, clusters))


def _sums(values: np.ndarray, clusters: np.ndarray) -> tuple[Moments, Moments, float]:
    _, place = np.unique(clusters, return_inverse=True)
    totals, counts = np.bincount(place, weights=values), np.bincount(place)
    n = len(counts)
    return (
        Moments(n, float(totals.sum()), float((totals**2).sum())),
        Moments(n, int(counts.sum()), int((counts**2).sum())),
        float((totals * counts).sum()),
    )
