"""``gin-sim knock``: what to do in one position, or in each of a file's."""

from __future__ import annotations

import math
import sys
import threading
from functools import partial
from pathlib import Path
from typing import Any

import click
from click.core import ParameterSource

from gin_sim.cli.interrupt import INTERRUPTED, finish_on_interrupt
from gin_sim.cli.options.common import (
    Count,
    json_option,
    quiet_option,
    rules_option,
    seed_option,
    tables_option,
    threads_option,
)
from gin_sim.cli.options.deviation import read_stray, stray_option
from gin_sim.cli.options.groups import Command
from gin_sim.cli.playing import json_text, write_result
from gin_sim.errors import InputError
from gin_sim.results.objective import OF_THE_GAME

_NONE = "none"


def _options(function):
    """Add the options that tell a position."""
    for option in reversed(
        [
            click.argument("hand", required=False),
            click.option("--first", metavar="CARD", help="The first upcard."),
            click.option(
                "--history",
                metavar="TURNS",
                help="What both did, a token a turn from the first player (who is not the dealer) "
                "on: p passed the first upcard, s/Qd drew from the stock and discarded the "
                "queen of "
                "diamonds, s7h/Qd drew the seven of hearts, u/7c took the upcard.",
            ),
            click.option(
                "--turn",
                type=Count(0, 999),
                metavar="N",
                help="Your own turn number, where the history is not known; with --record the "
                "turn to ask about.  [default there: the last]",
            ),
            click.option("--pile", metavar="CARDS", help="Without a history: the pile from below."),
            click.option(
                "--took", metavar="CARDS", help="Without a history: cards the opponent took."
            ),
            click.option(
                "--discarded",
                metavar="CARDS",
                help="Without a history: cards of the pile that the opponent discarded.",
            ),
            click.option(
                "--dealer",
                type=click.Choice(["me", "opponent"]),
                help="Who dealt; from a history it follows.",
            ),
            click.option("--score", metavar="SCORE", help="Points so far, yours first: 45-20."),
            click.option(
                "--boxes",
                metavar="BOXES",
                help="Hands won so far, yours first: 3-1.  [default: the fewest possible]",
            ),
        ]
    ):
        function = option(function)
    return function


@click.command(name="knock", cls=Command)
@_options
@click.option(
    "--opponent",
    default="strong",
    show_default=True,
    metavar="POLICY",
    help="What the opponent is supposed to follow. Its knock rule decides most of the belief: that "
    "it has not knocked means much of a player who knocks early, little of one who waits.",
)
@click.option(
    "--play",
    default="strong",
    show_default=True,
    metavar="POLICY",
    help="How you go on after the action.",
)
@click.option(
    "--objective",
    type=click.Choice(["points", "points+boxes", "win", "stakes"]),
    default="points",
    show_default=True,
    help="What counts: points of the hand; those with the box for a hand won; the chance to win "
    "the game from --score; the points settled at its end.",
)
@rules_option
@click.option(
    "--precision",
    type=float,
    metavar="WIDTH",
    help="Play until the interval of the difference reaches no further than this to each side.  "
    "[default: 0.5 points or % of games; 1 for stakes]",
)
@click.option(
    "--time",
    "seconds",
    type=float,
    metavar="SECONDS",
    help="Play no longer than this, each opponent of the panel a quarter of it more; starting the "
    "belief, and the table of the game that win and stakes need at first, come on top.  "
    "[default: 10]",
)
@click.option(
    "--worlds",
    type=Count(1, 10**8),
    help="Play this many worlds, in blocks of 400, instead of --precision and --time: the same "
    "answer on any machine.",
)
@stray_option("alike, that is 0.03,0.03,0.001")
@click.option(
    "--panel",
    multiple=True,
    metavar="POLICY",
    help="Another opponent to give the verdict for; may be repeated; none for none.  [default: "
    "the opponent with other knock rules]",
)
@click.option("--record", metavar="FILE", help="Take the position out of a hand record.")
@click.option("--hand", "number", type=Count(1), help="With --record: which hand.  [default: 1]")
@click.option(
    "--player",
    type=click.IntRange(0, 1),
    help="With --record: whose turn, seat 0 or 1.  [default: who knocked, else who acted last]",
)
@click.option(
    "--moment",
    type=click.Choice(["discard", "draw", "offer"]),
    help="With --record: with a card to discard, before the draw, or at the offer of the first "
    "upcard.  [default: discard]",
)
@click.option(
    "--file",
    "path",
    metavar="FILE",
    help="Ask about each position of a CSV or JSON Lines file, whose fields are called as the "
    "options are (hand, first, history, turn, pile, took, discarded, dealer, score, boxes, rules); "
    "- is standard input.",
)
@seed_option
@threads_option
@json_option
@tables_option
@quiet_option
@click.pass_context
def command(ctx: click.Context, **given: Any) -> None:
    """Say whether to knock or to play on: every action's worth with its interval.

    HAND is eleven cards with one to discard, the card just drawn last, or ten before the draw, to
    ask about the upcard. The opponent's cards are drawn as often as its acts make them likely,
    if it follows the policy --opponent; each action is then played out in the same hands. All
    figures suppose that policy: the answer shows the verdict for other knock rules as well.

    \b
    Examples:
      gin-sim knock "As Ad Ah 2c 3c 4c Th Jh Qh 9c Kd" --first 5s --history "p p s"
      gin-sim knock "5h6h7h 9s9d9c 2d3d4d Ks" --first Qc --history "p p s/Qd u/7c" --play greedy
      gin-sim knock "7s7h7d 4h5h6h 2c2dAs 9c Kd" --turn 3 --pile "Qs Jd 8c Kh Td" --opponent simple
      gin-sim knock --record hands.jsonl --hand 3 --turn 9
      gin-sim knock --file positions.csv --worlds 4000 --out results/positions
    """
    told = {
        name: given[name]
        for name in (
            "hand", "first", "history", "turn", "pile", "took",
            "discarded", "score", "boxes", "dealer",
        )
    }  # fmt: skip
    by_hand = ctx.get_parameter_source("rules_spec") is not ParameterSource.DEFAULT
    told["rules"] = given["rules_spec"] if by_hand else None
    _refuse_mixed(given)
    settings = _settings(given)
    if given["path"] is not None:
        from gin_sim.cli.knock_file import advise_on_file

        ask = partial(_ask, settings=settings, quiet=given["quiet"], tables={})
        with finish_on_interrupt() as stop:
            stopped = advise_on_file(given, told, partial(ask, stop=stop), stop)
        if stopped:
            sys.exit(INTERRUPTED)
        return
    _one_position(given, told, settings)


def _refuse_mixed(given: dict[str, Any]) -> None:
    """Refuse options that say where a position is in two ways."""
    sources = {"HAND": "hand", "--record": "record", "--file": "path"}
    named = [option for option, name in sources.items() if given[name] is not None]
    if len(named) > 1:
        raise InputError(f"{' and '.join(named)} are both given: give one of them.")
    only = {"--hand": "number", "--player": "player", "--moment": "moment"}
    for option, name in only.items():
        if given[name] is not None and given["record"] is None:
            raise InputError(f"{option} goes with --record FILE, which is not given.")
    told = ["first", "history", "pile", "took", "discarded", "dealer"]
    told += ["turn"] if given["path"] is not None else []
    for name in told:
        if given["hand"] is None and named and given[name] is not None:
            raise InputError(f"--{name} does not go with {named[0]}, which tells it: leave it out.")
    stops = [f"--{n}" for n in ("precision", "time") if given["seconds" if n == "time" else n]]
    if given["worlds"] is not None and stops:
        raise InputError(
            f"--worlds and {stops[0]} are both given: play a fixed number of worlds, or stop by "
            "the interval and the time."
        )


def _settings(given: dict[str, Any]) -> dict[str, Any]:
    """Return the keyword arguments of ``advise`` that do not depend on the position."""
    from gin_sim.policies.catalogue import parse_policy

    policies = {"opponent": parse_policy(given["opponent"]), "player": parse_policy(given["play"])}
    panel = None
    if given["panel"]:
        several = given["panel"]
        if _NONE in several and len(several) > 1:
            raise InputError("--panel none is given beside other opponents: give one or the other.")
        panel = () if _NONE in several else tuple(map(parse_policy, several))
    if given["out"] is not None:
        from gin_sim.results.folder import check_folder

        check_folder(given["out"])
    from gin_sim.advice.contest import WORLDS_A_BLOCK, Effort

    worlds = given["worlds"]
    seconds = 10.0 if given["seconds"] is None else given["seconds"]
    blocks = None if worlds is None else math.ceil(worlds / WORLDS_A_BLOCK)
    return {
        **policies,
        "objective": given["objective"],
        "effort": Effort(given["precision"], seconds, blocks),
        "stray": read_stray(given["stray_text"] or "alike"),
        "panel": panel,
        "seed": given["seed"],
        "threads": given["threads"],
    }


def _one_position(given: dict[str, Any], told: dict[str, Any], settings: dict[str, Any]) -> None:
    from gin_sim.cli.options.position import recorded_position, told_position

    if given["record"] is not None:
        which = (given[name] for name in ("record", "number", "turn", "player"))
        position, sentence = recorded_position(*which, given["moment"] or "discard", told)
        if not given["quiet"]:
            click.echo(sentence, err=True)
    else:
        position = told_position(told)
    with finish_on_interrupt() as stop:
        advice = _ask(position, settings, given["quiet"], {}, stop)
    from gin_sim.report.terminal import console, shows_symbols
    from gin_sim.report.text.advice import print_advice
    from gin_sim.report.text.advice_told import advice_json, advice_tables

    described = advice_json(advice)
    if given["as_json"]:
        click.echo(json_text(described))
    else:
        print_advice(advice, console(), shows_symbols())
    out: Path | None = given["out"]
    if out is not None:
        write_result("knock", described, advice_tables(advice), out, given["quiet"], charts=False)
    if advice.partial:
        sys.exit(INTERRUPTED)


def _ask(
    position, settings: dict[str, Any], quiet: bool, tables: dict[Any, Any], stop: threading.Event
):
    """Return advice on a position, with a bar; once it is to stop, the answer so far.

    ``tables`` keeps the table of the game by rules from one position to the next.
    """
    from gin_sim.advice.advise import advise, check_effort
    from gin_sim.play.actions import play_worlds
    from gin_sim.report.progress import advice_bar
    from gin_sim.report.terminal import note_compiling

    equity = None
    if settings["objective"] in OF_THE_GAME:
        check_effort(settings["effort"], settings["objective"])
        equity = tables.get(position.rules)
        if equity is None:
            from gin_sim.api.at_a_score import counted_equity
            from gin_sim.cli.output import ask
            from gin_sim.payoff.equity import Equity
            from gin_sim.payoff.equity_cache import kept_results, plan_between

            plan = plan_between(settings["player"], settings["opponent"], position.rules)
            kept = kept_results(plan)
            if kept is not None:
                equity = Equity(kept)
            else:
                equity = ask(counted_equity, plan, settings["threads"], quiet=quiet)
            tables[position.rules] = equity
    if not quiet:
        note_compiling(play_worlds)
    with advice_bar(settings["effort"], quiet) as on_block:
        return advise(position, **settings, equity=equity, stop=stop, on_block=on_block)
