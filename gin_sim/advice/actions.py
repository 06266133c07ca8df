"""What an action is called in an answer, and which kind it is of; nothing is played here."""

from __future__ import annotations

from typing import Any

from gin_sim.cards import card_name
from gin_sim.play.actions import DISCARD, KNOCK, LAY_DOWN, LEAVE, TAKE, Action
from gin_sim.results.actions import Kind

#: The verdict compares the best action of each kind.
KINDS: dict[int, Kind] = {
    KNOCK: "knock",
    LAY_DOWN: "knock",
    DISCARD: "play on",
    TAKE: "take",
    LEAVE: "leave",
}


def action_text(action: Action) -> str:
    """Return an action in words: ``"knock, discard Kd"``."""
    card = card_name(action.card) if action.card >= 0 else ""
    return {
        KNOCK: f"knock, discard {card}",
        LAY_DOWN: "lay down big gin",
        DISCARD: f"play on, discard {card}",
        TAKE: "take the upcard",
        LEAVE: "leave the upcard",
    }[action.what]


def named(action: Action) -> dict[str, Any]:
    """Return the fields of :class:`gin_sim.results.actions.Action` for an action."""
    return {
        "action": action_text(action),
        "card": card_name(action.card) if action.card >= 0 else None,
    }
