"""Option bundles and value types that several commands share."""

from __future__ import annotations

import re

import click

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


rules_option = click.option(
    "--rules",
    "rules_spec",
    default="standard",
    show_default=True,
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
    help="Threads to play in.  [default: all cores]",
)
