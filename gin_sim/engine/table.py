"""The state of one hand that no player sees whole: the deck, whose move it is and how it ended.

With a view for each seat (:mod:`gin_sim.engine.view`) it is all that a hand is made of.  The steps
that change it are in :mod:`gin_sim.engine.deal` and :mod:`gin_sim.engine.round`.
"""

from __future__ import annotations

import numpy as np

from gin_sim.engine.view import VIEW
from gin_sim.rules import RuleNumbers, Rules

# How a hand stands.  Every other ending is an outcome of rules.py.
OPEN = -1
FAULT = -2  # a policy asked for an illegal step; see the table's fault

# Faults.
NO_FAULT, CARD_NOT_HELD, CARD_BARRED, NO_DECISION = range(4)

# Places of the deck: 0-9 and 10-19 are the hands of the seats.
UPCARD_PLACE = 20
FIRST_STOCK_PLACE = 21

#: The state that no player sees whole.  Everything is int64 except the deck.
TABLE = np.dtype(
    [
        ("deck_key", "u8"),
        ("n_shuffled", "i8"),  # places of the deck that are fixed so far
        ("next_place", "i8"),  # place of the stock's top card
        ("mover", "i8"),  # seat
        ("phase", "i8"),
        ("n_passes", "i8"),
        ("n_turns", "i8"),  # finished or begun by both players, passes not counted
        ("dealt", "i8", (2,)),  # the seats' ten cards as dealt, and their least deadwood
        ("dealt_deadwood", "i8", (2,)),
        ("dealer", "i8"),  # seat
        ("first_upcard", "i8"),
        ("knock_limit", "i8"),
        # Facts of the end
        ("ending", "i8"),  # OPEN, FAULT, or WASH, STALLED, KNOCK, GIN, BIG_GIN
        ("knocker", "i8"),  # seat, -1 for none
        ("knocker_deadwood", "i8"),
        ("defender_deadwood", "i8"),  # after layoffs
        ("spread_sets", "i8"),
        ("spread_runs", "i8"),
        ("laid_off", "i8"),
        ("fault", "i8"),
        ("deck", "i1", (52,)),  # places 0-9 and 10-19 are the seats' hands, 20 the upcard
    ],
    align=True,
)

#: A rule set as compiled code reads it: the fields of RuleNumbers, int64.
RULES = np.dtype([(name, "i8") for name in RuleNumbers._fields])


def rule_record(rules: Rules) -> np.record:
    """Return a rule set as a record of :data:`RULES`."""
    record = np.zeros(1, RULES).view(np.recarray)
    record[0] = tuple(rules.numbers())
    return record[0]


def new_state() -> tuple[np.ndarray, np.ndarray]:
    """Return a table (length 1) and two views as record arrays, reused for hand after hand."""
    return np.zeros(1, TABLE).view(np.recarray), np.zeros(2, VIEW).view(np.recarray)
