"""What is played: each plan fixes every hand beforehand, and plays any stretch of its units.

A unit is what an interval counts: a deal with its mirrored hands, or a pair of games.  Two policies
meet in a :class:`Plan` of hands or a :class:`GamePlan` of games, which tally everything; many
meetings on the same deals are ``meetings.py``'s.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np

from gin_sim.engine.jit import run_kernel
from gin_sim.engine.table import new_state, rule_record
from gin_sim.errors import InputError
from gin_sim.play.games import new_game_tally, new_pair, play_games
from gin_sim.play.loop import play_chunk
from gin_sim.play.luck import (
    MAX_LUCK_HANDS,
    new_luck,
    new_luck_tally,
    parts_of,
    play_chunk_with_luck,
)
from gin_sim.play.start import FROM_NIL, GameStart, Units
from gin_sim.play.tallies import new_deal, new_tally
from gin_sim.policies.contract import Policy
from gin_sim.policies.decide import called_for, players_of
from gin_sim.rules import Rules

MAX_HANDS = 10**12
MAX_GAMES = 10**10

HANDS, GAMES = "hands", "games"

# Units at most in the first chunks, and units between two looks of a stopping rule.
_FIRST_DEALS = 4096
_LOOK_DEALS = 1000
_LOOK_PAIRS = 50
_CHUNK_HANDS = 10_000
_FIRST_PAIRS = 8  # of games, whose hands are not known beforehand: up to 8,192 a pair


def whole_pairs(count: int) -> int:
    """Return a number of hands or games rounded up to whole mirrored pairs."""
    return count + count % 2


class UnitPlan:
    """What every plan has: units of one hand or game or, mirrored, of two; and how they are played.

    A plan gives its policies, rules, size in its unit, seed, and whether it is mirrored; its
    kernel, and the kernel's arguments that are its own: working space and sums before the rules,
    settings after the players.
    """

    #: What its size counts: HANDS or GAMES.
    unit: str
    #: Figures are multiples of one over this; they are summed times it, as whole numbers.
    grain = 1

    @property
    def n_legs(self) -> int:
        """Hands or games a unit."""
        return 2 if self.mirrored else 1

    @property
    def n_units(self) -> int:
        """Mirrored pairs, or hands or games where they are not mirrored."""
        return self.size // self.n_legs

    @property
    def first_units(self) -> int:
        """Units at most in a chunk until it is known how many hands a unit has."""
        return _FIRST_DEALS if self.unit == HANDS else _FIRST_PAIRS

    @property
    def look_units(self) -> int:
        """Units between two looks of a stopping rule."""
        return _LOOK_DEALS if self.unit == HANDS else _LOOK_PAIRS

    @property
    def chunk_hands(self) -> int:
        """About how many hands a chunk has."""
        return _CHUNK_HANDS

    def needed(self) -> list:
        """Return what has to be compiled to play it, see :mod:`gin_sim.engine.reach`."""
        return [self.kernel, *called_for(self.policies)]

    def finished(self, tally: np.ndarray) -> int:
        """Return how many hands, or games, of the plan's size a tally holds."""
        return int(tally[self.unit][0])

    def play(self, first: int, n_units: int) -> np.ndarray:
        """Play consecutive units and return their tally."""
        tally = self.new_tally()
        run_kernel(
            self.kernel,
            *new_state(),
            *self._arrays(tally),
            rule_record(self.rules),
            self._players.copy(),
            *self._settings(),
            Units(self.seed, first, n_units, self.n_legs),
        )
        return tally

    def _settings(self) -> tuple:
        return ()

    @cached_property
    def _players(self) -> np.ndarray:
        return players_of(self.policies)

    def _check(self) -> None:
        count, unit = self.size, self.unit
        most = MAX_HANDS if unit == HANDS else MAX_GAMES
        if type(count) is not int or type(self.seed) is not int:
            raise InputError(f"{unit} is {count!r} and seed {self.seed!r}: both are whole numbers.")
        if not 1 <= count <= most:
            raise InputError(f"{count} {unit} cannot be played: ask for 1 to {most:,}, like 1e6.")
        if self.mirrored and count % 2:
            raise InputError(
                f"{count:,} {unit} are not whole mirrored pairs: ask for an even number."
            )
        if not 0 <= self.seed < 2**63:
            raise InputError(f"the seed is {self.seed}: it is a whole number from 0 to 2**63 - 1.")


@dataclass(frozen=True)
class Plan(UnitPlan):
    """Hands that two policies are to play.

    Parameters
    ----------
    policies : pair of Policy
        Side 0 and side 1.
    rules : Rules
    hands : int
        Hands to play, 1 to 10**12; an even number if mirrored (see :func:`whole_pairs`).
    seed : int
        0 to 2**63 - 1.
    mirrored : bool
        Whether each deal is played twice, the policies in each other's seats.
    luck_adjusted : bool
        Whether the luck of the deals and draws is tallied too, see ``luck.py``; then at most
        10**9 hands.
    """

    policies: tuple[Policy, Policy]
    rules: Rules
    hands: int
    seed: int = 1
    mirrored: bool = True
    luck_adjusted: bool = False

    unit = HANDS

    def __post_init__(self) -> None:
        self._check()
        if self.luck_adjusted and self.hands > MAX_LUCK_HANDS:
            raise InputError(
                f"{self.hands:,} hands are too many to adjust for luck: ask for "
                f"{MAX_LUCK_HANDS:,} at most, or do not adjust for luck."
            )

    @property
    def size(self) -> int:
        """Hands: how many of its unit a plan plays."""
        return self.hands

    @property
    def kernel(self):
        """The compiled loop that plays it."""
        return play_chunk_with_luck if self.luck_adjusted else play_chunk

    def new_tally(self) -> np.ndarray:
        """Return an empty record array of TALLY, or of LUCK_TALLY, length 1."""
        return new_luck_tally() if self.luck_adjusted else new_tally()

    def _arrays(self, tally: np.ndarray) -> tuple:
        if self.luck_adjusted:
            hands, controls = parts_of(tally)
            return new_deal(), hands, new_luck(), controls
        return new_deal(), tally


@dataclass(frozen=True)
class GamePlan(UnitPlan):
    """Whole games that two policies are to play.

    Parameters
    ----------
    policies : pair of Policy
        Side 0 and side 1.
    rules : Rules
    games : int
        Games to play, 1 to 10**10; an even number if mirrored.
    seed : int
        0 to 2**63 - 1.
    mirrored : bool
        Whether games come in pairs of the same deals, the policies in each other's seats.
    start : GameStart
        The score at which each game begins, by default 0-0.
    """

    policies: tuple[Policy, Policy]
    rules: Rules
    games: int
    seed: int = 1
    mirrored: bool = True
    start: GameStart = FROM_NIL

    unit = GAMES

    def __post_init__(self) -> None:
        self._check()
        self.start.check(self.rules)

    @property
    def size(self) -> int:
        """Games: how many of its unit a plan plays."""
        return self.games

    @property
    def kernel(self):
        """The compiled loop that plays it."""
        return play_games

    def new_tally(self) -> np.ndarray:
        """Return an empty record array of GAME_TALLY, length 1."""
        return new_game_tally()

    def _arrays(self, tally: np.ndarray) -> tuple:
        return new_pair(), tally

    def _settings(self) -> tuple:
        return (self.start.numbers(),)
