"""Which functions a kernel reaches, read from the code: what has to be compiled before it runs.

It knows what is compiled by itself, a kernel or a function that is compiled apart; helpers that
are compiled into their callers are only looked through.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from gin_sim.engine.apart import Apart
from gin_sim.engine.jit import is_compiled, symbol_of
from gin_sim.engine.sources import named_in


def to_compile(functions: Iterable[Any]) -> list[str]:
    """Return the symbols of what has to be compiled for functions to run, each once.

    Parameters
    ----------
    functions : iterable of kernels and functions compiled apart
        A plain function, as all are without the JIT, needs nothing.
    """
    given = [function for function in functions if hasattr(function, "py_func")]
    units = {symbol_of(unit): unit for unit in (*given, *_reached(given))}
    return [symbol for symbol, unit in units.items() if not is_compiled(unit)]


def _reached(functions: Iterable[Any]) -> list[Apart]:
    """Return what is compiled apart and called, however deep, by compiled functions."""
    found: list[Apart] = []
    waiting = [function.py_func for function in functions]
    seen = set(waiting)
    while waiting:
        for named in named_in(waiting.pop()):
            if named.py_func in seen:
                continue
            seen.add(named.py_func)
            waiting.append(named.py_func)
            if isinstance(named, Apart):
                found.append(named)
    return found
