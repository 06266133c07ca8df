"""A saved result, loaded again, and its charts drawn again."""

from __future__ import annotations

from collections.abc import Collection
from pathlib import Path

from gin_sim.errors import InputError
from gin_sim.results import kinds
from gin_sim.results.common import Savable
from gin_sim.results.folder import FORMATS, holds_result, write_charts
from gin_sim.words import listed


def load(folder: str | Path) -> Savable:
    """Return the result that a command's ``--out``, or ``.save``, has left in a folder.

    Nothing is played: tables, charts and text are those of the result as it was saved.

    Parameters
    ----------
    folder : str or Path
        With a ``manifest.json``.

    Raises
    ------
    InputError
        If the folder holds no result, or an incomplete one; the sentence names the place.

    Examples
    --------
    >>> import gin_sim
    >>> result = gin_sim.load("results/knock_10_or_5")
    >>> result.table()
    """
    return kinds.load(folder)


def redraw(
    folder: str | Path, out: str | Path | None = None, formats: Collection[str] = ()
) -> list[Path]:
    """Draw the charts of a saved result again, and return their files.

    Parameters
    ----------
    folder : str or Path
        With a ``manifest.json``; nothing else in it is read.
    out : str or Path, optional
        The folder for the charts; by default the result's own, where they are replaced.
    formats : collection of {"png", "svg"}
        Both where none is given.

    Raises
    ------
    InputError
        If the folder holds no result or one without charts, or ``out`` holds another result or
        cannot be written.
    """
    if unknown := sorted(set(formats) - set(FORMATS)):
        raise InputError(
            f"charts cannot be written as {listed(unknown)}: give {listed(FORMATS, 'and')}."
        )
    folder = Path(folder)
    out = folder if out is None else Path(out)
    result = load(folder)
    if holds_result(out) and not (out.exists() and out.samefile(folder)):
        raise InputError(f"the folder '{out}' holds another result: name another for the charts.")
    figures = result.charts()
    if not figures:
        raise InputError(f"the result in '{folder}' has no charts.")
    wanted = [name for name in FORMATS if name in formats or not formats]
    return [out / name for name in write_charts(out, figures, wanted)]
