"""How often an opponent departs from the policy it is supposed to follow, as options say it.

What a belief makes of it is not decided here.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from gin_sim.errors import InputError

if TYPE_CHECKING:
    from gin_sim.belief.likelihood import Stray


def stray_option(default: str):
    """Return the option --stray, passed as ``stray_text``; ``default`` in words."""
    return click.option(
        "--stray",
        "stray_text",
        metavar="HOW",
        help="How often the opponent strays from its policy: known (hardly ever), alike (it is "
        "only like the policy), one chance for takes and discards (knocks a thirtieth of it), or "
        f"three, such as 0.03,0.03,0.001.  [default: {default}]",
    )


def read_stray(text: str) -> Stray:
    """Read --stray.

    A chance is raised to what a known policy is allowed: at none at all one act that the policy
    would not do leaves no hand possible.

    Raises
    ------
    InputError
        If it is no word and no chances from 0 to 0.5.
    """
    from gin_sim.belief.likelihood import ALIKE, KNOWN, Stray

    named = {"known": KNOWN, "alike": ALIKE}
    word = text.strip().lower()
    if word in named:
        return named[word]
    try:
        chances = [float(part) for part in word.split(",")]
    except ValueError:
        chances = []
    if len(chances) not in (1, 3) or not all(0 <= chance <= 0.5 for chance in chances):
        raise InputError(
            f"--stray '{text}' does not say how often the opponent strays: give known, alike, one "
            "chance from 0 to 0.5, such as 0.03, or three of a take, a discard and a knock, such "
            "as 0.03,0.03,0.001."
        )
    if len(chances) == 1:
        chances = [chances[0], chances[0], chances[0] * ALIKE.knock / ALIKE.take]
    return Stray(*(max(chance, least) for chance, least in zip(chances, KNOWN, strict=True)))
