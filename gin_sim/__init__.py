"""gin-sim answers "when should I knock?" in gin rummy, with numbers that can be trusted.

Each question is a function: ``gin_sim.simulate("greedy:knock=10", "simple", hands=1e6)`` returns a
result with ``.table()``, ``.chart()``, ``.to_json()`` and ``.save(folder)``.  The functions are
loaded when they are first named, so that importing ``gin_sim`` loads neither Numba nor pandas nor
matplotlib.
"""

import importlib
from time import time_ns as _time_ns

__version__ = "0.1.0"

_imported_at = _time_ns()  # sources that change later are not those that are imported

#: name: the module that it is loaded from when it is first named; `__init__.pyi` has the same names
_LOADED_LATER = {
    "InputError": "gin_sim.errors",
    "Policy": "gin_sim.policies.making",
    "Rules": "gin_sim.rules",
    "advise": "gin_sim.api.positions",
    "advise_file": "gin_sim.api.positions",
    "advise_record": "gin_sim.api.positions",
    "calibrate": "gin_sim.api.hand_reading",
    "compare": "gin_sim.api.matches",
    "deadwood": "gin_sim.api.single_hands",
    "equilibrium": "gin_sim.api.knocking",
    "equity": "gin_sim.api.games",
    "hands": "gin_sim.api.hand_table",
    "load": "gin_sim.api.loading",
    "parse_position": "gin_sim.positions",
    "record_hands": "gin_sim.api.matches",
    "replay": "gin_sim.api.replaying",
    "save_policy": "gin_sim.api.knocking",
    "settle": "gin_sim.api.single_hands",
    "simulate": "gin_sim.api.matches",
    "solve": "gin_sim.api.knocking",
    "sweep": "gin_sim.api.sweeps",
    "warm": "gin_sim.api.warming",
}

__all__ = ["__version__", *_LOADED_LATER]


def __getattr__(name: str):
    if name not in _LOADED_LATER:
        raise AttributeError(f"gin_sim has no '{name}': dir(gin_sim) lists its names.")
    return getattr(importlib.import_module(_LOADED_LATER[name]), name)


def __dir__() -> list[str]:
    return sorted({*globals(), *_LOADED_LATER})
