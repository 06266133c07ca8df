"""Rule sets as data, and the pricing of facts: what a hand or a game is worth, never how it came.

A :class:`Rules` value holds every number of the game.  The engine plays by its numeric form,
:class:`RuleNumbers`; :func:`outcome_of` and :func:`hand_points` turn the facts of a finished hand
into an outcome and points, :func:`game_stakes` those of a finished game into what the loser pays.
All are plain integer arithmetic: the engine compiles these very functions, so that one simulation
can be priced again under other bonuses by the same rule.
"""

from __future__ import annotations

import dataclasses
from dataclasses import dataclass
from typing import Any, NamedTuple

from gin_sim.errors import InputError, listed, nearest

# How a hand ended.  A record's "kind" is the name; STALLED is recorded as a wash.
WASH, KNOCK, UNDERCUT, GIN, BIG_GIN, STALLED = range(6)
OUTCOME_NAMES = ("wash", "knock", "undercut", "gin", "big_gin", "stalled")

# What the player to move may do.
FIRST_OFFER = 0  # take the first upcard or pass
MUST_DRAW = 1  # both passed: draw from the stock
TURN = 2  # take the upcard or draw
AT_WALL = 3  # take the upcard and knock, or the hand is a wash

MAX_DEADWOOD = 98  # K K Q Q J J T T 9 9
MAX_BONUS = 1000
MAX_STALL_TURNS = 120


class RulesError(InputError):
    """A rule set that does not exist or cannot be played; the message is a sentence."""


class RuleNumbers(NamedTuple):
    """A rule set as int64 numbers for the engine.

    Flags are 0 or 1; ``big_gin_bonus`` is -1 where an eleven-card meld is ordinary gin, and
    ``shutout_bonus`` 0 where a shutout is not a flat one.
    """

    knock_limit: int
    limit_from_upcard: int
    ace_upcard_limit: int
    spade_doubles: int
    gin_bonus: int
    big_gin_bonus: int
    undercut_bonus: int
    tie_is_undercut: int
    layoff_on_gin: int
    may_discard_taken: int
    stock_floor: int
    wall_knock: int
    offers_first_upcard: int
    stall_turns: int
    box_bonus: int
    target: int
    boxes_at_once: int
    game_bonus: int
    shutout_doubles: int
    shutout_bonus: int
    winner_deals: int
    loser_deals: int
    wash_rotates: int


_CHOICES = {
    "knock_source": ("fixed", "upcard"),
    "ace_upcard": ("one", "gin"),
    "tie": ("undercut", "zero"),
    "wall": ("wash", "knock_upcard"),
    "first_upcard": ("offered", "none"),
    "box_timing": ("at_end", "at_once"),
    "shutout": ("none", "double", "flat"),
    "dealer_rotation": ("alternate", "winner", "loser"),
    "wash_dealer": ("same", "rotate"),
}
#: What each field says, for a player; units are points unless another is named.
MEANINGS = {
    "knock_limit": "greatest deadwood to knock with, pips; 0 for gin only",
    "knock_source": "where the limit comes from: fixed, or the first upcard's pips",
    "ace_upcard": "what an ace as that upcard allows: deadwood one, or gin only",
    "spade_doubles": "a spade as first upcard doubles the hand's points",
    "gin_bonus": "added to the defender's deadwood for gin",
    "big_gin_bonus": "for all eleven cards melded; none: that is ordinary gin",
    "undercut_bonus": "added to the difference for an undercut",
    "tie": "equal deadwoods: an undercut, or zero for both",
    "layoff_on_gin": "the defender may lay off on gin",
    "may_discard_taken": "a card just taken from the pile may be discarded at once",
    "stock_floor": "cards left in the stock at which a discard ends the hand",
    "wall": "then: a wash at once, or the next player may take the upcard to knock",
    "first_upcard": "offered to both in turn before the first draw, or none",
    "stall_turns": "turns of both players after which an open hand is a wash",
    "box_bonus": "banked for each hand won",
    "box_timing": "boxes count at_end of the game, or at_once towards the target",
    "game_bonus": "for winning the game by the higher total, boxes included",
    "shutout": "a loser without a hand: none, double everything, or flat shutout_bonus",
    "shutout_bonus": "of a flat shutout",
    "target": "points that end the game; 0: a game is one hand",
    "dealer_rotation": "who deals after a hand that was won: alternate, winner or loser",
    "wash_dealer": "who deals after a hand that nobody won: same, or rotate",
}
_RANGES = {
    "knock_limit": (0, MAX_DEADWOOD),
    "gin_bonus": (0, MAX_BONUS),
    "big_gin_bonus": (0, MAX_BONUS),
    "undercut_bonus": (0, MAX_BONUS),
    "stock_floor": (0, 30),
    "stall_turns": (1, MAX_STALL_TURNS),
    "box_bonus": (0, MAX_BONUS),
    "game_bonus": (0, MAX_BONUS),
    "shutout_bonus": (0, MAX_BONUS),
    "target": (0, 100_000),
}


@dataclass(frozen=True)
class Rules:
    """A complete rule set.  The defaults are the ``standard`` game.

    Parameters
    ----------
    name : str
        The preset's name, or the spec that made it (``"standard:gin_bonus=20"``).
    knock_limit : int
        Greatest deadwood (pips, 0-98) to knock with; 0 means gin only.
    knock_source : {"fixed", "upcard"}
        ``upcard``: the first upcard's pips (faces 10) are the limit instead of ``knock_limit``.
    ace_upcard : {"one", "gin"}
        With ``knock_source="upcard"``: what an ace allows, deadwood 1 or gin only.
    spade_doubles : bool
        A spade as first upcard doubles the hand's points (the box is not doubled).
    gin_bonus, undercut_bonus : int
        Points added for gin and for an undercut.
    big_gin_bonus : int or None
        Points added when all eleven cards meld; None: such a hand is ordinary gin.
    tie : {"undercut", "zero"}
        Equal deadwoods after layoffs: an undercut, or a knock that scores nothing.
    layoff_on_gin : bool
        Whether the defender may lay off on a gin hand.
    may_discard_taken : bool
        Whether a card just taken from the pile may be discarded on the same turn.
    stock_floor : int
        A discard made with this many cards left in the stock, and no knock, ends the hand.
    wall : {"wash", "knock_upcard"}
        At that point: a wash at once, or the next player may first take the upcard to knock.
    first_upcard : {"offered", "none"}
        Whether the first upcard is offered to both players in turn before the first draw;
        ``none``: the non-dealer's first turn is an ordinary one.
    stall_turns : int
        A hand still open after this many turns (both players, 1-120) is a wash, ``stalled``.
    box_bonus : int
        Points banked for each hand won.
    box_timing : {"at_end", "at_once"}
        Whether boxes are added when the game ends, or count towards the target at once.  With
        ``at_end`` the player who reached the target may have the lower total, and lose.
    game_bonus : int
        Points for winning the game, by the higher total with boxes.
    shutout : {"none", "double", "flat"}
        What a winner gains if the loser won no hand: nothing, everything doubled, or
        ``shutout_bonus`` more.
    shutout_bonus : int
        Points of a ``flat`` shutout.
    target : int
        Points that end the game: hand points, and boxes if they count at once; 0: a game is one
        hand, a tie if nobody wins it.
    dealer_rotation : {"alternate", "winner", "loser"}
        Who deals after a hand that was won.
    wash_dealer : {"same", "rotate"}
        Who deals after a hand that nobody won: a wash, or a tie that scores nothing.

    Raises
    ------
    RulesError
        If a value is out of its range; the sentence names it, the range and the field.
    """

    name: str = "standard"
    knock_limit: int = 10
    knock_source: str = "fixed"
    ace_upcard: str = "one"
    spade_doubles: bool = False
    gin_bonus: int = 25
    big_gin_bonus: int | None = 31
    undercut_bonus: int = 25
    tie: str = "undercut"
    layoff_on_gin: bool = False
    may_discard_taken: bool = False
    stock_floor: int = 2
    wall: str = "wash"
    first_upcard: str = "offered"
    stall_turns: int = MAX_STALL_TURNS
    box_bonus: int = 25
    box_timing: str = "at_end"
    game_bonus: int = 0
    shutout: str = "none"
    shutout_bonus: int = 0
    target: int = 100
    dealer_rotation: str = "alternate"
    wash_dealer: str = "same"

    def __post_init__(self) -> None:
        for field in dataclasses.fields(self):
            value = getattr(self, field.name)
            if field.name in _CHOICES and value not in _CHOICES[field.name]:
                raise RulesError(
                    f"the rule {field.name} is '{value}': it can be {listed(_CHOICES[field.name])}."
                )
            if field.name in _RANGES and not (value is None and field.name == "big_gin_bonus"):
                low, high = _RANGES[field.name]
                if type(value) is not int or not low <= value <= high:
                    raise RulesError(
                        f"the rule {field.name} is {value}: it can be a whole number from {low} "
                        f"to {high}."
                    )
            if field.type == "bool" and not isinstance(value, bool):
                raise RulesError(f"the rule {field.name} is '{value}': it can be yes or no.")

    def numbers(self) -> RuleNumbers:
        """Return the numeric form that the engine plays and prices by."""
        return RuleNumbers(
            knock_limit=self.knock_limit,
            limit_from_upcard=int(self.knock_source == "upcard"),
            ace_upcard_limit=int(self.ace_upcard == "one"),
            spade_doubles=int(self.spade_doubles),
            gin_bonus=self.gin_bonus,
            big_gin_bonus=-1 if self.big_gin_bonus is None else self.big_gin_bonus,
            undercut_bonus=self.undercut_bonus,
            tie_is_undercut=int(self.tie == "undercut"),
            layoff_on_gin=int(self.layoff_on_gin),
            may_discard_taken=int(self.may_discard_taken),
            stock_floor=self.stock_floor,
            wall_knock=int(self.wall == "knock_upcard"),
            offers_first_upcard=int(self.first_upcard == "offered"),
            stall_turns=self.stall_turns,
            box_bonus=self.box_bonus,
            target=self.target,
            boxes_at_once=int(self.box_timing == "at_once"),
            game_bonus=self.game_bonus,
            shutout_doubles=int(self.shutout == "double"),
            shutout_bonus=self.shutout_bonus if self.shutout == "flat" else 0,
            winner_deals=int(self.dealer_rotation == "winner"),
            loser_deals=int(self.dealer_rotation == "loser"),
            wash_rotates=int(self.wash_dealer == "rotate"),
        )

    @property
    def boxes_count_at_once(self) -> bool:
        """Whether a box changes the score that counts towards the target."""
        return self.box_timing == "at_once" and self.box_bonus > 0

    def as_dict(self) -> dict[str, Any]:
        """Return every field by name, for a manifest or a record."""
        return dataclasses.asdict(self)


PRESETS: dict[str, Rules] = {
    rules.name: rules
    for rules in (
        Rules(),
        # Winner deals; the modern tournament's 100 for the game, doubled for a shutout.
        Rules(name="modern", game_bonus=100, shutout="double", dealer_rotation="winner"),
        # The Bicycle book's game.
        Rules(
            name="classic",
            gin_bonus=20,
            big_gin_bonus=None,
            undercut_bonus=10,
            box_bonus=20,
            game_bonus=100,
            shutout="flat",
            shutout_bonus=100,
        ),
        # The 2021 undergraduate research challenge (tneller/gin-rummy-eaai): the starter changes
        # only after a scored hand.
        Rules(name="eaai", big_gin_bonus=None, box_bonus=0),
        # OpenSpiel's gin_rummy with its default parameters: one hand, ties score nothing.
        Rules(
            name="openspiel",
            big_gin_bonus=None,
            tie="zero",
            may_discard_taken=True,
            wall="knock_upcard",
            box_bonus=0,
            target=0,
        ),
        Rules(
            name="palace",
            big_gin_bonus=None,
            undercut_bonus=20,
            box_bonus=10,
            box_timing="at_once",
        ),
        # Sources disagree on what an ace upcard allows; here it means gin only.
        Rules(
            name="oklahoma",
            knock_source="upcard",
            ace_upcard="gin",
            spade_doubles=True,
            game_bonus=100,
            shutout="double",
            target=150,
        ),
        # Gin only, so no undercut and no layoff ever happens.
        Rules(name="straight", knock_limit=0, undercut_bonus=0),
    )
}


def parse_rules(spec: str) -> Rules:
    """Read a rule set: a preset's name, with changed fields after a colon if wanted.

    Parameters
    ----------
    spec : str
        ``"standard"`` or, say, ``"standard:gin_bonus=20,undercut_bonus=10"``.

    Raises
    ------
    RulesError
        If the preset or a field does not exist (the nearest name is suggested) or a value is out
        of range.
    """
    name, colon, changes = spec.strip().partition(":")
    if name not in PRESETS:
        raise RulesError(
            f"no rule set is called '{name}'.{nearest(name, PRESETS)} "
            f"The rule sets are {listed(PRESETS)}."
        )
    if not colon:
        return PRESETS[name]
    if not changes.strip():
        raise RulesError(f"nothing follows the colon in '{spec}': write {name}:gin_bonus=20, say.")
    known = {field.name: field for field in dataclasses.fields(Rules) if field.name != "name"}
    values: dict[str, Any] = {}
    for change in changes.split(","):
        key, equals, text = (part.strip() for part in change.partition("="))
        if key not in known:
            raise RulesError(
                f"rules have no field '{key}'.{nearest(key, known)} "
                "`gin-sim rules show standard` lists them all."
            )
        if not equals or not text:
            raise RulesError(f"'{change}' gives no value: write {key}=VALUE.")
        if key in values:
            raise RulesError(f"the rule {key} is given twice in '{spec}': give it once.")
        values[key] = _field_value(key, str(known[key].type), text)
    return dataclasses.replace(PRESETS[name], name=spec.strip(), **values)


def spec_with(spec: str, field: str, value: object) -> str:
    """Return a spec of rules with a field's value added, or put in place of the one it gives.

    Parameters
    ----------
    spec : str
        As :func:`parse_rules` reads it; the name of the rules that it gives.
    field : str
    value : object
        As text that the field's value is read from.
    """
    name, _, changes = spec.partition(":")
    kept = [
        change
        for change in changes.split(",")
        if change.strip() and change.partition("=")[0].strip() != field
    ]
    return f"{name}:{','.join([*kept, f'{field}={value}'])}"


def _field_value(key: str, kind: str, text: str) -> Any:
    if key in _CHOICES:
        return text
    if kind == "bool":
        words = {"yes": True, "true": True, "1": True, "no": False, "false": False, "0": False}
        return words.get(text.lower(), text)
    if key == "big_gin_bonus" and text.lower() == "none":
        return None
    try:
        number = float(text)
        return int(number) if number.is_integer() else text
    except ValueError:
        return text  # refused by Rules, with the field's range


def most_points(rules: Rules) -> int:
    """Return a bound of the points that one hand scores."""
    bonus = max(rules.gin_bonus, rules.undercut_bonus, rules.big_gin_bonus or 0)
    return (MAX_DEADWOOD + bonus) * (2 if rules.spade_doubles else 1)


def least_by_win(rules: Rules) -> dict[str, int]:
    """Return the least points of a hand won, the box not included, by how it may be won.

    Returns
    -------
    dict of str to int
        By "a knock" or the field of a bonus; without the ways in which no hand is won, as by a
        knock or an undercut where only gin goes down.
    """
    least = {"gin_bonus": rules.gin_bonus}
    if rules.big_gin_bonus is not None:
        least["big_gin_bonus"] = rules.big_gin_bonus
    if rules.knock_limit > 0 or rules.knock_source == "upcard":
        least["a knock"] = 1
        least["undercut_bonus"] = rules.undercut_bonus + (rules.tie != "undercut")
    return least


def least_points(rules: Rules) -> int:
    """Return the least points that a hand won pays, the box not included."""
    return min(least_by_win(rules).values())


# ---------------------------------------------------------------------------------------------
# Pricing.  Integers in, integers out, compiled as they stand by gin_sim.engine.


def knock_limit_for(upcard: int, rules: RuleNumbers) -> int:
    """Return the greatest deadwood (pips) to knock with in a hand whose first upcard is given."""
    if not rules.limit_from_upcard:
        return rules.knock_limit
    rank = upcard % 13
    if rank == 0:
        return rules.ace_upcard_limit
    return min(rank + 1, 10)


def outcome_of(
    ending: int, knocker_deadwood: int, defender_deadwood: int, rules: RuleNumbers
) -> int:
    """Return the outcome of a finished hand from how play stopped.

    Parameters
    ----------
    ending : int
        WASH, STALLED, KNOCK (any knock that is not gin), GIN or BIG_GIN.
    knocker_deadwood, defender_deadwood : int
        Pips, the defender's after its layoffs.

    Returns
    -------
    int
        ``ending``, or UNDERCUT for a knock that the defender meets.
    """
    if ending == KNOCK:
        if defender_deadwood < knocker_deadwood:
            return UNDERCUT
        if defender_deadwood == knocker_deadwood and rules.tie_is_undercut:
            return UNDERCUT
    return ending


def knocker_wins(outcome: int, knocker_deadwood: int, defender_deadwood: int) -> int:
    """Return who wins a hand: 1 the knocker, -1 the defender, 0 nobody.

    Winning is the outcome's, not the points': an undercut by a tie under a bonus of 0 scores
    nothing and still banks a box.  Nobody wins a wash, or a knock met exactly where a tie scores
    nothing.
    """
    if outcome == UNDERCUT:
        return -1
    if outcome in (GIN, BIG_GIN):
        return 1
    if outcome == KNOCK and defender_deadwood > knocker_deadwood:
        return 1
    return 0


def hand_points(
    outcome: int, knocker_deadwood: int, defender_deadwood: int, upcard: int, rules: RuleNumbers
) -> int:
    """Return the points of a hand: positive to the knocker, negative to the defender.

    Parameters
    ----------
    outcome : int
        As :func:`outcome_of` gives it.
    knocker_deadwood, defender_deadwood : int
        Pips, the defender's after its layoffs.
    upcard : int
        Card id of the first upcard; a spade doubles the hand where the rules say so.
    """
    points = 0
    if outcome == KNOCK:
        points = defender_deadwood - knocker_deadwood
    elif outcome == UNDERCUT:
        points = defender_deadwood - knocker_deadwood - rules.undercut_bonus
    elif outcome == GIN:
        points = rules.gin_bonus + defender_deadwood
    elif outcome == BIG_GIN:
        points = rules.big_gin_bonus + defender_deadwood
    if rules.spade_doubles and upcard < 13:
        points *= 2
    return points


NOBODY = -1  # who won a hand or a game: a player, 0 or 1, or nobody


def game_is_over(points: int, hands_won: int, rules: RuleNumbers) -> bool:
    """Return whether a game ends with a hand.

    Parameters
    ----------
    points, hands_won : int
        Of the hand's winner, the hand included; 0 and 0 where nobody won it.
    """
    if rules.boxes_at_once:
        points += hands_won * rules.box_bonus
    return points >= rules.target


def game_total(points: int, hands_won: int, rules: RuleNumbers) -> int:
    """Return a player's hand points and boxes at the end of a game."""
    return points + hands_won * rules.box_bonus


def game_stakes(
    total: int, other_total: int, hands_won: int, other_hands_won: int, rules: RuleNumbers
) -> int:
    """Return what a finished game pays: positive to a player, negative to the other, 0 for a tie.

    The higher total wins, whoever reached the target.  The winner is paid the difference of the
    totals and the game bonus; a shutout, a loser who won no hand, adds its bonus or doubles all.

    Parameters
    ----------
    total, other_total : int
        As :func:`game_total` gives them.
    hands_won, other_hands_won : int
    """
    lead = total - other_total
    if lead == 0:
        return 0
    loser_hands_won = other_hands_won if lead > 0 else hands_won
    stakes = abs(lead) + rules.game_bonus
    if loser_hands_won == 0:
        stakes += rules.shutout_bonus
        if rules.shutout_doubles:
            stakes *= 2
    return stakes if lead > 0 else -stakes


def next_dealer(dealer: int, winner: int, rules: RuleNumbers) -> int:
    """Return who deals after a hand.

    Parameters
    ----------
    dealer : int
        Who dealt it, 0 or 1.
    winner : int
        Who won it; NOBODY after a wash, or after a knock met exactly where a tie scores nothing.
    """
    if winner == NOBODY:
        return 1 - dealer if rules.wash_rotates else dealer
    if rules.winner_deals:
        return winner
    if rules.loser_deals:
        return 1 - winner
    return 1 - dealer
