"""Compiled code kept between runs: where it lies, who may write there, and whether it is whole.

An entry is one file for one function, the types that it was compiled for, and the kind of code: for
Python or for its callers.  Its checksum stands before it, and nothing is unpickled whose checksum
is wrong or that somebody else could have written.  What cannot be read is compiled again, what
cannot be written is not kept, and neither ends a run.  The options of the compiler and the rules of
the game are not known here.
"""

from __future__ import annotations

import contextlib
import functools
import hashlib
import json
import os
import pickle
import re
import shutil
import stat
import time
import uuid
import warnings
from collections.abc import Iterator
from pathlib import Path

import platformdirs

from gin_sim.engine import sources

CACHE_VARIABLE = "GIN_SIM_CACHE_DIR"
_UNUSED_DAYS = 30
_SEAL = b"gin-sim sealed 1\n"
_DIGEST_BYTES = hashlib.sha256().digest_size


# ------------------------------------------------------- what an entry needs


def needs_of(compiled) -> list[str]:
    """Return the names that compiled code needs before it can be loaded; to be replaced.

    Called when a compile result is saved; the names are kept in the entry.
    """
    return []


def before_load(needs: list[str]) -> None:
    """Get ready what an entry needs, by name, before it is rebuilt; to be replaced.

    An exception makes the entry a damaged one: it is removed, and compiled again.
    """


# ------------------------------------------------------------------- notices

_notices: list[str] = []
_unsaid: list[str] = []


def note(sentence: str) -> None:
    """Keep a sentence for the user, unless it has been given before."""
    if sentence not in _notices:
        _notices.append(sentence)
        _unsaid.append(sentence)


def notices() -> list[str]:
    """Return every sentence for the user so far."""
    return list(_notices)


def take_notices() -> list[str]:
    """Return the sentences that nobody has taken yet."""
    taken = list(_unsaid)
    _unsaid.clear()
    return taken


# ---------------------------------------------------------- who may write


def refusal(folder: Path) -> str:
    """Return why what lies in a folder cannot be trusted; nothing if it can, or is not there.

    Compiled code is run as it is found.  So the folder has to be the user's or root's, and nobody
    else may write to it; the same holds for the folders above it, up to the user's home or the
    root, except that a shared folder may be sticky, like ``/tmp``: there nobody can replace what is
    another's.  OpenSSH asks the same of its files.
    """
    place = Path(os.path.realpath(folder))
    chain = [place, *place.parents]
    home = Path(os.path.realpath(os.path.expanduser("~")))
    if home in chain:
        chain = chain[: chain.index(home) + 1]
    for above in chain:
        try:
            status = os.stat(above)
        except OSError:
            continue  # to be made by us, or out of reach and so of no use
        fault = _fault(status, is_above=above != place)
        if fault:
            return f"{above} {fault}"
    return ""


def _fault(status: os.stat_result, is_above: bool = False) -> str:
    """Return what is wrong with the owner or the mode of a file or a folder."""
    if not hasattr(os, "getuid"):
        return ""
    owners = {0, os.getuid()}
    if status.st_uid not in owners and not (is_above and status.st_uid == _unknown_owner()):
        return "belongs to another user"
    if is_above and status.st_mode & stat.S_ISVTX:
        return ""
    if status.st_mode & stat.S_IWOTH:
        return "can be written by everybody"
    if status.st_mode & stat.S_IWGRP and not _is_private_group(status.st_gid):
        return "can be written by a group of users"
    return ""


@functools.cache
def _unknown_owner() -> int | None:
    """Return who seems to own the system's folders in a container without root; None elsewhere."""
    try:
        return int(Path("/proc/sys/kernel/overflowuid").read_text())
    except (OSError, ValueError):
        return None


@functools.cache
def _is_private_group(number: int) -> bool:
    """Return whether a group is the user's alone: it has the user's name and no other members."""
    import grp
    import pwd

    try:
        user, group = pwd.getpwuid(os.getuid()), grp.getgrgid(number)
    except KeyError:
        return False
    alone = set(group.gr_mem) <= {user.pw_name}
    return user.pw_gid == number and group.gr_name == user.pw_name and alone


# ------------------------------------------------------------------- folders


def cache_home() -> Path:
    """Return the folder for all that is kept between runs: the user's, or the one named."""
    return Path(os.environ.get(CACHE_VARIABLE) or platformdirs.user_cache_path("gin-sim"))


@functools.cache
def chosen_folder() -> Path | None:
    """Return the folder of this version's compiled code; None if nothing is to be kept."""
    return folder_for(cache_home() / "compiled", sources.sources_hash())


def user_folder(digest: str) -> Path | None:
    """Return the folder for the code of one state of a user's file, by 16 hexadecimal digits.

    It lies in the folder of this version of the package, and goes with it or a month after its
    last use.  None if nothing is to be kept.
    """
    home = chosen_folder()
    return home and folder_for(home / "users", digest)


def folder_for(home: Path, name: str) -> Path | None:
    """Return a folder in a home, made if need be; None, and a notice, if it cannot be used.

    One that can only be read is used.  Folders beside it that nobody has used for a month go.
    """
    folder = home / name
    with contextlib.suppress(OSError):
        make_folder(folder)
    reason = refusal(folder)
    if reason:
        note(
            f"The compiled engine is not kept in {home}, since {reason} and could hold another "
            "user's code, so every run compiles again: let nobody else write there (chmod go-w), "
            f"or set {CACHE_VARIABLE} to a folder that is yours alone."
        )
        return None
    if not os.path.isdir(folder):
        _note_unwritable(home)
        return None
    with contextlib.suppress(OSError):
        os.utime(folder)
        _remove_unused(home, folder)
    return folder


def make_folder(folder: Path) -> None:
    """Make a folder and those above it, which nobody else may write to whatever the umask is."""
    if not os.path.isdir(folder):
        if folder.parent != folder:
            make_folder(folder.parent)
        folder.mkdir(mode=0o755, exist_ok=True)


def _note_unwritable(folder: Path, reason: str = "") -> None:
    because = f" ({reason})" if reason else ""
    note(
        f"The folder {folder} cannot be written{because}, so the compiled engine is not kept and "
        f"every run compiles again; set {CACHE_VARIABLE} to a folder that can be."
    )


def _remove_unused(home: Path, keep: Path) -> None:
    """Drop the folders beside one that nobody has used for a month, and unfinished files in it."""
    oldest = time.time() - _UNUSED_DAYS * 86400
    for folder in home.iterdir():
        with contextlib.suppress(OSError):  # another run may be removing the same folder
            ours = re.fullmatch("[0-9a-f]{16}", folder.name) and folder != keep
            if ours and folder.stat().st_mtime < oldest:
                shutil.rmtree(folder, ignore_errors=True)
    for part in keep.glob(".*.part"):  # of a process that was ended while it wrote
        with contextlib.suppress(OSError):
            if part.stat().st_mtime < time.time() - 86400:
                part.unlink()


def forget(folder: Path | None) -> Path | None:
    """Remove all that a folder holds; return it, or None if something is left."""
    if folder is None:
        return None
    shutil.rmtree(folder, ignore_errors=True)
    if os.path.lexists(folder):
        return None
    return folder_for(folder.parent, folder.name)


# -------------------------------------------------------------- sealed files


class _Untrusted(Exception):
    """A file whose contents are not what was once written there, or not by us."""


def _name_in_seal(place: Path) -> str:
    """Return what a file is called inside: it is not taken for another one."""
    return f"{sources.sources_hash()}/{place.parent.name}/{place.name}"


def write_sealed(place: Path, needs: list[str], data: bytes) -> None:
    """Write a file with its checksum, whole or not at all, and onto the disk."""
    body = json.dumps({"name": _name_in_seal(place), "needs": needs}).encode() + b"\n" + data
    make_folder(place.parent)
    part = place.with_name(f".{uuid.uuid4().hex}.part")
    flags = os.O_WRONLY | os.O_CREAT | os.O_EXCL
    try:
        with open(part, "wb", opener=lambda path, _: os.open(path, flags, 0o644)) as file:
            file.write(_SEAL + hashlib.sha256(body).digest() + body)
            file.flush()
            os.fsync(file.fileno())
        os.replace(part, place)
    except BaseException:
        with contextlib.suppress(OSError):
            part.unlink()
        raise


def read_sealed(place: Path) -> tuple[list[str], bytes] | None:
    """Return what a file needs and holds; None if there is none, or none to be trusted.

    One that is damaged, or another's, is removed, and the user gets a sentence.
    """
    try:
        return _unsealed(place, _bytes_of(place))
    except (FileNotFoundError, NotADirectoryError):
        return None
    except (_Untrusted, OSError):
        discard(place)
        return None


def discard(place: Path) -> None:
    """Remove an entry that cannot be used, and note that it is compiled again."""
    note(
        f"Some of the compiled engine kept in {place.parent} is damaged or was not written by you: "
        "it is compiled again."
    )
    if os.path.isdir(place) and not os.path.islink(place):
        shutil.rmtree(place, ignore_errors=True)
    else:
        with contextlib.suppress(OSError):
            place.unlink()


def _bytes_of(place: Path) -> bytes:
    flags = os.O_RDONLY
    for name in ("O_NOFOLLOW", "O_NONBLOCK", "O_CLOEXEC", "O_BINARY"):
        flags |= getattr(os, name, 0)
    with open(place, "rb", opener=lambda path, _: os.open(path, flags)) as file:
        status = os.fstat(file.fileno())
        if not stat.S_ISREG(status.st_mode) or _fault(status):
            raise _Untrusted
        return file.read()


def _unsealed(place: Path, text: bytes) -> tuple[list[str], bytes]:
    start = len(_SEAL) + _DIGEST_BYTES
    body = text[start:]
    if text[:start] != _SEAL + hashlib.sha256(body).digest():
        raise _Untrusted
    header, _, data = body.partition(b"\n")
    about = json.loads(header)
    if about["name"] != _name_in_seal(place):
        raise _Untrusted
    return about["needs"], data


def has_mark(folder: Path | None, name: str) -> bool:
    """Return whether a folder has a mark of :func:`set_mark`."""
    return folder is not None and read_sealed(folder / name) is not None


def set_mark(folder: Path | None, name: str) -> None:
    """Leave a mark in a folder for later runs, if it can be written."""
    if folder is not None:
        with contextlib.suppress(OSError):
            write_sealed(folder / name, [], b"")


# ------------------------------------------------------------------- entries


class Entries:
    """The kept code of one function, in the place of the cache that Numba gives a dispatcher.

    Parameters
    ----------
    function : function
        As it stands in the source.
    folder : Path or None
        Where its entries lie; None keeps nothing.
    """

    kind = ""  # of code, where a function has several

    def __init__(self, function, folder: Path | None) -> None:
        sources.note_import(function.__module__)
        self._function = function
        self._folder = folder
        self._enabled = folder is not None
        self._found: dict[str, tuple[list[str], bytes]] = {}
        name = f"{function.__module__}.{function.__qualname__}"
        identity = f"{name} {function.__code__.co_firstlineno}"
        readable = re.sub(r"[^\w.]", "", name.removeprefix("gin_sim."), flags=re.ASCII)
        self._prefix = f"{readable[:100]}-{self.kind}{_hash(identity.encode())}."

    @property
    def cache_path(self) -> str | None:
        """The folder, as Numba's statistics show it."""
        return None if self._folder is None else str(self._folder)

    def enable(self) -> None:
        self._enabled = self._folder is not None

    def disable(self) -> None:
        self._enabled = False

    def flush(self) -> None:
        """Remove every entry of the function."""
        self._found.clear()
        for place in self._places():
            with contextlib.suppress(OSError):
                place.unlink()

    def has_any(self) -> bool:
        """Return whether the function is kept for any types, and what is kept is whole."""
        if not self._enabled or not sources.are_as_imported():
            return False
        if self._found:
            return True
        places = self._places()
        self._found = {place.name: kept for place in places if (kept := read_sealed(place))}
        if self._found and len(self._found) == len(places):
            return True
        if os.path.isdir(self._folder) and not os.access(self._folder, os.W_OK):
            _note_unwritable(self._folder)
        return False

    def load_overload(self, sig, target_context):
        """Return the compile result kept for types; None if there is none."""
        target_context.refresh()
        if not self._may_be_used():
            return None
        key = self._key(sig, target_context.codegen())
        place = self._place(key)
        kept = self._found.pop(place.name, None) or read_sealed(place)
        self._found.clear()
        if kept is None:
            return None
        needs, data = kept
        try:
            before_load(needs)
            known_as, reduced = pickle.loads(data)
            if known_as != key:
                return None
            return self._rebuilt(target_context, reduced)
        except Exception:  # whatever an entry makes its reader raise, compiling does without it
            discard(place)
            return None

    def _rebuilt(self, target_context, reduced: tuple):
        """Return the compile result that was taken apart to be kept."""
        from numba.core.compiler import CompileResult

        return CompileResult._rebuild(target_context, *reduced)

    def save_overload(self, sig, compiled) -> None:
        """Keep a compile result for types, if it can be kept."""
        if not self._may_be_used() or not self._can_be_kept(compiled):
            return
        from numba.core.serialize import dumps

        key = self._key(sig, compiled.codegen)
        data = dumps((key, compiled._reduce()))
        try:
            write_sealed(self._place(key), needs_of(compiled), data)
        except OSError as error:
            _note_unwritable(self._folder, error.strerror or str(error))

    def _may_be_used(self) -> bool:
        if not self._enabled:
            return False
        if sources.are_as_imported():
            return True
        note(
            "The package's files were changed while they were being loaded, so the compiled "
            "engine is not kept: start again."
        )
        return False

    def _can_be_kept(self, compiled) -> bool:
        """Return whether code makes sense in another process, as Numba's own cache asks."""
        if _meets_a_ring(self._function):
            return False
        if not compiled.library.has_dynamic_globals and all(
            lifted.can_cache for lifted in compiled.lifted
        ):
            return True
        from numba.core.errors import NumbaWarning

        warnings.warn(
            f"The compiled code of {self._function.__qualname__} cannot be kept: it refers to "
            "addresses of this process.",
            NumbaWarning,
            stacklevel=2,
        )
        return False

    def _key(self, sig, codegen):
        """Return all that compiled code depends on beside the sources, as Numba has it."""
        code, cells = self._function.__code__.co_code, b""
        if self._function.__closure__ is not None:
            from numba.core.serialize import dumps

            cells = dumps(tuple(cell.cell_contents for cell in self._function.__closure__))
        return sig, codegen.magic_tuple(), _hash(code), _hash(cells)

    def _place(self, key) -> Path:
        # The types' names say nearly all of them; what is found is compared with the key itself.
        sig, *rest = key
        return self._folder / f"{self._prefix}{_hash(repr((str(sig), rest)).encode())}.nbc"

    def _places(self) -> list[Path]:
        if self._folder is None:
            return []
        with contextlib.suppress(OSError):
            names = sorted(os.listdir(self._folder))
            return [self._folder / name for name in names if name.startswith(self._prefix)]
        return []


def _meets_a_ring(function) -> bool:
    """Return whether a function calls compiled functions, however deep, that call themselves.

    While one of a ring is compiled the others are only promised to it, and Numba keeps such
    promises within a process alone.
    """
    done, path = set(), set()

    def visit(each) -> bool:
        if each in path or each in done:
            return each in path
        path.add(each)
        found = any(visit(named.py_func) for named in sources.named_in(each))
        path.remove(each)
        done.add(each)
        return found

    return visit(function)


def _hash(data: bytes) -> str:
    return hashlib.sha256(data).hexdigest()[:16]


# ---------------------------------------------------------------- one at a time


@contextlib.contextmanager
def alone(folder: Path | None, unit: str) -> Iterator[None]:
    """Let one process at a time compile a unit into a folder; others wait and then load its code.

    Where there is nothing to lock two processes compile the same: entries appear whole, and the
    later one stays.
    """
    file = None
    if folder is not None:
        flags = os.O_RDWR | os.O_CREAT
        for name in ("O_NOFOLLOW", "O_NONBLOCK", "O_CLOEXEC"):
            flags |= getattr(os, name, 0)
        place = folder / re.sub(r"[^\w.]", "_", f"{unit}.lock")
        with contextlib.suppress(OSError):
            file = os.open(place, flags, 0o644)
            _lock(file)
    try:
        yield
    finally:
        if file is not None:
            os.close(file)


def _lock(file: int) -> None:
    """Wait for an exclusive lock, which ends with the file or the process."""
    try:
        import fcntl
    except ImportError:
        import msvcrt

        msvcrt.locking(file, msvcrt.LK_LOCK, 1)
    else:
        fcntl.flock(file, fcntl.LOCK_EX)
