"""Results on disk: tables, charts and a manifest, whole or not at all."""

from __future__ import annotations

import contextlib
import importlib.util
import json
import os
import platform
import shutil
import tempfile
from collections.abc import Iterator
from importlib.metadata import version
from pathlib import Path
from typing import TYPE_CHECKING, Any

from gin_sim import __version__
from gin_sim.errors import InputError

if TYPE_CHECKING:
    import pandas as pd
    from matplotlib.figure import Figure

MANIFEST = "manifest.json"
FORMAT = "gin-sim/result/1"


def check_folder(folder: Path) -> None:
    """Refuse a results folder that cannot be written, before any work is done.

    Raises
    ------
    InputError
        If the folder, or the nearest folder above it that exists, cannot be written, or if it
        holds files that are no earlier result.
    """
    with _writing(folder):
        if folder.exists():
            if not folder.is_dir():
                raise InputError(f"'{folder}' is a file: name a folder for the results.")
            if any(folder.iterdir()) and _files_of(folder) is None:
                raise InputError(
                    f"the folder '{folder}' holds other files and no {MANIFEST} of an earlier "
                    "result: name a new folder, or an earlier result to replace."
                )
        above = folder.absolute()
        while not above.exists():
            above = above.parent
        with tempfile.TemporaryFile(dir=above):
            pass


def write_results(
    folder: Path,
    tables: dict[str, pd.DataFrame],
    figures: dict[str, Figure],
    manifest: dict[str, Any],
) -> list[str]:
    """Write a result and return the names of its files, the manifest last.

    Tables go to CSV, and to Parquet where pyarrow is installed; figures to PNG and SVG.  All is
    written to a hidden folder inside the folder first, and moved when it is whole.

    Parameters
    ----------
    folder : Path
        Made if it does not exist; an earlier result in it is replaced.
    tables, figures : dict
        By file name without ending.
    manifest : dict
        What :func:`describe_run` gives, with the command's own facts.

    Raises
    ------
    InputError
        If the folder cannot be written; an earlier result in it is then left as it was, unless
        the fault comes in the midst of the moving.
    """
    check_folder(folder)
    with _writing(folder), _staging(folder) as staging:
        for name, table in tables.items():
            table.to_csv(staging / f"{name}.csv", index=False, lineterminator="\n")
            if has_parquet():
                table.to_parquet(staging / f"{name}.parquet", index=False)
        for name, figure in figures.items():
            figure.savefig(staging / f"{name}.png", dpi=150)
            figure.savefig(staging / f"{name}.svg", metadata={"Date": None})
        names = [*sorted(path.name for path in staging.iterdir()), MANIFEST]
        text = json.dumps({**manifest, "files": names}, indent=2, ensure_ascii=False)
        (staging / MANIFEST).write_text(text + "\n", encoding="utf-8")
        earlier = _files_of(folder) or []
        for old in folder.iterdir():
            if old.name in earlier and old.name not in names and old.is_file():
                old.unlink()
        for name in names:
            os.replace(staging / name, folder / name)
    return names


@contextlib.contextmanager
def _writing(folder: Path) -> Iterator[None]:
    try:
        yield
    except OSError as error:
        raise InputError(
            f"the folder '{folder}' cannot be written ({error.strerror or error}): name another."
        ) from None


@contextlib.contextmanager
def _staging(folder: Path) -> Iterator[Path]:
    """Give a hidden folder inside a folder, and leave neither behind if nothing came of it."""
    made = not folder.exists()
    folder.mkdir(parents=True, exist_ok=True)
    staging = Path(tempfile.mkdtemp(prefix=".writing-", dir=folder))
    try:
        yield staging
    finally:
        shutil.rmtree(staging, ignore_errors=True)
        if made and not any(folder.iterdir()):
            folder.rmdir()


def _files_of(folder: Path) -> list[str] | None:
    """Return the files of an earlier result, or None where a folder holds none."""
    try:
        manifest = json.loads((folder / MANIFEST).read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return None
    if not isinstance(manifest, dict) or manifest.get("format") != FORMAT:
        return None
    return manifest.get("files", [])


def has_parquet() -> bool:
    """Return whether Parquet can be written (the extra ``parquet`` is installed)."""
    return importlib.util.find_spec("pyarrow") is not None


def describe_run(command: str) -> dict[str, Any]:
    """Return the part of a manifest that every command shares: command and versions."""
    libraries = ("numba", "numpy", "pandas", "matplotlib")
    return {
        "format": FORMAT,
        "command": command,
        "versions": {
            "gin-sim": __version__,
            "python": platform.python_version(),
            **{name: version(name) for name in libraries},
        },
    }
