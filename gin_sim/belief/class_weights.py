"""What an opponent may hold where the acts are not known: hands dealt by chance, and reweighted.

Hands are dealt uniformly from the unseen cards, the cards known to be held kept.  Learned weights
then make hands of each class, by deadwood and loose cards, as common as they were in hands played
out, in which the opponent had not knocked by the same own turn.  What it took, discarded and
refused is not weighed; reading the history (:mod:`sampler`) does that.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np

from gin_sim.engine import rng
from gin_sim.engine.address import noting_exceptions
from gin_sim.engine.bits import nth_card, popcount
from gin_sim.engine.deadwood import least_deadwood
from gin_sim.engine.deal import deal_hand
from gin_sim.engine.jit import jit, jit_inline, run_kernel
from gin_sim.engine.melds import meldable_cards
from gin_sim.engine.table import FAULT, new_state, rule_record
from gin_sim.engine.view import MAX_OWN_TURNS
from gin_sim.errors import InputError
from gin_sim.play.loop import start_deal
from gin_sim.play.turn import OVER, TURN_OVER, policy_answer, take_turn
from gin_sim.policies.catalogue import parse_policy
from gin_sim.policies.contract import Policy, suspects
from gin_sim.policies.decide import called_for, players_of
from gin_sim.policies.specs import read_spec
from gin_sim.positions import Memory, Position
from gin_sim.rules import Rules

N_BATCHES = 16
LEARN_HANDS = 25_000
#: Hands not yet over that a turn needs, for its weights to be its own; later turns share those
#: of the last turn that has as many.
FEWEST_HANDS = 400
_POOL = 8192  # hands dealt for a batch, at least
_POOL_OF_EACH = 32  # and for each that is kept

# Deadwood counts by the pip to 20, then by four pips.
_BY_PIP, _PIPS, _N_DEADWOOD = 20, 4, 42
_N_LOOSE = 11
N_CLASSES = _N_DEADWOOD * _N_LOOSE

_STREAM = 12  # of the seed's words


@jit_inline
def class_of(hand):
    """Return the class of a hand of ten cards: its deadwood and its cards that no meld can use."""
    deadwood = least_deadwood(hand)
    if deadwood > _BY_PIP:
        deadwood = _BY_PIP + (deadwood - _BY_PIP + _PIPS - 1) // _PIPS
    return deadwood * _N_LOOSE + popcount(hand & ~meldable_cards(hand))


def patient(policy: Policy) -> Policy | None:
    """Return a policy that knocks with gin only, so that the hands against it are long.

    None for a policy without a knock table.
    """
    if all(parameter.name != "knock" for parameter in policy.kind.parameters):
        return None
    return parse_policy(read_spec(policy.spec).changed({"knock": "0"}))


@dataclass(frozen=True)
class Learned:
    """How often an opponent's hand was of each class, in hands that were not over yet.

    Parameters
    ----------
    counts : int64 array, shape (MAX_OWN_TURNS + 1, N_CLASSES)
        By the own turns that it had finished.
    """

    counts: np.ndarray

    def shares(self, turn: int) -> np.ndarray:
        """Return the share of each class once an opponent has finished a turn, shape (N_CLASSES,).

        Later turns than have been seen often enough are as the last one that has.
        """
        totals = self.counts.sum(axis=1)
        while turn > 1 and totals[turn] < FEWEST_HANDS:
            turn -= 1
        return self.counts[turn] / max(int(totals[turn]), 1)


def learn(
    opponent: Policy,
    rules: Rules,
    *,
    player: Policy | None = None,
    seed: int = 1,
    n_hands: int = LEARN_HANDS,
) -> Learned:
    """Play hands, and count the classes of the opponent's hand after each of its turns.

    Parameters
    ----------
    opponent : Policy
    rules : Rules
    player : Policy, optional
        Whom it meets; by default itself.
    seed : int
    n_hands : int

    Raises
    ------
    InputError
        If a policy asks for an illegal step or a decision raises.
    """
    policies = (opponent if player is None else player, opponent)
    counts = np.zeros((MAX_OWN_TURNS + 1, N_CLASSES), np.int64)
    with noting_exceptions() as raised:
        faults = run_kernel(
            _count_classes,
            *new_state(),
            counts,
            rule_record(rules),
            players_of(policies),
            player is None,
            seed,
            n_hands,
        )
    if raised or faults:
        what = f"raised {raised[0]}" if raised else f"asked for an illegal step in {faults} hands"
        raise InputError(
            f"while weights were learned, {suspects(policies)} {what}; "
            "`gin-sim policies validate FILE` tries a file alone."
        )
    return Learned(counts)


@jit
def _count_classes(tables, views, counts, rules, players, both, seed, n_hands):
    """Play hands and count; return how many of them ended by an illegal step.

    The opponent is player 1; where both players are the same, the hands of both are counted.
    """
    table = tables[0]
    faults = 0
    for deal in range(n_hands):
        start_deal(table, views, seed, deal)
        deal_hand(table, views, deal & 1, rules)
        for seat in range(2):
            if both or seat == 1:
                counts[0, class_of(views[seat].hand)] += 1
        decision = np.int64(TURN_OVER)
        while decision != OVER:
            seat = table.mover
            view, other = views[seat], views[1 - seat]
            turn = view.turn
            player = players[seat]
            decision = take_turn(table, view, other, rules, decision, policy_answer, player)
            if decision == TURN_OVER and view.turn > turn and (both or seat == 1):
                counts[turn, class_of(view.hand)] += 1
        faults += table.ending == FAULT
    return faults


@jit
def _fill_words(seed, number, stream, words):
    key = rng.stream_key(seed, number, stream)
    for i in range(len(words)):
        words[i] = rng.word(key, i)


@jit
def _deal_hands(words, unseen, known, hidden, hands, classes):
    """Deal hands uniformly; hidden is filled with the cards besides the known ones."""
    n_words = 0
    for row in range(len(hands)):
        pool = unseen
        hand = known
        for place in range(hidden.shape[1]):
            card = nth_card(pool, rng.low_below(words[n_words], popcount(pool)))
            n_words += 1
            hidden[row, place] = card
            pool &= ~(1 << card)
            hand |= 1 << card
        hands[row] = hand
        classes[row] = class_of(hand)


def needed_to_weigh(policies: Iterable[Policy]) -> list:
    """Return what samplers by classes need compiled, see :mod:`gin_sim.engine.reach`.

    Parameters
    ----------
    policies : iterable of Policy
        Those that are played to learn the weights.
    """
    return [_count_classes, _fill_words, _deal_hands, *called_for(policies)]


class UniformSampler:
    """Hands dealt by chance from the unseen cards, the known ones kept.

    Each call of :meth:`more` deals further hands, in batches that are independent.

    Parameters
    ----------
    position : Position
        With or without a history.
    opponent : Policy, optional
        It makes no difference.
    seed : int
        The same seed, the same hands, whatever the threads.
    n_chains : int
        Batches.
    threads : int, optional
        It makes no difference: a batch takes a few milliseconds.
    """

    n_unconverged = 0

    def __init__(
        self,
        position: Position,
        opponent: Policy | None = None,
        *,
        seed: int = 1,
        n_chains: int = N_BATCHES,
        threads: int | None = None,
    ) -> None:
        self.position = position
        self.opponent = opponent
        self.n_chains = n_chains
        self._seed = seed
        self._n_batches = 0

    def more(self, kept: int) -> np.ndarray:
        """Return further worlds of each batch.

        Parameters
        ----------
        kept : int
            Worlds of each batch.

        Returns
        -------
        int8 array, shape (chains, kept, n_hidden)
            The hidden cards that the opponent holds now: the arrivals of ``resume.set_middle``.

        Raises
        ------
        InputError
            If the position has a history: its arrivals are the cards as dealt and drawn, which
            only the PosteriorSampler gives; ``held`` gives the hands.
        """
        if not isinstance(self.position.past, Memory):
            raise InputError(
                "the position has a history, which says when each card arrived, and dealing by "
                "chance does not: use PosteriorSampler for worlds, or held() for the hands alone."
            )
        return self._more(kept)

    def held(self, kept: int) -> np.ndarray:
        """Return further hands of each batch, int64 masks of shape (chains, kept)."""
        return self.hands(self._more(kept))

    def hands(self, worlds: np.ndarray) -> np.ndarray:
        """Return the hands that the opponent holds in worlds, int64 masks, shape (...)."""
        held = (np.int64(1) << worlds.astype(np.int64)).sum(axis=-1)
        return held | np.int64(self.position.seen.known)

    def _more(self, kept: int) -> np.ndarray:
        first = self._n_batches
        self._n_batches += self.n_chains
        return np.stack([self._batch(first + number, kept) for number in range(self.n_chains)])

    def _batch(self, number: int, kept: int) -> np.ndarray:
        return self._deal(number, kept)[0]

    def _deal(self, number: int, n_hands: int) -> tuple[np.ndarray, np.ndarray]:
        """Return hidden cards dealt by chance, and the class of each hand."""
        seen = self.position.seen
        words = self._words(number, _STREAM, n_hands * seen.n_hidden)
        hidden = np.zeros((n_hands, seen.n_hidden), np.int8)
        hands, classes = np.zeros(n_hands, np.int64), np.zeros(n_hands, np.int64)
        run_kernel(_deal_hands, words, seen.unseen, seen.known, hidden, hands, classes)
        return hidden, classes

    def _words(self, number: int, stream: int, n: int) -> np.ndarray:
        """Return a batch's random words of a stream, uint64, shape (n,)."""
        words = np.zeros(n, np.uint64)
        run_kernel(_fill_words, np.uint64(self._seed), number, stream, words)
        return words


class ClassWeightSampler(UniformSampler):
    """Hands dealt by chance and reweighted by classes learned from hands played out.

    Parameters
    ----------
    position, seed, n_chains, threads
        As for :class:`UniformSampler`.
    opponent : Policy
        What the opponent is supposed to follow.
    player : Policy, optional
        Whom it has met in the hands to learn from; by default itself.
    learned : Learned, optional
        What :func:`learn` gave, to learn but once for many positions.
    n_hands : int
        Hands to learn from.

    Raises
    ------
    InputError
        If a policy cannot play.
    """

    def __init__(
        self,
        position: Position,
        opponent: Policy,
        *,
        seed: int = 1,
        n_chains: int = N_BATCHES,
        threads: int | None = None,
        player: Policy | None = None,
        learned: Learned | None = None,
        n_hands: int = LEARN_HANDS,
    ) -> None:
        super().__init__(position, opponent, seed=seed, n_chains=n_chains, threads=threads)
        if learned is None:
            learned = learn(opponent, position.rules, player=player, seed=seed, n_hands=n_hands)
        self.learned = learned
        self._shares = learned.shares(position.seen.opponent_turn)

    def _batch(self, number: int, kept: int) -> np.ndarray:
        hidden, classes = self._deal(number, max(_POOL, _POOL_OF_EACH * kept))
        words = self._words(number, _STREAM + 1, kept + 1)
        return hidden[_resampled(self._weights(classes), words)]

    def _weights(self, classes: np.ndarray) -> np.ndarray:
        """Return the weight of each hand: its class's learned share over that among these."""
        dealt = np.bincount(classes, minlength=N_CLASSES)
        weights = self._shares[classes] / dealt[classes]
        # A position in which no learned class can be held leaves the hands as they are dealt.
        return weights if weights.any() else np.ones(len(classes))


def _resampled(weights: np.ndarray, words: np.ndarray) -> np.ndarray:
    """Return rows drawn by their weights at even steps from one random start, in random order.

    Systematic resampling (Kitagawa, Journal of Computational and Graphical Statistics 5, 1996);
    one row fewer than there are random words.
    """
    kept = len(words) - 1
    start = float(words[kept] >> np.uint64(12)) / 2.0**52
    ends = np.cumsum(weights)
    rows = np.searchsorted(ends, (np.arange(kept) + start) / kept * ends[-1], side="right")
    return np.minimum(rows, len(weights) - 1)[np.argsort(words[:kept], kind="stable")]
