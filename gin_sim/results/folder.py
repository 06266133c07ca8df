"""Results on disk: tables, charts and a manifest, whole or not at all."""

from __future__ import annotations

import contextlib
import importlib.util
import json
import platform
import tempfile
from collections.abc import Iterator, Sequence
from importlib.metadata import version
from pathlib import Path
from typing import TYPE_CHECKING, Any

from gin_sim import __version__
from gin_sim.atomic import move_all, staging
from gin_sim.errors import InputError

if TYPE_CHECKING:
    import pandas as pd
    from matplotlib.figure import Figure

    from gin_sim.results.common import Savable

MANIFEST = "manifest.json"
FORMAT = "gin-sim/result/2"
FORMATS = ("png", "svg")  # of charts


def save_result(folder: Path, result: Savable, charts: bool = True) -> list[str]:
    """Write a result's tables, charts and manifest, and return the names of the files.

    Parameters
    ----------
    folder : Path
        Made if it does not exist; an earlier result in it is replaced.
    result : Savable
    charts : bool
        Whether to draw its charts.

    Raises
    ------
    InputError
        If the folder cannot be written, or holds files that are no earlier result.
    """
    manifest = {**describe_run(result.command), "result": result.to_dict()}
    return write_results(folder, result.tables(), result.charts() if charts else {}, manifest)


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
    with _writing(folder), staging(folder) as hidden:
        for name, table in tables.items():
            table.to_csv(hidden / f"{name}.csv", index=False, lineterminator="\n")
            if has_parquet():
                table.to_parquet(hidden / f"{name}.parquet", index=False)
        _save_figures(hidden, figures, FORMATS)
        names = [*sorted(path.name for path in hidden.iterdir()), MANIFEST]
        _save_manifest(hidden, {**manifest, "files": names})
        earlier = _files_of(folder) or []
        for old in folder.iterdir():
            if old.name in earlier and old.name not in names and old.is_file():
                old.unlink()
        move_all(names, hidden, folder)
    return names


def read_result(folder: Path) -> dict[str, Any]:
    """Return the manifest of a result that can be drawn again.

    Returns
    -------
    dict
        With ``command``, text, and ``result``, the command's own object.

    Raises
    ------
    InputError
        If the folder holds no manifest, one of another program, or one without a result.
    """
    try:
        text = (folder / MANIFEST).read_text(encoding="utf-8")
    except FileNotFoundError:
        if not folder.exists():
            raise InputError(
                f"there is no folder '{folder}': name one that a command's --out has made."
            ) from None
        raise InputError(
            f"the folder '{folder}' holds no {MANIFEST}: name one that a command's --out has made."
        ) from None
    except NotADirectoryError:
        raise InputError(f"'{folder}' is a file: name the folder of a result.") from None
    except OSError as error:
        raise InputError(
            f"the folder '{folder}' cannot be read ({error.strerror or error}): name another."
        ) from None
    except UnicodeDecodeError:
        text = ""
    manifest = _manifest_of(text)
    if manifest is None:
        raise InputError(
            f"the {MANIFEST} in '{folder}' is not one of gin-sim's: name a folder that a command's "
            "--out has made."
        )
    command = manifest.get("command")
    if not isinstance(command, str):
        raise InputError(
            f"the {MANIFEST} in '{folder}' does not say which command made it: run that again."
        )
    if "result" not in manifest:
        raise InputError(f"the result in '{folder}', made by `{command}`, has no charts.")
    if not isinstance(manifest.get("kind", _kind_of(manifest["result"])), str):
        raise InputError(
            f"the result in '{folder}' does not say what kind of result it is: run its "
            f"command again, `{command}`."
        )
    return manifest


def _kind_of(result: Any) -> Any:
    return result.get("kind") if isinstance(result, dict) else None


def holds_result(folder: Path) -> bool:
    """Return whether a folder holds a result of gin-sim's."""
    return _files_of(folder) is not None


def write_charts(folder: Path, figures: dict[str, Figure], formats: Sequence[str]) -> list[str]:
    """Write charts, into a result's own folder or into another, and return the files' names.

    Charts of the same names are replaced and nothing else is touched, except for the list of files
    in a manifest that does not name them all.

    Parameters
    ----------
    folder : Path
        Made if it does not exist.
    figures : dict
        By file name without ending.
    formats : sequence of {"png", "svg"}

    Raises
    ------
    InputError
        If the folder cannot be written; it is then left as it was.
    """
    with _writing(folder):
        if folder.exists() and not folder.is_dir():
            raise InputError(f"'{folder}' is a file: name a folder for the charts.")
    with _writing(folder), staging(folder) as hidden:
        _save_figures(hidden, figures, formats)
        names = sorted(path.name for path in hidden.iterdir())
        moved = list(names)
        listed = _files_of(folder)
        if listed is not None and not set(names) <= set(listed):
            manifest = json.loads((folder / MANIFEST).read_text(encoding="utf-8"))
            others = sorted({*listed, *names} - {MANIFEST})
            _save_manifest(hidden, {**manifest, "files": [*others, MANIFEST]})
            moved.append(MANIFEST)
        move_all(moved, hidden, folder)
    return names


def _save_figures(folder: Path, figures: dict[str, Figure], formats: Sequence[str]) -> None:
    for name, figure in figures.items():
        for ending in formats:
            options = {"dpi": 150} if ending == "png" else {"metadata": {"Date": None}}
            figure.savefig(folder / f"{name}.{ending}", **options)


def _save_manifest(folder: Path, manifest: dict[str, Any]) -> None:
    text = json.dumps(manifest, indent=2, ensure_ascii=False, allow_nan=False)
    (folder / MANIFEST).write_text(text + "\n", encoding="utf-8")


@contextlib.contextmanager
def _writing(folder: Path) -> Iterator[None]:
    try:
        yield
    except OSError as error:
        raise InputError(
            f"the folder '{folder}' cannot be written ({error.strerror or error}): name another."
        ) from None


def _files_of(folder: Path) -> list[str] | None:
    """Return the files of an earlier result, or None where a folder holds none."""
    try:
        manifest = _manifest_of((folder / MANIFEST).read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return None
    if manifest is None:
        return None
    names = manifest.get("files")
    return [name for name in names if isinstance(name, str)] if isinstance(names, list) else []


def _manifest_of(text: str) -> dict[str, Any] | None:
    """Return a manifest, or None where a text is none of gin-sim's."""
    try:
        manifest = json.loads(text)
    except (ValueError, RecursionError):
        return None
    if not isinstance(manifest, dict) or manifest.get("format") != FORMAT:
        return None
    return manifest


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
