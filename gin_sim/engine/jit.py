"""The one home of the compiler's options and of the compile cache; it knows no rule of the game.

Compiled code is kept between runs in a folder named by a hash of every source file that jitted
code comes from and of the Numba version: Numba itself only watches the file that a function stands
in, and would silently run stale code when a function in another file changes.
"""

from __future__ import annotations

import atexit
import contextlib
import hashlib
import os
import platform
import re
import shutil
import tempfile
import time
import warnings
from collections.abc import Iterator
from pathlib import Path

import numba
import platformdirs
from numba import config
from numba.core.caching import IndexDataCacheFile

from gin_sim.engine.compiling import compiling

CACHE_VARIABLE = "GIN_SIM_CACHE_DIR"
_UNUSED_DAYS = 30

#: A sentence for the user when compiled code cannot be kept; empty when all is well.
cache_notice = ""

# A module of the package named in an import; the names may be modules too.
_IMPORT = re.compile(r"^\s*from (gin_sim[\w.]*) import (\([^)]*\)|[^\n#]*)", re.MULTILINE)
_COMPILERS = (
    *(
        f"gin_sim.engine.jit.{name}"
        for name in (
            "jit",
            "jit_inline",
            "jit_with_function",
            "jit_paste",
            "jit_user",
            "c_function",
        )
    ),
    "gin_sim.engine.apart.apart",
)


def kernel_sources() -> list[Path]:
    """Return every file that jitted code stands in or can read a value from, in order of name.

    A module that imports one of the compilers below holds kernels.  A kernel freezes the values and
    the functions that its module names, so all that such a module imports counts too, and what that
    imports in turn.
    """
    package = Path(__file__).resolve().parent.parent
    texts = {}
    for source in package.rglob("*.py"):
        parts = source.relative_to(package.parent).with_suffix("").parts
        name = ".".join(parts[:-1] if parts[-1] == "__init__" else parts)
        texts[name] = (source, source.read_text(encoding="utf-8"))
    imported = {name: _imports_in(text) for name, (_, text) in texts.items()}
    found = {name for name, targets in imported.items() if targets.intersection(_COMPILERS)}
    waiting = list(found)
    while waiting:
        new = imported[waiting.pop()].intersection(texts) - found
        found |= new
        waiting += new
    return sorted(texts[name][0] for name in found)


def _imports_in(text: str) -> set[str]:
    """Return the dotted names of the package that a module's text imports, modules or not."""
    found = set()
    for module, names in _IMPORT.findall(text):
        if module != "gin_sim":  # the package itself holds its version only
            found.add(module)
        found.update(f"{module}.{name}" for name in re.findall(r"\w+", names))
    return found


def sources_hash() -> str:
    """Return 16 hex digits that change with every source of jitted code, Numba and Python."""
    package = Path(__file__).resolve().parent.parent
    digest = hashlib.sha256(f"{numba.__version__} {platform.python_version()}".encode())
    for source in kernel_sources():
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
        with contextlib.suppress(OSError):  # another run may be removing the same folder
            ours = re.fullmatch("[0-9a-f]{16}", folder.name) and folder != keep
            if ours and folder.stat().st_mtime < oldest:
                shutil.rmtree(folder, ignore_errors=True)


def cache_home() -> Path:
    """Return the folder for all that is kept between runs: the user's, or the one named."""
    return Path(os.environ.get(CACHE_VARIABLE) or platformdirs.user_cache_path("gin-sim"))


def _choose_cache() -> Path:
    global cache_notice
    home = cache_home() / "compiled"
    folder = home / sources_hash()
    if _writable(folder):
        os.utime(folder)
        _remove_unused(home, folder)
        return folder
    cache_notice = (
        f"The folder {home} cannot be written, so the compiled engine is not kept and every run "
        f"compiles again; set {CACHE_VARIABLE} to a folder that can be."
    )
    folder = Path(tempfile.mkdtemp(prefix="gin-sim-"))
    atexit.register(shutil.rmtree, folder, ignore_errors=True)
    return folder


_FOLDER = _choose_cache()
if config.DISABLE_JIT:
    # NumPy's scalars warn where the random generator wraps round at 64 bits, which it means to.
    warnings.filterwarnings("ignore", "overflow encountered", RuntimeWarning)

_USER_OPTIONS = {"error_model": "python", "boundscheck": True}
_OPTIONS = {"nogil": True, "cache": True, "error_model": "numpy", "no_cfunc_wrapper": True}


@contextlib.contextmanager
def _kept_in(folder: Path) -> Iterator[None]:
    """Let what is made now keep its code in a folder of ours, not in a host program's."""
    before = config.CACHE_DIR
    config.CACHE_DIR = str(folder)
    try:
        yield
    finally:
        config.CACHE_DIR = before


def _njit(function, folder=_FOLDER, **options):
    with _kept_in(folder):
        return numba.njit(**{**_OPTIONS, **options})(function)


def jit(function):
    """Compile a function on its first call: without the GIL, cached, with C's division."""
    return _njit(function)


def jit_inline(function):
    """Compile like :func:`jit`, and let LLVM put the code into every caller.

    For the small steps of the turn loop only: a call costs a jump, and passes its results through
    memory.
    """
    return _njit(function, forceinline=True)


def jit_with_function(function):
    """Compile like :func:`jit_inline` a function that takes jitted functions as arguments.

    Its code is kept with that of its callers only.  An entry of its own would hold the type of the
    function that it was given, which refers to the function weakly: once that is gone, Numba can
    no longer save the list of entries, and whatever was running ends in a ReferenceError.
    """
    return _njit(function, forceinline=True, cache=False)


def jit_paste(function):
    """Compile like :func:`jit`, and paste the source into every caller before it is compiled.

    For a thin wrapper round a large kernel, which would otherwise be optimised once more.
    """
    return _njit(function, inline="always")


def user_folder(digest: str) -> Path:
    """Return the folder for the code of one state of a user's file, by 16 hexadecimal digits.

    It lies in the folder of this version of the package, and goes with it or a month after its
    last use.
    """
    home = _FOLDER / "users"
    folder = home / digest
    folder.mkdir(parents=True, exist_ok=True)
    os.utime(folder)
    _remove_unused(home, folder)
    return folder


def jit_user(function, folder: Path):
    """Compile a user's function like :func:`jit`, its code kept in a folder of its own.

    Every index is checked: one past an array's end would read what lies behind it.  A division by
    zero is an error, as in Python.
    """
    return _njit(function, folder, **_USER_OPTIONS)


def c_function(function, signature, folder: Path):
    """Compile a user's function at once as a C function, kept like :func:`jit_user`'s."""
    with _kept_in(folder):
        return numba.cfunc(signature, nopython=True, cache=True, **_USER_OPTIONS)(function)


def apart_function(function, signature):
    """Compile a function at once as a C function, kept like :func:`jit`'s."""
    with _kept_in(_FOLDER):
        options = {"nopython": True, "cache": True, "error_model": "numpy"}
        return numba.cfunc(signature, **options)(function)


def is_compiled(function) -> bool:
    """Return whether a function needs no compiling: it has run, its code is cached, or JIT is off.

    Parameters
    ----------
    function : kernel or Apart
    """
    if config.DISABLE_JIT or getattr(function, "signatures", True):
        return True
    code, name = function.py_func.__code__, re.sub("[<>]", "", function.py_func.__qualname__)
    file = f"{Path(code.co_filename).stem}.{name}-{code.co_firstlineno}.*.nbc"
    return any(_FOLDER.glob(f"*/{file}"))


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
        folder = _FOLDER / "locks"
        folder.mkdir(exist_ok=True)
        with open(folder / re.sub(r"[^\w.]", "_", unit), "a+b") as lock:
            _lock(lock)
            _held.add(unit)
            try:
                yield
            finally:
                _held.remove(unit)


def run_kernel(kernel, *arguments):
    """Call a kernel, alone in the compile cache if it has to be compiled first."""
    if not is_compiled(kernel):
        with compiling_alone(symbol_of(kernel)):
            kernel.compile(tuple(map(kernel.typeof_pyval, arguments)))
    return kernel(*arguments)


def _lock(file) -> None:
    """Wait for an exclusive lock, which ends with the file or the process."""
    try:
        import fcntl
    except ImportError:
        import msvcrt

        file.seek(0)
        while True:
            with contextlib.suppress(OSError):  # it gives up after ten seconds
                return msvcrt.locking(file.fileno(), msvcrt.LK_LOCK, 1)
    else:
        with contextlib.suppress(OSError):  # a file system without locks: go on as before
            fcntl.flock(file, fcntl.LOCK_EX)


_save = IndexDataCacheFile.save


def _save_in_turn(self, key, data):
    """Save a function's code while no other process does.

    Numba numbers a function's files by signature and does not lock them: two processes that save
    different signatures at once could mix them up.
    """
    if _FOLDER not in Path(self._cache_path).parents:
        _save(self, key, data)  # a host program's
        return
    with open(_FOLDER / "lock", "a+b") as lock:
        _lock(lock)
        _save(self, key, data)


IndexDataCacheFile.save = _save_in_turn
