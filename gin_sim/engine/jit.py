"""The one home of the compiler's options; it knows no rule of the game.

Compiled code is kept between runs: see :mod:`gin_sim.engine.compile_cache`.
"""

from __future__ import annotations

import contextlib
import warnings
from collections.abc import Iterator
from pathlib import Path

import numba
from numba import config
from numba.core import sigutils
from numba.core.ccallback import CFunc

from gin_sim.engine import compile_cache
from gin_sim.engine.compile_cache import CACHE_VARIABLE, cache_home, user_folder
from gin_sim.engine.compiling import compiling
from gin_sim.engine.linked import linked, set_environments
from gin_sim.engine.sources import kernel_sources, sources_hash

__all__ = [
    "CACHE_VARIABLE",
    "apart_function",
    "c_function",
    "cache_home",
    "compiling_alone",
    "is_compiled",
    "jit",
    "jit_inline",
    "jit_paste",
    "jit_user",
    "jit_with_function",
    "kept_code",
    "kernel_sources",
    "run_kernel",
    "sources_hash",
    "symbol_of",
    "user_folder",
]

_FOLDER = compile_cache.chosen_folder()
if config.DISABLE_JIT:
    # NumPy's scalars warn where the random generator wraps round at 64 bits, which it means to.
    warnings.filterwarnings("ignore", "overflow encountered", RuntimeWarning)

_USER_OPTIONS = {"error_model": "python", "boundscheck": True}
_OPTIONS = {"nogil": True, "error_model": "numpy", "no_cfunc_wrapper": True}


def __getattr__(name: str):
    """Give ``cache_notice``: what to say when compiled code cannot be kept or was not usable."""
    if name != "cache_notice":
        raise AttributeError(f"module '{__name__}' has no attribute '{name}'")
    return " ".join(compile_cache.notices())


def _njit(function, folder=_FOLDER, **options):
    return linked(function, folder, **_OPTIONS, **options)


def jit(function):
    """Compile a function on its first call: without the GIL, cached, with C's division.

    It must not call itself, nor a function that calls it.
    """
    return _njit(function)


def jit_inline(function):
    """Compile like :func:`jit`, and let LLVM put the code into every caller.

    For the small steps of the turn loop only: a call costs a jump, and passes its results through
    memory.
    """
    return _njit(function, forceinline=True)


def jit_with_function(function):
    """Compile like :func:`jit_inline` a function that takes jitted functions as arguments.

    Its code is kept with that of its callers only.  The type of a function that it is given refers
    to that weakly and by its address: an entry of its own would be good for one process, and could
    not even be written once that function is gone.
    """
    return _njit(function, None, forceinline=True)


def jit_paste(function):
    """Compile like :func:`jit`, and paste the source into every caller before it is compiled.

    For a thin wrapper round a large kernel, which would otherwise be optimised once more.
    """
    return _njit(function, inline="always")


def jit_user(function, folder: Path | None):
    """Compile a user's function like :func:`jit`, its code kept in a folder of its own, if in any.

    Every index is checked: one past an array's end would read what lies behind it.  A division by
    zero is an error, as in Python.
    """
    made = numba.njit(**_OPTIONS | _USER_OPTIONS)(function)
    if not config.DISABLE_JIT:
        made._cache = compile_cache.Entries(function, folder)
    return made


def c_function(function, signature, folder: Path | None):
    """Compile a user's function at once as a C function, kept like :func:`jit_user`'s."""
    kept = compile_cache.Entries(function, folder)
    return _c_function(function, signature, kept, _USER_OPTIONS)


def kept_code(function) -> compile_cache.Entries:
    """Return the place of a function's compiled code in the cache."""
    return compile_cache.Entries(function, _FOLDER)


def apart_function(function, signature, kept: compile_cache.Entries):
    """Compile a function at once as a C function, its code kept as :func:`kept_code` says."""
    return _c_function(function, signature, kept, {"error_model": "numpy"})


class _CFunction(CFunc):
    def _compile_uncached(self):
        compiled = super()._compile_uncached()
        set_environments(compiled)
        return compiled


def _c_function(function, signature, kept, options):
    signature = sigutils.normalize_signature(signature)
    made = _CFunction(function, signature, locals={}, options={"nopython": True, **options})
    made._cache = kept
    made.compile()
    return made


def is_compiled(function) -> bool:
    """Return whether a function needs no compiling: it has run, its code is kept, or JIT is off.

    Parameters
    ----------
    function : kernel or Apart
    """
    if config.DISABLE_JIT:
        return True
    function = _for_python(function)
    if getattr(function, "signatures", True):
        return True
    return isinstance(function._cache, compile_cache.Entries) and function._cache.has_any()


def _for_python(function):
    """Return what Python calls of a kernel: the kernel itself if it is only one."""
    return getattr(function, "for_python", function)


def symbol_of(function) -> str:
    """Return what a kernel or an Apart is called in the account of compiling."""
    return f"{function.py_func.__module__}.{function.py_func.__qualname__}"


_held: set[str] = set()


@contextlib.contextmanager
def compiling_alone(unit: str) -> Iterator[None]:
    """Let one process at a time compile a unit into the cache; others wait and then load its code.

    A unit is compiled within those that call it, and no two call each other: two processes never
    wait for each other.
    """
    with compiling(unit):
        if config.DISABLE_JIT or unit in _held:
            yield
            return
        with compile_cache.alone(_FOLDER, unit):
            _held.add(unit)
            try:
                yield
            finally:
                _held.remove(unit)


def run_kernel(kernel, *arguments):
    """Call a kernel, alone in the compile cache if it has to be compiled first."""
    if not is_compiled(kernel):
        with compiling_alone(symbol_of(kernel)):
            called = _for_python(kernel)
            called.compile(tuple(map(called.typeof_pyval, arguments)))
    return kernel(*arguments)
