"""The rule sets that have a name, each with its source."""

from __future__ import annotations

from gin_sim.rules.model import Rules

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
