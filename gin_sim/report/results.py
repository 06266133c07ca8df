"""Results on disk: tables, charts and a manifest, whole or not at all."""

from __future__ import annotations

import importlib.util
import json
import os
import platform
import shutil
import tempfile
from importlib.metadata import version
from pathlib import Path
from typing import TYPE_CHECKING, Any

from gin_sim import __version__
from gin_sim.errors import InputError

if TYPE_CHECKING:
    import pandas as pd
    from matplotlib.figure import Figure

MANIFEST = "manifest.json"


def check_folder(folder: Path) -> None:
    """Refuse a results folder that cannot be written, before any work is done.

    Raises
    ------
    InputError
        If the folder, or the nearest folder above it that exists, cannot be written, or if it
        holds files that are no earlier result.
    """
    if folder.exists():
        if not folder.is_dir():
            raise InputError(f"'{folder}' is a file: name a folder for the results.")
        if any(folder.iterdir()) and not (folder / MANIFEST).exists():
            raise InputError(
                f"the folder '{folder}' holds other files and no {MANIFEST} of an earlier result: "
                "name a new folder, or an earlier result to replace."
            )
    above = folder.absolute()
    while not above.exists():
        above = above.parent
    try:
        with tempfile.TemporaryFile(dir=above):
            pass
    except OSError as error:
        raise InputError(
            f"the folder '{folder}' cannot be written ({error.strerror}): name another."
        ) from None


def write_results(
    folder: Path,
    tables: dict[str, pd.DataFrame],
    figures: dict[str, Figure],
    manifest: dict[str, Any],
) -> list[str]:
    """Write a result and return the names of its files, the manifest last.

    Tables go to CSV, and to Parquet where pyarrow is installed; figures to PNG and SVG.  All is
    written beside the folder first and then moved into it.

    Parameters
    ----------
    folder : Path
        Made if it does not exist; an earlier result in it is replaced.
    tables, figures : dict
        By file name without ending.
    manifest : dict
        What :func:`describe_run` gives, with the command's own facts.
    """
    check_folder(folder)
    folder = folder.absolute()
    folder.parent.mkdir(parents=True, exist_ok=True)
    staging = Path(tempfile.mkdtemp(prefix=f".{folder.name}-", dir=folder.parent))
    try:
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
        folder.mkdir(exist_ok=True)
        folder.chmod(0o777 & ~_umask())
        for old in folder.iterdir():
            if old.is_file() and old.name not in names and (folder / MANIFEST).exists():
                if old.name in _files_of(folder):
                    old.unlink()
        for name in names:
            os.replace(staging / name, folder / name)
    finally:
        shutil.rmtree(staging, ignore_errors=True)
    return names


def _files_of(folder: Path) -> list[str]:
    try:
        return json.loads((folder / MANIFEST).read_text(encoding="utf-8")).get("files", [])
    except (OSError, ValueError):
        return []


def _umask() -> int:
    mask = os.umask(0)
    os.umask(mask)
    return mask


def has_parquet() -> bool:
    """Return whether Parquet can be written (the extra ``parquet`` is installed)."""
    return importlib.util.find_spec("pyarrow") is not None


def describe_run(command: str) -> dict[str, Any]:
    """Return the part of a manifest that every command shares: command and versions."""
    libraries = ("numba", "numpy", "pandas", "matplotlib")
    return {
        "format": "gin-sim/result/1",
        "command": command,
        "versions": {
            "gin-sim": __version__,
            "python": platform.python_version(),
            **{name: version(name) for name in libraries},
        },
    }
