"""How a hand can end, and what the player to move may do: numbers that all rooms share."""

from __future__ import annotations

# How a hand ended.  A record's "kind" is the name; STALLED is recorded as a wash.
WASH, KNOCK, UNDERCUT, GIN, BIG_GIN, STALLED = range(6)
OUTCOME_NAMES = ("wash", "knock", "undercut", "gin", "big_gin", "stalled")

# What the player to move may do.
FIRST_OFFER = 0  # take the first upcard or pass
MUST_DRAW = 1  # both passed: draw from the stock
TURN = 2  # take the upcard or draw
AT_WALL = 3  # take the upcard and knock, or the hand is a wash

NOBODY = -1  # who won a hand or a game: a player, 0 or 1, or nobody
