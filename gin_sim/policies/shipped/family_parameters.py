"""The numbers of the parameterised family: what each weighs, its default, and the principles.

The weights by feature and own turn, the noise, and five switches that each take a first principle
of strategy out of the weights or the knock table.  How the weights decide is
:mod:`gin_sim.policies.shipped.family_scores`'s.
"""

from __future__ import annotations

import numpy as np

from gin_sim.policies.contract import N_BUCKETS, Parameter, Value
from gin_sim.policies.shipped.family_description import (
    BLIND_PLACE,
    DISCARD_PLACE,
    EXTENSIONS_2,
    EXTENSIONS_3,
    FEEDS_COLD_PAIR,
    FEEDS_KNOWN_CARD,
    FEEDS_KNOWN_PAIR,
    FEEDS_UNSEEN_PAIR,
    LOOKAHEAD,
    LOOSE_2,
    LOOSE_3,
    LOOSE_4,
    LOOSE_5,
    N_DISCARD,
    N_TAKE,
    NEIGHBOUR_DISCARDED,
    NEIGHBOUR_REFUSED,
    OUTS_2,
    OUTS_3,
    OUTS_4,
    OUTS_5,
    OUTS_7,
    PAIRINGS,
    PIPS,
    PIPS_LOW,
    PIPS_SHOWN,
    RANK_DISCARDED,
    RANK_REFUSED,
    SLIP_PLACE,
    TAKE,
    TAKE_DISCARD_FEEDS,
    TAKE_DISCARD_FEEDS_UNSEEN,
    TAKE_EXTENSIONS,
    TAKE_FIRST,
    TAKE_LOOSE,
    TAKE_LOW,
    TAKE_MELDS,
    TAKE_OUTS_2,
    TAKE_OUTS_3,
    TAKE_OUTS_4,
    TAKE_PLACE,
    TAKE_SAVES,
    TAKE_SAVES_SHOWN,
    TAKE_SHOWN,
    TEMPERATURE_PLACE,
)
from gin_sim.policies.shipped.knock_table import (
    MAX_TABLE_DEADWOOD,
    SCORE_OFFSETS,
    KnockTable,
    fill_table,
    table_in,
)

_EARLY = (0, 1, 2)  # buckets of own turns 1 to 4
_SETTLED_TURN = 6  # the knock of a player who does not knock early is this turn's from the start
_WATCHED = (
    PIPS_SHOWN,
    FEEDS_KNOWN_PAIR,
    FEEDS_KNOWN_CARD,
    FEEDS_COLD_PAIR,
    RANK_REFUSED,
    RANK_DISCARDED,
    NEIGHBOUR_REFUSED,
    NEIGHBOUR_DISCARDED,
)
_PAIRS = (OUTS_2, OUTS_3, OUTS_4, OUTS_5, OUTS_7, PAIRINGS)
_DEADWOOD = (PIPS, PIPS_LOW, PIPS_SHOWN)
_TAKE_DEADWOOD = (TAKE_SAVES, TAKE_LOW, TAKE_SAVES_SHOWN)
_MOST = 60.0  # points; no weight is larger


def _discard_weight(feature: int, name: str, meaning: str, unit: str, *weights: float) -> Parameter:
    place = DISCARD_PLACE + feature
    return _weight(name, meaning, unit, weights, place, N_DISCARD)


def _take_weight(feature: int, name: str, meaning: str, unit: str, *weights: float) -> Parameter:
    return _weight(name, meaning, unit, weights, TAKE_PLACE + feature, N_TAKE)


def _weight(name, meaning, unit, weights, place, stride) -> Parameter:
    default = tuple(weights) + (weights[-1],) * (N_BUCKETS - len(weights))
    return Parameter(name, meaning, unit, default, -_MOST, _MOST, False, place, stride)


_AN_OUT = "points per card"
_A_WAY = "points per way"
_DISCARD_WEIGHTS = (
    _discard_weight(PIPS, "pips", "deadwood kept", "points per 10 pips", 2, 2, 1, -2, -3, -4),
    _discard_weight(
        OUTS_2, "outs_2", "live cards that meld a loose pair, 2 or fewer loose", _AN_OUT, 3.5
    ),
    _discard_weight(OUTS_3, "outs_3", "the same with 3 loose cards", _AN_OUT, 4.7),
    _discard_weight(OUTS_4, "outs_4", "the same with 4 loose cards", _AN_OUT, 2),
    _discard_weight(OUTS_5, "outs_5", "the same with 5 or 6 loose cards", _AN_OUT, 1.7),
    _discard_weight(OUTS_7, "outs_7", "the same with 7 or more loose cards", _AN_OUT, 0.7),
    _discard_weight(
        EXTENSIONS_2, "extensions_2", "live cards that extend a meld, 2 or fewer loose", _AN_OUT, 2
    ),
    _discard_weight(EXTENSIONS_3, "extensions_3", "the same with more loose cards", _AN_OUT, 1),
    _discard_weight(
        PAIRINGS,
        "pairings",
        "live cards that would pair a loose one, the two-step potential",
        "points per 10 cards",
        0,
    ),
    _discard_weight(LOOSE_2, "loose_2", "2 or fewer loose cards kept, against 7", "points", 9),
    _discard_weight(LOOSE_3, "loose_3", "3 loose cards kept, against 7", "points", 6),
    _discard_weight(LOOSE_4, "loose_4", "4 loose cards kept, against 7", "points", 4),
    _discard_weight(LOOSE_5, "loose_5", "5 or 6 loose cards kept, against 7", "points", 2),
    _discard_weight(
        PIPS_LOW, "pips_low", "how far the deadwood kept is below 10", "points per 10 pips", 0
    ),
    _discard_weight(
        PIPS_SHOWN,
        "pips_shown",
        "deadwood kept times the cards that the opponent is known to hold",
        "points per 10 pips",
        0,
    ),
    _discard_weight(
        LOOKAHEAD,
        "lookahead",
        "mean deadwood after the best answer to each live card; any weight but 0 makes hands "
        "about four times as slow",
        "points per 10 pips",
        0,
    ),
    _discard_weight(
        FEEDS_KNOWN_PAIR,
        "feeds_known_pair",
        "ways to meld the discarded card with two that the opponent is known to hold",
        _A_WAY,
        -6,
    ),
    _discard_weight(
        FEEDS_KNOWN_CARD,
        "feeds_known_card",
        "ways to meld it with one that the opponent is known to hold and one not seen",
        _A_WAY,
        *(-0.5, -0.5, -0.5, -1, -2, -4),
    ),
    _discard_weight(
        FEEDS_UNSEEN_PAIR,
        "feeds_unseen_pair",
        "ways to meld it with two cards not seen",
        _A_WAY,
        *(0, 0, -0.4, -0.6, -1, -1.5),
    ),
    _discard_weight(
        FEEDS_COLD_PAIR,
        "feeds_cold_pair",
        "of those, ways with a card next to one that the opponent discarded",
        _A_WAY,
        0,
    ),
    _discard_weight(
        RANK_REFUSED, "rank_refused", "the opponent refused a card of the rank", "points", 1.1
    ),
    _discard_weight(
        RANK_DISCARDED, "rank_discarded", "the opponent discarded a card of the rank", "points", 0.8
    ),
    _discard_weight(
        NEIGHBOUR_REFUSED,
        "neighbour_refused",
        "neighbours in suit that the opponent refused",
        _AN_OUT,
        0.8,
    ),
    _discard_weight(
        NEIGHBOUR_DISCARDED,
        "neighbour_discarded",
        "neighbours in suit that the opponent discarded",
        _AN_OUT,
        0,
    ),
)
_TAKE_WEIGHTS = (
    _take_weight(TAKE, "take", "for taking the upcard at all", "points", -1.6),
    _take_weight(TAKE_MELDS, "take_melds", "the upcard melds", "points", 3.7),
    _take_weight(TAKE_SAVES, "take_saves", "deadwood saved", "points per 10 pips", 2),
    _take_weight(
        TAKE_LOW,
        "take_low",
        "how much further below 10 the deadwood comes",
        "points per 10 pips",
        0,
    ),
    _take_weight(
        TAKE_SAVES_SHOWN,
        "take_saves_shown",
        "deadwood saved times the cards that the opponent is known to hold",
        "points per 10 pips",
        0,
    ),
    _take_weight(
        TAKE_OUTS_2, "take_outs_2", "outs gained, 2 or fewer loose cards left", _AN_OUT, 1.5
    ),
    _take_weight(TAKE_OUTS_3, "take_outs_3", "outs gained, 3 loose cards left", _AN_OUT, 2.2),
    _take_weight(TAKE_OUTS_4, "take_outs_4", "outs gained, more loose cards left", _AN_OUT, 1.5),
    _take_weight(TAKE_EXTENSIONS, "take_extensions", "extending cards gained", _AN_OUT, 1),
    _take_weight(TAKE_LOOSE, "take_loose", "how many fewer loose cards are left", _AN_OUT, 1),
    _take_weight(TAKE_FIRST, "take_first", "the first upcard is offered", "points", 0),
    _take_weight(TAKE_SHOWN, "take_shown", "cards already shown by taking", _AN_OUT, -0.3),
    _take_weight(
        TAKE_DISCARD_FEEDS,
        "take_feeds",
        "ways in which the next discard feeds known cards, a known pair counted three times",
        _A_WAY,
        -1,
    ),
    _take_weight(
        TAKE_DISCARD_FEEDS_UNSEEN,
        "take_feeds_unseen",
        "ways in which that discard feeds pairs not seen",
        _A_WAY,
        -0.4,
    ),
)
_NOISE = (
    Parameter(
        "slip", "chance of a random legal discard", "probability", *(0, 0, 1, False, SLIP_PLACE)
    ),
    Parameter(
        "temperature",
        "softmax temperature of the discard and of taking; 0 for none",
        "points",
        *(0, 0, 1000, False, TEMPERATURE_PLACE),
    ),
)
_PRINCIPLES = (
    Parameter("watch", "watch every discard: 0 sees only its own cards", "switch", 1, 0, 1),
    Parameter(
        "knock_early",
        f"knock early against big hands: 0 knocks as on own turn {_SETTLED_TURN} before it",
        "switch",
        *(1, 0, 1),
    ),
    Parameter(
        "keep_pairs",
        "keep pairs and neighbours early: 0 has no weight for outs on own turns 1 to 4",
        "switch",
        *(1, 0, 1),
    ),
    Parameter(
        "count_undercut",
        "count the undercut: 0 knocks with every deadwood above one that knocks",
        "switch",
        *(1, 0, 1),
    ),
    Parameter(
        "dump_high",
        "dump high deadwood early: 0 has no weight for deadwood on own turns 1 to 4",
        "switch",
        *(1, 0, 1),
    ),
)
#: Discard and take weights in the order of their features.
WEIGHTS = (*_DISCARD_WEIGHTS, *_TAKE_WEIGHTS)


def family_parameters(knock: str) -> tuple[Parameter, ...]:
    """Return every parameter of a member of the family, given its knock table's default."""
    return (KnockTable(default=knock), *SCORE_OFFSETS, *WEIGHTS, *_NOISE, *_PRINCIPLES)


def apply_principles(vector: np.ndarray, values: dict[str, Value]) -> None:
    """Take the principles that are switched off out of a family member's vector."""
    discards = vector[DISCARD_PLACE:TAKE_PLACE].reshape(N_BUCKETS, N_DISCARD)
    takes = vector[TAKE_PLACE:SLIP_PLACE].reshape(N_BUCKETS, N_TAKE)
    if not values["watch"]:
        discards[:, _WATCHED] = 0
        takes[:, (TAKE_SAVES_SHOWN, TAKE_DISCARD_FEEDS)] = 0
        vector[BLIND_PLACE] = 1
    if not values["keep_pairs"]:
        discards[np.ix_(_EARLY, _PAIRS)] = 0
        takes[np.ix_(_EARLY, (TAKE_OUTS_2, TAKE_OUTS_3, TAKE_OUTS_4))] = 0
    if not values["dump_high"]:
        discards[np.ix_(_EARLY, _DEADWOOD)] = 0
        takes[np.ix_(_EARLY, _TAKE_DEADWOOD)] = 0
    table = table_in(vector)
    if not values["knock_early"]:
        table[: _SETTLED_TURN - 1] = table[_SETTLED_TURN - 1]
    if not values["count_undercut"]:
        for cell in np.nditer(table, op_flags=["readwrite"]):
            if cell:
                lowest = int(cell) & -int(cell)
                cell[...] = (1 << MAX_TABLE_DEADWOOD + 1) - lowest
    fill_table(vector, table)
