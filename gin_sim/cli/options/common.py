"""Option bundles and value types that several commands share."""

from __future__ import annotations

import re
from pathlib import Path

import click

from gin_sim.errors import InputError
from gin_sim.words import listed

_THOUSANDS = re.compile(r"[+-]?\d{1,3}(,\d{3})+")


class Count(click.ParamType):
    """A whole number that may be written as 1e6, 250_000 or 1,000,000."""

    name = "number"

    def __init__(self, low: int = 0, high: int = 10**12) -> None:
        self.low, self.high = low, high

    def convert(self, value, param, ctx):
        """Return the int, or fail with a sentence."""
        if isinstance(value, int):
            return value
        text = value.strip().replace("_", "")
        if _THOUSANDS.fullmatch(text):
            text = text.replace(",", "")
        try:
            number = int(text)
        except ValueError:
            number = self._from_float(text)
        if number is None or not self.low <= number <= self.high:
            self.fail(
                f"'{value}' is not a whole number from {self.low} to {self.high:,}; "
                "write it like 250000 or 1e6.",
                param,
                ctx,
            )
        return number

    @staticmethod
    def _from_float(text: str) -> int | None:
        try:
            number = float(text)
        except ValueError:
            return None
        return int(number) if number.is_integer() else None


def _one_rule_set(context, parameter, specs: tuple[str, ...]) -> str:
    """Return the rule set; figures under different rules do not mix."""
    if len(specs) > 1:
        raise InputError(
            f"--rules is given {len(specs)} times ({listed(specs, 'and')}): all figures are under "
            "one rule set; run the command once for each."
        )
    (spec,) = specs
    several = [name.strip() for name in spec.split(",")]
    if len(several) > 1 and ":" not in spec and not any("=" in name for name in several):
        raise InputError(
            f"'{spec}' names {len(several)} rule sets: all figures are under one; run the command "
            "once for each."
        )
    return spec


rules_option = click.option(
    "--rules",
    "rules_spec",
    multiple=True,
    default=("standard",),
    show_default=True,
    callback=_one_rule_set,
    metavar="RULES",
    help="Rule set, with changes after a colon: standard:gin_bonus=20,undercut_bonus=10. "
    "`gin-sim rules list` shows all.",
)
json_option = click.option(
    "--json", "as_json", is_flag=True, help="Print one JSON value and nothing else."
)
seed_option = click.option(
    "--seed",
    type=Count(0, 2**63 - 1),
    default=1,
    show_default=True,
    help="Same seed, same numbers, on any machine and any number of threads.",
)
threads_option = click.option(
    "--threads",
    type=Count(1, 1024),
    default=None,
    help="Number of threads.  [default: all cores]",
)


class _Folder(click.Path):
    """A folder's path; an empty one would be the folder that the command is run in."""

    def convert(self, value, param, ctx):
        if not str(value).strip():
            raise InputError("--out '' names no folder: give one, such as --out results/mine.")
        return super().convert(value, param, ctx)


out_option = click.option(
    "--out",
    type=_Folder(path_type=Path),
    help="Folder for tables (CSV, Parquet), charts (PNG, SVG) and manifest.json.",
)
tables_option = click.option(
    "--out",
    type=_Folder(path_type=Path),
    help="Folder for tables (CSV, Parquet) and manifest.json.",
)
charts_option = click.option(
    "--charts/--no-charts",
    default=True,
    show_default=True,
    help="With --out: draw the charts too; `gin-sim chart DIR` draws them later.",
)
quiet_option = click.option("--quiet", is_flag=True, help="No progress bar and no notes.")
stopping_options = [
    click.option(
        "--until",
        metavar="WIDTH",
        help="Play until every interval ends within this distance of its figure, such as 0.05 "
        "(points, or % of games). The intervals then hold at every look.",
    ),
    click.option(
        "--sprt",
        metavar="D0,D1",
        help="Play until a sequential test has decided whether A's lead is D0 or D1, such as 0,0.1 "
        "(points; for games the % won less the % lost). Each error has a chance of 5%.",
    ),
]
