"""Advice on one position: each action's worth with its interval, and whether to knock.

The opponent's cards are drawn by a belief (:mod:`gin_sim.analysis.belief`), every action is played
out in the same worlds, and what is said of two actions rests on their difference.  A first block of
worlds only chooses which actions are worth more of them; the figures of those come from other
worlds, so that the choice does not flatter them.
"""

from __future__ import annotations

import math
import threading
import time
from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import numpy as np

from gin_sim.analysis.advice.playouts import (
    Belief,
    Playouts,
    Results,
    chain_estimate,
    points_worth,
)
from gin_sim.analysis.advice.reasons import Reasons, reasons_of
from gin_sim.analysis.belief.believe import Agreement, Believer, agreement
from gin_sim.analysis.belief.evidence import ALIKE, Stray
from gin_sim.analysis.stats import Estimate
from gin_sim.cards import card_name, mask_of
from gin_sim.engine.deadwood import least_deadwood
from gin_sim.errors import InputError, listed
from gin_sim.policies.catalogue import parse_policy
from gin_sim.policies.contract import Policy
from gin_sim.policies.specs import read_spec
from gin_sim.positions import Position
from gin_sim.simulate.run import available_cores
from gin_sim.simulate.worlds import (
    END_NAMES,
    KNOCK,
    LAY_DOWN,
    LEAVE,
    LOST_BY_UNDERCUT,
    LOST_TO_BIG_GIN,
    LOST_TO_GIN,
    N_ENDS,
    TAKE,
    THROW,
    WON_BY_BIG_GIN,
    WON_BY_GIN,
    WON_BY_UNDERCUT,
    Action,
    legal_actions,
)

if TYPE_CHECKING:
    import pandas as pd  # loaded only where a table is asked for: it takes half a second

#: Columns of the shares of ends, in the order of ``END_NAMES``.
END_COLUMNS = tuple(name.replace(" ", "_") + "_rate" for name in END_NAMES)

#: What is compared, and its unit: a hand's points, those with the box for a hand won, the chance to
#: win the game from the score, and what is settled at the end of it.
OBJECTIVES = {
    "points": "points a hand",
    "points+boxes": "points a hand",
    "win": "% to win the game",
    "stakes": "points settled a game",
}
#: Units of the objective that the margin may be wide by when nothing else is asked.
PRECISIONS = {"points": 0.5, "points+boxes": 0.5, "win": 0.5, "stakes": 1.0}

#: Bonuses that the verdict is given for too: name, gin, undercut, and for a hand won.
_BONUSES = (
    ("25 for gin, 25 for an undercut", 25, 25, 0),
    ("20 for gin, 10 for an undercut", 20, 10, 0),
    ("25 for gin, 25 for an undercut, 25 for a hand won", 25, 25, 25),
)

#: Knock rules of the panel: at ten or less always, on the first three turns, and gin alone.
_KNOCK_RULES = ("10", "10/10/10/0", "0")

_SCREEN = (10, 2)  # worlds of each chain, and shuffles of each, in the block that chooses
_BLOCK = (25, 4)
_FINALISTS = 4  # of each kind, at most
_DRAWS = 4000  # for the chance to be best
_LEAST_BLOCKS = 4  # before the width is asked: chains need some length to disagree
_DISAGREE = 1.5  # deviation between chains that warns, in points


@dataclass(frozen=True)
class ActionValue:
    """What one action is worth.

    Parameters
    ----------
    action : Action
    deadwood : int or None
        Pips after the throw.
    value : Estimate
        In the objective's unit.
    difference : Estimate
        To the best action, in the same worlds; zero for the best itself.  The intervals of all
        finalists hold at once.
    chance_best : float
        0-1: how likely it is that this action is the best.
    ends : tuple of float
        How often the hand then ends in each way, ``END_NAMES``, 0-1.
    playouts : int
        Hands played for it.
    finalist : bool
        Whether it was worth more than the first block of worlds.
    """

    action: Action
    deadwood: int | None
    value: Estimate
    difference: Estimate
    chance_best: float
    ends: tuple[float, ...]
    playouts: int
    finalist: bool


@dataclass(frozen=True)
class Verdict:
    """Which kind of action is better, and by how much.

    Parameters
    ----------
    answer : str
        ``"knock"``, ``"go on"``, ``"take"``, ``"leave"``, ``"throw"`` where only the card is in
        question, or ``"too close to call"``.
    action : Action
        The best one found.
    margin : Estimate or None
        By how much the best action beats the best of the other kind (of the other throws where
        only the card is in question); None where there is no choice.
    """

    answer: str
    action: Action
    margin: Estimate | None


@dataclass(frozen=True)
class Variant:
    """The verdict when one thing is otherwise: the opponent, or the bonuses.

    Parameters
    ----------
    name : str
    verdict : Verdict
    """

    name: str
    verdict: Verdict


@dataclass(frozen=True)
class Advice:
    """An answer for one position.

    Parameters
    ----------
    position : Position
    opponent, player : str
        The policy that the opponent is supposed to follow, and how the player goes on.
    objective : str
    unit : str
    verdict : Verdict
    actions : tuple of ActionValue
        Best first.
    reasons : Reasons
    opponents, bonuses : tuple of Variant
        The verdict against other policies, and under other bonuses.
    worlds : int
        Of the belief, in the final figures.
    agreement : Agreement
        Of the chains, on the margin (on the opponent's deadwood where there is no choice).
    chains, lost_chains : int
        Independent chains; others never found where the likely worlds are.
    stray : Stray
    seed : int
    precise : bool
        Whether the margin's interval became as narrow as was asked for.
    partial : bool
        Whether it was stopped before that.
    seconds : float
    """

    position: Position
    opponent: str
    player: str
    objective: str
    unit: str
    verdict: Verdict
    actions: tuple[ActionValue, ...]
    reasons: Reasons
    opponents: tuple[Variant, ...]
    bonuses: tuple[Variant, ...]
    worlds: int
    agreement: Agreement
    chains: int
    lost_chains: int
    stray: Stray
    seed: int
    precise: bool
    partial: bool
    seconds: float

    @property
    def chains_disagree(self) -> bool:
        """Whether the chains tell so different things that the interval may be too narrow."""
        return self.lost_chains > 0 or self.agreement.ratio > _DISAGREE * math.sqrt(
            self.worlds / self.chains / 10
        )

    def table(self) -> pd.DataFrame:
        """Return one row for each action, best first."""
        import pandas as pd

        return pd.DataFrame(
            [
                {
                    "action": action_text(value.action),
                    "deadwood_pips": value.deadwood,
                    "value": value.value.estimate,
                    "value_low": value.value.low,
                    "value_high": value.value.high,
                    "difference": value.difference.estimate,
                    "difference_low": value.difference.low,
                    "difference_high": value.difference.high,
                    "chance_best": value.chance_best,
                    **dict(zip(END_COLUMNS, value.ends, strict=True)),
                    "playouts": value.playouts,
                    "finalist": value.finalist,
                }
                for value in self.actions
            ]
        )


@dataclass(frozen=True)
class Effort:
    """How long to go on.

    Parameters
    ----------
    precision : float or None
        Half the width of the margin's interval that is enough, in the objective's unit; None for
        its usual one.
    seconds : float
        Time that is enough whatever the width.
    blocks : int or None
        Number of blocks of worlds to play, whatever width and time: the same seed then gives the
        same numbers on every machine.
    """

    precision: float | None = None
    seconds: float = 10.0
    blocks: int | None = None

    def is_enough(self, played: int, started: float, width: float) -> bool:
        """Return whether so many blocks, so much time and such a half width are enough."""
        if self.blocks is not None:
            return played >= self.blocks
        if time.monotonic() - started >= self.seconds:
            return True
        return played >= _LEAST_BLOCKS and width <= self.precision


class _Question:
    """One position asked against one opponent: a belief, the finalists, and what they came to."""

    def __init__(
        self,
        belief: Belief,
        players: tuple[Policy, Policy],
        worth: np.ndarray,
        seed: int,
        threads: int,
    ) -> None:
        self.position = belief.position
        self.belief = belief
        self.worth = worth
        self.seed = seed
        self.playouts = Playouts(belief, players, seed, threads)
        self.actions = legal_actions(self.position)
        self.screened, _ = self.playouts.play(self.actions, *_SCREEN)
        self.first = self.screened.values(worth)
        self.finalists = self._finalists()
        self.blocks: list[Results] = []
        self.hands: list[np.ndarray] = []

    def _finalists(self) -> list[int]:
        """Return the actions that may be the best of their kind, by index."""
        found = []
        kinds = by_kind(self.actions)
        least = 2 if len(kinds) == 1 else 1  # so that there is a margin
        for of_kind in kinds.values():
            means = self.first[:, of_kind].mean(axis=0)
            best = of_kind[int(means.argmax())]
            ranked = sorted(of_kind, key=lambda index: -self.first[:, index].mean())
            within = [
                index
                for index in ranked
                if index == best
                or chain_estimate(self.first[:, index] - self.first[:, best]).high >= 0
            ]
            found += within[:_FINALISTS] if len(within) >= least else ranked[:least]
        return sorted(found)

    def play_block(self) -> None:
        """Play the finalists in further worlds."""
        results, worlds = self.playouts.play([self.actions[i] for i in self.finalists], *_BLOCK)
        self.blocks.append(results)
        self.hands.append(self.belief.hands(worlds))

    def values(self, worth: np.ndarray | None = None) -> np.ndarray:
        """Return each chain's mean of each finalist, shape (chains, finalists)."""
        worth = self.worth if worth is None else worth
        return np.mean([block.values(worth) for block in self.blocks], axis=0)

    def verdict(self, values: np.ndarray | None = None) -> Verdict:
        """Return which kind of action is better, from the blocks so far."""
        values = self.values() if values is None else values
        actions = [self.actions[i] for i in self.finalists]
        means = values.mean(axis=0)
        best = int(means.argmax())
        kinds = by_kind(actions)
        own = next(kind for kind, members in kinds.items() if best in members)
        others = [i for kind, members in kinds.items() if kind != own for i in members]
        answer = own
        if not others:
            others = [i for i in kinds[own] if i != best]
            answer = "throw" if own == "go on" else own
        if not others:
            return Verdict(answer, actions[best], None)
        rival = max(others, key=lambda i: means[i])
        margin = chain_estimate(values[:, best] - values[:, rival], max(len(actions) - 1, 1))
        if margin.spans_zero:
            answer = "too close to call"
        return Verdict(answer, actions[best], margin)

    def margins(self) -> np.ndarray | None:
        """Return each chain's margin block by block, shape (chains, blocks); None without one."""
        verdict = self.verdict()
        if verdict.margin is None:
            return None
        means = self.values().mean(axis=0)
        actions = [self.actions[i] for i in self.finalists]
        best = int(means.argmax())
        kinds = by_kind(actions)
        own = next(members for members in kinds.values() if best in members)
        others = [i for i in range(len(actions)) if i not in own] or [i for i in own if i != best]
        rival = max(others, key=lambda i: means[i])
        by_block = [block.values(self.worth) for block in self.blocks]
        return np.array([values[:, best] - values[:, rival] for values in by_block]).T

    def go_on(
        self, effort: Effort, stop: threading.Event | None, on_block: Callable | None
    ) -> bool:
        """Play blocks until it is enough; return whether it was stopped before."""
        started = time.monotonic()
        while True:
            self.play_block()
            margin = self.verdict().margin
            width = margin.half_width if margin else 0.0
            if on_block:
                on_block(len(self.blocks), width)
            if stop is not None and stop.is_set():
                return True
            if effort.is_enough(len(self.blocks), started, width):
                return False


def by_kind(actions: list[Action]) -> dict[str, list[int]]:
    """Return the indices of actions by what they do: knock or go on, take or leave."""
    names = {KNOCK: "knock", LAY_DOWN: "knock", THROW: "go on", TAKE: "take", LEAVE: "leave"}
    found: dict[str, list[int]] = {}
    for index, action in enumerate(actions):
        found.setdefault(names[action.what], []).append(index)
    return found


def action_text(action: Action, symbols: bool = False) -> str:
    """Return an action in words: ``"knock, throw Kd"``."""
    card = card_name(action.card, symbols) if action.card >= 0 else ""
    return {
        KNOCK: f"knock, throw {card}",
        LAY_DOWN: "lay down big gin",
        THROW: f"go on, throw {card}",
        TAKE: "take the upcard",
        LEAVE: "leave the upcard",
    }[action.what]


def advise(
    position: Position,
    opponent: Policy | str = "strong",
    player: Policy | str = "strong",
    objective: str = "points",
    *,
    effort: Effort | None = None,
    stray: Stray = ALIKE,
    panel: tuple[Policy | str, ...] | None = None,
    seed: int = 1,
    threads: int | None = None,
    stop: threading.Event | None = None,
    on_block: Callable[[int, float], None] | None = None,
) -> Advice:
    """Say what to do in a position.

    Parameters
    ----------
    position : Position
        See :func:`gin_sim.positions.parse_position`.
    opponent : Policy or str
        The policy that the opponent is supposed to follow: the belief reads its acts by it, and
        it plays on by it.
    player : Policy or str
        How the player goes on after the action.
    objective : str
        ``"points"`` of the hand; ``"points+boxes"``, the rules' box bonus for a hand won too;
        ``"win"``, the chance to win the game from the position's score, later hands played by the
        same two policies; or ``"stakes"``, the points settled at its end.
    effort : Effort, optional
    stray : Stray
        How often the opponent departs from its policy.
    panel : tuple of Policy or str, optional
        Other opponents to give the verdict for; default: the same one with other knock rules.
    seed : int
    threads : int, optional
        Default all cores; the numbers do not depend on it.
    stop : threading.Event, optional
        Once set, the answer so far is given.
    on_block : callable, optional
        Called after each block of worlds with their number and the margin's half width.

    Returns
    -------
    Advice

    Raises
    ------
    InputError
        If the objective or a policy does not exist, or a policy asks for an illegal step.
    """
    started = time.monotonic()
    effort = effort or Effort()
    if effort.precision is None:
        effort = replace(effort, precision=PRECISIONS.get(objective))
    threads = threads or available_cores()
    opponent, player = _policy(opponent), _policy(player)
    worth = worth_of(objective, position, player, opponent, threads)

    def ask(against: Policy, effort: Effort, on_block=None) -> tuple[_Question, bool]:
        belief = Believer(position, against, stray, seed=seed, threads=threads)
        question = _Question(belief, (player, against), worth, seed, threads)
        return question, question.go_on(effort, stop, on_block)

    question, partial = ask(opponent, effort, on_block)
    verdict = question.verdict()
    others = []
    for other in panel if panel is not None else knock_rules(opponent):
        if stop is not None and stop.is_set():
            partial = True
            break
        other = _policy(other)
        asked, _ = ask(other, _less(effort))
        others.append(Variant(other.spec, asked.verdict()))
    width = verdict.margin.half_width if verdict.margin else 0.0
    margins = question.margins()
    hands = np.concatenate(question.hands, axis=1)
    if margins is None:
        margins = (hands & 1).astype(float)  # a quantity to compare the chains by
    return Advice(
        position,
        opponent.spec,
        player.spec,
        objective,
        OBJECTIVES[objective],
        verdict,
        _values(question),
        _reasons(question, hands),
        tuple(others),
        _under_other_bonuses(question),
        hands.size,
        agreement(margins),
        question.belief.n_chains,
        question.belief.n_lost,
        stray,
        seed,
        width <= effort.precision,
        partial,
        time.monotonic() - started,
    )


def _policy(given: Policy | str) -> Policy:
    return parse_policy(given) if isinstance(given, str) else given


def _less(effort: Effort) -> Effort:
    """Return the effort for one opponent of the panel."""
    blocks = None if effort.blocks is None else max(effort.blocks // 3, 1)
    return Effort(2 * effort.precision, effort.seconds / 4, blocks)


def worth_of(
    objective: str, position: Position, player: Policy, opponent: Policy, threads: int | None = None
) -> np.ndarray:
    """Return what each result of the hand is worth to the player.

    Parameters
    ----------
    objective : str
        See ``OBJECTIVES``.
    position : Position
    player, opponent : Policy
        Who plays the later hands of the game.

    Returns
    -------
    float64 array, shape (3, points + 1)
        See :func:`playouts.points_worth`; to win in per cent, a tie for half a game.
    """
    rules = position.rules
    if objective not in OBJECTIVES:
        raise InputError(f"no objective is called '{objective}': give {listed(OBJECTIVES, 'or')}.")
    if objective in ("points", "points+boxes"):
        return points_worth(rules.box_bonus if objective == "points+boxes" else 0)
    from gin_sim.analysis.equity_kept import equity_between

    equity = equity_between(player, opponent, rules, threads=threads)
    mine, theirs = position.score
    difference = position.boxes[0] - position.boxes[1]
    if rules.boxes_count_at_once:
        mine += rules.box_bonus * position.boxes[0]
        theirs += rules.box_bonus * position.boxes[1]
        difference = 0
    measure = "score" if objective == "win" else "stakes"
    worth = equity.worth(mine, theirs, difference, measure)[int(not position.seen.is_dealer)]
    return worth * 100 if objective == "win" else worth


def knock_rules(opponent: Policy) -> tuple[Policy, ...]:
    """Return the opponent with other knock rules: always at ten or less, early only, gin only."""
    if not any(parameter.name == "knock" for parameter in opponent.kind.parameters):
        return ()
    spec = read_spec(opponent.spec)
    others = [parse_policy(spec.changed({"knock": rule})) for rule in _KNOCK_RULES]
    return tuple(other for other in others if other.values != opponent.values)


def _values(question: _Question) -> tuple[ActionValue, ...]:
    """Return every action with its figures, best first, finalists before the rest."""
    values = question.values()
    best = int(values.mean(axis=0).argmax())
    chances = _chances_best(values, question.seed)
    final = Results(
        np.concatenate([block.points for block in question.blocks], axis=1),
        np.concatenate([block.ends for block in question.blocks], axis=1),
    )
    shares, first_shares = final.shares(), question.screened.shares()
    first_best = question.finalists[best]
    found = []
    for index, action in enumerate(question.actions):
        finalist = index in question.finalists
        if finalist:
            place = question.finalists.index(index)
            means, against = values[:, place], values[:, best]
            ends, chance, results = shares[place], chances[place], final
        else:
            means, against = question.first[:, index], question.first[:, first_best]
            ends, chance, results = first_shares[index], 0.0, question.screened
        claims = max(len(question.finalists) - 1, 1) if finalist else len(question.actions)
        found.append(
            ActionValue(
                action,
                _deadwood(question.position, action),
                chain_estimate(means),
                chain_estimate(means - against, claims),
                chance,
                tuple(map(float, ends)),
                math.prod(results.points.shape[:3]),
                finalist,
            )
        )
    found.sort(key=lambda value: (not value.finalist, -value.value.estimate))
    return tuple(found)


def _deadwood(position: Position, action: Action) -> int | None:
    if action.what not in (THROW, KNOCK):
        return None
    return int(least_deadwood(mask_of(position.hand) & ~(1 << action.card)))


def _chances_best(values: np.ndarray, seed: int) -> list[float]:
    """Return how likely each action is the best: Student's t about the means of the chains."""
    n_chains, n_actions = values.shape
    if n_actions == 1:
        return [1.0]
    chance = np.random.default_rng(seed)
    spread = np.cov(values, rowvar=False) / n_chains
    drawn = chance.multivariate_normal(np.zeros(n_actions), spread, _DRAWS, check_valid="ignore")
    scale = np.sqrt((n_chains - 1) / chance.chisquare(n_chains - 1, _DRAWS))
    best = (values.mean(axis=0) + drawn * scale[:, None]).argmax(axis=1)
    return [float(share) for share in np.bincount(best, minlength=n_actions) / _DRAWS]


def _reasons(question: _Question, hands: np.ndarray) -> Reasons:
    """Return what stands behind the answer: for the best throw and the best knock."""
    position = question.position
    means = question.values().mean(axis=0)
    order = [question.actions[question.finalists[i]] for i in np.argsort(-means)]
    held = mask_of(position.hand)
    thrown = next((action for action in order if action.what == THROW), None)
    knock = next((action for action in order if action.what == KNOCK), None)
    kept = None if thrown is None else held & ~(1 << thrown.card)
    knocked = None if knock is None else held & ~(1 << knock.card)
    if knocked is not None and int(least_deadwood(knocked)) == 0:
        knocked = None
    return reasons_of(position, hands, kept, knocked)


def _under_other_bonuses(question: _Question) -> tuple[Variant, ...]:
    """Return the verdict under other bonuses: the same hands, priced anew."""
    rules = question.position.rules
    doubled = rules.spade_doubles and question.position.seen.first_upcard < 13
    found = []
    for name, gin, undercut, box in _BONUSES:
        if (gin, undercut) == (rules.gin_bonus, rules.undercut_bonus) and not box:
            continue
        big = gin - rules.gin_bonus  # big gin keeps its distance to gin
        change = np.zeros(N_ENDS, np.int64)
        change[[WON_BY_GIN, WON_BY_BIG_GIN]] = big
        change[[LOST_TO_GIN, LOST_TO_BIG_GIN]] = -big
        change[WON_BY_UNDERCUT] = undercut - rules.undercut_bonus
        change[LOST_BY_UNDERCUT] = rules.undercut_bonus - undercut
        change *= 2 if doubled else 1
        worth = points_worth(box)
        values = np.mean(
            [
                Results(block.points + change[block.ends], block.ends).values(worth)
                for block in question.blocks
            ],
            axis=0,
        )
        found.append(Variant(name, question.verdict(values)))
    return tuple(found)
