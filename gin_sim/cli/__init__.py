"""The command line: each command parses, calls a room below and prints.

Commands are loaded when they are asked for, so that ``gin-sim --help`` imports neither Numba nor
pandas.  A user's mistake is one sentence on standard error and exit code 2; Ctrl-C is 130.
"""

from __future__ import annotations

import contextlib
import importlib
import os
import sys

import click

from gin_sim import __version__
from gin_sim.errors import InputError
from gin_sim.words import listed, nearest

# name: (module in this package, the sentence shown by `gin-sim --help`)
_COMMANDS = {
    "simulate": ("simulate", "Play two policies against each other, with intervals."),
    "compare": ("compare", "Rank policies that all meet each other on the same deals."),
    "sweep": ("sweep", "Vary a policy's numbers and find the best against others or itself."),
    "solve": ("solve", "Find when to knock: the chart against an opponent or in equilibrium."),
    "knock": ("knock", "Say whether to knock in a position, what every action is worth, and why."),
    "equity": ("equity", "Find the chance to win the game from every score."),
    "chart": ("chart", "Draw the charts of a saved result again."),
    "belief": ("belief", "Test how well hand reading works."),
    "deadwood": ("deadwood", "Show a hand's best arrangement, its deadwood and its discards."),
    "layoff": ("layoff", "Settle a knock: spread, layoffs, the defender's melds and the score."),
    "replay": ("replay", "Check recorded hands step by step and score their ends."),
    "policies": ("policies", "List the policies, show their parameters, make and check your own."),
    "rules": ("rules", "List the rule sets and show what each plays."),
    "help": ("help", "Explain a term of the game, of statistics or of this tool."),
    "bench": ("bench", "Check the engine against a golden tally, then time it."),
    "warm": ("warm", "Compile everything now, so that no question has to wait for it."),
}


class _LazyGroup(click.Group):
    """A group that imports a command's module only when the command is used."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        return list(_COMMANDS)

    def get_command(self, ctx: click.Context, name: str) -> click.Command | None:
        if name not in _COMMANDS:
            return None
        module = importlib.import_module(f"gin_sim.cli.{_COMMANDS[name][0]}")
        return module.command

    def resolve_command(self, ctx: click.Context, args: list[str]):
        if args and args[0] not in _COMMANDS and not args[0].startswith("-"):
            ctx.fail(
                f"there is no command '{args[0]}'.{nearest(args[0], _COMMANDS)} "
                f"The commands are {listed(_COMMANDS, 'and')}."
            )
        return super().resolve_command(ctx, args)

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        with formatter.section("Commands"):
            formatter.write_dl([(name, summary) for name, (_, summary) in _COMMANDS.items()])


# Help is as wide as the terminal, as far as lines can still be read.
_SETTINGS = {"help_option_names": ["-h", "--help"], "max_content_width": 120}


@click.command(cls=_LazyGroup, context_settings=_SETTINGS)
@click.version_option(__version__, "-V", "--version", prog_name="gin-sim")
def group() -> None:
    """When should I knock?  gin-sim plays millions of gin rummy hands and answers with intervals.

    \b
    Example:
      gin-sim simulate greedy:knock=10 greedy:knock=5 --hands 1e6
    """


def main(arguments: list[str] | None = None) -> None:
    """Run the command line and leave the process with its exit code."""
    arguments = sys.argv[1:] if arguments is None else arguments
    for name in ("stdout", "stderr"):
        if getattr(sys, name) is None:  # it was closed before the start, as by >&-
            setattr(sys, name, open(os.devnull, "w", encoding="utf-8"))  # noqa: SIM115
    try:
        code = group.main(arguments, prog_name="gin-sim", standalone_mode=False, obj=arguments)
        sys.stdout.flush()
    except click.exceptions.NoArgsIsHelpError as error:
        error.show()
        code = 2
    except click.ClickException as error:
        context = getattr(error, "ctx", None)
        hint = f" See `{context.command_path} --help`." if context else ""
        sentence = error.format_message()
        _complain(sentence + ("" if sentence.endswith((".", "?", "!")) else ".") + hint)
        code = error.exit_code
    except InputError as error:
        _complain(str(error))
        code = 2
    except (KeyboardInterrupt, click.Abort):
        click.echo("Stopped.", err=True)
        code = 130
    except BrokenPipeError:
        _forget_output()  # the reader (head, say) has what it wanted
        code = 0
    except MemoryError:
        _complain("out of memory: ask for less at once, or close other programs.")
        code = 1
    except OSError as error:
        place = f" '{error.filename}'" if error.filename else ""
        _complain(f"the system refused to read or write{place}: {error.strerror or error}.")
        _forget_output()
        code = 1
    sys.exit(code if isinstance(code, int) else 0)


def _forget_output() -> None:
    """Send what is left of standard output nowhere, so that Python does not complain at exit."""
    with contextlib.suppress(OSError, ValueError):
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def _complain(sentence: str) -> None:
    click.echo(f"Error: {sentence}", err=True)
