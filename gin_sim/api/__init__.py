"""The front door: one function a question, each from plain values to a result.

Each function is loaded when it is first named, so that a question about one hand does not load what
plays millions.  The same functions serve the command line.
"""

from __future__ import annotations

import importlib

#: name: the module of this package that it is loaded from
_HOMES: dict[str, str] = {
    "compare": "matches",
    "equilibrium": "knocking",
    "equity": "games",
    "save_policy": "knocking",
    "simulate": "matches",
    "solve": "knocking",
    "sweep": "sweeps",
}

__all__ = list(_HOMES)


def __getattr__(name: str):
    if name not in _HOMES:
        raise AttributeError(f"module 'gin_sim.api' has no attribute '{name}'")
    return getattr(importlib.import_module(f"gin_sim.api.{_HOMES[name]}"), name)
