"""Files with one hand or position a row: read whole, every bad row named by its line."""

from __future__ import annotations

import csv
import io
import sys
from collections.abc import Callable, Iterable, Iterator, Sequence
from pathlib import Path
from typing import Any

from gin_sim.errors import InputError

_SHOWN_PROBLEMS = 20  # bad rows of a file that are shown; the rest are counted


class Rows:
    """The columns that a command needs of a CSV file, whole, with what is wrong in which line.

    Attributes
    ----------
    columns : dict of str to list of str
        The text of each needed column, and of each optional one that is there, row by row.
    unread : list of str
        Names of the columns that are neither.
    """

    def __init__(
        self,
        path: str,
        needed: Sequence[str],
        optional: Sequence[str] = (),
        text: str | None = None,
    ) -> None:
        self.source = source_name(path)
        self.columns: dict[str, list[str]] = {}
        self.unread: list[str] = []
        self._line_numbers: list[int] = []
        self._problems: list[tuple[int, str]] = []
        self._read(read_text(path) if text is None else text, needed, optional)

    def __iter__(self) -> Iterator[tuple[int, dict[str, str]]]:
        """Give the line number of each row and its cells by column."""
        for i, number in enumerate(self._line_numbers):
            yield number, {name: cells[i] for name, cells in self.columns.items()}

    def parsed(self, column: str, parse: Callable[[str], Any]) -> list[Any]:
        """Return a column read with a function; what it raises is noted against the row."""
        values = []
        for i, text in enumerate(self.columns[column]):
            try:
                values.append(parse(text))
            except InputError as error:
                values.append(None)
                self._problems.append((i, str(error)))
        return values

    def refuse_bad(self, problems: Iterable[tuple[int, str]] = ()) -> None:
        """Raise an InputError that names the line of each bad row, if any is bad."""
        first: dict[int, str] = {}
        for i, sentence in [*self._problems, *problems]:
            first.setdefault(i, sentence)
        refuse_lines(
            self.source, [(self._line_numbers[i], text) for i, text in sorted(first.items())]
        )

    def _read(self, text: str, needed: Sequence[str], optional: Sequence[str]) -> None:
        lines = _NumberedLines(text)
        reader = csv.reader(lines, strict=True, skipinitialspace=True)
        try:
            header = next((row for row in reader if row), None)
            places = self._places(header, needed, optional)
            self.columns = {name: [] for name in places}
            for row in reader:
                if row:
                    self._add(row, len(header), places, lines.number)
        except csv.Error as error:
            raise InputError(
                f"line {lines.number} of {self.source} cannot be read as CSV ({error}): put a "
                "cell with quotes or commas in it into double quotes."
            ) from None

    def _places(
        self, header: list[str] | None, needed: Sequence[str], optional: Sequence[str]
    ) -> dict[str, int]:
        wanted = " and ".join(f"'{name}'" for name in needed)
        wanted = f"{'columns' if len(needed) > 1 else 'a column'} named {wanted}"
        if header is None:
            raise InputError(f"{self.source} is empty: its first line has to name {wanted}.")
        names = [name.strip().lower() for name in header]
        found = ", ".join(f"'{name.strip()}'" for name in header[:20])
        places = {}
        for name in [*needed, *optional]:
            if names.count(name) == 1:
                places[name] = names.index(name)
            elif name in needed or name in names:
                raise InputError(
                    f"{self.source} has {'two columns' if name in names else 'no column'} named "
                    f"'{name}': its first line names {found}, and it has to name {wanted}."
                )
        self.unread = [name for name in names if name not in places]
        return places

    def _add(self, row: list[str], width: int, places: dict[str, int], number: int) -> None:
        if any(cell.strip() for cell in row[width:]):
            self._problems.append(
                (
                    len(self._line_numbers),
                    f"there are {len(row)} cells, and the first line names {width}: put a hand "
                    "that has commas into double quotes.",
                )
            )
            row = [""] * width
        for name, place in places.items():
            self.columns[name].append(row[place] if place < len(row) else "")
        self._line_numbers.append(number)


def refuse_lines(source: str, problems: Sequence[tuple[int, str]]) -> None:
    """Raise an InputError that names each bad line of a file and says what is wrong with it."""
    found = [f"line {number} of {source}: {sentence}" for number, sentence in problems]
    hidden = len(found) - _SHOWN_PROBLEMS
    if hidden > 0:
        found[_SHOWN_PROBLEMS:] = [f"{hidden} more rows are bad."]
    if found:
        raise InputError("\n".join(found))


def source_name(path: str) -> str:
    """Return what errors call a file."""
    return "standard input" if path == "-" else f"'{path}'"


class _NumberedLines:
    """The lines of a text except for comments, and the number of the line last given."""

    def __init__(self, text: str) -> None:
        self.number = 0
        self._lines = io.StringIO(text, newline="")

    def __iter__(self) -> Iterator[str]:
        for line in self._lines:
            self.number += 1
            if not line.startswith("#"):
                yield line


def read_text(path: str) -> str:
    """Return the text of a file, or of standard input for ``-``; refuse what is no UTF-8 text."""
    source = source_name(path)
    try:
        if path == "-":
            content = sys.stdin.buffer.read()
        else:
            content = Path(path).read_bytes()
    except FileNotFoundError:
        raise InputError(
            f"there is no file {source}: check the name, or give - for standard input."
        ) from None
    except (OSError, ValueError) as error:
        reason = getattr(error, "strerror", None) or str(error)
        raise InputError(
            f"{source} cannot be read ({reason}): give a CSV file that can be."
        ) from None
    try:
        return content.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise InputError(
            f"{source} is not UTF-8 text (byte {error.start} is 0x{content[error.start]:02x}): "
            "save it as CSV in UTF-8."
        ) from None
