"""What questions about positions share: how they are read and checked, and how one is answered."""

from __future__ import annotations

import math
import threading
from collections.abc import Iterable, Mapping
from typing import Any, NamedTuple

from gin_sim.advice.advise import advise as advise_position
from gin_sim.advice.advise import check_effort, needed
from gin_sim.advice.answer import Asked
from gin_sim.advice.contest import WORLDS_A_BLOCK, Effort
from gin_sim.api.playing import count_of, play, policy_of
from gin_sim.api.progress import Progress
from gin_sim.belief.deviation import parse_deviation
from gin_sim.errors import InputError
from gin_sim.payoff.equity import Equity
from gin_sim.payoff.equity_cache import keep_results, kept_results, plan_between, results_of
from gin_sim.policies.contract import Policy
from gin_sim.positions import Position, position_from_dict
from gin_sim.results.advice import Advice
from gin_sim.results.objective import OF_THE_GAME, unit_of
from gin_sim.rules import Rules

NO_PANEL = "none"
_SECONDS = 10.0


class Settings(NamedTuple):
    """What a question does not have from its position."""

    asked: Asked
    panel: tuple[Policy, ...] | None
    threads: int | None


def settings_of(options: dict[str, Any]) -> Settings:
    """Return the settings that options of :func:`advise` name."""
    names = (
        "play", "against", "objective", "precision", "time", "worlds", "deviation", "panel", "seed",
        "threads",
    )  # fmt: skip
    for name in options:
        if name not in names:
            raise InputError(f"'{name}' is not an option here: the options are {', '.join(names)}.")
    defaults: dict[str, Any] = {"play": "strong", "against": "strong", "objective": "points"}
    defaults |= {"deviation": "alike", "seed": 1}
    return read_settings(*({**dict.fromkeys(names), **defaults, **options}[name] for name in names))


def read_settings(
    play: Any,
    against: Any,
    objective: str,
    precision: float | None,
    time: float | None,
    worlds: float | None,
    deviation: Any,
    panel: Any,
    seed: int,
    threads: int | None,
) -> Settings:
    """Return the settings, checked before any work."""
    blocks = None
    if worlds is not None:
        given = {"--precision": precision, "--time": time}
        for name, value in given.items():
            if value is not None:
                raise InputError(
                    f"--worlds and {name} are both given: play a fixed number of sampled deals, or "
                    "stop by the interval and the time."
                )
        blocks = math.ceil(count_of(worlds, "worlds") / WORLDS_A_BLOCK)
    asked = Asked(
        play=policy_of(play),
        against=policy_of(against),
        objective=objective,
        effort=check_effort(
            Effort(precision, _SECONDS if time is None else time, blocks), objective
        ),
        deviation=parse_deviation(deviation),
        seed=seed,
    )
    return Settings(asked, _panel(panel), threads)


def _panel(given: Any) -> tuple[Policy, ...] | None:
    """Return other opponents; None for the usual ones."""
    if given is None:
        return None
    several = list(given) if isinstance(given, Iterable) and not isinstance(given, str) else [given]
    if NO_PANEL in several:
        if len(several) > 1:
            raise InputError("--panel none is given beside other opponents: give one or the other.")
        return ()
    return tuple(map(policy_of, several))


def position_of(given: Any, fields: dict[str, Any], rules: str | Rules | None) -> Position:
    """Return the position that a caller names."""
    named = {name: value for name, value in fields.items() if value is not None}
    if rules is not None:
        named["rules"] = rules
    if isinstance(given, str):
        if "history" in named and "turn" in named:
            raise InputError(
                "--history and --turn are both given: the turn follows from the history, so give "
                "the history alone, or else the turn and the pile."
            )
        return position_from_dict({"hand": given, **named})
    if given is None:
        raise InputError(
            "no position is given: write the hand with --first and --history, or name --records "
            "or a --file."
        )
    if not isinstance(given, Position | Mapping):
        raise InputError(
            f"{given!r} is no position: give the cards of the hand, a dict of the fields of "
            "parse_position, or what parse_position returns."
        )
    known = given.as_dict() if isinstance(given, Position) else given
    if isinstance(given, Position) and not named:
        return given
    if others := [name for name in named if name != "rules"]:
        raise InputError(f"{others[0]} is given beside a whole position: leave it out.")
    return position_from_dict({**known, **named})


class Questions:
    """Asks about positions; the tables of the game are kept from one to the next."""

    def __init__(
        self, settings: Settings, progress: Progress, stop: threading.Event | None
    ) -> None:
        self._settings = settings
        self._progress = progress
        self._stop = stop
        self._equities: dict[Rules, Equity] = {}

    def answer(self, position: Position) -> Advice:
        """Return advice on a position; once it is to stop, the answer so far."""
        asked, panel, threads = self._settings
        equity = None
        if asked.objective in OF_THE_GAME:
            equity = self._equities.get(position.rules) or self._count(position.rules)
        unit = unit_of(asked.objective, at_a_score=True)
        with (
            self._progress.compiling(*needed(position, asked), at_work=True),
            self._progress.advising(asked.effort.blocks, unit) as on_block,
        ):
            return advise_position(
                position,
                asked,
                panel=panel,
                threads=threads,
                equity=equity,
                stop=self._stop,
                on_block=on_block,
            )

    def _count(self, rules: Rules) -> Equity:
        """Return the table of the game, its hands counted unless they were before."""
        plan = plan_between(self._settings.asked.play, self._settings.asked.against, rules)
        results = kept_results(plan)
        if results is None:
            results = results_of(play(plan, self._settings.threads, self._progress, self._stop))
            if results.partial:
                raise KeyboardInterrupt  # a table of few hands is none
            if notice := keep_results(results):
                self._progress.note(notice)
        self._equities[rules] = Equity(results)
        return self._equities[rules]
