"""The rules of gin rummy: rule sets as data, and what a hand or a game is worth under them.

:mod:`.model` says what a rule set is, :mod:`.presets` names some, :mod:`.parsing` reads them from
text, and :mod:`.pricing` turns the facts of a hand or a game into points.
"""

from gin_sim.rules.fields import RuleField, RulesError
from gin_sim.rules.model import (
    MAX_BONUS,
    MAX_DEADWOOD,
    MAX_STALL_TURNS,
    RULE_FIELDS,
    RuleNumbers,
    Rules,
)
from gin_sim.rules.outcomes import (
    AT_WALL,
    BIG_GIN,
    FIRST_OFFER,
    GIN,
    KNOCK,
    MUST_DRAW,
    NOBODY,
    OUTCOME_NAMES,
    STALLED,
    TURN,
    UNDERCUT,
    WASH,
)
from gin_sim.rules.parsing import parse_rules, spec_with
from gin_sim.rules.presets import PRESETS
from gin_sim.rules.pricing import (
    game_is_over,
    game_stakes,
    game_total,
    hand_points,
    knock_limit_for,
    knocker_wins,
    least_by_win,
    least_points,
    most_points,
    next_dealer,
    outcome_of,
)

__all__ = [
    "AT_WALL",
    "BIG_GIN",
    "FIRST_OFFER",
    "GIN",
    "KNOCK",
    "MAX_BONUS",
    "MAX_DEADWOOD",
    "MAX_STALL_TURNS",
    "MUST_DRAW",
    "NOBODY",
    "OUTCOME_NAMES",
    "PRESETS",
    "RULE_FIELDS",
    "STALLED",
    "TURN",
    "UNDERCUT",
    "WASH",
    "RuleField",
    "RuleNumbers",
    "Rules",
    "RulesError",
    "game_is_over",
    "game_stakes",
    "game_total",
    "hand_points",
    "knock_limit_for",
    "knocker_wins",
    "least_by_win",
    "least_points",
    "most_points",
    "next_dealer",
    "outcome_of",
    "parse_rules",
    "spec_with",
]
