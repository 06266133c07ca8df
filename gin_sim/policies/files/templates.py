"""The first lines of a new policy: a file that is legal as it stands, with all that can be set."""

from __future__ import annotations

from gin_sim.policies.contract import PolicyKind
from gin_sim.policies.files.toml import comment_lines, policy_text

_PYTHON = '''\
"""Say here in a line what the policy does."""

from typing import NamedTuple

# Decides what this file leaves out; parameters may follow a colon.
{parameters}
base = "{base}"


class Numbers(NamedTuple):
    """What `p` holds; a spec sets it behind a colon, as in my.py:limit=5."""

    limit: int = 10  # greatest deadwood to knock with, pips


def should_knock(view, p):
    """Say whether to knock, where that is allowed; view.deadwood is what the ten cards leave."""
    return view.deadwood <= p.limit


# Two more decisions may be defined.  A card is a number, 13 * suit + rank with suits s h d c and
# ranks from the ace; a hand is a mask of bits.  What a view holds: gin_sim/engine/view.py.
#
# def take_upcard(view, p):
#     """Say whether to take view.upcard; this takes it if that leaves less deadwood."""
#     return look_at_upcard(view) < view.deadwood  # from gin_sim.engine.view
#
# def choose_discard(view, p):
#     """Name the card to discard: one of view.hand and not of view.barred."""
#     return lowest_bit(view.best_discards)  # from gin_sim.engine.bits
'''


def toml_template(kind: PolicyKind, path: str) -> str:
    """Return a TOML file with the base's own numbers: the knock set, all others as comments."""
    values = {p.name: p.default for p in kind.parameters if isinstance(p.default, str)}
    return policy_text(
        kind,
        values,
        comments=(
            f"A policy: {kind.name}, and what differs from it. Take the # from a line to set its "
            f"number. `gin-sim policies validate {path}` checks the file, `gin-sim simulate {path} "
            f"{kind.name}` plays it.",
        ),
        summary="say here in a line what the policy does",
    )


def python_template(kind: PolicyKind) -> str:
    """Return a Python file that changes the knock and leaves the rest to the base."""
    parameters = "; ".join(
        f"{p.name}: {p.meaning} ({p.unit}, {p.low:g} to {p.high:g})" for p in kind.parameters
    )
    comment = comment_lines(parameters or f"{kind.name} has none.")
    return _PYTHON.format(base=kind.name, parameters="\n".join(comment))
