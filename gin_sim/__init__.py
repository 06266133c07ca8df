"""gin-sim answers "when should I knock?" in gin rummy, with numbers that can be trusted.

The package is laid out in rooms that import only downwards:
``cli > report > analysis > simulate > policies > engine > rules, cards``.
Importing ``gin_sim`` itself is cheap: nothing here loads Numba, pandas or matplotlib.
The functions most users want are ``gin_sim.parse_position`` and ``gin_sim.advise`` (what to do in a
position, and how sure it is; both are loaded when they are first named), and those of
:mod:`gin_sim.hands` (exact deadwood, best discard, layoffs) and
:mod:`gin_sim.play.run` (millions of hands between two policies).
"""

import importlib

__version__ = "0.1.0"

#: name: the module that it is loaded from when it is first named
_LOADED_LATER = {
    "advise": "gin_sim.advice.advise",
    "Effort": "gin_sim.advice.contest",
    "compare": "gin_sim.api.matches",
    "equilibrium": "gin_sim.api.knocking",
    "equity": "gin_sim.api.games",
    "parse_position": "gin_sim.positions",
    "save_policy": "gin_sim.api.knocking",
    "simulate": "gin_sim.api.matches",
    "solve": "gin_sim.api.knocking",
    "sweep": "gin_sim.api.sweeps",
}

__all__ = [
    "Effort",
    "__version__",
    "advise",
    "compare",
    "equilibrium",
    "equity",
    "parse_position",
    "save_policy",
    "simulate",
    "solve",
    "sweep",
]


def __getattr__(name: str):
    if name not in _LOADED_LATER:
        raise AttributeError(f"module 'gin_sim' has no attribute '{name}'")
    return getattr(importlib.import_module(_LOADED_LATER[name]), name)


def __dir__() -> list[str]:
    return sorted({*globals(), *_LOADED_LATER})
