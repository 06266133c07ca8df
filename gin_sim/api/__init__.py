"""The front door: one function a question, each from plain values to a result.

Each function is loaded when it is first named, so that a question about one hand does not load what
plays millions.  The same functions serve the command line.
"""

from __future__ import annotations

import importlib
from typing import Any

#: name: the module of this package that it is loaded from
_HOMES: dict[str, str] = {
    "compare": "matches",
    "deadwood": "single_hands",
    "equilibrium": "knocking",
    "equity": "games",
    "hands": "hand_table",
    "load": "loading",
    "record_hands": "matches",
    "replay": "replaying",
    "save_policy": "knocking",
    "settle": "single_hands",
    "simulate": "matches",
    "solve": "knocking",
    "sweep": "sweeps",
    "warm": "warming",
    "advise": "positions",
    "advise_file": "positions",
    "advise_record": "positions",
    "calibrate": "hand_reading",
    "parse_position": "positions",
}

__all__ = list(_HOMES)


def __getattr__(name: str) -> Any:
    if name not in _HOMES:
        raise AttributeError(f"module 'gin_sim.api' has no attribute '{name}'")
    return getattr(importlib.import_module(f"gin_sim.api.{_HOMES[name]}"), name)
