"""A rule set as data: every number of the game, each described and checked in one place.

The engine plays by a rule set's numeric form, :data:`RuleNumbers`, which follows from the fields'
descriptions.  To add a rule: declare it here, set it in the presets that have it, and let the
kernel obey its number.
"""

from __future__ import annotations

import dataclasses
import functools
import itertools
import textwrap
from collections import namedtuple
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from gin_sim.rules.fields import Choice, RuleField, WholeNumber, YesNo, declared, fields_of

MAX_DEADWOOD = 98  # K K Q Q J J T T 9 9
MAX_BONUS = 1000
MAX_STALL_TURNS = 120


def _whole(default: int | None, high: int, meaning: str, low: int = 0, **more: Any) -> Any:
    return declared(WholeNumber(meaning, low=low, high=high, **more), default)


def _bonus(default: int | None, meaning: str, **more: Any) -> Any:
    return _whole(default, MAX_BONUS, meaning, **more)


def _yes_no(meaning: str) -> Any:
    return declared(YesNo(meaning), False)


def _choice(words: tuple[str, ...], flags: dict[str, str], meaning: str, **more: Any) -> Any:
    """Declare a field whose default is the first of its words."""
    return declared(Choice(meaning, words=words, flags=flags, **more), words[0])


@dataclass(frozen=True)
class Rules:
    """A complete rule set.  The defaults are the ``standard`` game."""

    name: str = "standard"
    knock_limit: int = _whole(
        10, MAX_DEADWOOD, "greatest deadwood to knock with, pips; 0 for gin only"
    )
    knock_source: str = _choice(
        ("fixed", "upcard"),
        {"limit_from_upcard": "upcard"},
        "where the limit comes from: fixed, or the first upcard's pips",
        more="Faces count 10.  With upcard, knock_limit is not read.",
    )
    ace_upcard: str = _choice(
        ("one", "gin"),
        {"ace_upcard_limit": "one"},
        "what an ace as that upcard allows: deadwood one, or gin only",
    )
    spade_doubles: bool = _yes_no("a spade as first upcard doubles the hand's points, not the box")
    gin_bonus: int = _bonus(25, "points added to the defender's deadwood for gin")
    big_gin_bonus: int | None = _bonus(
        31, "points for all eleven cards melded; none: that is ordinary gin", none_is=-1
    )
    undercut_bonus: int = _bonus(25, "points added to the difference for an undercut")
    tie: str = _choice(
        ("undercut", "zero"),
        {"tie_is_undercut": "undercut"},
        "equal deadwoods after layoffs: an undercut, or a knock that scores nothing",
    )
    layoff_on_gin: bool = _yes_no("the defender may lay off on gin")
    may_discard_taken: bool = _yes_no(
        "a card just taken from the pile may be discarded in the same turn"
    )
    stock_floor: int = _whole(2, 30, "cards left in the stock at which a discard ends the hand")
    wall: str = _choice(
        ("wash", "knock_upcard"),
        {"wall_knock": "knock_upcard"},
        "then: a wash at once, or the next player may take the upcard to knock",
    )
    first_upcard: str = _choice(
        ("offered", "none"),
        {"offers_first_upcard": "offered"},
        "offered to both in turn before the first draw, or none",
        more="With none, the non-dealer's first turn is an ordinary one.",
    )
    stall_turns: int = _whole(
        MAX_STALL_TURNS,
        MAX_STALL_TURNS,
        "turns of both players after which an open hand is a wash",
        low=1,
    )
    box_bonus: int = _bonus(25, "points banked for each hand won")
    box_timing: str = _choice(
        ("at_end", "at_once"),
        {"boxes_at_once": "at_once"},
        "boxes count at_end of the game, or at_once towards the target",
        more="With at_end the player who reached the target may have the lower total, and lose.",
        of_games=True,
    )
    game_bonus: int = _bonus(
        0, "points for winning the game by the higher total, boxes included", of_games=True
    )
    shutout: str = _choice(
        ("none", "double", "flat"),
        {"shutout_doubles": "double"},
        "if the loser won no hand: none, double everything, or flat shutout_bonus",
        of_games=True,
    )
    shutout_bonus: int = _bonus(
        0, "points of a flat shutout", only_with=("shutout", "flat"), of_games=True
    )
    target: int = _whole(
        100,
        100_000,
        "points that end the game; 0: a game is one hand",
        more="Hand points, and boxes if they count at once.",
        of_games=True,
    )
    dealer_rotation: str = _choice(
        ("alternate", "winner", "loser"),
        {"winner_deals": "winner", "loser_deals": "loser"},
        "who deals after a hand that was won: alternate, winner or loser",
        of_games=True,
    )
    wash_dealer: str = _choice(
        ("same", "rotate"),
        {"wash_rotates": "rotate"},
        "who deals after a hand that nobody won: same, or rotate",
        more="Nobody wins a wash, or a tie that scores nothing.",
        of_games=True,
    )

    def __post_init__(self) -> None:
        for each in RULE_FIELDS:
            each.check(getattr(self, each.name))

    def numbers(self) -> RuleNumbers:
        """Return the numeric form that the engine plays and prices by."""
        return _numbers_of(self)

    @property
    def boxes_count_at_once(self) -> bool:
        """Whether a box changes the score that counts towards the target."""
        return self.box_timing == "at_once" and self.box_bonus > 0

    def as_dict(self) -> dict[str, Any]:
        """Return every field by name, for a manifest or a record."""
        return dataclasses.asdict(self)


#: What each field of :class:`Rules` says, except for its name: in order.
RULE_FIELDS: tuple[RuleField, ...] = fields_of(Rules)

if TYPE_CHECKING:

    class RuleNumbers(tuple[int, ...]):
        """A rule set as numbers, by the names that the fields give."""

        def __getattr__(self, name: str) -> int: ...

        def _asdict(self) -> dict[str, int]: ...

else:
    RuleNumbers = namedtuple("RuleNumbers", [name for each in RULE_FIELDS for name in each.numbers])
    RuleNumbers.__doc__ = """A rule set as int64 numbers for the engine.

    Flags are 0 or 1; ``big_gin_bonus`` is -1 where an eleven-card meld is ordinary gin, and
    ``shutout_bonus`` 0 where a shutout is not a flat one.
    """


def _documented() -> str:
    """Return the docstring of :class:`Rules`, its parameters from their descriptions."""
    lines = [
        Rules.__doc__ or "",
        "",
        "Parameters",
        "----------",
        "name : str",
        "    The preset's name, or the spec that made it (``standard:gin_bonus=20``).",
    ]
    for each in RULE_FIELDS:
        default = f"default {each.text(each.default)}"
        lines.append(f"{each.name} : {each.values}, {default}")
        meaning = f"{each.meaning[:1].upper()}{each.meaning[1:]}.  {each.more}".rstrip()
        lines += textwrap.wrap(meaning, 96, initial_indent="    ", subsequent_indent="    ")
    lines += [
        "",
        "Raises",
        "------",
        "RulesError",
        "    If a value is out of its range; the sentence names the field and its range.",
    ]
    return "\n".join(lines)


Rules.__doc__ = _documented()


@functools.lru_cache(maxsize=64)
def _numbers_of(rules: Rules) -> RuleNumbers:
    return RuleNumbers(
        *itertools.chain.from_iterable(each.as_numbers(rules) for each in RULE_FIELDS)
    )
