"""``gin-sim knock``: what to do in one position, or in each of a file's."""

from __future__ import annotations

import sys
from typing import Any

import click
from click.core import ParameterSource

from gin_sim.cli.interrupt import INTERRUPTED
from gin_sim.cli.options.common import (
    Count,
    json_option,
    out_option,
    quiet_option,
    rules_option,
    seed_option,
    threads_option,
)
from gin_sim.cli.options.deviation import deviation_option
from gin_sim.cli.options.groups import Command
from gin_sim.cli.options.position import FIELDS, OF_A_RECORD, position_options, record_options
from gin_sim.cli.output import ask, print_json, show, typed_command, write
from gin_sim.errors import InputError

_PER_CENT = 100  # --precision is shown in % of games


@click.command(name="knock", cls=Command)
@position_options
@click.option(
    "--against",
    default="strong",
    show_default=True,
    metavar="POLICY",
    help="The policy that the opponent is assumed to follow. Its knock rule matters most: if a "
    "player who knocks early has not knocked, that says much about its hand; if a player who waits "
    "has not, it says little.",
)
@click.option(
    "--play",
    default="strong",
    show_default=True,
    metavar="POLICY",
    help="How you play after the action.",
)
@click.option(
    "--objective",
    type=click.Choice(["points", "points+boxes", "win", "stakes"]),
    default="points",
    show_default=True,
    help="What counts: points of the hand, points with the box for a hand won, the chance to win "
    "the game from --score, or the points settled at its end.",
)
@rules_option
@click.option(
    "--precision",
    type=float,
    metavar="WIDTH",
    help="Play until the interval of the difference ends within this distance of it.  "
    "[default: 0.5 points, or 0.5 % of games; 1 point for stakes]",
)
@click.option(
    "--time",
    type=float,
    metavar="SECONDS",
    help="Play at most this long, plus a quarter of it for each opponent of the panel. Reading the "
    "history takes extra time, and so does the equity table that win and stakes need.  "
    "[default: 10]",
)
@click.option(
    "--worlds",
    type=Count(1, 10**8),
    help="Sample this many deals, in blocks of 400, instead of --precision and --time: the same "
    "answer on any machine.",
)
@deviation_option("alike, that is 0.03,0.03,0.001")
@click.option(
    "--panel",
    multiple=True,
    metavar="POLICY",
    help="Another opponent to give the verdict for; may be repeated; `none` switches them off.  "
    "[default: the opponent with other knock rules]",
)
@record_options
@seed_option
@threads_option
@json_option
@out_option
@quiet_option
@click.pass_context
def command(ctx: click.Context, **given: Any) -> None:
    """Say whether to knock or to play on, and what every action is worth.

    HAND is eleven cards, the card just drawn last; or ten cards before the draw, to ask about the
    upcard. The opponent's hidden cards are sampled to fit what it did, assuming that it follows the
    policy --against. Each action is then played out in the same deals. All figures assume that
    policy; the answer also gives the verdict for other knock rules.

    \b
    Examples:
      gin-sim knock "As Ad Ah 2c 3c 4c Th Jh Qh 9c Kd" --first 5s --history "p p s"
      gin-sim knock "5h6h7h 9s9d9c 2d3d4d Ks" --first Qc --history "p p s/Qd u/7c" --play greedy
      gin-sim knock "7s7h7d 4h5h6h 2c2dAs 9c Kd" --turn 3 --pile "Qs Jd 8c Kh Td" --against simple
      gin-sim knock --records hands.jsonl --hand 3 --turn 9
      gin-sim knock --file positions.csv --worlds 4000 --out results/positions
    """
    _refuse_mixed(given)
    by_hand = ctx.get_parameter_source("rules_spec") is not ParameterSource.DEFAULT
    given["rules"] = given["rules_spec"] if by_hand else None
    if given["out"] is not None:
        from gin_sim.results.folder import check_folder

        check_folder(given["out"])
    if given["path"] is not None:
        _each_of_a_file(given)
    else:
        _one_position(given)


def _refuse_mixed(given: dict[str, Any]) -> None:
    """Refuse options that say where a position is in two ways."""
    sources = {"HAND": "hand", "--records": "records", "--file": "path"}
    named = [option for option, name in sources.items() if given[name] is not None]
    if len(named) > 1:
        raise InputError(f"{' and '.join(named)} are both given: give only one.")
    for name in OF_A_RECORD:
        if given[name] is not None and given["records"] is None:
            option = "--hand" if name == "number" else f"--{name}"
            raise InputError(f"{option} needs --records FILE.")
    if given["hand"] is not None or not named:
        return
    free = {"score", "boxes"} | ({"turn"} if given["records"] is not None else set())
    for name in FIELDS:
        if name not in free and given[name] is not None:
            raise InputError(
                f"--{name} does not go with {named[0]}, which already says it: leave it out."
            )


def _asked(given: dict[str, Any], *names: str) -> dict[str, Any]:
    """Return the arguments of the front door: those that all questions share, and some more."""
    precision = given["precision"]
    if precision is not None and given["objective"] == "win":
        precision /= _PER_CENT
    shared = ("play", "against", "objective", "time", "worlds", "rules", "seed", "threads", "quiet")
    return {
        **{name: given[name] for name in (*shared, *names)},
        "precision": precision,
        "deviation": given["deviation"] or "alike",
        "panel": given["panel"] or None,
    }


def _one_position(given: dict[str, Any]) -> None:
    from gin_sim.api.positions import advise, advise_record

    if given["records"] is None:
        advice = ask(advise, given["hand"], **_asked(given, *FIELDS))
    else:
        which = {"hand": given["number"] or 1, "moment": given["moment"] or "discard"}
        options = _asked(given, "turn", "player", "score", "boxes")
        advice = ask(advise_record, given["records"], **which, **options)
    show(advice, given["as_json"], given["out"], given["quiet"])


def _each_of_a_file(given: dict[str, Any]) -> None:
    """Ask about each position; each answer is printed as it comes, so that none is lost."""
    from gin_sim.api.positions import advise_file
    from gin_sim.report.terminal import console
    from gin_sim.report.text.advice_list import footer, header, line

    terminal, as_json = console(), given["as_json"]
    begun = []

    def show_line(answer: Any) -> None:
        if not begun:
            begun.append(True)
            terminal.print(header())
        terminal.print(line(answer, terminal))

    options = _asked(given, "score", "boxes")
    answers = ask(advise_file, given["path"], on_answer=None if as_json else show_line, **options)
    answers.command = typed_command()
    if as_json:
        print_json(answers.to_json())
    else:
        terminal.print(footer(answers))
    if given["out"] is not None:
        write(answers, given["out"], given["quiet"])
        if not given["quiet"]:
            n, wanted = len(answers.positions), answers.wanted
            of = "All" if n == wanted else f"{n} of the {wanted}"
            click.echo(f"{of} positions of the file are in it.", err=True)
    if answers.fault:
        raise InputError(answers.fault)
    if answers.partial:
        sys.exit(INTERRUPTED)
