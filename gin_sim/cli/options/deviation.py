"""How often an opponent deviates from the policy it is supposed to follow, as an option."""

from __future__ import annotations

import click


def deviation_option(default: str):
    """Return the option --deviation; ``default`` in words."""
    return click.option(
        "--deviation",
        metavar="HOW",
        help="How often the opponent deviates from its policy: known (hardly ever), alike (it only "
        "resembles the policy), one chance for takes and discards (a thirtieth of it for knocks), "
        f"or three, such as 0.03,0.03,0.001.  [default: {default}]",
    )
