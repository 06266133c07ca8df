"""The one writer of files: a file appears whole or not at all, and so does a set of files.

What is written goes to a hidden file or folder beside its place first, reaches the disk, and takes
its place by a rename.  What the files hold is not known here.
"""

from __future__ import annotations

import contextlib
import os
import shutil
import sys
import tempfile
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import IO

from gin_sim.errors import InputError

#: The path that stands for standard output, or standard input.
STANDARD_STREAM = "-"

AnyPath = str | os.PathLike[str]


class WriteError(InputError):
    """A file that cannot be written; the message is a sentence, ``reason`` its short cause."""

    def __init__(self, sentence: str, reason: str = "") -> None:
        super().__init__(sentence)
        self.reason = reason


def check_output(path: AnyPath) -> None:
    """Raise :class:`WriteError` if a file cannot be written to a path, before work starts."""
    if str(path) == STANDARD_STREAM:
        return
    path = Path(path)
    folder = path.parent
    if path.is_dir():
        raise WriteError(f"'{path}' is a folder: name a file to write to.")
    if not folder.is_dir():
        raise WriteError(f"there is no folder '{folder}' to write '{path.name}' to: make it first.")
    # A file is replaced by a new one beside it, a device is written to.
    written = [folder, path] if path.is_file() else [path if path.exists() else folder]
    if not all(os.access(place, os.W_OK) for place in written):
        raise WriteError(f"'{path}' cannot be written: permission denied.", "permission denied")


def write_text(path: AnyPath, text: str) -> None:
    """Write a text as UTF-8, whole or not at all; see :func:`write_lines`."""
    write_lines(path, [text.encode()])


def write_bytes(path: AnyPath, data: bytes) -> None:
    """Write bytes, whole or not at all; see :func:`write_lines`."""
    write_lines(path, [data])


def write_lines(path: AnyPath, lines: Iterable[bytes]) -> int:
    """Write bytes piece by piece, whole or not at all: an error on the way leaves nothing behind.

    Parameters
    ----------
    path : str or path
        The file to write or replace, or ``"-"`` for standard output.  A device is fed once all is
        known, since it cannot be replaced.
    lines : iterable of bytes
        Taken one by one; nothing is taken if the path cannot be written.

    Returns
    -------
    int
        How many there were.

    Raises
    ------
    WriteError
        If the path cannot be written.
    """
    check_output(path)
    n_lines = 0
    with _whole_or_not_at_all(path) as file:
        for line in lines:
            with _writing(path):
                file.write(line)
            n_lines += 1
    return n_lines


@contextlib.contextmanager
def _whole_or_not_at_all(path: AnyPath) -> Iterator[IO[bytes]]:
    """Give a file to write to; only if no error is raised does it become ``path``."""
    if str(path) == STANDARD_STREAM or (Path(path).exists() and not Path(path).is_file()):
        with tempfile.TemporaryFile() as file:
            yield file
            with _writing(path):
                file.seek(0)
                _feed(path, file)
        return
    target = Path(os.path.realpath(path))
    part = target.with_name(f".{target.name}.{os.getpid()}.part")
    try:
        with contextlib.ExitStack() as stack:
            with _writing(path):
                file = stack.enter_context(open(part, "wb"))
            yield file
            with _writing(path):
                file.flush()
                os.fsync(file.fileno())
        with _writing(path):
            os.replace(part, target)
    finally:
        part.unlink(missing_ok=True)


def _feed(path: AnyPath, file: IO[bytes]) -> None:
    if str(path) == STANDARD_STREAM:
        shutil.copyfileobj(file, sys.stdout.buffer)
        sys.stdout.buffer.flush()
        return
    with open(path, "wb") as stream:
        shutil.copyfileobj(file, stream)


@contextlib.contextmanager
def _writing(path: AnyPath) -> Iterator[None]:
    try:
        yield
    except BrokenPipeError:
        raise  # the reader of standard output has left: no fault of the path
    except OSError as error:
        reason = error.strerror or str(error)
        raise WriteError(f"'{path}' cannot be written: {reason}.", reason) from None


@contextlib.contextmanager
def staging(folder: Path) -> Iterator[Path]:
    """Give a hidden folder inside a folder, and leave neither behind if nothing came of it."""
    made = not folder.exists()
    folder.mkdir(parents=True, exist_ok=True)
    hidden = Path(tempfile.mkdtemp(prefix=".writing-", dir=folder))
    try:
        yield hidden
    finally:
        shutil.rmtree(hidden, ignore_errors=True)
        if made and not any(folder.iterdir()):
            folder.rmdir()


def move_all(names: Iterable[str], source: Path, target: Path) -> None:
    """Move files from a :func:`staging` folder to their places, in order, once all are on disk."""
    names = list(names)
    for name in names:
        with open(source / name, "rb+") as file:
            os.fsync(file.fileno())
    for name in names:
        os.replace(source / name, target / name)
