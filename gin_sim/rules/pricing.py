"""The pricing of facts: what a hand or a game is worth, never how it came about.

:func:`outcome_of` and :func:`hand_points` turn the facts of a finished hand into an outcome and
points, :func:`game_stakes` those of a finished game into what the loser pays.  These functions are
plain integer arithmetic: the engine compiles them as they stand, so that one simulation can be
priced again under other bonuses by the same rule.
"""

from __future__ import annotations

from gin_sim.rules.model import MAX_DEADWOOD, RuleNumbers, Rules
from gin_sim.rules.outcomes import BIG_GIN, GIN, KNOCK, NOBODY, UNDERCUT


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

    The higher total wins, even if the other player reached the target.  The winner is paid the
    difference of the totals and the game bonus; a shutout, a loser who won no hand, adds its bonus
    or doubles all.

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


# ---------------------------------------------------------------------------------------------
# Bounds of what a hand scores


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
