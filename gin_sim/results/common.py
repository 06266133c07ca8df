"""What all results share: estimates, policies by their numbers, and what every result can do.

A result is a Struct of plain values.  In memory a number that is not known is nan, or None where
its field says so; in JSON both are null.
"""

from __future__ import annotations

import json
import math
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, ClassVar

import msgspec
from msgspec import Struct

from gin_sim.errors import InputError
from gin_sim.results import drawing
from gin_sim.results.objective import UNITS, Unit
from gin_sim.rules import Rules
from gin_sim.words import listed

if TYPE_CHECKING:
    import pandas as pd
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

    Number = float
else:
    Number = float | None

#: A parameter's value: a number, a number for each bucket of own turns, or a knock table as text.
Value = bool | int | float | str
Share = Annotated[float, msgspec.Meta(ge=0, le=1)]
Count = Annotated[int, msgspec.Meta(ge=0)]


class Estimate(Struct, frozen=True):
    """A figure with its interval.

    Parameters
    ----------
    estimate : float
        In the unit of the result; nan where there is none.
    low, high : float
        The ends of the interval; nan where the sample is too small for one.
    """

    estimate: Number
    low: Number
    high: Number

    def __post_init__(self) -> None:
        for name in ("estimate", "low", "high"):
            number = getattr(self, name)
            if number is None:
                msgspec.structs.force_setattr(self, name, math.nan)
            elif math.isinf(number):
                raise ValueError("numbers are finite, or null where there is none")
        if math.isnan(self.low) != math.isnan(self.high) or self.low > self.high:
            raise ValueError(f"an interval has two ends in order, not {self.low} and {self.high}")

    @property
    def half_width(self) -> float:
        """Half the width of the interval."""
        return (self.high - self.low) / 2

    @property
    def spans_zero(self) -> bool:
        """Whether the interval holds zero, or there is none: no difference is found."""
        return not (self.low > 0 or self.high < 0)

    @property
    def is_known(self) -> bool:
        """Whether there is an interval."""
        return not math.isnan(self.low)

    def scaled(self, factor: float) -> Estimate:
        """Return the estimate of a positive multiple."""
        return Estimate(self.estimate * factor, self.low * factor, self.high * factor)

    def raised(self, by: float) -> Estimate:
        """Return the estimate of a sum with a number that is known."""
        return Estimate(self.estimate + by, self.low + by, self.high + by)

    def within(self, most: float) -> Estimate:
        """Return the estimate with its interval cut to what can be, from ``-most`` to ``most``."""
        return Estimate(self.estimate, max(self.low, -most), min(self.high, most))

    def negated(self) -> Estimate:
        """Return the estimate seen from the other side."""
        return Estimate(-self.estimate, -self.high, -self.low)


NO_ESTIMATE = Estimate(math.nan, math.nan, math.nan)


class PolicyInfo(Struct, omit_defaults=True):
    """A policy with every number that it plays by.

    Parameters
    ----------
    spec : str
        As it can be typed again: ``greedy:knock=5``, or a file.
    policy : str
        Its name among the shipped ones, or the file's.
    parameters : dict
        Every parameter's value by name; units are those of `gin-sim policies show`.
    decides : list of str
        What a Python policy decides by itself; left out for other policies.
    source : str
        SHA-256 of the code and numbers that a Python policy decides by; left out for others.
    base : PolicyInfo or None
        The policy that decides what a Python policy does not; left out without one.
    summary, origin : str
        What a TOML file says of its policy and where that comes from; left out where it says
        nothing.
    """

    spec: str
    policy: str
    parameters: dict[str, Any]
    decides: list[str] = []
    source: str = ""
    base: PolicyInfo | None = None
    summary: str = ""
    origin: str = ""


class Row(Struct, kw_only=True):
    """One row of a table; its fields are the columns.

    A field ``figure`` that is an Estimate becomes the columns ``estimate``, ``low`` and ``high``;
    of another name, say ``to_best``, it becomes ``to_best_estimate``, ``to_best_low``,
    ``to_best_high``.
    A field ``values`` that is a dict becomes a column for each of its keys.
    """

    @classmethod
    def column_names(cls) -> list[str]:
        """Return the names of the columns, except for those that a field ``values`` holds."""
        names: list[str] = []
        for field in msgspec.structs.fields(cls):
            if field.type is Estimate:
                before = "" if field.name == "figure" else f"{field.name}_"
                names += [f"{before}estimate", f"{before}low", f"{before}high"]
            elif field.name != "values":
                names.append(field.name)
        return names

    def as_columns(self) -> dict[str, Any]:
        """Return the row as plain values by column."""
        columns: dict[str, Any] = {}
        for name in self.__struct_fields__:
            value = getattr(self, name)
            if isinstance(value, Estimate):
                before = "" if name == "figure" else f"{name}_"
                columns[f"{before}estimate"] = value.estimate
                columns[f"{before}low"] = value.low
                columns[f"{before}high"] = value.high
            elif name == "values" and isinstance(value, dict):
                columns.update(value)
            else:
                columns[name] = value
        return columns


class Answer(Struct, kw_only=True, tag_field="kind"):
    """What every answer can do: be read as JSON, as tables and as text."""

    #: The columns of each table, by file name without ending; the first is what `.table()` gives.
    TABLES: ClassVar[dict[str, type[Row]]] = {}

    @property
    def kind(self) -> str:
        """The kind of answer, as `--json` names it."""
        return str(type(self).__struct_config__.tag)

    def rows(self) -> dict[str, list[Any]]:
        """Return the rows of each table in :attr:`TABLES`; a table may be missing."""
        return {}

    def tables(self) -> dict[str, pd.DataFrame]:
        """Return all tables by name; `docs/reference/files.md` describes every column."""
        import pandas as pd

        return {
            name: pd.DataFrame([row.as_columns() for row in rows])
            if rows
            else pd.DataFrame(columns=self.TABLES[name].column_names())
            for name, rows in self.rows().items()
        }

    def table(self, name: str | None = None) -> pd.DataFrame:
        """Return one table, by default the main one.

        Raises
        ------
        InputError
            If the answer has no such table.
        """
        tables = self.tables()
        if not tables:
            raise InputError(f"an answer of the kind '{self.kind}' has no tables.")
        name = name or next(iter(tables))
        if name not in tables:
            raise InputError(f"there is no table '{name}' in it: give {listed(tables)}.")
        return tables[name]

    def text(self, more: bool = True) -> str:
        """Return what the command prints.

        Parameters
        ----------
        more : bool
            Whether to give all, or the verdict and the main table alone.
        """
        return drawing.text(self, more)

    def to_json(self) -> str:
        """Return the answer as the JSON text that ``--json`` prints."""
        return json_of(self)

    def to_dict(self) -> dict[str, Any]:
        """Return the answer as plain dicts, lists, texts, numbers and None."""
        return json.loads(msgspec.json.encode(self))

    def __repr__(self) -> str:
        return f"<{type(self).__name__}: {drawing.summary(self)}>"

    def _repr_html_(self) -> str:
        return drawing.html(self)


class Savable(Answer, kw_only=True):
    """An answer that can be saved in a folder, drawn and loaded again.

    Parameters
    ----------
    partial : bool
        Whether it was stopped before all that was asked for was done.
    command : str
        The command line that made it; empty where Python did.
    seconds : dict of str to float
        Wall time, and speeds: the only numbers that differ from run to run.
    """

    partial: bool = False
    command: str = ""
    seconds: dict[str, float] = {}

    def charts(self) -> dict[str, Figure]:
        """Return all charts of the result by name."""
        return drawing.charts(self)

    def chart(self, name: str | None = None, ax: Axes | None = None) -> Figure | Axes:
        """Return one chart, by default the main one.

        Parameters
        ----------
        name : str, optional
            Of :meth:`charts`.
        ax : matplotlib Axes, optional
            Draw the main panel of the chart into these instead, and return them.

        Raises
        ------
        InputError
            If the result has no such chart, or it cannot be drawn into one pair of axes.
        """
        return drawing.chart(self, name, ax)

    def save(self, folder: str | Path, charts: bool = True) -> list[str]:
        """Write tables, charts and ``manifest.json`` into a folder, whole or not at all.

        Parameters
        ----------
        folder : str or Path
            Made if it does not exist; an earlier result in it is replaced.
        charts : bool
            Whether to draw the charts too.

        Returns
        -------
        list of str
            The names of the files.

        Raises
        ------
        InputError
            If the folder cannot be written, or holds files that are no result.
        """
        from gin_sim.results.folder import save_result

        return save_result(Path(folder), self, charts)


class Result(Savable, kw_only=True):
    """An answer to a question that hands were played for.

    Parameters
    ----------
    rules : Rules
        Every rule that was played by.
    seed : int
        Of all chance in it; the same seed gives the same numbers.
    confidence : float
        Of every interval, such as 0.95.
    """

    rules: Rules
    seed: int
    confidence: Annotated[float, msgspec.Meta(gt=0, lt=1)] = 0.95


class OfAnObjective(Result, kw_only=True):
    """A result whose estimates are all judged by one objective.

    Parameters
    ----------
    objective : str
        ``points``, ``points+boxes``, ``win`` or ``stakes``.
    unit : str
        Of every estimate that does not name another.
    """

    objective: str
    unit: str

    def __post_init__(self) -> None:
        if self.unit not in UNITS:
            raise ValueError(f"the unit is {listed(UNITS)}, not '{self.unit}'")

    @property
    def shown_unit(self) -> Unit:
        """How the unit is shown to people: % for shares."""
        return UNITS[self.unit]


def json_of(value: Any) -> str:
    """Return Structs, or lists of them, as the JSON text that ``--json`` prints."""
    return msgspec.json.format(msgspec.json.encode(value), indent=2).decode()


def number(value: float) -> float | None:
    """Return a number for a field that may be None: None for nan."""
    return None if math.isnan(value) else float(value)


def check_once(places: list[Any], what: str) -> None:
    """Refuse a list that names the same place twice, for a Struct's ``__post_init__``."""
    if len(set(places)) < len(places):
        raise ValueError(f"a {what} is there twice")
