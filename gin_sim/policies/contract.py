"""What a policy is: three decisions about a view, and numbers with units.

A policy decides ``take_upcard(view, p)`` (a flag), ``choose_discard(view, p)`` (a card id) and
``should_knock(view, p)`` (a flag).  ``view`` is a record of :data:`gin_sim.engine.view.VIEW`, ``p``
the policy's parameter vector (float64).  ``should_knock`` is asked only where a knock is allowed:
after the discard, with ``view.deadwood`` the least deadwood of the ten cards kept, or, for big
gin, before any discard, with eleven cards in ``view.hand`` and ``view.deadwood`` 0.  The spread
and the layoffs are the engine's, optimal.  Decisions are pure: chance comes from ``view.noise``.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from gin_sim.engine import rng
from gin_sim.engine.jit import jit
from gin_sim.errors import InputError

N_PARAMETERS = 16

#: A policy as the play loop sees it: which one, and its parameters.
PLAYER = np.dtype([("policy", "i8"), ("p", "f8", (N_PARAMETERS,))], align=True)

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


@dataclass(frozen=True)
class Parameter:
    """One number of a policy.

    Parameters
    ----------
    name, meaning, unit : str
    default, low, high : float
        Inclusive range.
    whole : bool
        Whether only whole numbers make sense.
    """

    name: str
    meaning: str
    unit: str
    default: float
    low: float
    high: float
    whole: bool = True

    def checked(self, policy: str, text: str) -> float:
        """Read a value; :class:`PolicyError` if it is no number of the range."""
        kind = "a whole number" if self.whole else "a number"
        try:
            value = float(text)
        except ValueError:
            value = math.nan
        if not self.low <= value <= self.high or (self.whole and value != int(value)):
            raise PolicyError(
                f"{policy}'s {self.name} is '{text}': it is {kind} from {self.low:g} to "
                f"{self.high:g} ({self.unit}), by default {self.default:g}."
            )
        return value


@dataclass(frozen=True)
class PolicyKind:
    """A shipped policy: its name, where it comes from, and its parameters in vector order."""

    name: str
    number: int
    summary: str
    origin: str
    parameters: tuple[Parameter, ...] = ()


@dataclass(frozen=True)
class Policy:
    """A policy with every parameter given a value: what a spec string names."""

    spec: str
    kind: PolicyKind
    values: tuple[float, ...]

    def as_dict(self) -> dict:
        """Return the spec, the policy's name and every parameter by name."""
        named = {
            parameter.name: int(value) if parameter.whole else value
            for parameter, value in zip(self.kind.parameters, self.values, strict=True)
        }
        return {"spec": self.spec, "policy": self.kind.name, "parameters": named}
