"""What a policy is: three decisions about a view, and numbers with units.

A policy decides whether to take the upcard (a flag), which card to discard (a card id) and whether
to knock (a flag), from a record of :data:`gin_sim.engine.view.VIEW` and its own numbers.  The knock
is asked only where it is allowed: after the discard, with ``view.deadwood`` the least deadwood of
the ten cards kept, or, for big gin, before any discard, with eleven cards in ``view.hand`` and
``view.deadwood`` 0.  The spread and the layoffs are the engine's, optimal.  Decisions are pure:
chance comes from ``view.noise``.

A shipped policy names one rule for each decision, so that policies which differ only in when they
knock share every other line.  No rule for a draw or a discard reads a number of the knock.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from itertools import pairwise
from typing import Any

import msgspec
import numpy as np

from gin_sim.engine import rng
from gin_sim.engine.jit import jit
from gin_sim.errors import InputError
from gin_sim.results.common import PolicyInfo

#: Places of a policy's vector.  The knock's come first; the rest belongs to draw and discard.
N_PARAMETERS = 384
KNOCK_PLACES = 72
#: Numbers of a user's own policy file.
N_OWN = 32
#: Working space for features.
N_FEATURES = 32

#: First own turn of each bucket of weights; the last serves every later turn.
BUCKETS = (1, 2, 3, 5, 7, 10)
N_BUCKETS = len(BUCKETS)
#: What tables and sentences call the buckets: "1", "3-4", "10+".
BUCKET_NAMES = (
    *(
        str(first) if after == first + 1 else f"{first}-{after - 1}"
        for first, after in pairwise(BUCKETS)
    ),
    f"{BUCKETS[-1]}+",
)

#: A policy as the play loop sees it: a rule for each decision and the numbers they read, where the
#: decisions are called, and how likely they are where a belief weighs them; the numbers of a user's
#: own functions, and working space.
PLAYER = np.dtype(
    [
        ("take_rule", "i8"),
        ("discard_rule", "i8"),
        ("knock_rule", "i8"),
        ("parameters", "f8", (N_PARAMETERS,)),
        ("take_at", "i8"),
        ("discard_at", "i8"),
        ("knock_at", "i8"),
        ("take_chance_at", "i8"),
        ("discard_chance_at", "i8"),
        ("own", "f8", (N_OWN,)),
        ("discard_features", "f8", (N_FEATURES,)),
        ("take_features", "f8", (N_FEATURES,)),
        ("chances", "f8", (52,)),
    ],
    align=True,
)

# Rules for taking the upcard, for the discard and for the knock.
TAKE_IF_LOWER, TAKE_IF_MELD, TAKE_BY_COIN, TAKE_LIKE_MARJJ, TAKE_BY_SCORE, TAKE_BY_FILE = range(6)
(
    DISCARD_LEAST,
    DISCARD_LIKE_SIMPLE,
    DISCARD_ANY,
    DISCARD_LIKE_MARJJ,
    DISCARD_BY_SCORE,
    DISCARD_BY_FILE,
) = range(6)
KNOCK_BY_TABLE, KNOCK_BY_COIN, KNOCK_LIKE_HEISENBOT, KNOCK_BY_FILE = range(4)

# Which decision of a turn asks for randomness.
DECIDE_FIRST_OFFER, DECIDE_TAKE, DECIDE_DISCARD, DECIDE_KNOCK, DECIDE_BIG_GIN = range(5)
_WORDS_A_TURN = 128  # 16 for each decision


@jit
def noise_word(view, decision, draw):
    """Return one of the policy's uint64 random words for a decision of the present turn.

    Parameters
    ----------
    view : record of VIEW
    decision : int64
        DECIDE_...
    draw : int64
        0 to 15: a decision that needs more than one word numbers them.
    """
    return rng.word(view.noise, _WORDS_A_TURN * view.turn + 16 * decision + draw)


class PolicyError(InputError):
    """A policy or a parameter that does not exist or is out of range; the message is a sentence."""


#: A parameter's value: one number, one for each bucket of own turns, or a knock table as text.
Value = float | tuple[float, ...] | str


@dataclass(frozen=True)
class Parameter:
    """One number of a policy, or one number for each bucket of own turns.

    Parameters
    ----------
    name, meaning, unit : str
    default : float, or tuple of N_BUCKETS floats
        The tuple makes it a number by bucket.
    low, high : float
        Inclusive range.
    whole : bool
        Whether only whole numbers make sense.
    place : int
        Where it stands in the policy's vector, by bucket ``stride`` apart; -1 for nowhere: the
        policy's ``finish`` reads it.
    """

    name: str
    meaning: str
    unit: str
    default: Value
    low: float
    high: float
    whole: bool = True
    place: int = -1
    stride: int = 0

    @property
    def by_bucket(self) -> bool:
        """Whether there is a number for each bucket of own turns."""
        return isinstance(self.default, tuple)

    def read(self, policy: str, text: str) -> Value:
        """Read a value from a spec; numbers by bucket are separated by ``/``, the last repeated."""
        parts = text.split("/") if self.by_bucket else [text]
        values = []
        for part in parts:
            try:
                values.append(float(part))
            except ValueError:
                raise self.refused(policy, text) from None
        return self.checked(policy, values if self.by_bucket else values[0], text)

    def checked(self, policy: str, value: Any, text: str | None = None) -> Value:
        """Return a value of the right type; :class:`PolicyError` if it is out of range."""
        text = str(value) if text is None else text
        if not self.by_bucket:
            return self._number(policy, value, text)
        given = value if isinstance(value, list | tuple) else [value]
        if not 1 <= len(given) <= N_BUCKETS:
            raise self.refused(policy, text)
        given = [*given, *[given[-1]] * (N_BUCKETS - len(given))]
        return tuple(self._number(policy, number, text) for number in given)

    def _number(self, policy: str, value: Any, text: str) -> float:
        if isinstance(value, bool):
            value = int(value) if (self.low, self.high, self.whole) == (0, 1, True) else math.nan
        elif not isinstance(value, int | float):
            value = math.nan
        if not self.low <= value <= self.high or (self.whole and value != int(value)):
            raise self.refused(policy, text)
        return float(value)

    def refused(self, policy: str, text: str) -> PolicyError:
        """Return the error of a value that is not a number of the range."""
        return PolicyError(
            f"{policy}'s {self.name} is '{text}': it is {self.range_words()}, by default "
            f"{self.text(self.default)}."
        )

    def range_words(self) -> str:
        """Return what values there are: "a whole number from 0 to 98 (pips)"."""
        kind = "a whole number" if self.whole else "a number"
        if self.by_bucket:
            kind = f"1 to {N_BUCKETS} numbers, for own turns {', '.join(BUCKET_NAMES)}, each"
        return f"{kind} from {self.low:g} to {self.high:g} ({self.unit})"

    def text(self, value: Value) -> str:
        """Return the shortest text that :meth:`read` reads back."""
        if not isinstance(value, tuple):
            return _number_text(value)
        texts = list(map(_number_text, value))
        while len(texts) > 1 and texts[-1] == texts[-2]:
            texts.pop()
        return "/".join(texts)

    def plain(self, value: Value) -> Any:
        """Return a value as JSON and TOML write it."""
        if isinstance(value, tuple):
            return list(value)
        return int(value) if self.whole else value

    def fill(self, vector: np.ndarray, value: Value) -> None:
        """Write a value to its place in a policy's vector."""
        if self.place < 0:
            return
        if self.by_bucket:
            end = self.place + N_BUCKETS * self.stride
            vector[self.place : end : self.stride] = value
        else:
            vector[self.place] = value


def _number_text(value: float) -> str:
    return f"{value:.0f}" if float(value).is_integer() else repr(value)


@dataclass(frozen=True)
class PolicyKind:
    """A shipped policy: its name, where it comes from, its rules and its parameters.

    Parameters
    ----------
    name, summary, origin : str
    take, discard, knock : int
        The rule for each decision.
    parameters : tuple of Parameter
        What a spec may set.
    finish : callable or None
        Called with the vector and the values by name once every parameter is in its place, for
        parameters that change others' places.
    """

    name: str
    summary: str
    origin: str
    take: int
    discard: int
    knock: int
    parameters: tuple[Parameter, ...] = ()
    finish: Callable[[np.ndarray, dict[str, Value]], None] | None = field(
        default=None, compare=False, repr=False
    )

    def defaults(self) -> dict[str, Value]:
        """Return every parameter's default by name."""
        return {parameter.name: parameter.default for parameter in self.parameters}

    def vector(self, values: dict[str, Value]) -> np.ndarray:
        """Return the vector of parameters by name."""
        vector = np.zeros(N_PARAMETERS)
        for parameter in self.parameters:
            parameter.fill(vector, values[parameter.name])
        if self.finish is not None:
            self.finish(vector, values)
        return vector


#: What makes policies from specs and from functions, by :class:`Policy`'s constructors; filled by
#: :mod:`gin_sim.policies.making`, which stands above this module.
MAKERS: dict[str, Callable[..., Policy]] = {}


@dataclass(frozen=True, repr=False)
class Policy:
    """A policy with every parameter given a value.

    Make one with :meth:`parse` or :meth:`of`.

    Parameters
    ----------
    spec : str
        What names it: ``greedy:knock=5``, a file, or the name that it was given.
    kind : PolicyKind
    values : dict
        Every parameter's value by name.
    """

    spec: str
    kind: PolicyKind
    values: dict[str, Value]

    #: Whether a decision is a user's own: only such a one can fail.
    has_own_decisions = False

    @staticmethod
    def parse(spec: str) -> Policy:
        """Return the policy that a spec or a file names.

        Parameters
        ----------
        spec : str
            ``"greedy:knock=5"``, ``"my.toml"``, ``"my.py:Cautious:limit=3"``.

        Raises
        ------
        InputError
            If there is no such policy or parameter, or a value is out of range.
        """
        return MAKERS["parse"](spec)

    @staticmethod
    def of(
        take_upcard: Callable | None = None,
        choose_discard: Callable | None = None,
        should_knock: Callable | None = None,
        base: str | None = "greedy",
        name: str = "",
        parameters: Mapping[str, float] | None = None,
    ) -> Policy:
        """Return a policy of plain Python functions, compiled.

        Each takes ``(view, p)``: what the player sees (:data:`gin_sim.engine.view.VIEW`), and the
        policy's parameters.

        Parameters
        ----------
        take_upcard, should_knock : function, optional
            Whether to take the upcard, and whether to knock, True or False.
        choose_discard : function, optional
            The card to discard, 0 to 51.
        base : str or None
            The spec of a shipped policy, which decides the rest.
        name : str
            What results call it; by default the names of the functions.
        parameters : mapping of str to number, optional
            What ``p`` holds, by name.

        Raises
        ------
        InputError
            If a function cannot be compiled, or might not give the same answer each time.

        Examples
        --------
        >>> def patient(view, p):
        ...     return view.deadwood <= p.limit
        >>> gin_sim.Policy.of(should_knock=patient, parameters={"limit": 5})
        """
        functions = {
            "take_upcard": take_upcard,
            "choose_discard": choose_discard,
            "should_knock": should_knock,
        }
        return MAKERS["of"](functions, base, name, parameters)

    def __repr__(self) -> str:
        return f"<Policy: {self.spec}>"

    def as_dict(self) -> dict:
        """Return the spec, the policy's name and every parameter by name."""
        named = {
            parameter.name: parameter.plain(self.values[parameter.name])
            for parameter in self.kind.parameters
        }
        return {"spec": self.spec, "policy": self.kind.name, "parameters": named}

    def info(self) -> PolicyInfo:
        """Return the policy as results give it."""
        return msgspec.convert(self.as_dict(), PolicyInfo)

    def seat(self, player: np.ndarray) -> None:
        """Write the policy into a record of :data:`PLAYER`."""
        player["take_rule"] = self.kind.take
        player["discard_rule"] = self.kind.discard
        player["knock_rule"] = self.kind.knock
        player["parameters"] = self.kind.vector(self.values)


def suspects(policies: Iterable[Policy]) -> str:
    """Return whose decision may have failed, for a sentence: "my.py", or "a.py or b.py"."""
    policies = list(policies)
    own = [policy.spec for policy in policies if policy.has_own_decisions]
    return " or ".join(dict.fromkeys(own or (policy.spec for policy in policies)))
