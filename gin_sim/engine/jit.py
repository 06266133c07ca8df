"""The one home of the compiler's options and of the compile cache; it knows no rule of the game.

Compiled code is kept between runs in a folder named by a hash of every source file that
jitted code comes from and of the Numba version: Numba itself only watches the file that a function stands in, and would
silently run stale code when a function in another file changes.
"""

from __future__ import annotations

import hashlib
import os
import platform
import shutil
import tempfile
import time
from pathlib import Path

import numba
import platformdirs
from numba import config

CACHE_VARIABLE = "GIN_SIM_CACHE_DIR"
_UNUSED_DAYS = 30

#: A sentence for the user when compiled code cannot be kept; empty when all is well.
cache_notice = ""


# What jitted code can be in, or can come from.
_KERNEL_SOURCES = ("rules.py", "engine", "policies", "simulate", "analysis")


def _sources_hash() -> str:
    package = Path(__file__).resolve().parent.parent
    digest = hashlib.sha256(f"{numba.__version__} {platform.python_version()}".encode())
    for room in _KERNEL_SOURCES:
        for source in sorted((package / room).rglob("*.py")) or [package / room]:
            digest.update(source.relative_to(package).as_posix().encode())
            digest.update(source.read_bytes())
    return digest.hexdigest()[:16]


def _writable(folder: Path) -> bool:
    try:
        folder.mkdir(parents=True, exist_ok=True)
        with tempfile.NamedTemporaryFile(dir=folder):
            return True
    except OSError:
        return False


def _remove_unused(home: Path, keep: Path) -> None:
    """Drop the compiled code of versions of the package that nobody has run for a month."""
    oldest = time.time() - _UNUSED_DAYS * 86400
    for folder in home.iterdir():
        if folder != keep and folder.is_dir() and folder.stat().st_mtime < oldest:
            shutil.rmtree(folder, ignore_errors=True)


def _choose_cache() -> Path:
    global cache_notice
    home = Path(os.environ.get(CACHE_VARIABLE) or platformdirs.user_cache_path("gin-sim") / "jit")
    folder = home / _sources_hash()
    if _writable(folder):
        os.utime(folder)
        _remove_unused(home, folder)
        return folder
    cache_notice = (
        f"The folder {home} cannot be written, so the compiled engine is not kept and every run "
        f"compiles again; set {CACHE_VARIABLE} to a folder that can be."
    )
    return Path(tempfile.mkdtemp(prefix="gin-sim-"))


config.CACHE_DIR = str(_choose_cache())


_OPTIONS = {"nogil": True, "cache": True, "error_model": "numpy", "no_cfunc_wrapper": True}


def jit(function):
    """Compile a function on its first call: without the GIL, cached, with C's division."""
    return numba.njit(**_OPTIONS)(function)


def jit_inline(function):
    """Compile like :func:`jit`, and let LLVM put the code into every caller.

    For the small steps of the turn loop only: a call costs a jump, and passes its results through
    memory.
    """
    return numba.njit(**_OPTIONS, forceinline=True)(function)


def jit_paste(function):
    """Compile like :func:`jit`, and paste the source into every caller before it is compiled.

    For a thin wrapper round a large kernel, which would otherwise be optimised once more.
    """
    return numba.njit(**_OPTIONS, inline="always")(function)


def is_compiled(kernel) -> bool:
    """Return whether a kernel needs no compiling: it has run, its code is cached, or JIT is off."""
    if config.DISABLE_JIT or kernel.signatures:
        return True
    folder = Path(kernel.stats.cache_path)
    return any(folder.glob(f"*.{kernel.py_func.__qualname__}-*.nbc"))
