"""When to knock: a table by own turn and live gin outs, with offsets by the score.

A cell of the table is the set of deadwoods to knock with, as a mask of pips; gin is always laid
down.  Nothing here is read by a draw or a discard.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from gin_sim.engine import rng
from gin_sim.engine.apart import apart
from gin_sim.engine.bits import popcount
from gin_sim.engine.deadwood import improving_cards, least_deadwood
from gin_sim.engine.jit import jit, jit_inline, jit_paste
from gin_sim.engine.melds import meldable_cards
from gin_sim.engine.view import unseen_cards
from gin_sim.policies.contract import (
    DECIDE_BIG_GIN,
    DECIDE_KNOCK,
    KNOCK_PLACES,
    Parameter,
    PolicyError,
    noise_word,
)
from gin_sim.policies.shipped.family_features import completing_cards, loose_cards

TABLE_TURNS = 20  # the last row serves every later turn
OUT_CLASSES = 3  # no live card gives gin on the next draw, one or two do, three or more do
MAX_TABLE_DEADWOOD = 50  # stands for every deadwood beyond it too

_BY_OUTS = TABLE_TURNS * OUT_CLASSES
_CLOSE_WITHIN, _CLOSE_LIMIT, _AHEAD, _AHEAD_MORE, _BEHIND, _BEHIND_MORE = range(
    _BY_OUTS + 1, _BY_OUTS + 7
)
assert _BEHIND_MORE < KNOCK_PLACES

SHIFT_AHEAD, SHIFT_BEHIND = 1, 2


@apart(int, int)
def out_class(hand, unseen):
    """Return the class of a hand's live gin outs: 0 for none, 1 for one or two, 2 for more."""
    loose = popcount(hand & ~meldable_cards(hand))
    if loose > 5:
        # One card melds four loose ones at most, a 6 between 4-5 and 7-8; one is discarded.
        return 0
    if least_deadwood(hand) > 0:
        unseen &= completing_cards(hand)  # only by a new meld can a card give gin
    outs = popcount(improving_cards(hand, unseen, np.int64(1))[0])
    return 0 if outs == 0 else 1 if outs <= 2 else 2


@jit_inline
def is_close(parameters, needed):
    """Return whether a knock should end the game, by the points that are needed to win it."""
    return 0 < needed <= parameters[_CLOSE_WITHIN]


@jit_inline
def shift_by_lead(parameters, lead):
    """Return which offset a lead in hand points gives a table: SHIFT_AHEAD, SHIFT_BEHIND or 0."""
    if parameters[_AHEAD] > 0 and lead >= parameters[_AHEAD]:
        return SHIFT_AHEAD
    if parameters[_BEHIND] > 0 and -lead >= parameters[_BEHIND]:
        return SHIFT_BEHIND
    return 0


@jit_inline
def heisenbot_waits(lead):
    """Return whether Heisenbot waits for gin, by its lead in hand points."""
    return abs(lead) >= 30


@jit_inline
def _has(cell, deadwood):
    return np.int64(cell) >> deadwood & 1 == 1


@jit_inline
def _outs_matter(parameters, place, deadwood):
    """Return whether the cells of a turn, from the first of its places, differ about a deadwood."""
    first = _has(parameters[place], deadwood)
    return (
        _has(parameters[place + 1], deadwood) != first
        or _has(parameters[place + 2], deadwood) != first
    )


@jit
def knocks_by_table(view, parameters):
    """Knock where the table says so; always with gin."""
    deadwood = view.deadwood
    if deadwood == 0:
        return True
    needed = view.target - view.score
    if view.boxes_at_once:
        needed -= view.boxes * view.box_bonus
    lead = view.score - view.opponent_score
    if is_close(parameters, needed) and deadwood <= parameters[_CLOSE_LIMIT]:
        return True
    shift = shift_by_lead(parameters, lead)
    if shift == SHIFT_AHEAD:
        deadwood -= np.int64(parameters[_AHEAD_MORE])
    elif shift == SHIFT_BEHIND:
        deadwood -= np.int64(parameters[_BEHIND_MORE])
    deadwood = min(max(deadwood, 1), MAX_TABLE_DEADWOOD)
    place = OUT_CLASSES * (min(view.turn, TABLE_TURNS) - 1)
    if parameters[_BY_OUTS] > 0 and _outs_matter(parameters, place, deadwood):
        place += out_class(view.hand, unseen_cards(view))
    return _has(parameters[place], deadwood)


@jit_paste
def knocks_by_coin(view):
    """Toss a coin."""
    decision = DECIDE_BIG_GIN if popcount(view.hand) > 10 else DECIDE_KNOCK
    return rng.low_below(noise_word(view, decision, 0), 2) == 1


@jit_paste
def knocks_like_heisenbot(view):
    """Follow Heisenbot's published rule; see :mod:`gin_sim.policies.shipped.published`."""
    if view.deadwood == 0:
        return True
    if heisenbot_waits(view.score - view.opponent_score):
        return False
    if view.turn < 4 or view.turn > 13 or view.deadwood <= 5:
        return True
    return popcount(loose_cards(view.hand)) >= 3


# ---------------------------------------------------------------------------------------------
# The table as text and as numbers

_CELL = re.compile(r"(\d{1,3})(?:-(\d{1,3}))?")


@dataclass(frozen=True)
class KnockTable(Parameter):
    """The parameter that says when to knock: a table as text, read by :func:`parse_knock`."""

    name: str = "knock"
    meaning: str = "deadwood to knock with, by own turn and gin outs"
    unit: str = "pips"
    default: str = "10"
    low: float = 0
    high: float = MAX_TABLE_DEADWOOD

    def read(self, policy: str, text: str) -> str:
        """Read a table and return its shortest text."""
        return knock_text(parse_knock(text, policy))

    def checked(self, policy: str, value: Any, text: str | None = None) -> str:
        """Read a table from a number, a text, or a list of one of them for each own turn."""
        rows = value if isinstance(value, list | tuple) else [value]
        if not rows or any(isinstance(row, bool) or not isinstance(row, int | str) for row in rows):
            raise self.refused(policy, str(value))
        return self.read(policy, "/".join(map(str, rows)))

    def range_words(self) -> str:
        """Return how a table is written."""
        return (
            f"a greatest deadwood from 0 to {MAX_TABLE_DEADWOOD} ({self.unit}), a range like 6-10, "
            "or a table: own turns separated by /, each one cell or three separated by | for 0, "
            "1-2 and 3 or more gin outs"
        )

    def text(self, value: str) -> str:
        """Return the table's text."""
        return value

    def plain(self, value: str) -> Any:
        """Return a whole number where the table is one, else a list of turns."""
        rows = [int(row) if row.isdecimal() else row for row in value.split("/")]
        return rows[0] if len(rows) == 1 else rows

    def fill(self, vector: np.ndarray, value: str) -> None:
        """Write the table's masks and whether its cells differ by gin outs."""
        fill_table(vector, parse_knock(value, "a policy"))


def fill_table(vector: np.ndarray, table: np.ndarray) -> None:
    """Write a table of masks, shape (TABLE_TURNS, OUT_CLASSES), to its places in a vector."""
    vector[:_BY_OUTS] = table.reshape(-1)
    vector[_BY_OUTS] = float((table != table[:, :1]).any())


def table_in(vector: np.ndarray) -> np.ndarray:
    """Return the table of masks that a vector holds, int64, shape (TABLE_TURNS, OUT_CLASSES)."""
    return vector[:_BY_OUTS].astype(np.int64).reshape(TABLE_TURNS, OUT_CLASSES)


SCORE_OFFSETS = (
    Parameter(
        "close_within",
        "points that you need to win the game at which a knock should end it; 0 for never",
        "points",
        *(0, 0, 1000),
        place=_CLOSE_WITHIN,
    ),
    Parameter(
        "close_limit",
        "greatest deadwood to knock with then, in place of the table",
        "pips",
        *(10, 0, 98),
        place=_CLOSE_LIMIT,
    ),
    Parameter(
        "ahead",
        "lead in points from which the table shifts; 0 for never",
        "points",
        *(0, 0, 1000),
        place=_AHEAD,
    ),
    Parameter(
        "ahead_more",
        "then a deadwood counts as this much less, but never as gin",
        "pips",
        *(0, -10, 10),
        place=_AHEAD_MORE,
    ),
    Parameter(
        "behind",
        "points behind from which the table shifts; 0 for never",
        "points",
        *(0, 0, 1000),
        place=_BEHIND,
    ),
    Parameter(
        "behind_more",
        "then a deadwood counts as this much less, but never as gin",
        "pips",
        *(0, -10, 10),
        place=_BEHIND_MORE,
    ),
)


def parse_knock(text: str, policy: str) -> np.ndarray:
    """Read a knock table.

    Parameters
    ----------
    text : str
        Cells by own turn, separated by ``/``, the last one for all later turns.  A cell is a
        greatest deadwood (``5``) or a range (``6-10``), several joined by ``+``, or three of them
        separated by ``|``, for no, one or two, and three or more live gin outs.  ``10`` alone
        always knocks, ``10/10/10/0`` knocks in the first three turns and then plays for gin.
    policy : str
        Named in errors.

    Returns
    -------
    ndarray of int64, shape (20, 3)
        Masks of the deadwoods to knock with, bit ``d`` for ``d`` pips.
    """
    rows = [
        [_cell(cell.strip(), text, policy) for cell in row.split("|")] for row in text.split("/")
    ]
    if len(rows) > TABLE_TURNS or any(len(row) not in (1, OUT_CLASSES) for row in rows):
        raise PolicyError(
            f"{policy}'s knock is '{text}': give at most {TABLE_TURNS} turns separated by /, each "
            f"one cell, or three separated by | for 0, 1-2 and 3 or more gin outs."
        )
    full = [row * OUT_CLASSES if len(row) == 1 else row for row in rows]
    full += [full[-1]] * (TABLE_TURNS - len(full))
    return np.array(full, dtype=np.int64)


def _cell(cell: str, text: str, policy: str) -> int:
    mask = 0
    for part in cell.split("+"):
        found = _CELL.fullmatch(part.strip())
        low, high = (1, -1)
        if found:
            low, high = (int(found[1]), int(found[2])) if found[2] else (1, int(found[1]))
        if not found or high > MAX_TABLE_DEADWOOD or (found[2] and not 1 <= low <= high):
            raise PolicyError(
                f"{policy}'s knock is '{text}': '{cell}' is neither a greatest deadwood from 0 to "
                f"{MAX_TABLE_DEADWOOD} nor a range like 6-10; join ranges by +, separate own "
                "turns by / and the cells for 0, 1-2 and 3 or more gin outs by |."
            )
        mask |= (1 << high + 1) - (1 << low)
    return mask


def knock_text(table: np.ndarray) -> str:
    """Return a knock table as the shortest text that :func:`parse_knock` reads back."""
    rows = [_row_text([_cell_text(int(mask)) for mask in row]) for row in table]
    while len(rows) > 1 and rows[-1] == rows[-2]:
        rows.pop()
    return "/".join(rows)


def _row_text(cells: Sequence[str]) -> str:
    return cells[0] if len(set(cells)) == 1 else "|".join(cells)


def _cell_text(mask: int) -> str:
    held = [deadwood for deadwood in range(1, MAX_TABLE_DEADWOOD + 1) if mask >> deadwood & 1]
    lows = [deadwood for deadwood in held if not mask >> deadwood - 1 & 1]
    highs = [deadwood for deadwood in held if not mask >> deadwood + 1 & 1]
    if lows == [1] and len(highs) == 1:
        return str(highs[0])
    return "+".join(f"{low}-{high}" for low, high in zip(lows, highs, strict=True)) or "0"
