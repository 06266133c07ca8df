"""Help by headings: which options matter first in each command, and where the others stand.

The same option has the same name and stands under the same heading in every command.  An option of
an earlier version is refused with its new name.
"""

from __future__ import annotations

import click

MAIN = "Options that matter first"

#: The five options of each command that are asked for most, in the order of its help.
FIRST = {
    "simulate": ("--hands", "--games", "--rules", "--seed", "--out"),
    "compare": ("--hands", "--objective", "--rules", "--seed", "--out"),
    "sweep": ("--play", "--param", "--against", "--hands", "--out"),
    "solve": ("--play", "--against", "--objective", "--deals", "--save"),
    "knock": ("--turn", "--pile", "--history", "--against", "--rules"),
    "equity": ("--play", "--against", "--score", "--boxes", "--rules"),
    "calibrate": ("--against", "--records", "--positions", "--rules", "--out"),
}

#: The headings in their order, with the options that stand under each.
HEADINGS: dict[str, tuple[str, ...]] = {
    "Who plays": ("--play", "--against", "--both", "--equilibrium", "--deviation", "--panel"),
    "The position": (
        "--first", "--history", "--turn", "--pile", "--took", "--discarded", "--records", "--hand",
        "--player", "--moment", "--file",
    ),
    "The score": ("--score", "--boxes", "--dealer", "--equity-hands"),
    "What is judged": ("--objective", "--rules", "--by", "--scores", "--features", "--iterate"),
    "How much is played": (
        "--hands", "--games", "--deals", "--proof-hands", "--positions", "--worlds", "--precision",
        "--time", "--until", "--sprt", "--max-cells", "--cell-by-cell", "--mirrored",
        "--luck-adjusted", "--param",
    ),
    "What comes out": (
        "--json", "--out", "--charts", "--format", "--save", "--record", "--record-hands", "--more",
    ),
    "The run": ("--seed", "--threads", "--quiet"),
}  # fmt: skip

_COMMON_OLD = {
    "--stray": "--deviation",
    "--noise": "--deviation",
    "--baseline": "--luck-adjusted",
    "--opponent": "--against",
}
_OLD_BY_COMMAND = {
    "knock": {"--record": "--records"},
    "replay": {"--write": "--record"},
    "sweep": {"--base": "--play"},
}
_OTHERS = "Other options"


def heading_of(option: str) -> str:
    """Return the heading that an option stands under where it is not one of the first."""
    return next((name for name, options in HEADINGS.items() if option in options), _OTHERS)


def new_name(command: str, option: str) -> str | None:
    """Return what an option of an earlier version is called now; None where it was never one."""
    return {**_COMMON_OLD, **_OLD_BY_COMMAND.get(command, {})}.get(option)


class Command(click.Command):
    """A command whose help has headings, and which knows its options' earlier names."""

    def format_options(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Write the options under their headings, the five that matter first before all."""
        sections: dict[str, list[tuple[str, str]]] = {MAIN: [], **{name: [] for name in HEADINGS}}
        first = FIRST.get(self.name or "", ())
        rank = {name: place for place, name in enumerate(first)}
        shown = []
        for parameter in self.get_params(ctx):
            record = parameter.get_help_record(ctx)
            if record is None or not record[1]:  # an argument stands in the usage
                continue
            names = [name for name in parameter.opts if name.startswith("--")]
            name = names[0] if names else parameter.opts[0]
            heading = MAIN if name in rank or not first else heading_of(name)
            shown.append((rank.get(name, len(rank)), heading, record))
        for _, heading, record in sorted(shown, key=lambda each: each[0]):
            sections.setdefault(heading, []).append(record)
        titles = {MAIN: MAIN if first else "Options"}
        for heading, records in sections.items():
            if records:
                with formatter.section(titles.get(heading, heading)):
                    formatter.write_dl(records)

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        """Read the arguments; refuse what an earlier version took, by its new name."""
        if self.name == "sweep" and args and not args[0].startswith("-"):
            raise click.UsageError(
                f"the policy that is varied is given by --play now: write --play {args[0]}.", ctx
            )
        try:
            return super().parse_args(ctx, args)
        except click.NoSuchOption as error:
            new = new_name(self.name or "", error.option_name)
            if new is None:
                raise
            raise click.UsageError(
                f"{error.option_name} is called {new} now: give {new} instead.", ctx
            ) from None
